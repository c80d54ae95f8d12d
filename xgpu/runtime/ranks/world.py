# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matches what ranks call, and finds what cannot be right.

All ranks tell the world of their calls, and wait for its answers. So it knows at any time which
rank waits for what, and finds a mistake whatever the timing is:

* A collective is compared with that of the first rank that came to it.
* A send is complete when its receive has begun, whatever its size: a program that needs messages to
  be buffered waits for ever here.
* When all ranks that have not ended wait, they wait for ever.

What is on a stream of a rank's device goes on beside the rank. Each communicator that a device uses
has a *lane* there: a participant of its own, which waits by itself. A rank says which of it it has
queued, what of it comes behind what, and what of it the rank waits for.

Only a receive from any rank depends on who comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import cast

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from xgpu.core.ir.diagnostic import Diagnostic
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.support.mpi_abi import ANY_TAG

#: The communicator of all ranks.
WORLD = 0
#: A source that is any rank, in every implementation.
ANY = -1
_MOST_TAG = (1 << 28) - 1


@dataclass(slots=True)
class Call:
    """One call of a rank. Which fields say something depends on the function."""

    name: str
    #: `file:line:column`, or nothing.
    where: str
    comm: int = WORLD
    #: The type of elements as MPI calls it, and how many a rank gives.
    kind: str = ""
    count: int = 0
    reduction: str = ""
    #: The root, the source or the destination: a rank of the communicator.
    peer: int = 0
    tag: int = 0
    #: Where the data lie in the rank's file, and how many bytes they are.
    block: int = 0
    size: int = 0
    request: int = 0
    #: The communication on the device that the host waits for.
    queued: tuple[int, ...] = ()


@dataclass(slots=True)
class _Queued:
    """Communication on a stream of a rank's device, from the call on until it is over."""

    call: Call
    lane: int
    #: What of the rank's device comes before it.
    behind: frozenset[int]
    has_begun: bool = False


@dataclass(slots=True, eq=False)
class _Message:
    """A send or a receive, from its call on until it is complete."""

    rank: int
    call: Call
    is_blocking: bool
    number: int
    #: Its counterpart, once there is one.
    partner: _Message | None = None
    is_awaited: bool = False
    was_awaited: bool = False


@dataclass(slots=True)
class _Rank:
    """What is known of a rank, or of a lane of its device."""

    number: int
    #: The call that it waits in, None while it runs.
    call: Call | None = None
    state: str = "before mpi.init"
    has_ended: bool = False
    #: Blocks of its file that are free again.
    free: list[int] = field(default_factory=list)
    queued: dict[int, _Queued] = field(default_factory=dict)


#: What ranks call together to have a communicator on their devices.
OPEN = "mgpu.communicate"


@dataclass(slots=True)
class _Collective:
    """A collective that some ranks of a communicator have come to."""

    first: tuple[int, Call] | None = None
    payloads: dict[int, object] = field(default_factory=dict)


class Mistake(DiagnosticError):
    """Ranks do together what cannot be right: what, where, and where else."""

    def __init__(self, text: str, where: str, notes: Sequence[tuple[str, str]] = ()) -> None:
        made = [Diagnostic("note", note, _location(place)) for note, place in notes]
        super().__init__(Diagnostic("error", text, _location(where), made))


def _location(where: str) -> FileLineColLoc | None:
    """The location that `file:line:column` says."""
    file, line, column = [*where.rsplit(":", 2), "", ""][:3]
    if not (line.isdecimal() and column.isdecimal()):
        return None
    return FileLineColLoc(StringAttr(file), IntAttr(int(line)), IntAttr(int(column)))


def _ranks(numbers: list[int]) -> str:
    listed = ", ".join(map(str, numbers))
    return f"rank {listed}" if len(numbers) == 1 else f"ranks {listed}"


