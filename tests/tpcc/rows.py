# SPDX-License-Identifier: LGPL-2.1-or-later
"""rows.py: the first rows of the tables, after clause 4.3.3 of the specification, with fewer districts, customers and items."""

import csv
import datetime
import decimal

DISTRICTS, CUSTOMERS, ITEMS = 3, 30, 100  # of a warehouse; of a district
FIRST_NEW_ORDER = CUSTOMERS * 7 // 10 + 1
START = datetime.datetime(2024, 2, 29, 12)
SYLLABLES = ("BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def last_name(number):
    return "".join(SYLLABLES[int(digit)] for digit in f"{number:03}")


def money(cents):
    return decimal.Decimal(cents) / 100


def text(rng, least, most):
    return "".join(rng.choices(LETTERS, k=rng.randint(least, most)))


def address(rng):
    return (text(rng, 10, 20), text(rng, 10, 20), text(rng, 10, 20), text(rng, 2, 2).upper(), f"{rng.randrange(10000):04}11111")


def rate(rng, most):
    return decimal.Decimal(rng.randint(0, most)) / 10000


def customers(rng, warehouse, district):
    for number in range(1, CUSTOMERS + 1):
        yield (number, district, warehouse, text(rng, 8, 16), "OE", last_name((number - 1) % 10), *address(rng),
               f"{rng.randrange(10 ** 16):016}", START, "BC" if rng.random() < 0.1 else "GC", decimal.Decimal(50000), rate(rng, 5000),
               decimal.Decimal(-10), decimal.Decimal(10), 1, 0, text(rng, 300, 500))


def orders(rng, warehouse, district):
    """Orders, with their lines."""
    buyers = rng.sample(range(1, CUSTOMERS + 1), CUSTOMERS)
    for number, buyer in enumerate(buyers, 1):
        is_new = number >= FIRST_NEW_ORDER
        n_lines = rng.randint(5, 15)
        order = (number, district, warehouse, buyer, START, None if is_new else rng.randint(1, 10), n_lines, 1)
        lines = [(number, district, warehouse, line, rng.randint(1, ITEMS), warehouse, None if is_new else START, 5,
                  money(rng.randint(1, 999999)) if is_new else decimal.Decimal(0), text(rng, 24, 24)) for line in range(1, n_lines + 1)]
        yield order, lines


def tables(rng, warehouses):
    """The rows of each table."""
    found = {name: [] for name in ("warehouse", "district", "customer", "history", "orders", "new_order", "item", "stock", "order_line")}
    found["item"] = [(i, rng.randint(1, 10000), text(rng, 14, 24), money(rng.randint(100, 10000)), text(rng, 26, 50))
                     for i in range(1, ITEMS + 1)]
    for warehouse in range(1, warehouses + 1):
        found["warehouse"].append((warehouse, text(rng, 6, 10), *address(rng), rate(rng, 2000), money(DISTRICTS * 3000000)))
        found["stock"] += [(i, warehouse, rng.randint(10, 100), text(rng, 24, 24), 0, 0, 0, text(rng, 26, 50)) for i in range(1, ITEMS + 1)]
        for district in range(1, DISTRICTS + 1):
            found["district"].append((district, warehouse, text(rng, 6, 10), *address(rng), rate(rng, 2000), money(3000000), CUSTOMERS + 1))
            found["customer"] += customers(rng, warehouse, district)
            found["history"] += [(number, district, warehouse, district, warehouse, START, decimal.Decimal(10), text(rng, 12, 24))
                                 for number in range(1, CUSTOMERS + 1)]
            for order, lines in orders(rng, warehouse, district):
                found["orders"].append(order)
                found["order_line"] += lines
                if order[5] is None:
                    found["new_order"].append((order[0], district, warehouse))
    return found


def write(tables_, names, folder):
    """Writes a CSV file for each table. @names: the columns of a table."""
    files = {}
    for table, rows in tables_.items():
        files[table] = folder / f"{table}.csv"
        with files[table].open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(names[table])
            writer.writerows(rows)
    return files
