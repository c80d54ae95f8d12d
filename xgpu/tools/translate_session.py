# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `xgpu-translate` does: MLIR to LLVM IR and PTX; LLVM IR, PTX and CUDA C++ to MLIR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xgpu.core.ir.errors import Diagnostic, DiagnosticError, UsageError
from xgpu.core.ir.source import SPLIT_MARKER
from xgpu.tools.process import relax_collector, report

OVERVIEW = "xgpu's translation of MLIR to LLVM IR and PTX, and of LLVM IR, PTX and CUDA C++ to MLIR"
# Options with their values -> what they do.
OPTIONS: dict[str, str] = {
    "--mlir-to-llvmir": "Translate the llvm, nvvm and gpu dialects to LLVM IR",
    "--import-llvm": "Translate LLVM IR, text or bitcode, to the llvm and nvvm dialects",
    "--import-ptx": "Translate PTX to the llvm and nvvm dialects, in a gpu.module; several "
                    "modules, one after the other, are linked",
    "--import-cuda": "Translate the kernels of CUDA C++, which clang reads, to a program with a "
                     "gpu.module, with locations",
    "--gpu-to-ptx, --mlir-to-ptx": "Compile the kernels of a program and print their PTX, module "
                                   "by module in order; what is not lowered is",
    "--chip=<sm_NN>": "The chip that --gpu-to-ptx compiles for (default: the newest)",
    "--opt-level=<0..3>, -O<0..3>": "How much it optimizes (default: 2)",
    "--fast, --ftz, --fma-contract": "Floating point as with nvcc's -use_fast_math, -ftz, -fmad",
    "--line-info": "Lines of the source in the PTX",
    "-I<folder>, -D<macro>[=<value>], --std=<c++14|c++17|c++20|c++23>": "How --import-cuda reads: "
    "as clang takes them",
    "--instantiate=<kernel>": "A kernel to make of a template, such as 'k<float, 4>'; may be "
                              "repeated",
    "--optimize=<0..3>": "How much LLVM optimizes CUDA C++: 1 (the default) keeps accesses of "
                         "memory where they stand",
    "-o <filename>": "Output file, - (the default) for standard output",
    "--split-input-file[=<marker>]": "Treat each chunk between markers (default `// -----`) by "
                                     "itself",
    "--output-split-marker=<marker>": "What to print between the chunks' outputs",
    "--verify-diagnostics[=<what>]": "Check expected-* comments; <what> is all or only-expected",
    "--allow-unregistered-dialect": "Read operations of dialects that are not registered",
    "--no-implicit-module": "Read one operation instead of a module's content",
    "--raw-llvmir": "Print the text that is given to LLVM, before LLVM prints it",
    "--emit-expensive-warnings": "Warn of all that an import leaves out",
    "--import-structs-as-literals": "Import structs without their names",
    "--prefer-unregistered-intrinsics": "Import all intrinsics as llvm.call_intrinsic",
    "--drop-di-composite-type-elements": "Import composite types in debug information without "
                                         "elements",
    "--convert-debug-rec-to-intrinsics": "Accepted: debug records and intrinsics are imported "
                                         "alike",
    "--mlir-print-op-generic": "Print the generic form of what was imported",
    "--mlir-print-debuginfo": "Print locations of what was imported",
    "--mlir-print-local-scope": "Print attributes where they stand, without aliases",
    "--debug": "Show Python's traceback of an internal error",
    "--help": "Show this text",
    "--version": "Show the version",
}  # fmt: skip

if TYPE_CHECKING:
    from xgpu.core.ir.source import Source


class Arguments:
    """The command line."""

    def __init__(self) -> None:
        self.input = "-"
        self.output = "-"
        self.translation = ""
        self.split_input_file: str | None = None
        self.output_marker = ""
        self.verify_diagnostics: str | None = None
        self.allow_unregistered = False
        self.no_implicit_module = False
        self.raw = False
        #: options of `--import-llvm` by their attribute in `xgpu.frontend.llvm_ir.Options`
        self.imports: dict[str, bool] = {}
        #: how an import is printed: arguments of `print_module`
        self.printing: dict[str, Any] = {}
        #: options of `--gpu-to-ptx`: arguments of `xgpu.compile`
        self.compiling: dict[str, Any] = {}
        #: options of `--import-cuda`: arguments of `CudaOptions`
        self.cuda: dict[str, Any] = {}
        self.information: str | None = None


#: Options of an import, and whether they change anything.
_IMPORTS = {
    "emit-expensive-warnings": True,
    "import-structs-as-literals": True,
    "prefer-unregistered-intrinsics": True,
    "drop-di-composite-type-elements": True,
    "convert-debug-rec-to-intrinsics": False,
}
#: What translations read, as `files.read_input` names it; others read MLIR.
_READS = {"import-llvm": "llvm", "import-ptx": "ptx", "import-cuda": "cuda"}
_PRINTING = {
    "mlir-print-op-generic": "generic",
    "mlir-print-debuginfo": "debuginfo",
    "mlir-print-local-scope": "local_scope",
}


