# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.structured.match: the operations below a payload operation that fit a description."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation

from xgpu.core.ir.inherent import attribute_of
from xgpu.core.ir.op_info import traits_of
from xgpu.transform_dialect.failures import definite
from xgpu.transform_dialect.interpreter import Results

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from xgpu.dialects import transform
    from xgpu.transform_dialect.state import State

_INTERFACES = ("LinalgStructuredInterface", "TilingInterface", "LoopLikeOpInterface")


def _implements(op: Operation, interface: int) -> bool:
    if interface == 0:
        return op.name.startswith("linalg.") and (
            "LinalgStructuredInterface" in traits_of(op.name) or "LinalgOp" in traits_of(op.name)
        )
    return _INTERFACES[interface] in traits_of(op.name)


def match(op: Operation, state: State) -> Results:
    """Every operation in the one target, itself included, inner before outer."""
    targets = state.ops(op.operands[0])
    if len(targets) != 1:
        raise definite(op, "requires exactly one target handle")
    given = cast("transform.StructuredMatchOp", op)
    names = {n.data for n in given.ops.data} if given.ops is not None else None
    interface = given.interface.value.data if given.interface is not None else None
    attributes = given.op_attrs.data if given.op_attrs is not None else {}
    result_type, operand_types = given.filter_result_type, given.filter_operand_types
    found: list[Operation] = []
    for inner in _post_order(targets[0]):
        if names is not None and inner.name not in names:
            continue
        if interface is not None and not _implements(inner, interface):
            continue
        if any(attribute_of(inner, key) != value for key, value in attributes.items()):
            continue
        if result_type is not None and [r.type for r in inner.results] != [_type(result_type)]:
            continue
        if operand_types is not None:
            wanted = [_type(t) for t in operand_types.data]
            actual = [v.type for v in inner.operands]
            if len(wanted) == 1:
                wanted = wanted * max(len(actual), 1)
            if wanted != actual:
                continue
        found.append(inner)
    return [found]


def _type(attr: Attribute) -> Attribute:
    return getattr(attr, "type", attr) if attr.name == "type_attr" else attr


def _post_order(op: Operation) -> list[Operation]:
    found: list[Operation] = []
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                found.extend(_post_order(inner))
    found.append(op)
    return found


OPS = {"transform.structured.match": match}
