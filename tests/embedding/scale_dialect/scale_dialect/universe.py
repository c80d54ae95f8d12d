# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What xDSL's tools and xgpu's find of this project once it is installed."""

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import Universe


def _dialect() -> Dialect:
    from scale_dialect.dialect import Scale

    return Scale


def _pass() -> type[ModulePass]:
    from scale_dialect.lowering import ScaleToGPUPass

    return ScaleToGPUPass


UNIVERSE = Universe(
    all_dialects={"scale": _dialect}, all_passes={"scale-to-gpu": _pass}, all_targets={}
)
