# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clang begins with its state after the common header, and gives what it gives after reading it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.clang import needs_clang
from tests.support.some_cases import each
from xgpu.core.ir.errors import DiagnosticError
from xgpu.frontend.cuda import clang, precompiled, programs
from xgpu.frontend.cuda.clang import Compiled, CudaOptions, compiled, find_clang

pytestmark = needs_clang

KERNEL = "__global__ void k(float *x) { x[threadIdx.x] = sinf(x[threadIdx.x]); }\n"
WHOLE = ["-DXGPU_WHOLE_PROGRAM=1", "-w"]


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What clang is called for from now on, with an empty cache and headers of its own: to write
    the state ("write"), behind the state ("behind"), or to read all ("read")."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    found: list[str] = []
    run = subprocess.run

    def noting(words: list[str], **given: object) -> object:
        kinds = {"-emit-pch": "write", "-include-pch": "behind"}
        found.append(next((kinds[word] for word in words if word in kinds), "read"))
        return run(words, **given)  # pyright: ignore

    monkeypatch.setattr(subprocess, "run", noting)
    return found


def made(text: str = KERNEL, name: str = "k.cu", **options: Any) -> Compiled:
    return compiled(find_clang(), text, name, CudaOptions(**options))


def without_state(monkeypatch: pytest.MonkeyPatch, text: str, **options: Any) -> Compiled:
    with monkeypatch.context() as patch:
        patch.setattr(precompiled, "state", lambda *_: None)
        return made(text, **options)


@pytest.mark.parametrize(
    "options",
    each([
        {}, {"optimize": 0, "contract": True}, {"arguments": WHOLE},
        {"everywhere": True, "static_by_name": True, "std": "c++20", "chip": "sm_80"},
    ], 2),
)  # fmt: skip
def test_the_result_is_the_same(
    calls: list[str], monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    first = made(**options)
    assert calls == ["write", "behind"]
    assert made(**options) == first
    assert calls == ["write", "behind", "behind"]
    other = without_state(monkeypatch, KERNEL, **options)
    assert (first.ir, first.said) == (other.ir, other.said)
    # A header that changes has all that was read made again.
    assert set(first.files) >= set(other.files)


def test_a_header_that_changed_is_read_anew(
    calls: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = tmp_path / "headers" / precompiled.HEADER
    header.parent.mkdir()
    monkeypatch.setattr(clang, "HEADERS", header.parent)
    for number in (1, 22):
        header.write_text(f"#define N {number}\n#define __global__ __attribute__((global))\n")
        assert b"store i32 %d," % number in made("__global__ void k(int *x) { *x = N; }").ir
    assert calls == ["write", "behind"] * 2


def test_options_that_have_a_say_in_headers(
    calls: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(define={"N": 4})
    made(include=[tmp_path])
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / precompiled.HEADER).write_text(
        "#define __global__ __attribute__((global))\n"
    )
    with pytest.raises(DiagnosticError, match="threadIdx"):
        made(name="own/k.cu")
    monkeypatch.setenv("CPATH", str(tmp_path))
    made()
    assert calls == ["read"] * 4


def test_errors_are_told_as_without_it(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = "__device__ float4 make_float4(int);\n__global__ void k() { dim3 x = y; sinf(); }\n"
    said: list[list[str]] = []
    for attempt in (made, lambda text: without_state(monkeypatch, text)):
        with pytest.raises(DiagnosticError) as raised:
            attempt(text)
        said.append([f"{d.location} {d.message} {d.notes}" for d in raised.value.diagnostics])
    assert said[0] == said[1]
    assert calls == ["write", "behind", "read", "read"]


def test_a_clang_that_cannot_write_it(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precompiled, "HEADER", "nowhere.h")
    with pytest.raises(DiagnosticError, match=r"nowhere\.h"):
        made()
    assert calls == ["write", "read"]


PROGRAM = KERNEL + "int main() { k<<<1, 1>>>(nullptr); return cudaDeviceSynchronize(); }\n"


def test_the_hosts_half_of_a_program_is_the_same(
    calls: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("k.cu").write_text(PROGRAM)
    device = tmp_path / "device.ll"
    device.write_text("; LLVM IR")
    objects: list[bytes] = []
    files: list[set[str]] = []
    for attempt in range(2):
        if attempt:
            monkeypatch.setattr(precompiled, "state", lambda *_: None)
        room = tmp_path / str(attempt)
        room.mkdir()
        options = programs.ProgramOptions(["-O1"])
        part = programs._Part("k.cu", options, str(room / "0"))
        device.rename(part.device_code)
        device = Path(part.device_code)
        read: list[str] = []
        programs._compile_for_host(find_clang(), part, options, read)
        objects.append(Path(part.object).read_bytes())
        files.append(set(read))
    assert objects[0] == objects[1]
    assert files[0] >= files[1]
    assert calls == ["write", "behind", "read"]


def test_errors_of_the_hosts_half_are_told_as_without_it(
    calls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("k.cu").write_text(
        f"#ifndef __CUDA_ARCH__\nint main() {{ return nothing; }}\n#endif\n{KERNEL}"
    )
    said: list[str] = []
    for attempt in range(2):
        if attempt:
            monkeypatch.setattr(precompiled, "state", lambda *_: None)
        options = programs.ProgramOptions()
        part = programs._Part("k.cu", options, str(Path("k").absolute()))
        Path(part.device_code).write_text("; LLVM IR")
        with pytest.raises(DiagnosticError) as raised:
            programs._compile_for_host(find_clang(), part, options, [])
        said.append(str([f"{d.location} {d.message} {d.notes}" for d in raised.value.diagnostics]))
    assert said[0] == said[1]
    assert "nothing" in said[0]
    assert calls == ["write", "behind", "read", "read"]
