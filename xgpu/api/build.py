# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a source to what a module needs to run: code, and what its kernels and functions take.

That is cached on disk (`cache.MODULE`), so that a second process neither reads nor compiles the
program.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from xgpu.core.ir.errors import ArgumentTypeError, UsageError
from xgpu.core.support.cache import MODULE
from xgpu.core.support.process import rare_collections
from xgpu.driver.host_source import LoweredProgram
from xgpu.driver.several_chips import chooses_devices
from xgpu.host_device.compiler.objects import CompiledModule, is_host_object, read_object
from xgpu.version import MLIR_VERSION, __version__

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

    from xgpu.api.descriptions import DescribedFunction, DescribedKernel
    from xgpu.api.devices.interface import Backend
    from xgpu.core.passes.base import Pass
    from xgpu.core.passes.manager import Instrumentation
    from xgpu.driver.program import Program

#: Of entries of the cache: a change of it makes old ones useless.
_FORMAT = "5"


class Options:
    """What `load` was asked for beside the source."""

    __slots__ = (
        "chip", "communicator", "fast", "fma_contract", "format", "ftz", "line_info", "opt_level",
        "passes", "pipeline", "relaxed_float_atomics",
    )  # fmt: skip

    def __init__(
        self, *, chip: str | None = None, format: str = "host", opt_level: int = 2,
        fast: bool = False, ftz: bool = False, fma_contract: bool = False, line_info: bool = False,
        passes: str = "", pipeline: str = "", relaxed_float_atomics: bool = False,
        communicator: int | None = None,
    ) -> None:  # fmt: skip
        _check_text("passes", passes, "a pipeline such as 'builtin.module(cse)'")
        _check_text("pipeline", pipeline, "options such as 'opt-level=3'")
        self.chip = chip
        self.format = format
        self.opt_level = opt_level
        self.fast = _flag("fast", fast)
        self.ftz = _flag("ftz", ftz)
        self.fma_contract = _flag("fma_contract", fma_contract)
        self.line_info = _flag("line_info", line_info)
        self.relaxed_float_atomics = _flag("relaxed_float_atomics", relaxed_float_atomics)
        self.passes = passes
        self.pipeline = pipeline
        #: The handle of the communicator that stands for MPI's of all ranks.
        self.communicator = communicator

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def changed(self, **values: Any) -> Options:
        return Options(**{**self.as_dict(), **values})

    def pipeline_text(self) -> str:
        """The options of the pipeline that these say."""
        flags = {
            "fma-contract": self.fma_contract, "fast": self.fast, "ftz": self.ftz,
            "line-info": self.line_info, "relaxed-float-atomics": self.relaxed_float_atomics,
        }  # fmt: skip
        set_flags = [f"{name}={value:d}" for name, value in flags.items() if value]
        return " ".join([*set_flags, self.pipeline]).strip()


def _flag(name: str, value: object) -> bool:
    is_truth = isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")  # NumPy's
    if not is_truth and not (isinstance(value, int) and value in (0, 1)):
        raise UsageError(f"{name} is {value!r}, expected True or False")
    return bool(value)


def _check_text(name: str, value: object, example: str) -> None:
    if not isinstance(value, str):
        raise ArgumentTypeError(
            f"{name} must be a str, {example}, but is {type(value).__name__} {value!r}"
        )


class Built:
    """A program, compiled: `kernels` and `functions` as `signatures` describes them, `images` by
    the name of the gpu.module, and the host `program`, None for one without functions. It owns the
    `modules` that were compiled for the host with it (`LoweredProgram`)."""

    __slots__ = ("functions", "images", "kernels", "modules", "program")

    def __init__(
        self, kernels: list[DescribedKernel], functions: list[DescribedFunction],
        images: dict[str, bytes], program: LoweredProgram | None,
        modules: Sequence[CompiledModule] = (),
    ) -> None:  # fmt: skip
        self.kernels = kernels
        self.functions = functions
        self.images = images
        self.program = program
        self.modules = modules

    def to_bytes(self) -> bytes:
        """A line of JSON, and the images behind it."""
        head = json.dumps(
            {
                "kernels": self.kernels, "functions": self.functions,
                "images": {name: len(image) for name, image in self.images.items()},
                "program": self.program.to_json() if self.program is not None else None,
            }
        )  # fmt: skip
        return b"\n".join((head.encode("utf-8", "surrogateescape"), b"".join(self.images.values())))

    @staticmethod
    def from_bytes(data: bytes) -> Built:
        at = data.index(b"\n")
        read: dict[str, Any] = json.loads(data[:at])
        at += 1
        images: dict[str, bytes] = {}
        for name, size in read["images"].items():
            images[name] = data[at : at + size]
            at += size
        text = read["program"]
        program = LoweredProgram.from_json(text) if text is not None else None
        return Built(read["kernels"], read["functions"], images, program)


