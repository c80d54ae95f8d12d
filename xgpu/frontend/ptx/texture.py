# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Textures and surfaces in PTX, whose handles are numbers (`.texmode_unified`, without variables of
the module).

    tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];
    suld.b.2d.b32.trap %r1, [%rd2, {%r2, %r3}];

A result is a call for each channel that is used, as a kernel seldom uses all:

    llvm.nvvm.ptx.tex.fetch.2d(handle, layer, x, y, z, channel)
    llvm.nvvm.ptx.tex.texel.2d(handle, layer, x, y, z, channel)   coordinates are integers
    llvm.nvvm.ptx.tex.gather.2d(handle, layer, x, y, corner, channel)
    llvm.nvvm.ptx.surf.2d.4.trap(handle, layer, x, y, z)          the address of 4 bytes

A surface is loaded and stored like other memory. There are no levels of smaller size: what an
instruction says of them chooses the only one.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from xgpu.frontend.ptx.grammar import Name, Operand
from xgpu.frontend.ptx.instructions import Built, instruction
from xgpu.frontend.ptx.registers import I32, I64, as_pointer, as_type, integer_type

#: Geometry -> coordinates behind the layer, if there is one.
_COORDINATES = {"1d": 1, "2d": 2, "3d": 3, "a1d": 1, "a2d": 2, "cube": 3, "acube": 3}
_GATHERED = ("2d", "a2d")
_SURFACES = ("1d", "2d", "3d", "a1d", "a2d")
_RESULTS = ("f32", "s32", "u32")
_SIZES = {"width": 0, "height": 1, "depth": 2}
_CHANNELS = ("r", "g", "b", "a")
_CACHES = ("ca", "cg", "cs", "cv", "wb", "wt")
_VECTORS = {"v2": 2, "v4": 4}
_MODES = ("trap", "clamp", "zero")


class _Place:
    """`[handle, coordinates]`: values of an i64, an i32 and three coordinates."""

    def __init__(self, p: Built, at: int, geometry: str, is_float: bool) -> None:
        found = p.address(at)
        if found.offset or len(found.rest) != 1:
            p.refuse("a handle and coordinates are expected")
        given = p.parts(found.rest[0])
        b = p.b
        self.handle = p.integer(found.base, 64)
        self.layer = b.integer(0)
        if geometry.startswith("a"):
            self.layer, given = p.integer(given[0], 32), given[1:]
        count = _COORDINATES[geometry]
        # A vector has 2 or 4 elements: there may be some more, which are not read.
        if not count <= len(given) <= 4:
            p.refuse("its coordinates")
        rest: SSAValue = b.real(0.0, f32) if is_float else b.integer(0)
        self.coordinates = [
            p.float(each, f32) if is_float else p.integer(each, 32) for each in given[:count]
        ]
        self.coordinates += [rest] * (3 - count)


def _is_written(operand: Operand) -> bool:
    return not (isinstance(operand, Name) and operand.text == "_")


def _write(p: Built, at: int, result: str, channel: int, bits: SSAValue) -> None:
    value = as_type(p.b, bits, f32) if result == "f32" else bits
    p.write(p.parts(at)[channel], value)


def _targets(p: Built) -> list[int]:
    """The channels that are written."""
    parts = p.parts(0)
    if len(parts) != 4:
        p.refuse("its result has four channels")
    return [at for at, part in enumerate(parts) if _is_written(part)]


@instruction("tex")
def fetch(p: Built) -> None:
    """tex[.level|.grad|.base].<geometry>.v4.<result>.<coordinates> d, [a, c][, lod or gradients]"""
    coordinates = p.take_type()
    result = p.take_type()
    level = p.take("base", "level", "grad")
    geometry = p.need(*_COORDINATES)
    p.need("v4")
    p.finish()
    if result not in _RESULTS or coordinates not in ("f32", "s32"):
        p.refuse(f"'.{result}.{coordinates}'")
    p.expect({"level": 3, "grad": 4}.get(level or "", 2))
    place = _Place(p, 1, geometry, coordinates == "f32")
    how = "fetch" if coordinates == "f32" else "texel"
    for channel in _targets(p):
        given = (place.handle, place.layer, *place.coordinates, p.b.integer(channel))
        found = p.b.nvvm(f"ptx.tex.{how}.{geometry}", given, I32)
        assert found is not None
        _write(p, 0, result, channel, found)


