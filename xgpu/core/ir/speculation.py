# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether an operation may run where it did not: MLIR's ConditionallySpeculatable.

`xgpu.core.ir.effects.is_speculatable` knows what follows from traits; here are the operations
where it depends on their operands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation

from xgpu.core.ir.constants import int_of, width_of
from xgpu.core.ir.effects import is_memory_effect_free, is_speculatable
from xgpu.core.ir.integer_arithmetic import signed

if TYPE_CHECKING:
    from xdsl.dialects.builtin import StringAttr


def _nonzero_divisor(op: Operation) -> bool:
    divisor = int_of(op.operands[1])
    return divisor is not None and divisor != 0


def _safe_signed_divisor(op: Operation) -> bool:
    """Neither 0 nor -1, with which the smallest number overflows."""
    divisor = int_of(op.operands[1])
    return divisor is not None and signed(divisor, width_of(op.operands[1].type)) not in (0, -1)


def _known_dim(op: Operation) -> bool:
    dim, kind = int_of(op.operands[1]), op.operands[0].type
    return isinstance(kind, MemRefType) and dim is not None and 0 <= dim < len(kind.get_shape())


def _any_lane(op: Operation) -> bool:
    """Which lane is the first active one depends on where the operation stands."""
    return cast("StringAttr", op.properties["broadcast_type"]).data != "first_active_lane"


def _body(op: Operation) -> bool:
    return all(
        can_speculate(inner)
        for region in op.regions
        for block in region.blocks
        for inner in block.ops
    )


def _for(op: Operation) -> bool:
    """A loop ends for every start and end if its step is 1."""
    return int_of(op.operands[2]) == 1 and _body(op)


def _constant_steps(op: Any) -> bool:
    return all(int_of(step) not in (None, 0) for step in op.step) and _body(op)


CONDITIONAL: dict[str, Callable[[Operation], bool]] = {
    "affine.for": _body,
    "affine.if": _body,
    "affine.parallel": _body,
    "arith.ceildivsi": _safe_signed_divisor,
    "arith.ceildivui": _nonzero_divisor,
    "arith.divsi": _safe_signed_divisor,
    "arith.divui": _nonzero_divisor,
    "arith.floordivsi": _safe_signed_divisor,
    "index.ceildivs": _safe_signed_divisor,
    "index.ceildivu": _nonzero_divisor,
    "index.divs": _safe_signed_divisor,
    "index.divu": _nonzero_divisor,
    "llvm.sdiv": _safe_signed_divisor,
    "llvm.udiv": _nonzero_divisor,
    "gpu.subgroup_broadcast": _any_lane,
    "memref.dim": _known_dim,
    "scf.for": _for,
    "scf.parallel": _constant_steps,
}


def can_speculate(op: Operation) -> bool:
    """Whether running `op` where it was not run cannot go wrong."""
    rule = CONDITIONAL.get(op.name)
    if rule is not None:
        return rule(op)
    return is_speculatable(op) or (op.next_op is None and op.name.endswith(".yield"))


def can_move(op: Operation) -> bool:
    """Whether `op` has no effect and may be speculated: MLIR's `isPure`."""
    return is_memory_effect_free(op) and can_speculate(op)
