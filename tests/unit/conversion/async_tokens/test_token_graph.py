# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The token graph: what is before what."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from tests.support import token_program_orders as orders
from tests.support import token_program_text as texts
from tests.support.processor_time import least_ratio, seconds
from tests.support.some_cases import each
from tests.support.token_programs import Program, Stmt, generate
from xgpu.conversion.async_tokens.graph import Point, TokenGraph, build
from xgpu.conversion.async_tokens.overlap import explain
from xgpu.conversion.async_tokens.points import TokenPoint
from xgpu.core.syntax import parse_module

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


def named(text: str) -> tuple[TokenGraph, dict[str, Point]]:
    """The graph, and its nodes by the names of their tokens."""
    graph = build(parse_module(text))
    nodes: dict[str, Point] = {}
    for node in graph.points:
        for value in [node.value] if isinstance(node, TokenPoint) else node.op.results:
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
    assert graph.predecessors(n["c"]) == [n["j"]]


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
    assert any(graph.carried(point) for point in graph.points)


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
    call = next(node for node in graph.points if node.kind == "call")
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


@pytest.mark.parametrize("shape", each(["tree", "chain", "wide"], 3))
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

    small, large = (parse_module(text(count)) for count in (300, 3000))
    ratio = least_ratio(
        lambda: seconds(lambda: build(large)), lambda: seconds(lambda: build(small)), 30
    )
    assert ratio < 30


def _before(program: Program) -> list[set[int]]:
    """For each step of a program the steps that are over when it starts."""
    before: list[set[int]] = []
    host: set[int] = set()
    for i, step in enumerate(orders.trace(program)):
        own = set(host)
        for dep in step.after:
            own |= {dep} | before[dep]
        before.append(own)
        if step.blocking or step.on_host:
            host |= own | {i}
    return before


def _nodes(program: Program, graph: TokenGraph) -> dict[Stmt, Point]:
    """The nodes of a program's operations; callees aside. Of a read or an update by the host,
    which is several operations, the first.
    """
    kinds = {"wait": "host_wait", "read": "host", "update": "host"}
    kept = ("work", "host_wait", "host")
    nodes = iter([n for n in graph.of(graph.functions[-1]) if n.kind in kept])
    found: dict[Stmt, Point] = {}
    for stmt in texts.written(program):
        found[stmt] = next(nodes)
        assert found[stmt].kind == kinds.get(stmt.kind, "work")
        for _ in range({"read": 2, "update": 1}.get(stmt.kind, 0)):
            next(nodes)
    assert next(nodes, None) is None
    return found


@pytest.mark.parametrize("seed", range(60))
def test_straight_lines_exactly(seed: int) -> None:
    """Without control flow the graph has the order of a simulation: no more, and no less."""
    program = generate(Random(seed), 10, flow=False)
    graph = build(parse_module(texts.module([program])))
    nodes = _nodes(program, graph)
    steps, before = orders.trace(program), _before(program)
    for j, b in enumerate(steps):
        for i, a in enumerate(steps[:j]):
            assert graph.before(nodes[a.stmt], nodes[b.stmt]) == (i in before[j])


@pytest.mark.parametrize("seed", each(range(200), 4))
def test_what_the_graph_says_is_so(seed: int) -> None:
    """With control flow: what it says of two operations holds of all that is executed of them."""
    program = generate(Random(seed), 10)
    graph = build(parse_module(texts.module([program])))
    nodes = _nodes(program, graph)
    steps, before = orders.trace(program), _before(program)
    said = 0
    for j, second in enumerate(steps):
        for i, first in enumerate(steps[:j]):
            if first.stmt not in nodes or second.stmt not in nodes:
                continue  # of a callee
            a, b = nodes[first.stmt], nodes[second.stmt]
            if a is b:
                promised = graph.before_carried(a, a) and _depth(graph, a) == 1
            else:
                promised = graph.before(a, b)
                if graph.common_loop(a, b) is not None:
                    promised &= graph.before_carried(a, b) and _depth(graph, a) == 1
            if promised:
                said += 1
                assert i in before[j], (a, b)
    assert said or len(steps) < 8


def _depth(graph: TokenGraph, node: Point) -> int:
    return len(graph.order(graph.function(node)).loops[node])


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
    graph, n = named(
        function("".join(launch(f"t{i}", f"%t{i - 1}" if i else "") for i in range(5)) + "return\n")
    )
    for i, j in pairwise(range(5)):
        assert graph.predecessors(n[f"t{j}"]) == [n[f"t{i}"]]
