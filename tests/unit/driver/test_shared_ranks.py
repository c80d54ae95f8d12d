# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks that share memory, without an MPI library: what they compute, and their mistakes."""

from __future__ import annotations

import os
import re
import signal
from collections import Counter
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

import feed_forward
import numpy as np
import planted_mistakes
import pytest
from collective_ranks import SIZE, TEXT, check
from planted_mistakes import PLANTED
from sharded_programs import (
    LAYOUTS,
    LIFE,
    POINTS,
    STEPS,
    block,
    stencil,
    stencil_part,
    stencil_steps,
    transformer,
    weights,
)

import xgpu
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context, parse_module, print_module
from xgpu.driver.program import Program, open_device
from xgpu.driver.ranks import RankError, RanksProgram, run_in_ranks
from xgpu.runtime.ranks.world import ANY, Call, Mistake, World
from xgpu.runtime.session import Session
from xgpu.tools.xgpu_runner import main, run
from xgpu.transforms.shard.communication import bytes_moved

if TYPE_CHECKING:
    from xgpu.api.functions import Function
    from xgpu.api.modules import Named

FILE = "program.mlir"


def _compiled(text: str, entry: str | None = "main") -> RanksProgram:
    session, program = Session(), Program(text, FILE, entry=entry, opt_level=0)
    return RanksProgram(program, session, open_device("host", session))


def _program(body: str, result: str = "") -> str:
    returned = f" {result}" if result else ""
    arrow = " -> i32" if result else ""
    return f"""
func.func @main(){arrow} {{
  mpi.init
  %comm = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%comm) : i32
  %c0 = arith.constant 0 : index
  %r1 = arith.constant 1 : i32
  %m = memref.alloc() : memref<5xi32>
  linalg.fill ins(%rank : i32) outs(%m : memref<5xi32>)
  {body}
  mpi.finalize
  return{returned}{" : i32" if result else ""}
}}
"""


@pytest.mark.parametrize("library", ["MPICH", "OpenMPI"])
def test_ranks_reduce_and_count_what_they_move(library: str) -> None:
    text = _program(
        "mpi.allreduce(%m, %m, MPI_SUM, %comm) : memref<5xi32>, memref<5xi32>\n"
        "%v = memref.load %m[%c0] : memref<5xi32>",
        "%v",
    )
    head = f'module attributes {{dlti.map = #dlti.map<"MPI:Implementation" = "{library}">}} {{'
    result = _compiled(f"{head}{text}}}").run(3)
    assert result.values == [0 + 1 + 2] * 3
    # Each rank gets the others' elements of its part, and the parts that the others have reduced.
    parts = [1, 2, 2]
    received = [4 * (2 * part + sum(parts) - part) for part in parts]
    assert [counted["mpi.allreduce"] for counted in result.bytes_received] == received
    assert result.report() == f"between 3 ranks:\n  mpi.allreduce: {sum(received)} bytes\n"


def test_a_rank_that_fails_ends_all_with_its_number() -> None:
    text = _program(
        "%fine = arith.cmpi ne, %rank, %r1 : i32\n"
        'cf.assert %fine, "not this rank"\n'
        "mpi.barrier(%comm)"
    )
    before = _children()  # of other tests
    with pytest.raises(RankError, match="abort") as raised:
        _compiled(text).run(3)
    assert raised.value.number == 1
    assert _children() <= before


def _children() -> set[int]:
    """The processes that this one has started and that are still known to the system."""
    found: set[int] = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            # Behind the name, which may have brackets itself: the state, then the parent.
            parent = (process / "stat").read_text(errors="replace").rpartition(")")[2].split()[1]
        except (OSError, IndexError):
            continue
        if int(parent) == os.getpid():
            found.add(int(process.name))
    return found


def test_a_rank_that_is_killed_ends_all(monkeypatch: pytest.MonkeyPatch) -> None:
    from xgpu.runtime.ranks.calls import Rank

    def be_killed(self: Rank, handle: int) -> None:
        if self.number == 1:
            os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(Rank, "_barrier", be_killed)
    with pytest.raises(RankError, match="ended by SIGKILL") as raised:
        _compiled(_program("mpi.barrier(%comm)")).run(2)
    assert raised.value.number == 1


