# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""In which order constants are imported.

The parts of a constant come before it, in the order in which MLIR's importer visits them: the last
operand first, each once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerType

from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.frontend.llvm_ir.model import Constant
from xgpu.frontend.llvm_ir.type_parser import elements_of, is_float

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from xdsl.ir import Attribute


def in_order(
    constant: Constant, known: Container[Constant], make: Callable[..., Constant]
) -> list[Constant]:
    """The constants that `constant` needs and that are not `known`, each behind its parts. `make`
    gives LLVM's constants of some content."""
    if not constant.operands and constant.kind != "zero":
        return [constant]
    ordered: dict[Constant, None] = {}
    # A dictionary for its order: constants that wait for their parts.
    waiting: dict[Constant, list[Constant]] = {constant: _parts(constant, make)}
    while waiting:
        current = next(reversed(waiting))
        parts = waiting[current]
        while parts:
            part = parts.pop()
            if part not in known and part not in waiting and part not in ordered:
                waiting[part] = _parts(part, make)
                break
        else:
            ordered[current] = None
            del waiting[current]
    return list(ordered)


def _parts(constant: Constant, make: Callable[..., Constant]) -> list[Constant]:
    """The constants that have to be there before this one: of an aggregate of zeros, its zeros."""
    if constant.kind == "zero":
        return [_zero_of(t, make) for t in elements_of(constant.type)]
    return list(constant.operands)


def _zero_of(t: Attribute, make: Callable[..., Constant]) -> Constant:
    """LLVM's zero of type `t`."""
    if isinstance(t, IntegerType):
        return make("int", t, 0)
    if is_float(t):
        return make("float", t, 0)
    return make("null" if isinstance(t, LLVMPointerType) else "zero", t)
