# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Special registers that are fields of a record, under PTX's names."""

from __future__ import annotations

_THREAD = {"tid.x": "tid_x", "tid.y": "tid_y", "tid.z": "tid_z", "linear": "linear"}

#: Register -> field of `structs.Thread` (see `is_thread_register`) or of `structs.Block`.
FIELDS = {
    f"{register}.{axis}": f"{field}_{axis}"
    for register, field in (
        ("ntid", "ntid"), ("ctaid", "ctaid"), ("nctaid", "nctaid"),
        ("clusterid", "clusterid"), ("nclusterid", "nclusterid"),
        ("cluster.ctaid", "cluster_ctaid"), ("cluster.nctaid", "cluster_nctaid"),
    )
    for axis in "xyz"
} | {
    "cluster.ctarank": "cluster_rank",
    "cluster.nctarank": "cluster_size",
    "dynamic.smem.size": "dynamic_shared",
    "count": "count",
    "shared": "shared",
} | _THREAD  # fmt: skip


def is_thread_register(name: str) -> bool:
    """Whether a register may differ between the threads of a block."""
    return name in _THREAD
