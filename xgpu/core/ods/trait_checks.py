# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checks of traits, in MLIR's words. Tables: trait name to a maker of its check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    MemRefType,
    NoneType,
    StringAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.construction import operands_of, value_type
from xgpu.core.ir.errors import Diagnostic, DiagnosticError, error, op_error, shown
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.region_flow import successor_ranges
from xgpu.core.ods.count_checks import of_types
from xgpu.core.ods.predicates import Mismatch, Repetition, compile_op_predicate, find_transform
from xgpu.core.ods.region_traits import (
    check_isolated,
    check_symbol_table,
    function_symbol_checks,
    symbol_checks,
)
from xgpu.core.ods.registry import op_spec
from xgpu.core.ods.spec import ONE, OpSpec
from xgpu.core.ods.traits import trait_table

# -- MLIR's BranchOpInterface: what branches pass to their successors


def check_successors(op: Operation) -> None:
    """What a branch passes to its successors are their arguments."""
    for index, (block, (start, end)) in enumerate(
        zip(op.successors, successor_ranges(op) or (), strict=False)
    ):
        if end - start != len(block.args):
            raise error(
                op,
                f"branch has {end - start} operands for successor #{index}, but target block has "
                f"{len(block.args)}",
            )
        for place, argument in enumerate(block.args):
            if op.operands[start + place].type != argument.type:
                raise error(op, f"type mismatch for bb argument #{place} of successor #{index}")


# -- MLIR's DestinationStyleOpInterface: operations that write their results over operands


class _Grouped(Protocol):
    """What an operation of ours says of its operands."""

    def operand_group(self, index: int) -> Sequence[SSAValue]: ...


TRAIT = "DestinationStyleOpInterface"
#: What definitions call the operands that are written over.
_NAMES = frozenset({"base", "dest", "init", "inits", "output", "outputs"})


def destinations(op: Operation) -> range:
    """The places of the operands that the results of `op` are written over."""
    spec = op_spec(op.name)
    if spec is None or TRAIT not in traits_of(op.name) or op.name == "vector.transfer_read":
        return range(0)
    start = 0
    for place, field in enumerate(spec.operands):
        size = len(cast("_Grouped", op).operand_group(place))
        if field.name in _NAMES:
            return range(start, start + size)
        start += size
    return range(0)


def check_destinations(op: Operation) -> None:
    """A tensor that is written over gives a result of its type, a buffer none."""
    if op.name == "bufferization.materialize_in_destination":
        return  # which says it in words of its own
    kinds = [(place, op.operands[place].type) for place in destinations(op)]
    tensors = [(n, kind) for n, kind in kinds if isinstance(kind, TensorType | UnrankedTensorType)]
    if not kinds:
        return
    results = [r.type for r in op.results if isinstance(r.type, TensorType | UnrankedTensorType)]
    if len(results) != len(tensors):
        raise op_error(
            op,
            f"expected the number of tensor results ({len(results)}) to be equal to the number "
            f"of output tensors ({len(tensors)})",
        )
    for (place, kind), result in zip(tensors, results, strict=True):
        if kind != result:
            raise op_error(
                op,
                f"expected type of operand #{place} ('{shown(kind)}') to match type of "
                f"corresponding result ('{shown(result)}')",
            )


# -- questions about types, for traits and type inference


#: Types with a shape, ranked or not.
SHAPED = (VectorType, MemRefType, TensorType, UnrankedMemRefType, UnrankedTensorType)
RANKED = (VectorType, MemRefType, TensorType)


def element_type_or_self(type: Attribute) -> Attribute:
    """MLIR's `getElementTypeOrSelf`."""
    return type.element_type if isinstance(type, SHAPED) else type


def shape_of(type: Attribute) -> tuple[int, ...] | None:
    """The shape of a ranked type, or None."""
    return type.get_shape() if isinstance(type, RANKED) else None


def scalable_dims(type: Attribute) -> tuple[bool, ...]:
    """Which dimensions of a vector are scalable."""
    if not isinstance(type, VectorType):
        return ()
    return tuple(bool(dim.value.data) for dim in type.scalable_dims.data)


def compatible_shapes(types: Sequence[Attribute]) -> bool:
    """MLIR's `verifyCompatibleShapes`: all scalars, or all shaped and equal where both are static.

    Unranked types are compatible with any shaped type.
    """
    shaped = [isinstance(type, SHAPED) for type in types]
    if not any(shaped):
        return True
    if not all(shaped):
        return False
    shapes = [shape for shape in map(shape_of, types) if shape is not None]
    if not shapes:
        return True
    scalable = {scalable_dims(type) for type in types if isinstance(type, VectorType)}
    if len(scalable) > 1:
        return False
    rank = len(shapes[0])
    if any(len(shape) != rank for shape in shapes):
        return False
    return all(
        len({dim for dim in dims if dim != DYNAMIC_INDEX}) <= 1
        for dims in zip(*shapes, strict=True)
    )


