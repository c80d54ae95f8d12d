# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Effects of operations of the transform dialect that ODS leaves to C++.

What only looks at handles and payload and makes new handles can go where these are not used.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation

from xgpu.core.ir.effects import Effect
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ods.registry import operation_names

#: Traits whose operations read the handles that they take.
_READING_TRAITS = frozenset(
    (
        "AtMostOneOpMatcher",
        "NavigationTransformOpTrait",
        "ParamProducerTransformOpTrait",
        "SingleOpMatcher",
        "SingleValueMatcher",
    )
)
#: Operations without such a trait that do as well.
_READING = frozenset(
    (
        "transform.cast",
        "transform.get_type",
        "transform.match.param.cmpi",
        "transform.merge_handles",
        "transform.replicate",
        "transform.split_handle",
        "transform.verify",
    )
)


def _reads(op: Operation) -> list[Effect]:
    """Handles and payload are read, handles are made."""
    made = [Effect(kind, value) for value in op.results for kind in ("allocate", "write")]
    return [*(Effect("read", value) for value in op.operands), *made, Effect("read", None)]


EFFECTS: dict[str, Callable[[Operation], list[Effect]]] = {
    name: _reads
    for name in operation_names("transform")
    if name in _READING or not _READING_TRAITS.isdisjoint(traits_of(name))
}
