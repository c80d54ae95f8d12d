# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvvm: matrix fragments: ldmatrix, stmatrix, wmma, mma.sync and its sparse and scaled kin.

An mma intrinsic's name ends in the types that tell it apart: result, inputs and accumulator for
eight bits and fewer, result and accumulator for f16, inputs otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.backend.llvm_ir.context import Emitter
from xgpu.backend.llvm_ir.facts import flag, number, prop, text_of
from xgpu.backend.llvm_ir.nvvm_operands import emit, keyword
from xgpu.dialects.llvm.types import LLVMStructType

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.function import FunctionWriter
    from xgpu.core.ods.attributes import StructAttr
    from xgpu.dialects import nvvm

_SMALL = ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1")


def ldmatrix(w: FunctionWriter, op: Operation) -> None:
    count = number(prop(op, "num"))
    emit(w, op, _ldst("ldmatrix", op, count), op.operands)


def stmatrix(w: FunctionWriter, op: Operation) -> None:
    emit(w, op, _ldst("stmatrix", op, len(op.operands) - 1), op.operands)


def _ldst(name: str, op: Operation, count: int) -> str:
    shape = cast("StructAttr", prop(op, "shape"))
    m, n = (number(p) for p in shape.data)
    transposed = ".trans" if keyword(op, "layout") == "col" else ""
    return f"{name}.sync.aligned.m{m}n{n}.x{count}{transposed}.{keyword(op, 'eltType')}"


# --- wmma ----------------------------------------------------------------------------------------
def _geometry(op: Operation) -> str:
    return "".join(f"{d}{number(prop(op, d))}" for d in "mnk")


def wmma_load(w: FunctionWriter, op: Operation) -> None:
    name = f"wmma.{_geometry(op)}.load.{keyword(op, 'frag')}.{keyword(op, 'layout')}"
    emit(w, op, f"{name}.stride.{keyword(op, 'eltype')}", op.operands)


def wmma_store(w: FunctionWriter, op: Operation) -> None:
    name = f"wmma.{_geometry(op)}.store.d.{keyword(op, 'layout')}"
    emit(w, op, f"{name}.stride.{keyword(op, 'eltype')}", op.operands)


def wmma_mma(w: FunctionWriter, op: Operation) -> None:
    a, b = keyword(op, "eltypeA"), keyword(op, "eltypeB")
    # For f16 inputs the attribute B carries the type of accumulator and result.
    types = f"{b}.{b}" if a == "f16" else a
    name = f"wmma.{_geometry(op)}.mma.{keyword(op, 'layoutA')}.{keyword(op, 'layoutB')}.{types}"
    emit(w, op, name, op.operands)


# --- mma.sync ------------------------------------------------------------------------------------
def element(w: FunctionWriter, t: Attribute) -> str:
    """The PTX type of an accumulator or result, by the type of its registers."""
    if isinstance(t, LLVMStructType):
        t = t.body[0]
    text = w.types(t)
    known = {"<2 x half>": "f16", "float": "f32", "double": "f64", "i32": "s32", "half": "f16"}
    return known.get(text, text)


def _infer(w: FunctionWriter, t: Attribute) -> str:
    text = w.types(t)
    return {"<2 x half>": "f16", "float": "f32", "double": "f64"}.get(text, text)


def _multiplicand(w: FunctionWriter, op: Operation, name: str, values: Sequence[SSAValue]) -> str:
    attr = prop(op, name)
    return text_of(attr) if attr is not None else _infer(w, values[0].type)


def _signature(a: str, b: str, c: str, d: str) -> str:
    if a in _SMALL:
        return f"{d}.{a}.{b}.{c}"
    if a == "f16":
        return f"{d}.{c}"
    return a if a == b else f"{a}.{b}"


def _types(
    w: FunctionWriter,
    op: nvvm.MmaSyncOp | nvvm.MmaSpSyncOp | nvvm.MmaBlockScaleOp | nvvm.MmaSpBlockScaleOp,
) -> str:
    a = _multiplicand(w, op, "multiplicandAPtxType", op.operand_a)
    b = _multiplicand(w, op, "multiplicandBPtxType", op.operand_b)
    return _signature(a, b, element(w, op.operand_c[0].type), element(w, op.results[0].type))


def _shape(op: Operation) -> str:
    shape = cast("nvvm.ShapeAttr", prop(op, "shape"))
    return "".join(f"{d}{number(p)}" for d, p in zip("mnk", shape.data, strict=False))


def mma_sync(w: FunctionWriter, op: nvvm.MmaSyncOp) -> None:
    bit = keyword(op, "b1Op")
    name = "mma" + (f".{bit.replace('_', '.')}" if bit and bit != "none" else "")
    name += f".{_shape(op)}.{keyword(op, 'layoutA')}.{keyword(op, 'layoutB')}"
    name += ".satfinite" if keyword(op, "intOverflowBehavior") == "satfinite" else ""
    emit(w, op, f"{name}.{_types(w, op)}", op.operands)


def mma_sparse(w: FunctionWriter, op: nvvm.MmaSpSyncOp) -> None:
    name = "mma.sp.ordered.metadata" if flag(op, "orderedMetadata") else "mma.sp"
    name += f".{_shape(op)}.row.col"
    kind = keyword(op, "kind")
    name += f".kind.{kind}" if kind else ""
    name += ".satfinite" if keyword(op, "intOverflowBehavior") == "satfinite" else ""
    emit(w, op, f"{name}.{_types(w, op)}", op.operands)


def mma_scaled(w: FunctionWriter, op: nvvm.MmaBlockScaleOp | nvvm.MmaSpBlockScaleOp) -> None:
    """mma.block_scale and mma.sp.block_scale"""
    sparse = op.name == "nvvm.mma.sp.block_scale"
    name = "mma.sp.ordered.metadata.block.scale" if sparse else "mma.block.scale"
    # LLVM has the same intrinsic without the size where a kind has but one; MLIR spells it out.
    kind, size = keyword(op, "kind"), keyword(op, "scaleVecSize")
    scale = f".scale.{size[1:]}x"
    types = _types(w, op)
    name += f".{_shape(op)}.row.col.{kind}{scale}.{types}.{keyword(op, 'blockScaleFormat')}"
    emit(w, op, name, op.operands)


EMIT: dict[str, Emitter] = {
    "nvvm.ldmatrix": ldmatrix,
    "nvvm.stmatrix": stmatrix,
    "nvvm.wmma.load": wmma_load,
    "nvvm.wmma.store": wmma_store,
    "nvvm.wmma.mma": wmma_mma,
    "nvvm.mma.sync": mma_sync,
    "nvvm.mma.sp.sync": mma_sparse,
    "nvvm.mma.block_scale": mma_scaled,
    "nvvm.mma.sp.block_scale": mma_scaled,
}
