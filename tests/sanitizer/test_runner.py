# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-runner --sanitize`: exit codes, the report's first line, JSON and SARIF."""

from __future__ import annotations

import json
import re

import pytest
from planted import Planted

import xgpu
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


@pytest.mark.parametrize("is_racy", [False, True])
def test_the_report_says_how_launches_were_watched(tmp_path, capfd, is_racy):
    path = tmp_path / "program.mlir"
    path.write_text(_CASE.text(is_racy))
    assert xgpu_runner.main([str(path), "--sanitize", "--report"]) == is_racy
    how = "screened (1 launch)"
    if is_racy:
        how = f"the checks do not tell whether an access at {path}:33:12 is right (1 launch)"
        how = f"screened, then thread by thread, {how}"
    assert f"kernel 'k': {how}" in capfd.readouterr().err.splitlines()
    found = xgpu.sanitize(_CASE.text(is_racy), filename=str(path))
    assert found.launches == (f"kernel 'k': {how}",)


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
    watched = json.loads(out.read_text())["watched"]
    assert watched["kinds"] == ["memory", "race", "sync", "init"]
    (launches,) = watched["launches"]
    assert (launches["kernel"], launches["launches"]) == ("k", 1)
    assert launches["how"] == "screened, then thread by thread"
    assert watched["not_watched"] == []
    sarif = tmp_path / "found.sarif"
    assert xgpu_runner.main([str(racy), "--sanitize", f"--sanitize-report={sarif}"]) == 1
    document = json.loads(sarif.read_text())
    (run,) = document["runs"]
    (result,) = run["results"]
    assert result["ruleId"] == "race"
    place = result["locations"][0]["physicalLocation"]
    assert place["region"]["startLine"] == 33
    assert place["artifactLocation"] == {"uri": racy.as_uri()}
    assert run["properties"]["watched"] == watched
    check_sarif(document)
    capfd.readouterr()


def check_sarif(document):
    """What the schema of SARIF 2.1.0 requires of the objects that reports have."""
    assert document["version"] == "2.1.0"
    for run in document["runs"]:
        driver = run["tool"]["driver"]
        assert driver["name"]
        rules = [rule["id"] for rule in driver["rules"]]
        assert len(set(rules)) == len(rules)
        for result in run["results"]:
            assert result["message"]["text"]
            assert result["ruleId"] in rules
            assert result["level"] in ("none", "note", "warning", "error")
            assert result["occurrenceCount"] >= 1
            related = result.get("relatedLocations", [])
            assert len({location["id"] for location in related}) == len(related)
            for location in [*result["locations"], *related]:
                place = location["physicalLocation"]
                assert re.fullmatch(r"[\w.~/:%+,;=@()!$&'*-]+", place["artifactLocation"]["uri"])
                assert place["region"]["startLine"] >= 1
                assert place["region"]["startColumn"] >= 1
            assert all(location["message"]["text"] for location in related)


def test_a_file_in_the_working_folder_is_relative_in_sarif(tmp_path, monkeypatch, capfd):
    path = tmp_path / "my race.mlir"
    path.write_text(_CASE.text(True))
    monkeypatch.chdir(tmp_path)
    for name in (str(path), path.name):
        xgpu_runner.main([name, "--sanitize", "--sanitize-report=found.sarif"])
        document = json.loads((tmp_path / "found.sarif").read_text())
        check_sarif(document)
        place = document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "my%20race.mlir"
    capfd.readouterr()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            ["--sanitize=rats"],
            "sanitizer 'rats', expected one of memory, race, sync, init, leak, volatile",
        ),
        (["--sanitize-report=x.json"], "option '--sanitize-report' needs '--sanitize'"),
        (["--sanitize", "--sanitize-report=x.txt"], "expected a .json or .sarif file"),
        (["--sanitize", "--device=cuda"], "option '--sanitize' needs the host device"),
        (["--sanitize", "--kernel-strategy=warps"], "exclude one another"),
    ],
)
def test_what_does_not_go_together(racy, capfd, options, says):
    assert xgpu_runner.main([str(racy), *options]) == 1
    assert says in capfd.readouterr().err


