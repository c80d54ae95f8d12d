# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xDSL's own parser and printer on every dialect of ours, in a plain context.

The pieces are those of the dialects' FileCheck tests: what we print, in generic and in custom form,
xDSL's parser reads; and what its printer prints of that, in both forms, is the same program.
"""

from collections.abc import Iterator
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser
from xdsl.printer import Printer

from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.ir.source import SPLIT_MARKER
from xgpu.core.syntax import parse_module, print_module
from xgpu.core.syntax.verify import verify_module
from xgpu.dialects import gpu
from xgpu.tools.files import split_chunks
from xgpu.universe import get_all_dialects

PIECES = Path(__file__).parents[2] / "filecheck" / "dialects"

#: What others cannot read, and which form of it.
LIMITS = {
    "affine/canonicalize_multiples.mlir": ("generic", "custom"),  # xDSL has no semi-affine maps
    "affine/canonicalize_rejoin.mlir": ("generic", "custom"),
    "affine/ops.mlir": ("generic", "custom"),
    "arith/constants_casts.mlir": ("generic", "custom"),  # nor bits of small floats
    "arith/constants_floats.mlir": ("generic", "custom"),
    "arith/constants_integers.mlir": ("generic", "custom"),  # nor elements of more than 64 bits
    "arith/constants_vectors.mlir": ("generic", "custom"),
    "arith/wide_floats.mlir": ("generic", "custom"),  # nor floats of 80 and 128 bits
    "cf/no_bits.mlir": ("generic", "custom"),
    "complex/infinite.mlir": ("generic", "custom"),  # nor bits of those in a complex number
    "complex/number.mlir": ("generic", "custom"),
    "llvm/wide_switch.mlir": ("generic", "custom"),
    "memref/ops.mlir": ("generic", "custom"),  # nor in a layout
    "llvm/folds.mlir": ("generic", "custom"),  # xDSL has no sparse elements
    "tensor/canonicalize_elements.mlir": ("generic", "custom"),
    "vector/ops.mlir": ("custom",),  # `vector.print` before `%0 =`: mlir-opt fails, too
}


def pieces() -> Iterator[Any]:
    """Without --long, the first piece of each file."""
    for path in sorted(PIECES.rglob("*.mlir")):
        name = str(path.relative_to(PIECES))
        if "invalid" in name:
            continue
        for number, source in enumerate(split_chunks(path.read_text(), name, SPLIT_MARKER)):
            marks = [pytest.mark.long] if number else []
            yield pytest.param(source, LIMITS.get(name, ()), id=f"{name}-{number}", marks=marks)


@cache
def plain_context() -> Context:
    context = Context(allow_unregistered=True)
    context.load_dialect(Builtin)
    for factory in get_all_dialects().values():
        context.load_dialect(factory())
    return context


@pytest.mark.parametrize(
    "count", [pytest.param(1, id="a form"), pytest.param(2, marks=pytest.mark.long, id="both")]
)
@pytest.mark.parametrize(("source", "limits"), list(pieces()))
def test_read_and_print(source: Any, limits: tuple[str, ...], count: int) -> None:
    """In the generic form, the custom one, or from each to each."""
    try:
        module = parse_module(source, allow_unregistered=True)
        verify_module(module)
    except DiagnosticError:
        pytest.skip("a piece that is wrong on purpose")
    wanted = print_module(module)
    forms = [form for form in ("generic", "custom") if form not in limits]
    if count == 1:  # by the text, so that each form has many
        at = len(wanted) % 2
        forms = forms[at:] or forms[:1]
        forms = forms[:1]
    for form in forms:
        text = print_module(module, generic=form == "generic", local_scope=True)
        read = Parser(plain_context(), text).parse_module()
        read.verify()
        for printed_form in forms:
            out = StringIO()
            Printer(out, print_generic_format=printed_form == "generic").print_op(read)
            again = parse_module(out.getvalue(), allow_unregistered=True)
            assert print_module(again) == wanted


def test_a_dialect_of_ours_in_a_context_of_others() -> None:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(gpu.GPU)
    module = Parser(context, "%t = gpu.wait async\ngpu.wait [%t]").parse_module()
    assert [type(op) for op in module.ops] == [gpu.WaitOp, gpu.WaitOp]
    assert context.get_optional_dialect("gpu") is gpu.GPU
