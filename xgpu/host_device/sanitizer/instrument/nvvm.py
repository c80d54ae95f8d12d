# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `host-sanitize` puts around operations of the nvvm dialect."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Never, cast

from xdsl.dialects.builtin import IntegerType, i32
from xdsl.ir import Block

from xgpu.backend.llvm_ir.facts import flag, number, text_of
from xgpu.core.ir.construction import erase_operation
from xgpu.core.ir.errors import error
from xgpu.core.ir.locations import source_location
from xgpu.core.ir.region_flow import successor_ranges
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.builders import LLVMBuilder
from xgpu.host_device.abi.codes import ANSWER_BYTES, OF_PAIRS
from xgpu.host_device.abi.sanitizer_records import (
    FLAG_ASYNC,
    FLAG_WRITE,
    PROXY_GLOBAL,
    PROXY_MBARRIER,
    PROXY_SHARED,
    SCOPE_BLOCK,
    SCOPE_CLUSTER,
    SCOPE_DEVICE,
)
from xgpu.host_device.abi.structs import WARP_OPERATIONS
from xgpu.host_device.compiler.raise_intrinsics import intrinsic_name
from xgpu.host_device.compiler.rules.matrix import WarpgroupProduct
from xgpu.host_device.sanitizer.instrument.calls import Instrumentation, unknown

if TYPE_CHECKING:
    from xdsl.ir import Operation, Region, SSAValue

    from xgpu.dialects import nvvm


# -- What `host-sanitize` puts around tcgen05, as operations of the nvvm dialect and as intrinsics,
# and around intrinsics of matrices that inline PTX becomes (`ldmatrix`, `stmatrix`, `wgmma`).


_NOTHING = re.compile(r"tcgen05\.(wait|fence|relinq\w*|mma_smem_desc)(\..*)?")
#: Done some time later, in order among themselves.
_ASYNC = re.compile(r"tcgen05\.(mma|cp|shift)\b")
#: Beginnings of the names of intrinsics of matrices.
_MATRICES = ("ldmatrix.", "stmatrix.", "wgmma.mma_async.")
_COUNT = re.compile(r"\.x([124])(?:\.|$)")


def tensor_name(op: Operation) -> str | None:
    """The name of an operation or an intrinsic that `instrument_tensor` knows, as NVVM has it."""
    name = intrinsic_name(op) or (op.name[5:] if op.name.startswith("nvvm.tcgen05.") else "")
    name = name.removeprefix("ptx.")
    is_known = name.startswith("tcgen05.") or (
        op.name == "llvm.call_intrinsic" and name.startswith(_MATRICES)
    )
    return name if is_known else None


def instrument_tensor(made: Instrumentation, op: Operation, name: str) -> None:
    """Put calls around an operation. Raises `DiagnosticError` for what is not known."""
    if _NOTHING.fullmatch(name):
        return
    if name.startswith(("ldmatrix", "stmatrix")):
        _matrix(made, op, name)
    elif name.startswith("wgmma"):
        _product(made, op, name)
    elif name.startswith("tcgen05.commit"):
        if len(op.operands) > 1:
            ranks = made.widened(op.operands[1], i32)
            made.checked(op, 0, "tensor_commits", made.info(op), ranks)
        else:
            made.checked(op, 0, "tensor_commit", made.info(op))
    else:
        if name.startswith("tcgen05.alloc"):
            known = made.root_operands(op.operands[0])
            made.checked(
                op, 0, "lane_rows", made.info(op, FLAG_WRITE, 4, 4), *known,
                made.integer(1, i32), made.integer(0, i32),
            )  # fmt: skip
            made.call("tensor_slot", [made.generic(op.operands[0])])
        made.call("tensor", [])
        made.after(op)
        made.call("tensor_done", [made.info(op, FLAG_ASYNC if _ASYNC.match(name) else 0)])


_ELEMENT_BYTES = {"f16": 2, "bf16": 2, "tf32": 4, "e4m3": 1, "e5m2": 1, "s8": 1, "u8": 1}


