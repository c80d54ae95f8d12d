# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in PTX on the host device, written as LLVM, clang, Triton and tinygrad write them."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import f32, f64

import xgpu
from tests.support.kernel_launch import lowered_object
from xgpu.core.ir.errors import DeviceError
from xgpu.frontend.ptx import import_module
from xgpu.frontend.ptx.calls import libdevice_types
from xgpu.frontend.ptx.registers import I32, I64
from xgpu.host_device.compiler.compiler import host_text, to_threads
from xgpu.host_device.compiler.objects import MAGIC
from xgpu.host_device.compiler.specialize import KernelSource
from xgpu.host_device.compiler.strategies import BLOCK_LOOPS
from xgpu.host_device.native.sources import libdevice

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"


def launch(
    text: str, *arguments: Any, block: int = 1, grid: int = 1, shared: int = 0, name: str = "k"
) -> None:
    """Runs the kernel of a module without its header."""
    module = xgpu.load(HEAD + text, device="host", filename="k.ptx")
    module.kernels[name][grid, block, None, shared](*arguments)


def words(count: int) -> Any:
    return np.zeros(count, np.uint32)


def test_a_struct_is_a_parameter() -> None:
    text = """
    .visible .entry k(.param .align 8 .b8 s[16], .param .u64 o){
    .reg .b64 %rd<5>; .reg .b32 %r<5>;
    ld.param.u64 %rd1,[o]; ld.param.u32 %r1,[s+8]; ld.param.u32 %r2,[s];
    add.u32 %r3,%r1,%r2; cvta.to.global.u64 %rd2,%rd1; st.global.u32 [%rd2],%r3; ret;}
    """
    o = words(1)
    launch(text, np.array([5, 6, 7, 8], np.uint32), o)
    assert o[0] == 12


def test_parameters_have_names() -> None:
    text = """
    .visible .entry k(.param .u64 .ptr .align 1 k_param_0, .param .u32 k_param_1,
      .param .u32 k_param_12, .param .u64 out){
    .reg .b32 %r<5>; ld.param.u32 %r1,[k_param_1]; ld.param.u32 %r2,[k_param_12]; ret;}
    """
    module = xgpu.load(HEAD + text, device="host", filename="k.ptx")
    names = re.findall(r"(\w+):", str(module.kernels["k"].parameters))
    assert names == ["k_param0", "k_param1", "k_param12", "out"]


def test_a_parameter_that_is_not_used_takes_anything() -> None:
    text = """
    .visible .entry k(.param .b64 unused, .param .u64 o){
    .reg .b64 %rd<5>; ld.param.u64 %rd1,[o]; st.global.u32 [%rd1],7; ret;}
    """
    for given in (0.75, -3, 1 << 40, np.float64(2), words(4), bytes(8)):
        o = words(1)
        launch(text, given, o)
        assert o[0] == 7


def test_a_function_takes_and_gives_structs() -> None:
    text = """
    .func (.param .align 4 .b8 r[12]) f(.param .b32 a, .param .align 4 .b8 s[8]){
    .reg .b32 %r<9>;
    ld.param.b32 %r1,[a]; ld.param.b32 %r2,[s]; ld.param.b32 %r3,[s+4];
    add.s32 %r4,%r1,%r2; mul.lo.s32 %r5,%r2,%r3; st.param.b32 [r],%r4;
    st.param.b32 [r+4],%r5; st.param.b32 [r+8],%r3; ret;}
    .visible .entry k(.param .u64 o){
    .reg .b64 %rd<5>; .reg .b32 %r<9>;
    ld.param.u64 %rd1,[o]; mov.u32 %r1,%tid.x;
    { // callseq 0
    .reg .b32 temp_param_reg;
    .param .b32 param0; st.param.b32 [param0+0], %r1;
    .param .align 4 .b8 param1[8]; st.param.b32 [param1+0], 10; st.param.b32 [param1+4], 3;
    .param .align 4 .b8 retval0[12];
    call.uni (retval0), f, (param0, param1);
    ld.param.b32 %r2,[retval0+0]; ld.param.b32 %r3,[retval0+4]; ld.param.b32 %r4,[retval0+8];
    }
    mad.wide.u32 %rd2,%r1,12,%rd1; st.u32 [%rd2],%r2; st.u32 [%rd2+4],%r3;
    st.u32 [%rd2+8],%r4; ret;}
    """
    o = words(12)
    launch(text, o, block=4)
    assert o.reshape(4, 3).tolist() == [[10 + i, 30, 3] for i in range(4)]


def test_a_branch_by_a_table() -> None:
    text = """
    .visible .entry k(.param .u64 o){
    .reg .b64 %rd<5>; .reg .b32 %r<9>; .reg .pred %p<3>;
    ld.param.u64 %rd1,[o]; mov.u32 %r1,%tid.x; mul.wide.u32 %rd2,%r1,4; add.s64 %rd3,%rd1,%rd2;
    mov.u32 %r2, 0;
    setp.gt.u32 %p1,%r1,2; @%p1 bra $L_def;
    ts: .branchtargets $L0, $L1, $L2;
    brx.idx %r1, ts;
    $L0: mov.u32 %r2, 100; bra.uni $L_end;
    $L1: mov.u32 %r2, 200; bra.uni $L_end;
    $L2: add.u32 %r2, %r1, 300; bra.uni $L_end;
    $L_def: mov.u32 %r2, 7;
    $L_end: st.u32 [%rd3],%r2; ret;}
    """
    o = words(6)
    launch(text, o, block=6)
    assert o.tolist() == [100, 200, 302, 7, 7, 7]


def test_functions_are_called_through_a_table() -> None:
    text = """
    .func (.param .b32 r) f(.param .b32 a){ .reg .b32 %r<3>; ld.param.b32 %r1,[a];
    add.s32 %r2,%r1,1; st.param.b32 [r],%r2; ret;}
    .func (.param .b32 r) g(.param .b32 a){ .reg .b32 %r<3>; ld.param.b32 %r1,[a];
    mul.lo.s32 %r2,%r1,5; st.param.b32 [r],%r2; ret;}
    .global .align 8 .u64 table[2] = {f, g};
    .visible .entry k(.param .u64 o){
    .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<3>;
    ld.param.u64 %rd1,[o]; mov.u32 %r1,%tid.x; and.b32 %r2,%r1,1; mul.wide.u32 %rd2,%r2,8;
    mov.u64 %rd3,table; add.s64 %rd4,%rd3,%rd2; ld.global.u64 %rd5,[%rd4];
    { .param .b32 p0; st.param.b32 [p0+0],%r1; .param .b32 r0;
    prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);
    call (r0), %rd5, (p0), prototype_0; ld.param.b32 %r3,[r0+0]; }
    mul.wide.u32 %rd6,%r1,4; add.s64 %rd7,%rd1,%rd6; st.u32 [%rd7],%r3; ret;}
    """
    o = words(4)
    launch(text, o, block=4)
    assert o.tolist() == [1, 5, 3, 15]