def _flag(name: str, value: str) -> bool:
    """The value of a flag: true if nothing is said."""
    if value not in ("", "true", "false", "1", "0"):
        raise UsageError(
            f"for the --{name} option: '{value}' is invalid value for boolean argument! Try 0 or 1"
        )
    return value in ("", "true", "1")


def parse_arguments(argv: Sequence[str]) -> Arguments:
    """Reads the command line. UsageError for what it does not know."""
    found = Arguments()
    inputs: list[str] = []
    rest = iter(argv)
    for word in rest:
        if word == "-" or not word.startswith("-"):
            inputs.append(word)
            continue
        name, given, value = word.lstrip("-").partition("=")
        if name == "o":
            found.output = value if given else next(rest, "")
            if not found.output:
                raise UsageError("for the -o option: requires a value!")
        elif word[:2] in ("-I", "-D") and word[1] != "-":
            kind = "include" if word[1] == "I" else "define"
            found.cuda.setdefault(kind, []).append(word[2:] or next(rest, ""))
        elif name in ("std", "instantiate", "optimize"):
            _reading(found, name, value if given else next(rest, ""))
        elif name in ("mlir-to-llvmir", *_READS):
            found.translation = name
        elif name in ("gpu-to-ptx", "mlir-to-ptx"):
            found.translation = "gpu-to-ptx"
        elif name in ("fast", "ftz", "fma-contract", "line-info"):
            found.compiling[name.replace("-", "_")] = _flag(name, value)
        elif name in ("chip", "opt-level", "O") or word in ("-O0", "-O1", "-O2", "-O3"):
            option, digit = ("opt-level", name[1:]) if name[1:].isdecimal() else (name, "")
            given_value = value or digit or next(rest, "")
            _compiling(found, option, given_value)
        elif name in _IMPORTS:
            if _IMPORTS[name]:
                found.imports[name.replace("-", "_")] = _flag(name, value)
        elif name in _PRINTING:
            found.printing[_PRINTING[name]] = _flag(name, value)
        elif name == "split-input-file":
            found.split_input_file = value or SPLIT_MARKER
        elif name == "output-split-marker":
            found.output_marker = value if given else next(rest, "")
        elif name == "verify-diagnostics":
            if value not in ("", "all", "only-expected"):
                raise UsageError(f"for the --verify-diagnostics option: no value named '{value}'")
            found.verify_diagnostics = value or "all"
        elif name == "allow-unregistered-dialect":
            found.allow_unregistered = True
        elif name == "no-implicit-module":
            found.no_implicit_module = True
        elif name == "debug":
            pass  # `main` looks for it
        elif name == "raw-llvmir":
            found.raw = True
        elif name in ("help", "h", "version") and given:
            raise UsageError(
                f"for the --{name} option: does not allow a value! '{value}' specified."
            )
        elif name in ("help", "h"):
            from xgpu.tools.help_text import tool_help

            found.information = tool_help("xgpu-translate", OVERVIEW, OPTIONS)
        elif name == "version":
            from xgpu.tools.help_text import version_text

            found.information = version_text()
        else:
            raise UsageError(_unknown(word, name))
    if len(inputs) > 1:
        raise UsageError(f"Too many positional arguments specified: {' '.join(inputs)}")
    if inputs:
        found.input = inputs[0]
    if found.information is None and not found.translation:
        raise UsageError(
            "no translation requested: expected --mlir-to-llvmir, --import-llvm, --import-ptx, "
            "--import-cuda or --gpu-to-ptx"
        )
    return found


def _reading(found: Arguments, name: str, value: str) -> None:
    """Notes an option of `--import-cuda`. Raises `UsageError` for a value that is none."""
    if name == "instantiate":
        found.cuda.setdefault(name, []).append(value)
        return
    if name == "optimize" and value not in ("0", "1", "2", "3"):
        raise UsageError(f"for the --optimize option: '{value}' is invalid, expected 0 to 3")
    found.cuda[name] = int(value) if name == "optimize" else value


def _unknown(word: str, name: str) -> str:
    """What is said of an option that is not known."""
    from xgpu.core.ir.suggestions import lacks, nearest

    missing = lacks(name, "mlir-translate", options=True)
    if missing is not None:
        return f"Unknown command line argument '{word}': {missing}"
    near = nearest(name, option_names())
    hint = f", did you mean '--{near}'?" if near else "."
    return f"Unknown command line argument '{word}'{hint} Try: 'xgpu-translate --help'"


def option_names() -> list[str]:
    """The names of the options, without dashes."""
    from xgpu.tools.help_text import names_of

    return [name for spelled in OPTIONS for name in names_of(spelled)]


def _compiling(found: Arguments, name: str, value: str) -> None:
    """Notes an option of `--gpu-to-ptx`. Raises `UsageError` for a value that is none."""
    if name == "chip":
        from xgpu.driver.options import check_chip

        check_chip(value)
        found.compiling["chip"] = value
        return
    if value not in ("0", "1", "2", "3"):
        raise UsageError(f"for the --opt-level option: '{value}' is invalid, expected 0 to 3")
    found.compiling["opt_level"] = int(value)


