# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads by textures, and places of surfaces.

A handle is the address of a `Texture`. Rules are those of the CUDA programming guide, "Texture
fetching": coordinates of texels, of which the one that holds the coordinate is read or, with linear
filtering, those around it are mixed with weights of 8 bits. What is outside is wrapped, mirrored,
clamped or the border's color. Results are bits: of an f32 where a texture is read as floats, of an
integer otherwise.

Compiled when a kernel first needs it.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import (
    Ptr,
    bits_f32,
    bits_i32,
    f32,
    f64,
    half_to_float,
    i1,
    i8,
    i16,
    i32,
    i64,
    ptr,
)
from xgpu.host_device.native.records import (
    TEXTURE_CUBE,
    TEXTURE_LAYERED,
    TEXTURE_LINEAR_MEMORY,
    TEXTURE_MAGIC,
    Texture,
)

# CUarray_format
U8 = 1
U16 = 2
S8 = 8
S16 = 9
U32 = 3
S32 = 10
HALF = 16
FLOAT = 32
# CUaddress_mode
WRAP = 0
MIRROR = 2
BORDER = 3
# What a surface does with an access outside.
ZERO = 0
CLAMPS = 1
#: An address where nothing is.
NOWHERE = 16


def texture_at(handle: i64) -> Texture:
    """Where a handle is none, a use of the result is an illegal access, as it is on a GPU."""
    t = Texture(ptr(handle))
    if t.magic != TEXTURE_MAGIC:
        t = Texture(ptr(i64(NOWHERE)))
    return t


def floor_of(x: f64) -> i64:
    """Far numbers are the nearest integer that there is; NaN is 0."""
    n = i64(x)
    if f64(n) > x:
        n = n - 1
    return n


def inside(t: Texture, axis: i32, at: i64, size: i64) -> i64:
    """The texel that stands for one that may be outside, or -1 for the border."""
    if at >= 0 and at < size:
        return at
    mode = t.addressing[axis]
    if t.is_normalized != 0 and mode == WRAP:
        return at % size
    if t.is_normalized != 0 and mode == MIRROR:
        back = at % (2 * size)
        return back if back < size else 2 * size - 1 - back
    if mode == BORDER:
        return -1
    return i64(0) if at < 0 else size - 1


def layer_of(t: Texture, layer: i32) -> i64:
    """The nearest layer that there is."""
    last = t.depth - 1
    return i64(0) if layer < 0 else last if i64(layer) > last else i64(layer)


def place_of(t: Texture, x: i64, y: i64, z: i64) -> i64:
    return t.data + z * t.slice + y * t.row + x * i64(t.texel_bytes)


def integer_at(t: Texture, place: i64, channel: i32) -> i32:
    """A channel's bits, with the sign of its type."""
    kind = t.format
    n = i64(channel)
    if kind == U8:
        return i32(Ptr[i8](ptr(place))[n]) & 255
    if kind == S8:
        return i32(Ptr[i8](ptr(place))[n])
    if kind == S16:
        return i32(Ptr[i16](ptr(place))[n])
    if kind != U32 and kind != S32 and kind != FLOAT:
        return i32(Ptr[i16](ptr(place))[n]) & 65535
    return Ptr[i32](ptr(place))[n]


def float_at(t: Texture, place: i64, channel: i32) -> f32:
    """A channel as a float: an integer of 8 or 16 bits as a part of the largest one."""
    bits = integer_at(t, place, channel)
    kind = t.format
    if kind == FLOAT:
        return bits_f32(bits)
    if kind == HALF:
        return half_to_float(i16(bits))
    most = f32(255.0)
    if kind == S8:
        most = f32(127.0)
    elif kind == U16:
        most = f32(65535.0)
    elif kind == S16:
        most = f32(32767.0)
    value = f32(bits) / most
    return value if value > f32(-1.0) else f32(-1.0)


def texel(t: Texture, x: i64, y: i64, z: i64, dimensions: i32, channel: i32) -> i32:
    """The bits of a texel that may be outside. `z` is a layer where there are fewer dimensions."""
    a = inside(t, 0, x, t.width)
    b: i64 = 0
    c = z
    if dimensions > 1:
        b = inside(t, 1, y, t.height)
    if dimensions > 2:
        c = inside(t, 2, z, t.depth)
    if a < 0 or b < 0 or c < 0:
        color = t.border[channel]
        return bits_i32(color) if t.reads_floats != 0 else i32(color)
    if channel >= t.channels:
        return 0
    place = place_of(t, a, b, c)
    if t.reads_floats != 0:
        return bits_i32(float_at(t, place, channel))
    return integer_at(t, place, channel)


def weight(at: f64) -> f64:
    """The part behind the point of a place between two texels, with 8 bits."""
    part = at - f64(floor_of(at))
    return f64(i64(part * 256.0 + 0.5)) / 256.0


def mixed(t: Texture, x: f64, y: f64, z: f64, layer: i64, dimensions: i32, channel: i32) -> i32:
    """The texels around a place, by how near they are."""
    u = x - 0.5
    v = y - 0.5
    w = z - 0.5
    total: f64 = 0.0
    for corner in range(1 << dimensions):
        right = corner & 1
        up = (corner >> 1) & 1
        deep = corner >> 2
        part = weight(u) if right != 0 else 1.0 - weight(u)
        b: i64 = 0
        c = layer
        if dimensions > 1:
            part = part * (weight(v) if up != 0 else 1.0 - weight(v))
            b = floor_of(v) + i64(up)
        if dimensions > 2:
            part = part * (weight(w) if deep != 0 else 1.0 - weight(w))
            c = floor_of(w) + i64(deep)
        if part != 0.0:
            found = texel(t, floor_of(u) + i64(right), b, c, dimensions, channel)
            total = total + part * f64(bits_f32(found))
    return bits_i32(f32(total))


