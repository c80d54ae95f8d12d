# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One-shot bufferization: tensors become buffers, with copies only where a read needs them.

`model` says what is to be known of an operation, and finds it: facts that are registered as
`bufferization` of an `OpInfo` first, then those of MLIR's operations (`*_models`). `options` has
what the pass may do. `state` asks models about operands, `analysis` decides which operands write
where they stand, and `buffers` has the buffers of values while operations are replaced. The pass,
`one_shot_bufferize`, goes through a module callee by callee.
"""
