# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xgpu-opt's command line, read as LLVM's command line library reads mlir-opt's.

Options begin with one or two dashes; `--name=value` and, where a value is required, `--name value`
are the same; a pass or a named pipeline is an option whose value is its options. Passes run in
the order given. A table of options serves reading and `--help`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xgpu.core.ir.errors import UsageError
from xgpu.core.ir.source import SPLIT_MARKER

if TYPE_CHECKING:
    from xdsl.ir import Operation

class Flag:
    """An option: kind is "bool", "value" (required), "number" (likewise, not negative), "optional"
    (`=value` or none) or "list"."""

    __slots__ = ("attribute", "default", "kind", "summary")

    def __init__(self, kind: str, attribute: str, default: object, summary: str) -> None:
        self.kind = kind
        self.attribute = attribute
        self.default = default
        self.summary = summary


FLAGS: dict[str, Flag] = {
    "allow-unregistered-dialect": Flag(
        "bool", "allow_unregistered", False, "Allow operations of no registered dialect"
    ),
    "completion": Flag(
        "value", "completion", None, "Print the completion of a shell (bash, zsh, fish) and exit"
    ),
    "debug": Flag("bool", "debug", False, "Show Python's traceback of an internal error"),
    "dump-pass-pipeline": Flag(
        "bool", "dump_pipeline", False, "Print the pipeline that will be run"
    ),
    "elide-resource-data-from-bytecode": Flag(
        "bool", "elide_resources", False, "Leave the values of resources out of bytecode"
    ),
    "emit-bytecode": Flag("bool", "emit_bytecode", False, "Write bytecode instead of text"),
    "emit-bytecode-version": Flag(
        "value", "bytecode_version", None, "The version of the bytecode to write, 0 to 6"
    ),
    "explore": Flag(
        "value", "explore", None, "Write a page (.html) that shows the IR after each pass"
    ),
    "h": Flag("optional", "help", None, "The same as --help"),
    "help": Flag("optional", "help", None, "Show this text, or what one pass does: =cse"),
    "list-passes": Flag("bool", "list_passes", False, "Print the names of the passes and exit"),
    "load-dialect-plugin": Flag(
        "list", "dialect_plugins", (), "Load dialects from a Python file, folder or module"
    ),
    "load-pass-plugin": Flag(
        "list", "pass_plugins", (), "Load passes from a Python file, folder or module"
    ),
    "log-actions-to": Flag(
        "value", "log_actions", None, "Write what begins and ends to a file, - for standard output"
    ),
    "mlir-disable-threading": Flag(
        "bool", "disable_threading", False, "Accepted; passes never run in parallel"
    ),
    "mlir-elide-elementsattrs-if-larger": Flag(
        "number", "elide_elements", None, "Print no dense attributes of more elements"
    ),
    "mlir-elide-resource-strings-if-larger": Flag(
        "number", "elide_resources_longer", None, "Print no resources of more characters"
    ),
    "mlir-output-format": Flag(
        "value", "timing_format", "text", "Format of --mlir-timing: text or json"
    ),
    "mlir-pretty-debuginfo": Flag(
        "bool", "pretty_debuginfo", False, "Print locations readably with --mlir-print-debuginfo"
    ),
    "mlir-print-debuginfo": Flag("bool", "debuginfo", False, "Print locations"),
    "mlir-print-ir-after": Flag("list", "print_after", (), "Print IR after these passes"),
    "mlir-print-ir-after-all": Flag("bool", "print_after_all", False, "Print IR after each pass"),
    "mlir-print-ir-after-change": Flag(
        "bool", "print_after_change", False, "After a pass, print IR only if it changed"
    ),
    "mlir-print-ir-after-failure": Flag(
        "bool", "print_after_failure", False, "After a pass, print IR only if the pass failed"
    ),
    "mlir-print-ir-before": Flag("list", "print_before", (), "Print IR before these passes"),
    "mlir-print-ir-before-all": Flag(
        "bool", "print_before_all", False, "Print IR before each pass"
    ),
    "mlir-print-assume-verified": Flag(
        "bool", "assume_verified", False, "Accepted: custom forms are printed unverified anyway"
    ),
    "mlir-print-ir-module-scope": Flag(
        "bool", "print_module_scope", False, "Print the whole module around a pass"
    ),
    "mlir-print-ir-tree-dir": Flag(
        "value", "print_tree", None, "Print IR into files of this folder instead of stderr"
    ),
    "mlir-print-local-scope": Flag(
        "bool", "local_scope", False, "Print without aliases, locations in place"
    ),
    "mlir-print-op-generic": Flag("bool", "generic", False, "Print the generic form"),
    "mlir-print-op-on-diagnostic": Flag(
        "bool", "op_on_diagnostic", True, "Show the operation that reports an error (default)"
    ),
    "mlir-print-stacktrace-on-diagnostic": Flag(
        "bool", "stacktrace_on_diagnostic", False, "Accepted without effect"
    ),
    "mlir-timing": Flag("bool", "timing", False, "Show how long passes take, on stderr"),
    "mlir-timing-display": Flag(
        "value", "timing_display", "tree", "Form of --mlir-timing: tree or list"
    ),
    "mlir-very-unsafe-disable-verifier-on-parsing": Flag(
        "bool", "skip_first_verify", False, "Do not verify what was read"
    ),
    "no-implicit-module": Flag(
        "bool", "no_implicit_module", False, "The input's one operation is the top"
    ),
    "o": Flag("value", "output", "-", "Output file"),
    "output-split-marker": Flag(
        "value", "output_marker", SPLIT_MARKER, "What to print between chunks"
    ),
    "p": Flag("xdsl", "xdsl", "", "xDSL's passes (and ours), in xDSL's pipeline syntax"),
    "passes": Flag("xdsl", "xdsl", "", "The same as -p"),
    "pass-pipeline": Flag("value", "pipeline", None, "The pipeline to run, as text"),
    "print-token-graph": Flag(
        "optional",
        "token_graph",
        None,
        "Print what waits for what instead of the IR: =text, =mermaid or =dot",
    ),
    "profile-actions-to": Flag(
        "value", "profile_actions", None, "Write a Chrome trace of the passes to a file"
    ),
    "remark-format": Flag(
        "value", "remark_format", "emitRemark", "How to show remarks: emitRemark, yaml, bitstream"
    ),
    "remark-policy": Flag(
        "value", "remark_policy", "all", "Which remarks to show: all, or final, the last of a place"
    ),
    "remarks-filter": Flag(
        "value", "remarks_filter", "", "Show the remarks of passes in categories of this pattern"
    ),
    "remarks-filter-analyse": Flag(
        "value", "remarks_analysis", "", "Likewise, those about what passes find"
    ),
    "remarks-filter-failed": Flag(
        "value", "remarks_failed", "", "Likewise, those about what cannot be done"
    ),
    "remarks-filter-missed": Flag(
        "value", "remarks_missed", "", "Likewise, those about what is not done"
    ),
    "remarks-filter-passed": Flag(
        "value", "remarks_passed", "", "Likewise, those about what is done"
    ),
    "remarks-output-file": Flag(
        "value", "remarks_file", None, "The file of --remark-format (mlir-remarks.yaml, .bitstream)"
    ),
    "show-dialects": Flag("bool", "show_dialects", False, "Print the dialects and exit"),
    "split-input-file": Flag(
        "optional", "split_input_file", None, "Process the input in chunks, split at `// -----`"
    ),
    "t": Flag("value", "target", None, "Print through one of xDSL's targets"),
    "target": Flag("value", "target", None, "The same as -t"),
    "verify-diagnostics": Flag(
        "optional",
        "verify_diagnostics",
        None,
        "Check diagnostics against `expected-*` comments: =all or =only-expected",
    ),
    "verify-each": Flag(
        "bool", "verify_each", None, "Verify after each pass (default: once, after the last)"
    ),
    "verify-roundtrip": Flag(
        "bool", "verify_roundtrip", False, "Print and read again; fail if that changes the IR"
    ),
    "version": Flag("bool", "version", False, "Show the version"),
    "watch": Flag("bool", "watch", False, "Run again whenever the input file changes"),
}


