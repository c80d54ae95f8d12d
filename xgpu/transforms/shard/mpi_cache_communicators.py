# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`mpi-cache-communicators`: a communicator is made once, not each time that it is used.

`convert-shard-to-mpi` splits the communicator of all ranks for each collective along some axes of a
grid. Libraries have a few thousand communicators at most, and to make one is a collective by
itself. Where color and key follow from the rank alone, each execution makes the same communicator:
the first one is cached in a global variable, which all such operations of the module share.

    %c = mpi.comm_split(%world, %color, %key) : !mpi.comm
becomes
    %g = memref.get_global @communicator_0 : memref<i64>
    %known = memref.load %g[] : memref<i64>
    %none = arith.cmpi eq, %known, %zero : i64
    %handle = scf.if %none -> (i64) { .. split, store .. } else { scf.yield %known : i64 }

All ranks find the variable empty at the same execution, or none does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType, StringAttr, SymbolRefAttr, TensorType, i64
from xdsl.ir import Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ir.construction import insert_before, replace_all_uses
from xgpu.core.ir.elements import dense_of
from xgpu.core.ir.symbols import lookup
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.arith.builders import cmpi, constant
from xgpu.transforms.scf.builders import if_else

if TYPE_CHECKING:
    from xdsl.context import Context

_CAST = "builtin.unrealized_conversion_cast"
_KIND = MemRefType(i64, [])
#: Operations of the same result in each execution of a process, if their operands are.
_OF_RANK = ("mpi.comm_rank", "mpi.comm_size", "mpi.comm_world")
_COMPUTES = ("affine.apply", "arith.", "index.")


def _identity(value: SSAValue) -> tuple[object, ...] | None:
    """What a value is, if it follows from the rank in the world and constants alone; values of the
    same identity are equal."""
    owner = value.owner
    if not isinstance(owner, Operation) or owner.regions:
        return None
    if not owner.name.startswith(_COMPUTES) and owner.name not in _OF_RANK:
        return None
    operands = [_identity(operand) for operand in owner.operands]
    if None in operands:
        return None
    properties = tuple(sorted((name, str(found)) for name, found in owner.properties.items()))
    number = next(at for at, result in enumerate(owner.results) if result is value)
    return (owner.name, properties, str(value.type), number, *operands)


class MpiCacheCommunicators(Pass):
    """Communicators of the world's ranks in variables."""

    name = "mpi-cache-communicators"
    summary = "Make each communicator that follows from the rank alone once"
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        variables: dict[object, str] = {}
        for split in [inner for inner in op.walk() if inner.name == "mpi.comm_split"]:
            identities = tuple(_identity(operand) for operand in split.operands)
            # One whose code is asked for is left alone: there is none where nothing is called.
            if None in identities or len(split.results) > 1:
                continue
            if identities not in variables:
                variables[identities] = _variable(op, len(variables))
            _use(split, variables[identities])


def _variable(module: Operation, number: int) -> str:
    """A new global variable of one i64, 0 at first."""
    name = f"communicator_{number}"
    while lookup(module, name) is not None:
        name = f"{name}_"
    properties = {
        "sym_name": StringAttr(name),
        "sym_visibility": StringAttr("private"),
        "type": _KIND,
        "initial_value": dense_of(TensorType(i64, []), [0]),
    }
    made = ods.create("memref.global", (), (), properties)
    made.location = module.location
    block = module.regions[0].blocks[0]
    insert_before(block, made, block.first_op)
    return name


def _use(split: Operation, name: str) -> None:
    rw = Rewriter()
    rw.before(split)
    rw.location = split.location
    variable = rw.value("memref.get_global", (), _KIND, {"name": SymbolRefAttr(name)})
    known = rw.value("memref.load", [variable], i64)
    is_new = cmpi(rw, "eq", known, constant(rw, 0, i64))
    kind = split.results[0].type

    def make() -> list[SSAValue]:
        made = rw.value(split.name, list(split.operands), kind, split.properties, split.attributes)
        handle = rw.value(_CAST, [made], i64)
        rw.create("memref.store", [handle, variable])
        return [handle]

    handle = if_else(rw, is_new, [i64], make, lambda: [known]).results[0]
    replace_all_uses(split.results[0], rw.value(_CAST, [handle], kind))
    split.detach()
    split.erase()
