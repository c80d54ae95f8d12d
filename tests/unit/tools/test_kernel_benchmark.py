# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What benchmarks/kernels.py reads in machine code, and what it writes."""

from __future__ import annotations

import json
import pathlib
import sys

import pytest

from tests.support import processes
from xgpu.backend.nvptx.cubin import find_tool

BENCHMARKS = pathlib.Path(__file__).parents[3] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
import kernels  # noqa: E402  # pyright: ignore[reportMissingImports]

#: Two loops, one in the other; a wait out of line that jumps back over the end is none.
MACHINE_CODE = """
.L_x_0:
        /*0000*/                   IADD3 R1, R1, 0x1, RZ ;
.L_x_1:
        /*0010*/                   LDSM.16.M88.4 R4, [R2] ;
        /*0020*/                   HMMA.16816.F32 R8, R4, R6, R8 ;
        /*0030*/                   HMMA.16816.F32 R8, R4, R6, R8 ;
        /*0040*/                   SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R3 ;
        /*0050*/              @!P0 BRA `(.L_x_2) ;
.L_x_3:
        /*0060*/              @!UP0 BRA.U `(.L_x_1) ;
        /*0070*/               @P1 BRA `(.L_x_0) ;
        /*0080*/                   EXIT ;
.L_x_2:
        /*0090*/                   NANOSLEEP 0x20 ;
        /*00a0*/                   BRA `(.L_x_3) ;
"""


def _report(name: str, registers: int, shared: int, **loop: int) -> kernels.Report:
    return kernels.Report(name, registers, 0, shared, 1, loop, [])


def test_the_main_loop_is_the_innermost_with_products() -> None:
    loop = kernels.main_loop(MACHINE_CODE)
    assert [i.name for i in loop] == [
        "LDSM.16.M88.4", "HMMA.16816.F32", "HMMA.16816.F32",
        "SYNCS.PHASECHK.TRANS64.TRYWAIT", "BRA", "BRA.U",
    ]  # fmt: skip
    assert [i.kind for i in loop] == ["shared", "tensor", "tensor", "wait", "jump", "jump"]
    assert kernels.main_loop("        /*0000*/  EXIT ;") == []


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("HGMMA.64x256x16.F32", "tensor"), ("UTCHMMA", "tensor"), ("LDGSTS.E.BYPASS.128", "copy"),
        ("UTMALDG.2D", "copy"), ("STS.128", "shared"), ("BAR.SYNC.DEFER_BLOCKING", "wait"),
        ("WARPGROUP.DEPBAR.LE", "wait"), ("FADD", "float"), ("UIADD3.X", "integer"),
        ("R2UR", "integer"), ("IMAD.MOV.U32", "integer"), ("WHAT", "other"),
    ],
)  # fmt: skip
def test_classes_of_instructions(name: str, kind: str) -> None:
    code = f".L_x_0:\n /*0000*/ {name} R0 ;\n /*0010*/ HMMA R0 ;\n /*0020*/ BRA `(.L_x_0) ;\n"
    assert kernels.main_loop(code)[0].kind == kind


def test_ratios_are_of_one_product_each_to_the_best_peer() -> None:
    ours = _report("sm_80 multistage", 220, 49152, tensor=64, integer=64, wait=2)
    far = _report("Triton sm_80 128x128x32x4", 250, 32768, tensor=32, integer=64)
    near = _report("CuTe DSL sm_80 128x128x32x3", 200, 49152, tensor=64, integer=64, wait=1)
    found = {row["figure"]: row for row in kernels.ratios([ours, far, near])}
    assert {row["kernel"] for row in found.values()} == {"sm_80 multistage"}
    assert (found["registers"]["ratio"], found["registers"]["peer"]) == (1.1, near.kernel)
    assert (found["shared memory"]["ratio"], found["shared memory"]["peer"]) == (1.5, far.kernel)
    assert (found["integer"]["ratio"], found["integer"]["theirs"]) == (1.0, 1.0)
    assert found["wait"]["ratio"] is None  # a peer waits for nothing
    assert kernels.ratios([ours]) == []


def test_a_peer_whose_loop_was_not_found_is_not_the_best() -> None:
    ours = _report("sm_80 multistage", 220, 49152, tensor=64, integer=64)
    odd = _report("Triton sm_80 128x128x32x4", 250, 32768)
    found = {row["figure"]: row for row in kernels.ratios([ours, odd])}
    assert found["registers"]["ratio"] == 0.88
    assert "integer" not in found


def test_a_compiler_that_is_not_there_is_said_once(tmp_path: pathlib.Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho \"No module named 'triton'\" >&2\nexit 1\n")
    python.chmod(0o755)
    absent: dict[str, str] = {}
    assert kernels._of_peers(["sm_80 plain", "sm_80 multistage"], str(python), absent) == []
    assert absent == dict.fromkeys(("Triton", "CuTe DSL"), "No module named 'triton'")


def test_an_interpreter_that_is_not_there_is_a_reason() -> None:
    absent: dict[str, str] = {}
    assert kernels._of_peers(["sm_80 plain"], "/nowhere/python", absent) == []
    assert set(absent.values()) == {"cannot run /nowhere/python: No such file or directory"}


@pytest.mark.skipif(
    find_tool("ptxas") is None or find_tool("nvdisasm") is None,
    reason="needs ptxas and nvdisasm, of a toolkit or of NVIDIA's wheels",
)
def test_the_command(tmp_path: pathlib.Path) -> None:
    output = tmp_path / "kernels.json"
    script = [sys.executable, str(BENCHMARKS / "kernels.py"), "--only", "two buffers"]
    done = processes.run(
        [*script, "--without-peers", "--output", str(output)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    figures = json.loads(output.read_text())
    (kernel,) = figures["results"]
    assert kernel["spilled"] == 0
    assert kernel["shared"] == 2 * 256 * 32 * 2
    assert kernel["loop"]["tensor"] == 64
    assert set(figures["absent"]) == {"Pallas sm_80"}
    assert kernel["kernel"] in done.stdout


def test_what_is_missing_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kernels, "find_tool", lambda _: None)
    assert kernels.main([]) == 1
    assert "pip install nvidia-cuda-nvcc" in capsys.readouterr().out
