# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A short form of `tests.fuzz.text`: some seeds, and the parts of the machine."""

from __future__ import annotations

import time

import pytest

from tests.fuzz import text
from tests.fuzz.corpus import corpus, sound
from tests.fuzz.judge import Finding, TooSlow, judge, limited
from tests.fuzz.mutations import MUTATIONS
from tests.fuzz.reduce import reduced
from tests.support.some_cases import long_first, short


def test_the_corpus_itself_is_no_finding() -> None:
    """Each twentieth text: the tests of dialects read and print all of them."""
    texts = corpus()
    assert len(texts) > 500
    for seed, piece in enumerate(texts[::20]):
        finding = judge(piece, seed, passes=False).finding
        assert finding is None, f"{finding}\n{piece}"


def test_a_limit_is_of_processor_time() -> None:
    """What other processes take does not count."""
    with limited(0.05):
        time.sleep(0.2)
    with pytest.raises(TooSlow), limited(0.05):
        _work(10)


def _work(seconds: float) -> None:
    begin = time.process_time()
    while time.process_time() < begin + seconds:
        pass


@pytest.mark.parametrize("first", short(range(0, 600, 100), 0))
def test_mutated_texts(first: int) -> None:
    for result in text.results(range(first, first + 100), passes=True):
        assert result["signature"] is None, (
            f"seed {result['seed']}: {result['signature']}\n{result['detail']}\n"
            f"{text.text_of(result['seed'])}"
        )


@pytest.mark.parametrize("first", long_first(range(1000, 21000, 1000), 4))
def test_many_mutated_texts(first: int) -> None:
    found = [r for r in text.results(range(first, first + 1000), passes=True) if r["signature"]]
    assert not found, [(r["seed"], r["signature"]) for r in found]


def test_a_seed_is_a_text() -> None:
    assert text.text_of(7) == text.text_of(7)
    assert len({text.text_of(seed) for seed in range(50)}) > 45


def test_most_texts_come_from_valid_ones() -> None:
    assert set(sound()) < set(corpus())
    accepted = [judge(piece, 0, passes=False).accepted for piece in sound()[::40]]
    assert sum(accepted) > 0.8 * len(accepted)


def test_every_mutation_changes_something() -> None:
    from random import Random

    sample = (
        'func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  "t.u"() {a = 5 : i8} '
    )
    sample += ': () -> ()\n  "t.v"(%a) {b = "x"} : (i32) -> ()\n'
    sample += "  return %0 : i32\n}\n"
    for mutation in MUTATIONS:
        changed = {mutation(Random(seed), sample, corpus()) for seed in range(20)}
        assert changed != {sample}, mutation.__name__


def test_what_ends_the_process_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    def run(seed: int, *, passes: bool) -> dict[str, object]:
        if seed == 2:
            os.abort()
        return {"seed": seed, "signature": None}

    monkeypatch.setattr(text, "run_seed", run)
    found = [(r["seed"], r["signature"]) for r in text.results(range(5), passes=False)]
    assert found == [(0, None), (1, None), (2, "the process ended"), (3, None), (4, None)]


def test_a_wrong_reader_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from xgpu.core.syntax.parser import Parser

    def broken(*_: object) -> None:
        raise KeyError("broken")

    monkeypatch.setattr(Parser, "_parse_array", broken)
    finding = judge('"a.b"() {a = [1]} : () -> ()\n', 0).finding
    assert isinstance(finding, Finding)
    assert finding.signature.startswith("read: KeyError in ")


def test_reducing() -> None:
    sample = "a b\nc d\ne f needle g\nh\n"
    assert reduced(sample, lambda smaller: "needle" in smaller) == "needle"
