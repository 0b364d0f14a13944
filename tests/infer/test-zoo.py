#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""kvsqlctl infer on the tables of zoo.py: the definitions that it proposes are run, and their tuples compared with those that
the generators know, value by value.

Of all tables, the share is counted whose first definition gives the right tuples, and the share where one of the first three
does. A definition that gives other tuples than expected must have said so, if it does not fit rows. And no byte of the table
changes. KVSQL_ZOO_SEED is another seed; arguments are
names of tables, whose proposals are shown.
"""

import json
import os
import pathlib
import random
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live" / "python"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import support  # noqa: E402 pylint: disable=wrong-import-position
import zoo  # noqa: E402 pylint: disable=wrong-import-position

SEED = int(os.environ.get("KVSQL_ZOO_SEED", "1"))
FIRST, AMONG_THREE = 0.9, 0.95
BATCH = 400


class Client:
    """kvsqlctl on a kvsqld of its own."""

    def __init__(self, store="memory:"):
        folder = support.temporary_folder("zoo")
        self.daemon = support.Daemon(folder=folder, store=store)
        self.environment = dict(os.environ, KVSQL_URI=f"kvsql+unix://{self.daemon.socket_path}")

    def run(self, *arguments, text=None):
        done = subprocess.run([str(support.TOP_BUILD / "kvsqlctl"), *arguments], env=self.environment, input=text, text=True,
                              capture_output=True, timeout=120, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(arguments)[:300]}: {done.stderr[:600]}")
        return done.stdout

    def execute(self, sql):
        self.run("exec", "--file", "-", text=sql)

    def rows(self, sql):
        return [json.loads(line) for line in self.run("--format", "ndjson", "exec", sql).splitlines() if line]


def write_cells(client, table):
    client.execute(f"DEFINE RELATION raw {{ row BYTES KEY, family STRING KEY, qualifier BYTES KEY, value BYTES }};"
                   f"DEFINE PRIMARY SCHEMA raw_1 FOR raw {{ TABLE '{table.name}', ROW row, FAMILY family, QUALIFIER qualifier, "
                   f"VALUE value }};")
    for first in range(0, len(table.cells), BATCH):
        values = ", ".join(f"(x'{row.hex()}', '{family}', x'{qualifier.hex()}', x'{value.hex()}')"
                           for row, family, qualifier, value in table.cells[first:first + BATCH])
        client.execute(f"INSERT INTO raw VALUES {values};")
    client.execute("DROP RELATION raw;")


def proposals(script):
    """(the first definition, the further ones), each a list of pairs (relation, schema)."""
    first = re.findall(r"^(DEFINE [^\n]*);$", script, re.M)
    others = [re.findall(r"(DEFINE RELATION .*?); (DEFINE PRIMARY SCHEMA .*? WITH \(.*?\));", line)
              for line in re.findall(r"^-- a further reading[^\n]*$", script, re.M)]
    return [list(zip(first[::2], first[1::2])), *others]


def shown(value):
    """Values of any form as one form."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    if isinstance(value, dict):
        return json.dumps({key: shown(of) for key, of in sorted(value.items())})
    return "NULL" if value is None else str(value)


def tuples_of(client, definition):
    """For each relation of a definition, its tuples; the definition is dropped again."""
    out = []
    for relation, schema in definition:
        name = re.match(r"DEFINE RELATION (\w+)", relation).group(1)
        n_keys = len(re.findall(r" KEY\b", relation))
        client.execute(f"{relation};{schema};")
        try:
            found = client.rows(f"SELECT * FROM {name}")
        finally:
            client.execute(f"DROP RELATION {name};")
        out.append([(tuple(shown(value) for value in list(row.values())[:n_keys]), list(row.items())[n_keys:]) for row in found])
    return out


def is_same(found, expected):
    """Whether the tuples of one relation are those that the generator knows."""
    if len(found) != len(expected):
        return False
    wanted = {tuple(shown(value) for value in key): others for key, others in expected}
    for key, others in found:
        want = wanted.get(key)
        if want is None:
            return False
        if isinstance(want, dict):
            if any(shown(value) != shown(want.get(name)) for name, value in others) or not set(want) <= {name for name, _ in others}:
                return False
        elif [shown(value) for _, value in others] != [shown(value) for value in want]:
            return False
    return True


def is_right(client, definition, table):
    found = tuples_of(client, definition)
    return len(found) == len(table.relations) and all(is_same(*pair) for pair in zip(found, table.relations))


def look_at(client, table):
    """The place of the right definition of a table that is there, 0 for none; and the script."""
    before = client.run("--format", "ndjson", "exec", f"SELECT * FROM TABLE '{table.name}'")
    script = client.run("infer", "--check", table.name)
    if client.run("--format", "ndjson", "exec", f"SELECT * FROM TABLE '{table.name}'") != before:
        raise AssertionError(f"infer changed {table.name}")
    place = 0
    for i, definition in enumerate(proposals(script)[:3]):
        try:
            if definition and is_right(client, definition, table):
                place = i + 1
                break
        except AssertionError as error:
            script += f"\n{error}"
    fit = re.search(r"^-- (\d+) of (\d+) rows fit$", script, re.M)
    n_rows = len({cell["row"] for cell in map(json.loads, before.splitlines())})
    if fit.group(2) != str(n_rows):
        raise AssertionError(f"{table.name} has {n_rows} rows: {fit.group(0)}")
    if place != 1 and fit.group(1) != fit.group(2) and "-- does not fit: " not in script:
        raise AssertionError(f"{table.name}: rows do not fit, and none is shown")
    return place, script


def run(client, tables, least_first, least_among=AMONG_THREE, only=()):
    """@tables: functions that write a table, by their names. Returns the exit status."""
    places = []
    print(f"1..{len(tables) + 1}")
    for number, (name, make) in enumerate(tables.items(), 1):
        try:
            place, script = look_at(client, make())
            places.append(place)
            if place != 1 or only:
                for line in script.splitlines()[:24 if only else 10]:
                    print(f"# {line[:600]}")
            print(f"ok {number} - {name}: the right definition is {f'number {place}' if place else 'none of three'}")
        except (AssertionError, subprocess.SubprocessError) as error:
            places.append(0)
            print(f"not ok {number} - {name}: {error}")
    first = places.count(1) / len(places)
    among = sum(place > 0 for place in places) / len(places)
    is_good = (first >= least_first and among >= least_among) or only
    print(f"{'ok' if is_good else 'not ok'} {len(tables) + 1} - first {first:.1%}, among three {among:.1%}")
    return 0 if is_good else 1


def main():
    client = Client()
    only = sys.argv[1:]
    makers = [make for make in zoo.TABLES if make.__name__ in only] if only else zoo.TABLES[::support.size(1, 3)]

    def write(make):
        table = make(random.Random(f"{SEED} {make.__name__}"))
        write_cells(client, table)
        return table

    return run(client, {make.__name__: lambda make=make: write(make) for make in makers}, FIRST, only=only)


if __name__ == "__main__":
    sys.exit(main())
