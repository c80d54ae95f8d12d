# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading programs, lowering them, and `xgpu.compile`.

import xgpu
print(xgpu.compile(text, chip="sm_90", format="isa").kernels["kernels"].decode())
"""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import public
from xgpu.driver.options import (
    OPT_LEVELS,
    check_chip,
    check_choice,
    check_format,
    language_of,
    source_of,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

    from xgpu.core.passes.manager import Instrumentation

_TOOLKITS = ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH")

# Dialects that are left when a program has been lowered for the host.
LOWERED_DIALECTS = ("llvm.", "builtin.", "gpu.binary", "gpu.launch_func", "gpu.module")

# The host device runs what any GPU can: kernels for it are lowered as for the chip with most
# features.
HOST_CHIP = "sm_90a"

# What the pipeline for GPUs does not take, and programs often hold: made into what it takes. Front
# ends such as numba-cuda-mlir have whole arrays in kernels, as tensors. Each thread computes them.
_STRUCTURED = (
    (
        # A program over several ranks: what each of them runs.
        "shard.",
        "shard-distribute,convert-shard-to-mpi,canonicalize,mpi-cache-communicators,"
        "one-shot-bufferize{bufferize-function-boundaries},convert-linalg-to-loops,lower-affine",
    ),
    ("shape.", "convert-shape-to-std"),
    (("tensor.", "bufferization."), "one-shot-bufferize"),
    ("linalg.", "convert-linalg-to-loops"),
)
_BEFORE = (
    *_STRUCTURED,
    (
        "async.",
        # Tokens of the gpu dialect first: what runs beside other threads becomes coroutines, which
        # have several ways through that no lowering of tokens should have to know.
        "gpu-kernel-outlining,gpu-async-to-mgpu,mgpu-verify-lifetimes,"
        "async-func-to-async-runtime,async-to-async-runtime,async-runtime-ref-counting,"
        "async-runtime-ref-counting-opt,convert-async-to-llvm",
    ),
)


class Compiled:
    """A lowered program: `module`, and the device code of each kernel module by name. Where the
    code comes from the cache, the module is lowered on demand."""

    __slots__ = ("_lowered", "_module", "kernels")

    def __init__(
        self, module: ModuleOp | Callable[[], ModuleOp], kernels: dict[str, bytes]
    ) -> None:
        self._module, self._lowered = (None, module) if callable(module) else (module, None)
        self.kernels = kernels

    @property
    def module(self) -> ModuleOp:
        if self._module is None:
            assert self._lowered is not None
            self._module = self._lowered()
        return self._module

    def __repr__(self) -> str:
        code = ", ".join(f"{name}: {len(data)} bytes" for name, data in self.kernels.items())
        return f"<Compiled, {code or 'no kernels'}>"


def parse(source: str | ModuleOp, filename: str = "-") -> ModuleOp:
    """The module of a text, or a copy of a module in our classes, so that the caller's stays as it
    is; verified. A file's path is read. Raises `UsageError` for any other kind of source."""
    from xgpu.core.ods.registry import is_ours
    from xgpu.core.syntax.verify import verify_module

    source, filename = source_of(source, filename)
    module = _read(source, filename) if isinstance(source, str) else source.clone()
    if not is_ours(module):
        from xgpu.core.syntax.interop import ClassConversion

        ClassConversion(module)
    verify_module(module)
    return module


def _read(text: str, filename: str) -> ModuleOp:
    """The module of a text in MLIR or in another language that programs come in."""
    language = language_of(text, filename)
    if language:
        from xgpu.frontend import read_program

        return read_program(language, text, filename)
    from xgpu.core.syntax import parse_module

    return parse_module(text, filename)


def is_lowered(module: Operation) -> bool:
    """Whether nothing but the llvm dialect, kernel binaries and launches of them is left."""
    from xgpu.core.ir.construction import nested_operations  # a cached program needs no xDSL

    for op in module.regions[0].blocks[0].ops:
        if op.name == "gpu.module":
            return False
        if op.name == "gpu.binary":
            continue
        if not all(o.name.startswith(LOWERED_DIALECTS) for o in (op, *nested_operations(op))):
            return False
    return True


def structured_passes(module: ModuleOp) -> list[str]:
    """The passes that turn structured operations on tensors and buffers into loops."""
    from xgpu.core.ir.construction import nested_operations

    names = {op.name for op in nested_operations(module)}
    return [p for prefix, p in _STRUCTURED if any(n.startswith(prefix) for n in names)]


def _needs_standard_complex(names: Iterable[str]) -> bool:
    """Whether complex operations are among `names` that have no conversion to llvm."""
    found = [name for name in names if name.startswith("complex.")]
    if not found:
        return False
    from xgpu.conversion.scalar.complex_to_llvm import RULES

    return any(name not in RULES for name in found)


def _declares_device_runtime(module: ModuleOp) -> bool:
    """Whether kernels call functions of CUDA's device runtime."""
    from xgpu.core.ir.symbols import body_operations, symbol_name  # not for a cached program
    from xgpu.transforms.gpu.device_runtime import FUNCTIONS

    kernels = [op for op in module.regions[0].blocks[0].ops if op.name == "gpu.module"]
    return any(symbol_name(op) in FUNCTIONS for kernel in kernels for op in body_operations(kernel))


