# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The points of a program that tokens stand for: one view of them, a class for each kind; the
tokens that operations take and give; sets of points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core.ir.calls import is_function
from xgpu.core.ir.region_flow import segment_sizes
from xgpu.dialects import gpu
from xgpu.dialects.gpu.attributes import AsyncTokenType

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr


# --- points --------------------------------------------------------------------------------------
# The points of a program that tokens stand for: one view of them, a class for each kind.
#
# A point is a piece of work, or where tokens come from, meet or end. What a program has is found
# once a function (`tokens.py`) and read by all: what is before what (`happens_before.py`,
# `graph.py`), how it is said (`text.py`, `overlap.py`), what may go (`gpu_canonicalize_waits.py`),
# and the lowering (`units.py`, `streams.py`, `emission.py`). Points never change; what a step
# finds out about them is kept beside them. The lowering adds points that have no operation of
# their own: where tokens become events, or leave a loop.


_TOKENS = frozenset(("gpu.async.token", "async.token"))


@dataclass(frozen=True, eq=False, slots=True)
class Point:
    """A point of the operation `op`, in `block`; `index` numbers what a view has, in the order of
    the program's text. `kind` is for messages."""

    kind: ClassVar[str]
    index: int
    op: Operation
    block: Block

    @property
    def bit(self) -> int:
        """The point as a set."""
        return 1 << self.index

    @property
    def is_async(self) -> bool:
        """Whether the host goes on before the point is over."""
        return True

    @property
    def location(self) -> LocationAttr | None:
        """Where the program says what the point is."""
        return self.op.location

    def __repr__(self) -> str:
        return f"<{self.kind} {self.index}: {self.op.name}>"


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Work(Point):
    """An operation that the device executes, on a stream. The host waits for it if there is no
    token."""

    kind: ClassVar[str] = "work"
    token: SSAValue | None

    @property
    def is_async(self) -> bool:
        return self.token is not None


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class ForeignLaunch(Work):
    """A launch on a stream of the program's own, of which nothing is known."""


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Join(Point):
    """`gpu.wait async`, or an operation that passes its tokens on: no work."""

    kind: ClassVar[str] = "join"


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class HostWait(Point):
    """The host waits for tokens: `gpu.wait`, `async.await`."""

    kind: ClassVar[str] = "host_wait"

    @property
    def is_async(self) -> bool:
        return False


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Call(Point):
    """A call of a function."""

    kind: ClassVar[str] = "call"


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class AsyncRegion(Point):
    """`async.execute`: another thread of the host."""

    kind: ClassVar[str] = "region"


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class HostAccess(Point):
    """Code of the host that reads or writes what the device may have too."""

    kind: ClassVar[str] = "host"


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Return(Point):
    """A function's end that gives tokens."""

    kind: ClassVar[str] = "return"


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class TokenPoint(Point):
    """A point that is a token: `value`."""

    value: SSAValue

    @property
    def location(self) -> LocationAttr | None:
        return None


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Argument(TokenPoint):
    """An argument of the function `op`."""

    kind: ClassVar[str] = "argument"


@dataclass(frozen=True, slots=True)
class Incoming:
    """One way to a merge: `value` comes from the operation `at`, along its successor of that number
    if it has several. No value: how `at` passes it cannot be followed."""

    at: Operation
    successor: int | None
    value: SSAValue | None


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Merge(TokenPoint):
    """A token that control flow brings: a block's argument, or an argument or result of the regions
    of `op`."""

    kind: ClassVar[str] = "merge"
    incoming: tuple[Incoming, ...]

    @property
    def is_result(self) -> bool:
        """Whether it is a result of `op`, rather than an argument of a block."""
        return self.value in self.op.results


# --- the lowering's own --------------------------------------------------------------------------
@dataclass(frozen=True, eq=False, slots=True, repr=False)
class LoopExit(TokenPoint):
    """The result of a loop: its merge, once the loop is over."""

    kind: ClassVar[str] = "exit"
    merge: Merge


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class CallToken(TokenPoint):
    """A token that a call gives: an event at run time."""

    kind: ClassVar[str] = "event"


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class StreamToken(TokenPoint):
    """A token of a call that is used in other blocks: a place on a stream instead."""

    kind: ClassVar[str] = "stream"


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Passed(TokenPoint):
    """A token that must be one event: it is passed to the call `op`, or returned by it."""

    kind: ClassVar[str] = "gather"


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Outside(TokenPoint):
    """A token of another thread of the host, which has waited for it."""

    kind: ClassVar[str] = "outside"


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Graph(Point):
    """Work that is launched as one graph: `op` is the last of it. `needs` has for each member
    those of the others that it comes behind."""

    kind: ClassVar[str] = "graph"
    members: tuple[Work, ...]
    needs: Mapping[Point, tuple[Point, ...]]


