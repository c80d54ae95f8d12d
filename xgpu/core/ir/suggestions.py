# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an unknown name may mean: something that MLIR has and xgpu does not, or a misspelling."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from xgpu.core.ir.services import other_passes
from xgpu.core.support.files import data_text
from xgpu.version import MLIR_VERSION


def mlir_names(kind: str) -> frozenset[str]:
    """The names that MLIR has of a kind, which is a heading of `mlir_names.txt`: `passes`,
    `pipelines`, `dialects`, `options of mlir-opt`. KeyError if there is no such kind."""
    return _mlir_names()[kind]


@cache
def _mlir_names() -> dict[str, frozenset[str]]:
    """The file, which `tools/generate_mlir_names.py` writes, by heading."""
    found: dict[str, frozenset[str]] = {}
    for part in data_text(__file__, "mlir_names.txt").split("\n\n")[1:]:
        heading, _, names = part.partition("\n")
        found[heading[1:-1]] = frozenset(names.split())
    return found


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is nearest to `name`, if any is near; of several as near the one that
    begins with more of it: `addi` for `adi`, not `andi`."""
    from difflib import SequenceMatcher, get_close_matches  # only a mistake pays for this import

    found = get_close_matches(name, list(known), 4, 0.6)
    ratios = [SequenceMatcher(None, other, name).ratio() for other in found]
    best = [other for other, ratio in zip(found, ratios, strict=True) if ratio == ratios[0]]
    return max(best, key=lambda other: _common_begin(other, name), default=None)


def _common_begin(a: str, b: str) -> int:
    """With how many characters both begin."""
    return next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))


def lacks(name: str, tool: str = "mlir-opt", *, options: bool = False) -> str | None:
    """What is said of a pass or pipeline that MLIR has; with `options`, of an option of MLIR's
    `tool` too. None of any other name."""
    where = f"MLIR {MLIR_VERSION} has it, xgpu does not"
    if name in mlir_names("passes"):
        return f"a pass; {where} (docs/reference/passes.md lists both)"
    if name in mlir_names("pipelines"):
        return f"a pipeline; {where} (docs/reference/passes.md lists both)"
    known = mlir_names(f"options of {tool}") | mlir_names("options of mlir-opt")
    if options and name in known:
        return f"an option of {tool}; {where}"
    return None


def unknown_pass(name: str, known: Iterable[str], dashes: str = "") -> str:
    """What is said behind an unknown name of a pass: that MLIR has it, or the nearest one."""
    missing = lacks(name, options=bool(dashes))
    of_xdsl = name in other_passes().passes_of_xdsl()
    if missing is None and of_xdsl:
        missing = "a pass of xDSL's, not of xgpu's"
    if missing is not None:
        return f": {missing}" + (f"; -p {name} runs xDSL's pass of this name" if of_xdsl else "")
    near = nearest(name, [*known, *(other for other, _ in other_passes().installed_passes())])
    return f", did you mean '{dashes}{near}'?" if near else ""


def lacks_dialect(name: str) -> str | None:
    """What is said of a dialect that MLIR has and xgpu does not; None of any other name."""
    if name not in mlir_names("dialects"):
        return None
    return f"MLIR {MLIR_VERSION} has the dialect '{name}', xgpu does not"
