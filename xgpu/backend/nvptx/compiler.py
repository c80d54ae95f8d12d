# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR to PTX, with LLVM's NVPTX backend as llvmlite carries it.

The pipeline is LLVM's own of the same level with vectorization of straight-line code (SLP), as
in `mlir-opt --gpu-module-to-binary`, whose PTX it reproduces.

LLVM ends the process if it is asked for a PTX version that is too old for the chip, so chips and
versions are checked here, before LLVM sees them.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from xgpu.backend.nvptx.needs import PTX_VERSIONS, is_known, needed_version
from xgpu.backend.nvptx.parameters import MANY_PARAMETERS, needs_newer
from xgpu.core.ir.errors import Diagnostic, DiagnosticError

if TYPE_CHECKING:
    from llvmlite.binding.module import ModuleRef
    from llvmlite.binding.targets import Target, TargetMachine
    from xdsl.ir import LocationAttr

    from xgpu.backend.llvm_ir.parts import Uses

TRIPLE = "nvptx64-nvidia-cuda"

#: Chips that LLVM 22.1's NVPTX knows -> the first PTX version (times ten) that has them.
#: tests/unit/backend/nvptx/test_nvptx.py compares it with llvmlite.
CHIPS: dict[str, int] = {
    **{"sm_20": 32, "sm_21": 32, "sm_30": 32, "sm_32": 40, "sm_35": 32, "sm_37": 41},
    **{"sm_50": 40, "sm_52": 41, "sm_53": 42, "sm_60": 50, "sm_61": 50, "sm_62": 50},
    **{"sm_70": 60, "sm_72": 61, "sm_75": 63, "sm_80": 70, "sm_86": 71, "sm_87": 74},
    **{"sm_88": 90, "sm_89": 78, "sm_90": 78, "sm_90a": 80},
    **{"sm_100": 86, "sm_100a": 86, "sm_100f": 88, "sm_101": 86, "sm_101a": 86, "sm_101f": 88},
    **{"sm_103": 88, "sm_103a": 88, "sm_103f": 88, "sm_110": 90, "sm_110a": 90, "sm_110f": 90},
    **{"sm_120": 87, "sm_120a": 87, "sm_120f": 88, "sm_121": 88, "sm_121a": 88, "sm_121f": 88},
}


#: The oldest chip that CUDA 13 takes (12.9 was the last with older ones), whose PTX newer GPUs run:
#: the default where no assembler tells.
PORTABLE_CHIP = "sm_75"

#: From this chip on LLVM has code for all that memory can be asked for (`containment`).
_LEAST_TAME = 70

#: Of the features that the translation notes, those that LLVM has code for on all chips from there
#: on, by the beginnings of their names.
_TAME_FEATURES = ("syncscope block", "syncscope device")

#: What a libdevice is looked for under, below a toolkit's folder.
_LIBDEVICE = "nvvm/libdevice/libdevice.10.bc"


def default_chip() -> str:
    """The chip to compile for when none is named.

    The newest one that both LLVM and the installed assembler (nvJitLink or ptxas) take, chips with
    architecture-specific features aside, since their code runs on nothing else.
    """
    from xgpu.backend.nvptx.cubin import assembler_ptx_version

    version = assembler_ptx_version()
    if version is None:
        return PORTABLE_CHIP
    return max(
        (c for c, needs in CHIPS.items() if c[-1].isdigit() and needs <= version),
        key=lambda c: int(c[3:]),
    )


def chip_of_device(major: int, minor: int) -> str:
    """The chip to compile for on a device of that compute capability: with its architecture's own
    features where it has any; on one newer than LLVM knows, the newest whose PTX it takes.
    """
    exact = f"sm_{major}{minor}"
    for chip in (f"{exact}a", exact):
        if chip in CHIPS:
            return chip
    older = [c for c in CHIPS if c[-1].isdigit() and int(c[3:]) <= 10 * major + minor]
    return max(older, key=lambda c: int(c[3:]), default=exact)


