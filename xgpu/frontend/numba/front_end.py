# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""numba-cuda-mlir, asked for the MLIR of a kernel and nothing behind it.

It types Python functions for arguments and prints MLIR (gpu, memref, arith, ..). On the way it asks
the driver for a compute capability, NVRTC for a version, and for the grid's barrier the toolkit for
its device runtime. All are answered here for the time of a compilation, so neither a GPU nor a
toolkit is needed. What is used of the package is in this
file alone:

| used | what for |
|---|---|
| `mlir_compiler.compile_mlir` | a function and types of arguments to a module |
| `mlir_lowering.get_mlir_module_str` | the module as text, before its own passes change it |
| `tools.get_cuda_runtime_version`, `tools.get_gpu_compute_capability` | what it asks |
| `numba_cuda.cudadrv.libs.get_cudalib` | where the toolkit's libraries are, asked too |
| `descriptor.mlir_target` | types of globals; to be initialized first |
| `numba_cuda.typing.typeof.typeof` | types of arguments |
| `decorators.mlir_jit` | what a function calls: device functions |
"""

from __future__ import annotations

import dis
import re
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from types import CellType, CodeType, FunctionType, ModuleType
from typing import NamedTuple, Protocol

from xgpu.core.ir.errors import UsageError
from xgpu.core.ir.suggestions import nearest

PACKAGE = "numba-cuda-mlir"
#: Versions that this file was tried with.
VERSIONS = ("0.6",)
#: A version of CUDA that the package has no table for: then it names no version of PTX.
_NO_TOOLKIT = (0, 0)
#: A library without members: what would be linked from CUDA's is in xgpu.
EMPTY_ARCHIVE = b"!<arch>\n"
INSTALL = "pip install 'xgpu[numba]'"


class Source(NamedTuple):
    """A kernel as numba-cuda-mlir has it: the text of the module, and the kernel's name in it."""

    text: str
    kernel: str


class Dispatched(Protocol):
    """numba's dispatcher, as far as it is used."""

    py_func: Callable[..., object]
    targetoptions: dict[str, object]


class FrontEnd:
    """The package, imported and ready. `cuda` and `types` are its modules of these names."""

    def __init__(self) -> None:
        check_version()
        self._tools = adapted_module("tools")
        self._libraries = adapted_module("numba_cuda.cudadrv.libs")
        self._archive = adapted_module("numba_cuda.cudadrv.linkable_code").Archive
        self.cuda = adapted_module("cuda")
        self.types = adapted_module("types")
        self._typeof = adapted_module("numba_cuda.typing.typeof")
        self._compiler = adapted_module("mlir_compiler")
        self._lowering = adapted_module("mlir_lowering")
        self._signatures = adapted_module("numba_cuda.core.sigutils")
        self._target = adapted_module("descriptor").mlir_target
        self._target.ensure_initialized()
        dtypes = adapted_module("numba_cuda.np.numpy_support")
        self.from_dtype, self.as_dtype = dtypes.from_dtype, dtypes.as_dtype
        self._lock = threading.RLock()

    def typeof(self, argument: object) -> object:
        """numba's type of an argument; raises `ValueError` where it has none."""
        return self._typeof.typeof(argument, self._typeof.Purpose.argument)

    def jit(self, function: object, options: Mapping[str, object]) -> Dispatched:
        """numba's dispatcher of a function, which types and inlines calls of it."""
        return self.cuda.jit(**options)(function)

    def signature(self, signature: object) -> tuple[object, ...]:
        """The types of the arguments of a signature: a text, a tuple of types, numba's own."""
        return tuple(self._signatures.normalize_signature(signature)[0])

    def function_signature(self, signature: object) -> tuple[tuple[object, ...], object]:
        """The types of the arguments, and that of the result, None if it is not named."""
        arguments, result = self._signatures.normalize_signature(signature)
        return tuple(arguments), result

    def nearest(
        self, declared: Sequence[tuple[object, ...]], given: tuple[object, ...]
    ) -> tuple[object, ...] | None:
        """Those of the declared types that arguments of the given ones become with the least loss,
        None where there are none."""
        cases = [self.types.void(*types) for types in declared]
        found = self._target.typing_context.resolve_overload(None, cases, given, {})
        return None if found is None else tuple(found.args)

    def mlir(
        self, dispatcher: Dispatched, types: Sequence[object], capability: tuple[int, int]
    ) -> Source:
        """The module of a kernel for arguments of these types, to run on such a GPU."""
        options = dict(dispatcher.targetoptions)
        with self._lock, self._answers(capability):
            try:
                made = self._compiler.compile_mlir(
                    dispatcher.py_func, self.types.void, tuple(types), targetoptions=options
                )
            except AttributeError as problem:  # of a module; other errors name their line
                raise self._with_place(problem, dispatcher.py_func) from None
            text = self._lowering.get_mlir_module_str(made.metadata)
        return Source(text, dispatcher.py_func.__name__)

    def _with_place(self, problem: AttributeError, function: FunctionType) -> AttributeError:
        """An error about an attribute of a module, with the line of a function that has it."""
        match = re.fullmatch(r"module '(.*)' has no attribute '(\w+)'", str(problem))
        if match is None:
            return problem
        module, name = match.groups()
        code = function.__code__
        lines = [
            instruction.positions.lineno
            for instruction in dis.get_instructions(code)
            if instruction.argval == name and instruction.positions is not None
        ]
        place = f"{code.co_filename}:{(lines or [code.co_firstlineno])[0]}"
        near = nearest(name, dir(self.cuda)) if module == self.cuda.__name__ else None
        return AttributeError(
            f"{place}: kernel '{function.__name__}': {module.rpartition('.')[2]} has no attribute "
            f"'{name}'" + (f", did you mean '{near}'?" if near else "")
        )

    @contextmanager
    def _answers(self, capability: tuple[int, int]) -> Generator[None]:
        """What the package asks NVRTC, the driver and the toolkit for is answered without them."""
        name = f"sm_{capability[0]}{capability[1]}"

        def compute_capability(as_type: type = str) -> str | tuple[int, int]:
            return name if as_type is str else capability

        def library(name: str, static: bool = False) -> object:
            return self._archive(EMPTY_ARCHIVE, name=f"{name}.a")

        forget = self._tools.get_max_ptx_version.cache_clear
        forget()
        with (
            _answering(
                self._tools, get_cuda_runtime_version=lambda: _NO_TOOLKIT,
                get_gpu_compute_capability=compute_capability,
            ),
            _answering(self._libraries, get_cudalib=library),
        ):  # fmt: skip
            yield
        forget()


