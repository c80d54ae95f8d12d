# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host programs in LLVM IR, run by the engine."""

from __future__ import annotations

import pytest

import xgpu
from xgpu.backend.llvm_ir.parts import Definition, ModuleParts, Uses
from xgpu.core.ir.errors import DeviceError
from xgpu.driver.engine import HostProgram, ProgramError
from xgpu.driver.host_source import LoweredProgram
from xgpu.driver.program import lower_program
from xgpu.frontend.llvm_ir import import_module
from xgpu.host_device.compiler.checks import Locations
from xgpu.host_device.device.device import HostDevice
from xgpu.runtime.session import Session


def run(text, entry="main", result="auto", opt_level=2, **options):
    return run_lowered(
        lambda device: lower_program(import_module(text), device, opt_level), entry, result,
        opt_level, **options,
    )  # fmt: skip


def run_lowered(lower, entry="main", result="auto", opt_level=2, **options):
    session = Session()
    printed = []
    session.output = printed.append
    device = HostDevice(session, **options)
    try:
        program = HostProgram(
            lower(device), entry, result, session=session, device=device, opt_level=opt_level
        )
        value = program.run()
    finally:
        device.close()
    return value, "".join(printed)


@pytest.mark.parametrize(
    ("type", "constant", "value"),
    [("i32", "-7", -7), ("i64", "5000000000", 5000000000), ("float", "1.5", 1.5)],
)
@pytest.mark.parametrize("opt_level", [0, 3])
def test_results(type, constant, value, opt_level):
    text = f"define {type} @main() {{ ret {type} {constant} }}"
    assert run(text, opt_level=opt_level)[0] == value


def test_result_of_another_type_is_refused():
    with pytest.raises(ProgramError, match="'main' returns i64, but the result asked for is i32"):
        run("define i64 @main() { ret i64 0 }", result="i32")


def test_entry_must_exist_and_take_nothing():
    with pytest.raises(ProgramError, match="entry point 'other' not found"):
        run("define void @main() { ret void }", entry="other")
    with pytest.raises(ProgramError, match="entry point 'main' must take no arguments"):
        run("define void @main(i32 %x) { ret void }")


def test_undefined_symbols_are_named():
    with pytest.raises(ProgramError, match=r"undefined symbols 'f', 'g'.*--shared-libs"):
        run(
            "declare void @f()\ndeclare void @g()\n"
            "define void @main() {\n call void @f()\n call void @g()\n ret void }"
        )


DIVIDE = """
@zero = global {type} {zero}
define void @main() {{
  %d = load volatile {type}, ptr @zero
  %n = load volatile {type}, ptr @number
  %q = {op} {type} %n, %d
  store volatile {type} %q, ptr @zero
  ret void
}}
@number = global {type} {number}
"""


@pytest.mark.parametrize("opt_level", [0, 2])
@pytest.mark.parametrize("op", ["sdiv", "srem", "udiv", "urem"])
def test_integer_division_by_zero(op, opt_level):
    text = DIVIDE.format(type="i64", zero=0, number=5, op=op)
    with pytest.raises(ProgramError, match="integer division by zero in the host program"):
        run(text, opt_level=opt_level)


def test_integer_division_that_overflows():
    text = DIVIDE.format(type="i32", zero=-1, number=-(2**31), op="sdiv")
    with pytest.raises(ProgramError, match="integer division overflows"):
        run(text)


def test_division_of_vectors():
    text = DIVIDE.format(
        type="<2 x i32>", zero="<i32 3, i32 0>", number="<i32 1, i32 2>", op="udiv"
    )
    with pytest.raises(ProgramError, match="integer division by zero"):
        run(text)


def test_illegal_access_is_a_diagnostic():
    with pytest.raises(ProgramError, match="illegal memory access in the host program"):
        run(
            "define i32 @main() {\n %v = load volatile i32, ptr inttoptr (i64 8 to ptr)\n"
            " ret i32 %v }"
        )
    assert run("define i32 @main() { ret i32 1 }")[0] == 1  # and the process goes on


