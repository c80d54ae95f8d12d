# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies by warps of their own: a block gets warps that only copy, the others only compute."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, StringAttr, i1, i16, i32
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xgpu.analysis.memory import SYNCHRONIZATION, Slice, accesses, operands_inside
from xgpu.core import ods
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import clone_operation
from xgpu.core.ir.effects import is_memory_effect_free, is_pure
from xgpu.core.ir.errors import DiagnosticError, error
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.arith.builders import attribute_constant, constant
from xgpu.dialects.gpu.ops import parent_of
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.bulk import Barriers
from xgpu.kernels.circular.emitter import Emitter, Iteration
from xgpu.kernels.circular.numbers import Number
from xgpu.kernels.circular.pipelined import ask_for, drain, fence
from xgpu.kernels.circular.plan import COMMIT, WAIT, Group, Handshake, Issuer, Plan
from xgpu.kernels.circular.surroundings import Surroundings, Widening
from xgpu.transforms.scf.builders import for_loop, if_else

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation

# --- producers -----------------------------------------------------------------------------------
# The part of a kernel that brings a loop to its copies: what producers run.
#
# That is the loops and conditions around the loop, with what their bounds and the copies' addresses
# need, and nothing else. What is needed must be pure or read what the kernel does not write.


Mapping = dict[SSAValue, SSAValue]


class Producers:
    """Copies of what leads from a kernel's body to `loop`; `chain` are the operations around it,
    from the inside, `top` the outermost of them."""

    def __init__(
        self,
        kernel: Operation,
        loop: Operation,
        chain: Sequence[Operation],
        moved: Iterable[Operation],
    ) -> None:
        #: Operations of the kernel's body that producers do not come by.
        self.moved = set(moved)
        self.kernel = kernel
        self.loop = loop
        self.chain = list(chain)
        self.top = self.chain[-1] if self.chain else loop
        self.home = self.top.parent
        self.needed: set[Operation] = set()
        self.carried: dict[Operation, set[int]] = {op: set() for op in self.chain}
        self._seen: set[SSAValue] = set()

    # --- finding -------------------------------------------------------------------------------
    def need(self, values: Sequence[SSAValue]) -> None:
        """Adds what `values`, which copies use, come from."""
        pending = list(values)
        for op in self.chain:
            pending += op.operands[: 3 if op.name == "scf.for" else 1]
        while pending:
            value = pending.pop()
            if value in self._seen:
                continue
            self._seen.add(value)
            pending += self._behind(value)

    def _behind(self, value: SSAValue) -> list[SSAValue]:
        if isinstance(value, BlockArgument):
            loop = value.block.parent_op()
            if loop is None or loop not in self.carried or value.index == 0:
                return []
            return self._behind_carried(loop, value.index - 1)
        op = value.owner
        assert isinstance(op, Operation)
        if not self.kernel.is_ancestor(op) or self.loop.is_ancestor(op):
            return []
        if op.parent is self.home and op not in self.moved:
            return []
        if op in self.carried:
            return self._behind_carried(op, op.results.index(value))  # pyright: ignore
        if op not in self.needed:
            self._check(op)
            self.needed.add(op)
            return list(operands_inside(op))
        return []

    def _behind_carried(self, op: Operation, at: int) -> list[SSAValue]:
        """A value that an operation of the chain carries, or gives."""
        self.carried[op].add(at)
        found = [region.block.last_op.operands[at] for region in op.regions if region.blocks]  # pyright: ignore
        if op.name == "scf.for":
            found.append(op.operands[3 + at])
        return found

    def _check(self, op: Operation) -> None:
        found = list(accesses(op))
        reads = [a for a in found if a.kind == "read"]
        effects = not is_memory_effect_free(op)
        if effects and (not reads or len(reads) < len(found) or op.name in SYNCHRONIZATION):
            raise error(
                op,
                "is needed for the copies, which other warps make, and cannot be done there too: "
                "it has effects",
                [(self.loop.location, "the copies are in this loop")],
            )
        if not reads:
            return
        for other in self.kernel.walk():
            for access in () if other.regions else accesses(other):
                if access.kind == "write" and any(a.conflicts(access) for a in reads):
                    raise error(
                        op,
                        "is needed for the copies, which other warps make, and reads what this "
                        "kernel writes",
                        [(other.location, "written here")],
                    )

    # --- building ------------------------------------------------------------------------------
    def build(self, rw: Rewriter, mapping: Mapping, copies: Callable[[Mapping], None]) -> None:
        """Builds it at the rewriter's place, with `copies` in place of the loop."""
        assert self.home is not None
        self._fill(rw, self.home, mapping, copies)

    def _fill(
        self, rw: Rewriter, block: Block, mapping: Mapping, copies: Callable[[Mapping], None]
    ) -> None:
        for op in list(block.ops):
            if op is self.loop:
                copies(mapping)
            elif op in self.carried:
                self._around(rw, op, mapping, copies)
            elif op in self.needed:
                rw.insert(clone_operation(op, mapping))

    def _around(
        self, rw: Rewriter, op: Operation, mapping: Mapping, copies: Callable[[Mapping], None]
    ) -> None:
        """An operation of the chain, with what it has to carry."""
        kept = sorted(self.carried[op])
        regions: list[Region] = []
        for region in op.regions:
            old = region.block if region.blocks else None
            if old is None:
                regions.append(Region())
                continue
            arguments = [old.args[0], *(old.args[1 + at] for at in kept)] if old.args else []
            block = Block(arg_types=[argument.type for argument in arguments])
            mapping.update(zip(arguments, block.args, strict=True))
            with rw.inside(block):
                self._fill(rw, old, mapping, copies)
                rw.at_end(block)
                assert old.last_op is not None
                given = [mapping.get(v, v) for v in (old.last_op.operands[at] for at in kept)]
                rw.create("scf.yield", given)
            regions.append(Region(block))
        operands = list(op.operands)
        if op.name == "scf.for":
            operands = [*operands[:3], *(operands[3 + at] for at in kept)]
        results = [op.results[at] for at in kept]
        new = rw.create(
            op.name,
            [mapping.get(value, value) for value in operands],
            [result.type for result in results],
            op.properties,
            op.attributes,
            regions,
        )
        mapping.update(zip(results, new.results, strict=True))


