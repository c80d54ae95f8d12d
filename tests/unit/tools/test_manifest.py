# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The manifest of behaviour: what it records, and that a difference is found."""

from __future__ import annotations

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def manifest(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "path", [str(ROOT), *sys.path])
    from tools import manifest

    return manifest


def test_what_the_tools_print_is_recorded(manifest):
    found = manifest.runs_of(ROOT / "tests/filecheck/transforms/generic/cse.mlir")
    first = next(iter(found.values()))
    assert first.startswith("exit 0\n")
    assert "func.func" in first


def test_a_difference_is_printed(manifest, capsys):
    before = {"runs": {"a:1": "one\ntwo", "b:1": "same"}, "ptx": {"k": "x"}}
    after = {"runs": {"a:1": "one\nthree", "b:1": "same"}, "ptx": {"k": "x", "l": "y"}}
    assert manifest.compare(before, before) == 0
    assert manifest.compare(before, after) == 2
    said = capsys.readouterr().out
    assert "## runs: a:1\n" in said
    assert "-two\n+three\n" in said
    assert "## ptx: l\n" in said


def test_what_differs_from_run_to_run_is_left_out(manifest):
    assert manifest.plain("in 12.5 ms at 0x7f0011223344") == "in <time> ms at <address>"


def test_a_signature_is_part_of_a_public_name(manifest):
    class Public:
        def method(self, given: int) -> str:
            return str(given)

    assert list(manifest.described("Public", Public)) == [
        "Public()", "Public.method(self, given: 'int') -> 'str': function",
    ]  # fmt: skip


def test_messages_are_known_by_their_text(manifest):
    import ast

    tree = ast.parse('raise DiagnosticError(op, f"expected {n} operands")\nprint("not a message")')
    assert [text for node in ast.walk(tree) for text in manifest.spoken(node)] == [
        "expected {} operands"
    ]
