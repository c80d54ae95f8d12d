# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole modules of PTX: what is read, the operations that it becomes, and what is refused."""

from __future__ import annotations

import random
import re

import pytest

from tests.support.some_cases import each
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.syntax import print_module
from xgpu.core.syntax.verify import verify_module
from xgpu.frontend.ptx import import_module
from xgpu.frontend.ptx.grammar import Instruction, Reader, Scope, Value
from xgpu.frontend.ptx.module_reader import read_modules

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"


def kernel(body: str, parameters: str = ".param .u64 o", before: str = "") -> str:
    """A module with a kernel `k`."""
    return (
        f"{HEAD}{before}\n.visible .entry k({parameters})\n{{\n"
        f".reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .pred %p<5>;\n{body}\nret;\n}}\n"
    )


def imported(text: str, **printing: bool) -> str:
    """What a text becomes, printed, checked."""
    module = import_module(text, "k.ptx")
    verify_module(module)
    return print_module(module, **printing)  # pyright: ignore[reportArgumentType]


def lines_of(text: str, **printing: bool) -> list[str]:
    return [line.strip() for line in imported(text, **printing).splitlines()]


# -- the reader


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1), ("0x1FU", 31), ("017", 15), ("0b101", 5), ("-3", -3), ("~0", -1), ("!4", 0),
        ("1+2*3", 7), ("(1+2)*3", 9), ("7-2-1", 4), ("1<<4|1", 17), ("5>2", 1), ("5>2 ? 7 : 9", 7),
        ("0 ? 7 : 9", 9), ("-7/2", -3), ("7%4", 3), ("WARP_SZ*2", 64), ("(.u64)5", 5),
        ("1 == 1 && 2 != 2", 0), ("0xFFFFFFFFFFFFFFFF", (1 << 64) - 1),
    ],
)  # fmt: skip
def test_constant_expressions(text: str, value: int) -> None:
    assert Reader(text).constant().value == value


@pytest.mark.parametrize(
    ("text", "bits", "width"),
    [
        ("0f3F800000", 0x3F800000, 32), ("-0f3F800000", 0xBF800000, 32),
        ("0d4000000000000000", 1 << 62, 64), ("2.0", 1 << 62, 64), ("2e0", 1 << 62, 64),
    ],
)  # fmt: skip
def test_floats(text: str, bits: int, width: int) -> None:
    number = Reader(text).constant()
    assert (number.value, number.width) == (bits, width)


def test_a_module_is_read() -> None:
    text = f"""{HEAD}
    .file 1 "a \\"b\\".cu"
    .visible .global .align 8 .u64 table[2] = {{ generic(x)+8, x }};
    .extern .shared .align 16 .b8 dynamic[];
    .weak .func (.param .b32 r) f (.param .align 8 .b8 s[24], .reg .pred p) .noreturn;
    .entry k (.param .u64 .ptr .global .align 16 a) .maxntid 128, 2 .minnctapersm 3 {{
      {{ .reg .b32 %r<2>; inner: bra inner; }}
    }}
    .section .debug_abbrev {{ .b8 1 }}
    """
    (module,) = read_modules(text)
    table, dynamic = module.variables
    assert module.files == {1: 'a "b".cu'}
    assert (table.linkage, table.align, table.sizes) == ("visible", 8, [2])
    assert isinstance(table.initial, list)
    first, second = table.initial
    assert isinstance(first, Value)
    assert isinstance(second, Value)
    assert (first.symbol, first.generic, first.number) == ("x", True, 8)
    assert (second.symbol, second.generic) == ("x", False)
    assert (dynamic.linkage, dynamic.sizes, dynamic.align) == ("extern", [None], 16)
    declared, entry = module.functions
    assert declared.body is None
    assert [p.space for p in declared.parameters] == ["param", "reg"]
    assert entry.parameters[0].pointee == ("global", 16)
    assert entry.marks == {".maxntid": [128, 2], ".minnctapersm": [3]}
    assert entry.body is not None
    (scope,) = entry.body.statements
    assert isinstance(scope, Scope)
    jump = scope.statements[-1]
    assert isinstance(jump, Instruction)
    assert jump.opcode == "bra"


