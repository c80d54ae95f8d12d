# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an iteration of a loop loads into which buffer, and what it computes from it.

The body of an scf.for is read as three kinds of operations: *loads*, which bring tiles from outside
of workgroup memory into buffers there, *synchronization*, which orders loads and uses, and the
rest, which *computes*. Which is which follows from memory accesses, not from the order of the
program: a load is what writes a buffer with values from elsewhere, whatever stands around it. So
the result says which iteration writes and reads which buffer, and which of the barriers keep
apart what computes alone. It changes nothing, and raises where a buffer's use has no such reading.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xgpu.analysis.memory import (
    ASYNCHRONOUS_READS,
    SYNCHRONIZATION,
    Access,
    Root,
    Slice,
    accesses,
    depends_on_thread,
    describe,
    is_view,
    is_workgroup,
    root_of,
    top_of,
)
from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.ir.errors import error

#: Operations that store a value: which operands are that value and the memref.
_STORES = {
    "affine.store": (0, 1),
    "memref.store": (0, 1),
    "vector.maskedstore": (3, 0),
    "vector.store": (0, 1),
    "vector.transfer_write": (0, 1),
}
_MBARRIER_USES = frozenset(
    {
        "nvgpu.mbarrier.arrive",
        "nvgpu.mbarrier.arrive.expect_tx",
        "nvgpu.mbarrier.arrive.nocomplete",
        "nvgpu.mbarrier.test.wait",
        "nvgpu.mbarrier.try_wait.parity",
    }
)
#: Arrivals at an mbarrier that is given by its address, also at one of another block.
_ARRIVALS = frozenset({"nvvm.mbarrier.arrive", "nvvm.tcgen05.commit"})
_ADDRESSES = frozenset({"llvm.inttoptr", "nvgpu.mbarrier.get", "nvvm.mapa"})
_ASYNC_GROUPS = frozenset({"nvgpu.device_async_create_group", "nvgpu.device_async_wait"})
#: The operand that is the barrier.
_TMA_BARRIER = 1


class Load:
    """An operation of the body that fills buffers: `means` is "thread", "cp.async" or "bulk"."""

    __slots__ = ("accesses", "buffers", "means", "op")

    def __init__(self, op: Operation, buffers: list[Root], means: str, all_: list[Access]) -> None:
        self.op = op
        self.buffers = buffers
        self.means = means
        self.accesses = all_


