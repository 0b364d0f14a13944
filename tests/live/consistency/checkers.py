# SPDX-License-Identifier: LGPL-2.1-or-later
"""checkers.py: the conditions of a history, by workload. A checker returns the list of violations; empty: the history is correct."""

import bisect
import collections
import copy

import linearize
from group import Group

MOVED_LATER = "moving, one row after the other"  # of such a schema: the old row may still exist in addition to the new one
# If the rows of a tuple are not written atomically, a write with an unknown outcome may have reached some schemas only. Nothing
# completes it but REPAIR, as unfinished writes are not recorded (docs/operations.md, "Several daemons"). This is the only exception:
# a key without such a write has to be the same in all schemas, and once no write is running, no old entry of it may remain.
IF_KNOWN = "if all outcomes are known"


def by_key(operations):
    keys = collections.defaultdict(list)
    for operation in operations:
        keys[operation.key].append(operation)
    return keys.items()


def is_read(operation):
    return operation.f == "read" and operation.type == "ok"


def is_write(operation):
    return operation.f in ("write", "cas") and operation.type != "fail" and operation.result is not False


def written_by(operation):
    return operation.value[1] if operation.f == "cas" else operation.value


def is_unfinished(operations, read):
    """Whether a write of the key had an unknown outcome before the read ended."""
    return any(each.type == "info" and is_write(each) and each.start < read.end for each in operations)


def find_stale(operations, read, values):
    """The values whose overwriting was acknowledged before the read began. Each value is written once.

    Rows of a tuple that are not written as one: an entry goes with the write that replaced it, which may still be under way when the
    next one after it is done."""
    if read.value == IF_KNOWN and any(is_write(each) and each.start < read.end and each.end > read.start for each in operations):
        return
    overwritten = max((each.start for each in operations if is_write(each) and each.end < read.start), default=0)
    for write in operations:
        if is_write(write) and written_by(write) in values and write.type == "ok" and write.end < overwritten:
            yield f"stale: {written_by(write)} was overwritten before: {read}"


def check_secondaries(operations):
    """Of one key: "scan" is a read of a secondary schema in which tuples move, with the values that were found there, of one key;
    "compare" is the rows in each schema, after the last write and without a repair."""
    writes = {written_by(each): each for each in operations if each.f in ("write", "cas")}
    for read in operations:
        if read.f not in ("scan", "compare") or read.type != "ok" or (read.value == IF_KNOWN and is_unfinished(operations, read)):
            continue
        if read.f == "compare":
            if any(rows != read.result[0] for rows in read.result):
                yield f"schemas differ: {read}"
            continue
        for value in read.result:
            if value not in writes or writes[value].start > read.end or not is_write(writes[value]):
                yield f"invented: {read}"
        yield from find_stale(operations, read, read.result)


def check_register(operations):
    """Reads, writes and compare-and-set of a key are linearizable. A read of a secondary schema returns no value that
    was overwritten before it began. In the end all schemas are the same."""
    found = []
    for key, group in by_key(operations):
        reason = linearize.check([each for each in group if each.f not in ("scan", "compare")])
        found += [f"key {key}: {each}" for each in ([reason] if reason is not None else []) + list(check_secondaries(group))]
    return found


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
                yield f"invented: no client had added {element} before it was read at {read.start / 1e9:.6f} s"
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
    """An added element is read from then on. No other element is ever read."""
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
    """A counter is at least the sum that was acknowledged, at most the sum that was begun, and never decreases."""
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
    """All parts of a tuple come from one write, in every schema."""
    return [f"tuple {key}: {reason}" for key, group in by_key(operations)
            for reason in [*check_one_tuple(group), *check_secondaries(group)]]


def of_tuple(operation, value, f=None, result=None):
    """An operation on a group as one on a tuple of it."""
    part = copy.copy(operation)
    part.f, part.value = f or operation.f, value
    part.result = operation.result if f is None else result
    return part


def split_group(operations):
    """(tuple, its operations): a read that did not find it is "miss"."""
    tuples = sorted({each.value[0] for each in operations if each.f in ("write", "cas")})
    for e in tuples:
        parts = []
        for each in operations:
            if each.f in ("write", "cas") and each.value[0] == e:
                parts.append(of_tuple(each, each.value[1] if each.f == "write" else each.value[1:]))
            elif each.f == "verify" and each.type == "ok":
                found = [v for found, _, v in each.result if found == e]
                parts += [of_tuple(each, each.value, "read", v) for v in found] or [of_tuple(each, each.value, "miss")]
        yield e, parts


def check_missed(parts):
    """A tuple is not found although it was there before the read began, and no statement changed it until the read ended."""
    writes = [each for each in parts if is_write(each)]
    for miss in parts:
        if miss.f != "miss" or any(each.start < miss.end and each.end > miss.start for each in writes):
            continue
        before = [each for each in writes if each.end < miss.start]
        begun_last = max((each.start for each in before), default=0)
        last = [each for each in before if each.end > begun_last]  # nothing was begun after one of them
        if last and all(written_by(each) is not None for each in last):
            yield f"missed: {miss} after {last[-1]}"


