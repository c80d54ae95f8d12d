# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is kept on disk: programs and code that a second process need not make again."""

from __future__ import annotations

import os
import sys

import pytest

import xgpu
from tests.support import processes

PROGRAM = """
import sys
import numpy as np
import xgpu

module = xgpu.load('''
module attributes {gpu.container_module} {
  func.func @f(%a: memref<4xf32>) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = gpu.wait async
    %w = gpu.launch_func async [%t] @k::@k blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%a : memref<4xf32>)
    gpu.wait [%w]
    %r = memref.load %a[%c1] : memref<4xf32>
    return %r : f32
  }
  gpu.module @k { gpu.func @k(%a: memref<4xf32>) kernel {
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : memref<4xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %a[%i] : memref<4xf32>
    gpu.return
  } }
}
''', "host", opt_level=int(sys.argv[1]))
a = np.float32([1, 3, 5, 7])
print(module.functions["f"](a), a.tolist())
module.kernels["k"][1, 4](a)
print(a.tolist(), "xgpu.core.syntax.parser" in sys.modules)
print({k: n for k, (n, _) in xgpu.cache.info().kinds.items() if k in ("module", "kernels")})
"""


@pytest.fixture
def run(tmp_path):
    processes.cache_with_libraries(tmp_path)

    def once(level="2", **environment):
        environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), **environment}
        command = [sys.executable, "-c", PROGRAM, level]
        done = processes.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    return once


def test_a_second_process_compiles_nothing(run, tmp_path, monkeypatch):
    first, second = run(), run()
    assert first[:1] == second[:1] == ["9.0 [1.0, 9.0, 25.0, 49.0]"]
    assert first[1] == "[1.0, 81.0, 625.0, 2401.0] True"
    assert second[1] == "[1.0, 81.0, 625.0, 2401.0] False"
    assert first[2] == second[2]
    assert run("1")[1].endswith("True")  # other options, another program
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    info = xgpu.cache.info()
    assert info.kinds["module"][0] == 2
    assert info.files == sum(files for files, _ in info.kinds.values())
    assert info.bytes == sum(p.stat().st_size for p in (tmp_path / "xgpu").iterdir())
    assert repr(info).startswith(f"{tmp_path}/xgpu: {info.files} files")
    assert xgpu.cache.clear("module") == 2
    assert "module" not in xgpu.cache.info().kinds
    assert xgpu.cache.clear() == info.files - 2
    assert xgpu.cache.info().files == 0


def test_without_a_cache(run):
    assert run("0", XGPU_NO_CACHE="1")[2] == "{}"


def test_importing_loads_nothing_heavy():
    heavy = ("xdsl", "numpy", "llvmlite", "inspect", "dataclasses")
    code = f"import sys\nsys.path[:0] = {sys.path!r}\nimport xgpu\n"
    code += f"print([m for m in {heavy!r} if m in sys.modules])\n"
    # A CUDA program that is cached needs no IR.
    code += "import xgpu.tools.xgpu_cuda, xgpu.api.cuda_program\n"
    code += "print([m for m in ('xdsl.ir', 'llvmlite', 'numpy') if m in sys.modules])"
    command = [sys.executable, "-S", "-c", code]
    done = processes.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n[]\n"


IMPORTING = """
import sys, typing
calls = 0

def count(frame, event, argument):
    global calls
    calls += event in ("call", "c_call")

sys.setprofile(count)
import xgpu
sys.setprofile(None)
print(calls)
"""


def test_importing_takes_no_time():
    """Some 2 ms: 8,400 calls of functions of Python and C, most of them importlib's."""
    done = processes.run(
        [sys.executable, "-c", IMPORTING], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 12_000


TILED = """
import gc, sys
import llvmlite.binding, numpy, xgpu
import xgpu.api.devices.DEVICE, xgpu.api.modules, xgpu.host_device.native.signals
import xgpu.host_device.native.library, xgpu.host_device.device.device
from pathlib import Path

source = Path(PATH).read_text().split('SOURCE = \"\"\"')[1].split('\"\"\"')[0]
calls = 0

def count(frame, event, argument):
    global calls
    calls += event in ("call", "c_call")

gc.disable()
sys.setprofile(count)
ACTION
sys.setprofile(None)
print(calls, *(name for name in ("xdsl.ir", "xgpu.core.passes.manager") if name in sys.modules))
"""
#: What is done, and how many functions of Python and C may be called for it.
ACTIONS = {
    # The object, loaded into the process: a kernel that can be launched.
    "host": ("xgpu.load(source, 'host').kernels['matmul'].function", 10_000),
    # What the driver is given; no GPU is asked.
    "cuda": (
        "from xgpu.api import build\n"
        "options = build.Options(chip='sm_90', format='isa')\n"
        "image = build.build(source, '-', options, CHIP).images\n"
        "assert b'matmul' in next(iter(image.values()))",
        5000,
    ),
}


@pytest.mark.parametrize("device", ACTIONS)
def test_a_second_process_has_the_tiled_product_at_once(device, tmp_path, monkeypatch):
    """Some thousand calls after imports, and nothing of the compiler; a first process makes some
    hundred thousand."""
    processes.cache_with_libraries(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = os.path.join(os.path.dirname(__file__), "../../../examples/python/matmul_tiled.py")
    action, most = ACTIONS[device]
    code = TILED.replace("PATH", repr(path)).replace("ACTION", action)
    code = code.replace("devices.DEVICE", f"devices.{'host' if device == 'host' else 'interface'}")

    def calls(chip):
        command = [sys.executable, "-c", code.replace("CHIP", chip)]
        return processes.run(command, check=True, capture_output=True, text=True).stdout.split()

    first, *compiler = calls("type('Any', (), {'chip': None})")
    assert compiler
    second, *compiler = calls("None")
    assert not compiler
    assert int(second) < most < int(first) / 20, (first, second)
