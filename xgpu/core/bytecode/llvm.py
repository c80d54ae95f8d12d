# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The llvm dialect's encoding of debug-info and loop attributes.

An attribute has a code and then its parameters, in the order of its definition; how each is written
follows from its kind (MLIR's `Dialect/LLVMIR/LLVMDialectBytecode.td`). All other attributes of the
dialect, and its types, are written as text.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute

from xgpu.core.ods.attributes import StructAttr, keywords_of, value_of
from xgpu.core.ods.registry import attr_class
from xgpu.core.ods.spec import Parameter
from xgpu.core.support.files import data_lines, data_text

if TYPE_CHECKING:
    from xgpu.core.bytecode.builtin_types import Entries, Sink
    from xgpu.core.bytecode.encoding import Cursor

#: The attributes by their codes.
_NAMES = (
    "llvm.di_basic_type",
    "llvm.di_compile_unit",
    "llvm.di_composite_type",
    "llvm.di_derived_type",
    "llvm.di_expression_elem",
    "llvm.di_expression",
    "llvm.di_file",
    "llvm.di_global_variable",
    "llvm.di_global_variable_expression",
    "llvm.di_imported_entity",
    "llvm.di_label",
    "llvm.di_lexical_block",
    "llvm.di_lexical_block_file",
    "llvm.di_local_variable",
    "llvm.di_namespace",
    "llvm.di_subprogram",
    "llvm.di_subrange",
    "llvm.di_subroutine_type",
    "llvm.loop_annotation",
)
_CODES = {name: code for code, name in enumerate(_NAMES)}

#: Strings that stand in the attribute itself.
_OWN_STRINGS = frozenset(("llvm.di_basic_type", "llvm.di_file"))
#: Parameters that MLIR's bytecode leaves out.
_LEFT_OUT = frozenset((("llvm.di_compile_unit", "splitDebugFilename"),))
#: Parameters that hold a constant of DWARF as its name -> how that begins.
_DWARF = {
    "tag": "DW_TAG_",
    "encoding": "DW_ATE_",
    "sourceLanguage": "DW_LANG_",
    "callingConvention": "DW_CC_",
    "opcode": "DW_OP_",
}
#: An operation of expressions whose second argument is an encoding.
_CONVERT = "DW_OP_LLVM_convert"
_NUMBERS = frozenset(("unsigned", "uint32_t", "uint64_t"))


@cache
def _dwarf_numbers() -> dict[str, int]:
    lines = data_lines(data_text(__file__, "dwarf.txt"))
    return {name: int(number, 16) for name, number in lines}


@cache
def _dwarf_names() -> dict[tuple[str, int], str]:
    """The first name of each number, by the begin of the name."""
    found: dict[tuple[str, int], str] = {}
    for name, number in _dwarf_numbers().items():
        prefix = "_".join(name.split("_")[:2]) + "_"
        found.setdefault((prefix, number), name)
    return found


def _parameters(name: str) -> Iterator[tuple[int, Parameter]]:
    """The parameters of an attribute that the bytecode has, with their positions."""
    for at, parameter in enumerate(attr_class(name).spec.parameters):
        if (name, parameter.name) not in _LEFT_OUT:
            yield at, parameter


def write_attribute(value: Attribute, out: Sink) -> bool:
    """Writes an attribute's code and parts; false if it has none, nothing is written then."""
    code = _CODES.get(value.name)
    if code is None or not isinstance(value, StructAttr):
        return False
    out.varint(code)
    for at, parameter in _parameters(value.name):
        _write(value.name, parameter, value.data[at], out)
    return True


def _write(name: str, parameter: Parameter, value: Any, out: Sink) -> None:
    kind = parameter.kind
    if parameter.enum is not None:
        cases = parameter.enum
        if value is None:
            out.varint(0)
        elif cases.bits:
            out.varint(value_of(parameter, cases, value))
        else:
            out.varint(cases.cases[value])
    elif parameter.name in _DWARF:
        out.varint(_dwarf_numbers()[value] if isinstance(value, str) else value or 0)
    elif kind in _NUMBERS:
        out.varint(value or 0)
    elif kind == "bool":
        out.byte(bool(value))
    elif kind == "optional<unsigned>":
        out.varint((value or 0) << 1 | (value is not None))
    elif kind.startswith("ArrayRef"):
        _write_array(value or (), out)
    elif kind == "StringAttr" and name in _OWN_STRINGS:
        out.string(value.data)
    elif parameter.optional:
        out.optional_attribute(value)
    else:
        out.attribute(value)


def _write_array(values: tuple[Any, ...], out: Sink) -> None:
    out.byte(bool(values))
    if not values:
        return
    out.varint(len(values))
    for value in values:
        if isinstance(value, str):  # the encoding that an expression converts to
            out.varint(_dwarf_numbers()[value])
        elif isinstance(value, int):
            out.varint(value)
        else:
            out.optional_attribute(value)


def read_attribute(cursor: Cursor, entries: Entries) -> Attribute:
    """The attribute whose code and parts are at the cursor."""
    at = cursor.at
    code = cursor.varint()
    if code >= len(_NAMES):
        cursor.fail(f"unknown attribute code: {code}", at)
    name = _NAMES[code]
    cls = attr_class(name)
    values: list[Any] = [None] * len(cls.spec.parameters)
    for position, parameter in _parameters(name):
        values[position] = _read(name, parameter, cursor, entries)
    if values[0] == _CONVERT and len(values[1]) == 2:
        size, encoding = values[1]
        values[1] = (size, _dwarf_names().get(("DW_ATE_", encoding), encoding))
    return cls(*values)


def _read(name: str, parameter: Parameter, cursor: Cursor, entries: Entries) -> Any:
    kind = parameter.kind
    if parameter.enum is not None:
        return _read_case(parameter, cursor)
    if parameter.name in _DWARF:
        at = cursor.at
        prefix, number = _DWARF[parameter.name], cursor.varint()
        if not number and parameter.default == "0":
            return 0
        found = _dwarf_names().get((prefix, number))
        if found is None:
            cursor.fail(f"unknown constant of DWARF, {prefix}: {number}", at)
        return found
    if kind in _NUMBERS:
        return (cursor.varint() or None) if parameter.optional else cursor.varint()
    if kind == "bool":
        flag = bool(cursor.byte())
        return (flag or None) if parameter.optional else flag
    if kind == "optional<unsigned>":
        number, is_there = cursor.flagged()
        return number if is_there else None
    if kind.startswith("ArrayRef"):
        return _read_array(kind, cursor, entries)
    if kind == "StringAttr" and name in _OWN_STRINGS:
        return StringAttr(entries.string(cursor))
    return entries.optional_attribute(cursor) if parameter.optional else entries.attribute(cursor)


def _read_case(parameter: Parameter, cursor: Cursor) -> str | None:
    """The keywords of an enumeration's value; None for zero where the parameter is optional."""
    cases = parameter.enum
    assert cases is not None
    at = cursor.at
    number = cursor.varint()
    if parameter.optional and not number:
        return None
    if cases.bits:
        known = 0
        for bits in cases.cases.values():
            known |= bits
        if number & ~known:
            cursor.fail(f"invalid value of {parameter.name}: {number}", at)
        return keywords_of(cases, number)
    for keyword, value in cases.cases.items():
        if value == number:
            return keyword
    cursor.fail(f"invalid value of {parameter.name}: {number}", at)


def _read_array(kind: str, cursor: Cursor, entries: Entries) -> tuple[Any, ...]:
    if not cursor.byte():
        return ()
    count = cursor.count("elements")
    if kind == "ArrayRef<uint64_t>":
        return tuple(cursor.varint() for _ in range(count))
    return tuple(entries.optional_attribute(cursor) for _ in range(count))
