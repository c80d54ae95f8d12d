# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ruff: noqa: E501  lines of LLVM IR
"""LLVM IR for NVPTX as a program: `xgpu.load` of text, files and bitcode."""

from __future__ import annotations

import numpy as np
import pytest

import xgpu
from xgpu.driver import compiler

#: As clang gives it at -O1 -g1, by hand.
SCALE = """\
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @_Z5scalePffi(ptr %x, float %by, i32 %n) #0 !dbg !5 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !8
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !8
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !8
  %m = mul i32 %b, %d, !dbg !8
  %i = add i32 %m, %t, !dbg !8
  %c = icmp slt i32 %i, %n, !dbg !9
  br i1 %c, label %then, label %end, !dbg !9
then:
  %w = sext i32 %i to i64, !dbg !10
  %p = getelementptr inbounds float, ptr %x, i64 %w, !dbg !10
  %v = load float, ptr %p, align 4, !dbg !10
  %s = fmul float %v, %by, !dbg !10
  store float %s, ptr %p, align 4, !dbg !10
  br label %end, !dbg !10
end:
  ret void, !dbg !11
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { "nvvm.maxntid"="128" "target-cpu"="sm_52" "target-features"="+ptx42,+sm_52" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "scale.cu", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "scale", scope: !1, file: !1, line: 3, type: !6, scopeLine: 3, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DISubroutineType(types: !7)
!7 = !{}
!8 = !DILocation(line: 4, column: 11, scope: !5)
!9 = !DILocation(line: 5, column: 7, scope: !5)
!10 = !DILocation(line: 5, column: 14, scope: !5)
!11 = !DILocation(line: 6, column: 1, scope: !5)
"""


def launched(kernel) -> np.ndarray:
    x = np.arange(200, dtype=np.float32)
    kernel[2, 128](x, 3.0, 190)
    return x


EXPECTED = np.where(np.arange(200) < 190, np.arange(200) * 3, np.arange(200)).astype(np.float32)


def test_a_text() -> None:
    module = xgpu.load(SCALE, "host")
    kernel = module.kernels["scale"]
    np.testing.assert_array_equal(launched(kernel), EXPECTED)
    assert kernel.name == "scale"
    assert module.kernels["_Z5scalePffi"].symbol == "_Z5scalePffi"
    assert [repr(p) for p in kernel.parameters] == ["x: !llvm.ptr", "by: f32", "n: i32"]
    assert kernel.location == "scale.cu:3:0"


@pytest.mark.parametrize("suffix", [".ll", ".bc"])
def test_a_file(tmp_path, suffix: str) -> None:
    import llvmlite.binding as llvm

    path = tmp_path / f"9-scale.cu{suffix}"
    if suffix == ".ll":
        path.write_text(SCALE)
    else:
        path.write_bytes(llvm.parse_assembly(SCALE).as_bitcode())
    module = xgpu.load(path, "host")
    assert module.kernels["scale"].module_name == "_9_scale"
    np.testing.assert_array_equal(launched(module.kernels["scale"]), EXPECTED)


def test_bitcode_as_bytes() -> None:
    import llvmlite.binding as llvm

    data = llvm.parse_assembly(SCALE).as_bitcode()
    np.testing.assert_array_equal(launched(xgpu.load(data, "host").kernels["scale"]), EXPECTED)


def test_launch_bounds() -> None:
    kernel = xgpu.load(SCALE, "host").kernels["scale"]
    with pytest.raises(xgpu.DeviceError, match=r"'nvvm\.maxntid' of the kernel allows 128"):
        kernel[1, 256](np.zeros(1, np.float32), 1.0, 0)


def test_arguments_are_checked() -> None:
    kernel = xgpu.load(SCALE, "host").kernels["scale"]
    with pytest.raises(TypeError, match="argument 'n' of type i32: expected an integer"):
        kernel[1, 32](np.zeros(1, np.float32), 1.0, 1.5)


def test_ptx_is_for_the_chip_that_is_asked_for() -> None:
    ptx = xgpu.compile(SCALE, chip="sm_90").kernels["kernels"].decode()
    assert ".target sm_90" in ptx
    assert ".visible .entry _Z5scalePffi(" in ptx
    assert ".maxntid 128" in ptx


def test_shifts_of_pairs_of_words_are_instructions() -> None:
    text = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %x, i32 %low, i32 %count) {
  %high = load i32, ptr %x
  %l = call i32 @llvm.nvvm.fshl.clamp.i32(i32 %high, i32 %low, i32 %count)
  %r = call i32 @llvm.nvvm.fshr.clamp.i32(i32 %high, i32 %l, i32 %count)
  store i32 %r, ptr %x
  ret void
}
"""
    ptx = xgpu.compile(text, chip="sm_90").kernels["kernels"].decode()
    assert "shf.l.clamp.b32" in ptx
    assert "shf.r.clamp.b32" in ptx


def test_kernels_of_old_annotations() -> None:
    text = """
