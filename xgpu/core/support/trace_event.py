# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One entry of a trace in Chrome's format, as its file has it; times in microseconds."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class TraceEvent(TypedDict):
    """Something that ran (`ph` is "X", with `dur`), or an end of an arrow ("s", "f", with `id`)."""

    name: str
    cat: str
    ph: str
    pid: int
    #: The lane: a stream's number, 0 for the host.
    tid: int
    ts: float
    dur: float
    #: What the one who recorded it knows besides.
    args: dict[str, Any]
    id: NotRequired[int]
    bp: NotRequired[str]
