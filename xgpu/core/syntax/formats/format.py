# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assembly formats: MLIR's format strings compiled to a parser and a printer of an operation.

## Directives of a dialect

`custom<Name>(args...)` in a format calls the pair that the dialect's `syntax.py` has under `Name`::

    DIRECTIVES = {"AsyncDependencies": (parse_async_dependencies, print_async_dependencies)}

    def parse_async_dependencies(parser, state, token_type, keyword, dependencies): ...
    def print_async_dependencies(printer, op, token_type, keyword, dependencies): ...

Reading: one parameter for each argument in the format, in order, after `parser` and `state`.
Each is a `Slot`, with `.get()` and `.set(value)`; a literal string (`"..."`) is a plain `str`.

| argument | value of the slot |
|---|---|
| `$operand` | `UnresolvedOperand`; of an optional field: or None; of a variadic one: a list |
| `$attr` | `Attribute`, or None to leave it out |
| `type($x)` | a type; of an optional field: or None; of a variadic field: a list of types |
| `$region` | `Region`; variadic: a list |
| `$successor` | `Block`; variadic: a list |
| `ref(any)` | the same, set by what comes earlier in the format: `.get()` only |

A slot that is never set is absent: None for one, an empty list for a variadic field. An operand
slot holds names (`parser.parse_unresolved_operand()`), not values: they are resolved after the
whole operation was read, when all types are known. `state` (`ReadState`) has `properties` and
`attributes` (dicts) of what was read so far, for directives that reach further than their
arguments. Where the directive opens an optional group, return False when it is absent and nothing
was consumed; any other return value means present.
Errors: `parser.raise_error("...")`.

Printing: after `printer` and `op` the values themselves: an SSAValue (None, or a tuple for optional
and variadic), an Attribute or None, a type (None, a tuple), a Region, a Block, or the literal
string. The printer has put the space before the directive; print none after it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import op_error
from xgpu.core.ods.registry import hooks
from xgpu.core.syntax.formats.directives import MissingDirectiveError
from xgpu.core.syntax.formats.format_parser import parse_format
from xgpu.core.syntax.formats.parser import compile_parser

if TYPE_CHECKING:
    from xdsl.ir import Operation
    from xdsl.parser import Parser
    from xdsl.printer import Printer

    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.syntax.formats.format_parser import Element


def parser_of(cls: type[OdsOperation]) -> Callable[[Parser], Operation]:
    """Reads an operation of class `cls` after its name: the dialect's PARSE, or the format."""
    spec = cls.spec
    hook = hooks(spec.name.partition(".")[0], "syntax", "PARSE").get(spec.name)
    if hook is not None:
        return hook
    if spec.format is None:
        return _no_syntax(spec.name)
    try:
        return compile_parser(cls, format_elements(cls))
    except MissingDirectiveError as error:
        return _no_syntax(spec.name, f" ({error})")


def printer_of(cls: type[OdsOperation]) -> Callable[[Printer, Operation], None]:
    """Prints an operation of class `cls` after its name: the dialect's PRINT, or the format."""
    spec = cls.spec
    hook = hooks(spec.name.partition(".")[0], "syntax", "PRINT").get(spec.name)
    if hook is not None:
        return lambda printer, op: hook(op, printer)
    from xgpu.core.syntax.formats.writer import compile_writer

    try:
        return compile_writer(cls, format_elements(cls))
    except MissingDirectiveError as error:
        return _cannot_print(str(error))


def format_elements(cls: type[OdsOperation]) -> list[Element]:
    """The format of a class as a tree."""
    text = cls.spec.format or ""
    elements = _PARSED.get(text)
    if elements is None:
        elements = _PARSED[text] = parse_format(text)
    return elements


#: Formats by their text: parser and printer of an operation have the same, and so have many others.
_PARSED: dict[str, list[Element]] = {}


def _no_syntax(name: str, why: str = "") -> Callable[[Parser], Operation]:
    def read(parser: Parser) -> Operation:
        raise parser.raise_error(
            f"the syntax of '{name}' is not supported{why}: use the generic form"
        )

    return read


def _cannot_print(why: str) -> Callable[[Printer, Operation], None]:
    def write(printer: Printer, op: Operation) -> None:
        raise op_error(op, f"cannot be printed in its own syntax ({why}): print the generic form")

    return write
