# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of nvvm's wmma and wgmma operations and of ldmatrix and stmatrix. Messages are MLIR's.

Source: MLIR 22.1 NVVMDialect.cpp, NVVMOps.td.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import VectorType, f16, f32, f64, i32
from xdsl.ir import Attribute

from xgpu.core.ir.errors import op_error
from xgpu.dialects.nvgpu.verify_warpgroup import INTEGER_SIZES_N
from xgpu.dialects.nvvm.checks import (
    GENERIC,
    GLOBAL,
    SHARED,
    address_space,
    keyword,
    literal_struct,
    number,
    require,
    shown,
    struct_body,
)

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.dialects import nvvm
    from xgpu.dialects.hook_types import Verifier


# --- wmma --------------------------------------------------------------------------------------
_SHAPES_16 = ((16, 16, 16), (32, 8, 16), (8, 32, 16))
_SHAPES_TF32 = ((16, 16, 8),)
_SHAPES_F64 = ((8, 8, 4),)
#: Shapes of A and B, and of C and D, by PTX type.
_FACTORS = {
    "f16": _SHAPES_16, "s8": _SHAPES_16, "u8": _SHAPES_16, "tf32": _SHAPES_TF32,
    "f64": _SHAPES_F64,
}  # fmt: skip
_SUMS = {
    "f16": _SHAPES_16, "f32": (*_SHAPES_16, *_SHAPES_TF32), "s32": _SHAPES_16, "f64": _SHAPES_F64,
}  # fmt: skip
_PRODUCTS = {
    ("f16", "f16"): _SHAPES_16, ("f16", "f32"): _SHAPES_16, ("s8", "s32"): _SHAPES_16,
    ("u8", "s32"): _SHAPES_16, ("tf32", "f32"): _SHAPES_TF32, ("f64", "f64"): _SHAPES_F64,
}  # fmt: skip
_INVALID = "invalid attribute combination"


