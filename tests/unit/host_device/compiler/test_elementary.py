# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""exp, exp2 and log of singles: as exact as libdevice says, and the same in every strategy."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher, host_object
from tests.support.strategy_codes import STRATEGIES, StrategyCodes

_TEXT = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%in: memref<?xf32>, %out: memref<?xf32>) kernel {
      %t = gpu.thread_id x
      %g = gpu.block_id x
      %n = gpu.block_dim x
      %o = arith.muli %g, %n : index
      %x = arith.addi %o, %t : index
      %v = memref.load %in[%x] : memref<?xf32>
      %r = math.NAME %v : f32
      memref.store %r, %out[%x] : memref<?xf32>
      gpu.return
    }
  }
}
"""
_SPECIAL = (
    np.inf, -np.inf, np.nan, 0.0, -0.0, 1e-45, -1e-45, 1.1754944e-38, 3.4028235e38, -3.4028235e38,
    1.0, -1.0, 88.72284, -87.33655, -103.97208, -103.9721, -150.0, 127.99999, 128.0, -126.5, -149.0,
)  # fmt: skip


def _inputs(name: str) -> np.ndarray:
    count = 1 << 15
    if name == "log":
        bits = np.linspace(1, 0x7F7FFFFF, count).astype(np.int32)
        spread = np.concatenate([bits.view(np.float32), np.linspace(0.7, 1.5, count)])
    else:
        limit = 150.0 if name == "exp2" else 104.0
        spread = np.concatenate([np.linspace(-limit, limit, count), np.linspace(-1, 1, count)])
    given = spread.astype(np.float32)
    given[: len(_SPECIAL)] = _SPECIAL
    return given


@pytest.mark.parametrize("name", ["exp", "exp2", "log"])
def test_singles(name: str) -> None:
    given = _inputs(name)
    data = host_object(_TEXT.replace("NAME", name))
    found: list[np.ndarray] = []
    for strategy in ("block-loops", "warps", "threads"):
        out = np.zeros_like(given)
        launcher = Launcher(data, strategy)
        try:
            launcher.launch("k", len(given) // 256, 256, given, out)
        finally:
            launcher.close()
        found.append(out)
    for other in found[1:]:
        np.testing.assert_array_equal(found[0].view(np.int32), other.view(np.int32))
    with np.errstate(all="ignore"):
        exact = getattr(np, name)(given.astype(np.float64))
        wanted = exact.astype(np.float32)
        unit = np.spacing(np.maximum(np.abs(wanted), np.float32(1.1754944e-38)))
        errors = np.abs(found[0].astype(np.float64) - exact) / unit
    is_finite = np.isfinite(wanted)
    assert errors[is_finite].max() < 1.01
    np.testing.assert_array_equal(found[0][~is_finite], wanted[~is_finite])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_an_exponential_converts_is_in_range(strategy: str) -> None:
    """A conversion that saturates as in PTX would be done lane by lane."""
    codes = StrategyCodes(host_object(_TEXT.replace("NAME", "exp")), "k", (256, 1, 1))
    text = codes._text(strategy)[0]
    assert " fptosi " in text
    assert "fptosi.sat" not in text
    assert "@llvm.umin.v" not in text


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_conversion_that_saturates_is_no_call(strategy: str) -> None:
    text = _TEXT.replace(
        "%r = math.NAME %v : f32",
        "%i = arith.fptosi %v : f32 to i16\n%r = arith.sitofp %i : i16 to f32",
    )
    code = StrategyCodes(host_object(text), "k", (256, 1, 1))._text(strategy)[0]
    assert "fptosi" in code
    assert ".sat." not in code
