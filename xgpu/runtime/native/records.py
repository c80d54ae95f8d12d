# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The records and numbers of `structs` for native sources that run as Python.

`records.pyi` says the same to checkers; `stub_text` writes it (`tools/generate_native_records.py`).
"""

from __future__ import annotations

from xgpu.backend.host.structs import STRUCTS, constants, layout, scalar_kind
from xgpu.runtime.native.prelude import record

globals().update({name: record(name) for name in STRUCTS} | constants())

_HEAD = '''# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generated from `structs` by tools/generate_native_records.py."""

from typing import Final

from xgpu.runtime.native.prelude import Ptr, Record, i8, i32, i64, ptr

def stub_text() -> str: ...

'''


def _annotation(kind: str, count: int) -> str:
    if count or kind.startswith("Atomic["):
        return f"Ptr[{scalar_kind(kind)}]"
    return scalar_kind(kind) + (" | None" if kind.endswith("?") else "")


def stub_text() -> str:
    """What `records.pyi` has to hold."""
    numbers = [f"{name}: Final = {number}" for name, number in constants().items()]
    classes = [
        "\n".join(
            [f"class {struct}(Record):"]
            + [f"    {n}: {_annotation(k, c)}" for n, (_, k, c) in layout(struct)[0].items()]
        )
        for struct in STRUCTS
    ]
    return _HEAD + "\n".join(numbers) + "\n\n" + "\n\n".join(classes) + "\n"
