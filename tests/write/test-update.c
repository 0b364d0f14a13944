/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-update.c: the writes of UPDATE and ON CONFLICT; and daemons that share a store but no locks
 * never both change a tuple from the same state.
 *
 * Such daemons are engines here, on one store that reports no atomic batches: only the store's
 * compare-and-set protects them from each other.
 */
#include "config.h"

#include "core/write/recording-store.h"
#include "core/write/update.h"
#include "core/write/upsert.h"
#include "core/sql/parser.h"
#include "core/store/memory.h"
#include "tests/harness/assert.h"

#define N_ENGINES 2
#define N_THREADS 8
#define N_TASKS 60
#define LIMIT_US (120 * G_USEC_PER_SEC)

static const gchar relation[] = "DEFINE RELATION task { id BIGINT KEY, state STRING NOT NULL, "
                                "owner STRING, n BIGINT }";
/* one cell; a cell for each attribute; the state in the row key */
static const gchar *const primaries[] = {
  "DEFINE PRIMARY SCHEMA tasks FOR task { TABLE 'tasks', ROW id, FAMILY 'f', "
  "VALUE size{state}:ordered{owner}:ordered{n} }",
  "DEFINE PRIMARY SCHEMA tasks FOR task { TABLE 'tasks', ROW id, FAMILY 'f', "
  "QUALIFIER attr_name[id], VALUE attr_value[id] }",
  "DEFINE PRIMARY SCHEMA tasks FOR task { TABLE 'tasks', ROW size{state}:id, FAMILY 'f', "
  "VALUE ordered{owner}:ordered{n} }",
};
static const gchar by_state[] = "DEFINE SCHEMA by_state FOR task { TABLE 'by_state', ROW "
                                "size{state}:id, FAMILY 'f', VALUE 'x' }";

typedef struct
{
  KvsqlStore *store;
  KvsqlStorage *engines[N_ENGINES];
  KvsqlCatalog *catalog;
  gint n_running;
} Fixture;

static const KvsqlSelectLimits limits = { .sort_bytes = 1 << 20 };

/* Runs a statement that must succeed; rows as text. (transfer full) */
static gchar *
run (Fixture *self, guint engine, const gchar *sql, guint64 *out_n)
{
  const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + LIMIT_US };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  KvsqlBinder binder = { .arena = arena };
  KvsqlAstStatement *statement = kvsql_parser_parse (kvsql_slice_from_text (sql), arena, &error);
  KvsqlWritePlan *plan;
  KvsqlReturning returning;

  g_assert_no_error (error);
  plan = kvsql_update_plan_make (self->catalog, &statement->update, &binder,
                                 &self->store->capabilities, &error);
  g_assert_no_error (error);
  kvsql_returning_init (&returning, plan, 1 << 20);
  assert_done (
      kvsql_update_run (self->engines[engine], plan, &limits, &call, &returning, out_n, &error),
      error);
  for (guint row = 0; row < returning.rows->n_rows; row++)
    {
      g_string_append (out, out->len > 0 ? "\n" : "");
      for (guint i = 0; i < plan->n_returning; i++)
        {
          KvsqlValue value = kvsql_vector_get (&returning.rows->columns[i], row);
          g_string_append (out, i > 0 ? "|" : "");
          kvsql_value_append_text (&value, out);
        }
    }
  kvsql_returning_clear (&returning);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static guint64
update (Fixture *self, guint engine, const gchar *sql)
{
  G_GNUC_UNUSED g_autofree gchar *unused = NULL;
  guint64 n;

  unused = run (self, engine, sql, &n);
  return n;
}