def _product(made: Instrumentation, op: Operation, name: str) -> None:
    """A product of a warpgroup, which reads A (unless it is in registers) and B from memory."""
    product = WarpgroupProduct.of(f"ptx.{name}", op.operands, op.results[0].type)
    if product is None or product.is_sparse:
        raise unknown(op, name)
    if product.first not in _ELEMENT_BYTES:
        raise error(op, f"the sanitizer does not know what wgmma of {product.first} reads")
    in_registers = bool(product.registers)
    size = _ELEMENT_BYTES[product.first]
    shape = product.n | product.k << 16 | size << 32 | int(in_registers) << 40
    packed = made.integer(0, i32)
    for bit, layout in enumerate(product.transposed, int(in_registers)):
        given = made.widened(layout, i32)
        packed = made.binary("or", packed, made.binary("shl", given, bit))
    a = made.integer(0) if product.descriptor is None else product.descriptor
    b = made.widened(product.second_descriptor)
    made.call("wgmma", [a, b, made.info(op), made.integer(shape), packed])
    made.products.append(op)


def _matrix(made: Instrumentation, op: Operation, name: str) -> None:
    """Each of the first lanes gives the address of a row of 16 bytes."""
    count = _COUNT.search(name)
    if count is None:
        raise unknown(op, name)
    rows = int(count[1]) * (16 if ".m16n16" in name else 8)
    _rows(made, op, rows, stores=name.startswith("stmatrix"))


def _rows(made: Instrumentation, op: Operation, lanes: int, *, stores: bool) -> None:
    """Rows of 16 bytes, whose addresses the first lanes give. Stores are compared with what is
    there, which the operation does when all lanes have come."""
    info, count = made.info(op, FLAG_WRITE * stores, 16, 16), made.integer(lanes, i32)
    known = made.root_operands(op.operands[0])
    made.checked(op, 0, "lane_rows", info, *known, count, made.integer(int(stores), i32))
    if stores:
        made.after(op)
        made.call("lane_stored", [made.generic(op.operands[0]), info, count])


# -- Registers that products of matrices (wgmma) write, and who reads them.
#
# A product is asynchronous: its results are there when its group has been waited for (PTX ISA,
# wgmma.mma_async). Only another product may take them before, as its accumulators. Each product
# keeps the number of its group; who uses its results first in a block says so before
# (`wgmma_read`).


#: What gives registers another name or type.
_TRANSPARENT = ("llvm.extractvalue", "llvm.insertvalue", "llvm.bitcast")


def watch_results(made: Instrumentation, function: Operation) -> None:
    """Put calls around the results of a function's products."""
    entry = function.regions[0].blocks[0]
    for product in made.products:
        uses = _first_uses(product)
        if not uses:
            continue
        at = LLVMBuilder(entry.first_op)
        at.location = product.location
        slot = llvm.alloca(at, at.integer(1, i32), i32, alignment=4)
        at.create("llvm.store", (at.integer(0, i32), slot), ())
        made.before(product)
        made.location = product.location
        group = made.call("wgmma_group", [], i32)
        made.create("llvm.store", (group, slot), ())
        for use in uses:
            made.before(use)
            made.location = use.location
            number = made.value("llvm.load", (slot,), i32)
            made.call("wgmma_read", [number, made.info(product), made.info(use)])
    made.products.clear()


def _first_uses(product: Operation) -> list[Operation]:
    """The operations that use results of a product, other products aside: the first of each
    block."""
    found: dict[Block, Operation] = {}
    pending: list[SSAValue] = list(product.results)
    seen: set[SSAValue] = set()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        for use in value.uses:
            op = use.operation
            if op.name in _TRANSPARENT:
                pending += op.results
            elif op.successors:
                pending += _handed_on(op, use.index)
            elif not _is_product(op):
                _keep_first(found, op)
    return list(found.values())


def _handed_on(branch: Operation, index: int) -> list[SSAValue]:
    """The arguments of blocks that get an operand of a branch."""
    found: list[SSAValue] = []
    for successor, (start, end) in zip(
        branch.successors, successor_ranges(branch) or (), strict=False
    ):
        if start <= index < end:
            found.append(successor.args[index - start])
    return found


