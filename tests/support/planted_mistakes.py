# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes of communication, each with what is said of it and the same program without it.

Each is what stands between the beginning of a function, which all have, and its end. `%rank` is
the rank, `%first` whether it is 0, `%a` and `%b` are buffers of 8 floats, `%a4` of 4, `%i` of 8
integers; `%r0` to `%r2` are numbers for ranks, `%t5` and `%t6` for tags.
"""

from __future__ import annotations

from dataclasses import dataclass

F8, F4, I8 = "memref<8xf32>", "memref<4xf32>", "memref<8xi32>"


@dataclass(frozen=True)
class Planted:
    """A mistake: its name, how many ranks make it, what is said, the program and its twin."""

    name: str
    ranks: int
    said: str
    wrong: str
    right: str
    #: Whether the function has no `mpi.init` and `mpi.finalize` but its own.
    is_bare: bool = False


def _either(first: str, others: str) -> str:
    return f"scf.if %first {{\n{first}\n}} else {{\n{others}\n}}"


def _lines(*lines: str) -> str:
    return "\n".join(lines)


def _allreduce(buffer: str = "%a", kind: str = F8, op: str = "MPI_SUM") -> str:
    return f"mpi.allreduce({buffer}, {buffer}, {op}, %comm) : {kind}, {kind}"


def _bcast(root: str, buffer: str = "%a", kind: str = F8) -> str:
    return f"mpi.bcast({buffer}, {root}, %comm) : {kind}, i32"


def _two(op: str, sent: str, sent_kind: str, received: str, kind: str) -> str:
    op, _, reduction = op.partition(" ")
    more = f"{reduction}, " if reduction else ""
    return f"mpi.{op}({sent}, {received}, {more}%comm) : {sent_kind}, {kind}"


def _send(
    to: str, tag: str = "%t5", buffer: str = "%a", kind: str = F8, comm: str = "%comm"
) -> str:
    return f"mpi.send({buffer}, {tag}, {to}, {comm}) : {kind}, i32, i32"


def _recv(
    of: str, tag: str = "%t5", buffer: str = "%b", kind: str = F8, comm: str = "%comm"
) -> str:
    return f"mpi.recv({buffer}, {tag}, {of}, {comm}) : {kind}, i32, i32"


def _isend(to: str, request: str = "%q", buffer: str = "%a", tag: str = "%t5") -> str:
    return f"{request} = mpi.isend({buffer}, {tag}, {to}, %comm) : {F8}, i32, i32 -> !mpi.request"


def _irecv(of: str, request: str = "%q", buffer: str = "%b", tag: str = "%t5") -> str:
    return f"{request} = mpi.irecv({buffer}, {tag}, {of}, %comm) : {F8}, i32, i32 -> !mpi.request"


def _wait(request: str = "%q") -> str:
    return f"mpi.wait({request}) : !mpi.request"


_BARRIER = "mpi.barrier(%comm)"
_STORE = f"memref.store %x, %a[%c0] : {F8}"
_LOAD = f"%l = memref.load %b[%c0] : {F8}\nfunc.call @use(%l) : (f32) -> ()"
_SPLIT = "{0} = mpi.comm_split(%comm, %r0, %rank) : !mpi.comm"
_AGAIN = "{0} = mpi.comm_split(%comm, %r0, %t5) : !mpi.comm"


COLLECTIVES = [
    Planted("not called by all", 2, r"rank 1 calls mpi.finalize where rank 0 calls mpi.barrier"
            r"|rank 0 calls mpi.barrier where rank 1 calls mpi.finalize",
            _either(_BARRIER, ""), _either(_BARRIER, _BARRIER)),
    Planted("another order", 2, r"calls mpi.(allreduce|barrier) where rank . calls",
            _either(_lines(_BARRIER, _allreduce()), _lines(_allreduce(), _BARRIER)),
            _either(_lines(_BARRIER, _allreduce()), _lines(_BARRIER, _allreduce()))),
    Planted("once more", 2, r"where rank . calls mpi\.",
            "%n = arith.select %first, %c2, %c3 : index\n"
            f"scf.for %k = %c0 to %n step %c1 {{\n{_allreduce()}\n}}",
            f"scf.for %k = %c0 to %c3 step %c1 {{\n{_allreduce()}\n}}"),
    Planted("counts of a reduction", 2, r"a number of elements of [48], rank . with [48]",
            _either(_allreduce(), _allreduce("%a4", F4)),
            _either(_allreduce(), _allreduce("%b"))),
    Planted("types of a reduction", 2, r"elements of type (float|int32_t), rank . with",
            _either(_allreduce(), _allreduce("%i", I8)), _either(_allreduce(), _allreduce())),
    Planted("reductions", 2, r"reduction (sum|max), rank . with (sum|max)",
            _either(_allreduce(), _allreduce(op="MPI_MAX")),
            _either(_allreduce(op="MPI_MAX"), _allreduce(op="MPI_MAX"))),
    Planted("bits of floats", 2, r"reduces elements of type float bit by bit",
            _allreduce(op="MPI_BAND"), _allreduce("%i", I8, "MPI_BAND")),
    Planted("roots", 2, r"root [01], rank . with [01]", _bcast("%rank"), _bcast("%r1")),
    Planted("no such root", 2, r"root 2 of a communicator of 2 ranks", _bcast("%r2"),
            _bcast("%r0")),
    Planted("counts of a broadcast", 3, r"a number of elements of [48], rank . with [48]",
            _either(_bcast("%r0"), _bcast("%r0", "%a4", F4)),
            _either(_bcast("%r0", "%a4", F4), _bcast("%r0", "%a4", F4))),
    Planted("room to gather", 2, r"buffer to receive in of 32 bytes where 64 are needed",
            _two("allgather", "%a", F8, "%b", F8), _two("allgather", "%a4", F4, "%b", F8)),
    Planted("room to exchange", 2, r"buffer to receive in of 16 bytes where 32 are needed",
            _two("alltoall", "%a", F8, "%a4", F4), _two("alltoall", "%a", F8, "%b", F8)),
    Planted("parts to scatter", 2, r"buffer to send of 32 bytes where 64 are needed",
            _two("reduce_scatter_block MPI_SUM", "%a", F8, "%b", F8),
            _two("reduce_scatter_block MPI_SUM", "%a", F8, "%a4", F4)),
    Planted("one buffer for both", 2, r"sends from the buffer that it receives in",
            f"%v = memref.cast %a : {F8} to memref<?xf32>\n"
            "mpi.allreduce(%a, %v, MPI_SUM, %comm) : memref<8xf32>, memref<?xf32>",
            _allreduce()),
    Planted("split by some", 2, r"where rank . calls mpi\.",
            _either(_lines(_SPLIT.format("%s"), "mpi.barrier(%s)"), ""),
            _lines(_SPLIT.format("%s"), "mpi.barrier(%s)")),
    Planted("on another communicator", 2, r"ranks wait for ever: rank 0 waits in mpi.barrier",
            _lines(_SPLIT.format("%s"), _either(_BARRIER, "mpi.barrier(%s)")),
            _lines(_SPLIT.format("%s"), _either("mpi.barrier(%s)", "mpi.barrier(%s)"))),
    Planted("two communicators", 2, r"ranks wait for ever: rank 0 waits in mpi.barrier for rank 1",
            _lines(_SPLIT.format("%s"), _AGAIN.format("%u"),
                   _either("mpi.barrier(%s)\nmpi.barrier(%u)", "mpi.barrier(%u)\nmpi.barrier(%s)")),
            _lines(_SPLIT.format("%s"), _AGAIN.format("%u"),
                   _either("mpi.barrier(%s)\nmpi.barrier(%u)",
                           "mpi.barrier(%s)\nmpi.barrier(%u)"))),
]  # fmt: skip

MESSAGES = [
    Planted("a receive without a send", 2, r"rank 1 waits in mpi.recv for a message of rank 0|"
            r"ranks wait for ever",
            _either("", _recv("%r0")), _either(_send("%r1"), _recv("%r0"))),
    Planted("a send without a receive", 2, r"waits in mpi.send until rank 1 receives with tag 5",
            _either(_send("%r1"), ""), _either(_send("%r1"), _recv("%r0"))),
    Planted("another tag", 2, r"until rank 1 receives with tag 5",
            _either(_send("%r1"), _recv("%r0", "%t6")), _either(_send("%r1"), _recv("%r0"))),
    Planted("another source", 3, r"ranks wait for ever",
            _either(_send("%r1"), f"scf.if %second {{\n{_recv('%r2')}\n}}"),
            _either(_send("%r1"), f"scf.if %second {{\n{_recv('%r0')}\n}}")),
    Planted("both receive first", 2, r"rank 0 waits in mpi.recv for a message of rank 1",
            _either(_lines(_recv("%r1"), _send("%r1")), _lines(_recv("%r0"), _send("%r0"))),
            _either(_lines(_send("%r1"), _recv("%r1")), _lines(_recv("%r0"), _send("%r0")))),
    Planted("both send first", 2, r"rank 0 waits in mpi.send until rank 1 receives",
            _lines(_send("%other"), _recv("%other")),
            _lines(_isend("%other"), _recv("%other"), _wait())),
    Planted("a ring", 3, r"rank 0 waits in mpi.recv for a message of rank 2",
            _lines(_recv("%before"), _send("%after")),
            _either(_lines(_send("%after"), _recv("%before")),
                    _lines(_recv("%before"), _send("%after")))),
    Planted("types of a message", 2, r"elements of type float, which receives them as int32_t",
            _either(_send("%r1"), _recv("%r0", buffer="%i", kind=I8)),
            _either(_send("%r1", buffer="%i", kind=I8), _recv("%r0", buffer="%i", kind=I8))),
    Planted("a longer message", 2, r"8 elements, whose buffer has room for 4",
            _either(_send("%r1"), _recv("%r0", buffer="%a4", kind=F4)),
            _either(_send("%r1", buffer="%a4", kind=F4), _recv("%r0"))),
    Planted("no such destination", 2, r"destination 2 of a communicator of 2",
            _either(_send("%r2"), ""), _either(_send("%r1"), _recv("%r0"))),
    Planted("no such source", 2, r"source 2 of a communicator of 2",
            _either("", _recv("%r2")), _either(_send("%r1"), _recv("%r0"))),
    Planted("no tag", 2, r"tag -7, which is none",
            _either(_send("%r1", "%none"), _recv("%r0", "%none")),
            _either(_send("%r1"), _recv("%r0"))),
    Planted("to itself", 2, r"rank 0 waits in mpi.send until rank 0 receives",
            _either(_lines(_send("%r0"), _recv("%r0")), ""),
            _either(_lines(_isend("%r0"), _recv("%r0"), _wait()), "")),
    Planted("two tags in another order", 2, r"ranks wait for ever",
            _either(_lines(_send("%r1", "%t5"), _send("%r1", "%t6")),
                    _lines(_recv("%r0", "%t6"), _recv("%r0", "%t5"))),
            _either(_lines(_send("%r1", "%t5"), _send("%r1", "%t6")),
                    _lines(_recv("%r0", "%t5"), _recv("%r0", "%t6")))),
    Planted("a barrier between", 2, r"rank 0 waits in mpi.barrier for rank 1",
            _either(_lines(_BARRIER, _send("%r1")), _lines(_recv("%r0"), _BARRIER)),
            _either(_lines(_send("%r1"), _BARRIER), _lines(_recv("%r0"), _BARRIER))),
    Planted("a message of another communicator", 2, r"ranks wait for ever",
            _lines(_SPLIT.format("%s"), _either(_send("%r1"), _recv("%r0", comm="%s"))),
            _lines(_SPLIT.format("%s"),
                   _either(_send("%r1", comm="%s"), _recv("%r0", comm="%s")))),
]  # fmt: skip

REQUESTS = [
    Planted("a store before the wait", 2, r"rank 0 writes the buffer of an mpi.isend before",
            _either(_lines(_isend("%r1"), _STORE, _wait()), _recv("%r0")),
            _either(_lines(_isend("%r1"), _wait(), _STORE), _recv("%r0"))),
    Planted("a load before the wait", 2, r"rank 1 reads the buffer of an mpi.irecv before",
            _either(_send("%r1"), _lines(_irecv("%r0"), _LOAD, _wait())),
            _either(_send("%r1"), _lines(_irecv("%r0"), _wait(), _LOAD))),
    Planted("a store to what is received", 2, r"rank 1 writes the buffer of an mpi.irecv before",
            _either(_send("%r1"), _lines(_irecv("%r0", buffer="%a"), _STORE, _wait())),
            _either(_send("%r1"), _lines(_STORE, _irecv("%r0", buffer="%a"), _wait()))),
    Planted("a copy before the wait", 2, r"rank 1 reads the buffer of an mpi.irecv before",
            _either(_send("%r1"), _lines(
                _irecv("%r0"), f"memref.copy %b, %a : {F8} to {F8}", _wait())),
            _either(_send("%r1"), _lines(
                _irecv("%r0"), _wait(), f"memref.copy %b, %a : {F8} to {F8}"))),
    Planted("released before the wait", 2, r"rank 0 writes the buffer of an mpi.isend before",
            _either(_lines(f"%d = memref.alloc() : {F8}", _isend("%r1", buffer="%d"),
                           f"memref.dealloc %d : {F8}", _wait()), _recv("%r0")),
            _either(_lines(f"%d = memref.alloc() : {F8}", _isend("%r1", buffer="%d"),
                           _wait(), f"memref.dealloc %d : {F8}"), _recv("%r0"))),
    Planted("a send that is not waited for", 2, r"while a request is not waited for",
            _either(_isend("%r1"), _recv("%r0")),
            _either(_lines(_isend("%r1"), _wait()), _recv("%r0"))),
    Planted("a receive that is not waited for", 2, r"while a request is not waited for",
            _either(_send("%r1"), _irecv("%r0")),
            _either(_send("%r1"), _lines(_irecv("%r0"), _wait()))),
    Planted("waited for twice", 2, r"waits for a request again",
            _either(_lines(_isend("%r1"), _wait(), _wait()), _recv("%r0")),
            _either(_lines(_isend("%r1"), _isend("%r1", "%p"), _wait(), _wait("%p")),
                    _lines(_recv("%r0"), _recv("%r0")))),
    Planted("received over what is sent", 2, r"writes the buffer of an mpi.isend before",
            _lines(_isend("%other"), _recv("%other", buffer="%a"), _wait()),
            _lines(_isend("%other"), _recv("%other"), _wait())),
    Planted("sent from what is received", 2, r"rank 1 reads the buffer of an mpi.irecv before",
            _either(_lines(_send("%r1"), _recv("%r1")),
                    _lines(_irecv("%r0"), _send("%r0", buffer="%b"), _wait())),
            _either(_lines(_send("%r1"), _recv("%r1")),
                    _lines(_irecv("%r0"), _wait(), _send("%r0", buffer="%b")))),
    Planted("two receives in one buffer", 2, r"writes the buffer of an mpi.irecv before",
            _either(_lines(_send("%r1"), _send("%r1")),
                    _lines(_irecv("%r0"), _irecv("%r0", "%p"), _wait(), _wait("%p"))),
            _either(_lines(_send("%r1"), _send("%r1")),
                    _lines(_irecv("%r0"), _irecv("%r0", "%p", "%a"), _wait(), _wait("%p")))),
    Planted("a collective on what is received", 2, r"rank 1 (reads|writes) the buffer of an mpi",
            _either(_lines(_send("%r1"), _allreduce("%b")),
                    _lines(_irecv("%r0"), _allreduce("%b"), _wait())),
            _either(_lines(_send("%r1"), _allreduce("%b")),
                    _lines(_irecv("%r0"), _wait(), _allreduce("%b")))),
    Planted("a request of another message", 2, r"rank 1 waits in mpi.wait for a message of rank 0",
            _either("", _lines(_irecv("%r0"), _wait())),
            _either(_send("%r1"), _lines(_irecv("%r0"), _wait()))),
]  # fmt: skip

LIVES = [
    Planted("before mpi.init", 2, r"calls mpi.barrier before mpi.init",
            "mpi.barrier(%comm)\nmpi.init\nmpi.finalize",
            "mpi.init\nmpi.barrier(%comm)\nmpi.finalize", is_bare=True),
    Planted("after mpi.finalize", 2, r"calls mpi.barrier after mpi.finalize",
            "mpi.init\nmpi.finalize\nmpi.barrier(%comm)",
            "mpi.init\nmpi.barrier(%comm)\nmpi.finalize", is_bare=True),
    Planted("mpi.init twice", 2, r"calls mpi.init",
            "mpi.init\nmpi.init\nmpi.finalize", "mpi.init\nmpi.finalize", is_bare=True),
    Planted("no mpi.finalize", 2, r"ends without mpi.finalize", "mpi.init",
            "mpi.init\nmpi.finalize", is_bare=True),
]  # fmt: skip

HALOS = [
    # A shard of 4 rows and a halo below and above, of which the rows around each are summed.
    Planted("a halo too small", 2, r"uses index (-1|8) of dimension 0, which has 8",
            "func.call @around(%a, %c2) : (memref<8xf32>, index) -> ()",
            "func.call @around(%a, %c1) : (memref<8xf32>, index) -> ()"),
    Planted("an index out of bounds", 2, r"uses index 8 of dimension 0, which has 8",
            f"%l = memref.load %b[%c8] : {F8}\nfunc.call @use(%l) : (f32) -> ()",
            f"%l = memref.load %b[%c7] : {F8}\nfunc.call @use(%l) : (f32) -> ()"),
]  # fmt: skip

PLANTED = [*COLLECTIVES, *MESSAGES, *REQUESTS, *LIVES, *HALOS]

_SHARED = f"""
func.func private @use(%x: f32) attributes {{no_inline}} {{
  %m = memref.alloc() : memref<1xf32>
  %c0 = arith.constant 0 : index
  memref.store %x, %m[%c0] : memref<1xf32>
  memref.dealloc %m : memref<1xf32>
  return
}}
func.func private @around(%a: {F8}, %reach: index) attributes {{no_inline}} {{
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %k = %c1 to %c7 step %c1 {{
    %below = arith.subi %k, %reach : index
    %above = arith.addi %k, %reach : index
    %l = memref.load %a[%below] : {F8}
    %u = memref.load %a[%above] : {F8}
    %s = arith.addf %l, %u : f32
    func.call @use(%s) : (f32) -> ()
  }}
  return
}}
"""

_HEAD = f"""
  %comm = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%comm) : i32
  %size = mpi.comm_size(%comm) : i32
  %r0 = arith.constant 0 : i32
  %r1 = arith.constant 1 : i32
  %r2 = arith.constant 2 : i32
  %t5 = arith.constant 5 : i32
  %t6 = arith.constant 6 : i32
  %none = arith.constant -7 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %x = arith.constant 1.0 : f32
  %first = arith.cmpi eq, %rank, %r0 : i32
  %second = arith.cmpi eq, %rank, %r1 : i32
  %other = arith.subi %r1, %rank : i32
  %next = arith.addi %rank, %r1 : i32
  %after = arith.remsi %next, %size : i32
  %back = arith.addi %next, %size : i32
  %back1 = arith.subi %back, %r2 : i32
  %before = arith.remsi %back1, %size : i32
  %a = memref.alloc() : {F8}
  %b = memref.alloc() : {F8}
  %a4 = memref.alloc() : {F4}
  %i = memref.alloc() : {I8}
"""


def _function(name: str, body: str, is_bare: bool) -> str:
    begin, end = ("", "") if is_bare else ("mpi.init", "mpi.finalize")
    return f"func.func @{name}() {{\n{begin}\n{_HEAD}{body}\n{end}\nreturn\n}}\n"


def text() -> str:
    """A program with a function for each mistake, `wrong0`, and for its twin, `right0`."""
    functions = [
        _function(f"{which}{number}", body, planted.is_bare)
        for number, planted in enumerate(PLANTED)
        for which, body in (("wrong", planted.wrong), ("right", planted.right))
    ]
    return _SHARED + "".join(functions)
