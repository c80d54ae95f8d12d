# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what checkers know of the records that native code shares with Python: as native sources
see them (runtime/native/records.pyi), and as ctypes does (backend/host/record_classes.py, and
the sanitizer's in instrument/record_classes.py)."""

from __future__ import annotations

from pathlib import Path

from xgpu.backend.host import structs
from xgpu.backend.host.instrument.records import RECORDS as SANITIZER
from xgpu.backend.host.structs import STRUCTS, layout, scalar_kind
from xgpu.runtime.native import records

_HEAD = '''\
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The classes that `structs.ctypes_struct` makes, for type checkers; pointers are integers.

Written by tools/generate_native_records.py; do not edit.
"""

from __future__ import annotations

import ctypes
'''
_SCALARS = {"f32": "float", "f64": "float"}
_ELEMENTS = {
    "i8": "c_int8", "i16": "c_int16", "i32": "c_int32", "i64": "c_int64", "f32": "c_float",
    "f64": "c_double",
}  # fmt: skip


def classes_text() -> str:
    """What `record_classes.py` has to hold."""
    return _file_text([name for name in STRUCTS if name not in SANITIZER])


def sanitizer_classes_text() -> str:
    """What `instrument/record_classes.py` has to hold."""
    return _file_text(list(SANITIZER))


def _file_text(names: list[str]) -> str:
    return "\n\n".join([_HEAD, *map(_class, names)])


def _class(struct: str) -> str:
    lines = [f"class {struct}(ctypes.Structure):"]
    for name, (_, kind, count) in layout(struct)[0].items():
        scalar = scalar_kind(kind)
        if count:
            type_ = f"ctypes.Array[ctypes.{_ELEMENTS.get(scalar, 'c_void_p')}]"
        else:
            type_ = _SCALARS.get(scalar, "int")
        lines.append(f"    {name}: {type_}")
    return "\n".join(lines) + "\n"


CLASSES = Path(structs.__file__).with_name("record_classes.py")
SANITIZER_CLASSES = CLASSES.parent / "instrument" / CLASSES.name

if __name__ == "__main__":
    Path(records.__file__).with_suffix(".pyi").write_text(records.stub_text())
    CLASSES.write_text(classes_text())
    SANITIZER_CLASSES.write_text(sanitizer_classes_text())
