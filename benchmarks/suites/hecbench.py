# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""HeCBench's programs in CUDA C++ under `xgpu-cuda`: which compile, run and pass their own check.

    git clone https://github.com/zjin-lcf/HeCBench
    python benchmarks/suites/hecbench.py HeCBench --count 100 --jobs 2 --list

The programs are chosen by the hash of their names. Sources, options and arguments come from a dry
run of each program's Makefile. Inputs are small: repetitions become 1, sizes are divided by two or
ten (`scaled`), and programs that accept no such sizes have arguments of their own (`_ARGUMENTS`).
The programs run in their folders and may write there. A program whose sizes are constants of its
source is compiled from a copy of its folder with smaller ones (`_CONSTANTS`); the table counts
these apart.

A program states its check by words (PASS, FAIL), by an error value, or by its exit code alone. The
table counts them apart.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import table
from table import RAN, Outcome, Program

from xgpu.api.cuda_driver.library import NAME, library_folder
from xgpu.core.ir.errors import DiagnosticError, UsageError
from xgpu.frontend.cuda.programs import ProgramOptions, program_image

_COMPILERS = ("nvcc", "g++", "gcc", "clang++", "clang", "c++", "cc")
_SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c")
_DROPPED = ("-W", "-M", "-o", "-c", "-g")
_WAIT = 60  # how much longer a program may take than its limit, which is of processor time
_MEMORY = 8 << 30  # bytes of a program's process
#: Of programs whose arguments `scaled` does not make small, or makes meaningless.
_ARGUMENTS = {
    "gru": "10240 128 1",  # it compares memory that it does not write, zeros where it is large
    "inversek2j": "../inversek2j-sycl/coord_in.txt 1",
    "lfib4": "1200000",  # with less than 256 numbers for each of 4096 columns it does not end
    "pns": "2 100 100",
    "fhd": "1000 2048 0",
    "vadd": "64 512 1",  # multiples of 16 and 256
    "dense-embedding": "1100 32 1",  # more rows than the square of the batch
    "stencil3d": "64 1",  # the memory is that of 80 cubes of this size
    "tridiagonal": "-num_systems=1024",
}
#: Of programs whose sizes are constants of their sources: file, text, text of a small run.
_CONSTANTS = {
    "car": [("main.cu", "p = {128, 3, 480, 640, 9,", "p = {2, 3, 480, 640, 9,")],
    "ddbp": [
        ("main.cu", "nPixX = 1996", "nPixX = 250"), ("main.cu", "nPixY = 2457", "nPixY = 308"),
    ],
    "feynman-kac": [("main.cu", "nj = 128;", "nj = 8;")],
    "graphExecution": [("main.cu", "1<<27", "1<<20")],
    "langford": [("main.cu", "  run_gpu<15>(known_results);", "")],
    "laplace": [("kernels.h", "NUM 1024", "NUM 256")],
    "lda": [("main.cu", "block_cnt  = 500", "block_cnt  = 50"),
            ("main.cu", "num_words  = 10266", "num_words  = 1026")],
    "linearprobing": [("linearprobing.h", "64*1024*1024", "1024*1024")],
    "minkowski": [("main.cu", "m_size = 512 * 8", "m_size = 128 * 8")],
    "ssm": [("main.cu", "kDim    = 2048", "kDim    = 64")],
}  # fmt: skip

_EXPIRED = "over the time limit"
_NOT_RUN = "not run"
_LARGE_ERROR = "an error value that is not small"
_COMPILED = "compiled"  # in what was found, of a program that did not pass
_SMALLER = "with smaller constants"  # in what was found, of a program that passed

