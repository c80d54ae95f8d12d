# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Formats of attributes and types with parameters: `<` struct($a, $b) `>` and the like.

These are read and written seldom, so the format's tree is walked, not compiled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from xdsl.ir import Attribute

from xgpu.core.ir.construction import current_token
from xgpu.core.ods.attributes import reading
from xgpu.core.ods.registry import hooks
from xgpu.core.ods.spec import AttrSpec, Parameter
from xgpu.core.syntax.formats.attr_parameters import (
    default_parameter,
    is_absent,
    read_parameter,
    write_parameter,
)
from xgpu.core.syntax.formats.format_parser import (
    Directive,
    Element,
    FormatError,
    Group,
    Literal,
    Space,
    Spacing,
    Text,
    Variable,
    is_keyword,
    parse_format,
)

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer

    from xgpu.core.ods.attributes import StructAttr
    from xgpu.core.syntax.formats.attr_parameters import ParameterValue

__all__ = ["default_parameter", "read_parameters", "write_parameters"]

_TREES: dict[str, list[Element]] = {}


def _tree(spec: AttrSpec) -> list[Element]:
    tree = _TREES.get(spec.format or "")
    if tree is None:
        tree = _TREES[spec.format or ""] = parse_format(spec.format or "")
    return tree


def read_parameters(
    spec: AttrSpec, parser: AttrParser
) -> tuple[Attribute | int | str | tuple[Attribute | int | str, ...] | None, ...]:
    """The parameters as the format has them."""
    if spec.custom_format:
        parser.raise_error(f"the syntax of {spec.name} is not supported")
    reader = _Parser(spec, parser)
    for element in _tree(spec):
        reader.element(element)
    values: list[ParameterValue] = []
    omissible = cast(
        "Mapping[tuple[str, str], ParameterValue]", hooks(reader.dialect, "attributes", "OMISSIBLE")
    )
    for parameter in spec.parameters:
        if parameter.name in reader.values:
            values.append(reader.values[parameter.name])
        elif parameter.optional or parameter.default is not None:
            values.append(default_parameter(parameter))
        elif (spec.name, parameter.name) in omissible:
            values.append(omissible[spec.name, parameter.name])
        else:
            parser.raise_error(f"struct is missing required parameter: {parameter.name}")
    return tuple(values)


class _Slot:
    """A parameter as an argument of a custom directive."""

    def __init__(self, values: dict[str, ParameterValue], name: str) -> None:
        self._values, self._name = values, name

    def get(self) -> object:
        return self._values.get(self._name)

    def set(self, value: ParameterValue) -> None:
        self._values[self._name] = value


class _Parser:
    def __init__(self, spec: AttrSpec, parser: AttrParser) -> None:
        self.spec = spec
        self.parser = parser
        self.dialect = spec.name.partition(".")[0]
        self.values: dict[str, ParameterValue] = {}
        self.parameters = {p.name: p for p in spec.parameters}

    def element(self, element: Element, first: bool = False) -> bool:
        """Reads an element; as the `first` of a group False if it is not there."""
        if isinstance(element, Literal):
            return self.literal(element.text, first)
        if isinstance(element, Space):
            return True
        if isinstance(element, Variable):
            return self.variable(self.parameters[element.name], first)
        if isinstance(element, Group):
            return self.group(element)
        if isinstance(element, Directive):
            return self.directive(element, first)
        raise FormatError(f"{self.spec.name}: {self.spec.format!r}")

    def literal(self, text: str, first: bool) -> bool:
        parser = self.parser
        if is_keyword(text):
            if first:
                return parser.parse_optional_keyword(text) is not None
            if parser.parse_optional_keyword(text) is None:
                parser.parse_characters(text)
        elif first:
            return parser.parse_optional_punctuation(text) is not None  # pyright: ignore
        else:
            parser.parse_punctuation(text)  # pyright: ignore
        return True

    def variable(self, parameter: Parameter, first: bool) -> bool:
        optional = first or parameter.optional or parameter.default is not None
        value = self.read(parameter, optional)
        if value is None and optional:
            return False
        self.values[parameter.name] = value
        return True

    def group(self, group: Group) -> bool:
        visible = [e for e in group.then if not isinstance(e, Space)]
        if self.element(visible[0], first=True):
            for element in visible[1:]:
                self.element(element)
        else:
            for element in group.otherwise:
                self.element(element)
        return True

    def directive(self, element: Directive, first: bool) -> bool:
        if element.custom is not None:
            return self.custom(element)
        if element.name == "params":
            return self.listed(self.spec.parameters, first)
        if element.name == "struct":
            return self.struct(_struct_parameters(self.spec, element), first)
        if element.name in ("qualified", "ref"):
            inner = element.arguments[0]
            if isinstance(inner, Variable):
                return self.variable(self.parameters[inner.name], first)
        raise FormatError(f"{self.spec.name}: unknown directive {element.name!r}")

    def listed(self, parameters: tuple[Parameter, ...], first: bool) -> bool:
        for index, parameter in enumerate(parameters):
            if index and self.parser.parse_optional_punctuation(",") is None:
                break
            if not self.variable(parameter, first=first and index == 0) and index == 0:
                return False
        return True

    def struct(self, parameters: list[Parameter], first: bool) -> bool:
        """`name = value`s in any order; without a comma after the last if all must be there."""
        parser = self.parser
        by_name = {p.name: p for p in parameters}
        if all(not p.optional and p.default is None for p in parameters):
            for index in range(len(parameters)):
                if index:
                    parser.parse_punctuation(",")
                self.struct_member(by_name)
            return True
        if current_token(parser).text in (">", "]", ")"):
            return False
        self.struct_member(by_name)
        while parser.parse_optional_punctuation(",") is not None:
            self.struct_member(by_name)
        return True

    def struct_member(self, missing: dict[str, Parameter]) -> None:
        """One `name = value`."""
        parser = self.parser
        name = parser.parse_optional_identifier()
        if name is None:
            parser.raise_error("expected valid keyword")
        parser.parse_punctuation("=")
        if name not in missing:
            parser.raise_error(f"duplicate or unknown struct parameter name: {name}")
        self.values[name] = self.read(missing.pop(name), False)

    def read(self, parameter: Parameter, optional: bool) -> ParameterValue:
        with reading(self.spec, parameter, self.parser):
            return read_parameter(parameter, self.dialect, self.parser, optional)

    def custom(self, element: Directive) -> bool:
        found = hooks(self.dialect, "syntax", "DIRECTIVES").get(element.custom or "")
        if found is None:
            self.parser.raise_error(
                f"{self.spec.name}: directive custom<{element.custom}> is not supported"
            )
        arguments = [self.slot(argument) for argument in element.arguments]
        return found[0](self.parser, self, *arguments) is not False

    def slot(self, element: Element) -> object:
        if isinstance(element, Text):
            return element.text
        while isinstance(element, Directive):
            element = element.arguments[0]
        return _Slot(self.values, element.name)  # pyright: ignore


