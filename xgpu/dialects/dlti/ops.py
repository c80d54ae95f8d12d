# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ODS leaves to C++ of the dlti dialect: data layout attributes and their verifiers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
)
from xdsl.ir import Attribute, Data, Operation

from xgpu.core.ir.construction import current_token
from xgpu.core.ir.elements import first_values
from xgpu.core.ir.errors import error, shown

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer

    from xgpu.dialects.llvm.types import LLVMStructType


# -- Data layout entries and specifications.
#
# All are lists of entries `key = value`, where a key is a type or a string; an entry may also be
# written as an attribute of its own, `#dlti.dl_entry<key, value>`. Source: MLIR 22.1 DLTI.cpp.


Entry = tuple[Attribute, Attribute]


def _parse_key(parser: AttrParser) -> Attribute:
    text = parser.parse_optional_str_literal()
    if text is not None:
        if not text:
            parser.raise_error("empty string as DLTI key is not allowed")
        return StringAttr(text)
    key = parser.parse_optional_type()
    if key is None:
        parser.raise_error("expected a type or a quoted string")
    return key


def _print_entry(printer: Printer, entry: Entry, between: str) -> None:
    printer.print_attribute(entry[0])
    printer.print_string(between)
    printer.print_attribute(entry[1])


class DataLayoutEntryAttr(Data[Entry]):
    """`#dlti.dl_entry<key, value>`"""

    name = "dlti.dl_entry"

    @property
    def key(self) -> Attribute:
        return self.data[0]

    @property
    def value(self) -> Attribute:
        return self.data[1]

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Entry:
        parser.parse_punctuation("<")
        key = _parse_key(parser)
        parser.parse_punctuation(",")
        value = parser.parse_attribute()
        parser.parse_punctuation(">")
        return key, value

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string("<")
        _print_entry(printer, self.data, ", ")
        printer.print_string(">")


class _Entries(Data[tuple[Entry, ...]]):
    """A list of entries with distinct keys."""

    #: What MLIR says of a key that is there twice.
    _repeated: ClassVar[str] = "repeated DLTI key"
    #: Whether no key is a type.
    _strings_only: ClassVar[bool] = False

    def entries(self) -> tuple[Entry, ...]:
        """The pairs of key and value, in order."""
        return self.data

    def query(self, key: Attribute | str) -> Attribute | None:
        """The value of `key`, or None."""
        wanted = StringAttr(key) if isinstance(key, str) else key
        return next((value for found, value in self.data if found == wanted), None)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[Entry, ...]:
        start = parser.pos
        parser.parse_punctuation("<")
        found: list[Entry] = []
        # Where the name stands, of which `<` has been read: MLIR reports there what concerns all.
        at = start - len(cls.name.partition(".")[2])
        if parser.parse_optional_punctuation(">") is not None:
            return ()
        while True:
            found.append(cls._parse_entry(parser))
            if parser.parse_optional_punctuation(",") is None:
                break
        parser.parse_punctuation(">")
        cls._check(parser, found, at)
        return tuple(found)

    @classmethod
    def _check(cls, parser: AttrParser, found: Sequence[Entry], at: int) -> None:
        seen: set[Attribute] = set()
        for key, value in found:
            if isinstance(key, StringAttr) and not key.data:
                parser.raise_error("empty string as DLTI key is not allowed", at)
            if key in seen:
                parser.raise_error(f"{cls._repeated}: {shown(key)}", at)
            seen.add(key)
            cls._check_value(parser, key, value, at)

    @classmethod
    def _check_value(cls, parser: AttrParser, key: Attribute, value: Attribute, at: int) -> None:
        """Reports to `parser` a value that the list does not take."""

    @classmethod
    def _parse_entry(cls, parser: AttrParser) -> Entry:
        at = parser.pos
        whole = parser.parse_optional_attribute() if _starts_attribute(parser) else None
        if whole is not None:
            if not isinstance(whole, DataLayoutEntryAttr):
                parser.raise_error("invalid kind of attribute specified", at)
            return whole.data
        text = parser.parse_optional_str_literal()
        key = None if text is None else StringAttr(text)
        if key is None and not cls._strings_only:
            key = parser.parse_optional_type()
        if key is None:
            parser.raise_error("invalid kind of attribute specified", at)
        parser.parse_punctuation("=")
        return key, parser.parse_attribute()

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string("<")
        for i, entry in enumerate(self.data):
            if i:
                printer.print_string(", ")
            _print_entry(printer, entry, " = ")
        printer.print_string(">")


