# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sparse A: of four elements two are there (of two one, for tf32; of four pairs two, for 4 bits),
and four bits of metadata for each group say which."""

from __future__ import annotations

from xgpu.host_device.native.prelude import Ptr, advance, i32, i64, zext32
from xgpu.host_device.native.records import Thread
from xgpu.host_device.native.sources.elements import (
    TYPE_E2M1,
    TYPE_S4,
    TYPE_TF32,
    TYPE_U4,
    element_bits,
)
from xgpu.host_device.native.sources.fragments import metadata_place
from xgpu.host_device.native.sources.products import lane_memory

# How many columns a group has; half of them are stored.
ONE_OF_2 = 2
TWO_OF_4 = 4
PAIRS_OF_8 = 8


def column_in_row(group: i32, s: i32, bits: i32) -> i32:
    """Which column of a row stored element `s` is. `group`: columns of a group, whose four bits of
    metadata are `bits`."""
    if group == ONE_OF_2:
        return s * 2 + (bits & 3) // 2
    if group == PAIRS_OF_8:
        return s // 4 * 8 + ((bits >> (s // 2 % 2 * 2)) & 3) * 2 + s % 2
    return s // 2 * 4 + ((bits >> (s % 2 * 2)) & 3)


def dense_column(t: Thread, type: i32, k: i32, selector: i32, at: i64, row: i32, s: i32) -> i32:
    """Which of the k columns stored element `s` of a row is. Each lane has left a word of metadata
    `at` bytes into its record; `selector` says whose count."""
    group: i32 = TWO_OF_4
    if type == TYPE_TF32:
        group = ONE_OF_2
    elif type in (TYPE_S4, TYPE_U4, TYPE_E2M1):
        group = PAIRS_OF_8
    bits = metadata(t, type, k, selector, at, row, s // (group // 2), group)
    return column_in_row(group, s, bits)


def metadata(
    t: Thread, type: i32, k: i32, selector: i32, at: i64, row: i32, which: i32, group: i32
) -> i32:
    """The four bits of a group of a row."""
    halves = zext32(element_bits(type) > 8)
    words = k // group // 4
    place = metadata_place(row, which, words, selector, halves)
    word = Ptr[i32](advance(lane_memory(t, i32(place // 32)), at))
    return (word[0] >> i32(place % 32)) & 15
