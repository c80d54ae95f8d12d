# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run a program under the sanitizer.

import xgpu
found = xgpu.sanitize(text)
assert not found, found.text()
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from xgpu.core.ir.errors import DeviceError, ProgramError, UsageError, public
from xgpu.driver.options import (
    OPT_LEVELS,
    RESULTS,
    check_choice,
    source_of,
)
from xgpu.driver.program import Program
from xgpu.host_device.sanitizer.reports import watch

if TYPE_CHECKING:
    from ctypes import CDLL

    from xdsl.dialects.builtin import ModuleOp

    from xgpu.driver.schedules import Explorer
    from xgpu.host_device.device.device import HostDevice
    from xgpu.host_device.sanitizer.reports.findings import Finding
    from xgpu.host_device.sanitizer.reports.monitor import Sanitizer
    from xgpu.runtime.session import Session

_KINDS, _DEFAULT = watch.KINDS, watch.DEFAULT


class Findings(Sequence["Finding"]):
    """What a run under the sanitizer gave: the findings in the order of the source, `value` of the
    entry (None for void, and where the run ended early), and `error`, what ended it early."""

    def __init__(
        self, findings: Sequence[Finding], value: int | float | None = None,
        error: DeviceError | ProgramError | None = None, sources: dict[str, str] | None = None,
        left_out: int = 0,
    ) -> None:  # fmt: skip
        self._findings = tuple(findings)
        #: How often there was no room for another report (`monitor.MOST_FINDINGS`).
        self.left_out = left_out
        self.value = value
        self.error = error
        self._sources = sources or {}
        from xgpu.host_device.sanitizer.reports.findings import Coverage

        #: What was watched: how the launches of each kernel were, and what was not.
        self.coverage = Coverage((), (), ())
        #: How many other orders were run; of the first whose outcome differs the seed, and how.
        self.runs = 0
        self.seed: int | None = None
        self.difference: str | None = None

    def __getitem__(self, index: Any) -> Any:
        return self._findings[index]

    def __len__(self) -> int:
        return len(self._findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._findings)

    @property
    def launches(self) -> tuple[str, ...]:
        """A line for each kernel and way in which launches of it were watched: screened, or thread
        by thread and why."""
        return tuple(launches.text() for launches in self.coverage.launches)

    def text(self) -> str:
        """All reports as text, with lines of the source."""
        texts = [f.text(self._sources) for f in self._findings]
        if self.left_out:
            texts.append(
                f"note: there is no room for more reports: {self.left_out} times an access at "
                "other places was left out; mend these first"
            )
        if texts and self.coverage.not_watched:
            texts.append("\n".join(f"note: {o.text()}" for o in self.coverage.not_watched))
        return "\n\n".join(texts)

    def __repr__(self) -> str:
        return f"<Findings {[f.headline() for f in self._findings]}>"


def check_kinds(kinds: Iterable[str]) -> tuple[str, ...]:
    """The kinds to look for, each once. Raises `UsageError` for an unknown one."""
    found: dict[str, None] = {}
    for kind in kinds:
        if kind not in _KINDS:
            raise UsageError(f"sanitizer '{kind}', expected one of {', '.join(_KINDS)}")
        found[kind] = None
    return tuple(found) or _DEFAULT


def open_sanitized(kinds: Iterable[str], session: Session) -> tuple[HostDevice, Sanitizer]:
    """A host device under the sanitizer."""
    from xgpu.host_device.device.device import HostDevice
    from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

    sanitizer = Sanitizer(check_kinds(kinds))
    return HostDevice(session, sanitizer=sanitizer), sanitizer


@public
def sanitize(
    source: str | ModuleOp, *, entry: str = "main", kinds: Iterable[str] = _DEFAULT,
    result: str = "auto", opt_level: int = 2, libraries: Sequence[CDLL] = (), filename: str = "-",
    output: Callable[[str], None] | None = None, schedules: int = 0, seed: int = 0,
) -> Findings:  # fmt: skip
    """Run a program on the host device and look for mistakes of `kinds` (memory, race, sync, init,
    leak, volatile). Other arguments are those of `xgpu.run`. With `schedules` it runs in up to so
    many other orders too, of host operations, threads and copies; `seed` is the first of them. A
    finding's `seed` says which order showed it, 0 the natural one.

    Raises `UsageError` (the arguments), `DiagnosticError` (the IR, and what the sanitizer does not
    know), and `DeviceError` or `ProgramError` where the run fails in another way than by a mistake
    that was found.
    """
    from xgpu.runtime.session import Session

    check_choice("result", result, RESULTS)
    check_choice("opt_level", opt_level, OPT_LEVELS)
    wanted = check_kinds(kinds)
    if schedules < 0 or seed < 0:
        raise UsageError(f"schedules is {schedules}, seed is {seed}, expected 0 or more")
    text, name = source_of(source, filename)
    program = Program(
        text, name, entry=entry, result=result, opt_level=opt_level, libraries=libraries
    )
    module = program.parse()
    if schedules:
        explorer, sanitizer = open_explorer(
            wanted, module, name, entry=entry, result=result, opt_level=opt_level,
            libraries=libraries,
        )  # fmt: skip
        sanitizer.sources.update(_texts_of(text, name))
        return explored(explorer, sanitizer, entry, schedules, seed, {name: text}, output)
    session = Session()
    session.text = text if isinstance(text, str) else None
    if output is not None:
        session.output = output
    watched = watch.current()
    if watched is not None:
        watched.interrupt()
    device, sanitizer = open_sanitized(wanted, session)
    sanitizer.sources.update(_texts_of(text, name))
    value: int | float | None = None
    error: DeviceError | ProgramError | None = None
    try:
        value = program.run(session, device)
    except (DeviceError, ProgramError) as problem:
        error = problem
    findings = sanitizer.findings()
    if error is not None and not findings:
        raise error
    sources = {name: text} if isinstance(text, str) else {}
    found = Findings(findings, value, error, sources, sanitizer.left_out)
    found.coverage = sanitizer.coverage()
    return found


