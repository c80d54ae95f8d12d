# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an explorer page holds: texts, passes, locations, device code, a run."""

from __future__ import annotations

import json
import pathlib
import re
import shutil

import pytest

from tests.support import processes
from tests.support.explored import KERNEL, lowered_kernel, recorded
from xgpu.backend.nvptx import cubin
from xgpu.backend.nvptx.cubin import find_tool
from xgpu.core.ir.errors import DiagnosticError, UsageError
from xgpu.core.passes.base import Pass
from xgpu.core.passes.manager import PassManager
from xgpu.core.syntax import context, parse_module, print_module
from xgpu.runtime.work import Peaks
from xgpu.tools import xgpu_opt, xgpu_runner
from xgpu.tools.explorer.device_code import (
    kernels_of_ptx,
    read_llvm,
    read_ptx,
    read_sass,
)
from xgpu.tools.explorer.model import Change, Exploration, Line, compare
from xgpu.tools.explorer.page import page
from xgpu.tools.explorer.recorder import Recorder

FOLDER = pathlib.Path(__file__).resolve().parents[4] / "xgpu/tools/explorer"

TEXT = """func.func @f(%a: i32, %n: index, %m: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dead = arith.addi %a, %a : i32
  scf.for %i = %c0 to %n step %c1 {
    %twice = arith.muli %a, %a : i32
    memref.store %twice, %m[%i] : memref<?xi32>
  }
  return
}
func.func @g(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb2
^bb2:
  return
}
"""

def data_of(text: str) -> dict:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    return json.loads(found[1])


def decoded(data: dict) -> list[list[Line]]:
    """The texts of a page as the page reads them."""
    texts: list[list[Line]] = []
    last: list[Line] = []
    for edits in data["texts"]:
        at = 0
        lines: list[Line] = []
        for begin, end, strings, operations, locations, named in edits:
            lines += last[at:begin]
            lines += [
                Line(data["strings"][s], o, p, tuple(n))
                for s, o, p, n in zip(strings, operations, locations, named, strict=True)
            ]
            at = end
        last = [*lines, *last[at:]]
        texts.append(last)
    return texts


# -- texts


def test_text_is_what_is_printed() -> None:
    text = recorded("builtin.module()", TEXT).texts[0]
    assert [line.text for line in text] == print_module(parse_module(TEXT)).splitlines()


def test_lines_know_the_place_in_the_source() -> None:
    found = recorded("builtin.module()", TEXT)
    for line in found.texts[0]:
        word = re.search(r"\w+\.\w+|return", line.text)
        if word is None or line.location < 0:
            continue
        place = found.locations[line.location]
        assert word[0] in TEXT.splitlines()[place.line - 1]
    closing = next(line for line in found.texts[0] if line.text == "    }")
    assert found.locations[closing.location].line == 5  # that of the loop


def test_names_lead_to_definitions() -> None:
    lines = recorded("builtin.module()", TEXT).texts[0]
    product = next(line for line in lines if "muli" in line.text)
    store = next(line for line in lines if "memref.store" in line.text)
    defined, first, second = product.named
    assert ~defined == store.named[0]
    assert first == second
    assert ~first in lines[1].named  # the function's argument
    loop = next(line for line in lines if "scf.for" in line.text)
    assert ~store.named[2] == loop.named[0]


def test_names_of_blocks_lead_to_labels() -> None:
    lines = recorded("builtin.module()", TEXT).texts[0]
    branch = next(line for line in lines if "cond_br" in line.text)
    labels = [line for line in lines if line.text.lstrip().startswith("^")]
    assert [~label.named[0] for label in labels] == list(branch.named[1:])


def test_names_in_operations_within_a_line() -> None:
    text = """func.func @f(%a: vector<4xf32>, %b: f32, %m: vector<4xi1>) -> f32 {
      %0 = vector.mask %m { vector.reduction <add>, %a : vector<4xf32> into f32 }
        : vector<4xi1> -> f32
      return %0 : f32
    }"""
    lines = recorded("builtin.module()", text).texts[0]
    mask = next(line for line in lines if "vector.mask" in line.text)
    header = next(line for line in lines if "func.func" in line.text)
    assert [~mask.named[2], ~mask.named[1]] == [header.named[0], header.named[2]]


# -- passes


