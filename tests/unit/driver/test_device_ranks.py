# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What devices of ranks do together on streams: results, order, and mistakes with both places."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from device_ranks import fill, program, reduce
from sharded_programs import LIFE
from xdsl.dialects.builtin import FileLineColLoc

import xgpu
from xgpu.core.ir.errors import DeviceError
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context, parse_module, print_module
from xgpu.driver.program import Program, open_device
from xgpu.driver.ranks import Overlap, RanksProgram, RanksResult, run_in_ranks
from xgpu.host_device.device.device import HostDevice
from xgpu.host_device.device.operations import Threads
from xgpu.runtime.ranks.world import Call, Mistake, World
from xgpu.runtime.session import Session
from xgpu.tools.xgpu_runner import run

if TYPE_CHECKING:
    from xgpu.api.functions import Function
    from xgpu.api.modules import Named

FILE = "program.mlir"


def _run(text: str, count: int = 2) -> RanksResult:
    session, compiled = Session(), Program(text, FILE, entry="main", opt_level=0)
    return RanksProgram(compiled, session, open_device("host", session)).run(count)


def test_a_collective_comes_between_kernels_by_tokens() -> None:
    body = f"""
    %t = {fill("%a")}
    %u = {reduce("%a", "%b", after="%t")}
    %w = {reduce("%b", "%d", after="%u", op="MPI_MAX")}
    gpu.wait [%w]
    """
    result = _run(program(body, "%d"), 3)
    assert result.values == [0 + 1 + 2] * 3
    assert set(result.bytes_moved) == {"mpi.allreduce"}


def test_messages_of_a_group_cross() -> None:
    body = f"""
    %t = {fill("%a")}
    %u = mgpu.communicate async [%t] {{
      mpi.recv(%b, %r0, %peer, %comm) : memref<512xf32>, i32, i32
      mpi.send(%a, %r0, %peer, %comm) : memref<512xf32>, i32, i32
    }}
    gpu.wait [%u]
    """
    assert _run(program(body, "%b")).values == [1, 0]


@pytest.mark.long
def test_two_streams_keep_the_order_of_the_calls_on_one_communicator() -> None:
    """Rank 1's first kernel takes longer: its second collective would come first by itself."""
    body = f"""
    %slow = scf.if %is -> !gpu.async.token {{
      %s = {fill("%d", kernel="spin")}
      scf.yield %s : !gpu.async.token
    }} else {{
      %s = gpu.wait async
      scf.yield %s : !gpu.async.token
    }}
    %t = {fill("%a", after="%slow")}
    %u = {reduce("%a", "%a", after="%t")}
    %q = {fill("%b")}
    %w = {reduce("%b", "%b", after="%q", op="MPI_MAX")}
    gpu.wait [%u, %w]
    """
    assert _run(program(body, "%a")).values == [1, 1]


def test_ranks_that_call_other_collectives_are_told_both_places() -> None:
    text = program(f"""
    scf.if %is {{
      %u = {reduce("%a", "%b")}
      gpu.wait [%u]
    }} else {{
      %u = {reduce("%a", "%b", op="MPI_MAX")}
      gpu.wait [%u]
    }}""")
    with pytest.raises(Mistake, match=r"rank 1 calls mpi\.allreduce with reduction sum") as raised:
        _run(text)
    (found,) = raised.value.diagnostics
    lines = [n for n, line in enumerate(text.splitlines(), 1) if "mpi.allreduce(" in line]
    (note,) = found.notes
    assert note.message == "rank 0 calls mpi.allreduce here"
    places = [one.location for one in (found, note)]
    assert [place.line.data for place in places if isinstance(place, FileLineColLoc)] == lines


def test_ranks_whose_devices_wait_for_ever_are_listed() -> None:
    """Rank 1 waits for its kernel alone, and ends in a barrier: the collective lacks a rank."""
    text = program(f"""
    scf.if %is {{
      mpi.barrier(%comm)
      %u = {reduce("%a", "%b")}
      gpu.wait [%u]
    }} else {{
      %u = {reduce("%a", "%b")}
      gpu.wait [%u]
      mpi.barrier(%comm)
    }}""")
    said = "rank 1 calls mpi.barrier where rank 0 calls mgpu.communicate"
    with pytest.raises(Mistake, match=said):
        _run(text)


