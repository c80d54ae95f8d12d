# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Libraries whose functions are in Python: how a call of C comes to be one of this interpreter.

The first call of a function has the interpreter of the process import `xgpu.cuda_driver`, which
fills the library's table (`Exports`). A process without an interpreter gets one, where this Python
is a shared library.

From then on `dispatch`, code of the library, calls functions in Python. A C function that C++
calls while an exception of Python's is pending, as destructors do, must leave it pending, and
Python cannot run before it is put away. So callbacks of ctypes do not serve.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import platform
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from xgpu.api.cuda_driver.shared_object import (
    CALL_SHIFT,
    CALLS,
    DONE,
    ENDED,
    FRAME_NUMBER,
    FRAME_REGISTERS,
    FRAME_STACK,
    GENERIC,
    GENERIC_BYTES,
    INTERRUPTED,
    NONE,
    RECORDS,
    TABLE,
    SharedObject,
)
from xgpu.core.support.llvm_use import begin_llvm, keep_llvm

if TYPE_CHECKING:
    from xgpu.api.cuda_driver.table import Number

#: The name by which programs load NVRTC.
NVRTC = "libnvrtc.so.13"
#: Functions of the interpreter, by their places in the array that the library's code gets.
_OF_PYTHON = (
    "Py_IsInitialized", "PyGILState_Ensure", "PyGILState_Release", "PyRun_SimpleString",
    "Py_InitializeEx", "PyEval_SaveThread", "PyErr_Fetch", "PyErr_Restore", "PyErr_WriteUnraisable",
    "PyLong_FromLongLong", "PyLong_FromUnsignedLongLong", "PyLong_AsLong", "PyObject_Vectorcall",
    "Py_DecRef", "PyErr_SetInterrupt",
)  # fmt: skip
_IMPORTS = (*_OF_PYTHON, "dlopen", "dlsym", "write")
_NO_PYTHON = (
    "xgpu-cuda: error: this process has no Python interpreter, and {why}: the {what} of xgpu, "
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
    xgpu.cuda_driver.{connect}({library!r}, owns_interpreter={owns})
try:
    connect()
except BaseException as problem:
    import sys
    print(f"xgpu-cuda: error: the {what} of xgpu cannot be imported in {{sys.executable}}: "
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
define i64 @dispatch(ptr %frame, ptr %api, ptr %records) "frame-pointer"="all" {{
  %type = alloca ptr
  %value = alloca ptr
  %trace = alloca ptr
  %objects = alloca [{slots} x ptr]
  {load_functions}
  %number.at = getelementptr i64, ptr %frame, i64 {number}
  %number = load i64, ptr %number.at
  %record = getelementptr [2 x ptr], ptr %records, i64 %number
  %callable = load ptr, ptr %record
  %kinds.at = getelementptr ptr, ptr %record, i64 1
  %kinds = load ptr, ptr %kinds.at
  %count.byte = load i8, ptr %kinds
  %only.looks = icmp slt i8 %count.byte, 0
  %begun = select i1 %only.looks, i64 1, i64 {begun}
  %calls = getelementptr [2 x ptr], ptr %records, i64 {functions}
  %before = atomicrmw add ptr %calls, i64 %begun seq_cst
  %count.bits = and i8 %count.byte, 127
  %count = zext i8 %count.bits to i64
  %state = call i32 %PyGILState_Ensure()
  call void %PyErr_Fetch(ptr %type, ptr %value, ptr %trace)
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
  call void %Py_DecRef(ptr %result)
  br label %restore

restore:
  %given = phi i64 [ {unknown}, %raised ], [ %long, %read ]
  %pending = load ptr, ptr %type
  %was.pending = icmp ne ptr %pending, null
  br i1 %was.pending, label %put.back, label %release

put.back:
  %pending.value = load ptr, ptr %value
  %pending.trace = load ptr, ptr %trace
  call void %PyErr_Restore(ptr %pending, ptr %pending.value, ptr %pending.trace)
  br label %release

release:
  %interrupted = and i64 %given, {interrupted}
  %is.interrupted = icmp ne i64 %interrupted, 0
  br i1 %is.interrupted, label %interrupt, label %leave

interrupt:
  call void %PyErr_SetInterrupt()
  br label %leave

leave:
  %after.it = atomicrmw sub ptr %calls, i64 1 seq_cst
  call void %PyGILState_Release(i32 %state)
  ret i64 %given
}}
"""


def is_possible() -> bool:
    """Whether the library can be written for this machine."""
    return sys.platform == "linux" and platform.machine() == "x86_64"


@dataclass(frozen=True, slots=True)
class Made:
    """What a library is: its `name`, `what` messages call it, the function of `xgpu.cuda_driver`
    that fills its table (`connect`), its `symbols`, the most parameters that one has, and what
    functions give where the interpreter cannot be had (`failed`), after its end (`ended`), and
    where a call raises (`unknown`); `versions` are those of the symbols."""

    name: str
    what: str
    connect: str
    symbols: Sequence[str]
    most_parameters: int
    failed: int
    ended: int
    unknown: int
    versions: Sequence[str] = ()

    def content(self, path: str) -> bytes:
        """The file, for a path."""
        library = _python_library()
        why = "this Python is no shared library that could be loaded"
        if library:
            why = f"'{library}' cannot be loaded"
        message = _NO_PYTHON.format(why=why, what=self.what)
        bootstraps = [
            _BOOTSTRAP.format(
                paths=_paths(), library=path, owns=owns, connect=self.connect, what=self.what
            )
            for owns in (False, True)
        ]
        texts = [library or self.name + ".none", message, *bootstraps, *_OF_PYTHON]
        first = len(_IMPORTS)
        text = _START.format(
            library=first, message=first + 1, message_bytes=len(message.encode()), code=first + 2,
            own_code=first + 3, names=first + 4, of_python=len(_OF_PYTHON),
            **{name: _IMPORTS.index(name) for name in ("dlopen", "dlsym", "write")},
        )  # fmt: skip
        return SharedObject(
            self.name, self.symbols, start=_machine_code(text),
            dispatch=_machine_code(self._dispatch_text()), imports=_IMPORTS, texts=texts,
            failed=self.failed, ended=self.ended, versions=self.versions,
        ).to_bytes()  # fmt: skip

    def _dispatch_text(self) -> str:
        loads = [
            f"%{name}.at = getelementptr ptr, ptr %api, i64 {i}\n  "
            f"%{name} = load ptr, ptr %{name}.at"
            for i, name in enumerate(_OF_PYTHON)
            if name in _DISPATCH
        ]
        return _DISPATCH.format(
            slots=1 + self.most_parameters, load_functions="\n  ".join(loads), number=FRAME_NUMBER,
            registers=FRAME_REGISTERS, between=FRAME_STACK - FRAME_REGISTERS, unknown=self.unknown,
            functions=len(self.symbols), begun=1 + (1 << CALL_SHIFT), interrupted=INTERRUPTED,
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


def place() -> tuple[str, list[str]]:
    """What of this interpreter is in the libraries: its own one, and where it finds packages."""
    return _python_library(), _paths()


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


class Exports:
    """A library in this process, whose functions become those of Python."""

    def __init__(self, path: str, names: Sequence[str], mode: int = ctypes.DEFAULT_MODE) -> None:
        self.library = ctypes.CDLL(path, mode=mode)
        self._names = list(names)
        count = len(self._names)
        self._table = (ctypes.c_uint64 * count).in_dll(self.library, TABLE)
        self._records = (ctypes.c_uint64 * (2 * count)).in_dll(self.library, RECORDS)
        #: The word that says what calls there are.
        self.calls = ctypes.c_uint64.in_dll(self.library, CALLS)
        begin = address(getattr(self.library, GENERIC))
        #: Where each symbol's function is called in Python.
        self.generic = {n: begin + GENERIC_BYTES * i for i, n in enumerate(self._names)}
        #: What `_records` has the addresses of.
        self._calls: Mapping[str, Record] = {}

    def addresses(self) -> dict[str, int]:
        """Where each symbol is."""
        return {name: address(getattr(self.library, name)) for name in self._names}

    def serve(self, calls: Mapping[str, Record]) -> None:
        """Let each symbol's function be that of a record."""
        self._records[:] = [word for name in self._names for word in calls[name].words]
        self._calls = calls  # what was called before is no longer
        self._table[:] = list(self.generic.values())

    def replace(self, name: str, address: int) -> None:
        """Let a function of the library be another, with the same parameters, for tests and
        measurements: machine code that never ends, or that does nothing."""
        self._table[self._names.index(name)] = address

    def end(self) -> None:
        """The interpreter ends: no function can be called any more. Those that give something back
        succeed, since all has been; no context is current."""
        stubs = {name: address(getattr(self.library, name)) for name in (ENDED, DONE, NONE)}
        self._table[:] = [stubs[_after_the_end(name)] for name in self._names]


def _after_the_end(name: str) -> str:
    """Which function stands for another when the interpreter has ended."""
    if "CtxGetCurrent" in name:
        return NONE
    from xgpu.api.cuda_driver.table import GIVES_BACK

    return DONE if GIVES_BACK.search(name) or "CtxSetCurrent" in name else ENDED


class Record:
    """What the library's `dispatch` reads of a function, by addresses: `words` has them. It is
    called in Python with a number for each of `types`, and gives a number. One that `looks` gives
    no device anything to do, and changes nothing that says how a launch is done."""

    def __init__(
        self, call: Callable[..., int], types: Sequence[Number], *, looks: bool = False
    ) -> None:
        self._call = ctypes.py_object(call)
        # How many parameters there are, and for each how a number is made of a word: the bits that
        # are to be shifted out, and the sign bit where it is signed.
        kinds = [8 * (8 - ctypes.sizeof(t)) + 128 * (t(-1).value < 0) for t in types]
        self._kinds = (ctypes.c_uint8 * (1 + len(kinds)))(len(kinds) + 128 * looks, *kinds)
        place = ctypes.c_void_p.from_buffer(self._call).value or 0
        self.words = place, ctypes.addressof(self._kinds)


def address(function: ctypes._FuncPointer) -> int:
    """Where a function of C begins."""
    return ctypes.cast(function, ctypes.c_void_p).value or 0


#: What keeps the function that the process calls at its end, where a library has started the
#: interpreter.
_at_exit: list[object] = []


def _end(code: int, data: int | None) -> None:
    atexit._run_exitfuncs()
    keep_llvm()


def own_interpreter() -> None:
    """A library has started the interpreter, which never ends, so that it can be called when the
    process does."""
    if _at_exit:
        return
    run = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p)(_end)
    _at_exit.append(run)
    begin_llvm()  # whose destructors run behind `_end`
    ctypes.CDLL(None).on_exit(run, None)


def is_own_interpreter() -> bool:
    """Whether a library has started the interpreter: the program is machine code."""
    return bool(_at_exit)
