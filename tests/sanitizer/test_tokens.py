# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each token of the correct programs dropped, or another one in its stead: what changes the result
in any order that tokens allow is found. The orders are tried one after the other, by brute force;
they are those that differ in operations that touch the same memory (`xgpu.explore`)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from mutations import Mutant, other_tokens, showing_both, without_tokens
from some_cases import long_first

import xgpu

sys.path.insert(0, str(Path(__file__).parent))
from host_cases import HOST
from stream_cases import STREAMS

_PARTS = 64
_SHORT = 400  # each so many-th in the short form
_ORDERS = 200


def _all() -> list[Mutant]:
    found: dict[str, Mutant] = {}
    for case in (*HOST, *STREAMS):
        text = case.text(False)
        for mutant in (*without_tokens(case.name, text), *other_tokens(case.name, text)):
            shown = showing_both(mutant.text)
            if shown is not None:
                mutant.text = shown
                found.setdefault(shown, mutant)
    return list(found.values())


def look(mutant: Mutant) -> tuple[bool, str | None]:
    """Whether a program is reported, and what an order makes of it that the natural one does not;
    None if there is no such order."""
    is_reported = bool(xgpu.sanitize(mutant.text, filename=mutant.name))
    explored = xgpu.explore(mutant.text, orders="tokens", schedules=_ORDERS)
    return is_reported, explored.difference


def check(mutant: Mutant) -> str | None:
    is_reported, difference = look(mutant)
    if difference is None or is_reported:
        return None
    return f"{mutant.title}: not reported, but {difference}"


def test_brute_force_finds_what_is_missing() -> None:
    """A fill that no longer waits for the kernel: otherwise the rest would say nothing."""
    case = next(c for c in STREAMS if c.name == "two_kernels_write_one_array")
    text = case.text(True)
    shown = showing_both(text)
    assert shown is not None
    is_reported, difference = look(Mutant(case.name, shown, 0, ""))
    assert is_reported
    assert difference is not None


def test_some_tokens() -> None:
    problems = [p for p in map(check, _all()[::_SHORT]) if p is not None]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("part", long_first(range(_PARTS), 4))
def test_all_tokens(part: int) -> None:
    problems = [p for p in map(check, _all()[part::_PARTS]) if p is not None]
    assert not problems, "\n".join(problems)
