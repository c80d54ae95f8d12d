# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of the native library: which are compiled, and that together they are all of it."""

from __future__ import annotations

import ctypes
import os
import re
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support import processes
from xgpu.host_device.abi.codes import GUARD_SLOTS, KEPT_SLOT
from xgpu.host_device.native import parts
from xgpu.host_device.native.library import native_library
from xgpu.host_device.native.library_text import items, own_items

ROOT = Path(__file__).parents[4]

RUN = """
import contextlib, io, os, sys
from xgpu.host_device.native import parts
from xgpu.tools.xgpu_runner import main

# On one core nothing asks for helpers, however long a launch takes on a busy machine.
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
made = []
plain = parts.source_text
parts.source_text = lambda part: made.append(part) or plain(part)
with contextlib.redirect_stdout(io.StringIO()):
    code = main([sys.argv[1], "--device=host"])
print(code, *sorted(made))
"""


def compiled(program: Path, cache: Path) -> str:
    """The runner's exit code, and the parts that it compiled."""
    clean = {k: v for k, v in os.environ.items() if k != "XGPU_NO_CACHE"}
    done = processes.run(
        [sys.executable, "-c", RUN, str(program)], capture_output=True, text=True, check=True,
        env={**clean, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(cache)},
    )  # fmt: skip
    return done.stdout.strip()


def test_a_program_has_only_what_it_needs_compiled(tmp_path: Path) -> None:
    vector_add = ROOT / "examples" / "vector_add.mlir"
    assert compiled(vector_add, tmp_path) == "0 core work"
    assert compiled(vector_add, tmp_path) == "0"
    # Another program adds what it needs, and finds the rest.
    host = tmp_path / "host.mlir"
    host.write_text(
        "func.func @main() {\n  %t = async.execute {\n    async.yield\n  }\n"
        "  async.await %t : !async.token\n  return\n}\n"
    )
    assert compiled(host, tmp_path) == "0 async"


def lines(*chosen: str) -> int:
    """Lines of LLVM IR, without those of the line table."""
    text = "".join(parts.source_text(part) for part in chosen)
    return sum(1 for line in text.splitlines() if not line.startswith("!"))


def test_what_every_run_compiles_is_small() -> None:
    assert lines(parts.CORE, "work") < 2100 < lines(*parts.PARTS) / 7


def test_each_exported_function_of_the_sources_has_a_part() -> None:
    """What begins with `xgpu_` is called by kernels, hosts or other libraries."""
    defined: set[str] = set()
    for source in parts.sources(parts.SOURCES):
        for external, name in re.findall(r"^(@extern\n)?def (xgpu_\w+)\(", source.text, re.M):
            if not external:
                defined.add(name)
    assert defined <= parts.PART_OF.keys()


def variables_of(found: Mapping[str, str]) -> set[str]:
    return {name for name, text in found.items() if re.match(r"@[\w.]+ = internal global", text)}


@pytest.mark.parametrize("part", parts.PARTS)
def test_variables_are_in_one_part(part: str) -> None:
    """A part that had its own slots of guards would not know of threads under those of another."""
    variables = variables_of(items(parts.source_text(part).partition("\n!")[0]))
    everywhere = variables_of(own_items())
    pool = {name for name in everywhere if name.startswith("xgpu_async")}
    assert len(pool) == 3
    assert len(everywhere) == 7
    assert variables == {"core": everywhere - pool, "async": pool}.get(part, set())


class _Stack(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t))


def test_a_thread_keeps_its_slot_and_its_alternate_stack_until_it_ends() -> None:
    """To set the stack anew for each launch would be two system calls."""
    native, found = native_library(), list[tuple[bool, bool, int]]()
    table = ctypes.CFUNCTYPE(ctypes.c_void_p)(native.symbols["xgpu_slot_table"])()
    slots = (ctypes.c_uint64 * GUARD_SLOTS).from_address(table)
    ident = 0

    def look(_: object) -> None:
        stack = _Stack()
        ctypes.CDLL(None).sigaltstack(None, ctypes.byref(stack))
        found.append((ident in slots, ident | KEPT_SLOT in slots, stack.flags))

    action = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(look)

    def work() -> None:
        nonlocal ident
        ident = threading.get_ident()
        for _ in range(2):
            assert native.guard(ctypes.cast(action, ctypes.c_void_p), None) == 0
            look(None)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [(True, False, 0), (False, True, 0)] * 2
    deadline = time.monotonic() + 60  # the system's thread ends after that of Python
    while ident | KEPT_SLOT in slots and time.monotonic() < deadline:
        time.sleep(0.001)
    assert ident | KEPT_SLOT not in slots


#: A thread allocates memory under a guard, and signals end that, again and again.
ALLOCATING = '''
import ctypes, signal, threading, time
from llvmlite import binding
from xgpu.host_device.machine.cpu import compile_ir
from xgpu.host_device.native.library import libc_addresses, native_library
from xgpu.host_device.native.signals import hold_faults
TEXT = """
declare ptr @malloc(i64)
declare void @free(ptr)
define void @allocate(ptr %begun) {
  br label %again
again:
  %count = phi i64 [ 0, %0 ], [ %next, %again ]
  %p = call ptr @malloc(i64 5000)
  store volatile i64 %count, ptr %p
  call void @free(ptr %p)
  %next = add i64 %count, 1
  store atomic volatile i64 %next, ptr %begun monotonic, align 8
  br label %again
}
"""
native = native_library()
hold_faults()
builder = binding.JITLibraryBuilder().add_object_img(compile_ir(TEXT, 0))
for name, address in libc_addresses(("malloc", "free")).items():
    builder.import_symbol(name, address)
builder.export_symbol("allocate")
tracker = builder.link(native.jit, "allocate")
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]
done = 0
begun = ctypes.c_int64()

def work():
    global done
    for _ in range(30):
        begun.value = 0
        assert native.guard(tracker["allocate"], ctypes.addressof(begun)) != 0
        libc.free(libc.malloc(5000))
        done += 1

thread = threading.Thread(target=work, daemon=True)
thread.start()
last, deadline = -1, 0.0
while thread.is_alive():
    if done != last:
        last, deadline = done, time.process_time() + 5
    if time.process_time() > deadline:
        break
    if begun.value:
        for _ in range(3):  # one may come while another is handled
            signal.pthread_kill(thread.ident, signal.SIGILL)
    time.sleep(0.0002)
print(done)
'''


def test_a_thread_is_not_thrown_out_of_malloc_which_holds_a_lock() -> None:
    done = processes.run(
        [sys.executable, "-c", ALLOCATING], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "30\n", done.stderr
