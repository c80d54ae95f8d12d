# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verification, in MLIR's order and words.

For one operation: counts, types and attributes as its definition has them, traits, then what the
dialect checks by hand. Then the operations inside, then what concerns regions. What an operation's
definition needs to have checked is compiled once a class to a list of functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import ErasedSSAValue, Operation

from xgpu.errors import error, op_error
from xgpu.ods.spec import ONE, OPTIONAL, VARIADIC, AttrField, Field, OpSpec

if TYPE_CHECKING:
    from xgpu.ods.operation import OdsOperation

Check = Callable[[Any], None]


def verify_operation(op: OdsOperation, nested: bool = True) -> None:
    """Verifies `op`, and if `nested` what it contains. Raises DiagnosticError."""
    for operand in op._operands:
        if isinstance(operand, ErasedSSAValue):
            raise op_error(op, "uses a value that was erased")
    op.verify_()
    parent = op.parent
    if op._successors:
        verify_branch(op)
    if parent is not None and parent.last_op is op:
        verify_terminator(op)
    if nested:
        for region in op.regions:
            for block in region.blocks:
                for child in block.ops:
                    child.verify()
            region_ends(op, region)
    for check in region_checks(type(op)):
        check(op)


def verify_branch(op: Operation) -> None:
    """A branch ends its block and stays in its region."""
    parent = op.parent
    if parent is None or parent.last_op is not op:
        raise op_error(op, "must be the last operation in the parent block")
    for index, successor in enumerate(op._successors):
        if successor.parent is not parent.parent:
            raise error(op, f"reference to block defined in another region (successor #{index})")


def verify_terminator(op: Operation) -> None:
    """The last operation of a block is a terminator, where the region needs one."""
    from xdsl.traits import IsTerminator, NoTerminator

    region = op.parent.parent if op.parent is not None else None
    if region is None or region.parent is None:
        return
    if op.has_trait(IsTerminator):
        return
    holder = region.parent
    single = region.first_block is region.last_block
    if not (single and holder.has_trait(NoTerminator)):
        raise error(op, f"block with no terminator, has {_one_line(op)}")


def region_ends(holder: Operation, region: Any) -> None:
    """Each block has operations, unless the region's holder needs no terminator."""
    from xdsl.traits import NoTerminator

    for block in region.blocks:
        if block.last_op is None:
            single = region.first_block is region.last_block
            if not (single and holder.has_trait(NoTerminator)):
                raise error(holder, "empty block: expect at least a terminator")


def _one_line(op: Operation) -> str:
    from io import StringIO

    from xdsl.printer import Printer

    text = StringIO()
    Printer(stream=text, print_generic_format=True).print_op(op)
    return text.getvalue()


# --- compiling the checks of a class ---------------------------------------------------------


def compile_checks(cls: type[OdsOperation]) -> tuple[Check, ...]:
    """The checks of one class, in MLIR's order: structure, attributes, types, traits, hook."""
    from xgpu.ods.registry import hooks
    from xgpu.ods.trait_checks import early_trait_checks, trait_checks

    spec = cls.spec
    checks: list[Check] = []
    checks.extend(_counts(spec))
    checks.extend(early_trait_checks(spec))
    if attributes := [a for a in spec.attrs if _is_checked(a)]:
        checks.append(_attribute_check(attributes))
    checks.extend(_types(cls))
    checks.extend(trait_checks(spec))
    infer = hooks(spec.name.partition(".")[0], "infer", "INFER").get(spec.name)
    if infer is not None:
        checks.append(_inference_check(infer))
    hook = hooks(spec.name.partition(".")[0], "verify", "VERIFY").get(spec.name)
    if hook is not None:
        checks.append(hook)
    return tuple(checks)


