# SPDX-License-Identifier: LGPL-2.1-or-later
"""steps.py: see README.md."""

import itertools
import threading
import time

import support
from client import SqlError

SMALL = 2000
SMALL_ON_HBASE = 250  # a row that moves takes seven requests
FULL = 100_000
N_OPERATORS = 16
TAKE = "UPDATE post SET state = 1 WHERE category = '{}' AND state = 0 ORDER BY at LIMIT 100 RETURNING id, at, body"


class Office:
    """Sixteen operators, each with its own connection, while the second half of the posts is loaded."""

    def __init__(self, scenario, daemons):
        self.scenario = scenario
        self.daemons = daemons
        self.lock = threading.Lock()
        self.taken = []  # (category, id) of each post that was taken
        self.all_written = threading.Event()
        self.failures = []
        self.n_unknown = 0  # statements with an unknown outcome

    def run(self, client, statement):
        """The page of a statement. None if its outcome is unknown, as when HBase's answers are very late."""
        try:
            return self.scenario.run(statement, client=client)
        except SqlError as error:
            if error.sqlstate != "40003":
                raise
        with self.lock:
            self.n_unknown += 1
        return None

    def operator(self, number):
        """Takes and judges posts until none is left and the load has ended."""
        with self.scenario.connect(self.daemons[number % len(self.daemons)]) as client:
            for category in itertools.cycle(self.scenario.generate.CATEGORIES):
                is_last_look = self.all_written.is_set()
                page = self.run(client, TAKE.format(category))
                if page is None:
                    continue
                posts = page.rows
                with self.lock:
                    self.taken += [(category, post[0]) for post in posts]
                if posts:
                    self.judge(client, category, posts)
                elif is_last_look and category == self.scenario.generate.CATEGORIES[number % 2]:
                    break
                else:
                    self.all_written.wait(0.005)

    def judge(self, client, category, posts):
        """One statement moves all of them to state 2, with their verdict."""
        support.equal(posts, sorted(posts, key=lambda post: post[1]))
        ids = ", ".join(str(post[0]) for post in posts)
        spam = ", ".join(str(post[0]) for post in posts if "spam" in post[2]) or "0"
        verdict = (f"UPDATE post SET state = 2, verdict = CASE WHEN id IN ({spam}) THEN 'delete' ELSE 'keep' END "
                   f"WHERE category = '{category}' AND state = 1 AND at BETWEEN {posts[0][1]} AND {posts[-1][1]} AND id IN ({ids})")
        moved = self.run(client, verdict)
        if moved is None:
            while self.run(client, verdict) is None:  # changes those that were not changed before
                pass
        else:
            support.equal(moved.affected, len(posts))

    def take_back(self):
        """Posts that were taken by a statement with an unknown outcome wait again, and are taken by one operator."""
        client = self.scenario.client
        for category in self.scenario.generate.CATEGORIES:
            while self.run(client, f"UPDATE post SET state = 0 WHERE category = '{category}' AND state = 1") is None:
                pass
        self.operator(0)
        self.operator(1)

    def guarded(self, function, *arguments):
        try:
            function(*arguments)
        except BaseException as failure:  # pylint: disable=broad-except
            self.failures.append(failure)
            self.all_written.set()

    def work(self, write):
        """Runs the operators. Returns the seconds."""
        operators = [threading.Thread(target=self.guarded, args=(self.operator, number)) for number in range(N_OPERATORS)]
        begun = time.perf_counter()
        for thread in operators:
            thread.start()
        self.guarded(write)
        self.all_written.set()
        for thread in operators:
            thread.join()
        if self.failures:
            raise self.failures[0]
        seconds = time.perf_counter() - begun
        if self.n_unknown > 0:
            self.scenario.print(f"  {self.n_unknown} statements with an unknown outcome")
            self.take_back()
        return seconds


def run(scenario):
    posts = list(scenario.generate.post(scenario.scale))
    scenario.define()
    scenario.load("post", scenario.generate.COLUMNS, posts[:len(posts) // 2])
    scenario.step("1-oldest")
    first = scenario.step("2-take")[-1].rows

    scenario.paragraph(f"Now {N_OPERATORS} operators, each on a connection of its own, take 100 posts again and again and give their verdicts,\n"
               "while the other half of the posts is written.")
    daemons = [scenario.environment.daemons[0]]
    if scenario.environment.store == "hbase":
        scenario.print("  half of them through a second kvsqld on the same HBase")
        daemons.append(scenario.environment.start())
    office = Office(scenario, daemons)
    office.judge(scenario.client, "blog", first)
    seconds = office.work(lambda: scenario.load("post", scenario.generate.COLUMNS, posts[len(posts) // 2:]))
    taken = office.taken + [("blog", post[0]) for post in first]
    support.equal(len(taken), len(set(taken)))
    support.equal(set(taken), {(post[0], post[3]) for post in posts})
    scenario.print(f"  {len(taken):,} posts were taken, none twice, and none was lost")
    scenario.figure("posts taken and judged in a second", len(office.taken) / seconds)
    scenario.step("4-done")
