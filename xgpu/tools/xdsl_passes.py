# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xDSL's own passes and targets, inside xgpu-opt (`-p`, `-t`), and those of plugins.

xDSL's passes know xDSL's operation classes and ours are others, so operations cross over before
such a pass and back after it (`xgpu.syntax.crossing`), one by one and as the same objects. One that
xDSL's class refuses stays ours; the pass does not see it, and a warning says so.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from io import StringIO
from typing import TYPE_CHECKING, Any, cast

from xdsl.utils.exceptions import DiagnosticException

from xgpu.ir.errors import Diagnostic, DiagnosticError, UsageError, words_of
from xgpu.ir.nearest import nearest, unknown_pass
from xgpu.passes.base import Option, Pass
from xgpu.passes.pipeline_text import make_pass, parse_elements
from xgpu.passes.registry import PASSES

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation
    from xdsl.passes import ModulePass
    from xdsl.universe import Universe


def _universe() -> Universe:
    """Everything that the environment's projects offer. UsageError where two define one name."""
    from xdsl.universe import Universe

    try:
        return Universe.get_multiverse()
    except ValueError as e:
        raise UsageError(f"universes of this environment disagree: {e}") from None


@cache
def _xdsl_context() -> Context:
    """A context of all dialects of the environment, xDSL's where both have one."""
    from xdsl.context import Context

    from xgpu.ods.dialect import dialect_factories

    context = Context(allow_unregistered=True)
    for name, factory in {**dialect_factories(), **_universe().all_dialects}.items():
        context.register_dialect(name, factory)
    return context


@contextmanager
def lent(op: Operation, by: str) -> Generator[tuple[Context, ModuleOp]]:
    """`op` with its operations in xDSL's classes, as far as they go, while the block runs."""
    from xgpu.syntax import diagnostics
    from xgpu.syntax.crossing import Crossing, lend

    context = _xdsl_context()
    for refusal in lend(op, context, by):
        diagnostics.emit(refusal)
    module = cast("ModuleOp", op)
    try:
        yield context, module
    except (DiagnosticError, UsageError):
        raise
    except Exception as e:  # whatever a pass of others raises, it is not a defect of ours
        what = "" if isinstance(e, DiagnosticException) else f"{type(e).__name__}: "
        raise DiagnosticError(
            Diagnostic("error", f"{by}: {what}{first_line(e)}", op.location)
        ) from None
    finally:
        Crossing(op)


def first_line(e: BaseException) -> str:
    """The line of an exception's text that says what is wrong."""
    lines = [line.strip() for line in words_of(e).splitlines() if line.strip()]
    marked = [line for line in lines if "^" not in line]
    return (marked or lines or [type(e).__name__])[-1]


class XdslPass(Pass):
    """One of xDSL's passes, given as its pipeline text."""

    name = "xdsl"
    anchor = "builtin.module"

    def __init__(self, spec: str) -> None:
        super().__init__()
        self.spec = spec

    def run(self, op: Operation, ctx: Context) -> None:
        from xdsl.passes import PassPipeline

        available = _universe().all_passes
        try:
            pipeline = PassPipeline.parse_spec(available, self.spec)
        except Exception as e:  # xDSL raises several kinds for a wrong option
            raise UsageError(f"-p {self.spec}: {first_line(e)}") from None
        with lent(op, self.spec) as (context, module):
            pipeline.apply(context, module)


def wrapped(name: str, cls: type[ModulePass]) -> type[Pass]:
    """A pass of xDSL's kind as one of ours, with its fields as options."""
    from dataclasses import MISSING, fields

    declared = tuple(
        Option(field.name.replace("_", "-"), _kind(field.type), field.default)
        for field in fields(cls)
        if field.default is not MISSING
    )

    def run(self: Any, op: Operation, ctx: Context) -> None:
        values = {option.attribute: getattr(self, option.attribute) for option in declared}
        with lent(op, name) as (context, module):
            cls(**values).apply(context, module)

    summary = (cls.__doc__ or "").strip().split("\n")[0]
    return type(
        cls.__name__,
        (Pass,),
        {
            "name": name,
            "anchor": "builtin.module",
            "summary": summary,
            "options": declared,
            "run": run,
        },
    )


def _kind(type: object) -> Any:
    """The kind of our option for the type of a field."""
    words = type if isinstance(type, str) else getattr(type, "__name__", str(type))
    for kind in (bool, int, float, str):
        if words.partition(" ")[0] == kind.__name__:
            return kind
    return list if words.startswith("tuple") else str


def passes_of(pipeline: str) -> list[Pass]:
    """The passes that `-p pipeline` names: ours where we have one of that name, else xDSL's."""
    theirs = _universe().all_passes
    found: list[Pass] = []
    for element in parse_elements(pipeline):
        if element.name in PASSES:
            found.append(make_pass(element.name, element.options))
        elif element.name in theirs:
            options = f"{{{element.options}}}" if element.options else ""
            found.append(XdslPass(element.name + options))
        else:
            hint = unknown_pass(element.name, [*PASSES, *theirs])
            raise UsageError(f"unknown pass '{element.name}'{hint}")
    return found


def emit_target(op: Operation, spec: str) -> str:
    """The text that xDSL's target `spec` makes of `op`."""
    from xdsl.utils.arg_spec import parse_spec

    targets = _universe().all_targets
    name = spec.partition("{")[0]
    if name not in targets:
        near = nearest(name, targets)
        raise UsageError(f"unknown target '{name}'" + (f", did you mean '{near}'?" if near else ""))
    target = targets[name]()
    stream = StringIO()
    with lent(op, name) as (context, module):
        if isinstance(target, type):
            target: Any = target
            target.from_spec(parse_spec(spec)).emit(context, module, stream)
        else:
            target(module, stream)
    return stream.getvalue()