def _texts_of(source: str | ModuleOp, name: str) -> dict[str, str]:
    """The text of a program by its name, as far as it is known: a module was read from one, or
    built."""
    if isinstance(source, str):
        return {name: source}
    read = getattr(source.location, "source", None)
    return {} if read is None else {read.filename: read.text}


def open_explorer(
    kinds: Iterable[str], source: str | ModuleOp, name: str, *, entry: str = "main",
    result: str = "auto", opt_level: int = 2, libraries: Sequence[Any] = (),
    orders: str = "streams",
) -> tuple[Explorer, Sanitizer]:  # fmt: skip
    """A program, compiled once to be run in several orders under the sanitizer."""
    from xgpu.driver.schedules import Explorer
    from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

    sanitizer = Sanitizer(check_kinds(kinds), orders=True)
    if isinstance(source, str):
        sanitizer.sources[name] = source
    explorer = Explorer(
        source, filename=name, entry=entry, result=result, opt_level=opt_level,
        libraries=libraries, orders=orders, sanitizer=sanitizer,
    )  # fmt: skip
    return explorer, sanitizer


def explored(
    explorer: Explorer, sanitizer: Sanitizer, entry: str, schedules: int, seed: int,
    sources: Mapping[str, object], output: Callable[[str], None] | None,
) -> Findings:  # fmt: skip
    """What all orders show; `output` gets what the natural one printed."""
    from xgpu.driver.sanitized_orders import run_in_orders

    try:
        found = run_in_orders(explorer, sanitizer, entry, schedules, seed)
    finally:
        explorer.close()
    natural = found.natural
    if output is not None:
        output(natural.output)
    error = DeviceError(natural.error) if natural.error is not None else None
    if error is not None and not found.findings:
        raise error
    texts = {name: text for name, text in sources.items() if isinstance(text, str)}
    findings = Findings(found.findings, natural.value, error, texts, sanitizer.left_out)
    findings.runs, findings.difference = found.runs, found.difference
    findings.seed = found.seed
    findings.coverage = sanitizer.coverage()
    return findings


def _identity(finding: Finding) -> tuple[object, ...]:
    return finding.headline(), *(side.location for side in finding.sides)


class Watched:
    """What was found in all that ran on the host device while `sanitized` was open. Of a watch that
    had begun before, with another purpose, only findings of `kinds` that are new or that were seen
    again."""

    def __init__(self, watched: watch.Watch, kinds: Sequence[str] = ()) -> None:
        self._watch = watched
        self._kinds = kinds
        #: How often each finding had been seen when this began.
        self._before = {_identity(f): f.count for f in watched.found()}

    def _is_new(self, finding: Finding) -> bool:
        is_wanted = not self._kinds or finding.kind in self._kinds
        return is_wanted and finding.count > self._before.get(_identity(finding), 0)

    def findings(self) -> Findings:
        """All that was found so far; what still runs is waited for. Raises `DeviceError` for what
        goes wrong in it."""
        self._watch.settle()
        found = Findings(
            [f for f in self._watch.found() if self._is_new(f)], sources=self._watch.sources,
            left_out=self._watch.left_out,
        )  # fmt: skip
        found.coverage = self._watch.coverage
        found.runs = self._watch.runs
        if self._watch.failed is not None:
            found.seed, found.difference = self._watch.failed
        return found


@contextmanager
def sanitized(
    kinds: Iterable[str] = _DEFAULT, *, schedules: int = 0, seed: int = 0
) -> Generator[Watched]:
    """While this is open, all that runs on the host device runs under the sanitizer: programs of
    `xgpu.run`, and kernels and functions that Python calls.

        with xgpu.sanitized() as watched:
            module.kernels["add"][grid, block](x, y, n)
        assert not watched.findings(), watched.findings().text()

    `kinds` are memory, race, sync, init, leak and volatile; the first four if none is named. With
    `schedules` each launch of Python runs again in up to so many other orders of its threads and
    copies, each time on the memory that it began with; `seed` is the first of them. Raises
    `UsageError` for unknown kinds, negative numbers, and where another watch is open.
    """
    if schedules < 0 or seed < 0:
        raise UsageError(f"schedules is {schedules}, seed is {seed}, expected 0 or more")
    if watch.is_open():
        raise UsageError("another watch of the sanitizer is open")
    watched = watch.Watch(check_kinds(kinds), schedules, seed)
    watch.begin(watched)
    try:
        yield Watched(watched)
        watched.settle()
    finally:
        watch.end(watched)


@contextmanager
def part_of_process(kinds: Sequence[str] = ()) -> Generator[Watched]:
    """The same for a part of a process that is watched as a whole, as under `xgpu-cuda --sanitize`:
    the devices of the CUDA driver live longer than the part. `kinds` are those that are asked for,
    all if none is named. Raises `UsageError` where the process is not watched."""
    process = watch.of_process()
    if process is None:
        raise UsageError("the process is not watched")
    process.settle()
    watched = Watched(process, kinds)
    yield watched
    process.settle()
