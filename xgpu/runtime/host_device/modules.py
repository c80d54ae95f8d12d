# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernel modules on the host device: objects made by `xgpu.backend.host.compiler`, or bitcode.

Bitcode is compiled for it.
"""

from __future__ import annotations

import ctypes
import itertools
from typing import TYPE_CHECKING, Any

from xgpu.backend.host.compiler import (
    KernelInfo,
    compile_module,
    entry_symbol,
    is_host_object,
    read_object,
)
from xgpu.backend.host.context import UnsupportedOnHost
from xgpu.ir.errors import DeviceError
from xgpu.runtime.native.library import libdevice_symbols, native_library

if TYPE_CHECKING:
    from xgpu.runtime.host_device.parameters import ParameterLayout

_BITCODE = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_REMEDY = (
    "compile it with cubin-format=host, or run it with --device=host from IR that is not lowered"
)
_numbers = itertools.count()


class Kernel:
    """A kernel and the address of its entry; `layout` and `prototypes` are what launches of it
    have in common.
    """

    __slots__ = ("address", "info", "layout", "module", "prototypes")

    def __init__(self, module: HostModule, info: KernelInfo, address: int) -> None:
        self.module = module
        self.info = info
        self.address = address
        self.layout: ParameterLayout | None = None
        self.prototypes: dict[Any, Any] = {}


class HostModule:
    """A loaded module; its code stays as long as this object does."""

    def __init__(self, data: bytes, opt_level: int = 2) -> None:
        from llvmlite import binding

        if data.startswith(_BITCODE):
            data = self._compile(data, opt_level)
        elif not is_host_object(data):
            raise DeviceError(not_for_host(data))
        infos, manifest, code = read_object(data)
        self.shared_bytes: int = manifest["static_shared"]
        self.has_globals = bool(manifest["globals"])
        native = native_library()
        builder = binding.JITLibraryBuilder().add_object_img(code)
        missing: list[str] = []
        for symbol in manifest["symbols"]:
            if symbol.startswith("xgpu_nv_"):
                address = libdevice_symbols().get(symbol)
            else:
                address = native.symbols.get(symbol) or _process_address(symbol)
            if address is None:
                missing.append(symbol)
            else:
                builder.import_symbol(symbol, address)
        if missing:
            raise DeviceError(f"module uses {', '.join(missing)}, which the host device lacks")
        builder.add_current_process()
        for name in infos:
            builder.export_symbol(entry_symbol(name))
        self._tracker = builder.link(native.jit, f"xgpu.kernels.{next(_numbers)}")
        self.kernels = {
            name: Kernel(self, info, self._tracker[entry_symbol(name)])
            for name, info in infos.items()
        }

    @staticmethod
    def _compile(data: bytes, opt_level: int) -> bytes:
        try:
            return compile_module(data, opt_level)
        except UnsupportedOnHost as problem:
            raise DeviceError(str(problem)) from None
        except RuntimeError as problem:
            raise DeviceError(f"LLVM refuses the module: {problem}") from None


def _process_address(symbol: str) -> int | None:
    """The address of a function of the C library or libm."""
    for library in (ctypes.CDLL(None), _libm()):
        try:
            return ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value
        except AttributeError:
            continue
    return None


def _libm() -> ctypes.CDLL:
    import ctypes.util

    return ctypes.CDLL(ctypes.util.find_library("m"))


def not_for_host(data: bytes) -> str:
    """Why the host device cannot run a kernel module."""
    kind = gpu_only(data) or "in a form that the host device does not know"
    return f"the kernel module is {kind}, and there is no GPU to run it: {_REMEDY}"


def gpu_only(data: bytes) -> str | None:
    """What kind of code for a GPU alone `data` is, or None."""
    if data.startswith(b"\x7fELF"):
        return "a cubin (machine code of an NVIDIA GPU)"
    if data.startswith(b"\x50\xed\x55\xba"):
        return "a fatbin (machine code of an NVIDIA GPU)"
    if b".target sm_" in data[:4096]:
        return "PTX (for an NVIDIA GPU)"
    return None
