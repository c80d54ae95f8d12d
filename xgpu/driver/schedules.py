# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs under many legal orders.

    from xgpu.driver.schedules import Explorer

    explorer = Explorer(text)                  # lowers and compiles once: IR, lowered or not
    outcome = explorer.run("main")             # one run in the natural order (seed 0)
    outcome.value, outcome.output, outcome.error, outcome.arrays, outcome.alive
    explorer.run("f", [array, 3], seed=7)      # memrefs as numpy arrays, numbers; replays exactly
    found = explorer.explore("f", [array], schedules=50, seed=0)
    if found.seed is not None:                 # the first order whose outcome differs
        print(found.seed, found.difference)

`run` and `explore` may be called for any function of the program whose lowered signature is plain:
memrefs, integers, index, f32 and f64 as arguments, at most one number as result. Arrays are copied
before each run; `outcome.arrays` holds what they became. Each run starts afresh: globals have their
first values, the device is empty. A run of a small program takes a fraction of a millisecond.

`Explorer(text, orders="tokens")` gives each operation a stream of its own, so that nothing orders
but tokens and the host's waits; without it, operations share streams as in any run, which in loops
and where control flow meets order more than tokens do. It leaves events behind, and takes no
`async.execute`.

The device runs one operation at a time, in the order that a seed stands for (`policies`):
any order that streams, events and host waits allow. Which seeds are tried follows from one run in
the natural order (`xgpu.host_device.device.exploration`), so that few runs show much. The plan, and
with it the list of seeds, depends on nothing but the program and `seed`. Memory shows its lifetime:
it is filled when its allocation takes effect and when its release does.

Two outcomes are equal if value, printed text (addresses apart), error and arrays are.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from xgpu.core.ir.errors import DeviceError, ProgramError, UsageError, op_error
from xgpu.driver.arguments import check_arguments, copied, parameter_types
from xgpu.driver.compiler import is_lowered
from xgpu.driver.options import ORDERS, check_choice
from xgpu.driver.program import Program
from xgpu.host_device.device.device import HostDevice
from xgpu.host_device.device.exploration import NATURAL, Exploration, Plan, Policy
from xgpu.host_device.device.operations import Operation
from xgpu.host_device.native.signals import caught_faults
from xgpu.runtime.session import Session

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

_NUMBERS: dict[str, Any] = {
    "i1": ctypes.c_int8, "i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32,
    "i64": ctypes.c_int64, "float": ctypes.c_float, "double": ctypes.c_double,
}  # fmt: skip
# Where something lies differs from run to run and does not matter.
_ADDRESS = re.compile(r"(?<=base@ = )0x[0-9a-f]+")


class Outcome:
    """What a run gave. `alive` says what it has not destroyed, by kind; `order` what ran when."""

    __slots__ = ("alive", "arrays", "error", "order", "output", "seed", "session", "value")

    def __init__(self, seed: int, session: Session, order: list[tuple[int, int]]) -> None:
        self.seed = seed
        self.session = session
        self.order = order
        self.value: int | float | None = None
        self.output = ""
        self.error: str | None = None
        self.arrays: list[Any] = []
        self.alive: dict[str, int] = {}

    def difference(self, other: Outcome) -> str | None:
        """The first thing in which `other` differs from this outcome, in words."""
        first, second = _ADDRESS.sub("...", self.output), _ADDRESS.sub("...", other.output)
        if first != second:
            return _first_difference(first, second)
        if self.error != other.error:
            return f"error: {self.error or 'none'}\n   now: {other.error or 'none'}"
        if repr(self.value) != repr(other.value):
            return f"result: {self.value}\n   now: {other.value}"
        for i, (a, b) in enumerate(zip(self.arrays, other.arrays, strict=True)):
            if a.tobytes() != b.tobytes():
                return f"array argument {i}: {a.tolist()}\n   now: {b.tolist()}"
        return None


def _first_difference(first: str, second: str) -> str:
    lines, others = first.splitlines(), second.splitlines()
    for i in range(max(len(lines), len(others))):
        was = lines[i] if i < len(lines) else "(nothing)"
        now = others[i] if i < len(others) else "(nothing)"
        if was != now:
            return f"line {i + 1} of the output: {was}\n   now: {now}"
    return "the end of the output"


class Exploring:
    """What `explore` found: the outcome in the natural order, how many other orders were run, and
    of the first that differs the seed, the outcome, the difference, and which operations that may
    conflict came in the other order (`swapped`: first, then second).
    """

    __slots__ = ("difference", "natural", "other", "runs", "seed", "swapped")

    def __init__(self, natural: Outcome) -> None:
        self.natural = natural
        self.runs = 0
        self.seed: int | None = None
        self.other: Outcome | None = None
        self.difference: str | None = None
        self.swapped: list[tuple[Operation, Operation]] = []


def _check_has_tokens(module: ModuleOp) -> None:
    """Raises if the orders that tokens allow cannot be had."""
    if is_lowered(module):
        raise UsageError("a program that is lowered has no tokens: give it as it was before")
    for op in module.walk():
        if op.name == "async.execute":
            raise op_error(op, "runs in a thread of its own, whose order cannot be chosen")


