# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies by warps of their own: a block gets warps that only copy, the others only compute.

    (barriers are made, initialized, visible)
    if (thread is a producer's) {
      (fewer registers)
      one thread: for n in 0 .. N { wait until stage n % S is empty; ask for copy(n) }
    } else {
      (more registers)
      all that the kernel was, with   for n in 0 .. N { wait until it is full; compute(n); arrive }
    }
    (all meet; barriers are invalidated)

Producers run as far ahead as there are empty stages, also from one loop around to its next
iteration. Barriers of the block in the kernel's own code become barriers of the consumers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.effects import is_pure
from xgpu.core.ir.errors import DiagnosticError, error
from xgpu.dialects.arith.builders import attribute_constant, constant
from xgpu.dialects.gpu.ops import parent_of
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.block_size import Widening
from xgpu.kernels.circular.drains import drain, fence
from xgpu.kernels.circular.emitter import Emitter, Iteration
from xgpu.kernels.circular.issuing import ask, build, tell
from xgpu.kernels.circular.pipelined import ask_for
from xgpu.kernels.circular.producers import Producers
from xgpu.transforms.scf.builders import for_loop, if_else

if TYPE_CHECKING:
    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.kernels.circular.issuers import Issuer
    from xgpu.kernels.circular.mbarriers import Barriers
    from xgpu.kernels.circular.numbers import Number
    from xgpu.kernels.circular.plan import Group, Plan
    from xgpu.kernels.circular.surroundings import Surroundings

#: Barriers of a block that have a number: 0 is the whole block's.
_BARRIER_NUMBERS = range(1, 16)
#: What the whole block has to do together, and cannot do without the producers' part in it.
_WHOLE_BLOCK = frozenset(
    {"gpu.all_reduce", "gpu.num_subgroups", "func.call", "nvvm.barrier0", "nvvm.cluster.arrive"}
)
_MEETINGS = ("nvvm.cluster.arrive", "nvvm.cluster.wait")


def check(plan: Plan, around: Surroundings) -> Widening:
    """Raises where a kernel cannot have producers of its own."""
    loop = plan.loop
    kernel = parent_of(loop, "gpu.launch", "gpu.func")
    widening = Widening(plan, kernel)
    assert kernel is not None
    if around.top.parent_op() is not kernel or len(kernel.regions[0].blocks) > 1:
        raise error(
            loop,
            "expected only scf.for and scf.if around a loop whose copies other warps make",
            [(kernel.location, "the kernel is here")],
        )
    for op in kernel.walk():
        if op.name in _WHOLE_BLOCK and not _is_meeting(op, kernel):
            raise error(
                op,
                f"'{op.name}' is for the whole block, which gets warps that only copy",
                [(loop.location, "for this loop")],
            )
    return widening


def can_specialize(plan: Plan) -> bool:
    """Whether the loop's kernel can have producers of its own. Changes nothing."""
    from xgpu.kernels.circular.surroundings import Surroundings

    around = Surroundings(plan.loop)
    try:
        widening = check(plan, around)
        first = widening.kernel.regions[0].block.first_op
        assert first is not None
        moved = {first, *_movable(first)} if first.regions else _movable(first)
        way = Producers(widening.kernel, plan.loop, around.chain, moved)
        old = set(plan.schedule.mbarriers)
        needed = [*plan.loop.operands[:3]]
        for group in plan.groups:
            needed += [v for op in group.along.ops for v in _operands(op) if v not in old]
            needed += [plan.loop.operands[3 + index] for index in group.along.arguments]
        way.need(needed)
    except DiagnosticError:
        return False
    return True


