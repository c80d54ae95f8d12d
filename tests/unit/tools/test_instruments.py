# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What xgpu-opt says around passes: IR in folders, actions, elided constants, how far it is."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import pty
import re
import sys

import pytest

from tests.support import processes
from tests.support.reference import NO_REFERENCE, llvm_bin
from tests.support.some_cases import short
from xgpu.core.passes.base import Pass
from xgpu.core.passes.manager import PassManager
from xgpu.tools import instruments, xgpu_opt

PROGRAM = """module @"a b" {
  func.func @"x/y"() { return }
  "test.x"() ({ "test.y"() : () -> () }) {sym_name = "q"} : () -> ()
  gpu.module @k [#nvvm.target] {
    gpu.func @f(%x: memref<3xi32>) kernel attributes {
      large = dense<[1, 2, 3]> : tensor<3xi32>, same = dense<1> : tensor<3xi32>,
      thin = sparse<[[0]], [1]> : tensor<9xi32>,
      two = sparse<[[0, 0], [2, 2]], [1, 2]> : tensor<3x3xi32>,
      far = dense_resource<blob> : tensor<3xi8>
    } { gpu.return }
  }
}
{-# dialect_resources: { builtin: { blob: "0x08000000010203" } } #-}
"""
#: Passes on an operation, on what is in it, and on it again: files have numbers of all of them.
NESTED = "builtin.module(canonicalize,func.func(cse),gpu.module(cse,gpu.func(sccp)),cse)"
TREE = "--mlir-print-ir-tree-dir={folder}/tree"
#: Options, with the exit code where it is not 0; each is compared with mlir-opt.
CASES = [
    ["--mlir-elide-elementsattrs-if-larger=2"],
    ["--mlir-elide-elementsattrs-if-larger=8"],
    ["--mlir-elide-elementsattrs-if-larger=-1"],
    ["--mlir-elide-resource-strings-if-larger=4"],
    ["--mlir-elide-elementsattrs-if-larger=0", "--mlir-print-ir-after-all", "--cse"],
    ["--dump-pass-pipeline"],
    ["--dump-pass-pipeline", "--cse", "--sccp"],
    ["--mlir-print-ir-after-all", f"--pass-pipeline={NESTED}", TREE],
    ["--mlir-print-ir-before=cse", "--mlir-print-ir-after=sccp", f"--pass-pipeline={NESTED}", TREE],
    ["--mlir-print-ir-after-all", f"--pass-pipeline={NESTED}", TREE,
     "--mlir-print-ir-module-scope", "--mlir-disable-threading"],
    ["--mlir-print-ir-after-all", "--mlir-print-ir-after-change", "--cse", TREE],
    ["--cse", TREE],
    # With threads mlir-opt prints what is in @"x/y" and in @k in the order in which it is done.
    ["--mlir-print-ir-after-all", f"--pass-pipeline={NESTED}", "--mlir-print-local-scope",
     "--mlir-disable-threading"],
    ["--mlir-print-assume-verified", "--cse"],
    ["--log-actions-to={folder}/log", "--pass-pipeline=builtin.module(cse,gpu.module(cse,sccp))",
     "--mlir-disable-threading"],
    ["--dump-pass-pipeline", "--canonicalize", "--one-shot-bufferize", "--convert-to-llvm",
     "--symbol-privatize", "--convert-gpu-to-nvvm=allowed-dialects=arith,func"],
]  # fmt: skip


