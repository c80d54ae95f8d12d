# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The library's file in the cache, and how its functions come to be those of this package.

The first call of a function has the interpreter of the process import `xgpu.cuda_driver`, which
fills the library's table with C functions of ctypes (`connect`). A process without an interpreter
gets one, where this Python is a shared library.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import json
import os
import platform
import sys
import sysconfig
import tempfile
from importlib import import_module
from pathlib import Path

from xgpu.api.cuda_driver.fast_calls import FastCalls
from xgpu.api.cuda_driver.header import Result
from xgpu.api.cuda_driver.settings import Settings
from xgpu.api.cuda_driver.shared_object import ENDED, TABLE, SharedObject
from xgpu.api.cuda_driver.state import Driver, Recorder
from xgpu.api.cuda_driver.table import FUNCTIONS, PER_THREAD, made_call
from xgpu.core.ir.errors import DeviceError, UsageError
from xgpu.core.support.cache import checksum, folder
from xgpu.host_device.sanitizer.reports import watch
from xgpu.host_device.sanitizer.reports.findings import as_json, as_sarif

NAME = "libcuda.so.1"
#: The functions' modules.
MODULES = (
    "contexts", "memory", "virtual_memory", "copies", "modules", "launches", "occupancy", "streams",
    "graph_functions",
)  # fmt: skip

_IMPORTS = (
    "Py_IsInitialized", "PyGILState_Ensure", "PyGILState_Release", "PyRun_SimpleString",
    "Py_InitializeEx", "PyEval_SaveThread", "dlopen", "dlsym", "write",
)  # fmt: skip
_NO_PYTHON = (
    "xgpu-cuda: error: this process has no Python interpreter, and {why}: the CUDA driver of xgpu, "
    "which is written in Python, cannot be initialized\n"
)
_BOOTSTRAP = """
def connect():
    import sys
    try:
        import xgpu.cuda_driver
    except ImportError:
        sys.path += [p for p in {paths!r} if p not in sys.path]
        import xgpu.cuda_driver
    xgpu.cuda_driver.connect({library!r}, owns_interpreter={owns})
try:
    connect()
except BaseException as problem:
    import sys
    print(f"xgpu-cuda: error: the CUDA driver of xgpu cannot be imported in {{sys.executable}}: "
          f"{{type(problem).__name__}}: {{problem}}", file=sys.stderr, flush=True)
"""

# `start` of the library (`shared_object`): %api is the array of imports and texts.
_START = """
define i32 @start(ptr %api) {{
  %held = load ptr, ptr %api
  %has = icmp ne ptr %held, null
  br i1 %has, label %python, label %open

open:
  %dlopen.at = getelementptr ptr, ptr %api, i64 6
  %dlopen = load ptr, ptr %dlopen.at
  %lib.at = getelementptr ptr, ptr %api, i64 {library}
  %lib = load ptr, ptr %lib.at
  %opened = call ptr %dlopen(ptr %lib, i32 258)
  %found = icmp ne ptr %opened, null
  br i1 %found, label %resolve, label %none

none:
  %write.at = getelementptr ptr, ptr %api, i64 8
  %write = load ptr, ptr %write.at
  %message.at = getelementptr ptr, ptr %api, i64 {message}
  %message = load ptr, ptr %message.at
  call i64 %write(i32 2, ptr %message, i64 {message_bytes})
  ret i32 0

resolve:
  %dlsym.at = getelementptr ptr, ptr %api, i64 7
  %dlsym = load ptr, ptr %dlsym.at
  br label %next

next:
  %i = phi i64 [ 0, %resolve ], [ %after, %next ]
  %number = add i64 %i, {names}
  %name.at = getelementptr ptr, ptr %api, i64 %number
  %name = load ptr, ptr %name.at
  %symbol = call ptr %dlsym(ptr %opened, ptr %name)
  %slot = getelementptr ptr, ptr %api, i64 %i
  store ptr %symbol, ptr %slot
  %after = add i64 %i, 1
  %more = icmp ult i64 %after, 6
  br i1 %more, label %next, label %python

python:
  %is.initialized = load ptr, ptr %api
  %running = call i32 %is.initialized()
  %code.at = getelementptr ptr, ptr %api, i64 {code}
  %code = load ptr, ptr %code.at
  %run.at = getelementptr ptr, ptr %api, i64 3
  %run = load ptr, ptr %run.at
  %runs = icmp ne i32 %running, 0
  br i1 %runs, label %ensure, label %initialize

ensure:
  %ensure.at = getelementptr ptr, ptr %api, i64 1
  %ensure.f = load ptr, ptr %ensure.at
  %state = call i32 %ensure.f()
  %r1 = call i32 %run(ptr %code)
  %release.at = getelementptr ptr, ptr %api, i64 2
  %release = load ptr, ptr %release.at
  call void %release(i32 %state)
  ret i32 %r1

initialize:
  %initialize.at = getelementptr ptr, ptr %api, i64 4
  %initialize.f = load ptr, ptr %initialize.at
  call void %initialize.f(i32 0)
  %own.at = getelementptr ptr, ptr %api, i64 {own_code}
  %own.code = load ptr, ptr %own.at
  %r2 = call i32 %run(ptr %own.code)
  %save.at = getelementptr ptr, ptr %api, i64 5
  %save = load ptr, ptr %save.at
  %thread = call ptr %save()
  ret i32 %r2
}}
"""

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


