# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text is read and printed as mlir-opt 22 does: MLIR's own tests of builtin syntax, where they are
at hand (`XGPU_MLIR_TESTS`, or the conformance cache), and random affine maps and floats."""

from __future__ import annotations

import os
import pathlib
import random

import pytest

from tests.support import processes
from xgpu.core.ir.source import SPLIT_MARKER
from xgpu.core.syntax import parse_module, print_module
from xgpu.tools.files import split_chunks

pytestmark = pytest.mark.parity

TESTS = pathlib.Path(
    os.environ.get("XGPU_MLIR_TESTS", "~/.cache/xgpu-conformance/test")
).expanduser()

#: Files whose modules come back as mlir-opt prints them, generic form in and out.
FILES = [
    "Dialect/Builtin/ops.mlir",
    "IR/array-of-attr.mlir",
    "IR/core-ops.mlir",
    "IR/opaque_locations.mlir",
    "IR/operation-equality.mlir",
    "IR/parser.mlir",
    "IR/region.mlir",
]


def mlir(tool: str, text: str, *flags: str) -> str | None:
    """What mlir-opt prints, or None if it rejects the text."""
    run = processes.run(
        [tool, "--allow-unregistered-dialect", *flags], input=text, capture_output=True, text=True
    )
    return run.stdout if run.returncode == 0 else None


@pytest.mark.parametrize("name", FILES)
def test_files(name: str, mlir_opt: str) -> None:
    path = TESTS / name
    if not path.is_file():
        pytest.skip("MLIR's tests are not here")
    seen = 0
    text = path.read_text(errors="surrogateescape")
    for piece in split_chunks(text, "-", SPLIT_MARKER):
        expected = mlir(mlir_opt, piece.text, "--mlir-print-op-generic")
        if expected is None or "test." in expected:
            continue
        module = parse_module(expected, "-", allow_unregistered=True)
        assert print_module(module, generic=True).strip() == expected.strip()
        seen += 1
    if not seen:
        pytest.skip("every module of the file needs MLIR's test dialect")


def _expression(rng: random.Random, depth: int) -> str:
    if not depth or rng.random() < 0.2:
        return rng.choice(["d0", "d1", "s0", str(rng.randint(-9, 9))])
    kind = rng.random()
    left = _expression(rng, depth - 1)
    if kind < 0.5:
        # A difference whose right side is a division is where MLIR's order is peculiar.
        return f"({left} + {_expression(rng, depth - 1)})"
    if kind < 0.75:
        return f"({left} * {rng.choice(['s0', str(rng.randint(-4, 8))])})"
    return f"({left} {rng.choice(['floordiv', 'ceildiv', 'mod'])} {rng.randint(1, 8)})"


def test_affine_maps(mlir_opt: str) -> None:
    rng = random.Random(1)
    maps = [f"affine_map<(d0, d1)[s0] -> ({_expression(rng, 3)})>" for _ in range(400)]
    _same(mlir_opt, maps)


def test_floats(mlir_opt: str) -> None:
    rng = random.Random(2)
    literals: list[str] = []
    for ty, width in (("f16", 16), ("bf16", 16), ("f32", 32), ("f64", 64), ("f8E4M3FN", 8)):
        literals += [f"0x{rng.getrandbits(width):X} : {ty}" for _ in range(100)]
        literals += [f"{rng.uniform(-10, 10):.6e} : {ty}" for _ in range(30)]
        literals += [f"{rng.randint(-(10**9), 10**9)}.0 : {ty}" for _ in range(30)]
    _same(mlir_opt, literals)


def _same(tool: str, literals: list[str]) -> None:
    text = "\n".join(f'"a.b"() {{a = {literal}}} : () -> ()' for literal in literals)
    expected = mlir(tool, text, "--mlir-print-local-scope")
    assert expected is not None
    ours = print_module(parse_module(text, allow_unregistered=True), local_scope=True)
    for literal, line, wanted in zip(
        literals, ours.splitlines()[1:], expected.splitlines()[1:], strict=False
    ):
        assert line == wanted, literal
