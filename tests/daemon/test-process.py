#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""kvsqld as a process: options, exit statuses, signals, what the service manager hears and hands over."""

import contextlib
import fcntl
import os
import pathlib
import pwd
import re
import signal
import socket
import subprocess
import sys
import termios
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

PROGRAM = support.TOP_BUILD / "kvsqld"
SECONDS = 60  # longest wait for anything; sanitizers are slow

# hello (1, "t") in the framed binary format, and how its reply begins
HELLO = (b"\x80\x01\x00\x01\x00\x00\x00\x05hello\x00\x00\x00\x01"
         b"\x08\x00\x01\x00\x00\x00\x01\x0b\x00\x02\x00\x00\x00\x01t\x00")
REPLY = b"\x80\x01\x00\x02\x00\x00\x00\x05hello"


def framed(message):
    return len(message).to_bytes(4, "big") + message


def receive(connection, count):
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            break
        data += part
    return data


def says_hello(connection):
    connection.sendall(framed(HELLO))
    size = int.from_bytes(receive(connection, 4), "big")
    return receive(connection, size).startswith(REPLY)


def connect(port):
    return socket.create_connection(("127.0.0.1", port), SECONDS)


def run(*arguments):
    return subprocess.run([str(PROGRAM), *arguments], capture_output=True, text=True, timeout=SECONDS, check=False)


def wait_for(what, condition):
    limit = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > limit:
            raise AssertionError(f"timed out: {what}")
        time.sleep(0.02)


@contextlib.contextmanager
def running(*options, environment=None, configuration="", **popen):
    """A kvsqld on a free port with its folder; .log() is what it logged, .port where it listens."""
    folder = support.temporary_folder("process")
    path = folder / "kvsqld.conf"
    path.write_text(configuration)
    command = [str(PROGRAM), f"--config={path}", "--store=memory:", f"--registry=local://{folder}/registry",
               "--listen=tcp://127.0.0.1:0?auth=none", *options]
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                                   env={**os.environ, **(environment or {})}, **popen)
    process.folder, process.configuration = folder, path
    process.log = (folder / "log").read_text
    try:
        line = process.stdout.readline().decode()
        assert line.startswith("listening on "), process.log()
        process.port = int(line.rsplit(":", 1)[1])
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()


def ends_with(process, status):
    support.equal(process.wait(SECONDS), status)


# ---- options

def test_version():
    done = run("--version")
    support.equal((done.returncode, done.stdout.split()[0]), (0, "kvsqld"))


def test_check_config():
    folder = support.temporary_folder("config")
    good, bad = folder / "good", folder / "bad"
    good.write_text("[kvsqld]\nstore = memory:\nregistry = zookeeper://u:hunter2@h:1/c\n")
    bad.write_text("[limits]\npage_rowz = 1\n")

    done = run("--check-config", f"--config={good}")
    support.equal(done.returncode, 0)
    assert "store = memory:" in done.stdout and "page_rows = 5000" in done.stdout, done.stdout
    assert "hunter2" not in done.stdout + done.stderr

    done = run("--check-config", f"--config={bad}")
    support.equal((done.returncode, done.stdout), (2, ""))
    assert "page_rowz" in done.stderr and "page_rows" in done.stderr, done.stderr


def test_wrong_use():
    for arguments in (["--nonsense"], ["stray"], ["--config=/nonexistent"], ["--listen=nowhere"],
                      ["--log-level=loud"]):
        done = run(*arguments)
        support.equal((arguments, done.returncode, done.stdout), (arguments, 2, ""))
        assert done.stderr.startswith("kvsqld: "), done.stderr


def test_cannot_start():
    """What fails at start is said once, and the exit status is 1."""
    folder = support.temporary_folder("start")
    (folder / "conf").write_text("")
    (folder / "file").write_text("")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for options in (["--store=nonsense:"], [f"--store=rocksdb://{folder}/file"], ["--registry=nonsense:"],
                        [f"--listen=tcp://127.0.0.1:{port}?auth=none"], [f"--listen=unix://{folder}/none/sock"]):
            done = run(f"--config={folder}/conf", "--store=memory:", f"--registry=local://{folder}/registry", *options)
            support.equal((options, done.returncode, done.stdout), (options, 1, ""))
            support.equal(done.stderr.count("could not start"), 1)


# ---- limits, and what is said about them

