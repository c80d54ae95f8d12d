# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel's operations do, as far as running many threads at once is concerned."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.backend.llvm_ir.facts import flag, number, prop, text_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import SymbolRefAttr
    from xdsl.ir import Operation


#: Operations of the llvm dialect without effects, whose lanes are independent and that LLVM has on
#: vectors as well: the same operation, with vectors for its operands and result.
ELEMENTWISE = frozenset(
    f"llvm.{name}"
    for name in (
        "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "sdiv", "urem",
        "srem", "fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "icmp", "fcmp", "select", "sext",
        "zext", "trunc", "sitofp", "uitofp", "fptosi", "fptoui", "fpext", "fptrunc", "bitcast",
        "freeze", "ptrtoint", "inttoptr",
        "intr.fabs", "intr.fma", "intr.fmuladd", "intr.sqrt", "intr.floor", "intr.ceil",
        "intr.trunc", "intr.rint", "intr.nearbyint", "intr.round", "intr.roundeven",
        "intr.copysign", "intr.minnum", "intr.maxnum", "intr.minimum", "intr.maximum",
        "intr.smin", "intr.smax", "intr.umin", "intr.umax", "intr.abs", "intr.ctpop", "intr.ctlz",
        "intr.cttz", "intr.bswap", "intr.bitreverse", "intr.fshl", "intr.fshr", "intr.exp",
        "intr.exp2", "intr.exp10", "intr.log", "intr.log2", "intr.log10", "intr.sin", "intr.cos",
        "intr.tan", "intr.pow", "intr.powi", "intr.sadd.sat", "intr.uadd.sat", "intr.ssub.sat",
        "intr.usub.sat", "intr.sshl.sat", "intr.ushl.sat", "intr.fptosi.sat", "intr.fptoui.sat",
        "intr.asin", "intr.acos", "intr.atan", "intr.atan2", "intr.sinh", "intr.cosh", "intr.tanh",
        "intr.is.fpclass", "intr.lrint", "intr.llrint", "intr.lround", "intr.llround",
        "intr.ldexp",
    )
)  # fmt: skip

DIVISIONS = frozenset(("llvm.udiv", "llvm.sdiv", "llvm.urem", "llvm.srem"))

CONSTANTS = frozenset(
    ("llvm.mlir.constant", "llvm.mlir.zero", "llvm.mlir.undef", "llvm.mlir.poison",
     "llvm.mlir.addressof")
)  # fmt: skip

#: The attribute of a kernel whose atomic additions of floats may be done in another order, where
#: their results are not read.
RELAXED_FLOATS = "host.relaxed_float_atomics"

#: nvvm operations of a warp that are executed as vectors.
WARP = frozenset(
    ("nvvm.shfl.sync", "nvvm.vote.sync", "nvvm.redux.sync", "nvvm.elect.sync",
     "nvvm.bar.warp.sync", "nvvm.match.sync")
)  # fmt: skip

#: What a mark calls that counts the threads which execute it (`counting`). An access with a
#: `MARK_NUMBER` is in the block of that mark.
MARK = "xgpu.count"
MARK_NUMBER = "host.count"

#: What a check of bounds calls (`bounds_checks`), and what says which one it is, and its bytes.
BOUNDS_CHECK = "xgpu.bounds"
BOUNDS = "host.bounds"

#: What a mark calls where a screened launch looks at memory, for the sanitizer
#: (`sanitizer.instrument.loops`), and the attribute of functions with such marks.
SCREEN_CHECK = "xgpu_san_check"
SCREENED = "host.checked"

#: Operations that order memory, or say something about it: nothing where threads run in order.
FENCES = frozenset(("llvm.fence", "nvvm.memory.barrier", "nvvm.fence.sc.cluster"))
HINTS = frozenset(
    ("llvm.intr.assume", "llvm.intr.lifetime.start", "llvm.intr.lifetime.end",
     "llvm.intr.dbg.value", "llvm.intr.dbg.declare", "llvm.intr.dbg.label",
     "llvm.intr.experimental.noalias.scope.decl", "nvvm.prefetch")
)  # fmt: skip

