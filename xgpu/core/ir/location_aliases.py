# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Locations that were named before they were known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.locations import StandInLoc, is_location

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xdsl.ir import Attribute


def resolve_location(location: Attribute, aliases: Mapping[str, Attribute]) -> Attribute:
    """`location`, or what the alias turned out to be for which it stands."""
    if not isinstance(location, StandInLoc):
        return location
    found = aliases[location.alias]
    if is_location(found):
        return found
    from xgpu.core.ir.attribute_text import shown
    from xgpu.core.ir.errors import Diagnostic, DiagnosticError

    message = f"expected location, but found '{shown(found)}'"
    raise DiagnosticError(Diagnostic("error", message, location))
