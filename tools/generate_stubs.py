# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write the type stubs: of the dialects' packages, and of records that native code shares.

The build does so (`hatch_build.py`): a wheel has them, and `pip install -e .` writes them into the
source tree, where git ignores them. Run this when a table, a handwritten attribute or a record has
changed since::

    python tools/generate_stubs.py           # writes
    python tools/generate_stubs.py --check   # says what is not current, exit code 1

A dialect's stub says of each class what its instances have (`op.async_dependencies`) and what its
constructor takes, from the same parameters of which the constructor itself is made.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.stubs.dialect import stub_text  # noqa: E402
from tools.stubs.records import record_stubs  # noqa: E402
from xgpu.core.ods.class_names import package  # noqa: E402


def stub_path(dialect: str) -> Path:
    """Where the stub of a dialect's package lies."""
    return ROOT / (package(dialect).replace(".", "/") + "/__init__.pyi")


def dialects() -> list[str]:
    """The dialects that have a package of classes: all but builtin, which is xDSL's."""
    from xgpu.core.ods import dialect_names

    return [name for name in dialect_names() if name != "builtin"]


def stubs() -> dict[Path, str]:
    """The text of each stub. Exits with a message where a dialect has a table, but no package."""
    for dialect in dialects():
        if not (folder := stub_path(dialect).parent).is_dir():
            sys.exit(f"{folder.relative_to(ROOT)} is missing: docs/howto/add-an-operation.md")
    found = {stub_path(dialect): stub_text(dialect) for dialect in dialects()}
    return found | {ROOT / "xgpu" / path: text for path, text in record_stubs().items()}


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the type stubs.")
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    check: bool = parser.parse_args().check
    stale = 0
    for path, text in stubs().items():
        if path.exists() and path.read_text() == text:
            continue
        stale += 1
        if check:
            print(f"{path.relative_to(ROOT)} is not current")
        else:
            path.write_text(text)
            print(f"wrote {path.relative_to(ROOT)}")
    return int(check and stale > 0)


if __name__ == "__main__":
    sys.exit(main())
