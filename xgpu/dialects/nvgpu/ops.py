# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of the nvgpu dialect. Messages are MLIR's. Source: MLIR 22.1 NVGPUDialect.cpp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerAttr,
    IntegerType,
    MemRefType,
    VectorType,
)
from xdsl.ir import Attribute, Operation

from xgpu.core.ir.errors import error, op_error, shown
from xgpu.dialects import nvgpu
from xgpu.dialects.memref_layout import has_unit_last_stride

if TYPE_CHECKING:
    from xgpu.core.ods.attributes import EnumAttr
    from xgpu.dialects.interfaces import Verifier


# -- Verifiers of nvgpu operations of a warp group (wgmma). Messages are MLIR's.
#
# Source: MLIR 22.1 NVGPUDialect.cpp.


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


def verify_warpgroup_store(op: nvgpu.WarpgroupMmaStoreOp) -> None:
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
    "nvgpu.warpgroup.mma.store": verify_warpgroup_store,
    "nvgpu.warpgroup.mma.init.accumulator": verify_init_accumulator,
}


# -- Operations that use a tensor map (TMA).


_MAX_RANK = 5
_MAX_EXTENT = 256
_SWIZZLE_BYTES = {"swizzle_32b": 32, "swizzle_64b": 64, "swizzle_128b": 128}


def is_shared(memref: MemRefType) -> bool:
    """Whether a memref lies in shared memory, which attributes of two kinds say."""
    space = memref.memory_space
    if isinstance(space, IntegerAttr):
        return space.value.data == 3
    return space.name == "gpu.address_space" and cast("EnumAttr", space).data == "workgroup"


def _keyword(value: Attribute | str) -> str:
    return value if isinstance(value, str) else cast("EnumAttr", value).data


def _bytes_of_row(memref: MemRefType) -> int | None:
    shape = memref.get_shape()
    if not shape:
        return None
    element = memref.element_type
    is_integer = isinstance(element, IntegerType)
    bits = element.width.data if is_integer else getattr(element, "bitwidth", 0)
    return shape[-1] * bits // 8


def verify_tensor_map(
    op: Operation, descriptor: nvgpu.TensormapDescriptorType, memref: MemRefType | None = None
) -> None:
    """A descriptor of a kind that the lowering has, and one that fits `memref` if that is given."""
    tensor = cast("MemRefType", descriptor.tensor)
    if _keyword(descriptor.interleave) != "none":
        raise error(op, "Interleave options are not supported yet.")
    if not is_shared(tensor):
        raise error(
            op,
            "the tensor map descriptor has incorrect address space, "
            "it must be shared memory address space.",
        )
    shape = tensor.get_shape()
    if any(extent < 0 for extent in shape):
        raise error(op, "the tensor map descriptor must be static shaped")
    for extent in shape:
        if extent == 0 or extent > _MAX_EXTENT:
            raise error(
                op,
                "the tensor map descriptor must have dimensions between 1 and "
                f"{_MAX_EXTENT} but it is {extent}",
            )
    row = _bytes_of_row(tensor)
    swizzle = _keyword(descriptor.swizzle)
    if len(shape) > 1 and swizzle != "none" and row != _SWIZZLE_BYTES[swizzle]:
        raise error(
            op,
            f"the tensormap descriptor must have last dimension of {_SWIZZLE_BYTES[swizzle]} "
            f"bytes but it is {row} bytes",
        )
    if memref is not None:
        _verify_fit(op, tensor, memref, row)


def _verify_fit(op: Operation, tensor: MemRefType, memref: MemRefType, row: int | None) -> None:
    if tensor.element_type != memref.element_type:
        raise error(op, "the element type of tensor map descriptor and memref must be same")
    if not is_shared(memref):
        raise error(
            op,
            "the destination memref has incorrect address space, "
            "it must be shared memory address space.",
        )
    shape = memref.get_shape()
    if any(extent < 0 for extent in shape):
        raise error(op, "the destination memref must be static shaped")
    if len(shape) != tensor.get_num_dims():
        raise error(op, "the shape of tensor map descriptor and memref must have same rank")
    if tuple(shape) != tuple(tensor.get_shape()):
        raise error(
            op,
            f"memref and tensor map shapes mismatch '{shown(tensor)}' != '{shown(memref)}'",
        )
    if row is not None and row % 16:
        raise error(
            op, "the bytes in the last dimension of the tensor map must be a multiple of 16"
        )


def _verify_transfer(op: nvgpu.TmaAsyncLoadOp | nvgpu.TmaAsyncStoreOp, memref: MemRefType) -> None:
    descriptor = op.tensor_map_descriptor.type
    verify_tensor_map(op, descriptor, memref)
    if len(op.coordinates) > _MAX_RANK:
        raise error(op, f"Maximum {_MAX_RANK} coordinates are supported.")
    if len(op.coordinates) != cast("MemRefType", descriptor.tensor).get_num_dims():
        raise error(
            op, "number of coordinates do not match with the rank of tensor descriptor map."
        )


def verify_load(op: nvgpu.TmaAsyncLoadOp) -> None:
    _verify_transfer(op, op.dst.type)


def verify_store(op: nvgpu.TmaAsyncStoreOp) -> None:
    _verify_transfer(op, op.src.type)


def verify_create_descriptor(op: nvgpu.TmaCreateDescriptorOp) -> None:
    if len(op.box_dimensions) > _MAX_RANK:
        raise error(op, f"Maximum {_MAX_RANK} coordinates are supported.")
    verify_tensor_map(op, op.tensor_map.type)


def verify_generate_descriptor(op: nvgpu.WarpgroupGenerateDescriptorOp) -> None:
    descriptor = op.tensor_map.type
    verify_tensor_map(op, descriptor)
    if _keyword(descriptor.swizzle) != "swizzle_128b":
        raise error(op, "supports only swizzle_128b is supported for the time being")


VERIFY_TENSOR_MAPS: dict[str, Verifier] = {
    "nvgpu.tma.async.load": verify_load,
    "nvgpu.tma.async.store": verify_store,
    "nvgpu.tma.create.descriptor": verify_create_descriptor,
    "nvgpu.warpgroup.generate.descriptor": verify_generate_descriptor,
}


# -- Copies, loads and products of a warp, and the table of verifiers.


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
    # The message about a smaller matrix has the size of the dense one.
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
