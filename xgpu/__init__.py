# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xgpu: MLIR's GPU compiler in Python, on xDSL and llvmlite."""

from typing import TYPE_CHECKING

from xgpu.ir.ports import install
from xgpu.version import MLIR_VERSION, __version__

__all__ = ["MLIR_VERSION", "Compiled", "Result", "__version__", "compile", "run", "sanitize"]

# What lower rooms ask of higher ones: see `xgpu/ir/ports.py`.
install(
    {
        "attribute_formats": "xgpu.syntax.formats.attr_format",
        "attribute_text": "xgpu.syntax.printer:attribute_text",
        "constructors": "xgpu.ods.constructor",
        "crossing": "xgpu.syntax.crossing",
        "definitions": "xgpu.ods.irdl",
        "dialects": "xgpu.dialects",
        "docstrings": "xgpu.ods.docstrings",
        "facts": "xgpu.ods.facts",
        "outside_dialects": "xgpu.universe:installed_dialect",
        "operation_formats": "xgpu.syntax.formats.format",
        "registry": "xgpu.ods.registry",
        "render_diagnostic": "xgpu.syntax.diagnostics:render",
        "signatures": "xgpu.ods.parameters",
        "verifier": "xgpu.ods.verifier",
    }
)

if TYPE_CHECKING:
    from xgpu.driver.compiler import Compiled, Result, compile, run
    from xgpu.driver.sanitizer import sanitize

_LAZY = ("compile", "run", "Compiled", "Result")


def __getattr__(name: str) -> object:
    """`xgpu.compile`, `xgpu.run` and `xgpu.sanitize`, loaded when first asked for."""
    if name in _LAZY:
        from xgpu.driver import compiler

        return getattr(compiler, name)
    if name == "sanitize":
        from xgpu.driver.sanitizer import sanitize

        return sanitize
    raise AttributeError(f"module 'xgpu' has no attribute '{name}'")
