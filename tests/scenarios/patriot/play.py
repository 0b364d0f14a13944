# SPDX-License-Identifier: LGPL-2.1-or-later
"""play.py: see README.md."""

SMALL = 5000
FULL = 1_000_000


def take_apart(story):
    """What 5-jammed.sql is to come to, by Python's means instead of SQL's."""
    story.sqlite.execute("CREATE TABLE jammed_apart (service, dev, path, dt, indicator, val)")
    for day, what, figure in story.generate.jammed(story.scale):
        service, dev, path, indicator = what.split(".")
        indicator = {"dau": "uu"}.get(indicator, indicator)
        story.sqlite.execute("INSERT INTO jammed_apart VALUES (?, ?, ?, ?, ?, ?)",
                             (service, dev, path, day.isoformat(), indicator, int(figure)))


def play(story):
    story.define()
    for table, (columns, rows) in story.generate.TABLES.items():
        story.load(table, columns, rows(story.scale))
    take_apart(story)
    story.step("1-month")
    story.step("2-wrong")
    story.step("3-rename")
    story.step("4-wide")
    story.step("5-jammed")
    story.sqlite.execute("INSERT INTO apdata SELECT service, dev, path, dt, indicator, 'all', 'all', '', val FROM jammed_apart")
    story.step("6-group")
    story.step("7-all")
