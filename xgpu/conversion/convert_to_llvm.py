# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-to-llvm`: every dialect that has a conversion to llvm, in one conversion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.passes.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


class ConvertToLLVM(Pass):
    """Lowers whatever can be lowered to the llvm dialect."""

    name = "convert-to-llvm"
    summary = "Convert to LLVM via dialect interfaces found in the input IR"
    options = (
        Option("filter-dialects", list, (), "Convert operations of these dialects only"),
        Option("dynamic", bool, False, "Take the data layout that the IR gives"),
        Option("allow-pattern-rollback", bool, True, "Accepted; nothing is ever rolled back"),
    )

    filter_dialects: tuple[str, ...]
    dynamic: bool

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.gpu.gpu_to_nvvm import (
            device_rules,
            index_width,
            is_illegal_on_device,
            prepare_types,
        )
        from xgpu.conversion.llvm_types import LLVMTypeConverter
        from xgpu.conversion.to_llvm import dialect_rules
        from xgpu.core.rewriting.driver import convert

        types = LLVMTypeConverter(index_width(op) if self.dynamic else 64)
        if not (self.dynamic and _is_for_nvvm(op)):
            convert(op, dialect_rules(op, self.filter_dialects), types)
            return
        prepare_types(types)
        rules = dialect_rules(op, self.filter_dialects, without=("math",))
        rules.update(device_rules())
        convert(op, rules, types, illegal=is_illegal_on_device)


def _is_for_nvvm(op: Operation) -> bool:
    """Whether `op` is a gpu.module whose targets bring the conversion to nvvm."""
    targets = op.properties.get("targets") if op.name == "gpu.module" else None
    return any(target.name == "nvvm.target" for target in getattr(targets, "data", ()))