static guint64
upsert (Fixture *self, guint engine, const gchar *clause, gint64 id)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  g_autofree gchar *sql = g_strconcat ("INSERT INTO task VALUES (1, 'x', 'y', 1) ", clause, NULL);
  KvsqlBinder binder = { .arena = arena };
  KvsqlAstStatement *statement = kvsql_parser_parse (kvsql_slice_from_text (sql), arena, &error);
  KvsqlValue tuple[] = {
    { .type = KVSQL_TYPE_BIGINT, .integer = id },
    { .type = KVSQL_TYPE_STRING, .bytes = KVSQL_SLICE_LITERAL ("new") },
    { .type = KVSQL_TYPE_STRING, .bytes = KVSQL_SLICE_LITERAL ("missing") },
    { .type = KVSQL_TYPE_BIGINT, .integer = 1 },
  };
  const KvsqlValue *tuples[] = { tuple };
  KvsqlWritePlan *plan;
  guint64 n;

  g_assert_no_error (error);
  plan = kvsql_insert_plan_make (self->catalog, &statement->insert, &binder,
                                 &self->store->capabilities, &error);
  g_assert_no_error (error);
  assert_done (
      kvsql_upsert_run (self->engines[engine], plan, tuples, 1, NULL, NULL, NULL, &n, &error),
      error);
  return n;
}

static void
fixture_open (Fixture *self, guint primary, gboolean is_shared)
{
  self->store = kvsql_memory_store_new ();
  if (is_shared)
    self->store->capabilities.flags &= ~(guint)KVSQL_STORE_ATOMIC_BATCH;
  for (guint i = 0; i < N_ENGINES; i++)
    self->engines[i] = kvsql_storage_new (self->store);
  self->catalog = kvsql_catalog_new (1);
  kvsql_catalog_add_definition (self->catalog, NULL, relation);
  kvsql_catalog_add_definition (self->catalog, NULL, primaries[primary]);
  kvsql_catalog_add_definition (self->catalog, NULL, by_state);
  if (self->catalog->load_errors->len > 0)
    g_error ("%s", (gchar *)self->catalog->load_errors->pdata[0]);
  for (guint i = 0; i < N_TASKS; i++)
    g_assert_cmpuint (upsert (self, 0, "ON CONFLICT DO NOTHING", i), ==, 1);
}

static void
fixture_close (Fixture *self)
{
  kvsql_catalog_unref (self->catalog);
  for (guint i = 0; i < N_ENGINES; i++)
    kvsql_storage_free (self->engines[i]);
  kvsql_store_close (self->store);
}

static guint
count_cells (Fixture *self, const gchar *table)
{
  KvsqlRowRange all = { KVSQL_SLICE_EMPTY, KVSQL_SLICE_EMPTY };
  KvsqlScanSpec spec = { .table = kvsql_slice_from_text (table), .ranges = &all, .n_ranges = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (self->store, &spec, NULL, &error);
  const KvsqlRows *rows;
  guint n = 0;

  g_assert_no_error (error);
  do
    {
      assert_done (kvsql_scan_next (scan, NULL, &rows, &error), error);
      n += rows->n_cells;
    }
  while (rows->n_rows > 0);
  return n;
}

/* ---- what is written */

/* The requests of an UPDATE as JSON. */
static gchar *
explain (Fixture *self, const gchar *sql)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlCalls) calls = kvsql_calls_new ();
  g_autoptr (KvsqlStore) store = kvsql_recording_store_new (self->store, calls, FALSE);
  g_autoptr (KvsqlStorage) storage = kvsql_storage_new (store);
  g_autoptr (GError) error = NULL;
  KvsqlBinder binder = { .arena = arena };
  KvsqlAstStatement *statement = kvsql_parser_parse (kvsql_slice_from_text (sql), arena, &error);
  KvsqlWritePlan *plan = kvsql_update_plan_make (self->catalog, &statement->update, &binder,
                                                 &self->store->capabilities, &error);
  guint64 n;

  g_assert_no_error (error);
  assert_done (kvsql_update_run (storage, plan, &limits, NULL, NULL, &n, &error), error);
  return kvsql_calls_to_json (calls, NULL);
}

static guint
count_in (const gchar *text, const gchar *what)
{
  guint n = 0;

  for (; (text = strstr (text, what)) != NULL; text += strlen (what))
    n++;
  return n;
}

