# SPDX-License-Identifier: LGPL-2.1-or-later
"""tap.py: runs checks, and prints their results in the Test Anything Protocol."""


def report(prefix, checks):
    """Each check is a name and a function that yields problems. Returns the exit status."""
    print(f"1..{len(checks)}")
    failed = 0
    for number, (name, check) in enumerate(checks, 1):
        problems = list(check())
        for problem in problems:
            print("#", problem)
        failed += bool(problems)
        print(f"{'not ok' if problems else 'ok'} {number} {prefix}/{name}")
    return 1 if failed else 0


def checks_of(names):
    """The functions of a module that are called check_…, given its globals()."""
    return [(name[6:].replace("_", "-"), check) for name, check in names.items() if name.startswith("check_")]
