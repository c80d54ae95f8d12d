# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""By which operations threads of a block differ."""

from __future__ import annotations

import re
from typing import Any

import pytest

from xgpu.analysis.memory import depends_on_thread
from xgpu.core.syntax import parse_module
from xgpu.universe import get_all_dialects

#: What all threads of a block read alike: sizes, and numbers of blocks, clusters and processors.
SAME_IN_A_BLOCK = re.compile(
    r"gpu\.(block_dim|block_id|cluster_\w+|grid_dim|num_subgroups|subgroup_size"
    r"|dynamic_shared_memory)"
    r"|nvvm\.read\.ptx\.sreg\.(n?ctaid\.[xyz]|cluster\.\w+(\.[xyz])?|n?clusterid\.[xyz]|ntid\.[xyz]"
    r"|n?smid|nwarpid|warpsize|gridid|envreg\d+|(aggr|dynamic|total)\.smem\.size)"
)


def operations_without_operands() -> list[str]:
    """Those of a kernel that give a value of nothing: what they read is all that it depends on."""
    found: list[str] = []
    for dialect in ("gpu", "nvvm"):
        for operation in get_all_dialects()[dialect]().operations:
            definition = operation.get_irdl_definition()
            if definition.results and not definition.operands:
                found.append(operation.name)
    return found


def value_of(name: str) -> Any:
    module = parse_module(f'%0 = "{name}"() : () -> i32')
    (op,) = (op for op in module.walk() if op.name == name)
    return op.results[0]


@pytest.mark.parametrize("name", operations_without_operands())
def test_each_operation_is_the_same_in_a_block_or_differs(name: str) -> None:
    """A new one has to be added to `THREAD_IDS`, or to what is the same."""
    differs = depends_on_thread(value_of(name)) is not None
    assert differs != (SAME_IN_A_BLOCK.fullmatch(name) is not None)


def test_an_elected_thread_differs() -> None:
    module = parse_module(
        "%m = llvm.mlir.constant(-1 : i32) : i32\n%0 = nvvm.elect.sync %m -> i1", "elect.mlir"
    )
    last = list(module.walk())[-1]
    assert depends_on_thread(last.results[0]) is last
