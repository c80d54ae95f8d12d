# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`load`: from source to something that one can call."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from xgpu.api import build
from xgpu.api.devices.registry import backend as device_named
from xgpu.api.functions import Function
from xgpu.api.kernels import Kernel
from xgpu.api.loaded import Loaded
from xgpu.api.programs import Program
from xgpu.core.ir.errors import ArgumentAttributeError, ArgumentKeyError, UsageError, public
from xgpu.core.ir.suggestions import nearest
from xgpu.core.support.forks import OfOneProcess, new_rlock
from xgpu.driver.options import (
    CUDA_TEXT,
    OPT_LEVELS,
    check_chip,
    check_choice,
    check_format,
    is_cuda,
    text_of,
    translated,
)
from xgpu.runtime.mpi import handle_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from xgpu.api.descriptions import DescribedFunction, DescribedKernel
    from xgpu.api.display import Page
    from xgpu.frontend.cuda.clang import CudaOptions, CudaWords

T = TypeVar("T")


class Named(OfOneProcess, Mapping[str, T], Generic[T]):
    """Kernels or functions by name: `kernels["add"]`, or `kernels.add` where no method has that
    name. Each is made when it is first asked for."""

    def __init__(self, what: str, makers: dict[str, Callable[[], T]], names: list[str]) -> None:
        self._what = what
        self._makers = makers
        self._names = names
        self._made: dict[str, T] = {}
        self._lock = new_rlock()

    def __getitem__(self, name: str) -> T:
        found = self._made.get(name)
        return found if found is not None else self._find(name)

    @public
    def _find(self, name: str) -> T:
        maker = self._makers.get(name)
        if maker is None and _is_text(name) and "<" in name:  # spaces do not matter there
            same = (n for n in self._names if "".join(n.split()) == "".join(name.split()))
            name = next(same, name)
            maker = self._makers.get(name)
        if maker is None and not _is_text(name):
            raise ArgumentKeyError(f"no {self._what} {name!r}: names are texts")
        if maker is None:
            near = nearest(name, self._names)
            listed = ", ".join(self._names) or "none"
            hint = f"did you mean '{near}'?" if near is not None else f"there are: {listed}"
            raise ArgumentKeyError(f"no {self._what} '{name}'; {hint}")
        with self._lock:
            if name not in self._made:
                self._made[name] = maker()
            return self._made[name]

    @public
    def __getattr__(self, name: str) -> T:
        """`module.kernels.add`, where the name is one of Python's that no method has."""
        if name.startswith("_") and name not in self._makers:
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as problem:
            raise ArgumentAttributeError(problem.args[0]) from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self._makers if name.isidentifier())]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<{self._what}s: {', '.join(self._names) or 'none'}>"

    def _ipython_key_completions_(self) -> list[str]:
        return self._names


