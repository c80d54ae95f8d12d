# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-device-buffers`: buffers that kernels use lie on the device.

    %m = memref.alloc(%n) : memref<?xf32>          %m = gpu.alloc (%n) : memref<?xf32>
    gpu.launch .. { .. %m .. }                 =>  gpu.launch .. { .. %m .. }
    memref.dealloc %m : memref<?xf32>              gpu.dealloc %m : memref<?xf32>

A constant global that a kernel reads is copied there first. What the host itself reads or writes
cannot be such a buffer: that is an error at the access. Arguments of functions are the caller's
business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType, SymbolRefAttr
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.calls import callee_name
from xgpu.core.ir.errors import error
from xgpu.core.ir.symbols import resolve
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.bufferization.canonicalize import BufferOrigins, is_memref, view_base

if TYPE_CHECKING:
    from xdsl.context import Context

_HOST_ACCESS = frozenset(
    {
        "memref.atomic_rmw",
        "memref.copy",
        "memref.load",
        "memref.store",
        "vector.load",
        "vector.store",
        "vector.transfer_read",
        "vector.transfer_write",
    }
)
_KERNELS = frozenset({"gpu.launch", "gpu.launch_func"})


def _used_in_kernels(function: Operation) -> list[SSAValue]:
    """Buffers from outside of kernels that are used in them."""
    found: dict[SSAValue, None] = {}
    for launch in function.walk():
        if launch.name not in _KERNELS:
            continue
        for op in launch.walk():
            for value in op.operands:
                owner = value.owner
                around = owner if isinstance(owner, Operation) else owner.parent_op()
                inside = around is not None and launch.is_ancestor(around)
                if is_memref(value) and (not inside or around is None):
                    found[value] = None
    return list(found)


def _base(value: SSAValue) -> SSAValue:
    """What `value` is a view of."""
    value = view_base(value)
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "memref.extract_strided_metadata":
        return _base(owner.operands[0])
    return value


def _sources(value: SSAValue, origins: BufferOrigins, given: set[SSAValue]) -> set[SSAValue]:
    """Where a buffer may have been allocated: by a callee, if it is known to do that."""
    base = _base(value)
    return {base} if base in given else origins.origins(value) or {value}


def _from_callees(function: Operation) -> list[SSAValue]:
    """Results of calls that lie on the device, as far as callees show it."""
    found: list[SSAValue] = []
    for call in function.walk():
        name = callee_name(call) if call.name == "func.call" else None
        path = None if name is None else resolve(call, name)
        if path:
            places = _on_device(path[-1], frozenset())
            found.extend(call.results[at] for at in places)
    return found


def _on_device(function: Operation, asking: frozenset[Operation]) -> list[int]:
    """Which results of a function are device memory that it has allocated."""
    ends = [op for op in function.walk() if op.name == "func.return"]
    if function in asking or not ends:
        return []
    used = {*_used_in_kernels(function)}
    origins = BufferOrigins(function)
    of_kernels = {origin for value in used for origin in origins.origins(value) or {value}}

    def is_device(value: SSAValue) -> bool:
        maker = value.owner
        if not isinstance(maker, Operation):
            return False
        if maker.name == "func.call":
            name = callee_name(maker)
            path = None if name is None else resolve(maker, name)
            at = next(i for i, result in enumerate(maker.results) if result is value)
            return bool(path) and at in _on_device(path[-1], asking | {function})
        return maker.name == "gpu.alloc" or (maker.name == "memref.alloc" and value in of_kernels)

    def lies_there(value: SSAValue) -> bool:
        if not is_memref(value):
            return False
        return is_device(_base(value)) or all(map(is_device, origins.origins(value) or {value}))

    count = len(ends[0].operands)
    return [at for at in range(count) if all(lies_there(end.operands[at]) for end in ends)]


class GpuDeviceBuffers(Pass):
    """Allocations that kernels use are made on the device."""

    name = "gpu-device-buffers"
    summary = "Buffers that kernels use are allocated on the device"
    anchor = "func.func"

    def run(self, op: Operation, ctx: Context) -> None:
        used = _used_in_kernels(op)
        if not used and not _from_callees(op):
            return
        origins = BufferOrigins(op)
        makers: dict[Operation, None] = {}
        for value in used:
            for origin in origins.origins(value) or {value}:
                if isinstance(origin.owner, Operation):
                    makers[origin.owner] = None
        moved: set[SSAValue] = set()
        for maker in makers:
            if maker.name == "memref.alloc":
                moved.add(maker.results[0])
        given = set(_from_callees(op))
        moved |= given
        self._check(op, origins, moved)
        frees = [inner for inner in op.walk() if inner.name == "memref.dealloc"]
        freed = {free: _sources(free.operands[0], origins, given) for free in frees}
        for free, sources in freed.items():
            if not sources & moved:
                continue
            if not sources <= moved:
                raise error(free, "frees memory that may be the host's or the device's")
            rw = Rewriter(free)
            rw.create("gpu.dealloc", (free.operands[0],))
            rw.erase(free)
        for maker in makers:
            if maker.name == "memref.alloc":
                _move(maker)
            elif maker.name == "memref.get_global":
                _copy(maker)

    def _check(self, function: Operation, origins: BufferOrigins, moved: set[SSAValue]) -> None:
        for op in function.walk():
            if op.name not in _HOST_ACCESS or _is_in_kernel(op):
                continue
            for value in filter(is_memref, op.operands):
                if (origins.origins(value) or {value}) & moved:
                    raise error(op, f"'{op.name}' of the host accesses a buffer that kernels use")


def _is_in_kernel(op: Operation) -> bool:
    around = op.parent_op()
    while around is not None and around.name not in _KERNELS:
        around = around.parent_op()
    return around is not None


def _move(op: Operation) -> None:
    rw = Rewriter(op)
    new = rw.create("gpu.alloc", ([], list(op.operands), []), (op.results[0].type,))
    rw.replace(op, [new.results[0]])


def _copy(op: Operation) -> None:
    """Kernels read a copy of a global, which lives as long as the function runs."""
    kind = op.results[0].type
    assert isinstance(kind, MemRefType)
    name = op.properties["name"]
    assert isinstance(name, SymbolRefAttr)
    found = resolve(op, name)
    if not found or "constant" not in found[-1].properties:
        raise error(op, "a kernel uses a global that is not constant: what it writes would be lost")
    function = op.parent_op()
    assert function is not None
    uses = [u for u in op.results[0].uses if _is_in_kernel(u.operation)]
    rw = Rewriter()
    rw.after(op)
    rw.location = op.location
    copy = rw.create("gpu.alloc", ([], [], []), (kind,)).results[0]
    rw.create("gpu.memcpy", (copy, op.results[0]))
    for use in uses:
        use.operation.operands[use.index] = copy
    block = op.parent
    assert block is not None
    assert block.last_op is not None
    rw.before(block.last_op)
    rw.create("gpu.dealloc", (copy,))
