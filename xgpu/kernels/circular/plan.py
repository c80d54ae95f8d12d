# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is made of a loop: its options, groups of copies with their depths, the mode, and whether
the chip and its workgroup memory allow it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from xgpu.analysis.loop_schedule import Load, LoopSchedule, mbarrier_behind
from xgpu.analysis.memory import (
    PRODUCTS,
    Root,
    Slice,
    depends_on_thread,
    describe,
    is_workgroup,
    top_of,
)
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.ir.errors import error
from xgpu.core.support.gpu_limits import MAX_STATIC_SHARED
from xgpu.dialects.gpu.ops import parent_of
from xgpu.kernels.circular.storage import DynamicMemory, check_tile, limit_of, tile_bytes

if TYPE_CHECKING:
    from xgpu.dialects import nvgpu


# --- options -------------------------------------------------------------------------------------
# How a loop is to be buffered: options of the pass, of a loop, and of single copies.
#
# The attribute `xgpu.circular_buffer` of a loop is a unit, or a dictionary with the options of the
# pass; on a copy it says how deep that copy's buffer is.


#: The mark.
ATTRIBUTE = "xgpu.circular_buffer"
MODES = ("auto", "pipelined", "pipelined-mbarrier", "warp-specialized")
#: setmaxnreg takes multiples of 8 in these bounds (PTX ISA, setmaxnreg).
_FEWEST, _MOST, _REGISTER_STEP = 24, 256, 8


class Options(NamedTuple):
    """`prefetch` iterations are loaded ahead, into `stages` buffers; `registers` are those of a
    producer's and a consumer's thread, or empty."""

    stages: int = 2
    prefetch: int = -1
    mode: str = "auto"
    producer_warps: int = 1
    registers: tuple[int, ...] = ()

    def ahead(self) -> int:
        """The prefetch distance: a negative one counts from the stages."""
        return self.prefetch + self.stages if self.prefetch < 0 else self.prefetch


def options_of(op: Operation, given: Options) -> Options:
    """The options that `op` has by its attribute, on top of `given`."""
    attribute = op.attributes.get(ATTRIBUTE)
    if attribute is None or isinstance(attribute, UnitAttr):
        return checked(op, given)
    if not isinstance(attribute, DictionaryAttr):
        raise error(op, f"expected '{ATTRIBUTE}' to be a unit or a dictionary of options")
    values: dict[str, int | str | tuple[int, ...]] = {}
    for key, value in attribute.data.items():
        name = key.replace("-", "_")
        if name not in Options._fields:
            known = ", ".join(field.replace("_", "-") for field in Options._fields)
            raise error(op, f"'{ATTRIBUTE}' has no option '{key}'; it has {known}")
        values[name] = _value(op, name, value)
    return checked(op, given._replace(**values))  # pyright: ignore[reportArgumentType]


def _value(op: Operation, name: str, value: Attribute) -> int | str | tuple[int, ...]:
    if name == "mode" and isinstance(value, StringAttr):
        return value.data
    if name == "registers" and isinstance(value, ArrayAttr):
        found = [item.value.data for item in value.data if isinstance(item, IntegerAttr)]
        if len(found) == len(value.data):
            return tuple(found)
    if name not in ("mode", "registers") and isinstance(value, IntegerAttr):
        return value.value.data
    kinds = {"mode": "a string", "registers": "an array of two integers"}
    raise error(op, f"expected '{name}' to be {kinds.get(name, 'an integer')}")


def checked(op: Operation, options: Options) -> Options:
    """`options`, if they make sense."""
    if options.mode not in MODES:
        raise error(op, f"expected a mode of {', '.join(MODES)}, but found '{options.mode}'")
    if options.stages < 1:
        raise error(op, f"expected at least one stage, but found {options.stages}")
    if not 0 <= options.ahead() < options.stages:
        raise error(
            op,
            f"expected a prefetch distance of 0 to {options.stages - 1} for {options.stages} "
            f"stages, or one of -{options.stages} to -1, which counts from the stages, but found "
            f"{options.prefetch}",
        )
    if options.producer_warps < 1:
        raise error(op, f"expected at least one producer warp, but found {options.producer_warps}")
    _check_registers(op, options.registers)
    return options


