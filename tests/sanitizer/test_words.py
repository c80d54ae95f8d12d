# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports speak of what the program's text has: buffers, elements, operations, iterations."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

import xgpu
from xgpu.core.support.literals import remember
from xgpu.host_device.sanitizer.reports.program_text import ProgramTexts

WG = "#gpu.address_space<workgroup>"
PROGRAM = """
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    {globals}
    gpu.func @k(%in: memref<256xf32>, %out: memref<8x8xf32>) {workgroup} kernel {{
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c63 = arith.constant 63 : index
      %k = arith.subi %c63, %t : index
      %i = arith.divui %t, %c8 : index
      %j = arith.remui %t, %c8 : index
      %n = arith.index_cast %t : index to i32
      %x = arith.sitofp %n : i32 to f32
{body}
      gpu.return
    }}
  }}
  func.func @main() {{
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %f = arith.constant 1.0 : f32
    %a = gpu.alloc() : memref<256xf32>
    %b = gpu.alloc() : memref<8x8xf32>
    gpu.memset %a, %f : memref<256xf32>, f32
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%a : memref<256xf32>, %b : memref<8x8xf32>)
    gpu.dealloc %a : memref<256xf32>
    gpu.dealloc %b : memref<8x8xf32>
    return
  }}
}}
"""
TILE = f"workgroup(%s : memref<8x8xf32, {WG}>)"
LINE = f"workgroup(%first : memref<16xi8, {WG}>, %s : memref<64xf32, {WG}>)"


def found(body: str, workgroup: str = TILE, *, globals: str = "") -> list[xgpu.Finding]:
    """What is found in a kernel of 64 threads."""
    text = PROGRAM.format(body=body, workgroup=workgroup, globals=globals)
    return list(xgpu.sanitize(text, filename="words.mlir"))


def only(body: str, workgroup: str = TILE, **options: str):
    findings = found(body, workgroup, **options)
    assert len(findings) == 1, [f.text() for f in findings]
    return findings[0]


# -- buffers and elements


