# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sides of a kernel that is screened which all lanes may take: there twice, as without checks."""

import pytest

from xgpu.host_device.compiler.compiler import host_text, to_threads
from xgpu.host_device.compiler.specialize import KernelSource
from xgpu.host_device.sanitizer.instrument.calls import Instrumentation, SiteTable
from xgpu.host_device.sanitizer.instrument.screening import Screen

_ADD = """
gpu.module @m {
  llvm.func @k(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %few = llvm.icmp "ult" %tx, %n : i32
    llvm.cond_br %few, ^inside, ^end
  ^inside:
    %from = llvm.getelementptr %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %to = llvm.getelementptr %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %v = llvm.load %from : !llvm.ptr -> f32
    llvm.store %v, %to : f32, !llvm.ptr
    llvm.br ^end
  ^end:
    llvm.return
  }
}
"""


@pytest.mark.parametrize("kinds", [(), ("memory", "init"), ("race",)])
def test_accesses_of_all_lanes_have_no_mask(kinds):
    source = KernelSource(_ADD)
    screen = Screen(Instrumentation(source.module, SiteTable()), kinds) if kinds else None
    module = source.specialized_ir("block-loops", "k", (64, 1, 1), screen=screen)
    to_threads(module)
    text = host_text(module)
    assert text.count("= load <32 x float>") == 1
    assert text.count("store <32 x float>") == 1
    assert text.count("call <32 x float> @llvm.masked.load") == 1
    assert text.count("call void @llvm.masked.store") == 1
    # Each side asks for itself.
    assert text.count("call i32 @xgpu_san_v_row(") == (4 if kinds else 0)
