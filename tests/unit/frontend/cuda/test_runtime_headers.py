# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The headers of CUDA's interface: numbers and sizes are CUDA's, as cuda-bindings knows them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support import processes
from tests.support.c_declarations import difference
from tests.support.clang import needs_clang
from xgpu.api.cuda_driver.library_file import load_functions
from xgpu.api.cuda_driver.table import FUNCTIONS
from xgpu.frontend.cuda.clang import HEADERS, find_clang

#: `NAME = NUMBER` of an enumeration.
_ENUMERATOR = re.compile(r"\b((?:cuda|CU_|CUDA_)\w+) = (-?\w+)[,\s]")
_ERROR = re.compile(r"^XGPU_ERROR\((\w+), (\d+),", re.MULTILINE)


def enumerators(header: str) -> dict[str, int]:
    text = (HEADERS / header).read_text()
    return {name: int(value, 0) for name, value in _ENUMERATOR.findall(text)}


def known(module: object) -> dict[str, int]:
    """All enumerators of a module of cuda-bindings."""
    found: dict[str, int] = {}
    for kind in vars(module).values():
        for name, member in getattr(kind, "__members__", {}).items():
            found[name] = int(member)
    return found


@pytest.mark.parametrize(
    ("header", "module"), [("driver_types.h", "runtime"), ("xgpu/driver.h", "driver")]
)
def test_numbers(header: str, module: str) -> None:
    bindings = pytest.importorskip(f"cuda.bindings.{module}", exc_type=ImportError)
    theirs, ours = known(bindings), enumerators(header)
    if module == "runtime":
        errors = (HEADERS / "xgpu" / "errors.def").read_text()
        ours |= {name: int(number) for name, number in _ERROR.findall(errors)}
    compared = {name: value for name, value in ours.items() if name in theirs}
    assert len(compared) > 300
    assert compared == {name: theirs[name] for name in compared}


@needs_clang
def test_sizes_of_structures(tmp_path: Path) -> None:
    """Those of the driver, and those of the runtime that the driver reads."""
    expected = {
        "CUDA_MEMCPY2D": 128, "CUDA_MEMCPY3D": 200, "CUDA_KERNEL_NODE_PARAMS": 72,
        "CUDA_MEMSET_NODE_PARAMS": 40, "CUDA_HOST_NODE_PARAMS": 16, "CUmemPoolProps": 88,
        "CUlaunchConfig": 56, "CUlaunchAttribute": 72, "CUmemAccessDesc": 12, "CUuuid": 16,
        "CUgraphExecUpdateResultInfo": 24, "CUctxCreateParams": 24, "CUmemAllocationProp": 32,
        "CUDA_GRAPH_INSTANTIATE_PARAMS": 32,
    }  # fmt: skip
    pairs = (
        ("cudaLaunchAttribute", "CUlaunchAttribute"), ("cudaMemPoolProps", "CUmemPoolProps"),
        ("cudaMemAccessDesc", "CUmemAccessDesc"), ("cudaHostNodeParams", "CUDA_HOST_NODE_PARAMS"),
        ("cudaMemsetParams", "CUDA_MEMSET_NODE_PARAMS"),
        ("cudaMemAllocNodeParams", "CUDA_MEM_ALLOC_NODE_PARAMS"),
        ("cudaGraphExecUpdateResultInfo", "CUgraphExecUpdateResultInfo"),
    )  # fmt: skip
    lines = [f"static_assert(sizeof({name}) == {size});" for name, size in expected.items()]
    lines += [f"static_assert(sizeof({ours}) == sizeof({theirs}));" for ours, theirs in pairs]
    source = tmp_path / "sizes.cpp"
    source.write_text("\n".join(["#include <cuda.h>", *lines, ""]))
    done = processes.run(
        [find_clang(), "-std=c++17", "-fsyntax-only", f"-isystem{HEADERS}", str(source)],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@needs_clang
@pytest.mark.parametrize("language", ["c", "c++", "cuda"])
def test_host_code_of_each_language(tmp_path: Path, language: str) -> None:
    source = tmp_path / "program"
    source.write_text(
        "#include <cuda.h>\n#include <cuda_runtime.h>\n"
        "int f(void) { CUdevice d; float4 v; struct cudaDeviceProp p; v.w = 1; p.major = 2;\n"
        "  return cuDeviceGet(&d, 0) + cuMemFree(0) + (int)cudaFree(0) + (int)v.w + p.major; }\n"
    )
    done = processes.run(
        [find_clang(), "-x", language, "--cuda-host-only", "-nocudainc", "-nocudalib",
         "-fdeclspec", "-Wno-unknown-cuda-version", "-Wno-unused-command-line-argument",
         "-fsyntax-only", "-Werror", f"-isystem{HEADERS}", str(source)],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


#: What the headers do not declare: a table for other libraries, what the macro for threads' streams
#: names, and forms of functions that are not CUDA 13's.
_NOT_DECLARED = {
    "cuGetExportTable", "cuLaunchKernelEx_ptsz", "cuCtxCreate_v3", "cuCtxGetDevice_v2",
    "cuCtxSynchronize_v2", "cuGraphInstantiate_v2", "cuStreamGetCaptureInfo_v2",
}  # fmt: skip


def test_the_headers_have_the_drivers_functions() -> None:
    load_functions()
    text = "".join((HEADERS / name).read_text() for name in ("cuda.h", "cudaProfiler.h"))
    newer = dict(re.findall(r"#define (cu\w+) (cu\w+)", text))
    declared = re.findall(r"^CUresult (cu\w+)\(", text, re.MULTILINE)
    symbols = {newer.get(name, name) for name in declared}
    functions = [f for name, f in FUNCTIONS.items() if name.startswith("cu")]
    assert len(functions) > 200
    known = symbols | set(declared)  # a form that a newer one of the same name stands for
    assert {f.name for f in functions if not known & f.symbols.keys()} == _NOT_DECLARED
    assert symbols <= {symbol for f in functions for symbol in f.symbols}


def test_the_headers_declare_the_drivers_parameters() -> None:
    """A program passes what the driver takes: as many, in that order, of these types."""
    load_functions()
    text = "".join((HEADERS / name).read_text() for name in ("cuda.h", "cudaProfiler.h"))
    newer = dict(re.findall(r"#define (cu\w+) (cu\w+)", text))
    of_symbol = {symbol: f for f in FUNCTIONS.values() for symbol in f.symbols}
    declared = re.findall(r"^CUresult (cu\w+)\(([^)]*)\)", text, re.MULTILINE)
    assert len(declared) > 300
    differences = [difference(of_symbol[newer.get(name, name)], given) for name, given in declared]
    assert [found for found in differences if found] == []