def test_memory_is_allocated() -> None:
    text = """
    .extern .func (.param .b64 r) malloc(.param .b64 a);
    .extern .func free(.param .b64 a);
    .visible .entry k(.param .u64 o){ .reg .b64 %rd<9>; .reg .b32 %r<9>;
    ld.param.u64 %rd1,[o];
    { .param .b64 p0; st.param.b64 [p0+0],16; .param .b64 r0; call.uni (r0), malloc, (p0);
    ld.param.b64 %rd2,[r0+0]; }
    st.u32 [%rd2+4], 77; ld.u32 %r1,[%rd2+4]; st.u32 [%rd1],%r1;
    { .param .b64 p0; st.param.b64 [p0+0],%rd2; call.uni free, (p0); }
    ret;}
    """
    o = words(1)
    launch(text, o)
    assert o[0] == 77


def test_shared_memory_of_both_kinds() -> None:
    text = """
    .extern .shared .align 16 .b8 dyn[];
    .visible .entry k(.param .u64 o){ .shared .align 4 .b32 st[64]; .reg .b64 %rd<9>;
    .reg .b32 %r<12>;
    ld.param.u64 %rd1,[o]; mov.u32 %r1,%tid.x; shl.b32 %r2,%r1,2; mov.u32 %r3,st;
    add.s32 %r4,%r3,%r2; st.shared.u32 [%r4],%r1; bar.sync 0; xor.b32 %r5,%r2,252;
    add.s32 %r6,%r3,%r5; ld.shared.u32 %r7,[%r6];
    mov.u32 %r8,dyn; add.s32 %r9,%r8,%r2; st.shared.u32 [%r9],%r7; bar.sync 0;
    ld.shared.u32 %r10,[%r9]; mad.wide.u32 %rd2,%r1,4,%rd1; st.global.u32 [%rd2],%r10; ret;}
    """
    o = words(64)
    launch(text, o, block=64, shared=256)
    assert o.tolist() == list(range(63, -1, -1))


def test_a_loop() -> None:
    text = """
    .visible .entry k(.param .u64 a,.param .u64 o,.param .u32 n){ .reg .b64 %rd<9>;
    .reg .b32 %r<12>; .reg .f32 %f<5>; .reg .pred %p<4>;
    ld.param.u64 %rd1,[a]; ld.param.u64 %rd2,[o]; ld.param.u32 %r1,[n];
    cvta.to.global.u64 %rd3,%rd1; mov.u32 %r2,%tid.x; mad.wide.u32 %rd3,%r2,4,%rd3;
    mov.f32 %f1,0f00000000; mov.u32 %r3,0;
    setp.eq.s32 %p1,%r1,0; @%p1 bra $E;
    $B: ld.global.f32 %f2,[%rd3]; add.f32 %f1,%f1,%f2; add.s64 %rd3,%rd3,128;
    add.s32 %r3,%r3,1; setp.lt.s32 %p2,%r3,%r1; @%p2 bra $B;
    $E: cvta.to.global.u64 %rd4,%rd2; mad.wide.u32 %rd5,%r2,4,%rd4;
    st.global.f32 [%rd5],%f1; ret;}
    """
    a = np.arange(128, dtype=np.float32)
    o = np.zeros(32, np.float32)
    launch(text, a, o, 4, block=32)
    assert np.array_equal(o, a.reshape(4, 32).sum(0))


def code_of(text: str, block: tuple[int, int, int]) -> str:
    """The code for blocks of that size, a vector of threads at a time, as LLVM IR."""
    data = lowered_object(import_module(HEAD + text, "k.ptx"))
    start = len(MAGIC) + 8
    end = start + int.from_bytes(data[len(MAGIC) : start], "little")
    source = KernelSource(data[end:].decode(), has_bounds=True)
    module = source.specialized_ir(BLOCK_LOOPS, "k", block, checks=[])
    to_threads(module)
    return host_text(module)


def test_addresses_side_by_side() -> None:
    """What compilers make of `x[i * n + j]`: a shift, an `or` without a flag, an index that begins
    below zero and is compared without a sign."""
    code = code_of(
        """
    .visible .entry k(.param .u64 x, .param .u64 y){
    .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
    ld.param.u64 %rd1,[x]; ld.param.u64 %rd2,[y]; mov.u32 %r1,%tid.x; mov.u32 %r2,%ctaid.x;
    mov.u32 %r3,%ctaid.y; mul.wide.u32 %rd3,%r3,4096; cvt.u64.u32 %rd4,%r2; shl.b64 %rd4,%rd4,8;
    cvt.u64.u32 %rd5,%r1; shl.b64 %rd6,%rd5,2; add.s64 %rd6,%rd4,%rd6; or.b64 %rd3,%rd3,%rd6;
    add.s64 %rd7,%rd1,%rd3; add.s64 %rd8,%rd2,%rd3; add.s64 %rd5,%rd5,-64;
    L: ld.global.u32 %r4,[%rd7]; st.global.u32 [%rd8],%r4; add.s64 %rd7,%rd7,256;
    add.s64 %rd8,%rd8,256; add.s64 %rd5,%rd5,64; setp.lt.u64 %p1,%rd5,192; @%p1 bra L; ret;}
    """,
        (64, 1, 1),
    )
    assert "load <32 x i32>" in code
    assert "masked" not in code


def test_predicated_vectors() -> None:
    text = """
    .visible .entry k(.param .u64 .ptr .global .align 16 a, .param .u64 .ptr .global .align 16 o,
                      .param .u32 n) {
    .reg .b64 %rd<9>;
    .reg .b32 %r<12>; .reg .pred %p<4>;
    ld.param.u64 %rd1,[a]; ld.param.u64 %rd2,[o]; ld.param.u32 %r1,[n]; mov.u32 %r2,%tid.x;
    setp.lt.u32 %p1,%r2,%r1; mul.wide.u32 %rd3,%r2,16; add.s64 %rd4,%rd1,%rd3;
    add.s64 %rd5,%rd2,%rd3;
    mov.u32 %r3,7; mov.u32 %r4,7; mov.u32 %r5,7; mov.u32 %r6,7;
    @%p1 ld.global.v4.b32 {%r3,%r4,%r5,%r6},[%rd4+0]; @!%p1 mov.u32 %r3, 9;
    @%p1 st.global.v4.b32 [%rd5+0],{%r3,%r4,%r5,%r6};
    @!%p1 st.global.v2.b32 [%rd5+0],{%r3,%r6}; ret;}
    """
    o = words(32)
    launch(text, np.arange(32, dtype=np.uint32), o, 5, block=8)
    assert o.tolist() == [*range(20), *[9, 7, 0, 0] * 3]


