# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The order of intrinsics' declarations in a printed module.

LLVM's parser, which declares the intrinsics of our text, does so by name; MLIR does when it first
calls one. The order decides how attribute groups are numbered, so the whole text differs by it.
"""

from __future__ import annotations

import re

_DECLARATION = re.compile(
    r"(?:^;[^\n]*\n)?^declare [^\n]*?@(llvm\.[\w.]+)\([^\n]*\n\n?", re.MULTILINE
)
_CALL = re.compile(r"@(llvm\.[\w.]+)\(")


def in_order_of_use(text: str, given: str = "") -> str | None:
    """`text` with its intrinsics declared in the order of their first calls; None if they are.
    Those that the text `given` to LLVM declares itself stay where they are."""
    fixed = {m[1] for m in _DECLARATION.finditer(given)}
    found = {m[1]: m[0] for m in _DECLARATION.finditer(text) if m[1] not in fixed}
    if len(found) < 2:
        return None
    body = _DECLARATION.sub(lambda m: m[0] if m[1] in fixed else "", text)
    used = [name for name in dict.fromkeys(_CALL.findall(body)) if name in found]
    names = used + [name for name in found if name not in used]
    if names == list(found):
        return None
    return "\n".join([body, *(found[name] for name in names)])