def test_a_pass_that_changes_nothing_has_no_entry() -> None:
    found = recorded("builtin.module(symbol-dce,canonicalize,canonicalize)", TEXT)
    assert [step.name for step in found.steps] == ["canonicalize"]
    assert found.unchanged == 2
    assert len(found.texts) == 2
    assert found.final == found.steps[0].after == 1


def test_what_a_pass_removes() -> None:
    (step,) = recorded("builtin.module(func.func(loop-invariant-code-motion))", TEXT).steps
    assert step.scope == "func.func @f"
    assert (step.removed, step.added) == (1, 1)  # the product moves
    assert step.seconds > 0


def test_operations_and_locations_stay_through_passes() -> None:
    found = recorded("builtin.module(canonicalize,convert-arith-to-llvm,convert-scf-to-cf)", TEXT)
    before, *_, last = (found.texts[step.after] for step in found.steps)
    store = next(line for line in before if "memref.store" in line.text)
    again = next(line for line in last if "memref.store" in line.text)
    assert again.operation == store.operation
    product = next(line for line in before if "arith.muli" in line.text)
    replaced = next(line for line in last if "llvm.mul" in line.text)
    assert replaced.operation != product.operation
    assert replaced.location == product.location


def test_nested_passes_say_where_they_ran() -> None:
    found = recorded("builtin.module(func.func(canonicalize,convert-scf-to-cf))", TEXT)
    assert [(s.name, s.scope) for s in found.steps] == [
        ("canonicalize", "func.func @f"), ("convert-scf-to-cf", "func.func @f"),
        ("canonicalize", "func.func @g"),
    ]  # fmt: skip
    assert found.steps[1].before == found.steps[0].after


class Fails(Pass):
    name = "fails"

    def run(self, op, ctx) -> None:
        next(iter(op.walk())).attributes["left"] = op.attributes.get("none") or _unit()
        raise DiagnosticError([])


def _unit():
    from xdsl.dialects.builtin import UnitAttr

    return UnitAttr()


def test_a_pass_that_fails_has_an_entry() -> None:
    module = parse_module(TEXT, "a.mlir")
    recorder = Recorder("a.mlir", {})
    recorder.begin(module)
    manager = PassManager()
    manager.add(Fails())
    with pytest.raises(DiagnosticError):
        manager.run(module, context(), [recorder])
    (step,) = recorder.exploration.steps
    assert step.failed
    assert step.added == 1


class LeavesHalf(Pass):
    name = "leaves-half"

    def run(self, op, ctx) -> None:
        for inner in op.walk():
            if inner.name == "arith.constant":
                del inner.properties["value"]
            elif inner.name == "arith.muli":
                inner.operands = inner.operands[:1]
        raise DiagnosticError([])


def test_what_a_failed_pass_leaves_is_generic_where_it_is_no_more_what_its_name_says() -> None:
    module = parse_module(TEXT, "a.mlir")
    recorder = Recorder("a.mlir", {})
    recorder.begin(module)
    manager = PassManager()
    manager.add(LeavesHalf())
    with pytest.raises(DiagnosticError):
        manager.run(module, context(), [recorder])
    (step,) = recorder.exploration.steps
    left = [line.text.strip() for line in recorder.exploration.texts[step.after]]
    assert '%cst = "arith.constant"() : () -> index' in left
    assert any('= "arith.muli"(%arg0) ' in line for line in left)
    assert "%0 = arith.addi %arg0, %arg0 : i32" in left


# -- differences


def lines(*texts: str, first: int = 0) -> list[Line]:
    return [Line(text, first + i, 0, (i,)) for i, text in enumerate(texts)]


def test_numbers_of_values_are_no_change() -> None:
    before = [Line("%0 = a", 0, 0, (~1,)), Line("%1 = b", 1, 0, (~2,)), Line("c %1", 2, 0, (2,))]
    after = [Line("%0 = b", 1, 0, (~2,)), Line("c %0", 2, 0, (2,))]
    assert compare(before, after) == [Change("removed", 0, 1, 0, 0), Change("equal", 1, 3, 0, 2)]


def test_another_operand_is_a_change() -> None:
    before, after = [Line("c %1", 2, 0, (2,))], [Line("c %0", 2, 0, (1,))]
    assert compare(before, after) == [Change("changed", 0, 1, 0, 1)]


