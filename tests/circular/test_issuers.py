# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products that give stages back themselves (tcgen05), under the sanitizer, and broken.

The wait behind the loop is not among what is broken: the sanitizer knows who uses workgroup memory
and barriers, not yet who reads tensor memory, and on the host device products are over at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import xgpu
from tests.unit.transforms.gemm.test_gemm import built
from tests.unit.transforms.gemm.test_gemm_sanitized import program

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

_WAIT = "nvgpu.mbarrier.try_wait.parity"
_OPTIONS = "instruction=tcgen05 tile=128,64,64 stages=2 store=threads"


def _module() -> ModuleOp:
    return built(program(128, 64), _OPTIONS)


def test_nothing_is_found_as_it_is() -> None:
    findings = xgpu.sanitize(_module())
    assert not findings, findings.text()
    assert findings.value == 0


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
