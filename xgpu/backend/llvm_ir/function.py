# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The body of one function: blocks, value numbers, phi nodes.

MLIR's translation leaves values and blocks unnamed, and LLVM numbers what is unnamed in the order
of the text: arguments, then blocks and instructions together. Blocks are written in dominance
order, which may differ from the order of the text, and a branch or a phi node mentions what is
written later. So each definition gets an identity first (`\\x01<n>` in the text), and numbers
replace the identities once the whole body is there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import CallSiteLoc, FusedLoc
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.backend.llvm_ir.context import TAGGED, Argument, Emitter, Literal, ModuleContext
from xgpu.backend.llvm_ir.facts import groups, integers, prop
from xgpu.core.ir.dominance import post_order, successors_of
from xgpu.core.ir.errors import error

#: Locations that can carry a scope of debug information.
_WITH_SCOPE = frozenset((CallSiteLoc, FusedLoc))


class FunctionWriter:
    """Writes instructions. Emitters of operations get this object and the operation."""

    __slots__ = (
        "block_ids",
        "current",
        "ends",
        "lines",
        "module",
        "next_id",
        "subprogram",
        "suffix",
        "tags",
        "types",
        "values",
    )

    def __init__(self, module: ModuleContext) -> None:
        self.module = module
        self.types = module.types
        #: SSA value -> its text, without its type
        self.values: dict[SSAValue, str] = {}
        self.next_id = 0
        #: block -> identity
        self.block_ids: dict[Block, int] = {}
        #: MLIR block -> identity of the LLVM block that its terminator stands in
        self.ends: dict[Block, int] = {}
        #: identity of an LLVM block -> [(identity defined or None, text)]
        self.lines: dict[int, list[tuple[int | None, str]]] = {}
        self.current: list[tuple[int | None, str]] = []
        #: what is put behind each instruction: `, !dbg !7`
        self.suffix = ""
        #: the metadata of the function's DISubprogram, if it has one
        self.subprogram: str | None = None
        #: number of a tagged block -> its identity
        self.tags: dict[int, int] = {}

    # --- values ------------------------------------------------------------------------------
    def identity(self) -> int:
        self.next_id += 1
        return self.next_id

    def value(self, value: SSAValue) -> str:
        """The text of an operand, without its type."""
        return self.values[value]

    def typed(self, value: SSAValue) -> str:
        """The text of an operand with its type before it."""
        return f"{self.types(value.type)} {self.values[value]}"

    def label(self, block: Block) -> str:
        return f"label %\x01{self.block_ids[block]}"

    # --- instructions ------------------------------------------------------------------------
    def line(self, text: str) -> None:
        """An instruction without a result."""
        self.current.append((None, f"  {text}{self.suffix}"))

    def new(self, text: str) -> str:
        """An instruction with a result; returns the result's text."""
        self.next_id += 1
        self.current.append((self.next_id, f"  %\x01{self.next_id} = {text}{self.suffix}"))
        return f"%\x01{self.next_id}"

    def define(self, result: SSAValue, text: str) -> None:
        """An instruction whose result is the value `result`."""
        self.values[result] = self.new(text)

    def call(
        self, op: Operation, result: Attribute | None, name: str, arguments: Sequence[Argument]
    ) -> str | None:
        """A call of the intrinsic `name` with a result of that type.

        The type suffixes of overloaded intrinsics and the declaration are LLVM's affair: its
        parser adds both.
        """
        self.module.uses.intrinsics.add(name)
        given = f"@{name}({', '.join(map(self._argument, arguments))})"
        if result is None:
            self.line(f"call void {given}")
            return None
        return self.new(f"call {self.types(result)} {given}")

    def _argument(self, argument: Argument) -> str:
        if isinstance(argument, Literal):
            bits, value = argument
            return f"i{bits} {value if bits > 1 else str(bool(value)).lower()}"
        return argument if isinstance(argument, str) else self.typed(argument)

    # --- blocks ------------------------------------------------------------------------------
    def body(self, region: Region, entry_arguments: Sequence[str]) -> str:
        """Everything between the braces."""
        blocks = list(region.blocks)
        count = len(entry_arguments)
        for value, text in zip(blocks[0].args, entry_arguments, strict=False):
            self.values[value] = text
        for block in blocks:
            self.block_ids[block] = self.identity()
            self.lines[self.block_ids[block]] = []
        for block in dominance_order(blocks) if len(blocks) > 1 else blocks:
            self._block(block, is_entry=block is blocks[0])
        if len(blocks) > 1:
            self._connect_phis(blocks)
        return self._numbered([self.block_ids[b] for b in blocks], count)

    def _block(self, block: Block, *, is_entry: bool) -> None:
        here = self.block_ids[block]
        self.current = self.lines[here]
        if not is_entry:
            for argument in block.args:
                self.values[argument] = f"%\x01{self.identity()}"
                self.current.append((self.next_id, ""))
        emitters = self.module.emitters
        locate, subprogram = self.module.location, self.subprogram
        locates, names_places = self.module.locates, self.module.names_places
        for op in block.ops:
            # Without a subprogram, only a location that carries its scope is a place.
            if locates and (subprogram is not None or type(op.location) in _WITH_SCOPE):
                self.suffix = locate(op, subprogram)
            else:
                self.suffix = ""
            if names_places:
                self.suffix += self.module.place(op)
            emit = emitters.get(op.name)
            if emit is None:
                self.module.missing(op)
            elif self.module.record is None:
                emit(self, op)
            else:
                self._record(emit, op, self.module.record)
        self.suffix = ""
        self.ends[block] = here

    def _record(
        self, emit: Emitter, op: Operation, record: Callable[[Operation, str], None]
    ) -> None:
        """Tells `record` what `emit` writes for `op`."""
        before = self.current
        count = len(before)
        emit(self, op)
        lines = before[count:] + (self.current if self.current is not before else [])
        record(op, "\n".join(text for _, text in lines))

    def _connect_phis(self, blocks: list[Block]) -> None:
        """Fills the phi nodes, whose incoming values are known only now."""
        incoming: dict[Block, list[tuple[Block, Operation]]] = {b: [] for b in blocks}
        for block in blocks:
            last = block.last_op
            if last is None:
                continue
            for successor in last.successors:
                incoming[successor].append((block, last))
        for block in blocks[1:]:
            if not block.args:
                continue
            # MLIR visits a block's uses, and thus its predecessors, from the last to the first.
            sources = [
                (branch_operands(op, block), self.block_ids[pred])
                for pred, op in reversed(incoming[block])
            ]
            lines = self.lines[self.block_ids[block]]
            for i, argument in enumerate(block.args):
                pairs = ", ".join(f"[ {self.values[o[i]]}, %\x01{b} ]" for o, b in sources)
                identity = lines[i][0]
                phi = f"  %\x01{identity} = phi {self.types(argument.type)} {pairs}"
                lines[i] = (
                    identity,
                    phi + self.module.argument_location(argument, self.subprogram),
                )

    def _numbered(self, order: list[int], count: int) -> str:
        """The text, with numbers in place of identities."""
        numbers: dict[str, str] = {}
        out: list[str] = []
        tagged = {block: f"{TAGGED}{tag}" for tag, block in self.tags.items()}
        for position, block in enumerate(order):
            name = tagged.get(block, str(count))
            numbers[str(block)] = name
            if position or block in tagged:
                out.append(f"\n{name}:")
            count += block not in tagged
            for identity, text in self.lines[block]:
                if identity is not None:
                    numbers[str(identity)] = str(count)
                    count += 1
                out.append(text)
        return re.sub("\x01([0-9]+)", lambda m: numbers[m[1]], "\n".join(out))

    def tag(self, number: int) -> None:
        """Remembers the current LLVM block by the number of its `llvm.blocktag`."""
        self.tags[number] = next(k for k, lines in self.lines.items() if lines is self.current)


