# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`%%mlir` in Jupyter and IPython: a cell of MLIR becomes a module.

    %load_ext xgpu
    %%mlir NAME --device=host --entry=main

The module is called NAME (default: `module`) in the notebook; with `--entry` that function is
called, and what it gives is shown. An error in the program is shown with its line, in colours.
"""

from __future__ import annotations

import sys
from typing import Protocol

from xgpu.core.ir.errors import DeviceError, DiagnosticError, UsageError

_RED, _BOLD, _END = "\x1b[31m", "\x1b[1m", "\x1b[0m"


class Shell(Protocol):
    """What is asked of IPython."""

    user_ns: dict[str, object]

    def register_magic_function(self, func: object, magic_kind: str, magic_name: str) -> None: ...


def load_ipython_extension(shell: Shell) -> None:
    """What `%load_ext xgpu` calls."""

    def mlir(line: str, cell: str) -> object:
        return run_cell(shell.user_ns, line, cell)

    shell.register_magic_function(mlir, "cell", "mlir")


def run_cell(names: dict[str, object], line: str, cell: str) -> object:
    """Load `cell`, bind it in `names`; the module, or what its entry gives; None after an error."""
    from xgpu.api.modules import load

    try:
        name, options = _arguments(line)
        loaded = load(cell, options["device"], filename="<cell>")
        names[name] = loaded
        return loaded.functions[options["entry"]]() if options["entry"] else loaded
    except DiagnosticError as problem:
        from xgpu.core.syntax.diagnostics import render

        for diagnostic in problem.diagnostics:
            print(render(diagnostic, {"<cell>": cell}, color=True), file=sys.stderr)
    except (UsageError, DeviceError, KeyError) as problem:
        _show(str(problem.args[0] if problem.args else problem))
    return None


def _arguments(line: str) -> tuple[str, dict[str, str]]:
    name = "module"
    options = {"device": "auto", "entry": ""}
    for word in line.split():
        if not word.startswith("--"):
            if not word.isidentifier():
                raise UsageError(f"'{word}' is no name for a module")
            name = word
            continue
        option, _, value = word[2:].partition("=")
        if option not in options:
            raise UsageError(f"unknown option '--{option}', expected --device=.. or --entry=..")
        options[option] = value
    return name, options


def _show(text: str) -> None:
    print(f"{_BOLD}{_RED}error:{_END} {text}", file=sys.stderr)
