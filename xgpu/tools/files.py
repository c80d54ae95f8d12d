# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading the input of a tool and writing its output.

Text may hold any bytes: those that are not UTF-8 travel as surrogates and come out as they went in.
An output file is written whole or not at all.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from xgpu.ir.errors import UsageError

if TYPE_CHECKING:
    from xgpu.ir.source import Source


def read_input(path: str) -> str:
    """The text of the file `path`, or of standard input for `-`."""
    try:
        if path == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
    except OSError as e:
        raise UsageError(f"cannot open input file '{path}': {e.strerror}") from None
    return data.decode("utf-8", "surrogateescape")


def shown_name(path: str) -> str:
    """What diagnostics and locations call the input."""
    return "<stdin>" if path == "-" else path


def check_output(path: str) -> None:
    """Fails early where `path` cannot become a file, before any work is done."""
    if path == "-":
        return
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise UsageError(f"cannot open output file '{path}': Is a directory")
    if not os.path.isdir(folder):
        raise UsageError(f"cannot open output file '{path}': No such file or directory")
    target = path if os.path.exists(path) else folder
    if not os.access(target, os.W_OK):
        raise UsageError(f"cannot open output file '{path}': Permission denied")


def write_output(path: str, data: str | bytes) -> None:
    """Writes `data` to the file `path`, or to standard output for `-`."""
    raw = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
    if path == "-":
        sys.stdout.buffer.write(raw)
        sys.stdout.buffer.flush()
        return
    if os.path.exists(path) and not os.path.isfile(path):  # /dev/null, a pipe
        _write_plain(path, raw)
        return
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            file.write(raw)
        os.replace(temporary, path)
    except OSError as e:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise UsageError(f"cannot write output file '{path}': {e.strerror}") from None
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def _write_plain(path: str, raw: bytes) -> None:
    try:
        with open(path, "wb") as file:
            file.write(raw)
    except OSError as e:
        raise UsageError(f"cannot write output file '{path}': {e.strerror}") from None


def split_chunks(text: str, name: str, marker: str) -> list[Source]:
    """The chunks of `text` between markers, each knowing its place in the file."""
    from xgpu.ir.source import Source

    pieces = text.split(marker)
    if len(pieces) > 1 and not pieces[-1]:  # a marker that ends the file splits nothing
        pieces.pop()
        pieces[-1] += marker
    chunks: list[Source] = []
    line = 0
    for piece in pieces:
        chunks.append(Source(piece, name, line))
        line += piece.count("\n")
    return chunks
