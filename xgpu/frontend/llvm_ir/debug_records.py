# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Debug records: where a variable is kept, what value it has, where a label stands.

A record may stand where its value does not dominate it, so its operation goes right behind the
value. What MLIR has no operation for is left out, with a warning for those who want to know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import BlockArgument, Operation, SSAValue

from xgpu.core.rewriting.builder import Builder
from xgpu.frontend.llvm_ir.body import Body
from xgpu.frontend.llvm_ir.debug_expressions import expression
from xgpu.frontend.llvm_ir.model import (
    Constant,
    DebugRecord,
    Instruction,
    MetadataConstant,
    MetadataValue,
    Value,
)

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Block


_OPERATIONS = {"value": "llvm.intr.dbg.value", "declare": "llvm.intr.dbg.declare"}


def of_call(i: Instruction, kind: str) -> DebugRecord:
    """The record that a call of `llvm.dbg.value` or its kin is."""
    operands = [v.metadata if isinstance(v, MetadataValue) else v for v in i.operands]
    return DebugRecord(kind, [*operands, i.metadata.get("dbg")], i.token)


def add_label(b: Body, record: DebugRecord) -> None:
    """`llvm.intr.dbg.label` where the record stands."""
    debug = b.context.debug
    label = debug.translate(record.operands[0])
    if label is None:
        return
    around = b.builder.location
    b.builder.location = debug.location(record.operands[-1])
    b.builder.create("llvm.intr.dbg.label", (), (), {"label": label})
    b.builder.location = around


def add_records(b: Body, function: Operation) -> None:
    """The operations of all records of a function whose values are all there."""
    for record in b.debug:
        _add(b, function, record)


def _add(b: Body, function: Operation, record: DebugRecord) -> None:
    name = _OPERATIONS.get(record.kind)
    place = record.operands[0]
    variable = b.context.debug.translate(record.operands[1])
    if name is None or not isinstance(place, MetadataConstant) or variable is None:
        b.messages.detail("unhandled debug variable record", record)
        return
    value = _value(b, place.value)
    if value is None:
        raise b.messages.error(
            f"failed to convert a debug operand: {b.messages.line(record).strip()}", record
        )
    builder = _behind(value, function)
    if builder is None:
        b.messages.detail("unhandled debug variable record", record)
        return
    builder.location = b.context.debug.location(record.operands[-1])
    properties: dict[str, Attribute] = {"varInfo": variable}
    located = expression(record.operands[2])
    if located is not None:
        properties["locationExpr"] = located
    builder.create(name, (value,), (), properties)


def _value(b: Body, value: Value) -> SSAValue | None:
    found = b.values.get(value)
    if found is not None or not isinstance(value, Constant):
        return found
    return b.constant(value)


def _behind(value: SSAValue, function: Operation) -> Builder | None:
    """A builder right behind a value: behind its block's landing pad if it is an argument, in a
    block that it dominates if a terminator defines it. None if there is no such place."""
    if isinstance(value, BlockArgument):
        builder = Builder(block=value.owner)
        first = value.owner.first_op
        if first is not None and first.name == "llvm.landingpad":
            first = first.next_op
        builder.anchor = first
        return builder
    op = cast("Operation", value.owner)
    if op.next_op is not None:
        builder = Builder(block=cast("Block", op.parent))
        builder.anchor = op.next_op
        return builder
    if not op.successors:
        return None
    from xgpu.core.ir.dominance import Dominators

    dominated = Dominators(function.regions[0]).children().get(cast("Block", op.parent), [])
    if not dominated:
        return None
    builder = Builder(block=dominated[0])
    # Not at its start, where a landing pad may be.
    builder.anchor = dominated[0].last_op
    return builder
