# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a tool's process ends: whatever happens, one line on standard error and an exit code.

A tool's `run` raises what went wrong; `guarded` makes of it what the tools' users see. Standard
output or error may be closed, full or gone: that is reported once, if anything can be written.

Python's garbage collector is off while a tool imports its modules, which makes no garbage: of the
200 ms of a short text, the collector would take 10.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from xgpu.core.ir.errors import Diagnostic, DiagnosticError, UsageError, raised_by_others
from xgpu.core.support.process import RARE_COLLECTIONS

if TYPE_CHECKING:
    from xgpu.core.ir.source import Source


def relax_collector() -> None:
    """Switches the collector back on, for a process that holds one large, long-lived structure."""
    gc.freeze()
    gc.set_threshold(*RARE_COLLECTIONS)
    gc.enable()


def leave(code: int) -> NoReturn:
    """Ends the process with `code`, without taking the IR apart object by object: functions that
    are registered for the end are called, and standard output and error are written."""
    if sys.gettrace() is not None or sys.getprofile() is not None:
        sys.exit(code)  # a debugger or profiler may have something to do at the end
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # None is a closed one
            stream.flush()
    os._exit(code)


def complain(text: str) -> None:
    """Writes a line to standard error, if that can be written to."""
    say(f"{text}\n")


def say(text: str) -> None:
    """Writes to standard error, behind what is on its way to standard output, if it can be."""
    gone = (OSError, ValueError, AttributeError)  # None is a closed one
    with suppress(*gone):
        sys.stdout.flush()
    with suppress(*gone):
        sys.stderr.write(text)
        sys.stderr.flush()


def report(
    diagnostics: Sequence[Diagnostic],
    sources: Mapping[str, str | Source],
    *,
    operation: bool = True,
) -> None:
    """Writes diagnostics to standard error, in colors to a terminal; with `operation` each shows
    the operation that reported it."""
    if not diagnostics:
        return
    from xgpu.core.syntax.diagnostics import render

    color = has_colors(sys.stderr)
    for diagnostic in diagnostics:
        complain(render(diagnostic, sources, operation=operation, color=color))


def show_cause(problem: BaseException, *, debug: bool) -> None:
    """With `debug`, the traceback of what the code of others has raised, if that is what a
    diagnostic is about."""
    if not debug or problem.__cause__ is None:
        return
    import traceback

    say("".join(traceback.format_exception(problem.__cause__)))


def has_colors(stream: TextIO) -> bool:
    """Whether a stream is a terminal that shows colors, unless NO_COLOR is set."""
    if os.environ.get("TERM", "dumb") == "dumb" or os.environ.get("NO_COLOR"):
        return False
    return is_terminal(stream)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal."""
    try:
        return stream is not None and stream.isatty()
    except (AttributeError, ValueError):  # there is no stream, or it is closed
        return False


#: Python's frames, of which a level of nested regions takes some eight; 8 MiB of stack hold more.
_MOST_FRAMES = 10_000


def guarded(tool: str, work: Callable[[], int], *, debug: bool = False) -> int:
    """The exit code of `work`: never a traceback, unless `debug` asks for one."""
    frames = sys.getrecursionlimit()
    sys.setrecursionlimit(max(frames, _MOST_FRAMES))
    try:
        return _guarded(tool, work, debug=debug)
    finally:
        sys.setrecursionlimit(frames)


def _guarded(tool: str, work: Callable[[], int], *, debug: bool) -> int:
    try:
        return work()
    except UsageError as e:
        show_cause(e, debug=debug)
        complain(f"{tool}: {e}")
    except DiagnosticError as e:
        show_cause(e, debug=debug)
        report(e.diagnostics, {})
    except BrokenPipeError:
        # The reader of the output is gone: nothing to say, and Python's own flush must not try.
        discard_output(sys.stdout, sys.stderr)
    except KeyboardInterrupt:
        complain(f"{tool}: error: interrupted")
    except RecursionError:
        complain(f"{tool}: error: the input is nested too deeply")
    except MemoryError:
        complain(f"{tool}: error: out of memory")
    except Exception as e:
        if debug:
            raise
        place = raised_by_others(e)
        if place is not None:
            complain(
                f"{tool}: error: code of another project raised {type(e).__name__}: "
                f"{str(e)[:300]} ({place}; --debug shows the traceback)"
            )
            return 1
        complain(
            f"{tool}: internal error: {type(e).__name__}: {str(e)[:300]}; please report this "
            "(--debug shows where)"
        )
        return 2
    return 1


def discard_output(*streams: TextIO) -> None:
    """What is still to be written to `streams` goes nowhere."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in streams:
            with suppress(OSError, ValueError, AttributeError):
                os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def write_standard_output(data: bytes) -> None:
    """Writes all of `data`. Raises `UsageError` where standard output is closed or full."""
    stream: Any = sys.stdout
    if stream is None:  # which Python makes of a closed one
        raise UsageError("cannot write standard output: it is closed")
    try:
        stream.flush()
        stream.buffer.write(data)
        stream.buffer.flush()
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as problem:
        discard_output(stream)
        reason = getattr(problem, "strerror", None) or str(problem)
        raise UsageError(f"cannot write standard output: {reason}") from None
