# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes that are computed when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class once(Generic[T]):
    """As `functools.cached_property` is from Python 3.12 on: without a lock, which in a forked
    process might be held by a thread that is not there. Two threads may compute one value each."""

    def __init__(self, compute: Callable[..., T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> once[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> once[T] | T:
        if instance is None:
            return self
        value = self._compute(instance)
        instance.__dict__[self._name] = value
        return value
