# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How an attribute is spelled in a format, where its constraint already says what it is.

`5` and not `5 : i64`, `x` and not `#gpu<dim x>`, `[1, 2]` and not `array<i64: 1, 2>`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn, cast

from xdsl.dialects import builtin
from xdsl.dialects.builtin import FloatAttr, StringAttr
from xdsl.ir import Attribute, BuiltinAttribute, Data
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xgpu.core.ir.construction import current_token
from xgpu.core.ir.integers import dense_array, integers_of
from xgpu.core.ods.registry import attr_class, optional_attr_class
from xgpu.core.ods.spec import AttrField, EnumSpec
from xgpu.core.syntax.formats.numbers import read_integer, read_typed_number

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer

    from xgpu.core.ods.attributes import StructAttr
    from xgpu.core.ods.constraints import Constraint

#: Reads an attribute; None if it is not there (only where it was asked for as optional).
Read = Callable[["AttrParser"], Attribute | None]
Write = Callable[..., None]


def attribute_parser(attr: AttrField, optional: bool = False, qualified: bool = False) -> Read:
    """The function that reads the attribute `attr` in an operation's format."""
    constraint = attr.constraint
    kind = constraint.kind
    if kind == "int-enum":
        return _read_int_enum(constraint, optional, attr.name)
    make = None if qualified and kind in ("enum", "attrdef") else _READERS.get(kind)
    read = _read_any(optional) if make is None else make(constraint, optional)
    classes = _classes(constraint)
    return read if classes is None else _of_kind(read, classes, kind == "flat-symbol-ref")


def _classes(constraint: Constraint) -> type | tuple[type, ...] | None:
    """The classes of the attributes that MLIR's C++ type for the attribute allows."""
    if constraint.kind in ("enum", "attrdef"):
        return optional_attr_class(cast("str", constraint.attr_name))
    return _CLASSES.get(constraint.kind)


def _of_kind(read: Read, classes: type | tuple[type, ...], flat: bool) -> Read:
    """`read`, with MLIR's complaint about an attribute of another class. A `flat` reference to a
    symbol has no nested ones."""

    def read_checked(parser: AttrParser) -> Attribute | None:
        start = parser.pos
        found = read(parser)
        if found is not None and (
            not isinstance(found, classes)
            or (flat and cast("builtin.SymbolRefAttr", found).nested_references.data)
        ):
            parser.raise_error("invalid kind of attribute specified", start, parser.pos)
        return found

    return read_checked


_KEYWORD = re.compile(r"[A-Za-z_][\w$.]*")

_CLASSES: dict[str, type | tuple[type, ...]] = {
    "typed-int": builtin.IntegerAttr,
    "typed-float": builtin.FloatAttr,
    "bool": builtin.IntegerAttr,
    "string": builtin.StringAttr,
    "dense-array": builtin.DenseArrayBase,
    "array": builtin.ArrayAttr,
    "dict": builtin.DictionaryAttr,
    "symbol-ref": builtin.SymbolRefAttr,
    "flat-symbol-ref": builtin.SymbolRefAttr,
    "affine-map": builtin.AffineMapAttr,
    "integer-set": builtin.AffineSetAttr,
}


def attribute_writer(attr: AttrField, qualified: bool = False) -> Write:
    """The function that writes the attribute `attr` in a format."""
    constraint = attr.constraint
    kind = constraint.kind
    if qualified and kind in ("enum", "attrdef"):
        return _write_any
    if kind == "int-enum":
        return _write_int_enum(constraint)
    return _WRITERS.get(kind, _write_any)


def _read_any(optional: bool) -> Read:
    if optional:

        def read_optional(parser: AttrParser) -> Attribute | None:
            # A brace opens the operation's dictionary, not an attribute.
            if current_token(parser).kind is MLIRTokenKind.L_BRACE:
                return None
            return parser.parse_optional_attribute()

        return read_optional
    return lambda parser: parser.parse_attribute()


def _read_if(*kinds: MLIRTokenKind) -> Callable[[Attribute, bool], Read]:
    """A builtin attribute; if optional only one that begins with a token of `kinds`, as in MLIR."""

    def make(constraint: object, optional: bool) -> Read:
        def read(parser: AttrParser) -> Attribute | None:
            if optional and current_token(parser).kind not in kinds:
                return None
            return parser.parse_attribute()

        return read

    return make


def _read_type(constraint: Constraint, optional: bool) -> Read:
    if optional:
        return lambda parser: parser.parse_optional_type()
    return lambda parser: parser.parse_type()