_FAILED = re.compile(
    r"\b(FAIL(ED|URE|S)?|MISMATCH(ES)?|INCORRECT|WRONG|INVALID|ERROR(?! (rate|=|:? *[0-9]))"
    r"|does not match|do not match|not correct"
    r"|Fail(ed|ure)?|Mismatch|mismatch|Incorrect|incorrect)\b"
)
_NONE_FAILED = re.compile(
    r"(?i)\b(0|no|without) (fail\w*|mismatch\w*|errors?)"
    r"|(fail\w*|mismatch\w*|errors?)\s*[:=]\s*0\b(?!\.)"
)
_NO_INPUT = re.compile(
    r"(?i)(usage|no such file|(cannot|can'?t|unable to|could not) (be )?open|fopen|input image)"
)
#: Programs whose error value is the distance to a minimum that they look for by chance, or the
#: error of an estimate by chance: of feynman-kac 2.1e-2, and 2.1e-2 of its version for the host.
_NO_ERROR_VALUE = ("michalewicz", "feynman-kac")
_PASSED = re.compile(
    r"(?i)\b(pass(ed)?|correct|success(ful(ly)?)?|verified|match(es)?|ok|identical)\b"
)
_VALUE = re.compile(
    r"(?i)\b(?:error|rmse|diff(?:erence)?|deviation|residual|l2 ?norm)s?\b[^0-9\n]{0,40}?"
    r"([-+]?[0-9][0-9.]*(?:e[-+]?[0-9]+)?|[-+]?nan|[-+]?inf)\b"
)
_SMALL = 2e-2  # an error value that is a rounding error in single precision


@dataclass
class Recipe:
    """How a program is made and run: sources in the order of linking, clang's options, its
    arguments."""

    sources: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)


def chosen(folder: Path, count: int) -> list[str]:
    """The names of `count` programs that have a version in CUDA C++."""
    names = [p.name.removesuffix("-cuda") for p in (folder / "src").glob("*-cuda")]
    return sorted(names, key=lambda name: hashlib.sha256(name.encode()).hexdigest())[:count]


def recipe(folder: Path, name: str) -> Recipe | str:
    """How the Makefile in a program's folder makes and runs it, or why that is not known."""
    if not (folder / "Makefile").exists():
        return "no Makefile"
    dry = subprocess.run(
        ["make", "-n", "-B", "-C", str(folder), "run"], capture_output=True, text=True, check=False,
        errors="replace",
    )  # fmt: skip
    objects: dict[str, str] = {}
    made = Recipe()
    seen_openmp = False
    for line in dry.stdout.replace("\\\n", " ").splitlines():
        try:
            words = shlex.split(line)
        except ValueError:
            continue
        seen_openmp |= words[:1] == ["nvc++"]
        if words and os.path.basename(words[0]) in _COMPILERS:
            _read_compiler_line(words[1:], objects, made)
        elif words and (run := _program_word(words)) is not None:
            made.arguments = words[run + 1 :]
            break
    if not made.sources:
        return "not CUDA C++ (OpenMP offloading)" if seen_openmp else "the Makefile has no commands"
    # Without the library, OpenMP's pragmas are ignored.
    options = [o for o in dict.fromkeys(made.options) if "openmp" not in o]
    made.options = [re.sub(r"^(-D\w*ITERATIONS)=\d+$", r"\1=1", o) for o in options]
    if name in _ARGUMENTS:
        made.arguments = shlex.split(_ARGUMENTS[name])
    else:
        made.arguments = scaled(made.arguments)
    return made


def _program_word(words: Sequence[str]) -> int | None:
    return next((i for i, word in enumerate(words) if word.startswith("./")), None)


def _read_compiler_line(words: list[str], objects: dict[str, str], made: Recipe) -> None:
    """Enter a compilation into `objects` (source by object), a link into `made.sources`."""
    inputs = [word for word in words if word.endswith((*_SOURCES, ".o"))]
    target = words[words.index("-o") + 1] if "-o" in words[:-1] else ""
    made.options += _options(words)
    if "-c" in words or "-dc" in words:
        for source in (word for word in inputs if word.endswith(_SOURCES)):
            objects[target or Path(source).with_suffix(".o").name] = source
        return
    sources = [objects.get(word, word) for word in inputs if word != target]
    made.sources = [s for s in dict.fromkeys(sources) if s.endswith(_SOURCES)]