def attribute_type(attr: Attribute) -> Attribute | None:
    """The type of a typed attribute (integers, floats, elements, strings), or None."""
    if isinstance(attr, StringAttr):
        return NoneType()
    get = getattr(attr, "get_type", None)
    if get is not None:
        return get()
    return getattr(attr, "type", None)


Check = Callable[["Operation"], None]
Maker = Callable[[OpSpec, Sequence[tuple[str, ...]]], Sequence[Check]]


def early_trait_checks(spec: OpSpec) -> list[Check]:
    """Structural traits, which MLIR verifies before attributes and types."""
    return [*_checks(spec, _PARENTS), *_checks(spec, _EARLY)]


def predicate_checks(spec: OpSpec) -> list[Check]:
    """Predicates over types and operands, which MLIR verifies before regions and other traits."""
    return _checks(spec, _PREDICATES)


def trait_checks(spec: OpSpec) -> list[Check]:
    """The other traits."""
    return _checks(spec, _TRAITS)


def late_trait_checks(spec: OpSpec) -> list[Check]:
    """Traits that concern regions, after the nested operations."""
    return _checks(spec, _LATE)


def implicit_terminator_checks(spec: OpSpec) -> list[Check]:
    """That regions end as SingleBlockImplicitTerminator says."""
    return _checks(spec, {"SingleBlockImplicitTerminator": _implicit_terminator})


def _checks(spec: OpSpec, makers: dict[str, Maker]) -> list[Check]:
    found: list[Check] = []
    for name, uses in trait_table(spec).items():
        maker = makers.get(name)
        if maker is not None:
            found.extend(maker(spec, uses))
    return found


def _plain(check: Check) -> Maker:
    return lambda spec, uses: (check,)


def _types(op: Operation) -> list[Attribute]:
    return [value_type(value) for value in (*operands_of(op), *op.results)]


# --- structure -------------------------------------------------------------------------------


def _terminator(op: Operation) -> None:
    if op.parent is not None and op.parent.last_op is not op:
        raise op_error(op, "must be the last operation in the parent block")


def _no_region_arguments(op: Operation) -> None:
    for index, region in enumerate(op.regions):
        block = region.first_block
        if block is not None and block.args:
            which = "region" if len(op.regions) == 1 else f"region #{index}"
            raise op_error(op, f"{which} should have no arguments")


def _single_block(spec: OpSpec, uses: Sequence[tuple[str, ...]]) -> Sequence[Check]:
    needs_terminator = "NoTerminator" not in spec.traits

    def check(op: Operation) -> None:
        for index, region in enumerate(op.regions):
            block = region.first_block
            if block is None:
                continue
            if region.last_block is not block:
                raise op_error(op, f"expects region #{index} to have 0 or 1 blocks")
            if needs_terminator and block.last_op is None:
                raise op_error(op, "expects a non-empty block")

    return (check,)


def _implicit_terminator(spec: OpSpec, uses: Sequence[tuple[str, ...]]) -> Sequence[Check]:
    name = uses[0][0]

    def check(op: Operation) -> None:
        for region in op.regions:
            block = region.first_block
            if block is None or block.last_op is None or block.last_op.name == name:
                continue
            raise op_error(
                op,
                f"expects regions to end with '{name}', found '{block.last_op.name}'",
                [
                    (
                        op.location,
                        f"in custom textual format, the absence of terminator implies '{name}'",
                    )
                ],
            )

    return (check,)


def _parent(spec: OpSpec, uses: Sequence[tuple[str, ...]]) -> Sequence[Check]:
    names = tuple(name for use in uses for name in use)
    if len(names) == 1:
        words = f"expects parent op '{names[0]}'"
    else:
        words = f"expects parent op to be one of '{', '.join(names)}'"

    def check(op: Operation) -> None:
        parent = op.parent_op()
        if op.parent is not None and (parent is None or parent.name not in names):
            raise op_error(op, words)

    return (check,)


def _structured_predicate(op: Operation) -> None:
    parent = op.parent_op()
    if parent is None or parent.name != "transform.match.structured":
        raise op_error(op, "expects parent op to be 'transform.match.structured'")


# --- types -----------------------------------------------------------------------------------


@of_types
def _same_operands_and_result_type(op: Operation) -> None:
    if not operands_of(op):
        raise op_error(op, "expected 1 or more operands, but found 0")
    first = value_type(op.results[0]) if op.results else value_type(operands_of(op)[0])
    for value in operands_of(op):
        if value_type(value) is not first and value_type(value) != first:
            break
    else:
        if len(op.results) <= 1:
            return
    types = _types(op)
    element = element_type_or_self(first)
    if any(element_type_or_self(t) != element for t in types) or not compatible_shapes(types):
        raise op_error(op, "requires the same type for all operands and results")


