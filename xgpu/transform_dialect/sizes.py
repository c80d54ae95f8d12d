# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integers that a transform operation gets: numbers in its text, parameters, or payload operations
that are constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.inherent import attribute_of
from xgpu.dialects.transform.handle_effects import kind_of
from xgpu.transform_dialect.failures import silenceable

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase, IntegerType

    from xgpu.transform_dialect.state import State


def mixed_integers(
    op: Operation, state: State, static: str, handles: Sequence[SSAValue]
) -> list[int]:
    """The integers of the attribute `static`, with those of `handles` where it leaves room."""
    attr = cast("DenseArrayBase[IntegerType] | None", attribute_of(op, static))
    dynamic = iter(handles)
    found: list[int] = []
    for number in attr.get_values() if attr is not None else ():
        if number == DYNAMIC_INDEX:
            found.extend(_integers(op, state, next(dynamic)))
        else:
            found.append(number)
    return found


def _integers(op: Operation, state: State, handle: SSAValue) -> list[int]:
    payload = state.payload(handle)
    if kind_of(handle.type) == "param":
        if len(payload) != 1:
            raise silenceable(op, "expected a single param")
        return [cast("IntegerAttr[IntegerType]", payload[0]).value.data]
    return [_constant(op, item) for item in payload]


def _constant(op: Operation, producer: Operation) -> int:
    if len(producer.results) != 1 or producer.results[0].type != IndexType():
        text = "requires param or handle to be result of op with 1 index result"
        raise silenceable(op, text)
    number = int_of(producer.results[0])
    if number is None:
        raise silenceable(op, "requires param or handle to be the result of a constant like op")
    return number
