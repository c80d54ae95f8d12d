# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels, as something that one can launch and ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.api import parameters
from xgpu.api.devices.interface import Backend, Dims
from xgpu.api.launches import Launch, dims, is_integer
from xgpu.api.loaded import Loaded
from xgpu.api.packing import Packer
from xgpu.api.parameters import Parameter
from xgpu.core.ir.errors import (
    USER_ERRORS,
    ArgumentTypeError,
    ArgumentValueError,
    public,
    shows_internals,
    told,
)
from xgpu.core.support.forks import OfOneProcess, new_lock

if TYPE_CHECKING:
    from xgpu.api.descriptions import DescribedKernel


class Kernel(OfOneProcess):
    """A kernel of a module.

        kernel[grid, block](x, y, n)                  # grid in blocks, block in threads
        kernel[grid, block, stream, shared](x, y, n)  # shared: bytes of dynamic workgroup memory
        kernel.launch(grid=(8, 8), block=256, cluster=2)(x, y, n)

    Sizes are a number or up to three. Arguments are arrays of any library and numbers; they are
    checked against `parameters`: TypeError and ValueError name the one that does not fit. Without a
    `stream` a launch is over when the call returns, unless all its arrays are `xgpu.Array`s, whose
    elements cannot be read without waiting. Errors of a kernel are `DeviceError`s of what waits.
    """

    def __init__(self, loaded: Loaded, described: DescribedKernel) -> None:
        self._loaded = loaded
        self._backend: Backend = loaded.backend
        #: What its language calls it, and what its module does: C++ makes symbols of names.
        self.name = described.get("shown", described["name"])
        self.symbol = described["name"]
        #: The gpu.module that it is in.
        self.module_name = described["module"]
        where = f"kernel '{self.name}'"
        found = described["parameters"]
        #: What it takes, in order; None where a binary does not say.
        self.parameters: tuple[Parameter, ...] | None = (
            None if found is None else tuple(parameters.from_json(p, where) for p in found)
        )
        self._location = described["location"]
        self._block = described["block"]
        self._function: int | None = None
        self._packer: Packer | None = None
        self._lock = new_lock()
        self._bound: dict[object, Launch] = {}
        self._described = described
        self._elsewhere: tuple[Backend, Kernel] | None = None

    def __repr__(self) -> str:
        listed = ", ".join(map(repr, self.parameters)) if self.parameters is not None else "?"
        return f"<xgpu.Kernel {self.name}({listed}) on {self._backend.name}>"

    def _repr_html_(self) -> str:
        from xgpu.api.display import kernel_html

        return kernel_html(self)

    @property
    def device(self) -> str:
        """Where it runs: "host" or "cuda:N"."""
        return self._backend.name

    def on(self, backend: Backend) -> Kernel:
        """The same kernel on another device that takes the same code."""
        found = self._elsewhere
        if found is None or found[0] is not backend:
            found = self._elsewhere = backend, Kernel(self._loaded.on(backend), self._described)
        return found[1]

    # -- launches

    def __getitem__(self, configuration: tuple[object, ...]) -> Launch:
        """`kernel[grid, block, stream, shared]`; the last two may be left out."""
        backend = self._backend.current()
        if backend is not self._backend:
            return self.on(backend)[configuration]
        try:
            found = self._bound.get(configuration)
        except TypeError:  # a list among the sizes
            found = None
        if found is not None:
            return found
        try:
            return self._launch_of(configuration)
        except USER_ERRORS as problem:
            if shows_internals():
                raise
            raise told(problem) from None

    def _launch_of(self, configuration: tuple[object, ...]) -> Launch:
        if not _is_tuple(configuration) or len(configuration) not in (2, 3, 4):
            raise ArgumentTypeError(
                f"kernel '{self.name}': expected [grid, block], [grid, block, stream] or "
                "[grid, block, stream, shared]"
            )
        grid, block, stream, shared = (*configuration, None, 0)[:4] if (
            len(configuration) < 4
        ) else configuration  # fmt: skip
        launch = self._launch(grid, block, None, stream, cast("int", shared or 0))
        if len(self._bound) < 256 and _is_plain(configuration):
            self._bound[configuration] = launch
        return launch

    @public
    def __call__(self, *arguments: object, **named: object) -> None:
        """A kernel runs on a grid: `kernel[grid, block](...)`."""
        raise ArgumentTypeError(
            f"kernel '{self.name}' needs the size of its grid and blocks: "
            f"{self.name}[grid, block](...)"
        )

    @public
    def launch(
        self, *, grid: object, block: object = None, cluster: object = None, stream: object = None,
        shared: int = 0,
    ) -> Launch:  # fmt: skip
        """A launch that takes the arguments: `kernel.launch(grid=4, block=256)(x, y, n)`.

        `block` may be left out where the kernel says its size; `cluster` counts blocks, `shared`
        bytes. Raises TypeError and ValueError for sizes that are none.
        """
        backend = self._backend.current()
        kernel = self if backend is self._backend else self.on(backend)
        return kernel._launch(grid, block, cluster, stream, shared)

    def _launch(
        self, grid: object, block: object, cluster: object, stream: object, shared: int
    ) -> Launch:
        if block is None:
            block = self._block
            if block is None:
                raise ArgumentTypeError(
                    f"kernel '{self.name}' does not say how large blocks are: give block"
                )
        cluster_dims = None if cluster is None else dims(cluster, "cluster", self.name)
        self._check_shared(shared)
        return Launch(
            self, self._loaded, self._backend, dims(grid, "grid", self.name),
            dims(block, "block", self.name), cluster_dims, stream, shared,
        )  # fmt: skip

    def _check_shared(self, shared: int) -> None:
        if not is_integer(shared):
            raise ArgumentTypeError(f"kernel '{self.name}': shared is {shared!r}, expected bytes")
        if shared < 0:
            raise ArgumentValueError(f"kernel '{self.name}': shared is {shared!r}, expected bytes")

    @property
    def function(self) -> int:
        """The device's handle. Raises ValueError where the module is closed."""
        if self._loaded.closed:  # the handle may be another kernel's by now
            raise ArgumentValueError(f"kernel '{self.name}': the module is closed")
        if self._function is None:
            with self._lock:
                if self._function is None:
                    image = self._loaded.image(self.module_name)
                    self._function = self._backend.function(image, self.symbol)
        return self._function

    @property
    def packer(self) -> Packer:
        """What makes words of arguments."""
        if self._packer is None:
            if self.parameters is None:
                raise ArgumentTypeError(
                    f"kernel '{self.name}' came as binary, which does not say what it takes"
                )
            where = f"kernel '{self.name}'"
            self._packer = Packer(
                where, self.parameters, has_bounds=self._backend.has_bounds, is_launch=True
            )
        return self._packer

    # -- what it is

    @property
    def location(self) -> str | None:
        """Where the source defines it, `file:line:column`."""
        return None if self._location is None else ":".join(map(str, self._location))

    @property
    def source(self) -> str | None:
        """The lines of the source that define it; None where there is no text."""
        from xgpu.api.inspection import source_of

        return source_of(self._loaded, self._location)

    @property
    def known_block(self) -> Dims | None:
        """The size of blocks that the source says it is launched with."""
        if self._block is None:
            return None
        x, y, z = self._block
        return x, y, z

    @property
    @public
    def attributes(self) -> dict[str, int | None]:
        """`registers` a thread, `shared_bytes` a block (static), `local_bytes` a thread,
        `constant_bytes`, `max_threads` a block. On the host device, which has no registers, they
        are those of the kernel's cubin where an assembler is installed, else None.
        """
        from xgpu.api.inspection import attributes_of

        return attributes_of(self._loaded, self.module_name, self.symbol, self.function)

    @property
    def registers(self) -> int | None:
        """Registers a thread; None where it is not known."""
        return self.attributes["registers"]

    @property
    def shared_bytes(self) -> int | None:
        """Bytes of static workgroup memory a block."""
        return self.attributes["shared_bytes"]

    @property
    def local_bytes(self) -> int | None:
        """Bytes of local memory a thread: what is spilled, and arrays of its own."""
        return self.attributes["local_bytes"]

    @property
    def largest_block(self) -> int:
        """The most threads that a block can have."""
        return self.attributes["max_threads"] or self._backend.limits()["threads_per_block"]

    @public
    def occupancy(self, block: object = None, shared: int = 0) -> float:
        """The part of a multiprocessor's threads that blocks of that size keep busy, 0 to 1.

        On the host device it is that of the chip that `ptx` is for.
        """
        from xgpu.api.inspection import occupancy_of

        block = self._block if block is None else block
        if block is None:
            raise ArgumentTypeError(
                f"kernel '{self.name}' does not say how large blocks are: give block"
            )
        sizes = dims(block, "block", self.name)
        self._check_shared(shared)
        threads = sizes[0] * sizes[1] * sizes[2]
        try:
            return occupancy_of(self._loaded, self.attributes, self.function, threads, shared)
        except ArgumentValueError as problem:
            raise ArgumentValueError(f"kernel '{self.name}': {problem}") from None

    @property
    @public
    def ptx(self) -> str:
        """PTX of the module that it is in; made when it is asked for."""
        from xgpu.api.inspection import ptx_of

        return ptx_of(self._loaded, self.module_name)

    @property
    @public
    def llvm_ir(self) -> str:
        """LLVM IR for NVPTX of the module that it is in, before LLVM optimizes it."""
        from xgpu.api.inspection import llvm_ir_of

        return llvm_ir_of(self._loaded, self.module_name)

    @property
    @public
    def sass(self) -> str:
        """Machine code of the GPU as `nvdisasm` shows it. Raises `DeviceError` where the toolkit's
        assembler or disassembler is not installed.
        """
        from xgpu.api.inspection import sass_of

        return sass_of(self._loaded, self.module_name, self.symbol)


def _is_plain(configuration: tuple[object, ...]) -> bool:
    """Whether nothing but numbers is in it: a stream would be kept alive."""
    return all(
        c is None
        or isinstance(c, int)
        or (isinstance(c, tuple) and all(isinstance(n, int) for n in c))
        for c in configuration
    )


def _is_tuple(configuration: object) -> bool:
    return isinstance(configuration, tuple)
