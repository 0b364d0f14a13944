# SPDX-License-Identifier: LGPL-2.1-or-later
"""group.py: the model of a group of tuples whose KEY changes, for linearize.py.

The operations: "insert" [key, value], if there is no tuple; "delete" key; "move" [key, other]. The result is whether the statement
changed something; of a move also OCCUPIED: there is a tuple at the other key. "compare" tells all tuples, [key, value] each.
"""

OCCUPIED = "occupied"


def outcome(tuples, operation):
    """What the operation tells with these tuples, and the tuples after it."""
    f, value, after = operation.f, operation.value, dict(tuples)
    if f == "compare":
        return sorted(tuples.items()), after
    if f == "insert":
        after.setdefault(*value)
    elif f == "delete":
        after.pop(value, None)
    elif value[0] in tuples and value[1] in tuples:
        return OCCUPIED, after
    elif value[0] in tuples:
        after[value[1]] = after.pop(value[0])
    return after != tuples, after


class Group:
    """The model; a state is the set of its (key, value)."""

    initial = frozenset()

    @staticmethod
    def step(state, operation):
        told, after = outcome(dict(state), operation)
        if operation.type == "info":
            return told is True, frozenset(after.items())
        expected = sorted(tuple(each) for each in operation.result) if operation.f == "compare" else operation.result
        return told == expected, frozenset(after.items())

    @staticmethod
    def only_looks(operation):
        return operation.type == "ok" and operation.result is not True

    @staticmethod
    def needs(_operation, _state):
        return True
