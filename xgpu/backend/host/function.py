# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One function of a kernel module, rewritten for the host.

Address spaces go, sync scopes go, intrinsics become what the tables say, shared variables become
places in the block's buffer. Every function gets the thread's record as its first parameter and
hands it on.
"""

from __future__ import annotations

import re

from xgpu.backend.host import intrinsics
from xgpu.backend.host import libdevice as host_libdevice
from xgpu.backend.host.calls import WAIT_PREFIX
from xgpu.backend.host.constants import Expander
from xgpu.backend.host.context import (
    THREAD,
    FunctionContext,
    UnsupportedOnHost,
    field_store,
)
from xgpu.backend.host.marks import EXIT, IF
from xgpu.backend.host.text import Call, Function, read_call

_ADDRESS_SPACE = re.compile(r" addrspace\(\d+\)|, addrspace\(\d+\)")
_SYNC_SCOPE = re.compile(r' syncscope\("[^"]*"\)')
_CAST = re.compile(r"= addrspacecast ")
_MANGLING = re.compile(r"(@llvm\.[\w.]*?)((?:\.p\d+)+)(\b[\w.]*\()")
_CAST_CONSTANT = "addrspacecast ("

# External functions that a kernel may call and the device provides (see
# runtime/host_device/services).
SERVICES = {"vprintf": "xgpu_vprintf", "malloc": "xgpu_malloc", "free": "xgpu_free"}

# What a kernel that `host-sanitize` has instrumented tells the sanitizer.
SANITIZER = "xgpu_san_"


def expand_conditions(function: Function) -> None:
    """Make blocks and branches of what `conditional` has written."""
    from xgpu.backend.host.coroutine import Expansion, split_blocks

    def expand(line: str, rest: str, number: int) -> Expansion | None:
        if not line.startswith(IF):
            return None
        head, *body = line.split("\n")
        then = f"xgpu.then.{number}"
        condition = head[len(IF) :]
        ending = [f"br i1 {condition}, label %{then}, label %{rest}"]
        return ending, [(then, [*body, f"br label %{rest}"])]

    if any(IF in line for line in function.lines()):
        split_blocks(function, expand, "xgpu.endif")


def strip_spaces(text: str) -> str:
    """`text` without address spaces and sync scopes; casts between spaces become no-ops."""
    if "addrspace" in text:
        text = _ADDRESS_SPACE.sub("", text)
        text = _CAST.sub("= bitcast ", text)
        while _CAST_CONSTANT in text:
            text = _uncast(text)
    if "syncscope" in text:
        text = _SYNC_SCOPE.sub("", text)
    if "@llvm." in text:
        text = _MANGLING.sub(lambda m: m[1] + re.sub(r"\d+", "0", m[2]) + m[3], text)
    return text


def _uncast(text: str) -> str:
    """The first `addrspacecast (ptr X to ptr)` of `text` replaced by X."""
    from xgpu.backend.host.text import balanced, typed_value

    start = text.index(_CAST_CONSTANT)
    open_at = start + len(_CAST_CONSTANT) - 1
    end = balanced(text, open_at)
    inner = text[open_at + 1 : end - 1].rsplit(" to ", 1)[0]
    return text[:start] + typed_value(inner)[1] + text[end:]


def _template(line: str) -> str:
    """The template of the inline assembly in a line, as it is written there."""
    match = re.search(r'\basm\b[^"]*("[^"]*")', line)
    return match[1] if match else ""


class FunctionRewriter:
    """Rewrites a function in place; afterwards `ctx` says which registers it reads."""

    def __init__(self, function: Function, ctx: FunctionContext, defined: set[str]) -> None:
        self.function = function
        self.ctx = ctx
        self.defined = defined
        self.expander = Expander(ctx)

    def run(self) -> None:
        blocks: list[tuple[str, list[str]]] = []
        for label, lines in self.function.blocks:
            out: list[str] = []
            for line in lines:
                out += self.line(self.expander.line(strip_spaces(line)))
            blocks.append((label, out))
        self.function.blocks = blocks
        expand_conditions(self.function)
        for parameter in self.function.parameters:
            parameter.type = strip_spaces(parameter.type)
        self.function.result = strip_spaces(self.function.result)

    def line(self, line: str) -> list[str]:
        call = read_call(line) if "call " in line else None
        if call is None:
            return [line]
        try:
            return self.call(call, line)
        except UnsupportedOnHost as problem:
            problem.text = call.callee or _template(line)
            raise

    def call(self, call: Call, line: str) -> list[str]:
        if call.assembly is not None:
            from xgpu.backend.host.assembly import emit_assembly

            return emit_assembly(call, self.ctx)
        assert call.callee is not None
        name = call.callee[1:].strip('"')
        if name.startswith("llvm.nvvm."):
            return self.intrinsic(name[len("llvm.nvvm.") :], call)
        if name.startswith("llvm."):
            return self.llvm_intrinsic(name, line)
        if call.callee.startswith("%") or name in self.defined:
            return [self.with_thread(call)]
        if name.startswith("__nv_"):
            return host_libdevice.emit(name[len("__nv_") :], call, self.ctx)
        if name == "__assertfail":
            if self.ctx.is_kernel:
                return [self.service(call, "xgpu_assertfail"), EXIT]
            return [self.service(call, "xgpu_assertfail_in_function")]
        if name == "xgpu.set_thread":
            return self.set_thread(call)
        if name.startswith(SANITIZER):
            return [self.service(call, name)]
        if name in SERVICES:
            return [self.service(call, SERVICES[name])]
        raise UnsupportedOnHost(
            f"call of '{name}', which is not defined and not known to the device"
        )

    def intrinsic(self, name: str, call: Call) -> list[str]:
        if name == "exit":
            if not self.ctx.is_kernel:
                raise UnsupportedOnHost("'nvvm.exit' in a function that is not a kernel")
            return [EXIT]
        emitter = intrinsics.find(name)
        if emitter is None:
            raise UnsupportedOnHost(
                f"intrinsic 'llvm.nvvm.{name}' is not supported on the host device"
            )
        return emitter(call, self.ctx)

    def llvm_intrinsic(self, name: str, line: str) -> list[str]:
        """LLVM's own: kept, but for a trap, which must not take the process down."""
        if name in ("llvm.trap", "llvm.debugtrap", "llvm.ubsantrap"):
            callee = self.ctx.module.declare("void", "xgpu_trap", "ptr")
            return [f"call void {callee}(ptr {THREAD})"]
        if name.startswith(("llvm.dbg.", "llvm.lifetime.")):
            return []
        return [line]

    def with_thread(self, call: Call) -> str:
        arguments = ", ".join([f"ptr {THREAD}", *(f"{t} {v}" for t, v in call.arguments)])
        prefix = f"{call.result} = " if call.result else ""
        flags = f"{call.flags} " if call.flags else ""
        type = call.type.split(" (")[0]
        return f"{prefix}call {flags}{type} {call.callee}({arguments})"

    def set_thread(self, call: Call) -> list[str]:
        """Says in the thread's record which thread of the block it stands for."""
        lines: list[str] = []
        fields = ("tid_x", "tid_y", "tid_z", "linear")
        for field, (type, value) in zip(fields, call.arguments, strict=True):
            place = self.ctx.fresh("at")
            lines += field_store(value, type, THREAD, "Thread", field, place)
        return lines

    def service(self, call: Call, symbol: str) -> str:
        """A call of the device's: it also gets the thread."""
        types = ["ptr", *(t for t, _ in call.arguments)]
        callee = self.ctx.module.declare(call.type.split(" (")[0], symbol, *types)
        return self.with_thread(Call(call.result, call.type, callee, call.arguments))


def waits(function: Function) -> bool:
    """Whether the function has a suspension point."""
    prefix = f"@{WAIT_PREFIX}"
    return any(prefix in line for line in function.lines())


def callees(function: Function) -> set[str]:
    """Names of all symbols that the function mentions."""
    names: set[str] = set()
    for line in function.lines():
        if "@" in line:
            names.update(n.strip('"') for n in re.findall(r'@("[^"]*"|[\w.$-]+)', line))
    return names
