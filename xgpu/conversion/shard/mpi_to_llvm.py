# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of mpi as calls of an MPI library, for `convert-to-llvm`.

The library is the one that `"MPI:Implementation"` in a map of DLTI names: "MPICH", which is the
default, or "OpenMPI". They differ in what handles are: numbers of 32 bits in MPICH, addresses of
objects in Open MPI. Between calls a communicator and a request are an i64, whichever it is.

Source: MLIR 22.1 MPIToLLVM.cpp; the constants are those of the libraries' headers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    Signedness,
    StringAttr,
    TypeAttribute,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.construction import insert_before, replace_all_uses
from xgpu.core.ir.errors import Diagnostic, error, shown
from xgpu.core.ir.symbols import lookup
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.driver import NoMatch, Replacements, Rule
from xgpu.core.support.mpi_abi import (
    IN_PLACE,
    MPICH_REDUCTION,
    MPICH_TYPES,
    MPICH_WORLD,
    REDUCTIONS,
    STATUS_IGNORE,
)
from xgpu.core.syntax.diagnostics import emit
from xgpu.dialects import mpi
from xgpu.dialects.arith.builders import constant
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMStructType
from xgpu.dialects.memref_layout import is_contiguous
from xgpu.dialects.mpi.ops import query

if TYPE_CHECKING:
    from xgpu.conversion.llvm_types import LLVMConversion

Values = Sequence["SSAValue"]
_POINTER = llvm.POINTER


# -- What implementations have in common, and where they differ.


def _type_name(op: Operation, kind: Attribute) -> str:
    """The element type as MPI calls it."""
    if isinstance(kind, Float32Type):
        return "float"
    if isinstance(kind, Float64Type):
        return "double"
    if isinstance(kind, IndexType):
        return "int64_t"
    if isinstance(kind, IntegerType) and kind.width.data in (8, 16, 32, 64):
        sign = "u" if kind.signedness.data is Signedness.UNSIGNED else ""
        return f"{sign}int{kind.width.data}_t"
    raise error(op, f"MPI has no type for elements of type '{shown(kind)}'")


class _Library:
    """An MPI library's binary interface, for one operation."""

    handle: ClassVar[Attribute]
    status_ignore: ClassVar[int]
    in_place: ClassVar[int]

    def __init__(self, op: Operation, rw: LLVMConversion) -> None:
        self.op = op
        self.rw = rw
        self.table = llvm.symbol_table(op)

    # --- handles -----------------------------------------------------------------------------
    def world(self) -> SSAValue:
        """The communicator of all ranks, as an i64."""
        raise NotImplementedError

    def native(self, handle: SSAValue) -> SSAValue:
        """The handle that functions take, of an i64."""
        raise NotImplementedError

    def portable(self, handle: SSAValue) -> SSAValue:
        """The i64 of a handle."""
        raise NotImplementedError

    def data_type(self, kind: Attribute) -> SSAValue:
        """The handle of the type of elements."""
        raise NotImplementedError

    def reduction(self, number: int) -> SSAValue:
        """The handle of a reduction, of MLIR's number of it."""
        raise NotImplementedError

    # --- calls -------------------------------------------------------------------------------
    def call(self, name: str, arguments: Values) -> SSAValue:
        """The code that a function returns."""
        kinds = [value.type for value in arguments]
        declared = llvm.declare(self.rw, self.table, name, kinds, i32)
        return llvm.call(self.rw, llvm.reference(declared), arguments, i32).results[0]

    def pointer(self, address: int) -> SSAValue:
        """A pointer that is a constant."""
        return self.rw.value("llvm.inttoptr", [llvm.constant(self.rw, address, i64)], _POINTER)

    def variable(self, kind: Attribute) -> SSAValue:
        """Memory that a function writes a result to."""
        return llvm.alloca(self.rw, llvm.constant(self.rw, 1, i32), kind)


