# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Manual pages: what the tables say is in them, as programs show it."""

from __future__ import annotations

import re
import shutil

import pytest

from tests.support import processes
from tools.generate_man_pages import pages, plain, tools
from xgpu.core.passes.registry import PASSES, PIPELINES, pass_class


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return pages()


def shown(text: str) -> str:
    """A page as groff shows it, in one line. Nothing is said about its text."""
    done = processes.run(
        ["groff", "-man", "-Tutf8", "-P-cbou", "-ww", "-rLL=2000n"],
        input=text, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    return " ".join(done.stdout.replace("\u2010", "-").split())


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
@pytest.mark.parametrize("tool", tools())
def test_a_page_holds_its_options(tool: str, made: dict[str, str]) -> None:
    about = tools()[tool]
    text = shown(made[f"{tool}.1"])
    assert f"NAME {tool} - {about.summary} SYNOPSIS" in text
    for option, words in about.options.items():
        option = re.sub("[<>]", "", option)
        assert f" {option} {words}" in text


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_passes_and_their_options(made: dict[str, str]) -> None:
    text = shown(made["xgpu-opt.1"])
    for name in PASSES:
        found = pass_class(name)
        assert f" --{name} {' '.join(found.summary.split())}" in text
        for option in found.options:
            assert f" --{option.name}" in text
    for name in PIPELINES:
        assert f" --{name} " in text
    assert "(default: sm_50)" in text


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not installed")
def test_another_program_reads_them(made: dict[str, str]) -> None:
    for text in made.values():
        done = processes.run(
            ["mandoc", "-T", "lint", "-W", "warning"], input=text, capture_output=True, text=True
        )
        said = [line for line in done.stdout.splitlines() if "missing date" not in line]
        assert said == []  # without a date, builds of the same source are the same


def test_text_that_is_no_request() -> None:
    assert plain(".hidden  -x\n\\n") == "\\&.hidden \\-x \\en"
    assert plain("'quoted'") == "\\(aqquoted\\(aq"