class LoopSchedule:
    """Loads, computations and synchronization of one loop.

    * `loads`: operations directly in the body, each with the buffers that it fills.
    * `buffers`: for each buffer the loads that fill it.
    * `computes`: what is left, in order, with what is pure.
    * `dropped`: what orders loads and uses, and has to be made anew by code that moves loads.
    * `barriers`: block barriers that computing itself needs; `carried` says whether computing in
      one iteration conflicts with computing in the next.
    * `fences`: what makes that which threads wrote visible to copy engines and tensor cores.
    * `mbarriers`: the groups of barriers at which the loads' bytes arrive.
    """

    def __init__(self, loop: Operation, unbuffered: frozenset[Operation] = frozenset()) -> None:
        self.loop = loop
        self.body: Block = loop.regions[0].block
        self._accesses = {op: list(accesses(op)) for op in self.body.ops}
        self.loads = [
            load for op in self.body.ops if op not in unbuffered for load in self._as_load(op)
        ]
        self.buffers: dict[Root, list[Load]] = {}
        for load in self.loads:
            for buffer in load.buffers:
                self.buffers.setdefault(buffer, []).append(load)
        self.mbarriers = self._find_mbarriers()
        load_ops = {load.op for load in self.loads}
        terminator = self.body.last_op
        self.dropped: list[Operation] = []
        self.computes: list[Operation] = []
        for op in self.body.ops:
            if op in load_ops or op is terminator:
                continue
            (self.dropped if self._orders_loads(op) else self.computes).append(op)
        self.fences = self._find_fences()
        self.computes = [op for op in self.computes if op not in self.fences]
        self.had_barrier = any(op.name == "gpu.barrier" for op in self.body.ops)
        self.barriers, self.carried = self._needed_barriers()
        self.dropped = [op for op in self.dropped if op not in self.barriers]
        wanted = {*self.barriers, *self.computes}
        self.computes = [op for op in self.body.ops if op in wanted]

    # --- roles ---------------------------------------------------------------------------------
    def _as_load(self, op: Operation) -> list[Load]:
        """`op` as a load, or nothing."""
        found = self._accesses[op]
        filled: dict[Root, Access] = {}
        for access in found:
            if access.kind == "write" and self._is_filling(access):
                filled.setdefault(access.root, access)
        if not filled:
            return []
        for access in found:
            if access.kind == "write" and access.root not in filled:
                first = next(iter(filled.values()))
                raise error(
                    access.op,
                    "cannot tell a copy to workgroup memory from what computes: both are in one "
                    "operation of the loop's body",
                    [(first.op.location, "the copy is here")],
                )
            if access.kind == "read" and access.root in filled:
                raise error(
                    access.op,
                    f"reads {describe(access.root)} where it is filled: the next iterations' "
                    "copies cannot be moved before it",
                    [(filled[access.root].op.location, "filled here")],
                )
        means = {access.means for access in filled.values()}
        if len(means) > 1:
            raise error(op, f"copies in more than one way at once ({', '.join(sorted(means))})")
        return [Load(op, list(filled), means.pop(), found)]

    def _is_filling(self, access: Access) -> bool:
        """Whether a write brings data from outside of workgroup memory into a buffer there."""
        op = access.op
        if access.means in ("bulk", "cp.async"):
            return True
        if op.name == "memref.copy":
            return is_workgroup(op.operands[1].type) and not is_workgroup(op.operands[0].type)
        if op.name not in _STORES:
            return False
        value, target = _STORES[op.name]
        return is_workgroup(op.operands[target].type) and self._is_from_outside(op.operands[value])

    def _is_from_outside(self, value: SSAValue) -> bool:
        """Whether a value was read from memory, none of which is workgroup memory or written in
        this loop by what computes."""
        pending, seen, reads = [value], {value}, False
        while pending:
            current = pending.pop()
            if isinstance(current, BlockArgument):
                if current.block is self.body and current.index > 0:
                    return False
                continue
            owner = current.owner
            if not isinstance(owner, Operation) or top_of(owner, self.body) is None:
                continue
            for access in accesses(owner):
                if access.kind == "write" or _in_workgroup(access.root):
                    return False
                reads = True
            for inner in owner.walk():
                for operand in inner.operands:
                    if operand not in seen:
                        seen.add(operand)
                        pending.append(operand)
        return reads

    def _find_mbarriers(self) -> list[SSAValue]:
        found: dict[SSAValue, None] = {}
        for load in self.loads:
            for op in load.op.walk():
                if op.name == "nvgpu.tma.async.load":
                    found[op.operands[_TMA_BARRIER]] = None
        return list(found)

    def _orders_loads(self, op: Operation) -> bool:
        if op.name in _MBARRIER_USES:
            return op.operands[0] in self.mbarriers
        return op.name == "gpu.barrier" or op.name in _ASYNC_GROUPS

    def _find_fences(self) -> list[Operation]:
        """Fences between proxies that stand behind the copies and before all that uses them."""
        found: list[Operation] = []
        for op in self.computes:
            if op.name == "nvvm.fence.proxy":
                found.append(op)
            elif any(access.root in self.buffers for access in self._accesses[op]):
                break
        return found

    # --- barriers ------------------------------------------------------------------------------
    def _needed_barriers(self) -> tuple[list[Operation], bool]:
        """Block barriers between conflicting accesses of what computes in one iteration, and
        whether two iterations conflict."""
        flat: list[Access] = []
        marks: list[tuple[Operation, int]] = []
        computing = set(self.computes)
        for op in self.body.ops:
            if op.name == "gpu.barrier":
                marks.append((op, len(flat)))
            elif op in computing:
                flat.extend(a for a in self._accesses[op] if not is_private(a))
                flat.extend(phases(op))
        needed = [
            barrier
            for barrier, at in marks
            if any(a.conflicts(b) for a in flat[:at] for b in flat[at:])
        ]
        carried = any(a.conflicts(b) for a in flat for b in flat if a.root not in self.buffers)
        return needed, carried

    # --- refusals ------------------------------------------------------------------------------
    def check(self) -> None:
        """Raises where a buffer's use does not allow it to be several buffers in turn."""
        if not self.loads:
            raise error(
                self.loop,
                "expected a loop that copies tiles to workgroup memory, but found no such copy",
            )
        self._check_bounds()
        for buffer, loads in self.buffers.items():
            self._check_known(buffer, loads)
            self._check_order(buffer, loads)
            self._check_outside(buffer)
        self._check_mbarriers()

    def _check_bounds(self) -> None:
        for bound in self.loop.operands[:3]:
            source = depends_on_thread(bound)
            if source is not None:
                raise error(
                    self.loop,
                    "expected a number of iterations that is the same for all threads of a block",
                    [(source.location, "threads differ by this")],
                )

    def _check_known(self, buffer: Root, loads: list[Load]) -> None:
        first = loads[0]
        if buffer is None:
            writing = next(a for a in first.accesses if a.kind == "write" and a.root is None)
            carried = _carried(writing.op, self.body)
            words = (
                "the loop carries the buffer itself: buffers can be rotated only if all are known"
                if carried
                else "the buffer may alias another: it is not known which memory it is"
            )
            raise error(writing.op, words, [(self.loop.location, "in this loop")])
        for op, found in self._accesses.items():
            for access in found:
                if access.root is None and access.means != "cp.async" and op is not first.op:
                    raise error(
                        access.op,
                        f"may alias {describe(buffer)}: it is not known which memory it uses",
                        [(first.op.location, "the buffer is filled here")],
                    )

    def _check_order(self, buffer: Root, loads: list[Load]) -> None:
        """Nothing that computes may use the buffer before it is filled."""
        last = loads[-1].op
        for op in self.computes:
            if not op.is_before_in_block(last):
                continue
            for access in self._accesses[op]:
                if access.root == buffer:
                    raise error(
                        access.op,
                        f"an iteration {_uses(access)} {describe(buffer)} before it writes it: "
                        "what it finds there is of the iteration before",
                        [(last.location, "written here")],
                    )

    def _check_outside(self, buffer: Root) -> None:
        for op in _users_outside(buffer, self.loop):
            raise error(
                op,
                f"uses {describe(buffer)} outside of the loop: which of its copies that would be "
                "is not defined",
                [(self.loop.location, "the loop is here")],
            )

    def _check_mbarriers(self) -> None:
        """The loads' barriers are made anew, so nothing else may wait for the old ones."""
        dropped = set(self.dropped)
        loading = {load.op for load in self.loads}
        for group in self.mbarriers:
            for use in group.uses:
                top = top_of(use.operation, self.body)
                if top is not None and top not in dropped and top not in loading:
                    raise error(
                        use.operation,
                        "waits for a copy inside of another operation of the loop's body; "
                        "expected the wait directly in the body",
                        [(self.loop.location, "the loop is here")],
                    )

    # --- dependence ----------------------------------------------------------------------------
    def slice_of(self, load: Load) -> Slice:
        """What has to run ahead with a load: addresses, predicates, and the load."""
        return Slice(self.body, [load.op])

    def check_ahead(self, load: Load) -> None:
        """Raises where the load of a later iteration must not run before this one computes."""
        along = self.slice_of(load)
        moved = set(along.ops)
        for op in along.ops:
            if op is load.op:
                continue
            if any(a.kind == "write" for a in self._accesses[op]) or (
                op not in self.dropped and op.name in SYNCHRONIZATION
            ):
                raise error(
                    op,
                    "is needed for a copy of a later iteration, and cannot run ahead: it has "
                    "effects of its own",
                    [(load.op.location, "the copy is here")],
                )
        reads = [a for op in along.ops for a in self._accesses[op] if a.kind == "read"]
        for op in self.computes:
            if op in moved:
                continue
            for access in self._accesses[op]:
                clash = next(
                    (r for r in reads if access.kind == "write" and r.conflicts(access)), None
                )
                if clash is not None:
                    raise error(
                        clash.op,
                        "a copy of a later iteration would read memory before this iteration "
                        "writes it",
                        [(access.op.location, "written here")],
                    )

    def drains(self) -> list[Operation]:
        """Asynchronous operations that read the buffers while the thread goes on."""
        return [
            access.op
            for op in self.computes
            for access in self._accesses[op]
            if access.means in ASYNCHRONOUS_READS
            and access.kind == "read"
            and access.root in self.buffers
        ]

    def accesses_of(self, op: Operation) -> list[Access]:
        """The accesses of an operation directly in the body."""
        return self._accesses[op]

    def needed_to_compute(self) -> Slice:
        """What of the body computing needs: effects, and what the loop gives or carries on."""
        roots = [op for op in self.computes if not is_memory_effect_free(op)]
        given = [at for at, result in enumerate(self.loop.results) if result.first_use is not None]
        return Slice(self.body, roots, given)


