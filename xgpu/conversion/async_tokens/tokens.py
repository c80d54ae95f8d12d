# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tokens of one function: its points and where each token comes from, and taking tokens out of what
carries them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeGuard, cast

from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from xgpu.conversion.async_tokens.points import (
    Argument,
    AsyncRegion,
    Call,
    ForeignLaunch,
    HostAccess,
    HostWait,
    Incoming,
    Join,
    Merge,
    Point,
    Return,
    Work,
    dependencies_of,
    is_gpu_token,
    is_token,
    resize_group,
    token_operands,
)
from xgpu.core.ir.calls import is_call, is_function, is_return
from xgpu.core.ir.construction import replace_all_uses, set_type
from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.ir.errors import op_error
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.region_flow import (
    EDGES,
    edges,
    is_region_branch,
    predecessor_edges,
    region_ends,
    set_successor_operands,
    successor_operands,
)
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects import async_
from xgpu.dialects.async_.ops import ValueType
from xgpu.dialects.gpu.attributes import AsyncTokenType
from xgpu.dialects.gpu.ops import is_async_op
from xgpu.dialects.mgpu.ops import EventType

# --- token view ----------------------------------------------------------------------------------
# The view of one function's tokens: its points, and where each token comes from.
#
# Every operation that takes or gives tokens is a point, and every value that is a token has one:
# the operation that makes it, or a merge for a block's argument or the result of an operation with
# regions. Points are numbered in the order of the program's text, so that what is inside of an
# operation is a range of numbers.


_BUFFERS = frozenset(("memref", "unranked_memref", "llvm.ptr"))

#: Where code of the device begins: tokens do not go there.
_DEVICE = frozenset(("gpu.launch", "gpu.module", "gpu.binary", "mgpu.communicate"))
#: Those that are work themselves.
_WORK = frozenset(("gpu.launch", "mgpu.communicate"))


class TokenView:
    """The points of one function in program order; `of_op` and `of_value` find them.

    `span` has for each operation with regions, and for each block, the range of numbers inside.
    `hidden` has for each block the number that stands for what the host had waited for when the
    block began, should it be where the iterations of a loop begin; `parts` has for each call one
    number for each token that it gives. Without `host_accesses` code of the host that touches
    memory is no point.
    """

    __slots__ = (
        "_host_accesses", "_inputs", "_next", "function", "hidden", "of_op", "of_value", "parts",
        "points", "span",
    )  # fmt: skip

    def __init__(self, function: Operation, *, host_accesses: bool = True) -> None:
        self.function = function
        self.points: list[Point] = []
        self.of_op: dict[Operation, Point] = {}
        self.of_value: dict[SSAValue, Point] = {}
        self.span: dict[Operation | Block, tuple[int, int]] = {}
        self.hidden: dict[Block, int] = {}
        self.parts: dict[Point, list[int]] = {}
        self._host_accesses = host_accesses
        self._inputs: dict[Operation, dict[SSAValue, list[Incoming]]] = {}
        self._next = 0
        for region in function.regions:
            self._region(region, function, is_outermost=True)

    def inputs(self, op: Operation) -> dict[SSAValue, list[Incoming]]:
        """For each token that `op` gives to its regions or as a result: where it comes from."""
        found = self._inputs.get(op)
        if found is None:
            found = self._inputs[op] = _region_inputs(op)
        return found

    # -- numbers

    def _number(self) -> int:
        self._next += 1
        return self._next - 1

    def _region(self, region: Region, op: Operation, *, is_outermost: bool = False) -> None:
        for position, block in enumerate(region.blocks):
            first = self._next
            # Every block may be the header of a loop: its number for the host's state.
            self.hidden[block] = self._number()
            for argument in block.args:
                if not is_token(argument.type):
                    continue
                number = self._number()
                if is_outermost and not position:
                    self._token(Argument(number, op, block, argument))
                    continue
                incoming = (
                    _block_inputs(block, argument.index)
                    if position
                    else self.inputs(op).get(argument, ())
                )
                self._token(Merge(number, op, block, argument, tuple(incoming)))
            for inner in block.ops:
                self._operation(inner, block)
            self.span[block] = (first, self._next)

    def _token(self, point: Argument | Merge) -> None:
        self.points.append(point)
        self.of_value[point.value] = point

    def _operation(self, op: Operation, block: Block) -> None:
        if op.name in _DEVICE and op.name not in _WORK:
            return
        point = self._classified(op, block)
        if point is not None:
            self.points.append(point)
            self.of_op[op] = point
            for result in op.results:
                if is_token(result.type):
                    self.of_value[result] = point
                    if isinstance(point, Call):
                        self.parts.setdefault(point, []).append(self._number())
        if not op.regions or op.name in _DEVICE or is_function(op):
            return
        first = self._next
        for region in op.regions:
            self._region(region, op)
        for result in op.results:
            if is_token(result.type) and point is None:
                incoming = tuple(self.inputs(op).get(result, ()))
                self._token(Merge(self._number(), op, block, result, incoming))
        self.span[op] = (first, self._next)

    # -- kinds

    def _classified(self, op: Operation, block: Block) -> Point | None:
        """The point that an operation is, with the next number; None if it is none."""
        name = op.name
        if name == "gpu.wait":
            kind = Join if op.results else HostWait
        elif name in ("async.await", "async.await_all"):
            kind = HostWait
        elif name == "async.execute":
            kind = AsyncRegion
        elif is_async_op(op):
            return self._work(op, block)
        elif name in ("func.return", "async.return"):
            if not token_operands(op):
                return None
            kind = Return
        elif is_call(op):
            kind = Call
        elif self._host_accesses and _touches_memory(op):
            kind = HostAccess
        else:
            return None
        return kind(self._number(), op, block)

    def _work(self, op: Operation, block: Block) -> Work:
        token = next((r for r in op.results if is_token(r.type)), None)
        is_foreign = op.name == "gpu.launch_func" and getattr(op, "async_object", None) is not None
        return (ForeignLaunch if is_foreign else Work)(self._number(), op, block, token)


