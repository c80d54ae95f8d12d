# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constructors of operation classes: `gpu.WaitOp(async_dependencies=[t], async_token=True)`.

Arguments have MLIR's names in snake case. Operands are SSA values, or operations of one result;
attributes are attributes or Python values; a result is its type, True for an optional one that has
only one type, or left out where the type follows from the rest. An operand that is an int, where
its type is known, becomes a constant where an `ImplicitBuilder` can take it. Mistakes are
TypeError and ValueError, as of any Python function, with the argument's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator, SingleBlockImplicitTerminator

from xgpu.core.ir.construction import build_operation
from xgpu.core.ir.errors import USER_ERRORS, ArgumentTypeError, ArgumentValueError
from xgpu.core.ir.suggestions import nearest
from xgpu.core.ods.operation import OdsOperation, default_properties, segment_sizes
from xgpu.core.ods.parameters import (
    ATTRIBUTE,
    DISCARDABLE,
    EXTRA,
    OPERAND,
    REGION,
    RESULT,
    SUCCESSOR,
    ConstructorParameter,
    constructor_parameters,
    nested,
)
from xgpu.core.ods.python_values import known_attribute, plain_attribute, to_attribute, typed_number
from xgpu.core.ods.spec import ONE, OPTIONAL, Field


class Constructor:
    """Makes operations of one class."""

    def __init__(self, cls: type[OdsOperation]) -> None:
        self.cls = cls
        self.parameters = constructor_parameters(cls.spec)
        self.by_name = {p.name: p for p in self.parameters}
        #: Other words for the only region of an operation.
        self.aliases = _region_aliases(self.parameters)
        self.by_role: dict[str, list[ConstructorParameter]] = {}
        for parameter in self.parameters:
            self.by_role.setdefault(parameter.role, []).append(parameter)

    def __call__(
        self, op: OdsOperation, args: tuple[object, ...], kwargs: dict[str, object]
    ) -> None:
        """Fills `op`, which is new, from the arguments of its constructor."""
        given = self._bind(args, kwargs)
        cls = self.cls
        properties: dict[str, Attribute] = {}
        groups = [self._operand(p, given, properties) for p in self._of(OPERAND)]
        operands = [value for group in groups for value in group]
        for p in self._of(ATTRIBUTE):
            value = given.get(p.name)
            # A flag that is off is absent.
            if p.field.constraint.kind == "typed" and isinstance(value, int | float):
                results = [r.name for r in self._of(RESULT)]
                value = typed_number(value, given.get(results[0]), p.name, results[0])
            if value is not None and not (value is False and p.field.constraint.kind == "unit"):
                properties[p.field.name] = to_attribute(value, p.field.constraint, p.name)
        defaults = cls._defaults
        properties = {**(default_properties(cls) if defaults is None else defaults), **properties}
        attributes = self._discardable(given, properties)
        regions = [region for p in self._of(REGION) for region in _regions(p, given.get(p.name))]
        successors = [block for p in self._of(SUCCESSOR) for block in _blocks(p, given.get(p.name))]
        types = self._results(given, operands, groups, properties, regions, attributes)
        if cls.segmented_operands:
            properties["operandSegmentSizes"] = segment_sizes([len(group) for group in groups])
        if cls.segmented_results:
            properties["resultSegmentSizes"] = segment_sizes([len(group) for group in types])
        self._terminate(regions)
        build_operation(
            cls,
            operands,
            [type for group in types for type in group],
            properties,
            attributes,
            given.get("location"),
            successors,
            regions,
            op,
        )

    # --- arguments -------------------------------------------------------------------------
    def _of(self, role: str) -> Sequence[ConstructorParameter]:
        return self.by_role.get(role, ())

    def _bind(self, args: tuple[object, ...], kwargs: dict[str, object]) -> dict[str, Any]:
        """The arguments by name. Raises TypeError as a call of a Python function does."""
        name = f"{self.cls.__name__}()"
        positional = [p.name for p in self.parameters if p.positional]
        if len(args) > len(positional):
            raise ArgumentTypeError(self._too_many(name, len(args), len(positional)))
        given = dict(zip(positional, args, strict=False))
        for key, value in kwargs.items():
            key = self.aliases.get(key, key)
            if key in given:
                raise ArgumentTypeError(f"{name} got multiple values for argument '{key}'")
            if key not in self.by_name:
                raise ArgumentTypeError(self._unexpected(name, key))
            given[key] = value
        missing = [p.name for p in self.parameters if p.required and given.get(p.name) is None]
        if missing:
            listed = ", ".join(f"'{m}'" for m in missing)
            raise ArgumentTypeError(
                f"{name} missing required argument{'s'[: len(missing) - 1]}: {listed}"
            )
        return given

    def _unexpected(self, name: str, key: str) -> str:
        """The message for an unknown keyword: the nearest one, and all of them."""
        near = nearest(key, self.by_name)
        hint = f", did you mean '{near}'?" if near else ""
        return (
            f"{name} got an unexpected keyword argument '{key}'{hint} (it takes "
            f"{', '.join(self.by_name)})"
        )

    def _too_many(self, name: str, given: int, taken: int) -> str:
        """The message for too many positional arguments."""
        by_name = [p.name for p in self.parameters if p.required and not p.positional]
        s, were = "s"[: taken != 1], "was" if given == 1 else "were"
        hint = f": {', '.join(by_name)} must be given by name" if by_name else ""
        return f"{name} takes {taken} positional argument{s} but {given} {were} given{hint}"

    def _discardable(
        self, given: Mapping[str, Any], properties: dict[str, Attribute]
    ) -> dict[str, Attribute]:
        """The argument `attributes`. What is inherent among them becomes a property."""
        attributes: dict[str, Attribute] = {}
        if self.by_name["attributes"].role != EXTRA:
            return attributes
        discardable: Mapping[str, object] = given.get("attributes") or {}
        if not isinstance(discardable, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ArgumentTypeError(
                f"attributes must be a mapping of names to attributes, but is {discardable!r}"
            )
        inherent = {p.field.name: p.field for p in self._of(ATTRIBUTE)}
        for name, value in discardable.items():
            shown = f"attributes['{name}']"
            if name in inherent:
                properties[name] = to_attribute(value, inherent[name].constraint, shown)
                continue
            made = plain_attribute(value, shown)
            if made is not None:
                (properties if name in self.cls.property_names else attributes)[name] = made
        for p in self._of(DISCARDABLE):
            value = given.get(p.name)
            made = None if value is None else known_attribute(value, p.field.kind, p.name)
            if made is not None:
                attributes[p.field.name] = made
        return attributes

    # --- operands --------------------------------------------------------------------------
    def _operand(
        self,
        p: ConstructorParameter,
        given: Mapping[str, Any],
        properties: dict[str, Attribute],
    ) -> list[SSAValue]:
        value = given.get(p.name)
        if p.field.quantity in (ONE, OPTIONAL):
            return [] if value is None else [_value(p, value, p.name)]
        if nested(p.field):
            return _nested_values(p, value or (), properties)
        items = _sequence(p.name, value)
        if p.static is None:
            return [_value(p, item, f"{p.name}[{at}]") for at, item in enumerate(items)]
        numbers: list[int] = []
        values: list[SSAValue] = []
        for at, item in enumerate(items):
            if isinstance(item, int) and not isinstance(item, bool):
                numbers.append(item)
                continue
            numbers.append(DYNAMIC_INDEX)
            values.append(_value(p, item, f"{p.name}[{at}]"))
        properties[p.static.name] = to_attribute(numbers, p.static.constraint, p.name)
        return values

    # --- results ---------------------------------------------------------------------------
    def _results(
        self,
        given: Mapping[str, Any],
        operands: Sequence[SSAValue],
        groups: Sequence[Sequence[SSAValue]],
        properties: Mapping[str, Attribute],
        regions: Sequence[Region],
        attributes: Mapping[str, Attribute],
    ) -> list[list[Attribute]]:
        parameters = self._of(RESULT)
        if not parameters:
            return []
        said = {p.index: _types(p, given.get(p.name)) for p in parameters}
        unknown = [p for p in parameters if said[p.index] is None and p.field.quantity == ONE]
        if not unknown:
            return [said[p.index] or [] for p in parameters]
        from xgpu.core.ods.result_types import infer_result_types

        known = {at: types[0] for at, types in said.items() if types}
        try:
            inferred = infer_result_types(
                self.cls.spec, operands, groups, properties, regions, attributes, known
            )
        except USER_ERRORS:
            raise
        except Exception:  # of operands of other types the inference knows nothing
            self._check_operands(groups)
            raise
        if len(parameters) == 1 or len(inferred) != len(parameters):
            # MLIR's inference gives the types of all results in one list.
            return self._flat(inferred, parameters)
        for p in unknown:
            if inferred[p.index] is None:
                raise self._no_type(p)
        return [said[p.index] or _listed(inferred[p.index], p) for p in parameters]

    def _check_operands(self, groups: Sequence[Sequence[SSAValue]]) -> None:
        """Raises TypeError, with the argument's name, for an operand of a type that the definition
        does not allow."""
        for p, group in zip(self._of(OPERAND), groups, strict=True):
            for value in group:
                if not p.field.constraint.check(value.type):
                    raise ArgumentTypeError(
                        f"{self.cls.__name__}(): {p.name} must be {p.field.constraint.summary}, "
                        f"but is of type {value.type}"
                    )

    def _flat(
        self, inferred: list[Attribute | None], parameters: Sequence[ConstructorParameter]
    ) -> list[list[Attribute]]:
        """All results' types in one list, which is all that tells how many a variadic one has."""
        types = [type for type in inferred if type is not None]
        if len(types) != len(inferred) or not types:
            raise self._no_type(parameters[0])
        # No operation has two variadic results whose types are inferred, so the rest is one's.
        ones = [p for p in parameters if p.field.quantity == ONE]
        rest = len(types) - len(ones)
        found: list[list[Attribute]] = []
        at = 0
        for p in parameters:
            count = 1 if p.field.quantity == ONE else rest
            rest -= 0 if p.field.quantity == ONE else count
            found.append(types[at : at + count])
            at += count
        return found

    def _no_type(self, p: ConstructorParameter) -> TypeError:
        return TypeError(
            f"{self.cls.__name__}() cannot infer the type of '{p.name}': give it, a type"
        )

    # --- regions ---------------------------------------------------------------------------
    def _terminate(self, regions: Sequence[Region]) -> None:
        """Gives blocks without their terminator the one that the definition implies."""
        for trait in self.cls.get_traits_of_type(SingleBlockImplicitTerminator):
            terminator = trait.op_type.name
            for region in regions:
                block = region.first_block
                if block is not None and block is region.last_block:
                    _add_terminator(block, terminator)


def _region_aliases(parameters: Sequence[ConstructorParameter]) -> dict[str, str]:
    """Other words for the region of an operation that has only one, where no part has them."""
    regions = [p.name for p in parameters if p.role == REGION]
    if len(regions) != 1:
        return {}
    taken = {p.name for p in parameters}
    return {name: regions[0] for name in ("body", "region", "body_region") if name not in taken}


def _add_terminator(block: Block, name: str) -> None:
    from xdsl.builder import ImplicitBuilder

    from xgpu.core.ods.registry import create

    last = block.last_op
    if last is not None and last.has_trait(IsTerminator):
        return
    with ImplicitBuilder(block):
        create(name)


def constructor_of(cls: type[OdsOperation]) -> Constructor:
    """The constructor of a class, compiled when it is first called."""
    found = cls.__dict__.get("_constructor")
    if found is None:
        found = Constructor(cls)
        cls._constructor = found
    return found


def _sequence(name: str, value: Attribute | None) -> Sequence[Any]:
    """The members of a variadic argument; a value alone is a list of one."""
    if value is None:
        return ()
    if isinstance(value, SSAValue | Operation):
        return (value,)
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ArgumentTypeError(f"{name} must be a sequence of SSA values, but is {value!r}")
    return value


def _value(p: ConstructorParameter, value: object, name: str) -> SSAValue:
    """One operand's value."""
    if isinstance(value, SSAValue):
        return value
    if isinstance(value, Operation):
        if len(value.results) != 1:
            raise ArgumentValueError(
                f"{name} must be one SSA value, but '{value.name}' has {len(value.results)} results"
            )
        return value.results[0]
    if isinstance(value, int | float):
        return _constant(p, value, name)
    raise ArgumentTypeError(
        f"{name} must be an SSA value ({p.field.constraint.summary}), but is "
        f"{type(value).__name__} {value!r}"
    )


def _constant(p: ConstructorParameter, value: float, name: str) -> SSAValue:
    """A number as an operand: a constant, which the active ImplicitBuilder puts before the op."""
    from xdsl.builder import _current_builder

    from xgpu.core.ods.registry import create

    type = constant_type(p.field)
    attribute: Attribute | None = None
    if isinstance(type, IndexType | IntegerType) and isinstance(value, int):
        attribute = IntegerAttr(value, type)
    elif isinstance(type, AnyFloat):
        attribute = FloatAttr(value, type)
    if attribute is None:
        raise ArgumentTypeError(
            f"{name} must be an SSA value, but is {value!r}, and its definition "
            f"({p.field.constraint.summary}) does not say of which type a constant is"
        )
    if _current_builder.builder is None:
        raise ArgumentTypeError(
            f"{name} must be an SSA value, but is {value!r}: a number can only become a constant "
            "where an ImplicitBuilder is active to insert it"
        )
    return create("arith.constant", (), (type,), {"value": attribute}).results[0]


def constant_type(field: Field) -> Attribute | None:
    """The type of a number that is given for an operand: the only one that it may have, or index
    where the definition names that first."""
    if field.constraint.expression.startswith("is_index(t)"):
        return IndexType()
    return field.constraint.buildable()


def takes_numbers(field: Field) -> bool:
    """Whether a number may stand for an operand."""
    return isinstance(constant_type(field), IndexType | IntegerType | AnyFloat)


def _nested_values(
    p: ConstructorParameter, value: Any, properties: dict[str, Attribute]
) -> list[SSAValue]:
    """A list of lists, whose sizes are a property."""
    values: list[SSAValue] = []
    sizes: list[int] = []
    for at, group in enumerate(_sequence(p.name, value)):
        members = _sequence(f"{p.name}[{at}]", group)
        sizes.append(len(members))
        values.extend(
            _value(p, member, f"{p.name}[{at}][{place}]") for place, member in enumerate(members)
        )
    if p.field.sizes is not None:
        properties[p.field.sizes] = segment_sizes(sizes)
    return values


def _types(p: ConstructorParameter, value: object) -> list[Attribute] | None:
    """The types that an argument gives a result; None where it says nothing."""
    quantity = p.field.quantity
    if value is None or value is False:
        return None if quantity == ONE else []
    if quantity not in (ONE, OPTIONAL):
        if isinstance(value, Attribute):
            return [value]
        if isinstance(value, Sequence):
            types = [item for item in value if isinstance(item, Attribute)]
            if len(types) == len(value):
                return types
        raise ArgumentTypeError(f"{p.name} must be the types of results, but is {value!r}")
    if isinstance(value, Attribute):
        return [value]
    if value is True:
        fixed = p.field.constraint.buildable()
        if fixed is not None:
            return [fixed]
        raise ArgumentTypeError(
            f"{p.name} must be the result's type ({p.field.constraint.summary}), since there are "
            "several"
        )
    raise ArgumentTypeError(f"{p.name} must be the result's type, but is {value!r}")


def _listed(type: Attribute | None, p: ConstructorParameter) -> list[Attribute]:
    """What was inferred counts only for a result that has to be there."""
    return [type] if type is not None and p.field.quantity == ONE else []


def _regions(p: ConstructorParameter, value: Any) -> list[Region]:
    """The regions of an argument: regions, blocks or operations."""
    if p.field.quantity in (ONE, OPTIONAL):
        return [Region() if value is None else _region(p.name, value)]
    if isinstance(value, Region | Block):
        return [_region(p.name, value)]
    return [_region(f"{p.name}[{at}]", item) for at, item in enumerate(value or ())]


def _region(name: str, value: object) -> Region:
    if isinstance(value, Region):
        return value
    if isinstance(value, Block):
        return Region(value)
    if isinstance(value, Sequence):
        blocks = [item for item in value if isinstance(item, Block)]
        if len(blocks) == len(value):
            return Region(blocks)
        operations = [item for item in value if isinstance(item, Operation)]
        if len(operations) == len(value):
            return Region(Block(operations))
    raise ArgumentTypeError(
        f"{name} must be a Region, a Block, or a sequence of blocks or operations, "
        f"but is {type(value).__name__} {value!r}"
    )


def _blocks(p: ConstructorParameter, value: object) -> list[Block]:
    if value is None:
        return []
    if isinstance(value, Block):
        return [value]
    several = p.field.quantity not in (ONE, OPTIONAL)
    if several and isinstance(value, Sequence):
        blocks = [b for b in value if isinstance(b, Block)]
        if len(blocks) == len(value):
            return blocks
    what = "blocks" if several else "a Block"
    raise ArgumentTypeError(f"{p.name} must be {what}, but is {value!r}")
