# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""convert-gpu-to-nvvm: a gpu.module's functions to the llvm and nvvm dialects.

First gpu's own rewrites (all_reduce, global_id, 64-bit shuffles, ...), then one conversion with the
rules of gpu and of every dialect that has a conversion to llvm, math excepted: on the device it is
libdevice. Source: MLIR 22.1 LowerGpuOpsToNVVMOps.cpp.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, Operation

from xgpu.conversion.options import INDEX_BITWIDTH
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.type_converter import UNKNOWN
from xgpu.dialects.gpu.attributes import MMAMatrixType

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.conversion.llvm_types import LLVMTypeConverter
    from xgpu.core.rewriting.driver import Rule
    from xgpu.dialects.dlti.ops import DataLayoutSpecAttr

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
        from xgpu.conversion.gpu import (
            collectives_to_nvvm as gpu_collectives_to_nvvm,
        )
        from xgpu.conversion.gpu import (
            wmma_to_nvvm as gpu_wmma_to_nvvm,
        )
        from xgpu.conversion.scalar import arith_f8_to_nvvm
        from xgpu.conversion.to_llvm import dialect_rules

        rules: dict[str, Rule] = dialect_rules(op, self.allowed_dialects, without=("math",))
        if not self.allowed_dialects or "arith" in self.allowed_dialects:
            rules.update(arith_f8_to_nvvm.RULES)
        rules.update(device_rules())
        rules.update(gpu_wmma_to_nvvm.RULES)
        if self.has_redux:
            rules.update(gpu_collectives_to_nvvm.REDUX_RULES)
        return rules


def prepare_types(types: LLVMTypeConverter) -> None:
    """Teaches a type converter the memory spaces and types of device code."""
    types.memory_spaces.append(_address_space)
    types.add(partial(_convert_gpu_type, types))


def device_rules() -> dict[str, Rule]:
    """Rules for gpu operations in kernels, and for math by way of libdevice."""
    from xgpu.conversion.gpu import (
        collectives_to_nvvm as gpu_collectives_to_nvvm,
    )
    from xgpu.conversion.gpu import (
        func_to_llvm as gpu_func_to_llvm,
    )
    from xgpu.conversion.gpu import (
        index_to_nvvm as gpu_index_to_nvvm,
    )
    from xgpu.conversion.scalar import math_to_libdevice
    from xgpu.conversion.scalar.math_to_llvm import NORMAL, is_class

    return {
        "math.isnormal": is_class(NORMAL),  # no function of libdevice says it
        **math_to_libdevice.RULES,
        **gpu_index_to_nvvm.RULES,
        **gpu_func_to_llvm.RULES,
        **gpu_collectives_to_nvvm.RULES,
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
