# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvvm operations as calls of LLVM's NVPTX intrinsics: the table, and the plain ones.

`emitter(name)` is what `translate` asks. `PLAIN` has operations that hand their operands over as
they are; special registers follow from their names; the rest are functions in modules by topic,
each with a table `EMIT`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import i1, i32
from xdsl.ir import Operation, SSAValue

from xgpu.backend.llvm_ir.attributes import constant_range
from xgpu.backend.llvm_ir.context import Argument, Emitter, Literal
from xgpu.backend.llvm_ir.facts import flag, number, prop
from xgpu.backend.llvm_ir.nvvm_operands import (
    GLOBAL,
    LOCAL,
    SHARED,
    boolean,
    emit,
    keyword,
    space,
)
from xgpu.dialects.llvm.types import LLVMStructType

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.function import FunctionWriter
    from xgpu.dialects import llvm, nvvm
    from xgpu.dialects.llvm.attributes import ConstantRangeAttr


# --- helpers of all nvvm emitters ----------------------------------------------------------------


# --- operations ----------------------------------------------------------------------------------
#: Operation -> intrinsic, after `llvm.nvvm.`; its arguments are the operands.
PLAIN = {
    "nvvm.bar.warp.sync": "bar.warp.sync",
    "nvvm.cp.async.bulk.commit.group": "cp.async.bulk.commit.group",
    "nvvm.cp.async.commit.group": "cp.async.commit.group",
    "nvvm.exit": "exit",
    "nvvm.fence.mbarrier.init": "fence.mbarrier_init.release.cluster",
    "nvvm.fence.sc.cluster": "fence.sc.cluster",
    "nvvm.nanosleep": "nanosleep",
    "nvvm.rcp.approx.ftz.f": "rcp.approx.ftz.f",
    "nvvm.wgmma.fence.aligned": "wgmma.fence.sync.aligned",
    "nvvm.wgmma.commit.group.sync.aligned": "wgmma.commit_group.sync.aligned",
}

_REGISTER = "nvvm.read.ptx.sreg."
#: Special registers whose intrinsic is spelled otherwise.
_REGISTER_NAMES = {
    "aggr.smem.size": "aggr_smem_size",
    "dynamic.smem.size": "dynamic_smem_size",
    "total.smem.size": "total_smem_size",
}


def _full(bounds: ConstantRangeAttr) -> bool:
    """Whether a range has every value: it says nothing then."""
    return bounds.lower == bounds.upper and bounds.lower in (-1, (1 << bounds.width) - 1)


def special_register(w: FunctionWriter, op: Operation) -> None:
    register = op.name[len(_REGISTER) :]
    register = _REGISTER_NAMES.get(register, register)
    t = w.types(op.results[0].type)
    bounds = prop(op, "range")
    within = (
        f"{constant_range(cast('llvm.ConstantRangeAttr', bounds))} "
        if bounds is not None and not _full(cast("llvm.ConstantRangeAttr", bounds))
        else ""
    )
    name = f"llvm.nvvm.read.ptx.sreg.{register}"
    w.module.uses.intrinsics.add(name)
    w.define(op.results[0], f"call {within}{t} @{name}()")


def plain(w: FunctionWriter, op: Operation) -> None:
    emit(w, op, PLAIN[op.name], op.operands)


def breakpoint_(w: FunctionWriter, op: Operation) -> None:
    w.call(op, None, "llvm.debugtrap", ())


def shfl_sync(w: FunctionWriter, op: nvvm.ShflSyncOp) -> None:
    kind = "f32" if w.types(op.val.type) == "float" else "i32"
    predicate = "p" if flag(op, "return_value_and_is_valid") else ""
    emit(w, op, f"shfl.sync.{keyword(op, 'kind')}.{kind}{predicate}", op.operands)


def redux_sync(w: FunctionWriter, op: Operation) -> None:
    suffix = (".abs" if flag(op, "abs") else "") + (".NaN" if flag(op, "nan") else "")
    emit(w, op, f"redux.sync.{keyword(op, 'kind')}{suffix}", op.operands)


def vote_sync(w: FunctionWriter, op: Operation) -> None:
    emit(w, op, f"vote.{keyword(op, 'kind')}.sync", op.operands)


def match_sync(w: FunctionWriter, op: nvvm.MatchSyncOp) -> None:
    kind = keyword(op, "kind")
    predicate = "p" if kind == "all" else ""
    emit(w, op, f"match.{kind}.sync.{w.types(op.val.type)}{predicate}", op.operands)


def elect_sync(w: FunctionWriter, op: Operation) -> None:
    mask = op.operands[0] if op.operands else Literal(32, -1)
    pair = w.call(op, LLVMStructType((i32, i1)), "llvm.nvvm.elect.sync", (mask,))
    w.define(op.results[0], f"extractvalue {{ i32, i1 }} {pair}, 1")


def mapa(w: FunctionWriter, op: Operation) -> None:
    shared = space(op.operands[0]) == SHARED
    emit(w, op, "mapa.shared.cluster" if shared else "mapa", op.operands)


