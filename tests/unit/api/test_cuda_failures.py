# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The front on a GPU, and each call of its driver failing in turn: one error, of the kinds that
`help` names, no rule of the driver broken, and what can be released is.
"""

from __future__ import annotations

import functools
import gc

import numpy as np
import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

import xgpu
from tests.support.cuda_programs import PROGRAMS
from tests.support.injection import MODES, calls_of, check_failures, first_of, installed
from xgpu.api.devices import registry
from xgpu.core.ir.errors import DeviceError
from xgpu.driver.engine import ProgramError

pytestmark = pytest.mark.sampled(2)

#: Which calls fail in the short form: one of that many.
STEP = 97

KERNELS = """
gpu.module @kernels {
  gpu.func @add(%a: memref<?xf32>, %s: f32, %n: i32) kernel { gpu.return }
}
"""

FUNCTIONS = """
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @add(%a: memref<?xf32>, %n: index) kernel { gpu.return }
  }
  func.func @made(%n: index) -> (memref<?xf32>, i64) {
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : i64
    %s = gpu.wait async
    %a, %t0 = gpu.alloc async [%s] (%n) : memref<?xf32>
    %t1 = gpu.launch_func async [%t0] @kernels::@add blocks in (%c1, %c1, %c1)
        threads in (%n, %c1, %c1) args(%a : memref<?xf32>, %n : index)
    gpu.wait [%t1]
    return %a, %c5 : memref<?xf32>, i64
  }
  func.func @after(%t: !gpu.async.token, %a: memref<?xf32>, %n: index) -> !gpu.async.token {
    %c1 = arith.constant 1 : index
    %t1 = gpu.launch_func async [%t] @kernels::@add blocks in (%c1, %c1, %c1)
        threads in (%n, %c1, %c1) args(%a : memref<?xf32>, %n : index)
    return %t1 : !gpu.async.token
  }
  func.func @pair(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
    %c1 = arith.constant 1 : index
    %s = gpu.wait async
    %t0 = gpu.launch_func async [%s] @kernels::@add blocks in (%c1, %c1, %c1)
        threads in (%n, %c1, %c1) args(%a : memref<?xf32>, %n : index)
    %t1 = gpu.memcpy async [%t0] %b, %a : memref<?xf32>, memref<?xf32>
    gpu.wait [%t1]
    return
  }
}
"""


class Foreign:
    """An array of another library on that GPU, which its stream still writes, and that stream."""

    def __init__(self, array, stream):
        self._array, self._stream = array, stream

    @property
    def __cuda_array_interface__(self):
        return {**self._array.__cuda_array_interface__, "stream": self._stream._handle}

    def __cuda_stream__(self):
        return (0, self._stream._handle)


def kernels():
    add = xgpu.load(KERNELS, "cuda:1", chip="sm_90").kernels["add"]
    a = xgpu.zeros(64, "float32", "cuda:1")
    for value in (1.0, 2.0):
        add[(2, 3), 32](a, value, 1)
    add.launch(grid=4, block=32, cluster=2)(a, 1.0, 1)
    add[1, 32, None, 100_000](a, 1.0, 1)
    a.numpy()


def arrays():
    a = xgpu.asarray(np.arange(8, dtype=np.float32), "cuda:1")
    b = xgpu.empty((2, 4), "float64", "cuda:1").fill(2.5)
    b.copy_from(np.ones((2, 4)))
    a.copy_from(xgpu.zeros(8, "float32", "cuda:1"))
    _ = a.__cuda_array_interface__
    a.numpy()
    b.numpy()


def streams():
    add = xgpu.load(KERNELS, "cuda:1", chip="sm_90").kernels["add"]
    a = xgpu.empty(64, "float32", "cuda:1")
    first, second = xgpu.Stream("cuda:1"), xgpu.Stream("cuda:1")
    begin = first.record()
    add[1, 32, first](a, 1.0, 1)
    add[1, 32, Foreign(a, first)](Foreign(a, second), 1.0, 1)
    second.wait(first)
    add[1, 32, second](a, 1.0, 1)
    end = second.record()
    assert begin.elapsed(end) > 0
    assert second.done


def functions(pipeline=""):
    program = xgpu.load(FUNCTIONS, "cuda:1", chip="sm_90", pipeline=pipeline)
    a, five = program.functions["made"](32)
    assert five == 5
    b = xgpu.zeros(32, "float32", "cuda:1")
    program.functions["after"](xgpu.Stream("cuda:1").record(), a, 32)
    for n in (32, 31, 32):
        program.functions["pair"](a, b, n)
    program.close()


def graphs():
    functions("async-mode=graph")


def profile():
    add = xgpu.load(KERNELS, "cuda:1", chip="sm_90").kernels["add"]
    a = xgpu.zeros(64, "float32", "cuda:1")
    stream = xgpu.Stream("cuda:1")
    program = xgpu.load(FUNCTIONS, "cuda:1", chip="sm_90")
    program.functions["pair"](a, a, 1)
    with xgpu.profile() as p:
        for _ in range(2):
            add[1, 32, stream](a, 1.0, 1)
        program.functions["pair"](a, a, 1)
        a.numpy()
    calls = {row.name: row.calls for row in p.rows}
    assert calls["add"] == 3
    assert calls["memcpy"] == 2
    add[1, 32, stream](a, 1.0, 1)
    stream.synchronize()
    assert len(p.events) == sum(calls.values())


def programs():
    for name in ("streams", "managed", "workers"):
        text, pipeline = PROGRAMS[name]
        program = xgpu.load(text, "cuda:1", chip="sm_90", pipeline=pipeline)
        program.functions["main"]()
        program.close()


def runs():
    for name in ("devices", "tma"):
        xgpu.run(PROGRAMS[name][0], device="cuda", result="void", opt_level=0)


SCENES = {
    f.__name__: f for f in (kernels, arrays, streams, functions, graphs, profile, programs, runs)
}


def run(name, fake):
    """What came of a scene; after it the device is not used any more."""
    problems = []
    with installed(fake):
        try:
            SCENES[name]()
        except (DeviceError, ProgramError) as raised:
            problems.append(str(raised))
        gc.collect()
        registry.remove("cuda:1")
    return problems


@pytest.fixture(autouse=True)
def pointers(monkeypatch):
    from xgpu.api import views

    monkeypatch.setattr(views, "_cuda_device", lambda address: "cuda:1")


@functools.cache
def calls(name):
    return calls_of(lambda fake: run(name, fake))


def short(name, mode):
    """What the short form has: of the scenes that take long, calls that fail once."""
    return [] if mode == "once" or name not in ("profile", "programs") else [pytest.mark.long]


@pytest.mark.parametrize(
    ("name", "mode"),
    [pytest.param(name, mode, marks=short(name, mode)) for name in SCENES for mode in MODES],
)
def test_some_calls_fail(name, mode):
    first = first_of(name + mode, STEP)
    check_failures(name, lambda fake: run(name, fake), mode, calls(name), first, STEP)


@pytest.mark.parametrize("step", [
    pytest.param(23, marks=pytest.mark.long), pytest.param(1, marks=pytest.mark.exhaustive)
])  # fmt: skip
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SCENES)
def test_more_calls_fail(name, mode, step):
    check_failures(name, lambda fake: run(name, fake), mode, calls(name), 1, step)