_TAKES_ONE_LOCK_TWICE = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%lock: memref<1xi32>) kernel {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %true = arith.constant true
      %at = memref.extract_aligned_pointer_as_index %lock : memref<1xi32> -> index
      %number = arith.index_cast %at : index to i64
      %p = llvm.inttoptr %number : i64 to !llvm.ptr<1>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      scf.for %i = %c0 to %c2 step %c1 {
        scf.while : () -> () {
          %pair = llvm.cmpxchg %p, %zero, %one acquire monotonic : !llvm.ptr<1>, i32
          %got = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
          %again = arith.xori %got, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
      }
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %i = arith.constant 0 : i32
    %t0 = gpu.wait async
    %lock, %t1 = gpu.alloc async [%t0] () : memref<1xi32>
    %t2 = gpu.memset async [%t1] %lock, %i : memref<1xi32>, i32
    %t3 = gpu.launch_func async [%t2] @m::@k blocks in (%c4, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%lock : memref<1xi32>)
    %t4 = gpu.dealloc async [%t3] %lock : memref<1xi32>
    gpu.wait [%t4]
    return
  }
}
"""


def test_a_worker_that_is_ended_holds_nothing(monkeypatch):
    """The watchdog's signal may come while a worker is in the sanitizer: it ends behind it, and
    others get in."""
    monkeypatch.setenv("XGPU_WATCHDOG", "0.1")
    for _ in range(8):
        with pytest.raises(xgpu.DeviceError, match="no progress"):
            xgpu.sanitize(_TAKES_ONE_LOCK_TWICE)


def test_a_defect_of_the_sanitizer_is_no_clean_run(monkeypatch):
    """What goes wrong below native code is not passed on by it."""
    from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

    case = Planted(
        "too_few",
        "sync",
        """
      %n96 = arith.constant 96 : i32
      %id = arith.constant 1 : i32
      nvvm.barrier id = %id number_of_threads = %n96
""",
    )

    def broken(self: Sanitizer, worker: int) -> None:
        raise KeyError("broken")

    monkeypatch.setattr(Sanitizer, "stuck", broken)
    with pytest.raises(xgpu.DeviceError, match=r"internal error in the sanitizer: KeyError"):
        xgpu.sanitize(case.text(True))


def test_a_texture_is_not_watched():
    fetch = """
      %never = arith.cmpi ugt, %t, %c63 : index
      scf.if %never {
        %h = llvm.mlir.constant(0 : i64) : i64
        %z = llvm.mlir.constant(0 : i32) : i32
        llvm.inline_asm has_side_effects "tex.1d.v4.f32.s32 {$0, $1, $2, $3}, [$4, {$5}];",
          "=f,=f,=f,=f,l,r" %h, %z : (i64, i32) -> !llvm.struct<(f32, f32, f32, f32)>
      }
"""
    text = _CASE.text(True).replace("      %v = memref.load", fetch + "      %v = memref.load", 1)
    (operation,) = xgpu.sanitize(text).coverage.not_watched
    assert (operation.kernel, operation.operation) == ("k", "tex.1d.v4.f32.s32")


def test_what_is_not_watched_is_said(tmp_path):
    """A hint of the kernel's, in the report's text and for programs."""
    hint = "      nvvm.setmaxregister increase 80\n"
    text = _CASE.text(True).replace("      %v = memref.load", hint + "      %v = memref.load", 1)
    found = xgpu.sanitize(text, filename=str(tmp_path / "racy.mlir"))
    line = text[: text.index(hint)].count("\n") + 1
    (operation,) = found.coverage.not_watched
    assert operation.kernel == "k"
    assert operation.operation == "nvvm.setmaxregister"
    assert operation.location.endswith(f"racy.mlir:{line}:7")
    said = f"kernel 'k': nvvm.setmaxregister at {operation.location} is not watched"
    assert found.text().endswith(f"note: {said}")
    assert found.coverage.lines()[-1] == said
