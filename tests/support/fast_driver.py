# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The stand-in's launches in machine code, for measuring: what the callers take is seen only over a
driver that takes next to nothing.

Machine code knows which handles are alive and which context is current in the thread that called
last. What fits is counted and done; whatever does not goes to the rules in Python, which have the
words for what is wrong. So nothing is let through that the rules refuse.
"""

from __future__ import annotations

import ctypes
import threading
from typing import Any

from tests.support.fake_driver import FakeDriver
from tests.support.machine_driver import MachineDriver

_SLOTS = 4096
_TABLES = ("kernel", "room", "stream", "executable", "graph", "node", "owner")
_THREAD, _CONTEXT, _CALLS, _FIRST = 0, 1, 2, 3  # words of the books; then the tables

#: What has machine code, and what it is declared as.
FAST = {
    "cuCtxGetCurrent": "ptr %out", "cuCtxSetCurrent": "i64 %context",
    "cuStreamSynchronize": "i64 %stream", "cuStreamQuery": "i64 %stream",
    "cuGraphLaunch": "i64 %executable, i64 %stream",
    "cuLaunchKernel": (
        "i64 %kernel, i32 %gx, i32 %gy, i32 %gz, i32 %bx, i32 %by, i32 %bz, i32 %shared,"
        " i64 %stream, i64 %parameters, i64 %extra"
    ),
    "cuLaunchKernelEx": "ptr %config, i64 %kernel, i64 %parameters, i64 %extra",
    "cuGraphExecKernelNodeSetParams": "i64 %executable, i64 %node, ptr %parameters",
}  # fmt: skip


def _table(name: str) -> int:
    return _FIRST + _SLOTS * _TABLES.index(name)


class FastDriver(FakeDriver):
    """Books that machine code reads too."""

    def __init__(self, **attributes: int) -> None:
        self.books = (ctypes.c_uint64 * (_FIRST + _SLOTS * len(_TABLES)))()
        super().__init__(**attributes)

    @property
    def fast_calls(self) -> int:
        """Calls that machine code has answered."""
        return self.books[_CALLS]

    def make(self, kind: str, what: Any = None, handle: int = 0) -> int:
        made = super().make(kind, what, handle or self._new_handle())
        if kind in ("kernel", "stream", "executable", "node"):
            self._note(kind, made, made)
        if kind == "kernel":
            self._note("room", made, what.dynamic)
        elif kind == "executable":
            self._note("graph", made, what)
        elif kind == "node":
            self._note("owner", made, what.graph if what.kind == "kernel" else 0)
        return made

    def _new_handle(self) -> int:
        """A handle with a slot of its own, as long as there is one."""
        begins = [_table(name) for name in ("kernel", "stream", "executable", "node")]
        for _ in range(_SLOTS):
            handle = next(self.handles)
            slot = (handle >> 8) % _SLOTS
            if not any(self.books[begin + slot] for begin in begins):
                break
        return handle

    def end(self, kind: str, handle: Any) -> Any:
        if kind in ("stream", "executable"):
            self._note(kind, int(handle), 0)
        elif kind in ("module", "library", "graph"):  # and what is of it
            for table in ("kernel", "node"):
                begin = _table(table)
                self.books[begin : begin + _SLOTS] = [0] * _SLOTS
        return super().end(kind, handle)

    def _note(self, table: str, handle: int, value: int) -> None:
        self.books[_table(table) + (handle >> 8) % _SLOTS] = value

    def _call(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        found = super()._call(name, arguments)
        self.books[_THREAD] = 0
        self.books[_CONTEXT] = self.here()
        if not self.fail_at and not self.failures and self.books[_CONTEXT]:
            self.books[_THREAD] = threading.get_ident()  # the pointer, in glibc
        return found


class FastMachineDriver(MachineDriver):
    """C functions over a `FastDriver`, of which some are machine code throughout."""

    def __init__(self, fake: FastDriver) -> None:
        super().__init__(fake)
        from llvmlite import binding

        from xgpu.host_device.compiler.machine import compile_ir
        from xgpu.host_device.native.library import native_library

        builder = binding.JITLibraryBuilder().add_object_img(compile_ir(_text(), 3))
        builder.import_symbol("books", ctypes.addressof(fake.books))
        for name in FAST:
            builder.import_symbol(f"rules_{name}", super().implementation(name))
            builder.export_symbol(f"fast_{name}")
        self._tracker = builder.link(native_library().jit, "stand-in.fast")

    def implementation(self, name: str) -> int:
        return self._tracker[f"fast_{name}"] if name in FAST else super().implementation(name)


_CHECKS = """
@books = external global [0 x i64]
declare ptr @llvm.thread.pointer()