def test_asynchronous_copies() -> None:
    text = """
    .visible .entry k(.param .u64 a,.param .u64 o){ .shared .align 16 .b8 s[512];
    .reg .b64 %rd<9>; .reg .b32 %r<12>;
    ld.param.u64 %rd1,[a]; ld.param.u64 %rd2,[o]; mov.u32 %r1,%tid.x; shl.b32 %r2,%r1,4;
    mov.u32 %r3,s; add.s32 %r4,%r3,%r2; mul.wide.u32 %rd3,%r1,16; add.s64 %rd4,%rd1,%rd3;
    cvta.to.global.u64 %rd6,%rd4;
    cp.async.cg.shared.global [%r4],[%rd6],16; cp.async.commit_group; cp.async.wait_group 0;
    bar.sync 0;
    xor.b32 %r5,%r2,496; add.s32 %r6,%r3,%r5; ld.shared.v4.b32 {%r7,%r8,%r9,%r10},[%r6];
    add.s64 %rd5,%rd2,%rd3; st.global.v4.b32 [%rd5],{%r7,%r8,%r9,%r10}; ret;}
    """
    a = np.arange(128, dtype=np.uint32)
    o = words(128)
    launch(text, a, o, block=32)
    assert np.array_equal(o.reshape(32, 4), a.reshape(32, 4)[::-1])


def test_an_mbarrier() -> None:
    text = """
    .visible .entry k(.param .u64 o){ .shared .align 8 .b64 bar; .shared .align 4 .b32 v;
    .reg .b64 %rd<9>; .reg .b32 %r<12>; .reg .pred %p<4>;
    ld.param.u64 %rd1,[o]; mov.u32 %r1,%tid.x; mov.u32 %r2,bar; setp.ne.u32 %p1,%r1,0;
    @%p1 bra $I; mbarrier.init.shared::cta.b64 [%r2], 64;
    $I: bar.sync 0; setp.ne.u32 %p2,%r1,5; @!%p2 st.shared.u32 [v], 42;
    mbarrier.arrive.shared::cta.b64 _, [%r2];
    { .reg .pred P1; LAB_WAIT: mbarrier.try_wait.parity.shared::cta.b64 P1, [%r2], 0;
    @P1 bra.uni DONE; bra.uni LAB_WAIT; DONE: }
    ld.shared.u32 %r3,[v]; mad.wide.u32 %rd2,%r1,4,%rd1; st.global.u32 [%rd2],%r3; ret;}
    """
    o = words(64)
    launch(text, o, block=64)
    assert (o == 42).all()


def test_a_tensor_core() -> None:
    text = """
    .visible .entry k(.param .u64 o){ .reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .f32 %f<9>;
    ld.param.u64 %rd1,[o]; mov.u32 %r1,%tid.x; mov.b32 %r2, 0x3c003c00;
    mov.f32 %f1,0f00000000; mov.f32 %f2,%f1; mov.f32 %f3,%f1; mov.f32 %f4,0f3F800000;
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f5,%f6,%f7,%f8},
      {%r2,%r2,%r2,%r2},{%r2,%r2},{%f1,%f2,%f3,%f4};
    mad.wide.u32 %rd2,%r1,16,%rd1; st.global.v4.f32 [%rd2],{%f5,%f6,%f7,%f8}; ret;}
    """
    o = np.zeros(128, np.float32)
    launch(text, o, block=32)
    assert o.reshape(32, 4).tolist() == [[16, 16, 16, 17]] * 32


def test_denormal_halves_are_flushed_by_ftz() -> None:
    text = """
    .visible .entry k(.param .u64 x, .param .u64 o){
    .reg .pred %p<5>; .reg .b64 %rd<5>; .reg .b32 %r<9>; .reg .b16 %h<9>;
    ld.param.u64 %rd1,[x]; ld.param.u64 %rd2,[o]; ld.global.b16 %h1,[%rd1];
    ld.global.b32 %r5,[%rd1];
    mov.b16 %h2,0x8000; mov.b32 %r6,0x80008000;
    setp.eq.f16 %p1,%h1,%h2; selp.u32 %r1,1,0,%p1; st.global.u32 [%rd2],%r1;
    setp.eq.ftz.f16 %p2,%h1,%h2; selp.u32 %r2,1,0,%p2; st.global.u32 [%rd2+4],%r2;
    setp.eq.ftz.f16x2 %p3|%p4,%r5,%r6; selp.u32 %r3,1,0,%p4; st.global.u32 [%rd2+8],%r3;
    add.ftz.f16 %h3,%h1,%h2; cvt.u32.u16 %r4,%h3; st.global.u32 [%rd2+12],%r4;
    add.f16 %h4,%h1,%h2; cvt.u32.u16 %r7,%h4; st.global.u32 [%rd2+16],%r7;
    add.ftz.f16x2 %r8,%r5,%r6; st.global.u32 [%rd2+20],%r8; ret;}
    """
    o = words(6)
    launch(text, np.array([-1e-6, 1e-6], np.float16), o)
    bits = int(np.float16(-1e-6).view(np.uint16))
    assert list(o) == [0, 1, 1, 0x8000, bits, 0x8000]


def test_atomic_operations() -> None:
    text = """
    .visible .entry k(.param .u64 o){ .reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .f32 %f<9>;
    ld.param.u64 %rd1,[o]; cvta.to.global.u64 %rd2,%rd1; mov.u32 %r1,%tid.x;
    atom.global.add.u32 %r2,[%rd2],%r1; red.global.max.s32 [%rd2+4],%r1;
    atom.relaxed.gpu.global.cas.b32 %r3,[%rd2+8],0,%r1; red.add.f32 [%rd1+12],0f3F800000;
    atom.acq_rel.cta.global.exch.b64 %rd4,[%rd2+16],7; ret;}
    """
    o = words(6)
    launch(text, o, block=32)
    assert (o[0], o[1], o[4]) == (496, 31, 7)
    assert o[3:4].view(np.float32)[0] == 32


