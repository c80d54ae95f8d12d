# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An editor for the language server: a client of the protocol, and a file that is open in it."""

from __future__ import annotations

import asyncio
import pathlib
import socket
import sys
from collections.abc import Awaitable, Callable
from threading import Event
from typing import Any

import pytest

pytest_lsp = pytest.importorskip("pytest_lsp", reason="needs pytest-lsp and pygls: xgpu[dev]")
t = pytest.importorskip("lsprotocol.types", reason="needs pytest-lsp and pygls: xgpu[dev]")

COMMAND = [sys.executable, "-m", "xgpu.tools.xgpu_lsp_server"]


async def _initialize(client: Any) -> None:
    capabilities = pytest_lsp.client_capabilities("visual-studio-code")
    await client.initialize_session(t.InitializeParams(capabilities=capabilities))


async def process_session(work: Callable[[Any], Awaitable[None]]) -> None:
    """Gives `work` a client whose server is a process, as an editor starts it."""
    client = await pytest_lsp.ClientServerConfig(server_command=COMMAND).start()
    await _initialize(client)
    try:
        await work(client)
    finally:
        await client.shutdown_session()
        await client.stop()


async def session(work: Callable[[Any], Awaitable[None]]) -> None:
    """Gives `work` a client whose server is in this process: bytes go from one to the other as
    between processes, but nothing is started and imported."""
    from pygls.io_ import run_async

    from xgpu.tools.lsp.server import server

    client = pytest_lsp.make_test_lsp_client()
    ended = Event()
    tasks: list[asyncio.Task[None]] = []
    writers: list[asyncio.StreamWriter] = []
    for peer, end in zip((client, server), socket.socketpair(), strict=True):
        reader, writer = await asyncio.open_connection(sock=end)
        peer.protocol.set_writer(writer)
        work_of_peer = run_async(stop_event=ended, reader=reader, protocol=peer.protocol)
        tasks.append(asyncio.create_task(work_of_peer))
        writers.append(writer)
    try:
        await _initialize(client)
        await work(client)
    finally:
        ended.set()
        for writer in writers:
            writer.close()
        await asyncio.gather(*tasks)


class Editor:
    """A client with a file open."""

    def __init__(self, client: Any, path: pathlib.Path, text: str) -> None:
        self.client = client
        self.uri = path.as_uri()
        self.version = 1
        self.text = text
        path.write_text(text)
        item = t.TextDocumentItem(self.uri, "mlir", 1, text)
        client.text_document_did_open(t.DidOpenTextDocumentParams(item))

    async def problems(self) -> list[str]:
        """The messages that the server sends next."""
        await self.client.wait_for_notification(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        return [diagnostic.message for diagnostic in self.client.diagnostics[self.uri]]

    def change(self, line: int, start: int, end: int, text: str) -> None:
        """Replaces a part of a line."""
        self.version += 1
        document = t.VersionedTextDocumentIdentifier(self.version, self.uri)
        change = t.TextDocumentContentChangePartial(self.range(line, start, end), text)
        self.client.text_document_did_change(t.DidChangeTextDocumentParams(document, [change]))

    def range(self, line: int, start: int, end: int) -> Any:
        return t.Range(t.Position(line, start), t.Position(line, end))

    def at(self, line: int, character: int) -> dict[str, Any]:
        """The parameters of a request about a place."""
        return {
            "text_document": t.TextDocumentIdentifier(self.uri),
            "position": t.Position(line, character),
        }

    def place(self, offset: int) -> dict[str, Any]:
        """The parameters of a request about a place in the text as it was opened."""
        before = self.text[:offset]
        return self.at(before.count("\n"), len(before) - before.rfind("\n") - 1)

    async def hover(self, offset: int) -> str | None:
        """What a hover says."""
        found = await self.client.text_document_hover_async(t.HoverParams(**self.place(offset)))
        return None if found is None else found.contents.value

    async def definition(self, offset: int) -> Any:
        """The range of what is named at an offset, or None."""
        found = await self.client.text_document_definition_async(
            t.DefinitionParams(**self.place(offset))
        )
        return None if found is None else found.range

    async def completions(self, offset: int) -> list[str]:
        """The labels of what may stand at an offset."""
        found = await self.client.text_document_completion_async(
            t.CompletionParams(**self.place(offset))
        )
        return [item.label for item in found.items]
