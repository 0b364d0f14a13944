# SPDX-License-Identifier: LGPL-2.1-or-later
"""joins.py: the joins by key of joins.sql, one by one: kvsqld's plan, and those that Phoenix has for it."""

import re

import benchmark
import systems

HINTS = {"hash": "", "skip scan": "SKIP_SCAN_HASH_JOIN", "range scan": "RANGE_SCAN_HASH_JOIN", "sort merge": "USE_SORT_MERGE_JOIN"}


def with_hint(text, hint):
    return text.replace("SELECT", f"SELECT /*+ {hint} */", 1) if hint else text


def method_of(connection, text):
    """The first join of kvsqld's EXPLAIN."""
    with connection.cursor() as cursor:
        plan = "\n".join(row[0] for row in cursor.execute(f"EXPLAIN {text}").fetchall())
    found = re.search(r"(\w+ join|nested loop)\b", plan)
    return found.group(1) if found else "no join"


def variants(connections, text):
    """(title, connection, text) of all that is compared."""
    for name, connection in connections.items():
        if name != "Phoenix":
            yield name, connection, text
            continue
        for title, hint in HINTS.items():
            yield f"Phoenix, {title}", connection, with_hint(text, hint)


def milliseconds(answer):
    return f"{answer.best * 1000:,.1f}" if answer.best and not answer.error else "fails"


def run_one(text, connections, runs):
    """The answers by title. The systems take turns."""
    compared = list(variants(connections, text))
    answers = {title: benchmark.Answer() for title, _, _ in compared}
    for _ in range(runs):
        for title, connection, each in compared:
            if answers[title].error is None:
                benchmark.ask(connection, each, answers[title])
    return answers


def ratio_to_phoenix(answers):
    """How many times kvsqld is faster than the fastest of Phoenix's plans."""
    times = [answer.best for title, answer in answers.items() if title.startswith("Phoenix") and not answer.error]
    return f"{min(times) / answers['kvsqld'].best:.2f}" if times and answers["kvsqld"].best else ""


def is_right(answers):
    """What failed in Phoenix is shown, and not compared."""
    rows = [answer.rows for title, answer in answers.items() if not (title.startswith("Phoenix") and answer.error)]
    return all(each is not None and each == rows[0] for each in rows)


def run(connections, runs, explains):
    """Prints a table; True if all answers are equal."""
    titles = [title for title, _, _ in variants(connections, "")]
    print("\n| join | kvsqld's plan | rows | " + " | ".join(titles) + " | Phoenix's best / kvsqld | |\n" + "|---" * (len(titles) + 5) + "|",
          flush=True)
    result = True
    for text in systems.statements_of(systems.script("joins.sql")):
        answers = run_one(text, connections, runs)
        ours = answers["kvsqld"]
        what, rows = ours.rows[0][:2] if ours.rows else ("", "")
        verdict = "" if is_right(answers) else "differs"
        print("| " + " | ".join([what, method_of(connections["kvsqld"], text), str(rows), *map(milliseconds, answers.values()),
                                 ratio_to_phoenix(answers), verdict]) + " |", flush=True)
        for title, answer in answers.items():
            if answer.error or verdict:
                print(f"    {title}: {answer.error or answer.rows}", flush=True)
        if explains:
            show_plans(connections, text)
        result = result and verdict == ""
    return result


def show_plans(connections, text):
    for title, connection, each in variants(connections, text):
        with connection.cursor() as cursor:
            rows = cursor.execute(f"{'EXPLAIN' if title.startswith('Phoenix') else 'EXPLAIN ANALYZE'} {each}").fetchall()
        print(f"\n{title}:\n" + "\n".join(str(row[0]) for row in rows) + "\n", flush=True)
