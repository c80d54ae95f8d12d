# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the parts of the printer share: the text so far, and how they ask for one another's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeVar

from xdsl.ir import Attribute
from xdsl.printer import Printer as XdslPrinter

T = TypeVar("T")


class PrinterBase(XdslPrinter):
    """The state of the printer, how text is added, and declarations for type checkers."""

    pieces: list[str]
    #: Whether locations are in MLIR's readable form, which no parser reads.
    pretty_locations: bool
    elide_elements: int | None
    elide_resources: int | None
    resource_keys: dict[str, None]
    #: Texts of attributes by identity, which the attribute kept beside it keeps alive.
    _texts: dict[int, tuple[Attribute, str]]
    #: The end of a line, and the indentation of the next.
    _line: str

    if TYPE_CHECKING:

        def _attribute_text(self, attribute: Attribute) -> str: ...
        def _elided_text(self, attribute: Attribute) -> str: ...
        def _dictionary_text(self, entries: Mapping[str, Attribute]) -> str: ...

    # --- text ------------------------------------------------------------------------------
    def print_string(self, text: str, *, indent: int | None = None) -> None:
        if "\n" in text:  # a line of the text is a line at this indentation
            line = self._line if indent is None else "\n" + " " * (2 * indent)
            text = text.replace("\n", line)
        self.pieces.append(text)

    def _print_new_line(self, indent: int | None = None, print_message: bool = True) -> None:
        self.pieces.append(self._line)

    @property
    def _indent(self) -> int:  # pyright: ignore
        return (len(self._line) - 1) // 2

    @_indent.setter
    def _indent(self, value: int) -> None:  # pyright: ignore
        self._line = "\n" + "  " * value

    def print_list(
        self, elems: Iterable[T], print_fn: Callable[[T], object], delimiter: str = ", "
    ) -> None:
        first = True
        for element in elems:
            if first:
                first = False
            else:
                self.pieces.append(delimiter)
            print_fn(element)

    def distinct_number(self, number: int) -> str:
        """What stands for the number of a distinct attribute until all are known."""
        return f"\0d{number}\0"
