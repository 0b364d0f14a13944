#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Posts are handed out by UPDATE … LIMIT … RETURNING, whose state is a part of the KEY, while kvsqld is killed in the middle.

No post is handed out twice, none gets lost, none sticks, and both schemas have the same posts, read without kvsqld. The relation
is that of the Orion scenario (tests/scenarios/orion), with a second schema.
"""

import os
import random
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

if not os.environ.get("KVSQL_TEST_HBASE_URL"):
    support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")

from client import Client, SqlError  # noqa: E402 pylint: disable=wrong-import-position
from killing_relay import AFTER, BEFORE, LATE  # noqa: E402 pylint: disable=wrong-import-position
from thrift.transport.TTransport import TTransportException  # noqa: E402 pylint: disable=wrong-import-position
from writers import AFTER_ANSWER, Writers, kill  # noqa: E402 pylint: disable=wrong-import-position

N_KILLS = int(os.environ.get("KVSQL_TEST_KILLS") or 10)
SEED = int(os.environ.get("KVSQL_TEST_SEED") or time.time())
AT_ONCE = 5
AT_A_TIME = 3  # posts of a statement
N_REQUESTS = 30  # of a statement, about
LONGEST = 10  # s, of a statement of the survivor
RECOVERED = 120
CONFIGURATION = "[kvsqld]\nlate_request_s = 20\ndelete_grace_s = 3600\n"

DEFINITIONS = (
    "DEFINE RELATION post { category STRING KEY, state INT KEY, at BIGINT KEY, id BIGINT KEY, body STRING }",
    "DEFINE PRIMARY SCHEMA post_queue FOR post { TABLE 'post', ROW suffix('_'){category}:regexp('[012]'){text(1){state}}:'_':"
    "regexp('[0-9]{13}'){text(13){at}}:'_':text{id}, FAMILY 'v', QUALIFIER '', VALUE body }",
    "DEFINE SCHEMA post_by_id FOR post { TABLE 'post_id', ROW text(6){id}:suffix('_'){category}:text(1){state}:text(13){at}, "
    "FAMILY 'v', QUALIFIER '', VALUE body }",
)
WAITING, IN_WORK = 0, 1
FIRST_AT = 1_700_000_000_000
TAKE = (f"UPDATE post SET state = {IN_WORK} WHERE category = 'blog' AND state = {WAITING} ORDER BY at LIMIT {AT_A_TIME} "
        "RETURNING id")


def value_of(state, post):
    return f"('blog', {state}, {FIRST_AT + post}, {post}, 'text of {post}')"


class HandOut(Writers):
    def __init__(self):
        super().__init__("handout", DEFINITIONS, ["INSERT INTO post VALUES ('probe', 2, 1700000000000, 999999, '')"], CONFIGURATION)
        self.lock = threading.Lock()
        self.posts = set()
        self.taken = []  # ids, of each answer
        self.n_killed = 0

    def write_posts(self, n):
        new = range(len(self.posts), len(self.posts) + n)
        self.survivor().query("INSERT INTO post VALUES " + ", ".join(value_of(WAITING, post) for post in new))
        self.posts.update(new)

    def take(self, client):
        """Returns how many; None: the answer did not come."""
        try:
            ids = [row[0] for row in client.rows(TAKE)]
        except (TTransportException, OSError, EOFError):
            return None
        except SqlError as error:
            if error.sqlstate not in ("40001", "40003"):  # another operator was first, or it is unknown
                raise
            return None
        with self.lock:
            self.taken += ids
        return len(ids)

    def take_and_be_killed(self):
        daemon, relay = self.start_writer()
        is_killed = threading.Event()
        def kill_it():
            kill(daemon)
            is_killed.set()
        relay.arm(random.randrange(N_REQUESTS), random.choice((BEFORE, AFTER, LATE)), kill_it)
        with Client(("127.0.0.1", daemon.port), timeout_ms=60000) as client:
            self.take(client)
        is_killed.wait(AFTER_ANSWER)
        with self.lock:
            self.n_killed += is_killed.is_set()
        kill(daemon)

    def take_until(self, is_over):
        with self.survivor() as client:
            while not is_over.is_set():
                begun = time.monotonic()
                self.take(client)
                seconds = time.monotonic() - begun
                assert seconds < LONGEST, f"a statement took {seconds:.1f} s"
                is_over.wait(0.3)

    def guarded(self, failures, function, *arguments):
        try:
            function(*arguments)
        except BaseException as failure:  # pylint: disable=broad-except
            failures.append(failure)

    def run_some(self, n):
        self.write_posts(6 * n)
        is_over, failures = threading.Event(), []
        other = threading.Thread(target=self.guarded, args=(failures, self.take_until, is_over))
        killed = [threading.Thread(target=self.guarded, args=(failures, self.take_and_be_killed)) for _ in range(n)]
        for thread in (other, *killed):
            thread.start()
        for thread in killed:
            thread.join()
        is_over.set()
        other.join()
        if failures:
            raise failures[0]

    def states(self):
        """The (id, state) of each schema, sorted."""
        queue = sorted((int(row.split(b"_")[3]), int(row.split(b"_")[1])) for row, _ in self.cells("post")
                       if row.startswith(b"blog_"))
        by_id = sorted((int(row[:6]), int(row.split(b"_")[1][:1])) for row, _ in self.cells("post_id") if row[6:].startswith(b"blog_"))
        return queue, by_id

    def complaint(self):
        """What is wrong with the posts as they are; None: nothing."""
        queue, by_id = self.states()
        if queue != by_id:
            return f"the schemas differ: {set(queue) ^ set(by_id)}"
        if [post for post, _ in queue] != sorted(self.posts):
            return f"posts are missing or there twice: {queue}"
        if again := [post for post, state in queue if state == WAITING and post in self.taken]:
            return f"they were taken, and wait: {again}"
        return None

    def check_kills(self):
        for first in range(0, N_KILLS, AT_ONCE):
            self.run_some(min(AT_ONCE, N_KILLS - first))
            support.equal(len(self.taken), len(set(self.taken)))
        print(f"# {self.n_killed} of {N_KILLS} were killed in a statement", flush=True)
        assert self.n_killed > N_KILLS / 3

    def check_posts(self):
        """What was left is finished, and all posts can be taken."""
        end = time.monotonic() + RECOVERED
        with self.survivor() as client:
            while self.take(client) != 0:
                assert time.monotonic() < end, "there are always posts to take"
        while complaint := self.complaint():
            assert time.monotonic() < end, complaint
            time.sleep(0.5)
        support.equal(len(self.taken), len(set(self.taken)))
        support.equal({state for _, state in self.states()[0]}, {IN_WORK})
        unknown = len(self.posts) - len(self.taken)
        print(f"# {len(self.posts)} posts: {len(self.taken)} were handed out, {unknown} by statements without an answer", flush=True)

    def check_waiting_again(self):
        """A post that was taken is inserted again as waiting: another tuple, which cannot be taken, and neither gets lost."""
        post = self.taken[0]
        with self.survivor() as client:
            client.query(f"INSERT INTO post VALUES {value_of(WAITING, post)}")
            try:
                client.rows(TAKE)
                raise AssertionError("it was taken")
            except SqlError as error:
                support.equal(error.sqlstate, "23505")
            support.equal(client.rows(f"SELECT state FROM post WHERE id = {post} ORDER BY state"), [(WAITING,), (IN_WORK,)])
            client.query(f"DELETE FROM post WHERE category = 'blog' AND state = {WAITING}")
            support.equal(client.rows(TAKE), [])
            support.equal(client.rows("VERIFY SCHEMA post_by_id"), [])
        support.equal(self.complaint(), None)


def main():
    random.seed(SEED)
    print(f"# KVSQL_TEST_SEED={SEED}", flush=True)
    hand_out = None
    try:
        hand_out = HandOut()
        return support.run([("/hand-out/kills", hand_out.check_kills), ("/hand-out/posts", hand_out.check_posts),
                            ("/hand-out/waiting-again", hand_out.check_waiting_again)])
    finally:
        if hand_out is not None:
            hand_out.close()


if __name__ == "__main__":
    sys.exit(main())
