# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVRTC over clang: `libnvrtc.so.13`, which compiles CUDA C++ while a program runs.

    @entry("nvrtcVersion(int *major, int *minor)")
    def version() -> tuple[int, int]: ...

A declaration says what is checked before a function is called, as in `table`; results are
nvrtcResult. Programs become PTX by clang and LLVM, with our headers in place of NVIDIA's. What
stands for a cubin is that PTX in a container (`images`).
"""

from __future__ import annotations

import ctypes
import itertools
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from enum import IntEnum
from pathlib import Path
from typing import TypeVar, cast

from xgpu.api import build
from xgpu.api.cuda_driver.images import container, ptx_of
from xgpu.api.cuda_driver.native import NVRTC, Made
from xgpu.api.cuda_driver.nvrtc_options import (
    NvrtcOptions,
    OptionError,
    supported_chips,
)
from xgpu.api.cuda_driver.table import Declaration
from xgpu.core.ir.errors import DeviceError, Diagnostic, DiagnosticError, UsageError
from xgpu.frontend.cuda.clang import HEADERS, find_clang, read
from xgpu.host_device.sanitizer.reports import watch

NAME = NVRTC
#: By which other names programs ask for it.
OTHER_NAMES = ("libnvrtc.so.12", "libnvrtc.so")
VERSION = (13, 0)
_DEFAULT_NAME = "default_program"
_PCH_HEAP = 256 << 20
F = TypeVar("F", bound=Callable[..., object])


class NvrtcResult(IntEnum):
    """nvrtcResult."""

    SUCCESS = 0
    ERROR_OUT_OF_MEMORY = 1
    ERROR_PROGRAM_CREATION_FAILURE = 2
    ERROR_INVALID_INPUT = 3
    ERROR_INVALID_PROGRAM = 4
    ERROR_INVALID_OPTION = 5
    ERROR_COMPILATION = 6
    ERROR_BUILTIN_OPERATION_FAILURE = 7
    ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8
    ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9
    ERROR_NAME_EXPRESSION_NOT_VALID = 10
    ERROR_INTERNAL_ERROR = 11
    ERROR_TIME_FILE_WRITE_FAILED = 12
    ERROR_NO_PCH_CREATE_ATTEMPTED = 13
    ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14
    ERROR_PCH_CREATE = 15
    ERROR_CANCELLED = 16
    ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
    ERROR_BUSY = 18


class Failed(Exception):
    """A function's result that is not success."""

    def __init__(self, result: NvrtcResult) -> None:
        super().__init__(result.name)
        self.result = result


# -- the table

#: All functions by name.
FUNCTIONS: dict[str, Declaration] = {}


def entry(declaration: str) -> Callable[[F], F]:
    """Let a function do the work of one of NVRTC's."""

    def register(run: F) -> F:
        made = Declaration(declaration, run)
        FUNCTIONS[made.name] = made
        return run

    return register


def library() -> Made:
    """`libnvrtc.so.13`."""
    broken = NvrtcResult.ERROR_INTERNAL_ERROR
    most = max(len(function.parameters) for function in FUNCTIONS.values())
    return Made(
        NAME, "NVRTC", "connect_nvrtc", list(FUNCTIONS), most, failed=broken, ended=broken,
        unknown=broken, versions=(NAME, *OTHER_NAMES[:1]),
    )  # fmt: skip


#: How many calls have ended by a mistake of xgpu's.
internal_errors: list[str] = []


def made_call(function: Declaration) -> Callable[..., int]:
    """What C calls: it gets numbers and gives a number."""
    parameters = function.parameters

    def call(*given: int) -> int:
        try:
            arguments: list[object] = []
            for parameter, value in zip(parameters, given, strict=True):
                if parameter.kind == "nvrtcProgram" and parameter.how == "number":
                    arguments.append(_program(value))
                elif not value and parameter.how != "number" and not parameter.optional:
                    return NvrtcResult.ERROR_INVALID_INPUT
                elif parameter.how == "text":
                    arguments.append(_text(value))
                elif parameter.how != "out":
                    arguments.append(value)
            results = function.run(*arguments)
            if function.gives_number:
                return cast("int", results)
            values = cast("tuple[int, ...]", results if isinstance(results, tuple) else (results,))
            outs = [(p, v) for p, v in zip(parameters, given, strict=True) if p.how == "out"]
            for (parameter, place), value in zip(outs, values, strict=False):
                parameter.result.from_address(place).value = value
            return NvrtcResult.SUCCESS
        except Failed as failed:
            return failed.result
        except MemoryError:
            return NvrtcResult.ERROR_OUT_OF_MEMORY
        except BaseException as problem:
            internal_errors.append(function.name)
            print(
                f"xgpu-cuda: internal error in {function.name}: {problem!r}; please report this",
                file=sys.stderr, flush=True,
            )  # fmt: skip
            return NvrtcResult.ERROR_INTERNAL_ERROR

    return call


