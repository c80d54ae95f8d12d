# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The records and numbers of `structs` for native sources that run as Python.

`records.pyi`, which `tools/generate_stubs.py` writes, says the same to checkers.
"""

from __future__ import annotations

from xgpu.host_device.compiler.structs import STRUCTS, constants
from xgpu.host_device.native.prelude import record

globals().update({name: record(name) for name in STRUCTS} | constants())
