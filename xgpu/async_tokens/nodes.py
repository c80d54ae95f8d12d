# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The nodes of a token graph and the edges between them.

Every value that is a token has one node: the operation that makes it, or a "merge" node for a
block argument or the result of an operation with regions. Nodes are numbered in the order of the
program's text, so that what is inside of an operation is a range of numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.dialects.gpu.queries import is_async_op
from xgpu.ir.calls import is_call, is_function
from xgpu.ir.effects import is_memory_effect_free
from xgpu.ir.region_flow import edges, is_region_branch, region_ends

if TYPE_CHECKING:
    from collections.abc import Iterable

    from xdsl.ir import Attribute, Block, Operation, SSAValue

_TOKENS = frozenset(("gpu.async.token", "async.token"))

_BUFFERS = frozenset(("memref", "unranked_memref", "llvm.ptr"))

#: Where code of the device begins: tokens do not go there.
_DEVICE = frozenset(("gpu.launch", "gpu.module", "gpu.binary"))


def is_token(kind: Attribute) -> bool:
    """Whether values of a type stand for work: tokens, and promises of tokens."""
    name = getattr(kind, "name", "")
    if name in _TOKENS:
        return True
    return name == "async.value" and is_token(kind.value_type)  # pyright: ignore


class Node:
    """An operation that does work, joins, waits or calls; or a token that control flow brings.

    `kind` is "work", "join" (gpu.wait async), "host_wait" (gpu.wait, async.await), "call",
    "region" (async.execute), "host" (an access of the host to memory), "merge" (a block argument
    or a result of an operation with regions), "argument" (of the function) or "return". `preds`
    and `succs` are the direct edges, by tokens alone; a node of `carried` is among `preds` because
    an earlier iteration of a loop passes its token on.
    """

    __slots__ = ("block", "carried", "index", "kind", "op", "preds", "succs", "value")

    def __init__(
        self, kind: str, index: int, op: Operation, block: Block | None, value: SSAValue | None
    ) -> None:
        self.kind = kind
        self.index = index
        #: The operation; of a merge the one whose result or region's argument it is, or that
        #: ends the block's parent; of an argument the function.
        self.op = op
        self.block = block
        #: The token of a merge or argument.
        self.value = value
        self.preds: list[Node] = []
        self.succs: list[Node] = []
        self.carried: set[Node] = set()

    @property
    def bit(self) -> int:
        return 1 << self.index

    @property
    def is_async(self) -> bool:
        """Whether the host goes on before the operation is done."""
        if self.kind == "work":
            return any(is_token(r.type) for r in self.op.results)
        return self.kind != "host_wait"

    def __repr__(self) -> str:
        return f"<{self.kind} {self.index}: {self.op.name}>"


def token_operands(op: Operation) -> list[SSAValue]:
    """The operands that are tokens."""
    return [v for v in op.operands if is_token(v.type)]


