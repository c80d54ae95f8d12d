# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What MLIR's verifiers of async operations check beyond the tables.

Source: MLIR 22.1 Async.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Attribute

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import op_error
from xgpu.dialects.async_.attributes import ValueType
from xgpu.dialects.func.verify import verify_call
from xgpu.dialects.functions import verify_function
from xgpu.dialects.region_branches import back, into, verify_edges, yields

if TYPE_CHECKING:
    from xdsl.dialects.builtin import FunctionType
    from xdsl.ir import Operation

    from xgpu.dialects import async_


def _content(ty: Attribute) -> Attribute:
    return ty.value_type if isinstance(ty, ValueType) else ty


def _compatible(left: Attribute, right: Attribute) -> bool:
    return _content(left) == _content(right)


def verify_execute(op: async_.ExecuteOp) -> None:

    block = op.regions[0].block
    edges = [into(op, 0, list(op.body_operands), list(block.args))]
    edges += [back(y, list(y.operands), list(op.results[1:])) for y in yields(op, 0, "async.yield")]
    verify_edges(op, edges, _compatible)


def verify_await(op: Operation) -> None:
    ty = op.operands[0].type
    if isinstance(ty, ValueType):
        if len(op.results) != 1 or op.results[0].type != ty.value_type:
            if not op.results:
                raise op_error(op, f"awaiting on '{shown(ty)}' must have a result")
            raise op_error(
                op,
                f"result type '{shown(op.results[0].type)}' does not match async value type "
                f"'{shown(ty.value_type)}'",
            )
    elif op.results:
        raise op_error(op, "awaiting on a token must have empty result")


def verify_func(op: async_.FuncOp) -> None:
    verify_function(op)
    results = op.properties["function_type"].outputs.data
    if not results:
        raise op_error(op, "result is expected to be at least of size 1, but got 0")
    for i, ty in enumerate(results):
        if ty.name not in ("async.token", "async.value"):
            raise op_error(
                op,
                f"result type must be async value type or async token type, but got '{shown(ty)}'",
            )
        if ty.name == "async.token" and i != 0:
            raise op_error(
                op,
                " results' (optional) async token type is expected to appear as the 1st return "
                f"value, but got {i + 1}",
            )


def verify_return(op: Operation) -> None:
    function = op.parent_op()
    if function is None or function.name != "async.func":
        return
    results = list(cast("FunctionType", function.properties["function_type"]).outputs.data)
    if results and results[0].name == "async.token":
        results = results[1:]
    if [operand.type for operand in op.operands] != [_content(ty) for ty in results]:
        raise op_error(op, "operand types do not match the types returned from the parent FuncOp")


VERIFY = {
    "async.execute": verify_execute,
    "async.call": lambda op: verify_call(op, "async.func", "async function"),
    "async.await": verify_await,
    "async.func": verify_func,
    "async.return": verify_return,
}
