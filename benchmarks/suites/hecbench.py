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

    python benchmarks/suites/hecbench.py HeCBench --pairs [--count 60] [--repeat 5] [--libomp DIR]

compares times with the versions in OpenMP, of programs that have both, with two threads, the same
arguments and alternating runs. clang compiles them for this machine: a `target` region runs on the
host. `--libomp` is an installation of LLVM's OpenMP library where clang has none beside it. Inputs
are larger than above. Where both programs print times with the same words, equally often, these
count (those of kernels if there are some), else the process's less that of one that only begins the
device. Versions in OpenMP that take a thread's number in its team for an index do a part of the
work with two threads: they are not chosen. Times beside other work of a machine mean nothing.

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
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import table
from table import RAN, Outcome, Program

from xgpu.api.cuda_driver import nvrtc
from xgpu.api.cuda_driver.library_file import NAME, library_folder
from xgpu.core.ir.errors import DiagnosticError, UsageError
from xgpu.frontend.cuda.programs import ProgramOptions, program_image

_COMPILERS = ("nvcc", "g++", "gcc", "clang++", "clang", "c++", "cc", "icpx")
#: For Makefiles of folders whose names end so.
_VARIABLES = {"-omp": ["DEVICE=cpu"]}
_SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c")
_TEXTS = (*_SOURCES, ".h", ".hpp", ".cuh")
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
    "background-subtract": "256 256 0 1000",  # the first of them load the code of its kernels
    "bgmv": "--op bgmv_shrink --tokens 1 --hidden 256 --rank 16 --loras 4 --repeat 2000",
    "dslash": "256",
    "extend2": "4000",  # the first of them begins the device
    "wordcount": "100",  # the first of them touches 256 MB that are new to the process
    "pointwise": "20 8 128 64 10",
    "pool": "8 48 224 224 54 54 20",
    "nbody": "8000 10",
    "md": "1 20",  # the list of neighbours is made on the host, by all pairs
}
#: Of programs whose sizes are constants of their sources: pattern, text of a small run.
_CONSTANTS = {
    "ace": [(r"(DATA[XYZ]SIZE) 400", r"\1 64")],
    "bonds": [(r"nBondsArray\[\] = \{1000000\}", "nBondsArray[] = {50000}")],
    "car": [(r"p = \{128, 3, 480, 640, 9,", "p = {2, 3, 480, 640, 9,")],
    "channelShuffle": [(r"N <= 64; N", "N <= 1; N")],
    "ddbp": [(r"nPixX = 1996", "nPixX = 250"), (r"nPixY = 2457", "nPixY = 308")],
    "dslash": [(r"LDIM 32", "LDIM 16"), (r"ITERATIONS 100", "ITERATIONS 10")],
    "feynman-kac": [(r"nj = 128;", "nj = 8;")],
    "graphExecution": [(r"1<<27", "1<<20")],
    "hmm": [(r"(nState|nEmit)  ?= 4096", r"\1 = 1024"), (r"nObs = \d+", "nObs = 50")],
    "hypterm": [(r"define D 308", "define D 68")],
    "interleave": [(r"COUNT 4096", "COUNT 256")], "md5hash": [(r"size <= 4;", "size <= 1;")],
    "langford": [(r"  run_gpu<15>\(known_results\);", "")],
    "laplace": [(r"NUM 1024", "NUM 256")], "fresnel": [(r"interval = 1e-7", "interval = 1e-5")],
    "lda": [(r"block_cnt  = 500", "block_cnt  = 50"), (r"num_words  = 10266", "num_words  = 1026")],
    "linearprobing": [(r"64\*1024\*1024", "1024*1024")],
    "minkowski": [(r"m_size = 512 \* 8", "m_size = 128 * 8")],
    "sheath": [(r"(NUM_TS *=? *)\d+", r"\g<1>50")],
    "ssm": [(r"kDim    = 2048", "kDim    = 64")],
}  # fmt: skip