def written(folder: pathlib.Path) -> dict[str, str]:
    """The files in a folder, by their paths there."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text() for path in files}


def arguments(options: list[str], folder: pathlib.Path) -> list[str]:
    folder.mkdir()
    return ["a.mlir", "--allow-unregistered-dialect", *(o.format(folder=folder) for o in options)]


@pytest.mark.parity
@pytest.mark.skipif(llvm_bin() is None, reason=NO_REFERENCE)
@pytest.mark.parametrize("options", short(CASES, CASES[9], CASES[12]))
def test_as_mlir_opt(
    options: list[str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    (tmp_path / "a.mlir").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    theirs = processes.run(
        [llvm_bin() / "mlir-opt", *arguments(options, tmp_path / "theirs")],
        capture_output=True, text=True,
    )  # fmt: skip
    code = xgpu_opt.main(arguments(options, tmp_path / "ours"))
    out, err = capfd.readouterr()
    said = theirs.stderr.replace("mlir-opt", "xgpu-opt")
    said = said.replace("ExecutionContext registered on the context\n", "")
    assert (code, out, err) == (theirs.returncode, theirs.stdout, said)
    assert written(tmp_path / "ours") == written(tmp_path / "theirs")


def test_operation_of_a_diagnostic(
    tmp_path: pathlib.Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.mlir"
    path.write_text('func.func @f(%a: i32) { %0 = "arith.addi"(%a, %a) : (i32, i32) -> i8 return }')
    notes = []
    for option in ("", "=true", "=false"):
        assert xgpu_opt.main([str(path), f"--mlir-print-op-on-diagnostic{option}"]) == 1
        err = capfd.readouterr().err
        assert "requires the same type for all operands and results" in err
        notes.append("note: see current operation: %0 =" in err)
    assert notes == [True, True, False]


def test_actions_on_standard_output(
    tmp_path: pathlib.Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.mlir"
    path.write_text("func.func private @f()")
    assert xgpu_opt.main([str(path), "--cse", "--log-actions-to=-"]) == 0
    first, second, rest = capfd.readouterr().out.split("\n", 2)
    assert first.endswith("running `CSE` on Operation `builtin.module` (module {...})`")
    assert second == "[thread mlir-opt] completed `pass-execution`"
    assert rest == "module {\n  func.func private @f()\n}\n\n"


@pytest.mark.parametrize("option", ["log-actions-to", "profile-actions-to"])
def test_a_file_that_cannot_be_written(
    option: str, tmp_path: pathlib.Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.mlir"
    path.write_text("module {}")
    assert xgpu_opt.main([str(path), "--cse", f"--{option}={tmp_path}/no/file"]) == 1
    assert "no/file': No such file or directory" in capfd.readouterr().err
    assert xgpu_opt.main(
        [str(path), "--cse", "--mlir-print-ir-after-all", f"--mlir-print-ir-tree-dir={path}/x"]
    ) == 1  # fmt: skip
    assert "_cse.mlir': Not a directory" in capfd.readouterr().err


def test_a_trace_of_passes(tmp_path: pathlib.Path, capfd: pytest.CaptureFixture[str]) -> None:
    path, trace = tmp_path / "a.mlir", tmp_path / "trace.json"
    path.write_text(PROGRAM)
    pipeline = "builtin.module(cse,gpu-module-to-binary{format=none})"
    argv = [str(path), "--allow-unregistered-dialect", f"--pass-pipeline={pipeline}"]
    assert xgpu_opt.main([*argv, f"--profile-actions-to={trace}"]) == 1  # of a pass that fails
    events = json.loads(trace.read_text())
    depth = 0
    for event in events:
        depth += {"B": 1, "E": -1}[event["ph"]]
        assert depth >= 0
    begun = [event["args"]["desc"] for event in events if event["ph"] == "B"]
    assert begun[0] == "`pass-execution` running `CSE` on Operation `builtin.module`"
    assert [event["ts"] for event in events] == sorted(event["ts"] for event in events)


# -- progress


class Slow(Pass):
    """Ends after the line was shown."""

    name = "slow"
    shown: list[str]

    def run(self, op: object, ctx: object) -> None:
        while not self.shown:
            pass


def test_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(instruments, "say", shown.append)
    monkeypatch.setattr(instruments.Progress, "DELAY", 0.02)
    monkeypatch.setattr(instruments.Progress, "STEP", 0.0)
    manager = PassManager()
    passes = [Slow(), Slow(), Slow()]
    for p in passes:
        p.shown = shown
        manager.add(p)
    progress = instruments.Progress(manager)
    for p in passes:
        progress.before(p, None)
        p.run(None, None)
    progress.close()
    counts = [re.findall(r"pass (\d) of 3: slow", text) for text in shown]
    assert counts == [["1"], ["2"], ["3"], []]
    assert shown[-1] == "\r\x1b[K"
    del shown[:]
    instruments.Progress(manager).close()
    assert shown == []  # nothing where all is done soon


class Eager(instruments.Progress):
    """Shown from the first pass on."""

    DELAY = STEP = 0.0

    def __init__(self, manager: PassManager) -> None:
        super().__init__(manager)
        self.timer.join()


def read_terminal(file: int) -> str:
    """All that was written to the other end, which is closed: the kernel may give it in parts."""
    parts: list[bytes] = []
    with contextlib.suppress(OSError):  # the end, on Linux
        while part := os.read(file, 4096):
            parts.append(part)
    return b"".join(parts).decode()


def test_progress_on_a_terminal(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.mlir"
    path.write_text("func.func private @f()")
    argv = [str(path), "--cse", "--sccp", "-o", os.devnull]
    monkeypatch.setattr(instruments, "Progress", Eager)
    ours, theirs = pty.openpty()
    with open(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        assert xgpu_opt.main(argv) == 0
    said = read_terminal(ours)
    os.close(ours)
    assert "pass 1 of 2: cse" in said
    assert "pass 2 of 2: sccp" in said
    assert said.endswith("\r\x1b[K")


def test_no_progress_elsewhere(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.mlir"
    path.write_text("func.func private @f()")
    monkeypatch.setattr(instruments, "Progress", None)  # it is not asked for
    assert xgpu_opt.main([str(path), "--cse"]) == 0
    assert capfd.readouterr().err == ""