def test_endless_recursion_is_a_diagnostic():
    text = """
define i64 @main() {
  %r = call i64 @deep(i64 1)
  ret i64 %r
}
define i64 @deep(i64 %n) noinline {
  %slot = alloca [512 x i64]
  %at = getelementptr i64, ptr %slot, i64 %n
  store volatile i64 %n, ptr %at
  %m = and i64 %n, 255
  %r = call i64 @deep(i64 %m)
  %v = load volatile i64, ptr %at
  %s = add i64 %r, %v
  ret i64 %s
}"""
    with pytest.raises(ProgramError, match="illegal memory access"):
        run(text, opt_level=0)


ABORTS = """
declare i32 @puts(ptr)
declare void @abort()
declare void @llvm.trap()
@words = private constant [3 x i8] c"no\\00"
define i32 @main() {
  %n = call i32 @puts(ptr @words)
  call void @abort()
  unreachable
}
define void @other() {
  call void @llvm.trap()
  unreachable
}
"""


def test_abort_ends_the_program_and_not_the_process():
    """It is what a failed `cf.assert` of the host calls."""
    for text in (ABORTS, ABORTS.replace("declare void @llvm.trap()\n", "").replace(
        "  call void @llvm.trap()\n", "")):  # fmt: skip
        with pytest.raises(ProgramError, match="called 'abort', as failed assertions do"):
            run(text)


def test_a_failed_assertion_has_a_location(capfd):
    text = """func.func @main() {
  %no = arith.constant false
  cf.assert %no, "broken"
  return
}"""
    with pytest.raises(ProgramError) as caught:
        xgpu.run(text, device="host")
    assert str(caught.value) == (
        "-:3:3: error: the host program called 'abort', as failed assertions do"
    )
    assert capfd.readouterr().out == "broken\n"


def test_constructors_run_before_and_destructors_after():
    text = """
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [
  { i32, ptr, ptr } { i32 200, ptr @second, ptr null },
  { i32, ptr, ptr } { i32 123, ptr @first, ptr null }]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [
  { i32, ptr, ptr } { i32 123, ptr @last, ptr null }]
declare void @printI64(i64)
define internal void @first() { call void @printI64(i64 1) ret void }
define internal void @second() { call void @printI64(i64 2) ret void }
define internal void @last() { call void @printI64(i64 4) ret void }
define void @main() { call void @printI64(i64 3) ret void }
"""
    assert run(text)[1] == "1234"


def test_device_error_stops_the_program():
    text = """
declare ptr @mgpuMemAlloc(i64, ptr, i8)
declare void @printI64(i64)
define void @main() {
  %p = call ptr @mgpuMemAlloc(i64 1000000, ptr null, i8 1)
  store i32 1, ptr %p
  call void @printI64(i64 1)
  ret void
}"""
    with pytest.raises(DeviceError, match=r"out of memory: gpu.alloc of 1000000 bytes"):
        run(text, memory=1000)


def test_c_library_and_libm_are_there():
    text = """
declare ptr @malloc(i64)
declare void @free(ptr)
declare float @cosf(float)
define float @main() {
  %p = call ptr @malloc(i64 4)
  store float 0.0, ptr %p
  %x = load float, ptr %p
  call void @free(ptr %p)
  %y = call float @cosf(float %x)
  ret float %y
}"""
    assert run(text)[0] == 1.0


def test_broken_ir_is_a_diagnostic():
    parts = ModuleParts(
        "define i32 @main() { ret i64 0 }", {"main": Definition([], "i32", False)}, {}, [], [], [],
        [], Uses(),
    )  # fmt: skip
    with pytest.raises(ProgramError, match="LLVM refuses the host program"):
        run_lowered(lambda _: LoweredProgram(parts, Locations()))


def test_what_is_declared_and_never_used_needs_no_definition():
    text = """
@elsewhere = external global i32
declare void @nowhere()
declare void @printI64(i64)
define i32 @main() { ret i32 3 }
"""
    assert run(text)[0] == 3
    used = text.replace("ret i32 3", "%v = load i32, ptr @elsewhere ret i32 %v")
    with pytest.raises(ProgramError, match="undefined symbol 'elsewhere'"):
        run(used)


def test_names_that_llvm_quotes():
    text = """
@"a b" = global i32 5
define i32 @"of \\C3\\A9"() { %v = load i32, ptr @"a b" ret i32 %v }
define i32 @main() { %v = call i32 @"of \\C3\\A9"() ret i32 %v }
"""
    assert run(text)[0] == 5
