# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu.autotune`: runs variants of a program, compares what they give, keeps the fastest."""

from __future__ import annotations

import hashlib
import inspect
import itertools
import json
import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any, cast

from xgpu.api import progress
from xgpu.api.arrays import asarray
from xgpu.api.build import source_text
from xgpu.api.modules import Module, load
from xgpu.api.views import NotAnArray, view_of
from xgpu.core.ir.errors import (
    ArgumentTypeError,
    DeviceError,
    ProgramError,
    UsageError,
    public,
    told,
)
from xgpu.core.support.cache import TUNED

Variant = dict[str, Any]

#: Parameters that `load` takes; any other is an argument of the function that makes IR, or the name
#: of an attribute in the IR.
_LOAD = frozenset(
    ("chip", "fast", "fma_contract", "ftz", "opt_level", "passes", "pipeline", "line_info",
     "relaxed_float_atomics")
)  # fmt: skip


class Tuned:
    """What `autotune` found: the `best` variant, its `module`, and all `results`: variant, seconds
    of the fastest run (None: it failed or gave something else), and why."""

    def __init__(
        self, best: Variant, module: Module, results: list[tuple[Variant, float | None, str]],
        from_cache: bool,
    ) -> None:  # fmt: skip
        self.best = best
        self.module = module
        self.results = results
        self.from_cache = from_cache

    def __repr__(self) -> str:
        lines = [f"best: {self.best}{' (from the cache)' if self.from_cache else ''}"]
        for variant, seconds, why in self.results:
            lines.append(f"  {variant}: {why or f'{1e6 * (seconds or 0):.1f} us'}")
        return "\n".join(lines)


@public
def autotune(
    source: Any, parameters: Mapping[str, Sequence[Any]], inputs: Sequence[Any] = (), *,
    launch: Callable[..., Any] | None = None, device: str = "auto", repeats: int = 5,
    rtol: float = 1e-5, atol: float = 1e-6, executor: Executor | None = None, keep: bool = True,
) -> Tuned:  # fmt: skip
    """Run every variant of a program on `inputs`, and say which is the fastest.

    `parameters` maps names to the values to try, all combinations of them. A name that `xgpu.load`
    takes (`opt_level`, `passes`, `pipeline`, ..) is given to it. If `source` is a function that
    makes text or a module, it gets those that it has arguments for; else they are attributes: in
    all operations that have one of that name, an integer, it gets the value.

    `launch(module, *inputs, ..)` runs a variant and may give results; it gets those parameters that
    it has arguments for. Without it, the one function of the program is called with `inputs`. Each
    variant gets copies of the arrays, and what becomes of them, and the results, must be what the
    first variant that runs makes of them
    (`rtol`, `atol`); one that differs or fails is out. The time of a variant is the shortest of
    `repeats` runs after a first one. With an `executor` (of `concurrent.futures`, Dask or MPI)
    variants run there; then source, launch and inputs must be picklable.

    The best is stored in `xgpu.cache` under the programs, the shapes of the inputs and the device.
    Raises `UsageError` where there are no variants, `DeviceError` where none can run.
    """
    _check(parameters, inputs, repeats)
    if launch is not None and not callable(launch):
        raise UsageError(f"launch is {launch!r}, expected a function of a module and the inputs")
    check_executor(executor)
    variants = [
        dict(zip(parameters, v, strict=True)) for v in itertools.product(*parameters.values())
    ]
    if not variants:
        raise UsageError("there are no variants: a parameter has no values")
    key = _key(source, variants, inputs, launch, device) if keep else ""
    stored = TUNED.get(key) if keep else None
    if stored is not None:
        best = variants[json.loads(stored)]
        return Tuned(best, _loaded(source, best, device, launch), [], True)
    work = [(source, v, tuple(inputs), launch, device, repeats) for v in variants]
    outcomes: list[tuple[float | None, str, list[Any]]] = []
    with progress.bar(len(work), "autotune") as step:
        for outcome in map(_measured, work) if executor is None else executor.map(_measured, work):
            outcomes.append(outcome)
            step()
    results = _judged(variants, outcomes, rtol, atol)
    times = [(seconds, i) for i, (_, seconds, _) in enumerate(results) if seconds is not None]
    if not times:
        raise DeviceError(f"no variant can run; the first: {results[0][2]}")
    fastest = min(times)[1]
    if keep:
        TUNED.put(key, json.dumps(fastest).encode())
    best = variants[fastest]
    return Tuned(best, _loaded(source, best, device, launch), results, False)


def _check(parameters: object, inputs: object, repeats: object) -> None:
    """Raise `UsageError` for arguments of another kind."""
    if not isinstance(parameters, Mapping):
        raise UsageError(f"parameters is {parameters!r}, expected lists of values by name")
    for name, values in cast("Mapping[object, object]", parameters).items():
        if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
            raise UsageError(f"parameter {name!r} has {values!r}, expected a list of values")
    if not isinstance(inputs, Sequence):
        raise UsageError(f"inputs is {inputs!r}, expected a list of what the program is given")
    if not hasattr(repeats, "__index__") or repeats.__index__() < 1:  # pyright: ignore
        raise UsageError(f"repeats is {repeats!r}, expected an integer of at least 1")


def check_executor(executor: object) -> None:
    """Raise `UsageError` for what cannot run functions elsewhere."""
    if executor is not None and not hasattr(executor, "map"):
        raise UsageError(
            f"executor is {executor!r}, expected one of concurrent.futures, or with a map like it"
        )


