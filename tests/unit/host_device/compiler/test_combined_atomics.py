# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomic operations whose results are not read: a worker combines them in copies of its own, and
memory has them wherever a kernel looks."""

from __future__ import annotations

import ctypes
import random
from pathlib import Path

import numpy as np
import pytest

import xgpu
from tests.support.kernel_launch import Launcher, host_object
from tests.support.some_cases import each
from xgpu.tools import xgpu_runner

pytestmark = pytest.mark.sampled(2)

_BLOCKS, _THREADS = 6, 64
_KINDS = {
    "addi": "add", "ori": "_or", "andi": "_and", "maxs": "max", "mins": "min", "maxu": "umax",
    "minu": "umin",
}  # fmt: skip

_MODULE = """
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    gpu.func @k(%in: memref<?xi32>, %bins: memref<?x{ty}>, %out: memref<?x{ty}>,
        %p: !llvm.ptr) kernel {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant 0 : {ty}
      %last = arith.constant {last} : index
      %span = arith.constant {span} : index
      %few = arith.constant {few} : index
      %shared = arith.constant {shared} : index
      %t = gpu.thread_id x
      %g = gpu.block_id x
      %n = gpu.block_dim x
      %o = arith.muli %g, %n : index
      %x = arith.addi %o, %t : index
      %own = arith.muli %g, %span : index
      %i0 = memref.load %in[%x] : memref<?xi32>
      %i1 = arith.index_cast %i0 : i32 to index
      %r = arith.remui %i1, %span : index
      %mine = arith.addi %own, %r : index
      %all = arith.addi %shared, %r : index
      %slot = arith.remui %t, %span : index
      %look = arith.addi %own, %slot : index
      %v = arith.{cast} %i0 : i32 to {ty}
      %some = arith.cmpi ult, %t, %few : index
{body}
      gpu.return
    }}
  }}
}}
"""


def _text(body: str, ty: str = "i32", span: int = 16, few: int = 7) -> str:
    cast = "extsi" if ty == "i64" else "addi"
    text = _MODULE.format(
        ty=ty, span=span, few=few, shared=_BLOCKS * span, cast=cast, body=body, last=_BLOCKS - 1
    )
    return text.replace("arith.addi %i0 : i32 to i32", "arith.addi %i0, %i0 : i32")


def _relaxed(name: str, where: str, value: str, kind: str, ty: str) -> str:
    """An operation that releases nothing; its result is `%a{name}`."""
    return f"""
      %c{name}_ = arith.index_cast %{where} : index to i64
      %q{name} = llvm.getelementptr %p[%c{name}_] : (!llvm.ptr, i64) -> !llvm.ptr, {ty}
      %a{name} = llvm.atomicrmw {_KINDS[kind]} %q{name}, {value} monotonic : !llvm.ptr, {ty}"""


def _random(seed: int) -> tuple[str, str, int]:
    """A kernel whose results no order of its threads changes, the type of its words, and how many
    of them a block has."""
    choose = random.Random(seed)
    kind, ty = choose.choice(list(_KINDS)), choose.choice(("i32", "i64"))
    span = choose.choice((1, 3, 16, 64, 3000))
    memory = f"memref<?x{ty}>"
    relaxed = choose.random() < 0.6
    lines: list[str] = []

    def add(where: str) -> str:
        at = len(lines)
        if not relaxed:
            return (
                f"%a{at} = memref.atomic_rmw {kind} %v, %bins[%{where}] : ({ty}, {memory}) -> {ty}"
            )
        return _relaxed(f"{at}", where, "%v", kind, ty)

    def look(number: int) -> str:
        at = f"%bins[%{choose.choice(('look', 'own'))}] : {memory}"
        return (
            f"gpu.barrier\n%l{number} = memref.load {at}\n%p{number} = memref.load %out[%x] : "
            f"{memory}\n%s{number} = arith.addi %l{number}, %p{number} : {ty}\n"
            f"memref.store %s{number}, %out[%x] : {memory}\ngpu.barrier"
        )

    for number in range(choose.randrange(3, 9)):
        what = choose.randrange(7)
        if what < 2:
            lines.append(add(choose.choice(("mine", "all", "own"))))
        elif what == 2:
            lines.append("scf.if %some {\n" + add(choose.choice(("mine", "all"))) + "\n}")
        elif what == 3:
            lines.append(
                "scf.for %j" + f"{number} = %c0 to %c4 step %c1 {{\n" + add("mine") + "\n}"
            )
        elif what == 4:
            lines.append(look(number))
        elif what == 5:
            lines.append("nvvm.memory.barrier #nvvm.mem_scope<gpu>")
        else:
            store = f"memref.store %v, %bins[%own] : {memory}"
            lines.append(
                "gpu.barrier\n%z" + f"{number} = arith.cmpi eq, %t, %c0 : index\n"
                f"scf.if %z{number} {{\n{store}\n}}\ngpu.barrier"
            )
    return _text("\n".join(lines), ty, span), ty, span


def _run(text: str, strategy: str, ty: str, span: int, cores: int) -> list[np.ndarray]:
    kind = np.int32 if ty == "i32" else np.int64
    choose = np.random.default_rng(7)
    given = [
        choose.integers(-(1 << 30), 1 << 30, _BLOCKS * _THREADS, dtype=np.int32),
        choose.integers(-(1 << 30), 1 << 30, (_BLOCKS + 1) * span).astype(kind),
        np.zeros(_BLOCKS * _THREADS, kind),
    ]
    launcher = Launcher(host_object(text), strategy, cores=cores)
    try:
        for _ in range(2):
            launcher.launch("k", _BLOCKS, _THREADS, *given, _address(given[1]))
    finally:
        launcher.close()
    assert f": {strategy}" in launcher.strategies[0]
    return given


def _address(array: np.ndarray) -> ctypes.c_int64:
    return ctypes.c_int64(array.ctypes.data)


@pytest.mark.parametrize("seed", each(range(40), 20))
def test_random_kernels(seed: int) -> None:
    text, ty, span = _random(seed)
    wanted = _run(text, "threads", ty, span, 1)
    for cores in (1, 2):
        for a, b in zip(_run(text, "block-loops", ty, span, cores), wanted, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("strategy", ["block-loops", "threads"])
def test_a_block_that_waits_for_what_others_have_added(strategy: str) -> None:
    """It looks by an atomic operation, behind which nothing may be left in copies."""
    add = _relaxed("n", "look", "%one", "addi", "i32")
    text = _text(f"""
      %one = arith.constant 1 : i32{add}
      %is_last = arith.cmpi eq, %g, %last : index
      scf.if %is_last {{
        %sum = scf.while (%n0 = %zero) : (i32) -> i32 {{
          %now = memref.atomic_rmw addi %zero, %bins[%slot] : (i32, memref<?xi32>) -> i32
          %go = arith.cmpi ult, %now, %one : i32
          scf.condition(%go) %now : i32
        }} do {{
        ^bb0(%n1: i32):
          scf.yield %n1 : i32
        }}
        memref.store %sum, %out[%t] : memref<?xi32>
      }}""")
    given = [np.zeros(_BLOCKS * _THREADS, np.int32) for _ in range(3)]
    launcher = Launcher(host_object(text), strategy, cores=1)
    try:
        launcher.launch("k", _BLOCKS, _THREADS, *given, _address(given[1]))
    finally:
        launcher.close()
    assert given[1][: 16 * _BLOCKS].tolist() == [_THREADS // 16] * (16 * _BLOCKS)
    assert given[2][:_THREADS].min() >= 1


_FLOATS = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%in: memref<?xi32>, %bins: memref<?xELEMENT>, %sum: memref<?xELEMENT>,
        %out: memref<?xELEMENT>) workgroup(%own: memref<64xELEMENT, #gpu.address_space<workgroup>>)
        kernel {
      %c0 = arith.constant 0 : index
      %zero = arith.constant -0.0 : ELEMENT
      %some = arith.constant 40 : index
      %t = gpu.thread_id x
      %g = gpu.block_id x
      %n = gpu.block_dim x
      %o = arith.muli %g, %n : index
      %x = arith.addi %o, %t : index
      memref.store %zero, %own[%t] : memref<64xELEMENT, #gpu.address_space<workgroup>>
      gpu.barrier
      %i = memref.load %in[%x] : memref<?xi32>
      %j = arith.index_cast %i : i32 to index
      %v = arith.sitofp %i : i32 to ELEMENT
      %is_few = arith.cmpi ult, %t, %some : index
      %a0 = memref.atomic_rmw addf %v, %bins[%j] : (ELEMENT, memref<?xELEMENT>) -> ELEMENT
      %a1 = memref.atomic_rmw addf %v, %sum[%c0] : (ELEMENT, memref<?xELEMENT>) -> ELEMENT
      scf.if %is_few {
        %a2 = memref.atomic_rmw addf %v, %own[%j]
          : (ELEMENT, memref<64xELEMENT, #gpu.address_space<workgroup>>) -> ELEMENT
        %a3 = memref.atomic_rmw addf %v, %bins[%j] : (ELEMENT, memref<?xELEMENT>) -> ELEMENT
        %a4 = memref.atomic_rmw addf %v, %sum[%c0] : (ELEMENT, memref<?xELEMENT>) -> ELEMENT
      }
      gpu.barrier
      %mine = memref.load %own[%t] : memref<64xELEMENT, #gpu.address_space<workgroup>>
      memref.store %mine, %out[%x] : memref<?xELEMENT>
      gpu.return
    }
  }
}
"""


