# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies that blocks of a cluster share: right as they are, and each planted mistake is found.

On the host device copies are done when they are asked for, so that most mistakes leave the numbers
right. What shows them is the sanitizer: who ordered what, and who waits for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from xdsl.dialects.builtin import IntegerAttr, IntegerType

import xgpu
from tests.support.some_cases import short
from tests.unit.kernels.gemm.test_gemm import WGMMA, built
from tests.unit.kernels.gemm.test_gemm_sanitized import program
from xgpu.core.ir.constants import int_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation, SSAValue

_THREADS = 128
MODES = [
    "pipelined-mbarrier",
    pytest.param("warp-specialized", marks=pytest.mark.long),
]


def _module(mode: str) -> ModuleOp:
    """Two blocks below one another, each of which copies half of their tile of B for both."""
    options = f"{WGMMA} tile=64,128,64 cluster=2,1 mode={mode} store=threads"
    return built(program(128, 72), options)


def _named(module: ModuleOp, *names: str) -> list[Operation]:
    return [op for op in module.walk() if op.name in names]


def _make(value: SSAValue, number: int) -> None:
    """`value`, a constant, becomes `number`."""
    owner = value.owner
    assert owner.name == "arith.constant"  # pyright: ignore
    owner.properties["value"] = IntegerAttr(number, value.type)  # pyright: ignore


def mask_of_one_block(module: ModuleOp) -> None:
    masks = [
        op.results[0]
        for op in _named(module, "arith.constant")
        if isinstance(op.results[0].type, IntegerType) and op.results[0].type.width.data == 16
    ]
    assert [int_of(value) for value in masks] != []
    for value in masks:
        _make(value, 1)


def arrives_at_one_block(module: ModuleOp) -> None:
    found = _named(module, "nvvm.mapa")
    assert found
    for op in found:
        _make(op.operands[1], 0)


def counts_one_block(module: ModuleOp) -> None:
    counts = [op.operands[1] for op in _named(module, "nvgpu.mbarrier.init")]
    empty = [value for value in counts if int_of(value) != 1]
    assert empty
    for value in dict.fromkeys(empty):
        if int_of(value) is not None:
            _make(value, _THREADS)
        else:  # the threads of a block, times the blocks
            _make(value.owner.operands[1], 1)  # pyright: ignore


def _unmet(module: ModuleOp, first: int) -> None:
    found = _named(module, "nvvm.cluster.arrive", "nvvm.cluster.wait")
    assert [op.name for op in found] == ["nvvm.cluster.arrive", "nvvm.cluster.wait"] * 2
    for op in found[first : first + 2]:
        op.detach()
        op.erase()


def copies_before_all_have_begun(module: ModuleOp) -> None:
    _unmet(module, 0)


def ends_before_all_have_left(module: ModuleOp) -> None:
    _unmet(module, 2)


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
def test_nothing_is_found_as_it_is(mode: str) -> None:
    findings = xgpu.sanitize(_module(mode))
    assert not findings, findings.text()
    assert findings.value == 0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "mistake",
    short(
        [
            mask_of_one_block,
            arrives_at_one_block,
            counts_one_block,
            copies_before_all_have_begun,
            ends_before_all_have_left,
        ],
        mask_of_one_block,
    ),
)
def test_each_mistake_is_found(mode: str, mistake: Callable[[ModuleOp], None]) -> None:
    module = _module(mode)
    mistake(module)
    assert xgpu.sanitize(module)
