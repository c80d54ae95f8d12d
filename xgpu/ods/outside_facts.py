# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Facts that operation classes of others state, in xDSL's terms: traits and interfaces."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import xdsl.traits as x
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Operation

if TYPE_CHECKING:
    from xdsl.ir import Attribute


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
    if not issubclass(cls, HasFolderInterface):
        return None

    def folded(op: Any, constants: object) -> Any:
        found = op.fold()
        return None if found is None else list(found)

    return folded
