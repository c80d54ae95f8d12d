# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-cuda`: runs a program that uses CUDA on a machine without a GPU.

    xgpu-cuda --sanitize PROGRAM ARGUMENTS

The program finds a CUDA driver (`libcuda.so.1`) whose devices are simulated on the processor. Exit
code: that of the program; 1 instead of 0 where the sanitizer has found something or xgpu has failed
by a mistake of its own.

    xgpu-cuda -O2 -DN=4 main.cu more.cu -- arguments

compiles a program in CUDA C++, or in C++ that calls CUDA's runtime, the driver or NVRTC, by clang,
and runs it so. Options that begin with one dash are
clang's. The sources end at the first word that names none, or at `--`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from xgpu.core.ir.errors import DiagnosticError, UsageError
from xgpu.core.support.demangle import demangled
from xgpu.core.support.files import is_source
from xgpu.core.support.process import own_process
from xgpu.tools.process import complain, guarded, leave, say
from xgpu.tools.services import driver_folder, program_command
from xgpu.version import MLIR_VERSION, __version__

TOOL = "xgpu-cuda"

# Option -> (what its value is called, or None for a flag; what it does).
OPTIONS: dict[str, tuple[str | None, str]] = {
    "chip": ("sm_XX[,sm_XX...]", "what the devices say they are (default: sm_90a); several: one "
             "for each"),
    "devices": ("N", "how many devices there are (default: 1)"),
    "sanitize": ("kind,...", "look for mistakes in kernels: memory, race, sync, init, leak "
                 "(default: all but leak); exit code 1 if there are any"),
    "report": ("file", "write what the sanitizer has found to a .json or .sarif file"),
    "timeline": ("file", "draw what ran on which stream when: .svg, .html, or .json"),
    "fidelity": (None, "say of each kernel that ran which instructions are exact, rounded "
                 "otherwise than on a GPU, or approximated"),
    "leftovers": (None, "say what the program has not given back"),
    "fail-at": ("N[:RESULT]", "let the driver's call number N fail, with a result by number "
                "or name (default: CUDA_ERROR_INVALID_VALUE)"),
    "verbose": (None, "report missing CUDA functions and refused calls"),
    "help": (None, "print this"),
    "version": (None, "print the version"),
}  # fmt: skip
_OPTIONAL = ("sanitize",)  # their values may be left out
_REPORTS = (".json", ".sarif")

#: Options of clang whose value is the next word.
_PAIRED = frozenset((
    "-I", "-D", "-U", "-L", "-x", "-include", "-isystem", "-iquote", "-Xclang", "-Xcompiler",
    "-Xptxas", "-arch", "-gencode",
))  # fmt: skip

#: What the driver reads in the program's processes (`xgpu.api.cuda_driver.settings`, `sanitizer`).
_VARIABLES = {
    "chip": "XGPU_CUDA_CHIP", "devices": "XGPU_CUDA_DEVICES", "fail-at": "XGPU_CUDA_FAIL_AT",
    "verbose": "XGPU_CUDA_VERBOSE", "timeline": "XGPU_CUDA_TIMELINE",
    "fidelity": "XGPU_CUDA_FIDELITY", "sanitize": "XGPU_SANITIZE",
}  # fmt: skip
_RECORDS = "XGPU_CUDA_RECORDS"


def help_text() -> str:
    """The text of `--help`."""
    lines = [
        "OVERVIEW: runs a program that uses CUDA without a GPU",
        "USAGE: xgpu-cuda [options] <command> [arguments]",
        "       xgpu-cuda [options] [options of clang] <file.cu> [more sources] [--] [arguments]",
        "", "OPTIONS:",
    ]  # fmt: skip
    for name, (value, what) in OPTIONS.items():
        shown = f"  --{name}" + ("" if value is None else _value(name, value))
        lines.append(f"{shown.ljust(32)} {what}")
    return "\n".join(lines) + "\n"


def _value(name: str, value: str) -> str:
    return f"[=<{value}>]" if name in _OPTIONAL else f"=<{value}>"


def parse_arguments(argv: Sequence[str]) -> tuple[dict[str, str], list[str], list[str]]:
    """Options, those for clang, and the command. Raises `UsageError`."""
    options: dict[str, str] = {}
    compiler: list[str] = []
    rest = list(argv)
    while rest and rest[0].startswith("-"):
        text = rest.pop(0)
        if text == "--":
            break
        name, equals, value = text.lstrip("-").partition("=")
        name = {"h": "help"}.get(name, name)
        if name not in OPTIONS:  # one of clang's, if sources follow
            compiler.append(text)
            if text in _PAIRED and rest:
                compiler.append(rest.pop(0))
            continue
        takes = OPTIONS[name][0] is not None
        if not takes and equals:
            raise UsageError(f"option '--{name}' takes no value")
        if takes and not equals and name not in _OPTIONAL:
            if not rest:
                raise UsageError(f"option '--{name}' needs a value")
            value = rest.pop(0)
        options[name] = value or ("1" if not takes or name in _OPTIONAL else "")
    asks = options.keys() & {"help", "version"}
    if compiler and not sources_of(rest) and (rest or not asks):
        from xgpu.core.ir.suggestions import nearest

        near = nearest(compiler[0].partition("=")[0], [f"--{name}" for name in OPTIONS])
        hint = f", did you mean '{near}'?" if near else "; --help lists them"
        raise UsageError(
            f"unknown option '{compiler[0]}'{hint} (those of clang stand before the sources of a "
            "program in CUDA C++)"
        )
    if not rest and not asks:
        raise UsageError("expected a command, such as: xgpu-cuda python program.py")
    return options, compiler, rest


