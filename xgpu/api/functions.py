# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of a program: called with arrays and numbers, they give arrays and numbers."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from xgpu.api import elements
from xgpu.api.arrays import Array
from xgpu.api.devices.interface import CHANGING, Backend, Packed
from xgpu.api.devices.registry import backend as device_named
from xgpu.api.memory import View
from xgpu.api.packing import Packer
from xgpu.api.parameters import Parameter, from_json
from xgpu.api.programs import Program
from xgpu.core.ir.errors import USER_ERRORS, ArgumentTypeError, DeviceError, shows_internals, told
from xgpu.core.support.forks import OfOneProcess, once

if TYPE_CHECKING:
    from xgpu.api.descriptions import DescribedFunction, DescribedType, MemRefType
    from xgpu.host_device.device.arrays import ArrayFacts


#: Bytes and `struct`'s letters of a result.
_NUMBERS = {
    "i1": (1, "B"), "i8": (1, "b"), "i16": (2, "h"), "i32": (4, "i"), "i64": (8, "q"),
    "index": (8, "q"), "f16": (2, "e"), "f32": (4, "f"), "f64": (8, "d"), "bf16": (2, "H"),
    "complex<f32>": (8, "2f"), "complex<f64>": (16, "2d"),
}  # fmt: skip


class _Repeat:
    """A call of a function that only launches a graph, made again with the same arguments while
    nothing else calls the program: the graph's nodes are set to what these say. `seen` says what
    the arguments were (`Packed.seen`)."""

    __slots__ = ("_calls", "_launch", "_program", "_seen")

    def __init__(self, program: Program, seen: list[object], launch: Callable[[], bool]) -> None:
        self._program, self._seen, self._launch = program, seen, launch
        self._calls = program.calls

    def again(self, arguments: tuple[object, ...]) -> bool:
        """Whether it was done; else the function has to be called."""
        seen, program = self._seen, self._program
        if len(arguments) != len(seen):
            return False
        i = 0
        for argument in arguments:
            last = seen[i]
            if argument is not last and not _is_same(argument, last):
                return False
            i += 1  # noqa: SIM113  enumerate takes longer
        with program.lock:
            return program.calls == self._calls and self._launch()


def _is_same(argument: object, last: object) -> bool:
    """Whether an argument makes the words that another one made."""
    if type(argument) is Array and type(last) is View:
        view = argument._view
        return view is last or (view.key is last.key and view.address == last.address)
    if type(argument) is not type(last) or argument != last:
        return False
    return not isinstance(argument, float) or str(argument) == str(last)  # 0.0 is not -0.0