# -- operations


def test_registers_are_values() -> None:
    """A register that is written on one of two ways is an argument of the block where they join;
    one that is not, and one that is written again, are none."""
    found = lines_of(kernel("""
      ld.param.u64 %rd1, [o];
      mov.u32 %r1, %tid.x;
      mov.u32 %r2, 5;
      mov.u32 %r3, 1;
      setp.eq.s32 %p1, %r1, 0;
      @%p1 bra $L1;
      add.s32 %r2, %r1, 7;
    $L1:
      mov.u32 %r3, %r2;
      add.s32 %r3, %r3, %r1;
      st.u32 [%rd1], %r3;"""))  # fmt: skip
    (block,) = (line for line in found if line.startswith("^bb") and "(" in line)
    assert re.fullmatch(r"\^bb2\((%\d+): i32\):.*", block)
    assert sum(": i32, !llvm.ptr" in line for line in found) == 1
    assert not any("alloca" in line for line in found)


def test_a_loop_has_arguments_for_what_it_changes() -> None:
    found = imported(kernel("""
      ld.param.u64 %rd1, [o];
      cvta.to.global.u64 %rd2, %rd1;
      mov.f32 %f1, 0f00000000;
      mov.u32 %r1, 0;
    $L:
      ld.global.f32 %f2, [%rd2];
      add.f32 %f1, %f1, %f2;
      add.s64 %rd2, %rd2, 4;
      add.s32 %r1, %r1, 1;
      setp.lt.s32 %p1, %r1, 9;
      @%p1 bra $L;
      st.f32 [%rd1], %f1;"""))  # fmt: skip
    (block,) = re.findall(r"\^bb1\((.*?)\):", found)
    assert sorted(re.findall(r": (.*?)(?:,|$)", block)) == ["!llvm.ptr<1>", "f32", "i32"]
    assert "inttoptr" not in found
    assert "ptrtoint" not in found


def test_addresses_are_computed_by_getelementptr() -> None:
    found = imported(kernel("""
      ld.param.u64 %rd1, [o];
      mov.u32 %r1, %tid.x;
      mul.wide.u32 %rd2, %r1, 4;
      add.s64 %rd3, %rd1, %rd2;
      mad.wide.u32 %rd4, %r1, 8, %rd3;
      sub.s64 %rd5, %rd4, %rd2;
      st.u32 [%rd5+16], %r1;"""))  # fmt: skip
    assert found.count("llvm.getelementptr") == 4
    assert "inttoptr" not in found


def test_an_offset_of_more_than_32_bits() -> None:
    found = imported(kernel("ld.param.u64 %rd1, [o]; st.u32 [%rd1+4000000000000], %r1;"))
    assert "llvm.mlir.constant(4000000000000 : i64) : i64" in found


def test_the_first_element_of_an_array_is_the_array() -> None:
    body, before = "mov.u64 %rd1, x{}; st.u32 [%rd1], %r1;", ".global .u32 x[4];\n"
    named = imported(kernel(body.format(""), before=before))
    assert imported(kernel(body.format("[0]"), before=before)).count("@x") == named.count("@x") > 0


def test_parameters() -> None:
    """What is used as an address is a pointer; what is computed with is a number."""
    text = kernel(
        "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [n]; ld.param.f32 %f1, [x];"
        "ld.param.u32 %r1, [s+4]; shl.b64 %rd3, %rd2, 2; add.s64 %rd4, %rd1, %rd3;"
        "st.f32 [%rd4], %f1; st.u32 [%rd4+4], %r1;",
        ".param .u64 a, .param .u64 n, .param .f32 x, .param .align 4 .b8 s[12],"
        ".param .u64 .ptr .const .align 4 c",
    )
    (line,) = (line for line in lines_of(text) if line.startswith("llvm.func"))
    assert line == (
        "llvm.func @k(%arg0: !llvm.ptr, %arg1: i64, %arg2: f32, %arg3: !llvm.ptr {llvm.align = 4 : "
        "i64, llvm.byval = !llvm.array<12 x i8>}, %arg4: !llvm.ptr<4>) attributes {nvvm.kernel} {"
    )


