# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin of xgpu-opt: sums that stop at the largest and the smallest number.

Loading it, with `--load-dialect-plugin` or `--load-pass-plugin`, makes the dialect, its facts and
its pass known.
"""

from sat_plugin import facts
from sat_plugin.dialect import Sat
from sat_plugin.passes import CountSums

facts.register()

__all__ = ["CountSums", "Sat"]
