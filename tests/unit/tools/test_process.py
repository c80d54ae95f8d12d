# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How tools end: output that is closed, full or not read any more, homes that are not there."""

from __future__ import annotations

import os
import pathlib
import pty
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.support import processes
from tests.support.some_cases import some

GOOD = "func.func @main() {\n  return\n}\n"
LOWERED = "llvm.func @main() {\n  llvm.return\n}\n"
PRINTS = """func.func @main() {
  %v = arith.constant dense<1.0> : vector<4xf32>
  vector.print %v : vector<4xf32>
  return
}
"""
TOOLS = {
    "xgpu_opt": ([], GOOD),
    "xgpu_translate": (["--mlir-to-llvmir"], LOWERED),
    "xgpu_runner": (["--device=host", "--entry-point-result=void"], PRINTS),
}
tools = pytest.mark.parametrize("tool", TOOLS)


def shell(command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return processes.run(
        ["bash", "-c", command], capture_output=True, text=True,
        env={**os.environ, **variables},
    )  # fmt: skip


@pytest.fixture
def command(tool: str, tmp_path: pathlib.Path) -> str:
    options, text = TOOLS[tool]
    path = tmp_path / "input.mlir"
    path.write_text(text)
    module = f"xgpu.tools.{tool}"
    entry = "main" if tool == "xgpu_runner" else "console"
    call = f"from {module} import {entry}; import sys; sys.exit({entry}())"
    return f'{sys.executable} -c "{call}" {" ".join(options)} {path}'


def name(tool: str) -> str:
    return tool.replace("_", "-")


@tools
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_full_output(tool: str, command: str) -> None:
    done = shell(f"{command} > /dev/full")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(name(tool))
    assert line.endswith("No space left on device")


@tools
def test_closed_output(tool: str, command: str) -> None:
    done = shell(f"{command} >&-")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(name(tool))
    assert line.endswith("closed")


@tools
def test_nobody_reads(tool: str, command: str) -> None:
    done = shell(f"{command} --help | true; exit ${{PIPESTATUS[0]}}")
    assert done.returncode in (0, 1)  # it may have written all before
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr


@tools
def test_nobody_reads_the_errors(tool: str, command: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "input.mlir").write_text("nonsense\n" * 10_000)
    for redirection in ("2>&-", "2>/dev/full", "2>&1 >/dev/null | true"):
        done = shell(f"{command} {redirection}; exit ${{PIPESTATUS[0]}}")
        assert done.returncode == 1
        assert done.stderr == ""


@tools
def test_closed_input(tool: str, command: str) -> None:
    options = command.rpartition(" ")[0]
    done = shell(f"{options} <&-")
    assert done.returncode == 1
    assert done.stderr == f"{name(tool)}: cannot read standard input: it is closed\n"


@pytest.mark.parametrize(
    ("home", "tool"),
    some(["", "relative", "/nonexistent", "/dev/null", "/proc"], list(TOOLS), of=3),
)
def test_homes(tool: str, command: str, home: str, tmp_path: pathlib.Path) -> None:
    """Whatever the home is, the tool works, says nothing of it, and leaves nothing behind."""
    place = tmp_path / "place"
    place.mkdir()
    set_home = f"HOME={home}" if home else "HOME="
    done = shell(f"cd {place} && unset XDG_CACHE_HOME && env {set_home} {command}")
    assert (done.returncode, done.stderr) == (0, "")
    assert list(place.iterdir()) == []


#: What may have become of a file of the cache.
DAMAGES: tuple[Callable[[bytes], bytes], ...] = (
    lambda raw: raw[: len(raw) // 2],
    lambda raw: b"",
    lambda raw: bytes(len(raw)),
    lambda raw: raw[:-9] + bytes([raw[-9] ^ 4]) + raw[-8:],
)


def check_damaged(tool_command: str, cache: pathlib.Path, rounds: range) -> None:
    """The same result over damaged files, and right files afterwards: in each round a file is
    damaged in another way, and in another than the one beside it."""
    wanted = shell(tool_command, XDG_CACHE_HOME=str(cache), XGPU_NO_CACHE="")
    assert (wanted.returncode, wanted.stderr) == (0, "")
    folder = cache / "xgpu"
    files = {path: path.read_bytes() for path in sorted(folder.iterdir())}
    assert files
    for first in rounds:
        damaged = {
            path: DAMAGES[(first + number) % len(DAMAGES)](raw)
            for number, (path, raw) in enumerate(files.items())
        }
        for path, raw in damaged.items():
            path.write_bytes(raw)
        done = shell(tool_command, XDG_CACHE_HOME=str(cache), XGPU_NO_CACHE="")
        assert (done.returncode, done.stderr) == (0, ""), first
        assert done.stdout == wanted.stdout
        assert sorted(folder.iterdir()) == sorted(files)
        assert not [path for path, raw in damaged.items() if path.read_bytes() == raw]


@pytest.mark.parametrize("tool", ["xgpu_runner"])
@pytest.mark.parametrize("rounds", [1, pytest.param(len(DAMAGES), marks=pytest.mark.long)])
def test_damaged_caches(command: str, tmp_path: pathlib.Path, rounds: int) -> None:
    """Every file of the cache in every wrong state, over the rounds; one of them is short."""
    check_damaged(command, tmp_path, range(rounds))


@pytest.mark.parametrize("tool", ["xgpu_opt", "xgpu_translate"])
def test_no_cache_for_a_text(command: str, tmp_path: pathlib.Path) -> None:
    done = shell(command, XDG_CACHE_HOME=str(tmp_path / "cache"), XGPU_NO_CACHE="")
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "cache").exists()


def test_output_goes_through_a_link(tmp_path: pathlib.Path) -> None:
    from xgpu.tools.files import write_output

    real, link = tmp_path / "real.mlir", tmp_path / "link.mlir"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real.name)
    write_output(str(link), "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.mlir", "real.mlir"]


