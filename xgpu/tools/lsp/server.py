# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The protocol: requests of an editor, answered by the modules beside this one.

Texts are read when something is asked of them, and each version once. Problems are published a
moment after the last change.
"""

from __future__ import annotations

import asyncio
import logging
import shlex
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote

from lsprotocol import types as t
from pygls import uris
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from xgpu.core.ir.errors import UsageError
from xgpu.tools.lsp import checks, completion, kernels, layout, navigation
from xgpu.tools.lsp.document import Chunk, Document, Token
from xgpu.version import __version__

#: Seconds between the last change and the problems.
_DELAY = 0.15
#: Of a longer text a completion uses what was known before the last change.
_LONG = 100_000
#: Seconds that the command of a RUN line may take.
_TIMEOUT = 300
#: Seconds after a file is opened or saved before its kernels are compiled for their strategies, and
#: seconds that a hover waits for that.
_IDLE = 1.0
_PATIENCE = 0.08

_SEVERITIES = {
    "error": t.DiagnosticSeverity.Error,
    "warning": t.DiagnosticSeverity.Warning,
    "remark": t.DiagnosticSeverity.Information,
}
_ITEM_KINDS = {
    "variable": t.CompletionItemKind.Variable,
    "label": t.CompletionItemKind.Reference,
    "type": t.CompletionItemKind.TypeParameter,
    "macro": t.CompletionItemKind.Constant,
    "function": t.CompletionItemKind.Function,
    "operation": t.CompletionItemKind.Method,
    "dialect": t.CompletionItemKind.Module,
    "module": t.CompletionItemKind.Module,
    "enum": t.CompletionItemKind.EnumMember,
    "keyword": t.CompletionItemKind.Keyword,
    "property": t.CompletionItemKind.Property,
}
_SYMBOL_KINDS = {
    "module": t.SymbolKind.Module,
    "function": t.SymbolKind.Function,
    "variable": t.SymbolKind.Variable,
}
_LEGEND = t.SemanticTokensLegend(list(layout.KINDS), list(layout.MODIFIERS))


class _AtPosition(Protocol):
    """Parameters of a request about a position."""

    text_document: t.TextDocumentIdentifier
    position: t.Position


class Server(LanguageServer):
    """The server and the documents that are open. Settings are the client's
    `initializationOptions`: `pipeline` is a pipeline whose messages are shown too, and
    `allowUnregisteredDialects` (true) is for files without a RUN line."""

    def __init__(self) -> None:
        super().__init__("xgpu-lsp-server", __version__)
        self._documents: dict[str, tuple[int | None, Document]] = {}
        self.pipeline = ""
        self.allow_unregistered = True
        #: By document and text of a program: what compiles its kernels.
        self._compilations: dict[str, dict[str, asyncio.Task[list[kernels.Strategy] | str]]] = {}

    @property
    def _encoding(self) -> str:
        """What the client counts characters in."""
        return t.PositionEncodingKind(self.workspace.position_encoding or "utf-16").value

    def configure(self, settings: object) -> None:
        """Takes the settings of a client."""
        if not isinstance(settings, dict):
            return
        known: dict[str, Any] = settings
        pipeline = known.get("pipeline")
        self.pipeline = pipeline if isinstance(pipeline, str) else ""
        self.allow_unregistered = known.get("allowUnregisteredDialects") is not False

    def open_text(self, uri: str) -> TextDocument | None:
        """The text of a document that is open. Clients escape the same path in several ways."""
        return self.workspace.text_documents.get(unquote(uri))

    def text(self, uri: str) -> TextDocument:
        """The text of a document that is open, or of a file that is not. Raises
        `JsonRpcInvalidParams` where there is none."""
        found = self.open_text(uri)
        if found is not None:
            return found
        path = uris.to_fs_path(uri) if uri.startswith("file:") else None
        if path is None:
            raise JsonRpcInvalidParams(f"document '{uri}' is not open")
        try:
            source = Path(path).read_text("utf-8")
        except OSError as problem:
            reason = problem.strerror or str(problem)
        except UnicodeError:
            reason = "it is not UTF-8"
        else:
            return TextDocument(uri, source)
        raise JsonRpcInvalidParams(
            f"document '{uri}' is not open, and its file cannot be read: {reason}"
        )

    def document(self, uri: str) -> Document:
        """The document as the editor has it."""
        text = self.text(uri)
        version, known = self._documents.get(uri, (None, None))
        if known is not None and version == text.version and known.text == text.source:
            return known
        made = self._made(uri, text.source, known)
        self._documents[uri] = (text.version, made)
        return made

    def _made(self, uri: str, text: str, before: Document | None) -> Document:
        return Document(
            text,
            uris.to_fs_path(uri) or uri,
            allow_unregistered=checks.allows_unregistered(text, self.allow_unregistered),
            encoding=self._encoding,
            before=before,
        )

    def around(self, params: _AtPosition) -> tuple[Document, Chunk, int]:
        """The document of a request, the chunk and the offset in it."""
        document = self.document(params.text_document.uri)
        place = params.position
        return document, *document.at(place.line, place.character)

    def writing(self, params: _AtPosition) -> tuple[Chunk | None, int, str]:
        """The chunk, the offset in it, and the line up to the cursor, for what is being written. Of
        a long text that has just changed the chunk is that of the text before."""
        uri, place = params.text_document.uri, params.position
        text = self.text(uri)
        version, known = self._documents.get(uri, (None, None))
        if known is None or version == text.version or len(text.source) < _LONG:
            document, chunk, offset = self.around(params)
            end = chunk.offset + offset
            return chunk, offset, document.text[document.text.rfind("\n", 0, end) + 1 : end]
        lines = text.lines
        line = lines[place.line] if place.line < len(lines) else ""
        shown = Document(line, encoding=self._encoding)
        before = line[: shown.offset(0, place.character)]
        chunk, offset = known.at(place.line, place.character)
        return chunk, offset, before

    def close(self, uri: str) -> None:
        """Forgets a document."""
        self._documents.pop(uri, None)
        for task in self._compilations.pop(uri, {}).values():
            task.cancel()

    def compilation(
        self, uri: str, document: Document, chunk: Chunk
    ) -> asyncio.Task[list[kernels.Strategy] | str]:
        """What finds the strategies of a program's kernels; it begins when it is first asked for.
        Those of texts that the document no longer has end."""
        known = self._compilations.setdefault(uri, {})
        texts = {other.text for other in document.chunks}
        for text in known.keys() - texts:
            known.pop(text).cancel()
        if chunk.text not in known:
            known[chunk.text] = asyncio.create_task(_strategies(chunk))
        return known[chunk.text]

    async def compile_when_idle(self, uri: str) -> None:
        """Begins to compile the kernels of a document that stays as it is for a while."""
        version = self.text(uri).version
        await asyncio.sleep(_IDLE)
        text = self.open_text(uri)
        if text is None or text.version != version:
            return
        document = self.document(uri)
        for chunk in document.chunks:
            if kernels.has_kernels(chunk):
                await asyncio.wait({self.compilation(uri, document, chunk)})

    def publish(self, uri: str) -> None:
        """Sends the problems of a document."""
        document = self.document(uri)
        found = [_diagnostic(document, uri, p) for p in checks.problems(document, self.pipeline)]
        version = self.text(uri).version
        self.text_document_publish_diagnostics(
            t.PublishDiagnosticsParams(uri=uri, diagnostics=found, version=version)
        )


def log_refusals_in_a_line() -> None:
    """Makes pygls log requests that are refused without a traceback: they are no defects."""

    def without_traceback(record: logging.LogRecord) -> bool:
        problem = record.exc_info[1] if record.exc_info else None
        if isinstance(problem, JsonRpcInvalidParams):
            record.msg, record.args, record.exc_info = "%s", (str(problem),), None
        return True

    logging.getLogger("pygls.protocol.json_rpc").addFilter(without_traceback)


server = Server()


# -- documents


@server.feature(t.INITIALIZE)
def _initialize(ls: Server, params: t.InitializeParams) -> None:
    ls.configure(params.initialization_options)


@server.feature(t.WORKSPACE_DID_CHANGE_CONFIGURATION)
def _configure(ls: Server, params: t.DidChangeConfigurationParams) -> None:
    settings: Any = params.settings
    if isinstance(settings, dict):
        ls.configure(settings.get("xgpu", settings))
    for text in list(ls.workspace.text_documents.values()):
        ls.publish(text.uri)


@server.feature(t.TEXT_DOCUMENT_DID_OPEN)
async def _opened(ls: Server, params: t.DidOpenTextDocumentParams) -> None:
    ls.publish(params.text_document.uri)
    await ls.compile_when_idle(params.text_document.uri)


@server.feature(t.TEXT_DOCUMENT_DID_CHANGE)
async def _changed(ls: Server, params: t.DidChangeTextDocumentParams) -> None:
    uri, version = params.text_document.uri, params.text_document.version
    await asyncio.sleep(_DELAY)
    text = ls.open_text(uri)
    if text is not None and text.version == version:
        ls.publish(uri)


@server.feature(t.TEXT_DOCUMENT_DID_SAVE)
async def _saved(ls: Server, params: t.DidSaveTextDocumentParams) -> None:
    ls.publish(params.text_document.uri)
    await ls.compile_when_idle(params.text_document.uri)


@server.feature(t.TEXT_DOCUMENT_DID_CLOSE)
def _closed(ls: Server, params: t.DidCloseTextDocumentParams) -> None:
    uri = params.text_document.uri
    ls.close(uri)
    ls.text_document_publish_diagnostics(t.PublishDiagnosticsParams(uri=uri, diagnostics=[]))


# -- places


def _range(document: Document, start: int, end: int) -> t.Range:
    """A part of a document."""
    return t.Range(t.Position(*document.position(start)), t.Position(*document.position(end)))


def _token_range(document: Document, chunk: Chunk, token: Token) -> t.Range:
    return _range(document, chunk.offset + token.start, chunk.offset + token.end)


def _offsets(document: Document, range_: t.Range) -> tuple[int, int]:
    start, end = range_.start, range_.end
    return (
        document.offset(start.line, start.character),
        document.offset(end.line, end.character),
    )


def _diagnostic(document: Document, uri: str, problem: checks.Problem) -> t.Diagnostic:
    related = [
        t.DiagnosticRelatedInformation(t.Location(uri, _range(document, start, end)), message)
        for message, start, end in problem.notes
    ]
    return t.Diagnostic(
        range=_range(document, problem.start, problem.end),
        message=problem.message,
        severity=_SEVERITIES.get(problem.severity, t.DiagnosticSeverity.Hint),
        source="xgpu",
        related_information=related or None,
    )


# -- navigation


@server.feature(t.TEXT_DOCUMENT_HOVER)
async def _hover(ls: Server, params: t.HoverParams) -> t.Hover | None:
    document, chunk, offset = ls.around(params)
    found = navigation.hover(chunk, offset)
    if found is None:
        return None
    text = found.text
    kernel = None if chunk.module is None else navigation.kernel(chunk, offset)
    if kernel is not None:
        task = ls.compilation(params.text_document.uri, document, chunk)
        await asyncio.wait({task}, timeout=_PATIENCE)
        line, _ = document.position(chunk.offset)
        more = _on_strategies(task, kernel, chunk.source.filename, line)
        text = navigation.with_paragraph(text, more) if more else text
    return t.Hover(
        t.MarkupContent(t.MarkupKind.Markdown, text),
        _range(document, chunk.offset + found.start, chunk.offset + found.end),
    )


def _on_strategies(
    task: asyncio.Task[list[kernels.Strategy] | str], kernel: kernels.Kernel, file: str, line: int
) -> str | None:
    """What a hover says of the strategy of a kernel."""
    if not task.done():
        return "Strategy on the host device: being compiled, hover again"
    if task.cancelled():
        return None
    known = task.result()
    if isinstance(known, str):
        return f"Strategy on the host device: not known. {known}"
    return kernels.markdown(kernel, known, file, line)


async def _strategies(chunk: Chunk) -> list[kernels.Strategy] | str:
    """The strategies of a program's kernels, or why they are not known, from a process that ends
    with the task."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "xgpu.tools.lsp.kernels", chunk.source.filename,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    text = chunk.text.encode("utf-8", "surrogateescape")
    try:
        output, _ = await asyncio.wait_for(process.communicate(text), _TIMEOUT)
    except TimeoutError:
        return f"Compiling took more than {_TIMEOUT} s."
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode:
        return f"The compiler ended with exit code {process.returncode}."
    return kernels.read_answer(output.decode())


