# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The body of a function: its blocks, its values by name, its debug records.

A value may be used before its definition stands in the text, and a block before its label. Both are
made when first mentioned, and filled in at their definition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from xgpu.frontend.llvm_ir.attribute_parser import AttributeParser
from xgpu.frontend.llvm_ir.lexer import Cursor
from xgpu.frontend.llvm_ir.metadata_parser import MetadataParser
from xgpu.frontend.llvm_ir.model import (
    Block,
    DebugRecord,
    Function,
    Instruction,
    MetadataValue,
    Value,
)
from xgpu.frontend.llvm_ir.type_parser import METADATA, VOID

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from xgpu.frontend.llvm_ir.constant_parser import ConstantParser
    from xgpu.frontend.llvm_ir.model import Metadata
    from xgpu.frontend.llvm_ir.type_parser import TypeParser


Readers = Mapping[str, Callable[["FunctionParser", Instruction], None]]


class FunctionParser:
    """Reads one body. `parsers` has what reads an instruction, by opcode."""

    __slots__ = (
        "attributes",
        "blocks",
        "constants",
        "cursor",
        "function",
        "metadata",
        "readers",
        "types",
        "undefined",
        "values",
    )

    def __init__(
        self,
        function: Function,
        attributes: AttributeParser,
        constants: ConstantParser,
        metadata: MetadataParser,
        readers: Readers,
    ) -> None:
        self.function = function
        self.readers = readers
        self.cursor: Cursor = constants.cursor
        self.types: TypeParser = constants.types
        self.attributes = attributes
        self.constants = constants
        self.metadata = metadata
        self.values: dict[str, Value] = {a.key: a for a in function.arguments}
        #: values that were used and not yet defined -> where
        self.undefined: dict[str, int] = {}
        self.blocks: dict[str, Block] = {}

    # --- values ------------------------------------------------------------------------------
    def typed(self) -> Value:
        """A type and a value of it."""
        return self.value(self.types.read())

    def value(self, t: Attribute) -> Value:
        """A value of type `t`."""
        cursor = self.cursor
        token = cursor.tokens[cursor.at]
        if token[:1] == "%":
            cursor.at += 1
            found = self.values.get(token)
            if found is None:
                self.undefined[token] = cursor.at - 1
                found = self.values[token] = Instruction()
                found.type = t
            return found
        if t is METADATA:
            metadata = self.metadata.read(self.typed)
            if metadata is None:
                cursor.fail("expected metadata", cursor.at - 1)
            return MetadataValue(t, metadata)
        return self.constants.read(t)

    def block(self, key: str) -> Block:
        """The block `%key`."""
        found = self.blocks.get(key)
        if found is None:
            found = self.blocks[key] = Block(key, len(self.blocks))
        return found

    def label(self) -> Block:
        """`label %x`"""
        self.cursor.expect("label")
        return self.block(self.cursor.next())

    # --- the body ----------------------------------------------------------------------------
    def read(self) -> None:
        """`{ ... }`"""
        cursor, tokens = self.cursor, self.cursor.tokens
        cursor.expect("{")
        self._addressed_blocks()
        self.constants.mentioned = self._mentioned
        records: list[DebugRecord] = []
        block: Block | None = None
        while True:
            token = tokens[cursor.at]
            if token == "}":
                break
            if token[-1:] == ":":
                cursor.at += 1
                block = self._begin("%" + token[:-1])
                continue
            if block is None:
                # LLVM leaves out the label of the entry block if it has no name.
                unnamed = sum(a.key[1:].isdigit() for a in self.function.arguments)
                block = self._begin(f"%{unnamed}")
            if token[:5] == "#dbg_":
                records.append(self._record())
                continue
            instruction = self._instruction(block)
            if records:
                instruction.debug = records
                records = []
        for token in self.undefined.values():
            cursor.fail("expected a value that is defined", token)
        cursor.expect("}")

    def _addressed_blocks(self) -> None:
        """Makes the blocks whose addresses were taken before: LLVM's parser meets them first."""
        own = self.function.key
        taken = sorted(
            (b[1:] for f, b in self.constants.block_addresses if f == own),
            key=lambda name: (int(name), "") if name.isdigit() else (-1, name),
        )
        for name in taken:
            self.block("%" + name)

    def _mentioned(self, function: str, block: str) -> None:
        """The address of a block of this function makes the block, as a branch to it does."""
        if function == self.function.key:
            self.block(block)

    def _begin(self, key: str) -> Block:
        block = self.block(key)
        self.function.blocks.append(block)
        return block

    def _instruction(self, block: Block) -> Instruction:
        cursor, tokens = self.cursor, self.cursor.tokens
        start = cursor.at
        name = tokens[start]
        if name[:1] == "%":
            cursor.at += 2  # the equals sign
            instruction = self._defined(name)
        else:
            instruction = Instruction()
        instruction.token = start
        instruction.block = block
        opcode = cursor.next()
        instruction.opcode = opcode
        read = self.readers.get(opcode)
        if read is None:
            cursor.fail("expected an instruction", cursor.at - 1)
        instruction.type = VOID
        read(self, instruction)
        token = tokens[cursor.at]
        if token == "," or token[:1] == "!":
            instruction.metadata = dict(self.metadata.attachments())
        block.instructions.append(instruction)
        return instruction

    def _defined(self, name: str) -> Instruction:
        known = self.values.get(name)
        if known is None:
            instruction = Instruction()
            self.values[name] = instruction
            return instruction
        if self.undefined.pop(name, None) is None:
            self.cursor.fail("expected a name that is not defined yet", self.cursor.at - 2)
        assert isinstance(known, Instruction)
        return known

    def _record(self) -> DebugRecord:
        """`#dbg_value(ptr %x, !1, !DIExpression(), !2)`"""
        cursor = self.cursor
        start = cursor.at
        kind = cursor.next()[5:]
        cursor.expect("(")
        operands: list[Value | Metadata | None] = []
        while not cursor.accept(")"):
            operands.append(self.metadata.read(self.typed))
            cursor.accept(",")
        return DebugRecord(kind, operands, start)
