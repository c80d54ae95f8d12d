# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The folder with the libraries and what stands in for ptxas, and the driver behind `libcuda.so.1`
in this process (`connect`). `native` says how its functions come to be those of this package."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import json
import os
import tempfile
from importlib import import_module
from pathlib import Path

from xgpu.api.cuda_driver import nvrtc
from xgpu.api.cuda_driver.fast_calls import FastCalls
from xgpu.api.cuda_driver.native import (
    Exports,
    Made,
    Record,
    is_own_interpreter,
    is_possible,
    own_interpreter,
)
from xgpu.api.cuda_driver.settings import Settings
from xgpu.api.cuda_driver.state import Driver, Recorder
from xgpu.api.cuda_driver.table import FUNCTIONS, PER_THREAD, Function, made_call
from xgpu.core.ir.errors import DeviceError, UsageError
from xgpu.core.support.cache import checksum, folder
from xgpu.host_device.sanitizer.reports import watch
from xgpu.host_device.sanitizer.reports.findings import as_json, as_sarif
from xgpu.runtime.cuda.results import Result

NAME = "libcuda.so.1"
#: The functions' modules.
MODULES = (
    "contexts", "memory", "virtual_memory", "copies", "modules", "launches", "occupancy", "streams",
    "graph_functions", "graph_nodes", "captures", "user_objects",
)  # fmt: skip

#: What a program runs that wants machine code of PTX: the PTX in a container (`images`).
_PTXAS = """#!/bin/sh
input= output= before=
for word in "$@"; do
  case "$word" in
    --version)
      echo "ptxas of xgpu-cuda: PTX stays PTX"
      echo "Cuda compilation tools, release 13.0, V13.0.0"
      exit 0 ;;
    *.ptx) input=$word ;;
  esac
  [ "$before" = -o ] && output=$word
  before=$word
done
if [ -z "$input" ] || [ -z "$output" ]; then
  echo "ptxas of xgpu-cuda: expected FILE.ptx -o FILE" >&2
  exit 1
fi
size=$(wc -c < "$input" | tr -d ' ')
printf 'xgpu image 1\\n%s\\n' "$size" > "$output" && cat "$input" >> "$output"
"""


# -- the file


def library_folder() -> Path:
    """The folder with the library, made if need be. Raises `UsageError` where there cannot be
    one."""
    if not is_possible():
        raise UsageError("xgpu-cuda needs Linux on x86-64")
    base = folder()
    # Beside the cache, in which all is of one kind of file.
    root = (
        Path(f"{base}-driver") if base is not None else Path(tempfile.mkdtemp(prefix="xgpu-cuda-"))
    )
    libraries = driver_library(), nvrtc.library()
    inputs = repr(([library.inputs() for library in libraries], _PTXAS, str(root)))
    made = root / f"{checksum(inputs.encode()).hex()[:20]}"
    path = made / NAME
    if not path.exists():
        try:
            made.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write(made / "ptxas", _PTXAS.encode())
            (made / "ptxas").chmod(0o700)
            for library in reversed(libraries):  # the driver is the last, as it is looked for
                _write(made / library.name, library.content(str(made / library.name)))
            for name in nvrtc.OTHER_NAMES:
                _link(made / name, nvrtc.NAME)
            _link(made / "libcuda.so", NAME)
        except OSError as problem:
            raise UsageError(f"cannot write '{path}': {problem.strerror}") from None
    return made


def _write(path: Path, data: bytes) -> None:
    """Another process may do the same at the same time."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.write_bytes(data)
    new.replace(path)


def _link(path: Path, name: str) -> None:
    """Another name for a library: two files would be two libraries to a process."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.symlink_to(name)
    new.replace(path)


# -- the functions


def load_functions() -> None:
    """Fill the table of `table.FUNCTIONS`."""
    for name in MODULES:
        import_module(f"xgpu.api.cuda_driver.{name}")


def symbols() -> list[str]:
    """What the library exports: each function by all its names."""
    load_functions()
    found: list[str] = []
    for function in FUNCTIONS.values():
        for symbol in function.symbols:
            found.append(symbol)
            if function.has_stream_of_threads:
                found.append(symbol + PER_THREAD)
            elif function.name.startswith(("cuMemcpy", "cuMemset")):
                found.append(symbol + "_ptds")
    return found


def driver_library() -> Made:
    """`libcuda.so.1`."""
    return Made(
        NAME, "CUDA driver", "connect", symbols(),
        max(len(function.parameters) for function in FUNCTIONS.values()),
        failed=Result.NOT_INITIALIZED, ended=Result.DEINITIALIZED, unknown=Result.UNKNOWN,
    )  # fmt: skip


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
        self._fast = FastCalls(self.driver.mirror, self._exports.generic)
        for name, address in self._fast.addresses.items():
            self.replace(name, address)

    def end(self) -> None:
        """The interpreter ends: no function can be called any more."""
        write_records(self.driver)
        self._exports.end()


def _record(function: Function, driver: Driver, per_thread: bool) -> Record:
    call = made_call(function, driver, per_thread)
    return Record(call, [p.ctype for p in function.parameters])


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
        connect_nvrtc(str(Path(library).with_name(nvrtc.NAME)))
    return _connections[0]


_nvrtc: list[Exports] = []


def connect_nvrtc(path: str | None = None, *, owns_interpreter: bool = False) -> Exports:
    """Fill the functions of the NVRTC library at `path`, or of that of the cache, unless that is
    done: from here on this process finds NVRTC there, unless another is loaded."""
    if owns_interpreter:
        own_interpreter()
    if not _nvrtc:
        made = Exports(path or str(library_folder() / nvrtc.NAME), list(nvrtc.FUNCTIONS))
        made.serve({
            name: Record(nvrtc.made_call(function), [p.ctype for p in function.parameters])
            for name, function in nvrtc.FUNCTIONS.items()
        })  # fmt: skip
        _nvrtc.append(made)
        atexit.register(made.end)
    return _nvrtc[0]


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
        "internal_errors": driver.internal_errors + len(nvrtc.internal_errors),
    }  # fmt: skip
    with contextlib.suppress(OSError):
        base.with_suffix(".json").write_text(json.dumps(record))
        if watched is not None:
            base.with_suffix(".findings.json").write_text(as_json(found, watched.coverage))
            base.with_suffix(".findings.sarif").write_text(as_sarif(found, watched.coverage))
        if driver.session.events is not None:
            base.with_suffix(".trace.json").write_text(json.dumps(driver.session.events))
