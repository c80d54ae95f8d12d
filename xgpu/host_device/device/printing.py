# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels print: held until the host waits for them, as on a GPU, in a buffer of a size."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.forks import new_lock, new_rlock

if TYPE_CHECKING:
    from collections.abc import Callable
    from ctypes import c_int64

    from xgpu.host_device.device.launch import Launch


# -- What kernels print: kept until the host waits for them, as on a GPU, in a buffer of a size.
#
# On a GPU what does not fit overwrites what was printed first. Here it is the end that is missing,
# for the beginning of what a kernel says is of more use, and the launch says how much is missing.
# Each launch has all of the buffer: when several have filled it, what is there is written before
# the host waits.


VARIABLE = "XGPU_PRINTF_BUFFER"

_DEFAULT_BYTES = 1 << 20  # as a GPU's


def buffer_bytes() -> int:
    """The size of the buffer in bytes; 0: any. Raises `DeviceError` for a size that is none."""
    text = os.environ.get(VARIABLE, "")
    if not text:
        return _DEFAULT_BYTES
    if not text.isdecimal():
        raise DeviceError(f"{VARIABLE} is '{text}', expected a number of bytes, or 0 for any")
    return int(text)


class Printed:
    """The buffer of a device. `write` takes what is printed, `warn` what is to be said of it;
    `activity` counts texts (`HostDevice.activity`)."""

    def __init__(
        self, write: Callable[[str], None], warn: Callable[[str], None], activity: c_int64
    ) -> None:
        self._activity = activity
        self.limit = buffer_bytes()
        self._write = write
        self._warn = warn
        self._texts: list[str] = []
        self._bytes = 0
        self._is_due = False  # whether there are some, or one writes some
        self._lock = new_lock()
        self._writing = new_rlock()  # held while one writes: what comes next is written next

    def add(self, launch: Launch, text: str) -> None:
        """A thread of `launch` has printed `text`."""
        size = len(text.encode("utf-8", "replace"))
        launch.record.said = 1
        with self._lock:
            if self.limit and (launch.unprinted or launch.printed + size > self.limit):
                is_first = not launch.unprinted
                launch.unprinted += size
                is_full = True
            else:
                is_first = False
                launch.printed += size
                self._texts.append(text)
                self._is_due = True
                self._activity.value += 1
                self._bytes += size
                is_full = bool(self.limit) and self._bytes > self.limit
        if is_first or (is_full and not launch.unprinted):
            self.flush()
        if is_first:
            self._warn(
                f"kernel '{launch.name}' prints more than the {self.limit} bytes of printf's "
                f"buffer ({VARIABLE}): the rest is not shown"
            )

    @property
    def is_pending(self) -> bool:
        """Whether something printed is not written yet."""
        return bool(self._texts)

    def flush(self) -> None:
        """Write what has been printed, as a GPU does when the host waits for it."""
        if not self._is_due:
            return
        with self._writing:
            with self._lock:
                text, self._texts, self._bytes = "".join(self._texts), [], 0
            if text:
                self._write(text)
            with self._lock:
                self._is_due = bool(self._texts)
