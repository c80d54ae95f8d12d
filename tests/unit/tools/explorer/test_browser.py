# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The explorer page in a browser: what a user clicks and presses, and what is then seen."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterator
from dataclasses import replace

import pytest
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from tests.support.browser import CHROMIUM, Browser
from tests.support.explored import lowered_kernel
from xgpu.api.display import Page
from xgpu.core.passes.base import Pass
from xgpu.core.passes.manager import PassManager
from xgpu.core.syntax import context, parse_module
from xgpu.host_device.device.modules import ChosenStrategy
from xgpu.tools.explorer.model import Run
from xgpu.tools.explorer.page import events_of, page
from xgpu.tools.explorer.recorder import Recorder
from xgpu.tools.timeline import wide_svg

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")

EVENTS = [
    {"name": "allocate", "cat": "memory", "ph": "X", "pid": 1, "tid": 1, "ts": 1.0, "dur": 2.0,
     "args": {"location": "a.mlir:15:10", "operation": 7}},
    {"name": "shift", "cat": "kernel", "ph": "X", "pid": 1, "tid": 2, "ts": 5.0, "dur": 9.0,
     "args": {"location": "a.mlir:16:10", "operation": 8, "after": [7]}},
    {"name": "wait", "cat": "wait", "ph": "X", "pid": 1, "tid": 0, "ts": 0.0, "dur": 900.0,
     "args": {"location": "a.mlir:18:5", "after": [8]}},
]  # fmt: skip
FINDING = {
    "kind": "race", "message": "two threads", "hint": "wait",
    "sides": [{"did": "writes", "file": "a.mlir", "line": 8, "column": 7},
              {"did": "reads", "file": "a.mlir", "line": 7, "column": 12}],
}  # fmt: skip
STRATEGY = ChosenStrategy("shift", "kernels", "a.mlir:3:5", (2, 1, 1), "block-loops", "")


