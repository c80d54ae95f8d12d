# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu-async-region: gpu operations become asynchronous, threaded by tokens.

1. In each block a token runs through all gpu operations that can be asynchronous; before a
   terminator or an operation with side effects the host waits for it. Tokens do not leave blocks.
2. A wait at the end of an async.execute moves to those who await it: the tokens become results.
3. Each such token is given as many results as it has users.

Source: MLIR 22.1 AsyncRegionRewriter.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.context import Context
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.conversion.async_tokens.points import resize_group, token_of
from xgpu.core import ods
from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.ir.errors import op_error
from xgpu.core.ir.op_info import is_terminator
from xgpu.core.passes.base import Pass
from xgpu.dialects import async_
from xgpu.dialects.async_.ops import ValueType
from xgpu.dialects.gpu.attributes import AsyncTokenType
from xgpu.dialects.gpu.ops import is_async_op, walk_postorder

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr


class GpuAsyncRegionPass(Pass):
    """Makes gpu operations asynchronous."""

    name = "gpu-async-region"
    summary = "Make GPU ops async"
    anchor = "func.func"

    def run(self, op: Operation, ctx: Context) -> None:
        for region in op.regions:
            for block in list(_blocks(region)):
                _thread_token(block)
        deferred = _Deferred()
        for execute in _executes(op):
            deferred.collect(execute)
        deferred.rewrite()
        for execute in _executes(op):
            _single_token_use(execute)


def _blocks(region: Region) -> Iterator[Block]:
    """Blocks, inner ones before the one that contains them."""
    for block in region.blocks:
        for op in list(block.ops):
            for inner in op.regions:
                yield from _blocks(inner)
        yield block


def _executes(root: Operation) -> list[async_.ExecuteOp]:
    return [
        cast("async_.ExecuteOp", op)
        for region in root.regions
        for op in walk_postorder(region)
        if op.name == "async.execute"
    ]


def _synchronizes(op: Operation) -> bool:
    return is_terminator(op) or not is_memory_effect_free(op)


def add_dependency(op: Operation, tokens: Sequence[SSAValue]) -> None:
    """Adds dependencies in front of those that `op` has, each once, one after the other."""
    tokens = [token for token in tokens if all(token is not old for old in op.operands)]
    if not tokens:
        return
    op.operands = [*reversed(tokens), *op.operands]
    resize_group(op, 0, len(tokens))


def create_wait(
    before: Operation,
    tokens: Sequence[SSAValue],
    *,
    is_async: bool,
    location: LocationAttr | None = None,
) -> Operation:
    """A gpu.wait before an operation."""
    wait = ods.create(
        "gpu.wait",
        list(tokens),
        [AsyncTokenType()] if is_async else [],
        location=before.location if location is None else location,
    )
    assert before.parent is not None
    before.parent.insert_op_before(wait, before)
    return wait


# --- one token through a block -----------------------------------------------------------------
def _thread_token(block: Block) -> None:
    token: SSAValue | None = None
    for op in list(block.ops):
        if op.name == "gpu.launch":
            raise op_error(op, "replace with gpu.launch_func first")
        if op.name == "gpu.wait":
            if token is not None:
                add_dependency(op, [token])
            token = op.results[0] if op.results else None
        elif is_async_op(op):
            token = _make_async(op, token)
        elif token is not None and _synchronizes(op):
            create_wait(op, [token], is_async=False)
            token = None


def _make_async(op: Operation, token: SSAValue | None) -> SSAValue:
    """Lets `op` depend on `token` (a new one if there is none) and gives its own token."""
    if token is None:
        token = create_wait(op, [], is_async=True).results[0]
    add_dependency(op, [token])
    own = token_of(op)
    if own is not None:
        return own
    new = op.__class__.create(
        operands=list(op.operands),
        result_types=[*(r.type for r in op.results), AsyncTokenType()],
        properties=dict(op.properties),
        attributes=dict(op.attributes),
        successors=list(op.successors),
        regions=[op.detach_region(region) for region in list(op.regions)],
        location=op.location,
    )
    assert op.parent is not None
    op.parent.insert_op_before(new, op)
    for old, result in zip(op.results, new.results, strict=False):
        result.name_hint = old.name_hint
        old.replace_all_uses_with(result)
    op.detach()
    op.erase()
    return new.results[-1]


