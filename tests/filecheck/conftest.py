# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each `.mlir` and `.ll` file here as a test: its RUN lines, as lit runs them.

A RUN line is a shell pipeline. Where it consists of our tools, filecheck, `not`, `cat` and plain
redirections it is run inside this process, which saves a start of Python for each tool; anything
else goes to a shell with the tools on its PATH. `lit tests/filecheck` runs the same files with
processes. What a tool would leave behind in this process it does in another one
(`tests/support/forked.py`): xgpu-runner runs code, and a plugin stays.

Substitutions: %s (the file), %S (its folder), %t (a scratch path), %examples, %mlir_test_lib (a
plugin with operations and passes of MLIR's tests).
Other directives: `REQUIRES: parity|gpu|long|ptxas` skips where that is not at hand; `XFAIL: *`.
"""

from __future__ import annotations

import io
import os
import pathlib
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator

import pytest

from tests.support import forked, processes

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TOOLS = {
    "xgpu-opt": "xgpu.tools.xgpu_opt",
    "xgpu-translate": "xgpu.tools.xgpu_translate",
    "xgpu-reduce": "xgpu.tools.xgpu_reduce",
    "xgpu-runner": "xgpu.tools.xgpu_runner",
    "filecheck": "filecheck.main",
}
CONTINUED = re.compile(r"\\\s*$")


def pytest_collect_file(parent: pytest.Collector, file_path: pathlib.Path) -> object:
    if file_path.suffix in (".mlir", ".ll") and "Inputs" not in file_path.parts:
        return MlirFile.from_parent(parent, path=file_path)
    return None


class MlirFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        item = MlirItem.from_parent(self, name=self.path.name)
        text = self.path.read_text(encoding="utf-8", errors="surrogateescape")
        for word in directive(text, "REQUIRES"):
            if word in ("parity", "gpu", "long"):
                item.add_marker(getattr(pytest.mark, word))
            elif word == "ptxas" and shutil.which("ptxas") is None:
                item.add_marker(pytest.mark.skip(reason="needs ptxas"))
        if directive(text, "XFAIL"):
            item.add_marker(pytest.mark.xfail(strict=True))
        yield item


def directive(text: str, name: str) -> list[str]:
    found = re.findall(rf"(?m)^\s*(?://|;)\s*{name}:\s*(.*)$", text)
    return [word.strip() for line in found for word in line.split(",")]


def run_lines(text: str) -> list[str]:
    lines: list[str] = []
    current = ""
    for match in re.finditer(r"(?m)^\s*(?://|;)\s*RUN:\s?(.*)$", text):
        line = match.group(1)
        if CONTINUED.search(line):
            current += CONTINUED.sub("", line)
        else:
            lines.append((current + line).strip())
            current = ""
    return lines


class RunFailure(Exception):
    pass


class MlirItem(pytest.Item):
    def runtest(self) -> None:
        text = self.path.read_text(encoding="utf-8", errors="surrogateescape")
        lines = run_lines(text)
        if not lines:
            raise RunFailure("no RUN line")
        with tempfile.TemporaryDirectory(prefix="xgpu-filecheck-") as folder:
            for line in lines:
                run_line(substitute(line, self.path, pathlib.Path(folder) / self.path.stem))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None):
        if isinstance(excinfo.value, RunFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[pathlib.Path, int, str]:
        return self.path, 0, str(self.path.relative_to(ROOT))


def substitute(line: str, path: pathlib.Path, scratch: pathlib.Path) -> str:
    values = {
        "s": path,
        "S": path.parent,
        "t": scratch,
        "examples": ROOT / "examples",
        "mlir_test_lib": ROOT / "tests" / "mlir_test_lib",
    }
    return re.sub(r"%(examples|mlir_test_lib|[sSt])\b", lambda m: str(values[m.group(1)]), line)


def run_line(line: str) -> None:
    stages = plain_stages(line)
    if stages is None:
        run_in_shell(line)
        return
    data, errors, code = b"", "", 0
    for argv, merge in stages:
        data, said, code = run_stage(argv, data, merge)
        errors += said
        if code and argv is not stages[-1][0]:
            raise RunFailure(f"$ {line}\n{shlex.join(argv)}: exit code {code}\n{errors}")
    if code:
        raise RunFailure(f"$ {line}\nexit code {code}\n{errors}\n{data.decode(errors='replace')}")


def plain_stages(line: str) -> list[tuple[list[str], bool]] | None:
    """The pipeline's stages as (argv, whether stderr goes the way of stdout); None if the line
    needs a shell. A file that the first one reads (`< FILE`) is a stage `cat FILE` before it."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError:
        return None
    stages: list[tuple[list[str], bool]] = [([], False)]
    i = 0
    while i < len(words):
        word = words[i]
        if word == "|":
            stages.append(([], False))
        elif word == "2" and words[i + 1 : i + 3] == [">&", "1"]:
            stages[-1] = (stages[-1][0], True)
            i += 2
        elif word == "<" and len(stages) == 1 and words[i + 1 :]:
            stages.insert(0, (["cat", words[i + 1]], False))
            i += 1
        elif re.fullmatch(r"[|&;<>]+", word):
            return None
        else:
            stages[-1][0].append(word)
        i += 1
    for argv, _ in stages:
        names = argv[1:] if argv[:1] == ["not"] else argv
        if not names or names[0] not in (*TOOLS, "cat"):
            return None
    return stages


def entry(tool: str) -> Callable[[list[str]], object]:
    from importlib import import_module

    main = import_module(TOOLS[tool]).main
    if tool == "filecheck":
        return lambda argv: main(["filecheck", *argv])
    return main


def run_stage(argv: list[str], data: bytes, merge: bool) -> tuple[bytes, str, int]:
    """Runs a tool here, with `data` as its standard input: (stdout, stderr, exit code)."""
    inverted = argv[0] == "not"
    tool, *rest = argv[1:] if inverted else argv
    if tool == "cat":
        return b"".join(pathlib.Path(name).read_bytes() for name in rest), "", 0
    if tool == "xgpu-runner" or any(word.startswith("--load-dialect-plugin") for word in rest):
        done = forked.run_main(TOOLS[tool], rest, data, merge=merge)
        code = int(done.returncode == 0) if inverted else done.returncode
        return done.stdout, done.stderr.decode(errors="replace"), code
    saved = sys.stdin, sys.stdout, sys.stderr
    out_bytes, err_bytes = io.BytesIO(), io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="surrogateescape")
    out = sys.stdout = io.TextIOWrapper(
        out_bytes, encoding="utf-8", errors="surrogateescape", write_through=True
    )
    err = sys.stderr = (
        out
        if merge
        else io.TextIOWrapper(
            err_bytes, encoding="utf-8", errors="surrogateescape", write_through=True
        )
    )
    try:
        code = entry(tool)(rest)
    except SystemExit as e:
        code = e.code
    finally:
        sys.stdin, sys.stdout, sys.stderr = saved
    out.flush()
    err.flush()
    number = code if isinstance(code, int) else 0 if code is None else 1
    if inverted:
        number = int(number == 0)
    return out_bytes.getvalue(), err_bytes.getvalue().decode(errors="replace"), number


def run_in_shell(line: str) -> None:
    environment = dict(os.environ)
    paths = [os.path.dirname(sys.executable), str(HERE / "bin")]
    environment["PATH"] = os.pathsep.join([*paths, environment.get("PATH", "")])
    environment["PYTHONPATH"] = os.pathsep.join(
        [str(ROOT), *filter(None, [environment.get("PYTHONPATH")])]
    )
    environment["XGPU_TEST_PYTHON"] = sys.executable
    done = processes.run(
        ["bash", "-o", "pipefail", "-c", line],
        capture_output=True,
        text=True,
        errors="replace",
        env=environment,
    )
    if done.returncode:
        raise RunFailure(f"$ {line}\nexit code {done.returncode}\n{done.stderr}\n{done.stdout}")
