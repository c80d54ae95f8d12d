# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of structs, arrays and vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation

from xgpu.backend.llvm_ir.facts import integers, prop
from xgpu.backend.llvm_ir.literals import (
    aggregate,
    as_int,
    brackets,
    element_types,
    elements,
    expand,
    is_scalable,
)
from xgpu.backend.llvm_ir.literals import vector as vector_of

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.function import FunctionWriter


def _position(op: Operation) -> list[int]:
    return integers(prop(op, "position"))


def extractvalue(w: FunctionWriter, op: Operation) -> None:
    (container,) = op.operands
    value, t = w.values[container], container.type
    if value[0] != "%":
        for index in _position(op):
            parts = expand(value, t, w.types)
            if parts is None:
                break
            value, t = parts[index][1], element_types(t)[index]
        else:
            w.values[op.results[0]] = value
            return
    at = ", ".join(map(str, _position(op)))
    w.define(op.results[0], f"extractvalue {w.typed(container)}, {at}")


def insertvalue(w: FunctionWriter, op: Operation) -> None:
    container, value = op.operands
    whole, part = w.values[container], w.values[value]
    if whole[0] != "%" and part[0] != "%":
        folded = _insert(w, whole, container.type, part, _position(op))
        if folded is not None:
            w.values[op.results[0]] = folded
            return
    at = ", ".join(map(str, _position(op)))
    w.define(op.results[0], f"insertvalue {w.typed(container)}, {w.typed(value)}, {at}")


def _insert(w: FunctionWriter, whole: str, t: object, part: str, at: list[int]) -> str | None:
    parts = expand(whole, t, w.types)  # pyright: ignore[reportArgumentType]
    if parts is None:
        return None
    index, rest = at[0], at[1:]
    text, old = parts[index]
    if rest:
        inner = _insert(w, old, element_types(t)[index], part, rest)  # pyright: ignore
        if inner is None:
            return None
        part = inner
    parts[index] = (text, part)
    return aggregate(parts, *brackets(t))  # pyright: ignore[reportArgumentType]


def extractelement(w: FunctionWriter, op: Operation) -> None:
    vector, position = op.operands
    value, at = w.values[vector], w.values[position]
    if value[0] != "%" and at[0] != "%":
        folded = _element(w, value, vector.type, at)
        if folded is not None:
            w.values[op.results[0]] = folded
            return
    w.define(op.results[0], f"extractelement {w.typed(vector)}, {w.typed(position)}")


def _element(w: FunctionWriter, value: str, t: Attribute, position: str) -> str | None:
    """The element of a constant vector at a constant position."""
    if position in ("poison", "undef"):
        return "poison"
    if value in ("poison", "undef"):
        return value
    at, parts = as_int(position), elements(value, t, w.types)
    if at is None or parts is None:
        return None
    return parts[at] if 0 <= at < len(parts) else "poison"


def insertelement(w: FunctionWriter, op: Operation) -> None:
    vector, value, position = op.operands
    if all(w.values[v][0] != "%" for v in op.operands):
        folded = _with_element(
            w,
            w.values[vector],
            cast("VectorType", vector.type),
            w.values[value],
            w.values[position],
        )
        if folded is not None:
            w.values[op.results[0]] = folded
            return
    _scalable_or_new(w, op, "insertelement", [w.typed(v) for v in op.operands])


def _scalable_or_new(w: FunctionWriter, op: Operation, name: str, operands: list[str]) -> None:
    """An instruction; of constants of a scalable vector, whose elements cannot be listed, a
    constant expression."""
    listed = ", ".join(operands)
    if is_scalable(op.operands[0].type) and all(w.values[v][0] != "%" for v in op.operands):
        w.values[op.results[0]] = f"{name} ({listed})"
    else:
        w.define(op.results[0], f"{name} {listed}")


def _with_element(
    w: FunctionWriter, whole: str, t: VectorType, value: str, position: str
) -> str | None:
    if position in ("poison", "undef"):
        return "poison"
    at, parts = as_int(position), elements(whole, t, w.types)
    if at is None or parts is None:
        return None
    if not 0 <= at < len(parts):
        return "poison"
    parts[at] = value
    return vector_of(parts, t, w.types)


def shufflevector(w: FunctionWriter, op: Operation) -> None:
    first, second = op.operands
    mask = integers(prop(op, "mask"))
    a, b = w.values[first], w.values[second]
    if a[0] != "%" and b[0] != "%":
        left, right = elements(a, first.type, w.types), elements(b, second.type, w.types)
        if left is not None and right is not None:
            both = left + right
            # A lane of no vector is undefined, but nothing is poison if all are.
            lanes = [both[i] if i >= 0 else "undef" for i in mask]
            if all(i < 0 for i in mask):
                lanes = ["poison"] * len(mask)
            w.values[op.results[0]] = vector_of(
                lanes, cast("VectorType", op.results[0].type), w.types
            )
            return
    scalable = "vscale x " if "vscale" in w.types(op.results[0].type) else ""
    lanes = ", ".join(f"i32 {i}" if i >= 0 else "i32 poison" for i in mask)
    text = f"<{lanes}>"
    if scalable:
        text = "zeroinitializer" if not any(mask) else "poison"
    lane_numbers = f"<{scalable}{len(mask)} x i32> {text}"
    _scalable_or_new(w, op, "shufflevector", [w.typed(first), w.typed(second), lane_numbers])


EMIT: dict[str, Callable[[FunctionWriter, Operation], None]] = {
    "llvm.extractvalue": extractvalue,
    "llvm.insertvalue": insertvalue,
    "llvm.extractelement": extractelement,
    "llvm.insertelement": insertelement,
    "llvm.shufflevector": shufflevector,
}
