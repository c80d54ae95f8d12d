# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in Python: `from xgpu.numba import cuda`, as with numba.

    from xgpu.numba import cuda

    @cuda.jit
    def add(x, y, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = x[i] + y[i]

    add[4, 256](x, y, out)

numba-cuda-mlir (`pip install 'xgpu[numba]'`) types the function for the arguments and makes MLIR of
it, xgpu does the rest: a GPU if there is one, else the simulated GPU. Names that kernels use
(`grid`, `shared.array`, `atomic`, `syncthreads`, ..) are numba's; `jit`, memory, streams and events
are here. Other names of this module are numba's types: `float32`, `types`.

Host arrays, NumPy's and those of other libraries, are passed as they are on the host device. On a
GPU they are copied there and back.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from xgpu.api import elements
from xgpu.api.arrays import Array, asarray, empty
from xgpu.api.device_arrays import DeviceArray, plain
from xgpu.api.devices.registry import backend as device_named
from xgpu.api.memory import contiguous_strides
from xgpu.api.modules import Module, load
from xgpu.api.numba.arguments import Direction, copied, flattened, passed, type_of, words
from xgpu.api.numba.devices import DeviceFunctions, compute_capability
from xgpu.api.numba.universal_functions import GeneralizedUniversalFunction, UniversalFunction
from xgpu.api.streams import Event as _Event
from xgpu.api.streams import Stream as _Stream
from xgpu.core.ir.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DeviceError,
    UsageError,
    public,
)
from xgpu.frontend.numba import device_functions
from xgpu.frontend.numba.front_end import Stand, front_end
from xgpu.frontend.numba.kernel_module import EXCEPTIONS, kernel_module

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from xgpu.api.kernels import Kernel

_T = TypeVar("_T")
#: A figure of a specialization, or of all by their types; None where it is not known.
_Figures = int | None | dict[tuple[object, ...], int | None]

__all__ = ["DeviceArray", "Dispatcher", "Event", "Reduce", "Specialization", "Stream", "cuda"]

#: Modules of numba-cuda-mlir whose functions call NVIDIA's driver.
_OF_THE_DRIVER = ("api", "compiler", "cudadrv.driver", "cudadrv.devices", "np.ufunc.decorators")


# -- Streams and events.


class Stream:
    """Work that runs in order; numba's stream. `stream` is the `xgpu.Stream` behind it."""

    def __init__(self, stream: _Stream | None) -> None:
        self.stream = stream

    def synchronize(self) -> None:
        """Waits for all that it was given."""
        if self.stream is not None:
            self.stream.synchronize()

    @contextmanager
    def auto_synchronize(self) -> Generator[Stream]:
        """Waits at the end of the `with`."""
        yield self
        self.synchronize()


class Event:
    """A point in a stream; numba's event."""

    def __init__(self, timing: bool = True) -> None:
        self.event: _Event | None = None

    def record(self, stream: Stream | int = 0) -> None:
        """Is over when all that the stream holds now is done."""
        taken = stream.stream if isinstance(stream, Stream) else None
        self.event = (taken or _Stream(cuda.device)).record()

    def synchronize(self) -> None:
        if self.event is not None:
            self.event.synchronize()

    def query(self) -> bool:
        """Whether it is over."""
        return self.event is None or self.event.done

    def wait(self, stream: Stream | int = 0) -> None:
        """Lets what the stream is given from here on wait for the event."""
        taken = stream.stream if isinstance(stream, Stream) else None
        if self.event is None:
            return
        if taken is None:
            self.event.synchronize()
        else:
            taken.wait(self.event)

    def elapsed_time(self, later: Event) -> float:
        """Milliseconds to a later event."""
        if self.event is None or later.event is None:
            raise ArgumentValueError("an event was not recorded")
        return self.event.elapsed(later.event)


def _stream_of(stream: object) -> object:
    """What launches of xgpu take; 0 and None are the default stream."""
    if isinstance(stream, Stream):
        return stream.stream
    return None if stream in (0, None) else stream


# -- Kernels.


