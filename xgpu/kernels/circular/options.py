# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a loop is to be buffered: options of the pass, of a loop, and of single copies.

The attribute `xgpu.circular_buffer` of a loop is a unit, or a dictionary with the options of the
pass; on a copy it says how deep that copy's buffer is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr, UnitAttr

from xgpu.core.ir.errors import error

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation

#: The mark.
ATTRIBUTE = "xgpu.circular_buffer"
MODES = ("auto", "pipelined", "pipelined-mbarrier", "warp-specialized")
#: setmaxnreg takes multiples of 8 in these bounds (PTX ISA, setmaxnreg).
_FEWEST, _MOST, _REGISTER_STEP = 24, 256, 8


class Options(NamedTuple):
    """`prefetch` iterations are loaded ahead, into `stages` buffers; `registers` are those of a
    producer's and a consumer's thread, or empty."""

    stages: int = 2
    prefetch: int = -1
    mode: str = "auto"
    producer_warps: int = 1
    registers: tuple[int, ...] = ()

    def ahead(self) -> int:
        """The prefetch distance: a negative one counts from the stages."""
        return self.prefetch + self.stages if self.prefetch < 0 else self.prefetch


def options_of(op: Operation, given: Options) -> Options:
    """The options that `op` has by its attribute, on top of `given`."""
    attribute = op.attributes.get(ATTRIBUTE)
    if attribute is None or isinstance(attribute, UnitAttr):
        return checked(op, given)
    if not isinstance(attribute, DictionaryAttr):
        raise error(op, f"expected '{ATTRIBUTE}' to be a unit or a dictionary of options")
    values: dict[str, int | str | tuple[int, ...]] = {}
    for key, value in attribute.data.items():
        name = key.replace("-", "_")
        if name not in Options._fields:
            known = ", ".join(field.replace("_", "-") for field in Options._fields)
            raise error(op, f"'{ATTRIBUTE}' has no option '{key}'; it has {known}")
        values[name] = _value(op, name, value)
    return checked(op, given._replace(**values))  # pyright: ignore[reportArgumentType]


def _value(op: Operation, name: str, value: Attribute) -> int | str | tuple[int, ...]:
    if name == "mode" and isinstance(value, StringAttr):
        return value.data
    if name == "registers" and isinstance(value, ArrayAttr):
        found = [item.value.data for item in value.data if isinstance(item, IntegerAttr)]
        if len(found) == len(value.data):
            return tuple(found)
    if name not in ("mode", "registers") and isinstance(value, IntegerAttr):
        return value.value.data
    kinds = {"mode": "a string", "registers": "an array of two integers"}
    raise error(op, f"expected '{name}' to be {kinds.get(name, 'an integer')}")


def checked(op: Operation, options: Options) -> Options:
    """`options`, if they make sense."""
    if options.mode not in MODES:
        raise error(op, f"expected a mode of {', '.join(MODES)}, but found '{options.mode}'")
    if options.stages < 1:
        raise error(op, f"expected at least one stage, but found {options.stages}")
    if not 0 <= options.ahead() < options.stages:
        raise error(
            op,
            f"expected a prefetch distance of 0 to {options.stages - 1} for {options.stages} "
            f"stages, or one of -{options.stages} to -1, which counts from the stages, but found "
            f"{options.prefetch}",
        )
    if options.producer_warps < 1:
        raise error(op, f"expected at least one producer warp, but found {options.producer_warps}")
    _check_registers(op, options.registers)
    return options


def _check_registers(op: Operation, registers: tuple[int, ...]) -> None:
    if not registers:
        return
    if len(registers) != 2:
        raise error(op, "expected two numbers of registers: of producers, and of consumers")
    for number in registers:
        if number % _REGISTER_STEP or not _FEWEST <= number <= _MOST:
            raise error(
                op,
                f"expected numbers of registers that are multiples of {_REGISTER_STEP} from "
                f"{_FEWEST} to {_MOST}, but found {number}",
            )
    if registers[0] > registers[1]:
        raise error(op, "expected producers to have no more registers than consumers")
