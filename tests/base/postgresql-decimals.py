#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Calls of PostgreSQL's numeric functions with random arguments, and their results.

    postgresql-decimals.py SEED COUNT [PSQL-OPTION …]

prints lines "function argument[,argument …] result"; a result is without trailing zeros, or "error". Results of more
than 1,000 digits, which kvsql does not have, are omitted. Of arguments, PostgreSQL gets what kvsql would have: no zeros
at the end of a fraction. tests/base/decimal-postgresql.txt is what PostgreSQL 15.18 said of seed 1 and 1,500 calls:

    tests/base/postgresql-decimals.py 1 1500 -h /tmp/somewhere -U postgres >tests/base/decimal-postgresql.txt
"""

import decimal
import random
import re
import subprocess
import sys

decimal.getcontext().prec = 4000


def canonical(text):
    text = text.strip()
    negative, text = text.startswith("-"), text.lstrip("+-")
    whole, _, fraction = text.partition(".")
    whole, fraction = whole.lstrip("0") or "0", fraction.rstrip("0")
    text = f"{whole}.{fraction}" if fraction else whole
    return f"-{text}" if negative and text != "0" else text


def digits(source, count):
    return "".join(source.choice("0123456789") for _ in range(count))


def number(source, most_whole=20, most_fraction=20):
    kind = source.randrange(10)
    if kind < 3:
        return canonical(f"{source.randrange(100)}.{digits(source, source.randrange(4))}")
    if kind < 4:
        return canonical(f"{source.choice(['0', '1', '2', '10', '0.5', '0.1', '0.01', '1000', '9999', '10000', '0.0001'])}")
    if kind < 5:  # close to 1
        return canonical(source.choice(["0.", "1."]) + source.choice("90") * source.randrange(1, 30) + digits(source, source.randrange(1, 10)))
    if kind < 6:
        return canonical("0." + "0" * source.randrange(40) + digits(source, source.randrange(1, 20)))
    return canonical(digits(source, source.randrange(1, most_whole + 1)) + "." + digits(source, source.randrange(most_fraction + 1)))


def signed(source, text):
    return canonical("-" + text) if source.random() < 0.3 else text


def arguments(source, function):
    if function == "exp":
        return [signed(source, number(source, 3))]
    if function in ("ln", "log10", "sqrt"):
        return [number(source) if source.random() < 0.97 else signed(source, "1.5")]
    if function == "log":
        return [number(source), number(source)]
    if function == "power":
        base, kind = number(source, 8), source.randrange(6)
        if kind < 3:
            return [signed(source, base), str(source.randrange(-40, 41))]
        if kind == 3 and len(base.replace(".", "")) < 6:
            return [signed(source, base), str(source.randrange(-400, 401))]
        return [base, signed(source, number(source, 2))]
    if function == "divide":
        return [signed(source, number(source, 30, 30)), signed(source, number(source, 30, 30))]
    assert function == "avg"
    return [signed(source, number(source, 25, source.randrange(1, 12))) for _ in range(source.randrange(1, 8))]


SQL = {"log10": "log({0})", "divide": "{0} / {1}", "avg": None}


def expression(function, values):
    literals = [f"'{value}'::numeric" for value in values]
    if function == "avg":
        return f"(SELECT avg(v) FROM unnest(ARRAY[{', '.join(literals)}]) AS t(v))"
    return SQL.get(function, f"{function}({', '.join('{%d}' % i for i in range(len(values)))})").format(*literals)


PREPARATION = """
CREATE FUNCTION pg_temp.attempt(text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN EXECUTE 'SELECT (' || $1 || ')::text' INTO result; RETURN result;
EXCEPTION WHEN OTHERS THEN RETURN 'error'; END $$;
"""


def main():
    seed, count, options = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    source = random.Random(seed)
    calls = []
    for _ in range(count):
        function = source.choice(["exp", "ln", "log10", "log", "sqrt", "power", "power", "divide", "avg"])
        calls.append((function, arguments(source, function)))
    script = PREPARATION + "".join(
        "SELECT pg_temp.attempt($q$" + expression(*call) + "$q$);\n" for call in calls)
    done = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", "postgres", *options], input=script,
                          stdout=subprocess.PIPE, text=True, timeout=300, check=True)
    results = done.stdout.split("\n")[:len(calls)]
    for (function, values), result in zip(calls, results):
        result = result if result == "error" else canonical(result)
        assert result == "error" or re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", result), result
        if len(result.replace(".", "").lstrip("-")) <= 1000:
            print(function, ",".join(values), result)


if __name__ == "__main__":
    main()