_EXPIRED = "over the time limit"
_FAILS = "fails its own check"
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


@dataclass(frozen=True)
class Scale:
    """The size of a run: the largest number of few arguments and of many, and repetitions."""

    few: int = 1 << 12
    many: int = 128
    repetitions: int = 1


_OF_PAIRS = Scale(1 << 18, 256, 20)


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


def recipe(folder: Path, name: str, scale: Scale | None = None) -> Recipe | str:
    """How the Makefile in a program's folder makes and runs it, or why that is not known."""
    scale = scale or Scale()
    if not (folder / "Makefile").exists():
        return "no Makefile"
    dry = subprocess.run(
        ["make", "-n", "-B", "-C", str(folder), *_VARIABLES.get(folder.name[-4:], []), "run"],
        capture_output=True, text=True, check=False, errors="replace",
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
    few = rf"\1={scale.repetitions}"
    made.options = [re.sub(r"^(-D\w*ITERATIONS)=\d+$", few, o) for o in options]
    if name in _ARGUMENTS:
        made.arguments = shlex.split(_ARGUMENTS[name])
    else:
        made.arguments = scaled(made.arguments, scale)
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


def scaled(arguments: Sequence[str], scale: Scale | None = None) -> list[str]:
    """Arguments of a small run. The last number is a count of repetitions, or the one size."""
    size = scale or Scale()
    numbers = [i for i, word in enumerate(arguments) if word.isdecimal()]
    made = [
        re.sub(r"(?<==)\d+$", lambda n: str(_reduced(int(n[0]), size.few)), w) for w in arguments
    ]
    limit = size.few if len(numbers) < 3 else size.many
    for i in numbers:
        made[i] = str(_reduced(int(arguments[i]), limit))
    if numbers and int(arguments[numbers[-1]]) <= 10000:
        made[numbers[-1]] = str(min(int(arguments[numbers[-1]]), size.repetitions))
    return made


def _reduced(value: int, limit: int) -> int:
    """The largest `value / (2**i * 10**j)` that is not above `limit`."""
    while value > limit:
        value = value // 10 if value % 10 == 0 and value & (value - 1) else -(-value // 2)
    return value


def with_smaller_constants(place: Path, name: str) -> Path:
    """A copy of a program's folder beside it, with what `_CONSTANTS` says. Raises `ValueError` for
    a constant that is neither there nor, where its Makefile names it, in the folder for CUDA."""
    copy = place.with_name(f"{place.name}-small")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(place, copy)
    sources = [p for p in copy.rglob("*") if p.suffix in _TEXTS]
    borrows = f"../{name}-cuda" in (copy / "Makefile").read_text()
    for old, new in _CONSTANTS[name]:
        count = 0
        for file in sources:
            text, found = re.subn(old, new, file.read_text(errors="replace"))
            count += found
            if found:
                before = file.stat().st_mtime_ns
                file.write_text(text)  # with its time: what is compiled is cached by it
                os.utime(file, ns=(before, before + zlib.crc32(text.encode()) // 1000))
        if not count and not borrows:
            raise ValueError(f"{place.name}: no '{old}' in its sources")
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


_LIMIT_CODES = tuple(b + n for n in (signal.SIGXCPU, signal.SIGKILL) for b in (128, -2 * n))


def _processor_time() -> float:
    """Seconds that this process and those that it has waited for have used."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _compiled(made: Recipe) -> str | None:
    """What the compiler says if it refuses. The program goes to xgpu's cache."""
    libraries = [str(library_folder() / name) for name in (NAME, nvrtc.NAME)]
    try:
        program_image(made.sources, ProgramOptions(made.options), libraries)
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
            reason = "needs an input file or other arguments"
            return Outcome(reason=reason, found=found, seconds=seconds, detail=tail)
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


# Pairs with OpenMP.

_XGPU, _OPENMP, _RATIO = "xgpu", "OpenMP", "ratio"
_PROCESSOR = "ratio of processor time"
_THREADS = 2
_PATIENCE = 3  # how much longer a run may take than its limit, which is of processor time
#: Seconds of a whole pair, compilation included.
_WHOLE_PAIR = 150
_BESIDE = 8  # so many times as long by the clock beside other work, where processor time counts
#: A product and a sum become one fma, as nvcc does by default, and clang in the other version.
_FUSED = "-ffp-contract=fast"
#: What is timed of a program that ends in less than `_SHORT` seconds is made `_LONGER` times, since
#: the first launch of a kernel loads its code.
_SHORT, _LONGER = 1.0, 10
#: Of programs whose ratio may be above 2, what was measured.
_WHY = {
    "background-subtract": "a launch takes 40 us behind work of the host, 20 us behind another one",
    "wordcount": "two thirds are the copy to the device, which OpenMP does not make",
    "bonds": "a warp's loop goes on for its bond with most cash flows: 1.6 times the mean",
    "extend2": "36 calls for memory, copies and a launch of one thread; OpenMP makes none",
    "secp256k1": "the first launch loads the module of 2 MB and its code, within 100 repetitions",
    "doh": "loads at quotients and remainders of the thread's number are gathers",
    "popcount": "clang makes one instruction of the loop that clears a bit a time, for processors",
    "rotary": "four elements of a thread are 512 bytes apart: 24 streams instead of six",
    "scatterAdd": "one block of 512 threads goes through 8,192 rows, of which there are 100",
}
_ENOUGH = 12  # seconds of runs of a pair, after which there are no more
_PRINTED, _PROCESS = "times that it prints", "time of the process"
_NUMBERS = "omp_get_thread_num"
_OTHER = "its parts are not those of the version in OpenMP"  # it times more, or fewer
_TOO_SHORT = "too short beside a process's start"
_NOISE = 0.02  # seconds: what remains of a process's time without its start varies as much
_LEAST = 1e-7  # seconds: what is less has been rounded to nothing
_UNITS = {"s": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9, "\u00b5": 1e-6}
_UNIT = r"(s|secs?|seconds?|[mun\u00b5]s|[mu]secs?|(?:milli|micro|nano)seconds?)"
_OF_TIME = r"\bt(?:ime)?\b"
#: A time with its unit behind it, and before it.
_TIMES = (
    re.compile(rf"(?im)^(.*?{_OF_TIME}.*?)[:= ]\s*([0-9][0-9.]*(?:e[-+]?\d+)?)\s*[(\[]?{_UNIT}\b"),
    re.compile(rf"(?im)^(.*?{_OF_TIME}.*?)[(\[]{_UNIT}[)\]]\s*[:=]?\s*([0-9][0-9.]*(?:e[-+]?\d+)?)"),
)  # fmt: skip
_LONG_REPETITIONS = _OF_PAIRS.repetitions * _LONGER
_EMPTY = "int main() { return cudaFree(nullptr); }\n"  # it begins the device


def chosen_pairs(folder: Path, count: int) -> list[str]:
    """Names of `count` programs that have a version in OpenMP too, for any number of threads."""
    return [name for name in chosen(folder, sys.maxsize) if _has_pair(folder, name)][:count]


def _has_pair(folder: Path, name: str) -> bool:
    """Whether there is a version in OpenMP that does the same work with two threads. One that takes
    a thread's number in its team for an index needs as many threads as a block has."""
    sources = [p for p in (folder / "src" / f"{name}-omp").rglob("*") if p.suffix in _TEXTS]
    return bool(sources) and not any(_NUMBERS in p.read_text(errors="replace") for p in sources)


def printed_times(output: str) -> dict[str, list[float]]:
    """Seconds by what a program says of them, as often as it says so."""
    found: dict[str, list[float]] = {}
    for line in output.splitlines():
        for at, form in enumerate(_TIMES):
            match = form.search(line)
            if match is None:
                continue
            number, unit = (match[2], match[3]) if at == 0 else (match[3], match[2])
            letter = "m" if unit.lower().startswith("milli") else unit[0].lower()
            letter = "u" if unit.lower().startswith("micro") else letter
            words = " ".join(re.findall(r"[a-z]+", match[1].lower()))
            found.setdefault(words, []).append(float(number) * _UNITS[letter])
            break
    return found


@dataclass
class Run:
    """A process that has ended: what it says, seconds by the clock and of processor time."""

    code: int
    output: str
    errors: str
    wall: float
    processor: float


@dataclass
class Side:
    """One program of a pair: its command, where it runs, and what its environment has besides."""

    command: list[str]
    place: Path
    limit: int
    environment: dict[str, str]
    patience: float = 1e6

    def run(self, arguments: Sequence[str]) -> Run:
        """Run it to its end."""
        before, begin = os.times(), time.perf_counter()
        made = subprocess.Popen(
            [*self.command, *arguments], cwd=self.place, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
            env={**os.environ, **self.environment}, preexec_fn=self._begin,
        )  # fmt: skip
        try:
            output, errors = made.communicate(timeout=self.patience)
        except subprocess.TimeoutExpired:  # it waits for something, and what it has started does
            os.killpg(made.pid, signal.SIGKILL)
            output, errors = made.communicate()
        wall, after = time.perf_counter() - begin, os.times()
        used = after.children_user + after.children_system
        used -= before.children_user + before.children_system
        return Run(made.returncode, output, errors, wall, used)

    def _begin(self) -> None:
        """In the new process: a group of its own, with what it starts."""
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (self.limit, self.limit))


@dataclass(frozen=True)
class PairOptions:
    """How pairs are run: seconds of processor time of a process, runs of each side, where LLVM's
    OpenMP library is, what programs load first (`processor_clock`), and seconds by the clock and of
    processor time that a program which only begins the device takes under `xgpu-cuda`."""

    limit: int
    repeat: int
    libomp: Path | None
    preload: str = ""
    empty: tuple[float, float] = (0.0, 0.0)


_OURS = (sys.executable, "-m", "xgpu.tools.xgpu_cuda")
#: The clocks by which programs measure, as the processor time of their process.
_CLOCKS = """
#include <sys/time.h>
#include <time.h>
static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}
long _ZNSt6chrono3_V212steady_clock3nowEv(void) { return now(); }
long _ZNSt6chrono3_V212system_clock3nowEv(void) { return now(); }
double omp_get_wtime(void) { return now() * 1e-9; }
int gettimeofday(struct timeval *t, void *zone) {
  t->tv_sec = now() / 1000000000L;
  t->tv_usec = now() % 1000000000L / 1000;
  return 0;
}
"""


def processor_clock(folder: Path) -> str:
    """A library that programs load first, so that they measure processor time, of all threads."""
    source, made = folder / "clocks.c", folder / "clocks.so"
    source.write_text(_CLOCKS)
    command = ["-O2", "-w", "-shared", "-fPIC", str(source), "-o", str(made)]
    subprocess.run([_clang(), "-x", "c", *command], check=True)
    return str(made)


def empty_program(folder: Path, limit: int) -> tuple[float, float]:
    """Seconds by the clock and of processor time of a program that only begins the device."""
    source = folder / "empty.cu"
    source.write_text(_EMPTY)
    nothing = Side([*_OURS, str(source), "--"], folder, limit, {})
    runs = [nothing.run([]) for _ in range(4)][1:]  # the first compiles
    return min(run.wall for run in runs), min(run.processor for run in runs)


def run_pair(folder: Path, name: str, options: PairOptions) -> Outcome:
    """The times of a program in both versions."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:_THREADS])
    place, other_place = (folder / "src" / f"{name}-{kind}" for kind in ("cuda", "omp"))
    made, other = recipe(place, name, _OF_PAIRS), recipe(other_place, name, _OF_PAIRS)
    if isinstance(made, str) or isinstance(other, str):
        return Outcome(reason=str(made if isinstance(made, str) else f"in OpenMP: {other}"))
    longer = recipe(place, name, dataclasses.replace(_OF_PAIRS, repetitions=_LONG_REPETITIONS))
    assert isinstance(longer, Recipe)
    if name in _CONSTANTS:
        place, other_place = (with_smaller_constants(p, name) for p in (place, other_place))
        near, copied = f"../{name}-cuda/", f"../{name}-cuda-small/"
        other.sources = [s.replace(near, copied) for s in other.sources]
        other.options = [f"{o}/".replace(near, copied).removesuffix("/") for o in other.options]
    os.chdir(place)
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    binary, theirs = _start_openmp(folder, other, other_place, options.libomp)
    outcome = Outcome()
    for fused in ([_FUSED], []):
        options_of_run = [*made.options, *fused]
        refused = _compiled(dataclasses.replace(made, options=options_of_run))
        if refused is not None:
            return Outcome(reason=_reason_of_compiler(refused), detail=refused[:1000])
        refused = theirs.communicate()[1] if theirs is not None else ""
        if theirs is not None and theirs.returncode:
            return Outcome(reason="in OpenMP: not compiled", detail=refused[:1000])
        theirs = None
        clocks = {"LD_PRELOAD": options.preload} if options.preload else {}
        openmp = {"OMP_NUM_THREADS": str(_THREADS), "OMP_PROC_BIND": "true", **clocks}
        if options.preload:  # threads that wait use no processor time
            openmp["OMP_WAIT_POLICY"] = "passive"
        command = [*_OURS, *options_of_run, *made.sources, "--"]
        patience = _PATIENCE * options.limit * (_BESIDE if options.preload else 1)
        sides = (
            Side(command, place, options.limit, clocks, patience),
            Side([str(binary)], other_place, options.limit, openmp, patience),
        )
        outcome = _compared(sides, (made.arguments, longer.arguments), name, options)
        if outcome.reason not in (_FAILS, _LARGE_ERROR):
            break  # else it compares bits with a loop of its own, in which the host makes no fma
    if outcome.reason == RAN and not fused:
        outcome.detail += "; without fma"
    return outcome


def _clang() -> str:
    return os.environ.get("CLANGXX", "clang++")


def _start_openmp(
    folder: Path, made: Recipe, place: Path, libomp: Path | None
) -> tuple[Path, subprocess.Popen[str] | None]:
    """Where a version in OpenMP for the host is, and the compiler that is making it unless it has
    been made of the same files."""
    flags = ["-O3", "-march=native", "-fopenmp", "-w"]
    if libomp is not None:
        (header,) = list(libomp.rglob("omp.h"))[:1]
        flags += [f"-I{header.parent}", f"-L{libomp / 'lib'}", f"-Wl,-rpath,{libomp / 'lib'}"]
    kept = [o for o in made.options if not o.startswith(("-fiopenmp", "-qopenmp", "-fopenmp"))]
    if "-ffast-math" in kept:  # in CUDA there are infinities and NaNs, whatever is fast
        kept.append("-fno-finite-math-only")
    command = [_clang(), *kept, *flags, *made.sources, "-lm"]
    name = place.name.partition("-omp")[0]
    around = [p for p in place.parent.glob(f"{name}-*/**/*") if p.suffix in _TEXTS]
    states = [f"{p} {p.stat().st_mtime_ns} {p.stat().st_size}" for p in sorted(around)]
    key = hashlib.sha256("\n".join([*command, *states]).encode()).hexdigest()[:16]
    binary = folder / "openmp" / f"{name}-{key}"
    if binary.exists():
        return binary, None
    binary.parent.mkdir(exist_ok=True)
    return binary, subprocess.Popen(
        [*command, "-o", str(binary)],
        cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
    )  # fmt: skip


def _compared(
    sides: tuple[Side, Side], arguments: tuple[list[str], list[str]], name: str,
    options: PairOptions,
) -> Outcome:  # fmt: skip
    """The times of two programs that end well, in alternating runs. `arguments` are those of few
    repetitions and of many."""
    begin = time.perf_counter()
    sides[0].run(arguments[0])  # the code that it compiles is in the cache then
    runs = [side.run(arguments[0]) for side in sides]
    for at, run in enumerate(runs):
        if run.code in _LIMIT_CODES:
            detail = shlex.join(arguments[0])
            return Outcome(reason=at * "in OpenMP: " + _EXPIRED, detail=detail)
        output = run.output if name not in _NO_ERROR_VALUE else _VALUE.sub("", run.output)
        outcome = judged(run.code, output, run.errors, {})
        if outcome.reason != RAN:
            return dataclasses.replace(outcome, reason=at * "in OpenMP: " + outcome.reason)
    used = arguments[0]
    took = max(_less(runs[0].processor, options.empty[1]), runs[1].processor)
    if took < _SHORT and arguments[1] != used:
        more = [side.run(arguments[1]) for side in sides]
        if all(run.code == 0 and run.processor < 1.5 * _LONGER * _SHORT for run in more):
            runs, used = more, arguments[1]
    times: list[tuple[float, float]] = []
    processor: list[float] = []
    kinds: set[str] = set()
    while len(times) < options.repeat:
        if times and time.perf_counter() - begin > _ENOUGH:
            break
        runs = [side.run(used) for side in sides] if times else runs
        kind, seconds = _measured(runs, options)
        if kind == _OTHER:
            return Outcome(reason=_OTHER, detail=shlex.join(used))
        if kind == _PROCESS and min(seconds) < _NOISE:
            return Outcome(reason=_TOO_SHORT, detail=shlex.join(used))
        kinds.add(kind)
        times.append(seconds)
        processor.append(_less(runs[0].processor, options.empty[1]) / _less(runs[1].processor, 0))
    seconds = {
        _XGPU: statistics.median(a for a, _ in times),
        _OPENMP: statistics.median(b for _, b in times),
        _RATIO: statistics.median(a / b for a, b in times),
        _PROCESSOR: statistics.median(processor),
    }
    return Outcome(seconds=seconds, detail=f"{', '.join(sorted(kinds))}; {shlex.join(used)}")


def _less(seconds: float, empty: float) -> float:
    return max(seconds - empty, _LEAST)


def _measured(runs: Sequence[Run], options: PairOptions) -> tuple[str, tuple[float, float]]:
    """What was measured, and seconds of both. Times that one side prints more often than the other
    are of other work."""
    ours, theirs = (printed_times(run.output) for run in runs)
    common = [words for words in ours if len(ours[words]) == len(theirs.get(words, ()))]
    common = [words for words in common if "kernel" in words] or common
    a, b = (sum(sum(times[words]) for words in common) for times in (ours, theirs))
    if a > 0 and b > 0:
        return _PRINTED, (a, b)
    if any(len(ours[words]) != len(theirs.get(words, ours[words])) for words in ours):
        return _OTHER, (0.0, 0.0)
    if options.preload:
        return _PROCESS, (_less(runs[0].processor, options.empty[1]), _less(runs[1].processor, 0))
    return _PROCESS, (_less(runs[0].wall, options.empty[0]), _less(runs[1].wall, 0))


def pairs_summary(rows: table.Rows) -> str:
    """Times and ratios, the largest first."""
    found = sorted(
        ((p.name, o) for p, o in rows if o.reason == RAN), key=lambda row: -row[1].seconds[_RATIO]
    )
    lines = [["", _XGPU, _OPENMP, _RATIO, "of processor time", "measured"]]
    for name, outcome in found:
        took = [f"{outcome.seconds[key] * 1e3:.3g} ms" for key in (_XGPU, _OPENMP)]
        ratios = [f"{outcome.seconds[key]:.2f}" for key in (_RATIO, _PROCESSOR)]
        why = f"; {_WHY[name]}" if outcome.seconds[_RATIO] > 2 and name in _WHY else ""
        lines.append([name, *took, *ratios, outcome.detail + why])
    ratios = [outcome.seconds[_RATIO] for _, outcome in found]
    if not ratios:
        return "no pair ran"
    above = {bound: sum(r > bound for r in ratios) for bound in (2, 4)}
    return (
        f"{table.aligned(lines)}\n\n{len(ratios)} pairs, median {statistics.median(ratios):.2f}, "
        f"{above[2]} above 2, {above[4]} above 4"
    )


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
    times = " ".join(f"{k} {v:.3g}" for k, v in outcome.seconds.items())
    kinds = ", ".join(outcome.found)
    detail = outcome.detail.replace("\n", " | ")[-200:]
    print(f"{program.name}: {outcome.reason} {kinds} ({times}) {detail}", flush=True)


def run_programs(
    programs: Sequence[Program],
    args: argparse.Namespace,
    show: Callable[[table.Rows], str] = lambda rows: summary([outcome for _, outcome in rows]),
    whole: float = 0,
) -> None:
    """Run them and print the tables, by the options of all suites. `whole` is how many seconds a
    program may take with its compilation; by default a multiple of the limit of its run."""
    chosen_ones = [p for p in programs if re.search(args.only, p.name)][:: args.every]
    records: list[dict[str, Any]] = []

    def each(program: Program, outcome: Outcome) -> None:
        records.append({"program": program.name, **dataclasses.asdict(outcome)})
        if args.list:
            report(program, outcome)
        if args.output:
            args.output.write_text(json.dumps(records, indent=1) + "\n")

    rows = table.run_each(chosen_ones, whole or _WAIT * args.limit, args.jobs, each)
    print(show(rows), table.reasons(rows), sep="\n\n")


def main() -> int:
    """The suite as a command."""
    parser = table.options(__doc__ or "", "compare times with OpenMP's versions")
    parser.add_argument("--count", type=int, default=100, help="how many programs, by hash")
    parser.add_argument("--compile-only", action="store_true", help="do not run the programs")
    parser.add_argument("--repeat", type=int, default=5, help="with --pairs: runs of each")
    parser.add_argument("--libomp", type=Path, help="with --pairs: where LLVM's OpenMP library is")
    parser.add_argument(
        "--processor-time", action="store_true",
        help="with --pairs: the programs' clocks show the processor time of all threads",
    )  # fmt: skip
    args = parser.parse_args()
    folder = args.folder.resolve()
    limit = int(args.limit)
    if not chosen(folder, 1):
        sys.exit(f"no programs in {folder}/src")
    if args.pairs:
        with tempfile.TemporaryDirectory() as made_in:
            place = Path(made_in)
            libomp = args.libomp.resolve() if args.libomp else None
            preload = processor_clock(place) if args.processor_time else ""
            empty = empty_program(place, limit)
            options = PairOptions(limit, args.repeat, libomp, preload, empty)

            def act(name: str) -> list[Outcome]:
                return [run_pair(folder, name, options)]

            pairs = [Program(n, "", partial(act, n)) for n in chosen_pairs(folder, args.count)]
            whole = _WHOLE_PAIR * (_BESIDE if preload else 1)
            run_programs(pairs, args, pairs_summary, whole)
        return 0
    act_alone = partial(_runs, folder, limit=limit, compile_only=args.compile_only)
    programs = [Program(n, "", partial(act_alone, n)) for n in chosen(folder, args.count)]
    run_programs(programs, args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
