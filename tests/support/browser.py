# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chromium without a window, driven by the DevTools protocol over a pipe: no other program and no
port of the machine is needed."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import signal
import time
from typing import Any

#: The browser; None where there is none.
CHROMIUM = next(
    (
        path
        for name in ("chromium", "chromium-browser", "google-chrome")
        if (path := shutil.which(name))
    ),
    None,
)
_SECONDS = 60
#: Keys whose names are no characters, and what the protocol knows them by.
_CODES = {
    "ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39, "Enter": 13, "Escape": 27,
    "Tab": 9, "Home": 36, "End": 35, " ": 32,
}  # fmt: skip


def _pipe() -> tuple[int, int]:
    """The ends of a pipe, neither of which is a number that the browser knows."""
    ends = os.pipe()
    read, write = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
    for end in ends:
        os.close(end)
    return read, write


class Browser:
    """One process of the browser with one page. `errors` are what its console has said."""

    def __init__(self, folder: pathlib.Path) -> None:
        assert CHROMIUM is not None
        theirs, ours = _pipe()
        answers, into = _pipe()
        options = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--disable-features=IsolateSandboxedIframes",  # a frame is asked like its page
            "--no-first-run", "--remote-debugging-pipe", f"--user-data-dir={folder / 'profile'}",
        ]  # fmt: skip
        # The browser reads from 3 and writes to 4.
        self._process = os.posix_spawn(
            CHROMIUM,
            [CHROMIUM, *options, "about:blank"],
            os.environ,
            file_actions=[
                *((os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in range(3)),
                (os.POSIX_SPAWN_DUP2, theirs, 3),
                (os.POSIX_SPAWN_DUP2, into, 4),
            ],
        )
        os.close(theirs)
        os.close(into)
        self._write, self._read = ours, answers
        self._buffer = b""
        self._last = 0
        self._session: str | None = None
        self.errors: list[str] = []
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self._ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._ask(f"{domain}.enable")

    def close(self) -> None:
        """Ends the process."""
        os.kill(self._process, signal.SIGTERM)
        os.waitpid(self._process, 0)
        os.close(self._write)
        os.close(self._read)

    # -- the protocol

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") != self._last:
                self._note(answer)
                continue
            assert "error" not in answer, answer["error"]
            return answer["result"]

    def _receive(self) -> dict[str, Any]:
        end = time.monotonic() + _SECONDS
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser does not answer"
            part = os.read(self._read, 1 << 20)
            assert part, "the browser has ended"
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def _note(self, event: dict[str, Any]) -> None:
        """Takes what is wrong from an event."""
        parameters = event.get("params", {})
        method = event.get("method")
        if method == "Runtime.exceptionThrown":
            self.errors.append(str(parameters["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            self.errors.append(str(parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.errors.append(str(parameters["entry"]["text"]))

    # -- the page

    def open(self, path: pathlib.Path, width: int = 1280, height: int = 800) -> float:
        """Opens a file; the seconds until its scripts have run."""
        self.resize(width, height)
        started = time.monotonic()
        self._ask("Page.navigate", url=path.as_uri())
        while (
            self.run("document.readyState") != "complete"
            or self.run("location.href") == "about:blank"
        ):
            time.sleep(0.01)
        return time.monotonic() - started

    def resize(self, width: int, height: int = 800, *, dark: bool = False) -> None:
        """Gives the page another size, and bright or dark colors."""
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < 500,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask("Emulation.setEmulatedMedia", features=[scheme])

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression."""
        result = self._ask("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def run_in_frame(self, script: str) -> Any:
        """The same in the first frame of the page."""
        tree = self._ask("Page.getFrameTree")["frameTree"]
        frame = tree["childFrames"][0]["frame"]["id"]
        world = self._ask("Page.createIsolatedWorld", frameId=frame)["executionContextId"]
        result = self._ask(
            "Runtime.evaluate", expression=script, returnByValue=True, contextId=world
        )
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def press(self, *keys: str) -> None:
        """Presses keys, `Shift+Tab` with Shift."""
        for name in keys:
            shifted, key = (name[:6] == "Shift+", name.removeprefix("Shift+"))
            code = _CODES.get(key, ord(key.upper()) if len(key) == 1 else 0)
            text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
            parameters: dict[str, Any] = {
                "key": key, "windowsVirtualKeyCode": code, "modifiers": 8 * shifted,
            }  # fmt: skip
            down = {"text": text} if text else {}
            self._ask(
                "Input.dispatchKeyEvent",
                type="keyDown" if text else "rawKeyDown",
                **parameters,
                **down,
            )
            self._ask("Input.dispatchKeyEvent", type="keyUp", **parameters)

    def write(self, text: str) -> None:
        """Types a text into what has the focus."""
        self._ask("Input.insertText", text=text)

    def click(self, selector: str) -> None:
        """Clicks in the middle of an element."""
        place = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            "return [r.left + Math.min(r.width / 2, 80), r.top + r.height / 2]; })()"
        )
        where = {"x": place[0], "y": place[1], "button": "left", "clickCount": 1}
        self._ask("Input.dispatchMouseEvent", type="mousePressed", **where)
        self._ask("Input.dispatchMouseEvent", type="mouseReleased", **where)

    def wait(self, script: str) -> None:
        """Waits until an expression is true."""
        end = time.monotonic() + _SECONDS
        while not self.run(script):
            assert time.monotonic() < end, script
            time.sleep(0.02)

    def picture(self, path: pathlib.Path) -> None:
        """Writes a picture of what is seen."""
        data = self._ask("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))
