# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the command line of xgpu-runner says."""

from __future__ import annotations

from collections.abc import Sequence

from xgpu.core.ir.errors import UsageError
from xgpu.core.ir.suggestions import lacks, nearest
from xgpu.driver.options import RESULTS, device_name

# Option -> (what its value is called, or None for a flag; what it does).
OPTIONS: dict[str, tuple[str | None, str]] = {
    "e": ("name", "the function to call (default: main)"),
    "entry-point": ("name", "the same"),
    "entry-point-result": ("|".join(RESULTS[1:]), "what it returns (default: what its type says)"),
    "kernel": ("file", "launch one kernel of a file in MLIR, LLVM IR, PTX or CUDA C++ (.mlir, .ll, "
               ".bc, .ptx, .cu) instead of running a program; arrays are summed up on standard "
               "output"),
    "entry": ("name", "with --kernel: which kernel; may be left out where there is only one"),
    "args": ("argument, ...", "with --kernel: its arguments, arrays as TYPE[SIZES]=FILLED, where "
             "FILLED is zeros, ones, range, random, a number or a file (.npy), numbers as "
             "TYPE=NUMBER, or files (.npy): 'f32[1024]=random, f32[32x32]=zeros, i32=1024, x.npy'"),
    "grid": ("X[xY[xZ]]", "with --kernel: blocks (default: 1)"),
    "block": ("X[xY[xZ]]", "with --kernel: threads of a block (default: what the kernel says, "
              "or 1)"),
    "shared": ("bytes", "with --kernel: dynamic shared memory of a block (default: 0)"),
    "print": (None, "with --kernel: print whole arrays"),
    "expect": ("N=file.npy", "with --kernel: compare argument N, counted from 1, with a file; exit "
               "code 1 where it differs; may be repeated"),
    "save": ("N=file.npy", "with --kernel: write argument N to a file; may be repeated"),
    "instantiate": ("kernel", "with --kernel: a kernel to make of a template in CUDA C++, such as "
                    "'k<float, 4>'; may be repeated"),
    "clang-options": ("options", "with --kernel: more options for clang, which reads CUDA C++, "
                      "such as '-Iinclude -DN=4'"),
    "shared-libs": ("lib,...", "libraries with functions that the program declares; MLIR's runner, "
                    "C runner, float16, async and CUDA libraries are built in"),
    "device": ("auto|cuda|cuda:N|host", "where kernels run (default: auto, a GPU if there is one; "
               "cuda is the first)"),
    "report": (None, "print what was created, destroyed and leaked to standard error; "
               "with --sanitize also how launches were watched"),
    "profile": (None, "print what each kernel does in a second, in bytes and operations on floats, "
                "beside what this machine can do, to standard error (host device)"),
    "trace": ("file", "write a Chrome trace of what ran on which stream when"),
    "timeline": ("file", "draw what ran on which stream when, and what waited for what: "
                 ".svg, .html, or .json for Perfetto"),
    "explore": ("file", "write a page (.html) that shows the IR after each pass of the lowering, "
                "device code, what ran when, and what the sanitizer found"),
    "schedules": ("N", "run the program under so many other orders that streams, events and host "
                  "waits allow, and say whether one gives another outcome (host device); with "
                  "--sanitize, orders of threads and copies in kernels too"),
    "seed": ("S", "the first of these orders, and where the search for others begins (default: 0)"),
    "orders": ("streams|tokens", "what orders operations there: streams, as in any run, or nothing "
               "but tokens, which finds every dependency that is missing (default: streams)"),
    "explain-overlap": (None, "say for each pair of launches whether they may run together, and if "
                        "not why, on standard error"),
    "kernel-strategy": ("auto|block-loops|warps|threads", "how kernels run on the host device: "
                        "loops over warps between barriers, warps that wait, or each thread by "
                        "itself (default: auto, the fastest that the kernel allows)"),
    "print-kernel-strategies": (None, "say which strategy each kernel got and why not a faster "
                                "one, on standard error"),
    "relaxed-float-atomics": (None, "let kernels on the host device do atomic additions of floats "
                              "whose results are not read in any order, which is faster; not with "
                              "--sanitize or --schedules, which keep the order"),
    "sanitize": ("kind,...", "run on the host device and look for mistakes: memory, race, sync, "
                 "init, leak, volatile (default: the first four); exit code 1 if there are any"),
    "sanitize-report": ("file", "write what was found to a .json or .sarif file too"),
    "ranks": ("N", "run the program as N ranks of MPI on this machine; the first that fails ends "
              "all"),
    "mpi": ("auto|library|shared", "with --ranks: what serves calls of MPI, the MPI library of "
            "this machine, or shared memory, where every call is checked (default: auto, a library "
            "if there is an mpiexec)"),
    "O0": (None, "optimization level"),
    "O1": (None, "optimization level"),
    "O2": (None, "optimization level (the default)"),
    "O3": (None, "optimization level"),
    "march": ("name", "accepted for mlir-runner's sake: the program is compiled for this machine"),
    "mattr": ("list", "likewise"),
    "mcpu": ("name", "likewise"),
    "load-pass-plugin": ("plugin", "load passes from a Python file, folder or module"),
    "load-dialect-plugin": ("plugin", "the same of dialects"),
    "pass-pipeline": ("pipeline", "passes to run before the program is lowered, such as "
                      "'builtin.module(canonicalize)'"),
    "debug": (None, "show tracebacks of internal errors"),
    "h": (None, "print this"),
    "help": (None, "the same"),
    "version": (None, "print the version"),
}  # fmt: skip


