# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""async operations that only hold or hand on values take the converted types of what they hold.

Source: MLIR 22.1 AsyncToAsyncRuntime's structural patterns (async.execute, async.await,
async.yield).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.driver import Conversion, Replacements, Rule


def _is_unchanged(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> bool:
    return all(a is b for a, b in zip(op.operands, operands, strict=True)) and all(
        rw.convert_type(result.type) == result.type for result in op.results
    )


def lower_await(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    from xgpu.core.rewriting.driver import NoMatch

    if _is_unchanged(op, operands, rw):
        raise NoMatch("is legal")
    types = [rw.convert_type(result.type) for result in op.results]
    return rw.create("async.await", operands, types).results


def lower_execute(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Replacements | None:
    """async.execute: its values, and the arguments of its body."""
    from xgpu.conversion.control_flow.scf_structure import convert_holder

    return convert_holder(op, operands, rw)


def lower_yield(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> None:
    """async.yield: what it yields."""
    from xgpu.core.rewriting.driver import NoMatch

    if _is_unchanged(op, operands, rw):
        raise NoMatch("is legal")
    op.operands = list(operands)


RULES: dict[str, Rule] = {
    "async.await": lower_await,
    "async.execute": lower_execute,
    "async.yield": lower_yield,
}