def _touches_memory(op: Operation) -> bool:
    """Whether code of the host reads or writes what the device may have too."""
    return (
        not op.regions
        and not op.successors
        and any(v.type.name in _BUFFERS for v in op.operands)
        and not is_memory_effect_free(op)
    )


def _region_inputs(op: Operation) -> dict[SSAValue, list[Incoming]]:
    found: dict[SSAValue, list[Incoming]] = {}
    if op.name == "async.execute":
        taken = cast("async_.ExecuteOp", op).body_operands
        for value, argument in zip(taken, op.regions[0].blocks[0].args, strict=False):
            found[argument] = [Incoming(op, None, value)]
        return found
    if not is_region_branch(op):
        return found
    ends = [op]
    for index, region in enumerate(op.regions):
        if region.first_block is not None:
            ends += region_ends(op, index)
    for end in ends:
        for flow in edges(op, end):
            for value, target in zip(flow.operands, flow.inputs, strict=False):
                if is_token(target.type):
                    found.setdefault(target, []).append(Incoming(end, None, value))
    return found


def _block_inputs(block: Block, index: int) -> list[Incoming]:
    """What branches pass as the argument `index` of a block."""
    found: list[Incoming] = []
    region = block.parent
    assert region is not None
    for other in region.blocks:
        last = other.last_op
        if last is None:
            continue
        is_many = len(last.successors) > 1
        for number, successor in enumerate(last.successors):
            if successor is block:
                value = _passed(successor_operands(last, number), index)
                found.append(Incoming(last, number if is_many else None, value))
    return found


def _passed(operands: Sequence[SSAValue] | None, index: int) -> SSAValue | None:
    return operands[index] if operands is not None and index < len(operands) else None


class TokenEdges:
    """The direct edges between the points of a view, by tokens alone.

    A point of `carried[p]` is among `before[p]` because an earlier iteration of a loop passes its
    token on.
    """

    __slots__ = ("after", "before", "carried")

    def __init__(self, view: TokenView) -> None:
        self.before: dict[Point, list[Point]] = {}
        self.after: dict[Point, list[Point]] = {point: [] for point in view.points}
        self.carried: dict[Point, set[Point]] = {}
        for point in view.points:
            if isinstance(point, Merge):
                self._merge(view, point)
            elif isinstance(point, Argument):
                self.before[point] = []
            else:
                values = token_operands(point.op)
                if isinstance(point, AsyncRegion):
                    for end in region_ends(point.op, 0):
                        values += token_operands(end)
                self._join(point, [source for v in values if (source := view.of_value.get(v))])

    def _merge(self, view: TokenView, point: Merge) -> None:
        values = [way.value for way in point.incoming if way.value is not None]
        sources = [source for v in values if (source := view.of_value.get(v))]
        self._join(point, sources)
        # A value that is defined after what takes it comes from an earlier iteration.
        if not point.is_result:
            self.carried[point] = {s for s in sources if s.index >= point.index}

    def _join(self, point: Point, sources: list[Point]) -> None:
        before = self.before[point] = list(dict.fromkeys(sources))
        for source in before:
            self.after[source].append(point)


def is_passed_argument(value: SSAValue) -> TypeGuard[BlockArgument]:
    """Whether a merge's token is an argument that branches pass, rather than one of a region."""
    if not isinstance(value, BlockArgument):
        return False
    region = value.owner.parent
    return region is not None and region.first_block is not value.owner


# --- tokens --------------------------------------------------------------------------------------
# Takes tokens out of what carries them, once streams and events say what they said.
#
# Control flow loses them; arguments and results of functions become events.


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
    """Takes tokens out of the control flow in `region`; their users are gone."""
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
