# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draw the picture of the explorer in the README: the race of the tutorial, in Chromium.

    python tools/draw_explorer.py docs/images/explorer.png
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.support.browser import Browser  # noqa: E402

TUTORIAL = ROOT / "docs/tutorial/4-find-a-race.md"
NAME = "neighbour.mlir"
#: The pass that is shown: its number in the list.
STEP = 5


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the picture of the explorer.")
    parser.add_argument("out", type=Path, help="a file .png")
    out: Path = parser.parse_args().out.resolve()
    program = re.findall(r"```mlir\n(.*?)```", TUTORIAL.read_text(encoding="utf-8"), re.DOTALL)[0]
    with tempfile.TemporaryDirectory(prefix="xgpu-picture-") as scratch:
        folder = Path(scratch)
        (folder / NAME).write_text(program, encoding="utf-8")
        subprocess.run(
            [sys.executable, "-m", "xgpu.tools.xgpu_runner", NAME, "--device=host", "--sanitize",
             "--explore=page.html"],
            cwd=folder, check=False, capture_output=True,  # it ends with 1, as a race is found
        )  # fmt: skip
        browser = Browser(folder)
        try:
            browser.open(folder / "page.html", width=1560, height=600)
            browser.click("#wide")
            browser.run(f"document.querySelectorAll('#rail li')[{STEP}].click()")
            browser.run("document.querySelector('#panel-source .note').scrollIntoView()")
            browser.picture(out)
        finally:
            browser.close()


if __name__ == "__main__":
    main()
