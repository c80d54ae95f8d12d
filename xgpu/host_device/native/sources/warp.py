# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Warp collectives.

A thread that takes part puts its operands into its record and waits. When all threads that the
member mask names, and that have not exited, wait at the same collective with the same mask, the
last to come computes all results. Results are computed there and then, so that no lane can
overwrite an operand that another lane has still to read.
"""

from __future__ import annotations

from xgpu.host_device.abi.codes import NOTICE_ABSENT
from xgpu.host_device.native.prelude import (
    Ptr,
    advance,
    bits_f32,
    i1,
    i16,
    i32,
    i64,
    invoke,
    ptr,
    trailing_zeros,
    ult,
    zext32,
    zext64,
)
from xgpu.host_device.native.records import (
    ELECT,
    MATCH_ALL,
    REDUX_ADD,
    REDUX_AND,
    REDUX_FMAX_ABS,
    REDUX_FMAX_ABS_NAN,
    REDUX_FMIN,
    REDUX_FMIN_ABS,
    REDUX_FMIN_ABS_NAN,
    REDUX_FMIN_NAN,
    REDUX_MAX,
    REDUX_MIN,
    REDUX_OR,
    REDUX_UMAX,
    REDUX_UMIN,
    REDUX_XOR,
    SHFL_BFLY,
    SHFL_DOWN,
    SHFL_IDX,
    SHFL_UP,
    STATE_DONE,
    STATE_READY,
    STATE_WARP,
    STATE_YIELD,
    TOGETHER,
    VOTE_ALL,
    VOTE_ANY,
    VOTE_BALLOT,
    VOTE_UNI,
    WARP_SYNC,
    Thread,
)
from xgpu.host_device.native.sources.barriers import xgpu_on_notice, xgpu_yield

WARP = 32


def xgpu_warp(t: Thread, operation: i32, mask: i32, value: i64, b: i32, c: i32) -> i1:
    """Take part in `operation`; true: the result is there and the thread goes on at once."""
    t.wait_id = operation
    t.mask = mask
    t.value = value
    t.argument_b = b
    t.argument_c = c
    t.state = STATE_WARP
    t.block.worker.collectives = 1
    return complete(t)


def xgpu_warp_with(t: Thread, function: ptr, value: ptr) -> i1:
    """Take part in what `function` (of a `Thread`) does for the whole warp, with what its lanes
    have left at `value`."""
    t.address = function
    return xgpu_warp(t, TOGETHER, -1, i64(value), 0, 0)


# `activemask`: a thread lets the other lanes of its warp come there too, as long as one of them can
# go on by itself. The first of those that goes on gives all of them the same lanes. That is one of
# the answers that PTX allows, and collectives of these lanes are complete when they have come.

ACTIVE = 4095  # what they wait for: no operation
#: Rounds in which other lanes get on before a thread no longer waits for them: they may never come.
MOST_ROUNDS = 1024


def xgpu_come_together(t: Thread, place: i64) -> i1:
    """A thread comes to an `activemask`, which `place` stands for."""
    t.wait_id = ACTIVE
    t.value = place
    t.mask = 0
    t.argument_c = 0
    return xgpu_yield(t, 0)


def awaits_lanes(t: Thread) -> i1:
    """Whether a thread waits at an `activemask` for lanes that can go on; counts the rounds."""
    if t.wait_id != ACTIVE or t.mask != 0 or t.argument_c >= MOST_ROUNDS:
        return False
    b = t.block
    base = t.linear & -32
    for lane in range(i32(WARP)):
        if base + lane < b.count and b.threads[base + lane].state == STATE_READY:
            t.argument_c += 1
            return True
    return False


def xgpu_active_mask(t: Thread) -> i32:
    """The lanes that have come together with `t`, behind that."""
    if t.mask != 0:
        return t.mask
    b = t.block
    base = t.linear & -32
    mask: i32 = i32(1) << (t.linear & 31)
    for lane in range(i32(WARP)):
        if base + lane < b.count and is_together(t, b.threads[base + lane]):
            mask = mask | (i32(1) << lane)
    for lane in range(i32(WARP)):
        if ((mask >> lane) & 1) != 0:
            b.threads[base + lane].mask = mask
    return mask


def is_together(t: Thread, other: Thread) -> i1:
    """Whether another thread waits where `t` has waited, and has no lanes yet."""
    waits = other.state == STATE_YIELD and other.wait_id == ACTIVE
    return waits and other.value == t.value and other.mask == 0


def member(t: Thread, lane: i32) -> Thread | None:
    """The thread at `lane` of the warp of `t`, if it takes part in the collective of `t`."""
    index = (t.linear & -32) + lane
    if ((t.mask >> lane) & 1) == 0 or index >= t.block.count:
        return None
    other = t.block.threads[index]
    if other.state != STATE_WARP or other.mask != t.mask or other.wait_id != t.wait_id:
        return None
    return other


def complete(t: Thread) -> i1:
    """If all lanes are there, compute all results and let all go on."""
    b = t.block
    base = t.linear & -32
    for lane in range(i32(WARP)):
        if ((t.mask >> lane) & 1) != 0 and base + lane < b.count:
            other = b.threads[base + lane]
            if other.state != STATE_DONE and member(t, lane) is None:
                return False
    if t.wait_id == TOGETHER:
        invoke(t.address, None, t)
    else:
        for lane in range(i32(WARP)):
            m = member(t, lane)
            if m is not None:
                compute(m, lane)
    mask = t.mask
    operation = t.wait_id
    for lane in range(i32(WARP)):
        if ((mask >> lane) & 1) != 0 and base + lane < b.count:
            other = b.threads[base + lane]
            if other.state == STATE_WARP and other.mask == mask and other.wait_id == operation:
                other.state = STATE_READY
    return True


def warp_exit(t: Thread) -> None:
    """`t` has exited: a collective that waited only for it is complete now."""
    if t.block.worker.collectives == 0:
        return
    base = t.linear & -32
    for lane in range(i32(WARP)):
        if base + lane < t.block.count:
            other = t.block.threads[base + lane]
            if other.state == STATE_WARP:
                complete(other)


def compute(t: Thread, lane: i32) -> None:
    operation = t.wait_id
    t.predicate = 0
    if operation == WARP_SYNC:
        return
    if operation <= SHFL_IDX:
        shuffle(t, lane, operation)
    elif operation <= VOTE_BALLOT:
        vote(t, operation)
    elif operation <= MATCH_ALL:
        match_values(t, operation)
    elif operation == ELECT:
        leader = trailing_zeros(t.mask)
        t.result = i64(leader)
        t.predicate = zext32(leader == lane)
    elif operation >= REDUX_ADD:
        reduce(t, operation)


def shuffle(t: Thread, lane: i32, operation: i32) -> None:
    """PTX ISA, shfl.sync: `c` holds the clamp in bits 0-4 and the segment mask in bits 8-12."""
    b = t.argument_b & 31
    clamp = t.argument_c & 31
    segment = (t.argument_c >> 8) & 31
    last = (lane & segment) | (clamp & ~segment & 31)
    first = lane & segment
    source: i32 = 0
    ok = True
    if operation == SHFL_UP:
        source = lane - b
        ok = source >= last
    elif operation == SHFL_DOWN:
        source = lane + b
        ok = source <= last
    elif operation == SHFL_BFLY:
        source = lane ^ b
        ok = source <= last
    else:
        source = first | (b & ~segment & 31)
        ok = source <= last
    if not ok:
        source = lane
    other = member(t, source)
    t.predicate = zext32(ok)
    t.result = t.value
    if other is not None:
        t.result = other.value
    elif operation >= SHFL_BFLY:
        # A reduction by halves (`down`, `up`) reads beyond the lanes that take part by design: what
        # lanes at the end get is used by none.
        xgpu_on_notice(t, NOTICE_ABSENT, i64(source))


def vote(t: Thread, operation: i32) -> None:
    ballot: i32 = 0
    present: i32 = 0
    for lane in range(i32(WARP)):
        m = member(t, lane)
        if m is not None:
            present = present | (i32(1) << lane)
            if m.value != 0:
                ballot = ballot | (i32(1) << lane)
    if operation == VOTE_ALL:
        t.result = zext64(ballot == present)
    elif operation == VOTE_ANY:
        t.result = zext64(ballot != 0)
    elif operation == VOTE_UNI:
        t.result = zext64(ballot == present or ballot == 0)
    else:
        t.result = zext64(ballot)


def match_values(t: Thread, operation: i32) -> None:
    equal: i32 = 0
    present: i32 = 0
    for lane in range(i32(WARP)):
        m = member(t, lane)
        if m is not None:
            present = present | (i32(1) << lane)
            if m.value == t.value:
                equal = equal | (i32(1) << lane)
    t.result = zext64(equal)
    t.predicate = 1
    if operation == MATCH_ALL and equal != present:
        t.result = 0
        t.predicate = 0


def reduce(t: Thread, operation: i32) -> None:
    """PTX ISA, redux.sync. Floating-point kinds carry the bits of an f32."""
    first = True
    result: i32 = 0
    for lane in range(i32(WARP)):
        m = member(t, lane)
        if m is not None:
            if first:
                result = reduce_first(operation, i32(m.value))
                first = False
            else:
                result = reduce_step(operation, result, i32(m.value))
    t.result = zext64(result)


def reduce_first(operation: i32, x: i32) -> i32:
    return x & 2147483647 if is_absolute(operation) else x


def is_absolute(operation: i32) -> i1:
    return (operation >= REDUX_FMIN_ABS and operation <= REDUX_FMAX_ABS) or (
        operation >= REDUX_FMIN_ABS_NAN and operation <= REDUX_FMAX_ABS_NAN
    )


def reduce_step(operation: i32, x: i32, y: i32) -> i32:
    if operation == REDUX_ADD:
        return x + y
    if operation == REDUX_AND:
        return x & y
    if operation == REDUX_OR:
        return x | y
    if operation == REDUX_XOR:
        return x ^ y
    if operation == REDUX_MIN:
        return x if x < y else y
    if operation == REDUX_MAX:
        return x if x > y else y
    if operation == REDUX_UMIN:
        return x if ult(x, y) else y
    if operation == REDUX_UMAX:
        return y if ult(x, y) else x
    return reduce_float(operation, x, reduce_first(operation, y))


def reduce_float(operation: i32, x: i32, y: i32) -> i32:
    """fmin and fmax: a NaN gives way to a number, but for the .NaN forms."""
    left = bits_f32(x)
    right = bits_f32(y)
    if left != left:
        return x if operation >= REDUX_FMIN_NAN else y
    if right != right:
        return y if operation >= REDUX_FMIN_NAN else x
    smallest = ((operation - REDUX_FMIN) & 1) == 0
    if smallest:
        return x if left < right else y
    return x if left > right else y


# -- Registers of a warp whose threads are a vector, for what works on those of a thread.
#
# `lanes` has element after element, each of all 32 lanes; `threads` thread after thread, `size`
# bytes each. See `xgpu/host_device/compiler/vectors/warp_calls.py`.


def xgpu_to_threads(threads: ptr, lanes: ptr, size: i64, at: i64, count: i64, bytes: i64) -> None:
    """Give each thread `count` elements of 2, 4 or 8 `bytes`, from byte `at` of its memory on."""
    for i in range(count):
        place = at + i * bytes
        source = advance(lanes, place * WARP)
        for lane in range(i64(WARP)):
            target = advance(threads, lane * size + place)
            if bytes == 4:
                Ptr[i32](target)[0] = Ptr[i32](source)[lane]
            elif bytes == 2:
                Ptr[i16](target)[0] = Ptr[i16](source)[lane]
            else:
                Ptr[i64](target)[0] = Ptr[i64](source)[lane]


def xgpu_to_lanes(threads: ptr, lanes: ptr, size: i64, at: i64, count: i64, bytes: i64) -> None:
    """Give the lanes what the threads have there."""
    for i in range(count):
        place = at + i * bytes
        target = advance(lanes, place * WARP)
        for lane in range(i64(WARP)):
            source = advance(threads, lane * size + place)
            if bytes == 4:
                Ptr[i32](target)[lane] = Ptr[i32](source)[0]
            elif bytes == 2:
                Ptr[i16](target)[lane] = Ptr[i16](source)[0]
            else:
                Ptr[i64](target)[lane] = Ptr[i64](source)[0]