def test_operations_that_replace_others_are_compared_by_words() -> None:
    before, after = lines("a", "b", "c"), lines("a", "x", "c", first=10)
    assert compare(before, after) == [
        Change("equal", 0, 1, 0, 1), Change("removed", 1, 2, 1, 1), Change("added", 2, 2, 1, 2),
        Change("equal", 2, 3, 2, 3),
    ]  # fmt: skip


def test_an_operation_that_moves_is_removed_and_added() -> None:
    a, b, c = lines("a", "b", "c")
    changes = compare([a, b, c], [c, a, b])
    assert [change.kind for change in changes] == ["added", "equal", "removed"]


# -- device code


LLVM = """define void @k(ptr %0) !dbg !3 {
  store i32 1, ptr %0, align 4, !dbg !5
  ret void, !dbg !6
}
!1 = !DIFile(filename: "a\\22b.mlir", directory: "/folder")
!2 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!3 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 3, unit: !2)
!4 = distinct !DILexicalBlock(scope: !3, file: !1, line: 4)
!5 = !DILocation(line: 4, column: 7, scope: !4)
!6 = !DILocation(line: 9, scope: !3)
"""


def test_places_of_llvm_ir() -> None:
    found = Exploration("")
    places = [
        tuple(found.locations[line.location]) if line.location >= 0 else None
        for line in read_llvm(LLVM, found)[:4]
    ]
    name = '/folder/a"b.mlir'
    assert places == [(name, 3, 0), (name, 4, 7), (name, 9, 0), None]


def test_places_of_ptx() -> None:
    text = '.file 1 "a.mlir"\n{\n\t.loc\t1 3 5\n\tadd.s32;\n\t.loc\t1 0 0\n\tret;\n}\n'
    found = Exploration("")
    places = [line.location for line in read_ptx(text, found)]
    assert places == [-1, -1, 0, 0, -1, -1, -1]
    assert found.locations == [("a.mlir", 3, 5)]


SASS = """\t.section\t.text.f,"ax",@progbits
.text.f:
\t//## File "/b/a.mlir", line 8
        /*0000*/                   S2R R0, SR_TID.X ;
\t.section\t.text.g,"ax",@progbits
"""


def test_places_of_sass() -> None:
    found = Exploration("")
    lines = read_sass(SASS, found)
    assert [line.location for line in lines] == [-1, -1, 0, -1]
    assert lines[2].text == "        /*0000*/  S2R R0, SR_TID.X ;"
    assert found.locations == [("/b/a.mlir", 8, 0)]


def test_kernels_of_ptx() -> None:
    ptx = """.shared .align 4 .b8 module_tile[65536];
.visible .entry f()
{
\t.shared .align 16 .b8 own[1024];
\tmov.u32 %r1, own;
\tmov.u32 %r2, module_tile;
}
.visible .entry g() { ret; }
"""
    f, g = kernels_of_ptx(ptx, "sm_80")
    assert (f.name, f.registers, f.shared) == ("f", None, 65536 + 1024)
    # Two blocks of 67,584 bytes are in the 164 KiB of a multiprocessor for 2,048 threads.
    assert f.occupancy[:3] == [(64, 0.0625), (128, 0.125), (256, 0.25)]
    assert g.occupancy[1:3] == [(128, 1.0), (256, 1.0)]
    assert kernels_of_ptx("// nothing", "sm_80") == []


def test_device_code_of_a_pipeline() -> None:
    found = lowered_kernel()
    (code,) = found.device_code
    assert (code.module, code.target, code.problem) == ("kernels", "sm_80", "")
    (store,) = (line for line in code.ptx if "st.global" in line.text)
    assert found.locations[store.location][:2] == ("a.mlir", 8)
    assert any("!dbg" in line.text and line.location == store.location for line in code.llvm)
    assert [kernel.name for kernel in code.kernels] == ["shift"]
    if find_tool("ptxas") is not None and find_tool("nvdisasm") is not None:
        (store,) = (line for line in code.sass if "STG" in line.text)
        assert found.locations[store.location][1] == 8
    assert found.tokens is not None
    assert "shift" in found.tokens.picture
    # What the pass itself gives has no lines of the source.
    assert not any(".loc" in line.text for line in found.texts[found.final])


# -- the page


def test_texts_of_the_page_are_those_recorded() -> None:
    found = recorded("builtin.module(canonicalize,func.func(cse),convert-scf-to-cf)", TEXT)
    data = data_of(page(found))
    assert decoded(data) == found.texts
    assert data["sources"] == {"a.mlir": TEXT}
    assert [step["name"] for step in data["steps"]] == [step.name for step in found.steps]


