# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inline PTX that reaches the memory of other blocks of a cluster, and bulk copies and reductions,
against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher, host_object
from tests.support.some_cases import some
from tests.support.warp_kernel import kernel, run

pytestmark = pytest.mark.sampled(2)

STRATEGIES = ["warps", "threads"]
_SIZE = 4096
#: Where an mbarrier lies in workgroup memory.
_BAR = _SIZE - 64
ADDRESS = "  %sa = ptrtoint ptr addrspace(3) @s to i32\n"
#: Each block's mbarrier expects bytes; `@S` is the begin of its memory, `peer` that of the other.
BEGIN = """{{ .reg .b32 bar, rank, there, peer, theirs, t, x, y; .reg .b64 gp, gb;
.reg .pred one, done; mov.u32 t, %tid.x;
setp.eq.u32 one, t, 0; add.u32 bar, @S, {bar}; mov.u32 rank, %cluster_ctarank;
xor.b32 there, rank, 1; mapa.shared::cluster.u32 peer, @S, there;
add.u32 theirs, peer, {bar};
@one mbarrier.init.shared::cta.b64 [bar], 1;
fence.mbarrier_init.release.cluster;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
@one mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], {bytes};
"""
END = """
AGAIN: mbarrier.try_wait.parity.shared::cta.b64 done, [bar], 0; @!done bra AGAIN;
{load}
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; }}"""


def _image(blocks: int, seed: int = 0) -> np.ndarray[Any, Any]:
    image = np.random.default_rng(seed).integers(0, 256, (blocks, _SIZE), dtype=np.uint8)
    image[:, _BAR:] = 0
    return image


def _run(asm: str, bytes: int, load: str, strategy: str, image: Any, words: Any = None) -> Any:
    """A cluster of two blocks of 32 threads, each of which gives two words."""
    text = BEGIN.format(bar=_BAR, bytes=bytes) + asm + END.format(load=load)
    inputs = "" if words is None else "rr"
    source = kernel(
        text.replace("@S", f"${2 + len(inputs)}"), "rr", inputs, _SIZE, ADDRESS, "r=i32 %sa"
    )
    out = np.zeros((2, 32, 2), np.uint32)
    run(source, image if words is None else words, out, 32, image, strategy, blocks=2)
    return out


_OWN = "shl.b32 x, t, 3; add.u32 x, x, @S; ld.shared.v2.b32 {$0, $1}, [x];"


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("vector", [False, True])
def test_stores_that_arrive_in_another_block(vector: bool, strategy: str):
    words = np.random.default_rng(1).integers(0, 1 << 32, (2, 32, 2), dtype=np.uint32)
    asm = "shl.b32 x, t, 3; add.u32 x, x, peer;"
    name = "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes"
    if vector:
        asm += f"{name}.v2.b32 [x], {{$2, $3}}, [theirs];"
    else:
        asm += f"{name}.b32 [x], $2, [theirs]; {name}.u32 [x + 4], $3, [theirs];"
    out = _run(asm, 256, _OWN, strategy, _image(2), words)
    np.testing.assert_array_equal(out, words[::-1])


_REDUCTIONS = {
    "add.u32": lambda x, y: x + y,
    "min.s32": lambda x, y: np.minimum(x.view(np.int32), y.view(np.int32)).view(np.uint32),
    "max.u32": np.maximum,
    "and.b32": lambda x, y: x & y,
    "xor.b32": lambda x, y: x ^ y,
    "inc.u32": lambda x, y: np.where(x >= y, 0, x + 1).astype(np.uint32),
}


@pytest.mark.parametrize(("name", "strategy"), some(list(_REDUCTIONS), STRATEGIES))
def test_reductions_that_arrive_in_another_block(name: str, strategy: str):
    words = np.random.default_rng(2).integers(0, 1 << 32, (2, 32, 2), dtype=np.uint32)
    image = _image(2)
    head = "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes"
    asm = f"shl.b32 x, t, 3; add.u32 x, x, peer; {head}.{name} [x], $2, [theirs];"
    out = _run(asm, 128, _OWN, strategy, image, words)
    there = image[:, :256].copy().view(np.uint32).reshape(2, 32, 2)
    expected = there.copy()
    expected[..., 0] = _REDUCTIONS[name](there[..., 0], words[::-1, :, 0])
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_bulk_copies_between_blocks(strategy: str):
    image = _image(2)
    asm = (
        "add.u32 x, @S, 512; @one cp.async.bulk.shared::cluster.shared::cta."
        "mbarrier::complete_tx::bytes [peer], [x], 256, [theirs];"
    )
    out = _run(asm, 256, _OWN, strategy, image)
    np.testing.assert_array_equal(out.view(np.uint8).reshape(2, 256), image[::-1, 512:768])


