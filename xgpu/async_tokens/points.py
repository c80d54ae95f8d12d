# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The points of a function that tokens stand for: what lowering tokens to streams works on.

A point is a piece of work for the device, or a place where tokens meet. A unit is what one thread
of the host executes: a function's body. Its script has all points in an order in which each comes
after those that it needs, with the blocks that they are in.

Kinds of points:

    work    an operation that runs on a stream (`sync`: the host waits for it)
    join    a `gpu.wait async`, or an operation that passes its tokens on: no work
    phi     a token that comes from several places: a block argument, a result of scf.if, ...
    exit    the result of a loop: its phi, once the loop is over
    event   a token that is an event at run time: a function's argument, a call's result
    gather  tokens that must be one event: passed to a call, or returned
    meet    a token of a call that is used in other blocks: a place on a stream instead
    host    the host waits
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.dialects.gpu.attributes import AsyncTokenType
from xgpu.ir.calls import is_function


class Point:
    """See above. `needs` are points, `incoming` of a phi are (place, successor, value)."""

    __slots__ = (
        "before", "block", "clock", "event", "forks", "incoming", "index", "is_covered", "is_local",
        "is_sync", "kind", "needs", "op", "order", "owned", "phi", "sequence", "stream", "users",
        "value", "waits",
    )  # fmt: skip

    def __init__(self, kind: str, op: Operation | None, block: Block, needs: list[Point]) -> None:
        self.kind = kind
        self.op = op
        self.block = block
        self.needs = needs
        self.incoming: list[tuple[Operation, int | None, SSAValue]] = []
        self.is_sync = False
        self.is_covered = kind in ("work", "phi", "meet", "gather")
        #: The phi of an exit.
        self.phi: Point | None = None
        #: Points that the host orders before this one.
        self.order: list[Point] = []
        self.index = -1
        #: How many points need a join.
        self.forks = 0
        #: What the assignment finds.
        self.stream: int | None = None
        self.sequence = 0
        self.clock: Any = None
        self.waits: list[Point] = []
        #: Joins that have their place on the stream right before this point; of a host point
        #: those for whose streams the host waits.
        self.before: list[Point] = []
        #: How many wait for this point's event, and whether all of them are in its block.
        self.users = 0
        self.is_local = True
        #: Gathers that record an event of their own right here.
        self.owned: list[Point] = []
        #: The value that is the event, and the token that this point is.
        self.event: SSAValue | None = None
        self.value: SSAValue | None = None


class Unit:
    """A region that one thread of the host executes, with its points in order.

    `script` has pairs of what and which: ("enter", block), ("leave", block), ("push", operation)
    and ("pop", operation) around the regions of an operation, ("point", point), and
    ("edge", operation) where control goes on, to where phis take their tokens (`edges`).
    """

    __slots__ = ("dominator", "edges", "of", "points", "region", "script")

    def __init__(self, region: Region) -> None:
        self.region = region
        self.points: list[Point] = []
        self.script: list[tuple[str, Any]] = []
        #: Token -> point
        self.of: dict[SSAValue, Point] = {}
        #: Block -> the block whose end every way to it has passed, in the same region
        self.dominator: dict[Block, Block] = {}
        #: Operation -> (phi, successor if there are several, value) for the phis that it leads to
        self.edges: dict[Operation, list[tuple[Point, int | None, SSAValue]]] = {}


def is_gpu_token(value: SSAValue) -> bool:
    return isinstance(value.type, AsyncTokenType)


def touches_tokens(op: Operation) -> bool:
    return any(map(is_gpu_token, op.operands)) or any(map(is_gpu_token, op.results))


def units(root: Operation) -> list[Region]:
    """The bodies of functions in `root`, and of what runs beside them, kernels aside."""
    found: list[Region] = []
    stack = [root]
    while stack:
        op = stack.pop()
        if op.name in ("gpu.module", "gpu.binary"):
            continue
        for region in op.regions:
            if region.first_block is not None and (is_function(op) or op.name == "async.execute"):
                found.append(region)
            for block in region.blocks:
                stack.extend(block.ops)
    return found


def is_inside(block: Block | None, outer: Block) -> bool:
    """Whether `block` is `outer` or in a region of an operation there."""
    while block is not None and block is not outer:
        op = block.parent_op()
        block = op.parent if op is not None else None
    return block is outer


def sources_of(points: Iterable[Point]) -> list[Point]:
    """The points that `points` stand for: joins that have no place of their own are seen through,
    in order, the last first."""
    found: dict[Point, None] = {}
    seen: set[Point] = set()
    stack = list(points)
    while stack:
        point = stack.pop()
        if point in seen:
            continue
        seen.add(point)
        if point.kind == "join" and point.stream is None:
            stack.extend(point.needs)
        else:
            found[point] = None
    return sorted(found, key=lambda p: -p.index)