@contextmanager
def _answering(module: ModuleType, **answers: object) -> Generator[None]:
    """Functions of a module are others for the time of the `with`."""
    names = vars(module)
    asked = {name: names[name] for name in answers}
    names.update(answers)
    try:
        yield
    finally:
        names.update(asked)


class Stand:
    """A copy of a function, in whose globals and closure other objects stand for some.

    The front end knows its own module `cuda` and its own dispatchers, and nothing that wraps them.
    """

    def __init__(self, function: FunctionType) -> None:
        self._original = function
        self._globals: dict[str, object] = {}
        cells = tuple(CellType() for _ in function.__closure__ or ())
        self.function = FunctionType(
            function.__code__, self._globals, function.__name__, function.__defaults__, cells
        )
        self.function.__kwdefaults__ = function.__kwdefaults__
        self.function.__annotations__ = function.__annotations__
        self.function.__qualname__ = function.__qualname__
        self.function.__doc__ = function.__doc__
        self.function.__module__ = function.__module__

    def renew(self, other: Callable[[object], object]) -> None:
        """Takes globals and variables as they are now; `other` gives what stands for a value."""
        names = _names(self._original.__code__)
        taken = dict(self._original.__globals__)
        taken.update({name: other(taken[name]) for name in names if name in taken})
        self._globals.clear()
        self._globals.update(taken)
        cells = zip(self.function.__closure__ or (), self._original.__closure__ or (), strict=True)
        for mine, original in cells:
            try:
                mine.cell_contents = other(original.cell_contents)
            except ValueError:  # a variable that has no value yet
                continue


def _names(code: CodeType) -> set[str]:
    """The names of globals that a function uses, in functions within it too."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _names(constant)
    return found


def adapted_module(name: str) -> ModuleType:
    try:
        return import_module(f"numba_cuda_mlir.{name}")
    except ImportError as problem:
        raise UsageError(f"{PACKAGE} {installed()} cannot be imported: {problem}") from problem


def installed() -> str | None:
    """The version of the package that is installed, or None."""
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return None


def check_version() -> None:
    """Raises `UsageError` where the package is missing, or a version that was not tried."""
    found = installed()
    if found is None:
        raise UsageError(f"kernels in Python need {PACKAGE}: {INSTALL}")
    if ".".join(found.split(".")[:2]) not in VERSIONS:
        known = ", ".join(VERSIONS)
        raise UsageError(
            f"{PACKAGE} {found} is installed, expected a version of {known}; {INSTALL}"
        )


_made: list[FrontEnd] = []


def front_end() -> FrontEnd:
    """The package, imported when first asked for. Raises `UsageError` where that cannot be."""
    if not _made:
        _made.append(FrontEnd())
    return _made[0]
