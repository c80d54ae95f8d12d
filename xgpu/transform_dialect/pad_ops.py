# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.structured.pad: structured operations on padded operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr, IntegerType, StringAttr

from xgpu.core.ir.inherent import attribute_of
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import DYNAMIC
from xgpu.transform_dialect.failures import definite, silenceable
from xgpu.transform_dialect.interpreter import Results, flag
from xgpu.transform_dialect.sizes import mixed_integers
from xgpu.transform_dialect.tracking import TrackingRewriter
from xgpu.transforms.linalg.padding import MATERIALIZE, NONE, PaddingOptions, pad
from xgpu.transforms.linalg.vectorization.whole import size_at

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Attribute, Operation

    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.syntax.table_context import TableContext
    from xgpu.transform_dialect.state import State


def _items(op: Operation, name: str) -> list[Attribute]:
    attr = cast("ArrayAttr[Attribute] | None", attribute_of(op, name))
    return [] if attr is None else list(attr.data)


def _integers(op: Operation, name: str) -> list[int]:
    return [cast("IntegerAttr[IntegerType]", item).value.data for item in _items(op, name)]


def _values(op: Operation, target: Operation, ctx: Context) -> list[Attribute]:
    """The padding values, of the types of the operands' elements."""
    from xgpu.core.syntax.printer import attribute_text

    found: list[Attribute] = []
    for attr, operand in zip(_items(op, "padding_values"), target.operands, strict=False):
        element = ops.scalar_type(operand)
        note = [(target.location, "when applied to this op")]
        if isinstance(attr, StringAttr):
            parsed = _parsed(ctx, attr.data, element)
            if parsed is None:
                text = f"expects a padding that parses to '{attribute_text(element)}', got "
                text += attribute_text(attr)
                raise definite(op, f"'{op.name}' op {text}", note)
            found.append(parsed)
            continue
        if not isinstance(attr, IntegerAttr | FloatAttr):
            raise definite(op, f"'{op.name}' op expects padding values to be typed attributes")
        if attr.type != element:
            text = f"expects a padding value of type '{attribute_text(element)}', got "
            text += attribute_text(attr)
            raise definite(op, f"'{op.name}' op {text}", note)
        found.append(attr)
    return found


def _parsed(ctx: Context, text: str, element: Attribute) -> Attribute | None:
    """The attribute that `text` is as a value of the type `element`."""
    from xdsl.utils.exceptions import ParseError

    from xgpu.core.ir.errors import DiagnosticError
    from xgpu.core.ir.source import Source
    from xgpu.core.syntax.parser import Parser

    try:
        attr = Parser(cast("TableContext", ctx), Source(text, "padding")).parse_attribute(element)
    except (DiagnosticError, ParseError):
        return None
    ty = getattr(attr, "type", None)
    return attr if ty == element or attr.name == "array" else None


def pad_targets(op: Operation, state: State) -> Results:
    padded: list[Operation] = []
    pads: list[Operation] = []
    copies: list[Operation] = []
    for target in state.ops(op.operands[0]):
        note = [(target.location, "target op")]
        if not ops.is_structured(target):
            raise silenceable(op, "expected LinalgOp target", note)
        rw = TrackingRewriter(state, target)
        options = _options(op, target, state, rw)
        made = pad(rw, target, options)
        if made is None:
            failure = silenceable(op, "failed to pad op", note)
            raise failure.as_error() if options.prescribed else failure
        rw.replace(target, made.values)
        padded.append(made.op)
        pads += made.pads
        if options.copy_back != NONE:
            copies += dict.fromkeys(cast("Operation", value.owner) for value in made.values)
    return [padded, pads, copies]


def _options(
    op: Operation, target: Operation, state: State, rw: TrackingRewriter
) -> PaddingOptions:
    back = cast("StringAttr | None", attribute_of(op, "copy_back_op"))
    options = PaddingOptions(
        _values(op, target, state.ctx),
        _integers(op, "padding_dimensions"),
        nofold=[bool(number) for number in _integers(op, "nofold_flags")],
        copy_back=MATERIALIZE if back is None else back.data,
    )
    handles = cast("OdsOperation", op).operand_group(1)
    multiples = mixed_integers(op, state, "static_pad_to_multiple_of", handles)
    options.multiples = multiples or [1] * len(options.dimensions)
    transposed = cast("list[ArrayAttr[Attribute]]", _items(op, "transpose_paddings"))
    if any(item.data for item in transposed):
        raise definite(op, "transposed paddings are not supported by xgpu")
    on_tensors = all(v.type.name != "memref" for v in target.operands)
    if flag(op, "use_prescribed_tensor_shapes") and on_tensors:
        for number, operand in enumerate(target.operands):
            for dim, size in enumerate(ops.shape_of(operand) or ()):
                if size == DYNAMIC:
                    options.prescribed[number, dim] = size_at(rw, operand, dim)
    return options


OPS = {"transform.structured.pad": pad_targets}
