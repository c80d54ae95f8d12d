# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xgpu: MLIR's GPU compiler in Python, on xDSL and llvmlite."""

__version__ = "0.1.0"
MLIR_VERSION = "22.1"

_LAZY = ("compile", "run", "Compiled", "Result")


def __getattr__(name: str) -> object:
    """`xgpu.compile` and `xgpu.run`, loaded when first asked for."""
    if name in _LAZY:
        from xgpu.driver import compiler

        return getattr(compiler, name)
    raise AttributeError(f"module 'xgpu' has no attribute '{name}'")
