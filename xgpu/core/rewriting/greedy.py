# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The greedy driver: folds and rewrites until nothing changes.

MLIR's order, so that the same input becomes the same output. In each round:

1. Constants that exist are made unique in the outermost region that they may stand in, and move
   to its start; all other operations go on the worklist, outer before inner.
2. Each operation from the worklist is erased if dead, else folded, else offered to the patterns.
   What a change may affect goes back on the worklist: users of replaced values, operands that lost
   users, new and modified operations.
3. Unreachable blocks, and operations and block arguments that nothing needs, go.

Patterns are functions `(op, rw) -> bool` in a table by operation name; they change IR only through
the `GreedyRewriter` that they get, so that the worklist learns of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Never, cast

from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xgpu.core.ir.blocks import location_of
from xgpu.core.ir.constants import constant_value, is_constant_op
from xgpu.core.ir.construction import (
    next_use,
    operands_of,
    operations_of,
    replace_all_uses,
    using_operation,
)
from xgpu.core.ir.effects import is_trivially_dead
from xgpu.core.ir.op_info import traits_of
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.folding import fold, materialize
from xgpu.core.rewriting.region_simplify import erase_unreachable_blocks, simplify_region

# -- the worklist


class Worklist:
    """A stack of operations, each in it at most once."""

    __slots__ = ("index", "stack")

    def __init__(self) -> None:
        self.stack: list[Operation | None] = []
        #: Where each operation is in the stack, by `id`: what is in the stack stays alive.
        self.index: dict[int, int] = {}

    def push(self, op: Operation) -> None:
        key = id(op)
        if key not in self.index:
            self.index[key] = len(self.stack)
            self.stack.append(op)

    #: For an operation that was created just now.
    push_new = push

    def pop(self) -> Operation | None:
        """The operation pushed last, or None if there is none."""
        stack = self.stack
        while stack:
            op = stack.pop()
            if op is not None:
                del self.index[id(op)]
                return op
        return None

    def remove(self, op: Operation) -> None:
        at = self.index.pop(id(op), None)
        if at is not None:
            self.stack[at] = None

    def reverse(self) -> None:
        self.stack.reverse()
        self.index = {id(op): i for i, op in enumerate(self.stack) if op is not None}


class StrictWorklist(Worklist):
    """A worklist of some operations and of new ones only: MLIR's ExistingAndNewOps."""

    __slots__ = ("allowed",)

    def __init__(self, allowed: Iterable[Operation]) -> None:
        super().__init__()
        self.allowed = set(allowed)

    def push(self, op: Operation) -> None:
        if op in self.allowed:
            super().push(op)

    def push_new(self, op: Operation) -> None:
        self.allowed.add(op)
        super().push(op)

    def remove(self, op: Operation) -> None:
        self.allowed.discard(op)
        super().remove(op)


#: It takes operations of the name that it stands under in a table: of its own class, and no others.
Pattern = Callable[[Never, "GreedyRewriter"], bool]
Patterns = Mapping[str, Sequence[Pattern]]


