# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects for the host: `MAGIC`, the length of a manifest, the manifest (JSON), and a kernel module
in the llvm and nvvm dialects as text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypedDict, cast

from xgpu.core.support.file_kinds import HOST_OBJECT
from xgpu.host_device.compiler.structs import LAUNCH_PLAIN, LAUNCH_WARPS

if TYPE_CHECKING:
    from xgpu.host_device.sanitizer.instrument.bounds import Checks

    class KernelEntry(TypedDict):
        """What a manifest says of a kernel, in bytes."""

        parameters: list[int]
        shared: int

    class Manifest(TypedDict):
        """What a module's manifest says. `sizes` are the sizes of blocks that kernels are launched
        with, by kernel, as far as the program tells; `pointers` the numbers of parameters that are
        pointers; `blocks` what a kernel says of the size of its blocks: the attribute, and the
        sizes; `module` is the gpu.module's name, `locations` where each kernel is defined."""

        kernels: dict[str, KernelEntry]
        static_shared: int
        globals: list[str]
        symbols: list[str]
        opt_level: int
        sizes: Mapping[str, Sequence[Sequence[int]]]
        pointers: Mapping[str, Sequence[int]]
        blocks: Mapping[str, tuple[str, Sequence[int]]]
        module: str
        locations: Mapping[str, str]


MAGIC = HOST_OBJECT + b"5\0"

Dims = tuple[int, int, int]


class KernelInfo:
    """What a launch must know of a kernel: sizes in bytes."""

    __slots__ = (
        "block", "location", "module", "name", "parameter_sizes", "pointers", "static_shared",
    )  # fmt: skip

    def __init__(
        self, name: str, parameter_sizes: list[int], static_shared: int, pointers: Sequence[int],
        block: tuple[str, Sequence[int]] | None = None, module: str = "", location: str = "",
    ) -> None:  # fmt: skip
        self.name = name
        #: The gpu.module that it is in, and where the source defines it; empty if not known.
        self.module = module
        self.location = location
        self.parameter_sizes = parameter_sizes
        self.static_shared = static_shared
        #: The numbers of the parameters that are pointers.
        self.pointers = tuple(pointers)
        #: What it says of the size of its blocks (`launch_limits.check_block`).
        self.block = block


class Why(NamedTuple):
    """Why a kernel does not have a form, and the location of what rules it out."""

    form: str
    reason: str
    location: str | None


class Specialized:
    """What a kernel got for a size of its blocks: the form, for each faster one the reason against
    it, and code with the symbols that it needs; none where threads run by themselves. Blocks that
    are independent never wait for others."""

    __slots__ = ("checks", "code", "form", "is_independent", "reasons", "symbols")

    def __init__(
        self,
        form: str,
        reasons: Sequence[Why] = (),
        code: bytes | None = None,
        symbols: list[str] | None = None,
        is_independent: bool = False,
        checks: Checks | None = None,
    ) -> None:
        self.form = form
        self.reasons = tuple(reasons)
        self.code = code
        self.symbols = symbols or []
        self.is_independent = is_independent
        #: The checks of bounds in it (`instrument.bounds.Checks`).
        self.checks: Checks = checks or []

    @property
    def coroutines(self) -> int:
        """Whose coroutines the code has, if any (`structs.LAUNCH_WARPS`, ..)."""
        return LAUNCH_WARPS if self.form == "warps" else LAUNCH_PLAIN


def entry_symbol(kernel: str) -> str:
    """The symbol of a kernel's entry in the object code."""
    return f"xgpu.entry.{kernel}"


def write_object(manifest: Manifest, text: str) -> bytes:
    head = json.dumps(manifest).encode()
    return MAGIC + len(head).to_bytes(8, "little") + head + text.encode()


def is_host_object(data: bytes) -> bool:
    """Whether `data` is what `compile_module` makes."""
    return data.startswith(MAGIC)


def read_object(data: bytes) -> tuple[dict[str, KernelInfo], Manifest, str]:
    """Kernels by name, the rest of the manifest, and the module as text."""
    length = int.from_bytes(data[len(MAGIC) : len(MAGIC) + 8], "little")
    start = len(MAGIC) + 8
    manifest = cast("Manifest", json.loads(data[start : start + length]))
    kernels = {
        name: KernelInfo(
            name,
            k["parameters"],
            k["shared"],
            manifest["pointers"].get(name, ()),
            manifest["blocks"].get(name),
            manifest["module"],
            manifest["locations"].get(name, ""),
        )
        for name, k in manifest["kernels"].items()
    }
    return kernels, manifest, data[start + length :].decode()
