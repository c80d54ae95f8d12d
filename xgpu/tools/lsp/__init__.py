# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-lsp-server`: the language server of MLIR text."""