def _options(words: Sequence[str]) -> list[str]:
    """What clang needs of a command line of nvcc."""
    found: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in ("-I", "-D", "-Xcompiler", "-x", "-include") and rest:
            value = rest.pop(0)
            if not value.startswith(_DROPPED):
                found.append(f"{word}{value}" if word in ("-I", "-D") else f"{word}={value}")
        elif word in ("-arch", "-gencode", "-Xptxas", "-o", "--default-stream") and rest:
            value = rest.pop(0)
            if word == "--default-stream":
                found.append(f"{word}={value}")
        elif word.startswith("-") and not word.startswith((*_DROPPED, "-arch", "-L/path")):
            found.append(word)
    return found


def scaled(arguments: Sequence[str]) -> list[str]:
    """Arguments of a small run. The last number is a count of repetitions, or the one size."""
    numbers = [i for i, word in enumerate(arguments) if word.isdecimal()]
    made = [
        re.sub(r"(?<==)\d+$", lambda n: str(_reduced(int(n[0]), 1 << 12)), w) for w in arguments
    ]
    limit = 1 << 12 if len(numbers) < 3 else 128
    for i in numbers:
        made[i] = str(_reduced(int(arguments[i]), limit))
    if numbers and int(arguments[numbers[-1]]) <= 10000:
        made[numbers[-1]] = "1"
    return made


def _reduced(value: int, limit: int) -> int:
    """The largest `value / (2**i * 10**j)` that is not above `limit`."""
    while value > limit:
        value = value // 10 if value % 10 == 0 and value & (value - 1) else -(-value // 2)
    return value


def with_smaller_constants(place: Path, name: str) -> Path:
    """A copy of a program's folder beside it, with what `_CONSTANTS` says. Raises `ValueError` for
    a constant that is not there."""
    copy = place.with_name(f"{name}-small")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(place, copy)
    for file, old, new in _CONSTANTS[name]:
        text = (copy / file).read_text()
        if old not in text:
            raise ValueError(f"{name}: no '{old}' in {file}")
        (copy / file).write_text(text.replace(old, new))
    return copy


# Runs.


def run_program(folder: Path, name: str, limit: int, compile_only: bool = False) -> Outcome:
    """Compile a program and run it."""
    place = folder / "src" / f"{name}-cuda"
    if name in _CONSTANTS:
        place = with_smaller_constants(place, name)
    made = recipe(place, name)
    if isinstance(made, str):
        return Outcome(reason=made)
    outcome = run_recipe(place, made, limit, compile_only, name not in _NO_ERROR_VALUE)
    if outcome.reason == RAN and name in _CONSTANTS:
        outcome.found = {**outcome.found, _SMALLER: 1}
    return outcome


def run_recipe(
    place: Path, made: Recipe, limit: int, compile_only: bool = False, has_values: bool = True
) -> Outcome:
    """Compile what a recipe says in the folder `place`, and run it there. `has_values` says whether
    an error value that it prints is a check."""
    os.chdir(place)
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    refused = _compiled(made)
    seconds = {"compile": _processor_time()}
    if refused is not None:
        return Outcome(reason=_reason_of_compiler(refused), seconds=seconds, detail=refused[:1000])
    found = {_COMPILED: 1}
    if compile_only:
        return Outcome(reason=_NOT_RUN, found=found, seconds=seconds)
    command = [sys.executable, "-m", "xgpu.tools.xgpu_cuda", *made.options, *made.sources, "--"]
    before = _processor_time()
    done = subprocess.run(
        [*command, *made.arguments], capture_output=True, text=True, errors="replace",
        check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
    )  # fmt: skip
    seconds["run"] = _processor_time() - before
    if done.returncode in _LIMIT_CODES:
        arguments = shlex.join(made.arguments)
        return Outcome(reason=_EXPIRED, found=found, seconds=seconds, detail=arguments)
    output = done.stdout if has_values else _VALUE.sub("", done.stdout)
    return judged(done.returncode, output, done.stderr, seconds)


_LIMIT_CODES = tuple(
    base + number for number in (signal.SIGXCPU, signal.SIGKILL) for base in (128, -2 * number)
)


def _processor_time() -> float:
    """Seconds that this process and those that it has waited for have used."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _compiled(made: Recipe) -> str | None:
    """What the compiler says if it refuses. The program goes to xgpu's cache."""
    driver = str(library_folder() / NAME)
    try:
        program_image(made.sources, ProgramOptions(made.options), driver)
    except (DiagnosticError, UsageError) as error:
        return str(error)
    return None


