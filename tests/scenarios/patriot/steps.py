# SPDX-License-Identifier: LGPL-2.1-or-later
"""steps.py: see README.md."""

SMALL = 5000
FULL = 1_000_000


def take_apart(scenario):
    """The expected result of 5-jammed.sql, computed in Python instead of SQL."""
    scenario.sqlite.execute("CREATE TABLE jammed_apart (service, dev, path, dt, indicator, val)")
    for day, what, figure in scenario.generate.jammed(scenario.scale):
        service, dev, path, indicator = what.split(".")
        indicator = {"dau": "uu"}.get(indicator, indicator)
        scenario.sqlite.execute("INSERT INTO jammed_apart VALUES (?, ?, ?, ?, ?, ?)",
                                (service, dev, path, day.isoformat(), indicator, int(figure)))


def run(scenario):
    scenario.define()
    for table, (columns, rows) in scenario.generate.TABLES.items():
        scenario.load(table, columns, rows(scenario.scale))
    take_apart(scenario)
    scenario.step("1-month")
    scenario.step("2-wrong")
    scenario.step("3-rename")
    scenario.step("4-wide")
    scenario.step("5-jammed")
    scenario.sqlite.execute("INSERT INTO apdata SELECT service, dev, path, dt, indicator, 'all', 'all', '', val FROM jammed_apart")
    scenario.step("6-group")
    scenario.step("7-all")