def _is_product(op: Operation) -> bool:
    return (intrinsic_name(op) or "").startswith("ptx.wgmma.mma_async")


def _keep_first(found: dict[Block, Operation], op: Operation) -> None:
    block = op.parent
    if block is None:
        return
    other = found.get(block)
    if other is None or op.is_before_in_block(other):
        found[block] = op


if TYPE_CHECKING:
    TensorCopy = (
        nvvm.CpAsyncBulkTensorSharedClusterGlobalOp | nvvm.CpAsyncBulkTensorGlobalSharedCtaOp
        | nvvm.CpAsyncBulkTensorReduceOp
    )  # fmt: skip


Rule = Callable[[Instrumentation, Never], None]

ALIGNED = 1  # flag of a barrier
COLLECTIVE = 2  # flag of a barrier: part of a reduction of the block
INVAL = 1  # flag of mbarrier.inval, beside mbarrier.init
RELAXED = 1  # flag of an arrival at a cluster's barrier
WAIT_READ = 1  # flag of a wait for bulk stores
#: What memory a fence of proxies is for, by its kind; others have nothing to do with copies.
PROXY_FENCES = {
    "async": (PROXY_SHARED, PROXY_GLOBAL, PROXY_MBARRIER),
    "async.shared": (PROXY_SHARED, PROXY_MBARRIER),
    "async.global": (PROXY_GLOBAL,),
}


def _number(made: Instrumentation, value: SSAValue | None, default: int) -> SSAValue:
    return made.integer(default, i32) if value is None else value


# -- barriers


def _sleep(made: Instrumentation, op: Operation) -> None:
    made.call("turn" if made.orders else "pause", [])


def _barrier0(made: Instrumentation, op: Operation) -> None:
    zero = made.integer(0, i32)
    part = COLLECTIVE if source_location(op.location) in made.collectives else 0
    made.call("barrier", [zero, zero, made.info(op, ALIGNED | part)])
    made.after(op)
    made.call("barrier_done", [made.info(op)])


def _barrier(made: Instrumentation, op: nvvm.BarrierOp) -> None:
    id, count = _number(made, op.barrier_id, 0), _number(made, op.number_of_threads, 0)
    made.call("barrier", [id, count, made.info(op, ALIGNED)])
    made.after(op)
    made.call("barrier_done", [made.info(op)])


def _barrier_arrive(made: Instrumentation, op: nvvm.BarrierArriveOp) -> None:
    id = _number(made, op.barrier_id, 0)
    made.call("barrier_arrive", [id, op.number_of_threads, made.info(op)])


def _warp_sync(made: Instrumentation, op: Operation) -> None:
    made.call("warp", [op.operands[0], made.info(op)])
    made.after(op)
    made.call("barrier_done", [made.info(op)])


def _cluster_arrive(made: Instrumentation, op: Operation) -> None:
    made.synchronizes = 2
    flags = RELAXED if op.name.endswith("relaxed") else 0
    made.call("cluster_arrive", [made.info(op, flags)])


def _cluster_wait(made: Instrumentation, op: Operation) -> None:
    made.after(op)
    made.call("cluster_done", [made.info(op)])


_SCOPES = {"cta": SCOPE_BLOCK, "cluster": SCOPE_CLUSTER}


def _fence(made: Instrumentation, op: Operation) -> None:
    made.fence(op, _SCOPES.get(text_of(op.properties["scope"]), SCOPE_DEVICE))


def _cluster_fence(made: Instrumentation, op: Operation) -> None:
    made.fence(op, SCOPE_CLUSTER)


def _proxy_fence(made: Instrumentation, op: Operation) -> None:
    kinds = PROXY_FENCES.get(text_of(op.properties["kind"]))
    if kinds is not None:
        made.proxy_fence(op, *kinds)


def _mbarrier_fence(made: Instrumentation, op: Operation) -> None:
    # With a relaxed arrival behind it the cluster knows the mbarriers.
    made.fence(op, SCOPE_CLUSTER)
    made.proxy_fence(op, PROXY_MBARRIER)


# -- mbarriers


