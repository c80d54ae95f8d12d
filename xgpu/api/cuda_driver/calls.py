# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A call of a function of the driver: what must be there is checked, arguments are converted, the
function is run, results are written, and whatever it raises becomes a result.
"""

from __future__ import annotations

import _thread
import traceback
from collections.abc import Callable
from typing import Any

from xgpu.api.cuda_driver.results import Refused, Result
from xgpu.api.cuda_driver.state import Driver, result_of
from xgpu.api.cuda_driver.table import Function, Needs, converters
from xgpu.core.ir.errors import DeviceError, DiagnosticError, UsageError


def made_call(function: Function, driver: Driver, per_thread: bool) -> Callable[..., int]:
    """What C calls: it gets numbers and gives a number."""
    call = _plain_call(function, driver, per_thread)
    fail_at = driver.settings.fail_at
    if fail_at and function.needs > Needs.NOTHING:
        return _failing(call, function, driver)
    return call


def _plain_call(function: Function, driver: Driver, per_thread: bool) -> Callable[..., int]:
    outs = [(i, p) for i, p in enumerate(function.parameters) if p.how == "out"]
    inputs = [i for i, p in enumerate(function.parameters) if p.how != "out"]
    readers = list(zip(inputs, converters(function, driver, per_thread), strict=True))
    required = [i for i, p in outs if not p.optional]
    writers = [(i, p.result) for i, p in outs]
    run, needs = function.run, function.needs
    needs_context = needs >= Needs.CONTEXT

    def call(*given: int) -> int:
        try:
            subject: Any = driver
            if needs:
                if not driver.is_initialized or driver.is_forked:
                    return Result.NOT_INITIALIZED
                if needs_context:
                    subject = driver.context()
                    if needs is Needs.CONTEXT and subject.session.flag.value:
                        subject.check()
            for i in required:
                if not given[i]:
                    return Result.INVALID_VALUE
            values = run(
                subject,
                *[given[i] if read is None else read(given[i], subject) for i, read in readers],
            )
            if writers:
                results = values if isinstance(values, tuple) else (values,)
                for (i, kind), value in zip(writers, results, strict=True):
                    if given[i]:
                        kind.from_address(given[i]).value = value
            return 0
        except Refused as refused:
            if driver.settings.verbose and str(refused):
                driver.say(f"{function.name}: {refused}")
            return refused.result
        except BaseException as problem:
            return _result(problem, function, driver)

    return call


def _result(problem: BaseException, function: Function, driver: Driver) -> int:
    """The result that stands for what a function has raised: nothing can be raised through C."""
    if isinstance(problem, KeyboardInterrupt):
        for device in driver.devices:
            if device.has_begun:
                device.host.cancel()
        _thread.interrupt_main()  # Python raises it when the function has returned
        return Result.LAUNCH_FAILED
    if isinstance(problem, DeviceError):
        driver.say(f"{function.name}: {problem}")
        return result_of(problem)
    if isinstance(problem, (DiagnosticError, UsageError)):
        driver.say(f"{function.name}: {problem}")
        return Result.INVALID_IMAGE
    driver.say(f"internal error in {function.name}: {problem!r}; please report this")
    if driver.settings.verbose:
        traceback.print_exception(problem)
    return Result.UNKNOWN


def _failing(call: Callable[..., int], function: Function, driver: Driver) -> Callable[..., int]:
    """The same; the call whose number is `fail_at`, of all of the process, fails."""
    settings = driver.settings

    def counted(*given: int) -> int:
        if next(driver.calls) != settings.fail_at:
            return call(*given)
        driver.say(f"call {settings.fail_at}, {function.name}, fails as --fail-at asks for")
        return settings.fail_with

    return counted
