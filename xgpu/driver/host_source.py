# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host programs as LLVM IR text, and what is put around them before they are compiled."""

from __future__ import annotations

import ctypes
import json
import re
from collections import Counter
from collections.abc import Callable

from xgpu.core.ir.errors import ProgramError
from xgpu.core.support import cache
from xgpu.core.support.abi import FUNCTIONS
from xgpu.core.support.toolchain import toolchain
from xgpu.driver.abi_calls import calls_text, common_text
from xgpu.host_device.compiler.addresses import APART, apart_text
from xgpu.host_device.compiler.checks import check_divisions

#: Of what is kept in the cache.
_KIND = "programs"

RESULTS = {"void": ("void", None), "i32": ("i32", ctypes.c_int32), "i64": ("i64", ctypes.c_int64),
           "f32": ("float", ctypes.c_float)}  # fmt: skip

#: Prefix of a symbol that Python serves.
PYTHON = "xgpu.python."

_STRUCTOR_LIST = re.compile(r"^@llvm\.global_(ctors|dtors) = .*$", re.MULTILINE)
_STRUCTOR = re.compile(r"\{ i32 (\d+), ptr @(\"[^\"]*\"|[\w.$-]+), ptr [^}]*\}")
_NAMES = re.compile(r'@([\w.$-]+|"[^"\n]*")')
_DECLARATION = re.compile(r'^declare (.*?)@"?([\w.$]+)"?\((.*)\)[^()]*$', re.MULTILINE)
_DEFINITION = re.compile(r'^define ([^@\n]*)@"?([\w.$-]+)"?\((.*?)\)[^()]*\{$', re.MULTILINE)
_VARIABLE = re.compile(r'^@("[^"]*"|[\w.$-]+) = ([^@\n"]*?)\bglobal (.*)$', re.MULTILINE)
_MEMCPY = "@llvm.memcpy.p0.p0.i64("
_ABORT = re.compile(r"^declare void @abort\(\).*$", re.MULTILINE)
#: Says that the program aborts; see `_ABORTING`.
ABORTED = "xgpu_aborted"
# Instead of the C library's, which would take the process along.
_ABORTING = f"""\
declare void @{ABORTED}()
define void @abort() {{
  call void @{ABORTED}()
  call void @llvm.trap()
  unreachable
}}"""
_APART = f"declare ptr @{APART}(ptr, i64)\n"
_PLAIN = frozenset(("i1", "i8", "i16", "i32", "i64", "float", "double", "ptr"))


def wrapper_name(function: str) -> str:
    """The symbol of the function that calls `function` with arguments from memory."""
    return f"xgpu_run.{function}"


def _contained(text: str) -> str:
    """A program that ends itself where it would end the process."""
    if _ABORT.search(text) is None:
        return text
    trap = "" if "declare void @llvm.trap()" in text else "\ndeclare void @llvm.trap()\n"
    return _ABORT.sub(_ABORTING, text) + trap