def test_a_collective_that_one_rank_leaves_out() -> None:
    text = program(f"""
    %t = {reduce("%a", "%b")}
    gpu.wait [%t]
    scf.if %is {{
      %u = {reduce("%a", "%b")}
      gpu.wait [%u]
    }}""")
    with pytest.raises(Mistake, match="ranks wait for ever: ") as raised:
        _run(text)
    (found,) = raised.value.diagnostics
    texts = [found.message, *(note.message for note in found.notes)]
    assert any(
        "rank 1 waits for its device, which is in mpi.allreduce for rank 0, begun at" in one
        for one in texts
    )


# -- Programs on tensors, as kernels.


PRODUCT = """
shard.grid @row(shape = 2)
func.func @product(%a: tensor<32x64xf32>, %b: tensor<64x32xf32>) -> tensor<32x32xf32> {
  %whole = shard.sharding @row split_axes = [[]] : !shard.sharding
  %left = shard.sharding @row split_axes = [[], [0]] : !shard.sharding
  %right = shard.sharding @row split_axes = [[0]] : !shard.sharding
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %c = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
  %0 = shard.shard %a to %left : tensor<32x64xf32>
  %1 = shard.shard %b to %right : tensor<64x32xf32>
  %2 = linalg.matmul ins(%0, %1 : tensor<32x64xf32>, tensor<64x32xf32>)
                     outs(%c : tensor<32x32xf32>) -> tensor<32x32xf32>
  %3 = shard.shard %2 to %whole annotate_for_users : tensor<32x32xf32>
  return %3 : tensor<32x32xf32>
}
"""


@pytest.mark.long
def test_a_product_of_tensors_is_kernels_and_a_collective_on_a_stream() -> None:
    module = parse_module(PRODUCT)
    passes = "shard-distribute,convert-shard-to-mpi,canonicalize,gpu-kernels-from-linalg-pipeline"
    parse_pipeline(f"builtin.module({passes})").run(module, context(), [])
    names = [op.name for op in module.walk()]
    assert names.count("mgpu.communicate") == 1
    assert names.count("gpu.launch") >= 2
    text = print_module(module)
    end = text.rindex("}")
    random = np.random.default_rng(8)
    a, b = random.random((32, 64), np.float32), random.random((64, 32), np.float32)

    def prepare() -> Named[Function]:
        functions = xgpu.load(text[:end] + LIFE + text[end:], device="host", opt_level=0).functions
        functions["ready"]()
        return functions

    def work(functions: Named[Function], rank: int) -> None:
        functions["init"]()
        parts = (np.split(a, 2, 1)[rank].copy(), np.split(b, 2, 0)[rank].copy())
        np.testing.assert_allclose(functions["product"](*parts).numpy(), a @ b, rtol=1e-5)
        functions["finish"]()

    assert run_in_ranks(2, prepare, work).bytes_moved["mpi.allreduce"] == 2 * 32 * 32 * 4


# -- The runner: what is found, and when what ran.


def _runner(tmp_path: Path, text: str, *options: str) -> int:
    path = tmp_path / FILE
    path.write_text(text)
    return run(["--device=host", "--ranks=2", "--mpi=shared", *options, str(path)])


