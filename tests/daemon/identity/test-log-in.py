#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Roles and log-ins, through both front ends: who gets in, who does not, and what is never shown."""

import concurrent.futures
import os
import pathlib
import pwd
import random
import re
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.parse

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"),
                str(pathlib.Path(__file__).resolve().parents[1] / "postgres")]
import scram  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position
import wire  # noqa: E402 pylint: disable=wrong-import-position
from client import Client, ErrorCode  # noqa: E402 pylint: disable=wrong-import-position
from kvsql.ttypes import Value  # noqa: E402 pylint: disable=wrong-import-position,import-error
from thrift.Thrift import TException  # noqa: E402 pylint: disable=wrong-import-position,import-error
from scram import Scram, encode, refusal  # noqa: E402 pylint: disable=wrong-import-position
from support import equal  # noqa: E402 pylint: disable=wrong-import-position

PASSWORD = "p,e=n c'il"
KVSQLCTL = support.TOP_BUILD / "kvsqlctl"

server = scram.Server("log-in")


def administer(sql):
    with Client(server.socket_path) as client:
        return client.rows(sql)


# ---- the Thrift front end

def log_in(user, password, change=lambda message: message):
    """A client that has logged in. @change: of the final message."""
    return scram.log_in(("127.0.0.1", server.thrift), user, password, change)


def in_parallel(calls):
    """The results of all: the daemon delays each failure of a peer, but not one after the other."""
    with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
        return [each.result() for each in [pool.submit(call) for call in calls]]


def test_nothing_before_log_in():
    for call in (lambda each: each.call.hello(1, "x"), lambda each: each.query("SELECT 1"), lambda each: each.call.closeCursor(b"x"),
                 lambda each: each.call.prepare("SELECT 1")):
        with Client(("127.0.0.1", server.thrift)) as client:
            error = refusal(lambda client=client, call=call: call(client))
            equal((error.code, error.sqlstate, error.message), (ErrorCode.AUTHENTICATION, "28000", "this address of kvsqld requires a log-in"))


def test_long_message_before_log_in():
    """Before a log-in, what costs memory is not read."""
    for sent in ("x" * 20000, "x" * 10 ** 6):
        with Client(("127.0.0.1", server.thrift)) as client:
            try:
                client.call.beginAuthentication(sent, b"")
            except (EOFError, OSError, TException):
                continue
            raise AssertionError("it was read")


def test_thrift():
    for password in (PASSWORD, "second"):
        administer(f"ALTER ROLE ann PASSWORD '{password.replace(chr(39), 2 * chr(39))}'")
        with log_in("ann", password) as client:
            equal(client.rows("SELECT 1 AS one"), [(1,)])
            error = refusal(lambda client=client: client.query("CREATE ROLE other"))
            equal((error.code, error.sqlstate, error.message), (ErrorCode.NOT_ALLOWED, "42501", "permission denied to change roles"))
            error = refusal(lambda client=client: client.query("BACKUP TO 'x'"))
            equal((error.code, error.sqlstate, error.message), (ErrorCode.NOT_ALLOWED, "42501", "permission denied"))
            equal(refusal(lambda client=client: client.query("KILL SESSION 1")).message, "there is no session 1")
            equal(client.rows(f"SELECT length('{'x' * 100000}') AS n"), [(100000,)])
            values = [Value(i=i) for i in range(20000)]
            equal(client.rows("SELECT count(*) AS n FROM (SELECT 1 AS a) x WHERE a IN (" + ", ".join(["?"] * len(values)) + ")", *values), [(1,)])
    administer(f"ALTER ROLE ann PASSWORD '{PASSWORD.replace(chr(39), 2 * chr(39))}'")
    with log_in("admin", PASSWORD) as client:
        client.query("CREATE ROLE `a,=b` LOGIN PASSWORD 'x'")
        equal(refusal(lambda: client.query("KILL 123456789")).code, ErrorCode.UNKNOWN_NAME)
    with log_in("a,=b", "x") as client:
        equal(client.rows("SELECT 2 AS two"), [(2,)])
    administer("DROP ROLE `a,=b`")


