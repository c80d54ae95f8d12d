# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A translated module, with what a linker has to know of it: made by the translation, which knows
the functions, their types and the globals when it prints them, so that the text is not searched."""

from __future__ import annotations

import json
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


class ModuleParts:
    """A module as LLVM IR text, without the declarations of functions and without the lists of
    constructors and destructors, which the linker writes."""

    __slots__ = (
        "constructors", "declarations", "definitions", "destructors", "external", "text",
        "variables",
    )  # fmt: skip

    def __init__(
        self, text: str, definitions: dict[str, Definition], declarations: dict[str, Declaration],
        variables: list[Variable], external: list[str], constructors: list[str],
        destructors: list[str],
    ) -> None:  # fmt: skip
        self.text = text
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
                self.constructors, self.destructors,
            ]
        )  # fmt: skip

    @staticmethod
    def from_json(text: str) -> ModuleParts:
        """What `to_json` gave the text of."""
        body, definitions, declarations, variables, *others = json.loads(text)
        return ModuleParts(
            body,
            {name: Definition(*facts) for name, facts in definitions.items()},
            {name: Declaration(*facts) for name, facts in declarations.items()},
            [Variable(*facts) for facts in variables],
            *others,
        )