def test_directives_are_attributes() -> None:
    text = kernel("").replace(
        "(.param .u64 o)", "(.param .u64 o) .maxntid 256, 1, 1 .reqntid 64 .minnctapersm 2 .maxnreg"
        " 40 .reqnctapercluster 2, 1, 1",
    )  # fmt: skip
    (line,) = (line for line in lines_of(text) if line.startswith("llvm.func"))
    assert "nvvm.maxntid = array<i32: 256, 1, 1>" in line
    assert "nvvm.reqntid = array<i32: 64>" in line
    assert "nvvm.minctasm = 2 : i32" in line
    assert "nvvm.maxnreg = 40 : i32" in line
    assert "nvvm.cluster_dim = array<i32: 2, 1, 1>" in line


def test_locations() -> None:
    text = kernel("""
      ld.param.u64 %rd1, [o];
      .loc 1 7 3
      mov.u32 %r1, %tid.x;
      .loc 2 9 5, function_name $str+4, inlined_at 1 8 2
      st.u32 [%rd1], %r1;""") + '.file 1 "a.cu"\n.file 2 "b.h"\n'  # fmt: skip
    found = imported(text, debuginfo=True, local_scope=True)
    assert "llvm.store" in found
    assert '"a.cu":7:3' in found
    assert 'callsite("b.h":9:5 at "a.cu":8:2)' in found
    assert '"k.ptx":5:17' in found  # the function


def test_what_has_no_operation_stays_assembly() -> None:
    found = imported(kernel(
        "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%r3+16];"
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd1, %rd2}, {%rd3}, {%rd4},"
        " {%rd1, %rd2};"
    ))  # fmt: skip
    assert 'm8n8.x2.shared.b16 {$0, $1}, [$2+16];", "=r,=r,r"' in found
    assert '{$0, $1}, {$2}, {$3}, {$4, $5};", "=d,=d,l,l,l,l"' in found


def test_neighbours_with_one_predicate_share_a_branch() -> None:
    found = imported(kernel("""
      ld.param.u64 %rd1, [o];
      mov.u32 %r1, %tid.x;
      setp.eq.s32 %p1, %r1, 0;
      @%p1 st.u32 [%rd1], %r1;
      @%p1 st.u32 [%rd1+4], %r1;
      @!%p1 st.u32 [%rd1+8], %r1;
      @%p1 add.s32 %r1, %r1, 1;
      st.u32 [%rd1+12], %r1;"""))  # fmt: skip
    assert found.count("llvm.cond_br") == 2
    assert found.count("llvm.select") == 1


def test_a_loop_around_try_wait_is_one_operation() -> None:
    found = imported(kernel("""
    { .reg .pred P1;
    LAB_WAIT: mbarrier.try_wait.parity.shared::cta.b64 P1, [%r1], %r2;
      @P1 bra.uni DONE; bra.uni LAB_WAIT;
    DONE: }"""))  # fmt: skip
    assert "nvvm.mbarrier.try_wait.parity" in found
    assert "cond_br" not in found


def test_modules_are_linked() -> None:
    """A definition stands for declarations, one that is not weak for those that are; what only one
    module sees keeps its own memory."""
    first = (
        HEAD
        + """
    .global .b32 own = 1;
    .extern .func (.param .b32 r) f(.param .b64 p);
    .weak .func g() { ret; }
    .visible .entry k(.param .u64 o) {
      .reg .b64 %rd<3>; .reg .b32 %r<3>;
      mov.u64 %rd1, own;
      { .param .b64 a; st.param.b64 [a], %rd1; .param .b32 r; call (r), f, (a); }
      ret;
    }
    """
    )
    second = (
        HEAD
        + """
    .global .b32 own = 2;
    .visible .func g() { .reg .b32 %r; ld.global.u32 %r, [own]; ret; }
    .visible .func (.param .b32 r) f(.param .b64 p) { ret; }
    """
    )
    found = imported(first + second)
    assert found.count("llvm.func @f(") == 1
    assert found.count("llvm.func @g(") == 1
    assert "llvm.func weak" not in found
    assert "@own(1 : i32)" in found
    assert "@own_1(2 : i32)" in found
    with pytest.raises(DiagnosticError, match="'k' is defined twice"):
        import_module(first + first, "k.ptx")


