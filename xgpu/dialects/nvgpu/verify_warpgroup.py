# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of nvgpu operations of a warp group (wgmma). Messages are MLIR's.

Source: MLIR 22.1 NVGPUDialect.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Attribute

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import op_error

if TYPE_CHECKING:
    from xdsl.dialects.builtin import MemRefType, VectorType

    from xgpu.dialects import nvgpu
    from xgpu.dialects.verify_helpers import Verifier


_SIZE_M = 64
#: What N integer matrices can have; float ones have any multiple of 8 up to 256.
INTEGER_SIZES_N = frozenset((8, 16, 24, *range(32, 257, 16)))
_FLOATS = frozenset({"bf16", "f16", "f32", "tf32", "f8E4M3FN", "f8E5M2"})
_F8 = ("f8E4M3FN", "f8E5M2")
#: Element types of A, B and D that the instruction has, as MLIR has them.
_PRODUCTS = frozenset(
    [
        ("f16", "f16", "f32"),
        ("f16", "f16", "f16"),
        ("tf32", "tf32", "f32"),
        ("i16", "i16", "i32"),
        ("i1", "i1", "i32"),
        ("bf16", "bf16", "f32"),
        ("bf16", "bf16", "f16"),
        *((a, b, d) for a in _F8 for b in _F8 for d in ("f32", "f16")),
    ]
)


def _has_size_n(n: int, element: Attribute) -> bool:
    text = str(element)
    if text in _FLOATS:
        return n % 8 == 0 and 8 <= n <= 256
    return text in ("i8", "i1") and n in INTEGER_SIZES_N


def verify_mma(op: nvgpu.WarpgroupMmaOp) -> None:
    if "transposeA" in op.properties and "transposeB" not in op.properties:
        raise op_error(
            op,
            "supports non-transpose A (Row Major) and transpose B (Column Major) "
            "for the time being ",
        )
    a = cast("MemRefType", op.descriptor_a.type.tensor)
    b = cast("MemRefType", op.descriptor_b.type.tensor)
    c = cast("VectorType", op.matrix_c.type.fragmented)
    d = cast("VectorType", op.matrix_d.type.fragmented)
    if c != d:
        raise op_error(op, "type of matrix C and matrix D must be the same")
    sa, sb, sc = a.get_shape(), b.get_shape(), c.get_shape()
    if not len(sa) == len(sb) == len(sc) == 2:
        raise op_error(op, "has matrices A, B, C and D, they must be 2 dimensional")
    if sa[1] != sb[0]:
        raise op_error(op, f"2nd dim matrix-A ({sa[1]})!= 1st dim matrix-B ({sb[0]} )")
    if sa[0] != sc[0]:
        raise op_error(op, f"1st dim matrix-A ( {sa[0]} )!= 1st dim matrix-C ( {sc[0]} )")
    if sb[1] != sc[1]:
        raise op_error(op, f"2nd dim matrix-B ( {sb[1]} ) != 2nd dim matrix-C ( {sc[1]} )")
    ta, tb, tc = a.element_type, b.element_type, c.element_type
    if (str(ta), str(tb), str(tc)) not in _PRODUCTS:
        raise op_error(op, f"'{tc}' += '{ta}' * '{tb}', it is not supported.")
    if not _has_size_n(sb[1], ta):
        raise op_error(op, f"has input type '{shown(b)}' n is set to {sb[1]}, it is not supported")
    if str(tc) != "f32" and str(ta) not in ("f16", "bf16"):
        raise op_error(op, f"hit a limitation: '{tc}' += '{ta}' * '{tb}', it is not supported yet")


def verify_store(op: nvgpu.WarpgroupMmaStoreOp) -> None:
    vector, memref = cast("VectorType", op.matrix_d.type.fragmented), op.dst_memref.type
    if str(vector.element_type) != "f32":
        raise op_error(op, "hit a limitation: only f32 results for the time being")
    rows, columns = tuple(vector.get_shape())[:2], tuple(memref.get_shape())[:2]
    # MLIR reads two sizes of both without looking; fewer are a mismatch here.
    if rows != columns or len(rows) < 2:
        shown = "".join(f"[{size}]" for size in columns)
        raise op_error(
            op,
            f"results ['{vector}'][{vector.get_shape()[-1]}] values. However, destination "
            f"memref{shown}  does not have same size as results",
        )


def verify_init_accumulator(op: nvgpu.WarpgroupMmaInitAccumulatorOp) -> None:
    vector = cast("VectorType", op.matrix_c.type.fragmented)
    shape = vector.get_shape()
    if len(shape) < 2 or shape[0] % _SIZE_M or not _has_size_n(shape[1], vector.element_type):
        raise op_error(
            op,
            f"has type '{vector}'. It does not fit into warp-group level (wgmma) matrix "
            "multiplication instruction (or not supported yet)",
        )


VERIFY_WARPGROUP: dict[str, Verifier] = {
    "nvgpu.warpgroup.mma": verify_mma,
    "nvgpu.warpgroup.mma.store": verify_store,
    "nvgpu.warpgroup.mma.init.accumulator": verify_init_accumulator,
}
