# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What plugins and embedding programs import: the names here are public and stay.

    from xgpu.plugins import Option, Pass, error

`docs/reference/embedding.md` shows how to write a pass, a dialect, or facts about operations of
other projects. The modules behind these names are internal and may move.
"""

from __future__ import annotations

from xgpu.core.bytecode import read_bytecode, write_bytecode
from xgpu.core.ir.constants import register_constant
from xgpu.core.ir.errors import Diagnostic, DiagnosticError, UsageError, error, op_error
from xgpu.core.ir.op_info import OpInfo, op_info
from xgpu.core.ir.op_info import register as register_operation
from xgpu.core.ods.foreign import add_definitions, add_package
from xgpu.core.ods.spec import AttrSpec, OpSpec
from xgpu.core.passes import remarks
from xgpu.core.passes.base import Option, Pass
from xgpu.core.passes.manager import PassManager, Pipeline
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.rewriting.builder import Builder, Rewriter
from xgpu.core.rewriting.driver import Conversion
from xgpu.core.rewriting.folding import register_materializer
from xgpu.core.rewriting.greedy import GreedyRewriter
from xgpu.core.rewriting.type_converter import TypeConverter, register_type
from xgpu.core.syntax import context, parse_module, print_module
from xgpu.core.syntax.bracketed_types import register_memref_element
from xgpu.core.syntax.diagnostics import emit
from xgpu.core.syntax.verify import verify_module

__all__ = [
    "AttrSpec",
    "Builder",
    "Conversion",
    "Diagnostic",
    "DiagnosticError",
    "GreedyRewriter",
    "OpInfo",
    "OpSpec",
    "Option",
    "Pass",
    "PassManager",
    "Pipeline",
    "Rewriter",
    "TypeConverter",
    "UsageError",
    "add_definitions",
    "add_package",
    "context",
    "emit",
    "error",
    "op_error",
    "op_info",
    "parse_module",
    "parse_pipeline",
    "print_module",
    "read_bytecode",
    "register_constant",
    "register_materializer",
    "register_memref_element",
    "register_operation",
    "register_type",
    "remarks",
    "verify_module",
    "write_bytecode",
]
