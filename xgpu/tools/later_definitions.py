# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Definitions of xDSL's attributes, made when they are needed.

xDSL works out what each of its attributes' parameters are when the attribute's class is made, which
is a third of its imports: it evaluates annotations, and makes constraints of them. A tool verifies
attributes of a few classes. Of the others it asks which parameters they have, which the names of
the annotations say.

Only the tools do this, around their imports, in their own process.
"""

from __future__ import annotations

import sys
import typing
from contextlib import contextmanager

from xdsl.irdl import attributes as irdl

TYPE_CHECKING = False  # so that nothing else is imported
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any

    from xdsl.ir import ParametrizedAttribute

#: How xDSL makes a definition.
_plain = irdl.ParamAttrDef.from_pyrdl
#: What is annotated and never a parameter; None where this xDSL does not say.
_IGNORED: frozenset[str] | None = getattr(irdl, "_IGNORED_PARAM_ATTR_FIELD_TYPES", None)
#: Whether annotations are made when they are asked for (PEP 749).
_LAZY_ANNOTATIONS = sys.hexversion >= 0x30E0000


class Later(irdl.ParamAttrDef):
    """A definition that becomes an ordinary one when more is asked of it than names."""

    def __init__(self, pyrdl_def: type[ParametrizedAttribute]) -> None:
        self._attribute = pyrdl_def

    def __getattr__(self, name: str) -> Any:
        if name == "parameters":
            self.parameters = found = self._early()
            return found
        if name != "name":
            raise AttributeError(name)
        return self._become().name

    def _early(self) -> list[tuple[str, Any]]:
        """The parameters, as far as names say."""
        names = _parameter_names(self._attribute)
        if names is None:
            return self._become().parameters
        return [(name, _Parameter(self, at)) for at, name in enumerate(names)]

    def verify(self, attr: ParametrizedAttribute) -> None:
        if self.parameters:
            self._become().verify(attr)

    def __eq__(self, other: object) -> bool:
        return self._become() == other

    def __repr__(self) -> str:
        return repr(self._become())

    def _become(self) -> irdl.ParamAttrDef:
        if type(self) is Later:  # who has it may ask twice
            found = _plain(self._attribute)
            self.__class__ = irdl.ParamAttrDef  # pyright: ignore[reportAttributeAccessIssue]
            vars(self).clear()
            vars(self).update(vars(found))
        return self


class _Parameter:
    """Stands for a `ParamDef` of which nothing but the place is known."""

    def __init__(self, definition: Later, at: int) -> None:
        self._definition = definition
        self._at = at

    def __getattr__(self, name: str) -> Any:
        return getattr(Later._become(self._definition).parameters[self._at][1], name)


def _parameter_names(attribute: type[ParametrizedAttribute]) -> list[str] | None:
    """The names of an attribute's parameters: what is annotated and no constant of its class; None
    if the annotations themselves have to be asked."""
    if _IGNORED is None or _LAZY_ANNOTATIONS:
        return None
    names: dict[str, None] = {}
    for parent in reversed(attribute.__mro__):
        for name, annotation in (vars(parent).get("__annotations__") or {}).items():
            if name in _IGNORED:
                continue
            if not isinstance(annotation, str):
                return None
            if not name.isupper():  # as constants have to be
                names[name] = None
            elif not _is_constant(annotation, parent):
                return None
    return list(names)


def _is_constant(annotation: str, parent: type) -> bool:
    """Whether an annotation says at its beginning that it is that of a variable of the class."""
    known = vars(sys.modules[parent.__module__]).get("ClassVar") is typing.ClassVar
    return known and annotation.startswith("ClassVar[")


@contextmanager
def definitions_later() -> Generator[None]:
    """Within it, xDSL's attributes are defined without their parameters, which they find when
    asked."""
    irdl.ParamAttrDef.from_pyrdl = staticmethod(Later)
    try:
        yield
    finally:
        irdl.ParamAttrDef.from_pyrdl = staticmethod(_plain)
