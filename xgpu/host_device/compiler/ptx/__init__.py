# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inline PTX as operations of the llvm and nvvm dialects: grammar, body, tables of instructions."""
