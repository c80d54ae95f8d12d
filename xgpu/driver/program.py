# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program from its source to its result: parsed, lowered for a device, loaded, run.

    program = Program(text, entry="main")
    program.parse()                          # wrong programs end here, before a device is opened
    device = open_device("host", session)
    value = program.run(session, device)     # lowers, loads and runs it

`xgpu.run`, `xgpu.sanitize`, `xgpu.load`, `Explorer` and `xgpu-runner` all go this way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from xgpu.core.ir.errors import Diagnostic, DiagnosticError, public
from xgpu.core.support.cache import LOWERED
from xgpu.driver import compiler
from xgpu.driver.host_source import LoweredProgram
from xgpu.driver.options import (
    OPT_LEVELS,
    RESULTS,
    check_choice,
    check_entry,
    device_name,
    is_library,
)
from xgpu.driver.several_chips import add_code, chooses_devices, kernels_alone, others_for
from xgpu.host_device.compiler.checks import Locations, mark_locations
from xgpu.host_device.compiler.objects import compiled_modules

if TYPE_CHECKING:
    from ctypes import CDLL

    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

    from xgpu.core.passes.manager import Instrumentation
    from xgpu.driver.engine import HostProgram
    from xgpu.runtime.device import Device
    from xgpu.runtime.ranks.calls import Rank
    from xgpu.runtime.session import Session

    class KernelTarget(Protocol):
        """What kernels are compiled for: a device, or what says as much. One with a `chip` says
        which."""

        @property
        def kernel_format(self) -> str: ...


