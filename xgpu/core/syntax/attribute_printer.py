# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Printing attributes and types. A part of the printer.

An attribute's text is found once and kept by its identity; a function for each builtin class makes
it, `print_builtin` and `print_parameters` of the class do for all others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects import builtin
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AffineSetAttr,
    AnyFloat,
    ArrayAttr,
    BuiltinAttribute,
    BytesAttr,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    DictionaryAttr,
    FloatAttr,
    FunctionType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    OpaqueAttr,
    Signedness,
    StridedLayoutAttr,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    TupleType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
from xdsl.ir import (
    Attribute,
    Data,
    OpaqueSyntaxAttribute,
    ParametrizedAttribute,
    SpacedOpaqueSyntaxAttribute,
    TypeAttribute,
)

from xgpu.core.ir.floats import float_text
from xgpu.core.ir.integers import integer_text
from xgpu.core.ir.locations import LOCATIONS, FileLineColRange, SourceLoc, source_location
from xgpu.core.syntax.builtin_attributes import escape
from xgpu.core.syntax.printer_base import PrinterBase

if TYPE_CHECKING:
    from xgpu.core.syntax.aliases import Aliases


#: Ends a line within a location, at which MLIR does not indent.
_NEW_LINE = "\n"

is_bare_identifier = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*").fullmatch


