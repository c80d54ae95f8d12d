# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The view of one function's tokens: its points, and where each token comes from.

Every operation that takes or gives tokens is a point, and every value that is a token has one: the
operation that makes it, or a merge for a block's argument or the result of an operation with
regions. Points are numbered in the order of the program's text, so that what is inside of an
operation is a range of numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard, cast

from xdsl.ir import Block, BlockArgument

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
    is_token,
    token_operands,
)
from xgpu.core.ir.branches import successor_operands
from xgpu.core.ir.calls import is_call, is_function
from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.ir.region_flow import edges, is_region_branch, region_ends
from xgpu.dialects.gpu.ops import is_async_op

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Operation, Region, SSAValue

    from xgpu.dialects import async_

_BUFFERS = frozenset(("memref", "unranked_memref", "llvm.ptr"))

#: Where code of the device begins: tokens do not go there.
_DEVICE = frozenset(("gpu.launch", "gpu.module", "gpu.binary"))


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
        if op.name in _DEVICE and op.name != "gpu.launch":
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