def _text(address: int) -> str:
    return ctypes.string_at(address).decode(errors="surrogateescape") if address else ""


def _texts(count: int, address: int) -> list[str]:
    """Texts of an array of their addresses."""
    if count < 0 or (count and not address):
        raise Failed(NvrtcResult.ERROR_INVALID_INPUT)
    words = (ctypes.c_uint64 * count).from_address(address) if count else ()
    if not all(words):
        raise Failed(NvrtcResult.ERROR_INVALID_INPUT)
    return [_text(word) for word in words]


def _write(address: int, data: bytes) -> None:
    ctypes.memmove(address, data, len(data))


#: What C keeps the addresses of, for as long as the process lives.
_kept: dict[str, ctypes.Array[ctypes.c_char]] = {}


def _forever(text: str) -> int:
    found = _kept.setdefault(text, ctypes.create_string_buffer(text.encode()))
    return ctypes.addressof(found)


# -- programs


class _Program:
    """A program, and what its last compilation has made."""

    def __init__(self, source: str, name: str, headers: dict[str, str]) -> None:
        self.source, self.name, self.headers = source, name, headers
        self.expressions: list[str] = []
        self.callback = 0
        self.payload = 0
        self.log = ""
        self.is_compiled = False
        self.ptx: bytes | None = None
        self.cubin = self.lto_ir = b""
        self.lowered: dict[str, ctypes.Array[ctypes.c_char]] = {}

    def compile(self, words: Sequence[str]) -> None:
        """Raises `Failed`; `log` says why."""
        self.is_compiled = True
        self.ptx, self.cubin, self.lto_ir, self.log = None, b"", b"", ""
        self.lowered = {}
        try:
            options = NvrtcOptions(words)
        except OptionError as problem:
            self.log = f"nvrtc: error: {problem}\n"
            raise Failed(NvrtcResult.ERROR_INVALID_OPTION) from None
        times = _Times(*options.files_of_times)
        try:
            find_clang()
        except UsageError as problem:
            self.log = f"nvrtc: error: {problem}\n"
            raise Failed(NvrtcResult.ERROR_BUILTIN_OPERATION_FAILURE) from None
        try:
            self._check_flow()
            self._translate(options, times)
            self._check_flow()
        except (DiagnosticError, DeviceError, UsageError) as problem:
            said = problem.diagnostics if isinstance(problem, DiagnosticError) else []
            self._tell(said or [Diagnostic("error", str(problem))])
            raise Failed(NvrtcResult.ERROR_COMPILATION) from None
        self.log += times.write(self.name, options.chip)

    def _translate(self, options: NvrtcOptions, times: _Times) -> None:
        watched = watch.current() is not None
        with tempfile.TemporaryDirectory(prefix="xgpu-nvrtc-") as room:
            folders = self._write_headers(room)
            chosen = options.for_clang(folders, self.expressions, keeps_accesses=watched)
            with times.phase("clang"):
                found = read(self.source, self.name, chosen)
        self._tell(found.warnings)
        self._check_flow()
        if not options.only_syntax:
            with times.phase("ptx"):
                ptx = ptx_of(found.ir, f"{self.name}.ll", build.Options(
                    format="isa", chip=options.chip, fma_contract=options.contract,
                    line_info=options.has_lines or watched,
                ))  # fmt: skip
                self.ptx = _FLUSHED_HALF.sub(rb"\1\2\3", ptx)
        else:
            self.ptx = b""
        if not options.is_virtual:
            self.cubin = container(self.ptx)
        if options.is_for_linking:
            self.lto_ir = container(found.ir.encode("utf-8", "surrogateescape"))
        self.lowered = {
            expression: ctypes.create_string_buffer(name.encode())
            for expression, name in zip(self.expressions, found.names, strict=True)
        }

    def _write_headers(self, room: str) -> list[str]:
        """The folders that headers are looked for in. Names may go up by `..`, but not out of
        `room`."""
        if not self.headers:
            return []
        names = [os.path.normpath(name) for name in self.headers]
        ups = max(name.split(os.sep).count("..") for name in names)
        base = os.path.join(room, *(["_"] * ups))
        os.makedirs(base, exist_ok=True)
        for name, text in zip(names, self.headers.values(), strict=True):
            path = Path(base, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="surrogateescape")
        return [base]

    def _check_flow(self) -> None:
        """Let the program's callback end the compilation."""
        if not self.callback:
            return
        prototype = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        if prototype(self.callback)(self.payload, None):
            self.ptx = None
            raise Failed(NvrtcResult.ERROR_CANCELLED)

    def _tell(self, said: Sequence[Diagnostic]) -> None:
        """Add messages to the log in NVRTC's manner."""
        from xgpu.core.syntax.diagnostics import render

        for diagnostic in said:
            text = _PLACE.sub(r"\1(\2): \3", render(diagnostic, operation=False))
            for clangs, words in _WORDS:
                text = clangs.sub(words, text)
            self.log += text + "\n\n"
        errors = sum(diagnostic.severity == "error" for diagnostic in said)
        if errors:
            are = "error" if errors == 1 else "errors"
            self.log += f'{errors} {are} detected in the compilation of "{self.name}".\n'


