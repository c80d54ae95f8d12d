# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts processes for tests, each with limits of memory and processor time, and with Ctrl-C as at
a terminal.

A shell that starts `pytest &` in the background has SIGINT ignored, and what pytest starts inherits
that. Tests of Ctrl-C send SIGINT to what they start or to themselves, so both have Python's handler
for as long as it matters.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import resource
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Generator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xgpu.core.support.cache import CUDA, NATIVE, SANITIZER

if TYPE_CHECKING:
    import pytest

#: Bytes of memory that a process may write to, seconds of processor time, and seconds until it is
#: ended. The last one is large, since a process may share its core with many others.
MEMORY = 4 << 30
SECONDS = 120
TIMEOUT = 600

#: Options of a pytest that a test starts: no plugin but xgpu's. Others take longer to import than
#: most tests run; found by its entry point, all modules of xgpu would be compiled anew.
ONLY_OUR_PLUGIN = ["--disable-plugin-autoload", "-p", "xgpu.tools.pytest_plugin"]

#: Environment for `mpiexec`: Open MPI refuses root without it, and containers run tests as root.
MPI_AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

Command = Sequence[str | os.PathLike[str]]


def run(
    command: Command, *, input: Any = None, timeout: float = TIMEOUT, check: bool = False,
    capture_output: bool = False, **options: Any,
) -> subprocess.CompletedProcess[Any]:  # fmt: skip
    """`subprocess.run` with limits; what it has started ends with it if it takes too long."""
    if capture_output:
        options["stdout"] = options["stderr"] = subprocess.PIPE
    if input is not None:
        options["stdin"] = subprocess.PIPE
    with start(command, start_new_session=True, **options) as process:
        try:
            output, errors = process.communicate(input, timeout=timeout)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    done = subprocess.CompletedProcess(command, process.returncode, output, errors)
    if check:
        done.check_returncode()
    return done


def start(
    command: Command, *, memory: int = MEMORY, seconds: int = SECONDS, **options: Any
) -> subprocess.Popen[Any]:
    """`subprocess.Popen` with limits. The caller ends it."""
    with interruptible():
        process = subprocess.Popen(command, **options)
    limit(process.pid, memory, seconds)
    return process


def cache_with_libraries(folder: Path) -> Path:
    """`folder` as a cache of a test's own (`XDG_CACHE_HOME`). Of what tests have compiled before it
    has the libraries of xgpu, which are the same for all programs and take longest."""
    own = folder / "xgpu"
    own.mkdir(mode=0o700, parents=True)
    run = Path(os.environ["XDG_CACHE_HOME"], "xgpu")
    for kind in (NATIVE, SANITIZER, CUDA):
        for entry in run.glob(f"{kind.name}-*"):
            shutil.copy(entry, own)
    return folder


def limit(process: int = 0, memory: int = MEMORY, seconds: int = SECONDS) -> None:
    """Limits a process, this one without a number: `memory` in bytes, `seconds` of processor time.
    No process leaves a core file. Without effect where the system has no `prlimit`."""
    if not hasattr(resource, "prlimit"):
        return
    limits = {
        resource.RLIMIT_DATA: memory, resource.RLIMIT_CPU: seconds, resource.RLIMIT_CORE: 0
    }  # fmt: skip
    for kind, value in limits.items():
        _, most = resource.getrlimit(kind)  # which only root may exceed
        least = value if most == resource.RLIM_INFINITY else min(value, most)
        with contextlib.suppress(ProcessLookupError):  # it has ended
            resource.prlimit(process, kind, (least, least))


def limit_child(memory: int = MEMORY, seconds: int = SECONDS) -> None:
    """What a child of `os.fork` calls first: limits, and no stack on standard error if it aborts,
    which pytest arranges for. `memory` comes on top of what the parent has: a process that has run
    a thousand tests has mapped gigabytes, of which the child inherits every page."""
    faulthandler.disable()
    limit(os.getpid(), _mapped() + memory, seconds)


def work_on(process: subprocess.Popen[Any], seconds: float) -> None:
    """Wait until `process` has had so many more seconds of a processor, however long that takes.
    Errors: as `wait_until`."""
    end = _processor_time(process.pid) + seconds
    wait_until(process, lambda: _processor_time(process.pid) >= end)


def wait_until(process: subprocess.Popen[Any], condition: Callable[[], bool]) -> None:
    """Wait until `condition` holds, however long that takes. Errors: `TimeoutError` where `process`
    ends before that, or it takes longer than `TIMEOUT`."""
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        if process.poll() is not None or time.monotonic() > deadline:
            raise TimeoutError("the process does not work")
        time.sleep(0.01)


def _mapped() -> int:
    """Bytes of this process that count for `RLIMIT_DATA`; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[5])
    except FileNotFoundError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _processor_time(process: int) -> float:
    """Where the system does not say, the wall's: such a test then depends on time."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def interruptible() -> Generator[None]:
    """Meanwhile SIGINT raises `KeyboardInterrupt` in the main thread, and a process that is started
    has the system's default for it. No garbage is collected: an interrupt that comes in a callback
    of a collection (Hypothesis has one) is printed and lost."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    collects = gc.isenabled()
    gc.disable()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        if collects:
            gc.enable()
        # None: a handler that was not set by Python, which cannot be set again.
        if before is not None:
            signal.signal(signal.SIGINT, before)


def import_llvm_here(patch: pytest.MonkeyPatch) -> None:
    """The import of LLVM IR has LLVM in this process, for texts that LLVM is known to take. Keeping
    it apart takes ten times as long: a new process each time, since pytest-xdist has threads."""
    normal_form = import_module("xgpu.frontend.llvm_ir.source")
    patch.setattr(
        normal_form,
        "_in_another_process",
        lambda source, optimize: (normal_form.printed(source, optimize), ""),
    )
