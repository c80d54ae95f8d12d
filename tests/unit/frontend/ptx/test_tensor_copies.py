# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor copies of kernels in PTX on the host device, and requests to take over blocks: to pairs of
blocks, of lines of a matrix, watched."""

from __future__ import annotations

import re
from contextlib import nullcontext

import numpy as np
import pytest

import xgpu
from tests.unit.frontend.ptx.test_kernels import launch

_PAIR = """
    .visible .entry k(.param .u64 a, .param .u64 m, .param .u64 o) .reqntid 32 .reqnctapercluster 2 {
    .shared .align 128 .b8 tile[128]; .shared .align 8 .b64 bar;
    .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .b16 mask; .reg .pred %p<3>, waits, leads, done;
    ld.param.u64 %rd1,[a]; ld.param.u64 %rd2,[m]; ld.param.u64 %rd3,[o]; mov.u32 %r1,%tid.x;
    mov.u32 %r2,%cluster_ctarank; setp.ne.u32 %p1,%r1,0; mov.b16 mask,3;
    WAITS; setp.eq.u32 leads,%r2,0; @%p1 bra $M;
    mbarrier.init.shared.b64 [bar], 1; fence.proxy.async.shared::cta; fence.mbarrier_init.release.cluster;
    @!waits bra $N; mbarrier.arrive.expect_tx.shared.b64 _, [bar], BYTES;
    $N: @!leads bra $M;
    tensormap.replace.tile.global_address.global.b1024.b64 [%rd2], %rd1;
    tensormap.replace.tile.box_dim.global.b1024.b32 [%rd2], 0, 128;
    tensormap.replace.tile.global_dim.global.b1024.b32 [%rd2], 0, 256;
    fence.proxy.tensormap::generic.acquire.gpu [%rd2], 128;
    $M: barrier.cluster.arrive; barrier.cluster.wait;
    setp.ne.or.u32 %p2,%r1,0,!leads; @%p2 bra $C;
    mov.u32 %r3,tile; mov.u32 %r4,bar; mapa.shared::cluster.u32 %r4,%r4,HOME;
    cp.async.bulk.tensor.1d.GROUPshared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster
      [%r3], [%rd2, {16}], [%r4], mask;
    $C: @!waits bra $D;
    $W: mbarrier.try_wait.parity.shared.b64 done, [bar], 0; @!done bra $W;
    $D: barrier.cluster.arrive; barrier.cluster.wait;
    mad.lo.u32 %r5,%r2,32,%r1; mul.wide.u32 %rd5,%r5,4; mul.wide.u32 %rd6,%r1,4;
    mov.u64 %rd7,tile; add.s64 %rd6,%rd7,%rd6;
    ld.shared.u32 %r6,[%rd6]; add.s64 %rd7,%rd3,%rd5; st.u32 [%rd7],%r6; ret;}
