# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the mpi dialect; the rest is in its table.

Source: MLIR 22.1 MPIOps.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, MemRefType, i32
from xdsl.ir import Attribute, Operation

from xgpu.core.ir.construction import defining
from xgpu.core.ir.effects import Effect
from xgpu.core.ir.errors import error
from xgpu.dialects.arith.builders import constant
from xgpu.dialects.dlti.ops import MapAttr

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def query(op: Operation, key: str) -> Attribute | None:
    """What the nearest map of DLTI around an operation says of a key; None where none does. It may
    be an attribute of any name."""
    holder: Operation | None = op
    while holder is not None:
        maps = [found for found in holder.attributes.values() if isinstance(found, MapAttr)]
        for found in maps:
            if (value := found.query(key)) is not None:
                return value
        holder = holder.parent_op()
    return None


def fold_rank(op: Operation, rw: GreedyRewriter) -> bool:
    """The rank in the world that the program is compiled for, by `"MPI:comm_world_rank"`.

    MLIR 22 makes a constant of type index for an i32 here, and none for the value returned.
    """
    if defining(op.operands[0], "mpi.comm_world") is None:
        return False
    rank = query(op, "MPI:comm_world_rank")
    if rank is None:
        return False
    if not isinstance(rank, IntegerAttr):
        raise error(op, "Expected an integer attribute for MPI:comm_world_rank")
    *checked, number = op.results
    if any(result.first_use is not None for result in checked) or number.first_use is None:
        return False
    rw.replace_all_uses(number, constant(rw, rank.value.data, i32))
    return True


def _is_static(kind: Attribute) -> bool:
    return kind.name == "memref" and cast("MemRefType[Attribute]", kind).has_static_shape()


def uncast_buffer(op: Operation, rw: GreedyRewriter) -> bool:
    """send(memref.cast %m : memref<4xf32> to memref<?xf32>, ..)  =>  send(%m, ..)"""
    made = defining(op.operands[0], "memref.cast")
    if made is None or _is_static(op.operands[0].type) or not _is_static(made.operands[0].type):
        return False
    rw.set_operand(op, 0, made.operands[0])
    return True


def _allreduce_effects(op: Operation) -> list[Effect]:
    """What it does to the buffers of other ranks is a write of any memory."""
    sent, received = op.operands[:2]
    return [Effect("write", None), Effect("read", sent), Effect("write", received)]


EFFECTS = {"mpi.allreduce": _allreduce_effects}


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    **dict.fromkeys(("mpi.irecv", "mpi.isend", "mpi.recv", "mpi.send"), (uncast_buffer,)),
    "mpi.comm_rank": (fold_rank,),
}
