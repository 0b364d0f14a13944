/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ycsb-client.c: YCSB's core workloads A to F against kvsqld. The mixes are those of its files
 * workloads/workloada … workloadf (github.com/brianfrankcooper/YCSB). ycsb-choose.h chooses the
 * records.
 *
 *   ycsb-client URI load RECORDS
 *   ycsb-client URI a|b|c|d|e|f RECORDS THREADS SECONDS RATE
 *
 * A record has ten fields of 100 bytes. A read reads all of them, an update writes one, a scan
 * reads 1 to 100 records, with a uniform distribution. RATE: operations a second, of all threads
 * together; 0: no limit. Prints the results as JSON. Statements are prepared.
 */
#include "config.h"

#include <kvsql.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/ycsb-choose.h"

#define N_FIELDS 10
#define FIELD_BYTES 100
#define LONGEST_SCAN 100
#define BATCH 500
#define MOST_THREADS 256
#define MOST_INSERTS 10000000

typedef enum
{
  READ,
  UPDATE,
  INSERT,
  SCAN,
  READ_MODIFY_WRITE,
  N_KINDS,
} Kind;

static const gchar *const kind_names[N_KINDS]
    = { "read", "update", "insert", "scan", "read-modify-write" };

typedef struct
{
  const gchar *name;
  gdouble shares[N_KINDS];
  YcsbDistribution distribution;
} Workload;

static const Workload workloads[] = {
  { "a", { [READ] = 0.5, [UPDATE] = 0.5 }, YCSB_ZIPFIAN },
  { "b", { [READ] = 0.95, [UPDATE] = 0.05 }, YCSB_ZIPFIAN },
  { "c", { [READ] = 1 }, YCSB_ZIPFIAN },
  { "d", { [READ] = 0.95, [INSERT] = 0.05 }, YCSB_LATEST },
  { "e", { [SCAN] = 0.95, [INSERT] = 0.05 }, YCSB_ZIPFIAN },
  { "f", { [READ] = 0.5, [READ_MODIFY_WRITE] = 0.5 }, YCSB_ZIPFIAN },
};

/* The existing records. A record counts as soon as it and all records before it are acknowledged.
 */
typedef struct
{
  GMutex mutex;
  guint64 n_loaded, n_acknowledged, n_begun;
  gboolean *is_acknowledged; /* by number, without the loaded records */
} Records;

typedef struct
{
  const gchar *uri;
  const Workload *workload;
  guint n_threads;
  gint64 start_us, end_us;
  gdouble rate;
  Records records;
} Run;

typedef struct
{
  Run *run;
  guint number;
  YcsbChooser chooser;
  KvsqlConnection *connection;
  GHashTable *statements;
  GArray *times[N_KINDS]; /* µs */
  guint64 n_failed, n_missing, n_scanned;
  gchar *first_error;
} Worker;

/* ---- records */

static guint64
count_records (Records *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->n_loaded + self->n_acknowledged;
}

static guint64
begin_record (Records *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->n_loaded + self->n_begun++;
}

static void
acknowledge_record (Records *self, guint64 record)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (record - self->n_loaded >= MOST_INSERTS)
    return;
  self->is_acknowledged[record - self->n_loaded] = TRUE;
  while (self->n_acknowledged < MIN (self->n_begun, MOST_INSERTS)
         && self->is_acknowledged[self->n_acknowledged])
    self->n_acknowledged++;
}

/* ---- statements */

static void
make_value (YcsbChooser *chooser, gchar *out)
{
  for (guint i = 0; i < FIELD_BYTES; i++)
    out[i] = (gchar)(' ' + ycsb_chooser_below (chooser, 95));
  out[FIELD_BYTES] = '\0';
}

static KvsqlStatement *
prepare (Worker *self, const gchar *sql, GError **error)
{
  KvsqlStatement *statement = g_hash_table_lookup (self->statements, sql);

  if (statement == NULL)
    {
      statement = kvsql_connection_prepare (self->connection, sql, NULL, error);
      if (statement != NULL)
        g_hash_table_insert (self->statements, g_strdup (sql), statement);
    }
  return statement;
}