static void
test_changed_cells (void)
{
  Fixture fixture;
  g_autofree gchar *one = NULL, *null = NULL, *moved = NULL, *none = NULL;

  fixture_open (&fixture, 1, FALSE);
  one = explain (&fixture, "UPDATE task SET owner = 'me', n = n WHERE id = 1");
  g_assert_cmpuint (count_in (one, "\"op\":\"put\""), ==, 1);
  g_assert_cmpuint (count_in (one, "\"value\""), ==, 1);
  g_assert_cmpuint (count_in (one, "\"op\":\"delete\""), ==, 0);
  null = explain (&fixture, "UPDATE task SET owner = NULL WHERE id = 1");
  g_assert_cmpuint (count_in (null, "\"op\":\"put\""), ==, 0);
  g_assert_cmpuint (count_in (null, "\"op\":\"delete\""), ==, 1);
  moved = explain (&fixture, "UPDATE task SET state = 'old' WHERE id = 1");
  g_assert_cmpuint (count_in (moved, "\"op\":\"put\""), ==, 2);
  g_assert_cmpuint (count_in (moved, "\"op\":\"delete\""), ==, 1);
  none = explain (&fixture, "UPDATE task SET state = state, n = 1 WHERE id = 1");
  g_assert_cmpuint (count_in (none, "\"value\""), ==, 0);
  fixture_close (&fixture);
}

/* Wherever tuples move, no old cells remain. */
static void
test_no_old_cells (gconstpointer data)
{
  guint primary = GPOINTER_TO_UINT (data) / 2, cells_of_tuple = primary == 1 ? 3 : 1;
  guint other = GPOINTER_TO_UINT (data) % 2;
  Fixture fixture;

  fixture_open (&fixture, primary, other);
  g_assert_cmpuint (update (&fixture, 0, "UPDATE task SET state = 'b' WHERE id < 30"), ==, 30);
  g_assert_cmpuint (update (&fixture, other, "UPDATE task SET id = id + 1000, state = 'c' || n"),
                    ==, N_TASKS);
  g_assert_cmpuint (update (&fixture, 0, "UPDATE task SET state = 'd' WHERE state = 'c1' LIMIT 50"),
                    ==, 50);
  g_assert_cmpuint (count_cells (&fixture, "tasks"), ==, N_TASKS * cells_of_tuple);
  g_assert_cmpuint (count_cells (&fixture, "by_state"), ==, N_TASKS);
  fixture_close (&fixture);
}

/* ---- cells of other programs */

/* Defines a relation with plain writes, and writes cells that no client of this program wrote. */
static void
open_with_cells (Fixture *fixture, const gchar *defined, const gchar *schema,
                 const KvsqlMutation *cells, guint n_cells)
{
  g_autoptr (GError) error = NULL;

  fixture_open (fixture, 0, TRUE);
  kvsql_catalog_add_definition (fixture->catalog, NULL, defined);
  kvsql_catalog_add_definition (fixture->catalog, NULL, schema);
  g_assert_cmpuint (fixture->catalog->load_errors->len, ==, 0);
  assert_done (kvsql_store_apply (fixture->store, cells, n_cells, NULL, &error), error);
}

#define DOCUMENT(n, text)                                                                          \
  {                                                                                                \
    .kind = KVSQL_MUTATION_PUT, .table = KVSQL_SLICE_LITERAL ("docs"),                             \
    .row = KVSQL_SLICE_LITERAL ("\0\0\0\0\0\0\0" n), .family = KVSQL_SLICE_LITERAL ("f"),          \
    .value = KVSQL_SLICE_LITERAL (text), .timestamp = 1                                            \
  }

