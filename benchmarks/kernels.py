# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Machine code of kernels, without a GPU: what each takes, and what its main loop issues.

    python benchmarks/kernels.py              the ladder, attention, and peers that are installed
    python benchmarks/kernels.py --output x   the same as data, for benchmarks/history.py
    python benchmarks/kernels.py --only tcgen05   kernels whose names have this
    python benchmarks/kernels.py --python peers/bin/python   peers of another environment

For each kernel: registers a thread, spilled bytes, shared memory a block (static and dynamic),
blocks that an SM can hold by these, and the instructions of the loop with most of the work of
tensor cores, by class, for each of its tensor core instructions. Then the same as ratios to the
best of what peers (Triton, CuTe DSL, Pallas) compile for the same tile, type and chip; below 1 is
less than theirs.
Needs ptxas and nvdisasm (a toolkit, or the wheels
nvidia-cuda-nvcc and nvidia-cuda-nvdisasm); says what is missing.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from collections import Counter
from typing import NamedTuple, TypedDict

from compile import machine
from kernel_peers import ABSENT, PEERS, compiled

from xgpu.backend.nvptx.cubin import assembler_ptx_version, find_tool
from xgpu.backend.nvptx.resources import assembled
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context
from xgpu.driver import compiler

ROOT = pathlib.Path(__file__).parents[1]
GEMM = "examples/gemm/layer.mlir"
#: Elements along k in all products, also those of the programs in `peers`.
DEPTH = 1024
TALL = "instruction=wgmma tile=128,256,64 stages=4"
WIDE = "instruction=wgmma tile=128,128,64"
#: Name, source, chip, passes.
KERNELS = (
    ("sm_80 plain", GEMM, "sm_80", "gpu-gemm-pipeline{tile=128,128,32 stages=1}"),
    ("sm_80 two buffers", GEMM, "sm_80", "gpu-gemm-pipeline{tile=128,128,32 stages=2}"),
    ("sm_80 multistage", GEMM, "sm_80", "gpu-gemm-pipeline{tile=128,128,32 stages=3}"),
    ("sm_90a plain", GEMM, "sm_90a", f"gpu-gemm-pipeline{{{WIDE} stages=1}}"),
    ("sm_90a buffered", GEMM, "sm_90a", f"gpu-gemm-pipeline{{{WIDE} stages=4 mode=pipelined}}"),
    ("sm_90a empty barriers", GEMM, "sm_90a",
     f"gpu-gemm-pipeline{{{WIDE} stages=4 mode=pipelined-mbarrier}}"),
    ("sm_90a own warps", GEMM, "sm_90a", f"gpu-gemm-pipeline{{{WIDE} stages=4}}"),
    ("sm_90a two consumers", GEMM, "sm_90a", f"gpu-gemm-pipeline{{{TALL}}}"),
    ("sm_90a persistent", GEMM, "sm_90a",
     f"gpu-gemm-pipeline{{{TALL} blocks=132 order=swizzled}}"),
    ("sm_90a multicast", GEMM, "sm_90a", f"gpu-gemm-pipeline{{{TALL} cluster=2,1}}"),
    ("sm_100a tcgen05", GEMM, "sm_100a",
     "gpu-gemm-pipeline{instruction=tcgen05 tile=128,256,64 stages=4}"),
    ("attention", "examples/attention/attention.mlir", "sm_90a", "circular-buffer,canonicalize,cse,"
     "gpu-launch-sink-index-computations"),
)  # fmt: skip
#: Kernels whose f32 are flushed where they are denormal: exponentials of large negative numbers.
FLUSHED = ("attention",)
#: Above this ratio to the best peer benchmarks/README.md says why.
AIM = 1.1
#: Registers, threads, blocks and bytes of shared memory of an SM (CUDA's programming guide).
_REGISTERS, _THREADS, _BLOCKS = 65536, 2048, 32
_SHARED = {"sm_80": 164 * 1024, "sm_90a": 228 * 1024, "sm_100a": 228 * 1024}
#: Shared memory that the system takes for each block, and the step in which registers are given.
_SYSTEM_BYTES, _REGISTER_STEP = 1024, 8
#: What an instruction is for, by how its name begins; the first that fits.
CLASSES = {
    "tensor": r"UTC\w*MMA|HGMMA|HMMA|IMMA|QGMMA|IGMMA|DMMA|WGMMA",
    "copy": r"UTMA|LDGSTS|UBLKCP|LDG|STG",
    "shared": r"LDSM|LDS|STS|ATOMS",
    "wait": r"SYNCS|BAR|WARPSYNC|DEPBAR|LDGDEPBAR|WARPGROUP|MEMBAR|FENCE|NANOSLEEP|YIELD|ELECT"
    r"|ARRIVES|CCTL|ERRBAR",
    "jump": r"BRA|BSSY|BSYNC|EXIT|CALL|RET|BREAK|JMP",
    "float": r"F|MUFU|HADD|HFMA|HMUL|I2F",
    "integer": r"U?(IADD|IMAD|LEA|LOP|SHF|ISETP|SEL|IMNMX|PRMT|MOV|R2UR|UR|VIADD|PLOP|IABS|P2R|R2P"
    r"|S2R|CS2R|LDC|LEPC|VOTE|POPC|SHL|SHR|SGXT)|R2UR|S2UR|ULDC|UMOV|USEL|UP|SHFL|REDUX",
}
_LINE = re.compile(r"^\s*/\*([0-9a-f]+)\*/\s+(?:@!?U?P\w+\s+)?([A-Z0-9_.]+)([^;]*);")
_LABEL = re.compile(r"^(\.L_x_\d+):")
_TARGET = re.compile(r"\((\.L_x_\d+)\)")


