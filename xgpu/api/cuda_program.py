# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run a whole CUDA C++ program in this process, over the CUDA driver that is in it.

    xgpu-cuda -O2 -DN=4 main.cu more.cu -- arguments

starts `python -m xgpu.api.cuda_program` with a description of that (`program_command`). The program
is compiled (`xgpu.frontend.cuda.programs`), and its `main` is called as C calls it. The process
ends as the program does, by its return, by `exit` or by a signal. What Python does at the end (the
driver's records, reports) comes behind the program's own destructors.
"""

from __future__ import annotations

import atexit
import ctypes
import io
import json
import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from xgpu.api import call_places
from xgpu.api.cuda_driver import nvrtc
from xgpu.api.cuda_driver.library import connect
from xgpu.api.cuda_driver.library_file import NAME, library_folder
from xgpu.api.cuda_driver.settings import Settings
from xgpu.core.ir.errors import UsageError
from xgpu.core.support.llvm_use import begin_llvm
from xgpu.frontend.cuda.programs import ProgramOptions, program_image, runtime_image
from xgpu.host_device.sanitizer.reports import watch
from xgpu.tools.process import guarded

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

TOOL = "xgpu-cuda"

# What C code may call until the process ends.
_alive: list[object] = []


class CStandardOutput(io.RawIOBase):
    """C's standard output as a stream of Python: what kernels print and what the host prints come
    out in the order in which they are printed."""

    name = "<stdout>"

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None)
        self._libc.fwrite.argtypes = [
            ctypes.c_char_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p,
        ]  # fmt: skip
        self._libc.fwrite.restype = ctypes.c_size_t
        self._file = ctypes.c_void_p.in_dll(self._libc, "stdout")

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1

    def isatty(self) -> bool:
        return os.isatty(1)

    def write(self, data: ReadableBuffer, /) -> int:
        content = bytes(data)
        return self._libc.fwrite(content, 1, len(content), self._file)


def run_program(image: bytes, arguments: Sequence[str]) -> NoReturn:
    """Call `main` of a program that `program_image` has made, and end with its code. `arguments`
    begin with its name. The driver's library has to be loaded."""
    runtime = _load(runtime_image(), "libxgpu_cudart.so", ctypes.RTLD_GLOBAL)
    sys.stdout.flush()
    output = io.TextIOWrapper(
        CStandardOutput(), encoding="utf-8", errors="surrogateescape", write_through=True
    )
    sys.stdout = output
    libc = ctypes.CDLL(None)
    begin_llvm()  # whose destructors run behind `_finish`, which ends the process
    finish = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p)(_finish)
    libc.on_exit(finish, None)  # before the program's destructors are registered: run after them
    program = _load(image, "program.so", ctypes.RTLD_LOCAL)
    _alive.extend((runtime, finish, program))
    words = [ctypes.create_string_buffer(os.fsencode(word)) for word in arguments]
    argv = (ctypes.c_void_p * (len(words) + 1))(*map(ctypes.addressof, words), None)
    _alive.extend((words, argv))
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python would wait for the end of `main`
    environment = ctypes.c_void_p.in_dll(libc, "environ")
    program.main.restype = ctypes.c_int
    libc.exit(program.main(len(words), argv, environment))
    raise AssertionError("exit returned")


def _load(image: bytes, name: str, mode: int) -> ctypes.CDLL:
    """A shared object. Its file can go as soon as it is loaded."""
    with tempfile.TemporaryDirectory(prefix="xgpu-cuda-") as folder:
        path = Path(folder) / name
        path.write_bytes(image)
        if watch.current() is not None:
            call_places.images[str(path)] = image
        try:
            return ctypes.CDLL(str(path), mode=mode)
        except OSError as problem:
            raise UsageError(f"the program cannot be loaded: {problem}") from None


def _finish(code: int, _: int | None) -> None:
    """The end of Python's part: `exit` of C has run the program's destructors, and would not run
    Python's."""
    try:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        ctypes.CDLL(None).fflush(None)
        os._exit(code & 0xFF)


def program_command(
    sources: Sequence[str], options: Sequence[str], arguments: Sequence[str]
) -> list[str]:
    """The command that compiles sources with options of clang and runs the program."""
    described = json.dumps([list(sources), list(options), list(arguments)])
    return [sys.executable, "-P", "-m", "xgpu.api.cuda_program", described]


def main(argv: Sequence[str]) -> int:
    """Run the program that `program_command` has described; the exit code where it does not come
    to its `main`."""
    return guarded(TOOL, lambda: _run(argv[0]))


def _run(described: str) -> int:
    sources, words, arguments = json.loads(described)
    chip = Settings.of_environment().chip_of(0).rstrip("af")
    libraries = [str(library_folder() / name) for name in (NAME, nvrtc.NAME)]
    image = program_image(sources, ProgramOptions(words, chip), libraries)
    connect(is_of_native=True)
    run_program(image, [sources[0], *arguments])


if __name__ == "__main__":
    # Not by `sys.exit`: what C calls at the end would find no interpreter.
    _finish(main(sys.argv[1:]), None)