@pytest.mark.parametrize(
    ("name", "strategy"), some(["add.u32", "max.u32", "and.b32", "xor.b32"], STRATEGIES)
)
def test_bulk_reductions_between_blocks(name: str, strategy: str):
    image = _image(2)
    asm = (
        "add.u32 x, @S, 512; @one cp.reduce.async.bulk.shared::cluster.shared::cta."
        f"mbarrier::complete_tx::bytes.{name} [peer], [x], 256, [theirs];"
    )
    out = _run(asm, 256, _OWN, strategy, image)
    there, given = (x.copy().view(np.uint32) for x in (image[:, :256], image[::-1, 512:768]))
    np.testing.assert_array_equal(out.reshape(2, 64), _REDUCTIONS[name](there, given))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_block_finds_its_rank(strategy: str):
    """getctarank of an address in the other block, and a load from there."""
    asm = "getctarank.shared::cluster.u32 $0, peer; ld.shared::cluster.u32 $1, [peer + 12];"
    asm += "@one mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [theirs], 64;"
    image = _image(2)
    out = _run(asm, 64, "", strategy, image)
    np.testing.assert_array_equal(out[..., 0], [[1] * 32, [0] * 32])
    there = image[::-1, 12:16].copy().view(np.uint32)
    np.testing.assert_array_equal(out[..., 1], np.repeat(there, 32, 1))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_block_knows_that_it_has_a_cluster(strategy: str):
    asm = "{ .reg .pred p; mov.pred p, %is_explicit_cluster; selp.u32 $0, 7, 9, p; mov.u32 $1, 0;"
    asm += "@one mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [theirs], 64; }"
    out = _run(asm, 64, "", strategy, _image(2))
    np.testing.assert_array_equal(out[..., 0], np.full((2, 32), 7))


# -- to and from global memory


_GLOBAL = "{ .reg .pred one; .reg .b32 t, x, bar; mov.u32 t, %tid.x; setp.eq.u32 one, t, 0;"
_KINDS = {
    "add.u32": "u4", "add.u64": "u8", "min.s32": "i4", "max.s64": "i8", "and.b32": "u4",
    "or.b64": "u8", "add.f32": "f4", "add.f64": "f8", "add.noftz.f16": "f2", "min.f16": "f2",
    "inc.u32": "u4", "dec.u32": "u4",
}  # fmt: skip


def _reduced(name: str, x: Any, y: Any) -> Any:
    match name.split(".")[0]:
        case "add":
            return x + y
        case "min":
            return np.minimum(x, y)
        case "max":
            return np.maximum(x, y)
        case "and":
            return x & y
        case "or":
            return x | y
        case "inc":
            return np.where(x >= y, 0, x + 1)
        case _:
            return np.where((x == 0) | (x > y), y, x - 1)


@pytest.mark.parametrize(("name", "strategy"), some(list(_KINDS), STRATEGIES))
def test_bulk_reductions_to_global_memory(name: str, strategy: str):
    of = np.dtype(_KINDS[name])
    rng = np.random.default_rng(3)
    count = 256 // of.itemsize
    if of.kind == "f":
        x, y = (rng.standard_normal(count).astype(of) for _ in range(2))
    else:
        low = 0 if of.kind == "u" else -(1 << 30)
        x, y = (rng.integers(low, 1 << 30, count).astype(of) for _ in range(2))
    asm = (
        _GLOBAL + f"@one cp.reduce.async.bulk.global.shared::cta.bulk_group.{name} [$0], [$1], 256;"
        "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; }"
    )
    image = np.zeros(_SIZE, np.uint8)
    image[:256] = y.view(np.uint8)
    out = x.copy()
    source = kernel(asm, "", "", _SIZE, ADDRESS, "l=ptr %out;r=i32 %sa")
    run(source, image, out, 32, image, strategy)
    np.testing.assert_array_equal(out, _reduced(name, x, y).astype(of))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_bulk_copies_in_and_out(strategy: str):
    """From global memory, with an mbarrier, and back to another place."""
    asm = (
        _GLOBAL
        + f"add.u32 bar, $1, {_BAR}; @one mbarrier.init.shared::cta.b64 [bar], 1; bar.sync 0;"
        "@one mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 512;"
        "@one cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2], 512, [bar];"
        ".reg .pred done;"
        "AGAIN: mbarrier.try_wait.parity.shared::cta.b64 done, [bar], 0; @!done bra AGAIN;"
        "@one cp.async.bulk.global.shared::cta.bulk_group [$0], [$1], 512;"
        "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; }"
    )
    words = np.random.default_rng(4).integers(0, 256, 512, dtype=np.uint8)
    out, image = np.zeros(512, np.uint8), np.zeros(_SIZE, np.uint8)
    source = kernel(asm, "", "", _SIZE, ADDRESS, "l=ptr %out;r=i32 %sa;l=ptr %in")
    run(source, words, out, 32, image, strategy)
    np.testing.assert_array_equal(out, words)


_NOBODY_WAITS = """
module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.mlir.global external @own() {addr_space = 3 : i32} : !llvm.array<32 x f32>
    gpu.func @k(%out: memref<?xf32>) kernel {
      %t = gpu.thread_id x
      %i = gpu.global_id x
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %own = llvm.mlir.addressof @own : !llvm.ptr<3>
      %n = arith.index_cast %t : index to i64
      %mine = llvm.getelementptr %own[%n] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %there = nvvm.mapa %mine, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
      %w = arith.index_cast %i : index to i32
      %f = arith.sitofp %w : i32 to f32
      llvm.store %f, %there : f32, !llvm.ptr<7>
      %v = llvm.load %mine : !llvm.ptr<3> -> f32
      memref.store %v, %out[%i] : memref<?xf32>
      gpu.return
    }
  }
}
"""


@pytest.mark.parametrize("cluster", [None, (2, 1, 1), (4, 1, 1)])
@pytest.mark.parametrize("strategy", ["auto", "threads"])
def test_a_place_in_a_cluster_where_nobody_waits(
    strategy: str, cluster: tuple[int, int, int] | None
) -> None:
    out = np.zeros(8 * 32, np.float32)
    launcher = Launcher(host_object(_NOBODY_WAITS), strategy)
    launcher.cluster = cluster
    launcher.launch("k", 8, 32, out)
    launcher.close()
    np.testing.assert_array_equal(out, np.arange(8 * 32, dtype=np.float32))
