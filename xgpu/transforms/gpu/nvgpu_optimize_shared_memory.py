# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvgpu-optimize-shared-memory: rows of shared memory are permuted, against bank conflicts.

In units of 128 bits, the place in a row is combined by xor with bits of the row's number, for all
that is written and read alike. Source: MLIR 22.1 OptimizeSharedMemory.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType

from xgpu.core.ir.effects import effects
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.memref.layout import is_workgroup_memory
from xgpu.transforms.gpu.nvgpu_fragments import element_bits

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import MemRefType
    from xdsl.ir import Operation, SSAValue

    from xgpu.core.ods.operation import OdsOperation

_LINE_BYTES = 128
_VECTOR_BITS = 128
_INDEX = IndexType()

#: Where the indices into shared memory are: the group of operands.
_READS = {"memref.load": 1, "vector.load": 1, "nvgpu.ldmatrix": 1}
_WRITES = {"memref.store": 2, "vector.store": 2, "nvgpu.device_async_copy": 1}


def _log2(value: int) -> int:
    return value.bit_length() - 1


def _permuted(rw: Rewriter, row: SSAValue, column: SSAValue, kind: MemRefType) -> SSAValue:
    """`column` with its number of the vector combined with bits of `row`."""
    size = kind.get_shape()[-1]
    bits = element_bits(kind.element_type)
    # Several short rows make a line of shared memory; those are permuted alike.
    rows_per_line = max(1, _LINE_BYTES // (size * bits // 8))
    in_vector = _log2(_VECTOR_BITS // bits)
    mask = (1 << (_log2(size) - in_vector)) - 1
    shift = in_vector
    if rows_per_line > 1:
        mask <<= _log2(rows_per_line)
        shift -= _log2(rows_per_line)
    source = rw.value("arith.andi", [row, index_constant(rw, mask)], _INDEX)
    if shift:
        amount = index_constant(rw, abs(shift))
        name = "arith.shli" if shift > 0 else "arith.shrui"
        source = rw.value(name, [source, amount], _INDEX)
    return rw.value("arith.xori", [column, source], _INDEX)


def _accesses(root: Operation, memory: SSAValue) -> tuple[list[OdsOperation], list[OdsOperation]]:
    """The operations that read `memory`, and those that write it."""
    reads: list[OdsOperation] = []
    writes: list[OdsOperation] = []
    for op in root.walk():
        kinds = {
            effect.kind
            for effect in ([] if op.regions else effects(op)) or []
            if effect.value is memory
        }
        if "read" in kinds:
            reads.append(cast("OdsOperation", op))
        elif "write" in kinds:
            writes.append(cast("OdsOperation", op))
    return reads, writes


def optimize_shared_memory(root: Operation, memory: SSAValue) -> bool:
    """Permutes the accesses in `root` to the buffer `memory`; whether it did."""
    kind = cast("MemRefType", memory.type)
    if not is_workgroup_memory(kind) or any(op.name == "memref.subview" for op in root.walk()):
        return False
    shape = kind.get_shape()
    bits = getattr(kind.element_type, "bitwidth", 0)
    if len(shape) < 2 or shape[-1] in (0, DYNAMIC_INDEX) or not 0 < bits <= _VECTOR_BITS:
        return False
    rows_per_line = 8 * _LINE_BYTES // bits // shape[-1]
    lanes = 1 << (7 - _log2(_VECTOR_BITS // 8))
    if rows_per_line >= lanes:
        return False
    reads, writes = _accesses(root, memory)
    if not reads or not writes:
        return False
    for ops, groups in ((reads, _READS), (writes, _WRITES)):
        for op in ops:
            group = groups.get(op.name)
            if group is None or len(op.operand_group(group)) < 2:
                return False
    for ops, groups in ((writes, _WRITES), (reads, _READS)):
        for op in reversed(ops):
            indices = op.operand_group(groups[op.name])
            row, column = indices[-2], indices[-1]
            at = sum(len(op.operand_group(g)) for g in range(groups[op.name] + 1)) - 1
            op.operands[at] = _permuted(Rewriter(op), row, column, kind)
    return True


class OptimizeSharedMemory(Pass):
    """Permutes the accesses to all buffers in shared memory."""

    name = "nvgpu-optimize-shared-memory"
    summary = "Optimizes accesses to shard memory memrefs in order to reduce bank conflicts."

    def run(self, op: Operation, ctx: Context) -> None:
        buffers = [
            inner.results[0]
            for inner in op.walk()
            if inner.name == "memref.alloc" and is_workgroup_memory(inner.results[0].type)
        ]
        for buffer in buffers:
            if not optimize_shared_memory(op, buffer):
                return
