# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the language server answers, without the protocol around it."""

from __future__ import annotations

import pathlib
import random
import re

import pytest

from xgpu.core.ir.errors import UsageError
from xgpu.core.syntax.lexer import tokenize
from xgpu.tools.lsp import checks, completion, layout, navigation
from xgpu.tools.lsp.document import Chunk, Document

ROOT = pathlib.Path(__file__).parents[4]

TEXT = """// RUN: xgpu-opt %s --canonicalize
#map = affine_map<(d0) -> (d0)>
func.func @f(%a: i32, %n: index, %m: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a) -> (i32, i32) {
    %twice = arith.muli %x, %y : i32
    memref.store %twice, %m[%i] : memref<?xi32>
    scf.yield %twice, %y : i32, i32
  }
  %r = arith.addi %q#1, %q#0 : i32
  return %r : i32
}
func.func @g(%a: i1) {
  cf.cond_br %a, ^bb1, ^bb2
^bb1:
  cf.br ^bb2
^bb2:
  return
}
module @inner {
  func.func private @f()
  func.func @h() {
    call @f() : () -> ()
    return
  }
}
"""


def place(document: Document, text: str, part: str = "") -> tuple[Chunk, int]:
    """The chunk and the offset of `part` in the only line that holds `text`."""
    assert document.text.count(text) == 1, text
    at = document.text.index(text) + (text.index(part) if part else 0)
    return document.at(*document.position(at))


def line_of(document: Document, chunk: Chunk, offset: int) -> int:
    return document.position(chunk.offset + offset)[0]


# -- positions


def test_positions_are_in_units_of_the_encoding() -> None:
    text = "// é😀\n%x\n"
    for encoding, end in (("utf-8", 9), ("utf-16", 6), ("utf-32", 5)):
        document = Document(text, encoding=encoding)
        assert document.position(text.index("\n")) == (0, end)
        assert document.offset(0, end) == text.index("\n")
        assert document.offset(0, 99) == text.index("\n")
        assert document.offset(9, 0) == len(text)


# -- names


@pytest.mark.parametrize(
    ("use", "part", "line"),
    [
        ("iter_args(%x = %a", "%a", 2),
        ("muli %x, %y", "%y", 5),
        ("store %twice", "%twice", 6),
        ("addi %q#1", "%q", 5),
        ("cf.br ^bb2", "^bb2", 17),
        ("cond_br %a", "%a", 13),
        ("call @f()", "@f", 21),
    ],
)
def test_definition(use: str, part: str, line: int) -> None:
    document = Document(TEXT)
    chunk, offset = place(document, use, part)
    found = navigation.definition(chunk, offset)
    assert found is not None
    assert line_of(document, chunk, found.start) == line


def test_references_stay_in_their_scope() -> None:
    document = Document(TEXT)
    chunk, offset = place(document, "@f(%a", "%a")
    found = navigation.references(chunk, offset)
    assert [line_of(document, chunk, token.start) for token in found] == [2, 5, 5]


def test_nested_symbols_resolve_by_their_path() -> None:
    text = (
        "module @a { gpu.module @k { gpu.func @f() kernel { gpu.return } } }\n"
        'module @b { gpu.module @k { gpu.func @f() kernel { gpu.return } } "x.y"() '
        "{s = @k::@f} : () -> () }"
    )
    document = Document(text)
    chunk, offset = place(document, "@k::@f", "@f")
    found = navigation.definition(chunk, offset)
    assert found is not None
    assert (line_of(document, chunk, found.start), chunk.text[found.start :][:2]) == (1, "@f")


def test_rename() -> None:
    document = Document(TEXT)
    chunk, offset = place(document, "%twice = ")
    name, places = navigation.rename(chunk, offset, "square")
    assert name == "%square"
    assert [line_of(document, chunk, token.start) for token in places] == [6, 7, 8]
    for new, message in (("a b", "no name of this kind"), ("%q", "defined already")):
        with pytest.raises(UsageError, match=message):
            navigation.rename(chunk, offset, new)
    chunk, offset = place(document, "addi %q", "addi")
    with pytest.raises(UsageError, match="no name here"):
        navigation.rename(chunk, offset, "x")


