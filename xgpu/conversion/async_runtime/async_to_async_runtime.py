# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`async-to-async-runtime`: async operations become coroutines and calls of the async runtime.

The body of each async.execute becomes a function that is a coroutine: called, it suspends at once
and asks the runtime to resume it in one of its threads. Inside, an await suspends; outside, it
blocks. Source: MLIR 22.1 AsyncToAsyncRuntime.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import FunctionType, StringAttr, SymbolRefAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.conversion.async_runtime.coroutines import (
    Coroutine,
    flatten_control_flow,
    function_around,
    inside,
    lower_blocking_await,
    lower_group_op,
)
from xgpu.core import ods
from xgpu.core.ir.constants import is_constant_op
from xgpu.core.ir.symbols import SymbolTable
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.async_.ops import ValueType
from xgpu.dialects.gpu.ops import replace_uses_in_region, used_values_defined_above, walk_postorder

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.dialects import async_
    from xgpu.dialects.func import FuncOp

_LOWERED = ("async.await", "async.await_all", "async.yield", "async.create_group",
            "async.add_to_group", "cf.assert")  # fmt: skip


class AsyncToAsyncRuntime(Pass):
    """Lowers async.execute, awaits and groups."""

    name = "async-to-async-runtime"
    summary = (
        "Lower all high level async operations (e.g. async.execute) to the explicit "
        "async.runtime and async.coro operations"
    )
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        table = SymbolTable(op)
        coroutines: dict[Operation, Coroutine] = {}
        executes = [o for o in walk_postorder(op.regions[0]) if o.name == "async.execute"]
        for execute in executes:
            coroutine = outline(cast("async_.ExecuteOp", execute), table)
            coroutines[coroutine.func] = coroutine
        flatten_control_flow(coroutines, skip_executes=False)
        for inner in inside(op, _LOWERED):
            function = function_around(inner)
            coroutine = coroutines.get(function) if function is not None else None
            _lower(inner, coroutine)


def _lower(op: Operation, coroutine: Coroutine | None) -> None:
    name = op.name
    if name in ("async.create_group", "async.add_to_group"):
        lower_group_op(op)
    elif coroutine is None:
        if name != "cf.assert":
            lower_blocking_await(op)
    elif name == "cf.assert":
        coroutine.lower_assert(op)
    elif name == "async.yield":
        coroutine.finish(op)
    else:
        coroutine.lower_await(op)


def clone_constants_into(region: Region) -> None:
    """Constants from outside that the region uses are copied to its start."""
    mapping: dict[SSAValue, SSAValue] = {}
    block = region.blocks[0]
    first = block.first_op
    for value in used_values_defined_above(region):
        owner = value.owner
        if isinstance(owner, Block) or not is_constant_op(owner):
            continue
        copy = owner.clone()
        copy.location = owner.location
        if first is None:
            block.add_op(copy)
        else:
            block.insert_op_before(copy, first)
        mapping[value] = copy.results[0]
    if mapping:
        replace_uses_in_region(region, mapping)


def outline(execute: async_.ExecuteOp, table: SymbolTable) -> Coroutine:
    """Moves the body of an async.execute to a coroutine and calls that instead."""
    region: Region = execute.regions[0]
    clone_constants_into(region)
    dependencies, operands = list(execute.dependencies), list(execute.body_operands)
    captured = used_values_defined_above(region)
    inputs = list(dict.fromkeys([*dependencies, *operands, *captured]))
    results = [result.type for result in execute.results]
    location = execute.location
    body = region.blocks[0]
    entry = Block(arg_types=[value.type for value in inputs])
    for argument in entry.args:
        argument.location = location
    func = cast(
        "FuncOp",
        ods.create(
            "func.func",
            properties={
                "sym_name": StringAttr("async_execute_fn"),
                "function_type": FunctionType.from_lists([v.type for v in inputs], results),
                "sym_visibility": StringAttr("private"),
            },
            regions=(Region(entry),),
            location=location,
        ),
    )
    name = table.insert(func)
    mapping: dict[SSAValue, SSAValue] = dict(zip(inputs, entry.args, strict=True))
    replace_uses_in_region(region, mapping)

    # First wait for what the body depends on, and unwrap what it takes.
    rw = Rewriter(block=entry, location=location)
    for value in dependencies:
        rw.create("async.await", (mapping[value],))
    for value, argument in zip(operands, body.args, strict=True):
        assert isinstance(value.type, ValueType)
        unwrapped = rw.value("async.await", (mapping[value],), value.type.value_type)
        argument.replace_all_uses_with(unwrapped)
    for op in list(body.ops):
        op.detach()
        entry.add_op(op)

    coroutine = Coroutine(func)
    branch = coroutine.entry.last_op
    assert branch is not None
    rw.before(branch)
    state = coroutine.save(rw)
    rw.create("async.runtime.resume", (coroutine.handle,))
    coroutine.suspend_at(rw, state, branch.successors[0])
    rw.erase(branch)

    call = Rewriter(execute)
    called = call.create("func.call", inputs, results, {"callee": SymbolRefAttr(name)})
    call.replace(execute, called.results)
    return coroutine
