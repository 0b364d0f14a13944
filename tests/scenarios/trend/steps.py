# SPDX-License-Identifier: LGPL-2.1-or-later
"""steps.py: see README.md."""

import concurrent.futures
import datetime
import importlib.util
import pathlib
import time

import support
from kvsql.ttypes import Value

SMALL = 400
FULL = 200_000
N_CONNECTIONS = 8
YEAR = "EXPLAIN ANALYZE SELECT day, n FROM trend_day WHERE service = 'blog' AND day BETWEEN '2014-01-01' AND '2014-12-31' " \
       "AND category = 'tag' AND subcategory = 'food' AND object = 'ramen'"
RELATIONS = [("trend_day", "day", "%Y-%m-%d"), ("trend_hour", "at", "%Y-%m-%dT%H:00:00Z"), ("trend_minutes", "at", "%Y-%m-%dT%H:{}0:00Z")]


def steps(at):
    """The day, the hour and the ten minutes of a time."""
    moment = datetime.datetime.fromisoformat(at.replace("Z", "+00:00"))
    return [moment.strftime(form).format(moment.minute // 10) for _, _, form in RELATIONS]


def count(client, event):
    """Increments three counters. The store adds, so no increment is lost. A missing counter is created."""
    at, service, category, subcategory, thing = event
    for (relation, time_name, _), step in zip(RELATIONS, steps(at)):
        key = [Value(s=part) for part in (service, step, category, subcategory, thing)]
        page = client.query(f"UPDATE {relation} SET n = n + 1 WHERE service = ? AND {time_name} = ? AND category = ? "
                            "AND subcategory = ? AND object = ?", *key)
        if page.affected == 0:
            client.query(f"INSERT INTO {relation} VALUES (?, ?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET n = {relation}.n + 1", *key)


def count_all(scenario, events):
    """Each connection takes every eighth line of the log, so that they increment the same counters at the same time."""
    def share(number):
        with scenario.connect() as client:
            for event in events[number::N_CONNECTIONS]:
                count(client, event)

    begun = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(N_CONNECTIONS) as pool:
        for done in [pool.submit(share, number) for number in range(N_CONNECTIONS)]:
            done.result()
    scenario.figure("counters raised a second", len(events) * len(RELATIONS) / (time.perf_counter() - begun))


def chart():
    spec = importlib.util.spec_from_file_location("trend_chart", pathlib.Path(__file__).with_name("chart.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check_chart(module):
    """Compares with a chart made by hand: four columns of two lines, means of 0, 1, 4 and 8."""
    first = datetime.date(2014, 1, 31)
    series = [(first + datetime.timedelta(days=day), number) for day, number in enumerate([0, 0, 1, 1, 3, 5, 8, 8])]
    support.equal(module.draw(series, 4, 2, "utf-8"), ["8 |   █", "4 | ▂██", "  +----", "   Feb"])
    support.equal(module.draw(series, 4, 2), ["8 |   #", "4 |  ##", "  +----", "   Feb"])


def run(scenario):
    scenario.define()
    scenario.paragraph("The year so far, as it was counted day by day.")
    scenario.load("trend_day", scenario.generate.DAY_COLUMNS, scenario.generate.days(scenario.scale))

    events = scenario.generate.events(scenario.scale)
    scenario.paragraph(f"Today: {len(events):,} lines of the log, counted by {N_CONNECTIONS} connections at once.")
    count_all(scenario, events)
    scenario.sqlite.execute(f"CREATE TABLE event ({', '.join(scenario.generate.EVENT_COLUMNS)})")
    scenario.sqlite.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?)", events)
    plan = scenario.explain("UPDATE trend_hour SET n = n + 1 WHERE service = 'blog' AND at = '2014-12-31T13:00:00Z' AND category = 'tag' "
                         "AND subcategory = 'food' AND object = 'ramen'")
    assert "the store's own increment of one cell" in plan, plan

    scenario.step("1-ranking")
    scenario.step("2-hours")
    scenario.step("3-minutes")
    year = scenario.step("4-year")[-1].rows

    actually = "\n".join(row[0] for row in scenario.run(YEAR).rows)
    assert "in 1 request," in actually, actually
    support.equal(len(year), 365)
    module = chart()
    check_chart(module)
    series = [(datetime.date.fromisoformat(day), n) for day, n in year]
    for line in module.draw(series, 73, 10, getattr(scenario.out, "encoding", None)):
        scenario.print(f"  {line}")
