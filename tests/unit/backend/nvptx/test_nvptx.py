# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX: chips and versions agree with llvmlite, errors come before LLVM can stop the process."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.support.some_cases import each
from xgpu.backend.llvm_ir.parts import Uses
from xgpu.backend.nvptx import compiler as nvptx
from xgpu.backend.nvptx import cubin
from xgpu.core.ir.errors import DiagnosticError

KERNEL = "define ptx_kernel void @k(ptr %p) {\n  store i32 3, ptr %p\n  ret void\n}\n"
MATH = (
    "declare float @__nv_expf(float)\n"
    "define ptx_kernel void @k(ptr %p, float %x) {\n"
    "  %1 = call float @__nv_expf(float %x)\n  store float %1, ptr %p\n  ret void\n}\n"
)


@pytest.mark.parametrize("chip", each(nvptx.CHIPS, 4))
def test_chips_are_llvms(chip: str) -> None:
    ptx = nvptx.compile_to_ptx(KERNEL, chip=chip)
    version = re.search(r"\.version (\d+)\.(\d+)", ptx)
    assert version is not None
    assert int(version[1]) * 10 + int(version[2]) == nvptx.CHIPS[chip]
    assert f".target {chip}\n" in ptx


def test_version_is_the_least_that_chip_and_features_need() -> None:
    assert nvptx.ptx_version("sm_80", "+ptx60") == 70
    assert nvptx.ptx_version("sm_80", "+ptx76") == 76
    assert nvptx.ptx_version("sm_90a") == 80


@pytest.mark.parametrize(
    ("chip", "features", "message"),
    [
        ("sm_999", "", "unknown chip 'sm_999', expected one of: sm_20"),
        ("", "", "unknown chip ''"),
        ("sm_80", "+ptx99", "PTX version 9.9 is not known"),
    ],
)
def test_bad_targets(chip: str, features: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=message):
        nvptx.ptx_version(chip, features)


def test_default_chip_follows_the_assembler(monkeypatch: pytest.MonkeyPatch) -> None:
    for version, chip in ((None, "sm_75"), (70, "sm_80"), (80, "sm_90"), (90, "sm_121")):
        monkeypatch.setattr(cubin, "assembler_ptx_version", lambda v=version: v)
        assert nvptx.default_chip() == chip


def test_missing_libdevice_names_the_remedies() -> None:
    with pytest.raises(DiagnosticError, match=r"__nv_expf is defined by libdevice.*nvidia-nvvm"):
        nvptx.compile_to_ptx(MATH, chip="sm_80", libraries=nvptx.Libraries(required=True))


def test_libdevice_is_linked_and_inlined() -> None:
    path = nvptx.libdevice_path()
    if path is None:
        pytest.skip("no libdevice")
    ptx = nvptx.compile_to_ptx(MATH, chip="sm_80", libraries=nvptx.Libraries(libdevice=path))
    assert "ex2.approx" in ptx
    assert "__nv_" not in ptx


