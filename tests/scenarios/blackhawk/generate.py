#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""generate.py: 90 days of ad reports. Every ad group runs on a tenth of the placements, other ones each day."""

import datetime
import decimal
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import generator  # noqa: E402 pylint: disable=wrong-import-position

FIRST = datetime.date(2015, 10, 1)
N_DAYS = 90
FULL = 110_000 * N_DAYS
SITES = ["news", "mail", "maps", "sport", "games", "music", "video", "recipes", "travel", "weather"]
COLUMNS = ["day", "ad_group", "placement", "impressions", "clicks", "cost"]


def report(scale):
    a_day = max(scale // N_DAYS, 20)
    n_groups = max(a_day // 100, 10)
    n_placements = a_day // n_groups * len(SITES)
    placements = [f"{SITES[number % len(SITES)]}-{number // len(SITES):03}" for number in range(n_placements)]
    chance = random.Random(20151001)
    for number in range(N_DAYS):
        day = FIRST + datetime.timedelta(days=number)
        for group in range(n_groups):
            for placement in chance.sample(placements, a_day // n_groups):
                impressions = int(chance.expovariate(1 / 9000)) + 1
                clicks = impressions * (group % 7 + 1) // 900
                yield day, f"group-{group:04}", placement, impressions, clicks, decimal.Decimal(clicks * 17) / 100


TABLES = {"report": (COLUMNS, report)}

if __name__ == "__main__":
    generator.main(TABLES, FULL)
