# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What IPython, tqdm and rich make of ours, where they are installed; pictures are read as XML."""

from __future__ import annotations

import io
import sys
import xml.etree.ElementTree as xml

import pytest

import xgpu
from xgpu.api import progress

SOURCE = """
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @twice(%a: memref<?xf32>) kernel {
      %i = gpu.thread_id x
      %x = memref.load %a[%i] : memref<?xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[%i] : memref<?xf32>
      gpu.return
    }
  }
  func.func @both(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) -> i32 {
    %c1 = arith.constant 1 : index
    %four = arith.constant 4 : i32
    %start = gpu.wait async
    %left = gpu.launch_func async [%start] @kernels::@twice blocks in (%c1, %c1, %c1)
        threads in (%n, %c1, %c1) args(%a : memref<?xf32>)
    %right = gpu.launch_func async [%start] @kernels::@twice blocks in (%c1, %c1, %c1)
        threads in (%n, %c1, %c1) args(%b : memref<?xf32>)
    gpu.wait [%left, %right]
    return %four : i32
  }
}
"""
SVG = "{http://www.w3.org/2000/svg}"


def picture(text):
    return xml.fromstring(text[text.index("<svg") : text.index("</svg>") + 6])


def test_the_token_graph_of_a_module():
    module = xgpu.load(SOURCE, "host")
    drawn = picture(module.tokens_svg())
    words = [t.text for t in drawn.iter(f"{SVG}text")]
    assert words[0] == "@both"
    boxes = {t.text.split(" = ")[0]: t for t in drawn.iter(f"{SVG}text") if "launch_func" in t.text}
    assert set(boxes) == {"%left", "%right"}
    assert boxes["%left"].get("y") == boxes["%right"].get("y")  # neither waits for the other
    assert boxes["%left"].get("x") != boxes["%right"].get("x")
    assert len(list(drawn.iter(f"{SVG}line"))) >= 4
    assert module.tokens_svg() in module._repr_html_()
    kernels = SOURCE[SOURCE.index("  gpu.module") : SOURCE.index("  func.func")]
    assert xgpu.load(kernels, "host").tokens_svg() == ""


@pytest.fixture
def shell(monkeypatch):
    pytest.importorskip("IPython", reason="needs IPython")
    from IPython.core.interactiveshell import InteractiveShell

    made = InteractiveShell()
    made.run_line_magic("load_ext", "xgpu")
    return made


def test_cells_of_ipython(shell, capsys):
    module = shell.run_cell_magic("mlir", "program --device=host", SOURCE)
    assert shell.user_ns["program"] is module
    shown, _ = shell.display_formatter.format(module)
    assert "<svg" in shown["text/html"]
    assert "twice" in shown["text/html"]
    shown, _ = shell.display_formatter.format(module.kernels["twice"])
    assert "kernel twice" in shown["text/html"]
    assert "<xgpu.Kernel twice" in shown["text/plain"]
    a = xgpu.zeros(8, "float32", "host")
    with xgpu.profile() as profiled:
        assert module.functions["both"](a, a, 8) == 4
    shown, _ = shell.display_formatter.format(profiled)
    timeline = picture(shown["text/html"])
    assert len(list(timeline.iter(f"{SVG}rect"))) >= 2
    assert shell.run_cell_magic("mlir", "--device=host", "func.func @f() {\n  oops\n}") is None
    error = capsys.readouterr().err
    assert "<cell>:2:3" in error
    assert "\x1b[" in error


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("library", ["tqdm", "rich"])
def test_bars(library, monkeypatch):
    """On standard error, when something takes longer than the delay; never without a terminal."""
    pytest.importorskip(library, reason=f"needs {library}")
    if library == "rich":
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
        monkeypatch.setenv("TERM", "xterm")
    for terminal, delay, expected in (
        (Terminal(), 0.0, True), (Terminal(), 60.0, False), (io.StringIO(), 0.0, False),
    ):  # fmt: skip
        monkeypatch.setattr(sys, "stderr", terminal)
        monkeypatch.setattr(progress, "DELAY", delay)
        with progress.bar(3, "compile") as step:
            for _ in range(3):
                step()
        assert ("compile" in terminal.getvalue()) == expected, (delay, terminal.getvalue())
