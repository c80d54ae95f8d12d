# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What MLIR's verifiers of nvgpu operations check beyond the tables. Messages are MLIR's.

Source: MLIR 22.1 NVGPUDialect.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerAttr,
    IntegerType,
    MemRefType,
)
from xdsl.ir import Attribute

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import error, op_error
from xgpu.dialects.gpu.verify import has_unit_last_stride
from xgpu.dialects.nvgpu.verify_tensor_maps import VERIFY_TENSOR_MAPS, is_shared
from xgpu.dialects.nvgpu.verify_warpgroup import VERIFY_WARPGROUP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Operation

    from xgpu.dialects import nvgpu
    from xgpu.dialects.hook_types import Verifier


_WARP_SIZE = 32
#: Spaces that a copy to, or a load from, shared memory can name.
_SHARED = "a memory space attribute of IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)"


def width(t: Attribute) -> int:
    """The bits of an integer or float type; of another type 0."""
    if isinstance(t, IntegerType):
        return t.width.data
    return getattr(t, "bitwidth", 0)


# --- copies and loads --------------------------------------------------------------------------
def verify_device_async_copy(op: nvgpu.DeviceAsyncCopyOp) -> None:
    src: MemRefType = op.src.type
    dst: MemRefType = op.dst.type
    if not has_unit_last_stride(src):
        raise error(op, "source memref most minor dim must have unit stride")
    if not has_unit_last_stride(dst):
        raise error(op, "destination memref most minor dim must have unit stride")
    if not is_shared(dst):
        raise error(op, f"destination memref must have {_SHARED}")
    if dst.element_type != src.element_type:
        raise error(op, "source and destination must have the same element type")
    for name, memref, indices in (
        ("source", src, op.src_indices),
        ("destination", dst, op.dst_indices),
    ):
        rank = memref.get_num_dims()
        if rank != len(indices):
            raise op_error(op, f"expected {rank} {name} indices, got {len(indices)}")
    _verify_copied_bytes(op, dst)


def _verify_copied_bytes(op: nvgpu.DeviceAsyncCopyOp, dst: MemRefType) -> None:
    bits = width(dst.element_type)
    count = op.dst_elements.value.data
    size = bits * count // 8
    if size not in (4, 8, 16):
        if not bits:
            raise error(op, f"cannot copy elements of type '{shown(dst.element_type)}'")
        message = (
            f"Requested copy elements is {count} with width {bits}. "
            "But copy elements could be one of "
        )
        for total, end in ((32, ", "), (64, ", "), (128, ".")):
            if total // bits > 0:
                message += f"{total // bits}{end}"
        raise error(op, message)
    if "bypassL1" in op.properties and size != 16:
        raise op_error(
            op,
            f"bypassL1 does not satify alignment for '{shown(dst)}' with destination element "
            f"{count}. Unset bypassL1, or set destination element to {128 // bits}",
        )


def verify_ldmatrix(op: nvgpu.LdmatrixOp) -> None:
    result = op.res.type
    shape = result.get_shape()
    bits = width(result.element_type)
    if not is_shared(op.src_memref.type):
        raise error(op, f"expected nvgpu.ldmatrix srcMemref must have {_SHARED}")
    if bits > 32 or not bits:
        raise error(op, "nvgpu.ldmatrix works for 32b or lower")
    if op.transpose.value.data and bits != 16:
        raise error(op, "nvgpu.ldmatrix transpose works only at 16b granularity")
    if len(shape) != 2:
        raise error(op, "results must be 2 dimensional vector")
    if shape[1] != 32 // bits:
        raise error(op, f"expected vector register shape[1] = {32 // bits}")
    if shape[0] != op.num_tiles.value.data:
        raise error(op, "expected vector register shape[0] and numTiles to match")


# --- products of a warp ------------------------------------------------------------------------
def verify_mma_sync(op: nvgpu.MmaSyncOp) -> None:
    _verify_mma(op, sparse=False)


