# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run under the sanitizer has watched: for the end of reports, as text and in JSON."""

from __future__ import annotations

from typing import NamedTuple


class Launches(NamedTuple):
    """How launches of a kernel were watched: `how` is "known before it runs", "screened", "warp by
    warp", "thread by thread", or the second and then the last; `why` they were not screened, empty
    if they were; `launches` how many."""

    kernel: str
    how: str
    why: str
    launches: int

    def text(self) -> str:
        """A line."""
        why = f", {self.why}" if self.why else ""
        number = f"{self.launches} launch{'es' * (self.launches > 1)}"
        return f"kernel '{self.kernel}': {self.how}{why} ({number})"


class NotWatched(NamedTuple):
    """An operation in a kernel of which no order and no access is known (`effects.HINT`)."""

    kernel: str
    operation: str
    location: str

    def text(self) -> str:
        """A line."""
        at = f" at {self.location}" if self.location else ""
        return f"kernel '{self.kernel}': {self.operation}{at} is not watched"


class Coverage(NamedTuple):
    """What a run under the sanitizer has looked at: the kinds of findings that it looked for, the
    launches, and the operations in their kernels that it does not watch."""

    kinds: tuple[str, ...]
    launches: tuple[Launches, ...]
    not_watched: tuple[NotWatched, ...]

    def with_more(self, later: Coverage) -> Coverage:
        """This one, and what was watched later for the same kinds."""
        counts: dict[tuple[str, str, str], int] = {}
        for *how, number in (*self.launches, *later.launches):
            key = (how[0], how[1], how[2])
            counts[key] = counts.get(key, 0) + number
        launches = tuple(Launches(*key, number) for key, number in counts.items())
        return Coverage(
            self.kinds, launches, tuple(dict.fromkeys((*self.not_watched, *later.not_watched)))
        )

    def lines(self) -> list[str]:
        """What is said of it, a line each."""
        return [part.text() for part in (*self.launches, *self.not_watched)]

    def to_json(self) -> dict[str, object]:
        """Under `watched` in a report."""
        return {
            "kinds": list(self.kinds),
            "launches": [launches._asdict() for launches in self.launches],
            "not_watched": [operation._asdict() for operation in self.not_watched],
        }