class _Mpich(_Library):
    handle = i32
    status_ignore = STATUS_IGNORE["MPICH"]
    in_place = IN_PLACE["MPICH"]

    def world(self) -> SSAValue:
        return llvm.constant(self.rw, MPICH_WORLD, i64)

    def native(self, handle: SSAValue) -> SSAValue:
        return self.rw.value("llvm.trunc", [handle], i32)

    def portable(self, handle: SSAValue) -> SSAValue:
        return self.rw.value("llvm.sext", [handle], i64)

    def data_type(self, kind: Attribute) -> SSAValue:
        return llvm.constant(self.rw, MPICH_TYPES[_type_name(self.op, kind)], i32)

    def reduction(self, number: int) -> SSAValue:
        no_op = len(REDUCTIONS)
        return llvm.constant(self.rw, MPICH_REDUCTION + (number or no_op), i32)


class _OpenMpi(_Library):
    handle = _POINTER
    status_ignore = STATUS_IGNORE["OpenMPI"]
    in_place = IN_PLACE["OpenMPI"]

    def _object(self, name: str, struct: str) -> SSAValue:
        """The address of an object of the library, whose type is not known here."""
        if lookup(self.table, name) is None:
            properties = {
                "sym_name": StringAttr(name),
                "global_type": cast("TypeAttribute", LLVMStructType(None, struct_name=struct)),
                "linkage": ods.enum("llvm.linkage", "external"),
                "addr_space": IntegerAttr(0, i32),
            }
            made = ods.create("llvm.mlir.global", (), (), properties, None, [Region()])
            made.location = self.op.location
            block = self.table.regions[0].blocks[0]
            insert_before(block, made, block.first_op)
        reference = llvm.reference(cast("Operation", lookup(self.table, name)))
        return self.rw.value("llvm.mlir.addressof", (), _POINTER, {"global_name": reference})

    def world(self) -> SSAValue:
        return self.portable(self._object("ompi_mpi_comm_world", "ompi_communicator_t"))

    def native(self, handle: SSAValue) -> SSAValue:
        return self.rw.value("llvm.inttoptr", [handle], _POINTER)

    def portable(self, handle: SSAValue) -> SSAValue:
        return self.rw.value("llvm.ptrtoint", [handle], i64)

    def data_type(self, kind: Attribute) -> SSAValue:
        name = f"ompi_mpi_{_type_name(self.op, kind)}"
        return self._object(name, "ompi_predefined_datatype_t")

    def reduction(self, number: int) -> SSAValue:
        return self._object(f"ompi_mpi_op_{REDUCTIONS[number]}", "ompi_predefined_op_t")


def _library(op: Operation, rw: LLVMConversion) -> _Library:
    """The library that the program is compiled for."""
    named = query(op, "MPI:Implementation")
    name = named.data if isinstance(named, StringAttr) else None
    if name == "OpenMPI":
        return _OpenMpi(op, rw)
    if named is not None and name != "MPICH" and "unknown" not in rw.cache:
        rw.cache["unknown"] = True
        words = f'Unknown "MPI:Implementation" value in DLTI ({name or shown(named)})'
        emit(Diagnostic("warning", f"{words}, defaulting to MPICH", rw.root.location))
    return _Mpich(op, rw)


# -- Buffers.


def _data_and_count(
    op: Operation, index: int, operands: Values, rw: LLVMConversion
) -> tuple[SSAValue, SSAValue]:
    """The address of a buffer's first element, and the number of its elements."""
    kind = cast("MemRefType[Attribute]", op.operands[index].type)
    if not is_contiguous(kind):
        raise error(op, f"expected a contiguous buffer, but got '{shown(kind)}'")
    struct = operands[index]
    pointer = llvm.extract(rw, struct, 1)
    offset = llvm.extract(rw, struct, 2)
    element = rw.convert_type(kind.element_type)
    address = llvm.gep(rw, pointer, element, [offset])
    rank = len(kind.get_shape())
    if not rank:
        return address, llvm.constant(rw, 1, i32)
    count = llvm.extract(rw, struct, 3, 0)
    for at in range(1, rank):
        count = llvm.binary(rw, "mul", count, llvm.extract(rw, struct, 3, at))
    return address, rw.value("llvm.trunc", [count], i32)


