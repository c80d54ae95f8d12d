# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the driver: modules and libraries, linking, functions and their attributes,
occupancy."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from xgpu.api.cuda_driver import settings
from xgpu.api.cuda_driver.header import Refused, Result, require
from xgpu.api.cuda_driver.images import (
    Code,
    code_of,
    container,
    file_bytes,
    image_at,
    is_archive,
    is_cubin,
    linked,
    members,
    read_file,
)
from xgpu.api.cuda_driver.settings import DeviceAttribute
from xgpu.api.cuda_driver.state import Allocation, Context, Device, Driver, Held
from xgpu.api.cuda_driver.table import Needs, entry
from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.gpu_limits import MAX_STATIC_SHARED
from xgpu.host_device.device.modules import HostModule
from xgpu.host_device.device.modules import Kernel as HostKernel
from xgpu.host_device.sanitizer.reports import watch
from xgpu.runtime.launch_limits import LaunchLimits

if TYPE_CHECKING:
    from xgpu.api.cuda_driver.launches_again import Again
    from xgpu.host_device.compiler.objects import KernelInfo

_WORD = ctypes.c_uint64
_LIMITS = LaunchLimits()
_REGISTERS = 32  # of a thread, as said; there are as many as wanted

# CUfunction_attribute
MAX_THREADS, SHARED, CONSTANT, LOCAL, NUM_REGS, PTX_VERSION, BINARY_VERSION = range(7)
MAX_DYNAMIC_SHARED, CARVEOUT, NON_PORTABLE_CLUSTER, CLUSTER_POLICY = 8, 9, 14, 15
_REQUIRED_CLUSTER = (11, 12, 13)

# CUjit_option
_INFO_LOG, _INFO_SIZE, _ERROR_LOG, _ERROR_SIZE, _OPT_LEVEL, _MOST_OPTION = 3, 4, 5, 6, 7, 64
_TARGET = 9
_CAPABILITY, _ACCELERATED, _FAMILY = 0xFFFF, 0x10000, 0x20000  # parts of CUjit_target


# -- modules


class Module(Held):
    """An image in a context: its kernels and variables by name."""

    kinds = ("CUmodule",)

    def __init__(self, context: Context, code: Code) -> None:
        self.context, self.code = context, code
        watched = watch.current()
        if watched is not None:
            watched.sources[code.name] = code.text
        host = context.host
        try:
            self._loaded = [host.load(data, False) for data in code.objects]
        except DeviceError as problem:
            raise Refused(Result.INVALID_IMAGE, str(problem)) from None
        code.compiled = ()
        self.parts = [host.kept(handle, HostModule, "module") for handle in self._loaded]
        self.functions: dict[str, Function] = {}
        for part in self.parts:
            for name, kernel in part.kernels.items():
                self.functions[name] = Function(self, name, kernel)
        self._variables: dict[str, Allocation] = {}

    def function(self, name: str) -> Function:
        found = self.functions.get(name)
        if found is None:
            raise _no_kernel(name, self.functions)
        if not found.handle:
            self.context.driver.make(found)
        return found

    def variable(self, name: str) -> Allocation:
        """A variable in global memory. Raises `Refused`."""
        found = self._variables.get(name)
        if found is not None:
            return found
        for part in self.parts:
            if name in part.variables:
                driver = self.context.driver
                made = Allocation(
                    part.variable(name), part.variables[name], "variable", self.context,
                    next(driver.numbers),
                )  # fmt: skip
                driver.ranges.add(made)
                self._variables[name] = made
                return made
        raise Refused(Result.NOT_FOUND, f"no variable '{name}' in the module")

    def destroy(self) -> None:
        self.context.synchronize()
        driver = self.context.driver
        for function in self.functions.values():
            driver.end(function)
        for variable in self._variables.values():
            driver.ranges.remove(variable.address)
        self._variables.clear()
        for handle in self._loaded:
            self.context.host.mgpuModuleUnload(handle)