/* Returns the number of rows of the result, of all pages, or -1. */
static gint64
execute (Worker *self, const gchar *sql, KvsqlParams *params)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResult) result = NULL;
  KvsqlStatement *statement = prepare (self, sql, &error);
  gint64 rows = 0;

  if (statement != NULL)
    result = kvsql_statement_execute (statement, params, NULL, &error);
  while (result != NULL)
    {
      rows += kvsql_result_get_n_page_rows (result);
      if (kvsql_result_is_last_page (result))
        return rows;
      if (!kvsql_result_next_page (result, NULL, &error))
        break;
    }
  self->n_failed++;
  if (self->first_error == NULL)
    self->first_error = g_strdup (error != NULL ? error->message : "?");
  return -1;
}

static void
read_record (Worker *self, guint64 record)
{
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  gchar key[32];

  ycsb_key (record, key);
  kvsql_params_add_string (params, NULL, key);
  if (execute (self, "SELECT * FROM usertable WHERE ycsb_key = ?", params) == 0)
    self->n_missing++;
}

static void
update_record (Worker *self, guint64 record)
{
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  gchar key[32], value[FIELD_BYTES + 1], sql[80];

  ycsb_key (record, key);
  make_value (&self->chooser, value);
  g_snprintf (sql, sizeof sql, "UPDATE usertable SET field%u = ? WHERE ycsb_key = ?",
              (guint)ycsb_chooser_below (&self->chooser, N_FIELDS));
  kvsql_params_add_string (params, NULL, value);
  kvsql_params_add_string (params, NULL, key);
  execute (self, sql, params);
}

static void
insert_record (Worker *self)
{
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  guint64 record = begin_record (&self->run->records);
  gchar key[32], value[FIELD_BYTES + 1];

  ycsb_key (record, key);
  kvsql_params_add_string (params, NULL, key);
  for (guint i = 0; i < N_FIELDS; i++)
    {
      make_value (&self->chooser, value);
      kvsql_params_add_string (params, NULL, value);
    }
  if (execute (self, "INSERT INTO usertable VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", params) >= 0)
    acknowledge_record (&self->run->records, record);
}

static void
scan_records (Worker *self, guint64 record)
{
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  gchar key[32], sql[96];
  gint64 rows;

  ycsb_key (record, key);
  kvsql_params_add_string (params, NULL, key);
  g_snprintf (sql, sizeof sql,
              "SELECT * FROM usertable WHERE ycsb_key >= ? ORDER BY ycsb_key LIMIT %u",
              1 + (guint)ycsb_chooser_below (&self->chooser, LONGEST_SCAN));
  rows = execute (self, sql, params);
  self->n_scanned += (guint64)MAX (rows, 0);
  self->n_missing += rows == 0;
}

/* ---- working */

static Kind
choose_kind (Worker *self)
{
  gdouble share = ycsb_chooser_share (&self->chooser);
  Kind kind = READ;

  for (Kind i = READ; i < N_KINDS; i++)
    {
      if (self->run->workload->shares[i] > 0)
        kind = i;
      if (share < self->run->workload->shares[i])
        break;
      share -= self->run->workload->shares[i];
    }
  return kind;
}

static void
do_one (Worker *self, Kind kind)
{
  guint64 record = ycsb_chooser_next (&self->chooser, count_records (&self->run->records));

  if (kind == READ || kind == READ_MODIFY_WRITE)
    read_record (self, record);
  if (kind == UPDATE || kind == READ_MODIFY_WRITE)
    update_record (self, record);
  if (kind == SCAN)
    scan_records (self, record);
  if (kind == INSERT)
    insert_record (self);
}

