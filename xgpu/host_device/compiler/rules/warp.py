# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Special registers, collective operations of a warp, barriers and fences, for threads that run by
themselves.

Each lane leaves its operand in its record and waits; the last one computes for all
(`host_device/native/sources/warp.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import SSAValue

from xgpu.backend.llvm_ir.facts import prop, text_of
from xgpu.host_device.abi.structs import WARP_OPERATIONS
from xgpu.host_device.compiler.code import FIELDS, Code, call_properties
from xgpu.host_device.compiler.operations import CLOCKS
from xgpu.host_device.compiler.rules.lowering import Call, Values, intrinsic, operation
from xgpu.host_device.compiler.types import I1, I32, I64, POINTER, bits

if TYPE_CHECKING:
    from xdsl.ir import Attribute


# -- Special registers on the host (PTX ISA, special registers).


_FIXED = {"warpsize": 32, "smid": 0, "nsmid": 1, "gridid": 0}


def lane(b: Code) -> SSAValue:
    """The number of the thread in its warp."""
    return b.binary("and", b.register("linear"), 31)


@intrinsic(r"read\.ptx\.sreg\..*")
def register(call: Call, b: Code) -> Values:
    name = call.name[len("read.ptx.sreg.") :].replace("_smem_size", ".smem.size")
    if name in ("envreg1", "envreg2"):
        return [_half_of_workspace(name == "envreg2", b)]
    if name in _FIXED or name.startswith("envreg") or name.endswith(".w"):
        return [b.integer(_FIXED.get(name, 0), call.type)]
    if name in CLOCKS:
        return [_clock(call, name, b)]
    if name.startswith("lanemask."):
        return [_lane_mask(name[len("lanemask.") :], b)]
    found = _computed(name, b)
    if found is None and name in FIELDS:
        found = b.register(name)
    if found is None:
        b.refuse(f"special register '{name}' has no meaning on the host device")
    return [found]


def _computed(name: str, b: Code) -> SSAValue | None:
    if name == "laneid":
        return lane(b)
    if name == "warpid":
        return b.binary("lshr", b.register("linear"), 5)
    if name == "nwarpid":
        return b.binary("lshr", b.binary("add", b.register("count"), 31), 5)
    if name in ("total.smem.size", "aggr.smem.size"):
        return b.binary("add", b.register("dynamic.smem.size"), b.state.module.static_bytes)
    return None


@intrinsic("is_explicit_cluster")
def is_explicit_cluster(call: Call, b: Code) -> Values:
    """Whether the launch has clusters; of one block alone is as none."""
    return [b.icmp("ugt", b.register("cluster.nctarank"), 1)]


def _half_of_workspace(is_upper: bool, b: Code) -> SSAValue:
    """A half of the address of the grid's workspace (`WORKSPACE_BYTES`)."""
    launch = b.field(POINTER, b.block_record(), "Block", "launch")
    address = b.field(I64, launch, "Launch", "workspace")
    return b.cast("trunc", b.binary("lshr", address, 32) if is_upper else address, I32)


def _lane_mask(kind: str, b: Code) -> SSAValue:
    here = lane(b)
    own = b.binary("shl", 1, here)
    if kind == "eq":
        return own
    if kind in ("lt", "ge"):
        below = b.binary("sub", own, 1)
        return below if kind == "lt" else b.binary("xor", below, -1)
    up_to = b.binary("sub", b.binary("shl", 2, here), 1)
    return up_to if kind == "le" else b.binary("xor", up_to, -1)


def _clock(call: Call, name: str, b: Code) -> SSAValue:
    properties = call_properties("", ())
    properties.pop("callee")
    properties["intrin"] = StringAttr("llvm.readcyclecounter")
    ticks = b.value("llvm.call_intrinsic", (), I64, properties)
    if call.type == I64:
        return ticks
    if name.endswith(".hi"):
        ticks = b.binary("lshr", ticks, 32)
    return b.cast("trunc", ticks, call.type)


def collective(
    b: Code,
    operation: str,
    mask: SSAValue,
    value: SSAValue | None = None,
    first: SSAValue | None = None,
    second: SSAValue | None = None,
) -> None:
    """Waits until the lanes of `mask` have come here. `value` is an i64, the others are i32."""
    zero = b.integer(0)
    b.wait(
        "warp", b.integer(WARP_OPERATIONS[operation]), mask,
        b.integer(0, I64) if value is None else value,
        zero if first is None else first, zero if second is None else second,
    )  # fmt: skip


def widen(b: Code, value: SSAValue) -> SSAValue:
    """An integer or float in the low bits of an i64."""
    ty: Attribute = value.type
    if ty.name != "integer_type":
        value = b.cast("bitcast", value, I32 if bits(ty) == 32 else I64)
    return b.cast("zext", value, I64)


def _result(b: Code, ty: Attribute, field: str = "result") -> SSAValue:
    """What a collective left in the thread's record, as `ty`."""
    stored = I32 if field == "predicate" else I64
    raw = b.field(stored, b.thread, "Thread", field)
    if ty == I1:
        return b.icmp("ne", raw, 0)
    if ty.name == "integer_type":
        return b.cast("trunc", raw, ty)
    return b.cast("bitcast", b.cast("trunc", raw, I32) if bits(ty) == 32 else raw, ty)


def results(call: Call, b: Code) -> Values:
    """A collective's result: the value, or a pair of the value and the predicate."""
    if call.type is None:
        return []
    if call.type.name != "llvm.struct":
        return [_result(b, call.type)]
    value = _result(b, call.type.body[0])
    return [b.pack(call.type, (value, _result(b, I1, "predicate")))]


@intrinsic(r"shfl\.sync\.(up|down|bfly|idx)\.(i32|f32)p?")
def shuffle(call: Call, b: Code) -> Values:
    mask, value, first, second = call.arguments
    collective(b, f"SHFL_{call.words[2].upper()}", mask, widen(b, value), first, second)
    return results(call, b)


@intrinsic(r"vote\.(all|any|uni|ballot|eq)\.sync")
def vote(call: Call, b: Code) -> Values:
    mask, predicate = call.arguments
    kind = {"eq": "UNI"}.get(call.words[1], call.words[1].upper())
    collective(b, f"VOTE_{kind}", mask, widen(b, predicate))
    return results(call, b)


@intrinsic(r"match\.(any|all)\.sync\.i(32|64)p?")
def match(call: Call, b: Code) -> Values:
    mask, value = call.arguments
    collective(b, f"MATCH_{call.words[1].upper()}", mask, widen(b, value))
    return results(call, b)


@intrinsic(r"redux\.sync\.\w+(\.abs)?(\.NaN)?")
def redux(call: Call, b: Code) -> Values:
    value, mask = call.arguments
    kind = call.words[2].upper()
    for word, suffix in (("abs", "_ABS"), ("NaN", "_NAN")):
        kind += suffix if word in call.words else ""
    collective(b, f"REDUX_{kind}", mask, widen(b, value))
    return results(call, b)


@intrinsic(r"elect\.sync")
def elect(call: Call, b: Code) -> Values:
    mask = call.arguments[0] if call.arguments else b.integer(-1)
    collective(b, "ELECT", mask)
    return results(call, b)


@intrinsic(r"bar\.warp\.sync")
def warp_barrier(call: Call, b: Code) -> Values:
    collective(b, "WARP_SYNC", call.arguments[0])
    return []


@intrinsic(r"activemask")
def active_mask(call: Call, b: Code) -> Values:
    module = b.state.module
    module.active_places += 1
    b.wait("come_together", b.integer(module.active_places, I64))
    return [b.native("active_mask", I32)]


# -- Barriers of a block and of a cluster, mbarriers and fences on the host.


_REDUCTIONS = {"popc": 1, "and": 2, "or": 3}


def fence(b: Code) -> None:
    b.create("llvm.fence", (), (), {"ordering": IntegerAttr(7, I64)})


# -- barriers of a block


def _barrier(
    b: Code,
    identifier: SSAValue | None,
    count: SSAValue | None,
    kind: int = 0,
    flag: SSAValue | None = None,
) -> None:
    zero = b.integer(0)
    b.wait("barrier", identifier or zero, count or zero, b.integer(kind), flag or zero)


@intrinsic(
    r"barrier0", r"barrier(\.cta)?\.sync(\.aligned)?(\.all|\.count)?", r"barrier\.n", r"barrier",
    r"bar\.sync",
)  # fmt: skip
def barrier(call: Call, b: Code) -> Values:
    """(identifier, threads), both may be absent."""
    identifier, count = (*call.arguments, None, None)[:2]
    _barrier(b, identifier, count)
    return []


def _delivered(b: Code) -> SSAValue:
    """What the reduction of the barrier before has given."""
    result = b.native("barrier_result", I64)
    assert result is not None
    return result


@operation("nvvm.barrier")
def barrier_operation(call: Call, b: Code) -> Values:
    op = call.op
    reduction = prop(op, "reductionOp")
    if reduction is None:
        _barrier(b, op.barrier_id, op.number_of_threads)
        return []
    holds = b.cast("zext", b.icmp("ne", op.reduction_predicate, 0), I32)
    _barrier(b, op.barrier_id, op.number_of_threads, _REDUCTIONS[text_of(reduction)], holds)
    return [b.cast("trunc", _delivered(b), I32)]


@intrinsic(
    r"barrier0\.(popc|and|or)",
    r"barrier\.cta\.red\.(popc|and|or)(\.aligned)?\.(all|count)",
)
def barrier_reduction(call: Call, b: Code) -> Values:
    """(identifier, [threads,] i1), of the oldest forms (i32) alone."""
    kind = next(_REDUCTIONS[w] for w in call.words if w in _REDUCTIONS)
    *rest, predicate = call.arguments
    identifier, count = (*rest, None, None)[:2]
    holds = predicate if predicate.type == I1 else b.icmp("ne", predicate, 0)
    _barrier(b, identifier, count, kind, b.cast("zext", holds, I32))
    result = _delivered(b)
    if call.type == I1:
        return [b.icmp("ne", result, 0)]
    return [b.cast("trunc", result, call.type)]


@intrinsic(r"barrier\.cta\.arrive(\.aligned)?\.(all|count)")
def barrier_arrive(call: Call, b: Code) -> Values:
    identifier, count = (*call.arguments, b.integer(0))[:2]
    b.native("barrier_arrive", None, identifier, count)
    return []


@operation("nvvm.barrier.arrive")
def barrier_arrive_operation(call: Call, b: Code) -> Values:
    op = call.op
    b.native("barrier_arrive", None, op.barrier_id or b.integer(0), op.number_of_threads)
    return []


@intrinsic(r"barrier\.cluster\.arrive(\.relaxed)?(\.aligned)?")
def cluster_arrive(call: Call, b: Code) -> Values:
    b.native("cluster_arrive", None)
    return []


@intrinsic(r"barrier\.cluster\.wait(\.aligned)?")
def cluster_wait(call: Call, b: Code) -> Values:
    b.wait("cluster_wait")
    return []


# -- fences, and what orders nothing here


@intrinsic(r"membar\..*", r"fence\..*")
def fences(call: Call, b: Code) -> Values:
    fence(b)
    return []


@operation(
    "nvvm.memory.barrier", "nvvm.fence.proxy", "nvvm.fence.proxy.acquire",
    "nvvm.fence.proxy.release", "nvvm.fence.sync_restrict", "nvvm.fence.proxy.sync_restrict",
)  # fmt: skip
def fence_operation(call: Call, b: Code) -> Values:
    fence(b)
    return []


@intrinsic(
    r"setmaxnreg\..*", r"griddepcontrol\..*", r"pm\.event.*", r"prefetch.*", r"applypriority.*",
    r"discard.*", r"mbarrier\.inval(\.shared)?",
)  # fmt: skip
def nothing(call: Call, b: Code) -> Values:
    return []


@operation("nvvm.prefetch")
def prefetch(call: Call, b: Code) -> Values:
    return []


@intrinsic(r"nanosleep")
def nanosleep(call: Call, b: Code) -> Values:
    b.wait("yield", call.arguments[0])
    return []


@intrinsic(r"exit")
def exit_(call: Call, b: Code) -> Values:
    if not b.state.is_kernel:
        b.refuse("'nvvm.exit' in a function that is not a kernel")
    b.end_thread()
    return []


# -- mbarriers


@intrinsic(r"mbarrier\.init(\.shared)?")
def mbarrier_init(call: Call, b: Code) -> Values:
    """A warp's lanes get to their mbarrier.init before one goes on: programs where each thread
    initializes the same mbarrier (MLIR's own examples) rely on a warp running in step."""
    b.native("mbarrier_init", None, *call.arguments)
    b.wait("step")
    return []


def _arrive(b: Code, words: list[str], bar: SSAValue, operand: SSAValue | None) -> SSAValue:
    count = operand
    if "expect" in words:
        assert operand is not None
        b.native("mbarrier_expect_tx", None, bar, operand)
        count = None
    function = "mbarrier_arrive_drop" if "drop" in words else "mbarrier_arrive"
    state = b.native(function, I64, bar, b.integer(1) if count is None else count)
    assert state is not None
    return state


@intrinsic(r"mbarrier\.arrive(\..*)?", r"cp\.async\.mbarrier\.arrive\.noinc(\.shared)?")
def mbarrier_arrive(call: Call, b: Code) -> Values:
    """mbarrier.arrive[.drop][.noComplete][.expect.tx][...](bar[, count])."""
    bar, operand = (*call.arguments, None)[:2]
    assert bar is not None
    state = _arrive(b, call.words, bar, operand)
    return [state] if call.type == I64 else []


@operation(
    "nvvm.mbarrier.arrive", "nvvm.mbarrier.arrive_drop", "nvvm.mbarrier.arrive.expect_tx",
    "nvvm.mbarrier.arrive_drop.expect_tx",
)  # fmt: skip
def mbarrier_arrive_operation(call: Call, b: Code) -> Values:
    op = call.op
    expects = "expect" in call.name
    words = ["expect"] if expects else []
    words += ["drop"] if "drop" in call.name else []
    state = _arrive(b, words, op.addr, op.txcount if expects else op.count)
    return [state] if op.results else []


@intrinsic(r"cp\.async\.mbarrier\.arrive(\.shared)?")
def copies_arrive(call: Call, b: Code) -> Values:
    """Arrives when earlier copies are done, with one more expected: nothing changes."""
    return []


@intrinsic(r"mbarrier\.(expect|complete)\.tx\..*")
def mbarrier_transaction(call: Call, b: Code) -> Values:
    function = "expect" if call.words[1] == "expect" else "complete"
    b.native(f"mbarrier_{function}_tx", None, *call.arguments[:2])
    return []


@intrinsic(r"mbarrier\.(test|try)\.wait(\..*)?")
def mbarrier_test(call: Call, b: Code) -> Values:
    """test.wait and try.wait, with a state or a parity. try.wait waits until the phase is over,
    which its definition allows; test.wait that would say no lets the other threads go first."""
    return _test(b, call.words[1] == "try", *call.arguments[:2])


@operation("nvvm.mbarrier.test.wait", "nvvm.mbarrier.try_wait")
def mbarrier_test_operation(call: Call, b: Code) -> Values:
    return _test(b, "try" in call.name, call.op.addr, call.op.state_or_phase)


@operation("nvvm.mbarrier.try_wait.parity")
def mbarrier_wait_operation(call: Call, b: Code) -> Values:
    """(bar, phase, ticks): a loop until the phase is over."""
    b.wait("mbarrier_wait", *call.arguments[:2])
    return []


def _test(b: Code, waits: bool, bar: SSAValue, parity: SSAValue) -> Values:
    if parity.type == I64:
        parity = b.cast("trunc", b.binary("lshr", parity, 63), I32)
    b.wait("mbarrier_wait" if waits else "mbarrier_poll", bar, parity)
    return [b.call("xgpu_mbarrier_test", I1, bar, parity)]


@intrinsic(r"mbarrier\.pending\.count")
def mbarrier_pending(call: Call, b: Code) -> Values:
    return [b.call("xgpu_mbarrier_pending", I32, *call.arguments)]
