# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types of the llvm dialect.

Written by hand and small, because every lowering needs them and xDSL's llvm module costs 0.1 s.
Inside another llvm type these types stand without `!llvm.`: `!llvm.struct<(ptr, array<4 x i8>)>`.
Source: MLIR 22.1 LLVMTypes.td, LLVMTypeSyntax.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from xdsl.ir import Attribute, Data, TypeAttribute

from xgpu.core.syntax.formats.numbers import read_integer

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer

T = TypeVar("T")


class _LLVMType(Data[T], TypeAttribute, Generic[T]):
    """A type of the llvm dialect; `data` is its whole content, and hashable.

    Besides its own arguments each constructor takes a `data` alone, since xDSL's parser builds
    a `Data` from what `parse_parameter` returned.
    """

    def __init__(self, data: T) -> None:
        super().__init__(data)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Any:
        return None

    def print_parameter(self, printer: Printer) -> None:
        self.print_inside(printer, ())

    def print_inside(self, printer: Printer, enclosing: tuple[str, ...]) -> None:
        """Prints what follows the mnemonic, inside the identified structs named `enclosing`."""


class LLVMPointerType(_LLVMType[int]):
    """`!llvm.ptr` or `!llvm.ptr<n>`; `data` is the address space."""

    name = "llvm.ptr"

    def __init__(self, address_space: int = 0) -> None:
        super().__init__(address_space)

    @property
    def address_space(self) -> int:
        return self.data

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> int:
        if parser.parse_optional_punctuation("<") is None:
            return 0
        address_space = read_integer(parser, 32, signed=False)
        parser.parse_punctuation(">")
        return address_space

    def print_inside(self, printer: Printer, enclosing: tuple[str, ...]) -> None:
        if self.data:
            printer.print_string(f"<{self.data}>")


class _PlainType(_LLVMType[None]):
    """A type without parameters."""

    def __init__(self, data: None = None) -> None:
        super().__init__(data)


class LLVMVoidType(_PlainType):
    """`!llvm.void`"""

    name = "llvm.void"


class LLVMTokenType(_PlainType):
    """`!llvm.token`"""

    name = "llvm.token"


class LLVMLabelType(_PlainType):
    """`!llvm.label`"""

    name = "llvm.label"


class LLVMMetadataType(_PlainType):
    """`!llvm.metadata`"""

    name = "llvm.metadata"


class LLVMX86AMXType(_PlainType):
    """`!llvm.x86_amx`"""

    name = "llvm.x86_amx"


class LLVMPPCFP128Type(_PlainType):
    """`!llvm.ppc_fp128`"""

    name = "llvm.ppc_fp128"


class LLVMArrayType(_LLVMType[tuple[int, Attribute]]):
    """`!llvm.array<n x type>`"""

    name = "llvm.array"

    def __init__(
        self, size: int | tuple[int, Attribute], element_type: Attribute | None = None
    ) -> None:
        super().__init__(size if isinstance(size, tuple) else (size, element_type))  # pyright: ignore[reportArgumentType]

    @property
    def size(self) -> int:
        return self.data[0]

    @property
    def element_type(self) -> Attribute:
        return self.data[1]

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[int, Attribute]:
        parser.parse_punctuation("<")
        size = read_integer(parser, 64, signed=False)
        parser.parse_keyword("x")
        element = _checked(parser, "array element", (*_NO_ELEMENT, LLVMFunctionType))
        parser.parse_punctuation(">")
        return size, element

    def print_inside(self, printer: Printer, enclosing: tuple[str, ...]) -> None:
        printer.print_string(f"<{self.data[0]} x ")
        print_bare(printer, self.data[1], enclosing)
        printer.print_string(">")


