# SPDX-License-Identifier: LGPL-2.1-or-later
"""steps.py: see README.md."""

import concurrent.futures
import re
import time

import support
from scenario import literal

SMALL = 1500
FULL = 200_000
LAYOUTS = {"by_number": 1, "by_name": "Apache-2.0", "by_word": "Apache-2.0", "by_source": "Apache-2.0"}  # relation to source
TUPLES_OF_A_STATEMENT = 25


def requests(scenario, relation, source):
    """The rows and the columns that a clearing would delete, from EXPLAIN (CALLS)."""
    shown = [row[0] for row in scenario.run(f"EXPLAIN (CALLS) DELETE FROM {relation} WHERE source = {literal(source)}").rows]
    deletes = [number for number, line in enumerate(shown) if line.startswith("  delete on schema")]
    rows = {re.search(r'row "(.*)"', shown[number])[1] for number in deletes}
    return len(rows), len(shown) - deletes[0] - len(deletes)


def load_again(scenario, relation, source, counts):
    with scenario.connect() as client:
        for first in range(0, len(counts), TUPLES_OF_A_STATEMENT):
            values = ", ".join(f"({literal(source)}, {literal(word)}, {n})" for word, n in counts[first:first + TUPLES_OF_A_STATEMENT])
            client.query(f"INSERT INTO {relation} VALUES {values}")


def clear_until(scenario, relation, source, timestamp, is_loaded):
    """Clears repeatedly while the load runs, and once after it."""
    n_statements = 0
    with scenario.connect() as client:
        is_last = False
        while not is_last:
            is_last = is_loaded()
            client.query(f"DELETE FROM {relation} WHERE source = {literal(source)} USING TIMESTAMP {timestamp}")
            n_statements += 1
    return n_statements


def clear_during_load(scenario, relation, source):
    """Loads a new edition, with every second word, while the old one is deleted as of the time before."""
    words = scenario.sqlite_run(f"SELECT word, n FROM {relation} WHERE source = {literal(source)} ORDER BY word")
    edition = [(word, n + 1000) for word, n in words[::2]]
    timestamp = int(time.time() * 1000)
    time.sleep(0.01)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        load = pool.submit(load_again, scenario, relation, source, edition)
        n_deletes = pool.submit(clear_until, scenario, relation, source, timestamp, load.done).result()
        load.result()
    scenario.sqlite.execute(f"DELETE FROM {relation} WHERE source = ?", [source])
    scenario.sqlite.executemany(f"INSERT INTO {relation} VALUES ({literal(source)}, ?, ?)", edition)
    everything = f"SELECT source, word, n FROM {relation} ORDER BY source, word"
    scenario.same_rows(everything, scenario.run(everything).rows, scenario.sqlite_run(everything))
    scenario.print(f"  {relation}: {len(words)} words cleared by {n_deletes} deletes while {len(edition)} came; all of those are there, and no other")


def run(scenario):
    scenario.define()
    scenario.paragraph("The licences that every Debian has, counted word by word.")
    for relation, (columns, rows) in scenario.generate.TABLES.items():
        scenario.load(relation, columns, rows(scenario.scale))

    scenario.step("1-list")
    scenario.step("2-word")

    scenario.paragraph("What clearing the source BSD takes, in rows and columns of them:")
    n_words = len(scenario.sqlite_run("SELECT word FROM by_name WHERE source = 'BSD'"))
    for relation, expected in {"by_number": n_words, "by_name": n_words, "by_word": n_words, "by_source": 1}.items():
        n_rows, n_columns = requests(scenario, relation, 3 if relation == "by_number" else "BSD")
        support.equal((relation, n_rows, n_columns), (relation, expected, n_words))
        scenario.print(f"  {relation}: {n_columns} columns of {n_rows} rows")
    scenario.step("3-clear")

    scenario.paragraph("A new edition of a text is loaded while the old one is cleared as of the time before: "
               "DELETE … USING TIMESTAMP takes nothing that is newer.")
    for relation, source in LAYOUTS.items():
        clear_during_load(scenario, relation, source)
