# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole CUDA C++ programs, host code and all, by `xgpu-cuda --sanitize`: what suites share."""

from __future__ import annotations

import contextlib
import json
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from pathlib import Path

import table

#: What `xgpu-cuda` and clang say of a program that is not compiled or linked.
_REFUSED = re.compile(r"^(?:xgpu-cuda:|\S+:\d+:\d+: (?:fatal )?error:|error:)(.*)$", re.MULTILINE)
_MISSING = re.compile(r"'([^']+)' file not found(?:: xgpu does not have ([^;\n]+))?")


def watched(
    sources: Sequence[Path], *, kinds: str = "memory,race,sync,init", options: Sequence[str] = (),
    arguments: Sequence[str] = (), stdin: str = "", pairs: bool = False,
) -> tuple[table.Outcome, subprocess.CompletedProcess[str]]:  # fmt: skip
    """Run a program under the sanitizer, in a folder of its own: the outcome, which says nothing of
    what is expected, and the process. `options` are clang's. `refused: ..` is the reason of one
    that does not run. With `pairs` one without findings runs again, for its cost."""
    with tempfile.TemporaryDirectory() as place:
        report = Path(place) / "findings.json"

        def run(*watch: str) -> subprocess.CompletedProcess[str]:
            command = [
                sys.executable, "-m", "xgpu.tools.xgpu_cuda", *watch, *options,
                *(str(source.resolve()) for source in sources), "--", *arguments,
            ]  # fmt: skip
            return subprocess.run(
                command, input=stdin, capture_output=True, text=True, check=False,
                errors="replace", cwd=place,
            )  # fmt: skip

        watch: list[str] = []

        @contextlib.contextmanager
        def watching() -> Generator[None]:
            watch.append(f"--sanitize={kinds}")
            yield

        def timed() -> float:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run(*watch)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

        begin = time.perf_counter()
        done = run(f"--sanitize={kinds}", f"--report={report}")
        seconds = {"program": time.perf_counter() - begin}
        findings = json.loads(report.read_text())["findings"] if report.exists() else None
        if findings is None or (not findings and _REFUSED.search(done.stderr)):
            reason = f"refused: {_why(done)}"
            return table.Outcome(reason=reason, detail=done.stderr[-900:], seconds=seconds), done
        if pairs and not findings:
            seconds |= table.cost(timed, watching)
        found = table.by_kind(finding["kind"] for finding in findings)
        detail = json.dumps(findings)[:900]
        return table.Outcome(found=found, detail=detail, seconds=seconds), done


def _why(done: subprocess.CompletedProcess[str]) -> str:
    """Why a program has no report, in a few words."""
    if done.returncode < 0:
        return f"ended by {signal.Signals(-done.returncode).name}"
    if missing := _MISSING.search(done.stderr):
        return f"needs {missing[2] or missing[1]}"
    refused = _REFUSED.search(done.stderr)
    return refused[1].strip()[:70] if refused else "no report"