class LLVMStructType(_LLVMType[tuple[str | None, tuple[Attribute, ...] | None, bool]]):
    """`!llvm.struct<(types)>`, `!llvm.struct<packed (types)>`, `!llvm.struct<"name", (types)>`.

    An identified struct without a body is opaque; inside a struct of the same name it is the
    recursive mention of that one, and prints as `struct<"name">`.
    """

    name = "llvm.struct"

    def __init__(
        self,
        body: Sequence[Attribute] | None,
        *,
        struct_name: str | None = None,
        packed: bool = False,
    ) -> None:
        if isinstance(body, _StructData):
            super().__init__(tuple(body))  # pyright: ignore[reportArgumentType]
        else:
            super().__init__((struct_name, None if body is None else tuple(body), packed))

    @property
    def struct_name(self) -> str | None:
        return self.data[0]

    @property
    def body(self) -> tuple[Attribute, ...]:
        return self.data[1] or ()

    @property
    def is_opaque(self) -> bool:
        return self.data[1] is None

    @property
    def packed(self) -> bool:
        return self.data[2]

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> _StructData | None:
        parser.parse_punctuation("<")
        struct_name = parser.parse_optional_str_literal()
        state = _struct_state(parser)
        if struct_name is not None and parser.parse_optional_punctuation(",") is None:
            if struct_name not in state.enclosing:
                parser.raise_error("struct without a body only allowed in a recursive struct")
            parser.parse_punctuation(">")
            return _StructData((struct_name, None, False))
        if struct_name in state.enclosing:
            parser.raise_error("identifier already used for an enclosing struct")
        if parser.parse_optional_keyword("opaque") is not None:
            if struct_name is None:
                parser.raise_error("only identified structs can be opaque")
            if state.bodies.setdefault(struct_name, None) is not None:
                parser.raise_error("redeclaring defined struct as opaque")
            parser.parse_punctuation(">")
            return _StructData((struct_name, None, False))
        packed = parser.parse_optional_keyword("packed") is not None
        if struct_name is not None:
            state.enclosing.append(struct_name)
        try:
            body = tuple(
                parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: _element(parser))
            )
        finally:
            if struct_name is not None:
                state.enclosing.pop()
        if struct_name is not None and state.bodies.setdefault(struct_name, (body, packed)) != (
            body,
            packed,
        ):
            parser.raise_error("identified type already used with a different body")
        parser.parse_punctuation(">")
        return _StructData((struct_name, body, packed))

    def print_inside(self, printer: Printer, enclosing: tuple[str, ...]) -> None:
        struct_name, body, packed = self.data
        printer.print_string("<")
        if struct_name is not None:
            printer.print_string_literal(struct_name)
            if struct_name in enclosing:
                printer.print_string(">")
                return
            enclosing = (*enclosing, struct_name)
            printer.print_string(", ")
        if body is None:
            printer.print_string("opaque>")
            return
        printer.print_string("packed (" if packed else "(")
        printer.print_list(body, lambda t: print_bare(printer, t, enclosing))
        printer.print_string(")>")


class LLVMFunctionType(_LLVMType[tuple[Attribute, tuple[Attribute, ...], bool]]):
    """`!llvm.func<result (arguments)>`, variadic with a closing `...`"""

    name = "llvm.func"

    def __init__(
        self,
        arguments: Sequence[Attribute] | tuple[Attribute, ...],
        result: Attribute | None = None,
        *,
        variadic: bool = False,
    ) -> None:
        if result is None:
            super().__init__(arguments)  # pyright: ignore[reportArgumentType]
        else:
            super().__init__((result, tuple(arguments), variadic))

    @property
    def result(self) -> Attribute:
        return self.data[0]

    @property
    def arguments(self) -> tuple[Attribute, ...]:
        return self.data[1]

    @property
    def variadic(self) -> bool:
        return self.data[2]

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[Attribute, tuple[Attribute, ...], bool]:
        parser.parse_punctuation("<")
        result = _checked(parser, "function result", NO_RESULT)
        parser.parse_punctuation("(")
        arguments: list[Attribute] = []
        variadic = False
        if parser.parse_optional_punctuation(")") is None:
            while True:
                if parser.parse_optional_punctuation("...") is not None:
                    variadic = True
                    break
                arguments.append(
                    _checked(parser, "function argument", (LLVMVoidType, LLVMFunctionType))
                )
                if parser.parse_optional_punctuation(",") is None:
                    break
            parser.parse_punctuation(")")
        parser.parse_punctuation(">")
        return result, tuple(arguments), variadic

    def print_inside(self, printer: Printer, enclosing: tuple[str, ...]) -> None:
        result, arguments, variadic = self.data
        printer.print_string("<")
        print_bare(printer, result, enclosing)
        printer.print_string(" (")
        printer.print_list(arguments, lambda t: print_bare(printer, t, enclosing))
        if variadic:
            printer.print_string(", ..." if arguments else "...")
        printer.print_string(")>")