def test_elements_of_workgroup_memory_by_name_and_indices():
    report = only(f"""
      memref.store %x, %s[%i, %j] : memref<8x8xf32, {WG}>
      %w = memref.load %s[%j, %i] : memref<8x8xf32, {WG}>
      memref.store %w, %out[%i, %j] : memref<8x8xf32>
""")
    element = report.sides[0].buffer
    assert element in {f"%s[{i}, {j}]" for i in range(8) for j in range(8) if i != j}
    assert report.sides[1].buffer == element
    assert f"read {element} (4 bytes) that thread" in report.message
    assert [side.operation for side in report.sides] == ["memref.load", "memref.store"]
    assert report.hint == "no barrier between the two"
    # The element is the one that both threads named.
    i, j = map(int, element[3:-1].split(","))
    reader, writer = (side.thread[0] for side in report.sides)
    assert (reader % 8, reader // 8) == (i, j)
    assert (writer // 8, writer % 8) == (i, j)


def test_a_variable_behind_another_and_through_a_view():
    report = only(f"""
      %v = memref.subview %s[%t] [1] [1]
        : memref<64xf32, {WG}> to memref<1xf32, strided<[1], offset: ?>, {WG}>
      memref.store %x, %v[%c0] : memref<1xf32, strided<[1], offset: ?>, {WG}>
      %w = memref.load %s[%k] : memref<64xf32, {WG}>
      memref.store %w, %out[%i, %j] : memref<8x8xf32>
""", LINE)
    reader = report.sides[0].thread[0]
    assert report.sides[0].buffer == report.sides[1].buffer == f"%s[{63 - reader}]"


def test_a_global_by_its_symbol():
    kind = f"memref<64xf32, {WG}>"
    report = only(f"""
      %g = memref.get_global @tile : {kind}
      memref.store %x, %g[%t] : {kind}
      %w = memref.load %g[%k] : {kind}
      memref.store %w, %out[%i, %j] : memref<8x8xf32>
""", "", globals=f'memref.global "private" @tile : {kind}')
    reader = report.sides[0].thread[0]
    assert [side.buffer for side in report.sides] == [f"@tile[{63 - reader}]"] * 2


def test_an_element_behind_the_end_of_an_argument():
    report = only("""
      %far = arith.addi %t, %c63 : index
      %o = arith.muli %far, %c4 : index
      %v = memref.load %in[%o] : memref<256xf32>
      memref.store %v, %out[%i, %j] : memref<8x8xf32>
""", "")
    thread = report.sides[0].thread[0]
    assert report.message.startswith(f"read of %in[{(thread + 63) * 4}] (4 bytes), ")
    assert "(memref.load)" in report.sides[0].did
    assert report.sides[1].did == "1024 bytes come from here (gpu.alloc of %a)"


def test_a_pointer_without_elements_has_bytes():
    report = only("""
      %p = memref.extract_aligned_pointer_as_index %in : memref<256xf32> -> index
      %q = arith.index_cast %p : index to i64
      %r = llvm.inttoptr %q : i64 to !llvm.ptr
      %s = llvm.getelementptr %r[1000] : (!llvm.ptr) -> !llvm.ptr, f32
      %v = llvm.load %s : !llvm.ptr -> f32
      memref.store %v, %out[%i, %j] : memref<8x8xf32>
""", "")
    assert "%in[1000] (4 bytes)" in report.message


def test_an_operation_of_the_compilers_own_memory():
    """What a reduction keeps is not the program's: the operation is named."""
    findings = found("""
      %half = arith.cmpi ult, %t, %c8 : index
      scf.if %half {
        %r = gpu.all_reduce add %x uniform {} : (f32) -> f32
        memref.store %r, %out[%i, %j] : memref<8x8xf32>
      }
""", "")
    # What threads leave out is why its memory is not written, and so comes first.
    kinds = [finding.kind for finding in findings]
    assert kinds == [*["sync"] * kinds.count("sync"), *["init"] * kinds.count("init")]
    assert {"sync", "init"} == set(kinds)
    for finding in findings:
        assert "gpu.all_reduce" in finding.text()


def test_private_memory_and_values_with_numbers():
    report = only("""
      %0 = memref.alloca() : memref<2x4xf32>
      memref.store %x, %0[%c0, %c0] : memref<2x4xf32>
      %1 = arith.minui %i, %c1 : index
      %2 = arith.minui %j, %c1 : index
      %3 = memref.load %0[%1, %2] : memref<2x4xf32>
      memref.store %3, %out[%i, %j] : memref<8x8xf32>
""", "")
    assert report.kind == "init"
    assert report.sides[0].buffer in {"%0[0, 1]", "%0[1, 0]", "%0[1, 1]"}


def test_memory_that_a_launch_captures():
    text = """
func.func @main() {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %0 = gpu.alloc() : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %n = arith.addi %tx, %c1 : index
    memref.store %f, %0[%n] : memref<64xf32>
    gpu.terminator
  }
  gpu.dealloc %0 : memref<64xf32>
  return
}
"""
    (report,) = xgpu.sanitize(text, filename="launch.mlir")
    assert report.message.startswith("write of %0[64] (4 bytes), right behind the end of")
    assert report.sides[1].did == "256 bytes come from here (gpu.alloc of %0)"


def test_an_mbarrier_behind_the_last_one():
    """The address lies in another variable; the index counts from the one that is named."""
    findings = found("""
      %p = llvm.mlir.addressof @bars : !llvm.ptr<3>
      %q = llvm.mlir.addressof @more : !llvm.ptr<3>
      %z = llvm.mlir.constant(1 : i64) : i64
      llvm.store %z, %q : i64, !llvm.ptr<3>
      %far = llvm.getelementptr %p[3] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      %a = nvvm.mbarrier.arrive %far : !llvm.ptr<3> -> i64
""", "", globals="""
    llvm.mlir.global internal @bars() {addr_space = 3 : i32} : !llvm.array<2 x i64>
    llvm.mlir.global internal @more() {addr_space = 3 : i32} : !llvm.array<8 x i64>
""")
    report = next(f for f in findings if f.kind == "init")
    assert report.message == "read of @bars[3] (8 bytes) that nothing has written"


# -- what is missing


def test_a_write_of_the_next_iteration():
    report = only(f"""
      scf.for %it = %c0 to %c4 step %c1 {{
        %n2 = arith.addi %it, %t : index
        %n3 = arith.index_cast %n2 : index to i32
        %y = arith.sitofp %n3 : i32 to f32
        memref.store %y, %s[%t] : memref<64xf32, {WG}>
        gpu.barrier
        %w = memref.load %s[%k] : memref<64xf32, {WG}>
        memref.store %w, %out[%i, %j] : memref<8x8xf32>
      }}
""", LINE)
    assert report.message.endswith("nothing orders the two: the write is of the next iteration")
    load = next(side for side in report.sides if side.operation == "memref.load")
    assert report.hint == (
        f"no barrier behind the read ({load.location}), at the end of the iteration: all threads "
        "have to be done with it before the write of the next iteration"
    )


def test_a_write_of_the_next_iteration_of_a_loop_of_blocks():
    report = only(f"""
      cf.br ^head(%c0 : index)
    ^head(%it: index):
      %more = arith.cmpi ult, %it, %c4 : index
      cf.cond_br %more, ^body, ^done
    ^body:
      %n2 = arith.addi %it, %t : index
      %n3 = arith.index_cast %n2 : index to i32
      %y = arith.sitofp %n3 : i32 to f32
      memref.store %y, %s[%t] : memref<64xf32, {WG}>
      gpu.barrier
      cf.br ^rest
    ^rest:
      %w = memref.load %s[%k] : memref<64xf32, {WG}>
      memref.store %w, %out[%i, %j] : memref<8x8xf32>
      %next = arith.addi %it, %c1 : index
      cf.br ^head(%next : index)
    ^done:
""", LINE)
    assert report.message.endswith("nothing orders the two: the write is of the next iteration")


def test_a_barrier_that_only_some_threads_come_to():
    """It stands between the two in the text, so the report does not say that there is none."""
    findings = found(f"""
      memref.store %x, %s[%t] : memref<64xf32, {WG}>
      %c32 = arith.constant 32 : index
      %low = arith.cmpi ult, %t, %c32 : index
      scf.if %low {{
        gpu.barrier
      }}
      %w = memref.load %s[%k] : memref<64xf32, {WG}>
      memref.store %w, %out[%i, %j] : memref<8x8xf32>
""", LINE)
    report = next(f for f in findings if f.kind == "race")
    place = "words.mlir:22:9"
    assert report.hint == (
        "no barrier between the two on every way that threads take: not all of them meet at "
        f"gpu.barrier ({place})"
    )


def test_a_copy_of_the_next_iteration():
    report = only(f"""
      scf.for %it = %c0 to %c4 step %c1 {{
        %o = arith.muli %it, %c8 : index
        %p = arith.addi %o, %t : index
        %a = nvgpu.device_async_copy %in[%p], %s[%t], 1 : memref<256xf32> to memref<64xf32, {WG}>
        %g = nvgpu.device_async_create_group %a
        nvgpu.device_async_wait %g
        gpu.barrier
        %w = memref.load %s[%k] : memref<64xf32, {WG}>
        memref.store %w, %out[%i, %j] : memref<8x8xf32>
      }}
""", LINE)
    assert report.message.endswith("the copy is of the next iteration")
    assert "no barrier behind the read" in report.hint


def test_a_missing_wait_is_named_as_the_text_would_have_it():
    report = only(f"""
      %a = nvgpu.device_async_copy %in[%t], %s[%t], 1 : memref<256xf32> to memref<64xf32, {WG}>
      %g = nvgpu.device_async_create_group %a
      gpu.barrier
      %w = memref.load %s[%k] : memref<64xf32, {WG}>
      memref.store %w, %out[%i, %j] : memref<8x8xf32>
      nvgpu.device_async_wait %g
""", LINE)
    assert report.hint == (
        "no nvgpu.device_async_wait of the copy's group, and a barrier behind it, between"
    )


def test_a_barrier_of_a_warp_that_stands_between_is_not_overlooked():
    report = only(f"""
      %all = arith.constant -1 : i32
      memref.store %x, %s[%t] : memref<64xf32, {WG}>
      nvvm.bar.warp.sync %all : i32
      %w = memref.load %s[%k] : memref<64xf32, {WG}>
      memref.store %w, %out[%i, %j] : memref<8x8xf32>
""", LINE)
    assert report.hint.startswith("no barrier of all threads of the block between the two: nvvm")
    assert report.hint.endswith("orders only those that take part")


# -- pairs, launches, waits


def test_two_barriers_that_lanes_wait_at_are_one_report():
    report = only("""
      %odd = arith.remui %t, %c8 : index
      %more = arith.minui %odd, %c1 : index
      %end = arith.addi %c4, %more : index
      scf.for %it = %c0 to %end step %c1 {
        gpu.barrier
      }
      gpu.barrier
""", "")
    assert report.kind == "sync"
    assert {side.operation for side in report.sides} == {"gpu.barrier"}


def test_a_shuffle_from_several_absent_lanes_is_one_report():
    report = only("""
      %all = arith.constant 0xFFFFFFFF : i32
      %c40 = arith.constant 40 : index
      %c31i = arith.constant 31 : i32
      %c16i = arith.constant 16 : i32
      %some = arith.cmpi ult, %t, %c40 : index
      cf.cond_br %some, ^some, ^end
    ^some:
      %w = nvvm.shfl.sync bfly %all, %x, %c16i, %c31i : f32 -> f32
      memref.store %w, %out[%i, %j] : memref<8x8xf32>
      cf.br ^end
    ^end:
""")
    assert report.count == 8
    assert "reads from a lane that does not take part" in report.message
    thread = report.sides[0].thread[0]
    assert f"is lane {thread - 32}, and reads from lane {thread - 16}" in report.sides[0].did


def test_two_launches_are_named():
    text = PROGRAM.format(
        body="      memref.store %x, %in[%t] : memref<256xf32>", workgroup="", globals=""
    )
    launch = text[text.index("    gpu.launch_func") : text.index("    gpu.dealloc")]
    beside = "".join(
        f"    %s{n} = gpu.wait async\n    %t{n} = "
        + launch.strip().replace("launch_func", f"launch_func async [%s{n}]", 1) + "\n"
        for n in (1, 2)
    )  # fmt: skip
    text = text.replace(launch, beside + "    gpu.wait [%t1, %t2]\n")
    text = text.replace("%x, %in", "%y, %in").replace(
        "      memref.store %y",
        "      %v = memref.load %in[%t] : memref<256xf32>\n"
        "      %y = arith.addf %v, %x : f32\n      memref.store %y",
    )
    findings = [f for f in xgpu.sanitize(text, filename="words.mlir") if f.kind == "race"]
    assert findings
    lines = {n + 1 for n, line in enumerate(text.split("\n")) if "launch_func async" in line}
    for finding in findings:
        assert finding.message.count("of kernel 'k'") == 2
        assert lines <= {side.line for side in finding.sides}


def test_an_mbarrier_that_is_waited_for_has_a_name():
    findings = found("""
      %bars = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 3>
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        nvgpu.mbarrier.init %bars[%c1], %c8 : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 3>
      }
      gpu.barrier
      %ticks = arith.constant 10000 : index
      %no = arith.constant false
      nvgpu.mbarrier.try_wait.parity %bars[%c1], %no, %ticks : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 3>
""", "")  # noqa: E501
    report = next(f for f in findings if f.kind == "sync")
    assert report.sides[0].operation == "nvgpu.mbarrier.try_wait.parity"
    assert "for the phase of parity 0 of %bars[1] (8 arrivals missing, 0 bytes" in report.text()
    assert "nobody" not in report.text()


# -- releases


@pytest.mark.parametrize(
    ("body", "words", "sides"),
    [
        (
            """
  %a = gpu.alloc() : memref<4xf32>
  gpu.dealloc %a : memref<4xf32>
  gpu.dealloc %a : memref<4xf32>""",
            "gpu.dealloc of 16 bytes of gpu.alloc, which have been released before", [5, 4, 3],
        ),
        (
            """
  %a = memref.alloc() : memref<4xf32>
  gpu.dealloc %a : memref<4xf32>""",
            "gpu.dealloc of host memory, 16 bytes of memref.alloc: memref.dealloc releases it", [4],
        ),
        (
            """
  %a = gpu.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>""",
            "memref.dealloc of device memory, which lies 0 bytes into 16 bytes of gpu.alloc: "
            "gpu.dealloc releases it", [4, 3],
        ),
    ],
    ids=["twice", "of the host's", "of the device's"],
)  # fmt: skip
def test_releases_name_the_kind_of_memory(body, words, sides):
    text = f"// releases\nfunc.func @main() {{{body}\n  return\n}}"
    report = xgpu.sanitize(text, filename="free.mlir")[0]
    assert (report.kind, report.message) == ("memory", words)
    assert [side.line for side in report.sides] == sides
    with pytest.raises(xgpu.DeviceError, match=words.split(",")[0]):
        xgpu.run(text, device="host", filename="free.mlir")


# -- Python: names of texts

KERNEL = """
gpu.module @m {
  gpu.func @shift(%source: memref<?xf32>, %target: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %i = arith.addi %t, %c1 : index
    %v = memref.load %source[%i] : memref<?xf32>
    memref.store %v, %target[%t] : memref<?xf32>
    gpu.return
  }
}
"""


def line_in_this_file(words: str) -> int:
    with open(__file__, encoding="utf-8") as file:
        return next(n for n, line in enumerate(file, 1) if words in line)


def test_a_place_in_no_text_is_in_no_python_file():
    """Another program of the process may have had an empty text."""
    remember("")
    assert ProgramTexts().shown("-:3:1") == "-:3:1"


def test_a_literal_of_a_python_file_is_named_by_its_lines():
    array = np.zeros(32, np.float32)
    with xgpu.sanitized() as watched:
        xgpu.load(KERNEL, "host").kernels["shift"][1, 32](array, np.zeros(32, np.float32))
    (report,) = watched.findings()
    line = line_in_this_file("%v = memref.load %source[%i]")
    assert (report.file, report.line) == (__file__, line)
    assert report.message.startswith("read of %source[32] (4 bytes), right behind the end of")
    assert report.sides[1].did == "argument %source is an array of another library of 128 bytes"
    assert "    %v = memref.load %source[%i]" in watched.findings().text()


def test_texts_that_python_computes_are_told_apart():
    first = KERNEL.replace("shift", "one")
    second = "// more\n" + KERNEL.replace("shift", "two")
    array = np.zeros(32, np.float32)
    with xgpu.sanitized() as watched:
        for text, name in ((first, "one"), (second, "two")):
            target = np.zeros(32, np.float32)
            xgpu.load(text, "host").kernels[name][1, 32](array, target)
    one, two = sorted(watched.findings(), key=lambda f: f.line)
    assert one.file != two.file
    assert (one.line, two.line) == (7, 8)
    assert "%v = memref.load %source[%i]" in one.text() or one.file == "-"
    assert "%source[32]" in one.message and "%source[32]" in two.message  # noqa: PT018


def test_a_given_name_is_used():
    array = np.zeros(32, np.float32)
    with xgpu.sanitized() as watched:
        loaded = xgpu.load(KERNEL, "host", filename="shift.mlir")
        loaded.kernels["shift"][1, 32](array, np.zeros(32, np.float32))
    assert watched.findings()[0].sides[0].location == "shift.mlir:7:10"


def test_errors_in_a_literal_have_the_files_lines():
    with pytest.raises(xgpu.DiagnosticError) as problem:
        xgpu.load("""
func.func @f(%a: i32) -> i32 {
  %sum = arith.addi %a, %undeclared : i32
  return %sum : i32
}
""", "host")
    line = line_in_this_file("%a, %undeclared")
    assert str(problem.value).startswith(f"{__file__}:{line}:25: error: use of undeclared SSA")
    with pytest.raises(xgpu.DiagnosticError) as problem:
        xgpu.load(textwrap.dedent(" func.func @f() { return %b : i32 }"), "host")
    assert str(problem.value).startswith("-:1:")


def test_an_operation_of_a_called_function_has_its_callers():
    text = """
gpu.module @m {
  gpu.func @k(%out: memref<4xi32>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    memref.store %v, %out[%c0] : memref<4xi32> loc(#store)
    gpu.return
  }
}
#put = loc("k.cu":1:41)
#outer = loc("k.cu":9:5)
#store = loc(callsite(#put at callsite("k.cu":4:3 at #outer)))
"""
    with xgpu.sanitized() as watched:
        xgpu.load(text, "host").kernels["k"][1, 32](np.zeros(4, np.int32))
    (finding,) = watched.findings()
    assert [side.location for side in finding.sides] == ["k.cu:1:41"] * 2
    assert [side.callers for side in finding.sides] == [("k.cu:4:3", "k.cu:9:5")] * 2
    assert finding.text().count("k.cu:4:3: note: called from\nk.cu:9:5: note: called from") == 2
