# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host programs as LLVM IR: the translated module, and what is put around it before it is compiled.

The translation says which functions and variables a program has (`ModuleParts`). Of the functions
that a program declares without a body, some are defined here:

* `mgpu*`: a call of the device through a table. Every program has a table of its own, so that
  programs run beside each other on devices of their own.
* Functions of the runner that Python serves.
* `abort`, which ends the program and not the process, `xgpu_at` and `xgpu_apart`.

A call of the device or of Python stops the program if it failed: if the flag that
`xgpu_program_flag` points to is set.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

from xgpu.backend.llvm_ir.parts import ModuleParts
from xgpu.core.ir.errors import ProgramError
from xgpu.core.support.abi import FUNCTIONS
from xgpu.core.support.cache import PROGRAMS
from xgpu.core.support.mpi_abi import PENDING, TOUCH, TOUCHED
from xgpu.driver.options import RESULT_TYPES
from xgpu.host_device.abi.addresses import APART, apart_text
from xgpu.host_device.abi.codes import THROW_PROGRAM
from xgpu.host_device.compiler.checks import AT, Locations
from xgpu.host_device.compiler.objects import CompiledModule

#: Prefix of a symbol that Python serves.
PYTHON = "xgpu.python."
#: Symbols of a program: pointers to the device's functions, and to the flag of its session.
TABLE, FLAG = "xgpu_program_table", "xgpu_program_flag"
#: The number of the location where the program is.
LOCATION = "xgpu_location"
#: What the engine calls before and after a function of the program.
START, END = "xgpu_program_start", "xgpu_program_end"
#: The addresses and sizes of the program's variables, as two words each.
VARIABLES = "xgpu_program_variables"
#: Says that the program aborts, instead of the C library's function, which would take the process
#: along.
ABORTED = "xgpu_aborted"

_COMMON = f"""
@{TABLE} = global [{len(FUNCTIONS)} x ptr] zeroinitializer
@{FLAG} = global ptr null
@{LOCATION} = global i32 0
declare void @xgpu_enter_python()
declare void @xgpu_leave_python()
declare void @xgpu_throw(i32)
define internal void @xgpu_check() noinline {{
  %flag = load ptr, ptr @{FLAG}
  %error = load atomic i32, ptr %flag monotonic, align 4
  %bad = icmp ne i32 %error, 0
  br i1 %bad, label %throw, label %fine
throw:
  call void @xgpu_throw(i32 {THROW_PROGRAM})
  br label %fine
fine:
  ret void
}}"""
_COMMON_NEEDS = ("xgpu_enter_python", "xgpu_leave_python", "xgpu_throw")

#: Definitions of functions that programs declare, and the symbols that those need.
_DEFINED = {
    "abort": (
        f"""
declare void @{ABORTED}()
define void @abort() {{
  call void @{ABORTED}()
  call void @llvm.trap()
  unreachable
}}""",
        (ABORTED,),
    ),
    AT: (
        f"""
define internal void @{AT}(i32 %location) alwaysinline {{
  store i32 %location, ptr @{LOCATION}
  ret void
}}""",
        (),
    ),
    APART: (apart_text(), ()),
}
_PLAIN = frozenset(("i1", "i8", "i16", "i32", "i64", "float", "double", "ptr"))


def wrapper_name(function: str) -> str:
    """The symbol of the function that calls `function` with arguments from memory."""
    return f"xgpu_run.{function}"