#: An instruction on halves that flushes denormal numbers, as LLVM has it where floats are flushed;
#: NVRTC flushes floats alone. What stands in inline assembly stays.
_FLUSHED_HALF = re.compile(
    rb"(// begin inline asm.*?// end inline asm)|^(\s*[\w.]+)\.ftz((?:\.sat)?\.f16(?:x2)?\s)",
    re.M | re.S,
)
#: What clang says of names that are not known and not used, and NVRTC's words for it.
_WORDS = (
    (re.compile(r"(?:use of undeclared identifier|unknown type name) '(\w+)'"),
     r'identifier "\1" is undefined'),
    (re.compile(r"unused variable '(\w+)'"), r'variable "\1" was declared but never referenced'),
)  # fmt: skip
_PLACE = re.compile(r"^(.+?):(\d+):\d+: ((?:error|warning|note|remark): )", re.M)


class _Times:
    """How long phases take, for files of a table and of trace events."""

    def __init__(self, table: str, trace: str) -> None:
        self._table, self._trace = table, trace
        self._phases: list[tuple[str, float, float]] = []

    def phase(self, name: str) -> _Phase:
        return _Phase(name, self._phases)

    def write(self, source: str, chip: str) -> str:
        """Write the files; what goes to the log. Raises `Failed`."""
        said = ""
        rows = [
            f"{source} , {name} , , , {chip} , nvrtc , {1000 * (end - begin):.3f} , ms\n"
            for name, begin, end in self._phases
        ]
        if self._table == "-":
            said = "".join([_HEADINGS, *rows])
        elif self._table:
            try:
                is_new = not os.path.exists(self._table)
                with open(self._table, "a", encoding="utf-8") as file:
                    file.writelines([_HEADINGS, *rows] if is_new else rows)
            except OSError:
                raise Failed(NvrtcResult.ERROR_TIME_FILE_WRITE_FAILED) from None
        if self._trace:
            events = [
                {"name": name, "ph": "X", "ts": 1e6 * begin, "dur": 1e6 * (end - begin),
                 "pid": os.getpid(), "tid": 0}
                for name, begin, end in self._phases
            ]  # fmt: skip
            try:
                Path(self._trace).write_text(json.dumps({"traceEvents": events}))
            except OSError:
                raise Failed(NvrtcResult.ERROR_TIME_TRACE_FILE_WRITE_FAILED) from None
        return said


_HEADINGS = (
    "source file name , phase name , phase input files , phase output file , arch , tool , metric "
    ", unit\n"
)


class _Phase:
    """A phase, timed."""

    def __init__(self, name: str, phases: list[tuple[str, float, float]]) -> None:
        self._name, self._phases = name, phases

    def __enter__(self) -> None:
        self._begin = time.perf_counter()

    def __exit__(self, *raised: object) -> None:
        self._phases.append((self._name, self._begin, time.perf_counter()))


#: Live programs by handle.
_programs: dict[int, _Program] = {}
_numbers = itertools.count(0x1000, 0x10)


