# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Readers of frequent operations: Python written for one operation from its format.

The reader that `reader.py` makes of a format is a list of steps and can read everything. For an
operation that a text has many times, this module writes a function that reads its usual form
straight from the tokens and makes the operation in place. Whatever is not usual (a value that is
used before it is defined, a type that was not met before, a dictionary, an error) makes it return
None before it has changed anything, and the other reader starts again: so both give the same, and
only that one knows MLIR's messages. A format with a part that cannot be written (a region, a custom
directive) has no such function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from xgpu.syntax.formats.code_writer import UnsupportedError
from xgpu.syntax.formats.fast_elements import ElementWriter
from xgpu.syntax.formats.fast_finish import FinishWriter

if TYPE_CHECKING:
    from xgpu.ods.operation import OdsOperation

#: Reads the operation whose name is the token at a place; None if it has to be read step by step.
FastReader = Callable[[Any, int], Any]


def fast_reader(cls: type[OdsOperation]) -> FastReader | None:
    """The fast reader of a class, made once; None if it can have none."""
    found: Any = cls.__dict__.get("_fast_reader", False)
    if found is False:
        found = _compile(cls)
        cls._fast_reader = found  # pyright: ignore[reportAttributeAccessIssue]
    return found


def _compile(cls: type[OdsOperation]) -> FastReader | None:
    from xgpu.ods.registry import hooks
    from xgpu.syntax.formats.format import format_elements

    spec = cls.spec
    if spec.format is None or spec.regions:
        return None
    if spec.name in hooks(spec.name.partition(".")[0], "syntax", "PARSE"):
        return None
    try:
        writer = _Writer(cls, format_elements(cls))
        source = writer.function()
    except UnsupportedError:
        return None
    scope = writer.scope
    exec(compile(source, f"<reader of {spec.name}>", "exec"), scope)
    return scope["read"]


class _Writer(ElementWriter, FinishWriter):
    """Writes one reader."""

    def function(self) -> str:
        self.sequence(self.elements)
        if not self.terminated:
            # `%0#1` at the end.
            self.bail(f"texts[{self.here()}][:1] == '#'")
        self.finish()
        head = ["def read(p, i):", "    texts = p._texts", "    at = i"]
        if self.spec.operands:
            head.append("    values = p._values")
        head.append("    types = p._types")
        if self.has_attributes:
            head.append("    outer = p._op_name")
        if self.has_properties or self.has_attributes:
            head.append("    properties = {}")
        head.extend(f"    {name} = None" for name in self.optional)
        return "\n".join([*head, *self.lines])