def _check_registers(op: Operation, registers: tuple[int, ...]) -> None:
    if not registers:
        return
    if len(registers) != 2:
        raise error(op, "expected two numbers of registers: of producers, and of consumers")
    for number in registers:
        if number % _REGISTER_STEP or not _FEWEST <= number <= _MOST:
            raise error(
                op,
                f"expected numbers of registers that are multiples of {_REGISTER_STEP} from "
                f"{_FEWEST} to {_MOST}, but found {number}",
            )
    if registers[0] > registers[1]:
        raise error(op, "expected producers to have no more registers than consumers")


# --- issuers -------------------------------------------------------------------------------------
# Products that one thread asks for, and that say themselves when they are over.
#
#     scf.for ... {                                        if (one thread) {
#       wait for the tiles                                   for n in 0 .. N {
#       if (one thread) { products; commit to %over }  ==>     wait until it is full; products
#       wait for %over                                         commit to the stage's empty barrier
#     }                                                      }
#                                                            commit to %over
#                                                          }
#                                                          wait for %over
#
# Blocks of a pair multiply together, and the first one asks for the products of both: the second's
# thread tells it that its tiles are there, at a barrier of which there is one a stage then.
#
#    scf.for ... {                                        if (one thread of each block) {
#      wait for the tiles                                   for n in 0 .. N {
#      if (a thread of the second) { arrive at %both }        wait until it is full
#      if (a thread of the first) {                     ==>   second: arrive at %both[n % S]
#        wait for %both; products                             first: wait for %both[n % S]; products
#        commit to %over of both }                              commit to the stage's empty barriers
#      wait for %over                                         }
#    }                                                      ..
#
# The tensor cores finish such products in their order, and a commit arrives at an mbarrier when
# all that the thread asked for before are over. So a stage is given back by them, not by threads;
# no thread waits before the loop's end, and the threads that ask for nothing do not run the loop at
# all.


_ADDRESS = "nvgpu.mbarrier.get"
ARRIVE = "nvvm.mbarrier.arrive"
_MAP = "nvvm.mapa"
COMMIT = "nvvm.tcgen05.commit"
WAIT = "nvgpu.mbarrier.try_wait.parity"


class Handshake(NamedTuple):
    """What another block's thread does when its tiles are there: `branch`, in which it arrives at
    `barrier`. `wait` is for that, and `phase` the index of its phase that the loop carries."""

    branch: Operation
    wait: Operation
    barrier: SSAValue
    phase: int


class Issuer:
    """The only thing that a loop computes: `branch`, in which one thread asks for products and
    commits them; `wait` for that by all. `phase` is the index of the phase that the loop carries.
    With `handshake` the products are of several blocks, of which this is one.
    """

    __slots__ = ("branch", "commit", "handshake", "phase", "wait")

    def __init__(
        self,
        branch: Operation,
        commit: Operation,
        wait: Operation,
        phase: int,
        handshake: Handshake | None,
    ) -> None:
        self.branch = branch
        self.commit = commit
        self.wait = wait
        self.phase = phase
        self.handshake = handshake

    def ranks(self) -> tuple[int, ...]:
        """The blocks in which a commit arrives, by rank; none: in this block alone."""
        if len(self.commit.operands) == 1:
            return ()
        mask = int_of(self.commit.operands[1])
        assert mask is not None  # `issuer_of` asks for that
        return tuple(rank for rank in range(mask.bit_length()) if mask >> rank & 1)


