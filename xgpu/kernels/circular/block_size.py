# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""More threads for a kernel: warps that its own code knows nothing of.

The block grows along its outermost dimension that is larger than 1, so that the new threads are
whole warps behind the old ones. The kernel's own code goes on seeing the old size.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, IndexType, i1, i32
from xdsl.ir import Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ir.construction import replace_all_uses
from xgpu.core.ir.errors import error
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.arith.builders import constant
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.launches import launches_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import IntegerType

    from xgpu.core.ods.operation import OdsOperation
    from xgpu.kernels.circular.plan import Plan

WARP = 32
WARPGROUP = 128
_MOST_THREADS = 1024
_DIMENSIONS = ("x", "y", "z")
_KNOWN = "known_block_size"
#: Where a launch's operands have the sizes of a block, behind three of the grid.
_BLOCK_GROUPS = {"gpu.launch": (4, 5, 6), "gpu.launch_func": (4, 5, 6)}
#: Where a gpu.launch's body has the sizes of a block among its arguments.
_SIZE_ARGUMENTS = (9, 10, 11)


class Widening:
    """How a kernel's block grows: `sizes` as they were, `axis` and `more` there."""

    def __init__(self, plan: Plan, kernel: Operation | None) -> None:
        loop = plan.loop
        if kernel is None:
            raise error(
                loop, "expected a loop in a gpu.launch or gpu.func: producer warps join its block"
            )
        self.kernel = kernel
        self.launches = launches_of(kernel)
        if not self.launches:
            raise error(
                kernel,
                "has no gpu.launch_func in this module that could start producer warps",
                [(loop.location, "which this loop needs")],
            )
        self.sizes = self._sizes(loop)
        self.threads = self.sizes[0] * self.sizes[1] * self.sizes[2]
        added = WARP * plan.options.producer_warps
        self.axis = max((i for i in range(3) if self.sizes[i] > 1), default=0)
        inner = self.threads // self.sizes[self.axis]
        self.more = added // inner
        if self.threads % WARP or added % inner:
            raise error(
                loop,
                f"expected a block of whole warps, to which {added} threads can be added as whole "
                f"rows, but it has {self.sizes[0]} x {self.sizes[1]} x {self.sizes[2]} threads",
                [(kernel.location, "the kernel is here")],
            )
        if self.threads + added > _MOST_THREADS:
            raise error(
                loop,
                f"needs {self.threads + added} threads with its producer warps, and a block can "
                f"have {_MOST_THREADS}",
            )
        if plan.options.registers and (self.threads % WARPGROUP or added % WARPGROUP):
            raise error(
                loop,
                f"expected producers and consumers in multiples of {WARPGROUP} threads, which "
                f"share out registers, but there are {added} and {self.threads}",
            )

    def _sizes(self, loop: Operation) -> list[int]:
        known = _known_sizes(self.kernel)
        if known is not None:
            return known
        found: list[int] | None = None
        for launch in self.launches:
            sizes = [numbers.number(value) for value in _block_operands(launch)]
            constants = [n for n in sizes if isinstance(n, int)]
            if len(constants) < 3 or (found is not None and constants != found):
                raise error(
                    launch,
                    "expected a block of a constant size: producer warps stand behind its threads",
                    [(loop.location, "they are for this loop")],
                )
            found = constants
        assert found is not None
        return found

    def apply(self) -> None:
        """Launches start more threads; the kernel's code sees the old size."""
        kernel = self.kernel
        for launch in self.launches:
            rw = Rewriter(launch)
            at = _operand_index(launch, _BLOCK_GROUPS[launch.name][self.axis])
            launch.operands[at] = numbers.value(rw, self.sizes[self.axis] + self.more)
        if _KNOWN in kernel.properties:
            sizes = list(self.sizes)
            sizes[self.axis] += self.more
            kernel.properties[_KNOWN] = DenseArrayBase.from_list(i32, sizes)
        block = kernel.regions[0].blocks[0]
        rw = Rewriter(block.first_op)
        old: dict[str, SSAValue] = {
            name: numbers.value(rw, size)
            for name, size in zip(_DIMENSIONS, self.sizes, strict=True)
        }
        for op in list(kernel.walk()):
            if op.name == "gpu.block_dim":
                dimension = str(getattr(op.properties["dimension"], "data", ""))
                rw.replace(op, [old[dimension]])
        if kernel.name == "gpu.launch":
            for argument, name in zip(_SIZE_ARGUMENTS, _DIMENSIONS, strict=True):
                replace_all_uses(block.args[argument], old[name])

    def is_added(self, rw: Rewriter) -> SSAValue:
        """Whether a thread is one of the new ones. Whole warps are: what their first lane says
        holds for all, and from a shuffle the assembler knows so. It then keeps in uniform registers
        what a role counts and addresses, which tensor cores and copy engines are given."""
        narrow = rw.value("arith.index_cast", [self._along(rw)], i32)
        along = rw.value("arith.index_cast", [first_lanes(rw, narrow)], IndexType())
        return numbers.compare(rw, numbers.UGE, along, self.sizes[self.axis])

    def is_first_of(self, rw: Rewriter, warp: int) -> SSAValue:
        """Whether a thread is the one of a new warp that asks for copies: elected, so that the
        assembler puts no loop over threads around what copy engines are given."""
        return _elected(rw, self.sizes[: self.axis + 1], self.threads + WARP * warp)

    def _along(self, rw: Rewriter) -> SSAValue:
        return _thread(rw, _DIMENSIONS[self.axis])


