# SPDX-License-Identifier: LGPL-2.1-or-later
"""checkers.py: what a history has to satisfy, by workload. Each gives a list of what is wrong; an empty one is what we want."""

import bisect
import collections

import linearize

MOVED_LATER = "moving, one row after the other"  # of such a schema: the old place may be there beside the new one


def by_key(operations):
    keys = collections.defaultdict(list)
    for operation in operations:
        keys[operation.key].append(operation)
    return keys.items()


def is_read(operation):
    return operation.f == "read" and operation.type == "ok"


def check_register(operations):
    """Reads, writes and compare-and-set of a key happen one after the other."""
    found = [(key, linearize.check(group)) for key, group in by_key(operations)]
    return [f"key {key}: {reason}" for key, reason in found if reason is not None]


def check_one_set(operations):
    adds = {operation.value: operation for operation in operations if operation.f == "add"}
    acknowledged = [operation for operation in adds.values() if operation.type == "ok"]
    seen = {}  # element -> the first completion of a read that had it
    for read in sorted((each for each in operations if is_read(each)), key=lambda each: each.start):
        elements = set(read.result)
        if len(elements) != len(read.result):
            yield f"twice in one answer: {sorted(each for each, n in collections.Counter(read.result).items() if n > 1)}: {read.start}"
        for element in elements:
            if element not in adds or adds[element].start > read.end:
                yield f"invented: nobody had added {element} before it was read at {read.start / 1e9:.6f} s"
            elif adds[element].type == "fail":
                yield f"invented: the insertion of {element} failed, but it was read at {read.start / 1e9:.6f} s"
        for add in acknowledged:
            if add.end < read.start and add.value not in elements:
                yield f"lost: {add}, is missing in a read at {read.start / 1e9:.6f} s"
        for element, moment in seen.items():
            if moment < read.start and element not in elements:
                yield f"lost: {element} had been read before {moment / 1e9:.6f} s, is missing at {read.start / 1e9:.6f} s"
        for element in elements:
            seen[element] = min(seen.get(element, read.end), read.end)


def check_set(operations):
    """What was added is there from then on; nothing else ever is."""
    return [f"set {key}: {reason}" for key, group in by_key(operations) for reason in check_one_set(group)]


def check_one_counter(operations):
    adds = [operation for operation in operations if operation.f == "add"]
    acknowledged = sorted(operation.end for operation in adds if operation.type == "ok")
    begun = sorted(operation.start for operation in adds if operation.type != "fail")
    reads = [each for each in operations if is_read(each)]
    completed = []  # (completion, largest value up to then), ascending
    for read in sorted(reads, key=lambda each: each.end):
        completed.append((read.end, max(read.result, completed[-1][1] if completed else 0)))
    for read in reads:
        low, high = bisect.bisect_left(acknowledged, read.start), bisect.bisect_right(begun, read.end)
        if not low <= read.result <= high:
            yield (f"{read.result} is too {'low' if read.result < low else 'high'}: {low} were acknowledged before, {high} begun: {read}")
        before = bisect.bisect_left(completed, (read.start,)) - 1
        if before >= 0 and read.result < completed[before][1]:
            yield f"went back: {completed[before][1]} had been read before: {read}"


def check_counter(operations):
    """A counter is no less than what was acknowledged, no more than what was begun, and never goes back."""
    return [f"counter {key}: {reason}" for key, group in by_key(operations) for reason in check_one_counter(group)]


def check_one_tuple(operations):
    """A read's result is a list of rows, each the values of a tuple's parts; "what" of a read is the schema."""
    writes = {operation.value: operation for operation in operations if operation.f == "write"}
    for read in operations:
        if not is_read(read):
            continue
        if len(read.result) > 1 and read.value != MOVED_LATER:
            yield f"there twice: {read}"
        for row in read.result:
            if len(set(row)) != 1:
                yield f"torn: {read}"
            elif row[0] not in writes or writes[row[0]].start > read.end:
                yield f"invented: {read}"
            elif writes[row[0]].type == "fail":
                yield f"a write that failed is seen: {read}"


def check_torn(operations):
    """All parts of a tuple are of one write, through whatever schema it is read."""
    return [f"tuple {key}: {reason}" for key, group in by_key(operations) for reason in check_one_tuple(group)]


CHECKERS = {
    "register": check_register,
    "set": check_set,
    "counter": check_counter,
    "torn": check_torn,
}