def _read_int(constraint: Constraint, optional: bool) -> Read:
    type = constraint.type

    if optional:

        def read_optional(parser: AttrParser) -> Attribute | None:
            if (number := read_typed_number(parser, type)) is not None:
                return number
            return _boolean(parser)

        return read_optional

    def read(parser: AttrParser) -> Attribute:
        if current_token(parser).kind in (MLIRTokenKind.HASH_IDENT, MLIRTokenKind.STRING_LIT):
            return parser.parse_attribute()
        number = read_typed_number(parser, type)
        if number is not None:
            return number
        if (value := _boolean(parser)) is not None:
            return value
        return builtin.IntegerAttr(parser.parse_integer(allow_negative=True), type)

    return read


def _boolean(parser: AttrParser) -> Attribute | None:
    """`true` or `false`, which are of one bit wherever they stand."""
    value = parser.parse_optional_boolean()
    return None if value is None else builtin.IntegerAttr(int(value), builtin.i1)


def _read_bool(constraint: Constraint, optional: bool) -> Read:
    def read(parser: AttrParser) -> Attribute | None:
        value = parser.parse_optional_boolean()
        if value is None:
            if optional:
                return None
            parser.raise_error("expected 'true' or 'false'")
        return builtin.IntegerAttr(int(value), builtin.i1)

    return read


def _read_float(constraint: Constraint, optional: bool) -> Read:
    type = constraint.type

    def read(parser: AttrParser) -> Attribute | None:
        number = read_typed_number(parser, type)
        if number is None and not optional:
            parser.raise_error("expected a floating-point number")
        return number

    return read


def _read_string(constraint: Constraint, optional: bool) -> Read:
    def read(parser: AttrParser) -> Attribute | None:
        text = parser.parse_optional_str_literal()
        if text is None:
            if optional:
                return None
            return parser.parse_attribute()
        return builtin.StringAttr(text)

    return read


def _read_symbol_name(constraint: Constraint, optional: bool) -> Read:
    if optional:
        return lambda parser: parser.parse_optional_symbol_name()
    return lambda parser: parser.parse_symbol_name()


def _read_int_enum(constraint: Constraint, optional: bool, name: str) -> Read:
    """A keyword that stands for an integer; of a bit enum several, in brackets after its name."""
    cases, type = constraint.cases, constraint.type
    mnemonic, bits = getattr(constraint, "mnemonic", ""), getattr(constraint, "bits", False)

    def read_word(parser: AttrParser) -> int | None:
        word = parser.parse_optional_keyword_in(cases)
        if word is None:
            word = parser.parse_optional_str_literal()
        if word is None:
            return None
        if word not in cases:
            complain(parser)
        return cases[word]

    def complain(parser: AttrParser) -> NoReturn:
        parser.raise_error(
            "expected string or keyword containing one of the following enum values "
            f"for attribute '{name}' [{', '.join(cases)}]"
        )

    def read(parser: AttrParser) -> Attribute | None:
        value = read_word(parser)
        if value is None:
            if optional:
                return None
            number = parser.parse_optional_attribute()
            if isinstance(number, builtin.IntegerAttr):
                return builtin.IntegerAttr(number.value.data, type)
            complain(parser)
        separator = constraint.separator.strip() if bits else ""
        while bits and parser.parse_optional_characters(separator) is not None:
            value |= read_word(parser) or 0
        return builtin.IntegerAttr(value, type)

    def read_named(parser: AttrParser) -> Attribute | None:
        if optional:
            if parser.parse_optional_keyword(mnemonic) is None:
                return None
        else:
            parser.parse_keyword(mnemonic)
        with parser.in_angle_brackets():
            value = read(parser)
        return value

    return read_named if mnemonic else read


def _read_own(constraint: Constraint, optional: bool) -> Read:
    """An attribute of ours: without its name, or in full."""
    name = cast("str", constraint.attr_name)
    cls = cast("type[StructAttr] | None", optional_attr_class(name))
    if cls is None or not hasattr(cls, "parse_parameter"):
        return _read_any(optional)
    if optional:
        starts = getattr(cls, "starts", None)

        def read_optional(parser: AttrParser) -> Attribute | None:
            if current_token(parser).kind is MLIRTokenKind.HASH_IDENT:
                return parser.parse_attribute()
            text = current_token(parser).text
            if not (starts(parser) if starts is not None else text == "<"):
                return None
            return cls.new(cls.parse_parameter(parser))

        return read_optional

    def read(parser: AttrParser) -> Attribute:
        if current_token(parser).kind is MLIRTokenKind.HASH_IDENT:
            return parser.parse_attribute()
        attr = attr_class(name)
        return attr.new(attr.parse_parameter(parser))

    return read


