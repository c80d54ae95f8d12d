# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The smallest part of a list, and of a text, that still does what the whole did."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

Part = TypeVar("Part")

_TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|[%@#!^][\w$.-]+|[A-Za-z_][\w$.]*|0x[0-9a-fA-F]+'
    r"|[0-9]+(?:\.[0-9]*(?:[eE][+-]?[0-9]+)?)?|->|::|\s+|.",
    re.DOTALL,
)


def tokens(text: str) -> list[str]:
    """A text cut into tokens and what is between them; together they are the text."""
    return _TOKEN.findall(text)


def smaller(parts: list[Part], holds: Callable[[Sequence[Part]], bool]) -> list[Part]:
    """Leaves out stretches of parts as long as the rest `holds`: half of them at first, single
    ones at last, these until none can go. From the end, since what is behind uses what is before.
    """
    size = max(1, len(parts) // 2)
    while parts:
        end = len(parts)
        changed = False
        while end > 0:
            shorter = parts[: max(end - size, 0)] + parts[end:]
            if holds(shorter):
                parts, changed = shorter, True
            end -= size
        if size > 1:
            size //= 2
        elif not changed:
            break
    return parts


def reduced_text(text: str, still: Callable[[str], bool], tries: int = 2_000) -> str:
    """`text` with as much left out as can be while `still` holds: lines first, then tokens.

    At most so many tries. It need not be MLIR.
    """
    budget = [tries]

    def check(parts: Sequence[str]) -> bool:
        budget[0] -= 1
        return budget[0] > 0 and still("".join(parts))

    lines = smaller(text.splitlines(keepends=True), check)
    return "".join(smaller(tokens("".join(lines)), check))
