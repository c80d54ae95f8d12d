# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/python.md: its code runs, and the tests that it names are there."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
TEXT = (HERE.parents[2] / "docs" / "python.md").read_text()


def test_the_code_runs(capsys):
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert len(blocks) >= 7
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
    assert "files" in capsys.readouterr().out


def test_each_row_of_the_table_names_a_test_that_there_is():
    tests = HERE.parents[1]
    sources = "".join(path.read_text() for path in tests.rglob("test_*.py"))
    table = TEXT[TEXT.index("## Beside others") : TEXT.index("## What it does not do")]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 15
    for row in rows:
        names = re.findall(r"`(tests/[\w/]+\.py|test_\w+)`", row[2])
        assert names, row[1]
        for name in names:
            there = (tests.parent / name).exists() if "/" in name else f"def {name}(" in sources
            assert there, name
