# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checks of how many operands, results, regions and successors an operation has."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType, i32
from xdsl.ir import Attribute, Operation

from xgpu.core.ir.construction import operands_of, successors_of, value_type
from xgpu.core.ir.errors import op_error
from xgpu.core.ods.spec import ONE, OPTIONAL, Field, OpSpec

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation


# -- Checks that depend on the types and numbers of operands and results alone.
#
# Few types recur in a program, so the outcome of such checks is remembered by the types.


#: So many rows of types a class of operations remembers.
_MOST = 256

_OF_TYPES: set[Check] = set()


def of_types(check: Check) -> Check:
    """Says of a check that, for an operation without regions and successors, it depends on the
    types and numbers of operands and results only."""
    _OF_TYPES.add(check)
    return check


def once_for_types(checks: Sequence[Check]) -> tuple[Check, ...]:
    """Checks that find what `checks` find, in their order, but ask those `of_types` only for types
    for which not all of `checks` were content before."""
    others = tuple([check for check in checks if check not in _OF_TYPES])
    if len(checks) - len(others) < 2:
        return tuple(checks)
    # By identities, for hashing a type looks at all of it; the types are kept alive.
    good: dict[tuple[int, ...], list[Attribute]] = {}

    def check(op: Operation) -> None:
        operands = operands_of(op)
        types = [*map(value_type, operands), *map(value_type, op.results)]
        key = (len(operands), *map(id, types))
        if key in good and not op.regions and not successors_of(op):
            for one in others:
                one(op)
            return
        for one in checks:
            one(op)
        if op.regions or successors_of(op):
            return
        if len(good) == _MOST:
            good.clear()
        good[key] = types

    return (check,)


Check = Callable[["Operation"], None]


def _least(fields: Sequence[Field]) -> tuple[int, bool]:
    """How many there are at least, and whether there may be more."""
    least = sum(1 for field in fields if field.quantity == ONE)
    return least, least != len(fields)


def count_checks(spec: OpSpec) -> list[Check]:
    """Counts of operands, results, regions and successors."""
    checks: list[Check] = []
    exact: list[tuple[int, Check]] = []
    parts: tuple[tuple[str, Sequence[Field], Callable[[Operation], Sized]], ...] = (
        ("region", spec.regions, lambda op: op.regions),
        ("result", spec.results, lambda op: op.results),
        ("successor", spec.successors, lambda op: successors_of(op)),
        ("operand", spec.operands, lambda op: operands_of(op)),
    )
    for what, fields, get in parts:
        least, open_ended = _least(fields)
        exact.append((least, _count_check(what, least, open_ended, get)))
        if open_ended and least == 0:
            continue
        checks.append(exact[-1][1])
    groups = (spec.regions, spec.results, spec.successors, spec.operands)
    if not any(_least(fields)[1] for fields in groups):
        checks = [_exact_counts([least for least, _ in exact], checks)]
    for kind, segmented in (
        ("operand", "AttrSizedOperandSegments" in spec.traits),
        ("result", "AttrSizedResultSegments" in spec.traits),
    ):
        if segmented:
            fields = spec.operands if kind == "operand" else spec.results
            checks.append(_segment_check(kind, fields))
    return checks


def _exact_counts(counts: Sequence[int], checks: Sequence[Check]) -> Check:
    """One comparison for the usual case, that all counts are right."""
    regions, results, successors, operands = counts

    def check(op: Operation) -> None:
        if (
            len(operands_of(op)) != operands
            or len(op.results) != results
            or len(op.regions) != regions
            or len(successors_of(op)) != successors
        ):
            for one in checks:
                one(op)

    return of_types(check)


