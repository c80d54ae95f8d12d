# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Printers of formats: a list of steps, each a function of the printer and the operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType
from xdsl.ir import Attribute, Operation, Region, SSAValue

from xgpu.core.ir.construction import item_of, operands_of, successors_of, value_type
from xgpu.core.ods.defaults import default_attribute
from xgpu.core.ods.operation import OdsOperation
from xgpu.core.ods.spec import ONE, AttrField, Field
from xgpu.core.ods.traits import trait_table
from xgpu.core.syntax.formats.attr_syntax import attribute_writer, write_stripped
from xgpu.core.syntax.formats.directives import group_getter, write_custom
from xgpu.core.syntax.formats.fields import (
    ATTRIBUTE,
    OPERAND,
    REGION,
    UNITS,
    Fields,
    attributes_in,
    stripped_type,
    uses_directive,
    walk,
)
from xgpu.core.syntax.formats.format_parser import (
    AnyOrder,
    Directive,
    Element,
    FormatError,
    Group,
    Literal,
    Space,
    Spacing,
    Variable,
)

if TYPE_CHECKING:
    from xdsl.printer import Printer

Step = Callable[..., None]
Test = Callable[..., bool]


def compile_writer(
    cls: type[OdsOperation], elements: list[Element]
) -> Callable[[Printer, Operation], None]:
    """The printer of an operation's syntax, after its name."""
    compiler = _Compiler(cls, elements)
    steps = _joined(compiler.sequence(elements))

    def write(printer: Printer, op: Operation) -> None:
        print_string = printer.print_string
        for step in steps:
            if step.__class__ is str:
                print_string(step)  # pyright: ignore[reportArgumentType]
            else:
                step(printer, op)  # pyright: ignore[reportCallIssue]

    return write


def _joined(steps: Sequence[Step | str]) -> list[Step | str]:
    """The steps, with texts that follow each other as one."""
    found: list[Step | str] = []
    for step in steps:
        if isinstance(step, str):
            if not step:
                continue
            if found and isinstance(found[-1], str):
                found[-1] += step
                continue
        found.append(step)
    return found


def _merged(steps: Sequence[Step | str]) -> list[Step]:
    """The steps, with texts that follow each other printed at once."""
    return [_text_step(s) if isinstance(s, str) else s for s in _joined(steps)]


def _text_step(text: str) -> Step:
    return lambda printer, op: printer.print_string(text)


