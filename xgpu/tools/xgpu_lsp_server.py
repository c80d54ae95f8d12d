# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-lsp-server`: the language server of MLIR text, over standard input and output."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import NoReturn

from xgpu.core.ir.errors import UsageError
from xgpu.tools.process import guarded, relax_collector
from xgpu.version import __version__

TOOL = "xgpu-lsp-server"

OVERVIEW = "language server of MLIR text"
OPTIONS: dict[str, str] = {
    "--help": "Show this text",
    "--stdio": "Talk over standard input and output; accepted; the only transport",
    "--version": "Show the version",
}


def run(argv: Sequence[str]) -> int:
    """Serves until the client is gone. Raises `UsageError` for arguments that are not understood,
    and where pygls is not installed."""
    options = {text.lstrip("-") for text in argv}
    unknown = sorted(options - {"help", "h", "version", "stdio"})
    if unknown:
        raise UsageError(f"unknown command line argument '--{unknown[0]}'")
    if options & {"help", "h"}:
        from xgpu.tools.help_text import tool_help

        sys.stdout.write(tool_help(TOOL, OVERVIEW, OPTIONS, "[options]"))
        return 0
    if "version" in options:
        sys.stdout.write(f"xgpu {__version__}\n")
        return 0
    if find_spec("pygls") is None:
        raise UsageError("needs pygls, which `pip install 'xgpu[lsp]'` installs")
    from xgpu.tools.lsp.server import log_refusals_in_a_line, server

    log_refusals_in_a_line()
    relax_collector()  # the operations of a long text live long
    server.start_io()
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool."""
    given = list(sys.argv[1:] if argv is None else argv)
    return guarded(TOOL, lambda: run(given))


def console() -> NoReturn:
    """The console script."""
    sys.exit(main())


if __name__ == "__main__":
    console()
