# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weak scaling of a block of a transformer over ranks, measured here and on paper for clusters.

    python benchmarks/weak_scaling.py                 # 1 and 2 ranks on this machine
    python benchmarks/weak_scaling.py --ranks 4 --rounds 9
    python benchmarks/weak_scaling.py --paper         # the model alone

Each rank has as many heads and as much of the inner width as one rank alone has: a rank's work is
the same, and what is added is communication, as Megatron splits a block. Rounds of one rank and of
several alternate; a rank's time is the least of its rounds, the efficiency that of one rank by that
of the slowest. Processor time says what is left of it where the cores are not the ranks' own.

On paper a step's time is that of its operations at the rate that GPUs reach in such products, and
what communication takes at rates that were measured elsewhere (`SOURCES`). The bytes follow from
the sizes of a block, by the formulas below.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.sharedctypes import RawArray
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import xgpu
from tests.support.sharded_programs import Layout, Sizes, transformer, weights
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context, parse_module
from xgpu.driver.ranks import run_in_ranks
from xgpu.transforms.shard.communication import bytes_moved

#: What one rank has: heads and the inner width grow with the ranks.
OF_A_RANK = Sizes(tokens=128, width=256, heads=4, head=64, inner=1024)


def sizes_for(ranks: int, one: Sizes = OF_A_RANK) -> Sizes:
    """The block of so many ranks."""
    return replace(one, heads=one.heads * ranks, inner=one.inner * ranks)


@dataclass(frozen=True)
class Measured:
    """The least time of a call in each rank, wall and processor, in seconds."""

    wall: list[float]
    processor: list[float]


def measure(ranks: int, rounds: int) -> Measured:
    """Runs the block in so many ranks."""
    sizes, layout = sizes_for(ranks), Layout((ranks,), (), (0,))
    text, given = transformer(layout, sizes), weights(sizes)
    # What ranks write, which are forks of this process, is seen here.
    wall, processor = RawArray("d", ranks), RawArray("d", ranks)

    def prepare() -> Any:
        functions = xgpu.load(text, device="host").functions
        functions["ready"]()
        return functions

    def work(functions: Any, rank: int) -> None:
        functions["init"]()
        parts = [layout.part(rank, name, whole) for name, whole in given.items()]
        block: Callable[..., Any] = functions["block"]
        block(*parts)
        times: list[tuple[float, float]] = []
        for _ in range(rounds):
            begin = time.perf_counter(), time.process_time()
            block(*parts)
            times.append((time.perf_counter() - begin[0], time.process_time() - begin[1]))
        functions["finish"]()
        wall[rank] = min(time for time, _ in times)
        processor[rank] = min(time for _, time in times)

    run_in_ranks(ranks, prepare, work)
    return Measured(list(wall), list(processor))


def measured(ranks: int, rounds: int) -> dict[str, float]:
    """The efficiency of so many ranks against one, from runs in turn."""
    turns = [(measure(1, rounds), measure(ranks, rounds)) for _ in range(3)]
    alone = min(max(one.wall) for one, _ in turns)
    together = min(max(many.wall) for _, many in turns)
    own = min(max(one.processor) for one, _ in turns)
    each = min(max(many.processor) for _, many in turns)
    return {
        "ranks": ranks, "alone_ms": 1e3 * alone, "together_ms": 1e3 * together,
        "efficiency": alone / together, "processor_alone_ms": 1e3 * own,
        "processor_together_ms": 1e3 * each, "processor_efficiency": own / each,
        "bytes": moved(ranks, OF_A_RANK),
    }  # fmt: skip


def moved(ranks: int, one: Sizes) -> int:
    """The bytes that all ranks receive in one call of the block."""
    module = parse_module(transformer(Layout((ranks,), (), (0,)), sizes_for(ranks, one)))
    parse_pipeline("builtin.module(shard-distribute)").run(module, context(), [])
    return bytes_moved(module).total()


# -- On paper.

