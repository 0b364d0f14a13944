# SPDX-License-Identifier: LGPL-2.1-or-later
"""play.py: see README.md."""

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
    """The day, the hour and the ten minutes that a time belongs to."""
    moment = datetime.datetime.fromisoformat(at.replace("Z", "+00:00"))
    return [moment.strftime(form).format(moment.minute // 10) for _, _, form in RELATIONS]


def count(client, event):
    """Three counters go up by one. The store adds, so nobody loses a count; a counter that is not there is made."""
    at, service, category, subcategory, thing = event
    for (relation, time_name, _), step in zip(RELATIONS, steps(at)):
        key = [Value(s=part) for part in (service, step, category, subcategory, thing)]
        page = client.query(f"UPDATE {relation} SET n = n + 1 WHERE service = ? AND {time_name} = ? AND category = ? "
                            "AND subcategory = ? AND object = ?", *key)
        if page.affected == 0:
            client.query(f"INSERT INTO {relation} VALUES (?, ?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET n = {relation}.n + 1", *key)


def count_all(story, events):
    """Each connection takes every eighth line of the log, so that all of them want the same counters at the same time."""
    def share(number):
        with story.connect() as client:
            for event in events[number::N_CONNECTIONS]:
                count(client, event)

    begun = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(N_CONNECTIONS) as pool:
        for done in [pool.submit(share, number) for number in range(N_CONNECTIONS)]:
            done.result()
    story.figure("counters raised a second", len(events) * len(RELATIONS) / (time.perf_counter() - begun))


def chart():
    spec = importlib.util.spec_from_file_location("trend_chart", pathlib.Path(__file__).with_name("chart.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check_chart(module):
    """By hand: four columns of two lines, means of 0, 1, 4 and 8."""
    first = datetime.date(2014, 1, 31)
    series = [(first + datetime.timedelta(days=day), number) for day, number in enumerate([0, 0, 1, 1, 3, 5, 8, 8])]
    support.equal(module.draw(series, 4, 2, "utf-8"), ["8 |   █", "4 | ▂██", "  +----", "   Feb"])
    support.equal(module.draw(series, 4, 2), ["8 |   #", "4 |  ##", "  +----", "   Feb"])


def play(story):
    story.define()
    story.tell("The year so far, as it was counted day by day.")
    story.load("trend_day", story.generate.DAY_COLUMNS, story.generate.days(story.scale))

    events = story.generate.events(story.scale)
    story.tell(f"Today: {len(events):,} lines of the log, counted by {N_CONNECTIONS} connections at once.")
    count_all(story, events)
    story.sqlite.execute(f"CREATE TABLE event ({', '.join(story.generate.EVENT_COLUMNS)})")
    story.sqlite.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?)", events)
    plan = story.explain("UPDATE trend_hour SET n = n + 1 WHERE service = 'blog' AND at = '2014-12-31T13:00:00Z' AND category = 'tag' "
                         "AND subcategory = 'food' AND object = 'ramen'")
    assert "the store's own increment of one cell" in plan, plan

    story.step("1-ranking")
    story.step("2-hours")
    story.step("3-minutes")
    year = story.step("4-year")[-1].rows

    actually = "\n".join(row[0] for row in story.run(YEAR).rows)
    assert "in 1 request," in actually, actually
    support.equal(len(year), 365)
    module = chart()
    check_chart(module)
    series = [(datetime.date.fromisoformat(day), n) for day, n in year]
    for line in module.draw(series, 73, 10, getattr(story.out, "encoding", None)):
        story.say(f"  {line}")
