# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What devices of several ranks do together on streams: the functions of the ABI, and MPI below.

A call says what NCCL's function of that name would: types and reductions are NCCL's numbers, a
communicator is MPI's handle. What lies between start and end of a group is one operation of the
stream, and so is a call outside of groups. A device says how an operation is done.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.mpi_abi import (
    IN_PLACE,
    MPICH_REDUCTION,
    MPICH_TYPES,
    REDUCTIONS,
    SIGNATURES,
    STATUS_IGNORE,
    THREAD_MULTIPLE,
)
from xgpu.runtime import mpi

# -- The interface of a device.


class Element(NamedTuple):
    """A type of elements: as MPI calls it, empty where MPI has none, and its bytes."""

    name: str
    size: int


#: By NCCL's number (ncclDataType_t).
ELEMENTS = (
    Element("int8_t", 1), Element("uint8_t", 1), Element("int32_t", 4), Element("uint32_t", 4),
    Element("int64_t", 8), Element("uint64_t", 8), Element("", 2), Element("float", 4),
    Element("double", 8), Element("", 2), Element("", 1), Element("", 1),
)  # fmt: skip
#: By NCCL's number (ncclRedOp_t).
NCCL_REDUCTIONS = ("sum", "prod", "max", "min")


@dataclass(frozen=True, slots=True)
class Collective:
    """One call: `count` is NCCL's, the elements of one rank's part where there are parts. Of a
    message, `sent` or `received` is 0. `kind` and `reduction` are NCCL's numbers."""

    name: str
    sent: int
    received: int
    count: int
    kind: int
    comm: int
    reduction: int = 0
    peer: int = 0

    @property
    def bytes(self) -> int:
        """Of `count` elements."""
        return self.count * ELEMENTS[self.kind].size

    def ranges(self, size: int) -> list[tuple[int, int, bool]]:
        """The memory that it uses on `size` ranks: begin, bytes, whether it is written."""
        sent = self.bytes * (size if self.name == "reduce-scatter" else 1)
        received = self.bytes * (size if self.name == "all-gather" else 1)
        found = [(self.sent, sent, False), (self.received, received, True)]
        return [one for one in found if one[0]]


class CommunicationFunctions:
    """The functions of the ABI. A device does what `_communicate` is given."""

    _group_calls: list[Collective] | None = None

    def _communicate(self, calls: Sequence[Collective], stream: int) -> None:
        raise NotImplementedError

    def mgpuCommGroupStart(self, stream: int) -> None:
        self._group_calls = []

    def mgpuCommGroupEnd(self, stream: int) -> None:
        calls, self._group_calls = self._group_calls, None
        if calls:
            self._communicate(calls, stream)

    def _communication(self, call: Collective, stream: int) -> None:
        if self._group_calls is None:
            self._communicate([call], stream)
        else:
            self._group_calls.append(call)

    def mgpuCommAllReduce(
        self, sent: int, received: int, count: int, kind: int, op: int, comm: int, stream: int
    ) -> None:
        self._communication(Collective("all-reduce", sent, received, count, kind, comm, op), stream)

    def mgpuCommReduceScatter(
        self, sent: int, received: int, count: int, kind: int, op: int, comm: int, stream: int
    ) -> None:
        self._communication(
            Collective("reduce-scatter", sent, received, count, kind, comm, op), stream
        )

    def mgpuCommAllGather(
        self, sent: int, received: int, count: int, kind: int, comm: int, stream: int
    ) -> None:
        self._communication(Collective("all-gather", sent, received, count, kind, comm), stream)

    def mgpuCommAllToAll(
        self, sent: int, received: int, count: int, kind: int, comm: int, stream: int
    ) -> None:
        self._communication(Collective("all-to-all", sent, received, count, kind, comm), stream)

    def mgpuCommBroadcast(
        self, buffer: int, count: int, kind: int, root: int, comm: int, stream: int
    ) -> None:
        call = Collective("broadcast", buffer, buffer, count, kind, comm, peer=root)
        self._communication(call, stream)

    def mgpuCommSend(
        self, buffer: int, count: int, kind: int, peer: int, comm: int, stream: int
    ) -> None:
        self._communication(Collective("send", buffer, 0, count, kind, comm, peer=peer), stream)

    def mgpuCommReceive(
        self, buffer: int, count: int, kind: int, peer: int, comm: int, stream: int
    ) -> None:
        self._communication(Collective("receive", 0, buffer, count, kind, comm, peer=peer), stream)


def title(calls: Sequence[Collective]) -> str:
    """A name for what is one operation."""
    return " and ".join(dict.fromkeys(call.name for call in calls))


# -- MPI below.


