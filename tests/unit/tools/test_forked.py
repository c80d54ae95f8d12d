# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tools that tests run in forks do what they do in processes that Python starts."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from tests.support import forked, processes

TEXT = "func.func @f() { return }\n"


def test_output_errors_and_code_are_those_of_a_process() -> None:
    for words, text, code in (
        (["-"], TEXT, 0), (["-", "--mlir-print-op-generic"], TEXT, 0), (["-"], "func.func", 1),
        (["--no-such-option"], "", 1), (["--version"], "", 0),
    ):  # fmt: skip
        command = [sys.executable, "-m", "xgpu.tools.xgpu_opt", *words]
        process = processes.run(command, input=text, capture_output=True, text=True)
        done = forked.run_text("xgpu.tools.xgpu_opt", words, text)
        assert (done.returncode, done.stdout, done.stderr) == (
            process.returncode, process.stdout, process.stderr
        )  # fmt: skip
        assert done.returncode == code


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module with a `main` of its own, which the fork server finds by this path."""
    (tmp_path / "a_tool.py").write_text(
        "import ctypes, os, signal, sys\n"
        "def main(words):\n"
        "    if words == ['signal']: os.kill(os.getpid(), signal.SIGKILL)\n"
        "    if words == ['raise']: raise ValueError('seven')\n"
        "    if words == ['exit']: sys.exit(7)\n"
        "    print(os.environ.get('XGPU_A_WORD'), os.getcwd(), sys.stdin.read(), flush=True)\n"
        "    print('an error', file=sys.stderr)\n"
        "    ctypes.CDLL(None).puts(b'of C')\n"
        "    ctypes.CDLL(None).fflush(None)\n"
        "    return 0\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    return "a_tool"


def test_variables_folder_input_and_the_order_of_streams(tool, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XGPU_A_WORD", "word")
    done = forked.run_text(tool, [], "given", folder=tmp_path)
    expected = f"word {tmp_path} given\nof C\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, "an error\n")
    monkeypatch.delenv("XGPU_A_WORD")
    done = forked.run_main(tool, [], merge=True)
    assert done.stdout.decode() == f"None {Path.cwd()} \nan error\nof C\n"


def test_how_a_tool_ends(tool) -> None:
    assert forked.run_text(tool, ["exit"]).returncode == 7
    assert forked.run_text(tool, ["signal"]).returncode == -signal.SIGKILL
    done = forked.run_text(tool, ["raise"])
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, "ValueError: seven")


def test_a_plugin_is_gone_with_its_process(tmp_path: Path) -> None:
    plugin = tmp_path / "a_plugin.py"
    plugin.write_text(
        "from xgpu.plugins import Pass\n"
        "class Nothing(Pass):\n    name = 'nothing-at-all'\n"
        "    def run(self, module, context): pass\n"
    )
    words = [f"--load-pass-plugin={plugin}", "--nothing-at-all", "-"]
    assert forked.run_text("xgpu.tools.xgpu_opt", words, TEXT).returncode == 0
    assert "xgpu-opt" in forked.run_text("xgpu.tools.xgpu_opt", words[1:], TEXT).stderr
