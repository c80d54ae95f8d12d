# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The language server as an editor sees it: a process, and a client of the protocol."""

from __future__ import annotations

import asyncio
import functools
import json
import pathlib
import shlex
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.support.editor import Editor, process_session, session, t
from xgpu.tools import xgpu_lsp_server, xgpu_opt
from xgpu.tools.lsp import kernels, server
from xgpu.tools.lsp.document import Chunk

exceptions = pytest.importorskip("pygls.exceptions")

TEXT = """// RUN: xgpu-opt %s --cse
func.func @f(%a: i32) -> i32 {
  %b = arith.addi %a, %a : i32
 return %b : i32
}
"""


@pytest.mark.long
def test_a_process(tmp_path: pathlib.Path) -> None:
    asyncio.run(process_session(lambda client: edit_a_file(client, tmp_path)))


def test_a_session(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same without processes."""

    async def output(command: str, folder: str) -> tuple[int, str]:
        program, *arguments = shlex.split(command)[2:]
        assert program == "xgpu.tools.xgpu_opt"
        return xgpu_opt.main(arguments), ""

    monkeypatch.setattr(server, "_output", output)
    asyncio.run(session(lambda client: edit_a_file(client, tmp_path)))


async def edit_a_file(client: Any, tmp_path: pathlib.Path) -> None:
    editor = Editor(client, tmp_path / "a file.mlir", TEXT)  # its URI has an escape
    assert await editor.problems() == []
    document = t.TextDocumentIdentifier(editor.uri)

    hover = await client.text_document_hover_async(t.HoverParams(**editor.at(2, 18)))
    assert "%a : i32" in hover.contents.value
    assert hover.range == editor.range(2, 18, 20)
    place = await client.text_document_definition_async(t.DefinitionParams(**editor.at(2, 18)))
    assert place.range == editor.range(1, 13, 15)
    context = t.ReferenceContext(include_declaration=False)
    used = await client.text_document_references_async(
        t.ReferenceParams(context=context, **editor.at(2, 18))
    )
    assert [r.range for r in used] == [editor.range(2, 18, 20), editor.range(2, 22, 24)]
    edit = await client.text_document_rename_async(
        t.RenameParams(new_name="%sum", **editor.at(2, 2))
    )
    assert [(e.range.start.line, e.new_text) for e in edit.changes[editor.uri]] == [
        (2, "%sum"), (3, "%sum"),
    ]  # fmt: skip
    symbols = await client.text_document_document_symbol_async(t.DocumentSymbolParams(document))
    assert [symbol.name for symbol in symbols] == ["f"]
    options = t.FormattingOptions(tab_size=2, insert_spaces=True)
    edits = await client.text_document_formatting_async(
        t.DocumentFormattingParams(document, options)
    )
    assert [(e.range.start.line, e.new_text) for e in edits] == [(3, "  return %b : i32")]
    tokens = await client.text_document_semantic_tokens_full_async(t.SemanticTokensParams(document))
    assert list(tokens.data[:5]) == [0, 0, 25, 9, 0]
    folds = await client.text_document_folding_range_async(t.FoldingRangeParams(document))
    assert [(f.start_line, f.end_line) for f in folds] == [(1, 3)]

    editor.change(2, 7, 17, "arith.addd")
    assert await editor.problems() == ["custom op 'arith.addd' is unknown"]
    around = t.CodeActionContext(diagnostics=[])
    actions = await client.text_document_code_action_async(
        t.CodeActionParams(document, editor.range(2, 7, 8), around)
    )
    assert actions[0].edit.changes[editor.uri][0].new_text.startswith("arith.add")
    found = await client.text_document_completion_async(t.CompletionParams(**editor.at(2, 15)))
    assert "arith.addi" in [item.label for item in found.items]
    item = next(item for item in found.items if item.label == "arith.addi")
    item = await client.completion_item_resolve_async(item)
    assert "MLIR's operation `arith.addi`" in item.documentation.value
    help_ = await client.text_document_signature_help_async(
        t.SignatureHelpParams(**editor.at(3, 8))
    )
    assert help_.signatures[0].label.startswith("func.return")
    with pytest.raises(Exception, match="no name of this kind"):
        await client.text_document_rename_async(t.RenameParams(new_name="", **editor.at(1, 13)))

    lenses = await client.text_document_code_lens_async(t.CodeLensParams(document))
    assert [lens.command.title for lens in lenses] == ["Run", "Explore"]
    explore = lenses[1].command
    page = await client.workspace_execute_command_async(
        t.ExecuteCommandParams(explore.command, arguments=explore.arguments)
    )
    # The file is as it was opened: an editor saves it first.
    assert "arith.addi" in await asyncio.to_thread(pathlib.Path(page).read_text)


# -- documents that are not open


def test_documents_that_are_not_open(
    tmp_path: pathlib.Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "closed.mlir").write_text(TEXT)
    (tmp_path / "latin.mlir").write_bytes(b"// \xe9\n")
    missing = (tmp_path / "missing.mlir").as_uri()
    reasons = {
        missing: "is not open, and its file cannot be read: No such",
        (tmp_path / "latin.mlir").as_uri(): "and its file cannot be read: it is not UTF-8",
        tmp_path.as_uri(): "and its file cannot be read: Is a directory",
        "untitled:Untitled-1": "'untitled:Untitled-1' is not open",
    }

    async def ask(client: Any) -> None:
        closed = (tmp_path / "closed.mlir").as_uri()
        assert await requests(client, closed)["hover"]() is not None  # a file is read
        for uri, reason in reasons.items():
            asked = requests(client, uri)
            for name in asked if uri == missing else ("hover",):
                with pytest.raises(exceptions.JsonRpcInvalidParams, match=reason):
                    await asked[name]()

    with caplog.at_level("ERROR"):
        server.log_refusals_in_a_line()
        asyncio.run(session(ask))
    assert all(record.exc_info is None for record in caplog.records)


def requests(client: Any, uri: str) -> dict[str, Callable[[], Awaitable[Any]]]:
    """Each request about a document, at the name of a function."""
    document = t.TextDocumentIdentifier(uri)
    at: dict[str, Any] = {"text_document": document, "position": t.Position(1, 14)}
    part = t.Range(t.Position(1, 0), t.Position(2, 0))
    options = t.FormattingOptions(tab_size=2, insert_spaces=True)
    everywhere, around = t.ReferenceContext(include_declaration=True), t.CodeActionContext([])
    parameters: dict[str, Any] = {
        "hover": t.HoverParams(**at),
        "definition": t.DefinitionParams(**at),
        "references": t.ReferenceParams(context=everywhere, **at),
        "document_highlight": t.DocumentHighlightParams(**at),
        "prepare_rename": t.PrepareRenameParams(**at),
        "rename": t.RenameParams(new_name="%new", **at),
        "completion": t.CompletionParams(**at),
        "signature_help": t.SignatureHelpParams(**at),
        "document_symbol": t.DocumentSymbolParams(document),
        "semantic_tokens_full": t.SemanticTokensParams(document),
        "folding_range": t.FoldingRangeParams(document),
        "formatting": t.DocumentFormattingParams(document, options),
        "range_formatting": t.DocumentRangeFormattingParams(document, part, options),
        "code_action": t.CodeActionParams(document, part, around),
        "code_lens": t.CodeLensParams(document),
    }
    made: dict[str, Callable[[], Awaitable[Any]]] = {
        name: functools.partial(getattr(client, f"text_document_{name}_async"), given)
        for name, given in parameters.items()
    }
    for command in ("xgpu.run", "xgpu.explore"):
        given = t.ExecuteCommandParams(command, [uri, 1])
        made[command] = functools.partial(client.workspace_execute_command_async, given)
    return made


# -- kernels

KERNELS = """func.func @first() {
  return
}
// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @loops(%x: memref<?xi32>) kernel {
      %t = gpu.thread_id x
      %v = arith.constant 1 : i32
      memref.store %v, %x[%t] : memref<?xi32>
      gpu.return
    }
    gpu.func @waits(%x: memref<?xi32>) kernel {
      %c0 = arith.constant 0 : index
      %t = gpu.thread_id x
      %is_first = arith.cmpi eq, %t, %c0 : index
      scf.if %is_first {
        gpu.barrier
      }
      gpu.return
    }
  }
  func.func @main(%x: memref<?xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@waits blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%x : memref<?xi32>)
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      gpu.terminator
    }
    return
  }
}
"""


def test_strategies_of_kernels(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the process that compiles; a hover waits for what is nearly there."""

    async def strategies(chunk: Chunk) -> list[kernels.Strategy] | str:
        found = kernels.strategies(chunk.text, chunk.source.filename)
        return kernels.read_answer(json.dumps(found))

    monkeypatch.setattr(server, "_strategies", strategies)
    asyncio.run(session(lambda client: hover_kernels(client, tmp_path)))


