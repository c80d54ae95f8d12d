# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rules of all dialects that have a conversion to llvm, by dialect.

MLIR asks every loaded dialect for its patterns (ConvertToLLVMPatternInterface); here those of the
dialects that occur are loaded.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from importlib import import_module
from typing import TYPE_CHECKING

from xgpu.core.ir.op_info import op_info

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.rewriting.driver import Rule

#: Dialect -> module with its RULES.
MODULES: dict[str, str] = {
    "arith": "xgpu.conversion.scalar.arith_to_llvm",
    "cf": "xgpu.conversion.control_flow.cf_to_llvm",
    "complex": "xgpu.conversion.scalar.complex_to_llvm",
    "func": "xgpu.conversion.control_flow.func_to_llvm",
    "index": "xgpu.conversion.scalar.index_to_llvm",
    "math": "xgpu.conversion.scalar.math_to_llvm",
    "memref": "xgpu.conversion.memref.memref_to_llvm",
    "nvvm": "xgpu.conversion.nvgpu.nvvm_to_llvm",
    "ub": "xgpu.conversion.scalar.ub_to_llvm",
    "vector": "xgpu.conversion.vector.vector_to_llvm",
}
#: What rules of a dialect may create.
_NEEDS = {"memref": ("arith", "func"), "vector": ("arith", "memref"), "complex": ("arith",)}


def dialect_rules(
    root: Operation, allowed: Iterable[str] = (), without: Iterable[str] = ()
) -> dict[str, Rule]:
    """Rules for the dialects of the operations in `root`; only `allowed` ones if any are named."""
    from xgpu.core.ir.errors import error

    allowed, without = tuple(allowed), tuple(without)
    for dialect in allowed:
        if dialect not in MODULES:
            raise error(
                root, f"dialect does not implement ConvertToLLVMPatternInterface: {dialect}"
            )
    names = {op.name for op in root.walk()}
    present = {name.partition(".")[0] for name in names}
    for dialect in tuple(present):
        present.update(_NEEDS.get(dialect, ()))
    rules: dict[str, Rule] = {}
    for dialect, module in MODULES.items():
        if dialect not in present or dialect in without:
            continue
        if allowed and dialect not in allowed:
            continue
        rules.update(import_module(module).RULES)
    rules.update(_registered_rules(names, allowed, without))
    return rules


def _registered_rules(
    names: Iterable[str], allowed: Container[str], without: Container[str]
) -> dict[str, Rule]:
    """Rules that operations from outside were registered with (`OpInfo.conversions`)."""
    found: dict[str, Rule] = {}
    for name in names:
        rule = op_info(name).conversions.get("llvm")
        dialect = name.partition(".")[0]
        if rule is not None and dialect not in without and (not allowed or dialect in allowed):
            found[name] = rule
    return found