@pytest.mark.long
@pytest.mark.parametrize("by", ["kernel", "host"])
def test_a_buffer_that_is_used_before_its_token_is_found_with_both_places(
    by: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    use = {
        "kernel": f"%w = {fill('%b', after='%q')}\ngpu.wait [%w]",
        "host": "gpu.wait [%q]\n%e = memref.load %b[%c0] : memref<512xf32>\n"
        "memref.store %e, %d[%c0] : memref<512xf32>",
    }[by]
    wrong, right = (
        program(f"""
        %t = {fill("%a")}
        %u = {reduce("%a", "%b", after="%t")}
        %q = gpu.wait async [{token}]
        {use}
        gpu.wait [%u]
        """)
        for token in ("%t", "%u")
    )
    assert _runner(tmp_path, wrong, "--sanitize") == 1
    said = capfd.readouterr().err
    assert "the ranks' all-reduce" in said
    assert "error: race: " in said
    assert "note: on rank" in said
    used = "memref.store %v" if by == "kernel" else "memref.load %b[%c0]"
    places = [
        next(n for n, line in enumerate(wrong.splitlines(), 1) if words in line)
        for words in ("mpi.allreduce(", used)
    ]
    assert all(f"{FILE}:{line}:" in said for line in places)
    assert _runner(tmp_path, right, "--sanitize") == 0
    assert "race" not in capfd.readouterr().err


@pytest.mark.long
def test_the_report_and_the_timeline_show_the_overlap_over_ranks(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = program(f"""
    %t = {fill("%a")}
    %u = {reduce("%a", "%b", after="%t")}
    %w = {fill("%d", kernel="spin", after="%t")}
    gpu.wait [%u, %w]
    """)
    trace = tmp_path / "trace.json"
    assert _runner(tmp_path, text, "--report", f"--trace={trace}") == 0
    said = capfd.readouterr().err
    assert re.search(r"  rank 1: [\d,]+ us of communication on streams, [\d,]+ us of it", said)
    events = json.loads(trace.read_text())["traceEvents"]
    lanes = {e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M"}
    where = {lanes[e["tid"]] for e in events if e.get("cat") == "communication"}
    assert {name.partition(":")[0] for name in where} == {"0", "1"}
    capfd.readouterr()
    picture = tmp_path / "ranks.svg"
    assert _runner(tmp_path, text, f"--timeline={picture}") == 0
    assert ">1: stream " in picture.read_text()


def test_overlap_counts_each_moment_once() -> None:
    result = RanksResult(1)
    spans = [("kernel", 0, 10), ("kernel", 5, 12), ("communication", 8, 20), ("wait", 0, 30)]
    result.events[0] = [
        {"name": "", "cat": kind, "ph": "X", "pid": 1, "tid": 1, "ts": begin, "dur": end - begin,
         "args": {}}
        for kind, begin, end in spans
    ]  # fmt: skip
    assert result.overlap(0) == Overlap(12, 12, 4)


def test_orders_are_not_explored_where_ranks_communicate() -> None:
    device = HostDevice(Session(), order=Threads())
    with pytest.raises(DeviceError, match="orders of a program cannot be explored"):
        device.mgpuCommAllReduce(0, 0, 1, 7, 0, 0, 0)
    device.close()


# -- The world by itself.


def _world() -> World:
    world = World(2)
    for rank in range(2):
        world.handle(rank, "init", Call("mpi.init", f"{FILE}:1:1"))
    for rank in range(2):
        world.handle(rank, "collective", Call("mgpu.communicate", f"{FILE}:2:1"), None)
    lanes = {rank: value for rank, _, value in world.answers if value is not None}
    assert lanes == {0: (1, [0, 1], 2), 1: (1, [0, 1], 3)}
    world.answers.clear()
    return world


def _queue(world: World, rank: int, number: int, behind: list[int]) -> None:
    call = Call("all-reduce", f"{FILE}:{number}:1")
    world.handle(rank, "queue", number, call, 2 + rank, behind)


def test_a_kernel_before_a_collective_lets_ranks_go_on() -> None:
    """Both hosts wait, but what rank 0 has queued comes behind nothing: it will begin."""
    world = _world()
    for rank in range(2):
        _queue(world, rank, 5, [])
        world.handle(rank, "waits", Call("gpu.wait", f"{FILE}:9:1", queued=(5,)))
    call = Call("mpi.allreduce", f"{FILE}:5:1", comm=1)
    world.handle(3, "begin_queued", 5)
    world.handle(3, "collective", call, 0)
    world.handle(2, "begin_queued", 5)
    world.handle(2, "collective", call, 0)
    assert [lane for lane, _, _ in world.answers] == [2, 3]


def test_what_comes_behind_what_waits_does_not_begin() -> None:
    world = _world()
    _queue(world, 0, 5, [])
    _queue(world, 0, 6, [5])
    world.handle(0, "waits", Call("gpu.wait", f"{FILE}:9:1", queued=(6,)))
    world.handle(2, "begin_queued", 5)
    world.handle(2, "collective", Call("mpi.allreduce", f"{FILE}:5:1", comm=1), 0)
    with pytest.raises(Mistake) as raised:
        world.handle(1, "collective", Call("mpi.barrier", f"{FILE}:7:1"), None)
    (found,) = raised.value.diagnostics
    assert found.message == (
        "ranks wait for ever: rank 0 waits for its device, which is in mpi.allreduce for rank 1, "
        f"begun at {FILE}:5:1"
    )
    assert [note.message for note in found.notes] == ["rank 1 waits in mpi.barrier for rank 0"]


def test_communication_is_over_before_the_end() -> None:
    world = _world()
    _queue(world, 0, 5, [])
    with pytest.raises(Mistake, match=r"calls mpi\.finalize while its device communicates"):
        world.handle(0, "collective", Call("mpi.finalize", f"{FILE}:9:1"), None)
