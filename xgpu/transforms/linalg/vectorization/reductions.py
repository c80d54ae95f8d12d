# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a structured operation reduces with, found in its body.

Source: MLIR 22.1 SliceAnalysis.cpp (matchReduction), Vectorization.cpp.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue

from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.dialects.linalg import ops
from xgpu.transforms.linalg.vectorization.maps import is_permutation

#: The combining kind that an operation of the body stands for.
KINDS = {
    "arith.addf": "add",
    "arith.addi": "add",
    "arith.andi": "and",
    "arith.maximumf": "maximumf",
    "arith.maxnumf": "maxnumf",
    "arith.maxsi": "maxsi",
    "arith.maxui": "maxui",
    "arith.minimumf": "minimumf",
    "arith.minnumf": "minnumf",
    "arith.minsi": "minsi",
    "arith.minui": "minui",
    "arith.mulf": "mul",
    "arith.muli": "mul",
    "arith.ori": "or",
    "arith.xori": "xor",
}


def body_of(op: Operation) -> Block:
    return op.regions[0].blocks[0]


def match(op: Operation, output: int) -> tuple[SSAValue, list[Operation]] | None:
    """What is combined with output `output`, and the operations between the two and the end."""
    block = body_of(op)
    carried = block.args[len(ops.inputs(op)) + output]
    user = _only_user(carried)
    if user is None or len(user.operands) != 2:
        return None
    reduced = user.operands[1] if user.operands[0] is carried else user.operands[0]
    combiners: list[Operation] = []
    while user is not block.last_op:
        if len(user.results) != 1 or user.parent is not block or not is_memory_effect_free(user):
            return None
        combiners.append(user)
        following = _only_user(user.results[0])
        if following is None:
            return None
        user = following
    if not combiners or user.operands[output] is not combiners[-1].results[0]:
        return None
    return reduced, combiners


def combiner(op: Operation, output: int) -> Operation | None:
    """The one operation that combines an iteration with output `output`."""
    found = match(op, output)
    return found[1][0] if found is not None and len(found[1]) == 1 else None


def kind_of(op: Operation | None) -> str | None:
    return None if op is None else KINDS.get(op.name)


def _only_user(value: SSAValue) -> Operation | None:
    uses = list(value.uses)
    return uses[0].operation if len(uses) == 1 else None


def are_reductions(op: Operation) -> bool:
    """Whether `op` reduces, and each output that is not one element an iteration is combined by
    one operation that vectors reduce with."""
    if ops.REDUCTION not in ops.iterator_types(op):
        return False
    indexing = ops.indexing_maps(op)[len(ops.inputs(op)) :]
    return all(
        is_permutation(map_) or kind_of(combiner(op, output)) is not None
        for output, map_ in enumerate(indexing)
    )
