# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions that programs call most, over the driver without Python between.

For each of them a function in machine code calls the driver's entry point, whose address the
driver itself gives (cuGetProcAddress). What needs more than that, and what the driver refuses, is
left to the function in Python, which does it again and finds the words for the error; so is
everything while a trace is written, and the first call of each thread, which makes the context
current there. Where a program uses several devices, `several` says what serves on the chosen one.
"""

from __future__ import annotations

import ctypes
import itertools

from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.cuda.native_text import CALLS, QUERIES, library_text

_numbers = itertools.count()

#: The functions that have one.
NAMES = tuple(CALLS)


class NativeFunctions:
    """Addresses by name in `addresses`. `context` is the context that they want to be current,
    null where there are several; while `chosen` is null then, they leave everything to Python.
    `launches` counts what they launched, `graph` is the executable graph that was launched last.
    While `polls` is set they wait for nothing that is not over: Python does.
    """

    def __init__(self, driver: Driver, python: dict[str, int]) -> None:
        from llvmlite import binding

        from xgpu.host_device.native.library import native_library

        self.context = ctypes.c_uint64(0)
        self._launches = ctypes.c_int64(0)
        self.graph = ctypes.c_uint64(0)
        self.polls = ctypes.c_int32(0)
        #: Tables of `several`: that of the chosen device, and that of events.
        self.chosen, self.events = ctypes.c_uint64(0), ctypes.c_uint64(0)
        entries = {"cuCtxGetCurrent": driver.entry("cuCtxGetCurrent")}
        for name in (*(call.entry for call in CALLS.values()), *QUERIES):
            entries[name] = driver.entry(name)
        builder = binding.JITLibraryBuilder().add_object_img(machine_code(library_text()))
        builder.import_symbol("xgpu_cuda_context", ctypes.addressof(self.context))
        builder.import_symbol("xgpu_cuda_launches", ctypes.addressof(self._launches))
        builder.import_symbol("xgpu_cuda_graph", ctypes.addressof(self.graph))
        builder.import_symbol("xgpu_cuda_polls", ctypes.addressof(self.polls))
        builder.import_symbol("xgpu_cuda_chosen", ctypes.addressof(self.chosen))
        builder.import_symbol("xgpu_cuda_events", ctypes.addressof(self.events))
        library = ctypes.CDLL(None)
        builder.import_symbol("memcmp", ctypes.cast(library.memcmp, ctypes.c_void_p).value or 0)
        for entry, address in entries.items():
            builder.import_symbol(entry, address)
        for name in NAMES:
            builder.import_symbol(f"xgpu_python.{name}", python[name])
            builder.export_symbol(f"xgpu_fast.{name}")
        self._tracker = builder.link(native_library().jit, f"xgpu.cuda.{next(_numbers)}")
        self.addresses: dict[str, int] = {n: self._tracker[f"xgpu_fast.{n}"] for n in NAMES}

    def take_launches(self) -> int:
        """How many launches there have been since this was asked for last."""
        count, self._launches.value = self._launches.value, 0
        return count


def machine_code(text: str) -> bytes:
    """Object code of functions in LLVM IR; kept in the user's cache."""
    import hashlib

    from xgpu.core.support import cache
    from xgpu.host_device.compiler.machine import compile_ir, description

    key = hashlib.sha256(f"{description()}\n{text}".encode()).hexdigest()
    code = cache.get("cuda", key)
    if code is None:
        code = compile_ir(text, 2)
        cache.put("cuda", key, code)
    return code
