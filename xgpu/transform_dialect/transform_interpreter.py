# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform-interpreter: runs a transform program on the payload around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import IntegerAttr, IntegerType, StringAttr

from xgpu.core.ir.errors import error
from xgpu.core.ir.symbols import symbol_name
from xgpu.core.passes.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


class TransformInterpreter(Pass):
    """Runs the named sequence that is the entry point."""

    name = "transform-interpreter"
    summary = "transform dialect interpreter"
    options = (
        Option(
            "debug-payload-root-tag",
            str,
            "",
            "Select the operation with 'transform.target_tag' attribute having the given value as "
            "payload IR root. If empty select the pass anchor operation as the payload IR root.",
        ),
        Option(
            "debug-bind-trailing-args",
            list,
            (),
            "Binds trailing arguments of the entry point to the payload operations with specified "
            "names.",
        ),
        Option(
            "disable-expensive-checks", bool, False, "Disable expensive checks for a faster run."
        ),
        Option("entry-point", str, "__transform_main", "Entry point of the pass pipeline."),
    )

    debug_payload_root_tag: str
    debug_bind_trailing_args: tuple[str, ...]
    disable_expensive_checks: bool
    entry_point: str

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.transform_dialect.interpreter import run_program
        from xgpu.transform_dialect.state import State

        root = self._payload_root(op)
        entry = self._entry(op)
        state = State(root, ctx, checks=not self.disable_expensive_checks)
        run_program(
            entry, state, [self._bound(root, text) for text in self.debug_bind_trailing_args]
        )

    def _payload_root(self, op: Operation) -> Operation:
        tag = self.debug_payload_root_tag
        if not tag:
            return op
        found: list[Operation] = []
        for inner in op.walk():
            attr = inner.attributes.get("transform.target_tag")
            if isinstance(attr, StringAttr) and attr.data == tag:
                found.append(inner)
        if not found:
            raise error(
                op, f'could not find the operation with transform.target_tag="{tag}" attribute'
            )
        if len(found) > 1:
            raise error(
                found[1],
                f'repeated operation with transform.target_tag="{tag}" attribute',
                [(found[0].location, "previously seen operation")],
            )
        return found[0]

    def _entry(self, op: Operation) -> Operation:
        for inner in op.walk():
            if inner.name == "transform.named_sequence" and symbol_name(inner) == self.entry_point:
                return inner
        raise error(op, f"could not find a nested named sequence with name: {self.entry_point}")

    def _bound(self, root: Operation, text: str) -> list[Any]:
        """Operations of a name; results of them for `^name`; parameters for `#1;2`."""
        if text.startswith("#"):
            i64 = IntegerType(64)
            return [IntegerAttr(int(p), i64) for p in text[1:].split(";")]
        if text.startswith("^"):
            return [r for o in root.walk() if o.name == text[1:] for r in o.results]
        return [o for o in root.walk() if o.name == text]
