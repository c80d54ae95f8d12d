# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of nvvm's conversions between float formats, and of its permutation. MLIR's messages.

Source: MLIR 22.1 NVVMDialect.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.errors import error, op_error
from xgpu.dialects.nvvm.checks import flag, keyword, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.ir import Operation

    from xgpu.dialects import nvvm
    from xgpu.dialects.hook_types import Verifier


_F8 = ("f8E4M3FN", "f8E5M2")
_F6 = ("f6E2M3FN", "f6E3M2FN")
_F4 = ("f4E2M1FN",)
_E8M0 = ("f8E8M0FNU",)


def _names(formats: tuple[str, ...]) -> str:
    return " and ".join(f"'{name}'" for name in formats)


def _only(attribute: str, formats: tuple[str, ...], what: str) -> Callable[[Operation], None]:
    """A check that the small format is one of `formats`."""
    noun = "type is" if len(formats) == 1 else "types are"
    message = f"Only {_names(formats)} {noun} supported for conversions from {what}."

    def check(op: Operation) -> None:
        if shown(op.properties[attribute]) not in formats:
            raise op_error(op, message)

    return check


def verify_float_to_tf32(op: Operation) -> None:
    rounding = keyword(op, "rnd", "none")
    if rounding == "rna":
        if flag(op, "relu"):
            raise error(op, "Relu not supported with rna rounding mode.")
    elif rounding not in ("rn", "rz"):
        raise error(op, "Only {rn,rz,rna} rounding modes supported for ConvertFloatToTF32Op.")


def verify_f32x2_to_f8x2(op: Operation) -> None:
    target = shown(op.properties["dstTy"])
    rounding = keyword(op, "rnd", "none")
    if target in _F8:
        if rounding != "rn":
            raise op_error(
                op,
                "Only RN rounding mode is supported for conversions from f32x2 to "
                f"{_names(_F8)} types",
            )
        if keyword(op, "sat", "none") != "satfinite":
            raise op_error(
                op,
                "Only SATFINITE saturation mode is supported for conversions from f32x2 to "
                f"{_names(_F8)} types",
            )
    elif target in _E8M0:
        if rounding not in ("rz", "rp"):
            raise op_error(
                op,
                "Only RZ and RP rounding modes are supported for conversions from f32x2 to "
                f"{_names(_E8M0)} type",
            )
        if flag(op, "relu"):
            raise op_error(op, f"relu not supported for conversions to {_names(_E8M0)} type")
    else:
        raise op_error(
            op,
            "Only 'f8E4M3FN', 'f8E5M2', and 'f8E8M0FNU' types are supported for conversions "
            "from f32x2 to f8x2",
        )


_only_e8m0 = _only("dstTy", _E8M0, "bf16x2 to f8x2")


def verify_bf16x2_to_f8x2(op: Operation) -> None:
    _only_e8m0(op)
    if keyword(op, "rnd", "none") not in ("rz", "rp"):
        raise op_error(
            op,
            "Only RZ and RP rounding modes are supported for conversions from bf16x2 to f8x2.",
        )


def _verify_f32x2(target: str) -> Verifier:
    def check(op: nvvm.ConvertF32x2ToBf16x2Op | nvvm.ConvertF32x2ToF16x2Op) -> None:
        rounding = keyword(op, "rnd", "none")
        if rounding not in ("rn", "rz", "rs"):
            raise op_error(
                op,
                "Only RN, RZ, and RS rounding modes are supported for conversions from f32x2 to "
                f"{target}.",
            )
        if rounding == "rs" and op.random_bits is None:
            raise op_error(op, "random_bits is required for RS rounding mode.")
        if rounding != "rs" and op.random_bits is not None:
            raise op_error(op, "random_bits not supported for RN and RZ rounding modes.")

    return check


def verify_permute(op: nvvm.PrmtOp) -> None:
    mode = keyword(op, "mode")
    takes_high = mode in ("default", "f4e", "b4e")
    if takes_high and op.hi is None:
        raise error(op, f"mode '{mode}' requires 'hi' operand.")
    if not takes_high and op.hi is not None:
        raise error(op, f"mode '{mode}' does not accept 'hi' operand.")


VERIFY_CONVERSIONS: dict[str, Verifier] = {
    "nvvm.convert.float.to.tf32": verify_float_to_tf32,
    "nvvm.convert.f32x2.to.f4x2": _only("dstTy", _F4, "f32x2 to f4x2"),
    "nvvm.convert.f32x2.to.f6x2": _only("dstTy", _F6, "f32x2 to f6x2"),
    "nvvm.convert.f32x2.to.f8x2": verify_f32x2_to_f8x2,
    "nvvm.convert.f16x2.to.f8x2": _only("dstTy", _F8, "f16x2 to f8x2"),
    "nvvm.convert.bf16x2.to.f8x2": verify_bf16x2_to_f8x2,
    "nvvm.convert.f8x2.to.f16x2": _only("srcType", _F8, "f8x2 to f16x2"),
    "nvvm.convert.f8x2.to.bf16x2": _only("srcType", _E8M0, "f8x2 to bf16x2"),
    "nvvm.convert.f6x2.to.f16x2": _only("srcType", _F6, "f6x2 to f16x2"),
    "nvvm.convert.f4x2.to.f16x2": _only("srcType", _F4, "f4x2 to f16x2"),
    "nvvm.convert.f32x2.to.f16x2": _verify_f32x2("f16x2"),
    "nvvm.convert.f32x2.to.bf16x2": _verify_f32x2("bf16x2"),
    "nvvm.convert.f32x4.to.f8x4": _only("dstTy", _F8, "f32x4 to f8x4"),
    "nvvm.convert.f32x4.to.f6x4": _only("dstTy", _F6, "f32x4 to f6x4"),
    "nvvm.convert.f32x4.to.f4x4": _only("dstTy", _F4, "f32x4 to f4x4"),
    "nvvm.prmt": verify_permute,
}
