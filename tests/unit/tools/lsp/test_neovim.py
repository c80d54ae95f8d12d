# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The language server in Neovim, without a window."""

from __future__ import annotations

import json
import pathlib
import shutil
import sys

import pytest

from tests.support import processes

pytest.importorskip("pygls", reason="needs pygls: xgpu[dev]")

TEXT = """func.func @f(%a: i32) -> i32 {
  %b = arith.addi %a, %a : i32
  return %c : i32
}
"""

#: What an editor's configuration does, and then what a user does; answers go into a file.
SCRIPT = """
local said = {}
vim.cmd("edit " .. FILE)
vim.bo.filetype = "mlir"
local client = vim.lsp.start_client({ cmd = COMMAND, name = "xgpu" })
vim.lsp.buf_attach_client(0, client)
local function problems()
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(0)) do table.insert(found, one.message) end
  return found
end
local function ask(method, line, character, more)
  local place = { textDocument = vim.lsp.util.make_text_document_params(),
                  position = { line = line, character = character } }
  local asked = vim.tbl_extend("error", place, more or {})
  local answers = vim.lsp.buf_request_sync(0, method, asked, 60000)
  return answers and answers[client] and answers[client].result
end
vim.wait(60000, function() return #problems() > 0 end)
said.before = problems()
vim.api.nvim_buf_set_text(0, 2, 9, 2, 11, { "%b" })
vim.wait(60000, function() return #problems() == 0 end)
said.after = problems()
said.hover = ask("textDocument/hover", 1, 10).contents.value
said.definition = ask("textDocument/definition", 2, 10).range.start
said.completion = #ask("textDocument/completion", 1, 13).items
local edit = ask("textDocument/rename", 1, 3, { newName = "%sum" })
vim.lsp.util.apply_workspace_edit(edit, vim.lsp.get_client_by_id(client).offset_encoding)
said.text = vim.api.nvim_buf_get_lines(0, 0, -1, false)
vim.fn.writefile({ vim.fn.json_encode(said) }, OUT)
vim.cmd("qall!")
"""


@pytest.mark.long
@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_an_editor(tmp_path: pathlib.Path) -> None:
    file, out, script = (tmp_path / name for name in ("a.mlir", "out.json", "script.lua"))
    file.write_text(TEXT)
    command = [sys.executable, "-m", "xgpu.tools.xgpu_lsp_server"]
    values = {"FILE": str(file), "OUT": str(out)}
    head = "".join(f"local {name} = {json.dumps(value)}\n" for name, value in values.items())
    words = ", ".join(map(json.dumps, command))
    script.write_text(f"{head}local COMMAND = {{ {words} }}\n{SCRIPT}")
    done = processes.run(
        ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {script}",
         "-c", "cquit"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = json.loads(out.read_text())
    assert said["before"] == ["use of undeclared SSA value name"]
    assert said["after"] == []
    assert "operation `arith.addi`" in said["hover"]
    assert said["definition"] == {"line": 1, "character": 2}
    assert said["completion"] > 10
    assert said["text"][1:3] == ["  %sum = arith.addi %a, %a : i32", "  return %sum : i32"]