class Instruction(NamedTuple):
    name: str
    kind: str


class Ratio(TypedDict):
    """A figure of a kernel, to the least among its peers: `ratio` is none where that is nothing
    and ours is not."""

    kernel: str
    figure: str
    peer: str
    ours: float
    theirs: float
    ratio: float | None


class Report(NamedTuple):
    """What one kernel takes; `loop` counts instructions of the main loop by class."""

    kernel: str
    registers: int
    spilled: int
    shared: int
    blocks: int
    loop: dict[str, int]
    warnings: list[str]

    def per_tensor(self, kind: str) -> float:
        return self.loop.get(kind, 0) / max(1, self.loop.get("tensor", 0))


def main(arguments: list[str]) -> int:
    """The command line; 1 where a tool is missing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=pathlib.Path, help="a file for the figures, as JSON")
    parser.add_argument("--only", default="", metavar="WORD", help="kernels with this in the name")
    parser.add_argument("--without-peers", action="store_true")
    parser.add_argument(
        "--python", default=sys.executable, help="an interpreter that has the peers' compilers"
    )
    given = parser.parse_args(arguments)
    for tool, wheel in (("ptxas", "nvidia-cuda-nvcc"), ("nvdisasm", "nvidia-cuda-nvdisasm")):
        if find_tool(tool) is None:
            print(f"there is no {tool}: install a CUDA toolkit, or `pip install {wheel}`")
            return 1
    absent = dict(ABSENT)
    reports = [_ours(*kernel) for kernel in KERNELS if given.only in kernel[0]]
    if not given.without_peers:
        reports += _of_peers([report.kernel for report in reports], given.python, absent)
    found = ratios(reports)
    _print(reports)
    _print_ratios(found)
    for peer, reason in absent.items():
        print(f"{peer}: not measured: {reason}")
    if given.output:
        figures = [report._asdict() for report in reports]
        text = {"machine": machine(), "results": figures, "ratios": found, "absent": absent}
        given.output.write_text(json.dumps(text, indent=1))
    return 0


def ratios(reports: list[Report]) -> list[Ratio]:
    """Of each figure of a kernel to the best of its peers that are there. More blocks an SM are
    better: there it is theirs to ours."""
    by_name = {report.kernel: report for report in reports}
    found: list[Ratio] = []
    for name, peers in PEERS.items():
        theirs = {peer.name: by_name[peer.name] for peer in peers if peer.name in by_name}
        if name not in by_name or not theirs:
            continue
        figures = {peer: _figures(report) for peer, report in theirs.items()}
        for figure, own in _figures(by_name[name]).items():
            having = [peer for peer in figures if figure in figures[peer]]
            if not having:
                continue
            peer = min(having, key=lambda one: figures[one][figure])
            best = figures[peer][figure]
            if best or own:
                ratio = round(own / best, 3) if best else None
                found.append(
                    Ratio(kernel=name, figure=figure, peer=peer, ours=own, theirs=best, ratio=ratio)
                )
    return found


def _figures(report: Report) -> dict[str, float]:
    """What is better less; nothing about a main loop that was not found."""
    kinds = [kind for kind in (*CLASSES, "other") if kind != "tensor" and report.loop]
    return {
        "registers": report.registers,
        "spilled": report.spilled,
        "shared memory": report.shared,
        "part of an SM": 1 / report.blocks,
        **{kind: report.per_tensor(kind) for kind in kinds},
        **({"all of the loop": sum(map(report.per_tensor, kinds))} if kinds else {}),
    }


def _ours(name: str, source: str, chip: str, passes: str) -> Report:
    text = (ROOT / source).read_text()
    if source == GEMM:  # more steps than any has stages, or loops are not what they are
        text = text.replace("512x256", f"512x{DEPTH}").replace("256x384", f"{DEPTH}x384")
    module = compiler.parse(text, source)
    parse_pipeline(f"builtin.module({passes})").run(module, context())
    launch = next(op for op in module.walk() if op.name == "gpu.launch")
    threads = 1
    for at in range(3, 6):
        threads *= int_of(launch.operands[at]) or 1
    last = launch.operands[-1]
    dynamic = (int_of(last) or 0) if str(last.type) == "i32" else 0
    flush = " ftz=true" * (name in FLUSHED)
    lower = f"gpu-lower-to-nvvm-pipeline{{cubin-chip={chip} cubin-format=isa{flush}}}"
    parse_pipeline(f"builtin.module({lower})").run(module, context())
    binary = next(op for op in module.walk() if op.name == "gpu.binary")
    ptx = binary.properties["objects"].data[0].object.data  # pyright: ignore
    text = ptx.decode() if isinstance(ptx, bytes) else ptx  # pyright: ignore
    return _report(name, str(text), chip, threads, dynamic)


def _report(name: str, ptx: str, chip: str, threads: int, dynamic: int) -> Report:
    made = assembled(ptx, chip)
    (kernel,) = made.kernels.values()
    shared = kernel.shared + dynamic
    registers = -(-kernel.registers // _REGISTER_STEP) * _REGISTER_STEP
    blocks = min(
        _BLOCKS,
        _THREADS // threads,
        _REGISTERS // (registers * threads),
        _SHARED[chip] // (shared + _SYSTEM_BYTES),
    )
    counts = Counter(instruction.kind for instruction in main_loop(_disassembled(made.cubin)))
    return Report(
        name, kernel.registers, kernel.spilled, shared, blocks, dict(counts), made.warnings
    )


def _disassembled(cubin: bytes) -> str:
    tool = find_tool("nvdisasm")
    assert tool is not None
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "kernel.cubin")
        path.write_bytes(cubin)
        done = subprocess.run([tool, "-c", str(path)], capture_output=True, text=True, check=True)
    return done.stdout


def main_loop(text: str) -> list[Instruction]:
    """The instructions of an innermost loop (from a label to a jump back to it) with most
    instructions of tensor cores."""
    code: list[Instruction] = []
    labels: dict[str, int] = {}
    loops: list[tuple[int, int]] = []
    for line in text.splitlines():
        label = _LABEL.match(line)
        if label:
            labels[label[1]] = len(code)
        found = _LINE.match(line)
        if not found:
            continue
        target = _TARGET.search(found[3])
        if found[2].startswith("BRA") and target and target[1] in labels:
            loops.append((labels[target[1]], len(code) + 1))
        code.append(Instruction(found[2], _kind(found[2])))
    if not loops:
        return []

    def tensors(loop: tuple[int, int]) -> int:
        return sum(instruction.kind == "tensor" for instruction in code[loop[0] : loop[1]])

    # Waits that were moved out of line, behind the end, jump back over it: these are no loops.
    working = [
        loop
        for loop in loops
        if tensors(loop) and not any(i.name == "EXIT" for i in code[loop[0] : loop[1]])
    ]
    inner = [
        loop
        for loop in working
        if not any(
            other != loop and loop[0] <= other[0] and other[1] <= loop[1] for other in working
        )
    ]
    if not inner:
        return []
    begin, end = max(inner, key=lambda loop: (tensors(loop), loop[1] - loop[0]))
    return code[begin:end]


def _kind(name: str) -> str:
    return next((kind for kind, start in CLASSES.items() if re.match(start, name)), "other")


def _of_peers(names: list[str], python: str, absent: dict[str, str]) -> list[Report]:
    """Reports of the peers of our kernels with these names; `absent` gets the reason for each
    compiler or kernel that is not there."""
    reports: list[Report] = []
    version = str(assembler_ptx_version())
    wanted = dict.fromkeys(peer for name in names for peer in PEERS.get(name, ()))
    for peer in wanted:
        made = compiled(peer, python, version)
        if isinstance(made, str):
            # A compiler that is not installed is said once.
            missing = "No module named" in made
            absent[peer.compiler if missing else peer.name] = made
            continue
        try:
            reports.append(_report(peer.name, made.ptx, peer.chip, 32 * made.warps, made.shared))
        except DiagnosticError as problem:
            absent[peer.name] = problem.message
    return reports


def _print(reports: list[Report]) -> None:
    kinds = [kind for kind in CLASSES if kind != "tensor"] + ["other"]
    print(
        f"{'kernel':24}{'regs':>5}{'spill':>6}{'shared':>8}{'blocks':>7}{'tensor':>7}"
        + "".join(f"{kind:>9}" for kind in kinds)
    )
    for report in reports:
        ratios = "".join(f"{report.per_tensor(kind):9.2f}" for kind in kinds)
        print(
            f"{report.kernel:24}{report.registers:5}{report.spilled:6}{report.shared:8}"
            f"{report.blocks:7}{report.loop.get('tensor', 0):7}{ratios}"
        )
        for warning in report.warnings:
            print(f"  {warning}")


def _print_ratios(found: list[Ratio]) -> None:
    """A line for each kernel and figure; a star where ours is above what is aimed at."""
    for row in found:
        ratio = row["ratio"]
        shown = "more" if ratio is None else f"{ratio:.2f}"
        star = "*" if ratio is None or ratio > AIM else " "
        print(
            f"{row['kernel']:22}{row['figure']:16}{row['ours']:10.2f}{row['theirs']:10.2f}"
            f"{shown:>7}{star} {row['peer']}"
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