def ptx_version(chip: str, features: str = "", location: LocationAttr | None = None) -> int:
    """The PTX version (times ten) for a chip and LLVM features such as "+ptx80".

    The least that the chip needs, or the one that `features` names if that is newer: MLIR's default
    feature +ptx60 would stop LLVM on each chip since Ampere.

    Errors: `DiagnosticError` for a chip or version that LLVM does not know.
    """
    needed = CHIPS.get(chip)
    if needed is None:
        raise DiagnosticError(
            Diagnostic(
                "error",
                f"unknown chip '{chip}', expected one of: {', '.join(CHIPS)}",
                location,
            )
        )
    named = [int(n) for n in re.findall(r"\+ptx(\d+)", features)]
    version = max([needed, *named])
    if version not in PTX_VERSIONS:
        raise DiagnosticError(
            Diagnostic("error", f"PTX version {version / 10} is not known to LLVM 22.1", location)
        )
    return version


def libdevice_path(toolkit: str = "") -> str | None:
    """The path of libdevice's bitcode, or None if there is none.

    Looked for in `toolkit` if that is given; else by cuda-pathfinder (the `nvidia-nvvm` wheel,
    conda, CUDA_HOME, CUDA_PATH) and in /usr/local/cuda.
    """
    if toolkit:
        path = Path(toolkit, _LIBDEVICE)
        return str(path) if path.is_file() else None
    roots = [os.environ.get(v) for v in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH")]
    for root in [*roots, "/usr/local/cuda"]:
        if root and Path(root, _LIBDEVICE).is_file():
            return str(Path(root, _LIBDEVICE))
    try:
        from cuda.pathfinder import find_bitcode_lib  # pyright: ignore

        return find_bitcode_lib("device")  # pyright: ignore[reportUnknownVariableType]
    except Exception:  # no pathfinder, or it finds none: both mean that there is no libdevice
        return None


def missing_libdevice(names: Sequence[str], location: LocationAttr | None) -> DiagnosticError:
    """The error for math functions without a definition."""
    return DiagnosticError(
        Diagnostic(
            "error",
            f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} defined by libdevice, which "
            "was not found: install a CUDA toolkit, or the wheel with `pip install nvidia-nvvm`, "
            "or name a toolkit's folder with CUDA_HOME or the option `toolkit`",
            location,
        )
    )


@functools.cache
def _initialize() -> Target:
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE)


@functools.cache
def _machine(chip: str, features: str, level: int = 2) -> TargetMachine:
    return _initialize().create_target_machine(cpu=chip, features=features, opt=level)


@functools.cache
def data_layout() -> str:
    """NVPTX's data layout, as LLVM states it."""
    return str(_machine(PORTABLE_CHIP, "").target_data)


class Libraries:
    """What is linked into a kernel's module: paths of bitcode or LLVM IR, or their bytes."""

    __slots__ = ("files", "libdevice", "required")

    def __init__(
        self,
        files: Sequence[str | bytes] = (),
        libdevice: str | None = None,
        required: bool = False,
    ) -> None:
        self.files = tuple(files)
        #: the path of libdevice, linked only if the module calls one of its functions
        self.libdevice = libdevice
        #: whether a libdevice function without a definition is an error
        self.required = required


def link(module: ModuleRef, libraries: Libraries, location: LocationAttr | None = None) -> bool:
    """Links libraries into an llvmlite module; what they define becomes internal to it.

    Returns whether there was anything to link.
    """
    import llvmlite.binding as llvm

    for source in libraries.files:
        library = _load(source, location)
        defined = [f.name for f in library.functions if not f.is_declaration]
        defined += [g.name for g in library.global_variables if not g.is_declaration]
        _merge(module, library, defined, llvm, location)
    needed = [f.name for f in module.functions if f.is_declaration and f.name.startswith("__nv_")]
    if not needed:
        return bool(libraries.files)
    if libraries.libdevice is None:
        if libraries.required:
            raise missing_libdevice(needed, location)
        return bool(libraries.files)
    part, unknown = _libdevice_part(libraries.libdevice, tuple(sorted(needed)), location)
    if unknown and libraries.required:
        raise DiagnosticError(
            Diagnostic("error", f"libdevice does not define {', '.join(unknown)}", location)
        )
    defined = [name for name in needed if name not in unknown]
    library = _load(part, location)
    _merge(module, library, defined, llvm, location)
    return True


