# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--completion`, `--help=PASS` and `--watch` of xgpu-opt."""

from __future__ import annotations

import os
import pathlib
import pty
import select
import shutil
import signal
import sys

import pytest

from tests.support import processes
from xgpu.tools import xgpu_opt
from xgpu.tools.files import changes
from xgpu.tools.shell_completion import script


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pathlib.Path]:
    folder = tmp_path_factory.mktemp("completion")
    for shell in ("bash", "zsh", "fish"):
        (folder / shell).write_text(script(shell))
    return {shell: folder / shell for shell in ("bash", "zsh", "fish")}


def completed(scripts: dict[str, pathlib.Path], *words: str) -> list[str]:
    """What bash offers for the last word of a command line."""
    listed = " ".join(f"'{word}'" for word in words)
    command = (
        f"source {scripts['bash']}; compopt() {{ :; }}; COMP_WORDS=({listed}); "
        f"COMP_CWORD={len(words) - 1}; _{words[0].replace('-', '_')}; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = processes.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash(scripts: dict[str, pathlib.Path]) -> None:
    assert "--canonicalize" in completed(scripts, "xgpu-opt", "--can")
    assert completed(scripts, "xgpu-opt", "--pass-pip") == ["--pass-pipeline="]
    assert "chip=" in completed(scripts, "xgpu-opt", "--nvvm-attach-target", "=", "ch")
    assert "chip=" in completed(scripts, "xgpu-opt", "--nvvm-attach-target", "=")
    assert completed(scripts, "xgpu-runner", "--expl") == ["--explain-overlap", "--explore="]
    assert completed(scripts, "xgpu-translate", "--import-c") == ["--import-cuda"]


#: The beginning of a line, and what completes it.
COMPLETED = [
    ("xgpu-opt --cano", "--canonicalize"),
    ("xgpu-opt --nvvm-attach-target=chi", "--nvvm-attach-target=chip="),
    ("xgpu-opt --pass-pip", "--pass-pipeline"),
    ("xgpu-runner --explo", "--explore"),
    ("xgpu-translate --import-cu", "--import-cuda"),
    ("xgpu-reduce --split-in", "--split-input-file"),
    ("xgpu-cuda --left", "--leftovers"),
    ("xgpu-lsp-server --std", "--stdio"),
]


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish(scripts: dict[str, pathlib.Path]) -> None:
    asked = "".join(f"complete -C '{line}'; echo; " for line, _ in COMPLETED)
    done = processes.run(
        ["fish", "--no-config", "-c", f"source {scripts['fish']}; {asked}"],
        capture_output=True, text=True, check=True,
        env={**os.environ, "HOME": str(scripts["fish"].parent)},
    )  # fmt: skip
    assert done.stderr == ""
    answers = done.stdout.split("\n\n")
    for (line, completion), answer in zip(COMPLETED, answers, strict=False):
        offered = [text.split("\t")[0] for text in answer.splitlines()]
        assert {text.removesuffix("=") for text in offered} == {completion.removesuffix("=")}, line


@pytest.mark.long
@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh(scripts: dict[str, pathlib.Path], tmp_path: pathlib.Path) -> None:
    shutil.copy(scripts["zsh"], tmp_path / "_xgpu")
    ours, theirs = pty.openpty()
    process = processes.start(["zsh", "-f", "-i"], stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)

    def answer(text: str, until: str) -> str:
        """What the shell says after a text, up to what is expected."""
        os.write(ours, text.encode())
        said = ""
        while until not in said:
            assert select.select([ours], [], [], 60)[0], said
            said += os.read(ours, 4096).decode()
        return said

    try:
        answer(f"TERM=dumb; fpath=({tmp_path} $fpath); PS1=re'ady> '\n", "ready> ")
        answer(f"autoload -U compinit; compinit -u -d {tmp_path}/dump; echo do'ne'\n", "done\r\n")
        for line, completion in COMPLETED:
            rest = completion.removeprefix(line.split()[1])
            assert answer(f"{line}\t", f"{line}{rest}")
            answer("\x15\n", "ready> ")
    finally:
        process.kill()
        process.wait()
        os.close(ours)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_of_their_shell(scripts: dict[str, pathlib.Path], shell: str) -> None:
    text = scripts[shell].read_text()
    assert "canonicalize" in text
    assert "cubin-chip=" in text
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    done = processes.run([shell, "-n", scripts[shell]], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert xgpu_opt.main(["--completion=ksh"]) == 1
    assert "is 'ksh', expected bash, zsh or fish" in capsys.readouterr().err


def test_help_of_a_pass(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert xgpu_opt.main(["--help=nvvm-attach-target"]) == 0
    text = capsysbinary.readouterr().out.decode()
    assert text.startswith("PASS: --nvvm-attach-target\n")
    assert "--chip=<string>" in text
    assert "(default: sm_50)" in text
    assert xgpu_opt.main(["--help=csee"]) == 1
    assert b"did you mean 'cse'" in capsysbinary.readouterr().err


def test_changes_of_a_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.mlir"
    found = changes(str(path))
    next(found)
    path.write_text("module {}")
    next(found)
    path.write_text("module { }")
    next(found)
    new = tmp_path / "b.mlir"
    new.write_text("module { }")
    os.replace(new, path)
    next(found)


def test_watch(tmp_path: pathlib.Path) -> None:
    source, out, log = tmp_path / "a.mlir", tmp_path / "out.mlir", tmp_path / "log"
    source.write_text("func.func @first()")
    with log.open("w") as errors:
        command = [sys.executable, "-m", "xgpu.tools.xgpu_opt", str(source), "--watch", "-o", out]
        process = processes.start(command, stderr=errors)
        try:
            processes.wait_until(process, lambda: "exit code 1" in log.read_text())
            source.write_text("func.func private @second()")
            processes.wait_until(process, lambda: "exit code 0" in log.read_text())
            assert "@second" in out.read_text()
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0
        finally:
            process.kill()
    assert "Traceback" not in log.read_text()


def test_watch_needs_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert xgpu_opt.main(["--watch"]) == 1
    assert "option '--watch' needs an input file" in capsys.readouterr().err
