# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The build's own step: type stubs and manual pages, which are generated from the tables, go into
the wheel.

An editable installation gets the stubs in the source tree, where checkers look; git ignores them
there.
"""

from __future__ import annotations

import pathlib
import sys
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GeneratedFilesHook(BuildHookInterface):
    """Makes the stubs and the manual pages anew in each build."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)
        from tools.generate_man_pages import pages
        from tools.generate_stubs import stubs

        root = pathlib.Path(self.root).resolve()
        if version == "editable":
            for path, text in stubs().items():
                path.write_text(text, encoding="utf-8")
            return
        self._folder = tempfile.TemporaryDirectory(prefix="xgpu-generated-")
        included: dict[str, str] = build_data["force_include"]
        for number, (path, text) in enumerate(stubs().items()):
            made = pathlib.Path(self._folder.name, f"{number}.pyi")
            made.write_text(text, encoding="utf-8")
            included[str(made)] = path.relative_to(root).as_posix()
        shared: dict[str, str] = build_data["shared_data"]
        for name, text in pages().items():
            made = pathlib.Path(self._folder.name, name)
            made.write_text(text, encoding="utf-8")
            shared[str(made)] = f"share/man/man1/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._folder.cleanup()