def _count_check(
    what: str, least: int, open_ended: bool, get: Callable[[Operation], Sized]
) -> Check:
    plural = what if least == 1 else what + "s"

    def check(op: Operation) -> None:
        count = len(get(op))
        if count == least or (open_ended and count >= least):
            return
        if open_ended:
            if what == "operand":
                raise op_error(op, f"expected {least} or more operands, but found {count}")
            raise op_error(op, f"expected {least} or more {what}s")
        if what == "operand":
            if least == 0:
                raise op_error(op, "requires zero operands")
            if least == 1:
                raise op_error(op, "requires a single operand")
            raise op_error(op, f"expected {least} operands, but found {count}")
        if what == "successor":
            if least == 0:
                raise op_error(op, "requires 0 successors but found " + str(count))
            raise op_error(op, f"requires {least} {plural} but found {count}")
        if what == "region":
            words = {0: "requires zero regions", 1: "requires one region"}
            raise op_error(op, words.get(least, f"expected {least} regions"))
        words = {0: "requires zero results", 1: "requires one result"}
        raise op_error(op, words.get(least, f"expected {least} results"))

    return of_types(check)


#: The lists of indices of a format, and of one list: which operands and which constants are in it.
_INDEX_LIST = "DynamicIndexList>("


def index_list_checks(cls: type[OdsOperation]) -> list[Check]:
    """A list of constants and operands has a gap for each operand; without it, it could not even be
    printed."""
    _, *lists = (cls.spec.format or "").split(_INDEX_LIST)
    if not lists:
        return []
    fields = {field.name: index for index, field in enumerate(cls.spec.operands)}
    checks: list[Check] = []
    for found in lists:
        names = [name.strip().removeprefix("$") for name in found.partition(")")[0].split(",")]
        static = next((name for name in names if name.startswith("static_")), None)
        dynamic = next((n for n in names if static and n == static.removeprefix("static_")), None)
        dynamic = dynamic or next((n for n in names if n.startswith("dynamic_")), None)
        if static is not None and dynamic in fields:
            checks.append(_index_list_check(fields[dynamic], static))
    return checks


def _index_list_check(index: int, static: str) -> Check:
    def check(op: Any) -> None:
        numbers = op.properties.get(static)
        gaps = 0 if numbers is None else list(numbers.get_values()).count(DYNAMIC_INDEX)
        given = len(op.operand_group(index))
        if gaps != given:
            raise op_error(
                op, f"expected {gaps} operands for the gaps in '{static}', but got {given}"
            )

    return check


def _segment_check(kind: str, fields: Sequence[Field]) -> Check:
    name = f"{kind}SegmentSizes"
    count = len(fields)

    def check(op: Operation) -> None:
        sizes = op.properties.get(name)
        total = len(operands_of(op)) if kind == "operand" else len(op.results)
        if sizes is not None and (not isinstance(sizes, DenseArrayBase) or sizes.elt_type != i32):
            raise op_error(op, f"expected DenseI32ArrayAttr for '{name}'")
        values = () if sizes is None else cast("DenseArrayBase[IntegerType]", sizes).get_values()
        if any(value < 0 for value in values):
            raise op_error(op, f"'{name}' attribute cannot have negative elements")
        if sum(values) != total:
            raise op_error(
                op,
                f"{kind} count ({total}) does not match with the total size ({sum(values)}) "
                f"specified in attribute '{name}'",
            )
        if len(values) != count and (values or total):
            raise op_error(
                op,
                f"'{name}' attribute for specifying {kind} segments must have {count} "
                f"elements, but got {len(values)}",
            )
        if len(values) != count and any(field.quantity == ONE for field in fields):
            raise op_error(op, f"requires attribute '{name}'")
        for index, (value, field) in enumerate(zip(values, fields, strict=False)):
            if field.quantity == ONE and value != 1:
                raise op_error(
                    op,
                    f"{kind} group starting at #{sum(values[:index])} requires 1 element, "
                    f"but found {value}",
                )
            if field.quantity == OPTIONAL and value > 1:
                raise op_error(
                    op,
                    f"{kind} group starting at #{sum(values[:index])} requires 0 or 1 element, "
                    f"but found {value}",
                )

    return check
