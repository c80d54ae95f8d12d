# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What instructions need: the chip, and the PTX version.

LLVM ends the process where it cannot select an instruction, so what a module calls is looked at
before. `needs.txt` says what LLVM 22.1 selects, intrinsic by intrinsic; what is here besides is
what the assembler needs, or stands in inline assembly.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.support.files import data_text

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr

    from xgpu.backend.llvm_ir.parts import Uses


# -- versions of PTX


#: PTX versions (times ten) that LLVM 22.1's NVPTX can write.
PTX_VERSIONS = frozenset(
    (32, 40, 41, 42, 43, 50, *range(60, 66), *range(70, 79), *range(80, 89), 90)
)


#: Instructions, by the beginnings of their names (`llvm.nvvm.` of an intrinsic left out) -> for
#: chips from a number on, the PTX version (times ten). The first that matches counts.
NEEDS: tuple[tuple[str, tuple[tuple[int, int], ...]], ...] = (
    (r"(?:ff|f16x2)\.to\.e(?:4m3|5m2)x2|e(?:4m3|5m2)x2\.to\.f16x2", ((89, 81), (90, 78))),
    (r"f2tf32\.r[nz](?:\.|$)", ((90, 78),)),
    (r"f2tf32", ((80, 70),)),
    (r"cp\.async\.bulk|cp\.reduce\.async\.bulk|elect\.sync", ((90, 80),)),
    (r"cp\.async|mbarrier|redux\.sync|mma\.m16n8k16", ((80, 70),)),
    (r"barrier\.cluster|read\.ptx\.sreg\.cluster|griddepcontrol|stmatrix", ((90, 78),)),
    (r"nanosleep", ((70, 63),)),
)
#: Instructions of single architectures (`sm_90a`, ...): the first and last number that has them.
SPECIFIC: tuple[tuple[str, int, int], ...] = (
    (r"wgmma", 90, 90),
    (r"setmaxnreg", 90, 999),
    (r"tcgen05", 100, 119),
    (r"ff\.to\.(?:e2m1|e2m3|e3m2|ue8m0)x2|(?:e2m1|e2m3|e3m2|ue8m0)x2\.to", 100, 999),
)

_PREFIX = "llvm.nvvm."
_WORD = re.compile(r"\b(?:cp|elect|mbarrier|redux|mma|barrier|griddepcontrol|stmatrix)\.[\w.]+")


def needed_version(uses: Uses, chip: str, location: LocationAttr | None = None) -> int:
    """The PTX version (times ten) that the instructions of a module need on `chip`; 0 if any does.
    Errors: `DiagnosticError` for what the chip does not have."""
    number, specific = int(re.sub(r"\D", "", chip)), not chip[-1].isdigit()
    version = 0
    called = sorted(n for n in uses.intrinsics if n.startswith(_PREFIX))
    for name in (n.removeprefix(_PREFIX) for n in called):
        chips = selected().get(_without_spaces(name))
        if chips is not None and chip[3:] not in chips:
            raise _error(name, chip, _wanted(chips), location)
        if chips:
            version = max(version, chips[chip[3:]])
        for pattern, least, last in SPECIFIC:
            if re.match(pattern, name) and (not specific or not least <= number <= last):
                raise _error(name, chip, f"a chip like sm_{least}a", location)
        versions = _versions(name)
        fitting = [v for least, v in versions if least <= number]
        if versions and not fitting:
            raise _error(name, chip, f"sm_{versions[0][0]} or newer", location)
        version = max(version, min(fitting, default=0))
    # What stands in inline assembly is checked by the assembler; the version must let it in.
    for body in uses.assembly:
        for name in _WORD.findall(body):
            fitting = [v for least, v in _versions(name) if least <= number]
            version = max(version, min(fitting, default=0))
    return version


@cache
def selected() -> dict[str, dict[str, int]]:
    """For each intrinsic that we have asked LLVM about: chips that have it, with PTX versions."""
    found: dict[str, dict[str, int]] = {}
    for block in data_text(__file__, "needs.txt").split("\n\n")[1:]:
        row, _, names = block.partition("\n")
        pairs = [entry.partition("/") for entry in row.split()]
        chips = {chip: int(version or 0) for chip, _, version in pairs}
        found.update(dict.fromkeys(map(_without_spaces, names.split()), chips))
    return found


def is_known(name: str) -> bool:
    """Whether `needed_version` knows all that an intrinsic needs, by its whole name."""
    return name.startswith(_PREFIX) and _without_spaces(name.removeprefix(_PREFIX)) in selected()


def _without_spaces(name: str) -> str:
    """An intrinsic's name without the address spaces of its operands, which LLVM adds to it."""
    return re.sub(r"(?:\.p\d+)+$", "", name)


def _wanted(chips: dict[str, int]) -> str:
    """Which chips have an instruction, in words."""
    generic = sorted(int(c) for c in chips if c.isdigit())
    if generic:
        return f"sm_{generic[0]} or newer"
    if not chips:
        return "a chip that LLVM does not know"
    return f"a chip like sm_{min(chips, key=lambda c: (int(c[:-1]), c[-1]))}"


def _versions(name: str) -> tuple[tuple[int, int], ...]:
    for pattern, versions in NEEDS:
        if re.match(pattern, name):
            return versions
    return ()


def _error(name: str, chip: str, wanted: str, location: LocationAttr | None) -> DiagnosticError:
    return DiagnosticError(
        Diagnostic("error", f"'llvm.nvvm.{name}' needs {wanted}, not chip '{chip}'", location)
    )
