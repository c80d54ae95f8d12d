# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of `cf.switch`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, VectorType, i32
from xdsl.ir import Block, Operation, SSAValue

from xgpu.core.ir.branches import successor_operands
from xgpu.core.ir.constants import int_of, make_dense
from xgpu.core.ir.elements import unpack

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
    from xdsl.ir import Attribute

    from xgpu.core.rewriting.greedy import GreedyRewriter

Target = tuple[Block, list[SSAValue]]


def _passed(op: Operation, successor: int) -> list[SSAValue]:
    found = successor_operands(op, successor)
    assert found is not None
    return found


def case_values(op: Operation) -> list[int]:
    """The values of the cases of a switch."""
    attr = cast("DenseIntOrFPElementsAttr | None", op.properties.get("case_values"))
    return list(unpack(attr.data.data, attr.get_element_type())) if attr is not None else []


def _targets(op: Operation) -> list[Target]:
    return [(op.successors[i], _passed(op, i)) for i in range(len(op.successors))]


def _switch(
    rw: GreedyRewriter,
    op: Operation,
    flag: SSAValue,
    default: Target,
    values: Sequence[int],
    cases: Sequence[Target],
) -> None:
    """Replaces `op` with a switch of these cases."""
    properties: dict[str, Attribute] = {
        "case_operand_segments": DenseArrayBase.from_list(i32, [len(c[1]) for c in cases])
    }
    if values:
        type_ = VectorType(flag.type, [len(values)])
        properties["case_values"] = make_dense(type_, list(values))
    flat = [v for c in cases for v in c[1]]
    rw.replace_with(
        op,
        "cf.switch",
        (flag, default[1], flat),
        properties=properties,
        successors=(default[0], *(c[0] for c in cases)),
    )


def only_default(op: Operation, rw: GreedyRewriter) -> bool:
    """switch without cases -> br"""
    if case_values(op):
        return False
    rw.replace_with(op, "cf.br", _passed(op, 0), successors=(op.successors[0],))
    return True


def drop_cases_of_default(op: Operation, rw: GreedyRewriter) -> bool:
    """A case that goes where the default goes, with the same operands, is left out"""
    default, *cases = _targets(op)
    values = case_values(op)
    kept = [(v, c) for v, c in zip(values, cases, strict=True) if c != default]
    if len(kept) == len(cases):
        return False
    _switch(rw, op, op.operands[0], default, [v for v, _ in kept], [c for _, c in kept])
    return True


def constant_flag(op: Operation, rw: GreedyRewriter) -> bool:
    """switch on a constant -> br"""
    value = int_of(op.operands[0])
    if value is None:
        return False
    values = case_values(op)
    taken = values.index(value) + 1 if value in values else 0
    rw.replace_with(op, "cf.br", _passed(op, taken), successors=(op.successors[taken],))
    return True


def switch_through(op: Operation, rw: GreedyRewriter) -> bool:
    """A successor that only branches on is left out"""
    from xgpu.dialects.cf.pass_through import through

    targets = _targets(op)
    further = [through(*t) for t in targets]
    if all(f is None for f in further):
        return False
    default, *cases = [f if f is not None else t for f, t in zip(further, targets, strict=True)]
    _switch(rw, op, op.operands[0], default, case_values(op), cases)
    return True


def _before(op: Operation) -> tuple[Operation, int] | None:
    """The switch on the same flag that alone leads to the block of `op`, and by which successor."""
    block = op.parent
    if block is None or not block.has_one_use():
        return None
    use = block.first_use
    assert use is not None
    if use.operation.name != "cf.switch" or use.operation.operands[0] is not op.operands[0]:
        return None
    return use.operation, use.index


def case_is_known(op: Operation, rw: GreedyRewriter) -> bool:
    """A switch that a case of a switch on the same flag leads to -> br"""
    found = _before(op)
    if found is None or found[1] == 0:
        return False
    value = case_values(found[0])[found[1] - 1]
    values = case_values(op)
    taken = values.index(value) + 1 if value in values else 0
    rw.replace_with(op, "cf.br", _passed(op, taken), successors=(op.successors[taken],))
    return True


def cases_are_excluded(op: Operation, rw: GreedyRewriter) -> bool:
    """After the default of a switch on the same flag, its cases cannot come"""
    found = _before(op)
    if found is None or found[1] != 0:
        return False
    excluded = set(case_values(found[0]))
    default, *cases = _targets(op)
    values = case_values(op)
    kept = [(v, c) for v, c in zip(values, cases, strict=True) if v not in excluded]
    if len(kept) == len(cases):
        return False
    _switch(rw, op, op.operands[0], default, [v for v, _ in kept], [c for _, c in kept])
    return True


SWITCH_PATTERNS = (
    only_default,
    drop_cases_of_default,
    constant_flag,
    switch_through,
    case_is_known,
    cases_are_excluded,
)