def test_failures():
    """A wrong password, and roles without one that counts, are answered equally. No truncated or changed message gets in, and no replayed one."""
    chosen = random.Random(7)

    def mutate(message):
        at = chosen.randrange(len(message))
        return message[:at] if chosen.random() < 0.5 else message[:at] + bytes([message[at] ^ (1 << chosen.randrange(8))]) + message[at + 1:]

    sent = []
    with log_in("ann", PASSWORD, lambda message: sent.append(message) or message):
        pass
    changes = [mutate] * 20 + [lambda _: sent[0]]
    users = ("ann", "noname", "nologin", "nopassword", "expired", "")
    started = time.monotonic()
    errors = in_parallel([lambda user=user: refusal(lambda: log_in(user, "wrong" if user == "ann" else PASSWORD)) for user in users]
                         + [lambda change=change: refusal(lambda: log_in("ann", PASSWORD, change)) for change in changes])
    assert time.monotonic() - started > 3, "a peer that has failed often waits for its next failure"

    def seconds_of_log_in():
        begun = time.monotonic()
        with log_in("ann", PASSWORD):
            return time.monotonic() - begun
    # a busy machine may take as long, but not each time
    assert any(seconds_of_log_in() < 2 for _ in range(5)), "and not for its success"
    for error in errors[len(users):]:
        assert error.code in (ErrorCode.AUTHENTICATION, ErrorCode.PROTOCOL), error
    answers = {}
    for user, error in zip(users, errors):
        equal((error.code, error.sqlstate), (ErrorCode.AUTHENTICATION, "28P01"))
        answers[user] = error.message.replace(f'"{user}"', '"…"'), error.hint, error.detail
    equal(set(answers.values()), {('password authentication failed for user "…"', None, None)})


def test_challenge_of_unknown_roles():
    """It has the shape of the others, and the same salt at each attempt."""
    def challenge(user):
        with Client(("127.0.0.1", server.thrift)) as client:
            answer = client.call.beginAuthentication("SCRAM-SHA-256", scram.Scram(user, "").first()).decode()
        return dict(each.split("=", 1) for each in answer.split(","))

    known, first, second, other = challenge("ann"), challenge("noname"), challenge("noname"), challenge("noone")
    equal(known["i"], first["i"])
    equal(len(known["s"]), len(first["s"]))
    equal(len(known["r"]), len(first["r"]))
    equal(first["s"], second["s"])
    assert first["r"] != second["r"] and first["s"] != other["s"]


def test_order_of_calls():
    with Client(("127.0.0.1", server.thrift)) as client:
        equal(refusal(lambda: client.call.finishAuthentication(b"x")).code, ErrorCode.PROTOCOL)
    with Client(("127.0.0.1", server.thrift)) as client:
        equal(refusal(lambda: client.call.beginAuthentication("PLAIN", b"x")).code, ErrorCode.UNSUPPORTED)
    with Client(("127.0.0.1", server.thrift)) as client:
        client.call.beginAuthentication("SCRAM-SHA-256", scram.Scram("ann", PASSWORD).first())
        equal(refusal(lambda: client.call.beginAuthentication("SCRAM-SHA-256", scram.Scram("ann", PASSWORD).first())).code, ErrorCode.PROTOCOL)


def test_role_is_taken_away():
    """A session ends with its role; a cursor is of no use without one."""
    administer("CREATE ROLE brief LOGIN PASSWORD 'x'")
    with log_in("brief", "x") as client:
        statement = client.call.prepare("SELECT 1 AS one").id
        cursor = client.query("SELECT * FROM (VALUES (1), (2)) AS two", maxRows=1).cursor
        assert cursor is not None
        administer("ALTER ROLE brief NOLOGIN")
        for call in (lambda: client.query("SELECT 1"), lambda: client.call.execute(statement, [], None), lambda: client.call.fetch(cursor, None),
                     lambda: client.call.explain("SELECT 1", [], False, None), lambda: client.call.prepare("SELECT 1")):
            equal(refusal(call).message, 'role "brief" is not permitted to log in any more')
        administer("DROP ROLE brief")
        equal(refusal(lambda: client.query("SELECT 1")).message, 'role "brief" does not exist any more')


