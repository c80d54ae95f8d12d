# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What operations of a loop's body need of that body: the part that has to go along with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from xdsl.ir import BlockArgument, Operation, SSAValue

if TYPE_CHECKING:
    from xdsl.ir import Block

#: Operations by which threads of one block differ; for a clock, by when they read it.
THREAD_IDS = frozenset(
    {"gpu.thread_id", "gpu.global_id", "gpu.lane_id", "gpu.subgroup_id", "nvvm.elect.sync"}
)
_THREAD_ID_PREFIXES = tuple(
    f"nvvm.read.ptx.sreg.{name}"
    for name in ("tid", "laneid", "lanemask", "warpid", "clock", "globaltimer")
)


def top_of(op: Operation | None, body: Block) -> Operation | None:
    """The operation directly in `body` that is or contains `op`; None for what is outside."""
    while op is not None and op.parent is not body:
        op = op.parent_op()
    return op


def operands_inside(op: Operation) -> Iterator[SSAValue]:
    """All values that `op` and what it contains use."""
    for inner in op.walk():
        yield from inner.operands


class Slice:
    """Operations of `body`, in its order, and arguments of its loop, that some need.

    `arguments` are indices of what the loop carries, without the induction variable.
    """

    __slots__ = ("arguments", "ops")

    def __init__(
        self,
        body: Block,
        needing: Iterable[Operation],
        results: Iterable[int] = (),
        given: Iterable[Operation] = (),
    ) -> None:
        """Of `needing`, operations directly in `body`, and of what the loop gives as `results`;
        what `given` operations give is there, and nothing that they need."""
        found = _Closure(body, set(given))
        roots = list(needing)
        for at in results:
            giving = found.needed(body.args[1 + at])
            roots += [] if giving is None else [giving]
        found.close(roots)
        self.arguments = sorted(found.arguments)
        order = {op: at for at, op in enumerate(body.ops)}
        self.ops = sorted(found.ops, key=order.__getitem__)


class _Closure:
    def __init__(self, body: Block, given: set[Operation]) -> None:
        self.body = body
        self.given = given
        self.ops: set[Operation] = set()
        self.arguments: set[int] = set()
        last = body.last_op
        self.yielded = [] if last is None else list(last.operands)

    def close(self, pending: list[Operation]) -> None:
        while pending:
            op = pending.pop()
            if op in self.ops:
                continue
            self.ops.add(op)
            for value in operands_inside(op):
                found = self.needed(value)
                if found is not None:
                    pending.append(found)

    def needed(self, value: SSAValue) -> Operation | None:
        """The operation of the body that `value` needs, through what the loop carries."""
        while isinstance(value, BlockArgument) and value.block is self.body:
            at = value.index - 1
            if at < 0 or at in self.arguments:
                return None
            self.arguments.add(at)
            value = self.yielded[at]
        owner = value.owner
        found = top_of(owner, self.body) if isinstance(owner, Operation) else None
        return None if found in self.given else found


def depends_on_thread(value: SSAValue) -> Operation | None:
    """An operation by which `value` may differ between the threads of a block, or None."""
    pending, seen = [value], {value}
    while pending:
        current = pending.pop()
        owner = current.owner
        if not isinstance(owner, Operation):
            parent = owner.parent_op()
            if parent is not None and parent.name == "gpu.launch" and _is_thread_argument(current):
                return parent
            continue
        if owner.name in THREAD_IDS or owner.name.startswith(_THREAD_ID_PREFIXES):
            return owner
        for operand in operands_inside(owner):
            if operand not in seen:
                seen.add(operand)
                pending.append(operand)
    return None


def _is_thread_argument(value: SSAValue) -> bool:
    """Arguments of a gpu.launch: three block numbers, three thread numbers, and the sizes."""
    return isinstance(value, BlockArgument) and value.index in (3, 4, 5)
