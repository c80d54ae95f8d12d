# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The printer: IR to MLIR 22.1 text as mlir-opt writes it.

It is an xDSL `Printer`, so that hooks written against xDSL's interface run on it. Output is a list
of pieces, joined at the end. Aliases (`#map`, `#loc1`) get their numbers only when everything was
seen; until then a piece holds `\\0n\\0` for the n-th aliased attribute (text never holds a zero
byte: strings are escaped), so one walk is enough where mlir-opt needs two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xdsl.dialects.builtin import FunctionType, UnitAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.printer import Printer as XdslPrinter

from xgpu.core.ir.construction import (
    arguments_of,
    first_operation,
    last_operation,
    next_block,
    operands_of,
    operations_of,
    successors_of,
    value_type,
)
from xgpu.core.ir.errors import public_part, require_operation
from xgpu.core.ir.op_info import may_be_terminator, traits_of
from xgpu.core.ods.registry import is_ours
from xgpu.core.syntax.aliases import Aliases
from xgpu.core.syntax.attribute_printer import AttributePrinter, is_bare_identifier
from xgpu.core.syntax.builtin_attributes import escape
from xgpu.core.syntax.names import Names
from xgpu.core.syntax.table_context import DEFAULT_DIALECTS


class Printer(AttributePrinter):
    """Prints operations, regions, attributes into `pieces`."""

    def __init__(
        self,
        *,
        generic: bool = False,
        debuginfo: bool = False,
        pretty_locations: bool = False,
        local_scope: bool = False,
        elide_elements: int | None = None,
        elide_resources: int | None = None,
        keep_names: bool = False,
        skip_regions: bool = False,
    ) -> None:
        XdslPrinter.__init__(self)
        self.skip_regions = skip_regions
        self.print_generic_format = generic
        self.print_debuginfo = debuginfo
        self.pretty_locations = pretty_locations
        self.pieces: list[str] = []
        self.aliases = Aliases(enabled=not local_scope)
        self.elide_elements = elide_elements
        self.elide_resources = elide_resources
        self.keep_names = keep_names
        self.resource_keys: dict[str, None] = {}
        self._names: dict[int, str] = {}
        self._numbered = False
        self._block_labels: dict[int, str] = {}
        self._groups: dict[int, list[int]] = {}
        self._texts: dict[int, tuple[Attribute, str]] = {}
        self._default_dialects = ["builtin"]
        self._custom: dict[type, bool] = {}
        self._quoted: dict[type, str] = {}
        self._line = "\n"
        self._location_depth = 0

    def text(self) -> str:
        """What was printed, aliases resolved (without their definitions)."""
        return self.aliases.resolve("".join(self.pieces))

    # --- values and blocks -----------------------------------------------------------------
    def number(self, op: Operation) -> None:
        """Names all values and blocks in `op` and the results of `op`."""
        self._numbered = True
        names = Names(self.print_generic_format, self.keep_names)
        names.number(op)
        self._names = names.values
        self._block_labels = names.blocks
        self._groups = names.groups

    def print_ssa_value(self, value: SSAValue) -> str:
        name = self._names.get(id(value), "<<UNKNOWN SSA VALUE>>")
        self.pieces.append(name)
        return name[1:]

    def print_operand(self, operand: SSAValue) -> None:
        self.pieces.append(self._names.get(id(operand), "<<UNKNOWN SSA VALUE>>"))

    def print_operands(self, operands: Sequence[SSAValue]) -> None:
        names = self._names
        unknown = "<<UNKNOWN SSA VALUE>>"
        self.pieces.append(
            "(" + ", ".join([names.get(id(operand), unknown) for operand in operands]) + ")"
        )

    def print_block_name(self, block: Block) -> str:
        name = self._block_labels.get(id(block), "^INVALIDBLOCK")
        self.pieces.append(name)
        return name[1:]

    def print_successors(self, successors: Sequence[Block]) -> None:
        if successors:
            self.pieces.append("[")
            self.print_list(successors, self.print_block_name)
            self.pieces.append("]")

    def _print_results(self, op: Operation) -> None:
        results = op.results
        count = len(results)
        if not count:
            return
        names = self._names
        if count == 1:
            (only,) = results
            self.pieces.append(names[id(only)] + " = ")
            return
        groups = self._groups.get(id(op))
        if groups is None:
            self.pieces.append(f"{names[id(results[0])][:-2]}:{count} = ")
            return
        parts: list[str] = []
        for at, start in enumerate(groups):
            size = (groups[at + 1] if at + 1 < len(groups) else count) - start
            name = names[id(results[start])]
            parts.append(f"{name[:-2]}:{size}" if size > 1 else name)
        self.pieces.append(", ".join(parts) + " = ")

    # --- operations ------------------------------------------------------------------------
    def print_op(self, op: Operation) -> None:
        if not self._numbered:
            self.number(_outermost(op))
        location = self._location_text(op.location) if self.print_debuginfo else ""
        self._print_results(op)
        cls = op.__class__
        custom = self._custom.get(cls)
        if custom is None:
            custom = self._custom[cls] = not self.print_generic_format and _has_custom_form(cls)
        if custom:
            self._print_custom(op)
        else:
            self.print_op_with_default_format(op)
        if location:
            self.pieces.append(" " + location)

    def _print_custom(self, op: Operation) -> None:
        name = op.name
        dialect = self._default_dialects[-1]
        if dialect and name.startswith(dialect + ".") and name.count(".") == 1:
            self.pieces.append(name[len(dialect) + 1 :])
        else:
            self.pieces.append(name)
        op.print(self)

    def print_op_with_default_format(self, op: Operation) -> None:
        """`"name"(operands)[successors] <{properties}> (regions) {attributes} : type`"""
        quoted = self._quoted.get(op.__class__)
        if quoted is None:
            quoted = self._quoted[op.__class__] = f'"{escape(op.name)}"'
        self.pieces.append(quoted)
        self.print_operands(operands_of(op))
        self.print_successors(successors_of(op))
        # MLIR looks for aliases in this order: regions, types, attributes.
        regions = self._regions_text(op.regions) if op.regions else ""
        text = self._attribute_text
        inputs = ", ".join([text(value_type(operand)) for operand in operands_of(op)])
        outputs = self._result_types_text([value_type(result) for result in op.results])
        properties, attributes = op.properties, op.attributes
        if "sym_visibility" in attributes and op.name == "builtin.module":
            # It is a property, which xDSL's class does not have.
            attributes = dict(attributes)
            properties = {**properties, "sym_visibility": attributes.pop("sym_visibility")}
        if properties:
            if attributes:
                for _, value in sorted({**properties, **attributes}.items()):
                    text(value)
            self.pieces.append(f" <{self._dictionary_text(properties)}>")
        self.pieces.append(regions)
        if attributes:
            self.pieces.append(" " + self._dictionary_text(attributes))
        self.pieces.append(f" : ({inputs}) -> {outputs}")

    def _regions_text(self, regions: Sequence[Region]) -> str:
        """` (region, region)`"""
        outer, self.pieces = self.pieces, [" ("]
        for at, region in enumerate(regions):
            if at:
                self.pieces.append(", ")
            self.print_region(region)
        self.pieces.append(")")
        text = "".join(self.pieces)
        self.pieces = outer
        return text

    def _print_op_properties(self, properties: Mapping[str, Attribute]) -> None:
        if properties:
            self.pieces.append(" <")
            self.print_attr_dict(properties)
            self.pieces.append(">")

    def print_operation_type(self, op: Operation) -> None:
        self.print_function_type(op.operand_types, op.result_types)

    def print_function_type(
        self, input_types: Iterable[Attribute], output_types: Iterable[Attribute]
    ) -> None:
        text = self._attribute_text
        self.pieces.append("(" + ", ".join([text(ty) for ty in input_types]) + ") -> ")
        self.pieces.append(self._result_types_text(list(output_types)))

    def _result_types_text(self, types: list[Attribute]) -> str:
        text = self._attribute_text
        if len(types) == 1:
            only = text(types[0])
            return f"({only})" if _is_function(types[0]) else only
        return "(" + ", ".join([text(ty) for ty in types]) + ")"

    # --- attribute dictionaries ------------------------------------------------------------
    def print_attr_dict(self, attr_dict: Mapping[str, Attribute]) -> None:
        self.pieces.append(self._dictionary_text(attr_dict))

    def _dictionary_text(self, entries: Mapping[str, Attribute]) -> str:
        if len(entries) > 1:
            items = sorted(entries.items())
        else:
            items = entries.items()
        parts: list[str] = []
        for key, value in items:
            if not is_bare_identifier(key):
                key = f'"{escape(key)}"'
            if value.__class__ is UnitAttr:
                parts.append(key)
            else:
                parts.append(f"{key} = {self._attribute_text(value)}")
        return "{" + ", ".join(parts) + "}"

    def print_op_attributes(
        self,
        attributes: Mapping[str, Attribute],
        *,
        reserved_attr_names: Iterable[str] = (),
        print_keyword: bool = False,
    ) -> bool:
        if not attributes:
            return False
        if reserved_attr_names:
            reserved = frozenset(reserved_attr_names)
            attributes = {k: v for k, v in attributes.items() if k not in reserved}
            if not attributes:
                return False
        self.pieces.append(" attributes " if print_keyword else " ")
        self.print_attr_dict(attributes)
        return True

    # --- regions and blocks ----------------------------------------------------------------
    def print_regions(self, regions: Sequence[Region]) -> None:
        if regions:
            self.pieces.append(" (")
            self.print_list(regions, self.print_region)
            self.pieces.append(")")

    def print_region(
        self,
        region: Region,
        print_entry_block_args: bool = True,
        print_empty_block: bool = True,
        print_block_terminators: bool = True,
    ) -> None:
        if self.skip_regions:
            self.pieces.append("{...}")
            return
        parent = region.parent
        self.pieces.append("{")
        entry = region.blocks.first
        if entry is not None:
            dialect = DEFAULT_DIALECTS.get(parent.name, "") if parent is not None else ""
            self._default_dialects.append(dialect)
            header = (print_empty_block and first_operation(entry) is None) or (
                print_entry_block_args and bool(arguments_of(entry))
            )
            self.print_block(entry, header, print_block_terminators)
            block = next_block(entry)
            while block is not None:
                self.print_block(block)
                block = next_block(block)
            self._default_dialects.pop()
        self.pieces.append(self._line + "}")

    def print_block(
        self, block: Block, print_block_args: bool = True, print_block_terminator: bool = True
    ) -> None:
        pieces = self.pieces
        line = self._line
        if print_block_args:
            pieces.append(line)
            self._print_block_header(block)
        inner = self._line = line + "  "
        last = None
        if not print_block_terminator:
            end = last_operation(block)
            last = end if end is not None and may_be_terminator(end) else None
        for op in operations_of(block):
            if op is last:
                break
            pieces.append(inner)
            self.print_op(op)
        self._line = line

    def _print_block_header(self, block: Block) -> None:
        pieces = self.pieces
        self.print_block_name(block)
        if arguments_of(block):
            pieces.append("(")
            self.print_list(arguments_of(block), self.print_block_argument)
            pieces.append(")")
        pieces.append(":")
        labels = self._block_labels
        preds = [label for p in block.predecessors() if (label := labels.get(id(p)))]
        if not preds:
            if block.parent is not None and block.parent.blocks.first is not block:
                pieces.append("  // no predecessors")
        elif len(preds) == 1:
            pieces.append(f"  // pred: {preds[0]}")
        else:
            preds.sort(key=lambda label: (len(label), label))
            pieces.append(f"  // {len(preds)} preds: {', '.join(preds)}")

    def print_block_argument(self, arg: BlockArgument, print_type: bool = True) -> None:
        self.print_ssa_value(arg)
        if print_type:
            self.pieces.append(": " + self._attribute_text(value_type(arg)))
        if self.print_debuginfo:
            self.pieces.append(" ")
            self.print_argument_location(arg.location)

    def enter_scope(self) -> None: ...

    def exit_scope(self) -> None: ...


