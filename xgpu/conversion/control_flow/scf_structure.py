# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scf and async operations that only hold or hand on values take the converted types of what they
hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from xdsl.ir import Operation, Region, SSAValue

from xgpu.core.rewriting.driver import Conversion, NoMatch, Replacements, Rule

# --- scf structure -------------------------------------------------------------------------------
# scf operations that only hold or hand on values take the converted types of what they hold.
#
# For conversions that leave loops and conditionals as they are. Source: MLIR 22.1
# SCF/Transforms/StructuralTypeConversions.cpp.


#: How many leading operands stay as they are.
_KEPT = {"scf.index_switch": 1}


_T = TypeVar("_T")


def _flat(items: Iterable[_T | tuple[_T, ...]]) -> list[_T]:
    """One list of values or types, where one old entry may have become several."""
    flat: list[_T] = []
    for item in items:
        if not isinstance(item, tuple):
            flat.append(item)
        else:
            flat.extend(item)
    return flat


def _same(values: Sequence[SSAValue], others: Sequence[SSAValue]) -> bool:
    return len(values) == len(others) and all(a is b for a, b in zip(values, others, strict=True))


def _is_legal(op: Operation, rw: Conversion) -> bool:
    """Whether `op` already has converted types everywhere."""
    values = [*op.results, *(a for r in op.regions for block in r.blocks for a in block.args)]
    if op.name == "scf.for":  # whose bounds alone are no reason
        values = list(op.results)
    return all(rw.convert_type(value.type) == value.type for value in values)


def convert_holder(
    op: Operation, operands: Sequence[SSAValue | tuple[SSAValue, ...]], rw: Conversion
) -> Replacements:
    """The same operation with other types; its regions move into it.

    As in MLIR that takes in the bounds of a loop; what a switch selects by stays as it is.
    """
    if _is_legal(op, rw):
        raise NoMatch("is legal")
    groups = [rw.convert_type(result.type) for result in op.results]
    kept = _KEPT.get(op.name, 0)
    values = [*op.operands[:kept], *_flat(operands[kept:])]
    regions: list[Region] = []
    for old in op.regions:
        for block in old.blocks:
            rw.convert_block_signature(block)
        region = Region()
        old.move_blocks(region)
        regions.append(region)
    new = rw.create(
        op.name, values, _flat(groups), dict(op.properties), dict(op.attributes), regions
    )
    replacements: list[SSAValue | Sequence[SSAValue]] = []
    at = 0
    for group in groups:
        width = len(group) if isinstance(group, tuple) else 1
        found = tuple(new.results[at : at + width])
        replacements.append(found if isinstance(group, tuple) else found[0])
        at += width
    return replacements


def convert_terminator(
    op: Operation, operands: Sequence[SSAValue | tuple[SSAValue, ...]], rw: Conversion
) -> Replacements:
    """scf.yield and scf.condition of an operation that has a rule here."""
    parent = op.parent_op()
    values = _flat(operands)
    if parent is None or parent.name not in RULES or _same(op.operands, values):
        raise NoMatch("is legal")
    rw.create(op.name, values, (), dict(op.properties), dict(op.attributes))
    return []


RULES: dict[str, Rule] = {
    "scf.condition": convert_terminator,
    "scf.for": convert_holder,
    "scf.if": convert_holder,
    "scf.index_switch": convert_holder,
    "scf.while": convert_holder,
    "scf.yield": convert_terminator,
}


# --- structure -----------------------------------------------------------------------------------
# async operations that only hold or hand on values take the converted types of what they hold.
#
# Source: MLIR 22.1 AsyncToAsyncRuntime's structural patterns (async.execute, async.await,
# async.yield).


def _is_unchanged(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> bool:
    return all(a is b for a, b in zip(op.operands, operands, strict=True)) and all(
        rw.convert_type(result.type) == result.type for result in op.results
    )


def lower_await(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    if _is_unchanged(op, operands, rw):
        raise NoMatch("is legal")
    types = [rw.convert_type(result.type) for result in op.results]
    return rw.create("async.await", operands, types).results


def lower_execute(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Replacements | None:
    """async.execute: its values, and the arguments of its body."""
    return convert_holder(op, operands, rw)


def lower_yield(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> None:
    """async.yield: what it yields."""
    if _is_unchanged(op, operands, rw):
        raise NoMatch("is legal")
    op.operands = list(operands)


ASYNC_RULES: dict[str, Rule] = {
    "async.await": lower_await,
    "async.execute": lower_execute,
    "async.yield": lower_yield,
}