class Arguments:
    """What a command line says: attributes are named as in FLAGS; `input` is the input's path.

    `passes` holds ("pass", name, options) and ("xdsl", pipeline, "") in the order given.
    """

    def __init__(self) -> None:
        self.input = "-"
        self.passes: list[tuple[str, str, str]] = []
        for flag in FLAGS.values():
            setattr(self, flag.attribute, flag.default)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    @property
    def print_anything(self) -> bool:
        """Whether IR is to be printed before or after passes."""
        return bool(
            self.print_before
            or self.print_after
            or self.print_before_all
            or self.print_after_all
            or self.print_after_failure
        )

    @property
    def shows_remarks(self) -> bool:
        """Whether remarks of passes are shown, or written to a file."""
        return self.remark_format != "emitRemark" or bool(
            self.remarks_filter
            or self.remarks_passed
            or self.remarks_missed
            or self.remarks_failed
            or self.remarks_analysis
        )


def _boolean(name: str, value: str | None) -> bool:
    if value is None or value in ("true", "TRUE", "True", "1", ""):
        return True
    if value in ("false", "FALSE", "False", "0"):
        return False
    raise UsageError(
        f"for the --{name} option: '{value}' is invalid value for boolean argument! Try 0 or 1"
    )


def _number(name: str, value: str) -> int:
    if value.isascii() and value.isdecimal():
        return int(value)
    raise UsageError(f"for the --{name} option: '{value}' value invalid for uint argument!")


