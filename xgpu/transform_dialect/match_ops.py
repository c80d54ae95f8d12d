# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations that succeed if the payload fits, and transform.structured.match."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr, IntegerType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core.ir.op_info import attribute_of, traits_of
from xgpu.dialects.affine.index_math import bit_width
from xgpu.dialects.linalg import ops
from xgpu.dialects.linalg.ops import is_contraction_body
from xgpu.dialects.transform.ops import kind_of
from xgpu.transform_dialect.interpreter import Results, apply, flag, integer, suppresses
from xgpu.transform_dialect.state import SilenceableError, definite, silenceable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, StringAttr
    from xdsl.ir import Attribute, Block

    from xgpu.dialects import linalg, transform
    from xgpu.transform_dialect.state import State


# --- match ops -----------------------------------------------------------------------------------
# Transform operations that succeed if the payload is as they say.


_PREDICATES = {
    0: ("equal to", lambda a, b: a == b),
    1: ("not equal to", lambda a, b: a != b),
    2: ("less than", lambda a, b: a < b),
    3: ("less than or equal to", lambda a, b: a <= b),
    4: ("greater than", lambda a, b: a > b),
    5: ("greater than or equal to", lambda a, b: a >= b),
}


def _single(op: Operation, state: State) -> Operation:
    targets = state.ops(op.operands[0])
    if len(targets) != 1:
        raise definite(
            op,
            f"SingleOpMatchOpTrait requires the operand handle to point to a single payload op, "
            f"got {len(targets)}",
        )
    return targets[0]


def operation_name(op: Operation, state: State) -> Results:
    names = cast("ArrayAttr[StringAttr]", op.properties["op_names"])
    target = _single(op, state)
    if not any(name.data == target.name for name in names.data):
        raise silenceable(op, "wrong operation name")
    return []


def operation_empty(op: Operation, state: State) -> Results:
    if state.ops(op.operands[0]):
        raise silenceable(op, "operation is not empty")
    return []


def param_cmpi(op: Operation, state: State) -> Results:
    """Compares each parameter with the reference beside it."""
    params = state.payload(op.operands[0])
    references = state.payload(op.operands[1])
    if len(params) != len(references):
        raise silenceable(
            op,
            f"parameters have different payload lengths ({len(params)} vs {len(references)})",
        )
    predicate = cast("IntegerAttr", op.properties["predicate"])
    words, compare = _PREDICATES[predicate.value.data]
    for position, (param, reference) in enumerate(zip(params, references, strict=True)):
        if not compare(param.value.data, reference.value.data):
            raise silenceable(
                op,
                f"expected parameter to be {words} {reference.value.data}, got {param.value.data}",
                [
                    (
                        op.operands[0].owner.location,
                        f"value # {position} associated with the parameter defined here",
                    )
                ]
                if isinstance(op.operands[0].owner, Operation)
                else (),
            )
    return []


# --- match structured ----------------------------------------------------------------------------
# transform.match.structured and what stands in its body: questions about structured operations.


_PARAM = IntegerType(64)


def match(op: Operation, state: State) -> Results:
    """Runs the body on a structured operation; what does not fit is a silenceable failure."""
    target = _single(op, state)
    block = op.regions[0].first_block
    assert block is not None
    suppress = suppresses(op)
    if not ops.is_structured(target):
        if suppress:
            return [[] for _ in op.results]
        raise silenceable(op, "expected a Linalg op")
    state.set(block.args[0], [target])
    for inner in block.ops:
        if inner.name == "transform.match.structured.yield":
            return [state.payload(v) for v in inner.operands]
        try:
            apply(inner, state)
        except SilenceableError:
            if suppress:
                return [[] for _ in op.results]
            raise
    return [[] for _ in op.results]


def _positions(op: Operation, name: str, count: int) -> list[int]:
    """What `[0, -1]`, `[except(...)]` or `[all]` selects among `count`."""
    if flag(op, "is_all"):
        return list(range(count))
    attr = cast("DenseArrayBase[IntegerType]", op.properties[name])
    chosen: list[int] = []
    for value in attr.get_values():
        position = value + count if value < 0 else value
        if not 0 <= position < count:
            raise silenceable(
                op, f"position overflow {position} (updated from {value}) for maximum {count}"
            )
        chosen.append(position)
    if flag(op, "is_inverted"):
        return [i for i in range(count) if i not in chosen]
    return chosen


def _numbers(values: Iterable[int]) -> list[IntegerAttr]:
    return [IntegerAttr(value, _PARAM) for value in values]


def _counts(what: str) -> Callable[[Operation, State], Results]:
    def count(op: Operation, state: State) -> Results:
        target = _single(op, state)
        values = ops.inputs(target) if what == "inputs" else ops.outputs(target)
        return [_numbers([len(values)])]

    return count


def rank(op: Operation, state: State) -> Results:
    return [_numbers([len(ops.iterator_types(_single(op, state)))])]


