# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Textures and surfaces in PTX, in each strategy, against a model in NumPy."""

from __future__ import annotations

import ctypes
import re
from typing import Any

import numpy as np
import pytest

from tests.support.warp_kernel import kernel, run
from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.abi.structs import (
    TEXTURE_ARRAY,
    TEXTURE_LINEAR_MEMORY,
    TEXTURE_MAGIC,
    ctypes_struct,
)
from xgpu.host_device.compiler.compiler import host_text
from xgpu.host_device.compiler.specialize import KernelSource

pytestmark = pytest.mark.sampled(2)

STRATEGIES = ("threads", "warps", "block-loops")
#: CUarray_format by the type of a channel.
FORMATS = {"u1": 1, "u2": 2, "u4": 3, "i1": 8, "i2": 9, "i4": 10, "f2": 16, "f4": 32}
WRAP, CLAMP, MIRROR, BORDER = range(4)
BORDER_COLOR = (0.25, -2.0, 3.0, 0.5)


def texture(
    data: np.ndarray[Any, Any], modes: int = CLAMP, *, linear: bool = False,
    normalized: bool = False, floats: bool | None = None, kind: int = TEXTURE_ARRAY,
) -> Any:  # fmt: skip
    """A record of texels `[z, y, x, channel]`."""
    code = data.dtype.str[1:]
    depth, height, width, channels = data.shape
    made = ctypes_struct("Texture")(
        magic=TEXTURE_MAGIC, data=data.ctypes.data, width=width, height=height, depth=depth,
        row=data.strides[1], slice=data.strides[0], texel_bytes=data.strides[2],
        format=FORMATS[code], channels=channels, is_linear=linear, is_normalized=normalized,
        reads_floats=code[0] == "f" if floats is None else floats, kind=kind,
    )  # fmt: skip
    made.addressing[:] = [modes] * 3
    made.border[:] = BORDER_COLOR
    return made


def texels(rng: Any, code: str, *shape: int) -> np.ndarray[Any, Any]:
    if code[0] == "f":
        return rng.standard_normal(shape).astype(code)
    info = np.iinfo(code)
    return rng.integers(info.min, info.max, shape, endpoint=True).astype(code)


# -- the model


def index(at: int, size: int, mode: int, normalized: bool) -> int | None:
    if 0 <= at < size:
        return at
    if mode == BORDER:
        return None
    if mode == WRAP and normalized:
        return at % size
    if mode == MIRROR and normalized:
        back = at % (2 * size)
        return back if back < size else 2 * size - 1 - back
    return min(max(at, 0), size - 1)


def texel(data: Any, at: list[int], made: Any, channel: int) -> float:
    """At `[z, y, x]`, of which the first may be a layer that is known."""
    found: list[int] = []
    for axis, (place, size) in enumerate(zip(reversed(at), data.shape[2::-1], strict=False)):
        inside = index(place, size, made.addressing[axis], bool(made.is_normalized))
        if inside is None:
            return BORDER_COLOR[channel]
        found.insert(0, inside)
    found = [0] * (3 - len(found)) + found
    if channel >= data.shape[3]:
        return 0.0
    value = data[*found, channel]
    if made.reads_floats and data.dtype.kind in "iu":
        return float(max(np.float32(value) / np.float32(np.iinfo(data.dtype).max), -1))
    return float(value)


def model(data: Any, coordinates: list[float], made: Any, channel: int) -> float:
    """`coordinates` are x, y and z, as far as there are any."""
    sizes = data.shape[2::-1]
    at = [c * s if made.is_normalized else c for c, s in zip(coordinates, sizes, strict=False)]
    if not made.is_linear:
        return texel(data, [int(np.floor(c)) for c in reversed(at)], made, channel)
    total = 0.0
    for corner in range(1 << len(at)):
        part, place = 1.0, []
        for axis, c in enumerate(at):
            low = int(np.floor(c - 0.5))
            weight = np.floor((c - 0.5 - low) * 256 + 0.5) / 256
            up = corner >> axis & 1
            part *= weight if up else 1 - weight
            place.insert(0, low + up)
        total += part * texel(data, place, made, channel) if part else 0
    return total


# -- fetches


