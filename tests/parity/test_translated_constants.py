# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on constants in LLVM IR, beside mlir-translate 22: the same text of thousands of
functions, under several data layouts."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Sequence

import address_cases
import pytest
import translated_cases
from address_cases import GLOBALS, LAYOUTS
from translated_cases import Case, function

from tests.support import processes
from tests.support.some_cases import short, some
from xgpu.tools.xgpu_translate import main

pytestmark = [pytest.mark.parity, pytest.mark.sampled(2)]


def bodies(text: str) -> dict[str, str]:
    return {
        m[1]: m[2].strip()
        for m in re.finditer(r"define [^\n]*? @(f\d+)\([^\n]*\{\n(.*?)\n\}", text, re.S)
    }


def check(cases: Sequence[Case], layout: str, mlir_translate: str, folder: pathlib.Path) -> None:
    functions = [function(i, case) for i, case in enumerate(cases)]
    source, ours = folder / "constants.mlir", folder / "ours.ll"
    attribute = f' attributes {{llvm.data_layout = "{layout}"}}' if layout else ""
    source.write_text(f"module{attribute} {{\n{GLOBALS}{''.join(functions)}}}\n")
    theirs = processes.run(
        [mlir_translate, "--mlir-to-llvmir", source], capture_output=True, text=True, check=True
    ).stdout
    assert main(["--mlir-to-llvmir", str(source), "-o", str(ours)]) == 0
    expected, found = bodies(theirs), bodies(ours.read_text())
    assert len(expected) == len(functions)
    for i, text in enumerate(functions):
        if found[f"f{i}"] != expected[f"f{i}"]:
            pytest.fail(f"{text}\nmlir-translate:\n{expected[f'f{i}']}\nxgpu:\n{found[f'f{i}']}")


@pytest.mark.parametrize("group", sorted(translated_cases.GROUPS))
@pytest.mark.parametrize("layout", short(["default", "big"], "default"))
@pytest.mark.parametrize("part", short(["some", "all"], "some"))
def test_numbers(
    group: str, layout: str, part: str, mlir_translate: str, tmp_path: pathlib.Path
) -> None:
    cases = list(translated_cases.GROUPS[group]())
    step = 1 if part == "all" or len(cases) < 1000 else 11
    check(cases[::step], LAYOUTS[layout], mlir_translate, tmp_path)


@pytest.mark.parametrize(
    ("group", "layout"), some(sorted(address_cases.GROUPS), sorted(LAYOUTS), of=4)
)
@pytest.mark.parametrize("part", short(["some", "all"], "some"))
def test_addresses(
    group: str, layout: str, part: str, mlir_translate: str, tmp_path: pathlib.Path
) -> None:
    cases = list(address_cases.GROUPS[group]())
    step = 1 if part == "all" or len(cases) < 300 else 7
    check(cases[::step], LAYOUTS[layout], mlir_translate, tmp_path)
