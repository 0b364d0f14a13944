# SPDX-License-Identifier: LGPL-2.1-or-later
"""play.py: see README.md."""

import statistics

SMALL = 3600
FULL = 110_000 * 90
LEAST_FACTOR = 60  # at the size of the story


def seconds_of(story, name, n_times):
    """The median, after the statement was run before."""
    sql = story.statement(name)
    return statistics.median(story.run(sql).seconds for _ in range(n_times))


def play(story):
    story.define()
    story.load("report", story.generate.COLUMNS, story.generate.report(story.scale))
    story.step("1-by-group")
    story.step("2-by-placement")
    slow = seconds_of(story, "2-by-placement", 7)
    story.step("3-second-schema")

    story.step("2-by-placement", explain="4-by-placement")
    fast = seconds_of(story, "2-by-placement", 51)
    story.tell("The same statement, before and after:")
    story.figure("before", slow * 1000, "ms")
    story.figure("after", fast * 1000, "ms")
    story.figure("factor", slow / fast)
    if story.scale >= FULL:
        assert slow / fast >= LEAST_FACTOR, f"a factor of {slow / fast:.1f} instead of {LEAST_FACTOR}"
    story.step("5-week")
    story.step("6-both")