class GreedyRewriter(Rewriter):
    """A rewriter that keeps the worklist up to date."""

    __slots__ = ("changed", "worklist")

    def __init__(self, worklist: Worklist) -> None:
        super().__init__()
        self.worklist = worklist
        self.changed = False

    def at(self, op: Operation) -> None:
        """Insert before `op` from here on, with its location."""
        self.anchor, self.block, self.location = op, op.parent, op.location

    # --- what the driver learns -------------------------------------------------------------
    def inserted(self, op: Operation) -> None:
        self.changed = True
        if not op.regions:
            self.worklist.push_new(op)
            return
        for inner in op.walk():
            self.worklist.push_new(inner)

    def modified(self, op: Operation) -> None:
        self.changed = True
        self.worklist.push(op)

    def erased(self, op: Operation) -> None:
        self.changed = True
        if not op.regions:
            self._push_operands(op)
            self.worklist.remove(op)
            return
        inside = list(op.walk())
        for inner in inside:
            self._push_operands(inner)
        for inner in inside:
            self.worklist.remove(inner)

    def _push_operands(self, op: Operation) -> None:
        """A value that loses a user may be dead, or its definition simpler for the last one."""
        for value in operands_of(op):
            if value.__class__ is BlockArgument:
                continue
            owner: Any = value.owner
            if owner.__class__ is Block:
                continue
            other: Operation | None = None
            use = value.first_use
            while use is not None:
                user = using_operation(use)
                if user is not op and user is not other:
                    if other is not None:
                        break
                    other = user
                use = next_use(use)
            else:
                self.worklist.push(owner)

    # --- more ways to change ----------------------------------------------------------------
    def replace(self, op: Operation, values: Sequence[SSAValue]) -> None:
        for old, new in zip(op.results, values, strict=True):
            if new.name_hint is None and old.name_hint is not None:
                new.name_hint = old.name_hint
            self.replace_all_uses(old, new)
        self.erase(op)

    def replace_all_uses(self, old: SSAValue, new: SSAValue) -> None:
        """Lets the users of `old` use `new`."""
        if old.first_use is None:
            return
        self.changed = True
        push = self.worklist.push
        use = old.first_use
        while use is not None:
            push(using_operation(use))
            use = next_use(use)
        replace_all_uses(old, new)

    def set_operand(self, op: Operation, index: int, value: SSAValue) -> None:
        """Changes one operand in place."""
        self._push_operands(op)
        op.operands[index] = value
        self.modified(op)

    def set_operands(self, op: Operation, values: Sequence[SSAValue]) -> None:
        """Changes all operands in place."""
        self._push_operands(op)
        op.operands = list(values)
        self.modified(op)

    def replace_with(
        self,
        op: Operation,
        name: str,
        operands: Sequence[object] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
        regions: Sequence[Region] = (),
        successors: Sequence[Block] = (),
    ) -> Operation:
        """Replaces `op` with a new operation; arguments as for `create`."""
        new = self.create(name, operands, result_types, properties, attributes, regions, successors)
        self.replace(op, new.results)
        return new

    def fuse(self, *sources: SSAValue) -> None:
        """New operations come from the one that is rewritten and from `sources` alike, as those of
        MLIR's declarative patterns."""
        from xgpu.core.ir.uniquing import fused_loc

        self.location = fused_loc([self.location, *map(location_of, sources)])

    def inline_block(
        self, block: Block, before: Operation, arguments: Sequence[SSAValue] = ()
    ) -> None:
        """Moves the operations of `block` before `before`, its arguments replaced.

        The block stays behind, empty; the terminator comes along.
        """
        for arg, value in zip(block.args, arguments, strict=True):
            self.replace_all_uses(arg, value)
        parent = before.parent
        assert parent is not None
        for op in list(block.ops):
            op.detach()
            parent.insert_op_before(op, before)
            for inner in op.walk():
                self.worklist.push_new(inner)
        self.changed = True

    def merge_blocks(self, source: Block, dest: Block, arguments: Sequence[SSAValue]) -> None:
        """Moves the operations of `source` to the end of `dest` and erases `source`."""
        for arg, value in zip(source.args, arguments, strict=True):
            self.replace_all_uses(arg, value)
        for op in list(source.ops):
            op.detach()
            dest.add_op(op)
            self.worklist.push_new(op)
        self.erase_block(source)

    def erase_block(self, block: Block) -> None:
        """Erases a block that nothing branches to, with what is in it."""
        for op in reversed(list(block.ops)):
            self.erased(op)
        region = block.parent
        if region is not None:
            region.detach_block(block)
        block.erase(safe_erase=False)
        self.changed = True


def replace_by_block(op: Operation, rw: GreedyRewriter, block: Block) -> bool:
    """Replaces `op` by what is in `block`, one of its own, and by what that ends with."""
    end = block.last_op
    assert end is not None
    rw.inline_block(block, op)
    rw.replace(op, list(end.operands))
    rw.erase(end)
    return True


