# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR in: bitcode, text of older LLVMs, what is broken."""

from __future__ import annotations

import os
import pathlib
import random
import re
import sys
import threading
from functools import cache

import pytest

from tests.support import processes
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.ods.table_files import read_intrinsics
from xgpu.core.syntax import diagnostics, print_module
from xgpu.core.syntax.verify import verify_module
from xgpu.frontend.llvm_ir import Options, call_import, import_module

FILECHECK = pathlib.Path(__file__).parents[3] / "filecheck" / "frontend" / "llvm_ir"
SOURCES = {
    file.stem: file.read_text()
    for file in sorted(FILECHECK.glob("*.ll"))
    if not file.stem.startswith("invalid")
}


def imported(source: str | bytes, **options: bool) -> str:
    module = import_module(source, "<stdin>", Options(**options))
    verify_module(module)
    return print_module(module, debuginfo=True)


def bitcode(text: str) -> bytes:
    import llvmlite.binding as llvm

    return llvm.parse_assembly(text, llvm.create_context()).as_bitcode()


@pytest.mark.usefixtures("llvm_here")
@pytest.mark.parametrize("name", [n for n in SOURCES if n not in ("warnings", "deviations")])
def test_bitcode_is_text(name: str) -> None:
    text = SOURCES[name]
    # Bitcode keeps the name that the text had when it was made.
    expected = imported(text).replace("<stdin>", "<string>")
    assert imported(bitcode(text)).replace("<stdin>", "<string>") == expected


def test_broken_bitcode_is_an_error() -> None:
    whole = bitcode(SOURCES["nvvm"])
    for size in (4, 40, len(whole) // 2):
        with pytest.raises(DiagnosticError) as caught:
            imported(whole[:size])
        (diagnostic,) = caught.value.diagnostics
        assert diagnostic.severity == "error"
        assert diagnostic.message


def test_older_text_is_upgraded() -> None:
    text = """\
define void @f(ptr nocapture %p, float %x) {
  call void @llvm.dbg.value(metadata float %x, metadata !4, metadata !DIExpression()), !dbg !6
  call void @llvm.nvvm.barrier0()
  ret void
}
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @llvm.nvvm.barrier0()
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !2)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "f.c", directory: "/")
!3 = distinct !DISubprogram(name: "f", scope: !2, file: !2, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DILocalVariable(name: "x", scope: !3)
!6 = !DILocation(line: 1, scope: !3)
"""
    found = imported(text)
    assert "%arg0: !llvm.ptr {llvm.nocapture}" in found
    assert 'llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"' in found
    assert "llvm.intr.dbg.value #di_local_variable = %arg1 : f32" in found


@pytest.mark.usefixtures("llvm_here")
def test_options() -> None:
    text = """\
%pair = type { i32, float }
@g = external global %pair
define i32 @f(i32 %x) {
  %1 = call i32 @llvm.abs.i32(i32 %x, i1 false)
  ret i32 %1
}
"""
    assert '!llvm.struct<"pair", (i32, f32)>' in imported(text)
    assert ": !llvm.struct<(i32, f32)>" in imported(text, import_structs_as_literals=True)
    by_name = imported(text, prefer_unregistered_intrinsics=True)
    assert 'llvm.call_intrinsic "llvm.abs.i32"(%arg0, %0)' in by_name


def test_contexts_do_not_meet() -> None:
    # A struct's name is its own in each module, whatever was imported before.
    text = "%s = type { i32 }\n@g = external global %s\n"
    assert imported(text) == imported(text)


def test_a_place_in_the_users_text() -> None:
    text = "\n\ndefine void @f() {\n  ret void\n}\ndefine i64 @g(ptr %p) {\n"
    text += "    %a   =   ptrtoaddr ptr   %p to i64 ; odd\n  ret i64 %a\n}\n"
    with pytest.raises(DiagnosticError) as caught:
        imported(text)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostics.render(diagnostic).splitlines()[0] == (
        "<stdin>:7:5: error: unhandled instruction:   %a = ptrtoaddr ptr %p to i64"
    )


@pytest.mark.parametrize("count", [2, pytest.param(40, marks=pytest.mark.long)])
def test_nothing_but_diagnostics(count: int) -> None:
    """Texts with a token too few, too many, or another one: an error, or a module that verifies."""
    rng = random.Random(22)
    refused = 0
    for text in [SOURCES[name] for name in ("control-flow", "memory", "metadata", "debug-info")]:
        words = re.findall(r"\s+|[\w.%@!\"]+|.", re.sub(r"(?m)^;.*\n", "", text))
        for _ in range(count):
            changed = list(words)
            at = rng.randrange(len(words))
            changed[at] = rng.choice(("", words[rng.randrange(len(words))], "null", "0"))
            try:
                with diagnostics.collect():
                    imported("".join(changed))
            except DiagnosticError:
                refused += 1
    assert refused > 1.5 * count


def test_llvm_may_end_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a copy of this process, whatever thread asks for it, and in a fresh one where the system
    has no copies."""
    text = """\
define void @f() !dbg !3 {
a:
  br label %a
}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2)
!2 = !DIFile(filename: "f.c", directory: "/")
!3 = distinct !DISubprogram(name: "f", scope: !2, file: !2, spFlags: DISPFlagDefinition, unit: !1)
"""
    messages: list[str] = []

    def refused() -> None:
        with pytest.raises(DiagnosticError) as caught:
            imported(text)
        messages.append(caught.value.diagnostics[0].message)

    refused()
    other = threading.Thread(target=refused)
    other.start()
    other.join()
    monkeypatch.delattr(os, "fork")
    refused()
    assert messages == ["Entry block to function must not have predecessors!; label %a"] * 3


def test_loading_the_import_loads_no_llvm() -> None:
    code = "import sys, xgpu.frontend.llvm_ir; sys.exit('llvmlite' in sys.modules)"
    assert processes.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_intrinsic_written_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [*read_intrinsics(), ["nvvm.barrier0", "llvm.nvvm.by.hand", "", ""]]
    monkeypatch.setattr(call_import, "read_intrinsics", lambda: rows)
    monkeypatch.setattr(call_import, "_rows", cache(call_import._rows.__wrapped__))
    text = (
        "declare void @llvm.nvvm.by.hand()\ndefine void @f() {\n  call void @llvm.nvvm.by.hand()\n"
    )
    assert "nvvm.barrier0" in imported(text + "  ret void\n}")
