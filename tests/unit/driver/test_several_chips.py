# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs on several GPUs of different kinds."""

from __future__ import annotations

import contextlib
import ctypes
import re

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

import xgpu
from tests.support.cuda_programs import PROGRAMS
from tests.support.driver_bindings import DriverBindings
from tests.support.injection import installed
from xgpu.api.devices import registry
from xgpu.backend.nvptx.cubin import bundle, codes_of, is_bundle
from xgpu.core.ir.errors import DeviceError
from xgpu.tools import xgpu_runner

TEXT = PROGRAMS["devices"][0]

# The second kernel is for sm_90a alone; `which` says where it is launched.
OWN = """
module attributes {{gpu.container_module}} {{
  gpu.module @any {{
    gpu.func @plain(%a: memref<?xf32>) kernel {{ gpu.return }}
  }}
  gpu.module @new {{
    gpu.func @products(%a: memref<?xf32>) kernel {{
      nvvm.wgmma.fence.aligned
      gpu.return
    }}
  }}
  func.func @main() {{
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %a = gpu.alloc (%c1) : memref<?xf32>
    gpu.launch_func @{first} blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<?xf32>)
    gpu.set_default_device %one
    %b = gpu.alloc (%c1) : memref<?xf32>
    gpu.launch_func @{second} blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%b : memref<?xf32>)
    gpu.dealloc %a : memref<?xf32>
    gpu.dealloc %b : memref<?xf32>
    return
  }}
}}
"""


@pytest.fixture
def fake():
    """Two devices: sm_90a, and sm_80."""
    with bindings_of("sm_90a", "sm_80") as made:
        yield made


@contextlib.contextmanager
def bindings_of(*chips):
    """Devices that are these chips; the images that they load are in `images`."""
    made = DriverBindings(chips)
    made.images = []
    made.recorder.observers["cuModuleLoadDataEx"] = lambda module, image, *options: (
        made.images.append((made.current(), ctypes.string_at(image)))
    )
    with installed(made):
        made.contexts = [int(made.cuDevicePrimaryCtxRetain(n)[1]) for n in range(len(chips))]
        yield made
        for n in range(len(chips)):
            made.cuDevicePrimaryCtxRelease(n)
    assert made.violations == []


def loaded(fake):
    """The chips whose code was loaded, and on which device."""
    return [
        (fake.contexts.index(context), re.findall(rb"\.target (\w+)", image)[0].decode())
        for context, image in fake.images
    ]


def test_bundles():
    codes = {"sm_90a": b"one\n", "sm_80": b"", "sm_75": b"three"}
    image = bundle(codes)
    assert is_bundle(image)
    assert codes_of(image + b"\0") == codes
    assert not is_bundle(b"\x7fELF")


def test_each_device_gets_code_for_itself(fake):
    xgpu.run(TEXT, device="cuda", result="void")
    assert loaded(fake) == [(0, "sm_90a"), (1, "sm_80")]
    assert fake.leftovers() == {"CUmemoryPool": 2, "CUcontext": 2}


def test_the_tool_does_so_too(tmp_path, monkeypatch, capfd):
    """Also with what was kept, and not with what was kept for other devices."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("XGPU_NO_CACHE", raising=False)
    file = tmp_path / "devices.mlir"
    file.write_text(TEXT)
    for chip in ("sm_80", "sm_80", "sm_75"):
        with bindings_of("sm_90a", chip) as fake:
            tool = ["--device=cuda", "--entry-point-result=void", str(file)]
            assert xgpu_runner.main(tool) == 0
            assert loaded(fake) == [(0, "sm_90a"), (1, chip)]
    assert capfd.readouterr().err == ""


def test_a_kernel_that_one_of_them_lacks(fake):
    xgpu.run(OWN.format(first="new::@products", second="any::@plain"), device="cuda", result="void")
    assert loaded(fake) == [(0, "sm_90a"), (0, "sm_90a"), (1, "sm_80")]
    with pytest.raises(
        DeviceError,
        match="kernels are for sm_90a, and could not be compiled for sm_80, which device 1 is",
    ):
        xgpu.run(
            OWN.format(first="any::@plain", second="new::@products"), device="cuda", result="void"
        )


@pytest.fixture
def devices():
    yield
    registry.remove("cuda:0")
    registry.remove("cuda:1")


def test_modules_are_compiled_for_their_device(fake, devices, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("XGPU_NO_CACHE", raising=False)
    source = "gpu.module @m { gpu.func @k(%a: memref<?xf32>) kernel { gpu.return } }"
    texts = [xgpu.load(source, f"cuda:{n}").kernels["k"].ptx for n in (0, 1, 0)]
    assert [re.findall(r"\.target (\w+)", t)[0] for t in texts] == ["sm_90a", "sm_80", "sm_90a"]


def test_functions_that_turn_to_another_device(fake, devices):
    program = xgpu.load(OWN.format(first="new::@products", second="any::@plain"), "cuda:0")
    program.functions["main"]()
    assert loaded(fake) == [(0, "sm_90a"), (0, "sm_90a"), (1, "sm_80")]
    kernel = program.kernels["plain"]
    assert ".target sm_90a" in kernel.ptx
    kernel[1, 1](xgpu.empty(1, "float32", "cuda:0"))
    program.close()
    named = xgpu.load(TEXT, "cuda:0", chip="sm_80")
    named.functions["main"]()
    assert loaded(fake)[-2:] == [(0, "sm_80"), (1, "sm_80")]
    named.close()
