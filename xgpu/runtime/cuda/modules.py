# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules and kernels on the cuda device.

A module is loaded on the device that a kernel of it is launched on, when that is asked for; the
program knows it by the handle of where it was loaded first.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Protocol, SupportsInt, TypeVar

from xgpu.backend.nvptx.cubin import codes_of, is_bundle
from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.demangle import demangled
from xgpu.core.support.files import HOST_OBJECT
from xgpu.core.support.forks import new_rlock
from xgpu.core.support.gpu_limits import MAX_STATIC_SHARED
from xgpu.runtime.cuda.driver import ABSENT, Context, CudaError, Driver
from xgpu.runtime.session import Session

JIT_LOG_BYTES = 8192
_ELF = b"\x7fELF"
_FATBIN = b"\x50\xed\x55\xba"
_FIRST_PAUSE, _LONGEST_PAUSE = 20e-6, 2e-3  # seconds
_LINES = re.compile(rb"^\s*\.loc\s", re.M)


@dataclass(slots=True)
class Module:
    """An image, and its handle on each device that has loaded it."""

    image: bytes
    opt_level: int | None
    handles: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel on one device; `static_shared` in bytes."""

    name: str
    module: int
    home: int
    handle: int
    static_shared: int


T = TypeVar("T")


class Members(Generic[T]):
    """Objects that others keep alive; threads may add some and look at them."""

    def __init__(self) -> None:
        self._lock = new_rlock()
        self._members: weakref.WeakSet[T] = weakref.WeakSet()

    def add(self, member: T) -> None:
        with self._lock:
            self._members.add(member)

    def all(self) -> list[T]:
        with self._lock:
            return list(self._members)


class _Entrant(Protocol):
    """What a thread launches with (`xgpu.api.devices.interface.Packed`)."""

    thread: int
    direct: tuple[object, ...] | None


class Gate:
    """Launches of a module's kernels against the end of that module: who launches is inside while
    the driver has the call, and the module is unloaded when no call is inside any more.

    Who goes in says so first and looks then, who closes says so first and looks then, so one sees
    the other. There are two ways in: `with gate`, and for an entrant that was let in before
    (`admit`), to set its `thread` and to look whether it has a `direct`.
    """

    def __init__(self) -> None:
        self.closed = False
        self._threads: list[int] = []  # those that are inside, each as often as it is
        self._entrants = Members[_Entrant]()
        self._process = os.getpid()

    def __enter__(self) -> None:
        """From here on the kernels may be used. Raises ValueError where the module is closed."""
        here = threading.get_ident()
        self._threads.append(here)
        if self.closed:
            self._threads.remove(here)
            raise ValueError("the module is closed")

    def __exit__(self, *_: object) -> None:
        self._threads.remove(threading.get_ident())

    def admit(self, entrant: _Entrant, direct: tuple[object, ...]) -> None:
        """Let `entrant` in by itself from now on. Called inside."""
        self._entrants.add(entrant)
        entrant.direct = direct
        if self.closed:  # meanwhile
            entrant.direct = None

    def dismiss(self) -> None:
        """Let no entrant in before it is admitted again."""
        for entrant in self._entrants.all():
            entrant.direct = None

    def close(self) -> None:
        """Admit no thread, and wait until all but the caller have left. Ctrl-C ends the wait, not
        the closing: the next one who calls waits again."""
        self.closed = True
        self.dismiss()
        if os.getpid() != self._process:
            return  # a fork has none of the threads that were inside
        pause = _FIRST_PAUSE
        while self._is_used_elsewhere(threading.get_ident()):
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _is_used_elsewhere(self, here: int) -> bool:
        if any(thread != here for thread in list(self._threads)):
            return True
        return any(entrant.thread not in (0, here) for entrant in self._entrants.all())


class ModuleFunctions:
    """The functions of modules of the cuda device."""

    session: Session
    _driver: Driver
    _ordinal: int
    _call: Callable[..., SupportsInt]
    _context: Callable[..., Context]
    _release: Callable[..., None]
    _chip_on: Callable[[int], str]

    def __init__(self) -> None:
        self._modules: dict[int, Module] = {}
        self._kernels: dict[int, Kernel] = {}  # by handle
        self._named: dict[tuple[int, str, int], Kernel] = {}  # by module, name and device

    def mgpuModuleLoad(self, data: int, size: int) -> int:
        image = ctypes.string_at(data, size)
        return self._add_module(Module(image if image.startswith(_ELF) else image + b"\0", None))

    def mgpuModuleLoadJIT(self, data: int, opt_level: int) -> int:
        return self._add_module(Module(ctypes.string_at(data) + b"\0", opt_level))

    def _add_module(self, module: Module) -> int:
        _check_image(module.image)
        begin = self.session.now()
        handle = self._load(module, self._ordinal)
        self._modules[handle] = module
        self.session.create("modules")
        self.session.record("load module", "module", 0, begin)
        return handle

    def _load(self, module: Module, on: int) -> int:
        """Load an image; PTX is compiled by the driver, whose log goes into the error."""
        image = self._image_for(module.image, on)
        option = self._driver.bindings.CUjit_option
        log = bytearray(JIT_LOG_BYTES)
        options: dict[object, object] = {
            option.CU_JIT_ERROR_LOG_BUFFER: log,
            option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: JIT_LOG_BYTES,
        }
        if module.opt_level is not None:
            options[option.CU_JIT_OPTIMIZATION_LEVEL] = module.opt_level
        if _is_ptx(image) and _LINES.search(image):
            options[option.CU_JIT_GENERATE_LINE_INFO] = 1
        try:
            handle = int(
                self._call(
                    "cuModuleLoadDataEx", image, len(options), list(options),
                    list(options.values()), doing="loading a kernel module", on=on,
                )
            )  # fmt: skip
        except CudaError as problem:
            words = log.split(b"\0", 1)[0].decode(errors="replace").strip()
            why = "".join(f": {w}" for w in (words, self._why_not(image, on, problem)) if w)
            raise CudaError(f"{problem}{why}", problem.result) from None
        module.handles[on] = handle
        return handle

    def _image_for(self, image: bytes, on: int) -> bytes:
        """Of a module with code for several chips, that for the device `on`."""
        if not is_bundle(image):
            return image
        codes = codes_of(image)
        chip = self._chip_on(on)
        if chip not in codes:
            raise DeviceError(
                f"the kernels are for {' and '.join(codes)}, and could not be compiled for {chip}, "
                f"which device {on} is"
            )
        return codes[chip] + b"\0"

    def _why_not(self, image: bytes, on: int, problem: CudaError) -> str:
        """What the driver's code for a refused image means for this one."""
        if not _is_ptx(image):
            return ""
        if problem.result == "CUDA_ERROR_UNSUPPORTED_PTX_VERSION":
            version = self._driver.call("cuDriverGetVersion")
            return (
                f"the kernels are PTX {_directive(image, b'version')}, newer than what the "
                f"driver reads, which is of CUDA {version // 1000}.{version % 1000 // 10}: compile "
                "with format=bin, for an older chip, or install a newer driver"
            )
        if problem.result not in ("CUDA_ERROR_NO_BINARY_FOR_GPU", "CUDA_ERROR_INVALID_PTX"):
            return ""
        context = self._context(on)
        major, minor = (
            context.attribute(f"COMPUTE_CAPABILITY_{part}") for part in ("MAJOR", "MINOR")
        )
        target = _directive(image, b"target")
        # PTX for a newer chip is invalid to driver 580; it may be invalid for other reasons, too.
        is_newer = int(re.sub(r"\D", "", target) or 0) > 10 * major + minor
        if problem.result == "CUDA_ERROR_INVALID_PTX" and not is_newer:
            return ""
        return f"the kernels are for {target}, the device is sm_{major}{minor}"

    def mgpuModuleUnload(self, module: int) -> None:
        found = self._modules.get(module)
        if found is None:
            return
        for home in found.handles:
            # It is not known whether what was launched has ended, and its code may be what is
            # unloaded.
            self._release("cuCtxSynchronize", on=home)
        del self._modules[module]
        self._named = {k: v for k, v in self._named.items() if k[0] != module}
        self._kernels = {h: k for h, k in self._kernels.items() if k.module != module}
        for home, handle in found.handles.items():
            self._release("cuModuleUnload", handle, on=home)
        self.session.destroy("modules")

    def _release_modules(self) -> None:
        for module in list(self._modules.values()):
            for home, handle in module.handles.items():
                with contextlib.suppress(DeviceError):
                    self._release("cuModuleUnload", handle, on=home)
        self._modules.clear()
        self._kernels.clear()
        self._named.clear()

    # -- kernels

    def mgpuModuleGetFunction(self, module: int, name: int) -> int:
        text = ctypes.string_at(name).decode()
        return self._kernel_named(module, text, self._ordinal).handle

    def _kernel_named(self, module: int, name: str, on: int) -> Kernel:
        key = (module, name, on)
        return self._named.get(key) or self._make_kernel(key)

    def _make_kernel(self, key: tuple[int, str, int]) -> Kernel:
        with self._driver.making:
            found = self._named.get(key)
            if found is None:
                found = self._named[key] = self._find_kernel(*key)
                self._kernels[found.handle] = found
        return found

    def _find_kernel(self, module: int, name: str, on: int) -> Kernel:
        loaded = self._modules.get(module)
        if loaded is None:
            raise DeviceError(f"kernel '{demangled(name)}': 0x{module:x} is no loaded module")
        image = loaded.handles.get(on) or self._load(loaded, on)
        doing = f"kernel '{demangled(name)}'"
        handle = int(self._call("cuModuleGetFunction", image, name.encode(), doing=doing, on=on))
        kernel = Kernel(name, module, on, handle, self._prepare_shared(handle, doing, on))
        if len(loaded.handles) == 1:
            self.session.create("kernels")
        return kernel

    def _prepare_shared(self, handle: int, doing: str, on: int) -> int:
        """Let launches have all the shared memory that the device has, so that none has to ask for
        it; the bytes that the kernel itself takes of it.
        """
        kind = self._driver.bindings.CUfunction_attribute
        asked = kind.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
        static = int(self._call("cuFuncGetAttribute", asked, handle, doing=doing, on=on))
        most = self._context(on).attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN")
        if most > MAX_STATIC_SHARED:
            attribute = kind.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            self._call(
                "cuFuncSetAttribute", handle, attribute, most - static, doing=doing, on=on
            )  # fmt: skip
        return static

    def mgpuKernelPreload(self, function: int) -> None:
        """Drivers before 12.4 load a kernel when it is first launched, and cannot be asked to."""
        kernel = self._kernel(function)
        try:
            doing = f"kernel '{demangled(kernel.name)}'"
            self._call("cuFuncLoad", function, doing=doing, on=kernel.home)
        except CudaError as problem:
            if problem.result not in ABSENT:
                raise

    def _kernel(self, function: int) -> Kernel:
        found = self._kernels.get(function)
        if found is None:
            raise DeviceError(f"0x{function:x} is no kernel of a loaded module")
        return found

    def _kernel_on(self, function: int, on: int) -> Kernel:
        """The kernel `function` on the device `on`, loaded there if it is not yet."""
        kernel = self._kernel(function)
        return kernel if kernel.home == on else self._kernel_named(kernel.module, kernel.name, on)


def _check_image(image: bytes) -> None:
    if image.startswith((HOST_OBJECT, b"BC\xc0\xde", b"\xde\xc0\x17\x0b")):
        raise DeviceError(
            "the kernel module was compiled for the host device: run it on the device 'host', or "
            "compile it with cubin-format=isa, bin or fatbin"
        )


def _is_ptx(image: bytes) -> bool:
    return not image.startswith((_ELF, _FATBIN))


def _directive(image: bytes, name: bytes) -> str:
    """What PTX says in its `.version` or `.target`."""
    found = re.search(rb"^\s*\." + name + rb"\s+([^\s,]+)", image, re.M)
    return found[1].decode(errors="replace") if found else "of an unknown " + name.decode()
