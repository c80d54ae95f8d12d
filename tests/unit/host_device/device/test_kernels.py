# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in LLVM IR, run on the host device."""

from __future__ import annotations

import ctypes
import io
import random
import sys

import numpy as np
import pytest

from tests.support.kernel_text import GLOBAL_ID, HEAD, TID, store
from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.compiler.compiler import compile_llvm
from xgpu.host_device.device.modules import HostModule
from xgpu.host_device.device.reports import format_printf


@pytest.mark.parametrize("opt_level", [0, 2])
def test_grid_covers_every_element(kernels, opt_level):
    k = kernels(
        HEAD
        + f"""
define ptx_kernel void @fill(ptr %out, float %x) {{
  {GLOBAL_ID}
  %f = sitofp i32 %i to float
  %v = fmul float %f, %x
  %at = getelementptr float, ptr %out, i32 %i
  store float %v, ptr %at
  ret void
}}""",
        opt_level,
    )
    out = np.zeros(1000 * 32, np.float32)
    k.run("fill", 1000, 32, out, 0.5)
    np.testing.assert_array_equal(out, np.arange(out.size) * np.float32(0.5))


@pytest.mark.parametrize("opt_level", [0, 2])
def test_barrier_orders_workgroup_memory(kernels, opt_level):
    """Each thread reads what another wrote before the barrier; twice, in a loop."""
    k = kernels(
        HEAD
        + f"""
@buffer = internal addrspace(3) global [64 x i32] undef, align 4
define ptx_kernel void @rotate(ptr %out) {{
entry:
  {TID}
  %mine = getelementptr [64 x i32], ptr addrspace(3) @buffer, i32 0, i32 %t
  %next.t = add i32 %t, 1
  %wrapped = urem i32 %next.t, 64
  %next = getelementptr [64 x i32], ptr addrspace(3) @buffer, i32 0, i32 %wrapped
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %v = phi i32 [ %t, %entry ], [ %read, %loop ]
  store i32 %v, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %read = load i32, ptr addrspace(3) %next
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %k.next = add i32 %k, 1
  %more = icmp slt i32 %k.next, 10
  br i1 %more, label %loop, label %done
done:
  {store("%read")}""",
        opt_level,
    )
    out = np.zeros(64, np.int32)
    k.run("rotate", 3, 64, out)
    np.testing.assert_array_equal(out, (np.arange(64) + 10) % 64)


def test_a_barrier_goes_on_without_threads_that_have_exited(kernels, capfd):
    k = kernels(
        HEAD
        + f"""
define ptx_kernel void @leave(ptr %out) {{
  {TID}
  %odd = icmp eq i32 %t, 5
  br i1 %odd, label %out.of.it, label %wait
wait:
  %at = getelementptr i32, ptr %out, i32 %t
  store i32 3, ptr %at
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %out.of.it
out.of.it:
  ret void
}}"""
    )
    out = np.zeros(8, np.int32)
    k.run("leave", 2, 8, out)
    assert out.tolist() == [3, 3, 3, 3, 3, 0, 3, 3]
    assert capfd.readouterr().err == (
        "warning: kernel 'leave': barrier 0 goes on without threads that have exited, as on GPUs; "
        "PTX leaves that undefined\n"
    )


def test_missing_threads_are_an_exact_deadlock(kernels):
    k = kernels(
        HEAD
        + f"""
define ptx_kernel void @stuck(ptr %out) {{
  {TID}
  %five = icmp eq i32 %t, 5
  br i1 %five, label %other, label %wait
wait:
  %six = icmp eq i32 %t, 6
  br i1 %six, label %out.of.it, label %first
first:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %out.of.it
other:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)
  br label %out.of.it
out.of.it:
  ret void
}}"""
    )
    with pytest.raises(DeviceError) as caught:
        k.run("stuck", 1, 8, np.zeros(8, np.int32))
    text = str(caught.value)
    assert "kernel 'stuck': deadlock in block (0, 0, 0): 7 of 8 threads wait for ever" in text
    assert "6 threads wait at barrier 0 (6 of 8 threads are there): (0, 0, 0), (1, 0, 0)" in text
    assert "1 thread waits at barrier 1 (1 of 8 threads are there): (5, 0, 0)" in text
    assert "1 thread has exited" in text


