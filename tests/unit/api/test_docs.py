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


def test_the_table_names_tests_that_there_are():
    sources = {path.name: path.read_text() for path in HERE.glob("test_*.py")}
    rows = TEXT[TEXT.index("## Beside others") :]
    for name in re.findall(r"`(?:tests/unit/api/)?(test_\w+\.py)`", rows):
        assert name in sources
    everything = "".join(sources.values())
    named = re.findall(r"`(test_\w+)`", rows)
    assert len(named) >= 8
    for name in named:
        assert f"def {name}(" in everything
