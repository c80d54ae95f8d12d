# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.structured.promote: subviews of structured operations as buffers of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, IntegerType

from xgpu.core.ir.inherent import attribute_of
from xgpu.dialects.linalg import ops
from xgpu.transform_dialect.failures import definite
from xgpu.transform_dialect.interpreter import each, flag
from xgpu.transform_dialect.tracking import TrackingRewriter
from xgpu.transforms.linalg.promotion import PromotionOptions, promote, promoted_operands

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.ir.errors import DiagnosticError
    from xgpu.dialects.gpu import MemorySpaceAttr
    from xgpu.transform_dialect.state import State


def _numbers(op: Operation, name: str) -> list[int]:
    attr = cast("ArrayAttr[IntegerAttr[IntegerType]] | None", attribute_of(op, name))
    return [] if attr is None else [item.value.data for item in attr.data]


def _failed(op: Operation, target: Operation) -> DiagnosticError:
    note = [(target.location, "attempted to apply to")]
    return definite(op, f"'{op.name}' op failed to apply", note)


def _options(op: Operation, target: Operation) -> PromotionOptions:
    options = PromotionOptions(
        full_by_default=flag(op, "use_full_tiles_by_default"),
        original_size=flag(op, "use_original_subview_size"),
        alloca=flag(op, "use_alloca"),
        memory_space=attribute_of(op, "memory_space"),
        full_tiles=[bool(number) for number in _numbers(op, "use_full_tile_buffers")],
    )
    options.operands = set(_numbers(op, "operands_to_promote")) or None
    alignment = cast("IntegerAttr[IntegerType] | None", attribute_of(op, "alignment"))
    if alignment is not None:
        options.alignment = alignment.value.data
    mapping = cast("ArrayAttr[MemorySpaceAttr] | None", attribute_of(op, "mapping"))
    if mapping is None:
        return options
    space = mapping.data[0].data if len(mapping.data) == 1 else ""
    if space not in ("workgroup", "private"):
        raise _failed(op, target)
    options.gpu_space = space
    options.full_tiles = [False, False]
    return options


def promote_target(op: Operation, target: Operation, state: State) -> list[Operation]:
    options = _options(op, target)
    fits = ops.is_structured(target) and ops.is_on_buffers(target)
    if not fits or not promoted_operands(target, options):
        raise _failed(op, target)
    if not promote(TrackingRewriter(state, target), target, options):
        raise _failed(op, target)
    return [target]


OPS = {"transform.structured.promote": each(promote_target)}