def elected_thread(rw: Rewriter, kernel: Operation | None) -> SSAValue | None:
    """Whether a thread is the elected one of the block's first warp; none where it is not known
    that this warp has all of its lanes. For where all threads get to."""
    sizes = None if kernel is None else _known_sizes(kernel)
    if sizes is None and kernel is not None and kernel.name == "gpu.launch":
        found = [numbers.number(value) for value in _block_operands(kernel)]
        sizes = [size for size in found if isinstance(size, int)]
    if sizes is None or len(sizes) < len(_DIMENSIONS) or prod(sizes) % WARP:
        return None
    axis = max((i for i in range(3) if sizes[i] > 1), default=0)
    return _elected(rw, sizes[: axis + 1], 0)


def _elected(rw: Rewriter, sizes: Sequence[int], first: int) -> SSAValue:
    """Whether a thread is the elected one of the warp that begins with thread `first`."""
    linear: numbers.Number = 0
    factor = 1
    for dimension, size in zip(_DIMENSIONS, sizes, strict=False):
        linear = numbers.add(rw, linear, numbers.mul(rw, _thread(rw, dimension), factor))
        factor *= size
    narrow = rw.value("arith.index_cast", [numbers.value(rw, linear)], i32)
    there = rw.value("arith.index_cast", [first_lanes(rw, narrow)], IndexType())
    is_there = numbers.compare(rw, numbers.EQ, there, first)
    elected = rw.value("nvvm.elect.sync", (), i1)
    return rw.value("arith.andi", [is_there, elected], i1)


def _known_sizes(kernel: Operation) -> list[int] | None:
    known = kernel.properties.get(_KNOWN)
    if not isinstance(known, DenseArrayBase):
        return None
    return [int(n) for n in cast("DenseArrayBase[IntegerType]", known).get_values()]


def first_lanes(rw: Rewriter, value: SSAValue) -> SSAValue:
    """The i32 that the first lane of a warp has."""
    zero, all_lanes = (constant(rw, number, i32) for number in (0, WARP))
    mode = {"mode": ods.enum("gpu.shuffle_mode", "idx")}
    return rw.create("gpu.shuffle", [value, zero, all_lanes], [i32, i1], mode).results[0]


def _thread(rw: Rewriter, dimension: str) -> SSAValue:
    kind = ods.enum("gpu.dim", dimension)
    return rw.value("gpu.thread_id", (), IndexType(), {"dimension": kind})


def _operand_index(launch: Operation, group: int) -> int:
    groups = cast("OdsOperation", launch)
    return sum(len(groups.operand_group(i)) for i in range(group))


def _block_operands(launch: Operation) -> list[SSAValue]:
    return [launch.operands[_operand_index(launch, g)] for g in _BLOCK_GROUPS[launch.name]]
