# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Terminators other than invoke."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    DenseArrayBase,
    UnitAttr,
    VectorType,
    i32,
)

from xgpu.core.ods.operation import segment_sizes
from xgpu.frontend.llvm_ir.body import Body
from xgpu.frontend.llvm_ir.constant_import import elements
from xgpu.frontend.llvm_ir.model import Instruction

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType
    from xdsl.ir import Attribute, SSAValue


def branch(b: Body, i: Instruction) -> None:
    """`br` with a condition or without"""
    targets = i.extra["successors"]
    handed = [b.edge(i, target) for target in targets]
    successors = [b.blocks[target] for target in targets]
    if len(targets) == 1:
        b.create("llvm.br", handed[0], successors=successors)
        return
    condition = b.value(i.operands[0])
    sizes = segment_sizes((1, len(handed[0]), len(handed[1])))
    b.create(
        "llvm.cond_br",
        (condition, *handed[0], *handed[1]),
        (),
        {"operandSegmentSizes": sizes},
        successors=successors,
    )


def switch(b: Body, i: Instruction) -> None:
    condition = b.value(i.operands[0])
    default, *targets = i.extra["successors"]
    first = b.edge(i, default)
    handed = [b.edge(i, target) for target in targets]
    flat = [value for values in handed for value in values]
    properties: dict[str, Attribute] = {
        "operandSegmentSizes": segment_sizes((1, len(first), len(flat))),
        "case_operand_segments": _lengths(handed),
    }
    if cases := i.extra["cases"]:
        t = cases[0].type
        kind = VectorType(t, (len(cases),))
        properties["case_values"] = elements(kind, [case.data for case in cases])
    b.create(
        "llvm.switch",
        (condition, *first, *flat),
        (),
        properties,
        successors=[b.blocks[default], *(b.blocks[target] for target in targets)],
    )


def _lengths(groups: Sequence[Sequence[SSAValue]]) -> DenseArrayBase[IntegerType]:
    return DenseArrayBase.from_list(i32, [len(group) for group in groups])


def indirect_branch(b: Body, i: Instruction) -> None:
    address = b.value(i.operands[0])
    targets = i.extra["successors"]
    handed = [b.edge(i, target) for target in targets]
    b.create(
        "llvm.indirectbr",
        (address, *(value for values in handed for value in values)),
        (),
        {"indbr_operand_segments": _lengths(handed)},
        successors=[b.blocks[target] for target in targets],
    )


def ret(b: Body, i: Instruction) -> None:
    b.create("llvm.return", b.operands(i.operands))


def unreachable(b: Body, i: Instruction) -> None:
    b.create("llvm.unreachable")


def resume(b: Body, i: Instruction) -> None:
    b.create("llvm.resume", b.operands(i.operands))


def landing_pad(b: Body, i: Instruction) -> None:
    """It begins the block that an invoke unwinds to."""
    properties = {"cleanup": UnitAttr()} if i.flags else {}
    op = b.create("llvm.landingpad", b.operands(i.operands), (i.type,), properties)
    b.values[i] = op.results[0]


BRANCHES = {
    "br": branch,
    "switch": switch,
    "indirectbr": indirect_branch,
    "ret": ret,
    "unreachable": unreachable,
    "resume": resume,
    "landingpad": landing_pad,
}