@pytest.mark.parametrize("strategy", ["block-loops", "warps", "threads"])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_floats_in_any_order(kind: type, strategy: str) -> None:
    """Whole numbers have one sum; words that nothing is added to stay minus zero."""
    given = np.random.default_rng(3).integers(0, 50, _BLOCKS * _THREADS, dtype=np.int32)
    bins = np.full(64, -0.0, kind)
    total, out = np.zeros(1, kind), np.zeros(_BLOCKS * _THREADS, kind)
    text = _FLOATS.replace("ELEMENT", "f32" if kind is np.float32 else "f64")
    launcher = Launcher(host_object(text, relaxed_floats=True), strategy)
    try:
        launcher.launch("k", _BLOCKS, _THREADS, given, bins, total, out)
    finally:
        launcher.close()
    each_block = given.reshape(_BLOCKS, _THREADS)
    few = each_block[:, :40].ravel()
    wanted = np.full(64, -0.0, kind)
    np.add.at(wanted, given, given)
    np.add.at(wanted, few, few)
    np.testing.assert_array_equal(bins.view(np.uint8), wanted.view(np.uint8))
    assert total[0] == given.sum() + few.sum()
    for row, own in zip(each_block[:, :40], out.reshape(_BLOCKS, _THREADS), strict=True):
        wanted = np.full(64, -0.0, kind)
        np.add.at(wanted, row, row)
        np.testing.assert_array_equal(own.view(np.uint8), wanted.view(np.uint8))