class Roles:
    """Builds both roles. `full` and `empty` are initialized before `split`."""

    def __init__(
        self,
        rw: Rewriter,
        plan: Plan,
        widening: Widening,
        around: Surroundings,
        ready: Barriers | None,
    ) -> None:
        self.rw = rw
        self.ready = ready
        self.plan = plan
        self.widening = widening
        self.around = around
        self.main: Operation | None = None

    # --- the split -----------------------------------------------------------------------------
    def split(
        self, emitter: Emitter, full: dict[Group, Barriers], empty: dict[Group, Barriers],
        behind: Operation, *, before: bool, after: bool,
    ) -> list[SSAValue]:  # fmt: skip
        """Puts all of the kernel behind `behind` but what is pure into the consumers' branch, and
        builds the producers'; gives what the loop gave, as `Pipeline.build` does. `before` and
        `after` say whether consumers have to meet before and behind the loop."""
        rw, kernel = self.rw, self.widening.kernel
        moved = _movable(behind)
        last = kernel.regions[0].block.last_op
        assert last is not None
        rw.before(last)
        is_producer = self.widening.is_added(rw)
        producing, consuming = Block(), Block()
        rw.at_end(producing)
        self._registers(0)
        at = moved.index(self.around.top)
        self._meet(moved[:at])
        self._produce(emitter, full, empty, moved)
        rw.at_end(producing)
        self._meet(moved[at:])
        rw.create("scf.yield")
        for op in moved:
            op.detach()
            consuming.add_op(op)
        rw.at_end(consuming)
        rw.create("scf.yield")
        rw.at_start(consuming)
        self._registers(1)
        rw.before(last)
        rw.create("scf.if", [is_producer], regions=[Region(producing), Region(consuming)])
        rw.before(self.plan.loop)
        if before:
            rw.create("gpu.barrier")
        results = self._consume(emitter, full, empty)
        if after:
            rw.create("gpu.barrier")
        self._name_barriers(consuming)
        return results

    def _meet(self, ops: list[Operation]) -> None:
        """Takes part in what all threads of a cluster's blocks meet at, among `ops`."""
        for op in ops:
            if op.name in _MEETINGS:
                self.rw.create(op.name, (), (), op.properties)

    def _registers(self, role: int) -> None:
        registers = self.plan.options.registers
        if registers:
            action = ods.enum("nvvm.action", ("decrease", "increase")[role])
            count = IntegerAttr(registers[role], i32)
            self.rw.create("nvvm.setmaxregister", (), (), {"regCount": count, "action": action})

    # --- producers -----------------------------------------------------------------------------
    def _produce(
        self,
        emitter: Emitter,
        full: dict[Group, Barriers],
        empty: dict[Group, Barriers],
        moved: list[Operation],
    ) -> None:
        rw, plan = self.rw, self.plan
        warps: dict[int, list[Group]] = {}
        for at, group in enumerate(plan.groups):
            warps.setdefault(at % plan.options.producer_warps, []).append(group)
        for warp, groups in warps.items():
            way = Producers(self.widening.kernel, plan.loop, self.around.chain, moved)
            way.need(self._values(emitter, groups))

            def copies(mapping: dict[SSAValue, SSAValue], groups: list[Group] = groups) -> None:
                self._copies(emitter, groups, mapping, full, empty)

            def run(way: Producers = way) -> Sequence[SSAValue]:
                way.build(rw, {}, lambda mapping: copies(mapping))
                return []

            if_else(rw, self.widening.is_first_of(rw, warp), [], run)

    def _values(self, emitter: Emitter, groups: list[Group]) -> list[SSAValue]:
        """What the copies use from outside of the loop."""
        found = [v for v in (emitter.count, emitter.base) if isinstance(v, SSAValue)]
        found += emitter.bounds
        for group in groups:
            found += emitter.starts(group.along)
            found += [operand for op in group.along.ops for operand in _operands(op)]
            found += [emitter.buffers[root].memory for root in group.buffers()]
        old = set(self.plan.schedule.mbarriers)
        return [value for value in found if value not in old]

    def _copies(
        self,
        emitter: Emitter,
        groups: list[Group],
        mapping: dict[SSAValue, SSAValue],
        full: dict[Group, Barriers],
        empty: dict[Group, Barriers],
    ) -> None:
        """One thread's loop: each stage is asked for when it is empty."""
        rw = self.rw
        count, base = (_own(n, mapping) for n in (emitter.count, emitter.base))
        own = Emitter(rw, self.plan, emitter.buffers, count, base, mapping)
        bounds = [numbers.value(rw, n) for n in (0, count, 1)]
        inits = [value for group in groups for value in own.starts(group.along)]

        def step(n: SSAValue, values: list[SSAValue]) -> Sequence[SSAValue]:
            later: list[SSAValue] = []
            for group in groups:
                size = len(group.along.arguments)
                mine, values = values[:size], values[size:]
                iteration = own.iteration(n, group.along, mine)
                own.addresses(iteration, group)
                ask_for(rw, group, iteration, full[group], empty[group])
                later += own.nexts(iteration, group.along)
            return later

        own.keep_attributes(for_loop(rw, bounds[0], bounds[1], bounds[2], inits, step))

    # --- consumers -----------------------------------------------------------------------------
    def _consume(
        self, emitter: Emitter, full: dict[Group, Barriers], empty: dict[Group, Barriers]
    ) -> list[SSAValue]:
        rw, plan = self.rw, self.plan
        issuer = plan.issuer
        if issuer is not None:
            return build(issuer, rw, emitter, lambda: self._issue(emitter, issuer, full, empty))
        bounds = [numbers.value(rw, n) for n in (0, emitter.count, 1)]

        def step(n: SSAValue, values: list[SSAValue]) -> Sequence[SSAValue]:
            iteration = emitter.iteration(n, emitter.computing, values)
            for group in plan.groups:
                full[group].wait(rw, iteration.use)
            emitter.compute(iteration)
            drain(rw, plan, plan.in_flight())
            fence(rw, plan)
            if plan.schedule.carried and plan.schedule.had_barrier:
                rw.create("gpu.barrier")
            for group in plan.groups:
                empty[group].arrive(rw, iteration.use)
            return emitter.nexts(iteration, emitter.computing)

        inits = emitter.starts(emitter.computing)
        self.main = for_loop(rw, bounds[0], bounds[1], bounds[2], inits, step)
        emitter.keep_attributes(self.main)
        return list(self.main.results)

    def _issue(
        self,
        emitter: Emitter,
        issuer: Issuer,
        full: dict[Group, Barriers],
        empty: dict[Group, Barriers],
    ) -> None:
        """One thread's loop: it asks for products, which give stages back when they are over."""
        rw, plan = self.rw, self.plan
        bounds = [numbers.value(rw, n) for n in (0, emitter.count, 1)]

        handshake = issuer.handshake

        def products(iteration: Iteration) -> Sequence[SSAValue]:
            ask(issuer, emitter, iteration)
            for group in plan.groups:
                empty[group].commit(rw, iteration.use, issuer.commit)
            return []

        def step(n: SSAValue, values: list[SSAValue]) -> Sequence[SSAValue]:
            iteration = emitter.bare_of(n)
            for group in plan.groups:
                full[group].wait(rw, iteration.use)
            if handshake is None:
                return products(iteration)
            ready, tells = self.ready, handshake
            assert ready is not None

            def first() -> Sequence[SSAValue]:
                ready.wait(rw, iteration.use)
                return products(iteration)

            def second() -> Sequence[SSAValue]:
                tell(tells, emitter, iteration, ready)
                return []

            if_else(rw, handshake.branch.operands[0], [], second)
            if_else(rw, issuer.branch.operands[0], [], first)
            return []

        self.main = for_loop(rw, bounds[0], bounds[1], bounds[2], [], step)
        emitter.keep_attributes(self.main)

    def _name_barriers(self, consuming: Block) -> None:
        """Barriers of the block become barriers of the consumers."""
        rw = self.rw
        old = [op for op in _walk(consuming) if op.name == "gpu.barrier"]
        if not old:
            return
        free = _free_number(self.widening.kernel)
        if free is None:
            raise error(self.widening.kernel, "has no barrier number left for its consumers")
        for op in old:
            rw.before(op)
            rw.location = op.location
            count = constant(rw, free, i32)
            size = IntegerAttr(self.widening.threads, i32)
            threads = attribute_constant(rw, size, i32)
            rw.create("nvvm.barrier", [[count], [threads], []])
            rw.erase(op)


