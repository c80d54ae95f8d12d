# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verification, in MLIR's order and words.

For one operation: counts, types and attributes as its definition has them, traits, then what the
dialect checks by hand. Then the operations inside, then what concerns regions. What an operation's
definition needs to have checked is compiled once a class to a list of functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute, ErasedSSAValue, Operation, Region
from xdsl.traits import IsTerminator, NoTerminator

from xgpu.core.ir.construction import item_of, operands_of, successors_of, value_type
from xgpu.core.ir.errors import error, op_error, shown
from xgpu.core.ir.op_info import op_info
from xgpu.core.ods.count_checks import count_checks, index_list_checks, of_types, once_for_types
from xgpu.core.ods.registry import hooks, op_spec
from xgpu.core.ods.spec import ONE, OPTIONAL, VARIADIC, AttrField, Field
from xgpu.core.ods.trait_checks import (
    early_trait_checks,
    implicit_terminator_checks,
    late_trait_checks,
    predicate_checks,
    trait_checks,
)

if TYPE_CHECKING:
    from xgpu.core.ods.constraints import Constraint
    from xgpu.core.ods.operation import OdsOperation

Check = Callable[[Any], None]


def verify_operation(op: OdsOperation, nested: bool = True) -> None:
    """Verifies `op`, and if `nested` what it contains. Raises DiagnosticError."""
    for operand in operands_of(op):
        if isinstance(operand, ErasedSSAValue):
            raise op_error(op, "uses a value that was erased")
    op.verify_()
    parent = op.parent
    if successors_of(op):
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
    for index, successor in enumerate(successors_of(op)):
        if successor.parent is not parent.parent:
            raise error(op, f"reference to block defined in another region (successor #{index})")


def verify_terminator(op: Operation) -> None:
    """The last operation of a block is a terminator, where the region needs one."""
    region = op.parent.parent if op.parent is not None else None
    if region is None or region.parent is None:
        return
    if op.has_trait(IsTerminator):
        return
    holder = region.parent
    single = region.first_block is region.last_block
    if not (single and holder.has_trait(NoTerminator)):
        raise error(op, f"block with no terminator, has {_one_line(op)}")


def region_ends(holder: Operation, region: Region) -> None:
    """Each block has operations, unless the region's holder needs no terminator."""
    for block in region.blocks:
        if block.last_op is None:
            single = region.first_block is region.last_block
            if not (single and holder.has_trait(NoTerminator)):
                raise error(holder, "empty block: expect at least a terminator")


def _one_line(op: Operation) -> str:
    from xdsl.printer import Printer

    text = StringIO()
    Printer(stream=text, print_generic_format=True).print_op(op)
    return text.getvalue()


# --- compiling the checks of a class ---------------------------------------------------------


def compile_checks(cls: type[OdsOperation]) -> tuple[Check, ...]:
    """The checks of one class, in MLIR's order: structure, attributes, types, predicates, regions,
    traits, hook."""
    spec = cls.spec
    checks = [*definition_checks(cls), *trait_checks(spec)]
    hook = op_info(spec.name).verify
    if hook is not None:
        checks.append(hook)
    infer = hooks(spec.name.partition(".")[0], "verify", "INFER").get(spec.name)
    if infer is not None:
        dialect = spec.name.partition(".")[0]
        compatible = hooks(dialect, "verify", "COMPATIBLE").get(spec.name, _never)
        checks.append(_inference_check(infer, compatible))
    if spec.format is not None and "IndexList>" in spec.format:
        checks.extend(index_list_checks(cls))
    return once_for_types(checks)


def definition_checks(cls: type[OdsOperation]) -> list[Check]:
    """Of the checks of one class those for which the operation alone is looked at."""
    spec = cls.spec
    checks = [*count_checks(spec), *early_trait_checks(spec)]
    if attributes := [a for a in spec.attrs if _is_checked(a)]:
        checks.append(_attribute_check(attributes))
    checks.extend(_types(cls))
    for index, field in enumerate(spec.operands):
        if field.sizes is not None:
            checks.append(_sizes_check(index, field.name, field.sizes))
    checks.extend(predicate_checks(spec))
    checks.extend(
        _region_check(index, field)
        for index, field in enumerate(spec.regions)
        if not _takes_anything(field.constraint)
    )
    return checks


def _sizes_check(index: int, name: str, sizes: str) -> Check:
    """Of a variadic of variadics the sizes say how many operands there are together."""

    def check(op: Any) -> None:
        given = op.properties.get(sizes)
        count = len(op.operand_group(index))
        parts = () if given is None else given.get_values()
        if sum(parts) != count:
            raise op_error(
                op,
                f"{name} count ({count}) does not match with the total size ({sum(parts)}) "
                f"specified in attribute '{sizes}'",
            )
        if any(part < 0 for part in parts):
            raise op_error(op, f"'{sizes}' attribute cannot have negative elements")

    return check


def _never(inferred: list[Attribute], given: list[Attribute]) -> bool:
    return False


