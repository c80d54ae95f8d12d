# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-opt`: reads MLIR, runs passes on it, prints it. A drop-in for `mlir-opt` 22.1.

Exit code 0, or 1 with one diagnostic for whatever is wrong: the command line, the text, the IR or
a pass. `main` is the whole tool; `run` is the same without a process around it.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, NoReturn

from xgpu.core.ir.errors import Diagnostic, DiagnosticError, UsageError
from xgpu.core.support.process import own_process
from xgpu.tools.process import (
    guarded,
    is_terminal,
    leave,
    relax_collector,
    report,
    say,
    show_cause,
)

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.ir.source import Source
    from xgpu.core.passes.manager import Instrumentation, PassManager
    from xgpu.tools.command_line import Arguments
    from xgpu.tools.explorer.recorder import Recorder
    from xgpu.tools.instruments import ActionProfile, Timing
    from xgpu.tools.remark_files import RemarkOutput


TOOL = "xgpu-opt"


def build_pipeline(arguments: Arguments, top: str = "builtin.module") -> PassManager | None:
    """The passes that the command line asks for; None if it asks for none."""
    if arguments.pipeline is None and not arguments.passes and not arguments.dump_pipeline:
        return None
    from xgpu.core.passes.manager import PassManager
    from xgpu.core.passes.pipeline_text import add, parse_pipeline

    if arguments.pipeline is not None:
        return parse_pipeline(arguments.pipeline)
    if len(arguments.passes) == 1 and arguments.passes[0][0] != "pass":
        text = arguments.passes[0][1].lstrip()
        if text.startswith(("builtin.module(", "any(")):
            return parse_pipeline(text)  # mlir-opt's short form of --pass-pipeline
    manager = PassManager(top, implicit=True)
    for kind, name, options in arguments.passes:
        if kind == "pass":
            add(manager, name, options)
        else:
            from xgpu.tools.xdsl_passes import passes_of

            for p in passes_of(name):
                manager.add(p)
    return manager


class Session:
    """One run of the tool: its arguments, its instruments, what it has printed."""

    def __init__(self, arguments: Arguments) -> None:
        from xgpu.core.syntax.table_context import context

        self.arguments = arguments
        self.name = ""
        self.context = context(allow_unregistered=arguments.allow_unregistered)
        self.timing: Timing | None = None
        self.instruments: list[Instrumentation] = []
        if arguments.print_anything:
            from xgpu.tools.instruments import PrintIR

            self.instruments.append(PrintIR(arguments))
        self.profile: ActionProfile | None = None
        if arguments.log_actions is not None:
            from xgpu.tools.instruments import ActionLog

            self.instruments.append(ActionLog(arguments.log_actions))
        if arguments.profile_actions is not None:
            from xgpu.tools.instruments import ActionProfile

            self.profile = ActionProfile(arguments.profile_actions)
            self.instruments.append(self.profile)
        if arguments.timing:
            from xgpu.tools.instruments import Timing

            self.timing = Timing()
            self.instruments.insert(0, self.timing)
        if arguments.verify_each:
            from xgpu.core.passes.manager import VerifyEach

            self.instruments.append(VerifyEach())
        self.remarks: RemarkOutput | None = None
        if arguments.shows_remarks:
            from xgpu.tools.remark_files import RemarkOutput

            self.remarks = RemarkOutput(arguments)
        self.recorder: Recorder | None = None

    def remarks_shown(self) -> AbstractContextManager[None]:
        """Remarks of passes within are shown as the options say."""
        return nullcontext() if self.remarks is None else self.remarks.collecting()

    def record(self, text: str) -> None:
        """Record what passes do to the program that `text` holds, for `--explore`."""
        from xgpu.tools.explorer.recorder import Recorder

        self.recorder = Recorder(self.name, {self.name: text})
        self.instruments.append(self.recorder)

    def _begin(self, name: str) -> None:
        if self.timing is not None:
            self.timing.begin(name)

    def _end(self) -> None:
        if self.timing is not None:
            self.timing.end()

    def _print(self, op: Operation) -> str:
        from xgpu.tools.command_line import printed

        a = self.arguments
        if a.token_graph is not None:
            from xgpu.conversion.async_tokens.graph import build
            from xgpu.conversion.async_tokens.text import render

            return render(build(op), a.token_graph)
        if a.target is not None and a.target != "mlir":
            from xgpu.tools.xdsl_passes import emit_target

            return emit_target(op, a.target)
        if a.emit_bytecode:
            return _bytecode(op, a)
        # mlir-opt ends with a blank line, unless each operation is printed for itself.
        return printed(op, a).rstrip("\n") + ("\n" if a.local_scope else "\n\n")

    def _run(self, manager: PassManager, module: Operation) -> None:
        """Runs the passes; on a terminal a line says how far they are."""
        if self.arguments.print_anything or not is_terminal(sys.stderr):
            manager.run(module, self.context, self.instruments)
            return
        from xgpu.tools.instruments import Progress

        progress = Progress(manager)
        try:
            manager.run(module, self.context, [progress, *self.instruments])
        finally:
            progress.close()

    def process(self, source: Source) -> str:
        """Reads, transforms and prints one chunk. Raises DiagnosticError."""
        from xgpu.core.syntax import parse_module
        from xgpu.core.syntax.verify import verify_module

        a = self.arguments
        self._begin("Parser")
        module: Operation = parse_module(
            source, allow_unregistered=a.allow_unregistered, ctx=self.context
        )
        relax_collector()
        if not a.skip_first_verify:
            verify_module(module)
        if a.no_implicit_module:
            from xgpu.tools.files import single_operation

            module = single_operation(module, source)
        self._end()
        if a.verify_roundtrip:
            check_round_trip(module, self.arguments)
        manager = build_pipeline(a, module.name)
        if manager is not None and a.dump_pipeline:
            count = len(manager.items)
            say(f"Pass Manager with {count} passes:\n{manager.text()}\n\n")
        if self.recorder is not None:
            self.recorder.begin(module)
        if manager is not None and manager.items:
            self._run(manager, module)
            if a.verify_each is None:
                from xgpu.core.syntax.verify import verify_op

                verify_op(module)
        if self.recorder is not None:
            self.recorder.end(module)
        self._begin("Output")
        result = self._print(module)
        self._end()
        return result


