# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-runner`: runs a program. A drop-in for `mlir-runner` 22.1, for programs with kernels too.

Given IR that is not lowered, it lowers it for the device that it runs on. Exit code 0, or 1 with
one diagnostic; Ctrl-C is one too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from xgpu.core.ir.errors import DeviceError, DiagnosticError, UsageError
from xgpu.core.support.ownership import own_process
from xgpu.tools.process import complain, guarded, relax_collector, report, say
from xgpu.tools.runner_arguments import help_text, parse_arguments

if TYPE_CHECKING:
    from ctypes import CDLL

    from xdsl.dialects.builtin import ModuleOp

    from xgpu.core.ir.errors import Diagnostic
    from xgpu.driver.engine import HostProgram
    from xgpu.host_device.compiler.checks import Locations
    from xgpu.runtime.device import Device
    from xgpu.runtime.session import Session
    from xgpu.tools.runner_arguments import Arguments

TOOL = "xgpu-runner"

_BUILT_IN = (
    "mlir_runner_utils", "mlir_c_runner_utils", "mlir_async_runtime", "mlir_cuda_runtime",
    "mlir_float16_utils",
)  # fmt: skip


def load_libraries(paths: Sequence[str]) -> list[CDLL]:
    """Open the libraries that are not built in. Raises `UsageError`."""
    import ctypes

    libraries: list[CDLL] = []
    for path in paths:
        stem = os.path.basename(path).split(".", 1)[0].removeprefix("lib")
        if stem in _BUILT_IN:
            continue
        try:
            libraries.append(ctypes.CDLL(path, ctypes.RTLD_GLOBAL))
        except OSError as problem:
            raise UsageError(f"cannot load library '{path}': {problem}") from None
    return libraries


def run(argv: Sequence[str]) -> int:
    """The tool with `argv` (without its name); its exit code. Raises what `main` turns to text."""
    arguments = parse_arguments(argv)
    from xgpu.tools.files import check_output, read_input, shown_name, write_output

    if arguments.show is not None:
        from xgpu.version import MLIR_VERSION, __version__

        text = (
            help_text()
            if arguments.show == "help"
            else (f"xgpu-runner {__version__}, MLIR's syntax of {MLIR_VERSION}\n")
        )
        write_output("-", text)
        return 0
    from xgpu.runtime.session import Session

    for path in (arguments.trace, arguments.timeline, arguments.sanitize_report):
        if path is not None:
            check_output(path)
    if arguments.timeline is not None:
        from xgpu.tools.timeline import check_suffix

        check_suffix(arguments.timeline)
    text = read_input(arguments.input)
    name = shown_name(arguments.input)
    source = _prepared(arguments, text, name)
    if source is None:
        return 1
    libraries = load_libraries(arguments.libraries)
    session = Session()
    session.output = _standard_output()
    if arguments.trace is not None or arguments.timeline is not None:
        session.start_trace()
    if arguments.explain:
        say(_explanation(source, name))
    device = None
    if not (arguments.explain or arguments.schedules is not None or arguments.sanitize is not None):
        device = _device(arguments, session)
        kept = _kept_program(arguments, source, name, device)
        if device is not None and kept is not None:
            return _run_kept(arguments, text, name, libraries, session, device, kept)
    from xgpu.core.syntax import diagnostics

    code = 0
    with diagnostics.collect() as collected:
        try:
            if arguments.schedules is not None and arguments.sanitize is not None:
                from xgpu.tools.sanitizer import execute_in_orders

                code = execute_in_orders(arguments, source, name, libraries, session)
            elif arguments.schedules is not None:
                from xgpu.tools.schedules import explore

                code = explore(arguments, source, name, libraries, session)
            elif arguments.sanitize is not None:
                from xgpu.tools.sanitizer import execute

                code = execute(arguments, source, name, _execute, libraries, session)
            else:
                _execute(arguments, source, name, libraries, session, device, collected)
        except DiagnosticError as e:
            collected.extend(e.diagnostics)
            code = 1
    report(collected, {name: text})
    return code


def _prepared(arguments: Arguments, text: str, name: str) -> str | ModuleOp | None:
    """The program, as text, or as a module after the passes that the command line names; None
    where these have failed, which is reported."""
    for plugin in arguments.plugins:
        from xgpu.tools.plugins import load_plugin

        load_plugin(plugin)
    if arguments.pipeline is None:
        return text
    from xgpu.core.passes.pipeline_text import parse_pipeline
    from xgpu.core.syntax import context, diagnostics
    from xgpu.driver import compiler
    from xgpu.tools.process import show_cause

    manager = parse_pipeline(arguments.pipeline)
    module: ModuleOp | None = None
    with diagnostics.collect() as collected:
        try:
            module = compiler.parse(text, name)
            manager.run(module, context())
        except DiagnosticError as e:
            show_cause(e, debug=arguments.debug)
            collected.extend(e.diagnostics)
            module = None
    report(collected, {name: text})
    return module


def _explanation(source: str | ModuleOp, name: str) -> str:
    """What `--explain-overlap` says; nothing of a program that cannot be read: running it will."""
    from xgpu.conversion.async_tokens.overlap import explain
    from xgpu.driver import compiler

    try:
        return explain(compiler.parse(source, name))
    except DiagnosticError:
        return ""


def _device(arguments: Arguments, session: Session) -> Device | None:
    """The device that was asked for; None if there is none, which is said later: what is wrong with
    the program comes first."""
    from xgpu.driver import compiler

    try:
        return compiler.open_device(arguments.device, session)
    except (DeviceError, UsageError):
        return None


