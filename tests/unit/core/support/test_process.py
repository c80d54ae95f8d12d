# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Garbage collections are rare while modules are compiled, and as before behind it."""

from __future__ import annotations

import gc
import threading
from collections.abc import Generator
from pathlib import Path

import numpy as np
import pytest

import xgpu
from xgpu.core.support.process import RARE_COLLECTIONS, rare_collections

_KERNEL = """
gpu.module @kernels {
  gpu.func @powers(%x: memref<64xf32>) kernel {
    %i = gpu.thread_id x
    %v0 = memref.load %x[%i] : memref<64xf32>
    BODY
    memref.store %v300, %x[%i] : memref<64xf32>
    gpu.return
  }
}
"""
_BODY = "\n".join(f"%v{n + 1} = arith.mulf %v{n}, %v{n} : f32" for n in range(300))


@pytest.fixture(autouse=True)
def _thresholds() -> Generator[None]:
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


def test_thresholds_are_back_behind_the_outermost() -> None:
    with rare_collections():
        with rare_collections():
            assert gc.get_threshold() == RARE_COLLECTIONS
        assert gc.get_threshold() == RARE_COLLECTIONS
    assert gc.get_threshold() == (700, 10, 10)


def test_thresholds_are_back_after_an_error() -> None:
    with pytest.raises(ValueError, match="compile"), rare_collections():
        raise ValueError("compile")
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("chosen", [(0, 10, 10), (900_000, 500, 500)])
def test_what_a_program_wants_is_respected(chosen: tuple[int, int, int]) -> None:
    """No collections, and still rarer ones."""
    gc.set_threshold(*chosen)
    with rare_collections():
        assert gc.get_threshold() == chosen
    assert gc.get_threshold() == chosen


def test_thresholds_set_meanwhile_stay() -> None:
    with rare_collections():
        gc.set_threshold(5_000, 5, 5)
    assert gc.get_threshold() == (5_000, 5, 5)


def test_the_last_of_two_threads_puts_the_thresholds_back() -> None:
    is_within, may_leave = threading.Event(), threading.Event()

    def compile_for_long() -> None:
        with rare_collections():
            is_within.set()
            may_leave.wait(30)

    thread = threading.Thread(target=compile_for_long)
    thread.start()
    assert is_within.wait(30)
    with rare_collections():
        pass
    assert gc.get_threshold() == RARE_COLLECTIONS
    may_leave.set()
    thread.join()
    assert gc.get_threshold() == (700, 10, 10)


def test_a_first_launch_has_few_collections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    x = np.ones(64, np.float32)
    first = _KERNEL.replace("BODY", "%v300 = arith.negf %v0 : f32")
    xgpu.load(first, device="host").kernels.powers[1, 64](x)  # imports what it needs
    collections: list[str] = []
    gc.callbacks.append(lambda phase, _: collections.append(phase))
    try:
        xgpu.load(_KERNEL.replace("BODY", _BODY), device="host").kernels.powers[1, 64](x)
    finally:
        gc.callbacks.pop()
    assert len(collections) // 2 <= 10  # some 20 with Python's thresholds
    assert gc.get_threshold() == (700, 10, 10)
