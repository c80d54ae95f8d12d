# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""convert-nvgpu-to-nvvm: tensor cores, asynchronous copies and barriers of NVIDIA GPUs.

Tokens of asynchronous copies become a dummy i32; barrier groups are memrefs of i64 in shared
memory; tensor map descriptors are pointers. Rules: `memory_to_nvvm.py`, `mma_to_nvvm.py`,
`warpgroup_to_nvvm.py`. Source: MLIR 22.1 NVGPUToNVVM.cpp.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerType, i32, i64
from xdsl.ir import Attribute, Operation

from xgpu.conversion.nvgpu.types import WGMMA_M, barrier_memref
from xgpu.core.ir.construction import nested_operations
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.type_converter import UNKNOWN
from xgpu.dialects.llvm.types import LLVMPointerType, LLVMStructType

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import VectorType

    from xgpu.conversion.llvm_types import LLVMTypeConverter
    from xgpu.dialects import nvgpu


class ConvertNVGPUToNVVM(Pass):
    """Lowers nvgpu operations to nvvm and llvm operations."""

    name = "convert-nvgpu-to-nvvm"
    summary = "Convert NVGPU dialect to NVVM dialect"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.control_flow.scf_structure import RULES as structure

        # Whatever else loops carry takes its converted type as well.
        if not any(
            o.name.startswith("nvgpu.") or o.name in structure for o in nested_operations(op)
        ):
            return
        from xgpu.conversion.nvgpu.memory_to_nvvm import RULES as memory
        from xgpu.conversion.nvgpu.mma_to_nvvm import RULES as mma
        from xgpu.conversion.nvgpu.warpgroup_to_nvvm import RULES as warpgroup
        from xgpu.core.rewriting.driver import convert

        # Loops carry accumulators and tokens from one step to the next.
        convert(op, {**memory, **mma, **warpgroup, **structure}, nvgpu_types(), state=op)


def nvgpu_types() -> LLVMTypeConverter:
    """The type converter of this pass."""
    from xgpu.conversion.gpu.gpu_to_nvvm import _address_space
    from xgpu.conversion.llvm_types import LLVMTypeConverter

    types = LLVMTypeConverter()
    types.memory_spaces.append(_address_space)
    types.add(partial(_convert, types))
    return types


def _convert(types: LLVMTypeConverter, ty: Attribute) -> Attribute | None:
    name = ty.name
    if not name.startswith("nvgpu."):
        return UNKNOWN
    if name == "nvgpu.device.async.token":
        return i32
    if name in ("nvgpu.mbarrier.token", "nvgpu.warpgroup.descriptor"):
        return i64
    if name == "nvgpu.mbarrier.group":
        return types.convert(barrier_memref(cast("nvgpu.MbarrierGroupType", ty)))
    if name == "nvgpu.tensormap.descriptor":
        return LLVMPointerType()
    if name == "nvgpu.warpgroup.accumulator":
        return _accumulator(ty)
    return UNKNOWN


def _accumulator(ty: Attribute) -> Attribute | None:
    """A struct for each 64 rows, of the registers that a thread holds of them."""
    ty = cast("nvgpu.WarpgroupAccumulatorType", ty)
    element = cast("VectorType", ty.fragmented).element_type
    rows, columns = cast("VectorType", ty.fragmented).get_shape()
    width = getattr(element, "bitwidth", 0)
    if width == 32:
        members = columns // 2
    elif width == 16:
        members = columns // 4
    else:
        return None
    inner = LLVMStructType([element] * members)
    return LLVMStructType([inner] * -(-rows // WGMMA_M))


def is_integer(ty: Attribute, width: int) -> bool:
    return isinstance(ty, IntegerType) and ty.width.data == width