def text_of_page() -> str:
    strategies = [{**STRATEGY._asdict(), "words": str(STRATEGY)}]
    run = Run(
        wide_svg(EVENTS, "a.mlir"),
        events_of(EVENTS),
        [["what", "created"], ["streams", "1"]],
        [FINDING],
        strategies,
    )
    return page(replace(lowered_kernel(), run=run))


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    made = Browser(tmp_path_factory.mktemp("browser"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(text_of_page())
    return path


@pytest.fixture
def explorer(browser: Browser, file: pathlib.Path) -> Iterator[Browser]:
    browser.open(file)
    browser.errors.clear()
    yield browser
    assert browser.errors == []


def selected(explorer: Browser, panel: str) -> list[str]:
    """The lines of a panel that are selected."""
    lines = f"document.querySelectorAll('{panel} .line.selected, {panel} .line.related')"
    return explorer.run(
        f"[...{lines}].map((line) => line.querySelector('code').textContent.trim())"
    )


def click_line(explorer: Browser, panel: str, text: str) -> None:
    """Clicks the first line of a panel with a text."""
    explorer.run(
        f"[...document.querySelectorAll('{panel} .line')]"
        f".find((line) => line.textContent.includes('{text}')).id = 'wanted'"
    )
    explorer.click("#wanted")


def test_every_panel_at_three_widths(explorer: Browser) -> None:
    names = explorer.run("[...document.querySelectorAll('[role=tab]')].map((tab) => tab.id)")
    assert {f"tab-{name}" for name in (
        "source", "llvm", "ptx", "kernels", "tokens", "run", "findings"
    )} <= set(names)  # fmt: skip
    for width in (1280, 800, 390):
        explorer.resize(width, dark=width == 800)
        for name in names:
            explorer.click(f"#{name}")
            panel = f"document.getElementById('{name}'.replace('tab', 'panel'))"
            assert explorer.run(f"{panel}.getBoundingClientRect().height") > 40, (width, name)
            assert explorer.run(f"{panel}.textContent.trim()"), (width, name)
        assert explorer.run("document.documentElement.scrollWidth <= innerWidth"), width


def test_from_the_source_to_ptx_and_back(explorer: Browser) -> None:
    click_line(explorer, "#panel-source", "memref.store")
    assert any("memref.store" in line for line in selected(explorer, "#panel-source"))
    explorer.click("#tab-ptx")
    lines = selected(explorer, "#panel-ptx")
    assert any(line.startswith("st.global") for line in lines)
    explorer.click("#tab-source")
    explorer.press("Escape")
    assert selected(explorer, "#panel-source") == []
    explorer.click("#tab-ptx")
    click_line(explorer, "#panel-ptx", "st.global")
    explorer.click("#tab-source")
    assert selected(explorer, "#panel-source") == ["memref.store %v, %x[%n] : memref<64xi32>"]
    assert "a.mlir:8" in explorer.run("document.getElementById('selection').textContent")


def test_reports_lead_to_the_source(explorer: Browser) -> None:
    explorer.click("#tab-findings")
    explorer.click("#panel-findings .place")
    assert explorer.run("document.getElementById('panel-source').hidden") is False
    assert selected(explorer, "#panel-source") == ["memref.store %v, %x[%n] : memref<64xi32>"]


def test_reports_stand_at_both_lines(explorer: Browser) -> None:
    notes = "[...document.querySelectorAll('#panel-source .note')].map((note) => note.textContent)"
    assert explorer.run(notes) == [
        "race: reads \u2194\u00a0line 8", "race: writes \u2194\u00a0line 7",
    ]  # fmt: skip
    beside = (
        "[...document.querySelectorAll('#panel-source .notes')].map((notes) => {"
        "const [code, own] = [notes.parentElement.querySelector('code'), notes]"
        ".map((part) => part.getBoundingClientRect().width);"
        "return own < code * 4 && code < own * 4})"
    )
    assert explorer.run(beside) == [True, True]  # neither is squeezed
    explorer.click("#panel-source .note button")
    assert selected(explorer, "#panel-source") == ["memref.store %v, %x[%n] : memref<64xi32>"]


def test_waits_are_arrows(explorer: Browser) -> None:
    explorer.click("#tab-run")
    chosen = (
        "[...document.querySelectorAll('#timeline .chosen, #events .chosen td:first-child')]"
        ".map((made) => made.textContent.trim().split('\\n')[0])"
    )
    said = "document.getElementById('event').textContent"
    explorer.click("#events tbody tr:nth-child(2) button")
    assert sorted(explorer.run(chosen)) == [
        "shift", "shift", "shift waits for allocate", "wait waits for shift",
    ]  # fmt: skip
    assert explorer.run(said) == (
        "shift (stream 2, 0.01 ms) waits for allocate. Waiting for it: wait. a.mlir:16:10"
    )
    arrow = "document.querySelector('[data-to=\"1\"]').getBoundingClientRect()"
    frame = "document.getElementById('timeline').getBoundingClientRect()"
    assert explorer.run(f"{arrow}.left >= {frame}.left && {arrow}.right <= {frame}.right")
    explorer.click("#events tbody tr:nth-child(3) td:nth-child(5) button")  # what `wait` waits for
    assert explorer.run(said).startswith("shift ")
    explorer.click("#timeline [data-event='0'] rect")
    assert explorer.run(said).startswith("allocate (stream 1, 0.00 ms) waits for nothing.")
    explorer.click("#event button")
    assert "gpu.alloc" in selected(explorer, "#panel-source")[0]


def test_the_strategy_of_a_kernel(explorer: Browser) -> None:
    words = "a.mlir:3:5: kernel 'shift', blocks of 2 x 1 x 1: block-loops (in gpu.module 'kernels')"
    lines = (
        "[...document.querySelectorAll('#panel-source .line, #rows .line')]"
        ".filter((line) => line.title).map((line) => "
        "[line.querySelector('code').textContent.trim().split(/[ (]/)[0], line.title, "
        "line.querySelector('.strategy')?.textContent])"
    )
    first = explorer.run(lines)
    assert ["gpu.func", words, "block-loops"] in first
    assert ["%t1", words, "block-loops"] in first  # the launch
    assert {title for _, title, _ in first} == {words}
    click_line(explorer, "#panel-source", "gpu.func @shift")
    assert words in explorer.run("document.getElementById('selection').textContent")


def test_search(explorer: Browser) -> None:
    explorer.press("/")
    explorer.write("llvm.add")
    explorer.wait("document.getElementById('hits').textContent !== ''")
    assert explorer.run("document.querySelectorAll('#rail .missed').length") > 0
    explorer.press("Enter")
    assert "llvm.add" in explorer.run("document.querySelector('#rows .active').textContent")
    explorer.press("Escape")
    assert explorer.run("document.querySelectorAll('#rail .missed').length") == 0


def test_zoom(explorer: Browser) -> None:
    explorer.click("#tab-tokens")
    width = "Number(document.querySelector('#panel-tokens svg').getAttribute('width'))"
    first = explorer.run(width)
    explorer.click("#panel-tokens button")
    assert explorer.run(width) == pytest.approx(first * 1.5)
    explorer.click("#panel-tokens button:nth-of-type(3)")
    assert explorer.run(width) == pytest.approx(
        explorer.run("document.querySelector('#panel-tokens .picture').clientWidth"), abs=4
    )
    before = explorer.run("document.querySelector('aside').clientWidth")
    explorer.click("#wide")
    assert explorer.run("document.querySelector('aside').clientWidth") > before


def test_by_the_keyboard_alone(explorer: Browser) -> None:
    focus = "document.activeElement.id || document.activeElement.className"
    title = "document.getElementById('pass').textContent"
    seen = []
    for _ in range(8):
        explorer.press("Tab")
        seen.append(explorer.run(focus))
        if seen[-1] == "rail":
            break
    assert seen[-1] == "rail"
    first = explorer.run(title)
    explorer.press("ArrowDown")
    assert explorer.run(title) != first
    explorer.press("Home")
    assert explorer.run(title) == first
    explorer.press("n")
    assert explorer.run("document.querySelector('#rows .active') !== null")
    explorer.press("Tab")
    assert explorer.run(focus) == "rows"
    explorer.press("ArrowDown", "Enter")
    assert explorer.run("document.querySelectorAll('#rows .selected').length") > 0
    for _ in range(40):
        explorer.press("Tab")
        if explorer.run(focus) == "tab-source":
            break
    explorer.press("ArrowRight")
    assert explorer.run(focus) == "tab-llvm"
    assert explorer.run("document.getElementById('panel-llvm').hidden") is False
    explorer.press("Tab", "End", "Enter")
    assert explorer.run("document.querySelector('#panel-llvm .active') !== null")
    explorer.press("Escape")
    assert explorer.run("document.querySelectorAll('.selected').length") == 0


def test_in_a_notebook(browser: Browser, file: pathlib.Path, tmp_path: pathlib.Path) -> None:
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!DOCTYPE html><body>{Page(file.read_text())._repr_html_()}")
    browser.open(notebook)
    browser.errors.clear()
    assert browser.run_in_frame("document.querySelectorAll('[role=tab]').length") > 5
    assert browser.run("document.querySelector('iframe').clientHeight") > 300
    assert browser.errors == []


# -- size


def many_operations(count: int) -> str:
    body = "".join(f"  %{i + 1} = arith.addi %{i}, %a : i32\n" for i in range(count))
    first, last = "  %0 = arith.muli %a, %a : i32\n", f"  return %{count} : i32\n"
    return f"func.func @f(%a: i32) -> i32 {{\n{first}{body}{last}}}\n"


class Touch(Pass):
    """Changes every third operation."""

    name = "touch"

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def run(self, op: Operation, ctx: object) -> None:
        for at, inner in enumerate(op.walk()):
            if inner.name == "arith.addi" and (at + self.number) % 3 == 0:
                inner.attributes["test.touched"] = IntegerAttr(self.number, 32)


def written(path: pathlib.Path, text: str, passes: list[Pass]) -> int:
    """Writes the page of passes; its bytes."""
    recorder = Recorder("a.mlir", {"a.mlir": text})
    module = parse_module(text, "a.mlir")
    recorder.begin(module)
    manager = PassManager()
    for p in passes:
        manager.add(p)
    manager.run(module, context(), [recorder])
    recorder.end(module)
    assert len(recorder.exploration.steps) == len(passes)
    path.write_text(page(recorder.exploration))
    return path.stat().st_size


@pytest.mark.long
def test_sixty_passes_over_two_thousand_operations(
    browser: Browser, tmp_path: pathlib.Path
) -> None:
    path = tmp_path / "page.html"
    size = written(path, many_operations(2_000), [Touch(number) for number in range(60)])
    assert size < 10 << 20
    assert browser.open(path) < 2 * (1 + os.getloadavg()[0] / 2)


@pytest.mark.long
def test_twenty_thousand_operations(browser: Browser, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "page.html"
    written(path, many_operations(20_000), [Touch(0)])
    browser.open(path)
    browser.errors.clear()
    click_line(browser, "#panel-source", "arith.muli")
    assert selected(browser, "#panel-source") == ["%0 = arith.muli %a, %a : i32"]
    assert browser.errors == []