def test_a_result_that_the_definition_does_not_give() -> None:
    """Two modules whose declarations differ: the call is one without a result."""
    call = "{ .param .b32 a; call.uni (a), f, (); }"
    other = "\n.visible .func f() { ret; }\n"
    found = imported(
        HEAD + ".extern .func (.param .b32 r) f();\n.visible .entry k() { " + call + " ret; }"
        + HEAD + other
    )  # fmt: skip
    assert "llvm.call @f() : () -> ()" in found
    two = call.replace("(a)", "(a, a)")
    with pytest.raises(DiagnosticError, match="its results"):
        import_module(HEAD + other + ".visible .entry k() { " + two + " ret; }", "k.ptx")


# -- errors


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, {%f1,%f2}];", "8:1: error: 'tex.2d"),
        ("\n suld.b.1d.b32.trap {%r1}, [s, {%r2}];", "9:2: error: 'suld.b.1d"),
        (
            "st.u32 [x], %r1;",
            "8:1: error: 'st.u32 [x], %r1;' is not supported: 'x' is not declared",
        ),
        ("call f;", "error: 'call f;' is not supported: 'f' is not declared"),
        ("bra nowhere;", "error: 'bra nowhere;': its target is no label"),
        ("L: L: ret;", "8:4: error: 'L': the label is there twice"),
        ("add.u32 %r1, %r2;", "8:1: error: 'add.u32 %r1, %r2;' is not supported"),
        ("mov.u32 %r1, 1", "error: expected ';', but found 'ret"),
        ("brx.idx %r1, L;", "error: 'brx.idx %r1, L;': its targets are not known"),
        (".tex .u64 t;", "8:1: error: "),
        ("mov.u32 %r1, (1/0)+1;", "the constant has no value"),
        ("mov.u64 %rd1, %r1[0];", "8:1: error: '%r1' is no array"),
        (
            "mov.u32 %r1, %tid.x; cvt.u64.u32 %rd1, %r1; alloca.u64 %rd2, %rd1;",
            "8:45: error: 'alloca.u64 %rd2, %rd1;' is not supported: memory of a size known only "
            "at run time",
        ),
        (
            "L: alloca.u64 %rd2, 8; bra L;",
            "8:4: error: 'alloca.u64 %rd2, 8;' is not supported: it is in a loop",
        ),
    ],
)
def test_errors_have_a_line(body: str, message: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        import_module(kernel(body), "k.ptx")
    assert message in str(caught.value)
    assert "k.ptx:" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".target sm_80", "1:1: error: a module begins with '.version'"),
        (".version 99.0\n.target sm_80", "1:10: error: expected a version of PTX, such as 8.7"),
        (".version 8\n.target sm_80", "1:10: error: expected a version of PTX, such as 8.7"),
        (".version 8.0\n.target foo", "2:9: error: expected a target, such as sm_90, but found"),
        (".version 8.0\n// nothing", "error: the text ends too early"),
        (".version 8.0\n.version 8.0\n.target sm_80", "2:1: error: "),
        (HEAD + ".global .texref t;", "error: '.texref' is not supported"),
        (HEAD + ".surfref s;", "'.surfref' is not supported"),
        (HEAD.replace("64", "32"), "only addresses of 64 bits are supported"),
        (HEAD + ".global .b8 x[2] = {1, 2, 3};", "too many values"),
        (HEAD + ".global .u64 x = y;", "'y' is not declared"),
        (HEAD + ".global .align 3 .b8 x;", "an alignment is a power of two"),
        (HEAD + ".entry k() { ret; } .entry k() { ret; }", "'k' is defined twice"),
        (HEAD + ".entry k() {", "the text ends too early"),
        (
            HEAD + ".func g() { ret; } .alias f, g;",
            "4:27: error: 'f' is no function without a body",
        ),
        (HEAD + ".func f(); .alias f, g;", "error: 'g' is no function of the module"),
        (HEAD + '.entry k() "', "no word of PTX"),
    ],
)
def test_errors_of_modules(text: str, message: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        import_module(text, "k.ptx")
    assert message in str(caught.value)


_GOOD = kernel("""
  ld.param.u64 %rd1, [o];
  mov.u32 %r1, %tid.x;
$L:
  setp.lt.s32 %p1, %r1, 9;
  @%p1 add.s32 %r1, %r1, (3<<1)|1;
  @%p1 bra $L;
  { .param .b64 a[2]; st.param.b64 [a+8], %rd1; .param .b32 r; call (r), f, (a); }
  mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd1, %rd2}, {%rd3}, {%rd4}, {%rd1, %rd2};
  st.global.v2.u32 [%rd1+4], {%r1, %r2};
""", before=".global .u64 x[2] = {generic(x)+8, 5};\n"
     ".func (.param .b32 r) f(.param .align 8 .b8 a[16]) { ret; }")  # fmt: skip


@pytest.mark.parametrize("seed", each(range(40), 8))
def test_nothing_but_diagnostics(seed: int) -> None:
    """Texts with mistakes, fifty of each seed, are refused or read; no other exception ends it."""
    r = random.Random(seed)
    pieces = re.findall(r"\s+|[\w.%$]+|.", _GOOD)
    odd = ["0", "-1", "9" * 30, "{", "}", "[", "(", ")", ",", ";", ".v4", ".pred", "%tid.x", "!"]
    imported(_GOOD)
    problems: list[str] = []
    for _ in range(50):
        given = list(pieces)
        for _ in range(r.randint(1, 3)):
            at = r.randrange(len(given))
            given[at] = r.choice([*odd, "", r.choice(given)])
        try:
            verify_module(import_module("".join(given), "k.ptx"))
        except DiagnosticError as problem:
            problems.append(str(problem))
    assert all("k.ptx:" in problem for problem in problems)


# -- types of operands

_TYPED = ".reg .b16 %h<3>; .reg .s32 %i<3>; .reg .u64 %l<3>; .reg .f64 %d<3>; .reg .v4 .f32 v;\n"


@pytest.mark.parametrize(
    ("instruction", "message"),
    [
        ("add.s32 %r1, %r2, %f1;", "an operand of type '.s32', but found %f1 of type '.f32'"),
        ("add.s32 %f1, %r1, %r2;", "an operand of type '.s32', but found %f1 of type '.f32'"),
        ("add.f32 %f1, %i1, %f2;", "an operand of type '.f32', but found %i1 of type '.s32'"),
        ("add.f64 %d1, %f1, %d2;", "an operand of type '.f64', but found %f1 of type '.f32'"),
        ("add.f32 %f1, %f2, 1;", "an operand of type '.f32', but found an integer"),
        ("add.f64 %d1, %d2, 0f3F800000;", "type '.f64', but found a float of 32 bits"),
        ("add.u32 %r1, %r2, 1.5;", "type '.u32', but found a float of 64 bits"),
        ("mul.wide.u32 %r1, %r2, %r3;", "type '.u64', but found %r1 of type '.b32'"),
        ("mad.wide.s16 %r1, %h1, %h2, %h0;", "type '.s32', but found %h0 of type '.b16'"),
        ("shl.b64 %rd1, %rd2, %rd3;", "type '.u32', but found %rd3 of type '.b64'"),
        ("popc.b64 %rd1, %rd2;", "type '.u32', but found %rd1 of type '.b64'"),
        ("add.f32.f16 %f1, %f2, %f3;", "type '.f16', but found %f2 of type '.f32'"),
        ("mov.b32 {%r1, %r2}, %r3;", "type '.b16', but found %r1 of type '.b32'"),
        ("mov.b64 %rd1, {%h1, %h2};", "type '.b32', but found %h1 of type '.b16'"),
        ("mov.u32 %f1, %tid.x;", "type '.u32', but found %f1 of type '.f32'"),
        ("mov.u64 %rd1, %tid.x;", "type '.u64', but found %tid.x of type '.u32'"),
        ("mov.u32 %r1, %clock64;", "type '.u32', but found %clock64 of type '.u64'"),
        ("mov.f32 %f1, v;", "type '.f32', but found registers in braces"),
        ("setp.lt.s32 %r1, %r2, %r3;", "type '.pred', but found %r1 of type '.b32'"),
        ("setp.lt.f32 %p1|%r1, %f2, %f3;", "type '.pred', but found %r1 of type '.b32'"),
        ("selp.b32 %r1, %r2, %r3, %r4;", "type '.pred', but found %r4 of type '.b32'"),
        ("and.pred %p1, %p2, !%r1;", "type '.pred', but found %r1 of type '.b32'"),
        ("@%r1 mov.u32 %r2, 1;", "type '.pred', but found %r1 of type '.b32'"),
        ("cvt.f32.s32 %r1, %f1;", "type '.s32', but found %f1 of type '.f32'"),
        ("cvt.u64.u32 %r1, %r2;", "type '.u64', but found %r1 of type '.b32'"),
        ("cvt.rn.f16.f32 %f1, %f2;", "type '.f16', but found %f1 of type '.f32'"),
        ("cvt.rn.f16x2.f32 %r1, %f1, %r2;", None),
        ("ld.global.f32 %i1, [%rd1];", "type '.f32', but found %i1 of type '.s32'"),
        ("ld.global.u64 %r1, [%rd1];", "type '.u64', but found %r1 of type '.b32'"),
        ("ld.global.v2.u32 {%r1, %f1}, [%rd1];", "type '.u32', but found %f1 of type '.f32'"),
        ("ld.global.u32 %r1, [%f1];", "expected an address, but found %f1 of type '.f32'"),
        ("ld.global.u32 %r1, [%h1];", "expected an address, but found %h1 of type '.b16'"),
        ("st.global.f64 [%rd1], %f1;", "type '.f64', but found %f1 of type '.f32'"),
        ("atom.global.add.f32 %f1, [%rd1], %i1;", "type '.f32', but found %i1 of type '.s32'"),
        ("shfl.sync.up.b32 %rd1, %r1, 1, 0, -1;", "type '.b32', but found %rd1 of type '.b64'"),
        ("vote.sync.ballot.b32 %r1, %r2, -1;", "type '.pred', but found %r2 of type '.b32'"),
        ("bar.sync %rd1;", "type '.u32', but found %rd1 of type '.b64'"),
        (
            "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0, %d1}, {%f1}, {%d1}, {%d0, %d1};",
            "type '.f64', but found %f1 of type '.f32'",
        ),
        ("cvt.u32.u8 %r1, %h1; cvt.s16.s32 %r1, %l1; cvt.rzi.s32.f32 %l1, %f1;", None),
        ("ld.global.u8 %i1, [%rd1]; ld.global.b32 %d1, [%l1]; st.global.b8 [%l1], %f1;", None),
        ("mov.b32 %f1, %i1; mov.b64 %rd1, {%f1, %r1}; mov.b64 {%h1, %h2, %h0, _}, %d1;", None),
        ("mov.u16 %h1, %tid.x; mov.v4.f32 v, {0f00000000, %f1, 1.5, %r1};", None),
        ("mul.wide.u16 %r1, %h1, 3; popc.b64 %i1, %l1; fma.rn.f32.f16 %f1, %h1, %h2, %r1;", None),
        ("add.rn.bf16x2 %r1, %i1, %r2; @!%p1 selp.f32 %f1, %r1, 0f3F800000, %p2;", None),
    ],
)  # fmt: skip
def test_types_of_operands(instruction: str, message: str | None) -> None:
    """PTX ISA, type checking: what is refused at its place with both types, and what is not."""
    text = kernel(_TYPED + instruction)
    if message is None:
        imported(text)
        return
    with pytest.raises(DiagnosticError) as caught:
        import_module(text, "k.ptx")
    assert f"k.ptx:9:1: error: '{instruction}': expected" in str(caught.value)
    assert message in str(caught.value)
