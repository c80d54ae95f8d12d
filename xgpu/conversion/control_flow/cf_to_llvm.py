# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-cf-to-llvm`: branches, switches and assertions.

A branch converts the arguments of the blocks that it goes to. Source: MLIR 22.1
ControlFlowToLLVM, PrintCallHelper.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, ModuleOp, StringAttr
from xdsl.ir import Block, Operation, SSAValue

from xgpu.conversion.llvm_types import LLVMTypeConverter
from xgpu.conversion.to_llvm import INDEX_BITWIDTH, string_pointer
from xgpu.core import ods
from xgpu.core.ir.blocks import split_before
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.driver import Conversion, NoMatch, Rule, convert
from xgpu.dialects.llvm import builders as llvm

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.dialects.llvm import CondBrOp


def _flat(operands: Sequence[SSAValue]) -> list[SSAValue]:
    """The operands, of those that have become several values all."""
    return [p for v in operands for p in (v if isinstance(v, tuple) else (v,))]


def _condition(operands: Sequence[SSAValue]) -> SSAValue:
    if isinstance(operands[0], tuple):
        raise NoMatch("the condition has become several values")
    return operands[0]


def _convert_targets(op: Operation, rw: Conversion) -> None:
    for block in op.successors:
        if block.args:
            rw.convert_block_signature(block)


def _keep_annotation(op: Operation, new: Operation) -> None:
    annotation = op.attributes.get("llvm.loop_annotation")
    if annotation is not None:
        new.properties["loop_annotation"] = annotation


def lower_br(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    _convert_targets(op, rw)
    new = llvm.branch(rw, op.successors[0], _flat(operands))
    new.attributes.update(op.attributes)
    _keep_annotation(op, new)
    return ()


def lower_cond_br(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    condition = _condition(operands)
    sizes = cast("DenseArrayBase[IntegerType]", op.properties["operandSegmentSizes"])
    _, count, _ = sizes.get_values()
    _convert_targets(op, rw)
    weights = op.properties.get("branch_weights")
    then, otherwise = op.successors
    values = operands[1:]
    new = cast(
        "CondBrOp",
        llvm.cond_branch(
            rw, condition, then, otherwise, _flat(values[:count]), _flat(values[count:]), weights
        ),
    )
    new.attributes.update(op.attributes)
    _keep_annotation(op, new)
    return ()


def lower_switch(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    if any(isinstance(v, tuple) for v in operands):
        raise NoMatch("1:N conversion of the operands of a switch is not supported")
    _convert_targets(op, rw)
    kept = ("case_values", "case_operand_segments", "operandSegmentSizes")
    rw.insert(
        ods.op_class("llvm.switch").create(
            operands=operands,
            properties={k: op.properties[k] for k in kept if k in op.properties},
            attributes=op.attributes,
            successors=tuple(op.successors),
            location=op.location,
        )
    )
    return ()


def lower_assert(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    """
    `cf.assert %c, "msg"` prints the message and aborts:

        llvm.cond_br %c, ^continue, ^failed
      ^failed:
        llvm.call @puts(...); llvm.call @abort(); llvm.unreachable
    """
    message = cast("StringAttr", op.properties["msg"])
    head, tail = split_before(op)
    region = tail.parent
    assert region is not None
    failed = Block()
    region.add_block(failed)
    rw.at_end(head)
    llvm.cond_branch(rw, operands[0], tail, failed)
    rw.at_end(failed)
    table = cast("ModuleOp", llvm.symbol_table(op))
    pointer = string_pointer(rw, table, "assert_msg", message.data)
    llvm.call(
        rw,
        llvm.reference(llvm.declare(rw, table, "puts", [llvm.POINTER], llvm.VOID)),
        [pointer],
        None,
    )
    llvm.call(rw, llvm.reference(llvm.declare(rw, table, "abort", [], llvm.VOID)), [], None)
    rw.create("llvm.unreachable")
    return ()


BRANCH_RULES: dict[str, Rule] = {
    "cf.br": lower_br,
    "cf.cond_br": lower_cond_br,
    "cf.switch": lower_switch,
}
RULES: dict[str, Rule] = {**BRANCH_RULES, "cf.assert": lower_assert}


class ConvertControlFlowToLLVMPass(Pass):
    name = "convert-cf-to-llvm"
    summary = "Convert ControlFlow operations to the LLVM dialect"
    options = (INDEX_BITWIDTH,)
    index_bitwidth: int

    def run(self, op: Operation, ctx: Context) -> None:
        # What is not of cf is legal, as in MLIR: nothing else is folded.
        convert(op, RULES, LLVMTypeConverter(self.index_bitwidth or 64), legal=_is_not_of_cf)


def _is_not_of_cf(op: Operation) -> bool:
    return not op.name.startswith("cf.")
