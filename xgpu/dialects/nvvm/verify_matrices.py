# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of nvvm's matrix operations: mma, wmma, wgmma, ldmatrix, stmatrix, tcgen05.

Messages are MLIR's. Source: MLIR 22.1 NVVMDialect.cpp, NVVMOps.td.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import VectorType, f16, f32, f64, i32
from xdsl.ir import Attribute, Operation

from xgpu.core.ir.errors import error, op_error, shown
from xgpu.dialects import nvvm
from xgpu.dialects.nvgpu.ops import INTEGER_SIZES_N
from xgpu.dialects.nvvm.checks import (
    GENERIC,
    GLOBAL,
    SHARED,
    address_space,
    errors,
    flag,
    keyword,
    literal_struct,
    number,
    op_errors,
    require,
    struct_body,
)
from xgpu.dialects.nvvm.syntax import ptx_type

if TYPE_CHECKING:
    from xgpu.dialects.interfaces import Verifier


# -- Verifiers of nvvm's matrix products of a warp (mma). Messages are MLIR's.
#
# Source: MLIR 22.1 NVVMDialect.cpp.


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


# -- Verifiers of nvvm's tcgen05 operations. Messages are MLIR's.
#
# Source: MLIR 22.1 NVVMDialect.cpp.


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
