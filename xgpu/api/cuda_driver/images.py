# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Images that programs give to the driver, and the code for the host device that is made of them.

An image is PTX, LLVM IR or bitcode for NVPTX, MLIR, or such a text in a container: a line with
`MAGIC`, one with the number of bytes, the text. Containers stand where a program expects machine
code: the replacement of ptxas and the linker of this driver make them.
"""

from __future__ import annotations

import ctypes
import os
import re
import struct
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from xgpu.api import build
from xgpu.api.cuda_driver.header import Refused, Result
from xgpu.api.cuda_driver.settings import capability
from xgpu.core.ir.errors import DeviceError, DiagnosticError, UsageError
from xgpu.core.support.cache import checksum

if TYPE_CHECKING:
    from xgpu.api.devices.interface import Backend

MAGIC = b"xgpu image 1\n"
_BITCODE, _WRAPPED_BITCODE = b"BC\xc0\xde", b"\xde\xc0\x17\x0b"
_FATBIN, _FATBIN_WRAPPER = b"\x50\xed\x55\xba", b"\xb1\x43\x62\x46"
_ELF = b"\x7fELF"
_LTO_IR = b"\xed\x43\x4e\x7f"
_ENTER_BLOCK = 1
_ARCHIVE, _MEMBER_HEADER = b"!<arch>\n", 60
_PTX_ENTRY, _COMPRESSED = 1, 0x2000 | 0x8000
_TARGET = re.compile(rb"\.target\s+sm_(\d+)([af]?)")  # begins with what is soon found
_LENGTH_DIGITS = 20


def image_at(address: int) -> bytes:
    """The image at an address, which says itself how long it is; a container's content. Raises
    `Refused` for one that cannot be used here."""
    begin = ctypes.string_at(address, 4)
    if begin == _FATBIN_WRAPPER:
        address = ctypes.c_uint64.from_address(address + 8).value
        begin = ctypes.string_at(address, 4)
    if begin == _FATBIN:
        return _of_fatbin(address)
    if begin == _ELF:
        raise Refused(
            Result.NO_BINARY_FOR_GPU,
            "the image is a cubin: machine code of an NVIDIA GPU, which cannot run here; have the "
            "program give PTX to the driver",
        )
    if begin == _LTO_IR:
        raise Refused(
            Result.NO_BINARY_FOR_GPU,
            "the image is LTO-IR of NVIDIA's compilers, which cannot be read here; have the "
            "program give PTX to the driver",
        )
    if begin == MAGIC[:4] and ctypes.string_at(address, len(MAGIC)) == MAGIC:
        return _of_container(address)
    if begin == _WRAPPED_BITCODE:
        offset, size = struct.unpack("<II", ctypes.string_at(address + 8, 8))
        return ctypes.string_at(address + offset, size)
    if begin == _BITCODE:
        return ctypes.string_at(address, _bitcode_bytes(address))
    return ctypes.string_at(address)


def container(data: bytes) -> bytes:
    """A container of an image."""
    return MAGIC + str(len(data)).encode() + b"\n" + data


def content(data: bytes) -> bytes:
    """The image in a container, and any other data as it is."""
    if not data.startswith(MAGIC):
        return data
    length, _, rest = data[len(MAGIC) :].partition(b"\n")
    return rest[: int(length)]


def is_archive(data: bytes) -> bool:
    """Whether an image is a library of several."""
    return data.startswith(_ARCHIVE)


def is_cubin(data: bytes) -> bool:
    """Whether an image is machine code of NVIDIA GPUs."""
    return data.startswith(_ELF)


def members(archive: bytes) -> list[bytes]:
    """The images in a library; its tables of symbols and of names are none."""
    found: list[bytes] = []
    at = len(_ARCHIVE)
    while at + _MEMBER_HEADER <= len(archive):
        name = archive[at : at + 16].rstrip()
        size = int(archive[at + 48 : at + 58])
        at += _MEMBER_HEADER
        if name not in (b"/", b"//", b"/SYM64/"):
            found.append(archive[at : at + size])
        at += size + size % 2
    return found


def linked(parts: Sequence[bytes], chip: str) -> bytes:
    """One image of several: PTX is linked when it is loaded, LLVM IR here, for a chip. Raises
    `Refused`."""
    ir = [part for part in parts if _kind(part) in (".bc", ".ll")]
    if not ir:
        return b"\n".join(parts)
    from xgpu.frontend.llvm_ir.source import linked_form  # and all of xDSL

    try:
        text = linked_form(ir, "linked.ll", 2)
        if len(ir) == len(parts):
            return text.encode("utf-8", "surrogateescape")
        rest = [part for part in parts if part not in ir]
        ptx = ptx_of(text, "linked.ll", build.Options(format="isa", chip=chip))
        return b"\n".join((ptx, *rest))
    except (DiagnosticError, DeviceError, UsageError) as problem:
        raise Refused(Result.INVALID_IMAGE, _words(problem)) from None


def ptx_of(ir: str, name: str, options: build.Options) -> bytes:
    """PTX of LLVM IR or MLIR; `name` is what messages call it."""
    return b"\n".join(build.build(ir, name, options, TARGET).images.values())


def _of_container(address: int) -> bytes:
    text = ctypes.string_at(address + len(MAGIC), _LENGTH_DIGITS)
    digits = text.partition(b"\n")[0]
    begin = address + len(MAGIC) + len(digits) + 1
    return ctypes.string_at(begin, int(digits))


def _bitcode_bytes(address: int) -> int:
    """A bitcode file is a magic number and blocks, which say how many words they have."""
    at = 4
    while True:
        word, length = struct.unpack("<II", ctypes.string_at(address + at, 8))
        if word & 3 != _ENTER_BLOCK:
            return at
        at += 8 + 4 * length


def _of_fatbin(address: int) -> bytes:
    """The newest PTX of a fat binary."""
    header, size = struct.unpack("<HQ", ctypes.string_at(address + 6, 10))
    at, end = address + header, address + header + size
    found: list[tuple[int, bytes]] = []
    compressed = False
    while at < end:
        kind, _, entry_header, length = struct.unpack("<HHIQ", ctypes.string_at(at, 16))
        capability_number, flags = struct.unpack("<I8xQ", ctypes.string_at(at + 28, 20))
        if kind == _PTX_ENTRY:
            compressed = compressed or bool(flags & _COMPRESSED)
            if not flags & _COMPRESSED:
                data = ctypes.string_at(at + entry_header, length)
                found.append((capability_number, data.rstrip(b"\0")))
        at += entry_header + length
    if found:
        return max(found)[1]
    what = "compressed PTX" if compressed else "no PTX, but machine code of NVIDIA GPUs"
    file = _file_at(address)
    place = f" in {file}" if file else ""
    raise Refused(Result.NO_BINARY_FOR_GPU, f"the image is a fat binary{place} with {what}")


def _file_at(address: int) -> str:
    """The name of the file that is mapped at an address, such as a library's; empty for none."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            places, _, rest = line.partition(" ")
            begin, end = (int(text, 16) for text in places.split("-"))
            if begin <= address < end:
                path = "".join(rest.split(None, 4)[4:]).strip()
                return os.path.basename(path) if path.startswith("/") else ""
    return ""


