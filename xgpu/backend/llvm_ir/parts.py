# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A translated module, with what a linker has to know of it: made by the translation, which knows
the functions, their types and the globals when it prints them, so that the text is not searched."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple


class Definition(NamedTuple):
    """A function with a body: the LLVM types of its parameters and of its result. A function is
    local if no other module can call it."""

    parameters: list[str]
    result: str
    is_local: bool


class Declaration(NamedTuple):
    """A function without a body that the module uses: the LLVM types of its parameters and of its
    result, and the declaration as text."""

    parameters: list[str]
    result: str
    text: str


class Variable(NamedTuple):
    """A variable that the module defines and may change: `@name`, and its LLVM type."""

    symbol: str
    type: str


class Uses:
    """What the text of a module uses that LLVM may have no code for on some target.

    `features` are words such as "load atomic"; `intrinsics` are names with their `llvm.`, as the
    text has them; `assembly` holds the texts of inline assembly.
    """

    __slots__ = ("assembly", "features", "intrinsics")

    def __init__(
        self, features: Iterable[str] = (), intrinsics: Iterable[str] = (),
        assembly: Iterable[str] = (),
    ) -> None:  # fmt: skip
        self.features = set(features)
        self.intrinsics = set(intrinsics)
        self.assembly = set(assembly)

    def add(self, other: Uses) -> None:
        """Add what another module uses."""
        self.features |= other.features
        self.intrinsics |= other.intrinsics
        self.assembly |= other.assembly

    def to_lists(self) -> list[list[str]]:
        """The arguments of the constructor."""
        return [sorted(self.features), sorted(self.intrinsics), sorted(self.assembly)]


class ModuleParts:
    """A module as LLVM IR text, without the declarations of functions and without the lists of
    constructors and destructors, which the linker writes."""

    __slots__ = (
        "constructors", "declarations", "definitions", "destructors", "external", "text", "uses",
        "variables",
    )  # fmt: skip

    def __init__(
        self, text: str, definitions: dict[str, Definition], declarations: dict[str, Declaration],
        variables: list[Variable], external: list[str], constructors: list[str],
        destructors: list[str], uses: Uses,
    ) -> None:  # fmt: skip
        self.text = text
        self.uses = uses
        #: By name.
        self.definitions = definitions
        self.declarations = declarations
        self.variables = variables
        #: Names of variables that another module defines.
        self.external = external
        #: Symbols (`@name`) in the order in which they run.
        self.constructors = constructors
        self.destructors = destructors

    def to_json(self) -> str:
        """All of it as text, for a cache."""
        return json.dumps(
            [
                self.text, self.definitions, self.declarations, self.variables, self.external,
                self.constructors, self.destructors, self.uses.to_lists(),
            ]
        )  # fmt: skip

    @staticmethod
    def from_json(text: str) -> ModuleParts:
        """What `to_json` gave the text of."""
        body, definitions, declarations, variables, external, first, last, uses = json.loads(text)
        return ModuleParts(
            body,
            {name: Definition(*facts) for name, facts in definitions.items()},
            {name: Declaration(*facts) for name, facts in declarations.items()},
            [Variable(*facts) for facts in variables],
            external,
            first,
            last,
            Uses(*uses),
        )
