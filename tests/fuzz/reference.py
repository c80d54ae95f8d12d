# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What mlir-opt says of texts: which it accepts, and its first error for the others."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence

from tests.support import processes

_ERROR = re.compile(r"^<stdin>:([0-9]+):[0-9]+: error: (.*)$", re.MULTILINE)
_MARKER = "// -----\n"

#: Seconds of processor time for one text.
LIMIT = 20


class Crash(str):
    """What stands for an error of a text that ends the process."""

    __slots__ = ()


def errors(tool: str, texts: Sequence[str]) -> list[str | None]:
    """For each text None if it is accepted, else the first error; `Crash` where mlir-opt dies."""
    if not texts:
        return []
    if len(texts) == 1:
        return [error(tool, texts[0])]
    ends: list[int] = []
    line = 0
    for text in texts:
        line += text.count("\n") + 2
        ends.append(line)
    joined = f"\n{_MARKER}".join(texts)
    code, output = _run(tool, joined, len(texts))
    if code in (0, 1) and not any(_MARKER.strip() in text for text in texts):
        found: list[str | None] = [None] * len(texts)
        for match in _ERROR.finditer(output):
            at = next(n for n, end in enumerate(ends) if int(match[1]) <= end)
            found[at] = found[at] or match[2]
        return found
    half = len(texts) // 2
    return errors(tool, texts[:half]) + errors(tool, texts[half:])


def error(tool: str, text: str, *options: str) -> str | None:
    """The first error for one text; "?" where mlir-opt refuses it without a word."""
    code, output = _run(tool, text, 1, options)
    if code not in (0, 1):
        return Crash(f"exit {code}")
    match = _ERROR.search(output)
    return None if code == 0 else match[2] if match else "?"


def _run(tool: str, text: str, count: int, options: Sequence[str] = ()) -> tuple[int, str]:
    command = [tool, "--allow-unregistered-dialect", *options, "-"]
    if count > 1:
        command.insert(1, "--split-input-file")
    try:
        done = processes.run(
            command, input=text.encode("utf-8", "surrogateescape"), capture_output=True,
            seconds=LIMIT + count,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return -1, ""
    return done.returncode, done.stderr.decode("utf-8", "replace")