def _program(handle: int) -> _Program:
    found = _programs.get(handle)
    if found is None:
        raise Failed(NvrtcResult.ERROR_INVALID_PROGRAM)
    return found


# -- the functions


@entry("const char *nvrtcGetErrorString(nvrtcResult result)")
def error_string(number: int) -> int:
    known = number in NvrtcResult.__members__.values()
    return _forever(f"NVRTC_{NvrtcResult(number).name}" if known else "NVRTC_ERROR unknown")


@entry("nvrtcVersion(int *major, int *minor)")
def version() -> tuple[int, int]:
    return VERSION


@entry("nvrtcGetNumSupportedArchs(int *count)")
def chip_count() -> int:
    return len(supported_chips())


@entry("nvrtcGetSupportedArchs(int chips[])")
def chips(where: int) -> None:
    found = supported_chips()
    (ctypes.c_int32 * len(found)).from_address(where)[:] = found


@entry(
    "nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name?, "
    "int headers_count, const char *headers[]?, const char *include_names[]?)"
)
def create_program(source: str, name: str, count: int, headers: int, names: int) -> int:
    texts = dict(zip(_texts(count, names), _texts(count, headers), strict=True))
    for path in texts:
        # A header lies below a folder of its own.
        if not path or os.path.isabs(path):
            raise Failed(NvrtcResult.ERROR_INVALID_INPUT)
    handle = next(_numbers)
    _programs[handle] = _Program(source, name or _DEFAULT_NAME, texts)
    return handle


@entry("nvrtcDestroyProgram(nvrtcProgram program[1])")
def destroy_program(place: int) -> None:
    handle = ctypes.c_uint64.from_address(place)
    _program(handle.value)
    del _programs[handle.value]
    handle.value = 0


@entry("nvrtcCompileProgram(nvrtcProgram program, int count, const char *options[]?)")
def compile_program(program: _Program, count: int, options: int) -> None:
    program.compile(_texts(count, options))


def _compiled(program: _Program) -> bytes:
    """The PTX of a program. Raises `Failed` where there is none."""
    if program.ptx is None:
        raise Failed(NvrtcResult.ERROR_INVALID_PROGRAM)
    return program.ptx


@entry("nvrtcGetPTXSize(nvrtcProgram program, size_t *size)")
def ptx_size(program: _Program) -> int:
    return len(_compiled(program)) + 1


@entry("nvrtcGetPTX(nvrtcProgram program, char *ptx)")
def ptx(program: _Program, where: int) -> None:
    _write(where, _compiled(program) + b"\0")


@entry("nvrtcGetCUBINSize(nvrtcProgram program, size_t *size)")
def cubin_size(program: _Program) -> int:
    _compiled(program)
    return len(program.cubin)


@entry("nvrtcGetCUBIN(nvrtcProgram program, char *cubin)")
def cubin(program: _Program, where: int) -> None:
    _compiled(program)
    _write(where, program.cubin)


@entry("nvrtcGetLTOIRSize(nvrtcProgram program, size_t *size)")
def lto_ir_size(program: _Program) -> int:
    _compiled(program)
    return len(program.lto_ir)


@entry("nvrtcGetLTOIR(nvrtcProgram program, char *lto_ir)")
def lto_ir(program: _Program, where: int) -> None:
    """LLVM IR in a container, for the driver's linker."""
    _compiled(program)
    _write(where, program.lto_ir)


def _nothing(program: _Program) -> int:
    """The size of what is never made: a program that asks for it does not compile."""
    _compiled(program)
    return 0


def _write_nothing(program: _Program, where: int) -> None:
    _compiled(program)


for _name in ("OptiXIR", "TileIR"):
    entry(f"nvrtcGet{_name}Size(nvrtcProgram program, size_t *size)")(_nothing)
    entry(f"nvrtcGet{_name}(nvrtcProgram program, char *data)")(_write_nothing)


def _log(program: _Program) -> bytes:
    return program.log.encode(errors="backslashreplace") + b"\0"


@entry("nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size)")
def log_size(program: _Program) -> int:
    return len(_log(program))


@entry("nvrtcGetProgramLog(nvrtcProgram program, char *log)")
def log(program: _Program, where: int) -> None:
    _write(where, _log(program))


