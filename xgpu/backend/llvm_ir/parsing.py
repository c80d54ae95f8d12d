# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR into LLVM: the one place where text or bitcode of a user's program becomes a module."""

from __future__ import annotations

from typing import Any


def parsed(source: str | bytes, context: Any = None) -> Any:
    """The llvmlite module of LLVM IR text or bitcode, verified.

    Errors: `RuntimeError` with LLVM's words.
    """
    module = read(source, context)
    module.verify()
    return module


def read(source: str | bytes, context: Any = None) -> Any:
    """The llvmlite module of LLVM IR text or bitcode, for callers who verify it.

    LLVM's reader verifies a module with debug information in order to upgrade that, and ends the
    process where the module does not hold. It is told not to: nobody gives it information of old
    versions, and what is wrong then comes back as an error of `verify`.
    """
    import llvmlite.binding as llvm

    llvm.set_option("xgpu", "-disable-auto-upgrade-debug-info")
    if isinstance(source, str):
        return llvm.parse_assembly(source, context)
    return llvm.parse_bitcode(source, context)
