# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of elements or of small arrays that apply to whole arrays: `cuda.vectorize` and
`cuda.guvectorize`, numba's universal functions.

Each is a kernel with one thread for each result. Arrays are broadcast by NumPy's rules; those that
lie on the device stay there unless their shape has to change.
"""

from __future__ import annotations

import functools
import linecache
import re
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import NamedTuple, Protocol, cast

import numpy as np
import numpy.typing as npt

from xgpu.api.device_arrays import DeviceArray
from xgpu.core.ir.errors import ArgumentTypeError, ArgumentValueError
from xgpu.frontend.numba.front_end import front_end

_Dtype = np.dtype[np.generic]
_Host = npt.NDArray[np.generic]
_Result = DeviceArray | _Host

_SIZES = re.compile(r"\(([\w,]*)\)")


class _Kernel(Protocol):
    """What `cuda.jit` makes of a kernel."""

    def forall(self, ntasks: int, *, stream: object) -> Callable[..., None]: ...


class _Kind(Protocol):
    """numba's type of an argument, an array's or that of its elements."""

    dtype: object
    ndim: int


class Operand(NamedTuple):
    """What a signature says of an argument: its elements, and its dimensions, 0 for a number."""

    dtype: _Dtype
    dimensions: int


class _Variant(NamedTuple):
    """The function for one signature: its operands, inputs before outputs, and the kernel."""

    operands: tuple[Operand, ...]
    kernel: _Kernel


def _kernel(
    cuda: ModuleType, function: Callable[..., object], inputs: int, outputs: int
) -> _Kernel:  # fmt: skip
    """The kernel that applies a function to each row of its arguments. A function with no outputs
    among its arguments returns the result."""
    given = [f"x{i}" for i in range(inputs)]
    made = [f"y{i}" for i in range(max(outputs, 1))]
    rows = [f"{name}[i]" for name in given]
    call = f"function({', '.join([*rows, *(f'{name}[i]' for name in made)])})"
    if not outputs:
        call = f"{made[0]}[i] = function({', '.join(rows)})"
    # numba has no kernels with any number of arguments of different types.
    text = (
        f"def kernel({', '.join([*given, *made])}):\n"
        f"    i = grid(1)\n"
        f"    if i < {made[0]}.shape[0]:\n"
        f"        {call}\n"
    )
    names: dict[str, object] = {"function": function, "grid": cuda.grid}
    place = f"<kernel of {function.__name__} with {inputs} and {outputs}>"
    # numba asks for the source of what it compiles.
    linecache.cache[place] = len(text), None, text.splitlines(keepends=True), place
    exec(compile(text, place, "exec"), names)
    kernel = cast("Callable[..., object]", names["kernel"])
    kernel.__name__ = kernel.__qualname__ = function.__name__
    return cuda.jit(kernel)


def _operand(kind: object) -> Operand:
    """What numba's type of an argument says."""
    of_array = cast("_Kind", kind)
    is_array = hasattr(kind, "dtype")
    dtype = front_end().as_dtype(of_array.dtype if is_array else kind)
    return Operand(np.dtype(dtype), of_array.ndim if is_array else 0)


def _dtype(value: object) -> _Dtype | None:
    """The type of an array's elements; None of a number, which has no type of its own."""
    return np.dtype(cast("_Host", value).dtype) if hasattr(value, "dtype") else None


def _shape(value: object) -> tuple[int, ...]:
    shape = getattr(value, "shape", None)
    return np.shape(cast("npt.ArrayLike", value)) if shape is None else tuple(shape)