class HostSource:
    """A program's text; what is added to it comes to the end."""

    def __init__(self, text: str, opt_level: int) -> None:
        from xgpu.host_device.compiler.machine import parse

        self._opt_level = opt_level
        try:
            self._printed = _contained(str(parse(text)))
        except RuntimeError as problem:
            raise ProgramError(f"LLVM refuses the host program: {str(problem).strip()}") from None
        self._added: list[str] = []
        #: Functions that have a wrapper: the LLVM types of their parameters, and of the result.
        self.wrapped: dict[str, tuple[list[str], str]] = {}

    def check_entry(self, entry: str, result: str) -> str:
        """What kind of result `entry` gives, a key of RESULTS, if `result` was asked for."""
        from xgpu.host_device.compiler.text import result_type

        match = re.search(
            rf'^define ([^@\n]*)@"?{re.escape(entry)}"?\(([^)]*)\)', self._printed, re.MULTILINE
        )
        if match is None:
            raise ProgramError(f"entry point '{entry}' not found")
        if match[2].strip():
            raise ProgramError(f"entry point '{entry}' must take no arguments")
        type = result_type(match[1].strip())
        if result not in ("void", "auto") and type != RESULTS[result][0]:
            raise ProgramError(
                f"entry point '{entry}' returns {type}, but --entry-point-result={result} was given"
            )
        self._entry_type = type
        if result == "auto":
            return next((kind for kind, (t, _) in RESULTS.items() if t == type), "void")
        return result

    def wrap(self, entry: str, result: str) -> None:
        """Let `entry`, without parameters, be called; a result that nobody asked for is dropped."""
        self._wrap(entry, [], self._entry_type, RESULTS[result][0] != "void")

    def wrap_all(self, *, aggregates: bool = False) -> None:
        """Let every function with plain parameters and result be called; those with `aggregates`
        as well, if they are asked for."""
        from xgpu.host_device.compiler.text import result_type, split_commas, typed_value

        for match in _DEFINITION.finditer(self._printed):
            result = result_type(match[1].strip())
            types = [typed_value(p)[0] for p in split_commas(match[3])] if match[3].strip() else []
            if aggregates or {*types, result} <= {*_PLAIN, "void"}:
                self._wrap(match[2], types, result, result != "void")

    def _wrap(self, name: str, types: list[str], result: str, keep: bool) -> None:
        self.wrapped[name] = (types, result)
        lines = [f'define void @"{wrapper_name(name)}"(ptr %slots) {{']
        offsets = slot_offsets(types)
        for i, type in enumerate(types):
            lines.append(f"  %at.{i} = getelementptr i64, ptr %slots, i64 {offsets[i]}")
            lines.append(f"  %arg.{i} = load {type}, ptr %at.{i}, align 8")
        arguments = ", ".join(f"{type} %arg.{i}" for i, type in enumerate(types))
        given = "" if result == "void" else "%result = "
        lines.append(f'  {given}call {result} @"{name}"({arguments})')
        if keep:
            lines.append(f"  %to = getelementptr i64, ptr %slots, i64 {offsets[-1]}")
            lines.append(f"  store {result} %result, ptr %to, align 8")
        self._added += [*lines, "  ret void", "}"]

    def add_reset(self) -> None:
        """Add `xgpu_program_reset`, which gives every variable its first value again."""
        from xgpu.host_device.compiler.text import type_end

        copies: list[str] = []
        lines = ["define void @xgpu_program_reset(ptr %unused) {"]
        for match in _VARIABLE.finditer(_STRUCTOR_LIST.sub("", self._printed)):
            name, flags, rest = match.groups()
            if "external" in flags or "thread_local" in flags or "addrspace(" in flags:
                continue  # another module's, a thread's, or a kernel's that the host never uses
            first = f'@"xgpu_first.{name.strip(chr(34))}"'
            type = rest[: type_end(rest)]
            rest = re.sub(r", (section|comdat|!).*$", "", rest)
            copies.append(f"{first} = private constant {rest}")
            size = f"ptrtoint (ptr getelementptr ({type}, ptr null, i32 1) to i64)"
            lines.append(f"  call void {_MEMCPY}ptr @{name}, ptr {first}, i64 {size}, i1 false)")
        if copies and _MEMCPY not in self._printed:
            copies.append(f"declare void {_MEMCPY}ptr, ptr, i64, i1)")
        self._added += [*copies, *lines, "  ret void", "}"]

    def compile(self, is_python: Callable[[str], bool]) -> tuple[list[str], bytes]:
        """Symbols to be found elsewhere, and object code, which the user's cache may have.
        `is_python` tells what Python serves."""
        from xgpu.host_device.compiler.machine import (
            contained_here,
            description,
            object_code,
            optimize,
            parse,
        )

        structors = {
            # Destructors run from the highest priority down: LLVM's language reference says so.
            match[1]: sorted(
                ((int(priority), name) for priority, name in _STRUCTOR.findall(match[0])),
                key=lambda pair: -pair[0] if match[1] == "dtors" else pair[0],
            )
            for match in _STRUCTOR_LIST.finditer(self._printed)
        }
        source = _STRUCTOR_LIST.sub("", check_divisions(self._printed))
        source = source.replace("declare void @xgpu_at(i32)\n", "")
        if _APART in source:
            source = source.replace(_APART, "") + apart_text()
        source, called = _with_calls(source, is_python)
        added = [*self._added, _frame(structors), common_text(), calls_text(called)]
        whole = "\n".join([source, *added])
        key = json.dumps([toolchain(), description(), self._opt_level, whole])
        kept = cache.get(_KIND, key)
        if kept is not None:
            names, _, code = kept.partition(b"\0")
            return json.loads(names), code
        module = parse(whole)
        undefined = [
            f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")
        ]
        undefined += [g.name for g in module.global_variables if g.is_declaration]
        # What is declared and never named again needs no definition.
        named = Counter(name.strip('"') for name in _NAMES.findall(whole))
        undefined = [name for name in undefined if named[name] > 1]

        def work() -> bytes:
            optimize(module, self._opt_level)
            return object_code(module, self._opt_level)

        code = contained_here(work, source)
        cache.put(_KIND, key, json.dumps(undefined).encode() + b"\0" + code)
        return undefined, code


