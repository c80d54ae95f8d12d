# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The library's file in the cache, and how its functions come to be those of this package.

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
import platform
import sys
import sysconfig
import tempfile
from importlib import import_module
from pathlib import Path

from xgpu.api.cuda_driver.fast_calls import FastCalls
from xgpu.api.cuda_driver.settings import Settings
from xgpu.api.cuda_driver.shared_object import (
    ENDED,
    FRAME_NUMBER,
    FRAME_REGISTERS,
    FRAME_STACK,
    GENERIC,
    GENERIC_BYTES,
    RECORDS,
    TABLE,
    SharedObject,
)
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

#: Functions of the interpreter, by their places in the array that the library's code gets.
_OF_PYTHON = (
    "Py_IsInitialized", "PyGILState_Ensure", "PyGILState_Release", "PyRun_SimpleString",
    "Py_InitializeEx", "PyEval_SaveThread", "PyErr_Fetch", "PyErr_Restore", "PyErr_WriteUnraisable",
    "PyLong_FromLongLong", "PyLong_FromUnsignedLongLong", "PyLong_AsLong", "PyObject_Vectorcall",
    "Py_DecRef",
)  # fmt: skip
_IMPORTS = (*_OF_PYTHON, "dlopen", "dlsym", "write")
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
  %dlopen.at = getelementptr ptr, ptr %api, i64 {dlopen}
  %dlopen = load ptr, ptr %dlopen.at
  %lib.at = getelementptr ptr, ptr %api, i64 {library}
  %lib = load ptr, ptr %lib.at
  %opened = call ptr %dlopen(ptr %lib, i32 258)
  %found = icmp ne ptr %opened, null
  br i1 %found, label %resolve, label %none

none:
  %write.at = getelementptr ptr, ptr %api, i64 {write}
  %write = load ptr, ptr %write.at
  %message.at = getelementptr ptr, ptr %api, i64 {message}
  %message = load ptr, ptr %message.at
  call i64 %write(i32 2, ptr %message, i64 {message_bytes})
  ret i32 0

resolve:
  %dlsym.at = getelementptr ptr, ptr %api, i64 {dlsym}
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
  %more = icmp ult i64 %after, {of_python}
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

