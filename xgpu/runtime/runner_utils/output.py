# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the functions of the runner's library write."""

from __future__ import annotations

from collections.abc import Callable

Output = Callable[[str], None]