def test_role_is_another_one():
    """A session does not become one of a role of the same name that is created later."""
    for sql in ("CREATE ROLE again LOGIN PASSWORD 'x'", "CREATE ROLE acted", "GRANT acted TO again"):
        administer(sql)
    with log_in("again", "x") as client, log_in("again", "x") as late:
        client.query("SET ROLE acted")
        equal(client.rows("SELECT current_user"), [("acted",)])
        administer("DROP ROLE acted")
        administer("CREATE ROLE acted SYSID 7 ROLE again")
        equal(refusal(lambda: client.query("SELECT 1")).message, 'role "acted" does not exist any more')
        client.query("RESET ROLE")
        client.query("SET ROLE acted")
        administer("ALTER ROLE again PASSWORD 'y'")
        equal(client.rows("SELECT current_user"), [("acted",)])
        administer("DROP ROLE again")
        administer("CREATE ROLE again LOGIN PASSWORD 'z'")
        equal([refusal(lambda each=each: each.query("SELECT 1")).message for each in (client, late)],
              ['role "again" does not exist any more'] * 2)
    with log_in("again", "z") as client:
        equal(client.rows("SELECT current_user"), [("again",)])


# ---- PostgreSQL's front end

def pg_log_in(user, password, mechanism="SCRAM-SHA-256"):
    """The error of a log-in, or None."""
    peer = wire.Peer(("127.0.0.1", server.postgres), begins=False)
    exchange = scram.Scram("", password)
    peer.send(wire.startup(user=user))
    equal(peer.read(), ("R", b"\0\0\0\x0aSCRAM-SHA-256\0\0"))
    first = exchange.first()
    peer.send(wire.message("p", wire.text(mechanism) + len(first).to_bytes(4, "big") + first))
    kind, body = peer.read()
    if kind == "E":
        return body
    equal((kind, body[:4]), ("R", b"\0\0\0\x0b"))
    peer.send(wire.message("p", exchange.final(body[4:])))
    kind, body = peer.read()
    if kind == "E":
        return body
    equal((kind, body), ("R", b"\0\0\0\x0c" + exchange.signature))
    equal(peer.read(), ("R", b"\0\0\0\0"))
    return None


def psql(user, password, *options, host=None, port=None):
    if shutil.which("psql") is None:
        raise support.Skip("psql is not installed: apt-get install postgresql-client-15")
    return subprocess.run(["psql", "-X", "-A", "-t", "-h", host or "127.0.0.1", "-p", str(port or server.postgres), "-U", user, "-d", "x", *options],
                          env={**os.environ, "PGPASSWORD": password}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=60, check=False).stdout.strip()


def test_psql():
    equal(psql("ann", PASSWORD, "-c", "SELECT current_user"), "ann")
    assert psql("ann", "wrong", "-c", "SELECT 1").endswith('FATAL:  password authentication failed for user "ann"')
    assert psql("ann", "", "-c", "SELECT 1").endswith("no password supplied")
    assert psql("ann", PASSWORD, "-c", "CREATE ROLE x").startswith("ERROR:  permission denied to change roles")
    equal(psql("admin", PASSWORD, "-c", "CREATE ROLE x", "-c", "ALTER USER x SUPERUSER", "-c", "DROP ROLE x"), "CREATE ROLE\nALTER ROLE\nDROP ROLE")


def test_peer():
    """The daemon's own user may be each role over a UNIX socket, and administers where there is no such role."""
    equal(psql("ann", "", "-c", "SELECT current_user", host=server.directory, port=5433), "ann")
    assert psql("ann", "", "-c", "CREATE ROLE x", host=server.directory, port=5433).startswith("ERROR:  permission denied")
    equal(psql("anyone", "", "-c", "CREATE ROLE x", "-c", "DROP ROLE x", host=server.directory, port=5433), "CREATE ROLE\nDROP ROLE")
    assert psql("nologin", "", "-c", "SELECT 1", host=server.directory, port=5433).endswith('role "nologin" is not permitted to log in any more')