def test_barrier_with_count_lets_a_part_of_the_block_pass(kernels):
    k = kernels(
        HEAD
        + f"""
define ptx_kernel void @half(ptr %out) {{
  {TID}
  %low = icmp ult i32 %t, 32
  br i1 %low, label %wait, label %rest
wait:
  call void @llvm.nvvm.barrier.cta.sync.count(i32 3, i32 32)
  br label %rest
rest:
  {store("%t")}"""
    )
    out = np.zeros(64, np.int32)
    k.run("half", 1, 64, out)
    np.testing.assert_array_equal(out, np.arange(64))


def test_atomics_from_many_blocks(kernels):
    k = kernels(
        HEAD
        + f"""
define ptx_kernel void @add(ptr %out) {{
  {GLOBAL_ID}
  %old = atomicrmw add ptr %out, i32 1 syncscope("device") monotonic
  %second = getelementptr float, ptr %out, i32 1
  %old.f = atomicrmw fadd ptr %second, float 1.0 seq_cst
  ret void
}}"""
    )
    out = np.zeros(2, np.int32)
    k.run("add", 500, 64, out)
    assert out[0] == 500 * 64
    assert out.view(np.float32)[1] == 500 * 64


def test_dynamic_workgroup_memory(kernels):
    k = kernels(
        HEAD
        + f"""
@fixed = internal addrspace(3) global [4 x i32] undef, align 16
@dynamic = external addrspace(3) global [0 x i8], align 16
define ptx_kernel void @reverse(ptr %out) {{
  {TID}
  %mine = getelementptr i32, ptr addrspace(3) @dynamic, i32 %t
  store i32 %t, ptr addrspace(3) %mine
  store i32 -1, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @fixed, i64 4)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %r = sub i32 63, %t
  %other = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @dynamic to ptr), i32 %r
  %v = load i32, ptr %other
  {store("%v")}"""
    )
    out = np.zeros(64, np.int32)
    k.run("reverse", 1, 64, out, shared=256)
    np.testing.assert_array_equal(out, 63 - np.arange(64))


def test_shared_variable_inside_an_aggregate_constant(kernels):
    k = kernels(
        HEAD
        + f"""
@buffer = internal addrspace(3) global [8 x i32] undef, align 4
define ptx_kernel void @aggregate(ptr %out) {{
  {TID}
  %slot = alloca {{ ptr addrspace(3), i64 }}
  store {{ ptr addrspace(3), i64 }} {{ ptr addrspace(3) @buffer, i64 7 }}, ptr %slot
  %p = load ptr addrspace(3), ptr %slot
  %same = icmp eq ptr addrspace(3) %p, @buffer
  %v = zext i1 %same to i32
  {store("%v")}"""
    )
    out = np.zeros(8, np.int32)
    k.run("aggregate", 1, 8, out)
    assert (out == 1).all()


def test_device_functions_that_wait_are_inlined(kernels):
    k = kernels(
        HEAD
        + f"""
@buffer = internal addrspace(3) global [32 x i32] undef, align 4
define internal i32 @exchange(i32 %v, i32 %from) {{
  {TID}
  %mine = getelementptr i32, ptr addrspace(3) @buffer, i32 %t
  store i32 %v, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = getelementptr i32, ptr addrspace(3) @buffer, i32 %from
  %r = load i32, ptr addrspace(3) %other
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret i32 %r
}}
define ptx_kernel void @twice(ptr %out) {{
  {TID}
  %from = xor i32 %t, 1
  %a = call i32 @exchange(i32 %t, i32 %from)
  %b = mul i32 %a, 10
  %v = call i32 @exchange(i32 %b, i32 %from)
  {store("%v")}"""
    )
    out = np.zeros(32, np.int32)
    k.run("twice", 1, 32, out)
    np.testing.assert_array_equal(out, np.arange(32) * 10)


def test_device_function_that_does_not_wait(kernels):
    k = kernels(
        HEAD
        + f"""
define internal i32 @lane(i32 %x) noinline {{
  {TID}
  %v = add i32 %t, %x
  ret i32 %v
}}
define ptx_kernel void @call(ptr %out) {{
  {TID}
  %v = call i32 @lane(i32 100)
  {store("%v")}"""
    )
    out = np.zeros(16, np.int32)
    k.run("call", 1, 16, out)
    np.testing.assert_array_equal(out, np.arange(16) + 100)


