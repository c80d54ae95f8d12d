# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVIDIA's cuda-samples under `xgpu-cuda`: which compile, run and pass their own check.

    git clone https://github.com/NVIDIA/cuda-samples
    python benchmarks/suites/cuda_samples.py cuda-samples --jobs 2 --list --only 0_Introduction

Sources come from each sample's CMakeLists.txt, arguments from `test_args.json` of the repository.
What a sample states by words, an error value or its exit code is judged as in `hecbench`; the exit
code 2 means that a sample waives its test.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from functools import partial
from pathlib import Path

import hecbench
import table
from hecbench import Recipe
from table import Outcome, Program

_WAIVED = "exit code 2"
#: Chapters with samples that need neither NVIDIA's other libraries nor its compilers.
_CHAPTERS = (
    "0_Introduction", "1_Utilities", "2_Concepts_and_Techniques", "3_CUDA_Features",
    "5_Domain_Specific", "6_Performance",
)  # fmt: skip
#: Words of a CMakeLists.txt that say that a sample needs what cannot be made: the first that is
#: there is the reason.
_NEEDS = {
    "-fatbin": "a fat binary by nvcc", "find_package(OpenGL": "OpenGL",
    "find_package(GLUT": "OpenGL", "find_package(Vulkan": "Vulkan", "EGL": "EGL",
    "find_package(MPI": "MPI", "CUDA::curand": "cuRAND", "CUDA::cublas": "cuBLAS",
    "CUDA::cufft": "cuFFT", "CUDA::cusparse": "cuSPARSE", "CUDA::cusolver": "cuSOLVER",
    "CUDA::npp": "NPP", "CUDA::nvml": "NVML",
}  # fmt: skip


def recipe(folder: Path, place: Path) -> Recipe | str:
    """How a sample is made and run, or why it is not."""
    text = re.sub(r"#[^\n]*", "", (place / "CMakeLists.txt").read_text())
    needed = next((what for words, what in _NEEDS.items() if words in text), None)
    if needed is not None:
        return f"needs {needed}"
    target = re.search(r"add_executable\(\s*\S+\s+([^)]+)\)", text)
    if target is None:
        return "CMakeLists.txt has no executable"
    sources = target[1].split()
    options = ["-O3", f"-I{folder / 'Common'}"]
    # With NVRTC kernels are compiled while it runs.
    if "CUDA::nvrtc" not in text and not any(source.endswith(".cu") for source in sources):
        return "no CUDA C++ among its sources"
    options += [f"-I{place / found}" for found in re.findall(r"^\s+(inc\w*)\s*$", text, re.M)]
    if sum(source.endswith(".cu") for source in sources) > 1 and "SEPARABLE_COMPILATION ON" in text:
        options.append("-rdc=true")
    return Recipe(sources, options, _arguments(folder, place.name))


def _arguments(folder: Path, name: str) -> list[str]:
    described = json.loads((folder / "test_args.json").read_text()).get(name, {})
    first = described.get("runs", [described])[0]
    return [word for words in first.get("args", []) for word in shlex.split(words)]


def run_sample(folder: Path, place: Path, limit: int, compile_only: bool) -> list[Outcome]:
    """The outcomes of a sample: it has one run."""
    made = recipe(folder, place)
    if isinstance(made, str):
        return [Outcome(reason=made)]
    outcome = hecbench.run_recipe(place, made, limit, compile_only)
    if outcome.reason == _WAIVED:
        outcome.reason = "waives its test"
    return [outcome]


def main() -> int:
    """The suite as a command."""
    parser = table.options(__doc__ or "")
    parser.add_argument("--compile-only", action="store_true", help="do not run the samples")
    args = parser.parse_args()
    folder = args.folder.resolve()
    limit = int(args.limit)
    places = [
        file.parent
        for chapter in _CHAPTERS
        for file in sorted((folder / "Samples" / chapter).glob("*/CMakeLists.txt"))
    ]
    if not places:
        sys.exit(f"no programs in {folder}/Samples")
    programs = [
        Program(f"{place.parent.name}/{place.name}", "",
                partial(run_sample, folder, place, limit, args.compile_only))
        for place in places
    ]  # fmt: skip
    hecbench.run_programs(programs, args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
