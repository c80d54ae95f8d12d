# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clocks against dictionaries: what is known of each stream is the most that any part knew."""

from __future__ import annotations

import random

import pytest

from xgpu.conversion.async_tokens.streams import EMPTY, Gathering, merge

STREAMS = range(5)


def newest(*parts):
    found = {}
    for part in parts:
        for stream, number in part.items():
            found[stream] = max(found.get(stream, 0), number)
    return found


@pytest.mark.parametrize("seed", range(30))
def test_merging_and_gathering_keep_the_newest(seed):
    random_number = random.Random(seed)
    known = [(EMPTY, {})]
    for step in range(1, 60):
        chosen = random_number.sample(known, min(len(known), random_number.randint(1, 3)))
        point = {random_number.choice(STREAMS): random_number.randint(1, step)}
        if random_number.random() < 0.5:
            clock = merge([clock for clock, _ in chosen], point)
            model = newest(point, *(model for _, model in chosen))
        else:
            (base, model), *others = chosen
            gathering = Gathering(base)
            for other, theirs in others:
                ((stream, number),) = point.items()
                gathering.add(stream, number, other)
                model = newest(model, point, theirs)
                assert [gathering.known(s) for s in STREAMS] == [model.get(s, 0) for s in STREAMS]
            clock = gathering.clock()
        assert [clock.known(s) for s in STREAMS] == [model.get(s, 0) for s in STREAMS]
        known.append((clock, model))
    # What was made first still knows what it knew.
    for clock, model in known:
        assert [clock.known(s) for s in STREAMS] == [model.get(s, 0) for s in STREAMS]
