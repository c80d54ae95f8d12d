# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel in each strategy, at several levels: passes run once a strategy, LLVM once a level."""

from __future__ import annotations

from typing import Any

from tests.support.kernel_launch import Launcher
from xgpu.core.ir.construction import clone_operation
from xgpu.host_device.abi.structs import LAUNCH_PLAIN, LAUNCH_THREADS
from xgpu.host_device.compiler.bounds_checks import Checks, check_module
from xgpu.host_device.compiler.code import NoRegions
from xgpu.host_device.compiler.compiler import host_text, to_threads
from xgpu.host_device.compiler.kernel_cache import KernelCode
from xgpu.host_device.compiler.objects import Dims, Specialized, Why, read_object
from xgpu.host_device.compiler.specialize import KernelSource
from xgpu.host_device.device.modules import KernelStrategies
from xgpu.host_device.machine.cpu import compile_ir

STRATEGIES = ("block-loops", "warps", "threads")


class _Code(Specialized):
    """Code of any strategy."""

    __slots__ = ("kind",)
    kind: int

    @property
    def coroutines(self) -> int:
        return super().coroutines if self.strategy == "warps" else self.kind


class _Given(KernelStrategies):
    """Has nothing made: there is the code."""

    __slots__ = ("code",)

    def __init__(self, code: Specialized) -> None:
        super().__init__()
        self.code = code

    def choose(
        self, source: KernelCode, kernel: str, block: Dims, opt_level: int, is_small: bool = True
    ) -> Specialized:
        return self.code


class StrategyCodes:
    """The code of `kernel` in an object for the host, for blocks of one size; it checks that the
    kernel stays in its arrays."""

    def __init__(self, data: bytes, kernel: str, block: tuple[int, int, int]) -> None:
        self._data = data
        self._source = KernelSource(read_object(data)[2], has_bounds=True)
        self._kernel = kernel
        self._block = block
        self._texts: dict[str, tuple[str, list[str], int, Checks]] = {}
        #: Why the kernel does not have a strategy.
        self.reasons: list[Why] = []

    def has(self, strategy: str) -> bool:
        """Whether the kernel has that strategy."""
        try:
            self._text(strategy)
        except NoRegions as why:
            self.reasons.append(Why(strategy, str(why), None))
            return False
        return True

    def _text(self, strategy: str) -> tuple[str, list[str], int, Checks]:
        """LLVM IR, the symbols that it needs, whose coroutines it has, and its checks of bounds."""
        found = self._texts.get(strategy)
        if found is None:
            checks: Checks = []
            if strategy == "threads":
                module = clone_operation(self._source.module)
                check_module(module, checks)
            else:
                source = self._source
                module = source.specialized_ir(strategy, self._kernel, self._block, checks=checks)
            state = to_threads(module)
            suspends = self._kernel in state.suspending
            kind = LAUNCH_THREADS if suspends else LAUNCH_PLAIN
            found = self._texts[strategy] = (
                host_text(module), sorted(state.declared), kind, checks
            )  # fmt: skip
        return found

    def launch(self, strategy: str, level: int, grid: Any, *arguments: Any) -> None:
        """Launches the code of a strategy, as LLVM makes it at that level."""
        text, symbols, kind, checks = self._text(strategy)
        code = _Code(strategy, (), compile_ir(text, level), symbols, checks=checks)
        code.kind = kind
        launcher = Launcher(self._data, strategies=_Given(code), bounds=True)
        try:
            launcher.launch(self._kernel, grid, self._block, *arguments)
        finally:
            launcher.close()