def _registers(kind: str, fragment: str, shape: tuple[int, int, int]) -> list[Attribute]:
    """What a thread holds of a fragment."""
    is_factor = fragment in ("a", "b")
    if kind == "f16":
        return [VectorType(f16, [2])] * (8 if is_factor else 4)
    if kind == "f32":
        return [f32] * 8
    if kind == "f64":
        return [f64] * (1 if is_factor else 2)
    if kind == "tf32":
        return [i32] * 4
    if kind == "s32":
        return [i32] * 8
    return [i32] * ((shape[0] if fragment == "a" else shape[1]) // 8)


def _wmma_shape(op: Operation) -> tuple[int, int, int]:
    return number(op, "m"), number(op, "n"), number(op, "k")


def _require_space(op: nvvm.WmmaLoadOp | nvvm.WmmaStoreOp, what: str) -> None:
    require(
        op,
        address_space(op.ptr) in (GENERIC, GLOBAL, SHARED),
        f"expected {what}source pointer in memory space 0, 1, 3",
    )


def _require_struct(op: nvvm.WmmaLoadOp | nvvm.WmmaMmaOp, registers: list[Attribute]) -> None:
    require(
        op,
        op.res.type == literal_struct(registers),
        f"expected destination type is a structure of {len(registers)} elements of type "
        f"'{shown(registers[0])}'",
    )


def verify_wmma_load(op: nvvm.WmmaLoadOp) -> None:
    _require_space(op, "")
    shape, kind, fragment = _wmma_shape(op), keyword(op, "eltype"), keyword(op, "frag")
    shapes = (_SUMS if fragment == "c" else _FACTORS).get(kind, ())
    require(op, shape in shapes, _INVALID)
    registers = _registers(kind, fragment, shape)
    if registers == [f64]:
        require(op, op.res.type == f64, "expected destination type to be f64")
    else:
        _require_struct(op, registers)


def verify_wmma_store(op: nvvm.WmmaStoreOp) -> None:
    _require_space(op, "operands to be a ")
    shape, kind = _wmma_shape(op), keyword(op, "eltype")
    require(op, shape in _SUMS.get(kind, ()), _INVALID)
    registers = _registers(kind, "c", shape)
    require(op, len(op.args) == len(registers), f"expected {len(registers)} data operands")
    require(
        op,
        all(value.type == registers[0] for value in op.args),
        f"expected data operands of type '{shown(registers[0])}'",
    )


def verify_wmma_mma(op: nvvm.WmmaMmaOp) -> None:
    shape = _wmma_shape(op)
    factor, total = keyword(op, "eltypeA"), keyword(op, "eltypeB")
    require(op, shape in _PRODUCTS.get((factor, total), ()), _INVALID)
    sums = _registers(total, "c", shape)
    registers = [*_registers(factor, "a", shape), *_registers(factor, "b", shape), *sums]
    require(op, len(op.args) == len(registers), f"expected {len(registers)} arguments")
    for index, (value, t) in enumerate(zip(op.args, registers, strict=True)):
        require(op, value.type == t, f"expected argument {index} to be of type '{shown(t)}'")
    _require_struct(op, sums)


# --- ldmatrix, stmatrix ------------------------------------------------------------------------
_MIXED = ("b8x16.b4x16_p64", "b8x16.b6x16_p32")


def verify_ldmatrix(op: nvvm.LdmatrixOp) -> None:
    count = number(op, "num")
    shape = op.shape.data
    element, layout = keyword(op, "eltType"), keyword(op, "layout")
    m, n = shape[0], shape[1]
    if (m, n) == (8, 8):
        require(op, count in (1, 2, 4), "expected num attribute to be 1, 2 or 4 for 8x8 matrix")
        require(op, element == "b16", "expected element type to be b16 for 8x8 matrix")
    elif (m, n) == (8, 16):
        require(op, count in (1, 2, 4), "expected num attribute to be 1, 2 or 4 for 8x16 matrix")
        require(op, layout == "row", "expected layout to be row for 8x16 matrix")
        require(
            op,
            element in _MIXED,
            "expected element type to be b8x16.b4x16_p64 or b8x16.b6x16_p32 for 8x16 matrix",
        )
    elif (m, n) == (16, 16):
        require(op, count in (1, 2), "expected num attribute to be 1 or 2 for 16x16 matrix")
        require(op, layout == "col", "expected layout to be col for 16x16 matrix")
        require(
            op,
            element in ("b8", *_MIXED),
            "expected element type to be b8, b8x16.b4x16_p64 or b8x16.b6x16_p32 for 16x16 matrix",
        )
    else:
        raise op_error(op, "expected shape to be 8x8, 8x16 or 16x16")
    words = 2 * count if (m, n) == (16, 16) else count
    if words == 1:
        require(op, op.res.type == i32, "expected destination type is i32")
    else:
        require(
            op,
            op.res.type == literal_struct([i32] * words),
            f"expected destination type is a structure of {words} elements of type i32",
        )


def verify_stmatrix(op: nvvm.StmatrixOp) -> None:
    require(op, len(op.sources) in (1, 2, 4), "expected num attribute to be 1, 2 or 4")
    shape = op.shape.data
    element = keyword(op, "eltType")
    if shape[:2] == (8, 8):
        require(op, element == "b16", "expected element type to be B16 for 8x8 matrix")
    elif shape[:2] == (16, 8):
        require(op, element == "b8", "expected element type to be B8 for 16x8 matrix")
        require(op, keyword(op, "layout") == "col", "expected layout to be col for 16x8 matrix")
    else:
        raise op_error(op, "expected shape to be 8x8 or 16x8")


# --- wgmma -------------------------------------------------------------------------------------
_SIZES_K = {
    "tf32": 8, "f16": 16, "bf16": 16, "s8": 32, "u8": 32, "e4m3": 32, "e5m2": 32, "b1": 256,
}  # fmt: skip
_PARTNERS = {
    "f16": ("f16",), "tf32": ("tf32",), "u8": ("u8", "s8"), "s8": ("u8", "s8"), "b1": ("b1",),
    "bf16": ("bf16",), "e4m3": ("e4m3", "e5m2"), "e5m2": ("e4m3", "e5m2"),
}  # fmt: skip
_WGMMA_INTEGERS = ("u8", "s8", "b1")


def verify_wgmma(op: nvvm.WgmmaMmaAsyncOp) -> None:
    body = struct_body(op.results[0].type)
    if body is None:
        raise op_error(op, "expected results to be struct")
    a, b, d = (keyword(op, f"type{name}") for name in "ABD")
    for t in body:
        require(
            op,
            t == body[0],
            f"all elements in struct must be same type but there is '{shown(t)}'",
        )
    require(op, d in ("f32", "f16", "s32"), f"does not support the given output type {d}")
    require(
        op,
        d != "s32" or "neg" not in (keyword(op, "scaleA"), keyword(op, "scaleB")),
        "has s32 output, scaleA and scaleB cannot be neg",
    )
    outputs = ("s32",) if a in _WGMMA_INTEGERS else ("f32",) if a == "tf32" else ("f32", "f16")
    require(
        op,
        d in outputs and b in _PARTNERS.get(a, ()),
        f"{d} += {a} * {b}, it is not supported.",
    )
    shape = op.shape.data
    m, n, k = shape[0], shape[1], shape[2]
    require(op, m == 64, "shape 'm' must be 64")
    require(op, k == _SIZES_K[a], f"shape 'k' must be {_SIZES_K[a]} for input type {a}")
    fits = n in INTEGER_SIZES_N if a in _WGMMA_INTEGERS else n % 8 == 0 and 8 <= n <= 256
    require(op, fits, f"has input type {a} n is set to {n}, it is not supported.")
    layouts = (keyword(op, "layoutA"), keyword(op, "layoutB"))
    require(
        op,
        a in ("f16", "bf16") or layouts == ("row", "col"),
        f"given layouts layout_a = {layouts[0]} and layout_b = {layouts[1]} for input types {a} "
        f"and {b} requires transpose. However, this is only supported for: f16 and bf16",
    )
    expected = n // 4 if d == "f16" else n // 2
    require(
        op,
        len(body) == expected,
        f"results {expected}, however output struct has {len(body)} elements",
    )
    require(
        op,
        d == "s32" or keyword(op, "satfinite", "wrapped") != "satfinite",
        " `satfinite` can be only used with s32 accumulator, however the current accumulator "
        f"is {d}",
    )


VERIFY_MATRICES: dict[str, Verifier] = {
    "nvvm.wmma.load": verify_wmma_load,
    "nvvm.wmma.store": verify_wmma_store,
    "nvvm.wmma.mma": verify_wmma_mma,
    "nvvm.ldmatrix": verify_ldmatrix,
    "nvvm.stmatrix": verify_stmatrix,
    "nvvm.wgmma.mma_async": verify_wgmma,
}
