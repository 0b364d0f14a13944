/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * events.h: the tuples that the benchmarks write and read, the same in every program.
 *
 *   EVENTS (cust STRING KEY, day DATE KEY, id BIGINT KEY, price DOUBLE, qty INT, note STRING)
 *
 * A thousand of them a customer. Packed, a tuple is one cell: ROW suffix('-'){cust}:day:id, VALUE
 * price:qty:note.
 */
#pragma once

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

G_BEGIN_DECLS

#define EVENTS_PER_CUSTOMER 1000
#define EVENTS_QTY 42 /* what one in a hundred has */

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
  out->day = 20000 + (gint32)(number % EVENTS_PER_CUSTOMER / 10);
  out->id = (gint64)number;
  out->price = (gdouble)number * 0.5;
  out->qty = (gint32)(number % 100);
  g_snprintf (out->note, sizeof out->note, "note %" G_GUINT64_FORMAT, number);
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

/* ---- what the programs have in common: one command a line, one answer a line */

static inline gint64
bench_clock (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (gint64)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline gint
bench_compare (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

  return (x > y) - (x < y);
}

/* Runs @n calls of one operation, which returns the rows it touched or -1 after saying why. */
typedef gint64 (*BenchOperation) (gpointer context, const gchar *table, guint64 number);

static inline gboolean
bench_run (BenchOperation operation, gpointer context, const gchar *table, guint64 first, guint n)
{
  g_autofree gint64 *times = g_new (gint64, n);
  gint64 rows = 0, cpu = bench_clock (CLOCK_PROCESS_CPUTIME_ID);
  gint64 start = bench_clock (CLOCK_MONOTONIC), before = start;

  for (guint i = 0; i < n; i++)
    {
      gint64 now, got = operation (context, table, first + i);
      if (got < 0)
        return FALSE;
      rows += got;
      now = bench_clock (CLOCK_MONOTONIC);
      times[i] = now - before;
      before = now;
    }
  cpu = bench_clock (CLOCK_PROCESS_CPUTIME_ID) - cpu;
  qsort (times, n, sizeof *times, bench_compare);
  printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
          " %" G_GINT64_FORMAT "\n",
          rows, before - start, cpu, times[n / 2], times[(guint64)n * 99 / 100]);
  fflush (stdout);
  return TRUE;
}

typedef struct
{
  const gchar *name;
  BenchOperation run;
} BenchCommand;

/* Reads "NAME TABLE FIRST N" until the end of input. */
static inline int
bench_serve (const BenchCommand *commands, guint n_commands, gpointer context)
{
  gchar name[64], table[64];
  guint64 first;
  guint n, i;

  while (scanf ("%63s %63s %" G_GUINT64_FORMAT " %u", name, table, &first, &n) == 4)
    {
      for (i = 0; i < n_commands && strcmp (name, commands[i].name) != 0; i++)
        ;
      if (i == n_commands)
        {
          fprintf (stderr, "no command \"%s\"\n", name);
          return 2;
        }
      if (!bench_run (commands[i].run, context, table, first, n))
        return 1;
    }
  return 0;
}

G_END_DECLS