def unquote(text: str) -> str:
    """Drops the quotes that a pass option's value may have kept from a script."""
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text


#: Of an option that more passes have, none is named.
_MOST_OWNERS = 3


def _owners(name: str, argv: Sequence[str]) -> list[str]:
    """The passes with an option `name`: those of the command line if one of them has it."""
    from xgpu.core.passes.registry import PASSES, owner_of, pass_class

    given = {text.lstrip("-").partition("=")[0] for text in argv if text.startswith("-")}
    ours = [p for p in PASSES if p in given or owner_of(p) is None]
    found = [p for p in ours if any(option.name == name for option in pass_class(p).options)]
    return [p for p in found if p in given] or found


def _check_pass(name: str, text: str, argv: Sequence[str]) -> None:
    """Raises `UsageError` where the argument `text` names neither a pass nor a pipeline."""
    from xgpu.core.passes.registry import PASSES, PIPELINES, is_known

    if is_known(name):
        return
    owners = _owners(name, argv) if "=" in text else []  # it loads every pass
    if 0 < len(owners) <= _MOST_OWNERS:
        option = text.lstrip("-")
        ways = " or ".join(f"--{owner}='{option}'" for owner in owners)
        raise UsageError(f"unknown command line argument '{text}', an option of a pass: {ways}")
    from xgpu.core.ir.suggestions import unknown_pass

    hint = unknown_pass(name, [*FLAGS, *PASSES, *PIPELINES], "--")
    raise UsageError(f"unknown command line argument '{text}'{hint}")


def parse_arguments(argv: Sequence[str]) -> Arguments:
    """Reads the arguments after the program's name. Raises UsageError."""
    _load_plugins(argv)
    found = Arguments()
    positional: list[str] = []
    i, options_end = 0, False
    while i < len(argv):
        text = argv[i]
        i += 1
        if options_end or text == "-" or not text.startswith("-"):
            positional.append(text)
            continue
        if text == "--":
            options_end = True
            continue
        body = text[2:] if text.startswith("--") else text[1:]
        name, equals, value = body.partition("=")
        given = value if equals else None
        flag = FLAGS.get(name)
        if flag is None:
            _check_pass(name, text, argv)
            found.passes.append(("pass", name, unquote(value)))
            continue
        if flag.kind in ("value", "number", "list", "xdsl") and given is None:
            if i == len(argv):
                raise UsageError(f"for the {text} option: requires a value!")
            given = argv[i]
            i += 1
        _store(found, name, flag, given)
    if len(positional) > 1:
        raise UsageError(
            "too many positional arguments specified! Can specify at most 1 positional "
            f"argument, but found {' '.join(positional)}"
        )
    if positional:
        found.input = positional[0]
    _check(found)
    return found


