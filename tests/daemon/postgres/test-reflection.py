#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""SQLAlchemy creates, reflects and queries tables in kvsqld as in PostgreSQL.

SQLAlchemy and psycopg are of PyPI, in a virtual environment in the cache folder. Without PostgreSQL the test is skipped.
"""

import asyncio
import datetime
import decimal
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"))
import postgresql  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position

support.use_packages("sqlalchemy", ["sqlalchemy", "psycopg", "asyncpg"], ["sqlalchemy>=2", "psycopg[binary]", "asyncpg"])
import asyncpg  # noqa: E402 pylint: disable=wrong-import-position
import sqlalchemy  # noqa: E402 pylint: disable=wrong-import-position
from server import PORT, Server  # noqa: E402 pylint: disable=wrong-import-position
from sqlalchemy import orm  # noqa: E402 pylint: disable=wrong-import-position
from support import equal  # noqa: E402 pylint: disable=wrong-import-position


class Base(orm.DeclarativeBase):  # pylint: disable=too-few-public-methods
    pass


class Shop(Base):  # pylint: disable=too-few-public-methods
    __tablename__ = "shop"
    id = sqlalchemy.Column(sqlalchemy.Integer, primary_key=True, autoincrement=False)
    name = sqlalchemy.Column(sqlalchemy.String(30), nullable=False)


class Sale(Base):  # pylint: disable=too-few-public-methods
    __tablename__ = "sale"
    shop = sqlalchemy.Column(sqlalchemy.Integer, primary_key=True)
    n = sqlalchemy.Column(sqlalchemy.BigInteger, primary_key=True)
    at = sqlalchemy.Column(sqlalchemy.DateTime)
    price = sqlalchemy.Column(sqlalchemy.Numeric(10, 2))
    note = sqlalchemy.Column(sqlalchemy.Text, index=True)


def reflect(engine):
    inspector = sqlalchemy.inspect(engine)
    found = [sorted(inspector.get_table_names()), inspector.get_view_names(), sorted(inspector.get_schema_names()),
             inspector.has_table("sale"), inspector.has_table("nosuch")]
    for table in ("sale", "shop"):
        found.append([(column["name"], str(column["type"]), column["nullable"], column["default"]) for column in inspector.get_columns(table)])
        found += [inspector.get_pk_constraint(table), inspector.get_indexes(table), inspector.get_foreign_keys(table),
                  inspector.get_unique_constraints(table), inspector.get_check_constraints(table)]
    metadata = sqlalchemy.MetaData()
    metadata.reflect(engine)
    found.append({name: list(table.primary_key.columns.keys()) for name, table in sorted(metadata.tables.items())})
    return found


def query(engine):
    found = []
    with orm.Session(engine) as session:
        session.add_all([Shop(id=1, name="a"), Shop(id=2, name="b"), Sale(shop=2, n=1, note="y"),
                         Sale(shop=1, n=1, at=datetime.datetime(2024, 2, 29, 1, 2, 3), price=decimal.Decimal("1.25"), note="x")])
        session.commit()
        joined = sqlalchemy.select(Shop.name, Sale.price, sqlalchemy.func.count()).join(Sale, Sale.shop == Shop.id)
        joined = joined.where(Sale.note.in_(["x", "y"])).group_by(Shop.name, Sale.price).order_by(Shop.name)
        found.append([tuple(row) for row in session.execute(joined)])
        sale = session.get(Sale, (1, 1))
        sale.note = "z"
        session.commit()
        found.append((session.get(Sale, (1, 1)).note, session.get(Sale, (1, 1)).at))
    return found


def use(url):
    engine = sqlalchemy.create_engine(url)
    Base.metadata.create_all(engine)
    Base.metadata.create_all(engine)  # what is there is found
    answers = reflect(engine), query(engine)
    engine.dispose()
    return answers


async def ask(**address):
    """Arrays in the binary format, as parameters and as results, for which asyncpg looks at the catalogue by itself."""
    connection = await asyncpg.connect(user="test", database="postgres", **address)
    answers = [[tuple(row) for row in await connection.fetch(sql, *values)] for sql, *values in (
        ("SELECT relname, relkind, relhasindex FROM pg_class WHERE relname = ANY ($1) ORDER BY 1", ["sale", "shop"]),
        ("SELECT conkey, conname FROM pg_constraint WHERE conname = $1", "sale_pkey"),
        ("SELECT indkey, indnatts FROM pg_index WHERE indrelid = 'sale'::regclass AND indisprimary",),
        ("SELECT array_agg(relname ORDER BY relname), current_schemas(true) FROM pg_class WHERE relnamespace = 2200",),
        ("SELECT typname, typlen FROM pg_type WHERE oid = ANY ($1::oid[]) ORDER BY oid", [16, 25]))]
    await connection.close()
    return answers


def main():
    binaries = postgresql.binaries_or_skip()
    other = postgresql.PostgreSQL(binaries, support.temporary_folder("reflection"))
    server = Server()

    def test_sqlalchemy():
        mine = use(f"postgresql+psycopg://test@/postgres?host={server.directory}&port={PORT}")
        theirs = use(f"postgresql+psycopg://test@127.0.0.1:{other.port}/postgres")
        for one, another in zip(mine[0] + mine[1], theirs[0] + theirs[1]):
            equal(one, another)

    def test_asyncpg():
        mine = asyncio.run(ask(host=server.directory, port=PORT))
        equal(mine, asyncio.run(ask(host="127.0.0.1", port=other.port, ssl=False)))

    try:
        return support.run([("/postgres/reflection/sqlalchemy", test_sqlalchemy), ("/postgres/reflection/asyncpg", test_asyncpg)])
    finally:
        server.stop()
        other.stop()


if __name__ == "__main__":
    sys.exit(main())