define internal i1 @here() alwaysinline {
  %pointer = call ptr @llvm.thread.pointer()
  %thread = ptrtoint ptr %pointer to i64
  %known = load i64, ptr @books
  %same = icmp eq i64 %thread, %known
  ret i1 %same
}

define internal i64 @at(i64 %table, i64 %handle) alwaysinline {
  %number = lshr i64 %handle, 8
  %slot = and i64 %number, MASK
  %place = add i64 %table, %slot
  %entry = getelementptr i64, ptr @books, i64 %place
  %value = load i64, ptr %entry
  ret i64 %value
}

define internal i1 @alive(i64 %table, i64 %handle) alwaysinline {
  %value = call i64 @at(i64 %table, i64 %handle)
  %same = icmp eq i64 %value, %handle
  ret i1 %same
}

define internal i1 @stream(i64 %handle) alwaysinline {
  %null = icmp eq i64 %handle, 0
  %alive = call i1 @alive(i64 STREAM, i64 %handle)
  %either = or i1 %null, %alive
  ret i1 %either
}

define internal i1 @between(i64 %value, i64 %most) alwaysinline {
  %less = sub i64 %value, 1
  %fits = icmp ult i64 %less, %most
  ret i1 %fits
}

define internal i1 @sizes(ptr %words, i64 %shared, i64 %kernel) alwaysinline {
LOADS
  %two = mul i64 %w3, %w4
  %threads = mul i64 %two, %w5
  %c0 = call i1 @between(i64 %w0, i64 2147483647)
  %c1 = call i1 @between(i64 %w1, i64 65535)
  %c2 = call i1 @between(i64 %w2, i64 65535)
  %c3 = call i1 @between(i64 %threads, i64 1024)
  %c4 = call i1 @between(i64 %w5, i64 64)
  %c5 = call i1 @alive(i64 KERNEL, i64 %kernel)
  %room = call i64 @at(i64 ROOM, i64 %kernel)
  %c6 = icmp ule i64 %shared, %room
  %a0 = and i1 %c0, %c1
  %a1 = and i1 %c2, %c3
  %a2 = and i1 %c4, %c5
  %a3 = and i1 %a0, %a1
  %a4 = and i1 %a2, %c6
  %a5 = and i1 %a3, %a4
  ret i1 %a5
}

