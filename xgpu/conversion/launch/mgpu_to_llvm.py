# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""convert-mgpu-to-llvm: the mgpu dialect as calls of the runtime; rules: mgpu_rules.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Operation

from xgpu.conversion.launch.kernel_signature import Convention
from xgpu.conversion.launch.mgpu_graph_rules import GRAPH_RULES
from xgpu.conversion.launch.mgpu_rules import RULES
from xgpu.conversion.launch.state import RuntimeState
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.type_converter import UNKNOWN
from xgpu.dialects.llvm.builders import POINTER
from xgpu.dialects.mgpu.ops import HANDLES

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.core.rewriting.driver import Rule


class ConvertMgpuToLLVM(Pass):
    name = "convert-mgpu-to-llvm"
    summary = "Convert the mgpu dialect to calls of the runtime"
    anchor = "builtin.module"
    options = (
        Option(
            "use-bare-pointers-for-kernels",
            bool,
            False,
            "Use bare pointers to pass memref arguments to kernels.",
        ),
        Option(
            "intersperse-sizes-for-kernels",
            bool,
            False,
            "Inserts a size_t argument following each memref argument, with its size in bytes.",
        ),
    )

    use_bare_pointers_for_kernels: bool
    intersperse_sizes_for_kernels: bool

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.gpu.gpu_to_nvvm import index_width
        from xgpu.conversion.llvm_types import LLVMTypeConverter
        from xgpu.core.rewriting.driver import convert

        types = LLVMTypeConverter(index_width(op))
        types.add(convert_handle)
        state = RuntimeState(
            op,
            Convention(self.use_bare_pointers_for_kernels, self.intersperse_sizes_for_kernels),
        )
        convert(op, all_rules(), types, state=state)


def convert_handle(ty: Attribute) -> Attribute:
    return POINTER if ty.name in HANDLES else UNKNOWN


def all_rules() -> dict[str, Rule]:
    """The rules of all operations of the dialect."""
    return {**RULES, **GRAPH_RULES}
