# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of llvm and nvvm that are one call of an LLVM intrinsic, as a table."""

from __future__ import annotations

import re

from tools.tables.records import INCLUDE, Record

_ENUMS = ("IntrinsicEnums.inc", "IntrinsicsNVPTX.h")
_PLAIN = re.compile(
    r"createIntrinsicCall\(\s*builder, moduleTranslation, &opInst, llvm::Intrinsic::(\w+),(\d),"
    r"\{(.*?)\},\{(.*?)\},\{(.*?)\},\{(.*?)\}\)"
)


def intrinsic_names() -> dict[str, str]:
    """Enumerator (`nvvm_barrier0`) -> intrinsic (`llvm.nvvm.barrier0`), from LLVM's headers."""
    names: dict[str, str] = {}
    for file in _ENUMS:
        text = (INCLUDE / "llvm" / "IR" / file).read_text()
        names.update(re.findall(r"^\s*(\w+)(?: = \d+)?,\s*// (llvm\.[\w.]+)", text, re.MULTILINE))
    return names


def intrinsic_row(op: Record, names: dict[str, str]) -> tuple[str, str, str] | None:
    """An operation's intrinsic, operand positions of immediates, and the properties that these
    come from; None if it is more than one call."""
    match = _PLAIN.search(op.get("llvmBuilder") or "")
    if match is None:
        return None
    positions = " ".join(re.findall(r"\d+", match[5]))
    return names[match[1]], positions, " ".join(re.findall(r'"(\w+)"', match[6]))