"""  # noqa: E501


@pytest.mark.parametrize(
    ("group", "home", "waits", "bytes"),
    [
        ("cta_group::2.", 0, "setp.eq.u32 waits,%r2,0", 256),
        ("cta_group::2.", 1, "setp.eq.u32 waits,%r2,1", 256),
        ("cta_group::1.", 0, "setp.eq.u32 waits,0,0", 128),
        ("", 0, "setp.eq.u32 waits,0,0", 128),
    ],
)
@pytest.mark.parametrize("is_watched", [False, True])
def test_a_copy_to_a_pair_of_blocks(
    group: str, home: int, waits: str, bytes: int, is_watched: bool
) -> None:
    """The bytes of both copies arrive at one mbarrier of the pair, or those of each at its own."""
    text = _PAIR.replace("GROUP", group).replace("HOME", str(home)).replace("WAITS", waits)
    text = text.replace("BYTES", str(bytes))
    a, o = np.arange(256, dtype=np.uint8), np.zeros((2, 32), np.uint32)
    with xgpu.sanitized(["race", "memory", "sync"]) if is_watched else nullcontext() as watched:
        launch(text, a, np.zeros(128, np.uint8), o, block=32, grid=2)
    np.testing.assert_array_equal(o.view(np.uint8), [a[16:144]] * 2)
    if watched is not None:
        assert watched.findings().text() == ""


def test_the_lowest_bit_of_a_rank_is_bit_24_of_an_address() -> None:
    """Kernels of pairs clear it (CUTLASS, Triton): an address in the first block of a pair."""
    text = """
    .visible .entry k(.param .u64 o) .reqntid 1 .reqnctapercluster 4 {
    .shared .align 4 .b32 word; .reg .b64 %rd<4>; .reg .b32 %r<6>;
    mov.u32 %r1,word; and.b32 %r2,%r1,-16777217; mov.u32 %r3,%cluster_ctarank;
    st.shared.u32 [%r1],77; barrier.cluster.arrive; barrier.cluster.wait;
    red.shared::cluster.add.u32 [%r2],%r3;
    barrier.cluster.arrive; barrier.cluster.wait; ld.shared.u32 %r4,[%r1];
    ld.param.u64 %rd1,[o]; mul.wide.u32 %rd2,%r3,4; add.u64 %rd1,%rd1,%rd2;
    st.global.u32 [%rd1],%r4; ret;}
    """
    for watch in (nullcontext(), xgpu.sanitized()):
        o = np.zeros(4, np.uint32)
        with watch as watched:
            launch(text, o, grid=4)
        assert o.tolist() == [78, 77, 82, 77]
        assert watched is None or watched.findings().text() == ""


@pytest.mark.parametrize("is_watched", [False, True])
def test_a_copy_to_a_block_without_a_pair(is_watched: bool) -> None:
    text = _PAIR.replace("GROUP", "cta_group::2.").replace("HOME", "1").replace("BYTES", "128")
    text = text.replace("WAITS", "setp.eq.u32 waits,1,0").replace(
        "mov.b16 mask,3", "mov.b16 mask,4"
    )
    text = text.replace(".reqnctapercluster 2", ".reqnctapercluster 3")
    a, o = np.arange(256, dtype=np.uint8), np.zeros((3, 32), np.uint32)
    with (
        xgpu.sanitized(["race", "memory", "sync"]) if is_watched else nullcontext(),
        pytest.raises(xgpu.DeviceError, match="copies by cta_group::2 to a block that has no pair"),
    ):
        launch(text, a, np.zeros(128, np.uint8), o, block=32, grid=3)


_LINES = """
    .visible .entry k(.param .u64 a, .param .u64 m, .param .u64 o, .param .u64 lines) .reqntid 1 {
    .shared .align 1024 .b8 tile[2048]; .shared .align 8 .b64 bar;
    .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred done;
    ld.param.u64 %rd1,[a]; ld.param.u64 %rd2,[m]; ld.param.u64 %rd3,[o]; ld.param.u64 %rd4,[lines];
    add.u64 %rd5,%rd2,128;
    MAP(%rd2,%rd1) MAP(%rd5,%rd3)
    fence.proxy.tensormap::generic.acquire.gpu [%rd2], 128;
    fence.proxy.tensormap::generic.acquire.gpu [%rd5], 128;
    mbarrier.init.shared.b64 [bar], 1; fence.proxy.async.shared::cta;
    ld.u32 %r1,[%rd4]; ld.u32 %r2,[%rd4+4]; ld.u32 %r3,[%rd4+8]; ld.u32 %r4,[%rd4+12];
    ld.u32 %r5,[%rd4+16];
    mbarrier.arrive.expect_tx.shared.b64 _, [bar], 128;
    cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes
      [tile], [%rd2, {%r1, %r2, %r3, %r4, %r5}], [bar];
    $W: mbarrier.try_wait.parity.shared.b64 done, [bar], 0; @!done bra $W;
    ld.u32 %r2,[%rd4+20]; ld.u32 %r3,[%rd4+24]; ld.u32 %r4,[%rd4+28]; ld.u32 %r5,[%rd4+32];
    cp.async.bulk.tensor.2d.tile::scatter4.global.shared::cta.bulk_group
      [%rd5, {%r1, %r2, %r3, %r4, %r5}], [tile];
    cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;}
