# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The points of a program that tokens stand for: one view of them, a class for each kind.

A point is a piece of work, or where tokens come from, meet or end. What a program has is found once
a function (`token_view.py`) and read by all: what is before what (`happens_before.py`,
`graph.py`), how it is said (`text.py`, `overlap.py`), what may go (`gpu_canonicalize_waits.py`),
and the lowering (`units.py`, `streams.py`, `emission.py`). Points never change; what somebody
finds out about them is kept beside them. The lowering adds points that have no operation of their
own: where tokens become events, or leave a loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core.ir.calls import is_function
from xgpu.dialects.gpu.attributes import AsyncTokenType

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr

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
class Meeting(TokenPoint):
    """A token of a call that is used in other blocks: a place on a stream instead."""

    kind: ClassVar[str] = "meet"


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