class LoweredProgram:
    """A program as lowering has left it: the translated host program, with the code of kernels in
    it, and the locations of the source that it names. It owns the kernel modules that were compiled
    for the host with it, which a device then need not read again (`objects.find_module`). For a GPU
    it says which functions are `graph_functions` and `straight_functions` (`function_facts`)."""

    __slots__ = ("graph_functions", "kernels", "locations", "parts", "straight_functions")

    def __init__(
        self, parts: ModuleParts, locations: Locations, kernels: Sequence[CompiledModule] = (), *,
        graph_functions: Iterable[str] = (), straight_functions: Iterable[str] = (),
    ) -> None:  # fmt: skip
        self.parts = parts
        self.locations = locations
        self.kernels = tuple(kernels)
        self.graph_functions = frozenset(graph_functions)
        self.straight_functions = frozenset(straight_functions)

    def to_json(self) -> str:
        """The program as text, for a cache; the code of kernels in it has them as text."""
        facts = [sorted(self.graph_functions), sorted(self.straight_functions)]
        return json.dumps([self.parts.to_json(), self.locations.texts, *facts])

    @staticmethod
    def from_json(text: str | bytes) -> LoweredProgram:
        """The program that `to_json` gave the text of."""
        parts, locations, graph, straight = json.loads(text)
        return LoweredProgram(
            ModuleParts.from_json(parts), Locations.restored(locations), graph_functions=graph,
            straight_functions=straight,
        )  # fmt: skip


class HostSource:
    """A program, and what is added to it."""

    def __init__(self, parts: ModuleParts, opt_level: int) -> None:
        self._parts = parts
        self._opt_level = opt_level
        self._added: list[str] = []
        #: Functions that have a wrapper: the LLVM types of their parameters, and of the result.
        self.wrapped: dict[str, tuple[list[str], str]] = {}

    def check_entry(self, entry: str, result: str) -> str:
        """What kind of result `entry` gives, void or a key of RESULT_TYPES, if `result` was asked
        for."""
        found = self._parts.definitions.get(entry)
        if found is None:
            raise ProgramError(f"entry point '{entry}' not found")
        if found.parameters:
            raise ProgramError(f"entry point '{entry}' must take no arguments")
        type = found.result
        if result not in ("void", "auto") and type != RESULT_TYPES[result][0]:
            raise ProgramError(
                f"entry point '{entry}' returns {type}, but the result asked for is {result}"
            )
        if result != "auto" or type == "void":
            return "void" if result == "auto" else result
        found_kind = next((kind for kind, (t, _) in RESULT_TYPES.items() if t == type), None)
        if found_kind is None:
            raise ProgramError(
                f"entry point '{entry}' returns {type}, expected one of "
                f"{', '.join(RESULT_TYPES)}; the result 'void' (`result` of xgpu.run, "
                "--entry-point-result of xgpu-runner) drops it"
            )
        return found_kind

    def wrap(self, entry: str, result: str) -> None:
        """Let `entry`, without parameters, be called; a result that is not asked for is dropped."""
        self._wrap(entry, [], self._parts.definitions[entry].result, result != "void")

    def wrap_all(self, *, aggregates: bool = False) -> None:
        """Let every function with plain parameters and result be called; those with `aggregates`
        as well, if they are asked for."""
        for name, (types, result, is_local) in self._parts.definitions.items():
            is_plain = {*types, result} <= {*_PLAIN, "void"}
            if not is_local and "..." not in types and (aggregates or is_plain):
                self._wrap(name, types, result, result != "void")

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

    def list_variables(self) -> bool:
        """Add `VARIABLES`, for resetting variables to their first values. Whether there are
        any."""
        variables = self._parts.variables
        entries = [
            f"{{ ptr, i64 }} {{ ptr {symbol}, "
            f"i64 ptrtoint (ptr getelementptr ({type}, ptr null, i32 1) to i64) }}"
            for symbol, type in variables
        ]
        if entries:
            array = f"[{len(entries)} x {{ ptr, i64 }}]"
            self._added.append(f"@{VARIABLES} = constant {array} [{', '.join(entries)}]")
        return bool(entries)

    @property
    def variable_count(self) -> int:
        """How many variables `VARIABLES` lists."""
        return len(self._parts.variables)

    @property
    def communicates(self) -> bool:
        """Whether devices communicate with those of other ranks."""
        return any(name.startswith("mgpuComm") for name in self._parts.declarations)

    def compile(self, is_python: Callable[[str], bool]) -> tuple[list[str], bytes]:
        """Symbols to be found elsewhere, and object code, which the cache may have.
        `is_python` tells what Python serves."""
        from xgpu.host_device.machine.cpu import description

        whole, undefined = self._linked(is_python)
        key = PROGRAMS.key(machine=description(), opt_level=self._opt_level, text=whole)
        code = PROGRAMS.get(key)
        if code is None:
            code = self._code(whole)
            PROGRAMS.put(key, code)
        return undefined, code

    def _linked(self, is_python: Callable[[str], bool]) -> tuple[str, list[str]]:
        """The program with what it calls, as LLVM IR, and the symbols that it lacks."""
        parts = self._parts
        texts = [parts.text, *self._added, _frame(parts), _COMMON]
        undefined = [*_COMMON_NEEDS, *parts.external]
        for name, (types, result, text) in parts.declarations.items():
            if name in FUNCTIONS:
                texts.append(_device_call(name))
            elif name in _DEFINED:
                text, needs = _DEFINED[name]
                texts.append(text)
                undefined += needs
            elif name == TOUCH:
                # Programs of one process come from the cache, without what compiles them.
                from xgpu.host_device.compiler.message_checks import TOUCHED_TYPES, touch_text

                texts += [touch_text(), _python_call(TOUCHED, TOUCHED_TYPES, "void")]
                undefined += [PENDING, PYTHON + TOUCHED]
            elif is_python(name):
                texts.append(_python_call(name, types, result))
                undefined.append(PYTHON + name)
            else:
                texts.append(text)
                undefined.append(name)
        return "\n".join(texts), undefined

    def _code(self, whole: str) -> bytes:
        """Object code of the program."""
        from xgpu.host_device.machine.cpu import contained_here, object_code, optimize, parse

        try:
            module = parse(whole)
        except RuntimeError as problem:
            raise ProgramError(f"LLVM refuses the host program: {str(problem).strip()}") from None

        def work() -> bytes:
            optimize(module, self._opt_level)
            return object_code(module, self._opt_level)

        return contained_here(work, self._parts.uses)


