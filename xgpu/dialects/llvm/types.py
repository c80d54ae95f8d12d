# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types of the llvm dialect, and how large they are in memory.

Written by hand and small, because every lowering needs them and xDSL's llvm module costs 0.1 s.
Inside another llvm type these types stand without `!llvm.`: `!llvm.struct<(ptr, array<4 x i8>)>`.
Source: MLIR 22.1 LLVMTypes.td, LLVMTypeSyntax.cpp.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    StringAttr,
    VectorType,
)
from xdsl.ir import Attribute, Data, TypeAttribute

from xgpu.core.ir.elements import first_values
from xgpu.core.ir.errors import Diagnostic, DiagnosticError, shown
from xgpu.core.ir.float_formats import FORMATS
from xgpu.core.ods.attributes import reading
from xgpu.core.ods.registry import attr_spec
from xgpu.core.syntax.formats.numbers import read_integer

if TYPE_CHECKING:
    from xdsl.ir import Operation
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
        with reading(attr_spec("!llvm.target"), "extTypeName", parser):
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


# -- How large types are in memory: LLVM's data layout.
#
# The one calculator of sizes, alignments and offsets of what LLVM calls types: the translation
# folds constant addresses with it, and launches lay out arguments. Source: LLVM's language
# reference, "Data Layout".


#: Floating-point types of LLVM, which have sizes.
_FLOATS = frozenset(("f16", "bf16", "f32", "f64", "f80", "f128"))


def _power_of_two(size: int) -> int:
    """The first power of two that is not less than `size`."""
    return 1 << max(size - 1, 0).bit_length()