"""
_MAP = """
    tensormap.replace.tile.global_address.global.b1024.b64 [AT], BASE;
    tensormap.replace.tile.rank.global.b1024.b32 [AT], RANK;
    tensormap.replace.tile.box_dim.global.b1024.b32 [AT], 0, 8;
    tensormap.replace.tile.box_dim.global.b1024.b32 [AT], 1, 1;
    tensormap.replace.tile.global_dim.global.b1024.b32 [AT], 0, 12;
    tensormap.replace.tile.global_dim.global.b1024.b32 [AT], 1, 16;
    tensormap.replace.tile.global_stride.global.b1024.b64 [AT], 0, 48;
    tensormap.replace.tile.elemtype.global.b1024.b32 [AT], 7;
    tensormap.replace.tile.swizzle_mode.global.b1024.b32 [AT], SWIZZLE;
"""


def _lines(swizzle: int = 0, rank: int = 1) -> str:
    made = _MAP.replace("SWIZZLE", str(swizzle)).replace("RANK", str(rank))
    return re.sub(
        r"MAP\((.*?),(.*?)\)",
        lambda m: made.replace("AT", m[1]).replace("BASE", m[2]),
        _LINES,
    )


@pytest.mark.parametrize("is_watched", [False, True])
@pytest.mark.parametrize("swizzle", [0, 1])
def test_four_lines_of_a_matrix(swizzle: int, is_watched: bool) -> None:
    """Columns and lines may be outside of it: they read as zero, and are not written."""
    rng = np.random.default_rng(swizzle)
    for _ in range(4):
        begin = int(rng.integers(-4, 11))
        read, written = rng.integers(-2, 18, 4), rng.permutation(np.arange(-2, 18))[:4]
        a, o = rng.random((16, 12), np.float32), np.full((16, 12), -1, np.float32)
        given = np.array([begin, *read, *written], np.int32)
        with xgpu.sanitized() if is_watched else nullcontext() as watched:
            launch(_lines(swizzle), a, np.zeros(256, np.uint8), o, given)
        expected = np.full((16, 12), -1, np.float32)
        inside = [c for c in range(begin, begin + 8) if 0 <= c < 12]
        for source, target in zip(read, written, strict=True):
            if 0 <= target < 16:
                expected[target, inside] = a[source, inside] if 0 <= source < 16 else 0
        np.testing.assert_array_equal(o, expected)
        if watched is not None:
            assert watched.findings().text() == ""


@pytest.mark.parametrize("is_watched", [False, True])
def test_lines_of_what_is_no_matrix(is_watched: bool) -> None:
    arrays = np.zeros((16, 12), np.float32), np.zeros(256, np.uint8), np.zeros((16, 12), np.float32)
    with (
        xgpu.sanitized(["race"]) if is_watched else nullcontext(),
        pytest.raises(xgpu.DeviceError, match="of a tensor that is no matrix"),
    ):
        launch(_lines(rank=2), *arrays, np.zeros(9, np.int32))


def test_what_is_wrong_with_four_lines() -> None:
    """Stored before they have come; out of the bounds of either array: then zeros come, and nothing
    is stored."""
    given = np.array([0, 0, 5, 9, 2, 3, 6, 10, 1], np.int32)
    waits = "$W: mbarrier.try_wait.parity.shared.b64 done, [bar], 0; @!done bra $W;"
    a = np.arange(16 * 12, dtype=np.float32).reshape(16, 12)
    for text, sizes, kind in [
        (_lines().replace(waits, ""), (16, 16), "race"),
        (_lines(), (9, 16), "memory"),
        (_lines(), (16, 9), "memory"),
    ]:
        o = np.full((16, 12), -1, np.float32)
        with xgpu.sanitized() as watched:
            launch(text, a[: sizes[0]], np.zeros(256, np.uint8), o[: sizes[1]], given)
        assert {f.kind for f in watched.findings()} == {kind}
        if sizes == (9, 16):
            assert not o[[3, 6, 10, 1], :8].any()
        if sizes == (16, 9):
            assert (o == -1).all()


_REQUEST = """
module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.mlir.global internal @answer() {addr_space = 3 : i32, alignment = 16 : i64} : i128
    llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : i64
    gpu.func @k(%o: memref<2xi32>) kernel {
      %one = arith.constant 1 : i32
      %bytes = arith.constant 16 : i32
      %zero = arith.constant 0 : i32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %answer = llvm.mlir.addressof @answer : !llvm.ptr<3>
      %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
      nvvm.clusterlaunchcontrol.try.cancel %answer, %bar
      nvvm.mbarrier.try_wait.parity %bar, %zero, %zero : !llvm.ptr<3>, i32, i32
      %found = llvm.load %answer : !llvm.ptr<3> -> i128
      %any = nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %found : i1
      %x = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_x, %found : i32
      %word = arith.extui %any : i1 to i32
      memref.store %word, %o[%c0] : memref<2xi32>
      memref.store %x, %o[%c1] : memref<2xi32>
      gpu.return
    }
  }
}
"""


def test_a_request_for_a_block_is_watched() -> None:
    """Its answer comes as a copy does: read before the wait it is a race."""
    o = np.full(2, 7, np.int32)
    with xgpu.sanitized() as watched:
        xgpu.load(_REQUEST, device="host").kernels["k"][1, 1](o)
    assert o.tolist() == [0, 0]
    assert watched.findings().text() == ""
    wait = next(line for line in _REQUEST.splitlines() if "try_wait" in line)
    with xgpu.sanitized() as watched:
        xgpu.load(_REQUEST.replace(wait, ""), device="host").kernels["k"][1, 1](o)
    assert {f.kind for f in watched.findings()} == {"race"}


@pytest.mark.parametrize("place", ["answer", "bar"])
def test_a_request_for_a_block_that_has_no_room(place: str) -> None:
    other = f"%out = llvm.getelementptr %{place}[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64\n"
    wrong = {"answer": "%out, %bar", "bar": "%answer, %out"}[place]
    text = _REQUEST.replace("nvvm.clusterlaunchcontrol.try.cancel %answer, %bar",
                            f"{other} nvvm.clusterlaunchcontrol.try.cancel {wrong}")  # fmt: skip
    wait = next(line for line in _REQUEST.splitlines() if "try_wait" in line)
    # Bytes for an mbarrier that is none end the kernel, too.
    ends = pytest.raises(xgpu.DeviceError, match=r"before mbarrier\.init")
    with xgpu.sanitized(["memory"]) as watched, ends if place == "bar" else nullcontext():
        xgpu.load(text.replace(wait, ""), device="host").kernels["k"][1, 1](np.zeros(2, np.int32))
    assert [f.kind for f in watched.findings()] == ["memory"]


@pytest.mark.parametrize(
    ("between", "kinds"),
    [("", set()), ("@!%p0 bra $S; st.shared.u32 [%r1+4],%r2; $S:", {"race"})],
)
def test_a_copy_over_the_address_of_tensor_memory(between: str, kinds: set[str]) -> None:
    """PTX does not say by which proxy tcgen05.alloc writes it, and Triton lets buffers lie there.
    What a thread stores needs a fence of proxies."""
    text = f"""
    .visible .entry k(.param .u64 a, .param .u64 o) .reqntid 64 {{
    .shared .align 128 .b8 tile[256]; .shared .align 8 .b64 bar;
    .reg .b64 %rd<5>; .reg .b32 %r<6>; .reg .pred %p0, first, done;
    ld.param.u64 %rd1,[a]; ld.param.u64 %rd2,[o]; mov.u32 %r0,%tid.x; mov.u32 %r1,tile;
    setp.eq.u32 %p0,%r0,0; setp.lt.u32 first,%r0,32;
    @!%p0 bra $A; mbarrier.init.shared.b64 [bar],1; fence.proxy.async.shared::cta; $A:
    @first tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 32;
    bar.sync 0; ld.shared.u32 %r2,[%r1]; {between} bar.sync 0;
    @!%p0 bra $W; mbarrier.arrive.expect_tx.shared.b64 _,[bar],256;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1],[%rd1],256,[bar];
    $W: mbarrier.try_wait.parity.shared.b64 done,[bar],0; @!done bra $W;
    mul.wide.u32 %rd3,%r0,4; add.u64 %rd2,%rd2,%rd3; shl.b32 %r3,%r0,2; add.u32 %r3,%r3,%r1;
    ld.shared.u32 %r4,[%r3]; st.global.u32 [%rd2],%r4; bar.sync 0;
    @first tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32; ret;}}
    """
    a, o = np.arange(64, dtype=np.uint32), np.zeros(64, np.uint32)
    with xgpu.sanitized() as watched:
        launch(text, a, o, block=64)
    assert o.tolist() == a.tolist()
    assert {f.kind for f in watched.findings()} == kinds


@pytest.mark.parametrize(
    ("rows", "also", "kinds"),
    [
        (16, "", set()),
        (16, "st.global.u32 [%rd3+4],%r1;", {"race"}),
        (16, "red.global.add.f32 [%rd3+4],%f1;", set()),
        (2, "", {"memory"}),
    ],
)
def test_reductions_into_a_tensor_are_watched(rows: int, also: str, kinds: set[str]) -> None:
    """Those of two blocks are atomic for one another, and for atomic operations of that size."""
    text = """
    .visible .entry k(.param .u64 m, .param .u64 o) .reqntid 1 {
    .shared .align 128 .b8 tile[128]; .reg .b64 %rd<9>; .reg .b32 %r<9>, %f1; .reg .pred %p;
    ld.param.u64 %rd1,[m]; ld.param.u64 %rd3,[o]; mov.u32 %r1,%ctaid.x; mul.wide.u32 %rd4,%r1,128;
    add.u64 %rd2,%rd1,%rd4; MAP(%rd2,%rd3)
    fence.proxy.tensormap::generic.acquire.gpu [%rd2], 128;
    mov.b32 %f1,0f3F800000; mov.u32 %r2,0; mov.u32 %r3,tile; mov.u32 %r5,3;
    $A: add.u32 %r4,%r3,%r2; st.shared.f32 [%r4],%f1; add.u32 %r2,%r2,4;
    setp.lt.u32 %p,%r2,32; @%p bra $A; fence.proxy.async.shared::cta;
    cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%rd2,{%r1,%r5}],[%r3];
    cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ALSO ret;}
    """.replace("ALSO", also.replace("%rd3+4", "%rd3+152"))
    made = _MAP.replace("SWIZZLE", "0").replace("RANK", "1")
    text = re.sub(
        r"MAP\((.*?),(.*?)\)", lambda m: made.replace("AT", m[1]).replace("BASE", m[2]), text
    )
    o = np.zeros((16, 12), np.float32)
    with xgpu.sanitized() as watched:
        launch(text, np.zeros(256, np.uint8), o[:rows], grid=2)
    assert {f.kind for f in watched.findings()} == kinds
    expected = np.zeros((16, 12), np.float32)
    if not kinds:
        expected[3, :8] += 1
        expected[3, 1:9] += 1
        expected[3, 2] += 2 * bool(also)
    if kinds != {"race"}:
        np.testing.assert_array_equal(o, expected)
