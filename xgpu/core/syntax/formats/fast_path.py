# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading an operation whose text is as plain as most are: names of values that are defined above,
words of its format, and types that stood there before.

Which types operands and results of such a text have follows from the types that are spelled and
from how many operands there are. The steps of `parser` find them the first time; a parser keeps
them for the rest of its text. Whatever else a text has (attributes, optional parts, names that are
not defined yet, mistakes) is left to the steps, from its beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xgpu.core.ir.construction import build_operation, operands_of, value_type
from xgpu.core.ods.registry import hooks
from xgpu.core.ods.spec import ONE, VARIADIC, OpSpec
from xgpu.core.syntax.formats.fields import OPERAND, RESULT, Fields
from xgpu.core.syntax.formats.format_parser import (
    Directive,
    Element,
    Group,
    Literal,
    Space,
    Variable,
    is_keyword,
)

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.syntax.parser_base import ParserBase

    Read: TypeAlias = Callable[..., Operation]

#: Parts of a plain form besides its words: one name, one type, names separated by commas.
_NAME: Final = None
_TYPE: Final = 1
_NAMES: Final = 2
Part: TypeAlias = str | int | None

#: Punctuation of which each is a token.
_PUNCTUATION = frozenset(("->", *":,=()[]"))

#: Classes of values that a name stands for when nothing is left to resolve.
_DEFINED = frozenset((OpResult, BlockArgument))


def plain_form(spec: OpSpec, fields: Fields, elements: Sequence[Element]) -> list[Part] | None:
    """The parts of the format's plain form, or None if it has none."""
    if spec.regions or spec.successors:
        return None
    if spec.name in hooks(spec.name.partition(".")[0], "verify", "INFER"):
        return None  # its results' types may follow from more than types
    places = [fields.find(element.name) for element in elements if isinstance(element, Variable)]
    operands = [index for kind, index, _ in places if kind == OPERAND]
    if operands != sorted(operands):
        return None  # the text has them in another order than the operation
    parts: list[Part] = []
    # What may begin an optional part here: the next word must not be taken for it.
    skipped: set[str] = set()
    for element in elements:
        if isinstance(element, Space):
            continue
        start = _start_of_optional(element, fields)
        if start is not None:
            skipped.add(start)
            continue
        part = _part(element, fields)
        if part is False or (skipped and (not isinstance(part, str) or part in skipped)):
            return None
        parts.append(part)
        skipped.clear()
    return parts if parts and parts[-1] == _TYPE and not skipped else None


def _start_of_optional(element: Element, fields: Fields) -> str | None:
    """The word that begins an element which may be left out and then says nothing; "" for a
    name."""
    if isinstance(element, Directive) and element.custom is None:
        return {"attr-dict": "{", "attr-dict-with-keyword": "attributes"}.get(element.name)
    if not isinstance(element, Group) or element.otherwise or element.inverted:
        return None
    first = next((e for e in element.then if not isinstance(e, Space)), None)
    if isinstance(first, Literal):
        return first.text
    if isinstance(first, Variable) and fields.find(first.name)[0] == OPERAND:
        return ""
    return None


def _part(element: Element, fields: Fields) -> Part | bool:
    """What an element that is always there is in a plain form; False if no such form has it."""
    if isinstance(element, Literal):
        text = element.text
        return text if is_keyword(text) or text in _PUNCTUATION else False
    is_type = isinstance(element, Directive)
    if is_type:
        if element.custom is not None or element.name != "type":
            return False
        element = element.arguments[0]
    if not isinstance(element, Variable):
        return False
    kind, _, field = fields.find(element.name)
    if is_type:
        return _TYPE if kind in (OPERAND, RESULT) and field.quantity == ONE else False
    if kind != OPERAND:
        return False
    return {ONE: _NAME, VARIADIC: _NAMES}.get(field.quantity, False)


def with_plain_form(cls: type[OdsOperation], parts: Sequence[Part], read: Read) -> Read:
    """A parser that does as `read`, with less work for texts of the plain form `parts`."""

    def read_plain(parser: ParserBase) -> Operation:
        try:
            texts = parser._texts
        except AttributeError:  # xDSL's parser, which has no lists of tokens
            return read(parser)
        at = parser._at
        defined = parser._named
        types = parser._types
        values: list[SSAValue] = []
        seen: list[object] = [cls]
        for part in parts:
            text = texts[at]
            if text == part:
                at += 1
            elif part is _NAME:
                value = defined.get(text)
                if value is None or value.__class__ not in _DEFINED:
                    return read(parser)
                values.append(value)
                at += 1
            elif part == _TYPE:
                if text not in types:
                    return read(parser)
                seen.append(text)
                at += 1
            elif part == _NAMES and text[:1] == "%":
                before = len(values)
                while True:
                    value = defined.get(texts[at])
                    if value is None or value.__class__ not in _DEFINED:
                        return read(parser)
                    values.append(value)
                    at += 1
                    if texts[at] != ",":
                        break
                    at += 1
                seen.append(len(values) - before)
            elif part == _NAMES:
                seen.append(0)
            else:
                return read(parser)
        key = tuple(seen)
        form = parser._forms.get(key)
        if form is None:
            return _learn(parser, key, at, read)
        operand_types, result_types, properties = form
        for value, wanted in zip(values, operand_types, strict=True):
            known = value_type(value)
            if known is not wanted and known != wanted:
                return read(parser)
        parser._at = at
        return build_operation(cls, values, result_types, {**properties}, {}, None)

    return read_plain


def _learn(parser: ParserBase, key: tuple[object, ...], end: int, read: Read) -> Operation:
    """Reads by steps, and keeps what they find if they read the same tokens."""
    op = read(parser)
    if parser._at == end:
        parser._forms[key] = (
            tuple([value_type(value) for value in operands_of(op)]),
            tuple([value_type(result) for result in op.results]),
            {**op.properties},
        )
    return op
