# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-gpu-to-nvvm`: a gpu.module's functions to the llvm and nvvm dialects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, UnitAttr, i32
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.to_llvm import INDEX_BITWIDTH
from xgpu.core import ods
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.type_converter import UNKNOWN
from xgpu.dialects.gpu.attributes import MMAMatrixType

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import IntegerAttr

    from xgpu.conversion.llvm_types import LLVMConversion, LLVMTypeConverter
    from xgpu.core.rewriting.driver import Rule
    from xgpu.dialects import gpu
    from xgpu.dialects.dlti.ops import DataLayoutSpecAttr


# --- index to nvvm -------------------------------------------------------------------------------
# gpu ids and sizes as special registers.
#
#     %0 = gpu.thread_id x   =>   %0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 32> : i32
#                                 %1 = llvm.sext %0 : i32 to i64
#
# The range comes from `upper_bound`, or from the sizes that the function knows.
# Source: MLIR 22.1 IndexIntrinsicsOpLowering.h.


WARP_SIZE = 32

#: Operation -> register, what of the function bounds it, whether it is a size.
_REGISTERS: dict[str, tuple[str, str | None, bool]] = {
    "gpu.thread_id": ("tid", "known_block_size", False),
    "gpu.block_dim": ("ntid", "known_block_size", True),
    "gpu.block_id": ("ctaid", "known_grid_size", False),
    "gpu.grid_dim": ("nctaid", "known_grid_size", True),
    "gpu.cluster_id": ("clusterid", None, False),
    "gpu.cluster_dim": ("nclusterid", None, True),
    "gpu.cluster_block_id": ("cluster.ctaid", "known_cluster_size", False),
    "gpu.cluster_dim_blocks": ("cluster.nctaid", "known_cluster_size", True),
}


def lower_index(op: Operation, operands: Sequence[SSAValue], rw: LLVMConversion) -> list[SSAValue]:
    """See the module's docstring."""
    register, bound, is_size = _REGISTERS[op.name]
    dimension = cast("gpu.DimAttr", op.properties["dimension"])
    bounds = None
    upper = cast("IntegerAttr | None", op.properties.get("upper_bound"))
    limit = upper.value.data if upper is not None else None
    if limit is None and bound is not None:
        limit = _known_size(op, bound, "xyz".index(dimension.data))
    if limit is not None:
        bounds = _range(1, limit + 1) if is_size else _range(0, limit)
    name = f"nvvm.read.ptx.sreg.{register}.{dimension.data}"
    return [_as_index(rw, _read(rw, name, bounds))]


def _known_size(op: Operation, name: str, dimension: int) -> int | None:
    """The size in `dimension` that the function around `op` was told."""
    function = op.parent_op()
    while function is not None and function.name not in ("gpu.func", "llvm.func", "func.func"):
        function = function.parent_op()
    if function is None:
        return None
    sizes = function.properties.get(name) or function.attributes.get(f"gpu.{name}")
    if not isinstance(sizes, DenseArrayBase):
        return None
    return int(sizes.get_values()[dimension])


