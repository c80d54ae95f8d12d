# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Watching passes: printing IR around them, and timing them."""

from __future__ import annotations

from time import perf_counter, process_time
from typing import TYPE_CHECKING

from xgpu.core.passes.manager import Instrumentation, PassManager
from xgpu.core.syntax import print_module
from xgpu.tools.process import say

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.passes.base import Pass
    from xgpu.tools.command_line import Arguments


class PrintIR(Instrumentation):
    """`--mlir-print-ir-before/after[-all|-change|-failure]`, on stderr."""

    def __init__(self, arguments: Arguments) -> None:
        self.arguments = arguments
        self.remembered: dict[tuple[Pass, Operation], str] = {}

    def _text(self, op: Operation) -> str:
        a = self.arguments
        top = op
        if a.print_module_scope:
            while (parent := top.parent_op()) is not None:
                top = parent
        return print_module(
            top, generic=a.generic, debuginfo=a.debuginfo, local_scope=a.local_scope
        ).rstrip("\n")

    def _show(self, when: tuple[str, str], p: Pass, op: Operation, text: str) -> None:
        scope = ""
        if self.arguments.print_module_scope and op.parent is not None:
            symbol = op.properties.get("sym_name")
            name = f" @{getattr(symbol, 'data', '')}" if symbol is not None else ""
            scope = f" ('{op.name}' operation:{name})" if name else f" ('{op.name}' operation)"
        title = f"IR Dump {when[0]} {type(p).__name__}{when[1]} ({p.name}){scope}"
        say(f"// -----// {title} //----- //\n{text}\n\n")
        if op.name == "builtin.module":
            say("\n")

    def before(self, p: Pass, op: Operation) -> None:
        a = self.arguments
        if a.print_after_change:
            self.remembered[p, op] = self._text(op)
        if a.print_before_all or p.name in a.print_before:
            self._show(("Before", ""), p, op, self._text(op))

    def after(self, p: Pass, op: Operation) -> None:
        a = self.arguments
        before = self.remembered.pop((p, op), None)
        if a.print_after_failure or not (a.print_after_all or p.name in a.print_after):
            return
        text = self._text(op)
        if before is None or before != text:
            self._show(("After", ""), p, op, text)

    def failed(self, p: Pass, op: Operation) -> None:
        a = self.arguments
        if a.print_after_failure or a.print_after_all or p.name in a.print_after:
            self._show(("After", " Failed"), p, op, self._text(op))


class Timing(Instrumentation):
    """`--mlir-timing`: wall and processor time of reading, each pass, and printing."""

    def __init__(self) -> None:
        self.started = (perf_counter(), process_time())
        self.rows: list[list[object]] = []  # [depth, name, processor seconds, wall seconds]
        self.open: list[tuple[int, float, float]] = []
        self.index: dict[tuple[int, str, int], int] = {}

    def begin(self, name: str) -> None:
        """Opens a row under the row that is open; the same name there adds to it."""
        parent = self.open[-1][0] if self.open else -1
        key = (len(self.open), name, parent)
        row = self.index.get(key)
        if row is None:
            row = len(self.rows)
            self.index[key] = row
            self.rows.append([len(self.open), name, 0.0, 0.0])
        self.open.append((row, perf_counter(), process_time()))

    def end(self) -> None:
        """Closes the row that is open."""
        row, wall, cpu = self.open.pop()
        entry = self.rows[row]
        entry[2] = float(entry[2]) + process_time() - cpu  # type: ignore[arg-type]
        entry[3] = float(entry[3]) + perf_counter() - wall  # type: ignore[arg-type]

    def before(self, p: Pass, op: Operation) -> None:
        self.begin(type(p).__name__)

    def after(self, p: Pass, op: Operation) -> None:
        self.end()

    def failed(self, p: Pass, op: Operation) -> None:
        self.end()

    def before_nested(self, manager: PassManager, op: Operation) -> None:
        self.begin(f"'{manager.anchor}' Pipeline")

    def after_nested(self, manager: PassManager, op: Operation) -> None:
        self.end()

    def report(self, display: str = "tree", form: str = "text") -> str:
        """The report; `display` "tree" or "list" (longest first), `form` "text" or "json"."""
        while self.open:
            self.end()
        wall = perf_counter() - self.started[0]
        cpu = process_time() - self.started[1]
        rows = [(int(d), str(n), float(c), float(w)) for d, n, c, w in self.rows]  # type: ignore
        top_cpu = sum(c for d, _, c, _ in rows if d == 0)
        top_wall = sum(w for d, _, _, w in rows if d == 0)
        rows.append((0, "Rest", max(cpu - top_cpu, 0.0), max(wall - top_wall, 0.0)))
        if display == "list":
            rows.sort(key=lambda r: -r[3])
        rows.append((0, "Total", cpu, wall))
        if form == "json":
            import json

            return json.dumps(
                [
                    {
                        "wall": {"duration": w, "percentage": 100 * w / wall},
                        "user": {"duration": c, "percentage": 100 * c / (cpu or 1)},
                        "name": n,
                        "depth": d,
                    }
                    for d, n, c, w in rows
                ]
            )
        rule = f"==={'-' * 73}==="
        lines = [
            rule,
            "... Execution time report ...".center(79).rstrip(),
            rule,
            f"  Total Execution Time: {wall:.4f} seconds\n",
            "  ----User Time----  ----Wall Time----  ----Name----",
        ]
        for depth, name, c, w in rows:
            indent = "" if display == "list" else "  " * depth
            lines.append(
                f"  {c:8.4f} ({100 * c / (cpu or 1):5.1f}%)  {w:8.4f} ({100 * w / wall:5.1f}%)"
                f"  {indent}{name}"
            )
        return "\n".join(lines) + "\n"
