# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documentation site: passes and operations have examples, and the site can be built."""

from __future__ import annotations

import html
import re
from collections import Counter
from pathlib import Path

import pytest
from documents import ROOT

from tests.support import processes
from tests.support.reference import NO_REFERENCE, llvm_bin
from tools.site.build import build
from tools.site.operation_examples import (
    TESTS,
    examples,
    examples_in,
    is_shown,
    linalg_arguments,
)
from xgpu.core.ods.registry import dialect_names, operation_names
from xgpu.core.passes.registry import PASSES
from xgpu.core.syntax import parse_module
from xgpu.core.syntax.verify import verify_module

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


# -- an example of each operation

TABLES = ROOT / "xgpu/core/ods/tables"
#: Operations that no test and no table gives an example of, by dialect. No number may grow.
WITHOUT_EXAMPLE = {"bufferization": 1, "linalg": 9, "llvm": 2, "transform": 36}


def test_an_operation_is_cut_out() -> None:
    found = examples_in(operation_names("scf"), [TESTS / "dialects/scf"])
    assert found.keys() == set(operation_names("scf"))
    for name, text in found.items():
        assert is_shown(name, text)
        verify_module(parse_module(text))
        assert len(text.splitlines()) < 20
    assert linalg_arguments()["linalg.batch_matvec"] == [
        "tensor<4x4x3xf32>", "tensor<4x3xf32>", "tensor<4x4xf32>"
    ]  # fmt: skip


@pytest.fixture(scope="module")
def operation_examples() -> dict[str, str]:
    return examples()


@pytest.mark.long
def test_each_operation_has_an_example(operation_examples: dict[str, str]) -> None:
    for name, text in operation_examples.items():
        verify_module(parse_module(text, name))
        assert is_shown(name, text), text
    names = [name for dialect in dialect_names() for name in operation_names(dialect)]
    missing = [name.partition(".")[0] for name in names if name not in operation_examples]
    assert dict(Counter(missing)) == WITHOUT_EXAMPLE


@pytest.mark.long
@pytest.mark.parity
@pytest.mark.skipif(llvm_bin() is None, reason=NO_REFERENCE)
def test_mlir_accepts_the_examples(operation_examples: dict[str, str], tmp_path: Path) -> None:
    """Those of dialects that are MLIR's, but for what this project adds to them."""
    path = tmp_path / "examples.mlir"
    own = {name for text in TABLES.glob("*.own.txt") for name in re.findall(r"(?m)^\w+\.[\w.]+$",
           text.read_text())}  # fmt: skip
    names = [name for name in operation_examples if name not in own]
    path.write_text("\n// -----\n".join(operation_examples[name] for name in names))
    done = processes.run(
        [llvm_bin() / "mlir-opt", path, "--split-input-file", "-o", "/dev/null"],
        capture_output=True, text=True,
    )  # fmt: skip
    wrong = re.findall(r":\d+:\d+: error: (.*)", done.stderr)
    assert wrong == []


@pytest.mark.long
def test_the_site(operation_examples: dict[str, str], tmp_path: Path) -> None:
    """It is built without a broken link, and its pages show what examples become."""
    pytest.importorskip("sphinx", reason="Sphinx is not installed: pip install 'xgpu[docs]'")
    pytest.importorskip("myst_parser", reason="myst-parser is not installed")
    pytest.importorskip("furo", reason="furo is not installed")
    assert build(tmp_path, operation_examples) == 0
    page = (tmp_path / "docs/reference/passes.html").read_text()
    text = html.unescape(re.sub(r"<[^>]+>", "", page))
    assert "llvm.fmul %arg2, %arg2" in text  # of convert-arith-to-llvm
    assert "// CHECK" not in text
    assert "remark: 0.008 us, 0 bytes received" in text  # of shard-explore
    page = (tmp_path / "docs/reference/dialects/scf.html").read_text()
    text = html.unescape(re.sub(r"<[^>]+>", "", page))
    assert operation_examples["scf.for"] in text
    gallery = (tmp_path / "docs/gallery.html").read_text()
    assert "-16.6337" in gallery
    assert "timeline_two_matmuls.svg" in gallery
    explored = re.findall(r'href="\.\./(\w+\.html)">The IR after each pass', gallery)
    assert explored == ["two_matmuls.html", "circular_buffer.html"]
    assert all((tmp_path / page).stat().st_size > 100_000 for page in explored)