def test_constants() -> None:
    text = """
    .const .u32 q[2] = {(3<<4)|1, 0x10U/3 + (5>2 ? 7 : 9)};
    .visible .entry k(.param .u64 o){ .reg .b64 %rd<9>; .reg .b32 %r<20>;
    ld.param.u64 %rd1,[o]; ld.const.u32 %r1,[q]; ld.const.u32 %r2,[q+4]; st.u32 [%rd1],%r1;
    st.u32 [%rd1+4],%r2; mov.u32 %r3, 017; st.u32 [%rd1+8],%r3; mov.u32 %r4, 0b101;
    st.u32 [%rd1+12],%r4; mov.u32 %r5, WARP_SZ; st.u32 [%rd1+16],%r5; mov.u32 %r6,-5;
    st.u32 [%rd1+20],%r6; add.u32 %r7, %r6, 2*4+1; st.u32 [%rd1+24],%r7; ret;}
    """
    o = words(7)
    launch(text, o)
    assert o.tolist() == [49, 12, 15, 5, 32, 2**32 - 5, 4]


def test_the_address_of_a_parameter() -> None:
    text = """
    .visible .entry k(.param .align 4 .b8 s[16], .param .u64 o){ .reg .b64 %rd<9>;
    .reg .b32 %r<20>;
    mov.b64 %rd2, s; cvta.param.u64 %rd5,%rd2; ld.param.u64 %rd1,[o]; mov.u32 %r1,%tid.x;
    mul.wide.u32 %rd3,%r1,4; add.s64 %rd4,%rd2,%rd3; ld.param.u32 %r2,[%rd4];
    add.s64 %rd6,%rd1,%rd3; st.u32 [%rd6],%r2; ret;}
    """
    o = words(4)
    launch(text, np.arange(5, 9, dtype=np.uint32).tobytes(), o, block=4)
    assert o.tolist() == [5, 6, 7, 8]


def test_a_function_calls_itself() -> None:
    text = """
    .func (.param .b32 r) fact(.param .b32 a){ .reg .b32 %r<6>; .reg .pred %p;
    ld.param.b32 %r1,[a]; mov.u32 %r4,1; setp.le.s32 %p,%r1,1; @%p bra D; sub.s32 %r2,%r1,1;
    { .param .b32 p0; st.param.b32 [p0],%r2; .param .b32 r0; call (r0), fact, (p0);
    ld.param.b32 %r3,[r0]; } mul.lo.s32 %r4,%r1,%r3; D: st.param.b32 [r],%r4; ret;}
    .visible .entry k(.param .u64 o){ .reg .b64 %rd<9>; .reg .b32 %r<12>;
    ld.param.u64 %rd1,[o]; { .param .b32 p0; st.param.b32 [p0],5; .param .b32 r0;
    call.uni (r0), fact,(p0); ld.param.b32 %r1,[r0]; } st.u32 [%rd1],%r1; ret;}
    """
    o = words(1)
    launch(text, o)
    assert o[0] == 120


def test_variables_with_addresses() -> None:
    text = """
    .global .align 4 .u32 a[4] = {1,2,3,4};
    .global .align 8 .u64 p = generic(a)+8;
    .const .align 4 .f32 c[3] = {0f3F800000, 2.5, 0d4008000000000000};
    .global .align 8 .b8 mixed[16] = {1,2,3,4,0,0,0,0, 0xFF(generic(a)), 0xFF00(generic(a)),
      0xFF0000(generic(a)), 0xFF000000(generic(a)), 0xFF00000000(generic(a)),
      0xFF0000000000(generic(a)), 0xFF000000000000(generic(a)), 0xFF00000000000000(generic(a))};
    .global .b32 m[2][3] = {{1,2,3},{4,5,6}};
    .visible .entry k(.param .u64 o){ .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f32 %f<4>;
    ld.param.u64 %rd1,[o]; ld.global.u64 %rd2,[p]; ld.u32 %r1,[%rd2]; st.u32 [%rd1],%r1;
    ld.const.f32 %f1,[c+4]; st.f32 [%rd1+4],%f1; ld.const.f32 %f2,[c+8];
    st.f32 [%rd1+8],%f2;
    ld.global.u64 %rd3,[mixed+8]; ld.u32 %r2,[%rd3+4]; st.u32 [%rd1+12],%r2;
    ld.global.u8 %r3,[mixed+2]; st.u32 [%rd1+16],%r3; ld.global.u32 %r4,[m+16];
    st.u32 [%rd1+20],%r4; ret;}
    """
    o = words(6)
    launch(text, o)
    assert (o[0], *o[3:]) == (3, 2, 3, 5)
    assert o[1:3].view(np.float32).tolist() == [2.5, 3.0]


def test_a_failed_assertion() -> None:
    text = """
    .extern .func __assertfail(.param .b64 a,.param .b64 b,.param .b32 c,.param .b64 d,
                               .param .b64 e);
    .global .align 1 .b8 $m[6] = {120,32,62,32,48,0};
    .global .align 1 .b8 $f[5]={97,46,99,117,0}; .global .align 1 .b8 $g[2]={107,0};
    .visible .entry k(.param .u64 o){ .reg .b64 %rd<9>; .reg .b32 %r<9>;
    mov.u64 %rd1,$m; cvta.global.u64 %rd2,%rd1; mov.u64 %rd3,$f; cvta.global.u64 %rd4,%rd3;
    mov.u64 %rd5,$g; cvta.global.u64 %rd6,%rd5;
    { .param .b64 p0; st.param.b64 [p0+0],%rd2; .param .b64 p1; st.param.b64 [p1+0],%rd4;
    .param .b32 p2; st.param.b32 [p2+0],12; .param .b64 p3; st.param.b64 [p3+0],%rd6;
    .param .b64 p4; st.param.b64 [p4+0],1;
    call.uni __assertfail,(p0,p1,p2,p3,p4); } ret;}
    """
    with pytest.raises(DeviceError, match=r"a\.cu:12: k: .*Assertion `x > 0` failed"):
        launch(text, words(1))


