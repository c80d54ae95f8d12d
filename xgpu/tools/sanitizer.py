# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-runner --sanitize`: run a program, say what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xgpu.core.ir.errors import DeviceError
from xgpu.tools.process import say

if TYPE_CHECKING:
    from ctypes import CDLL

    from xdsl.dialects.builtin import ModuleOp

    from xgpu.driver.program import Program
    from xgpu.driver.ranks import RanksResult
    from xgpu.driver.sanitizer import Findings
    from xgpu.runtime.session import Session
    from xgpu.tools.runner_arguments import Arguments


def execute(
    arguments: Arguments, program: Program, run: Callable[..., None], session: Session,
    observe: Callable[[Findings], None] | None = None,
) -> int:  # fmt: skip
    """Run the program, write the reports; 1 if there are any. `observe` is called with them too. An
    error of the run is only passed on where nothing was found that explains it."""
    from xgpu.driver.engine import ProgramError
    from xgpu.driver.sanitizer import Findings, open_sanitized

    device, sanitizer = open_sanitized(arguments.sanitize or (), session)
    texts = _texts(program.filename, program.source)
    sanitizer.sources.update(texts)
    error: Exception | None = None
    try:
        run(arguments, program, session, device)
    except (DeviceError, ProgramError) as problem:
        error = problem
    found = Findings(sanitizer.findings(), sources=texts, left_out=sanitizer.left_out)
    found.coverage = sanitizer.coverage()
    if observe is not None:
        observe(found)
    return _reported(arguments, found, error)


def execute_in_ranks(
    arguments: Arguments, program: Program, session: Session, count: int,
    show: Callable[[RanksResult], None],
) -> int:  # fmt: skip
    """The same in ranks that share memory. Each finding is said once, with the ranks that have it;
    `show` is called with the result."""
    from xgpu.driver.ranks import RanksProgram
    from xgpu.driver.sanitizer import Findings, open_sanitized

    device, sanitizer = open_sanitized(arguments.sanitize or (), session)
    texts = _texts(program.filename, program.source)
    sanitizer.sources.update(texts)

    def leave() -> Findings:
        found = Findings(sanitizer.findings(), sources=texts, left_out=sanitizer.left_out)
        found.coverage = sanitizer.coverage()
        return found

    result = RanksProgram(program, session, device).run(count, leave=leave)
    whose: dict[str, list[int]] = {}
    for rank, found in enumerate(cast("list[Findings]", result.left)):
        for text in (one.text(texts) for one in found):
            whose.setdefault(text, []).append(rank)
    for text, ranks in whose.items():
        plural = "ranks" if len(ranks) > 1 else "rank"
        say(f"{text}\nnote: on {plural} {', '.join(map(str, ranks))}\n\n")
    show(result)
    return int(bool(whose))


def execute_in_orders(
    arguments: Arguments, source: str | ModuleOp, name: str, libraries: list[CDLL], session: Session
) -> int:
    """The same in other orders too (`--schedules`)."""
    from xgpu.driver.sanitizer import explored, open_explorer
    from xgpu.tools.schedules import captured

    explorer, sanitizer = open_explorer(
        arguments.sanitize or (), source, name, entry=arguments.entry, result=arguments.result,
        opt_level=arguments.opt_level, libraries=libraries, orders=arguments.orders,
    )  # fmt: skip
    explorer.captured = captured
    found = explored(
        explorer, sanitizer, arguments.entry, arguments.schedules or 0, arguments.seed,
        _texts(name, source), session.output,
    )  # fmt: skip
    if found.value is not None:
        v = found.value
        session.output(f"{v:e}\n" if isinstance(v, float) else f"{v}\n")
    say(f"xgpu-runner: {found.runs} other {'order' if found.runs == 1 else 'orders'}\n")
    if found.difference is not None:
        say(
            f"xgpu-runner: note: the outcome depends on the order (--schedules=1 "
            f"--seed={found.seed} replays another)\n{found.difference}\n"
        )
    return _reported(arguments, found, None)


def _texts(name: str, source: str | ModuleOp) -> dict[str, str]:
    """The program's text by its name; of a module that passes have made, locations name files."""
    return {name: source} if isinstance(source, str) else {}


def _reported(arguments: Arguments, found: Findings, error: Exception | None) -> int:
    """Write the reports; 1 if there are any."""
    if arguments.sanitize_report is not None:
        write_report(arguments.sanitize_report, found)
    if arguments.report:
        say("".join(f"{line}\n" for line in found.coverage.lines()))
    if found:
        say(found.text() + "\n")
        return 1
    if error is not None:
        raise error
    return 0


def write_report(path: str, found: Findings) -> None:
    """JSON or SARIF, by the file's name."""
    from xgpu.host_device.sanitizer.reports.findings import as_json, as_sarif
    from xgpu.tools.files import write_output

    write = as_sarif if path.endswith(".sarif") else as_json
    write_output(path, write(found, found.coverage))