class Function(OfOneProcess):
    """A function of the program.

        c, total = module.functions["f"](a, b, 3)

    Arrays of any library are memrefs, without a copy; numbers are numbers. A result is an
    `xgpu.Array`, an int, a float or a complex, several are a tuple. When the call returns, all that
    the function has given the device is done, tokens among the results too, which are left out.
    Raises TypeError and ValueError that name an argument, `ProgramError` and `DeviceError` for what
    goes wrong in the program and on the device.
    """

    def __init__(self, program: Program, described: DescribedFunction) -> None:
        self._program = program
        self.name = described["name"]
        where = f"function '{self.name}'"
        self.parameters: tuple[Parameter, ...] = tuple(
            from_json(p, where) for p in described["parameters"]
        )
        self._results = described["results"]
        self._location = described["location"]
        self._packer: Packer | None = None
        self._has_bounds = False
        self._free: list[Packed] = []
        self._anywhere = f"any {program.loaded.backend.name}"
        self._described = described
        self._elsewhere: tuple[Backend, Function] | None = None
        self._is_repeated = False
        # The words of the call before, and what makes it again, where that can be.
        self._before = b""
        self._again: Callable[[tuple[object, ...]], bool] | None = None

    @property
    def results(self) -> tuple[str, ...]:
        """The types of what it gives, in MLIR's syntax."""
        return tuple(r["type"] for r in self._results)

    @property
    def location(self) -> str | None:
        """Where the source defines it, `file:line:column`."""
        return None if self._location is None else ":".join(map(str, self._location))

    def __repr__(self) -> str:
        given = ", ".join(self.results) or "()"
        return f"<xgpu.Function {self.name}({', '.join(map(repr, self.parameters))}) -> {given}>"

    def on(self, backend: Backend) -> Function:
        """The same function in a program on another device that takes the same code."""
        found = self._elsewhere
        if found is None or found[0] is not backend:
            program = self._program.on(backend)
            found = self._elsewhere = backend, Function(program, self._described)
        return found[1]

    def __call__(self, *arguments: object, **named: object) -> Any:
        again = None if named else self._again
        try:
            if again is not None and again(arguments):
                return None
            return self._called(arguments, named)
        except USER_ERRORS as problem:
            if shows_internals():
                raise
            raise told(problem) from None

    def _called(self, arguments: tuple[object, ...], named: dict[str, object]) -> object:
        backend = self._program.loaded.backend
        if backend.current() is not backend:
            return self.on(backend.current())._called(arguments, named)
        where = f"function '{self.name}'"
        if self._packer is None:
            for result in self._results:
                if result["kind"] in ("other", "unranked"):
                    raise ArgumentTypeError(
                        f"{where} returns a {result['type']}, and results are memrefs, integers, "
                        "floats and complex numbers: let the caller pass a memref for it"
                    )
            self._packer = Packer(where, self.parameters)
            self._has_bounds = backend.has_bounds
            is_graph = self.name in self._program.graph_functions
            self._is_repeated = is_graph and not self._results
        if named:
            arguments = self._packer.ordered(arguments, named)
        try:
            packed = self._free.pop()
        except IndexError:
            packed = self._packer.room(self._free)
        self._packer.store(packed, arguments, self._anywhere)
        views = [view for view in packed.views if view is not None]
        arrays = self._arrays(packed) if self._has_bounds else []
        size = self._packer.size
        room = ctypes.create_string_buffer(size + self._result_bytes() + 16)
        ctypes.memmove(room, packed.data, size)
        words, seen = packed.data.raw[:size], packed.seen[: packed.count]
        packed.let_go()
        packed.done()
        tokens = self._make_tokens(room)
        try:
            self._program.call(
                self.name, ctypes.addressof(room), views,
                lambda: self._note(words, seen, views), arrays,
            )  # fmt: skip
        finally:
            for token in tokens:  # the caller owns them
                self._program.drop_token(token)
        return self._read(room.raw[size:], views, arguments)

    def _arrays(self, packed: Packed) -> list[ArrayFacts]:
        """The arrays that were given, as messages of the function's kernels have them."""
        assert self._packer is not None
        found = [facts for _, facts in self._packer.facts(packed)]
        for facts in found:
            facts.name += f" of function '{self.name}'"
        return found

    def _note(self, words: bytes, seen: list[object], views: list[View]) -> None:
        """The program has been called with these, and nothing else has called it since; what comes
        twice in a row is expected to come again."""
        if not self._is_repeated:
            return
        is_same, self._before, self._again = words == self._before, words, None
        if is_same and CHANGING not in seen and not any(view.stream for view in views):
            launch = self._program.graph_launcher()
            if launch is not None:
                self._again = _Repeat(self._program, seen, launch).again

    def _make_tokens(self, room: ctypes.Array[ctypes.c_char]) -> list[int]:
        """An event for each token: what was given has been waited for."""
        made: list[int] = []
        at = 0
        for parameter in self.parameters:
            if parameter.kind == "token":
                self._program.engine()  # its device makes the event
                made.append(self._program.new_token())
                struct.pack_into("<Q", room, at, made[-1])
            at += sum(struct.calcsize("<" + format) for format in parameter.formats)
        return made

    @once
    def _layout(self) -> list[tuple[int, int]]:
        """Where each result lies in what the function returns, and its bytes: the fields of a
        struct of C."""
        places: list[tuple[int, int]] = []
        at = 0
        for result in self._results:
            size, align = _extent(result)
            at = -(-at // align) * align
            places.append((at, size))
            at += size
        return places

    def _result_bytes(self) -> int:
        places = self._layout
        return sum(places[-1]) if places else 0

    def _read(self, raw: bytes, views: list[View], arguments: tuple[object, ...]) -> Any:
        for result, (at, size) in zip(self._results, self._layout, strict=True):
            if result["kind"] == "memref":
                self._check_memory(raw[at : at + size])
        values: list[object] = []
        made: dict[int, Array] = {}  # by what was allocated: it goes back once
        for result, (at, size) in zip(self._results, self._layout, strict=True):
            data = raw[at : at + size]
            if result["kind"] == "token":
                self._program.finish_token(struct.unpack("<Q", data)[0])
            elif result["kind"] == "memref":
                values.append(self._array(result, data, views, arguments, made))
            else:
                values.append(_number(result, data))
        if not values:
            return None
        return values[0] if len(values) == 1 else tuple(values)

    def _check_memory(self, data: bytes) -> None:
        """Raise `DeviceError` for a memref without memory: an allocation that has failed gives a
        null pointer, and programs need not look."""
        _, aligned, _, *sizes = struct.unpack(f"<QQ{len(data) // 8 - 2}q", data)
        shape = sizes[: len(sizes) // 2]
        if min(shape, default=0) < 0 or (not aligned and 0 not in shape):
            listed = ", ".join(map(str, shape))
            raise DeviceError(
                f"function '{self.name}' gives a memref of the sizes ({listed}) without memory: a "
                "size is negative, or there was not enough"
            )

    def _array(
        self, result: MemRefType, data: bytes, views: list[View], arguments: tuple[object, ...],
        made: dict[int, Array],
    ) -> Array:  # fmt: skip
        words = struct.unpack(f"<QQ{len(data) // 8 - 2}q", data)
        allocated, aligned, offset = words[:3]
        rank = len(result["sizes"])
        shape, strides = tuple(words[3 : 3 + rank]), tuple(words[3 + rank :])
        dtype = elements.ACCEPTED[result["element"]][0]
        address = aligned + offset * elements.itemsize(dtype)
        backend = self._program.loaded.backend
        lent = next((v for v in views if v.address and v.address == allocated), None)
        if lent is not None:
            return Array(
                device_named(lent.device), address, shape, strides, dtype, owner=(views, arguments),
                writable=lent.writable,
            )  # fmt: skip
        on_device = self._program.is_device_memory(allocated)
        where = backend if on_device or backend.name == "host" else device_named("host")
        if allocated in made:
            return Array(where, address, shape, strides, dtype, owner=made[allocated])
        release = self._program.take(allocated)
        owner = None if release is not None else self._program
        # Memory of the program lives no longer than the program.
        made[allocated] = Array(
            where, address, shape, strides, dtype, owner=owner,
            release=_releasing(release, self._program) if release is not None else None,
        )  # fmt: skip
        return made[allocated]


def _releasing(release: Callable[[int], None], program: Program) -> Callable[[int], None]:
    """`release`, which keeps the program alive until then."""

    def run(address: int) -> None:
        _ = program
        release(address)

    return run


def _extent(result: DescribedType) -> tuple[int, int]:
    """Bytes and alignment of a result."""
    if result["kind"] == "memref":
        return 8 * (3 + 2 * len(result["sizes"])), 8
    if result["kind"] == "complex":
        size = _NUMBERS[result["type"]][0]
        return size, size // 2
    size = _NUMBERS[result["type"]][0] if result["kind"] == "scalar" else 8
    return size, size


def _number(result: DescribedType, data: bytes) -> complex:
    if result["kind"] == "pointer":
        return int.from_bytes(data, "little")
    type = result["type"]
    (value, *imaginary) = struct.unpack("<" + _NUMBERS[type][1], data)
    if imaginary:
        return complex(value, imaginary[0])
    if type == "i1":
        return bool(value & 1)
    if type == "bf16":
        return struct.unpack("<f", struct.pack("<I", value << 16))[0]
    return value