@instruction("tld4")
def gather(p: Built) -> None:
    """tld4.<channel>.<geometry>.v4.<result>.f32 d, [a, c]"""
    coordinates = p.take_type()
    result = p.take_type()
    channel = _CHANNELS.index(p.need(*_CHANNELS))
    geometry = p.need(*_GATHERED)
    p.need("v4")
    p.finish()
    if result not in _RESULTS or coordinates != "f32":
        p.refuse(f"'.{result}.{coordinates}'")
    p.expect(2)
    place = _Place(p, 1, geometry, True)
    x, y, _ = place.coordinates
    for corner in _targets(p):
        given = (place.handle, place.layer, x, y, p.b.integer(corner), p.b.integer(channel))
        found = p.b.nvvm(f"ptx.tex.gather.{geometry}", given, I32)
        assert found is not None
        _write(p, 0, result, corner, found)


@instruction("txq", "suq")
def query(p: Built) -> None:
    """txq.<what>.b32 d, [a]"""
    p.need("b32")
    what = p.need(*_SIZES)
    p.finish()
    p.expect(2)
    handle = p.integer(p.address(1).base, 64)
    found = p.b.nvvm(f"ptx.tex.size.{what}", (handle,), I32)
    assert found is not None
    p.write(0, found)


class _Surface:
    """What the modifiers of a load or store of a surface say, and the address of its bytes."""

    def __init__(self, p: Built, address: int) -> None:
        p.need("b")
        geometry = p.need(*_SURFACES)
        p.take(*_CACHES)
        self.count = _VECTORS[vector] if (vector := p.take(*_VECTORS)) is not None else 1
        self.mode = p.need(*_MODES)
        name = p.need("b8", "b16", "b32", "b64")
        p.finish()
        p.expect(2)
        self.width = int(name[1:])
        place = _Place(p, address, geometry, False)
        size = self.width // 8 * self.count
        given = (place.handle, place.layer, *place.coordinates)
        found = p.b.nvvm(f"ptx.surf.{geometry}.{size}.{self.mode}", given, I64)
        assert found is not None
        self.place = found

    def pointer(self, p: Built, at: int) -> SSAValue:
        return p.moved(as_pointer(p.b, self.place, 1), at * self.width // 8)

    def if_there(self, p: Built) -> SSAValue:
        """1 where the bytes are there, as the count of a loop."""
        return p.b.cast("zext", p.b.icmp("ne", self.place, 0), I32)


@instruction("suld")
def load(p: Built) -> None:
    """suld.b.<geometry>[.cache][.vector].<type>.<mode> d, [a, b]"""
    surface = _Surface(p, 1)
    b = p.b
    targets = p.parts(0)
    if len(targets) != surface.count:
        p.refuse("its result")
    ty = integer_type(surface.width)
    slots = [p.slot(target) for target in targets]
    if surface.mode != "zero":
        found = [b.value("llvm.load", (surface.pointer(p, at),), ty) for at in range(surface.count)]
    else:
        memory = b.memory(16, 16)
        places = [p.moved(memory, at * surface.width // 8) for at in range(surface.count)]
        for place in places:
            b.create("llvm.store", (b.integer(0, ty), place))
        b.loop(surface.if_there(p), lambda _: _copy(p, surface, places))
        found = [b.value("llvm.load", (place,), ty) for place in places]
    for target, slot, value in zip(targets, slots, found, strict=True):
        if slot is not None:
            p.write(target, value)


def _copy(p: Built, surface: _Surface, places: Sequence[SSAValue]) -> None:
    for at, place in enumerate(places):
        ty = integer_type(surface.width)
        value = p.b.value("llvm.load", (surface.pointer(p, at),), ty)
        p.b.create("llvm.store", (value, place))


@instruction("sust")
def store(p: Built) -> None:
    """sust.b.<geometry>[.cache][.vector].<type>.<mode> [a, b], c"""
    surface = _Surface(p, 0)
    b = p.b
    sources = p.parts(1)
    if len(sources) != surface.count:
        p.refuse("its source")
    values = [p.integer(part, surface.width) for part in sources]

    def write(_: SSAValue | None = None) -> None:
        for at, value in enumerate(values):
            b.create("llvm.store", (value, surface.pointer(p, at)))

    if surface.mode == "zero":
        b.loop(surface.if_there(p), write)
    else:
        write()
