# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code of a kernel module for the host, made or taken from the user's cache.

The key is all that it depends on: the module's text, the kernel, the size of its blocks, the level,
this machine, and the versions of what makes it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from xgpu.core.support import cache
from xgpu.core.support.toolchain import toolchain
from xgpu.host_device.compiler.machine import description
from xgpu.host_device.compiler.objects import Specialized, Why

if TYPE_CHECKING:
    from xgpu.host_device.compiler.objects import Dims
    from xgpu.host_device.compiler.specialize import KernelSource
    from xgpu.host_device.sanitizer.instrument.bounds import Checks

_KIND = "kernels"


class KernelCode:
    """A kernel module as text, and its code, which with `has_bounds` checks that kernels stay in
    the arrays that they get."""

    def __init__(self, text: str, has_bounds: bool = False) -> None:
        self.text = text
        self.has_bounds = has_bounds
        #: Whether the text says all of the module, so that code of it can be kept.
        self.is_kept = True
        self._source: KernelSource | None = None

    @property
    def source(self) -> KernelSource:
        """The module, read when it is needed."""
        if self._source is None:
            from xgpu.host_device.compiler.specialize import KernelSource

            self._source = KernelSource(self.text, self.has_bounds)
        return self._source

    def specialized(
        self, kernel: str, block: Dims, opt_level: int, is_small: bool = True, form: str = "auto"
    ) -> Specialized:
        """What `kernel` gets for blocks of that size: the fastest form, or the one asked for."""
        key = self._key(kernel, block, opt_level, is_small, form)
        kept = self._find(key)
        if kept is not None:
            (found, reasons, symbols, independent, checks), code = kept
            whys = [Why(*why) for why in reasons]
            return Specialized(found, whys, code or None, symbols, independent, checks)
        made, is_defect = self.source.compile(kernel, block, opt_level, is_small, form)
        if not is_defect:
            facts = [made.form, made.reasons, made.symbols, made.is_independent, made.checks]
            self._keep(key, facts, made.code or b"")
        return made

    def threads(self, opt_level: int) -> tuple[bytes, list[str], set[str], Checks]:
        """Code in which each thread is by itself, the symbols that it needs, which kernels are
        coroutines, and its checks of bounds."""
        key = self._key("", (0, 0, 0), opt_level, True)
        kept = self._find(key)
        if kept is not None:
            (symbols, suspending, checks), code = kept
            return code, symbols, set(suspending), checks
        code, symbols, suspending, checks = self.source.threads(opt_level)
        self._keep(key, [symbols, sorted(suspending), checks], code)
        return code, symbols, suspending, checks

    def _find(self, key: str) -> tuple[Any, bytes] | None:
        return _unpacked(cache.get(_KIND, key)) if self.is_kept else None

    def _keep(self, key: str, facts: object, code: bytes) -> None:
        if self.is_kept:
            cache.put(_KIND, key, _packed(facts, code))

    def _key(self, *facts: object) -> str:
        return json.dumps([toolchain(), description(), facts, self.has_bounds, self.text])


def _packed(facts: object, code: bytes) -> bytes:
    head = json.dumps(facts).encode()
    return len(head).to_bytes(8, "little") + head + code


def _unpacked(data: bytes | None) -> tuple[Any, bytes] | None:
    if data is None:
        return None
    end = 8 + int.from_bytes(data[:8], "little")
    return json.loads(data[8:end]), data[end:]
