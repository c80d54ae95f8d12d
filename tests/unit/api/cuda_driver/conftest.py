# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drivers for tests."""

from __future__ import annotations

import pytest

from tests.support.driver_calls import Calls


@pytest.fixture
def calls():
    """A driver that has been initialized, with a current context."""
    made = Calls()
    made.begin()
    yield made
    made.close()


@pytest.fixture
def raw():
    """A driver of which nothing has been called."""
    made = Calls()
    yield made
    made.close()
