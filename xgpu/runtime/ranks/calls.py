# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MPI's functions for the program of one rank.

A rank has a file in memory. What it gives others it writes there; the world says where the others'
data lie, and each rank reads what it needs. All ranks reduce in the order of ranks, so that they
have equal results.

A buffer of a message that is under way belongs to the message: `touched` says where the program
uses it before it waits.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, NoReturn, TypedDict, Unpack, cast

from xgpu.core.support.mpi_abi import (
    ANY_SOURCE,
    IN_PLACE,
    MPICH_REDUCTION,
    MPICH_TYPES,
    MPICH_WORLD,
    OUTSIDE,
    PENDING,
    PROC_NULL,
    REDUCTIONS,
    SIGNATURES,
    STATUS_IGNORE,
    TOUCHED,
)
from xgpu.runtime import mpi
from xgpu.runtime.ranks.world import ANY, OPEN, WORLD, Call

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

#: Functions of MPI that ranks without a library do not have: those of threads.
_WITHOUT = frozenset(("MPI_Comm_dup", "MPI_Init_thread", "MPI_Query_thread"))

_NUMPY = {"float": "f4", "double": "f8", **{
    f"{sign}int{bits}_t": f"{letter}{bits // 8}"
    for sign, letter in (("", "i"), ("u", "u")) for bits in (8, 16, 32, 64)
}}  # fmt: skip
_REDUCES = {
    "max": "maximum", "min": "minimum", "sum": "add", "prod": "multiply", "land": "logical_and",
    "lor": "logical_or", "lxor": "logical_xor", "band": "bitwise_and", "bor": "bitwise_or",
    "bxor": "bitwise_xor",
}  # fmt: skip
#: The request of a message to or from no rank, which is complete.
_NO_REQUEST = 0
_MOST_BYTES = 1 << 30  # that one call of the operating system copies


# -- Handles.


class _Mpich:
    """Handles are numbers of 32 bits."""

    name = "MPICH"
    handle: type[ctypes._SimpleCData[int]] = ctypes.c_int32

    def __init__(self) -> None:
        self._types = {number: name for name, number in MPICH_TYPES.items()}

    def symbol(self, name: str) -> int:
        """The address of an object of the library."""
        raise KeyError(name)

    def kind(self, handle: int) -> str | None:
        return self._types.get(handle)

    def reduction(self, handle: int) -> str | None:
        number = handle - MPICH_REDUCTION
        return REDUCTIONS[number] if 0 < number < len(REDUCTIONS) else None

    def comm(self, handle: int) -> int:
        """The number of a communicator."""
        return handle - MPICH_WORLD

    def comm_handle(self, number: int) -> int:
        return MPICH_WORLD + number


class _OpenMpi:
    """Handles are addresses of objects."""

    name = "OpenMPI"
    handle: type[ctypes._SimpleCData[int]] = ctypes.c_uint64

    def __init__(self) -> None:
        self._objects: dict[str, ctypes.Array[ctypes.c_char]] = {}
        self._names: dict[int, str] = {}

    def symbol(self, name: str) -> int:
        if name not in self._objects:
            self._objects[name] = ctypes.create_string_buffer(8)
            self._names[ctypes.addressof(self._objects[name])] = name
        return ctypes.addressof(self._objects[name])

    def kind(self, handle: int) -> str | None:
        name = self._names.get(handle, "").removeprefix("ompi_mpi_")
        return name if name in _NUMPY else None

    def reduction(self, handle: int) -> str | None:
        name = self._names.get(handle, "").removeprefix("ompi_mpi_op_")
        return name if name in REDUCTIONS else None

    def comm(self, handle: int) -> int:
        return WORLD if self._names.get(handle) == "ompi_mpi_comm_world" else handle

    def comm_handle(self, number: int) -> int:
        return self.symbol("ompi_mpi_comm_world") if number == WORLD else number


# -- Memory.


class _File:
    """The blocks of a rank's file in memory."""

    def __init__(self, file: int) -> None:
        self.file = file
        self._sizes: dict[int, int] = {}
        self._end = 0
        #: Streams of a device put blocks too.
        self._lock = threading.Lock()

    def put(self, address: int, size: int) -> int:
        """Copies memory into a new block; where it lies."""
        with self._lock:
            block, self._end = self._end, self._end + max(size, 1)
            self._sizes[block] = size
        _copy(lambda data, at: os.pwritev(self.file, [data], at), address, size, block)
        return block

    def free(self, block: int) -> None:
        """Gives a block back. Once none is left the file begins anew."""
        with self._lock:
            self._sizes.pop(block, None)
            if not self._sizes:
                self._end = 0


