# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which files clang has read, and whether they are as they were."""

from __future__ import annotations

import os
import re


def changed(path: str) -> list[int] | None:
    """What tells a file from what it was before."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return [status.st_mtime_ns, status.st_size]


def files_of_rule(rule: str) -> list[str]:
    """The files that a rule of make names behind its target."""
    words = re.findall(r"(?:\\.|[^\s\\])+", rule.partition(": ")[2].replace("\\\n", " "))
    paths = [re.sub(r"\\(.)", r"\1", word).replace("$$", "$") for word in words]
    return [path for path in paths if path != "-" and not path.startswith("<")]
