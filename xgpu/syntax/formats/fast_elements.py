# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code that reads the elements of a format. A part of the writer of fast readers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xgpu.ods.spec import ONE, OPTIONAL, VARIADIC
from xgpu.syntax.formats.attr_syntax import attribute_reader
from xgpu.syntax.formats.code_writer import CodeWriter, UnsupportedError
from xgpu.syntax.formats.fields import stripped_type
from xgpu.syntax.formats.format_parser import (
    AnyOrder,
    Directive,
    Element,
    Group,
    Literal,
    Space,
    Variable,
    is_keyword,
)
from xgpu.syntax.formats.reader_state import ATTRIBUTE, OPERAND, RESULT, SUCCESSOR, UNITS
from xgpu.syntax.formats.reading import one_class

#: Words that the lexer joins with the brackets that follow.
_JOINED = frozenset(("memref", "vector", "tensor", "complex", "tuple"))
_PUNCTUATION = frozenset(("->", "...", *":,=>{([<-+?})]"))


class ElementWriter(CodeWriter):
    """Reads elements from the tokens to variables."""

    def sequence(self, elements: Sequence[Element]) -> None:
        for element in elements:
            self.element(element)

    def element(self, element: Element) -> None:
        if isinstance(element, Space):
            return
        if isinstance(element, Literal):
            self.literal(element.text)
        elif isinstance(element, Variable):
            self.variable(element.name, False)
        elif isinstance(element, Group):
            self.group(element)
        elif isinstance(element, AnyOrder):
            words = frozenset(_head(clause) for clause in element.clauses)
            if words & _JOINED:
                raise UnsupportedError
            self.bail(f"texts[{self.here()}] in {self.constant(words)}")
        elif isinstance(element, Directive):
            self.directive(element)
        else:
            raise UnsupportedError

    def literal(self, text: str) -> None:
        if not is_keyword(text) and text not in _PUNCTUATION:
            raise UnsupportedError
        self.bail(f"texts[{self.here()}] != {text!r}")
        self.k += 1
        self.terminated = True

    def variable(self, name: str, qualified: bool) -> None:
        kind, index, field = self.fields.find(name)
        if kind == OPERAND:
            self.operand(index, field)
        elif kind == ATTRIBUTE:
            if field.constraint.kind in UNITS:
                raise UnsupportedError
            self.attribute(field, False, qualified)
            self.bail("a is None")
        elif kind == SUCCESSOR and field.quantity == ONE:
            target = f"s{index}"
            if self.in_group:
                self.optional.append(target)
            self.add(f"p._at = {self.here()}")
            self.add(f"{target} = p.parse_optional_successor()")
            self.bail(f"{target} is None")
            self.k += 1
            self.terminated = True
        else:
            raise UnsupportedError

    def attribute(self, field: Any, optional: bool, qualified: bool) -> None:
        """Reads an attribute to `a` and, if it is there, into the properties."""
        read = self.constant(attribute_reader(field, optional, qualified))
        self.has_attributes = True
        self.add(f"p._at = {self.here()}")
        self.add("p._op_name = cls.name")
        self.add(f"a = {read}(p)")
        self.add("p._op_name = outer")
        self.add("if a is not None:")
        self.add(f"    properties[{field.name!r}] = a")
        self.add("i = p._at")
        self.k = 0
        self.terminated = True

    def operand(self, index: int, field: Any) -> None:
        self.terminated = False
        self.read_operands.add(index)
        if field.quantity == ONE:
            if self.in_group:
                raise UnsupportedError
            self.add(f"o{index} = values.get(texts[{self.here()}])")
            self.bail(f"o{index}.__class__ not in plain")
            self.k += 1
            return
        if field.quantity not in (OPTIONAL, VARIADIC):
            raise UnsupportedError
        self.rebase()
        self.add(f"o{index} = []")
        if self.in_group:
            self.optional.append(f"o{index}")
        self.values(f"o{index}", field.quantity == VARIADIC)

    def values(self, target: str, several: bool) -> None:
        """Names of values, separated by commas, if there are any."""
        self.add("if texts[i][:1] == '%':")
        if several:
            self.add("    while True:")
            self.indent += 1
        self.add("    o = values.get(texts[i])")
        self.add("    if o.__class__ not in plain:")
        self.add("        return None")
        self.add(f"    {target}.append(o)")
        self.add("    i += 1")
        if several:
            self.add("    if texts[i] != ',':")
            self.add("        break")
            self.add("    i += 1")
            self.indent -= 1

    # --- groups ------------------------------------------------------------------------------
    def group(self, group: Group) -> None:
        then, otherwise, anchor = list(group.then), list(group.otherwise), group.anchor
        flag = None
        if isinstance(anchor, Variable):
            kind, _, field = self.fields.find(anchor.name)
            if kind == ATTRIBUTE and field.constraint.kind in UNITS:
                branch = otherwise if group.inverted else then
                printable = [e for e in branch if not isinstance(e, Space)]
                if not printable or printable[0] is anchor:
                    raise UnsupportedError
                branch.remove(anchor)
                flag = anchor.name
        visible = [e for e in then if not isinstance(e, Space)]
        if not visible:
            raise UnsupportedError
        outer, self.in_group = self.in_group, True
        self.rebase()
        self.opening(visible[0])
        terminated = self.terminated
        self.branch(visible[1:], flag if not group.inverted else None)
        self.add("else:")
        inner, self.terminated = self.terminated, terminated
        self.branch(otherwise, flag if group.inverted else None)
        self.terminated = self.terminated and inner
        self.in_group = outer

    def opening(self, element: Element) -> None:
        """The line that opens the branch for a group that is there."""
        if isinstance(element, Literal):
            text = element.text
            if text in _JOINED or (not is_keyword(text) and text not in _PUNCTUATION):
                raise UnsupportedError
            self.add(f"if texts[i] == {text!r}:")
            self.add("    i += 1")
            return
        if not isinstance(element, Variable):
            raise UnsupportedError
        kind, index, field = self.fields.find(element.name)
        if kind == OPERAND and field.quantity != ONE:
            self.operand(index, field)
            self.add(f"if o{index}:")
        elif kind == ATTRIBUTE and field.constraint.kind not in UNITS:
            self.attribute(field, True, False)
            self.add("if a is not None:")
        else:
            raise UnsupportedError

    def branch(self, elements: Sequence[Element], flag: str | None) -> None:
        from xdsl.dialects.builtin import UnitAttr

        self.indent += 1
        if flag is not None:
            self.has_properties = True
            self.add(f"properties[{flag!r}] = {self.constant(UnitAttr())}")
        else:
            self.add("pass")
        self.sequence(elements)
        self.rebase()
        self.indent -= 1

    # --- directives --------------------------------------------------------------------------
    def directive(self, element: Directive) -> None:
        name = element.name
        if element.custom is not None:
            raise UnsupportedError
        if name == "attr-dict":
            self.bail(f"texts[{self.here()}] == '{{'")
        elif name == "attr-dict-with-keyword":
            self.bail(f"texts[{self.here()}] == 'attributes'")
        elif name == "prop-dict":
            self.bail(f"texts[{self.here()}] == '<'")
        elif name == "qualified":
            inner = element.arguments[0]
            if isinstance(inner, Variable):
                self.variable(inner.name, True)
            else:
                self.type(inner.arguments[0], True)  # pyright: ignore
        elif name == "type":
            self.type(element.arguments[0], False)
        elif name == "functional-type":
            self.add(f"p._at = {self.here()}")
            self.bail(f"texts[{self.here()}] != '('")
            self.add("t = p.parse_function_type()")
            self.add("i = p._at")
            self.k = 0
            self.add(f"{self.type_target(element.arguments[0], True)} = t.inputs.data")
            self.add(f"{self.type_target(element.arguments[1], True)} = t.outputs.data")
        elif name == "operands":
            if self.in_group:
                raise UnsupportedError
            self.all_operands = True
            self.rebase()
            self.add("o_all = []")
            self.values("o_all", True)
            self.terminated = False
        else:
            raise UnsupportedError

    def type_target(self, element: Element, several: bool) -> str:
        """The variable for the types of something; `several` says that a sequence goes there."""
        if isinstance(element, Directive):
            if element.name == "operands":
                self.all_types = True
                name = "t_all"
            elif element.name == "results":
                self.all_results = True
                name = "r_all"
            else:
                raise UnsupportedError
        else:
            kind, index, field = self.fields.of(element)
            if kind not in (OPERAND, RESULT):
                raise UnsupportedError
            name = f"{'t' if kind == OPERAND else 'r'}{index}"
            if field.quantity == ONE and several:
                name += "s"
                self.read_types.add(name)
        if self.in_group:
            self.optional.append(name)
        self.read_types.add(name)
        return name

    def type(self, element: Element, qualified: bool) -> None:
        quantity = VARIADIC
        if not isinstance(element, Directive):
            _, _, field = self.fields.of(element)
            quantity = field.quantity
            if one_class(field.constraint.name) is not None:
                raise UnsupportedError
            if not qualified and stripped_type(field):
                raise UnsupportedError
        self.terminated = True
        target = self.type_target(element, False)
        if quantity in (ONE, OPTIONAL):
            self.add(f"{target} = types.get(texts[{self.here()}])")
            self.bail(f"{target} is None")
            if quantity == OPTIONAL:
                self.add(f"{target} = [{target}]")
            self.k += 1
            return
        if quantity != VARIADIC:
            raise UnsupportedError
        self.rebase()
        self.add(f"{target} = []")
        self.add("while True:")
        self.add("    t = types.get(texts[i])")
        self.add("    if t is None:")
        self.add("        return None")
        self.add(f"    {target}.append(t)")
        self.add("    i += 1")
        self.add("    if texts[i] != ',':")
        self.add("        break")
        self.add("    i += 1")


def _head(clause: Sequence[Element]) -> str:
    first = next(e for e in clause if not isinstance(e, Space))
    if not isinstance(first, Literal):
        raise UnsupportedError
    return first.text
