# SPDX-License-Identifier: LGPL-2.1-or-later
"""workloads.py: the operations of clients. A workload chooses the next operation, runs it, and reads the final state.

Each has `define (client)`, `next (random)` -> (f, key, value) and `carry_out (client, f, key, value)` -> the result of the completion.
Relations and tables begin with a prefix of the run, so that runs can share a store.
"""

import itertools
import threading

from checkers import IF_KNOWN, MOVED_LATER
from group import OCCUPIED

# pylint: disable-next=import-error,wrong-import-order
from kvsql.ttypes import SqlError

DUPLICATE_KEY = "23505"


class Refused(Exception):
    """The statement succeeded and reports that it changed nothing: the operation did not happen."""


class Keys:
    """A few keys at a time, each for a limited number of operations, so that the history of a key stays small."""

    def __init__(self, n_active, n_operations):
        self.lock = threading.Lock()
        self.numbers = itertools.count()
        self.n_operations = n_operations
        self.used = {self.make(): 0 for _ in range(n_active)}
        self.retired = []

    def make(self):
        return f"k{next(self.numbers)}"

    def pick(self, random):
        with self.lock:
            key = random.choice(list(self.used))
            self.used[key] += 1
            if self.used[key] >= self.n_operations:
                del self.used[key]
                self.retired.append(key)
                self.used[self.make()] = 0
            return key

    def all(self):
        with self.lock:
            return self.retired + list(self.used)


class Workload:
    """The common base of workloads."""

    n_active, n_operations = 4, 200
    needs_checked = False  # on a store that does not write a tuple's schemas as one

    def __init__(self, prefix, is_atomic, writes="plain"):
        self.relation = f"{prefix}_{type(self).__name__.lower()}"
        self.tables = []
        self.is_atomic = is_atomic  # a tuple's schemas are written as one
        self.is_checked = writes == "checked"
        self.keys = Keys(self.n_active, self.n_operations)
        self.numbers = itertools.count(1)

    def define_relation(self, client, name, attributes, careful="checked"):
        """@careful: how the relation is written, unless all are written plainly."""
        client.query(f"DEFINE RELATION {name} {{ {attributes} }} WITH (writes = {careful if self.is_checked else 'plain'})")

    def schema(self, client, name, text, is_primary=False):
        self.tables.append(f"{self.relation}_{name}")
        client.query(f"DEFINE {'PRIMARY ' if is_primary else ''}SCHEMA {self.relation}_{name} FOR {self.relation} "
                     f"{{ TABLE '{self.relation}_{name}', FAMILY 'f', {text} }}")

    @property
    def certainty(self):
        return "all" if self.is_atomic or self.is_checked else IF_KNOWN

    def last_reads(self):
        """Reads every key after the end of the faults. Nothing is repaired before."""
        return [("read", key, None) for key in self.keys.all()]

    def mend(self, client):
        """Repairs the schemas if a daemon may have died."""

    def reads_of_mended(self):
        return []

    def compare(self, certainty):
        return [("compare", key, certainty) for key in self.keys.all()]

    def read_all(self, client, key, schemas, attributes):
        """The rows of a key in each schema."""
        return [sorted(client.rows(f"SELECT {attributes} FROM {self.relation} USING SCHEMA {self.relation}_{schema} "
                                   f"WHERE k = '{key}'")) for schema in schemas]

    def read_all_of_group(self, client, group, schemas, attributes):
        """The same for the tuples of a group."""
        return [sorted(client.rows(f"SELECT {attributes} FROM {self.relation} USING SCHEMA {self.relation}_{schema} "
                                   f"WHERE g = '{group}'")) for schema in schemas]

    def repair(self, client, schemas):
        """Repairs schemas in stores that do not write the rows of a tuple atomically: a daemon may die between two rows."""
        for schema in () if self.is_atomic or self.is_checked else schemas:
            # all pages: a page ends after a second, perhaps before the schema's own cells are looked at
            client.rows(f"REPAIR SCHEMA {self.relation}_{schema}", timeoutMs=60000)