/* As in YCSB: an operation does not begin before its time. Late operations are not compensated. */
static void
await_turn (const Run *run, guint64 n_done)
{
  gint64 due = run->start_us, now = g_get_monotonic_time ();

  if (run->rate <= 0)
    return;
  due += (gint64)((gdouble)n_done * run->n_threads * G_USEC_PER_SEC / run->rate);
  if (due > now)
    g_usleep ((gulong)(due - now));
}

static gpointer
work (gpointer data)
{
  Worker *self = data;
  gint64 now;

  for (guint64 n_done = 0; g_get_monotonic_time () < self->run->end_us; n_done++)
    {
      Kind kind = choose_kind (self);
      gint64 us;

      await_turn (self->run, n_done);
      now = g_get_monotonic_time ();
      do_one (self, kind);
      us = g_get_monotonic_time () - now;
      g_array_append_val (self->times[kind], us);
    }
  return NULL;
}

static gboolean
open_worker (Worker *self, Run *run, guint number, gint64 seconds)
{
  g_autoptr (GError) error = NULL;

  self->run = run;
  self->number = number;
  ycsb_chooser_init (&self->chooser, run->workload->distribution, run->records.n_loaded,
                     run->workload->shares[INSERT] > 0 ? (guint64)seconds * 1000 : 0, number + 1);
  self->statements = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  for (Kind i = READ; i < N_KINDS; i++)
    self->times[i] = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->connection = kvsql_connection_new (run->uri, &error);
  if (self->connection != NULL && kvsql_connection_open (self->connection, NULL, &error))
    return TRUE;
  fprintf (stderr, "ycsb-client: %s\n", error->message);
  return FALSE;
}

static void
close_worker (Worker *self)
{
  g_clear_pointer (&self->statements, g_hash_table_unref);
  g_clear_object (&self->connection);
  for (Kind i = READ; i < N_KINDS; i++)
    if (self->times[i] != NULL)
      g_array_unref (self->times[i]);
  g_free (self->first_error);
}

/* ---- telling */

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

  return (x > y) - (x < y);
}

static gint64
quantile (const GArray *times, gdouble share)
{
  return g_array_index (times, gint64, (guint)((gdouble)times->len * share));
}

/* The results of all threads. Returns the number of operations. */
static guint
print_kind (Worker *workers, guint n, Kind kind, gboolean *io_is_first)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < n; i++)
    g_array_append_vals (all, workers[i].times[kind]->data, workers[i].times[kind]->len);
  if (all->len == 0)
    return 0;
  g_array_sort (all, compare_times);
  printf ("%s\"%s\": {\"n\": %u, \"p50_us\": %" G_GINT64_FORMAT ", \"p95_us\": %" G_GINT64_FORMAT
          ", \"p99_us\": %" G_GINT64_FORMAT "}",
          *io_is_first ? "" : ", ", kind_names[kind], all->len, quantile (all, 0.5),
          quantile (all, 0.95), quantile (all, 0.99));
  *io_is_first = FALSE;
  return all->len;
}

static void
print_run (Worker *workers, const Run *run, gint64 took_us)
{
  guint64 n_failed = 0, n_missing = 0, n_scanned = 0;
  const gchar *first_error = NULL;
  gboolean is_first = TRUE;
  guint n_done = 0;

  printf ("{\"operations\": {");
  for (Kind i = READ; i < N_KINDS; i++)
    n_done += print_kind (workers, run->n_threads, i, &is_first);
  for (guint i = 0; i < run->n_threads; i++)
    {
      n_failed += workers[i].n_failed;
      n_missing += workers[i].n_missing;
      n_scanned += workers[i].n_scanned;
      if (first_error == NULL)
        first_error = workers[i].first_error;
    }
  printf ("}, \"per_second\": %.1f, \"failed\": %" G_GUINT64_FORMAT
          ", \"missing\": %" G_GUINT64_FORMAT ", \"rows_scanned\": %" G_GUINT64_FORMAT
          ", \"records\": %" G_GUINT64_FORMAT "}\n",
          (gdouble)n_done * G_USEC_PER_SEC / (gdouble)took_us, n_failed, n_missing, n_scanned,
          run->records.n_loaded + run->records.n_acknowledged);
  if (first_error != NULL)
    fprintf (stderr, "ycsb-client: %s\n", first_error);
}

