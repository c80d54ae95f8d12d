# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-runner --kernel`: one kernel of a file, launched with arguments from the command line.

    f32[1024]=random, f32[32x32]=zeros, i32=1024, table.npy

An argument is an array with what it holds (`zeros`, `ones`, `range`, `random`, a number, or a file
of NumPy), a number, or the name of such a file. After the launch arrays are summed up, printed,
compared with files or written to them.
"""

from __future__ import annotations

import io
import math
import re
import shlex
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xgpu.api.kernels import Kernel
from xgpu.api.modules import Module, load
from xgpu.core.ir.errors import UsageError
from xgpu.core.ir.suggestions import nearest
from xgpu.tools.process import say

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from xgpu.frontend.cuda.clang import CudaWords
    from xgpu.tools.runner_arguments import Arguments

    Array = NDArray[np.generic]

_TYPES = {
    "i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8",
    "u16": "uint16", "u32": "uint32", "u64": "uint64", "f16": "float16", "f32": "float32",
    "f64": "float64", "index": "int64",
}  # fmt: skip
_TYPE = re.compile(r"(\w+)\s*(?:\[([^\]]*)\])?\s*(?:=\s*(.+))?", re.DOTALL)
_FORM = (
    "expected TYPE[SIZES]=zeros|ones|range|random|NUMBER|FILE.npy, TYPE=NUMBER or FILE.npy, "
    "with a type of " + ", ".join(_TYPES)
)
_SHOWN = 8  # elements of an array's summary
_BELOW = 100  # random integers


def launch_kernel(arguments: Arguments) -> int:
    """Load the file, launch the kernel, say what came out; 1 if the sanitizer found something, or
    if an array is not what was expected. Raises `UsageError` for what the command line has wrong,
    and whatever loading and launching raise."""
    given = [_argument(text, at, arguments.seed) for at, text in enumerate(_parts(arguments.args))]
    arrays = {at: v for at, v in enumerate(given) if not isinstance(v, (int, float))}
    expected = _files("expect", arguments.expect, arrays)
    saved = _files("save", arguments.save, arrays)
    wanted = {at: _loaded(path) for at, path in expected.items()}
    with _module(arguments) as module:
        kernel = _kernel(module, arguments)
        sizes = {
            "grid": _sizes("grid", arguments.grid) or (1,),
            "block": _sizes("block", arguments.block) or kernel.known_block or (1,),
        }

        def launch() -> None:
            kernel.launch(**sizes, shared=arguments.shared)(*given)

        try:
            found = _launched(launch, arguments)
        except (TypeError, ValueError) as problem:  # of the arguments: see `errors.told`
            raise UsageError(str(problem)) from None
        names = [p.name for p in kernel.parameters or ()]
    for at, array in arrays.items():
        name = names[at] if at < len(names) else f"#{at}"
        print(_whole(name, array) if arguments.print_arrays else _summary(name, array))
    for at, path in saved.items():
        _save(path, arrays[at])
    differences = [d for at, w in wanted.items() if (d := _difference(at, arrays[at], w))]
    for text in differences:
        say(f"xgpu-runner: error: {text}\n")
    if found:
        say(f"{found}\n")
    return 1 if differences or found else 0


def _module(arguments: Arguments) -> Module:
    more = shlex.split(arguments.clang_options)
    cuda: CudaWords | None = {"arguments": more} if more else None
    device = "host" if arguments.sanitize is not None else arguments.device
    return load(
        arguments.kernel, device, opt_level=arguments.opt_level, passes=arguments.pipeline or "",
        instantiate=arguments.instantiate, filename=arguments.kernel or "-", cuda=cuda,
        relaxed_float_atomics=arguments.relaxed_floats,
    )  # fmt: skip


def _kernel(module: Module, arguments: Arguments) -> Kernel:
    """The kernel that was named, or the only one."""
    names = list(module.kernels)
    if arguments.entry_named:
        if arguments.entry in module.kernels or "<" in arguments.entry:
            return module.kernels[arguments.entry]
        near = nearest(arguments.entry, names)
        hint = f"did you mean '{near}'?" if near else f"there are: {', '.join(names) or 'none'}"
        raise UsageError(f"no kernel '{arguments.entry}' in '{arguments.kernel}'; {hint}")
    if len(names) != 1:
        listed = f"several kernels, name one with --entry: {', '.join(names)}"
        raise UsageError(f"'{arguments.kernel}' has {listed if names else 'no kernel'}")
    return module.kernels[names[0]]


def _launched(launch: Callable[[], object], arguments: Arguments) -> str:
    """Launch, and what the sanitizer found; empty where it was not asked or found nothing."""
    if arguments.sanitize is None:
        launch()
        return ""
    from xgpu.driver.sanitizer import sanitized

    context = sanitized(arguments.sanitize) if arguments.sanitize else sanitized()
    with context as watched:
        launch()
    findings = watched.findings()
    if arguments.sanitize_report is not None:
        from xgpu.tools.sanitizer import write_report

        write_report(arguments.sanitize_report, findings)
    return findings.text() if findings else ""


# -- arguments


def _parts(text: str) -> list[str]:
    """What stands between commas that are in no brackets."""
    parts = re.split(r",(?![^\[]*\])", text)
    return [part.strip() for part in parts] if text.strip() else []


def _argument(text: str, at: int, seed: int) -> Array | int | float:
    """The value of an argument. Raises `UsageError`."""
    where = f"option '--args', argument {at + 1} is '{text}'"
    if text.endswith(".npy") and "=" not in text:
        return _loaded(text)
    match = _TYPE.fullmatch(text)
    dtype = _TYPES.get(match[1]) if match is not None else None
    if match is None or dtype is None:
        raise UsageError(f"{where}, {_FORM}")
    if match[2] is None:
        if match[3] is None:
            raise UsageError(f"{where}, {_FORM}")
        return _number(match[3], dtype, where)
    return _array(_shape(match[2], where), dtype, match[3] or "zeros", where, seed + at)


def _shape(text: str, where: str) -> tuple[int, ...]:
    sizes = re.split(r"[x,]", text.replace(" ", ""))
    if not all(size.isdecimal() for size in sizes):
        raise UsageError(f"{where}, expected sizes such as [1024] or [32x32]")
    return tuple(map(int, sizes))


def _number(text: str, dtype: str, where: str) -> int | float:
    import numpy as np

    try:
        number = float(text) if dtype.startswith("float") else int(text, 0)
    except ValueError:
        raise UsageError(f"{where}, expected a number behind '='") from None
    if isinstance(number, float):
        most = float(np.finfo(dtype).max)
        if math.isfinite(number) and abs(number) > most:
            raise UsageError(f"{where}, and {dtype} holds numbers up to {most:g}")
        return number
    limits = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    if not limits[0] <= number <= limits[1]:
        raise UsageError(f"{where}, and {dtype} holds numbers from {limits[0]} to {limits[1]}")
    return number


def _array(shape: tuple[int, ...], dtype: str, filled: str, where: str, seed: int) -> Array:
    import numpy as np

    if filled == "random":
        generator = np.random.default_rng(seed)
        if dtype.startswith("float"):
            return generator.random(shape).astype(dtype)
        return generator.integers(0, 2 if dtype == "bool" else _BELOW, shape).astype(dtype)
    if filled in ("zeros", "ones"):
        return np.full(shape, filled == "ones", dtype)
    if filled == "range":
        count = int(np.prod(shape))
        _number(str(max(count - 1, 0)), dtype, where)
        return np.arange(count).astype(dtype).reshape(shape)
    if filled.endswith(".npy"):
        array = _loaded(filled)
        if array.shape != shape or str(array.dtype) != dtype:
            raise UsageError(f"{where}, and the file has {array.dtype}{list(array.shape)}")
        return array
    return np.full(shape, _number(filled, dtype, where), dtype)


def _loaded(path: str) -> Array:
    import numpy as np

    try:
        return np.ascontiguousarray(np.load(path, allow_pickle=False))
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or "it is no array of NumPy"
        raise UsageError(f"cannot read '{path}': {reason}") from None


def _sizes(name: str, text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    sizes = re.split(r"[x,]", text.strip("()").replace(" ", ""))
    if not 1 <= len(sizes) <= 3 or not all(size.isdecimal() for size in sizes):
        raise UsageError(f"option '--{name}' is '{text}', expected 1 to 3 sizes such as 4 or 16x16")
    return tuple(map(int, sizes))


def _files(option: str, given: Sequence[str], arrays: dict[int, Array]) -> dict[int, str]:
    """Files by the place of the argument, counted from 0: `2=out.npy` is of the second."""
    found: dict[int, str] = {}
    for text in given:
        place, equals, path = text.partition("=")
        if not equals or not place.strip().isdecimal() or int(place) - 1 not in arrays:
            listed = ", ".join(str(at + 1) for at in arrays) or "none"
            raise UsageError(
                f"option '--{option}' is '{text}', expected N=FILE.npy with the number of an "
                f"argument that is an array: {listed}"
            )
        found[int(place) - 1] = path
    return found


# -- results


def _type_of(array: Array) -> str:
    short = next(s for s, dtype in _TYPES.items() if dtype == str(array.dtype))
    return f"{short}[{'x'.join(map(str, array.shape))}]"


def _summary(name: str, array: Array) -> str:
    flat = array.reshape(-1)
    first = ", ".join(f"{v:.6g}" if array.dtype.kind == "f" else str(v) for v in flat[:_SHOWN])
    dots = ", .." if flat.size > _SHOWN else ""
    if flat.size == 0:
        return f"{name}: {_type_of(array)}"
    numbers = flat.astype(float)
    facts = f"min {numbers.min():.6g}, max {numbers.max():.6g}, mean {numbers.mean():.6g}"
    return f"{name}: {_type_of(array)} = [{first}{dots}], {facts}"


def _whole(name: str, array: Array) -> str:
    import numpy as np

    with np.printoptions(threshold=array.size + 1):
        return f"{name}: {_type_of(array)} =\n{array}"


def _save(path: str, array: Array) -> None:
    import numpy as np

    from xgpu.tools.files import write_output

    data = io.BytesIO()
    np.save(data, array, allow_pickle=False)
    write_output(path, data.getvalue())


def _difference(at: int, array: Array, expected: Array) -> str:
    """How an array differs from what was expected; empty where it does not, by NumPy's tolerances
    for floats (rtol 1e-5, atol 1e-8)."""
    import numpy as np

    if array.size != expected.size:
        return f"argument {at + 1} has {array.size} elements, and the file {expected.size}"
    flat, wanted = array.reshape(-1), expected.reshape(-1)
    wrong = np.flatnonzero(~np.isclose(flat, wanted, equal_nan=True))
    if not wrong.size:
        return ""
    first = int(wrong[0])
    place = ", ".join(str(int(i)) for i in np.unravel_index(first, array.shape))
    return (
        f"argument {at + 1} differs in {wrong.size} of {flat.size} elements, first in [{place}]: "
        f"expected {wanted[first]}, but found {flat[first]}"
    )