def keep_results(
    op: Operation, rw: GreedyRewriter, ends: Sequence[Operation], kept: Sequence[int]
) -> None:
    """Replaces `op`, whose regions end with `ends`, by one that has only the results `kept`; the
    others have no users."""
    for end in ends:
        rw.set_operands(end, [end.operands[at] for at in kept])
    regions = [op.detach_region(0) for _ in range(len(op.regions))]
    new = rw.create(
        op.name, list(op.operands), [op.results[at].type for at in kept], dict(op.properties),
        dict(op.attributes), regions,
    )  # fmt: skip
    for at, result in zip(kept, new.results, strict=True):
        rw.replace_all_uses(op.results[at], result)
    for _ in regions:
        op.add_region(Region(Block()))
    rw.erase(op)


def keep_used_results(op: Operation, rw: GreedyRewriter, ends: Sequence[Operation]) -> bool:
    """Replaces `op`, whose regions end with `ends`, by one without results that nothing uses."""
    kept = [at for at, result in enumerate(op.results) if result.first_use is not None]
    if len(kept) == len(op.results):
        return False
    keep_results(op, rw, ends, kept)
    return True


def insertion_region(block: Block) -> Region | None:
    """The outermost region that a constant in `block` may move to."""
    region = block.parent
    while region is not None:
        parent = region.parent
        if parent is None:
            return region
        if parent.parent is None or is_isolated(parent) or _keeps_constants(parent):
            return region
        region = parent.parent.parent
    return None


def is_isolated(op: Operation) -> bool:
    """Whether nothing inside `op` uses a value from outside; unknown operations may be so."""
    traits = traits_of(op.name)
    return "IsolatedFromAbove" in traits or (
        not traits and op.name not in ("builtin.unrealized_conversion_cast",)
    )


def _keeps_constants(op: Operation) -> bool:
    """Affine operations that are scopes keep constants (the affine dialect's fold interface)."""
    return op.name.startswith("affine.") and "AffineScope" in traits_of(op.name)


class ConstantPool:
    """Constants that are unique in their region and stand at its start."""

    __slots__ = ("owned", "regions", "rewriter")

    def __init__(self, rewriter: GreedyRewriter) -> None:
        self.rewriter = rewriter
        self.regions: dict[Region, dict[tuple[str, Attribute, Attribute], Operation]] = {}
        self.owned: set[Operation] = set()

    def take(self, op: Operation, value: Attribute) -> bool:
        """Makes the constant `op` unique; False if it was replaced by an earlier one."""
        block = op.parent
        if block is None or (region := insertion_region(block)) is None:
            return True
        known = self.regions.setdefault(region, {})
        key = (op.name.partition(".")[0], value, op.results[0].type)
        existing = known.get(key)
        if existing is not None:
            self.rewriter.replace(op, existing.results)
            existing.location = UnknownLoc()
            return False
        first_block = region.blocks[0]
        first = first_block.first_op
        if block is not first_block or (first is not op and op.prev_op not in self.owned):
            op.detach()
            if first is None:
                first_block.add_op(op)
            else:
                first_block.insert_op_before(op, first)
            if block is not first_block:
                op.location = UnknownLoc()
        known[key] = op
        self.owned.add(op)
        return True


