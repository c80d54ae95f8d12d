# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that cannot be screened and whose warps run as vectors, as `--kernel-strategy=warps` asks
for: what is found in them is what is found thread by thread."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher, host_object
from tests.support.some_cases import each
from xgpu.host_device.sanitizer.reports.monitor import DEFAULT_KINDS, Sanitizer

pytestmark = pytest.mark.sampled(2)

_KINDS = (("race",), ("memory", "init"), DEFAULT_KINDS)

_TEXT = """
module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : i64
    gpu.func @k(%in: memref<?xi32>, %out: memref<?xi32>)
        workgroup(%s: memref<64xi32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c63 = arith.constant 63 : index
      %i0 = arith.constant 0 : i32
      %n = arith.constant 64 : i32
      %ticks = arith.constant 1000 : i32
      %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
      %t = gpu.thread_id x
      %ti = arith.index_cast %t : index to i32
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        nvvm.mbarrier.init %bar, %n : !llvm.ptr<3>, i32
      }
      gpu.barrier
      %other = arith.subi %c63, %t : index
      BODY
      gpu.return
    }
  }
}
"""
_STORE = "memref.store %ti, %s[%t] : memref<64xi32, #gpu.address_space<workgroup>>\n"
_SWAP = """
      %v = memref.load %s[%other] : memref<64xi32, #gpu.address_space<workgroup>>
      memref.store %v, %out[%t] : memref<?xi32>
"""
_ARRIVE = "%state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64\n"
_WAIT = "nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32\n"
_ALL_AT = "memref.store {}, %s[%c1] : memref<64xi32, #gpu.address_space<workgroup>>\n"
_VECTOR_AT = """
      %v = vector.broadcast {} : i32 to vector<4xi32>
      vector.store %v, %s[%c0] : memref<64xi32, #gpu.address_space<workgroup>>, vector<4xi32>
"""
_COPY = """
      %whole = memref.extract_aligned_pointer_as_index %in : memref<?xi32> -> index
      %part = memref.extract_aligned_pointer_as_index %s
          : memref<64xi32, #gpu.address_space<workgroup>> -> index
      %from = arith.index_cast %whole : index to i64
      %to = arith.index_cast %part : index to i64
      %begin = llvm.inttoptr %from : i64 to !llvm.ptr<1>
      %own = llvm.inttoptr %to : i64 to !llvm.ptr<3>
      %i = arith.index_cast SOURCE : index to i64
      %j = arith.index_cast TARGET : index to i64
      %src = llvm.getelementptr %begin[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
      %dst = llvm.getelementptr %own[%j] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
      %copies = arith.cmpi CHOSEN : index
      scf.if %copies {
        nvvm.cp.async.shared.global %dst, %src, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
      }
      nvvm.cp.async.commit.group
"""
_COPIED = "nvvm.cp.async.wait.group 0\n"


def _copy(source: str = "%t", target: str = "%t", chosen: str = "ule, %t, %c63") -> str:
    text = _COPY.replace("SOURCE", source).replace("TARGET", target)
    return text.replace("CHOSEN", chosen)


_BODIES = {
    "ordered": (_STORE + _ARRIVE + _WAIT + _SWAP, []),
    "no wait": (_STORE + _ARRIVE + _SWAP, ["race"]),
    "an arrival before the store": (_ARRIVE + _STORE + _WAIT + _SWAP, ["race"]),
    "a barrier": (_STORE + "gpu.barrier\n" + _SWAP + _ARRIVE + _WAIT, []),
    "one value at one place": (_ALL_AT.format("%n") + _ARRIVE + _WAIT, []),
    "values at one place": (_ALL_AT.format("%ti") + _ARRIVE + _WAIT, ["race"]),
    "one vector at one place": (_VECTOR_AT.format("%n") + _ARRIVE + _WAIT, []),
    "vectors at one place": (_VECTOR_AT.format("%ti") + _ARRIVE + _WAIT, ["race"]),
    "out of bounds": (
        _ARRIVE + _WAIT + "%far = arith.addi %t, %c1 : index\n"
        "%v = memref.load %in[%far] : memref<?xi32>\nmemref.store %v, %out[%t] : memref<?xi32>\n",
        ["memory"],
    ),
    "not written": (_ARRIVE + _WAIT + _SWAP, ["init"]),
    "copies": (_copy() + _COPIED + _ARRIVE + _WAIT + _SWAP, []),
    "copies without a wait": (_copy() + _ARRIVE + _WAIT + _SWAP, ["race"]),
    "copies to one place": (_copy(target="%c1") + _COPIED + _ARRIVE + _WAIT, ["race"]),
    "some copy to one place": (
        _copy(target="%c1", chosen="ne, %t, %c63") + _COPIED + _ARRIVE + _WAIT, ["race"],
    ),
    "copies from outside": (
        "%far = arith.addi %t, %c1 : index\n" + _copy("%far") + _COPIED + _ARRIVE + _WAIT,
        ["memory"],
    ),
    "copies to outside": (
        "%far = arith.addi %t, %c1 : index\n" + _copy(target="%far") + _COPIED + _ARRIVE + _WAIT,
        ["memory"],
    ),
}  # fmt: skip


