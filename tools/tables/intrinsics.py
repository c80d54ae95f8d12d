# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of llvm and nvvm that are one call of an LLVM intrinsic, as a table."""

from __future__ import annotations

import re

from tools.tables.records import INCLUDE, Record, Records

_ENUMS = ("IntrinsicEnums.inc", "IntrinsicsNVPTX.h")
_PLAIN = re.compile(
    r"createIntrinsicCall\(\s*builder, moduleTranslation, &opInst, llvm::Intrinsic::(\w+),(\d),"
    r"\{(.*?)\},\{(.*?)\},\{(.*?)\},\{(.*?)\}\)"
)
_FIXED = re.compile(
    r"^\s*(?:\$\w+ = )?createIntrinsicCall\(builder, llvm::Intrinsic::(\w+)"
    r"(?:, \{([^{}]*)\})?\);\s*$"
)


def intrinsic_names() -> dict[str, str]:
    """Enumerator (`nvvm_barrier0`) -> intrinsic (`llvm.nvvm.barrier0`), from LLVM's headers."""
    names: dict[str, str] = {}
    for file in _ENUMS:
        text = (INCLUDE / "llvm" / "IR" / file).read_text()
        names.update(re.findall(r"^\s*(\w+)(?: = \d+)?,\s*// (llvm\.[\w.]+)", text, re.MULTILINE))
    return names


def intrinsic_row(records: Records, op: Record, names: dict[str, str]) -> tuple[object, ...] | None:
    """An operation's intrinsic, or None if it is more than one call.

    (intrinsic, indices of results and of operands whose types its name states, operand positions of
    immediates, the properties that these come from), or (intrinsic, operand names) where the
    arguments are listed.
    """
    builder = op.get("llvmBuilder") or ""
    if match := _PLAIN.search(builder):
        results, operands, positions = (_numbers(match[i]) for i in (3, 4, 5))
        attributes = tuple(re.findall(r'"(\w+)"', match[6]))
        return (names[match[1]], results, operands, positions, attributes)
    if match := _FIXED.match(builder):
        arguments = tuple(re.findall(r"\$(\w+)", match[2] or ""))
        return (names[match[1]], arguments)
    return None


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))
