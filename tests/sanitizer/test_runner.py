# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-runner --sanitize`: exit codes, the report's first line, JSON and SARIF."""

from __future__ import annotations

import json

import pytest
from planted import Planted

from xgpu.tools import xgpu_runner

_CASE = Planted(
    "racy",
    "race",
    """
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %s[%t] : memref<64xf32, #wg>
      gpu.barrier // GOOD
      %k = arith.subi %c63, %t : index
      %w = memref.load %s[%k] : memref<64xf32, #wg>
      memref.store %w, %out[%t] : memref<256xf32>
""",
    workgroup="%s: memref<64xf32, #wg>",
)


@pytest.fixture
def racy(tmp_path):
    path = tmp_path / "racy.mlir"
    path.write_text(_CASE.text(True))
    return path


def test_a_race_is_an_error_with_its_place(racy, capfd):
    assert xgpu_runner.main([str(racy), "--sanitize"]) == 1
    err = capfd.readouterr().err
    assert err.startswith(f"{racy}:33:12: error: race: ")
    assert "%w = memref.load" in err
    assert f"{racy}:30:7: note: " in err


def test_a_correct_program_says_nothing(tmp_path, capfd):
    path = tmp_path / "fine.mlir"
    path.write_text(_CASE.text(False))
    assert xgpu_runner.main([str(path), "--sanitize=memory,race,sync,init,leak"]) == 0
    assert capfd.readouterr().err == ""


def test_other_kinds_do_not_see_a_race(racy, capfd):
    assert xgpu_runner.main([str(racy), "--sanitize=memory"]) == 0
    capfd.readouterr()


def test_reports_for_programs(racy, tmp_path, capfd):
    out = tmp_path / "found.json"
    assert xgpu_runner.main([str(racy), "--sanitize", f"--sanitize-report={out}"]) == 1
    (finding,) = json.loads(out.read_text())["findings"]
    assert finding["kind"] == "race"
    assert {side["line"] for side in finding["sides"]} == {30, 33}
    assert finding["sides"][0]["kernel"] == "k"
    assert finding["count"] > 1
    sarif = tmp_path / "found.sarif"
    assert xgpu_runner.main([str(racy), "--sanitize", f"--sanitize-report={sarif}"]) == 1
    (run,) = json.loads(sarif.read_text())["runs"]
    (result,) = run["results"]
    assert result["ruleId"] == "race"
    place = result["locations"][0]["physicalLocation"]
    assert place["region"]["startLine"] == 33
    capfd.readouterr()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--sanitize=rats"], "sanitizer 'rats', expected one of memory, race, sync, init, leak"),
        (["--sanitize-report=x.json"], "option '--sanitize-report' needs '--sanitize'"),
        (["--sanitize", "--sanitize-report=x.txt"], "expected a .json or .sarif file"),
        (["--sanitize", "--device=cuda"], "option '--sanitize' needs the host device"),
        (["--sanitize", "--kernel-form=warps"], "exclude one another"),
    ],
)
def test_what_does_not_go_together(racy, capfd, options, says):
    assert xgpu_runner.main([str(racy), *options]) == 1
    assert says in capfd.readouterr().err
