# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The smallest part of a text that still does what the whole did, by xgpu-reduce's means."""

from __future__ import annotations

from collections.abc import Callable

from xgpu.tools.reducer import reduced_text


def reduced(text: str, still: Callable[[str], bool], tries: int = 2_000) -> str:
    """`text` with as much left out as can be while `still` holds: operations first, where the text
    can be read and printing keeps what it does, then lines, then tokens.

    At most so many tries for each.
    """
    return reduced_text(reduced_module(text, still, tries), still, tries)


def reduced_module(text: str, still: Callable[[str], bool], tries: int) -> str:
    """`text` as a module with fewer and simpler operations; itself where it is none."""
    from xgpu.core.ir.errors import DiagnosticError
    from xgpu.core.syntax import parse_module, print_module
    from xgpu.core.syntax.verify import verify_module
    from xgpu.tools.reducer import TreeReducer

    budget = [tries]

    def check(smaller: str) -> bool:
        budget[0] -= 1
        return budget[0] > 0 and still(smaller)

    try:
        module = parse_module(text, "f", allow_unregistered=True)
        verify_module(module)
        if not check(print_module(module)):
            return text
        reducer = TreeReducer(module, check)
        reducer.run()
    except (DiagnosticError, RecursionError):
        return text
    except Exception:  # the finding itself, or one beside it: text is taken apart all the same
        return text
    return reducer.text if len(reducer.text) < len(text) else text
