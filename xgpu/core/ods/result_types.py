# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Result types that follow from operands and attributes, for constructors.

They follow where MLIR infers them: from the dialect's INFER, from a constraint that only one type
satisfies, or from a trait that ties a result to an operand, to an attribute or to another result
(SameOperandsAndResultType, AllTypesMatch, TypesMatchWith, FirstAttrDerivedResultType).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from xgpu.core.ods.spec import ONE, OpSpec
from xgpu.core.ods.traits import trait_table

if TYPE_CHECKING:
    from xdsl.ir import Attribute, SSAValue

#: target, source, and the type of the target from that of the source (None: the same).
_Tie = tuple[str, str, "Callable[[Any], Any] | None"]


def _infer_hook(spec: OpSpec) -> Callable[..., Sequence[Attribute]] | None:
    from xgpu.core.ods.registry import hooks

    return hooks(spec.name.partition(".")[0], "verify", "INFER").get(spec.name)


def is_inferred(spec: OpSpec, index: int) -> bool:
    """Whether result `index` needs no type from the caller."""
    if _infer_hook(spec) is not None:
        return True
    result = spec.results[index]
    if result.constraint.is_buildable or "FirstAttrDerivedResultType" in trait_table(spec):
        return True
    known = {f"operand {i}" for i, f in enumerate(spec.operands) if f.quantity == ONE}
    known |= {f"attribute {a.name}" for a in spec.attrs}
    known |= {f"result {i}" for i, r in enumerate(spec.results) if r.constraint.is_buildable}
    ties = _ties(spec)
    changed = True
    while changed:
        new = {target for target, source, _ in ties if source in known} - known
        known |= new
        changed = bool(new)
    return f"result {index}" in known


def infer_result_types(
    spec: OpSpec,
    operands: Sequence[SSAValue],
    groups: Sequence[Sequence[SSAValue]],
    properties: Mapping[str, Attribute],
    regions: Sequence[object],
    attributes: Mapping[str, Attribute],
    given: Mapping[int, Attribute],
) -> list[Attribute | None]:
    """The type of each result that is one value, None where nothing says it.

    `groups` are the operands' values for each operand of the definition; `given` are the types that
    were said, by the number of the result.
    """
    hook = _infer_hook(spec)
    if hook is not None and not given:
        return list(hook(operands, properties, regions, attributes))
    types: dict[str, Attribute] = {f"result {index}": type for index, type in given.items()}
    for index, group in enumerate(groups):
        if group:
            types[f"operand {index}"] = group[0].type
    for attr in spec.attrs:
        _add_attribute_type(types, attr.name, properties.get(attr.name))
    for index, result in enumerate(spec.results):
        fixed = result.constraint.buildable()
        if fixed is not None:
            types.setdefault(f"result {index}", fixed)
    ties = _ties(spec)
    changed = True
    while changed:
        changed = False
        for target, source, transform in ties:
            if target in types or source not in types:
                continue
            found = types[source] if transform is None else transform(types[source])
            if found is not None and not isinstance(found, list | tuple):
                types[target] = found
                changed = True
    if spec.attrs and "FirstAttrDerivedResultType" in trait_table(spec):
        first = types.get(f"attribute {spec.attrs[0].name}")
        if first is not None:
            for index in range(len(spec.results)):
                types.setdefault(f"result {index}", first)
    return [types.get(f"result {index}") for index in range(len(spec.results))]


def _add_attribute_type(types: dict[str, Attribute], name: str, value: Attribute | None) -> None:
    if value is None:
        return
    from xgpu.core.ods.trait_checks import attribute_type

    found = attribute_type(value)
    if found is not None:
        types[f"attribute {name}"] = found


def _ties(spec: OpSpec) -> list[_Tie]:
    """What ties the type of a result to another type, nearer ties first."""
    table = trait_table(spec)
    operands = [f"operand {index}" for index in range(len(spec.operands))]
    results = [f"result {index}" for index in range(len(spec.results))]
    ties: list[_Tie] = []
    if "SameOperandsAndResultType" in table:
        ties.extend(_all_alike((*operands, *results)))
    places = _places(spec)
    for group in table.get("AllTypesMatch", ()):
        ties.extend(_all_alike([places[name] for name in group if name in places]))
    for kind in ("TypesMatchWith", "OptionalTypesMatchWith"):
        for _, lhs, rhs, text in table.get(kind, ()):
            if lhs in places and rhs in places:
                ties.append((places[rhs], places[lhs], _transform(text)))
    return [tie for tie in ties if tie[0].startswith("result ")]


def _all_alike(places: Sequence[str]) -> Iterable[_Tie]:
    return ((target, source, None) for target in places for source in places if source != target)


def _places(spec: OpSpec) -> dict[str, str]:
    places = {attr.name: f"attribute {attr.name}" for attr in spec.attrs}
    for kind, fields in (("operand", spec.operands), ("result", spec.results)):
        places.update({field.name: f"{kind} {index}" for index, field in enumerate(fields)})
    return places


def _transform(text: str) -> Callable[[Any], Any]:
    from xgpu.core.ods.predicates import find_transform

    return find_transform(text)
