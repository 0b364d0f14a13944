/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-backfill.c: schemas that are added to a relation with tuples, while other threads write to
 * it.
 */
#include "config.h"

#include <stdio.h>

#include "core/maintain/tuple-chunk.h"
#include "daemon/backfill/backfill-private.h"
#include "daemon/service/service-private.h"
#include "tests/harness/assert.h"
#include "tests/harness/service-fixture.h"
#include "tests/size.h"

#define N_WRITERS 16

static const gchar *const relation
    = "DEFINE RELATION item { id INT KEY, kind STRING NOT NULL, size INT, note STRING }";

/* Primaries: a cell for each attribute; one cell; rows that depend on the kind. */
static const gchar *const primaries[] = {
  "DEFINE PRIMARY SCHEMA p FOR item { TABLE 'p', ROW ordered{id}, FAMILY 'd', "
  "QUALIFIER attr_name[], VALUE attr_value[] }",
  "DEFINE PRIMARY SCHEMA p FOR item { TABLE 'p', ROW ordered{id}, FAMILY 'd', "
  "VALUE ordered{kind}:ordered{size}:ordered{note} }",
  "DEFINE PRIMARY SCHEMA p FOR item { TABLE 'p', ROW suffix('/'){kind}:ordered{id}, FAMILY 'd', "
  "VALUE ordered{size}:ordered{note} }",
};

/* Added schemas: rows that depend on the size; cells of their own under the key; many tuples in a
 * row; an index. */
static const gchar *const added[] = {
  "DEFINE SCHEMA s FOR item { TABLE 's', ROW ordered{size}:ordered{id}, FAMILY 'd', "
  "VALUE ordered{kind}:ordered{note} }",
  "DEFINE SCHEMA s FOR item { TABLE 's', ROW ordered{id}, FAMILY 'd', QUALIFIER attr_name[], "
  "VALUE attr_value[] }",
  "DEFINE SCHEMA s FOR item { TABLE 's', ROW kind, FAMILY 'd', QUALIFIER ordered{id}, "
  "VALUE ordered{size}:ordered{note} }",
  "DEFINE SCHEMA s FOR item { TABLE 's', ROW suffix('/'){kind}:ordered{id}, FAMILY 'd' }",
};

static void
define (ServiceFixture *fixture, const gchar *primary)
{
  service_fixture_script (fixture, relation);
  service_fixture_script (fixture, primary);
}

/* ---- writers */

typedef struct
{
  ServiceFixture *fixture;
  guint number;
  guint n_tuples;
  gint *stop;
  gint *n_done;
} Writer;

static gchar *
random_statement_of (GRand *random, guint n_tuples)
{
  guint id = (guint)g_rand_int_range (random, 0, (gint)n_tuples);
  guint other = (guint)g_rand_int_range (random, 0, (gint)n_tuples);
  guint kind = (guint)g_rand_int_range (random, 0, 20), size = other % 100;

  switch (g_rand_int_range (random, 0, 7))
    {
    case 0:
      return g_strdup_printf ("INSERT INTO item VALUES (%u, 'k%u', %u, NULL)", id, kind, size);
    case 1:
      return g_strdup_printf ("DELETE FROM item WHERE id = %u", id);
    case 2:
      return g_strdup_printf ("UPDATE item SET size = %u, note = 'u' WHERE id = %u", size, id);
    case 3:
      return g_strdup_printf ("UPDATE item SET kind = 'k%u' WHERE id = %u", kind, id);
    case 4:
      return g_strdup_printf ("UPDATE item SET id = %u WHERE id = %u", n_tuples + other, id);
    case 5:
      return g_strdup_printf ("UPDATE item SET note = NULL, size = size + 1 WHERE id IN (%u, %u)",
                              id, other);
    default:
      return g_strdup_printf ("INSERT INTO item VALUES (%u, 'k%u', NULL, 'c') ON CONFLICT DO "
                              "UPDATE SET note = 'c', size = NULL",
                              id, kind);
    }
}

/* The key that a tuple moves to may be in use. */
static gpointer
write_on (gpointer data)
{
  Writer *self = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (self->number);

  while (!g_atomic_int_get (self->stop))
    {
      g_autofree gchar *sql = random_statement_of (random, self->n_tuples);
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
          self->fixture->service, NULL, kvsql_slice_from_text (sql), NULL, 0, &error);

      if (page == NULL)
        g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DUPLICATE_KEY);
      g_atomic_int_inc (self->n_done);
    }
  return NULL;
}

static void
start_writers (ServiceFixture *fixture, guint n_tuples, Writer *writers, GThread **threads,
               gint *stop, gint *n_done)
{
  for (guint i = 0; i < N_WRITERS; i++)
    {
      writers[i] = (Writer){ fixture, i, n_tuples, stop, n_done };
      threads[i] = g_thread_new ("writer", write_on, &writers[i]);
    }
}

static void
insert_tuples (ServiceFixture *fixture, guint n)
{
  for (guint i = 0; i < n; i += 500)
    {
      g_autoptr (GString) sql = g_string_new ("INSERT INTO item VALUES ");
      for (guint id = i; id < MIN (n, i + 500); id++)
        g_string_append_printf (sql, "%s(%u, 'k%u', %u, %s)", id > i ? ", " : "", id, id % 20,
                                id % 100, id % 3 == 0 ? "NULL" : "'n'");
      service_fixture_script (fixture, sql->str);
    }
}

