# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types of what the tables in a dialect's modules hold, for annotations; of patterns see
`xgpu.core.rewriting.greedy`.

A function in a table takes operations of its own class and no others. `Never` says so: of a table
one cannot know which operation a function may be called with; what asks by the operation's name
does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Never

from xdsl.ir import Attribute, Operation, SSAValue

if TYPE_CHECKING:
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer

#: Values or constants of the results, True if the operation was changed in place, or None.
Folded = Sequence[SSAValue | Attribute] | bool | None
#: A fold of an operation, from the operation and the constants that its operands are.
Folder = Callable[[Never, list[Attribute | None]], Folded]
#: A check of an operation or of its regions; raises DiagnosticError.
Verifier = Callable[[Never], None]
#: What reads an operation behind its name, and what prints that.
ParseHook = Callable[["Parser"], Operation]
PrintHook = Callable[[Never, "Printer"], None]
