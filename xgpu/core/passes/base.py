# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a pass is.

A pass has MLIR's name, MLIR's options and an anchor: the operation that it runs on
("builtin.module", "gpu.module", "func.func", ...), or None if it runs on any. It is given that
operation and changes it in place. Its options are declared as data, so that `--help`, the
pipeline parser and the
constructor agree:

    class AttachTarget(Pass):
        name = "nvvm-attach-target"
        anchor = "builtin.module"
        summary = "Attaches an NVVM target to each gpu.module"
        options = (Option("chip", str, "sm_75", "the target's chip"), Option("l", list, (), "..."))
        chip: str  # for type checkers: options are attributes
        l: tuple[str, ...]

        def run(self, op: Operation, ctx: Context) -> None: ...

    AttachTarget(chip="sm_90")        # dashes of an option's name become underscores
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


class Option:
    """An option of a pass: `kind` is str, int, bool, float or list, which is split at commas and
    whose parts are `element`s: str or int. Numbers are `least` to `most`, where those are given."""

    __slots__ = ("choices", "default", "element", "kind", "least", "most", "name", "summary")

    def __init__(
        self,
        name: str,
        kind: type,
        default: object,
        summary: str = "",
        choices: tuple[str, ...] = (),
        element: type = str,
        least: int | None = None,
        most: int | None = None,
    ) -> None:
        self.name = name
        self.kind = kind
        self.default = default
        self.summary = summary
        self.choices = choices
        self.element = element
        self.least = least
        self.most = most

    def refusal(self, value: object) -> str | None:
        """Why a number is out of the option's range; None where it is not."""
        numbers = value if isinstance(value, tuple | list) else (value,)
        for number in numbers:
            if not isinstance(number, int | float):
                continue
            if self.least is not None and number < self.least:
                return f"{self.name} is {number}, expected at least {self.least}"
            if self.most is not None and number > self.most:
                return f"{self.name} is {number}, expected at most {self.most}"
        return None

    @property
    def attribute(self) -> str:
        """The name of the pass object's attribute that holds this option's value."""
        return self.name.replace("-", "_")


class Pass:
    """A transformation of one operation and what it contains."""

    name: ClassVar[str]
    summary: ClassVar[str] = ""
    anchor: ClassVar[str | None] = None
    options: ClassVar[tuple[Option, ...]] = ()
    #: Who has brought it, in words; empty of xgpu's own.
    owner: ClassVar[str] = ""

    def __init__(self, **values: object) -> None:
        known = {o.attribute: o for o in self.options}
        for name, value in values.items():
            if name not in known:
                raise TypeError(f"{self.name} has no option '{name}'")
            setattr(self, name, value)
        for name, option in known.items():
            if name not in values:
                setattr(self, name, option.default)

    def run(self, op: Operation, ctx: Context) -> None:
        """Transforms `op` in place; raises `DiagnosticError` where MLIR's pass would fail."""
        raise NotImplementedError
