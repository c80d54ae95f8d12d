# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The patterns that turn transfers of up to one dimension into loads and stores."""

from xgpu.transforms.vector.transfer_rules import PATTERNS

__all__ = ["PATTERNS"]