def _kept_program(
    arguments: Arguments, source: str | ModuleOp, name: str, device: Device | None
) -> tuple[str, Locations] | None:
    """The program as it was lowered for the device before; None if it was not."""
    if device is None or not isinstance(source, str):
        return None
    from xgpu.driver import kept_programs

    return kept_programs.find(
        kept_programs.key_of(source, name, device, arguments.entry, arguments.opt_level)
    )


def _run_kept(
    arguments: Arguments, source: str, name: str, libraries: list[CDLL], session: Session,
    device: Device, kept: tuple[str, Locations],
) -> int:  # fmt: skip
    """Run a program that was lowered before, without what only lowering needs."""
    try:
        _finish(
            arguments, name, session,
            lambda: _start(arguments, libraries, session, device, *kept, arguments.entry),
        )  # fmt: skip
    except DiagnosticError as e:
        report(e.diagnostics, {name: source})
        return 1
    return 0


def _execute(
    arguments: Arguments, source: str | ModuleOp, name: str, libraries: list[CDLL],
    session: Session, opened: Device | None = None, collected: list[Diagnostic] | None = None,
) -> None:  # fmt: skip
    """Lower a program and run it. It is kept if `collected`, to which warnings come, is there and
    has none."""
    from xgpu.core.support.notices import slow
    from xgpu.driver import compiler, kept_programs
    from xgpu.driver.options import check_entry, is_library
    from xgpu.host_device.compiler.checks import Locations

    def act() -> object:
        device = opened
        try:
            module = compiler.parse(source, name)
            entry: str | None = None
            if arguments.entry_named or not is_library(module, arguments.entry):
                entry = arguments.entry
                check_entry(module, entry)
            device = device or compiler.open_device(arguments.device, session)
            locations = Locations()
            with slow("compiling"):
                text = compiler.host_text(module, device, locations, arguments.opt_level)
        except BaseException:
            if device is not None:
                device.close()
            raise
        if collected == [] and entry is not None and isinstance(source, str):
            key = kept_programs.key_of(source, name, device, arguments.entry, arguments.opt_level)
            kept_programs.keep(key, text, locations)
        return _start(arguments, libraries, session, device, text, locations, entry)

    _finish(arguments, name, session, act)


def _start(
    arguments: Arguments, libraries: list[CDLL], session: Session, device: Device, text: str,
    locations: Locations, entry: str | None,
) -> object:  # fmt: skip
    """Run a lowered program; its result. One that others call is loaded, and nothing called."""
    from xgpu.driver.engine import HostProgram

    try:
        _set_forms(arguments, device)
        program = HostProgram(
            text, entry, arguments.result, session=session, device=device,
            opt_level=arguments.opt_level, libraries=tuple(libraries), locations=locations,
            lasting=entry is None,
        )  # fmt: skip
        if entry is None:
            _load(program)
            device.close()
            return None
        return program.run()
    except BaseException:
        device.close()
        raise


def _load(program: HostProgram) -> None:
    """Load what others call, kernels too, and let go of it."""
    try:
        program.begin()
    finally:
        program.end()
    complain(
        "xgpu-runner: warning: no function of the program can be called without arguments: it was "
        "compiled and loaded, and nothing was run"
    )


def _finish(arguments: Arguments, name: str, session: Session, act: Callable[[], object]) -> None:
    """Do it, and say what comes at the end, whatever happened."""
    try:
        value = act()
        if value is not None:
            session.output(f"{value:e}\n" if isinstance(value, float) else f"{value}\n")
    except KeyboardInterrupt as e:
        e.location = session.location() or name  # type: ignore[attr-defined]
        raise
    finally:
        say("")
        if arguments.report:
            say(session.report())
        if arguments.trace is not None:
            from xgpu.tools.files import write_output

            write_output(arguments.trace, session.trace_json())
        if arguments.timeline is not None:
            from xgpu.tools.timeline import write_timeline

            write_timeline(arguments.timeline, session, name)


def _set_forms(arguments: Arguments, device: Any) -> None:
    """Tells the host device how to run kernels. Raises `UsageError` for another device."""
    if arguments.form == "auto" and not arguments.forms:
        return
    if device.name != "host":
        raise UsageError("options '--kernel-form' and '--print-kernel-forms' need the host device")
    device.forms.forced = arguments.form
    if arguments.forms:
        device.forms.report = complain


def _standard_output() -> Callable[[str], None]:
    """Writes to standard output, in order with what C code prints."""
    import ctypes
    import errno

    flush_c = ctypes.CDLL(None).fflush
    stream: Any = sys.stdout
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="surrogateescape")

    def write(text: str) -> None:
        if stream is None:
            raise OSError(errno.EBADF, "standard output is closed")
        flush_c(None)
        stream.write(text)
        stream.flush()

    return write


def main(argv: Sequence[str] | None = None) -> int:
    """The console script: never a traceback, unless `--debug` asks for one."""
    given = list(sys.argv[1:] if argv is None else argv)

    def work() -> int:
        from xgpu.driver.engine import ProgramError

        try:
            return run(given)
        except (DeviceError, ProgramError) as e:
            complain(_with_source(str(e)))
            return 1
        except KeyboardInterrupt as e:
            location = getattr(e, "location", None)
            complain(f"{location or TOOL}: error: interrupted")
            os._exit(1)  # threads of the program may still be in native code

    return guarded(TOOL, work, debug=any(a.lstrip("-") == "debug" for a in given))


def _with_source(text: str) -> str:
    """What a device or program says, with the line of the source, or with the tool's name."""
    if ": error: " not in text.split("\n", 1)[0]:
        return f"{TOOL}: error: {text}"
    from xgpu.core.syntax.diagnostics import with_source_line

    return with_source_line(text, {})


def console() -> NoReturn:
    """The console script: the process is ours, and ends in our words."""
    own_process(TOOL)
    relax_collector()  # a program may run for long
    sys.exit(main())


if __name__ == "__main__":
    console()