/* A cell is compared as it is, not as it would be written here. */
static void
test_other_forms (void)
{
  static const KvsqlMutation documents[]
      = { DOCUMENT ("\1", "{ \"a\" : 1 }"), DOCUMENT ("\2", "{\"b\":2, \"other\":7}"),
          DOCUMENT ("\3", "{}"), DOCUMENT ("\4", "{\"a\":4}") };
  Fixture fixture;
  g_autofree gchar *rows = NULL, *moved = NULL;
  guint64 n;

  open_with_cells (&fixture,
                   "DEFINE RELATION doc { id BIGINT KEY, a INT, b INT } WITH (writes = plain)",
                   "DEFINE PRIMARY SCHEMA docs FOR doc { TABLE 'docs', ROW id, CELLS "
                   "{ 'f' = json('$.a'){a}:json('$.b'){b} } } WITH (create_tables = false)",
                   documents, G_N_ELEMENTS (documents));
  rows = run (&fixture, 0, "UPDATE doc SET a = coalesce (a, 0) + 10 RETURNING id, a, b", &n);
  g_assert_cmpstr (rows, ==, "1|11|NULL\n2|10|2\n3|10|NULL\n4|14|NULL");
  moved = run (&fixture, 1, "UPDATE doc SET id = id + 10 RETURNING id, a, b", &n);
  g_assert_cmpstr (moved, ==, "11|11|NULL\n12|10|2\n13|10|NULL\n14|14|NULL");
  g_assert_cmpuint (count_cells (&fixture, "docs"), ==, G_N_ELEMENTS (documents));
  fixture_close (&fixture);
}

#define FOREIGN_CELL(row_, qualifier_, text)                                                       \
  {                                                                                                \
    .kind = KVSQL_MUTATION_PUT, .table = KVSQL_SLICE_LITERAL ("foreign"),                          \
    .row = KVSQL_SLICE_LITERAL (row_), .family = KVSQL_SLICE_LITERAL ("f"),                        \
    .qualifier = KVSQL_SLICE_LITERAL (qualifier_), .value = KVSQL_SLICE_LITERAL (text),            \
    .timestamp = 1                                                                                 \
  }

/* A cell that fits no layout is absent for readers: a tuple takes its place. */
static void
test_unreadable_cells (void)
{
  static const KvsqlMutation cells[]
      = { FOREIGN_CELL ("a", "n", "1"),    FOREIGN_CELL ("b", "n", "many"),
          FOREIGN_CELL ("c", "n", "3"),    FOREIGN_CELL ("c", "v", "none"),
          FOREIGN_CELL ("d", "n", "some"), FOREIGN_CELL ("e", "n", "5") };
  Fixture fixture;
  g_autofree gchar *updated = NULL, *moved = NULL, *all = NULL;
  guint64 n;

  open_with_cells (&fixture,
                   "DEFINE RELATION doc { id STRING KEY, n INT, v INT } WITH (writes = plain)",
                   "DEFINE PRIMARY SCHEMA docs FOR doc { TABLE 'foreign', ROW id, CELLS "
                   "{ 'f':'n' = text{n}, 'f':'v' = text{v} } } WITH (create_tables = false)",
                   cells, G_N_ELEMENTS (cells));
  updated = run (&fixture, 1, "UPDATE doc SET v = n + 10 RETURNING id, n, v", &n);
  g_assert_cmpstr (updated, ==, "a|1|11\nc|3|13\ne|5|15");
  moved = run (&fixture, 0, "UPDATE doc SET id = 'd' WHERE id = 'e' RETURNING id, n, v", &n);
  g_assert_cmpstr (moved, ==, "d|5|15");
  all = run (&fixture, 1, "UPDATE doc SET n = n RETURNING id, n, v", &n);
  g_assert_cmpstr (all, ==, "a|1|11\nc|3|13\nd|5|15");
  fixture_close (&fixture);
}

