# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CUDA driver of xgpu, called as C calls it, without its library: arguments are numbers and
addresses, results are numbers."""

from __future__ import annotations

import ctypes
import os
from typing import Any

from xgpu.api.cuda_driver.header import DevResource
from xgpu.api.cuda_driver.library_file import load_functions
from xgpu.api.cuda_driver.settings import Settings
from xgpu.api.cuda_driver.state import Driver
from xgpu.api.cuda_driver.table import FUNCTIONS, Function, Parameter, made_call

load_functions()

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
#: Kernels: one that adds vectors, one that writes where it must not, one with a variable, and one
#: with parameters of several sizes.
PTX = (
    HEAD
    + """
.visible .global .align 4 .u32 counter = 5;
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
  .reg .pred %p; .reg .u64 %rd<9>; .reg .u32 %r<9>; .reg .f32 %f<4>;
  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p, %r5, %r1;
  @%p bra END;
  mul.wide.u32 %rd4, %r5, 4;
  add.u64 %rd5, %rd1, %rd4; add.u64 %rd6, %rd2, %rd4; add.u64 %rd7, %rd3, %rd4;
  ld.global.f32 %f1, [%rd5]; ld.global.f32 %f2, [%rd6];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd7], %f3;
END:
  ret;
}
.visible .entry fault(.param .u64 a)
{
  .reg .u64 %rd<2>; .reg .u32 %r<2>;
  ld.param.u64 %rd1, [a];
  mov.u32 %r1, 1;
  st.global.u32 [%rd1], %r1;
  ret;
}
.visible .entry count(.param .u64 o)
{
  .reg .u64 %rd<2>; .reg .u32 %r<3>;
  ld.param.u64 %rd1, [o];
  ld.global.u32 %r1, [counter];
  st.global.u32 [%rd1], %r1;
  add.u32 %r2, %r1, 1;
  st.global.u32 [counter], %r2;
  ret;
}
.visible .entry mixed(.param .u64 o, .param .align 4 .b8 s[12], .param .u16 h, .param .u32 n)
{
  .reg .u64 %rd<2>; .reg .u32 %r<6>; .reg .u16 %h;
  ld.param.u64 %rd1, [o];
  ld.param.u32 %r1, [s+8]; ld.param.u16 %h, [h]; ld.param.u32 %r2, [n];
  cvt.u32.u16 %r3, %h;
  add.u32 %r4, %r1, %r2; add.u32 %r4, %r4, %r3;
  st.global.u32 [%rd1], %r4;
  ret;
}
"""
)


class Calls:
    """Functions of a driver of its own: `calls("cuMemAlloc", out, 8)` gives the result. Arguments
    are numbers, texts, and objects of ctypes, which stand for their addresses."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.driver = Driver(settings or Settings())
        self._calls: dict[str, Any] = {}

    def __call__(self, name: str, *arguments: Any) -> int:
        call = self._calls.get(name)
        if call is None:
            plain = name.removesuffix("_ptsz")
            function = FUNCTIONS.get(name) or FUNCTIONS[plain]
            call = self._calls[name] = made_call(function, self.driver, plain != name)
        kept = [_word(a) for a in arguments]
        return int(call(*(word for word, _ in kept)))

    def get(self, name: str, *arguments: Any) -> int:
        """The call's one result, whose pointer comes first; it must succeed."""
        into = ctypes.c_uint64(0)
        assert self(name, into, *arguments) == 0, name
        return into.value

    def values(self, name: str, *arguments: Any, count: int = 1) -> list[int]:
        """The call's results, whose pointers come last; it must succeed."""
        into = [ctypes.c_uint64() for _ in range(count)]
        self.do(name, *arguments, *into)
        return [word.value for word in into]

    def do(self, name: str, *arguments: Any) -> None:
        """The call must succeed."""
        assert self(name, *arguments) == 0, name

    def begin(self, device: int = 0) -> int:
        """Initialize the driver, and make a context current."""
        self.do("cuInit", 0)
        context = self.get("cuDevicePrimaryCtxRetain", device)
        self.do("cuCtxSetCurrent", context)
        return context

    def close(self) -> None:
        """Let go what the devices have."""
        for device in self.driver.devices:
            if device.has_begun:
                device.host.close()


