# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches, returns, landing pads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from xgpu.backend.llvm_ir.facts import (
    flag,
    groups,
    integers,
    prop,
)
from xgpu.backend.llvm_ir.instruction_metadata import branch_metadata

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.function import FunctionWriter


def br(w: FunctionWriter, op: Operation) -> None:
    w.line(f"br {w.label(op.successors[0])}{branch_metadata(w, op)}")


def cond_br(w: FunctionWriter, op: Operation) -> None:
    yes, no = op.successors
    text = f"br {w.typed(op.operands[0])}, {w.label(yes)}, {w.label(no)}"
    w.line(text + branch_metadata(w, op))


def switch(w: FunctionWriter, op: Operation) -> None:
    value = groups(op, 3)[0][0]
    default, *cases = op.successors
    t = w.types(value.type)
    numbers = integers(prop(op, "case_values"))
    targets = " ".join(f"{t} {n}, {w.label(b)}" for n, b in zip(numbers, cases, strict=False))
    text = f"switch {w.typed(value)}, {w.label(default)} [ {targets} ]"
    w.line(text + branch_metadata(w, op))


def indirectbr(w: FunctionWriter, op: Operation) -> None:
    targets = ", ".join(map(w.label, op.successors))
    w.module.uses.features.add("indirectbr")
    w.line(f"indirectbr {w.typed(op.operands[0])}, [{targets}]")


def ret(w: FunctionWriter, op: Operation) -> None:
    w.line(f"ret {w.typed(op.operands[0])}" if op.operands else "ret void")


def unreachable(w: FunctionWriter, op: Operation) -> None:
    w.line("unreachable")


def resume(w: FunctionWriter, op: Operation) -> None:
    w.line(f"resume {w.typed(op.operands[0])}")


def landingpad(w: FunctionWriter, op: Operation) -> None:
    text = f"landingpad {w.types(op.results[0].type)}"
    if flag(op, "cleanup"):
        text += " cleanup"
    for operand in op.operands:
        kind = "filter" if w.types(operand.type).startswith("[") else "catch"
        text += f" {kind} {w.typed(operand)}"
    w.define(op.results[0], text)


EMIT: dict[str, Callable[[FunctionWriter, Operation], None]] = {
    "llvm.br": br,
    "llvm.cond_br": cond_br,
    "llvm.switch": switch,
    "llvm.indirectbr": indirectbr,
    "llvm.return": ret,
    "llvm.unreachable": unreachable,
    "llvm.resume": resume,
    "llvm.landingpad": landingpad,
}
