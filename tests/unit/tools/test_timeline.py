# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `xgpu-runner --timeline` draws."""

from __future__ import annotations

import json
import pathlib
import xml.etree.ElementTree as ET

import pytest

from xgpu.core.ir.errors import UsageError
from xgpu.runtime.session import Session
from xgpu.tools.timeline import check_suffix, html, svg, waits, write_timeline
from xgpu.tools.xgpu_runner import run

EXAMPLE = pathlib.Path(__file__).resolve().parents[3] / "examples" / "two_matmuls.mlir"
SVG = "{http://www.w3.org/2000/svg}"


def event(name, lane, begin, duration, operation=None, after=(), kind="kernel", location=None):
    return {
        "name": name, "cat": kind, "ph": "X", "pid": 1, "tid": lane, "ts": begin, "dur": duration,
        "args": {"operation": operation, "after": list(after), "location": location},
    }  # fmt: skip


EVENTS = [
    event("load", 0, 0, 5, kind="module"),
    event("first", 1, 10, 100, 0, location="/somewhere/a.mlir:12:3"),
    event("<second>", 2, 12, 60, 1, location="/somewhere/a.mlir:13:3"),
    event("sum", 1, 112, 40, 2, [1], location="/somewhere/a.mlir:14:3"),
    event("wait for stream 1", 0, 20, 134, None, [2], kind="wait"),
]


def parts(text):
    root = ET.fromstring(text)
    bars = [g.find(f"{SVG}rect") for g in root.iter(f"{SVG}g") if g.get("class") == "operation"]
    arrows = [p for p in root.iter(f"{SVG}path") if p.get("class") == "wait"]
    lanes = [t.text for t in root.iter(f"{SVG}text") if t.get("class") == "lane"]
    texts = [t.text for t in root.iter(f"{SVG}text")]
    return root, bars, arrows, lanes, texts


def test_lanes_bars_labels_and_arrows():
    _, bars, arrows, lanes, texts = parts(svg(EVENTS, "a & b"))
    assert lanes == ["host", "stream 1", "stream 2"]
    assert len(bars) == 5
    assert len(arrows) == 2
    for label in ("a & b", "first", "<second>", "sum", "a.mlir:12", "a.mlir:13", "a.mlir:14"):
        assert label in texts


def test_bars_lie_in_their_lanes_and_in_proportion():
    root, bars, _, _, _ = parts(svg(EVENTS, ""))
    by_name = {
        g.find(f"{SVG}title").text.split("\n")[0]: g.find(f"{SVG}rect")
        for g in root.iter(f"{SVG}g") if g.get("class") == "operation"
    }  # fmt: skip
    first, second, third = by_name["first"], by_name["<second>"], by_name["sum"]
    assert first.get("y") == third.get("y") != second.get("y")
    ratio = float(first.get("width")) / float(second.get("width"))
    assert ratio == pytest.approx(100 / 60, rel=0.01)
    assert float(first.get("x")) + float(first.get("width")) < float(third.get("x"))
    width = float(root.get("width"))
    assert all(0 < float(b.get("x")) < width - float(b.get("width")) for b in bars)


def test_an_arrow_goes_from_the_end_of_one_to_the_begin_of_the_other():
    assert [(a["name"], b["name"]) for a, b in waits(EVENTS)] == [
        ("<second>", "sum"), ("sum", "wait for stream 1"),
    ]  # fmt: skip
    root, _, arrows, _, _ = parts(svg(EVENTS, ""))
    xs = {
        g.find(f"{SVG}title").text.split("\n")[0]: float(g.find(f"{SVG}rect").get("x"))
        for g in root.iter(f"{SVG}g") if g.get("class") == "operation"
    }  # fmt: skip
    path = arrows[1].get("d").replace(",", " ").replace("C", "").replace("L", "").split()
    assert float(path[-2]) == pytest.approx(xs["sum"], abs=0.2)
    assert xs["<second>"] < float(path[0][1:]) < xs["sum"]


def test_short_bars_share_a_label():
    events = [event("long", 1, 0, 10_000, 0)]
    events += [event("tiny", 2, 10 * i, 1, i + 1, location=f"a.mlir:{i}:1") for i in range(3)]
    _, bars, _, _, texts = parts(svg(events, ""))
    assert len(bars) == 4
    assert "tiny x3" in texts
    assert "a.mlir:0, 1, 2" in texts


def test_labels_at_the_right_edge_go_in_front():
    events = [event("long", 1, 0, 10_000, 0), event("last", 2, 9_990, 10, 1)]
    root, bars, _, _, _ = parts(svg(events, ""))
    (label,) = (t for t in root.iter(f"{SVG}text") if t.text == "last")
    (bar,) = (b for b in bars if float(b.get("width")) < 10)
    assert float(bar.get("x")) - 60 < float(label.get("x")) < float(bar.get("x")) - 20


def test_nothing_ran():
    _, bars, _, lanes, _ = parts(svg([], "empty"))
    assert (bars, lanes) == ([], ["host"])


def test_page_has_picture_and_table():
    text = html(EVENTS, "t")
    assert text.count("<tr><td>") == 5
    assert "<td>&lt;second&gt;</td><td>stream 2</td><td>/somewhere/a.mlir:13:3</td>" in text
    assert "<svg" in text


def test_flows_for_perfetto(tmp_path):
    session = Session()
    session.events = list(EVENTS)
    write_timeline(str(tmp_path / "t.json"), session, "t")
    found = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    flows = [e for e in found if e["ph"] in "sf"]
    assert [(e["ph"], e["id"], e["tid"], e["ts"]) for e in flows] == [
        ("s", 1, 1, 152), ("f", 1, 0, 154), ("s", 2, 2, 72), ("f", 2, 1, 112),
    ]  # fmt: skip


def test_the_example(tmp_path, capsys):
    """Two products in two streams; the sum waits for both."""
    path = tmp_path / "t.json"
    # On a busy machine a thread may start when the other's milliseconds of work are over: one run
    # in several has to show both at once.
    for _ in range(20):
        assert run([str(EXAMPLE), "--device=host", f"--timeline={path}"]) == 0
        assert capsys.readouterr().out == "-16.6337\n0\n"
        found = json.loads(path.read_text())["traceEvents"]
        bars = [e for e in found if e["ph"] == "X"]
        products = [e for e in bars if e["name"] == "matmul"]
        (total,) = (e for e in bars if e["name"] == "add")
        assert len({e["tid"] for e in products}) == 2
        assert all("two_matmuls.mlir:" in e["args"]["location"] for e in products)
        first, second = products
        assert total["ts"] >= max(e["ts"] + e["dur"] for e in products)
        assert [b["name"] for _, b in waits(bars)].count("add") >= 1
        if first["ts"] < second["ts"] + second["dur"] and second["ts"] < first["ts"] + first["dur"]:
            return
    raise AssertionError("the products were never seen side by side")


def test_other_suffixes_are_refused():
    with pytest.raises(UsageError, match=r"expected \.svg, \.html, \.json"):
        check_suffix("t.png")