def magnitude(value: f32) -> f32:
    return -value if value < f32(0.0) else value


def scaled(t: Texture, at: f32, size: i64) -> f64:
    """A coordinate in texels."""
    return f64(at) * f64(size) if t.is_normalized != 0 else f64(at)


def xgpu_nv_tex_fetch(
    handle: i64, shape: i32, layer: i32, x: f32, y: f32, z: f32, channel: i32
) -> i32:
    """A channel of what a texture has at a place. `shape` is dimensions and TEXTURE_ flags."""
    t = texture_at(handle)
    dimensions = shape & 3
    if (shape & TEXTURE_CUBE) != 0:
        return of_cube(t, shape, layer, x, y, z, channel)
    at = layer_of(t, layer) if (shape & TEXTURE_LAYERED) != 0 else i64(0)
    u = scaled(t, x, t.width)
    v = scaled(t, y, t.height)
    w = scaled(t, z, t.depth)
    return sampled(t, u, v, w, at, dimensions, channel)


def sampled(t: Texture, u: f64, v: f64, w: f64, layer: i64, dimensions: i32, channel: i32) -> i32:
    if t.is_linear != 0:
        return mixed(t, u, v, w, layer, dimensions, channel)
    c = floor_of(w) if dimensions > 2 else layer
    return texel(t, floor_of(u), floor_of(v), c, dimensions, channel)


def of_cube(t: Texture, shape: i32, layer: i32, x: f32, y: f32, z: f32, channel: i32) -> i32:
    """The face that a direction meets, and where (CUDA programming guide, "Cubemap textures")."""
    face: i32 = 0
    along = x
    s = -z
    r = -y
    if magnitude(x) >= magnitude(y) and magnitude(x) >= magnitude(z):
        if x < f32(0.0):
            face = 1
            s = z
    elif magnitude(y) >= magnitude(z):
        face = 2
        along = y
        s = x
        r = z
        if y < f32(0.0):
            face = 3
            r = -z
    else:
        face = 4
        along = z
        s = x
        if z < f32(0.0):
            face = 5
            s = -x
    most = f64(magnitude(along))
    u = (f64(s) / most + 1.0) / 2.0 * f64(t.width)
    v = (f64(r) / most + 1.0) / 2.0 * f64(t.height)
    at = i64(face)
    if (shape & TEXTURE_LAYERED) != 0:
        cubes = t.depth // 6
        cube = i64(0) if layer < 0 else cubes - 1 if i64(layer) >= cubes else i64(layer)
        at = at + 6 * cube
    return sampled(t, u, v, 0.0, at, 2, channel)


def xgpu_nv_tex_texel(
    handle: i64, shape: i32, layer: i32, x: i32, y: i32, z: i32, channel: i32
) -> i32:
    """A channel of a texel by its number. One outside of linear memory is zero."""
    t = texture_at(handle)
    if t.kind == TEXTURE_LINEAR_MEMORY and (x < 0 or i64(x) >= t.width):
        return 0
    dimensions = shape & 3
    at = layer_of(t, layer) if (shape & TEXTURE_LAYERED) != 0 else i64(0)
    c = i64(z) if dimensions > 2 else at
    return texel(t, i64(x), i64(y), c, dimensions, channel)


def xgpu_nv_tex_gather(
    handle: i64, shape: i32, layer: i32, x: f32, y: f32, corner: i32, channel: i32
) -> i32:
    """A channel of one of the four texels that linear filtering would mix: they come from the lower
    left one, counter to the clock."""
    t = texture_at(handle)
    at = layer_of(t, layer) if (shape & TEXTURE_LAYERED) != 0 else i64(0)
    right = i64(corner == 1 or corner == 2)
    up = i64(corner == 0 or corner == 1)
    u = floor_of(scaled(t, x, t.width) - 0.5) + right
    v = floor_of(scaled(t, y, t.height) - 0.5) + up
    return texel(t, u, v, at, 2, channel)


def xgpu_nv_tex_size(handle: i64, axis: i32) -> i32:
    """Width, height or depth, in texels."""
    t = texture_at(handle)
    return i32(t.width if axis == 0 else t.height if axis == 1 else t.depth)


def within(at: i64, most: i64) -> i64:
    return i64(0) if at < 0 else most if at > most else at


def is_outside(x: i64, y: i64, z: i64, last: i64, rows: i64, slices: i64) -> i1:
    return x < 0 or x > last or y < 0 or y >= rows or z < 0 or z >= slices


def xgpu_nv_surf_place(
    handle: i64, shape: i32, layer: i32, x: i32, y: i32, z: i32, bytes: i32, mode: i32
) -> i64:
    """The address of so many bytes of a surface: `x` counts bytes. 0 outside where such reads are
    zero, and an illegal address where they are an error."""
    t = texture_at(handle)
    dimensions = shape & 3
    last = t.width * i64(t.texel_bytes) - i64(bytes)
    rows = t.height if dimensions > 1 else i64(1)
    slices = t.depth if dimensions > 2 or (shape & TEXTURE_LAYERED) != 0 else i64(1)
    a = i64(x)
    b = i64(y) if dimensions > 1 else i64(0)
    c = i64(z) if dimensions > 2 else i64(layer) if slices > 1 else i64(0)
    if is_outside(a, b, c, last, rows, slices):
        if mode == ZERO:
            return 0
        if mode != CLAMPS:
            return NOWHERE
        a = within(a, last)
        b = within(b, rows - 1)
        c = within(c, slices - 1)
    return t.data + c * t.slice + b * t.row + a
