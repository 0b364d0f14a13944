#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The small cases of the models. tests/model/run checks all of them."""

import os
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "live" / "python"))
import model  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position

SECONDS = 600  # on a busy machine


def checked(case):
    def test():
        outcome = model.check(case, SECONDS)
        print("#", outcome.text, flush=True)
        assert outcome.is_as_expected
    return test


def main():
    if os.environ.get("KVSQL_TEST_SIZE") == "small":
        support.skip_all("a model has no code that a sanitizer sees")
    if model.missing():
        support.skip_all(f"{model.missing()} is not installed (Debian: {model.missing()})")
    return support.run([("/model/" + case.name.replace(" ", ","), checked(case)) for case in model.cases() if case.is_small])


if __name__ == "__main__":
    sys.exit(main())
