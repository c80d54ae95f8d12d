# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading the input of a tool and writing its output.

Text may hold any bytes: those that are not UTF-8 travel as surrogates and come out as they went in.
An output file is written whole or not at all.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import Diagnostic, DiagnosticError, UsageError
from xgpu.core.ir.source import Source
from xgpu.core.support.files import is_bytecode, may_be_other
from xgpu.tools.process import write_standard_output

if TYPE_CHECKING:
    from xdsl.ir import Operation


def read_input(path: str, reads: str = "mlir") -> str:
    """The text of the file `path`, or of standard input for `-`; in that of bytecode surrogates
    stand for bytes. Raises `UsageError` where it is neither MLIR nor what `reads` names ("llvm":
    LLVM IR as text and as bitcode, "cuda": CUDA C++)."""
    try:
        if path == "-":
            if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]
                raise UsageError("cannot read standard input: it is closed")
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
    except OSError as e:
        raise UsageError(f"cannot open input file '{path}': {e.strerror}") from None
    if may_be_other(data):
        from xgpu.core.support.files import kind_of

        other = kind_of(data, reads)
        if other is not None:
            raise UsageError(f"cannot read '{shown_name(path)}': it is {other}")
    return data.decode("utf-8", "surrogateescape")


#: Seconds between two looks at a file that is watched.
_LOOK = 0.2


def changes(path: str) -> Iterator[None]:
    """Once at first, and then whenever the file `path` is another than it was; without end. A file
    that an editor replaces is away for a moment: that is no change."""
    last = _state(path)
    yield  # of a file that is not there, the run says so
    while True:
        time.sleep(_LOOK)
        now = _state(path)
        if now is not None and now != last:
            last = now
            yield


def _state(path: str) -> tuple[int, int, int] | None:
    """What changes with a file; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


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
    target = path if os.path.exists(path) else os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(os.path.dirname(os.path.realpath(path))):
        raise UsageError(f"cannot open output file '{path}': No such file or directory")
    if not os.access(target, os.W_OK):
        raise UsageError(f"cannot open output file '{path}': Permission denied")


def write_output(path: str, data: str | bytes) -> None:
    """Writes `data` to the file `path`, or to standard output for `-`.

    A file is written whole or not at all. A symbolic link stays one: what it names is written. A
    file that is there keeps its mode.
    """
    raw = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
    if path == "-":
        write_standard_output(raw)
        return
    target = os.path.realpath(path)
    try:
        if os.path.exists(target) and not os.path.isfile(target):  # /dev/null, a pipe
            _write_plain(target, raw)
        else:
            _replace(target, raw)
    except OSError as e:
        raise UsageError(f"cannot write output file '{path}': {e.strerror}") from None


def _replace(target: str, raw: bytes) -> None:
    """Puts a new file in the place of `target`; in place where the folder takes no new files."""
    mode = _mode_of(target)
    try:
        handle, temporary = _new_file(target)
    except OSError:
        if mode is None:
            raise
        _write_plain(target, raw)
        return
    try:
        with open(handle, "wb") as file:
            file.write(raw)
            if mode is not None:
                os.fchmod(file.fileno(), mode)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _mode_of(path: str) -> int | None:
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        return None


def _new_file(target: str) -> tuple[int, str]:
    """A temporary file beside `target`: its handle and name."""
    for attempt in range(100):
        temporary = f"{target}.{os.getpid()}.{attempt}.tmp"
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            return os.open(temporary, flags, 0o666), temporary
        except FileExistsError:
            continue
    raise OSError(errno.EEXIST, os.strerror(errno.EEXIST))


def _write_plain(path: str, raw: bytes) -> None:
    with open(path, "wb") as file:
        file.write(raw)


def split_chunks(text: str, name: str, marker: str) -> list[Source]:
    """The chunks of `text` between markers, each knowing its place in the file. Bytecode is one."""
    if is_bytecode(text):
        return [Source(text, name)]
    pieces = text.split(marker)
    if len(pieces) > 1 and not pieces[-1]:  # a marker that ends the file splits nothing
        pieces.pop()
        pieces[-1] += marker
    chunks: list[Source] = []
    line, before = 0, ""
    for piece in pieces:
        chunks.append(Source(piece, name, line, before))
        line += (piece + marker).count("\n")
        before = (before + piece + marker).rpartition("\n")[2]
    return chunks


def single_operation(module: Operation, source: Source) -> Operation:
    """The one operation in the module around what `source` holds, for `--no-implicit-module`."""
    from xgpu.core.ir.locations import SourceLoc, source_location

    location = source_location(module.location)
    is_own = location is None or isinstance(module.location, SourceLoc)
    if is_own or location != (source.filename, *source.start()):
        return module  # the text's own; the one around it is where it begins
    ops = list(module.regions[0].blocks[0].ops)
    if len(ops) != 1:
        raise DiagnosticError(
            Diagnostic(
                "error",
                f"source must contain a single top-level operation, found: {len(ops)}",
                module.location,
            )
        )
    ops[0].detach()
    return ops[0]
