# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module's data layout as LLVM writes it, from `llvm.data_layout` or a `dlti.dl_spec`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    IndexType,
    IntegerType,
    Signedness,
    StringAttr,
)
from xdsl.ir import Attribute, Operation

from xgpu.backend.llvm_ir.facts import integers, number, text_of
from xgpu.core.ir.errors import error
from xgpu.dialects.llvm.types import LLVMPointerType

if TYPE_CHECKING:
    from xgpu.core.ods.attributes import StructAttr
    from xgpu.dialects.dlti.ops import DataLayoutSpecAttr


def data_layout_of(op: Operation) -> str | None:
    """The text of LLVM's data layout, None if the module says nothing about it."""
    text = op.attributes.get("llvm.data_layout")
    if isinstance(text, StringAttr):
        return text.data
    spec = op.attributes.get("dlti.dl_spec")
    if spec is None:
        return None
    return _translate(op, cast("DataLayoutSpecAttr", spec))


#: Floats that LLVM's text has sizes for; bf16 is none of them.
_SIZED: dict[type, int] = {
    Float16Type: 16,
    Float32Type: 32,
    Float64Type: 64,
    Float80Type: 80,
    Float128Type: 128,
}


def _alignments(numbers: list[int]) -> list[int]:
    """The ABI and the preferred alignment, whole bytes in bits; the second if it differs."""
    abi, preferred = (n // 8 * 8 for n in (numbers[0], numbers[-1]))
    return [abi] if abi == preferred else [abi, preferred]


def _translate(op: Operation, spec: DataLayoutSpecAttr) -> str:
    """Keyed entries in their order, then the types in theirs."""
    parts: list[str] = []
    types: list[str] = []
    for key, value in spec.entries():
        if isinstance(key, (str, StringAttr)):
            part = _keyed(op, text_of(key), value)
            if part:
                parts.append(part)
            continue
        if isinstance(key, IndexType):
            continue
        numbers = _numbers(op, key, value)
        if isinstance(key, IntegerType):
            if key.signedness.data is not Signedness.SIGNLESS:
                raise error(op, f"unsupported data layout for non-signless integer '{key}'")
            types.append(":".join([f"i{key.width.data}", *map(str, _alignments(numbers))]))
        elif isinstance(key, LLVMPointerType):
            size, abi, *rest = numbers
            fields = [f"p{key.data}", size, abi, *(rest or [abi])]
            if len(rest) < 2:
                fields.append(size)
            types.append(":".join(map(str, fields)))
        elif type(key) in _SIZED:
            types.append(":".join([f"f{_SIZED[type(key)]}", *map(str, _alignments(numbers))]))
        else:
            raise error(op, f"unsupported type in data layout: '{key}'")
    return "-".join(parts + types)


def _numbers(op: Operation, key: object, value: Attribute) -> list[int]:
    """The elements of a type's entry, which the verifier has seen, except on other operations."""
    if not hasattr(value, "get_values"):
        raise error(op, f"unsupported type in data layout: '{key}'")
    return integers(value)


def _keyed(op: Operation, key: str, value: Attribute) -> str | None:
    if key == "dlti.endianness":
        return "E" if text_of(value) == "big" else "e"
    if key == "dlti.mangling_mode":
        return f"m:{text_of(value)}"
    if key == "dlti.legal_int_widths":
        return "n" + ":".join(map(str, integers(value)))
    if key == "dlti.function_pointer_alignment":
        align, dependent = cast("StructAttr", value).data
        return f"F{'n' if number(dependent) else 'i'}{number(align)}"
    letters = {
        "dlti.alloca_memory_space": "A",
        "dlti.program_memory_space": "P",
        "dlti.global_memory_space": "G",
        "dlti.stack_alignment": "S",
    }
    if key in letters:
        n = number(value)
        # Zero is LLVM's default and stays unsaid.
        return f"{letters[key]}{n}" if n else None
    raise error(op, f'unsupported data layout key "{key}"')
