# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The end of reading: operands get their types and values, results their types, the op is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn, cast

from xdsl.ir import Attribute, Operation, Region, SSAValue

from xgpu.core.ir.construction import build_operation
from xgpu.core.ir.errors import DiagnosticError, words_of
from xgpu.core.ods.operation import default_properties, segment_sizes
from xgpu.core.ods.registry import hooks
from xgpu.core.ods.spec import ONE, OPTIONAL, OpSpec
from xgpu.core.syntax.formats.fields import Fields, ReadState
from xgpu.core.syntax.formats.format_parser import Element
from xgpu.core.syntax.formats.inference import Source, WrongTypeError, type_sources
from xgpu.core.syntax.tokens import operation_start

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.syntax.parser_base import ParserBase


#: More results than this are a mistake, or an attack.
_MOST_RESULTS = 1 << 24


def _inferred(
    parser: ParserBase,
    infer: Callable[..., Sequence[Attribute]],
    operands: Sequence[SSAValue],
    state: ReadState,
    regions: Sequence[Region],
) -> Sequence[Attribute]:
    """The result types that follow from operands, which are not verified yet."""
    try:
        return infer(operands, state.properties, regions, state.attributes)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise parser.error_at(state.position, "failed to infer returned types") from None


def compile_finish(
    cls: type[OdsOperation], fields: Fields, elements: list[Element]
) -> Callable[..., Operation]:
    """The function that makes the operation of what was read."""
    spec = cls.spec
    sources = type_sources(fields, elements)
    operands_of = _compile_operands(spec, sources)
    result_types_of = _compile_result_types(cls, sources)
    nested = [
        (i, f"$sizes {i}", f.sizes)
        for i, f in enumerate(spec.operands)
        if f.quantity == "variadic2"
    ]

    def finish(parser: ParserBase, state: ReadState) -> Operation:
        for index, key, sizes_name in nested:
            # Not an attribute: what the groups of operands were found to be.
            sizes = cast("list[int] | None", state.properties.pop(key, None))
            if sizes_name is not None and sizes_name not in state.properties:
                given = state.operands[index]
                state.properties[sizes_name] = segment_sizes(
                    sizes if sizes is not None else [len(given)] if given else []
                )
        names = cls.property_names
        if not names.issuperset(state.properties):  # of a dictionary of properties
            state.properties = {k: v for k, v in state.properties.items() if k in names}
        if state.attributes and not names.isdisjoint(state.attributes):
            for name in [n for n in state.attributes if n in names]:
                state.properties.setdefault(name, state.attributes.pop(name))
        try:
            operands = operands_of(parser, state)
        except WrongTypeError as error:
            raise parser.raise_error(words_of(error), state.position) from None
        if cls.segmented_operands and state.all_operands is None:
            state.properties["operandSegmentSizes"] = segment_sizes(
                [len(group or ()) for group in state.operands]
            )
        regions = state.all_regions
        if regions is None:
            regions = _regions(state, spec) if state.regions else []
        successors = state.all_successors
        if successors is None:
            successors = (
                [s for group in state.successors for s in group or ()] if state.successors else ()
            )
        try:
            result_types = result_types_of(parser, state, operands, regions)
        except (DiagnosticError, WrongTypeError) as error:
            raise parser.raise_error(words_of(error), state.position) from None
        # As `cls.create`, which would look for inherent attributes once more.
        properties = state.properties
        defaults = cls._defaults
        if defaults is None:
            defaults = default_properties(cls)
        if defaults:
            properties = {**defaults, **properties}
        return build_operation(
            cls,
            tuple(operands),
            tuple(result_types),
            properties,
            state.attributes,
            None,
            successors,
            regions,
        )

    return finish