class AttributePrinter(PrinterBase):
    """Attributes; `self` is the printer."""

    aliases: Aliases

    def print_attribute(self, attribute: Attribute) -> None:
        self.pieces.append(self._attribute_text(attribute))

    def _attribute_text(self, attribute: Attribute) -> str:
        """The text of an attribute where it is used: an alias's mark, or its own."""
        known = self._texts.get(id(attribute))
        if known is not None:
            return known[1]
        cls = attribute.__class__
        as_text = _SPELL.get(cls)
        if as_text is not None and cls not in _MAY_HAVE_ALIAS:
            text = as_text(self, attribute)
            self._texts[id(attribute)] = (attribute, text)
            return text
        if isinstance(attribute, LOCATIONS):
            # A location that is an attribute: its alias stands alone, and is defined at the top.
            own = self._whole_location(attribute)
            return self.aliases.location_mark(attribute, lambda: own, deferred=False) or own
        text = self.aliases.mark(attribute, lambda: self._own_text(attribute))
        if text is None:
            text = self._own_text(attribute)
        # The attribute is kept too: its identity must not become another's.
        self._texts[id(attribute)] = (attribute, text)
        return text

    def alias_text(self, attribute: Attribute) -> str | None:
        """What stands for an attribute that has an alias, or None: for printers of attributes
        that leave out the name of an attribute inside."""
        return self.aliases.mark(attribute, lambda: self._own_text(attribute))

    def _elided_text(self, attribute: Any) -> str:
        """The text of an attribute where MLIR leaves out the types i64 and f64: elements of arrays
        and memory spaces."""
        cls = attribute.__class__
        if cls is builtin.IntegerAttr and attribute.type == builtin.i64:
            return integer_text(attribute.value.data)
        if cls is builtin.FloatAttr and attribute.type == builtin.f64:
            text = float_text(attribute.value.data, attribute.type)
            return text if text[:2] != "0x" else self._attribute_text(attribute)
        return self._attribute_text(attribute)

    def _own_text(self, attribute: Attribute) -> str:
        as_text = _SPELL.get(attribute.__class__)
        if as_text is not None:
            return as_text(self, attribute)
        outer = self.pieces
        self.pieces = []
        self._print_by_class(attribute)
        text = "".join(self.pieces)
        self.pieces = outer
        return text

    def _print_by_class(self, attribute: Attribute) -> None:
        if isinstance(attribute, BuiltinAttribute):
            attribute.print_builtin(self)
            return
        self.pieces.append("!" if isinstance(attribute, TypeAttribute) else "#")
        opaque = isinstance(attribute, OpaqueSyntaxAttribute)
        if opaque:
            self.pieces.append(attribute.name.replace(".", "<", 1))
            if isinstance(attribute, SpacedOpaqueSyntaxAttribute):
                self.pieces.append(" ")
        else:
            self.pieces.append(attribute.name)
        if isinstance(attribute, Data):
            attribute.print_parameter(self)
        elif isinstance(attribute, ParametrizedAttribute):
            attribute.print_parameters(self)
        if opaque:
            self.pieces.append(">")

    # --- pieces of attributes, xDSL's interface --------------------------------------------
    def print_string_literal(self, string: str) -> None:
        self.pieces.append(f'"{escape(string)}"')

    def print_bytes_literal(self, bytestring: bytes) -> None:
        self.pieces.append(f'"{escape(bytestring)}"')

    def print_identifier_or_string_literal(self, string: str) -> None:
        self.pieces.append(string if is_bare_identifier(string) else f'"{escape(string)}"')

    def print_symbol_name(self, sym_name: str) -> None:
        self.pieces.append(symbol_text(sym_name))

    def print_float(self, value: float, type: AnyFloat) -> None:
        self.pieces.append(float_text(value, type))

    def print_int(self, value: int, type: Attribute | None = None) -> None:
        self.pieces.append(int_text(value, type))

    def print_dimension_list(self, dims: Sequence[int]) -> None:
        self.pieces.append("x".join("?" if d == DYNAMIC_INDEX else str(d) for d in dims))

    def print_resource_key(self, key: str) -> None:
        self.resource_keys[key] = None
        self.pieces.append(key if is_bare_identifier(key) else f'"{escape(key)}"')

    def print_resource_handle(self, dialect: str, handle: str) -> None:
        self.print_resource_key(handle)

    # --- locations -------------------------------------------------------------------------
    def print_location(self, location: Attribute) -> None:
        """` loc(...)` after an operation or argument, without the space."""
        self.pieces.append(self._location_text(location))

    def _location_text(self, location: Attribute) -> str:
        mark = self.aliases.location_mark(location, lambda: self._whole_location(location))
        if self.pretty_locations or mark is None:  # MLIR defines its alias in both cases
            return self._whole_location(location)
        return f"loc({mark})"

    def print_argument_location(self, location: Attribute) -> None:
        """` loc(...)` of a block argument, without the space: never an alias."""
        text = self._whole_location(location)
        self.aliases.location_mark(location, lambda: text, deferred=False)
        self.pieces.append(text)

    def _whole_location(self, location: Attribute) -> str:
        text = self._bare_location(location)
        return text if self.pretty_locations else f"loc({text})"

    def _nested_location(self, location: Attribute) -> str:
        mark = self.aliases.location_mark(location, lambda: self._whole_location(location))
        return mark or self._bare_location(location)

    def _bare_location(self, location: Attribute) -> str:
        """What stands between the parentheses of `loc(...)`, or MLIR's readable form of it."""
        pretty = self.pretty_locations
        if isinstance(location, builtin.UnknownLoc):
            return "[unknown]" if pretty else "unknown"
        if isinstance(location, SourceLoc | builtin.FileLineColLoc):
            filename, line, column = source_location(location)  # pyright: ignore
            return f"{self._file_name(filename)}:{line}:{column}"
        if isinstance(location, builtin.NameLoc):
            child = location.location
            text = f'"{escape(location.desc.data)}"'
            if isinstance(child, builtin.UnknownLoc | NoneAttr):
                return text
            return f"{text}({self._nested_location(child)})"
        if isinstance(location, builtin.CallSiteLoc):
            return self._call_site(location)
        if isinstance(location, builtin.FusedLoc):
            text = "" if pretty else "fused"
            if not isinstance(location.metadata, NoneAttr):
                text += f"<{self._attribute_text(location.metadata)}>"
            parts = [self._nested_location(part) for part in location.locations.data]  # pyright: ignore
            return f"{text}[{', '.join(parts)}]"
        filename, line, column, end_line, end_column = cast("FileLineColRange", location).data
        end = f":{end_column}" if end_line == line else f"{end_line}:{end_column}"
        return f"{self._file_name(filename)}:{line}:{column} to {end}"

    def _file_name(self, name: str) -> str:
        return name if self.pretty_locations else f'"{escape(name)}"'

    def _call_site(self, location: builtin.CallSiteLoc) -> str:
        callee, caller = location.callee, location.caller
        texts = self._nested_location(callee), self._nested_location(caller)
        if not self.pretty_locations:
            return f"callsite({texts[0]} at {texts[1]})"
        in_line = isinstance(callee, builtin.NameLoc) and isinstance(
            caller, SourceLoc | builtin.FileLineColLoc
        )
        return f"{texts[0]}{'' if in_line else _NEW_LINE} at {texts[1]}"

    @contextmanager
    def in_location(self) -> Generator[None, None, None]:
        yield


