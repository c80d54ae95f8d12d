# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu-to-llvm: the host side of gpu programs to the llvm dialect and runtime calls.

Rules: `runtime_calls.py`, and those of every dialect that has a conversion to llvm. Kernels in
gpu.modules and gpu.binaries stay for `gpu-module-to-binary` and the translation; sparse operations
are in `sparse_calls.py`, those of the mgpu dialect in `mgpu_to_llvm.py`.
Source: MLIR 22.1 GPUToLLVMConversion.cpp.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Operation

from xgpu.core.ir.construction import nested_operations
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.type_converter import UNKNOWN
from xgpu.dialects.llvm.types import LLVMPointerType

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.core.rewriting.driver import Rule
    from xgpu.core.rewriting.greedy import Patterns
    from xgpu.core.rewriting.type_converter import TypeConverter

_HANDLES = frozenset(
    {
        "gpu.async.token",
        "gpu.sparse.dntensor_handle",
        "gpu.sparse.spmat_handle",
        "gpu.sparse.spgemmop_handle",
    }
)


class GpuToLLVM(Pass):
    """Lowers host code with gpu operations to llvm operations and runtime calls."""

    name = "gpu-to-llvm"
    summary = "Convert dialects to LLVM dialect with GPU runtime calls"
    anchor = "builtin.module"
    options = (
        Option(
            "use-bare-pointers-for-host",
            bool,
            False,
            "Use bare pointers to pass memref arguments to host functions.",
        ),
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

    use_bare_pointers_for_host: bool
    use_bare_pointers_for_kernels: bool
    intersperse_sizes_for_kernels: bool

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.launch.kernel_signature import Convention
        from xgpu.conversion.launch.mgpu_to_llvm import convert_handle as convert_mgpu_handle
        from xgpu.conversion.launch.runtime_calls import is_illegal_launch, is_legal_launch
        from xgpu.conversion.launch.state import RuntimeState
        from xgpu.conversion.llvm_types import LLVMTypeConverter
        from xgpu.core.rewriting.driver import convert
        from xgpu.core.rewriting.greedy import apply_patterns

        apply_patterns(op, _transfer_patterns(op))
        # As in MLIR, indices of the host have 64 bits, whatever the data layout says.
        types = LLVMTypeConverter(bare_pointers=self.use_bare_pointers_for_host)
        types.add(_convert_handle)
        types.add(convert_mgpu_handle)
        types.add(partial(_convert_async_value, types))
        state = RuntimeState(
            op,
            Convention(
                # As in MLIR, the host's convention is that of its launches too.
                self.use_bare_pointers_for_kernels or self.use_bare_pointers_for_host,
                self.intersperse_sizes_for_kernels,
            ),
        )
        convert(
            op,
            self._rules(op),
            types,
            legal=is_legal_launch,
            illegal=is_illegal_launch,
            state=state,
        )

    def _rules(self, op: Operation) -> dict[str, Rule]:
        from xgpu.conversion.launch import mgpu_to_llvm, runtime_calls
        from xgpu.conversion.to_llvm import dialect_rules

        rules = dialect_rules(op)
        rules.update(runtime_calls.RULES)
        rules.update(mgpu_to_llvm.all_rules())
        if any(o.name.startswith("async.") for o in nested_operations(op)):
            from xgpu.conversion.control_flow.scf_structure import ASYNC_RULES as async_rules

            rules.update({k: r for k, r in async_rules.items() if k not in rules})
        return rules


def _transfer_patterns(op: Operation) -> Patterns:
    """vector.transfer_* of one dimension to loads and stores, where there are any."""
    if not any(o.name.startswith("vector.transfer_") for o in nested_operations(op)):
        return {}
    from xgpu.transforms.vector.transfer_lowering import TRANSFER_PATTERNS

    return dict(TRANSFER_PATTERNS)


def _convert_handle(ty: Attribute) -> Attribute:
    return LLVMPointerType() if ty.name in _HANDLES else UNKNOWN


def _convert_async_value(types: TypeConverter, ty: Attribute) -> Attribute:
    if ty.name in ("async.token", "async.group"):
        return ty
    if ty.name == "async.value":
        inner = types.convert(ty.data)  # pyright: ignore
        return None if inner is None else type(ty)(inner)  # pyright: ignore
    return UNKNOWN
