# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies and computing by the same threads: the copies of iteration n + P beside computing n."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerAttr, UnitAttr, i32, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xgpu.analysis.memory import Access, Slice, accesses, is_workgroup
from xgpu.core import ods
from xgpu.core.ir.constants import make
from xgpu.core.ir.construction import clone_operation, replace_all_uses
from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.ir.errors import error
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.bulk import Barriers, ask, expected_bytes
from xgpu.kernels.circular.numbers import Number
from xgpu.kernels.circular.plan import ASYNC, BULK, Group, Options, Plan
from xgpu.transforms.scf.builders import for_loop, if_else

if TYPE_CHECKING:
    from xgpu.kernels.circular.emitter import Emitter, Iteration


# --- drains --------------------------------------------------------------------------------------
# Asynchronous reads of a stage are over before the stage is given back.
#
# A product of the tensor cores or a bulk store reads its tile while the threads go on. A wait for
# it orders one warp only, so it has to come before the barrier that tells the others, never
# behind.


_FENCE = "nvvm.fence.proxy"
_COMMITS = {
    "nvvm.wgmma.commit.group.sync.aligned": "product",
    "nvvm.cp.async.bulk.commit.group": "bulk store",
    # Commits its group itself.
    "nvgpu.warpgroup.mma": "product",
}
_WAITS = {
    "nvvm.wgmma.wait.group.sync.aligned": "product",
    "nvvm.cp.async.bulk.wait_group": "bulk store",
}


def drain(rw: Rewriter, plan: Plan, in_flight: int) -> bool:
    """Waits, where an iteration has computed, for what still reads stages that are given back: all
    but the last `in_flight` iterations. Whether there was anything to wait for."""
    waited = False
    kinds = {
        access.means
        for op in plan.schedule.computes
        for access in plan.schedule.accesses_of(op)
        if access.means in ("product", "bulk store") and access.root in plan.schedule.buffers
    }
    for kind in sorted(kinds):
        groups, open_ = _groups(plan.schedule.computes, kind)
        allowed = in_flight * groups if groups is not None else 0
        if open_ is not None and open_ <= allowed:
            continue
        waited = True
        if kind == "product":
            properties = {"group": IntegerAttr(allowed, i64)}
            rw.create("nvvm.wgmma.wait.group.sync.aligned", (), (), properties)
        else:
            rw.create(
                "nvvm.cp.async.bulk.wait_group",
                (),
                (),
                {"group": IntegerAttr(allowed, i32), "read": UnitAttr()},
            )
    return waited


def fence(rw: Rewriter, plan: Plan) -> None:
    """What threads wrote into a stage is behind them before the copy engine fills it again."""
    filled = {root for group in plan.of_kind(BULK) for root in group.buffers()}
    wrote = False
    for op in plan.schedule.computes:
        if any(inner.name == _FENCE for inner in op.walk()):
            wrote = False
        elif any(a.kind == "write" and a.root in filled for a in plan.schedule.accesses_of(op)):
            wrote = True
    if wrote:
        kind = ods.enum("nvvm.proxy_kind", "async.shared")
        space = ods.enum("nvvm.shared_space", "cta")
        rw.create(_FENCE, (), (), {"kind": kind, "space": space})


def _groups(computes: list[Operation], kind: str) -> tuple[int | None, int | None]:
    """How many groups an iteration commits, and how many of all may be open where it ends; None
    where that depends on more than the body."""
    committed, open_ = 0, None
    for op in computes:
        for inner in op.walk():
            if _COMMITS.get(inner.name) == kind:
                if op.regions:
                    return None, None
                committed += 1
                open_ = None if open_ is None else open_ + 1
            if inner.name == "nvgpu.warpgroup.mma" and kind == "product":
                waited = inner.properties.get("waitGroup")
                open_ = waited.value.data if isinstance(waited, IntegerAttr) else 1
            if _WAITS.get(inner.name) == kind and not op.regions:
                group = inner.properties["group"]
                assert isinstance(group, IntegerAttr)
                open_ = group.value.data
    return committed, open_


# --- registers -----------------------------------------------------------------------------------
# Loads from workgroup memory to registers, those of iteration n + P beside computing n.
#
#    for n { %v = load(n); compute(%v) }  ==>  %v0 .. = load(0 .. P - 1)
#                                              for n in 0 .. N - P { %w = load(n + P); compute(%v0);
#                                                                    carry %v1 .., %w }
#                                              for n in N - P .. N { compute(%v0); carry %v1 .. }
#
# Registers cannot be indexed, so the sets of values move on from one iteration to the next.


