# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sanitizer's native code: compiled when a program first needs it, then cached."""

from __future__ import annotations

import ctypes
import re
from importlib.resources import files
from typing import TYPE_CHECKING

from xgpu.host_device.abi.codes import linked_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from xgpu.host_device.native.values import Signature

    _Parameter = type[ctypes.c_void_p] | type[ctypes.c_int32] | type[ctypes.c_int64]
    _Result = _Parameter | None


SOURCES = (
    "libc",
    "sanitizer_state",
    "sanitizer_pages",
    "sanitizer_clocks",
    "sanitizer_shadow",
    "sanitizer_ranges",
    "sanitizer_ends",
    "sanitizer_access",
    "sanitizer_sync",
    "sanitizer_warps",
    "tensor_maps",
    "sanitizer_copies",
    "sanitizer_host",
    "descriptors",
    "sanitizer_tensors",
    "sanitizer_states",
    "sanitizer_screen",
    "sanitizer_checks",
    "sanitizer_summaries",
)
_LIBC = ("malloc", "free", "usleep")
_NATIVE = (
    "xgpu_late_stores", "xgpu_throw", "xgpu_tma_load", "xgpu_tma_multicast", "xgpu_tma_gather",
    "xgpu_tma_zeros", "xgpu_tma_store", "xgpu_tma_scatter", "xgpu_tma_reduce",
)  # fmt: skip

# The one state, where the stack is, and a copy of a page past the caches, for which the language
# has no words. What is kept of pages is rarely read, and would take the room of what kernels use.
_OWN = ("xgpu_san_state", "xgpu_san_stack", "xgpu_san_inside", "xgpu_san_keep")
_IR = """
@xgpu_san_global = internal global [STATE_BYTES x i8] zeroinitializer, align 64
define ptr @xgpu_san_state() alwaysinline { ret ptr @xgpu_san_global }
declare ptr @llvm.frameaddress.p0(i32)
define ptr @xgpu_san_stack() noinline {
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  ret ptr %frame
}
define void @xgpu_san_inside(i64 %value) alwaysinline {
  fence syncscope("singlethread") seq_cst
  %place = getelementptr i8, ptr @xgpu_san_global, i64 INSIDE_OFFSET
  store volatile i64 %value, ptr %place
  fence syncscope("singlethread") seq_cst
  ret void
}
define void @xgpu_san_keep(ptr %to, ptr %from) {
entry:
  br label %line
line:
  %i = phi i64 [ 0, %entry ], [ %next, %line ]
  %source = getelementptr i8, ptr %from, i64 %i
  %target = getelementptr i8, ptr %to, i64 %i
  %bytes = load <8 x i64>, ptr %source, align 64
  store <8 x i64> %bytes, ptr %target, align 64, !nontemporal !{i32 1}
  %next = add i64 %i, 64
  %more = icmp ult i64 %next, 4096
  br i1 %more, label %line, label %done
done:
  ret void
}
"""

_WORD, _NUMBER, _LONG = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64
# What Python calls: result and parameters.
_CALLS: dict[str, tuple[_Result, *tuple[_Parameter, ...]]] = {
    "xgpu_san_begin": (None, _NUMBER),
    "xgpu_san_operation": (_NUMBER, _NUMBER, _NUMBER, _WORD, _NUMBER, _NUMBER),
    "xgpu_san_follow": (None, _NUMBER, _WORD, _NUMBER),
    "xgpu_san_allocate": (_NUMBER, _LONG, _LONG, _NUMBER),
    "xgpu_san_release": (None, _NUMBER),
    "xgpu_san_forget": (None, _NUMBER),
    "xgpu_san_idle": (None,),
    "xgpu_san_enter": (None, _WORD),
    "xgpu_san_leave": (None, _WORD),
    "xgpu_san_transfer": (None, _NUMBER, _LONG, _LONG, _LONG, _LONG, _NUMBER),
    "xgpu_san_word": (None, _NUMBER, _LONG, _LONG, _NUMBER, _NUMBER),
    "xgpu_san_missing": (_LONG, _LONG, _LONG, _WORD),
    "xgpu_san_is_written": (_NUMBER, _LONG, _LONG),
    "xgpu_san_screen_begin": (_NUMBER, _WORD, _NUMBER, _WORD, _NUMBER),
    "xgpu_san_screen_end": (_NUMBER, _WORD, _NUMBER),
    "xgpu_san_known": (_NUMBER, _WORD, _WORD, _NUMBER, _WORD, _NUMBER, _NUMBER),
    "xgpu_san_unknown": (None, _NUMBER),
    "xgpu_san_settle": (None, _NUMBER),
    "xgpu_san_host_now": (None, _NUMBER),
}


def _text(name: str) -> str:
    return (files("xgpu.host_device.native") / "sources" / f"{name}.py").read_text()