class Register(Workload):
    """Writes, deletions, reads, UPDATE of a key that exists, INSERT of one that does not."""

    def define(self, client):
        self.define_relation(client, self.relation, "k STRING KEY, v INT")
        self.schema(client, "p", "ROW k, VALUE ordered{v}", is_primary=True)
        self.schema(client, "s", "ROW ordered{v}:k, VALUE ''")

    def next(self, random):
        key, kind, new = self.keys.pick(random), random.random(), next(self.numbers)
        if kind < 0.3:
            return "read", key, None
        if kind < 0.4:
            return "scan", key, self.certainty
        if kind < 0.6:
            return "write", key, new
        if kind < 0.65:
            return "write", key, None
        if kind < 0.75:
            return "cas", key, [None, new]
        return "cas", key, [max(1, new - random.randrange(1, 30)), new]

    def last_reads(self):
        return super().last_reads() + self.compare(self.certainty)

    def mend(self, client):
        self.repair(client, ["s"])

    def reads_of_mended(self):
        return self.compare("all")

    def carry_out(self, client, f, key, value):
        if f == "compare":
            return self.read_all(client, key, ("p", "s"), "v")
        if f == "scan":
            return [row[0] for row in client.rows(f"SELECT v FROM {self.relation} USING SCHEMA {self.relation}_s WHERE k = '{key}'")]
        if f == "read":
            found = client.rows(f"SELECT v FROM {self.relation} USING SCHEMA {self.relation}_p WHERE k = '{key}'")
            return found[0][0] if found else None
        if f == "write" and value is None:
            client.query(f"DELETE FROM {self.relation} WHERE k = '{key}'")
            return None
        if f == "write":
            client.query(f"INSERT INTO {self.relation} VALUES ('{key}', {value})")
            return None
        old, new = value
        if old is None:
            return client.query(f"INSERT INTO {self.relation} VALUES ('{key}', {new}) ON CONFLICT DO NOTHING").affected == 1
        return client.query(f"UPDATE {self.relation} SET v = {new} WHERE k = '{key}' AND v = {old}").affected == 1


class Blind(Register):
    """Writes of whole tuples, and deletions, in schemas that the key alone locates."""

    needs_checked = True

    def define(self, client):
        self.define_relation(client, self.relation, "k STRING KEY, v INT", careful="blind")
        self.schema(client, "p", "ROW k, VALUE ordered{v}", is_primary=True)
        self.schema(client, "s", "ROW 's':k, VALUE ordered{v}")

    def next(self, random):
        key, kind, new = self.keys.pick(random), random.random(), next(self.numbers)
        if kind < 0.5:
            return "read", key, None
        return "write", key, new if kind < 0.9 else None


class Set(Workload):
    """Insertions, and reads of all tuples."""

    n_active, n_operations = 2, 250

    def define(self, client):
        self.define_relation(client, self.relation, "s STRING KEY, e INT KEY")
        self.schema(client, "p", "ROW suffix('/'){s}:ordered{e}, VALUE ''", is_primary=True)

    def next(self, random):
        key = self.keys.pick(random)
        return ("read", key, None) if random.random() < 0.2 else ("add", key, next(self.numbers))

    def carry_out(self, client, f, key, value):
        if f == "read":
            return [row[0] for row in client.rows(f"SELECT e FROM {self.relation} WHERE s = '{key}'")]
        client.query(f"INSERT INTO {self.relation} VALUES ('{key}', {value})")
        return None


class Counter(Workload):
    """n = n + 1, in a cell that the store increments, and in one that kvsqld reads and writes."""

    n_operations = 1000

    def define(self, client):
        self.define_relation(client, self.relation, "k STRING KEY, n BIGINT")
        self.schema(client, "p", "ROW k, QUALIFIER 'n', VALUE n", is_primary=True)
        packed = f"{self.relation}_packed"
        self.define_relation(client, packed, "k STRING KEY, n BIGINT, other STRING")
        client.query(f"DEFINE PRIMARY SCHEMA {packed}_p FOR {packed} {{ TABLE '{packed}', FAMILY 'f', ROW k, VALUE ordered{{n}}:other }}")

    def relation_of(self, key):
        return self.relation if int(key[1:]) % 2 else f"{self.relation}_packed"

    def next(self, random):
        return ("read" if random.random() < 0.4 else "add"), self.keys.pick(random), None

    def carry_out(self, client, f, key, value):
        relation = self.relation_of(key)
        if f == "read":
            found = client.rows(f"SELECT n FROM {relation} WHERE k = '{key}'")
            return found[0][0] if found else 0
        if client.query(f"UPDATE {relation} SET n = n + 1 WHERE k = '{key}'").affected == 1:
            return None
        # The counter does not exist yet: the first client to insert it counts as one, and the others add to it.
        values = f"'{key}', 1" if relation == self.relation else f"'{key}', 1, 'x'"
        if client.query(f"INSERT INTO {relation} VALUES ({values}) ON CONFLICT DO UPDATE SET n = {relation}.n + 1").affected == 1:
            return None
        raise Refused


PARTS = ("a", "b", "c", "d", "e")