class Module(OfOneProcess):
    """A loaded program: `kernels` and `functions` by name, on `device`.

    It ends with the last reference to it and to its kernels, functions and results, or by `close`,
    or as a context manager. Made by `xgpu.load`.
    """

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self._program = Program(loaded)
        #: Kernels by name; one whose name several gpu.modules have, as "module::kernel". One that
        #: was written in C++ by the name that it has there, or by its symbol.
        self.kernels: Named[Kernel] = self._named_kernels()
        #: The functions of the host: those that are defined and not private.
        self.functions: Named[Function] = self._named_functions()

    def _named_kernels(self) -> Named[Kernel]:
        makers: dict[str, Callable[[], Kernel]] = {}
        described = self._loaded.built.kernels
        plain = [k["name"] for k in described]
        names: list[str] = []
        made: dict[str, Kernel] = {}

        def maker(kernel: DescribedKernel) -> Callable[[], Kernel]:
            full = f"{kernel['module']}::{kernel['name']}"
            return lambda: made.setdefault(full, Kernel(self._loaded, kernel))

        for kernel in described:
            full = f"{kernel['module']}::{kernel['name']}"
            makers[full] = maker(kernel)
            unique = plain.count(kernel["name"]) == 1
            if unique:
                makers[kernel["name"]] = makers[full]
            names.append(kernel["name"] if unique else full)
        shown = [k.get("shown") for k in described]
        for at, (name, kernel) in enumerate(zip(shown, described, strict=True)):
            if name is not None and shown.count(name) == 1 and name not in makers:
                makers[name] = maker(kernel)
                names[at] = name
        return Named("kernel", makers, names)

    def _named_functions(self) -> Named[Function]:
        def maker(function: DescribedFunction) -> Callable[[], Function]:
            return lambda: Function(self._program, function)

        makers = {f["name"]: maker(f) for f in self._loaded.built.functions}
        return Named("function", makers, list(makers))

    @property
    def device(self) -> str:
        """Where it runs: "host" or "cuda:N"."""
        return self._loaded.backend.name

    def close(self) -> None:
        """Wait for what runs, and give its code and memory back; it cannot be used any more."""
        self._program.close()
        self._loaded.close()

    def __enter__(self) -> Module:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        kernels = ", ".join(self.kernels) or "none"
        functions = ", ".join(self.functions) or "none"
        return f"<xgpu.Module on {self.device}; kernels: {kernels}; functions: {functions}>"

    def _repr_html_(self) -> str:
        from xgpu.api.display import module_html

        return module_html(self)

    # -- what it is

    def tokens_svg(self) -> str:
        """What the program's async tokens order, as a picture (SVG); empty where it has none."""
        from xgpu.api.inspection import tokens_svg

        return tokens_svg(self._loaded)

    @public
    def explore(self, path: str | PathLike[str] | None = None) -> Page:
        """The program after each pass that lowers it, and its device code, as an HTML page that
        loads nothing from elsewhere; written to `path` (.html) too, if that is given. A notebook
        shows it. The program is lowered anew for that. Raises `UsageError` for another path."""
        from xgpu.api.display import Page, page_path
        from xgpu.api.inspection import exploration_of
        from xgpu.tools.explorer.page import page

        file = None if path is None else page_path(path)
        shown = Page(page(exploration_of(self._loaded)))
        if file is not None:
            shown.save(file)
        return shown

    @property
    def source(self) -> str:
        """The program as text."""
        shown = self._loaded.shown
        return build.source_text(self._loaded.source) if shown is None else shown[1]

    @property
    @public
    def ptx(self) -> str:
        """PTX of all gpu.modules, for the device's chip; on the host device for the `chip` that was
        given, or the newest that can be compiled for here."""
        from xgpu.api.inspection import ptx_of

        return "\n".join(ptx_of(self._loaded, name) for name in self._loaded.built.images)

    @property
    @public
    def llvm_ir(self) -> str:
        """LLVM IR for NVPTX of all gpu.modules, before LLVM optimizes it."""
        from xgpu.api.inspection import llvm_ir_of

        return "\n".join(llvm_ir_of(self._loaded, name) for name in self._loaded.built.images)


