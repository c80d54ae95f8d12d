# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code of short texts that are compiled in every run: methods of dataclasses, annotations.

Code is looked up by its whole text, so changed modules can at worst miss. What is compiled anew
is kept in the user's cache by `store`.
"""

from __future__ import annotations

import marshal
import sys
from contextlib import suppress

from xgpu.support import cache

TYPE_CHECKING = False  # importing `typing` for it takes longer than reading this file
if TYPE_CHECKING:
    from types import CodeType

#: What compiled code depends on besides its source; the first number is that of its form.
_VERSION = f"2 {sys.implementation.cache_tag} {sys.hexversion:x} {sys.flags.optimize}"

#: The code by the mode and the text; nothing before it is first asked.
_codes: dict[str, CodeType] = {}
#: How many of them were kept; negative before they were read.
_known = -1


def kept_code(source: str, mode: str) -> CodeType:
    """What `compile` makes of `source` in the mode `exec` or `eval`."""
    if _known < 0:
        _read()
    key = f"{mode} {source}"
    code = _codes.get(key)
    if code is None:
        code = _codes[key] = compile(source, "<dataclass>" if mode == "exec" else "<string>", mode)
    return code


def store() -> None:
    """Keeps what was compiled anew."""
    global _known
    if len(_codes) > _known >= 0:
        cache.put("dataclasses", _VERSION, marshal.dumps(_codes))
        _known = len(_codes)


def _read() -> None:
    global _known
    data = cache.get("dataclasses", _VERSION)
    found = None
    if data is not None:
        with suppress(ValueError, EOFError, TypeError):
            found = marshal.loads(data)
    if isinstance(found, dict):
        _codes.update(found)
    _known = len(_codes)
