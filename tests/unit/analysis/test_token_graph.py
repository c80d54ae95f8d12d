# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The token graph: what is before what."""

from __future__ import annotations

import gc
import time
from itertools import pairwise
from random import Random

import pytest
from xdsl.dialects.builtin import ModuleOp

from tests.support import token_program_orders as orders
from tests.support import token_program_text as texts
from tests.support.token_programs import Program, generate
from xgpu.analysis.overlap import explain
from xgpu.analysis.token_graph import Node, TokenGraph, build
from xgpu.text import parse_module

HEAD = """module attributes {gpu.container_module} {
gpu.module @k { gpu.func @f(%x: memref<4xi32>) kernel { gpu.return } }
"""


def launch(name: str, deps: str = "", *, is_async: bool = True) -> str:
    """A launch with a token, or a synchronous one."""
    result = f"%{name} = " if is_async else ""
    keyword = "async " if is_async else ""
    return (
        f"{result}gpu.launch_func {keyword}[{deps}] @k::@f blocks in (%c1, %c1, %c1) "
        "threads in (%c1, %c1, %c1) args(%x : memref<4xi32>)\n"
    ).replace("[] ", "")


def function(body: str, more: str = "") -> str:
    """@main with constants %c0, %c1, a buffer %x, a condition %p and a count %n."""
    return (
        f"{HEAD}{more}"
        "func.func @main(%x: memref<4xi32>, %p: i1, %n: index) {\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        f"{body}}}\n}}\n"
    )


def named(text: str) -> tuple[TokenGraph, dict[str, Node]]:
    """The graph, and its nodes by the names of their tokens."""
    graph = build(parse_module(text))
    nodes: dict[str, Node] = {}
    for node in graph.nodes:
        for value in [*node.op.results] if node.value is None else [node.value]:
            if value.name_hint:
                nodes[value.name_hint] = node
    return graph, nodes


def test_joins_and_forks() -> None:
    graph, n = named(
        function(
            launch("a") + launch("b") + "%j = gpu.wait async [%a, %b]\n" + launch("c", "%j")
            + launch("d", "%a") + "return\n"
        )
    )  # fmt: skip
    assert graph.before(n["a"], n["c"])
    assert graph.before(n["b"], n["c"])
    assert graph.before(n["a"], n["d"])
    assert not graph.before(n["b"], n["d"])
    assert not graph.before(n["a"], n["b"])
    assert not graph.before(n["c"], n["d"])
    assert not graph.host_ordered(n["a"], n["c"])
    assert graph.sources(n["j"].op.results[0]) == {n["a"], n["b"]}
    assert n["c"].preds == [n["j"]]


def test_host_waits_and_synchronous_operations() -> None:
    graph, n = named(
        function(
            launch("a") + launch("b") + "gpu.wait [%a]\n" + launch("c")
            + launch("", "%b", is_async=False) + launch("d") + "return\n"
        )
    )  # fmt: skip
    assert graph.host_ordered(n["a"], n["c"])
    assert not graph.before(n["b"], n["c"])
    assert graph.host_ordered(n["b"], n["d"])
    assert not graph.before(n["c"], n["d"])


def test_branches() -> None:
    graph, n = named(
        function(
            launch("a") + "%r = scf.if %p -> (!gpu.async.token) {\n" + launch("b", "%a")
            + "scf.yield %b : !gpu.async.token\n} else {\n" + launch("c")
            + "scf.yield %a : !gpu.async.token\n}\n" + launch("d", "%r") + "return\n"
        )
    )  # fmt: skip
    assert graph.before(n["a"], n["d"])
    assert graph.before(n["b"], n["d"])
    assert not graph.before(n["c"], n["d"])
    assert graph.sources(n["r"].value) == {n["a"], n["b"]}


