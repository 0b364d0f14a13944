#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""generate.py: the words of the licences that every Debian has, and for larger scales, of all packages' copyright files."""

import collections
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import generator  # noqa: E402 pylint: disable=wrong-import-position

FULL = 200_000
LICENCES = pathlib.Path("/usr/share/common-licenses")
FIRST = ["Apache-2.0", "Artistic", "BSD", "GPL-2", "LGPL-2.1"]  # the sources that the statements name have fixed numbers
COLUMNS = ["source", "word", "n"]


def texts():
    """(name, text) of each source."""
    more = sorted(path.name for path in LICENCES.iterdir() if path.name not in FIRST and not path.is_symlink())
    for name in FIRST + more:
        yield name, (LICENCES / name).read_text(errors="replace")
    for path in sorted(pathlib.Path("/usr/share/doc").glob("*/copyright")):
        yield path.parent.name, path.read_text(errors="replace")


def count_words(text):
    return collections.Counter(re.findall(r"[^\W\d_]+", text.lower()))


def counts(scale):
    """(number of the source, its name, word, count), of as many sources as the scale needs."""
    n_rows = 0
    for number, (name, text) in enumerate(texts(), 1):
        if n_rows >= scale:
            break
        words = sorted(count_words(text).items())
        n_rows += len(words)
        yield from ((number, name, word, n) for word, n in words)


def numbered(scale):
    return [(number, word, n) for number, _, word, n in counts(scale)]


def named(scale):
    return [(name, word, n) for _, name, word, n in counts(scale)]


TABLES = {"by_number": (COLUMNS, numbered), "by_name": (COLUMNS, named), "by_word": (COLUMNS, named), "by_source": (COLUMNS, named)}

if __name__ == "__main__":
    generator.main(TABLES, FULL)