def _has_custom_form(cls: type[Operation]) -> bool:
    has = getattr(cls, "has_custom_form", None)
    if has is not None:
        return bool(has()) if callable(has) else bool(has)
    return cls.print is not Operation.print


def _is_function(ty: Attribute) -> bool:
    return ty.__class__ is FunctionType


def _outermost(op: Operation) -> Operation:
    while (parent := op.parent_op()) is not None:
        op = parent
    return op


def _scope(op: Operation) -> Operation:
    """What is isolated from above and has `op` in it, or is `op`."""
    while "IsolatedFromAbove" not in traits_of(op.name):
        parent = op.parent_op()
        if parent is None:
            return op
        op = parent
    return op


def attribute_text(attribute: Attribute) -> str:
    """An attribute or type as text, without aliases."""
    printer = Printer(local_scope=True)
    printer.print_attribute(attribute)
    return printer.text()


@public_part
def print_module(
    op: Operation,
    *,
    generic: bool = False,
    debuginfo: bool = False,
    pretty_locations: bool = False,
    local_scope: bool = False,
    elide_elements: int | None = None,
    elide_resources: int | None = None,
    keep_names: bool = False,
    resources: dict[str, dict[str, dict[str, object]]] | None = None,
) -> str:
    """A module as mlir-opt prints it, with alias definitions and a newline at the end."""
    require_operation(op)
    if not is_ours(op):
        from xgpu.core.syntax.interop import adopted

        op = adopted(op)
    printer = Printer(
        generic=generic,
        debuginfo=debuginfo,
        pretty_locations=pretty_locations,
        local_scope=local_scope,
        elide_elements=elide_elements,
        elide_resources=elide_resources,
        keep_names=keep_names,
    )
    printer.number(op)
    printer.print_op(op)
    body = "".join(printer.pieces) + "\n"
    metadata = ""
    if resources is None and not local_scope:  # an operation that is printed for itself has none
        resources = getattr(op, "xgpu_resources", None)
    if resources:
        from xgpu.core.syntax.resources import metadata_text

        metadata = metadata_text(resources, printer)
    before, body, after = printer.aliases.finish(body)
    return before + body + after + metadata


def print_op(
    op: Operation,
    *,
    generic: bool = False,
    debuginfo: bool = False,
    local_scope: bool = True,
    skip_regions: bool = False,
    elide_elements: int | None = None,
) -> str:
    """One operation with names as in the whole that it is part of, or with `local_scope` as in what
    is isolated from above around it; without alias definitions.

    With `skip_regions` what is inside of it is `{...}`; of dense constants of more than
    `elide_elements` elements no more than the type is shown.
    """
    printer = Printer(
        generic=generic,
        debuginfo=debuginfo,
        local_scope=local_scope,
        skip_regions=skip_regions,
        elide_elements=elide_elements,
    )
    printer.number(_scope(op) if local_scope else _outermost(op))
    printer.print_op(op)
    return printer.text()