def _mbarrier_init(made: Instrumentation, op: nvvm.MbarrierInitOp | nvvm.MbarrierInvalOp) -> None:
    predicate = (
        cast("nvvm.MbarrierInitOp", op).predicate if op.name == "nvvm.mbarrier.init" else None
    )
    flags = INVAL if op.name == "nvvm.mbarrier.inval" else 0
    made.checked(op, 0, "mbarrier_init", made.where(made.info(op, flags), predicate))


def _mbarrier_arrive(made: Instrumentation, op: Operation) -> None:
    predicate = None
    if op.name == "nvvm.mbarrier.arrive.expect_tx":
        predicate = cast("nvvm.MbarrierArriveExpectTxOp", op).predicate
    made.checked(op, 0, "mbarrier_arrive", made.where(made.info(op), predicate))


def _mbarrier_wait(made: Instrumentation, op: Operation) -> None:
    made.checked(op, 0, "mbarrier_wait", made.info(op))
    address, state = op.operands[0], op.operands[1]
    made.after(op)
    phase = _parity(made, state)
    over = _answer(made, op)
    made.call("mbarrier_waited", [made.generic(address), made.info(op), phase, over])


def _answer(made: Instrumentation, op: Operation) -> SSAValue:
    """Whether a thread knows behind a wait that the phase is over: one that does not look at the
    answer knows nothing, and a loop until it is over gives none."""
    if not op.results:
        return made.integer(1, i32)
    if op.results[0].first_use is None:
        return made.integer(0, i32)
    return made.widened(op.results[0], i32)


def _parity(made: Instrumentation, state: SSAValue) -> SSAValue:
    """The parity of a phase, also from the state that an arrival gives."""
    if cast("IntegerType", state.type).width.data != 64:
        return state
    return made.widened(made.binary("lshr", state, 63), i32)


# -- asynchronous copies


def _cp_async(made: Instrumentation, op: nvvm.CpAsyncSharedGlobalOp) -> None:
    size = number(op.properties["size"])
    read = op.cp_size
    bytes = made.integer(size) if read is None else made.widened(read)
    whole = made.integer(size)
    base, extent = made.root_operands(op.operands[0])
    made.checked(op, 0, "range", made.info(op, FLAG_WRITE, size, size), base, extent, whole)
    base, extent = made.root_operands(op.operands[1])
    made.checked(op, 1, "range", made.info(op, 0, size, size), base, extent, bytes)
    operands = [made.generic(op.operands[0]), made.generic(op.operands[1])]
    if not made.orders:
        made.call("cp_async", [*operands, made.info(op), whole, bytes])
        return
    made.call("cp_perform", [*operands, made.info(op), whole, bytes])
    erase_operation(op)


def _cp_commit(made: Instrumentation, op: Operation) -> None:
    made.call("cp_commit", [])


def _cp_wait(made: Instrumentation, op: nvvm.CpAsyncWaitGroupOp) -> None:
    made.after(op)
    groups = number(op.properties["n"])
    made.call("cp_wait", [made.integer(groups, i32), made.info(op)])


def _cp_arrive(made: Instrumentation, op: Operation) -> None:
    made.checked(op, 0, "cp_arrive", made.info(op))


def _bulk_load(made: Instrumentation, op: nvvm.CpAsyncBulkSharedClusterGlobalOp) -> None:
    size = made.widened(op.size)
    source_at, bar_at = (list(op.operands).index(v) for v in (op.src_mem, op.mbar))
    _bulk_ranges(made, op, size, source_at)
    made.checked(op, bar_at, "mbarrier_range", made.info(op))
    target, source, bar = (made.generic(op.operands[i]) for i in (0, source_at, bar_at))
    given = [target, bar, source, made.info(op), size]
    mask = op.multicast_mask if op.name in _MULTICASTS else None
    if mask is None:
        made.call("bulk_load", given)
    else:
        made.call("bulk_multicast", [*given, made.widened(mask, i32)])


_MULTICASTS = ("nvvm.cp.async.bulk.shared.cluster.global",)