def test_other_system_users():
    """Over a UNIX socket a client is the role of its system user, once there are roles."""
    if os.geteuid() != 0:
        raise support.Skip("only root can be another user")
    user = 65534
    name = pwd.getpwuid(user).pw_name
    folder = support.temporary_folder("users")
    own = support.Daemon(folder=folder, configuration="[kvsqld]\nsocket_mode = 0666\n", options=[f"--postgres-listen=unix://{folder}"])
    own.process.stdout.readline()

    def ask(sql, asked=name):
        """As that user, through a connection of its own: a child keeps the user id, and not the files that it may not read."""
        child = os.fork()
        if child == 0:
            os.setgroups([])
            os.setresuid(user, user, user)
            try:
                with wire.Peer(f"{folder}/.s.PGSQL.5433", begins=False) as peer:
                    peer.send(wire.startup(user=asked))
                    messages = peer.until("ZE")
                    if messages[-1][0] == "Z":
                        messages = peer.ask(wire.query(sql))
                    errors = [body["M"] for kind, body in messages if kind == "E"]
                (result / str(os.getpid())).write_text(str(errors))
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        return (result / str(child)).read_text()

    result = support.temporary_folder("users-results")
    for path in (folder, result, *folder.parents, *result.parents):
        if path.owner() == "root" and str(path).startswith("/tmp"):
            path.chmod(path.stat().st_mode | 0o011)
    result.chmod(0o777)
    with wire.Peer(f"{folder}/.s.PGSQL.5433") as root:
        equal(ask("SELECT 1"), "[]")
        equal(ask("CREATE ROLE x"), "['permission denied to change roles']")
        equal(ask("KILL 123456789"), "['no statement 123456789 is running']")
        root.rows("CREATE ROLE other LOGIN SUPERUSER")
        equal(ask("SELECT 1"), f"['there is no role for system user \"{name}\"']")
        equal(ask("SELECT 1", "other"), f"['there is no role for system user \"{name}\"']")
        root.rows(f"CREATE ROLE {name}")
        equal(ask("SELECT 1"), f"['there is no role for system user \"{name}\"']")
        root.rows(f"ALTER ROLE {name} LOGIN")
        equal(ask("SELECT 1"), "[]")
        equal(ask("SELECT 1", "other"), "['Peer authentication failed for user \"other\"']")
        equal(ask("CREATE ROLE x"), "['permission denied to change roles']")
        equal(ask("KILL 123456789"), "['no statement 123456789 is running']")
        root.rows(f"ALTER ROLE {name} SUPERUSER")
        equal(ask("CREATE ROLE x"), "[]")
    equal(own.stop(), 0)


# ---- kvsqlctl

def kvsqlctl(uri, *words, script="", **environment):
    done = subprocess.run([str(KVSQLCTL), "--connect", uri, *words], input=script, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**os.environ, "HOME": server.directory, **environment}, timeout=60, check=False, start_new_session=True)
    assert done.returncode >= 0, done.stdout
    return done.returncode, done.stdout


def test_kvsqlctl():
    local, host = f"unix://{server.socket_path}", f"127.0.0.1:{server.thrift}"
    equal(kvsqlctl(local, "user", "add", "Carl", script=PASSWORD + "\n"), (0, "OK\n"))
    quoted = "p%2Ce=n c'il"
    equal(kvsqlctl(f"kvsql://Carl:{quoted}@{host}", "exec", "SELECT 1 AS one", "-o", "csv"), (0, "one\n1\n"))
    equal(kvsqlctl(local, "user", "passwd", "Carl", script="other\n"), (0, "OK\n"))
    status, output = kvsqlctl(f"kvsql://Carl:{quoted}@{host}", "exec", "SELECT 1")
    assert status == 3 or status == 1, output
    assert 'password authentication failed for user "Carl"' in output and "il" not in output.split("Carl")[1], output
    assert "Carl" in kvsqlctl(local, "user", "list")[1]
    status, output = kvsqlctl(f"kvsql://{host}", "exec", "SELECT 1")
    assert "requires a log-in" in output and status != 0, output
    status, output = kvsqlctl(f"kvsql://Carl@{host}", "exec", "SELECT 1")
    assert "there is no password for user" in output and status != 0, output

    file = pathlib.Path(server.directory) / "passwords"
    file.write_text(f"# of tests\nelsewhere:*:*:no\n127.0.0.1:{server.thrift}:Carl:other\n")
    file.chmod(0o600)
    equal(kvsqlctl(f"kvsql://Carl@{host}", "exec", "SELECT 1 AS one", "-o", "csv", KVSQL_PASSFILE=str(file)), (0, "one\n1\n"))
    file.chmod(0o644)
    output = kvsqlctl(f"kvsql://Carl@{host}", "exec", "SELECT 1", KVSQL_PASSFILE=str(file), G_DEBUG="")[1]
    assert output.startswith(f'warning: password file "{file}" is not used: other users can read it'), output
    equal(kvsqlctl(local, "exec", "DROP ROLE `Carl`"), (0, "OK\n"))