static void
test_unreadable_entries (void)
{
  static const KvsqlMutation cells[]
      = { FOREIGN_CELL ("a", "x", "1"), FOREIGN_CELL ("a", "y", "?"), FOREIGN_CELL ("b", "x", "!"),
          FOREIGN_CELL ("c", "x", "3") };
  Fixture fixture;
  g_autofree gchar *updated = NULL, *moved = NULL, *all = NULL;
  guint64 n;

  open_with_cells (
      &fixture, "DEFINE RELATION doc { id STRING KEY, m MAP<STRING, INT> } WITH (writes = plain)",
      "DEFINE PRIMARY SCHEMA docs FOR doc { TABLE 'foreign', ROW id, FAMILY 'f', "
      "QUALIFIER map_key(m), VALUE text{map_value(m)} } WITH (create_tables = false)",
      cells, G_N_ELEMENTS (cells));
  updated = run (&fixture, 0, "UPDATE doc SET m['y'] = 2 WHERE id = 'a' RETURNING id, m", &n);
  g_assert_cmpstr (updated, ==, "a|{\"x\":1,\"y\":2}");
  moved = run (&fixture, 1, "UPDATE doc SET id = 'b' WHERE id = 'c' RETURNING id, m", &n);
  g_assert_cmpstr (moved, ==, "b|{\"x\":3}");
  all = run (&fixture, 1, "UPDATE doc SET m = m RETURNING id, m", &n);
  g_assert_cmpstr (all, ==, "a|{\"x\":1,\"y\":2}\nb|{\"x\":3}");
  fixture_close (&fixture);
}

/* ---- several daemons */

typedef struct
{
  Fixture *fixture;
  guint engine;
  GString *claimed;
} Worker;

static gpointer
claim (gpointer data)
{
  Worker *self = data;
  guint64 n;

  do
    {
      g_autofree gchar *id
          = run (self->fixture, self->engine,
                 "UPDATE task SET state = 'taken', owner = 'me' WHERE state = 'new' ORDER BY id "
                 "LIMIT 1 RETURNING id",
                 &n);
      if (n > 0)
        g_string_append_printf (self->claimed, "%s\n", id);
    }
  while (n > 0);
  return NULL;
}

static void
run_workers (Fixture *fixture, GThreadFunc what, GString *claimed)
{
  GThread *threads[N_THREADS];
  Worker workers[N_THREADS];

  for (guint i = 0; i < N_THREADS; i++)
    {
      workers[i] = (Worker){ fixture, i % N_ENGINES, g_string_new (NULL) };
      threads[i] = g_thread_new ("worker", what, &workers[i]);
    }
  for (guint i = 0; i < N_THREADS; i++)
    {
      g_thread_join (threads[i]);
      g_string_append (claimed, workers[i].claimed->str);
      g_string_free (workers[i].claimed, TRUE);
    }
}