/* Both schemas give the same tuples, all of them and by predicates. */
static void
assert_equal_answers (ServiceFixture *fixture)
{
  static const gchar *const queries[]
      = { "SELECT * FROM item USING SCHEMA %s ORDER BY id",
          "SELECT id, kind FROM item USING SCHEMA %s WHERE kind = 'k7' ORDER BY id",
          "SELECT id, note FROM item USING SCHEMA %s WHERE size < 20 ORDER BY id",
          "SELECT count(*), sum(size) FROM item USING SCHEMA %s" };

  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      g_auto (GStrv) parts = g_strsplit (queries[i], "%s", 2);
      g_autofree gchar *of_primary = g_strjoinv ("p", parts), *of_added = g_strjoinv ("s", parts);
      g_autofree gchar *expected = service_fixture_run (fixture, of_primary);
      service_fixture_assert (fixture, of_added, expected);
    }
}

static gchar *
last_line (const gchar *text)
{
  const gchar *at = strrchr (text, '\n');

  return g_strdup (at == NULL ? text : at + 1);
}

/* Returns when the schema is readable. */
static void
backfill (ServiceFixture *fixture)
{
  g_autofree gchar *rows = service_fixture_run (fixture, "BACKFILL SCHEMA s");
  g_autofree gchar *last = last_line (rows);

  g_assert_true (g_str_has_prefix (last, "s|readable|"));
}

typedef struct
{
  const gchar *store;
  guint primary;
  guint added;
  guint n_tuples;
} Case;

/* Sixteen threads write before, during and after the backfill. */
static void
test_concurrent (gconstpointer data)
{
  const Case *the_case = data;
  ServiceFixture fixture;
  Writer writers[N_WRITERS];
  GThread *threads[N_WRITERS];
  gint stop = 0, n_done = 0, n_before;

  service_fixture_open (&fixture, the_case->store);
  define (&fixture, primaries[the_case->primary]);
  insert_tuples (&fixture, the_case->n_tuples);
  start_writers (&fixture, the_case->n_tuples, writers, threads, &stop, &n_done);
  service_fixture_script (&fixture, added[the_case->added]);
  backfill (&fixture);
  n_before = g_atomic_int_get (&n_done);
  while (g_atomic_int_get (&n_done) < n_before + 100)
    g_usleep (1000);
  g_atomic_int_set (&stop, 1);
  for (guint i = 0; i < N_WRITERS; i++)
    g_thread_join (threads[i]);
  service_fixture_assert (&fixture, "VERIFY SCHEMA s", "");
  assert_equal_answers (&fixture);
  service_fixture_assert (&fixture, "REPAIR SCHEMA s", "");
  service_fixture_close (&fixture);
}

/* ---- schemas that are out of step */

/* The cells of a table, and their expected fate. */
static void
damage (ServiceFixture *fixture)
{
  KvsqlStore *store = fixture->service->store;
  KvsqlRowRange all = { .start = KVSQL_SLICE_EMPTY };
  KvsqlScanSpec spec
      = { .table = kvsql_slice_from_text ("s"), .ranges = &all, .n_ranges = 1, .batch_rows = 1000 };
  g_autoptr (GError) error = NULL;
  KvsqlScan *scan = kvsql_store_open_scan (store, &spec, NULL, &error);
  KvsqlMutation mutations[3] = { 0 };
  const KvsqlRows *rows;

  g_assert_no_error (error);
  assert_done (kvsql_scan_next (scan, NULL, &rows, &error), error);
  g_assert_cmpuint (rows->n_rows, >, 10);
  for (guint i = 0; i < 3; i++)
    {
      const KvsqlRow *row = &rows->rows[3 * i];
      const KvsqlCell *cell = &rows->cells[row->first_cell];
      mutations[i] = (KvsqlMutation){ .table = spec.table,
                                      .row = row->key,
                                      .family = cell->family,
                                      .qualifier = cell->qualifier,
                                      .timestamp = cell->timestamp };
    }
  /* deletes one, gives one the value of another, and puts one into a row that no tuple has */
  mutations[0].kind = KVSQL_MUTATION_DELETE;
  mutations[1].value = rows->cells[rows->rows[10].first_cell].value;
  mutations[2].value = rows->cells[rows->rows[6].first_cell].value;
  mutations[2].row = kvsql_slice ("\x2b\x80\x00\x00\x63\x2b\x80\x00\xff\xff", 10);
  assert_done (kvsql_store_apply (store, mutations, 3, NULL, &error), error);
  kvsql_scan_close (scan);
}

