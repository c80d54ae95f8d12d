# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The smallest part of a text that still does what the whole did."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.fuzz.mutations import _tokens


def reduced(text: str, still: Callable[[str], bool], tries: int = 2_000) -> str:
    """`text` with as much left out as can be while `still` holds: lines first, then tokens.

    At most so many tries.
    """
    budget = [tries]

    def check(parts: Sequence[str]) -> bool:
        budget[0] -= 1
        return budget[0] > 0 and still("".join(parts))

    lines = _smaller(text.splitlines(keepends=True), check)
    return "".join(_smaller(_tokens("".join(lines)), check))


def _smaller(parts: list[str], check: Callable[[Sequence[str]], bool]) -> list[str]:
    """Leaves out stretches of parts, half of them at first, single ones at last."""
    size = max(1, len(parts) // 2)
    while True:
        at = 0
        changed = False
        while at < len(parts):
            shorter = parts[:at] + parts[at + size :]
            if check(shorter):
                parts, changed = shorter, True
            else:
                at += size
        if size > 1:
            size //= 2
        elif not changed:
            return parts
