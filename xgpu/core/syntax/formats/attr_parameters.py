# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One parameter of an attribute or type: its default, its reading and writing by C++ type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from xdsl.dialects import builtin
from xdsl.dialects.builtin import IntegerAttr, SymbolRefAttr
from xdsl.ir import Attribute, TypeAttribute
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xgpu.core.ir.construction import current_token
from xgpu.core.ir.errors import shown
from xgpu.core.ods.attributes import read_enum
from xgpu.core.ods.registry import attr_class, hooks
from xgpu.core.ods.spec import Parameter
from xgpu.core.ods.table_parser import dialect_attrs
from xgpu.core.syntax.formats.attr_syntax import write_stripped
from xgpu.core.syntax.formats.numbers import read_integer, read_wide_integer

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer

    from xgpu.core.ods.attributes import StructAttr

    ParameterValue = Attribute | int | str | tuple[Attribute | int | str, ...] | None
    _Forms = tuple[
        Callable[["AttrParser"], ParameterValue], Callable[["Printer", ParameterValue], None]
    ]

#: C++'s integers: bits, and whether signed. `APInt` has as many as it needs.
_INTEGERS = {
    "int": (32, True),
    "unsigned": (32, False),
    "unsigned int": (32, False),
    "size_t": (64, False),
    **{f"int{bits}_t": (bits, True) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}_t": (bits, False) for bits in (8, 16, 32, 64)},
}
_STRINGS = frozenset(("StringRef", "std::string", "string"))
_DENSE = {
    "DenseI8ArrayAttr": builtin.IntegerType(8),
    "DenseI16ArrayAttr": builtin.IntegerType(16),
    "DenseI32ArrayAttr": builtin.i32,
    "DenseI64ArrayAttr": builtin.i64,
}
#: C++ classes that several attributes or types derive from: which one it is, only its name tells.
_BASE_CLASSES = frozenset(
    (
        *("Attribute", "Type", "TypeAttr", "TBAANodeAttr"),
        *("DILocalScopeAttr", "DINodeAttr", "DIScopeAttr", "DITypeAttr", "DIVariableAttr"),
    )
)


def default_parameter(parameter: Parameter) -> int | str | tuple[()] | None:
    """The value of a parameter that is left out."""
    text = parameter.default
    if text is None:
        return () if parameter.kind.startswith("ArrayRef<") else None
    if parameter.enum is not None:
        return text
    if text in ("true", "false"):
        return text == "true"
    if text.startswith('"'):
        return text.strip('"')
    try:
        return int(text, 0)
    except ValueError:
        return None if text in ("", "{}", "[]") else text


def is_absent(parameter: Parameter, value: ParameterValue) -> bool:
    """Whether a value need not be written."""
    if value is None or value == ():
        return True
    return (parameter.default is not None or parameter.optional) and value == default_parameter(
        parameter
    )


def read_parameter(
    parameter: Parameter, dialect: str, parser: AttrParser, optional: bool
) -> ParameterValue:
    """Reads a parameter; None if it is `optional` and not there."""
    if (own := _own_form(parameter, dialect)) is not None:
        return own[0](parser)
    if parameter.enum is not None:
        return _read_enum(parameter, parser, optional)
    kind = parameter.kind
    if kind.startswith("ArrayRef<"):
        return _read_list(kind[9:-1], parameter, dialect, parser)
    return read_kind(kind, dialect, parser, optional)


def _own_form(parameter: Parameter, dialect: str) -> _Forms | None:
    """How the dialect reads and writes a parameter whose form ODS leaves to C++, or None."""
    forms = cast("Mapping[tuple[str, str], _Forms]", hooks(dialect, "attributes", "PARAMETERS"))
    return forms.get((parameter.kind, parameter.name)) if forms else None


def _read_enum(parameter: Parameter, parser: AttrParser, optional: bool) -> str | None:
    assert parameter.enum is not None
    if optional and current_token(parser).text.strip('"') not in parameter.enum.cases:
        return None
    return read_enum(parser, parameter.enum)


def _read_list(
    kind: str, parameter: Parameter, dialect: str, parser: AttrParser
) -> tuple[Attribute | int | str, ...]:
    """Values separated by commas; there may be none."""
    if current_token(parser).text in (")", "]", ">", "}"):
        return ()
    values = [read_kind(kind, dialect, parser, False)]
    while parser.parse_optional_punctuation(",") is not None:
        values.append(read_kind(kind, dialect, parser, False))
    return cast("tuple[Attribute | int | str, ...]", tuple(values))