class _Universal:
    """What both kinds have: the choice of a variant, and launches."""

    def __init__(self, cuda: ModuleType, function: Callable[..., object]) -> None:
        functools.update_wrapper(cast("Callable[..., object]", self), function)
        self._cuda = cuda
        self._variants: list[_Variant] = []

    __name__: str

    def __repr__(self) -> str:
        return f"<xgpu.numba.{type(self).__name__} {self.__name__}>"

    def _chosen(self, arguments: Sequence[object]) -> _Variant:
        """The variant whose types are those of the arrays; numbers take any type."""
        given = [_dtype(argument) for argument in arguments]
        fitting = [
            variant for variant in self._variants
            if all(
                dtype is None or dtype == operand.dtype
                for dtype, operand in zip(given, variant.operands, strict=False)
            )
        ]  # fmt: skip
        if len(fitting) == 1 or (fitting and None not in given):
            return fitting[0]
        names = ", ".join("a number" if dtype is None else dtype.name for dtype in given)
        if fitting:
            raise ArgumentTypeError(
                f"'{self.__name__}': several signatures fit ({names}); give NumPy's numbers, such "
                "as np.float32(1)"
            )
        known = " or ".join(
            f"({', '.join(o.dtype.name for o in variant.operands[: len(arguments)])})"
            for variant in self._variants
        )
        raise ArgumentTypeError(f"'{self.__name__}' is declared for {known}, and not for ({names})")

    def _rows(
        self, value: object, operand: Operand, loops: tuple[int, ...], core: tuple[int, ...],
        stream: object,
    ) -> _Result:  # fmt: skip
        """An argument with all `loops` as one dimension, in front of those that a call of the
        function has."""
        shape = _shape(value)
        count = int(np.prod(loops, dtype=np.int64))
        rows = (count, *core)
        if isinstance(value, DeviceArray):
            if shape == (*loops, *core) and value.is_c_contiguous():
                return value.reshape(rows)
            value = value.copy_to_host(stream=stream)
        whole = np.broadcast_to(
            np.asarray(cast("npt.ArrayLike", value), operand.dtype), (*loops, *core)
        )
        return np.ascontiguousarray(whole).reshape(rows)

    def _launched(
        self,
        variant: _Variant,
        inputs: Sequence[object],
        outputs: Sequence[_Result],
        stream: object,
    ) -> None:
        """Launch one thread for each row. Results on the device are there when the stream has come
        so far; arrays of the host are read, and results in them are there, when this returns."""
        count = outputs[0].shape[0]
        if not count:
            return
        arguments = [*inputs, *outputs]
        variant.kernel.forall(count, stream=stream)(*arguments)
        wait = getattr(stream, "synchronize", None)
        if wait is not None and not all(isinstance(a, DeviceArray) for a in arguments):
            wait()

    def _made(
        self, shape: tuple[int, ...], dtype: _Dtype, is_on_device: bool, out: object
    ) -> _Result:
        """Where a result goes: `out`, or a new array."""
        if out is None:
            if is_on_device:
                return self._cuda.device_array(shape, dtype)
            return np.empty(shape, dtype)
        if _shape(out) != shape:
            raise ArgumentValueError(
                f"'{self.__name__}': out has the shape {_shape(out)}, expected {shape}"
            )
        if _dtype(out) != dtype:
            raise ArgumentTypeError(
                f"'{self.__name__}': out has elements of {_dtype(out)}, expected {dtype}"
            )
        return cast("_Result", out)


def _as_rows(made: _Result, rows: tuple[int, ...]) -> _Result:
    """A result as a kernel writes it: the same memory, or an array that is copied back."""
    is_dense = made.is_c_contiguous() if isinstance(made, DeviceArray) else made.flags.c_contiguous
    if is_dense:
        return made.reshape(rows)
    return np.empty(rows, made.dtype)


def _returned(made: _Result, rows: _Result, shape: tuple[int, ...]) -> _Result:
    """A result in the place of `made`, where it was written elsewhere."""
    if isinstance(made, DeviceArray):
        if not isinstance(rows, DeviceArray):
            made.copy_to_device(rows.reshape(shape))
    elif not np.shares_memory(made, host := cast("_Host", rows)):
        made[...] = host.reshape(shape)
    return made