def issuer_of(schedule: LoopSchedule) -> Issuer | None:
    """What a loop computes, if that is products which one thread asks for and all wait for."""
    effects = [op for op in schedule.computes if not is_memory_effect_free(op)]
    effects = [op for op in effects if op not in schedule.barriers]
    if not 2 <= len(effects) <= 3 or schedule.barriers:
        return None
    branch, wait = effects[-2:]
    if not _is_branch(branch) or wait.name != WAIT:
        return None
    commits = [op for op in branch.walk() if op.name == COMMIT]
    found = schedule.accesses_of(branch)
    is_product = any(access.means == "tensor product" for access in found)
    waits = [op for op in branch.walk() if "mbarrier" in op.name and op.name != _ADDRESS]
    handshake = _handshake(schedule, effects[0], waits) if len(effects) == 3 else None
    if handshake is None and (waits or len(effects) == 3):
        return None  # it waits for others, who would have to know how far it is
    if len(commits) != 1 or not is_product or any(access.kind == "write" for access in found):
        return None
    if not _is_whole(schedule, branch, commits[0], wait):
        return None
    along, phase = Slice(schedule.body, [branch]), _phase_of(schedule, wait)
    phases = {phase} if handshake is None else {phase, handshake.phase}
    if phase is None or not phases.issuperset(schedule.needed_to_compute().arguments):
        return None
    if any(handshake is None or at != handshake.phase for at in along.arguments):
        return None
    if not all(op in effects or is_memory_effect_free(op) for op in along.ops):
        return None
    issuer = Issuer(branch, commits[0], wait, phase, handshake)
    if len(commits[0].operands) > 1 and int_of(commits[0].operands[1]) is None:
        return None
    # A stage of one block is read by products that another one asks for only with a handshake.
    return issuer if bool(issuer.ranks()) == (handshake is not None) else None


def _is_branch(op: Operation) -> bool:
    """Whether this is what some threads do, and others not."""
    if op.name != "scf.if" or op.results or op.regions[1].blocks:
        return False
    return depends_on_thread(op.operands[0]) is not None


def _handshake(
    schedule: LoopSchedule, branch: Operation, waits: list[Operation]
) -> Handshake | None:
    """The arrival in `branch` at the barrier of the only one of `waits`, which is used for nothing
    else."""
    if not _is_branch(branch) or len(waits) != 1 or waits[0].name != WAIT:
        return None
    wait = waits[0]
    if any(int_of(value) is None for value in wait.operands[2:]):
        return None
    barrier, inside = wait.operands[0], list(branch.regions[0].block.ops)
    arrivals = [op for op in inside if op.name == ARRIVE]
    if len(arrivals) != 1 or mbarrier_behind(arrivals[0].operands[0]) is not barrier:
        return None
    allowed = (ARRIVE, _ADDRESS, _MAP)
    if not all(op.name in allowed or is_memory_effect_free(op) for op in inside[:-1]):
        return None
    if _is_inside(branch.operands[0], schedule.loop) or _is_inside(barrier, schedule.loop):
        return None
    for use in barrier.uses:
        user = use.operation
        is_known = user is wait or user.name == "nvgpu.mbarrier.init"
        if not is_known and not (user.name == _ADDRESS and branch.is_ancestor(user)):
            return None
    phase = _phase_of(schedule, wait)
    return None if phase is None else Handshake(branch, wait, barrier, phase)


def _is_whole(
    schedule: LoopSchedule, branch: Operation, commit: Operation, wait: Operation
) -> bool:
    """Whether the commit, to the barrier that is waited for and used nowhere else, ends the branch,
    and condition and barrier come from outside of the loop."""
    last = branch.regions[0].block.last_op
    group = wait.operands[0]
    if (
        last is None
        or commit.next_op is not last
        or mbarrier_behind(commit.operands[0]) is not group
    ):
        return False
    body = schedule.body
    if any(_is_inside(value, schedule.loop) for value in (branch.operands[0], group)):
        return False
    if any(int_of(value) is None for value in wait.operands[2:]):
        return False
    for use in group.uses:
        user = use.operation
        if user is wait or user.name == "nvgpu.mbarrier.init" or branch.is_ancestor(user):
            continue
        return False
    return top_of(commit, body) is branch


def _is_inside(value: SSAValue, loop: Operation) -> bool:
    owner = value.owner
    if isinstance(owner, Operation):
        return loop.is_ancestor(owner)
    parent = owner.parent_op()
    return parent is not None and loop.is_ancestor(parent)


def _phase_of(schedule: LoopSchedule, wait: Operation) -> int | None:
    """The index of the value that the loop carries as the barrier's phase: turned each time."""
    phase = wait.operands[1]
    body = schedule.body
    if not isinstance(phase, BlockArgument) or phase.block is not body or phase.index == 0:
        return None
    last = body.last_op
    assert last is not None
    later = last.operands[phase.index - 1].owner
    if not isinstance(later, Operation) or later.name != "arith.xori":
        return None
    turned = later.operands[0] is phase and int_of(later.operands[1]) in (1, -1)
    return phase.index - 1 if turned else None


