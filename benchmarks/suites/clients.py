# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of programs that use CUDA, unmodified, over the driver of xgpu: counts by reason.

    python benchmarks/suites/clients.py numba FOLDER         tests of numba-cuda-mlir
    python benchmarks/suites/clients.py tinygrad FOLDER      tinygrad's repository: test/backend
    python benchmarks/suites/clients.py cuda-core FOLDER     tests of cuda.core
    python benchmarks/suites/clients.py cuda-bindings FOLDER tests of cuda-bindings
    python benchmarks/suites/clients.py triton FOLDER        Triton's python/test/unit/language

FOLDER holds the sources, of which none is stored here. --python has the client, xgpu and pytest.
The table says how many tests pass, and why others do not. What a suite leaves out is in `SUITES`,
with the reason. Behind `--` stand other paths than the suite's and more arguments of pytest.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import table

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Suite:
    """Where a client's tests are below its folder, and how they are run: options of Python and of
    pytest. `left_out` is a file, a folder or a test, and why it is not run."""

    paths: Sequence[str] = (".",)
    environment: Mapping[str, str] = field(default_factory=dict)
    options: Sequence[str] = ()
    pytest: Sequence[str] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)


SUITES = {
    "numba": Suite(
        options=("-W", "ignore"), pytest=("-o", "addopts="),
        left_out={
            "numba_cuda_tests/cudapy/test_constmem.py::TestCudaConstantMemory::test_const_array_3d":
                "0.6 counts strides of complex numbers in halves: the kernel leaves its array",
        },
    ),
    "tinygrad": Suite(
        ("test/backend",), {"DEV": "CUDA:PTX", "FORWARD_ONLY": "1", "PYTHONPATH": "."},
        left_out={"test/backend/test_multitensor.py": "its own continuous integration skips it"},
    ),
    "cuda-core": Suite(left_out=dict.fromkeys(
        ("tests/system", "tests/cython"), "needs NVML, and a compiler of its own"
    )),
    "cuda-bindings": Suite(left_out={
        "tests/nvml": "needs NVML", "tests/cython": "needs a compiler of its own",
    }),
    "triton": Suite(("python/test/unit/language",), pytest=("-p", "torch_on_host")),
}  # fmt: skip

#: What differs between messages that say the same.
_NAMES = re.compile(r"0x[0-9a-f]+|image-\w+|\d+")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", default=sys.executable, help="the interpreter of the client")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth test")
    parser.add_argument("--first", type=int, default=0, metavar="K", help="the Kth of every N")
    parser.add_argument("--limit", type=float, default=3600, metavar="SECONDS", help="of all tests")
    parser.add_argument("--jobs", type=int, default=1, help="tests at a time (pytest-xdist)")
    parser.add_argument("--mock", action="store_true", help="its own mock (tinygrad)")
    parser.add_argument("--output", type=Path, metavar="FILE.json", help="all outcomes")
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    args = parser.parse_args(words[:end])
    args.rest = words[end + 1 :]
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report"
        ended = _run(SUITES[args.suite], args, report)
        lines = report.read_text().splitlines() if report.exists() else []
    tests = [json.loads(line) for line in lines]
    print(_table(tests), end="\n\n")
    for name, why in SUITES[args.suite].left_out.items():
        print(f"left out: {name}: {why}")
    passed = sum(test["outcome"] == "passed" for test in tests)
    ran = passed + sum(test["outcome"] in ("failed", "not collected") for test in tests)
    print(
        f"{passed} of {ran} tests that run pass, {100 * passed / max(ran, 1):.1f} %, in "
        f"{time.perf_counter() - begin:.0f} s{ended}"
    )
    if args.output:
        args.output.write_text(json.dumps(tests, indent=1) + "\n")
    return int(passed < ran)


def _run(suite: Suite, args: argparse.Namespace, report: Path) -> str:
    """Run the tests; what there is to say of how that ended."""
    environment = dict(os.environ) | dict(suite.environment)
    environment["XGPU_SUITE_REPORT"] = str(report)
    environment["XGPU_SUITE_EVERY"] = str(args.every)
    environment["XGPU_SUITE_FIRST"] = str(args.first)
    environment["XGPU_SUITE_LEFT_OUT"] = "\n".join(name for name in suite.left_out if "::" in name)
    paths = (suite.environment.get("PYTHONPATH"), str(HERE), os.environ.get("PYTHONPATH"))
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    driver = [args.python, "-m", "xgpu.tools.xgpu_cuda"]
    if args.mock:
        driver, environment["DEV"] = [], "MOCK+CUDA:PTX"
    command = [
        *driver, args.python, *suite.options, "-m", "pytest", "-q", "-p", "no:cacheprovider",
        "-p", "client_plugin", *suite.pytest,
        *(f"--ignore={name}" for name in suite.left_out if "::" not in name),
        "--continue-on-collection-errors", *(["-n", str(args.jobs)] if args.jobs > 1 else []),
        *(args.rest or suite.paths),
    ]  # fmt: skip
    process = subprocess.Popen(
        command, cwd=args.folder, env=environment, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        code = process.wait(args.limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.wait()
        return ", ended by the limit of time"
    return "" if code in (0, 1) else f", pytest's exit code {code}"


def _table(tests: Sequence[Mapping[str, str]]) -> str:
    """A line a reason: how many tests, and the first of them."""
    reasons: dict[tuple[str, str], list[str]] = defaultdict(list)
    for test in tests:
        reasons[test["outcome"], _NAMES.sub("#", test["text"])[:110]].append(test["test"])
    order = sorted(reasons.items(), key=lambda item: (item[0][0], -len(item[1])))
    totals = Counter(test["outcome"] for test in tests)
    rows = [[outcome, "", str(n), ""] for outcome, n in totals.most_common()]
    rows += [
        [outcome, text.replace("|", "/"), str(len(names)), names[0][-70:]]
        for (outcome, text), names in order if outcome != "passed"
    ]  # fmt: skip
    return table.aligned([["outcome", "reason", "tests", "such as"], *rows])


if __name__ == "__main__":
    sys.exit(main())