def _round_up(size: int, align: int) -> int:
    return -(-size // align) * align


class DataLayout:
    """Sizes and alignments in bytes, from LLVM's data layout text ("" for LLVM's defaults)."""

    __slots__ = (
        "aggregates",
        "big_endian",
        "floats",
        "ints",
        "no_integers",
        "pointers",
        "vectors",
    )

    def __init__(self, text: str = "") -> None:
        # In bits: width -> (ABI alignment, preferred alignment).
        self.ints = {1: (8, 8), 8: (8, 8), 16: (16, 16), 32: (32, 32), 64: (32, 64)}
        self.floats = {16: (16, 16), 32: (32, 32), 64: (64, 64), 128: (128, 128)}
        self.vectors = {64: (64, 64), 128: (128, 128)}
        self.aggregates = (8, 64)
        self.big_endian = False
        #: address space -> (size, ABI alignment, index width)
        self.pointers = {0: (64, 64, 64)}
        #: address spaces whose pointers are no integers
        self.no_integers: set[int] = set()
        for item in text.split("-"):
            self._read(item)

    def _read(self, item: str) -> None:
        head, _, rest = item.partition(":")
        numbers = [int(n) for n in rest.split(":") if n.isdigit()]
        if item == "E":
            self.big_endian = True
        elif head == "ni":
            self.no_integers.update(numbers)
        elif not numbers:
            return
        elif head[:1] in ("i", "f", "v") and head[1:].isdigit():
            table = {"i": self.ints, "f": self.floats, "v": self.vectors}[head[0]]
            table[int(head[1:])] = numbers[0], numbers[-1] if len(numbers) > 1 else numbers[0]
        elif head == "a":
            self.aggregates = max(numbers[0], 8), numbers[1] if len(numbers) > 1 else numbers[0]
        elif head[:1] == "p" and (head[1:].isdigit() or len(head) == 1):
            size = numbers[0]
            abi = numbers[1] if len(numbers) > 1 else size
            index = numbers[3] if len(numbers) > 3 else size
            self.pointers[int(head[1:] or 0)] = (size, abi, index)

    # --- pointers ----------------------------------------------------------------------------
    def index_width(self, space: int) -> int:
        """The bits of what is added to an address."""
        return self.pointers.get(space, self.pointers[0])[2]

    def pointer_width(self, space: int) -> int:
        """The bits of an address."""
        return self.pointers.get(space, self.pointers[0])[0]

    # --- alignments --------------------------------------------------------------------------
    def align(self, t: Attribute) -> int:
        """The ABI alignment of `t`."""
        return self._align(t, 0)

    def preferred_align(self, t: Attribute) -> int:
        """The alignment that LLVM gives what it places itself."""
        return self._align(t, 1)

    def _align(self, t: Attribute, which: int) -> int:
        """The ABI alignment (`which` 0) or the preferred one (1)."""
        if isinstance(t, IntegerType | IndexType):
            width = t.width.data if isinstance(t, IntegerType) else 64
            at_least = [w for w in self.ints if w >= width]
            return self.ints[min(at_least) if at_least else max(self.ints)][which] // 8
        if isinstance(t, LLVMPointerType):
            return self.pointers.get(t.data, self.pointers[0])[1] // 8
        if isinstance(t, LLVMArrayType):
            return self._align(t.element_type, which)
        if isinstance(t, LLVMStructType):
            if t.packed and which == 0:
                return 1
            fields = [1 if t.packed else self.align(field) for field in t.body]
            return max([self.aggregates[which] // 8, *fields])
        bits = self.bits(t)
        known = (self.vectors if isinstance(t, VectorType) else self.floats).get(bits)
        return known[which] // 8 if known is not None else _power_of_two((bits + 7) // 8)

    # --- sizes -------------------------------------------------------------------------------
    def bits(self, t: Attribute) -> int:
        """The size of `t` in bits, without the padding behind it."""
        if isinstance(t, IntegerType):
            return t.width.data
        if isinstance(t, IndexType):
            return 64
        if isinstance(t, LLVMPointerType):
            return self.pointer_width(t.data)
        if isinstance(t, LLVMArrayType):
            return 8 * t.size * self.size(t.element_type)
        if isinstance(t, LLVMStructType):
            return 8 * self.offsets(t)[-1]
        if isinstance(t, VectorType):
            return math.prod(t.get_shape()) * self.bits(t.element_type)
        if t.name in _FLOATS:
            return FORMATS[t.name].width
        raise DiagnosticError(Diagnostic("error", f"the size of {t} is not known"))

    def knows(self, t: Attribute) -> bool:
        """Whether the size of `t` is a number that is known."""
        if isinstance(t, LLVMStructType):
            return not t.is_opaque and all(self.knows(field) for field in t.body)
        if isinstance(t, LLVMArrayType):
            return self.knows(t.element_type)
        if isinstance(t, VectorType):
            scalable = any(bool(flag.value.data) for flag in t.scalable_dims.data)
            return not scalable and self.knows(t.element_type)
        return isinstance(t, IntegerType | IndexType | LLVMPointerType) or t.name in _FLOATS

    def store_size(self, t: Attribute) -> int:
        """The bytes that a store of `t` writes."""
        return (self.bits(t) + 7) // 8

    def size(self, t: Attribute) -> int:
        """The bytes from one element of an array of `t` to the next."""
        return _round_up(self.store_size(t), self.align(t))

    def offsets(self, t: LLVMStructType) -> list[int]:
        """The offset of each field, and last the size of the whole."""
        at, found = 0, list[int]()
        for field in t.body:
            at = _round_up(at, 1 if t.packed else self.align(field))
            found.append(at)
            at += self.size(field)
        return [*found, _round_up(at, self.align(t))]

    def offset(self, element: Attribute, indices: list[int]) -> int | None:
        """The bytes that `indices` into `element` are apart, the first of whole elements; None
        where a step leads into what has no parts in memory."""
        total = indices[0] * self.size(element)
        t = element
        for index in indices[1:]:
            if isinstance(t, LLVMStructType):
                if not 0 <= index < len(t.body):
                    return None
                total += self.offsets(t)[index]
                t = t.body[index]
            elif isinstance(t, LLVMArrayType | VectorType):
                t = t.element_type
                total += index * self.size(t)
            else:
                return None
        return total


def layout_around(op: Operation) -> DataLayout:
    """The data layout that holds for `op`: its own `dlti.dl_spec` or the closest around it, else
    the module's `llvm.data_layout`, else LLVM's defaults."""
    around: Operation | None = op
    text = ""
    while around is not None:
        spec = around.attributes.get("dlti.dl_spec")
        if spec is not None:
            return _layout_of(cast("Any", spec).entries())
        stated = around.attributes.get("llvm.data_layout")
        if isinstance(stated, StringAttr) and not text:
            text = stated.data
        around = around.parent_op()
    return DataLayout(text)


def _layout_of(entries: Sequence[tuple[Attribute, Attribute]]) -> DataLayout:
    """The sizes and alignments of the types that a specification has entries for."""
    layout = DataLayout()
    for key, value in entries:
        if isinstance(key, StringAttr):
            if key.data == "dlti.endianness":
                layout.big_endian = value == StringAttr("big")
        elif isinstance(value, DenseIntOrFPElementsAttr):
            numbers = [int(number) for number in first_values(value, 5)]
            if isinstance(key, LLVMPointerType):
                layout.pointers[key.data] = numbers[0], numbers[1], (numbers + numbers[:1])[3]
            elif isinstance(key, LLVMStructType):
                layout.aggregates = max(numbers[0], 8), numbers[-1]
            elif isinstance(key, IntegerType):
                layout.ints[key.width.data] = numbers[0], numbers[-1]
            elif key.name in _FLOATS:
                layout.floats[FORMATS[key.name].width] = numbers[0], numbers[-1]
    return layout