class Explorer:
    """A program, compiled for the host device once, to be run many times."""

    def __init__(
        self, source: str | ModuleOp, *, filename: str = "-", opt_level: int = 2,
        libraries: Sequence[Any] = (), entry: str | None = None, result: str = "auto",
        orders: str = "streams", sanitizer: Sanitizer | None = None,
    ) -> None:  # fmt: skip
        check_choice("orders", orders, ORDERS)
        program = Program(
            source, filename, entry=entry, result=result, opt_level=opt_level, libraries=libraries,
            options="async-assign=exact" if orders == "tokens" else "",
        )  # fmt: skip
        module = program.parse()
        if orders == "tokens":
            _check_has_tokens(module)
        self._types = parameter_types(module)
        session = Session()
        self.device = HostDevice(session, sanitizer=sanitizer)
        self._program = program.load(session, self.device, repeatable=True)
        #: Gets what C code prints, where `run` is asked to look after that too.
        self.captured: Callable[[Callable[[], None]], str] | None = None

    def run(
        self, entry: str = "main", arguments: Sequence[Any] = (), seed: int = NATURAL
    ) -> Outcome:
        """Call `entry` with copies of `arguments`, in the order that `seed` stands for.

        Raises `UsageError` for arguments that are not what the function takes, as far as the
        program still says: of one that came lowered, only the number is known.
        """
        with ready():
            return self.run_ordered(entry, arguments, seed)[0]

    def explore(
        self, entry: str = "main", arguments: Sequence[Any] = (), *, schedules: int = 50,
        seed: int = 0,
    ) -> Exploring:  # fmt: skip
        """Run under the natural order and at most `schedules` others, until one differs.

        The first of them is that of `seed`, unless that is the natural order: so a seed that was
        found is replayed with `schedules=1`.
        """
        with ready():
            natural, order = self.run_ordered(entry, arguments, NATURAL)
            found = Exploring(natural)
            plan = Plan(order, seed)
            seeds = plan.seeds(schedules)
            if seed != NATURAL:
                seeds = chain((seed,), (s for s in seeds if s != seed))
            for other_seed in islice(seeds, schedules):
                found.runs += 1
                other, _ = self.run_ordered(entry, arguments, other_seed)
                found.difference = natural.difference(other)
                if found.difference is not None:
                    found.seed, found.other = other_seed, other
                    at = {number: i for i, (number, _) in enumerate(other.order)}
                    found.swapped = [
                        (order.operations[b], order.operations[a])
                        for a, b in plan.conflicts
                        if a in at and b in at and at[a] > at[b]
                    ]
                    break
            return found

    def close(self) -> None:
        """Give back what the device still holds."""
        self.device.close()

    def run_ordered(
        self, entry: str, arguments: Sequence[Any], seed: int
    ) -> tuple[Outcome, Exploration]:
        """As `run`, with the order, which says what others there are; inside of `ready`."""
        signature = self._program.functions.get(entry)
        if signature is None:
            raise ProgramError(f"no function '{entry}' with a plain signature in the program")
        if entry in self._types:
            check_arguments(entry, self._types[entry], arguments)
        session, order = Session(), Exploration(Policy(seed))
        order.keep_script = seed == NATURAL
        outcome = Outcome(seed, session, order.order)
        text: list[str] = []
        session.output = text.append
        self.device.reset(session, order)
        self._program.use(session)
        slots = _Slots(entry, arguments, *signature)

        def call() -> None:
            try:
                self._program.call(entry, slots.address)
            except (DeviceError, ProgramError) as problem:
                outcome.error = str(problem)

        if self.captured is not None:
            text.append(self.captured(call))
        else:
            call()
        outcome.output = "".join(text)
        outcome.arrays = slots.arrays
        if outcome.error is None:
            outcome.value = slots.result()
        outcome.alive = session.leaks()
        return outcome, order


class _Slots:
    """Arguments as the program's wrapper takes them: 8 bytes each, then room for the result."""

    def __init__(self, entry: str, arguments: Sequence[Any], types: list[str], result: str) -> None:
        self.arrays: list[Any] = []
        self._result_type = _NUMBERS.get(result)
        words: list[int | float] = []
        for argument in arguments:
            if hasattr(argument, "ctypes"):
                array = copied(argument)
                self.arrays.append(array)
                steps = [stride // array.itemsize for stride in array.strides]
                words += [array.ctypes.data, array.ctypes.data, 0, *array.shape, *steps]
            else:
                words.append(argument)
        if len(words) != len(types):
            raise UsageError(
                f"function '{entry}' takes {len(types)} values after lowering ({', '.join(types)}),"
                f" {len(words)} are given"
            )
        self._words = (ctypes.c_int64 * (len(types) + 1))()
        self.address = ctypes.addressof(self._words)
        for i, (word, type) in enumerate(zip(words, types, strict=True)):
            kind = _NUMBERS.get(type, ctypes.c_int64)
            try:
                kind.from_address(self.address + 8 * i).value = word
            except TypeError:
                raise UsageError(
                    f"function '{entry}', value {i} after lowering: {word!r} is no {type}"
                ) from None

    def result(self) -> int | float | None:
        if self._result_type is None:
            return None
        at = self.address + 8 * (len(self._words) - 1)
        value: int | float = self._result_type.from_address(at).value
        return value


_depth = 0


@contextmanager
def ready() -> Generator[None]:
    """Handlers of faults, installed once for runs inside one another."""
    global _depth
    if _depth:
        yield
        return
    _depth += 1
    try:
        with caught_faults():
            yield
    finally:
        _depth -= 1
