# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A loop of 160 iterations buffered four deep compiles in less than twice the plain one's time."""

from __future__ import annotations

import pytest

from tests.circular.compile_cost import WAYS, ratio


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_buffered_loop_compiles_in_less_than_twice_the_time(way: tuple[str, str, str]) -> None:
    assert ratio(*way, pairs=10, bound=2) < 2