static void
test_repair (gconstpointer store)
{
  ServiceFixture fixture;
  g_autofree gchar *rows = NULL, *limited = NULL, *mended = NULL;
  g_auto (GStrv) lines = NULL;

  service_fixture_open (&fixture, store);
  define (&fixture, primaries[0]);
  service_fixture_script (&fixture, added[0]);
  insert_tuples (&fixture, 1500);
  service_fixture_assert (&fixture, "VERIFY SCHEMA s", "");
  damage (&fixture);
  rows = service_fixture_run (&fixture, "VERIFY SCHEMA s");
  lines = g_strsplit (rows, "\n", -1);
  g_test_message ("%s", rows);
  g_assert_cmpuint (g_strv_length (lines), ==, 3);
  /* sizes are the last two digits, and rows are sorted by them: 0, 100, 200 … */
  g_assert_true (g_str_has_prefix (lines[0], "missing|id = 0|"));
  g_assert_true (g_str_has_prefix (lines[1], "different|id = 300|"));
  g_assert_true (g_str_has_prefix (lines[2], "extra|id = 65535|"));
  limited = service_fixture_run (&fixture, "VERIFY SCHEMA s LIMIT 1");
  g_assert_cmpstr (limited, ==, lines[0]);
  service_fixture_assert (&fixture, "VERIFY SCHEMA s LIMIT 0", "");
  mended = service_fixture_run (&fixture, "REPAIR SCHEMA s");
  g_assert_cmpstr (mended, ==, rows);
  service_fixture_assert (&fixture, "REPAIR SCHEMA s", "");
  service_fixture_assert (&fixture, "VERIFY SCHEMA s", "");
  assert_equal_answers (&fixture);
  service_fixture_close (&fixture);
}

/* A schema that was dropped while the relation stayed, and is defined again over the same tables,
 * also by a definition with its state. */
static void
test_rebuild (gconstpointer store)
{
  for (guint i = 0; i < G_N_ELEMENTS (added); i++)
    {
      ServiceFixture fixture;
      g_autofree gchar *text = NULL, *definition = NULL;

      service_fixture_open (&fixture, store);
      define (&fixture, primaries[i % G_N_ELEMENTS (primaries)]);
      service_fixture_script (&fixture, added[i]);
      insert_tuples (&fixture, 1200);
      service_fixture_script (&fixture, "DROP SCHEMA s");
      service_fixture_script (&fixture, "DELETE FROM item WHERE size < 30;"
                                        "UPDATE item SET size = 7, note = NULL WHERE size > 60;"
                                        "UPDATE item SET kind = 'new' WHERE kind = 'k3'");
      definition = g_strconcat (added[i], i % 2 == 0 ? "" : " WITH (state = building)", NULL);
      service_fixture_script (&fixture, definition);
      text = service_fixture_run (&fixture, "SHOW CREATE s");
      g_assert_true (g_str_has_suffix (text, " WITH (state = rebuilding)"));
      backfill (&fixture);
      service_fixture_assert (&fixture, "VERIFY SCHEMA s", "");
      assert_equal_answers (&fixture);
      service_fixture_close (&fixture);
    }
}

/* Rows of progress only grow, and the last one is complete. */
static void
test_progress (gconstpointer store)
{
  ServiceFixture fixture;
  g_autofree gchar *rows = NULL, *last = NULL;
  g_auto (GStrv) lines = NULL;
  gint64 before = 0;

  service_fixture_open (&fixture, store);
  define (&fixture, primaries[0]);
  insert_tuples (&fixture, 12000);
  service_fixture_script (&fixture, added[2]);
  rows = service_fixture_run (&fixture, "BACKFILL SCHEMA s");
  lines = g_strsplit (rows, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], "|", -1);
      gint64 n = g_ascii_strtoll (fields[2], NULL, 10);
      g_assert_cmpint (n, >=, before);
      before = n;
    }
  g_assert_cmpint (before, ==, 12000);
  last = last_line (rows);
  g_assert_true (g_str_has_prefix (last, "s|readable|12000|100 %|"));
  service_fixture_close (&fixture);
}

/* ---- going on */

/* Fetches all pages. @out_warning: the warning about an earlier job. (transfer full) */
static gchar *
run_backfill (ServiceFixture *fixture, gchar **out_warning, GError **error)
{
  KvsqlSlice sql = kvsql_slice_from_text ("BACKFILL SCHEMA s");
  KvsqlResultPage *page = kvsqld_service_query (fixture->service, NULL, sql, NULL, 0, error);
  GString *rows = g_string_new (NULL);

  *out_warning = NULL;
  while (page != NULL)
    {
      KvsqlResultPage *next = NULL;

      service_fixture_append_page (page, rows);
      if (page->warnings != NULL)
        {
          g_assert_null (*out_warning);
          g_assert_cmpuint (page->warnings->len, ==, 1);
          *out_warning = g_strdup (page->warnings->pdata[0]);
        }
      if (page->cursor != NULL)
        {
          gsize size;
          const guint8 *data = g_bytes_get_data (page->cursor, &size);
          next = kvsqld_service_fetch (fixture->service, NULL, kvsql_slice (data, size), error);
        }
      kvsql_result_page_free (page);
      page = next;
    }
  return g_string_free (rows, FALSE);
}

static gchar *
backfill_again (ServiceFixture *fixture, gchar **out_warning)
{
  g_autoptr (GError) error = NULL;
  gchar *rows = run_backfill (fixture, out_warning, &error);

  g_assert_no_error (error);
  return rows;
}

