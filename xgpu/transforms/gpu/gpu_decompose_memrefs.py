# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu-decompose-memrefs: accesses in launches use rank-0 memrefs at a computed offset.

Kernels then need the base pointer, and the sizes and strides that they use, instead of whole
descriptors: the metadata is extracted where the memref is defined, outside of the launch.
Source: MLIR 22.1 DecomposeMemRefs.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, NoneAttr, StridedLayoutAttr
from xdsl.ir import Block, Operation, SSAValue

from xgpu.core.passes.base import Pass
from xgpu.dialects.gpu.ops import parent_of
from xgpu.transforms.memref.result_sizes import (
    Metadata,
    extract,
    linear_index,
    reinterpret,
    subview_metadata,
)

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter


def _source_metadata(op: Operation, source: SSAValue, rw: GreedyRewriter) -> Metadata | None:
    """The metadata of `source`, extracted right after its definition; leaves `rw` before `op`."""
    ty = source.type
    if parent_of(op, "gpu.launch") is None:
        return None
    if not isinstance(ty, MemRefType) or ty.get_num_dims() == 0:
        return None
    if not isinstance(ty.layout, NoneAttr | StridedLayoutAttr):
        return None
    owner = source.owner
    if isinstance(owner, Block):
        rw.at_start(owner)
    else:
        rw.after(owner)
    rw.location = op.location
    metadata = extract(rw, source)
    rw.before(op)
    return metadata


def _flat(op: Operation, first: int, rw: GreedyRewriter) -> SSAValue | None:
    """A rank-0 memref at the element that `op`, whose operand `first` is the memref, accesses."""
    source = op.operands[first]
    metadata = _source_metadata(op, source, rw)
    if metadata is None:
        return None
    offset = linear_index(rw, metadata.offset, op.operands[first + 1 :], metadata.strides)
    layout = StridedLayoutAttr([], offset if isinstance(offset, int) else None)
    base_type = metadata.base.type
    assert isinstance(base_type, MemRefType)
    result = MemRefType(base_type.element_type, (), layout, base_type.memory_space)
    return reinterpret(rw, Metadata(metadata.base, offset, (), ()), result)


def _load(op: Operation, rw: GreedyRewriter) -> bool:
    flat = _flat(op, 0, rw)
    if flat is None:
        return False
    rw.replace(op, [rw.value("memref.load", [flat], op.results[0].type)])
    return True


def _store(op: Operation, rw: GreedyRewriter) -> bool:
    flat = _flat(op, 1, rw)
    if flat is None:
        return False
    rw.create("memref.store", [op.operands[0], flat])
    rw.erase(op)
    return True


def _subview(op: Operation, rw: GreedyRewriter) -> bool:
    source = _source_metadata(op, op.operands[0], rw)
    metadata = source and subview_metadata(op, rw, source)
    if metadata is None:
        return False
    rw.replace(op, [reinterpret(rw, metadata, op.results[0].type)])
    return True


PATTERNS = {"memref.load": (_load,), "memref.store": (_store,), "memref.subview": (_subview,)}


class GpuDecomposeMemrefsPass(Pass):
    """Flattens memref accesses in launches."""

    name = "gpu-decompose-memrefs"
    summary = "Decomposes memref index computation into explicit ops."

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.core.rewriting.greedy import apply_patterns

        apply_patterns(op, PATTERNS)