class Library:
    """A library of MPI as a `mpi.Lane`, with a communicator of its own beside that of the program,
    so that what the device does meets nothing of the host. Raises DeviceError where threads may not
    call it."""

    def __init__(self, handle: int) -> None:
        self._library = mpi.opened_library()
        self._implementation = mpi.implementation_of(self._library)
        self._handle = ctypes.c_int32 if self._implementation == "MPICH" else ctypes.c_uint64
        provided = ctypes.c_int32(0)
        self.call("MPI_Query_thread", ctypes.addressof(provided))
        if provided.value < THREAD_MULTIPLE:
            raise DeviceError(
                "the MPI library was initialized for one thread: streams communicate in threads of "
                "their own, so begin with MPI_Init_thread(.., MPI_THREAD_MULTIPLE, ..)"
            )
        made = self._handle(0)
        self.call("MPI_Comm_dup", handle, ctypes.addressof(made))
        self.handle: int = made.value
        self.in_place = IN_PLACE[self._implementation] & (1 << 64) - 1
        self.status_ignore = STATUS_IGNORE[self._implementation]

    def call(self, name: str, *arguments: int) -> None:
        function = getattr(self._library, name)
        types = {"p": ctypes.c_uint64, "i": ctypes.c_int32, "h": self._handle}
        function.argtypes = [types[letter] for letter in SIGNATURES[name]]
        if code := function(*arguments):
            raise DeviceError(f"{name} failed with code {code}")

    def _address(self, symbol: str) -> int:
        return ctypes.addressof(ctypes.c_char.in_dll(self._library, symbol))

    def data_type(self, kind: str) -> int:
        if self._implementation == "MPICH":
            return MPICH_TYPES[kind]
        return self._address(f"ompi_mpi_{kind}")

    def reduction(self, name: str) -> int:
        if self._implementation == "MPICH":
            return MPICH_REDUCTION + REDUCTIONS.index(name)
        return self._address(f"ompi_mpi_op_{name}")

    def queued(self, number: int, name: str, where: str, behind: Sequence[int]) -> None:
        """A library needs no notice."""

    def begins(self, number: int, where: str) -> None: ...

    def ends(self, number: int) -> None: ...


def functions_for(handle: int) -> mpi.Lane:
    """MPI for a communicator of a device. All its ranks call this together."""
    serving = mpi.serving_rank()
    return Library(handle) if serving is None else serving.lane(handle)


class Communicator:
    """The ranks of one of MPI's communicators, as their devices use it."""

    def __init__(self, handle: int) -> None:
        self.functions: mpi.Lane = functions_for(handle)
        self.rank = self._number("MPI_Comm_rank")
        self.size = self._number("MPI_Comm_size")

    def _number(self, name: str) -> int:
        found = ctypes.c_int32(0)
        self.functions.call(name, self.functions.handle, ctypes.addressof(found))
        return found.value

    def share(self, address: int, size: int) -> None:
        """Gives all ranks the bytes of the first."""
        self.collect(Collective("broadcast", address, address, size, 0, 0))

    def _type(self, call: Collective) -> int:
        kind = ELEMENTS[call.kind].name
        if not kind:
            raise DeviceError("MPI has no type for floats of less than 32 bits: NCCL has")
        return self.functions.data_type(kind)

    def begin(self, call: Collective) -> Callable[[], None]:
        """Begins a message; what waits for it."""
        request = ctypes.c_uint64(0)
        place = ctypes.addressof(request)
        name, address = ("Isend", call.sent) if call.name == "send" else ("Irecv", call.received)
        functions, kind = self.functions, self._type(call)
        functions.call(
            f"MPI_{name}", address, call.count, kind, call.peer, 0, functions.handle, place
        )

        def wait() -> None:
            functions.call("MPI_Wait", ctypes.addressof(request), functions.status_ignore)

        return wait

    def collect(self, call: Collective) -> None:
        """Does a collective."""
        functions, kind, count = self.functions, self._type(call), call.count
        sent, received, comm = call.sent, call.received, self.functions.handle
        if call.name == "broadcast":
            functions.call("MPI_Bcast", sent, count, kind, call.peer, comm)
            return
        if call.name in ("all-gather", "all-to-all"):
            name = "MPI_Allgather" if call.name == "all-gather" else "MPI_Alltoall"
            part = count if call.name == "all-gather" else count // self.size
            functions.call(name, sent, part, kind, received, part, kind, comm)
            return
        reduction = functions.reduction(NCCL_REDUCTIONS[call.reduction])
        name = "MPI_Allreduce" if call.name == "all-reduce" else "MPI_Reduce_scatter_block"
        given = functions.in_place if sent == received else sent
        functions.call(name, given, received, count, kind, reduction, comm)


def perform(calls: Sequence[tuple[Communicator, Collective]]) -> None:
    """Does what is one operation: messages go on together, beside collectives in order."""
    waits = [comm.begin(call) for comm, call in calls if call.name in ("send", "receive")]
    for comm, call in calls:
        if call.name not in ("send", "receive"):
            comm.collect(call)
    for wait in waits:
        wait()