def lower_lane_id(
    op: gpu.LaneIdOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    upper = op.properties.get("upper_bound")
    limit = WARP_SIZE if upper is None else upper.value.data
    return [_as_index(rw, _read(rw, "nvvm.read.ptx.sreg.laneid", _range(0, limit)))]


def _range(lower: int, upper: int) -> Attribute:
    return ods.attr_class("llvm.constant_range")(i32.width.data, lower, upper)  # pyright: ignore


def _read(rw: LLVMConversion, name: str, bounds: Attribute | None) -> SSAValue:
    return rw.value(name, (), i32, {} if bounds is None else {"range": bounds})


def _as_index(rw: LLVMConversion, value: SSAValue) -> SSAValue:
    index = rw.types.index
    if index.width.data > 32:
        return rw.value("llvm.sext", (value,), index)
    if index.width.data < 32:
        return rw.value("llvm.trunc", (value,), index)
    return value


INDEX_RULES = {**dict.fromkeys(_REGISTERS, lower_index), "gpu.lane_id": lower_lane_id}


# --- gpu to nvvm ---------------------------------------------------------------------------------
# convert-gpu-to-nvvm: a gpu.module's functions to the llvm and nvvm dialects.
#
# First gpu's own rewrites (all_reduce, global_id, 64-bit shuffles, ...), then one conversion with
# the rules of gpu and of every dialect that has a conversion to llvm, math excepted: on the device
# it is libdevice. Source: MLIR 22.1 LowerGpuOpsToNVVMOps.cpp.


#: gpu's memory spaces as NVVM's address spaces. Private memory is the stack, space 0.
ADDRESS_SPACES = {"global": 1, "workgroup": 3, "private": 0}


class ConvertGpuToNVVM(Pass):
    """Lowers a gpu.module to llvm and nvvm operations."""

    name = "convert-gpu-to-nvvm"
    summary = "Generate NVVM operations for gpu operations"
    anchor = "gpu.module"
    options = (
        INDEX_BITWIDTH,
        Option("has-redux", bool, False, "Target gpu supports redux"),
        Option(
            "use-bare-ptr-memref-call-conv",
            bool,
            False,
            "Replace memref arguments in GPU functions with bare pointers.",
        ),
        Option("allow-pattern-rollback", bool, True, "Accepted for MLIR's sake."),
        Option("allowed-dialects", list, (), "Run conversion patterns of only these dialects"),
    )

    index_bitwidth: int
    has_redux: bool
    use_bare_ptr_memref_call_conv: bool
    allowed_dialects: tuple[str, ...]

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.core.rewriting.driver import convert
        from xgpu.transforms.gpu.rewrites import apply_gpu_rewrites
        from xgpu.transforms.gpu.subgroup_reduce import device_patterns
        from xgpu.transforms.vector.elements import unroll_from_elements

        for child in _children(op):
            if child.name == "func.func":
                child.attributes["llvm.emit_c_interface"] = UnitAttr()
        patterns = device_patterns(has_redux=self.has_redux)
        apply_gpu_rewrites(op, {**patterns, "vector.from_elements": (unroll_from_elements,)})
        convert(
            op,
            self._rules(op),
            self.types(op),
            illegal=is_illegal_on_device,
        )

    def types(self, op: Operation) -> LLVMTypeConverter:
        """The type converter for device code."""
        from xgpu.conversion.llvm_types import LLVMTypeConverter

        types = LLVMTypeConverter(
            self.index_bitwidth or index_width(op), bare_pointers=self.use_bare_ptr_memref_call_conv
        )
        prepare_types(types)
        return types

    def _rules(self, op: Operation) -> Mapping[str, Rule]:
        from xgpu.conversion.gpu import functions_to_nvvm, wmma_to_nvvm
        from xgpu.conversion.scalar import arith_to_llvm
        from xgpu.conversion.to_llvm import dialect_rules

        rules: dict[str, Rule] = dialect_rules(op, self.allowed_dialects, without=("math",))
        if not self.allowed_dialects or "arith" in self.allowed_dialects:
            rules.update(arith_to_llvm.F8_RULES)
        rules.update(device_rules())
        rules.update(wmma_to_nvvm.RULES)
        if self.has_redux:
            rules.update(functions_to_nvvm.REDUX_RULES)
        return rules


def prepare_types(types: LLVMTypeConverter) -> None:
    """Teaches a type converter the memory spaces and types of device code."""
    types.memory_spaces.append(_address_space)
    types.add(partial(_convert_gpu_type, types))


def device_rules() -> dict[str, Rule]:
    """Rules for gpu operations in kernels, and for math by way of libdevice."""
    from xgpu.conversion.gpu import functions_to_nvvm
    from xgpu.conversion.scalar import math_to_calls
    from xgpu.conversion.scalar.math_to_llvm import NORMAL, is_class

    return {
        "math.isnormal": is_class(NORMAL),  # no function of libdevice says it
        **math_to_calls.LIBDEVICE_RULES,
        **INDEX_RULES,
        **functions_to_nvvm.RULES,
    }


def _children(op: Operation) -> list[Operation]:
    return [child for region in op.regions for block in region.blocks for child in block.ops]


def is_illegal_on_device(op: Operation) -> bool:
    name = op.name
    if name.startswith("gpu."):
        return name not in ("gpu.module", "gpu.yield")
    return name in ("func.func", "cf.assert")


def _address_space(attribute: Attribute) -> int | None:
    if attribute.name == "gpu.address_space":
        return ADDRESS_SPACES[attribute.data]  # pyright: ignore
    return None


def _convert_gpu_type(types: LLVMTypeConverter, ty: Attribute) -> Attribute:
    if isinstance(ty, MMAMatrixType):
        from xgpu.conversion.gpu.wmma_to_nvvm import fragment_type

        return fragment_type(ty)
    return UNKNOWN


def index_width(op: Operation) -> int:
    """The width of index that the data layout of `op` or around it gives; 64 by default."""
    current: Operation | None = op
    while current is not None:
        spec = current.attributes.get("dlti.dl_spec")
        if spec is not None:
            width = _index_entry(cast("DataLayoutSpecAttr", spec))
            if width is not None:
                return width
        current = current.parent_op()
    return 64


def _index_entry(spec: DataLayoutSpecAttr) -> int | None:
    from xdsl.dialects.builtin import IndexType, IntegerAttr

    for key, value in spec.entries():
        if isinstance(key, IndexType) and isinstance(value, IntegerAttr):
            return value.value.data
    return None
