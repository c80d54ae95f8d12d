# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of the driver's functions: what each is declared as in C, and what does its work.

    @entry("cuMemAlloc(CUdeviceptr *address, size_t size)", v2=3020)
    def allocate(context: Context, size: int) -> int: ...

The declaration says what is checked and converted before the function is called. A pointer to
something that is not `const` is where a result goes; the function returns the results. A `?` behind
a name lets that pointer be null. A handle becomes the object that it stands for. The first argument
is the current context, or the driver where a function `needs` no context.

A function has a symbol for each of its versions, as CUDA's has (cuMemAlloc_v2), and with a stream
another one whose null stream is the thread's own (_ptsz).
"""

from __future__ import annotations

import _thread
import ctypes
import re
import traceback
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import TypeVar, cast

from xgpu.api.cuda_driver.calls import Call, Recorder, Refusal
from xgpu.api.cuda_driver.header import STRUCTURES, Refused, Result
from xgpu.api.cuda_driver.shared_object import INTERRUPTED, WORKING
from xgpu.api.cuda_driver.state import Context, Driver, result_of
from xgpu.core.ir.errors import DeviceError, DiagnosticError, UsageError


class Needs(IntEnum):
    """What must be there before a function is called."""

    NOTHING = 0
    INIT = 1
    CONTEXT = 2
    #: The same; it works after a kernel has failed, too.
    ANY_CONTEXT = 3


Number = (
    type[ctypes.c_int32] | type[ctypes.c_uint32] | type[ctypes.c_int64] | type[ctypes.c_uint64]
    | type[ctypes.c_uint8] | type[ctypes.c_uint16] | type[ctypes.c_float]
)  # fmt: skip
#: What makes an argument of a number that comes by C; it gets the context too, where there is one.
Reader = Callable[[int, "Context | Driver"], object]
#: What may do a call's work by the numbers that come by C, and says whether it has; it gets the
#: context too, and whether the null stream is the thread's own.
First = Callable[["Context", bool, "tuple[int, ...]"], bool]
F = TypeVar("F", bound=Callable[..., object])

#: Numbers, by their types in C; enumerations are numbers of 32 bits.
NUMBERS: dict[str, Number] = {
    "int": ctypes.c_int32, "unsigned int": ctypes.c_uint32, "size_t": ctypes.c_uint64,
    "unsigned char": ctypes.c_uint8, "unsigned short": ctypes.c_uint16, "float": ctypes.c_float,
    "CUdeviceptr": ctypes.c_uint64, "cuuint32_t": ctypes.c_uint32, "cuuint64_t": ctypes.c_uint64,
    "unsigned long long": ctypes.c_uint64, "CUtexObject": ctypes.c_uint64,
    "CUsurfObject": ctypes.c_uint64, "CUgraphConditionalHandle": ctypes.c_uint64,
    "CUmemGenericAllocationHandle": ctypes.c_uint64, "long long": ctypes.c_int64,
    "CUmemLocation": ctypes.c_uint64,  # 8 bytes, which come in a register
    "CUhostFn": ctypes.c_uint64, "CUstreamCallback": ctypes.c_uint64,
    "CUoccupancyB2DSize": ctypes.c_uint64, "nvrtcProgram": ctypes.c_uint64,
}  # fmt: skip

#: What handles stand for: the class of state, by its name in C.
HANDLES = (
    "CUcontext", "CUmodule", "CUfunction", "CUlibrary", "CUkernel", "CUstream", "CUevent",
    "CUmemoryPool", "CUlinkState", "CUgraph", "CUgraphExec", "CUgraphNode", "CUarray",
    "CUuserObject", "CUgreenCtx", "CUdevResourceDesc",
)  # fmt: skip
_DECLARATION = re.compile(r"(const char \*)?(\w+)\((.*)\)", re.DOTALL)
_PARAMETER = re.compile(r"(const )?(.+?) ?(\**) ?(\w+)(\[\d*\])?(\??)")
_VERSION = re.compile(r"_v(\d+)$")
#: Functions that give something back, by their names.
GIVES_BACK = re.compile(r"Free|Destroy|Unload|Release|Unregister|Unmap")
#: Functions that change nothing that says how a launch is done: they read, wait, or work on memory
#: (what they give a device to do shows as its activity).
LOOKS = re.compile(
    r"cu(Ctx|Device|Stream|Event|Pointer|Func|Mem)Get(?!Capture)\w*|cuOccupancy\w*|"
    r"cu(Stream|Event)(Query|Synchronize)|cuCtxSynchronize|cuEventElapsedTime|"
    r"cuMem(Alloc|Free|cpy|set)\w*"
)
#: Functions with a stream, of which no thread has one of its own.
_NO_STREAM_OF_THREADS = ("cuStreamDestroy", "cuStreamCopyAttributes", "cuStreamGetDevice")
PER_THREAD = "_ptsz"


class Parameter:
    """A parameter as C declares it; `how` is one of number, device, handle, stream, text, struct,
    array (an address), and out (a result, whose type is `result`)."""

    __slots__ = ("ctype", "how", "kind", "name", "optional", "result", "text")

    def __init__(self, text: str) -> None:
        match = _PARAMETER.fullmatch(text)
        assert match is not None, text
        const, kind, stars, name, array, optional = match.groups()
        self.text = text.replace("?", "")
        self.name, self.kind, self.optional = name, kind, bool(optional)
        self.how = "array" if array else self._how(bool(const), len(stars))
        self.ctype: Number = ctypes.c_uint64
        if self.how == "device":
            self.ctype = ctypes.c_int32
        elif self.how == "number":
            self.ctype = NUMBERS.get(kind, ctypes.c_uint32)
        self.result: Number = NUMBERS.get(kind, ctypes.c_int32)
        if stars == "**" or kind in HANDLES:
            self.result = ctypes.c_uint64

    def _how(self, const: bool, stars: int) -> str:
        kind = self.kind
        if stars == 0:
            if kind in HANDLES:
                return "stream" if kind == "CUstream" else "handle"
            return "device" if kind == "CUdevice" else "number"
        if stars == 1 and kind == "char" and const:
            return "text"
        if stars == 1 and kind in STRUCTURES:
            return "struct"
        if stars == 1 and (const or kind in ("void", "char")):
            return "array"
        return "out"


class Declaration:
    """A function as C declares it, and what does its work. `gives_number` says that it returns what
    it gives, where others return whether they have succeeded."""

    __slots__ = ("gives_number", "name", "parameters", "run")

    def __init__(self, declaration: str, run: Callable[..., object]) -> None:
        match = _DECLARATION.fullmatch(" ".join(declaration.split()))
        assert match is not None, declaration
        gives, self.name, inside = match.groups()
        self.gives_number = bool(gives)
        self.parameters = [Parameter(text) for text in inside.split(", ") if text]
        self.run = run

    def declaration(self) -> str:
        """As the header has it."""
        gives = "const char *" if self.gives_number else ""
        return f"{gives}{self.name}({', '.join(p.text for p in self.parameters)})"


class Function(Declaration):
    """A function of the driver: its symbols with the version of CUDA that each came with, and what
    it needs."""

    __slots__ = ("answers", "at_first", "needs", "section", "settles", "symbols")

    def __init__(
        self, declaration: str, run: Callable[..., object], needs: Needs, since: int,
        versions: dict[str, int], newest_of: dict[str, int], alone: bool = False,
        at_first: First | None = None, settles: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(declaration, run)
        self.needs, self.at_first = needs, at_first
        #: Whether memory at rest is released before (`Driver.settle_memory`).
        self.settles = settles
        self.section = run.__module__.rpartition(".")[2]
        #: Symbols, and since which version of CUDA there are.
        self.symbols = {self.name: since, **versions}
        #: Names by which programs ask, since when they get this function, and by which symbol.
        self.answers = [
            (s if alone else _VERSION.sub("", s), v, s) for s, v in self.symbols.items()
        ]
        self.answers += [(asked, version, self.name) for asked, version in newest_of.items()]

    @property
    def has_stream_of_threads(self) -> bool:
        if self.name.startswith(_NO_STREAM_OF_THREADS):
            return False
        return any(p.how == "stream" for p in self.parameters)

    @property
    def prototype(self) -> Callable[[Callable[..., int]], ctypes._CFunctionType]:
        return ctypes.CFUNCTYPE(ctypes.c_int32, *(p.ctype for p in self.parameters))


#: All functions by the symbol that they were declared with.
FUNCTIONS: dict[str, Function] = {}


def entry(
    declaration: str, *, since: int, needs: Needs = Needs.CONTEXT, v2: int = 0,
    newest_of: dict[str, int] | None = None, alone: bool = False, at_first: First | None = None,
    settles: bool = True, **versions: int,
) -> Callable[[F], F]:  # fmt: skip
    """Let a function do the work of a function of the driver. `since` is the version of CUDA that
    it came with (13020 is CUDA 13.2): a program that asks for an older one does not get it. `v2`
    says since when there is a second version, which does the same; `versions` are other names for
    it, `newest_of` names by which a program of a later CUDA gets it. One that is `alone` is no
    newer version of another, although its name says so. `at_first` is asked before arguments are
    converted. Unless it `settles`, memory at rest stays so (`Function.settles`)."""
    name = declaration.partition("(")[0]
    if v2:
        versions[f"{name}_v2"] = v2

    def register(run: F) -> F:
        assert name not in FUNCTIONS, name
        FUNCTIONS[name] = Function(
            declaration,
            run,
            needs,
            since,
            versions,
            newest_of or {},
            alone,
            at_first,
            settles,
        )
        return run

    return register


# -- how arguments become what a function takes


def converters(function: Function, driver: Driver, per_thread: bool) -> list[Reader | None]:
    """For each parameter what makes an argument of the number that comes by C; None for those that
    stay as they are. A converter gets the context too, and raises `Refused`."""
    return [_converter(p, driver, per_thread) for p in function.parameters if p.how != "out"]


def _converter(parameter: Parameter, driver: Driver, per_thread: bool) -> Reader | None:
    how, optional = parameter.how, parameter.optional
    if how == "device":
        return lambda given, _: driver.device(given)
    if how == "text":
        return _optional(_text) if optional else _text
    if how == "stream":
        return _stream(driver, per_thread)
    if how == "handle":
        return _handle(driver, parameter.kind, optional)
    if how == "struct":
        kind = STRUCTURES[parameter.kind]

        def read(given: int, _: object) -> object:
            return kind.from_address(_not_null(given))

        return _optional(read) if optional else read
    if how == "array" and not optional:
        return lambda given, _: _not_null(given)
    return None


def _optional(read: Reader) -> Reader:
    return lambda given, context: read(given, context) if given else None


def _not_null(given: int) -> int:
    if not given:
        raise Refused(Result.INVALID_VALUE, "a pointer is null")
    return given


def _text(given: int, _: object) -> str:
    return ctypes.string_at(_not_null(given)).decode(errors="surrogateescape")


def _handle(driver: Driver, kind: str, optional: bool) -> Reader:
    handles = driver.handles
    wrong = Result.INVALID_CONTEXT if kind == "CUcontext" else Result.INVALID_HANDLE

    def read(given: int, _: object) -> object:
        found = handles.get(given)
        if found is not None and kind in found.kinds:
            return found
        if optional and not given:
            return None
        if kind == "CUcontext" and given in driver.destroyed:
            raise Refused(Result.CONTEXT_IS_DESTROYED, "the context is destroyed")
        raise Refused(wrong, f"0x{given:x} is no live {kind}")

    return read


def _stream(driver: Driver, per_thread: bool) -> Reader:
    handles = driver.handles

    def read(given: int, context: Context | Driver) -> object:
        found = handles.get(given)
        if found is not None and "CUstream" in found.kinds:
            return found
        if given > 2 or isinstance(context, Driver):
            raise Refused(Result.INVALID_HANDLE, f"0x{given:x} is no live CUstream")
        return context.default_stream(given == 2 or (per_thread and given == 0))

    return read


# -- a call: what must be there is checked, a function is run, what it raises becomes a result


def made_call(function: Function, driver: Driver, per_thread: bool) -> Callable[..., int]:
    """What C calls: it gets numbers and gives a number."""
    call = _plain_call(function, driver, per_thread)
    recorder = driver.recorder
    if recorder is not None and function.needs > Needs.NOTHING:
        return _recorded(call, function, driver, recorder)
    return call


def _plain_call(function: Function, driver: Driver, per_thread: bool) -> Callable[..., int]:
    outs = [(i, p) for i, p in enumerate(function.parameters) if p.how == "out"]
    inputs = [i for i, p in enumerate(function.parameters) if p.how != "out"]
    # A list comprehension in a call would be a call of its own, which costs a fifth of it.
    chosen = _chosen(inputs) if outs else list
    reads = zip(inputs, converters(function, driver, per_thread), strict=True)
    readers = [(to, place, read) for to, (place, read) in enumerate(reads) if read is not None]
    required = [i for i, p in outs if not p.optional]
    writers = [(i, p.result) for i, p in outs]
    run, needs, at_first = function.run, function.needs, function.at_first
    needs_context = needs >= Needs.CONTEXT
    plain = not outs and not readers
    # Of a function that takes one object and gives nothing, as those that wait do.
    only = readers[0][2] if len(function.parameters) == len(readers) == 1 else None
    gives_back = not outs and bool(GIVES_BACK.search(function.name))
    postponed, inside = driver.postponed, driver.postponed.inside
    settles, mirror = function.settles, driver.mirror
    rests, calls = mirror.rests, mirror.calls

    def call(*given: int) -> int:
        me = _thread.get_ident()
        is_outermost = me not in inside
        try:
            if gives_back and not is_outermost:
                postponed.add(lambda: call(*given))
                return 0
            if calls.value & WORKING and not mirror.may_begin(me) and gives_back:
                is_outermost = False  # it is called back by a kernel that machine code runs
                postponed.add(lambda: call(*given))
                return 0
            if is_outermost:
                inside.add(me)
            subject: Context | Driver = driver
            if needs:
                if not driver.is_initialized or driver.is_forked:
                    return Result.NOT_INITIALIZED
                if settles and rests.value:
                    driver.settle_memory()
                if needs_context:
                    subject = context = driver.context()
                    if needs is Needs.CONTEXT and context.session.flag.value:
                        context.check()
                    if at_first is not None and at_first(context, per_thread, given):
                        return 0
            if only is not None:
                run(subject, only(given[0], subject))
                return 0
            for i in required:
                if not given[i]:
                    return Result.INVALID_VALUE
            if plain:
                run(subject, *given)
                return 0
            arguments = chosen(given)
            for to, i, read in readers:
                arguments[to] = read(given[i], subject)
            values = run(subject, *arguments)
            if writers:
                results = cast(
                    "tuple[int, ...]", values if isinstance(values, tuple) else (values,)
                )
                for (i, kind), value in zip(writers, results, strict=True):
                    if given[i]:
                        kind.from_address(given[i]).value = value
            return 0
        except Refused as refused:
            if driver.settings.verbose and str(refused):
                driver.say(f"{function.name}: {refused}")
            return refused.result
        except BaseException as problem:
            return failure_of(problem, function, driver)
        finally:
            if is_outermost:
                inside.discard(me)
                if postponed:
                    postponed.catch_up()

    return call


def _chosen(places: Sequence[int]) -> Callable[[Sequence[int]], list[object]]:
    """What makes a list of those values of a call that stand in these places."""
    if not places:
        return lambda _: []
    first, last = places[0], places[-1] + 1
    if list(places) == list(range(first, last)):
        part = slice(first, last)
        return lambda given: list(given[part])
    return lambda given: [given[i] for i in places]


def failure_of(problem: BaseException, function: Function, driver: Driver) -> int:
    """The result that stands for what a function has raised: nothing can be raised through C."""
    if isinstance(problem, KeyboardInterrupt):
        for device in driver.devices:
            if device.has_begun:
                device.host.cancel()
        return Result.LAUNCH_FAILED | INTERRUPTED
    if isinstance(problem, OverflowError):  # a count or a size that nothing has
        return Result.INVALID_VALUE
    if isinstance(problem, MemoryError):
        return Result.OUT_OF_MEMORY
    if isinstance(problem, DeviceError):
        driver.say(f"{function.name}: {problem}")
        return result_of(problem)
    if isinstance(problem, (DiagnosticError, UsageError)):
        driver.say(f"{function.name}: {problem}")
        return Result.INVALID_IMAGE
    driver.internal_errors += 1
    driver.say(f"internal error in {function.name}: {problem!r}; please report this")
    if driver.settings.verbose:
        traceback.print_exception(problem)
    return Result.UNKNOWN


def _recorded(
    call: Callable[..., int], function: Function, driver: Driver, recorder: Recorder
) -> Callable[..., int]:
    """The same; what it is called with is recorded, and the recorder may let it fail."""
    name, needs_context = function.answers[0][0], function.needs is Needs.CONTEXT
    inputs = [(i, p) for i, p in enumerate(function.parameters) if p.how != "out"]

    def recorded(*given: int) -> int:
        made = Call(name, ())
        if recorder.keeps_calls:
            made = Call(name, tuple(_kept(p, given[i]) for i, p in inputs))
            recorder.calls.append(made)
        if name in recorder.observers:
            recorder.observers[name](*given)
        result = recorder.failure(name, needs_context=needs_context)
        if result:
            if recorder.count == driver.settings.fail_at:
                driver.say(f"call {recorder.count}, {function.name}, fails as --fail-at asks for")
            return result
        result = call(*given)
        if result and result != Result.NOT_READY:
            recorder.refusals.append(Refusal(made, result & ~INTERRUPTED))
        return result

    return recorded


def _kept(parameter: Parameter, given: int) -> object:
    """An argument that can be looked at when the call has returned."""
    if not given:
        return given
    if parameter.how == "text":
        return _text(given, None)
    if parameter.how == "struct":
        kind = STRUCTURES[parameter.kind]
        return kind.from_buffer_copy(kind.from_address(given))
    return given
