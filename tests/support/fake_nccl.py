# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A stand-in for NCCL: it keeps books of communicators and calls, and moves nothing. Arguments must
be as nccl.h says, groups closed, communicators alive, memory and streams those of the driver.
"""

from __future__ import annotations

import ctypes
from typing import Any

from xgpu.runtime.cuda.communication import SIGNATURES, UniqueId

OK, INVALID_ARGUMENT, INVALID_USAGE = 0, 4, 5
#: What moves data, and the arguments that are a type, a reduction, the communicator.
_MOVES = {
    "AllGather": (3, None, 4), "AllReduce": (3, 4, 5), "Broadcast": (3, None, 5),
    "Recv": (2, None, 4), "ReduceScatter": (3, 4, 5), "Send": (2, None, 4),
}  # fmt: skip


class FakeNccl:
    """As a library that ctypes has opened. `calls` are names without the prefix, and arguments."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...]]] = []
        self.alive: dict[int, tuple[int, int]] = {}  # -> rank, ranks
        self.violations: list[str] = []
        self.fails: dict[str, int] = {}
        self.depth = 0

    def __getattr__(self, name: str) -> Any:
        if name == "ncclGetErrorString":
            function = _Words()
        elif name.startswith("nccl") and name.removeprefix("nccl") in SIGNATURES:
            function = _Function(self, name.removeprefix("nccl"))
        else:
            raise AttributeError(name)
        setattr(self, name, function)
        return function

    def check(self, condition: object, words: str) -> None:
        if not condition:
            self.violations.append(words)

    def call(self, name: str, arguments: tuple[Any, ...]) -> int:
        self.calls.append((name, arguments))
        if name in self.fails:
            return self.fails[name]
        if name in _MOVES:
            self._move(name, arguments)
        elif name in ("GroupStart", "GroupEnd"):
            self.depth += 1 if name == "GroupStart" else -1
            self.check(self.depth >= 0, "a group ends that has not begun")
        elif name == "GetUniqueId":
            ctypes.memset(arguments[0], 0x5A, ctypes.sizeof(UniqueId))
        elif name == "CommInitRank":
            place, ranks, unique, rank = arguments
            self.check(0 <= rank < ranks, f"rank {rank} of {ranks}")
            self.check(bytes(unique)[:1] == b"\x5a", "the unique id is not that of the first rank")
            self.check(not self.depth, "a communicator is made in a group")
            handle = 0x71000 + 0x100 * len(self.calls)
            self.alive[handle] = (rank, ranks)
            ctypes.c_uint64.from_address(place).value = handle
        else:
            self.check(self.alive.pop(arguments[0], None), "CommDestroy of what is not alive")
        return OK

    def _move(self, name: str, arguments: tuple[Any, ...]) -> None:
        kind, reduction, comm = _MOVES[name]
        self.check(arguments[comm] in self.alive, f"{name} on no communicator")
        self.check(0 <= arguments[kind] <= 11, f"{name} of no type")
        if reduction is not None:
            self.check(0 <= arguments[reduction] <= 4, f"{name} with no reduction")
        self.check(arguments[0], f"{name} of the null pointer")


class _Words:
    restype: Any = None

    def __call__(self, status: int) -> bytes:
        return f"words for {status}".encode()


class _Function:
    """A function that takes what the header says it does."""

    argtypes: Any = None
    restype: Any = None

    def __init__(self, library: FakeNccl, name: str) -> None:
        self._library = library
        self._name = name

    def __call__(self, *arguments: Any) -> int:
        library = self._library
        library.check(len(arguments) == len(SIGNATURES[self._name]), f"{self._name}: arguments")
        library.check(self.restype is ctypes.c_int, f"{self._name}: ncclResult_t is an int")
        values = [
            given if isinstance(given, UniqueId) else kind(given).value
            for kind, given in zip(self.argtypes, arguments, strict=True)
        ]
        return library.call(self._name, tuple(values))