def query(connection, sql):
    """The reply to query (sql, [], {}), whole."""
    text = sql.encode()
    message = (b"\x80\x01\x00\x01\x00\x00\x00\x05query\x00\x00\x00\x01\x0b\x00\x01" + len(text).to_bytes(4, "big") + text
               + b"\x0f\x00\x02\x0c\x00\x00\x00\x00\x0c\x00\x03\x00\x00")
    connection.sendall(framed(message))
    return receive(connection, int.from_bytes(receive(connection, 4), "big"))


def test_refused_connections_are_logged():
    with running(configuration="[limits]\nmax_connections = 1\n") as process:
        with connect(process.port) as first:
            assert says_hello(first)
            with connect(process.port) as second:
                support.equal(second.recv(1), b"")
            wait_for("the line", lambda: "max_connections is reached" in process.log())
            support.equal(process.log().count("is reached"), 1)


def test_slow_statements_are_logged():
    """With what they asked of the store and without their values; a reload changes what is slow."""
    with running(configuration="[log]\nslow_statement_ms = 1\n") as process:
        with connect(process.port) as connection:
            assert says_hello(connection)
            query(connection, "DEFINE RELATION r { k INT KEY, v STRING }")
            query(connection, "DEFINE PRIMARY SCHEMA r_k FOR r { TABLE 't', ROW k, FAMILY 'f', VALUE v }")
            rows = ", ".join(f"({i}, 'hunter2')" for i in range(2000))
            query(connection, "INSERT INTO r VALUES " + rows)
            wait_for("the line", lambda: "slow statement" in process.log())
            line = next(line for line in process.log().splitlines() if "INSERT INTO r" in line)
            assert "INSERT INTO r VALUES (?)" in line and "session 1 (t, 127.0.0.1)" in line, line
            assert "hunter2" not in process.log()

            process.configuration.write_text("[log]\nslow_statement_ms = 3600000\n")
            process.send_signal(signal.SIGHUP)
            wait_for("the reload", lambda: "configuration read again" in process.log())
            before = process.log().count("slow statement")
            query(connection, "INSERT INTO r VALUES " + rows)
            support.equal(process.log().count("slow statement"), before)


def test_kill_over_the_wire():
    """A statement that another session kills gets its error on a connection that lives on; a killed session ends."""
    with running() as process, connect(process.port) as victim, connect(process.port) as killer:
        assert says_hello(victim) and says_hello(killer)
        assert b"there is no session 99" in query(killer, "KILL SESSION 99")
        assert b"127.0.0.1" in query(killer, "SHOW SESSIONS")
        query(killer, "KILL SESSION 1")
        support.equal(victim.recv(1), b"")
        assert b"127.0.0.1" in query(killer, "SHOW SESSIONS")


def test_users_have_one_name():
    """Who is connected, and who changed a definition, is the same user by the same name."""
    path = support.temporary_folder("users") / "socket"
    user = f"user {pwd.getpwuid(os.getuid()).pw_name}".encode()
    with running(f"--listen=unix://{path}") as process, socket.socket(socket.AF_UNIX) as connection:
        process.stdout.readline()
        connection.connect(str(path))
        assert says_hello(connection)
        query(connection, "DEFINE RELATION named (k INT KEY)")
        for statement in ("SHOW SESSIONS", "SHOW HISTORY"):
            answer = query(connection, statement)
            assert user in answer, (statement, answer)


def test_sessions_are_numbered_as_they_come():
    """However late their threads run: a number means the same connection on both sides."""
    with running() as process, contextlib.ExitStack() as stack:
        connections = [stack.enter_context(connect(process.port)) for _ in range(32)]
        killer = stack.enter_context(connect(process.port))
        assert says_hello(killer)
        for number, victim in enumerate(connections, 1):
            query(killer, f"KILL SESSION {number}")
            support.equal((number, victim.recv(1)), (number, b""))


def test_definitions_are_not_known_yet():
    """Without its registry a new daemon cannot say that a relation does not exist: the client is to try again."""
    with socket.socket() as nothing:
        nothing.bind(("127.0.0.1", 0))
        with running(f"--registry=zookeeper://127.0.0.1:{nothing.getsockname()[1]}/kvsql") as process, connect(process.port) as client:
            assert says_hello(client)
            for statement in ("SELECT a FROM missing", "INSERT INTO missing VALUES (1)", "DESCRIBE missing", "SHOW RELATIONS",
                              "SHOW SCHEMAS", "DROP RELATION IF EXISTS missing", "DROP SCHEMA IF EXISTS missing", "VERIFY SCHEMA missing"):
                answer = query(client, statement)
                assert b"08006" in answer and b"the definitions are not known yet" in answer, (statement, answer)
            assert b"no: ZooKeeper at " in query(client, "SHOW STATUS")