# --- plan ----------------------------------------------------------------------------------------
# What is to be made of a loop: groups of copies with their depths, and the mode.


BULK, ASYNC, THREAD = "bulk", "cp.async", "thread"
_BY_DESCRIPTOR = frozenset(PRODUCTS.values())


class Group:
    """Copies of one kind that run the same distance ahead into equally many buffers.

    They are asked for together; bulk copies of a group arrive at the same barrier.
    """

    __slots__ = ("ahead", "along", "loads", "means", "stages")

    def __init__(self, means: str, stages: int, ahead: int, loads: list[Load]) -> None:
        self.means = means
        self.stages = stages
        self.ahead = ahead
        self.loads = loads
        self.refresh()

    def refresh(self) -> None:
        """Finds what goes along with the copies, for the body as it is now."""
        body = self.loads[0].op.parent
        assert body is not None
        self.along = Slice(body, [load.op for load in self.loads])

    def buffers(self) -> list[Root]:
        return list(dict.fromkeys(buffer for load in self.loads for buffer in load.buffers))


class Plan:
    """A loop, what its iterations do, and how they shall overlap."""

    def __init__(
        self, loop: Operation, given: Options, can_specialize: Callable[[Plan], bool]
    ) -> None:
        """`can_specialize` says whether the loop's kernel can have warps that only copy."""
        self.loop = loop
        self._can_specialize = can_specialize
        #: Where stages shall lie if not where the buffers are.
        self.memory: DynamicMemory | None = None
        self.options = options_of(loop, given)
        self.schedule = LoopSchedule(loop)
        self.schedule.check()
        self.groups = groups_of(self.schedule, self.options)
        self.mode = self._choose_mode()
        #: The blocks of a cluster that share copies, by rank.
        self.ranks: tuple[int, ...] = ()
        self.fences = self.schedule.fences
        #: One thread that asks for all products, where warps of their own copy.
        self.issuer = issuer_of(self.schedule) if self.mode == "warp-specialized" else None
        for group in self.groups:
            if group.ahead > 0 or self.mode == "warp-specialized":
                for load in group.loads:
                    self.schedule.check_ahead(load)
        self._check_fences()

    # --- modes ---------------------------------------------------------------------------------
    def _choose_mode(self) -> str:
        mode = self.options.mode
        if mode == "auto":
            return self._best_mode()
        if mode != "pipelined":
            other = next((g for g in self.groups if g.means != BULK), None)
            if other is not None:
                raise error(
                    other.loads[0].op,
                    f"mode '{mode}' is for loops all of whose copies are nvgpu.tma.async.load, "
                    "which an mbarrier counts; this copy is made by the threads themselves",
                    [(self.loop.location, "the loop is here")],
                )
        return mode

    def _best_mode(self) -> str:
        """Warps of their own, where tensor cores read what the copy engine brings and the kernel
        can have them: then nothing that copies waits for what multiplies. Elsewhere a stage is
        given back by an mbarrier, so that warps do not meet. Threads that read tiles themselves
        meet at one barrier, which is less than an arrival of each; and with a prefetch distance
        of one's own choice, or a single stage, there is nothing to choose."""
        options = self.options
        is_free = options.ahead() == options.stages - 1 and options.stages > 1
        is_shared = any(
            op.name == "nvgpu.tma.async.load"
            and cast("nvgpu.TmaAsyncLoadOp", op).multicast_mask is not None
            for op in self.loop.walk()
        )
        if not self.is_bulk_only() or not is_free or not self._feeds_products():
            return "pipelined-mbarrier" if is_shared else "pipelined"
        return "warp-specialized" if self._can_specialize(self) else "pipelined-mbarrier"

    def _feeds_products(self) -> bool:
        """Whether tensor cores read the tiles by descriptor."""
        filled = {root for group in self.groups for root in group.buffers()}
        return any(
            access.means in _BY_DESCRIPTOR and access.root in filled
            for op in self.schedule.computes
            for access in self.schedule.accesses_of(op)
        )

    def of_kind(self, means: str) -> list[Group]:
        return [group for group in self.groups if group.means == means]

    def is_bulk_only(self) -> bool:
        return all(group.means == BULK for group in self.groups)

    def is_late(self) -> bool:
        """Whether copies are asked for behind the barrier that says that the tile is there.

        All threads have then left the iteration before, so that one barrier serves both. That
        is too late for a copy of the same iteration, and bulk copies need no barrier to be seen.
        """
        return not self.is_bulk_only() and all(group.ahead > 0 for group in self.groups)

    def needs_barrier_behind(self) -> bool:
        """Whether a barrier has to follow what computes, so that its buffers can be filled again.

        Copies that come before the barrier of iteration n run beside computing n - 1.
        """
        if self.is_bulk_only():
            return True
        return not self.is_late() and any(g.ahead == g.stages - 1 for g in self.groups)

    def in_flight(self) -> int:
        """How many iterations' asynchronous reads of a buffer may be unfinished where an
        iteration has computed."""
        if self.mode != "pipelined":
            return 0
        room = min(group.stages - group.ahead for group in self.groups) - 1
        exact = self.is_bulk_only() or self.is_late() or self.needs_barrier_behind()
        return max(0, room if exact else room - 1)

    # --- refusals ------------------------------------------------------------------------------
    def _check_fences(self) -> None:
        """What threads write is visible to tensor cores' descriptors only behind a proxy fence."""
        written = {b for g in self.groups if g.means != BULK for b in g.buffers()}
        schedule = self.schedule
        for op in schedule.computes:
            for access in schedule.accesses_of(op):
                if access.means not in _BY_DESCRIPTOR or access.root not in written:
                    continue
                load = next(x for x in schedule.loads if access.root in x.buffers)
                if not _fence_between(load.op, op):
                    raise error(
                        access.op,
                        f"reads {describe(access.root)} through a descriptor, and no "
                        "nvvm.fence.proxy stands between what threads wrote there and this",
                        [(load.op.location, "written here")],
                    )