def _inference_check(infer: Callable[..., Sequence[Any]]) -> Check:
    """The result types are those that follow from the operands. MLIR's InferTypeOpInterface."""

    def check(op: Any) -> None:
        inferred = list(infer(op._operands, op.properties, op.regions, op.attributes))
        given = [result.type for result in op.results]
        if inferred != given:
            raise op_error(
                op,
                f"inferred type(s) {_quoted(inferred)} are incompatible with return type(s) of "
                f"operation {_quoted(given)}",
            )

    return check


def _quoted(types: Sequence[Any]) -> str:
    return ", ".join(f"'{type}'" for type in types)


_REGION_CHECKS: dict[type, tuple[Check, ...]] = {}


def own_region_checks(cls: type[Operation]) -> tuple[Check, ...]:
    """Of `region_checks` those that no walk over the operations makes anyway: the terminators
    that a definition asks for, and the dialect's own."""
    found = _OWN_REGION_CHECKS.get(cls)
    if found is None:
        from xgpu.ods.registry import hooks, op_spec
        from xgpu.ods.trait_checks import implicit_terminator_checks

        spec = op_spec(cls.name)
        checks = [] if spec is None else list(implicit_terminator_checks(spec))
        hook = hooks(cls.name.partition(".")[0], "verify", "VERIFY_REGIONS").get(cls.name)
        if hook is not None:
            checks.append(hook)
        found = _OWN_REGION_CHECKS[cls] = tuple(checks)
    return found


_OWN_REGION_CHECKS: dict[type[Operation], tuple[Check, ...]] = {}


def region_checks(cls: type[OdsOperation]) -> tuple[Check, ...]:
    """The checks that follow those of the nested operations."""
    found = _REGION_CHECKS.get(cls)
    if found is None:
        from xgpu.ods.registry import hooks
        from xgpu.ods.trait_checks import late_trait_checks

        spec = cls.spec
        checks = list(late_trait_checks(spec))
        hook = hooks(spec.name.partition(".")[0], "verify", "VERIFY_REGIONS").get(spec.name)
        if hook is not None:
            checks.append(hook)
        found = _REGION_CHECKS[cls] = tuple(checks)
    return found


def _least(fields: Sequence[Field]) -> tuple[int, bool]:
    """How many there are at least, and whether there may be more."""
    least = sum(1 for field in fields if field.quantity == ONE)
    return least, least != len(fields)


def _counts(spec: OpSpec) -> list[Check]:
    """Counts of operands, results, regions and successors."""
    checks: list[Check] = []
    exact: list[tuple[int, Check]] = []
    for what, fields, get in (
        ("region", spec.regions, lambda op: op.regions),
        ("result", spec.results, lambda op: op.results),
        ("successor", spec.successors, lambda op: op._successors),
        ("operand", spec.operands, lambda op: op._operands),
    ):
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

    def check(op: Any) -> None:
        if (
            len(op._operands) != operands
            or len(op.results) != results
            or len(op.regions) != regions
            or len(op._successors) != successors
        ):
            for one in checks:
                one(op)

    return check


def _count_check(what: str, least: int, open_ended: bool, get: Callable[[Any], Any]) -> Check:
    plural = what if least == 1 else what + "s"

    def check(op: Any) -> None:
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

    return check


def _segment_check(kind: str, fields: Sequence[Field]) -> Check:
    name = f"{kind}SegmentSizes"
    count = len(fields)

    def check(op: Any) -> None:
        sizes = op.properties.get(name)
        total = len(op._operands) if kind == "operand" else len(op.results)
        values = () if sizes is None else sizes.get_values()
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


# --- attributes ------------------------------------------------------------------------------


def _is_checked(attr: AttrField) -> bool:
    required = not attr.optional and attr.default is None
    return required or not _takes_anything(attr.constraint)


def _takes_anything(constraint: Any) -> bool:
    return constraint.name in ("AnyAttr", "AnyType", "AnyRegion", "AnySuccessor", "Any")