# --- waits at the end of async.execute ---------------------------------------------------------
def _users(value: SSAValue) -> list[Operation]:
    return [use.operation for use in value.uses]


def _all_users_wait(token: SSAValue) -> bool:
    users = _users(token)
    return bool(users) and all(user.name in ("async.execute", "async.await") for user in users)


def _yield_of(execute: Operation) -> Operation:
    """What ends the body of an async.execute."""
    last = execute.regions[0].blocks[0].last_op
    assert last is not None
    return last


def _add_results(execute: async_.ExecuteOp, values: Sequence[SSAValue]) -> async_.ExecuteOp:
    """`execute` with `values`, of its body, as further results."""
    last = _yield_of(execute)
    last.operands = [*last.operands, *values]
    new = ods.create(
        "async.execute",
        [list(execute.dependencies), list(execute.body_operands)],
        [*(r.type for r in execute.results), *(ValueType(v.type) for v in values)],
        {},
        dict(execute.attributes),
        [execute.detach_region(execute.regions[0])],
        location=execute.location,
    )
    assert execute.parent is not None
    execute.parent.insert_op_before(new, execute)
    for old, result in zip(execute.results, new.results, strict=False):
        result.name_hint = old.name_hint
        old.replace_all_uses_with(result)
    execute.detach()
    execute.erase()
    return cast("async_.ExecuteOp", new)


class _Deferred:
    """Waits that may move from an async.execute to those who await it."""

    def __init__(self) -> None:
        self.worklist: list[Operation] = []

    def collect(self, execute: async_.ExecuteOp) -> None:
        """Takes the wait that ends the body, if only awaits and executes use the token."""
        if not _all_users_wait(execute.results[0]):
            return
        body = execute.regions[0].blocks[0]
        for op in reversed(list(body.ops)[:-1]):
            if op.name == "gpu.wait":
                if not op.results:
                    self.worklist.append(op)
                return
            if not is_memory_effect_free(op):
                return

    def rewrite(self) -> None:
        done = 0
        while done < len(self.worklist):
            wait = self.worklist[done]
            done += 1
            execute = cast("async_.ExecuteOp", wait.parent_op())
            dependencies = list(wait.operands)
            wait.detach()
            wait.erase()
            execute = _add_results(execute, dependencies)
            tokens = list(execute.results)[-len(dependencies) :] if dependencies else []
            for user in _users(execute.results[0]):
                self._depend_after(tokens, user)

    def _depend_after(self, values: Sequence[SSAValue], op: Operation) -> None:
        """Lets the first operation with effects after `op` starts depend on the tokens."""
        if op.name == "async.await":
            last: Operation = op
            tokens: list[SSAValue] = []
            for value in values:
                waiting = ods.create(
                    "async.await", [value], [AsyncTokenType()], location=op.location
                )
                assert last.parent is not None
                last.parent.insert_op_after(waiting, last)
                last = waiting
                tokens.append(waiting.results[0])
            following = last.next_op
        else:
            body = op.regions[0].blocks[0]
            op.operands = [*op.operands, *values]
            resize_group(op, 1, len(values))
            tokens = [
                body.insert_arg(AsyncTokenType(), len(body.args), op.location) for _ in values
            ]
            following = body.first_op
        while following is not None and not _synchronizes(following):
            following = following.next_op
        if following is None:
            return
        if is_async_op(following):
            for token in tokens:
                add_dependency(following, [token])
            return
        wait = create_wait(following, tokens, is_async=False, location=op.location)
        execute = following.parent_op()
        if (
            execute is not None
            and execute.name == "async.execute"
            and _all_users_wait(execute.results[0])
            and is_terminator(following)
        ):
            self.worklist.append(wait)


# --- one result for each user ------------------------------------------------------------------
def _single_token_use(execute: async_.ExecuteOp) -> None:
    positions = [
        i
        for i, result in enumerate(execute.results)
        if i
        and isinstance(result.type, ValueType)
        and isinstance(result.type.value_type, AsyncTokenType)
        and len(_users(result)) > 1
    ]
    for position in positions:
        result = execute.results[position]
        count = len(_users(result)) - 1
        value = _yield_of(execute).operands[position - 1]
        execute = _add_results(execute, [value] * count)
        uses = list(execute.results[position].uses)[1:]
        for use, new in zip(uses, list(execute.results)[-count:], strict=True):
            use.operation.operands[use.index] = new
