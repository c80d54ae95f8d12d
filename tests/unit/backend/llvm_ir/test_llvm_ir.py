# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Translation to LLVM IR: folding, numbering, replaceable tables, errors."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import CallSiteLoc, Float32Type, IntegerType

from xgpu.backend.llvm_ir import canonical, nvvm, translate
from xgpu.backend.llvm_ir.types import symbol
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.syntax import parse_module
from xgpu.dialects.llvm.types import DataLayout, LLVMArrayType, LLVMPointerType, LLVMStructType
from xgpu.universe import get_all_dialects


def body(text: str) -> str:
    """The first function of the canonical translation."""
    ir = canonical(translate(parse_module(text)))
    return ir[ir.index("define") : ir.index("\n}\n") + 2]


def test_values_are_numbered_in_the_order_of_the_text() -> None:
    text = """
    llvm.func @f(%c: i1, %x: i32) -> i32 {
      llvm.cond_br %c, ^late, ^early
    ^early:
      %0 = llvm.add %x, %x : i32
      llvm.br ^join(%0 : i32)
    ^late:
      %1 = llvm.mul %x, %x : i32
      llvm.br ^join(%1 : i32)
    ^join(%r: i32):
      llvm.return %r : i32
    }"""
    assert body(text).splitlines()[1:] == [
        "  br i1 %0, label %5, label %3",
        "",
        "3:                                                ; preds = %2",
        "  %4 = add i32 %1, %1",
        "  br label %7",
        "",
        "5:                                                ; preds = %2",
        "  %6 = mul i32 %1, %1",
        "  br label %7",
        "",
        "7:                                                ; preds = %5, %3",
        "  %8 = phi i32 [ %6, %5 ], [ %4, %3 ]",
        "  ret i32 %8",
        "}",
    ]


def test_constants_are_folded() -> None:
    text = """
    llvm.mlir.global internal @g() {addr_space = 3 : i32} : !llvm.array<8 x f32>
    llvm.func @f() -> !llvm.struct<(i64, ptr)> {
      %0 = llvm.mlir.constant(2 : i64) : i64
      %1 = llvm.add %0, %0 : i64
      %2 = llvm.mlir.addressof @g : !llvm.ptr<3>
      %3 = llvm.getelementptr %2[0, 2] : (!llvm.ptr<3>) -> !llvm.ptr<3>, !llvm.array<8 x f32>
      %4 = llvm.addrspacecast %3 : !llvm.ptr<3> to !llvm.ptr
      %5 = llvm.mlir.poison : !llvm.struct<(i64, ptr)>
      %6 = llvm.insertvalue %1, %5[0] : !llvm.struct<(i64, ptr)>
      %7 = llvm.insertvalue %4, %6[1] : !llvm.struct<(i64, ptr)>
      llvm.return %7 : !llvm.struct<(i64, ptr)>
    }"""
    assert body(text).splitlines()[1] == (
        "  ret { i64, ptr } { i64 4, ptr addrspacecast (ptr addrspace(3) getelementptr inbounds "
        "nuw (i8, ptr addrspace(3) @g, i64 8) to ptr) }"
    )


def test_two_edges_to_one_block_go_through_a_block_of_their_own() -> None:
    text = """
    llvm.func @f(%c: i1, %x: i32, %y: i32) -> i32 {
      llvm.cond_br %c, ^b(%x : i32), ^b(%y : i32)
    ^b(%r: i32):
      llvm.return %r : i32
    }"""
    module = parse_module(text)
    ir = canonical(translate(module))
    assert "phi i32 [ %2, %" in ir or "phi i32 [ %1, %" in ir
    assert len(list(module.body.block.first_op.regions[0].blocks)) == 2  # pyright: ignore


