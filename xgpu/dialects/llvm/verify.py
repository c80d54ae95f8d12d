# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of the llvm dialect: functions, and the tables for the verifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import error, op_error
from xgpu.core.ods.type_predicates import is_llvm_compatible
from xgpu.dialects.functions import verify_attributes
from xgpu.dialects.llvm import verify_calls, verify_globals, verify_memory, verify_values
from xgpu.dialects.llvm.types import LLVMVoidType

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from xdsl.dialects.builtin import DenseArrayBase, IntegerType
    from xdsl.ir import Block, Data, Operation

    from xgpu.dialects import llvm
    from xgpu.dialects.hook_types import Verifier
    from xgpu.dialects.llvm.types import LLVMFunctionType

    _Op = TypeVar("_Op", bound="Operation")


def _func(op: llvm.FuncOp) -> None:
    properties = op.properties
    kind = properties["function_type"]
    results = () if isinstance(kind.result, LLVMVoidType) else (kind.result,)
    verify_attributes(op, kind.arguments, results)
    entry = op.regions[0].first_block
    linkage = properties["linkage"].data if "linkage" in properties else "external"
    if entry is not None:
        _entry(op, entry, kind)
    if linkage == "common":
        raise op_error(op, "functions cannot have 'common' linkage")
    verify_globals.verify_comdat(op)
    if entry is None:
        if linkage not in ("external", "extern_weak"):
            raise op_error(op, "external functions must have 'external' or 'extern_weak' linkage")
        return
    if "no_inline" in properties and "always_inline" in properties:
        raise error(op, "no_inline and always_inline attributes are incompatible")
    if "optimize_none" in properties and "no_inline" not in properties:
        raise op_error(op, "with optimize_none must also be no_inline")
    _body(op)


def _entry(op: Operation, entry: Block, kind: LLVMFunctionType) -> None:
    if len(entry.args) != len(kind.arguments):
        raise op_error(
            op,
            f"entry block must have {len(kind.arguments)} arguments to match function signature",
        )
    for place, (argument, wanted) in enumerate(zip(entry.args, kind.arguments, strict=True)):
        if argument.type != wanted:
            raise op_error(
                op,
                f"type of entry block argument #{place}('{shown(argument.type)}') must match the "
                f"type of the corresponding argument in function signature('{shown(wanted)}')",
            )


def _body(op: llvm.FuncOp) -> None:
    """One type for all that exceptions carry; block tags that differ."""
    exception, tags = None, set()
    for block in op.regions[0].blocks:
        for child in block.ops:
            name = child.name
            if name == "llvm.landingpad":
                t = child.results[0].type
                words = "'llvm.landingpad' should have a consistent result"
            elif name == "llvm.resume":
                t, words = child.operands[0].type, "'llvm.resume' should have a consistent input"
            elif name == "llvm.blocktag":
                tag = cast("Data[tuple[int]]", child.properties["tag"])
                if tag in tags:
                    raise error(
                        child, f"duplicate block tag '{tag.data[0]}' in the same function: "
                    )
                tags.add(tag)
                continue
            else:
                continue
            if exception is not None and exception != t:
                raise error(op, f"{words} type inside a function")
            exception = t


def _func_regions(op: Operation) -> None:
    entry = op.regions[0].first_block
    if entry is None:
        return
    for place, argument in enumerate(entry.args):
        if not is_llvm_compatible(argument.type):
            raise op_error(op, f"entry block argument #{place} is not of LLVM type")


def _weights(op: Operation) -> None:
    """As many branch weights as successors, not all zero."""
    given = cast("DenseArrayBase[IntegerType] | None", op.properties.get("branch_weights"))
    weights = [] if given is None else list(given.get_values())
    if not weights:
        return
    if len(weights) != len(op.successors):
        raise error(
            op,
            "expects number of branch weights to match number of successors: "
            f"{len(weights)} vs {len(op.successors)}",
        )
    if not any(weights):
        raise error(op, "branch weights cannot all be zero")


def _weighted(check: Callable[[_Op], None]) -> Callable[[_Op], None]:
    def both(op: _Op) -> None:
        _weights(op)
        check(op)

    return both


VERIFY: dict[str, Verifier] = {
    "llvm.func": _func,
    **verify_memory.MEMORY_VERIFY,
    **verify_values.VALUE_VERIFY,
    **verify_calls.CALL_VERIFY,
    **verify_globals.GLOBAL_VERIFY,
    "llvm.cond_br": _weights,
    "llvm.switch": _weighted(verify_values.VALUE_VERIFY["llvm.switch"]),
    "llvm.invoke": _weighted(verify_calls.CALL_VERIFY["llvm.invoke"]),
}
VERIFY_REGIONS: dict[str, Verifier] = {
    "llvm.func": _func_regions,
    **verify_globals.GLOBAL_VERIFY_REGIONS,
}
