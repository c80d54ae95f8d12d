# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a source to what a module needs to run: code, and what its kernels and functions take.

That is kept on disk under a hash of the source, the options and the versions, so that a second
process neither reads nor compiles the program.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from xgpu.core.ir.errors import ArgumentTypeError, UsageError
from xgpu.core.support import cache as kept
from xgpu.core.support.toolchain import toolchain
from xgpu.driver.several_chips import chooses_devices
from xgpu.version import MLIR_VERSION, __version__

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

    from xgpu.api.descriptions import DescribedFunction, DescribedKernel
    from xgpu.api.devices.interface import Backend
    from xgpu.core.passes.base import Pass
    from xgpu.core.passes.manager import Instrumentation

#: What everything here has in common: a change of it makes old entries useless.
_FORMAT = "2"
_KIND = "module"


class Options:
    """What `load` was asked for beside the source."""

    __slots__ = (
        "chip", "fast", "fma_contract", "format", "ftz", "line_info", "opt_level", "passes",
        "pipeline",
    )  # fmt: skip

    def __init__(
        self, *, chip: str | None = None, format: str = "host", opt_level: int = 2,
        fast: bool = False, ftz: bool = False, fma_contract: bool = False, line_info: bool = False,
        passes: str = "", pipeline: str = "",
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
        self.passes = passes
        self.pipeline = pipeline

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def changed(self, **values: Any) -> Options:
        return Options(**{**self.as_dict(), **values})

    def pipeline_text(self) -> str:
        """The options of the pipeline that these say."""
        flags = {
            "fma-contract": self.fma_contract, "fast": self.fast, "ftz": self.ftz,
            "line-info": self.line_info,
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
    the name of the gpu.module, the host program as LLVM IR `text`, and its `locations`."""

    __slots__ = ("functions", "images", "kernels", "locations", "text")

    def __init__(
        self, kernels: list[DescribedKernel], functions: list[DescribedFunction],
        images: dict[str, bytes], text: str, locations: list[str],
    ) -> None:  # fmt: skip
        self.kernels = kernels
        self.functions = functions
        self.images = images
        self.text = text
        self.locations = locations

    def to_bytes(self) -> bytes:
        return json.dumps(
            {
                "kernels": self.kernels, "functions": self.functions, "text": self.text,
                "images": {n: base64.b64encode(i).decode() for n, i in self.images.items()},
                "locations": self.locations,
            }
        ).encode("utf-8", "surrogateescape")  # fmt: skip

    @staticmethod
    def from_bytes(data: bytes) -> Built:
        read: dict[str, Any] = json.loads(data)
        images = {name: base64.b64decode(text) for name, text in read["images"].items()}
        return Built(read["kernels"], read["functions"], images, read["text"], read["locations"])


def key_of(text: str, filename: str, options: Options, chips: list[str | None]) -> str:
    """What the outcome of `build` depends on."""
    facts = [_FORMAT, __version__, MLIR_VERSION, toolchain(), options.as_dict(), chips, filename]
    digest = hashlib.sha256(json.dumps(facts).encode())
    digest.update(text.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def build(source: str | ModuleOp, filename: str, options: Options, backend: Backend) -> Built:
    """Compile `source`, or take from the cache what was compiled before.

    Raises `UsageError` for a source that is none, `DiagnosticError` for what is wrong in it.
    """
    text = source_text(source)
    # Who names a chip gets code for that alone.
    named = options.chip is not None
    others = () if named or not chooses_devices(text) else backend.other_chips
    chip = options.chip if named else backend.chip
    key = key_of(text, filename, options, [chip, *others])
    stored = kept.get(_KIND, key)
    if stored is not None:
        return Built.from_bytes(stored)
    built = compiled(source, filename, options, chip, others)
    kept.put(_KIND, key, built.to_bytes())
    return built


def source_text(source: str | ModuleOp) -> str:
    """A program as text; a module is printed, with its locations."""
    if isinstance(source, str):
        return source
    from xgpu.core.syntax import print_module
    from xgpu.driver import compiler

    return print_module(compiler.parse(source), debuginfo=True)


def prepared(source: str | ModuleOp, filename: str, passes: str) -> ModuleOp:
    """The program with its kernels in modules of their own, as the pipeline begins with it."""
    from xgpu.core.passes.pipeline_text import parse_pipeline
    from xgpu.core.syntax import context
    from xgpu.driver import compiler

    module = compiler.parse(source, filename)
    if passes:
        parse_pipeline(passes).run(module, context())
    if compiler.is_lowered(module):
        return module
    # The first steps of `gpu-lower-to-nvvm-pipeline`, which finds nothing left to do for them.
    steps = "convert-nvgpu-to-nvvm,gpu-kernel-outlining"
    if any(op.name.startswith("linalg.") for op in module.walk()):
        steps = f"convert-linalg-to-loops,{steps}"
    parse_pipeline(f"builtin.module({steps})").run(module, context())
    return module


class _Target:
    """What `host_text` asks of a device."""

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
    from xgpu.driver import compiler
    from xgpu.host_device.compiler.checks import Locations

    module = prepared(source, filename, options.passes)
    kernels = signatures.kernels_of(module)
    functions = signatures.functions_of(module, kernels)
    locations = Locations()
    target = _Target(options.chip or chip, options.format, others)
    with _steps() as instruments:
        text = compiler.host_text(
            module, target, locations, options.opt_level, options.pipeline_text(), instruments
        )
    images = compiler.device_code(module)
    known = {k["module"] for k in kernels}
    for name, image in images.items():
        if name not in known:
            kernels += _kernels_of_image(name, image)
    return Built(kernels, functions, images, text if functions else "", locations.texts)


@contextmanager
def _steps() -> Generator[list[Instrumentation]]:
    """What shows how far a compilation is, if it takes long and somebody watches."""
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
    from xgpu.host_device.compiler.objects import is_host_object, read_object

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
    import re

    return [m.decode() for m in re.findall(rb"\.visible \.entry ([\w$]+)\s*\(", image)]
