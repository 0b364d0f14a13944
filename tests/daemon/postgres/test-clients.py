#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Clients of PostgreSQL as their users use them: psql, psycopg 2 and 3, asyncpg, pg8000.

psql is Debian's; the others are of PyPI, in a virtual environment in the cache folder.
"""

import asyncio
import datetime
import decimal
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import time
import uuid

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

support.use_packages("postgres", ["psycopg", "psycopg2", "asyncpg", "pg8000"], ["psycopg[binary]", "psycopg2-binary", "asyncpg", "pg8000"])
import asyncpg  # noqa: E402 pylint: disable=wrong-import-position
import pg8000.dbapi  # noqa: E402 pylint: disable=wrong-import-position
import psycopg  # noqa: E402 pylint: disable=wrong-import-position
import psycopg2  # noqa: E402 pylint: disable=wrong-import-position
import psycopg2.extras  # noqa: E402 pylint: disable=wrong-import-position
import wire  # noqa: E402 pylint: disable=wrong-import-position
from server import PORT, Server  # noqa: E402 pylint: disable=wrong-import-position
from support import equal  # noqa: E402 pylint: disable=wrong-import-position

SECONDS = 60
DEFINITIONS = """
DEFINE RELATION t { k INT KEY, s STRING, g BIGINT, d DOUBLE, n DECIMAL, b BYTES, o BOOLEAN, z DATE, ts TIMESTAMP, m MAP<STRING, INT> };
DEFINE PRIMARY SCHEMA t_1 FOR t { TABLE 't', ROW k, FAMILY 'f', QUALIFIER attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');
DEFINE RELATION zoned { k INT KEY, a TIMESTAMPTZ, b TIMESTAMP };
DEFINE PRIMARY SCHEMA zoned_1 FOR zoned { TABLE 'zoned', ROW k, FAMILY 'f', QUALIFIER attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');
DEFINE RELATION listed { k INT KEY, i LIST<INT>, t LIST<STRING>, u LIST<UUID>, z LIST<DATE>, o LIST<BOOLEAN> };
DEFINE PRIMARY SCHEMA listed_1 FOR listed
  { TABLE 'listed', ROW k, FAMILY 'f', QUALIFIER attr_name[k], VALUE json{attr_value[k]} } WITH (marker = x'00');
"""
NAMES = "k, s, g, d, n, b, o, z, ts"
VALUES = ("ä'\"", 2 ** 40, 1.5, decimal.Decimal("12.5"), b"\0\xff", True, datetime.date(2024, 2, 29),
          datetime.datetime(2024, 2, 29, 12, 34, 56, 500000))
SLOW = "SELECT count(*) FROM t a CROSS JOIN t b CROSS JOIN t c CROSS JOIN t d WHERE a.s || b.s || c.s || d.s = 'x'"

server = Server()


# ---- psql

def psql(*options, script=None):
    if shutil.which("psql") is None:
        raise support.Skip("psql is not installed: apt-get install postgresql-client-15")
    return subprocess.run(["psql", "-X", "-h", server.directory, "-p", str(PORT), "-U", "me", "-d", "me", *options], input=script, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False)


def test_psql():
    done = psql("-A", script="""
        INSERT INTO t (k, s, z) VALUES (1, 'one', '2024-02-29'), (2, NULL, NULL);
        SELECT k, s, z FROM t ORDER BY k;
        \\set ON_ERROR_ROLLBACK on
        BEGIN;
        SELECT nosuch FROM t;
        SELECT k FROM t WHERE k = 1 \\gset
        \\echo found :k
        COMMIT;
        \\set FETCH_COUNT 1
        SELECT k FROM t WHERE k < 3 ORDER BY k;
        """)
    equal(done.stdout.splitlines(), [
        "INSERT 0 2", "k|s|z", "1|one|2024-02-29", "2||", "(2 rows)",
        "BEGIN", "ERROR:  attribute \"nosuch\" does not exist in relation \"t\"", "LINE 1: SELECT nosuch FROM t;", "               ^",
        "found 1", "COMMIT", "k", "1", "2", "(2 rows)"])


def test_psql_stops_at_errors():
    done = psql("-v", "ON_ERROR_STOP=1", "-At", "-c", "SELECT 1", "-c", "SELECT nosuch FROM t", "-c", "SELECT 2")
    equal((done.returncode, done.stdout.splitlines()[0]), (1, "1"))
    assert "\n2" not in done.stdout, done.stdout
    for command in ("\\d", "\\d t", "\\dt", "\\l", "\\df", "SELECT 1 \\gdesc"):
        done = psql(script=command)
        assert done.returncode == 0 and "ERROR" not in done.stdout, done.stdout


def running():
    with wire.Peer(server.address) as peer:
        return [row for row in peer.rows("SHOW STATEMENTS") if row[8] and "CROSS JOIN" in row[8]]


def test_psql_interrupt():
    if shutil.which("psql") is None:
        raise support.Skip("psql is not installed: apt-get install postgresql-client-15")
    with wire.Peer(server.address) as peer:
        peer.rows("INSERT INTO t (k, s) VALUES " + ", ".join(f"({i}, 'v{i}')" for i in range(1000, 1300)))
    process = subprocess.Popen(["psql", "-X", "-h", server.directory, "-p", str(PORT), "-U", "me", "-c", SLOW], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
    limit = time.monotonic() + SECONDS
    while not running():
        assert time.monotonic() < limit and process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=SECONDS)[0]
    assert "ERROR:  canceling statement due to user request" in output, output
    with wire.Peer(server.address) as peer:
        peer.rows("DELETE FROM t WHERE k >= 1000")


# ---- psycopg 3

def psycopg3(**options):
    return psycopg.connect(host=server.directory, port=PORT, user="me", dbname="me", **options)


def test_psycopg3():
    with psycopg3() as connection:
        cursor = connection.execute(f"INSERT INTO t ({NAMES}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)", (10, *VALUES))
        equal((cursor.rowcount, cursor.statusmessage), (1, "INSERT 0 1"))
        for binary in (False, True):
            with connection.cursor(binary=binary) as cursor:
                cursor.execute(f"SELECT {NAMES} FROM t WHERE k = %s AND s = %s AND n = %s AND z = %s AND ts = %s AND b = %s",
                               (10, VALUES[0], VALUES[3], VALUES[6], VALUES[7], VALUES[4]))
                equal(cursor.fetchall(), [(10, *VALUES)])
                equal([column.type_code for column in cursor.description], [23, 25, 20, 701, 1700, 17, 16, 1082, 1114])
        for i in range(12):  # prepared on the server after five executions
            equal(len(connection.execute("SELECT s FROM t WHERE k = %s", (i,)).fetchall()), int(i in (1, 2, 10)))
        with connection.pipeline():
            first, second = connection.execute("SELECT 1"), connection.execute("SELECT %s::int + 1", (1,))
            equal((first.fetchall(), second.fetchall()), ([(1,)], [(2,)]))
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO t (k, m) VALUES (%s, %s)", [(i, f'{{"a": {i}}}') for i in range(20, 30)])
            equal(cursor.rowcount, 10)
        equal(connection.execute("SELECT m FROM t WHERE k = 21").fetchone(), ({"a": 21},))
        equal(sum(1 for _ in connection.cursor().stream("SELECT k FROM t WHERE k >= 20")), 10)


def test_psycopg3_transactions():
    notices = []
    with psycopg3() as connection:
        connection.add_notice_handler(lambda notice: notices.append(notice.message_primary))
        connection.execute("DELETE FROM t WHERE k >= 20")
        connection.rollback()
        equal(notices, ["nothing was taken back: 10 written or deleted tuples stay"])
        try:
            connection.execute("SELECT nosuch FROM t")
            raise AssertionError("no error")
        except psycopg.Error as error:
            equal((error.sqlstate, error.diag.statement_position), ("42703", "8"))
        equal(connection.info.transaction_status, psycopg.pq.TransactionStatus.INERROR)
        connection.rollback()
        with connection.transaction():
            connection.execute("SELECT 1")
            try:
                with connection.transaction():
                    connection.execute("SELECT nosuch FROM t")
            except psycopg.Error:
                pass
            equal(connection.execute("SELECT 2").fetchone(), (2,))
        connection.read_only = True
        try:
            connection.execute("DELETE FROM t WHERE k = 1")
            raise AssertionError("no error")
        except psycopg.errors.ReadOnlySqlTransaction:
            connection.rollback()


def test_psycopg3_named_cursor():
    with psycopg3() as connection:
        with connection.cursor("named") as cursor:
            cursor.execute("SELECT k FROM t WHERE k >= %s ORDER BY k", (1,))
            equal([column.name for column in cursor.description], ["k"])
            cursor.itersize = 2
            equal(list(cursor), [(1,), (2,), (10,)])
        with connection.cursor("held", withhold=True) as cursor:
            cursor.execute("SELECT k FROM t ORDER BY k")
            equal(cursor.fetchmany(2), [(1,), (2,)])
            connection.commit()
            equal(cursor.fetchall(), [(10,)])


# ---- others

def test_psycopg2():
    connection = psycopg2.connect(host=server.directory, port=PORT, user="me", dbname="me")
    with connection, connection.cursor() as cursor:
        cursor.execute(f"SELECT {NAMES} FROM t WHERE k IN %s", ((10, 11),))
        row = cursor.fetchone()
        equal(row[:5] + (bytes(row[5]),) + row[6:], (10, *VALUES))
        cursor.execute("UPDATE t SET s = %s WHERE k = %s", ("it's", 10))
        equal((cursor.rowcount, cursor.statusmessage), (1, "UPDATE 1"))
        psycopg2.extras.execute_values(cursor, "INSERT INTO t (k, s) VALUES %s", [(i, "y") for i in range(30, 35)])
        equal(cursor.rowcount, 5)
        with connection.cursor("named") as named:
            named.itersize = 2
            named.execute("SELECT k FROM t WHERE k >= 30 ORDER BY k")
            equal([row[0] for row in named], list(range(30, 35)))
    connection.set_session(readonly=True, isolation_level="REPEATABLE READ")
    with connection.cursor() as cursor:
        try:
            cursor.execute("DELETE FROM t WHERE k = 30")
            raise AssertionError("no error")
        except psycopg2.Error as error:
            equal(error.pgcode, "25006")
    connection.close()


def test_zones():
    """A TIMESTAMPTZ is an instant, and a TIMESTAMP is a clock: the zone of a parameter of open type does not count."""
    instant = datetime.datetime(2024, 7, 1, 12, 0, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))
    naive = datetime.datetime(2024, 7, 1, 12, 0)
    local = "2024-07-01 12:00:00+02"
    with psycopg3() as connection:
        connection.execute("INSERT INTO zoned VALUES (1, %s, %s)", (instant, naive))
        for binary in (False, True):
            with connection.cursor(binary=binary) as cursor:
                cursor.execute("SELECT a, b, max(a), a + INTERVAL '1 hour', coalesce(a, now()), lag(a, 0) OVER (ORDER BY k) "
                               "FROM zoned GROUP BY k, a, b")
                equal([column.type_code for column in cursor.description], [1184, 1114, 1184, 1184, 1184, 1184])
                equal(cursor.fetchone(), (instant, naive, instant, instant + datetime.timedelta(hours=1), instant, instant))
        cursor = connection.execute("SELECT a FROM zoned UNION ALL SELECT a FROM zoned")
        equal(cursor.fetchall(), [(instant,), (instant,)])
        equal(connection.execute("SELECT now() - %s < INTERVAL '1 day'", (datetime.datetime.now(datetime.timezone.utc),)).fetchone(), (True,))
    with wire.Peer(server.address, user="me") as peer:
        for sql in ("INSERT INTO zoned VALUES (2, $1, $2)", "UPDATE zoned SET a = $1, b = $2 WHERE k = 1",
                    "INSERT INTO zoned VALUES (1, $1, NULL) ON CONFLICT (k) DO UPDATE SET b = $2"):
            peer.ask(wire.parse(sql), wire.bind([local] * 2), wire.execute(), wire.SYNC)
            equal(peer.rows("SELECT DISTINCT a, b FROM zoned WHERE k = 2"), [["2024-07-01 10:00:00+00", "2024-07-01 12:00:00"]])
        found = peer.ask(wire.parse("SELECT k FROM zoned WHERE a = $1 AND b IN ($2)"), wire.describe("S"),
                         wire.bind([local] * 2), wire.execute(), wire.SYNC)
        assert ("t", [1184, 1114]) in found and len([kind for kind, _ in found if kind == "D"]) == 2, found


ARRAYS = ([1, None, 3], ["a", 'b"{,}\\', None, ""], [uuid.UUID(int=5)], [datetime.date(2024, 2, 29), None], [True, False])


def test_arrays():
    """Lists are arrays, as parameters and in results."""
    with psycopg3() as connection:
        for k, binary in ((1, False), (2, True)):
            with connection.cursor(binary=binary) as cursor:
                form = "%b" if binary else "%t"
                cursor.execute(f"INSERT INTO listed VALUES ({k}, {', '.join([form] * len(ARRAYS))})", ARRAYS)
                cursor.execute(f"SELECT k FROM listed WHERE k = ANY ({form}) AND k <> ALL ({form}) ORDER BY k", ([k, 7, None], [8, 9]))
                equal(cursor.fetchall(), [(k,)])
                equal(cursor.execute(f"SELECT k FROM listed WHERE k = ANY ({form})", ([],)).fetchall(), [])
                equal(cursor.execute(f"SELECT unnest ({form}::int[]), {form}::text[]", ([1, 2], ["x"])).fetchall(), [(1, ["x"]), (2, ["x"])])
        for binary in (False, True):
            with connection.cursor(binary=binary) as cursor:
                equal(cursor.execute("SELECT * FROM listed ORDER BY k").fetchall(), [(1, *ARRAYS), (2, *ARRAYS)])
                equal(cursor.execute("SELECT array_agg(k ORDER BY k), array_agg(now()) = '{}', '{}'::text[] FROM listed").fetchone(), ([1, 2], False, []))
    asyncio.run(use_arrays_of_asyncpg())
    one = struct.pack("!IIIII", 1, 0, 23, 1, 1) + struct.pack("!II", 4, 1)
    with wire.Peer(server.address, user="me") as peer:
        for bad, sqlstate in ((b"", "08P01"), (one[:-1], "08P01"), (one + b"x", "08P01"), (struct.pack("!III", 2, 0, 23), "0A000"),
                              (struct.pack("!IIIII", 1, 0, 20, 0, 1), "42804"), (struct.pack("!IIIII", 1, 1, 23, 100001, 1) + b"\xff" * 400004, "54000"), (struct.pack("!IIIII", 1, 0, 23, 2**31, 1), "08P01"),
                              (struct.pack("!IIIII", 1, 0, 23, 1, 1) + struct.pack("!I", 3) + b"abc", "08P01")):
            answers = peer.ask(wire.parse("SELECT k FROM listed WHERE k = ANY ($1)"), wire.bind([bad], formats=[1]), wire.execute(), wire.SYNC)
            equal([fields["C"] for kind, fields in answers if kind == "E"], [sqlstate])
        answers = peer.ask(wire.parse("SELECT k FROM listed WHERE k = ANY ($1)"), wire.describe("S"), wire.bind([one], formats=[1]), wire.execute(), wire.SYNC)
        assert ("t", [1007]) in answers and ("D", [b"1"]) in answers, answers


async def use_arrays_of_asyncpg():
    connection = await asyncpg.connect(host=server.directory, port=PORT, user="me", database="me")
    equal(await connection.fetchval("SELECT k FROM listed WHERE k = ANY ($1) AND i = $2 AND 'a' = ANY (t) LIMIT 1", [2, 3], ARRAYS[0]), 2)
    await connection.execute("INSERT INTO listed (k, t) VALUES ($1, $2)", 3, ARRAYS[1])
    equal([tuple(row) for row in await connection.fetch("SELECT i, t, u, z, o FROM listed WHERE k = 2")], [tuple(ARRAYS)])
    equal([tuple(row) for row in await connection.fetch("SELECT * FROM unnest ($1::int[], $2::text[]) AS x (a, b)", [1, 2], ["p", "q"])],
          [(1, "p"), (2, "q")])
    await connection.close()


def test_types_of_times():
    """What is made of an instant is one, however the query is run; a CAST says what it is."""
    instants = ["now()", "now() + INTERVAL '1 day'", "date_trunc('day', now())", "(SELECT max(a) FROM zoned)", "(SELECT a FROM zoned WHERE k = z.k)",
                "to_timestamp(0)", "to_timestamp('2024', 'YYYY')", "clock_timestamp()", "coalesce(NULL, now())", "b::timestamptz",
                "now() + NULL::interval"]
    clocks = ["now()::timestamp", "a::timestamp", "a::timestamp + INTERVAL '1 day'", "(SELECT max(b) FROM zoned)", "(SELECT now()::timestamp)",
              "localtimestamp", "b + INTERVAL '1 day'", "'2024-01-01'::date + time '12:00'"]
    query = "SELECT " + ", ".join(instants + clocks) + " FROM zoned z"
    with psycopg3() as connection:
        connection.execute("INSERT INTO zoned VALUES (1, now(), now()) ON CONFLICT DO NOTHING")
        cursor = connection.execute(query)
        equal([column.type_code for column in cursor.description], [1184] * len(instants) + [1114] * len(clocks))
        cursor = connection.execute("WITH RECURSIVE days(at, n) AS (SELECT now(), 1 UNION ALL SELECT at + INTERVAL '1 day', n + 1 FROM days WHERE n < 3) "
                                    "SELECT at, at::timestamp FROM days")
        equal([column.type_code for column in cursor.description], [1184, 1114])
        equal([row[0].tzinfo is not None for row in cursor.fetchall()], [True] * 3)
    with wire.Peer(server.address, user="me") as peer:
        for text in ("2024-01-01 12:00:00 and more", "2024-01-01 12:00:00+99"):
            found = peer.ask(wire.parse("SELECT k FROM zoned WHERE b = $1"), wire.bind([text]), wire.execute(), wire.SYNC)
            assert [kind for kind, _ in found if kind == "E"], found


def test_digits():
    """What is computed from a NUMERIC(p, s) has the zeros at its end that it has in PostgreSQL."""
    values = {"p": "7.00", "p + 0": "7.00", "p * 2": "14.00", "p * p": "49.0000", "-p": "-7.00", "abs(p)": "7.00", "coalesce(p, 0)": "7.00",
              "round(p, 1)": "7.0", "round(p * 3.333, 3)": "23.331", "CASE WHEN k = 1 THEN p END": "7.00", "p - p": "0.00", "p % 3": "1.00",
              "p::numeric": "7.00", "p::numeric(5, 1)": "7.0", "lag(p, 0) OVER (ORDER BY k)": "7.00", "sum(p) OVER (ORDER BY k)": "7.00",
              "(SELECT y.p FROM priced y WHERE y.k = x.k)": "7.00", "p / 1": "7", "p * 1.10": "7.7", "p + %s": "7.5"}
    sets = {"SELECT sum(p), max(p), min(p), sum(p * 2) FROM priced": ["7.00", "7.00", "7.00", "14.00"],
            "SELECT p FROM priced UNION SELECT p FROM priced": ["7.00"], "SELECT p * 1.5 FROM priced UNION SELECT p FROM priced WHERE k > 1": ["10.5"],
            "SELECT s * 2 FROM (SELECT sum(p) AS s FROM priced) x": ["14.00"], "SELECT p, count(*) FROM priced GROUP BY p": ["7.00", "1"]}
    with psycopg3() as connection:
        connection.execute("CREATE TABLE priced (k int PRIMARY KEY, p numeric(10, 2))")
        connection.execute("INSERT INTO priced VALUES (1, 7)")
        for binary in (False, True):
            with connection.cursor(binary=binary) as cursor:
                for expression, wanted in values.items():
                    found = cursor.execute(f"SELECT {expression} FROM priced x", (decimal.Decimal("0.5"),) * ("%s" in expression)
                                           or None).fetchone()
                    equal((expression, str(found[0])), (expression, wanted))
                for query, wanted in sets.items():
                    equal([str(each) for each in cursor.execute(query).fetchone()], wanted)
        connection.execute("CREATE TABLE sums AS SELECT sum(p) AS s FROM priced")
        equal(connection.execute("SELECT s FROM sums").fetchone(), (decimal.Decimal(7),))


def test_origins():
    """RowDescription says which column of which table it is, by the numbers of the catalogue."""
    def origins(cursor):
        return [(cursor.pgresult.ftable(i), cursor.pgresult.ftablecol(i)) for i in range(len(cursor.description))]
    with psycopg3() as connection:
        numbers = {(table, column): (oid, number) for table, column, oid, number in connection.execute(
            "SELECT c.relname, a.attname, c.oid, a.attnum FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid "
            "WHERE c.relname IN ('t', 'zoned')").fetchall()}
        none = (0, 0)
        for sql, wanted in (("SELECT s, k, k + 1 FROM t", [("t", "s"), ("t", "k"), none]),
                            ("SELECT z.b AS other, t.z, coalesce(t.s, '') FROM t JOIN zoned z ON z.k = t.k", [("zoned", "b"), ("t", "z"), none]),
                            ("SELECT x.k FROM (SELECT k FROM t) AS x", [("t", "k")]),
                            ("SELECT max(k), s FROM t GROUP BY s", [none, ("t", "s")]),
                            ("INSERT INTO zoned VALUES (77, NULL, NULL) RETURNING b, k, 1", [("zoned", "b"), ("zoned", "k"), none]),
                            ("SELECT 1", [none])):
            equal(origins(connection.execute(sql)), [numbers.get(column, column) for column in wanted])
            equal(origins(connection.execute(sql, prepare=True)), [numbers.get(column, column) for column in wanted])


async def use_asyncpg():
    connection = await asyncpg.connect(host=server.directory, port=PORT, user="me", database="me")
    equal(await connection.execute(f"INSERT INTO t ({NAMES}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)", 40, *VALUES), "INSERT 0 1")
    equal([tuple(row) for row in await connection.fetch(f"SELECT {NAMES} FROM t WHERE k = $1", 40)], [(40, *VALUES)])
    equal(await connection.fetchval("SELECT k FROM t WHERE ts = $1 AND k >= $2 ORDER BY k LIMIT $3", VALUES[7], 11, 1), 40)
    equal(await connection.fetchval("SELECT CAST ($1 AS INT) + 1", 41), 42)
    await connection.executemany("INSERT INTO t (k, s) VALUES ($1, $2)", [(i, str(i)) for i in range(50, 60)])
    async with connection.transaction():
        equal([row["k"] async for row in connection.cursor("SELECT k FROM t WHERE k >= 50 ORDER BY k", prefetch=3)], list(range(50, 60)))
    try:
        await connection.fetch("SELECT nosuch FROM t")
        raise AssertionError("no error")
    except asyncpg.PostgresError as error:
        equal(error.sqlstate, "42703")
    await connection.close()


def test_asyncpg():
    asyncio.run(use_asyncpg())


def test_pg8000():
    connection = pg8000.dbapi.connect(user="me", database="me", unix_sock=server.address)
    cursor = connection.cursor()
    cursor.execute("SELECT k, s, n, ts, o FROM t WHERE k = %s", (40,))
    equal(list(cursor.fetchall()), [[40, VALUES[0], VALUES[3], VALUES[7], True]])
    connection.commit()
    connection.close()


# ---- passwords

def test_passwords():
    """Each driver logs in over TCP, and none with a wrong password."""
    folder = support.temporary_folder("passwords")
    own = support.Daemon(folder=folder, options=["--postgres-listen=tcp://127.0.0.1:0?auth=scram", f"--postgres-listen=unix://{folder}"])
    port = int(own.process.stdout.readline().decode().rsplit(":", 1)[1])
    wire.Peer(f"{folder}/.s.PGSQL.{PORT}").ask(wire.query("CREATE USER ann PASSWORD 'p,e=n'"))

    def by_asyncpg(password):
        async def connect():
            connection = await asyncpg.connect(host="127.0.0.1", port=port, user="ann", password=password, database="x", ssl=False, timeout=SECONDS)
            try:
                return await connection.fetchval("SELECT current_user")
            finally:
                await connection.close()
        return asyncio.run(connect())

    def by_dbapi(connection):
        cursor = connection.cursor()
        cursor.execute("SELECT current_user")
        return cursor.fetchone()[0]

    drivers = [by_asyncpg,
               lambda password: by_dbapi(psycopg.connect(host="127.0.0.1", port=port, user="ann", password=password, dbname="x")),
               lambda password: by_dbapi(psycopg2.connect(host="127.0.0.1", port=port, user="ann", password=password, dbname="x")),
               lambda password: by_dbapi(pg8000.dbapi.connect("ann", host="127.0.0.1", port=port, password=password, database="x"))]
    for driver in drivers:
        equal(driver("p,e=n"), "ann")
        try:
            driver("wrong")
        except Exception as error:  # pylint: disable=broad-except
            assert "password authentication failed" in str(error), error
        else:
            raise AssertionError("a wrong password was accepted")
    equal(own.stop(), 0)


TESTS = [test_psql, test_psql_stops_at_errors, test_psql_interrupt, test_psycopg3, test_psycopg3_transactions, test_psycopg3_named_cursor, test_psycopg2, test_asyncpg,
         test_pg8000, test_zones, test_types_of_times, test_digits, test_origins, test_arrays, test_passwords]

if __name__ == "__main__":
    with wire.Peer(server.address) as first:
        first.rows(DEFINITIONS)
    sys.exit(support.run([("/postgres/" + test.__name__.removeprefix("test_").replace("_", "-"), test) for test in TESTS]))
