# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Handles of the transform dialect: their kinds, and what its operations do to them.

Traits say for most operations which operands they consume; the others are listed here. An operation
with a body consumes what its body does with the block argument that stands for the operand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, SymbolRefAttr
from xdsl.ir import Attribute, Block, Operation

from xgpu.core.ir.effects import Effect
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.symbols import body_operations, is_symbol_table, symbol_name
from xgpu.core.ods.registry import operation_names

# -- Kinds of handles: what a type of the transform dialect stands for.


_KINDS = {
    "transform.any_op": "op",
    "transform.op": "op",
    "transform.any_value": "value",
    "transform.any_param": "param",
    "transform.param": "param",
    "transform.affine_map": "param",
    "transform.type": "param",
}


def kind_of(ty: Attribute) -> str:
    """ "op", "value" or "param"; "" for a type that is no handle."""
    return _KINDS.get(ty.name, "")


#: Operations without a trait that says so, that consume all their operands.
_CONSUMING = frozenset(
    (
        "transform.apply_registered_pass",
        "transform.nvgpu.create_async_groups",
        "transform.structured.bufferize_to_allocation",
        "transform.structured.vectorize_children_and_apply_patterns",
        "transform.alternatives",
    )
)


#: Operations that consume their first operand and read the others.
_CONSUMING_FIRST = frozenset(
    (
        "transform.affine.simplify_bounded_affine_ops",
        "transform.affine.simplify_min_max_affine_ops",
        "transform.func.deduplicate_func_args",
        "transform.func.replace_func_signature",
        "transform.loop.promote_if_one_iteration",
        "transform.memref.alloca_to_global",
        "transform.structured.fuse",
        "transform.structured.fuse_into_containing_op",
        "transform.structured.pack",
        "transform.structured.pack_greedily",
        "transform.structured.split",
        "transform.structured.tile_using_for",
        "transform.structured.tile_using_forall",
        "transform.structured.vectorize",
    )
)


#: Has the trait of consuming operations, and effects of its own that say otherwise.
_KEEPING = frozenset(("transform.split_handle",))


def consumed_operands(op: Operation) -> list[int]:
    """The indices of the operands that `op` consumes."""
    name = op.name
    count = len(op.operands)
    if name in ("transform.sequence", "transform.foreach"):
        block = op.regions[0].first_block
        return [i for i in range(count) if block is not None and consumes_argument(block, i)]
    if name == "transform.include":
        callee = resolve(op, op.properties["target"])
        return [] if callee is None else [i for i in range(count) if is_consumed(callee, i)]
    if name == "transform.apply_conversion_patterns":
        kept = "preserve_handles" in op.properties or "preserve_handles" in op.attributes
        return [] if kept else [0]
    if name == "transform.foreach_match":
        return [0]
    if name in _KEEPING:
        return []
    if name in _CONSUMING_FIRST:
        return [0]
    if name in _CONSUMING or "FunctionalStyleTransformOpTrait" in traits_of(name):
        return [i for i in range(count) if not _is_parameter(op.operands[i].type)]
    return []


def _is_parameter(ty: Attribute) -> bool:
    return ty.name in ("transform.param", "transform.any_param", "transform.affine_map")


def consumes_argument(block: Block, index: int) -> bool:
    """Whether an operation of `block` consumes its argument number `index`."""
    if index >= len(block.args):
        return False
    for use in block.args[index].uses:
        if use.operation.parent is block and use.index in consumed_operands(use.operation):
            return True
    return False


def is_consumed(sequence: Operation, index: int) -> bool:
    """Whether the named sequence says that it consumes its argument number `index`."""
    attrs = cast("ArrayAttr | None", sequence.properties.get("arg_attrs"))
    if attrs is not None and index < len(attrs.data):
        names = cast("DictionaryAttr", attrs.data[index]).data
        if "transform.consumed" in names:
            return True
        if "transform.readonly" in names:
            return False
    block = sequence.regions[0].first_block
    return block is not None and consumes_argument(block, index)


def resolve(op: Operation, symbol: Attribute) -> Operation | None:
    """The operation that `symbol` names, looked up from `op` outwards."""
    assert isinstance(symbol, SymbolRefAttr)
    path = [symbol.root_reference.data, *(n.data for n in symbol.nested_references.data)]
    table = op.parent_op()
    while table is not None:
        if is_symbol_table(table):
            found: Operation | None = table
            for name in path:
                found = next((o for o in body_operations(found) if symbol_name(o) == name), None)
                if found is None:
                    break
            if found is not None:
                return found
        table = table.parent_op()
    return None


# -- Effects that ODS leaves to C++: what only looks at handles and payload and makes new handles
# can go where these are not used.


#: Traits whose operations read the handles that they take.
_READING_TRAITS = frozenset(
    (
        "AtMostOneOpMatcher",
        "NavigationTransformOpTrait",
        "ParamProducerTransformOpTrait",
        "SingleOpMatcher",
        "SingleValueMatcher",
    )
)
#: Operations without such a trait that do as well.
_READING = frozenset(
    (
        "transform.cast",
        "transform.get_type",
        "transform.match.param.cmpi",
        "transform.merge_handles",
        "transform.replicate",
        "transform.split_handle",
        "transform.verify",
    )
)


def _reads(op: Operation) -> list[Effect]:
    """Handles and payload are read, handles are made."""
    made = [Effect(kind, value) for value in op.results for kind in ("allocate", "write")]
    return [*(Effect("read", value) for value in op.operands), *made, Effect("read", None)]


EFFECTS: dict[str, Callable[[Operation], list[Effect]]] = {
    name: _reads
    for name in operation_names("transform")
    if name in _READING or not _READING_TRAITS.isdisjoint(traits_of(name))
}
