# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an operation is: names, operands, attributes, results, traits, assembly format.

An `OpSpec` is read from a table row (`xgpu/dialects/tables/`) when the operation's name is first
met. Everything that depends on the shape of an operation (its class, reader, printer, verifier,
accessors) derives from the spec.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xgpu.ods.constraints import Constraint

ONE, OPTIONAL, VARIADIC, VARIADIC_OF_VARIADIC = "one", "optional", "variadic", "variadic2"


class Field:
    """An operand, result, region or successor: MLIR's name, how many of it, and which types."""

    __slots__ = ("constraint", "name", "quantity")

    def __init__(self, name: str, quantity: str, constraint: Constraint) -> None:
        self.name = name
        self.quantity = quantity
        self.constraint = constraint


class AttrField:
    """An inherent attribute (a property). `default` is the text of its default value, or None."""

    __slots__ = ("constraint", "default", "name", "optional")

    def __init__(
        self, name: str, constraint: Constraint, optional: bool, default: str | None
    ) -> None:
        self.name = name
        self.constraint = constraint
        self.optional = optional
        self.default = default


class OpSpec:
    """An operation's definition. Field names are MLIR's (camelCase where MLIR's are)."""

    __slots__ = (
        "attrs",
        "format",
        "hooks",
        "name",
        "operands",
        "regions",
        "results",
        "successors",
        "traits",
    )

    def __init__(
        self,
        name: str,
        operands: tuple[Field, ...] = (),
        attrs: tuple[AttrField, ...] = (),
        results: tuple[Field, ...] = (),
        regions: tuple[Field, ...] = (),
        successors: tuple[Field, ...] = (),
        traits: tuple[str, ...] = (),
        hooks: frozenset[str] = frozenset(),
        format: str | None = None,
    ) -> None:
        self.name = name
        self.operands = operands
        self.attrs = attrs
        self.results = results
        self.regions = regions
        self.successors = successors
        #: Names of MLIR's traits and interfaces; parametric ones as `Name<arg, ...>`.
        self.traits = traits
        #: Of "verify", "verify_regions", "fold", "canonicalize", "custom_format", "infer".
        self.hooks = hooks
        self.format = format
