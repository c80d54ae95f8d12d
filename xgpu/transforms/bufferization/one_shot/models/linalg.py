# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bufferization of structured operations: the same operation on buffers."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, Region

from xgpu.core.ir.errors import error
from xgpu.dialects.linalg import ops
from xgpu.dialects.linalg.ops import OPS
from xgpu.transforms.bufferization.one_shot.buffers import Buffers, State
from xgpu.transforms.bufferization.one_shot.model import Destination, Model
from xgpu.transforms.bufferization.one_shot.options import is_buffer, is_tensor
from xgpu.transforms.bufferization.one_shot.values import Operand


def on_buffers(op: Operation, buffers: Buffers, inits: Sequence[int]) -> None:
    """Replaces an operation whose results are written over `inits` by itself on buffers."""
    if not any(is_tensor(value.type) for value in op.operands):
        return
    if any(is_buffer(value.type) for value in op.operands):
        raise error(op, "op does not have pure tensor semantics")
    operands = buffers.of_all(op.operands)
    regions = [Region() for _ in op.regions]
    for old, new in zip(op.regions, regions, strict=True):
        old.move_blocks(new)
    created = buffers.create(op.name, operands, (), op.properties, op.attributes, regions)
    buffers.replace_by(op, [created.operands[index] for index in inits])


class Structured(Destination):
    """A structured operation reads what its body uses."""

    __slots__ = ()

    def inits(self, op: Operation) -> Sequence[int]:
        count = len(op.operands)
        return range(count - len(ops.outputs(op)), count)

    def reads(self, use: Operand, state: State) -> bool:
        block = use.op.regions[0].first_block
        return block is not None and block.args[use.at].first_use is not None

    def is_elementwise(self, op: Operation, uses: Sequence[Operand], state: State) -> bool:
        if any(kind != ops.PARALLEL for kind in ops.iterator_types(op)):
            return False
        maps = ops.indexing_maps(op)
        return all(
            maps[use.at] == ops.select(maps[use.at].num_dims, range(maps[0].num_dims))
            for use in uses
            if ops.shape_of(use.value) is not None
        )

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        on_buffers(op, buffers, self.inits(op))


class Softmax(Structured):
    """Reads its input only."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return use.at == 0

    def is_elementwise(self, op: Operation, uses: Sequence[Operand], state: State) -> bool:
        return False


_STRUCTURED = Structured()
_OTHERS = (
    "broadcast",
    "contract",
    "elementwise",
    "generic",
    "map",
    "reduce",
    "transpose",
)

MODELS: dict[str, Model] = {
    **dict.fromkeys([*OPS, *ops.MATMULS, *(f"linalg.{n}" for n in _OTHERS)], _STRUCTURED),
    "linalg.softmax": Softmax(),
}
