# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builtin attributes and types of MLIR that xDSL has no class for.

All are `Data` with a tuple; they print themselves through xDSL's printer interface.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NoReturn, TypeVar, cast

from xdsl.dialects.builtin import (
    BuiltinAttribute,
    DenseIntOrFPElementsAttr,
    NoneType,
    ShapedType,
    UnitAttr,
)
from xdsl.ir import Attribute, Data, TypeAttribute
from xdsl.printer import Printer

if TYPE_CHECKING:
    from xdsl.parser import AttrParser


T = TypeVar("T")


class _Builtin(Data[T], BuiltinAttribute, Generic[T]):
    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> NoReturn:
        parser.raise_error(f"a {cls.name} is not written by its name")

    def print_parameter(self, printer: Printer) -> None: ...


class DialectAttr(_Builtin[tuple[str, str, Attribute]]):
    """An attribute of an unknown dialect; `data` is the dialect, the text after it, and the type
    that stands behind it (none: `none`)."""

    name = "builtin.opaque_attr"
    sigil = "#"

    def print_builtin(self, printer: Printer) -> None:
        dialect, body, ty = self.data
        if is_pretty(body):
            printer.print_string(f"{self.sigil}{dialect}.{body}")
        else:
            printer.print_string(f"{self.sigil}{dialect}<{body}>")
        if not isinstance(ty, NoneType):
            printer.print_string(" : ")
            printer.print_attribute(ty)

    def get_type(self) -> Attribute:
        return self.data[2]


class DialectType(DialectAttr, TypeAttribute):
    """A type of an unknown dialect; `data` is the dialect, the text after it, and `none`."""

    name = "builtin.opaque_type"
    sigil = "!"


class DistinctAttr(_Builtin[tuple[int, Attribute]]):
    """`distinct[n]<attr>`; `data` is the number and the attribute (unit for none)."""

    name = "builtin.distinct"

    def print_builtin(self, printer: Printer) -> None:
        number, referenced = self.data
        name = getattr(printer, "distinct_number", str)
        printer.print_string(f"distinct[{name(number)}]<")
        if not isinstance(referenced, UnitAttr):
            printer.print_attribute(referenced)
        printer.print_string(">")


class TypedStringAttr(_Builtin[tuple[str, Attribute]]):
    """A string attribute with a type, `"text" : type`."""

    name = "builtin.typed_string"

    def get_type(self) -> Attribute:
        return self.data[1]

    def print_builtin(self, printer: Printer) -> None:
        text, ty = self.data
        printer.print_string_literal(text)
        printer.print_string(" : ")
        printer.print_attribute(ty)


class SparseElementsAttr(_Builtin[tuple[Attribute, Attribute, Attribute]]):
    """`sparse<indices, values> : type`; `data` is the two dense attributes and the type."""

    name = "builtin.sparse"

    @property
    def type(self) -> Attribute:
        return self.data[2]

    def get_type(self) -> Attribute:
        return self.data[2]

    def print_builtin(self, printer: Printer) -> None:
        indices, values, ty = self.data
        if _is_elided(printer, indices) or _is_elided(printer, values):
            _print_elided(printer, ty)
            return
        printer.print_string("sparse<")
        if len(cast("DenseIntOrFPElementsAttr", values)):
            _print_elements(indices, printer)
            printer.print_string(", ")
            _print_elements(values, printer)
        printer.print_string("> : ")
        printer.print_attribute(ty)


class DenseStringElementsAttr(_Builtin[tuple[tuple[str, ...], Attribute]]):
    """`dense<["a", "b"]>` of any element type; `data` is the strings and the type."""

    name = "builtin.dense_string"

    @property
    def type(self) -> Attribute:
        return self.data[1]

    def get_type(self) -> Attribute:
        return self.data[1]

    def __len__(self) -> int:
        return len(self.data[0])

    def print_builtin(self, printer: Printer) -> None:
        from xgpu.core.syntax.dense_printer import nested

        strings, ty = self.data
        if _is_elided(printer, self):
            _print_elided(printer, ty)
            return
        printer.print_string("dense<")
        quoted = ['"' + escape(text) + '"' for text in strings]
        printer.print_string(nested(quoted, list(cast("ShapedType", ty).get_shape())))
        printer.print_string("> : ")
        printer.print_attribute(ty)


def _is_elided(printer: Printer, elements: Attribute) -> bool:
    """Whether elements are too many for a printer that leaves out large ones."""
    from xgpu.core.syntax.dense_printer import is_elided

    limit = cast("int | None", getattr(printer, "elide_elements", None))
    return limit is not None and is_elided(elements, limit)


def _print_elided(printer: Printer, ty: Attribute) -> None:
    printer.print_string("dense_resource<__elided__> : ")
    printer.print_attribute(ty)


def _print_elements(attribute: Attribute, printer: Printer) -> None:
    from xgpu.core.syntax.dense_printer import dense_body

    printer.print_string(dense_body(cast("DenseIntOrFPElementsAttr", attribute)))


def is_pretty(body: str) -> bool:
    """Whether MLIR writes an unknown dialect's symbol as `dialect.body`: a word, and after it
    nothing or something between angle brackets."""
    if not body or not (body[0].isalpha() and body[0].isascii()):
        return False
    at = 0
    while at < len(body) and ((body[at].isalnum() and body[at].isascii()) or body[at] in "_."):
        at += 1
    rest = body[at:]
    return not rest or (rest[0] == "<" and rest[-1] == ">")


def escape(text: str | bytes) -> str:
    """A string as MLIR writes it between quotes."""
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    if data.isalnum():
        return data.decode("ascii")
    return data.decode("latin-1").translate(_ESCAPES)


#: What stands for a byte that cannot stand for itself.
_ESCAPES = {byte: f"\\{byte:02X}" for byte in (*range(0x20), 0x22, *range(0x7F, 0x100))}
_ESCAPES[0x5C] = "\\\\"