@pytest.mark.parametrize(
    ("text", "part", "words"),
    [
        (
            "%c1 = arith",
            "%c1",
            ["%c1 : index", "Result 0 (`result`) of `arith.constant`", "1 : ind"],
        ),
        ("addi %q#1", "%q", ["%q#1 : i32", "Result 1 of `scf.for`"]),
        ("scf.for %i", "%i", ["%i : index", "Argument 0 of a block of `scf.for`", "Between `0`"]),
        ("arith.muli", "arith.muli", ["MLIR's operation `arith.muli`", "%twice = arith.muli"]),
        ("cf.br ^bb2", "^bb2", ["^bb2()", "2 predecessors"]),
        ("call @f()", "@f", ["func.func private @f()", "1 references"]),
    ],
)
def test_hover(text: str, part: str, words: list[str]) -> None:
    chunk, offset = place(Document(TEXT), text, part)
    found = navigation.hover(chunk, offset)
    assert found is not None
    assert [word for word in words if word not in found.text] == []


@pytest.mark.parametrize(
    ("operation", "words"),
    [
        ("arith.addi %one, %one : i32", "Always `2 : i32`"),
        ("arith.subi %x, %x : i32", "Always `0 : i32`"),
        ("arith.addf %half, %half : f32", "Always `1.000000e+00 : f32`"),
        ("arith.cmpi slt, %one, %two : i32", "Always `true`"),
        ("arith.andi %x, %two : i32", "Between `0` and `2`"),
        ("gpu.thread_id x upper_bound 64", "Between `0` and `63`"),
    ],
)
@pytest.mark.parametrize("count", [0, 1_500])
def test_what_is_known_of_a_value(operation: str, words: str, count: int) -> None:
    """In a long function it follows from a part of it."""
    many = "  %m{} = arith.addi %x, %x : i32\n"
    text = f"""func.func @f(%x: i32) {{
  %one = arith.constant 1 : i32
  %two = arith.addi %one, %one : i32
  %half = arith.constant 0.5 : f32
{"".join(many.format(n) for n in range(count))}  %found = {operation}
  return
}}
"""
    chunk, offset = place(Document(text), "%found")
    found = navigation.hover(chunk, offset)
    assert found is not None
    assert found.text.endswith(f"0 uses\n\n{words}")


def test_outline() -> None:
    (chunk,) = Document(TEXT).chunks
    found = navigation.symbols(chunk)
    assert [(s.name, s.kind, [c.name for c in s.children]) for s in found] == [
        ("f", "function", []), ("g", "function", []), ("inner", "module", ["f", "h"]),
    ]  # fmt: skip


# -- problems


def messages(text: str) -> list[tuple[int, str]]:
    document = Document(text)
    return [(document.position(p.start)[0], p.message) for p in checks.problems(document)]


def test_each_function_has_its_error() -> None:
    text = TEXT.replace("arith.muli", "arith.mulx").replace("cf.br ^bb2", "cf.br ^bb7")
    assert messages(text) == [
        (6, "custom op 'arith.mulx' is unknown"), (16, "reference to an undefined block"),
    ]  # fmt: skip


def test_errors_of_the_verifier_and_of_chunks() -> None:
    wrong = "func.func @f() -> i32 {\n  return\n}\n"
    text = f"{wrong}// -----\n{wrong}"
    assert messages(text) == [(1, "'func.return' op has 0 operands, but enclosing function (@f) "
        "returns 1"), (5, "'func.return' op has 0 operands, but enclosing function (@f) returns 1"),
    ]  # fmt: skip


def test_names_are_known_behind_an_error() -> None:
    document = Document(TEXT.replace("= arith.muli %x, %y : i32", "= arith.muli %x,"))
    chunk, offset = place(document, "scf.yield %twice", "%twice")
    found = navigation.definition(chunk, offset)
    assert found is not None
    assert line_of(document, chunk, found.start) == 6
    chunk, offset = place(document, "addi %q#1", "%q")
    assert navigation.definition(chunk, offset) is not None


def test_messages_of_a_pipeline() -> None:
    text = "// xgpu-lsp-pipeline: builtin.module(no-such-pass)\nfunc.func @f() {\n  return\n}\n"
    ((line, message),) = messages(text)
    assert line == 0
    assert "no-such-pass" in message