class Arguments:
    """The command line, understood."""

    __slots__ = ("args", "block", "clang_options", "debug", "device", "entry", "entry_named",
                 "expect", "explain", "explore", "grid", "input", "instantiate", "kernel",
                 "libraries", "mpi", "opt_level", "orders", "pipeline", "plugins", "print_arrays",
                 "profile", "ranks", "relaxed_floats", "report", "result", "sanitize",
                 "sanitize_report", "save", "schedules", "seed", "shared", "show", "strategies",
                 "strategy", "timeline", "trace")  # fmt: skip

    def __init__(self) -> None:
        self.input = "-"
        self.entry = "main"
        self.entry_named = False
        self.result = "auto"
        self.device = "auto"
        self.opt_level = 2
        self.report = False
        self.profile = False
        self.explain = False
        self.relaxed_floats = False
        self.strategy = "auto"
        self.strategies = False
        self.trace: str | None = None
        self.timeline: str | None = None
        self.explore: str | None = None
        self.schedules: int | None = None
        self.orders = "streams"
        self.sanitize: list[str] | None = None
        self.sanitize_report: str | None = None
        self.seed = 0
        self.libraries: list[str] = []
        self.plugins: list[str] = []
        self.pipeline: str | None = None
        self.debug = False
        self.show: str | None = None
        #: What `--kernel` says: the file, and how its kernel is launched.
        self.kernel: str | None = None
        self.args = ""
        self.grid: str | None = None
        self.block: str | None = None
        self.shared = 0
        self.print_arrays = False
        self.ranks: int | None = None
        self.mpi = "auto"
        self.expect: list[str] = []
        self.save: list[str] = []
        self.instantiate: list[str] = []
        self.clang_options = ""


#: Options that say nothing without `--kernel`, and those that say nothing with it.
_OF_KERNELS = (
    "args", "block", "clang-options", "expect", "grid", "instantiate", "print", "save", "shared",
)  # fmt: skip
_OF_PROGRAMS = (
    "entry-point-result", "explain-overlap", "explore", "kernel-strategy", "orders",
    "print-kernel-strategies", "profile", "report", "schedules", "shared-libs", "timeline",
    "trace",
)  # fmt: skip


def parse_arguments(argv: Sequence[str]) -> Arguments:
    """Options with one dash or two, values after `=` or as the next word. Raises `UsageError`."""
    found = Arguments()
    inputs: list[str] = []
    words = list(argv)
    given: set[str] = set()
    while words:
        word = words.pop(0)
        if word == "-" or not word.startswith("-"):
            inputs.append(word)
            continue
        name, equals, value = word.lstrip("-").partition("=")
        option = OPTIONS.get(name)
        if option is None:
            raise UsageError(f"unknown option '{word}'{_hint(name)}; see --help")
        if name == "sanitize":
            pass  # with or without a value
        elif option[0] is None:
            if equals and value not in ("true", "1"):
                raise UsageError(f"option '--{name}' takes no value")
        elif not equals:
            if not words:
                raise UsageError(f"option '--{name}' requires a value")
            value = words.pop(0)
        _store(found, name, value)
        given.add(name)
    _check_kernel(found, given, inputs)
    if len(inputs) > 1:
        raise UsageError(f"more than one input file: '{inputs[0]}' and '{inputs[1]}'")
    if inputs:
        found.input = inputs[0]
    _check_sanitizer(found)
    if "mpi" in given and found.ranks is None:
        raise UsageError("option '--mpi' needs '--ranks'")
    if found.orders == "tokens" and found.schedules is None:
        raise UsageError("option '--orders=tokens' needs '--schedules'")
    if found.schedules is not None:
        if found.device.startswith("cuda"):
            raise UsageError("option '--schedules' needs the host device: a GPU orders as it likes")
        for name in ("trace", "timeline", "explore"):
            if getattr(found, name) is not None:
                raise UsageError(f"options '--schedules' and '--{name}' exclude one another")
    for name in ("sanitize", "schedules"):
        if found.profile and getattr(found, name) is not None:
            raise UsageError(f"options '--profile' and '--{name}' exclude one another")
    return found