def phases(op: Operation) -> Iterator[Access]:
    """Arrivals and waits at mbarriers of what computes, as writes and reads of the phase: who waits
    by parity must have seen a phase before the next one is over."""
    for inner in op.walk():
        if inner.name in _ARRIVALS or inner.name in _MBARRIER_USES:
            kind = "read" if "wait" in inner.name else "write"
            yield Access(inner, kind, mbarrier_behind(inner.operands[0]), "mbarrier")


def mbarrier_behind(value: SSAValue) -> SSAValue:
    """The group of barriers of which `value` is, or is the address of, one; else `value`."""
    owner = value.owner
    while isinstance(owner, Operation) and owner.name in _ADDRESSES:
        value = owner.operands[0]
        owner = value.owner
    return value


def _uses(access: Access) -> str:
    return "reads" if access.kind == "read" else "writes"


def _in_workgroup(root: Root) -> bool:
    return isinstance(root, SSAValue) and is_workgroup(root.type)


def is_private(access: Access) -> bool:
    return (
        isinstance(access.root, SSAValue)
        and isinstance(access.root.owner, Operation)
        and (access.root.owner.name == "memref.alloca" and not is_workgroup(access.root.type))
    )


def _carried(op: Operation, body: Block) -> bool:
    return any(isinstance(v, BlockArgument) and v.block is body and v.index for v in op.operands)


def _users_outside(buffer: Root, loop: Operation) -> list[Operation]:
    """Operations outside of the loop that use the buffer, but for views and its end."""
    if isinstance(buffer, str):
        top = loop
        while (parent := top.parent_op()) is not None:
            top = parent
        pending = [
            op.results[0]
            for op in top.walk()
            if op.name == "memref.get_global" and root_of(op.results[0]) == buffer
        ]
    else:
        assert buffer is not None
        pending = [buffer]
    found: list[Operation] = []
    while pending:
        for use in pending.pop().uses:
            user = use.operation
            if loop.is_ancestor(user):
                continue
            if is_view(user):
                pending.append(user.results[0])
            elif user.name not in ("memref.dealloc", "gpu.dealloc", "memref.dim"):
                found.append(user)
    return found
