# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs in CUDA C++ under `xgpu-cuda`. Each checks its own results, and ends with 0."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support import processes
from tests.support.clang import needs_clang
from tests.support.some_cases import short
from xgpu.core.ir.errors import DiagnosticError, UsageError
from xgpu.cuda_driver import is_possible
from xgpu.frontend.cuda import programs
from xgpu.frontend.cuda.clang import HEADERS
from xgpu.frontend.cuda.programs import ProgramOptions, program_image

PROGRAMS = Path(__file__).parent / "programs"

pytestmark = [
    needs_clang,
    pytest.mark.skipif(not is_possible(), reason="xgpu-cuda needs Linux on x86-64"),
]


def run(*words: str, folder: Path = PROGRAMS) -> subprocess.CompletedProcess[str]:
    """`xgpu-cuda` with these words."""
    return processes.run(
        [sys.executable, "-m", "xgpu.tools.xgpu_cuda", *words], cwd=folder, capture_output=True,
        text=True,
    )  # fmt: skip


def run_text(
    folder: Path, text: str, *words: str, options: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """The same with a program that is a text."""
    (folder / "program.cu").write_text(text)
    return run(*options, "program.cu", *words, folder=folder)


def image_of(folder: Path, text: str, *options: str, name: str = "program.cu") -> bytes:
    path = folder / name
    path.write_text(text)
    return program_image([str(path)], ProgramOptions(options))


# -- programs that check themselves

#: Those that can follow one another in a process: they leave no error behind and need one device.
TOGETHER = (
    "reduction", "symbols", "streams_and_events", "graphs", "managed", "host_threads",
    "calls_memory", "calls_streams", "calls_textures",
)
#: More of kernels, as other tests have it.
ALSO_TOGETHER = ("cooperative", "functors", "volume", "pipelines")


def passed(done: subprocess.CompletedProcess[str]) -> bool:
    return done.returncode == 0 and done.stdout.endswith(("PASS\n", "1000 sums, PASS\n"))


def write_together(path: Path, names: Sequence[str]) -> None:
    """A program that is several: its arguments name those that it runs. Compiled once, they take a
    fraction of the time that they take by themselves."""
    texts = {name: (PROGRAMS / f"{name}.cu").read_text() for name in names}
    headers = sorted(set(re.findall(r"#include <.*>", "\n".join(texts.values()))))
    parts = [*headers, f'#include "{PROGRAMS / "check.h"}"', "#include <cstring>"]
    for name, text in texts.items():
        # Of another namespace, `main` would have to return something.
        body = text.replace("int main()", "void run()").replace('#include "check.h"', "")
        assert body.count("void run()") == 1
        parts += [f"namespace {name} {{", f'#line 1 "{name}.cu"', body, "}"]
    calls = [f'if (!strcmp(argv[i], "{name}")) {name}::run();' for name in names]
    loop = ["for (int i = 1; i < argc; ++i) {", "puts(argv[i]);", *calls, "}"]
    parts += ["int main(int argc, char **argv) {", *loop, 'puts("PASS");', "}", ""]
    path.write_text("\n".join(parts))


def test_programs_together(tmp_path: Path) -> None:
    """The sanitizer finds nothing in correct programs."""
    # All kernels of a program are instrumented: the one that is watched has few.
    watched = ("symbols", "managed", "graphs")
    for options, names in (
        ((), TOGETHER),
        (("--sanitize=memory,race,sync,init",), watched),
    ):
        check_together(tmp_path, names, *options)


@pytest.mark.long
def test_more_programs_together(tmp_path: Path) -> None:
    check_together(tmp_path, ALSO_TOGETHER)


@pytest.mark.long
def test_cooperative_programs_are_watched(tmp_path: Path) -> None:
    check_together(tmp_path, ("cooperative", "pipelines"), "--sanitize=memory,race,sync,init")


def check_together(folder: Path, names: Sequence[str], *options: str) -> None:
    write_together(folder / "together.cu", names)
    done = run(*options, "together.cu", *names, folder=folder)
    assert passed(done), done.stderr
    assert done.stdout.count("PASS") == len(names) + 1


#: What programs of the long run do with all of Thrust and CUB, in a few lines.
_LIBRARIES = """
#include <cub/cub.cuh>
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>

__global__ void scan(const int *in, int *out) {
  using Scan = cub::BlockScan<int, 64>;
  __shared__ typename Scan::TempStorage space;
  int sum;
  Scan(space).InclusiveSum(in[threadIdx.x], sum);
  out[threadIdx.x] = sum;
}

int main() {
  thrust::device_vector<int> x(64), y(64);
  thrust::sequence(x.begin(), x.end(), 1);
  scan<<<1, 64>>>(thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(y.data()));
  printf("%d %d\\n", thrust::reduce(x.begin(), x.end()), int(y[9]));
}
"""


def test_thrust_and_cub(tmp_path: Path) -> None:
    done = run_text(tmp_path, _LIBRARIES)
    assert done.stdout == "2080 55\n", done.stderr


@pytest.mark.parametrize(
    "words",
    [
        *(pytest.param(f"{name}.cu", marks=pytest.mark.long) for name in (
            "vector_add", "transpose", "matrix_product", "histogram", "half_precision",
            "warp_matrices", "random_numbers", "thrust_algorithms",
            "block_algorithms", "block_scans", "thrust_vectors", "segments", "tensor_maps", "waits",
            "stream_values",
        )),
        pytest.param("-O0 waits.cu", marks=pytest.mark.long),
        pytest.param("-O0 pipelines.cu", marks=pytest.mark.long),
        pytest.param("--sanitize waits.cu", marks=pytest.mark.long),
        *(
            pytest.param(f"{name}.cu", marks=pytest.mark.exhaustive)
            for name in (*TOGETHER, *ALSO_TOGETHER)
        ),
        "units_main.cu units_kernels.cu units_host.cpp",
        pytest.param("-rdc=true linked_main.cu linked_kernels.cu", marks=pytest.mark.long),
        "--devices=2 calls_devices.cu",
        "virtual_memory.cu",
        pytest.param("--sanitize virtual_memory.cu", marks=pytest.mark.long),
        pytest.param("--sanitize stream_values.cu", marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_programs(words: str) -> None:
    done = run(*words.split())
    assert passed(done), done.stderr


def test_each_function_of_the_runtime_is_called_right_and_wrong() -> None:
    header = (HEADERS / "cuda_runtime_api.h").read_text().partition("// -- refused")[0]
    declared = set(re.findall(r"^(?:cudaError_t|const char \*)\s*(\w+)\(", header, re.MULTILINE))
    calls = "".join((PROGRAMS / f"calls_{part}.cu").read_text() for part in (
        "devices", "memory", "streams", "textures",
    ))  # fmt: skip
    right = set(re.findall(r"(?:OK|CHECK|CHECK\(!strcmp)\((\w+)\(", calls))
    wrong = set(re.findall(r"(?:WRONG\(\w+,|FAILS\(|CHECK\()\s*(\w+)\(", calls))
    # They take no argument that could be wrong, or are refused whatever it is.
    no_argument = {
        "cudaGetLastError", "cudaPeekAtLastError", "cudaDeviceSynchronize", "cudaDeviceReset",
        "cudaThreadSynchronize", "cudaThreadExit", "cudaProfilerStart", "cudaProfilerStop",
        "cudaCtxResetPersistingL2Cache", "cudaDeviceGetStreamPriorityRange",
        "cudaGetErrorName", "cudaGetErrorString",
    }  # fmt: skip
    refused = {name for name in declared if name.startswith("cudaIpc")}
    assert len(declared) > 160
    assert declared - right - refused == set()
    assert declared - wrong - no_argument == set()


# -- the process


def test_output_of_kernels_and_of_the_host_is_in_order() -> None:
    done = run("printing.cu")
    assert done.stdout.splitlines() == [
        "host 0", "device 1 of three, 0.25", "host 1", "device 2 of three, 0.50", "host 2",
        "device 3 of three, 0.75", "host 3", "destructor",
    ]  # fmt: skip
    assert done.returncode == 3, done.stderr


def test_arguments_of_the_program() -> None:
    assert run("vector_add.cu", "77", "done").stdout == "77 sums, done\n"
    assert run("vector_add.cu", "--", "9", "b.cu").stdout == "9 sums, b.cu\n"


def test_an_assertion_of_a_kernel_is_told_with_its_line() -> None:
    done = run("assertion.cu")
    assert passed(done), done.stderr
    words = r"assertion\.cu:7: .*thread: \[31,0,0\] Assertion `x\[threadIdx"
    assert re.search(words, done.stderr)


def test_a_signal_ends_the_program(tmp_path: Path) -> None:
    done = run_text(tmp_path, "int main() { abort(); }\n")
    assert done.returncode == 128 + signal.SIGABRT


SPIN = """
#include <cstdio>
#include <thread>
__global__ void spin(volatile int *flag) { while (flag[0] == 0) ; }
int main(int count, char **) {
  int *flag;
  cudaMalloc(&flag, 4);
  cudaMemset(flag, 0, 4);
  std::thread other([=] {
    if (count == 1) return;
    std::this_thread::sleep_for(std::chrono::seconds(2));
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMemsetAsync(flag, 1, 4, stream);
  });
  if (count == 1) other.join();
  spin<<<1, 1>>>(flag);
  puts(cudaGetErrorString(cudaDeviceSynchronize()));
  if (count != 1) other.join();
}
"""


@pytest.mark.long
def test_a_kernel_that_waits_for_ever(tmp_path: Path) -> None:
    """Another thread of the program may write what the kernel waits for; it has called nothing."""
    done = run_text(tmp_path, SPIN, "--", "two", options=("--sanitize=sync",))
    assert (done.stdout, done.returncode) == ("no error\n", 0), done.stderr
    done = run_text(tmp_path, SPIN, options=("--sanitize",))
    assert (done.stdout, done.returncode) == ("unspecified launch failure\n", 1)
    what = "sync: threads wait for ever for memory to change, and no thread is left to write there"
    assert f"program.cu:4:51: error: {what}" in done.stderr


def test_the_sanitizer_watches(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = run("--sanitize=race,memory,leak", f"--report={report}", "race.cu")
    assert done.returncode == 1
    assert done.stdout == "done\n"
    for line in (
        r"race\.cu:7:30: error: race: .* read 4 bytes .* wrote",
        r"race\.cu:13:3: warning: kernel 'part': barrier 0 goes on without threads",
        r"race\.cu:14:25: error: memory: write of 4 bytes, right behind the end of an allocation",
        r"race\.cu:14:25: note: .* did it in kernel 'part' \(store\)",
        r"race\.cu:20:\d+: note: 64 bytes come from here \(cudaMalloc\)",
        r"race\.cu:20:\d+: error: leak: 64 bytes of device memory are never released",
    ):
        assert re.search(line, done.stderr), done.stderr
    assert "nvvm." not in done.stderr
    assert '"race.cu"' in report.read_text()
    assert run("race.cu").returncode == 0


# -- how it is compiled


@pytest.mark.long
def test_instructions_of_kernels_are_counted(tmp_path: Path) -> None:
    text = """
    __global__ void k(float *p) { p[0] = sinf(p[0]); }
    int main() { float *p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); return cudaDeviceSynchronize(); }
    """
    done = run_text(tmp_path, text, options=("--fidelity",))
    assert done.returncode == 0, done.stderr
    assert re.search(
        r": kernel k: \d+ exact; 1 rounded otherwise \(__nv_sinf 1\)$", done.stderr, re.MULTILINE
    )


def test_options_of_clang_and_of_nvcc(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "value.h").write_text("#pragma once\nconstexpr int VALUE = 5;\n")
    (tmp_path / "program.cu").write_text(
        "#include <value.h>\n#include <cstdio>\n#include <concepts>\n"
        "__global__ void k(int *x) { *x = VALUE + N; }\n"
        "int main() {\n"
        "  int *x, host;\n"
        "  cudaMalloc(&x, 4);\n"
        "  k<<<1, 1>>>(x);\n"
        "  cudaMemcpy(&host, x, 4, cudaMemcpyDefault);\n"
        '  printf("%d\\n", host);\n'
        "}\n"
    )
    words = ["-O3", "-std=c++20", "-I", "more", "-DN=4", "-arch=sm_70", "-Xptxas", "-v",
             "--expt-extended-lambda"]  # fmt: skip
    done = run(*words, "program.cu", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "9\n"), done.stderr
    # A header that is another is read anew.
    (tmp_path / "more" / "value.h").write_text("#pragma once\nconstexpr int VALUE = 16;\n")
    assert run(*words, "program.cu", folder=tmp_path).stdout == "20\n"


def test_what_was_compiled_needs_no_clang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n"
    first = image_of(tmp_path, text)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("clang was called")

    times = (tmp_path / "program.cu").stat()
    monkeypatch.setattr(subprocess, "run", refuse)
    assert program_image([str(tmp_path / "program.cu")], ProgramOptions()) == first
    assert (tmp_path / "program.cu").stat() == times
    with pytest.raises(AssertionError, match="clang was called"):
        program_image([str(tmp_path / "program.cu")], ProgramOptions(["-DN=1"]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "#include <curand_mtgp32.h>",
            "'curand_mtgp32.h' file not found: xgpu does not have this part of cuRAND",
        ),
        ("#include <cublas_v2.h>", "'cublas_v2.h' file not found: xgpu does not have cuBLAS"),
        (
            "#include <thrust/mr/new.h>",
            "'thrust/mr/new.h' file not found: xgpu does not have this part of Thrust; with its "
            "sources, name their folder (-I, `include` of CudaOptions)",
        ),
        (
            "texture<float, 2> t;",
            "'texture<float, 2>' is unavailable: xgpu has no references of textures",
        ),
        (
            "void f() { cudaMallocMipmappedArray(0, 0); }",
            "'cudaMallocMipmappedArray' is unavailable: xgpu has no mipmapped arrays",
        ),
        ("int main() { return x; }", "use of undeclared identifier 'x'"),
        (
            "__global__ void a(); __global__ void b() { a<<<1, 1>>>(); }",
            "kernels that kernels launch (dynamic parallelism) are not supported",
        ),
    ],
)
def test_what_is_not_there_is_refused_at_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DiagnosticError) as raised:
        image_of(tmp_path, f"\n{text}\n")
    diagnostic = raised.value.diagnostics[0]
    assert diagnostic.message == message
    assert 'program.cu":2:' in str(diagnostic.location)


def test_names_that_are_not_defined(tmp_path: Path) -> None:
    """Of C++ alone, which is compiled in less time."""
    for text, options, message in (
        ("void missing(int);\nint main() { missing(1); }\n", (), r"'missing\(int\)' not defined"),
        ("int main() {}\n", ("-lnowhere",), r".*-lnowhere"),
        ("void k() {}\n", (), "'main' not defined in any source"),
    ):
        with pytest.raises(UsageError, match=f"cannot be linked: {message}"):
            image_of(tmp_path, text, *options, name="program.cpp")


def test_words_that_mean_nothing(tmp_path: Path) -> None:
    done = run("-O2", "true")
    assert done.returncode == 1
    assert done.stderr.startswith("xgpu-cuda: unknown option '-O2'")
    done = run("nowhere.cu", folder=tmp_path)
    assert done.stderr == "xgpu-cuda: cannot read 'nowhere.cu': No such file or directory\n"


@pytest.mark.parametrize("level", short(["-O3", "-O2"], "-O3"))
def test_numbers_of_the_host_wrap_around(tmp_path: Path, level: str) -> None:
    text = """
#include <cstdio>
#include <vector>
__global__ void square(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i * i;
}
int main() {
  int count = 100000, wrong = 0, *p;
  std::vector<int> found(count);
  cudaMalloc(&p, 4 * count);
  square<<<(count + 255) / 256, 256>>>(p, count);
  cudaMemcpy(found.data(), p, 4 * count, cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; i += 1)
    if (found[i] != i * i) ++wrong;
  std::printf("%d\\n", wrong);
}
"""
    done = run_text(tmp_path, text, options=[level])
    assert (done.returncode, done.stdout) == (0, "0\n")


def test_options_of_nvcc_as_clang_takes_them() -> None:
    words = ["-O3", "-arch=sm_60", "-gencode", "arch=x", "-Xcompiler", "-fopenmp,-Wall",
             "-rdc=true", "--use_fast_math", "-x=cu", "-I", "x",
             "--default-stream=per-thread"]  # fmt: skip
    assert programs.clang_words(words) == [
        "-O3", "-fopenmp", "-Wall", "-ffast-math", "-x", "cu", "-I", "x",
        "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1",
    ]  # fmt: skip
    options = ProgramOptions(words)
    assert options.is_relocatable
    assert not ProgramOptions([*words, "-rdc=false"]).is_relocatable
    assert "-fopenmp" in options.words  # compiler and linker need it
    assert options.link == ["-fopenmp"]