def _judged(
    variants: list[Variant], outcomes: list[tuple[float | None, str, list[Any]]], rtol: float,
    atol: float,
) -> list[tuple[Variant, float | None, str]]:  # fmt: skip
    """Times of the variants that give what the first gives."""
    results: list[tuple[Variant, float | None, str]] = []
    first: list[Any] | None = None
    for variant, (seconds, why, values) in zip(variants, outcomes, strict=True):
        if seconds is not None and first is None:
            first = values
        same = seconds is None or first is None or (
            len(first) == len(values)
            and all(_agree(a, b, rtol, atol) for a, b in zip(first, values, strict=True))
        )  # fmt: skip
        if same:
            results.append((variant, seconds, why))
        else:
            results.append((variant, None, "gives something else than the first variant"))
    return results


def _agree(first: object, second: object, rtol: float, atol: float) -> bool:
    """Whether two results are the same but for rounding."""
    import numpy

    a, b = numpy.asarray(first), numpy.asarray(second)
    if a.shape != b.shape:
        return False
    if a.dtype.kind in "OSUV" or b.dtype.kind in "OSUV":  # V: those of ml_dtypes
        try:
            a, b = a.astype(numpy.float64), b.astype(numpy.float64)
        except (TypeError, ValueError):
            return bool(numpy.all(a == b))
    return bool(numpy.allclose(a, b, rtol, atol, equal_nan=True))


def _measured(
    work: tuple[Any, Variant, tuple[Any, ...], Any, str, int],
) -> tuple[float | None, str, list[Any]]:
    """Seconds of the fastest run of a variant, why there are none, and what it gave."""
    source, variant, inputs, launch, device, repeats = work
    try:
        module = _loaded(source, variant, device, launch)
        run = launch if launch is not None else _only_function
        values = _run(run, module, inputs, variant)[1]
        seconds = min(_run(run, module, inputs, variant)[0] for _ in range(max(repeats, 1)))
    except Exception as problem:  # of the caller's functions, anything: the variant is out
        if isinstance(problem, UsageError) and not isinstance(problem, ProgramError):
            raise
        return None, f"{type(told(problem)).__name__}: {problem}", []
    return seconds, "", values


def _run(
    run: Callable[..., Any], module: Module, inputs: tuple[Any, ...], variant: Variant
) -> tuple[float, list[Any]]:
    """Seconds of one run on copies of the inputs, and all arrays and numbers afterwards."""
    backend = module._loaded.backend
    copies = [asarray(a, module.device, copy=True) if _is_array(a) else a for a in inputs]
    backend.synchronize()
    begin = time.perf_counter()
    given = run(module, *copies, **_wanted(run, variant))
    backend.synchronize()
    seconds = time.perf_counter() - begin
    results = list(given) if isinstance(given, tuple) else [] if given is None else [given]
    return seconds, [v.numpy() if hasattr(v, "numpy") else v for v in [*results, *copies]]


def _only_function(module: Module, *inputs: object) -> Any:
    if len(module.functions) != 1:
        listed = ", ".join(module.functions) or "none"
        raise ArgumentTypeError(f"expected one function, but there are: {listed}; give launch")
    return next(iter(module.functions.values()))(*inputs)


def _is_array(value: object) -> bool:
    try:
        view_of(value)
    except NotAnArray:
        return False
    return bool(getattr(value, "shape", True))


def _loaded(source: Any, variant: Variant, device: str, launch: Any) -> Module:
    made, options = _made(source, variant, launch)
    return load(made, device, **options)


def _made(source: Any, variant: Variant, launch: Any) -> tuple[Any, Variant]:
    """The program of a variant, and the options that it is loaded with."""
    of_launch = set(_wanted(launch, variant)) if launch is not None else set[str]()
    options = {name: value for name, value in variant.items() if name in _LOAD}
    others = {name: value for name, value in variant.items() if name not in _LOAD}
    if callable(source):
        return source(**_wanted(source, others)), options
    others = {name: value for name, value in others.items() if name not in of_launch}
    return (_with_attributes(source, others) if others else source), options


def _wanted(function: Callable[..., Any], variant: Variant) -> Variant:
    """The parameters that a function has arguments for."""
    known = inspect.signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in known.values()):
        return variant
    return {name: value for name, value in variant.items() if name in known}


def _with_attributes(source: Any, values: Variant) -> Any:
    """The program with other integers in the attributes of those names."""
    from xdsl.dialects.builtin import IntegerAttr

    from xgpu.driver import compiler

    module = compiler.parse(source)
    for name, value in values.items():
        if not hasattr(value, "__index__"):
            raise UsageError(f"parameter '{name}' is {value!r}, expected an integer attribute")
        found = False
        for op in module.walk():
            for attributes in (op.attributes, op.properties):
                old = attributes.get(name)
                if isinstance(old, IntegerAttr):
                    attributes[name] = IntegerAttr(value, old.type)  # pyright: ignore
                    found = True
        if not found:
            raise UsageError(f"no operation has an integer attribute '{name}'")
    return module


def _key(
    source: Any, variants: list[Variant], inputs: Sequence[Any], launch: Any, device: str
) -> str:
    digest = hashlib.sha256()
    for variant in variants:
        try:
            made, options = _made(source, variant, launch)
        except UsageError:
            raise
        except Exception as problem:  # it will be out
            digest.update(f"{variant!r} {type(problem).__name__}".encode())
            continue
        digest.update(source_text(made).encode("utf-8", "surrogateescape"))
        digest.update(repr(options).encode())
    described = [repr(view_of(value).key if _is_array(value) else value) for value in inputs]
    code = getattr(launch, "__code__", None)
    return TUNED.key(
        machine=_machine(), device=device, variants=digest.hexdigest(), inputs=described,
        launch=[code.co_code.hex(), repr(code.co_consts)] if code is not None else None,
    )  # fmt: skip


def _machine() -> str:
    return f"{platform.machine()} {platform.node()} {os.cpu_count()}"
