# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of tinygrad as kernels: the PTX of its own renderer, without a device."""

from __future__ import annotations

from typing import Any

import numpy as np
from tinygrad import Tensor, dtypes
from tinygrad.codegen import to_program
from tinygrad.engine.realize import get_call_arg_uops
from tinygrad.helpers import DEV, Target
from tinygrad.renderer.ptx import PTXRenderer
from tinygrad.uop.ops import Ops

#: The device whose buffers have no memory. Constants are on the default device.
DEVICE = "NULL"
DEV.value = DEVICE


class Step:
    """A kernel: its PTX and entry, blocks, threads, the buffers that it takes, by their keys."""

    def __init__(self, call: Any, renderer: Any) -> None:
        made = to_program(call.src[0], renderer)
        (binary,) = (part.arg for part in made.src if part.op is Ops.BINARY)
        self.text: str = binary.decode()
        self.name: str = made.arg.function_name
        grid, block = made.arg.launch_dims({})
        self.grid = tuple(int(n) for n in grid)
        self.block = tuple(int(n) for n in block or (1,))
        given = get_call_arg_uops(call)
        self.buffers = [given[at] for at in made.arg.globals]


def tensor(array: Any) -> Any:
    """A tensor without memory of an array's shape and type."""
    return Tensor.empty(*array.shape, dtype=getattr(dtypes, array.dtype.name), device=DEVICE)


def steps_of(result: Any, chip: str) -> list[Step]:
    """The kernels that compute a tensor, in order."""
    renderer = PTXRenderer(Target("CUDA", "PTX", chip))
    calls = result.schedule_linear().src
    assert all(call.src[0].op is Ops.SINK for call in calls)
    return [Step(call, renderer) for call in calls]


def key_of(tensor: Any) -> Any:
    """What stands for a tensor's memory in `Step.buffers`."""
    return tensor.uop.base


def array_of(buffer: Any) -> Any:
    """Memory for a buffer."""
    count = int(np.prod(buffer.shape))
    return np.zeros(count * buffer.dtype.itemsize, np.uint8)
