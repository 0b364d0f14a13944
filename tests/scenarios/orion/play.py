# SPDX-License-Identifier: LGPL-2.1-or-later
"""play.py: see README.md."""

import itertools
import threading
import time

import support

SMALL = 2000
SMALL_ON_HBASE = 250  # a row that moves takes seven requests
FULL = 100_000
N_OPERATORS = 16
TAKE = "UPDATE post SET state = 1 WHERE category = '{}' AND state = 0 ORDER BY at LIMIT 100 RETURNING id, at, body"


class Office:
    """Sixteen operators, each on a connection of its own, while the second half of the posts comes in."""

    def __init__(self, story, daemons):
        self.story = story
        self.daemons = daemons
        self.lock = threading.Lock()
        self.taken = []  # (category, id), as often as it was handed out
        self.all_written = threading.Event()
        self.failures = []

    def operator(self, number):
        """Takes and judges until there is nothing left and nothing more to come."""
        with self.story.connect(self.daemons[number % len(self.daemons)]) as client:
            for category in itertools.cycle(self.story.generate.CATEGORIES):
                is_last_look = self.all_written.is_set()
                posts = self.story.run(TAKE.format(category), client=client).rows
                with self.lock:
                    self.taken += [(category, post[0]) for post in posts]
                if posts:
                    self.judge(client, category, posts)
                elif is_last_look and category == self.story.generate.CATEGORIES[number % 2]:
                    break
                else:
                    self.all_written.wait(0.005)

    def judge(self, client, category, posts):
        """One statement for all of them: they move to state 2 with their verdict."""
        support.equal(posts, sorted(posts, key=lambda post: post[1]))
        ids = ", ".join(str(post[0]) for post in posts)
        spam = ", ".join(str(post[0]) for post in posts if "spam" in post[2]) or "0"
        moved = self.story.run(
            f"UPDATE post SET state = 2, verdict = CASE WHEN id IN ({spam}) THEN 'delete' ELSE 'keep' END "
            f"WHERE category = '{category}' AND state = 1 AND at BETWEEN {posts[0][1]} AND {posts[-1][1]} AND id IN ({ids})",
            client=client)
        support.equal(moved.affected, len(posts))

    def guarded(self, function, *arguments):
        try:
            function(*arguments)
        except BaseException as failure:  # pylint: disable=broad-except
            self.failures.append(failure)
            self.all_written.set()

    def work(self, write):
        """Returns the seconds that it took."""
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
        return time.perf_counter() - begun


def play(story):
    posts = list(story.generate.post(story.scale))
    story.define()
    story.load("post", story.generate.COLUMNS, posts[:len(posts) // 2])
    story.step("1-oldest")
    first = story.step("2-take")[-1].rows

    story.tell(f"Now {N_OPERATORS} operators, each on a connection of its own, take 100 posts again and again and give their verdicts,\n"
               "while the other half of the posts is written.")
    daemons = [story.stage.daemons[0]]
    if story.stage.store == "hbase":
        story.say("  half of them through a second kvsqld on the same HBase")
        daemons.append(story.stage.start())
    office = Office(story, daemons)
    office.judge(story.client, "blog", first)
    seconds = office.work(lambda: story.load("post", story.generate.COLUMNS, posts[len(posts) // 2:]))
    taken = office.taken + [("blog", post[0]) for post in first]
    support.equal(len(taken), len(set(taken)))
    support.equal(set(taken), {(post[0], post[3]) for post in posts})
    story.say(f"  {len(taken):,} posts were handed out, none twice and none forgotten")
    story.figure("posts taken and judged in a second", len(office.taken) / seconds)
    story.step("4-done")