static void
remove_first_cell (ServiceFixture *fixture)
{
  KvsqlStore *store = fixture->service->store;
  KvsqlRowRange all = { .start = KVSQL_SLICE_EMPTY };
  KvsqlScanSpec spec
      = { .table = kvsql_slice_from_text ("s"), .ranges = &all, .n_ranges = 1, .batch_rows = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (store, &spec, NULL, &error);
  KvsqlMutation mutation = { .kind = KVSQL_MUTATION_DELETE, .table = spec.table };
  const KvsqlRows *rows;

  g_assert_no_error (error);
  assert_done (kvsql_scan_next (scan, NULL, &rows, &error), error);
  g_assert_cmpuint (rows->n_rows, >, 0);
  mutation.row = rows->rows[0].key;
  mutation.family = rows->cells[rows->rows[0].first_cell].family;
  mutation.qualifier = rows->cells[rows->rows[0].first_cell].qualifier;
  mutation.timestamp = rows->cells[rows->rows[0].first_cell].timestamp;
  assert_done (kvsql_store_apply (store, &mutation, 1, NULL, &error), error);
}

static const gchar *const of_notes = "DEFINE SCHEMA s FOR item { TABLE 's', ROW ordered{size}:"
                                     "ordered{id}, FAMILY 'd', VALUE note }";

/* A BACKFILL that ended near the end, at a tuple that the layout cannot hold. */
static void
stop_in_the_middle (ServiceFixture *fixture, guint n_tuples)
{
  g_autofree gchar *spoil
      = g_strdup_printf ("UPDATE item SET note = NULL WHERE id = %u", n_tuples - 1);
  g_autofree gchar *mend
      = g_strdup_printf ("UPDATE item SET note = 'n' WHERE id = %u", n_tuples - 1);
  g_autofree gchar *rows = NULL, *warning = NULL;
  g_autoptr (GError) error = NULL;

  insert_tuples (fixture, n_tuples);
  service_fixture_script (fixture, "UPDATE item SET note = 'n' WHERE note IS NULL");
  service_fixture_script (fixture, spoil);
  service_fixture_script (fixture, of_notes);
  rows = run_backfill (fixture, &warning, &error);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_VALUE);
  g_assert_null (warning);
  service_fixture_script (fixture, mend);
}

/* What the first job has put is not put again: a cell that is deleted in between stays deleted. */
static void
test_goes_on (gconstpointer store)
{
  const guint n_tuples = g_strcmp0 (store, "hbase") == 0 ? 6000 : 20000;
  g_autofree gchar *warning = NULL, *rows = NULL, *last = NULL, *expected = NULL;
  g_autofree gchar *differences = NULL;
  g_autoptr (KvsqlCatalog) catalog = NULL;
  ServiceFixture fixture;
  guint64 n_before = 0;

  service_fixture_open (&fixture, store);
  define (&fixture, primaries[0]);
  stop_in_the_middle (&fixture, n_tuples);
  remove_first_cell (&fixture);
  rows = backfill_again (&fixture, &warning);
  g_assert_nonnull (warning);
  g_assert_cmpint (
      sscanf (warning, "note: an earlier BACKFILL had put %" G_GUINT64_FORMAT, &n_before), ==, 1);
  g_assert_cmpuint (n_before, >=, 2000);
  last = last_line (rows);
  expected = g_strdup_printf ("s|readable|%u|100 %%|", n_tuples);
  g_assert_true (g_str_has_prefix (last, expected));
  differences = service_fixture_run (&fixture, "VERIFY SCHEMA s");
  g_assert_true (g_str_has_prefix (differences, "missing|id = 0|"));
  g_assert_null (strchr (differences, '\n'));
  catalog = kvsqld_definitions_get (fixture.service->definitions);
  g_assert_cmpuint (g_hash_table_size (catalog->notes), ==, 0);
  service_fixture_close (&fixture);
}

static const struct
{
  const gchar *change;
  gboolean defines;
} changes[] = {
  { "DROP SCHEMA s", TRUE },
  { "ALTER RELATION item ADD more STRING", FALSE },
  { "COMMENT ON SCHEMA p IS 'new'", FALSE },
};

/* A position among tuples that have changed since is not used. */
static void
test_starts_again (gconstpointer store)
{
  /* the number of changes does not depend on the store */
  guint n_changes = g_strcmp0 (store, "hbase") == 0 ? 1 : G_N_ELEMENTS (changes);

  for (guint i = 0; i < n_changes; i++)
    {
      g_autofree gchar *warning = NULL, *rows = NULL;
      ServiceFixture fixture;

      service_fixture_open (&fixture, store);
      define (&fixture, primaries[0]);
      stop_in_the_middle (&fixture, 6000);
      service_fixture_script (&fixture, changes[i].change);
      if (changes[i].defines)
        {
          service_fixture_script (&fixture, "UPDATE item SET size = 7 WHERE id < 100");
          service_fixture_script (&fixture, of_notes);
        }
      else if (g_strcmp0 (store, "hbase")
               != 0) /* it would not become visible again at its timestamp */
        remove_first_cell (&fixture);
      rows = backfill_again (&fixture, &warning);
      g_assert_null (warning);
      service_fixture_assert (&fixture, "VERIFY SCHEMA s", "");
      service_fixture_close (&fixture);
    }
}