class Function(Held):
    """A kernel of a module, and what programs have set for it."""

    kinds = ("CUfunction", "CUkernel")

    def __init__(self, module: Module, name: str, kernel: HostKernel) -> None:
        self.module, self.name, self.kernel = module, name, kernel
        self.values = {
            MAX_DYNAMIC_SHARED: max(MAX_STATIC_SHARED - kernel.info.static_shared, 0), CARVEOUT: -1,
            NON_PORTABLE_CLUSTER: 0, CLUSTER_POLICY: 0, 11: 0, 12: 0, 13: 0,
        }  # fmt: skip
        #: Sizes of launches that were checked.
        self.accepted: set[object] = set()
        #: Short launches that were made, by their sizes and stream: what makes one again, with
        #: other parameters, unless it cannot (`launches_again.Again`).
        self.repeated: dict[object, list[Again]] = {}

    @property
    def info(self) -> KernelInfo:
        return self.kernel.info

    @property
    def context(self) -> Context:
        return self.module.context

    def of(self, context: Context) -> Function:
        """The same for a context: it is of one."""
        return self

    @property
    def max_threads(self) -> int:
        said = self.info.block
        if said is None:
            return _LIMITS.threads
        x, y, z = (*said[1], 1, 1)[:3]
        return x * y * z

    def attribute(self, number: int) -> int:
        if number == MAX_THREADS:
            return self.max_threads
        if number in self.values:
            return self.values[number]
        device, code = self.context.device, self.module.code
        if number == CONSTANT:
            return code.constant_bytes(device.chip)
        if number == LOCAL:
            return code.local_bytes(self.name, device.chip)
        major, minor = settings.capability(device.chip)
        version = 10 * major + minor
        known = {
            SHARED: self.info.static_shared, NUM_REGS: _REGISTERS, PTX_VERSION: version,
            BINARY_VERSION: version, 7: 0, 10: 0,
        }  # fmt: skip
        require(number in known, f"no attribute {number}")
        return known[number]

    def set_attribute(self, number: int, value: int) -> None:
        require(number in self.values, f"the attribute {number} cannot be set")
        if number == MAX_DYNAMIC_SHARED:
            most = self.context.device.attributes[DeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN]
            most -= self.info.static_shared
            require(0 <= value <= most, f"{value} bytes of shared memory, at most {most}")
        elif number == CARVEOUT:
            require(-1 <= value <= 100, f"a carveout of {value} per cent")
        elif number in _REQUIRED_CLUSTER:
            require(0 <= value <= _LIMITS.cluster, f"a cluster of {value} blocks")
        elif number == CLUSTER_POLICY:
            require(0 <= value <= 2, f"a policy {value}")
        self.values[number] = value
        self.accepted.clear()

    def parameter(self, number: int) -> tuple[int, int]:
        """Where a parameter lies in a buffer of all, and its bytes."""
        sizes = self.info.parameter_sizes
        require(0 <= number < len(sizes), f"no parameter {number}")
        return self.offsets()[number], sizes[number]

    def offsets(self) -> list[int]:
        """Where the parameters lie in a buffer that has all of them."""
        at = 0
        found: list[int] = []
        for size, align in zip(self.info.parameter_sizes, self.info.alignments, strict=True):
            at = -(-at // align) * align
            found.append(at)
            at += size
        return found


def _no_kernel(name: str, known: Iterable[str]) -> Refused:
    listed = ", ".join(known) or "none"
    return Refused(Result.NOT_FOUND, f"no kernel '{name}' in the module; it has: {listed}")


class Library(Held):
    """An image that each context loads when a kernel is needed there."""

    kinds = ("CUlibrary",)

    def __init__(self, driver: Driver, image: bytes, chip: str) -> None:
        self.driver = driver
        self.code = code_of(image, chip)
        self.kernels: dict[str, Kernel] = {}
        self._modules: dict[int, Module] = {}

    def module(self, context: Context) -> Module:
        with self.driver.lock:
            found = self._modules.get(context.number)
            if found is None:
                found = Module(context, self.code)
                self._modules[context.number] = found
                context.own(found)
            return found

    def kernel(self, name: str) -> Kernel:
        found = self.kernels.get(name)
        if found is None:
            if name not in self.code.kernels():
                raise _no_kernel(name, self.code.kernels())
            found = self.kernels[name] = Kernel(self, name)
            self.driver.make(found)
        return found

    def destroy(self) -> None:
        for module in self._modules.values():
            if module.context.is_alive:
                module.destroy()
                module.context.disown(module)
        for kernel in self.kernels.values():
            self.driver.end(kernel)


class Kernel(Held):
    """A kernel of a library: a function in each context."""

    kinds = ("CUkernel", "CUfunction")

    def __init__(self, library: Library, name: str) -> None:
        self.library, self.name = library, name
        self._functions: dict[int, Function] = {}

    def of(self, context: Context) -> Function:
        found = self._functions.get(context.number)
        if found is None:
            found = self.library.module(context).function(self.name)
            self._functions[context.number] = found
        return found


class _Options:
    """Options of the compiler, of which buffers for messages mean something here."""

    def __init__(self, count: int, kinds: int, values: int) -> None:
        require(not count or (kinds and values), "a pointer is null")
        numbers = list((ctypes.c_uint32 * count).from_address(kinds)) if count else []
        self._values = values
        self._places = {number: i for i, number in enumerate(numbers)}
        given = list((_WORD * count).from_address(values)) if count else []
        self._given = dict(zip(numbers, given, strict=True))
        for number in numbers:
            require(number <= _MOST_OPTION, f"no option {number}")
        require(self._given.get(_OPT_LEVEL, 4) & 0xFFFFFFFF <= 4, "the optimization level")

    def chip(self, device: str) -> str:
        """What code is linked for: the device's chip unless the options name another."""
        target = self._given.get(_TARGET)
        if target is None:
            return device
        suffix = "a" if target & _ACCELERATED else "f" if target & _FAMILY else ""
        return f"sm_{target & _CAPABILITY}{suffix}"

    def write(self, text: str) -> None:
        """Let the program read what is wrong."""
        self._write(_ERROR_LOG, _ERROR_SIZE, text)
        self._write(_INFO_LOG, _INFO_SIZE, "")

    def _write(self, log: int, size: int, text: str) -> None:
        where, room = self._given.get(log), self._given.get(size, 0) & 0xFFFFFFFF
        if where and room:
            data = text.encode(errors="backslashreplace")[: room - 1] + b"\0"
            ctypes.memmove(where, data, len(data))
            place = self._values + 8 * self._places[size]
            _WORD.from_address(place).value = len(data) - 1


def _loaded(context: Context, image: Callable[[], bytes], options: _Options) -> int:
    try:
        made = Module(context, code_of(image(), context.device.chip))
    except Refused as refused:
        options.write(str(refused))
        _tell(context.driver, refused)
        raise
    options.write("")
    return context.own(made)


def _tell(driver: Driver, refused: Refused) -> None:
    """Say why an image cannot be used: a program shows no more than the result."""
    driver.say(f"error: {refused}")


_NO_OPTIONS = (0, 0, 0)


@entry("cuModuleLoadData(CUmodule *module, const void *image)", since=2000)
def load_module(context: Context, image: int) -> int:
    return _loaded(context, lambda: image_at(image), _Options(*_NO_OPTIONS))


@entry(
    "cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, "
    "CUjit_option options[]?, void *values[]?)", since=2010,
)  # fmt: skip
def load_module_with(context: Context, image: int, count: int, kinds: int, values: int) -> int:
    return _loaded(context, lambda: image_at(image), _Options(count, kinds, values))


@entry("cuModuleLoadFatBinary(CUmodule *module, const void *image)", since=2000)
def load_fat_binary(context: Context, image: int) -> int:
    return load_module(context, image)


@entry("cuModuleLoad(CUmodule *module, const char *path)", since=2000)
def load_file(context: Context, path: str) -> int:
    return _loaded(context, lambda: read_file(path), _Options(*_NO_OPTIONS))


@entry("cuModuleUnload(CUmodule module)", since=2000)
def unload(context: Context, module: Module) -> None:
    module.destroy()
    module.context.disown(module)


@entry("cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)", needs=Needs.INIT, since=11070)
def loading_mode(driver: Driver) -> int:
    return 2  # lazy: kernels are compiled when they are launched


def _check_home(context: Context, module: Module) -> None:
    if module.context is not context:
        raise Refused(Result.INVALID_HANDLE, "the module is another context's")


@entry("cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)", since=2000)
def function(context: Context, module: Module, name: str) -> int:
    _check_home(context, module)
    return module.function(name).handle


@entry("cuModuleGetFunctionCount(unsigned int *count, CUmodule module)", since=12040)
def function_count(context: Context, module: Module) -> int:
    return len(module.functions)


@entry(
    "cuModuleEnumerateFunctions(CUfunction functions[], unsigned int count, CUmodule module)",
    since=12040,
)  # fmt: skip
def functions(context: Context, where: int, count: int, module: Module) -> None:
    names = list(module.functions)[:count]
    (_WORD * len(names)).from_address(where)[:] = [module.function(n).handle for n in names]


@entry(
    "cuModuleGetGlobal(CUdeviceptr *address?, size_t *size?, CUmodule module, const char *name)",
    since=2000, v2=3020,
)  # fmt: skip
def variable(context: Context, module: Module, name: str) -> tuple[int, int]:
    _check_home(context, module)
    found = module.variable(name)
    return found.address, found.size


# -- libraries


def _library(
    driver: Driver, image: Callable[[], bytes], counts: tuple[int, int], pointers: Sequence[int]
) -> int:
    options = _Options(counts[0], pointers[0], pointers[1])
    require(not counts[1] or (pointers[2] and pointers[3]), "a pointer is null")
    current = driver.current()
    chip = (current.device if current is not None else driver.devices[0]).chip
    try:
        made = Library(driver, image(), chip)
    except Refused as refused:
        options.write(str(refused))
        _tell(driver, refused)
        raise
    return driver.make(made)


_LIBRARY_OPTIONS = (
    "CUjit_option options[]?, void *values[]?, unsigned int count, CUlibraryOption kinds[]?, "
    "void *settings[]?, unsigned int settings_count"
)


@entry(
    f"cuLibraryLoadData(CUlibrary *library, const void *code, {_LIBRARY_OPTIONS})",
    needs=Needs.INIT, since=12000,
)  # fmt: skip
def load_library(
    driver: Driver, code: int, options: int, values: int, count: int, kinds: int, settings: int,
    settings_count: int,
) -> int:  # fmt: skip
    pointers = (options, values, kinds, settings)
    return _library(driver, lambda: image_at(code), (count, settings_count), pointers)


@entry(
    f"cuLibraryLoadFromFile(CUlibrary *library, const char *path, {_LIBRARY_OPTIONS})",
    needs=Needs.INIT, since=12000,
)  # fmt: skip
def load_library_file(
    driver: Driver, path: str, options: int, values: int, count: int, kinds: int, settings: int,
    settings_count: int,
) -> int:  # fmt: skip
    pointers = (options, values, kinds, settings)
    return _library(driver, lambda: read_file(path), (count, settings_count), pointers)


@entry("cuLibraryUnload(CUlibrary library)", needs=Needs.INIT, since=12000)
def unload_library(driver: Driver, library: Library) -> None:
    library.destroy()
    driver.end(library)


@entry(
    "cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)", needs=Needs.INIT,
    since=12000,
)  # fmt: skip
def library_kernel(driver: Driver, library: Library, name: str) -> int:
    return library.kernel(name).handle


@entry(
    "cuLibraryGetKernelCount(unsigned int *count, CUlibrary library)", needs=Needs.INIT,
    since=12040,
)  # fmt: skip
def kernel_count(driver: Driver, library: Library) -> int:
    return len(library.code.kernels())


@entry(
    "cuLibraryEnumerateKernels(CUkernel kernels[], unsigned int count, CUlibrary library)",
    needs=Needs.INIT, since=12040,
)  # fmt: skip
def kernels(driver: Driver, where: int, count: int, library: Library) -> None:
    names = library.code.kernels()[:count]
    handles = [library.kernel(name).handle for name in names]
    (_WORD * len(names)).from_address(where)[:] = handles


@entry("cuLibraryGetModule(CUmodule *module, CUlibrary library)", since=12000)
def library_module(context: Context, library: Library) -> int:
    return library.module(context).handle


@entry(
    "cuLibraryGetGlobal(CUdeviceptr *address?, size_t *size?, CUlibrary library, const char *name)",
    since=12000,
)  # fmt: skip
def library_variable(context: Context, library: Library, name: str) -> tuple[int, int]:
    found = library.module(context).variable(name)
    return found.address, found.size


@entry(
    "cuLibraryGetManaged(CUdeviceptr *address?, size_t *size?, CUlibrary library, "
    "const char *name)", since=12000,
)  # fmt: skip
def library_managed(context: Context, library: Library, name: str) -> tuple[int, int]:
    module = library.module(context)
    found = module.variable(name)
    require(module.code.is_managed(name), f"{name} is not managed", Result.NOT_FOUND)
    return found.address, found.size


@entry("cuKernelGetFunction(CUfunction *function, CUkernel kernel)", since=12000)
def kernel_function(context: Context, kernel: Kernel) -> int:
    return kernel.of(context).handle


@entry("cuKernelGetLibrary(CUlibrary *library, CUkernel kernel)", needs=Needs.INIT, since=12050)
def kernel_library(driver: Driver, kernel: Kernel | Function) -> int:
    if isinstance(kernel, Function):
        raise Refused(Result.INVALID_HANDLE, "a function of a module")
    return kernel.library.handle


@entry("cuKernelGetName(const char **name, CUkernel kernel?)", needs=Needs.INIT, since=12030)
def kernel_name(driver: Driver, kernel: Kernel | None) -> int:
    return driver.text(_not_null(kernel).name)


def _on(context: Context, device: Device) -> Context:
    """The context in which a kernel's attributes of a device are meant."""
    if context.device is device:
        return context
    require(device.primary is not None, "the device has no context", Result.INVALID_CONTEXT)
    assert device.primary is not None
    return device.primary


@entry(
    "cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, "
    "CUdevice device)", since=12000,
)  # fmt: skip
def kernel_attribute(context: Context, number: int, kernel: Kernel, device: Device) -> int:
    return kernel.of(_on(context, device)).attribute(number)


@entry(
    "cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, "
    "CUdevice device)", since=12000,
)  # fmt: skip
def set_kernel_attribute(
    context: Context, number: int, value: int, kernel: Kernel, device: Device
) -> None:
    kernel.of(_on(context, device)).set_attribute(number, value)


@entry("cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device)", since=12000)
def set_kernel_cache(context: Context, kernel: Kernel, config: int, device: Device) -> None:
    require(config <= 3, f"no configuration {config}")


@entry(
    "cuKernelGetParamInfo(CUkernel kernel, size_t number, size_t *offset, size_t *size?)",
    since=12040,
)  # fmt: skip
def kernel_parameter(context: Context, kernel: Kernel, number: int) -> tuple[int, int]:
    return kernel.of(context).parameter(number)


@entry("cuKernelGetParamCount(CUkernel kernel, size_t *count)", since=13020)
def kernel_parameters(context: Context, kernel: Kernel) -> int:
    return len(kernel.of(context).info.parameter_sizes)


# -- functions


@entry(
    "cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)",
    since=2020,
)
def function_attribute(context: Context, number: int, function: Function) -> int:
    return function.of(context).attribute(number)


@entry(
    "cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)", since=9000
)
def set_function_attribute(context: Context, function: Function, number: int, value: int) -> None:
    function.of(context).set_attribute(number, value)


@entry("cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)", since=3000)
def set_function_cache(context: Context, function: Function, config: int) -> None:
    require(config <= 3, f"no configuration {config}")


@entry("cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config)", since=4020)
def set_function_banks(context: Context, function: Function, config: int) -> None:
    require(config <= 2, f"no configuration {config}")


@entry("cuFuncGetModule(CUmodule *module, CUfunction function)", since=11000)
def function_module(context: Context, function: Function) -> int:
    return function.of(context).module.handle


@entry("cuFuncGetName(const char **name, CUfunction function?)", since=12030)
def function_name(context: Context, function: Function | None) -> int:
    return context.driver.text(_not_null(function).name)


F = TypeVar("F", Function, Kernel)


def _not_null(found: F | None) -> F:
    """A null handle is a wrong value here, where it is a wrong handle for other functions."""
    if found is None:
        raise Refused(Result.INVALID_VALUE, "the handle is null")
    return found


@entry(
    "cuFuncGetParamInfo(CUfunction function, size_t number, size_t *offset, size_t *size?)",
    since=12040,
)  # fmt: skip
def function_parameter(context: Context, function: Function, number: int) -> tuple[int, int]:
    return function.of(context).parameter(number)


@entry("cuFuncGetParamCount(CUfunction function, size_t *count)", since=13020)
def function_parameters(context: Context, function: Function) -> int:
    return len(function.of(context).info.parameter_sizes)


@entry("cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function)", since=12040)
def is_loaded(context: Context, function: Function) -> int:
    return 1


@entry("cuFuncLoad(CUfunction function)", since=12040)
def load_function(context: Context, function: Function) -> None:
    """Kernels are compiled for a size of blocks, when they are launched with it."""


# -- occupancy


def resident(function: Function, threads: int, shared: int) -> int:
    """How many blocks of that size a multiprocessor holds; none where no launch may have them."""
    known = function.context.device.attributes
    if threads > function.max_threads or shared > function.values[MAX_DYNAMIC_SHARED]:
        return 0
    warps = -(-threads // 32)
    by_threads = known[DeviceAttribute.MAX_THREADS_PER_MULTIPROCESSOR] // (warps * 32)
    registers = known[DeviceAttribute.MAX_REGISTERS_PER_MULTIPROCESSOR] // (warps * 32 * _REGISTERS)
    used = function.info.static_shared + shared
    if used > known[DeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN]:
        return 0
    reserve = settings.KIB if known[DeviceAttribute.COMPUTE_CAPABILITY_MAJOR] >= 8 else 0
    total = known[DeviceAttribute.MAX_SHARED_MEMORY_PER_MULTIPROCESSOR]
    by_shared = total // (used + reserve) if used + reserve else total
    most = known[DeviceAttribute.MAX_BLOCKS_PER_MULTIPROCESSOR]
    return min(by_threads, registers, by_shared, most)


# -- linking


class Linker(Held):
    """Modules that become one: PTX is linked when the result is loaded."""

    kinds = ("CUlinkState",)

    def __init__(self, options: _Options) -> None:
        self.options = options
        self.parts: list[bytes] = []
        self.result: ctypes.Array[ctypes.c_char] | None = None

    def add(self, image: bytes) -> None:
        if self.result is not None:
            raise Refused(Result.INVALID_VALUE, "linking is complete")
        self.parts.append(image)


@entry(
    "cuLinkCreate(unsigned int count, CUjit_option options[]?, void *values[]?, "
    "CUlinkState *state)", since=5050, v2=6050,
)  # fmt: skip
def create_linker(context: Context, count: int, kinds: int, values: int) -> int:
    return context.own(Linker(_Options(count, kinds, values)))


_LINK_OPTIONS = "unsigned int count, CUjit_option options[]?, void *values[]?"


@entry(
    "cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, "
    f"const char *name?, {_LINK_OPTIONS})", since=5050, v2=6050,
)  # fmt: skip
def link_data(
    context: Context, linker: Linker, kind: int, data: int, size: int, name: str | None,
    count: int, options: int, values: int,
) -> None:  # fmt: skip
    require(size, "no data")
    _Options(count, options, values)
    _link_bytes(context, linker, kind, ctypes.string_at(data, size))


def _link_bytes(context: Context, linker: Linker, kind: int, data: bytes) -> None:
    if kind == _LIBRARY and is_archive(data):
        # Of a library only what is needed is linked. A function that is in a cubin alone is
        # missing when the result is loaded, unless the host device has it.
        for member in members(data):
            if not is_cubin(member):
                _link_bytes(context, linker, kind, member)
        return
    copied = ctypes.create_string_buffer(data)
    _linked(context, linker, kind, lambda: image_at(ctypes.addressof(copied)))


@entry(
    "cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, "
    f"{_LINK_OPTIONS})", since=5050, v2=6050,
)  # fmt: skip
def link_file(
    context: Context, linker: Linker, kind: int, path: str, count: int, options: int, values: int
) -> None:
    _Options(count, options, values)
    _link_bytes(context, linker, kind, file_bytes(path))


_LIBRARY, _MOST_INPUT = 4, 5


def _linked(context: Context, linker: Linker, kind: int, image: Callable[[], bytes]) -> None:
    require(kind <= _MOST_INPUT, f"no type of input {kind}")
    try:
        linker.add(image())
    except Refused as refused:
        linker.options.write(str(refused))
        _tell(context.driver, refused)
        raise


@entry("cuLinkComplete(CUlinkState state, void **cubin, size_t *size?)", since=5050)
def complete(context: Context, linker: Linker) -> tuple[int, int]:
    require(linker.parts, "nothing was added")
    if linker.result is None:
        chip = linker.options.chip(context.device.chip)
        try:
            image = linked(linker.parts, chip)
            code_of(image, chip)
        except Refused as refused:
            linker.options.write(str(refused))
            _tell(context.driver, refused)
            raise
        linker.result = ctypes.create_string_buffer(container(image))
    return ctypes.addressof(linker.result), len(linker.result)


@entry("cuLinkDestroy(CUlinkState state)", since=5050)
def destroy_linker(context: Context, linker: Linker) -> None:
    context.disown(linker)
