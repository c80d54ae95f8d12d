# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who must free which memory, block by block: what ownership-based deallocation keeps track of.

The ownership of a memref in a block is a value that says whether the block has to free it, or it
is not known. Source: MLIR 22.1 BufferDeallocationOpInterface.cpp.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    DenseArrayBase,
    MemRefType,
    NoneAttr,
    UnrankedMemRefType,
    i64,
)
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.ir.liveness import Liveness, home
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.bufferization.canonicalize import boolean, dealloc, is_memref
from xgpu.dialects.memref.verify import INFER

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr


#: In place of an ownership: it depends on which way control came.
UNKNOWN = "unknown"

Ownership = SSAValue | str | None


def at_start(block: Block, location: LocationAttr) -> Rewriter:
    """A rewriter at the start of `block`."""
    rw = Rewriter(block=block, location=location)
    rw.at_start(block)
    return rw


class DeallocationState:
    """Liveness, ownerships, and what each block frees in its end."""

    def __init__(self, root: Operation) -> None:
        self.liveness = Liveness(root)
        self._ownership: dict[tuple[SSAValue, Block], Ownership] = {}
        self._to_free: dict[Block, list[SSAValue]] = {}
        #: Results of operations that got more results -> those of their successors.
        self._renamed: dict[SSAValue, SSAValue] = {}

    def rename(self, old: Sequence[SSAValue], new: Sequence[SSAValue]) -> None:
        """Says that `old` are `new` now."""
        self._renamed.update(zip(old, new, strict=False))

    # --- ownership -----------------------------------------------------------------------------
    def ownership(self, memref: SSAValue, block: Block | None) -> Ownership:
        """Who owns `memref` in `block`; None if nothing was said."""
        assert block is not None
        return self._ownership.get((memref, block))

    def update(self, memref: SSAValue, owned: Ownership, block: Block | None = None) -> None:
        """Joins what is known of `memref` with `owned`."""
        block = home(memref) if block is None else block
        assert block is not None
        key = (memref, block)
        self._ownership[key] = _join(self._ownership.get(key), owned)

    def reset(self, memref: SSAValue, owned: SSAValue, block: Block) -> None:
        """Replaces what is known of `memref`."""
        self._ownership[memref, block] = owned

    def free_later(self, memref: SSAValue, block: Block | None) -> None:
        """Remembers that `block` frees `memref` where it owns it."""
        assert block is not None
        self._to_free.setdefault(block, []).append(memref)

    def with_unique_ownership(
        self, rw: Rewriter, memref: SSAValue, block: Block
    ) -> tuple[SSAValue, SSAValue]:
        """`memref` and its ownership; a clone of it if that is not known."""
        owned = self.ownership(memref, block)
        if isinstance(owned, SSAValue):
            return memref, owned
        clone = rw.value("bufferization.clone", (memref,), memref.type)
        true = boolean(rw, True)
        self.update(clone, true)
        self.free_later(clone, home(clone))
        return clone, true

    # --- what lives ----------------------------------------------------------------------------
    def _memrefs(self, values: Iterable[SSAValue]) -> list[SSAValue]:
        found = {self._renamed.get(value, value) for value in values}
        return sorted(filter(is_memref, found), key=_place)

    def live_in(self, block: Block) -> list[SSAValue]:
        """The memrefs from elsewhere that `block` and what follows it use."""
        return self._memrefs(self.liveness.live_in.get(block, ()))

    def retained(
        self, block: Block, target: Block | None, passed: Iterable[SSAValue]
    ) -> list[SSAValue]:
        """What must outlive `block` on its way to `target`: what is passed, and what lives on."""
        after = self.liveness.live_out.get(block, set())
        if target is not None:
            after = after & self.liveness.live_in.get(target, set())
        return [*filter(is_memref, passed), *self._memrefs(after)]

    def freed(self, rw: Rewriter, block: Block) -> tuple[list[SSAValue], list[SSAValue]]:
        """The bases of what `block` frees, and under which conditions."""
        memrefs: list[SSAValue] = []
        conditions: list[SSAValue] = []
        for memref in self._to_free.get(block, ()):
            owned = self.ownership(memref, block)
            if not isinstance(owned, SSAValue):
                raise DiagnosticError(
                    Diagnostic("error", "MemRef value does not have valid ownership", _loc(memref))
                )
            memrefs.append(base_of(rw, memref))
            conditions.append(owned)
        return memrefs, conditions


def _loc(value: SSAValue) -> LocationAttr | None:
    owner = value.owner
    return owner.location if isinstance(owner, Operation) else getattr(value, "location", None)


def _join(first: Ownership, second: Ownership) -> Ownership:
    if second is None or first is second:
        return first
    if first is None:
        return second
    if isinstance(first, str) or isinstance(second, str):
        return UNKNOWN
    a, b = int_of(first), int_of(second)
    return first if a is not None and a == b else UNKNOWN


def _place(value: SSAValue) -> tuple[int, ...]:
    """Arguments before results, then the order in the text."""
    owner = value.owner
    if isinstance(value, BlockArgument):
        return (0, value.index, _block_place(value.block))
    assert isinstance(owner, Operation)
    assert owner.parent is not None
    at = next(i for i, op in enumerate(owner.parent.ops) if op is owner)
    return (1, _block_place(owner.parent), at, value.index)  # pyright: ignore


def _block_place(block: Block) -> int:
    region = block.parent
    return 0 if region is None else region.get_block_index(block)


def base_of(rw: Rewriter, memref: SSAValue) -> SSAValue:
    """The allocation that `memref` is a view of."""
    kind = memref.type
    if isinstance(kind, UnrankedMemRefType):
        # A view of no dimensions: all that the base needs.
        kind = MemRefType(kind.element_type, [], NoneAttr(), kind.memory_space)
        none = DenseArrayBase.from_list(i64, [])
        static = {"static_offsets": DenseArrayBase.from_list(i64, [0])}
        static |= {"static_sizes": none, "static_strides": none}
        memref = rw.value("memref.reinterpret_cast", ([memref], [], [], []), kind, static)
    types = INFER["memref.extract_strided_metadata"]([memref], {}, (), {})
    return rw.create("memref.extract_strided_metadata", (memref,), types).results[0]


def insert_dealloc_for_return(
    state: DeallocationState, op: Operation, operands: Sequence[SSAValue]
) -> list[SSAValue]:
    """Frees in front of the terminator `op`, which hands `operands` on; their ownerships."""
    block = op.parent
    assert block is not None
    rw = Rewriter(op)
    memrefs, conditions = state.freed(rw, block)
    retained = state.retained(block, None, operands)
    if not memrefs and not retained:
        return []
    freeing = dealloc(rw, memrefs, conditions, retained)
    for memref, owned in zip(retained, freeing.results, strict=True):
        state.reset(memref, owned, block)
    return list(freeing.results[: sum(map(is_memref, operands))])
