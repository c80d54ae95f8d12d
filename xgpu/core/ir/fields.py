# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What xDSL's objects hold, as it is held.

xDSL offers most of this as properties that build a view (`op.operands`) or check first. Who walks a
whole program, as the verifier, the printer and the drivers do, asks here: a call of C each. No
other room names a private field of xDSL (`tests/unit/test_private_fields.py`).
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from xdsl.ir import (
        Attribute,
        Block,
        BlockArgument,
        Operation,
        Region,
        SSAValue,
        TypeAttribute,
        Use,
    )
    from xdsl.parser import AttrParser
    from xdsl.utils.lexer import Token
    from xdsl.utils.mlir_lexer import MLIRTokenKind

operands_of: Callable[[Operation], tuple[SSAValue, ...]] = attrgetter("_operands")
successors_of: Callable[[Operation], tuple[Block, ...]] = attrgetter("_successors")
next_operation: Callable[[Operation], Operation | None] = attrgetter("_next_op")
previous_operation: Callable[[Operation], Operation | None] = attrgetter("_prev_op")

arguments_of: Callable[[Block], tuple[BlockArgument, ...]] = attrgetter("_args")
first_operation: Callable[[Block], Operation | None] = attrgetter("_first_op")
last_operation: Callable[[Block], Operation | None] = attrgetter("_last_op")
next_block: Callable[[Block], Block | None] = attrgetter("_next_block")

first_block: Callable[[Region], Block | None] = attrgetter("_first_block")
last_block: Callable[[Region], Block | None] = attrgetter("_last_block")

value_type: Callable[[SSAValue], Attribute] = attrgetter("_type")
hint_of: Callable[[SSAValue], str | None] = attrgetter("_name")

using_operation: Callable[[Use], Operation] = attrgetter("_operation")
next_use: Callable[[Use], Use | None] = attrgetter("_next_use")

#: The token that a parser is at, which it has not consumed.
current_token: Callable[[AttrParser], Token[MLIRTokenKind]] = attrgetter("_current_token")


def set_hint(value: SSAValue, hint: str | None) -> None:
    """Gives a value a name that is known to be one, so that it need not be looked at."""
    value._name = hint  # pyright: ignore[reportPrivateUsage]


def set_arguments(block: Block, arguments: Sequence[BlockArgument]) -> None:
    """Makes `arguments` the arguments of `block`. Old ones keep their users."""
    block._args = tuple(arguments)  # pyright: ignore[reportPrivateUsage]
    for index, argument in enumerate(arguments):
        argument.index = index
        argument.block = block


def append_operation(block: Block, last: Operation | None, op: Operation) -> None:
    """`block.add_op(op)` without its checks, for an operation that is new; `last` is the last one
    of the block."""
    op.parent = block
    if last is None:
        block._first_op = op  # pyright: ignore[reportPrivateUsage]
    else:
        last._next_op = op  # pyright: ignore[reportPrivateUsage]
        op._prev_op = last  # pyright: ignore[reportPrivateUsage]
    block._last_op = op  # pyright: ignore[reportPrivateUsage]


def float_types() -> dict[str, TypeAttribute]:
    """The types of floating-point numbers that are one word, by their text."""
    from xdsl.parser import AttrParser

    return dict(AttrParser._builtin_float_types)  # pyright: ignore[reportPrivateUsage]
