# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `shard-explore` chooses, beside what is chosen by hand."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, cast

import pytest
from sharded_programs import attention

from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context, parse_module
from xgpu.dialects.shard.sharding import Grid
from xgpu.transforms.shard.communication import bytes_moved
from xgpu.transforms.shard.shard_explore import Choice, Cost, Rates, explore

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

#: Two layers of 8 rows: `relu(x w) v` without the relu.
NETWORK = """
shard.grid @line(shape = 4)
func.func @network(%x: tensor<8x16xf32>, %w: tensor<16x64xf32>, %v: tensor<64x16xf32>)
    -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<8x64xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x64xf32>)
                     outs(%1 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %3 = math.exp %2 : tensor<8x64xf32>
  %4 = tensor.empty() : tensor<8x16xf32>
  %5 = linalg.fill ins(%zero : f32) outs(%4 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %6 = linalg.matmul ins(%3, %v : tensor<8x64xf32>, tensor<64x16xf32>)
                     outs(%5 : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %6 : tensor<8x16xf32>
}
"""
ROWS: Choice = (((0,), ()), ((), ()), ((), ()))
#: Columns of the first weights and rows of the second, as Megatron does: one all_reduce.
INNER: Choice = (((), ()), ((), (0,)), ((0,), ()))


def _explored(text: str, rates: Rates, **more: Any) -> list[tuple[Cost, Choice]]:
    module = parse_module(text)
    operations = list(cast("ModuleOp", module).body.block.ops)
    grid = next(Grid.of(op) for op in operations if op.name == "shard.grid")
    function: Any = next(op for op in operations if op.name == "func.func")
    return explore(module, function, grid, rates, **more)


@pytest.mark.long
def test_two_layers_are_split_by_rows_or_as_memory_wants() -> None:
    found = _explored(NETWORK, Rates(latency=0))
    cost, choice = found[0]
    assert choice == ROWS
    assert cost.received == 0
    # A quarter of x and of the result, and all weights.
    assert cost.memory == 4 * (2 * 16 + 16 * 64 + 64 * 16 + 2 * 16)
    whole = next(cost for cost, choice in found if not any(map(any, choice)))
    assert whole.seconds == pytest.approx(4 * cost.seconds)
    small = _explored(NETWORK, Rates(latency=0, memory=4000))
    assert INNER in [choice for _, choice in small[:3]]
    assert all(cost.memory <= 4000 for cost, _ in small)


@pytest.mark.long
def test_attention_is_split_by_heads() -> None:
    found = _explored(attention(4), Rates(latency=0))
    heads: Choice = (((0,), (), ()),) * 3
    assert found[0][1] == heads
    assert found[0][0].received == 0


def test_the_work_is_spread_by_a_mapper() -> None:
    """What is given to workers is pickled, as executors do; few ways are tried."""
    tried: list[Choice] = []

    def mapper(work: Callable[[Choice], Cost | None], items: Iterable[Choice]) -> list[Cost | None]:
        items = list(items)
        tried.extend(items)
        return [pickle.loads(pickle.dumps(work))(item) for item in items]

    found = _explored(NETWORK, Rates(latency=0), most=10, mapper=mapper)
    assert len(tried) == len(set(tried)) < 27
    assert found[0][1] == ROWS


@pytest.mark.long
def test_the_pass_puts_the_best_into_the_function() -> None:
    module = parse_module(NETWORK)
    pipeline = "builtin.module(shard-explore{memory=4000},shard-distribute)"
    parse_pipeline(pipeline).run(module, context(), [])
    # The all_reduce of 8x16 floats among 4 processes.
    assert bytes_moved(module) == {"shard.all_reduce": 2 * 3 * 8 * 16 * 4}


_ADD = """
shard.grid @line(shape = 2)
func.func @add(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("memory=10", "cannot be split over the grid within its memory"),
        ("grid=other", "needs one grid of known shape, or the name of one"),
    ],
)
def test_what_cannot_be_is_refused(options: str, said: str) -> None:
    with pytest.raises(DiagnosticError, match=said):
        parse_pipeline(f"builtin.module(shard-explore{{{options}}})").run(
            parse_module(_ADD), context(), []
        )
