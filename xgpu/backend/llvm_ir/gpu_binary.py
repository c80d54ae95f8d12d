# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu.binary` in a host module: the object's bytes, and functions that load and unload it.

@m_binary = internal constant [N x i8] c"..", align 8
@m_module = internal global ptr null
@m_load, @m_unload      ; among llvm.global_ctors and llvm.global_dtors, priority 123
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, StringAttr

from xgpu.backend.llvm_ir.facts import number, prop, text_of
from xgpu.backend.llvm_ir.parts import Variable
from xgpu.backend.llvm_ir.types import quoted, symbol
from xgpu.core.ir.errors import error

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ArrayAttr, BytesAttr
    from xdsl.ir import Operation

    from xgpu.backend.llvm_ir.context import ModuleContext
    from xgpu.dialects import gpu

PRIORITY = 123


def selected_object(op: Operation) -> gpu.ObjectAttr:
    """The `#gpu.object` of a binary that its handler selects: by target, by index, or the first."""
    objects = cast("ArrayAttr[gpu.ObjectAttr]", prop(op, "objects"))
    handler = prop(op, "offloadingHandler")
    target = handler.data if handler is not None else None  # pyright: ignore
    index = 0
    if isinstance(target, IntegerAttr):
        index = number(target)
    elif target is not None:
        index = next((i for i, o in enumerate(objects.data) if o.target == target), -1)
    if not 0 <= index < len(objects.data):
        raise error(op, "the requested target object couldn't be found")
    return objects.data[index]


def object_bytes(attr: StringAttr | BytesAttr) -> bytes:
    """The bytes of a StringAttr or BytesAttr."""
    data = attr.data
    return data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data


def embed_binary(m: ModuleContext, op: Operation) -> None:
    """Writes a `gpu.binary`."""
    name = text_of(prop(op, "sym_name"))
    chosen = selected_object(op)
    raw = object_bytes(chosen.object)
    properties = chosen.properties.data if chosen.properties is not None else {}
    is_text = chosen.format == "assembly"
    if is_text:
        raw += b"\0"
    section = properties.get("section")
    if section is not None and not isinstance(section, StringAttr):
        raise error(op, "the ELF section name must be a string")
    placed = f', section "{quoted(section.data)}"' if section is not None else ""
    binary, module = (f"@{symbol(f'{name}_{part}')}" for part in ("binary", "module"))
    m.globals.append(
        f'{binary} = internal constant [{len(raw)} x i8] c"{quoted(raw)}"{placed}, align 8'
    )
    m.globals.append(f"{module} = internal global ptr null")
    m.variables.append(Variable(module, "ptr"))
    if is_text:
        level = properties.get("O")
        if level is not None and not isinstance(level, IntegerAttr):
            raise error(op, "the optimization level must be an integer")
        load = "mgpuModuleLoadJIT"
        arguments = f"ptr {binary}, i32 {number(level)}"
    else:
        load = "mgpuModuleLoad"
        arguments = f"ptr {binary}, i64 {len(raw)}"
    constructor, destructor = (f"@{symbol(f'{name}_{part}')}" for part in ("load", "unload"))
    m.functions.append(
        f'define internal void {constructor}() section ".text.startup" {{\nentry:\n'
        f"  %0 = call ptr @{load}({arguments})\n"
        f"  store ptr %0, ptr {module}\n"
        "  ret void\n}"
    )
    m.declare_runtime(load)
    m.functions.append(
        f'define internal void {destructor}() section ".text.startup" {{\nentry:\n'
        f"  %0 = load ptr, ptr {module}\n"
        f"  call void @mgpuModuleUnload(ptr %0)\n"
        "  ret void\n}"
    )
    m.declare_runtime("mgpuModuleUnload")
    m.constructors.append((PRIORITY, constructor))
    m.destructors.append((PRIORITY, destructor))