def test_no_text_ends_the_script_or_begins_an_element() -> None:
    text = 'func.func private @f() attributes {t = "</script><img src=x><!--{data}{title}"}\n'
    module = parse_module(text, "<u>&.mlir")
    recorder = Recorder("<u>&.mlir", {"<u>&.mlir": text})
    recorder.begin(module)
    shown = page(recorder.exploration)
    assert data_of(shown)["sources"] == {"<u>&.mlir": text}
    assert "<img" not in shown
    assert "<u>" not in shown
    assert shown.count("</script>") == 3
    assert shown.count("&lt;u&gt;&amp;.mlir") == 2


def test_the_page_loads_nothing() -> None:
    shown = page(recorded("builtin.module(canonicalize)", TEXT))
    assert "default-src 'none'" in shown
    without_names = shown.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|\bsrc=|@import|url\(", without_names)


def test_scripts_build_no_html_from_text() -> None:
    for script in ("model.js", "page.js"):
        text = (FOLDER / script).read_text()
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text)


NODE = shutil.which("node")
SCRIPT = """
const m = require(process.argv[1]);
const data = JSON.parse(require("fs").readFileSync(0, "utf8"));
const texts = m.decodeTexts(data);
const steps = data.steps.map((step) => {
  const rows = m.rowsOf(step.changes);
  const folded = m.foldRows(rows, () => false);
  const rest = folded.flatMap((item) => item.kind === "fold" ? item.rows : [item]);
  return [rows.filter((row) => row.before >= 0).length, rows.filter((row) => row.after >= 0).length,
          rows.length === rest.length];
});
const line = texts[0].find((line) => line.text.includes("arith.muli"));
const selection = m.selectionOf(data, line);
const names = texts.every((text) => text.every((line) =>
  m.tokensOf(line.text).filter(([kind]) => kind === "name").length === line.named.length
  || line.operation < 0));
const related = texts.at(-1).filter((line) => m.relation(data, line, selection) !== "");
const rows = Array.from({ length: 20 }, (_, i) => ({ kind: i === 10 ? "changed" : "equal", i }));
const folded = m.foldRows(rows, () => false);
console.log(JSON.stringify({
  folded: folded.map((item) => item.kind === "fold" ? item.rows.length : item.i),
  texts: texts.map((text) => text.map((line) => line.text)), steps, names, selection,
  related: related.map((line) => line.text),
  touched: data.steps.filter((step) => m.touches(data, texts, step, selection)).map((s) => s.name),
  joined: texts.every((text) => text.every((line) =>
    m.tokensOf(line.text).map((part) => part[1]).join("") === line.text)),
}));
"""


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_page_reads_its_data() -> None:
    found = recorded("builtin.module(canonicalize,convert-scf-to-cf,convert-arith-to-llvm)", TEXT)
    done = processes.run(
        [NODE, "-e", SCRIPT, str(FOLDER / "model.js")],
        input=json.dumps(found.to_json()), capture_output=True, text=True, check=True,
    )  # fmt: skip
    read = json.loads(done.stdout)
    assert read["texts"] == [[line.text for line in text] for text in found.texts]
    assert read["steps"] == [
        [len(found.texts[step.before]), len(found.texts[step.after]), True] for step in found.steps
    ]
    assert read["names"]
    assert read["folded"] == [7, *range(7, 14), 6]
    assert read["joined"]
    assert read["selection"]["line"] == 6
    assert len(read["related"]) == 1
    assert "llvm.mul" in read["related"][0]
    assert read["touched"] == ["convert-scf-to-cf", "convert-arith-to-llvm"]


@pytest.mark.skipif(NODE is None, reason="node is not installed")
@pytest.mark.parametrize("script", ["model.js", "page.js"])
def test_scripts_are_javascript(script: str) -> None:
    processes.run([NODE, "--check", str(FOLDER / script)], check=True)


# -- the tools


