# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`async-func-to-async-runtime`: async.func becomes func.func, a coroutine.

It starts in the caller's thread and suspends at its first await. What is inside an async.execute
waits for `async-to-async-runtime`. Source: MLIR 22.1 AsyncToAsyncRuntime.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation

from xgpu.conversion.async_runtime.coroutines import (
    Coroutine,
    flatten_control_flow,
    function_around,
    inside,
)
from xgpu.core import ods
from xgpu.core.ir.blocks import take_region
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.dialects import func


class AsyncFuncToAsyncRuntime(Pass):
    """Lowers async.func, async.call and async.return."""

    name = "async-func-to-async-runtime"
    summary = "Lower async.func operations to the explicit async.runtime and async.coro operations"
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        coroutines: dict[Operation, Coroutine] = {}
        for function in inside(op, ("async.func",)):
            new = _plain_function(function)
            if new.regions[0].blocks:
                coroutines[new] = Coroutine(cast("func.FuncOp", new))
        for call in inside(op, ("async.call",)):
            rw = Rewriter(call)
            types = [result.type for result in call.results]
            properties = {"callee": call.properties["callee"]}
            new = rw.create("func.call", list(call.operands), types, properties)
            rw.replace(call, new.results)
        flatten_control_flow(coroutines, skip_executes=True)
        for function, coroutine in coroutines.items():
            for inner in inside(
                function, ("async.await", "async.await_all", "async.return", "cf.assert")
            ):
                _lower(inner, coroutine)


def _plain_function(op: Operation) -> Operation:
    """The func.func that takes the place of an async.func."""
    new = ods.create(
        "func.func",
        properties=dict(op.properties),
        attributes=dict(op.attributes),
        regions=(take_region(op, 0),),
        location=op.location,
    )
    block = op.parent
    assert block is not None
    block.insert_op_before(new, op)
    op.detach()
    op.erase()
    return new


def _lower(op: Operation, coroutine: Coroutine) -> None:
    if op.name == "async.return":
        coroutine.finish(op)
    elif function_around(op, "async.execute") is not None:
        return
    elif op.name == "cf.assert":
        coroutine.lower_assert(op)
    else:
        coroutine.lower_await(op)
