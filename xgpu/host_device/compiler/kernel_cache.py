# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code of a kernel module for the host, made or taken from the cache."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from xgpu.core.support.cache import KERNELS
from xgpu.host_device.compiler.objects import Specialized, Why, find_module
from xgpu.host_device.machine.cpu import description

if TYPE_CHECKING:
    from xgpu.host_device.compiler.bounds_checks import Checks
    from xgpu.host_device.compiler.objects import Dims
    from xgpu.host_device.compiler.specialize import KernelSource


class KernelCode:
    """A kernel module as text, and its code, which with `has_bounds` checks that kernels stay in
    the arrays that they get."""

    def __init__(
        self, text: str, has_bounds: bool = False, source: KernelSource | None = None
    ) -> None:
        self.text = text
        self.has_bounds = has_bounds
        #: Whether the text says all of the module, so that code of it can be in the cache.
        self.is_cached = True
        self._compiled = find_module(text)
        self._source = source
        #: What `threads` gives, by level, of code that is not in the cache.
        self._threads: dict[int, tuple[bytes, list[str], set[str], Checks]] = {}

    @property
    def source(self) -> KernelSource:
        """The module: the operation where this process has compiled it, else read when it is
        needed."""
        if self._source is None:
            from xgpu.host_device.compiler.specialize import KernelSource

            self._source = KernelSource(self.text, self.has_bounds, self._compiled)
        return self._source

    def specialized(
        self, kernel: str, block: Dims, opt_level: int, is_small: bool = True,
        strategy: str = "auto",
    ) -> Specialized:  # fmt: skip
        """What `kernel` gets for blocks of that size: the fastest strategy, or the given one."""
        key = self._key(kernel, block, opt_level, is_small, strategy)
        found = self._find(key)
        if found is not None:
            (used, reasons, symbols, independent, checks), code = found
            whys = [Why(*why) for why in reasons]
            return Specialized(used, whys, code or None, symbols, independent, checks)
        made, is_defect = self.source.compile(kernel, block, opt_level, is_small, strategy)
        if not is_defect:
            facts = [made.strategy, made.reasons, made.symbols, made.is_independent, made.checks]
            self._put(key, facts, made.code or b"")
        return made

    def threads(self, opt_level: int) -> tuple[bytes, list[str], set[str], Checks]:
        """Code in which each thread is by itself, the symbols that it needs, which kernels are
        coroutines, and its checks of bounds."""
        if not self.is_cached:
            known = self._threads.get(opt_level)
            if known is None:
                known = self._threads[opt_level] = self.source.threads(opt_level)
            return known
        key = self._key("", (0, 0, 0), opt_level, True, "threads")
        found = self._find(key)
        if found is not None:
            (symbols, suspending, checks), code = found
            return code, symbols, set(suspending), checks
        code, symbols, suspending, checks = self.source.threads(opt_level)
        self._put(key, [symbols, sorted(suspending), checks], code)
        return code, symbols, suspending, checks

    def _find(self, key: str) -> tuple[Any, bytes] | None:
        data = KERNELS.get(key) if self.is_cached else None
        if data is None:
            return None
        end = 8 + int.from_bytes(data[:8], "little")
        return json.loads(data[8:end]), data[end:]

    def _put(self, key: str, facts: object, code: bytes) -> None:
        if self.is_cached:
            head = json.dumps(facts).encode()
            KERNELS.put(key, len(head).to_bytes(8, "little") + head + code)

    def _key(self, kernel: str, block: Dims, opt_level: int, is_small: bool, strategy: str) -> str:
        return KERNELS.key(
            machine=description(), module=self.text, has_bounds=self.has_bounds, kernel=kernel,
            block=block, opt_level=opt_level, is_small=is_small, strategy=strategy,
        )  # fmt: skip
