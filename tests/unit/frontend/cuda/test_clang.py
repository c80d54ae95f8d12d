# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How CUDA C++ is read: options, templates, diagnostics, locations, what is kept on disk."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import xgpu
from tests.support.clang import needs_clang
from tests.support.some_cases import each
from xgpu.core.ir.errors import UsageError
from xgpu.core.syntax import diagnostics
from xgpu.frontend.cuda import clang
from xgpu.frontend.cuda.clang import CudaOptions, find_clang, llvm_ir_of

HEADERS = Path(clang.__file__).parent / "include"
FILL = "__global__ void fill(int *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = VALUE; }\n"


def filled(**options: object) -> int:
    x = np.zeros(8, np.int32)
    xgpu.load(FILL, "host", cuda=options).kernels["fill"][1, 32](x, 8)
    assert (x == x[0]).all()
    return int(x[0])


@needs_clang
def test_macros() -> None:
    assert filled(define={"VALUE": 7}) == 7
    assert filled(define=["VALUE=8"]) == 8
    assert filled(arguments=["-DVALUE=9"], optimize=0) == 9


@needs_clang
def test_attributes_of_kernels() -> None:
    """What clang has no words for; annotations of the program's own are left out."""
    text = """
__global__ void __cluster_dims__(2) pairs(int *p) { *p = 1; }
template <int N> __global__ void __maxnreg__(16 + N) __cluster_dims__(N, 1, N / 2) of(int *p) {}
template __global__ void of<4>(int *);
__global__ void __launch_bounds__(64, 2, 4) __attribute__((annotate("own"))) bound(int *p) {}
"""
    ptx = b"".join(xgpu.compile(text, chip="sm_90", filename="k.cu").kernels.values()).decode()
    directives = re.findall(r"^\.(?:visible \.)?(?:weak \.)?(\w+ [^(\n]+)", ptx, re.M)
    assert directives[3:] == [
        "entry _Z5pairsPi", "reqnctapercluster 2",
        "entry _Z2ofILi4EEvPi", "maxnreg 20", "reqnctapercluster 4, 1, 2",
        "entry _Z5boundPi", "maxntid 64", "minnctapersm 2", "maxclusterrank 4",
    ]  # fmt: skip


@needs_clang
def test_folders_of_headers(tmp_path: Path) -> None:
    (tmp_path / "value.h").write_text("#define VALUE 5\n")
    source = '#include "value.h"\n' + FILL
    x = np.zeros(1, np.int32)
    xgpu.load(source, "host", cuda={"include": [tmp_path]}).kernels["fill"][1, 1](x, 1)
    assert x[0] == 5
    file = tmp_path / "fill.cu"
    file.write_text(source)  # beside the header
    x[0] = 0
    xgpu.load(file, "host").kernels["fill"][1, 1](x, 1)
    assert x[0] == 5


@needs_clang
def test_a_header_that_changed_is_read_anew(tmp_path: Path) -> None:
    header, file = tmp_path / "value.h", tmp_path / "fill.cu"
    file.write_text('#include "value.h"\n' + FILL)
    for value in (1, 2):
        header.write_text(f"#define VALUE {value}\n")
        x = np.zeros(1, np.int32)
        xgpu.load(file, "host").kernels["fill"][1, 1](x, 1)
        assert x[0] == value


@needs_clang
def test_what_was_read_needs_no_clang(monkeypatch: pytest.MonkeyPatch) -> None:
    options = CudaOptions(define={"VALUE": 11})
    first = llvm_ir_of(FILL, "fill.cu", options)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("clang was called")

    monkeypatch.setattr(subprocess, "run", refuse)
    assert llvm_ir_of(FILL, "fill.cu", options) == first
    with pytest.raises(AssertionError, match="clang was called"):
        llvm_ir_of(FILL, "fill.cu", CudaOptions(define={"VALUE": 12}))