@public
def load(
    source: str | ModuleOp | Any, device: str = "auto", *, chip: str | None = None,
    format: str | None = None, opt_level: int = 2, fast: bool = False, ftz: bool = False,
    fma_contract: bool = False, line_info: bool = False, passes: str = "", pipeline: str = "",
    libraries: Sequence[Any] = (), filename: str = "-", output: Callable[[str], None] | None = None,
    bounds: bool | None = None, signature: object = None,
    cuda: CudaOptions | CudaWords | None = None, instantiate: Sequence[str] = (),
    relaxed_float_atomics: bool = False,
    communicator: object = None,
) -> Module:  # fmt: skip
    """A program that one can call: its kernels and functions, compiled for a device.

        module = xgpu.load("add.mlir")
        module.kernels["add"][grid, block](x, y, n)
        c = module.functions["two_matmuls"](a, b)

    `source` is text, the path of a file or a module of xDSL's or our classes, which is not
    changed. It is MLIR, PTX, LLVM IR for NVPTX (text or bitcode), or CUDA C++, which clang reads:
    `cuda` says how (`xgpu.CudaOptions` or its arguments in a dictionary); `instantiate` names
    kernels to be made of templates, such as "k<float, 4>". `device` is "host", "cuda", "cuda:N", or
    "auto": the first GPU, or else the host. `passes` are run first, as `xgpu-opt --pass-pipeline`
    takes them; `pipeline` are more options of `gpu-lower-to-nvvm-pipeline`. `fma_contract` lets a
    product and a sum become one fma, as nvcc does by default; `ftz` flushes denormals; `fast` is
    nvcc's -use_fast_math; `line_info` says in the code which line of the source it comes from.
    `format` is what a GPU is given: PTX ("isa"), "bin" or "fatbin". `libraries` are ctypes
    libraries with functions that the program declares; `output` gets what its functions print (what
    kernels print that are launched by name goes to standard output). `bounds` says whether kernels
    on the host device are kept in the arrays that they get: an access outside of one is a
    `DeviceError`. It is so by default, unless the environment variable XGPU_BOUNDS is 0.
    `relaxed_float_atomics` lets kernels on the host device do atomic additions of floats whose
    results are not read in any order, as a GPU does, which is faster; by default their order, and
    so their rounding, is that of the threads of a block.

    A program that calls MPI does so with the ranks of `communicator` (mpi4py's), in their order,
    instead of all ranks.

    A kernel of `xgpu.numba` is a source too, for the arguments of a `signature`, which may stand
    second: `load(kernel, "void(float32[:])")`.

    What was compiled before comes from the cache (`xgpu.cache`). Raises `UsageError` for arguments
    that are none of these, `DiagnosticError` for what is wrong in the program, `DeviceError` where
    there is no such device.
    """
    check_choice("opt_level", opt_level, OPT_LEVELS)
    if chip is not None:
        check_chip(chip)
    if format is not None:
        check_format(format)
    if not _is_text(filename):
        raise UsageError(f"filename is {filename!r}, expected a text")
    made = getattr(type(source), "__xgpu_module__", None)
    if made is not None:
        if signature is None and not _is_device(device):
            device, signature = "auto", device
        source = made(source, signature)
    source, filename = text_of(source, filename)
    shown = None
    if isinstance(source, str) and is_cuda(source, filename):
        how = _cuda_options(cuda, instantiate, chip=chip, contract=fma_contract)
        shown = (CUDA_TEXT if filename == "-" else filename, source)
        source, filename = translated(source, filename, how)
    elif cuda is not None or instantiate:
        raise UsageError("options 'cuda' and 'instantiate' are for CUDA C++, and the source is not")
    backend = device_named(device)
    options = build.Options(
        chip=chip, format=format or backend.kernel_format, opt_level=opt_level, fast=fast, ftz=ftz,
        fma_contract=fma_contract, line_info=line_info, passes=passes, pipeline=pipeline,
        relaxed_float_atomics=relaxed_float_atomics,
        communicator=None if communicator is None else handle_of(communicator),
    )  # fmt: skip
    if output is None:
        output = _print
    if not callable(output):
        raise UsageError(f"output is {output!r}, expected a function of a text")
    if bounds not in (None, True, False):
        raise UsageError(f"bounds is {bounds!r}, expected True, False or None")
    if not hasattr(libraries, "__iter__"):
        raise UsageError(f"libraries is {libraries!r}, expected libraries of ctypes")
    for library in libraries:
        if not isinstance(library, ctypes.CDLL):
            raise UsageError(f"libraries has {library!r}, expected libraries of ctypes")
    return Module(
        Loaded(source, filename, backend, options, tuple(libraries), output, bounds, shown)
    )


def _cuda_options(
    given: object, instantiate: Sequence[str], *, chip: str | None, contract: bool
) -> CudaOptions:
    from xgpu.frontend.cuda import CudaOptions

    words = {} if given is None else given
    if not isinstance(words, (CudaOptions, Mapping)):
        raise UsageError(f"cuda is {given!r}, expected xgpu.CudaOptions or a dictionary")
    try:
        options = (
            words if isinstance(words, CudaOptions) else CudaOptions(**cast("CudaWords", words))
        )
    except TypeError as problem:
        raise UsageError(f"cuda: {str(problem).rpartition('() ')[2]}") from None
    return options.changed(instantiate=instantiate, chip=chip, contract=contract)


def _is_device(name: object) -> bool:
    return isinstance(name, str) and name.partition(":")[0] in ("auto", "cuda", "host")


def _is_text(name: object) -> bool:
    return isinstance(name, str)


def _print(text: str) -> None:
    print(text, end="", flush=True)