async def hover_kernels(client: Any, tmp_path: pathlib.Path) -> None:
    editor = Editor(client, tmp_path / "a.mlir", KERNELS)
    assert await editor.problems() == []

    async def hover(text: str) -> str:
        lines = KERNELS.splitlines()
        line = next(number for number, found in enumerate(lines) if text in found)
        place = editor.at(line, lines[line].index(text))
        found = await client.text_document_hover_async(t.HoverParams(**place))
        return found.contents.value

    waits = """```

On the host device, blocks of 64 x 1 x 1: strategy `threads`
* not `block-loops`: threads of a block part before a barrier at 'llvm.cond_br' \
('nvvm.read.ptx.sreg.tid.x' differs) (line 17)
* not `warps`: threads of a warp part before they wait (line 18)
"""
    for text in ("gpu.launch_func", "gpu.barrier", "@waits(%x"):
        assert waits in await hover(text)
    assert "blocks of 64 x 1 x 1: strategy `block-loops`\n\n" in await hover("gpu.launch blocks")
    assert (
        "blocks of 128 x 1 x 1 (no launch here has a constant size): strategy `block-loops`\n"
        in await hover("gpu.thread_id")
    )
    assert "strategy" not in await hover("scf.if")
    assert "strategy" not in await hover("@first")