def check_verified_group(operations, n_places=7):
    tuples = dict(split_group(operations))
    for read in operations:
        if read.f == "compare" and read.type == "ok" and any(rows != read.result[0] for rows in read.result):
            yield f"schemas differ: {read}"
        if read.f != "verify" or read.type != "ok":
            continue
        twice = [e for e, n in collections.Counter(row[0] for row in read.result).items() if n > 1]
        if twice:
            yield f"twice in one answer: {twice}: {read}"
        for e, s, v in read.result:
            if e not in tuples or v % n_places != s:
                yield f"torn or invented: {e}, {s}, {v}: {read}"
    for e, parts in tuples.items():
        reason = linearize.check([each for each in parts if each.f != "miss"])
        yield from ([f"tuple {e}: {reason}"] if reason is not None else []) + [f"tuple {e}: {each}" for each in check_missed(parts)]


def check_verified(operations):
    """What a verified read returns was current during the read. It returns no tuple twice, and each that did not change meanwhile."""
    return [f"group {key}: {reason}" for key, group in by_key(operations) for reason in check_verified_group(group)]


def check_claims(operations):
    """Of one group: a result of "claim" [number, n] is the elements that were claimed; of "compare" the [element, number of its
    claim] in each schema, 0 if it is free."""
    adds = {each.value: each for each in operations if each.f == "add"}
    claims = {each.value[0]: each for each in operations if each.f == "claim"}
    claimed = {}  # element -> the claim that told it
    for claim in claims.values():
        if claim.type != "ok":
            continue
        if len(claim.result) > claim.value[1]:
            yield f"too many: {claim}"
        for element in claim.result:
            if element not in adds or adds[element].start > claim.end or adds[element].type == "fail":
                yield f"invented: {element}: {claim}"
            elif element in claimed:
                yield f"claimed twice: {element}: {claimed[element]}; {claim}"
            claimed[element] = claim
    for read in operations:
        if read.f == "free" and read.type == "ok":
            yield from check_free(read, adds, claimed)
        elif read.f == "compare" and read.type == "ok":
            yield from check_claimed(read, adds, claims, claimed)


def check_free(read, adds, claimed):
    for element in read.result:
        if element not in adds or adds[element].start > read.end:
            yield f"invented: {element}: {read}"
        elif element in claimed and claimed[element].end < read.start:
            yield f"stale: {element} had been claimed before: {read}"


def check_claimed(read, adds, claims, claimed):
    """The tuples at the end."""
    if any(rows != read.result[0] for rows in read.result):
        yield f"schemas differ: {read}"
    found = dict(map(tuple, read.result[0]))
    for element, add in adds.items():
        if add.type == "ok" and element not in found:
            yield f"lost: {add}"
    for element, number in found.items():
        claim = claims.get(number)
        if element not in adds or adds[element].type == "fail":
            yield f"invented: {element}"
        elif number == 0 and element in claimed:
            yield f"lost: {element} is free, but {claimed[element]}"
        elif number != 0 and (claim is None or claim.type == "fail"):
            yield f"a claim that failed is seen: {element}, {number}: {claim}"
        elif number != 0 and claim.type == "ok" and element not in claim.result:
            yield f"claimed without being told: {element}: {claim}"
    free = [adds[element] for element, number in found.items() if number == 0 and element in adds]
    for claim in claims.values():
        if claim.type == "ok" and len(claim.result) < claim.value[1]:
            yield from (f"missed: {claim} after {add}" for add in free if add.type == "ok" and add.end < claim.start)


def check_claim(operations):
    """Each element is claimed once, its client is told, and a claim takes what is free."""
    return [f"group {key}: {reason}" for key, group in by_key(operations) for reason in check_claims(group)]


def check_move(operations):
    """Tuples that get other KEYs are linearizable, all of a group together. In the end all schemas are the same."""
    found = []
    for key, operations_of_group in by_key(operations):
        parts = []
        for each in operations_of_group:
            if each.f == "compare" and each.type == "ok":
                found += [f"group {key}: schemas differ: {each}"] if any(rows != each.result[0] for rows in each.result) else []
                each = of_tuple(each, None, "compare", each.result[0])
            parts.append(each)
        reason = linearize.check(parts, Group)
        found += [f"group {key}: {reason}"] if reason is not None else []
    return found


CHECKERS = {
    "register": check_register,
    "blind": check_register,
    "set": check_set,
    "counter": check_counter,
    "torn": check_torn,
    "upsert": check_torn,
    "verified": check_verified,
    "claim": check_claim,
    "move": check_move,
}