class GreedyDriver:
    """Rewrites one region. `simplify` is None, "normal" or "aggressive"."""

    def __init__(
        self,
        patterns: Patterns,
        *,
        top_down: bool = False,
        simplify: str | None = "aggressive",
        max_iterations: int = 10,
        max_rewrites: int = -1,
        fold_enabled: bool = True,
    ) -> None:
        self.patterns = cast(
            "Mapping[str, Sequence[Callable[[Operation, GreedyRewriter], bool]]]", patterns
        )
        self.top_down = top_down
        self.simplify = simplify
        self.max_iterations = max_iterations
        self.max_rewrites = max_rewrites
        self.fold_enabled = fold_enabled
        self.worklist = Worklist()
        self.rewriter = GreedyRewriter(self.worklist)

    def run(self, region: Region) -> bool:
        """Rewrites `region`; whether it converged within the allowed rounds."""
        rounds = 0
        # Unreachable code may define values in circles, on which folds would not end.
        erase_unreachable_blocks(region)
        while True:
            rounds += 1
            if 0 <= self.max_iterations < rounds:
                return False
            self._populate(region)
            changed = self._process()
            if self.simplify is not None:
                aggressive = self.simplify == "aggressive"
                changed = simplify_region(region, merge_blocks=aggressive) or changed
            if not changed:
                return True

    def run_on(self, operations: Sequence[Operation]) -> None:
        """Rewrites these operations, the last one first, and those that are created thereby; all
        others are left alone. MLIR's `applyOpPatternsGreedily` with ExistingAndNewOps."""
        self.worklist = self.rewriter.worklist = StrictWorklist(operations)
        for op in operations:
            self.worklist.push(op)
        self._process()

    def _populate(self, region: Region) -> None:
        worklist = self.worklist
        worklist.stack.clear()
        worklist.index.clear()
        pool = ConstantPool(self.rewriter)
        # Constants move while this walks, hence the lists.
        pending: list[Operation] = []
        if self.top_down:
            for op in _preorder(region):
                if op.parent is None:
                    continue
                if not (is_constant_op(op) and not self._take(pool, op)):
                    pending.append(op)
        else:
            for op in _postorder(region):
                if not (is_constant_op(op) and not self._take(pool, op)):
                    pending.append(op)
        worklist.stack.clear()
        worklist.index.clear()
        for op in reversed(pending) if self.top_down else pending:
            worklist.push(op)

    def _take(self, pool: ConstantPool, op: Operation) -> bool:
        """Whether the constant `op` still goes on the worklist (it was replaced otherwise)."""
        value = constant_value(op)
        if value is None or len(op.results) != 1:
            return True
        return pool.take(op, value)

    def _process(self) -> bool:
        worklist, rewriter, patterns = self.worklist, self.rewriter, self.patterns
        changed = False
        rewrites = 0
        while self.max_rewrites < 0 or rewrites < self.max_rewrites:
            op = worklist.pop()
            if op is None:
                break
            if is_trivially_dead(op):
                rewriter.erase(op)
                changed = True
                continue
            if self.fold_enabled and self._fold(op):
                changed = True
                continue
            found = patterns.get(op.name)
            if not found:
                continue
            for pattern in found:
                rewriter.at(op)
                if pattern(op, rewriter):
                    changed = True
                    rewrites += 1
                    break
        return changed

    def _fold(self, op: Operation) -> bool:
        if is_constant_op(op):
            return False
        result = fold(op)
        if result is False:
            return False
        rewriter = self.rewriter
        if result is True:
            rewriter.modified(op)
            return True
        rewriter.at(op)
        dialect = op.name.partition(".")[0]
        values: list[SSAValue] = []
        made: list[Operation] = []
        for item, old in zip(result, op.results, strict=True):  # type: ignore[arg-type]
            if item.__class__ is OpResult or isinstance(item, SSAValue):
                values.append(item)  # pyright: ignore[reportArgumentType]
                continue
            value = materialize(rewriter, item, old.type, dialect)
            if value is None:
                for unused in made:
                    rewriter.erase(unused)
                return False
            made.append(value.owner)  # type: ignore[arg-type]
            values.append(value)
        rewriter.replace(op, values)
        return True


def _preorder(region: Region) -> Iterable[Operation]:
    for block in region.blocks:
        for op in operations_of(block):
            if op.parent is not None:
                yield op
                for inner in op.regions:
                    yield from _preorder(inner)


def _postorder(region: Region) -> list[Operation]:
    found: list[Operation] = []
    for block in region.blocks:
        for op in block.ops:
            for inner in op.regions:
                found.extend(_postorder(inner))
            found.append(op)
    return found


def apply_patterns(
    op: Operation,
    patterns: Patterns,
    *,
    top_down: bool = False,
    simplify: str | None = "aggressive",
    max_iterations: int = 10,
    max_rewrites: int = -1,
    fold_enabled: bool = True,
) -> bool:
    """Rewrites the regions of `op`; whether all converged. MLIR's `applyPatternsGreedily`."""
    converged = True
    for region in op.regions:
        driver = GreedyDriver(
            patterns,
            top_down=top_down,
            simplify=simplify,
            max_iterations=max_iterations,
            max_rewrites=max_rewrites,
            fold_enabled=fold_enabled,
        )
        converged = driver.run(region) and converged
    return converged