def _loop_sizes(target: Operation) -> list[int]:
    """The size of each loop that a shape tells; MLIR's number for a dynamic one elsewhere."""
    found: dict[int, int] = {}
    for operand, map_ in zip(target.operands, ops.indexing_maps(target), strict=True):
        for size, result in zip(ops.shape_of(operand) or (), map_.results, strict=False):
            if isinstance(result, AffineDimExpr):
                found.setdefault(result.position, size if size >= 0 else -(1 << 63))
    count = len(ops.iterator_types(target))
    return [found.get(i, -(1 << 63)) for i in range(count)]


def dim(op: Operation, state: State) -> Results:
    target = _single(op, state)
    kinds = ops.iterator_types(target)
    chosen = _positions(op, "raw_dim_list", len(kinds))
    for position in chosen:
        if flag(op, "parallel") and kinds[position] != ops.PARALLEL:
            raise silenceable(op, f"expects dimension #{position} to be parallel")
        if flag(op, "reduction") and kinds[position] != ops.REDUCTION:
            raise silenceable(op, f"expects dimension #{position} to be reduction")
    if not op.results:
        return []
    sizes = _loop_sizes(target)
    return [_numbers(sizes[position] for position in chosen)]


def _is_permutation(map_: AffineMap, *, projected: bool) -> bool:
    positions = [r.position for r in map_.results if isinstance(r, AffineDimExpr)]
    plain = len(positions) == len(map_.results) == len(set(positions))
    return plain and (projected or len(positions) == map_.num_dims)


def _operand(what: str) -> Callable[[Operation, State], Results]:
    """match.structured.input and init: maps, values or producers of some operands."""

    def look(op: Operation, state: State) -> Results:
        target = _single(op, state)
        inputs = list(ops.inputs(target))
        values = inputs if what == "input" else list(ops.outputs(target))
        maps = ops.indexing_maps(target)
        first = 0 if what == "input" else len(inputs)
        found: list[Operation | SSAValue | Attribute] = []
        kind = kind_of(op.results[0].type) if op.results else ""
        for position in _positions(op, "raw_position_list", len(values)):
            map_ = maps[first + position]
            if flag(op, "permutation") and not _is_permutation(map_, projected=False):
                raise silenceable(
                    op, f"the indexing map for {what} #{position} is not a permutation"
                )
            if flag(op, "projected_permutation") and not _is_permutation(map_, projected=True):
                raise silenceable(
                    op,
                    f"the indexing map for {what} #{position} is not a projected permutation",
                )
            value = values[position]
            if kind == "param":
                found.append(AffineMapAttr(map_))
            elif kind == "value":
                found.append(value)
            elif kind == "op":
                owner = value.owner
                if not isinstance(owner, Operation):
                    raise silenceable(op, f"{what} #{position} is not produced by an operation")
                found.append(owner)
        return [found] if op.results else []

    return look


def result(op: Operation, state: State) -> Results:
    """A result, or who uses it."""
    target = _single(op, state)
    count = len(target.results)
    raw = integer(op, "position", 0)
    position = raw + count if raw < 0 else raw
    if not 0 <= position < count:
        raise silenceable(
            op,
            f"position {raw} overflows the number of results({count}) of the payload operation",
        )
    value: OpResult = target.results[position]
    if kind_of(op.results[0].type) == "value":
        return [[value]]
    using = list(dict.fromkeys(use.operation for use in value.uses))
    if not using:
        raise silenceable(op, "no users of the result")
    if flag(op, "single") and len(using) != 1:
        raise silenceable(op, "more than one result user with single user requested")
    return [[using[0]]]


def elemental_bitwidth(op: Operation, state: State) -> Results:
    values: list[SSAValue] = state.payload(op.operands[0])
    if len(values) != 1:
        raise definite(
            op,
            "SingleValueMatchOpTrait requires the value handle to point to a single payload value, "
            f"got {len(values)}",
        )
    ty = values[0].type
    element = getattr(ty, "element_type", None)
    if element is None:
        raise silenceable(op, "unsupported element type")
    return [_numbers([bit_width(element)])]


def body(op: Operation, state: State) -> Results:
    """What the scalar computation is."""
    target = _single(op, state)
    properties = op.properties
    block = target.regions[0].block
    last = cast("linalg.YieldOp | None", block.last_op)
    assert last is not None
    if "reduction_position" in properties:
        if not _is_reduction(
            target, block, last, cast("IntegerAttr", properties["reduction_position"]).value.data
        ):
            raise silenceable(op, "could not match reduction")
    elif flag(op, "passthrough"):
        inputs = list(block.args[: len(ops.inputs(target))])
        if list(last.operands) != inputs[: len(last.operands)] or len(list(block.ops)) != 1:
            raise silenceable(op, "not a passthrough")
    elif flag(op, "elementwise"):
        if not _is_elementwise(target):
            raise silenceable(op, "not elementwise")
    elif "contraction" in properties and not is_contraction_body(block, [_pair(properties)]):
        raise silenceable(op, "contraction: operation body does not match")
    return []