def test_another_table_for_nvvm() -> None:
    text = """
    llvm.func @k() -> i32 attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32>} {
      %0 = nvvm.read.ptx.sreg.tid.x : i32
      llvm.return %0 : i32
    }"""

    def thread_id(w, op):  # pyright: ignore
        w.define(op.results[0], "add i32 40, 2")

    ir = translate(parse_module(text), nvvm_table={"nvvm.read.ptx.sreg.tid.x": thread_id})
    assert "add i32 40, 2" in ir
    assert "ptx_kernel" not in ir
    assert "nvvm.maxntid" not in ir


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("func.func @f() { return }", "cannot be converted to LLVM IR: missing"),
        (
            "llvm.func @f(%x: i32) { %0 = builtin.unrealized_conversion_cast %x : i32 to index\n"
            "llvm.return }",
            "LLVM Translation failed for operation: builtin.unrealized_conversion_cast",
        ),
        (
            'llvm.func @f() attributes {passthrough = [["noinline", "1"]]} { llvm.return }',
            "LLVM attribute 'noinline' does not expect a value, found '1'",
        ),
    ],
)
def test_errors_name_the_operation(text: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=message.replace("[", r"\[")):
        translate(parse_module(text))


def test_data_layout() -> None:
    layout = DataLayout("e-p3:32:32-i64:64")
    i8, i64, f32 = IntegerType(8), IntegerType(64), Float32Type()
    assert layout.size(LLVMPointerType(3)) == 4
    assert layout.size(LLVMPointerType()) == 8
    assert layout.offsets(LLVMStructType([i8, i64, f32])) == [0, 8, 16, 24]
    assert layout.size(LLVMArrayType(3, LLVMStructType([i8, f32], packed=True))) == 15
    assert DataLayout().align(i64) == 4


def test_symbols_are_quoted_where_llvm_asks_for_it() -> None:
    assert symbol("a.b$c") == "a.b$c"
    assert symbol("0a") == '"0a"'
    assert symbol('a "b"') == '"a \\22b\\22"'


INLINED = """
#file = #llvm.di_file<"a.cu" in "/">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C_plus_plus, file = #file, isOptimized = false, emissionKind = LineTablesOnly>
#kind = #llvm.di_subroutine_type<>
#f = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", file = #file, line = 1, subprogramFlags = Definition, type = #kind>
"""  # noqa: E501


def inlined(depth: int) -> str:
    """A function of `depth` operations, each of which was inlined into one in the line before."""
    line = 'loc(fused<#f>["a.cu":{n}:1])'
    lines = [f"#loc0 = {line.format(n=1)}"]
    lines += [
        f"#at{n} = {line.format(n=n + 1)}\n#loc{n} = loc(callsite(#at{n} at #loc{n - 1}))"
        for n in range(1, depth)
    ]
    ops = [f"  %{n} = llvm.add %a, %a : i32 loc(#loc{n})" for n in range(depth)]
    function = ["llvm.func @f(%a: i32) {", *ops, "  llvm.return", "} loc(fused<#f>[unknown])"]
    return "\n".join([INLINED, *lines, *function, ""])


def test_locations_are_not_hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    module = parse_module(inlined(60))
    count = 0
    plain = CallSiteLoc.__hash__

    def counted(location: CallSiteLoc) -> int:
        nonlocal count
        count += 1
        return plain(location)

    monkeypatch.setattr(CallSiteLoc, "__hash__", counted)
    text = translate(module)
    assert text.count("inlinedAt: ") == 59
    assert text.count(", !dbg !") == 61
    assert count == 0
    assert "!dbg" not in translate(module, locates=False).partition("!0 = ")[0].partition("{")[2]


#: Operations of nvvm that are inline assembly in LLVM IR, by the words that ODS has for them.
ASSEMBLY = {
    "nvvm.barrier.arrive", "nvvm.inline_ptx", "nvvm.mbarrier.try_wait.parity",
    "nvvm.wgmma.mma_async",
}  # fmt: skip


def test_each_operation_of_nvvm_has_a_translation() -> None:
    names = [operation.name for operation in get_all_dialects()["nvvm"]().operations]
    assert len(names) > 100
    assert {name for name in names if nvvm.emitter(name) is None} == ASSEMBLY, (
        "write a row of `PLAIN` or `EMIT`: docs/howto/add-an-intrinsic.md"
    )