def _is_meeting(op: Operation, kernel: Operation) -> bool:
    """Whether all threads of a cluster's blocks meet here once: producers can take part in that."""
    return op.name in _MEETINGS and op.parent_op() is kernel


def _operands(op: Operation) -> list[SSAValue]:
    return [operand for inner in op.walk() for operand in inner.operands]


def _own(number: Number, mapping: dict[SSAValue, SSAValue]) -> Number:
    return mapping.get(number, number) if isinstance(number, SSAValue) else number


def _walk(block: Block) -> list[Operation]:
    return [inner for op in block.ops for inner in op.walk()]


def _free_number(kernel: Operation) -> int | None:
    """A barrier number that the kernel does not use; none where it computes them."""
    used: set[int] = set()
    for op in kernel.walk():
        if op.name == "nvvm.barrier" and op.operands:
            known = numbers.number(op.operands[0])
            if not isinstance(known, int):
                return None
            used.add(known)
    return next((n for n in _BARRIER_NUMBERS if n not in used), None)


def _movable(behind: Operation) -> list[Operation]:
    """What follows `behind` in its block, but for its end and what both roles may use."""
    moved: set[Operation] = set()
    found: list[Operation] = []
    op = behind.next_op
    while op is not None and op.next_op is not None:
        depends = any(
            isinstance(value.owner, Operation) and value.owner in moved for value in _operands(op)
        )
        everybodys = is_pure(op) or op.name == "gpu.dynamic_shared_memory"
        if depends or op.regions or not everybodys:
            moved.add(op)
            found.append(op)
        op = op.next_op
    return found
