# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The body of a function, or of a global's initializer.

Blocks are visited so that a value's definition comes before its uses: the blocks that can be
reached from the entry, in reverse post-order. Phis are block arguments, and what comes in along an
edge stands at the branch. Unreachable blocks are left out. Debug records come last, each right
behind the value that it is about, where it is dominated.
"""

from __future__ import annotations

from operator import attrgetter

from xdsl.ir import Block as IRBlock
from xdsl.ir import Operation

from xgpu.core import ods
from xgpu.core.ir.dominance import post_order
from xgpu.core.rewriting.builder import Builder
from xgpu.frontend.llvm_ir import constant_import
from xgpu.frontend.llvm_ir.body import Body
from xgpu.frontend.llvm_ir.context import Context
from xgpu.frontend.llvm_ir.debug_records import add_label, add_records
from xgpu.frontend.llvm_ir.instruction_import import instruction
from xgpu.frontend.llvm_ir.model import Block, Constant, Function, GlobalObject, Instruction


def _body(context: Context, op: Operation) -> Body:
    return Body(context, op.regions[0], constant_import.convert, instruction)


def initializer(context: Context, found: GlobalObject, constant: Constant, op: Operation) -> None:
    """The region of the global `op`: the constant, and its return."""
    body = _body(context, op)
    body.current = found
    block = IRBlock()
    body.region.add_block(block)
    body.constant_block = block
    value = body.constant(constant)
    Builder(block=block, location=op.location).create("llvm.return", (value,))


def function_body(context: Context, function: Function, op: Operation) -> None:
    """All blocks of a function that has a body."""
    body = _body(context, op)
    order = post_order(function.blocks[0], attrgetter("successors"), set())[::-1]
    reached = set(order)
    for block in function.blocks:
        if block not in reached:
            if block.address_taken:
                name = block.key[1:]
                raise context.messages.error(
                    f"unreachable block '{name}' with address taken", function
                )
            continue
        body.blocks[block] = made = IRBlock()
        body.region.add_block(made)
    entry = body.blocks[function.blocks[0]]
    for argument in function.arguments:
        added = entry.insert_arg(argument.type, len(entry.args))
        added.location = op.location
        body.values[argument] = added
    body.constant_block = entry
    for block in order:
        _block(body, block)
    if body.debug:
        add_records(body, op)


def _block(body: Body, block: Block) -> None:
    made = body.blocks[block]
    body.builder = Builder(block=made)
    debug = body.context.debug
    for i in block.instructions:
        body.current = i
        location = debug.location(i.metadata.get("dbg"))
        body.builder.location = location
        body.operation = None
        if i.opcode == "phi":
            argument = made.insert_arg(i.type, len(made.args))
            argument.location = location
            body.values[i] = argument
            continue
        if i.debug:
            _records(body, i)
        body.instruction(i)
        if body.operation is not None:
            body.context.attachments.add(i, body.operation)
    if block.address_taken:
        _tag(body, block, made)


def _records(body: Body, instruction: Instruction) -> None:
    """Keeps records about variables for later; labels come where they stand."""
    for record in instruction.debug:
        if record.kind != "label":
            body.debug.append(record)
            continue
        add_label(body, record)


def _tag(body: Body, block: Block, made: IRBlock) -> None:
    """`llvm.blocktag`, which says what `llvm.blockaddress` means."""
    tag = ods.attr_class("llvm.blocktag")
    builder = Builder(block=made)
    builder.anchor = made.first_op
    assert body.region.parent is not None
    builder.location = body.region.parent.location
    builder.create("llvm.blocktag", (), (), {"tag": tag(block.number)})
