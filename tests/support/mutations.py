# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Correct programs without one of the operations that order them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ORDERS = re.compile(
    r"^\s*(?:(%\w+) = )?(?:gpu\.barrier|gpu\.wait \[|nvvm\.(?:barrier0?|bar\.warp\.sync|fence[.\w]*"
    r"|cluster\.\w+|mbarrier\.(?!expect_tx)[.\w]+|memory\.barrier"
    r"|cp\.async\.(?:bulk\.)?(?:commit\.group|wait[._]group)))"
)


class Mutant:
    """A program without its line `number` (from 1), which was `line`."""

    def __init__(self, name: str, text: str, number: int, line: str) -> None:
        self.name = name
        self.text = text
        self.number = number
        self.line = line

    @property
    def title(self) -> str:
        return f"{self.name}:{self.number}"


def mutants(name: str, text: str) -> Iterator[Mutant]:
    """All programs that lack one barrier, arrival, wait, fence or commit of a correct one."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        found = _ORDERS.match(line)
        if found is None:
            continue
        if at + 1 < len(lines) and lines[at + 1].strip() == "return":
            continue  # a program that ends waits for all
        rest = [*lines[:at], "", *lines[at + 1 :]]
        if found[1] is not None and any(re.search(rf"{found[1]}\b", other) for other in rest):
            continue
        yield Mutant(name, "\n".join(rest), at + 1, line.strip())
