# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels that are correct (`tests/fuzz/sanitized_runs.py`): no report, and the results that
they have without the sanitizer."""

from __future__ import annotations

import pytest
from some_cases import each, long_first

from tests.fuzz import programs, sanitized_runs

_SHORT = 16
_LONG = 2000
_PART = 50


@pytest.mark.parametrize("seed", each(range(_SHORT), _SHORT))
def test_random_kernels(seed: int):
    text = sanitized_runs.text_of(seed)
    assert sanitized_runs.check(text, seed) is None, text


@pytest.mark.parametrize("first", long_first(range(0, _LONG, _PART)))
def test_many_random_kernels(first: int):
    subject = programs.subject("sanitized")
    found = [r for r in programs.results(subject, range(first, first + _PART)) if r[1]]
    assert not found, found