@needs_clang
def test_the_standard() -> None:
    text = "template <typename T> concept C = true;\n__global__ void k(int *x) { *x = C<int>; }\n"
    assert list(xgpu.load(text, "host", cuda={"std": "c++20"}).kernels) == ["k"]
    with pytest.raises(xgpu.DiagnosticError, match="unknown type name 'concept'"):
        xgpu.load(text, "host")


@needs_clang
def test_instantiations() -> None:
    text = """
namespace ops {
template <typename T, int N = 3> __global__ void scale(T *x) { x[threadIdx.x] *= N; }
}
"""
    module = xgpu.load(text, "host", instantiate=["ops::scale<float>", "ops::scale<int, 5>"])
    assert list(module.kernels) == ["ops::scale<float, 3>", "ops::scale<int, 5>"]
    x = np.arange(8, dtype=np.int32)
    module.kernels["ops::scale<int,5>"][1, 8](x)
    np.testing.assert_array_equal(x, np.arange(8) * 5)
    with pytest.raises(xgpu.DiagnosticError, match="no member named 'nope' in namespace 'ops'"):
        xgpu.load(text, "host", instantiate=["ops::nope<int>"])


@needs_clang
def test_overloads_go_by_their_symbols() -> None:
    text = "__global__ void k(int *x) { *x = 1; }\n__global__ void k(float *x) { *x = 2; }\n"
    assert list(xgpu.load(text, "host").kernels) == ["_Z1kPi", "_Z1kPf"]


@needs_clang
def test_a_whole_program_gives_its_kernels() -> None:
    """Host code is checked and left out; libraries of C++ may be there or not."""
    text = """
#include <cuda_runtime.h>
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
int main() {
  float *x;
  cudaMalloc(&x, 128);
  twice<<<1, 32>>>(x);
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""
    x = np.ones(32, np.float32)
    xgpu.load(text, "host").kernels["twice"][1, 32](x)
    assert (x == 2).all()


@needs_clang
def test_code_of_the_host_counts_on_the_headers_of_nvcc() -> None:
    """The functions of C that nvcc's header declares, before and behind C's own headers."""
    uses = """
__global__ void k(int *a) { memset(a, 0, 4); if (a[0]) printf("%d", a[1]); }
int usage(char **words) {
  printf("usage: %s\\n", words[0]);
  int *p = (int *)malloc(strlen(words[0]));
  qsort(p, 0, 4, 0);
  free(p);
  if (rand() != atoi(words[1])) exit(1);
  return memcmp(p, words, 4);
}
"""
    headers = "".join(f"#include <{h}>\n" for h in ("stdlib.h", "string.h", "cstdio"))
    for text in (uses, headers + uses, uses + headers):
        assert list(xgpu.load(text, "host").kernels) == ["k"]


@needs_clang
def test_headers_are_known_by_the_names_of_nvidias() -> None:
    """helper_cuda.h of NVIDIA's samples declares nothing without them."""
    names = ("__DRIVER_TYPES_H__", "__CUDA_RUNTIME_H__", "__cuda_cuda_h__")
    checks = "".join(f"#ifndef {name}\n#error {name}\n#endif\n" for name in names)
    text = f"#include <cuda.h>\n{checks}__global__ void k() {{}}\n"
    assert list(xgpu.load(text, "host").kernels) == ["k"]


@needs_clang
def test_messages_of_clang(tmp_path: Path) -> None:
    file = tmp_path / "bad.cu"
    file.write_text("__device__ int f(int a);\n__global__ void k(int *x) {\n  *x = f(x) + y;\n}\n")
    with pytest.raises(xgpu.DiagnosticError) as caught:
        xgpu.load(file, "host")
    first, second = caught.value.diagnostics
    assert first.message == "no matching function for call to 'f'"
    assert [note.severity for note in first.notes] == ["note"]
    assert second.message == "use of undeclared identifier 'y'"
    text = str(caught.value)
    assert f"{file}:3:15: error: use of undeclared identifier 'y'" in text or "XGPU_DEBUG" in text
    assert f"{file}:3:8: error: no matching function" in text