def slot_offsets(types: Sequence[str]) -> list[int]:
    """Where values of LLVM types lie that follow one another in words of 8 bytes, and where the
    word behind them all is."""
    from xgpu.host_device.machine.cpu import byte_size

    offsets = [0]
    for type in types:
        offsets.append(offsets[-1] + (1 if type in _PLAIN else -(-byte_size(type) // 8)))
    return offsets


def _device_call(name: str) -> str:
    """The function `name` of the ABI."""
    function = FUNCTIONS[name]
    load = [
        f"  %at = getelementptr ptr, ptr @{TABLE}, i64 {function.index}",
        "  %f = load ptr, ptr %at",
    ]
    attributes = " noinline"
    return _guarded_call(name, function.parameters, function.result, "%f", load, attributes)


def _python_call(name: str, types: Sequence[str], result: str) -> str:
    """A function that Python serves."""
    target = f'@"{PYTHON}{name}"'
    declared = f"declare {result} {target}({', '.join(types)})\n"
    return declared + _guarded_call(name, types, result, target, [], "")


def _guarded_call(
    name: str, types: Sequence[str], result: str, target: str, load: list[str], attributes: str
) -> str:
    """A function that calls `target`, says so to the guard, and stops if that failed."""
    parameters = ", ".join(f"{type} %p{i}" for i, type in enumerate(types))
    lines = [
        f"define internal {result} @{name}({parameters}){attributes} {{",
        *load,
        "  call void @xgpu_enter_python()",
        f"  {'' if result == 'void' else '%r = '}call {result} {target}({parameters})",
        "  call void @xgpu_leave_python()",
        "  call void @xgpu_check()",
        "  ret void" if result == "void" else f"  ret {result} %r",
        "}",
    ]
    return "\n".join(lines)


def _frame(parts: ModuleParts) -> str:
    """The two functions that run constructors and destructors."""
    lines: list[str] = []
    for name, called in ((START, parts.constructors), (END, parts.destructors)):
        lines.append(f"define void @{name}(ptr %unused) {{")
        lines += [f"  call void {symbol}()" for symbol in called]
        lines += ["  ret void", "}"]
    return "\n".join(lines)