def _bytecode(op: Operation, arguments: Arguments) -> str:
    """The IR as bytecode, in a text in which surrogates stand for bytes."""
    from xgpu.core.bytecode import write_bytecode

    version = None
    if arguments.bytecode_version is not None:
        if not arguments.bytecode_version.isdecimal():
            raise UsageError(
                "for the --emit-bytecode-version option: Invalid argument "
                f"'{arguments.bytecode_version}', only integer is supported."
            )
        version = int(arguments.bytecode_version)
    data = write_bytecode(op, version=version, elide_resources=arguments.elide_resources)
    return data.decode("utf-8", "surrogateescape")


def check_round_trip(module: Operation, arguments: Arguments) -> None:
    """Writes `module` as text in both forms and as bytecode, reads each again and compares what
    that prints."""
    from xgpu.core.bytecode import write_bytecode
    from xgpu.core.ir.source import Source
    from xgpu.core.syntax import parse_module, print_module
    from xgpu.tools.files import single_operation

    # Locations are printed and read, but not compared: not every form has room for all of them. In
    # the custom form, one behind `nvvm.barrier` is read as its optional attribute, as MLIR does.
    reference = print_module(module, generic=True)
    forms = {
        "generic": print_module(module, generic=True, debuginfo=True),
        "custom": print_module(module, generic=False),
        "bytecode": write_bytecode(module).decode("utf-8", "surrogateescape"),
    }
    for form, text in forms.items():
        source = Source(text, "<roundtrip>")
        again: Operation = parse_module(source, allow_unregistered=arguments.allow_unregistered)
        if arguments.no_implicit_module:
            again = single_operation(again, source)
        if form == "custom":
            _add_defaults(again, module)
        if print_module(again, generic=True) != reference:
            raise DiagnosticError(
                Diagnostic(
                    "error",
                    f"roundTrip testing roundtripped module differs from reference ({form} form)",
                    module.location,
                )
            )


def _add_defaults(again: Operation, module: Operation) -> None:
    """Gives operations of `again` the optional attributes that those of `module` state with their
    default value: the custom form leaves them out."""
    from xgpu.core.ods.defaults import default_attribute
    from xgpu.core.ods.operation import OdsOperation

    for new, old in zip(again.walk(), module.walk(), strict=False):
        if not isinstance(old, OdsOperation) or new.name != old.name:
            continue
        for attr in old.spec.attrs:
            value = old.properties.get(attr.name)
            if value is None or attr.name in new.properties or not attr.optional:
                continue
            if attr.default is not None and value == default_attribute(attr):
                new.properties[attr.name] = value


