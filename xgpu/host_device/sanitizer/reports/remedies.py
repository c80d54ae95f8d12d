# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two accesses that nothing orders: what was done to what, and what would have ordered the two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.backend.llvm_ir.facts import number
from xgpu.core.ir.locations import source_location
from xgpu.host_device.abi.sanitizer_records import FLAG_WRITE
from xgpu.host_device.sanitizer.reports.between import Between, instructions_of, is_block_barrier
from xgpu.host_device.sanitizer.reports.findings import Actor, Place, Side, Used, did_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.ir import Operation

    from xgpu.host_device.abi.record_classes import SanReport
    from xgpu.host_device.sanitizer.reports.findings import Knowledge

#: What waits for the copies and products of each group of agents (`records`), by parts of names.
_WAITS: dict[int, tuple[str, ...]] = {
    1: ("cp.async.wait", "device_async_wait"),
    2: ("bulk.wait", "bulk_wait"),
    3: ("bulk.wait", "bulk_wait"),
    4: ("mbarrier.try_wait", "mbarrier.test.wait", "mbarrier.test_wait"),
    5: ("wgmma.wait", "warpgroup.mma", "tcgen05.wait"),
}
#: `memref.atomic_rmw` becomes an atomic operation with release and acquire.
_RELEASES = ("memref.atomic_rmw", "memref.generic_atomic_rmw", "llvm.fence", "nvvm.memory.barrier")
#: Instructions of PTX that may do so, and modifiers of others.
_ORDERING = ("atom", "red", "fence", "membar")
_ORDERS = frozenset(("release", "acquire", "acq_rel"))
_MONOTONIC = 2  # of LLVM's orderings: the strongest that orders nothing
#: What only some threads of a block take part in.
_PARTIAL = ("nvvm.bar.warp.sync", "nvvm.barrier", "nvvm.barrier.arrive")