def test_more_ranks_than_files_may_be_open_are_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / FILE
    path.write_text("func.func @main() { return }")
    monkeypatch.setattr("resource.getrlimit", lambda _: (1024, 4096))
    assert main(["--ranks=193", "--mpi=shared", str(path)]) == 1
    assert capfd.readouterr().err == (
        "xgpu-runner: error: 193 ranks that share memory need more open files than the 1024 that "
        "a process may have here, which are enough for 192 ranks (ulimit -n)\n"
    )
    assert main(["--ranks=-1", str(path)]) == 1
    assert capfd.readouterr().err == (
        "xgpu-runner: option '--ranks' is '-1', expected a number that is at least 1\n"
    )


def test_the_runner_says_both_places(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / FILE
    path.write_text(
        _program(
            "%is = arith.cmpi eq, %rank, %r1 : i32\n"
            "scf.if %is {\nmpi.barrier(%comm)\n} else {\n"
            "mpi.allreduce(%m, %m, MPI_SUM, %comm) : memref<5xi32>, memref<5xi32>\n}"
        )
    )
    assert run(["--ranks=2", "--mpi=shared", str(path)]) == 1
    said = capfd.readouterr().err
    assert re.search(r"program.mlir:\d+:1: error: rank 1 calls mpi.barrier where rank 0", said)
    assert re.search(r"program.mlir:\d+:1: note: rank 0 calls mpi.allreduce here", said)


def test_the_runner_prints_the_value_of_each_rank(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / FILE
    path.write_text(_program("", "%rank"))
    assert run(["--ranks=3", "--mpi=shared", str(path)]) == 0
    assert capfd.readouterr().out == "0\n1\n2\n"


@pytest.mark.long
def test_all_planted_mistakes_are_found_and_no_twin() -> None:
    assert len(PLANTED) >= 40
    program, before = _compiled(planted_mistakes.text(), entry=None), _children()
    for number, planted in enumerate(PLANTED):
        with pytest.raises(Mistake) as raised:
            program.run(planted.ranks, f"wrong{number}")
        assert re.search(planted.said, str(raised.value)), planted.name
        assert re.match(rf"{FILE}:\d+:\d+: error: ", str(raised.value)), planted.name
        program.run(planted.ranks, f"right{number}")
    assert _children() <= before


# -- The world by itself.


def _at(name: str, line: int, **fields: object) -> Call:
    return Call(f"mpi.{name}", f"{FILE}:{line}:1", **fields)  # pyright: ignore


def _world(size: int) -> World:
    world = World(size)
    for rank in range(size):
        world.handle(rank, "init", _at("init", 1))
    world.answers.clear()
    return world


def test_a_receive_from_any_rank_takes_the_first_that_fits() -> None:
    world = _world(3)
    world.handle(1, "send", _at("send", 2, kind="float", count=1, tag=7, size=4), True)
    world.handle(2, "send", _at("send", 3, kind="float", count=2, tag=5, size=8), True)
    call = _at("recv", 4, kind="float", count=4, peer=ANY, tag=5, size=16)
    world.handle(0, "receive", call, True)
    assert world.answers[0] == (2, [], None)
    rank, _, (sender, _, size, number) = world.answers[1]
    assert (rank, sender, size) == (0, 2, 8)
    world.answers.clear()
    # The block is free with the next answer to its rank.
    world.handle(0, "received", number)
    world.handle(2, "send", _at("isend", 5, kind="float", tag=1, peer=0), False)
    assert world.answers[0][:2] == (2, [0])


def test_messages_between_two_ranks_do_not_overtake() -> None:
    world = _world(2)
    for at in (0, 8):
        call = _at("isend", 2, kind="float", count=1, tag=3, size=4, block=at)
        world.handle(1, "send", call, False)
    world.answers.clear()
    for at in (0, 8):
        call = _at("recv", 3, kind="float", count=1, peer=1, tag=-1)
        world.handle(0, "receive", call, True)
        assert world.answers.pop()[2][1] == at


def test_ranks_that_wait_for_ever_are_listed_with_their_places() -> None:
    world = _world(3)
    world.handle(2, "send", _at("isend", 4, kind="float", tag=1, peer=0), False)
    request = world.answers[0][2]
    world.handle(0, "receive", _at("recv", 2, kind="float", peer=1, tag=1), True)
    world.handle(1, "collective", _at("barrier", 3), None)
    with pytest.raises(Mistake) as raised:
        world.handle(2, "wait", _at("wait", 5, request=request))
    (found,) = raised.value.diagnostics
    assert found.message == (
        "ranks wait for ever: rank 0 waits in mpi.recv for a message of rank 1 with tag 1"
    )
    assert [note.message for note in found.notes] == [
        "rank 1 waits in mpi.barrier for ranks 0, 2",
        f"rank 2 waits in mpi.wait until rank 0 receives with tag 1, begun at {FILE}:4:1",
    ]


def test_ranks_of_a_color_are_in_the_order_of_their_keys() -> None:
    world = _world(4)
    for rank, (color, key) in enumerate([(0, 9), (1, 0), (0, 3), (1, 0)]):
        world.handle(rank, "collective", _at("comm_split", 2), (color, key))
    groups = {rank: value for rank, _, value in world.answers}
    assert groups == {2: (1, [2, 0]), 0: (1, [2, 0]), 1: (2, [1, 3]), 3: (2, [1, 3])}


# -- Programs on tensors, whose ranks are called from Python.


def _loaded(text: str) -> Callable[[], Named[Function]]:
    """Loads a program and starts it, so that it is compiled once for all ranks."""

    def load() -> Named[Function]:
        functions = xgpu.load(text, device="host", opt_level=0).functions
        functions["ready"]()
        return functions

    return load


def _model(text: str) -> Counter[str]:
    """The bytes that a program moves, by its collectives."""
    module = parse_module(text)
    parse_pipeline("builtin.module(shard-distribute)").run(module, context(), [])
    return bytes_moved(module)


@pytest.mark.long
def test_each_collective_is_what_numpy_says() -> None:
    """As over a library; with as many bytes as the model says."""

    def work(functions: Named[Function], rank: int) -> None:
        functions["init"]()
        check(functions, rank)
        functions["finish"]()

    result = run_in_ranks(4, _loaded(TEXT), work)
    # The message between two ranks in each row is no collective.
    assert result.bytes_moved.total() == _model(TEXT).total() + 2 * 4 * SIZE * SIZE


@pytest.mark.long
@pytest.mark.parametrize("name", LAYOUTS)
def test_a_transformer_block_is_the_same_on_all_grids(name: str) -> None:
    layout, given = LAYOUTS[name], weights()
    wanted, text = block(given), transformer(layout)

    def work(functions: Named[Function], rank: int) -> None:
        functions["init"]()
        parts = [layout.part(rank, argument, whole) for argument, whole in given.items()]
        found = functions["block"](*parts).numpy()
        functions["finish"]()
        part = layout.part(rank, "result", wanted)
        np.testing.assert_allclose(found, part, rtol=2e-5, atol=2e-5)

    result = run_in_ranks(prod(layout.grid), _loaded(text), work)
    assert result.bytes_moved.total() == _model(text).total()
    assert (result.bytes_moved.total() > 0) == (name != "1")


def _scheduled(text: str, passes: tuple[str, ...]) -> str:
    """A program after its schedule, which stands beside it in a module."""
    schedule = feed_forward.schedule(passes)
    both = parse_module(f"module attributes {{transform.with_named_sequence}} {{{schedule}}}")
    block = both.body.block
    block.insert_ops_before([parse_module(text)], next(iter(block.ops)))
    parse_pipeline("builtin.module(transform-interpreter)").run(both, context(), [])
    (program,) = (op for op in block.ops if op.name == "builtin.module")
    return print_module(program)


@pytest.mark.long
@pytest.mark.parametrize("grid", feed_forward.GRIDS)
def test_the_layer_of_lighthouse_runs_through_its_own_schedules(grid: tuple[int, ...]) -> None:
    text = feed_forward.program(grid)
    for passes in (feed_forward.SHARD, feed_forward.BUFFERIZE):
        text = _scheduled(text, passes)
    lowered = parse_module(_scheduled(text, feed_forward.LOWER))
    assert {op.name.partition(".")[0] for op in lowered.walk()} == {"builtin", "llvm"}
    random = np.random.default_rng(4)
    sizes = (feed_forward.M, feed_forward.N, feed_forward.K)
    m, n, k = sizes
    given = {
        name: random.random(shape, np.float32)
        for name, shape in (("act", (m, k)), ("win", (k, n)), ("wout", (n, k)))
    }
    wanted = feed_forward.wanted(*given.values())

    def work(functions: Named[Function], rank: int) -> None:
        functions["init"]()
        parts = [feed_forward.part(grid, rank, name, whole) for name, whole in given.items()]
        result = np.zeros_like(parts[0])
        functions["payload"](*parts, result)
        np.testing.assert_allclose(
            result, feed_forward.part(grid, rank, "act", wanted), rtol=1e-5, atol=1e-5
        )
        functions["finish"]()

    end = text.rindex("}")
    run_in_ranks(4, _loaded(text[:end] + LIFE + text[end:]), work)


@pytest.mark.long
@pytest.mark.parametrize("grid", [(1, 1), (4, 2), (2, 4)])
def test_a_stencil_with_halos_is_the_same_over_ranks(grid: tuple[int, int]) -> None:
    points = np.random.default_rng(9).standard_normal((POINTS, POINTS)).astype(np.float32)
    whole, text = np.pad(points, 1), stencil(grid)
    wanted = stencil_steps(whole)

    def work(functions: Named[Function], rank: int) -> None:
        functions["init"]()
        own = stencil_part(grid, rank, whole)
        functions["steps"](own, np.zeros_like(own))
        functions["finish"]()
        inner = np.s_[1:-1, 1:-1]
        np.testing.assert_array_equal(own[inner], stencil_part(grid, rank, wanted)[inner])

    result = run_in_ranks(prod(grid), _loaded(text), work)
    assert result.bytes_moved.total() == STEPS * _model(text).total()


@pytest.mark.parametrize(
    ("line", "moved"),
    [
        # Two groups of three, 2 * 2 * 24 bytes each.
        ("all_reduce %t on @g grid_axes = [1] : tensor<6xf32> -> tensor<6xf32>", 192),
        ("all_gather %t on @g gather_axis = 0 : tensor<6xf32> -> tensor<36xf32>", 6 * 5 * 24),
        ("reduce_scatter %t on @g grid_axes = [0] scatter_axis = 0"
         " : tensor<6xf32> -> tensor<3xf32>", 3 * 2 * 12),
        ("broadcast %t on @g grid_axes = [0] root = [1] : (tensor<6xf32>) -> tensor<6xf32>", 72),
        ("broadcast %t on @g root = [] : (tensor<6xf32>) -> tensor<6xf32>", 0),
        ("scatter %t on @g grid_axes = [1] scatter_axis = 0 root = [0]"
         " : (tensor<6xf32>) -> tensor<2xf32>", 2 * 2 * 8),
        ("shift %t on @g grid_axes = [1] shift_axis = 1 offset = -2"
         " : tensor<6xf32> -> tensor<6xf32>", 2 * 24),
        ("shift %t on @g grid_axes = [1] shift_axis = 1 offset = 1 rotate"
         " : tensor<6xf32> -> tensor<6xf32>", 6 * 24),
    ],
)  # fmt: skip
def test_the_model_of_bytes(line: str, moved: int) -> None:
    text = f"""
shard.grid @g(shape = 2x3)
func.func @f(%t: tensor<6xf32>) {{
  %0 = shard.{line}
  return
}}
"""
    assert bytes_moved(parse_module(text)).total() == moved


def test_what_is_not_known_has_no_number_of_bytes() -> None:
    text = """
shard.grid @g(shape = ?)
func.func @f(%t: tensor<6xf32>) {
  %0 = shard.all_reduce %t on @g : tensor<6xf32> -> tensor<6xf32>
  return
}
"""
    with pytest.raises(DiagnosticError, match="moves a number of bytes that is not known"):
        bytes_moved(parse_module(text))