class Torn(Workload):
    """A tuple of five parts that always have one value, in five cells, in one, and in a row that moves with the value."""

    schemas = ("five", "packed", "moving")

    def define(self, client):
        parts = ", ".join(f"{part} INT" for part in PARTS)
        self.define_relation(client, self.relation, f"k STRING KEY, {parts}")
        self.schema(client, "five", "ROW k, QUALIFIER attr_name['k'], VALUE attr_value['k']", is_primary=True)
        packed = ":".join(f"ordered{{{part}}}" for part in PARTS)
        self.schema(client, "packed", f"ROW k, VALUE {packed}")
        self.schema(client, "moving", "ROW ordered{a}:k, QUALIFIER attr_name['a', 'k'], VALUE attr_value['a', 'k']")

    def next(self, random):
        key, kind = self.keys.pick(random), random.random()
        if kind < 0.4:
            return "read", key, random.choice(("five", "packed", "moving" if self.is_atomic else MOVED_LATER))
        if kind < 0.5:
            return "scan", key, self.certainty
        return "write", key, next(self.numbers)

    def carry_out(self, client, f, key, value):
        if f == "compare":
            return self.read_all(client, key, self.schemas, ", ".join(PARTS))
        if f == "scan":
            return [row[0] for row in client.rows(f"SELECT a FROM {self.relation} USING SCHEMA {self.relation}_moving "
                                                  f"WHERE k = '{key}'")]
        if f == "read":
            schema = "moving" if value == MOVED_LATER else value
            return client.rows(f"SELECT {', '.join(PARTS)} FROM {self.relation} USING SCHEMA {self.relation}_{schema} "
                               f"WHERE k = '{key}'")
        if value % 2:
            parts = ", ".join([str(value)] * len(PARTS))
            # every second one is a load: more tuples than have an anchor replaced each, next to new keys
            keys = [key] + [f"{key}-{value}-{i}" for i in range(8 if self.is_checked and value % 4 == 1 else 0)]
            tuples = ", ".join(f"('{each}', {parts})" for each in keys)
            client.query(f"INSERT INTO {self.relation} VALUES {tuples}")
        elif client.query(f"UPDATE {self.relation} SET {', '.join(f'{part} = {value}' for part in PARTS)} "
                          f"WHERE k = '{key}'").affected == 0:
            raise Refused
        return None

    def last_reads(self):
        return self.compare(self.certainty)

    def mend(self, client):
        self.repair(client, self.schemas[1:])

    def reads_of_mended(self):
        return [("read", key, schema) for key in self.keys.all() for schema in self.schemas] + self.compare("all")


class Upsert(Torn):
    """The same with cell keys that depend on the KEY only, so that nothing is read before a write: only timestamps decide
    which of two writes at the same time stays. All clients write one key, and soon the next: what is compared in the end is the
    last write of each."""

    n_active, n_operations = 1, 10
    schemas = ("five", "packed", "other")

    def define(self, client):
        parts = ", ".join(f"{part} INT" for part in PARTS)
        self.define_relation(client, self.relation, f"k STRING KEY, {parts}")
        self.schema(client, "five", "ROW k, QUALIFIER attr_name['k'], VALUE attr_value['k']", is_primary=True)
        self.schema(client, "packed", f"ROW k, VALUE {':'.join(f'ordered{{{part}}}' for part in PARTS)}")
        self.schema(client, "other", "ROW 'x':k, QUALIFIER attr_name['k'], VALUE attr_value['k']")

    def next(self, random):
        key = self.keys.pick(random)
        return ("read", key, random.choice(self.schemas)) if random.random() < 0.1 else ("write", key, next(self.numbers))

    def carry_out(self, client, f, key, value):
        if f == "write":
            client.query(f"INSERT INTO {self.relation} VALUES ('{key}', {', '.join([str(value)] * len(PARTS))})")
            return None
        return super().carry_out(client, f, key, value)