class UniversalFunction(_Universal):
    """A function of numbers, for arrays of any shapes.

        @cuda.vectorize(["float32(float32, float32)", "float64(float64, float64)"])
        def product(a, b):
            return a * b

        product(x, y)
        product(x, 2.0, out=z, stream=stream)
        product.reduce(x)        # of two numbers: those of an array of one dimension

    Arrays have the types of a signature, without conversion. The result is on the device if an
    argument is. Without arrays it is a number.
    """

    def __init__(
        self, cuda: ModuleType, function: Callable[..., object], signatures: list[object]
    ) -> None:
        super().__init__(cuda, function)
        front = front_end()
        self._function = function
        called = cuda.jit(function, device=True)
        for signature in signatures:
            types, result = front.function_signature(signature)
            if result is None or result == front.types.void:
                raise ArgumentTypeError(
                    f"'{self.__name__}': the signature {signature} says nothing of the result, "
                    "such as float32(float32, float32)"
                )
            operands = tuple(_operand(kind) for kind in (*types, result))
            self._variants.append(_Variant(operands, _kernel(cuda, called, len(types), 0)))

    @property
    def nin(self) -> int:
        """How many arguments it takes."""
        return len(self._variants[0].operands) - 1

    def __call__(self, *arguments: object, out: object = None, stream: object = 0) -> object:
        if len(arguments) == self.nin + 1 and out is None:
            *rest, out = arguments
            arguments = tuple(rest)
        if len(arguments) != self.nin:
            raise ArgumentTypeError(
                f"'{self.__name__}' takes {self.nin} arguments, but {len(arguments)} were given"
            )
        variant = self._chosen(arguments)
        try:
            shape = np.broadcast_shapes(*map(_shape, arguments))
        except ValueError:
            shapes = ", ".join(str(_shape(argument)) for argument in arguments)
            raise ArgumentValueError(
                f"'{self.__name__}': the shapes {shapes} cannot be broadcast"
            ) from None
        is_on_device = any(isinstance(argument, DeviceArray) for argument in arguments)
        made = self._made(shape, variant.operands[-1].dtype, is_on_device, out)
        rows = _as_rows(made, (int(np.prod(shape, dtype=np.int64)),))
        inputs = [
            self._rows(argument, operand, shape, (), stream)
            for argument, operand in zip(arguments, variant.operands, strict=False)
        ]
        self._launched(variant, inputs, [rows], stream)
        found = _returned(made, rows, shape)
        return found[()] if isinstance(found, np.ndarray) and out is None else found

    def reduce(self, arg: _Result, stream: object = 0) -> object:
        """One number of an array of one dimension; the function is associative and commutative."""
        if self.nin != 2:
            raise ArgumentTypeError(f"'{self.__name__}' takes {self.nin} arguments, expected 2")
        if len(_shape(arg)) != 1 or not len(arg):
            raise ArgumentValueError(
                f"'{self.__name__}': expected an array of one dimension with elements, of shape "
                f"{_shape(arg)}"
            )
        self._chosen([arg, arg])
        first, rest = arg[:1], arg[1:]
        taken = first.copy_to_host() if isinstance(first, DeviceArray) else np.asarray(first)
        return self._cuda.Reduce(self._function)(rest, init=taken[0], stream=stream)


