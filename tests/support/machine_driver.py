# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The stand-in for the driver as machine code: `libcuda.so.1`, for whoever calls the driver by C.

The library is written by `SharedObject` and loaded under the driver's name, so that cuda-bindings
and others find it as they find the driver. Its functions take what cuda.h says, and ask the rules
of `fake_rules`; so there is one book of rules for both, and what a caller gets wrong about the C
interface (a structure's layout, an array of addresses) is read from memory as the driver reads it.

    python -m tests.support.machine_driver xgpu-runner --device=cuda program.mlir

runs a tool over it, and says at the end on standard error how many calls there were, which rules
were broken and what stayed alive. STUB_FAIL_AT=n lets the call number n fail.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import platform
import runpy
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.fake_driver import ENTRIES, FakeDriver
from xgpu.api.cuda_driver.shared_object import ENDED, TABLE, SharedObject

#: The functions as cuda.h of CUDA 13 declares them: `>` what is written to an address, `b h i l`
#: numbers of 1 to 8 bytes (handles and addresses too), `s` text, `E:` an enumeration, `S:` the
#: address of a structure, `n` that of as many handles as the next argument says.
SIGNATURES = {
    "cuInit": "i", "cuDriverGetVersion": ">i", "cuDeviceGetCount": ">i", "cuDeviceGet": ">i i",
    "cuDeviceGetAttribute": ">i E:CUdevice_attribute i", "cuDevicePrimaryCtxRetain": ">l i",
    "cuDevicePrimaryCtxRelease": "i", "cuCtxSetCurrent": "l", "cuCtxSynchronize": "",
    "cuDeviceCanAccessPeer": ">i i i", "cuCtxEnablePeerAccess": "l i",
    "cuModuleUnload": "l", "cuModuleGetFunction": ">l l s", "cuFuncLoad": "l",
    "cuFuncGetAttribute": ">i E:CUfunction_attribute l",
    "cuFuncSetAttribute": "l E:CUfunction_attribute i",
    "cuOccupancyMaxActiveBlocksPerMultiprocessor": ">i l i l",
    "cuStreamCreate": ">l i", "cuStreamDestroy": "l", "cuStreamQuery": "l",
    "cuEventCreate": ">l i", "cuEventDestroy": "l", "cuEventQuery": "l",
    "cuEventElapsedTime": ">f l l",
    "cuMemAlloc": ">l l", "cuMemAllocManaged": ">l l i", "cuMemHostAlloc": ">l l i",
    "cuMemAllocAsync": ">l l l", "cuMemAllocFromPoolAsync": ">l l l l", "cuMemFree": "l",
    "cuMemFreeHost": "l", "cuMemFreeAsync": "l l",
    "cuMemPoolCreate": ">l S:CUmemPoolProps", "cuMemPoolDestroy": "l", "cuMemPoolTrimTo": "l l",
    "cuMemPoolSetAttribute": "l i l", "cuMemcpy2DAsync": "S:CUDA_MEMCPY2D l",
    "cuMemcpyHtoD": "l l l", "cuMemsetD2D32Async": "l l i l l l", "cuMemHostRegister": "l l i",
    "cuMemHostUnregister": "l", "cuPointerGetAttribute": ">i E:CUpointer_attribute l",
    "cuGraphCreate": ">l i", "cuGraphDestroy": "l", "cuGraphInstantiate": ">l l l",
    "cuGraphExecDestroy": "l", "cuGraphAddKernelNode": ">l l n l l",
    "cuGraphAddMemcpyNode": ">l l n l l l", "cuGraphAddMemsetNode": ">l l n l l l",
    "cuGraphAddEmptyNode": ">l l n l", "cuGraphAddHostNode": ">l l n l l",
    "cuGraphAddMemAllocNode": ">l l n l S:CUDA_MEM_ALLOC_NODE_PARAMS",
    "cuGraphAddMemFreeNode": ">l l n l l",
    "cuGraphKernelNodeSetAttribute": "l E:CUlaunchAttributeID l",
    # What others call.
    "cuCtxGetDevice": ">i", "cuDeviceGetDefaultMemPool": ">l i", "cuDeviceGetMemPool": ">l i",
    "cuMemPoolGetAttribute": "l i >l", "cuCtxGetStreamPriorityRange": ">i >i",
    "cuStreamCreateWithPriority": ">l i i", "cuStreamGetCtx": "l >l", "cuStreamIsCapturing": "l >i",
    "cuLibraryUnload": "l", "cuLibraryGetKernel": ">l l s", "cuKernelGetFunction": ">l l",
    "cuLibraryLoadData": ">l s l l i l l i",
}  # fmt: skip

# What has a converter of its own, below.
_SPECIAL = (
    "cuGetProcAddress", "cuGetErrorString", "cuGetErrorName", "cuModuleLoadDataEx",
    "cuMemPoolSetAccess",
)  # fmt: skip
# Names by which the driver is asked for another function of the table.
_ALIASES = {
    "cuGetProcAddress_v2": "cuGetProcAddress", "cuGraphInstantiateWithFlags": "cuGraphInstantiate",
}  # fmt: skip
_NOT_FOUND = 500
_DEINITIALIZED = 4
_UNKNOWN = 999
_NUMBERS = {
    "b": ctypes.c_uint8, "h": ctypes.c_uint16, "i": ctypes.c_uint32, "l": ctypes.c_uint64,
    "f": ctypes.c_float,
}  # fmt: skip
_LIBRARY = "libcuda.so.1"
# The process's own: what has its addresses may call until the end.
_loaded: list[Any] = []


class MachineDriver:
    """C functions over a `FakeDriver`, which may be another one later."""

    def __init__(self, fake: FakeDriver) -> None:
        self.fake = fake
        self._names = [*SIGNATURES, *ENTRIES, *_SPECIAL, *_ALIASES]
        self._functions: dict[str, Any] = {}
        self._texts: dict[str, Any] = {}
        for name in (*SIGNATURES, *ENTRIES):
            self._functions[name] = self._made(name)
        for name in _SPECIAL:
            self._functions[name] = getattr(self, name)()
        for name, other in _ALIASES.items():
            self._functions[name] = self._functions[other]

    def load(self, folder: Path) -> None:
        """From here on this process finds the driver here. The library goes into `folder`."""
        path = folder / _LIBRARY
        if not path.exists():  # or another process would lose what it has loaded
            made = SharedObject(
                _LIBRARY, self._names, failed=_DEINITIALIZED, ended=_DEINITIALIZED
            )  # fmt: skip
            path.write_bytes(made.to_bytes())
        self._library = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
        table = (ctypes.c_uint64 * len(self._names)).in_dll(self._library, TABLE)
        _loaded.append(self)
        table[:] = [self.implementation(name) for name in self._names]
        # What others release at the very end finds no interpreter that could answer.
        ended = [_address(getattr(self._library, ENDED))] * len(self._names)
        atexit.register(table.__setitem__, slice(None), ended)

    def address(self, name: str) -> int:
        """Where callers find a function; 0 where the driver has none of that name."""
        if name in self.fake.absent or name not in self._functions:
            return 0
        return _address(getattr(self._library, name))

    def implementation(self, name: str) -> int:
        """Where the function jumps to."""
        return _address(self._functions[name])

    # -- calls

    def _made(self, name: str) -> Any:
        words = SIGNATURES.get(name)
        if words is None:  # what machine code calls: rules read its structures from memory
            if name in ("cuCtxGetCurrent", "cuCtxPopCurrent"):
                return self._function(name, [">l"])
            types = ENTRIES[name]
            return self._callback(types, lambda *given: self._result(name, given))
        return self._function(name, words.split())

    def _function(self, name: str, codes: list[str]) -> Any:
        types = [ctypes.c_uint64 if c[0] in ">nsS" else _number(c) for c in codes]
        outs = [(i, code[1:]) for i, code in enumerate(codes) if code[0] == ">"]
        readers = [(i, self._reader(c)) for i, c in enumerate(codes) if c[0] != ">"]

        def call(*given: int) -> int:
            arguments = [
                _array(ctypes.c_uint64, given[i], given[i + 1]) if read is None else read(given[i])
                for i, read in readers
            ]
            result, *values = self.fake._call(name, tuple(arguments))
            if int(result):
                return int(result)
            for (i, out), value in zip(outs, values or [0] * len(outs), strict=True):
                if given[i]:
                    made = value if out == "f" else int(value)
                    _NUMBERS[out].from_address(given[i]).value = made
            return 0

        return self._callback(types, call)

    def _reader(self, code: str) -> Callable[[int], Any] | None:
        """What makes of a number that comes by C what a rule takes; None: see `SIGNATURES`."""
        from cuda.bindings import driver as real

        if code == "n":
            return None
        if code == "s":
            return lambda at: ctypes.string_at(at)
        kind, _, name = code.partition(":")
        if kind == "E":
            return lambda number: _enumerated(getattr(real, name), number)
        if kind == "S":
            return lambda at: getattr(real, name)(_ptr=at)
        return lambda number: number

    def _callback(self, types: list[Any], call: Callable[..., int]) -> Any:
        def guarded(*given: int) -> int:
            try:
                return call(*given)
            except Exception as problem:  # nothing may be thrown through C
                self.fake.violations.append(f"{type(problem).__name__}: {problem}")
                return _UNKNOWN

        return ctypes.CFUNCTYPE(ctypes.c_int32, *types)(guarded)

    def _result(self, name: str, given: tuple[Any, ...]) -> int:
        return int(self.fake._call(name, given)[0])

    # -- functions whose arguments are like no others

    def cuGetProcAddress(self) -> Any:
        def call(name: int, at: int, version: int, flags: int, status: int) -> int:
            text = ctypes.string_at(name).decode()
            found = self.address(text)
            ctypes.c_uint64.from_address(at).value = found
            if status:
                ctypes.c_int32.from_address(status).value = 0 if found else 1
            return 0 if found else _NOT_FOUND

        long = ctypes.c_uint64
        return self._callback([long, long, ctypes.c_int32, long, long], call)

    def _text(self, text: str, at: int) -> int:
        kept = self._texts.setdefault(text, ctypes.create_string_buffer(text.encode()))
        ctypes.c_uint64.from_address(at).value = ctypes.addressof(kept)
        return 0

    def cuGetErrorString(self) -> Any:
        types = [ctypes.c_int32, ctypes.c_uint64]
        return self._callback(types, lambda code, at: self._text("words of the driver", at))

    def cuGetErrorName(self) -> Any:
        from cuda.bindings import driver as real

        types = [ctypes.c_int32, ctypes.c_uint64]
        return self._callback(types, lambda code, at: self._text(real.CUresult(code).name, at))

    def cuModuleLoadDataEx(self) -> Any:
        """Of the image, PTX is read; options come as numbers, or as addresses with sizes."""
        from cuda.bindings import driver as real

        def call(out: int, image: int, count: int, options: int, values: int) -> int:
            kinds = [real.CUjit_option(n) for n in _array(ctypes.c_uint32, options, count)]
            words = _array(ctypes.c_uint64, values, count)
            given = dict(zip((k.name for k in kinds), words, strict=True))
            read: list[Any] = []
            for kind, word in zip(kinds, words, strict=True):
                if kind.name.endswith("LOG_BUFFER"):
                    size = given[f"{kind.name}_SIZE_BYTES"]
                    read.append((ctypes.c_char * size).from_address(word))
                else:
                    read.append(word)
            data = ctypes.string_at(image)
            result, *made = self.fake._call("cuModuleLoadDataEx", (data, count, kinds, read))
            if not int(result):
                ctypes.c_uint64.from_address(out).value = made[0]
            return int(result)

        long = ctypes.c_uint64
        return self._callback([long, long, ctypes.c_uint32, long, long], call)

    def cuMemPoolSetAccess(self) -> Any:
        def call(pool: int, access: int, count: int) -> int:
            return self._result("cuMemPoolSetAccess", (pool, [access] * count, count))

        return self._callback([ctypes.c_uint64] * 3, call)


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _number(code: str) -> Any:
    return _NUMBERS["i" if code.startswith("E:") else code]


def _array(kind: Any, at: int, count: int) -> list[int]:
    return list((kind * count).from_address(at)) if count else []


def _enumerated(kind: Any, number: int) -> Any:
    """A value of an enumeration; a newer driver's is a number."""
    try:
        return kind(number)
    except ValueError:
        return number


def is_possible() -> bool:
    """Whether this machine is one that such a library can be written for."""
    return sys.platform == "linux" and platform.machine() == "x86_64"


#: What the Python processes that a tool starts begin with: they find the same driver.
_CHILD = """
from tests.support.fake_driver import FakeDriver
from tests.support.machine_driver import MachineDriver
import pathlib
MachineDriver(FakeDriver()).load(pathlib.Path(__file__).parent)
"""


def _run(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "sitecustomize.py").write_text(_CHILD)
        root = str(Path(__file__).parents[2])
        paths = [folder, root, os.environ.get("PYTHONPATH", "")]
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
        return _run_over(Path(folder), arguments)


def _run_over(folder: Path, arguments: list[str]) -> int:
    fake = FakeDriver()
    fake.fail_at = int(os.environ.get("STUB_FAIL_AT", "0"))
    MachineDriver(fake).load(folder)
    sys.argv = [shutil.which(arguments[0]) or arguments[0], *arguments[1:]]
    code = 0
    try:
        runpy.run_path(sys.argv[0], run_name="__main__")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    if "xgpu.runtime.cuda.driver" in sys.modules:
        from xgpu.runtime.cuda.driver import load_driver

        if load_driver.cache_info().currsize:
            load_driver().drop_all()  # what the process's end would do
    sys.stdout.flush()
    print(
        f"driver: {fake.numbered} calls, broken {fake.violations}, alive {fake.leftovers()}",
        file=sys.stderr,
    )
    return code


if __name__ == "__main__":
    # As a module of its own name: what it keeps must not be there twice.
    from tests.support import machine_driver

    sys.exit(machine_driver._run(sys.argv[1:]))
