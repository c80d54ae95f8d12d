# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products that give stages back themselves (tcgen05), under the sanitizer, and broken.

One block's products, and those of a pair of blocks, whose tiles and sums are in both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import xgpu
from tests.support.some_cases import short
from tests.unit.kernels.gemm.test_gemm import built
from tests.unit.kernels.gemm.test_gemm_sanitized import program

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

_WAIT = "nvgpu.mbarrier.try_wait.parity"
_ARRIVE = "nvvm.mbarrier.arrive"
_COMMIT = "nvvm.tcgen05.commit"
_MEET = "nvvm.cluster.wait"
_OPTIONS = "instruction=tcgen05 tile=128,64,64 stages=2 store=threads"
_PAIRS = "instruction=tcgen05 pairs=1 tile=128,128,64 stages=2 store=threads"


def _module() -> ModuleOp:
    return built(program(128, 64), _OPTIONS)


@pytest.mark.long
def test_nothing_is_found_as_it_is() -> None:
    findings = xgpu.sanitize(_module())
    assert not findings, findings.text()
    assert findings.value == 0


def _pair() -> ModuleOp:
    return built(program(256, 128), _PAIRS)


@pytest.mark.parametrize("mode", short(["", "mode=pipelined-mbarrier"]))
def test_nothing_is_found_in_pairs(mode: str) -> None:
    """Each block has its tiles and its sums, and the first one's thread asks for both."""
    findings = xgpu.sanitize(built(program(256, 128), f"{_PAIRS} {mode}"))
    assert not findings, findings.text()
    assert findings.value == 0


def test_pairs_have_warps_of_their_own_by_themselves() -> None:
    """Two threads run the loop: one tells the other, which waits at the stage's own barrier."""
    loops = [op for op in _pair().walk() if op.name == "scf.for" and _names(op) & {_ARRIVE}]
    (loop,) = loops
    assert not loop.results
    assert {_WAIT, _ARRIVE, "nvvm.mapa", _COMMIT} <= _names(loop)
    assert "nvgpu.tma.async.load" not in _names(loop)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "which", "count", "kind", "told"),
    [
        pytest.param(_MEET, 0, 6, "sync", "for ever", id="producers go ahead of the first meeting"),
        pytest.param(_WAIT, 0, 4, "race", "a bulk copy of block", id="a stage is filled too early"),
        pytest.param(_WAIT, 1, 4, "race", "a product of matrices", id="a block's own tiles"),
        pytest.param(_WAIT, 2, 4, "race", "a product of matrices", id="the other block's tiles"),
        pytest.param(_WAIT, 3, 4, "race", "read 4 bytes", id="the sums"),
        pytest.param(_COMMIT, 0, 2, "sync", "for ever", id="no stage is given back"),
        pytest.param(_COMMIT, 1, 2, "sync", "for ever", id="nobody says that sums are there"),
    ],
)
def test_each_mistake_in_pairs_is_found(
    name: str, which: int, count: int, kind: str, told: str
) -> None:
    module = _pair()
    found = [op for op in module.walk() if op.name == name]
    assert len(found) == count
    found[which].detach()
    found[which].erase()
    # Without the barrier the order of blocks decides whether an mbarrier is initialized in time.
    findings = list(xgpu.sanitize(module, schedules=4 if name == _MEET else 0))
    assert any(one.kind == kind and told in str(one) for one in findings), findings


def _names(op: Operation) -> set[str]:
    return {inner.name for inner in op.walk()}


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "which", "count"),
    [
        pytest.param(_WAIT, 0, 3, id="a stage is filled again while products read it"),
        pytest.param(_WAIT, 1, 3, id="products do not wait for their tiles"),
        pytest.param("nvvm.tcgen05.commit", 0, 2, id="no product gives its stage back"),
    ],
)
def test_each_mistake_is_found(name: str, which: int, count: int) -> None:
    module = _module()
    found = [op for op in module.walk() if op.name == name]
    assert len(found) == count
    found[which].detach()
    found[which].erase()
    assert xgpu.sanitize(module)
