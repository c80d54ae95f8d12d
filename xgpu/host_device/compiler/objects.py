# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects for the host: `MAGIC`, the length of a manifest, the manifest (JSON), and a kernel module
in the llvm and nvvm dialects as text.

The text is for caches, for files and for other processes. The process that makes an object may keep
the operation too (`compiled_modules`), so that a device need not read the text again.
"""

from __future__ import annotations

import json
import weakref
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple, TypedDict, cast

from xgpu.core.support.files import HOST_OBJECT
from xgpu.host_device.abi.structs import LAUNCH_PLAIN, LAUNCH_WARPS

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.host_device.compiler.bounds_checks import Checks
    from xgpu.host_device.compiler.counting import Gather

    class KernelEntry(TypedDict):
        """What a manifest says of a kernel, in bytes; `alignments` are those of its parameters in
        a buffer that holds all of them."""

        parameters: list[int]
        alignments: list[int]
        shared: int

    class Manifest(TypedDict):
        """What a module's manifest says. `sizes` are the sizes of blocks that kernels are launched
        with, by kernel, as far as the program tells; `pointers` the numbers of parameters that are
        pointers; `variables` those of global memory, which the host may use, with their bytes;
        `shared_end` is where the variables in workgroup memory end, of all kernels together, and
        `dynamic_shared` where dynamic workgroup memory begins;
        `blocks` what a kernel says of the size of its blocks: the attribute, and the sizes;
        `clusters` those of its clusters; `is_divisible` says whether code of each kernel can be
        made by itself, as they share no variables; `uses_workspace` whether a kernel may ask for
        the workspace of its grid; `module` is the gpu.module's name, `locations`
        where each kernel is defined."""

        kernels: dict[str, KernelEntry]
        shared_end: int
        dynamic_shared: int
        globals: list[str]
        variables: Mapping[str, int]
        symbols: list[str]
        opt_level: int
        sizes: Mapping[str, Sequence[Sequence[int]]]
        pointers: Mapping[str, Sequence[int]]
        blocks: Mapping[str, tuple[str, Sequence[int]]]
        clusters: Mapping[str, Sequence[int]]
        is_divisible: bool
        uses_workspace: bool
        module: str
        locations: Mapping[str, str]


MAGIC = HOST_OBJECT + b"9\0"

Dims = tuple[int, int, int]


class KernelInfo:
    """What a launch must know of a kernel: sizes in bytes."""

    __slots__ = (
        "alignments", "block", "cluster", "location", "module", "name", "parameter_sizes",
        "pointers", "static_shared",
    )  # fmt: skip

    def __init__(
        self, name: str, parameter_sizes: list[int], static_shared: int, pointers: Sequence[int],
        block: tuple[str, Sequence[int]] | None = None, module: str = "", location: str = "",
        alignments: Sequence[int] = (), cluster: Sequence[int] = (),
    ) -> None:  # fmt: skip
        self.name = name
        #: The gpu.module that it is in, and where the source defines it; empty if not known.
        self.module = module
        self.location = location
        self.parameter_sizes = parameter_sizes
        self.alignments = alignments
        #: The sizes of its clusters, where it says them.
        self.cluster = tuple(cluster)
        self.static_shared = static_shared
        #: The numbers of the parameters that are pointers.
        self.pointers = tuple(pointers)
        #: What it says of the size of its blocks (`launch_limits.check_block`).
        self.block = block


class Why(NamedTuple):
    """Why a kernel does not have a strategy, and the location of what rules it out."""

    strategy: str
    reason: str
    location: str | None


class Specialized:
    """What a kernel got for a size of its blocks: the strategy, for each faster one the reason
    against it, and code with the symbols that it needs; none where threads run by themselves.
    Blocks that are independent never wait for others."""

    __slots__ = (
        "checks", "code", "gathers", "is_independent", "outline", "reasons", "strategy", "symbols",
    )  # fmt: skip

    def __init__(
        self,
        strategy: str,
        reasons: Sequence[Why] = (),
        code: bytes | None = None,
        symbols: list[str] | None = None,
        is_independent: bool = False,
        checks: Checks | None = None,
        gathers: Sequence[Gather] = (),
        outline: object = None,
    ) -> None:
        self.strategy = strategy
        self.reasons = tuple(reasons)
        self.code = code
        self.symbols = symbols or []
        self.is_independent = is_independent
        #: The checks of bounds in it (`bounds_checks.Checks`).
        self.checks: Checks = checks or []
        #: Of a kernel that counts what it does, its gathers and scatters.
        self.gathers = gathers
        #: Of code that screens launches: what can be known of one before it runs, if
        #: anything (`instrument.whole_launch.Outline`).
        self.outline = outline

    @property
    def coroutines(self) -> int:
        """Whose coroutines the code has, if any (`structs.LAUNCH_WARPS`, ..)."""
        return LAUNCH_WARPS if self.strategy == "warps" else LAUNCH_PLAIN


class CompiledModule:
    """A kernel module of this process that an object has as `text`. The `operation` is shared by
    all devices that load the object: it is not changed."""

    __slots__ = ("__weakref__", "operation", "text")

    def __init__(self, text: str, operation: Operation) -> None:
        self.text = text
        self.operation = operation


_collected: ContextVar[list[CompiledModule] | None] = ContextVar("collected", default=None)
#: By their texts. The program that runs owns its modules.
_compiled: weakref.WeakValueDictionary[str, CompiledModule] = weakref.WeakValueDictionary()


@contextmanager
def compiled_modules() -> Generator[list[CompiledModule]]:
    """The kernel modules that are compiled for the host meanwhile, in this thread: as long as one
    of them is referred to, `find_module` finds it."""
    found: list[CompiledModule] = []
    token = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(token)


def is_module_wanted() -> bool:
    """Whether `add_module` has a receiver."""
    return _collected.get() is not None


def add_module(text: str, operation: Operation) -> None:
    """Give a kernel module, which has no other owner, to the collector."""
    collected = _collected.get()
    if collected is not None:
        _compiled[text] = made = CompiledModule(text, operation)
        collected.append(made)


def find_module(text: str) -> CompiledModule | None:
    """The kernel module that an object has as `text`, if this process has compiled it."""
    return _compiled.get(text)


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
            k["alignments"],
            manifest["clusters"].get(name, ()),
        )
        for name, k in manifest["kernels"].items()
    }
    return kernels, manifest, data[start + length :].decode()