class FunctionNodes:
    """The nodes of one function: `nodes` in program order; `of_op` and `of_value` find them.

    `span` has for each operation with regions, and for each block, the range of numbers inside.
    `hidden` has for each block the number that stands for what the host had waited for when the
    block began, should it be where the iterations of a loop begin; `parts` has for each call one
    number for each token that it gives.
    """

    def __init__(self, function: Operation) -> None:
        self.function = function
        self.nodes: list[Node] = []
        self.of_op: dict[Operation, Node] = {}
        self.of_value: dict[SSAValue, Node] = {}
        self.span: dict[Operation | Block, tuple[int, int]] = {}
        self.hidden: dict[Block, int] = {}
        self.parts: dict[Node, list[int]] = {}
        self._next = 0
        for region in function.regions:
            self._number_region(region, "argument", function)
        for node in self.nodes:
            self._connect(node)

    # -- numbers

    def _number(self) -> int:
        self._next += 1
        return self._next - 1

    def _add(
        self, kind: str, op: Operation, block: Block | None, value: SSAValue | None = None
    ) -> Node:
        node = Node(kind, self._number(), op, block, value)
        self.nodes.append(node)
        if value is not None:
            self.of_value[value] = node
        return node

    def _number_region(self, region: object, kind: str, op: Operation) -> None:
        blocks: list[Block] = list(region.blocks)  # pyright: ignore[reportAttributeAccessIssue]
        for position, block in enumerate(blocks):
            first = self._next
            # Every block may be the header of a loop: its number for the host's state.
            self.hidden[block] = self._number()
            for argument in block.args:
                if is_token(argument.type):
                    self._add("merge" if position else kind, op, block, argument)
            for inner in block.ops:
                self._number_op(inner, block)
            self.span[block] = (first, self._next)

    def _number_op(self, op: Operation, block: Block) -> None:
        if op.name in _DEVICE and op.name != "gpu.launch":
            return
        kind = _kind_of(op)
        if kind is not None:
            node = self._add(kind, op, block)
            self.of_op[op] = node
            for result in op.results:
                if is_token(result.type):
                    self.of_value[result] = node
                    if kind == "call":
                        self.parts.setdefault(node, []).append(self._number())
        if not op.regions or op.name in _DEVICE or is_function(op):
            return
        first = self._next
        for region in op.regions:
            self._number_region(region, "merge", op)
        for result in op.results:
            if is_token(result.type) and kind is None:
                self._add("merge", op, block, result)
        self.span[op] = (first, self._next)

    # -- edges

    def _connect(self, node: Node) -> None:
        if node.kind == "argument":
            return
        if node.kind != "merge":
            self._join(node, token_operands(node.op))
            if node.kind == "region":
                for end in region_ends(node.op, 0):
                    self._join(node, [v for v in end.operands if is_token(v.type)])
            return
        assert node.value is not None
        for value in self._incoming(node):
            source = self.of_value.get(value)
            if source is None:
                continue
            self._join(node, [value])
            # A value that is defined after what takes it comes from an earlier iteration.
            if source.index >= node.index and node.value not in node.op.results:
                node.carried.add(source)

    def _join(self, node: Node, values: Iterable[SSAValue]) -> None:
        known = set(node.preds)
        for value in values:
            source = self.of_value.get(value)
            if source is None or source in known:
                continue
            known.add(source)
            node.preds.append(source)
            source.succs.append(node)

    def _incoming(self, node: Node) -> list[SSAValue]:
        """The values that a merge may be."""
        value, op, block = node.value, node.op, node.block
        assert value is not None
        assert block is not None
        is_result = value in op.results
        region = None if is_result else block.parent
        if region is not None and region.first_block is not block:
            return [v for v, _ in block_inputs(block, value.index)]  # pyright: ignore
        if op.name == "async.execute" and not is_result:
            return [op.body_operands[value.index]]  # pyright: ignore
        found: list[SSAValue] = []
        if not is_region_branch(op):
            return found
        ends = [op]
        for i in range(len(op.regions)):
            ends += region_ends(op, i)
        for end in ends:
            for flow in edges(op, end):
                for operand, taken in zip(flow.operands, flow.inputs, strict=False):
                    if taken is value:
                        found.append(operand)
        return found


def block_inputs(block: Block, index: int) -> list[tuple[SSAValue, Block]]:
    """What branches pass as the argument `index` of a block, each with the block it is in."""
    from xgpu.ir.branches import successor_operands

    found: list[tuple[SSAValue, Block]] = []
    region = block.parent
    assert region is not None
    for other in region.blocks:
        last = other.last_op
        if last is None:
            continue
        for number, successor in enumerate(last.successors):
            if successor is block:
                operands = successor_operands(last, number)
                if operands is not None and index < len(operands):
                    found.append((operands[index], other))
    return found


def _kind_of(op: Operation) -> str | None:
    name = op.name
    if name == "gpu.wait":
        return "join" if op.results else "host_wait"
    if name in ("async.await", "async.await_all"):
        return "host_wait"
    if name == "async.execute":
        return "region"
    if is_async_op(op):
        return "work"
    if name in ("func.return", "async.return"):
        return "return" if token_operands(op) else None
    if is_call(op):
        return "call"
    return "host" if _touches_memory(op) else None


def _touches_memory(op: Operation) -> bool:
    """Whether code of the host reads or writes what the device may have too."""
    return (
        not op.regions
        and not op.successors
        and any(getattr(v.type, "name", "") in _BUFFERS for v in op.operands)
        and not is_memory_effect_free(op)
    )