def _read_dense_array(constraint: Constraint, optional: bool) -> Read:
    element = constraint.element

    def read(parser: AttrParser) -> Attribute | None:
        token = current_token(parser)
        if token.kind is not MLIRTokenKind.L_SQUARE:
            if optional and not (token.text == "array" or token.kind is MLIRTokenKind.HASH_IDENT):
                return None
            return parser.parse_attribute()
        values = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, item(parser))
        if isinstance(element, builtin.IntegerType):
            return dense_array(element.width.data, tuple(values))
        return builtin.DenseArrayBase.from_list(element, values)

    def item(parser: AttrParser) -> Callable[[], float]:
        if isinstance(element, builtin.IntegerType):
            return lambda: read_integer(parser, element.width.data, boolean=True)
        return lambda: float(parser.parse_number())

    return read


_READERS: dict[str, Callable[..., Read]] = {
    "typed-int": _read_int,
    "typed-float": _read_float,
    "bool": _read_bool,
    "string": _read_string,
    "symbol-name": _read_symbol_name,
    "enum": _read_own,
    "attrdef": _read_own,
    "dense-array": _read_dense_array,
    "type": _read_type,
    "array": _read_if(MLIRTokenKind.L_SQUARE, MLIRTokenKind.HASH_IDENT),
    "dict": _read_if(MLIRTokenKind.L_BRACE, MLIRTokenKind.HASH_IDENT),
    "symbol-ref": _read_if(MLIRTokenKind.AT_IDENT),
    "flat-symbol-ref": _read_if(MLIRTokenKind.AT_IDENT),
}


# --- writing ---------------------------------------------------------------------------------


def _write_any(printer: Printer, attr: Attribute) -> None:
    printer.print_attribute(attr)


def _write_int(printer: Printer, attr: Attribute) -> None:
    if not isinstance(attr, builtin.IntegerAttr):
        printer.print_attribute(attr)
    elif attr.type == builtin.i1:
        printer.print_string("true" if attr.value.data else "false")
    else:
        printer.print_string(str(attr.value.data))


def _write_float(printer: Printer, attr: FloatAttr) -> None:
    printer.print_float(attr.value.data, attr.type)


def _write_symbol_name(printer: Printer, attr: StringAttr) -> None:
    printer.print_symbol_name(attr.data)


def _write_int_enum(constraint: Constraint) -> Write:
    mnemonic, bits = getattr(constraint, "mnemonic", ""), getattr(constraint, "bits", False)
    # By itself, a word that is no keyword can be read as a string only.
    names = {
        value: word if mnemonic or _KEYWORD.fullmatch(word) else f'"{word}"'
        for word, value in constraint.cases.items()
    }

    def text(value: int | None) -> str | None:
        if value in names or not bits or value is None:
            return names.get(value)  # pyright: ignore[reportArgumentType]
        from xgpu.core.ods.attributes import keywords_of

        words = keywords_of(EnumSpec(dict(constraint.cases), True), value)
        return words.replace(", ", constraint.separator)

    def write(printer: Printer, attr: Attribute) -> None:
        words = text(attr.value.data if isinstance(attr, builtin.IntegerAttr) else None)
        if words is None:
            printer.print_attribute(attr)
        else:
            printer.print_string(f"{mnemonic}<{words}>" if mnemonic else words)

    return write


def write_stripped(printer: Printer, attr: Attribute) -> None:
    """An attribute or type of ours without its name, any other in full; the alias if it has one."""
    alias_text = getattr(printer, "alias_text", None)
    if alias_text is not None and (alias := alias_text(attr)) is not None:
        printer.print_string(alias)
        return
    builtin_or_other = isinstance(attr, BuiltinAttribute) or not isinstance(attr, Data)
    if builtin_or_other or getattr(attr, "always_qualified", False):
        printer.print_attribute(attr)
    else:
        # What writes nothing without its name is written with it.
        assert isinstance(attr, Data)
        pieces = getattr(printer, "pieces", ())
        before = len(pieces)
        attr.print_parameter(printer)
        if pieces and len(pieces) == before:
            printer.print_attribute(attr)


def _write_dense_array(printer: Printer, attr: Attribute) -> None:
    if not isinstance(attr, builtin.DenseArrayBase):
        printer.print_attribute(attr)
        return
    element = attr.elt_type
    if isinstance(element, builtin.IntegerType):
        values = integers_of(attr)
        words = (
            map(str, values)
            if element.width.data > 1
            else ["true" if v else "false" for v in values]
        )
        printer.print_string(f"[{', '.join(words)}]")
        return
    with printer.in_square_brackets():
        printer.print_list(attr.iter_values(), lambda v: printer.print_float(v, element))


_WRITERS: dict[str, Write] = {
    "typed-int": _write_int,
    "typed-float": _write_float,
    "bool": _write_int,
    "symbol-name": _write_symbol_name,
    "enum": write_stripped,
    "attrdef": write_stripped,
    "dense-array": _write_dense_array,
}