def _bulk_ranges(made: Instrumentation, op: Operation, size: SSAValue, source: int = 1) -> None:
    for index, flags in ((0, FLAG_WRITE), (source, 0)):
        base, extent = made.root_operands(op.operands[index])
        info = made.info(op, flags, 0, 16)
        made.checked(op, index, "bulk_range", info, base, extent, size)


def _bulk_store(made: Instrumentation, op: nvvm.CpAsyncBulkGlobalSharedCtaOp) -> None:
    size = made.widened(op.size)
    _bulk_ranges(made, op, size)
    operands = [made.generic(op.operands[0]), made.generic(op.operands[1])]
    made.call("bulk_store", [*operands, made.info(op), size])


def _bulk_commit(made: Instrumentation, op: Operation) -> None:
    made.call("bulk_commit", [])


def _bulk_wait(made: Instrumentation, op: nvvm.CpAsyncBulkWaitGroupOp) -> None:
    made.after(op)
    groups = made.integer(number(op.properties["group"]), i32)
    flags = WAIT_READ if "read" in op.properties else 0
    made.call("bulk_wait", [groups, made.info(op, flags)])


def _corner(made: Instrumentation, op: TensorCopy) -> SSAValue:
    """The corner of a tensor's box, in memory."""
    block = op.parent
    assert block is not None
    at = LLVMBuilder(cast("Region", block.parent).blocks[0].first_op)
    place = llvm.alloca(at, at.integer(5, i32), i32, alignment=8)
    for i, value in enumerate(op.coordinates):
        element = llvm.gep(made, place, i32, [i])
        made.create("llvm.store", (value, element), ())
    return place


def _tensor_load(made: Instrumentation, op: nvvm.CpAsyncBulkTensorSharedClusterGlobalOp) -> None:
    corner = _corner(made, op)
    mask = made.integer(0, i32)
    if op.multicast_mask is not None:
        mask = made.widened(op.multicast_mask, i32)
        if "group" in op.properties and number(op.properties["group"]) == 1:  # cta_2
            mask = made.binary("or", mask, made.integer(OF_PAIRS, i32))
    info = made.where(made.info(op), op.predicate)
    pointers = [made.generic(p) for p in (op.dst_mem, op.mbar, op.tma_descriptor)]
    made.call("tensor_load", [*pointers, corner, info, mask, _lines(made, op)])
    erase_operation(op)


def _tensor_store(made: Instrumentation, op: nvvm.CpAsyncBulkTensorGlobalSharedCtaOp) -> None:
    corner = _corner(made, op)
    info = made.where(made.info(op), op.predicate)
    pointers = [made.generic(p) for p in (op.src_mem, op.tma_descriptor)]
    made.call("tensor_store", [*pointers, corner, info, _lines(made, op)])
    erase_operation(op)


def _tensor_reduce(made: Instrumentation, op: nvvm.CpAsyncBulkTensorReduceOp) -> None:
    corner = _corner(made, op)
    pointers = [made.generic(p) for p in (op.src_mem, op.tma_descriptor)]
    kind = made.integer(number(op.properties["redKind"]), i32)
    _lines(made, op)
    made.call("tensor_reduce", [*pointers, corner, made.info(op), kind])
    erase_operation(op)


def _try_cancel(made: Instrumentation, op: nvvm.ClusterlaunchcontrolTryCancelOp) -> None:
    base, extent = made.root_operands(op.operands[0])
    size = made.integer(ANSWER_BYTES)
    made.checked(op, 0, "bulk_range", made.info(op, FLAG_WRITE, 0, 16), base, extent, size)
    made.checked(op, 1, "mbarrier_range", made.info(op))
    given = [made.generic(p) for p in op.operands]
    to_all = made.integer(int(flag(op, "multicast")), i32)
    made.call("try_cancel", [*given, made.info(op), to_all])


def _lines(made: Instrumentation, op: TensorCopy) -> SSAValue:
    """Whether a copy is of four lines of a matrix."""
    name = text_of(op.properties["mode"]) if "mode" in op.properties else "tile"
    if name not in ("tile", "tile_gather4", "tile_scatter4"):
        raise error(op, f"the sanitizer does not know tensor copies in mode '{name}'")
    return made.integer(int(name != "tile"), i32)