_LOADS = frozenset(
    {"memref.load", "nvgpu.ldmatrix", "vector.load", "vector.transfer_read", "affine.load"}
)


def register_loads(loop: Operation) -> list[Operation]:
    """Operations directly in the loop's body that load from workgroup memory."""
    return [
        op
        for op in loop.regions[0].block.ops
        if op.name in _LOADS and any(a.kind == "read" and _in_workgroup(a) for a in accesses(op))
    ]


def _in_workgroup(access: Access) -> bool:
    return isinstance(access.root, str) or (
        isinstance(access.root, SSAValue) and is_workgroup(access.root.type)
    )


class RegisterBuffers:
    """The loads of a loop, `ahead` iterations before they are used."""

    def __init__(self, loop: Operation, options: Options) -> None:
        self.loop = loop
        self.body: Block = loop.regions[0].block
        self.loads = register_loads(loop)
        self.ahead = options.ahead()
        self.values = [result for op in self.loads for result in op.results]
        self._check()
        self.along = Slice(self.body, self.loads)
        roots = [op for op in self.body.ops if not is_memory_effect_free(op)]
        roots = [op for op in roots if op not in self.loads and op is not self.body.last_op]
        used = [at for at, result in enumerate(loop.results) if result.first_use is not None]
        self.computing = Slice(self.body, roots, used, self.loads)

    def _check(self) -> None:
        for op in self.body.ops:
            if any(inner.name == "gpu.barrier" for inner in op.walk()):
                raise error(
                    op,
                    "a barrier in the loop: what is loaded ahead of it may not be there yet",
                    [(self.loads[0].location, "loaded here")],
                )
        along = set(Slice(self.body, self.loads).ops)
        reads = [a for op in along for a in accesses(op)]
        for op in self.body.ops:
            for access in accesses(op):
                if access.kind == "write" and any(access.conflicts(a) for a in reads):
                    raise error(
                        access.op,
                        "writes what is loaded to registers ahead of it",
                        [(self.loads[0].location, "loaded here")],
                    )
        for value in self.values:
            if make(value.type, 0) is None:
                raise error(self.loads[0], f"cannot carry a value of type {value.type}")

    # --- building ------------------------------------------------------------------------------
    def build(self, rw: Rewriter) -> Operation:
        """Builds everything in place of the loop; gives the main loop."""
        loop = self.loop
        rw.before(loop)
        rw.location = loop.location
        count = numbers.iterations(rw, *loop.operands[:3])
        state = [loop.operands[3 + at] for at in self.along.arguments]
        ring: list[SSAValue] = []
        for j in range(self.ahead):
            is_there = numbers.compare(rw, numbers.SLT, j, count)
            found = self._guarded(rw, is_there, numbers.value(rw, j), state)
            ring += found[: len(self.values)]
            state = found[len(self.values) :]
        own = [loop.operands[3 + at] for at in self.computing.arguments]
        split = numbers.largest(rw, numbers.sub(rw, count, self.ahead), 0)
        main = self._loop(rw, 0, split, [*own, *ring, *state], tail=False)
        last = main
        if self.ahead:
            last = self._loop(rw, split, count, list(main.results), tail=True)
        for at, value in zip(self.computing.arguments, last.results, strict=False):
            replace_all_uses(loop.results[at], value)
        rw.erase(loop)
        return main

    def _guarded(
        self, rw: Rewriter, condition: SSAValue, at: SSAValue, state: list[SSAValue]
    ) -> list[SSAValue]:
        """The loads of iteration `at` if there is one, and what the next one is given."""
        types: list[Attribute] = [value.type for value in (*self.values, *state)]

        def nothing() -> Sequence[SSAValue]:
            zeros: list[SSAValue] = []
            for value in self.values:
                zero = make(value.type, 0)
                assert zero is not None
                zeros.append(attribute_constant(rw, zero, value.type))
            return [*zeros, *state]

        branch = if_else(rw, condition, types, lambda: self._load(rw, at, state), nothing)
        return list(branch.results)

    def _loop(
        self, rw: Rewriter, low: Number, high: Number, carried: list[SSAValue], *, tail: bool
    ) -> Operation:
        begin, end, by = (numbers.value(rw, n) for n in (low, high, 1))

        def step(n: SSAValue, values: list[SSAValue]) -> Sequence[SSAValue]:
            size, width = len(self.computing.arguments), len(self.values)
            own, rest = values[:size], values[size:]
            ring, state = rest[: self.ahead * width], rest[self.ahead * width :]
            if not tail:
                ahead = numbers.value(rw, numbers.add(rw, n, self.ahead))
                found = list(self._load(rw, ahead, state))
                ring, state = [*ring, *found[:width]], found[width:]
            else:
                ring = [*ring, *ring[len(ring) - width :]]
            later = self._compute(rw, n, own, ring[:width])
            return [*later, *ring[width:], *state]

        return for_loop(rw, begin, end, by, carried, step)

    def _mapping(
        self, rw: Rewriter, at: SSAValue, carried: Slice, values: Sequence[SSAValue]
    ) -> dict[SSAValue, SSAValue]:
        lower, _, step = (numbers.number(v) for v in self.loop.operands[:3])
        induction = self.body.args[0]
        if not isinstance(induction.type, IndexType):
            raise error(self.loop, "expected a loop over an index, to load ahead of it")
        iv = numbers.add(rw, lower, numbers.mul(rw, at, step))
        mapping: dict[SSAValue, SSAValue] = {induction: numbers.value(rw, iv)}
        for index, value in zip(carried.arguments, values, strict=True):
            mapping[self.body.args[1 + index]] = value
        return mapping

    def _yielded(self, carried: Slice, mapping: dict[SSAValue, SSAValue]) -> list[SSAValue]:
        last = self.body.last_op
        assert last is not None
        return [mapping.get(v, v) for v in (last.operands[at] for at in carried.arguments)]

    def _load(self, rw: Rewriter, at: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        mapping = self._mapping(rw, at, self.along, state)
        for op in self.along.ops:
            rw.insert(clone_operation(op, mapping))
        return [*(mapping[value] for value in self.values), *self._yielded(self.along, mapping)]

    def _compute(
        self, rw: Rewriter, at: SSAValue, own: list[SSAValue], values: list[SSAValue]
    ) -> list[SSAValue]:
        mapping = self._mapping(rw, at, self.computing, own)
        mapping.update(zip(self.values, values, strict=True))
        for op in self.computing.ops:
            rw.insert(clone_operation(op, mapping))
        return self._yielded(self.computing, mapping)


# --- pipelined -----------------------------------------------------------------------------------
# Copies and computing by the same threads: the copies of iteration n + P beside computing n.
#
#     (barriers are made and initialized)               pre-prologue
#     for j in 0 .. min(P, N): copy(j)                  prologue
#     for n in 0 .. N - P: copy(n + P); wait(n);
#                          compute(n); free(n)          main loop
#     for n in N - P .. N: wait(n); compute(n); free(n) epilogue
#     (barriers are invalidated)                        post-epilogue
#
# How a thread waits follows from who copies: for bulk copies at the stage's full barrier, for
# cp.async for the group of that iteration and then at a barrier of the block, for stores at that
# barrier alone. How a stage becomes free follows from who reads: behind a barrier of the block, or
# when all threads have arrived at the stage's empty barrier. Groups of copies may have depths of
# their own; the main loop then ends where the deepest ends, and the others' conditions are tested.


States = dict[Group, list[SSAValue]]


class Pipeline:
    """Builds the loops. `elected` is true in one thread, which asks for bulk copies."""

    def __init__(
        self,
        emitter: Emitter,
        full: dict[Group, Barriers],
        empty: dict[Group, Barriers],
        elected: SSAValue | None,
    ) -> None:
        self.emitter = emitter
        self.rw: Rewriter = emitter.rw
        self.plan = emitter.plan
        self.full = full
        self.empty = empty
        self.elected = elected
        #: Of the copies by cp.async that have been built and belong to no group yet.
        self.ungrouped: list[SSAValue] = []
        self.main: Operation | None = None
        self.count = emitter.count
        self.deepest = max(group.ahead for group in self.plan.groups)
        self.asynchronous = self.plan.of_kind(ASYNC)
        self.behind = min((group.ahead for group in self.asynchronous), default=0)
        self.token = ods.attr_class("nvgpu.device.async.token")()

    def build(self) -> Sequence[SSAValue]:
        """Builds everything at the rewriter's place; gives what the loop gave, by the indices of
        `emitter.computing.arguments`."""
        rw, emitter = self.rw, self.emitter
        tokens, states = self._prologue()
        carried = [*emitter.starts(emitter.computing), *tokens, *self._flat(states)]
        split = numbers.largest(rw, numbers.sub(rw, self.count, self.deepest), 0)
        carried = self._loop(0, split, carried, tail=False)
        if self.deepest > 0:
            carried = self._loop(split, self.count, carried, tail=True)
        return carried[: len(emitter.computing.arguments)]

    # --- prologue ------------------------------------------------------------------------------
    def _prologue(self) -> tuple[list[SSAValue], States]:
        states: States = {}
        tokens: list[SSAValue] = []
        for group in self.plan.groups:
            states[group] = self.emitter.starts(group.along)
            if group.means != ASYNC and group.ahead > 0:
                end = numbers.smallest(self.rw, self.count, group.ahead)
                states[group] = self._first_copies(group, end, states[group])
        if self.asynchronous:
            tokens = self._first_groups(states)
        return tokens, states

    def _first_copies(self, group: Group, end: Number, state: list[SSAValue]) -> list[SSAValue]:
        rw = self.rw
        low, high, by = (numbers.value(rw, n) for n in (0, end, 1))
        loop = for_loop(rw, low, high, by, state, lambda j, values: self._copy(group, j, values))
        self.emitter.keep_attributes(loop)
        return list(loop.results)

    def _first_groups(self, states: States) -> list[SSAValue]:
        """The groups of cp.async that are asked for first: one for each of the deepest group's
        first iterations, empty where there is no such iteration, so that counting them is right.
        Gives their tokens, the oldest first."""
        rw, most = self.rw, max(group.ahead for group in self.asynchronous)
        if most == 0:
            return []
        ring = [self._group()] * self.behind if self.behind else []

        def step(j: SSAValue, values: list[SSAValue]) -> Sequence[SSAValue]:
            tokens, rest = values[: len(ring)], values[len(ring) :]
            later: list[SSAValue] = []
            for group in self.asynchronous:
                size = len(group.along.arguments)
                own, rest = rest[:size], rest[size:]
                later += self._early(group, j, most - group.ahead, own)
            new = self._group()
            return [*tokens[1:], *([new] if ring else []), *later]

        inits = [*ring, *(v for group in self.asynchronous for v in states[group])]
        low, high, by = (numbers.value(rw, n) for n in (0, most, 1))
        results: list[SSAValue] = list(for_loop(rw, low, high, by, inits, step).results)
        rest = results[len(ring) :]
        for group in self.asynchronous:
            size = len(group.along.arguments)
            states[group], rest = rest[:size], rest[size:]
        return results[: len(ring)]

    def _early(
        self, group: Group, step: SSAValue, skipped: int, state: list[SSAValue]
    ) -> Sequence[SSAValue]:
        """In step `step` of the prologue: copies of iteration `step - skipped`, if there is one."""
        rw = self.rw
        if group.ahead == 0:
            return state
        end = numbers.smallest(rw, numbers.add(rw, self.count, skipped), group.ahead + skipped)
        is_there = numbers.compare(rw, numbers.ULT, step, end)
        if skipped:
            begun = numbers.compare(rw, numbers.UGE, step, skipped)
            is_there = rw.value("arith.andi", [is_there, begun], is_there.type)
        at = numbers.value(rw, numbers.sub(rw, step, skipped))
        return self._guarded(group, is_there, at, state)

    # --- main loop and epilogue ----------------------------------------------------------------
    def _loop(
        self, low: Number, high: Number, carried: list[SSAValue], *, tail: bool
    ) -> list[SSAValue]:
        rw = self.rw
        begin, end, by = (numbers.value(rw, n) for n in (low, high, 1))
        loop = for_loop(
            rw, begin, end, by, carried, lambda n, values: self._step(n, values, tail=tail)
        )
        self.emitter.keep_attributes(loop)
        if not tail:
            self.main = loop
        return list(loop.results)

    def _step(self, n: SSAValue, values: list[SSAValue], *, tail: bool) -> Sequence[SSAValue]:
        emitter, plan = self.emitter, self.plan
        size = len(emitter.computing.arguments)
        kept = size + (self.behind if self.asynchronous else 0)
        own, tokens, rest = values[:size], values[size:kept], values[kept:]
        states = self._unflat(rest)
        late = plan.is_late()
        if not late:
            tokens = self._copies(n, states, tokens, tail=tail)
        self._wait(n, tokens)
        if late:
            tokens = self._copies(n, states, tokens, tail=tail)
        iteration = emitter.iteration(n, emitter.computing, own)
        emitter.compute(iteration)
        drain(self.rw, plan, plan.in_flight())
        fence(self.rw, plan)
        self._free(n)
        later = emitter.nexts(iteration, emitter.computing)
        newest = tokens[len(tokens) - (kept - size) :]
        return [*later, *newest, *self._flat(states)]

    def _copies(
        self, n: SSAValue, states: States, tokens: list[SSAValue], *, tail: bool
    ) -> list[SSAValue]:
        """The copies that are asked for in iteration `n`; `states` become those of the next."""
        rw = self.rw
        for group in self.plan.groups:
            if tail and group.ahead == self.deepest:
                continue
            at = numbers.value(rw, numbers.add(rw, n, group.ahead))
            if not tail:
                states[group] = list(self._copy(group, at, states[group]))
            else:
                is_there = numbers.compare(rw, numbers.ULT, at, self.count)
                states[group] = list(self._guarded(group, is_there, at, states[group]))
        return [*tokens, self._group()] if self.asynchronous else tokens

    def _group(self) -> SSAValue:
        """The group of what was copied by cp.async since the last one."""
        copies, self.ungrouped = self.ungrouped, []
        # Without operands or attributes its text would take the next line's first value for one.
        mark: dict[str, Attribute] = {} if copies else {"xgpu.empty": UnitAttr()}
        return self.rw.value("nvgpu.device_async_create_group", copies, self.token, attributes=mark)

    def _wait(self, n: SSAValue, tokens: list[SSAValue]) -> None:
        """Until the tiles of iteration `n` are there, for all threads."""
        rw, plan = self.rw, self.plan
        bulk = plan.of_kind(BULK)
        if bulk:
            use = numbers.add(rw, self.emitter.base, n)
            for group in bulk:
                self.full[group].wait(rw, use)
        if self.asynchronous:
            pending = len(tokens) - 1
            count = IntegerAttr(pending, i32)
            rw.create("nvgpu.device_async_wait", [tokens[0]], (), {"numGroups": count})
        if plan.is_bulk_only():
            return
        for op in plan.fences:
            self.emitter.clone(self.emitter.bare(n), op)
        rw.create("gpu.barrier")

    def _free(self, n: SSAValue) -> None:
        """What iteration `n` has used may be filled again."""
        rw, plan = self.rw, self.plan
        if plan.mode == "pipelined-mbarrier":
            use = numbers.add(rw, self.emitter.base, n)
            if plan.schedule.carried and plan.schedule.had_barrier:
                rw.create("gpu.barrier")
            for group in plan.groups:
                self.empty[group].arrive(rw, use)
        elif plan.needs_barrier_behind():
            rw.create("gpu.barrier")

    def _flat(self, states: States) -> list[SSAValue]:
        return [value for group in self.plan.groups for value in states[group]]

    def _unflat(self, values: list[SSAValue]) -> States:
        found: States = {}
        for group in self.plan.groups:
            size = len(group.along.arguments)
            found[group], values = values[:size], values[size:]
        return found

    # --- copies --------------------------------------------------------------------------------
    def _guarded(
        self, group: Group, condition: SSAValue, at: SSAValue, state: list[SSAValue]
    ) -> Sequence[SSAValue]:
        branch = if_else(
            self.rw,
            condition,
            [value.type for value in state],
            lambda: self._copy(group, at, state),
            (lambda: state) if state else None,
        )
        self.ungrouped = []  # they are known in the branch only
        return branch.results

    def _copy(self, group: Group, at: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """The group's copies of iteration `at`; what its next iteration is given."""
        iteration = self.emitter.iteration(at, group.along, state)
        if group.means != BULK:
            self.emitter.addresses(iteration, group)
            for load in group.loads:
                self.ungrouped += self.emitter.copy(iteration, load.op)
            return self.emitter.nexts(iteration, group.along)
        if group.along.arguments:
            self.emitter.addresses(iteration, group)
            assert self.elected is not None
            if_else(self.rw, self.elected, [], lambda: self._ask(group, iteration))
            return self.emitter.nexts(iteration, group.along)
        assert self.elected is not None
        if_else(self.rw, self.elected, [], lambda: self._ask_all(group, iteration))
        return []

    def _ask_all(self, group: Group, iteration: Iteration) -> Sequence[SSAValue]:
        self.emitter.addresses(iteration, group)
        return self._ask(group, iteration)

    def _ask(self, group: Group, iteration: Iteration) -> Sequence[SSAValue]:
        ask_for(self.rw, group, iteration, self.full[group], self.empty.get(group))
        return []


def ask_for(
    rw: Rewriter,
    group: Group,
    iteration: Iteration,
    full: Barriers,
    empty: Barriers | None,
) -> None:
    """One thread asks for a group's bulk copies, when their stage is empty."""
    if empty is not None:
        empty.wait(rw, iteration.use, before=True)
    full.expect(rw, iteration.use, expected_bytes(rw, group, iteration))
    slot = numbers.value(rw, iteration.slot(group.stages))
    for load in group.loads:
        ask(rw, load.op, iteration, full, slot)