# ---- signals

def test_serves_and_stops():
    for number in (signal.SIGTERM, signal.SIGINT):
        with running() as process:
            with connect(process.port) as connection:
                assert says_hello(connection)
                process.send_signal(number)
                # The connection is idle: it is closed without a wait.
                support.equal(connection.recv(1), b"")
            ends_with(process, 0)


def test_unix_socket():
    folder = support.temporary_folder("socket")
    path = f"{folder}/sock"
    with running(f"--listen=unix://{path}") as process:
        support.equal(process.stdout.readline().decode(), f"listening on unix://{path}\n")
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(path)
            assert says_hello(connection)
        process.kill()
        process.wait()
    # A socket that a dead daemon left is no obstacle; it goes when the daemon stops.
    with running(f"--listen=unix://{path}") as process:
        process.stdout.readline()
        process.terminate()
        ends_with(process, 0)
    assert not os.path.exists(path)


def is_read(connection):
    """Whether nothing that was sent waits for the other side of a UNIX socket."""
    return fcntl.ioctl(connection, termios.TIOCOUTQ, bytes(4)) == bytes(4)


@contextlib.contextmanager
def reading_half_a_request(configuration):
    path = support.temporary_folder("half") / "socket"
    with running(f"--listen=unix://{path}", configuration=configuration) as process, socket.socket(socket.AF_UNIX) as connection:
        process.stdout.readline()
        connection.settimeout(SECONDS)
        connection.connect(str(path))
        assert says_hello(connection)
        connection.sendall(framed(HELLO)[:10])
        wait_for("the daemon reads it", lambda: is_read(connection))
        yield process


def test_second_signal_ends_at_once():
    """A half-sent request holds the drain up; a second signal does not wait for it."""
    with reading_half_a_request("[limits]\ndrain_timeout_s = 600\nread_timeout_ms = 600000\n") as process:
        process.terminate()
        wait_for("the daemon says that it stops", lambda: "stopping" in process.log())
        process.terminate()
        support.equal(process.wait(SECONDS) != 0, True)


def test_drain_has_a_limit():
    with reading_half_a_request("[limits]\ndrain_timeout_s = 1\nread_timeout_ms = 600000\n") as process:
        process.terminate()
        process.wait(SECONDS)


def test_reload():
    with running() as process:
        process.configuration.write_text("[log]\nlevel = debug\ntarget = stderr\n[limits]\npage_rows = 10\n")
        process.send_signal(signal.SIGHUP)
        wait_for("the reload", lambda: "configuration read again" in process.log())
        assert "log.target" in process.log(), process.log()

        process.configuration.write_text("[limits]\nnonsense = 1\n")
        process.send_signal(signal.SIGHUP)
        wait_for("the refusal", lambda: "nonsense" in process.log())
        with connect(process.port) as connection:
            assert says_hello(connection)
        process.terminate()
        ends_with(process, 0)


def settings():
    """{"limits.page_rows": ("5000", reloadable)}: the manual page says which are, and a test holds it to the table."""
    page = (support.TOP_SOURCE / "man" / "kvsqld.conf.5").read_text()
    group, found = "", {}
    for part in re.split(r"^(?=\.SS |\.TP)", page.split(".SH EXAMPLE")[0], flags=re.M):
        if part.startswith(".SS ["):
            group = part[5:part.index("]")]
        elif key := re.match(r"\.TP\n\.BR (\w+) \" = ([^\"]*)\"", part):
            found[f"{group}.{key.group(1)}"] = (key.group(2), "Reloadable." in part)
    return found