class LLVMTargetExtType(_LLVMType[tuple[str, tuple[Attribute, ...], tuple[int, ...]]]):
    """`!llvm.target<"name", types, integers>`"""

    name = "llvm.target"

    def __init__(
        self,
        extension: str | tuple[str, tuple[Attribute, ...], tuple[int, ...]],
        type_params: Sequence[Attribute] = (),
        int_params: Sequence[int] = (),
    ) -> None:
        if isinstance(extension, tuple):
            super().__init__(extension)  # pyright: ignore[reportArgumentType]
        else:
            super().__init__((extension, tuple(type_params), tuple(int_params)))

    @property
    def extension(self) -> str:
        return self.data[0]

    @property
    def type_params(self) -> tuple[Attribute, ...]:
        return self.data[1]

    @property
    def int_params(self) -> tuple[int, ...]:
        return self.data[2]

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> object:
        parser.parse_punctuation("<")
        extension = parser.parse_str_literal()
        types: list[Attribute] = []
        integers: list[int] = []
        while parser.parse_optional_punctuation(",") is not None:
            number = read_integer(parser, 32, signed=False, optional=True)
            if number is not None:
                integers.append(number)
            elif integers:
                parser.raise_error("failed to parse parameter list for target extension type")
            else:
                types.append(parse_bare(parser))
        parser.parse_punctuation(">")
        return extension, tuple(types), tuple(integers)

    def print_inside(self, printer: Printer, enclosing: tuple[str, ...]) -> None:
        extension, types, integers = self.data
        printer.print_string("<")
        printer.print_string_literal(extension)
        for t in types:
            printer.print_string(", ")
            printer.print_attribute(t)
        for number in integers:
            printer.print_string(f", {number}")
        printer.print_string(">")


#: Every type of the dialect by its name.
TYPES = {
    cls.name: cls
    for cls in (
        LLVMPointerType,
        LLVMVoidType,
        LLVMTokenType,
        LLVMLabelType,
        LLVMMetadataType,
        LLVMX86AMXType,
        LLVMPPCFP128Type,
        LLVMArrayType,
        LLVMStructType,
        LLVMFunctionType,
        LLVMTargetExtType,
    )
}

#: What is no element of an array or a struct.
#: What no function gives back.
NO_RESULT = (LLVMFunctionType, LLVMMetadataType, LLVMLabelType)
_NO_ELEMENT = (LLVMVoidType, LLVMLabelType, LLVMMetadataType, LLVMTokenType)


class _StructData(tuple[str | None, tuple[Attribute, ...] | None, bool]):
    """The parsed content of a struct type, told apart from a sequence of element types."""

    __slots__ = ()


class _StructState:
    """The identified structs that one parser has met, since their names are unique in a file."""

    __slots__ = ("bodies", "enclosing")

    def __init__(self) -> None:
        self.bodies: dict[str, tuple[tuple[Attribute, ...], bool] | None] = {}
        self.enclosing: list[str] = []


def _struct_state(parser: AttrParser) -> _StructState:
    state = vars(parser).get("llvm_structs")
    if state is None:
        state = vars(parser)["llvm_structs"] = _StructState()
    return state


def _element(parser: AttrParser) -> Attribute:
    """An element of a struct."""
    return _checked(parser, "LLVM structure element", (*_NO_ELEMENT, LLVMFunctionType))


def _checked(parser: AttrParser, what: str, wrong: tuple[type, ...]) -> Attribute:
    """A type where those of the classes `wrong` may not be."""
    at = parser.pos
    found = parse_bare(parser)
    if isinstance(found, wrong):
        from xgpu.core.ir.attribute_text import shown

        parser.raise_error(f"invalid {what} type: '{shown(found)}'", at)
    return found


def parse_bare(parser: AttrParser) -> Attribute:
    """Reads a type where the llvm dialect's own types may stand without `!llvm.`."""
    if (known := parser.parse_optional_type()) is not None:
        return known  # of any dialect: whether it is compatible is the verifiers' business
    mnemonic = parser.parse_optional_identifier()
    if mnemonic is None:
        parser.raise_error("expected valid keyword")
    cls = TYPES.get(f"llvm.{mnemonic}")
    if cls is None:
        parser.raise_error(f"unknown LLVM type: {mnemonic}")
    return cast("type[_LLVMType[object]]", cls)(cls.parse_parameter(parser))


def print_bare(printer: Printer, t: Attribute, enclosing: tuple[str, ...] = ()) -> None:
    """Prints a type where the llvm dialect's own types stand without `!llvm.`; floats do not."""
    if isinstance(t, _LLVMType) and not isinstance(t, LLVMPPCFP128Type):
        printer.print_string(t.name[5:])
        t.print_inside(printer, enclosing)
    else:
        printer.print_attribute(t)


def _unknown(mnemonic: str) -> str:
    """What is wrong with `!llvm.mnemonic`, which is no type of the dialect."""
    builtin = mnemonic in ("tensor", "memref", "vector", "complex", "tuple", "index", "none")
    number = mnemonic.removeprefix("b").removeprefix("f").removeprefix("i")
    if builtin or (number != mnemonic and number.isdigit()):
        return "unexpected type, expected keyword"
    return f"unknown LLVM type: {mnemonic}"


#: Words for `!llvm.x` that names nothing.
UNKNOWN = {"type": _unknown}
