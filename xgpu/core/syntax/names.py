# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of values and blocks, as mlir-opt gives them.

Regions are numbered outside in: all operations of a region get their numbers before those in the
regions of its operations, which all go on from there. Block arguments of entry blocks are
`%arg<n>`; operations may suggest names for their results (`NAMES` of a dialect), which are made
unique.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core.ir.construction import arguments_of, hint_of, next_block, operations_of
from xgpu.core.ir.op_info import UnregisteredOperation
from xgpu.core.ods.registry import hooks, op_spec

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation


# -- Names of results that follow from an operation's definition.
#
# MLIR names the results of an operation that defines several after its definition (`%sum, %overflow
# = arith.addui_extended`), unless the operation suggests names itself.


def default_result_names(op_name: str) -> Callable[[OdsOperation], list[str | None]] | None:
    """The function that names the results of an operation, or None if nothing does."""
    spec = op_spec(op_name)
    if spec is None or len(spec.results) < 2 or "OpAsmOpInterface" in spec.traits:
        return None
    names = [field.name for field in spec.results]
    if not any(names):
        return None

    def suggest(op: OdsOperation) -> list[str | None]:
        suggested: list[str | None] = [None] * len(op.results)
        at = 0
        for index, name in enumerate(names):
            size = len(op.result_group(index))
            if size and name:
                suggested[at] = name
            at += size
        return suggested

    return suggest


if TYPE_CHECKING:
    #: Names of results, or pairs of block arguments and their names.
    _NameHook = Callable[..., Sequence[Any] | None]


_hooks: dict[str, tuple[_NameHook | None, _NameHook | None]] = {}


def name_hooks(op_name: str) -> tuple[_NameHook | None, _NameHook | None]:
    """What a dialect has for an operation in its `syntax`: suggested names of results and of block
    arguments, or None."""
    found = _hooks.get(op_name)
    if found is None:
        dialect = op_name.partition(".")[0]
        found = (
            hooks(dialect, "syntax", "NAMES").get(op_name),
            hooks(dialect, "syntax", "BLOCK_ARGUMENT_NAMES").get(op_name),
        )
        if found[0] is None and dialect != "builtin":
            found = (default_result_names(op_name), found[1])
        _hooks[op_name] = found
    return found


def _names_of_several(op: Operation) -> list[str | None] | None:
    """MLIR names the results of an operation after its definition if that has several."""
    spec = getattr(op, "spec", None)
    if spec is None or len(spec.results) < 2:
        return None
    if any("OpAsmOpInterface" in (t if isinstance(t, str) else t[0]) for t in spec.traits):
        return None
    names: list[str | None] = [None] * len(op.results)
    at = 0
    for index, field in enumerate(spec.results):
        group = cast("OdsOperation", op).result_group(index)
        if group:
            names[at] = field.name
            at += len(group)
    return names


