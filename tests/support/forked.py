# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the `main` of a tool in a process of its own that starts in a hundredth of the time: a fork
of one that has only imported modules, which Python calls a fork server. For tests whose subject is
what a tool makes of its input. Those of how a process starts, is interrupted or ends start Python
(`processes.run`).
"""

from __future__ import annotations

import io
import multiprocessing
import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import NoReturn

from tests.support import processes

#: What most runs of a tool import. None of it does anything but define.
_IMPORTED = [
    "tests.support.forked", "xgpu.tools.xgpu_opt", "xgpu.tools.xgpu_runner",
    "xgpu.core.passes.manager", "xgpu.core.syntax.table_context", "xgpu.plugins",
    "xgpu.driver.engine", "llvmlite.binding",
]  # fmt: skip


def run_main(
    module: str, words: Sequence[str], data: bytes = b"", *, merge: bool = False,
    folder: Path | None = None,
) -> subprocess.CompletedProcess[bytes]:  # fmt: skip
    """What `main(words)` of a module writes and returns, with `data` as its standard input. It has
    the variables of this process and its folder, unless one is given. With `merge` its errors go
    where its output goes. Files stand for the three streams, so what code outside Python writes is
    there too. A negative `returncode` is the signal that ended it. Raises `TimeoutError`."""
    with tempfile.TemporaryDirectory(prefix="xgpu-forked-") as room:
        names = ("input", "output", "output" if merge else "errors")
        given, output, errors = (Path(room, name) for name in names)
        given.write_bytes(data)
        child = _server().Process(
            target=_work,
            args=(
                module, list(words), (given, output, errors), dict(os.environ),
                folder or Path.cwd(),
            ),
        )  # fmt: skip
        child.start()
        try:
            child.join(processes.TIMEOUT)
        finally:
            code = child.exitcode
            if code is None:
                child.kill()
        if code is None:
            raise TimeoutError(f"{module} {' '.join(words)}")
        said = b"" if merge else errors.read_bytes()
        return subprocess.CompletedProcess(list(words), code, output.read_bytes(), said)


def run_text(
    module: str, words: Sequence[str], text: str = "", *, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """The same with texts, in a folder or where this process is."""
    done = run_main(module, words, text.encode(), folder=folder)
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


@cache
def _server() -> ForkServerContext:
    """A process for all tests of this one. It ends when this process does."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_IMPORTED)
    return context


def _work(
    module: str, words: Sequence[str], files: Sequence[Path], variables: Mapping[str, str],
    folder: Path,
) -> NoReturn:  # fmt: skip
    """The child. Nothing of multiprocessing's end of a process takes place."""
    code: object = 1
    try:
        os.environ.clear()
        os.environ.update(variables)
        os.chdir(folder)
        for number, path in enumerate(files):
            # Errors that go where output goes stand behind it.
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND if number else os.O_RDONLY
            opened = os.open(path, flags, 0o600)
            os.dup2(opened, number)
            os.close(opened)
        sys.stdin, sys.stdout, sys.stderr = (
            io.TextIOWrapper(
                open(number, "wb" if number else "rb", closefd=False),  # noqa: SIM115
                encoding="utf-8", errors="surrogateescape", line_buffering=number == 2,
            )
            for number in range(3)
        )  # fmt: skip
        processes.limit_child()
        code = import_module(module).main(words)
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))
