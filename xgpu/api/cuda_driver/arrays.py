# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the driver: arrays, the memory of textures and surfaces.

An array is memory of the device whose address programs do not get: rows of texels without gaps.
"""

from __future__ import annotations

from xgpu.api.cuda_driver.header import ArrayDescription, ArrayDescription2D, require
from xgpu.api.cuda_driver.held import Held
from xgpu.api.cuda_driver.memory import allocate
from xgpu.api.cuda_driver.state import Context, release
from xgpu.api.cuda_driver.table import entry

#: CUarray_format: bytes of a channel.
CHANNEL_BYTES = {1: 1, 2: 2, 3: 4, 8: 1, 9: 2, 10: 4, 16: 2, 32: 4}
FLOATS = (16, 32)  # CU_AD_FORMAT_HALF and CU_AD_FORMAT_FLOAT
LAYERED, SURFACE, CUBE, GATHERED = 1, 2, 4, 8  # CUDA_ARRAY3D_*
_FLAGS = LAYERED | SURFACE | CUBE | GATHERED
_FACES = 6


class Array(Held):
    """An array of `width` by `height` by `depth` texels, of which those that it does not have are
    0; layers and faces are its depth."""

    kinds = ("CUarray",)

    def __init__(self, context: Context, given: ArrayDescription) -> None:
        self.context = context
        self.description = ArrayDescription.from_buffer_copy(given)
        self.texel_bytes = CHANNEL_BYTES[given.format] * given.channels
        self.row = given.width * self.texel_bytes
        self.rows = max(given.height, 1)
        self.slices = max(given.depth, 1)
        self.memory = allocate(context, self.row * self.rows * self.slices, "array")

    @property
    def address(self) -> int:
        return self.memory.address

    def place(self, x: int, y: int, z: int, width: int, height: int, depth: int) -> int:
        """The address of a box of so many bytes, rows and slices. Raises `Refused` where it leaves
        the array."""
        require(
            x + width <= self.row and y + height <= self.rows and z + depth <= self.slices,
            f"{width} bytes by {height} by {depth} at {x}, {y}, {z} leave an array of {self.row} "
            f"bytes by {self.rows} by {self.slices}",
        )
        return self.address + (z * self.rows + y) * self.row + x

    def destroy(self) -> None:
        release(self.memory)


def _made(context: Context, given: ArrayDescription) -> int:
    width, height, depth, flags = given.width, given.height, given.depth, given.flags
    require(width, "an array without texels")
    require(given.format in CHANNEL_BYTES, f"the format {given.format}")
    require(given.channels in (1, 2, 4), f"{given.channels} channels")
    require(flags & ~_FLAGS == 0, f"flags are {flags}")
    if flags & CUBE:
        faces = depth % _FACES == 0 if flags & LAYERED else depth == _FACES
        require(width == height and depth and faces, "a cube has six square faces")
    elif flags & LAYERED:
        require(depth, "an array of no layers")
    else:
        require(height or not depth, "an array of slices without rows")
    require(not flags & GATHERED or height, "texels are gathered from rows")
    return context.own(Array(context, given))


@entry(
    "cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *description)", since=2000, v2=3020
)
def create(context: Context, given: ArrayDescription2D) -> int:
    return _made(
        context,
        ArrayDescription(
            width=given.width, height=given.height, format=given.format, channels=given.channels
        ),
    )


@entry(
    "cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *description)",
    since=2000,
    v2=3020,
)
def create_3d(context: Context, given: ArrayDescription) -> int:
    return _made(context, given)


@entry(
    "cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *description, CUarray array)", since=2000, v2=3020
)
def description(context: Context, into: ArrayDescription2D, array: Array) -> None:
    known = array.description
    into.width, into.height = known.width, known.height
    into.format, into.channels = known.format, known.channels


@entry(
    "cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *description, CUarray array)",
    since=2000,
    v2=3020,
)
def description_3d(context: Context, into: ArrayDescription, array: Array) -> None:
    known = array.description
    for name in ("width", "height", "depth", "format", "channels", "flags"):
        setattr(into, name, getattr(known, name))


@entry("cuArrayDestroy(CUarray array)", since=2000)
def destroy(context: Context, array: Array) -> None:
    array.context.disown(array)
    array.destroy()


def array_of(context: Context, handle: int) -> Array:
    """The array that a structure names. Raises `Refused`."""
    require(handle, "an array is null")
    return context.driver.find(handle, Array)
