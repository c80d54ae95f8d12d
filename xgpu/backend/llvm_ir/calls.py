# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls: direct and indirect, invoke, inline assembly, intrinsics by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.backend.llvm_ir.attributes import each, memory, parameter
from xgpu.backend.llvm_ir.facts import (
    TAIL_CALL,
    fast_math,
    flag,
    groups,
    integers,
    number,
    prop,
    text_of,
)
from xgpu.backend.llvm_ir.instruction_metadata import alias_metadata, branch_metadata
from xgpu.backend.llvm_ir.types import quoted, symbol
from xgpu.core.ir.errors import error
from xgpu.dialects import llvm
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMPointerType, LLVMVoidType

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.function import FunctionWriter

_CALL_FLAGS = (
    ("convergent", "convergent"),
    ("no_unwind", "nounwind"),
    ("will_return", "willreturn"),
    ("no_inline", "noinline"),
    ("always_inline", "alwaysinline"),
    ("inline_hint", "inlinehint"),
)


def calling_convention(attr: Attribute | None) -> str:
    """The calling convention by number; LLVM prints its name."""
    n = number(attr)
    return f"cc {n} " if n else ""


def bundles(w: FunctionWriter, op: Operation, operands: Sequence[SSAValue]) -> str:
    """` [ "tag"(values), ... ]`"""
    tags = prop(op, "op_bundle_tags")
    if tags is None or not tags.data:  # pyright: ignore[reportAttributeAccessIssue]
        return ""
    found, at = [], 0
    for tag, size in zip(tags.data, integers(prop(op, "op_bundle_sizes")), strict=False):  # pyright: ignore
        values = ", ".join(w.typed(v) for v in operands[at : at + size])
        found.append(f'"{quoted(text_of(tag))}"({values})')
        at += size
    return f" [ {', '.join(found)} ]" if found else ""


def arguments(
    w: FunctionWriter, op: Operation, operands: Sequence[SSAValue], immediates: Sequence[int] = ()
) -> str:
    """The arguments of a call, each with its type and attributes."""
    attrs = prop(op, "arg_attrs")
    if attrs is None:
        return ", ".join([w.typed(v) for v in operands])
    found = []
    for value, own in zip(operands, each(attrs, len(operands)), strict=False):
        text = parameter(op, own, w.types)
        found.append(f"{w.types(value.type)} {text}{w.values[value]}")
    return ", ".join(found)


def result_attributes(w: FunctionWriter, op: Operation) -> str:
    attrs = prop(op, "res_attrs")
    return parameter(op, each(attrs, 1)[0], w.types) if attrs is not None else ""


def _callee(
    w: FunctionWriter, op: Operation, operands: list[SSAValue]
) -> tuple[str, str, list[SSAValue]]:
    """(type as the call writes it, callee, arguments)"""
    name = prop(op, "callee")
    vararg = prop(op, "var_callee_type")
    space = ""
    if name is not None:
        called = name.string_value()  # pyright: ignore[reportAttributeAccessIssue]
        target = f"@{symbol(called)}"
        if called.startswith("llvm."):
            w.module.uses.intrinsics.add(called)
    else:
        pointer = operands[0].type
        target, operands = w.values[operands[0]], operands[1:]
        if isinstance(pointer, LLVMPointerType) and pointer.data:
            space = f"addrspace({pointer.data}) "
    if isinstance(vararg, LLVMFunctionType) and vararg.variadic:
        return space + w.types(vararg), target, operands
    if not op.results:
        result = "void"
        if isinstance(vararg, LLVMFunctionType) and not isinstance(vararg.result, LLVMVoidType):
            result = w.types(vararg.result)
    else:
        result = w.types(op.results[0].type)
    return space + result, target, operands


