# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels in Triton have in common: how they are compiled, and what is said of them."""

from __future__ import annotations

import json
import pathlib
import warnings
from typing import Any

warnings.filterwarnings("ignore")

import triton  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.compiler import ASTSource  # noqa: E402


def save(
    kernel: Any,
    chip: str,
    types: dict[str, str],
    aligned: int,
    constants: dict[str, int],
    options: dict[str, int],
    target: str,
) -> None:
    """Compiles a kernel for a chip; writes its PTX, with the bytes of shared memory and the warps
    that it starts, to the file `target`. `types` has the arguments in order; as many as `aligned`
    says are multiples of 16."""
    source = ASTSource(
        fn=kernel,
        signature=types | dict.fromkeys(constants, "constexpr"),
        constexprs=constants,
        attrs={(at,): [["tt.divisibility", 16]] for at in range(aligned)},
    )
    made = triton.compile(source, target=GPUTarget("cuda", int(chip), 32), options=options)
    text = {
        "ptx": made.asm["ptx"],
        "shared": made.metadata.shared,
        "warps": getattr(made.metadata, "num_warps", options["num_warps"]),
    }
    pathlib.Path(target).write_text(json.dumps(text))