class Program:
    """A program on its way from `source` (text, a module or a path) to a result.

    `entry` is the function that `run` calls, and `result` the kind of its result (`auto`: what it
    returns). Without an entry functions are called by name. One that `may_be_library` loses its
    entry where it has none, and no function that could be one. `options` are the pipeline's, as
    text; `libraries` have functions that the program declares.
    """

    def __init__(
        self, source: str | ModuleOp, filename: str = "-", *, entry: str | None = None,
        result: str = "auto", opt_level: int = 2, libraries: Sequence[CDLL] = (), options: str = "",
        may_be_library: bool = False,
    ) -> None:  # fmt: skip
        check_choice("result", result, RESULTS)
        check_choice("opt_level", opt_level, OPT_LEVELS)
        self.source = source
        self.filename = filename
        self.entry = entry
        self.result = result
        self.opt_level = opt_level
        self.libraries = tuple(libraries)
        self.options = options
        self._may_be_library = may_be_library
        #: What serves calls of MPI in place of a library, None where a library does.
        self.ranks: Rank | None = None
        #: The program as it is now, from `parse` on; `lower` changes it.
        self.module: ModuleOp | None = None
        #: The program for a device, from `lower` or `restore` on.
        self.lowered: LoweredProgram | None = None

    def parse(self) -> ModuleOp:
        """Read the program, if that has not been done, and check its entry. Raises `UsageError`,
        `DiagnosticError`, and `ProgramError` for an entry that is not there."""
        if self.module is None:
            module = compiler.parse(self.source, self.filename)
            entry = self.entry
            if entry is not None and self._may_be_library and is_library(module, entry):
                self.entry = None
            elif entry is not None:
                check_entry(module, entry)
            self.module = module
        return self.module

    def run_passes(self, pipeline: str) -> None:
        """Run passes on the parsed program, in place."""
        from xgpu.core.passes.pipeline_text import parse_pipeline
        from xgpu.core.syntax import context

        parse_pipeline(pipeline).run(self.parse(), context())

    def outline(self) -> None:
        """Put kernels into modules of their own, as the pipeline begins, which then finds nothing
        left to do for that."""
        module = self.parse()
        if compiler.is_lowered(module) or compiler.has_kernels_alone(module):
            return
        steps = compiler.structured_passes(module)
        steps += ["convert-nvgpu-to-nvvm", "gpu-kernel-outlining"]
        self.run_passes(f"builtin.module({','.join(steps)})")

    def lower(
        self, device: KernelTarget, instruments: Sequence[Instrumentation] = ()
    ) -> LoweredProgram:
        """The program for a device, lowered if that has not been done; `instruments` are called for
        each pass."""
        if self.lowered is None:
            self.lowered = lower_program(
                self.parse(), device, self.opt_level, self.options, instruments,
                watches_messages=self.ranks is not None,
            )  # fmt: skip
        return self.lowered

    def restore(self, device: Device) -> bool:
        """Take the program for a device from the cache; whether it was there."""
        key = self._key(device)
        data = LOWERED.get(key) if key is not None else None
        if data is not None:
            self.lowered = LoweredProgram.from_json(data)
        return data is not None

    def store(self, device: Device) -> None:
        """Put the lowered program into the cache, unless it came as a module or has no entry."""
        key = self._key(device)
        if key is not None and self.lowered is not None:
            LOWERED.put(key, self.lowered.to_json().encode())

    def _key(self, device: Device) -> str | None:
        if not isinstance(self.source, str) or self.entry is None:
            return None
        chips = [getattr(device, "chip", None)]
        if chooses_devices(self.source):
            chips += getattr(device, "other_chips", ())
        # Programs of ranks that share memory are watched.
        format = f"{device.kernel_format}{' of ranks' if self.ranks is not None else ''}"
        return LOWERED.key(
            format=format, chips=chips, entry=self.entry, opt_level=self.opt_level,
            options=self.options, filename=self.filename, source=self.source,
        )  # fmt: skip

    def load(self, session: Session, device: Device, *, repeatable: bool = False) -> HostProgram:
        """The program as machine code in memory, lowered if that has not been done. One that is
        `repeatable` may be run many times; any other that has no entry is `lasting` (see
        `HostProgram`)."""
        from xgpu.driver.engine import HostProgram

        return HostProgram(
            self.lower(device), self.entry, self.result, session=session, device=device,
            opt_level=self.opt_level, libraries=self.libraries, repeatable=repeatable,
            lasting=self.entry is None and not repeatable, ranks=self.ranks,
        )  # fmt: skip

    def run(self, session: Session, device: Device) -> int | float | None:
        """Call the entry; its result. The device is closed, whatever happens. Raises
        `DiagnosticError`, `DeviceError` and `ProgramError`."""
        try:
            return self.load(session, device).run()
        finally:
            device.close()


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
    from xgpu.runtime.session import Session

    program = Program(
        source, filename, entry=entry, result=result, opt_level=opt_level, libraries=libraries
    )
    device = device_name(device)
    program.parse()
    session = Session()
    session.text = source if isinstance(source, str) else None
    if output is not None:
        session.output = output
    if trace:
        session.start_trace()
    opened = open_device(device, session)
    if isinstance(source, str):
        _show_in_reports(filename, source)
    return Result(program.run(session, opened), session)


def _show_in_reports(filename: str, text: str) -> None:
    """Let a watch of the sanitizer that is open show lines of a program."""
    from xgpu.host_device.sanitizer.reports import watch

    watched = watch.current()
    if watched is not None:
        watched.sources[filename] = text


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


def lower_program(
    module: ModuleOp, device: KernelTarget, opt_level: int = 2, options: str = "",
    instruments: Sequence[Instrumentation] = (), *, watches_messages: bool = False,
) -> LoweredProgram:  # fmt: skip
    """The host program, lowered, with the kernels compiled for `device`. Changes `module`.

    `options` are the pipeline's, for a program that is not lowered; `instruments` are called for
    each pass. A program that `watches_messages` says what it does with buffers of messages.
    """
    from xgpu.backend.llvm_ir import translate_parts  # not for a program in the cache
    from xgpu.host_device.compiler.address_spaces import keep_apart
    from xgpu.host_device.compiler.message_checks import watch_messages

    locations = Locations()
    if watches_messages:
        _watch_indices(module)
    with compiled_modules() as kernels:
        _lower_kernels(module, device, opt_level, options, instruments)
    sanitizer = getattr(device, "sanitizer", None)
    if sanitizer is not None:
        sanitizer.instrument_host(module)
    if device.kernel_format == "host":
        _check_runs_on_host(module)
        if sanitizer is None:
            keep_apart(module, locations)
    if watches_messages:
        watch_messages(module, locations)
    mark_locations(module, locations)
    parts = translate_parts(module)
    if device.kernel_format == "host":
        return LoweredProgram(parts, locations, kernels)
    from xgpu.driver.function_facts import graph_functions, straight_functions

    return LoweredProgram(
        parts, locations, kernels, graph_functions=graph_functions(module),
        straight_functions=straight_functions(module),
    )  # fmt: skip