def st_bulk(w: FunctionWriter, op: nvvm.StBulkOp) -> None:
    shared = space(op.addr) == SHARED
    initial = number(prop(op, "initVal"))
    arguments = (*op.operands, Literal(64, initial))
    emit(w, op, "st.bulk.shared.cta" if shared else "st.bulk", arguments)


def setmaxregister(w: FunctionWriter, op: Operation) -> None:
    action = "inc" if keyword(op, "action") == "increase" else "dec"
    count = number(prop(op, "regCount"))
    emit(w, op, f"setmaxnreg.{action}.sync.aligned.u32", (Literal(32, count),))


def griddepcontrol(w: FunctionWriter, op: Operation) -> None:
    emit(w, op, f"griddepcontrol.{keyword(op, 'kind').replace('_', '.')}", ())


def pmevent(w: FunctionWriter, op: Operation) -> None:
    event = prop(op, "eventId")
    mask = 1 << number(event) if event is not None else number(prop(op, "maskedEventId"))
    emit(w, op, "pm.event.mask", (Literal(16, mask - 65536 if mask >= 32768 else mask),))


def prmt(w: FunctionWriter, op: nvvm.PrmtOp) -> None:
    mode = keyword(op, "mode")
    arguments = [op.lo]
    if mode in ("default", "f4e", "b4e"):
        arguments.append(cast("SSAValue", op.hi))
    arguments.append(op.selector)
    emit(w, op, "prmt" if mode == "default" else f"prmt.{mode}", arguments)


def prefetch(w: FunctionWriter, op: nvvm.PrefetchOp) -> None:
    address: Argument = op.addr
    if flag(op, "in_param_space"):
        source, target = w.types(op.addr.type), "ptr addrspace(101)"
        address = f"{target} {w.new(f'addrspacecast {source} {w.values[op.addr]} to {target}')}"
    if flag(op, "tensormap"):
        emit(w, op, "prefetch.tensormap", (address,))
        return
    level, eviction = keyword(op, "cacheLevel"), keyword(op, "evictPriority")
    name = f"prefetch{ {GLOBAL: '.global', LOCAL: '.local'}.get(space(op.addr), '') }.{level}"
    if flag(op, "uniform") and level == "L1":
        name = "prefetchu.L1"
    elif eviction and level == "L2":
        name = f"prefetch.global.L2.{eviction.replace('_', '.')}"
    emit(w, op, name, (address,))


def dot_accumulate(
    w: FunctionWriter, op: nvvm.DotAccumulate2wayOp | nvvm.DotAccumulate4wayOp
) -> None:
    """dot.accumulate.2way and .4way: packed operands as i32, their signs in the name."""

    def packed(value: SSAValue) -> Argument:
        if value.type == i32:
            return value
        return f"i32 {w.new(f'bitcast {w.typed(value)} to i32')}"

    two = op.name.endswith("2way")
    arguments: list[Argument] = [packed(op.a), packed(op.b)]
    if two:
        arguments.append(boolean(number(prop(op, "b_hi"))))
    arguments.append(op.c)
    signs = ".".join(keyword(op, n)[0] for n in ("a_type", "b_type"))
    emit(w, op, f"idp{2 if two else 4}a.{signs}", arguments)


EMIT: dict[str, Emitter] = {
    "nvvm.breakpoint": breakpoint_,
    "nvvm.shfl.sync": shfl_sync,
    "nvvm.redux.sync": redux_sync,
    "nvvm.vote.sync": vote_sync,
    "nvvm.match.sync": match_sync,
    "nvvm.elect.sync": elect_sync,
    "nvvm.mapa": mapa,
    "nvvm.st.bulk": st_bulk,
    "nvvm.setmaxregister": setmaxregister,
    "nvvm.griddepcontrol": griddepcontrol,
    "nvvm.pmevent": pmevent,
    "nvvm.prmt": prmt,
    "nvvm.prefetch": prefetch,
    "nvvm.dot.accumulate.2way": dot_accumulate,
    "nvvm.dot.accumulate.4way": dot_accumulate,
}


def emitter(name: str) -> Emitter | None:
    """What writes the operation `name`, None if LLVM IR has nothing for it."""
    if name in PLAIN:
        return plain
    if name.startswith(_REGISTER):
        return special_register
    if name in EMIT:
        return EMIT[name]
    if name.startswith("nvvm.tcgen05."):
        from xgpu.backend.llvm_ir.nvvm_tcgen05 import EMIT as found
    elif name.startswith(("nvvm.mma.", "nvvm.wmma.", "nvvm.ldmatrix", "nvvm.stmatrix")):
        from xgpu.backend.llvm_ir.nvvm_matrix import EMIT as found
    elif name.startswith("nvvm.convert."):
        from xgpu.backend.llvm_ir.nvvm_convert import EMIT as found
    elif name.startswith("nvvm.cp."):
        from xgpu.backend.llvm_ir.nvvm_copy import EMIT as found
    else:
        from xgpu.backend.llvm_ir.nvvm_sync import EMIT as found
    return found.get(name)