#: Parts of libdevice by file, its time and the functions: reading all of it takes 60 ms.
_PARTS: dict[tuple[str, float, tuple[str, ...]], tuple[bytes, list[str]]] = {}


def _libdevice_part(
    path: str, needed: tuple[str, ...], location: LocationAttr | None
) -> tuple[bytes, list[str]]:
    """Bitcode of the functions `needed` of libdevice and what they use, and which it lacks."""
    import llvmlite.binding as llvm

    try:
        key = (path, Path(path).stat().st_mtime, needed)
    except OSError:
        key = (path, 0.0, needed)  # reading it says what is wrong
    found = _PARTS.get(key)
    if found is None:
        library = _load(path, location)
        missing = set(needed)
        for function in library.functions:
            if function.is_declaration:
                continue
            if function.name in missing:
                missing.discard(function.name)
            else:
                function.linkage = "internal"
        _drop_unused(library, _machine(PORTABLE_CHIP, ""), llvm)
        found = _PARTS[key] = (
            library.as_bitcode(),
            [name for name in needed if name in missing],
        )
    return found


def _drop_unused(module: ModuleRef, machine: TargetMachine, llvm: ModuleType) -> None:
    """Removes what is internal and not called."""
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options())
    manager = llvm.create_new_module_pass_manager()
    manager.add_global_dead_code_eliminate_pass()
    manager.run(module, builder)


def _merge(
    module: ModuleRef,
    library: ModuleRef,
    defined: Sequence[str],
    llvm: ModuleType,
    location: LocationAttr | None,
) -> None:
    library.triple = module.triple
    library.data_layout = module.data_layout
    own = {f.name for f in module.functions if not f.is_declaration}
    try:
        module.link_in(library)
    except RuntimeError as reason:
        raise DiagnosticError(
            Diagnostic("error", f"cannot link: {str(reason).strip()}", location)
        ) from None
    names = set(defined) - own
    for value in (*module.functions, *module.global_variables):
        if value.name in names and not value.is_declaration:
            value.linkage = "internal"


def _load(source: str | bytes, location: LocationAttr | None) -> ModuleRef:
    from xgpu.backend.llvm_ir.parsing import read

    try:
        raw = source if isinstance(source, bytes) else Path(source).read_bytes()
        if raw[:4] in (b"BC\xc0\xde", b"\xde\xc0\x17\x0b"):
            return read(raw)
        return read(raw.decode())
    except (OSError, RuntimeError, UnicodeDecodeError) as reason:
        name = source if isinstance(source, str) else "the library"
        raise DiagnosticError(
            Diagnostic("error", f"cannot load {name}: {str(reason).strip()}", location)
        ) from None


def prepare(
    text: str,
    *,
    chip: str,
    uses: Uses | None = None,
    features: str = "",
    opt_level: int = 2,
    libraries: Libraries | None = None,
    location: LocationAttr | None = None,
) -> tuple[ModuleRef, TargetMachine]:
    """(llvmlite module, target machine) of LLVM IR text: parsed, targeted, linked. See
    `compile_to_ptx` for `uses`."""
    import llvmlite.binding as llvm

    from xgpu.backend.llvm_ir.parsing import RefusedError, parsed

    version = ptx_version(chip, features, location)
    if uses is not None:
        version = max(version, needed_version(uses, chip, location))
    others = [f for f in features.split(",") if f and not f.startswith("+ptx")]
    level = max(0, min(3, opt_level))
    machine = _machine(chip, ",".join([*others, f"+ptx{version}"]), level)
    try:
        module = parsed(text)
    except RuntimeError as problem:
        raise RefusedError(problem, text, location) from None
    # Set only now: MLIR translates without a data layout, and alignments come from that.
    module.triple = TRIPLE
    module.data_layout = str(machine.target_data)
    if link(module, libraries or Libraries(), location):
        # Of a library stays what is called, at any level.
        _drop_unused(module, machine, llvm)
    return module, machine


