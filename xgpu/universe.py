# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xgpu inside xDSL's own tools: what `xdsl-opt` finds through the entry point `xdsl.universe`.

Only names that xDSL does not claim are offered: a name that two universes define stops every xDSL
tool of the environment. So `gpu`, `llvm` and others remain xDSL's there; in xgpu's own tools they
are ours. Everything is a factory that imports when xDSL asks.

A pass of ours works on our operation classes, and IR in `xdsl-opt` may be of others: it is
converted and converted back (`xgpu.core.syntax.interop`). `adopt-gpu-ops` converts it for good;
`release-gpu-ops` is for operations that a project has made of our classes and xDSL's passes should
see.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import XDSL_UNIVERSE, Universe

from xgpu.core.ir.errors import ArgumentTypeError, ArgumentValueError, UsageError, raised_at
from xgpu.core.ods.dialect import dialect_factories
from xgpu.core.passes.registry import PASSES, PIPELINES, pass_class, pipeline_class

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from xgpu.core.passes.base import Option, Pass

    class OptionedPass(ModulePass):
        """A pass whose options, which its name says, are fields."""

        def __init__(self, **options: object) -> None: ...
        def apply(self, ctx: Context, op: ModuleOp) -> None: ...


T = TypeVar("T")


def unclaimed(ours: Mapping[str, T], theirs: Mapping[str, object]) -> dict[str, T]:
    """Those of `ours` whose names are not in `theirs`."""
    return {name: factory for name, factory in ours.items() if name not in theirs}


def get_all_dialects() -> dict[str, Callable[[], Dialect]]:
    """A factory for each of our dialects."""
    return dict(dialect_factories())


def adopt(module: ModuleOp) -> ModuleOp:
    """A copy of `module`, of any operation classes, in ours."""
    from xgpu.core.syntax.interop import ClassConversion

    copy = module.clone()
    ClassConversion(copy)
    return copy


def run_on_foreign_ir(name: str, options: str, context: Context, module: ModuleOp) -> None:
    """Runs our pass or pipeline `name` on a module of any operation classes, in place.

    Raises `DiagnosticError`: what the pass raises, or that its result cannot go back.
    """
    from xgpu.core.passes.manager import PassManager
    from xgpu.core.passes.pipeline_text import add
    from xgpu.core.syntax import context as our_context
    from xgpu.core.syntax.interop import ClassConversion

    conversion = ClassConversion(module)
    if name == "adopt-gpu-ops":
        return
    manager = PassManager("builtin.module", implicit=True)
    with conversion.returning_to(context, name):
        add(manager, name, options)
        manager.run(module, our_context(allow_unregistered=True))


def module_pass(name: str) -> type[OptionedPass]:
    """xDSL's class for our pass or pipeline `name`, with its options as fields."""
    cls = pipeline_class(name) if name in PIPELINES else pass_class(name)
    kinds: dict[type, Any] = {str: str, int: int, bool: bool, float: float, list: tuple[str, ...]}
    fields: list[Any] = [
        (o.attribute, kinds.get(o.kind, str), dataclasses.field(default=o.default))
        for o in cls.options
        if o.attribute.isidentifier()
    ]

    def check(self: Any) -> None:
        for option in cls.options:
            _check_option(name, option, getattr(self, option.attribute, option.default))

    def apply(self: Any, ctx: Context, op: ModuleOp) -> None:
        given = [
            f'{option.name}="{_option_text(value)}"'
            for option in cls.options
            if (value := getattr(self, option.attribute, option.default)) != option.default
        ]
        run_on_foreign_ir(name, " ".join(given), ctx, op)

    made = dataclasses.make_dataclass(
        cls.__name__,
        fields,
        bases=(ModulePass,),
        namespace={"name": name, "apply": apply, "__post_init__": check, "__doc__": cls.summary},
        frozen=True,
    )
    return cast("type[OptionedPass]", made)


def _check_option(name: str, option: Option, value: object) -> None:
    """Raises TypeError and ValueError for a value that the option of the pass `name` does not
    take."""
    kind = option.kind
    accepted = (tuple, list) if kind is list else (int, float) if kind is float else (kind,)
    if not isinstance(value, accepted) or (kind is int and isinstance(value, bool)):
        expected = "an int" if kind is int else f"a {kind.__name__}"
        raise ArgumentTypeError(f"{name}: {option.attribute} is {value!r}, expected {expected}")
    refusal = option.refusal(value)
    if option.choices and value not in option.choices and value != option.default:
        refusal = f"{option.name} is {value!r}, expected one of {', '.join(option.choices)}"
    if refusal is not None:
        raise ArgumentValueError(f"{name}: {refusal}")