def _with_calls(source: str, is_python: Callable[[str], bool]) -> tuple[str, list[str]]:
    """The text with what Python serves as calls of Python, and the functions of the device that it
    declares, whose declarations are gone."""
    called: list[str] = []

    def replaced(match: re.Match[str]) -> str:
        name = match[2]
        if name in FUNCTIONS:
            called.append(name)
            return ""
        return _through_python(match) if is_python(name) else match[0]

    return _DECLARATION.sub(replaced, source), called


def slot_offsets(types: list[str]) -> list[int]:
    """Where values of LLVM types lie that follow one another in words of 8 bytes, and where the
    word behind them all is."""
    from xgpu.host_device.compiler.machine import byte_size

    offsets = [0]
    for type in types:
        offsets.append(offsets[-1] + (1 if type in _PLAIN else -(-byte_size(type) // 8)))
    return offsets


def _through_python(match: re.Match[str]) -> str:
    """A function that calls one of Python's, says so to the guard, and stops if that failed."""
    from xgpu.host_device.compiler.text import result_type, split_commas, typed_value

    result, name = result_type(match[1].strip()), match[2]
    types = [typed_value(p + " %p")[0] for p in split_commas(match[3])]
    parameters = ", ".join(f"{t} %p{i}" for i, t in enumerate(types))
    target = f'@"{PYTHON}{name}"'
    lines = [
        f"declare {result} {target}({', '.join(types)})",
        f"define internal {result} @{name}({parameters}) {{",
        "  call void @xgpu_enter_python()",
        f"  {'' if result == 'void' else '%r = '}call {result} {target}({parameters})",
        "  call void @xgpu_leave_python()",
        "  call void @xgpu_check()",
        "  ret void" if result == "void" else f"  ret {result} %r",
        "}",
    ]
    return "\n".join(lines)


def _frame(structors: dict[str, list[tuple[int, str]]]) -> str:
    """Two functions that the engine calls, and the location that `xgpu_at` sets."""
    start = "\n".join(f"  call void @{name}()" for _, name in structors.get("ctors", []))
    end = "\n".join(f"  call void @{name}()" for _, name in structors.get("dtors", []))
    return f"""
@xgpu_location = global i32 0
define internal void @xgpu_at(i32 %location) alwaysinline {{
  store i32 %location, ptr @xgpu_location
  ret void
}}
define void @xgpu_program_start(ptr %unused) {{
{start}
  ret void
}}
define void @xgpu_program_end(ptr %unused) {{
{end}
  ret void
}}
"""
