# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How large types are on the machine that we run on, and where shared variables lie."""

from __future__ import annotations

import re

from xgpu.backend.host.context import ModuleContext
from xgpu.backend.host.function import strip_spaces
from xgpu.backend.host.text import Module

SHARED_SPACE = 3


def lay_out_shared(module: Module, context: ModuleContext) -> None:
    """Give each shared variable its place in the block's buffer; those of size zero are the dynamic
    shared memory, which follows all others."""
    at = 0
    dynamic: list[str] = []
    for variable in module.globals:
        if variable.address_space != SHARED_SPACE:
            continue
        size = type_size(variable.type, module)
        if size == 0:
            dynamic.append(variable.name)
            continue
        align = re.search(r", align (\d+)", variable.text)
        at = _round_up(at, max(16, int(align[1]) if align else 16))
        context.shared[variable.name] = at
        at += size
    context.static_bytes = at
    context.dynamic_offset = _round_up(at, 1024)  # TMA's widest swizzle repeats every 1024 bytes
    for name in dynamic:
        context.shared[name] = context.dynamic_offset


def byval(attributes: str) -> str | None:
    """The type of which a parameter with these attributes is a copy."""
    match = re.search(r"byval\((.*?)\)(?= |$)", attributes)
    return match[1] if match else None


def _round_up(value: int, to: int) -> int:
    return -(-value // to) * to


def type_size(type: str, module: Module) -> int:
    """The bytes of a type that may name types of `module`."""
    return _sizes([type], module.types)[0]


def byte_size(type: str, attributes: str) -> int:
    """The bytes of a kernel's parameter."""
    return _sizes([byval(attributes) or type], [])[0]


def _sizes(types: list[str], named: list[str]) -> list[int]:
    """Allocation sizes under the host's data layout, from LLVM itself."""
    simple = {"ptr": 8, "i64": 8, "i32": 4, "float": 4, "double": 8, "i8": 1, "i1": 1, "i16": 2,
              "half": 2}  # fmt: skip
    out: list[int] = []
    for type in types:
        if type in simple:
            out.append(simple[type])
            continue
        array = re.fullmatch(r"\[(\d+) x (\w+)\]", type)
        if array and array[2] in simple:
            out.append(int(array[1]) * simple[array[2]])
            continue
        out.append(_size_from_llvm(type, named))
    return out


def _size_from_llvm(type: str, named: list[str]) -> int:
    from llvmlite import binding

    from xgpu.backend.host.machine import target_machine

    source = "\n".join([*named, f"@g = external global {strip_spaces(type)}"])
    module = binding.parse_assembly(source)
    return target_machine().target_data.get_abi_size(
        module.get_global_variable("g").global_value_type
    )