def open_session(arguments: Arguments) -> tuple[Session, list[Source]]:
    """The session of a command line, and the chunks of its input, each of which is a program.

    Errors: `UsageError` for a file that cannot be read or written, and for a wrong pipeline.
    """
    from xgpu.core.ir.source import Source
    from xgpu.core.support.files import is_bytecode
    from xgpu.tools.files import check_output, read_input, shown_name, split_chunks

    check_output(arguments.output)
    build_pipeline(arguments)  # a mistake in it should not wait for the input
    source = read_input(arguments.input)
    session = Session(arguments)
    session.name = shown_name(arguments.input)
    if arguments.explore is not None:
        check_output(arguments.explore)
        session.record("" if is_bytecode(source) else source)
    if arguments.split_input_file is not None:
        return session, split_chunks(source, session.name, arguments.split_input_file)
    return session, [Source(source, session.name)]


def run(argv: Sequence[str]) -> int:
    """Runs the tool with `argv` (without the program's name); returns its exit code."""
    from xgpu.tools.command_line import parse_arguments
    from xgpu.tools.files import write_output

    arguments = parse_arguments(argv)
    if (text := _information(arguments)) is not None:
        write_output("-", text)
        return 0
    return _watch(arguments) if arguments.watch else _run_once(arguments)


def _watch(arguments: Arguments) -> int:
    """Runs the tool, and again whenever the input has changed, until it is interrupted; the last
    exit code."""
    from xgpu.tools.files import changes

    code = 0
    try:
        for _ in changes(arguments.input):
            code = guarded(TOOL, lambda: _run_once(arguments), debug=arguments.debug)
            say(f"{TOOL}: exit code {code}, waiting for a change of {arguments.input}\n")
    except KeyboardInterrupt:
        pass
    return code


def _run_once(arguments: Arguments) -> int:
    """Reads, processes and writes the input; the exit code."""
    from xgpu.tools.files import write_output

    session, chunks = open_session(arguments)
    try:
        return _print_all(session, chunks)
    finally:
        if session.remarks is not None:
            session.remarks.close()
        if session.profile is not None:
            session.profile.close()
        if session.recorder is not None:
            from xgpu.tools.explorer.page import page

            write_output(arguments.explore, page(session.recorder.exploration))


def _print_all(session: Session, chunks: list[Source]) -> int:
    """Processes the chunks and writes what they give; the exit code.

    With `--verify-diagnostics` a chunk fails where its diagnostics are not those that its
    `expected-*` comments name.
    """
    from xgpu.core.syntax import diagnostics
    from xgpu.tools.files import write_output

    arguments = session.arguments
    outputs: list[str] = []
    failed = False
    for chunk in chunks:
        text, has_error = "", False
        with diagnostics.collect() as collected:
            try:
                with session.remarks_shown():
                    text = session.process(chunk)
            except DiagnosticError as e:
                if arguments.verify_diagnostics is None:
                    show_cause(e, debug=arguments.debug)
                collected.extend(e.diagnostics)
                has_error = True
        if arguments.verify_diagnostics is not None:
            collected = diagnostics.check_expected(
                chunk.in_place(), session.name, collected,
                only_expected=arguments.verify_diagnostics == "only-expected",
            )  # fmt: skip
            has_error = bool(collected)
        outputs.append(text)
        failed |= has_error
        report(collected, {session.name: chunk}, operation=arguments.op_on_diagnostic)
    if session.timing is not None:
        say(session.timing.report(arguments.timing_display, arguments.timing_format))
    if arguments.output == "-" or not failed:
        write_output(arguments.output, f"{arguments.output_marker}\n".join(outputs))
    return 1 if failed else 0


def _information(arguments: Arguments) -> str | None:
    """What `--help` and its like print, or None."""
    if arguments.help is not None:
        from xgpu.tools.help_text import help_text, pass_help

        return pass_help(arguments.help) if arguments.help else help_text()
    if arguments.completion is not None:
        from xgpu.tools.shell_completion import script

        return script(arguments.completion)
    if arguments.version:
        from xgpu.tools.help_text import version_text

        return version_text()
    if arguments.show_dialects:
        from xgpu.tools.help_text import dialect_list

        return dialect_list()
    if arguments.list_passes:
        from xgpu.tools.help_text import pass_list

        return pass_list()
    return None


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool: never a traceback, unless `--debug` asks for one."""
    given = list(sys.argv[1:] if argv is None else argv)
    return guarded(TOOL, lambda: run(given), debug=any(a.lstrip("-") == "debug" for a in given))


def console() -> NoReturn:
    """The console script, which owns its process."""
    gc.disable()  # before xDSL is imported: see `process`
    own_process(TOOL)
    leave(main())


if __name__ == "__main__":
    console()
