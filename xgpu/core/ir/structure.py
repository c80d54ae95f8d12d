# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operations are terminators, isolated from above, symbol tables, ..."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    NoTerminator,
    OptionalSymbolOpInterface,
    SymbolOpInterface,
    SymbolTable,
)

from xgpu.core.ir.errors import op_error
from xgpu.core.ir.op_info import op_info, watch
from xgpu.core.ir.unregistered import UnregisteredOperation

if TYPE_CHECKING:
    from collections.abc import Callable


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
    """The facts of classes by the name of the operation, for whoever registers some."""

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
    """Whether an operation may end a block: one that nobody knows may. MLIR's `mightHaveTrait`."""
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
