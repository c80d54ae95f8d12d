# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The driver behind `libcuda.so.1` in this process (`connect`), and NVRTC. `native` says how the
functions of these libraries come to be those of this package."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import json
import os
from pathlib import Path

from xgpu.api.cuda_driver.calls import Recorder
from xgpu.api.cuda_driver.fast_calls import FastCalls
from xgpu.api.cuda_driver.launches_again import settler
from xgpu.api.cuda_driver.library_file import NAME, library_folder, load_functions, symbols
from xgpu.api.cuda_driver.native import (
    NVRTC,
    Exports,
    Record,
    address,
    is_own_interpreter,
    own_interpreter,
)
from xgpu.api.cuda_driver.settings import Settings
from xgpu.api.cuda_driver.state import Driver
from xgpu.api.cuda_driver.table import (
    FUNCTIONS,
    LOOKS,
    PER_THREAD,
    Function,
    failure_of,
    made_call,
)
from xgpu.core.ir.errors import DeviceError, UsageError
from xgpu.host_device.sanitizer.reports import watch


class Connection:
    """The library in this process, with a driver behind it."""

    def __init__(self, driver: Driver, path: str) -> None:
        self._exports = Exports(path, symbols(), ctypes.RTLD_GLOBAL)
        self.library = self._exports.library
        self.replace = self._exports.replace
        self.serve(driver)
        atexit.register(self.end)

    def serve(self, driver: Driver) -> None:
        """Let the library's functions be those of a driver."""
        self.driver = driver
        driver.addresses = self._exports.addresses()
        driver.mirror.connect(self._exports.calls)
        calls: dict[str, Record] = {}
        for function in FUNCTIONS.values():
            plain = _record(function, driver, False)
            for symbol in function.symbols:
                calls[symbol] = calls[symbol + "_ptds"] = plain
                if function.has_stream_of_threads:
                    calls[symbol + PER_THREAD] = _record(function, driver, True)
        self._exports.serve(calls)
        if driver.recorder is None:  # which sees all calls
            # A device needs the native library too; to link it takes as long as all else here.
            driver.on_device = self._hasten

    def _hasten(self) -> None:
        """Let machine code serve where it can."""
        launching, driver = FUNCTIONS["cuLaunchKernel"], self.driver
        self._settle = settler(driver, lambda problem: failure_of(problem, launching, driver))
        driver.mirror.hasten(address(self._settle))
        self._fast = FastCalls(self.driver.mirror, self._exports.generic)
        for name, place in self._fast.addresses.items():
            self.replace(name, place)

    def end(self) -> None:
        """The interpreter ends: no function can be called any more."""
        if self.driver.is_initialized and not self.driver.is_forked:
            self.driver.report_unseen()
        write_records(self.driver)
        self._exports.end()


def _record(function: Function, driver: Driver, per_thread: bool) -> Record:
    call = made_call(function, driver, per_thread)
    looks = bool(LOOKS.match(function.name))
    return Record(call, [p.ctype for p in function.parameters], looks=looks)


_connections: list[Connection] = []


def connection() -> Connection:
    """That of this process. Raises `UsageError` where there is none."""
    if not _connections:
        raise UsageError("the CUDA driver of xgpu is not loaded; see xgpu-cuda")
    return _connections[0]


def connect(
    path: str | None = None, settings: Settings | None = None, *,
    recorder: Recorder | None = None, owns_interpreter: bool = False, is_of_native: bool = False,
) -> Connection:  # fmt: skip
    """Fill the functions of the library at `path`, or of that of the cache, unless that is done:
    from here on this process finds the CUDA driver there. A `recorder` sees all calls.
    `owns_interpreter` says that the library has started the interpreter, `is_of_native` that the
    program is machine code, as it is then."""
    if owns_interpreter:
        own_interpreter()
    if not _connections:
        load_functions()
        driver = Driver(
            settings or Settings.of_environment(), recorder,
            is_of_native=is_of_native or is_own_interpreter(),
        )  # fmt: skip
        library = path or str(library_folder() / NAME)
        _connections.append(Connection(driver, library))
        # Its first call connects it.
        ctypes.CDLL(str(Path(library).with_name(NVRTC)))
    return _connections[0]


_nvrtc: list[Exports] = []


def connect_nvrtc(path: str | None = None, *, owns_interpreter: bool = False) -> Exports:
    """Fill the functions of the NVRTC library at `path`, or of that of the cache, unless that is
    done: from here on this process finds NVRTC there, unless another is loaded."""
    if owns_interpreter:
        own_interpreter()
    if not _nvrtc:
        from xgpu.api.cuda_driver import nvrtc  # and what compiles kernels

        made = Exports(path or str(library_folder() / NVRTC), list(nvrtc.FUNCTIONS))
        made.serve({
            name: Record(nvrtc.made_call(function), [p.ctype for p in function.parameters])
            for name, function in nvrtc.FUNCTIONS.items()
        })  # fmt: skip
        _nvrtc.append(made)
        atexit.register(made.end)
    return _nvrtc[0]


def _nvrtc_errors() -> int:
    """How many internal errors NVRTC has had in this process."""
    if not _nvrtc:
        return 0
    from xgpu.api.cuda_driver import nvrtc

    return len(nvrtc.internal_errors)


def _kernels(driver: Driver) -> list[dict[str, object]]:
    """For each kernel that was launched how near to a GPU its instructions are done: opcodes and
    their numbers, by the words of `Fidelity`; the text of an image that is no PTX, such as the
    LLVM IR of CUDA C++."""
    from xgpu.frontend.ptx.fidelity import fidelity_of_kernel
    from xgpu.frontend.ptx.grammar import PtxError

    found: list[dict[str, object]] = []
    for (image, name), text in (driver.launched or {}).items():
        counts: dict[str, dict[str, int]] = {}
        record: dict[str, object] = {"kernel": name, "image": image, "instructions": counts}
        try:
            counts.update((k.value, dict(v)) for k, v in fidelity_of_kernel(text, name).items())
        except PtxError:  # the driver has read it as something else
            record["text"] = text
        found.append(record)
    return found


# -- what a process leaves for `xgpu-cuda` at its end


def write_records(driver: Driver) -> None:
    """Write `PID.json`, which says how many findings and internal errors there are and what is
    alive, and the reports, into the folder that the settings name."""
    where = driver.settings.records
    if not where or not driver.is_initialized or driver.is_forked:
        return
    watched = watch.current()
    found = []
    if watched is not None:
        with contextlib.suppress(DeviceError):
            watched.settle()
        found = watched.found()
    base = Path(where) / str(os.getpid())
    record = {
        "process": os.getpid(), "findings": len(found), "alive": driver.leftovers(),
        "kernels": _kernels(driver),
        "internal_errors": driver.internal_errors + _nvrtc_errors(),
    }  # fmt: skip
    texts = {".json": json.dumps(record)}
    if watched is not None:
        from xgpu.host_device.sanitizer.reports.findings import as_json, as_sarif

        texts[".findings.json"] = as_json(found, watched.coverage)
        texts[".findings.sarif"] = as_sarif(found, watched.coverage)
    if driver.session.events is not None:
        texts[".trace.json"] = json.dumps(driver.session.events)
    with contextlib.suppress(OSError):
        for suffix, text in texts.items():
            # As a whole or not at all: another thread may end the process meanwhile.
            unfinished = base.with_suffix(suffix + ".unfinished")
            unfinished.write_text(text)
            unfinished.replace(base.with_suffix(suffix))