/* The daemon shuts down while a job runs. The next daemon on the same tables resumes the job. */
static void
test_other_daemon (gconstpointer store)
{
  g_autofree gchar *warning = NULL, *rows = NULL;
  KvsqldBackfillState state = { 0 };
  ServiceFixture fixture;

  service_fixture_open (&fixture, store);
  define (&fixture, primaries[0]);
  insert_tuples (&fixture, test_size (100000, 40000));
  service_fixture_script (&fixture, added[0]);
  kvsqld_backfills_start (fixture.service->backfills, "s");
  /* more than the workers process at one time, so the first portions are done */
  while (state.n_tuples < 20000)
    {
      g_assert_true (kvsqld_backfills_wait (fixture.service->backfills, "s", 0, &state));
      g_assert_true (state.is_running);
    }
  service_fixture_reopen (&fixture);
  rows = backfill_again (&fixture, &warning);
  g_assert_nonnull (warning);
  service_fixture_assert (&fixture, "VERIFY SCHEMA s", "");
  assert_equal_answers (&fixture);
  service_fixture_close (&fixture);
}

static KvsqlCall
new_call (void)
{
  return (KvsqlCall){ .deadline_us = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND };
}

/* A job that was in its second pass does not repeat the first: wrong cells of tuples stay, and
 * extra cells are deleted. */
static void
test_sweep_goes_on (gconstpointer store)
{
  g_autofree gchar *warning = NULL, *rows = NULL, *differences = NULL;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  KvsqldBackfillProgress progress;
  KvsqlCall call = new_call ();
  ServiceFixture fixture;

  service_fixture_open (&fixture, store);
  define (&fixture, primaries[0]);
  service_fixture_script (&fixture, added[0]);
  insert_tuples (&fixture, 1500);
  service_fixture_script (&fixture, "DROP SCHEMA s");
  service_fixture_script (&fixture, "DELETE FROM item WHERE size < 30;"
                                    "UPDATE item SET note = 'z' WHERE id = 99");
  service_fixture_script (&fixture, added[0]);
  g_assert_true (kvsqld_backfill_progress_open (fixture.service->definitions, "s", &call, arena,
                                                &progress, &error));
  g_assert_no_error (error);
  progress.is_sweeping = TRUE;
  progress.n_tuples = 1050;
  g_assert_true (
      kvsqld_backfill_progress_note (fixture.service->definitions, "s", &progress, &call, &error));
  g_assert_no_error (error);
  rows = backfill_again (&fixture, &warning);
  g_assert_true (g_str_has_prefix (warning, "note: an earlier BACKFILL had put 1050 tuples"));
  differences = service_fixture_run (&fixture, "VERIFY SCHEMA s");
  g_assert_true (g_str_has_prefix (differences, "different|id = 99|"));
  g_assert_null (strchr (differences, '\n'));
  service_fixture_close (&fixture);
}

/* A job that still runs does not continue with another schema of the same name, however similar it
 * is. */