def read_kind(
    kind: str, dialect: str, parser: AttrParser, optional: bool
) -> Attribute | int | str | None:
    """Reads a value of the C++ type `kind`."""
    if "optional<" in kind:
        kind = kind.removeprefix("std::").removeprefix("optional<").removesuffix(">")
    if kind == "bool":
        return parser.parse_optional_boolean() if optional else parser.parse_boolean()
    if kind in _INTEGERS:
        bits, signed = _INTEGERS[kind]
        return read_integer(parser, bits, signed=signed, optional=optional)
    if kind == "APInt":
        return read_wide_integer(parser)
    if kind in _STRINGS:
        return parser.parse_optional_str_literal() if optional else parser.parse_str_literal()
    if kind == "AffineMap":
        return builtin.AffineMapAttr(parser.parse_affine_map())
    if kind in _DENSE and current_token(parser).kind is MLIRTokenKind.L_SQUARE:
        values = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: read_integer(parser, _DENSE[kind].width.data)
        )
        return builtin.DenseArrayBase.from_list(_DENSE[kind], values)
    if current_token(parser).text == "distinct" and not hasattr(parser, "distinct"):
        return _read_distinct(parser)
    is_type = kind.endswith("Type")
    if current_token(parser).kind not in (
        MLIRTokenKind.HASH_IDENT,
        MLIRTokenKind.EXCLAMATION_IDENT,
    ):
        cls = own_class(kind, dialect)
        if cls is not None and (cls.starts(parser) or _is_bare(cls)):
            return cls.new(cls.parse_parameter(parser))
    start = parser.pos
    if is_type:
        found = parser.parse_optional_type() if optional else parser.parse_type()
    else:
        found = parser.parse_optional_attribute() if optional else parser.parse_attribute()
    _check_kind(kind, dialect, found, parser, start)
    return found


def _read_distinct(parser: AttrParser) -> Attribute:
    """`distinct[0]<attribute>`, which xDSL's parser does not know."""
    from xgpu.core.syntax.builtin_attributes import DistinctAttr

    parser.parse_keyword("distinct")
    parser.parse_punctuation("[")
    number = parser.parse_integer(allow_boolean=False, allow_negative=False)
    parser.parse_punctuation("]")
    parser.parse_punctuation("<")
    referenced: Attribute = builtin.UnitAttr()
    if parser.parse_optional_punctuation(">") is None:
        referenced = parser.parse_attribute()
        parser.parse_punctuation(">")
    return DistinctAttr((number, referenced))


#: What a parameter of one of the builtin dialect's classes may be.
_KINDS: dict[str, type[Attribute]] = {
    "ArrayAttr": builtin.ArrayAttr,
    "BoolAttr": builtin.IntegerAttr,
    "DictionaryAttr": builtin.DictionaryAttr,
    "FlatSymbolRefAttr": builtin.SymbolRefAttr,
    "FloatAttr": builtin.FloatAttr,
    "FunctionType": builtin.FunctionType,
    "IntegerAttr": builtin.IntegerAttr,
    "MemRefType": builtin.MemRefType,
    "StringAttr": builtin.StringAttr,
    "VectorType": builtin.VectorType,
}


_LOCAL_SCOPES = frozenset(
    f"llvm.di_{name}" for name in ("lexical_block", "lexical_block_file", "subprogram")
)
_TYPES = frozenset(
    f"llvm.di_{name}_type"
    for name in ("basic", "composite", "derived", "null", "string", "subroutine")
)
#: The names of what may be a parameter of a class that several attributes derive from; or what
#: their names begin with.
_DERIVED: dict[str, frozenset[str] | str] = {
    "DINodeAttr": "llvm.di_",
    "DILocalScopeAttr": _LOCAL_SCOPES,
    "DIScopeAttr": _LOCAL_SCOPES
    | {f"llvm.di_{name}" for name in ("common_block", "compile_unit", "composite_type")}
    | {f"llvm.di_{name}" for name in ("derived_type", "file", "module", "namespace")},
    "DITypeAttr": _TYPES,
    "DIVariableAttr": frozenset(("llvm.di_local_variable", "llvm.di_global_variable")),
    "TBAANodeAttr": frozenset(("llvm.tbaa_root", "llvm.tbaa_type_desc")),
}