def _struct_parameters(spec: AttrSpec, element: Directive) -> list[Parameter]:
    """`struct(params)` or `struct($a, $b)`."""
    by_name = {p.name: p for p in spec.parameters}
    found: list[Parameter] = []
    for argument in element.arguments:
        if isinstance(argument, Directive) and argument.name == "params":
            found.extend(spec.parameters)
            continue
        while isinstance(argument, Directive):
            argument = argument.arguments[0]
        found.append(by_name[argument.name])  # pyright: ignore
    return found


# --- writing ---------------------------------------------------------------------------------


def write_parameters(spec: AttrSpec, printer: Printer, attr: Attribute) -> None:
    """Writes what follows the attribute's name."""
    _Writer(spec, printer, cast("StructAttr", attr)).elements(_tree(spec))


class _Writer:
    def __init__(self, spec: AttrSpec, printer: Printer, attr: StructAttr) -> None:
        self.spec = spec
        self.printer = printer
        self.dialect = spec.name.partition(".")[0]
        self.attr = attr
        self.spacing = Spacing()
        self.values = dict(zip((p.name for p in spec.parameters), attr.data, strict=True))
        self.parameters = {p.name: p for p in spec.parameters}

    def elements(self, elements: list[Element]) -> None:
        for element in elements:
            self.element(element)

    def element(self, element: Element) -> None:
        spacing, out = self.spacing, self.printer.print_string
        if isinstance(element, Literal):
            out(spacing.literal(element.text))
        elif isinstance(element, Space):
            out(spacing.space(element.text))
        elif isinstance(element, Variable):
            self.variable(element.name)
        elif isinstance(element, Group):
            present = self.present(element.anchor) != element.inverted
            self.elements(element.then if present else element.otherwise)
        elif isinstance(element, Directive):
            self.directive(element)

    def variable(self, name: str, qualified: bool = False) -> None:
        value = self.values[name]
        parameter = self.parameters[name]
        if is_absent(parameter, value) and parameter.optional:
            return
        self.printer.print_string(self.spacing.value())
        write_parameter(parameter, self.printer, value, qualified, self.dialect)

    def present(self, element: Element) -> bool:
        if isinstance(element, Variable):
            return not is_absent(self.parameters[element.name], self.values[element.name])
        if isinstance(element, Directive):
            if element.name == "params":
                return any(not is_absent(p, self.values[p.name]) for p in self.spec.parameters)
            return any(
                self.present(argument)
                for argument in element.arguments
                if not (isinstance(argument, Directive) and argument.name == "ref")
            )
        return False

    def directive(self, element: Directive) -> None:
        if element.custom is not None:
            self.custom(element)
        elif element.name == "params":
            self.listed(list(self.spec.parameters), named=False)
        elif element.name == "struct":
            self.listed(_struct_parameters(self.spec, element), named=True)
        elif element.name == "qualified" and isinstance(element.arguments[0], Variable):
            self.variable(element.arguments[0].name, qualified=True)

    def listed(self, parameters: list[Parameter], named: bool) -> None:
        out = self.printer.print_string
        shown = [p for p in parameters if not is_absent(p, self.values[p.name])]
        if shown:
            out(self.spacing.value())
        for index, parameter in enumerate(shown):
            out(", " if index else "")
            if named:
                out(parameter.name + " = ")
            write_parameter(
                parameter, self.printer, self.values[parameter.name], False, self.dialect
            )

    def custom(self, element: Directive) -> None:
        dialect = self.spec.name.partition(".")[0]
        found = hooks(dialect, "syntax", "DIRECTIVES").get(element.custom or "")
        if found is None:
            raise NotImplementedError(f"{self.spec.name}: custom<{element.custom}>")
        self.printer.print_string(self.spacing.value())
        values: list[str | tuple[int | str, ...]] = []
        for argument in element.arguments:
            if isinstance(argument, Text):
                values.append(argument.text)
                continue
            while isinstance(argument, Directive):
                argument = argument.arguments[0]
            values.append(self.values[argument.name])  # pyright: ignore
        found[1](self.printer, self.attr, *values)
