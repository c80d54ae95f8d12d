# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the parts of the printer share: the text so far, and how they ask for one another's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from xdsl.printer import Printer as XdslPrinter

if TYPE_CHECKING:
    from xdsl.ir import Attribute


class PrinterBase(XdslPrinter):
    """The state of the printer, and declarations for type checkers."""

    pieces: list[str]
    elide_elements: int | None
    elide_resources: int | None
    resource_keys: dict[str, None]
    #: Texts of attributes by identity, which the attribute kept beside it keeps alive.
    _texts: dict[int, tuple[Attribute, str]]

    if TYPE_CHECKING:

        def _attribute_text(self, attribute: Attribute) -> str: ...
        def _elided_text(self, attribute: Attribute) -> str: ...
        def _dictionary_text(self, entries: Mapping[str, Attribute]) -> str: ...
