# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The locations of what passes make, beside mlir-opt 22: RUN lines with --mlir-print-debuginfo."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.filecheck.conftest import plain_stages, run_lines, run_stage, substitute
from tests.support import processes

pytestmark = [pytest.mark.parity, pytest.mark.long]

_TESTS = pathlib.Path(__file__).parents[1] / "filecheck"
_ALIAS = re.compile(r"^(#loc\d*) = loc\((.*)\)$", re.MULTILINE)
_NAME = re.compile(r"#loc\d*\b")
#: Files whose locations differ still, each by the mechanism that is named.
_DIFFERING = {
    # What is erased later, or made a constant, leaves its location behind.
    "conversion/async_runtime/async_parallel_for.mlir",
    "conversion/async_runtime/async_parallel_for_options.mlir",
    "dialects/arith/constants_vectors.mlir",
    "dialects/scf/canonicalize_while.mlir",
    "examples/async_parallel_for.mlir",
    # A declaration is where its module is.
    "conversion/control_flow/cf_to_llvm.mlir",
    # A value of another type is made where its first user is.
    "conversion/control_flow/func_to_llvm_bare.mlir",
    "conversion/gpu/gpu_to_nvvm_options.mlir",
    "conversion/launch/gpu_to_llvm_options.mlir",
    "conversion/scalar/arith_types.mlir",
    # A pattern is found from another of its operations.
    "dialects/affine/canonicalize_index.mlir",
    "dialects/linalg/canonicalize_fills.mlir",
    "dialects/scf/canonicalize_regions.mlir",
    "dialects/scf/canonicalize_while_order.mlir",
    "dialects/vector/canonicalize_reductions.mlir",
    "transforms/fold_tensor_subset_ops.mlir",
    "transforms/memref/expand_strided_metadata.mlir",
    "transforms/memref/resolve_shaped_type_result_dims.mlir",
    "transforms/vector/multi_reduction.mlir",
    # Loops and tiles of transform operations.
    "transform_dialect/fuse_into.mlir",
    "transform_dialect/pad.mlir",
    "transform_dialect/partial_reductions.mlir",
    "transform_dialect/vectorize.mlir",
    "transform_dialect/vectorize_children.mlir",
    "transforms/linalg/fuse_elementwise_ops.mlir",
    # Halves of wide shuffles, and the blocks of a reduction whose operation is a region.
    "transforms/gpu/gpu_rewrites.mlir",
    "transforms/gpu/test_gpu_rewrite.mlir",
    # Copies at the end of loops, clones, values of slots.
    "transforms/bufferization/one_shot_bufferize_options.mlir",
    "transforms/bufferization/ownership_based_buffer_deallocation.mlir",
    "transforms/generic/mem2reg_debug.mlir",
}


def _lines(text: str) -> list[str]:
    """The lines of a printed file, with locations in place of their aliases."""
    found: list[str] = []
    for section in text.split("// -----"):
        known: dict[str, str] = dict(_ALIAS.findall(section))

        def whole(match: re.Match[str], known: dict[str, str] = known) -> str:
            text = known.get(match[0])
            return match[0] if text is None else _NAME.sub(whole, text)

        lines = _NAME.sub(whole, _ALIAS.sub("", section)).splitlines()
        found += [" ".join(line.split()) for line in lines if line.strip()]
    return found


def _operations(lines: list[str]) -> list[str]:
    """Lines without their locations."""
    found: list[str] = []
    for line in lines:
        parts = line.split("loc(")
        kept = parts[0]
        for part in parts[1:]:
            depth, at = 1, 0
            while depth and at < len(part):
                depth += {"(": 1, ")": -1}.get(part[at], 0)
                at += 1
            kept += part[at:]
        found.append(" ".join(kept.split()))
    return found


@pytest.mark.parametrize(
    "folder", ["conversion", "core", "dialects", "examples", "transform_dialect", "transforms"]
)
def test_run_lines(folder: str, mlir_opt: str, tmp_path: pathlib.Path) -> None:
    compared, differing = 0, set[str]()
    for path in sorted((_TESTS / folder).rglob("*.mlir")):
        for line in run_lines(path.read_text(encoding="utf-8", errors="surrogateescape")):
            stages = plain_stages(substitute(line, path, tmp_path / "t"))
            if not stages or stages[0][0][0] != "xgpu-opt" or "--mlir-print-debug" in line:
                continue
            command = stages[0][0][1:]
            theirs, ours = _both(mlir_opt, [*command, "--mlir-print-debuginfo"])
            if theirs is None or ours is None:
                continue
            lines = _lines(theirs), _lines(ours)
            if lines[0] != lines[1]:
                if _operations(lines[0]) != _operations(lines[1]):
                    continue  # other tests compare the operations; some differ from run to run
                differing.add(str(path.relative_to(_TESTS)))
            compared += 1
    assert compared
    assert differing == {name for name in _DIFFERING if name.startswith(f"{folder}/")}


def _both(mlir_opt: str, arguments: list[str]) -> tuple[str | None, str | None]:
    return _run([mlir_opt], arguments), _run(None, arguments)


def _run(tool: list[str] | None, arguments: list[str]) -> str | None:
    """What a tool prints (None: xgpu-opt, in this process); None where it fails."""
    if tool is None:
        out, _, code = run_stage(["xgpu-opt", *arguments], b"", False)
        return out.decode(errors="replace") if code == 0 else None
    done = processes.run([*tool, *arguments], capture_output=True)
    return done.stdout.decode(errors="replace") if done.returncode == 0 else None