def fetched(
    asm: str, made: Any, words: np.ndarray[Any, Any], strategy: str, result: str = "rrrr"
) -> np.ndarray[Any, Any]:
    """What threads get; a row of `words` each behind the handle, which is the first operand."""
    source = kernel(asm, result, "l" + "r" * words.shape[1])
    handle = np.array([ctypes.addressof(made)], np.uint64).view(np.uint32)
    given = np.concatenate([np.tile(handle, (len(words), 1)), words], axis=1)
    out = np.zeros((len(words), len(result)), np.uint32)
    chosen = run(source, np.ascontiguousarray(given), out, len(words), strategy=strategy)
    assert re.search(rf": {strategy}\b", chosen)
    return out


def tex(geometry: str, result: str, coordinates: str, count: int) -> str:
    given = ", ".join(f"${5 + at}" for at in range(count))
    return f"tex.{geometry}.v4.{result}.{coordinates} {{$0, $1, $2, $3}}, [$4, {{{given}}}];"


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("mode", [WRAP, CLAMP, MIRROR, BORDER])
def test_places_in_a_plane(mode: int, normalized: bool, linear: bool, strategy: str) -> None:
    rng = np.random.default_rng(mode + 8 * linear + 16 * normalized)
    data = texels(rng, "f4", 1, 5, 7, 2)
    made = texture(data, mode, linear=linear, normalized=normalized)
    scale = 1.0 if normalized else 7.0
    at = (rng.random((32, 2)) * 4 * scale - 1.5 * scale).astype(np.float32)
    words = np.concatenate([at.view(np.uint32), np.zeros((32, 2), np.uint32)], axis=1)
    got = fetched(tex("2d", "f32", "f32", 4), made, words, strategy).view(np.float32)
    wanted = [[model(data, [float(x), float(y)], made, c) for c in range(4)] for x, y in at]
    np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize(("geometry", "count"), [("1d", 1), ("2d", 2), ("3d", 3)])
