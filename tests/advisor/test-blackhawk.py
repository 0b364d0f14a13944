#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The advisor finds the second schema of tests/scenarios/blackhawk from the statements alone, and kvsqlctl applies it.

The reports by placement read a whole day of another layout. Their answers stay the same, and afterwards they read only the
rows that they give.
"""

import json
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position
from client import Client  # noqa: E402 pylint: disable=wrong-import-position

SCENARIO = TESTS / "scenarios" / "blackhawk"
SCALE = "3600"
DAYS = ["2015-11-15", "2015-11-16", "2015-12-01"]
PLACEMENTS = ["maps-001", "news-000", "video-003"]


def kvsqlctl(daemon, *arguments):
    """What kvsqlctl prints."""
    done = subprocess.run([str(support.TOP_BUILD / "kvsqlctl"), *arguments, f"--connect=kvsql+unix://{daemon.socket_path}"], timeout=300, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 0, (done.stdout.decode(), done.stderr.decode())
    return done.stdout.decode()


def statement(name):
    """A statement of the scenario, without its comments and its semicolon."""
    lines = (SCENARIO / name).read_text().splitlines()
    return "\n".join(line for line in lines if not line.startswith("--")).strip().rstrip(";")


def report(client):
    """The reports of the scenario, for some days and placements: their rows."""
    by_group, by_placement, week = (statement(name) for name in ("1-by-group.sql", "2-by-placement.sql", "5-week.sql"))
    rows = []
    for day in DAYS:
        rows.append(client.rows(by_group.replace("2015-11-15", day)))
        for placement in PLACEMENTS:
            rows.append(client.rows(by_placement.replace("2015-11-15", day).replace("maps-001", placement)))
    rows.append(client.rows(week))
    return rows


def write(client, number):
    """A tuple of the next day, as the aggregation writes them."""
    client.query(f"INSERT INTO report VALUES ('2016-01-{number + 1:02}', 'group-0001', 'maps-001', 10, 1, 0.17)")


def read_rows(client):
    """Rows that the reports by placement have read, and given, by SHOW STATEMENT STATISTICS."""
    found = [row for row in client.rows("SHOW STATEMENT STATISTICS") if row[-1].startswith("SELECT ad_group, impressions")]
    assert len(found) == 1, found
    return int(found[0][8]), int(found[0][4])


def explain(client, sql):
    """The path that is chosen."""
    plan = json.loads(client.rows(f"EXPLAIN (FORMAT JSON) {sql}")[0][0])
    return next(path for path in plan["candidates"] if path["chosen"])


def test_blackhawk():
    """Statistics, advice, schema."""
    folder = support.temporary_folder("blackhawk")
    daemon = support.Daemon(folder=folder, store=f"rocksdb:{folder}/store?sync=false")
    data = folder / "report.csv"
    with open(data, "wb") as file:
        subprocess.run([sys.executable, str(SCENARIO / "generate.py"), "report", f"--scale={SCALE}"], stdout=file, check=True)
    kvsqlctl(daemon, "exec", "--file", str(SCENARIO / "schema.sql"))
    kvsqlctl(daemon, "import", "report", str(data))

    with Client(daemon.socket_path) as client:
        client.query("RESET STATEMENT STATISTICS")
        for number in range(5):
            write(client, number)
            before = report(client)
        slow, given = read_rows(client)
        assert slow > 5 * given > 0, (slow, given)
        support.equal(explain(client, statement("2-by-placement.sql"))["schema"], "report_by_group")

    advice = json.loads(kvsqlctl(daemon, "advise", "--online", "--format=json"))
    new = [schema for schema in advice["schemas"] if "exists" not in schema]
    support.equal(len(new), 1)
    support.equal(set(new[0]["row"][:2]), {"day", "placement"})
    # it answers them without the other one; clicks may be in the row, for ORDER BY
    support.equal(set(new[0]["row"] + new[0]["value"]), {"day", "placement", "ad_group", "impressions", "clicks", "cost"})
    kvsqlctl(daemon, "advise", "--online", "--apply")

    with Client(daemon.socket_path) as client:
        support.equal(client.rows(f"VERIFY SCHEMA {new[0]['name']}"), [])
        client.query("RESET STATEMENT STATISTICS")
        support.equal(report(client), before)
        fast, given = read_rows(client)
        support.equal(fast, given)
        chosen = explain(client, statement("2-by-placement.sql"))
        support.equal((chosen["schema"], chosen["full_scan"]), (new[0]["name"], False))
        # the report by ad group stays where it was
        support.equal(explain(client, statement("1-by-group.sql"))["schema"], "report_by_group")
        # later writes go to both
        write(client, 20)
        support.equal(client.rows(f"VERIFY SCHEMA {new[0]['name']}"), [])


sys.exit(support.run([("/advisor/blackhawk", test_blackhawk)]))
