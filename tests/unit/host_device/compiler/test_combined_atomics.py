# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomic operations whose results are not read: a worker combines them in copies of its own, and
memory has them wherever a kernel looks."""

from __future__ import annotations

import ctypes
import random

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher, host_object
from tests.support.some_cases import each

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


@pytest.mark.parametrize("seed", each(range(40), 10))
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
