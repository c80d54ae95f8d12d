# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of nvvm's tcgen05 operations. Messages are MLIR's.

Source: MLIR 22.1 NVVMDialect.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import VectorType

from xgpu.core.ir.errors import error
from xgpu.dialects.nvvm.checks import errors, flag, keyword

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation

    from xgpu.dialects import nvvm
    from xgpu.dialects.hook_types import Verifier


#: The least number of 32-bit words that a shape moves.
_LEAST_WORDS = {"shape_16x128b": 2, "shape_16x256b": 4}


def _words(t: Attribute) -> int:
    return t.element_count() if isinstance(t, VectorType) else 1


def verify_cp(op: Operation) -> None:
    shape, multicast = keyword(op, "shape"), keyword(op, "multicast", "none")
    if shape == "shape_64x128b":
        if multicast not in ("warpx2_01_23", "warpx2_02_13"):
            raise error(
                op,
                "Shape 64x128b requires multicast warpx2_01_23 or warpx2_02_13 for tcgen05.cp Op",
            )
    elif shape == "shape_32x128b":
        if multicast != "warpx4":
            raise error(op, "Shape 32x128b requires multicast warpx4 for tcgen05.cp Op")
    elif multicast != "none":
        raise error(op, "Invalid multicast type for tcgen05.cp Op")


def verify_ld(op: nvvm.Tcgen05LdOp) -> None:
    shape = keyword(op, "shape")
    messages: list[str] = []
    if shape == "shape_16x32bx2" and op.offset is None:
        messages.append("shape 16x32bx2 requires offset argument")
    if shape != "shape_16x32bx2" and op.offset is not None:
        messages.append("offset argument is only supported for shape 16x32bx2")
    length = _words(op.res.type)
    if length < _LEAST_WORDS.get(shape, 0):
        messages.append(f"invalid result type length {length} for shape {shape} in tcgen05.ld Op")
    if messages:
        raise errors(op, messages)


def verify_st(op: nvvm.Tcgen05StOp) -> None:
    shape = keyword(op, "shape")
    messages: list[str] = []
    if shape == "shape_16x32bx2" and op.offset is None:
        messages.append("shape 16x32bx2 requires offset argument")
    length = _words(op.val.type)
    if length < _LEAST_WORDS.get(shape, 0):
        messages.append(f"invalid input length {length} for shape {shape} in tcgen05.st Op")
    if messages:
        raise errors(op, messages)


def verify_mma(op: nvvm.Tcgen05MmaOp | nvvm.Tcgen05MmaSpOp) -> None:
    lanes = op.disable_output_lane
    if lanes is not None:
        length = _words(lanes.type)
        if length != (4 if keyword(op, "ctaGroup") == "cta_1" else 8):
            raise error(
                op, f"Disable Output Lane of length {length} is incompatible with CtaGroupAttr"
            )
    if not flag(op, "aShift"):
        return
    if op.matrix_a.type.name != "llvm.ptr":
        raise error(op, "A-shift can be applied only when matrix A is in tensor memory")
    if keyword(op, "collectorOp", "discard") in ("fill", "use"):
        raise error(op, "Cannot use collector buffer operation fill or use with ashift")


def verify_tcgen05_block_scale(op: Operation) -> None:
    kind, scale = keyword(op, "kind"), keyword(op, "blockScale", "default")
    if scale == "default" and kind == "mxf4nvf4":
        raise error(op, "mxf4nvf4 requires block scale attribute")
    if scale == "block16" and kind != "mxf4nvf4":
        raise error(op, f"{kind} kind does not support block16 attribute")


VERIFY_TCGEN05: dict[str, Verifier] = {
    "nvvm.tcgen05.cp": verify_cp,
    "nvvm.tcgen05.ld": verify_ld,
    "nvvm.tcgen05.st": verify_st,
    "nvvm.tcgen05.mma": verify_mma,
    "nvvm.tcgen05.mma.sp": verify_mma,
    "nvvm.tcgen05.mma.block_scale": verify_tcgen05_block_scale,
    "nvvm.tcgen05.mma.sp.block_scale": verify_tcgen05_block_scale,
}