@of_types
def _same_type_operands(op: Operation) -> None:
    operands = operands_of(op)
    if any(value.type != operands[0].type for value in operands):
        raise op_error(op, "requires all operands to have the same type")


@of_types
def _same_operands_element_type(op: Operation) -> None:
    if len({element_type_or_self(value.type) for value in operands_of(op)}) > 1:
        raise op_error(op, "requires the same element type for all operands")


@of_types
def _same_element_type(op: Operation) -> None:
    if len({element_type_or_self(type) for type in _types(op)}) > 1:
        raise op_error(op, "requires the same element type for all operands and results")


@of_types
def _same_operands_shape(op: Operation) -> None:
    if not compatible_shapes([value.type for value in operands_of(op)]):
        raise op_error(op, "requires the same shape for all operands")


@of_types
def _same_shape(op: Operation) -> None:
    if not compatible_shapes(_types(op)):
        raise op_error(op, "requires the same shape for all operands and results")


#: Types that most values have and that are nothing to map over.
_SCALARS = frozenset((Float32Type, Float64Type, IndexType, IntegerType))
_MAPPABLE = (VectorType, TensorType, UnrankedTensorType)


@of_types
def _elementwise(op: Operation) -> None:
    for value in (*op.results, *operands_of(op)):
        if value_type(value).__class__ not in _SCALARS:
            break
    else:
        return
    results = [v.type for v in op.results if isinstance(v.type, _MAPPABLE)]
    operands = [v.type for v in operands_of(op) if isinstance(v.type, _MAPPABLE)]
    if not results and not operands:
        return
    if not operands:
        raise op_error(
            op, "if a result is non-scalar, then at least one operand must be non-scalar"
        )
    if not results:
        raise op_error(
            op, "if an operand is non-scalar, then there must be at least one non-scalar result"
        )
    if len(results) != len(op.results):
        raise op_error(op, "if an operand is non-scalar, then all results must be non-scalar")
    types = operands + results
    if len({type(t) for t in types}) > 1 or not compatible_shapes(types):
        raise op_error(op, "all non-scalar operands/results must have the same shape and base type")


def _place(spec: OpSpec, name: str) -> Callable[[Operation], Sequence[Attribute]] | None:
    """How to get the types of the operand, result or typed attribute `name`."""
    from xgpu.core.ods.operation import group_slicer

    segments = {"operand": "AttrSizedOperandSegments", "result": "AttrSizedResultSegments"}
    for kind, fields in (("operand", spec.operands), ("result", spec.results)):
        for index, field in enumerate(fields):
            if field.name != name:
                continue

            if all(f.quantity == ONE for f in fields):
                if kind == "operand":
                    return lambda op, index=index: (value_type(operands_of(op)[index]),)
                return lambda op, index=index: (value_type(op.results[index]),)
            group = group_slicer(fields, index, kind, segments[kind] in spec.traits)
            return lambda op, group=group: [value_type(value) for value in group(op)]
    if any(attr.name == name for attr in spec.attrs):

        def attr_types(op: Operation) -> Sequence[Attribute]:
            value = op.properties.get(name)
            found = None if value is None else attribute_type(value)
            return () if found is None else (found,)

        return attr_types
    return None


def _are_of_types(spec: OpSpec, names: Sequence[str]) -> bool:
    """Whether types and numbers of operands and results tell what these names stand for."""
    if _SEGMENTED.intersection(spec.traits):
        return False
    attributes = {attr.name for attr in spec.attrs}
    return attributes.isdisjoint(names)


_SEGMENTED = frozenset({"AttrSizedOperandSegments", "AttrSizedResultSegments"})


def _all_match(words: str, key: Callable[[Attribute], object]) -> Maker:
    def make(spec: OpSpec, uses: Sequence[tuple[str, ...]]) -> Sequence[Check]:
        checks: list[Check] = []
        for names in uses:
            places = [place for place in (_place(spec, n) for n in names) if place is not None]

            def check(op: Operation, places: Any = places, names: tuple[str, ...] = names) -> None:
                keys = [key(t) for place in places for t in place(op)]
                if any(k != keys[0] for k in keys):
                    all_of = "{" + ", ".join(names) + "}"
                    raise op_error(op, f"failed to verify that all of {all_of} have same {words}")

            checks.append(of_types(check) if _are_of_types(spec, names) else check)
        return checks

    return make


def _types_match_with(spec: OpSpec, uses: Sequence[tuple[str, ...]]) -> Sequence[Check]:
    checks: list[Check] = []
    for summary, lhs, rhs, text, *_ in uses:
        transform = find_transform(text)
        source, target = _place(spec, lhs), _place(spec, rhs)
        if source is None or target is None:
            continue  # the dialect's own verifier has it

        check = _match_check(summary, transform, source, target)
        checks.append(of_types(check) if _are_of_types(spec, (lhs, rhs)) else check)
    return checks


