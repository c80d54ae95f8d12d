# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What writes the code of a fast reader: the lines so far, and the constants that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.ir import BlockArgument, OpResult, Use

from xgpu.syntax.formats.fields import Fields
from xgpu.syntax.formats.inference import type_derivations

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from xgpu.ods.operation import OdsOperation
    from xgpu.syntax.formats.format_parser import Element

#: Classes of values that a name may stand for when nothing is left to resolve.
_PLAIN = frozenset((OpResult, BlockArgument))


class UnsupportedError(Exception):
    """The format has a part for which no code can be written."""


class CodeWriter:
    """Code as it is written. `k` is how far the current token is behind the place in `i`."""

    def __init__(self, cls: type[OdsOperation], elements: list[Element]) -> None:
        from xgpu.ir.construction import Values, add_operands
        from xgpu.ir.locations import SourceLoc
        from xgpu.ods.operation import default_properties, segment_sizes
        from xgpu.ods.registry import hooks

        spec = self.spec = cls.spec
        if cls.segmented_results:
            raise UnsupportedError
        self.cls = cls
        self.elements = elements
        self.fields = Fields(spec)
        self.derivations = type_derivations(self.fields, elements)
        self.infer = hooks(spec.name.partition(".")[0], "infer", "INFER").get(spec.name)
        defaults = cls._defaults
        self.defaults = default_properties(cls) if defaults is None else defaults
        self.scope: dict[str, Any] = {
            "cls": cls,
            "new": object.__new__,
            "OpResult": OpResult,
            "Use": Use,
            "SourceLoc": SourceLoc,
            "Values": Values,
            "no_values": Values(),
            "add_operands": add_operands,
            "plain": _PLAIN,
            "defaults": self.defaults,
            "infer": self.infer,
            "segments": _segments(segment_sizes),
        }
        self.lines: list[str] = []
        self.indent = 1
        self.k = 1
        #: Operands, types and successors that are read only in some branch.
        self.optional: list[str] = []
        self.has_attributes = False
        self.has_properties = False
        self.in_group = False
        self.all_operands = self.all_types = self.all_results = False
        self.read_operands: set[int] = set()
        self.read_types: set[str] = set()
        self.computed: dict[str, str] = {}
        self.terminated = True

    # --- writing -----------------------------------------------------------------------------
    def add(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def bail(self, condition: str) -> None:
        """Leaves what follows to the other reader, if the condition holds."""
        self.add(f"if {condition}:")
        self.add("    return None")

    def here(self) -> str:
        return f"i + {self.k}" if self.k else "i"

    def constant(self, value: Any) -> str:
        name = f"c{len(self.scope)}"
        self.scope[name] = value
        return name

    def rebase(self) -> None:
        """Brings the current place into `i`."""
        if self.k:
            self.add(f"i += {self.k}")
            self.k = 0


def _segments(make: Callable[[Sequence[int]], Any]) -> Callable[[tuple[int, ...]], Any]:
    """`make`, which finds the attribute of sizes that it made before."""
    made: dict[tuple[int, ...], Any] = {}

    def segments(sizes: tuple[int, ...]) -> Any:
        found = made.get(sizes)
        if found is None:
            found = made[sizes] = make(sizes)
        return found

    return segments