def test_password_with_signs_of_a_uri():
    """As it is, or escaped, it is the password; or the URI is refused, without showing it."""
    local, host = f"unix://{server.socket_path}", f"127.0.0.1:{server.thrift}"
    for password in ("a@b", "a?b", "a%b", "a/b:c,d", "?", "@"):
        equal(kvsqlctl(local, "exec", f"CREATE ROLE odd LOGIN PASSWORD '{password}'"), (0, "OK\n"))
        escaped = urllib.parse.quote(password, safe="")
        equal(kvsqlctl(f"kvsql://odd:{escaped}@{host}", "exec", "SELECT 1 AS one", "-o", "csv"), (0, "one\n1\n"))
        status, output = kvsqlctl(f"kvsql://odd:{password}@{host}", "exec", "SELECT 1 AS one", "-o", "csv")
        if "?" in password or "%" in password:
            assert status != 0 and "hint: Write " in output and f":{password}" not in output, output
        else:
            equal((status, output), (0, "one\n1\n"))
        equal(kvsqlctl(local, "exec", "DROP ROLE odd"), (0, "OK\n"))


class FalseServer:
    """Answers the two calls of a log-in with these messages; @size: announced of the second frame, instead of its own."""

    def __init__(self, challenge, final=b"", size=None):
        self.challenge, self.final, self.size = challenge, final, size
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.uri = f"kvsql://ann:s3cret@127.0.0.1:{self.socket.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        peer, _ = self.socket.accept()
        with peer:
            for name, answer in (("beginAuthentication", self.challenge), ("finishAuthentication", self.final)):
                try:
                    request = peer.recv(65536)
                except ConnectionResetError:
                    return
                if not request:
                    return
                sequence = request[4 + 8 + len(name):][:4]
                nonce = request.split(b",r=")[1].split(b"\0")[0] if b",r=" in request and name.startswith("begin") else b""
                answer = answer.replace(b"NONCE", nonce)
                body = (b"\x80\x01\0\x02" + struct.pack(">i", len(name)) + name.encode() + sequence + b"\x0b\0\0" + struct.pack(">i", len(answer))
                        + answer + b"\0")
                try:
                    peer.sendall(struct.pack(">I", self.size or len(body)) + body)
                except OSError:
                    return


def test_false_server():
    """A server that only seems to be kvsqld learns no password, and gets no memory or time of the client."""
    good = b"r=NONCEmore,s=AAAA,i=4096"
    false = "hint: The peer is no kvsqld, or a false one."
    for words, reason, hint in (
            ((b"",), "the server's SCRAM message is malformed", false),
            ((b"r=other,s=AAAA,i=4096",), "malformed", false),
            ((b"r=NONCE,s=AAAA,i=4096",), "malformed", false),
            ((b"r=NONCEmore,s=,i=4096",), "malformed", false),
            ((b"r=NONCEmore,s=AAAA,i=1000000000",), "malformed", false),
            ((b"r=NONCEmore,s=AAAA,i=-1",), "malformed", false),
            ((b"\xff\0\xff",), "malformed", false),
            ((b"x" * 10 ** 6,), "no log-in: frame of", false),
            ((good, b"v=x", 2 ** 31 - 1), "no log-in: frame of", false),
            ((good, b""), "does not know the password's verifier", "hint: The server accepts the password without knowing it"),
            ((good, b"v=" + encode(bytes(32)).encode()), "does not know the password's verifier", "hint: The server accepts")):
        started = time.monotonic()
        status, output = kvsqlctl(FalseServer(*words).uri, "exec", "SELECT 1")
        assert status != 0 and reason in output and hint in output and "s3cret" not in output, (words[0][:40], output)
        assert time.monotonic() - started < 10


