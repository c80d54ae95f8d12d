# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recording what passes do, for an explorer page.

recorder = Recorder("a.mlir", {"a.mlir": text})
recorder.begin(module)
manager.run(module, context, [recorder])
recorder.end(module)
page(recorder.exploration)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from time import perf_counter
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from xgpu.core.ir.construction import arguments_of, operands_of, operations_of, successors_of
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.ir.locations import source_location
from xgpu.core.ir.symbols import symbol_name
from xgpu.core.ods.operation import OdsOperation
from xgpu.core.ods.verifier import definition_checks
from xgpu.core.passes.base import Pass
from xgpu.core.passes.manager import Instrumentation, pass_text
from xgpu.core.syntax.printer import Printer
from xgpu.tools.explorer.device_code import compiled_code
from xgpu.tools.explorer.model import NAMES, NONE, Exploration, Line, Step, Tokens, compare

#: Of dense constants of more elements only the type is shown.
_MOST_ELEMENTS = 64
#: The number of what a name stands for that is no value or block of the operation.
_UNKNOWN = 0
#: Stands before each operation in a printed text, with its index; texts hold no control characters.
_MARK = re.compile("\1([0-9]+)\1")


class _Printer(Printer):
    """Marks where operations begin. Those that are `undefined` get the generic form."""

    def __init__(self, undefined: Set[Operation]) -> None:
        super().__init__(elide_elements=_MOST_ELEMENTS)
        self._undefined = undefined
        #: The operations by their marks.
        self.printed: dict[Operation, int] = {}

    def print_op(self, op: Operation) -> None:
        self.pieces.append(f"\1{self.printed.setdefault(op, len(self.printed))}\1")
        super().print_op(op)

    def _print_custom(self, op: Operation) -> None:
        if op in self._undefined:
            self.print_op_with_default_format(op)
        else:
            super()._print_custom(op)

    def names_of(self, named: Sequence[SSAValue | Block]) -> list[tuple[str, SSAValue | Block]]:
        """The names that values and blocks have in the text. Results that are numbered under one
        name (`%a#1`) are taken for the first of them."""
        found: list[tuple[str, SSAValue | Block]] = []
        for value in named:
            names = self._block_labels if isinstance(value, Block) else self._names
            name, _, number = names.get(id(value), "").partition("#")
            if number and isinstance(value, OpResult):
                value = value.op.results[value.index - int(number)]
            found.append((name, value))
        return found


class _Facts:
    """What the lines of an operation have in common: its number, its location, and the numbers of
    what it uses and defines, by name."""

    __slots__ = ("_defined", "_labelled", "_location", "_number", "_used")

    def __init__(
        self, number: int, location: int, used: list[tuple[str, int]],
        defined: list[tuple[str, int]],
    ) -> None:  # fmt: skip
        self._number = number
        self._location = location
        self._used = dict(used)
        # Two regions may have arguments of one name: those of the second stand behind a label.
        self._defined = dict(reversed(defined))
        self._labelled = dict(defined)

    def line(self, text: str) -> Line:
        """A line of the operation."""
        if "%" not in text and "^" not in text:
            return Line(text, self._number, self._location)
        named: list[int] = []
        defined = self._labelled if text.lstrip().startswith("^") else self._defined
        for found in NAMES.finditer(text):
            if not found[1]:
                continue
            name = found[1].partition("#")[0]
            if name in self._used:
                named.append(self._used[name])
            else:
                named.append(~defined[name] if name in defined else _UNKNOWN)
        return Line(text, self._number, self._location, tuple(named))


class _Running(NamedTuple):
    """A pass that runs."""

    started: float
    before: int


