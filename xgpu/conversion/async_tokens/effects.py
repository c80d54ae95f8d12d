# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which buffers the points of a token graph touch: the effects that tokens and waits must order."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import BlockArgument, Operation, SSAValue

from xgpu.conversion.async_tokens.points import Call, HostAccess, Work
from xgpu.core.ir.effects import effects
from xgpu.core.ir.symbols import resolve

if TYPE_CHECKING:
    from xgpu.conversion.async_tokens.graph import TokenGraph
    from xgpu.conversion.async_tokens.points import Point
    from xgpu.dialects import gpu

#: Operations whose result is the buffer of their first operand, seen otherwise.
_VIEWS = frozenset(
    (
        "memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.memory_space_cast",
        "memref.reinterpret_cast", "memref.subview", "memref.transpose", "memref.view",
        "memref.assume_alignment", "builtin.unrealized_conversion_cast",
    )
)  # fmt: skip

#: Operations that look at no more than the type and the sizes of a buffer.
_QUERIES = frozenset(("memref.dim", "memref.rank", "memref.extract_strided_metadata"))

_READS = frozenset(("memref.load", "affine.load", "vector.load", "vector.transfer_read"))


def root(value: SSAValue) -> SSAValue:
    """The buffer that a memref is a view of."""
    while isinstance(value.owner, Operation) and value.owner.name in _VIEWS:
        value = value.owner.operands[0]
    return value


def is_buffer(value: SSAValue) -> bool:
    return getattr(value.type, "name", "") in ("memref", "unranked_memref", "llvm.ptr")


class Touched:
    """What points touch: `of(point)` has each buffer and whether it is written."""

    def __init__(self) -> None:
        self._kernels: dict[Operation, list[bool]] = {}

    def of(self, point: Point) -> dict[SSAValue, bool]:
        if not isinstance(point, Work | HostAccess | Call):
            return {}
        op = point.op
        if op.name == "gpu.memcpy":
            copy = cast("gpu.MemcpyOp", op)
            found = {root(copy.src): False}
            found[root(copy.dst)] = True
            return found
        if op.name == "gpu.launch_func":
            return self._of_launch(cast("gpu.LaunchFuncOp", op))
        if op.name == "gpu.launch":
            return self._of_body(op)
        return self._of_operands(op)

    def _of_body(self, launch: Operation) -> dict[SSAValue, bool]:
        """What a kernel that is not outlined yet touches of what is defined outside of it."""
        found: dict[SSAValue, bool] = {}
        for op in launch.walk():
            if op is launch or op.name in _VIEWS or op.name in _QUERIES:
                continue
            for buffer, writes in self._of_operands(op).items():
                if not launch.is_ancestor(buffer.owner):
                    found[buffer] = found.get(buffer, False) or writes
        return found

    def _of_operands(self, op: Operation) -> dict[SSAValue, bool]:
        known = effects(op) if op.name not in ("func.call", "llvm.call") else None
        found: dict[SSAValue, bool] = {}
        for value in (*op.operands, *op.results):
            if not is_buffer(value):
                continue
            own = [e.kind for e in known or () if e.value is value]
            writes = any(kind != "read" for kind in own) if own else True
            found[root(value)] = found.get(root(value), False) or writes
        return found

    def _of_launch(self, op: gpu.LaunchFuncOp) -> dict[SSAValue, bool]:
        writes = self._written(op)
        found: dict[SSAValue, bool] = {}
        for i, value in enumerate(op.kernel_operands):
            if is_buffer(value):
                is_written = writes[i] if i < len(writes) else True
                found[root(value)] = found.get(root(value), False) or is_written
        return found

    def _written(self, op: Operation) -> list[bool]:
        """For each argument of a kernel whether the kernel may write to it."""
        name = op.properties.get("kernel")
        path = resolve(op, name) if isinstance(name, SymbolRefAttr) else None
        if not path or not path[-1].regions:
            return []
        kernel = path[-1]
        known = self._kernels.get(kernel)
        if known is None:
            block = kernel.regions[0].first_block
            known = [] if block is None else [_may_write(argument) for argument in block.args]
            self._kernels[kernel] = known
        return known


def _may_write(value: SSAValue) -> bool:
    if not is_buffer(value):
        return False
    for use in value.uses:
        op = use.operation
        if op.name in _VIEWS:
            if _may_write(op.results[0]):
                return True
        elif op.name not in _READS and op.name not in _QUERIES:
            return True
    return False


def shared_buffers(touched: Touched, a: Point, b: Point) -> list[SSAValue]:
    """The buffers that both points touch and at least one writes."""
    first, second = touched.of(a), touched.of(b)
    return [v for v, writes in first.items() if v in second and (writes or second[v])]


def buffer_name(value: SSAValue) -> str:
    """A name for messages."""
    if value.name_hint:
        return f"%{value.name_hint}"
    if isinstance(value, BlockArgument):
        return f"argument {value.index}"
    assert isinstance(value.owner, Operation)
    return f"result of {value.owner.name}"


def unordered_conflicts(
    graph: TokenGraph, function: Operation, limit: int = 100
) -> list[tuple[Point, Point]]:
    """Pairs of a function's points that touch one buffer, one writing, and that nothing orders.

    Only buffers that are known to be one are compared; at most `limit` pairs are given.
    """
    touched = Touched()
    order = graph.order(function)
    owner: dict[int, Point] = {}
    all_of: dict[SSAValue, int] = {}
    writers_of: dict[SSAValue, int] = {}
    host = 0
    found: dict[tuple[Point, Point], None] = {}
    for point in graph.of(function):
        buffers = touched.of(point)
        if not buffers or point not in order.start:
            continue
        needs = order.need.get(point, point.bit)
        for buffer, writes in buffers.items():
            before = (all_of if writes else writers_of).get(buffer, 0)
            if isinstance(point, HostAccess):
                before &= ~host
            missing = before & ~order.start[point]
            while missing and len(found) < limit:
                low = missing & -missing
                missing ^= low
                found[owner[low], point] = None
            all_of[buffer] = all_of.get(buffer, 0) | needs
            if writes:
                writers_of[buffer] = writers_of.get(buffer, 0) | needs
        if isinstance(point, HostAccess):
            host |= needs
        while needs:
            low = needs & -needs
            needs ^= low
            owner[low] = point
    return list(found)