def test_libdevice_is_read_once_for_the_same_functions(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / "library.ll"
    library.write_text(
        "define float @__nv_expf(float %x) {\n  %y = call float @helper(float %x)\n"
        "  ret float %y\n}\n"
        "define float @helper(float %x) {\n  %y = fadd float %x, 1.0\n  ret float %y\n}\n"
        "define float @__nv_other(float %x) {\n  ret float %x\n}\n"
    )
    read: list[object] = []
    load = nvptx._load
    monkeypatch.setattr(nvptx, "_load", lambda s, at: read.append(s) or load(s, at))
    libraries = nvptx.Libraries(libdevice=str(library))
    # Known uses: the work is done in this process, which remembers what it has read.
    first = nvptx.compile_to_ptx(MATH, chip="sm_80", uses=Uses(), libraries=libraries)
    assert nvptx.compile_to_ptx(MATH, chip="sm_80", uses=Uses(), libraries=libraries) == first
    assert "add.rn.f32" in first
    assert "__nv_" not in first
    assert read.count(str(library)) == 1


def test_call_sites_are_numbered_from_zero() -> None:
    text = (
        "declare void @f(i32)\ndefine ptx_kernel void @k() {\n  call void @f(i32 1)\n"
        "  ret void\n}\n"
    )
    assert nvptx.compile_to_ptx(text, chip="sm_80") == nvptx.compile_to_ptx(text, chip="sm_80")


def test_broken_llvm_ir_is_a_diagnostic() -> None:
    with pytest.raises(DiagnosticError, match="LLVM refuses the translated module"):
        nvptx.compile_to_ptx("define void @f() { ret i32 0 }", chip="sm_80")


@pytest.fixture
def ptxas(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(cubin, "nvjitlink", lambda: None)
    found = cubin.find_tool("ptxas")
    if found is None:
        pytest.skip("no ptxas")
    return found


def test_assemble(ptxas: str) -> None:
    assert cubin.assemble(nvptx.compile_to_ptx(KERNEL, chip="sm_80"), chip="sm_80")[:4] == (
        b"\x7fELF"
    )


def test_assembler_errors_carry_its_words(ptxas: str) -> None:
    with pytest.raises(DiagnosticError, match=r"`ptxas` invocation failed. Log:\n.*fatal"):
        cubin.assemble("nonsense", chip="sm_80")


def test_no_assembler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cubin, "nvjitlink", lambda: None)
    monkeypatch.setattr(cubin, "find_tool", lambda *_: None)
    with pytest.raises(DiagnosticError, match="there is no assembler for PTX"):
        cubin.assemble("", chip="sm_80")


class _Linker:
    """nvJitLink as far as its options go: of levels it takes 0 and 3, and hands others to ptxas."""

    class InputType:
        PTX = 2

    def __init__(self) -> None:
        self.flags: list[list[str]] = []

    def create(self, count: int, flags: list[str]) -> int:
        for flag in flags:
            if flag.startswith("-O") and flag not in ("-O0", "-O3"):
                raise RuntimeError("ERROR_UNRECOGNIZED_OPTION")
        self.flags.append(flags)
        return 1

    def __getattr__(self, name: str) -> object:
        return lambda *arguments: 4


@pytest.mark.parametrize(
    ("level", "flag"), [(0, "-O0"), (1, "-Xptxas=-O1"), (2, "-Xptxas=-O2"), (3, "-O3")]
)
def test_levels_of_nvjitlink(monkeypatch: pytest.MonkeyPatch, level: int, flag: str) -> None:
    library = _Linker()
    monkeypatch.setattr(cubin, "nvjitlink", lambda: library)
    assert len(cubin.assemble(".version 8.0", chip="sm_80", opt_level=level)) == 4
    assert library.flags == [["-arch=sm_80", flag]]


def test_options_that_nvjitlink_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing(_Linker):
        def create(self, count: int, flags: list[str]) -> int:
            raise RuntimeError("ERROR_UNRECOGNIZED_OPTION")

    monkeypatch.setattr(cubin, "nvjitlink", Refusing)
    with pytest.raises(DiagnosticError, match="nvJitLink refuses -arch=sm_80 -O3: ERROR_UNREC"):
        cubin.assemble("", chip="sm_80", opt_level=3)


def test_nvjitlink_itself() -> None:
    if cubin.nvjitlink() is None:
        pytest.skip("no nvJitLink")
    text = nvptx.compile_to_ptx(KERNEL, chip="sm_80")
    for level in range(4):
        assert cubin.assemble(text, chip="sm_80", opt_level=level)[:4] == b"\x7fELF"
    with pytest.raises(DiagnosticError, match=r"nvJitLink failed\. Log:\n"):
        cubin.assemble("nonsense", chip="sm_80")


@pytest.mark.parametrize(
    ("chip", "count", "version"), [("sm_90", 544, 78), ("sm_90", 545, 81), ("sm_90", 4095, 81)]
)
def test_many_parameters_take_a_newer_version(chip: str, count: int, version: int) -> None:
    """544 words of 8 bytes are what every version takes."""
    ptx = nvptx.compile_to_ptx(with_parameters(count), chip=chip)
    assert f".version {version // 10}.{version % 10}\n" in ptx


@pytest.mark.parametrize(("chip", "count", "limit"), [("sm_60", 545, 4352), ("sm_90", 4096, 32764)])
def test_too_many_parameters(chip: str, count: int, limit: int) -> None:
    with pytest.raises(DiagnosticError) as raised:
        nvptx.compile_to_ptx(with_parameters(count), chip=chip)
    assert raised.value.message == (
        f"kernel 'k' takes {8 * count} bytes of parameters, the limit on {chip} is {limit}"
    )


def test_parameters_are_counted_with_their_alignment() -> None:
    ptx = (
        ".version 7.8\n.entry k(\n.param .u8 k_0,\n.param .align 16 .b8 k_1[4320],\n"
        ".param .u64 .ptr .align 1 k_2,\n.param .u32 k_3\n)\n"
    )
    assert not nvptx.needs_newer(ptx, "sm_90")  # 16 + 4320 + 8 + 4 = 4348
    assert nvptx.needs_newer(ptx.replace("4320", "4336"), "sm_90")


def with_parameters(count: int) -> str:
    return f"define ptx_kernel void @k({', '.join(['i64'] * count)}) {{\n  ret void\n}}\n"