@server.feature(t.TEXT_DOCUMENT_DEFINITION)
def _definition(ls: Server, params: t.DefinitionParams) -> t.Location | None:
    document, chunk, offset = ls.around(params)
    found = navigation.definition(chunk, offset)
    if found is None:
        return None
    place = _range(document, chunk.offset + found.start, chunk.offset + found.end)
    return t.Location(params.text_document.uri, place)


@server.feature(t.TEXT_DOCUMENT_REFERENCES)
def _references(ls: Server, params: t.ReferenceParams) -> list[t.Location]:
    document, chunk, offset = ls.around(params)
    found = navigation.references(chunk, offset)
    start = 0 if params.context.include_declaration else 1
    uri = params.text_document.uri
    return [t.Location(uri, _token_range(document, chunk, token)) for token in found[start:]]


@server.feature(t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
def _highlight(ls: Server, params: t.DocumentHighlightParams) -> list[t.DocumentHighlight]:
    document, chunk, offset = ls.around(params)
    kinds = t.DocumentHighlightKind
    return [
        t.DocumentHighlight(
            _token_range(document, chunk, token), kinds.Read if number else kinds.Write
        )
        for number, token in enumerate(navigation.references(chunk, offset))
    ]


@server.feature(t.TEXT_DOCUMENT_PREPARE_RENAME)
def _prepare_rename(ls: Server, params: t.PrepareRenameParams) -> t.Range | None:
    document, chunk, offset = ls.around(params)
    token = navigation.renamable(chunk, offset)
    return None if token is None else _token_range(document, chunk, token)


@server.feature(t.TEXT_DOCUMENT_RENAME, t.RenameOptions(prepare_provider=True))
def _rename(ls: Server, params: t.RenameParams) -> t.WorkspaceEdit:
    document, chunk, offset = ls.around(params)
    try:
        name, places = navigation.rename(chunk, offset, params.new_name)
    except UsageError as problem:
        raise JsonRpcInvalidParams(str(problem)) from None
    edits = [t.TextEdit(_token_range(document, chunk, token), name) for token in places]
    return t.WorkspaceEdit(changes={params.text_document.uri: edits})


@server.feature(t.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def _symbols(ls: Server, params: t.DocumentSymbolParams) -> list[t.DocumentSymbol]:
    document = ls.document(params.text_document.uri)
    return [
        _symbol(document, chunk, symbol)
        for chunk in document.chunks
        for symbol in navigation.symbols(chunk)
    ]


def _symbol(document: Document, chunk: Chunk, symbol: navigation.Symbol) -> t.DocumentSymbol:
    at = chunk.offset
    return t.DocumentSymbol(
        name=symbol.name,
        detail=symbol.detail,
        kind=_SYMBOL_KINDS[symbol.kind],
        range=_range(document, at + symbol.start, at + symbol.end),
        selection_range=_range(document, at + symbol.name_start, at + symbol.name_end),
        children=[_symbol(document, chunk, inner) for inner in symbol.children],
    )


# -- writing


@server.feature(
    t.TEXT_DOCUMENT_COMPLETION,
    t.CompletionOptions(
        trigger_characters=["%", "@", "^", "!", "#", ".", "-", "=", "{"], resolve_provider=True
    ),
)
def _completion(ls: Server, params: t.CompletionParams) -> t.CompletionList:
    chunk, offset, before = ls.writing(params)
    found = completion.completions(chunk, offset, before)
    return t.CompletionList(
        is_incomplete=False, items=[_item(params.position, item) for item in found]
    )


def _item(place: t.Position, item: completion.Item) -> t.CompletionItem:
    # What is replaced is ASCII: a character is one of any encoding.
    start = t.Position(place.line, place.character - item.length)
    return t.CompletionItem(
        label=item.label,
        kind=_ITEM_KINDS[item.kind],
        detail=item.detail or None,
        filter_text=item.label,
        text_edit=t.TextEdit(t.Range(start, place), item.label),
    )


@server.feature(t.COMPLETION_ITEM_RESOLVE)
def _resolved(ls: Server, item: t.CompletionItem) -> t.CompletionItem:
    text = completion.documentation(item.detail or item.label)
    if not text:
        text = completion.documentation(item.label)
    item.documentation = t.MarkupContent(t.MarkupKind.PlainText, text) if text else None
    return item


@server.feature(
    t.TEXT_DOCUMENT_SIGNATURE_HELP, t.SignatureHelpOptions(trigger_characters=[" ", "%", ","])
)
def _signature(ls: Server, params: t.SignatureHelpParams) -> t.SignatureHelp | None:
    found = completion.signature(*ls.writing(params))
    if found is None:
        return None
    parameters = [t.ParameterInformation(label=part) for part in found.parameters]
    made = t.SignatureInformation(found.label, found.documentation, parameters, found.active)
    return t.SignatureHelp([made], 0, found.active)


# -- looks


@server.feature(t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, _LEGEND)
def _semantic_tokens(ls: Server, params: t.SemanticTokensParams) -> t.SemanticTokens:
    document = ls.document(params.text_document.uri)
    data: list[int] = []
    last = (0, 0)
    for chunk in document.chunks:
        for token in layout.colored(chunk):
            start = document.position(chunk.offset + token.start)
            end = document.position(chunk.offset + token.start + token.length)
            same = start[0] == last[0]
            data += (
                start[0] - last[0], start[1] - last[1] if same else start[1], end[1] - start[1],
                layout.KINDS.index(token.kind), token.modifiers,
            )  # fmt: skip
            last = start
    return t.SemanticTokens(data)


@server.feature(t.TEXT_DOCUMENT_FOLDING_RANGE)
def _foldings(ls: Server, params: t.FoldingRangeParams) -> list[t.FoldingRange]:
    document = ls.document(params.text_document.uri)
    return [
        t.FoldingRange(first, last, kind=t.FoldingRangeKind(kind))
        for first, last, kind in layout.foldings(document)
    ]


@server.feature(t.TEXT_DOCUMENT_FORMATTING)
def _format(ls: Server, params: t.DocumentFormattingParams) -> list[t.TextEdit]:
    return list(_formatted(ls.document(params.text_document.uri)))


@server.feature(t.TEXT_DOCUMENT_RANGE_FORMATTING)
def _format_range(ls: Server, params: t.DocumentRangeFormattingParams) -> list[t.TextEdit]:
    edits = _formatted(ls.document(params.text_document.uri))
    first, last = params.range.start.line, params.range.end.line
    return [edit for edit in edits if first <= edit.range.start.line <= last]


def _formatted(document: Document) -> Iterable[t.TextEdit]:
    for number, text in sorted(layout.formatted(document).items()):
        start = document.source.line_starts[number]
        yield t.TextEdit(_range(document, start, start + len(document.line(number))), text)


# -- actions


@server.feature(
    t.TEXT_DOCUMENT_CODE_ACTION, t.CodeActionOptions(code_action_kinds=[t.CodeActionKind.QuickFix])
)
def _actions(ls: Server, params: t.CodeActionParams) -> list[t.CodeAction]:
    uri = params.text_document.uri
    document = ls.document(uri)
    return [
        t.CodeAction(
            title=fix.title,
            kind=t.CodeActionKind.QuickFix,
            diagnostics=[_diagnostic(document, uri, problem)],
            edit=t.WorkspaceEdit(
                changes={uri: [t.TextEdit(_range(document, fix.start, fix.end), fix.text)]}
            ),
            is_preferred=fix.is_preferred or None,
        )
        for problem, fix in checks.fixes(document, *_offsets(document, params.range))
    ]


@server.feature(t.TEXT_DOCUMENT_CODE_LENS)
def _lenses(ls: Server, params: t.CodeLensParams) -> list[t.CodeLens]:
    uri = params.text_document.uri
    return [
        t.CodeLens(
            t.Range(t.Position(lens.line, 0), t.Position(lens.line, 0)),
            t.Command(lens.title, lens.command, arguments=[uri, lens.line]),
        )
        for lens in checks.lenses(ls.document(uri))
    ]


@server.command("xgpu.run")
async def _run(ls: Server, uri: str, line: int) -> str:
    """Runs the command of a RUN line in a folder of its own; what it writes."""
    found = checks.run_command(ls.document(uri), line)
    path = uris.to_fs_path(uri)
    if found is None or path is None:
        return _told(ls, "there is no RUN line here", failed=True)
    with tempfile.TemporaryDirectory(prefix="xgpu-lsp-") as folder:
        code, output = await _output(_substituted(found, path, folder), folder)
    state = "passed" if code == 0 else f"failed with exit code {code}"
    return _told(ls, f"{state}: {found}\n{output}", failed=code != 0)


def _substituted(command: str, path: str, folder: str) -> str:
    """The command of a RUN line with lit's substitutions."""
    words = {
        "%s": path, "%S": str(Path(path).parent), "%t": f"{folder}/out", "%T": folder, "%%": "%",
    }  # fmt: skip
    pieces = command.split("%")
    for at, piece in enumerate(pieces[1:], 1):
        word = f"%{piece[:1]}"
        pieces[at] = shlex.quote(words[word]) + piece[1:] if word in words else f"%{piece}"
    return "".join(pieces)


async def _output(command: str, folder: str) -> tuple[int, str]:
    """The exit code of a shell command and what it writes."""
    process = await asyncio.create_subprocess_shell(
        command,
        cwd=folder,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), _TIMEOUT)
    except TimeoutError:
        process.kill()
        await process.wait()
        return 1, f"stopped after {_TIMEOUT} s"
    return process.returncode or 0, output.decode("utf-8", "replace")


def _told(ls: Server, text: str, *, failed: bool = False) -> str:
    """Shows the first line of a text, writes all of it to the log, and gives it back."""
    kind = t.MessageType.Error if failed else t.MessageType.Info
    ls.window_show_message(t.ShowMessageParams(kind, text.partition("\n")[0]))
    ls.window_log_message(t.LogMessageParams(kind, text))
    return text


@server.command("xgpu.explore")
async def _explore(ls: Server, uri: str, line: int) -> str | None:
    """Runs the passes of a RUN line and opens the page that shows them; the page's path."""
    found = checks.run_command(ls.document(uri), line)
    path = uris.to_fs_path(uri)
    arguments = [] if found is None else _arguments(found)
    if path is None or arguments is None:
        _told(ls, "the RUN line runs no passes", failed=True)
        return None
    folder = tempfile.mkdtemp(prefix="xgpu-explorer-")
    page = Path(folder, "explorer.html")
    tool = [sys.executable, "-m", "xgpu.tools.xgpu_opt"]
    command = [*tool, *arguments, path, f"--explore={page}", "-o", "/dev/null"]
    code, output = await _output(shlex.join(command), folder)
    if not page.exists():
        _told(ls, f"the explorer failed with exit code {code}\n{output}", failed=True)
        return None
    ls.window_show_document(t.ShowDocumentParams(page.as_uri(), external=True))
    return str(page)


def _arguments(command: str) -> list[str] | None:
    """The arguments of xgpu-opt or mlir-opt in a command, without its input; None where it runs
    neither."""
    try:
        words = shlex.split(command.partition("|")[0])
    except ValueError:
        return None
    if not words or words[0] not in ("xgpu-opt", "mlir-opt"):
        return None
    return [word for word in words[1:] if word not in ("%s", "<")]
