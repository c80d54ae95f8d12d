# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of other compilers that benchmarks/kernels.py compares ours with, and how they are made.

Each is compiled by a program of its own in `benchmarks/peers`, which says in a file what it made. A
compiler that is not installed there, or fails, leaves its reason.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import tempfile
from typing import NamedTuple

_PROGRAMS = pathlib.Path(__file__).parent / "peers"
#: Compilers, and the program for each kind of kernel; what is not there, and why.
PROGRAMS = {
    ("Triton", "gemm"): "triton_gemm.py",
    ("Triton", "attention"): "triton_attention.py",
    ("CuTe DSL", "gemm"): "cute_gemm.py",
    ("CuTe DSL", "attention"): "cute_attention.py",
    ("Pallas", "gemm"): "pallas_gemm.py",
    ("Pallas", "attention"): "pallas_attention.py",
}
ABSENT = {"Pallas sm_80": "Mosaic GPU multiplies by wgmma and tcgen05 only"}


class Peer(NamedTuple):
    """A kernel of another compiler: `workers` are warps for Triton, and else warpgroups that
    multiply beside one that copies (`n+1` in its name; 0: the same does both)."""

    compiler: str
    chip: str
    tile: str
    workers: int
    kind: str = "gemm"

    @property
    def name(self) -> str:
        tile = self.tile.replace(",", "x")
        has_roles = self.compiler != "Triton" and self.chip == "sm_90a" and self.workers > 0
        kind = "" if self.kind == "gemm" else f"{self.kind} "
        return f"{self.compiler} {kind}{self.chip} {tile}{f' {self.workers}+1' * has_roles}"


class Made(NamedTuple):
    """PTX, the dynamic shared memory of a launch in bytes, and its warps."""

    ptx: str
    shared: int
    warps: int


def _hopper(tile: str, warps: int, consumers: int) -> tuple[Peer, ...]:
    return (
        Peer("Triton", "sm_90a", tile, warps),
        Peer("CuTe DSL", "sm_90a", tile, consumers),
        Peer("Pallas", "sm_90a", tile, consumers),
    )


def _ampere(buffers: int) -> tuple[Peer, ...]:
    # Of what Triton calls n stages one is in registers and n - 1 in shared memory.
    stages = buffers + 1 if buffers > 1 else 1
    return (
        Peer("Triton", "sm_80", f"128,128,32,{stages}", 4),
        Peer("CuTe DSL", "sm_80", f"128,128,32,{buffers}", 0),
    )


_SMALL, _TALL = "128,128,64", "128,256,64"
#: Whom a kernel is compared with, by name: the same tile, and as many buffers.
PEERS: dict[str, tuple[Peer, ...]] = {
    "sm_80 plain": _ampere(1),
    "sm_80 two buffers": _ampere(2),
    "sm_80 multistage": _ampere(3),
    "sm_90a plain": _hopper(f"{_SMALL},1", 4, 0),
    "sm_90a buffered": _hopper(f"{_SMALL},4", 4, 0),
    "sm_90a empty barriers": _hopper(f"{_SMALL},4", 4, 0),
    "sm_90a own warps": _hopper(f"{_SMALL},4", 4, 1),
    "sm_90a two consumers": _hopper(f"{_TALL},4", 8, 2),
    "sm_90a persistent": _hopper(f"{_TALL},4", 8, 2),
    "sm_90a multicast": _hopper(f"{_TALL},4", 8, 2),
    "sm_100a tcgen05": (
        Peer("Triton", "sm_100a", f"{_TALL},4", 4),
        Peer("CuTe DSL", "sm_100a", f"{_TALL},4", 1),
        Peer("Pallas", "sm_100a", f"{_TALL},4", 1),
    ),
    "attention": (
        Peer("Triton", "sm_90a", "64,64,64,2", 4, "attention"),
        Peer("CuTe DSL", "sm_90a", "64,64,64,2", 1, "attention"),
        Peer("Pallas", "sm_90a", "64,64,64,2", 1, "attention"),
    ),
}


def compiled(peer: Peer, python: str, ptx_version: str) -> Made | str:
    """What its compiler makes of it, or why it makes nothing. `python` is an interpreter that has
    the compiler; `ptx_version` is what the assembler takes at most, times ten."""
    chip = peer.chip.removeprefix("sm_").removesuffix("a")
    given = [chip, peer.tile, str(peer.workers)]
    if peer.compiler == "Triton":
        given.append(ptx_version)
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "kernel.json")
        program = _PROGRAMS / PROGRAMS[peer.compiler, peer.kind]
        command = [python, str(program), *given, str(out)]
        try:
            done = subprocess.run(command, capture_output=True, text=True)
        except OSError as problem:
            return f"cannot run {python}: {problem.strerror}"
        if done.returncode or not out.exists():
            said = done.stderr.strip().splitlines()
            return said[-1] if said else f"exit code {done.returncode}"
        return Made(**json.loads(out.read_text()))