def test_reload_of_every_setting():
    """Those that need a restart are named, one by one; all others are taken."""
    known = settings()
    assert len(known) > 30 and known["limits.page_rows"] == ("5000", True), known
    other = {"kvsqld.store": "rocksdb:///nowhere", "kvsqld.registry": "local:///nowhere", "kvsqld.listen": "tcp://127.0.0.1:1?auth=none", "kvsqld.inherited_auth": "none",
             "kvsqld.postgres_listen": "unix:///nowhere", "kvsqld.inherited_tls": "required\ntls_certificate = /nowhere", "kvsqld.tls_certificate": "/nowhere", "kvsqld.tls_key": "/nowhere",
             "kvsqld.tls_client_ca": "/nowhere", "kvsqld.tls_min_version": "1.3", "kvsqld.tls_roles": "name=role",
             "kvsqld.socket_mode": "0600", "kvsqld.backup_directory": "/tmp", "log.level": "debug", "log.target": "stderr", "metrics.listen": "127.0.0.1:1",
             "limits.sort_directory": "/tmp", "log.audit": "on"}
    with running() as process:
        for number, (name, (default, is_reloadable)) in enumerate(known.items()):
            group, key = name.split(".")
            value = other.get(name) or (str(int(default) + 1) if int(default) < 1000 else str(int(default) - 1))
            process.configuration.write_text(f"[{group}]\n{key} = {value}\n")
            before = process.log().count("takes effect after a restart")
            process.send_signal(signal.SIGHUP)
            wait_for(name, lambda: process.log().count("configuration read again") == number + 1)  # pylint: disable=cell-var-from-loop
            named = f"the change of {name} takes effect" in process.log()
            # --store, --registry and --listen of the command line win over the file
            support.equal((name, named), (name, not is_reloadable and name not in ("kvsqld.store", "kvsqld.registry", "kvsqld.listen")))
            assert process.log().count("takes effect after a restart") - before <= 2, name
        assert "configuration not read again" not in process.log()
        assert "the certificate is not read again: could not read the certificate" in process.log()


def test_reload_takes_effect():
    """On connections that are there already, but for the bounds of connections."""
    with running() as process, connect(process.port) as connection:
        assert says_hello(connection)
        assert b"is longer" not in query(connection, "SELECT 1")

        def reload(text):
            before = process.log().count("configuration read again")
            process.configuration.write_text(text)
            process.send_signal(signal.SIGHUP)
            wait_for("the reload", lambda: process.log().count("configuration read again") > before)

        reload("[limits]\nmax_statement_bytes = 1024\n")
        assert b"more than the limit of 1024" in query(connection, "SELECT '" + "x" * 2000 + "'")
        reload("[limits]\nmax_running_statements = 1\nmax_result_bytes = 1\n")
        assert b"the result has more than 1 bytes" in query(connection, "SELECT 1")
        reload("[limits]\nmax_connections = 1\n")
        with connect(process.port) as second:
            support.equal(second.recv(1), b"")
        reload("")
        with connect(process.port) as second:
            assert says_hello(second)
        assert b"more than" not in query(connection, "SELECT '" + "x" * 2000 + "'")


# ---- the service manager

def test_notifies():
    folder = support.temporary_folder("notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(f"{folder}/notify")
        manager.settimeout(SECONDS)
        heard = []

        def hear(word):
            while not any(word in message for message in heard):
                heard.append(manager.recv(4096).decode())
            heard.clear()

        with running(environment={"NOTIFY_SOCKET": f"{folder}/notify", "WATCHDOG_USEC": "200000"}) as process:
            hear("READY=1")
            hear("WATCHDOG=1")
            process.send_signal(signal.SIGHUP)
            hear("RELOADING=1")
            hear("READY=1")
            process.terminate()
            hear("STOPPING=1")
            ends_with(process, 0)


def test_socket_activation():
    """The socket of the service manager is used, the configured addresses are not."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        script = (f"import os, sys; os.dup2({listener.fileno()}, 3, inheritable=True);"
                  "os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1'); os.execv(sys.argv[1], sys.argv[1:])")
        folder = support.temporary_folder("activation")
        (folder / "conf").write_text("[kvsqld]\ninherited_auth = none\n")
        process = subprocess.Popen(
            [sys.executable, "-c", script, str(PROGRAM), f"--config={folder}/conf", "--store=memory:",
             f"--registry=local://{folder}/registry", f"--listen=unix://{folder}/unused"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, pass_fds=[listener.fileno()])
        try:
            support.equal(process.stdout.readline().decode(), f"listening on tcp://127.0.0.1:{port}\n")
            with connect(port) as connection:
                assert says_hello(connection)
            assert not os.path.exists(f"{folder}/unused")
            process.terminate()
            ends_with(process, 0)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            process.stdout.close()


# ---- the log

def test_log_keeps_secrets():
    """Neither the line that says why it could not start, nor anything else."""
    folder = support.temporary_folder("secrets")
    (folder / "conf").write_text("")
    done = run(f"--config={folder}/conf", "--store=memory:", "--registry=nonsense://user:hunter2@h:1/c", "--log-level=debug")
    support.equal(done.returncode, 1)
    assert "user:***@" in done.stderr and "hunter2" not in done.stderr, done.stderr


def main():
    if not PROGRAM.exists():
        support.skip_all("kvsqld is not built")
    return support.run([(f"/daemon/process/{name[5:].replace('_', '-')}", test)
                        for name, test in globals().items() if name.startswith("test_")])


if __name__ == "__main__":
    sys.exit(main())
