# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the driver: texture and surface objects.

An object's handle is the address of a record that kernels read (`native/sources/textures.py`).
Records stay when objects are destroyed, without their mark: a kernel that uses one then fails. A
program may destroy an object as soon as a kernel is launched that reads by it. So the mark goes
when what the context's streams had at that time is done.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from xgpu.api.cuda_driver.arrays import CHANNEL_BYTES, FLOATS, SURFACE, Array, array_of
from xgpu.api.cuda_driver.copies import on_device
from xgpu.api.cuda_driver.header import (
    Refused,
    ResourceDescription,
    ResourceView,
    Result,
    TextureDescription,
    require,
)
from xgpu.api.cuda_driver.held import Held
from xgpu.api.cuda_driver.state import Context
from xgpu.api.cuda_driver.table import entry
from xgpu.host_device.abi.structs import (
    TEXTURE_ARRAY,
    TEXTURE_LINEAR_MEMORY,
    TEXTURE_MAGIC,
    TEXTURE_ROWS,
    ctypes_struct,
)

if TYPE_CHECKING:
    from xgpu.host_device.abi.record_classes import Texture

_ARRAY, _MIPMAPPED, _LINEAR, _ROWS = range(4)  # CUresourcetype
_POINT, _MIXED = 0, 1  # CUfilter_mode
_MODES = range(4)  # CUaddress_mode
# CU_TRSF_*
_INTEGERS, _NORMALIZED, _SRGB, _NO_TRILINEAR, _SEAMLESS = 1, 2, 16, 32, 64
_SMALL = 2  # bytes of the largest integers that become floats
#: CUdevice_attribute.
_ALIGNMENT, _PITCH_ALIGNMENT, _MOST_TEXELS = 14, 51, 69


class _Object(Held):
    """What a handle of kernels stands for."""

    #: Records that were destroyed, for the next objects.
    unused: list[Texture] = []

    def __init__(self, context: Context, resource: ResourceDescription) -> None:
        self.context = context
        self.resource = ResourceDescription.from_buffer_copy(resource)
        #: What keeps an array that is read.
        self.array: Array | None = None
        made = ctypes_struct("Texture")()
        self._fill(made)
        try:
            record = self.unused.pop()
        except IndexError:
            record = made
        else:
            ctypes.memmove(ctypes.addressof(record), ctypes.addressof(made), ctypes.sizeof(made))
        record.magic = TEXTURE_MAGIC
        self.record = record
        self.own_handle = ctypes.addressof(record)

    def _fill(self, record: Texture) -> None:
        """Says where the texels are. Raises `Refused`."""
        given = self.resource
        require(given.flags == 0, f"flags of a resource are {given.flags}")
        if given.kind == _ARRAY:
            array = self.array = array_of(self.context, given.words[0])
            known = array.description
            self._say(record, array.address, known.format, known.channels)
            record.width, record.height, record.depth = known.width, known.height, known.depth
            record.row, record.slice = array.row, array.row * array.rows
            record.kind = TEXTURE_ARRAY
            return
        if given.kind == _MIPMAPPED:
            raise Refused(Result.NOT_SUPPORTED, "there are no mipmapped arrays")
        require(given.kind in (_LINEAR, _ROWS), f"no kind of resource {given.kind}")
        self._fill_from_memory(record, given)

    def _fill_from_memory(self, record: Texture, given: ResourceDescription) -> None:
        attributes = self.context.device.attributes
        address, number = given.words[0], given.words[1]
        # A format and the channels, 32 bits each.
        self._say(record, address, number & 0xFFFFFFFF, number >> 32)
        require(address % attributes[_ALIGNMENT] == 0, "the memory's alignment")
        texel = record.texel_bytes
        if given.kind == _LINEAR:
            size = given.words[2]
            record.width, record.height, record.depth = size // texel, 1, 1
            record.kind = TEXTURE_LINEAR_MEMORY
            require(0 < record.width <= attributes[_MOST_TEXELS], f"{record.width} texels")
        else:
            width, height, pitch = given.words[2:5]
            require(width and height, "rows without texels")
            require(pitch >= width * texel, "the pitch is less than a row")
            require(pitch % attributes[_PITCH_ALIGNMENT] == 0, f"a pitch of {pitch} bytes")
            record.width, record.height, record.depth, record.row = width, height, 1, pitch
            record.kind = TEXTURE_ROWS
            size = (height - 1) * pitch + width * texel
        on_device(self.context, address, size)

    @staticmethod
    def _say(record: Texture, address: int, code: int, channels: int) -> None:
        require(code in CHANNEL_BYTES, f"the format {code}")
        require(channels in (1, 2, 4), f"{channels} channels")
        record.data, record.format, record.channels = address, code, channels
        record.texel_bytes = CHANNEL_BYTES[code] * channels

    def destroy(self) -> None:
        self.record.magic = 0
        self.unused.append(self.record)


