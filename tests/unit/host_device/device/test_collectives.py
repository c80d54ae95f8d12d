# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions, shuffles, votes and their masks in LLVM IR, run on the host device."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.kernel_text import HEAD, TID, store
from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.device.modules import KernelStrategies


def test_barrier_reduction(kernels):
    k = kernels(
        HEAD
        + f"""
define ptx_kernel void @count(ptr %out) {{
  {TID}
  %p = icmp ult i32 %t, 11
  %v = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %p)
  {store("%v")}"""
    )
    out = np.zeros(40, np.int32)
    k.run("count", 1, 40, out)
    assert (out == 11).all()


def test_shuffles_votes_and_reductions(kernels):
    k = kernels(
        HEAD
        + f"""
define ptx_kernel void @idx(ptr %out) {{
  {TID}
  %v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %t, i32 7, i32 31)
  {store("%v")}
define ptx_kernel void @down(ptr %out) {{
  {TID}
  %pair = call {{ i32, i1 }} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %t, i32 4, i32 31)
  %r = extractvalue {{ i32, i1 }} %pair, 0
  %p = extractvalue {{ i32, i1 }} %pair, 1
  %v = select i1 %p, i32 %r, i32 -1
  {store("%v")}
define ptx_kernel void @ballot(ptr %out) {{
  {TID}
  %p = icmp slt i32 %t, 5
  %v = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %p)
  {store("%v")}
define ptx_kernel void @match(ptr %out) {{
  {TID}
  %key = and i32 %t, 3
  %v = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %key)
  {store("%v")}
define ptx_kernel void @redux(ptr %out) {{
  {TID}
  %v = call i32 @llvm.nvvm.redux.sync.umax(i32 %t, i32 -1)
  {store("%v")}"""
    )
    out = np.zeros(64, np.int32)
    lanes = np.arange(64)
    k.run("idx", 1, 64, out)
    np.testing.assert_array_equal(out, lanes // 32 * 32 + 7)
    k.run("down", 1, 64, out)
    np.testing.assert_array_equal(out, np.where(lanes % 32 < 28, lanes + 4, -1))
    k.run("ballot", 1, 64, out)
    np.testing.assert_array_equal(out, np.where(lanes < 32, 31, 0))
    k.run("match", 1, 64, out)
    np.testing.assert_array_equal(out.view(np.uint32), 0x11111111 << (lanes & 3))
    k.run("redux", 1, 64, out)
    np.testing.assert_array_equal(out, lanes // 32 * 32 + 31)


def test_partial_warp_and_subset_masks(kernels):
    """Lanes that do not exist count as exited; two halves of a warp meet apart from one another."""
    k = kernels(
        HEAD
        + f"""
define ptx_kernel void @halves(ptr %out) {{
  {TID}
  %low = icmp ult i32 %t, 8
  br i1 %low, label %a, label %b
a:
  %x = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 255, i32 %t, i32 3, i32 31)
  br label %end
b:
  %y = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -256, i32 %t, i32 12, i32 31)
  br label %end
end:
  %v = phi i32 [ %x, %a ], [ %y, %b ]
  {store("%v")}"""
    )
    out = np.zeros(20, np.int32)
    k.run("halves", 1, 20, out)
    np.testing.assert_array_equal(out, np.where(np.arange(20) < 8, 3, 12))


def test_a_mask_without_the_own_lane_is_said(kernels):
    """Of threads by themselves, each of which says what it does."""
    k = kernels(
        HEAD
        + f"""
define ptx_kernel void @masks(ptr %out) {{
  {TID}
  %v = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 255, i32 %t, i32 1, i32 31)
  {store("%v")}""",
        strategies=KernelStrategies("threads"),
    )
    message = (
        r"kernel 'masks': block \(0, 0, 0\): thread \(8, 0, 0\) is lane 8 of its warp and executes "
        r"shfl_bfly with mask 0x000000ff, which does not name that lane: what that gives is "
        r"undefined$"
    )
    with pytest.raises(DeviceError, match=message):
        k.run("masks", 1, 32, np.zeros(32, np.int32))


def test_mismatched_masks_are_a_deadlock(kernels):
    """Of threads by themselves, each of which says what it does."""
    k = kernels(
        HEAD
        + f"""
define ptx_kernel void @masks(ptr %out) {{
  {TID}
  %low = icmp ult i32 %t, 16
  %mask = select i1 %low, i32 -1, i32 -32768
  %v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %mask, i32 %t, i32 0, i32 31)
  {store("%v")}""",
        strategies=KernelStrategies("threads"),
    )
    with pytest.raises(DeviceError, match=r"at shfl_idx with mask 0xffffffff, of warp 0"):
        k.run("masks", 1, 32, np.zeros(32, np.int32))


@pytest.mark.parametrize("strategy", ["warps", "threads"])
def test_groups_of_a_warp_with_masks_of_their_own(kernels, strategy):
    """Lanes with the same remainder by three are a group; each gets what its group says."""
    calls = {
        "ballot": "call i32 @llvm.nvvm.vote.ballot.sync(i32 %m, i1 %p)",
        "any": "zext i1 %any to i32", "all": "zext i1 %all to i32", "uni": "zext i1 %uni to i32",
        "add": "call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 %m)",
        "least": "call i32 @llvm.nvvm.redux.sync.umin(i32 %t, i32 %m)",
        "match": "call i32 @llvm.nvvm.match.any.sync.i32(i32 %m, i32 %quarter)",
        "same": "extractvalue { i32, i1 } %same, 0",
    }  # fmt: skip
    stores = "\n".join(
        f"  %v{i} = {made}\n  %o{i} = getelementptr i32, ptr %out, i32 {32 * i}\n"
        f"  %a{i} = getelementptr i32, ptr %o{i}, i32 %t\n  store i32 %v{i}, ptr %a{i}"
        for i, made in enumerate(calls.values())
    )
    k = kernels(
        HEAD
        + f"""
define ptx_kernel void @groups(ptr %out) {{
  {TID}
  %group = urem i32 %t, 3
  %m = shl i32 1227133513, %group
  %rest = lshr i32 %t, 2
  %quarter = and i32 %rest, 1
  %p = icmp ult i32 %t, 4
  %any = call i1 @llvm.nvvm.vote.any.sync(i32 %m, i1 %p)
  %one = icmp eq i32 %group, 1
  %all = call i1 @llvm.nvvm.vote.all.sync(i32 %m, i1 %one)
  %five = icmp ult i32 %t, 2
  %uni = call i1 @llvm.nvvm.vote.uni.sync(i32 %m, i1 %five)
  %kind = icmp ult i32 %t, 6
  %few = select i1 %kind, i32 %group, i32 0
  %same = call {{ i32, i1 }} @llvm.nvvm.match.all.sync.i32p(i32 %m, i32 %few)
{stores}
  ret void
}}""",
        strategies=KernelStrategies(strategy),
    )
    out = np.zeros((len(calls), 32), np.int32)
    k.run("groups", 1, 32, out)
    lanes = range(32)
    groups = [[j for j in lanes if j % 3 == i % 3] for i in lanes]

    def bits(chosen):
        return np.uint32(sum(1 << j for j in chosen)).view(np.int32)

    expected = {
        "ballot": [bits(j for j in g if j < 4) for g in groups],
        "any": [1] * 32, "all": [int(i % 3 == 1) for i in lanes],
        "uni": [int(i % 3 == 2) for i in lanes], "add": [sum(g) for g in groups],
        "least": [g[0] for g in groups],
        "match": [bits(j for j in g if j // 4 % 2 == i // 4 % 2) for i, g in enumerate(groups)],
        "same": [bits(g) if i % 3 == 0 else 0 for i, g in enumerate(groups)],
    }  # fmt: skip
    for name, found in zip(calls, out, strict=True):
        assert list(found) == expected[name], name