def _copy(move: Callable[[memoryview, int], int], address: int, size: int, at: int) -> None:
    memory = memoryview((ctypes.c_char * size).from_address(address)).cast("B") if size else b""
    done = 0
    while done < size:
        done += move(memoryview(memory)[done : done + _MOST_BYTES], at + done)


# -- One rank.

#: A message that has arrived: its sender, its block and bytes there, and its number.
_Found = tuple[int, int, int, int]


@dataclass(slots=True)
class _Request:
    """A message under way: its buffer, and whether the message writes it."""

    begin: int
    end: int
    is_receive: bool
    where: str


class _Fields(TypedDict, total=False):
    """What a call may say besides (`Call`)."""

    kind: str
    count: int
    reduction: str
    peer: int
    tag: int
    size: int
    request: int


class _Stopped(Exception):
    """The world has found a mistake, and ends this process."""


class Rank:
    """MPI for a program, as long as its process is one of several that `join` a world.

    `where` says which line the program is at, `room` how many bytes there are from an address to
    the end of what was allocated, None where that is not known. `bytes_received` counts what came
    from other ranks, by the name of the operation.
    """

    def __init__(self) -> None:
        self.number = 0
        self.pending = ctypes.c_int32(0)
        self.bytes_received: Counter[str] = Counter()
        self.where: Callable[[], str | None] = lambda: None
        self.room: Callable[[int], int | None] = lambda address: None
        self._abi: _Mpich | _OpenMpi = _Mpich()
        self._files: Sequence[int] = ()
        self._requests: dict[int, _Request] = {}
        self._groups: dict[int, list[int]] = {}
        self.location_of: Callable[[int], str | None] = lambda number: None

    def join(
        self, number: int, channel: Connection, files: Sequence[int], answers: Connection
    ) -> None:
        """Be the rank of this process from now on, whose world is at the other end of a channel.
        Through another one come the answers to lanes of the device."""
        mpi.serve(self)
        self.number = number
        self._channel = channel
        self._lock = threading.Lock()
        self._lane_answers = answers
        self._lanes: dict[int, SimpleQueue[tuple[list[int], object] | None]] = {}
        self._files = files
        self._own = _File(files[number])
        self._groups = {WORLD: list(range(len(files)))}

    @contextmanager
    def serving(self) -> Generator[None]:
        """Programs that are linked meanwhile are for this rank."""
        before = mpi.serving_rank()
        mpi.serve(self)
        try:
            yield
        finally:
            mpi.serve(before)

    # -- What a program is linked with.

    def serves(self, name: str) -> bool:
        """Whether a function of a program is one of these."""
        return (name in SIGNATURES and name not in _WITHOUT) or name in (OUTSIDE, TOUCHED)

    def choose(self, symbols: Sequence[str]) -> None:
        """Take the binary interface of the implementation that these symbols are of."""
        is_open = any(name.startswith("ompi_mpi_") for name in symbols)
        self._abi = _OpenMpi() if is_open else _Mpich()

    def symbol(self, name: str) -> int | None:
        """The address of a variable of the library."""
        if name == PENDING:
            return ctypes.addressof(self.pending)
        return self._abi.symbol(name) if name.startswith("ompi_mpi_") else None

    def function(self, name: str) -> ctypes._CFunctionType:
        """A function as C calls it."""
        if name == OUTSIDE:
            return ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int32)(
                self._guarded(self._outside)
            )
        if name == TOUCHED:
            return ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_int64, ctypes.c_int32)(
                self._guarded(self._touched)
            )
        types = {"p": ctypes.c_uint64, "i": ctypes.c_int32, "h": self._abi.handle}
        parameters = [types[letter] for letter in SIGNATURES[name]]
        return ctypes.CFUNCTYPE(ctypes.c_int32, *parameters)(self._guarded(self._method(name)))

    def call(self, name: str, *arguments: int) -> None:
        """A function as Python calls it."""
        self._guarded(self._method(name))(*arguments)

    def _method(self, name: str) -> Callable[..., int | None]:
        return getattr(self, "_" + name.removeprefix("MPI_").lower())

    def _guarded(self, method: Callable[..., int | None]) -> Callable[..., int]:
        """Exceptions must not pass through the program: the world ends the process instead."""

        def call(*arguments: int) -> int:
            try:
                return method(*arguments) or 0
            except _Stopped:
                os._exit(0)
            except BaseException as problem:
                self._tell("mistake", f"fails: {problem!r}", self._at(), [])
                os._exit(1)

        return call

    # -- Talking to the world.

    def _at(self) -> str:
        return self.where() or ""

    def _tell(self, what: str, *given: object) -> None:
        try:
            with self._lock:
                self._channel.send((what, *given))
        except OSError:
            raise _Stopped from None

    def _ask(self, what: str, *given: object) -> object:
        """Tells the world, and waits for its answer."""
        self._tell(what, *given)
        try:
            free, value = self._channel.recv()
        except (EOFError, OSError):
            raise _Stopped from None
        for block in free:
            self._own.free(block)
        return value

    # -- Lanes of the device.

    def lane(self, handle: int) -> Lane:
        """A communicator for what this rank's device does; all ranks of `handle` call this."""
        call = Call(OPEN, self._at(), self._comm(handle))
        found = self._ask("collective", call, None)
        number, members, lane = cast("tuple[int, list[int], int]", found)
        if not self._lanes:
            threading.Thread(target=self._route, name="xgpu lanes", daemon=True).start()
        answers = self._lanes[lane] = SimpleQueue()
        return Lane(self, lane, answers, number, members)

    def _route(self) -> None:
        """Brings answers to the lanes that wait for them."""
        while True:
            try:
                lane, free, value = self._lane_answers.recv()
            except (EOFError, OSError):
                for waiting in self._lanes.values():
                    waiting.put(None)
                return
            self._lanes[lane].put((free, value))

    def waits(self, numbers: Sequence[int], where: str | None) -> None:
        """The host waits for its device, which goes on when this communication is over."""
        self._tell("waits", Call("gpu.wait", where or self._at(), queued=tuple(numbers)))

    def goes_on(self) -> None:
        """The host waits for its device no longer."""
        self._tell("goes_on")

    def _mistake(self, text: str, notes: Sequence[tuple[str, str]] = ()) -> NoReturn:
        self._ask("mistake", text, self._at(), list(notes))
        raise _Stopped

    def end(self, value: object, left: object) -> None:
        """The program has returned, and has left something besides."""
        self._tell("end", self._at())
        self._tell("done", value, dict(self.bytes_received), left)

    def fail(self, text: str) -> None:
        """The program has gone wrong."""
        self._tell("failed", text)

    # -- Arguments.

    def _comm(self, handle: int) -> int:
        number = self._abi.comm(handle)
        if number not in self._groups:
            self._mistake("uses what is no communicator of its own")
        return number

    def _call(self, name: str, comm: int, **fields: Unpack[_Fields]) -> Call:
        return Call(f"mpi.{name}", self._at(), comm, **fields)

    def _kind(self, handle: int) -> str:
        found = self._abi.kind(handle)
        if found is None:
            self._mistake("uses what is no type of MPI's")
        return found

    def _bytes(self, kind: str, count: int) -> int:
        return int(_NUMPY[kind][1:]) * count

    def _check_buffer(self, address: int, size: int, writes: bool, what: str) -> None:
        """Ends the rank where a buffer is too small, or belongs to a message under way."""
        room = self.room(address)
        if room is not None and size > room:
            self._mistake(f"has a {what} of {room} bytes where {size} are needed")
        self._check_use(address, size, writes, self._at())

    def _check_apart(self, sent: int, sent_size: int, received: int, size: int) -> None:
        if sent < received + size and received < sent + sent_size:
            self._mistake("sends from the buffer that it receives in")

    def _check_use(self, address: int, size: int, writes: bool, where: str) -> None:
        for request in self._requests.values():
            if address >= request.end or address + size <= request.begin:
                continue
            if not writes and not request.is_receive:
                continue
            name = "mpi.irecv" if request.is_receive else "mpi.isend"
            verb = "writes" if writes else "reads"
            self._ask(
                "mistake", f"{verb} the buffer of an {name} before it waits for it", where,
                [(f"{name} is here", request.where)],
            )  # fmt: skip
            raise _Stopped

    def _touched(self, address: int, size: int, code: int) -> None:
        """The program uses memory: `code` is twice the number of the location, and one more where
        it writes."""
        self._check_use(address, size, bool(code & 1), self.location_of(code >> 1) or self._at())

    def _outside(self, index: int, size: int, dimension: int) -> None:
        self._mistake(f"uses index {index} of dimension {dimension}, which has {size}")

    # -- Data of others.

    def _fetch(self, name: str, source: int, block: int, address: int, size: int) -> None:
        """Copies a part of a rank's file to memory."""
        file = self._files[source]
        _copy(lambda data, at: os.preadv(file, [data], at), address, size, block)
        if source != self.number:
            self.bytes_received[name] += size

    def _collective(self, call: Call, block: int = 0) -> list[int]:
        """The blocks that all ranks of the communicator give, in their order."""
        return cast("list[int]", self._ask("collective", call, block))

    def _round(self, call: Call, block: int = 0) -> list[int]:
        return cast("list[int]", self._ask("round", call.comm, block, call))

    def _reduced(
        self, call: Call, blocks: Sequence[int], skipped: int, count: int, address: int
    ) -> None:
        """Reduces a part of all ranks' blocks, which begins `skipped` bytes into each."""
        import numpy as np

        size = self._bytes(call.kind, count)
        buffer = ctypes.create_string_buffer(max(size, 1))
        place = ctypes.addressof(buffer)
        reduce: np.ufunc = getattr(np, _REDUCES[call.reduction])
        total: np.ndarray | None = None
        for member, block in zip(self._groups[call.comm], blocks, strict=True):
            self._fetch(call.name, member, block + skipped, place, size)
            part = np.frombuffer(bytearray(buffer.raw), _NUMPY[call.kind], count)
            total = part if total is None else reduce(total, part).astype(part.dtype)
        if total is not None:
            ctypes.memmove(address, total.tobytes(), size)

    def _reduction(self, handle: int, kind: str) -> str:
        found = self._abi.reduction(handle)
        if found not in _REDUCES:
            self._mistake(f"uses the reduction '{found}', which ranks without a library have not")
        if found in ("band", "bor", "bxor") and kind in ("float", "double"):
            self._mistake(f"reduces elements of type {kind} bit by bit")
        return found

    # -- Functions.

    def _init(self, _count: int, _words: int) -> None:
        self._ask("init", self._call("init", WORLD))

    def _finalize(self) -> None:
        self._collective(self._call("finalize", WORLD))

    def _comm_rank(self, handle: int, result: int) -> None:
        members = self._groups[self._comm(handle)]
        ctypes.c_int32.from_address(result).value = members.index(self.number)

    def _comm_size(self, handle: int, result: int) -> None:
        ctypes.c_int32.from_address(result).value = len(self._groups[self._comm(handle)])

    def _comm_split(self, handle: int, color: int, key: int, result: int) -> None:
        if color < 0:
            self._mistake(f"splits a communicator with color {color}")
        call = self._call("comm_split", self._comm(handle))
        found = self._ask("collective", call, (color, key))
        number, members = cast("tuple[int, list[int]]", found)
        self._groups[number] = members
        self._abi.handle.from_address(result).value = self._abi.comm_handle(number)

    def _error_class(self, code: int, result: int) -> None:
        ctypes.c_int32.from_address(result).value = code

    def _barrier(self, handle: int) -> None:
        self._collective(self._call("barrier", self._comm(handle)))

    def _bcast(self, address: int, count: int, kind: int, root: int, handle: int) -> None:
        call = self._call(
            "bcast", self._comm(handle), kind=self._kind(kind), count=count, peer=root
        )
        size = self._bytes(call.kind, count)
        members = self._groups[call.comm]
        is_root = members[root] == self.number if 0 <= root < len(members) else False
        self._check_buffer(address, size, not is_root, "buffer")
        block = self._own.put(address, size) if is_root else 0
        blocks = self._collective(call, block)
        if not is_root:
            self._fetch(call.name, members[root], blocks[root], address, size)
        self._round(call)
        if is_root:
            self._own.free(block)

    def _allgather(
        self, sent: int, count: int, kind: int, received: int, _: int, _kind: int, handle: int
    ) -> None:
        call = self._call("allgather", self._comm(handle), kind=self._kind(kind), count=count)
        size = self._bytes(call.kind, count)
        members = self._groups[call.comm]
        self._check_buffer(sent, size, False, "buffer to send")
        self._check_buffer(received, size * len(members), True, "buffer to receive in")
        self._check_apart(sent, size, received, size * len(members))
        block = self._own.put(sent, size)
        blocks = self._collective(call, block)
        for at, (member, other) in enumerate(zip(members, blocks, strict=True)):
            self._fetch(call.name, member, other, received + at * size, size)
        self._round(call)
        self._own.free(block)

    def _alltoall(
        self, sent: int, count: int, kind: int, received: int, _: int, _kind: int, handle: int
    ) -> None:
        call = self._call("alltoall", self._comm(handle), kind=self._kind(kind), count=count)
        size = self._bytes(call.kind, count)
        members = self._groups[call.comm]
        total = size * len(members)
        self._check_buffer(sent, total, False, "buffer to send")
        self._check_buffer(received, total, True, "buffer to receive in")
        self._check_apart(sent, total, received, total)
        block = self._own.put(sent, total)
        blocks = self._collective(call, block)
        own = members.index(self.number) * size
        for at, (member, other) in enumerate(zip(members, blocks, strict=True)):
            self._fetch(call.name, member, other + own, received + at * size, size)
        self._round(call)
        self._own.free(block)

    def _allreduce(
        self, sent: int, received: int, count: int, kind: int, op: int, handle: int
    ) -> None:
        """Each rank reduces its part, and reads those of the others."""
        call = self._reducing("allreduce", count, kind, op, handle)
        size = self._bytes(call.kind, count)
        in_place = sent == IN_PLACE[self._abi.name] & (1 << 64) - 1
        given = received if in_place else sent
        self._check_buffer(given, size, False, "buffer to send")
        self._check_buffer(received, size, True, "buffer to receive in")
        if not in_place:
            self._check_apart(given, size, received, size)
        members = self._groups[call.comm]
        bounds = [count * at // len(members) for at in range(len(members) + 1)]
        steps = [self._bytes(call.kind, bound) for bound in bounds]
        own = members.index(self.number)
        block = self._own.put(given, size)
        blocks = self._collective(call, block)
        part, number = received + steps[own], bounds[own + 1] - bounds[own]
        self._reduced(call, blocks, steps[own], number, part)
        reduced = self._own.put(part, steps[own + 1] - steps[own])
        for at, other in enumerate(self._round(call, reduced)):
            if at != own:
                to, length = received + steps[at], steps[at + 1] - steps[at]
                self._fetch(call.name, members[at], other, to, length)
        self._round(call)
        self._own.free(block)
        self._own.free(reduced)

    def _reduce_scatter_block(
        self, sent: int, received: int, count: int, kind: int, op: int, handle: int
    ) -> None:
        call = self._reducing("reduce_scatter_block", count, kind, op, handle)
        size = self._bytes(call.kind, count)
        members = self._groups[call.comm]
        total = size * len(members)
        self._check_buffer(sent, total, False, "buffer to send")
        self._check_buffer(received, size, True, "buffer to receive in")
        self._check_apart(sent, total, received, size)
        block = self._own.put(sent, total)
        blocks = self._collective(call, block)
        self._reduced(call, blocks, members.index(self.number) * size, count, received)
        self._round(call)
        self._own.free(block)

    def _reducing(self, name: str, count: int, kind: int, op: int, handle: int) -> Call:
        element = self._kind(kind)
        reduction = self._reduction(op, element)
        return self._call(name, self._comm(handle), kind=element, count=count, reduction=reduction)

    # -- Messages.

    def _message(self, name: str, count: int, kind: int, peer: int, tag: int, handle: int) -> Call:
        element = self._kind(kind)
        if name in ("recv", "irecv") and peer == ANY_SOURCE[self._abi.name]:
            peer = ANY
        elif peer == ANY:
            peer = ANY - 1  # no rank in any implementation
        size = self._bytes(element, count)
        return self._call(
            name, self._comm(handle), kind=element, count=count, peer=peer, tag=tag, size=size
        )

    def _is_null_process(self, peer: int) -> bool:
        """Whether a message is to or from no rank: then nothing is done."""
        return peer == PROC_NULL[self._abi.name]

    def _send(
        self, address: int, count: int, kind: int, target: int, tag: int, handle: int
    ) -> None:
        if self._is_null_process(target):
            return
        call = self._message("send", count, kind, target, tag, handle)
        self._check_buffer(address, call.size, False, "buffer to send")
        call.block = self._own.put(address, call.size)
        self._ask("send", call, True)

    def _recv(
        self, address: int, count: int, kind: int, source: int, tag: int, handle: int, _: int
    ) -> None:
        if self._is_null_process(source):
            return
        call = self._message("recv", count, kind, source, tag, handle)
        self._check_buffer(address, call.size, True, "buffer to receive in")
        self._take(call.name, address, cast("_Found", self._ask("receive", call, True)))

    def _take(self, name: str, address: int, found: _Found) -> None:
        sender, block, size, number = found
        self._fetch(name, sender, block, address, size)
        self._tell("received", number)

    def _isend(
        self, address: int, count: int, kind: int, target: int, tag: int, handle: int, result: int
    ) -> None:
        if self._is_null_process(target):
            self._abi.handle.from_address(result).value = _NO_REQUEST
            return
        call = self._message("isend", count, kind, target, tag, handle)
        self._check_buffer(address, call.size, False, "buffer to send")
        call.block = self._own.put(address, call.size)
        self._started(
            cast("int", self._ask("send", call, False)), call, address, result, is_receive=False
        )

    def _irecv(
        self, address: int, count: int, kind: int, source: int, tag: int, handle: int, result: int
    ) -> None:
        if self._is_null_process(source):
            self._abi.handle.from_address(result).value = _NO_REQUEST
            return
        call = self._message("irecv", count, kind, source, tag, handle)
        self._check_buffer(address, call.size, True, "buffer to receive in")
        self._started(
            cast("int", self._ask("receive", call, False)), call, address, result, is_receive=True
        )

    def _started(
        self, number: int, call: Call, address: int, result: int, *, is_receive: bool
    ) -> None:
        self._requests[number] = _Request(address, address + call.size, is_receive, call.where)
        self.pending.value = len(self._requests)
        self._abi.handle.from_address(result).value = number

    def _wait(self, request: int, _: int) -> None:
        number = self._abi.handle.from_address(request).value
        if number == _NO_REQUEST:
            return
        found = self._ask("wait", self._call("wait", WORLD, request=number))
        message = self._requests.pop(number)
        self.pending.value = len(self._requests)
        if message.is_receive:
            self._take("mpi.irecv", message.begin, cast("_Found", found))


class Lane(Rank):
    """A communicator of what a rank's device does. Its functions are called in the threads of
    streams, by one of them at a time."""

    def __init__(
        self, rank: Rank, lane: int, answers: SimpleQueue[tuple[list[int], object] | None],
        comm: int, members: list[int],
    ) -> None:  # fmt: skip
        super().__init__()
        self.number = rank.number
        self.bytes_received = rank.bytes_received
        self._abi, self._files, self._own = rank._abi, rank._files, rank._own
        self._groups = {comm: members}
        self._rank = rank
        self._lane = lane
        self._answers = answers
        #: The handle of the communicator.
        self.handle = self._abi.comm_handle(comm)
        self.members = members
        self._place = ""

    def _at(self) -> str:
        return self._place

    def _tell(self, what: str, *given: object) -> None:
        self._rank._tell("lane", self._lane, what, *given)

    def _ask(self, what: str, *given: object) -> object:
        self._tell(what, *given)
        answer = self._answers.get()
        if answer is None:
            raise _Stopped
        free, value = answer
        for block in free:
            self._own.free(block)
        return value

    def data_type(self, kind: str) -> int:
        """The handle of a type."""
        if isinstance(self._abi, _Mpich):
            return MPICH_TYPES[kind]
        return self._abi.symbol(f"ompi_mpi_{kind}")

    def reduction(self, name: str) -> int:
        """The handle of a reduction."""
        if isinstance(self._abi, _Mpich):
            return MPICH_REDUCTION + REDUCTIONS.index(name)
        return self._abi.symbol(f"ompi_mpi_op_{name}")

    @property
    def in_place(self) -> int:
        """The address that stands for the receive buffer."""
        return IN_PLACE[self._abi.name] & (1 << 64) - 1

    @property
    def status_ignore(self) -> int:
        """The address that stands for no status."""
        return STATUS_IGNORE[self._abi.name]

    def queued(self, number: int, name: str, where: str, behind: Sequence[int]) -> None:
        """The host has put communication on a stream, behind other such."""
        self._rank._tell("queue", number, Call(name, where), self._lane, list(behind))

    def begins(self, number: int, where: str) -> None:
        """It begins, and its calls follow."""
        self._place = where
        self._tell("begin_queued", number)

    def ends(self, number: int) -> None:
        """It is over."""
        self._tell("end_queued", number)