# --- issuing -------------------------------------------------------------------------------------
# Builds the loop of the thread that asks for products (`plan.py`).


def ask(issuer: Issuer, emitter: Emitter, iteration: Iteration) -> None:
    """One thread's products of an iteration, without their commit."""
    inside = list(issuer.branch.regions[0].block.ops)
    used = {v for op in inside for inner in op.walk() for v in inner.operands}
    turned = [root for root, buffer in emitter.buffers.items() if buffer.turn in used]
    emitter.place(iteration, turned)
    turns = {buffer.turn.owner for buffer in emitter.buffers.values()}
    left: list[object] = [issuer.branch, issuer.commit, *turns]
    if issuer.handshake is not None:
        # The barrier of a stage has its own phase.
        last = emitter.body.last_op
        assert last is not None
        left += [issuer.handshake.wait, last.operands[issuer.handshake.phase].owner]
    for op in (*Slice(emitter.body, [issuer.branch]).ops, *inside[:-1]):
        if op not in left:
            emitter.clone(iteration, op)


def tell(handshake: Handshake, emitter: Emitter, iteration: Iteration, ready: Barriers) -> None:
    """Arrives in the other block at the barrier of the iteration's stage."""
    rw = emitter.rw
    for op in Slice(emitter.body, [handshake.branch]).ops:
        if op is not handshake.branch:
            emitter.clone(iteration, op)
    for op in list(handshake.branch.regions[0].block.ops)[:-1]:
        if op.name == "nvgpu.mbarrier.get" and op.operands[0] is handshake.barrier:
            iteration.mapping[op.results[0]] = ready.address(rw, iteration.use)
        else:
            emitter.clone(iteration, op)


def build(
    issuer: Issuer, rw: Rewriter, emitter: Emitter, loop: Callable[[], None]
) -> list[SSAValue]:
    """Builds `loop` for one thread, then the wait of all for what it has asked for; gives what
    the loop gave, which is the barrier's next phase."""

    asks, handshake = issuer.branch.operands[0], issuer.handshake

    def commit() -> Sequence[SSAValue]:
        operands = [_pointer(issuer, rw)]
        if issuer.ranks():
            mask = IntegerAttr(sum(1 << rank for rank in issuer.ranks()), i16)
            operands.append(attribute_constant(rw, mask, i16))
        rw.create(COMMIT, operands, (), issuer.commit.properties)
        return []

    def run() -> Sequence[SSAValue]:
        loop()
        if handshake is None:
            return commit()
        if_else(rw, asks, [], commit)
        return []

    takes_part = asks
    if handshake is not None:
        takes_part = rw.value("arith.ori", [handshake.branch.operands[0], asks], i1)
    if_else(rw, takes_part, [], run)
    before = emitter.inits[issuer.phase]
    ticks, slot = (numbers.value(rw, number) for number in _numbers(issuer))
    rw.create(WAIT, [issuer.wait.operands[0], before, ticks, slot])
    after = rw.value("arith.xori", [before, numbers.flag(rw, True)], i1)
    return [
        after if at == issuer.phase else emitter.inits[at] for at in emitter.computing.arguments
    ]


