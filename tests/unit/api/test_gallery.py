# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gallery of kernels, each on the host device against NumPy."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

GALLERY = Path(__file__).parents[3] / "examples" / "python"
EXACT = {"histogram", "scan"}


@pytest.mark.parametrize("path", sorted(GALLERY.glob("*.py")), ids=lambda p: p.stem)
def test_against_numpy(path):
    spec = importlib.util.spec_from_file_location(f"gallery_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found, expected = module.run("host")
    assert found.shape == expected.shape
    if path.stem in EXACT:
        assert np.array_equal(found, expected)
    else:
        assert np.allclose(found, expected, rtol=1e-4, atol=1e-5)
    assert np.ptp(expected) > 0  # not all the same, which nothing would show


def test_how_many_there_are():
    assert len(list(GALLERY.glob("*.py"))) >= 10
