# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX of one module for several chips, for programs whose devices differ: `MAGIC`, the length of a
table, the table (JSON: chips and bytes), and the texts one behind the other.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

MAGIC = b"xgpu-chips-1\0"
_LENGTH_BYTES = 4


def bundle(codes: Mapping[str, bytes]) -> bytes:
    """The image of a module from its PTX for each chip."""
    table = json.dumps([[chip, len(code)] for chip, code in codes.items()]).encode()
    return b"".join((MAGIC, len(table).to_bytes(_LENGTH_BYTES, "little"), table, *codes.values()))


def is_bundle(image: bytes) -> bool:
    return image.startswith(MAGIC)


def codes_of(image: bytes) -> dict[str, bytes]:
    """What `bundle` was given."""
    begin = len(MAGIC) + _LENGTH_BYTES
    length = int.from_bytes(image[len(MAGIC) : begin], "little")
    at = begin + length
    found: dict[str, bytes] = {}
    for chip, size in json.loads(image[begin:at]):
        found[chip] = image[at : at + size]
        at += size
    return found
