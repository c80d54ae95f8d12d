# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bodies that are contractions: a product of both inputs that the output is combined with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation

from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.ir.errors import error, op_error

if TYPE_CHECKING:
    from collections.abc import Collection

    from xdsl.ir import Block, SSAValue

#: What multiplies and what adds up, together.
PAIRS = frozenset(
    {
        ("arith.mulf", "arith.addf"),
        ("arith.muli", "arith.addi"),
        ("complex.mul", "complex.add"),
        ("arith.andi", "arith.ori"),
    }
)

#: Named operations that are contractions, whatever their bodies say.
NAMED = (
    "linalg.batch_matmul", "linalg.batch_matvec", "linalg.batch_mmt4d",
    "linalg.batch_reduce_matmul", "linalg.batch_vecmat", "linalg.contract", "linalg.dot",
    "linalg.matmul", "linalg.matvec", "linalg.mmt4d", "linalg.vecmat",
)  # fmt: skip


def is_contraction_body(block: Block, pairs: Collection[tuple[str, str]] = PAIRS) -> bool:
    """Whether a block of two inputs and an output yields `combine(output, multiply(a, b))`, in
    either order, with conversions between, where `pairs` has both operations."""
    last = block.last_op
    if last is None or len(block.args) != 3 or len(last.operands) != 1:
        return False
    combine = _binary(_source(last.operands[0]))
    if combine is None:
        return False
    left, right = (_source(value) for value in combine.operands)
    output = block.args[2]
    if output not in (left, right):
        return False
    multiply = _binary(right if left is output else left)
    if multiply is None or (multiply.name, combine.name) not in pairs:
        return False
    factors = [_source(value) for value in multiply.operands]
    return factors in ([block.args[0], block.args[1]], [block.args[1], block.args[0]])


def verify_contraction_body(op: Operation) -> None:
    """The body of a named contraction is one, of numbers: its own form does not say the body."""
    if any(isinstance(arg.type, VectorType) for arg in op.regions[0].blocks[0].args):
        raise op_error(op, "multiplies numbers; its elements are vectors")
    if not is_contraction_body(op.regions[0].blocks[0]):
        raise error(op, "expected add/mul op in the body")


def _source(value: SSAValue) -> SSAValue:
    """What operations without effects and with one operand, conversions, have made a value of."""
    while isinstance(op := value.owner, Operation) and len(op.operands) == 1:
        if not is_memory_effect_free(op):
            break
        value = op.operands[0]
    return value


def _binary(value: SSAValue) -> Operation | None:
    op = value.owner
    if isinstance(op, Operation) and len(op.operands) == 2 and len(op.results) == 1:
        return op
    return None