def _check_kernel(found: Arguments, given: set[str], inputs: Sequence[str]) -> None:
    """Raises `UsageError` for options that do not go with `--kernel`, or not without it."""
    if found.kernel is None:
        alone = next((name for name in _OF_KERNELS if name in given), None)
        if alone is not None:
            raise UsageError(f"option '--{alone}' needs '--kernel'")
        return
    other = next((name for name in _OF_PROGRAMS if name in given), None)
    if other is not None:
        raise UsageError(f"options '--kernel' and '--{other}' exclude one another")
    if inputs:
        raise UsageError(f"option '--kernel' names the file, and '{inputs[0]}' is another")


def _check_sanitizer(found: Arguments) -> None:
    """Raises `UsageError` for what does not go with the sanitizer."""
    what = "option '--sanitize'"
    if found.sanitize is None and found.show is None:
        from xgpu.host_device.sanitizer.reports.watch import VARIABLE, wanted_kinds

        kinds = wanted_kinds()
        found.sanitize = None if kinds is None else list(kinds)
        what = f"variable {VARIABLE}"
    if found.sanitize is None:
        if found.sanitize_report is not None:
            raise UsageError("option '--sanitize-report' needs '--sanitize'")
        return
    from xgpu.driver.sanitizer import check_kinds

    check_kinds(found.sanitize)
    path = found.sanitize_report
    if path is not None and not path.endswith((".json", ".sarif")):
        raise UsageError(f"option '--sanitize-report' is '{path}', expected a .json or .sarif file")
    if found.device.startswith("cuda"):
        raise UsageError(f"{what} needs the host device")
    if found.strategy in ("block-loops", "warps"):
        raise UsageError(f"{what} and option '--kernel-strategy' exclude one another")


def _hint(name: str) -> str:
    """What is said behind an option that is not known."""
    missing = lacks(name, "mlir-runner", options=True)
    if missing is not None:
        return f": {missing}"
    near = nearest(name, OPTIONS)
    return f"; did you mean '--{near}'?" if near else ""


def _store(found: Arguments, name: str, value: str) -> None:
    if name in ("e", "entry", "entry-point"):
        found.entry = value.lstrip("@")
        found.entry_named = True
    elif name in ("args", "block", "clang-options", "grid", "kernel"):
        setattr(found, name.replace("-", "_"), value)
    elif name in ("expect", "instantiate", "save"):
        getattr(found, name).append(value)
    elif name == "print":
        found.print_arrays = True
    elif name == "shared":
        if not value.isdecimal():
            raise UsageError(f"option '--shared' is '{value}', expected a number of bytes")
        found.shared = int(value)
    elif name == "entry-point-result":
        found.result = _one_of(name, value, RESULTS[1:])
    elif name == "device":
        found.device = _device_name(value)
    elif name == "shared-libs":
        found.libraries += [path for path in value.split(",") if path]
    elif name in ("load-pass-plugin", "load-dialect-plugin"):
        found.plugins += [path for path in value.split(",") if path]
    elif name == "pass-pipeline":
        found.pipeline = value
    elif name == "trace":
        found.trace = value
    elif name == "timeline":
        found.timeline = value
    elif name == "explore":
        if not value.endswith(".html"):
            raise UsageError(f"option '--explore' is '{value}', expected an .html file")
        found.explore = value
    elif name in ("ranks", "schedules", "seed"):
        if not value.isdecimal():
            least = 1 if name == "ranks" else 0
            raise UsageError(
                f"option '--{name}' is '{value}', expected a number that is at least {least}"
            )
        setattr(found, name, int(value))
    elif name == "orders":
        found.orders = _one_of(name, value, ("streams", "tokens"))
    elif name == "mpi":
        found.mpi = _one_of(name, value, ("auto", "library", "shared"))
    elif name == "explain-overlap":
        found.explain = True
    elif name == "kernel-strategy":
        found.strategy = _one_of(name, value, ("auto", "block-loops", "warps", "threads"))
    elif name == "sanitize":
        found.sanitize = [kind for kind in value.split(",") if kind]
    elif name == "sanitize-report":
        found.sanitize_report = value
    elif name == "relaxed-float-atomics":
        found.relaxed_floats = True
    elif name == "print-kernel-strategies":
        found.strategies = True
    elif name in ("profile", "report"):
        setattr(found, name, True)
    elif name == "debug":
        found.debug = True
    elif name in ("h", "help", "version"):
        found.show = "version" if name == "version" else "help"
    elif name[0] == "O":
        found.opt_level = int(name[1])


def _device_name(value: str) -> str:
    try:
        return device_name(value)
    except UsageError:
        raise UsageError(
            f"option '--device' is '{value}', expected one of auto, cuda, cuda:N, host"
        ) from None


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise UsageError(f"option '--{name}' is '{value}', expected one of {', '.join(allowed)}")
    return value


def help_text() -> str:
    """What `--help` prints."""
    lines = ["USAGE: xgpu-runner [options] <input file, or - for standard input>", "", "OPTIONS:"]
    for name, (value, text) in OPTIONS.items():
        dashes = "-" if len(name) < 3 else "--"
        lines.append(f"  {dashes}{name}{f'=<{value}>' if value else ''}")
        lines.append(f"      {text}")
    return "\n".join(lines) + "\n"
