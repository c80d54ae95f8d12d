# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What operation definitions ask of modules that stand above them.

See `xgpu/core/ir/services.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xgpu.core.ir.services import Service

if TYPE_CHECKING:
    from xdsl.ir import Dialect, Operation

    from xgpu.core.ods.attributes import AttributeFormats
    from xgpu.core.ods.operation import OperationParts


operation_parts: Service[OperationParts] = Service("operation_parts")
attribute_formats: Service[AttributeFormats] = Service("attribute_formats")
#: Makes an operation of another class for a name that we define one of ours, in place.
adopt_operation: Service[Callable[[Operation], None]] = Service("adopt_operation")
#: The dialect of this name of an installed project, and its owner; None if there is none.
installed_dialect: Service[Callable[[str], tuple[Dialect, str] | None]] = Service(
    "installed_dialect"
)
#: The folders that hold the packages of dialects.
dialect_folders: Service[Sequence[str]] = Service("dialect_folders")