def process(text: Source, name: str, arguments: Arguments) -> str:
    """Reads, verifies and translates one chunk. Raises DiagnosticError."""
    if arguments.translation == "import-llvm":
        return import_llvm(text, name, arguments)
    if arguments.translation == "import-ptx":
        return import_ptx(text, name, arguments)
    if arguments.translation == "import-cuda":
        return import_cuda(text, name, arguments)
    if arguments.translation == "gpu-to-ptx":
        return gpu_to_ptx(text, name, arguments)
    from xgpu.backend.llvm_ir import canonical, translate
    from xgpu.core.syntax import parse_module
    from xgpu.core.syntax.verify import verify_module

    module = parse_module(text, name, allow_unregistered=arguments.allow_unregistered)
    verify_module(module)
    relax_collector()
    op = module
    if arguments.no_implicit_module:
        from xgpu.tools.files import single_operation

        op = single_operation(module, text)
    ir = translate(op)
    return ir if arguments.raw else canonical(ir, op)


def gpu_to_ptx(source: Source, name: str, arguments: Arguments) -> str:
    """PTX of a program's kernels, module by module. Raises DiagnosticError and UsageError."""
    from xgpu.core.syntax import parse_module
    from xgpu.driver import compiler

    module = parse_module(source, name, allow_unregistered=arguments.allow_unregistered)
    compiled = compiler.compile(module, **arguments.compiling)
    relax_collector()
    texts = [(module_name, code.decode()) for module_name, code in compiled.kernels.items()]
    if not texts:
        raise DiagnosticError(Diagnostic("error", "the program has no kernels", module.location))
    if len(texts) == 1:
        return texts[0][1]
    return "\n".join(f"// gpu.module @{module_name}\n{text}" for module_name, text in texts)


def import_llvm(source: Source, name: str, arguments: Arguments) -> str:
    """MLIR's text of a chunk of LLVM IR. Raises DiagnosticError."""
    from xgpu.core.syntax import print_module
    from xgpu.core.syntax.verify import verify_module
    from xgpu.frontend.llvm_ir import Options, import_module

    text = source.in_place()
    raw = text.encode("utf-8", "surrogateescape")
    relax_collector()
    module = import_module(raw, name, Options(**arguments.imports))
    verify_module(module)
    return print_module(module, **arguments.printing).rstrip("\n") + "\n"


def import_ptx(source: Source, name: str, arguments: Arguments) -> str:
    """MLIR's text of a chunk of PTX. Raises DiagnosticError."""
    from xgpu.core.syntax import print_module
    from xgpu.core.syntax.verify import verify_module
    from xgpu.frontend.ptx import import_module

    relax_collector()
    module = import_module(source.in_place(), name)
    verify_module(module)
    return print_module(module, **arguments.printing).rstrip("\n") + "\n"


def import_cuda(source: Source, name: str, arguments: Arguments) -> str:
    """MLIR's text of the kernels of a chunk of CUDA C++. Raises DiagnosticError and UsageError."""
    from xgpu.core.syntax import print_module
    from xgpu.core.syntax.verify import verify_module
    from xgpu.frontend.cuda import CudaOptions, llvm_ir_of
    from xgpu.frontend.llvm_ir.device import read_llvm_ir

    text = source.in_place()
    module = read_llvm_ir(llvm_ir_of(text, name, CudaOptions(**arguments.cuda)), name)
    verify_module(module)
    relax_collector()
    printing: dict[str, Any] = {"debuginfo": True, **arguments.printing}
    return print_module(module, **printing).rstrip("\n") + "\n"


def run(argv: Sequence[str]) -> int:
    """Runs the tool with `argv` (without the program's name); returns its exit code."""
    from xgpu.core.ir.source import Source
    from xgpu.core.syntax import diagnostics
    from xgpu.tools.files import check_output, read_input, shown_name, split_chunks, write_output

    arguments = parse_arguments(argv)
    if arguments.information is not None:
        write_output("-", arguments.information)
        return 0
    check_output(arguments.output)
    reads = _READS.get(arguments.translation, "mlir")
    source = read_input(arguments.input, reads)
    name = shown_name(arguments.input)
    chunks = [Source(source, name)]
    if arguments.split_input_file is not None:
        chunks = split_chunks(source, name, arguments.split_input_file)
    outputs: list[str] = []
    code = 0
    for chunk in chunks:
        failed = False
        with diagnostics.collect() as collected:
            try:
                outputs.append(process(chunk, name, arguments))
            except DiagnosticError as e:
                collected.extend(e.diagnostics)
                failed = True
        if arguments.verify_diagnostics is not None:
            only = arguments.verify_diagnostics == "only-expected"
            numbered = chunk.in_place()
            collected = diagnostics.check_expected(numbered, name, collected, only_expected=only)
            failed = bool(collected)
        report(collected, {name: chunk})
        code |= failed
    if arguments.output == "-" or not code:
        marker = f"{arguments.output_marker}\n" if arguments.output_marker else ""
        write_output(arguments.output, marker.join(outputs))
    return code
