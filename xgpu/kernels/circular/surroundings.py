# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where a buffered loop stands: the loops and code around it, and the threads of its kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerType, i1, i32
from xdsl.ir import Block, Operation, SSAValue

from xgpu.analysis.memory import Access, accesses
from xgpu.core import ods
from xgpu.core.ir.construction import replace_all_uses
from xgpu.core.ir.errors import error
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.support.gpu_limits import MAX_THREADS
from xgpu.dialects.arith.builders import constant
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.numbers import Number
from xgpu.kernels.circular.storage import launches_of

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation
    from xgpu.kernels.circular.plan import Plan


# --- surroundings --------------------------------------------------------------------------------
# Where a buffered loop stands: the loops around it, and what is before and behind it.
#
# Barriers in shared memory are made where every thread comes by once: outside of all serial loops
# around the buffered one, which count its iterations on. Where something else is around it (an
# scf.while), they are made inside of that, each time anew.


_COUNTED = frozenset({"scf.for", "scf.if"})


class Surroundings:
    """`chain` are the operations around the loop, from the inside, up to where set-up stands; `top`
    is the one of them that is outermost, or the loop."""

    def __init__(self, loop: Operation) -> None:
        self.loop = loop
        self.chain: list[Operation] = []
        parent = loop.parent_op()
        while parent is not None and parent.name in _COUNTED:
            self.chain.append(parent)
            parent = parent.parent_op()
        self.is_nested = any(op.name == "scf.for" for op in self.chain) or self._is_repeated()

    def _is_repeated(self) -> bool:
        """Whether something that is not counted through may run the loop again."""
        parent = self.top.parent_op()
        return parent is not None and parent.name not in ("gpu.func", "gpu.launch", "func.func")

    @property
    def top(self) -> Operation:
        return self.chain[-1] if self.chain else self.loop

    def _neighbours(self, *, before: bool) -> Iterator[Operation]:
        inner = self.loop
        for outer in [*self.chain, self.top.parent_op()]:
            assert inner.parent is not None
            around = outer is not None and outer.name in ("scf.for", "scf.while")
            for op in inner.parent.ops:
                if op is not inner and (around or op.is_before_in_block(inner) is before):
                    yield op
            if outer is None:
                return
            inner = outer

    def conflicts(self, inside: list[Access], *, before: bool) -> bool:
        """Whether something before (behind) the loop conflicts with accesses inside of it."""
        return any(
            access.conflicts(other)
            for op in self._neighbours(before=before)
            for access in accesses(op)
            for other in inside
        )


def count_on(rw: Rewriter, around: Surroundings, count: Number, count_at: Operation) -> Number:
    """How many iterations of the loop there were before it is reached: 0, or a value that the
    loops around it carry. `count` is how many there are each time, known before `count_at`."""
    if not any(op.name == "scf.for" for op in around.chain):
        return 0
    rw.before(around.top)
    known: SSAValue = numbers.value(rw, 0)
    entered: list[SSAValue] = []
    for at, op in reversed(list(enumerate(around.chain))):
        entered.append(known)
        if op.name == "scf.for":
            around.chain[at] = new = _with_argument(rw, op, known)
            known = _body(new).args[-1]
            known.name_hint = "passed"
    base = known
    rw.before(count_at)
    passed = numbers.value(rw, numbers.add(rw, base, count))
    inner = around.loop
    for at, op in enumerate(around.chain):
        if op.name == "scf.for":
            _add_yield(_body(op), passed)
            passed = op.results[-1]
            inner = op
        else:
            branch = _branch_of(op, inner)
            around.chain[at] = inner = _with_result(rw, op, branch, passed, entered[-1 - at])
            passed = inner.results[-1]
    return base


def _body(op: Operation) -> Block:
    return op.regions[0].block


def _branch_of(op: Operation, inner: Operation) -> int:
    block = inner.parent
    return next(i for i, region in enumerate(op.regions) if block in region.blocks)


def _add_yield(block: Block, value: SSAValue) -> None:
    last = block.last_op
    assert last is not None
    last.operands = [*last.operands, value]


def _with_argument(rw: Rewriter, loop: Operation, init: SSAValue) -> Operation:
    """The loop with one more value that it carries; its body's end is still without it."""
    region = loop.detach_region(0)
    region.block.insert_arg(IndexType(), len(region.block.args))
    rw.before(loop)
    rw.location = loop.location
    new = rw.create(
        "scf.for",
        [*loop.operands, init],
        [*(result.type for result in loop.results), IndexType()],
        loop.properties,
        loop.attributes,
        [region],
    )
    rw.replace(loop, new.results[:-1])
    return new


def _with_result(
    rw: Rewriter, op: Operation, branch: int, value: SSAValue, other: SSAValue
) -> Operation:
    """The scf.if with one more result: `value` of one branch, `other` of the other one."""
    regions = [op.detach_region(0) for _ in range(2)]
    rw.before(op)
    rw.location = op.location
    if not regions[1].blocks:
        block = Block()
        regions[1].add_block(block)
        with rw.inside(block):
            rw.create("scf.yield")
    for at, region in enumerate(regions):
        _add_yield(region.block, value if at == branch else other)
    new = rw.create(
        "scf.if",
        list(op.operands),
        [*(result.type for result in op.results), IndexType()],
        op.properties,
        op.attributes,
        regions,
    )
    rw.replace(op, new.results[:-1])
    return new


# --- block size ----------------------------------------------------------------------------------
# More threads for a kernel: warps that its own code knows nothing of.
#
# The block grows along its outermost dimension that is larger than 1, so that the new threads are
# whole warps behind the old ones. The kernel's own code goes on seeing the old size.


WARP = 32
WARPGROUP = 128
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
        if self.threads + added > MAX_THREADS:
            raise error(
                loop,
                f"needs {self.threads + added} threads with its producer warps, and a block can "
                f"have {MAX_THREADS}",
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