class _Compiler:
    def __init__(self, cls: type[OdsOperation], elements: list[Element]) -> None:
        self.cls = cls
        self.spec = cls.spec
        self.fields = Fields(cls.spec)
        self.spacing = Spacing()
        self.used = attributes_in(elements, self.fields)
        self.all_operands = uses_directive(elements, "operands") and any(
            isinstance(e, Directive) and e.name == "operands" for e in elements
        )
        self.properties_apart = uses_directive(elements, "prop-dict")
        self.implicit = "SingleBlockImplicitTerminator" in trait_table(cls.spec)

    def sequence(self, elements: Sequence[Element]) -> list[Step | str]:
        found: list[Step | str] = []
        for element in elements:
            found.extend(self.element(element))
        return found

    def element(self, element: Element) -> list[Step | str]:
        if isinstance(element, Literal):
            return [self.spacing.literal(element.text)]
        if isinstance(element, Space):
            return [self.spacing.space(element.text)]
        if isinstance(element, Group):
            return [self.group(element)]
        if isinstance(element, AnyOrder):
            return [self.any_order(element)]
        if isinstance(element, Directive) and element.name in _DICTIONARIES:
            self.spacing.dictionary()
            return [self.dictionary(element.name)]
        space = self.spacing.value()
        if isinstance(element, Variable):
            return [space, self.variable(element.name, qualified=False)]
        if isinstance(element, Directive):
            return [space, self.directive(element)]
        raise FormatError(f"{self.spec.name}: a string outside of a directive")

    # --- groups ------------------------------------------------------------------------------
    def group(self, group: Group) -> Step:
        anchor = group.anchor
        test = self.present(anchor)
        then, otherwise = list(group.then), list(group.otherwise)
        if self.is_unit(anchor):
            if then and then[0] is not anchor and anchor in then:
                then.remove(anchor)
            if otherwise and otherwise[0] is not anchor and anchor in otherwise:
                otherwise.remove(anchor)
        first, second = _merged(self.sequence(then)), _merged(self.sequence(otherwise))
        inverted = group.inverted

        def write(printer: Printer, op: Operation) -> None:
            for step in first if test(op) != inverted else second:
                step(printer, op)

        return write

    def is_unit(self, element: Element) -> bool:
        if not isinstance(element, Variable):
            return False
        kind, _, field = self.fields.find(element.name)
        return kind == ATTRIBUTE and field.constraint.kind in UNITS

    def present(self, element: Element) -> Test:
        """Whether what anchors a group is there."""
        if isinstance(element, Directive):
            if element.name == "functional-type":
                return self.present(element.arguments[0])
            if element.name == "operands":
                return lambda op: bool(operands_of(op))
            if element.name == "results":
                return lambda op: bool(op.results)
            tests = [self.present(a) for a in element.arguments if not _is_text(a)]
            return lambda op: any(test(op) for test in tests)
        if not isinstance(element, Variable):
            raise FormatError(f"{self.spec.name}: this cannot anchor a group")
        kind, index, field = self.fields.find(element.name)
        if kind == ATTRIBUTE:
            return self.attribute_present(field)
        group = group_getter(self.fields, kind, index)
        if kind == REGION and field.quantity == ONE:
            return lambda op: bool(group(op)) and group(op)[0].first_block is not None
        return lambda op: bool(group(op))

    def attribute_present(self, field: AttrField) -> Test:
        """An attribute that has its default value counts as absent."""
        name = field.name
        if field.default is None:
            return lambda op: op.properties.get(name) is not None
        default = default_attribute(field)
        return lambda op: (value := op.properties.get(name)) is not None and value != default

    def any_order(self, element: AnyOrder) -> Step:
        # MLIR prints a blank as a literal here, which needs none before it.
        self.spacing.pending, self.spacing.after_punctuation = True, True
        clauses: list[tuple[Test, list[Step]]] = []
        start = self.spacing.literal(" ")
        for clause in element.clauses:
            visible: list[Element] = [e for e in clause if not isinstance(e, Space)]
            rest = visible[1:]
            tests = [
                self.present(e)
                for e in walk(rest)
                if isinstance(e, Variable) and self.can_be_absent(e)
            ]
            only_flag = len(rest) == 1 and self.is_unit(rest[0])
            shown = clause[: clause.index(visible[0]) + 1] if only_flag else clause
            steps = _merged(self.sequence(shown))
            clauses.append((_any_of(tests), steps))
        del start

        def write(printer: Printer, op: Operation) -> None:
            for test, steps in clauses:
                if test(op):
                    for step in steps:
                        step(printer, op)

        return write

    def can_be_absent(self, element: Variable) -> bool:
        kind, _, field = self.fields.find(element.name)
        if kind == ATTRIBUTE:
            return field.optional or field.default is not None
        return True

    # --- values ------------------------------------------------------------------------------
    def variable(self, name: str, qualified: bool) -> Step:
        kind, index, field = self.fields.find(name)
        if kind == ATTRIBUTE:
            write = attribute_writer(field, qualified)
            attr = field.name

            def write_attribute(printer: Printer, op: Operation) -> None:
                value = op.properties.get(attr)
                if value is not None:
                    write(printer, value)

            return write_attribute
        group = group_getter(self.fields, kind, index)
        if kind == OPERAND:
            return self.operand(index, field, group)
        if kind == REGION:
            return lambda printer, op: self.write_regions(printer, group(op))
        return lambda printer, op: printer.print_list(group(op), printer.print_block_name)

    def operand(
        self, index: int, field: Field, group: Callable[[Operation], Sequence[SSAValue]]
    ) -> Step:
        if all(f.quantity == ONE for f in self.spec.operands):
            return lambda printer, op: printer.print_operand(item_of(operands_of(op), index))
        if field.quantity == "variadic2":
            return _nested_operands(field, group)
        return lambda printer, op: write_values(printer, group(op))

    def write_regions(self, printer: Printer, regions: Sequence[Region]) -> None:
        for index, region in enumerate(regions):
            if index:
                printer.print_string(", ")
            write_region(printer, region, self.implicit)

    def directive(self, element: Directive) -> Step:
        name = element.name
        if element.custom is not None:
            return write_custom(self.fields, element)
        if name == "qualified":
            inner = element.arguments[0]
            if isinstance(inner, Variable):
                return self.variable(inner.name, qualified=True)
            return self.type(inner.arguments[0], qualified=True)  # pyright: ignore
        if name == "type":
            return self.type(element.arguments[0], qualified=False)
        if name == "functional-type":
            inputs, outputs = map(self.types_getter, element.arguments)
            return lambda printer, op: printer.print_function_type(inputs(op), outputs(op))
        if name == "operands":
            return lambda printer, op: write_values(printer, operands_of(op))
        if name == "successors":
            return lambda printer, op: printer.print_list(
                successors_of(op), printer.print_block_name
            )
        if name == "regions":
            return lambda printer, op: self.write_regions(printer, op.regions)
        raise FormatError(f"{self.spec.name}: unknown directive {name!r}")

    def types_getter(self, element: Element) -> Callable[[Operation], Sequence[Attribute]]:
        if isinstance(element, Directive) and element.name == "operands":
            return lambda op: [value.type for value in operands_of(op)]
        if isinstance(element, Directive) and element.name == "results":
            return lambda op: [value.type for value in op.results]
        kind, index, _ = self.fields.of(element)
        group = group_getter(self.fields, kind, index)
        return lambda op: [value.type for value in group(op)]

    def type(self, element: Element, qualified: bool) -> Step:
        types = self.types_getter(element)
        if isinstance(element, Variable):
            kind, index, field = self.fields.find(element.name)
            if not qualified and stripped_type(field):
                return lambda printer, op: write_stripped(printer, types(op)[0])
            fields = self.spec.operands if kind == OPERAND else self.spec.results
            if all(f.quantity == ONE for f in fields):
                if kind == OPERAND:
                    return lambda printer, op: printer.print_attribute(
                        value_type(item_of(operands_of(op), index))
                    )
                return lambda printer, op: printer.print_attribute(
                    value_type(item_of(op.results, index))
                )
        return lambda printer, op: printer.print_list(types(op), printer.print_attribute)

    # --- dictionaries ------------------------------------------------------------------------
    def dictionary(self, name: str) -> Step:
        """Attributes that the format does not spell, unless they have their default value."""
        if name == "prop-dict":
            return self.property_dictionary()
        keyword = name == "attr-dict-with-keyword"
        if self.properties_apart:
            return lambda printer, op: _print_dictionary(printer, op.attributes, keyword)
        left_out = self.left_out()
        defaults = self.defaults(left_out)

        def write(printer: Printer, op: Operation) -> None:
            properties = op.properties
            if not properties:
                if op.attributes:
                    _print_dictionary(printer, op.attributes, keyword)
                return
            shown = {
                key: value
                for key, value in properties.items()
                if key not in left_out and defaults.get(key) != value
            }
            if op.attributes:
                shown.update(op.attributes)
            if shown:
                _print_dictionary(printer, shown, keyword)

        return write

    def left_out(self) -> set[str]:
        left_out = set(self.used)
        if not self.all_operands:
            left_out.add("operandSegmentSizes")
        left_out.add("resultSegmentSizes")
        left_out.update(f.sizes for f in self.spec.operands if f.sizes)
        return left_out

    def defaults(self, left_out: set[str]) -> dict[str, object]:
        return {
            attr.name: default_attribute(attr)
            for attr in self.spec.attrs
            if attr.default is not None and attr.name not in left_out
        }

    def property_dictionary(self) -> Step:
        left_out = self.left_out()
        defaults = self.defaults(left_out)

        def write(printer: Printer, op: Operation) -> None:
            shown = {
                key: value
                for key, value in sorted(op.properties.items())
                if key not in left_out and defaults.get(key) != value
            }
            if shown:
                printer.print_string(" <")
                printer.print_attr_dict(shown)
                printer.print_string(">")

        return write