class Conflict:
    """The two accesses of a report: the one that was seen last, and the other."""

    def __init__(self, sanitizer: Knowledge, report: SanReport) -> None:
        self._texts = sanitizer.texts
        self._flags, self._other_flags = report.flags, report.other_flags
        self.first = Actor(sanitizer, report.context, report.agent)
        self.other = Actor(sanitizer, report.other_context, report.other_agent)
        self.here = sanitizer.site(report.site)
        self.there = sanitizer.site(report.other_site)
        place = Place.of(sanitizer, report)
        self.first_used = Used(sanitizer, place, self.here, report.flags)
        self.other_used = Used(sanitizer, place, self.there, report.other_flags)
        self._between = self._stands_between()

    # -- words

    def first_did(self) -> str:
        """What the one that was seen last did."""
        name = self._texts.name(self.here)
        return did_text(self._flags, self.here, name, self.first_used.element)

    def other_did(self) -> str:
        """What the other did."""
        name = self._texts.name(self.there)
        return did_text(self._other_flags, self.there, name, self.other_used.element)

    def is_of_two_launches(self) -> bool:
        """Whether two operations of the host are not ordered."""
        other = self.other.operation
        return other is not None and self.first.operation is not other

    def whose(self) -> tuple[str, str]:
        """Who did it, with kernels where the two are of different launches."""
        first, other = self.first.text(), self.other.text()
        if not self.is_of_two_launches():
            return first, other
        if self.first.is_of_kernel:
            first += f" of kernel '{self.here.kernel}'"
        if self.other.is_of_kernel:
            other += f" of kernel '{self.there.kernel}'"
        return first, other

    def launches(self) -> list[Side]:
        """The launches of kernels that are not ordered."""
        if not self.is_of_two_launches():
            return []
        found: list[Side] = []
        for actor, site in ((self.first, self.here), (self.other, self.there)):
            operation = actor.operation
            if operation is not None and actor.is_of_kernel and operation.location:
                did = f"kernel '{site.kernel}' was launched here"
                location = self._texts.shown(operation.location)
                found.append(Side(location, "gpu.launch_func", did, site.kernel))
        return found

    # -- what is missing

    def iterations(self) -> str:
        """Which access is of a later iteration, if one is."""
        if not self._is_iterations_apart():
            return ""
        return f": the {self._verb(earlier=True)} is of {self._iteration()}"

    def remedy(self) -> str:
        """What would have ordered the two."""
        if self.is_of_two_launches():
            return "no dependency between the two operations: a token, an event or a wait orders " \
                "them"  # fmt: skip
        if self._is_iterations_apart():
            between = self._between
            assert between is not None
            return (
                f"no barrier behind the {self._verb(earlier=False)} "
                f"({self._where(between.later)}), at the end of the iteration: all threads have to "
                f"be done with it before the {self._verb(earlier=True)} of {self._iteration()}"
            )
        if self.first.block != self.other.block:
            return self._between_blocks()
        return self._in_a_block()

    def _between_blocks(self) -> str:
        missing = (
            "no atomic operation with release and acquire at device scope between the two blocks"
        )
        atomic = self._anywhere(_releases)
        if atomic is None:
            return missing
        return (
            f"no order between the two blocks: {self._said(atomic)} orders the thread that "
            "executes it; the other threads need a barrier in front of it, or behind it"
        )

    def _in_a_block(self) -> str:
        group = self.other.group
        is_nvgpu = self._texts.name(self.there).startswith("nvgpu.")
        if group == 1:
            wait = "nvgpu.device_async_wait" if is_nvgpu else "nvvm.cp.async.wait.group"
            missing = f"no {wait} of the copy's group, and a barrier behind it, between"
        elif group == 4:
            missing = "no wait for the phase of the copy's mbarrier between"
        elif group == 5 and "tcgen05" in self.there.name:
            missing = (
                "no tcgen05.commit to an mbarrier behind it, and a wait for its phase, between"
            )
        elif group == 5:
            missing = (
                "no nvvm.wgmma.wait.group.sync.aligned of the product's group in its warp, and a "
                "barrier behind it, between"
            )
        elif group in (2, 3):
            missing = "no nvvm.cp.async.bulk.wait_group of the copy's group between"
        else:
            return self._between_threads()
        wait_there = self._anywhere(_waits_of(group))
        if wait_there is None:
            return missing
        return f"{missing}: {self._said(wait_there)} does not wait for it, or comes too late"

    def _between_threads(self) -> str:
        barrier = self._anywhere(is_block_barrier)
        if barrier is not None and self._always(is_block_barrier):
            return (
                f"no barrier that orders the two: {self._said(barrier)} stands between them, but "
                "one of the two is of a later iteration or call, or not all threads come there"
            )
        if barrier is not None:
            return (
                "no barrier between the two on every way that threads take: not all of them meet "
                f"at {self._said(barrier)}"
            )
        partial = self._anywhere(lambda op: op.name in _PARTIAL)
        if partial is None:
            return "no barrier between the two"
        return (
            f"no barrier of all threads of the block between the two: {self._said(partial)} orders "
            "only those that take part"
        )

    # -- the text between the two

    def _stands_between(self) -> Between | None:
        here, there = self._texts.operation_at(self.here), self._texts.operation_at(self.there)
        if here is None or there is None or self.is_of_two_launches():
            return None
        found = Between(here, there)
        return found if found.is_known else None

    def _always(self, wanted: Callable[[Operation], bool]) -> bool:
        return self._between is not None and self._between.always(wanted) is not None

    def _anywhere(self, wanted: Callable[[Operation], bool]) -> Operation | None:
        return None if self._between is None else self._between.anywhere(wanted)

    def _is_iterations_apart(self) -> bool:
        """Whether what orders the two in one iteration stands between them on every way: they race
        all the same, so the one that comes first in the text is of a later iteration."""
        between = self._between
        if between is None or between.loop is None or between.earlier is between.later:
            return False
        if self.first.block != self.other.block:
            return False
        group = self._group_of_the_earlier()
        if group in (2, 3, 5):
            return False
        if group and between.always(_waits_of(group)) is None:
            return False
        # A wait for an mbarrier is one for all: who waits knows of the copy.
        return group == 4 or between.always(is_block_barrier) is not None

    def _group_of_the_earlier(self) -> int:
        between = self._between
        assert between is not None
        is_first = between.earlier is self._texts.operation_at(self.here)
        return (self.first if is_first else self.other).group

    def _iteration(self) -> str:
        return "a later iteration" if self._group_of_the_earlier() == 4 else "the next iteration"

    def _verb(self, *, earlier: bool) -> str:
        between = self._between
        assert between is not None
        op = between.earlier if earlier else between.later
        is_first = op is self._texts.operation_at(self.here)
        actor = self.first if is_first else self.other
        flags = self._flags if is_first else self._other_flags
        if actor.group in (1, 2, 3, 4):
            return "copy"
        if actor.group == 5:
            return "product"
        return "write" if flags & FLAG_WRITE else "read"

    def _said(self, op: Operation) -> str:
        return f"{_name(op)} ({self._where(op)})"

    def _where(self, op: Operation) -> str:
        return self._texts.shown(str(source_location(op.location) or ""))


def _name(op: Operation) -> str:
    found = instructions_of(op)
    return found[0].opcode if found else op.name


def _waits_of(group: int) -> Callable[[Operation], bool]:
    def waits(op: Operation) -> bool:
        names = [op.name, *(found.opcode for found in instructions_of(op))]
        return any(part in name for part in _WAITS[group] for name in names)

    return waits


def _releases(op: Operation) -> bool:
    """Whether an operation may tell other blocks of what came before it."""
    if op.name in _RELEASES:
        return True
    ordering = op.properties.get("ordering", op.properties.get("success_ordering"))
    if ordering is not None:
        return number(ordering) > _MONOTONIC
    return any(
        found.words[0] in _ORDERING or not _ORDERS.isdisjoint(found.words)
        for found in instructions_of(op)
    )