def _attribute_check(attrs: Sequence[AttrField]) -> Check:
    rows = [
        (
            attr.name,
            not attr.optional and attr.default is None,
            None if _takes_anything(attr.constraint) else attr.constraint,
        )
        for attr in attrs
    ]

    def check(op: Any) -> None:
        properties = op.properties
        for name, required, constraint in rows:
            value = properties.get(name)
            if value is None:
                if required:
                    raise op_error(op, f"requires attribute '{name}'")
            elif constraint is not None and not constraint.check(value):
                raise op_error(
                    op,
                    f"attribute '{name}' failed to satisfy constraint: {constraint.summary}",
                )

    return check


# --- types -----------------------------------------------------------------------------------


def _types(cls: type[OdsOperation]) -> list[Check]:
    checks: list[Check] = []
    for kind, fields in (("operand", cls.spec.operands), ("result", cls.spec.results)):
        if all(_takes_anything(f.constraint) and f.quantity != OPTIONAL for f in fields):
            continue
        segmented = cls.segmented_operands if kind == "operand" else cls.segmented_results
        if all(field.quantity == ONE for field in fields) and not segmented:
            checks.append(_one_each_check(kind, fields))
        else:
            checks.append(_group_check(kind, fields))
    for index, field in enumerate(cls.spec.regions):
        if not _takes_anything(field.constraint):
            checks.append(_region_check(index, field))
    return checks


def _one_each_check(kind: str, fields: Sequence[Field]) -> Check:
    rows = [
        (index, field.constraint)
        for index, field in enumerate(fields)
        if not _takes_anything(field.constraint)
    ]
    is_operand = kind == "operand"
    # The type that satisfied each row last: types recur, and the same object is known good.
    good: list[Any] = [None] * len(fields)

    def check(op: Any) -> None:
        values = op._operands if is_operand else op.results
        for index, constraint in rows:
            type = values[index]._type
            if type is good[index]:
                continue
            if not constraint.check(type):
                raise _wrong_type(op, kind, index, constraint.summary, type)
            good[index] = type

    return check


def _group_check(kind: str, fields: Sequence[Field]) -> Check:
    rows = [(index, field, field.constraint) for index, field in enumerate(fields)]
    is_operand = kind == "operand"
    uneven = sum(1 for f in fields if f.quantity != ONE) > 1

    def check(op: Any) -> None:
        from xgpu.ods.operation import group_bounds

        values = op._operands if is_operand else op.results
        bounds = group_bounds(op, fields, kind)
        if uneven and bounds[-1] != len(values):
            raise op_error(
                op, f"{kind}s of variable number do not divide evenly: {len(values)} {kind}s"
            )
        for index, field, constraint in rows:
            start, stop = bounds[index], bounds[index + 1]
            if field.quantity == OPTIONAL and stop - start > 1:
                raise op_error(
                    op,
                    f"{kind} group starting at #{start} requires 0 or 1 element, "
                    f"but found {stop - start}",
                )
            for place in range(start, stop):
                if not constraint.check(values[place].type):
                    summary = constraint.summary
                    if field.quantity not in (ONE, OPTIONAL) and not summary.startswith(
                        "variadic of "
                    ):
                        summary = "variadic of " + summary
                    raise _wrong_type(op, kind, place, summary, values[place].type)

    return check


def _wrong_type(op: Any, kind: str, index: int, summary: str, type: Any) -> Exception:
    return op_error(op, f"{kind} #{index} must be {summary}, but got '{type}'")


def _region_check(index: int, field: Field) -> Check:
    def check(op: Any) -> None:
        regions = (
            op.regions[index:] if field.quantity == VARIADIC else op.regions[index : index + 1]
        )
        for offset, region in enumerate(regions):
            if not field.constraint.check(region):
                named = f" ('{field.name}')" if field.name else ""
                raise op_error(
                    op,
                    f"region #{index + offset}{named} failed to verify constraint: "
                    f"{field.constraint.summary}",
                )

    return check
