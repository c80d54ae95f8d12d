# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Correct programs without one of the operations that order them, or with it elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ORDERS = re.compile(
    r"^\s*(?:(%\w+) = )?(?:gpu\.barrier|gpu\.wait \[|nvvm\.(?:barrier0?|bar\.warp\.sync|fence[.\w]*"
    r"|cluster\.\w+|mbarrier\.(?!expect_tx)[.\w]+|memory\.barrier"
    r"|cp\.async\.(?:bulk\.)?(?:commit\.group|wait[._]group)))"
)


class Mutant:
    """A program whose line `number` (from 1), which was `line`, is changed: `how` is "" where it is
    dropped, "down" or "up" where it has changed places with the operation behind or before it, and
    "token" where it no longer waits for a token, but for what that one waits for."""

    def __init__(self, name: str, text: str, number: int, line: str, how: str = "") -> None:
        self.name = name
        self.text = text
        self.number = number
        self.line = line
        self.how = how

    @property
    def title(self) -> str:
        return f"{self.name}:{self.number}{self.how}"


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


_OPERATION = re.compile(r"^\s*(?:(%\w+)(?:, %\w+)* = )?\w+\.[\w.]+ ")


def moved(name: str, text: str) -> Iterator[Mutant]:
    """All programs in which one of these operations has changed places with its neighbour, unless
    that orders too, or one of the two uses the other."""
    lines = text.split("\n")
    filled = [i for i, line in enumerate(lines) if line.strip()]
    for place, at in enumerate(filled):
        if _ORDERS.match(lines[at]) is None:
            continue
        for step, how in ((1, "down"), (-1, "up")):
            other = filled[place + step] if 0 <= place + step < len(filled) else at
            if _may_swap(lines[at], lines[other]):
                changed = list(lines)
                changed[at], changed[other] = changed[other], changed[at]
                yield Mutant(name, "\n".join(changed), at + 1, lines[at].strip(), how)


def _may_swap(line: str, other: str) -> bool:
    if _OPERATION.match(other) is None or _ORDERS.match(other) is not None:
        return False
    if other.rstrip().endswith(("{", ",")) or other.lstrip().startswith(
        ("gpu.return", "scf.yield")
    ):
        return False
    for first, second in ((line, other), (other, line)):
        found = _OPERATION.match(first)
        if found is not None and found[1] is not None and re.search(rf"{found[1]}\b", second):
            return False
    return True


_WAITS = re.compile(r"(%\w+) = gpu\.[\w.]+ async \[([^\]]*)\]")


def without_tokens(name: str, text: str) -> Iterator[Mutant]:
    """All programs in which one operation waits for what its token waits for in its stead."""
    lines = text.split("\n")
    before: dict[str, str] = {}
    for line in lines:
        found = _WAITS.search(line)
        if found is not None:
            before[found[1]] = found[2]
    for at, line in enumerate(lines):
        found = re.search(r"(?:async|gpu\.wait) \[(%\w+)\]", line)
        if found is None or found[1] not in before or "gpu.alloc" in line:
            continue
        changed = line.replace(f"[{found[1]}]", f"[{before[found[1]]}]", 1)
        rest = [*lines[:at], changed, *lines[at + 1 :]]
        yield Mutant(name, "\n".join(rest), at + 1, line.strip(), "token")


def other_tokens(name: str, text: str) -> Iterator[Mutant]:
    """All programs in which one operation waits for another token that is there already than one
    of those it waits for: for what came earlier, or for something beside it."""
    lines = text.split("\n")
    known: list[str] = []
    for at, line in enumerate(lines):
        found = re.search(r"(?:async|gpu\.wait) \[([^\]]+)\]", line)
        if found is not None and "gpu.alloc" not in line:
            given = found[1].split(", ")
            for number, token in enumerate(given):
                for other in known:
                    if other in given:
                        continue
                    tokens = ", ".join([*given[:number], other, *given[number + 1 :]])
                    changed = line.replace(f"[{found[1]}]", f"[{tokens}]", 1)
                    rest = [*lines[:at], changed, *lines[at + 1 :]]
                    yield Mutant(name, "\n".join(rest), at + 1, line.strip(), f"{token}{other}")
        made = re.match(r"\s*(?:%\w+, )?(%\w+) = gpu\.[\w.]+ async", line)
        if made is not None:
            known.append(made[1])


_END = re.compile(r"^    %t7 = gpu\.dealloc async \[%t6\] %in : memref<256xf32>$", re.MULTILINE)
_SHOW = """\
    %shown = memref.alloc() : memref<256xf32>
    %copied = gpu.memcpy async [%t6] %shown, %out : memref<256xf32>, memref<256xf32>
    gpu.wait [%copied]
    %any = memref.cast %shown : memref<256xf32> to memref<*xf32>
    call @printMemrefF32(%any) : (memref<*xf32>) -> ()
    memref.dealloc %shown : memref<256xf32>
"""


_TAIL = "    gpu.dealloc %in : memref<256xf32>\n"
_SHOW_BOTH = """\
    %show0 = gpu.wait async
    %shown = memref.alloc() : memref<256xf32>
    %any = memref.cast %shown : memref<256xf32> to memref<*xf32>
    %show1 = gpu.memcpy async [%show0] %shown, %out : memref<256xf32>, memref<256xf32>
    gpu.wait [%show1]
    call @printMemrefF32(%any) : (memref<*xf32>) -> ()
    %show2 = gpu.memcpy async [%show0] %shown, %in : memref<256xf32>, memref<256xf32>
    gpu.wait [%show2]
    call @printMemrefF32(%any) : (memref<*xf32>) -> ()
    memref.dealloc %shown : memref<256xf32>
"""


def showing_both(text: str) -> str | None:
    """A program with a host part of its own (`host_cases`) that also prints both arrays at its end;
    None for another."""
    if text.count(_TAIL) != 1:
        return None
    shown = text.replace(_TAIL, _SHOW_BOTH + _TAIL)
    at = shown.rindex("}")
    return shown[:at] + "  func.func private @printMemrefF32(memref<*xf32>)\n}\n"


def showing(text: str) -> str:
    """A program that also prints what its kernel has written, on the same lines up to there."""
    found = _END.search(text)
    if found is None:
        return text
    shown = text[: found.start()] + _SHOW + text[found.start() :]
    at = shown.rindex("}")
    return shown[:at] + "  func.func private @printMemrefF32(memref<*xf32>)\n}\n"
