# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the pattern descriptor operations stand for: patterns by operation name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from xgpu.transforms.transform_dialect.failures import definite
from xgpu.transforms.transform_dialect.interpreter import flag, integer

if TYPE_CHECKING:
    from xgpu.transforms.greedy import Pattern

Table = Mapping[str, Sequence["Pattern"]]

#: Descriptor without options -> module and name of its patterns.
TABLES: dict[str, str] = {
    "gpu.gpu_rewrite_patterns": "xgpu.transforms.gpu_rewrites:PATTERNS",
    "vector.fold_arith_extension": "xgpu.transforms.fold_arith_extensions:PATTERNS",
    "vector.transfer_permutation_patterns": "xgpu.transforms.vector_transfer_maps:PATTERNS",
    "memref.expand_strided_metadata": "xgpu.transforms.expand_strided_metadata:PATTERNS",
}
#: Descriptor -> function of the descriptor that gives its patterns.
MAKERS: dict[str, str] = {
    "canonicalization": "xgpu.transforms.transform_dialect.patterns:canonicalization",
    "gpu.eliminate_barriers": "xgpu.transforms.transform_dialect.patterns:eliminate_barriers",
    "gpu.unroll_vectors_subgroup_mma": "xgpu.transforms.transform_dialect.unroll_mma:patterns",
    "vector.transfer_to_scf": "xgpu.transforms.transform_dialect.patterns:transfer_to_scf",
}


class _Merged(dict[str, "Sequence[Pattern]"]):
    """Patterns of several tables; those that come with a rule for every dialect are asked last."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[Table] = []

    def add(self, table: Table) -> None:
        if type(table) is not dict:
            self.open.append(table)
            return
        for name, patterns in table.items():
            self[name] = (*self.get_own(name), *patterns)

    def get_own(self, name: str) -> Sequence[Pattern]:
        return super().get(name, ())

    def get(self, key: str, default: object = None) -> Sequence[Pattern]:  # type: ignore[override]
        found = super().get(key, ())
        for table in self.open:
            found = (*found, *(table.get(key) or ()))
        return found


def _load(path: str) -> object:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def collect(descriptors: Iterable[Operation]) -> Table:
    """The patterns that `descriptors` name."""
    merged = _Merged()
    for op in descriptors:
        name = op.name.removeprefix("transform.apply_patterns.")
        if name in TABLES:
            table: Table = _load(TABLES[name])  # type: ignore[assignment]
        elif name in MAKERS:
            maker: Callable[[Operation], Table] = _load(MAKERS[name])  # type: ignore[assignment]
            table = maker(op)
        else:
            raise definite(op, f"the patterns of '{op.name}' are not supported by xgpu")
        merged.add(table)
    return merged


def canonicalization(op: Operation) -> Table:
    """The canonicalization patterns of all dialects."""
    from xgpu.transforms.canonicalize import CanonicalizationPatterns

    return CanonicalizationPatterns()


def eliminate_barriers(op: Operation) -> Table:
    from xgpu.transforms.gpu_eliminate_barriers import erase_unnecessary_barrier

    return {"gpu.barrier": (erase_unnecessary_barrier,)}


def transfer_to_scf(op: Operation) -> Table:
    from xgpu.transforms.conversion.vector_to_scf import vector_to_scf_patterns

    return vector_to_scf_patterns(
        full_unroll=flag(op, "full_unroll"), target_rank=integer(op, "max_transfer_rank", 1)
    )
