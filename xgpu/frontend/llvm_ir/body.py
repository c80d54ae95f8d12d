# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A region that is being made, and what instructions and constants need of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir import Block as IRBlock

from xgpu.core.rewriting.builder import Builder
from xgpu.frontend.llvm_ir.constant_parser import in_order
from xgpu.frontend.llvm_ir.metadata_import import Context
from xgpu.frontend.llvm_ir.model import Block, Constant, DebugRecord, Instruction, Value


class Body:
    """A region that is being made. `values` maps LLVM's values to MLIR's.

    `convert_constant` makes the operation of a constant whose parts have theirs,
    `convert_instruction` that of an instruction; both put the result into `values`.
    """

    def __init__(
        self,
        context: Context,
        region: Region,
        convert_constant: Callable[[Body, Constant], SSAValue],
        convert_instruction: Callable[[Body, Instruction], None],
    ) -> None:
        self.context = context
        self.messages = context.messages
        self.region = region
        self._convert_constant = convert_constant
        self._convert_instruction = convert_instruction
        self.values: dict[Value, SSAValue] = {}
        self.blocks: dict[Block, IRBlock] = {}
        #: the instruction, or global object, that messages are about
        self.current: object = None
        self.operation: Operation | None = None
        self.debug: list[DebugRecord] = []
        self._last_constant: Operation | None = None
        self.constant_block: IRBlock | None = None
        self.builder: Builder = Builder(block=IRBlock())

    # --- values ------------------------------------------------------------------------------
    def value(self, value: Value) -> SSAValue:
        """MLIR's value; a constant's operation is made when it is first needed."""
        found = self.values.get(value)
        if found is not None:
            return found
        if isinstance(value, Constant):
            return self.constant(value)
        raise self.messages.unhandled("value in", self.current)

    def operands(self, values: Sequence[Value]) -> list[SSAValue]:
        return [self.values.get(v) or self.value(v) for v in values]

    def constant(self, constant: Constant) -> SSAValue:
        """Makes the operations of a constant behind those of the constants before it."""
        block, last = self.constant_block, self._last_constant
        assert block is not None
        around = self.builder
        self.builder = Builder(block=block)
        self.builder.anchor = block.first_op if last is None else last.next_op
        try:
            make = self.context.source.make_constant
            for part in in_order(constant, self.values, make):
                self.values[part] = self._convert_constant(self, part)
        finally:
            self.builder = around
        found = self.values[constant]
        self._last_constant = found.owner  # pyright: ignore[reportAttributeAccessIssue]
        return found

    def create(
        self,
        name: str,
        operands: Sequence[SSAValue] = (),
        results: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] | None = None,
        *,
        successors: Sequence[IRBlock] = (),
    ) -> Operation:
        """Makes the operation of the current instruction."""
        op = self.builder.create(name, operands, results, properties or {}, successors=successors)
        self.operation = op
        return op

    def position(self, indices: Sequence[int]) -> DenseArrayBase:
        return DenseArrayBase.from_list(i64, list(indices))

    def instruction(self, instruction: Instruction) -> None:
        """Translates an instruction; `values` has its result afterwards."""
        self._convert_instruction(self, instruction)

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
