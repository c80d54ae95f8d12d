# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parts of the native library: each is compiled when something first needs it, and cached.

A part is the functions of sources that others call, and copies of all that these use. What keeps
something for the whole process (slots of guards, where the last fault was, who interrupted) is in
the core, which all others import; the pool of the async runtime is only in `async`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from xgpu.core.support.process import slow
from xgpu.host_device.abi import codes
from xgpu.host_device.abi.structs import STRUCTS, constants
from xgpu.host_device.native.support_text import OWN

if TYPE_CHECKING:
    from xgpu.host_device.native.language import Source

SOURCES = (
    "libc",
    "barriers",
    "thread_scheduler",
    "thread_orders",
    "expired_copies",
    "deferred_copies",
    "combined_atomics",
    "scheduler",
    "helpers",
    "warp",
    "small_floats",
    "mbarrier",
    "tensor_maps",
    "tma",
    "tma_reductions",
    "guards",
    "device_functions",
    "async_runtime",
)

ASYNC_FUNCTIONS = (
    "mlirAsyncRuntimeAddRef", "mlirAsyncRuntimeDropRef", "mlirAsyncRuntimeCreateToken",
    "mlirAsyncRuntimeCreateValue", "mlirAsyncRuntimeCreateGroup", "mlirAsyncRuntimeEmplaceToken",
    "mlirAsyncRuntimeEmplaceValue", "mlirAsyncRuntimeSetTokenError",
    "mlirAsyncRuntimeSetValueError", "mlirAsyncRuntimeIsTokenError",
    "mlirAsyncRuntimeIsValueError", "mlirAsyncRuntimeIsGroupError", "mlirAsyncRuntimeAwaitToken",
    "mlirAsyncRuntimeAwaitValue", "mlirAsyncRuntimeAwaitAllInGroup", "mlirAsyncRuntimeExecute",
    "mlirAsyncRuntimeGetValueStorage", "mlirAsyncRuntimeAddTokenToGroup",
    "mlirAsyncRuntimeAwaitTokenAndExecute", "mlirAsyncRuntimeAwaitValueAndExecute",
    "mlirAsyncRuntimeAwaitAllInGroupAndExecute", "mlirAsyncRuntimGetNumWorkerThreads",
)  # fmt: skip

#: Where the machine code of a part begins.
BEGIN = "xgpu_native_begin"
CORE = "core"
#: What can be called of each part.
PARTS: dict[str, tuple[str, ...]] = {
    CORE: (
        "xgpu_slot_table", "xgpu_fault_place", "xgpu_fault_text", "xgpu_guard",
        "xgpu_guard_key", "xgpu_guard_begin", "xgpu_throw",
        "xgpu_signal", "xgpu_interrupt", "xgpu_interrupt_words", "xgpu_enter_python",
        "xgpu_leave_python", "xgpu_end_if_asked",
    ),
    "work": ("xgpu_work", "xgpu_guarded_work", "xgpu_release"),
    "waits": ("xgpu_await", "xgpu_await_end"),
    "combining": ("xgpu_combine_miss", "xgpu_combine_give_back", "xgpu_combine_end"),
    "helpers": (
        "xgpu_lead", "xgpu_lead_again", "xgpu_help", "xgpu_join", "xgpu_helped",
        "xgpu_withdraw", "xgpu_interrupt_helpers", "xgpu_close_pool",
    ),
    "transfers": ("xgpu_transfer",),
    "threads": (
        "xgpu_scheduled_work", "xgpu_guarded_scheduled_work", "xgpu_frame", "xgpu_barrier",
        "xgpu_barrier_arrive", "xgpu_barrier_lanes", "xgpu_barrier_result", "xgpu_lanes_wait",
        "xgpu_to_threads", "xgpu_to_lanes", "xgpu_cluster_arrive", "xgpu_cluster_wait",
        "xgpu_yield", "xgpu_spin", "xgpu_count_spin", "xgpu_step", "xgpu_warpgroup_sync",
    ),
    "warps": ("xgpu_warp", "xgpu_come_together", "xgpu_active_mask", "xgpu_warp_with"),
    "mbarriers": (
        "xgpu_mbarrier_init", "xgpu_mbarrier_arrive", "xgpu_mbarrier_arrive_drop",
        "xgpu_mbarrier_expect_tx", "xgpu_mbarrier_complete_tx", "xgpu_mbarrier_pending",
        "xgpu_mbarrier_test", "xgpu_mbarrier_wait", "xgpu_mbarrier_poll",
    ),
    "clusters": ("xgpu_mapa", "xgpu_getctarank"),
    "copies": (
        "xgpu_tma_load", "xgpu_tma_store", "xgpu_tma_multicast", "xgpu_bulk_load",
        "xgpu_bulk_store", "xgpu_late_stores", "xgpu_bulk_multicast", "xgpu_tma_reduce",
        "xgpu_tma_gather", "xgpu_tma_scatter", "xgpu_tma_zeros", "xgpu_try_cancel",
    ),
    "units": ("xgpu_open_unit",),
    "services": (
        "xgpu_assertfail", "xgpu_assertfail_in_function", "xgpu_trap", "xgpu_vprintf",
        "xgpu_malloc", "xgpu_free", "xgpu_stop", "xgpu_kernel_division", "xgpu_misuse",
        "xgpu_bounds_failed",
    ),
    "small-floats": ("xgpu_small_from_float", "xgpu_small_to_float", "xgpu_small_stochastic"),
    "soft-floats": OWN,
    "async": ("xgpu_async_start", "xgpu_async_stop", "xgpu_async_alive", *ASYNC_FUNCTIONS),
}  # fmt: skip
#: The sources of each part's functions, or of what these call if they are written in LLVM IR.
ROOTS: dict[str, tuple[str, ...]] = {
    CORE: ("guards",),
    "work": ("scheduler",),
    "waits": ("scheduler", "guards"),
    "combining": ("combined_atomics",),
    "helpers": ("helpers",),
    "transfers": ("device_functions",),
    "threads": ("thread_orders", "barriers", "thread_scheduler", "warp", "guards"),
    "warps": ("warp", "guards"),
    "mbarriers": ("mbarrier",),
    "clusters": ("mbarrier",),
    "copies": ("tma", "tma_reductions", "expired_copies"),
    "units": ("guards",),
    "services": ("device_functions",),
    "small-floats": ("small_floats",),
    "soft-floats": ("small_floats",),
    "async": ("async_runtime", "guards"),
}
#: What many runs need, which is not compiled for its own speed alone: at which level of code, and
#: functions of how many instructions become part of others. Guards run a few times a launch. A
#: cluster of blocks takes a tenth longer to prepare than at level 2 of all passes; barriers of
#: warps take as long as then, those of threads a tenth longer, and compile in two fifths of the
#: time.
_SIMPLE = {CORE: (0, 0), "work": (1, 0), "helpers": (1, 0), "threads": (2, 95)}
#: The part of each function.
PART_OF = {name: part for part, names in PARTS.items() for name in names}


