# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Beside PyTorch, in several threads, on a second GPU."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import xgpu
from tests.support.cuda_programs import PROGRAMS
from tests.support.gpu_kernels import FILL

pytestmark = pytest.mark.gpu


def torch_with_cuda():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("needs PyTorch with CUDA")
    return torch


def test_torch_tensors() -> None:
    torch = torch_with_cuda()
    tensor = torch.zeros(1000, dtype=torch.int32, device="cuda")
    xgpu.load(FILL, "cuda").kernels["iota"][4, 256](tensor, 3)
    assert torch.equal(tensor.cpu(), torch.arange(3, 1003, dtype=torch.int32))
    back = torch.from_dlpack(xgpu.asarray(tensor, "cuda"))
    assert back.data_ptr() == tensor.data_ptr()
    assert torch.cuda.current_device() == 0
    assert int((tensor + 1).sum()) == sum(range(4, 1004))


class Theirs:
    def __init__(self, stream) -> None:
        self.stream = stream

    def __cuda_stream__(self) -> tuple[int, int]:
        return (0, self.stream.cuda_stream)


@pytest.mark.parametrize("default", [False, True])
def test_streams_of_torch(default: bool) -> None:
    """Their default stream has the handle 0."""
    torch = torch_with_cuda()
    stream = torch.cuda.default_stream() if default else torch.cuda.Stream()
    tensor = torch.zeros(1 << 20, dtype=torch.int32, device="cuda")
    torch.cuda.synchronize()
    iota = xgpu.load(FILL, "cuda").kernels["iota"]
    with torch.cuda.stream(stream):
        for i in range(10):
            iota[4096, 256, Theirs(stream)](tensor, i)
            tensor += 1
    stream.synchronize()
    assert int(tensor[0]) == 10


def test_two_threads() -> None:
    iota = xgpu.load(FILL, "cuda").kernels["iota"]
    problems: list[str] = []

    def work(number: int) -> None:
        stream = xgpu.Stream("cuda")
        for i in range(200):
            array = xgpu.empty(4096, "int32", "cuda")
            iota[16, 256, stream](array, number * 1000 + i)
            stream.synchronize()
            if array.numpy()[-1] != number * 1000 + i + 4095:
                problems.append(f"thread {number}, turn {i}")

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []


def test_a_second_gpu() -> None:
    from xgpu.runtime.cuda.driver import load_driver

    if load_driver().call("cuDeviceGetCount") < 2:
        pytest.skip("needs two GPUs")
    first, second = (xgpu.zeros(1000, "int32", f"cuda:{n}") for n in range(2))
    for number, array in enumerate((first, second)):
        xgpu.load(FILL, f"cuda:{number}").kernels["iota"][4, 256](array, number)
    assert np.array_equal(second.numpy(), np.arange(1, 1001))
    first.copy_from(second)
    assert np.array_equal(first.numpy(), np.arange(1, 1001))


def test_a_program_on_two_gpus() -> None:
    """Its launches after the first on each go without Python."""
    from xgpu.runtime.cuda.driver import load_driver

    if load_driver().call("cuDeviceGetCount") < 2:
        pytest.skip("needs two GPUs")
    program = xgpu.load(PROGRAMS["devices"][0], "cuda")
    for _ in range(20):
        program.functions["main"]()