def _word(argument: Any) -> tuple[int, Any]:
    if isinstance(argument, str):
        argument = argument.encode()
    if isinstance(argument, bytes):
        argument = ctypes.create_string_buffer(argument)
    if isinstance(argument, int):
        return argument, None
    return ctypes.addressof(argument), argument


def pointers(*values: Any) -> Any:
    """The array of addresses that a launch takes; it keeps the values."""
    made = (ctypes.c_uint64 * len(values))(*map(ctypes.addressof, values))
    made.kept = values
    return made


class World:
    """An object of each kind, for arguments that are right."""

    def __init__(self, calls: Calls) -> None:
        get = calls.get
        self.calls = calls
        self.zeros = (ctypes.c_uint64 * 8)()
        self.context = calls.begin()
        self.module = get("cuModuleLoadData", PTX)
        self.library = get("cuLibraryLoadData", PTX, 0, 0, 0, 0, 0, 0)
        self.graph = get("cuGraphCreate", 0)
        self.memory = get("cuMemAlloc", 1 << 16)
        self.handles = {
            "CUcontext": self.context, "CUmodule": self.module, "CUlibrary": self.library,
            "CUfunction": get("cuModuleGetFunction", self.module, "add"),
            "CUkernel": get("cuLibraryGetKernel", self.library, "add"),
            "CUstream": get("cuStreamCreate", 0), "CUevent": get("cuEventCreate", 0),
            "CUmemoryPool": get("cuDeviceGetDefaultMemPool", 0), "CUgraph": self.graph,
            "CUgraphNode": get("cuGraphAddEmptyNode", self.graph, 0, 0),
            "CUgraphExec": get("cuGraphInstantiateWithFlags", self.graph, 0),
        }  # fmt: skip
        state = ctypes.c_uint64()
        calls.do("cuLinkCreate", 0, 0, 0, state)
        self.handles["CUlinkState"] = state.value
        #: What its destructor was called with.
        self.destroyed: list[int | None] = []
        self.destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.destroyed.append)
        part = DevResource()
        calls.do("cuDeviceGetDevResource", 0, part, 1)
        self.handles["CUdevResourceDesc"] = get("cuDevResourceGenerateDesc", part, 1)
        self.handles["CUgreenCtx"] = get(
            "cuGreenCtxCreate", self.handles["CUdevResourceDesc"], 0, 1
        )
        self.handles["CUuserObject"] = get("cuUserObjectCreate", 0, self.destructor_address, 1, 1)

    @property
    def destructor_address(self) -> int:
        return ctypes.cast(self.destructor, ctypes.c_void_p).value or 0

    def argument(self, parameter: Parameter) -> Any:
        """One that is right by its type."""
        if parameter.kind in self.handles and parameter.how in ("handle", "stream"):
            return self.handles[parameter.kind]
        if parameter.how in ("out", "array", "struct"):
            words = (ctypes.c_uint64 * 64)()
            if parameter.text.startswith("void *parameters[]"):  # of a kernel
                words[:] = [ctypes.addressof(self.zeros)] * 64
            return words
        if parameter.how == "text":
            return os.devnull if parameter.name == "path" else "add"
        return 0

    def arguments(self, function: Function) -> list[Any]:
        return [self.argument(p) for p in function.parameters]


def wrong_arguments() -> list[tuple[str, int, Any, str]]:
    """Function, the number of a parameter, what is wrong for it, and the result's name."""
    found: list[tuple[str, int, Any, str]] = []
    for name, function in FUNCTIONS.items():
        for number, p in enumerate(function.parameters):
            if p.how in ("out", "struct", "text", "array") and not p.optional:
                found.append((name, number, 0, "INVALID_VALUE"))
            elif p.how == "device":
                found.append((name, number, 99, "INVALID_DEVICE"))
                found.append((name, number, -1, "INVALID_DEVICE"))
            elif p.how in ("handle", "stream"):
                kind = "INVALID_CONTEXT" if p.kind == "CUcontext" else "INVALID_HANDLE"
                found.append((name, number, 0x123, kind))
                if p.how == "handle" and not p.optional:
                    found.append((name, number, 0, kind))
    return found