def _fence_between(first: Operation, last: Operation) -> bool:
    current = first.next_op
    while current is not None and current is not last:
        if any(inner.name == "nvvm.fence.proxy" for inner in current.walk()):
            return True
        current = current.next_op
    return any(inner.name == "nvvm.fence.proxy" for inner in first.walk())


def groups_of(schedule: LoopSchedule, options: Options) -> list[Group]:
    found: dict[tuple[str, int, int], list[Load]] = {}
    depth: dict[Root, tuple[int, Load]] = {}
    for load in schedule.loads:
        own = options_of(load.op, options)
        if own.mode != options.mode or own.registers != options.registers:
            raise error(load.op, "a copy has stages and a prefetch distance; its loop has the mode")
        found.setdefault((load.means, own.stages, own.ahead()), []).append(load)
        for buffer in load.buffers:
            stages, first = depth.setdefault(buffer, (own.stages, load))
            if stages != own.stages:
                raise error(
                    load.op,
                    f"fills {describe(buffer)} as {own.stages} stages, but another copy does "
                    f"as {stages}",
                    [(first.op.location, "the other copy is here")],
                )
    return [Group(*key, loads) for key, loads in found.items()]


# --- chips ---------------------------------------------------------------------------------------
# What a chip can do: which of it a plan asks for.


#: The first chips with cp.async, with bulk copies and their barriers, and with setmaxnreg, which is
#: of one architecture only (PTX ISA, target notes of these instructions).
_ASYNC_FROM, _BULK_FROM = 80, 90


def chip_of(op: Operation) -> str:
    """The chip that the module of `op` is for, such as sm_90a; empty where it does not say."""
    module = op if op.name == "gpu.module" else parent_of(op, "gpu.module")
    targets = None if module is None else module.properties.get("targets")
    for target in targets.data if isinstance(targets, ArrayAttr) else ():
        chip = getattr(target, "chip", None)
        if chip is not None:
            return str(getattr(chip, "data", chip)).strip('"')
    return ""


