# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The body of a function, or of a global's initializer.

Blocks are visited so that a value's definition comes before its uses: the blocks that can be
reached from the entry, in reverse post-order. Phis are block arguments, and what comes in along an
edge stands at the branch. Unreachable blocks are left out. Debug records come last, each right
behind the value that it is about, where it is dominated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Block as IRBlock
from xdsl.ir import Operation, Region, SSAValue

from xgpu import ods
from xgpu.frontend.llvm_ir import constant_import
from xgpu.frontend.llvm_ir.builder import Builder
from xgpu.frontend.llvm_ir.model import Block, Constant, Function, GlobalObject, Instruction, Value

if TYPE_CHECKING:
    from xgpu.frontend.llvm_ir.importer import ModuleImport


class BodyImport:
    """Translates one region. `values` maps LLVM's values to MLIR's."""

    def __init__(self, module: ModuleImport, region: Region) -> None:
        self.module = module
        self.region = region
        self.values: dict[Value, SSAValue] = {}
        self.blocks: dict[Block, IRBlock] = {}
        #: the instruction, or global object, that messages are about
        self.current: Any = None
        self.operation: Operation | None = None
        self.debug: list[Any] = []
        self._last_constant: Operation | None = None
        self._constant_block: IRBlock | None = None
        self.builder: Builder = Builder(IRBlock())

    # --- values ------------------------------------------------------------------------------
    def value(self, value: Value) -> SSAValue:
        """MLIR's value; a constant's operation is made when it is first needed."""
        found = self.values.get(value)
        if found is not None:
            return found
        if isinstance(value, Constant):
            return self.constant(value)
        raise self.module.unhandled("value in", self.current)

    def operands(self, values: Sequence[Value]) -> list[SSAValue]:
        return [self.values.get(v) or self.value(v) for v in values]

    def constant(self, constant: Constant) -> SSAValue:
        """Makes the operations of a constant behind those of the constants before it."""
        block, last = self._constant_block, self._last_constant
        assert block is not None
        around = self.builder
        self.builder = Builder(block)
        self.builder.anchor = block.first_op if last is None else last.next_op
        try:
            make = self.module.source.make_constant
            for part in constant_import.in_order(constant, self.values, make):
                self.values[part] = constant_import.convert(self, part)
        finally:
            self.builder = around
        found = self.values[constant]
        self._last_constant = found.owner  # pyright: ignore[reportAttributeAccessIssue]
        return found

    def create(
        self,
        name: str,
        operands: Sequence[Any] = (),
        results: Sequence[Any] = (),
        properties: dict[str, Any] | None = None,
        *,
        successors: Sequence[IRBlock] = (),
    ) -> Operation:
        """Makes the operation of the current instruction."""
        op = self.builder.create(name, operands, results, properties or {}, successors=successors)
        self.operation = op
        return op

    def position(self, indices: Sequence[int]) -> DenseArrayBase[Any]:
        return DenseArrayBase.from_list(i64, list(indices))

    # --- initializers ------------------------------------------------------------------------
    def initializer(self, found: GlobalObject, constant: Constant) -> None:
        """The region of a global: the constant, and its return."""
        self.current = found
        block = IRBlock()
        self.region.add_block(block)
        self._constant_block = block
        value = self.constant(constant)
        self.builder = Builder(block)
        self.builder.create("llvm.return", (value,))

    # --- functions ---------------------------------------------------------------------------
    def function(self, function: Function, op: Operation) -> None:
        """All blocks of a function that has a body."""
        reached = _reachable(function.blocks[0])
        for block in function.blocks:
            if block not in reached:
                if block.address_taken:
                    name = block.key[1:]
                    raise self.module.error(
                        f"unreachable block '{name}' with address taken", function
                    )
                continue
            self.blocks[block] = made = IRBlock()
            self.region.add_block(made)
        entry = self.blocks[function.blocks[0]]
        for argument in function.arguments:
            added = entry.insert_arg(argument.type, len(entry.args))
            added.location = op.location
            self.values[argument] = added
        self._constant_block = entry
        for block in _in_order([b for b in function.blocks if b in reached]):
            self._block(block)
        if self.debug:
            from xgpu.frontend.llvm_ir.debug_records import add_records

            add_records(self, op)

    def _block(self, block: Block) -> None:
        made = self.blocks[block]
        self.builder = Builder(made)
        debug = self.module.debug
        for instruction in block.instructions:
            self.current = instruction
            location = debug.location(instruction.metadata.get("dbg"))
            self.builder.location = location
            self.operation = None
            if instruction.opcode == "phi":
                argument = made.insert_arg(instruction.type, len(made.args))
                argument.location = location
                self.values[instruction] = argument
                continue
            if instruction.debug:
                self._records(instruction)
            self.instruction(instruction)
            if self.operation is not None:
                self.module.attachments.add(self, instruction, self.operation)
        if block.address_taken:
            self._tag(block, made)

    def _records(self, instruction: Instruction) -> None:
        """Keeps records about variables for later; labels come where they stand."""
        for record in instruction.debug:
            if record.kind != "label":
                self.debug.append(record)
                continue
            from xgpu.frontend.llvm_ir.debug_records import add_label

            add_label(self, record)

    def _tag(self, block: Block, made: IRBlock) -> None:
        """`llvm.blocktag`, which says what `llvm.blockaddress` means."""
        tag: Any = ods.attr_class("llvm.blocktag")
        builder = Builder(made)
        builder.anchor = made.first_op
        assert self.region.parent is not None
        builder.location = self.region.parent.location
        builder.create("llvm.blocktag", (), (), {"tag": tag(block.number)})

    def instruction(self, instruction: Instruction) -> None:
        """Translates an instruction; `values` has its result afterwards."""
        from xgpu.frontend.llvm_ir.instruction_import import IMPORTERS

        convert = IMPORTERS.get(instruction.opcode)
        if convert is None:
            raise self.module.unhandled("instruction", instruction)
        convert(self, instruction)

    # --- edges -------------------------------------------------------------------------------
    def edge(self, source: Instruction, target: Block) -> list[SSAValue]:
        """What goes along an edge into the block arguments of `target`."""
        found: list[SSAValue] = []
        for phi in target.instructions:
            if phi.opcode != "phi":
                break
            found.append(self.value(incoming(phi, source.block)))
        return found


def incoming(phi: Instruction, block: Block | None) -> Value:
    """The value of a phi on the way from `block`."""
    return phi.operands[phi.extra["blocks"].index(block)]


def _reachable(entry: Block) -> set[Block]:
    found = {entry}
    pending = [entry]
    while pending:
        for successor in pending.pop().successors:
            if successor not in found:
                found.add(successor)
                pending.append(successor)
    return found


def _in_order(blocks: list[Block]) -> list[Block]:
    """Reverse post-order from the first block; all blocks can be reached from there."""
    finished: list[Block] = []
    seen = {blocks[0]}
    stack: list[tuple[Block, Any]] = [(blocks[0], iter(blocks[0].successors))]
    while stack:
        block, following = stack[-1]
        for successor in following:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(successor.successors)))
                break
        else:
            finished.append(block)
            stack.pop()
    finished.reverse()
    return finished
