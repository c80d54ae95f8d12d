# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Watching passes: printing IR around them, timing and logging them, showing how far they are."""

from __future__ import annotations

import json
import os
import sys
from threading import Timer, get_native_id
from time import perf_counter, process_time
from typing import TextIO

from xdsl.ir import Operation

from xgpu.core.ir.errors import UsageError
from xgpu.core.passes.base import Pass
from xgpu.core.passes.manager import Instrumentation, PassManager
from xgpu.core.syntax.printer import print_op
from xgpu.tools.command_line import Arguments, printed
from xgpu.tools.process import say


class PrintIR(Instrumentation):
    """`--mlir-print-ir-before/after[-all|-change|-failure]`, on stderr, or in files of the folder
    `--mlir-print-ir-tree-dir`."""

    def __init__(self, arguments: Arguments) -> None:
        self.arguments = arguments
        self.remembered: dict[tuple[Pass, Operation], str] = {}
        #: How often an operation was printed into a file, counted from 0.
        self.printed: dict[Operation, int] = {}

    def _text(self, op: Operation) -> str:
        shown = self._top(op) if self.arguments.print_module_scope else op
        return printed(shown, self.arguments).rstrip("\n")

    def _top(self, op: Operation) -> Operation:
        """The operation around all."""
        while (parent := op.parent_op()) is not None:
            op = parent
        return op

    def _show(self, when: tuple[str, str], p: Pass, op: Operation, text: str) -> None:
        scope = ""
        if self.arguments.print_module_scope:
            symbol = op.get_attr_or_prop("sym_name")
            name = f" @{getattr(symbol, 'data', '')}" if symbol is not None else ""
            scope = f" ('{op.name}' operation:{name})" if name else f" ('{op.name}' operation)"
        title = f"IR Dump {when[0]} {type(p).__name__}{when[1]} ({p.name}){scope}"
        # A module ends with a line of its own, unless locations stand in place.
        is_module = bool(scope) or op.name == "builtin.module"
        end = "\n" if is_module and not self.arguments.local_scope else ""
        text = f"// -----// {title} //----- //\n{text}\n\n{end}"
        if self.arguments.print_tree is None:
            say(text)
        else:
            self._write(p, op, text)

    def _write(self, p: Pass, op: Operation, text: str) -> None:
        """Writes a file of the tree, whose folders are those of the operations around `op`."""
        printed = self.printed
        printed[op] = printed.get(op, -1) + 1
        names: list[str] = []
        counts: list[str] = []
        inner: Operation | None = op
        while inner is not None:
            symbol = getattr(inner.get_attr_or_prop("sym_name"), "data", "no-symbol-name")
            names.append(f"{inner.name}_{symbol}".replace(".", "_", 1).replace("/", "_"))
            counts.append(str(printed.setdefault(inner, 0)))
            inner = inner.parent_op()
        folder = os.path.join(self.arguments.print_tree, *reversed(names))
        path = os.path.join(folder, f"{'_'.join(reversed(counts))}_{p.name}.mlir")
        try:
            os.makedirs(folder, exist_ok=True)
            with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(text)
        except OSError as e:
            raise UsageError(f"cannot write output file '{path}': {e.strerror}") from None

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


class ActionLog(Instrumentation):
    """`--log-actions-to`: a line where a pass begins and one where it ends, as they happen."""

    def __init__(self, path: str) -> None:
        self.file = _opened(path)

    def _begin(self, what: str, op: Operation) -> None:
        text = print_op(op, local_scope=True, skip_regions=True)
        self.file.write(
            f"[thread mlir-opt] begins (no breakpoint) Action `pass-execution` running `{what}` on "
            f"Operation `{op.name}` ({text})`\n"
        )
        self.file.flush()

    def _end(self) -> None:
        self.file.write("[thread mlir-opt] completed `pass-execution`\n")
        self.file.flush()

    def before(self, p: Pass, op: Operation) -> None:
        self._begin(type(p).__name__, op)

    def after(self, p: Pass, op: Operation) -> None:
        self._end()

    def failed(self, p: Pass, op: Operation) -> None:
        self._end()

    def before_nested(self, manager: PassManager, op: Operation) -> None:
        self._begin(_NESTED, op)

    def after_nested(self, manager: PassManager, op: Operation) -> None:
        self._end()


#: What MLIR calls the pass that runs nested pass managers.
_NESTED = "mlir::detail::OpToOpPassAdaptor"


class ActionProfile(Instrumentation):
    """`--profile-actions-to`: the passes as events of a Chrome trace."""

    def __init__(self, path: str) -> None:
        self.file = _opened(path)
        self.started = perf_counter()
        self.separator = "["

    def _write(self, phase: str, **more: object) -> None:
        event = {
            "name": "pass-execution", "cat": "PERF", "ph": phase, "pid": 0,
            "tid": get_native_id(), "ts": int(1e6 * (perf_counter() - self.started)), **more,
        }  # fmt: skip
        self.file.write(f"{self.separator}{json.dumps(event)}")
        self.separator = ",\n"

    def _begin(self, what: str, op: Operation) -> None:
        words = f"`pass-execution` running `{what}` on Operation `{op.name}`"
        self._write("B", args={"desc": words})

    def before(self, p: Pass, op: Operation) -> None:
        self._begin(type(p).__name__, op)

    def after(self, p: Pass, op: Operation) -> None:
        self._write("E")

    def failed(self, p: Pass, op: Operation) -> None:
        self._write("E")

    def before_nested(self, manager: PassManager, op: Operation) -> None:
        self._begin(_NESTED, op)

    def after_nested(self, manager: PassManager, op: Operation) -> None:
        self._write("E")

    def close(self) -> None:
        """Ends the list of events."""
        self.file.write("]\n" if self.separator != "[" else "[]\n")
        self.file.flush()


def _opened(path: str) -> TextIO:
    """A file to write to, standard output for `-`. Raises `UsageError` where there is none."""
    if path == "-":
        return sys.stdout
    try:
        return open(path, "w", encoding="utf-8", errors="surrogateescape")
    except OSError as e:
        raise UsageError(f"cannot open output file '{path}': {e.strerror}") from None


class Progress(Instrumentation):
    """How many of the passes have begun, on a line of the terminal that is rewritten; nothing where
    all are done within `DELAY` seconds. A pass that runs on many operations counts once."""

    DELAY = 1.0
    #: Seconds between two changes of the line.
    STEP = 0.1

    def __init__(self, manager: PassManager) -> None:
        self.total = len(list(manager.passes()))
        self.begun: dict[Pass, None] = {}
        self.shown = 0.0
        self.timer = Timer(self.DELAY, self._show)
        self.timer.daemon = True
        self.timer.start()

    def before(self, p: Pass, op: Operation) -> None:
        self.begun.pop(p, None)  # the last one is what runs now
        self.begun[p] = None
        if self.shown and perf_counter() - self.shown >= self.STEP:
            self._show()

    def _show(self) -> None:
        self.shown = perf_counter()
        name = next((p.name for p in reversed(self.begun)), "")
        say(f"\r\x1b[Kpass {len(self.begun)} of {self.total}: {name}")

    def close(self) -> None:
        """Removes the line."""
        self.timer.cancel()
        self.timer.join()
        if self.shown:
            say("\r\x1b[K")
