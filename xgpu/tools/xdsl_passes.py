# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xDSL's own passes and targets, inside xgpu-opt (`-p`, `-t`), and those of plugins.

xDSL's passes know xDSL's operation classes and ours are others, so operations are converted before
such a pass and converted back after it (`xgpu.core.syntax.interop`), one by one and as the same
objects. One that xDSL's class refuses stays ours; the pass does not see it, and a warning says so.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import MISSING, Field, fields
from functools import cache
from io import StringIO
from typing import TYPE_CHECKING, Any, cast

from xdsl.utils.exceptions import DiagnosticException

from xgpu.core.ir.errors import Diagnostic, DiagnosticError, UsageError, words_of
from xgpu.core.ir.services import other_passes
from xgpu.core.ir.suggestions import nearest, unknown_pass
from xgpu.core.passes.base import Option, Pass
from xgpu.core.passes.manager import outside_error
from xgpu.core.passes.pipeline_text import make_pass, parse_elements
from xgpu.core.passes.registry import PASSES, owner_of

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation
    from xdsl.passes import ModulePass
    from xdsl.universe import Universe


def _universe() -> Universe:
    """Everything that the environment's projects offer. UsageError where two define one name, and
    where one cannot be loaded."""
    from xdsl.universe import Universe

    other_passes().installed_pass("")  # says which package is broken, if one is
    try:
        return Universe.get_multiverse()
    except ValueError as e:
        raise UsageError(f"universes of this environment disagree: {e}") from None


@cache
def _xdsl_context() -> Context:
    """A context of all dialects of the environment, xDSL's where both have one."""
    from xdsl.context import Context

    from xgpu.core.ods.dialect import dialect_factories

    context = Context(allow_unregistered=True)
    for name, factory in {**dialect_factories(), **_universe().all_dialects}.items():
        context.register_dialect(name, factory)
    return context


@contextmanager
def lent(op: Operation, by: str, owner: str = "") -> Generator[tuple[Context, ModuleOp]]:
    """`op` with its operations in xDSL's classes, as far as they go, while the block runs."""
    from xgpu.core.syntax import diagnostics
    from xgpu.core.syntax.interop import ClassConversion, lend

    context = _xdsl_context()
    for refusal in lend(op, context, by):
        diagnostics.emit(refusal)
    module = cast("ModuleOp", op)
    try:
        yield context, module
    except (DiagnosticError, UsageError):
        raise
    except DiagnosticException as e:  # an error that the pass reports
        raise DiagnosticError(Diagnostic("error", f"{by}: {first_line(e)}", op.location)) from None
    except Exception as e:  # whatever else a pass of others raises is a defect, but not ours
        raise outside_error(by, owner, op, e) from e
    finally:
        ClassConversion(op)


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
    declared = tuple(
        Option(field.name.replace("_", "-"), kind, _default(field), element=element)
        for field in fields(cls)
        if field.init
        for kind, element in (_kind(field.type),)
    )

    def run(self: Any, op: Operation, ctx: Context) -> None:
        values = {option.attribute: getattr(self, option.attribute) for option in declared}
        missing = [option.name for option in declared if values[option.attribute] is MISSING]
        if missing:
            raise UsageError(f"{name}: the option '{missing[0]}' must be given")
        owner = owner_of(name)
        with lent(op, name, f" of {owner}" if owner else "") as (context, module):
            cls(**values).apply(context, module)

    return type(
        cls.__name__,
        (Pass,),
        {
            "name": name,
            "anchor": "builtin.module",
            "summary": _summary(cls),
            "options": declared,
            "run": run,
        },
    )


def _default(field: Field[Any]) -> object:
    """The default of a field; MISSING of one that has to be given."""
    return field.default_factory() if field.default_factory is not MISSING else field.default


def _summary(cls: type) -> str:
    """The first line of a class's docstring, if one was written: the signature that `dataclass`
    puts there says nothing."""
    text = (cls.__doc__ or "").strip()
    generated = text == cls.__name__ or text.startswith(f"{cls.__name__}(")
    return "" if generated else text.split("\n")[0]


def _kind(annotation: object) -> tuple[type, type]:
    """The kind of our option for the type of a field, and that of a list's elements."""
    words = str(annotation)  # a text, tuple[int, ...], int | None
    if isinstance(annotation, type) and not hasattr(annotation, "__args__"):
        words = annotation.__name__
    simple: dict[str, type] = {"bool": bool, "int": int, "float": float, "str": str}
    if words.startswith("tuple"):
        element = words.partition("[")[2].partition(",")[0].strip()
        return list, simple.get(element, str)
    return simple.get(words.partition(" ")[0], str), str


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