def dominance_order(blocks: list[Block]) -> list[Block]:
    """Reverse post-order from the entry, then from each block that was not reached."""
    seen: set[Block] = set()
    order: list[Block] = []
    for root in blocks:
        if root not in seen:
            order += reversed(post_order(root, successors_of, seen))
    return order


def branch_operands(op: Operation, block: Block) -> Sequence[SSAValue]:
    """The values that the terminator `op` hands to its successor `block`."""
    name = op.name
    if name == "llvm.br":
        return op.operands
    if name == "llvm.cond_br":
        _, yes, no = groups(op, 3)
        return yes if op.successors[0] is block else no
    if name == "llvm.switch":
        _, default, cases = groups(op, 3)
        if op.successors[0] is block:
            return default
        sizes = integers(prop(op, "case_operand_segments"))
        index = next(i for i, s in enumerate(op.successors[1:]) if s is block)
        return cases[sum(sizes[:index]) :][: sizes[index]]
    if name == "llvm.invoke":
        _, normal, unwind, *_ = groups(op, 4)
        return normal if op.successors[0] is block else unwind
    if name == "llvm.indirectbr":
        sizes = integers(prop(op, "indbr_operand_segments"))
        operands = op.operands[1:]
        index = next(i for i, s in enumerate(op.successors) if s is block)
        return operands[sum(sizes[:index]) :][: sizes[index]]
    raise error(op, f"'{name}' cannot pass values to a block in LLVM IR")


def type_of(value: SSAValue) -> Attribute:
    return value.type