def symbol_text(name: str) -> str:
    """`@name`, in quotes where needed."""
    return "@" + (name if is_bare_identifier(name) else f'"{escape(name)}"')


def int_text(value: int, type: Attribute | None) -> str:
    """An integer as a value of `type`."""
    if isinstance(type, IntegerType):
        width = type.width.data
        if width == 1 and type.signedness.data is Signedness.SIGNLESS:
            return "true" if value else "false"
        if type.signedness.data is Signedness.UNSIGNED and value < 0:
            value += 1 << width
    return integer_text(value)


# --- a function for each class -------------------------------------------------------------


def _integer_type(printer: PrinterBase, ty: IntegerType) -> str:
    sign = ty.signedness.data
    prefix = "i" if sign is Signedness.SIGNLESS else "si" if sign is Signedness.SIGNED else "ui"
    return f"{prefix}{ty.width.data}"


def _integer(printer: PrinterBase, attribute: IntegerAttr) -> str:
    ty = attribute.type
    text = int_text(attribute.value.data, ty)
    if text[0] in "tf":
        return text
    return f"{text} : {printer._attribute_text(ty)}"


def _float(printer: PrinterBase, attribute: FloatAttr) -> str:
    ty = attribute.type
    return f"{float_text(attribute.value.data, ty)} : {printer._attribute_text(ty)}"


def _dimensions(shape: ArrayAttr[IntAttr]) -> str:
    return "".join(("?" if d.data == DYNAMIC_INDEX else str(d.data)) + "x" for d in shape.data)


def _memref(printer: PrinterBase, ty: MemRefType) -> str:
    text = printer._attribute_text
    layout, space = ty.layout, ty.memory_space
    out = f"memref<{_dimensions(ty.shape)}{text(ty.element_type)}"
    if not isinstance(layout, NoneAttr):
        out += f", {text(layout)}"
    if not isinstance(space, NoneAttr):
        out += f", {printer._elided_text(space)}"
    return out + ">"


def _unranked_memref(printer: PrinterBase, ty: UnrankedMemRefType) -> str:
    text = printer._attribute_text
    space = ty.memory_space
    tail = "" if isinstance(space, NoneAttr) else f", {printer._elided_text(space)}"
    return f"memref<*x{text(ty.element_type)}{tail}>"


def _tensor(printer: PrinterBase, ty: TensorType) -> str:
    text = printer._attribute_text
    tail = "" if isinstance(ty.encoding, NoneAttr) else f", {text(ty.encoding)}"
    return f"tensor<{_dimensions(ty.shape)}{text(ty.element_type)}{tail}>"


def _unranked_tensor(printer: PrinterBase, ty: UnrankedTensorType) -> str:
    return f"tensor<*x{printer._attribute_text(ty.element_type)}>"


def _vector(printer: PrinterBase, ty: VectorType) -> str:
    parts = [
        f"[{d.data}]x" if s.value.data else f"{d.data}x"
        for d, s in zip(ty.shape.data, ty.scalable_dims.data, strict=True)
    ]
    return f"vector<{''.join(parts)}{printer._attribute_text(ty.element_type)}>"


def _complex(printer: PrinterBase, ty: ComplexType) -> str:
    return f"complex<{printer._attribute_text(ty.element_type)}>"


def _tuple(printer: PrinterBase, ty: TupleType) -> str:
    return f"tuple<{', '.join([printer._attribute_text(t) for t in ty.types.data])}>"


def _function(printer: PrinterBase, ty: FunctionType) -> str:
    text = printer._attribute_text
    inputs = ", ".join([text(t) for t in ty.inputs.data])
    outputs = ty.outputs.data
    results = ", ".join([text(t) for t in outputs])
    if len(outputs) != 1 or isinstance(outputs[0], builtin.FunctionType):
        results = f"({results})"
    return f"({inputs}) -> {results}"