def test_mbarrier_releases_waiting_threads(kernels):
    k = kernels(
        HEAD
        + f"""
@bar = internal addrspace(3) global i64 undef, align 8
@data = internal addrspace(3) global i32 undef, align 4
define ptx_kernel void @wait(ptr %out) {{
  {TID}
  %first = icmp eq i32 %t, 0
  br i1 %first, label %init, label %go
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  br label %go
go:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %last = icmp eq i32 %t, 9
  br i1 %last, label %produce, label %consume
produce:
  store i32 77, ptr addrspace(3) @data
  %state = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  br label %consume
consume:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(
      ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %end, label %consume
end:
  %v = load i32, ptr addrspace(3) @data
  {store("%v")}"""
    )
    out = np.zeros(10, np.int32)
    k.run("wait", 1, 10, out)
    assert (out == 77).all()


def test_exit_ends_one_thread(kernels):
    k = kernels(
        HEAD
        + f"""
define ptx_kernel void @leave(ptr %out) {{
  {TID}
  %low = icmp ult i32 %t, 4
  br i1 %low, label %gone, label %stay
gone:
  call void @llvm.nvvm.exit()
  br label %stay
stay:
  %v = phi i32 [ 1, %0 ], [ 2, %gone ]
  {store("%v")}"""
    )
    out = np.zeros(8, np.int32)
    k.run("leave", 1, 8, out)
    np.testing.assert_array_equal(out, [0, 0, 0, 0, 1, 1, 1, 1])


def test_printf(kernels):
    k = kernels(
        HEAD
        + f"""
@format = internal constant [22 x i8] c"t %d %5.2f %s %c%%\\0A\\00\\00\\00"
@word = internal constant [4 x i8] c"abc\\00"
define ptx_kernel void @say(ptr %out) {{
  {TID}
  %args = alloca {{ i32, double, ptr, i32 }}, align 8
  store i32 %t, ptr %args
  %a1 = getelementptr {{ i32, double, ptr, i32 }}, ptr %args, i32 0, i32 1
  store double 1.5, ptr %a1
  %a2 = getelementptr {{ i32, double, ptr, i32 }}, ptr %args, i32 0, i32 2
  store ptr @word, ptr %a2
  %a3 = getelementptr {{ i32, double, ptr, i32 }}, ptr %args, i32 0, i32 3
  store i32 33, ptr %a3
  %n = call i32 @vprintf(ptr @format, ptr %args)
  {store("%n")}"""
    )
    printed: list[str] = []
    k.session.output = printed.append
    out = np.zeros(2, np.int32)
    k.run("say", 1, 2, out)
    assert "".join(printed) == "t 0  1.50 abc !%\nt 1  1.50 abc !%\n"
    assert (out == 4).all()


def _printed(text: bytes, values: list[ctypes._SimpleCData]) -> tuple[bytes, bytes]:
    """What a kernel's printf and C's write of `values`."""
    packed = bytearray()
    for value in values:
        packed += bytes(-len(packed) % ctypes.sizeof(value)) + bytes(value)
    buffer = ctypes.create_string_buffer(bytes(packed) + b"\0", len(packed) + 1)
    held = ctypes.create_string_buffer(text)
    ours, count = format_printf(ctypes.addressof(held), ctypes.addressof(buffer))
    assert count == len(values)
    wanted = ctypes.create_string_buffer(4096)
    snprintf = ctypes.CDLL(None).snprintf
    snprintf.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p]
    snprintf(wanted, 4096, text, *values)
    return ours.encode(), wanted.value


