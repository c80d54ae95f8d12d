# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xgpu inside xDSL's own tools: what `xdsl-opt` finds through the entry point `xdsl.universe`.

Only names that xDSL does not claim are offered: a name that two universes define stops every xDSL
tool of the environment. So `gpu`, `llvm` and others remain xDSL's there; in xgpu's own tools they
are ours. Everything is a factory that imports when xDSL asks.

A pass of ours knows our operation classes, and IR in `xdsl-opt` may be of xDSL's: it crosses over
as generic text, and back if xDSL's classes can hold the result; else it stays ours. `adopt-gpu-ops`
is the crossing alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from xdsl.universe import XDSL_UNIVERSE, Universe

from xgpu.passes.registry import PASSES

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Dialect
    from xdsl.passes import ModulePass

T = TypeVar("T")


def unclaimed(ours: Mapping[str, T], theirs: Mapping[str, object]) -> dict[str, T]:
    """Those of `ours` whose names are not in `theirs`."""
    return {name: factory for name, factory in ours.items() if name not in theirs}


def _dialect(name: str) -> Dialect:
    from xgpu.ods.dialect import dialect

    return dialect(name)


def get_all_dialects() -> dict[str, Callable[[], Dialect]]:
    """A factory for each of our dialects."""
    from xgpu.syntax import dialect_names

    return {name: partial(_dialect, name) for name in dialect_names() if name != "builtin"}


def _as_mlir_has_it(module: ModuleOp) -> ModuleOp:
    """A copy in which xDSL's gpu operations carry what MLIR 22.1's carry, where MLIR has it."""
    copy = module.clone()
    for op in copy.walk():
        if op.name in ("gpu.dealloc", "gpu.memcpy"):
            op.attributes.pop("operandSegmentSizes", None)
            op.properties.pop("operandSegmentSizes", None)
        elif op.name == "gpu.func":
            if (kernel := op.properties.pop("kernel", None)) is not None:
                op.attributes["gpu.kernel"] = kernel
            for name in ("known_block_size", "known_grid_size"):
                if (size := op.attributes.pop(f"gpu.{name}", None)) is not None:
                    op.properties[name] = size
    return copy


def adopt(module: ModuleOp) -> ModuleOp:
    """A copy of `module`, of any operation classes, in ours. Raises `DiagnosticError`."""
    from xgpu.syntax import context, parse_module
    from xgpu.tools.xdsl_passes import generic_text

    ours = context(allow_unregistered=True)
    return parse_module(generic_text(_as_mlir_has_it(module)), "<xdsl>", ctx=ours)


def run_on_foreign_ir(name: str, options: str, context: Context, module: ModuleOp) -> None:
    """Runs our pass `name` on a module of any operation classes, in place."""
    from xgpu.ir.errors import DiagnosticError
    from xgpu.passes.manager import PassManager
    from xgpu.passes.pipeline_text import add
    from xgpu.syntax import context as our_context
    from xgpu.syntax import print_module
    from xgpu.tools.xdsl_passes import read_with, replace_body

    copy = adopt(module)
    manager = PassManager("builtin.module", implicit=True)
    add(manager, name, options)
    manager.run(copy, our_context(allow_unregistered=True))
    text = print_module(copy, generic=True, local_scope=True)
    attributes = dict(copy.attributes)
    try:
        result = copy if name == "adopt-gpu-ops" else read_with(context, text, name)
    except DiagnosticError:
        result = copy  # xDSL's classes refuse what the pass made
    replace_body(module, result)
    module.attributes = attributes


def _pass(name: str) -> type[ModulePass]:
    """xDSL's class for our pass `name`, with its options as fields."""
    import dataclasses

    from xdsl.passes import ModulePass

    from xgpu.passes.registry import pass_class

    cls = pass_class(name)
    kinds: dict[type, Any] = {str: str, int: int, bool: bool, float: float, list: tuple[str, ...]}
    fields: list[Any] = [
        (o.attribute, kinds.get(o.kind, str), dataclasses.field(default=o.default))
        for o in cls.options
        if o.attribute.isidentifier()
    ]

    def apply(self: Any, ctx: Context, op: ModuleOp) -> None:
        given: list[str] = []
        for option in cls.options:
            value = getattr(self, option.attribute, option.default)
            if value == option.default:
                continue
            if isinstance(value, bool):
                text = "true" if value else "false"
            elif isinstance(value, tuple):
                text = ",".join(str(v) for v in value)
            else:
                text = str(value)
            given.append(f'{option.name}="{text}"')
        run_on_foreign_ir(name, " ".join(given), ctx, op)

    made = dataclasses.make_dataclass(
        cls.__name__,
        fields,
        bases=(ModulePass,),
        namespace={"name": name, "apply": apply, "__doc__": cls.summary},
        frozen=True,
    )
    return made


def get_all_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """A factory for each of our passes."""
    return {name: partial(_pass, name) for name in PASSES}


XGPU_UNIVERSE = Universe(
    all_dialects=unclaimed(get_all_dialects(), XDSL_UNIVERSE.all_dialects),
    all_passes=unclaimed(get_all_passes(), XDSL_UNIVERSE.all_passes),
    all_targets={},
)