#: Operations on ranges of memory, which lanes do one after the other.
RANGES = frozenset(
    ("llvm.intr.memcpy", "llvm.intr.memcpy.inline", "llvm.intr.memmove", "llvm.intr.memset",
     "llvm.intr.memset.inline")
)  # fmt: skip

#: Attribute of what a copy by `cp.async` has become: the bytes of its target.
ASYNC = "host.async"

ATOMICS = frozenset(("llvm.atomicrmw", "llvm.cmpxchg"))
TERMINATORS = frozenset(("llvm.br", "llvm.cond_br", "llvm.return", "llvm.unreachable"))

_REGISTER = "nvvm.read.ptx.sreg."
#: Special registers that tell the time.
CLOCKS = ("clock", "clock64", "globaltimer", "globaltimer.lo", "clock.hi", "globaltimer.hi")
_SEES_WARPS = ("laneid", "warpid", "nwarpid", "lanemask.")

#: Functions of the device that a thread calls by itself, in the order of the lanes.
SERVICES = frozenset(("vprintf", "malloc", "free", "__assertfail"))


def register(op: Operation) -> str | None:
    """The special register that `op` reads, by PTX's name; None for another operation."""
    return op.name[len(_REGISTER) :] if op.name.startswith(_REGISTER) else None


def is_clock(name: str) -> bool:
    return name in CLOCKS


def is_barrier(op: Operation) -> bool:
    """Whether `op` is a barrier of all threads of the block that delivers nothing."""
    if op.name == "nvvm.barrier0":
        return True
    return op.name == "nvvm.barrier" and not op.operands and not op.results


def is_warp_operation(op: Operation) -> bool:
    """Whether `op` shows a thread which warp it is in, or what the others of its warp do."""
    if op.name in WARP:
        return True
    name = register(op)
    return name is not None and name.startswith(_SEES_WARPS)


def callee(op: Operation) -> str | None:
    """The name of the function that an `llvm.call` calls, None for an address."""
    attr = op.properties.get("callee")
    return None if attr is None else cast("SymbolRefAttr", attr).root_reference.data


def is_mark(op: Operation) -> bool:
    """Whether `op` counts the threads that execute it, and does nothing else."""
    return op.name == "llvm.call" and callee(op) == MARK


def is_bounds_check(op: Operation) -> bool:
    """Whether an operation is a check of bounds."""
    return op.name == "llvm.call" and callee(op) == BOUNDS_CHECK


def is_screen_check(op: Operation) -> bool:
    """Whether an operation is a mark where a screened launch looks at memory."""
    return op.name == "llvm.call" and callee(op) == SCREEN_CHECK


def is_inserted(op: Operation) -> bool:
    """Whether `op` is a call that the compiler or the sanitizer has put there: one of these."""
    return is_bounds_check(op) or is_screen_check(op) or is_mark(op)


def is_computed(op: Operation) -> bool:
    """Whether a call of one of LLVM's own intrinsics computes its result from numbers alone."""
    name = text_of(op.properties["intrin"])
    values = (*op.operands, *op.results)
    return (
        not name.startswith("llvm.nvvm.") and len(op.results) == 1
        and not any(v.type.name == "llvm.ptr" for v in values)
    )  # fmt: skip


def is_ordered(op: Operation) -> bool:
    """Whether a load or store is volatile or atomic."""
    return flag(op, "volatile_") or number(prop(op, "ordering")) != 0


def is_pure(op: Operation) -> bool:
    """Whether `op` does nothing but compute its results, and may be done where it was not asked."""
    return op.name in ELEMENTWISE or op.name in CONSTANTS or op.name == "llvm.getelementptr"