_DICTIONARIES = frozenset(("attr-dict", "attr-dict-with-keyword", "prop-dict"))


def _is_text(element: Element) -> bool:
    return not isinstance(element, Variable | Directive)


def _any_of(tests: Sequence[Test]) -> Test:
    return lambda op: any(test(op) for test in tests)


def _print_dictionary(printer: Printer, attributes: dict[str, Attribute], keyword: bool) -> None:
    """MLIR's dictionaries are sorted by name."""
    if len(attributes) > 1:
        attributes = dict(sorted(attributes.items()))
    printer.print_op_attributes(attributes, print_keyword=keyword)


def write_values(printer: Printer, values: Sequence[SSAValue]) -> None:
    """Values separated by commas."""
    for index, value in enumerate(values):
        if index:
            printer.print_string(", ")
        printer.print_ssa_value(value)


def _nested_operands(field: Field, group: Callable[[Operation], Sequence[SSAValue]]) -> Step:
    """`(%a, %b), (%c)`: the sizes are in an attribute."""

    def write(printer: Printer, op: Operation) -> None:
        values = group(op)
        sizes = cast(
            "DenseArrayBase[IntegerType] | None", op.properties.get(cast("str", field.sizes))
        )
        start = 0
        for index, size in enumerate(() if sizes is None else sizes.get_values()):
            printer.print_string(", (" if index else "(")
            write_values(printer, values[start : start + size])
            printer.print_string(")")
            start += size

    return write


def write_region(printer: Printer, region: Region, implicit: bool) -> None:
    """A region; a terminator that says nothing is left out where the text implies it."""
    show = True
    if implicit and region.first_block is not None:
        last = region.first_block.last_op
        if last is not None:
            show = bool(last.attributes or last.properties or operands_of(last) or last.results)
    printer.print_region(region, print_empty_block=False, print_block_terminators=show)
