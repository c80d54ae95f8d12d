# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvvm: the fifth generation of tensor cores (tcgen05)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Operation, SSAValue

from xgpu.backend.llvm_ir import fold
from xgpu.backend.llvm_ir.context import Argument, Emitter, Literal
from xgpu.backend.llvm_ir.facts import flag, number, prop
from xgpu.backend.llvm_ir.nvvm_operands import SHARED, boolean, emit, keyword, space

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.function import FunctionWriter
    from xgpu.dialects import nvvm

    Mma = (
        nvvm.Tcgen05MmaOp
        | nvvm.Tcgen05MmaSpOp
        | nvvm.Tcgen05MmaBlockScaleOp
        | nvvm.Tcgen05MmaSpBlockScaleOp
        | nvvm.Tcgen05MmaWsOp
        | nvvm.Tcgen05MmaWsSpOp
    )


def _group(op: Operation, name: str = "group") -> int:
    return 2 if keyword(op, name) == "cta_2" else 1


def alloc(w: FunctionWriter, op: nvvm.Tcgen05AllocOp) -> None:
    shared = "shared." if space(op.addr) == SHARED else ""
    emit(w, op, f"tcgen05.alloc.{shared}cg{_group(op)}", op.operands)


def dealloc(w: FunctionWriter, op: Operation) -> None:
    emit(w, op, f"tcgen05.dealloc.cg{_group(op)}", op.operands)


def relinquish(w: FunctionWriter, op: Operation) -> None:
    emit(w, op, f"tcgen05.relinq.alloc.permit.cg{_group(op)}", ())


def shift(w: FunctionWriter, op: Operation) -> None:
    emit(w, op, f"tcgen05.shift.down.cg{_group(op)}", op.operands)


def fence(w: FunctionWriter, op: Operation) -> None:
    emit(w, op, f"tcgen05.fence.{keyword(op, 'kind')}.thread.sync", ())


def wait(w: FunctionWriter, op: Operation) -> None:
    emit(w, op, f"tcgen05.wait.{'ld' if keyword(op, 'kind') == 'load' else 'st'}", ())


def commit(w: FunctionWriter, op: nvvm.Tcgen05CommitOp) -> None:
    multicast = "mc." if op.multicast_mask is not None else ""
    shared = "shared." if space(op.addr) == SHARED else ""
    emit(w, op, f"tcgen05.commit.{multicast}{shared}cg{_group(op)}", op.operands)


def cp(w: FunctionWriter, op: Operation) -> None:
    shape = keyword(op, "shape").removeprefix("shape_")
    multicast = keyword(op, "multicast")
    if multicast and multicast != "none":
        shape += f"_{multicast}"
    source = keyword(op, "srcFormat")
    middle = f".{source}" if source else ""
    emit(w, op, f"tcgen05.cp.{shape}{middle}.cg{_group(op)}", op.operands)


_LANES = {"16x64b": 1, "16x128b": 2, "16x256b": 4, "32x32b": 1, "16x32bx2": 1}


def _ldst_name(op: Operation, kind: str, value: SSAValue) -> str:
    """The number of repetitions is the vector's length over the registers of one."""
    t = value.type
    length = t.get_shape()[0] if isinstance(t, VectorType) else 1
    shape = keyword(op, "shape").removeprefix("shape_")
    return f"tcgen05.{kind}.{shape}.x{max(1, length // _LANES[shape])}"


def ld(w: FunctionWriter, op: Operation) -> None:
    name = _ldst_name(op, "ld", op.results[0])
    emit(w, op, name, (*op.operands, boolean(flag(op, "pack"))))


def st(w: FunctionWriter, op: nvvm.Tcgen05StOp) -> None:
    arguments: list[Argument] = [op.tmem_addr]
    if op.offset is not None:
        arguments.append(op.offset)
    arguments += [op.val, boolean(flag(op, "unpack"))]
    emit(w, op, _ldst_name(op, "st", op.val), arguments)


# --- mma -----------------------------------------------------------------------------------------
def _where(op: Mma) -> str:
    """Whether matrix A is a descriptor (in shared memory) or a pointer to tensor memory."""
    return "tensor" if op.matrix_a.type.name == "llvm.ptr" else "shared"


def _inputs(op: Mma) -> list[Argument]:
    return [op.matrix_d, op.matrix_a, op.matrix_b, op.idesc, op.enable_input_d]


def _number(op: Operation, name: str) -> Literal:
    return Literal(32, number(prop(op, name)))


def mma(w: FunctionWriter, op: nvvm.Tcgen05MmaOp | nvvm.Tcgen05MmaSpOp) -> None:
    """tcgen05.mma and tcgen05.mma.sp"""
    arguments = _inputs(op)
    sparse = op.name == "nvvm.tcgen05.mma.sp"
    if sparse:
        arguments.append(cast("nvvm.Tcgen05MmaSpOp", op).sparse_metadata)
    name = f"tcgen05.mma{'.sp' if sparse else ''}.{_where(op)}"
    if op.scale_input_d is not None:
        name += ".scale_d"
        arguments.append(op.scale_input_d)
    group = _group(op, "ctaGroup")
    lanes = op.disable_output_lane
    if lanes is not None:
        name += f".disable_output_lane.cg{group}"
        arguments.append(lanes)
    name += ".ashift" if flag(op, "aShift") else ""
    arguments.append(_number(op, "kind"))
    if lanes is None:
        arguments.append(Literal(32, group))
    arguments.append(_number(op, "collectorOp"))
    emit(w, op, name, arguments)


