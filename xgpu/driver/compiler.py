# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xgpu from Python: `compile` IR for a device, `run` a program.

import xgpu
print(xgpu.compile(text, chip="sm_90", format="isa").kernels["kernels"].decode())
result = xgpu.run(text, entry="main", device="host")
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from xgpu.core.ir.errors import Diagnostic, DiagnosticError, public
from xgpu.driver.options import (
    OPT_LEVELS,
    RESULTS,
    check_chip,
    check_choice,
    check_entry,
    check_format,
    device_name,
    source_of,
)

if TYPE_CHECKING:
    from ctypes import CDLL

    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

    from xgpu.core.passes.manager import Instrumentation
    from xgpu.host_device.compiler.checks import Locations
    from xgpu.runtime.device import Device
    from xgpu.runtime.session import Session

    class KernelTarget(Protocol):
        """What kernels are compiled for: a device, or what says as much. One with a `chip` says
        which."""

        @property
        def kernel_format(self) -> str: ...


# Dialects that are left when a program has been lowered for the host.
_LOWERED = ("llvm.", "builtin.", "gpu.binary", "gpu.launch_func", "gpu.module")

# The host device runs what any GPU can: kernels for it are lowered as for the chip with most
# features.
HOST_CHIP = "sm_90a"

# What the pipeline for GPUs does not take, and programs often hold: made into what it takes.
_BEFORE = (
    ("linalg.", "convert-linalg-to-loops"),
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
    code was kept from before, the module is lowered when it is asked for."""

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


class Result:
    """What a run gave: the entry's value (None for void), and the session with report and trace."""

    __slots__ = ("session", "value")

    def __init__(self, value: int | float | None, session: Session) -> None:
        self.value = value
        self.session = session

    def __repr__(self) -> str:
        return f"<Result {self.value!r}>"

    @property
    def report(self) -> str:
        """Kernels, launches, streams, events and bytes: created, destroyed, leaked."""
        return self.session.report()


def parse(source: str | ModuleOp, filename: str = "-") -> ModuleOp:
    """The module of a text, or a copy of a module in our classes, so that the caller's stays as it
    is; verified. A file's path is read. Raises `UsageError` for any other kind of source."""
    from xgpu.core.ods.registry import is_ours
    from xgpu.core.syntax import parse_module
    from xgpu.core.syntax.verify import verify_module

    source, filename = source_of(source, filename)
    module = parse_module(source, filename) if isinstance(source, str) else source.clone()
    if not is_ours(module):
        from xgpu.core.syntax.interop import Crossing

        Crossing(module)
    verify_module(module)
    return module


def is_lowered(module: Operation) -> bool:
    """Whether nothing but the llvm dialect, kernel binaries and launches of them is left."""
    for op in module.regions[0].blocks[0].ops:
        if op.name == "gpu.module":
            return False
        if op.name == "gpu.binary":
            continue
        if not all(inner.name.startswith(_LOWERED) for inner in op.walk()):
            return False
    return True


def lower(
    module: ModuleOp, *, chip: str, format: str, opt_level: int = 2, options: str = "",
    instruments: Sequence[Instrumentation] = (),
) -> None:  # fmt: skip
    """Run the pipeline for GPUs on `module`, in place: host to llvm, kernels to `format`.

    `options` are more of the pipeline's, as text; `instruments` hear of each pass.
    """
    from xgpu.core.passes.pipeline_text import parse_pipeline
    from xgpu.core.syntax import context

    names = {op.name for op in module.walk()}
    before = [p for prefix, p in _BEFORE if any(n.startswith(prefix) for n in names)]
    all_options = f"cubin-chip={chip} cubin-format={format} opt-level={opt_level} {options}"
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
    text, a module or a path (`pathlib.Path`); of texts and files the code is kept on disk. Raises
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
    from xgpu.driver import kept_kernels

    flags = [chip, format, opt_level, fma_contract, fast, ftz, line_info]
    key = kept_kernels.key_of(source, filename, flags)
    kept = kept_kernels.find(key)
    if kept is not None:
        return Compiled(lowered, kept)
    module = lowered()
    kernels = device_code(module)
    kept_kernels.keep(key, kernels)
    return Compiled(module, kernels)


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


def open_device(name: str, session: Session) -> Device:
    """The device `name`: host, cuda, cuda:N, or auto (the first GPU where there is one, else host).
    Raises `UsageError` for any other name, `DeviceError` where there is no such device."""
    name = device_name(name)
    from xgpu.host_device.device.device import HostDevice
    from xgpu.host_device.sanitizer.reports import watch

    watched = watch.current()
    if watched is not None:
        return watched.device(session)
    if name == "host":
        return HostDevice(session)
    from xgpu.runtime.cuda.driver import is_available

    if name == "auto" and not is_available():
        return HostDevice(session)
    from xgpu.driver.cuda_functions import NativeFunctions
    from xgpu.runtime.cuda.device import CudaDevice

    ordinal = 0 if name == "auto" else int(name.removeprefix("cuda:"))
    return CudaDevice(session, ordinal=ordinal, native=NativeFunctions)


def host_text(
    module: ModuleOp, device: KernelTarget, locations: Locations, opt_level: int = 2,
    options: str = "",
    instruments: Sequence[Instrumentation] = (),
) -> str:  # fmt: skip
    """LLVM IR of the host program, with the kernels compiled for `device`. Changes `module`.

    `options` are the pipeline's, for a program that is not lowered; `instruments` hear of passes.
    """
    from xgpu.backend.llvm_ir import translate
    from xgpu.host_device.compiler.address_spaces import keep_apart
    from xgpu.host_device.compiler.checks import mark_locations

    sanitizer = getattr(device, "sanitizer", None)
    if not is_lowered(module):
        from xgpu.driver.several_chips import add_code, kernels_alone, others_for

        if sanitizer is not None:
            sanitizer.prepare(module)
            # Events live as long as the program there, which would hide what leaks.
            if "leak" not in sanitizer.kinds:
                options = options or tokens_alone(module)
        chip = getattr(device, "chip", None) or HOST_CHIP
        format = device.kernel_format
        others = [other for other in others_for(module, device) if other != chip]
        copies = {other: kernels_alone(module) for other in others}

        def lower_for(module: ModuleOp, chip: str) -> None:
            lower(module, chip=chip, format=format, opt_level=opt_level, options=options)

        lower(
            module, chip=chip, format=format, opt_level=opt_level, options=options,
            instruments=instruments,
        )  # fmt: skip
        if copies:
            add_code(module, copies, lower_for, device_code, chip)
        left = next((op for op in module.walk() if not op.name.startswith(_LOWERED)), None)
        if left is not None:
            raise DiagnosticError(
                Diagnostic("error", f"'{left.name}' is left after lowering", left.location)
            )
    if sanitizer is not None:
        sanitizer.instrument_host(module)
    if device.kernel_format == "host":
        _check_runs_on_host(module)
        if sanitizer is None:
            keep_apart(module, locations)
    mark_locations(module, locations)
    return translate(module)


def tokens_alone(module: ModuleOp) -> str:
    """The pipeline's options under which nothing but tokens orders a program's operations, streams
    that come together by chance least of all; none for a program that has threads of its own."""
    if any(op.name == "async.execute" for op in module.walk()):
        return ""
    return "async-assign=exact"


def _check_runs_on_host(module: ModuleOp) -> None:
    """Raises at the first `gpu.binary` whose first object is code for a GPU alone."""
    from xgpu.host_device.device.modules import gpu_only, not_for_host

    code = device_code(module)
    for op in module.regions[0].blocks[0].ops:
        if op.name == "gpu.binary":
            data = code[op.properties["sym_name"].data]  # type: ignore[attr-defined]
            if gpu_only(data) is not None:
                raise DiagnosticError(Diagnostic("error", not_for_host(data), op.location))


def _show_in_reports(filename: str, text: str) -> None:
    """Let a watch of the sanitizer that is open show lines of a program."""
    from xgpu.host_device.sanitizer.reports import watch

    watched = watch.current()
    if watched is not None:
        watched.sources[filename] = text


@public
def run(
    source: str | ModuleOp, *, entry: str = "main", result: str = "auto", device: str = "auto",
    opt_level: int = 2, libraries: Sequence[CDLL] = (), filename: str = "-", trace: bool = False,
    output: Callable[[str], None] | None = None,
) -> Result:  # fmt: skip
    """Run a program: lower it for `device` unless it is lowered, compile it, call `entry`.

    `result` is void, i32, i64, f32, or auto (what the entry returns). `output` gets what is
    printed; `libraries` are ctypes libraries with functions that the program declares. Raises
    `UsageError` (the arguments), `DiagnosticError` (the IR), `DeviceError` (the device),
    `ProgramError` (the program).
    """
    from xgpu.driver.engine import HostProgram
    from xgpu.host_device.compiler.checks import Locations
    from xgpu.runtime.session import Session

    check_choice("result", result, RESULTS)
    check_choice("opt_level", opt_level, OPT_LEVELS)
    device = device_name(device)
    module = parse(source, filename)
    check_entry(module, entry)
    session = Session()
    session.text = source if isinstance(source, str) else None
    if output is not None:
        session.output = output
    if trace:
        session.start_trace()
    opened = open_device(device, session)
    if isinstance(source, str):
        _show_in_reports(filename, source)
    locations = Locations()
    try:
        text = host_text(module, opened, locations, opt_level)
        program = HostProgram(
            text, entry, result, session=session, device=opened, opt_level=opt_level,
            libraries=tuple(libraries), locations=locations,
        )  # fmt: skip
        value = program.run()
    finally:
        opened.close()
    return Result(value, session)