def test_output_through_a_link_to_nothing(tmp_path: pathlib.Path) -> None:
    from xgpu.tools.files import check_output, write_output

    link = tmp_path / "link.mlir"
    link.symlink_to("real.mlir")
    check_output(str(link))
    write_output(str(link), "new")
    assert link.is_symlink()
    assert (tmp_path / "real.mlir").read_text() == "new"


def test_new_output_obeys_the_mask(tmp_path: pathlib.Path) -> None:
    from xgpu.tools.files import write_output

    old = os.umask(0o027)
    try:
        write_output(str(tmp_path / "new.mlir"), "new")
    finally:
        os.umask(old)
    assert (tmp_path / "new.mlir").stat().st_mode & 0o777 == 0o640


def test_output_that_fails_leaves_the_old(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from xgpu.core.ir.errors import UsageError
    from xgpu.tools import files

    path = tmp_path / "out.mlir"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "replace", full)
    with pytest.raises(UsageError, match="No space left on device"):
        files.write_output(str(path), "new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["out.mlir"]


def _on_terminal(arguments: list[str], **variables: str) -> str:
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", **variables}
    process = processes.start(
        arguments, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave, env=environment
    )
    os.close(slave)
    pieces: list[bytes] = []
    while True:
        try:
            piece = os.read(master, 4096)
        except OSError:  # which Linux gives for the end
            break
        if not piece:
            break
        pieces.append(piece)
    process.wait(timeout=processes.TIMEOUT)
    os.close(master)
    return b"".join(pieces).decode()


def _misused(folder: pathlib.Path) -> tuple[pathlib.Path, list[str]]:
    """A file with a mistake, and what tells of it."""
    text = folder / "f.mlir"
    text.write_text('%0 = "a.b"() : () -> i32\n"a.b"(%0) : (f32) -> ()\n')
    call = "from xgpu.tools.xgpu_opt import console; console()"
    return text, [sys.executable, "-c", call, "--allow-unregistered-dialect", str(text)]


def test_colors_on_a_terminal(tmp_path: pathlib.Path) -> None:
    text, command = _misused(tmp_path)
    shown = _on_terminal(command, NO_COLOR="")
    assert f"\x1b[1m{text}:2:7: \x1b[0m\x1b[0;1;31merror: \x1b[0m\x1b[1muse of value" in shown
    assert "\x1b[0;1;32m      ^\x1b[0m" in shown
    assert "\x1b[0;1;30mnote: \x1b[0m" in shown
    plain = _on_terminal(command, NO_COLOR="1")
    assert "\x1b" not in plain
    assert "error: use of value" in plain


def test_colors_are_those_of_the_reference(tmp_path: pathlib.Path, mlir_opt: str) -> None:
    text, command = _misused(tmp_path)
    shown = _on_terminal(command, NO_COLOR="")
    theirs = _on_terminal([mlir_opt, "--allow-unregistered-dialect", str(text)])
    # Where a line ends LLVM switches back after it, we before.
    assert shown.replace("\x1b[0m\r\n", "\r\n") == theirs.replace("\r\n\x1b[0m", "\r\n")
