# SPDX-License-Identifier: LGPL-2.1-or-later
"""transactions.py: the five transactions of TPC-C as SQL statements.

A transaction is a generator of (statement, parameters). It is sent the rows of the statement, or the number of changed tuples. So one
program runs on several systems. What it returns is shown to the terminal.

kvsql has no transactions: each statement takes effect at once. So New-Order asks for all items before it writes anything, and ends
there if one is unknown, which the specification has as a ROLLBACK.
"""

import decimal

BY_NAME = """SELECT c_id, c_first, c_balance, c_credit FROM customer
              WHERE c_w_id = %s AND c_d_id = %s AND c_last = %s ORDER BY c_first, c_id"""
BY_NUMBER = "SELECT c_id, c_first, c_balance, c_credit FROM customer WHERE c_w_id = %s AND c_d_id = %s AND c_id = %s"


def new_order(w_id, d_id, c_id, lines, now):
    """@lines: (item, supplying warehouse, quantity)."""
    [(discount, last, credit, w_tax)] = yield (
        "SELECT c_discount, c_last, c_credit, w_tax FROM customer, warehouse WHERE w_id = %s AND c_w_id = w_id AND c_d_id = %s AND c_id = %s",
        (w_id, d_id, c_id))
    prices = []
    for item, _, _ in lines:
        found = yield "SELECT i_price, i_name, i_data FROM item WHERE i_id = %s", (item,)
        if not found:
            return "Item number is not valid"
        prices.append(found[0][0])
    [(o_id, d_tax)] = yield (
        "UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = %s AND d_id = %s RETURNING d_next_o_id - 1, d_tax", (w_id, d_id))
    yield ("INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local)"
           " VALUES (%s, %s, %s, %s, %s, NULL, %s, %s)",
           (o_id, d_id, w_id, c_id, now, len(lines), int(all(supplier == w_id for _, supplier, _ in lines))))
    yield "INSERT INTO new_order (no_o_id, no_d_id, no_w_id) VALUES (%s, %s, %s)", (o_id, d_id, w_id)
    total = decimal.Decimal(0)
    for number, ((item, supplier, quantity), price) in enumerate(zip(lines, prices), 1):
        [(_, dist)] = yield (
            """UPDATE stock SET s_quantity = CASE WHEN s_quantity >= %s THEN s_quantity - %s ELSE s_quantity - %s + 91 END,
                                s_ytd = s_ytd + %s, s_order_cnt = s_order_cnt + 1, s_remote_cnt = s_remote_cnt + %s
                WHERE s_w_id = %s AND s_i_id = %s RETURNING s_quantity, s_dist""",
            (quantity + 10, quantity, quantity, quantity, int(supplier != w_id), supplier, item))
        amount = quantity * price
        total += amount
        yield ("""INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, ol_quantity,
                                          ol_amount, ol_dist_info) VALUES (%s, %s, %s, %s, %s, %s, NULL, %s, %s, %s)""",
               (o_id, d_id, w_id, number, item, supplier, quantity, amount, dist))
    return o_id, last, credit, total * (1 - discount) * (1 + w_tax + d_tax)


def find_customer(w_id, d_id, customer):
    """@customer: a number, or a last name, of which the middle one is meant."""
    found = yield (BY_NUMBER if isinstance(customer, int) else BY_NAME), (w_id, d_id, customer)
    return found[(len(found) - 1) // 2] if found else None


def payment(w_id, d_id, c_w_id, c_d_id, customer, amount, now):  # pylint: disable=too-many-arguments
    [(w_name, *_)] = yield ("""UPDATE warehouse SET w_ytd = w_ytd + %s WHERE w_id = %s
                               RETURNING w_name, w_street_1, w_street_2, w_city, w_state, w_zip""", (amount, w_id))
    [(d_name, *_)] = yield ("""UPDATE district SET d_ytd = d_ytd + %s WHERE d_w_id = %s AND d_id = %s
                               RETURNING d_name, d_street_1, d_street_2, d_city, d_state, d_zip""", (amount, w_id, d_id))
    c_id, *_ = yield from find_customer(c_w_id, c_d_id, customer)
    history = f"{c_id} {c_d_id} {c_w_id} {d_id} {w_id} {amount} "
    [(balance, credit)] = yield (
        """UPDATE customer SET c_balance = c_balance - %s, c_ytd_payment = c_ytd_payment + %s, c_payment_cnt = c_payment_cnt + 1,
                               c_data = CASE WHEN c_credit = 'BC' THEN left(%s || c_data, 500) ELSE c_data END
            WHERE c_w_id = %s AND c_d_id = %s AND c_id = %s RETURNING c_balance, c_credit""",
        (amount, amount, history, c_w_id, c_d_id, c_id))
    yield ("""INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)
              VALUES (%s, %s, %s, %s, %s, %s, %s, %s)""",
           (c_id, c_d_id, c_w_id, d_id, w_id, now, amount, f"{w_name}    {d_name}"))
    return balance, credit


def order_status(w_id, d_id, customer):
    found = yield from find_customer(w_id, d_id, customer)
    orders = yield ("SELECT o_id, o_entry_d, o_carrier_id FROM orders WHERE o_w_id = %s AND o_d_id = %s AND o_c_id = %s"
                    " ORDER BY o_id DESC LIMIT 1", (w_id, d_id, found[0]))
    if not orders:
        return found, None
    lines = yield ("""SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line
                       WHERE ol_w_id = %s AND ol_d_id = %s AND ol_o_id = %s ORDER BY ol_number""", (w_id, d_id, orders[0][0]))
    return found, orders[0], lines


def delivery(w_id, districts, carrier, now):
    delivered = []
    for d_id in range(1, districts + 1):
        [(o_id,)] = yield "SELECT min(no_o_id) FROM new_order WHERE no_w_id = %s AND no_d_id = %s", (w_id, d_id)
        if o_id is None:
            continue
        yield "DELETE FROM new_order WHERE no_w_id = %s AND no_d_id = %s AND no_o_id = %s", (w_id, d_id, o_id)
        [(c_id,)] = yield ("UPDATE orders SET o_carrier_id = %s WHERE o_w_id = %s AND o_d_id = %s AND o_id = %s RETURNING o_c_id",
                           (carrier, w_id, d_id, o_id))
        yield ("UPDATE order_line SET ol_delivery_d = %s WHERE ol_w_id = %s AND ol_d_id = %s AND ol_o_id = %s", (now, w_id, d_id, o_id))
        [(amount,)] = yield ("SELECT sum(ol_amount) FROM order_line WHERE ol_w_id = %s AND ol_d_id = %s AND ol_o_id = %s",
                             (w_id, d_id, o_id))
        yield ("UPDATE customer SET c_balance = c_balance + %s, c_delivery_cnt = c_delivery_cnt + 1"
               " WHERE c_w_id = %s AND c_d_id = %s AND c_id = %s", (amount, w_id, d_id, c_id))
        delivered.append((d_id, o_id))
    return delivered


def stock_level(w_id, d_id, threshold):
    [(next_o_id,)] = yield "SELECT d_next_o_id FROM district WHERE d_w_id = %s AND d_id = %s", (w_id, d_id)
    [(low,)] = yield ("""SELECT count(DISTINCT s_i_id) FROM order_line, stock
                          WHERE ol_w_id = %s AND ol_d_id = %s AND ol_o_id < %s AND ol_o_id >= %s
                            AND s_w_id = ol_w_id AND s_i_id = ol_i_id AND s_quantity < %s""",
                      (w_id, d_id, next_o_id, next_o_id - 20, threshold))
    return low
