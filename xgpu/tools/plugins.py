# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plugins of `xgpu-opt`: dialects and passes from a Python file, a folder or a module.

A plugin is Python code that the user names on the command line; it is imported, once, and what it
holds becomes known:

* every xDSL `Dialect` and xDSL `Universe` among its names,
* every pass and pipeline that it defines: subclasses of `xgpu.core.passes.base.Pass`, of
  `xgpu.core.passes.manager.Pipeline`, or of xDSL's `ModulePass`,
* what it says itself while it is imported, with `xgpu.core.ods.foreign` and
  `xgpu.core.ir.op_info.register`.

`--load-dialect-plugin` and `--load-pass-plugin` do the same, as the names of mlir-opt's options.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import cast

from xgpu.core.ir.errors import DiagnosticError, UsageError, raised_at
from xgpu.core.passes.base import Option, Pass
from xgpu.core.passes.manager import Pipeline
from xgpu.core.passes.registry import register_pass

_LOADED: dict[str, ModuleType] = {}


def load_plugin(name: str) -> ModuleType:
    """Imports a plugin, once, and makes known what it holds. UsageError if that cannot be done."""
    key = str(Path(name).resolve()) if _is_path(name) else name
    if key not in _LOADED:
        if not name:
            raise UsageError("a plugin needs a name: a Python file, a folder or a module")
        module = _import(name)
        _LOADED[key] = module
        _add(module, f"the plugin '{name}'")
    return _LOADED[key]


def _is_path(name: str) -> bool:
    return name.endswith(".py") or "/" in name or Path(name).is_dir()


def _import(name: str) -> ModuleType:
    try:
        return _import_path(Path(name)) if _is_path(name) else import_module(name)
    except (UsageError, DiagnosticError):
        raise
    except Exception as e:  # a plugin may do anything
        moved = isinstance(e, ModuleNotFoundError) and (e.name or "").startswith("xgpu.")
        hint = ": `xgpu.plugins` has what plugins import" if moved else ""
        words = f"{type(e).__name__}: {e}{raised_at(e)}{hint}"
        raise UsageError(f"cannot load the plugin '{name}': {words}") from e


def _import_path(path: Path) -> ModuleType:
    """A file or a folder as a module of its name."""
    path = path.resolve()
    file = path / "__init__.py" if path.is_dir() else path
    if not file.is_file():
        what = "no __init__.py in it" if path.is_dir() else "no such file"
        raise UsageError(f"cannot load the plugin '{path}': {what}")
    known = sys.modules.get(path.stem)
    if known is not None:
        if getattr(known, "__file__", None) == str(file):
            return known
        raise UsageError(
            f"cannot load the plugin '{path}': a module '{path.stem}' is loaded already"
        )
    places = [str(path)] if path.is_dir() else None
    spec = spec_from_file_location(path.stem, file, submodule_search_locations=places)
    if spec is None or spec.loader is None:
        raise UsageError(f"cannot load the plugin '{path}': it is no Python file")
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[path.stem]
        raise
    return module


def _add(module: ModuleType, owner: str) -> None:
    """Makes known what a plugin's names hold."""
    from xdsl.ir import Dialect
    from xdsl.universe import XDSL_UNIVERSE, Universe

    from xgpu.core.ods import foreign
    from xgpu.core.ods.dialect import OdsDialect

    # What a plugin has imported of ours is no news.
    ours = getattr(sys.modules.get("xgpu.universe"), "XGPU_UNIVERSE", None)
    for value in list(vars(module).values()):
        if value is XDSL_UNIVERSE or value is ours:
            continue
        if isinstance(value, Universe):
            for factory in value.all_dialects.values():
                foreign.add_dialect(factory(), owner)
            for name, factory in value.all_passes.items():
                _add_pass(name, factory(), owner)
        elif isinstance(value, Dialect) and not isinstance(value, OdsDialect):
            foreign.add_dialect(value, owner)
        elif isinstance(value, type) and value.__module__.split(".")[0] == module.__name__:
            _add_class(value, owner)


def _add_class(cls: type, owner: str) -> None:
    from xdsl.passes import ModulePass

    name = getattr(cls, "name", None)
    if not isinstance(name, str):
        return
    if issubclass(cls, Pass | Pipeline):
        _check_options(name, cls, owner)
    if issubclass(cls, Pass):
        register_pass(name, cls, owner)
    elif issubclass(cls, Pipeline):
        register_pass(name, cls, owner, pipeline=True)
    elif issubclass(cls, ModulePass):
        _add_pass(name, cls, owner)


def _check_options(name: str, cls: type[Pass | Pipeline], owner: str) -> None:
    """Raises `UsageError` for options that are declared in another way than as data."""
    options = cast("object", cls.options)
    is_list = isinstance(options, tuple | list)
    if not is_list or not all(isinstance(o, Option) for o in cast("list[object]", options)):
        raise UsageError(
            f"the pass '{name}' of {owner}: options is {options!r}, expected a tuple of "
            "xgpu.core.passes.base.Option"
        )


def _add_pass(name: str, cls: type, owner: str) -> None:
    from xgpu.tools.xdsl_passes import wrapped

    register_pass(name, wrapped(name, cls), owner)
