# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Services: what a package asks of a package above it.

Imports go from higher packages to lower ones. Where a lower package needs something that only a
higher one has, it declares a protocol and a `Service` with that protocol as its type.
`xgpu/implementations.py`, which stands above all packages, provides a function that loads the
implementation. It is loaded when it is first asked for, so a service costs nothing before. Type
checkers compare the implementation with the protocol there, and see the protocol where it is used.

Services whose types are definitions of operations are in `xgpu/core/ods/services.py`, all others
here. These modules import nothing else at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute, Operation

    from xgpu.core.ir.diagnostic import Diagnostic

T = TypeVar("T")


class Service(Generic[T]):
    """An implementation of `T` that another package provides."""

    __slots__ = ("_found", "_load", "_name")

    def __init__(self, name: str) -> None:
        self._name = name
        self._load: Callable[[], T] | None = None
        self._found: T | None = None

    def provide(self, load: Callable[[], T]) -> None:
        """Sets the function that returns the implementation; it is called once."""
        self._load = load
        self._found = None

    def __call__(self) -> T:
        """The implementation. RuntimeError if none was provided."""
        found = self._found
        if found is None:
            if self._load is None:
                raise RuntimeError(f"no implementation was provided for service '{self._name}'")
            found = self._found = self._load()
        return found


class RenderDiagnostic(Protocol):
    """A diagnostic as text, with or without the operation below it."""

    def __call__(self, diagnostic: Diagnostic, *, operation: bool = True) -> str: ...


class OperationFacts(Protocol):
    """What definitions and dialects state of operations."""

    def look_up(self, name: str, fact: str) -> object:
        """The `fact` of the operation `name`; None, empty or False if nothing states it."""
        ...


class Definitions(Protocol):
    """The classes of operations, attributes and types, by name."""

    def op_class(self, name: str) -> type[Operation]:
        """KeyError if there is no operation `name`."""
        ...

    def optional_op_class(self, name: str) -> type[Operation] | None: ...

    def attr_class(self, name: str) -> type[Any]:
        """KeyError if there is no attribute or type `name`."""
        ...

    def optional_attr_class(self, name: str) -> type[Attribute] | None: ...

    def hooks(self, dialect: str, module: str, table: str) -> Mapping[str, Callable[..., object]]:
        """The handwritten functions in `table` of the dialect's `module`."""
        ...


class ReadBytecode(Protocol):
    """The module in a file of MLIR's bytecode; it is not verified. Raises DiagnosticError."""

    def __call__(self, data: bytes, filename: str, context: Context) -> ModuleOp: ...


class OtherPasses(Protocol):
    """The passes of other projects."""

    def passes_of_xdsl(self) -> Collection[str]:
        """The names of xDSL's passes."""
        ...

    def installed_passes(self) -> Iterable[tuple[str, str]]:
        """The passes of installed projects besides xDSL, each with the name of its owner.
        UsageError if a project cannot be loaded."""
        ...

    def installed_pass(self, name: str) -> tuple[type[object], str] | None:
        """The class of the pass of this name of an installed project besides xDSL, and its owner;
        None if there is none. UsageError if two projects have one, or if a project cannot be
        loaded."""
        ...


render_diagnostic: Service[RenderDiagnostic] = Service("render_diagnostic")
#: An attribute or type as MLIR writes it.
attribute_text: Service[Callable[[Attribute], str]] = Service("attribute_text")
operation_facts: Service[OperationFacts] = Service("operation_facts")
definitions: Service[Definitions] = Service("definitions")
read_bytecode: Service[ReadBytecode] = Service("read_bytecode")
other_passes: Service[OtherPasses] = Service("other_passes")