def _pair(properties: Mapping[str, Attribute]) -> tuple[str, str]:
    multiply, combine = cast("ArrayAttr[StringAttr]", properties["contraction"]).data
    return multiply.data, combine.data


def _is_reduction(target: Operation, block: Block, last: Operation, position: int) -> bool:
    if position >= len(last.operands):
        return False
    owner = last.operands[position].owner
    argument = block.args[len(ops.inputs(target)) + position]
    return (
        isinstance(owner, Operation)
        and len(owner.operands) == 2
        and argument in owner.operands
        and len(list(argument.uses)) == 1
    )


def _is_elementwise(target: Operation) -> bool:
    if any(kind != ops.PARALLEL for kind in ops.iterator_types(target)):
        return False
    maps = ops.indexing_maps(target)
    if not all(_is_permutation(m, projected=True) for m in maps):
        return False
    outputs = maps[len(ops.inputs(target)) :]
    if not all(_is_permutation(m, projected=False) for m in outputs):
        return False
    names = [o.name for o in target.regions[0].block.ops if o.name != "linalg.yield"]
    return all("Elementwise" in traits_of(n) or n == "arith.constant" for n in names)


def classify_contraction_dims(op: Operation, state: State) -> Results:
    """The dimensions of a batch, of rows, of columns, and those that are summed over."""
    target = _single(op, state)
    maps = ops.indexing_maps(target)
    kinds = ops.iterator_types(target)
    plain = len(maps) == 3 and all(_is_permutation(m, projected=True) for m in maps)
    groups: tuple[list[int], ...] = ([], [], [], [])
    if plain:
        left, right, out = ({r.position for r in m.results} for m in maps)  # type: ignore[union-attr]
        for dimension, kind in enumerate(kinds):
            where = (dimension in left, dimension in right, dimension in out)
            at = _CONTRACTION.get(where)
            if at is not None and (kind == ops.REDUCTION) is (at == 3):
                groups[at].append(dimension)
    if not plain or not groups[3]:
        raise silenceable(op, "could not infer contraction dimensions")
    return [_numbers(group) for group in groups]


#: In which of left, right and output a dimension is -> which group it belongs to.
_CONTRACTION = {
    (True, True, True): 0,
    (True, False, True): 1,
    (False, True, True): 2,
    (True, True, False): 3,
}


# --- structured ops ------------------------------------------------------------------------------
# transform.structured.match: the operations below a payload operation that fit a description.


_INTERFACES = ("LinalgStructuredInterface", "TilingInterface", "LoopLikeOpInterface")


def _implements(op: Operation, interface: int) -> bool:
    if interface == 0:
        return op.name.startswith("linalg.") and (
            "LinalgStructuredInterface" in traits_of(op.name) or "LinalgOp" in traits_of(op.name)
        )
    return _INTERFACES[interface] in traits_of(op.name)


def match_structured_ops(op: Operation, state: State) -> Results:
    """Every operation in the one target, itself included, inner before outer."""
    targets = state.ops(op.operands[0])
    if len(targets) != 1:
        raise definite(op, "requires exactly one target handle")
    given = cast("transform.StructuredMatchOp", op)
    names = {n.data for n in given.ops.data} if given.ops is not None else None
    interface = given.interface.value.data if given.interface is not None else None
    attributes = given.op_attrs.data if given.op_attrs is not None else {}
    result_type, operand_types = given.filter_result_type, given.filter_operand_types
    found: list[Operation] = []
    for inner in _post_order(targets[0]):
        if names is not None and inner.name not in names:
            continue
        if interface is not None and not _implements(inner, interface):
            continue
        if any(attribute_of(inner, key) != value for key, value in attributes.items()):
            continue
        if result_type is not None and [r.type for r in inner.results] != [_type(result_type)]:
            continue
        if operand_types is not None:
            wanted = [_type(t) for t in operand_types.data]
            actual = [v.type for v in inner.operands]
            if len(wanted) == 1:
                wanted = wanted * max(len(actual), 1)
            if wanted != actual:
                continue
        found.append(inner)
    return [found]


def _type(attr: Attribute) -> Attribute:
    return getattr(attr, "type", attr) if attr.name == "type_attr" else attr


def _post_order(op: Operation) -> list[Operation]:
    found: list[Operation] = []
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                found.extend(_post_order(inner))
    found.append(op)
    return found


OPS = {
    "transform.match.operation_empty": operation_empty,
    "transform.match.operation_name": operation_name,
    "transform.match.param.cmpi": param_cmpi,
    "transform.match.structured": match,
    "transform.match.structured.body": body,
    "transform.match.structured.classify_contraction_dims": classify_contraction_dims,
    "transform.match.structured.dim": dim,
    "transform.match.structured.elemental_bitwidth": elemental_bitwidth,
    "transform.match.structured.init": _operand("init"),
    "transform.match.structured.input": _operand("input"),
    "transform.match.structured.num_inits": _counts("inits"),
    "transform.match.structured.num_inputs": _counts("inputs"),
    "transform.match.structured.rank": rank,
    "transform.match.structured.result": result,
    "transform.structured.match": match_structured_ops,
}
