# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading regions and blocks, and the top level of a text. A part of the parser."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, LocationAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region
from xdsl.parser import Parser

from xgpu.core.ir.construction import append_operation, last_operation, set_arguments
from xgpu.core.ir.errors import Diagnostic, DiagnosticError, shown
from xgpu.core.ir.locations import SourceLoc, StandInLoc, is_location
from xgpu.core.syntax.parser_base import ParserBase


class RegionParser(ParserBase):
    """Regions, blocks, modules; `self` is the parser."""

    def parse_optional_region(
        self, arguments: Iterable[Parser.Argument] | None = None
    ) -> Region | None:
        if self._texts[self._at] != "{":
            return None
        return self._parse_region(arguments, self._isolated)

    def parse_region(self, arguments: Iterable[Parser.Argument] | None = None) -> Region:
        return self._parse_region(arguments, self._isolated)

    def parse_region_list(self) -> list[Region]:
        if self._texts[self._at] != "(":
            return []
        return self.parse_comma_separated_list(self.Delimiter.PAREN, self.parse_region)

    def _parse_region(self, arguments: Iterable[Parser.Argument] | None, isolated: bool) -> Region:
        """`{ block* }`; with `arguments` the first block has these and no label."""
        texts = self._texts
        if texts[self._at] != "{":
            self.expected("expected '{' to begin a region")
        self._at += 1
        region = Region()
        if texts[self._at] == "}" and not arguments:
            self._at += 1
            return region
        values, scopes, definitions = self._named, self._scopes, self._definitions
        blocks, forward, inside = self.blocks, self.forward_block_references, self._isolated
        # Outer names are seen in an isolated region as well, as in MLIR: to use one is the
        # verifier's matter, to define it again is an error. Mostly there is none.
        isolated = isolated and not values
        if isolated:
            self._named, self._definitions = {}, {}
        scopes.append([])
        self.blocks, self.forward_block_references = {}, {}
        self._isolated = False

        if arguments is not None:
            arguments = list(arguments)
        if arguments:
            if texts[self._at][:1] == "^":
                self.fail("invalid block name in region with named arguments")
            block = self._entry_block(arguments)
            region.add_block(block)
            self._parse_block_body(block)
        elif texts[self._at][:1] != "^":
            block = Block()
            region.add_block(block)
            self._parse_block_body(block)
        while texts[self._at] != "}":
            self._parse_block_into(region)
        self._at += 1

        self._check_blocks()
        defined = scopes.pop()
        if isolated:
            self._named, self._definitions = values, definitions
        else:
            for name in defined:
                values.pop(name, None)
        self.blocks, self.forward_block_references, self._isolated = blocks, forward, inside
        return region

    def _check_blocks(self) -> None:
        """At the end of a region, or of the text: each block that was named is there."""
        if not self.forward_block_references:
            return
        errors = [
            Diagnostic("error", "reference to an undefined block", SourceLoc(self.source, position))
            for position in sorted(self.forward_block_references.values())
        ]
        raise DiagnosticError(*errors)

    def _entry_block(self, arguments: list[Parser.Argument]) -> Block:
        block = Block(arg_types=[argument.type for argument in arguments])
        values = block.args
        for value, argument in zip(values, arguments, strict=True):
            span = argument.name
            name = span.text
            known = self._named.get(name)
            if known is not None:
                raise self.error_at(
                    span.start,
                    f"region entry argument '{name}' is already in use",
                    [(self._definition_location(name, 0, known), "previously referenced here")],
                )
            self._define(name, (value,), span.start)
            location = argument.location
            if location is None:
                value.location = SourceLoc(self.source, span.start)
            else:
                value.location = location
                if self._stand_ins:
                    self._located.append(value)
        return block

    def _parse_block_into(self, region: Region) -> Block:
        """A block with a label, added to the region."""
        name = self._texts[self._at]
        if name[:1] != "^" or len(name) < 2:
            self.expected("expected block name")
        position = self._starts[self._at]
        self._at += 1
        block = self.blocks.get(name)
        if block is None:
            block = self.blocks[name] = Block()
        elif self.forward_block_references.pop(name, None) is None:
            raise self.error_at(position, f"redefinition of block '{name}'")
        region.add_block(block)
        hint = name[1:]
        if not hint[0].isdigit() and not Block.is_default_block_name(hint):
            block.name_hint = hint
        if self._texts[self._at] == "(":
            self._parse_block_arguments(block)
        if self._texts[self._at] != ":":
            self.expected("expected ':' after block name")
        self._at += 1
        self._parse_block_body(block)
        return block

    def _parse_block_arguments(self, block: Block) -> None:
        texts = self._texts
        self._at += 1
        arguments: list[BlockArgument] = []
        if texts[self._at] == ")":
            self._at += 1
            return
        while True:
            name = texts[self._at]
            position = self._starts[self._at]
            if name[:1] != "%" or len(name) < 2:
                self.expected("expected SSA operand")
            self._at += 1
            if texts[self._at][:1] == "#":
                self.fail("result number not allowed in argument list")
            if texts[self._at] != ":":
                self.expected("expected ':' and type for SSA operand")
            self._at += 1
            argument = BlockArgument(self.parse_type(), block, len(arguments))
            argument.location = SourceLoc(self.source, position)
            if texts[self._at] == "loc":
                location = self.parse_optional_location()
                if location is not None:
                    argument.location = location
                    if self._stand_ins:
                        self._located.append(argument)
            arguments.append(argument)
            self._define(name, (argument,), position)
            if texts[self._at] != ",":
                break
            self._at += 1
        self.parse_punctuation(")", "")
        set_arguments(block, arguments)

    def _parse_block_body(self, block: Block) -> None:
        """Operations up to the next block or the end of the region."""
        texts = self._texts
        parse = self.parse_operation
        last = last_operation(block)
        while True:
            text = texts[self._at]
            if text == "}" or text[:1] == "^":
                break
            op = parse()
            append_operation(block, last, op)
            last = op

    # --- the top level ---------------------------------------------------------------------
    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """All of the text. A single module is the module; else one is put around what there is."""
        ops = self._parse_top_level()
        if len(ops) == 1 and isinstance(ops[0], ModuleOp):
            return ops[0]
        module = ModuleOp(ops)
        place = map(IntAttr, self.source.start())
        module.location = FileLineColLoc(StringAttr(self.source.filename), *place)
        return module

    def _parse_top_level(self) -> list[Operation]:
        ops: list[Operation] = []
        while True:
            text = self._texts[self._at]
            if not text:
                break
            if text[0] in "#!":
                self._parse_alias_def()
            elif text == "{-#":
                from xgpu.core.syntax.resources import read_metadata

                read_metadata(self)
            else:
                ops.append(self.parse_operation())
        self._finish()
        return ops

    def _finish(self) -> None:
        """After the last token: nothing may be waiting for a definition."""
        if self._unresolved:
            raise DiagnosticError(
                *(
                    Diagnostic(
                        "error",
                        "use of undeclared SSA value name",
                        SourceLoc(self.source, value.position),
                    )
                    for value in sorted(self._unresolved, key=lambda value: value.position)
                )
            )
        for value in self._forward:
            if value.first_use is not None:
                raise value.unlinked()
        self._check_blocks()
        aliases = self.attribute_aliases
        for alias, stand_in in self._stand_ins.items():
            if alias not in aliases:
                raise self.error_at(stand_in.position, "operation location alias was never defined")
        for carrier in self._located:
            carrier.location = _resolved(carrier.location, aliases)

    def _parse_alias_def(self) -> None:
        """`#name = attribute` or `!name = type`"""
        text = self._text
        position = self.pos
        is_type = text[0] == "!"
        what = "type" if is_type else "attribute"
        if text in self.attribute_aliases:
            self.fail(f"redefinition of {what} alias id '{text[1:]}'")
        if "." in text:
            self.fail(f"{what} names with a '.' are reserved for dialect-defined names")
        self._at += 1
        if self._texts[self._at] != "=":
            self.expected(f"expected '=' in {what} alias definition")
        self._at += 1
        value: Attribute = self.parse_type() if is_type else self.parse_attribute()
        del position
        self.attribute_aliases[text] = value


def _resolved(location: LocationAttr, aliases: dict[str, Attribute]) -> LocationAttr:
    """`location`, or what the alias turned out to be for which it stands."""
    if not isinstance(location, StandInLoc):
        return location
    found = aliases[location.alias]
    if is_location(found):
        return found
    message = f"expected location, but found '{shown(found)}'"
    raise DiagnosticError(Diagnostic("error", message, location))