# `dispatch` of the library: %frame has a call's arguments and number, %records has a callable and
# the address of kinds of arguments for each function (`_Record`).
_DISPATCH = """
define i32 @dispatch(ptr %frame, ptr %api, ptr %records) "frame-pointer"="all" {{
  %type = alloca ptr
  %value = alloca ptr
  %trace = alloca ptr
  %objects = alloca [{slots} x ptr]
  {load_functions}
  %state = call i32 %PyGILState_Ensure()
  call void %PyErr_Fetch(ptr %type, ptr %value, ptr %trace)
  %number.at = getelementptr i64, ptr %frame, i64 {number}
  %number = load i64, ptr %number.at
  %record = getelementptr [2 x ptr], ptr %records, i64 %number
  %callable = load ptr, ptr %record
  %kinds.at = getelementptr ptr, ptr %record, i64 1
  %kinds = load ptr, ptr %kinds.at
  %count.byte = load i8, ptr %kinds
  %count = zext i8 %count.byte to i64
  ; The object before the arguments is the callee's to use.
  %first = getelementptr ptr, ptr %objects, i64 1
  br label %arguments

arguments:
  %i = phi i64 [ 0, %0 ], [ %after, %made ]
  %has.more = icmp ult i64 %i, %count
  br i1 %has.more, label %argument, label %call

argument:
  %after = add i64 %i, 1
  %kind.at = getelementptr i8, ptr %kinds, i64 %after
  %kind = load i8, ptr %kind.at
  %in.register = icmp ult i64 %i, {registers}
  %on.stack = add i64 %i, {between}
  %slot = select i1 %in.register, i64 %i, i64 %on.stack
  %word.at = getelementptr i64, ptr %frame, i64 %slot
  %word = load i64, ptr %word.at
  %shift.byte = and i8 %kind, 63
  %shift = zext i8 %shift.byte to i64
  %high = shl i64 %word, %shift
  %is.signed = icmp slt i8 %kind, 0
  br i1 %is.signed, label %signed, label %unsigned

signed:
  %number.signed = ashr i64 %high, %shift
  %object.signed = call ptr %PyLong_FromLongLong(i64 %number.signed)
  br label %made

unsigned:
  %number.unsigned = lshr i64 %high, %shift
  %object.unsigned = call ptr %PyLong_FromUnsignedLongLong(i64 %number.unsigned)
  br label %made

made:
  %object = phi ptr [ %object.signed, %signed ], [ %object.unsigned, %unsigned ]
  %object.at = getelementptr ptr, ptr %first, i64 %i
  store ptr %object, ptr %object.at
  br label %arguments

call:
  %flagged = or i64 %count, -9223372036854775808
  %result = call ptr %PyObject_Vectorcall(ptr %callable, ptr %first, i64 %flagged, ptr null)
  br label %objects.left

objects.left:
  %j = phi i64 [ 0, %call ], [ %next, %let.go ]
  %has.object = icmp ult i64 %j, %count
  br i1 %has.object, label %let.go, label %returned

let.go:
  %next = add i64 %j, 1
  %used.at = getelementptr ptr, ptr %first, i64 %j
  %used = load ptr, ptr %used.at
  call void %Py_DecRef(ptr %used)
  br label %objects.left

returned:
  %is.raised = icmp eq ptr %result, null
  br i1 %is.raised, label %raised, label %read

raised:
  call void %PyErr_WriteUnraisable(ptr %callable)
  br label %restore

read:
  %long = call i64 %PyLong_AsLong(ptr %result)
  %read.number = trunc i64 %long to i32
  call void %Py_DecRef(ptr %result)
  br label %restore

restore:
  %given = phi i32 [ {unknown}, %raised ], [ %read.number, %read ]
  %pending = load ptr, ptr %type
  %was.pending = icmp ne ptr %pending, null
  br i1 %was.pending, label %put.back, label %release

put.back:
  %pending.value = load ptr, ptr %value
  %pending.trace = load ptr, ptr %trace
  call void %PyErr_Restore(ptr %pending, ptr %pending.value, ptr %pending.trace)
  br label %release

release:
  call void %PyGILState_Release(i32 %state)
  ret i32 %given
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
    texts = _START, _DISPATCH, _BOOTSTRAP, _PTXAS
    inputs = repr((symbols(), _paths(), _python_library(), texts, str(root)))
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
        *_OF_PYTHON,
    ]  # fmt: skip
    first = len(_IMPORTS)
    text = _START.format(
        library=first, message=first + 1, message_bytes=len(message.encode()), code=first + 2,
        own_code=first + 3, names=first + 4, of_python=len(_OF_PYTHON),
        **{name: _IMPORTS.index(name) for name in ("dlopen", "dlsym", "write")},
    )  # fmt: skip
    return SharedObject(
        NAME, symbols(), start=_machine_code(text), dispatch=_machine_code(_dispatch_text()),
        imports=_IMPORTS, texts=texts,
        failed=Result.NOT_INITIALIZED, ended=Result.DEINITIALIZED,
    ).to_bytes()  # fmt: skip


def _dispatch_text() -> str:
    loads = [
        f"%{name}.at = getelementptr ptr, ptr %api, i64 {i}\n  %{name} = load ptr, ptr %{name}.at"
        for i, name in enumerate(_OF_PYTHON)
        if name in _DISPATCH
    ]
    most = max(len(function.parameters) for function in FUNCTIONS.values())
    return _DISPATCH.format(
        slots=1 + most, load_functions="\n  ".join(loads), number=FRAME_NUMBER,
        registers=FRAME_REGISTERS, between=FRAME_STACK - FRAME_REGISTERS,
        unknown=int(Result.UNKNOWN),
    )  # fmt: skip


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
        "kernels": _kernels(driver), "internal_errors": driver.internal_errors,
    }  # fmt: skip
    with contextlib.suppress(OSError):
        base.with_suffix(".json").write_text(json.dumps(record))
        if watched is not None:
            base.with_suffix(".findings.json").write_text(as_json(found, watched.coverage))
            base.with_suffix(".findings.sarif").write_text(as_sarif(found, watched.coverage))
        if driver.session.events is not None:
            base.with_suffix(".trace.json").write_text(json.dumps(driver.session.events))