def _starts_attribute(parser: AttrParser) -> bool:
    """Whether an attribute of a dialect, and no key, comes next."""
    return current_token(parser).text.startswith("#")


class DataLayoutSpecAttr(_Entries):
    """`#dlti.dl_spec<index = 32 : i32, "dlti.endianness" = "little">`"""

    name = "dlti.dl_spec"


class MapAttr(_Entries):
    """`#dlti.map<"key" = value>`"""

    name = "dlti.map"


class TargetDeviceSpecAttr(_Entries):
    """`#dlti.target_device_spec<"L1_cache_size_in_bytes" = 4096 : i32>`"""

    name = "dlti.target_device_spec"
    _strings_only = True


class TargetSystemSpecAttr(_Entries):
    """`#dlti.target_system_spec<"CPU" = #dlti.target_device_spec<...>>`"""

    name = "dlti.target_system_spec"
    _repeated = "repeated device ID in dlti.target_system_spec"
    _strings_only = True

    @classmethod
    def _check_value(cls, parser: AttrParser, key: Attribute, value: Attribute, at: int) -> None:
        if not isinstance(value, TargetDeviceSpecAttr):
            parser.raise_error(
                f"value associated with key {shown(key)} is not a DLTI device spec", at
            )


ATTRIBUTES: dict[str, type[Attribute]] = {
    cls.name: cls
    for cls in (
        DataLayoutEntryAttr,
        DataLayoutSpecAttr,
        MapAttr,
        TargetDeviceSpecAttr,
        TargetSystemSpecAttr,
    )
}


# -- What the dlti dialect demands of discardable attributes that carry its name.
#
# A data layout is checked on operations that have one: each entry by the kind of its key, then all
# against the layouts around them.
#
# Source: MLIR 22.1 DataLayoutInterfaces.cpp, DLTI.cpp, LLVMTypes.cpp.


#: Operations that have a data layout.
_WITH_LAYOUT = frozenset(("builtin.module", "gpu.module"))

#: Keys that are strings of this dialect.
_KEYS = frozenset(
    f"dlti.{name}"
    for name in (
        *("endianness", "default_memory_space", "alloca_memory_space", "program_memory_space"),
        *("global_memory_space", "stack_alignment", "mangling_mode", "legal_int_widths"),
        "function_pointer_alignment",
    )
)


def _numbers(value: Attribute) -> list[int] | None:
    """The elements of dense integers; of many only the first, which are more than any entry has."""
    if not isinstance(value, DenseIntOrFPElementsAttr):
        return None
    if not isinstance(value.get_element_type(), IntegerType):
        return None
    return [int(n) for n in first_values(value, 5)]


def _is_i64(value: Attribute) -> bool:
    element = cast("DenseIntOrFPElementsAttr", value).get_element_type()
    return isinstance(element, IntegerType) and element.width.data == 64


# --- entries by the kind of their key ------------------------------------------------------------
def _scalar(op: Operation, key: Attribute, value: Attribute) -> None:
    """ABI and preferred alignment of an integer or float."""
    entry = f"#dlti.dl_entry<{shown(key)}, {shown(value)}>"
    numbers = _numbers(value)
    if numbers is None or not _is_i64(value):
        raise error(op, f"expected a dense i64 elements attribute in the data layout entry {entry}")
    if len(numbers) not in (1, 2):
        raise error(op, f"expected 1 or 2 elements in the data layout entry {entry}")
    if numbers[-1] < numbers[0]:
        raise error(
            op,
            "preferred alignment is expected to be greater than or equal to the abi alignment in "
            f"data layout entry {entry}",
        )


def _index(op: Operation, key: Attribute, value: Attribute) -> None:
    if not isinstance(value, IntegerAttr):
        raise error(op, "expected integer attribute in the data layout entry for 'index'")


def _ordered(op: Operation, abi: int, preferred: int) -> None:
    if preferred < abi:
        raise error(op, "preferred alignment is expected to be at least as large as ABI alignment")


def _pointer(op: Operation, key: Attribute, value: Attribute) -> None:
    """Size, ABI and preferred alignment, width of an index."""
    numbers = _numbers(value)
    if numbers is None or len(numbers) not in (3, 4):
        raise error(
            op,
            f"expected layout attribute for '{shown(key)}' to be a dense integer elements "
            "attribute with 3 or 4 elements",
        )
    if not _is_i64(value):
        raise error(op, f"expected i64 parameters for '{shown(key)}'")
    _ordered(op, numbers[1], numbers[2])


