# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every strategy of a kernel gives the same result: random kernels, bit by bit."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher, host_object
from tests.support.random_graphs import RandomGraph
from tests.support.random_kernels import RandomKernel, arguments
from tests.support.some_cases import some

BLOCKS = 3


def run(data, kernel, strategy, seed):
    launcher = Launcher(data, strategy)
    given = arguments(kernel, BLOCKS, seed)
    launcher.launch("k", BLOCKS, kernel.block, *given)
    got = launcher.strategy
    launcher.close()
    return [a.view(np.int32) for a in given], got


@pytest.mark.parametrize(("make", "seed"), some([RandomKernel, RandomGraph], range(12), of=12))
def test_random_kernels(make, seed):
    kernel = make(seed)
    expected = None
    for level in (0, 3):
        data = host_object(kernel.text, level)
        if expected is None:
            expected, _ = run(data, kernel, "threads", seed)
        for asked, got in (("block-loops", "block-loops"), ("warps", "warps")):
            found, strategy = run(data, kernel, asked, seed)
            assert strategy == got
            for want, have in zip(expected, found, strict=True):
                np.testing.assert_array_equal(have, want)
