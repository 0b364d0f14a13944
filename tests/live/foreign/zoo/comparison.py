# SPDX-License-Identifier: LGPL-2.1-or-later
"""comparison.py: tests/infer/test-zoo.py, for tables of a live HBase."""

import importlib.util
import pathlib
import sys

INFER = pathlib.Path(__file__).resolve().parents[3] / "infer"


def load():
    specification = importlib.util.spec_from_file_location("test_zoo", INFER / "test-zoo.py")
    module = importlib.util.module_from_spec(specification)
    sys.path.insert(0, str(INFER))
    specification.loader.exec_module(module)
    return module


zoo = load()


class Table:
    """A table of one relation, with the tuples that are expected: (key values, other values)."""

    def __init__(self, name, tuples):
        self.name, self.relations = name, [tuples]


def run(url, tables, least_first, least_among, only=()):
    return zoo.run(zoo.Client(url), tables, least_first, least_among, only)


def look_at(url, table):
    """(which of the proposed definitions is right, or 0; the script)"""
    return zoo.look_at(zoo.Client(url), table)