def test_option_of_xgpu_opt(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "a.mlir", tmp_path / "out.html"
    source.write_text(f"{TEXT}// -----\n{TEXT}")
    argv = [str(source), "--canonicalize", "--split-input-file", f"--explore={out}"]
    assert xgpu_opt.main(argv) == 0
    data = data_of(out.read_text())
    assert [step["name"] for step in data["steps"]] == ["canonicalize"] * 2
    assert data["run"] is None
    with_page = capsys.readouterr().out
    assert xgpu_opt.main(argv[:-1]) == 0
    assert capsys.readouterr().out == with_page


def test_a_pipeline_that_fails_has_a_page(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "a.mlir", tmp_path / "out.html"
    source.write_text(TEXT.replace("arith.muli %a, %a : i32", '"llvm.mlir.zero"() : () -> i32'))
    passes = "builtin.module(canonicalize,gpu-module-to-binary{format=none})"
    argv = [str(source), f"--pass-pipeline={passes}", f"--explore={out}"]
    assert xgpu_opt.main(argv) == 1
    assert "Invalid format" in capsys.readouterr().err
    failed = [(step["name"], step["failed"]) for step in data_of(out.read_text())["steps"]]
    assert failed == [("canonicalize", False), ("gpu-module-to-binary", True)]


@pytest.mark.long
def test_reports_of_the_sanitizer(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "a.mlir", tmp_path / "out.html"
    source.write_text(KERNEL)
    argv = [str(source), "--device=host", "--sanitize=race", f"--explore={out}"]
    assert xgpu_runner.main(argv) == 1
    assert "error: race" in capsys.readouterr().err
    data = data_of(out.read_text())
    run = data["run"]
    (finding,) = run["findings"]
    assert sorted(side["line"] for side in finding["sides"]) == [7, 8]
    assert "shift" in [event["name"] for event in run["events"]]
    assert "shift" in run["picture"]
    assert run["report"][0] == ["what", "created", "destroyed", "leaked", "peak"]
    assert ["launches", "1"] in run["report"]
    assert "gpu-module-to-binary" in [step["name"] for step in data["steps"]]
    assert [code["module"] for code in data["device_code"]] == ["kernels"]


@pytest.fixture
def without_ptxas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests of what is not about machine code need not wait for NVIDIA's tools."""
    monkeypatch.setattr(cubin, "find_tool", lambda name: None)


@pytest.mark.usefixtures("without_ptxas")
def test_strategies_of_a_run(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "a.mlir", tmp_path / "out.html"
    source.write_text(KERNEL)
    argv = [str(source), "--device=host", f"--explore={out}", "--print-kernel-strategies"]
    assert xgpu_runner.main(argv) == 0
    (chosen,) = data_of(out.read_text())["run"]["strategies"]
    assert (chosen["kernel"], chosen["module"]) == ("shift", "kernels")
    words = chosen["words"]
    assert "kernel 'shift', blocks of 2 x 1 x 1" in words
    assert words in capsys.readouterr().err


def test_a_roofline_of_a_run(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    peaks = Peaks(1e9, 2e9, 1e9)
    monkeypatch.setattr("xgpu.host_device.device.peaks.machine_peaks", lambda: peaks)
    source, out = tmp_path / "a.mlir", tmp_path / "out.html"
    source.write_text(KERNEL)
    assert xgpu_runner.main([str(source), "--device=host", f"--explore={out}", "--profile"]) == 0
    run = data_of(out.read_text())["run"]
    assert "shift" in run["roofline"]
    assert "f32 2 GFLOP/s" in run["roofline"]
    assert re.search(r"^shift +block-loops", capsys.readouterr().err, re.MULTILINE)


@pytest.mark.parametrize("tool", [xgpu_opt, xgpu_runner])
def test_other_files_are_refused(tool, capsys: pytest.CaptureFixture[str]) -> None:
    assert tool.main(["a.mlir", "--explore=out.htm"]) == 1
    assert "option '--explore' is 'out.htm', expected an .html file" in capsys.readouterr().err


@pytest.mark.usefixtures("without_ptxas")
def test_page_of_a_loaded_module(tmp_path: pathlib.Path) -> None:
    import xgpu

    module = xgpu.load(KERNEL, device="host", filename="k.mlir")
    shown = module.explore(tmp_path / "k.html")
    assert (tmp_path / "k.html").read_text() == shown.html
    data = data_of(shown.html)
    assert data["sources"] == {"k.mlir": KERNEL}
    assert data["device_code"][0]["module"] == "kernels"
    assert 'sandbox="allow-scripts"' in shown._repr_html_()
    assert "<script" not in shown._repr_html_()
    with pytest.raises(UsageError, match=r"expected an \.html file"):
        module.explore(tmp_path / "k.txt")