def build(source: str | ModuleOp, filename: str, options: Options, backend: Backend) -> Built:
    """Compile `source`, or take from the cache what was compiled before.

    Raises `UsageError` for a source that is none, `DiagnosticError` for what is wrong in it.
    """
    text = source_text(source)
    # Who names a chip gets code for that alone.
    named = options.chip is not None
    others = () if named or not chooses_devices(text) else backend.other_chips
    chip = options.chip if named else backend.chip
    key = MODULE.key(
        version=[_FORMAT, __version__, MLIR_VERSION], options=options.as_dict(),
        chips=[chip, *others], filename=filename, source=text,
    )  # fmt: skip
    stored = MODULE.get(key)
    if stored is not None:
        return Built.from_bytes(stored)
    with rare_collections():
        built = compiled(source, filename, options, chip, others)
    MODULE.put(key, built.to_bytes())
    return built


def source_text(source: str | ModuleOp) -> str:
    """A program as text; a module is printed, with its locations."""
    if isinstance(source, str):
        return source
    from xgpu.core.syntax import print_module
    from xgpu.driver import compiler

    return print_module(compiler.parse(source), debuginfo=True)


def prepared(source: str | ModuleOp, filename: str, options: Options) -> Program:
    """The program after the passes that were asked for, its kernels in modules of their own."""
    from xgpu.driver.program import Program

    program = Program(
        source, filename, opt_level=options.opt_level, options=options.pipeline_text()
    )
    if options.passes:
        program.run_passes(options.passes)
    program.outline()
    if options.communicator is not None:
        from xgpu.conversion.shard.mpi_to_llvm import use_communicator

        use_communicator(program.parse(), options.communicator)
    return program


class Target:
    """What `Program.lower` asks of a device."""

    def __init__(
        self, chip: str | None, kernel_format: str, other_chips: tuple[str, ...] = ()
    ) -> None:
        self.chip = chip
        self.other_chips = other_chips
        self.kernel_format = kernel_format


def compiled(
    source: str | ModuleOp, filename: str, options: Options, chip: str | None,
    others: tuple[str, ...] = (),
) -> Built:  # fmt: skip
    """Compile a program, kernels for `chip` and in the format of the options; where functions of
    the program may launch them on devices of `others` too, also for those."""
    from xgpu.api import signatures
    from xgpu.driver.compiler import device_code

    program = prepared(source, filename, options)
    module = program.parse()
    kernels = signatures.kernels_of(module)
    functions = signatures.functions_of(module, kernels)
    target = Target(options.chip or chip, options.format, others)
    with _steps() as instruments:
        lowered = program.lower(target, instruments)
    images = device_code(module)
    known = {k["module"] for k in kernels}
    for name, image in images.items():
        if name not in known:
            kernels += _kernels_of_image(name, image)
    return Built(kernels, functions, images, lowered if functions else None, lowered.kernels)


@contextmanager
def _steps() -> Generator[list[Instrumentation]]:
    """What shows how far a compilation is, if it takes long and output is a terminal."""
    from xgpu.api import progress
    from xgpu.core.passes.manager import Instrumentation
    from xgpu.driver import pipelines

    entries = (*pipelines.OUTLINE, *pipelines.ASYNC_TO_MGPU, *pipelines.VERIFY_LIFETIMES)
    with progress.bar(len(entries) + len(pipelines.GPU_LOWER_TO_NVVM), "compile") as step:

        class Steps(Instrumentation):
            def after(self, p: Pass, op: Operation) -> None:
                step()

        yield [Steps()]


def _kernels_of_image(module: str, image: bytes) -> list[DescribedKernel]:
    """The kernels of a module that came as binary, as far as it tells."""
    if not is_host_object(image):
        return [
            {"name": name, "module": module, "parameters": None, "location": None, "block": None}
            for name in _entries(image)
        ]
    infos, _, _ = read_object(image)
    return [
        {
            "name": info.name, "module": module, "location": None, "block": None,
            "parameters": [
                {"kind": "blob", "name": f"#{i}", "type": f"{size} bytes", "size": size}
                for i, size in enumerate(info.parameter_sizes)
            ],
        }
        for info in infos.values()
    ]  # fmt: skip


def _entries(image: bytes) -> list[str]:
    """Names of kernels in PTX."""
    return [m.decode() for m in re.findall(rb"\.visible \.entry ([\w$]+)\s*\(", image)]
