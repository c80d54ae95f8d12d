# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running passes: on an operation, and on each operation nested in it.

A `PassManager` runs on operations of one name (or on "any"), and holds passes and nested managers.
A nested manager runs, whole, on each operation of its name that stands directly in the one that the
outer manager runs on: MLIR's rule. After each pass the operation is verified.

`Instrumentation` learns what happens, for printing IR, timing and verification.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from xgpu.core.ir.errors import (
    DeviceError,
    Diagnostic,
    DiagnosticError,
    UsageError,
    public_part,
    raised_at,
    require_operation,
)
from xgpu.core.passes.base import Option, Pass
from xgpu.core.support.process import rare_collections

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation

# Interfaces that a pass may be anchored on, and who has them.
INTERFACES: dict[str, frozenset[str]] = {
    "FunctionOpInterface": frozenset(("func.func", "gpu.func", "llvm.func", "async.func")),
}


class Instrumentation:
    """What wants to know of passes: override what you need."""

    def before(self, p: Pass, op: Operation) -> None: ...

    def after(self, p: Pass, op: Operation) -> None: ...

    def failed(self, p: Pass, op: Operation) -> None: ...

    def before_nested(self, manager: PassManager, op: Operation) -> None: ...

    def after_nested(self, manager: PassManager, op: Operation) -> None: ...


class VerifyEach(Instrumentation):
    """Verifies what a pass has run on."""

    def after(self, p: Pass, op: Operation) -> None:
        from xgpu.core.syntax.verify import verify_op

        verify_op(op)


class Pipeline:
    """A named pipeline: MLIR's name and options, and how it fills a pass manager."""

    name: ClassVar[str]
    summary: ClassVar[str] = ""
    options: ClassVar[tuple[Option, ...]] = ()

    def __init__(self, **values: object) -> None:
        known = {o.attribute: o for o in self.options}
        for name in values:
            if name not in known:
                raise TypeError(f"{self.name} has no option '{name}'")
        for name, option in known.items():
            setattr(self, name, values.get(name, option.default))

    def build(self, manager: PassManager) -> None:
        """Adds this pipeline's passes to `manager`."""
        raise NotImplementedError


class PassManager:
    """Passes and nested managers that run, in order, on operations named `anchor`."""

    __slots__ = ("anchor", "implicit", "items")

    def __init__(self, anchor: str = "builtin.module", *, implicit: bool = False) -> None:
        self.anchor = anchor
        self.implicit = implicit
        self.items: list[Pass | PassManager] = []

    # --- building --------------------------------------------------------------------------
    def nest(self, anchor: str) -> PassManager:
        """A new manager, nested here, for operations named `anchor`."""
        inner = PassManager(anchor, implicit=self.implicit)
        self.items.append(inner)
        return inner

    def add(self, p: Pass) -> None:
        """Adds a pass; one for another operation nests itself where nesting is implicit."""
        anchor = p.anchor
        if anchor is None or anchor == self.anchor or self._implements(anchor):
            self.items.append(p)
        elif self.implicit and anchor not in INTERFACES:
            self.nest(anchor).items.append(p)
        elif anchor in INTERFACES:
            raise UsageError(
                f"unable to schedule pass '{p.name}' on a PassManager intended to run on "
                f"'{self.anchor}'! It runs on functions: nest it, e.g. in func.func(...)"
            )
        else:
            raise UsageError(
                f"can't add pass '{p.name}' restricted to '{anchor}' on a PassManager intended "
                f"to run on '{self.anchor}', did you intend to nest?"
            )

    def _implements(self, anchor: str) -> bool:
        return anchor in INTERFACES and (self.anchor == "any" or self.anchor in INTERFACES[anchor])

    def passes(self) -> Iterator[Pass]:
        """All passes, nested ones too, in order."""
        for item in self.items:
            if isinstance(item, PassManager):
                yield from item.passes()
            else:
                yield item

    # --- running ---------------------------------------------------------------------------
    @public_part
    def run(
        self,
        op: Operation,
        ctx: Context,
        instruments: list[Instrumentation] | None = None,
    ) -> None:
        """Runs everything on `op`. Raises what the passes raise.

        Operations of other classes than ours, of names that we define, are ours meanwhile.
        """
        require_operation(op)
        if self.anchor not in ("any", op.name):
            raise DiagnosticError(
                Diagnostic(
                    "error",
                    f"can't run '{self.anchor}' pass manager on '{op.name}' op",
                    op.location,
                )
            )
        from xgpu.core.ods.registry import is_ours

        if is_ours(op):
            with rare_collections():
                self._run(op, ctx, instruments or [])
            return
        from xgpu.core.syntax.interop import ClassConversion

        with rare_collections(), ClassConversion(op).returning_to(ctx, f"'{self}'"):
            self._run(op, ctx, instruments or [])

    def _run(self, op: Operation, ctx: Context, instruments: list[Instrumentation]) -> None:
        group: list[PassManager] = []
        for item in self.items:
            if isinstance(item, PassManager):
                group.append(item)
                continue
            self._run_nested(group, op, ctx, instruments)
            group = []
            _run_pass(item, op, ctx, instruments)
        self._run_nested(group, op, ctx, instruments)

    def _run_nested(
        self,
        group: list[PassManager],
        op: Operation,
        ctx: Context,
        instruments: list[Instrumentation],
    ) -> None:
        """Runs adjacent nested managers: each operation takes all of its own before the next."""
        if not group:
            return
        for instrument in instruments:
            instrument.before_nested(group[0], op)
        nested = [o for region in op.regions for block in region.blocks for o in block.ops]
        for inner_op in nested:
            for manager in group:
                if manager.anchor == inner_op.name or (
                    manager.anchor == "any" and _can_nest(inner_op)
                ):
                    manager._run(inner_op, ctx, instruments)
        for instrument in reversed(instruments):
            instrument.after_nested(group[0], op)

    # --- text ------------------------------------------------------------------------------
    def text(self, indent: int = 0) -> str:
        """The pipeline as `--dump-pass-pipeline` shows it."""
        pad = "  " * (indent + 1)
        lines = [
            item.text(indent + 1) if isinstance(item, PassManager) else pass_text(item)
            for item in self.items
        ]
        body = ",\n".join(pad + line for line in lines)
        return f"{self.anchor}(\n{body}\n{'  ' * indent})"

    def __str__(self) -> str:
        parts = [str(i) if isinstance(i, PassManager) else pass_text(i) for i in self.items]
        return f"{self.anchor}({','.join(parts)})"


