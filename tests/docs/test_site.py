# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documentation site: each pass has an example, and the site can be built."""

from __future__ import annotations

import html
import re
import sys
from pathlib import Path

import pytest
from documents import ROOT

from tests.support import processes
from xgpu.core.passes.registry import PASSES

EXAMPLES = ROOT / "tests/filecheck/examples"
#: Of xgpu-reduce, and one whose result is a picture.
_WITHOUT = {"opt-reduction-pass", "reduction-tree", "print-buffer-schedule"}


def test_each_pass_has_an_example() -> None:
    names = {name.replace("-", "_") for name in PASSES.keys() - _WITHOUT}
    assert {path.stem for path in EXAMPLES.glob("*.mlir")} == names


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.mlir")), ids=lambda path: path.stem)
def test_an_example_says_what_it_shows_and_runs_its_pass(path: Path) -> None:
    says, run, empty = path.read_text().splitlines()[:3]
    assert re.fullmatch(r"// [A-Z`].*\.", says)
    assert not empty
    name = path.stem.replace("_", "-")
    assert re.search(rf"(--|\(){name}[ =){{]", run), run


@pytest.mark.long
def test_the_site(tmp_path: Path) -> None:
    """It is built without a broken link, and its pages show what examples become."""
    pytest.importorskip("sphinx", reason="Sphinx is not installed: pip install 'xgpu[docs]'")
    pytest.importorskip("myst_parser", reason="myst-parser is not installed")
    pytest.importorskip("furo", reason="furo is not installed")
    done = processes.run(
        [sys.executable, "tools/site/build.py", str(tmp_path)], cwd=ROOT, capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "docs/reference/passes.html").read_text()
    text = html.unescape(re.sub(r"<[^>]+>", "", page))
    assert "llvm.fmul %arg2, %arg2" in text  # of convert-arith-to-llvm
    assert "// CHECK" not in text
    gallery = (tmp_path / "docs/gallery.html").read_text()
    assert "-16.6337" in gallery
    explored = re.findall(r'href="\.\./(\w+\.html)">The IR after each pass', gallery)
    assert explored == ["two_matmuls.html", "circular_buffer.html"]
    assert all((tmp_path / page).stat().st_size > 100_000 for page in explored)
