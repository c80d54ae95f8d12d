# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types that have no parameters, of whichever dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Data, TypeAttribute

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer


class PlainType(Data[None], TypeAttribute):
    """A type without parameters: its name is its whole syntax."""

    def __init__(self, data: None = None) -> None:
        super().__init__(None)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> None:
        return None

    def print_parameter(self, printer: Printer) -> None:
        """Prints nothing after the name."""
