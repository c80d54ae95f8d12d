# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Communication of the cuda device with those of other ranks, by NCCL.

A communicator of NCCL is made when one of MPI's is first used on the device: its first rank makes
the unique id, which MPI brings to the others. Signatures and numbers: nccl.h of NCCL 2.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from xgpu.core.ir.errors import DeviceError
from xgpu.runtime.collectives import (
    ELEMENTS,
    Collective,
    CommunicationFunctions,
    Communicator,
    title,
)
from xgpu.runtime.cuda.sparse_library import load_library

UNIQUE_ID_BYTES = 128
#: ncclResult_t
RESULTS = (
    "ncclSuccess", "ncclUnhandledCudaError", "ncclSystemError", "ncclInternalError",
    "ncclInvalidArgument", "ncclInvalidUsage", "ncclRemoteError", "ncclInProgress", "ncclTimeout",
)  # fmt: skip


class UniqueId(ctypes.Structure):
    """ncclUniqueId, which functions take by value."""

    _fields_ = [("internal", ctypes.c_char * UNIQUE_ID_BYTES)]


_POINTER, _SIZE, _NUMBER = ctypes.c_uint64, ctypes.c_size_t, ctypes.c_int
#: What each function takes, without the prefix: addresses and handles, sizes, enumerations.
SIGNATURES: dict[str, tuple[type, ...]] = {
    "AllGather": (_POINTER, _POINTER, _SIZE, _NUMBER, _POINTER, _POINTER),
    "AllReduce": (_POINTER, _POINTER, _SIZE, _NUMBER, _NUMBER, _POINTER, _POINTER),
    "Broadcast": (_POINTER, _POINTER, _SIZE, _NUMBER, _NUMBER, _POINTER, _POINTER),
    "CommDestroy": (_POINTER,),
    "CommInitRank": (_POINTER, _NUMBER, UniqueId, _NUMBER),
    "GetUniqueId": (_POINTER,),
    "GroupEnd": (),
    "GroupStart": (),
    "Recv": (_POINTER, _SIZE, _NUMBER, _NUMBER, _POINTER, _POINTER),
    "ReduceScatter": (_POINTER, _POINTER, _SIZE, _NUMBER, _NUMBER, _POINTER, _POINTER),
    "Send": (_POINTER, _SIZE, _NUMBER, _NUMBER, _POINTER, _POINTER),
}


class Nccl:
    """The library; each call is checked."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        self._functions: dict[str, Callable[..., int]] = {}

    def call(self, name: str, *arguments: object, doing: str = "") -> None:
        """Raises `DeviceError` with NCCL's name and words for anything but success."""
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = self._function(name)
        if status := function(*arguments):
            what = f"{doing}: " if doing else ""
            raise DeviceError(f"{what}nccl{name} failed with {self._describe(status)}")

    def _function(self, name: str) -> Callable[..., int]:
        found = getattr(self._library, f"nccl{name}")
        found.argtypes = list(SIGNATURES[name])
        found.restype = ctypes.c_int
        return found

    def _describe(self, status: int) -> str:
        name = RESULTS[status] if 0 <= status < len(RESULTS) else f"status {status}"
        words = self._library.ncclGetErrorString
        words.restype = ctypes.c_char_p
        return f"{name} ({(words(status) or b'').decode(errors='replace')})"


def load_nccl() -> Nccl:
    """NCCL. Raises `DeviceError` that says what to install."""
    return Nccl(load_library("nccl", "NCCL", "libnccl.so.2", "nvidia-nccl-cu12", newer="-cu13"))


class CudaCommunication(CommunicationFunctions):
    """The functions of the cuda device that communicate."""

    _current: Callable[..., AbstractContextManager[None]]
    _home: Callable[[int], int]
    _placed: Callable[[int], int]
    _operation: Callable[..., object]

    def __init__(self) -> None:
        self._nccl: Nccl | None = None
        #: By MPI's handle and device: NCCL's communicator, and the ranks in it.
        self._communicators: dict[tuple[int, int], tuple[int, Communicator]] = {}

    @property
    def _library_of_ranks(self) -> Nccl:
        if self._nccl is None:
            self._nccl = load_nccl()
        return self._nccl

    def _communicator(self, handle: int, on: int) -> tuple[int, Communicator]:
        found = self._communicators.get((handle, on))
        if found is None:
            found = self._communicators[handle, on] = self._initialized(handle, on)
        return found

    def _initialized(self, handle: int, on: int) -> tuple[int, Communicator]:
        ranks, library = Communicator(handle), self._library_of_ranks
        unique = UniqueId()
        if ranks.rank == 0:
            library.call("GetUniqueId", ctypes.addressof(unique))
        ranks.share(ctypes.addressof(unique), UNIQUE_ID_BYTES)
        made = ctypes.c_uint64(0)
        with self._current(on):
            library.call(
                "CommInitRank", ctypes.addressof(made), ranks.size, unique, ranks.rank,
                doing=f"rank {ranks.rank} of {ranks.size}",
            )  # fmt: skip
        return made.value, ranks

    def _communicate(self, calls: Sequence[Collective], stream: int) -> None:
        placed = self._placed(stream)
        on, library = self._home(placed), self._library_of_ranks
        # All ranks make communicators in the order of their calls, outside of groups.
        comms = [self._communicator(call.comm, on) for call in calls]
        messages = [
            message
            for call, (comm, ranks) in zip(calls, comms, strict=True)
            for message in _calls(call, comm, ranks.size, placed)
        ]

        def do() -> None:
            if len(messages) > 1:
                library.call("GroupStart")
            for name, *arguments in messages:
                library.call(name, *arguments)
            if len(messages) > 1:
                library.call("GroupEnd")

        self._operation(
            title(calls), "communication", placed, do, bytes=sum(call.bytes for call in calls)
        )

    def _release_communicators(self) -> None:
        for (_, on), (comm, _ranks) in self._communicators.items():
            with contextlib.suppress(DeviceError), self._current(on):
                self._library_of_ranks.call("CommDestroy", comm)
        self._communicators.clear()


#: A function of NCCL without its prefix, and its arguments.
_Call = tuple[str, *tuple[int, ...]]


def _calls(call: Collective, comm: int, size: int, stream: int) -> list[_Call]:
    """The calls of NCCL that a collective is."""
    sent, received, count, kind = call.sent, call.received, call.count, call.kind
    end = (comm, stream)
    match call.name:
        case "all-reduce":
            return [("AllReduce", sent, received, count, kind, call.reduction, *end)]
        case "reduce-scatter":
            return [("ReduceScatter", sent, received, count, kind, call.reduction, *end)]
        case "all-gather":
            return [("AllGather", sent, received, count, kind, *end)]
        case "broadcast":
            return [("Broadcast", sent, received, count, kind, call.peer, *end)]
        case "send":
            return [("Send", sent, count, kind, call.peer, *end)]
        case "receive":
            return [("Recv", received, count, kind, call.peer, *end)]
        case _:
            part = count // size
            step = part * ELEMENTS[kind].size
            found: list[_Call] = []
            for peer in range(size):
                found.append(("Send", sent + peer * step, part, kind, peer, *end))
                found.append(("Recv", received + peer * step, part, kind, peer, *end))
            return found