def _reason_of_compiler(said: str) -> str:
    missing = re.search(r"'([^']+)' file not found(?:: xgpu does not have ([^;\n]+))?", said)
    if missing:
        return f"needs {missing[2] or missing[1]}"
    if "cannot be linked" in said:
        return "not linked"
    return "not compiled"


def judged(code: int, output: str, errors: str, seconds: dict[str, float]) -> Outcome:
    """The outcome of a program that ended, with how it states its check in `found`."""
    found = {_COMPILED: 1}
    tail = (output[-500:] + "\n" + errors[-800:]).strip()
    if code:
        if _NO_INPUT.search(tail):
            return Outcome(
                reason="needs an input file or other arguments", found=found, seconds=seconds,
                detail=tail,
            )
        return Outcome(reason=f"exit code {code}", found=found, seconds=seconds, detail=tail)
    words = _NONE_FAILED.sub("", output)
    if _FAILED.search(words):
        return Outcome(reason="fails its own check", found=found, seconds=seconds, detail=tail)
    values = [float(v) for v in _VALUE.findall(output)]
    if _PASSED.search(output) or _NONE_FAILED.search(output):
        stated = "words"
    elif values:
        if not all(abs(v) <= _SMALL for v in values):
            return Outcome(reason=_LARGE_ERROR, found=found, seconds=seconds, detail=tail)
        stated = "error value"
    else:
        stated = "exit code alone"
    return Outcome(reason=RAN, found={stated: 1}, seconds=seconds, detail=output[-300:])


def summary(outcomes: Sequence[Outcome]) -> str:
    """How many programs reached which stage."""
    compiled = [o for o in outcomes if o.reason == RAN or _COMPILED in o.found]
    passed = [o for o in outcomes if o.reason == RAN]
    kinds = Counter(kind for o in passed for kind in o.found)
    rows = [
        ["", "programs"],
        ["chosen", str(len(outcomes))],
        ["compiled", str(len(compiled))],
        ["ended", str(sum(o.reason not in (_EXPIRED, _NOT_RUN) for o in compiled))],
        ["passed", str(len(passed))],
        *(["passed by " * (kind != _SMALLER) + kind, str(n)] for kind, n in kinds.most_common()),
    ]
    return table.aligned(rows)


def _runs(folder: Path, name: str, limit: int, compile_only: bool) -> list[Outcome]:
    """The outcomes of a program: it has one run."""
    return [run_program(folder, name, limit, compile_only)]


def report(program: Program, outcome: Outcome) -> None:
    """A line about what became of a program."""
    times = " ".join(f"{k} {v:.1f}" for k, v in outcome.seconds.items())
    kinds = ", ".join(outcome.found)
    detail = outcome.detail.replace("\n", " | ")[-200:]
    print(f"{program.name}: {outcome.reason} {kinds} ({times}) {detail}", flush=True)


def run_programs(programs: Sequence[Program], args: argparse.Namespace) -> None:
    """Run them and print the tables, by the options of all suites."""
    chosen_ones = [p for p in programs if re.search(args.only, p.name)][:: args.every]
    each = report if args.list else None
    rows = table.run_each(chosen_ones, _WAIT * args.limit, args.jobs, each)
    print(summary([outcome for _, outcome in rows]), table.reasons(rows), sep="\n\n")
    if args.output:
        records = [{"program": p.name, **dataclasses.asdict(o)} for p, o in rows]
        args.output.write_text(json.dumps(records, indent=1) + "\n")


def main() -> int:
    """The suite as a command."""
    parser = table.options(__doc__ or "")
    parser.add_argument("--count", type=int, default=100, help="how many programs, by hash")
    parser.add_argument("--compile-only", action="store_true", help="do not run the programs")
    args = parser.parse_args()
    folder = args.folder.resolve()
    limit = int(args.limit)
    programs = [
        Program(name, "", partial(_runs, folder, name, limit, args.compile_only))
        for name in chosen(folder, args.count)
    ]
    run_programs(programs, args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