def _inference_check(
    infer: Callable[..., Sequence[Attribute]],
    compatible: Callable[[list[Attribute], list[Attribute]], bool],
) -> Check:
    """The result types are those that follow from the operands, or compatible with them. MLIR's
    InferTypeOpInterface."""

    def check(op: Operation) -> None:
        inferred = list(infer(operands_of(op), op.properties, op.regions, op.attributes))
        given = [result.type for result in op.results]
        if inferred != given and not compatible(inferred, given):
            raise op_error(
                op,
                f"inferred type(s) {_quoted(inferred)} are incompatible with return type(s) of "
                f"operation {_quoted(given)}",
            )

    return check


def _quoted(types: Sequence[Attribute]) -> str:
    return ", ".join(f"'{shown(type)}'" for type in types)


_REGION_CHECKS: dict[type, tuple[Check, ...]] = {}


def own_region_checks(cls: type[Operation]) -> tuple[Check, ...]:
    """Of `region_checks` those that no walk over the operations makes anyway: the terminators
    that a definition asks for, and the dialect's own."""
    found = _OWN_REGION_CHECKS.get(cls)
    if found is None:
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
        spec = cls.spec
        checks = list(late_trait_checks(spec))
        hook = hooks(spec.name.partition(".")[0], "verify", "VERIFY_REGIONS").get(spec.name)
        if hook is not None:
            checks.append(hook)
        found = _REGION_CHECKS[cls] = tuple(checks)
    return found


# --- attributes ------------------------------------------------------------------------------


def _is_checked(attr: AttrField) -> bool:
    required = not attr.optional and attr.default is None
    return required or not _takes_anything(attr.constraint)


def _takes_anything(constraint: Constraint) -> bool:
    return constraint.name in ("AnyAttr", "AnyType", "AnyRegion", "AnySuccessor", "Any")


def _is_flag(attr: Any) -> bool:
    """Whether an attribute is there or not, and says no more: one that is not there says no."""
    return attr.constraint is not None and attr.constraint.summary == "unit attribute"


def _attribute_check(attrs: Sequence[AttrField]) -> Check:
    rows = [
        (
            attr.name,
            not attr.optional and attr.default is None and not _is_flag(attr),
            None if _takes_anything(attr.constraint) else attr.constraint,
        )
        for attr in attrs
    ]

    def check(op: Operation) -> None:
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
            checks.append(of_types(_one_each_check(kind, fields)))
        elif segmented:
            checks.append(_group_check(kind, fields, segmented))
        else:
            checks.append(of_types(_group_check(kind, fields, segmented)))
    return checks


def _one_each_check(kind: str, fields: Sequence[Field]) -> Check:
    rows = [
        (index, field.constraint)
        for index, field in enumerate(fields)
        if not _takes_anything(field.constraint)
    ]
    is_operand = kind == "operand"
    # The type that satisfied each row last: types recur, and the same object is known good.
    good: list[Attribute | None] = [None] * len(fields)

    def check(op: Any) -> None:
        values = operands_of(op) if is_operand else op.results
        for index, constraint in rows:
            type = value_type(item_of(values, index))
            if type is good[index]:
                continue
            if not constraint.check(type):
                raise _wrong_type(op, kind, index, constraint.summary, type)
            good[index] = type

    return check


def _group_check(kind: str, fields: Sequence[Field], segmented: bool) -> Check:
    from xgpu.core.ods.operation import group_bounds, group_slicer

    rows = [
        (index, group_slicer(fields, index, kind, segmented), field.quantity == OPTIONAL)
        for index, field in enumerate(fields)
    ]
    is_operand = kind == "operand"
    uneven = sum(1 for f in fields if f.quantity != ONE) > 1
    # As in _one_each_check.
    good: list[Attribute | None] = [None] * len(fields)

    def check(op: Any) -> None:
        if uneven:
            values = operands_of(op) if is_operand else op.results
            bounds = group_bounds(op, fields, kind)
            if bounds[-1] != len(values):
                raise op_error(
                    op, f"{kind}s of variable number do not divide evenly: {len(values)} {kind}s"
                )
        for index, group, optional in rows:
            values = group(op)
            if optional and len(values) > 1:
                raise op_error(
                    op,
                    f"{kind} group starting at #{start_of(op, index)} requires 0 or 1 element, "
                    f"but found {len(values)}",
                )
            for place, value in enumerate(values):
                type = value_type(value)
                if type is good[index]:
                    continue
                constraint = fields[index].constraint
                if constraint.check(type):
                    good[index] = type
                    continue
                summary = constraint.summary
                quantity = fields[index].quantity
                if quantity not in (ONE, OPTIONAL) and not summary.startswith("variadic of "):
                    summary = "variadic of " + summary
                raise _wrong_type(op, kind, start_of(op, index) + place, summary, type)

    def start_of(op: Any, index: int) -> int:
        return group_bounds(op, fields, kind)[index]

    return check


def _wrong_type(op: Operation, kind: str, index: int, summary: str, type: Attribute) -> Exception:
    return op_error(op, f"{kind} #{index} must be {summary}, but got '{shown(type)}'")


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
