# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A build for tests: what LLVM IR claims is checked where it runs.

LLVM takes alignments, `nsw`, `inbounds`, `nonnull` and their like as facts. A false one shows only
where an optimization or a processor makes use of it. `with_checks` puts a call before each
instruction that claims something, or behind it where its result is claimed about:

    call void @xgpu.claim.7(ptr %4)
    store <32 x i1> %3, ptr %4, align 32

    define internal void @xgpu.claim.7(ptr %0) noinline {
      ... br i1 %ok, label %fine, label %false
    false:
      call void asm sideeffect "ud2; .byte ..."     // the message lies behind the trap

A claim that does not hold so ends in a fault at a known address, in kernels, in the native library
and in host programs alike, and `message_at` reads what it was. The text is LLVM's own print of a
module, not the translation's: alignments that follow from a type are written out there, and nothing
is optimized yet. Kernels, the native library and host programs have no other representation in
common; llvmlite's values have neither flags nor alignments nor attributes.

Checked: the alignment of accesses, of pointers that are arguments and of frames of coroutines;
`nsw`, `nuw`, `exact`, `disjoint`, `nneg`, `samesign`; `nuw`, `nusw` and `inbounds` of addresses, as
far as the numbers tell; `nnan` and `ninf`; `nonnull`, `range`, `align` and `dereferenceable` of
arguments and loads; `llvm.assume` and its bundles; `unreachable`; lanes that are not there, shifts
by too much and counts of zero bits of zero, unless only a `select` or `freeze` sees the result.

Not checked, for no instruction can tell: aliasing, `invariant.load`, `noundef`, attributes of what
functions do, and whether an `inbounds` address is in the object that it comes from.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Sequence

from xgpu.host_device.machine.text import balanced, split_commas, type_end, typed_value

#: What a message begins with, in the bytes behind the trap.
_MARK = b"xgpu claim:"
_TRAP = "udf #0" if platform.machine() in ("aarch64", "arm64") else "ud2"
_PREFIX = "xgpu.claim."
#: Indices of addresses that lie in an object are less than that.
_MOST_BYTES = 1 << 47

#: An operand: its type and its text.
_Typed = tuple[str, str]


class _Check:
    """A condition on operands, in LLVM IR: `lines` make `%ok` of `%a0`, `%a1`, ..."""

    __slots__ = ("claim", "lines", "operands")

    def __init__(self, claim: str, operands: Sequence[_Typed], lines: Sequence[str]) -> None:
        self.claim = claim
        self.operands = tuple(operands)
        self.lines = tuple(lines)


def message_at(address: int) -> str | None:
    """The claim whose check trapped at `address`, an address of code; None for other traps."""
    code = _memory(address, 512)
    at = code.find(_MARK, 0, 16 + len(_MARK))
    return None if at < 0 else code[at + len(_MARK) :].split(b"\0")[0].decode().strip()


def _memory(address: int, size: int) -> bytes:
    """Bytes of this process; none where there are none, as behind a jump to nowhere."""
    try:
        with open("/proc/self/mem", "rb", buffering=0) as memory:
            memory.seek(address)
            return memory.read(size)
    except (OSError, ValueError, OverflowError):
        return b""


def with_checks(text: str) -> str:
    """A module as LLVM prints it, with a check of each claim."""
    return _Module(_of_any_width(text)).checked()


def _of_any_width(text: str) -> str:
    """A module whose functions all pass vectors alike, whatever is inlined into them.

    `min-legal-vector-width` says how many registers a vector is passed in. LLVM drops or raises it
    in a function as others become part of that: a check that is called keeps what it had, and
    looks for its operands in other registers than the caller has put them.
    """
    return re.sub(r' "min-legal-vector-width"="\d+"', "", text)


class _Module:
    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self.made: dict[object, str] = {}
        self.functions: list[str] = []
        self.places = _places(self.lines)
        self.nodes = dict(re.findall(r"^(!\d+) = (.*)$", text, re.MULTILINE))
        self.groups = dict(re.findall(r"^attributes (#\d+) = \{ (.*) \}$", text, re.MULTILINE))
        self.name = self.vectors = ""
        self.own: dict[str, int] = {}
        self.count = 0

    def checked(self) -> str:
        out: list[str] = []
        body: list[str] | None = None
        for line in self.lines:
            if line.startswith("define "):
                body = [line]
            elif body is not None:
                body.append(line)
                if line == "}":
                    out += self._function(body)
                    body = None
            else:
                out.append(line)
        return "\n".join([*out, *self.functions]) + "\n"

    # -- functions

    def _function(self, body: list[str]) -> list[str]:
        head = body[0]
        self.name = head[head.index("@") + 1 : head.index("(", head.index("@"))].strip('"')
        group = re.search(r" (#\d+)", head[head.index("@") :])
        words = self.groups.get(group[1], "") if group else ""
        # Vectors are passed as the caller's attributes say.
        kinds = r'"(?:prefer-vector-width|target-features|target-cpu)"="[^"]*"'
        self.vectors = " ".join(re.findall(kinds, words))
        self.own = _allocations(body)
        sheltered = _sheltered(body)
        out = [head]
        first = [self._call(c, "") for c in _parameters(head)]
        for position, line in enumerate(body[1:]):
            if line.startswith("  ") and " = phi " not in line and not line.startswith("   "):
                if position == 0 or first:
                    out += first
                    first = []
                before, after = self._claims(line, sheltered)
                out += [self._call(c, line) for c in before]
                out.append(line)
                out += [self._call(c, line) for c in after]
            else:
                out.append(line)
        return out

    def _call(self, check: _Check, line: str) -> str:
        where = self._place(line)
        text = f"{check.claim}, in '{self.name}'" + (f" at {where}" if where else "")
        types = tuple(t for t, _ in check.operands)
        key = (text, types, check.lines, self.vectors)
        name = self.made.get(key)
        if name is None:
            name = self.made[key] = f"{_PREFIX}{len(self.made)}"
            self.functions += _check_function(name, text, types, check.lines, self.vectors)
        given = ", ".join(f"{t} {v}" for t, v in check.operands)
        at = re.search(r", !dbg !\d+", line)
        behind = at[0] if at else ""
        before = f"  {_FRAME[1]} = call i64 @llvm.coro.align.i64(){behind}\n"
        asked = before if _FRAME in check.operands else ""
        return f"{asked}  call void @{name}({given}){behind}"

    def _place(self, line: str) -> str:
        own = re.search(r"!xgpu\.at (!\d+)", line)
        if own:
            return self.nodes.get(own[1], "").removeprefix('!{!"').removesuffix('"}')
        debug = re.search(r"!dbg (!\d+)", line)
        return self.places.get(debug[1], "") if debug else ""

    # -- claims of an instruction

    def _claims(self, line: str, sheltered: set[str]) -> tuple[list[_Check], list[_Check]]:
        """What is to be checked before an instruction, and what behind it."""
        code = line.strip()
        code = code.split(", !", 1)[0] if ", !" in code else code
        result, _, rest = code.partition(" = ") if code.startswith("%") else ("", "", code)
        word = rest.split(" ", 1)[0]
        if word in ("tail", "musttail", "notail"):
            rest = rest.split(" ", 1)[1]
            word = "call"
        if word == "unreachable":
            return [_Check("control gets to 'unreachable'", (), ("%ok = freeze i1 false",))], []
        if word in ("load", "store", "atomicrmw", "cmpxchg"):
            return self._access(rest), self._loaded(line, result, rest)
        if word in ("call", "invoke"):
            return self._called(result, rest, sheltered)
        if word == "getelementptr":
            return _address(rest), []
        maker = _INTEGERS.get(word)
        if maker is not None:
            return maker(rest, result in sheltered), []
        if word in _FLOATS:
            return _float(word, result, rest)
        if word in ("extractelement", "insertelement") and result not in sheltered:
            return _lane(word, rest), []
        return [], []

    def _access(self, rest: str) -> list[_Check]:
        found = re.search(r", align (\d+)", rest)
        if found is None or int(found[1]) == 1:
            return []
        address = _pointer_operand(rest)
        if self.own.get(address, 0) >= int(found[1]):
            return []
        word = rest.split(" ", 1)[0]
        return [_aligned(f"align {found[1]} of '{_short(rest, word)}'", address, int(found[1]))]

    def _loaded(self, line: str, result: str, rest: str) -> list[_Check]:
        """What a load's metadata say of what it reads."""
        if not rest.startswith("load ") or not result:
            return []
        ty = _first_type(rest[5:].removeprefix("atomic ").removeprefix("volatile "))
        found: list[_Check] = []
        if "!nonnull" in line:
            found.append(_not_null("nonnull of what is loaded", result))
        for name in ("range", "align", "dereferenceable"):
            match = re.search(rf"!{name} (!\d+)", line)
            if not match:
                continue
            numbers = [int(n) for n in re.findall(r"i\d+ (-?\d+)", self.nodes.get(match[1], ""))]
            if name == "range":
                found.append(_in_ranges("range of what is loaded", (ty, result), numbers))
            elif name == "align":
                found.append(_aligned("align of what is loaded", result, numbers[0]))
            else:
                found.append(_there("dereferenceable of what is loaded", result, numbers[0]))
        return found

    def _called(
        self, result: str, rest: str, sheltered: set[str]
    ) -> tuple[list[_Check], list[_Check]]:
        match = re.search(r'@("[^"]*"|[\w.$-]+)\(', rest)
        at = match.end() - 1 if match else rest.find("(")
        if at < 0 or " asm " in rest:
            return [], []
        name = match[1].strip('"') if match else ""
        end = balanced(rest, at)
        arguments = split_commas(rest[at + 1 : end - 1])
        if name == "llvm.assume":
            return _assumed(arguments, rest[end:]), []
        if name.startswith("llvm.coro.begin"):
            return self._frame(arguments), []
        if name.startswith("llvm.masked."):
            return _masked(name, arguments), []
        before = [c for a in arguments for c in _argument(a, f"an argument of '{name}'")]
        if name.startswith(("llvm.cttz.", "llvm.ctlz.")) and result not in sheltered:
            before += _zero_bits(name, arguments)
        after: list[_Check] = []
        flags = rest[: rest.find("@")] if match else ""
        if result and re.search(r"\b(?:nnan|ninf|fast)\b", flags):
            ty = re.split(r"\b(?:nnan|ninf|nsz|arcp|contract|afn|reassoc|fast)\b ", flags)[-1]
            after += _finite(flags, f"'{name}'", (ty.strip(), result))
        return before, after

    def _frame(self, arguments: list[str]) -> list[_Check]:
        _, memory = typed_value(arguments[1])
        lines = (
            "%p = ptrtoint ptr %a0 to i64", "%m = sub i64 %a1, 1", "%r = and i64 %p, %m",
            "%ok = icmp eq i64 %r, 0",
        )  # fmt: skip
        return [_Check("alignment of a coroutine's frame", (("ptr", memory), _FRAME), lines)]


#: Stands for the alignment that a coroutine's frame needs, which only it can ask for.
_FRAME: _Typed = ("i64", "%xgpu.frame")


# -- the functions that check


def _check_function(
    name: str, text: str, types: Sequence[str], lines: Sequence[str], attributes: str
) -> list[str]:
    parameters = ", ".join(f"{ty} %p{n}" for n, ty in enumerate(types))
    message = ",".join(str(b) for b in _MARK + b" " + text.encode() + b"\0")
    return [
        f"define internal void @{name}({parameters}) noinline nounwind {attributes} {{",
        *(f"  %a{n} = freeze {ty} %p{n}" for n, ty in enumerate(types)),
        *(f"  {line}" for line in lines),
        "  br i1 %ok, label %fine, label %false",
        "false:",
        f'  call void asm sideeffect "{_TRAP}\\0A.byte {message}\\0A.balign 8", ""()',
        "  unreachable",
        "fine:",
        "  ret void",
        "}",
    ]


def _all(ty: str, flag: str) -> list[str]:
    """`%ok`: whether a condition on operands of a type holds in all lanes."""
    count = _lanes(ty)
    if not count:
        return [f"%ok = freeze i1 {flag}"]
    return [f"%ok = call i1 @llvm.vector.reduce.and.v{count}i1(<{count} x i1> {flag})"]


def _lanes(ty: str) -> int:
    match = re.match(r"<(\d+) x ", ty)
    return int(match[1]) if match else 0


def _scalar(ty: str) -> str:
    return ty[ty.index(" x ") + 3 : -1] if ty.startswith("<") else ty


def _like(ty: str, scalar: str) -> str:
    count = _lanes(ty)
    return f"<{count} x {scalar}>" if count else scalar


def _number(ty: str, value: int) -> str:
    if _scalar(ty) == "i1":
        value &= 1
        text = "true" if value else "false"
        return f"splat (i1 {text})" if _lanes(ty) else text
    return f"splat ({_scalar(ty)} {value})" if _lanes(ty) else str(value)


def _width(ty: str) -> int:
    return int(_scalar(ty)[1:])


def _aligned(claim: str, address: str, alignment: int) -> _Check:
    lines = (
        "%p = ptrtoint ptr %a0 to i64", f"%r = and i64 %p, {alignment - 1}",
        "%ok = icmp eq i64 %r, 0",
    )  # fmt: skip
    return _Check(claim, (("ptr", address),), lines)


def _not_null(claim: str, address: str) -> _Check:
    return _Check(claim, (("ptr", address),), ("%ok = icmp ne ptr %a0, null",))


def _there(claim: str, address: str, size: int) -> _Check:
    """Reads the first and the last byte: a fault says that they are not there."""
    lines = (
        "%first = load volatile i8, ptr %a0", f"%at = getelementptr i8, ptr %a0, i64 {size - 1}",
        "%last = load volatile i8, ptr %at", "%ok = icmp ne ptr %a0, null",
    )  # fmt: skip
    return _Check(claim, (("ptr", address),), lines)


def _in_ranges(claim: str, value: _Typed, numbers: Sequence[int]) -> _Check:
    """In one of the ranges [numbers[0], numbers[1]), ..., which may wrap."""
    ty = value[0]
    lines: list[str] = []
    ok = "false"
    for n in range(0, len(numbers), 2):
        low, high = numbers[n : n + 2]
        lines += [
            f"%d{n} = sub {ty} %a0, {_number(ty, low)}",
            f"%i{n} = icmp ult {ty} %d{n}, {_number(ty, high - low)}",
            f"%o{n} = or {_like(ty, 'i1')} %i{n}, {ok if n else _number(_like(ty, 'i1'), 0)}",
        ]
        ok = f"%o{n}"
    return _Check(claim, (value,), [*lines, *_all(ty, ok)])


# -- integers


def _operands(rest: str) -> tuple[str, list[_Typed]]:
    """The words before the type of a binary operation, and both operands."""
    words: list[str] = []
    while True:
        word, _, after = rest.partition(" ")
        if words and word not in _FLAG_WORDS:
            break
        words.append(word)
        rest = after
    end = type_end(rest)
    ty = rest[:end]
    return " ".join(words), [(ty, o) for o in split_commas(rest[end:])[:2]]


_FLAG_WORDS = frozenset((
    "nuw", "nsw", "exact", "disjoint", "nneg", "samesign", "nnan", "ninf", "nsz", "arcp",
    "contract", "afn", "reassoc", "fast", "eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge",
    "slt", "sle", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "une", "uno", "true",
    "false",
))  # fmt: skip


def _wraps(rest: str, sheltered: bool) -> list[_Check]:
    words, operands = _operands(rest)
    ty = operands[0][0]
    found: list[_Check] = []
    op = words.split(" ", 1)[0]
    suffix = (f"v{_lanes(ty)}" if _lanes(ty) else "") + _scalar(ty)
    for flag, sign in (("nsw", "s"), ("nuw", "u")):
        if flag in words.split():
            pair = f"{{ {ty}, {_like(ty, 'i1')} }}"
            lines = [
                f"%w = call {pair} @llvm.{sign}{op}.with.overflow.{suffix}({ty} %a0, {ty} %a1)",
                f"%o = extractvalue {pair} %w, 1",
                f"%f = xor {_like(ty, 'i1')} %o, {_number(_like(ty, 'i1'), 1)}",
            ]
            found.append(_Check(f"{flag} of '{op} {ty}'", operands, [*lines, *_all(ty, "%f")]))
    return found


def _shifts(rest: str, sheltered: bool) -> list[_Check]:
    words, operands = _operands(rest)
    ty = operands[0][0]
    op = words.split(" ", 1)[0]
    flags = words.split()[1:]
    found: list[_Check] = []
    if not sheltered and not re.fullmatch(r"\d+|splat \(i\d+ \d+\)", operands[1][1]):
        lines = [f"%f = icmp ult {ty} %a1, {_number(ty, _width(ty))}", *_all(ty, "%f")]
        found.append(_Check(f"a shift by less than its bits of '{op} {ty}'", operands, lines))
    for flag in flags:
        back = {"nuw": "lshr", "nsw": "ashr", "exact": "shl"}[flag]
        lines = [
            f"%s = {op} {ty} %a0, %a1", f"%b = {back} {ty} %s, %a1",
            f"%f = icmp eq {ty} %b, %a0", *_all(ty, "%f"),
        ]  # fmt: skip
        found.append(_Check(f"{flag} of '{op} {ty}'", operands, lines))
    return found


def _divided(rest: str, sheltered: bool) -> list[_Check]:
    words, operands = _operands(rest)
    if "exact" not in words.split():
        return []
    ty = operands[0][0]
    op = words.split(" ", 1)[0]
    lines = [
        f"%q = {op} {ty} %a0, %a1", f"%b = mul {ty} %q, %a1", f"%f = icmp eq {ty} %b, %a0",
        *_all(ty, "%f"),
    ]  # fmt: skip
    return [_Check(f"exact of '{op} {ty}'", operands, lines)]


def _disjoint(rest: str, sheltered: bool) -> list[_Check]:
    words, operands = _operands(rest)
    if "disjoint" not in words.split():
        return []
    ty = operands[0][0]
    lines = [
        f"%b = and {ty} %a0, %a1", f"%f = icmp eq {ty} %b, {_number(ty, 0)}", *_all(ty, "%f"),
    ]  # fmt: skip
    return [_Check(f"disjoint of 'or {ty}'", operands, lines)]


def _same_sign(rest: str, sheltered: bool) -> list[_Check]:
    words, operands = _operands(rest)
    ty = operands[0][0]
    if "samesign" not in words.split() or _scalar(ty) == "ptr":
        return []
    lines = [
        f"%b = xor {ty} %a0, %a1", f"%f = icmp sge {ty} %b, {_number(ty, 0)}", *_all(ty, "%f"),
    ]  # fmt: skip
    return [_Check(f"samesign of 'icmp {ty}'", operands, lines)]


def _converted(rest: str, sheltered: bool) -> list[_Check]:
    """`zext nneg`, `uitofp nneg`, `trunc nuw nsw`"""
    op, _, after = rest.partition(" ")
    flags: list[str] = []
    while after.split(" ", 1)[0] in ("nneg", "nuw", "nsw"):
        flag, _, after = after.partition(" ")
        flags.append(flag)
    if not flags:
        return []
    source, _, target = after.rpartition(" to ")
    ty = source[: type_end(source)]
    operand = (ty, source[len(ty) :].strip())
    found: list[_Check] = []
    for flag in flags:
        if flag == "nneg":
            lines = [f"%f = icmp sge {ty} %a0, {_number(ty, 0)}"]
        else:
            back = "sext" if flag == "nsw" else "zext"
            lines = [
                f"%t = trunc {ty} %a0 to {target}", f"%b = {back} {target} %t to {ty}",
                f"%f = icmp eq {ty} %b, %a0",
            ]  # fmt: skip
        found.append(_Check(f"{flag} of '{op} {ty}'", (operand,), [*lines, *_all(ty, "%f")]))
    return found


_INTEGERS: dict[str, Callable[[str, bool], list[_Check]]] = {
    "add": _wraps, "sub": _wraps, "mul": _wraps, "shl": _shifts, "lshr": _shifts, "ashr": _shifts,
    "udiv": _divided, "sdiv": _divided, "or": _disjoint, "icmp": _same_sign, "zext": _converted,
    "uitofp": _converted, "trunc": _converted,
}  # fmt: skip


def _zero_bits(name: str, arguments: list[str]) -> list[_Check]:
    value, is_poison = (typed_value(a) for a in arguments)
    if is_poison[1] != "true":
        return []
    ty = value[0]
    lines = [f"%f = icmp ne {ty} %a0, {_number(ty, 0)}", *_all(ty, "%f")]
    return [_Check(f"not zero of '{name}'", (value,), lines)]


def _lane(word: str, rest: str) -> list[_Check]:
    """An element of a vector that is there."""
    parts = [typed_value(p) for p in split_commas(rest.split(" ", 1)[1])]
    (vector, _), (ty, index) = parts[0], parts[-1]
    if index.isdigit() or not _lanes(vector):
        return []
    lines = (f"%ok = icmp ult {ty} %a0, {_lanes(vector)}",)
    return [_Check(f"the lane of '{word} {vector}'", ((ty, index),), lines)]


# -- floats

_FLOATS = frozenset(("fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "fcmp"))


def _float(word: str, result: str, rest: str) -> tuple[list[_Check], list[_Check]]:
    words, operands = _operands(rest)
    if word == "fneg":
        operands = operands[:1]
    name = f"'{word} {operands[0][0]}'"
    before = [c for operand in operands for c in _finite(words, name, operand)]
    if word == "fcmp":
        return before, []
    return before, _finite(words, name, (operands[0][0], result))


def _finite(words: str, name: str, value: _Typed) -> list[_Check]:
    ty = value[0]
    flags = words.split()
    found: list[_Check] = []
    # fcNan and fcInf of LLVM's `is.fpclass`
    for flag, classes in (("nnan", 3), ("ninf", 516)):
        if flag in flags or "fast" in flags:
            scalar = {"float": "f32", "double": "f64", "half": "f16", "bfloat": "bf16"}.get(
                _scalar(ty)
            )
            if scalar is None:
                continue
            suffix = (f"v{_lanes(ty)}" if _lanes(ty) else "") + scalar
            flat = _like(ty, "i1")
            lines = [
                f"%c = call {flat} @llvm.is.fpclass.{suffix}({ty} %a0, i32 {classes})",
                f"%f = xor {flat} %c, {_number(flat, 1)}", *_all(ty, "%f"),
            ]  # fmt: skip
            found.append(_Check(f"{flag} of {name}", (value,), lines))
    return found


# -- addresses and accesses


def _pointer_operand(rest: str) -> str:
    """The address of an access."""
    if rest.startswith("store"):
        # The value that is stored may be an address, too.
        body = rest[6:].removeprefix("atomic ").removeprefix("volatile ")
        return _operand(typed_value(split_commas(body)[1])[1])
    match = re.search(r"\bptr (?:addrspace\(\d+\) )?", rest)
    assert match is not None
    return _operand(split_commas(rest[match.end() :])[0])


def _operand(text: str) -> str:
    """The value that a text begins with: a name, a number, or an expression of constants."""
    if not re.match(r"(?:getelementptr|inttoptr|addrspacecast|bitcast|ptrtoint)\b", text):
        return text.split(" ", 1)[0]
    return text[: balanced(text, text.index("("))]


def _first_type(text: str) -> str:
    return text[: type_end(text)]


def _short(rest: str, word: str) -> str:
    """An access without its operands."""
    body = rest[len(word) + 1 :]
    for flag in ("atomic", "volatile", "weak"):
        body = body.removeprefix(flag + " ")
    if word == "atomicrmw":
        parts = split_commas(body.split(" ", 1)[1])
        return f"{word} {body.split(' ', 1)[0]} {_first_type(parts[1])}"
    if word == "cmpxchg":
        return f"{word} {_first_type(split_commas(body)[1])}"
    return f"{word} {_first_type(body)}"


def _address(rest: str) -> list[_Check]:
    match = re.match(r"getelementptr ((?:(?:inbounds|nusw|nuw) )+)", rest)
    if match is None:
        return []
    flags = match[1].split()
    parts = split_commas(rest[match.end() :])
    operands = [typed_value(p) for p in parts[1:]]
    count = max((_lanes(ty) for ty, _ in operands), default=0)
    pointers = f"<{count} x ptr>" if count else "ptr"
    whole = f"<{count} x i64>" if count else "i64"
    base = operands[0]
    given = ", ".join(f"{ty} %a{n}" for n, (ty, _) in enumerate(operands))
    lines = [
        f"%to = getelementptr {parts[0]}, {given}", f"%t = ptrtoint {pointers} %to to {whole}",
        f"%s = ptrtoint {base[0]} %a0 to {_like(base[0], 'i64')}",
    ]  # fmt: skip
    start = "%s"
    if count and not _lanes(base[0]):
        lines += [
            f"%si = insertelement {whole} poison, i64 %s, i32 0",
            f"%sv = shufflevector {whole} %si, {whole} poison, <{count} x i32> zeroinitializer",
        ]
        start = "%sv"
    found: list[_Check] = []
    if "nuw" in flags:
        test = [f"%f = icmp uge {whole} %t, {start}", *_all(whole, "%f")]
        found.append(_Check(f"nuw of 'getelementptr {parts[0]}'", operands, [*lines, *test]))
    kind = "inbounds" if "inbounds" in flags else "nusw" if "nusw" in flags else ""
    if kind:
        test = [
            f"%x = xor {whole} %t, {start}", f"%far = lshr {whole} %x, {_number(whole, 63)}",
            f"%f = icmp eq {whole} %far, {_number(whole, 0)}", *_all(whole, "%f"),
        ]  # fmt: skip
        found.append(_Check(f"{kind} of 'getelementptr {parts[0]}'", operands, [*lines, *test]))
        wide = [o for o in operands[1:] if _width(o[0]) > 48 and not o[1].lstrip("-").isdigit()]
        found += [_index(kind, operand) for operand in wide]
    return found


def _index(kind: str, operand: _Typed) -> _Check:
    """An index of an object that there can be."""
    ty = operand[0]
    lines = [
        f"%m = add {ty} %a0, {_number(ty, _MOST_BYTES)}",
        f"%f = icmp ult {ty} %m, {_number(ty, 2 * _MOST_BYTES)}", *_all(ty, "%f"),
    ]  # fmt: skip
    return _Check(f"{kind} of an index", (operand,), lines)


def _masked(name: str, arguments: list[str]) -> list[_Check]:
    """`llvm.masked.*`: of the lanes that are on."""
    kind = name.split(".")[2]
    if kind not in ("load", "store", "gather", "scatter"):
        return []
    at = 0 if kind in ("load", "gather") else 1
    claimed = re.search(r" align (\d+) ", arguments[at])
    if claimed is None or int(claimed[1]) == 1:
        return []
    pointers, mask = typed_value(arguments[at]), typed_value(arguments[at + 1])
    count = _lanes(mask[0])
    rest = int(claimed[1]) - 1
    if kind in ("load", "store"):
        lines = [
            f"%any = call i1 @llvm.vector.reduce.or.v{count}i1(<{count} x i1> %a1)",
            "%p = ptrtoint ptr %a0 to i64", f"%r = and i64 %p, {rest}", "%e = icmp eq i64 %r, 0",
            "%off = xor i1 %any, true", "%ok = or i1 %e, %off",
        ]  # fmt: skip
    else:
        whole = f"<{count} x i64>"
        lines = [
            f"%p = ptrtoint {pointers[0]} %a0 to {whole}",
            f"%r = and {whole} %p, {_number(whole, rest)}",
            f"%e = icmp eq {whole} %r, {_number(whole, 0)}",
            f"%off = xor {mask[0]} %a1, {_number(mask[0], 1)}", f"%f = or {mask[0]} %e, %off",
            *_all(mask[0], "%f"),
        ]  # fmt: skip
    claim = f"align {claimed[1]} of 'llvm.masked.{kind}'"
    return [_Check(claim, (pointers, mask), lines)]


# -- arguments and assumptions


def _parameters(head: str) -> list[_Check]:
    """What a function says of its arguments."""
    start = head.index("(", head.index("@"))
    parameters = split_commas(head[start + 1 : balanced(head, start) - 1])
    return [c for p in parameters for c in _argument(p, "a parameter")]


def _argument(text: str, what: str) -> list[_Check]:
    if text in ("...",) or " " not in text or text.startswith("metadata"):
        return []
    ty, value = typed_value(text)
    attributes = text[len(ty) :].removesuffix(value)
    if not attributes.strip() or value in ("null", "undef", "poison"):
        return []
    found: list[_Check] = []
    if ty == "ptr":
        if (match := re.search(r"\balign (\d+)", attributes)) and int(match[1]) > 1:
            found.append(_aligned(f"align {match[1]} of {what}", value, int(match[1])))
        if re.search(r"\bnonnull\b", attributes):
            found.append(_not_null(f"nonnull of {what}", value))
        if match := re.search(r"\bdereferenceable\((\d+)\)", attributes):
            found.append(_there(f"dereferenceable of {what}", value, int(match[1])))
    if match := re.search(r"\brange\(i\d+ (-?\d+), (-?\d+)\)", attributes):
        numbers = [int(match[1]), int(match[2])]
        found.append(_in_ranges(f"range of {what}", (ty, value), numbers))
    return found


def _assumed(arguments: list[str], rest: str) -> list[_Check]:
    condition = typed_value(arguments[0])
    found: list[_Check] = []
    if condition[1] != "true":
        found.append(_Check("llvm.assume", (condition,), ("%ok = freeze i1 %a0",)))
    for kind, inside in re.findall(r'"(align|nonnull|dereferenceable)"\(([^()]*)\)', rest):
        parts = [typed_value(p) for p in split_commas(inside)]
        address = parts[0][1]
        number = int(parts[1][1]) if len(parts) > 1 and parts[1][1].isdigit() else 0
        if kind == "nonnull":
            found.append(_not_null("nonnull of llvm.assume", address))
        elif number and kind == "align" and len(parts) == 2:
            found.append(_aligned(f"align {number} of llvm.assume", address, number))
        elif number and kind == "dereferenceable":
            found.append(_there("dereferenceable of llvm.assume", address, number))
    return found


# -- what a function's text tells


def _allocations(body: list[str]) -> dict[str, int]:
    """The alignment of what a function allocates, by name."""
    found: dict[str, int] = {}
    for line in body:
        match = re.match(r"  (%\S+) = alloca .*, align (\d+)", line)
        if match:
            found[match[1]] = int(match[2])
    return found


def _sheltered(body: list[str]) -> set[str]:
    """Values that nothing sees but `select` and `freeze`, which poison does not get through
    unless it is chosen."""
    seen: set[str] = set()
    shielded: set[str] = set()
    for line in body[1:]:
        code = line.strip()
        rest = code.split(" = ", 1)[1] if re.match(r"%\S+ = ", code) else code
        target = shielded if rest.startswith(("select ", "freeze ")) else seen
        target.update(re.findall(r'%(?:"[^"]*"|[\w.$-]+)', rest))
    return shielded - seen


def _places(lines: list[str]) -> dict[str, str]:
    """`file:line:column` of debug information, by its node."""
    nodes: dict[str, str] = {}
    for line in lines:
        match = re.match(r"(!\d+) = (?:distinct )?(!DI\w+\(.*\))$", line)
        if match:
            nodes[match[1]] = match[2]

    def file_of(node: str, depth: int = 0) -> str:
        text = nodes.get(node, "")
        if named := re.search(r'filename: "([^"]*)"', text):
            return named[1]
        further = re.search(r"\b(?:file|scope): (!\d+)", text)
        return file_of(further[1], depth + 1) if further and depth < 20 else ""

    found: dict[str, str] = {}
    for node, text in nodes.items():
        match = re.match(r"!DILocation\(line: (\d+)(?:, column: (\d+))?, scope: (!\d+)", text)
        if match:
            found[node] = f"{file_of(match[3])}:{match[1]}:{match[2] or 0}"
    return found
