# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xDSL's own passes and targets, inside xgpu-opt (`-p`, `-t`).

xDSL's passes know xDSL's operation classes and ours are others, so IR crosses over as generic
text: print, read with xDSL's context, run, print, read again.
"""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any

from xdsl.utils.exceptions import DiagnosticException

from xgpu.ir.errors import Diagnostic, DiagnosticError, UsageError
from xgpu.passes.base import Pass
from xgpu.passes.pipeline_text import make_pass, parse_elements
from xgpu.passes.registry import PASSES, nearest

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation


#: Dialects of which xDSL has a part that refuses what MLIR 22.1 writes, in the order in which ours
#: take their place until a module can be read.
_OVERLAYS: tuple[tuple[str, ...], ...] = ((), ("gpu",), ("gpu", "llvm"), ("*",))


def _xdsl_context(overlay: tuple[str, ...] = ()) -> Context:
    """A context of xDSL's dialects, with ours in place of those in `overlay` ("*": of all)."""
    from xdsl.context import Context
    from xdsl.universe import Universe

    from xgpu.universe import get_all_dialects

    ours = get_all_dialects()
    context = Context(allow_unregistered=True)
    for name, factory in {**ours, **Universe.get_multiverse().all_dialects}.items():
        if name in ours and (name in overlay or "*" in overlay):
            context.register_dialect(name, ours[name])
        else:
            context.register_dialect(name, factory)
    return context


def read_with(context: Context, text: str, name: str) -> ModuleOp:
    """Generic text as a module of the classes that `context` knows, verified."""
    from xdsl.parser import Parser
    from xdsl.utils.exceptions import ParseError

    try:
        module = Parser(context, text, f"<{name}>").parse_module()
        module.verify()
    except (ParseError, DiagnosticException, NotImplementedError, ValueError) as e:
        raise DiagnosticError(
            Diagnostic("error", f"xDSL cannot read this IR: {first_line(e)}")
        ) from None
    return module


def _to_xdsl(op: Operation) -> tuple[Context, ModuleOp]:
    """`op` as a module of xDSL's classes, as far as they go, and the context that read it."""
    from xgpu.syntax import print_module

    text = print_module(op, generic=True, local_scope=True)
    for overlay in _OVERLAYS[:-1]:
        context = _xdsl_context(overlay)
        try:
            return context, read_with(context, text, "xgpu")
        except DiagnosticError:
            continue
    context = _xdsl_context(_OVERLAYS[-1])
    return context, read_with(context, text, "xgpu")


def generic_text(module: ModuleOp) -> str:
    """xDSL's generic form of a module."""
    from xdsl.printer import Printer

    stream = StringIO()
    Printer(stream, print_generic_format=True).print_op(module)
    return stream.getvalue()


def replace_body(module: Operation, source: Operation) -> None:
    """Gives `module` the body of `source`, which loses it."""
    new = source.regions[0]
    block = new.blocks[0]
    new.detach_block(block)
    old = module.regions[0]
    gone = old.blocks[0]
    old.detach_block(gone)
    gone.erase(safe_erase=False)
    old.add_block(block)


def first_line(e: BaseException) -> str:
    """The line of an exception's text that says what is wrong."""
    lines = [line.strip() for line in str(e).splitlines() if line.strip()]
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
        from xdsl.universe import Universe

        from xgpu.syntax import parse_module

        available: Any = Universe.get_multiverse().all_passes
        try:
            pipeline = PassPipeline.parse_spec(available, self.spec)
        except Exception as e:  # xDSL raises several kinds for a wrong option
            raise UsageError(f"-p {self.spec}: {first_line(e)}") from None
        context, module = _to_xdsl(op)
        try:
            pipeline.apply(context, module)
        except DiagnosticException as e:
            raise DiagnosticError(
                Diagnostic("error", f"{self.spec}: {first_line(e)}", op.location)
            ) from None
        replace_body(op, parse_module(generic_text(module), "<xdsl>", allow_unregistered=True))


def passes_of(pipeline: str) -> list[Pass]:
    """The passes that `-p pipeline` names: ours where we have one of that name, else xDSL's."""
    from xdsl.universe import Universe

    theirs = Universe.get_multiverse().all_passes
    found: list[Pass] = []
    for element in parse_elements(pipeline):
        if element.name in PASSES:
            found.append(make_pass(element.name, element.options))
        elif element.name in theirs:
            options = f"{{{element.options}}}" if element.options else ""
            found.append(XdslPass(element.name + options))
        else:
            near = nearest(element.name, [*PASSES, *theirs])
            hint = f", did you mean '{near}'?" if near else ""
            raise UsageError(f"unknown pass '{element.name}'{hint}")
    return found


def emit_target(op: Operation, spec: str) -> str:
    """The text that xDSL's target `spec` makes of `op`."""
    from xdsl.universe import Universe
    from xdsl.utils.arg_spec import parse_spec

    targets: Any = Universe.get_multiverse().all_targets
    name = spec.partition("{")[0]
    if name not in targets:
        near = nearest(name, targets)
        raise UsageError(f"unknown target '{name}'" + (f", did you mean '{near}'?" if near else ""))
    context, module = _to_xdsl(op)
    target = targets[name]()
    stream = StringIO()
    try:
        if isinstance(target, type):
            target: Any = target
            target.from_spec(parse_spec(spec)).emit(context, module, stream)
        else:
            target(module, stream)
    except DiagnosticException as e:
        raise DiagnosticError(
            Diagnostic("error", f"{name}: {first_line(e)}", op.location)
        ) from None
    return stream.getvalue()
