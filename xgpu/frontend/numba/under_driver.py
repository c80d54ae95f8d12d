# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""numba-cuda-mlir over the CUDA driver of xgpu, without NVIDIA's compilers.

numba-cuda-mlir lowers a kernel to MLIR of the llvm dialect. libNVVM makes PTX of that, NVRTC of
CUDA C++ that is linked, and nvJitLink or the driver machine code of PTX. Here the MLIR and the
CUDA C++ go to `Compilers`, and PTX to the driver.

| replaced | what for |
|---|---|
| `mlir_optimization._call_llvm70_capi`, `._needs_llvm70_path` | a module to PTX |
| `mlir_compiler.compile_mlir` | lines of the source for the sanitizer |
| `numba_cuda.cudadrv.nvrtc.compile` | CUDA C++ to PTX |
| `linker.resolve_link_plan`, `numba_cuda.cudadrv.driver._Linker.add_ltoir` | PTX alone is linked |
| `cuda.core._linker._driver`, `._use_nvjitlink_backend` | .. by the driver |
| `tools.get_cuda_runtime_version`, `numba_cuda.cudadrv.nvrtc._get_nvrtc_version` | versions |
| `numba_cuda.cudadrv.nvvm.LibDevice`, `numba_cuda.cudadrv.libs.get_cudalib` | libraries |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import NamedTuple, Protocol

from xgpu.frontend.numba.front_end import EMPTY_ARCHIVE, adapted_module, check_version

#: The release of CUDA whose PTX the package may use.
TOOLKIT = (13, 0)
#: The runtime of kernels, of which the grid's barrier is in xgpu.
_DEVICE_RUNTIME = "cudadevrt"

#: MLIR's syntax takes a location behind this operation for an attribute of it.
_BARE_BARRIER = re.compile(r"nvvm\.barrier(?= loc\()")
_BARRIER = '"nvvm.barrier"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()'


class Flags(NamedTuple):
    """How a module is compiled: for a chip, with approximations, as the options of a kernel say."""

    chip: str
    fastmath: bool
    line_info: bool


class Compilers(Protocol):
    """What compiles in place of NVIDIA's compilers, and whether with lines of the Python source."""

    needs_lines: bool

    def ptx(self, module: str, flags: Flags) -> str:
        """PTX of a module in the llvm dialect."""
        ...

    def llvm_ir(self, module: str, flags: Flags) -> str:
        """LLVM IR of a module in the llvm dialect."""
        ...

    def ptx_of_cuda(self, source: str, name: str, include: Sequence[str], chip: str) -> str:
        """PTX of CUDA C++."""
        ...


class _Operation(Protocol):
    def get_asm(self, *, enable_debug_info: bool) -> str: ...


class _Module(Protocol):
    """numba-cuda-mlir's module."""

    operation: _Operation


def adapt(compilers: Compilers) -> None:
    """Has numba-cuda-mlir compile by `compilers`. Raises `UsageError` for another version of it
    than this file knows."""
    check_version()
    _replace(
        "mlir_optimization",
        _needs_llvm70_path=lambda capability: True,
        _call_llvm70_capi=_translation(compilers),
    )
    _replace(
        "numba_cuda.cudadrv.nvrtc",
        compile=_source_compiler(compilers),
        _get_nvrtc_version=lambda: TOOLKIT,
    )
    _replace("tools", get_cuda_runtime_version=lambda: TOOLKIT)
    _replace("numba_cuda.cudadrv.nvvm", LibDevice=_NoLibrary)
    found = adapted_module("numba_cuda.cudadrv.libs").get_cudalib
    _replace("numba_cuda.cudadrv.libs", get_cudalib=_library(found))
    if compilers.needs_lines:
        compile = adapted_module("mlir_compiler").compile_mlir
        _replace("mlir_compiler", compile_mlir=_with_lines(compile))
    _link_by_driver()


def _replace(module: str, **names: object) -> None:
    vars(adapted_module(module)).update(names)


def _translation(compilers: Compilers) -> Callable[..., bytes]:
    def translate(
        module: _Module, target_options: Mapping[str, object], gen_lto: bool = False,
        gen_llvmir: bool = False,
    ) -> bytes:  # fmt: skip
        tools = adapted_module("tools")
        chip = str(target_options.get("chip") or tools.get_gpu_compute_capability())
        lines = bool(target_options.get("debug") or target_options.get("lineinfo"))
        flags = Flags(chip, bool(target_options.get("fastmath")), lines)
        text = _BARE_BARRIER.sub(_BARRIER, module.operation.get_asm(enable_debug_info=lines))
        compile = compilers.llvm_ir if gen_llvmir else compilers.ptx
        return compile(text, flags).encode()

    return translate


def _with_lines(compile: Callable[..., object]) -> Callable[..., object]:
    def compile_with_lines(
        pyfunc: object, return_type: object, args: object, targetoptions: dict[str, object]
    ) -> object:
        if not targetoptions.get("debug"):
            targetoptions["lineinfo"] = True
        return compile(pyfunc, return_type, args, targetoptions)

    return compile_with_lines


def _source_compiler(compilers: Compilers) -> Callable[..., tuple[object, str]]:
    def compile(
        src: str | bytes, name: str, cc: Sequence[object], ltoir: bool = False,
        lineinfo: bool = False, debug: bool = False,
    ) -> tuple[object, str]:  # fmt: skip
        text = src.decode() if isinstance(src, bytes) else src
        include = adapted_module("memory_management.nrt").get_include()
        paths = adapted_module("numba_cuda.core.config").CUDA_NVRTC_EXTRA_SEARCH_PATHS or ""
        folders = [str(include), *filter(None, str(paths).split(":"))]
        chip = "sm_" + "".join(str(part) for part in cc)
        made = compilers.ptx_of_cuda(text, name, folders, chip)
        code = adapted_module("numba_cuda.cudadrv.driver").ObjectCode
        return code.from_ptx(made.encode(), name=name), ""

    return compile


def _link_by_driver() -> None:
    """PTX is all that there is, and the driver links it; what is asked for as code for
    optimization while linking is PTX too."""
    resolve = adapted_module("linker").resolve_link_plan

    def plan(*args: object, **names: object) -> object:
        return replace(resolve(*args, **names), compile_new_inputs_as_ltoir=False)

    for module in ("linker", "mlir_lowering"):
        _replace(module, resolve_link_plan=plan)
    base = adapted_module("numba_cuda.cudadrv.driver")._Linker
    base.add_ltoir = lambda self, ltoir, name="<cudapy-ltoir>": self.add_ptx(ltoir, name)
    driver = import_module("cuda.bindings.driver")
    vars(import_module("cuda.core._linker")).update(_driver=driver, _use_nvjitlink_backend=False)


def _library(other: Callable[..., object]) -> Callable[..., object]:
    def library(lib: str, static: bool = False) -> object:
        if lib != _DEVICE_RUNTIME:
            return other(lib, static)
        archive = adapted_module("numba_cuda.cudadrv.linkable_code").Archive
        return archive(EMPTY_ARCHIVE, name=f"{lib}.a")

    return library


class _NoLibrary:
    """The library of mathematical functions, which the driver of xgpu has itself."""

    bc = b""

    def get(self) -> bytes:
        return self.bc
