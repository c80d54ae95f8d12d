# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Declarations of the CUDA driver's functions in C, by the types of their parameters: the table's,
those of a header, and those of cuda-bindings."""

from __future__ import annotations

import re

from xgpu.api.cuda_driver.table import Function

_PARAMETER = re.compile(r"(?P<const>const )?(?P<kind>.+?) ?(?P<stars>\**) ?\w+(?P<array>\[\d*\])?")

#: Types that the table has for others of the same size: what C says, and what the table says.
_SAME_SIZE = {
    ("const CUgraphNode**", "void**"), ("const CUgraphEdgeData**", "void**"),
    ("CUexecAffinityParam*", "const void*"), ("CUkernelNodeAttrID", "CUlaunchAttributeID"),
    ("CUkernelNodeAttrValue*", "void*"), ("const CUkernelNodeAttrValue*", "const void*"),
    ("CUdevice", "int"),  # -1 is the host
}  # fmt: skip


def parameter_types(declared: str) -> list[str]:
    """Of what stands between the parentheses, in order: `const char *name, int n` is `const char*`
    and `int`. An array is a pointer."""
    return [_type(text) for text in declared.split(",") if text.strip() not in ("", "void")]


def _type(text: str) -> str:
    match = _PARAMETER.fullmatch(" ".join(text.split()))
    assert match is not None, text
    stars = match["stars"] + "*" * bool(match["array"])
    return f"{match['const'] or ''}{match['kind']}{stars}"


def difference(function: Function, declared: str) -> str:
    """How the parameters of C differ from those of the table, in number, order or type; empty if
    they do not."""
    theirs = parameter_types(declared)
    ours = parameter_types(", ".join(p.text for p in function.parameters))
    same = len(theirs) == len(ours) and all(
        their == our or (their, our) in _SAME_SIZE for their, our in zip(theirs, ours, strict=True)
    )
    return "" if same else f"{function.name}: {theirs}, in the table {ours}"
