# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What parameters of kernels and functions have in common; see `parameters`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.api import elements
from xgpu.api.memory import HOST, View, span_of
from xgpu.api.views import NotAnArray, view_of
from xgpu.core.ir.errors import ArgumentTypeError, ArgumentValueError

if TYPE_CHECKING:
    from xgpu.host_device.device.arrays import ArrayFacts
    from xgpu.runtime.cuda.object_launch import Expected

DYNAMIC = -1


class Parameter:
    """A parameter: `name` as the source has it (or `#0`), `type` in MLIR's syntax."""

    #: How `struct` packs the words of the argument: a value each of its own 8 bytes.
    formats: tuple[str, ...] = ()
    #: Bytes of each word's value.
    sizes: tuple[int, ...] = ()
    kind = "other"
    #: Arrays that differ in nothing but where they lie differ in the first two words alone, which
    #: are so many bytes before the first element; None: in others.
    before: int | None = None

    def __init__(self, name: str, type: str, where: str) -> None:
        self.name = name
        self.type = type
        #: "kernel 'add'", for messages.
        self.where = where

    def __repr__(self) -> str:
        return f"{self.name}: {self.type}"

    @property
    def shape(self) -> tuple[int | None, ...] | None:
        """Sizes of a memref, None for those that its type leaves open; None for other types."""
        return None

    @property
    def dtype(self) -> str | None:
        """The natural element type of an argument, None where it has none."""
        return elements.ACCEPTED.get(self.type, (None,))[0]

    def error(self, kind: type[Exception], why: str) -> Exception:
        return kind(f"{self.where}, argument '{self.name}' of type {self.type}: {why}")

    def words(
        self, argument: object, device: str, kept: list[View]
    ) -> tuple[int | float | bytes, ...]:
        """What is passed for `argument`, checked; views of arrays go to `kept`."""
        raise self.error(ArgumentTypeError, "Python has nothing to give for it")

    def expected(self, argument: object, at: int) -> Expected | None:
        """What machine code expects of arguments like this one, which fits and whose words begin
        at `at`; None where that cannot be said."""
        return None

    def facts(self, view: View) -> ArrayFacts:
        """What messages say of an array that was given."""
        from xgpu.host_device.device.arrays import ArrayFacts

        size = elements.itemsize(view.dtype)
        low, high = span_of(view.shape, view.strides, size)
        return ArrayFacts(
            f"argument '{self.name}'", self.type, view.address, view.shape, view.strides, size,
            (view.address + low, view.address + high),
        )  # fmt: skip

    def to_json(self) -> dict[str, object]:
        return {"kind": self.kind, "name": self.name, "type": self.type}


def viewed(parameter: Parameter, argument: object) -> View:
    try:
        return view_of(argument)
    except NotAnArray as problem:
        raise parameter.error(ArgumentTypeError, str(problem)) from None


def check_device(parameter: Parameter, view: View, device: str) -> None:
    """`device` is where the memory must be; a function of a program takes the host's as well."""
    if view.device == device or (device.startswith("any ") and view.device in (HOST, device[4:])):
        return
    wanted = device.removeprefix("any ")
    where = "the host's memory" if view.device == HOST else view.device
    raise parameter.error(
        ArgumentValueError,
        f"the array lies in {where}, and what gets it runs on {wanted}; "
        f"xgpu.asarray(array, device='{wanted}') copies it",
    )


def shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 and "\n" not in text else f"a {type(value).__name__}"