def _numbers(issuer: Issuer) -> list[int]:
    """The ticks of the wait, and which of its group the barrier is."""
    return [known for v in issuer.wait.operands[2:] if (known := int_of(v)) is not None]


def _pointer(issuer: Issuer, rw: Rewriter) -> SSAValue:
    """The address that the commit has inside of the loop."""
    slot = numbers.value(rw, _numbers(issuer)[1])
    address = rw.value("nvgpu.mbarrier.get", [issuer.wait.operands[0], slot], numbers.I64)
    return rw.value("llvm.inttoptr", [address], issuer.commit.operands[0].type)


# --- specialized ---------------------------------------------------------------------------------
# Copies by warps of their own: a block gets warps that only copy, the others only compute.
#
#    (barriers are made, initialized, visible)
#    if (thread is a producer's) {
#      (fewer registers)
#      one thread: for n in 0 .. N { wait until stage n % S is empty; ask for copy(n) }
#    } else {
#      (more registers)
#      all that the kernel was, with   for n in 0 .. N { wait until it is full; compute(n); arrive }
#    }
#    (all meet; barriers are invalidated)
#
# Producers run as far ahead as there are empty stages, also from one loop around to its next
# iteration. Barriers of the block in the kernel's own code become barriers of the consumers.


#: Barriers of a block that have a number: 0 is the whole block's.
_BARRIER_NUMBERS = range(1, 16)
#: What the whole block has to do together, and cannot do without the producers' part in it; what
#: tells how many threads the block has; and calls, which may do either.
_WHOLE_BLOCK = frozenset(
    {
        "func.call", "gpu.all_reduce", "gpu.global_id", "gpu.num_subgroups", "llvm.call",
        "nvvm.barrier0", "nvvm.cluster.arrive", "nvvm.cluster.arrive.relaxed",
        "nvvm.read.ptx.sreg.ntid.x", "nvvm.read.ptx.sreg.ntid.y", "nvvm.read.ptx.sreg.ntid.z",
        "nvvm.read.ptx.sreg.nwarpid",
    }
)  # fmt: skip
#: The same in PTX.
_WHOLE_BLOCK_PTX = re.compile(
    r"\b(bar(rier)?\.(cta\.)?(sync|red|arrive)|barrier\.cluster\.arrive)\b|(?<![%\w])call\b|%n(tid|warpid)\b"
)
_BARRIERS = frozenset({"nvvm.barrier", "nvvm.barrier.arrive"})
_MEETINGS = frozenset({"nvvm.cluster.arrive", "nvvm.cluster.arrive.relaxed", "nvvm.cluster.wait"})


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
        if needs_whole_block(op) and not _is_meeting(op, kernel):
            raise error(
                op,
                f"'{op.name}' is for the whole block, which gets warps that only copy",
                [(loop.location, "for this loop")],
            )
    return widening


def needs_whole_block(op: Operation) -> bool:
    """Whether `op` does something else in a block with more threads, and stays as it is there:
    barriers that count no threads, sizes of the block, calls. gpu.barrier and gpu.block_dim are
    replaced instead."""
    if op.name == "nvvm.barrier":
        return not cast("OdsOperation", op).operand_group(1)
    if op.name in ("llvm.inline_asm", "nvvm.inline_ptx"):
        text = op.properties.get("ptxCode", op.properties.get("asm_string"))
        return isinstance(text, StringAttr) and bool(_WHOLE_BLOCK_PTX.search(text.data))
    return op.name in _WHOLE_BLOCK


def can_specialize(plan: Plan) -> bool:
    """Whether the loop's kernel can have producers of its own. Changes nothing."""
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
        if op.name in _BARRIERS:
            for number in cast("OdsOperation", op).operand_group(0):
                known = numbers.number(number)
                if not isinstance(known, int):
                    return None
                used.add(known)
    return next((n for n in _BARRIER_NUMBERS if n not in used), None)


#: What only one role computes though both could: quotients would take registers of both.
_DIVISIONS = frozenset(f"arith.{name}" for name in (
    "ceildivsi", "ceildivui", "divsi", "divui", "floordivsi",
))  # fmt: skip


def _movable(behind: Operation) -> list[Operation]:
    """What follows `behind` in its block, but for its end and what both roles may use."""
    moved: set[Operation] = set()
    found: list[Operation] = []
    op = behind.next_op
    while op is not None and op.next_op is not None:
        depends = any(
            isinstance(value.owner, Operation) and value.owner in moved for value in _operands(op)
        )
        is_shared = op.name == "gpu.dynamic_shared_memory" or (
            op.name not in _DIVISIONS and is_pure(op)
        )
        if depends or op.regions or not is_shared:
            moved.add(op)
            found.append(op)
        op = op.next_op
    return found
