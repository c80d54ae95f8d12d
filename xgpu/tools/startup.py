# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A faster start of the command line tools.

Most of the time that importing xDSL takes goes into `dataclasses`: it writes the source of some 850
small methods and compiles each. The sources are the same in every run, so `fast_imports` keeps
their compiled form in the user's cache. It changes nothing but where the code objects come from:

* `dataclasses.exec` looks a source up before it compiles it. Code objects are looked up by the
  whole source text, so a changed xDSL can at worst miss.
* `dataclasses.inspect.signature`, whose text becomes the `__doc__` of classes without one, is left
  out.
* xDSL's finder of dialects in IRDL files, the only one to need `importlib.resources`, `tempfile`,
  `shutil`, `random` and more, is left out: it would be asked for each module that is not there.
* The garbage collector rests, since an import makes no garbage.

Only the tools' `main` uses this, around their imports, in their own process; `import xgpu` never
does. Without a cache (see `xgpu.support.cache`) imports go on as Python's own.

Each import that a run does not need costs it, and so does each regular expression that a module
compiles: `tests/unit/tools/test_startup.py` says how many there may be. The files of the console
scripts import nothing at once, so that all that follows comes from kept byte code
(`xgpu/tools/bytecode.py`).
"""

from __future__ import annotations

import gc
import marshal
import os
import sys
from contextlib import contextmanager, suppress

from xgpu.support import cache

TYPE_CHECKING = False  # importing `typing` for it takes longer than reading this file
if TYPE_CHECKING:
    from collections.abc import Generator
    from types import CodeType, ModuleType
    from typing import Any, NoReturn

#: What compiled code depends on besides its source.
_VERSION = f"{sys.implementation.cache_tag} {sys.hexversion:x} {sys.flags.optimize}"


class _Signatureless:
    """Stands for the `inspect` module in `dataclasses`, with an empty text for signatures."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def signature(self, *_: object, **__: object) -> str:
        return ""

    def __getattr__(self, name: str) -> object:
        return getattr(self._module, name)


def _load() -> dict[str, CodeType]:
    """The code by its source, as it was kept for this Python."""
    data = cache.get("dataclasses", _VERSION)
    if data is None:
        return {}
    try:
        found = marshal.loads(data)
    except (ValueError, EOFError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def _store(codes: dict[str, CodeType]) -> None:
    cache.put("dataclasses", _VERSION, marshal.dumps(codes))


class _NoFinder:
    """Stands for xDSL's `IRDLDialectFinder`: finds nothing."""

    def __init__(self, dialects: object) -> None: ...

    def find_spec(self, name: str, path: object = None, target: object = None) -> None: ...


@contextmanager
def _without_irdl_files() -> Generator[None]:
    """Within it, `xdsl.dialects` can be imported without what reads IRDL files."""
    name = "xdsl.utils.dialect_loader"
    if name in sys.modules:
        yield
        return
    stand_in: Any = type(sys)(name)
    stand_in.IRDLDialectFinder = _NoFinder
    sys.modules[name] = stand_in
    try:
        yield
    finally:
        del sys.modules[name]  # whoever imports it later gets the real one


@contextmanager
def fast_imports() -> Generator[None]:
    """Within it, dataclasses are made from cached code."""
    gc.disable()
    if os.environ.get("XGPU_NO_CACHE"):
        yield
        return
    import dataclasses

    codes = _load()
    known = len(codes)

    def cached_exec(source: str, *scopes: Any) -> None:
        code: CodeType | None = codes.get(source)
        if code is None:
            code = compile(source, "<dataclass>", "exec")
            codes[source] = code
        exec(code, *scopes)

    module: Any = dataclasses
    plain_inspect = module.inspect
    module.exec = cached_exec
    module.inspect = _Signatureless(plain_inspect)
    try:
        with _without_irdl_files():
            yield
    finally:
        del module.exec
        module.inspect = plain_inspect
        if len(codes) > known:
            _store(codes)


def import_syntax() -> None:
    """What every run needs of xDSL, imported fast."""
    with fast_imports():
        from importlib import import_module

        for module in ("table_context", "parser", "printer", "verify"):
            import_module(f"xgpu.syntax.{module}")


def begin(tool: str | None = None) -> None:
    """A console script begins: the process is its own, and `tool` may say last words where LLVM
    ends it."""
    gc.disable()
    if tool is not None:
        from xgpu.support.ownership import own_process

        own_process(tool)


def relax_collector() -> None:
    """Switches the collector back on, for a process that holds one large, long-lived structure."""
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)
    gc.enable()


def leave(code: int) -> NoReturn:
    """Ends the process with `code`, without taking the IR apart object by object: what is open is
    written, what registered for the end is called, the rest is the system's."""
    if sys.gettrace() is not None or sys.getprofile() is not None:
        sys.exit(code)  # somebody measures, and wants to have the last word
    import atexit

    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # None is a closed one
            stream.flush()
    os._exit(code)
