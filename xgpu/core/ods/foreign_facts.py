# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Facts that operation classes of others state, in xDSL's terms: traits and interfaces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import xdsl.traits as x
from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Attribute, Operation

from xgpu.core.ods.services import adopt_operation

if TYPE_CHECKING:
    from xdsl.pattern_rewriter import RewritePattern


#: xDSL's traits, and what MLIR's definitions call them.
_TRAITS: dict[type[x.OpTrait], str] = {
    x.IsTerminator: "Terminator",
    x.ReturnLike: "ReturnLike",
    x.NoTerminator: "NoTerminator",
    x.IsolatedFromAbove: "IsolatedFromAbove",
    x.SymbolTable: "SymbolTable",
    x.SymbolOpInterface: "Symbol",
    x.Commutative: "Commutative",
    x.Pure: "Pure",
    x.AlwaysSpeculatable: "AlwaysSpeculatable",
    x.RecursivelySpeculatable: "RecursivelySpeculatable",
    x.RecursiveMemoryEffect: "RecursiveMemoryEffects",
    x.ConstantLike: "ConstantLike",
}

_EFFECTS: dict[type[x.OpTrait], str] = {
    x.MemoryReadEffect: "read",
    x.MemoryWriteEffect: "write",
    x.MemoryAllocEffect: "allocate",
    x.MemoryFreeEffect: "free",
}


def traits(cls: type[Operation]) -> frozenset[str]:
    """MLIR's names of the traits of a class."""
    return frozenset(name for trait, name in _TRAITS.items() if cls.has_trait(trait))


def stated_effects(cls: type[Operation]) -> object:
    """The memory effects of a class, as a definition of ours states them; None if they are not."""
    if cls.has_trait(x.Pure) or cls.has_trait(x.NoMemoryEffect):
        return ()
    kinds = tuple((kind, None) for trait, kind in _EFFECTS.items() if cls.has_trait(trait))
    return kinds if kinds or cls.has_trait(x.RecursiveMemoryEffect) else None


def fold(cls: type[Operation]) -> Callable[[Operation, list[Attribute | None]], object] | None:
    """The folder of a class, as ours are called."""
    trait = cls.get_trait(x.HasFolder)
    # What a constant folds to is itself.
    if trait is None or cls.has_trait(x.ConstantLike):
        return None

    def folded(op: Operation, constants: object) -> Any:
        found = trait.fold(op)
        return None if found is None else list(found)

    return folded


# --- canonicalization patterns ------------------------------------------------------------------


class _Rewriter(Protocol):
    """What patterns of others need of our greedy rewriter."""

    changed: bool

    def inserted(self, op: Operation) -> None: ...
    def modified(self, op: Operation) -> None: ...
    def erased(self, op: Operation) -> None: ...


def canonicalizations(
    cls: type[Operation],
) -> Sequence[Callable[[Operation, _Rewriter], bool]]:
    """The canonicalization patterns of a class, as ours are called."""
    patterns = [
        pattern
        for trait in cls.get_traits_of_type(x.HasCanonicalizationPatternsTrait)
        for pattern in trait.get_patterns(cls)
    ]
    return tuple(partial(_apply, pattern) for pattern in patterns)


def _apply(pattern: RewritePattern, op: Operation, rewriter: _Rewriter) -> bool:
    """Applies a pattern in xDSL's terms, and tells our rewriter what it has done."""
    from xdsl.pattern_rewriter import PatternRewriter

    location = op.location
    made: list[Operation] = []

    def inserted(new: Operation) -> None:
        if isinstance(new.location, UnknownLoc):
            new.location = location
        made.append(new)
        rewriter.inserted(new)

    theirs = PatternRewriter(op)
    theirs.operation_insertion_handler.append(inserted)
    theirs.operation_removal_handler.append(rewriter.erased)
    theirs.operation_modification_handler.append(rewriter.modified)
    pattern.match_and_rewrite(op, theirs)
    if theirs.has_done_action:
        rewriter.changed = True
        _adopt(made)
    return theirs.has_done_action


def _adopt(made: list[Operation]) -> None:
    """Operations of classes that we have, too, become ours: passes read them through those."""
    for op in made:
        if op.parent is not None:
            adopt_operation()(op)