def test_a_near_name_is_a_fix() -> None:
    text = TEXT.replace("arith.muli", "arith.mulli")
    document = Document(text)
    start = text.index("arith.mulli")
    found = [fix for _, fix in checks.fixes(document, start, start)]
    first = found[0]
    assert (first.text, first.is_preferred) == ("arith.muli", True)
    assert text[: first.start] + first.text + text[first.end :] == TEXT
    last = found[-1]
    mended = text[: last.start] + last.text + text[last.end :]
    assert "    // expected-error @+1 {{custom op 'arith.mulli' is unknown}}\n    %twice" in mended


def test_a_near_value_is_a_fix() -> None:
    text = TEXT.replace("return %r", "return %rr")
    start = text.index("%rr")
    found = [fix.text for _, fix in checks.fixes(Document(text), start, start)]
    assert found[0] == "%r"


def test_lenses_and_run_lines() -> None:
    text = "// RUN: xgpu-opt %s \\\n// RUN:   --cse | FileCheck %s\nmodule {}\n"
    document = Document(text)
    found = [(lens.line, lens.command) for lens in checks.lenses(document)]
    assert found == [(0, "xgpu.run"), (0, "xgpu.explore"), (1, "xgpu.run")]
    assert checks.run_command(document, 0) == "xgpu-opt %s --cse | FileCheck %s"
    assert not checks.allows_unregistered(text, True)
    assert checks.allows_unregistered("module {}", True)


# -- completion


def labels(text: str, before: str) -> list[str]:
    """The completions behind the first place that ends with `before`."""
    document = Document(text)
    at = text.index(before) + len(before)
    chunk, offset = document.at(*document.position(at))
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return [item.label for item in completion.completions(chunk, offset, line)]


@pytest.mark.parametrize(
    ("before", "some", "none"),
    [
        ("    %twice = arith.m", ["arith.muli", "arith.maxsi"], ["arith.addi", "memref.store"]),
        ("arith.addi %q", ["%q#0", "%q#1"], ["%x", "%a"]),
        ("arith.muli %", ["%x", "%y", "%i", "%a"], ["%r"]),
        ("cf.br ^", ["^bb1", "^bb2"], []),
        ("call @", ["@f", "@h", "@g"], []),
        ("%a: i", ["i32", "index"], ["f32"]),
        ("%a: ", ["i32", "memref"], []),
        ("  re", ["return"], []),
        ("// RUN: xgpu-opt %s --can", ["--canonicalize"], ["--cse"]),
        ("// RUN: ", ["xgpu-opt", "FileCheck"], []),
    ],
)
def test_completion(before: str, some: list[str], none: list[str]) -> None:
    found = labels(TEXT, before)
    assert set(some) <= set(found)
    assert not set(none) & set(found)


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("  %t = gpu.thread_id ", {"x", "y", "z"}),
        ("  %t = arith.cmpi ", {"slt", "ult"}),
        ("  memref.store %a, %b[] {", {"nontemporal"}),
        ('  %t = "some.op"() : () -> !gpu.async', {"!gpu.async.token"}),
        (
            "// RUN: xgpu-opt --pass-pipeline='builtin.module(gpu.module(conv",
            {"convert-gpu-to-nvvm"},
        ),
        ("// RUN: xgpu-opt --pass-pipeline='builtin.module(nvvm-attach-target{ch", {"chip"}),
        ("// RUN: xgpu-opt --nvvm-attach-target='ch", {"chip"}),
    ],
)
def test_completion_of_a_line(line: str, some: set[str]) -> None:
    found = {item.label for item in completion.completions(None, 0, line)}
    assert some <= found


@pytest.mark.parametrize(
    ("line", "types"),
    [
        ("  %t = math.exp %a fastmath<", False),
        ("  memref.store %a, %x ", False),
        ("  %t = arith.trunci %a : i32 to ", True),
        ("  %t = tensor.empty() : tensor<4x?x", True),
        ("  %t = tensor.empty() : tensor<4x8xf", True),
        ("  %t = vector.step : vector<[4]x", True),
        ("  memref.store %a, %x[] {alignment = 4 : i64, ", False),
        ("  %t = tensor.empty() : tensor<", True),
        ("  %t = async.await %a : !async.value<", True),
    ],
)
def test_types_are_completed_where_they_may_stand(line: str, types: bool) -> None:
    found = [item.label for item in completion.completions(None, 0, line)]
    assert ("f32" in found) is types


