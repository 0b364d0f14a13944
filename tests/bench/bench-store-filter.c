/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bench-store-filter.c: the same statements with and without filters that are pushed down to the
 * store, alternating, on one store.
 *
 *   bench-store-filter [ROWS [RUNS]]     on the HBase of KVSQL_TEST_HBASE_URL, or KVSQL_BENCH_STORE
 *
 * Prints for each statement the median of the wall times, and the rows and bytes that were
 * received. With KVSQL_BENCH_PIDS (numbers, separated by spaces) also the processor time of a run,
 * of this process and of those. A busy machine affects this least.
 */
#include "config.h"

#include "daemon/service/service-private.h"
#include "tests/harness/service-fixture.h"

#include <json-glib/json-glib.h>

#include <stdio.h>
#include <unistd.h>

#define BATCH 1000
#define MOST_RUNS 101

static const gchar definitions[]
    = "DEFINE RELATION packed { id BIGINT KEY, qty INT, price DOUBLE, note STRING } WITH (writes = "
      "plain);"
      "DEFINE PRIMARY SCHEMA packed_s FOR packed { TABLE 'packed', ROW id, FAMILY 'f', VALUE "
      "qty:price:note };"
      "DEFINE RELATION cells { id BIGINT KEY, qty INT, price DOUBLE, note STRING } WITH (writes = "
      "plain);"
      "DEFINE PRIMARY SCHEMA cells_s FOR cells { TABLE 'cells', ROW id, FAMILY 'f', QUALIFIER "
      "attr_name[id], VALUE attr_value[id] };"
      "DEFINE RELATION blob { id BIGINT KEY, bytes BYTES } WITH (writes = plain);"
      "DEFINE PRIMARY SCHEMA blob_s FOR blob { TABLE 'blob', ROW id, FAMILY 'f', VALUE bytes };";

static const gchar *const statements[] = {
  "SELECT * FROM packed WHERE qty = 42",      "SELECT * FROM packed WHERE qty < 50",
  "SELECT * FROM packed WHERE qty <> 42",     "SELECT * FROM cells WHERE qty = 42",
  "SELECT * FROM cells WHERE note LIKE '7%'", "SELECT count(*) FROM blob",
};

typedef struct
{
  gdouble ms[MOST_RUNS];
  gdouble cpu_own, cpu_others; /* ms */
  gint64 rows, bytes, matched;
} Figures;

static void
fill (ServiceFixture *fixture, guint n_rows)
{
  for (guint i = 0; i < n_rows; i += BATCH)
    {
      g_autoptr (GString) packed = g_string_new ("INSERT INTO packed VALUES ");
      g_autoptr (GString) cells = g_string_new ("INSERT INTO cells VALUES ");
      g_autoptr (GString) blob = g_string_new ("INSERT INTO blob VALUES ");

      for (guint j = i; j < MIN (n_rows, i + BATCH); j++)
        {
          const gchar *comma = j > i ? ", " : "";
          g_autofree gchar *values = g_strdup_printf (
              "(%u, %u, %u.5, '%02u some words of a note, as notes are')", j, j % 100, j, j % 97);

          g_string_append_printf (packed, "%s%s", comma, values);
          g_string_append_printf (cells, "%s%s", comma, values);
          g_string_append_printf (blob, "%s(%u, x'%01000u')", comma, j, j);
        }
      service_fixture_script (fixture, packed->str);
      service_fixture_script (fixture, cells->str);
      service_fixture_script (fixture, blob->str);
    }
}

/* The processor time of a process so far, in milliseconds. */
static gdouble
get_cpu (const gchar *pid)
{
  g_autofree gchar *path = g_strdup_printf ("/proc/%s/stat", pid);
  g_autofree gchar *text = NULL;
  const gchar *after;
  gulong user = 0, system = 0;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  after = strrchr (text, ')');
  if (after == NULL
      || sscanf (after, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system)
             != 2)
    return 0;
  return (gdouble)(user + system) * 1000 / sysconf (_SC_CLK_TCK);
}

