# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device memory is not the host's, and plain host memory is not the device's, at no cost of speed.

Device memory lies in a part of the address space that holds nothing else (`addresses`). Half of all
addresses belong to the operating system; they have no access. So a pointer that its user must not
follow is moved there, and who follows it faults, at an address that tells what it was:

* Host code, before it uses a pointer that may be the device's:

      %q = llvm.call @xgpu_apart(%p, <where>)
      %v = llvm.load %q

  `xgpu_apart` is inlined: a shift, a comparison and an addition that is of zero for host memory,
  which LLVM moves out of loops. `where` says which line of the source it is for. Accesses by one
  pointer share it, where all ways to the later ones lead through the first.
* Arguments of kernels, when they are launched (`xgpu.host_device.abi.addresses`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i64
from xdsl.ir import Operation

from xgpu.core.ir.construction import operations_of
from xgpu.core.ir.dominance import Dominators
from xgpu.core.ir.locations import source_location
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.host_device.abi.addresses import APART, FAULT_BASE, MOST_PLACES, WHERE_BIT
from xgpu.host_device.compiler.operations import callee

if TYPE_CHECKING:
    from xdsl.ir import Block, Region, SSAValue

    from xgpu.host_device.compiler.checks import Locations


_ALLOCATORS = ("malloc", "aligned_alloc", "calloc")
_STEPS = ("llvm.getelementptr", "llvm.bitcast", "llvm.addrspacecast")
_OWN = ("llvm.alloca", "llvm.mlir.addressof", "llvm.mlir.zero")
_POINTERS = {
    "llvm.load": (0,), "llvm.store": (1,), "llvm.atomicrmw": (0,), "llvm.cmpxchg": (0,),
    "llvm.intr.memcpy": (0, 1), "llvm.intr.memcpy.inline": (0, 1), "llvm.intr.memmove": (0, 1),
    "llvm.intr.memset": (0,), "llvm.intr.memset.inline": (0,), "llvm.intr.masked.load": (0,),
    "llvm.intr.masked.store": (1,), "llvm.intr.masked.gather": (0,),
    "llvm.intr.masked.scatter": (1,), "llvm.intr.masked.expandload": (0,),
    "llvm.intr.masked.compressstore": (1,),
}  # fmt: skip


def keep_apart(module: Operation, locations: Locations) -> None:
    """Let host code in `module` (llvm dialect) fault where it uses device memory, in place."""
    body = module.regions[0].blocks[0]
    changed = False
    for op in list(operations_of(body)):
        if op.name == "llvm.func" and op.regions[0].blocks:
            changed = _Function(op.regions[0], locations).change() or changed
    if changed:
        pointer = LLVMPointerType()
        llvm.declare(Rewriter(), module, APART, (pointer, i64), pointer)


class _Function:
    """The accesses of one function."""

    def __init__(self, region: Region, locations: Locations) -> None:
        self._region = region
        self._locations = locations
        self._rw = Rewriter()
        #: For each pointer, where there is one to be used in its stead.
        self._known: dict[object, list[tuple[Block, SSAValue]]] = {}

    def change(self) -> bool:
        """Whether anything had to be done."""
        if not any(op.name in _POINTERS for b in self._region.blocks for op in operations_of(b)):
            return False
        self._dominators = Dominators(self._region)
        for block in self._dominators.order:
            for op in list(operations_of(block)):
                for index in _POINTERS.get(op.name, ()):
                    self._access(op, index, block)
        return bool(self._known)

    def _access(self, op: Operation, index: int, block: Block) -> None:
        steps, root = _chain(op.operands[index])
        key = _source(root)
        if key is None or not isinstance(root.type, LLVMPointerType):
            return
        self._rw.before(op)
        self._rw.location = op.location
        new = self._instead(key, root, op, block)
        for step in reversed(steps):
            moved = step.clone({step.operands[0]: new})
            self._rw.insert(moved)
            new = moved.results[0]
        op.operands = [*op.operands[:index], new, *op.operands[index + 1 :]]

    def _instead(self, key: object, root: SSAValue, op: Operation, block: Block) -> SSAValue:
        """What stands for a pointer at an access of it."""
        known = self._known.setdefault(key, [])
        for where, value in known:
            if self._dominators.dominates(where, block):
                return value
        value = _call(self._rw, root, self._number(op))
        known.append((block, value))
        return value

    def _number(self, op: Operation) -> int:
        location = source_location(op.location)
        number = 0 if location is None else self._locations.add(str(location))
        return number if number < MOST_PLACES else 0


def _chain(pointer: SSAValue) -> tuple[list[Operation], SSAValue]:
    """What a pointer is computed from, and the steps to it, the last one first."""
    steps: list[Operation] = []
    while isinstance(owner := pointer.owner, Operation) and owner.name in _STEPS:
        steps.append(owner)
        pointer = owner.operands[0]
    return steps, pointer


def _source(pointer: SSAValue) -> object:
    """What two pointers that are surely the same have in common; None for the host's own memory."""
    owner = pointer.owner
    if not isinstance(owner, Operation):
        return pointer
    if owner.name in _OWN or _allocates(owner):
        return None
    if owner.name != "llvm.extractvalue":
        return pointer
    position = owner.properties["position"]
    value = owner.operands[0]
    while isinstance(made := value.owner, Operation) and made.name == "llvm.insertvalue":
        if made.properties["position"] == position:
            return _source(_chain(made.operands[1])[1])
        value = made.operands[0]
    return value, str(position)


def _allocates(op: Operation) -> bool:
    return op.name == "llvm.call" and callee(op) in _ALLOCATORS


def _call(rw: Rewriter, pointer: SSAValue, number: int) -> SSAValue:
    where = (FAULT_BASE | number << WHERE_BIT) - (1 << 64)
    operands = (pointer, llvm.constant(rw, where, i64))
    return llvm.call(rw, APART, operands, pointer.type).results[0]