SOURCES = {
    "nvlink": "https://jax-ml.github.io/scaling-book/gpus/ (all-reduce over 8 H100: 370 GB/s)",
    "network": "https://github.com/NVIDIA/nccl/issues/1031 (all-reduce over 4 machines: 180 GB/s)",
    "rate": "https://github.com/NVIDIA/Megatron-LM (weak scaling: 41 to 48 % of an H100's peak)",
}


@dataclass(frozen=True)
class Machine:
    """What a GPU and its links do: operations and bytes a second, seconds to begin."""

    rate: float = 0.6 * 989e12  # of products alone, in bf16
    nvlink: float = 370e9  # bus bandwidth of an all-reduce over the 8 GPUs of a machine
    network: float = 180e9  # the same over machines, of the 8 GPUs of each together
    begin: float = 15e-6  # one collective
    hop: float = 5e-6  # for each doubling of the machines


@dataclass(frozen=True)
class Model:
    """A transformer: layers, width, tokens of a sequence, sequences of a replica in a step."""

    layers: int = 96
    width: int = 12288
    tokens: int = 2048
    sequences: int = 8


H100, GPT_3 = Machine(), Model()


def step(machines: int, machine: Machine = H100, model: Model = GPT_3) -> dict[str, float]:
    """The seconds of one training step of a replica on each machine of 8 GPUs.

    In a machine each layer is split over its 8 GPUs: two all-reduces forwards and two backwards, of
    all activations. Over machines the gradients are reduced, beside the backward pass but for the
    last layer's.
    """
    gpus = 8
    parameters = 12 * model.width**2 * model.layers
    tokens = model.tokens * model.sequences
    operations = 6 * parameters * tokens + 12 * model.layers * model.width * model.tokens * tokens
    compute = operations / gpus / machine.rate
    activations = 2 * tokens * model.width
    bus = 2 * (gpus - 1) / gpus
    tensor = 4 * model.layers * (machine.begin + bus * activations / machine.nvlink)
    gradients = 2 * parameters / gpus
    rings = 2 * (machines - 1) / machines if machines > 1 else 0.0
    of_a_gpu = machine.network / gpus
    reduce = rings * gradients / of_a_gpu + machine.hop * max(machines - 1, 0).bit_length()
    beside = 2 / 3 * compute * (1 - 1 / model.layers)
    exposed = max(reduce - beside, reduce / model.layers) if machines > 1 else 0.0
    return {
        "gpus": gpus * machines, "compute": compute, "tensor": tensor, "reduce": reduce,
        "exposed": exposed, "step": compute + tensor + exposed,
        "of_products": compute / (compute + tensor + exposed),
    }  # fmt: skip


def paper() -> list[dict[str, float]]:
    """Steps of 1 to 1,024 machines, with the efficiency against one machine."""
    alone = step(1)["step"]
    rows = [step(machines) for machines in (1, 8, 128, 512, 1024)]
    return [{**row, "weak_scaling": alone / row["step"]} for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", 1)[0])
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--paper", action="store_true", help="the model alone")
    parser.add_argument("--output", help="a file for the figures")
    arguments = parser.parse_args()
    figures: dict[str, Any] = {"paper": paper(), "sources": SOURCES}
    if not arguments.paper:
        found = figures["measured"] = measured(arguments.ranks, arguments.rounds)
        print(
            f"1 rank: {found['alone_ms']:.1f} ms, {arguments.ranks} ranks: "
            f"{found['together_ms']:.1f} ms; weak scaling {found['efficiency']:.2f} "
            f"(by processor time {found['processor_efficiency']:.2f}); "
            f"{found['bytes']:,} bytes moved"
        )
    print("  GPUs  compute  in machine  between  exposed     step  of products  weak scaling")
    for row in figures["paper"]:
        print(
            f"{row['gpus']:6,.0f} {row['compute']:8.2f} {row['tensor']:11.2f} {row['reduce']:8.2f} "
            f"{row['exposed']:8.2f} {row['step']:8.2f} {row['of_products']:12.2f} "
            f"{row['weak_scaling']:13.2f}"
        )
    if arguments.output:
        Path(arguments.output).write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
