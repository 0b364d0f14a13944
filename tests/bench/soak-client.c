/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * soak-client.c: many connections to a kvsqld for a long time, some of which are busy: they send a
 * request, pause for a random time with the given mean, and repeat.
 *
 *   soak-client URI SECONDS IDLE BUSY PAUSE_MS
 *
 * Prints as JSON how many statements there were, how many failed, and their durations: of all of
 * them, and of those without a stall of the machine (stalls.h). Statements at the beginning are not
 * counted, as caches are cold. tests/bench/soak runs it.
 */
#include "config.h"

#include "tests/bench/stalls.h"

#include <kvsql.h>
#include <stdio.h>
#include <stdlib.h>

#define KEYS 20000
#define N_KINDS 3
#define WARM_SHARE 0.2

typedef struct
{
  gint64 begin_us;
  guint32 us, kind;
} Statement;

typedef struct
{
  const gchar *uri;
  guint number;
  gint64 warm_us, end_us;
  gint pause_us; /* 0: none */
  guint64 n_done, n_failed;
  GArray *statements; /* of Statement: those that succeeded after the warm-up */
  gchar *first_error;
} Worker;

/* ---- statements: gets, a range now and then, and writes of tuples that are there */

static const gchar *const kinds[N_KINDS] = { "get", "range", "write" };

static guint
choose_kind (GRand *random)
{
  gint32 tenth = g_rand_int_range (random, 0, 10);

  return tenth == 9 ? 2 : tenth == 8 ? 1 : 0;
}

static KvsqlResult *
step (KvsqlStatement *statement, guint kind, GRand *random, GError **error)
{
  g_autoptr (KvsqlParams) params = kvsql_params_new ();

  kvsql_params_add_int64 (params, NULL, g_rand_int_range (random, 0, KEYS));
  if (kind == 2)
    kvsql_params_add_string (params, NULL, "the value now");
  return kvsql_statement_execute (statement, params, NULL, error);
}

static void
note_error (Worker *self, GError *error)
{
  self->n_failed++;
  if (self->first_error == NULL)
    self->first_error = g_strdup (error->message);
  g_clear_error (&error);
}

static void
note_statement (Worker *self, gint64 begin_us, guint kind)
{
  Statement statement
      = { .begin_us = begin_us, .us = (guint32)(g_get_monotonic_time () - begin_us), .kind = kind };

  g_array_append_val (self->statements, statement);
}

static gboolean
prepare (KvsqlConnection *connection, KvsqlStatement **out, GError **error)
{
  static const gchar *const texts[] = {
    "SELECT k, v FROM soak WHERE k = ?",
    "SELECT k, v FROM soak WHERE k >= ? LIMIT 20",
    "INSERT INTO soak VALUES (?, ?)",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if ((out[i] = kvsql_connection_prepare (connection, texts[i], NULL, error)) == NULL)
      return FALSE;
  return TRUE;
}

static gpointer
work (gpointer data)
{
  Worker *self = data;
  g_autoptr (KvsqlConnection) connection = kvsql_connection_new (self->uri, NULL);
  KvsqlStatement *statements[3] = { NULL };
  GRand *random = g_rand_new_with_seed (self->number);
  GError *error = NULL;
  gint64 now;

  if (!prepare (connection, statements, &error))
    note_error (self, error);
  while (statements[2] != NULL && (now = g_get_monotonic_time ()) < self->end_us)
    {
      guint kind = choose_kind (random);
      g_autoptr (KvsqlResult) result = step (statements[kind], kind, random, &error);

      if (result == NULL)
        note_error (self, g_steal_pointer (&error));
      else if (now >= self->warm_us)
        note_statement (self, now, kind);
      self->n_done++;
      if (self->pause_us > 0)
        g_usleep ((gulong)g_rand_int_range (random, 0, 2 * self->pause_us));
    }
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    g_clear_object (&statements[i]);
  g_rand_free (random);
  return NULL;
}

/* ---- the whole */

static gboolean
define (const gchar *uri)
{
  g_autoptr (KvsqlConnection) connection = kvsql_connection_new (uri, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) sql = g_string_new (NULL);
  const gchar *const texts[]
      = { "DEFINE RELATION soak { k INT KEY, v STRING }",
          "DEFINE PRIMARY SCHEMA soak_k FOR soak { TABLE 'soak', ROW k, FAMILY 'f', VALUE v }" };

  for (guint i = 0; i < G_N_ELEMENTS (texts) && error == NULL; i++)
    g_clear_object (
        &(KvsqlResult *){ kvsql_connection_query (connection, texts[i], NULL, NULL, &error) });
  for (guint begin = 0; begin < KEYS && error == NULL; begin += 1000)
    {
      g_string_assign (sql, "INSERT INTO soak VALUES ");
      for (guint k = begin; k < begin + 1000; k++)
        g_string_append_printf (sql, "%s(%u, 'the first value')", k > begin ? "," : "", k);
      g_clear_object (
          &(KvsqlResult *){ kvsql_connection_query (connection, sql->str, NULL, NULL, &error) });
    }
  if (error != NULL)
    fprintf (stderr, "soak-client: %s\n", error->message);
  return error == NULL;
}

/* Connections that have sent their first request only. NULL if one cannot be opened. */
static GPtrArray *
connect_idle (const gchar *uri, guint n)
{
  g_autoptr (GPtrArray) idle = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    {
      KvsqlConnection *connection = kvsql_connection_new (uri, NULL);
      KvsqlServerInfo *info = kvsql_connection_get_server_info (connection, NULL, &error);

      g_ptr_array_add (idle, connection);
      if (info == NULL)
        {
          fprintf (stderr, "soak-client: idle connection %u: %s\n", i, error->message);
          return NULL;
        }
      kvsql_server_info_unref (info);
    }
  return g_steal_pointer (&idle);
}

/* Returns how many idle connections do not answer. */
static guint
count_dead (GPtrArray *idle)
{
  guint n = 0;

  for (guint i = 0; i < idle->len; i++)
    {
      g_autoptr (GError) error = NULL;
      KvsqlResult *result = kvsql_connection_query (idle->pdata[i], "SELECT 1", NULL, NULL, &error);

      n += result == NULL;
      g_clear_object (&result);
    }
  return n;
}

/* ---- what is told */

static gint
compare_durations (gconstpointer a, gconstpointer b)
{
  guint32 left = *(const guint32 *)a, right = *(const guint32 *)b;

  return left < right ? -1 : left > right;
}

/* With STALLS, without the statements that overlap one. */
static GArray *
sorted_durations (const Worker *workers, guint n_workers, guint kind, const Stalls *stalls)
{
  GArray *durations = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint w = 0; w < n_workers; w++)
    for (guint i = 0; i < workers[w].statements->len; i++)
      {
        const Statement *one = &g_array_index (workers[w].statements, Statement, i);

        if (one->kind == kind
            && (stalls == NULL || !stalls_overlap (stalls, one->begin_us, one->begin_us + one->us)))
          g_array_append_val (durations, one->us);
      }
  g_array_sort (durations, compare_durations);
  return durations;
}

