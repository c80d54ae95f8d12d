# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parsers of formats: a list of steps, each a function of the parser and the state so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, Block, Operation, Region

from xgpu.core.ods.operation import OdsOperation
from xgpu.core.ods.region_traits import ensure_terminator
from xgpu.core.ods.spec import ONE, OPTIONAL, AttrField
from xgpu.core.ods.traits import trait_table
from xgpu.core.syntax.formats.attr_syntax import attribute_parser
from xgpu.core.syntax.formats.directives import functions_of, slot_maker
from xgpu.core.syntax.formats.fast_path import plain_form, with_plain_form
from xgpu.core.syntax.formats.fields import (
    ATTRIBUTE,
    OPERAND,
    REGION,
    SUCCESSOR,
    UNITS,
    Fields,
    ReadState,
)
from xgpu.core.syntax.formats.format_parser import (
    AnyOrder,
    Directive,
    Element,
    FormatError,
    Group,
    Literal,
    Space,
    Variable,
)
from xgpu.core.syntax.formats.parser_finish import compile_finish
from xgpu.core.syntax.formats.reading import (
    PLAIN,
    Step,
    parse_functional_type,
    read_all_types,
    read_dictionary,
    read_literal,
    read_operand,
    read_properties,
    read_regions,
    read_successor,
    read_types,
    type_parser,
)

if TYPE_CHECKING:
    from xdsl.parser import Parser

    from xgpu.core.syntax.parser_base import ParserBase


def compile_parser(
    cls: type[OdsOperation], elements: list[Element]
) -> Callable[[Parser], Operation]:
    """The parser of an operation's syntax, after its name."""
    compiler = ParserCompiler(cls)
    steps = compiler.steps(elements)
    finish = compile_finish(cls, compiler.fields, elements)
    spec = cls.spec

    def read(parser: Parser) -> Operation:
        state = ReadState(spec, parser.pos)
        for step in steps:
            step(parser, state)
        return finish(parser, state)

    parts = plain_form(spec, compiler.fields, elements)
    return read if parts is None else with_plain_form(cls, parts, read)


