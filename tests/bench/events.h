/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * events.h: the tuples that the benchmarks write and read, the same in every program.
 *
 *   EVENTS (cust STRING KEY, day DATE KEY, id BIGINT KEY, price DOUBLE, qty INT, note STRING)
 *
 * Each customer has a thousand tuples, on ten of a hundred days, a hundred on each. A packed tuple
 * is one cell: ROW suffix('-'){cust}:day:id, VALUE price:qty:note.
 */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

#define EVENTS_PER_CUSTOMER 1000
#define EVENTS_PER_DAY 100 /* of one customer */
#define EVENTS_DAYS 100    /* of all customers */
#define EVENTS_FIRST_DAY 20000
#define EVENTS_BATCH 1000 /* tuples of one bulk insert */
#define EVENTS_IN 100     /* keys of one IN list: a day of a customer */
#define EVENTS_PARTS 8    /* parts of a table, for several connections */
#define EVENTS_QTY 42     /* the qty of one tuple in a hundred */

typedef struct
{
  gchar cust[16];
  gint32 day;
  gint64 id;
  gdouble price;
  gint32 qty;
  gchar note[32];
} Event;

static inline void
event_make (guint64 number, Event *out)
{
  g_snprintf (out->cust, sizeof out->cust, "c%08u", (guint)(number / EVENTS_PER_CUSTOMER));
  out->day = EVENTS_FIRST_DAY
             + (gint32)(number / EVENTS_PER_CUSTOMER % 10 * 10
                        + number % EVENTS_PER_CUSTOMER / EVENTS_PER_DAY);
  out->id = (gint64)number;
  out->price = (gdouble)number * 0.5;
  out->qty = (gint32)(number % 100);
  g_snprintf (out->note, sizeof out->note, "note %" G_GUINT64_FORMAT, number);
}

/* A number in a table of @n_rows: not in order, and the same for every program. */
static inline guint64
event_some (guint64 number, guint64 n_rows)
{
  return number * 7919 % n_rows;
}

/* The first of the tuples of an IN list; the others follow it. */
static inline guint64
event_some_group (guint64 number, guint64 n_rows)
{
  return event_some (number, n_rows / EVENTS_IN) * EVENTS_IN;
}

static inline guint64
event_part_begin (guint64 part, guint64 n_rows)
{
  return n_rows / EVENTS_PER_CUSTOMER * part / EVENTS_PARTS * EVENTS_PER_CUSTOMER;
}

static inline void
event_day_text (gint32 day, gchar *out, gsize size)
{
  GDate date;

  g_date_clear (&date, 1);
  g_date_set_julian (&date, (guint32)day + 719163); /* 1970-01-01 */
  /* g_date_strftime() converts between character sets: more work than what is measured */
  g_snprintf (out, (gulong)size, "%04u-%02u-%02u", g_date_get_year (&date),
              (guint)g_date_get_month (&date), g_date_get_day (&date));
}

static inline gsize
event_put_big_endian (guint8 *at, guint64 value, gsize size)
{
  value = GUINT64_TO_BE (value << (64 - 8 * size));
  memcpy (at, &value, size);
  return size;
}

/* Both return the size; 64 bytes are enough. */
static inline gsize
event_row (const Event *event, guint8 *at)
{
  gsize size = strlen (event->cust);

  memcpy (at, event->cust, size);
  at[size++] = '-';
  size += event_put_big_endian (at + size, (guint64)event->day, 4);
  return size + event_put_big_endian (at + size, (guint64)event->id, 8);
}

static inline gsize
event_value (const Event *event, guint8 *at)
{
  gsize size, length = strlen (event->note);
  guint64 bits;

  memcpy (&bits, &event->price, 8);
  size = event_put_big_endian (at, bits, 8);
  size += event_put_big_endian (at + size, (guint64)event->qty, 4);
  memcpy (at + size, event->note, length);
  return size + length;
}

G_END_DECLS