static int
run_workload (Run *run, gint64 seconds)
{
  Worker workers[MOST_THREADS] = { 0 };
  GThread *threads[MOST_THREADS];
  gboolean is_fine = TRUE;

  for (guint i = 0; i < run->n_threads && is_fine; i++)
    is_fine = open_worker (&workers[i], run, i, seconds);
  if (is_fine)
    {
      run->start_us = g_get_monotonic_time ();
      run->end_us = run->start_us + seconds * G_USEC_PER_SEC;
      for (guint i = 0; i < run->n_threads; i++)
        threads[i] = g_thread_new ("ycsb", work, &workers[i]);
      for (guint i = 0; i < run->n_threads; i++)
        g_thread_join (threads[i]);
      print_run (workers, run, g_get_monotonic_time () - run->start_us);
    }
  for (guint i = 0; i < run->n_threads; i++)
    close_worker (&workers[i]);
  return is_fine ? 0 : 1;
}

/* ---- loading */

static gboolean
load_batch (KvsqlConnection *connection, YcsbChooser *chooser, guint64 first, guint n,
            GError **error)
{
  static const gchar *const columns[]
      = { "ycsb_key", "field0", "field1", "field2", "field3", "field4",
          "field5",   "field6", "field7", "field8", "field9", NULL };
  g_autoptr (KvsqlBulk) bulk = kvsql_bulk_new (connection, "usertable", columns);
  gchar key[32], value[FIELD_BYTES + 1];

  for (guint i = 0; i < n; i++)
    {
      ycsb_key (first + i, key);
      kvsql_bulk_append_string (bulk, 0, key);
      for (guint f = 0; f < N_FIELDS; f++)
        {
          make_value (chooser, value);
          kvsql_bulk_append_string (bulk, f + 1, value);
        }
    }
  return kvsql_bulk_insert (bulk, NULL, error) >= 0;
}

static int
load (const gchar *uri, guint64 n_records)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlConnection) connection = kvsql_connection_new (uri, &error);
  gboolean is_fine = connection != NULL;
  YcsbChooser chooser;

  ycsb_chooser_init (&chooser, YCSB_UNIFORM, n_records, 0, 0);
  for (guint64 i = 0; i < n_records && is_fine; i += BATCH)
    is_fine = load_batch (connection, &chooser, i, (guint)MIN (BATCH, n_records - i), &error);
  if (!is_fine)
    fprintf (stderr, "ycsb-client: %s\n", error->message);
  return is_fine ? 0 : 1;
}

static const Workload *
find_workload (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (workloads); i++)
    if (strcmp (name, workloads[i].name) == 0)
      return &workloads[i];
  return NULL;
}

int
main (int argc, char **argv)
{
  Run run = { 0 };
  int status;

  if (argc == 4 && strcmp (argv[2], "load") == 0)
    return load (argv[1], g_ascii_strtoull (argv[3], NULL, 10));
  if (argc != 7 || find_workload (argv[2]) == NULL)
    {
      fprintf (stderr, "usage: ycsb-client URI load RECORDS\n"
                       "       ycsb-client URI a|b|c|d|e|f RECORDS THREADS SECONDS RATE\n");
      return 2;
    }
  run.uri = argv[1];
  run.workload = find_workload (argv[2]);
  run.records.n_loaded = g_ascii_strtoull (argv[3], NULL, 10);
  run.n_threads = CLAMP ((guint)g_ascii_strtoull (argv[4], NULL, 10), 1, MOST_THREADS);
  run.rate = g_ascii_strtod (argv[6], NULL);
  run.records.is_acknowledged = g_new0 (gboolean, MOST_INSERTS);
  status = run_workload (&run, g_ascii_strtoll (argv[5], NULL, 10));
  g_free (run.records.is_acknowledged);
  return status;
}