def check_chip(plan: Plan) -> None:
    """Raises where the loop's chip is known, and lacks what the mode or the copies need."""
    chip = chip_of(plan.loop)
    digits = "".join(c for c in chip if c.isdigit())
    if not digits:
        return
    for means, first, words in (
        (ASYNC, _ASYNC_FROM, "asynchronous copies by threads"),
        (BULK, _BULK_FROM, "bulk copies and barriers that count their bytes"),
    ):
        group = next(iter(plan.of_kind(means)), None)
        if group is not None and int(digits) < first:
            raise error(
                group.loads[0].op,
                f"{words} begin with sm_{first}, but the kernel is for {chip}",
                [(plan.loop.location, "the loop is here")],
            )
    if plan.options.registers and not chip.endswith(("a", "f")):
        raise error(
            plan.loop,
            f"registers can be shared out between warps on sm_90a and the like, but the kernel is "
            f"for {chip}",
        )


# --- memory --------------------------------------------------------------------------------------
# How much workgroup memory a kernel has, and would have with so many stages.


_BARRIER_BYTES = 8


def buffer_type(root: Root, loop: Operation) -> MemRefType:
    """The type of the memref that a buffer is."""
    if not isinstance(root, str):
        assert root is not None
        return cast("MemRefType", root.type)
    for op in loop.walk():
        for operand in op.operands:
            owner = operand.owner
            if getattr(owner, "name", "") == "memref.get_global" and (
                str(cast("Operation", owner).properties["name"]) == root
            ):
                return cast("MemRefType", operand.type)
    raise error(loop, f"expected {describe(root)} to be used in the loop")


def place_of_stages(plan: Plan) -> DynamicMemory | None:
    """Where the stages shall lie: None for where the buffers are, as variables. Raises where they
    do not fit, before anything is changed."""
    loop = plan.loop
    kernel = parent_of(loop, "gpu.launch", "gpu.func")
    more = _barrier_bytes(plan)
    moved = 0
    for root, (stages, bulk) in stages_of(plan).items():
        ty = buffer_type(root, loop)
        check_tile(loop, root, ty, bulk=bulk, stages=stages)
        more += (stages - 1) * tile_bytes(ty)
        moved += stages * tile_bytes(ty)
    if kernel is None:
        return None
    needed = workgroup_bytes(kernel) + more
    if needed <= MAX_STATIC_SHARED:
        return None
    limit = limit_of(chip_of(kernel))
    memory = DynamicMemory(kernel, loop)
    used = needed + memory.begin
    if used > limit or needed - moved > MAX_STATIC_SHARED:
        raise error(
            loop,
            f"needs {used} bytes of workgroup memory with these stages, and a block can have "
            f"{limit}",
            [(kernel.location, f"the kernel has {used - more} bytes without them")],
        )
    return memory


def _barrier_bytes(plan: Plan) -> int:
    kinds = 1 if plan.mode == "pipelined" else 2
    return sum(kinds * group.stages * _BARRIER_BYTES for group in plan.of_kind(BULK))


def stages_of(plan: Plan) -> dict[Root, tuple[int, bool]]:
    """For each buffer its stages, and whether bulk copies fill it."""
    return {
        root: (group.stages, group.means == BULK)
        for group in plan.groups
        for root in group.buffers()
    }


def workgroup_bytes(kernel: Operation) -> int:
    """The bytes of a kernel's attributions, globals and allocations of workgroup memory."""
    arguments: list[SSAValue] = list(kernel.regions[0].blocks[0].args)
    if kernel.name == "gpu.func":
        arguments = arguments[_parameters(kernel) :]
    found: dict[object, int] = {}
    for value in arguments:
        if is_workgroup(value.type):
            found[value] = _bytes(value)
    for op in kernel.walk():
        if op.name in ("memref.get_global", "memref.alloc", "memref.alloca") and is_workgroup(
            op.results[0].type
        ):
            key = str(op.properties["name"]) if op.name == "memref.get_global" else op
            found[key] = _bytes(op.results[0])
        elif op.name == "nvgpu.mbarrier.create":
            group = op.results[0].type
            found[op] = _BARRIER_BYTES * int(getattr(group, "num_barriers", 1))
    return sum(found.values())


def _parameters(function: Operation) -> int:
    ty = function.properties["function_type"]
    return len(getattr(ty, "inputs", ()))


def _bytes(value: SSAValue) -> int:
    ty = cast("MemRefType", value.type)
    return 0 if any(extent < 0 for extent in ty.get_shape()) else tile_bytes(ty)