def is_possible() -> bool:
    """Whether the library can be written for this machine."""
    return sys.platform == "linux" and platform.machine() == "x86_64"


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
    inputs = repr((symbols(), _paths(), _python_library(), _START, _BOOTSTRAP, _PTXAS, str(root)))
    made = root / f"{checksum(inputs.encode()).hex()[:20]}"
    path = made / NAME
    if not path.exists():
        try:
            made.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write(path, _content(str(path)))
            _link(made / "libcuda.so")
            _write(made / "ptxas", _PTXAS.encode())
            (made / "ptxas").chmod(0o700)
        except OSError as problem:
            raise UsageError(f"cannot write '{path}': {problem.strerror}") from None
    return made


def _write(path: Path, data: bytes) -> None:
    """Another process may do the same at the same time."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.write_bytes(data)
    new.replace(path)


def _link(path: Path) -> None:
    """Another name for the library: two files would be two libraries to a process."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.symlink_to(NAME)
    new.replace(path)


def _content(path: str) -> bytes:
    library = _python_library()
    why = "this Python is no shared library that could be loaded"
    if library:
        why = f"'{library}' cannot be loaded"
    message = _NO_PYTHON.format(why=why)
    texts = [
        library or NAME + ".none", message,
        *(_BOOTSTRAP.format(paths=_paths(), library=path, owns=owns) for owns in (False, True)),
        *_IMPORTS[:6],
    ]  # fmt: skip
    first = len(_IMPORTS)
    text = _START.format(
        library=first, message=first + 1, message_bytes=len(message.encode()), code=first + 2,
        own_code=first + 3, names=first + 4,
    )  # fmt: skip
    return SharedObject(
        NAME, symbols(), start=_machine_code(text), imports=_IMPORTS, texts=texts,
        failed=Result.NOT_INITIALIZED, ended=Result.DEINITIALIZED,
    ).to_bytes()  # fmt: skip


def _machine_code(text: str) -> bytes:
    """The code of a function without references, for any processor of this kind."""
    from llvmlite import binding
    from llvmlite.binding.object_file import ObjectFileRef

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_triple("x86_64-unknown-linux-gnu")
    machine = target.create_target_machine(cpu="x86-64", opt=2, reloc="pic")
    found = ObjectFileRef.from_data(machine.emit_object(binding.parse_assembly(text)))
    return next(s.data() for s in found.sections() if s.is_text() and s.data())


def _python_library() -> str:
    """The shared library of this Python; empty if it is none."""
    name, where = sysconfig.get_config_var("INSTSONAME"), sysconfig.get_config_var("LIBDIR")
    if not name or not where or not str(name).endswith((".so", ".so.1.0", ".1.0")):
        return ""
    path = Path(str(where)) / str(name)
    return str(path) if path.exists() else ""


