# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of NVRTC, as its documentation lists them, and what they ask of clang.

https://docs.nvidia.com/cuda/nvrtc/index.html#supported-compile-options

An option has one dash or two. Its value stands behind `=`, in the next word, or, for those of one
letter, behind the letter. What optimizes, names caches or chooses messages is read and has no
effect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from xgpu.backend.nvptx.compiler import CHIPS
from xgpu.frontend.cuda import CudaOptions

#: What is compiled for where no option names a chip: the oldest that CUDA 13 knows.
_FIRST_CHIP = 75
#: What CUDA 13 calls 110.
_RENAMED = 101
_VERSION = (13, 0)

_FLAG, _BOOLEAN, _VALUE = range(3)
#: Option -> (what it takes, what it is called here). Those without effect are called "".
_OPTIONS: dict[str, tuple[int, str]] = {
    **dict.fromkeys(("gpu-architecture", "arch"), (_VALUE, "arch")),
    **dict.fromkeys(("define-macro", "D"), (_VALUE, "define")),
    **dict.fromkeys(("undefine-macro", "U"), (_VALUE, "undefine")),
    **dict.fromkeys(("include-path", "I"), (_VALUE, "folder")),
    **dict.fromkeys(("pre-include", "include"), (_VALUE, "header")),
    "std": (_VALUE, "std"),
    **dict.fromkeys(("relocatable-device-code", "rdc"), (_BOOLEAN, "relocatable")),
    **dict.fromkeys(("device-c", "dc"), (_FLAG, "relocatable")),
    **dict.fromkeys(("device-w", "dw"), (_FLAG, "whole")),
    **dict.fromkeys(("device-debug", "G"), (_FLAG, "debug")),
    **dict.fromkeys(("generate-line-info", "lineinfo"), (_FLAG, "lines")),
    "ftz": (_BOOLEAN, "ftz"), "fmad": (_BOOLEAN, "contract"), "use_fast_math": (_FLAG, "fast"),
    **dict.fromkeys(("disable-warnings", "w"), (_FLAG, "quiet")),
    **dict.fromkeys(("device-as-default-execution-space", "default-device"), (_FLAG, "everywhere")),
    **dict.fromkeys(("dlink-time-opt", "dlto"), (_FLAG, "lto")),
    "optix-ir": (_FLAG, "optix"), "fdevice-syntax-only": (_FLAG, "syntax"),
    "time": (_VALUE, "time"), "fdevice-time-trace": (_VALUE, "trace"), "dopt": (_VALUE, "dopt"),
    **dict.fromkeys(
        ("extensible-whole-program", "ewp", "extra-device-vectorization", "no-source-include",
         "pch", "restrict", "device-int128", "device-float128", "display-error-number", "err-no",
         "no-display-error-number", "no-err-no", "minimal", "no-cache", "gen-opt-lto",
         "numba-debug"), (_FLAG, ""),
    ),
    **dict.fromkeys(
        ("prec-sqrt", "prec-div", "modify-stack-limit", "device-stack-protector",
         "pch-verbose", "pch-messages", "instantiate-templates-in-pch", "brief-diagnostics",
         "brief-diag", "version-ident"), (_BOOLEAN, ""),
    ),
    "builtin-initializer-list": (_BOOLEAN, "initializer_list"),
    "builtin-move-forward": (_BOOLEAN, "move_forward"),
    **dict.fromkeys(
        ("Ofast-compile", "Ofc", "ptxas-options", "Xptxas", "maxrregcount", "jump-table-density",
         "jtd", "create-pch", "use-pch", "pch-dir", "optimization-info", "opt-info", "diag-error",
         "diag-suppress", "diag-warn", "split-compile", "frandom-seed"), (_VALUE, ""),
    ),
}  # fmt: skip
_ONE_LETTER = re.compile(r"-([DIU])(.+)", re.S)
_CHIP = re.compile(r"(compute|sm)_(\d+[af]?)")
#: Older ones mean the oldest that our header takes.
_STANDARDS = {
    "c++03": "c++14", "c++11": "c++14", "c++14": "c++14", "c++17": "c++17", "c++20": "c++20",
    "c++23": "c++23",
}  # fmt: skip
_DEFINED = (
    "-D__CUDACC_RTC__=1", f"-D__CUDACC_VER_MAJOR__={_VERSION[0]}",
    f"-D__CUDACC_VER_MINOR__={_VERSION[1]}", "-D__CUDACC_VER_BUILD__=0",
    "-Wunused-variable",
    "-include", "xgpu/rtc.h",
)  # fmt: skip
_OF_HOST = ("stdlib.h", "stdio.h", "exception")


class OptionError(Exception):
    """An option that there is not, or a value that means nothing."""


def supported_chips() -> list[int]:
    """The chips that programs can be compiled for, by number, in order."""
    numbers = {int(chip[3:]) for chip in CHIPS if chip[3:].isdecimal()}
    return sorted(number for number in numbers - {_RENAMED} if number >= _FIRST_CHIP)


