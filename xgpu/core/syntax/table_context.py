# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operations, attributes and types there are.

`builtin.module` and `builtin.unrealized_conversion_cast` are xDSL's classes; everything else comes
from `xgpu.core.ods`, one by one, when its name is first met. An unknown operation gets a
class of its own, `UnregisteredOperation`, with its real name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, cast

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, UnitAttr, UnrealizedConversionCastOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue, TypeAttribute
from xdsl.irdl import IRDLOperation
from xdsl.traits import IsolatedFromAbove, IsTerminator

from xgpu.core.ir.construction import build_operation
from xgpu.core.ir.op_info import UnregisteredOperation, unregistered_op
from xgpu.core.ods.registry import optional_attr_class, optional_op_class
from xgpu.core.ods.services import dialect_folders

if TYPE_CHECKING:
    from xdsl.parser import Parser


#: The dialect whose operations need no prefix inside an operation (MLIR's getDefaultDialect).
DEFAULT_DIALECTS = {
    "builtin.module": "builtin",
    "func.func": "func",
    "async.func": "async",
    "emitc.expression": "emitc",
    "emitc.file": "emitc",
    "emitc.for": "emitc",
    "emitc.func": "emitc",
    "emitc.if": "emitc",
    "shape.func": "shape",
    "shape.function_library": "shape",
    "transform.sequence": "transform",
    "transform.with_pdl_patterns": "transform",
}


_NO_DEFAULTS: dict[str, Attribute] = {}
_TRUE = IntegerAttr.from_bool(True)


_BUILTIN_OPS: dict[str, type[Operation]] = {
    "builtin.module": ModuleOp,
    "builtin.unrealized_conversion_cast": UnrealizedConversionCastOp,
}


_dialects: tuple[str, ...] | None = None


def dialect_names() -> tuple[str, ...]:
    """The names of all registered dialects, sorted."""
    global _dialects
    if _dialects is None:
        from xgpu.core.ods.table_files import file_dialects
        from xgpu.core.support.files import packages_of

        names = file_dialects() | packages_of(dialect_folders())
        # `async` is a word of Python, and its package `async_`.
        _dialects = tuple(sorted({"builtin", *(name.rstrip("_") for name in names)}))
    return _dialects


def _inherent(cls: type[Operation]) -> frozenset[str]:
    """The names of the properties of a class that is not ours."""
    if cls is ModuleOp:
        return frozenset(("sym_name", "sym_visibility"))
    return (
        frozenset(cls.get_irdl_definition().properties)
        if issubclass(cls, IRDLOperation)
        else frozenset()
    )