@pytest.mark.long
def test_strategies_from_a_process(tmp_path: pathlib.Path) -> None:
    asyncio.run(process_session(lambda client: hover_a_kernel(client, tmp_path)))


async def hover_a_kernel(client: Any, tmp_path: pathlib.Path) -> None:
    """A hover does not wait for the compiler: the next one has what it says."""
    text = KERNELS.split("// -----\n")[1]
    editor = Editor(client, tmp_path / "a.mlir", text)
    assert await editor.problems() == []
    assert "strategy `block-loops`" in await hovered(client, editor)
    # What cannot be lowered says why.
    editor.change(1, 13, 15, "@k")
    assert await editor.problems() != []
    text = await hovered(client, editor)
    assert "not known. " in text
    assert "kernel container 'm' is undefined" in text


async def hovered(client: Any, editor: Editor) -> str:
    """What a hover on a kernel's name says in the end."""
    while True:
        found = await client.text_document_hover_async(t.HoverParams(**editor.at(2, 13)))
        if "being compiled" not in found.contents.value:
            return found.contents.value
        await asyncio.sleep(0.2)


# -- a long text


def many_lines(count: int) -> str:
    """A program of about `count` lines, in functions of 20."""
    body = "".join(f"    %{i + 1} = arith.addi %{i}, %a : i32\n" for i in range(15))
    functions = (
        f"  func.func @f{n}(%a: i32) -> i32 {{\n    %0 = arith.muli %a, %a : i32\n{body}"
        "    return %15 : i32\n  }\n\n"
        for n in range(count // 20)
    )
    return f"module {{\n{''.join(functions)}}}\n"


@pytest.mark.long
def test_ten_thousand_lines(tmp_path: pathlib.Path) -> None:
    """Figures of issue 35, as processor time of client and server together: diagnostics within 1 s
    of a change, hover and completion within 100 ms."""
    asyncio.run(session(lambda client: edit_a_long_file(client, tmp_path)))


async def edit_a_long_file(client: Any, tmp_path: pathlib.Path) -> None:
    text = many_lines(10_000)
    assert text.count("\n") > 9_000
    editor = Editor(client, tmp_path / "long.mlir", text)
    assert await editor.problems() == []
    seconds: dict[str, list[float]] = {"problems": [], "hover": [], "completion": []}
    lines = text.splitlines()
    line = next(n for n in range(len(lines) // 2, len(lines)) if "arith.addi" in lines[n])
    for attempt in range(3):
        started = time.process_time()
        editor.change(line, 0, 0, " ")
        assert await editor.problems() == []
        seconds["problems"].append(time.process_time() - started)
        started = time.process_time()
        hover = await client.text_document_hover_async(
            t.HoverParams(**editor.at(line, lines[line].index("arith") + attempt + 3))
        )
        assert "arith.addi" in hover.contents.value
        seconds["hover"].append(time.process_time() - started)
        editor.change(line, 0, 0, " ")  # completion of a text that has just changed
        started = time.process_time()
        found = await client.text_document_completion_async(
            t.CompletionParams(**editor.at(line, lines[line].index("addi") + attempt + 3))
        )
        assert "arith.addi" in [item.label for item in found.items]
        seconds["completion"].append(time.process_time() - started)
    assert min(seconds["problems"]) < 1, seconds
    assert min(seconds["hover"]) < 0.1, seconds
    assert min(seconds["completion"]) < 0.1, seconds


def test_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert xgpu_lsp_server.main(["--help"]) == 0
    assert "USAGE: xgpu-lsp-server" in capsys.readouterr().out
    assert xgpu_lsp_server.main(["--port=1"]) == 1
    assert "unknown command line argument '--port=1'" in capsys.readouterr().err


def test_without_pygls(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(xgpu_lsp_server, "find_spec", lambda name: None)
    assert xgpu_lsp_server.main([]) == 1
    assert "pip install 'xgpu[lsp]'" in capsys.readouterr().err
