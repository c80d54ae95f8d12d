# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of nvvm's matrix products of a warp (mma). Messages are MLIR's.

Source: MLIR 22.1 NVVMDialect.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import VectorType, f16, f32, f64, i32
from xdsl.ir import Attribute

from xgpu.core.ir.errors import error, op_error
from xgpu.dialects.nvvm.checks import keyword, literal_struct, op_errors, shown
from xgpu.dialects.nvvm.syntax import ptx_type

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.dialects import nvvm
    from xgpu.dialects.hook_types import Verifier


_Shape = tuple[int, int, int]
_F8 = ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1")
_INT4, _INT8 = ("s4", "u4"), ("s8", "u8")
_INTEGERS = (*_INT4, *_INT8, "b1", "s32")
#: How many elements of A lie along K in an 8xK tile, by PTX type.
_DENSE_TILE_K = {
    "tf32": 4, "bf16": 8, "f16": 8, "s4": 32, "u4": 32, "b1": 128, "s8": 16, "u8": 16,
}  # fmt: skip
_SPARSE_TILE_K = {
    "tf32": 4, "bf16": 8, "f16": 8, "s4": 32, "u4": 32, "s8": 16, "u8": 16,
    **dict.fromkeys(_F8, 32),
}  # fmt: skip
_SPARSE_SIZES_K = {
    "tf32": (8, 16), "bf16": (16, 32), "f16": (16, 32), "s4": (64, 128), "u4": (64, 128),
    "s8": (32, 64), "u8": (32, 64), **dict.fromkeys(_F8, (64,)),
}  # fmt: skip


class _Expected:
    """Shapes, and types of the operands and of the result, that a product can have."""

    __slots__ = ("operands", "results", "shapes")

    def __init__(self) -> None:
        self.shapes: list[_Shape] = []
        self.operands: tuple[list[list[Attribute]], ...] = ([], [], [])
        self.results: list[Attribute] = []

    def add(self, a: list[Attribute], b: list[Attribute], *c: list[Attribute]) -> None:
        self.operands[0].append(a)
        self.operands[1].append(b)
        self.operands[2].extend(c)


def sizes(
    op: nvvm.MmaBlockScaleOp | nvvm.MmaSpBlockScaleOp | nvvm.MmaSpSyncOp | nvvm.MmaSyncOp,
) -> _Shape:
    shape = op.shape.data
    return shape[0], shape[1], shape[2]


def _expect_16(op: nvvm.MmaSpSyncOp | nvvm.MmaSyncOp, expected: _Expected, *, sparse: bool) -> None:
    """Products of 16 rows: A and B hold as many registers as tiles of 8xK."""
    m, n, k = sizes(op)
    kind = keyword(op, "multiplicandAPtxType")
    tile_k = (_SPARSE_TILE_K if sparse else _DENSE_TILE_K).get(kind)
    if tile_k is None:
        raise error(op, f"invalid shape or multiplicand type: {kind}")
    pair = VectorType(f16, [2])
    fragment: Attribute = pair if kind == "f16" else i32
    if kind in _INTEGERS:
        expected.results = [literal_struct([i32] * 4)]
        accumulators: list[list[Attribute]] = [[i32] * 4]
    else:
        expected.results = [literal_struct([f32] * 4)]
        accumulators = [[pair] * 2, [f32] * 4]
        if kind not in ("tf32", "bf16"):
            expected.results.insert(0, literal_struct([pair] * 2))
    sizes_k = _SPARSE_SIZES_K[kind] if sparse else (tile_k, 2 * tile_k)
    expected.shapes += [(16, 8, size) for size in sizes_k]
    if (m, n, k) in expected.shapes:
        _add_registers(expected, (m, n, k), fragment, kind, tile_k, accumulators, sparse)
    c = op.operand_c
    accumulator = ptx_type(c[0].type, True) if c else None
    if ptx_type(op.res.type, True) != accumulator:
        raise op_error(op, "ctype does not match dtype")


