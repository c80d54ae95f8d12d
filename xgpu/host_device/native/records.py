# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The records and numbers of native sources that run as Python.

`xgpu/host_device/abi/structs.py` has them, those of the sanitizer (`SanCell`, `SanPage`) from
`xgpu/host_device/abi/sanitizer_records.py`.

`records.pyi`, which `tools/generate_stubs.py` writes, says the same to checkers.
"""

from __future__ import annotations

from xgpu.host_device.abi.structs import STRUCTS, constants
from xgpu.host_device.native.prelude import record

globals().update({name: record(name) for name in STRUCTS} | constants())
