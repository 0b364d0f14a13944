#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The statements of queries.txt, compared with PostgreSQL: the same rows, in order where the whole has an ORDER BY.

They are over the relations of test-joins.py, with several random contents. KVSQL_TEST_SEED is the seed of the first ones.
"""

import os
import pathlib
import random
import sys

sys.dont_write_bytecode = True

import comparison  # pylint: disable=wrong-import-position

SEED = int(os.environ.get("KVSQL_TEST_SEED", str(random.randrange(1 << 31))))
N_CONTENTS = 4
STATEMENTS = [line for line in pathlib.Path(__file__).with_name("queries.txt").read_text(encoding="utf-8").splitlines()
              if line and not line.startswith("#")]


def run(kvsqld, postgresql):
    totals = [0, 0, 0]
    for seed in range(SEED, SEED + N_CONTENTS):
        comparison.joins.load(random.Random(seed), kvsqld, postgresql)
        totals = [sum(pair) for pair in zip(totals, comparison.compare(STATEMENTS, seed, kvsqld, postgresql))]
    return totals


def main():
    refused, n_rows, different = comparison.joins.with_systems("queries", run)
    print(f"# seed {SEED}: {len(STATEMENTS)} statements, {refused} refused by both, {n_rows} rows, {different} different")
    is_good = refused == 0 and n_rows > 0 and different == 0
    print(f"1..1\n{'ok' if is_good else 'not ok'} 1 /queries/postgresql")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