def _match_check(
    summary: str,
    transform: Callable[[object], object],
    source: Callable[[Operation], Sequence[Attribute]],
    target: Callable[[Operation], Sequence[Attribute]],
) -> Check:
    """That the types of `target` are what `transform` makes of those of `source`."""
    # The pair that matched last: types recur, and the same objects are known good.
    good: list[object] = [None, None]

    def check(op: Operation) -> None:
        given, wanted = source(op), target(op)
        if not given:
            return
        one = len(given) == len(wanted) == 1
        if one and given[0] is good[0] and wanted[0] is good[1]:
            return
        expected: Any = transform(given[0] if len(given) == 1 else given)
        if isinstance(expected, Repetition):
            matches = expected.is_list_of(wanted)
        elif isinstance(expected, list | tuple):
            matches = [*wanted] == [*expected]
        else:
            matches = expected is not None and all(t == expected for t in wanted)
        if not matches:
            raise op_error(op, f"failed to verify that {summary}")
        if one:
            good[:] = given[0], wanted[0]

    return check


def _predicates(spec: OpSpec, uses: Sequence[tuple[str, ...]]) -> Sequence[Check]:
    def make(summary: str, expression: str) -> Check:
        holds = compile_op_predicate(expression)

        def check(op: Operation) -> None:
            words = f"failed to verify that {summary}"
            try:
                if not holds(op):
                    raise op_error(op, words)
            except Mismatch as reason:
                why = Diagnostic("error", str(reason), op.location)
                raise DiagnosticError(why, *op_error(op, words).diagnostics) from None

        return check

    return [make(*use) for use in uses]


def _same_variadic_size(kind: str) -> Maker:
    def make(spec: OpSpec, uses: Sequence[tuple[str, ...]]) -> Sequence[Check]:
        fields = spec.operands if kind == "operand" else spec.results
        variable = sum(1 for f in fields if f.quantity != ONE)
        fixed = len(fields) - variable

        def check(op: Operation) -> None:
            rest = len(operands_of(op) if kind == "operand" else op.results) - fixed
            if variable and (rest < 0 or rest % variable):
                raise op_error(op, f"incorrect number of {kind}s for its groups of equal size")

        return (check,)

    return make


def _count(type: Attribute) -> int:
    total = 1
    for dim in shape_of(type) or ():
        total *= dim
    return total


def _branch(spec: OpSpec, uses: Sequence[tuple[str, ...]]) -> Sequence[Check]:

    return (check_successors,)


def _destination_style(spec: OpSpec, uses: Sequence[tuple[str, ...]]) -> Sequence[Check]:

    return (check_destinations,)


#: MLIR's definitions list where an operation may be before that it ends its block.
_PARENTS: dict[str, Maker] = {"HasParent": _parent, "ParentOneOf": _parent}

_EARLY: dict[str, Maker] = {
    "Terminator": _plain(_terminator),
    "NoRegionArguments": _plain(_no_region_arguments),
    "SingleBlock": _single_block,
    "SingleBlockImplicitTerminator": _single_block,
    "StructuredPredicate": _plain(_structured_predicate),
    "SameVariadicOperandSize": _same_variadic_size("operand"),
    "SameVariadicResultSize": _same_variadic_size("result"),
}

_TRAITS: dict[str, Maker] = {
    "SameOperandsAndResultType": _plain(_same_operands_and_result_type),
    "SameTypeOperands": _plain(_same_type_operands),
    "SameOperandsElementType": _plain(_same_operands_element_type),
    "SameOperandsAndResultElementType": _plain(_same_element_type),
    "SameOperandsShape": _plain(_same_operands_shape),
    "SameOperandsAndResultShape": _plain(_same_shape),
    "Elementwise": _plain(_elementwise),
    "BranchOpInterface": _branch,
    "DestinationStyleOpInterface": _destination_style,
    "Symbol": symbol_checks,
    "FunctionOpInterface": function_symbol_checks,
}

_PREDICATES: dict[str, Maker] = {
    "AllTypesMatch": _all_match("type", lambda t: t),
    "AllElementTypesMatch": _all_match("element type", element_type_or_self),
    "AllShapesMatch": _all_match("shape", shape_of),
    "AllRanksMatch": _all_match("rank", lambda t: len(shape_of(t) or ())),
    "AllElementCountsMatch": _all_match("element count", _count),
    "TypesMatchWith": _types_match_with,
    "PredOpTrait": _predicates,
}

_LATE: dict[str, Maker] = {
    "SingleBlockImplicitTerminator": _implicit_terminator,
    "IsolatedFromAbove": _plain(check_isolated),
    "SymbolTable": _plain(check_symbol_table),
}