@needs_clang
def test_a_header_that_is_missing_has_a_reason() -> None:
    text = "#include <{}>\n__global__ void k(int *x) {{ *x = 1; }}\n"
    words = r"<cuda>:1:10: error: 'cufft.h' file not found: xgpu does not have cuFFT"
    with pytest.raises(xgpu.DiagnosticError, match=words):
        xgpu.load(text.format("cufft.h"), "host")
    words = r"libcu\+\+; with its sources, name their folder \(-I, `include` of CudaOptions\)"
    with pytest.raises(xgpu.DiagnosticError, match=words):
        xgpu.load(text.format("cuda/stream_ref"), "host")


@needs_clang
def test_a_text_has_lines_too() -> None:
    with pytest.raises(xgpu.DiagnosticError) as caught:
        xgpu.load("__global__ void k(int *x) {\n  *x = nothing;\n}\n", "host")
    lines = str(caught.value).splitlines()
    assert lines[:3] == [
        "<cuda>:2:8: error: use of undeclared identifier 'nothing'", "  *x = nothing;", "       ^",
    ]  # fmt: skip


@needs_clang
def test_warnings_of_clang() -> None:
    with diagnostics.collect() as found:
        llvm_ir_of("__global__ void k(int *x) { *x; }\n", "k.cu")
    assert [(d.severity, d.message) for d in found] == [("warning", "expression result unused")]


@needs_clang
def test_reports_and_errors_name_the_line(tmp_path: Path) -> None:
    file = tmp_path / "race.cu"
    file.write_text("""\
__global__ void reverse(int *x) {
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = s[63 - threadIdx.x];
}
""")
    kernel = xgpu.load(file, "host").kernels["reverse"]
    with xgpu.sanitized(["race"]) as watched:
        kernel[1, 64](np.zeros(64, np.int32))
    text = watched.findings().text()
    assert f"{file}:4:20: error: race" in text
    assert "  x[threadIdx.x] = s[63 - threadIdx.x];" in text
    assert f"{file}:3:18: note: thread" in text
    with pytest.raises(xgpu.DeviceError, match=r"race\.cu:3:20"):
        kernel[1, 64](np.zeros(60, np.int32))


@needs_clang
def test_two_stores_of_a_branch_stay_two() -> None:
    """LLVM would make one store of both sides, with the line of one."""
    text = """\
__global__ void k(int *x) {
  if (blockIdx.x == 0)
    x[0] = 1;
  else
    x[0] = 2;
}
"""
    kernel = xgpu.load(text, "host").kernels["k"]
    with xgpu.sanitized(["race"]) as watched:
        kernel[2, 1](np.zeros(1, np.int32))
    found = watched.findings().text()
    assert "<cuda>:3:" in found
    assert "<cuda>:5:" in found


@needs_clang
def test_a_load_of_one_thread_stays_its_own() -> None:
    """LLVM would let all threads load what one asks for, which races with what it stores."""
    text = """\
__global__ void k(const int *x, int *y) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = x[0];
  __syncthreads();
  int again = threadIdx.x == 0 && flag;
  if (threadIdx.x == 0) flag = 2;
  y[threadIdx.x] = again;
}
"""
    kernel = xgpu.load(text, "host").kernels["k"]
    y = np.zeros(64, np.int32)
    with xgpu.sanitized() as watched:
        kernel[1, 64](np.ones(1, np.int32), y)
    assert not watched.findings(), watched.findings().text()
    assert y.tolist() == [1] + [0] * 63


_ARRAY = """
__global__ void k(float *a) {
  float own[4], sum = 0;
  for (int i = 0; i < 4; i++) own[i] = a[4 * threadIdx.x + i];
  for (int i = 0; i < 4; i++) sum += own[3 - i];
  a[threadIdx.x] = sum;
}
"""


