# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel takes of a processor: registers, spills and shared memory, as ptxas says."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from xgpu.backend.nvptx.cubin import NO_ASSEMBLER, find_tool
from xgpu.core.ir.errors import Diagnostic, DiagnosticError

_ENTRY = re.compile(r"Compiling entry function '([^']+)'")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_USED = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+) bytes smem")
#: Remarks of ptxas on what it could not do well have a number.
_REMARK = re.compile(r"warning\s*:|\(C\d+\)")


class Resources(NamedTuple):
    """Of one kernel: registers a thread, bytes of its stack that are spilled registers, stored and
    loaded, and bytes of static shared memory a block."""

    registers: int
    spilled: int
    loaded: int
    shared: int


class Assembled(NamedTuple):
    """The machine code, what each kernel takes, and what ptxas warns of."""

    cubin: bytes
    kernels: dict[str, Resources]
    warnings: list[str]


def assembled(ptx: str, chip: str) -> Assembled:
    """Runs ptxas on `ptx`.

    Errors: `DiagnosticError` without ptxas, or with its words.
    """
    ptxas = find_tool("ptxas")
    if ptxas is None:
        raise DiagnosticError(Diagnostic("error", NO_ASSEMBLER, None))
    with tempfile.TemporaryDirectory(prefix="xgpu-") as folder:
        source, target = Path(folder, "kernels.ptx"), Path(folder, "kernels.cubin")
        source.write_text(ptx.rstrip("\0"))
        done = subprocess.run(
            [ptxas, "-v", "-arch", chip, str(source), "-o", str(target)],
            capture_output=True,
            text=True,
        )
        said = done.stdout + done.stderr
        if done.returncode:
            raise DiagnosticError(
                Diagnostic("error", f"`ptxas` invocation failed. Log:\n{said.strip()}", None)
            )
        return Assembled(target.read_bytes(), *_read(said))


def _read(said: str) -> tuple[dict[str, Resources], list[str]]:
    found: dict[str, Resources] = {}
    parts = _ENTRY.split(said)
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        stack, used, shared = _STACK.search(text), _USED.search(text), _SHARED.search(text)
        found[name] = Resources(
            int(used[1]) if used else 0,
            int(stack[2]) if stack else 0,
            int(stack[3]) if stack else 0,
            int(shared[1]) if shared else 0,
        )
    return found, [line for line in said.splitlines() if _REMARK.search(line)]