class Specialization:
    """A kernel, compiled for arguments of certain types.

    `types` are numba's, `mlir` is the module as the front end has it, `module` is what xgpu loaded,
    and `kernel` the kernel in it, which can be launched and asked (`registers`, `occupancy`, ..).
    """

    def __init__(
        self, dispatcher: Dispatcher, types: tuple[Any, ...], device: str, options: dict[str, Any]
    ) -> None:
        self.types = types
        self.mlir, made = dispatcher._module(types, device)
        self.module: Module = load(made, device, filename=dispatcher.__name__, **options)
        self.kernel: Kernel = self.module.kernels[dispatcher.__name__]

    @property
    def ptx(self) -> str:
        """PTX of the kernel, for the device's chip."""
        return self.kernel.ptx

    @property
    def llvm_ir(self) -> str:
        """LLVM IR of the kernel, before LLVM optimizes it."""
        return self.kernel.llvm_ir

    def __repr__(self) -> str:
        return f"<{self.kernel.name}({', '.join(map(str, self.types))})>"


class Dispatcher:
    """A function that `cuda.jit` has decorated: a kernel, or a function that kernels call.

        kernel[grid, block](x, y)
        kernel[grid, block, stream, shared](x, y)   # shared: bytes of dynamic shared memory
        kernel.forall(n)(x, y)

    It is compiled for the types of the arguments when it is first called with such, or for those of
    the signatures that were given, to which arguments are converted. `specializations` has what was
    compiled, by types.
    """

    def __init__(
        self, function: Callable[..., Any], signatures: Sequence[object], options: dict[str, Any],
        fast: bool,
    ) -> None:  # fmt: skip
        functools.update_wrapper(self, function)
        self.py_func = function
        self.specializations: dict[tuple[Any, ...], Specialization] = {}
        self._options = options
        self._load_options: dict[str, Any] = {"fast": True} if fast else {}
        self._parameters = list(inspect.signature(function).parameters.values())
        self._stand = Stand(cast("Any", function))
        self._dispatcher: Any = front_end().jit(self._stand.function, options)
        self._launches: dict[object, _Launch] = {}
        #: The types of the signatures that were given: what launches take, and nothing else.
        self._declared = [front_end().signature(signature) for signature in signatures]
        self._nearest: dict[tuple[object, ...], tuple[object, ...]] = {}
        for types in self._declared:
            self._specialized(types)

    __name__: str

    def __repr__(self) -> str:
        return f"<xgpu.numba.Dispatcher {self.__name__}>"

    def __getitem__(self, configuration: Any) -> _Launch:
        if not isinstance(configuration, tuple) or not 2 <= len(configuration) <= 4:
            raise ArgumentTypeError(
                f"kernel '{self.__name__}': expected [grid, block, stream, shared], the last two "
                f"optional, but found {configuration!r}"
            )
        # A float that equals an integer is another size: the key tells them apart.
        key = (configuration, *map(type, configuration))
        try:
            found = self._launches.get(key)
        except TypeError:  # a list among the sizes
            return _Launch(self, configuration)
        if found is None:
            found = _Launch(self, configuration)
            if all(isinstance(part, (int, type(None))) for part in configuration):
                self._launches[key] = found
        return found

    def __call__(self, *arguments: object, **named: object) -> Any:
        raise ArgumentTypeError(
            f"kernel '{self.__name__}' is launched with a grid: "
            f"{self.__name__}[blocks, threads](..); functions for kernels are called in kernels"
        )

    def forall(self, ntasks: int, tpb: int = 0, stream: object = 0, sharedmem: int = 0) -> Any:
        """A launch of at least `ntasks` threads in one dimension, `tpb` of them a block."""
        if ntasks < 0:
            raise ArgumentValueError(f"ntasks is {ntasks}, expected at least 0")
        if ntasks == 0:
            return lambda *arguments: None
        block = tpb or 256
        return self[-(-ntasks // block), block, stream, sharedmem]

    @public
    def compile(self, signature: object) -> Specialization:
        """The kernel for the arguments of a signature: a text, or a tuple of numba's types."""
        return self._specialized(front_end().signature(signature))

    def specialize(self, *arguments: object) -> Specialization:
        """The kernel for arguments like these."""
        front = front_end()
        return self._specialized(tuple(type_of(front, argument) for argument in arguments))

    def inspect_mlir(self, signature: object = None) -> Any:
        """MLIR of a specialization, or of all by their types."""
        return self._inspected("mlir", signature)

    def inspect_asm(self, signature: object = None) -> Any:
        """PTX of a specialization, or of all by their types."""
        return self._inspected("ptx", signature)

    def inspect_llvm(self, signature: object = None) -> Any:
        """LLVM IR of a specialization, or of all by their types."""
        return self._inspected("llvm_ir", signature)

    def get_regs_per_thread(self, signature: object = None) -> _Figures:
        """Registers of a thread, of a specialization, or of all by their types; so are the next
        four."""
        return self._attribute("registers", signature)

    def get_shared_mem_per_block(self, signature: object = None) -> _Figures:
        """Bytes of static shared memory."""
        return self._attribute("shared_bytes", signature)

    def get_local_mem_per_thread(self, signature: object = None) -> _Figures:
        """Bytes of a thread's local memory."""
        return self._attribute("local_bytes", signature)

    def get_const_mem_size(self, signature: object = None) -> _Figures:
        """Bytes of constant memory, None where that is not known."""
        return self._attribute("constant_bytes", signature)

    def get_max_threads_per_block(self, signature: object = None) -> _Figures:
        """The most threads that a block may have."""
        return self._attribute("max_threads", signature)

    def _attribute(self, name: str, signature: object) -> _Figures:
        return self._of_each(lambda made: made.kernel.attributes[name], signature)

    def _inspected(self, what: str, signature: object) -> Any:
        return self._of_each(lambda made: getattr(made, what), signature)

    def _of_each(
        self, ask: Callable[[Specialization], _T], signature: object
    ) -> _T | dict[tuple[object, ...], _T]:
        """The answer of a specialization, or of all by their types."""
        if signature is not None:
            return ask(self.compile(signature))
        return {types: ask(made) for (types, _), made in self.specializations.items()}

    @property
    def mlir(self) -> dict[tuple[Any, ...], str]:
        """MLIR of each specialization, by the types of the arguments."""
        return self._inspected("mlir", None)

    @property
    def ptx(self) -> dict[tuple[Any, ...], str]:
        """PTX of each specialization."""
        return self._inspected("ptx", None)

    @property
    def llvm_ir(self) -> dict[tuple[Any, ...], str]:
        """LLVM IR of each specialization."""
        return self._inspected("llvm_ir", None)

    def __xgpu_module__(self, signature: object) -> ModuleOp:
        """The module for the arguments of a signature, for `xgpu.load`."""
        if signature is None:
            raise UsageError(
                f"kernel '{self.__name__}' has no types yet: xgpu.load(kernel, signature=..)"
            )
        return self._module(front_end().signature(signature), cuda.device)[1]

    def _renew(self, seen: set[Dispatcher]) -> Any:
        """numba's dispatcher of the function, which sees globals as they are now."""
        if self not in seen:
            seen.add(self)
            self._stand.renew(lambda value: _stands_for(value, seen))
        return self._dispatcher

    def _module(self, types: tuple[Any, ...], device: str) -> tuple[str, ModuleOp]:
        front = front_end()
        self._renew(set())
        source = front.mlir(self._dispatcher, types, compute_capability(device))
        names = [
            name
            for parameter, kind in zip(self._parameters, types, strict=False)
            for name in flattened(front, kind, parameter.name)
        ]
        raises = bool(self._options.get("debug"))
        return source.text, kernel_module(source, names, raises=raises)

    def _specialized(self, types: tuple[Any, ...]) -> Specialization:
        device = device_named(cuda.device).name
        found = self.specializations.get((types, device))
        if found is None:
            found = Specialization(self, types, device, self._load_options)
            self.specializations[types, device] = found
        return found

    def _launched(self, given: tuple[object, ...]) -> tuple[object, ...]:
        """The types of the specialization that is launched with arguments of the types `given`."""
        if not self._declared:
            return given
        found = self._nearest.get(given)
        if found is None:
            found = front_end().nearest(self._declared, given)
            if found is None:
                known = " or ".join(words(types) for types in self._declared)
                raise ArgumentTypeError(
                    f"kernel '{self.__name__}' is declared for {known}, and not for {words(given)}"
                )
            self._nearest[given] = found
        return found

    def _all(self, arguments: tuple[object, ...]) -> tuple[object, ...]:
        """The arguments with the defaults of those that are not given; those of `*name` are a
        tuple."""
        last = self._parameters[-1:]
        before = len(self._parameters) - 1
        if last and last[0].kind is inspect.Parameter.VAR_POSITIONAL and len(arguments) >= before:
            arguments = (*arguments[:before], arguments[before:])
        missing = self._parameters[len(arguments) :]
        if len(arguments) > len(self._parameters) or any(
            p.default is inspect.Parameter.empty for p in missing
        ):
            names = ", ".join(p.name for p in self._parameters)
            count, given = len(self._parameters), len(arguments)
            raise ArgumentTypeError(
                f"kernel '{self.__name__}' takes {count} argument{'s' * (count != 1)} ({names}), "
                f"but {given} {'was' if given == 1 else 'were'} given"
            )
        return (*arguments, *(p.default for p in missing))


def _stands_for(value: object, seen: set[Dispatcher]) -> object:
    """What numba sees in the place of a value that is ours."""
    if value is cuda:
        return front_end().cuda
    return value._renew(seen) if isinstance(value, Dispatcher) else value


class _Launch:
    """A kernel with the sizes of a launch."""

    def __init__(self, dispatcher: Dispatcher, configuration: tuple[Any, ...]) -> None:
        grid, block, *rest = configuration
        stream, shared = [*rest, None, None][:2]
        for what, sizes in (("grid", grid), ("block", block)):
            for size in sizes if isinstance(sizes, (tuple, list)) else (sizes,):
                if not hasattr(size, "__index__"):
                    raise ArgumentTypeError(
                        f"kernel '{dispatcher.__name__}': a {what} size is {size!r}, expected an "
                        "integer"
                    )
        self._dispatcher = dispatcher
        self._configuration = (grid, block, _stream_of(stream), shared or 0)

    def __call__(self, *arguments: object, **named: object) -> None:
        dispatcher, front = self._dispatcher, front_end()
        if named:
            raise ArgumentTypeError(
                f"kernel '{dispatcher.__name__}': arguments are given by their places, found "
                f"{', '.join(f'{name}=' for name in named)}"
            )
        given = dispatcher._all(arguments)
        types = dispatcher._launched(tuple(type_of(front, argument) for argument in given))
        made = dispatcher._specialized(types)
        with copied(passed(front, types, given), made.kernel.device) as there, _raised():
            made.kernel[self._configuration](*there)


@contextmanager
def _raised() -> Generator[None]:
    """Exceptions that a kernel has raised are raised here."""
    try:
        yield
    except DeviceError as problem:
        kind = _kind_of(str(problem))
        if kind is None:
            raise
        raise kind(str(problem)) from None


def _kind_of(text: str) -> type[Exception] | None:
    """The exception that an assertion's message names."""
    for kind in EXCEPTIONS.values():
        if f"assertion failed: {kind.__name__}" in text or f"`{kind.__name__}" in text:
            return kind
    return None


class Reduce:
    """numba's reduction of an array of one dimension by a function of two elements.

        @cuda.reduce
        def most(a, b):
            return max(a, b)

        most(array, init=0)

    The function is associative and commutative. `size` takes the first elements alone; `init` is
    one more element. With `res`, an array on the device, the result is stored in its first element.
    """

    def __init__(self, function: Callable[[Any, Any], Any]) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._kernels: dict[Any, Dispatcher] = {}

    def __call__(
        self, arr: Any, size: int | None = None, res: Any = None, init: Any = 0, stream: Any = 0
    ) -> Any:
        if len(arr.shape) != 1:
            raise ArgumentTypeError(f"expected an array of one dimension, of shape {arr.shape}")
        count = len(arr) if size is None else size
        if not 0 <= count <= len(arr):
            raise ArgumentValueError(f"size is {count}, and the array has {len(arr)} elements")
        total = arr.dtype.type(init)
        if count:
            total = arr.dtype.type(self._function(total, self._reduced(arr, count, stream)))
        if res is None:
            return total
        cuda.to_device(np.array([total], arr.dtype), stream, to=res[:1])
        return None

    def _reduced(self, values: Any, count: int, stream: Any) -> Any:
        kernel = self._kernel(values.dtype)
        while True:
            threads = device_functions.THREADS
            blocks = min(-(-count // threads), device_functions.BLOCKS)
            partial = cuda.device_array(blocks, values.dtype)
            kernel[blocks, threads, stream](values, count, partial)
            if blocks == 1:
                if isinstance(stream, Stream):
                    stream.synchronize()
                return partial.copy_to_host()[0]
            values, count = partial, blocks

    def _kernel(self, kind: np.dtype[Any]) -> Dispatcher:
        if kind not in self._kernels:
            element = front_end().from_dtype(kind)
            made = device_functions.reduction(cuda, self._function, element)
            self._kernels[kind] = cast("Dispatcher", made)
        return self._kernels[kind]


# -- `cuda`: what stands in numba.cuda.


class _Cuda(ModuleType, DeviceFunctions):
    """numba's names for kernels, and xgpu's functions for the host."""

    In = Out = InOut = Direction
    DeviceNDArray = DeviceArray

    def __init__(self) -> None:
        super().__init__("xgpu.numba.cuda", __doc__)
        self.device = "auto"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            found = getattr(front_end().cuda, name)
        except AttributeError:
            raise AttributeError(f"module 'xgpu.numba.cuda' has no attribute '{name}'") from None
        owner = str(getattr(found, "__module__", ""))
        if owner.partition(".numba_cuda.")[2] in _OF_THE_DRIVER or name == "runtime":
            raise AttributeError(
                f"cuda.{name} calls NVIDIA's driver and is not in xgpu.numba; numba-cuda-mlir "
                "itself has it, under xgpu-cuda"
            )
        return found

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(type(self)), *dir(front_end().cuda)})

    def jit(self, func_or_sig: Any = None, **options: Any) -> Any:
        """Decorates a kernel, or with `device=True` a function that kernels call.

        Signatures compile it at once. Options are numba's; `lineinfo` is true unless `debug` is:
        errors and the sanitizer's reports name the line of Python. With `debug=True, opt=False`
        exceptions of the kernel are raised by the launch. Raises `UsageError` for `link`.
        """
        if options.get("link"):
            raise UsageError(
                "link is not taken here: kernels that are linked with PTX or CUDA C++ run by "
                "numba-cuda-mlir itself under xgpu-cuda"
            )
        options.setdefault("lineinfo", not options.get("debug", False))
        if options.get("debug"):
            options.setdefault("opt", False)
        fast = bool(options.get("fastmath", False))

        def decorate(function: Callable[..., Any], signatures: Sequence[object] = ()) -> Dispatcher:
            plain = function.py_func if isinstance(function, Dispatcher) else function
            given = () if options.get("device") else signatures
            return Dispatcher(plain, given, options, fast)

        if inspect.isfunction(func_or_sig) or isinstance(func_or_sig, Dispatcher):
            return decorate(func_or_sig)
        if func_or_sig is None:
            return decorate
        several = func_or_sig if isinstance(func_or_sig, list) else [func_or_sig]
        return functools.partial(decorate, signatures=several)

    @functools.cached_property
    def random(self) -> Any:
        """numba.cuda.random: generators of random numbers, by the same algorithm and seeds.

        Kernels call its functions by names of their own:
        `uniform = cuda.random.xoroshiro128p_uniform_float32`.
        """
        made = device_functions.random_functions(self.jit, front_end().types)
        made.create_xoroshiro128p_states = self._random_states
        return made

    def _random_states(
        self, n: int, seed: int, subsequence_start: int = 0, stream: object = 0
    ) -> DeviceArray:
        """`n` generators on the device."""
        return self.to_device(device_functions.states(n, seed, subsequence_start), stream)

    def reduce(self, function: Callable[[Any, Any], Any]) -> Reduce:
        """Decorates a function of two elements: what it makes of a whole array."""
        return Reduce(function)

    Reduce = reduce

    def vectorize(self, signatures: object) -> Callable[[Callable[..., object]], UniversalFunction]:
        """Decorates a function of numbers, which then applies to arrays; `signatures` name the
        result: `["float32(float32, float32)"]`."""
        given = _several(signatures)
        return lambda function: UniversalFunction(self, function, given)

    def guvectorize(
        self, signatures: object, layout: str
    ) -> Callable[[Callable[..., object]], GeneralizedUniversalFunction]:
        """Decorates a function of small arrays with such a `layout`: `"(m,n),(n)->(m)"`."""
        given = _several(signatures)
        return lambda function: GeneralizedUniversalFunction(self, function, given, layout)

    def is_available(self) -> bool:
        """Whether kernels can run: the host device always can."""
        return True

    def to_device(
        self, obj: Any, stream: object = 0, copy: bool = True, to: DeviceArray | None = None
    ) -> DeviceArray:
        """A copy of an array on the device, or in `to`."""
        if to is None:
            given = obj.copy_to_host() if isinstance(obj, DeviceArray) else np.asarray(obj)
            made = asarray(plain(given), device_named(self.device).name, copy=True)
            return DeviceArray(made, given.dtype, given.shape)
        to.copy_to_device(obj, stream)
        return to

    def device_array(
        self, shape: Any, dtype: Any = np.float64, strides: Any = None, order: str = "C",
        stream: object = 0,
    ) -> DeviceArray:  # fmt: skip
        """An array on the device whose elements are anything."""
        kind = np.dtype(dtype)
        sizes = tuple(shape) if hasattr(shape, "__iter__") else (int(shape),)
        name, where = kind.name, device_named(self.device).name
        if kind.names is not None or kind.kind in "mM":
            count = int(np.prod(sizes, dtype=np.int64))
            if kind.names is not None:
                return DeviceArray(empty(count * kind.itemsize, "uint8", where), kind, sizes)
            name = "int64"
        if order == "F":
            made = empty(sizes[::-1], name, where)
            return DeviceArray(made, kind, sizes[::-1]).transpose()
        return DeviceArray(empty(sizes, name, where), kind, sizes)

    def device_array_like(self, ary: Any, stream: object = 0) -> DeviceArray:
        """An array on the device of the shape and type of another."""
        order = "F" if np.ndim(ary) > 1 and _is_fortran(ary) else "C"
        return self.device_array(ary.shape, ary.dtype, order=order)

    def pinned_array(
        self, shape: Any, dtype: Any = np.float64, strides: Any = None, order: str = "C"
    ) -> Any:
        """An array of the host."""
        return np.empty(shape, dtype, order=cast("Any", order))

    mapped_array = managed_array = pinned_array

    def pinned_array_like(self, ary: Any) -> Any:
        """An array of the host like another."""
        return np.empty_like(ary)

    mapped_array_like = pinned_array_like

    @contextmanager
    def pinned(self, *arrays: object) -> Generator[None]:
        """Memory of the host is taken as it is."""
        yield

    @contextmanager
    def mapped(self, *arrays: Any, stream: object = 0) -> Generator[Any]:
        """Arrays of the host as kernels take them: as they are."""
        yield arrays[0] if len(arrays) == 1 else arrays

    def as_cuda_array(self, obj: Any, sync: bool = True) -> DeviceArray:
        """An array of another library, without a copy."""
        made = asarray(obj)
        return DeviceArray(made, elements.numpy_dtype(made.dtype), made.shape)

    def is_cuda_array(self, obj: object) -> bool:
        """Whether an object is an array on a device."""
        return isinstance(obj, (DeviceArray, Array)) or hasattr(obj, "__cuda_array_interface__")

    def stream(self) -> Stream:
        """A new stream."""
        return Stream(_Stream(device_named(self.device).name))

    def default_stream(self) -> Stream:
        """The stream of launches that name none."""
        return Stream(None)

    legacy_default_stream = per_thread_default_stream = default_stream

    def event(self, timing: bool = True) -> Event:
        """A new event."""
        return Event(timing)

    def event_elapsed_time(self, start: Event, end: Event) -> float:
        """Milliseconds between two events."""
        return start.elapsed_time(end)

    def synchronize(self) -> None:
        """Waits for all work on the device that names no stream."""
        device_named(self.device).stream_synchronize(0)

    def close(self) -> None:
        """Nothing is held that has to be closed."""


def _several(signatures: object) -> list[object]:
    if inspect.isfunction(signatures):
        raise ArgumentTypeError("a universal function needs signatures: ['float32(float32)']")
    found = list(signatures) if isinstance(signatures, (list, set)) else [signatures]
    if not found:
        raise ArgumentTypeError("a universal function needs at least one signature")
    return found


def _is_fortran(array: Any) -> bool:
    if isinstance(array, DeviceArray):
        dense = contiguous_strides(array.shape[::-1])[::-1]
        return array.array.strides == dense
    return bool(array.flags.f_contiguous and not array.flags.c_contiguous)


cuda = _Cuda()


def __getattr__(name: str) -> Any:
    """numba's types: `float32`, `types`, .."""
    if name.startswith("__"):
        raise AttributeError(name)
    front = front_end()
    if name == "types":
        return front.types
    found = getattr(front.types, name, None)
    if found is None:
        raise AttributeError(f"module 'xgpu.numba' has no attribute '{name}'")
    return found