static void
test_claims (gconstpointer data)
{
  guint primary = GPOINTER_TO_UINT (data);
  g_autoptr (GString) claimed = g_string_new (NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_auto (GStrv) ids = NULL;
  Fixture fixture;

  fixture_open (&fixture, primary, TRUE);
  run_workers (&fixture, claim, claimed);
  ids = g_strsplit (claimed->str, "\n", -1);
  for (guint i = 0; ids[i] != NULL && ids[i][0] != '\0'; i++)
    if (!g_hash_table_add (seen, ids[i]))
      g_error ("%s was given to two", ids[i]);
  g_assert_cmpuint (g_hash_table_size (seen), ==, N_TASKS);
  g_assert_cmpuint (count_cells (&fixture, "tasks"), ==, N_TASKS * (primary == 1 ? 3 : 1));
  fixture_close (&fixture);
}

#define N_ADDED 50

static gpointer
add (gpointer data)
{
  Worker *self = data;

  for (guint i = 0; i < N_ADDED; i++)
    {
      g_assert_cmpuint (
          update (self->fixture, self->engine, "UPDATE task SET n = n + 2 WHERE id = 1"), ==, 1);
      /* not as an increment */
      g_assert_cmpuint (update (self->fixture, self->engine,
                                "UPDATE task SET n = n + 1 WHERE id = 2 RETURNING n"),
                        ==, 1);
      g_assert_cmpuint (update (self->fixture, self->engine,
                                "UPDATE task SET n = task.n + x.d FROM (VALUES (3, 5)) AS x (k, d) "
                                "WHERE x.k = task.id"),
                        ==, 1);
      g_assert_cmpuint (upsert (self->fixture, self->engine,
                                "ON CONFLICT DO UPDATE SET n = task.n + excluded.n", 777),
                        ==, 1);
    }
  return NULL;
}

static void
test_sums (gconstpointer data)
{
  guint n = N_THREADS * N_ADDED;
  g_autofree gchar *expected
      = g_strdup_printf ("1|%u\n2|%u\n3|%u\n777|%u", 1 + 2 * n, 1 + n, 1 + 5 * n, n);
  g_autofree gchar *got = NULL;
  g_autoptr (GString) unused = g_string_new (NULL);
  Fixture fixture;
  guint64 n_rows;

  fixture_open (&fixture, GPOINTER_TO_UINT (data), TRUE);
  run_workers (&fixture, add, unused);
  got = run (&fixture, 0, "UPDATE task SET owner = 'x' WHERE id IN (1, 2, 3, 777) RETURNING id, n",
             &n_rows);
  g_assert_cmpstr (got, ==, expected);
  fixture_close (&fixture);
}

/* Conditions are tested again with the present tuple, and with what was found of the others. */
static gpointer
claim_joined (gpointer data)
{
  Worker *self = data;

  for (guint i = 0; i < N_TASKS; i++)
    {
      g_autofree gchar *sql = g_strdup_printf ("UPDATE task SET state = 'taken', owner = x.w FROM "
                                               "(VALUES (%u, 'me', 'new')) AS x (k, w, "
                                               "s) WHERE x.k = task.id AND task.state = x.s",
                                               i);

      if (update (self->fixture, self->engine, sql) == 1)
        g_string_append_c (self->claimed, '*');
    }
  return NULL;
}

static void
test_joined_claims (gconstpointer data)
{
  g_autoptr (GString) claimed = g_string_new (NULL);
  Fixture fixture;

  fixture_open (&fixture, GPOINTER_TO_UINT (data), TRUE);
  run_workers (&fixture, claim_joined, claimed);
  g_assert_cmpuint (claimed->len, ==, N_TASKS);
  fixture_close (&fixture);
}

static gpointer
insert_once (gpointer data)
{
  Worker *self = data;

  for (guint i = 0; i < N_TASKS; i++)
    if (upsert (self->fixture, self->engine, "ON CONFLICT DO NOTHING", 5000 + i) == 1)
      g_string_append_c (self->claimed, '*');
  return NULL;
}

static void
test_do_nothing (gconstpointer data)
{
  g_autoptr (GString) inserted = g_string_new (NULL);
  Fixture fixture;

  fixture_open (&fixture, GPOINTER_TO_UINT (data), TRUE);
  run_workers (&fixture, insert_once, inserted);
  g_assert_cmpuint (inserted->len, ==, N_TASKS);
  fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  static const gchar *const names[] = { "one-cell", "many-cells", "moving-rows" };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exec/update/changed-cells", test_changed_cells);
  g_test_add_func ("/exec/update/other-forms", test_other_forms);
  g_test_add_func ("/exec/update/unreadable-cells", test_unreadable_cells);
  g_test_add_func ("/exec/update/unreadable-entries", test_unreadable_entries);
  for (guint i = 0; i < G_N_ELEMENTS (primaries); i++)
    {
      static const struct
      {
        const gchar *name;
        void (*run) (gconstpointer data);
      } tests[] = { { "claims", test_claims },
                    { "joined-claims", test_joined_claims },
                    { "sums", test_sums },
                    { "do-nothing", test_do_nothing } };
      for (guint t = 0; t < G_N_ELEMENTS (tests); t++)
        {
          g_autofree gchar *path = g_strdup_printf ("/exec/update/%s/%s", tests[t].name, names[i]);
          g_test_add_data_func (path, GUINT_TO_POINTER (i), tests[t].run);
        }
      for (guint is_shared = 0; is_shared < 2; is_shared++)
        {
          g_autofree gchar *path = g_strdup_printf ("/exec/update/no-old-cells/%s/%s", names[i],
                                                    is_shared ? "one-by-one" : "batch");
          g_test_add_data_func (path, GUINT_TO_POINTER (2 * i + is_shared), test_no_old_cells);
        }
    }
  return g_test_run ();
}