def _compile_operands(
    spec: OpSpec, sources: Mapping[str, Source]
) -> Callable[[ParserBase, ReadState], Sequence[SSAValue]]:
    """The function that gives the operands: what was read of each, with the type it has."""
    operand_sources = [sources.get(f"operand {i}") for i in range(len(spec.operands))]

    def operands_of(parser: ParserBase, state: ReadState) -> Sequence[SSAValue]:
        groups = state.operands
        if state.all_operand_types is not None:
            flat = state.all_operands
            if flat is None:
                flat = [operand for group in groups for operand in group or ()]
            return parser.resolve_operands(flat, state.all_operand_types, operation_start(parser))
        if state.all_operands is not None:
            _split(parser, state, spec)
        found: list[SSAValue] = []
        resolve = parser.resolve_operand
        for index, group in enumerate(groups):
            source = operand_sources[index]
            if not group:
                # No operand must not have a type either.
                if source is not None and (types := source(state, 0)):
                    parser.resolve_operands((), types, state.position)
                continue
            types = None if source is None else source(state, len(group))
            if types is None:
                _no_type(parser, spec.name, f"operand ${spec.operands[index].name}")
            if len(group) == 1 == len(types):
                found.append(resolve(group[0], types[0]))
            elif len(types) != len(group):
                found.extend(parser.resolve_operands(group, types, group[0].span.start))
            else:
                for operand, type in zip(group, types, strict=True):
                    found.append(resolve(operand, type))
        return found

    return operands_of


def _compile_result_types(
    cls: type[OdsOperation], sources: Mapping[str, Source]
) -> Callable[[ParserBase, ReadState, Sequence[SSAValue], Sequence[Region]], Sequence[Attribute]]:
    """The function that gives the results' types: as read, as known, or inferred."""
    spec = cls.spec
    result_sources = [sources.get(f"result {i}") for i in range(len(spec.results))]
    infer = hooks(spec.name.partition(".")[0], "verify", "INFER").get(spec.name)
    segmented = cls.segmented_results

    # The usual cases: no result, or one whose type something else gives.
    no_results = not result_sources and infer is None and not segmented
    only_result = None
    if len(result_sources) == 1 and spec.results[0].quantity == ONE and not segmented:
        only_result = result_sources[0]

    def result_types_of(
        parser: ParserBase,
        state: ReadState,
        operands: Sequence[SSAValue],
        regions: Sequence[Region],
    ) -> Sequence[Attribute]:
        if state.all_result_types is not None:
            return state.all_result_types
        if no_results:
            return ()
        if only_result is not None and (types := only_result(state, 1)) is not None:
            return types
        found: list[Attribute] = []
        sizes: list[int] = []
        for index, source in enumerate(result_sources):
            quantity = spec.results[index].quantity
            count = 1 if quantity == ONE else 0
            types = None if source is None else source(state, count)
            if types is None or (not types and quantity != ONE):
                # Of a variadic result a type that is always the same does not say how many.
                if infer is not None and not found:
                    return _inferred(parser, infer, operands, state, regions)
                if quantity != ONE and source is not None:
                    types = ()
                else:
                    name = spec.results[index].name or f"#{index}"
                    _no_type(parser, spec.name, f"result {name}")
            if len(types) > _MOST_RESULTS:
                parser.fail(f"has {len(types)} results, which are too many")
            found.extend(types)
            sizes.append(len(types))
        if segmented:
            state.properties["resultSegmentSizes"] = segment_sizes(sizes)
        return found

    return result_types_of


def _regions(state: ReadState, spec: OpSpec) -> list[Region]:
    """The regions that were read; in place of one that is absent an empty one, unless variadic."""
    regions: list[Region] = []
    for index, group in enumerate(state.regions):
        if group is not None:
            regions.extend(group)
        elif spec.regions[index].quantity in (ONE, OPTIONAL):
            regions.append(Region())
    return regions


def _split(parser: ParserBase, state: ReadState, spec: OpSpec) -> None:
    """Gives the operands of the directive `operands` to the operands of the definition."""
    flat = state.all_operands or []
    variable = [field.quantity not in (ONE,) for field in spec.operands]
    rest = len(flat) - (len(variable) - sum(variable))
    if sum(variable) > 1 or rest < 0 or (rest and not any(variable)):
        expected = len(variable) - sum(variable)
        parser.raise_error(
            f"'{spec.name}' op expected {expected} operands, but found {len(flat)}", state.position
        )
    start = 0
    for index, is_variable in enumerate(variable):
        count = rest if is_variable else 1
        state.operands[index] = flat[start : start + count]
        start += count


def _no_type(parser: ParserBase, name: str, what: str) -> NoReturn:
    raise parser.raise_error(f"'{name}': the type of {what} cannot be inferred")