def test_printf(capfd: pytest.CaptureFixture[str]) -> None:
    text = """
    .extern .func (.param .b32 func_retval0) vprintf(.param .b64 vprintf_param_0,
      .param .b64 vprintf_param_1);
    .global .align 1 .b8 $str[14] = {116,105,100,32,37,100,32,37,102,32,37,115,10,0};
    .global .align 1 .b8 $st2[3] = {104,105,0};
    .visible .entry k(.param .u64 o){
    .local .align 8 .b8 __local_depot0[24]; .reg .b64 %SP; .reg .b64 %SPL; .reg .b64 %rd<9>;
    .reg .b32 %r<9>;
    mov.u64 %SPL, __local_depot0; cvta.local.u64 %SP,%SPL; add.u64 %rd1,%SP,0;
    add.u64 %rd2,%SPL,0;
    mov.u32 %r1,%tid.x; st.local.u32 [%rd2],%r1; mov.u64 %rd6, 0x3FF8000000000000;
    st.local.u64 [%rd2+8],%rd6; mov.u64 %rd7,$st2; cvta.global.u64 %rd8,%rd7;
    st.local.u64 [%rd2+16],%rd8;
    mov.u64 %rd3,$str; cvta.global.u64 %rd4,%rd3;
    { .param .b64 param0; st.param.b64 [param0+0],%rd4; .param .b64 param1;
    st.param.b64 [param1+0],%rd1; .param .b32 retval0;
    call.uni (retval0), vprintf, (param0,param1); ld.param.b32 %r2,[retval0+0]; }
    ret;}
    """
    launch(text, words(1), block=2)
    assert capfd.readouterr().out == "tid 0 1.500000 hi\ntid 1 1.500000 hi\n"


def test_an_alias_is_called() -> None:
    text = """
    .visible .func (.param .b32 r) f(.param .b32 a);
    .func (.param .b32 r) g(.param .b32 b){ .reg .b32 %r<3>; ld.param.b32 %r1,[b];
    mad.lo.s32 %r2,%r1,3,1; st.param.b32 [r],%r2; ret;}
    .alias f, g;
    .visible .entry k(.param .u64 o){ .reg .b64 %rd<5>; .reg .b32 %r<5>;
    ld.param.u64 %rd1,[o]; mov.u32 %r1,%tid.x;
    { .param .b32 p; st.param.b32 [p],%r1; .param .b32 r; call (r), f, (p);
    ld.param.b32 %r2,[r]; }
    { .param .b32 p; st.param.b32 [p],%r2; .param .b32 r; call (r), g, (p);
    ld.param.b32 %r2,[r]; }
    mad.wide.u32 %rd2,%r1,4,%rd1; st.u32 [%rd2],%r2; ret;}
    """
    o = words(3)
    launch(text, o, block=3)
    assert o.tolist() == [4, 13, 22]


def test_stack_memory_is_allocated() -> None:
    text = """
    .visible .entry k(.param .u64 o){ .reg .b64 %rd<9>; .reg .b32 %r<9>;
    ld.param.u64 %rd1,[o]; mov.u32 %r1,%tid.x; stacksave.u64 %rd5;
    alloca.u64 %rd2, 16, 16; alloca.u64 %rd6, 4; cvta.local.u64 %rd3,%rd2;
    st.local.u32 [%rd6],%r1; st.u32 [%rd3+12],%r1; st.local.u32 [%rd2+8],1; bar.sync 0;
    ld.local.u32 %r2,[%rd2+12]; ld.u32 %r3,[%rd3+8]; ld.local.u32 %r4,[%rd6];
    stackrestore.u64 %rd5; add.u32 %r2,%r2,%r3; mad.lo.u32 %r2,%r4,100,%r2;
    mad.wide.u32 %rd4,%r1,4,%rd1; st.u32 [%rd4],%r2; ret;}
    """
    o = words(4)
    launch(text, o, block=4)
    assert o.tolist() == [1, 102, 203, 304]


def test_addresses_of_32_bits() -> None:
    """Of parameters, of local and shared memory, as LLVM writes them with nvptx-short-ptr."""
    text = """
    .visible .entry k(.param .align 8 .b8 s[16], .param .u64 o){ .reg .b64 %rd<9>;
    .reg .b32 %r<12>; .reg .b32 %SP; .reg .pred %p<2>;
    .local .align 8 .b8 depot[16]; .shared .align 4 .b8 sh[64];
    ld.param.u64 %rd1,[o]; mov.u32 %r1,%tid.x;
    mov.b32 %r2,s; setp.eq.u32 %p1,%r1,9; @%p1 bra $L;
    add.s32 %r2,%r2,4;
    $L: cvt.u64.u32 %rd2,%r2; cvta.param.u64 %rd3,%rd2; ld.u32 %r3,[%rd3];
    mov.b32 %SP,depot; add.u32 %r4,%SP,8; st.local.u32 [%r4],%r1;
    cvt.u64.u32 %rd4,%r4; cvta.local.u64 %rd5,%rd4; ld.u32 %r5,[%rd5];
    mov.b32 %r6,sh; shl.b32 %r7,%r1,2; add.u32 %r6,%r6,%r7; cvt.u64.u32 %rd6,%r6;
    cvta.shared.u64 %rd7,%rd6; st.u32 [%rd7],%r5; ld.shared.u32 %r8,[%r6];
    add.u32 %r8,%r8,%r3; mad.wide.u32 %rd8,%r1,4,%rd1; st.u32 [%rd8],%r8; ret;}
    """
    o = words(4)
    launch(text, np.array([50, 60, 70, 80], np.uint32), o, block=4)
    assert o.tolist() == [60, 61, 62, 63]


def test_elements_of_arrays_are_operands() -> None:
    text = """
    .global .u32 x[4] = {3, 5, 7, 9};
    .visible .entry k(.param .u64 o){ .reg .b64 %rd<5>; .reg .b32 %r<5>;
    .shared .align 16 .b8 s[16];
    ld.param.u64 %rd1,[o]; mov.u64 %rd2,x[2]; ld.global.u32 %r1,[%rd2]; ld.global.u32 %r2,x[1];
    mov.u64 %rd3,s[4]; st.shared.u32 [%rd3],%r1; ld.shared.u32 %r3,[s+4];
    add.u32 %r2,%r2,%r3; st.u32 [%rd1],%r2; ret;}
    """
    o = words(1)
    launch(text, o)
    assert o[0] == 12


