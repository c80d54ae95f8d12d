# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Any legal order: operations are queued, and a policy picks which one runs when.

Everything happens in one thread, so a policy replays exactly. After each step of the host (an
operation submitted, a wait ended) the policy may run operations that are ready; where the host
waits, it must, until what the host waits for is done. What nobody waits for runs when the
program ends.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable

from xgpu.host_device.device.operations import Operation, Order, Stream
from xgpu.host_device.device.policies import Policy
from xgpu.host_device.device.spin_waits import foreign_threads

# So many operations wait at most: then some run, as a full queue would make them.
CAPACITY = 4096

#: What the host did: ("run", number of an operation, numbers that it comes after), ("wait", 0,
#: numbers that the host waited for), or ("all", 0, whatever): it waited for everything.
Step = tuple[str, int, tuple[int, ...]]


class Exploration(Order):
    """Runs operations in the order that `policy` likes. `order` lists the numbers of those that
    ran, each with the number of steps that the host had made; `script` is what the host did.
    """

    parallel = False

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.order: list[tuple[int, int]] = []
        self.script: list[Step] = []
        self.operations: list[Operation] = []
        self.keep_script = True
        self._ready: list[Operation] = []
        self._missing: dict[Operation, int] = {}
        self._followers: dict[Operation, list[Operation]] = {}
        self._lock = threading.RLock()
        self._steps = 0

    # -- what the device asks for

    def submit(self, operation: Operation, stream: Stream | None) -> None:
        with self._lock:
            if self.keep_script:
                self._note("run", operation.number, operation.after)
                self.operations.append(operation)
            self._steps += 1
            before = [o for o in operation.after if not o.done]
            self._missing[operation] = len(before)
            for other in before:
                self._followers.setdefault(other, []).append(operation)
            if not before:
                self._ready.append(operation)
            if self.policy.arrive(operation.number):
                self._force((operation,))
            self._idle()
            while len(self._missing) > CAPACITY:
                self._run(self.policy.pick(self._ready))

    def give_up(self, operation: Operation, stream: Stream | None) -> None:
        operation.action = None
        with self._lock:
            if not operation.done and operation not in self._missing:
                self.submit(operation, stream)

    def wait(self, operations: Iterable[Operation]) -> None:
        with self._lock:
            self._wait("wait", tuple(operations))

    def wait_all(self) -> None:
        with self._lock:
            self._wait("all", tuple(self._missing))

    def _wait(self, what: str, operations: tuple[Operation, ...]) -> None:
        if self.keep_script:
            self._note(what, 0, operations)
        self._steps += 1  # the host may have done something since its last step
        self._force(operations)
        self._steps += 1
        self._idle()

    def _note(self, what: str, number: int, operations: tuple[Operation, ...]) -> None:
        self.script.append((what, number, tuple(o.number for o in operations)))
        if len(self.script) > CAPACITY:
            self.keep_script = False
            self.operations.clear()

    def is_quiet(self, thread: int) -> bool:
        return not foreign_threads()  # one thread does everything

    # -- running

    def _idle(self) -> None:
        """The host has made a step: what the policy wants to run now."""
        while self._ready:
            chosen = self.policy.choose(self._ready)
            if chosen is None:
                return
            self._run(chosen)

    def _force(self, wanted: tuple[Operation, ...]) -> None:
        """Run until `wanted` are done: what they need, and what the policy wants besides."""
        needed = {o for o in wanted if not o.done}
        work = list(needed)
        while work:
            for other in work.pop().after:
                if not other.done and other not in needed:
                    needed.add(other)
                    work.append(other)
        while needed:
            ready = self._ready if self.policy.wide else [o for o in self._ready if o in needed]
            chosen = self.policy.pick(ready)
            self._run(chosen)
            needed.discard(chosen)

    def _run(self, operation: Operation) -> None:
        self._ready.remove(operation)
        self.order.append((operation.number, self._steps))
        try:
            operation.run()
        finally:
            self.policy.ran(operation.number)
            del self._missing[operation]
            for follower in self._followers.pop(operation, ()):
                self._missing[follower] -= 1
                if not self._missing[follower]:
                    self._ready.append(follower)
