# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Taking operands, results and a function's arguments away, with what says how many there are."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, FunctionType, i32

from xgpu.core.ir.branches import segment_sizes
from xgpu.core.ir.construction import replace_all_uses
from xgpu.core.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation

T = TypeVar("T")


def without(items: Sequence[T], indices: Collection[int]) -> list[T]:
    """The items but those at `indices`."""
    return [item for i, item in enumerate(items) if i not in indices]


def erase_operands(op: Operation, indices: Collection[int]) -> None:
    """Takes operands away; the sizes of their groups follow."""
    if not indices:
        return
    name = "operandSegmentSizes"
    if name in op.properties or name in op.attributes:
        sizes: list[int] = []
        at = 0
        for size in segment_sizes(op):
            sizes.append(size - sum(at <= i < at + size for i in indices))
            at += size
        held = op.properties if name in op.properties else op.attributes
        held[name] = DenseArrayBase.from_list(i32, sizes)
    op.operands = without(op.operands, indices)


def erase_results(op: Operation, indices: Collection[int]) -> Operation:
    """Puts an operation without the results at `indices`, which have no uses, in the place of `op`,
    and gives it."""
    if not indices:
        return op
    rw = Rewriter(op)
    regions = list(op.regions)
    for region in regions:
        op.detach_region(region)
    new = rw.create(
        op.name,
        list(op.operands),
        without([result.type for result in op.results], indices),
        dict(op.properties),
        dict(op.attributes),
        regions,
        list(op.successors),
    )
    for old, result in zip(without(op.results, indices), new.results, strict=True):
        if old.name_hint is not None:
            result.name_hint = old.name_hint
        replace_all_uses(old, result)
    rw.erase(op)
    return new


def shrink_function(
    function: Operation, arguments: Collection[int], results: Collection[int]
) -> None:
    """Takes arguments, which have no uses, and results away from the signature of a function."""
    kind = function.properties["function_type"]
    function.properties["function_type"] = _shrunk(kind, arguments, results)
    for name, indices in (("arg_attrs", arguments), ("res_attrs", results)):
        attrs = cast("ArrayAttr[Attribute] | None", function.properties.get(name))
        if attrs is None or not indices:
            continue
        rest = without(attrs.data, indices)
        if rest:
            function.properties[name] = ArrayAttr(rest)
        else:
            del function.properties[name]
    entry = function.regions[0].first_block
    if entry is not None:
        for index in sorted(arguments, reverse=True):
            entry.erase_arg(entry.args[index])


def signature(function: Operation) -> tuple[Sequence[Attribute], Sequence[Attribute]]:
    """The types of a function's arguments and results."""
    kind = function.properties["function_type"]
    if isinstance(kind, FunctionType):
        return kind.inputs.data, kind.outputs.data
    from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMVoidType

    assert isinstance(kind, LLVMFunctionType), "functions have types of functions"
    return kind.arguments, () if isinstance(kind.result, LLVMVoidType) else (kind.result,)


def _shrunk(kind: Attribute, arguments: Collection[int], results: Collection[int]) -> Attribute:
    if isinstance(kind, FunctionType):
        inputs = without(kind.inputs.data, arguments)
        return FunctionType.from_lists(inputs, without(kind.outputs.data, results))
    from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMVoidType

    assert isinstance(kind, LLVMFunctionType), "functions have types of functions"
    result = LLVMVoidType() if results else kind.result
    return LLVMFunctionType(without(kind.arguments, arguments), result, variadic=kind.variadic)