# --- tokens --------------------------------------------------------------------------------------
def is_token(kind: Attribute) -> bool:
    """Whether values of a type stand for work: tokens, and promises of tokens."""
    name: str = getattr(kind, "name", "")
    if name == "async.value":
        return is_token(cast("Attribute", getattr(kind, "value_type")))  # noqa: B009 - of any dialect
    return name in _TOKENS


def is_gpu_token(value: SSAValue) -> bool:
    return isinstance(value.type, AsyncTokenType)


def touches_tokens(op: Operation) -> bool:
    return any(map(is_gpu_token, op.operands)) or any(map(is_gpu_token, op.results))


def token_operands(op: Operation) -> list[SSAValue]:
    """The operands that are tokens."""
    return [v for v in op.operands if is_token(v.type)]


# --- where they are ------------------------------------------------------------------------------
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


# --- dependencies --------------------------------------------------------------------------------
# The tokens that operations of the gpu dialect take and give: read and changed in one way.


def dependencies_of(op: Operation) -> Sequence[SSAValue]:
    """The tokens that an asynchronous operation waits for; all of them take such as a wait does."""
    return cast("gpu.WaitOp", op).async_dependencies


def token_of(op: Operation) -> SSAValue | None:
    """The token that an asynchronous operation gives."""
    return cast("gpu.WaitOp", op).async_token


def resize_group(op: Operation, index: int, change: int) -> None:
    """Says that a group of operands has grown by `change`, where the operation lists sizes."""
    if "operandSegmentSizes" in op.properties:
        sizes = segment_sizes(op)
        sizes[index] += change
        op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)


def set_dependencies(op: Operation, tokens: Sequence[SSAValue]) -> None:
    """Replaces the tokens that an operation of the gpu dialect depends on."""
    count = len(dependencies_of(op))
    op.operands = [*tokens, *tuple(op.operands)[count:]]
    resize_group(op, 0, len(tokens) - count)


# --- point sets ----------------------------------------------------------------------------------
# Sets of a function's points, as the bits of integers, where ways meet and loops are left.


class Exit(NamedTuple):
    """Control that leaves: what the host has waited for, what the values imply, what has run."""

    done: int
    values: Sequence[int]
    reached: int


class Loop:
    """A loop: the range of its numbers, the bits that iterations pass on, and what those carry."""

    __slots__ = ("carries", "left", "mask", "members")

    def __init__(self, mask: int) -> None:
        self.mask = mask
        #: What the last iteration may have run, whichever way it left.
        self.left = 0
        self.members: list[int] = []
        self.carries: list[int] = []

    def earlier(self, bits: int) -> int:
        """What of all earlier iterations is done when `bits` are."""
        found = 0
        for member, carried in zip(self.members, self.carries, strict=True):
            if bits & member:
                found |= carried
        return found

    def outside(self, bits: int, reached: int) -> int:
        """`bits` after the loop; the last iteration ran what `reached` has."""
        inside = (bits | (self.mask & ~reached)) & self.earlier(bits) & self.mask
        return (bits & ~self.mask) | inside


def meet(exits: Sequence[Exit], count: int) -> Exit:
    """What holds whichever way control came."""
    if not exits:
        return Exit(0, [0] * count, 0)
    if len(exits) == 1:
        return exits[0]
    reached = 0
    for way in exits:
        reached |= way.reached
    done, values = -1, [-1] * count
    for way in exits:
        absent = reached & ~way.reached
        done &= way.done | absent
        for i in range(count):
            values[i] &= way.values[i] | absent
    return Exit(done, values, reached)


def mask_of(span: tuple[int, int]) -> int:
    """The bits of a range of numbers."""
    first, end = span
    return (1 << end) - (1 << first)


def leave(loop: Loop, way: Exit, reached: int) -> Exit:
    """A way out of a loop, seen from outside; `reached` is what may have run by then."""
    return Exit(
        loop.outside(way.done, way.reached),
        [loop.outside(v, way.reached) for v in way.values],
        reached,
    )
