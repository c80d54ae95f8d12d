# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a transform operation fails.

A *definite* failure is an error: `DiagnosticError`, the interpreter stops. A *silenceable* one says
that the payload is not what the operation works on: whoever runs the operation may go on without
it. What nobody silences becomes an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import Diagnostic, DiagnosticError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import LocationAttr
    from xdsl.ir import Attribute, Operation

Notes = Sequence[tuple["Attribute | None", str]]


class SilenceableError(Exception):
    """A failure that left the payload as it was, or at least valid."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("\n".join(d.message for d in diagnostics))
        self.diagnostics = list(diagnostics)

    def note(self, op: Operation, message: str) -> SilenceableError:
        """Adds a note at `op` to the last diagnostic."""
        self.diagnostics[-1].notes.append(Diagnostic("note", message, op.location))
        return self

    def as_error(self) -> DiagnosticError:
        """The definite failure that this one is when nobody silences it."""
        return DiagnosticError(*self.diagnostics)


def silenceable(op: Operation, message: str, notes: Notes = ()) -> SilenceableError:
    """A silenceable failure reported at `op`. Use as `raise silenceable(op, "...")`."""
    return SilenceableError(
        Diagnostic("error", message, op.location, [Diagnostic("note", t, at) for at, t in notes])
    )


def definite(op: Operation, message: str, notes: Notes = ()) -> DiagnosticError:
    """A definite failure reported at `op`."""
    return DiagnosticError(
        Diagnostic("error", message, op.location, [Diagnostic("note", t, at) for at, t in notes])
    )


def silenceable_at(location: LocationAttr, message: str) -> SilenceableError:
    """A silenceable failure reported at a payload operation's location."""
    return SilenceableError(Diagnostic("error", message, location))