class Verified(Workload):
    """Tuples of a group change their place in two schemas, one of which lacks an attribute. Verified reads of the whole group see
    each of them as it was at some moment."""

    n_active, n_operations = 2, 300
    needs_checked = True
    schemas = ("p", "moving", "entries")
    n_tuples, n_places = 5, 7

    def define(self, client):
        self.define_relation(client, self.relation, "g STRING KEY, e INT KEY, s INT, v INT")
        self.schema(client, "p", "ROW suffix('/'){g}:ordered{e}, VALUE ordered{s}:ordered{v}", is_primary=True)
        self.schema(client, "moving", "ROW suffix('/'){g}:ordered{s}:ordered{e}, VALUE ordered{v}")
        self.schema(client, "entries", "ROW suffix('/'){g}:ordered{s}:ordered{e}, VALUE ''")

    def next(self, random):
        key, kind, new, e = self.keys.pick(random), random.random(), next(self.numbers), random.randrange(self.n_tuples)
        if kind < 0.4:
            return "verify", key, random.choice(self.schemas)
        if kind < 0.7:
            return "write", key, [e, new]
        if kind < 0.75:
            return "write", key, [e, None]
        return "cas", key, [e, max(1, new - random.randrange(1, 30)), new]

    def last_reads(self):
        return [("verify", key, schema) for key in self.keys.all() for schema in self.schemas] + self.compare("all")

    def carry_out(self, client, f, key, value):
        if f == "compare":
            return self.read_all_of_group(client, key, self.schemas, "e, s, v")
        if f == "verify":
            return client.rows(f"SELECT e, s, v FROM {self.relation} USING SCHEMA {self.relation}_{value} WHERE g = '{key}' WITH VERIFIED")
        if f == "write":
            e, new = value
            if new is None:
                client.query(f"DELETE FROM {self.relation} WHERE g = '{key}' AND e = {e}")
            else:
                client.query(f"INSERT INTO {self.relation} VALUES ('{key}', {e}, {new % self.n_places}, {new})")
            return None
        e, old, new = value
        return client.query(f"UPDATE {self.relation} SET v = {new}, s = {new % self.n_places} "
                            f"WHERE g = '{key}' AND e = {e} AND v = {old}").affected == 1


class Claim(Workload):
    """Clients add elements, and claim some that are free. An entry of the second schema moves when its element is claimed."""

    n_active, n_operations = 2, 250
    needs_checked = True
    schemas = ("p", "s")

    def define(self, client):
        self.define_relation(client, self.relation, "g STRING KEY, e INT KEY, c INT")
        self.schema(client, "p", "ROW suffix('/'){g}:ordered{e}, VALUE ordered{c}", is_primary=True)
        self.schema(client, "s", "ROW suffix('/'){g}:ordered{c}:ordered{e}, VALUE ''")

    def next(self, random):
        key, kind, new = self.keys.pick(random), random.random(), next(self.numbers)
        if kind < 0.5:
            return "add", key, new
        return ("claim", key, [new, random.randrange(1, 4)]) if kind < 0.9 else ("free", key, None)

    def last_reads(self):
        return self.compare("all")

    def carry_out(self, client, f, key, value):
        if f == "compare":
            return self.read_all_of_group(client, key, self.schemas, "e, c")
        if f == "free":
            return [row[0] for row in client.rows(f"SELECT e FROM {self.relation} WHERE g = '{key}' AND c = 0")]
        if f == "claim":
            number, n = value
            return [row[0] for row in client.rows(f"UPDATE {self.relation} SET c = {number} WHERE g = '{key}' AND c = 0 LIMIT {n} "
                                                  "RETURNING e")]
        client.query(f"INSERT INTO {self.relation} VALUES ('{key}', {value}, 0)")
        return None


class Move(Workload):
    """Tuples of a group get other KEYs. A second schema has them by their value."""

    n_active, n_operations = 3, 60
    needs_checked = True
    schemas = ("p", "s")
    n_places = 4

    def define(self, client):
        self.define_relation(client, self.relation, "g STRING KEY, e INT KEY, v INT")
        self.schema(client, "p", "ROW suffix('/'){g}:ordered{e}, VALUE ordered{v}", is_primary=True)
        self.schema(client, "s", "ROW suffix('/'){g}:ordered{v}:ordered{e}, VALUE ''")

    def next(self, random):
        key, kind, places = self.keys.pick(random), random.random(), random.sample(range(self.n_places), 2)
        if kind < 0.3:
            return "insert", key, [places[0], next(self.numbers)]
        return ("delete", key, places[0]) if kind < 0.4 else ("move", key, places)

    def last_reads(self):
        return self.compare("all")

    def carry_out(self, client, f, key, value):
        if f == "compare":
            return self.read_all_of_group(client, key, self.schemas, "e, v")
        if f == "insert":
            e, v = value
            return client.query(f"INSERT INTO {self.relation} VALUES ('{key}', {e}, {v}) ON CONFLICT DO NOTHING").affected == 1
        if f == "delete":
            return client.query(f"DELETE FROM {self.relation} WHERE g = '{key}' AND e = {value}").affected == 1
        try:
            return client.query(f"UPDATE {self.relation} SET e = {value[1]} WHERE g = '{key}' AND e = {value[0]}").affected == 1
        except SqlError as error:
            if error.sqlstate != DUPLICATE_KEY:
                raise
            return OCCUPIED


WORKLOADS = {
    "register": Register,
    "blind": Blind,
    "set": Set,
    "counter": Counter,
    "torn": Torn,
    "upsert": Upsert,
    "verified": Verified,
    "claim": Claim,
    "move": Move,
}


def names(needs_checked):
    """Those that need checked writes on HBase, or those that do not."""
    return [name for name, workload in WORKLOADS.items() if workload.needs_checked == needs_checked]
