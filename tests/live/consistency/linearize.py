# SPDX-License-Identifier: LGPL-2.1-or-later
"""linearize.py: checks whether the operations on one register are linearizable: whether each can have happened at a moment between its
invocation and its completion. Another model (group.py) in place of the register has other operations and states.

The search is that of Wing and Gong with Lowe's improvements: it processes events in order, and puts an operation into the sequence as late
as possible, at its completion. The state is a set of configurations: the state of the model, such as the register's value, and which of the open operations have happened.
Three rules keep the set small:

- no configuration is visited twice;
- an open operation that only reads, and fits the value, is put into the sequence at once: that excludes nothing later;
- of two configurations that differ only in operations of unknown outcome that have happened, the one with fewer of them is enough;
- such an operation is put into the sequence only right before one that needs its value.
"""

MOST_CONFIGURATIONS = 500_000
ABSENT = None


class Undecided(Exception):
    """The number of configurations exceeds the limit."""


class Register:
    """A model: what the operations do, and what they tell."""

    initial = ABSENT

    @staticmethod
    def step(state, operation):
        """(whether the operation can be applied now, the value after it)"""
        f, value, told = operation.f, operation.value, operation.result
        if f == "read":
            return state == told, state
        if f == "write":
            return True, value
        # cas: [old, new]. An operation with an unknown outcome that was not applied need not be in the sequence.
        old, new = value
        if operation.type == "info":
            return state == old, new
        return (state == old) == told, new if told else state

    @staticmethod
    def only_looks(operation):
        return operation.f == "read" or operation.f == "cas" and operation.result is False

    @staticmethod
    def needs(operation, state):
        """Whether an operation that changes the value does so only from this one."""
        return operation.f == "cas" and operation.value[0] == state


def may_have_happened(operation):
    return operation.type == "ok" or operation.type == "info" and operation.f != "read"


class Configurations:
    """A set of (value, open operations of known outcome that happened, those of unknown outcome): only the smallest of the last."""

    def __init__(self):
        self.sets = {}

    def add(self, state, known, unknown):
        """False: the set has one that covers it."""
        others = self.sets.setdefault((state, known), [])
        if any(other <= unknown for other in others):
            return False
        others[:] = [other for other in others if not unknown <= other]
        others.append(unknown)
        return True

    def __iter__(self):
        for (state, known), others in self.sets.items():
            for unknown in others:
                yield state, known, unknown

    def states(self):
        return sorted({state for state, _ in self.sets}, key=repr)


class Search:
    """The operations on one register, or on what another model describes."""

    def __init__(self, operations, model):
        self.model = model
        self.operations = [each for each in operations if may_have_happened(each)]
        self.open = set()
        self.now = Configurations()
        self.now.add(model.initial, frozenset(), frozenset())
        self.n_seen = 0

    def looks(self, index, state):
        operation = self.operations[index]
        return self.model.only_looks(operation) and self.model.step(state, operation)[0]

    def absorb(self, state, known, unknown):
        """Applies operations that fit and do not change the value."""
        fits = [index for index in self.open - known if self.looks(index, state)]
        return state, known.union(fits), unknown

    def is_of_use(self, before, following):
        """Whether a later operation reads the value that an operation of unknown outcome wrote. @before: the known ones that had happened."""
        state, known, _ = following
        return known != before or any(self.model.needs(self.operations[index], state) for index in self.open - known)

    def begin(self, index):
        self.open.add(index)
        found = Configurations()
        for configuration in self.now:
            found.add(*self.absorb(*configuration))
        self.now = found

    def complete(self, index):
        """Keeps the configurations in which the operation has happened, or can happen now, possibly after other open ones."""
        found, seen, left = Configurations(), Configurations(), list(self.now)
        while left:
            state, known, unknown = left.pop()
            if index in known:
                found.add(state, known - {index}, unknown)
                continue
            for other in self.open - known - unknown:
                fits, after = self.model.step(state, self.operations[other])
                if not fits:
                    continue
                is_known = self.operations[other].type == "ok"
                following = self.absorb(after, known | {other} if is_known else known, unknown if is_known else unknown | {other})
                if (is_known or self.is_of_use(known, following)) and seen.add(*following):
                    self.n_seen += 1
                    left.append(following)
            if self.n_seen > MOST_CONFIGURATIONS:
                raise Undecided
        self.open.discard(index)
        self.now = found
        return bool(found.sets)

    def run(self):
        """None, or the operation that fits into no sequence, and the values that were possible before it."""
        events = []
        for index, operation in enumerate(self.operations):
            events.append((operation.start, 0, index))
            if operation.type == "ok":
                events.append((operation.end, 1, index))
        for _, is_completion, index in sorted(events):
            if not is_completion:
                self.begin(index)
                continue
            before = self.now.states()
            if not self.complete(index):
                return self.operations[index], before
        return None


def check(operations, model=Register):
    """None, or a description of the violation."""
    try:
        failure = Search(operations, model).run()
    except Undecided:
        return f"not decided with {MOST_CONFIGURATIONS} configurations"
    if failure is None:
        return None
    operation, before = failure
    return f"not linearizable: {operation}; possible values just before its completion: {before}"
