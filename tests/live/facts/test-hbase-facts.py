#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the writes of kvsqld expect of HBase (docs/hbase.md, "What writes rely on"), seen on HBase without kvsqld.

A version of HBase that breaks one of these tests needs another way to write.
"""

import itertools
import os
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

if not os.environ.get("KVSQL_TEST_HBASE_URL") or not os.environ.get("KVSQL_TEST_HBASE_DIR"):
    support.skip_all("KVSQL_TEST_HBASE_URL and KVSQL_TEST_HBASE_DIR are not set; see CONTRIBUTING.md")
import thrift2  # noqa: E402 pylint: disable=wrong-import-position
from admin import Admin  # noqa: E402 pylint: disable=wrong-import-position

# pylint: disable=import-error,wrong-import-position
from hbase.ttypes import (TColumn, TColumnValue, TCompareOp, TDelete, TDeleteType, TGet, TMutation, TPut,
                          TRowMutations)

URL = os.environ["KVSQL_TEST_HBASE_URL"]
TABLE = b"fact"
FAMILY = b"f"
HOUR_MS = 3600 * 1000
GRACE = {"hbase.hstore.time.to.purge.deletes": str(HOUR_MS)}
SECONDS = float(os.environ.get("KVSQL_TEST_SECONDS", "3"))
N_READERS = 2
MAX_IDLE_S = 20


def now_ms():
    return int(time.time() * 1000)


def value(qualifier, content, timestamp):
    return TColumnValue(family=FAMILY, qualifier=qualifier, value=content, timestamp=timestamp)


class Facts:
    def __init__(self):
        self.connection = None
        self.used = 0
        self.admin = Admin(os.environ["KVSQL_TEST_HBASE_DIR"])

    @property
    def hbase(self):
        """A gateway closes a connection that has waited for a minute, and a command of the admin can take that long."""
        now = time.monotonic()
        if self.connection is None or now > self.used + MAX_IDLE_S:
            self.connection = thrift2.HBase(URL)
        self.used = now
        return self.connection

    def stop(self):
        self.admin.stop()
        self.hbase.drop_table(TABLE)

    def table(self, configuration=None):
        """An empty table, in which one cell remains: a region without cells has no files."""
        self.hbase.drop_table(TABLE)
        self.hbase.make_table(TABLE, {FAMILY: configuration})
        self.put(b"kept", b"", b"", now_ms())

    def put(self, row, qualifier, content, timestamp):
        self.hbase.call.put(TABLE, TPut(row=row, columnValues=[value(qualifier, content, timestamp)]))

    def delete(self, row, qualifier, timestamp):
        """Hides all versions up to @timestamp."""
        column = TColumn(family=FAMILY, qualifier=qualifier, timestamp=timestamp)
        self.hbase.call.deleteSingle(TABLE, TDelete(row=row, columns=[column], deleteType=TDeleteType.DELETE_COLUMNS))

    def get(self, row, connection=None):
        """{qualifier: value}"""
        cells = (connection or self.hbase).call.get(TABLE, TGet(row=row)).columnValues
        return {cell.qualifier: cell.value for cell in cells}

    def admin_does(self, what):
        """@what: flush, compact, move, or "" for nothing."""
        if what:
            self.admin.must(f"{what} {TABLE.decode()}")

    # ---- markers of deletes

    def put_after_its_delete(self, configuration, age_ms):
        """Writes a cell at a time, deletes it at that time, compacts, and writes it again at that time: a late put."""
        self.table(configuration)
        then = now_ms() - age_ms
        self.put(b"r", b"q", b"first", then)
        self.delete(b"r", b"q", then)
        self.admin_does("compact")
        support.equal(self.get(b"r"), {})
        self.put(b"r", b"q", b"late", then)
        return self.get(b"r")

    def check_marker_is_kept(self):
        support.equal(self.put_after_its_delete(GRACE, 0), {})

    def check_marker_is_purged(self):
        support.equal(self.put_after_its_delete(None, 0), {b"q": b"late"})

    def check_grace_counts_from_the_marker(self):
        """So a marker may not have the timestamp of what it hides."""
        support.equal(self.put_after_its_delete(GRACE, 2 * HOUR_MS), {b"q": b"late"})

    def check_configuration_is_shown(self):
        self.table(GRACE)
        answer = self.admin.ask(f"describe {TABLE.decode()}")
        assert f"hbase.hstore.time.to.purge.deletes' => '{HOUR_MS}'" in answer, answer

    # ---- equal timestamps

    def check_later_put_wins(self):
        """Of two puts with one timestamp the one that came later: in memory, in files, in one file, on another server."""
        for number, (between, after) in enumerate(itertools.product(["", "flush", "compact", "move"], repeat=2)):
            self.table()
            row = b"row%d" % number
            then = now_ms()
            self.put(row, b"q", b"earlier", then)
            self.admin_does(between)
            self.put(row, b"q", b"later", then)
            self.admin_does(after)
            found = self.get(row)
            assert found == {b"q": b"later"}, f"{found} after put, {between or 'nothing'}, put, {after or 'nothing'}"

    # ---- a change with a condition

    def check_and_mutate(self, connection, row, expected, timestamp):
        """From column a to b, or back: the state says which. The state is the cell s."""
        new = b"b" if expected == b"a" else b"a"
        put = TPut(row=row, columnValues=[value(b"s", new, timestamp), value(new, b"there", timestamp)])
        gone = TColumn(family=FAMILY, qualifier=expected, timestamp=timestamp - 1)
        delete = TDelete(row=row, columns=[gone], deleteType=TDeleteType.DELETE_COLUMNS)
        mutations = TRowMutations(row=row, mutations=[TMutation(put=put), TMutation(deleteSingle=delete)])
        return connection.call.checkAndMutate(TABLE, row, FAMILY, b"s", TCompareOp.EQUAL, expected, mutations)

    def read_again_and_again(self, gateway, is_over, found):
        connection = thrift2.HBase(URL, gateway)
        while not is_over.is_set():
            cells = self.get(b"r", connection)
            found.append(len(cells) == 2 and cells[b"s"] in cells)

    def change_while(self, disturb):
        """Changes the row until the time is over; returns the answers, and what readers found."""
        self.table(GRACE)
        self.put(b"r", b"s", b"a", 1)
        self.put(b"r", b"a", b"there", 1)
        is_over = threading.Event()
        found, answers = [], []
        n_gateways = len(thrift2.addresses(URL))
        readers = [threading.Thread(target=self.read_again_and_again, args=(number % n_gateways, is_over, found), daemon=True)
                   for number in range(N_READERS)]
        disturber = threading.Thread(target=disturb, args=(is_over,), daemon=True)
        for thread in [*readers, disturber]:
            thread.start()
        limit = time.monotonic() + SECONDS
        state, timestamp = b"a", 0
        while time.monotonic() < limit or len(answers) < 100:
            timestamp = max(timestamp + 1, now_ms())
            answers.append(self.check_and_mutate(self.hbase, b"r", state, timestamp))
            # no other writer: a "false" is that of a request that the gateway has repeated after it was applied
            before, state = state, self.get(b"r")[b"s"]
            assert state != before, f"answered {answers[-1]}, and not applied"
        is_over.set()
        for thread in [*readers, disturber]:
            thread.join()
        return answers, found

    def disturb(self, is_over):
        for what in itertools.cycle(["flush", "move", "compact", "move"]):
            if is_over.is_set():
                return
            self.admin_does(what)

    def check_change_is_one(self):
        """A put at T with a delete at T - 1: readers see one of the two columns, never both or none."""
        answers, found = self.change_while(self.disturb)
        print(f"# {len(answers)} changes, {answers.count(False)} of them answered with false, {len(found)} reads", flush=True)
        support.equal(found.count(False), 0)
        assert found

    def check_absent_is_empty(self):
        """An empty value compares equal with a cell that is not there. Any other value does not."""
        self.table()

        def compare(expected):
            put = TPut(row=b"r", columnValues=[value(b"other", b"", now_ms())])
            return self.hbase.call.checkAndMutate(TABLE, b"r", FAMILY, b"s", TCompareOp.EQUAL, expected,
                                                  TRowMutations(row=b"r", mutations=[TMutation(put=put)]))
        support.equal((compare(b""), compare(b"a")), (True, False))


def main():
    facts = Facts()
    try:
        return support.run([
            ("/hbase-facts/configuration-is-shown", facts.check_configuration_is_shown),
            ("/hbase-facts/marker-is-kept", facts.check_marker_is_kept),
            ("/hbase-facts/marker-is-purged-without-grace", facts.check_marker_is_purged),
            ("/hbase-facts/grace-counts-from-the-marker", facts.check_grace_counts_from_the_marker),
            ("/hbase-facts/later-put-wins", facts.check_later_put_wins),
            ("/hbase-facts/change-is-one", facts.check_change_is_one),
            ("/hbase-facts/absent-is-empty", facts.check_absent_is_empty),
        ])
    finally:
        facts.stop()


if __name__ == "__main__":
    sys.exit(main())
