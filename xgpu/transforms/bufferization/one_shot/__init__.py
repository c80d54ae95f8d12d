# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One-shot bufferization: tensors become buffers, with copies only where a read needs them.

`model` says what is to be known of an operation, `models/` what is known of MLIR's operations
(facts that somebody registers as `bufferization` of an `OpInfo` count first), `options` what the
pass may do. `state` asks models about operands, `analysis` decides which operands write where they
stand, `conflicts` why one may not, `copies` makes the copies that the decisions need, `bufferize`
replaces operations, `functions` goes through a module callee by callee.
"""
