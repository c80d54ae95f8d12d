# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xgpu's CUDA driver, called as cuda.bindings.driver is: enumerations and structures are those of
the bindings, functions give tuples that begin with a CUresult. There can be several in a process,
since none has a library; what is called is in `recorder`.

    bindings = DriverBindings()
    device = CudaDevice(Session(), Driver(bindings))
"""

from __future__ import annotations

import ctypes
import functools
from collections import Counter
from collections.abc import Callable
from typing import Any, cast

from cuda.bindings import driver as real

from xgpu.api.cuda_driver.contexts import symbol_of
from xgpu.api.cuda_driver.header import STRUCTURES, LaunchConfig, Result
from xgpu.api.cuda_driver.library_file import load_functions
from xgpu.api.cuda_driver.settings import Settings
from xgpu.api.cuda_driver.state import Driver
from xgpu.api.cuda_driver.table import FUNCTIONS, Function, Parameter, made_call
from xgpu.cuda_driver import Recorder

load_functions()

_VERSION = 12080
#: What says in which context something is, or looks alone.
_LOOKS = frozenset((
    "cuInit", "cuCtxPushCurrent", "cuCtxPopCurrent", "cuCtxSetCurrent", "cuCtxGetCurrent",
    "cuDeviceGetAttribute", "cuDeviceGet",
))  # fmt: skip
#: Results that are answers: a limit was met, or a question has no other answer. All others say that
#: a rule of the driver was broken.
_ANSWERS = {
    "cuPointerGetAttribute": {Result.INVALID_VALUE},
    "cuDeviceGetAttribute": {Result.INVALID_VALUE},
    "cuCtxGetDevice": {Result.INVALID_CONTEXT},
    "cuCtxEnablePeerAccess": {Result.PEER_ACCESS_ALREADY_ENABLED},
    "cuModuleGetFunction": {Result.NOT_FOUND},
    "cuModuleLoadDataEx": {Result.NO_BINARY_FOR_GPU, Result.INVALID_PTX},
    # Launches leave it to the driver to find out that another context is current.
    "cuLaunchKernelEx": {
        Result.INVALID_HANDLE, Result.INVALID_CONTEXT, Result.INVALID_CLUSTER_SIZE,
        Result.INVALID_VALUE,
    },
    "cuGraphLaunch": {Result.INVALID_HANDLE, Result.INVALID_CONTEXT},
    "cuGraphExecMemcpyNodeSetParams": {Result.INVALID_VALUE},
    "cuGraphExecMemsetNodeSetParams": {Result.INVALID_VALUE},
}  # fmt: skip
_OUT_OF_MEMORY = Result.OUT_OF_MEMORY
#: Functions whose result has a type that an argument says, and is a number here.
_OF_ANY_TYPE = {"cuPointerGetAttribute": 0, "cuMemPoolGetAttribute": 2}


class DriverBindings:
    """`chips` of the devices; values of `attributes` that are other than those of the chips, by the
    rest of their names in CUdevice_attribute."""

    def __init__(
        self, chips: tuple[str, ...] = ("sm_90a", "sm_90a"), recorder: Recorder | None = None,
        **attributes: int,
    ) -> None:  # fmt: skip
        self.recorder = recorder or Recorder()
        self.driver = Driver(Settings(chips, len(chips)), self.recorder)
        self.driver.is_initialized = True
        self.absent: set[str] = set()
        for name, value in attributes.items():
            number = int(getattr(real.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name}"))
            for device in self.driver.devices:
                device.attributes[number] = value
        self._functions: dict[str, Callable[..., tuple[Any, ...]]] = {}
        self._entries: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        original = getattr(real, name)  # what the real module lacks, must not be called
        if not name.startswith("cu") or name.startswith("cuuint"):
            return original
        if name in self.absent:

            def missing(*arguments: object) -> Any:
                raise RuntimeError(f'Function "{name}" not found')

            return missing
        if name == "cuGetProcAddress":
            return self._address
        found = self._functions.get(name)
        if found is None:
            found = self._functions[name] = self._made(_function(name))
        return found

    def close(self) -> None:
        """Let go what the devices have."""
        self.recorder.fail_at, self.recorder.is_sticky = 0, False
        self.recorder.failures.clear()
        self.recorder.observers.clear()
        for device in self.driver.devices:
            while device.retained:
                self.cuDevicePrimaryCtxRelease(device.ordinal)
            if device.has_begun:
                device.host.close()

    # -- what tests look at

    def made(self) -> list[tuple[str, tuple[Any, ...]]]:
        """The calls, but for those that only look, or say in which context."""
        return [tuple(call) for call in self.recorder.calls if call.name not in _LOOKS]

    def names(self) -> list[str]:
        """The names of what was `made`."""
        return [name for name, _ in self.made()]

    @property
    def violations(self) -> list[tuple[str, str]]:
        """Calls that have broken a rule of the driver, and the results."""
        return [
            (call.name, Result(result).name) for call, result in self.recorder.refusals
            if result != _OUT_OF_MEMORY and result not in _ANSWERS.get(call.name, ())
        ]  # fmt: skip

    def leftovers(self) -> dict[str, int]:
        """What is alive, and what was when its context ended."""
        return dict(self.recorder.ended_with_context + Counter(self.driver.leftovers()))

    def alive(self, kind: str) -> list[int]:
        """Handles of what is alive of a type in C; addresses of memory."""
        if kind == "memory":
            return [a.address for a in self.driver.ranges.all()]
        return [
            handle for handle, value in list(self.driver.handles.items())
            if kind in value.kinds and not value.is_own
        ]  # fmt: skip

    def current(self) -> int:
        """The context that is current in this thread."""
        return self.driver.current().handle if self.driver.current() is not None else 0

    def context(self, ordinal: int = 0) -> int:
        """The primary context of a device."""
        found = self.driver.devices[ordinal].primary
        assert found is not None
        return found.handle

    @property
    def launches(self) -> list[tuple[int, list[int], list[int], int, int]]:
        """Kernel, grid, block, shared bytes and stream of each call of cuLaunchKernelEx that was
        not refused."""
        refused = {id(call) for call, _ in self.recorder.refusals}
        found: list[tuple[int, list[int], list[int], int, int]] = []
        for call in self.recorder.calls:
            if call.name == "cuLaunchKernelEx" and id(call) not in refused:
                config, kernel = cast("tuple[LaunchConfig, int]", call.arguments[:2])
                sizes = list(config.grid), list(config.block)
                found.append((kernel, *sizes, config.shared, config.stream))
        return found

    # -- calling

    def entry(self, name: str) -> int:
        """The address of a C function."""
        if name not in self._entries:
            function = _function(name)
            self._entries[name] = function.prototype(made_call(function, self.driver, False))
        return ctypes.cast(self._entries[name], ctypes.c_void_p).value or 0

    def _address(self, name: bytes, version: int, flags: int) -> tuple[Any, ...]:
        failure = self.recorder.failures.get("cuGetProcAddress", 0)
        if failure:
            return real.CUresult(int(failure)), 0, None
        return real.CUresult.CUDA_SUCCESS, self.entry(name.decode()), None

    def _made(self, function: Function) -> Callable[..., tuple[Any, ...]]:
        call = made_call(function, self.driver, False)
        parameters = function.parameters
        untyped = _OF_ANY_TYPE.get(function.name, -1)

        def called(*arguments: Any) -> tuple[Any, ...]:
            rest = iter(arguments)
            words: list[int] = []
            kept: list[Any] = []
            results: list[Any] = []
            for number, parameter in enumerate(parameters):
                if parameter.how == "out" or number == untyped:
                    is_untyped = number == untyped
                    into = (ctypes.c_uint64 if is_untyped else parameter.result)(0)
                    results.append(into)
                    words.append(ctypes.addressof(into))
                    continue
                word, value = _word(parameter, next(rest))
                words.append(word)
                kept.append(value)
            code = real.CUresult(call(*words))
            if function.name.startswith("cuGetError"):
                return code, ctypes.string_at(results[0].value)
            return (code, *(r.value for r in results))

        return called


@functools.cache
def _function(name: str) -> Function:
    symbol, _ = symbol_of(name, _VERSION)
    return next(f for f in FUNCTIONS.values() if symbol in f.symbols)


def _word(parameter: Parameter, given: Any) -> tuple[int, Any]:
    """An argument as C gets it, and what must stay alive for it."""
    if given is None:
        return 0, None
    if parameter.how == "array" and isinstance(given, (list, tuple)):
        return _array(parameter, given)
    if isinstance(given, (bytes, bytearray)):
        if isinstance(given, bytes):  # a result goes into the others
            made = ctypes.create_string_buffer(given)
        else:
            made = (ctypes.c_char * len(given)).from_buffer(given)
        return ctypes.addressof(made), made
    if parameter.how in ("array", "struct") and hasattr(given, "getPtr"):
        return int(given.getPtr()), given
    word = int(given)
    return (word if parameter.how == "array" else parameter.ctype(word).value), given


def _array(parameter: Parameter, given: Any) -> tuple[int, Any]:
    if parameter.kind in STRUCTURES:
        size = ctypes.sizeof(STRUCTURES[parameter.kind])
        made: Any = ctypes.create_string_buffer(b"".join(
            ctypes.string_at(int(one.getPtr()), size) for one in given
        ))  # fmt: skip
        return ctypes.addressof(made), made
    words = [_word(_WORD, one) for one in given]
    kind = ctypes.c_uint32 if parameter.kind == "CUjit_option" else ctypes.c_uint64
    made = (kind * len(words))(*(word for word, _ in words))
    return ctypes.addressof(made), (made, words)


_WORD = Parameter("CUdeviceptr word")
