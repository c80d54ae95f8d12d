# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM may end the process: where that can be, it becomes an error.

LLVM aborts at what it cannot select or asserts, and says why on standard error. What we know
beforehand is a diagnostic of its own (`nvptx/needs`). For the rest:

* A tool has its process to itself (`core/support/process`): there LLVM's end is caught at the
  last moment, said as a diagnostic, and the exit code is 1. That costs nothing.
* In a process of another program the work is done by a child, which may end. That costs about as
  much as compiling a small kernel, so it is done only where the module holds something that is not
  known to be harmless (`is_tame`).
"""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, NoReturn

from xgpu.core.ir.errors import DeviceError, Diagnostic, DiagnosticError
from xgpu.core.support.forks import fork_for_llvm
from xgpu.core.support.process import REFUSED, is_main_interpreter, owner

if TYPE_CHECKING:
    import ctypes

    from xdsl.ir import LocationAttr

    from xgpu.backend.llvm_ir.parts import Uses

#: Intrinsics that LLVM has code for on every target, for numbers of up to 64 bits.
_TAME_INTRINSICS = re.compile(
    r"llvm\.(?:fma|fmuladd|fabs|sqrt|ceil|floor|trunc|rint|nearbyint|roundeven|round|copysign|minnum|maxnum"
    r"|m(?:in|ax)imum(?:num)?|ctpop|bitreverse|bswap|fsh[lr]|[su]m(?:in|ax)|abs|ctlz|cttz|[su](?:add|sub|shl)\.sat"
    r"|[su](?:add|sub|mul)\.with\.overflow|mem(?:cpy|move|set)|assume|lifetime|dbg|expect"
    r"|is\.fpclass|fpto[su]i\.sat|trap|vector\.reduce|masked\.(?:load|store)|experimental\.noalias"
    r"|coro|readcyclecounter)\b"
)
#: What LLVM cannot do on some target, or what has not been tried on all.
_RARE = frozenset(("fp128", "x86_fp80", "ppc_fp128", "x86_amx", "vscale", "va_arg", "wide integer"))


def is_tame(
    uses: Uses,
    target_intrinsics: Callable[[str], bool],
    target_features: Callable[[str], bool],
) -> bool:
    """Whether LLVM is known to compile a module that uses no more than `uses`.

    `target_intrinsics` and `target_features` say which intrinsics, by their whole names, and which
    features have code on one target.
    """
    if uses.assembly or not uses.features.isdisjoint(_RARE):
        return False
    return all(map(target_features, uses.features)) and all(
        _TAME_INTRINSICS.match(name) or target_intrinsics(name) for name in uses.intrinsics
    )


def contained(
    work: Callable[[], bytes], *, tame: bool, what: str, location: LocationAttr | None = None
) -> bytes:
    """The result of `work`, which has LLVM compile something.

    Errors: what `work` raises, as far as they are `DiagnosticError` and `RuntimeError`; a
    `DiagnosticError` at `location` if LLVM ends, with its words; `what` it could not do.
    """
    if (own := _own_process()) is not None:
        with own.watch(what, location):
            return work()
    if tame or not hasattr(os, "fork"):
        return work()
    return _in_child(work, what, location)


@contextmanager
def watched(what: str) -> Generator[None]:
    """What no child can do, as linking into this process: a tool says how it ended."""
    own = _own_process()
    if own is None:
        yield
        return
    with own.watch(what, None):
        yield


_SAID = re.compile(r"LLVM ERROR: (.*)")
_ASSERTED = re.compile(r"Assertion `(.*)' failed")


def _ended(what: str, words: str, location: LocationAttr | None) -> Diagnostic:
    """What LLVM said when it ended, in one line."""
    said, asserted = _SAID.search(words), _ASSERTED.search(words)
    if said is not None:
        reason = said[1].strip()
    elif asserted is not None:
        # LLVM writes `condition && "what it means"`.
        meaning = re.search(r'&& "(.*)"$', asserted[1])
        reason = f"it asserts: {meaning[1] if meaning else asserted[1]}"
    else:
        reason = "it ended without a word"
    return Diagnostic("error", f"LLVM cannot {what}: {reason}", location)


# -- in a tool's own process


class _Own:
    """Catches the signals that LLVM ends with, while it works: those without another handler.
    While a program runs, faults are its guards', in whatever thread of it.
    """

    def __init__(self, tool: str) -> None:
        self._tool = tool
        self._job: tuple[str, LocationAttr | None] = ("go on", None)
        self._words = -1
        self._stderr = -1
        self._handler: object = None
        self._one = threading.RLock()  # signals are the whole process's

    @contextmanager
    def watch(self, what: str, location: LocationAttr | None) -> Generator[None]:
        with self._one:
            yield from self._watched(what, location)

    def _watched(self, what: str, location: LocationAttr | None) -> Generator[None]:
        self._prepare()
        self._job = (what, location)
        sys.stderr.flush()
        self._stderr = os.dup(2)
        with _scratch() as words:
            self._words = words.fileno()
            os.dup2(self._words, 2)
            ours = [number for number in _SIGNALS if self._is_free(number)]
            for number in ours:
                self._set(number, self._address)
            try:
                yield
            finally:
                for number in ours:
                    self._set(number, None)
                os.dup2(self._stderr, 2)
                os.close(self._stderr)
                words.seek(0)
                os.write(2, words.read())

    def _prepare(self) -> None:
        """Not before there is something to watch: importing ctypes takes a while."""
        if self._handler is not None:
            return
        import ctypes

        self._handler = handler = ctypes.CFUNCTYPE(None, ctypes.c_int)(self._on_signal)
        self._address = ctypes.cast(handler, ctypes.c_void_p)
        self._signal = ctypes.CDLL(None).signal
        self._signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
        self._signal.restype = ctypes.c_void_p
        self._sigaction = ctypes.CDLL(None).sigaction
        self._record: ctypes.Array[ctypes.c_void_p] = (
            ctypes.c_void_p * 64
        )()  # more than any `struct sigaction`

    def _set(self, number: int, handler: ctypes.c_void_p | None) -> None:
        self._signal(number, handler)

    def _is_free(self, number: int) -> bool:
        """Whether a signal has its default: a `struct sigaction` begins with the handler."""
        return self._sigaction(number, None, self._record) == 0 and not self._record[0]

    def _on_signal(self, number: int) -> None:
        """Called on the thread that LLVM ends on, from within `abort`."""
        what, location = self._job
        os.dup2(self._stderr, 2)
        size = os.fstat(self._words).st_size
        words = os.pread(self._words, size, 0).decode(errors="replace")
        try:
            self._say(_ended(what, words, location))
            sys.stderr.flush()
        finally:
            os._exit(1)

    def _say(self, diagnostic: Diagnostic) -> None:
        from xgpu.core.ir.locations import source_location

        location = source_location(diagnostic.location)
        where = ":".join(map(str, location)) if location is not None else self._tool
        sys.stderr.write(f"{where}: error: {diagnostic.message}\n")


_SIGNALS = (signal.SIGABRT, signal.SIGSEGV, signal.SIGILL, signal.SIGBUS, signal.SIGTRAP)
_own: _Own | None = None


def _own_process() -> _Own | None:
    """What catches LLVM's end, where the process is a tool's own."""
    global _own
    tool = owner()
    if _own is None and tool is not None:
        _own = _Own(tool)
    return _own


# -- in a child


def _in_child(work: Callable[[], bytes], what: str, location: LocationAttr | None) -> bytes:
    import pickle

    if not is_main_interpreter():
        raise DeviceError(REFUSED)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # a closed one
            stream.flush()
    with _scratch() as words, _scratch() as result:
        child = fork_for_llvm()
        if child == 0:
            _work(work, words.fileno(), result.fileno())
        status = _status_of(child)
        words.seek(0)
        said = words.read()
        result.seek(0)
        made = result.read()
        if status or not made:
            raise DiagnosticError(_ended(what, said.decode(errors="replace"), location))
        kind, value = pickle.loads(made)
    if said:
        os.write(2, said)
    if kind == "diagnostic":
        raise DiagnosticError(Diagnostic("error", value, location))
    if kind == "runtime":
        raise RuntimeError(value)
    return value


def _status_of(child: int) -> int:
    """How the child ended; who is interrupted meanwhile ends it."""
    try:
        return os.waitpid(child, 0)[1]
    except ChildProcessError:  # it has ended, and SIGCHLD is ignored: its result will tell
        return 0
    except BaseException:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise


def _scratch() -> IO[bytes]:
    """A file without a name."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("xgpu"), "w+b")
    import tempfile

    return tempfile.TemporaryFile()


def _work(work: Callable[[], bytes], words: int, result: int) -> NoReturn:
    """What the child does."""
    import pickle
    import resource

    code = 1
    try:
        os.dup2(words, 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        try:
            answer = ("result", work())
        except DiagnosticError as problem:
            answer = ("diagnostic", problem.diagnostics[0].message)
        except RuntimeError as problem:
            answer = ("runtime", str(problem))
        with os.fdopen(result, "wb", closefd=False) as file:
            pickle.dump(answer, file)
        code = 0
    finally:
        os._exit(code)
