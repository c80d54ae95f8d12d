# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `xgpu-lsp-server` and `mlir-lsp-server` answer on the same files, as a table.

    python tools/compare_language_servers.py [--files=N] [/path/of/mlir-lsp-server]

Of each of N files of tests/filecheck a few places are asked for each feature; a table says how many
of the answers say something.
"""

from __future__ import annotations

import json
import pathlib
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from xgpu.core.syntax.lexer import tokenize

ROOT = pathlib.Path(__file__).parents[1]

#: Requests about places, by the first characters of the tokens that are asked.
PLACES = {
    "hover on a value": ("textDocument/hover", "%"),
    "hover on a block": ("textDocument/hover", "^"),
    "hover on a symbol": ("textDocument/hover", "@"),
    "hover on an operation": ("textDocument/hover", "."),
    "definition of a value": ("textDocument/definition", "%"),
    "definition of a block": ("textDocument/definition", "^"),
    "definition of a symbol": ("textDocument/definition", "@"),
    "references": ("textDocument/references", "%@"),
    "rename": ("textDocument/rename", "%@"),
    "completion": ("textDocument/completion", "%@^"),
    "signature help": ("textDocument/signatureHelp", "."),
}
#: What such a request says besides.
_MORE: dict[str, dict[str, object]] = {
    "textDocument/references": {"context": {"includeDeclaration": True}},
    "textDocument/rename": {"newName": "a_new_name"},
}
#: Requests about whole files.
FILES = {
    "outline": "textDocument/documentSymbol",
    "semantic tokens": "textDocument/semanticTokens/full",
    "folding": "textDocument/foldingRange",
    "code lenses": "textDocument/codeLens",
}


class Client:
    """A client of the protocol, which waits for each answer."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._last = 0
        self.diagnostics: dict[str, list[Any]] = {}
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.tell("initialized", {})

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        length = 0
        while line := self._process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        message = json.loads(self._process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        return message

    def ask(self, method: str, parameters: object) -> Any:
        """The result; None for an error."""
        self._last += 1
        self._send({"id": self._last, "method": method, "params": parameters})
        while True:
            message = self._receive()
            if message.get("id") == self._last and "method" not in message:
                return message.get("result")

    def tell(self, method: str, parameters: object) -> None:
        self._send({"method": method, "params": parameters})

    def open(self, uri: str, text: str) -> float:
        """Opens a document; the seconds until its diagnostics are there."""
        started = time.monotonic()
        document = {"uri": uri, "languageId": "mlir", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        while uri not in self.diagnostics:
            self._receive()
        return time.monotonic() - started

    def close(self) -> None:
        self.ask("shutdown", None)
        self.tell("exit", None)
        self._process.wait()


def places(text: str, kinds: str, r: random.Random, *, behind: bool) -> Iterator[dict[str, int]]:
    """Some places in tokens that begin with one of `kinds`, or `behind` them; `.` stands for names
    with a dot."""
    found = [
        start + (len(token) if behind else 1)
        for token, start in zip(*tokenize(text), strict=True)
        if len(token) > 1
        and (token[0] in kinds or (kinds == "." and token[0].isalpha() and "." in token))
    ]
    for start in r.sample(found, min(3, len(found))):
        line = text.count("\n", 0, start)
        yield {"line": line, "character": start - (text.rfind("\n", 0, start) + 1)}


def is_answer(result: Any) -> bool:
    """Whether a result says something."""
    if isinstance(result, dict):
        for part in ("items", "data", "signatures"):
            if part in result:
                return bool(result[part])
    return bool(result)


def answers(command: list[str], files: list[pathlib.Path]) -> dict[str, tuple[int, int]]:
    """For each feature how many answers say something, and how many were asked for."""
    client = Client(command)
    found = dict.fromkeys([*PLACES, *FILES, "code actions of a problem"], (0, 0))

    def count(feature: str, result: Any) -> None:
        yes, all_ = found[feature]
        found[feature] = (yes + is_answer(result), all_ + 1)

    for path in files:
        text, uri = path.read_text(), path.as_uri()
        client.open(uri, text)
        document = {"textDocument": {"uri": uri}}
        for feature, (method, kinds) in PLACES.items():
            behind = method == "textDocument/signatureHelp"
            for place in places(text, kinds, random.Random(path.name), behind=behind):
                more = _MORE.get(method, {})
                count(feature, client.ask(method, {**document, **more, "position": place}))
        for feature, method in FILES.items():
            count(feature, client.ask(method, document))
        for problem in client.diagnostics[uri][:3]:
            around = {"range": problem["range"], "context": {"diagnostics": [problem]}}
            result = client.ask("textDocument/codeAction", {**document, **around})
            count("code actions of a problem", result)
    client.close()
    return found


def rows(
    ours: dict[str, tuple[int, int]], theirs: dict[str, tuple[int, int]] | None
) -> Iterator[str]:
    """The table."""
    yield "| asked | places | xgpu-lsp-server | mlir-lsp-server |"
    yield "|---|---|---|---|"
    for feature, (yes, all_) in ours.items():
        shown = "not here" if theirs is None else f"{theirs[feature][0]}"
        yield f"| {feature} | {all_} | {yes} | {shown} |"


def main() -> None:
    files = sorted((ROOT / "tests/filecheck").rglob("*.mlir"))
    options = [word for word in sys.argv[1:] if word.startswith("--files=")]
    number = int(options[0].partition("=")[2]) if options else 40
    chosen = random.Random(0).sample(files, 2 * number)
    chosen = [path for path in chosen if len(path.read_text()) < 20_000][:number]
    others = [word for word in sys.argv[1:] if not word.startswith("--")]
    other = others[0] if others else shutil.which("mlir-lsp-server")
    ours = answers([sys.executable, "-m", "xgpu.tools.xgpu_lsp_server"], chosen)
    theirs = None if other is None else answers([other], chosen)
    print("\n".join(rows(ours, theirs)))


if __name__ == "__main__":
    main()
