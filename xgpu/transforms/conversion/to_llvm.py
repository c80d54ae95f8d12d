# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rules of all dialects that have a conversion to llvm, by dialect.

MLIR asks every loaded dialect for its patterns (ConvertToLLVMPatternInterface); here those of the
dialects that occur are loaded.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.transforms.conversion.driver import Rule

#: Dialect -> module with its RULES.
MODULES: dict[str, str] = {
    "arith": "arith_to_llvm",
    "cf": "cf_to_llvm",
    "complex": "complex_to_llvm",
    "func": "func_to_llvm",
    "index": "index_to_llvm",
    "math": "math_to_llvm",
    "memref": "memref_to_llvm",
    "nvvm": "nvvm_to_llvm",
    "ub": "ub_to_llvm",
    "vector": "vector_to_llvm",
}
#: What rules of a dialect may create.
_NEEDS = {"memref": ("arith", "func"), "vector": ("arith", "memref"), "complex": ("arith",)}


def dialect_rules(
    root: Operation, allowed: Iterable[str] = (), without: Iterable[str] = ()
) -> dict[str, Rule]:
    """Rules for the dialects of the operations in `root`; only `allowed` ones if any are named."""
    from xgpu.errors import error

    allowed = tuple(allowed)
    for dialect in allowed:
        if dialect not in MODULES:
            raise error(
                root, f"dialect does not implement ConvertToLLVMPatternInterface: {dialect}"
            )
    present = {op.name.partition(".")[0] for op in root.walk()}
    for dialect in tuple(present):
        present.update(_NEEDS.get(dialect, ()))
    rules: dict[str, Rule] = {}
    for dialect, module in MODULES.items():
        if dialect not in present or dialect in without:
            continue
        if allowed and dialect not in allowed:
            continue
        path = f"xgpu.transforms.conversion.{module}"
        if find_spec(path) is not None:
            rules.update(import_module(path).RULES)
    return rules