def _add_registers(
    expected: _Expected, shape: _Shape, fragment: Attribute, kind: str, tile_k: int,
    accumulators: list[list[Attribute]], sparse: bool,
) -> None:  # fmt: skip
    m, n, k = shape
    units = (m // 8) * (k // tile_k)
    a_units = units // 2 if sparse else units
    expected.add([fragment] * a_units, [fragment] * ((n // 8) * (k // tile_k)), *accumulators)
    if sparse and kind in _F8:
        # What the instruction takes: an element has a byte. MLIR counts half as many registers.
        expected.add([fragment] * (2 * a_units), [fragment] * (k // 16))


def _expect_8(op: Operation, expected: _Expected, *, sparse: bool) -> None:
    kind = keyword(op, "multiplicandAPtxType")
    pair = VectorType(f16, [2])
    if kind == "f16":
        expected.add([pair] * 2, [pair] * 2, [pair] * 4, [f32] * 8)
        expected.results = [literal_struct([pair] * 4), literal_struct([f32] * 8)]
        expected.shapes.append((8, 8, 4))
    elif kind == "f64":
        expected.add([f64], [f64], [f64] * 2)
        expected.results = [literal_struct([f64] * 2)]
        expected.shapes.append((8, 8, 4))
    elif kind in _INTEGERS:
        expected.add([i32], [i32], [i32] * 2)
        expected.results = [literal_struct([i32] * 2)]
        if kind in _INT4:
            expected.shapes.append((8, 8, 32))
        elif kind in _INT8:
            expected.shapes.append((8, 8, 16))
        elif kind == "b1" and not sparse:
            expected.shapes.append((8, 8, 128))


def _verify_types(op: nvvm.MmaSpSyncOp | nvvm.MmaSyncOp, expected: _Expected) -> None:
    shape = sizes(op)
    if not all(expected.operands) or shape not in expected.shapes:
        raise op_error(
            op, f"unimplemented variant for MMA shape <{', '.join(str(size) for size in shape)}>"
        )
    groups = (op.operand_a, op.operand_b, op.operand_c)
    for name, allowed, values in zip("ABC", expected.operands, groups, strict=True):
        types = [value.type for value in values]
        if types not in allowed:
            wanted = "".join(f"{len(t)}x{shown(t[0])} " for t in allowed if t)
            got = ", ".join(shown(t) for t in types)
            raise op_error(
                op,
                f"Could not match types for the {name} operands; expected one of {wanted}"
                f"but got {got}",
            )
    result = op.res.type
    if result not in expected.results:
        wanted = ", ".join(shown(t) for t in expected.results)
        raise op_error(
            op,
            f"Could not match allowed types for the result; expected one of {wanted} "
            f"but got {shown(result)}",
        )


def _expected(op: nvvm.MmaSpSyncOp | nvvm.MmaSyncOp, *, sparse: bool) -> _Expected:
    expected = _Expected()
    rows = sizes(op)[0]
    if rows == 16:
        _expect_16(op, expected, sparse=sparse)
    elif rows == 8:
        _expect_8(op, expected, sparse=sparse)
    return expected


def _verify_overflow(op: Operation, kind: str) -> None:
    if kind in (*_INT4, *_INT8) and "intOverflowBehavior" not in op.properties:
        raise op_error(op, "op requires intOverflowBehavior attribute")


def verify_mma_sync(op: nvvm.MmaSyncOp) -> None:
    _verify_types(op, _expected(op, sparse=False))
    kind = keyword(op, "multiplicandAPtxType")
    if kind == "b1" and "b1Op" not in op.properties:
        raise op_error(op, "op requires b1Op attribute")
    _verify_overflow(op, kind)
    m, n, k = sizes(op)
    layouts = (keyword(op, "layoutA"), keyword(op, "layoutB"))
    if layouts != ("row", "col") and not ((m, n, k) == (8, 8, 4) and kind == "f16"):
        raise op_error(
            op,
            "requires layoutA = #nvvm.mma_layout<row> and layoutB = #nvvm.mma_layout<col> for "
            f"shape <{m}, {n}, {k}> with element types {kind} and "
            f"{keyword(op, 'multiplicandBPtxType')}. Only m8n8k4 with f16 supports other layouts.",
        )


def verify_mma_sp_sync(op: nvvm.MmaSpSyncOp) -> None:
    _verify_types(op, _expected(op, sparse=True))
    _verify_overflow(op, keyword(op, "multiplicandAPtxType"))


# --- products with scales ----------------------------------------------------------------------
def _verify_scales(
    op: nvvm.MmaBlockScaleOp | nvvm.MmaSpBlockScaleOp,
    four_bit_k: int,
    eight_bit_k: int,
    geometry: str,
) -> None:
    m, n, k = sizes(op)
    kind, vector = keyword(op, "kind"), keyword(op, "scaleVecSize")
    scales = keyword(op, "blockScaleFormat")
    messages: list[str] = []
    name = f"mma.m16n8k{k}"
    if (m, n, k) == (16, 8, four_bit_k):
        types = (keyword(op, "multiplicandAPtxType"), keyword(op, "multiplicandBPtxType"))
        if types != ("e2m1", "e2m1"):
            messages.append(f"unsupported MMATypes attribute for {name}.(mxf4nvf4|mxf4)")
        if kind == "mxf4":
            if vector != "x2":
                messages.append(f"unsupported ScaleVecSize attribute for {name}.mxf4")
            if scales != "ue8m0":
                messages.append(f"unsupported BlockScaleFormat attribute for {name}.mxf4")
        elif kind != "mxf4nvf4":
            messages.append(f"unsupported Kind attribute for {name}")
        elif (vector, scales) not in (("x2", "ue8m0"), ("x4", "ue4m3")):
            messages.append(
                f"unsupported ScaleVecSize and BlockScaleFormat attributes for {name}.mxf4nvf4"
            )
    elif (m, n, k) == (16, 8, eight_bit_k):
        if (kind, vector, scales) != ("mxf8f6f4", "x1", "ue8m0"):
            messages.append(
                f"unsupported Kind, ScaleVecSize and BlockScaleFormat attributes for {name}"
            )
    else:
        messages.append(f"unsupported Geom for {geometry} with block scaling")
    if messages:
        raise op_errors(op, messages)


def _verify_operands(op: nvvm.MmaBlockScaleOp | nvvm.MmaSpBlockScaleOp) -> None:
    """MLIR crashes without one when it prints the operation."""
    for name, values in (("A", op.operand_a), ("B", op.operand_b), ("C", op.operand_c)):
        if not values:
            raise op_error(op, f"needs an operand for {name}")


def verify_mma_block_scale(op: nvvm.MmaBlockScaleOp) -> None:
    _verify_operands(op)
    _verify_scales(op, 64, 32, "mma")


def verify_mma_sp_block_scale(op: nvvm.MmaSpBlockScaleOp) -> None:
    if "orderedMetadata" not in op.properties:
        raise op_error(op, "'orderedMetadata' attribute is mandatory")
    _verify_operands(op)
    _verify_scales(op, 128, 64, "sparse mma")


VERIFY_MMA: dict[str, Verifier] = {
    "nvvm.mma.sync": verify_mma_sync,
    "nvvm.mma.sp.sync": verify_mma_sp_sync,
    "nvvm.mma.block_scale": verify_mma_block_scale,
    "nvvm.mma.sp.block_scale": verify_mma_sp_block_scale,
}