@pytest.mark.parametrize("relaxed", [False, True])
def test_floats_keep_their_order_by_default(relaxed: bool) -> None:
    """One large number among small ones shows the order."""
    text = _FLOATS.replace("ELEMENT", "f32")
    given = np.full(_THREADS, 3, np.int32)
    given[0] = 1 << 27
    results = []
    for strategy in ("block-loops", "threads"):
        bins, total, out = (np.zeros(64, np.float32) for _ in range(3))
        launcher = Launcher(host_object(_summing(text), relaxed_floats=relaxed), strategy)
        try:
            launcher.launch("k", 1, _THREADS, given, bins, total, out)
        finally:
            launcher.close()
        results.append(float(total[0]))
    assert (results[0] == results[1]) is not relaxed


_PROGRAM = """
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %large = arith.constant 16777216.0 : f32
  %one = arith.constant 1.0 : f32
  %sum = gpu.alloc host_shared () : memref<1xf32>
  memref.store %large, %sum[%c0] : memref<1xf32>
  gpu.launch blocks(%b0, %b1, %b2) in (%g0 = %c1, %g1 = %c1, %g2 = %c1)
      threads(%t0, %t1, %t2) in (%s0 = %c64, %s1 = %c1, %s2 = %c1) {
    %old = memref.atomic_rmw addf %one, %sum[%c0] : (f32, memref<1xf32>) -> f32
    gpu.terminator
  }
  %r = memref.load %sum[%c0] : memref<1xf32>
  gpu.dealloc %sum : memref<1xf32>
  return %r : f32
}
"""


@pytest.mark.parametrize("relaxed", [False, True])
def test_options_say_so(relaxed: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`xgpu.load` and `xgpu-runner` hand the permission on. Ones by themselves change nothing."""
    wanted = 16777216 + 64 * relaxed
    loaded = xgpu.load(_PROGRAM, "host", relaxed_float_atomics=relaxed)
    assert loaded.functions["main"]() == wanted
    source = tmp_path / "sum.mlir"
    source.write_text(_PROGRAM)
    options = ["--relaxed-float-atomics"] if relaxed else []
    assert xgpu_runner.run(["--device=host", *options, str(source)]) == 0
    assert capfd.readouterr().out == f"{wanted:e}\n"


def _summing(text: str) -> str:
    """The kernel with its additions to one word alone."""
    return "\n".join(
        line for line in text.splitlines()
        if not any(name in line for name in ("%a0", "%a2", "%a3", "workgroup>>) ->"))
    )  # fmt: skip
