# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of nvgpu operations that use a tensor map (TMA). Messages are MLIR's.

Source: MLIR 22.1 NVGPUDialect.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType, MemRefType

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import error

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation

    from xgpu.core.ods.attributes import EnumAttr
    from xgpu.dialects import nvgpu
    from xgpu.dialects.hook_types import Verifier


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
    """A descriptor of what the lowering knows, and one that fits `memref` if that is given."""
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
