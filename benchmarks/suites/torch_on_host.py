# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin of pytest: PyTorch's tensors on the processor stand for those of a GPU.

PyTorch holds a CUDA runtime and machine code of GPUs, so it cannot make tensors for the driver of
xgpu. Triton's tests make them with `device="cuda"`, and their kernels get addresses. Here a tensor
is one of the processor, and its memory is registered with the driver when its address is asked for.
"""

from __future__ import annotations

import ctypes
import types
from bisect import bisect_left, insort
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

_driver = ctypes.CDLL("libcuda.so.1")
_word = ctypes.c_size_t


def _check(result: int, what: str) -> None:
    if result:
        raise RuntimeError(f"{what} gives the driver's result {result}")


def _begin() -> tuple[int, int]:
    """Let the device's context be current; the device's compute capability."""
    context = ctypes.c_void_p()
    _check(_driver.cuInit(0), "cuInit")
    _check(_driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0), "cuDevicePrimaryCtxRetain")
    _check(_driver.cuCtxSetCurrent(context), "cuCtxSetCurrent")
    return _attribute(75), _attribute(76)


def _attribute(number: int) -> int:
    """A CUdevice_attribute."""
    found = ctypes.c_int()
    _driver.cuDeviceGetAttribute(ctypes.byref(found), number, 0)
    return found.value


def _synchronize(*_: object) -> None:
    _check(_driver.cuCtxSynchronize(), "cuCtxSynchronize")


class _Registered:
    """Memory that the driver knows: begins, in order, and ends. PyTorch does not say when memory is
    another's, so what overlaps with a new tensor's is forgotten."""

    def __init__(self) -> None:
        self._begins: list[int] = []
        self._ends: dict[int, int] = {}

    def add(self, begin: int, size: int) -> None:
        end = begin + size
        at = max(bisect_left(self._begins, begin + 1) - 1, 0)
        known = [b for b in self._begins[at : at + 1] if b <= begin and end <= self._ends[b]]
        if known:
            return
        while at < len(self._begins) and self._begins[at] < end:
            old = self._begins[at]
            if self._ends[old] <= begin:
                at += 1
                continue
            _driver.cuMemHostUnregister(ctypes.c_void_p(old))
            del self._ends[old], self._begins[at]
        result = _driver.cuMemHostRegister_v2(ctypes.c_void_p(begin), _word(size), 0)
        _check(result, "cuMemHostRegister")
        insort(self._begins, begin)
        self._ends[begin] = end


_registered = _Registered()
#: Memory whose addresses kernels have got last. On a GPU it is given to another tensor in the order
#: of the stream; here it is free at once, when a kernel may still write there.
_used: deque[object] = deque(maxlen=64)


def _is_cuda(value: object) -> bool:
    if isinstance(value, torch.device):
        return value.type == "cuda"
    return isinstance(value, str) and value.partition(":")[0] == "cuda"


class _OnHost(TorchFunctionMode):
    """What is asked for on a GPU is made on the processor."""

    def __torch_function__(
        self, function: Callable[..., Any], kinds: object, args: Sequence[Any] = (),
        given: Mapping[str, Any] | None = None,
    ) -> Any:  # fmt: skip
        _synchronize()
        if function is torch.Tensor.data_ptr:
            storage = args[0].untyped_storage()
            if storage.nbytes():
                _registered.add(storage.data_ptr(), storage.nbytes())
                _used.append(storage)
            return function(*args)
        if function is torch.Tensor.cuda:
            return args[0]
        args = ["cpu" if _is_cuda(value) else value for value in args]
        named = {k: "cpu" if _is_cuda(v) else v for k, v in (given or {}).items()}
        return function(*args, **named)


def _install() -> None:
    capability = _begin()
    known = types.SimpleNamespace(
        name="xgpu", major=capability[0], minor=capability[1], warp_size=32,
        multi_processor_count=_attribute(16), shared_memory_per_block_optin=_attribute(97),
        max_threads_per_multi_processor=_attribute(39), regs_per_multiprocessor=_attribute(82),
    )  # fmt: skip
    cuda: Any = torch.cuda
    replaced = {
        "is_available": lambda: True, "current_device": lambda: 0, "device_count": lambda: 1,
        "get_device_capability": lambda *_: capability, "set_device": lambda *_: None,
        "get_device_name": lambda *_: known.name, "get_device_properties": lambda *_: known,
        "current_stream": lambda *_: types.SimpleNamespace(cuda_stream=0),
        "synchronize": _synchronize, "manual_seed": lambda *_: None,
        "manual_seed_all": lambda *_: None, "device": lambda *_: nullcontext(),
    }  # fmt: skip
    for name, value in replaced.items():
        setattr(cuda, name, value)
    core: Any = torch._C
    core._cuda_getCurrentRawStream = lambda *_: 0
    _OnHost().__enter__()


_install()