class _Target:
    """What `build` asks of a device: nothing but code for the host."""

    chip = None
    other_chips = ()


#: For `build.build`, which gets the chip or the host.
TARGET = cast("Backend", _Target())


class Code:
    """An image, compiled for the host: `objects` are its modules; `text` is what reports show, and
    `name` what they call it. `compiled` are the operations of the modules, until the image is
    loaded: who loads it takes them and need not read the objects again."""

    __slots__ = ("_kernels", "_memory", "_ptx", "compiled", "name", "objects", "text")

    def __init__(self, image: bytes) -> None:
        self.text = image.decode("utf-8", "surrogateescape")
        kind = _kind(image)
        self.name = f"image-{checksum(image).hex()[:8]}{kind}"
        options = build.Options(format="host")
        try:
            built = build.build(self.text, self.name, options, TARGET)
        except (DiagnosticError, DeviceError, UsageError) as problem:
            ptx = kind == ".ptx"
            raise Refused(
                Result.INVALID_PTX if ptx else Result.INVALID_IMAGE, _words(problem)
            ) from None
        self.objects = list(built.images.values())
        self.compiled = built.modules
        self._ptx = self.text if kind == ".ptx" else ""
        self._memory: tuple[dict[str, int], int] | None = None
        self._kernels: list[str] | None = None

    def kernels(self) -> list[str]:
        """The names of its kernels."""
        if self._kernels is None:
            from xgpu.host_device.compiler.objects import read_object

            self._kernels = [name for data in self.objects for name in read_object(data)[0]]
        return self._kernels

    def local_bytes(self, kernel: str, chip: str) -> int:
        """Bytes of local memory that PTX declares for a thread of a kernel; of other code, PTX that
        LLVM makes of it for a chip."""
        return self._declared(chip)[0].get(kernel, 0)

    def constant_bytes(self, chip: str) -> int:
        """Bytes of constant memory, likewise."""
        return self._declared(chip)[1]

    def _declared(self, chip: str) -> tuple[dict[str, int], int]:
        if self._memory is None:
            options = build.Options(format="isa", chip=chip)
            text = self._ptx or ptx_of(self.text, self.name, options).decode()
            sizes = _CONSTANT.findall(text)
            constant = sum(int(bits) // 8 * int(count or 1) for bits, count in sizes)
            self._memory = _local_memory(text), constant
        return self._memory

    def is_managed(self, name: str) -> bool:
        """Whether PTX declares a variable as managed."""
        return name in _MANAGED.findall(self._ptx)


_CONSTANT = re.compile(
    r"(?:^|;)\s*(?:\.(?:visible|weak|common)\s+)?\.const\s+(?:\.align\s+\d+\s+)?\.[bsuf](\d+)"
    r"\s+[\w$]+\s*(?:\[(\d+)\])?", re.M,
)  # fmt: skip
_MANAGED = re.compile(
    r"\.global\s[^;={]*\.attribute\s*\([^)]*\.managed[^)]*\)[^;={]*?([\w$]+)\s*"
    r"(?:\[[^;={]*\]\s*)?[;=]"
)
_FUNCTION_OR_LOCAL = re.compile(
    r"\.(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)"
    r"|\.local\s+(?:\.align\s+\d+\s+)?\.[bsuf](\d+)\s+[\w$]+\s*(?:\[(\d+)\])?"
)


def _local_memory(text: str) -> dict[str, int]:
    """Bytes of local memory of the functions of PTX that declare some."""
    found: dict[str, int] = {}
    function = ""
    for match in _FUNCTION_OR_LOCAL.finditer(text):
        if match[1]:
            function = match[1]
        else:
            size = int(match[2]) // 8 * int(match[3] or 1)
            found[function] = found.get(function, 0) + size
    return found


def _targets(image: bytes) -> Iterator[re.Match[bytes]]:
    """The lines of PTX that name its chip."""
    for match in _TARGET.finditer(image):
        line = image.rfind(b"\n", 0, match.start()) + 1
        if not image[line : match.start()].strip():
            yield match


def _kind(image: bytes) -> str:
    if any(_targets(image)):
        return ".ptx"
    return ".bc" if image.startswith(_BITCODE) else ".ll" if b"target triple" in image else ".mlir"


def _words(problem: Exception) -> str:
    if not isinstance(problem, DiagnosticError):
        return str(problem)
    from xgpu.core.syntax.diagnostics import render

    return "\n".join(render(d, {}, color=False) for d in problem.diagnostics)


_codes: dict[bytes, Code] = {}
_MOST_CODES = 4096


def code_of(image: bytes, chip: str) -> Code:
    """The code of an image for a device that is a chip. Raises `Refused`."""
    if not image.strip():
        raise Refused(Result.INVALID_IMAGE, "the image is empty")
    _check_target(image, chip)
    found = _codes.get(image)
    if found is None:
        if len(_codes) >= _MOST_CODES:
            _codes.clear()
        found = _codes[image] = Code(image)
    return found


def _check_target(image: bytes, chip: str) -> None:
    """PTX runs on its chip and newer ones; with features of one chip on that alone."""
    for match in _targets(image):
        wanted, has = int(match[1]), _number(chip)
        only, family = match[2] == b"a", match[2] == b"f"
        fits = wanted == has if only else wanted <= has
        if family:
            fits = wanted <= has and wanted // 10 == has // 10
        if not fits:
            target = match[0].split()[-1].decode()
            raise Refused(Result.NO_BINARY_FOR_GPU, f"PTX for {target}, and the device is {chip}")


def _number(chip: str) -> int:
    major, minor = capability(chip)
    return 10 * major + minor


def file_bytes(path: str) -> bytes:
    """What a file holds. Raises `Refused`."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as problem:
        raise Refused(Result.FILE_NOT_FOUND, f"{path}: {problem.strerror}") from None


def read_file(path: str) -> bytes:
    """The image in a file. Raises `Refused`."""
    buffer = ctypes.create_string_buffer(file_bytes(path))
    return image_at(ctypes.addressof(buffer))