def sources_of(command: Sequence[str]) -> list[str]:
    """The sources that a command begins with; none for another command."""
    count = next((i for i, word in enumerate(command) if not is_source(word)), len(command))
    return list(command[:count])


def program_of(compiler: Sequence[str], command: list[str]) -> list[str]:
    """The command that runs a program in CUDA C++; any other command as it is."""
    sources = sources_of(command)
    if not sources:
        return command
    arguments = command[len(sources) :]
    if arguments[:1] == ["--"]:
        del arguments[0]
    return program_command()(sources, compiler, arguments)


def environment(options: dict[str, str], folder: Path, records: str) -> dict[str, str]:
    """What the program's processes get."""
    made = dict(os.environ)
    before = made.get("LD_LIBRARY_PATH", "")
    made["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, (str(folder), before)))
    for name in ("TRITON_PTXAS_PATH", "TRITON_PTXAS_BLACKWELL_PATH"):
        made.setdefault(name, str(folder / "ptxas"))
    made.setdefault("TRITON_LIBCUDA_PATH", str(folder))
    made[_RECORDS] = records
    for name, variable in _VARIABLES.items():
        if name in options:
            made[variable] = options[name]
    return made


def run(argv: Sequence[str]) -> int:
    """The tool with `argv` (without its name); its exit code. Raises what `main` turns to text."""
    options, compiler, command = parse_arguments(argv)
    from xgpu.tools.files import check_output, write_output

    if "help" in options:
        write_output("-", help_text())
        return 0
    if "version" in options:
        write_output("-", f"xgpu-cuda {__version__}, MLIR's syntax of {MLIR_VERSION}\n")
        return 0
    _check(options)
    for name in ("report", "timeline"):
        if name in options:
            check_output(options[name])
    folder = driver_folder()()
    shown = " ".join(command)
    command = program_of(compiler, command)
    with tempfile.TemporaryDirectory(prefix="xgpu-cuda-") as records:
        code = _executed(command, environment(options, folder, records))
        found = sorted(Path(records).glob("*.json"))
        processes = [json.loads(p.read_text()) for p in found if p.stem.isdecimal()]
        if "report" in options:
            _write_report(options["report"], Path(records))
        if "timeline" in options:
            _write_timeline(options["timeline"], Path(records), shown)
    if "fidelity" in options:
        _tell_fidelity(processes, options.get("chip", "").partition(",")[0])
    if "leftovers" in options:
        _tell_leftovers(processes)
    has_failed = any(record["findings"] or record["internal_errors"] for record in processes)
    return 1 if has_failed and code == 0 else code


def _check(options: dict[str, str]) -> None:
    """Raises `UsageError` for values that mean nothing."""
    from xgpu.driver.options import check_chip
    from xgpu.tools.timeline import check_suffix

    for chip in options.get("chip", "").split(","):
        if chip:
            check_chip(chip)
    devices = options.get("devices", "1")
    if not devices.isdecimal() or not 0 <= int(devices) <= 64:
        raise UsageError(f"option '--devices' is '{devices}', expected 0 to 64")
    if "fail-at" in options:
        options["fail-at"] = _failing_call(options["fail-at"])
    kinds = options.get("sanitize", "1")
    if kinds not in ("1", "all"):
        from xgpu.driver.sanitizer import check_kinds  # and all that compiles programs

        check_kinds(kind for kind in kinds.split(",") if kind)
    report = options.get("report", ".json")
    if not report.endswith(_REPORTS):  # such as a source whose name has taken the report's place
        raise UsageError(f"option '--report' is '{report}', expected {', '.join(_REPORTS)}")
    if "timeline" in options:
        check_suffix(options["timeline"])


def _failing_call(given: str) -> str:
    """The value of `--fail-at` with the number of a result that has a name there. Raises
    `UsageError`."""
    from xgpu.runtime.cuda.results import Result

    number, colon, result = given.partition(":")
    name = result.removeprefix("CUDA_").removeprefix("ERROR_")
    if not result.isdecimal() and name in Result.__members__:
        result = str(int(Result[name]))
    is_result = result.isdecimal() and int(result) > 0
    if not number.isdecimal() or int(number) == 0 or (colon and not is_result):
        raise UsageError(
            f"option '--fail-at' is '{given}', expected N or N:RESULT: a call, from 1, and a "
            "CUresult or its name, such as CUDA_ERROR_OUT_OF_MEMORY"
        )
    return f"{number}{colon}{result}"


def _executed(command: list[str], given: dict[str, str]) -> int:
    """Run the command; its exit code, 128 and the number of a signal that has ended it."""
    try:
        done = subprocess.run(command, env=given, check=False)
    except OSError as problem:
        raise UsageError(f"cannot run '{command[0]}': {problem.strerror}") from None
    return done.returncode if done.returncode >= 0 else 128 - done.returncode


def _write_report(path: str, records: Path) -> None:
    """One report of what all processes have found."""
    from xgpu.tools.files import write_output

    kind = "sarif" if path.endswith(".sarif") else "json"
    documents: list[dict[str, Any]] = [
        json.loads(file.read_text()) for file in sorted(records.glob(f"*.findings.{kind}"))
    ]
    if not documents:
        from xgpu.host_device.sanitizer.reports.findings import as_json, as_sarif

        write_output(path, as_sarif([]) if kind == "sarif" else as_json([]))
        return
    whole = documents[0]
    for other in documents[1:]:
        if kind == "sarif":
            run, more = whole["runs"][0], other["runs"][0]
            run["results"] += more["results"]
            watched, other = run["properties"]["watched"], more["properties"]["watched"]
        else:
            whole["findings"] += other["findings"]
            watched, other = whole["watched"], other["watched"]
        watched["launches"] += other["launches"]
        watched["not_watched"] += other["not_watched"]
    write_output(path, json.dumps(whole, indent=1) + "\n")


def _write_timeline(path: str, records: Path, command: str) -> None:
    from xgpu.runtime.session import Session, TraceEvents
    from xgpu.tools.timeline import write_timeline

    session = Session()
    session.events = TraceEvents(
        event for file in sorted(records.glob("*.trace.json"))
        for event in json.loads(file.read_text())
    )  # fmt: skip
    write_timeline(path, session, command)


def _tell_leftovers(processes: list[dict[str, Any]]) -> None:
    for record in processes:
        left = ", ".join(f"{count} {kind}" for kind, count in record["alive"].items())
        say(f"xgpu-cuda: process {record['process']}: not given back: {left or 'nothing'}\n")
    if not processes:
        complain("xgpu-cuda: no process has used the CUDA driver")


def _tell_fidelity(processes: list[dict[str, Any]], chip: str) -> None:
    texts: dict[str, str] = {}  # of LLVM IR, the PTX that it is compiled to
    for kernel in (kernel for record in processes for kernel in record["kernels"]):
        instructions = kernel["instructions"]
        if "text" in kernel:
            image = kernel["image"]
            if image not in texts:
                texts[image] = _compiled(kernel["text"], chip)
            instructions = _counted(texts[image], kernel["kernel"])
        said = [_opcodes(kind, counts) for kind, counts in instructions.items() if counts]
        what = "; ".join(said) or "compiled without PTX; --fidelity counts instructions of PTX"
        name = demangled(kernel["kernel"])
        say(f"xgpu-cuda: {kernel['image']}: kernel {name}: {what}\n")
    if not any(record["kernels"] for record in processes):
        complain("xgpu-cuda: no kernel has run")


def _compiled(text: str, chip: str) -> str:
    """The PTX of LLVM IR; nothing where there is none."""
    from xgpu.backend.nvptx.compiler import compile_to_ptx

    try:
        return compile_to_ptx(text, chip=chip or None)
    except DiagnosticError:
        return ""


def _counted(text: str, kernel: str) -> dict[str, dict[str, int]]:
    """How often each instruction of a kernel in PTX occurs, by the words of `Fidelity`."""
    from xgpu.frontend.ptx.fidelity import fidelity_of_kernel
    from xgpu.frontend.ptx.grammar import PtxError

    try:
        return {k.value: dict(v) for k, v in fidelity_of_kernel(text, kernel).items()}
    except (PtxError, KeyError):  # no PTX was made, or there is something that is not known
        return {}


def _opcodes(kind: str, counts: dict[str, int]) -> str:
    """Such as `2 rounded otherwise (ex2.approx.f32 1, lg2.approx.f32 1)`; exact ones are many."""
    total = f"{sum(counts.values())} {kind}"
    if kind == "exact":
        return total
    return f"{total} ({', '.join(f'{name} {count}' for name, count in sorted(counts.items()))})"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool; never a traceback."""
    given = list(sys.argv[1:] if argv is None else argv)
    return guarded(TOOL, lambda: run(given))


def console() -> NoReturn:
    """The console script: the process is ours, and ends in our words."""
    own_process(TOOL)
    leave(main())


if __name__ == "__main__":
    console()