def test_a_kernel_makes_a_tensor_map() -> None:
    """16 x 8 floats whose rows are 12 floats apart; the box of 4 x 8 begins in row 2."""
    text = """
    .visible .entry k(.param .u64 a, .param .u64 m, .param .u64 o){
    .shared .align 128 .b8 map[128]; .shared .align 128 .b8 tile[128]; .shared .b64 bar;
    .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<3>;
    ld.param.u64 %rd1,[a]; ld.param.u64 %rd2,[m]; ld.param.u64 %rd3,[o]; mov.u32 %r1,%tid.x;
    mov.u64 %rd4,map; setp.ne.u32 %p1,%r1,0; @%p1 bra $L;
    tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%rd4], %rd1;
    tensormap.replace.tile.rank.shared::cta.b1024.b32 [%rd4], 1;
    tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%rd4], 0, 8;
    tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%rd4], 1, 4;
    tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%rd4], 0, 8;
    tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%rd4], 1, 16;
    tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%rd4], 0, 48;
    tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%rd4], 0, 1;
    tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%rd4], 1, 1;
    tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%rd4], 7;
    tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%rd4], 0;
    tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%rd4], 0;
    tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%rd4], 0;
    $L: bar.warp.sync -1;
    tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned
      [%rd2], [%rd4], 128;
    fence.proxy.tensormap::generic.acquire.gpu [%rd2], 128;
    @%p1 bra $M;
    mbarrier.init.shared.b64 [bar], 1; fence.proxy.async.shared::cta;
    mbarrier.arrive.expect_tx.shared.b64 _, [bar], 128;
    cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes
      [tile], [%rd2, {0, 2}], [bar];
    $W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra $W;
    $M: bar.sync 0; mul.wide.u32 %rd5,%r1,4; mov.u64 %rd6,tile; add.s64 %rd6,%rd6,%rd5;
    ld.shared.u32 %r2,[%rd6]; add.s64 %rd7,%rd3,%rd5; st.u32 [%rd7],%r2; ret;}
    """
    a = np.arange(16 * 12, dtype=np.float32).reshape(16, 12)
    o = np.zeros((4, 8), np.float32)
    launch(text, a, np.zeros(128, np.uint8), o, block=32)
    np.testing.assert_array_equal(o, a[2:6, :8])


def test_a_tensor_map_begins_with_zeros() -> None:
    """Which mean one dimension of bytes: Triton leaves out what is 0."""
    text = """
    .visible .entry k(.param .u64 a, .param .u64 m, .param .u64 o){
    .shared .align 128 .b8 tile[128]; .shared .b64 bar;
    .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<3>;
    ld.param.u64 %rd1,[a]; ld.param.u64 %rd2,[m]; ld.param.u64 %rd3,[o]; mov.u32 %r1,%tid.x;
    setp.ne.u32 %p1,%r1,0; @%p1 bra $M;
    tensormap.replace.tile.global_address.global.b1024.b64 [%rd2], %rd1;
    tensormap.replace.tile.box_dim.global.b1024.b32 [%rd2], 0, 32;
    tensormap.replace.tile.global_dim.global.b1024.b32 [%rd2], 0, 64;
    fence.proxy.tensormap::generic.acquire.gpu [%rd2], 128;
    mbarrier.init.shared.b64 [bar], 1; fence.proxy.async.shared::cta;
    mbarrier.arrive.expect_tx.shared.b64 _, [bar], 32;
    cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes
      [tile], [%rd2, {16}], [bar];
    $W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra $W;
    $M: bar.sync 0; cvt.u64.u32 %rd5,%r1; mov.u64 %rd6,tile; add.s64 %rd6,%rd6,%rd5;
    ld.shared.u8 %r2,[%rd6]; add.s64 %rd7,%rd3,%rd5; st.u8 [%rd7],%r2; ret;}
    """
    a, o = np.arange(64, dtype=np.uint8), np.zeros(32, np.uint8)
    launch(text, a, np.zeros(128, np.uint8), o, block=32)
    np.testing.assert_array_equal(o, a[16:48])


