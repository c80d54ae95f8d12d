# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The driver's library in this process: how its functions come to be those of this package.

The first call of a function has the interpreter of the process import `xgpu.cuda_driver`, which
fills the library's table (`connect`). A process without an interpreter gets one, where this Python
is a shared library.

From then on `dispatch`, code of the library, calls functions in Python. A C function that C++
calls while an exception of Python's is pending, as destructors do, must leave it pending, and
Python cannot run before it is put away. So callbacks of ctypes do not serve.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import json
import os
from pathlib import Path

from xgpu.api.cuda_driver.fast_calls import FastCalls
from xgpu.api.cuda_driver.library_file import NAME, library_folder, load_functions, symbols
from xgpu.api.cuda_driver.settings import Settings
from xgpu.api.cuda_driver.shared_object import ENDED, GENERIC, GENERIC_BYTES, RECORDS, TABLE
from xgpu.api.cuda_driver.state import Driver, Recorder
from xgpu.api.cuda_driver.table import FUNCTIONS, PER_THREAD, Function, made_call
from xgpu.core.ir.errors import DeviceError, UsageError
from xgpu.host_device.sanitizer.reports import watch


class Connection:
    """The library in this process, with a driver behind it."""

    def __init__(self, driver: Driver, path: str, owns_interpreter: bool) -> None:
        self.library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        self._names = symbols()
        self._table = (ctypes.c_uint64 * len(self._names)).in_dll(self.library, TABLE)
        count = len(self._names)
        self._records = (ctypes.c_uint64 * (2 * count)).in_dll(self.library, RECORDS)
        begin = _address(getattr(self.library, GENERIC))
        #: Where each symbol's function is called in Python.
        self._generic = {n: begin + GENERIC_BYTES * i for i, n in enumerate(self._names)}
        #: What `_records` has the addresses of.
        self._calls: dict[str, _Record] = {}
        self.serve(driver)
        if owns_interpreter:  # it never ends, so it can be called when the process does
            self._at_exit = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p)(
                lambda code, data: atexit._run_exitfuncs()
            )
            ctypes.CDLL(None).on_exit(self._at_exit, None)
        atexit.register(self.end)

    def serve(self, driver: Driver) -> None:
        """Let the library's functions be those of a driver."""
        self.driver = driver
        driver.addresses = {n: _address(getattr(self.library, n)) for n in self._names}
        self._fill()

    def _fill(self) -> None:
        calls: dict[str, _Record] = {}
        for function in FUNCTIONS.values():
            plain = _Record(function, self.driver, False)
            for symbol in function.symbols:
                calls[symbol] = calls[symbol + "_ptds"] = plain
                if function.has_stream_of_threads:
                    calls[symbol + PER_THREAD] = _Record(function, self.driver, True)
        self._records[:] = [word for name in self._names for word in calls[name].words]
        self._calls = calls  # what was called before is no longer
        self._table[:] = list(self._generic.values())
        if self.driver.recorder is None:  # which sees all calls
            # A device needs the native library too; to link it takes as long as all else here.
            self.driver.on_device = self._hasten

    def _hasten(self) -> None:
        """Let machine code serve where it can."""
        self._fast = FastCalls(self.driver.mirror, self._generic)
        for name, address in self._fast.addresses.items():
            self.replace(name, address)

    def replace(self, name: str, address: int) -> None:
        """Let a function of the library be another, with the same parameters, for tests and
        measurements: machine code that never ends, or that does nothing."""
        self._table[self._names.index(name)] = address

    def end(self) -> None:
        """The interpreter ends: no function can be called any more."""
        if self.driver.is_initialized and not self.driver.is_forked:
            self.driver.report_unseen()
        write_records(self.driver)
        self._table[:] = [_address(getattr(self.library, ENDED))] * len(self._names)


class _Record:
    """What the library's `dispatch` reads of a function, by addresses: `words` has them."""

    def __init__(self, function: Function, driver: Driver, per_thread: bool) -> None:
        self._call = ctypes.py_object(made_call(function, driver, per_thread))
        # How many parameters there are, and for each how a number is made of a word: the bits that
        # are to be shifted out, and the sign bit where it is signed.
        types = [p.ctype for p in function.parameters]
        kinds = [8 * (8 - ctypes.sizeof(t)) + 128 * (t(-1).value < 0) for t in types]
        self._kinds = (ctypes.c_uint8 * (1 + len(kinds)))(len(kinds), *kinds)
        call = ctypes.c_void_p.from_buffer(self._call).value or 0
        self.words = call, ctypes.addressof(self._kinds)


def _address(function: ctypes._FuncPointer) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


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
    if not _connections:
        load_functions()
        driver = Driver(
            settings or Settings.of_environment(), recorder,
            is_of_native=is_of_native or owns_interpreter,
        )  # fmt: skip
        library = path or str(library_folder() / NAME)
        _connections.append(Connection(driver, library, owns_interpreter))
    return _connections[0]


def _kernels(driver: Driver) -> list[dict[str, object]]:
    """For each kernel that was launched how near to a GPU its instructions are done: opcodes and
    their numbers, by the words of `Fidelity`; the text of an image that is no PTX, such as the
    LLVM IR of CUDA C++."""
    if not driver.launched:
        return []
    from xgpu.frontend.ptx.fidelity import fidelity_of_kernel
    from xgpu.frontend.ptx.grammar import PtxError

    found: list[dict[str, object]] = []
    for (image, name), text in driver.launched.items():
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
        "kernels": _kernels(driver), "internal_errors": driver.internal_errors,
    }  # fmt: skip
    with contextlib.suppress(OSError):
        base.with_suffix(".json").write_text(json.dumps(record))
        if watched is not None:
            from xgpu.host_device.sanitizer.reports.findings import as_json, as_sarif

            base.with_suffix(".findings.json").write_text(as_json(found, watched.coverage))
            base.with_suffix(".findings.sarif").write_text(as_sarif(found, watched.coverage))
        if driver.session.events is not None:
            base.with_suffix(".trace.json").write_text(json.dumps(driver.session.events))
