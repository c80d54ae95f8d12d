# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many streams and events there are, and that no stream orders what tokens leave unordered."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from xgpu.conversion.async_tokens.gpu_async_to_mgpu import GpuAsyncToMgpu
from xgpu.conversion.async_tokens.mgpu_verify_lifetimes import check
from xgpu.core.syntax import context, parse_module

LAUNCH = "gpu.launch_func async {} @k::@{} blocks in (%n, %n, %n) threads in (%n, %n, %n)"


def _program(needs: list[list[int]]) -> str:
    """A launch of a kernel of its own for each list of launches before it."""
    lines = []
    for i, before in enumerate(needs):
        tokens = f"[{', '.join(f'%{p}' for p in before)}]" if before else ""
        lines.append(f"%{i} = " + LAUNCH.format(tokens, f"k{i}"))
    kernels = "".join(f"gpu.func @k{i}() kernel {{ gpu.return }}\n" for i in range(len(needs)))
    body = "\n".join(lines)
    waits = ", ".join(f"%{i}" for i in range(len(needs)))
    return (
        f"module attributes {{gpu.container_module}} {{ gpu.module @k {{ {kernels} }}\n"
        f"func.func @main(%n: index) {{\n{body}\ngpu.wait [{waits}]\nreturn }} }}"
    )


def _lower(needs: list[list[int]], **options: object):
    module = parse_module(_program(needs))
    GpuAsyncToMgpu(**options).run(module, context())
    check(module)
    return module


def _count(needs: list[list[int]], **options: object) -> Counter[str]:
    return Counter(op.name for op in _lower(needs, **options).walk())


def _before(needs: list[list[int]]) -> list[set[int]]:
    """What is complete when each launch begins, by its tokens."""
    before: list[set[int]] = []
    for own in needs:
        before.append(set(own).union(*(before[p] for p in own)))
    return before


def _device_order(module) -> list[set[int]]:
    """The same, by streams and events."""
    frontier: dict[object, set[int]] = {}
    recorded: dict[object, set[int]] = {}
    before: dict[int, set[int]] = {}
    for op in module.walk():
        if op.name == "mgpu.event_record":
            recorded[op.event] = set(frontier.get(op.stream, ()))
        elif op.name == "mgpu.stream_wait_event":
            frontier.setdefault(op.stream, set()).update(recorded[op.event])
        elif op.name == "mgpu.launch":
            kernel = op.function.owner.kernel.nested_references.data[0].data
            number = int(kernel[1:])
            before[number] = set(frontier.get(op.stream, ()))
            frontier.setdefault(op.stream, set()).add(number)
    return [before[i] for i in range(len(before))]


def _random_needs(draw: random.Random, count: int) -> list[list[int]]:
    density = draw.random() / 2
    return [[p for p in range(i) if draw.random() < density] for i in range(count)]


def _width(before: list[set[int]]) -> int:
    """The size of the largest set of launches of which none is before another."""
    best = 0
    for mask in range(1 << len(before)):
        chosen = [i for i in range(len(before)) if mask >> i & 1]
        if len(chosen) > best and not any(
            a in before[b] for a, b in itertools.combinations(chosen, 2)
        ):
            best = len(chosen)
    return best


def test_random_graphs_keep_their_order_with_the_fewest_streams() -> None:
    draw = random.Random(7)
    for _ in range(150):
        needs = _random_needs(draw, draw.randint(1, 9))
        module = _lower(needs)
        wanted = _before(needs)
        assert _device_order(module) == wanted, needs
        counts = Counter(op.name for op in module.walk())
        assert counts["mgpu.stream_create"] == _width(wanted), needs
        assert counts["mgpu.stream_create"] == counts["mgpu.stream_destroy"]
        assert counts["mgpu.event_create"] == counts["mgpu.event_destroy"]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_with_a_limit_all_that_is_ordered_stays_ordered(limit: int) -> None:
    draw = random.Random(limit)
    for _ in range(40):
        needs = _random_needs(draw, draw.randint(1, 9))
        module = _lower(needs, max_streams=limit)
        for found, wanted in zip(_device_order(module), _before(needs), strict=True):
            assert found >= wanted, needs
        counts = Counter(op.name for op in module.walk())
        assert counts["mgpu.stream_create"] == min(limit, _width(_before(needs)))


def _fewest_waits(needs: list[list[int]]) -> int:
    """Tokens that no others imply, but those along which chains can go."""
    before = _before(needs)
    after: dict[int, list[int]] = {}
    for i, own in enumerate(needs):
        for p in own:
            if not any(p in before[q] for q in own):
                after.setdefault(p, []).append(i)
    chosen: dict[int, int] = {}

    def extend(p: int, seen: set[int]) -> bool:
        for i in after.get(p, ()):
            if i not in seen:
                seen.add(i)
                if i not in chosen or extend(chosen[i], seen):
                    chosen[i] = p
                    return True
        return False

    return sum(map(len, after.values())) - sum(extend(p, set()) for p in after)


def test_min_events_has_the_fewest_waits() -> None:
    draw = random.Random(3)
    for _ in range(60):
        needs = _random_needs(draw, draw.randint(1, 9))
        module = _lower(needs, assign="min-events")
        assert _device_order(module) == _before(needs), needs
        waits = sum(op.name == "mgpu.stream_wait_event" for op in module.walk())
        assert waits == _fewest_waits(needs), needs


def test_a_chain_is_one_stream_without_events() -> None:
    counts = _count([[i - 1] if i else [] for i in range(1000)])
    assert counts["mgpu.stream_create"] == 1
    assert counts["mgpu.event_create"] == 0


def test_two_and_their_join_are_two_streams_and_an_event() -> None:
    counts = _count([[], [], [0, 1]])
    assert (counts["mgpu.stream_create"], counts["mgpu.event_create"]) == (2, 1)


def test_a_join_tree_has_as_many_streams_as_it_may() -> None:
    needs: list[list[int]] = [[] for _ in range(256)]
    level = list(range(256))
    while len(level) > 1:
        above = []
        for pair in zip(level[::2], level[1::2], strict=True):
            needs.append(list(pair))
            above.append(len(needs) - 1)
        level = above
    assert _count(needs, max_streams=8)["mgpu.stream_create"] == 8
    counts = _count(needs)
    assert counts["mgpu.stream_create"] == 256
    # Each event serves again as soon as it has been waited for.
    assert counts["mgpu.event_create"] == 1
    assert counts["mgpu.stream_wait_event"] == 255


def test_one_place_for_the_arguments_of_all_launches() -> None:
    from xgpu.conversion.launch.mgpu_to_llvm import ConvertMgpuToLLVM

    module = parse_module(
        "func.func @f(%s: !mgpu.stream, %k: !mgpu.function, %n: i64, %v: f32) {\n"
        + "mgpu.launch %s, %k blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64"
        " args(%v : f32, %n : i64)\n" * 50 + "return }"
    )
    ConvertMgpuToLLVM().run(module, context())
    assert sum(op.name == "llvm.alloca" for op in module.walk()) == 2
