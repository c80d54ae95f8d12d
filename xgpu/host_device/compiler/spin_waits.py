# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops in which a thread waits for what another writes to memory.

    ^wait:                                             // ld.volatile until it is set
      %v = llvm.load volatile %flag
      %set = llvm.icmp "ne" %v, %zero
      llvm.cond_br %set, ^go, ^wait

Such a loop stores nothing, and whether it ends depends on a volatile or atomic load, or on an
atomic operation that is tried again with the same operands (a lock). A loop around a
compare-and-swap whose expected value is what was read last is none: it goes round again because
another got on. A test of an mbarrier's phase is such a read where each thread runs by itself.
A thread that runs by itself lets the others go first each time (`yield_in_spins`), a test of an
mbarrier's phase does so itself. So does one in a
loop that stores, too, and goes on because of a volatile load: it works until others have done their
part (`working_waits`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Block, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import flag, number, prop
from xgpu.core import ods
from xgpu.core.ir.dominance import ControlFlowGraph, Edge, Loop
from xgpu.core.ir.locations import source_location
from xgpu.core.ir.region_flow import incoming
from xgpu.dialects.llvm.attributes import ATOMIC_RMW
from xgpu.host_device.abi.structs import OF_MBARRIER
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.code import Code, FunctionState
from xgpu.host_device.compiler.raise_intrinsics import intrinsic_name
from xgpu.host_device.compiler.scalarize import promote
from xgpu.host_device.compiler.types import I32, I64, integer_constant, size_of

#: How the sanitizer's functions begin, which change nothing that the program sees.
SANITIZER = "xgpu_san_"

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from xdsl.ir import BlockArgument


def yield_in_spins(function: Operation, state: FunctionState, *, by_thread: bool = False) -> None:
    """Lets other threads go first wherever a loop waits for them. Where each thread runs by itself
    it tells what it waits for, so that a wait that cannot end is seen."""
    region = function.regions[0]
    if not any(
        _may_wait(op) or (by_thread and _tests(op)) for block in region.blocks for op in block.ops
    ):
        return
    # Code that is not optimized keeps what it has read in a variable of the thread.
    promote(function)
    graph = ControlFlowGraph(region)
    for loop in working_waits(graph):
        first = graph.blocks[loop.header].first_op
        assert first is not None
        Code(state, first).wait("yield", Code(state, state.end).integer(0, I32))
    found = list(spins(graph, tests=by_thread))
    steady = [is_steady(graph, loop, read) if by_thread else False for loop, read in found]
    for (loop, read), tells in zip(found, steady, strict=True):
        first = graph.blocks[loop.header].first_op
        assert first is not None
        if not tells:
            Code(state, first).wait("yield", Code(state, state.end).integer(0, I32))
            continue
        if _tests(read):
            Code(state, first).native("count_spin", None)
        else:
            Code(state, first).wait("spin")
        _tell(Code(state, read), read)
        for edge in loop.exits:
            _leave(graph, state, edge)


def _tell(b: Code, read: Operation) -> None:
    """Before the read of a loop that waits: at what the thread looks."""
    place = source_location(read.location)
    line, column = (place.line, place.column) if place is not None else (0, 0)
    word = read.results[0] if read.name == "llvm.load" else read.operands[1]
    size = OF_MBARRIER if _tests(read) else size_of(word.type) or 0
    b.set_field(b.generic(read.operands[0]), b.thread, "Thread", "spin_address")
    b.set_field(b.integer(size, I32), b.thread, "Thread", "spin_bytes")
    b.set_field(b.integer(line << 32 | column, I64), b.thread, "Thread", "spin_place")


def _leave(graph: ControlFlowGraph, state: FunctionState, edge: Edge) -> None:
    """On a way out of a loop that waits: the thread does something else from here on."""
    block, successor = graph.blocks[edge[0]], edge[1]
    last = block.last_op
    assert last is not None
    target = last.successors[successor]
    between = Block(arg_types=[argument.type for argument in target.args])
    region = block.parent
    assert region is not None
    region.insert_block_before(between, target)
    branch = ods.create(
        "llvm.br", tuple(between.args), (), successors=(target,), location=last.location
    )
    between.add_op(branch)
    successors = list(last.successors)
    successors[successor] = between
    last.successors = successors
    b = Code(state, branch)
    b.set_field(b.integer(0, I32), b.thread, "Thread", "spins")


def spins(
    graph: ControlFlowGraph, *, plain: bool = False, tests: bool = False
) -> Iterator[tuple[Loop, Operation]]:
    """The loops that wait, each with the read that they wait for. With `plain` those that wait for
    a plain load from one address, by mistake; with `tests` also those for a phase of an mbarrier.
    """
    is_awaited = _loads_plainly if plain else _waits_or_tests if tests else _may_wait
    for loop in graph.loops:
        read = _awaited(graph, loop, is_awaited)
        if read is not None:
            yield loop, read


def working_waits(graph: ControlFlowGraph) -> list[Loop]:
    """The loops that store something and go on because of a volatile load, without a barrier."""
    found: list[Loop] = []
    for loop in graph.loops:
        inside = {graph.blocks[b] for b in loop.blocks}
        operations_inside = [op for block in inside for op in block.ops]
        if (
            any(op.name == "llvm.store" for op in operations_inside)
            and any(map(_is_volatile_load, operations_inside))
            and not any(operations.is_barrier(op) for op in operations_inside)
            and _decides(graph, loop, inside, _is_volatile_load, by_branches=True) is not None
        ):
            found.append(loop)
    return found


def _is_volatile_load(op: Operation) -> bool:
    return op.name == "llvm.load" and flag(op, "volatile_")


#: Beginnings of the names of operations that a loop may repeat without changing anything.
_STEADY = (
    "llvm.load", "llvm.extractvalue", "llvm.insertvalue", "llvm.addrspacecast", "llvm.br",
    "llvm.cond_br", "llvm.switch", "llvm.fence", "nvvm.memory.barrier", "nvvm.nanosleep",
    "nvvm.fence", "nvvm.read.ptx.sreg.",
)  # fmt: skip
#: What inline PTX says of an address of 32 bits: the pointer to shared memory.
_SHARED_POINTER = "ptx.shared.pointer"
#: Atomic operations that leave the same when they are repeated with the same operand.
_REPEATABLE = ("xchg", "and", "or", "max", "min", "umax", "umin", "fmax", "fmin")


def is_steady(graph: ControlFlowGraph, loop: Loop, read: Operation) -> bool:
    """Whether a loop that waits changes nothing, and goes round the same way as long as memory
    stays as it is: so it goes on for ever unless another thread writes."""
    inside = {graph.blocks[b] for b in loop.blocks}
    if not all(_is_steady(op, inside) for block in inside for op in block.ops):
        return False
    used = _used(graph, inside)
    return not any(
        _depends_on_itself(graph, argument, inside)
        for block in inside for argument in block.args if argument in used
    )  # fmt: skip


def _used(graph: ControlFlowGraph, inside: set[Block]) -> set[SSAValue]:
    """What decides where a loop goes and what it reads; how long it sleeps does not."""
    pending: list[SSAValue] = []
    for block in inside:
        for op in block.ops:
            if op is block.last_op:
                pending += op.operands[:1] if op.name != "llvm.br" else ()
            elif not operations.is_pure(op) and op.name not in operations.HINTS and not _sleeps(op):
                pending += op.operands
    return set(_behind(graph, pending, inside))


def _behind(
    graph: ControlFlowGraph, values: Iterable[SSAValue], inside: set[Block],
    ends: Callable[[Operation], bool] = lambda _: False,
) -> Iterator[SSAValue]:  # fmt: skip
    """What values depend on within a loop, themselves first; of an operation that `ends` it, no
    operands."""
    pending, seen = list(values), set[SSAValue]()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        yield value
        owner = value.owner
        if isinstance(owner, Block):
            if owner in inside:
                pending += incoming(graph, cast("BlockArgument", value), inside)
        elif owner.parent in inside and not ends(owner):
            pending += owner.operands


def _is_steady(op: Operation, inside: set[Block]) -> bool:
    if op.name == "llvm.call":
        return (operations.callee(op) or "").startswith(SANITIZER)
    if op.name in operations.ATOMICS:
        if any(_home(operand) in inside for operand in op.operands[1:]):
            return False
        return op.name == "llvm.cmpxchg" or _is_repeatable(op)
    register = operations.register(op)
    if register is not None and operations.is_clock(register):
        return False
    if _tests(op) or _sleeps(op) or intrinsic_name(op) == _SHARED_POINTER:
        return True
    return operations.is_pure(op) or op.name in operations.HINTS or op.name.startswith(_STEADY)


def _is_repeatable(op: Operation) -> bool:
    kind = ATOMIC_RMW[number(prop(op, "bin_op"))]
    operand = integer_constant(op.operands[1])
    if kind == "xchg":
        return operand is not None
    return kind in _REPEATABLE or (kind in ("add", "sub", "xor") and operand == 0)


def _depends_on_itself(
    graph: ControlFlowGraph, argument: BlockArgument, inside: set[Block]
) -> bool:
    """Whether what a loop carries around depends on what it carried before."""
    pending = [v for v in incoming(graph, argument, inside) if v is not argument]
    return argument in _behind(graph, pending, inside, _reads_anew)


def _reads_anew(op: Operation) -> bool:
    """Whether what an operation gives comes from memory."""
    return op.name == "llvm.load" or op.name in operations.ATOMICS or _tests(op)


def _tests(op: Operation) -> bool:
    """Whether an operation asks if a phase of an mbarrier is over, and does not wait for that."""
    return (intrinsic_name(op) or op.name.removeprefix("nvvm.")).startswith("mbarrier.test.wait")


def _sleeps(op: Operation) -> bool:
    return (intrinsic_name(op) or op.name.removeprefix("nvvm.")) == "nanosleep"


def _may_wait(op: Operation, inside: set[Block] | None = None) -> bool:
    if op.name == "llvm.load":
        return operations.is_ordered(op)
    return op.name in operations.ATOMICS


def _waits_or_tests(op: Operation, inside: set[Block]) -> bool:
    return _may_wait(op, inside) or _tests(op)


def _awaited(
    graph: ControlFlowGraph, loop: Loop, is_awaited: Callable[[Operation, set[Block]], bool]
) -> Operation | None:
    inside = {graph.blocks[b] for b in loop.blocks}
    if any(_does_more(op) for block in inside for op in block.ops):
        return None

    def waits(op: Operation) -> bool:
        return is_awaited(op, inside) and _tries_again(op, inside)

    return _decides(graph, loop, inside, waits)


def _decides(
    graph: ControlFlowGraph, loop: Loop, inside: set[Block], asked: Callable[[Operation], bool],
    *, by_branches: bool = False,
) -> Operation | None:  # fmt: skip
    """An operation in a loop of the kind that is `asked` for, on which it depends whether the loop
    ends. With `by_branches` a value that comes by several ways depends on the branches, too."""
    values = [v for b, _ in loop.exits for v in _last(graph.blocks[b]).operands[:1]]
    found, parted = _asked(graph, values, inside, asked)
    if found is None and by_branches and parted:
        ends = [end for end in map(_last, inside) if len(end.successors) > 1]
        found, _ = _asked(graph, [end.operands[0] for end in ends], inside, asked)
    return found


def _asked(
    graph: ControlFlowGraph, values: Iterable[SSAValue], inside: set[Block],
    asked: Callable[[Operation], bool],
) -> tuple[Operation | None, bool]:  # fmt: skip
    """An operation of the kind that is asked for among those that values depend on, and whether
    there are values that come by several ways."""
    parted = False
    for value in _behind(graph, values, inside):
        owner = value.owner
        if isinstance(owner, Block):
            if owner in inside:
                given = incoming(graph, cast("BlockArgument", value), inside)
                parted = parted or len(set(given)) > 1
        elif owner.parent in inside and asked(owner):
            return owner, parted
    return None, parted


def _last(block: Block) -> Operation:
    assert block.last_op is not None
    return block.last_op


def _loads_plainly(op: Operation, inside: set[Block]) -> bool:
    return op.name == "llvm.load" and not _may_wait(op) and _home(op.operands[0]) not in inside


def _does_more(op: Operation) -> bool:
    """Whether a loop with `op` in it does work while it waits."""
    return op.name == "llvm.store" or operations.is_barrier(op) or op.name.startswith("nvvm.cp.")


def _tries_again(read: Operation, inside: set[Block]) -> bool:
    """Whether a read is the same each time: atomic operations with what they bring along."""
    if read.name == "llvm.load":
        return True
    return all(_home(operand) not in inside for operand in read.operands[1:2])


def _home(value: SSAValue) -> Block | None:
    owner = value.owner
    if isinstance(owner, Block):
        return owner
    return None if owner.name in operations.CONSTANTS else owner.parent