class Recorder(Instrumentation):
    """Records the texts before and after each pass that changes something. `sources` are the texts
    that programs are read from, by name. It should be the last instrument, so that times are those
    of passes alone."""

    def __init__(self, title: str, sources: Mapping[str, str]) -> None:
        self.exploration = Exploration(title, dict(sources))
        self._running: list[_Running] = []
        # Operations and values are kept alive, so that no other gets their identity.
        self._operations: dict[Operation, int] = {}
        self._values: dict[SSAValue | Block | None, int] = {None: _UNKNOWN}
        self._texts: dict[tuple[Line, ...], int] = {}
        #: The last operation that a pass ran on, and its text.
        self._last: tuple[Operation, int] | None = None

    # -- the program around the passes

    def begin(self, module: Operation) -> None:
        """A program that was read."""
        self.exploration.final = self._record(module)
        self.exploration.tokens = self.exploration.tokens or _tokens(module)
        self._last = None

    def end(self, module: Operation) -> None:
        """The program after the last pass."""
        self.exploration.final = self._record(module)
        self._last = None

    # -- passes

    def before(self, p: Pass, op: Operation) -> None:
        if p.name == "gpu-module-to-binary":
            self.exploration.device_code += compiled_code(op, p, self.exploration)
        last = self._last
        before = last[1] if last is not None and last[0] is op else self._record(op)
        self._running.append(_Running(perf_counter(), before))

    def after(self, p: Pass, op: Operation) -> None:
        ended = perf_counter()
        running = self._running.pop()
        after = self._record(op)
        self._last = (op, after)
        if after == running.before:
            self.exploration.unchanged += 1
            self.exploration.unchanged_seconds += ended - running.started
            return
        self._add_step(p, op, ended - running.started, running.before, after)

    def failed(self, p: Pass, op: Operation) -> None:
        ended = perf_counter()
        self._last = None
        if not self._running:
            # Something else has refused what the pass left.
            steps = self.exploration.steps
            if steps and steps[-1].name == p.name:
                steps[-1].failed = True
            return
        running = self._running.pop()
        after = self._record(op, _undefined(op))
        self._add_step(p, op, ended - running.started, running.before, after)
        self.exploration.steps[-1].failed = True

    def _add_step(self, p: Pass, op: Operation, seconds: float, before: int, after: int) -> None:
        texts = self.exploration.texts
        changes = compare(texts[before], texts[after])
        name, _, options = pass_text(p).partition("{")
        symbol = symbol_name(op)
        scope = op.name if symbol is None else f"{op.name} @{symbol}"
        self.exploration.steps.append(
            Step(name, options.removesuffix("}").strip(), scope, seconds, before, after, changes)
        )

    # -- texts

    def _record(self, op: Operation, undefined: Set[Operation] = frozenset()) -> int:
        """The number of the text of `op`; a text that was there before has its number."""
        text = tuple(self._lines(op, undefined))
        texts = self.exploration.texts
        number = self._texts.setdefault(text, len(texts))
        if number == len(texts):
            texts.append(list(text))
        return number

    def _lines(self, op: Operation, undefined: Set[Operation]) -> list[Line]:
        printer = _Printer(undefined)
        printer.number(op)
        printer.print_op(op)
        before, body, after = printer.aliases.finish("".join(printer.pieces) + "\n")
        lines = [Line(text, NONE, NONE) for text in before.splitlines()]
        facts = [self._facts(printed, printer) for printed in printer.printed]
        # A closing bracket and the label of a block belong to the operation that is open there.
        open_: list[tuple[int, _Facts]] = []
        for marked in body.splitlines():
            mark = _MARK.search(marked)
            text = marked if mark is None else _MARK.sub("", marked)
            indent = len(text) - len(text.lstrip())
            while open_ and open_[-1][0] > indent:
                open_.pop()
            if mark is not None:
                if open_ and open_[-1][0] == indent:
                    open_.pop()
                open_.append((indent, facts[int(mark[1])]))
            lines.append(open_[-1][1].line(text) if open_ else Line(text, NONE, NONE))
        return [*lines, *(Line(text, NONE, NONE) for text in after.splitlines())]

    def _facts(self, op: Operation, printer: _Printer) -> _Facts:
        number = self._operations.setdefault(op, len(self._operations))
        location = self.exploration.location_index(source_location(op.location))
        used: list[SSAValue | Block] = [*operands_of(op), *successors_of(op)]
        defined: list[SSAValue | Block] = [*op.results]
        for region in op.regions:
            for block in region.blocks:
                defined += [*arguments_of(block), block]
                # What the operation prints itself, as `vector.mask` does.
                inner = [o for o in operations_of(block) if o not in printer.printed]
                used[:0] = [value for o in inner for value in operands_of(o)]
        names = printer.names_of
        return _Facts(number, location, self._numbered(names(used)), self._numbered(names(defined)))

    def _numbered(self, named: list[tuple[str, SSAValue | Block]]) -> list[tuple[str, int]]:
        numbers = self._values
        return [(name, numbers.setdefault(value, len(numbers))) for name, value in named]


def _undefined(root: Operation) -> set[Operation]:
    """The operations that lack what their definition asks for, as a pass that fails may leave them:
    they have no custom form, which mlir-opt does not print of them either."""
    return {op for op in root.walk() if isinstance(op, OdsOperation) and not _is_defined(op)}


def _is_defined(op: OdsOperation) -> bool:
    try:
        for check in definition_checks(type(op)):
            check(op)
    except DiagnosticError:
        return False
    return True


def _tokens(module: Operation) -> Tokens | None:
    """The token graph of a program; None where it has no tokens, or none that can be read."""
    if not isinstance(module, ModuleOp) or not any(
        op.name.startswith(("gpu.", "async.")) for op in module.walk()
    ):
        return None
    from xgpu.conversion.async_tokens.graph import build
    from xgpu.conversion.async_tokens.overlap import explain
    from xgpu.conversion.async_tokens.text import render, to_svg

    try:
        graph = build(module)
        picture = to_svg(graph)
        if not picture:
            return None
        return Tokens(picture, render(graph, "text"), explain(module))
    except DiagnosticError:
        return None
