# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the registry of passes asks of a higher package. See `xgpu/core/ir/services.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xgpu.core.ir.services import Service

if TYPE_CHECKING:
    from xgpu.core.passes.base import Pass

#: The pass of this name of an installed project, and its owner; None if there is none. UsageError
#: if two projects have one, or if a project cannot be loaded.
installed_pass: Service[Callable[[str], tuple[type[Pass], str] | None]] = Service("installed_pass")