def _paths() -> list[str]:
    """Where this interpreter finds xgpu and what it needs."""
    return [os.path.abspath(path) for path in sys.path if path and os.path.exists(path)]


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


class Connection:
    """The library in this process, with a driver behind it."""

    def __init__(self, driver: Driver, path: str, owns_interpreter: bool) -> None:
        self.library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        self._names = symbols()
        self._table = (ctypes.c_uint64 * len(self._names)).in_dll(self.library, TABLE)
        self._calls: dict[str, ctypes._CFunctionType] = {}
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
        self._calls = {}
        self._fill()

    def _fill(self) -> None:
        addresses: dict[str, int] = {}
        for function in FUNCTIONS.values():
            plain = self._callback(function.name, False)
            for symbol in function.symbols:
                addresses[symbol] = addresses[symbol + "_ptds"] = plain
                if function.has_stream_of_threads:
                    addresses[symbol + PER_THREAD] = self._callback(function.name, True)
        self._table[:] = [addresses[name] for name in self._names]
        if self.driver.recorder is None:  # which sees all calls
            # A device needs the native library too; to link it takes as long as all else here.
            self.driver.on_device = lambda: self._hasten(addresses)

    def _hasten(self, python: dict[str, int]) -> None:
        """Let machine code serve where it can."""
        self._fast = FastCalls(self.driver.mirror, python)
        for name, address in self._fast.addresses.items():
            self.replace(name, address)

    def _callback(self, name: str, per_thread: bool) -> int:
        function = FUNCTIONS[name]
        made = function.prototype(made_call(function, self.driver, per_thread))
        self._calls[name + PER_THREAD * per_thread] = made
        return ctypes.cast(made, ctypes.c_void_p).value or 0

    def replace(self, name: str, address: int) -> None:
        """Let a function of the library be another, with the same parameters, for tests and
        measurements: machine code that never ends, or that does nothing."""
        self._table[self._names.index(name)] = address

    def end(self) -> None:
        """The interpreter ends: no function can be called any more."""
        write_records(self.driver)
        self._table[:] = [_address(getattr(self.library, ENDED))] * len(self._names)


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
    recorder: Recorder | None = None, owns_interpreter: bool = False,
) -> Connection:  # fmt: skip
    """Fill the functions of the library at `path`, or of that of the cache, unless that is done:
    from here on this process finds the CUDA driver there. A `recorder` sees all calls.
    `owns_interpreter` says that the library has started the interpreter."""
    if not _connections:
        load_functions()
        driver = Driver(settings or Settings.of_environment(), recorder)
        library = path or str(library_folder() / NAME)
        _connections.append(Connection(driver, library, owns_interpreter))
    return _connections[0]


def _kernels(driver: Driver) -> list[dict[str, object]]:
    """For each kernel that was launched how near to a GPU its instructions are done: opcodes and
    their numbers, by the words of `Fidelity`; nothing for an image that is no PTX."""
    from xgpu.frontend.ptx.fidelity import fidelity_of_kernel
    from xgpu.frontend.ptx.grammar import PtxError

    found: list[dict[str, object]] = []
    for (image, name), text in (driver.launched or {}).items():
        counts: dict[str, dict[str, int]] = {}
        with contextlib.suppress(PtxError):  # no PTX: the driver has read it
            counts = {k.value: dict(v) for k, v in fidelity_of_kernel(text, name).items()}
        found.append({"kernel": name, "image": image, "instructions": counts})
    return found


# -- what a process leaves for `xgpu-cuda` at its end


def write_records(driver: Driver) -> None:
    """Write `PID.json`, which says how many findings there are and what is alive, and the reports,
    into the folder that the settings name."""
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
    }  # fmt: skip
    with contextlib.suppress(OSError):
        base.with_suffix(".json").write_text(json.dumps(record))
        if found:
            base.with_suffix(".findings.json").write_text(as_json(found))
            base.with_suffix(".findings.sarif").write_text(as_sarif(found))
        if driver.session.events is not None:
            base.with_suffix(".trace.json").write_text(json.dumps(driver.session.events))
