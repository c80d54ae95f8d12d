# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables are what the generator makes of MLIR's definitions, where those are installed."""

from __future__ import annotations

import pathlib
import sys

import pytest

from tests.support import processes

ROOT = pathlib.Path(__file__).parents[3]


@pytest.mark.long
def test_the_tables_are_the_generators() -> None:
    done = processes.run(
        [sys.executable, "tools/generate_tables.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 2:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr


def test_what_lacks_is_named(tmp_path: pathlib.Path) -> None:
    done = processes.run(
        [sys.executable, "tools/generate_tables.py"],
        cwd=ROOT,
        env={"LLVM_PREFIX": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == (
        f"generate_tables: {tmp_path} lacks what Debian's llvm-22, llvm-22-dev, libmlir-22-dev "
        "(22.1.8) bring; LLVM_PREFIX names another place\n"
    )
