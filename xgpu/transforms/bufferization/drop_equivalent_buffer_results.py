# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`drop-equivalent-buffer-results`: a function does not return what its caller gave it.

    func.func private @f(%m: memref<?xf32>) -> memref<?xf32> { ... return %m : memref<?xf32> }
    =>
    func.func private @f(%m: memref<?xf32>) { ... return }

Public functions keep their results. Source: MLIR 22.1 DropEquivalentBufferResults.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, FunctionType, MemRefType, UnrankedMemRefType
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.calls import callee_name, has_body
from xgpu.core.ir.symbols import resolve, visibility
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from xdsl.context import Context

_BUFFERS = (MemRefType, UnrankedMemRefType)


def _returned_arguments(function: Operation) -> dict[int, int]:
    """For each result that is the same argument at each return which one."""
    ends = [op for op in function.walk() if op.name == "func.return"]
    first = function.regions[0].first_block
    if not ends or first is None:
        return {}
    found: dict[int, int] = {}
    for index in range(len(ends[0].operands)):
        values = {_uncast(end.operands[index]) for end in ends}
        value = values.pop()
        if not values and value in first.args and isinstance(value.type, _BUFFERS):
            found[index] = first.args.index(value)
    return found


def _uncast(value: SSAValue) -> SSAValue:
    while isinstance(value.owner, Operation) and value.owner.name == "memref.cast":
        value = value.owner.operands[0]
    return value


def _drop_results(function: Operation, dropped: dict[int, int]) -> None:
    kind = function.properties["function_type"]
    assert isinstance(kind, FunctionType)
    outputs = [ty for at, ty in enumerate(kind.outputs.data) if at not in dropped]
    function.properties["function_type"] = FunctionType.from_lists(kind.inputs.data, outputs)
    attributes = function.properties.get("res_attrs")
    if isinstance(attributes, ArrayAttr):
        kept = [entry for at, entry in enumerate(attributes.data) if at not in dropped]
        function.properties["res_attrs"] = ArrayAttr(kept)
    for op in function.walk():
        if op.name == "func.return":
            op.operands = [v for at, v in enumerate(op.operands) if at not in dropped]


def _update_call(call: Operation, dropped: dict[int, int]) -> None:
    rw = Rewriter(call)
    types = [result.type for at, result in enumerate(call.results) if at not in dropped]
    new = rw.create(call.name, call.operands, types, call.properties, call.attributes)
    left = iter(new.results)
    values: list[SSAValue] = []
    for at, result in enumerate(call.results):
        if at not in dropped:
            values.append(next(left))
            continue
        value = call.operands[dropped[at]]
        if value.type != result.type:
            value = rw.value("memref.cast", (value,), result.type)
        values.append(value)
    rw.replace(call, values)


class DropEquivalentBufferResultsPass(Pass):
    """Results that are arguments go."""

    name = "drop-equivalent-buffer-results"
    summary = "Remove MemRef return values that are equivalent to a bbArg"
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        calls: dict[Operation, list[Operation]] = {}
        for call in op.walk():
            name = callee_name(call) if call.name == "func.call" else None
            path = None if name is None else resolve(call, name)
            if path:
                calls.setdefault(path[-1], []).append(call)
        for function in op.regions[0].block.ops:
            if function.name != "func.func" or not has_body(function):
                continue
            if visibility(function) == "public":
                continue
            dropped = _returned_arguments(function)
            if not dropped:
                continue
            _drop_results(function, dropped)
            for call in calls.get(function, ()):
                _update_call(call, dropped)
