# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks that share memory, without an MPI library: what they compute, and their mistakes."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import planted_mistakes
import pytest
from collective_ranks import TEXT, check
from planted_mistakes import PLANTED

import xgpu
from xgpu.driver.program import Program, open_device
from xgpu.driver.ranks import RankError, RanksProgram, run_in_ranks
from xgpu.runtime.ranks.world import ANY, Call, Mistake, World
from xgpu.runtime.session import Session
from xgpu.tools.xgpu_runner import run

FILE = "program.mlir"


def _compiled(text: str, entry: str | None = "main") -> RanksProgram:
    session = Session()
    return RanksProgram(Program(text, FILE, entry=entry), session, open_device("host", session))


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
    with pytest.raises(RankError, match="abort") as raised:
        _compiled(text).run(3)
    assert raised.value.number == 1
    assert not _children()


def _children() -> list[int]:
    """The processes that this one has started and not waited for."""
    try:
        return [os.waitpid(-1, os.WNOHANG)[0]]
    except ChildProcessError:
        return []


def test_a_rank_that_is_killed_ends_all(monkeypatch: pytest.MonkeyPatch) -> None:
    from xgpu.runtime.ranks.calls import Rank

    def be_killed(self: Rank, handle: int) -> None:
        if self.number == 1:
            os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(Rank, "_barrier", be_killed)
    with pytest.raises(RankError, match="ended by SIGKILL") as raised:
        _compiled(_program("mpi.barrier(%comm)")).run(2)
    assert raised.value.number == 1


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
    assert re.search(r"program.mlir:\d+:1: error: rank . calls mpi.(barrier|allreduce) where", said)
    assert re.search(r"program.mlir:\d+:1: note: rank . calls mpi.(barrier|allreduce) here", said)


@pytest.mark.long
def test_all_planted_mistakes_are_found_and_no_twin() -> None:
    assert len(PLANTED) >= 40
    program = _compiled(planted_mistakes.text(), entry=None)
    for number, planted in enumerate(PLANTED):
        with pytest.raises(Mistake) as raised:
            program.run(planted.ranks, f"wrong{number}")
        assert re.search(planted.said, str(raised.value)), planted.name
        assert re.match(rf"{FILE}:\d+:\d+: error: ", str(raised.value)), planted.name
        program.run(planted.ranks, f"right{number}")
    assert not _children()


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
    for block in (0, 8):
        world.handle(
            1, "send", _at("isend", 2, kind="float", count=1, tag=3, size=4, block=block), False
        )
    world.answers.clear()
    for block in (0, 8):
        call = _at("recv", 3, kind="float", count=1, peer=1, tag=-1)
        world.handle(0, "receive", call, True)
        assert world.answers.pop()[2][1] == block


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


@pytest.mark.long
def test_each_collective_is_what_numpy_says() -> None:
    """As over a library; each rank loads the program."""

    def work(rank: int) -> None:
        functions = xgpu.load(TEXT, device="host").functions
        functions["init"]()
        check(functions, rank)
        functions["finish"]()

    xgpu.load(TEXT, device="host")  # so that it is compiled once
    run_in_ranks(4, work)