def source(name: str) -> str:
    """The text of a source."""
    return file_content(f"sources/{name}.py").decode()


def file_content(path: str) -> bytes:
    """A file of this folder. (`importlib.resources` takes longer to import than many a kernel to
    compile.)"""
    with open(os.path.join(os.path.dirname(__file__), path), "rb") as file:
        return file.read()


def sources(names: Iterable[str]) -> list[Source]:
    """Sources by name."""
    from xgpu.host_device.native.language import Source

    places = "xgpu/host_device/native/sources"
    return [Source(name, source(name), f"{places}/{name}.py") for name in names]


def sources_of(part: str) -> list[Source]:
    """The sources that a part's functions may use: those that import one another, from where the
    functions are that are not written in LLVM IR."""
    known = {source.name: source for source in sources(SOURCES)}
    needed = list(ROOTS[part])
    for name in needed:
        imports = _IMPORT.findall(known[name].text)
        needed += [found for found in imports if found not in needed]
    return [known[name] for name in dict.fromkeys(needed)]


_IMPORT = re.compile(r"^from xgpu\.host_device\.native\.sources\.(\w+) import", re.MULTILINE)


def source_text(part: str) -> str:
    """A part as LLVM IR text."""
    from xgpu.host_device.native.library_text import compile_reachable, own_items

    imported = () if part == CORE else PARTS[CORE]
    title = f"xgpu native runtime, {part}"
    roots = (BEGIN, *PARTS[part])
    return compile_reachable(sources_of(part), title, roots, own_items(), imported)


_COMPILER = (
    "language", "expressions", "arithmetic", "builtins", "values", "debug", "support_text",
    "library_text", "parts", "../abi/codes",
)  # fmt: skip


@cache
def _state() -> str:
    """What the code of every part depends on: sources and their compiler."""
    from xgpu.core.support import cache

    words = (codes.PROGRAM_COUNTER_WORD, codes.FAULT_ADDRESS_WORD)
    said = [compiler_state(), *(source(name).encode() for name in SOURCES)]
    said.append(repr((STRUCTS, constants(), words)).encode())
    return cache.checksum(b"\0".join(said)).hex()


def compiler_state() -> bytes:
    """What the code of every source depends on, but for the source and the processor."""
    return b"\0".join(file_content(f"{name}.py") for name in _COMPILER)


def machine_code(part: str) -> bytes:
    """A part's object code, from the user's cache if it is there."""
    from xgpu.core.support.cache import NATIVE
    from xgpu.host_device.machine.cpu import compile_ir, compile_simply, description

    key = NATIVE.key(machine=description(), sources=_state(), part=part)
    code = NATIVE.get(key)
    if code is None:
        with slow("compiling a part of the host device"):
            text = source_text(part)
            simple = _SIMPLE.get(part)
            code = compile_ir(text, 2) if simple is None else compile_simply(text, *simple)
        NATIVE.put(key, code)
    return code
