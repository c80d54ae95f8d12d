# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Address spaces and asynchronous copies on the host.

All memory is one address space. An asynchronous copy is done at once, which is one of the orders
that its definition allows; waiting for it is then nothing.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from xgpu.host_device.compiler.code import Code
from xgpu.host_device.compiler.rules.lowering import Call, Values, intrinsic
from xgpu.host_device.compiler.types import I32, I64, POINTER


@intrinsic(r"cp\.async\.c[ag]\.shared\.global\.\d+(\.s)?")
def copy(call: Call, b: Code) -> Values:
    """(target, source[, bytes of the source]): the rest of the size in the name is zero."""
    partial = call.words[-1] == "s"
    size = int(call.words[-2] if partial else call.words[-1])
    target, source = call.arguments[:2]
    if not partial:
        b.copy(target, source, size)
        return []
    b.fill(target, 0, size)
    b.copy(target, source, b.cast("zext", call.arguments[2], I64))
    return []


@intrinsic(r"cp\.async\.(commit\.group|wait\.(all|group))")
def copies_are_done(call: Call, b: Code) -> Values:
    return []


def _is_shared(b: Code, pointer: SSAValue) -> SSAValue:
    """Whether an address is inside the block's memory."""
    at = b.value("llvm.ptrtoint", (b.generic(pointer),), I64)
    start = b.value("llvm.ptrtoint", (b.register("shared"),), I64)
    dynamic = b.cast("zext", b.register("dynamic.smem.size"), I64)
    size = b.binary("add", dynamic, b.state.module.dynamic_offset)
    return b.icmp("ult", b.binary("sub", at, start), size)


@intrinsic(r"isspacep\.shared(\.cluster)?")
def is_shared(call: Call, b: Code) -> Values:
    return [_is_shared(b, call.arguments[0])]


@intrinsic(r"isspacep\.global")
def is_global(call: Call, b: Code) -> Values:
    return [b.binary("xor", _is_shared(b, call.arguments[0]), 1)]


@intrinsic(r"ptr\..*\.to\..*", r"internal\.addrspace\.wrap.*", r"cvta.*")
def same_pointer(call: Call, b: Code) -> Values:
    return [b.generic(call.arguments[0])]


@intrinsic(r"ld[gu]\.global\..*")
def load_uniform(call: Call, b: Code) -> Values:
    """An ordinary load; the alignment is a constant."""
    from xgpu.host_device.compiler.constants import integer_constant

    alignment = integer_constant(call.arguments[1]) if len(call.arguments) > 1 else None
    return [b.load(call.arguments[0], call.type, alignment or 1)]


@intrinsic(r"mapa(\.shared\.cluster)?")
def mapa(call: Call, b: Code) -> Values:
    """The same place in the shared memory of another block of the cluster."""
    return [b.native("mapa", POINTER, *call.arguments)]


@intrinsic(r"ptx\.shared\.pointer")
def shared_pointer(call: Call, b: Code) -> Values:
    """The lower 32 bits of an address in shared memory, as the address that is next to it."""
    start = b.value("llvm.ptrtoint", (b.register("shared"),), I64)
    apart = b.binary("sub", call.arguments[0], b.cast("trunc", start, I32))
    whole = b.binary("add", start, b.cast("sext", apart, I64))
    return [b.cast("inttoptr", whole, POINTER)]


@intrinsic(r"ptx\.getctarank")
def rank_of(call: Call, b: Code) -> Values:
    """Which block of the cluster an address in shared memory belongs to."""
    return [b.native("getctarank", I32, call.arguments[0])]
