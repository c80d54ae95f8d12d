# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that launch a graph, called again: the driver gets what the arguments say."""

from __future__ import annotations

import ctypes
import threading

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from cuda.bindings import driver as real

import xgpu
from xgpu.core.ir.errors import DeviceError
from xgpu.runtime.cuda.graph_nodes import KernelNode

PARAMETERS = KernelNode.parameters.offset
PROGRAM = """
module attributes {gpu.container_module} {
  gpu.module @m { gpu.func @k(%a: memref<?xf32>, %s: i64) kernel { gpu.return } }
  func.func @f(%a: memref<?xf32>, %s: i64) {
    %c1 = arith.constant 1 : index
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<?xf32>, %s : i64)
    %t2 = gpu.launch_func async [%t1] @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<?xf32>, %s : i64)
    gpu.wait [%t2]
    return
  }
}
"""


@pytest.fixture
def program(current_cuda):
    return xgpu.load(PROGRAM, "cuda:1", chip="sm_90", pipeline="async-mode=graph")


def told(driver, call):
    driver.recorder.calls.clear()
    call()
    return _without_wait([name for name in driver.names() if name != "cuGetProcAddress"])


def _without_wait(names):
    """A graph may still run when it is asked for: the call then asks again, and waits at last."""
    if names[-1:] == ["cuStreamSynchronize"]:
        names = names[:-1]
    while names[-2:] == ["cuStreamQuery", "cuStreamQuery"]:
        names = names[:-1]
    return names


AGAIN = ["cuGraphLaunch", "cuStreamQuery"]


def test_a_call_like_the_one_before_is_a_launch(driver, program):
    f, a = program.functions["f"], xgpu.empty(8, "float32", "cuda:1")
    for _ in range(3):
        f(a, 1)
    assert told(driver, lambda: f(a, 1)) == AGAIN


def test_other_arguments_set_the_nodes(driver, program):
    f = program.functions["f"]
    a, b = (xgpu.empty(8, "float32", "cuda:1") for _ in range(2))
    for arguments in ((b, 1), (a, 2), (xgpu.empty(4, "float32", "cuda:1"), 1)):
        for _ in range(3):
            f(a, 1)
        assert told(driver, lambda: f(a, 1)) == AGAIN
        for given in (arguments, (a, 1)):  # there and back
            names = told(driver, lambda given=given: f(*given))
            assert names.count("cuGraphExecKernelNodeSetParams") == 2, given
            assert names.count("cuGraphLaunch") == 1


def test_another_array_in_the_same_place_is_the_same(driver, program):
    f, a = program.functions["f"], xgpu.empty(8, "float32", "cuda:1")
    for _ in range(3):
        f(a, 1)
    same = xgpu.asarray(a, "cuda:1")
    assert same.address == a.address
    assert told(driver, lambda: f(same, 1))[-1:] == ["cuStreamQuery"]


def test_what_is_wrong_with_arguments_is_said_as_ever(program):
    f, a = program.functions["f"], xgpu.empty(8, "float32", "cuda:1")
    for _ in range(3):
        f(a, 1)
    with pytest.raises(TypeError, match="function 'f' takes 2 arguments"):
        f(a)
    with pytest.raises(TypeError, match="float64"):
        f(xgpu.empty(8, "float64", "cuda:1"), 1)


def test_a_graph_that_still_runs_is_waited_for(driver, program):
    f, a = program.functions["f"], xgpu.empty(8, "float32", "cuda:1")
    for _ in range(3):
        f(a, 1)
    driver.recorder.failures["cuStreamQuery"] = real.CUresult.CUDA_ERROR_NOT_READY
    driver.recorder.calls.clear()
    f(a, 1)
    assert driver.names()[0] == "cuGraphLaunch"
    assert driver.names()[-1] == "cuStreamSynchronize"


def test_an_error_has_the_words_of_the_driver(driver, program):
    f, a = program.functions["f"], xgpu.empty(8, "float32", "cuda:1")
    for _ in range(3):
        f(a, 1)
    driver.recorder.failures["cuGraphLaunch"] = real.CUresult.CUDA_ERROR_INVALID_VALUE
    with pytest.raises(
        DeviceError, match="launching a graph: cuGraphLaunch failed with CUDA_ERROR"
    ):
        f(a, 1)
    driver.recorder.failures.clear()
    f(a, 1)


def test_a_module_that_is_closed_launches_nothing(driver, program):
    f, a = program.functions["f"], xgpu.empty(8, "float32", "cuda:1")
    for _ in range(3):
        f(a, 1)
    program.close()
    driver.recorder.calls.clear()
    with pytest.raises(ValueError, match="the module is closed"):
        f(a, 1)
    assert "cuGraphLaunch" not in driver.names()


def test_a_profile_sees_the_calls(program):
    f, a = program.functions["f"], xgpu.empty(8, "float32", "cuda:1")
    for _ in range(3):
        f(a, 1)
    with xgpu.profile() as p:
        f(a, 1)
        f(a, 1)
    assert {row.name: row.calls for row in p.rows}["graph"] == 2


def test_another_context_is_current_again_afterwards(driver, program, current_cuda):
    f, a = program.functions["f"], xgpu.empty(8, "float32", "cuda:1")
    for _ in range(3):
        f(a, 1)
    other = int(driver.cuDevicePrimaryCtxRetain(0)[1])
    driver.cuCtxSetCurrent(other)
    assert told(driver, lambda: f(a, 1)).count("cuGraphLaunch") == 1
    assert int(driver.cuCtxGetCurrent()[1]) == other
    driver.cuCtxSetCurrent(current_cuda.device.context)
    driver.cuDevicePrimaryCtxRelease(0)


def test_threads_with_other_arguments(driver, program):
    """Each launch finds the nodes as its own arguments say."""
    f = program.functions["f"]
    arrays = [xgpu.empty(8, "float32", "cuda:1") for _ in range(2)]
    words: dict[int, int] = {}
    launched: list[tuple[int, ...]] = []

    def changed(executable, node, params):
        pointers = ctypes.c_uint64.from_address(params + PARAMETERS).value
        first = ctypes.c_uint64.from_address(pointers).value
        words[node] = ctypes.c_uint64.from_address(first).value

    observers = driver.recorder.observers
    observers["cuGraphExecKernelNodeSetParams"] = changed
    observers["cuGraphLaunch"] = lambda executable, stream: launched.append(tuple(words.values()))
    context = int(driver.cuCtxGetCurrent()[1])
    for array in (*arrays, *arrays):
        f(array, 1)
    launched.clear()

    def work(array):
        driver.cuCtxSetCurrent(context)
        for _ in range(60):
            f(array, 1)

    threads = [threading.Thread(target=work, args=(array,)) for array in arrays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert len(launched) == 120
    for array in arrays:
        assert launched.count((array.address,) * 2) == 60