static void
test_replaced (gconstpointer store)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqldBackfillProgress mine, others;
  GError *error = NULL;
  KvsqlCall call = new_call ();
  KvsqldDefinitions *definitions;
  ServiceFixture fixture;

  service_fixture_open (&fixture, store);
  definitions = fixture.service->definitions;
  define (&fixture, primaries[0]);
  insert_tuples (&fixture, 3);
  service_fixture_script (&fixture, added[0]);
  g_assert_true (kvsqld_backfill_progress_open (definitions, "s", &call, arena, &mine, &error));
  service_fixture_script (&fixture, "DROP SCHEMA s");
  service_fixture_script (&fixture, added[0]);
  g_assert_true (kvsqld_backfill_progress_open (definitions, "s", &call, arena, &others, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (mine.definitions, ==, others.definitions);
  g_assert_false (kvsqld_backfill_progress_note (definitions, "s", &mine, &call, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_CONFLICT);
  g_clear_error (&error);
  g_assert_false (kvsqld_backfill_finish (definitions, "s", &mine, &call, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_CONFLICT);
  g_clear_error (&error);
  /* of two jobs of one schema, the one with less progress changes nothing */
  others.n_tuples = 2;
  g_assert_true (kvsqld_backfill_progress_note (definitions, "s", &others, &call, &error));
  others.n_tuples = 1;
  g_assert_true (kvsqld_backfill_progress_note (definitions, "s", &others, &call, &error));
  g_assert_true (kvsqld_backfill_progress_open (definitions, "s", &call, arena, &mine, &error));
  g_assert_cmpuint (mine.n_tuples, ==, 2);
  service_fixture_close (&fixture);
}

/* A chunk never ends within a row, because tuples of a row could only be counted. */
static void
test_whole_rows (gconstpointer store)
{
  g_autoptr (KvsqlCatalog) catalog = NULL;
  g_autoptr (KvsqlTupleChunk) chunk = NULL;
  g_autoptr (GError) error = NULL;
  const KvsqlCatalogEntry *entry;
  ServiceFixture fixture;
  guint n_chunks = 0, n_tuples = 0;

  service_fixture_open (&fixture, store);
  define (&fixture, "DEFINE PRIMARY SCHEMA p FOR item { TABLE 'p', ROW kind, FAMILY 'd', "
                    "QUALIFIER ordered{id}, VALUE ordered{size}:ordered{note} }");
  insert_tuples (&fixture, 8500);
  catalog = kvsqld_definitions_get (fixture.service->definitions);
  entry = catalog->entries->pdata[0];
  do
    {
      g_autoptr (KvsqlTupleChunk) last = g_steal_pointer (&chunk);
      KvsqlCall call = new_call ();
      g_autofree gchar *sql = NULL;
      const KvsqlValue *tuple;

      chunk = kvsql_tuple_chunk_read (fixture.service->storage, entry, NULL,
                                      last == NULL ? NULL : &last->next, 0, &call, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (chunk->tuples->len % 425, ==, 0);
      n_chunks++;
      n_tuples += chunk->tuples->len;
      /* some tuples of the row that the next chunk begins after */
      tuple = chunk->tuples->pdata[chunk->tuples->len - 1];
      sql = g_strdup_printf ("DELETE FROM item WHERE kind = '%.*s' AND id < 2000",
                             (gint)tuple[1].bytes.size, tuple[1].bytes.data);
      service_fixture_script (&fixture, sql);
    }
  while (chunk->has_next);
  g_assert_cmpuint (n_chunks, >, 3);
  g_assert_cmpuint (n_tuples, ==, 8500);
  service_fixture_close (&fixture);
}

/* ---- parts */

static void
assert_advances (KvsqldMarks *marks, const gchar *row, guint64 n_tuples)
{
  KvsqlScanPosition position;
  guint64 n;

  g_assert_cmpint (kvsqld_marks_advance (marks, &position, &n), ==, row != NULL);
  if (row == NULL)
    return;
  g_assert_cmpint (position.has_row, ==, *row != '\0');
  g_assert_true (kvsql_slice_equal (position.row, kvsql_slice_from_text (row)));
  g_assert_cmpuint (n, ==, n_tuples);
}

static KvsqldMark *
begin_mark (KvsqldMarks *marks, const gchar *row, guint64 n_tuples)
{
  KvsqlScanPosition next = { .has_row = TRUE, .row = kvsql_slice_from_text (row) };

  return kvsqld_marks_begin (marks, &next, n_tuples);
}

/* The position moves only when all chunks before it are done, in whatever order they end. */
static void
test_marks (void)
{
  KvsqldMarks *marks = kvsqld_marks_new ();
  KvsqldMark *a = begin_mark (marks, "a", 1), *b = begin_mark (marks, "b", 10);
  KvsqldMark *c = begin_mark (marks, "c", 100), *end;

  assert_advances (marks, NULL, 0);
  kvsqld_marks_end (marks, b);
  assert_advances (marks, NULL, 0);
  kvsqld_marks_end (marks, a);
  assert_advances (marks, "b", 11);
  assert_advances (marks, NULL, 0);
  end = kvsqld_marks_begin (marks, NULL, 1000);
  kvsqld_marks_end (marks, end);
  assert_advances (marks, NULL, 0);
  kvsqld_marks_end (marks, c);
  assert_advances (marks, "", 1100);
  assert_advances (marks, NULL, 0);
  kvsqld_marks_free (marks);
}

static void
test_progress_text (void)
{
  static const gchar *const good[] = {
    "id=x definitions=abc walk=primary tuples=0 since=1 noted=2",
    "id=x definitions=abc walk=schema tuples=12 since=1 noted=2 table=6974656d row=00ff",
    "id=x definitions=abc walk=primary tuples=12 since=1 noted=2 table=70 row=",
    "id=x definitions=abc walk=primary tuples=12 since=1 noted=2 part=0:70::2b80:2b0001 "
    "part=0:70:2b80::",
  };
  static const gchar *const bad[] = {
    "",
    "id=x",
    "id=x definitions=abc walk=primary tuples=-1 since=1 noted=2",
    "id=x definitions=abc walk=primary tuples=1 since=1 noted=2 row=00",
    "id=x definitions=abc walk=primary tuples=1 since=1 noted=2 table=70 row=0",
    "id=x definitions=abc walk=primary tuples=1 since=1 noted=2 table=70 row=0g",
    "id=x definitions=abc walk=primary tuples=1 since=1 noted=2 part=0:70::",
    "id=x definitions=abc walk=primary tuples=1 since=1 noted=2 part=-1:70:::",
    "id=x definitions=abc walk=primary tuples=1 since=1 noted=2 part=0:70:0::",
    ("id=0123456789012345678901234567890123456789 definitions=abc walk=primary tuples=1 since=1 "
     "noted=2"),
  };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqldBackfillProgress progress;

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autofree gchar *text = NULL;
      g_assert_true (kvsqld_backfill_progress_parse (good[i], arena, &progress));
      text = kvsqld_backfill_progress_print (&progress);
      g_assert_cmpstr (text, ==, good[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (kvsqld_backfill_progress_parse (bad[i], arena, &progress));
}

/* ---- what users see of it */

static void
assert_has_line (ServiceFixture *fixture, const gchar *sql, const gchar *pattern)
{
  g_autofree gchar *rows = service_fixture_run (fixture, sql);

  g_test_message ("\"%s\" among\n%s", pattern, rows);
  g_assert_true (g_regex_match_simple (pattern, rows, G_REGEX_MULTILINE, 0));
}

/* While the job runs. Afterwards the registry has its progress. */
static void
test_status (gconstpointer store)
{
  KvsqldBackfillState state = { 0 };
  ServiceFixture fixture;

  service_fixture_open (&fixture, store);
  define (&fixture, primaries[0]);
  insert_tuples (&fixture, 100000);
  service_fixture_script (&fixture, added[0]);
  kvsqld_backfills_start (fixture.service->backfills, "s");
  while (state.n_tuples < 2000)
    {
      g_assert_true (kvsqld_backfills_wait (fixture.service->backfills, "s", 0, &state));
      g_assert_true (state.is_running);
    }
  assert_has_line (&fixture, "SHOW STATUS",
                   "^backfill of schema s\\|filling, [0-9]+ tuples put, [0-9]+ % of the relation, "
                   "[0-9]+ tuples a second, [0-9]+ s left, since 20..-..-.. ..:..:..Z$");
  assert_has_line (&fixture, "DESCRIBE s", "^STATE\\|building [0-9]+ %\\|");
  service_fixture_reopen (&fixture);
  assert_has_line (&fixture, "SHOW STATUS",
                   "^backfill of schema s\\|no job of this daemon; [0-9]+ tuples put when noted at "
                   "20..-..-.. ..:..:..Z$");
  service_fixture_close (&fixture);
}

static void
test_states (gconstpointer store)
{
  ServiceFixture fixture;
  g_autoptr (GError) error = NULL;

  service_fixture_open (&fixture, store);
  define (&fixture, primaries[0]);
  insert_tuples (&fixture, 3);
  service_fixture_script (&fixture, added[0]);
  service_fixture_assert (&fixture, "SHOW SCHEMAS",
                          "p|item|yes|'p'|ordered{id}|readable|\n"
                          "s|item|no|'s'|ordered{size}:ordered{id}|building, needs BACKFILL|");
  error = service_fixture_fail (&fixture, "SELECT * FROM item USING SCHEMA s");
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
  g_assert_cmpstr (kvsql_error_get_hint (error), ==, "Fill it with BACKFILL SCHEMA s.");
  assert_has_line (&fixture, "DESCRIBE s", "^STATE\\|building, needs BACKFILL\\|");
  service_fixture_assert (&fixture, "SELECT id FROM item WHERE size = 2", "2");
  /* written, never read */
  service_fixture_assert (&fixture, "INSERT INTO item VALUES (9, 'k', 2, 'x')", "1 affected");
  service_fixture_assert (&fixture, "SELECT id FROM item WHERE size = 2 ORDER BY id", "2\n9");
  backfill (&fixture);
  service_fixture_assert (&fixture, "SHOW SCHEMAS",
                          "p|item|yes|'p'|ordered{id}|readable|\n"
                          "s|item|no|'s'|ordered{size}:ordered{id}|readable|");
  assert_has_line (&fixture, "DESCRIBE s", "^STATE\\|readable\\|");
  service_fixture_assert (&fixture, "SELECT id FROM item USING SCHEMA s WHERE size = 2", "2\n9");
  /* nothing to do */
  service_fixture_assert (&fixture, "BACKFILL SCHEMA s", "s|readable|0|100 %|NULL|0");
  service_fixture_close (&fixture);
}

static void
test_definition (gconstpointer store)
{
  ServiceFixture fixture;
  g_autofree gchar *text = NULL;

  service_fixture_open (&fixture, store);
  define (&fixture, primaries[0]);
  insert_tuples (&fixture, 3);
  service_fixture_script (&fixture, added[3]);
  text = service_fixture_run (&fixture, "SHOW CREATE s");
  g_assert_true (g_str_has_suffix (text, " WITH (state = building)"));
  /* the text defines it again, and other changes keep the state */
  service_fixture_script (&fixture, "DROP SCHEMA s");
  service_fixture_script (&fixture, text);
  service_fixture_script (&fixture, "COMMENT ON SCHEMA s IS 'new'");
  service_fixture_script (&fixture, "ALTER RELATION item ADD more STRING");
  g_clear_error (
      &(GError *){ service_fixture_fail (&fixture, "SELECT id FROM item USING SCHEMA s") });
  backfill (&fixture);
  service_fixture_assert (&fixture, "SELECT id FROM item USING SCHEMA s ORDER BY id", "0\n1\n2");
  service_fixture_close (&fixture);
}

static void
assert_fails (ServiceFixture *fixture, const gchar *sql, KvsqlErrorCode code, gint32 at)
{
  g_autoptr (GError) error = service_fixture_fail (fixture, sql);

  g_assert_error (error, KVSQL_ERROR, (gint)code);
  g_assert_cmpint (kvsql_error_get_span (error).offset, ==, at);
}

static void
test_errors (gconstpointer store)
{
  ServiceFixture fixture;
  g_autoptr (GError) error = NULL;

  service_fixture_open (&fixture, store);
  define (&fixture, primaries[0]);
  insert_tuples (&fixture, 4);
  assert_fails (&fixture, "BACKFILL SCHEMA nothing", KVSQL_ERROR_UNKNOWN_NAME, 16);
  assert_fails (&fixture, "BACKFILL SCHEMA p", KVSQL_ERROR_INVALID, 16);
  assert_fails (&fixture, "BACKFILL item", KVSQL_ERROR_SYNTAX, 9);
  if (g_strcmp0 (store, "hbase") != 0) /* there it is compared with the anchors */
    assert_fails (&fixture, "VERIFY SCHEMA p", KVSQL_ERROR_INVALID, 14);
  assert_fails (&fixture, "REPAIR SCHEMA nothing", KVSQL_ERROR_UNKNOWN_NAME, 14);
  assert_fails (&fixture, "EXPLAIN VERIFY SCHEMA p", KVSQL_ERROR_SYNTAX, 8);
  assert_fails (&fixture,
                "DEFINE PRIMARY SCHEMA q FOR item { TABLE 'q', ROW ordered{id}, "
                "FAMILY 'd', VALUE ordered{kind}:ordered{size}:ordered{note} }",
                KVSQL_ERROR_ALREADY_EXISTS, 22);
  /* the layout cannot hold two tuples: the job names one, and resumes after they are gone */
  service_fixture_script (&fixture, "DEFINE SCHEMA s FOR item { TABLE 's', ROW ordered{size}:"
                                    "ordered{id}, FAMILY 'd', VALUE note }");
  error = service_fixture_fail (&fixture, "BACKFILL SCHEMA s");
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_VALUE);
  /* the first one of any part */
  if (g_strcmp0 (kvsql_error_get_detail (error), "It is the tuple with id = 3.") != 0)
    g_assert_cmpstr (kvsql_error_get_detail (error), ==, "It is the tuple with id = 0.");
  service_fixture_assert (&fixture, "DELETE FROM item WHERE note IS NULL", "2 affected");
  backfill (&fixture);
  service_fixture_assert (&fixture, "SELECT id FROM item USING SCHEMA s", "1\n2");
  service_fixture_close (&fixture);
}

/* A schema of a relation without tuples is readable at once. */
static void
test_empty (gconstpointer store)
{
  ServiceFixture fixture;

  service_fixture_open (&fixture, store);
  define (&fixture, primaries[0]);
  service_fixture_script (&fixture, added[0]);
  service_fixture_assert (&fixture, "SELECT id FROM item USING SCHEMA s", "");
  insert_tuples (&fixture, 1500);
  assert_equal_answers (&fixture);
  /* a schema can be defined as one that has to be filled, and then is like any other */
  service_fixture_script (&fixture, "DROP SCHEMA s");
  service_fixture_script (&fixture, "DELETE FROM item");
  service_fixture_script (&fixture,
                          "DEFINE SCHEMA s FOR item { TABLE 't', ROW kind:'/':ordered{id}, "
                          "FAMILY 'd' } WITH (state = building)");
  backfill (&fixture);
  service_fixture_assert (&fixture, "SELECT id FROM item USING SCHEMA s", "");
  service_fixture_close (&fixture);
}

static void
add (const gchar *name, const gchar *store, void (*test) (gconstpointer))
{
  g_autofree gchar *path
      = g_strdup_printf ("/daemon/backfill/%s/%s", store == NULL ? "memory" : store, name);

  g_test_add_data_func (path, store, test);
}

/* Requests to a server take time, so there each primary has one other schema only. */
static gboolean
is_played (const gchar *store, guint primary, guint s)
{
  static const guint played[G_N_ELEMENTS (primaries)] = { 0, 2, 3 };

  return g_strcmp0 (store, "hbase") != 0 || played[primary] == s;
}

static void
add_store (const gchar *store, Case *cases)
{
  add ("states", store, test_states);
  add ("definition", store, test_definition);
  add ("errors", store, test_errors);
  add ("empty", store, test_empty);
  add ("progress", store, test_progress);
  add ("repair", store, test_repair);
  add ("rebuild", store, test_rebuild);
  add ("goes-on", store, test_goes_on);
  add ("starts-again", store, test_starts_again);
  add ("sweep-goes-on", store, test_sweep_goes_on);
  add ("replaced", store, test_replaced);
  add ("whole-rows", store, test_whole_rows);
  if (g_strcmp0 (store, "rocksdb") == 0)
    {
      add ("other-daemon", store, test_other_daemon);
      add ("status", store, test_status);
    }
  for (guint p = 0; p < G_N_ELEMENTS (primaries); p++)
    for (guint s = 0; s < G_N_ELEMENTS (added); s++)
      {
        g_autofree gchar *path = g_strdup_printf ("/daemon/backfill/%s/concurrent/%u-%u",
                                                  store == NULL ? "memory" : store, p, s);
        /* writes by key read the whole table if the key is not the start of the row key */
        guint n_tuples = g_strcmp0 (store, "hbase") == 0 ? 200
                         : p < 2                         ? test_size (2500, 1000)
                                                         : test_size (500, 200);

        if (!is_played (store, p, s))
          continue;
        *cases = (Case){ store, p, s, n_tuples };
        g_test_add_data_func (path, cases++, test_concurrent);
      }
}

int
main (int argc, char **argv)
{
  static const gchar *const stores[] = { NULL, "rocksdb", "hbase" };
  static Case cases[G_N_ELEMENTS (stores)][G_N_ELEMENTS (primaries) * G_N_ELEMENTS (added)];
  guint n_stores = g_getenv ("KVSQL_TEST_HBASE_URL") != NULL ? 3 : 2;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/backfill/marks", test_marks);
  g_test_add_func ("/daemon/backfill/progress-text", test_progress_text);
  for (guint i = 0; i < n_stores; i++)
    add_store (stores[i], cases[i]);
  return g_test_run ();
}