def optimize(module: ModuleRef, machine: TargetMachine, level: int) -> None:
    """Runs LLVM's default pipeline of the level 0 to 3."""
    import llvmlite.binding as llvm

    options = llvm.create_pipeline_tuning_options(speed_level=max(0, min(3, level)))
    options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def compile_to_ptx(
    text: str,
    *,
    chip: str | None = None,
    uses: Uses | None = None,
    features: str = "",
    opt_level: int = 2,
    libraries: Libraries | None = None,
    location: LocationAttr | None = None,
    on_llvm: Callable[[str, ModuleRef], None] | None = None,
) -> str:
    """The PTX of LLVM IR text.

    `chip` None takes `default_chip()`. `uses` is what the translation noted of the text; without
    it, LLVM works in a process of its own, and the PTX version is that of the chip and `features`.
    `on_llvm` is called with "linked" and "optimized" and the llvmlite module.

    Errors: `DiagnosticError` at `location`.
    """
    chip = chip or default_chip()

    def compile() -> bytes:
        module, machine = prepare(
            text,
            chip=chip,
            uses=uses,
            features=features,
            opt_level=opt_level,
            libraries=libraries,
            location=location,
        )
        if on_llvm is not None:
            on_llvm("linked", module)
        optimize(module, machine, opt_level)
        if on_llvm is not None:
            on_llvm("optimized", module)
        return machine.emit_assembly(module).encode("utf-8", "surrogateescape")

    # The module is read in this process only.
    data = (
        compile() if on_llvm is not None else _contained(compile, uses, chip, libraries, location)
    )
    ptx = data.decode("utf-8", "surrogateescape")
    if needs_newer(ptx, chip, location):
        return compile_to_ptx(
            text, chip=chip, uses=uses, features=f"{features},+ptx{MANY_PARAMETERS}",
            opt_level=opt_level, libraries=libraries, location=location, on_llvm=on_llvm,
        )  # fmt: skip
    return _renumber_calls(ptx)


def _contained(
    work: Callable[[], bytes],
    uses: Uses | None,
    chip: str,
    libraries: Libraries | None,
    location: LocationAttr | None,
) -> bytes:
    from xgpu.backend.llvm_ir.containment import contained, is_tame

    tame = (
        int(re.sub(r"\D", "", chip) or 0) >= _LEAST_TAME
        and not (libraries and libraries.files)
        and uses is not None
        and is_tame(uses, is_known, lambda feature: feature.startswith(_TAME_FEATURES))
    )
    return contained(work, tame=tame, what=f"compile the module for {chip}", location=location)


def _renumber_calls(ptx: str) -> str:
    """LLVM numbers call sites through the whole process; here each module starts from 0."""
    first = re.search(r"// callseq (\d+)", ptx)
    if first is None or first[1] == "0":
        return ptx
    base = int(first[1])
    return re.sub(r"// callseq (\d+)", lambda m: f"// callseq {int(m[1]) - base}", ptx)


def compile_to_bitcode(
    text: str,
    *,
    chip: str,
    uses: Uses | None = None,
    features: str = "",
    opt_level: int = 2,
    libraries: Libraries | None = None,
    location: LocationAttr | None = None,
) -> bytes:
    """Optimized bitcode for NVPTX: what `format=offloading` stores."""

    def compile() -> bytes:
        module, machine = prepare(
            text,
            chip=chip,
            uses=uses,
            features=features,
            opt_level=opt_level,
            libraries=libraries,
            location=location,
        )
        optimize(module, machine, opt_level)
        return module.as_bitcode()

    return _contained(compile, uses, chip, libraries, location)