def mma_block_scale(
    w: FunctionWriter, op: nvvm.Tcgen05MmaBlockScaleOp | nvvm.Tcgen05MmaSpBlockScaleOp
) -> None:
    """tcgen05.mma.block_scale and tcgen05.mma.sp.block_scale"""
    arguments = _inputs(op)
    sparse = ".sp." in op.name
    if sparse:
        arguments.append(cast("nvvm.Tcgen05MmaSpBlockScaleOp", op).sparse_metadata)
    arguments += [op.scale_a, op.scale_b]
    arguments += [Literal(32, _group(op, "ctaGroup")), _number(op, "collectorOp")]
    name = f"tcgen05.mma{'.sp' if sparse else ''}.{_where(op)}.{keyword(op, 'kind')}.block_scale"
    block = keyword(op, "blockScale")
    name += f".{block}" if block and block != "default" else ""
    emit(w, op, name, arguments)


def mma_ws(w: FunctionWriter, op: nvvm.Tcgen05MmaWsOp | nvvm.Tcgen05MmaWsSpOp) -> None:
    """tcgen05.mma.ws and tcgen05.mma.ws.sp"""
    arguments = _inputs(op)
    sparse = op.name.endswith(".sp")
    if sparse:
        arguments.append(cast("nvvm.Tcgen05MmaWsSpOp", op).sparse_metadata)
    name = f"tcgen05.mma.ws{'.sp' if sparse else ''}.{_where(op)}"
    if op.zero_col_mask is not None:
        name += ".zero_col_mask"
        arguments.append(op.zero_col_mask)
    arguments += [_number(op, n) for n in ("kind", "collectorBBuffer", "collectorOp")]
    emit(w, op, name, arguments)


#: Fields of a shared memory descriptor: operand (or a constant), bits, first bit.
_FIELDS = (
    ("start_addr", 14, 0),
    ("leading_dim_offset", 14, 16),
    ("stride_dim_offset", 14, 32),
    (1, 3, 46),
    ("base_offset", 3, 49),
    ("leading_dim_mode", 1, 52),
    ("swizzle_mode", 3, 61),
)


def smem_desc(w: FunctionWriter, op: Operation) -> None:
    """Packs the fields of a descriptor into 64 bits."""
    result = "0"
    for name, bits, start in _FIELDS:
        if isinstance(name, int):
            field = str(name)
        else:
            value = getattr(op, name)
            field = w.values[value]
            t = w.types(value.type)
            if t != "i32":
                field = _cast(w, "zext", field, t, "i32")
        field = _binary(w, "and", field, str((1 << bits) - 1), "i32")
        field = _cast(w, "zext", field, "i32", "i64")
        field = _binary(w, "shl", field, str(start), "i64")
        result = _binary(w, "or", result, field, "i64")
    w.values[op.results[0]] = result


def _binary(w: FunctionWriter, opcode: str, a: str, b: str, t: str) -> str:
    if (
        a[0] != "%"
        and b[0] != "%"
        and (folded := fold.binary(w.module, opcode, a, b, IntegerType(int(t[1:])))) is not None
    ):
        return folded
    return w.new(f"{opcode} {t} {a}, {b}")


def _cast(w: FunctionWriter, opcode: str, value: str, source: str, target: str) -> str:
    if (
        value[0] != "%"
        and (
            folded := fold.cast(
                w.module, opcode, value, IntegerType(int(source[1:])), IntegerType(int(target[1:]))
            )
        )
        is not None
    ):
        return folded
    return w.new(f"{opcode} {source} {value} to {target}")


EMIT: dict[str, Emitter] = {
    "nvvm.tcgen05.alloc": alloc,
    "nvvm.tcgen05.dealloc": dealloc,
    "nvvm.tcgen05.relinquish_alloc_permit": relinquish,
    "nvvm.tcgen05.shift": shift,
    "nvvm.tcgen05.fence": fence,
    "nvvm.tcgen05.wait": wait,
    "nvvm.tcgen05.commit": commit,
    "nvvm.tcgen05.cp": cp,
    "nvvm.tcgen05.ld": ld,
    "nvvm.tcgen05.st": st,
    "nvvm.tcgen05.mma": mma,
    "nvvm.tcgen05.mma.sp": mma,
    "nvvm.tcgen05.mma.block_scale": mma_block_scale,
    "nvvm.tcgen05.mma.sp.block_scale": mma_block_scale,
    "nvvm.tcgen05.mma.ws": mma_ws,
    "nvvm.tcgen05.mma.ws.sp": mma_ws,
    "nvvm.tcgen05.mma_smem_desc": smem_desc,
}
