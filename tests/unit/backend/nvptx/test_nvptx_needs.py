# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chips and PTX versions that instructions need, compared with what LLVM selects."""

import os

import pytest
from reference import llvm_tool

from tests.support import processes
from tests.support.some_cases import each
from tools.generate_nvptx_needs import TABLE, blocks
from xgpu.backend.llvm_ir import translate
from xgpu.backend.llvm_ir.parts import Uses
from xgpu.backend.nvptx.compiler import CHIPS, compile_to_ptx
from xgpu.backend.nvptx.needs import is_known, needed_version, selected
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.syntax import parse_module

LLC = llvm_tool("llc")

CALLS = {
    "ff.to.e4m3x2.rn": "i16 (float 1.0, float 2.0)",
    "e5m2x2.to.f16x2.rn": "<2 x half> (i16 0)",
    "f2tf32.rna": "i32 (float 1.0)",
    "f2tf32.rn": "i32 (float 1.0)",
    "cp.async.wait.all": "void ()",
    "cp.async.bulk.wait.group": "void (i32 0)",
    "mbarrier.init": "void (ptr null, i32 1)",
    "wgmma.fence.sync.aligned": "void ()",
    "tcgen05.wait.ld": "void ()",
    "setmaxnreg.inc.sync.aligned.u32": "void (i32 96)",
    "redux.sync.add": "i32 (i32 1, i32 -1)",
    "barrier.cluster.arrive": "void ()",
    "read.ptx.sreg.clusterid.x": "i32 ()",
    "griddepcontrol.wait": "void ()",
    "elect.sync": "{ i32, i1 } (i32 -1)",
    "nanosleep": "void (i32 5)",
}


def uses(name):
    return Uses(intrinsics=[f"llvm.nvvm.{name}"])


PLACES = ("sm_70", "sm_75", "sm_80", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a")


def module(name):
    result, _, arguments = CALLS[name].partition(" (")
    call = f"call {result} @llvm.nvvm.{name}({arguments}"
    if result == "void":
        return f"define void @f() {{\n  {call}\n  ret void\n}}\n"
    # What nothing uses is not selected.
    return f"define {result} @f() {{\n  %r = {call}\n  ret {result} %r\n}}\n"


@pytest.mark.skipif(LLC is None, reason="needs llc 22 (Debian: llvm-22)")
@pytest.mark.parametrize("name", each(CALLS, 6))
def test_what_is_accepted_is_what_llvm_selects(name):
    text = module(name)
    for chip in PLACES:
        try:
            version = max(CHIPS[chip], needed_version(uses(name), chip))
        except DiagnosticError:
            version = None
        with_version = f"-mattr=+ptx{version or 86}"
        command = [LLC, "-O0", "-mtriple=nvptx64", f"-mcpu={chip}", with_version, "-o", "/dev/null"]
        done = processes.run(command, input=text, capture_output=True, text=True)
        assert (done.returncode == 0) == (version is not None), (chip, done.stderr[:200])


def test_the_table_is_as_its_generator_writes_it():
    table = {
        name: {f"sm_{chip}": version for chip, version in chips.items()}
        for name, chips in selected().items()
    }
    assert TABLE.read_text() == "".join(blocks(table))


def ptx(name, chip):
    return compile_to_ptx(module(name), chip=chip, uses=uses(name))


def test_the_version_rises_with_the_instruction():
    assert CHIPS["sm_90"] == 78
    assert ".version 8.0" in ptx("cp.async.bulk.wait.group", "sm_90")
    assert ".version 8.1" in ptx("ff.to.e4m3x2.rn", "sm_89")


def test_inline_assembly_raises_the_version():
    text = """llvm.func @f() {
      llvm.inline_asm has_side_effects "elect.sync _|p, 0;", "" : () -> ()
      llvm.return
    }"""
    found = Uses()
    translate(parse_module(text), uses=found)
    assert found.assembly == {"elect.sync _|p, 0;"}
    assert needed_version(found, "sm_90") == 80
    assert needed_version(found, "sm_70") == 0  # the assembler's to refuse


def test_a_chip_without_the_instruction_is_named():
    with pytest.raises(DiagnosticError, match=r"elect\.sync' needs sm_90 or newer"):
        ptx("elect.sync", "sm_80")
    with pytest.raises(DiagnosticError, match="a chip like sm_90a"):
        ptx("wgmma.fence.sync.aligned", "sm_90")


@pytest.mark.parametrize(
    ("name", "without", "least", "version"),
    [
        ("ldmatrix.sync.aligned.m8n8.x1.b16", "sm_70", "sm_75", 65),
        ("cp.async.wait.all", "sm_75", "sm_80", 70),
        ("mbarrier.init", "sm_75", "sm_80", 70),
        ("redux.sync.add", "sm_75", "sm_80", 70),
        ("mma.m16n8k16.row.col.f16.f16", "sm_75", "sm_80", 70),
        ("f2tf32.rna", "sm_75", "sm_80", 70),
        ("f2tf32.rn", "sm_89", "sm_90", 78),
        ("ff.to.e4m3x2.rn", "sm_86", "sm_89", 81),
        ("cp.async.bulk.wait.group", "sm_89", "sm_90", 80),
        ("barrier.cluster.arrive", "sm_89", "sm_90", 78),
        ("fence.proxy.tensormap_generic.acquire.gpu", "sm_89", "sm_90", 83),
        ("stmatrix.sync.aligned.m8n8.x1.b16", "sm_89", "sm_90", 78),
        ("wgmma.fence.sync.aligned", "sm_100a", "sm_90a", 0),
        ("tcgen05.wait.ld", "sm_120a", "sm_100a", 0),
        ("setmaxnreg.inc.sync.aligned.u32", "sm_90", "sm_90a", 0),
        ("ff.to.ue8m0x2.rz", "sm_100", "sm_100a", 0),
    ],
)
def test_the_least_chip_and_version(name, without, least, version):
    assert needed_version(uses(name), least) == version
    with pytest.raises(DiagnosticError, match=f"not chip '{without}'"):
        needed_version(uses(name), without)


@pytest.mark.parametrize(
    "name",
    [
        "read.ptx.sreg.tid.x", "read.ptx.sreg.nctaid.z", "read.ptx.sreg.laneid",
        "barrier.cta.sync.aligned.all", "shfl.sync.bfly.f32", "vote.ballot.sync",
        "ldmatrix.sync.aligned.m8n8.x4.b16", "ldmatrix.sync.aligned.m8n8.x4.b16.p3",
        "wmma.m16n16k16.load.a.row.stride.f16",
    ],
)  # fmt: skip
def test_what_most_kernels_have_is_known(name):
    assert is_known(f"llvm.nvvm.{name}")


def test_a_kernel_of_what_is_known_needs_no_other_process(monkeypatch):
    def fork():
        raise AssertionError

    monkeypatch.setattr(os, "fork", fork)
    text = """define i32 @f() {
      %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      ret i32 %x
    }"""
    names = ("read.ptx.sreg.tid.x", "barrier.cta.sync.aligned.all")
    known = Uses(intrinsics=[f"llvm.nvvm.{name}" for name in names])
    assert "%tid.x" in compile_to_ptx(text, chip="sm_80", uses=known)
    with pytest.raises(AssertionError):
        compile_to_ptx(text, chip="sm_80", uses=Uses(intrinsics=["llvm.nvvm.unknown"]))