class ParserCompiler:
    """Makes the steps of one operation's parser."""

    def __init__(self, cls: type[OdsOperation]) -> None:
        self.cls = cls
        self.spec = cls.spec
        self.fields = Fields(cls.spec)
        table = trait_table(cls.spec)
        implicit = table.get("SingleBlockImplicitTerminator")
        self.terminator = implicit[0][0] if implicit else None
        self.single_block = implicit is not None or "SingleBlock" in table

    def steps(self, elements: Sequence[Element]) -> list[Step]:
        return [s for e in elements if (s := self.step(e, first=False)) is not None]

    def step(self, element: Element, first: bool) -> Step | None:
        """The step of an element; as `first` of a group it says whether the group is there."""
        if isinstance(element, Space):
            return None
        if isinstance(element, Literal):
            return read_literal(element.text, first)
        if isinstance(element, Variable):
            return self.variable(element.name, first, qualified=False)
        if isinstance(element, Group):
            return self.group(element)
        if isinstance(element, AnyOrder):
            return self.any_order(element)
        if isinstance(element, Directive):
            return self.directive(element, first)
        raise FormatError(f"{self.spec.name}: a string outside of a directive")

    # --- groups ------------------------------------------------------------------------------
    def group(self, group: Group) -> Step:
        then, otherwise = list(group.then), list(group.otherwise)
        anchor = group.anchor
        flag = self.unit_name(anchor)
        if flag is not None:
            # A unit attribute that anchors a group is said by the group's presence.
            branch = otherwise if group.inverted else then
            printable = [e for e in branch if not isinstance(e, Space)]
            if printable and printable[0] is not anchor:
                branch.remove(anchor)
            else:
                flag = None
        set_flag = _flag_setter(flag)
        visible = [e for e in then if not isinstance(e, Space)]
        if not visible:
            raise FormatError(f"{self.spec.name}: an optional group has nothing to read")
        opens = self.step(visible[0], first=True)
        if opens is None:
            raise FormatError(f"{self.spec.name}: an optional group cannot begin like this")
        rest, other = self.steps(visible[1:]), self.steps(otherwise)
        in_then = flag is not None and not group.inverted
        in_other = flag is not None and group.inverted

        def read(parser: ParserBase, state: ReadState) -> None:
            if opens(parser, state) is False:
                if in_other:
                    set_flag(state)
                for step in other:
                    step(parser, state)
                return
            if in_then:
                set_flag(state)
            for step in rest:
                step(parser, state)

        return read

    def unit_name(self, element: Element) -> str | None:
        if isinstance(element, Variable):
            kind, _, field = self.fields.find(element.name)
            if kind == ATTRIBUTE and field.constraint.kind in UNITS:
                return element.name
        return None

    def any_order(self, element: AnyOrder) -> Step:
        clauses: list[tuple[str, Step, list[Step], Callable[[ReadState], None] | None]] = []
        for clause in element.clauses:
            visible = [e for e in clause if not isinstance(e, Space)]
            head = visible[0]
            if not isinstance(head, Literal):
                raise FormatError(f"{self.spec.name}: a clause of oilist begins with a word")
            rest = visible[1:]
            flag = self.unit_name(rest[0]) if len(rest) == 1 else None
            steps = [] if flag is not None else self.steps(rest)
            setter = None if flag is None else _flag_setter(flag)
            opens = read_literal(head.text, first=True)
            clauses.append((head.text, opens, steps, setter))

        def read(parser: ParserBase, state: ReadState) -> None:
            seen: set[str] = set()
            found = True
            while found:
                found = False
                for name, opens, steps, setter in clauses:
                    position = parser.pos
                    if opens(parser, state) is False:
                        continue
                    if name in seen:
                        parser.raise_error(
                            f"`{name}` clause can appear at most once in the expansion of the "
                            "oilist directive",
                            position,
                        )
                    seen.add(name)
                    if setter is not None:
                        setter(state)
                    for step in steps:
                        step(parser, state)
                    found = True

        return read

    # --- variables ---------------------------------------------------------------------------
    def variable(self, name: str, first: bool, qualified: bool) -> Step:
        kind, index, field = self.fields.find(name)
        if kind == ATTRIBUTE:
            return self.attribute(field, first, qualified)
        if kind == OPERAND:
            return read_operand(index, field.quantity, first)
        if kind == REGION:
            return self.region(index, field.quantity, first)
        if kind == SUCCESSOR:
            return read_successor(index, field.quantity, first)
        raise FormatError(f"{self.spec.name}: result ${name} cannot be read")

    def attribute(self, field: AttrField, first: bool, qualified: bool) -> Step:
        name = field.name
        # Only the first element of a group may be absent: it is what the group is known by.
        read = attribute_parser(field, first, qualified)

        def step(parser: ParserBase, state: ReadState) -> bool:
            value = read(parser)
            if value is None:
                return False
            state.properties[name] = value
            return True

        if field.constraint.kind in UNITS:

            def read_unit(parser: Parser, state: ReadState) -> bool:
                if parser.parse_optional_keyword("unit") is None:
                    if first:
                        return False
                    parser.raise_error("expected 'unit'")
                state.properties[name] = UnitAttr()
                return True

            return read_unit
        return step

    def region(self, index: int, quantity: str, first: bool) -> Step:
        complete = self.complete_region
        if quantity not in (ONE, OPTIONAL):

            def read_several(parser: Parser, state: ReadState) -> bool:
                regions = read_regions(parser)
                for region in regions:
                    complete(parser, region)
                state.regions[index] = regions
                return bool(regions)

            return read_several

        def step(parser: Parser, state: ReadState) -> bool:
            if first or quantity == OPTIONAL:
                region = parser.parse_optional_region()
                if region is None:
                    return False
            else:
                region = parser.parse_region()
            complete(parser, region)
            state.regions[index] = [region]
            return True

        return step

    def complete_region(self, parser: Parser, region: Region) -> None:
        """Adds what the text may leave out: the block, and the implicit terminator."""
        if self.single_block and region.first_block is None:
            region.add_block(Block())
        if self.terminator is None:
            return
        ensure_terminator(region, self.terminator)

    # --- directives --------------------------------------------------------------------------
    def directive(self, element: Directive, first: bool) -> Step:
        name = element.name
        if element.custom is not None:
            return read_custom(self, element)
        if name == "qualified":
            inner = element.arguments[0]
            if isinstance(inner, Variable):
                return self.variable(inner.name, first, qualified=True)
            return self.type(inner.arguments[0], first, qualified=True)  # pyright: ignore
        if name == "type":
            return self.type(element.arguments[0], first, qualified=False)
        if name in ("attr-dict", "attr-dict-with-keyword"):
            return read_dictionary(self.spec, name != "attr-dict")
        if name == "prop-dict":
            return read_properties(self.spec)
        plain = PLAIN.get(name)
        if plain is not None:
            return plain
        if name == "functional-type":
            return self.functional_type(*element.arguments)
        if name == "regions":
            return self.all_regions
        raise FormatError(f"{self.spec.name}: unknown directive {name!r}")

    def all_regions(self, parser: Parser, state: ReadState) -> None:
        state.all_regions = read_regions(parser)
        for region in state.all_regions:
            self.complete_region(parser, region)

    def type(self, element: Element, first: bool, qualified: bool) -> Step:
        if isinstance(element, Directive):
            return read_all_types(element.name)
        kind, index, field = self.fields.of(element)
        quantity = field.quantity
        is_operand = kind == OPERAND
        read = type_parser(field, qualified)

        def step(parser: Parser, state: ReadState) -> bool:
            if quantity == ONE and not first:
                types: list[Attribute] = [read(parser)]
            elif quantity in (ONE, OPTIONAL):
                type = parser.parse_optional_type()
                if type is None:
                    return False
                types = [type]
            else:
                types = read_types(parser)
            (state.operand_types if is_operand else state.result_types)[index] = types
            return bool(types)

        return step

    def functional_type(self, inputs: Element, results: Element) -> Step:
        set_inputs, set_results = self.type_setter(inputs), self.type_setter(results)

        def step(parser: Parser, state: ReadState) -> None:
            type = parse_functional_type(parser)
            set_inputs(state, list(type.inputs.data))
            set_results(state, list(type.outputs.data))

        return step

    def type_setter(self, element: Element) -> Callable[[ReadState, list[Attribute]], None]:
        if isinstance(element, Directive):
            if element.name == "operands":
                return lambda state, types: setattr(state, "all_operand_types", types)
            return lambda state, types: setattr(state, "all_result_types", types)
        kind, index, _ = self.fields.of(element)
        if kind == OPERAND:
            return lambda state, types: state.operand_types.__setitem__(index, types)
        return lambda state, types: state.result_types.__setitem__(index, types)


def _flag_setter(name: str | None) -> Callable[[ReadState], None]:
    def set_flag(state: ReadState) -> None:
        if name is not None:
            state.properties[name] = UnitAttr()

    return set_flag


def read_custom(
    compiler: ParserCompiler, element: Directive
) -> Callable[[Attribute, ReadState], object]:
    """The step that calls the directive's parse function."""
    parse = functions_of(compiler.spec.name, element)[0]
    makers = [slot_maker(compiler.fields, argument) for argument in element.arguments]

    def step(parser: object, state: ReadState) -> bool | None:
        return parse(parser, state, *[make(state) for make in makers])

    return step
