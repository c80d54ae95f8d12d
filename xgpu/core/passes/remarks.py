# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What passes remark about the code that they optimize, as MLIR's remark engine has it.

A pass says what it has done, has not done, could not do or has found:

    remarks.passed(op.location, "Streams", "async-tokens", "uses two streams", streams=2)

Nothing happens unless remarks of that kind and category are `collected`. `xgpu-opt
--remarks-filter=.*` prints them or writes them to a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from xdsl.ir import Attribute

PASSED, MISSED, FAILED, ANALYSIS = "Passed", "Missed", "Failure", "Analysis"
KINDS = (PASSED, MISSED, FAILED, ANALYSIS)


class Remark(NamedTuple):
    """What a pass says. `arguments` are texts by their keys, in the order of a file."""

    kind: str
    name: str
    category: str
    function: str
    location: Attribute | None
    arguments: dict[str, str]

    def message(self) -> str:
        """The words of the diagnostic."""
        parts = [self.name]
        parts += [f"Category:{self.category}"] if self.category else []
        parts += [f"Function={self.function}"] if self.function else []
        found = ", ".join(f"{key}={_quoted(self.arguments[key])}" for key in sorted(self.arguments))
        return f"[{self.kind}] {' | '.join([*parts, found])}"


def _quoted(text: str) -> str:
    return f'"{text}"' if re.search("[ ,{}]", text) else text


# -- Collecting


class Collector:
    """Passes remarks on to `tell`. `filters` are patterns of categories by kind, each of which is
    to match a whole category; an empty pattern matches none. With `is_final` the last of several
    remarks with a name, category and place counts, and is passed on at the end."""

    def __init__(
        self, filters: Mapping[str, str], tell: Callable[[Remark], None], *, is_final: bool = False
    ) -> None:
        self._filters = {kind: _pattern(text) for kind, text in filters.items() if text}
        self._tell = tell
        self._final: dict[tuple[object, ...], Remark] | None = {} if is_final else None

    def wants(self, kind: str, category: str) -> bool:
        """Whether remarks of a kind and category are passed on."""
        pattern = self._filters.get(kind)
        return pattern is not None and pattern.search(category) is not None

    def add(self, remark: Remark) -> None:
        """Takes a remark."""
        if self._final is None:
            self._tell(remark)
            return
        self._final[remark.name, remark.category, remark.location] = remark

    def finish(self) -> None:
        """Passes on the last remarks of each name, category and place."""
        for remark in (self._final or {}).values():
            self._tell(remark)


def _pattern(text: str) -> re.Pattern[str] | None:
    """A pattern for whole categories; None where it is none, as in MLIR."""
    stripped = text.strip()
    whole = text if stripped.startswith("^") and stripped.endswith("$") else f"^({text})$"
    try:
        return re.compile(whole)
    except re.error:
        return None


_collector: Collector | None = None


@contextmanager
def collected(collector: Collector) -> Generator[None]:
    """Remarks within go to `collector`."""
    global _collector
    before, _collector = _collector, collector
    try:
        yield
    finally:
        _collector = before
        collector.finish()


# -- Saying something


def remark(
    kind: str, location: Attribute | None, name: str, category: str, text: str, *,
    reason: str = "", suggestion: str = "", function: str = "", **metrics: object,
) -> None:  # fmt: skip
    """Remarks on an optimization `name`: that it was done (`passed`), was not done (`missed`), was
    asked for and could not be done (`failed`), or what was found out (`analysis`). `category` is
    what filters select by, mostly the name of the pass; `metrics` are further keys with values."""
    if _collector is None or not _collector.wants(kind, category):
        return
    words = {"Remark": text, "Reason": reason, "Suggestion": suggestion}
    arguments = {key: value for key, value in words.items() if value}
    arguments |= {key: str(value) for key, value in metrics.items()}
    _collector.add(Remark(kind, name, category, function, location, arguments))


passed = partial(remark, PASSED)
missed = partial(remark, MISSED)
failed = partial(remark, FAILED)
analysis = partial(remark, ANALYSIS)