def _found(text, strategy, kinds=DEFAULT_KINDS, blocks=1, words=64):
    sanitizer = Sanitizer(kinds)
    launcher = Launcher(host_object(text), strategy, sanitizer=sanitizer)
    given, out = np.arange(64, dtype=np.int32), np.zeros(words, np.int32)
    for array in (given, out):
        launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
    launcher.launch("k", blocks, 64, given, out)
    launcher.close()
    (launches,) = sanitizer.coverage().launches
    found = [
        (f.kind, f.count, [(side.line, side.operation) for side in f.sides])
        for f in sanitizer.findings()
    ]
    return launches.how, found, out.tolist()


@pytest.mark.parametrize("name", _BODIES)
def test_what_is_found(name):
    body, kinds = _BODIES[name]
    text = _TEXT.replace("BODY", body)
    how, found, out = _found(text, "warps")
    assert how == "warp by warp"
    by_threads = _found(text, "threads")
    assert by_threads[0] == "thread by thread"
    assert [kind for kind, _, _ in found] == kinds
    assert found == by_threads[1]
    if not kinds:
        assert out == by_threads[2]


#: Where a thread's words lie: in a row, in another warp's row, and in none.
_PLACES = ("%t", "%next", "%far", "%other", "%c1")
_VALUES = ("%ti", "%n", "%more")
_CHOSEN = ("ult, %t, %half", "ne, %t, %c1", "uge, %t, %half", "uge, %t, %c0")
_SHARED = "memref<128xi32, #gpu.address_space<workgroup>>"


def _random_text(rng):
    """A kernel with stores, loads and barriers in rows and beside them; in the second text words
    have a gap between them. A thread's last load is its result."""
    lines = [
        "%half = arith.constant 32 : index", "%gap = arith.constant GAP : index",
        "%words = arith.constant 64 : index",
        "%up = arith.addi %t, %c1 : index", "%next = arith.andi %up, %c63 : index",
        "%far = arith.xori %t, %half : index", "%more = arith.addi %ti, %n : i32",
    ]  # fmt: skip
    last = "%ti"
    for i in range(rng.randrange(3, 9)):
        kind = rng.choice(("store", "store", "load", "load", "barrier", "out", "all"))
        at = rng.choice(_PLACES) if rng.random() < 0.4 else "%t"
        lines.append(f"%at{i} = arith.muli {at}, %gap : index")
        done = "gpu.barrier"
        if kind == "store":
            done = f"memref.store {rng.choice(_VALUES)}, %s[%at{i}] : {_SHARED}"
        elif kind == "load":
            last = f"%v{i}"
            done = f"{last} = memref.load %s[%at{i}] : {_SHARED}"
        elif kind == "all":  # one thread uses all words
            done = f"%w{i} = memref.load %s[%to{i}] : {_SHARED}"
            if rng.random() < 0.5:
                done = f"memref.store %n, %s[%to{i}] : {_SHARED}"
            lines += [
                f"%all{i} = arith.cmpi eq, %t, {rng.choice(('%c0', '%c1', '%half'))} : index",
                f"scf.if %all{i} {{", f"scf.for %j{i} = %c0 to %words step %c1 {{",
                f"%to{i} = arith.muli %j{i}, %gap : index", done, "}", "}",
            ]  # fmt: skip
            continue
        elif kind == "out":
            done = f"memref.store {last}, %out[%at{i}] : memref<?xi32>"
        if kind in ("store", "out") and rng.random() < 0.3:
            lines.append(f"%is{i} = arith.cmpi {rng.choice(_CHOSEN)} : index")
            done = f"scf.if %is{i} {{\n{done}\n}}"
        lines.append(done)
    text = _TEXT.replace("BODY", "\n".join(lines) + "\n" + _ARRIVE + _WAIT)
    text = text.replace("memref<64xi32", "memref<128xi32")
    return text.replace("GAP", "1"), text.replace("GAP", "2")


@pytest.mark.parametrize("seed", each(range(300), step=15))
def test_rows_of_words(seed):
    """Random kernels of two warps, in three blocks one after another: words in rows are looked at
    together, words with gaps one by one."""
    rng = random.Random(seed)
    texts, kinds = _random_text(rng), rng.choice(_KINDS)
    (how, found, out), (_, wanted, apart) = (_found(t, "warps", kinds, 3, 128) for t in texts)
    assert how == "warp by warp"
    assert found == wanted
    assert out[:64] == apart[::2]


_COUNTED = (
    "%c = arith.constant 0 : index\n"
    "%old = memref.atomic_rmw addi %n, %out[%c] : (i32, memref<?xi32>) -> i32\n"
)


@pytest.mark.parametrize(
    ("body", "how"),
    [(_ARRIVE + _WAIT, "warp by warp"), (_COUNTED + _ARRIVE + _WAIT, "thread by thread")],
)
def test_which_kernels_run_by_warps(body, how):
    """Those in which no lane sees, without a race, how far another one is."""
    assert _found(_TEXT.replace("BODY", body), "auto")[:2] == (how, [])


def test_a_kernel_that_only_ends_an_mbarrier_is_watched():
    """Code for vectors has nothing in its place, so a screened launch would not see it."""
    text = _TEXT.replace(
        "mbarrier.init %bar, %n : !llvm.ptr<3>, i32", "mbarrier.inval %bar : !llvm.ptr<3>"
    )
    _, found, _ = _found(text.replace("BODY", ""), "auto")
    assert [kind for kind, _, _ in found] == ["sync"]