static guint32
quantile (const GArray *sorted, gdouble share)
{
  return sorted->len == 0 ? 0
                          : g_array_index (sorted, guint32, (guint)((gdouble)sorted->len * share));
}

static void
report_kind (const Worker *workers, guint n_workers, guint kind, const Stalls *stalls)
{
  g_autoptr (GArray) durations = sorted_durations (workers, n_workers, kind, stalls);

  printf ("\"%s%s\": {\"n\": %u, \"p50_us\": %u, \"p90_us\": %u, \"p99_us\": %u}, ", kinds[kind],
          stalls == NULL ? "_all" : "", durations->len, quantile (durations, 0.5),
          quantile (durations, 0.9), quantile (durations, 0.99));
}

static void
report (const Worker *workers, guint n_workers, gdouble seconds, guint n_dead, const Stalls *stalls)
{
  guint64 n_done = 0, n_failed = 0;
  const gchar *first_error = "";

  putchar ('{');
  for (guint kind = 0; kind < N_KINDS; kind++)
    {
      report_kind (workers, n_workers, kind, NULL);
      if (stalls != NULL)
        report_kind (workers, n_workers, kind, stalls);
    }
  if (stalls != NULL)
    printf ("\"stalls\": %u, \"stalled_seconds\": %.1f, ", stalls_count (stalls),
            (gdouble)stalls_total_us (stalls) / 1e6);
  for (guint w = 0; w < n_workers; w++)
    {
      n_done += workers[w].n_done;
      n_failed += workers[w].n_failed;
      if (workers[w].first_error != NULL)
        first_error = workers[w].first_error;
    }
  printf ("\"statements\": %" G_GUINT64_FORMAT ", \"errors\": %" G_GUINT64_FORMAT
          ", \"idle_dead\": %u, \"per_second\": %.0f, \"first_error\": \"%s\"}\n",
          n_done, n_failed, n_dead, (gdouble)n_done / seconds, first_error);
}

int
main (int argc, char **argv)
{
  gdouble seconds = argc == 6 ? g_ascii_strtod (argv[2], NULL) : 0;
  guint n_idle = argc == 6 ? (guint)atoi (argv[3]) : 0,
        n_busy = argc == 6 ? (guint)atoi (argv[4]) : 0;
  g_autoptr (GPtrArray) idle = NULL;
  g_autofree Worker *workers = g_new0 (Worker, MAX (n_busy, 1));
  g_autofree GThread **threads = g_new0 (GThread *, MAX (n_busy, 1));
  g_autoptr (Stalls) stalls = NULL;
  gboolean were_stalls_seen;
  gint64 begin_us;

  if (argc != 6)
    {
      fprintf (stderr, "usage: soak-client URI SECONDS IDLE BUSY PAUSE_MS\n");
      return 2;
    }
  if (!define (argv[1]) || (idle = connect_idle (argv[1], n_idle)) == NULL)
    return 1;
  stalls = stalls_watch ();
  begin_us = g_get_monotonic_time ();
  for (guint i = 0; i < n_busy; i++)
    {
      workers[i] = (Worker){ .uri = argv[1],
                             .number = i,
                             .statements = g_array_new (FALSE, FALSE, sizeof (Statement)),
                             .pause_us = atoi (argv[5]) * 1000,
                             .warm_us = begin_us + (gint64)(seconds * WARM_SHARE * 1e6),
                             .end_us = begin_us + (gint64)(seconds * 1e6) };
      threads[i] = g_thread_new ("busy", work, &workers[i]);
    }
  for (guint i = 0; i < n_busy; i++)
    g_thread_join (threads[i]);
  were_stalls_seen = stalls_stop (stalls);
  report (workers, n_busy, seconds, count_dead (idle), were_stalls_seen ? stalls : NULL);
  for (guint i = 0; i < n_busy; i++)
    {
      g_array_unref (workers[i].statements);
      g_free (workers[i].first_error);
    }
  return 0;
}