class World:
    """`size` ranks, and lanes, whose numbers follow. `answers` are those that have not been
    delivered: a rank or a lane, blocks of its file that are free, and a value."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.groups: dict[int, list[int]] = {WORLD: list(range(size))}
        self.answers: list[tuple[int, list[int], object]] = []
        self._ranks = [_Rank(number) for number in range(size)]
        self._collectives: dict[int, _Collective] = {}
        self._sends: list[_Message] = []
        self._receives: list[_Message] = []
        self._messages: dict[int, _Message] = {}
        self._numbers = count(1)

    # -- What ranks tell.

    def handle(self, rank: int, what: str, *given: object) -> None:
        """Takes in what a rank tells. Raises Mistake."""
        getattr(self, f"_on_{what}")(rank, *given)
        self._check_progress()

    def number_of(self, rank: int) -> int:
        """The number of a rank, or of the rank that a lane belongs to."""
        return self._ranks[rank].number

    def _on_init(self, rank: int, call: Call) -> None:
        known = self._ranks[rank]
        if known.state != "before mpi.init":
            raise Mistake(f"rank {known.number} calls mpi.init {known.state}", call.where)
        known.state = ""
        self._wait(rank, call)
        self._answer(rank, None)

    def _on_collective(self, rank: int, call: Call, payload: object) -> None:
        self._begin(rank, call)
        if call.name == "mpi.finalize":
            self._check_finalize(rank, call)
        if call.name == "mpi.bcast":
            self._check_peer(rank, call, "root")
        pending = self._collectives.setdefault(call.comm, _Collective())
        if pending.first is None:
            pending.first = self.number_of(rank), call
        else:
            _compare(*pending.first, self.number_of(rank), call)
        self._join(rank, call.comm, payload)

    def _on_round(self, rank: int, comm: int, payload: object, call: Call) -> None:
        """A further step of a collective, which all of its ranks are in."""
        self._wait(rank, call)
        self._collectives.setdefault(comm, _Collective())
        self._join(rank, comm, payload)

    def _join(self, rank: int, comm: int, payload: object) -> None:
        pending = self._collectives[comm]
        pending.payloads[rank] = payload
        group = self.groups[comm]
        if len(pending.payloads) < len(group):
            return
        del self._collectives[comm]
        call = self._ranks[rank].call
        values = [pending.payloads[member] for member in group]
        if call is not None and call.name == "mpi.comm_split" and pending.first is not None:
            self._split(group, cast("list[tuple[int, int]]", values))
            return
        if call is not None and call.name == OPEN:
            self._open_lanes(group)
            return
        for member in group:
            if call is not None and call.name == "mpi.finalize":
                self._ranks[member].state = "after mpi.finalize"
            self._answer(member, values)

    def _split(self, group: list[int], wanted: list[tuple[int, int]]) -> None:
        """Makes a communicator of the ranks of each color, in the order of their keys."""
        colors: dict[int, list[tuple[int, int]]] = {}
        for member, (color, key) in zip(group, wanted, strict=True):
            colors.setdefault(color, []).append((key, member))
        for members in colors.values():
            number = len(self.groups)
            made = [member for _, member in sorted(members, key=lambda found: found[0])]
            self.groups[number] = made
            for member in made:
                self._answer(member, (number, made))

    # -- Devices.

    def _open_lanes(self, group: list[int]) -> None:
        """Makes a communicator of the devices of its ranks."""
        number = len(self.groups)
        lanes = [len(self._ranks) + at for at in range(len(group))]
        self._ranks += [_Rank(member, state="") for member in group]
        self.groups[number] = lanes
        for member, lane in zip(group, lanes, strict=True):
            self._answer(member, (number, group, lane))

    def _on_queue(self, rank: int, number: int, call: Call, lane: int, behind: list[int]) -> None:
        """A rank has put communication on a stream."""
        known = self._ranks[rank]
        known.queued[number] = _Queued(call, lane, frozenset(behind))

    def _on_begin_queued(self, lane: int, number: int) -> None:
        self._queued_by(lane)[number].has_begun = True

    def _on_end_queued(self, lane: int, number: int) -> None:
        del self._queued_by(lane)[number]

    def _queued_by(self, lane: int) -> dict[int, _Queued]:
        return self._ranks[self.number_of(lane)].queued

    def _on_waits(self, rank: int, call: Call) -> None:
        """The host waits for what is on its device."""
        self._wait(rank, call)

    def _on_goes_on(self, rank: int) -> None:
        self._ranks[rank].call = None

    def _goes_on(self, known: _Rank) -> bool:
        """Whether a rank, or anything on its device, goes on without others."""
        if known.call is None:
            return True
        queued = known.queued
        if known.call.queued and not any(number in queued for number in known.call.queued):
            return True
        return any(
            self._ranks[one.lane].call is None if one.has_begun else not one.behind & queued.keys()
            for one in queued.values()
        )

    # -- Messages.

    def _on_send(self, rank: int, call: Call, is_blocking: bool) -> None:
        self._begin(rank, call)
        self._check_peer(rank, call, "destination")
        if not 0 <= call.tag <= _MOST_TAG:
            number = self.number_of(rank)
            raise Mistake(f"rank {number} sends with tag {call.tag}, which is none", call.where)
        sent = self._message(rank, call, is_blocking)
        found = next((r for r in self._receives if self._fits(sent, r)), None)
        if found is None:
            self._sends.append(sent)
        else:
            self._receives.remove(found)
            self._match(sent, found)

    def _on_receive(self, rank: int, call: Call, is_blocking: bool) -> None:
        self._begin(rank, call)
        if call.peer != ANY:
            self._check_peer(rank, call, "source")
        received = self._message(rank, call, is_blocking)
        found = next((s for s in self._sends if self._fits(s, received)), None)
        if found is None:
            self._receives.append(received)
        else:
            self._sends.remove(found)
            self._match(found, received)

    def _on_wait(self, rank: int, call: Call) -> None:
        self._begin(rank, call)
        message = self._messages.get(call.request)
        if message is None or message.rank != rank or message.is_blocking:
            raise Mistake(f"rank {rank} waits for what is no request of its own", call.where)
        if message.was_awaited:
            raise Mistake(
                f"rank {rank} waits for a request again, which is complete",
                call.where,
                [("the request is from here", message.call.where)],
            )
        message.was_awaited = message.is_awaited = True
        self._complete(message)

    def _on_received(self, rank: int, number: int) -> None:
        """The data of a send have been copied."""
        sent = self._messages[number]
        self._ranks[sent.rank].free.append(sent.call.block)
        if sent.is_blocking:
            del self._messages[number]

    def _message(self, rank: int, call: Call, is_blocking: bool) -> _Message:
        number = next(self._numbers)
        made = _Message(rank, call, is_blocking, number, is_awaited=is_blocking)
        self._messages[number] = made
        if not is_blocking:
            self._answer(rank, number)
        return made

    def _fits(self, sent: _Message, received: _Message) -> bool:
        group = self.groups[sent.call.comm]
        return (
            sent.call.comm == received.call.comm
            and group[sent.call.peer] == received.rank
            and (received.call.peer == ANY or group[received.call.peer] == sent.rank)
            and received.call.tag in (ANY_TAG, sent.call.tag)
        )

    def _match(self, sent: _Message, received: _Message) -> None:
        given, wanted = sent.call, received.call
        sender, receiver = self.number_of(sent.rank), self.number_of(received.rank)
        sends = (f"rank {sender} sends here", given.where)
        receives = (f"rank {receiver} receives here", wanted.where)
        ranks = f"rank {sender} sends rank {receiver}"
        if given.kind != wanted.kind:
            raise Mistake(
                f"{ranks} elements of type {given.kind}, which receives them as {wanted.kind}",
                given.where,
                [receives],
            )
        if given.count > wanted.count:
            raise Mistake(
                f"{ranks} {given.count} elements, whose buffer has room for {wanted.count}",
                wanted.where,
                [sends],
            )
        sent.partner, received.partner = received, sent
        self._complete(sent)
        self._complete(received)

    def _complete(self, message: _Message) -> None:
        """Lets the rank go on that waits for a message, if it has a counterpart."""
        partner = message.partner
        if partner is None or not message.is_awaited:
            return
        message.is_awaited = False
        if message.call.name in ("mpi.send", "mpi.isend"):
            self._answer(message.rank, None)
            return
        sent = partner.call
        if message.is_blocking:
            del self._messages[message.number]
        source = self.number_of(partner.rank)
        self._answer(message.rank, (source, sent.block, sent.size, partner.number))

    # -- Ends.

    def _on_end(self, rank: int, where: str) -> None:
        known = self._ranks[rank]
        if not known.state:
            raise Mistake(f"rank {rank} ends without mpi.finalize", where)
        known.has_ended = True

    def _on_mistake(self, rank: int, text: str, where: str, notes: list[tuple[str, str]]) -> None:
        """What a rank has found by itself."""
        raise Mistake(f"rank {self.number_of(rank)} {text}", where, notes)

    def _check_finalize(self, rank: int, call: Call) -> None:
        for queued in self._ranks[rank].queued.values():
            raise Mistake(
                f"rank {rank} calls mpi.finalize while its device communicates",
                queued.call.where,
                [("mpi.finalize is here", call.where)],
            )
        for message in self._messages.values():
            if message.rank == rank and not message.is_blocking and not message.was_awaited:
                raise Mistake(
                    f"rank {rank} calls mpi.finalize while a request is not waited for",
                    message.call.where,
                    [("mpi.finalize is here", call.where)],
                )

    # -- What ranks wait for.

    def _begin(self, rank: int, call: Call) -> None:
        known = self._ranks[rank]
        if known.state:
            raise Mistake(f"rank {known.number} calls {call.name} {known.state}", call.where)
        self._wait(rank, call)

    def _wait(self, rank: int, call: Call) -> None:
        self._ranks[rank].call = call

    def _answer(self, rank: int, value: object) -> None:
        known = self._ranks[rank]
        known.call = None
        free, known.free = known.free, []
        self.answers.append((rank, free, value))

    def _check_peer(self, rank: int, call: Call, what: str) -> None:
        size = len(self.groups[call.comm])
        if not 0 <= call.peer < size:
            ranks = "rank" if size == 1 else "ranks"
            number = self.number_of(rank)
            raise Mistake(
                f"rank {number} names {what} {call.peer} of a communicator of {size} {ranks}",
                call.where,
            )

    def _check_progress(self) -> None:
        """Raises Mistake where all ranks that have not ended wait."""
        ranks = self._ranks[: self.size]
        alive = [number for number, known in enumerate(ranks) if not known.has_ended]
        if not alive or any(self._goes_on(self._ranks[number]) for number in alive):
            return
        calls = [(number, call) for number in alive if (call := self._ranks[number].call)]
        ended = [number for number, known in enumerate(ranks) if known.has_ended]
        notes = [(self._waits(number, call), call.where) for number, call in calls[1:]]
        if ended:
            verb = "has" if len(ended) == 1 else "have"
            notes.append((f"{_ranks(ended)} {verb} ended", calls[0][1].where))
        first = self._waits(*calls[0])
        raise Mistake(f"ranks wait for ever: {first}", calls[0][1].where, notes)

    def _waits(self, rank: int, call: Call) -> str:
        """What a rank waits for."""
        waits = f"rank {rank} waits in {call.name}"
        if call.queued:
            return f"rank {rank} waits for its device, {self._waiting_lane(rank, call)}"
        if call.name == "mpi.wait":
            message = self._messages[call.request]
            return f"{waits} {self._needs(message.call)}, begun at {message.call.where or 'a call'}"
        if call.name in ("mpi.send", "mpi.recv"):
            return f"{waits} {self._needs(call)}"
        pending = self._collectives.get(call.comm)
        come = pending.payloads if pending is not None else {}
        missing = [member for member in self.groups[call.comm] if member not in come]
        return f"{waits} for {_ranks(list(map(self.number_of, missing)))}"

    def _waiting_lane(self, rank: int, call: Call) -> str:
        """What the communication waits for that a rank waits for."""
        queued = self._ranks[rank].queued
        begun = [one for one in queued.values() if one.has_begun]
        own = [one for number, one in queued.items() if one.has_begun and number in call.queued]
        one = (own or begun)[0]
        inner = self._ranks[one.lane].call
        assert inner is not None
        what = self._waits(one.lane, inner).partition(" waits in ")[2]
        begun_at = f", begun at {one.call.where or 'a call'}"
        return f"which is in {what.removesuffix(begun_at)}{begun_at}"

    def _needs(self, call: Call) -> str:
        group = self.groups[call.comm]
        tag = "any tag" if call.tag == ANY_TAG else f"tag {call.tag}"
        if call.name in ("mpi.send", "mpi.isend"):
            return f"until rank {self.number_of(group[call.peer])} receives with {tag}"
        source = "any rank" if call.peer == ANY else f"rank {self.number_of(group[call.peer])}"
        return f"for a message of {source} with {tag}"


def _compare(first_rank: int, first: Call, rank: int, call: Call) -> None:
    """Raises Mistake where two ranks call different collectives, or not in the same way: the higher
    rank's place comes first, in whatever order the calls came."""
    if first_rank > rank:
        first_rank, first, rank, call = rank, call, first_rank, first
    note = [(f"rank {first_rank} calls {first.name} here", first.where)]
    if call.name != first.name:
        text = f"rank {rank} calls {call.name} where rank {first_rank} calls {first.name}"
        raise Mistake(text, call.where, note)
    for what, own, other in (
        ("elements of type", call.kind, first.kind),
        ("reduction", call.reduction, first.reduction),
        ("root", call.peer, first.peer),
        ("a number of elements of", call.count, first.count),
    ):
        if own != other:
            text = (
                f"rank {rank} calls {call.name} with {what} {own}, rank {first_rank} with {other}"
            )
            raise Mistake(text, call.where, note)
