# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Syntax that launches of the mgpu dialect share with `gpu.launch_func`."""

from __future__ import annotations

from xgpu.dialects.gpu.syntax import DIRECTIVES as _GPU

DIRECTIVES = {name: _GPU[name] for name in ("LaunchDimType", "LaunchFuncOperands")}
