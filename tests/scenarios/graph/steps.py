# SPDX-License-Identifier: LGPL-2.1-or-later
"""steps.py: see README.md."""

import concurrent.futures
import importlib.util
import pathlib
import random

SMALL = 1500
FULL = 400_000
N_CONNECTIONS = 8
N_OPERATIONS = 60  # of each connection
SEED = 20230610
TYPES = ["Depends", "Recommends", "Suggests"]


def article():
    spec = importlib.util.spec_from_file_location("graph_bytes", pathlib.Path(__file__).with_name("bytes.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def same_set(what, actual, expected):
    actual, expected = set(actual), set(expected)
    assert actual == expected, f"{what}: too many {sorted(actual - expected, key=repr)[:5]}, " \
                               f"missing {sorted(expected - actual, key=repr)[:5]}"


def check_bytes(scenario):
    """Compares all cells of the table with those that the articles' program would have written."""
    nodes = scenario.run("SELECT id, c, p, u FROM node").rows
    links = scenario.run("SELECT start, type, end, c, p, u FROM link USING SCHEMA links").rows
    cells = scenario.run("SELECT row, qualifier, value FROM cell").rows
    same_set("cells of table graph", cells, article().cells(nodes, links))
    scenario.print(f"  {len(cells):,} cells are those that a program by hand writes for {len(nodes):,} nodes and {len(links):,} relationships")


def check_schemas(scenario):
    """Compares the tuples of each schema. u is in the primary only."""
    rows = {schema: scenario.run(f"SELECT start, type, end, c, p FROM link USING SCHEMA {schema}").rows
            for schema in ("links", "incoming", "outgoing")}
    for schema, found in rows.items():
        assert len(found) == len(set(found)), f"schema {schema} has entries twice"
        same_set(f"schema {schema}", found, rows["links"])
        if schema != "links":
            scenario.same_rows(f"VERIFY SCHEMA {schema}", scenario.run(f"VERIFY SCHEMA {schema}").rows, [])
    scenario.print(f"  {len(rows['links']):,} relationships, the same in all three schemas; VERIFY SCHEMA finds nothing either")


def operation(chance, names):
    """A random change of a relationship between a few packages, which other connections change at the same time."""
    start, kind, end = chance.choice(names), chance.choice(TYPES), chance.choice(names)
    moment = f"2024-01-01T00:{chance.randrange(60):02}:{chance.randrange(60):02}Z"
    one = f"start = '{start}' AND type = '{kind}' AND end = '{end}'"
    return chance.choices([
        f"INSERT INTO link VALUES ('{start}', '{kind}', '{end}', '{moment}', NULL, NULL)",
        f"INSERT INTO link VALUES ('{start}', '{kind}', '{end}', '{moment}', NULL, NULL) ON CONFLICT DO UPDATE SET c = excluded.c",
        f"UPDATE link SET c = '{moment}', u = '{moment}' WHERE {one}",
        f"UPDATE link SET p['weight'] = '{chance.randrange(100)}' WHERE {one}",
        f"DELETE FROM link WHERE {one}",
        f"UPDATE link SET c = '{moment}' WHERE start = '{start}' AND type = '{kind}'",
        f"DELETE FROM link WHERE end = '{end}' AND type = '{kind}'"], [6, 3, 4, 4, 2, 2, 1])[0]


def change_at_once(scenario, names):
    def work(number):
        chance = random.Random(SEED + number)
        with scenario.connect() as client:
            for _ in range(N_OPERATIONS):
                scenario.run(operation(chance, names), client=client)

    with concurrent.futures.ThreadPoolExecutor(N_CONNECTIONS) as pool:
        for done in [pool.submit(work, number) for number in range(N_CONNECTIONS)]:
            done.result()


def run(scenario):
    scenario.define()
    nodes, links = scenario.generate.graph(scenario.scale)
    scenario.paragraph("Debian's packages are the nodes; what they say of each other are the relationships.")
    scenario.load("node", scenario.generate.NODE_COLUMNS, nodes)
    scenario.load("link", scenario.generate.LINK_COLUMNS, links)
    check_bytes(scenario)

    scenario.step("1-neighbours")
    scenario.step("2-life")

    scenario.paragraph(f"{N_CONNECTIONS} connections create, change and delete relationships of the same twelve packages at once, "
               f"{N_OPERATIONS} times each. (The seed is {SEED}.)")
    change_at_once(scenario, [name for name, *_ in nodes[:12]])
    check_schemas(scenario)
    check_bytes(scenario)