@pytest.mark.parametrize("style", ["for", "while", "cf"])
def test_loops(style: str) -> None:
    loops = {
        "for": "%r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (!gpu.async.token) {\n"
        + launch("b", "%t") + launch("c") + "scf.yield %b : !gpu.async.token\n}\n",
        "while": "%r = scf.while (%s = %a) : (!gpu.async.token) -> !gpu.async.token {\n"
        "scf.condition(%p) %s : !gpu.async.token\n} do {\n^bb0(%t: !gpu.async.token):\n"
        + launch("b", "%t") + launch("c") + "scf.yield %b : !gpu.async.token\n}\n",
        "cf": "cf.br ^head(%a : !gpu.async.token)\n^head(%r: !gpu.async.token):\n"
        "cf.cond_br %p, ^body, ^end\n^body:\n"
        + launch("b", "%r") + launch("c") + "cf.br ^head(%b : !gpu.async.token)\n^end:\n",
    }  # fmt: skip
    graph, n = named(function(launch("a") + loops[style] + launch("d", "%r") + "return\n"))
    assert graph.before(n["a"], n["b"])
    assert graph.before(n["b"], n["d"]), "all iterations are over"
    assert not graph.before(n["c"], n["d"])
    assert not graph.before(n["a"], n["c"])
    assert graph.before_carried(n["b"], n["b"])
    assert not graph.before_carried(n["c"], n["c"])
    assert not graph.before_carried(n["c"], n["b"])
    assert any(node.carried for node in graph.nodes)


def test_the_last_iteration_is_not_all_of_them() -> None:
    graph, n = named(
        function(
            launch("a") + "%r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a)"
            " -> (!gpu.async.token) {\n" + launch("b") + "scf.yield %b : !gpu.async.token\n}\n"
            + launch("d", "%r") + "return\n"
        )
    )  # fmt: skip
    assert not graph.before(n["b"], n["d"])
    assert not graph.before(n["a"], n["d"])


def test_calls_are_seen_through() -> None:
    callee = (
        "func.func private @g(%x: memref<4xi32>, %s: !gpu.async.token, %w: !gpu.async.token) -> "
        "(!gpu.async.token, !gpu.async.token) {\n%c1 = arith.constant 1 : index\ngpu.wait [%w]\n"
        + launch("u", "%s") + launch("v")
        + "return %u, %v : !gpu.async.token, !gpu.async.token\n}\n"
    )  # fmt: skip
    graph, n = named(
        function(
            launch("a") + launch("b")
            + "%r, %s = func.call @g(%x, %a, %b) : (memref<4xi32>, !gpu.async.token, "
            "!gpu.async.token) -> (!gpu.async.token, !gpu.async.token)\n"
            + launch("c", "%r") + launch("d", "%r, %s") + launch("e") + "return\n",
            more=callee,
        )
    )  # fmt: skip
    call = next(node for node in graph.nodes if node.kind == "call")
    assert graph.before(n["a"], n["c"])
    assert graph.host_ordered(n["b"], n["e"])
    assert not graph.before(n["a"], n["e"])
    assert graph.before(call, n["d"])
    assert not graph.before(call, n["c"]), "one of its two tokens"
    assert graph.before(n["b"], call)
    assert not graph.before(n["a"], call), "not all that it does waits for it"


def test_async_regions() -> None:
    graph, n = named(
        function(
            "%done, %value = async.execute -> !async.value<!gpu.async.token> {\n" + launch("a")
            + "async.yield %a : !gpu.async.token\n}\n" + launch("b")
            + "%t = async.await %value : !async.value<!gpu.async.token>\n"
            + launch("c") + launch("d", "%t") + "return\n"
        )
    )  # fmt: skip
    assert graph.before(n["a"], n["d"])
    assert not graph.before(n["a"], n["c"])
    assert not graph.before(n["a"], n["b"])


def test_irreducible_control_flow_promises_nothing() -> None:
    graph, n = named(
        function(
            launch("a")
            + "cf.cond_br %p, ^one(%a : !gpu.async.token), ^two(%a : !gpu.async.token)\n"
            "^one(%s: !gpu.async.token):\n" + launch("b", "%s")
            + "cf.br ^two(%b : !gpu.async.token)\n^two(%t: !gpu.async.token):\n" + launch("c", "%t")
            + "cf.cond_br %p, ^one(%c : !gpu.async.token), ^three\n^three:\n"
            + launch("d", "%t") + "return\n"
        )
    )  # fmt: skip
    assert not graph.before(n["b"], n["d"])
    assert graph.sources(n["t"].value) == {n["a"], n["b"]}


