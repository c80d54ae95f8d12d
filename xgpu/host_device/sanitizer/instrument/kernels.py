# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`host-sanitize`: kernels that tell the sanitizer what they do.

    %v = llvm.load %p : !llvm.ptr -> f32
becomes
    %q = llvm.call @xgpu_san_access(%p, %info, %base, %extent, %zero) : ... -> !llvm.ptr
    %v = llvm.load %q : !llvm.ptr -> f32

The call looks at the access before it happens, and gives the address of unused memory where it
would leave its own; so one run finds all that is wrong, and nothing that is wrong does harm. What
waits gets a call before it and one behind it. The kernel then runs thread by thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Never, cast

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Operation

from xgpu.backend.llvm_ir.facts import number, text_of
from xgpu.core.ir.construction import nested_operations, operations_of
from xgpu.core.ir.dominance import ControlFlowGraph, reached
from xgpu.core.ir.effects import is_pure, is_trivially_dead
from xgpu.core.ir.errors import error
from xgpu.core.ir.locations import source_location
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.arith.builders import constant
from xgpu.dialects.llvm.builders import LLVMBuilder
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMPointerType, LLVMVoidType
from xgpu.host_device.abi.sanitizer_records import (
    FLAG_ATOMIC,
    FLAG_MODIFY,
    FLAG_UNREAD,
    FLAG_WRITE,
    HOW_ACQUIRE,
    HOW_READ,
    HOW_REDUCE,
    HOW_RELEASE,
    HOW_WRITE,
    SCOPE_BLOCK,
    SCOPE_CLUSTER,
    SCOPE_DEVICE,
)
from xgpu.host_device.abi.structs import STEP_ASIDE
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.address_roots import LAYOUT
from xgpu.host_device.sanitizer.instrument.calls import SCOPES, Instrumentation, SiteTable, unknown
from xgpu.host_device.sanitizer.instrument.effects import (
    is_hint,
    is_silent_intrinsic,
    is_silent_operation,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.context import Context
    from xdsl.dialects.builtin import SymbolRefAttr
    from xdsl.ir import Block, SSAValue


# -- Loops that wait for memory with a plain load: the `volatile` or `atomic` that is missing.
#
#     scf.while : () -> () {
#       %f = memref.load %flag[%c0]                      // of what another block stores
#       %again = arith.cmpi eq, %f, %c0_i32
#       scf.condition(%again)
#     } do { scf.yield }
#
# Such a loop has no effect, so that passes may remove it, and with it the mistake. For the
# sanitizer a `nvvm.nanosleep` in it keeps it, and lets the thread that it waits for get on.


_LOADS = ("memref.load", "llvm.load", "memref.atomic_rmw", "llvm.atomicrmw")


def keep_plain_waits(module: Operation) -> None:
    """Let loops of kernels that wait for memory stay, in a program that is not lowered."""
    for op in list(module.walk()):
        if op.name == "scf.while" and _is_of_kernel(op) and is_trivially_dead(op) and _waits(op):
            rw = Rewriter(op.regions[0].blocks[0].first_op)
            rw.location = op.location
            time = constant(rw, 0, i32)
            rw.create("nvvm.nanosleep", (time,))


def _is_of_kernel(op: Operation) -> bool:
    above = op.parent_op()
    while above is not None and above.name not in ("gpu.launch", "gpu.module"):
        above = above.parent_op()
    return above is not None


def _waits(loop: Operation) -> bool:
    """Whether a loop goes on by what it loads from the same address each time."""
    before = loop.regions[0].blocks[0]
    condition = before.last_op
    if condition is None or condition.name != "scf.condition":
        return False
    pending: list[SSAValue] = [condition.operands[0]]
    seen: set[SSAValue] = set()
    while pending:
        value = pending.pop()
        if value in seen or not _is_inside(value, loop):
            continue
        seen.add(value)
        owner = value.owner
        if not hasattr(owner, "operands"):
            continue
        if owner.name in _LOADS and all(_is_constant(o, loop) for o in owner.operands):  # type: ignore[union-attr]
            return True
        pending += owner.operands  # type: ignore[union-attr]
    return False


def _is_inside(value: SSAValue, loop: Operation) -> bool:
    """Whether a value is computed in a loop."""
    owner: Operation | Block | None = value.owner
    above = owner if hasattr(owner, "operands") else owner.parent_op()  # type: ignore[union-attr]
    while above is not None and above is not loop:
        above = above.parent_op()  # type: ignore[union-attr]
    return above is loop


def _is_constant(value: SSAValue, loop: Operation) -> bool:
    """Whether a value is the same each time a loop goes round."""
    if not _is_inside(value, loop):
        return True
    owner = value.owner
    if not hasattr(owner, "operands"):
        return False
    return is_pure(owner) and all(_is_constant(o, loop) for o in owner.operands)  # type: ignore[union-attr, arg-type]


# -- What the host's own code reads and writes, told to the sanitizer.
#
#     %v = llvm.load %p
# becomes
#     %f = llvm.inttoptr <address of xgpu_san_host_code>
#     llvm.call %f(%info, %p, %size)
#     %v = llvm.load %p
#
# A program runs in the process that compiled it, so the function is known by its address. Memory of
# a function's own (`llvm.alloca`) and variables of the program are the host's in any case.


_STEPS = ("llvm.getelementptr", "llvm.bitcast", "llvm.addrspacecast")
_OWN = ("llvm.alloca", "llvm.mlir.addressof")
_ACCESSES = {"llvm.load": 0, "llvm.store": 1}


def instrument_host(module: Operation, sites: SiteTable, function: int) -> None:
    """Put a call before each load and store of a lowered program's host code, in place."""
    rw = LLVMBuilder()
    for op in operations_of(module.regions[0].blocks[0]):
        if op.name != "llvm.func":
            continue
        for inner in [i for block in op.regions[0].blocks for i in operations_of(block)]:
            index = _ACCESSES.get(inner.name)
            if index is not None and not _is_own(inner.operands[index]):
                _tell(rw, inner, sites, function)


def _is_own(pointer: SSAValue) -> bool:
    while isinstance(owner := pointer.owner, Operation) and owner.name in _STEPS:
        pointer = owner.operands[0]
    return isinstance(owner, Operation) and owner.name in _OWN


def _tell(rw: LLVMBuilder, op: Operation, sites: SiteTable, function: int) -> None:
    index = _ACCESSES[op.name]
    location = source_location(op.location)
    if location is None:
        return
    ty = op.results[0].type if op.results else op.operands[0].type
    flags = FLAG_WRITE if index else 0
    site = sites.host(str(location), "load" if not index else "store")
    rw.before(op)
    rw.location = op.location
    address = rw.integer(function, i64)
    callee = rw.value("llvm.inttoptr", (address,), LLVMPointerType())
    given = [
        rw.integer(site | flags << 20, i64),
        rw.value("llvm.ptrtoint", (op.operands[index],), i64),
        rw.integer(LAYOUT.store_size(ty), i64),
    ]
    from xdsl.dialects.builtin import DenseArrayBase, i32

    rw.create(
        "llvm.call", ([callee, *given], []), (),
        {
            "var_callee_type": LLVMFunctionType([i64] * 3, LLVMVoidType()),
            "op_bundle_sizes": DenseArrayBase.from_list(i32, []),
        },
    )  # fmt: skip


_EXCHANGE = 0  # of `bin_op`
# llvm::AtomicOrdering.
_MONOTONIC, _ACQUIRE, _RELEASE, ACQ_REL, SEQ_CST = 2, 4, 5, 6, 7
ACQUIRING = (_ACQUIRE, ACQ_REL, SEQ_CST)
RELEASING = (_RELEASE, ACQ_REL, SEQ_CST)

# Operations that only compute with addresses, or whose effect on memory no other thread can see.
_HARMLESS = frozenset((
    "getelementptr", "addrspacecast", "bitcast", "ptrtoint", "inttoptr", "icmp", "select", "br",
    "cond_br", "switch", "return", "insertvalue", "extractvalue", "alloca", "mlir.addressof",
    "mlir.zero", "mlir.undef", "mlir.poison", "freeze", "call", "intr.lifetime.start",
    "intr.lifetime.end", "intr.assume", "intr.invariant.start", "intr.dbg.value",
    "intr.dbg.declare",
))  # fmt: skip


class HostSanitize(Pass):
    """Puts calls of the sanitizer into kernels for the host."""

    name = "host-sanitize"
    summary = "Instrument kernels for the host device's sanitizer"

    def run(self, op: Operation, ctx: Context) -> None:
        for inner in list(nested_operations(op)):
            if inner.name == "gpu.module":
                instrument(inner, SiteTable())


def instrument(
    module: Operation, sites: SiteTable, *, orders: bool = False, volatile_races: bool = False
) -> Instrumentation:
    """Put calls of the sanitizer into all functions of a kernel module, in place; the result says
    who learns of whom in it. With `orders`, threads stop where it may matter who goes first; with
    `volatile_races`, a volatile access is like a plain one."""
    functions = [
        op for op in module.regions[0].blocks[0].ops
        if op.name == "llvm.func" and op.regions[0].blocks
    ]  # fmt: skip
    for function in functions:
        _raise_function(function)
    matters = any(_depends_on_order(op) or op.name in _COPIES for op in nested_operations(module))
    made = Instrumentation(module, sites, orders and matters)
    made.depends_on_order = matters
    made.volatile_races = volatile_races
    made.signals = any(map(_signals, nested_operations(module)))
    for function in functions:
        made.begin(function)
        is_kernel = "nvvm.kernel" in function.attributes or "gpu.kernel" in function.attributes
        _instrument_function(made, function, is_kernel)
    return made


def _raise_function(function: Operation) -> None:
    """Inline PTX and calls of intrinsics become operations, which have the rules."""
    from xgpu.host_device.compiler.code import Unsupported
    from xgpu.host_device.compiler.ptx.raise_assembly import raise_assembly
    from xgpu.host_device.compiler.raise_intrinsics import raise_intrinsics

    try:
        raise_assembly(function, names=True)
        # What is not watched is named, which a function of numbers is not.
        raise_intrinsics(function, textures=False)
    except Unsupported as reason:
        raise error(reason.at or function, str(reason)) from None


def _instrument_function(made: Instrumentation, function: Operation, is_kernel: bool) -> None:
    from xgpu.core.ir.dominance import ControlFlowGraph
    from xgpu.host_device.compiler.spin_waits import spins
    from xgpu.host_device.sanitizer.instrument.nvvm import watch_results

    graph = ControlFlowGraph(function.regions[0])
    skipped = Skipped(made, function)
    made.collectives = collective_locations(function)
    made.plain_waits = {read for _, read in spins(graph, plain=True)}
    if made.orders and is_kernel:
        _begin_in_order(made, function.regions[0].blocks[0])
    for at, block in enumerate(graph.blocks):
        in_loop = graph.loop_of[at] is not None or graph.irreducible is not None
        for op in list(block.ops):
            made.before(op)
            made.location = op.location
            skipped.tell(op)
            if made.orders and is_kernel and _depends_on_order(op) and not in_loop:
                made.call("turn", [])
                _step_aside(made)
            if is_kernel and op.name in ("llvm.return", "nvvm.exit"):
                made.call("exit", [])
                continue
            _instrument_operation(made, op, in_loop)
            if made.orders and is_kernel and op.name in _LETS_GO_ON:
                _step_aside(made)
    watch_results(made, function)


def _instrument_operation(made: Instrumentation, op: Operation, in_loop: bool) -> None:
    from xgpu.host_device.compiler.raise_intrinsics import intrinsic_name
    from xgpu.host_device.sanitizer.instrument.nvvm import (
        NVVM,
        instrument_intrinsic,
        instrument_tensor,
        tensor_name,
        waits,
    )

    if waits(op):
        made.call("waits", [made.info(op)])
        if op.name in _IN_STEP:
            made.create("nvvm.bar.warp.sync", (made.integer(-1, i32),))
    rule = _MEMORY.get(op.name) or NVVM.get(op.name)
    if rule is not None:
        rule(made, cast("Never", op))
        if op.name in NVVM and op.name != "nvvm.barrier0":
            made.synchronizes = max(made.synchronizes, 1)
        if in_loop and (_may_spin(op) or op in made.plain_waits):
            _let_others_run(made, op)
        return
    tensor = tensor_name(op)
    if tensor is not None:
        instrument_tensor(made, op, tensor)
        made.synchronizes = max(made.synchronizes, 1)
        return
    intrinsic = intrinsic_name(op)
    if intrinsic is not None and instrument_intrinsic(made, op, intrinsic):
        made.synchronizes = max(made.synchronizes, 1)
    elif is_hint(op.name, intrinsic):
        made.site(op, is_watched=False)
    elif not _is_silent(op, intrinsic):
        name = text_of(op.properties["intrin"]) if op.name == "llvm.call_intrinsic" else op.name
        raise unknown(op, name)


def _is_silent(op: Operation, intrinsic: str | None) -> bool:
    """Whether an operation without a rule does nothing that the sanitizer watches."""
    if intrinsic is not None:
        return is_silent_intrinsic(intrinsic)
    if op.name.startswith("nvvm."):
        return is_silent_operation(op.name)
    if op.name.removeprefix("llvm.") in _HARMLESS:
        return True
    return all(operand.type.name != "llvm.ptr" for operand in op.operands)


#: Operations of a whole warp (.sync.aligned) that the host device does for each lane by itself.
_IN_STEP = ("nvvm.wmma.load", "nvvm.wmma.store")


# -- waiting in memory


def _may_spin(op: Operation) -> bool:
    """Whether a loop may wait for another thread to change what this reads."""
    if not op.results or not any(True for _ in op.results[0].uses):
        return False
    return op.name in ("llvm.atomicrmw", "llvm.cmpxchg", "nvvm.mbarrier.test.wait") or (
        op.name == "llvm.load" and (_ordering(op) != 0 or _is_volatile(op))
    )


def _let_others_run(made: Instrumentation, op: Operation) -> None:
    """The thread is suspended, so that the one that it waits for gets on."""
    if made.orders and op.name == "nvvm.mbarrier.test.wait":
        return  # which does so itself, and only every other time, where a launch has an order
    made.after(op)
    made.call("turn" if made.orders else "pause", [])
    made.create("nvvm.nanosleep", (made.integer(0, i32),))


# -- orders that may matter

# Copies that may come late.
_COPIES = (
    "nvvm.cp.async.shared.global", "nvvm.cp.async.bulk.shared.cluster.global",
    "nvvm.cp.async.bulk.global.shared.cta", "nvvm.cp.async.bulk.tensor.shared.cluster.global",
    "nvvm.cp.async.bulk.tensor.global.shared.cta",
)  # fmt: skip
# Behind these, all who waited may go on: who does so first is open.
_LETS_GO_ON = ("nvvm.barrier0", "nvvm.barrier", "nvvm.mbarrier.try_wait.parity")


def _depends_on_order(op: Operation) -> bool:
    """Whether what an operation finds or does may be another thing if others come first."""
    return op.name in ("llvm.atomicrmw", "llvm.cmpxchg", "nvvm.mbarrier.test.wait") or (
        op.name in ("llvm.load", "llvm.store") and (_ordering(op) != 0 or _is_volatile(op))
    )


# Releases, which count as soon as one thread has come there.
_ENDINGS = ("nvvm.tcgen05.dealloc", "llvm.nvvm.tcgen05.dealloc")


def _signals(op: Operation) -> bool:
    """Whether other threads may see that one has come to an operation, without a race: only then
    does it matter whether the lanes of a warp come there one by one."""
    if op.name == "llvm.call_intrinsic":
        return text_of(op.properties["intrin"]).startswith(_ENDINGS)
    return _depends_on_order(op) or op.name == "nvvm.nanosleep" or op.name in _ENDINGS


def _begin_in_order(made: Instrumentation, block: Block) -> None:
    """Each thread stops at its very beginning."""
    first = block.first_op
    for op in block.ops:
        if op.name == "llvm.alloca":
            first = op.next_op
    assert first is not None  # a block ends in a branch
    made.before(first)
    made.location = first.location
    _step_aside(made)


def _step_aside(made: Instrumentation) -> None:
    """The thread stops for others to go first, if the launch's order says so. (In loops it does
    anyway where it may wait for them.)"""
    made.create("nvvm.nanosleep", (made.integer(STEP_ASIDE, i32),))


# -- loads, stores, atomics


def _ordering(op: Operation) -> int:
    attr = op.properties.get("ordering")
    return number(attr)


def _is_volatile(op: Operation) -> bool:
    return "volatile_" in op.properties


def _alignment(op: Operation) -> int | None:
    attr = op.properties.get("alignment")
    return number(attr) if attr is not None else None


def _scope(op: Operation) -> int:
    """Flags of an atomic access."""
    attr = op.properties.get("syncscope")
    return FLAG_ATOMIC | (0 if attr is None else SCOPES.get(text_of(attr), 0))


def _load(made: Instrumentation, op: Operation) -> None:
    ordering = _ordering(op)
    if not ordering and (made.volatile_races or not _is_volatile(op)):
        made.access(op, 0, op.results[0].type, 0, _alignment(op))
        return
    flags = _scope(op)
    acquires = ordering in ACQUIRING
    if acquires:  # it is ordered behind what it acquires
        made.order(op, 0, flags, HOW_READ | HOW_ACQUIRE)
    made.access(op, 0, op.results[0].type, flags, _alignment(op))
    if not acquires:
        made.order(op, 0, flags, HOW_READ)


def _store(made: Instrumentation, op: Operation) -> None:
    ordering = _ordering(op)
    value = op.operands[0]
    if not ordering and (made.volatile_races or not _is_volatile(op)):
        made.access(op, 1, value.type, FLAG_WRITE, _alignment(op), value)
        return
    flags = _scope(op) | FLAG_WRITE
    made.access(op, 1, value.type, flags, _alignment(op))
    made.order(op, 1, flags, HOW_WRITE | (HOW_RELEASE if ordering in RELEASING else 0))


def needs_the_old(op: Operation) -> bool:
    """Whether what an atomic operation does depends on what was there: all but an exchange whose
    result is not used."""
    exchanges = op.name == "llvm.atomicrmw" and number(op.properties["bin_op"]) == _EXCHANGE
    return not exchanges or op.results[0].first_use is not None


def _read_modify_write(made: Instrumentation, op: Operation) -> None:
    ordering = _ordering(op)
    flags = _scope(op) | FLAG_WRITE | (FLAG_MODIFY if needs_the_old(op) else 0)
    is_read = op.results[0].first_use is not None
    flags |= FLAG_UNREAD if flags & FLAG_MODIFY and not is_read else 0
    value = op.operands[1]
    if ordering in ACQUIRING and is_read:
        # It is ordered behind what it acquires, with its write, too.
        made.order(op, 0, flags, HOW_READ | HOW_ACQUIRE)
    made.access(op, 0, value.type, flags, None)
    how = HOW_READ | HOW_WRITE | _order_of(ordering)
    # No code sees what it found or can depend on it: `red` (PTX ISA) acquires nothing.
    how |= 0 if is_read else HOW_REDUCE
    made.order(op, 0, flags, how)


def _order_of(ordering: int) -> int:
    """What an atomic operation with an ordering acquires and releases."""
    acquires = HOW_ACQUIRE if ordering in ACQUIRING else 0
    return acquires | (HOW_RELEASE if ordering in RELEASING else 0)


def _compare_and_swap(made: Instrumentation, op: Operation) -> None:
    """One that fails is a read with an ordering of its own (PTX ISA, operation types)."""
    success, failure = (number(op.properties[f"{way}_ordering"]) for way in ("success", "failure"))
    used = HOW_REDUCE if op.results[0].first_use is None else 0
    hows = (
        HOW_READ | HOW_WRITE | used | _order_of(success),
        HOW_READ | used | _order_of(failure),
    )  # fmt: skip
    made.compare_and_swap(op, _scope(op) | FLAG_WRITE | FLAG_MODIFY, *hows)


#: How far fences and their scopes reach, by LLVM's words.
_FENCE_SCOPES = {"block": SCOPE_BLOCK, "cluster": SCOPE_CLUSTER}


def _fence(made: Instrumentation, op: Operation) -> None:
    attr = op.properties.get("syncscope")
    scope = SCOPE_DEVICE if attr is None else _FENCE_SCOPES.get(text_of(attr), SCOPE_DEVICE)
    made.fence(op, scope)


def _copy(made: Instrumentation, op: Operation) -> None:
    """memcpy, memmove: done by the thread."""
    _block_copy(made, op, op.operands[2])


def _copy_inline(made: Instrumentation, op: Operation) -> None:
    _block_copy(made, op, made.integer(number(op.properties["len"])))


def _block_copy(made: Instrumentation, op: Operation, size: SSAValue) -> None:
    size = made.widened(size)
    for index, flags in ((0, FLAG_WRITE), (1, 0)):
        base, extent = made.root_operands(op.operands[index])
        made.checked(op, index, "block", made.info(op, flags), base, extent, size)


def _fill(made: Instrumentation, op: Operation) -> None:
    size = made.widened(op.operands[2])
    base, extent = made.root_operands(op.operands[0])
    made.checked(op, 0, "block", made.info(op, FLAG_WRITE), base, extent, size)


def _call(made: Instrumentation, op: Operation) -> None:
    """The device's own malloc and free."""
    callee = op.properties.get("callee")
    name = cast("SymbolRefAttr", callee).string_value() if callee is not None else ""
    if name == "free":
        made.checked(op, 0, "heap_free", made.info(op))
    elif name == "malloc":
        made.after(op)
        made.call("heap_allocate", [op.results[0], made.widened(op.operands[0]), made.info(op)])


_MEMORY: dict[str, Callable[[Instrumentation, Operation], None]] = {
    "llvm.load": _load,
    "llvm.store": _store,
    "llvm.atomicrmw": _read_modify_write,
    "llvm.cmpxchg": _compare_and_swap,
    "llvm.fence": _fence,
    "llvm.intr.memcpy": _copy,
    "llvm.intr.memmove": _copy,
    "llvm.intr.memcpy.inline": _copy_inline,
    "llvm.intr.memset": _fill,
    "llvm.call": _call,
}


# -- Barriers that some threads skip.
#
#     scf.if %some {                cf.cond_br %some, ^some, ^end
#       gpu.barrier               ^some:
#     }                             gpu.barrier
#     memref.store ..               cf.br ^end
#                                 ^end:
#                                   memref.store ..
#
# A barrier of a whole block goes on without threads that have exited, as on GPUs, and to return
# early is no mistake. A thread that takes a way around the barrier and then does what comes behind
# it (`memref.store`) has not returned early: it has left the barrier out.
#
# A *way around* a barrier is a branch's edge from where the barrier can still be reached in this
# round of its loops to where it cannot. A thread tells of each that it takes (`branched`), of the
# barriers that it comes to (`reached`), and of effects behind barriers (`behind`), by a bit for
# each barrier. Kernels without such an effect have no calls.


_MOST = 62  # barriers that have bits
#: Beginnings of the names of operations that others see.
_EFFECTS = (
    "llvm.store", "llvm.atomicrmw", "llvm.cmpxchg", "llvm.intr.memcpy", "llvm.intr.memmove",
    "llvm.intr.memset", "nvvm.barrier", "nvvm.mbarrier", "nvvm.cp.async",
    "nvvm.cluster", "nvvm.wmma.store", "nvvm.stmatrix",
)  # fmt: skip


class Skipped:
    """What a function's barriers need: operations by the bits that they tell of."""

    def __init__(self, made: Instrumentation, function: Operation) -> None:
        self.made = made
        #: Barriers, each with its bit.
        self.reached: dict[Operation, int] = {}
        #: Effects, with the bits of the barriers that they are behind.
        self.behind: dict[Operation, int] = {}
        #: Branches, with the bits of what either successor leads around.
        self.branched: dict[Operation, tuple[int, int]] = {}
        barriers = [
            op for block in function.regions[0].blocks for op in block.ops if is_whole_barrier(op)
        ]
        if barriers and len(function.regions[0].blocks) > 1:
            self._look(ControlFlowGraph(function.regions[0]), barriers[:_MOST])

    def _look(self, graph: ControlFlowGraph, barriers: list[Operation]) -> None:
        for index, op in enumerate(barriers):
            block = op.parent
            if block is None or block not in graph.number:
                continue
            home = graph.number[block]
            ways = self._ways_around(graph, home)
            effects = self._effects_behind(graph, home, op) if ways else []
            if not effects:
                continue
            bit = 1 << index
            self.reached[op] = bit
            for effect in effects:
                self.behind[effect] = self.behind.get(effect, 0) | bit
            for branch, successor in ways:
                bits = list(self.branched.get(branch, (0, 0)))
                bits[successor] |= bit
                self.branched[branch] = (bits[0], bits[1])

    def _ways_around(self, graph: ControlFlowGraph, home: int) -> list[tuple[Operation, int]]:
        """Edges of conditional branches that lead around the barrier in block `home`."""
        leads = {home}
        # Blocks come in reverse postorder: an edge to a smaller number is one of a loop.
        for at in range(home - 1, -1, -1):
            if any(at < target and target in leads for target in graph.successors[at]):
                leads.add(at)
        found: list[tuple[Operation, int]] = []
        for at in leads - {home}:
            last = graph.blocks[at].last_op
            targets = graph.successors[at]
            if last is None or last.name != "llvm.cond_br" or len(targets) != 2:
                continue
            stays = [target > at and target in leads for target in targets]
            if any(stays):
                found += [(last, k) for k in (0, 1) if not stays[k]]
        return found

    def _effects_behind(
        self, graph: ControlFlowGraph, home: int, barrier: Operation
    ) -> list[Operation]:
        """The effects that a thread may come to behind the barrier."""
        seen = reached(graph.successors[home], graph.successors.__getitem__)
        found = [op for at in sorted(seen) for op in graph.blocks[at].ops if self._is_effect(op)]
        if home not in seen:
            op = barrier.next_op
            while op is not None:
                if self._is_effect(op):
                    found.append(op)
                op = op.next_op
        return [op for op in found if op is not barrier]

    def _is_effect(self, op: Operation) -> bool:
        if op.name == "llvm.call":
            return operations.callee(op) in ("vprintf", "__assertfail")
        if not op.name.startswith(_EFFECTS):
            return False
        if op.name != "llvm.store":
            return True
        root = self.made.root(op.operands[1])
        return root is None or root.alloca is None

    def tell(self, op: Operation) -> None:
        """Put the calls of an operation before it."""
        made = self.made
        if op in self.branched:
            bits = self.branched[op]
            taken = made.widened(op.operands[0], i32)
            made.call("branched", [taken, made.integer(bits[0]), made.integer(bits[1])])
        if op in self.behind:
            made.call("behind", [made.integer(self.behind[op]), made.info(op)])
        if op in self.reached:
            made.call("reached", [made.integer(self.reached[op])])


def is_whole_barrier(op: Operation) -> bool:
    """Whether all threads of the block are to come to an operation."""
    if op.name == "nvvm.barrier0":
        return True
    return op.name == "nvvm.barrier" and getattr(op, "number_of_threads", None) is None


def collective_locations(function: Operation) -> set[object]:
    """Places of operations that are exchanges between lanes and barriers at once: reductions of a
    whole block, which all of its threads have to execute."""
    found: set[object] = set()
    for block in function.regions[0].blocks:
        for op in block.ops:
            if op.name in ("nvvm.shfl.sync", "nvvm.redux.sync"):
                found.add(source_location(op.location))
    return found - {None}