target triple = "nvptx64-nvidia-cuda"
define void @one(ptr %x) {
  store i32 7, ptr %x
  ret void
}
define void @helper(ptr %x) {
  ret void
}
!nvvm.annotations = !{!0, !1}
!0 = !{ptr @one, !"kernel", i32 1}
!1 = !{ptr @one, !"maxntidx", i32 32}
"""
    module = xgpu.load(text, "host")
    assert list(module.kernels) == ["one"]
    x = np.zeros(1, np.int32)
    module.kernels["one"][1, 1](x)
    assert x[0] == 7


def test_a_struct_by_value() -> None:
    text = """
target triple = "nvptx64-nvidia-cuda"
%struct.P = type { i32, double }
define ptx_kernel void @take(ptr byval(%struct.P) align 8 %p, ptr %out) {
  %a = load i32, ptr %p
  %q = getelementptr inbounds %struct.P, ptr %p, i32 0, i32 1
  %b = load double, ptr %q
  %c = sitofp i32 %a to double
  %d = fadd double %b, %c
  store double %d, ptr %out
  ret void
}
"""
    kernel = xgpu.load(text, "host").kernels["take"]
    out = np.zeros(1)
    p = np.array([(3, 0.25)], np.dtype([("a", "i4"), ("b", "f8")], align=True))
    kernel[1, 1](p.tobytes(), out)
    assert out[0] == 3.25
    with pytest.raises(ValueError, match=r"argument 'p'.*expected 16 bytes, found 2"):
        kernel[1, 1](b"ab", out)


def test_a_struct_by_value_of_a_function() -> None:
    """The function may change it; the caller's stays as it was. Which is called is not known."""
    text = """\
target triple = "nvptx64-nvidia-cuda"
%s = type { i32, i32, float, float }
@table = constant [2 x ptr] [ptr @changed, ptr @first]
define i32 @changed(i32 %k, ptr byval(%s) align 4 %p) {
  %a = load i32, ptr %p
  %b = add i32 %a, %k
  store i32 %b, ptr %p
  %q = getelementptr i32, ptr %p, i64 1
  %c = load i32, ptr %q
  %d = mul i32 %b, %c
  ret i32 %d
}
define i32 @first(i32 %k, ptr byval(%s) align 4 %p) {
  %a = load i32, ptr %p
  ret i32 %a
}
define ptx_kernel void @k(ptr %out, i32 %x) {
  %m = alloca %s, align 4
  store i32 %x, ptr %m
  %q = getelementptr i32, ptr %m, i64 1
  store i32 5, ptr %q
  %at = and i32 %x, 1
  %t = getelementptr ptr, ptr @table, i32 %at
  %f = load ptr, ptr %t
  %v = call i32 %f(i32 1, ptr byval(%s) align 4 %m)
  store i32 %v, ptr %out
  %kept = load i32, ptr %m
  %to = getelementptr i32, ptr %out, i64 1
  store i32 %kept, ptr %to
  ret void
}
"""
    kernel, out = xgpu.load(text, "host").kernels["k"], np.zeros(2, np.int32)
    for x, given in ((6, (6 + 1) * 5), (7, 7)):
        kernel[1, 1](out, x)
        assert out.tolist() == [given, x]


def test_tables_of_virtual_functions() -> None:
    """As clang has them of templates, with a function that is pure in a base."""
    text = """\
target triple = "nvptx64-nvidia-cuda"
$base = comdat any
$own = comdat any
$three = comdat any
@base = linkonce_odr unnamed_addr constant { [1 x ptr] } { [1 x ptr] [ptr @__cxa_pure_virtual] }, comdat, align 8
@own = linkonce_odr unnamed_addr constant { [1 x ptr] } { [1 x ptr] [ptr @three] }, comdat, align 8
declare void @__cxa_pure_virtual()
define linkonce_odr i32 @three() noinline comdat { ret i32 3 }
define ptx_kernel void @k(ptr %out, i32 %which) {
  %is.base = icmp eq i32 %which, 0
  %table = select i1 %is.base, ptr @base, ptr @own
  %f = load ptr, ptr %table
  %v = call i32 %f()
  store i32 %v, ptr %out
  ret void
}
"""
    kernel, out = xgpu.load(text, "host").kernels["k"], np.zeros(1, np.int32)
    kernel[1, 1](out, 1)
    assert out[0] == 3
    with pytest.raises(xgpu.DeviceError, match="trap"):
        kernel[1, 1](out, 0)


def test_what_is_wrong_in_the_text() -> None:
    text = SCALE.replace("%s = fmul float %v, %by", "%s = fmul float %v, %nope")
    with pytest.raises(xgpu.DiagnosticError, match="use of undefined value '%nope'") as caught:
        xgpu.load(text, "host", filename="k.ll")
    assert str(caught.value).startswith("k.ll:16:23: error: ")


def test_ir_for_a_host_has_no_kernels() -> None:
    text = 'target triple = "x86_64-pc-linux-gnu"\ndefine i32 @main() {\n  ret i32 3\n}\n'
    assert list(xgpu.load(text, "host").kernels) == []
    assert xgpu.run(text, device="host").value == 3