def source_text() -> str:
    """The sources as LLVM IR text; what kernels and Python call is visible."""
    from xgpu.host_device.abi.structs import offset, size_of
    from xgpu.host_device.native.language import Source, compile_functions, functions_of

    places = "xgpu/host_device/native/sources"
    functions = functions_of(Source(n, _text(n), f"{places}/{n}.py") for n in SOURCES)
    locked = [s for s, _ in functions.values() if _is_locked(s)]
    for signature in locked:
        signature.symbol = _UNLOCKED + signature.name
    text = compile_functions(functions, "xgpu sanitizer", visible="xgpu_", elsewhere=_OWN)
    return (
        text
        + "".join(map(_with_lock, locked))
        + _IR.replace("STATE_BYTES", str(size_of("SanState"))).replace(
            "INSIDE_OFFSET", str(offset("SanState", "inside"))
        )
    )


# What leaves the lock, or holds it only in part.
_WITHOUT_LOCK = (
    "xgpu_san_pause", "xgpu_san_turn", "xgpu_san_tensor_load", "xgpu_san_tensor_store",
    "xgpu_san_tensor_reduce",
)  # fmt: skip
# Of functions that kernels call with the lock held: calls within the sanitizer go to these.
_UNLOCKED = "unlocked."


def _is_locked(signature: Signature) -> bool:
    """Whether threads of kernels call a function, which gets the record of the thread first."""
    is_called = signature.name.startswith("xgpu_san_") and not signature.declared
    if not is_called or signature.name in _WITHOUT_LOCK:
        return False
    return signature.parameters[:1] == [("t", "Thread")]


def _with_lock(signature: Signature) -> str:
    """What kernels call, between `hold` and `let_go` (`sanitizer_state`)."""
    from xgpu.host_device.native.values import llvm_type

    result = llvm_type(signature.result)
    given = ", ".join(f"{llvm_type(type)} %{name}" for name, type in signature.parameters)
    screened = "_screened" if signature.name.startswith("xgpu_san_v_") else ""
    value, end = ("", "ret void") if result == "void" else ("%.r = ", f"ret {result} %.r")
    return f"""
define {result} @{signature.name}({given}) {{
  call void @hold{screened}(ptr %t)
  {value}call {result} @{signature.symbol}({given})
  call void @let_go{screened}(ptr %t)
  {end}
}}
"""


class SanitizerLibrary:
    """Addresses by name in `symbols`; what Python calls as attributes of `calls`."""

    def __init__(self) -> None:
        from llvmlite import binding

        from xgpu.host_device.abi.structs import offset
        from xgpu.host_device.native.library import libc_addresses, native_library

        native = native_library()
        builder = binding.JITLibraryBuilder().add_object_img(_machine_code())
        for name, address in libc_addresses(_LIBC).items():
            builder.import_symbol(name, address)
        for name in _NATIVE:
            builder.import_symbol(name, native.symbols[name])
        names = re.findall(r"^def (xgpu_\w+)\(", "\n".join(map(_text, SOURCES)), re.MULTILINE)
        for name in names:
            builder.export_symbol(name)
        tracker = builder.link(native.jit, "xgpu.sanitizer")
        native.libraries.append(tracker)
        self.symbols: dict[str, int] = {name: tracker[name] for name in names}
        self.calls: dict[str, Callable[..., int]] = {
            name: ctypes.CFUNCTYPE(*types)(self.symbols[name]) for name, types in _CALLS.items()
        }
        self._state = ctypes.CFUNCTYPE(_WORD)(self.symbols["xgpu_san_state"])
        native.tell_holder(self.state + offset("SanState", "thread"))

    @property
    def state(self) -> int:
        """The address of the `SanState`."""
        return self._state()


def _machine_code() -> bytes:
    import hashlib

    from xgpu.core.support.cache import SANITIZER
    from xgpu.host_device.abi.structs import STRUCTS, constants
    from xgpu.host_device.machine.cpu import compile_ir, description

    digest = hashlib.sha256()
    for name in SOURCES:
        digest.update(_text(name).encode())
    folder = files("xgpu.host_device.native")
    for name in ("language", "expressions", "arithmetic", "builtins", "values", "debug"):
        digest.update((folder / f"{name}.py").read_bytes())
    digest.update((_IR + repr((STRUCTS, constants()))).encode())
    key = SANITIZER.key(machine=description(), sources=digest.hexdigest())
    code = SANITIZER.get(key)
    if code is None:
        from xgpu.core.support.process import slow

        with slow("compiling the sanitizer"):
            code = compile_ir(source_text(), 3)
        SANITIZER.put(key, code)
    return code


@linked_once
def sanitizer_library() -> SanitizerLibrary:
    """The library of this process."""
    return SanitizerLibrary()