static gdouble
get_cpu_of_others (void)
{
  const gchar *pids = g_getenv ("KVSQL_BENCH_PIDS");
  g_auto (GStrv) all = g_strsplit (pids != NULL ? pids : "", " ", -1);
  gdouble sum = 0;

  for (guint i = 0; all[i] != NULL; i++)
    sum += all[i][0] != '\0' ? get_cpu (all[i]) : 0;
  return sum;
}

static void
run_once (ServiceFixture *fixture, const gchar *sql, Figures *out, guint run)
{
  g_autofree gchar *explain = g_strconcat ("EXPLAIN (ANALYZE, FORMAT JSON) ", sql, NULL);
  gdouble own = get_cpu ("self"), others = get_cpu_of_others ();
  g_autofree gchar *text = service_fixture_run (fixture, explain);
  g_autoptr (JsonNode) root = json_from_string (text, NULL);
  JsonObject *actual = json_object_get_object_member (json_node_get_object (root), "actual");
  JsonObject *read = json_object_get_object_member (actual, "read");

  out->cpu_own += get_cpu ("self") - own;
  out->cpu_others += get_cpu_of_others () - others;
  out->ms[run] = json_object_get_double_member (actual, "ms");
  out->matched = json_object_get_int_member (actual, "matched");
  out->rows = json_object_get_int_member (read, "rows");
  out->bytes = json_object_get_int_member (read, "bytes");
}

static int
compare_times (const void *a, const void *b)
{
  const gdouble *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

static void
print_figures (const gchar *words, Figures *figures, guint n_runs)
{
  qsort (figures->ms, n_runs, sizeof *figures->ms, compare_times);
  g_print ("  %-8s %9.1f ms (%.1f-%.1f), %" G_GINT64_FORMAT " rows, %" G_GINT64_FORMAT
           " bytes, %" G_GINT64_FORMAT " matched; processor: own %.0f ms, others %.0f ms\n",
           words, figures->ms[n_runs / 2], figures->ms[0], figures->ms[n_runs - 1], figures->rows,
           figures->bytes, figures->matched, figures->cpu_own / n_runs,
           figures->cpu_others / n_runs);
}

int
main (int argc, char **argv)
{
  guint n_rows = argc > 1 ? (guint)g_ascii_strtoull (argv[1], NULL, 10) : 100000;
  guint n_runs = argc > 2 ? (guint)g_ascii_strtoull (argv[2], NULL, 10) : 5;
  const gchar *store = g_getenv ("KVSQL_BENCH_STORE");
  ServiceFixture fixture;
  KvsqlStoreCapabilities *capabilities;
  guint filters;

  if (store == NULL && g_getenv ("KVSQL_TEST_HBASE_URL") == NULL)
    {
      g_printerr ("KVSQL_TEST_HBASE_URL is not set\n");
      return 77;
    }
  n_runs = CLAMP (n_runs, 1, MOST_RUNS);
  service_fixture_open (&fixture, store != NULL ? store : "hbase");
  capabilities = &fixture.service->store->capabilities;
  filters = KVSQL_FILTER_VALUES | KVSQL_FILTER_KEYS_ONLY;
  service_fixture_script (&fixture, definitions);
  fill (&fixture, n_rows);
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    {
      Figures with = { { 0 } }, without = { { 0 } };

      for (guint run = 0; run < n_runs; run++)
        {
          capabilities->filters = 0;
          run_once (&fixture, statements[i], &without, run);
          capabilities->filters = filters;
          run_once (&fixture, statements[i], &with, run);
        }
      g_print ("%s\n", statements[i]);
      print_figures ("without", &without, n_runs);
      print_figures ("with", &with, n_runs);
    }
  service_fixture_close (&fixture);
  return 0;
}
