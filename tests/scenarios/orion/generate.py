#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""generate.py: posts of one day, in the order in which they were written; one in fifty is spam."""

import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import generator  # noqa: E402 pylint: disable=wrong-import-position

FIRST_MS = 1_400_000_000_000
DAY_MS = 86_400_000
FULL = 100_000
CATEGORIES = ["blog", "comment"]
WORDS = "the a cat dog tea rain sun today again never photo lunch train friend game song happy late early new".split()
COLUMNS = ["category", "state", "at", "id", "body"]


def post(scale):
    chance = random.Random(20140501)
    for number in range(scale):
        at = FIRST_MS + number * DAY_MS // scale
        words = chance.sample(WORDS, 6) + (["spam"] if chance.random() < 0.02 else [])
        yield chance.choice(CATEGORIES), 0, at, number + 1, " ".join(words)


TABLES = {"post": (COLUMNS, post)}

if __name__ == "__main__":
    generator.main(TABLES, FULL)