def _string(printer: PrinterBase, attribute: StringAttr) -> str:
    return f'"{escape(attribute.data)}"'


def _bytes(printer: PrinterBase, attribute: BytesAttr) -> str:
    return f'"{escape(attribute.data)}"'


def _symbol(printer: PrinterBase, attribute: SymbolRefAttr) -> str:
    text = symbol_text(attribute.root_reference.data)
    for nested in attribute.nested_references.data:
        text += "::" + symbol_text(nested.data)
    return text


def _array(printer: PrinterBase, attribute: ArrayAttr) -> str:
    return f"[{', '.join([printer._elided_text(a) for a in attribute.data])}]"


def _dictionary(printer: PrinterBase, attribute: DictionaryAttr) -> str:
    return printer._dictionary_text(attribute.data)


def _strided(printer: PrinterBase, attribute: StridedLayoutAttr) -> str:
    def as_text(value: IntAttr | NoneAttr) -> str:
        return "?" if isinstance(value, NoneAttr) else str(value.data)

    strides = ", ".join([as_text(value) for value in attribute.strides.data])
    offset = as_text(attribute.offset)
    tail = "" if offset == "0" else f", offset: {offset}"
    return f"strided<[{strides}]{tail}>"


def _opaque(printer: PrinterBase, attribute: OpaqueAttr) -> str:
    text = f'opaque<"{escape(attribute.ident.data)}", "{escape(attribute.value.data)}">'
    if isinstance(attribute.type, NoneAttr):
        return text
    return f"{text} : {printer._attribute_text(attribute.type)}"


def _dense_array(printer: PrinterBase, attribute: DenseArrayBase[IntegerType]) -> str:
    from xgpu.core.syntax.dense_printer import array_text

    return array_text(printer, attribute)


def _dense(printer: PrinterBase, attribute: DenseIntOrFPElementsAttr) -> str:
    from xgpu.core.syntax.dense_printer import dense_text

    return dense_text(printer, attribute)


def _dense_resource(printer: PrinterBase, attribute: DenseResourceAttr) -> str:
    key = attribute.resource_handle.data
    printer.resource_keys[key] = None
    as_text = key if is_bare_identifier(key) else f'"{escape(key)}"'
    return f"dense_resource<{as_text}> : {printer._attribute_text(attribute.type)}"


def _affine_map(printer: PrinterBase, attribute: AffineMapAttr) -> str:
    from xgpu.core.syntax.affine_printer import map_text

    return f"affine_map<{map_text(attribute.data)}>"


def _affine_set(printer: PrinterBase, attribute: AffineSetAttr) -> str:
    from xgpu.core.syntax.affine_printer import set_text

    return f"affine_set<{set_text(attribute.data)}>"


def _word(text: str) -> Callable[[object, object], str]:
    return lambda printer, attribute: text


_MAY_HAVE_ALIAS = frozenset((builtin.AffineMapAttr, builtin.AffineSetAttr, builtin.TupleType))

_SPELL: dict[type, Callable[..., str]] = {
    builtin.IntegerType: _integer_type,
    builtin.IndexType: _word("index"),
    builtin.NoneType: _word("none"),
    builtin.UnitAttr: _word("unit"),
    builtin.IntegerAttr: _integer,
    builtin.FloatAttr: _float,
    builtin.MemRefType: _memref,
    builtin.UnrankedMemRefType: _unranked_memref,
    builtin.TensorType: _tensor,
    builtin.UnrankedTensorType: _unranked_tensor,
    builtin.VectorType: _vector,
    builtin.ComplexType: _complex,
    builtin.TupleType: _tuple,
    builtin.FunctionType: _function,
    builtin.StringAttr: _string,
    builtin.BytesAttr: _bytes,
    builtin.SymbolRefAttr: _symbol,
    builtin.ArrayAttr: _array,
    builtin.DictionaryAttr: _dictionary,
    builtin.StridedLayoutAttr: _strided,
    builtin.OpaqueAttr: _opaque,
    builtin.DenseArrayBase: _dense_array,
    builtin.DenseIntOrFPElementsAttr: _dense,
    builtin.DenseResourceAttr: _dense_resource,
    builtin.AffineMapAttr: _affine_map,
    builtin.AffineSetAttr: _affine_set,
}
