# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvvm: conversions between floating-point formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from xgpu.backend.llvm_ir.context import Emitter
from xgpu.backend.llvm_ir.facts import flag, prop
from xgpu.backend.llvm_ir.nvvm_operands import emit, keyword

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.function import FunctionWriter

#: MLIR's type -> PTX's name of the format.
_FORMATS = {
    "f8E4M3FN": "e4m3",
    "f8E5M2": "e5m2",
    "f8E8M0FNU": "ue8m0",
    "f6E2M3FN": "e2m3",
    "f6E3M2FN": "e3m2",
    "f4E2M1FN": "e2m1",
}


def format_name(op: Operation, name: str) -> str:
    """PTX's name of the format that the attribute `name` says."""
    from xgpu.core.syntax.printer import attribute_text

    attr = prop(op, name)
    assert attr is not None
    return _FORMATS[attribute_text(attr)]


def _relu(op: Operation) -> str:
    return ".relu" if flag(op, "relu") else ""


def _saturate(op: Operation) -> str:
    return ".satfinite" if keyword(op, "sat") == "satfinite" else ""


def to_tf32(w: FunctionWriter, op: Operation) -> None:
    name = f"f2tf32.{keyword(op, 'rnd')}{_relu(op)}{_saturate(op)}"
    emit(w, op, name, op.operands)


def _packed(w: FunctionWriter, op: Operation, name: str) -> None:
    """Two bytes come as an i16, and go on as such or as a vector of two."""
    text = w.call(op, IntegerType(16), f"llvm.nvvm.{name}", op.operands)
    assert text is not None
    (result,) = op.results
    t = w.types(result.type)
    if t == "i16":
        w.values[result] = text
    else:
        w.define(result, f"bitcast i16 {text} to {t}")


def f32x2_to_f8x2(w: FunctionWriter, op: Operation) -> None:
    kind = format_name(op, "dstTy")
    if kind == "ue8m0":
        _packed(w, op, f"ff.to.ue8m0x2.{keyword(op, 'rnd')}{_saturate(op)}")
    else:
        _packed(w, op, f"ff.to.{kind}x2.rn{_relu(op)}")


def f16x2_to_f8x2(w: FunctionWriter, op: Operation) -> None:
    _packed(w, op, f"f16x2.to.{format_name(op, 'dstTy')}x2.rn{_relu(op)}")


def bf16x2_to_f8x2(w: FunctionWriter, op: Operation) -> None:
    _packed(w, op, f"bf16x2.to.ue8m0x2.{keyword(op, 'rnd')}{_saturate(op)}")


def f32x2_to_f6x2(w: FunctionWriter, op: Operation) -> None:
    _packed(w, op, f"ff.to.{format_name(op, 'dstTy')}x2.rn{_relu(op)}.satfinite")


def f32x2_to_f4x2(w: FunctionWriter, op: Operation) -> None:
    name = f"llvm.nvvm.ff.to.e2m1x2.rn{_relu(op)}.satfinite"
    text = w.call(op, IntegerType(16), name, op.operands)
    w.define(op.results[0], f"trunc i16 {text} to i8")


def f32x2_to_half(w: FunctionWriter, op: Operation) -> None:
    """convert.f32x2.to.f16x2 and .bf16x2, with random bits for stochastic rounding"""
    target = op.name.rpartition(".")[2]
    name = f"ff2{target}.{keyword(op, 'rnd')}{_relu(op)}{_saturate(op)}"
    emit(w, op, name, op.operands)


def f32x4(w: FunctionWriter, op: Operation) -> None:
    name = f"f32x4.to.{format_name(op, 'dstTy')}x4.rs{_relu(op)}.satfinite"
    emit(w, op, name, op.operands)


def from_small(w: FunctionWriter, op: Operation) -> None:
    """Two packed small floats to f16x2 or bf16x2"""
    kind = format_name(op, "srcType")
    (source,) = op.operands
    t = w.types(source.type)
    if t == "i8":
        argument = f"i16 {w.new(f'zext {w.typed(source)} to i16')}"
    elif t == "i16":
        argument = source
    else:
        argument = f"i16 {w.new(f'bitcast {w.typed(source)} to i16')}"
    if kind == "ue8m0":
        emit(w, op, "ue8m0x2.to.bf16x2", (argument,))
    else:
        emit(w, op, f"{kind}x2.to.f16x2.rn{_relu(op)}", (argument,))


EMIT: dict[str, Emitter] = {
    "nvvm.convert.float.to.tf32": to_tf32,
    "nvvm.convert.f32x2.to.f8x2": f32x2_to_f8x2,
    "nvvm.convert.f16x2.to.f8x2": f16x2_to_f8x2,
    "nvvm.convert.bf16x2.to.f8x2": bf16x2_to_f8x2,
    "nvvm.convert.f32x2.to.f6x2": f32x2_to_f6x2,
    "nvvm.convert.f32x2.to.f4x2": f32x2_to_f4x2,
    "nvvm.convert.f32x2.to.f16x2": f32x2_to_half,
    "nvvm.convert.f32x2.to.bf16x2": f32x2_to_half,
    "nvvm.convert.f32x4.to.f8x4": f32x4,
    "nvvm.convert.f32x4.to.f6x4": f32x4,
    "nvvm.convert.f32x4.to.f4x4": f32x4,
    "nvvm.convert.f8x2.to.f16x2": from_small,
    "nvvm.convert.f8x2.to.bf16x2": from_small,
    "nvvm.convert.f6x2.to.f16x2": from_small,
    "nvvm.convert.f4x2.to.f16x2": from_small,
}