def _option_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple | list):
        return ",".join(str(item) for item in value)
    return str(value)


def release_pass() -> type[ModulePass]:
    """The pass `release-gpu-ops`: operations of our classes become the context's."""

    @dataclass(frozen=True)
    class ReleaseGpuOps(ModulePass):
        """Make operations of xgpu's classes those that xDSL's context has for their names."""

        name = "release-gpu-ops"

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            from xgpu.core.syntax import diagnostics
            from xgpu.core.syntax.interop import lend

            for refusal in lend(op, ctx, "xDSL"):
                diagnostics.emit(refusal)

    return ReleaseGpuOps


def get_all_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """A factory for each of our passes and named pipelines."""
    passes = {name: partial(module_pass, name) for name in (*PASSES, *PIPELINES)}
    return {**passes, "release-gpu-ops": release_pass}


@cache
def installed() -> Mapping[str, Universe]:
    """The universes of the environment's other projects, by name: xDSL's, and who else has one."""
    from importlib.metadata import entry_points

    found: dict[str, Universe] = {}
    for point in sorted(entry_points(group="xdsl.universe"), key=lambda p: p.name):
        if point.name != "xgpu":
            found[point.name] = _loaded(point)
    return {"xdsl": XDSL_UNIVERSE, **found}


def _loaded(point: EntryPoint) -> Universe:
    """The universe of an entry point. UsageError, which names its package, where it is broken."""
    package = "a package" if point.dist is None else f"the package '{point.dist.name}'"
    whose = f"{package} has a broken entry point, xdsl.universe '{point.name}' = {point.value}"
    try:
        found: object = point.load()
    except Exception as problem:  # importing the code of others may raise anything
        raise UsageError(f"{whose}: {_raised(problem)}") from problem
    if not isinstance(found, Universe):
        raise UsageError(f"{whose}: it is a {type(found).__name__}, expected a Universe of xDSL")
    return found


def _raised(problem: BaseException) -> str:
    """What an exception of another project says, and where it was raised."""
    return f"{type(problem).__name__}: {problem}{raised_at(problem)}"


def _made(factory: Callable[[], T], what: str) -> T:
    """What a universe's factory makes. UsageError, which names it, where that raises."""
    try:
        return factory()
    except Exception as problem:  # the code of others
        raise UsageError(f"{what} cannot be loaded: {_raised(problem)}") from problem


def passes_of_xdsl() -> Collection[str]:
    """The names of xDSL's own passes."""
    return XDSL_UNIVERSE.all_passes.keys()


def installed_passes() -> Iterator[tuple[str, str]]:
    """The passes that other projects than xDSL and xgpu offer, and whose each is."""
    for owner, universe in installed().items():
        if owner != "xdsl":
            yield from ((name, f"the universe '{owner}'") for name in universe.all_passes)


def installed_pass(name: str) -> tuple[type[Pass], str] | None:
    """The pass `name` as another project in the environment than xDSL defines it, as one of ours,
    and whose it is.

    UsageError, which names both, if two do.
    """
    from xgpu.tools.xdsl_passes import wrapped

    owners = [owner for known, owner in installed_passes() if known == name]
    if len(owners) > 1:
        raise UsageError(f"pass '{name}' is defined by {' and by '.join(owners)}")
    if not owners:
        return None
    universe = next(u for u in installed().values() if name in u.all_passes)
    cls = _made(universe.all_passes[name], f"the pass '{name}' of {owners[0]}")
    return wrapped(name, cls), owners[0]


def installed_dialect(name: str) -> tuple[Dialect, str] | None:
    """The dialect `name` as another project in the environment defines it, and whose it is.

    UsageError, which names both, if two do.
    """
    owners = [owner for owner, universe in installed().items() if name in universe.all_dialects]
    if len(owners) > 1:
        listed = " and by ".join(f"the universe '{owner}'" for owner in owners)
        raise UsageError(f"dialect '{name}' is defined by {listed}")
    if not owners:
        return None
    owner = f"the universe '{owners[0]}'"
    made = _made(installed()[owners[0]].all_dialects[name], f"the dialect '{name}' of {owner}")
    return made, owner


XGPU_UNIVERSE = Universe(
    all_dialects=unclaimed(get_all_dialects(), XDSL_UNIVERSE.all_dialects),
    all_passes=unclaimed(get_all_passes(), XDSL_UNIVERSE.all_passes),
    all_targets={},
)
