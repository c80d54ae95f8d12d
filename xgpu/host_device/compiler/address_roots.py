# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What addresses are computed from: a variable with a known size, or an argument.

An address that is computed from one allocation and lies in another is as wrong as one that lies
nowhere, but only who knows the first can say so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import number, text_of
from xgpu.dialects.llvm.types import DataLayout

if TYPE_CHECKING:
    from xdsl.dialects.builtin import SymbolRefAttr
    from xdsl.ir import Operation, SSAValue


LAYOUT = DataLayout("e-i64:64-i128:128-v16:16-v32:32-n16:32:64")
_STEPS = ("llvm.getelementptr", "llvm.addrspacecast", "llvm.bitcast")
# What changes a number of an address and keeps what it belongs to: of `llvm.sub` the first.
_NUMBER_STEPS = ("llvm.zext", "llvm.sext", "llvm.trunc", "llvm.sub")
_SHARED_POINTER = "llvm.nvvm.ptx.shared.pointer"
_DEPTH = 64
_CONSTANT_SPACE = 4


class Root:
    """`value` is the base of an address, `extent` its bytes or None; `alloca` is the operation
    that made it, if it is private memory; `is_constant` says that it is a variable that is none."""

    __slots__ = ("alloca", "extent", "is_constant", "value")

    def __init__(
        self, value: SSAValue, extent: int | None = None, alloca: Operation | None = None,
        is_constant: bool = False,
    ) -> None:  # fmt: skip
        self.value = value
        self.extent = extent
        self.alloca = alloca
        self.is_constant = is_constant


#: The values that come into a block argument; None for a function's.
Predecessors = Callable[[BlockArgument], "Sequence[SSAValue] | None"]


def root_of(
    pointer: SSAValue, predecessors: Predecessors, globals_: dict[str, Operation]
) -> Root | None:
    """The root of an address, or None where ways with different ones meet.

    `predecessors` gives the values that come into a block argument.
    """
    base = _base(pointer, predecessors, set(), 0)
    if base is None:
        return None
    owner = base.owner
    if isinstance(owner, Block):
        return Root(base)
    if owner.name == "llvm.alloca":
        size = _alloca_size(owner)
        return Root(base, size, owner) if size is not None else None
    if owner.name == "llvm.mlir.addressof":
        variable = globals_.get(
            cast("SymbolRefAttr", owner.properties["global_name"]).string_value()
        )
        size = LAYOUT.size(variable.properties["global_type"]) if variable is not None else 0
        is_constant = variable is not None and _is_constant(variable)
        return Root(base, size, None, is_constant) if size else None
    if owner.name in ("llvm.load", "llvm.extractvalue", "llvm.call"):
        return Root(base)
    return None


def _is_constant(variable: Operation) -> bool:
    """Whether kernels cannot write to a variable."""
    if variable.properties.get("constant") is not None:
        return True
    return number(variable.properties.get("addr_space")) == _CONSTANT_SPACE


def _base(
    value: SSAValue, predecessors: Predecessors, seen: set[SSAValue], depth: int
) -> SSAValue | None:
    """The one value that an address is computed from; None if there are several or none."""
    value = _skip(value)
    if not isinstance(value, BlockArgument):
        return value
    incoming = predecessors(value)
    if incoming is None:
        return value
    if depth > _DEPTH:
        return None
    seen.add(value)
    found: set[SSAValue] = set()
    for other in incoming:
        plain = _skip(other)
        if plain in seen:
            continue
        base = _base(plain, predecessors, seen, depth + 1)
        if base is None:
            return None
        found.add(base)
    return found.pop() if len(found) == 1 else None


def _skip(value: SSAValue) -> SSAValue:
    while isinstance(owner := value.owner, Operation):
        if owner.name in _STEPS:
            value = owner.operands[0]
            continue
        pointer = _pointer_of(owner.operands[0], 0) if _is_from_number(owner) else None
        if pointer is None:
            return value
        value = pointer
    return value


def _is_from_number(op: Operation) -> bool:
    """Whether an operation makes a pointer of a number."""
    if op.name == "llvm.inttoptr":
        return True
    return op.name == "llvm.call_intrinsic" and text_of(op.properties["intrin"]) == _SHARED_POINTER


def _pointer_of(number: SSAValue, depth: int) -> SSAValue | None:
    """The one pointer whose address a number is, with something added; None if it is not that."""
    owner = number.owner
    if not isinstance(owner, Operation) or depth > _DEPTH:
        return None
    if owner.name == "llvm.ptrtoint":
        return owner.operands[0]
    if owner.name in _NUMBER_STEPS:
        return _pointer_of(owner.operands[0], depth + 1)
    if owner.name != "llvm.add":
        return None
    found = [_pointer_of(o, depth + 1) for o in owner.operands]
    known = [pointer for pointer in found if pointer is not None]
    return known[0] if len(known) == 1 else None


def _alloca_size(op: Operation) -> int | None:
    count = op.operands[0].owner
    attr = getattr(count, "properties", {}).get("value")
    if not isinstance(attr, IntegerAttr):
        return None
    return attr.value.data * LAYOUT.size(op.properties["elem_type"])


def escapes(alloca: Operation) -> bool:
    """Whether others than loads and stores at known addresses may write to private memory."""
    work: list[SSAValue] = [alloca.results[0]]
    while work:
        value = work.pop()
        for use in value.uses:
            user = use.operation
            if user.name in _STEPS:
                work.append(user.results[0])
            elif not _is_plain(user, use.index):
                return True
    return False


def _is_plain(user: Operation, index: int) -> bool:
    """Whether an operation uses an address as one to load from or store to, or not at all."""
    if user.name == "llvm.load" or user.name.startswith("llvm.intr.lifetime"):
        return True
    return user.name == "llvm.store" and index == 1
