# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-runner`: runs a program. A drop-in for `mlir-runner` 22.1, for programs with kernels too.

Given IR that is not lowered, it lowers it for the device that it runs on. Exit code 0, or 1 with
one diagnostic; Ctrl-C is one too.
"""

from __future__ import annotations

import ctypes
import errno
import gc
import os
import sys
from collections.abc import Callable, Sequence
from ctypes import CDLL
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from xgpu.core.ir.errors import DeviceError, Diagnostic, DiagnosticError, UsageError
from xgpu.core.support.files import is_bytecode
from xgpu.core.support.process import own_process, slow
from xgpu.runtime.mpi import has_mpiexec, rank, start_ranks
from xgpu.tools.process import complain, guarded, relax_collector, report, say, show_cause
from xgpu.tools.runner_arguments import Arguments, help_text, parse_arguments
from xgpu.tools.services import launch_kernel
from xgpu.version import MLIR_VERSION, __version__

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from xgpu.driver.engine import HostProgram
    from xgpu.driver.program import Program
    from xgpu.driver.ranks import RanksResult
    from xgpu.runtime.device import Device
    from xgpu.runtime.session import Session
    from xgpu.tools.explorer.page import ExploredRun

TOOL = "xgpu-runner"

_BUILT_IN = (
    "mlir_runner_utils", "mlir_c_runner_utils", "mlir_async_runtime", "mlir_cuda_runtime",
    "mlir_float16_utils",
)  # fmt: skip


def load_libraries(paths: Sequence[str]) -> list[CDLL]:
    """Open the libraries that are not built in. Raises `UsageError`."""
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
        text = (
            help_text()
            if arguments.show == "help"
            else (f"xgpu-runner {__version__}, MLIR's syntax of {MLIR_VERSION}\n")
        )
        write_output("-", text)
        return 0
    if arguments.ranks is not None:
        return _run_ranks(arguments.ranks, arguments, argv)
    if arguments.kernel is not None:
        return _reporting(lambda: launch_kernel()(arguments))
    from xgpu.runtime.session import Session

    outputs = (
        arguments.trace, arguments.timeline, arguments.sanitize_report, arguments.explore,
    )  # fmt: skip
    for path in outputs:
        if path is not None:
            check_output(path)
    if arguments.timeline is not None:
        from xgpu.tools.timeline import check_suffix

        check_suffix(arguments.timeline)
    text = read_input(arguments.input)
    name = shown_name(arguments.input)
    session = Session()
    if arguments.explore is None:
        return _run_source(arguments, text, name, session, None)
    from xgpu.tools.explorer.page import ExploredRun, page

    explored = ExploredRun(name, "" if is_bytecode(text) else text)
    try:
        return _run_source(arguments, text, name, session, explored)
    finally:
        write_output(arguments.explore, page(explored.exploration(session)))


def _run_ranks(count: int, arguments: Arguments, argv: Sequence[str]) -> int:
    """Starts the tool once for each rank by `mpiexec`, with the same command line without `--ranks`
    and `--mpi`; or forks the ranks, where there is no MPI library."""
    if count < 1:
        raise UsageError("option '--ranks' is '0', expected at least 1")
    if arguments.input == "-":
        raise UsageError("option '--ranks' needs a file: ranks have no standard input")
    if arguments.mpi == "shared" or (arguments.mpi == "auto" and not has_mpiexec()):
        return _run_own_ranks(count, arguments)
    rest = list(argv)
    for name in ("ranks", "mpi"):
        at = next((i for i, g in enumerate(rest) if g.lstrip("-").partition("=")[0] == name), None)
        if at is not None:
            del rest[at : at + (1 if "=" in rest[at] else 2)]
    return start_ranks(count, [sys.executable, "-m", "xgpu.tools.xgpu_runner", *rest])


def _run_own_ranks(count: int, arguments: Arguments) -> int:
    """Runs ranks that share memory; the exit code. Raises `UsageError` for options that need one
    process."""
    from xgpu.core.syntax import diagnostics
    from xgpu.driver.program import Program, open_device
    from xgpu.driver.ranks import RankError, RanksProgram
    from xgpu.runtime.session import Session
    from xgpu.tools.files import read_input, shown_name

    for option in ("explore", "profile", "schedules"):
        if getattr(arguments, option) not in (None, False):
            raise UsageError(f"options '--mpi=shared' and '--{option}' exclude one another")
    text, name = read_input(arguments.input), shown_name(arguments.input)
    source = _prepared(arguments, text, name, None)
    if source is None:
        return 1
    program = Program(
        source, name, entry=arguments.entry, result=arguments.result,
        opt_level=arguments.opt_level, libraries=load_libraries(arguments.libraries),
    )  # fmt: skip
    session = Session()
    session.output = _standard_output()
    if arguments.report or arguments.trace or arguments.timeline:
        session.start_trace()
    code = 0
    with diagnostics.collect() as collected:
        try:
            if arguments.sanitize is not None:
                from xgpu.tools.sanitizer import execute_in_ranks

                show = partial(_show_ranks, arguments, session)
                code = execute_in_ranks(arguments, program, session, count, show)
            else:
                device = open_device(arguments.device, session)
                result = RanksProgram(program, session, device).run(count)
                _show_ranks(arguments, session, result)
        except DiagnosticError as e:
            collected.extend(e.diagnostics)
            code = 1
        except RankError as e:
            complain(_with_source(str(e), e.number))
            code = 1
    report(collected, {name: text})
    return code


def _show_ranks(arguments: Arguments, session: Session, result: RanksResult) -> None:
    """The value of each rank, and what is asked for besides: the report, the trace, the
    timeline."""
    for value in result.values:
        _print_value(session, value)
    if arguments.report:
        say(result.report())
    session.events, session.lane_names = result.joined()
    if arguments.trace is not None:
        from xgpu.tools.files import write_output

        write_output(arguments.trace, session.trace_json())
    if arguments.timeline is not None:
        from xgpu.tools.files import shown_name
        from xgpu.tools.timeline import write_timeline

        write_timeline(arguments.timeline, session, shown_name(arguments.input))


def _run_source(
    arguments: Arguments, text: str, name: str, session: Session, explored: ExploredRun | None
) -> int:
    """Run what the file holds, in whatever way the command line asks for; the exit code."""
    from xgpu.driver.program import Program

    source = _prepared(arguments, text, name, explored)
    if source is None:
        return 1
    libraries = load_libraries(arguments.libraries)
    session.output = _standard_output()
    if any((arguments.trace, arguments.timeline, arguments.explore, arguments.profile)):
        session.start_trace()
    if arguments.explain:
        say(_explanation(source, name))
    relaxed = arguments.relaxed_floats and arguments.sanitize is None
    program = Program(
        source, name, entry=arguments.entry, result=arguments.result,
        opt_level=arguments.opt_level, libraries=libraries,
        options="relaxed-float-atomics=1" if relaxed else "",
        may_be_library=not arguments.entry_named,
    )  # fmt: skip
    if arguments.schedules is None and arguments.sanitize is None:
        return _run_plain(arguments, program, text, session, explored)
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
            else:
                from xgpu.tools.sanitizer import execute

                run_it = partial(_execute, explored=explored)
                observe = explored.observe if explored is not None else None
                code = execute(arguments, program, run_it, session, observe)
        except DiagnosticError as e:
            collected.extend(e.diagnostics)
            code = 1
    report(collected, {name: text})
    return code


def _reporting(work: Callable[[], int]) -> int:
    """Do it; the exit code. Diagnostics go to standard error."""
    from xgpu.core.syntax import diagnostics

    code = 1
    with diagnostics.collect() as collected:
        try:
            code = work()
        except DiagnosticError as e:
            collected.extend(e.diagnostics)
    report(collected, {})
    return code


def _run_plain(
    arguments: Arguments, program: Program, text: str, session: Session,
    explored: ExploredRun | None,
) -> int:  # fmt: skip
    """Run a program as it is; the exit code. One that comes lowered from the cache runs without
    what only lowering needs."""
    device = None if arguments.explain else _device(arguments, session)
    if device is not None and explored is None and program.restore(device):
        try:
            _execute(arguments, program, session, device)
        except DiagnosticError as e:
            report(e.diagnostics, {program.filename: text})
            return 1
        return 0
    from xgpu.core.syntax import diagnostics

    code = 0
    with diagnostics.collect() as collected:
        try:
            _execute(arguments, program, session, device, collected, explored)
        except DiagnosticError as e:
            collected.extend(e.diagnostics)
            code = 1
    report(collected, {program.filename: text})
    return code


def _prepared(
    arguments: Arguments, text: str, name: str, explored: ExploredRun | None
) -> str | ModuleOp | None:
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

    manager = parse_pipeline(arguments.pipeline)
    module: ModuleOp | None = None
    with diagnostics.collect() as collected:
        try:
            module = compiler.parse(text, name)
            if explored is None:
                manager.run(module, context())
            else:
                explored.recorder.begin(module)
                manager.run(module, context(), [explored.recorder])
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
    from xgpu.driver.program import open_device

    try:
        return open_device(arguments.device, session)
    except (DeviceError, UsageError):
        return None


def _execute(
    arguments: Arguments, program: Program, session: Session, opened: Device | None = None,
    collected: list[Diagnostic] | None = None, explored: ExploredRun | None = None,
) -> None:  # fmt: skip
    """Run a program, lowered before or now, on the device that is `opened` or is opened now. It
    is put into the cache if `collected`, to which warnings come, is there and has none."""
    from xgpu.driver.program import open_device

    def act() -> object:
        device = opened
        try:
            if program.lowered is None:
                program.parse()
                device = device or open_device(arguments.device, session)
                with slow("compiling"):
                    _lower(program, device, explored)
                if collected == []:
                    program.store(device)
            assert device is not None  # who restored the program had one
            _set_forms(arguments, device, explored)
            loaded = program.load(session, device)
            if program.entry is not None:
                return loaded.run()
            _load(loaded)
            device.close()
            return None
        except BaseException:
            if device is not None:
                device.close()
            raise

    _finish(arguments, program.filename, session, act)


def _lower(program: Program, device: Device, explored: ExploredRun | None) -> None:
    """Lower the parsed program for a device."""
    if explored is None:
        program.lower(device)
        return
    module = program.parse()
    explored.recorder.begin(module)
    program.lower(device, [explored.recorder])
    explored.recorder.end(module)


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
        _print_value(session, act())
    except KeyboardInterrupt as e:
        e.location = session.location() or name  # type: ignore[attr-defined]
        raise
    finally:
        say("")
        if arguments.report:
            say(session.report())
        if arguments.profile:
            say(_kernel_table(session))
        if arguments.trace is not None:
            from xgpu.tools.files import write_output

            write_output(arguments.trace, session.trace_json())
        if arguments.timeline is not None:
            from xgpu.tools.timeline import write_timeline

            write_timeline(arguments.timeline, session, name)


def _kernel_table(session: Session) -> str:
    """What kernels have done in a second."""
    from xgpu.host_device.device.peaks import machine_peaks
    from xgpu.runtime.work import kernel_rates, rates_table

    rates = kernel_rates(session.events or ())
    if not rates:
        return "no kernel has run\n"
    return rates_table(rates, machine_peaks()) + "\n"


def _print_value(session: Session, value: object) -> None:
    """Prints what an entry has returned, if it returns anything."""
    if value is not None:
        session.output(f"{value:e}\n" if isinstance(value, float) else f"{value}\n")


def _set_forms(arguments: Arguments, device: Any, explored: ExploredRun | None) -> None:
    """Tells the host device how to run kernels. Raises `UsageError` for another device."""
    if explored is not None and device.name == "host":
        device.strategies.report = explored.strategies.append
    if arguments.profile:
        if device.name != "host":
            raise UsageError("option '--profile' needs the host device")
        device.count_work(True)
    if arguments.strategy == "auto" and not arguments.strategies:
        return
    if device.name != "host":
        raise UsageError(
            "options '--kernel-strategy' and '--print-kernel-strategies' need the host device"
        )
    device.strategies.forced = arguments.strategy
    if not arguments.strategies:
        return
    if explored is None:
        device.strategies.report = lambda chosen: complain(str(chosen))
    else:
        device.strategies.report = explored.and_to(complain)


def _standard_output() -> Callable[[str], None]:
    """Writes to standard output, in order with what C code prints."""
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
            complain(_with_source(str(e), rank()))
            return 1
        except KeyboardInterrupt as e:
            location = getattr(e, "location", None)
            complain(f"{location or TOOL}: error: interrupted")
            os._exit(1)  # threads of the program may still be in native code

    return guarded(TOOL, work, debug=any(a.lstrip("-") == "debug" for a in given))


def _with_source(text: str, number: int | None) -> str:
    """What a device or program says, with the line of the source, or with the tool's name; and
    which rank of MPI it is."""
    where = "" if number is None else f"rank {number}: "
    if ": error: " not in text.split("\n", 1)[0]:
        return f"{TOOL}: {where}error: {text}"
    from xgpu.core.syntax.diagnostics import with_source_line

    return where + with_source_line(text, {})


def console() -> NoReturn:
    """The console script: the process is ours, and ends in our words."""
    own_process(TOOL)
    relax_collector()  # a program may run for long
    code = main()
    gc.freeze()  # what is left is not searched for cycles: that takes a seventh of a cold start
    sys.exit(code)


if __name__ == "__main__":
    console()