class TextureObject(_Object):
    kinds = ("CUtexObject",)

    def __init__(
        self, context: Context, resource: ResourceDescription, given: TextureDescription
    ) -> None:
        self.description = TextureDescription.from_buffer_copy(given)
        super().__init__(context, resource)

    def _fill(self, record: Texture) -> None:
        super()._fill(record)
        given, flags = self.description, self.description.flags
        require(all(mode in _MODES for mode in given.modes), "an address mode")
        require(given.filter in (_POINT, _MIXED), f"the filter {given.filter}")
        if flags & (_SRGB | _SEAMLESS):
            raise Refused(Result.NOT_SUPPORTED, "there are no sRGB colors and no seamless cubes")
        require(flags & ~(_INTEGERS | _NORMALIZED | _NO_TRILINEAR) == 0, f"flags are {flags}")
        is_small = CHANNEL_BYTES[record.format] <= _SMALL and not flags & _INTEGERS
        record.reads_floats = record.format in FLOATS or is_small
        is_linear = record.kind == TEXTURE_LINEAR_MEMORY  # which is read by numbers alone
        record.is_linear = given.filter == _MIXED and not is_linear
        require(record.reads_floats or not record.is_linear, "integers cannot be mixed")
        record.is_normalized = bool(flags & _NORMALIZED)
        record.addressing[:] = given.modes[:]
        record.border[:] = given.border[:]


class SurfaceObject(_Object):
    kinds = ("CUsurfObject",)

    def _fill(self, record: Texture) -> None:
        require(self.resource.kind == _ARRAY, "a surface is of an array")
        super()._fill(record)
        assert self.array is not None
        require(self.array.description.flags & SURFACE, "the array is not for surfaces")


@entry(
    "cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource, "
    "const CUDA_TEXTURE_DESC *description, const CUDA_RESOURCE_VIEW_DESC *view?)", since=5000,
)  # fmt: skip
def create_texture(
    context: Context, resource: ResourceDescription, given: TextureDescription,
    view: ResourceView | None,
) -> int:  # fmt: skip
    if view is not None and view.format:
        raise Refused(Result.NOT_SUPPORTED, "a texture has its resource's format")
    return context.own(TextureObject(context, resource, given))


def _ended(context: Context, found: _Object) -> None:
    found.context.disown(found)
    found.context.retire(found)


@entry("cuTexObjectDestroy(CUtexObject texture)", since=5000)
def destroy_texture(context: Context, texture: int) -> None:
    _ended(context, _found(context, texture, TextureObject))


def _found(context: Context, handle: int, kind: type[_Object]) -> _Object:
    found = context.driver.handles.get(handle)
    require(isinstance(found, kind), f"0x{handle:x} is no live {kind.kinds[0]}")
    assert isinstance(found, _Object)
    return found


def _give(into: ctypes.Structure, known: ctypes.Structure) -> None:
    ctypes.memmove(ctypes.addressof(into), ctypes.addressof(known), ctypes.sizeof(known))


@entry(
    "cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *description, CUtexObject texture)", since=5000
)
def resource_of_texture(context: Context, into: ResourceDescription, texture: int) -> None:
    _give(into, _found(context, texture, TextureObject).resource)


@entry("cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *description, CUtexObject texture)", since=5000)
def description_of_texture(context: Context, into: TextureDescription, texture: int) -> None:
    found = _found(context, texture, TextureObject)
    assert isinstance(found, TextureObject)
    _give(into, found.description)


@entry("cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource)", since=5000)
def create_surface(context: Context, resource: ResourceDescription) -> int:
    return context.own(SurfaceObject(context, resource))


@entry("cuSurfObjectDestroy(CUsurfObject surface)", since=5000)
def destroy_surface(context: Context, surface: int) -> None:
    _ended(context, _found(context, surface, SurfaceObject))


@entry(
    "cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *description, CUsurfObject surface)", since=5000
)
def resource_of_surface(context: Context, into: ResourceDescription, surface: int) -> None:
    _give(into, _found(context, surface, SurfaceObject).resource)
