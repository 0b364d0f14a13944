# SPDX-License-Identifier: LGPL-2.1-or-later
"""steps.py: see README.md."""

import statistics

SMALL = 3600
FULL = 110_000 * 90
LEAST_FACTOR = 60  # at full size


def seconds_of(scenario, name, n_times):
    """The median, after a first run."""
    sql = scenario.statement(name)
    return statistics.median(scenario.run(sql).seconds for _ in range(n_times))


def run(scenario):
    scenario.define()
    scenario.load("report", scenario.generate.COLUMNS, scenario.generate.report(scenario.scale))
    scenario.step("1-by-group")
    scenario.step("2-by-placement")
    slow = seconds_of(scenario, "2-by-placement", 7)
    scenario.step("3-second-schema")

    scenario.step("2-by-placement", explain="4-by-placement")
    fast = seconds_of(scenario, "2-by-placement", 51)
    scenario.paragraph("The same statement, before and after:")
    scenario.figure("before", slow * 1000, "ms")
    scenario.figure("after", fast * 1000, "ms")
    scenario.figure("factor", slow / fast)
    if scenario.scale >= FULL:
        assert slow / fast >= LEAST_FACTOR, f"a factor of {slow / fast:.1f} instead of {LEAST_FACTOR}"
    scenario.step("5-week")
    scenario.step("6-both")
