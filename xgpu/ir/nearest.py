# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What somebody may have meant."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is nearest to `name`, if any is near."""
    from difflib import get_close_matches  # only a mistake pays for this import

    found = get_close_matches(name, list(known), 1, 0.6)
    return found[0] if found else None
