# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is known of an operation, by its name: MLIR's `OperationName` with its interfaces.

An `OpInfo` has a slot for each fact. A fact is looked up once, at its first use: what was
registered for the operation by `register` counts first, then what its definition and its dialect
state (`xgpu/core/ods/facts.py`, through a service). Code asks here and nowhere else, so that an
operation from outside is as good as one of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute, Operation
from xdsl.irdl import traits_def
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    NoTerminator,
    OptionalSymbolOpInterface,
    SymbolOpInterface,
    SymbolTable,
)

from xgpu.core.ir.errors import op_error
from xgpu.core.ir.services import operation_facts


def attribute_of(op: Operation, name: str) -> Any:
    """The property, else the attribute `name`; None if there is neither.

    An `or` would not do: integer attributes of zero and empty lists are false in xDSL.
    """
    found = op.properties.get(name)
    return op.attributes.get(name) if found is None else found


# -- unregistered operations


class UnregisteredOperation(Operation):
    """An operation of a name that no table has. Subclasses have that name."""

    name = "builtin.unregistered"
    traits = traits_def()

    @classmethod
    def has_trait(cls, trait: object, *, value_if_unregistered: bool = True) -> bool:
        return value_if_unregistered


_unregistered: dict[str, type[Operation]] = {}


def unregistered_op(name: str) -> type[Operation]:
    """The class of unregistered operations called `name`."""
    cls = _unregistered.get(name)
    if cls is None:
        cls = _unregistered[name] = type(
            "UnregisteredOperation", (UnregisteredOperation,), {"name": name}
        )
    return cls


if TYPE_CHECKING:
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
    """A table by operations' names of what follows from facts, for code that derives something. An
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
        with suppress(AttributeError):  # not read yet
            delattr(info, fact)
    _forget_derived(name)


def _forget_derived(name: str) -> None:
    for table in _DERIVED:
        table.pop(name, None)


# -- terminators, isolation from above, symbol tables


class OpFacts:
    """What the verifier asks of an operation's class."""

    __slots__ = (
        "check",
        "graph",
        "isolated",
        "no_terminator",
        "symbol",
        "symbol_table",
        "terminator",
        "unregistered",
    )

    def __init__(self, cls: type[Operation]) -> None:
        self.unregistered = issubclass(cls, UnregisteredOperation)
        self.isolated = cls.get_trait(IsolatedFromAbove) is not None
        self.terminator = cls.get_trait(IsTerminator) is not None
        self.symbol_table = cls.get_trait(SymbolTable) is not None
        self.symbol = (
            cls.get_trait(SymbolOpInterface) is not None
            or cls.get_trait(OptionalSymbolOpInterface) is not None
        )
        names = _trait_names(cls)
        self.no_terminator = "NoTerminator" in names or cls.get_trait(NoTerminator) is not None
        #: Operations whose regions have no order of execution: values may be used anywhere.
        self.graph = self.unregistered or (
            "GraphRegionNoTerminator" in names
            or "HasOnlyGraphRegion" in names
            or (cls.name == "builtin.module")
        )
        self.check: Callable[[Operation], None] | None = (
            cls.verify_ if cls.verify_ is not Operation.verify_ else None
        )
        # A class of ours has what was registered among its own checks.
        registered = None if "spec" in cls.__dict__ else op_info(cls.name).verify
        if registered is not None:
            self.check = registered if self.check is None else _both(self.check, registered)
        if cls.name.startswith("builtin."):
            # xDSL's checks of its own two operations are done here, in MLIR's words.
            self.check = _BUILTIN_CHECKS.get(cls.name)


def _both(
    first: Callable[[Operation], None], second: Callable[[Operation], None]
) -> Callable[[Operation], None]:
    """The checks of a class that is not ours, and what was registered for it."""

    def check(op: Operation) -> None:
        first(op)
        second(op)

    return check


known_facts: dict[type[Operation], OpFacts] = {}


class _KnownFacts:
    """The facts of classes by the name of the operation, for code that registers some."""

    def pop(self, name: str, default: None) -> None:
        for cls in [cls for cls in known_facts if cls.name == name]:
            del known_facts[cls]


watch(_KnownFacts())


def facts_of(cls: type[Operation]) -> OpFacts:
    """The facts of a class, found once."""
    facts = known_facts.get(cls)
    if facts is None:
        facts = known_facts[cls] = OpFacts(cls)
    return facts


def _trait_names(cls: type[Operation]) -> frozenset[str]:
    spec = getattr(cls, "spec", None)
    if spec is None:
        return frozenset()
    return frozenset(t if isinstance(t, str) else t[0] for t in spec.traits)


def is_terminator(op: Operation) -> bool:
    """Whether an operation is known to end blocks. MLIR's `hasTrait<IsTerminator>`."""
    return facts_of(op.__class__).terminator


def may_be_terminator(op: Operation) -> bool:
    """Whether an operation may end a block: an unknown one may. MLIR's `mightHaveTrait`."""
    facts = facts_of(op.__class__)
    return facts.terminator or facts.unregistered


def _verify_module(op: Operation) -> None:
    if len(op.regions) != 1:
        raise op_error(op, "requires one region")
    if op.results:
        raise op_error(op, "requires zero results")
    if op._operands:
        raise op_error(op, "requires zero operands")
    first = op.regions[0].blocks.first
    if first is not None and first._args and first._next_block is None:
        raise op_error(op, "region should have no arguments")
    for name in op.attributes:
        if "." not in name and name not in ("sym_name", "sym_visibility"):
            raise op_error(
                op,
                f"can only contain attributes with dialect-prefixed names, found: '{name}'",
            )


def _verify_conversion(op: Operation) -> None:
    if op.regions:
        raise op_error(op, "requires zero regions")
    if not op.results:
        raise op_error(op, "expected at least one result for cast operation")


_BUILTIN_CHECKS = {
    "builtin.module": _verify_module,
    "builtin.unrealized_conversion_cast": _verify_conversion,
}
