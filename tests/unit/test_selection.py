# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which tests run, and what pytest says where none does."""

from __future__ import annotations

import sys

import pytest

from tests.support import processes


@pytest.mark.long
def test_a_long_test_is_asked_for(request: pytest.FixtureRequest) -> None:
    options = ("--long", "--long-only", "--exhaustive")
    assert any(map(request.config.getoption, options))


@pytest.mark.parametrize("workers", ["0", "1"])
@pytest.mark.parametrize(("name", "count"), [("asked_for", 1), ("no_such", 0)])
def test_where_only_long_tests_are_asked_for(workers: str, name: str, count: int) -> None:
    long_test = f"{__file__}::test_a_long_test_is_asked_for"  # not the file: this test is in it
    done = processes.run(
        [sys.executable, "-m", "pytest", "-q", "-n", workers, "-p", "no:cacheprovider",
         "-k", name, long_test],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, done.stdout + done.stderr
    said = [line for line in done.stdout.splitlines() if "--long" in line]
    assert said == [f"{count} of the tests that are asked for run with --long"] * count
