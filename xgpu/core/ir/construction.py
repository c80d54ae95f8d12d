# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Making and changing operations fast: what xDSL's classes do, without their generality.

`Operation.create` spends most of its time in properties with setters, generators and copies. An
operation that is new can have its operands' uses, results and regions put in place directly; and
where all uses of a value change, each operand list is written once and each use relinked once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import UNKNOWN_LOC
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    OpResult,
    Region,
    SSAValue,
    SSAValues,
    TypeAttribute,
    Use,
)

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.utils.lexer import Token
    from xdsl.utils.mlir_lexer import MLIRTokenKind


# -- Fields of xDSL's objects.
#
# xDSL offers most of them as properties that build a view (`op.operands`) or check first. Code that
# walks a whole program, such as the verifier, the printer and the drivers, reads the field here
# with one call of C. No other module names a private field of xDSL
# (`tests/unit/test_private_fields.py`).


operands_of: Callable[[Operation], tuple[SSAValue, ...]] = attrgetter("_operands")
successors_of: Callable[[Operation], tuple[Block, ...]] = attrgetter("_successors")
next_operation: Callable[[Operation], Operation | None] = attrgetter("_next_op")

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


class Values(SSAValues[Any]):
    """An operation's operands or results: xDSL's, an item of which is found faster."""

    __slots__ = ()

    def __getitem__(self, at: slice | int) -> Any:
        if at.__class__ is slice:
            return Values(item_of(self, at))
        return item_of(self, at)


#: An item of an operation's operands or results, or a plain tuple of some of them: for what is
#: done for each operation.
item_of: Any = vars(tuple)["__getitem__"]
_NO_VALUES: Any = Values()


def _plain_hook() -> object:
    """`Operation.__post_init__` as xDSL defines it. `ImplicitBuilder` puts another one there while
    it is active, and may be when this module is imported: then nothing is known to be plain."""
    hook = Operation.__post_init__
    return hook if hook.__qualname__ == "Operation.__post_init__" else None


_PLAIN_HOOK = _plain_hook()


def build_operation(
    cls: type[Operation],
    operands: Sequence[SSAValue],
    result_types: Sequence[Attribute],
    properties: dict[str, Attribute],
    attributes: dict[str, Attribute],
    location: Any,
    successors: Sequence[Block] = (),
    regions: Sequence[Region] = (),
    op: Operation | None = None,
) -> Operation:
    """An operation of class `cls`, detached: a new one, or `op`, of which nothing is set yet. The
    dictionaries become the operation's own."""
    if op is None:
        op = cls.__new__(cls)
    if operands:
        add_operands(op, operands)
    else:
        op._operands = _NO_VALUES
        op._operand_uses = ()
    if result_types:
        if len(result_types) == 1:
            op.results = Values((OpResult(result_types[0], op, 0),))
        else:
            op.results = Values([OpResult(ty, op, at) for at, ty in enumerate(result_types)])
    else:
        op.results = _NO_VALUES
    op.properties = properties
    op.attributes = attributes
    op.location = UNKNOWN_LOC if location is None else location
    op._successors = ()
    op._successor_uses = ()
    if successors:
        op.successors = successors
    op.regions = ()
    for region in regions:
        op.add_region(region)
    if Operation.__post_init__ is not _PLAIN_HOOK:  # an ImplicitBuilder waits for operations
        Operation.__post_init__(op)
    return op


def clone_operation(root: Operation, values: dict[SSAValue, SSAValue] | None = None) -> Operation:
    """As `root.clone(values)`: a detached copy of `root` and what is in it, with locations and name
    hints. `values` gives operands their replacements, and gets the results and block arguments that
    are copied. Properties are copied as they are: absent ones stay absent."""
    if values is None:
        values = {}
    made: list[tuple[Operation, Operation]] = []
    copy = _clone_without_operands(root, values, {}, made)
    get = values.get
    for old, new in made:  # in the order of the program, which is that of uses
        if old._operands:
            add_operands(new, [get(operand, operand) for operand in old._operands])
    return copy


def _clone_without_operands(
    old: Operation, values: dict[SSAValue, SSAValue], blocks: dict[Block, Block],
    made: list[tuple[Operation, Operation]],
) -> Operation:  # fmt: skip
    successors = old._successors
    new = build_operation(
        old.__class__, (), [result._type for result in old.results], old.properties.copy(),
        old.attributes.copy(), old.location,
        [blocks.get(block, block) for block in successors] if successors else (),
    )  # fmt: skip
    made.append((old, new))
    for result, copied in zip(old.results, new.results, strict=True):
        values[result] = copied
        copied._name = result._name
    for region in old.regions:
        new.add_region(_cloned_region(region, values, blocks, made))
    return new