# -- matrices


def _wgmma_fence(made: Instrumentation, op: Operation) -> None:
    made.call("wgmma_fence", [])


def _wgmma_commit(made: Instrumentation, op: Operation) -> None:
    made.call("wgmma_commit", [])


def _wgmma_wait(made: Instrumentation, op: Operation) -> None:
    made.after(op)
    groups = number(op.properties["group"])
    made.call("wgmma_wait", [made.integer(groups, i32), made.info(op)])


def _ldmatrix(made: Instrumentation, op: Operation) -> None:
    _rows(made, op, 8 * number(op.properties["num"]), stores=False)


def _stmatrix(made: Instrumentation, op: nvvm.StmatrixOp) -> None:
    _rows(made, op, 8 * len(op.sources), stores=True)


_WMMA_BYTES = {"f16": 2, "bf16": 2, "f32": 4, "tf32": 4, "s8": 1, "u8": 1, "s32": 4, "f64": 8}


def _wmma_load(made: Instrumentation, op: Operation) -> None:
    frag = text_of(op.properties["frag"])
    m, n, k = (number(op.properties[x]) for x in "mnk")
    rows, columns = {"a": (m, k), "b": (k, n), "c": (m, n)}[frag]
    _wmma(made, op, op.operands[1], rows, columns, 0)


def _wmma_store(made: Instrumentation, op: Operation) -> None:
    m, n = (number(op.properties[x]) for x in "mn")
    _wmma(made, op, op.operands[-1], m, n, FLAG_WRITE)


def _wmma(
    made: Instrumentation, op: Operation, stride: SSAValue, rows: int, columns: int, flags: int
) -> None:
    if text_of(op.properties["layout"]) == "col":
        rows, columns = columns, rows
    size = _WMMA_BYTES[text_of(op.properties["eltype"])]
    wide = made.binary("mul", made.widened(stride), size)
    info = made.info(op, flags, columns * size, size)
    known = made.root_operands(op.operands[0])
    made.checked(op, 0, "matrix_rows", info, *known, made.integer(rows, i32), wide)


def _mapa(made: Instrumentation, op: Operation) -> None:
    rank = made.call("rank", [op.operands[1], made.info(op)], i32)
    made.set_operand(op, 1, rank)


def _collective(made: Instrumentation, op: Operation) -> None:
    """A shuffle, a vote or the like, of the lanes that its mask names."""
    mask = op.operands[1 if op.name == "nvvm.redux.sync" else 0] if op.operands else None
    given = _number(made, mask, -1)
    made.call("collective", [given, made.info(op, WARP_OPERATIONS[_collective_name(op)])])


def _collective_name(op: Operation) -> str:
    if op.name == "nvvm.elect.sync":
        return "ELECT"
    words = op.name.split(".")
    kind = "ballot" if "ballot" in words else text_of(op.properties["kind"])
    name = f"{words[1]}_{kind}".upper()
    if words[1] == "redux":
        name += "_ABS" * flag(op, "abs") + "_NAN" * flag(op, "nan")
    return name


#: Operations at which the lanes of a warp, the warps of a warpgroup or the blocks of a cluster wait
#: for one another, beside barriers.
_WAITING = re.compile(
    r"(nvvm\.|ptx\.)?(wmma|mma|ldmatrix|stmatrix|movmatrix|wgmma|cluster\.wait|barrier\.cluster\.wait"
    r"|tcgen05)\b.*"
)


def waits(op: Operation) -> bool:
    """Whether the lanes of a warp come together at an operation, or more than those."""
    return _WAITING.fullmatch(intrinsic_name(op) or op.name) is not None


_ARRIVALS = (
    "arrive", "arrive.nocomplete", "arrive.expect_tx", "arrive_drop", "arrive_drop.nocomplete",
    "arrive_drop.expect_tx", "expect_tx", "complete_tx",
)  # fmt: skip

