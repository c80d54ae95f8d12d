# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Our dialects as xDSL's `Dialect` objects, for xDSL's own tools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Dialect, Operation

from xgpu.core.ods.registry import attr_class, op_class, op_spec

if TYPE_CHECKING:
    from collections.abc import Sequence


class OdsDialect(Dialect):
    """A dialect whose classes are made when xDSL loads it."""

    def __init__(self, name: str, operations: Sequence[str], attributes: Sequence[str]) -> None:
        super().__init__(name)
        self._operation_names = operations
        self._attribute_names = attributes

    @property
    def operations(self) -> Iterator[type[Operation]]:
        return (op_class(name) for name in self._operation_names if op_spec(name) is not None)

    @property
    def attributes(self) -> Iterator[type[Attribute]]:
        # An attribute and a type may share a name, and be listed by the table and by hand.
        return iter(dict.fromkeys(attr_class(name) for name in self._attribute_names))


def make_dialect(name: str, operations: Iterable[str], attributes: Iterable[str]) -> OdsDialect:
    """The dialect `name` with the operations and attributes of these names."""
    return OdsDialect(name, tuple(operations), tuple(attributes))


def dialect_factories() -> dict[str, Callable[[], OdsDialect]]:
    """What makes each of our dialects, all but builtin, which is xDSL's."""
    from xgpu.core.ods.registry import dialect_names

    return {name: partial(dialect, name) for name in dialect_names() if name != "builtin"}


@cache
def dialect(name: str) -> OdsDialect:
    """The dialect `name`, with everything that its table defines; the same object each time."""
    from xgpu.core.ods.registry import hooks
    from xgpu.core.ods.table_parser import dialect_attrs, dialect_ops

    attributes = dict.fromkeys(dialect_attrs(name))
    attributes.update(dict.fromkeys(hooks(name, "attributes", "ATTRIBUTES")))
    return make_dialect(name, dialect_ops(name), attributes)