@pytest.mark.parametrize("ty", ["s32", "u32", "s64", "u64", "s16", "u16"])
def test_divisions_without_a_result(ty: str) -> None:
    """PTX leaves the value open, and they end no kernel: Triton computes ahead by such divisors."""
    width = int(ty[1:])
    word = np.dtype(f"{'i' if ty[0] == 's' else 'u'}{width // 8}").type
    text = f"""
    .visible .entry k(.param .u64 x, .param .u64 y, .param .u64 q, .param .u64 r){{
    .reg .b64 %rd<9>; .reg .b{width} %r<9>; .reg .b32 %t;
    ld.param.u64 %rd1,[x]; ld.param.u64 %rd2,[y]; ld.param.u64 %rd3,[q]; ld.param.u64 %rd4,[r];
    mov.u32 %t,%tid.x; mul.wide.u32 %rd5,%t,{width // 8};
    add.s64 %rd1,%rd1,%rd5; add.s64 %rd2,%rd2,%rd5; add.s64 %rd3,%rd3,%rd5; add.s64 %rd4,%rd4,%rd5;
    ld.b{width} %r1,[%rd1]; ld.b{width} %r2,[%rd2];
    div.{ty} %r3,%r1,%r2; rem.{ty} %r4,%r1,%r2;
    st.b{width} [%rd3],%r3; st.b{width} [%rd4],%r4; ret;}}
    """
    ends = np.iinfo(word)
    numbers = [0, 1, 7, ends.max, ends.min, ends.max // 3]
    divisors = [0, 1, 3, ends.max, ends.min] + ([-1, -3] if ty[0] == "s" else [])
    x, y = (
        np.array(v, word) for v in zip(*[(a, b) for a in numbers for b in divisors], strict=True)
    )
    quotients, rests = np.zeros((2, len(x)), word)
    launch(text, x, y, quotients, rests, block=len(x))
    for a, b, q, r in zip(*(v.tolist() for v in (x, y, quotients, rests)), strict=True):
        if b == 0:
            assert (q, r) == (-1 if ty[0] == "s" else ends.max, a)
        else:
            exact = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            wrapped = exact if ends.min <= exact <= ends.max else ends.min
            assert (q, r) == (wrapped, a - exact * b)


def test_an_integer_below_a_product() -> None:
    """fma.rm where singles are the integers, as LLVM begins exp with it."""
    text = """
    .visible .entry k(.param .u64 x, .param .u64 o){ .reg .b64 %rd<9>; .reg .b32 %r<9>;
    ld.param.u64 %rd1,[x]; ld.param.u64 %rd2,[o]; mov.u32 %r1,%tid.x; mov.u32 %r6,%ctaid.x;
    mad.lo.u32 %r1,%r6,256,%r1; mul.wide.u32 %rd3,%r1,4; add.s64 %rd4,%rd1,%rd3;
    add.s64 %rd5,%rd2,%rd3; ld.global.f32 %r2,[%rd4]; cvt.sat.f32.f32 %r3,%r2;
    mov.b32 %r4,0f4B400001; mov.b32 %r5,0f437C0000; fma.rm.f32 %r7,%r3,%r5,%r4;
    st.global.f32 [%rd5],%r7; ret;}
    """
    steps = np.arange(253) / np.float64(252)
    near = np.concatenate([np.nextafter(steps.astype(np.float32), np.float32(end))
                           for end in (-1, 2)] + [steps.astype(np.float32)])  # fmt: skip
    odd = np.array([np.nan, -0.0, 1e-45, 1.5, -3, np.inf, -np.inf, 1e-38], np.float32)
    some = np.random.default_rng(5).random(20480 - len(near) - len(odd), np.float32)
    x = np.concatenate([near, odd, some])
    o = np.zeros_like(x)
    launch(text, x, o, block=256, grid=80)
    fraction = np.nan_to_num(np.clip(x.astype(np.float64), 0, 1))
    np.testing.assert_array_equal(o, 12582913 + np.floor(fraction * 252))


@pytest.mark.parametrize(
    ("mask", "base", "offset", "expected"),
    [
        (0xF0, 0, 1, 4), (0xF0, 0, 4, 7), (0xF0, 0, 5, -1), (0xF0, 4, 1, 4), (0xF0, 5, 1, 5),
        (0xF0, 7, -1, 7), (0xF0, 6, -3, 4), (0xF0, 6, -4, -1), (0xF0, 31, -1, 7), (0xF0, 3, -1, -1),
        (0xF0, 5, 0, 5), (0xF0, 3, 0, -1), (0x80000001, 0, 2, 31), (0, 0, 1, -1), (0, 31, 0, -1),
    ],
)  # fmt: skip
def test_the_nth_set_bit(mask: int, base: int, offset: int, expected: int) -> None:
    text = """
    .visible .entry k(.param .u64 o, .param .u32 mask, .param .u32 base, .param .s32 offset){
    .reg .b64 %rd<5>; .reg .b32 %r<5>;
    ld.param.u64 %rd1,[o]; ld.param.u32 %r1,[mask]; ld.param.u32 %r2,[base];
    ld.param.u32 %r3,[offset]; fns.b32 %r4,%r1,%r2,%r3;
    cvta.to.global.u64 %rd2,%rd1; st.global.u32 [%rd2],%r4; ret;}
    """
    out = words(1)
    launch(text, out, mask - (mask >> 31 << 32), base, offset)
    assert out[0] == expected & 0xFFFFFFFF


@pytest.mark.parametrize("amount", ["1", "%r1"])
def test_many_additions_to_a_table(amount: str) -> None:
    """A loop of additions that was unrolled: copies of the table; lanes add alike or not."""
    adds = "".join(
        f"ld.global.u32 %r3,[%rd4+{1024 * i}]; mul.wide.u32 %rd5,%r3,4; add.s64 %rd6,%rd2,%rd5;"
        f"atom.shared.add.u32 %r4,[%rd6],{amount};"
        for i in range(6)
    )
    text = f"""
    .visible .entry k(.param .u64 x, .param .u64 o) .reqntid 256 {{ .reg .b64 %rd<9>;
    .reg .b32 %r<9>; .shared .align 4 .b8 table[256];
    ld.param.u64 %rd1,[x]; ld.param.u64 %rd8,[o]; mov.u32 %r1,%tid.x; mul.wide.u32 %rd3,%r1,4;
    mov.u64 %rd2,table; and.b32 %r5,%r1,63; mul.wide.u32 %rd7,%r5,4; add.s64 %rd6,%rd2,%rd7;
    st.shared.u32 [%rd6],0; bar.sync 0; add.s64 %rd4,%rd1,%rd3; {adds} bar.sync 0;
    add.s64 %rd6,%rd2,%rd7; ld.shared.u32 %r6,[%rd6]; add.s64 %rd8,%rd8,%rd7;
    st.global.u32 [%rd8],%r6; ret;}}
    """
    x = np.random.default_rng(9).integers(0, 64, 6 * 256).astype(np.uint32)
    o = words(64)
    launch(text, x, o, block=256)
    given = np.ones(6 * 256) if amount == "1" else np.tile(np.arange(256), 6)
    np.testing.assert_array_equal(o, np.bincount(x, given, 64))


def test_functions_of_libdevice_that_are_only_declared() -> None:
    """As a clang without NVIDIA's toolkit leaves them: floats are bits."""
    text = """
    .extern .func (.param .b32 r) __nv_expf (.param .b32 x);
    .extern .func (.param .b64 r) __nv_atan2 (.param .b64 x, .param .b64 y);
    .extern .func (.param .b32 r) __nv_ldexpf (.param .b32 x, .param .b32 n);
    .extern .func __nv_sincosf (.param .b32 x, .param .b64 s, .param .b64 c);
    .extern .func (.param .b32 r) __nv_float2int_rz (.param .b32 x);
    .extern .func (.param .b32 r) __nv_popc (.param .b32 x);
    .visible .entry k(.param .u64 p, .param .u64 q){
    .reg .b32 %r<20>; .reg .b64 %rd<20>; .local .align 4 .b8 mem[8];
    ld.param.u64 %rd1,[p]; ld.param.u64 %rd2,[q]; mov.u32 %r1,%tid.x;
    mul.wide.u32 %rd3,%r1,4; mul.wide.u32 %rd4,%r1,8;
    add.s64 %rd1,%rd1,%rd3; add.s64 %rd2,%rd2,%rd4;
    ld.global.b32 %r2,[%rd1]; ld.global.b64 %rd5,[%rd2];
    { .param .b32 a; st.param.b32 [a],%r2; .param .b32 b; call.uni (b), __nv_expf, (a);
      ld.param.b32 %r3,[b]; }
    { .param .b32 a; st.param.b32 [a],%r3; .param .b32 n; st.param.b32 [n],3; .param .b32 b;
      call.uni (b), __nv_ldexpf, (a,n); ld.param.b32 %r4,[b]; }
    mov.u64 %rd7,mem; cvta.local.u64 %rd8,%rd7; add.s64 %rd9,%rd8,4;
    { .param .b32 a; st.param.b32 [a],%r2; .param .b64 s; st.param.b64 [s],%rd8; .param .b64 c;
      st.param.b64 [c],%rd9; call.uni __nv_sincosf, (a,s,c); }
    ld.local.b32 %r5,[mem]; ld.local.b32 %r6,[mem+4];
    add.f32 %r7,%r4,%r5; add.f32 %r7,%r7,%r6;
    { .param .b32 a; st.param.b32 [a],%r2; .param .b32 b; call.uni (b), __nv_float2int_rz, (a);
      ld.param.b32 %r8,[b]; }
    cvt.rn.f32.s32 %r9,%r8; add.f32 %r7,%r7,%r9;
    { .param .b32 a; st.param.b32 [a],%r1; .param .b32 b; call.uni (b), __nv_popc, (a);
      ld.param.b32 %r10,[b]; }
    cvt.rn.f32.s32 %r11,%r10; add.f32 %r7,%r7,%r11; st.global.b32 [%rd1],%r7;
    { .param .b64 a; st.param.b64 [a],%rd5; .param .b64 c; st.param.b64 [c],0d3FF0000000000000;
      .param .b64 b; call.uni (b), __nv_atan2, (a,c); ld.param.b64 %rd6,[b]; }
    st.global.b64 [%rd2],%rd6; ret;}
    """
    x, y = np.linspace(-3, 3, 32).astype(np.float32), np.linspace(-2, 2, 32)
    p, q = x.copy(), y.copy()
    launch(text, p, q, block=32)
    ones = [n.bit_count() for n in range(32)]
    wanted = np.ldexp(np.exp(x), 3) + np.sin(x) + np.cos(x) + np.trunc(x) + ones
    np.testing.assert_allclose(p, wanted, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(q, np.arctan(y), rtol=1e-14)


def test_types_of_libdevice_are_those_of_the_native_library() -> None:
    letters = {"f32": f32, "f64": f64, "i32": I32, "i64": I64, "None": None}
    source = inspect.getsource(libdevice)
    found = re.findall(r"^def xgpu_nv_(\w+)\((.*)\) -> (\w+):", source, re.MULTILINE)
    assert len(found) > 70
    for name, arguments, result in found:
        given = [letters.get(a.split(": ")[1], I64) for a in arguments.split(", ")]
        wanted = (tuple(given), letters[result])
        assert libdevice_types(f"__nv_{name}") in (wanted, None), name
        assert {f32, f64}.isdisjoint({*given, letters[result]}) or libdevice_types(f"__nv_{name}")


def test_accesses_of_128_bits_and_of_vectors() -> None:
    """Also a fill with zeros, in shared memory."""
    text = """
    .shared .align 16 .b8 s[512];
    .visible .entry k(.param .u64 .ptr .global .align 16 o, .param .u64 .ptr .global .align 16 f){
    .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .b128 %q<4>; .reg .f32 %f<9>; .reg .pred %p<2>;
    ld.param.u64 %rd1,[o]; ld.param.u64 %rd6,[f]; mov.u32 %r1,%tid.x;
    mul.wide.u32 %rd2,%r1,16; mov.u64 %rd3,s; add.u64 %rd4,%rd3,%rd2; add.u64 %rd5,%rd1,%rd2;
    ld.global.b128 %q1,[%rd5]; st.shared.b128 [%rd4],%q1; bar.sync 0;
    setp.ne.u32 %p1,%r1,0; @%p1 bra DONE; st.bulk.weak.shared::cta [%rd3+16], 48, 0; DONE:
    bar.sync 0; ld.shared.b128 %q2,[%rd4]; st.relaxed.gpu.global.b128 [%rd5],%q2;
    red.global.add.v4.f32 [%rd6],{0f3F800000,0f40000000,0f3F000000,0f00000000};
    atom.global.v2.f32.add {%f1,_},[%rd6+16],{0f3F800000,0f40000000}; ret;}
    """
    o, floats = words(32), np.zeros(8, np.float32)
    o[:] = np.arange(1, 33)
    launch(text, o, floats, block=8)
    assert o.tolist() == [1, 2, 3, 4, *[0] * 12, *range(17, 33)]
    assert floats.tolist() == [8, 16, 4, 0, 8, 16, 0, 0]


@pytest.mark.parametrize("blocks", [1, 2])
def test_no_block_is_given_up(blocks: int) -> None:
    """The answer to a request comes through an mbarrier, to each block of the cluster if asked."""
    to_all = ".multicast::cluster::all" if blocks == 2 else ""
    text = f"""
    .shared .align 16 .b8 answer[16]; .shared .align 8 .b64 bar;
    .visible .entry k(.param .u64 .ptr .global .align 4 o) .reqntid 1 .reqnctapercluster {blocks} {{
    .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .b128 %q<4>; .reg .pred %p<3>;
    ld.param.u64 %rd1,[o]; mov.u32 %r1,%ctaid.x; mul.wide.u32 %rd2,%r1,4; add.u64 %rd1,%rd1,%rd2;
    mov.u32 %r2,answer; mov.u32 %r3,bar; mov.b128 %q1,{{%rd1,%rd1}}; st.shared.b128 [%r2],%q1;
    mbarrier.init.shared.b64 [%r3],1;
    mbarrier.arrive.expect_tx.shared.b64 %rd3,[%r3],16;
    barrier.cluster.arrive; barrier.cluster.wait;
    setp.ne.u32 %p1,%r1,0; @%p1 bra WAIT;
    clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes{to_all}.b128
      [%r2],[%r3];
    WAIT: mbarrier.try_wait.parity.shared.b64 %p2,[%r3],0; @!%p2 bra WAIT;
    ld.shared.b128 %q2,[%r2];
    clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2,%q2;
    selp.u32 %r4,2,1,%p2; st.global.u32 [%rd1],%r4; ret;}}
    """
    o = words(2)
    launch(text, o, grid=blocks)
    assert o.tolist() == [1] * blocks + [0] * (2 - blocks)


@pytest.mark.parametrize("clusters", [1, 2])
def test_whether_there_are_clusters(clusters: int) -> None:
    text = f"""
    .visible .entry k(.param .u64 .ptr .global .align 4 o) .reqntid 1
      .reqnctapercluster {clusters} {{
    .reg .b64 %rd<3>; .reg .b32 %r<3>; .reg .pred %p<3>;
    ld.param.u64 %rd1,[o]; mov.u32 %r1,%ctaid.x; mad.wide.u32 %rd1,%r1,4,%rd1;
    mov.pred %p1,%is_explicit_cluster; selp.u32 %r2,2,1,%p1; st.global.u32 [%rd1],%r2; ret;}}
    """
    o = words(2)
    launch(text, o, grid=2)
    assert o.tolist() == [clusters] * 2


def test_a_register_that_was_never_written_has_some_bits() -> None:
    """Its bytes are not those that are chosen, as LLVM writes bytes side by side."""
    text = """
    .visible .entry k(.param .u64 .ptr .global .align 4 o){
    .reg .b64 %rd<3>; .reg .b32 %r<9>;
    ld.param.u64 %rd1,[o]; ld.global.u32 %r1,[%rd1];
    prmt.b32 %r2,%r7,%r8,0x3340U; prmt.b32 %r3,%r1,%r2,0x5410U; prmt.b32 %r4,%r3,%r3,0x1010U;
    and.b32 %r5,%r6,0; or.b32 %r5,%r5,%r1;
    st.global.u32 [%rd1],%r4; st.global.u32 [%rd1+4],%r5; ret;}
    """
    o = words(2)
    o[0] = 0x12345678
    launch(text, o)
    assert o.tolist() == [0x56785678, 0x12345678]
