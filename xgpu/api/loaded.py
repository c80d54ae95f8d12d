# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program that was compiled, and its kernel modules on the device: what kernels, functions and
the module that has them share."""

from __future__ import annotations

import copy
import ctypes
import functools
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, TypeVar, cast

from xgpu.api import build
from xgpu.api.devices.interface import Backend
from xgpu.core.ir.errors import ArgumentValueError
from xgpu.core.support.forks import new_rlock

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


_T = TypeVar("_T")


class Loaded:
    """A program for `backend`. Its images are loaded when a kernel first needs them."""

    def __init__(
        self, source: str | ModuleOp, filename: str, backend: Backend, options: build.Options,
        libraries: tuple[ctypes.CDLL, ...], output: Callable[[str], None],
        bounds: bool | None = None, shown: tuple[str, str] | None = None,
    ) -> None:  # fmt: skip
        #: The program as it came: text, or a module.
        self.source = source
        self.filename = filename
        self.backend = backend
        self.options = options
        self.libraries = libraries
        self.output = output
        #: Whether kernels are kept in their arrays; None: as the environment says.
        self.bounds = bounds
        #: The file's name and text that locations are of, where that is not the source's.
        self.shown = shown
        self.built = build.build(source, filename, options, backend)
        self._images: dict[str, int] = {}
        self._lock = new_rlock()
        self.closed = False
        self._remembered: dict[Hashable, object] = {}
        self._elsewhere: tuple[Backend, Loaded] | None = None

    def on(self, backend: Backend) -> Loaded:
        """The same program for another device that takes the same code; it ends with this one."""
        with self._lock:
            found = self._elsewhere
            if found is None or found[0] is not backend:
                other = copy.copy(self)
                other.backend = backend
                other._images, other._remembered, other._elsewhere = {}, {}, None
                found = self._elsewhere = backend, other
            return found[1]

    def image(self, name: str) -> int:
        """The device's handle of a gpu.module."""
        with self._lock:
            if self.closed:
                raise ArgumentValueError("the module is closed")
            if name not in self._images:
                if self.shown is not None:
                    self.backend.name_source(*self.shown)
                elif isinstance(self.source, str):
                    self.backend.name_source(self.filename, self.source)
                self._images[name] = self.backend.load(self.built.images[name], self.bounds)
            return self._images[name]

    def __del__(self) -> None:
        images = getattr(self, "_images", None)
        if images:
            backend, handles = self.backend, list(images.values())
            for image in handles:
                backend.later(functools.partial(backend.unload, image))

    def close(self) -> bool:
        """Give the images back; whether they have not been before."""
        with self._lock:
            if self.closed:
                return False
            self.closed = True
            images, self._images = list(self._images.values()), {}
            elsewhere, self._elsewhere = self._elsewhere, None
        _unload(self.backend, images)
        if elsewhere is not None:
            elsewhere[1].close()
        return True

    def remembered(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """What `make` gave for `key` when it was first asked for."""
        with self._lock:
            if key not in self._remembered:
                self._remembered[key] = make()
            return cast("_T", self._remembered[key])


def _unload(backend: Backend, images: list[int]) -> None:
    """Give kernel modules back; where one fails, the others are given back by the next call."""
    for image in images:
        backend.later(functools.partial(backend.unload, image))
    backend.collect()