class NvrtcOptions:
    """The options of a compilation. Raises `OptionError`."""

    def __init__(self, words: Sequence[str]) -> None:
        #: The last value of an option that has one; "1" or "" for a flag.
        self._last: dict[str, str] = {}
        self._arguments: list[str] = []
        self._folders: list[str] = []
        for kind, value in _pairs(words):
            self._take(kind, value)
        if self._has("optix"):
            raise OptionError("--optix-ir: OptiX IR is not made here")
        arch = self._last.get("arch", f"compute_{_FIRST_CHIP}")
        match = _CHIP.fullmatch(arch)
        if match is None or f"sm_{match[2]}" not in CHIPS or int(match[2].rstrip("af")) < 50:
            raise OptionError(
                f"invalid value for --gpu-architecture (-arch): '{arch}', expected one such as "
                f"compute_{_FIRST_CHIP} or sm_90"
            )
        #: The chip, and whether only PTX for it is wanted.
        self.chip, self.is_virtual = f"sm_{match[2]}", match[1] == "compute"

    def _take(self, kind: str, value: str) -> None:
        if kind == "define":
            self._arguments.append(f"-D{value}")
        elif kind == "undefine":
            self._arguments.append(f"-U{value}")
        elif kind == "folder":
            self._folders.append(value)
        elif kind == "header":
            self._arguments += ["-include", value]
        elif kind == "std" and value not in _STANDARDS:
            expected = ", ".join(_STANDARDS)
            raise OptionError(f"invalid value for --std: '{value}', expected one of {expected}")
        elif kind == "dopt" and value not in ("on", "off"):
            raise OptionError(f"invalid value for --dopt: '{value}', expected on or off")
        elif kind == "whole":
            self._last["relocatable"] = ""
        else:
            self._last[kind] = value

    def _has(self, kind: str, default: str = "") -> bool:
        return bool(self._last.get(kind, default))

    @property
    def has_lines(self) -> bool:
        """Whether PTX says which lines of the source it is from."""
        return self._has("lines") or self._has("debug")

    @property
    def contract(self) -> bool:
        """Whether a product and a sum become one fma."""
        return self._has("fast") or self._has("contract", "1")

    @property
    def is_for_linking(self) -> bool:
        """Whether LLVM IR is wanted, to be linked and optimized with others'."""
        return self._has("lto")

    @property
    def only_syntax(self) -> bool:
        """Whether no code is wanted."""
        return self._has("syntax")

    @property
    def files_of_times(self) -> tuple[str, str]:
        """Where the times of the phases go, as a table and as trace events; empty for nowhere."""
        return self._last.get("time", ""), self._last.get("trace", "")

    def for_clang(
        self, folders: Sequence[str], names: Sequence[str], *, keeps_accesses: bool
    ) -> CudaOptions:
        """The same for clang, with folders of headers that come before all others, and expressions
        whose `names` are wanted. `keeps_accesses` is for the sanitizer."""
        arguments = [*_DEFINED, *self._arguments]
        if self._has("everywhere"):  # these stay the host's; libcu++ includes them
            arguments += [w for header in _OF_HOST for w in ("-include", header)]
        if self._has("relocatable") or self.is_for_linking:
            arguments += ["-fgpu-rdc", "-D__CUDACC_RDC__=1"]
        if self._has("debug"):
            arguments.append("-D__CUDACC_DEBUG__=1")
        for name in ("initializer_list", "move_forward"):
            if not self._has(name, "1"):
                arguments.append(f"-DXGPU_NO_{name.upper()}")
        if self._has("quiet"):
            arguments.append("-w")
        if self._has("fast") or self._has("ftz"):
            arguments += ["-fgpu-flush-denormals-to-zero", "-D__CUDA_FTZ=1"]
        if self._has("fast"):
            arguments += ["-fgpu-approx-transcendentals", "-D__CUDA_FAST_MATH__=1",
                          "-D__USE_FAST_MATH__=1"]  # fmt: skip
        # Behind our headers, which the toolkit's would replace: those are not for clang.
        arguments += [word for folder in self._folders for word in ("-isystem", folder)]
        without = self._has("debug") and self._last.get("dopt") != "on"
        return CudaOptions(
            include=folders, std=_STANDARDS[self._last.get("std", "c++17")],
            optimize=0 if without else 1 if keeps_accesses else 2, arguments=arguments,
            chip=self.chip, contract=self.contract, addresses=names,
            everywhere=self._has("everywhere"),
            static_by_name=not self._has("relocatable") and not self.is_for_linking,
        )  # fmt: skip


def _pairs(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What each option is called here, and its value."""
    rest = [word.strip() for word in words]
    while rest:
        word = rest.pop(0)
        letter = _ONE_LETTER.fullmatch(word)
        name, equals, value = word.lstrip("-").partition("=")
        if letter is not None and name not in _OPTIONS:
            name, equals, value = letter[1], "=", letter[2].strip().removeprefix("=")
        if not word.startswith("-") or name not in _OPTIONS:
            raise OptionError(f"unrecognized option {word} found")
        takes, kind = _OPTIONS[name]
        if takes == _FLAG:
            if equals and value not in ("true", "false"):
                raise OptionError(f"option {word} takes no value")
            yield kind, "" if value == "false" else "1"
            continue
        if not equals:
            if not rest:
                raise OptionError(f"option {word} needs a value")
            value = rest.pop(0)
        if takes == _BOOLEAN:
            if value not in ("true", "false"):
                raise OptionError(
                    f"invalid value for {word.partition('=')[0]}: '{value}', expected true or false"
                )
            value = "1" if value == "true" else ""
        yield kind, value
