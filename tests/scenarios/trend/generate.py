#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""generate.py: a year of daily figures of some tags of a blog service, and the log of one day, which is not counted yet."""

import datetime
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import generator  # noqa: E402 pylint: disable=wrong-import-position

FULL = 200_000
FIRST = datetime.date(2014, 1, 1)
TODAY = datetime.date(2014, 12, 31)
TAGS = {"food": ["ramen", "sushi", "curry", "pancake", "cheesecake", "soba", "udon", "tempura", "bento", "matcha", "natto", "okonomiyaki"],
        "travel": ["kyoto", "hokkaido", "okinawa", "nara", "hakone"],
        "music": ["piano", "karaoke", "jazz"]}
DAY_COLUMNS = ["service", "day", "category", "subcategory", "object", "n"]
EVENT_COLUMNS = ["at", "service", "category", "subcategory", "object"]


def days(_scale):
    """The figures of the days before today. Posts on ramen are frequent in winter, at weekends, and on its day in July."""
    chance = random.Random(20140101)
    for number in range((TODAY - FIRST).days):
        day = FIRST + datetime.timedelta(days=number)
        for subcategory, objects in TAGS.items():
            for rank, thing in enumerate(objects, 1):
                season = 1 + 0.6 * math.cos(2 * math.pi * (number - 15 * rank) / 365)
                weekend = 1.3 if day.weekday() >= 5 else 1
                burst = 4 if thing == "ramen" and day.month == 7 and 9 <= day.day <= 13 else 1
                yield ("blog", day, "tag", subcategory, thing,
                       int(900 / rank * season * weekend * burst * chance.uniform(0.85, 1.15)) + 1)


def events(scale):
    """The posts of today, in the order of time: most of them in the evening, and on the first objects of the list."""
    chance = random.Random(20141231)
    hours = [1 + 9 * (hour / 23) ** 3 for hour in range(24)]
    weighted = [(1 / rank, subcategory, thing) for subcategory, objects in TAGS.items() for rank, thing in enumerate(objects, 1)]
    made = []
    for _ in range(scale):
        hour = chance.choices(range(24), hours)[0]
        at = datetime.datetime.combine(TODAY, datetime.time(hour)) + datetime.timedelta(seconds=chance.randrange(3600))
        _, subcategory, thing = chance.choices(weighted, [weight for weight, _, _ in weighted])[0]
        made.append((at.isoformat() + "Z", "blog", "tag", subcategory, thing))
    return sorted(made)


TABLES = {"trend_day": (DAY_COLUMNS, days), "event": (EVENT_COLUMNS, events)}

if __name__ == "__main__":
    generator.main(TABLES, FULL)