def call(w: FunctionWriter, op: Operation) -> None:
    operands, bundled = groups(op, 2)
    result, target, operands = _callee(w, op, operands)
    text = TAIL_CALL[number(prop(op, "TailCallKind"))]
    if text == "musttail ":
        w.module.uses.features.add("musttail")
    flags = fast_math(op) if op.results else ""
    text += f"call {flags}{calling_convention(prop(op, 'CConv'))}{result_attributes(w, op)}"
    text += f"{result} {target}({arguments(w, op, operands)})"
    text += "".join([f" {name}" for flagged, name in _CALL_FLAGS if flag(op, flagged)])
    if (effects := prop(op, "memory_effects")) is not None:
        text += f" {memory(cast('llvm.MemoryEffectsAttr', effects))}"
    text += bundles(w, op, bundled) + alias_metadata(w, op) + branch_metadata(w, op)
    if op.results:
        w.define(op.results[0], text)
    else:
        w.line(text)


def invoke(w: FunctionWriter, op: Operation) -> None:
    operands, _, _, bundled = groups(op, 4)
    result, target, operands = _callee(w, op, operands)
    text = f"invoke {calling_convention(prop(op, 'CConv'))}{result_attributes(w, op)}"
    text += f"{result} {target}({arguments(w, op, operands)}){bundles(w, op, bundled)} "
    text += f"to {w.label(op.successors[0])} unwind {w.label(op.successors[1])}"
    text += branch_metadata(w, op)
    if op.results:
        w.define(op.results[0], text)
    else:
        w.line(text)


def assembly(
    w: FunctionWriter,
    text: str,
    constraints: str,
    arguments: Sequence[str],
    result: str = "void",
    *,
    side_effects: bool = False,
    options: str = "",
    tail: str = "",
) -> str | None:
    """Inline assembly; arguments come with their types. Returns the result's text."""
    w.module.uses.assembly.add(text)
    effects = "sideeffect " if side_effects else ""
    line = f'{tail}call {result} asm {effects}{options}"{quoted(text)}", "{quoted(constraints)}"'
    line += f"({', '.join(arguments)})"
    if result == "void":
        w.line(line)
        return None
    return w.new(line)


def inline_asm(w: FunctionWriter, op: Operation) -> None:
    options = "alignstack " if flag(op, "is_align_stack") else ""
    if number(prop(op, "asm_dialect")) == 1:
        options += "inteldialect "
    values: list[str] = []
    attrs = prop(op, "operand_attrs")
    for value, own in zip(op.operands, each(attrs, len(op.operands)), strict=False):
        kind = own.data.get("elementtype") if isinstance(own, DictionaryAttr) else None
        text = f"elementtype({w.types(kind)}) " if kind is not None else ""
        values.append(f"{w.types(value.type)} {text}{w.values[value]}")
    text = assembly(
        w,
        text_of(prop(op, "asm_string")),
        text_of(prop(op, "constraints")),
        values,
        w.types(op.results[0].type) if op.results else "void",
        side_effects=flag(op, "has_side_effects"),
        options=options,
        tail=TAIL_CALL[number(prop(op, "tail_call_kind"))],
    )
    if text is not None:
        w.values[op.results[0]] = text


def call_intrinsic(w: FunctionWriter, op: Operation) -> None:
    operands, bundled = groups(op, 2)
    name = text_of(prop(op, "intrin"))
    if not w.module.is_intrinsic(name):
        raise error(op, f'could not find LLVM intrinsic: "{name}"')
    w.module.uses.intrinsics.add(name)
    result = w.types(op.results[0].type) if op.results else "void"
    flags = fast_math(op) if op.results else ""
    text = f"call {flags}{result_attributes(w, op)}{result} @{symbol(name)}"
    text += f"({arguments(w, op, operands)}){bundles(w, op, bundled)}"
    if op.results:
        w.define(op.results[0], text)
    else:
        w.line(text)


EMIT: dict[str, Callable[[FunctionWriter, Operation], None]] = {
    "llvm.call": call,
    "llvm.invoke": invoke,
    "llvm.inline_asm": inline_asm,
    "llvm.call_intrinsic": call_intrinsic,
}
