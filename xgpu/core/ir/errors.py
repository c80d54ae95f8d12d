# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors and their messages.

A mistake in the user's input is a `Diagnostic`: a severity, a message in MLIR's words, a location
and notes. It travels as a `DiagnosticError`, which every tool turns into `file:line:col: error:
...`
and exit code 1. Anything else that escapes is a defect of xgpu.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, NoReturn, ParamSpec, TypeVar

from xdsl.utils.exceptions import DiagnosticException, VerifyException

from xgpu.core.ir.diagnostic import Diagnostic, FlatDiagnostic, flatten, unflatten
from xgpu.core.ir.services import attribute_text, render_diagnostic

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation


def shown(attribute: Attribute) -> str:
    """An attribute or type as MLIR writes it."""
    return attribute_text()(attribute)


P = ParamSpec("P")
T = TypeVar("T")


class DiagnosticError(DiagnosticException):
    """An error of the user's, with its location. Carries one or more diagnostics.

    As a string it is what a tool would write: file, line, column, the line of the source. `message`
    is the words alone.
    """

    #: What it says, where that was written down before.
    _told: str | None = None

    def __init__(self, *given: Diagnostic | str | Attribute | None) -> None:
        """Of diagnostics; or of a text and, behind it, its location."""
        diagnostics = _diagnostics(given)
        super().__init__("\n".join(d.message for d in diagnostics))
        self.diagnostics = diagnostics

    @property
    def message(self) -> str:
        """What is wrong, without the locations."""
        return "\n".join(d.message for d in self.diagnostics)

    def __str__(self) -> str:
        if self._told is not None:
            return self._told
        render = render_diagnostic()
        return "\n".join(render(d, operation=False) for d in self.diagnostics)

    def __reduce__(self) -> tuple[object, ...]:
        """For executors, whose workers hand on what was raised: words and places, no operations."""
        return _restored, (type(self), str(self), [flatten(d) for d in self.diagnostics])


def _diagnostics(given: tuple[Diagnostic | str | Attribute | None, ...]) -> list[Diagnostic]:
    """What a DiagnosticError is made of. Raises TypeError for anything else."""
    diagnostics = [d for d in given if isinstance(d, Diagnostic)]
    if len(diagnostics) == len(given):
        return diagnostics
    text, location = given[0], given[1] if len(given) > 1 else None
    if isinstance(text, str) and len(given) <= 2 and not isinstance(location, (str, Diagnostic)):
        return [Diagnostic("error", text, location)]
    listed = ", ".join(type(g).__name__ for g in given)
    raise TypeError(
        f"DiagnosticError() takes diagnostics, or a text and its location, but was given {listed}; "
        "xgpu.core.ir.errors.error(op, text) makes one at an operation"
    )


def _restored(
    kind: type[DiagnosticError], told: str, flat: list[FlatDiagnostic]
) -> DiagnosticError:
    """An error of another process, which says what it said there: the sources are there."""
    made = kind.__new__(kind)
    DiagnosticError.__init__(made, *map(unflatten, flat))
    made._told = told
    return made


class VerificationError(DiagnosticError, VerifyException):
    """What `op.verify()` raises: for our tools a diagnostic, for xDSL's its VerifyException."""


def words_of(problem: BaseException) -> str:
    """What an exception says, without the locations that ours name."""
    return problem.message if isinstance(problem, DiagnosticError) else str(problem)


class UsageError(Exception):
    """A command line, or arguments of a call from Python, that cannot be understood: one line, and
    exit code 1 of a tool."""


class ProgramError(UsageError):
    """The host program cannot be run or went wrong: a message with the location, if it is known."""


class DeviceError(Exception):
    """A device operation failed: the operation, its location, and the driver's own words."""


class ArgumentTypeError(TypeError):
    """An argument of a kind that the call does not take; the message names it. The caller gets a
    plain TypeError: the class tells it from an internal error on the way (`public`)."""


class ArgumentValueError(ValueError):
    """The same of a value of the right kind, for the caller a ValueError."""


class ArgumentKeyError(KeyError):
    """A name that is not there, for the caller a KeyError; the message says which are."""


class ArgumentAttributeError(AttributeError):
    """A name behind a dot that is not there, for the caller an AttributeError."""


# -- what a caller in Python sees -----------------------------------------------------------------

#: What is the caller's to mend. Every other exception is a defect, and keeps its traceback.
USER_ERRORS = (
    DiagnosticError, UsageError, DeviceError, ArgumentTypeError, ArgumentValueError,
    ArgumentKeyError, ArgumentAttributeError,
)  # fmt: skip

#: Classes that are ours only on the way to the caller.
_PLAIN: dict[type[BaseException], type[BaseException]] = {
    ArgumentTypeError: TypeError, ArgumentValueError: ValueError, ArgumentKeyError: KeyError,
    ArgumentAttributeError: AttributeError,
}  # fmt: skip

#: Lines of a message that a traceback shows; the rest is in `diagnostics`.
_MOST_LINES = 5

# As Python names them in a traceback: where they are public.
for _kind in (DiagnosticError, UsageError, ProgramError, DeviceError):
    _kind.__module__ = "xgpu"


def shows_internals() -> bool:
    """Whether tracebacks are to show the frames inside of xgpu: XGPU_DEBUG is set."""
    return os.environ.get("XGPU_DEBUG", "") not in ("", "0")