def _struct(op: Operation, key: Attribute, value: Attribute) -> None:
    """Alignments of structs without a field, which stand for those of all."""
    numbers = _numbers(value)
    if numbers is None or len(numbers) not in (1, 2):
        raise error(
            op,
            f"expected layout attribute for '{shown(key)}' to be a dense integer elements "
            "attribute of 1 or 2 elements",
        )
    if not _is_i64(value):
        raise error(op, f"expected i64 entries for '{shown(key)}'")
    key = cast("LLVMStructType", key)
    if key.struct_name is not None or key.body:
        raise error(op, f"unexpected layout attribute for struct '{shown(key)}'")
    _ordered(op, numbers[0], numbers[-1])


def _address(op: Operation, key: Attribute, value: Attribute) -> None:
    if value.name != "ptr.spec":
        raise error(op, f"expected layout attribute for '{shown(key)}' to be a #ptr.spec attribute")


def _anything(op: Operation, key: Attribute, value: Attribute) -> None:
    """Arrays and target types look at nothing."""


#: Types of dialects that have a layout.
_TYPES: dict[str, Callable[[Operation, Attribute, Attribute], None]] = {
    "llvm.ptr": _pointer,
    "llvm.struct": _struct,
    "llvm.array": _anything,
    "llvm.target": _anything,
    "ptr.ptr": _address,
}


def _string(op: Operation, key: str, value: Attribute) -> None:
    """An entry whose key is a string; other dialects' are their affair."""
    if not key.startswith("dlti."):
        return
    if key not in _KEYS:
        raise error(op, f"unknown data layout entry name: {key}")
    known = isinstance(value, StringAttr) and value.data in ("big", "little")
    if key == "dlti.endianness" and not known:
        raise error(
            op, "'dlti.endianness' data layout entry is expected to be either 'big' or 'little'"
        )


def _entry(op: Operation, key: Attribute, value: Attribute) -> None:
    if isinstance(key, StringAttr):
        _string(op, key.data, value)
    elif isinstance(key, IndexType):
        _index(op, key, value)
    elif isinstance(key, IntegerType | AnyFloat):
        _scalar(op, key, value)
    elif key.name in _TYPES:
        _TYPES[key.name](op, key, value)
    elif "." not in key.name or key.name.startswith("builtin."):
        raise error(op, "unexpected data layout for a built-in type")
    else:
        raise error(op, "data layout specified for a type that does not support it")


# --- specifications ------------------------------------------------------------------------------
def _data_layout(op: Operation, name: str, value: IntegerAttr | DataLayoutSpecAttr) -> None:
    if not isinstance(value, DataLayoutSpecAttr):
        raise error(op, "'dlti.dl_spec' is expected to be a #dlti.dl_spec attribute")
    if op.name not in _WITH_LAYOUT:
        return
    for key, what in value.entries():
        _entry(op, key, what)
    outer = op.parent_op()
    while outer is not None:
        around = outer.attributes.get(name) if outer.name in _WITH_LAYOUT else None
        if isinstance(around, DataLayoutSpecAttr):
            _combines(op, value, around)
        outer = outer.parent_op()


def _combines(op: Operation, inner: DataLayoutSpecAttr, outer: DataLayoutSpecAttr) -> None:
    """No two layouts around each other say different things."""
    for key, what in inner.entries():
        if outer.query(key) not in (None, what):
            raise error(op, "data layout does not combine with layouts of enclosing ops")


def _kind(wanted: type[Attribute]) -> Callable[[Operation, str, Attribute], None]:
    def verify(op: Operation, name: str, value: Attribute) -> None:
        if not isinstance(value, wanted):
            raise error(op, f"'{name}' is expected to be a #{wanted.name} attribute")

    return verify


def _unknown(op: Operation, name: str, value: Attribute) -> None:
    raise error(op, f"attribute '{name}' not supported by dialect")


#: Discardable attribute name -> fn(op, name, value); "*" for those that have no row.
VERIFY_ATTRIBUTES: dict[str, Callable[..., None]] = {
    "dlti.dl_spec": _data_layout,
    "dlti.map": _kind(MapAttr),
    "dlti.target_system_spec": _kind(TargetSystemSpecAttr),
    "*": _unknown,
}