@pytest.mark.parametrize("code", ["u1", "i1", "u2", "i2", "f2", "f4"])
def test_channels_become_floats(code: str, geometry: str, count: int, linear: bool) -> None:
    rng = np.random.default_rng(count)
    shape = [1, 1, 1][: 3 - count] + [3, 4, 5][3 - count :]
    data = texels(rng, code, *shape, 4)
    made = texture(data, linear=linear, floats=True)
    at = (rng.random((32, count)) * 7 - 1).astype(np.float32)
    given = 4 if count == 3 else count
    words = np.zeros((32, given), np.uint32)
    words[:, :count] = at.view(np.uint32)
    got = fetched(tex(geometry, "f32", "f32", given), made, words, "block-loops").view(np.float32)
    wanted = [[model(data, [float(c) for c in p], made, c) for c in range(4)] for p in at]
    np.testing.assert_allclose(got, wanted, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("code", ["u1", "i1", "u2", "i2", "u4", "i4"])
def test_channels_as_they_are(code: str) -> None:
    rng = np.random.default_rng(5)
    data = texels(rng, code, 1, 4, 8, 4)
    made = texture(data, floats=False)
    at = rng.integers(-2, 10, (32, 2)).astype(np.int32)
    kind = "u32" if code[0] == "u" else "s32"
    got = fetched(tex("2d", kind, "s32", 2), made, at.view(np.uint32), "warps")
    x, y = np.clip(at[:, 0], 0, 7), np.clip(at[:, 1], 0, 3)
    assert np.array_equal(got, data[0, y, x].astype(np.int64).astype(np.uint32))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_linear_memory_is_zero_outside(strategy: str) -> None:
    data = np.arange(1, 21, dtype=np.float32).reshape(1, 1, 20, 1)
    made = texture(data, kind=TEXTURE_LINEAR_MEMORY)
    at = np.arange(-6, 26, dtype=np.int32).reshape(32, 1)
    got = fetched(tex("1d", "f32", "s32", 1), made, at.view(np.uint32), strategy)
    wanted = [float(x + 1) if 0 <= x < 20 else 0.0 for x in at[:, 0]]
    assert got[:, 0].view(np.float32).tolist() == wanted


ONE_FETCH = """
!four = !llvm.struct<(f32, f32, f32, f32)>
gpu.module @m {
  llvm.func @k(%%out: !llvm.ptr, %%t: i64) attributes {nvvm.kernel} {
    %%x = nvvm.read.ptx.sreg.tid.x : i32
    %%r = llvm.inline_asm "tex.1d.v4.f32.s32 {$0, $1, $2, $3}, [$4, {$5}];", "=f,=f,=f,=f,l,r"
      %%t, %%x : (i64, i32) -> !four
    %s
    llvm.return
  }
}
"""


@pytest.mark.parametrize("strategy", ["block-loops", "warps"])
def test_channels_that_nothing_needs_are_not_read(strategy: str) -> None:
    """The results of an instruction are stored, or not."""
    found = []
    for stored in range(1, 5):
        lines = [f"%c{i} = llvm.extractvalue %r[{i}] : !four" for i in range(4)]
        lines += [f"llvm.store %c{i}, %out : f32, !llvm.ptr" for i in range(stored)]
        source = KernelSource(ONE_FETCH % "\n".join(lines))
        assert source.module
        text = host_text(source.specialized_ir(strategy, "k", (32, 1, 1)))
        found.append(len(re.findall(r"call i32 @__nv_tex_texel\(", text)))
    assert found == [1, 2, 3, 4]


def test_layers_are_clamped() -> None:
    rng = np.random.default_rng(7)
    data = texels(rng, "f4", 3, 4, 6, 1)
    made = texture(data, linear=True)
    layers = np.arange(-2, 6).repeat(4).astype(np.int32)
    at = (rng.random((32, 2)) * 8 - 1).astype(np.float32)
    words = np.zeros((32, 4), np.uint32)
    words[:, 0], words[:, 1:3] = layers.view(np.uint32), at.view(np.uint32)
    got = fetched(tex("a2d", "f32", "f32", 4), made, words, "block-loops").view(np.float32)
    wanted = [
        model(data[np.clip(layer, 0, 2)][None], [float(x), float(y)], made, 0)
        for layer, (x, y) in zip(layers, at, strict=True)
    ]
    np.testing.assert_allclose(got[:, 0], wanted, rtol=1e-5, atol=1e-6)


def test_faces_of_a_cube() -> None:
    """Each face has its own number; a direction along an axis meets its middle."""
    data = np.arange(12, dtype=np.float32).repeat(16).reshape(12, 4, 4, 1)
    made = texture(data, normalized=True)
    axes = np.array(
        [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], np.float32
    )
    near = np.repeat(axes, 5, axis=0) * 2
    near += np.random.default_rng(1).random(near.shape).astype(np.float32) * 0.9 - 0.45
    got = fetched(tex("cube", "f32", "f32", 3), made, near.view(np.uint32), "threads")
    assert np.array_equal(got[:, 0].view(np.float32), np.arange(6).repeat(5))
    words = np.concatenate([np.full((30, 1), 1, np.uint32), near.view(np.uint32)], axis=1)
    got = fetched(tex("acube", "f32", "f32", 4), made, words, "threads")
    assert got[::5, 0].view(np.float32).tolist() == [6, 7, 8, 9, 10, 11]


def test_where_a_face_is_met() -> None:
    """Columns and rows count as in the programming guide's table: (1, t, s) meets the first face at
    (-s, -t)."""
    rng = np.random.default_rng(3)
    data = texels(rng, "f4", 6, 8, 8, 1)
    made = texture(data, normalized=True)
    s, t = (rng.random((2, 32)).astype(np.float32) * 2 - 1) * np.float32(0.99)
    one = np.ones(32, np.float32)
    signs = [
        (one, t, s, -s, -t), (-one, t, s, s, -t), (s, one, t, s, t), (s, -one, t, s, -t),
        (s, t, one, s, -t), (s, t, -one, -s, -t),
    ]  # fmt: skip
    for face, (x, y, z, u, v) in enumerate(signs):
        words = np.stack([x, y, z], axis=1).astype(np.float32).view(np.uint32)
        got = fetched(tex("cube", "f32", "f32", 3), made, words, "block-loops")
        column, row = (np.floor((c + 1) / 2 * 8).astype(int) for c in (u, v))
        assert np.array_equal(got[:, 0].view(np.float32), data[face, row, column, 0])


def test_four_texels_at_once() -> None:
    data = np.arange(40, dtype=np.float32).reshape(1, 5, 4, 2)
    made = texture(data, CLAMP)
    at = np.array([[1.5 + 0.25, 2.5 + 0.25]] * 32, np.float32)
    asm = "tld4.g.2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, {$5, $6}];"
    got = fetched(asm, made, at.view(np.uint32), "block-loops").view(np.float32)
    assert got[0].tolist() == [data[0, y, x, 1] for y, x in ((3, 1), (3, 2), (2, 2), (2, 1))]


def test_sizes() -> None:
    made = texture(np.zeros((5, 6, 7, 1), np.float32))
    asm = "{ txq.width.b32 $0, [$3]; txq.height.b32 $1, [$3]; suq.depth.b32 $2, [$3]; }"
    got = fetched(asm, made, np.zeros((4, 1), np.uint32), "warps", "rrr")
    assert got.tolist() == [[7, 6, 5]] * 4


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_is_no_texture(strategy: str) -> None:
    made = texture(np.zeros((1, 1, 4, 1), np.float32))
    made.magic = 5
    with pytest.raises(DeviceError, match="illegal memory access"):
        fetched(tex("1d", "f32", "s32", 1), made, np.zeros((32, 1), np.uint32), strategy)


# -- surfaces


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("mode", ["zero", "clamp"])
def test_surfaces(mode: str, strategy: str) -> None:
    data = np.arange(1, 41, dtype=np.uint32).reshape(1, 5, 8, 1)
    before, made = data.copy(), texture(data, floats=False)
    at = np.stack([np.arange(32) - 8, np.arange(32) // 4 - 1], axis=1).astype(np.int32)
    words = np.concatenate([at * [4, 1], at[:, :1]], axis=1).astype(np.int32).view(np.uint32)
    asm = f"suld.b.2d.b32.{mode} $0, [$1, {{$2, $3}}];"
    got = fetched(asm, made, words, strategy, "r")[:, 0]
    x, y = np.clip(at[:, 0], 0, 7), np.clip(at[:, 1], 0, 4)
    inside = (x == at[:, 0]) & (y == at[:, 1])
    wanted = before[0, y, x, 0]
    assert np.array_equal(got, np.where(inside, wanted, 0) if mode == "zero" else wanted)
    if mode == "clamp":
        return
    fetched("sust.b.2d.b32.zero [$1, {$2, $3}], $4; mov.u32 $0, 0;", made, words, strategy, "r")
    wanted = before.copy()
    wanted[0, y[inside], x[inside], 0] = at[inside, 0].view(np.uint32)
    assert np.array_equal(data, wanted)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_vectors_and_slices_of_surfaces(strategy: str) -> None:
    rng = np.random.default_rng(9)
    data = texels(rng, "u2", 2, 3, 6, 4)
    made = texture(data, floats=False)
    x, y, z = (rng.integers(0, n, 32) for n in (6, 3, 2))
    words = np.stack([x * 8, y, z], axis=1).astype(np.uint32)
    asm = "suld.b.3d.v2.b32.trap {$0, $1}, [$2, {$3, $4, $5, $5}];"
    got = fetched(asm, made, words, strategy, "rr")
    assert np.array_equal(got.view(np.uint16).reshape(32, 4), data[z, y, x])
    asm = "suld.b.a2d.v2.b32.trap {$0, $1}, [$2, {$5, $3, $4, $4}];"
    assert np.array_equal(fetched(asm, made, words, strategy, "rr"), got)


@pytest.mark.parametrize(
    "instruction",
    ["suld.b.1d.b32.trap $0, [$1, {$2}];", "sust.b.1d.b32.trap [$1, {$2}], $2; mov.u32 $0, 0;"],
)
def test_an_access_outside_is_an_error(instruction: str) -> None:
    made = texture(np.zeros((1, 1, 4, 1), np.uint32), floats=False)
    with pytest.raises(DeviceError, match="illegal memory access"):
        fetched(instruction, made, np.full((32, 1), 16, np.uint32), "threads", "r")
