# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes tokens out of what carries them, once streams and events say what they said.

Control flow loses them; arguments and results of functions become events.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.conversion.async_tokens.dependencies import dependencies_of, resize_group
from xgpu.conversion.async_tokens.points import is_gpu_token
from xgpu.core.ir.branches import predecessor_edges, set_successor_operands, successor_operands
from xgpu.core.ir.calls import is_function
from xgpu.core.ir.construction import replace_all_uses, set_type
from xgpu.core.ir.errors import op_error
from xgpu.core.ir.region_flow import EDGES
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.async_.ops import ValueType
from xgpu.dialects.gpu.attributes import AsyncTokenType
from xgpu.dialects.mgpu.ops import EventType


def with_token(op: Operation, token: SSAValue, rw: Rewriter) -> Operation:
    """The same asynchronous operation with one dependency and a token as its last result."""
    count = len(dependencies_of(op))
    types = [r.type for r in op.results if not is_gpu_token(r)]
    new = op.__class__.create(
        operands=[token, *tuple(op.operands)[count:]],
        result_types=[*types, AsyncTokenType()],
        properties=dict(op.properties),
        attributes=op.attributes,
        location=op.location,
    )
    resize_group(new, 0, 1 - count)
    return rw.insert(new)


def drop_tokens(region: Region) -> None:
    """Takes tokens out of the control flow in `region`; whoever used them is gone."""
    for op in list(_operations(region)):
        if any(map(is_gpu_token, op.operands)) and (op.name in EDGES or _ends_region(op)):
            _filter_operands(op)
    for block in list(_blocks(region)):
        if any(map(is_gpu_token, block.args)) and block is not region.blocks[0]:
            _filter_branches(block)
    for block in list(_blocks(region)):
        if block is region.blocks[0]:
            continue
        for arg in reversed(block.args):
            if is_gpu_token(arg):
                block.erase_arg(arg)
    for op in list(_operations(region)):
        if op.name in EDGES and any(map(is_gpu_token, op.results)):
            _keep_results(op, [r for r in op.results if not is_gpu_token(r)])
    for op in list(_operations(region)):
        if op.name == "async.execute" and any(map(_is_promise, op.results)):
            _drop_promises(op)


def _is_promise(value: SSAValue) -> bool:
    """Whether `value` is a token that another thread of the host will give."""
    ty = value.type
    return isinstance(ty, ValueType) and isinstance(ty.value_type, AsyncTokenType)


def _drop_promises(op: Operation) -> None:
    """The work behind tokens that `op` gives is over when `op` is: who awaits them awaits it."""
    promises = [r for r in op.results if _is_promise(r)]
    for promise in promises:
        for use in list(promise.uses):
            user = use.operation
            if user.name != "async.await":
                raise op_error(user, "takes a promised token, which can only be awaited")
            rw = Rewriter(user)
            rw.create("async.await", [op.results[0]])
            rw.erase(user)
    last = op.regions[0].blocks[0].last_op
    assert last is not None
    last.operands = [v for v in last.operands if not is_gpu_token(v)]
    _keep_results(op, [r for r in op.results if r not in promises])


def _operations(region: Region) -> Iterator[Operation]:
    for block in region.blocks:
        for op in block.ops:
            yield from op.walk()


def _blocks(region: Region) -> Iterator[Block]:
    for block in region.blocks:
        yield block
        for op in block.ops:
            for inner in op.regions:
                yield from _blocks(inner)


def _ends_region(op: Operation) -> bool:
    return op.next_op is None and not op.successors and not _is_return(op)


def _is_return(op: Operation) -> bool:
    from xgpu.core.ir.calls import is_return

    return is_return(op)


def _filter_operands(op: Operation) -> None:
    kept = [v for v in op.operands if not is_gpu_token(v)]
    dropped = len(op.operands) - len(kept)
    op.operands = kept
    # The values that are carried are the last group.
    resize_group(op, -1, -dropped)


def _filter_branches(block: Block) -> None:
    kept = [i for i, arg in enumerate(block.args) if not is_gpu_token(arg)]
    for op, successor in predecessor_edges(block):
        values = successor_operands(op, successor)
        assert values is not None
        set_successor_operands(op, successor, [values[i] for i in kept])


def _keep_results(op: Operation, kept: Sequence[SSAValue]) -> None:
    """Puts the same operation in the place of `op`, with no other results than `kept`."""
    new = op.__class__.create(
        operands=tuple(op.operands),
        result_types=[r.type for r in kept],
        properties=op.properties,
        attributes=op.attributes,
        regions=[op.detach_region(r) for r in list(op.regions)],
        location=op.location,
    )
    rw = Rewriter(op)
    rw.insert(new)
    for old, value in zip(kept, new.results, strict=True):
        value.name_hint = old.name_hint
        replace_all_uses(old, value)
    rw.erase(op)


# --- functions ---------------------------------------------------------------------------------
def retype_signatures(root: Operation) -> None:
    """Makes events of the tokens that functions take and give, and of those of calls."""
    for op in root.walk():
        if is_function(op):
            _retype_function(op)
        for result in op.results:
            if is_gpu_token(result) and "CallOpInterface" in _traits(op):
                _retype(result)


def _traits(op: Operation) -> frozenset[str]:
    from xgpu.core.ir.op_info import traits_of

    return traits_of(op.name)


def _retype_function(op: Operation) -> None:
    ty = op.properties.get("function_type")
    if not isinstance(ty, FunctionType):
        return
    types = (*ty.inputs.data, *ty.outputs.data)
    if not any(isinstance(t, AsyncTokenType) for t in types):
        return
    parent = op.parent_op()
    if parent is not None and parent.name == "gpu.module":
        raise op_error(op, "is a kernel's function and cannot take tokens")
    op.properties["function_type"] = FunctionType.from_lists(
        [_event_for(t) for t in ty.inputs.data], [_event_for(t) for t in ty.outputs.data]
    )
    first = op.regions[0].first_block if op.regions else None
    for arg in first.args if first is not None else ():
        if is_gpu_token(arg):
            _retype(arg)


def _event_for(ty: Attribute) -> Attribute:
    return EventType() if isinstance(ty, AsyncTokenType) else ty


def _retype(value: SSAValue) -> None:
    set_type(value, EventType())
