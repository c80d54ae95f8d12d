# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the binary interfaces of MPI libraries have in common, and numbers of MPICH's header.

Programs are compiled for it (`xgpu.conversion.shard.mpi_to_llvm`), ranks without a library serve it
(`xgpu.runtime.ranks`), and devices call a library by it (`xgpu.runtime.collectives`).
"""

from __future__ import annotations

#: MPICH's handle of each type of elements.
MPICH_TYPES = {
    "float": 0x4C00040A,
    "double": 0x4C00080B,
    "int8_t": 0x4C000137,
    "int16_t": 0x4C000238,
    "int32_t": 0x4C000439,
    "int64_t": 0x4C00083A,
    "uint8_t": 0x4C00013B,
    "uint16_t": 0x4C00023C,
    "uint32_t": 0x4C00043D,
    "uint64_t": 0x4C00083E,
}
#: By MLIR's number: MPICH's first reduction is 1 there too.
REDUCTIONS = (
    *("no_op", "max", "min", "sum", "prod", "land", "band", "lor", "bor", "lxor", "bxor"),
    *("minloc", "maxloc", "replace"),
)
#: MPICH's handle of a reduction is this and its number.
MPICH_REDUCTION = 0x58000000
MPICH_WORLD = 0x44000000
#: What a receive names instead of a rank or a tag, and a rank that takes and gives nothing.
ANY_TAG = -1
ANY_SOURCE = {"MPICH": -2, "OpenMPI": -1}
PROC_NULL = {"MPICH": -1, "OpenMPI": -2}
#: Symbols of programs whose ranks share memory: what each access of memory calls; what that calls
#: while messages are under way, and their number; what is called where an index is out of bounds.
TOUCH, TOUCHED, PENDING = "xgpu_mpi_touch", "xgpu_mpi_touched", "xgpu_mpi_pending"
OUTSIDE = "xgpu_mpi_outside"
#: The address that stands for the receive buffer.
IN_PLACE = {"MPICH": -1, "OpenMPI": 1}
#: What a library says of threads that may call it all at once.
THREAD_MULTIPLE = 3
#: What functions take: p a pointer, i a number, h a handle.
SIGNATURES = {
    "MPI_Allgather": "pihpihh",
    "MPI_Allreduce": "ppihhh",
    "MPI_Alltoall": "pihpihh",
    "MPI_Barrier": "h",
    "MPI_Bcast": "pihih",
    "MPI_Comm_dup": "hp",
    "MPI_Comm_rank": "hp",
    "MPI_Comm_size": "hp",
    "MPI_Comm_split": "hiip",
    "MPI_Error_class": "ip",
    "MPI_Finalize": "",
    "MPI_Init": "pp",
    "MPI_Init_thread": "ppip",
    "MPI_Irecv": "pihiihp",
    "MPI_Isend": "pihiihp",
    "MPI_Query_thread": "p",
    "MPI_Recv": "pihiihp",
    "MPI_Reduce_scatter_block": "ppihhh",
    "MPI_Send": "pihiih",
    "MPI_Wait": "pp",
}
#: The address that stands for no status.
STATUS_IGNORE = {"MPICH": 1, "OpenMPI": 0}
