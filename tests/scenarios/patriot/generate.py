#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""generate.py: two years of figures of ten services, and the older tables to convert."""

import datetime
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import generator  # noqa: E402 pylint: disable=wrong-import-position

FIRST = datetime.date(2012, 4, 1)
N_DAYS = 730
FULL = 1_000_000
SERVICES = ["blog", "game", "chat", "pigg", "news", "mail", "music", "shop", "photo", "novel"]
DEVICES = ["pc", "sp", "app"]
PATHS = ["top", "mypage", "search", "entry", "ranking", "help", "login", "shop", "event", "official"]
INDICATORS = [("pv", "all", "all"), ("dau", "all", "all"), ("pv", "sex", "male"), ("pv", "sex", "female"), ("dau", "age", "20-29")]
APDATA = ["service", "dev", "path", "dt", "indicator", "target_type", "target_value", "hour", "val"]
WIDE = ["service", "day", "pv", "dau", "sales"]
JAMMED = ["day", "what", "figure"]
GROUPS = ["name", "service"]


def days(scale):
    """The days for the scale, spread over the two years. Each has at most about 1,500 figures."""
    n_days = max(10, min(N_DAYS, scale // 150))
    return [FIRST + datetime.timedelta(days=number * N_DAYS // n_days) for number in range(n_days)]


def apdata(scale):
    """For each page of each service on each device: figures of the day, of some hours, and some wrong ones."""
    chance = random.Random(20120401)
    n_paths = max(1, min(len(PATHS), scale // (len(days(scale)) * len(SERVICES) * len(DEVICES) * 6)))
    for service in SERVICES:
        for dev in DEVICES:
            for path in PATHS[:n_paths]:
                for day in days(scale):
                    for indicator, target_type, target_value in INDICATORS:
                        hour = chance.choice(["", "", str(chance.randrange(24))])
                        yield (service, dev, path, day.isoformat(), indicator, target_type, target_value, hour,
                               chance.randrange(1, 1_000_000))
                    if chance.random() < 0.05:  # a job wrote a figure with a wrong name
                        yield (service, dev, path, day.isoformat(), f"unknown{chance.randrange(3)}", "all", "all", "",
                               chance.randrange(100))


def daily_wide(scale):
    """The years before. Only some services have sales."""
    chance = random.Random(20110401)
    for service in ("blog", "shop", "old-school"):
        for number in range(max(5, min(365, scale // 100))):
            day = datetime.date(2011, 4, 1) + datetime.timedelta(days=number)
            sales = chance.randrange(10_000) if service == "shop" else None
            yield service.replace("-", "."), day, chance.randrange(1_000_000), chance.randrange(50_000), sales


def jammed(scale):
    """service.dev.path.indicator in one text."""
    chance = random.Random(20100401)
    for number in range(max(5, min(365, scale // 100))):
        day = datetime.date(2010, 4, 1) + datetime.timedelta(days=number)
        for service in SERVICES[:4]:
            for indicator in ("pv", "dau"):
                yield day, f"{service}.{chance.choice(DEVICES)}.top.{indicator}", f"{chance.randrange(1_000_000):08}"


def service_group(_scale):
    return [("community", service) for service in ("blog", "chat", "pigg")] + [("media", "news"), ("media", "music")]


TABLES = {"apdata": (APDATA, apdata), "daily_wide": (WIDE, daily_wide), "jammed": (JAMMED, jammed),
          "service_group": (GROUPS, service_group)}

if __name__ == "__main__":
    generator.main(TABLES, FULL)
