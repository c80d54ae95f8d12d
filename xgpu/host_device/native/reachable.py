# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What some functions of native sources need, as a module of LLVM IR of its own.

Functions of sources keep nothing, so any number of modules may have one of them. What keeps
something (a variable) is in one module, and others import the functions that give it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from xgpu.host_device.native.debug import DebugInfo
from xgpu.host_device.native.language import Source, compile_function, declaration, functions_of

_NAME = re.compile(r"@([\w.]+)")
_ITEM = re.compile(r"^(?:(?:define|declare) [^@\n]*@([\w.]+)\(|@([\w.]+) = )", re.MULTILINE)


def items(text: str) -> dict[str, str]:
    """Functions, declarations and variables of LLVM IR without metadata, by name."""
    found = list(_ITEM.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    return {
        match[1] or match[2]: text[match.start() : end].strip()
        for match, end in zip(found, ends, strict=True)
    }


def compile_reachable(
    sources: Iterable[Source],
    name: str,
    roots: Collection[str],
    own: Mapping[str, str],
    imported: Collection[str] = (),
) -> str:
    """LLVM IR text of the functions `roots`, in that order, and of all that they use; only `roots`
    can be seen from outside.

    `own` holds what is written in LLVM IR, by name; sources declare it. What is in `imported` is
    found at link time.
    """
    functions = functions_of(sources)
    debug, intrinsics = DebugInfo(), dict[str, str]()
    parts: dict[str, str] = {}
    todo = list(roots)
    for needed in todo:
        if needed in parts or (needed.startswith("llvm.") and needed not in own):
            continue
        if needed in imported:
            text = _head(own[needed]) if needed in own else declaration(functions[needed][0])
        elif needed in own:
            text = own[needed]
        else:
            text = "\n".join(compile_function(*functions[needed], intrinsics, debug))
        if needed not in roots:
            text = re.sub(r"^define ", "define internal ", text)
        parts[needed] = text
        todo += _NAME.findall(text)
    head = f'source_filename = "{name}"'
    return "\n".join([head, *parts.values(), *intrinsics.values(), *debug.lines()]) + "\n"


def _head(definition: str) -> str:
    """The declaration of a function that LLVM IR text defines."""
    head = definition[: definition.index(")") + 1].replace("define ", "declare ", 1)
    return re.sub(r" %[\w.]+", "", head)
