# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Machine code of kernels and programs, kept from one process to the next.

The key is all that it is made of: the text, how it is compiled, this processor, the versions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from xgpu.support import cache
from xgpu.support.installation import installation

_KIND = "code"


def _key(*parts: object) -> str:
    from xgpu.backend.host.machine import description

    digest = hashlib.sha256()
    for part in (installation(), description(), *parts):
        digest.update(str(part).encode("utf-8", "surrogateescape"))
        digest.update(b"\0")
    return digest.hexdigest()


def code_with_facts(
    text: str, how: object, make: Callable[[], tuple[bytes, Any] | None]
) -> tuple[bytes, Any] | None:
    """What `make` gives for `text`: code and facts about it (JSON), or None, which is kept too."""
    key = _key(how, text)
    stored = cache.get(_KIND, key)
    if stored is not None:
        head, _, code = stored.partition(b"\n")
        facts = json.loads(head)
        return None if facts is None else (code, facts)
    made = make()
    if made is None:
        cache.put(_KIND, key, b"null\n")
    else:
        cache.put(_KIND, key, json.dumps(made[1]).encode() + b"\n" + made[0])
    return made