@entry("nvrtcAddNameExpression(nvrtcProgram program, const char *expression)")
def add_name_expression(program: _Program, expression: str) -> None:
    if program.is_compiled:
        raise Failed(NvrtcResult.ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
    if expression not in program.expressions:
        program.expressions.append(expression)


@entry(
    "nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **lowered_name)"
)
def lowered_name(program: _Program, expression: str) -> int:
    if program.ptx is None:
        raise Failed(NvrtcResult.ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    if expression not in program.lowered:
        raise Failed(NvrtcResult.ERROR_NAME_EXPRESSION_NOT_VALID)
    return ctypes.addressof(program.lowered[expression])


@entry("nvrtcSetFlowCallback(nvrtcProgram program, void *callback, void *payload?)")
def set_flow_callback(program: _Program, callback: int, payload: int) -> None:
    program.callback, program.payload = callback, payload


# -- precompiled headers, of which none is made: what clang has read is in the cache

_pch_heap = [_PCH_HEAP]


@entry("nvrtcGetPCHHeapSize(size_t *size)")
def pch_heap_size() -> int:
    return _pch_heap[0]


@entry("nvrtcSetPCHHeapSize(size_t size)")
def set_pch_heap_size(size: int) -> None:
    _pch_heap[0] = size


@entry("nvrtcGetPCHCreateStatus(nvrtcProgram program)")
def pch_status(program: _Program) -> None:
    raise Failed(NvrtcResult.ERROR_NO_PCH_CREATE_ATTEMPTED)


@entry("nvrtcGetPCHHeapSizeRequired(nvrtcProgram program, size_t *size)")
def pch_heap_size_required(program: _Program) -> int:
    raise Failed(NvrtcResult.ERROR_INVALID_INPUT)


# -- the headers that come with it


class _HeadersInfo(ctypes.Structure):
    """nvrtcBundledHeadersInfo."""

    _fields_ = (
        ("available", ctypes.c_int), ("compressed", ctypes.c_size_t),
        ("uncompressed", ctypes.c_size_t), ("major", ctypes.c_int), ("minor", ctypes.c_int),
        ("files", ctypes.c_uint),
    )  # fmt: skip


_SKIP_IF_EXISTS, _FORCE_OVERWRITE = 1, 2
_MARK = ".nvrtc_headers_version"


def _headers() -> list[Path]:
    return [path for path in sorted(HEADERS.rglob("*")) if path.is_file()]


def _refused(place: int, result: NvrtcResult, why: str) -> Failed:
    """A failure, with the reason where the program wants it."""
    if place:
        ctypes.c_uint64.from_address(place).value = _forever(why)
    return Failed(result)


@entry("nvrtcGetBundledHeadersInfo(void *info, void *error_log?)")
def headers_info(info: int, error_log: int) -> None:
    found = _headers()
    size = sum(path.stat().st_size for path in found)
    made = _HeadersInfo.from_address(info)
    made.available, made.files = 1, len(found)
    made.compressed = made.uncompressed = size
    made.major, made.minor = VERSION


@entry("nvrtcInstallBundledHeaders(const char *path, unsigned int flags, void *error_log?)")
def install_headers(path: str, flags: int, error_log: int) -> None:
    if not path or (flags & _SKIP_IF_EXISTS and flags & _FORCE_OVERWRITE):
        raise _refused(error_log, NvrtcResult.ERROR_INVALID_INPUT, "the path or the flags")
    target = Path(path)
    if flags & _SKIP_IF_EXISTS and (target / _MARK).exists():
        return
    try:
        if flags & _FORCE_OVERWRITE and (target / _MARK).exists():
            shutil.rmtree(target)
        shutil.copytree(HEADERS, target, dirs_exist_ok=True)
        (target / _MARK).write_text("{}.{}\n".format(*VERSION))
    except OSError as problem:
        raise _refused(
            error_log, NvrtcResult.ERROR_BUILTIN_OPERATION_FAILURE, f"{path}: {problem.strerror}"
        ) from None


@entry("nvrtcRemoveBundledHeaders(const char *path, void *error_log?)")
def remove_headers(path: str, error_log: int) -> None:
    """Only a folder that has been installed is removed."""
    if not path or not (Path(path) / _MARK).exists():
        raise _refused(
            error_log, NvrtcResult.ERROR_INVALID_INPUT, f"no headers are installed in '{path}'"
        )
    try:
        shutil.rmtree(path)
    except OSError as problem:
        raise _refused(
            error_log, NvrtcResult.ERROR_BUILTIN_OPERATION_FAILURE, f"{path}: {problem.strerror}"
        ) from None