class Names:
    """Names all values and blocks of an operation. `values` and `blocks` are keyed by `id`."""

    def __init__(self, generic: bool, keep_names: bool = False) -> None:
        self.generic = generic
        self.keep_names = keep_names
        self.values: dict[int, str] = {}
        self.blocks: dict[int, str] = {}
        #: First results of the groups of operations with several, `%a, %b:2 = ...`.
        self.groups: dict[int, list[int]] = {}
        self._value = 0
        self._argument = 0
        self._conflict = 0
        #: Used names, a set for each region that is being named, innermost last.
        self._used: list[set[str]] = [set()]

    def number(self, op: Operation) -> None:
        """Names the results of `op` and everything in it."""
        self._number_op(op)
        self._number_regions(op.regions)

    def _number_regions(self, regions: tuple[Region, ...]) -> None:
        stack: list[tuple[Region, int, int, int, int]] = [
            (region, self._value, self._argument, self._conflict, 1) for region in regions
        ]
        while stack:
            region, value, argument, conflict, depth = stack.pop()
            if not self.generic:
                # In generic form no number comes twice in the whole output.
                self._value, self._argument, self._conflict = value, argument, conflict
            del self._used[depth:]
            self._used.append(set())
            inner = self._number_region(region)
            state = (self._value, self._argument, self._conflict, len(self._used))
            for op in inner:
                stack.extend((nested, *state) for nested in op.regions)

    def _number_region(self, region: Region) -> list[Operation]:
        """Names what is directly in a region; the operations in it that have regions."""
        parent = region.parent
        if not self.generic and parent is not None:
            hook = name_hooks(parent.name)[1]
            if hook is not None:
                for argument, name in hook(parent, region) or ():
                    self._suggest(argument, name)
        inner: list[Operation] = []
        block = region.blocks.first
        number = 0
        while block is not None:
            self.blocks[id(block)] = f"^bb{number}"
            number += 1
            self._number_block(block, number == 1, inner)
            block = next_block(block)
        return inner

    def _number_block(self, block: Block, is_entry: bool, inner: list[Operation]) -> None:
        values = self.values
        for argument in arguments_of(block):
            if id(argument) in values:
                continue
            if self.keep_names and (hint := hint_of(argument)):
                self._suggest(argument, hint)
            elif is_entry:
                name = f"arg{self._argument}"
                self._argument += 1
                self._suggest(argument, name)
            else:
                values[id(argument)] = f"%{self._value}"
                self._value += 1
        plain = self.generic and not self.keep_names
        number = self._value
        for op in operations_of(block):
            results = op.results
            if results:
                if plain and len(results) == 1:
                    (only,) = results
                    values[id(only)] = f"%{number}"
                    number += 1
                else:
                    self._value = number
                    self._number_op(op)
                    number = self._value
            if op.regions:
                inner.append(op)
        self._value = number

    def _number_op(self, op: Operation) -> None:
        results = op.results
        if not results:
            return
        values = self.values
        count = len(results)
        groups = [0]
        suggested = self._suggestions(op)
        if suggested is not None:
            for result, name in zip(results, suggested, strict=False):
                if name is None:
                    continue
                self._suggest(result, name)
                if result.index:
                    groups.append(result.index)
        first = next(iter(results))
        if id(first) not in values:
            values[id(first)] = f"%{self._value}"
            self._value += 1
        if count > 1:
            if len(groups) > 1:
                self.groups[id(op)] = groups
            for at, start in enumerate(groups):
                end = groups[at + 1] if at + 1 < len(groups) else count
                head = values[id(results[start])]
                if end - start > 1:
                    for index in range(start, end):
                        values[id(results[index])] = f"{head}#{index - start}"

    def _suggestions(self, op: Operation) -> Sequence[str | None] | None:
        if self.keep_names:
            hints = [hint_of(result) for result in op.results]
            # A name that several results share was the name of the group.
            return hints[:1] if len(set(hints)) == 1 else hints
        if self.generic or isinstance(op, UnregisteredOperation):
            return None
        hook = name_hooks(op.name)[0]
        if hook is not None:
            return hook(op)
        return _names_of_several(op)

    def _suggest(self, value: SSAValue, name: str) -> None:
        if not name:
            self.values[id(value)] = f"%{self._value}"
            self._value += 1
            return
        name = sanitize(name)
        used = self._used
        if name in used[-1] or any(name in names for names in used):
            while True:
                probe = f"{name}_{self._conflict}"
                self._conflict += 1
                if not any(probe in names for names in used):
                    break
            name = probe
        used[-1].add(name)
        self.values[id(value)] = f"%{name}"


def sanitize(name: str) -> str:
    """A suggested name with what may not stand in one replaced, as MLIR does."""
    if name.replace("_", "a").isalnum() and name.isascii() and not name[0].isdigit():
        return name
    out: list[str] = []
    for char in name:
        if (char.isalnum() and char.isascii()) or char in "$._-":
            out.append(char)
        elif char == " ":
            out.append("_")
        else:
            out.append(f"{ord(char):X}")
    text = "".join(out)
    if (text[0].isdigit() and not text.isdigit()) or text.isdigit():
        text = "_" + text
    elif text[-1].isdigit() and text != name:
        text += "_"
    return text
