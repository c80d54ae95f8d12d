# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is known of an operation, by its name: MLIR's `OperationName` with its interfaces.

An `OpInfo` has a slot for each fact. A fact is looked up when it is first asked for and then kept:
what was registered for the operation by `register` counts first, then what its definition and its
dialect state (`xgpu/core/ods/facts.py`, through a service). Code asks here and nowhere else, so
that an operation from outside is as good as one of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from xgpu.core.ir.services import operation_facts

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation

    Folder = Callable[[Operation, list[Attribute | None]], Any]
    #: Kind of an effect, and ("operand" | "result", index) of the definition, or None.
    StatedEffects = tuple[tuple[str, tuple[str, int] | None], ...]


class OpInfo:
    """The facts of one operation. An unknown operation has empty ones."""

    __slots__ = (
        "bufferization",
        "canonicalizations",
        "conversions",
        "effects",
        "fold",
        "fold_uses",
        "is_known",
        "name",
        "stated_effects",
        "traits",
        "value_range",
        "verify",
    )

    name: str
    #: Whether the operation has a definition.
    is_known: bool
    #: Names of its traits, as MLIR's definitions spell them.
    traits: frozenset[str]
    #: The fold hook: (operation, constants of its operands) to results, True or None.
    fold: Folder | None
    #: Lets users of some results use constants instead, which it makes before the operation, and
    #: tells whether it did. For operations whose other results stay. What only simulates folds
    #: must not call it.
    fold_uses: Callable[[Operation], bool] | None
    #: The effects that its definition states, () for a pure one; None if it states nothing.
    stated_effects: StatedEffects | None
    #: What tells the effects of one operation where its definition does not: a list of `Effect`.
    effects: Callable[[Operation], Any] | None
    #: What `one-shot-bufferize` has to know: a `Model` of
    #: `xgpu.transforms.bufferization.one_shot.model`. None for MLIR's operations, of which the pass
    #: knows by itself, and for what is not known.
    bufferization: Any
    #: Canonicalization patterns, in order.
    canonicalizations: Sequence[Callable[..., bool]]
    #: Rules of an operation from outside, by the dialect that they convert to: "llvm".
    conversions: Mapping[str, Callable[..., Any]]
    #: The ranges of its results from those of its operands, as `xgpu.analysis.ranges` has them.
    value_range: Callable[..., Any] | None
    #: What its dialect checks beyond its definition; raises DiagnosticError.
    verify: Callable[[Operation], None] | None

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, fact: str) -> object:
        # Called only while the slot is empty.
        if fact not in OpInfo.__slots__:
            raise AttributeError(f"an operation has no fact '{fact}'")
        value = operation_facts().look_up(self.name, fact)
        setattr(self, fact, value)
        return value


_INFOS: dict[str, OpInfo] = {}
#: The facts that were registered.
_STATED: dict[str, set[str]] = {}
_DERIVED: list[Any] = []


def derived() -> dict[str, Any]:
    """A table by operations' names of what follows from facts, for whoever derives something. An
    entry goes when facts of its operation are registered."""
    table: dict[str, object] = {}
    watch(table)
    return table


def watch(table: object) -> None:
    """Has `table.pop(name, None)` called when facts of the operation `name` are registered."""
    _DERIVED.append(table)


def op_info(name: str) -> OpInfo:
    """What is known of the operation `name`; the same object each time."""
    info = _INFOS.get(name)
    if info is None:
        info = _INFOS[name] = OpInfo(name)
    return info


def traits_of(name: str) -> frozenset[str]:
    """Names of the traits of the operation `name`; empty if it is unknown."""
    info = _INFOS.get(name)
    return (op_info(name) if info is None else info).traits


def register(name: str, facts: Mapping[str, object]) -> None:
    """States facts of the operation `name`, over what its definition says.

    Raises AttributeError for what is no fact.
    """
    info = op_info(name)
    stated = _STATED.setdefault(name, set())
    for fact, value in facts.items():
        if fact == "name" or fact not in OpInfo.__slots__:
            raise AttributeError(f"an operation has no fact '{fact}'")
        setattr(info, fact, value)
        stated.add(fact)
    _forget_derived(name)


def look_again(name: str) -> None:
    """Forgets what was looked up for the operation `name`, whose definition has become known."""
    info = _INFOS.get(name)
    if info is None:
        return
    for fact in set(OpInfo.__slots__) - {"name"} - _STATED.get(name, set()):
        with suppress(AttributeError):  # nobody has asked for it yet
            delattr(info, fact)
    _forget_derived(name)


def _forget_derived(name: str) -> None:
    for table in _DERIVED:
        table.pop(name, None)