def test_a_program_of_kernels_is_compiled_as_it_is() -> None:
    module = compiler.parse(SCALE)
    assert compiler.has_kernels_alone(module)
    assert not compiler.has_kernels_alone(compiler.parse("func.func @f() { return }"))


# -- debug information and the sanitizer

RACY = SCALE.replace("  store float %s, ptr %p, align 4, !dbg !10", """\
  call void @_Z4bumpPf(ptr %x), !dbg !10
  store float %s, ptr %p, align 4, !dbg !10""").replace("declare i32 @llvm.nvvm.read.ptx.sreg.ctaid", """\
define void @_Z4bumpPf(ptr %x) noinline !dbg !12 {
  %v = load float, ptr %x, !dbg !13
  store float %v, ptr %x, !dbg !13
  ret void, !dbg !13
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid""", 1) + """\
!12 = distinct !DISubprogram(name: "bump", scope: !1, file: !1, line: 1, type: !6, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0)
!13 = !DILocation(line: 1, column: 30, scope: !12)
"""  # fmt: skip


def test_debug_information_and_threads_by_themselves() -> None:
    """A subprogram belonged to a kernel and to its entry, which LLVM refused."""
    kernel = xgpu.load(RACY, "host").kernels["scale"]
    np.testing.assert_array_equal(launched(kernel), EXPECTED)


def test_reports_name_lines_of_the_language() -> None:
    kernel = xgpu.load(RACY, "host").kernels["scale"]
    with xgpu.sanitized(["race"]) as watched:
        kernel[1, 64](np.zeros(64, np.float32), 1.0, 64)
    assert "scale.cu:1:30: error: race" in watched.findings().text()


# -- atomic intrinsics with a scope


def atomics(*calls: str) -> str:
    body = "\n".join(f"  {call}" for call in calls)
    return f"""
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %x, ptr %f, ptr %old) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %old, i64 %w
{body}
  store i32 %r, ptr %p
  ret void
}}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.exch.gen.i.sys.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.max.gen.i.cta.i32.p0(ptr, i32)
declare float @llvm.nvvm.atomic.add.gen.f.cta.f32.p0(ptr, float)
declare i32 @llvm.nvvm.atomic.cas.gen.i.cta.i32.p0(ptr, i32, i32)
"""


@pytest.mark.parametrize(
    ("call", "x", "f"),
    [
        ("%r = call i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr %x, i32 2)", 64, 0),
        ("%r = call i32 @llvm.nvvm.atomic.exch.gen.i.sys.i32.p0(ptr %x, i32 5)", 5, 0),
        ("%r = call i32 @llvm.nvvm.atomic.max.gen.i.cta.i32.p0(ptr %x, i32 %t)", 31, 0),
        ("%r = call i32 @llvm.nvvm.atomic.cas.gen.i.cta.i32.p0(ptr %x, i32 0, i32 9)", 9, 0),
        ("%g = call float @llvm.nvvm.atomic.add.gen.f.cta.f32.p0(ptr %f, float 0.5)\n"
         "  %r = fptosi float %g to i32", 0, 16),
    ],
)  # fmt: skip
@pytest.mark.parametrize("watch", [False, True])
def test_atomics_with_a_scope(call: str, x: int, f: float, watch: bool) -> None:
    kernel = xgpu.load(atomics(call), "host").kernels["k"]
    ints, floats, old = np.zeros(1, np.int32), np.zeros(1, np.float32), np.zeros(32, np.int32)
    if watch:
        with xgpu.sanitized() as watched:
            kernel[1, 32](ints, floats, old)
        assert not watched.findings(), watched.findings().text()
    else:
        kernel[1, 32](ints, floats, old)
    assert (ints[0], floats[0]) == (x, f)


def test_a_scope_that_is_too_narrow_is_found() -> None:
    text = atomics("%r = call i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr %x, i32 2)")
    kernel = xgpu.load(text, "host").kernels["k"]
    with xgpu.sanitized(["race"]) as watched:
        kernel[2, 32](np.zeros(1, np.int32), np.zeros(1, np.float32), np.zeros(32, np.int32))
    assert "at least one of which is atomic for its own block or cluster only" in watched.findings().text()


def test_fences_of_intrinsics() -> None:
    """`membar.gl` on both sides of a flag orders two blocks."""
    text = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %data, ptr %flag, ptr %out) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %b, 0
  br i1 %first, label %give, label %take
give:
  store i32 42, ptr %data
  call void @llvm.nvvm.membar.gl()
  %o = atomicrmw xchg ptr %flag, i32 1 monotonic
  br label %end
take:
  %s = atomicrmw xchg ptr %flag, i32 0 monotonic
  %go = icmp eq i32 %s, 0
  br i1 %go, label %take, label %get
get:
  call void @llvm.nvvm.membar.gl()
  %v = load i32, ptr %data
  store i32 %v, ptr %out
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.membar.gl()
"""
    kernel = xgpu.load(text, "host").kernels["k"]
    data, flag, out = (np.zeros(1, np.int32) for _ in range(3))
    with xgpu.sanitized() as watched:
        kernel[2, 1](data, flag, out)
    assert out[0] == 42
    assert not watched.findings(), watched.findings().text()