def _element(op: Operation) -> Attribute:
    return cast("MemRefType[Attribute]", op.operands[0].type).element_type


def _retval(op: Operation, code: SSAValue, *more: SSAValue) -> Replacements:
    """What takes the place of the results: the code, where it is asked for, and others."""
    return [code, *more] if len(op.results) > len(more) else list(more)


# -- Rules.


def lower_init(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
    null = llvm.zero(rw, _POINTER)
    return _retval(op, _library(op, rw).call("MPI_Init", [null, null]))


def lower_finalize(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
    return _retval(op, _library(op, rw).call("MPI_Finalize", []))


def lower_comm_world(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
    return [_library(op, rw).world()]


def _number_of(name: str) -> Rule:
    """A function that writes a number of a communicator."""

    def rule(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
        library = _library(op, rw)
        comm = library.native(operands[0])
        number = library.variable(i32)
        code = library.call(name, [comm, number])
        return _retval(op, code, llvm.load(rw, number, i32))

    return rule


def lower_comm_split(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
    library = _library(op, rw)
    comm = library.native(operands[0])
    made = library.variable(library.handle)
    code = library.call("MPI_Comm_split", [comm, *operands[1:], made])
    handle = llvm.load(rw, made, library.handle)
    return _retval(op, code, library.portable(handle))


def lower_barrier(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
    library = _library(op, rw)
    return _retval(op, library.call("MPI_Barrier", [library.native(operands[0])]))


def _message(
    op: Operation, operands: Values, rw: LLVMConversion, library: _Library
) -> list[SSAValue]:
    """What functions for messages take: buffer, count, type, other rank, tag, communicator."""
    _, tag, other, comm = operands
    data, count = _data_and_count(op, 0, operands, rw)
    kind = library.data_type(_element(op))
    return [data, count, kind, other, tag, library.native(comm)]


def lower_send(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
    library = _library(op, rw)
    return _retval(op, library.call("MPI_Send", _message(op, operands, rw, library)))


def lower_recv(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
    library = _library(op, rw)
    arguments = _message(op, operands, rw, library)
    status = library.pointer(library.status_ignore)
    return _retval(op, library.call("MPI_Recv", [*arguments, status]))


def _begins(name: str) -> Rule:
    """A message that goes on while the program does: its request is an i64."""

    def rule(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
        library = _library(op, rw)
        arguments = _message(op, operands, rw, library)
        request = library.variable(library.handle)
        code = library.call(name, [*arguments, request])
        return _retval(op, code, library.portable(llvm.load(rw, request, library.handle)))

    return rule


def lower_wait(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
    library = _library(op, rw)
    request = library.variable(library.handle)
    llvm.store(rw, library.native(operands[0]), request)
    status = library.pointer(library.status_ignore)
    return _retval(op, library.call("MPI_Wait", [request, status]))


def _is_in_place(op: Operation) -> bool:
    return op.operands[0] is op.operands[1]


def lower_allreduce(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
    return _reduction(op, operands, rw, "MPI_Allreduce", 0)


def lower_reduce_scatter(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
    """The count is that of what each rank receives."""
    return _reduction(op, operands, rw, "MPI_Reduce_scatter_block", 1)


def _reduction(
    op: Operation, operands: Values, rw: LLVMConversion, name: str, counted: int
) -> Replacements:
    library = _library(op, rw)
    buffers = [_data_and_count(op, at, operands, rw) for at in range(2)]
    sent, received = buffers[0][0], buffers[1][0]
    if _is_in_place(op):
        sent = library.pointer(library.in_place)
    kind = library.data_type(_element(op))
    number = cast("IntegerAttr", op.properties["op"]).value.data
    reduction = library.reduction(number)
    comm = library.native(operands[2])
    arguments = [sent, received, buffers[counted][1], kind, reduction, comm]
    return _retval(op, library.call(name, arguments))


def lower_allgather(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
    """Each rank sends its whole buffer, and receives as much of each."""
    library = _library(op, rw)
    sent, count = _data_and_count(op, 0, operands, rw)
    received, _ = _data_and_count(op, 1, operands, rw)
    kind = library.data_type(_element(op))
    comm = library.native(operands[2])
    arguments = [sent, count, kind, received, count, kind, comm]
    return _retval(op, library.call("MPI_Allgather", arguments))


def lower_alltoall(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
    """Each rank sends an equal part of its buffer to each."""
    library = _library(op, rw)
    sent, total = _data_and_count(op, 0, operands, rw)
    received, _ = _data_and_count(op, 1, operands, rw)
    kind = library.data_type(_element(op))
    comm = library.native(operands[2])
    ranks = library.variable(i32)
    library.call("MPI_Comm_size", [comm, ranks])
    count = llvm.binary(rw, "sdiv", total, llvm.load(rw, ranks, i32))
    arguments = [sent, count, kind, received, count, kind, comm]
    return _retval(op, library.call("MPI_Alltoall", arguments))


def lower_bcast(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
    library = _library(op, rw)
    data, count = _data_and_count(op, 0, operands, rw)
    kind = library.data_type(_element(op))
    comm = library.native(operands[2])
    return _retval(op, library.call("MPI_Bcast", [data, count, kind, operands[1], comm]))


def lower_error_class(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
    library = _library(op, rw)
    found = library.variable(i32)
    library.call("MPI_Error_class", [operands[0], found])
    return [llvm.load(rw, found, i32)]


def lower_retval_check(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
    """Success is 0 for all; the numbers of errors differ between libraries."""
    wanted = cast("mpi.ErrclassAttr", op.properties["errclass"]).data
    if wanted != "MPI_SUCCESS":
        raise NoMatch("error classes have other numbers in each library")
    return [llvm.icmp(rw, "eq", operands[0], llvm.constant(rw, 0, i32))]


RULES: dict[str, Rule] = {
    "mpi.allgather": lower_allgather,
    "mpi.allreduce": lower_allreduce,
    "mpi.alltoall": lower_alltoall,
    "mpi.barrier": lower_barrier,
    "mpi.bcast": lower_bcast,
    "mpi.comm_rank": _number_of("MPI_Comm_rank"),
    "mpi.comm_size": _number_of("MPI_Comm_size"),
    "mpi.comm_split": lower_comm_split,
    "mpi.comm_world": lower_comm_world,
    "mpi.error_class": lower_error_class,
    "mpi.finalize": lower_finalize,
    "mpi.init": lower_init,
    "mpi.irecv": _begins("MPI_Irecv"),
    "mpi.isend": _begins("MPI_Isend"),
    "mpi.recv": lower_recv,
    "mpi.reduce_scatter_block": lower_reduce_scatter,
    "mpi.retval_check": lower_retval_check,
    "mpi.send": lower_send,
    "mpi.wait": lower_wait,
}


def erase_grid(op: Operation, operands: Values, rw: LLVMConversion) -> Replacements:
    """A grid is a declaration, which goes when nothing of shard is left but grids: at run time
    there are ranks only."""
    parent = op.parent_op()
    others = () if parent is None else parent.walk()
    if any(o.name.startswith("shard.") and o.name != "shard.grid" for o in others):
        raise NoMatch("operations of the shard dialect are left")
    return []


#: What is left of shard where processes are ranks of MPI.
GRIDS: dict[str, Rule] = {"shard.grid": erase_grid}


def use_communicator(module: Operation, handle: int) -> None:
    """Replaces `mpi.comm_world` in a program by a communicator of this process, in place."""
    rw = Rewriter()
    for op in [op for op in module.walk() if op.name == "mpi.comm_world"]:
        rw.before(op)
        rw.location = op.location
        number = constant(rw, handle, i64)
        (world,) = op.results
        made = rw.value("builtin.unrealized_conversion_cast", [number], world.type)
        replace_all_uses(world, made)
        op.detach()
        op.erase()
