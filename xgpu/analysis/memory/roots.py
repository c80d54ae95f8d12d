# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What memory a value stands for: its root, found through views.

A root is the value that an allocation, an attribution of workgroup memory or an argument is, or the
name of a global. What cannot be followed (a choice between memrefs, one that a loop carries) has
the root None, which may be any memory.

Different arguments of a function are taken for different memory, as `__restrict__` says in CUDA:
what a kernel reads by one pointer it does not write by another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, MemRefType, UnrankedMemRefType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.ir.op_info import traits_of

if TYPE_CHECKING:
    from xdsl.ir import Block

#: A value, the name of a global, or None for memory that is not known.
Root = SSAValue | str | None

_WORKGROUP, _PRIVATE = 3, 5
_VIEW_TRAITS = frozenset({"CastOpInterface", "ViewLikeOpInterface"})
#: Views of whose operands the first is not the only memref that they could stand for.
_NO_VIEWS = frozenset({"builtin.unrealized_conversion_cast"})
_ALLOCATIONS = frozenset(
    {"memref.alloc", "memref.alloca", "gpu.alloc", "gpu.dynamic_shared_memory"}
)
#: Operations that say where memory is, and read nothing, whatever their definitions state.
_DESCRIPTIONS = frozenset({"nvgpu.warpgroup.generate.descriptor"})
#: Operations whose block's arguments are memory of their own.
_OWNERS = frozenset({"gpu.launch", "gpu.func"})


def space_of(ty: Attribute) -> int | None:
    """The number of a memref's memory space: 3 for workgroup memory, None for the default."""
    space = ty.memory_space if isinstance(ty, MemRefType | UnrankedMemRefType) else None
    if isinstance(space, IntegerAttr):
        return space.value.data
    if space is None or space.name != "gpu.address_space":
        return None
    return {"workgroup": _WORKGROUP, "private": _PRIVATE}.get(str(getattr(space, "data", "")))


def is_workgroup(ty: Attribute) -> bool:
    return space_of(ty) == _WORKGROUP


def is_view(op: Operation) -> bool:
    """Whether the result of `op` is memory of its first operand."""
    if op.name == "memref.transpose":  # without the interface in MLIR
        return True
    return op.name not in _NO_VIEWS and bool(_VIEW_TRAITS & traits_of(op.name))


def root_of(value: SSAValue) -> Root:
    """The root of a memref."""
    owner = value.owner
    while isinstance(owner, Operation) and is_view(owner):
        value = owner.operands[0]
        owner = value.owner
    if isinstance(owner, Operation):
        if owner.name == "memref.get_global":
            return str(owner.properties["name"])
        return value if owner.name in _ALLOCATIONS else None
    return value if _is_memory_of_its_own(owner) else None


def _is_memory_of_its_own(block: Block) -> bool:
    parent = block.parent_op()
    if parent is None:
        return False
    return parent.name in _OWNERS or "FunctionOpInterface" in traits_of(parent.name)


def roots_behind(value: SSAValue) -> Iterator[Root]:
    """The roots of all memory that a number, a pointer or a descriptor was computed from."""
    pending, seen = [value], {value}
    while pending:
        current = pending.pop()
        if isinstance(current.type, MemRefType | UnrankedMemRefType):
            yield root_of(current)
            continue
        owner = current.owner
        if not isinstance(owner, Operation):
            continue
        if not is_memory_effect_free(owner) and owner.name not in _DESCRIPTIONS:
            continue
        for operand in owner.operands:
            if operand not in seen:
                seen.add(operand)
                pending.append(operand)


def _kind(root: Root) -> str:
    if isinstance(root, str):
        return "global"
    if root is None:
        return "unknown"
    return "argument" if isinstance(root, BlockArgument) else "allocation"


def may_alias(first: Root, second: Root) -> bool:
    """Whether two roots may be the same memory; see above for what is taken for granted."""
    if first is None or second is None:
        return True
    if isinstance(first, str) or isinstance(second, str):
        return first == second
    return first is second


def describe(root: Root) -> str:
    """A root in words, for messages."""
    if root is None:
        return "memory that cannot be told"
    if isinstance(root, str):
        return f"the global {root}" if root.startswith("@") else f"the global @{root}"
    return f"%{root.name_hint}" if root.name_hint else f"an {_kind(root)}"
