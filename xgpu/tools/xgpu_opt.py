# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-opt`: reads MLIR text, runs passes on it, prints it. A drop-in for `mlir-opt` 22.1.

Exit code 0, or 1 with one diagnostic for whatever is wrong: the command line, the text, the IR or
a pass. `main` is the whole tool; `opt_session.run` is the same without a process around it.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import NoReturn

TOOL = "xgpu-opt"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool: never a traceback, unless `--debug` asks for one."""
    from xgpu.tools.process import guarded

    given = list(sys.argv[1:] if argv is None else argv)

    def work() -> int:
        from xgpu.tools.opt_session import run

        return run(given)

    return guarded(TOOL, work, debug=any(a.lstrip("-") == "debug" for a in given))


def console() -> NoReturn:
    """The console script: the process is ours, and ends in our words."""
    gc.disable()  # before the first import: see `process`
    from xgpu.core.support.ownership import own_process
    from xgpu.tools.process import leave

    own_process(TOOL)
    leave(main())


if __name__ == "__main__":
    console()
