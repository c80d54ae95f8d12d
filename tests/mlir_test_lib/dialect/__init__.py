# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of MLIR's test dialect that show what an analysis found or say what a trait does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl.ir import Attribute, SSAValue

    from xgpu.core.rewriting.builder import Rewriter


def register() -> None:
    """Makes the dialect known."""
    from xgpu.core.ir.calls import register_call
    from xgpu.core.ir.constants import register_constant
    from xgpu.core.ods.foreign import add_package
    from xgpu.core.rewriting.folding import register_materializer
    from xgpu.core.syntax.bracketed_types import register_memref_element
    from xgpu.dialects.ptr.attributes import SPACES

    add_package("test", __name__, "MLIR's test library", partial=True)
    register_call("test.call_on_device", 0)
    register_call("test.call_with_segments", 1)
    register_constant("test.constant", "value")
    register_materializer("test", _constant)
    register_memref_element("test.memref_element")
    SPACES.add("test.const_memory_space")


def _constant(rw: Rewriter, value: Any, type_: Attribute) -> SSAValue:
    return rw.value("test.constant", (), type_, {"value": value})
