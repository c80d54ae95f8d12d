# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules that one thread closes while others use them: who is in a launch finishes it, and all
others get an error: the module is closed.
"""

from __future__ import annotations

import gc
import os
import threading
import time

import numpy as np
import pytest

import xgpu
from tests.support import processes
from tests.unit.api.conftest import ADD

KERNELS = """
gpu.module @kernels {
  gpu.func @two(%a: memref<?xf32>, %b: memref<?xf32>, %n: i32) kernel { gpu.return }
}
"""


class Foreign:
    """An array of another library."""

    def __init__(self, array):
        self._array = array

    @property
    def __cuda_array_interface__(self):
        return self._array.__cuda_array_interface__


def _arrays():
    a = xgpu.empty(8, "float32", "cuda:1")
    return lambda n: (a, a, n % 100)


def _foreign():
    a = xgpu.empty(8, "float32", "cuda:1")
    return lambda n: (Foreign(a), Foreign(a), n % 100)


#: Arguments, and more of a launch: of our arrays and others, and clusters.
WAYS = {
    "arrays": (_arrays, {}),
    "foreign": (_foreign, {}),
    "cluster": (_foreign, {"cluster": 16}),
}


@pytest.fixture
def slow(driver, monkeypatch):
    """The driver takes its time with a launch before it looks at the kernel."""
    from xgpu.api import views

    monkeypatch.setattr(views, "_cuda_device", lambda address: "cuda:1")
    inside = threading.Event()

    def wait(*given):
        inside.set()
        time.sleep(0.005)

    driver.recorder.observers["cuLaunchKernelEx"] = wait
    return inside


def _launching(launch, arguments):
    """A thread that launches until it is stopped, its errors, and how often it did."""
    heard = []
    count = [0]

    def work():
        try:
            while True:
                launch(*arguments(count[0]))
                count[0] += 1
        except Exception as problem:
            heard.append(problem)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread, heard, count


def _until_three(thread, heard, count):
    """Wait until a thread has launched three times."""
    while count[0] < 3:
        assert thread.is_alive(), heard
        time.sleep(0.001)


@pytest.mark.parametrize("way", WAYS)
def test_launches_and_the_end_of_a_module(current_cuda, driver, slow, way):
    made, more = WAYS[way]
    for _ in range(5):
        module = xgpu.load(KERNELS, "cuda:1", chip="sm_90")
        launch = module.kernels["two"].launch(
            grid=16, block=32, stream=xgpu.Stream("cuda:1"), **more
        )
        thread, heard, count = _launching(launch, made())
        _until_three(thread, heard, count)
        slow.clear()
        assert slow.wait(300)  # a launch is under way
        module.close()
        thread.join(300)
        assert not thread.is_alive()
        assert [type(problem) for problem in heard] == [ValueError]
        assert "the module is closed" in str(heard[0])
        assert driver.violations == []
    names = driver.names()
    assert names.count("cuModuleUnload") == 5


def test_a_launch_that_looked_before_the_end(current_cuda, driver):
    """Between the look whether a module is closed and the launch, it is."""
    pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")
    module = xgpu.load(KERNELS, "cuda:1", chip="sm_90")
    launch = module.kernels["two"][1, 32, xgpu.Stream("cuda:1")]
    arguments = _arrays()
    for n in range(3):
        launch(*arguments(n))
    assert launch._free[0].direct is not None
    module.close()
    assert launch._free[0].direct is None
    before = len(driver.names())
    launch._loaded.closed = False  # as the thread saw it
    with pytest.raises(ValueError, match="the module is closed"):
        launch(*arguments(5))
    assert "cuLaunchKernelEx" not in driver.names()[before:]


def test_what_a_closed_module_says_of_its_kernels(cuda, driver):
    module = xgpu.load(KERNELS, "cuda:1", chip="sm_90")
    kernel = module.kernels["two"]
    assert kernel.function
    module.close()
    for ask in (
        lambda: kernel.registers, lambda: kernel.largest_block, lambda: kernel.occupancy(32),
        lambda: kernel.function,
    ):  # fmt: skip
        with pytest.raises(ValueError, match="the module is closed"):
            ask()


def test_the_end_of_a_module_that_its_own_launch_asks_for():
    """What an argument does when it is asked may be to close the module: nobody waits for that."""
    own = xgpu.load(ADD, "host")
    x = np.ones(4, np.float32)

    class Closing:
        @property
        def __array_interface__(self):
            own.close()
            return x.__array_interface__

    with pytest.raises(ValueError, match="the module is closed"):
        own.kernels["add"][1, 4](Closing(), x, x, 4)


@pytest.mark.parametrize("streams", [False, True])
def test_the_end_of_a_module_on_the_host_device(streams):
    for _ in range(5):
        module = xgpu.load(ADD, "host")
        stream = xgpu.Stream("host") if streams else None
        x, out = np.ones(4096, np.float32), np.zeros(4096, np.float32)
        launch = module.kernels["add"][16, 256, stream]
        arguments = (x, x, out, 4096)
        threads = [_launching(launch, lambda n, a=arguments: a) for _ in range(2)]
        for running in threads:
            _until_three(*running)
        module.close()
        for thread, heard, _ in threads:
            thread.join(300)
            assert not thread.is_alive()
            assert [type(p) for p in heard] == [ValueError]
            assert "the module is closed" in str(heard[0])
        if stream is not None:
            stream.synchronize()
        assert (out == 2).all()


def test_ctrl_c_while_a_module_waits_for_its_launches(cuda, driver, monkeypatch):
    """It is closed then, and unloaded by who next asks for something."""
    from xgpu.runtime.cuda import modules

    module = xgpu.load(KERNELS, "cuda:1", chip="sm_90")
    kernel = module.kernels["two"]
    inside = cuda._gate(kernel.function)._threads
    inside.append(0)  # a thread that is not here

    def interrupt(seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(modules.time, "sleep", interrupt)
    with pytest.raises(KeyboardInterrupt):
        module.close()
    monkeypatch.undo()
    with pytest.raises(ValueError, match="the module is closed"):
        kernel[1, 32](xgpu.Stream, xgpu.Stream, 1)
    inside.clear()
    assert "cuModuleUnload" not in driver.names()
    xgpu.empty(8, "float32", "cuda:1")
    assert driver.names().count("cuModuleUnload") == 1


class Entrant:
    thread = 0
    direct = None


@pytest.mark.parametrize("way", ["context", "entrant"])
def test_who_closes_a_gate_waits_until_all_are_out(way):
    from xgpu.runtime.cuda.modules import Gate

    gate, entrant = Gate(), Entrant()
    with gate:
        gate.admit(entrant, (1,))
    assert entrant.direct == (1,)
    other = 1  # a thread that is not here

    def enter(thread):
        if way == "entrant":
            entrant.thread = thread
        else:
            gate._threads[:] = [thread] if thread else []

    enter(other)
    ended = threading.Event()
    closing = threading.Thread(target=lambda: (gate.close(), ended.set()))
    closing.start()
    assert not ended.wait(0.05)
    assert entrant.direct is None
    with pytest.raises(ValueError, match="closed"), gate:
        pass
    enter(0)
    assert ended.wait(300)
    closing.join()
    gate.close()
    enter(threading.get_ident())
    gate.close()  # the caller does not wait for itself
    child = os.fork()
    if not child:
        processes.limit_child()
        code = 1
        try:
            enter(other)
            gate.close()
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0


def test_who_is_admitted_while_the_gate_closes_stays_out():
    from xgpu.runtime.cuda.modules import Gate

    gate, entrant = Gate(), Entrant()
    with gate:
        gate.closed = True
        gate.admit(entrant, (1,))
    assert entrant.direct is None


def test_a_device_that_is_closed(cuda, driver):
    """As all are when the process ends, where others still run what they registered for that."""
    from xgpu.api.devices import registry
    from xgpu.core.ir.errors import DeviceError

    module = xgpu.load(KERNELS, "cuda:1", chip="sm_90")
    a = xgpu.zeros(8, "float32", "cuda:1")
    stream = xgpu.Stream("cuda:1")
    launches = [module.kernels["two"][1, 32], module.kernels["two"][1, 32, stream]]
    for launch in launches:
        for n in range(3):
            launch(a, a, n)
    registry.remove("cuda:1")
    before = len(driver.recorder.calls)
    for launch in launches:
        with pytest.raises(ValueError, match="the module is closed"):
            launch(a, a, 1)
    for use in (a.numpy, a.copy_from, stream.synchronize):
        with pytest.raises(DeviceError, match="cuda:1 is closed, as devices are when the process"):
            use(*[np.zeros(8, np.float32)] if use == a.copy_from else ())
    module.close()
    del a, stream, launches, launch
    assert not [name for name in driver.names()[before:] if not name.startswith("cuCtx")]


@pytest.mark.parametrize("stream", ["x", -1, 2**64, 1.0])
def test_streams_of_arrays_that_are_none(cuda, slow, stream):
    module = xgpu.load(KERNELS, "cuda:1", chip="sm_90")
    a = xgpu.zeros(8, "float32", "cuda:1")
    said = {**a.__cuda_array_interface__, "stream": stream}
    given = type("Foreign", (), {"__cuda_array_interface__": said})()
    with pytest.raises(TypeError, match="its array interface is none"):
        module.kernels["two"][1, 32](given, a, 1)


@pytest.mark.parametrize("closes", [True, False])
def test_code_of_modules_that_are_gone(closes):
    """It goes with them, where nothing but arrays of others is used too."""
    from xgpu.api.devices import registry
    from xgpu.host_device.device.modules import Kernel

    backend = registry.backend("host")

    def alive():
        gc.collect()
        backend.collect()
        return sum(isinstance(kept, Kernel) for kept in backend.device._objects.values())

    x = np.ones(4, np.float32)
    before = alive()
    for _ in range(20):
        module = xgpu.load(ADD, "host")
        module.kernels["add"][1, 4](x, x, x.copy(), 4)
        if closes:
            module.close()
    del module
    assert alive() <= before
