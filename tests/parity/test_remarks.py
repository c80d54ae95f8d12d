# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Remarks of passes, by xgpu-opt's options and by mlir-opt's.

The policy `final` has no order in MLIR, which writes each remark twice into a file: there the
remarks are compared as a set.
"""

from __future__ import annotations

import importlib.util
import pathlib
import re
import sys

import pytest

from tests.support import processes
from xgpu.core.passes.registry import PASSES
from xgpu.tools import xgpu_opt

pytestmark = pytest.mark.parity

PLUGIN = pathlib.Path(__file__).parents[1] / "mlir_test_lib/remark.py"
PROGRAM = """func.func @f(%a: i32) {
  %b = arith.addi %a, %a : i32
  return loc(unknown)
}
"""

OPTIONS = [
    "--remarks-filter=category.*",
    "--remarks-filter=category",
    "--remarks-filter-passed=category.* --remarks-filter-missed=a-cat.*",
    "--remarks-filter=category-1.* --remarks-filter-analyse=.*sis",
    "--remarks-filter=^category-2.*$",
    "--remarks-filter-failed=[",
    "--remarks-filter=.* --remark-policy=final",
    "--remarks-filter=.* --remark-format=yaml",
    "--remarks-filter=.* --remark-format=yaml --remark-policy=final",
    "--remark-format=yaml",
    "--remarks-filter=.* --remark-format=bitstream",
    "--remark-format=bitstream",
    "--remark-policy=final",
]


@pytest.fixture(autouse=True)
def the_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pass by itself, for one test: the package that it is in defines a dialect, and other
    tests of the process look at all passes."""
    spec = importlib.util.spec_from_file_location("remark_of_tests", PLUGIN)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, "remark_of_tests", module)
    monkeypatch.setitem(PASSES, "test-remark", "remark_of_tests:TestRemark")


@pytest.mark.parametrize("options", OPTIONS)
def test_options(
    options: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str], mlir_opt: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    # So long a path makes LLVM's writer of YAML begin a line.
    folder = tmp_path / ("folder" * 5) / "a folder"
    folder.mkdir(parents=True)
    file = folder / "a.mlir"
    file.write_text(PROGRAM)
    arguments = [str(file), "--test-remark", *options.split()]
    theirs = processes.run([mlir_opt, *arguments], capture_output=True, text=True)
    expected = _remarks(theirs.stderr, options)
    assert xgpu_opt.main(arguments) == theirs.returncode == 0
    assert _remarks(capsys.readouterr().err, options) == expected


def _remarks(printed: str, options: str) -> list[str] | bytes:
    """What is printed, or in the file."""
    if "bitstream" in options:
        return (pathlib.Path.cwd() / "mlir-remarks.bitstream").read_bytes()
    text = (pathlib.Path.cwd() / "mlir-remarks.yaml").read_text() if "yaml" in options else printed
    text = text.replace("<unknown>:0:0:", "<unknown>:0:")
    parts = re.split(r"(?m)^(?=--- |\S.*?:\d+: remark)", text)
    return sorted(set(parts)) if "final" in options else parts