def test_documentation_of_a_completion() -> None:
    assert "MLIR's operation `arith.addi`" in completion.documentation("arith.addi")
    assert completion.documentation("--cse") == completion.documentation("cse") != ""
    assert completion.documentation("%x") == ""


def test_signature() -> None:
    found = completion.signature(None, 0, "  memref.store %a, %")
    assert found is not None
    assert found.label.startswith("memref.store $value")
    assert [found.label[a:b] for a, b in found.parameters][found.active] == "$memref"
    assert completion.signature(None, 0, "  no.such %a") is None


# -- looks


def test_colors() -> None:
    (chunk,) = Document("// words\n%x = arith.constant 1 : i32 // more\n").chunks
    found = [(chunk.text[c.start : c.start + c.length], c.kind) for c in layout.colored(chunk)]
    assert found == [
        ("// words", "comment"), ("%x", "variable"), ("arith.constant", "keyword"), ("1", "number"),
        ("i32", "type"), ("// more", "comment"),
    ]  # fmt: skip


def test_foldings() -> None:
    found = list(layout.foldings(Document("// a\n// b\n" + TEXT)))
    assert (0, 2, "comment") in found
    assert (7, 10, "region") in found


def applied(text: str) -> str:
    lines = text.split("\n")
    for number, line in layout.formatted(Document(text)).items():
        lines[number] = line
    return "\n".join(lines)


def test_formatting() -> None:
    assert applied(TEXT) == TEXT
    flat = re.sub(r"(?m)^ +(?!//)", "", TEXT)
    assert applied(flat) == TEXT
    deep = "func.func @f(%a: i32,\n             %b: i32) {\n // why\n      return\n}  \n"
    assert applied(deep) == (
        "func.func @f(%a: i32,\n             %b: i32) {\n  // why\n  return\n}\n"
    )
    assert applied("func.func @f( {\n return\n}") == "func.func @f( {\n return\n}"


def test_formatting_changes_blanks_alone() -> None:
    for path in sorted((ROOT / "tests/filecheck/core/syntax").glob("*.mlir"))[::8]:
        text = path.read_text("utf-8", "surrogateescape")
        after = applied(text)
        assert tokenize(after)[0] == tokenize(text)[0], path
        assert applied(after) == after, path


# -- anything


def changed(text: str, r: random.Random) -> str:
    """The text after a random change."""
    at = r.randrange(len(text) + 1)
    kind = r.randrange(4)
    if kind == 0:
        return text[:at] + text[at + r.randrange(1, 40) :]
    if kind == 1:
        return text[:at]
    if kind == 2:
        start = r.randrange(len(text) + 1)
        return text[:at] + text[start : start + r.randrange(60)] + text[at:]
    inserted = ("%x", "{", "}", "(", '"', "arith.", "^bb9", "@f", ":", "=", "!", "#a", "\n", "é😀")
    return text[:at] + r.choice(inserted) + text[at:]


def ask_everything(text: str, name: str, r: random.Random) -> None:
    """Asks all features about a random place."""
    document = Document(text, name)
    at = r.randrange(len(text) + 1)
    chunk, offset = document.at(*document.position(at))
    end = chunk.offset + offset
    before = text[text.rfind("\n", 0, end) + 1 : end]
    checks.problems(document)
    navigation.hover(chunk, offset)
    navigation.references(chunk, offset)
    if navigation.renamable(chunk, offset) is not None:
        navigation.rename(chunk, offset, "a_new_name")
    navigation.symbols(chunk)
    completion.completions(chunk, offset, before)
    completion.signature(chunk, offset, before)
    for part in (layout.colored(chunk), layout.foldings(document), checks.lenses(document)):
        assert list(part) is not None
    layout.formatted(document)
    assert list(checks.fixes(document, at, at + 20)) is not None


@pytest.mark.parametrize(
    ("seed", "count"), [(0, 12), pytest.param(1, 1_000, marks=pytest.mark.long)]
)
def test_random_edits(seed: int, count: int) -> None:
    r = random.Random(seed)
    files = sorted((ROOT / "tests/filecheck").rglob("*.mlir"))
    short = [path for path in files if path.stat().st_size < 4_000]
    for _ in range(count):
        path = r.choice(short)
        text = path.read_text("utf-8", "replace")
        for _ in range(r.randrange(1, 3)):
            text = changed(text, r)
        ask_everything(text, str(path), r)
