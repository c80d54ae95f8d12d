# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what checkers know of the records that native sources use: runtime/native/records.pyi."""

from __future__ import annotations

from pathlib import Path

from xgpu.runtime.native import records

if __name__ == "__main__":
    Path(records.__file__).with_suffix(".pyi").write_text(records.stub_text())
