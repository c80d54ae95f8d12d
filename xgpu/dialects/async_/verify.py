# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What MLIR's verifiers of async operations check beyond the tables. Source: MLIR 22.1 Async.cpp."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Attribute

from xgpu.dialects.async_.attributes import ValueType
from xgpu.errors import op_error


def _content(ty: Attribute) -> Attribute:
    return ty.value_type if isinstance(ty, ValueType) else ty


def verify_execute(op: Any) -> None:
    block = op.regions[0].blocks.first
    arguments = [argument.type for argument in block.args]
    if arguments != [_content(operand.type) for operand in op.body_operands]:
        raise op_error(op, "async body region argument types do not match the execute operation arguments types")
    last = block.last_op
    if last is not None and last.name == "async.yield":
        verify_yield(last)


def verify_yield(op: Any) -> None:
    execute = op.parent_op()
    if execute is None or execute.name != "async.execute":
        return
    wanted = [_content(result.type) for result in execute.results[1:]]
    if [operand.type for operand in op.operands] != wanted:
        raise op_error(
            op, "operand types do not match the types returned from the parent ExecuteOp"
        )


def verify_await(op: Any) -> None:
    ty = op.operands[0].type
    if isinstance(ty, ValueType):
        if len(op.results) != 1 or op.results[0].type != ty.value_type:
            found = op.results[0].type if op.results else None
            raise op_error(
                op, f"result type '{found}' does not match async value type '{ty.value_type}'"
            )
    elif op.results:
        raise op_error(op, "awaiting on a token must not have a result")


def verify_func(op: Any) -> None:
    results = op.properties["function_type"].outputs.data
    if not results:
        raise op_error(op, "result is expected to be at least of size 1, but got 0")
    for i, ty in enumerate(results):
        if ty.name not in ("async.token", "async.value"):
            raise op_error(
                op, f"result type must be async value type or async token type, but got '{ty}'"
            )
        if ty.name == "async.token" and i != 0:
            raise op_error(
                op,
                " results' (optional) async token type is expected to appear as the 1st return "
                f"value, but got {i + 1}",
            )


def verify_return(op: Any) -> None:
    function = op.parent_op()
    if function is None or function.name != "async.func":
        return
    results = list(function.properties["function_type"].outputs.data)
    if results and results[0].name == "async.token":
        results = results[1:]
    if [operand.type for operand in op.operands] != [_content(ty) for ty in results]:
        raise op_error(
            op, "operand types do not match the types returned from the parent FuncOp"
        )


VERIFY = {
    "async.execute": verify_execute,
    "async.yield": verify_yield,
    "async.await": verify_await,
    "async.func": verify_func,
    "async.return": verify_return,
}
