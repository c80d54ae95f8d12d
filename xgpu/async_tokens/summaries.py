# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What callers must know of a function: which work it does, after what, and who waits for it."""

from __future__ import annotations

from typing import Protocol

from xgpu.async_tokens.bits import Exit
from xgpu.async_tokens.nodes import FunctionNodes, Node, is_token


class Ordered(Protocol):
    """The order in a function, as far as callers must know it: `FunctionOrder` in order.py."""

    nodes: FunctionNodes
    need: dict[Node, int]
    start: dict[Node, int]
    exit: Exit


class Summary:
    """`work` is the function's work and calls, as bits; `waited` what of it the host has waited
    for when the function returns, `work_of` what each result's completion implies of it.

    `arguments_of` has for each result the arguments that it implies; `waits_for` the arguments
    that the host has waited for on return; `starts_after` the arguments that all work follows.
    """

    __slots__ = ("arguments_of", "starts_after", "waited", "waits_for", "work", "work_of")

    def __init__(self, order: Ordered) -> None:
        nodes = order.nodes
        arguments = {
            node.value.index: node.bit  # pyright: ignore
            for node in nodes.nodes
            if node.kind == "argument"
        }
        self.work = 0
        first = -1
        for node in nodes.nodes:
            if node.kind in ("work", "call"):
                self.work |= order.need.get(node, node.bit)
                first &= order.start.get(node, -1)
        done, values, _ = order.exit
        self.waited = done & self.work
        self.waits_for = [i for i, bit in arguments.items() if done & bit]
        self.starts_after = [i for i, bit in arguments.items() if self.work and first & bit]
        self.work_of: dict[int, int] = {}
        self.arguments_of: dict[int, list[int]] = {}
        types = getattr(nodes.function.properties.get("function_type"), "outputs", ())
        for i, kind in enumerate(types):
            if is_token(kind):
                bits = values[i] if i < len(values) else 0
                self.work_of[i] = bits & self.work
                self.arguments_of[i] = [k for k, bit in arguments.items() if bits & bit]

    @property
    def is_host_only(self) -> bool:
        """Whether the function does nothing that tokens order."""
        return not self.work and not self.work_of and not self.waits_for