NVVM: dict[str, Rule] = {
    "nvvm.nanosleep": _sleep,
    "nvvm.barrier0": _barrier0,
    "nvvm.barrier": _barrier,
    "nvvm.barrier.arrive": _barrier_arrive,
    "nvvm.bar.warp.sync": _warp_sync,
    **{
        f"nvvm.{n}.sync": _collective
        for n in ("shfl", "vote", "vote.ballot", "redux", "match", "elect")
    },
    "nvvm.cluster.arrive": _cluster_arrive,
    "nvvm.cluster.arrive.relaxed": _cluster_arrive,
    "nvvm.cluster.wait": _cluster_wait,
    "nvvm.memory.barrier": _fence,
    "nvvm.fence.sc.cluster": _cluster_fence,
    "nvvm.fence.mbarrier.init": _mbarrier_fence,
    "nvvm.fence.proxy": _proxy_fence,
    "nvvm.mbarrier.init": _mbarrier_init,
    "nvvm.mbarrier.inval": _mbarrier_init,
    **{f"nvvm.mbarrier.{name}": _mbarrier_arrive for name in _ARRIVALS},
    "nvvm.mbarrier.test.wait": _mbarrier_wait,
    "nvvm.mbarrier.try_wait": _mbarrier_wait,
    "nvvm.mbarrier.try_wait.parity": _mbarrier_wait,
    "nvvm.cp.async.shared.global": _cp_async,
    "nvvm.cp.async.commit.group": _cp_commit,
    "nvvm.cp.async.wait.group": _cp_wait,
    "nvvm.cp.async.mbarrier.arrive": _cp_arrive,
    "nvvm.cp.async.bulk.shared.cluster.global": _bulk_load,
    "nvvm.cp.async.bulk.shared.cluster.shared.cta": _bulk_load,
    "nvvm.cp.async.bulk.global.shared.cta": _bulk_store,
    "nvvm.cp.async.bulk.commit.group": _bulk_commit,
    "nvvm.cp.async.bulk.wait_group": _bulk_wait,
    "nvvm.cp.async.bulk.tensor.shared.cluster.global": _tensor_load,
    "nvvm.cp.async.bulk.tensor.global.shared.cta": _tensor_store,
    "nvvm.cp.async.bulk.tensor.reduce": _tensor_reduce,
    "nvvm.clusterlaunchcontrol.try.cancel": _try_cancel,
    "nvvm.wgmma.fence.aligned": _wgmma_fence,
    "nvvm.wgmma.commit.group.sync.aligned": _wgmma_commit,
    "nvvm.wgmma.wait.group.sync.aligned": _wgmma_wait,
    "nvvm.mapa": _mapa,
    "nvvm.ldmatrix": _ldmatrix,
    "nvvm.stmatrix": _stmatrix,
    "nvvm.wmma.load": _wmma_load,
    "nvvm.wmma.store": _wmma_store,
}


# -- Intrinsics that do what operations do, as clang has them. What `raise_intrinsics` makes an
# operation of has the operation's rule.


IntrinsicRule = Callable[[Instrumentation, "Operation", re.Match[str]], None]


def _synchronize(made: Instrumentation, op: Operation, match: re.Match[str]) -> None:
    """A barrier without a number is that of number 0, one without a count is for all threads."""
    operands = list(op.operands)
    if "red" in match.groupdict():
        operands.pop()  # the predicate
    zero = made.integer(0, i32)
    id, count = [*operands, zero, zero][:2]
    made.call("barrier", [id, count, made.info(op, ALIGNED)])
    made.after(op)
    made.call("barrier_done", [made.info(op)])


def _barrier_arrival(made: Instrumentation, op: Operation, match: re.Match[str]) -> None:
    id, count = [*op.operands, made.integer(0, i32)][:2]
    made.call("barrier_arrive", [id, count, made.info(op)])


def _cluster_arrival(made: Instrumentation, op: Operation, match: re.Match[str]) -> None:
    made.synchronizes = 2
    made.call("cluster_arrive", [made.info(op, RELAXED if match["relaxed"] else 0)])


def _election(made: Instrumentation, op: Operation, match: re.Match[str]) -> None:
    made.call("collective", [op.operands[0], made.info(op, WARP_OPERATIONS["ELECT"])])


