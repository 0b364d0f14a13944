#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The checkers, with histories whose verdict is known: each wrong one is rejected for its reason, each right one accepted.

histories/*.jsonl are written by hand. In addition, random small histories are compared with a search that tries every order.
"""

import itertools
import pathlib
import random
import sys
import time

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "python")]
import support  # noqa: E402 pylint: disable=wrong-import-position
from checkers import CHECKERS  # noqa: E402 pylint: disable=wrong-import-position
from history import FOR_EVER, Operation, load  # noqa: E402 pylint: disable=wrong-import-position
from linearize import Register, check, may_have_happened  # noqa: E402 pylint: disable=wrong-import-position

RANDOM_HISTORIES = 3000


def check_known(path):
    run, operations = load(path)
    reasons = CHECKERS[run["workload"]](operations)
    if run["is_good"]:
        support.equal(reasons, [])
    else:
        assert any(run["reason"] in reason for reason in reasons), (run["about"], reasons)


def is_in_order(sequence):
    """No operation is ordered before one that was completed before it began."""
    return all(sequence[later].end >= sequence[earlier].start
               for earlier, later in itertools.combinations(range(len(sequence)), 2))


def is_legal(sequence):
    state = None
    for operation in sequence:
        fits, state = Register.step(state, operation)
        if not fits:
            return False
    return True


def try_every_order(operations):
    known = [each for each in operations if each.type == "ok"]
    unknown = [each for each in operations if each.type == "info" and may_have_happened(each)]
    for count in range(len(unknown) + 1):
        for some in itertools.combinations(unknown, count):
            for sequence in itertools.permutations(known + list(some)):
                if is_in_order(sequence) and is_legal(sequence):
                    return True
    return False


def random_operation(generator, process):
    f = generator.choice(["read", "read", "write", "cas"])
    start = generator.randrange(20)
    kind = generator.choice(["ok", "ok", "ok", "ok", "info", "fail"])
    value = {"read": None, "write": generator.randrange(2), "cas": [generator.choice([None, 0, 1]), generator.randrange(2)]}[f]
    operation = Operation({"process": process, "f": f, "key": "x", "value": value, "time": start})
    told = {"read": generator.choice([None, 0, 1]), "write": None, "cas": generator.choice([True, False])}[f]
    operation.complete({"type": kind, "value": told if kind == "ok" else None, "time": start + 1 + generator.randrange(12)})
    return operation


def check_random():
    """The search agrees with a search that tries every order."""
    generator = random.Random(support.seed())
    n_good = 0
    for _ in range(RANDOM_HISTORIES):
        operations = [random_operation(generator, process) for process in range(generator.randrange(1, 7))]
        expected = try_every_order(operations)
        found = check(operations)
        assert (found is None) == expected, (found, [str(each) for each in operations])
        n_good += expected
    assert RANDOM_HISTORIES // 10 < n_good < RANDOM_HISTORIES * 9 // 10, n_good


def long_history(n_clients, n_rounds):
    """A correct history: clients write at the same time, one outcome in ten is unknown, and each round ends with a read."""
    operations = []
    for number in range(n_rounds):
        base = number * 100
        for client in range(n_clients):
            value = number * n_clients + client
            write = Operation({"process": client, "f": "write", "key": "x", "value": value, "time": base + client})
            write.complete({"type": "info" if value % 10 == 9 else "ok", "time": base + 50 + client})
            operations.append(write)
        read = Operation({"process": n_clients, "f": "read", "key": "x", "time": base + 80})
        read.complete({"type": "ok", "value": number * n_clients, "time": base + 90})
        operations.append(read)
    return operations


def check_long():
    """The history of a run is checked in seconds: 8 clients at once, 30 unknown outcomes that stay open for ever."""
    begin = time.process_time()
    operations = long_history(8, 40)
    assert sum(each.end == FOR_EVER for each in operations) > 30
    support.equal(check(operations), None)
    wrong = long_history(8, 40)
    wrong[-1].result = wrong[0].value
    assert "not linearizable" in check(wrong)
    assert time.process_time() - begin < 60


def main():
    known = sorted((FOLDER / "histories").glob("*.jsonl"))
    return support.run([(f"/checker/{path.stem}", lambda path=path: check_known(path)) for path in known] + [
        ("/checker/agrees-with-every-order", check_random), ("/checker/long-histories", check_long)])


if __name__ == "__main__":
    sys.exit(main())