def _can_nest(op: Operation) -> bool:
    """Whether an "any" manager takes `op`: MLIR asks for isolation from above."""
    from xgpu.core import ods

    spec = ods.op_spec(op.name)
    return op.name == "builtin.module" or (spec is not None and "IsolatedFromAbove" in spec.traits)


def _run_pass(p: Pass, op: Operation, ctx: Context, instruments: list[Instrumentation]) -> None:
    for instrument in instruments:
        instrument.before(p, op)
    try:
        p.run(op, ctx)
        for instrument in reversed(instruments):
            instrument.after(p, op)
    except BaseException as problem:
        for instrument in reversed(instruments):
            instrument.failed(p, op)
        if isinstance(problem, Exception) and not type(p).__module__.startswith("xgpu."):
            _raise_of_others(p, op, problem)
        raise


def _raise_of_others(p: Pass, op: Operation, problem: Exception) -> None:
    """Raises what a pass that is not ours has raised, as a diagnostic that names it and its place:
    nothing of xgpu is broken. A diagnostic without a place gets the operation's."""
    if isinstance(problem, DiagnosticError):
        for diagnostic in problem.diagnostics:
            diagnostic.location = diagnostic.location or op.location
        return
    if isinstance(problem, UsageError | DeviceError):
        return
    owner = f" of {p.owner}" if p.owner else ""
    raise outside_error(p.name, owner, op, problem) from problem


def outside_error(name: str, owner: str, op: Operation, problem: Exception) -> DiagnosticError:
    """A diagnostic at `op` for what the code of another project, the pass `name`, has raised."""
    words = f"{type(problem).__name__}: {problem}" if str(problem) else type(problem).__name__
    text = f"the pass '{name}'{owner} raised {words}{raised_at(problem)}"
    return DiagnosticError(Diagnostic("error", text, op.location))


def _value_text(value: int | str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return "{" + ",".join(str(v) for v in value) + "}"
    text = str(value)
    return f"{{{text}}}" if " " in text else text


def pass_text(p: Pass | Pipeline) -> str:
    """`name{option=value ...}` with all options, as the pipeline parser reads it."""
    if not p.options:
        return p.name
    parts: list[str] = []
    for option in sorted(p.options, key=lambda o: o.name):
        value = getattr(p, option.attribute)
        # mlir-opt leaves an empty list out, and not the blank behind it.
        is_left_out = option.kind is list and not value
        parts.append("" if is_left_out else f"{option.name}={_value_text(value)}")
    return f"{p.name}{{{' '.join(parts)}}}"