define internal void @count() alwaysinline {
  %place = getelementptr i64, ptr @books, i64 2
  %old = load i64, ptr %place
  %new = add i64 %old, 1
  store i64 %new, ptr %place
  ret void
}
"""

#: What has to hold for machine code to answer, as `%fits`, and what it does then.
_BODIES = {
    "cuCtxGetCurrent": (
        "  %fits = call i1 @here()\n",
        "  %place = getelementptr i64, ptr @books, i64 1\n  %now = load i64, ptr %place\n"
        "  store i64 %now, ptr %out\n",
    ),
    "cuCtxSetCurrent": (
        "  %place = getelementptr i64, ptr @books, i64 1\n  %now = load i64, ptr %place\n"
        "  %same = icmp eq i64 %now, %context\n  %here = call i1 @here()\n"
        "  %fits = and i1 %here, %same\n", "",
    ),
    "cuStreamSynchronize": (
        "  %here = call i1 @here()\n  %one = call i1 @stream(i64 %stream)\n"
        "  %fits = and i1 %here, %one\n", "",
    ),
    "cuStreamQuery": (
        "  %here = call i1 @here()\n  %one = call i1 @stream(i64 %stream)\n"
        "  %fits = and i1 %here, %one\n", "",
    ),
    "cuGraphLaunch": (
        "  %here = call i1 @here()\n  %one = call i1 @stream(i64 %stream)\n"
        "  %other = call i1 @alive(i64 EXECUTABLE, i64 %executable)\n"
        "  %both = and i1 %one, %other\n  %fits = and i1 %here, %both\n", "",
    ),
    "cuLaunchKernel": (
        "  %words = alloca [6 x i32]\n"
        + "".join(
            f"  %p{i} = getelementptr i32, ptr %words, i64 {i}\n  store i32 %{name}, ptr %p{i}\n"
            for i, name in enumerate(("gx", "gy", "gz", "bx", "by", "bz"))
        )
        + "  %wide = zext i32 %shared to i64\n"
        "  %sized = call i1 @sizes(ptr %words, i64 %wide, i64 %kernel)\n"
        "  %here = call i1 @here()\n  %one = call i1 @stream(i64 %stream)\n"
        "  %both = and i1 %one, %sized\n  %fits = and i1 %here, %both\n", "",
    ),
    "cuLaunchKernelEx": (
        # CUlaunchConfig: sizes, shared, stream, attributes, their number
        "  %sp = getelementptr i8, ptr %config, i64 24\n  %shared = load i32, ptr %sp\n"
        "  %wide = zext i32 %shared to i64\n"
        "  %tp = getelementptr i8, ptr %config, i64 32\n  %stream = load i64, ptr %tp\n"
        "  %np = getelementptr i8, ptr %config, i64 48\n  %number = load i32, ptr %np\n"
        "  %plain = icmp eq i32 %number, 0\n"
        "  %sized = call i1 @sizes(ptr %config, i64 %wide, i64 %kernel)\n"
        "  %here = call i1 @here()\n  %one = call i1 @stream(i64 %stream)\n"
        "  %f0 = and i1 %one, %sized\n  %f1 = and i1 %here, %plain\n"
        "  %fits = and i1 %f0, %f1\n", "",
    ),
    "cuGraphExecKernelNodeSetParams": (
        # CUDA_KERNEL_NODE_PARAMS: the kernel, sizes, shared
        "  %kernel = load i64, ptr %parameters\n"
        "  %words = getelementptr i8, ptr %parameters, i64 8\n"
        "  %sp = getelementptr i8, ptr %parameters, i64 32\n  %shared = load i32, ptr %sp\n"
        "  %wide = zext i32 %shared to i64\n"
        "  %sized = call i1 @sizes(ptr %words, i64 %wide, i64 %kernel)\n"
        "  %here = call i1 @here()\n"
        "  %one = call i1 @alive(i64 EXECUTABLE, i64 %executable)\n"
        "  %two = call i1 @alive(i64 NODE, i64 %node)\n"
        "  %graph = call i64 @at(i64 GRAPH, i64 %executable)\n"
        "  %owner = call i64 @at(i64 OWNER, i64 %node)\n"
        "  %same = icmp eq i64 %graph, %owner\n"
        "  %f0 = and i1 %one, %two\n  %f1 = and i1 %same, %sized\n  %f2 = and i1 %f0, %f1\n"
        "  %fits = and i1 %here, %f2\n", "",
    ),
}  # fmt: skip


def _text() -> str:
    loads = "\n".join(
        f"  %a{i}_ = getelementptr i32, ptr %words, i64 {i}\n"
        f"  %n{i} = load i32, ptr %a{i}_\n  %w{i} = zext i32 %n{i} to i64"
        for i in range(6)
    )
    parts = [_CHECKS.replace("LOADS", loads)]
    for name, declared in FAST.items():
        checks, does = _BODIES[name]
        types = ", ".join(p.split()[0] for p in declared.split(", "))
        parts.append(f"""
declare i32 @rules_{name}({types})
define i32 @fast_{name}({declared}) {{
{checks}  br i1 %fits, label %fast, label %slow
fast:
{does}  call void @count()
  ret i32 0
slow:
  %result = call i32 @rules_{name}({declared})
  ret i32 %result
}}
""")
    text = "".join(parts).replace("MASK", str(_SLOTS - 1))
    for table in _TABLES:
        text = text.replace(f"i64 {table.upper()}", f"i64 {_table(table)}")
    return text
