# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of `host_kernels.py` in Triton's language, for its interpreter (TRITON_INTERPRET=1).

A program is a block of the others. The interpreter takes tensors of torch: `Tensor` has of one what
it asks for, so torch need not be there.
"""

from __future__ import annotations

import os

os.environ["TRITON_INTERPRET"] = "1"  # read when a kernel is declared

from typing import Any

import numpy as np
import triton
import triton.language as tl


class _Type:
    def __init__(self, name: str) -> None:
        self._name = name

    def __str__(self) -> str:
        return f"torch.{self._name}"


class _Storage:
    def __init__(self, array: Any) -> None:
        self.array = array

    def data_ptr(self) -> int:
        return self.array.ctypes.data

    def cpu(self) -> _Storage:
        return self

    def copy_(self, other: _Storage) -> None:
        """It is the same memory."""


class Tensor:
    """A NumPy array as the interpreter takes it."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array
        self.dtype = _Type(str(array.dtype))

    def data_ptr(self) -> int:
        return self.array.ctypes.data

    def untyped_storage(self) -> _Storage:
        return _Storage(self.array)

    def new_empty(self, size: int, device: str = "") -> Tensor:
        return Tensor(self.array)

    def set_(self, storage: _Storage, *view: Any) -> None:
        self.array = storage.array

    def storage_offset(self) -> int:
        return 0

    def size(self) -> tuple[int, ...]:
        return self.array.shape

    def stride(self) -> tuple[int, ...]:
        return ()

    def copy_(self, other: Tensor) -> None:
        """It is the same memory."""


@triton.jit
def _add(a, b, c, n):
    at = tl.program_id(0) * 256 + tl.arange(0, 256)
    inside = at < n
    tl.store(c + at, tl.load(a + at, inside) + tl.load(b + at, inside), inside)


@triton.jit
def _matmul(a, b, c):
    rows = tl.program_id(1) * 16 + tl.arange(0, 16)
    columns = tl.program_id(0) * 16 + tl.arange(0, 16)
    total = tl.zeros((16, 16), tl.float32)
    for k in range(0, 256, 16):
        depth = k + tl.arange(0, 16)
        left = tl.load(a + rows[:, None] * 256 + depth[None, :])
        right = tl.load(b + depth[:, None] * 256 + columns[None, :])
        total += tl.dot(left, right, input_precision="ieee")
    tl.store(c + rows[:, None] * 256 + columns[None, :], total)


@triton.jit
def _reduction(data, out):
    block = tl.program_id(0)
    tl.store(out + block, tl.sum(tl.load(data + block * 256 + tl.arange(0, 256)), 0))


@triton.jit
def _histogram(data, bins):
    start = tl.program_id(0) * 256 + tl.arange(0, 256)
    for i in range(16):
        tl.atomic_add(bins + tl.load(data + i * 65536 + start), 1)


@triton.jit
def _softmax(data, out, columns: tl.constexpr):
    for i in range(4):
        at = (tl.program_id(1) * 4 + i) * columns + tl.arange(0, columns)
        x = tl.load(data + at)
        powers = tl.exp(x - tl.max(x, 0))
        tl.store(out + at, powers / tl.sum(powers, 0))


@triton.jit
def _stencil(data, out):
    x = (tl.program_id(0) * 32 + tl.arange(0, 32))[None, :]
    y = (tl.program_id(1) * 8 + tl.arange(0, 8))[:, None]
    inside = (x > 0) & (x < 1023) & (y > 0) & (y < 1023)
    at = data + y * 1024 + x
    total = tl.load(at, inside) + tl.load(at - 1024, inside) + tl.load(at + 1024, inside)
    total += tl.load(at - 1, inside) + tl.load(at + 1, inside)
    tl.store(out + y * 1024 + x, total * 0.2, inside)


# Without the scan: in one whose programs wait for a word by atomic additions, the interpreter of
# Triton 3.9 now and then loops for ever or reads where nothing is, also where it is alone.
KERNELS: dict[str, Any] = {
    "vector add": _add,
    "matmul 256": _matmul,
    "tree reduction": _reduction,
    "histogram": _histogram,
    "softmax": _softmax,
    "stencil": _stencil,
}
