# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forked processes: a child has none of the threads of its parent, and begins anew.

What the parent's threads had not done by then remains the parent's: the child neither does it nor
waits for it. Locks that they held are free: what they guard is changed in steps that the
interpreter's lock keeps whole. Objects that mean nothing in another process say so.
"""

from __future__ import annotations

import os
import threading
import warnings
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Generic, NoReturn, Protocol, TypeVar, cast, overload

from xgpu.core.support.llvm_use import lock_of_llvm


class Threaded(Protocol):
    def begin_anew(self) -> None:
        """Forget threads, what they were given, and locks that they may have held."""


_known: weakref.WeakSet[Threaded] = weakref.WeakSet()


class Process:
    """This one: a forked one is another. What was made in a process keeps it."""

    current: Process

    def __init__(self) -> None:
        self._number = os.getpid()

    @property
    def is_running(self) -> bool:
        """Whether it is this one. Unlike a look at `current` it says so from the fork on: the
        interpreter drops what the parent's threads had, and with it runs destructors, before it
        runs `_after_fork`.
        """
        return self is Process.current and self._number == os.getpid()


Process.current = Process()


def begins_anew(threaded: Threaded) -> None:
    """Let something know when this is a forked process."""
    _known.add(threaded)


class _Lock(Protocol):
    def _at_fork_reinit(self) -> None:
        """Be free, in a forked process."""


_locks: weakref.WeakSet[_Lock] = weakref.WeakSet()


def new_lock() -> threading.Lock:
    """A lock that is free in a forked process."""
    made = threading.Lock()
    _locks.add(cast("_Lock", made))
    return made


def new_rlock() -> threading.RLock:
    """A lock that its holder may take again, free in a forked process."""
    made = threading.RLock()
    _locks.add(cast("_Lock", made))
    return made


_held: list[Callable[[], AbstractContextManager[object] | None]] = []


_holding: list[AbstractContextManager[object]] = []


def holds_off_forks(lock: Callable[[], AbstractContextManager[object] | None]) -> None:
    """Let no fork happen while another thread holds a lock, which guards what a fork in the middle
    would leave broken; it is asked for before each fork, None if there is none yet."""
    _held.append(lock)


def _before_fork() -> None:
    for found in (*_held, lock_of_llvm):  # a thread with one of those may wait for it
        lock = found()
        if lock is not None:
            lock.__enter__()
            _holding.append(lock)


def _forked() -> None:
    while _holding:
        _holding.pop().__exit__(None, None, None)


def _after_fork() -> None:
    _forked()
    Process.current = Process()
    for lock in list(_locks):
        lock._at_fork_reinit()  # as Python does with those of its own library
    for threaded in list(_known):
        threaded.begin_anew()


def fork_for_llvm() -> int:
    """`os.fork`, for a child that has LLVM do something: it finds llvmlite's lock free, as the
    child of any fork does (`llvm_use.lock_of_llvm`)."""
    with warnings.catch_warnings():
        # Python warns of other threads, whose locks the child could wait for: it takes none.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_forked, after_in_child=_after_fork)


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


class OfOneProcess:
    """An object with handles or addresses, which mean nothing in another process: it can be neither
    pickled nor copied by `copy`."""

    __slots__ = ()

    #: What can be handed on instead.
    _instead = "the program's text"

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{self!r} belongs to its process: hand on {self._instead} instead")