class TableContext(Context):
    """An xDSL context that looks names up in the tables."""

    def __init__(self, allow_unregistered: bool = False) -> None:
        super().__init__(allow_unregistered)
        self._facts: dict[type[Operation], tuple[bool, bool, str, frozenset[str], bool]] = {}

    def clone(self) -> TableContext:
        return TableContext(self.allow_unregistered)

    # --- operations ------------------------------------------------------------------------
    def registered_op(self, name: str) -> type[Operation] | None:
        """The class of a registered operation, or None."""
        found = self._loaded_ops.get(name)
        if found is None:
            found = _BUILTIN_OPS.get(name)
            if found is None and "." in name:
                found = optional_op_class(name)
                if found is None and name.partition(".")[0] not in dialect_names():
                    from xgpu.core.ods import foreign

                    found = foreign.operation_class(name)
            if found is not None:
                self._loaded_ops[name] = found
        return found

    def _get_known_op(self, name: str) -> type[Operation] | None:
        return self.registered_op(name)

    def get_optional_op(
        self, name: str, *, dialect_stack: Sequence[str] = ()
    ) -> type[Operation] | None:
        found = self.registered_op(name)
        if found is None and dialect_stack and "." not in name:
            found = self.registered_op(f"{dialect_stack[-1]}.{name}")
        if found is None and self.allow_unregistered:
            return unregistered_op(name)
        return found

    def generic_op(self, name: str) -> type[Operation] | Literal[False]:
        """The class for an operation in generic form; False if its dialect is not registered and
        has to be."""
        found = self.registered_op(name)
        if found is not None:
            return found
        if not self.allow_unregistered and not self.knows_dialect(name.partition(".")[0]):
            return False
        return unregistered_op(name)

    def _facts_of(self, cls: type[Operation]) -> tuple[bool, bool, str, frozenset[str], bool]:
        facts = self._facts.get(cls)
        if facts is None:
            isolated = cls.get_trait(IsolatedFromAbove) is not None
            terminator = issubclass(cls, UnregisteredOperation) or (
                cls.get_trait(IsTerminator) is not None
            )
            inherent: frozenset[str] | None = getattr(cls, "property_names", None)
            if inherent is None:
                inherent = _inherent(cls)
            default = DEFAULT_DIALECTS.get(cls.name, "")
            custom = getattr(cls.parse, "__func__", cls.parse) is not getattr(
                Operation.parse, "__func__", Operation.parse
            )
            facts = self._facts[cls] = (isolated, terminator, default, inherent, custom)
        return facts

    def is_isolated(self, cls: type[Operation]) -> bool:
        return self._facts_of(cls)[0]

    def may_be_terminator(self, cls: type[Operation]) -> bool:
        return self._facts_of(cls)[1]

    def default_dialect(self, cls: type[Operation]) -> str:
        return self._facts_of(cls)[2]

    def has_custom_form(self, cls: type[Operation]) -> bool:
        return self._facts_of(cls)[4]

    def build(
        self,
        cls: type[Operation],
        operands: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        properties: dict[str, Attribute] | None,
        attributes: dict[str, Attribute],
        location: Attribute,
        successors: Sequence[Block],
        regions: Sequence[Region],
        parser: Parser,
    ) -> Operation:
        """An operation that was read in generic form: inherent attributes become properties, and
        those that are absent get their default."""
        if properties is None:
            properties = {}
        names = self._facts_of(cls)[3]
        if (
            properties
            and not names.issuperset(properties)
            and not issubclass(cls, UnregisteredOperation)
        ):
            # As MLIR: a definition takes the properties that it knows.
            properties = {key: value for key, value in properties.items() if key in names}
        if cls is ModuleOp:
            # xDSL's class has the visibility among its other attributes.
            if "sym_visibility" in properties:
                attributes["sym_visibility"] = properties.pop("sym_visibility")
            names = frozenset(("sym_name",))
        if attributes and not names.isdisjoint(attributes):
            for name in names:
                if name in attributes:
                    properties.setdefault(name, attributes.pop(name))
        defaults = getattr(cls, "_defaults", _NO_DEFAULTS)
        if defaults is None:
            from xgpu.core.ods.operation import default_properties

            defaults = default_properties(cls)  # pyright: ignore[reportArgumentType]
        if defaults:
            properties = {**defaults, **properties}
            for name in getattr(cls, "_flags", ()):
                if properties.get(name) == _TRUE:
                    properties[name] = UnitAttr()
        return build_operation(
            cls, operands, result_types, properties, attributes, location, successors, regions
        )

    # --- attributes and types --------------------------------------------------------------
    def knows_dialect(self, name: str) -> bool:
        """Whether a dialect is registered."""
        if name == "builtin":
            return True
        if name in dialect_names():
            return True
        from xgpu.core.ods import foreign

        return foreign.has_dialect(name)

    def available_dialects(self) -> str:
        listed = ", ".join(dialect_names())
        return (
            f"Available dialects: {listed} ; for more info on dialect registration see "
            "https://mlir.llvm.org/getting_started/Faq/"
            "#registered-loaded-dependent-whats-up-with-dialects-management"
        )

    def _attr_class(self, name: str, is_type: bool) -> type[Attribute] | None:
        found = optional_attr_class(name)
        if found is not None and issubclass(found, TypeAttribute) is is_type:
            return found
        if name.partition(".")[0] in dialect_names():
            return None
        from xgpu.core.ods import foreign

        return foreign.attribute_class(name, is_type)

    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        found = self._loaded_types.get(name)
        if found is None:
            made = self._attr_class(name, True)
            if made is not None:
                found = self._loaded_types[name] = cast("type[TypeAttribute]", made)
        return found

    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        found = self._loaded_attrs.get(name)
        if found is None:
            found = self._attr_class(name, False)
            if found is not None:
                self._loaded_attrs[name] = found
        return found


def context(*, allow_unregistered: bool = False) -> TableContext:
    """A context of all our dialects."""
    return TableContext(allow_unregistered)


#: So many operations that begin with a name are listed.
_MOST_NEAR = 6


def near_ops(name: str) -> str | None:
    """A question for the operations of the same dialect that are called nearly so, or that begin
    with the name; None if there are none."""
    from xgpu.core.ir.suggestions import lacks_dialect, nearest
    from xgpu.core.ods.table_parser import dialect_ops, has_dialect

    dialect, _, own = name.partition(".")
    if not has_dialect(dialect) and lacks_dialect(dialect) is not None:
        return f"the dialect '{dialect}' is here as another project defines it, not as MLIR does"
    known = {op.partition(".")[2]: op for op in dialect_ops(dialect)}
    longer = [known[op] for op in sorted(known) if own and op.startswith(own)]
    if 1 < len(longer) <= _MOST_NEAR:
        listed = ", ".join(f"'{op}'" for op in longer[:-1])
        return f"did you mean {listed} or '{longer[-1]}'?"
    found = nearest(own, known)
    return None if found is None else f"did you mean '{known[found]}'?"