def _is_kind(kind: str, dialect: str, found: Attribute) -> bool:
    """Whether an attribute is one of the C++ class `kind`; true where that is not known."""
    if (cls := _KINDS.get(kind)) is not None:
        if not isinstance(found, cls):
            return False
        if kind == "FlatSymbolRefAttr":
            return not cast("SymbolRefAttr", found).nested_references.data
        return kind != "BoolAttr" or cast("IntegerAttr", found).type == builtin.i1
    if kind == "DistinctAttr":
        return found.name == "builtin.distinct"
    if (names := _DERIVED.get(kind)) is not None:
        return found.name.startswith(names) if isinstance(names, str) else found.name in names
    cls = None if kind in _BASE_CLASSES else own_class(kind, dialect)
    return cls is None or found.name == cls.name


def _check_kind(
    kind: str, dialect: str, found: Attribute | None, parser: AttrParser, start: int
) -> None:
    if found is None or _is_kind(kind.rpartition("::")[2], dialect, found):
        return
    if not kind.endswith("Type"):
        parser.raise_error("invalid kind of attribute specified", start, parser.pos)
    name = "builtin." + kind.rpartition("::")[2].removesuffix("Type").lower()
    parser.raise_error(
        f"invalid kind of type specified: expected {name}, but found '{shown(found)}'",
        start,
        parser.pos,
    )


def _is_bare(cls: type[Attribute] | None) -> bool:
    """Whether an attribute begins with its first parameter: it stands in other attributes only."""
    spec = getattr(cls, "spec", None)
    return spec is not None and (spec.format or "").startswith("``")


_OWN: dict[tuple[str, str], type[StructAttr] | None] = {}


def own_class(kind: str, dialect: str) -> type[StructAttr] | None:
    """The class of ours for a C++ class like `KernelTableAttr`, or None."""
    key = (kind, dialect)
    if key in _OWN:
        return _OWN[key]
    name = kind.rpartition("::")[2].lower().removeprefix("moduleflag")
    name = name.replace("descriptor", "desc")  # TBAATypeDescriptorAttr is #llvm.tbaa_type_desc
    found = None
    for candidate in dialect_attrs(dialect):
        plain = candidate.partition(".")[2].replace("_", "").replace(".", "").lower()
        if name in (plain, plain + "attr", plain + "type"):
            cls = attr_class(candidate)
            if hasattr(cls, "starts") and issubclass(cls, TypeAttribute) == name.endswith("type"):
                found = cls
                break
    _OWN[key] = found
    return found


def write_parameter(
    parameter: Parameter,
    printer: Printer,
    value: ParameterValue,
    qualified: bool = False,
    dialect: str = "",
) -> None:
    """Writes a parameter's value."""
    own = _own_form(parameter, dialect) if dialect else None
    if own is not None:
        own[1](printer, value)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            if index:
                printer.print_string(", ")
            _write(parameter.kind[9:-1], printer, item, qualified)
    elif parameter.enum is not None:
        separator = parameter.enum.separator

        keywords = cast("str", value)
        text = keywords.replace(", ", separator) if parameter.enum.bits else keywords
        printer.print_string(f'"{text}"' if "|" in text else text)
    else:
        _write(parameter.kind, printer, value, qualified)


def _write(kind: str, printer: Printer, value: object, qualified: bool) -> None:
    if isinstance(value, bool):
        printer.print_string("true" if value else "false")
    elif isinstance(value, int):
        printer.print_string(str(value))
    elif isinstance(value, str):
        printer.print_string_literal(value)
    elif isinstance(value, builtin.AffineMapAttr) and kind == "AffineMap":
        from xgpu.core.syntax.affine_printer import map_text

        printer.print_string(map_text(value.data))
    elif kind in _DENSE and isinstance(value, builtin.DenseArrayBase):
        printer.print_string("[" + ", ".join(map(str, value.get_values())) + "]")
    elif isinstance(value, Attribute) and not qualified and _says_class(kind):
        write_stripped(printer, value)
    elif isinstance(value, Attribute):
        printer.print_attribute(value)
    else:
        printer.print_string(str(value))


def _says_class(kind: str) -> bool:
    """Whether a C++ type names one class, so that its attribute needs no name in the text."""
    return kind not in _BASE_CLASSES and not kind.endswith("Interface")
