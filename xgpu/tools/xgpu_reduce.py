# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-reduce`: makes a program smaller while a test finds it interesting.

    xgpu-reduce big.mlir --reduction-tree='traversal-mode=0 test=./fails.sh' -o small.mlir

A drop-in for `mlir-reduce` 22.1: the test is given the path of a file and ends with 0 for what is
not interesting. Options and passes are xgpu-opt's; they run in the order given. Exit code 0, or 1
with one diagnostic for whatever is wrong, an input that is not interesting included.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import NoReturn

from xgpu.core.ir.errors import DiagnosticError, UsageError
from xgpu.core.support.process import own_process
from xgpu.tools.process import guarded, leave, report, show_cause

TOOL = "xgpu-reduce"

OVERVIEW = "xgpu's reduction of test cases: mlir-reduce 22.1's command line"
# Options with their values -> what they do.
OPTIONS: dict[str, str] = {
    "--reduction-tree=<options>": "Leave out and simplify operations while the test says so. "
    "test=<path> is the test: a program that is given the path of a file, and ends with 0 if what "
    "is in it is not interesting; test-arg=<list> is what it is given before the path; "
    "traversal-mode=0 is the way through the tree, there is one",
    "--opt-reduction-pass=<options>": "Run the passes opt-pass=<pipeline>, keep what they make if "
    "it is interesting and shorter; test=<path> and test-arg=<list> are as above",
    "--pass-pipeline=<pipeline>": "The passes to run, as text; any of xgpu-opt's",
    "-o <filename>": "Output file, - (the default) for standard output",
    "--allow-unregistered-dialect": "Read operations of dialects that are not registered",
    "--no-implicit-module": "The input's one operation is the top",
    "--split-input-file[=<marker>]": "Reduce each chunk between markers (default `// -----`) by "
    "itself",
    "--debug": "Show Python's traceback of an internal error",
    "--help": "Show this text",
    "--version": "Show the version",
}
OTHERS = "Other options and passes are those of xgpu-opt.\n"


def run(argv: Sequence[str]) -> int:
    """Runs the tool with `argv` (without the program's name); returns its exit code."""
    from xgpu.core.syntax import diagnostics
    from xgpu.tools.command_line import parse_arguments
    from xgpu.tools.files import write_output
    from xgpu.tools.xgpu_opt import open_session

    arguments = parse_arguments(argv)
    if arguments.help:
        raise UsageError(
            f"for the --help option: does not allow a value! '{arguments.help}' specified."
        )
    if arguments.help is not None:
        from xgpu.tools.help_text import tool_help

        write_output("-", f"{tool_help(TOOL, OVERVIEW, OPTIONS)}\n{OTHERS}")
        return 0
    if arguments.version:
        from xgpu.tools.help_text import version_text

        write_output("-", version_text())
        return 0
    session, chunks = open_session(arguments)
    outputs: list[str] = []
    for chunk in chunks:
        with diagnostics.collect() as collected:
            try:
                outputs.append(session.process(chunk).rstrip("\n") + "\n")
            except DiagnosticError as e:
                show_cause(e, debug=arguments.debug)
                collected.extend(e.diagnostics)
        report(collected, {session.name: chunk})
    if len(outputs) < len(chunks):
        return 1
    write_output(arguments.output, f"{arguments.output_marker}\n".join(outputs))
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool: never a traceback, unless `--debug` asks for one."""
    given = list(sys.argv[1:] if argv is None else argv)

    return guarded(TOOL, lambda: run(given), debug=any(a.lstrip("-") == "debug" for a in given))


def console() -> NoReturn:
    """The console script: the process is ours, and ends in our words."""
    gc.disable()
    own_process(TOOL)
    leave(main())


if __name__ == "__main__":
    console()
