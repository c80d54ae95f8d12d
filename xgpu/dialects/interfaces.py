# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What MLIR's op interfaces verify of several dialects' operations, and the types of tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Never, cast

from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.errors import op_error, shown
from xgpu.core.ods.registry import hooks

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType

    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer


# -- Types of what the tables in a dialect's modules hold, for annotations; of patterns see
# `xgpu.core.rewriting.greedy`.
#
# A function in a table takes operations of its own class and no others. `Never` says so: of a
# table one cannot know which operation a function may be called with; what asks by the
# operation's name does.


#: The constants that the operands of an operation are, None where an operand is none.
Constants = list[Attribute | None]
#: Values or constants of the results, True if the operation was changed in place, or None.
Folded = Sequence[SSAValue | Attribute] | bool | None
#: A fold of an operation, from the operation and the constants that its operands are.
Folder = Callable[[Never, Constants], Folded]
#: A check of an operation or of its regions; raises DiagnosticError.
Verifier = Callable[[Never], None]
#: What reads an operation behind its name, and what prints that.
ParseHook = Callable[["Parser"], Operation]
PrintHook = Callable[[Never, "Printer"], None]


# -- Casts: what MLIR's CastOpInterface verifies.


def cast_verifier(compatible: Callable[[Attribute, Attribute], bool]) -> Verifier:
    """A verifier that takes casts between types for which `compatible(source, target)` holds."""

    def verify(op: Operation) -> None:
        source, target = op.operands[0].type, op.results[0].type
        if not compatible(source, target):
            raise incompatible(op, source, target)

    return verify


def incompatible(op: Operation, source: Attribute, target: Attribute) -> Exception:
    """The error of a cast that cannot be."""
    return op_error(
        op,
        f"operand type '{shown(source)}' and result type '{shown(target)}' are cast incompatible",
    )


# -- Control flow between an operation and its regions (MLIR's RegionBranchOpInterface).
#
# An edge says which values go where: from the operation into a region, from a region's end into
# another region, or back to the operation as its results.


class Edge:
    """`source` and `target` in the words of MLIR's messages; the values and what takes them."""

    __slots__ = ("inputs", "operands", "source", "target", "terminator")

    def __init__(
        self,
        source: str,
        target: str,
        operands: Sequence[SSAValue],
        inputs: Sequence[SSAValue],
        terminator: Operation | None = None,
    ) -> None:
        #: The terminator that the edge leaves, None for the operation itself.
        self.terminator = terminator
        self.source = source
        self.target = target
        self.operands = operands
        self.inputs = inputs


def into(
    op: Operation, index: int, operands: Sequence[SSAValue], inputs: Sequence[SSAValue]
) -> Edge:
    """From the operation into its region `index`."""
    return Edge("parent", f"Region #{index}", operands, inputs)


def between(
    terminator: Operation,
    index: int,
    operands: Sequence[SSAValue],
    inputs: Sequence[SSAValue],
) -> Edge:
    """From a terminator into a region."""
    source = f"Operation {terminator.name}"
    return Edge(source, f"Region #{index}", operands, inputs, terminator)


def back(
    terminator: Operation,
    operands: Sequence[SSAValue],
    results: Sequence[SSAValue],
) -> Edge:
    """From a terminator to the results of the operation."""
    return Edge(f"Operation {terminator.name}", "parent", operands, results, terminator)


def verify_edges(
    op: Operation,
    edges: Sequence[Edge],
    compatible: Callable[[Attribute, Attribute], bool] | None = None,
) -> None:
    """Counts and types agree along each edge; `compatible` says which types agree, if not equal."""
    for edge in edges:
        at = op if edge.terminator is None else edge.terminator
        notes = [(at.location, "region branch point")]
        words = f"along control flow edge from {edge.source} to {edge.target}: "
        if len(edge.operands) != len(edge.inputs):
            raise op_error(
                op,
                f"{words}region branch point has {len(edge.operands)} operands, but region "
                f"successor needs {len(edge.inputs)} inputs",
                notes,
            )
        for index, (given, taken) in enumerate(zip(edge.operands, edge.inputs, strict=True)):
            if given.type != taken.type and not (
                compatible is not None and compatible(given.type, taken.type)
            ):
                raise op_error(
                    op,
                    f"{words}successor operand type #{index} '{shown(given.type)}' should match "
                    f"successor input type #{index} '{shown(taken.type)}'",
                    notes,
                )


def yields(op: Operation, index: int, name: str) -> list[Operation]:
    """The terminators `name` of the region `index`, one a block at most."""
    found = []
    for block in op.regions[index].blocks:
        last = block.last_op
        if last is not None and last.name == name:
            found.append(last)
    return found


# -- Branches (MLIR's BranchOpInterface).


def verify_segments(op: Operation, segments: int) -> None:
    """Each case of a switch says how many operands it has."""
    cases = len(op.successors) - 1
    if segments != cases:
        raise op_error(
            op,
            f"number of case operand segments ({segments}) should match number of case "
            f"destinations ({cases})",
        )


# -- What every function operation must hold (MLIR's FunctionOpInterface).


def verify_function(op: Operation) -> None:
    """Argument and result attributes, and the entry block's arguments, agree with the type."""
    kind = cast("FunctionType", op.properties["function_type"])
    inputs, outputs = kind.inputs.data, kind.outputs.data
    verify_attributes(op, inputs, outputs)
    entry = op.regions[0].first_block
    if entry is None:
        return
    if len(entry.args) != len(inputs):
        raise op_error(
            op,
            f"entry block must have {len(inputs)} arguments to match function signature",
        )
    for index, (argument, wanted) in enumerate(zip(entry.args, inputs, strict=True)):
        if argument.type != wanted:
            raise op_error(
                op,
                f"type of entry block argument #{index}('{shown(argument.type)}') must match the "
                f"type of the corresponding argument in function signature('{shown(wanted)}')",
            )


def verify_attributes(
    op: Operation, inputs: Sequence[Attribute], outputs: Sequence[Attribute]
) -> None:
    """The attributes of arguments and results of a function of these types."""
    _verify_attributes(op, "arg_attrs", "argument", inputs)
    _verify_attributes(op, "res_attrs", "result", outputs)


def _verify_attributes(op: Operation, name: str, what: str, types: Sequence[Attribute]) -> None:
    attributes = cast("ArrayAttr[DictionaryAttr] | None", op.properties.get(name))
    if attributes is None:
        return
    if len(attributes.data) != len(types):
        raise op_error(
            op,
            f"expects {what} attribute array to have the same number of elements as the number "
            f"of function {what}s, got {len(attributes.data)}, but expected {len(types)}",
        )
    for t, dictionary in zip(types, attributes.data, strict=True):
        for key, value in dictionary.data.items():
            if "." not in key:
                raise op_error(op, f"{what}s may only have dialect attributes")
            if key.startswith("llvm."):
                hooks("llvm", "ops", "VERIFY_SIGNATURES")[what](op, t, key, value)
