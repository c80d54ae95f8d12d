# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The language server as an editor sees it: a process, and a client of the protocol."""

from __future__ import annotations

import asyncio
import pathlib
import shlex
from typing import Any

import pytest

from tests.support.editor import Editor, process_session, session, t
from xgpu.tools import xgpu_lsp_server, xgpu_opt
from xgpu.tools.lsp import server

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
    editor = Editor(client, tmp_path / "a.mlir", TEXT)
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


def test_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert xgpu_lsp_server.main(["--help"]) == 0
    assert "USAGE: xgpu-lsp-server" in capsys.readouterr().out
    assert xgpu_lsp_server.main(["--port=1"]) == 1
    assert "unknown command line argument '--port=1'" in capsys.readouterr().err


def test_without_pygls(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(xgpu_lsp_server, "find_spec", lambda name: None)
    assert xgpu_lsp_server.main([]) == 1
    assert "pip install 'xgpu[lsp]'" in capsys.readouterr().err
