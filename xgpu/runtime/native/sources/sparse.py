# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sparse A: of four elements two are there (of two one, for tf32; of four pairs two, for 4 bits),
and four bits of metadata for each group say which."""

from __future__ import annotations

from xgpu.runtime.native.prelude import Ptr, advance, i32, i64, zext32
from xgpu.runtime.native.records import Thread
from xgpu.runtime.native.sources.elements import (
    TYPE_E2M1,
    TYPE_S4,
    TYPE_TF32,
    TYPE_U4,
    element_bits,
)
from xgpu.runtime.native.sources.fragments import metadata_place
from xgpu.runtime.native.sources.products import lane_memory


def dense_column(t: Thread, type: i32, k: i32, selector: i32, at: i64, row: i32, s: i32) -> i32:
    """Which of the k columns stored element `s` of a row is. Each lane has left a word of metadata
    `at` bytes into its record; `selector` says whose count."""
    if type == TYPE_TF32:
        return s * 2 + (metadata(t, type, k, selector, at, row, s) & 3) // 2
    if type in (TYPE_S4, TYPE_U4, TYPE_E2M1):
        chosen = metadata(t, type, k, selector, at, row, s // 4) >> (s // 2 % 2 * 2)
        return s // 4 * 8 + (chosen & 3) * 2 + s % 2
    chosen = metadata(t, type, k, selector, at, row, s // 2) >> (s % 2 * 2)
    return s // 2 * 4 + (chosen & 3)


def metadata(t: Thread, type: i32, k: i32, selector: i32, at: i64, row: i32, group: i32) -> i32:
    """The four bits of a group of a row."""
    bits = element_bits(type)
    per_group = i32(4)
    if type == TYPE_TF32:
        per_group = 2
    elif bits == 4:
        per_group = 8
    halves = zext32(bits > 8)
    words = k // per_group // 4
    place = metadata_place(row, group, words, selector, halves)
    word = Ptr[i32](advance(lane_memory(t, i32(place // 32)), at))
    return (word[0] >> i32(place % 32)) & 15
