# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sphinx's settings of the documentation site. `build.py` brings the sources together."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from lexer import MlirLexer
from pygments.lexers import CudaLexer

project = "xgpu"
author = "xgpu's authors"
extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block"]
html_theme = "furo"
html_title = "xgpu"
exclude_patterns = ["extra", "examples"]
# A sentence with dots and quotes is shown as the source has it.
smartquotes = False


def setup(app: Any) -> None:
    """Sphinx's entry: highlighting of MLIR and CUDA C++."""
    app.add_lexer("mlir", MlirLexer)
    app.add_lexer("cuda", CudaLexer)