def told(problem: BaseException, *, whole: bool = False) -> BaseException:
    """`problem` without the frames that it came through, for `raise told(problem) from None`.

    Python prints the last line of a message last, and of a diagnostic that is a caret: what is
    wrong is repeated there. A message of many lines is cut, unless it is wanted `whole`.
    """
    plain = _PLAIN.get(type(problem))
    if plain is not None:
        return plain(*problem.args)
    text = str(problem)
    lines = text.split("\n")
    if len(lines) > _MOST_LINES and isinstance(problem, DiagnosticError) and not whole:
        kept = [*lines[: _MOST_LINES - 1], "... (XGPU_DEBUG=1 shows all)"]
        problem._told = "\n".join(kept)
    if len(lines) > 1 and not getattr(problem, "__notes__", None):
        problem.add_note(_summary(problem, lines[0]))
    return problem.with_traceback(None)


def _summary(problem: BaseException, first: str) -> str:
    """One line that says what is wrong, and where."""
    if isinstance(problem, DiagnosticError) and len(problem.diagnostics) > 1:
        return f"{first} (and {len(problem.diagnostics) - 1} more)"
    return first


def public(function: Callable[P, T]) -> Callable[P, T]:
    """A function of the API: what is the caller's to mend is raised here, so that a traceback ends
    at the call; an internal error comes through as it is."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except USER_ERRORS as problem:
            if shows_internals():
                raise
            # What the code of others has raised is theirs to see.
            raise told(problem) from problem.__cause__

    return call


def public_part(function: Callable[P, T]) -> Callable[P, T]:
    """The same for functions that xgpu calls too: their messages stay whole."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except USER_ERRORS as problem:
            if shows_internals():
                raise
            raise told(problem, whole=True) from problem.__cause__

    return call


def raised_at(problem: BaseException) -> str:
    """Where an exception was raised, ` (file:line)`: the innermost place outside of xgpu and xDSL,
    or else the innermost; empty where there is none but an import."""
    import traceback

    frames = traceback.extract_tb(problem.__traceback__)
    inside = tuple(_folder_of(package) for package in ("xgpu", "xdsl"))
    frames = [f for f in frames if not f.filename.startswith("<frozen ")]
    found = next((f for f in reversed(frames) if not f.filename.startswith(inside)), None)
    found = found or (frames[-1] if frames else None)
    if found is None or found.filename == importlib.__file__:
        return ""
    return f" ({found.filename}:{found.lineno})"


#: What xgpu is built on: an exception in there is raised by its use.
_DEPENDENCIES = ("xdsl", "numpy", "llvmlite", "pygls", "lsprotocol", "cuda")


def raised_by_others(problem: BaseException) -> str | None:
    """Where code of another project raised an exception, as `file:line`: a dialect or a pass of a
    plugin that xgpu has called. None where xgpu raised it. A mistake in the arguments of one of
    xgpu's own functions belongs to the caller."""
    import traceback

    standard = os.path.dirname(os.__file__)
    below = tuple(_folder_of(package) for package in _DEPENDENCIES)
    ours = _folder_of("xgpu")
    frames = traceback.extract_tb(problem.__traceback__)
    # `raise told(problem) from None` keeps the problem as the context.
    is_of_caller = isinstance(problem, USER_ERRORS) or isinstance(problem.__context__, USER_ERRORS)
    for number, frame in reversed(list(enumerate(frames))):
        file = frame.filename
        is_standard = file.startswith((standard, "<")) and "site-packages" not in file
        if is_standard or file.startswith(below) or (is_of_caller and file.startswith(ours)):
            continue
        called = any(outer.filename.startswith(ours) for outer in frames[:number])
        return f"{file}:{frame.lineno}" if called and not file.startswith(ours) else None
    return None


def require_operation(op: object, name: str = "op") -> None:
    """Raises `ArgumentTypeError` where an argument is no operation."""
    from xdsl.ir import Operation

    if not isinstance(op, Operation):
        raise ArgumentTypeError(f"{name} is {type(op).__name__}, expected an operation")


def _folder_of(package: str) -> str:
    file = getattr(sys.modules.get(package), "__file__", None) or f"{package}/"
    return os.path.join(os.path.dirname(file), "")


def error(
    op: Operation,
    message: str,
    notes: Sequence[tuple[Attribute | None, str]] = (),
    hint: str | None = None,
) -> DiagnosticError:
    """An error at `op`, MLIR's `emitError`. Use as `raise error(op, "...")`."""
    made = [Diagnostic("note", text, at) for at, text in notes]
    return DiagnosticError(Diagnostic("error", message, _location(op), made, op).with_hint(hint))


def _location(op: Operation) -> Attribute | None:
    """Where an operation is; an implicit one (the body of a named operation) is where what
    it is in is."""
    from xdsl.dialects.builtin import UnknownLoc

    holder: Operation | None = op
    while holder is not None:
        if not isinstance(holder.location, UnknownLoc):
            return holder.location
        holder = holder.parent_op()
    return op.location


def op_error(
    op: Operation,
    message: str,
    notes: Sequence[tuple[Attribute | None, str]] = (),
    hint: str | None = None,
) -> DiagnosticError:
    """An error at `op` with MLIR's prefix `'dialect.name' op `, as `emitOpError` writes it. `hint`
    is a note that MLIR does not have."""
    return error(op, f"'{op.name}' op {message}", notes, hint)


def fail(op: Operation, message: str) -> NoReturn:
    """Raise `op_error`: for verifiers, where the call reads as a statement."""
    raise op_error(op, message)