def _load_plugins(argv: Sequence[str]) -> None:
    """Loads the plugins first of all: they bring passes, which are options."""
    for at, text in enumerate(argv):
        name, equals, value = text.lstrip("-").partition("=")
        if not text.startswith("-") or name not in ("load-dialect-plugin", "load-pass-plugin"):
            continue
        if not equals:
            value = argv[at + 1] if at + 1 < len(argv) else ""
        from xgpu.tools.plugins import load_plugin

        for path in value.split(","):
            load_plugin(path)


def _store(found: Arguments, name: str, flag: Flag, given: str | None) -> None:
    if flag.kind == "bool":
        setattr(found, flag.attribute, _boolean(name, given))
    elif flag.kind == "number":
        setattr(found, flag.attribute, _number(name, given or ""))
    elif flag.kind == "list":
        old = getattr(found, flag.attribute)
        setattr(found, flag.attribute, (*old, *(given or "").split(",")))
    elif flag.kind == "xdsl":
        found.passes.append(("xdsl", given or "", ""))
    elif name == "split-input-file":
        setattr(found, flag.attribute, given or SPLIT_MARKER)
    elif name in ("h", "help"):
        setattr(found, flag.attribute, given or "")
    elif name == "print-token-graph":
        setattr(found, flag.attribute, given or "text")
    elif name == "verify-diagnostics":
        setattr(found, flag.attribute, given or "all")
    else:
        setattr(found, flag.attribute, given)


def _check(found: Arguments) -> None:
    if found.pipeline is not None and any(kind == "pass" for kind, _, _ in found.passes):
        raise UsageError("'-pass-pipeline' option can't be used with individual pass options")
    if found.bytecode_version is not None and not found.emit_bytecode:
        raise UsageError("option '--emit-bytecode-version' needs '--emit-bytecode'")
    if found.verify_diagnostics not in (None, "all", "only-expected"):
        raise UsageError(
            "for the --verify-diagnostics option: Cannot find option named "
            f"'{found.verify_diagnostics}'! (all or only-expected)"
        )
    if found.token_graph not in (None, "text", "mermaid", "dot"):
        raise UsageError(
            "for the --print-token-graph option: Cannot find option named "
            f"'{found.token_graph}'! (text, mermaid or dot)"
        )
    for name, value, values in (
        ("remark-format", found.remark_format, ("emitRemark", "yaml", "bitstream")),
        ("remark-policy", found.remark_policy, ("all", "final")),
    ):
        if value not in values:
            raise UsageError(
                f"for the --{name} option: Cannot find option named '{value}'! "
                f"({', '.join(values[:-1])} or {values[-1]})"
            )
    if found.watch and found.input == "-":
        raise UsageError("option '--watch' needs an input file")
    if found.explore is not None and not found.explore.endswith(".html"):
        raise UsageError(f"option '--explore' is '{found.explore}', expected an .html file")
    for attribute, name in (("print_before", "before"), ("print_after", "after")):
        for p in getattr(found, attribute):
            from xgpu.core.passes.registry import PASSES, is_known

            if not is_known(p):
                from xgpu.core.ir.suggestions import unknown_pass

                hint = unknown_pass(p, PASSES)
                raise UsageError(
                    f"for the --mlir-print-ir-{name} option: Cannot find option named '{p}'!{hint}"
                )


def printed(op: Operation, arguments: Arguments) -> str:
    """An operation as the options have it printed."""
    from xgpu.core.syntax import print_module

    return print_module(
        op,
        generic=arguments.generic,
        debuginfo=arguments.debuginfo,
        pretty_locations=arguments.pretty_debuginfo,
        local_scope=arguments.local_scope,
        elide_elements=arguments.elide_elements,
        elide_resources=arguments.elide_resources_longer,
    )
