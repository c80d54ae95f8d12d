# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a cubin says of its kernels. A cubin is an ELF file; its section `.nv.info` lists facts as
`cuobjdump -elf` shows them: a format, an attribute, and a value, here a symbol and a number.
"""

from __future__ import annotations

import struct

_FRAME_SIZE, _REGISTERS = 0x11, 0x2F  # EIATTR_FRAME_SIZE, EIATTR_REGCOUNT
_WITH_SIZE = 0x04  # EIFMT_SVAL: the value's bytes follow


class CubinKernel:
    """Registers a thread, bytes of local memory a thread."""

    __slots__ = ("local_bytes", "registers")

    def __init__(self) -> None:
        self.registers = self.local_bytes = 0


class _Section:
    __slots__ = ("link", "name", "offset", "size")

    def __init__(self, image: bytes, at: int) -> None:
        self.name, _, _, _, self.offset, self.size, self.link, _, _, _ = struct.unpack_from(
            "<IIQQQQIIQQ", image, at
        )


def kernels_of_cubin(image: bytes) -> dict[str, CubinKernel]:
    """The kernels of a cubin by name; none of what is no cubin."""
    if not image.startswith(b"\x7fELF\x02") or len(image) < 64:
        return {}
    (table,) = struct.unpack_from("<Q", image, 0x28)
    size, count, names_at = struct.unpack_from("<HHH", image, 0x3A)
    sections = [_Section(image, table + i * size) for i in range(count)]
    found: dict[str, CubinKernel] = {}
    for section in sections:
        if _text(image, sections[names_at].offset + section.name) == ".nv.info":
            _read_facts(image, section, sections, found)
    return {name: kernel for name, kernel in found.items() if kernel.registers}


def _text(image: bytes, at: int) -> str:
    return image[at : image.index(b"\0", at)].decode()


def _read_facts(
    image: bytes, section: _Section, sections: list[_Section], found: dict[str, CubinKernel]
) -> None:
    symbols = sections[section.link]
    strings = sections[symbols.link]
    at, end = section.offset, section.offset + section.size
    while at + 4 <= end:
        format, attribute, size = struct.unpack_from("<BBH", image, at)
        at += 4
        if format != _WITH_SIZE:
            continue  # the value was in the place of its size
        if size == 8 and attribute in (_FRAME_SIZE, _REGISTERS):
            number, value = struct.unpack_from("<II", image, at)
            (name,) = struct.unpack_from("<I", image, symbols.offset + 24 * number)
            kernel = found.setdefault(_text(image, strings.offset + name), CubinKernel())
            if attribute == _REGISTERS:
                kernel.registers = value
            else:
                kernel.local_bytes = value
        at += size
