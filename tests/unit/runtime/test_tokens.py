# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs with tokens on the host device: what they compute, and that nothing is left."""

from __future__ import annotations

import xgpu
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context, parse_module

#: Called five times in a loop, with other numbers each time and a token that goes round.
STEPS = """
module attributes {gpu.container_module} {
gpu.module @k { gpu.func @inc(%m: memref<64xf32>, %by: f32) kernel {
  %i = gpu.thread_id x
  %v = memref.load %m[%i] : memref<64xf32>
  %w = arith.addf %v, %by : f32
  memref.store %w, %m[%i] : memref<64xf32>
  gpu.return }
 gpu.func @add(%m: memref<64xf32>, %o: memref<64xf32>) kernel {
  %i = gpu.thread_id x
  %v = memref.load %m[%i] : memref<64xf32>
  %x = memref.load %o[%i] : memref<64xf32>
  %w = arith.addf %v, %x : f32
  memref.store %w, %m[%i] : memref<64xf32>
  gpu.return } }
func.func @step(%a: memref<64xf32>, %b: memref<64xf32>, %by: f32,
                %t: !gpu.async.token) -> !gpu.async.token {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %0 = gpu.launch_func async [%t] @k::@inc
      blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%a : memref<64xf32>, %by : f32)
  %1 = gpu.memset async [%t] %b, %by : memref<64xf32>, f32
  %2 = gpu.launch_func async [%1] @k::@inc
      blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%b : memref<64xf32>, %by : f32)
  %j = gpu.wait async [%0, %2]
  %3 = gpu.launch_func async [%j] @k::@add
      blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%a : memref<64xf32>, %b : memref<64xf32>)
  %4 = gpu.memcpy async [%3] %b, %a : memref<64xf32>, memref<64xf32>
  return %4 : !gpu.async.token
}
func.func private @printF32(f32)
func.func private @printNewline()
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %f = arith.constant 1.0 : f32
  %g = arith.constant 0.5 : f32
  %a = gpu.alloc host_shared () : memref<64xf32>
  %b = gpu.alloc host_shared () : memref<64xf32>
  %0 = gpu.memset async %a, %g : memref<64xf32>, f32
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%t = %0, %v = %f) -> (!gpu.async.token, f32) {
    %1 = func.call @step(%a, %b, %v, %t)
        : (memref<64xf32>, memref<64xf32>, f32, !gpu.async.token) -> !gpu.async.token
    %w = arith.addf %v, %g : f32
    scf.yield %1, %w : !gpu.async.token, f32
  }
  gpu.wait [%r#0]
  %x = memref.load %b[%c5] : memref<64xf32>
  func.call @printF32(%x) : (f32) -> ()
  func.call @printNewline() : () -> ()
  gpu.dealloc %a : memref<64xf32>
  gpu.dealloc %b : memref<64xf32>
  return
}
}
"""

#: Work beside the main thread, whose token is awaited.
BESIDE = """
module attributes {gpu.container_module} {
gpu.module @k { gpu.func @inc(%m: memref<64xf32>, %by: f32) kernel {
  %i = gpu.thread_id x
  %v = memref.load %m[%i] : memref<64xf32>
  %w = arith.addf %v, %by : f32
  memref.store %w, %m[%i] : memref<64xf32>
  gpu.return } }
func.func private @printF32(f32)
func.func private @printNewline()
func.func @main() {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %a = gpu.alloc host_shared () : memref<64xf32>
  %0 = gpu.memset async %a, %f : memref<64xf32>, f32
  %t, %v = async.execute -> !async.value<!gpu.async.token> {
    %1 = gpu.launch_func async [%0] @k::@inc
      blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%a : memref<64xf32>, %f : f32)
    %2 = gpu.launch_func async [%1] @k::@inc
      blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%a : memref<64xf32>, %f : f32)
    async.yield %2 : !gpu.async.token
  }
  %3 = async.await %v : !async.value<!gpu.async.token>
  %4 = gpu.launch_func async [%3] @k::@inc
      blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%a : memref<64xf32>, %f : f32)
  gpu.wait [%4]
  %x = memref.load %a[%c5] : memref<64xf32>
  func.call @printF32(%x) : (f32) -> ()
  func.call @printNewline() : () -> ()
  gpu.dealloc %a : memref<64xf32>
  return
}
}
"""

HANDLES = ("streams", "events", "graphs", "bytes")


def _run(source, expected: str, **wanted: int) -> None:
    printed: list[str] = []
    result = xgpu.run(source, device="host", output=printed.append)
    assert "".join(printed).split() == [expected]
    counts = result.session.counts
    assert not result.session.leaks()
    for kind in HANDLES:
        assert counts[kind].created == counts[kind].destroyed
    assert {kind: counts[kind].created for kind in wanted} == wanted


def _lowered(text: str, options: str):
    module = parse_module(text)
    pipeline = f"gpu-lower-to-nvvm-pipeline{{cubin-format=host cubin-chip=sm_90a {options}}}"
    parse_pipeline(f"builtin.module({pipeline})").run(module, context())
    return module


def test_streams_of_a_function_that_is_called_in_a_loop() -> None:
    _run(STEPS, "30.5", graphs=0)


def test_a_graph_is_built_once_and_gets_new_parameters() -> None:
    # A graph and its executable form for five calls.
    _run(_lowered(STEPS, "async-mode=graph"), "30.5", graphs=2, launches=15)


def test_one_stream_is_enough_for_what_the_tokens_say() -> None:
    _run(_lowered(STEPS, "max-streams=1"), "30.5")


def test_few_events() -> None:
    _run(_lowered(STEPS, "async-assign=min-events"), "30.5")


def test_work_beside_the_main_thread() -> None:
    _run(BESIDE, "4", launches=3)


def test_what_outlives_calls_ends_before_modules_do() -> None:
    """Destructors of a higher priority come first, as LLVM has it."""
    printed: list[str] = []
    calls = "\n".join(
        f"llvm.func @f{n}() {{ %0 = llvm.mlir.constant({n} : i64) : i64\n"
        "llvm.call @printI64(%0) : (i64) -> ()\nllvm.call @printNewline() : () -> ()\n"
        "llvm.return }"
        for n in (123, 124, 7)
    )
    xgpu.run(
        f"""
        {calls}
        llvm.func @printI64(i64)
        llvm.func @printNewline()
        llvm.func @main() {{ llvm.return }}
        llvm.mlir.global_ctors ctors = [@f124, @f7], priorities = [124 : i32, 7 : i32],
            data = [#llvm.zero, #llvm.zero]
        llvm.mlir.global_dtors dtors = [@f7, @f124, @f123],
            priorities = [7 : i32, 124 : i32, 123 : i32],
            data = [#llvm.zero, #llvm.zero, #llvm.zero]
        """,
        device="host",
        output=printed.append,
    )
    assert "".join(printed).split() == ["7", "124", "124", "123", "7"]
