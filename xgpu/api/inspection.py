# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels are: code of every level, registers, memory, occupancy, lines of the source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xgpu.api import build
from xgpu.api.loaded import Loaded
from xgpu.backend.nvptx.cubin import codes_of, find_tool, is_bundle
from xgpu.backend.nvptx.resources import disassembled, occupancy
from xgpu.core.ir.errors import ArgumentValueError, DeviceError, DiagnosticError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from xgpu.tools.explorer.model import Exploration

_WARP = 32


def _chip(loaded: Loaded) -> str:
    from xgpu.backend.nvptx.compiler import default_chip

    return loaded.options.chip or loaded.backend.chip or default_chip()


def ptx_of(loaded: Loaded, name: str) -> str:
    """PTX of a gpu.module."""
    if loaded.options.format == "isa":
        image = loaded.built.images[name]
        return (codes_of(image)[_chip(loaded)] if is_bundle(image) else image).decode()
    return _compiled(loaded, "isa")[name].decode()


def _compiled(loaded: Loaded, format: str) -> dict[str, bytes]:
    """All gpu.modules of a program in another format than the one it runs in."""

    def make() -> dict[str, bytes]:
        options = loaded.options.changed(format=format, chip=_chip(loaded))
        return build.build(loaded.source, loaded.filename, options, loaded.backend).images

    return loaded.remembered(format, make)


def llvm_ir_of(loaded: Loaded, name: str) -> str:
    """LLVM IR of a gpu.module as LLVM's NVPTX back end gets it."""

    def make() -> dict[str, str]:
        return llvm_ir_of_modules(loaded.source, loaded.filename, loaded.options, _chip(loaded))

    texts = loaded.remembered("llvm", make)
    if name not in texts:
        raise DeviceError(f"the module '{name}' came as binary, without LLVM IR")
    return texts[name]


def llvm_ir_of_modules(
    source: str | ModuleOp, filename: str, options: build.Options, chip: str
) -> dict[str, str]:
    """LLVM IR of the gpu.modules of a program, by name."""
    program = build.prepared(source, filename, options)
    words = f"cubin-chip={chip} cubin-format=llvm {options.pipeline_text()}".rstrip()
    program.run_passes(f"builtin.module(gpu-lower-to-nvvm-pipeline{{{words}}})")
    return _bitcode_texts(program.parse())


def _bitcode_texts(lowered: ModuleOp) -> dict[str, str]:
    from llvmlite import binding

    from xgpu.driver.compiler import device_code

    found: dict[str, str] = {}
    for name, data in device_code(lowered).items():
        if data.startswith(b"BC"):
            found[name] = str(binding.parse_bitcode(data))
    return found


def exploration_of(loaded: Loaded) -> Exploration:
    """What each pass does to the program on its way to the device, with its device code."""
    from xgpu.core.passes.pipeline_text import parse_pipeline
    from xgpu.core.syntax import context
    from xgpu.driver.program import Program
    from xgpu.tools.explorer.recorder import Recorder

    options = loaded.options
    name, text = loaded.shown or (loaded.filename, build.source_text(loaded.source))
    recorder = Recorder(name, {name: text})
    program = Program(
        loaded.source, loaded.filename, opt_level=options.opt_level, options=options.pipeline_text()
    )
    module = program.parse()
    recorder.begin(module)
    if options.passes:
        parse_pipeline(options.passes).run(module, context(), [recorder])
    program.lower(build.Target(options.chip or loaded.backend.chip, options.format), [recorder])
    recorder.end(module)
    return recorder.exploration


def tokens_svg(loaded: Loaded) -> str:
    """The graph of the program's async tokens as a picture; empty where there are none."""

    def make() -> str:
        from xgpu.conversion.async_tokens.graph import build as graph_of
        from xgpu.conversion.async_tokens.text import to_svg

        program = build.prepared(loaded.source, loaded.filename, loaded.options)
        return to_svg(graph_of(program.parse()))

    if "async" not in build.source_text(loaded.source):
        return ""
    return loaded.remembered("tokens", make)


# -- registers and memory


def attributes_of(loaded: Loaded, module: str, kernel: str, function: int) -> dict[str, int | None]:
    """See `Kernel.attributes`."""

    def make() -> dict[str, int | None]:
        found = loaded.backend.attributes(function)
        if found["registers"] is None:
            found.update(_of_cubin(loaded, module, kernel))
        return found

    return dict(loaded.remembered(("attributes", module, kernel), make))


def _of_cubin(loaded: Loaded, module: str, kernel: str) -> dict[str, int | None]:
    """What an assembler says of a kernel that runs on the host device; nothing without one."""
    from xgpu.backend.nvptx.cubin_kernels import kernels_of_cubin

    try:
        image = _compiled(loaded, "bin")[module]
    except (DiagnosticError, KeyError):
        return {}  # no assembler, or what only the host device takes
    found = kernels_of_cubin(image).get(kernel)
    if found is None:
        return {}
    return {"registers": found.registers, "local_bytes": found.local_bytes}


def occupancy_of(
    loaded: Loaded, attributes: dict[str, int | None], function: int, threads: int, shared: int
) -> float:
    """The part of a multiprocessor's threads that blocks of `threads` keep busy. Raises ValueError
    for a block that is larger than any can be."""
    largest = attributes["max_threads"] or loaded.backend.limits()["threads_per_block"]
    if threads > largest:
        raise ArgumentValueError(f"block has {threads} threads, the limit is {largest}")
    most = loaded.backend.limits()["threads_per_multiprocessor"]
    blocks = loaded.backend.resident_blocks(function, threads, shared)
    warps = -(-threads // _WARP)
    if blocks is not None:
        return min(1.0, blocks * warps * _WARP / most)
    chip = _chip(loaded)
    used = (attributes["shared_bytes"] or 0) + shared
    found = occupancy(chip, threads, attributes["registers"], used)
    if found is None:
        raise DeviceError(f"the limits of {chip.rstrip('af')} are not known here")
    return found


def sass_of(loaded: Loaded, module: str, kernel: str) -> str:
    """A kernel's machine code as text."""
    if find_tool("nvdisasm") is None:
        raise DeviceError("no nvdisasm: it comes with NVIDIA's toolkit (cuda-nvdisasm)")
    try:
        text = disassembled(_compiled(loaded, "bin")[module])
    except DiagnosticError as problem:
        raise DeviceError(problem.message) from None
    assert text is not None  # the tool is there
    own = [part for part in text.split(".section\t") if part.startswith(f".text.{kernel},")]
    return own[0] if own else text


# -- source


def source_of(loaded: Loaded, location: Sequence[str | int] | None) -> str | None:
    """The lines that define a kernel: from its location to the bracket that closes it."""
    if location is None or not isinstance(loaded.source, str):
        return None
    filename, text = loaded.shown or (loaded.filename, loaded.source)
    lines = text.splitlines()
    begin = int(location[1]) - 1
    if not 0 <= begin < len(lines) or location[0] != filename:
        return None
    depth = 0
    opened = False
    for end in range(begin, len(lines)):
        code = lines[end].split("//", 1)[0]
        depth += code.count("{") - code.count("}")
        opened = opened or "{" in code
        if opened and depth <= 0:
            return "\n".join(lines[begin : end + 1])
    return None
