# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel takes of a processor: registers, spills and shared memory, as ptxas says; how many
blocks of it a multiprocessor holds; its machine code as text."""

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


def assembled(ptx: str, chip: str, *, lines: bool = False) -> Assembled:
    """Runs ptxas on `ptx`; with `lines` the machine code knows the lines of the source.

    Errors: `DiagnosticError` without ptxas, or with its words.
    """
    ptxas = find_tool("ptxas")
    if ptxas is None:
        raise DiagnosticError(Diagnostic("error", NO_ASSEMBLER, None))
    with tempfile.TemporaryDirectory(prefix="xgpu-") as folder:
        source, target = Path(folder, "kernels.ptx"), Path(folder, "kernels.cubin")
        source.write_text(ptx.rstrip("\0"))
        done = subprocess.run(
            [ptxas, "-v", *(["-lineinfo"] if lines else []), "-arch", chip, source, "-o", target],
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


# -- occupancy

#: Limits of a multiprocessor by compute capability (CUDA C++ Programming Guide, technical
#: specifications): threads, blocks, bytes of shared memory, registers.
_MULTIPROCESSORS = {
    "75": (1024, 16, 64 << 10, 65536), "80": (2048, 32, 164 << 10, 65536),
    "86": (1536, 16, 100 << 10, 65536), "87": (1536, 16, 164 << 10, 65536),
    "89": (1536, 24, 100 << 10, 65536), "90": (2048, 32, 228 << 10, 65536),
    "100": (2048, 32, 228 << 10, 65536), "103": (2048, 32, 228 << 10, 65536),
    "120": (1536, 24, 100 << 10, 65536), "121": (1536, 24, 100 << 10, 65536),
}  # fmt: skip
_WARP = 32
_REGISTER_UNIT = 256  # registers are given to warps in so many
_SYSTEM_SHARED = 1024  # bytes of each block that the system keeps, from 8.0 on


def occupancy(chip: str, threads: int, registers: int | None, shared: int) -> float | None:
    """The part of a multiprocessor's threads that blocks of `threads` keep busy, with so many
    registers a thread (None where that is not known) and bytes of shared memory a block; None for a
    chip whose limits are not known."""
    limits = _MULTIPROCESSORS.get(chip.removeprefix("sm_").rstrip("af"))
    if limits is None:
        return None
    most, most_blocks, memory, most_registers = limits
    warps = -(-threads // _WARP)
    blocks = min(most_blocks, most // (warps * _WARP), memory // (shared + _SYSTEM_SHARED))
    if registers:
        of_warp = -(-registers * _WARP // _REGISTER_UNIT) * _REGISTER_UNIT
        blocks = min(blocks, most_registers // (of_warp * warps))
    return min(1.0, blocks * warps * _WARP / most)


# -- machine code


def disassembled(cubin: bytes, *, lines: bool = False) -> str | None:
    """Machine code as text, with `lines` with comments that name lines of the source; None without
    nvdisasm. Errors: `DiagnosticError` with its words."""
    tool = find_tool("nvdisasm")
    if tool is None:
        return None
    with tempfile.TemporaryDirectory(prefix="xgpu-") as folder:
        path = Path(folder, "kernel.cubin")
        path.write_bytes(cubin)
        command = [tool, "-c", *(["-g"] if lines else []), path]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise DiagnosticError(Diagnostic("error", f"nvdisasm: {done.stderr.strip()}", None))
    return done.stdout