def _cloned_region(
    region: Region, values: dict[SSAValue, SSAValue], blocks: dict[Block, Block],
    made: list[tuple[Operation, Operation]],
) -> Region:  # fmt: skip
    copies: list[tuple[Block, Block]] = []
    block = region._first_block
    while block is not None:  # all blocks first: operations name those behind them
        copy = Block()
        blocks[block] = copy
        copies.append((block, copy))
        block = block._next_block
    for block, copy in copies:
        arguments: list[BlockArgument] = []
        for at, argument in enumerate(block._args):
            copied = BlockArgument(argument._type, copy, at, argument.location)
            values[argument] = copied
            copied._name = argument._name
            arguments.append(copied)
        copy._args = tuple(arguments)
        last: Operation | None = None
        op = block._first_op
        while op is not None:
            new = _clone_without_operands(op, values, blocks, made)
            append_operation(copy, last, new)
            last = new
            op = op._next_op
    return Region([copy for _, copy in copies])


def replace_all_uses(old: SSAValue, new: SSAValue) -> None:
    """As `old.replace_all_uses_with(new)`, the order of the uses and the name hint included."""
    if old is new:
        return
    use = old.first_use
    first = new.first_use
    while use is not None:
        op = use._operation
        operands = list(op._operands)
        operands[use._index] = new
        op._operands = Values(operands)
        following = use._next_use
        use._prev_use = None
        use._next_use = first
        if first is not None:
            first._prev_use = use
        first = use
        use = following
    new.first_use = first
    old.first_use = None
    if new._name is None:
        # A name that `old` has was valid when it got it.
        new._name = old._name


def set_type(value: SSAValue, ty: Attribute) -> None:
    """Gives a value another type; its users must be content with it."""
    value._type = ty


def insert_before(block: Any, op: Operation, anchor: Operation | None) -> None:
    """As `block.insert_op_before(op, anchor)`, or for None as `block.add_op(op)`; for an operation
    without regions, which cannot contain the block."""
    if op.regions or op.parent is not None or (anchor is not None and anchor.parent is not block):
        # xDSL's checks, and its errors.
        if anchor is None:
            block.add_op(op)
        else:
            block.insert_op_before(op, anchor)
        return
    before = block._last_op if anchor is None else anchor._prev_op
    op.parent = block
    op._prev_op = before
    op._next_op = anchor
    if before is None:
        block._first_op = op
    else:
        before._next_op = op
    if anchor is None:
        block._last_op = op
    else:
        anchor._prev_op = op


def erase_operation(op: Operation) -> None:
    """As `op.detach(); op.erase()`: takes an operation out whose results nothing uses."""
    op.detach()
    if op.regions or op._successors:
        op.erase()
        return
    for result in op.results:
        if result.first_use is not None:
            op.erase()  # raises xDSL's error
    drop_operands(op)


def drop_operands(op: Operation) -> None:
    """Takes an operation off the lists of its operands' uses. The operands stay readable."""
    for operand, use in zip(op._operands, op._operand_uses, strict=False):
        # SSAValue.remove_use
        before, after = use._prev_use, use._next_use
        if before is not None:
            before._next_use = after
        else:
            operand.first_use = after
        if after is not None:
            after._prev_use = before
    op._operand_uses = ()


def set_operands(op: Operation, operands: Sequence[SSAValue]) -> None:
    """As `op.operands = operands`."""
    drop_operands(op)
    add_operands(op, operands)


def add_operands(op: Operation, operands: Sequence[SSAValue]) -> None:
    """Gives an operation its operands, and these their uses."""
    uses: list[Use] = []
    for index, operand in enumerate(operands):
        use = Use(op, index)
        # SSAValue.add_use
        first = operand.first_use
        use._next_use = first
        if first is not None:
            first._prev_use = use
        operand.first_use = use
        uses.append(use)
    op._operands = Values(operands)
    op._operand_uses = tuple(uses)


def set_uses(value: SSAValue, uses: Sequence[Use]) -> None:
    """Gives the uses of a value, which are all of `uses`, another order."""
    before: Use | None = None
    value.first_use = None
    for use in uses:
        use._prev_use = before
        use._next_use = None
        if before is None:
            value.first_use = use
        else:
            before._next_use = use
        before = use


def defining(value: SSAValue, *names: str) -> Any:
    """The operation that defines `value` if it is one of `names`, else None. Its class follows from
    its name, which a type checker does not know."""
    if value.__class__ is not OpResult:
        return None
    owner: Operation = value.owner  # pyright: ignore[reportAssignmentType]
    return owner if owner.name in names else None


def operations_of(block: Block) -> list[Operation]:
    """The operations of a block, as they are now."""
    found: list[Operation] = []
    op = block._first_op
    while op is not None:
        found.append(op)
        op = op._next_op
    return found


def nested_operations(root: Operation) -> list[Operation]:
    """All operations in `root`, outer before inner, without itself, as they are now."""
    found: list[Operation] = []
    _add_nested(root, found)
    return found


def _add_nested(root: Operation, found: list[Operation]) -> None:
    for region in root.regions:
        block = region._first_block
        while block is not None:
            op = block._first_op
            while op is not None:
                found.append(op)
                if op.regions:
                    _add_nested(op, found)
                op = op._next_op
            block = block._next_block