def _wgmma_wait_intrinsic(made: Instrumentation, op: Operation, match: re.Match[str]) -> None:
    made.after(op)
    made.call("wgmma_wait", [made.widened(op.operands[0], i32), made.info(op)])


def _other_fence(made: Instrumentation, op: Operation, match: re.Match[str]) -> None:
    """Of the proxies of tensor maps and of addresses that are aliases, which are not watched."""


def _mbarrier_begin(made: Instrumentation, op: Operation, match: re.Match[str]) -> None:
    flags = INVAL if match["inval"] else 0
    made.checked(op, 0, "mbarrier_init", made.info(op, flags))


def _cp_wait_intrinsic(made: Instrumentation, op: Operation, match: re.Match[str]) -> None:
    groups = op.operands[0] if op.operands else made.integer(-1, i32)
    made.after(op)
    made.call("cp_wait", [groups, made.info(op)])


def _bulk_wait_intrinsic(made: Instrumentation, op: Operation, match: re.Match[str]) -> None:
    made.after(op)
    made.call("bulk_wait", [op.operands[0], made.info(op, WAIT_READ if match["read"] else 0)])


def _as_operation(rule: Callable[[Instrumentation, Operation], None]) -> IntrinsicRule:
    """The rule of an operation with the same operands."""
    return lambda made, op, match: rule(made, op)


_INTRINSICS: list[tuple[re.Pattern[str], IntrinsicRule]] = [
    (re.compile(pattern), rule)
    for pattern, rule in (
        (r"bar\.sync|barrier(0|\.n)?", _synchronize),
        (r"barrier(\.cta)?\.sync(\.aligned)?(\.all|\.count)?", _synchronize),
        (r"barrier0\.(?P<red>popc|and|or)", _synchronize),
        (r"barrier\.cta\.red\.(?P<red>popc|and|or)(\.aligned)?\.(all|count)", _synchronize),
        (r"barrier\.cta\.arrive(\.aligned)?\.(all|count)", _barrier_arrival),
        (r"barrier\.cluster\.arrive(?P<relaxed>\.relaxed)?(\.aligned)?", _cluster_arrival),
        (r"barrier\.cluster\.wait(\.aligned)?", _as_operation(_cluster_wait)),
        (r"elect\.sync", _election),
        (r"nanosleep", _as_operation(_sleep)),
        (r"fence\.proxy\.(alias|tensormap).*", _other_fence),
        (r"fence\.(acquire|release)\.sync_restrict.*", _other_fence),
        (r"mbarrier\.(init|(?P<inval>inval))(\.shared)?", _mbarrier_begin),
        (r"mbarrier\.arrive(\..*)?", _as_operation(_mbarrier_arrive)),
        (r"mbarrier\.(expect|complete)\.tx\..*", _as_operation(_mbarrier_arrive)),
        (r"mbarrier\.(test|try)\.wait(\..*)?", _as_operation(_mbarrier_wait)),
        (r"cp\.async\.mbarrier\.arrive(\.noinc)?(\.shared)?", _as_operation(_cp_arrive)),
        (r"cp\.async\.commit\.group", _as_operation(_cp_commit)),
        (r"cp\.async\.wait\.(all|group)", _cp_wait_intrinsic),
        (r"cp\.async\.bulk\.commit\.group", _as_operation(_bulk_commit)),
        (r"cp\.async\.bulk\.wait\.group(?P<read>\.read)?", _bulk_wait_intrinsic),
        (r"wgmma\.fence\..*", _as_operation(_wgmma_fence)),
        (r"wgmma\.commit_group\..*", _as_operation(_wgmma_commit)),
        (r"wgmma\.wait_group\..*", _wgmma_wait_intrinsic),
    )
]  # fmt: skip


def instrument_intrinsic(made: Instrumentation, op: Operation, name: str) -> bool:
    """Put calls around a call of an intrinsic, by its name without `llvm.nvvm.`; False for one that
    has no rule."""
    for pattern, rule in _INTRINSICS:
        match = pattern.fullmatch(name)
        if match is not None:
            rule(made, op, match)
            return True
    return False
