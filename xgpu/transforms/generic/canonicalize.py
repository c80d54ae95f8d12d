# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`canonicalize`: folds and canonicalization patterns of all dialects, greedily."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from xgpu.core.ir.errors import error
from xgpu.core.ir.op_info import op_info
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.greedy import apply_patterns

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.core.rewriting.greedy import Pattern


class CanonicalizationPatterns(Mapping[str, "Sequence[Pattern]"]):
    """The patterns of every operation, each dialect's loaded when it is first met."""

    def __init__(self, disabled: Sequence[str] = (), enabled: Sequence[str] = ()) -> None:
        self.known: dict[str, Sequence[Pattern]] = {}
        self.disabled = disabled
        self.enabled = enabled

    def get(self, key: str, default: object = None) -> Sequence[Pattern]:  # type: ignore[override]
        found = self.known.get(key)
        if found is None:
            found = op_info(key).canonicalizations
            if self.disabled or self.enabled:
                found = [p for p in found if self._wanted(p)]
            self.known[key] = found
        return found

    def _wanted(self, pattern: Pattern) -> bool:
        name = getattr(pattern, "__name__", "")
        if self.enabled and name not in self.enabled:
            return False
        return name not in self.disabled

    def __getitem__(self, key: str) -> Sequence[Pattern]:
        return self.get(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)


class Canonicalizer(Pass):
    """Folds, canonicalizes and erases what is dead, until nothing changes."""

    name = "canonicalize"
    summary = "Canonicalize operations"
    options = (
        Option("top-down", bool, True, "Seed the worklist in general top-down order"),
        Option(
            "region-simplify",
            str,
            "normal",
            "Perform control flow optimizations to the region tree",
            ("disabled", "normal", "aggressive"),
        ),
        Option("max-iterations", int, 10, "Max. iterations between applying patterns"),
        Option("max-num-rewrites", int, -1, "Max. number of pattern rewrites within an iteration"),
        Option("test-convergence", bool, False, "Fail on non-convergence to detect cycles"),
        Option("disable-patterns", list, (), "Names of patterns to leave out"),
        Option("enable-patterns", list, (), "Names of patterns to use, and no others"),
    )

    top_down: bool
    region_simplify: str
    max_iterations: int
    max_num_rewrites: int
    test_convergence: bool
    disable_patterns: Sequence[str]
    enable_patterns: Sequence[str]

    def run(self, op: Operation, ctx: Context) -> None:
        converged = apply_patterns(
            op,
            CanonicalizationPatterns(self.disable_patterns, self.enable_patterns),
            top_down=self.top_down,
            simplify=None if self.region_simplify == "disabled" else self.region_simplify,
            max_iterations=self.max_iterations,
            max_rewrites=self.max_num_rewrites,
        )
        if self.test_convergence and not converged:
            raise error(op, "canonicalization does not converge")