#: What programs have that came as LLVM IR or PTX.
_KERNEL_DIALECTS = ("llvm.", "nvvm.", "gpu.module", "builtin.module")


def has_kernels_alone(module: Operation) -> bool:
    """Whether a program is kernels in the llvm and nvvm dialects, which have nothing left to be
    lowered, without a host."""
    operations = list(module.regions[0].blocks[0].ops)
    return bool(operations) and all(
        op.name == "gpu.module" and all(o.name.startswith(_KERNEL_DIALECTS) for o in op.walk())
        for op in operations
    )


def lower(
    module: ModuleOp, *, chip: str, format: str, opt_level: int = 2, options: str = "",
    instruments: Sequence[Instrumentation] = (),
) -> None:  # fmt: skip
    """Run the pipeline for GPUs on `module`, in place: host to llvm, kernels to `format`.

    `options` are more of the pipeline's, as text; `instruments` are called for each pass.
    """
    from xgpu.core.passes.pipeline_text import parse_pipeline
    from xgpu.core.syntax import context

    names = {op.name for op in module.walk()}
    before = [p for prefix, p in _BEFORE if any(n.startswith(prefix) for n in names)]
    defines = _declares_device_runtime(module)
    if defines:
        before.append("gpu.module(gpu-define-device-runtime)")
    if _needs_standard_complex(names):
        before.append("convert-complex-to-standard")
    if "memref.copy" in names:
        before.append("gpu-expand-copies")
    all_options = f"cubin-chip={chip} cubin-format={format} opt-level={opt_level} {options}"
    if has_kernels_alone(module) and not defines:
        all_options += " kernels-alone=1"
    steps = [*before, f"gpu-lower-to-nvvm-pipeline{{{all_options.rstrip()}}}"]
    parse_pipeline(f"builtin.module({','.join(steps)})").run(module, context(), list(instruments))


@public
def compile(
    source: str | ModuleOp, *, chip: str | None = None, format: str = "isa", opt_level: int = 2,
    filename: str = "-", fma_contract: bool = False, fast: bool = False, ftz: bool = False,
    line_info: bool = False,
) -> Compiled:  # fmt: skip
    """Compile a program's kernels.

    `format` is what `gpu-module-to-binary` takes: isa (PTX), bin, fatbin, offloading or host.
    Without a `chip`, the newest that can be compiled for here. `fma_contract` lets a product and a
    sum become one fma, as nvcc does by default; `ftz` flushes denormals; `fast` is nvcc's
    -use_fast_math; `line_info` says in the code which line of the source it comes from. `source` is
    text, a module or a path (`pathlib.Path`); of texts and files the code is cached on disk. Raises
    `UsageError` for arguments that are none of these, `DiagnosticError` for what is wrong in the
    program.
    """
    check_format(format)
    check_choice("opt_level", opt_level, OPT_LEVELS)
    if chip is not None:
        check_chip(chip)
    source, filename = source_of(source, filename)

    def lowered() -> ModuleOp:
        from xgpu.backend.nvptx.compiler import default_chip

        module = parse(source, filename)
        options = f"fma-contract={fma_contract:d} fast={fast:d} ftz={ftz:d} line-info={line_info:d}"
        lower(
            module, chip=chip or default_chip(), format=format, opt_level=opt_level, options=options
        )
        return module

    if not isinstance(source, str):
        module = lowered()
        return Compiled(module, device_code(module))
    from xgpu.core.support.cache import COMPILED

    flags = [chip, format, opt_level, fma_contract, fast, ftz, line_info]
    key = COMPILED.key(tools=_tools(), options=flags, filename=filename, source=source)
    stored = COMPILED.get(key)
    if stored is not None:
        found: dict[str, str] = json.loads(stored)
        return Compiled(lowered, {name: base64.b64decode(code) for name, code in found.items()})
    module = lowered()
    kernels = device_code(module)
    texts = {name: base64.b64encode(code).decode() for name, code in kernels.items()}
    COMPILED.put(key, json.dumps(texts).encode("utf-8", "surrogateescape"))
    return Compiled(module, kernels)


def _tools() -> list[object]:
    """What tells assemblers and libdevice from others, without looking for them: where a toolkit is
    said to be, ptxas, and when packages came to this Python."""
    import shutil

    folders = [os.environ.get(variable) for variable in _TOOLKITS]
    packages = [path for path in sys.path if path.endswith("-packages")]
    files = [shutil.which("ptxas"), "/usr/local/cuda", *folders, *packages]
    return [[path, _changed(path)] for path in files if path]


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def device_code(module: Operation) -> dict[str, bytes]:
    """The code of each kernel module of a lowered program, by name."""
    code: dict[str, bytes] = {}
    for op in module.regions[0].blocks[0].ops:
        if op.name != "gpu.binary":
            continue
        for item in op.properties["objects"]:  # type: ignore[attr-defined]
            data = item.object
            value = getattr(data, "data", data)
            raw = (
                value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogateescape")
            )
            code.setdefault(op.properties["sym_name"].data, raw)  # type: ignore[attr-defined]
    return code
