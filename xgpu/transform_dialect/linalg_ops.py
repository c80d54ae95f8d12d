# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.structured.generalize, interchange and convert_to_loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core.ir.errors import Diagnostic
from xgpu.dialects.affine.maps import substitute
from xgpu.dialects.linalg import ops
from xgpu.transform_dialect.failures import SilenceableError, silenceable
from xgpu.transform_dialect.interpreter import each
from xgpu.transform_dialect.tracking import TrackingRewriter
from xgpu.transforms.linalg.generalize_named_ops import create_generic, description

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase, IntegerType

    from xgpu.transform_dialect.state import State


def _wrong_kind(op: Operation, target: Operation) -> SilenceableError:
    return SilenceableError(
        Diagnostic(
            "error",
            "transform applied to the wrong op kind",
            op.location,
            [Diagnostic("note", "when applied to this op", target.location)],
        )
    )


def generalize(op: Operation, target: Operation, state: State) -> list[Operation]:
    """The named operation as linalg.generic."""
    if not ops.is_structured(target):
        raise _wrong_kind(op, target)
    if target.name == "linalg.generic":
        return [target]
    rw = TrackingRewriter(state, target)
    new = create_generic(target, rw, target.attributes)
    for old, result in zip(target.results, new.results, strict=True):
        state.value_replaced(old, result)
        old.replace_all_uses_with(result)
    state.op_replaced(target, new)
    rw.erase(target)
    return [new]


def interchange(op: Operation, target: Operation, state: State) -> list[Operation]:
    """The loops of a linalg.generic in another order."""
    if target.name != "linalg.generic":
        raise _wrong_kind(op, target)
    attr = cast("DenseArrayBase[IntegerType] | None", op.properties.get("iterator_interchange"))
    order = list(attr.get_values()) if attr is not None else []
    if not order:
        return [target]
    iterators = ops.iterator_types(target)
    if len(order) != len(iterators):
        raise silenceable(
            op,
            f'"iterator_interchange" has length ({len(order)}) different from the number of loops '
            f"in the target operation ({len(iterators)})",
        )
    dims = [AffineDimExpr(order.index(i)) for i in range(len(order))]
    maps = [
        AffineMap(m.num_dims, 0, tuple(substitute(r, dims, ()) for r in m.results))
        for m in ops.indexing_maps(target)
    ]
    target.properties.update(description(maps, [iterators[i] for i in order]))
    for inner in target.walk():
        if inner.name == "linalg.index":
            dim = cast("IntegerAttr", inner.properties["dim"])
            inner.properties["dim"] = IntegerAttr(order.index(dim.value.data), dim.type)
    return [target]


def convert_to_loops(op: Operation, target: Operation, state: State) -> list[list[Operation]]:
    """A nest of scf.for, outermost first, for an operation on buffers."""
    from xgpu.conversion.linalg.linalg_to_loops import lower

    if not ops.is_structured(target):
        raise _wrong_kind(op, target)
    before = target.prev_op
    block = target.parent
    assert block is not None
    if not ops.is_on_buffers(target) or not lower(target, TrackingRewriter(state, target), "for"):
        raise silenceable(op, "failed to apply", [(target.location, "attempted to apply to")])
    loops: list[Operation] = []
    current = before.next_op if before is not None else block.first_op
    while current is not None:
        if current.name == "scf.for":
            loops.append(current)
            current = current.regions[0].block.first_op
        else:
            current = current.next_op
    count = len(ops.iterator_types(target))
    return [loops[:count]]


def decompose_interface(op: Operation, target: Operation, state: State) -> list[list[Operation]]:
    """The operations that linalg.softmax stands for; the last is the result."""
    from xgpu.transforms.linalg.decompose_softmax import decompose_softmax

    rw = TrackingRewriter(state, target)
    values = decompose_softmax(rw, target) if target.name == "linalg.softmax" else None
    if values is None:
        raise silenceable(op, "failed to apply", [(target.location, "attempted to apply to")])
    rw.replace(target, values)
    return [[value.owner for value in values if isinstance(value.owner, Operation)]]


OPS = {
    "transform.structured.convert_to_loops": each(convert_to_loops),
    "transform.structured.decompose_interface": each(decompose_interface),
    "transform.structured.generalize": each(generalize),
    "transform.structured.interchange": each(interchange),
}