@pytest.mark.parametrize("shape", ["chain", "tree", "wide"])
def test_is_linear(shape: str) -> None:
    """Ten times as many operations take at most thirty times as long."""

    def text(count: int) -> str:
        deps = {
            "chain": lambda i: f"%t{i - 1}" if i else "",
            "tree": lambda i: f"%t{(i - 1) // 2}" if i else "",
            "wide": lambda i: "",
        }[shape]
        tokens = ", ".join(f"%t{i}" for i in range(count))
        body = "".join(launch(f"t{i}", deps(i)) for i in range(count))
        return function(f"{body}gpu.wait [{tokens}]\nreturn\n")

    times: list[float] = []
    for count in (300, 3000):
        module = parse_module(text(count))
        times.append(min(_time_of_build(module) for _ in range(3)))
    assert times[1] < 30 * times[0]


def _time_of_build(module: ModuleOp) -> float:
    gc.collect()
    gc.disable()  # what it costs depends on everything else that is alive
    try:
        begin = time.process_time()
        build(module)
        return time.process_time() - begin
    finally:
        gc.enable()


def _instances(program: Program) -> list[tuple[int, int]]:
    """(i, j) for the steps of a straight-line program where i is done before j starts."""
    steps = orders.trace(program)
    before: list[set[int]] = []
    host: set[int] = set()
    for i, step in enumerate(steps):
        own = set(host)
        for dep in step.after:
            own |= {dep} | before[dep]
        before.append(own)
        if step.blocking or step.on_host:
            host |= own | {i}
    return [(i, j) for j, found in enumerate(before) for i in found]


@pytest.mark.parametrize("seed", range(60))
def test_straight_lines_exactly(seed: int) -> None:
    """Without control flow the graph has the order of a simulation: no more, and no less."""
    program = generate(Random(seed), 10, flow=False)
    steps = orders.trace(program)
    graph = build(parse_module(texts.module([program])))
    kinds = {"wait": "host_wait", "read": "host", "update": "host"}
    places: list[Node] = []
    nodes = [n for n in graph.nodes if n.kind in ("work", "host_wait", "host")]
    at = 0
    for step in steps:
        kind = kinds.get(step.kind, "work")
        while nodes[at].kind != kind:
            at += 1
        places.append(nodes[at])
        # A read or update of the host is several operations; a step has the first.
        at += {"read": 3, "update": 2}.get(step.kind, 1)
    expected = set(_instances(program))
    for j, b in enumerate(places):
        for i, a in enumerate(places[:j]):
            assert graph.before(a, b) == ((i, j) in expected), (a, b)


def test_explanations_of_overlap() -> None:
    text = explain(
        parse_module(
            function(
                launch("a") + launch("b") + "%j = gpu.wait async [%a, %b]\n" + launch("c", "%j")
                + "gpu.wait [%c]\n" + launch("d")
                + "scf.for %i = %c0 to %n step %c1 {\n" + launch("e") + "}\n"
                + "scf.if %p {\n" + launch("f") + "} else {\n" + launch("g") + "}\nreturn\n"
            )
        )
    )  # fmt: skip
    said: dict[tuple[str, str], str] = {}
    for line in text.splitlines()[1:]:
        head, what = line.strip().split(": ", 1)
        names = [word.strip("%").split(" ")[0] for word in head.split(" and ")]
        said[names[0], names[-1]] = what
    assert said["a", "b"].startswith("may run together")
    assert "token of the first through %j = gpu.wait" in said["a", "c"]
    assert "the host waits at gpu.wait" in said["c", "d"]
    assert said["f", "g"] == "only one of them runs"
    assert "of two iterations: one after the other" in text


def test_pairs_are_of_neighbours() -> None:
    """In a chain each link waits for the one before it."""
    _, n = named(
        function("".join(launch(f"t{i}", f"%t{i - 1}" if i else "") for i in range(5)) + "return\n")
    )
    for i, j in pairwise(range(5)):
        assert n[f"t{j}"].preds == [n[f"t{i}"]]