def test_printf_writes_what_c_writes():
    i, d = ctypes.c_int32, ctypes.c_double
    ours, wanted = _printed(
        b"%#o|%#x|%+u|%+x|%.0d|%hhd|%hd|%05f|%.3a|%A|%p|%-*d|%.*f|%.d|%c",
        [
            *(i(n) for n in (8, 0, 5, 17, 0, 300, 70000)),
            *(d(n) for n in (np.inf, 1.5, 0.1)),
            *(ctypes.c_void_p(None), i(-4), i(7), i(-1), d(0.5), i(0), i(65)),
        ],
    )
    assert ours == wanted
    assert ours == (
        b"010|0|5|11||44|4464|  inf|0x1.800p+0|0X1.999999999999AP-4|(nil)|7   |0.500000||A"
    )
    word = ctypes.create_string_buffer(b"abcdef")
    generator = random.Random(1)
    for _ in range(400):  # glibc pads by zeros behind the number for `%0*d` and a width below zero
        text, values = b"", []
        for _ in range(4):
            kind = generator.choice("diouxXeEfFgGaAcsp")
            length = generator.choice(["", "h", "hh", "l", "ll", "z"]) if kind in "diouxX" else ""
            width, precision = (generator.choice(["", "*", "9", "30"]) for _ in range(2))
            values += [i(generator.randrange(30))] if width == "*" else []
            values += [i(generator.randrange(-30, 30))] if precision == "*" else []
            flags = "".join(generator.sample("-+ #0", generator.randrange(3)))
            text += f" %{flags}{width}{'.' * bool(precision)}{precision}{length}{kind}".encode()
            number = generator.choice([0, 1, -1, generator.getrandbits(64)])
            if kind in "eEfFgGaA":
                values.append(d(generator.choice([0.0, np.nan, -np.inf, 1e300, number / 7])))
            elif kind in "sp":
                values.append(ctypes.c_void_p(ctypes.addressof(word)))
            elif kind == "c":
                values.append(i(65 + number % 26))
            else:
                values.append((ctypes.c_int64 if length in ("l", "ll", "z") else i)(number))
        ours, wanted = _printed(text, values)
        assert ours == wanted, text


def test_failed_assertion_names_the_thread(kernels, monkeypatch):
    k = kernels(
        HEAD
        + f"""
@message = internal constant [5 x i8] c"oops\\00"
@file = internal constant [7 x i8] c"a.mlir\\00"
@func = internal constant [2 x i8] c"f\\00"
define ptx_kernel void @check(ptr %out) {{
  {TID}
  %bad = icmp eq i32 %t, 3
  br i1 %bad, label %fail, label %fine
fail:
  call void @__assertfail(ptr @message, ptr @file, i32 42, ptr @func, i64 1)
  br label %fine
fine:
  {store("%t")}"""
    )
    out = np.full(8, -1, np.int32)
    writes: list[str] = []
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.setattr(sys.stderr, "write", writes.append)
    with pytest.raises(DeviceError, match="kernel 'check': device-side assert triggered"):
        k.run("check", 1, 8, out)
    # In one write, between which nothing of another block comes.
    expected = "a.mlir:42: f: block: [0,0,0], thread: [3,0,0] Assertion `oops` failed.\n"
    assert [text for text in writes if text] == [expected]
    assert out[3] == -1


def test_illegal_address_is_an_error_not_a_crash(kernels):
    k = kernels(
        HEAD
        + """
define ptx_kernel void @bad(ptr %out) {
  store volatile i32 1, ptr inttoptr (i64 64 to ptr)
  ret void
}"""
    )
    message = r"kernel 'bad': illegal memory access in block \(0, 0, 0\)"
    with pytest.raises(DeviceError, match=message):
        k.run("bad", 1, 1, np.zeros(1, np.int32))


def test_libdevice_and_approximations(kernels):
    k = kernels(
        HEAD
        + f"""
define ptx_kernel void @math(ptr %out) {{
  {TID}
  %f = sitofp i32 %t to float
  %e = call float @__nv_expf(float %f)
  %v = call float @llvm.nvvm.sqrt.approx.f(float %e)
  {store("%v", "float")}"""
    )
    out = np.zeros(8, np.float32)
    k.run("math", 1, 8, out)
    np.testing.assert_allclose(out, np.sqrt(np.exp(np.arange(8, dtype=np.float32))), rtol=1e-6)


def test_clocks_run(kernels):
    k = kernels("""
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare i32 @llvm.nvvm.read.ptx.sreg.clock()
define ptx_kernel void @k(ptr %out) {
  %a = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  store volatile i64 %a, ptr %out
  %low = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  %low64 = zext i32 %low to i64
  %p = getelementptr i64, ptr %out, i64 1
  store volatile i64 %low64, ptr %p
  %b = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %q = getelementptr i64, ptr %out, i64 2
  store volatile i64 %b, ptr %q
  ret void
}""")
    out = np.zeros(3, np.int64)
    k.run("k", 1, 1, out)
    first, low, last = map(int, out)
    assert 0 < first <= last
    assert first <= last - ((last - low) & 0xFFFFFFFF)


