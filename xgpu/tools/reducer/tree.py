# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Leaving out and simplifying operations of a module while it stays interesting.

Every step changes a copy. What the verifier refuses, or what is not shorter as text, is not asked
about; what is interesting takes the place of the module. Steps know operations by their place in a
walk, which is the same in the copy. They go on until none of them helps:

1. operations are left out, region by region from the outside in, by halves first;
2. an operation is replaced by a value that is there already;
3. an operation gives way to the body of one of its regions;
4. a branch goes one way only, and what nobody comes to any more goes with it; where it is the only
   way, the block that it goes to takes its place;
5. attributes that no definition asks for are left out, and arguments of functions that nobody uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.ir.op_info import traits_of
from xgpu.tools.reducer.lists import smaller
from xgpu.tools.reducer.steps import (
    drop_unused_arguments,
    erase_all,
    hoist_region,
    may_erase,
    merge_target,
    one_way,
    replaceable_by,
)

if TYPE_CHECKING:
    from xdsl.ir import Operation, Region

#: So many values of the same type are tried in place of a result.
_VALUES = 4


class TreeReducer:
    """`module` is the smallest interesting one so far, `text` what it is printed as."""

    def __init__(self, module: Operation, interesting: Callable[[str], bool]) -> None:
        from xgpu.core.syntax import print_module

        self.module: Operation = module
        self.text = print_module(module)
        self._interesting = interesting

    def run(self) -> Operation:
        """The smallest module that was found; the given one must be interesting."""
        before = ""
        while before != self.text:
            before = self.text
            self._erase()
            self._simplify()
        return self.module

    def _attempt(self, change: Callable[[list[Operation]], bool]) -> bool:
        """Changes a copy, given its operations in the order of a walk; keeps it if it is valid,
        shorter and interesting. False also where `change` says that it cannot."""
        from xgpu.core.syntax import print_module
        from xgpu.core.syntax.verify import verify_module

        copy = self.module.clone()
        if not change(list(copy.walk())):
            return False
        try:
            verify_module(copy)
        except DiagnosticError:
            return False
        text = print_module(copy)
        if len(text) >= len(self.text) or not self._interesting(text):
            return False
        self.module, self.text = copy, text
        return True

    # -- operations left out ----------------------------------------------------------------------
    def _erase(self) -> None:
        """Region by region; a region is named by the place of its operation and its number. What
        is erased in one moves nothing before it, so the next is the first behind it."""
        last = (-1, 0)
        while (key := self._region_behind(last)) is not None:
            self._erase_in(key)
            last = key

    def _region_behind(self, last: tuple[int, int]) -> tuple[int, int] | None:
        for place, op in enumerate(self.module.walk()):
            for number, region in enumerate(op.regions):
                if (place, number) > last and region.blocks:
                    return place, number
        return None

    def _erase_in(self, key: tuple[int, int]) -> None:
        """Leaves operations of a region out."""
        place, number = key

        def children(ops: Sequence[Operation]) -> list[Operation]:
            region: Region = ops[place].regions[number]
            found = [op for block in region.blocks for op in block.ops]
            return [op for op in found if "Terminator" not in traits_of(op.name)]

        # Places in the region as it is now; each success renumbers those that are left.
        names = list(range(len(children(list(self.module.walk())))))
        alive = list(names)

        def holds(kept: Sequence[int]) -> bool:
            nonlocal alive
            keep = set(kept)

            def change(ops: list[Operation]) -> bool:
                here = children(ops)
                gone = [op for name, op in zip(alive, here, strict=True) if name not in keep]
                if not gone or not may_erase(gone):
                    return False
                erase_all(gone)
                return True

            if self._attempt(change):
                alive = [name for name in alive if name in keep]
                return True
            return False

        smaller(names, holds)

    # -- operations made simpler ------------------------------------------------------------------
    def _simplify(self) -> None:
        """Each operation in turn, from the last: those before it keep their places."""
        place = sum(1 for _ in self.module.walk()) - 1
        while place > 0:
            for change in self._changes(place):
                if self._attempt(change):
                    break
            place = min(place - 1, sum(1 for _ in self.module.walk()) - 1)

    def _changes(self, place: int) -> Iterable[Callable[[list[Operation]], bool]]:
        op = list(self.module.walk())[place]
        for number in range(len(op.regions)):
            yield lambda ops, n=number: hoist_region(ops[place], n)
        if op.results:
            for at in range(_VALUES):
                yield lambda ops, n=at: replaceable_by(ops[place], n)
        if len(op.successors) > 1:
            for at in range(len(op.successors)):
                yield lambda ops, n=at: one_way(ops[place], n)
        elif op.successors:
            yield lambda ops: merge_target(ops[place])
        for name in list(op.attributes):
            yield lambda ops, n=name: ops[place].attributes.pop(n, None) is not None
        yield lambda ops: drop_unused_arguments(ops[place])
