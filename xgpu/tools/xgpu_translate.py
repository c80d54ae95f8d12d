# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-translate`: MLIR text in the llvm, nvvm and gpu dialects to LLVM IR, LLVM IR to them, and
programs with kernels to PTX.

A drop-in for `mlir-translate --mlir-to-llvmir` and `--import-llvm` of LLVM 22.1. Exit code 0, or 1
with one diagnostic for whatever is wrong. `main` is the whole tool; `translate_session.run` is the
same without a process around it.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import NoReturn

TOOL = "xgpu-translate"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool: never a traceback, unless `--debug` asks for one."""
    from xgpu.tools.process import guarded

    given = list(sys.argv[1:] if argv is None else argv)

    def work() -> int:
        from xgpu.tools.translate_session import run

        return run(given)

    return guarded(TOOL, work, debug=any(a.lstrip("-") == "debug" for a in given))


def console() -> NoReturn:
    """The console script."""
    gc.disable()  # before the first import: see `process`
    from xgpu.tools.process import leave

    leave(main())


if __name__ == "__main__":
    console()