def test_unknown_intrinsic_is_named(kernels):
    from xgpu.host_device.compiler.code import Unsupported

    with pytest.raises(Unsupported, match=r"kernel 'k': special register 'pm0'"):
        kernels("""
declare i32 @llvm.nvvm.read.ptx.sreg.pm0()
define ptx_kernel void @k(ptr %out) {
  %v = call i32 @llvm.nvvm.read.ptx.sreg.pm0()
  store i32 %v, ptr %out
  ret void
}""")


def test_mma_sync_with_ldmatrix(kernels):
    """The usual pair: A by ldmatrix.x4, B by ldmatrix.x2.trans, D by the documented layout."""
    k = kernels("""
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p0(ptr)
declare { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p0(ptr)
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(
  <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>,
  float, float, float, float)
define ptx_kernel void @product(ptr %a, ptr %b, ptr %out) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %row = urem i32 %lane, 16
  %half = udiv i32 %lane, 16
  %r16 = mul i32 %row, 16
  %h8 = mul i32 %half, 8
  %ia = add i32 %r16, %h8
  %pa = getelementptr half, ptr %a, i32 %ia
  %ib = mul i32 %row, 8
  %pb = getelementptr half, ptr %b, i32 %ib
  %fa = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p0(ptr %pa)
  %fb = call { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p0(ptr %pb)
  %a0 = extractvalue { i32, i32, i32, i32 } %fa, 0
  %a1 = extractvalue { i32, i32, i32, i32 } %fa, 1
  %a2 = extractvalue { i32, i32, i32, i32 } %fa, 2
  %a3 = extractvalue { i32, i32, i32, i32 } %fa, 3
  %b0 = extractvalue { i32, i32 } %fb, 0
  %b1 = extractvalue { i32, i32 } %fb, 1
  %va0 = bitcast i32 %a0 to <2 x half>
  %va1 = bitcast i32 %a1 to <2 x half>
  %va2 = bitcast i32 %a2 to <2 x half>
  %va3 = bitcast i32 %a3 to <2 x half>
  %vb0 = bitcast i32 %b0 to <2 x half>
  %vb1 = bitcast i32 %b1 to <2 x half>
  %d = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(
    <2 x half> %va0, <2 x half> %va1, <2 x half> %va2, <2 x half> %va3,
    <2 x half> %vb0, <2 x half> %vb1, float 1.0, float 1.0, float 1.0, float 1.0)
  %g = udiv i32 %lane, 4
  %q = urem i32 %lane, 4
  %g8 = mul i32 %g, 8
  %q2 = mul i32 %q, 2
  %io = add i32 %g8, %q2
  %po = getelementptr float, ptr %out, i32 %io
  %d0 = extractvalue { float, float, float, float } %d, 0
  %d1 = extractvalue { float, float, float, float } %d, 1
  %d2 = extractvalue { float, float, float, float } %d, 2
  %d3 = extractvalue { float, float, float, float } %d, 3
  store float %d0, ptr %po
  %po1 = getelementptr float, ptr %po, i32 1
  store float %d1, ptr %po1
  %po2 = getelementptr float, ptr %po, i32 64
  store float %d2, ptr %po2
  %po3 = getelementptr float, ptr %po, i32 65
  store float %d3, ptr %po3
  ret void
}""")
    generator = np.random.default_rng(1)
    a = generator.integers(-4, 5, (16, 16)).astype(np.float16)
    b = generator.integers(-4, 5, (16, 8)).astype(np.float16)
    out = np.zeros((16, 8), np.float32)
    k.run("product", 1, 32, a, b, out)
    np.testing.assert_array_equal(out, a.astype(np.float32) @ b.astype(np.float32) + 1)


@pytest.mark.parametrize(
    ("name", "body", "asks"),
    [
        ("k", "%w = call i32 @llvm.nvvm.read.ptx.sreg.envreg1()", True),
        ("k", '%w = call i32 asm "mov.u32 $0, %envreg1;", "=r"()', True),
        ("envreg1", "%w = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()", False),
    ],
)
def test_workspace_is_asked_for_by_a_register(name, body, asks):
    declared = {part for part in ("envreg1", "tid.x") if f"sreg.{part}" in body}
    text = "".join(f"declare i32 @llvm.nvvm.read.ptx.sreg.{part}()\n" for part in declared)
    text += f"define ptx_kernel void @{name}(ptr %out) {{\n{body}\n"
    text += "store i32 %w, ptr %out\nret void }"
    assert HostModule(compile_llvm(text)).uses_workspace is asks