class GeneralizedUniversalFunction(_Universal):
    """A function of small arrays, for arrays with more dimensions in front.

        @cuda.guvectorize(["void(float32[:, :], float32[:], float32[:])"], "(m,n),(n)->(m)")
        def product(a, x, y):
            for i in range(a.shape[0]):
                y[i] = 0
                for j in range(a.shape[1]):
                    y[i] += a[i, j] * x[j]

        product(matrices, vectors)

    The layout names the last dimensions of each argument; behind the arrow stand those that the
    function writes, and all their names stand before it too.
    """

    def __init__(
        self,
        cuda: ModuleType,
        function: Callable[..., object],
        signatures: list[object],
        layout: str,
    ) -> None:
        super().__init__(cuda, function)
        self.signature = layout
        text = "".join(layout.split())
        sides = text.split("->")
        known = [_SIZES.findall(side) for side in sides]
        if len(sides) != 2 or any(
            not names or ",".join(f"({name})" for name in names) != side
            for names, side in zip(known, sides, strict=True)
        ):
            raise ArgumentValueError(
                f"'{self.__name__}': the layout is {layout!r}, expected one like '(m,n),(n)->(m)'"
            )
        self._inputs, self._outputs = (
            [tuple(n for n in names.split(",") if n) for names in side] for side in known
        )
        before = {name for names in self._inputs for name in names}
        for name in (name for names in self._outputs for name in names):
            if name not in before:
                raise ArgumentValueError(
                    f"'{self.__name__}': the size {name!r} of a result is that of no argument"
                )
        called = cuda.jit(function, device=True)
        count, outputs = len(self._inputs), len(self._outputs)
        for signature in signatures:
            operands = tuple(map(_operand, front_end().signature(signature)))
            if len(operands) != count + outputs:
                raise ArgumentTypeError(
                    f"'{self.__name__}': the signature {signature} has {len(operands)} arguments, "
                    f"the layout {count + outputs}"
                )
            for names, operand in zip([*self._inputs, *self._outputs], operands, strict=True):
                # One number is a number, or an array with one element.
                if operand.dimensions != len(names) and (names or operand.dimensions > 1):
                    raise ArgumentTypeError(
                        f"'{self.__name__}': an argument of {signature} has {operand.dimensions} "
                        f"dimensions, and ({','.join(names)}) in the layout"
                    )
            self._variants.append(_Variant(operands, _kernel(cuda, called, count, outputs)))

    def __call__(self, *arguments: object, out: object = None, stream: object = 0) -> object:
        count, outputs = len(self._inputs), len(self._outputs)
        given = list(out) if isinstance(out, (tuple, list)) else [out] * (out is not None)
        given = [*arguments[count:], *given]
        arguments = arguments[:count]
        if len(arguments) != count or len(given) not in (0, outputs):
            raise ArgumentTypeError(
                f"'{self.__name__}' takes {count} arguments and, if they are given, {outputs} "
                f"results, but found {len(arguments)} and {len(given)}"
            )
        variant = self._chosen(arguments)
        sizes, loops = self._sizes(arguments)
        on_device = any(isinstance(argument, DeviceArray) for argument in arguments)
        length = int(np.prod(loops, dtype=np.int64))
        inputs = [
            self._rows(argument, operand, loops, self._core(names, operand, sizes), stream)
            for argument, operand, names in zip(
                arguments, variant.operands[:count], self._inputs, strict=True
            )
        ]
        made, written = list[_Result](), list[_Result]()
        for i, names in enumerate(self._outputs):
            operand = variant.operands[count + i]
            shape = (*loops, *(sizes[name] for name in names))
            made.append(self._made(shape, operand.dtype, on_device, given[i] if given else None))
            core = self._core(names, operand, sizes)
            written.append(_as_rows(made[-1], (length, *(core or (1,)))))
        self._launched(variant, inputs, written, stream)
        found = [
            _returned(one, rows, _shape(one)) for one, rows in zip(made, written, strict=True)
        ]  # fmt: skip
        if not given:
            found = [one[()] if isinstance(one, np.ndarray) else one for one in found]
        return found[0] if outputs == 1 else tuple(found)

    def _core(
        self, names: tuple[str, ...], operand: Operand, sizes: dict[str, int]
    ) -> tuple[int, ...]:
        """The dimensions of an argument in one call of the function."""
        return tuple(sizes[name] for name in names) or (1,) * operand.dimensions

    def _sizes(self, arguments: Sequence[object]) -> tuple[dict[str, int], tuple[int, ...]]:
        """The size of each name, and the dimensions in front, which are broadcast."""
        sizes: dict[str, int] = {}
        loops: list[tuple[int, ...]] = []
        for names, argument in zip(self._inputs, arguments, strict=True):
            shape = _shape(argument)
            front = len(shape) - len(names)
            if front < 0:
                raise ArgumentValueError(
                    f"'{self.__name__}': an argument has the shape {shape}, expected at least "
                    f"{len(names)} dimensions"
                )
            loops.append(shape[:front])
            for name, size in zip(names, shape[front:], strict=True):
                if sizes.setdefault(name, size) != size:
                    raise ArgumentValueError(
                        f"'{self.__name__}': {name!r} is {sizes[name]} and {size}"
                    )
        try:
            return sizes, np.broadcast_shapes(*loops)
        except ValueError:
            shapes = ", ".join(map(str, loops))
            raise ArgumentValueError(
                f"'{self.__name__}': the shapes {shapes} in front cannot be broadcast"
            ) from None
