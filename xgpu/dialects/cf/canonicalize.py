# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the cf dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    VectorType,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xgpu.core.ir.constants import int_of, make_dense
from xgpu.core.ir.elements import unpack
from xgpu.core.ir.region_flow import successor_operands
from xgpu.dialects.arith.builders import attribute_constant, select

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


# -- Blocks that only branch on.


def through(block: Block, operands: Sequence[SSAValue]) -> tuple[Block, list[SSAValue]] | None:
    """Where a branch to `block` ends up if that only branches on: (block, operands) or None.

    The block must be nothing but a `cf.br`, its arguments used by nothing else, and no loop.
    """
    only = block.first_op
    if only is None or only.name != "cf.br" or only.next_op is not None:
        return None
    target = only.successors[0]
    if target is block:
        return None
    for arg in block.args:
        for use in arg.uses:
            if use.operation is not only:
                return None
    if _endless(block):
        return None
    mapping = dict(zip(block.args, operands, strict=True))
    return target, [mapping.get(v, v) for v in only.operands]  # type: ignore[arg-type]


def _endless(block: Block) -> bool:
    """Whether blocks that do nothing but branch on lead from `block` in a circle."""
    seen: set[Block] = set()
    while (only := block.first_op) is not None and only.name == "cf.br":
        if block in seen:
            return True
        seen.add(block)
        block = only.successors[0]
    return False


# -- Canonicalization patterns of `cf.switch`.


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


def passed(op: Operation, successor: int) -> list[SSAValue]:
    """What a cf branch passes to its successor."""
    found = successor_operands(op, successor)
    assert found is not None
    return found


def branch(rw: GreedyRewriter, op: Operation, target: Block, operands: Sequence[SSAValue]) -> None:
    """Replaces the branch `op` with a plain one."""
    rw.replace_with(op, "cf.br", operands, successors=(target,))


def conditional(
    rw: GreedyRewriter,
    op: Operation,
    condition: SSAValue,
    true: tuple[Block, Sequence[SSAValue]],
    false: tuple[Block, Sequence[SSAValue]],
) -> None:
    """Replaces the branch `op` with a conditional one."""
    weights = op.properties.get("branch_weights")
    rw.replace_with(
        op,
        "cf.cond_br",
        (condition, true[1], false[1]),
        properties={"branch_weights": weights} if weights is not None else None,
        successors=(true[0], false[0]),
    )


# --- br ------------------------------------------------------------------------------------------
def merge_single_predecessor(op: Operation, rw: GreedyRewriter) -> bool:
    """br ^bb1 where nothing else branches to ^bb1: its operations come here"""
    target = op.successors[0]
    parent = op.parent
    if target is parent or not target.uses or not target.has_one_use():
        return False
    if target.parent is None or target is target.parent.first_block or parent is None:
        return False
    operands = list(op.operands)
    rw.erase(op)
    rw.merge_blocks(target, parent, operands)
    return True


def br_through(op: Operation, rw: GreedyRewriter) -> bool:
    """br ^bb1 with ^bb1: br ^bb2 -> br ^bb2"""
    target = op.successors[0]
    if target is op.parent:
        return False
    further = through(target, list(op.operands))
    if further is None:
        return False
    branch(rw, op, *further)
    return True


# --- cond_br -------------------------------------------------------------------------------------
def constant_condition(op: Operation, rw: GreedyRewriter) -> bool:
    """cond_br true, ^bb1, ^bb2 -> br ^bb1"""
    value = int_of(op.operands[0])
    if value is None:
        return False
    taken = 0 if value else 1
    branch(rw, op, op.successors[taken], passed(op, taken))
    return True


def cond_br_through(op: Operation, rw: GreedyRewriter) -> bool:
    """cond_br %c, ^bb1, ^bb2 with ^bb1: br ^bbN -> cond_br %c, ^bbN, ^bb2"""
    sides: list[tuple[Block, list[SSAValue]]] = []
    changed = False
    for i in range(2):
        target, operands = op.successors[i], passed(op, i)
        further = through(target, operands)
        changed = changed or further is not None
        sides.append(further if further is not None else (target, operands))
    if not changed:
        return False
    conditional(rw, op, op.operands[0], *sides)
    return True


def same_successor(op: Operation, rw: GreedyRewriter) -> bool:
    """cond_br %c, ^bb1(a), ^bb1(b) -> br ^bb1(select(c, a, b))"""
    target = op.successors[0]
    if target is not op.successors[1]:
        return False
    true, false = passed(op, 0), passed(op, 1)
    if true == false:
        branch(rw, op, target, true)
        return True
    # Selects only pay if nothing else comes here.
    if any(use.operation is not op for use in target.uses):
        return False
    merged = [
        a if a is b else select(rw, op.operands[0], a, b) for a, b in zip(true, false, strict=True)
    ]
    branch(rw, op, target, merged)
    return True


def same_condition_before(op: Operation, rw: GreedyRewriter) -> bool:
    """A cond_br on the condition that led here, from a block with one predecessor -> br"""
    block = op.parent
    if block is None or not block.has_one_use():
        return False
    use = block.first_use
    assert use is not None
    before = use.operation
    if before.name != "cf.cond_br" or before.operands[0] is not op.operands[0]:
        return False
    if before.successors[0] is before.successors[1]:
        return False
    branch(rw, op, op.successors[use.index], passed(op, use.index))
    return True


def condition_is_known(op: Operation, rw: GreedyRewriter) -> bool:
    """In a successor with one predecessor, the condition is true (or false)"""
    condition = op.operands[0]
    changed = False
    for i, value in ((0, True), (1, False)):
        block = op.successors[i]
        if not block.has_one_use():
            continue
        constant: SSAValue | None = None
        for use in list(condition.uses):
            user = use.operation
            if user.parent is not block:
                continue
            if constant is None:
                rw.before(op)
                constant = attribute_constant(rw, IntegerAttr.from_bool(value), i1)
            rw.set_operand(user, use.index, constant)
            changed = True
    return changed


def unreachable_successor(op: Operation, rw: GreedyRewriter) -> bool:
    """cond_br %c, ^bb1, ^bb2 with ^bb2: ub.unreachable -> br ^bb1"""
    for i in range(2):
        first = op.successors[i].first_op
        if first is not None and first.name == "ub.unreachable":
            branch(rw, op, op.successors[1 - i], passed(op, 1 - i))
            return True
    return False


def assert_true(op: Operation, rw: GreedyRewriter) -> bool:
    """cf.assert true -> nothing"""
    if int_of(op.operands[0]) in (None, 0):
        return False
    rw.erase(op)
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "cf.assert": (assert_true,),
    "cf.br": (merge_single_predecessor, br_through),
    "cf.cond_br": (
        constant_condition,
        cond_br_through,
        same_successor,
        same_condition_before,
        condition_is_known,
        unreachable_successor,
    ),
    "cf.switch": SWITCH_PATTERNS,
}
