# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What callers must know of a function: which work it does, after what, and who waits for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from xdsl.ir import Attribute, BlockArgument

from xgpu.conversion.async_tokens.point_sets import Exit
from xgpu.conversion.async_tokens.points import Argument, Call, Point, Work, is_token
from xgpu.conversion.async_tokens.token_view import TokenView


class Ordered(Protocol):
    """The order in a function, as far as callers must know it: `FunctionOrder` in
    happens_before.py."""

    view: TokenView
    need: dict[Point, int]
    start: dict[Point, int]
    exit: Exit


class Summary:
    """`work` is the function's work and calls, as bits; `waited` what of it the host has waited
    for when the function returns, `work_of` what each result's completion implies of it.

    `arguments_of` has for each result the arguments that it implies; `waits_for` the arguments
    that the host has waited for on return; `starts_after` the arguments that all work follows.
    """

    __slots__ = ("arguments_of", "starts_after", "waited", "waits_for", "work", "work_of")

    def __init__(self, order: Ordered) -> None:
        view = order.view
        arguments = {
            point.value.index: point.bit
            for point in view.points
            if isinstance(point, Argument) and isinstance(point.value, BlockArgument)
        }
        self.work = 0
        first = -1
        for point in view.points:
            if isinstance(point, Work | Call):
                self.work |= order.need.get(point, point.bit)
                first &= order.start.get(point, -1)
        done, values, _ = order.exit
        self.waited = done & self.work
        self.waits_for: list[int] = [i for i, bit in arguments.items() if done & bit]
        self.starts_after: list[int] = [
            i for i, bit in arguments.items() if self.work and first & bit
        ]
        self.work_of: dict[int, int] = {}
        self.arguments_of: dict[int, list[int]] = {}
        function_type = view.function.properties.get("function_type")
        types: Iterable[Attribute] = getattr(function_type, "outputs", ())
        for i, kind in enumerate(types):
            if is_token(kind):
                bits = values[i] if i < len(values) else 0
                self.work_of[i] = bits & self.work
                self.arguments_of[i] = [k for k, bit in arguments.items() if bits & bit]

    @property
    def is_host_only(self) -> bool:
        """Whether the function does nothing that tokens order."""
        return not self.work and not self.work_of and not self.waits_for