def _watch_indices(module: ModuleOp) -> None:
    """Lets the program say where an index is out of bounds, once it has indices."""
    from xgpu.core.passes.pipeline_text import parse_pipeline
    from xgpu.core.syntax import context
    from xgpu.host_device.compiler.message_checks import check_indices

    if not compiler.is_lowered(module):
        steps = ",".join([*compiler.structured_passes(module), "lower-affine"])
        parse_pipeline(f"builtin.module({steps})").run(module, context())
        check_indices(module)


def _lower_kernels(
    module: ModuleOp, device: KernelTarget, opt_level: int, options: str,
    instruments: Sequence[Instrumentation],
) -> None:  # fmt: skip
    """Run the pipeline for a device on a program, unless it is lowered, in place."""
    sanitizer = getattr(device, "sanitizer", None)
    if compiler.is_lowered(module):
        return
    if sanitizer is not None:
        sanitizer.prepare(module)
        # Events live as long as the program there, which would hide what leaks.
        if "leak" not in sanitizer.kinds:
            options = options or tokens_alone(module)
    chip = getattr(device, "chip", None) or compiler.HOST_CHIP
    format = device.kernel_format
    others = [other for other in others_for(module, device) if other != chip]
    copies = {other: kernels_alone(module) for other in others}

    def lower_for(module: ModuleOp, chip: str) -> None:
        compiler.lower(module, chip=chip, format=format, opt_level=opt_level, options=options)

    compiler.lower(
        module, chip=chip, format=format, opt_level=opt_level, options=options,
        instruments=instruments,
    )  # fmt: skip
    if copies:
        add_code(module, copies, lower_for, compiler.device_code, chip)
    lowered = compiler.LOWERED_DIALECTS
    left = next((op for op in module.walk() if not op.name.startswith(lowered)), None)
    if left is not None:
        message = f"'{left.name}' is left after lowering"
        if _has_tensor(left):
            message += ": it has tensors, which passes before must make buffers of, such as "
            message += "one-shot-bufferize"
        raise DiagnosticError(Diagnostic("error", message, left.location))


def _has_tensor(op: Operation) -> bool:
    """Whether an operation, or the signature of a function, has a tensor."""
    from xdsl.dialects.builtin import FunctionType, TensorType, UnrankedTensorType

    types = [value.type for value in (*op.operands, *op.results)]
    signature = op.properties.get("function_type")
    if isinstance(signature, FunctionType):
        types += [*signature.inputs, *signature.outputs]
    return any(isinstance(ty, TensorType | UnrankedTensorType) for ty in types)


def tokens_alone(module: ModuleOp) -> str:
    """The pipeline's options under which nothing but tokens orders a program's operations, streams
    that come together by chance least of all; none for a program that has threads of its own."""
    if any(op.name == "async.execute" for op in module.walk()):
        return ""
    return "async-assign=exact"


def _check_runs_on_host(module: ModuleOp) -> None:
    """Raises at the first `gpu.binary` whose first object is code for a GPU alone."""
    from xgpu.host_device.device.modules import gpu_only, not_for_host

    code = compiler.device_code(module)
    for op in module.regions[0].blocks[0].ops:
        if op.name == "gpu.binary":
            data = code[op.properties["sym_name"].data]  # type: ignore[attr-defined]
            if gpu_only(data) is not None:
                raise DiagnosticError(Diagnostic("error", not_for_host(data), op.location))