def verify_mma_sp_sync(op: nvgpu.MmaSpSyncOp) -> None:
    if op.sparsity_selector.value.data not in (0, 1):
        raise op_error(op, "sparsity selector should be 0 or 1")
    _verify_mma(op, sparse=True)


def _fundamental_tile(op: Operation, element: Attribute) -> tuple[int, int]:
    """The K of an 8x8xK tile, and how many elements of A, and of B, a thread holds of it."""
    if isinstance(element, Float64Type):
        return 4, 1
    is_known = isinstance(element, (Float32Type, Float16Type, BFloat16Type)) or (
        isinstance(element, IntegerType) and element.width.data in (4, 8)
    )
    has_sign = isinstance(element, IntegerType) and element.signedness.data.name != "SIGNLESS"
    if not is_known or has_sign:
        raise error(
            op, f"expected input data type (i4,i8,f16,bf16,tf32,f64) supported by {op.name}"
        )
    bits = width(element)
    return 128 // bits, 32 // bits


def _verify_mma(op: nvgpu.MmaSyncOp | nvgpu.MmaSpSyncOp, *, sparse: bool) -> None:
    a, b, c = (value.type for value in (op.matrix_a, op.matrix_b, op.matrix_c))
    element = a.element_type
    if sparse and isinstance(element, Float64Type):
        raise error(op, "f64 is not supported for sparse mode")
    shape_k, per_thread = _fundamental_tile(op, element)
    shapes = (a.get_shape(), b.get_shape(), c.get_shape())
    for name, shape in zip("ABC", shapes, strict=True):
        if len(shape) != 2:
            raise error(op, f"matrix{name} must be 2 dimensional vector")
    given = cast("Sequence[Attribute]", op.properties["mmaShape"].data)  # not verified yet
    sizes = [size.value.data for size in given if isinstance(size, IntegerAttr)]
    if len(sizes) != 3:
        raise op_error(op, f"expected 3 sizes in mmaShape, got {len(sizes)}")
    m, n, k = sizes
    factor = 2 if sparse else 1
    # What is short of the whole is told with the size of the dense matrix.
    for name, shape, expected, whole in (
        ("A", shapes[0], m * k // factor, m * k),
        ("B", shapes[1], k * n, k * n),
        ("C", shapes[2], m * n, m * n),
    ):
        if shape[0] * shape[1] * _WARP_SIZE != expected:
            raise op_error(op, f"expected {whole} warp-wide matrix {name} elements")
    if "tf32Enabled" in op.properties and not isinstance(element, Float32Type):
        raise op_error(op, "expected tf32 tensor cores only for F32 operands")
    tiles_m, tiles_n, tiles_k = m // 8, n // 8, k // shape_k
    for name, shape, rows, whole, columns in (
        ("A", shapes[0], tiles_m * tiles_k // factor, tiles_m * tiles_k, per_thread),
        ("B", shapes[1], tiles_k * tiles_n, tiles_k * tiles_n, per_thread),
        ("C", shapes[2], tiles_m * tiles_n, tiles_m * tiles_n, 2),
    ):
        if tuple(shape) != (rows, columns):
            raise op_error(op, f"expected matrix {name} to be shaped ({whole} x {columns})")


def verify_rcp(op: Operation) -> None:
    rounding = cast("nvgpu.RcpRoundingModeAttr", op.properties["rounding"])
    if rounding.data != "approx" or "ftz" not in op.properties:
        raise op_error(
            op,
            f"has a limitation. #nvgpu<rcp_rounding_mode {rounding.data}> "
            "or non-ftz is not supported yet.",
        )


VERIFY: dict[str, Verifier] = {
    "nvgpu.device_async_copy": verify_device_async_copy,
    "nvgpu.ldmatrix": verify_ldmatrix,
    "nvgpu.mma.sync": verify_mma_sync,
    "nvgpu.mma.sp.sync": verify_mma_sp_sync,
    "nvgpu.rcp": verify_rcp,
    **VERIFY_TENSOR_MAPS,
    **VERIFY_WARPGROUP,
}
