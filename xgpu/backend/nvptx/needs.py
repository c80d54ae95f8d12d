# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What instructions need: the chip, and the PTX version.

LLVM ends the process where it cannot select an instruction, so what a module calls is looked at
before. The numbers are those of LLVM 22.1's NVPTX; tests/unit/backend/test_nvptx_needs.py compares
them with what LLVM selects.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xgpu.ir.errors import Diagnostic, DiagnosticError

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr

#: Instructions, by the beginnings of their names (`llvm.nvvm.` of an intrinsic left out) -> for
#: chips from a number on, the PTX version (times ten). The first that matches counts.
NEEDS: tuple[tuple[str, tuple[tuple[int, int], ...]], ...] = (
    (r"(?:ff|f16x2)\.to\.e(?:4m3|5m2)x2|e(?:4m3|5m2)x2\.to\.f16x2", ((89, 81), (90, 78))),
    (r"f2tf32\.r[nz](?:\.|$)", ((90, 78),)),
    (r"f2tf32", ((80, 70),)),
    (r"cp\.async\.bulk|cp\.reduce\.async\.bulk|elect\.sync", ((90, 80),)),
    (r"cp\.async|mbarrier|redux\.sync|mma\.m16n8k16", ((80, 70),)),
    (r"barrier\.cluster|read\.ptx\.sreg\.cluster|griddepcontrol|stmatrix", ((90, 78),)),
    (r"ldmatrix", ((75, 65),)),
    (r"nanosleep", ((70, 63),)),
)
#: Instructions of single architectures (`sm_90a`, ...): the first and last number that has them.
SPECIFIC: tuple[tuple[str, int, int], ...] = (
    (r"wgmma", 90, 90),
    (r"setmaxnreg", 90, 999),
    (r"tcgen05", 100, 119),
    (r"ff\.to\.(?:e2m1|e2m3|e3m2|ue8m0)x2|(?:e2m1|e2m3|e3m2|ue8m0)x2\.to", 100, 999),
)

_INTRINSIC = re.compile(r"@llvm\.nvvm\.([\w.]+)")
_ASSEMBLY = re.compile(r'\basm [^"]*"([^"]*)"')
_WORD = re.compile(r"\b(?:cp|elect|mbarrier|redux|mma|barrier|griddepcontrol|stmatrix)\.[\w.]+")


def needed_version(text: str, chip: str, location: LocationAttr | None = None) -> int:
    """The PTX version (times ten) that the instructions of LLVM IR `text` need on `chip`; 0 if any
    does. Errors: `DiagnosticError` for what the chip does not have."""
    number, specific = int(re.sub(r"\D", "", chip)), not chip[-1].isdigit()
    version = 0
    for name in sorted(set(_INTRINSIC.findall(text))):
        for pattern, least, last in SPECIFIC:
            if re.match(pattern, name) and (not specific or not least <= number <= last):
                raise _error(name, chip, f"a chip like sm_{least}a", location)
        versions = _versions(name)
        fitting = [v for least, v in versions if least <= number]
        if versions and not fitting:
            raise _error(name, chip, f"sm_{versions[0][0]} or newer", location)
        version = max(version, min(fitting, default=0))
    # What stands in inline assembly is checked by the assembler; the version must let it in.
    for body in set(_ASSEMBLY.findall(text)):
        for name in _WORD.findall(body):
            fitting = [v for least, v in _versions(name) if least <= number]
            version = max(version, min(fitting, default=0))
    return version


def _versions(name: str) -> tuple[tuple[int, int], ...]:
    for pattern, versions in NEEDS:
        if re.match(pattern, name):
            return versions
    return ()


def _error(name: str, chip: str, wanted: str, location: LocationAttr | None) -> DiagnosticError:
    return DiagnosticError(
        Diagnostic("error", f"'llvm.nvvm.{name}' needs {wanted}, not chip '{chip}'", location)
    )