# ---- secrets

def test_no_secret_is_shown():
    """Neither a password nor a verifier, in what statements return, in errors, in the log, in other users' view of files."""
    folder = pathlib.Path(server.directory) / "registry"
    verifier = [line.split("'")[1] for line in (folder / "definitions").read_text().splitlines() if "CREATE ROLE `ann`" in line][0]
    secrets = [verifier, verifier.split("$")[2].split(":")[0], "s3cret-word"]
    with Client(server.socket_path) as client:
        client.query("CREATE ROLE holder PASSWORD 's3cret-word'")
        shown = [client.rows(each) for each in ("SHOW ROLES", "SHOW HISTORY", "SHOW HISTORY FOR ann", "SHOW HISTORY FOR holder", "SHOW STATEMENTS",
                                                "SHOW SESSIONS", "SHOW STATUS")]
        for sql in ("CREATE ROLE holder PASSWORD 's3cret-word'", "ALTER ROLE nosuch PASSWORD 's3cret-word'", "CREATE ROLE x PASSWORD 's3cret-word' x",
                    "CREATE ROLE x PASSWORD 's3cret-word\u00ad'", "EXPLAIN CREATE ROLE x PASSWORD 's3cret-word'",
                    "CREATE ROLE x PASSWORD 's3cret-word' PASSWORD 'y'", "DROP ROLE holder PASSWORD 's3cret-word'"):
            error = refusal(lambda sql=sql: client.query(sql))
            shown.append([error.message, error.detail, error.hint])
        client.query("DROP ROLE holder")
    text = str(shown) + server.log.read_text() + (folder / "history").read_text()
    for secret in secrets:
        assert secret not in text, [each for each in shown if secret in str(each)]
    assert "CREATE ROLE holder PASSWORD ?" in (folder / "history").read_text()
    for path in folder.iterdir():
        equal((path.name, path.stat().st_mode & 0o077), (path.name, 0))


def test_log_of_failures():
    """Of many failures in a short time, only the first have a line."""
    text = server.log.read_text()
    assert re.search('log-in as "(noname|nologin|nopassword|expired)" from 127.0.0.1 failed', text), text


def test_pg_messages():
    equal(pg_log_in("ann", PASSWORD), None)
    error = pg_log_in("ann", "wrong")
    equal((error["S"], error["C"], error["M"]), ("FATAL", "28P01", 'password authentication failed for user "ann"'))
    error = pg_log_in("ann", PASSWORD, mechanism="SCRAM-SHA-256-PLUS")
    equal((error["S"], error["C"]), ("FATAL", "08P01"))


TESTS = [test_nothing_before_log_in, test_long_message_before_log_in, test_thrift, test_challenge_of_unknown_roles, test_role_is_taken_away, test_role_is_another_one, test_psql, test_peer, test_other_system_users, test_kvsqlctl, test_password_with_signs_of_a_uri,
         test_false_server,
         test_no_secret_is_shown, test_pg_messages, test_order_of_calls, test_failures, test_log_of_failures]

if __name__ == "__main__":
    SQL_PASSWORD = "'" + PASSWORD.replace("'", "''") + "'"
    administer(f"CREATE ROLE admin LOGIN SUPERUSER PASSWORD {SQL_PASSWORD}")
    administer(f"CREATE USER ann PASSWORD {SQL_PASSWORD}")
    administer(f"CREATE ROLE nologin PASSWORD {SQL_PASSWORD}")
    administer("CREATE ROLE nopassword LOGIN")
    administer(f"CREATE ROLE expired LOGIN PASSWORD {SQL_PASSWORD} VALID UNTIL '2024-02-29'")
    sys.exit(support.run([("/log-in/" + test.__name__.removeprefix("test_").replace("_", "-"), test) for test in TESTS]))