@needs_clang
@pytest.mark.parametrize("optimize", [1, 2])
def test_arrays_of_short_loops_become_values(optimize: int) -> None:
    """clang forbids at -O1 that loops are unrolled."""
    text = llvm_ir_of(_ARRAY, "k.cu", CudaOptions(optimize=optimize))
    assert "alloca" not in text
    assert text.count("load float") == 4


@needs_clang
def test_the_translation_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from xgpu.tools import translate_session

    file = tmp_path / "fill.cu"
    file.write_text(FILL)
    assert translate_session.run(["--import-cuda", "-DVALUE=3", str(file)]) == 0
    text = capsys.readouterr().out
    assert "gpu.module @fill {" in text
    assert f'loc("{file}":1:' in text
    x = np.zeros(4, np.int32)
    xgpu.load(text, "host").kernels["fill"][1, 4](x, 4)
    assert x.tolist() == [3] * 4


@needs_clang
@pytest.mark.parametrize(
    "path",
    # Not tables that headers include several times.
    each(sorted(p for p in HEADERS.rglob("*") if p.is_file() and p.suffix != ".def"), 24),
    ids=lambda path: path.relative_to(HEADERS).as_posix(),
)
def test_each_header_stands_by_itself(path: Path) -> None:
    name = path.relative_to(HEADERS)
    text = (
        f"#include <{name}>\n#include <cuda_runtime.h>\n__global__ void k(int *x) {{ *x = 1; }}\n"
    )
    with diagnostics.collect() as found:
        assert "ptx_kernel" in llvm_ir_of(text, "k.cu")
    assert not found


def test_no_clang(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match=r"none was found on PATH.*apt-get install clang-19"):
        find_clang()
    old = tmp_path / "clang"
    old.write_text("#!/bin/sh\necho 'Debian clang version 14.0.6'\n")
    old.chmod(0o755)
    with pytest.raises(UsageError, match=rf"; {old} is Debian clang version 14\.0\.6"):
        find_clang()
    new = tmp_path / "clang-19"
    new.write_text("")
    new.chmod(0o755)
    assert find_clang() == str(new)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"std": "c++98"}, "std is 'c++98', expected one of c++14"),
        ({"optimize": 4}, "optimize is 4, expected 0, 1, 2 or 3"),
        ({"include": "folder"}, "include is 'folder', expected a list of texts"),
        ({"define": "N=3"}, "define is 'N=3', expected a list of texts"),
    ],
)
def test_options_that_are_none(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        CudaOptions(**options)  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)


def test_options_are_for_cuda_alone() -> None:
    with pytest.raises(UsageError, match="are for CUDA C\\+\\+, and the source is not"):
        xgpu.load("func.func @f() { return }", "host", instantiate=["f<int>"])
    with pytest.raises(UsageError, match="unexpected keyword argument 'includes'"):
        xgpu.load(FILL, "host", cuda={"includes": []})


@needs_clang
def test_locations_from_a_folder_beside_that_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, build = tmp_path / "src" / "k.cu", tmp_path / "build"
    for folder in (source.parent, build):
        folder.mkdir()
    text = "__global__ void k(int *p) { p[threadIdx.x] = 1; }"
    source.write_text(text)
    monkeypatch.chdir(build)
    names = re.findall(r'DIFile\(filename: "([^"]*)"', llvm_ir_of(text, str(source)))
    assert str(source) in names
    assert "src/k.cu" not in names


@needs_clang
def test_kernels_that_are_not_optimized_are_watched() -> None:
    """There the address of `threadIdx` is the argument of what reads its register."""
    kernel = xgpu.load(FILL, "host", cuda={"define": {"VALUE": 7}, "optimize": 0}).kernels["fill"]
    x = np.zeros(8, np.int32)
    with xgpu.sanitized() as watched:
        kernel[1, 32](x, 9)
    (found,) = watched.findings()
    assert (found.kind, found.count) == ("memory", 1)
    assert (x == 7).all()
