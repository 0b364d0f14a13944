/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-early-writes.c: where other daemons write, a tuple that replaces none gets a timestamp in
 * the future, so that no delete that it cannot see hides it.
 */
#include "config.h"

#include "core/write/change.h"
#include "core/write/insert.h"
#include "core/sql/ast-definition.h"
#include "core/store/memory.h"
#include "tests/harness/assert.h"

#include <string.h>

/* of a write: the others are those of a wait */
#define FEW_LOOKS 4

static const gchar relation[] = "DEFINE RELATION r { k BIGINT KEY, v BIGINT }";
static const gchar primary[]
    = "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW k, FAMILY 'f', VALUE v }";
static const gchar other[]
    = "DEFINE SCHEMA s FOR r { TABLE 's', ROW ordered{v}:ordered{k}, FAMILY 'f', VALUE 'x' }";

typedef struct
{
  KvsqlStore *store;
  KvsqlStoreClass klass; /* of @store, with another check_and_apply */
  const KvsqlStoreClass *memory;
  KvsqlStorage *storage;
  KvsqlCatalog *catalog;
  gint64 clock_us;
  guint n_looks;      /* at the clock, since the last request with a condition */
  gint64 duration_us; /* of a request with a condition */
  gboolean is_lost;   /* the store cannot be read after that */
  gboolean is_hidden; /* another daemon deletes the cell after that */
  gint64 applied_us;  /* when the last one was applied */
} Fixture;

static Fixture fixture;

/* ---- the clock and the store */

/* Each read of the clock takes a while. Many reads after a write are those of a wait, which takes
 * no real time. */
static void
read_clock (gint64 *out_earliest_us, gint64 *out_latest_us, gpointer data)
{
  fixture.clock_us += ++fixture.n_looks > FEW_LOOKS ? 50 * 1000 : 200;
  *out_earliest_us = fixture.clock_us - 1000;
  *out_latest_us = fixture.clock_us + 1000;
}

static gint64
stamp (gint64 at_least, gpointer data, GError **error)
{
  return at_least + at_least % 2;
}

static void
delete_cell (KvsqlSlice table, KvsqlSlice row)
{
  const KvsqlMutation deletion = { .kind = KVSQL_MUTATION_DELETE,
                                   .table = table,
                                   .row = row,
                                   .family = KVSQL_SLICE_LITERAL ("f"),
                                   .timestamp = fixture.clock_us };
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_store_apply (fixture.store, &deletion, 1, NULL, &error), error);
}

static gboolean
check_and_apply (KvsqlStore *store, const KvsqlCheck *check, const KvsqlCellMutation *cells,
                 guint n_cells, const KvsqlCall *call, gboolean *out_applied, GError **error)
{
  gboolean ok;

  fixture.applied_us = fixture.clock_us;
  fixture.n_looks = 0;
  ok = fixture.memory->check_and_apply (store, check, cells, n_cells, call, out_applied, error);
  fixture.clock_us += fixture.duration_us;
  if (fixture.is_hidden)
    delete_cell (check->table, check->row);
  return ok;
}

static gboolean
multi_get (KvsqlStore *store, KvsqlSlice table, const KvsqlSlice *keys, guint n_keys,
           const KvsqlColumn *columns, guint n_columns, const KvsqlCall *call, KvsqlArena *arena,
           KvsqlRows *out_rows, GError **error)
{
  if (fixture.is_lost && fixture.applied_us > 0)
    return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE, "no gateway answers");
  return fixture.memory->multi_get (store, table, keys, n_keys, columns, n_columns, call, arena,
                                    out_rows, error);
}

static void
fixture_open (void)
{
  fixture = (Fixture){ .store = kvsql_memory_store_new (), .clock_us = 1000 * G_USEC_PER_SEC };
  fixture.memory = fixture.store->klass;
  fixture.klass = *fixture.memory;
  fixture.klass.check_and_apply = check_and_apply;
  fixture.klass.multi_get = multi_get;
  fixture.store->klass = &fixture.klass;
  fixture.store->capabilities.flags &= ~(guint)KVSQL_STORE_ATOMIC_BATCH;
  fixture.storage = kvsql_storage_new (fixture.store);
  kvsql_storage_set_time (fixture.storage, read_clock, stamp, NULL);
  fixture.catalog = kvsql_catalog_new (1);
  kvsql_catalog_add_definition (fixture.catalog, NULL, relation);
  kvsql_catalog_add_definition (fixture.catalog, NULL, primary);
  kvsql_catalog_add_definition (fixture.catalog, NULL, other);
  g_assert_cmpuint (fixture.catalog->load_errors->len, ==, 0);
}

static void
fixture_close (void)
{
  kvsql_storage_free (fixture.storage);
  kvsql_catalog_unref (fixture.catalog);
  kvsql_store_close (fixture.store);
}

/* ---- tuples */

typedef struct
{
  KvsqlValue values[2];
} Tuple;

static Tuple
tuple (gint64 k, gint64 v)
{
  return (Tuple){ { { .type = KVSQL_TYPE_BIGINT, .integer = k },
                    { .type = KVSQL_TYPE_BIGINT, .integer = v } } };
}

static const KvsqlCatalogEntry *
entry (void)
{
  const KvsqlName name = { .text = "r" };

  return kvsql_catalog_lookup (fixture.catalog, &name);
}

static gboolean
insert (gint64 k, gint64 v, GError **error)
{
  const Tuple one = tuple (k, v);
  const KvsqlValue *tuples[] = { one.values };
  guint64 n;

  return kvsql_insert_run (fixture.storage, entry (), tuples, 1, NULL, &n, error);
}

/* Changes the tuple (k, old) to (k, new). */
static void
change (gint64 k, gint64 old, gint64 new)
{
  const Tuple before = tuple (k, old), after = tuple (k, new);
  KvsqlChange replacement = { .old = before.values, .new = after.values };
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_changes_apply (fixture.storage, entry (), &replacement, 1, 0, NULL, &error),
               error);
  g_assert_true (replacement.is_applied);
}

/* The number of cells of a table; *out_timestamp: of the last one. */
static guint
count_cells (const gchar *table, gint64 *out_timestamp)
{
  const KvsqlRowRange all = { 0 };
  const KvsqlScanSpec spec
      = { .table = kvsql_slice_from_text (table), .ranges = &all, .n_ranges = 1 };
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (fixture.store, &spec, NULL, NULL);
  const KvsqlRows *rows = NULL;
  guint n = 0;

  g_assert_nonnull (scan);
  while (kvsql_scan_next (scan, NULL, &rows, NULL) && rows->n_rows > 0)
    {
      n += rows->n_cells;
      *out_timestamp = rows->cells[rows->n_cells - 1].timestamp;
    }
  return n;
}

static void
assert_cells (guint expected, gint64 *out_timestamp)
{
  gint64 timestamp;

  g_assert_cmpuint (count_cells ("p", out_timestamp), ==, expected);
  g_assert_cmpuint (count_cells ("s", &timestamp), ==, expected);
}

/* ---- tests */

static void
test_early (void)
{
  g_autoptr (GError) error = NULL;
  gint64 timestamp = 0;

  fixture_open ();
  assert_done (insert (1, 10, &error), error);
  assert_cells (1, &timestamp);
  g_assert_cmpint (fixture.applied_us, <, timestamp * 1000);
  /* acknowledged when all clocks have reached it */
  g_assert_cmpint (fixture.clock_us - 1000, >=, timestamp * 1000);
  fixture_close ();
}

/* A change that deletes is never early. */
static void
test_replacement (void)
{
  g_autoptr (GError) error = NULL;
  gint64 timestamp = 0;

  fixture_open ();
  assert_done (insert (1, 10, &error), error);
  change (1, 10, 11);
  assert_cells (1, &timestamp);
  g_assert_cmpint (fixture.applied_us - 1000, >=, timestamp * 1000);
  fixture_close ();
}

/* A late write is read back. The next one is earlier, until a write is not late. */
static void
test_late (void)
{
  g_autoptr (GError) error = NULL;
  gint64 timestamp = 0, first_us, later_us;

  fixture_open ();
  assert_done (insert (1, 10, &error), error);
  assert_cells (1, &timestamp);
  first_us = timestamp * 1000 - fixture.applied_us;
  fixture.duration_us = 20 * 1000;
  for (guint k = 2; k < 8; k++)
    assert_done (insert (k, 10, &error), error);
  assert_cells (7, &timestamp);
  later_us = timestamp * 1000 - fixture.applied_us;
  g_assert_cmpint (later_us, >, fixture.duration_us);
  g_assert_cmpint (later_us, <, 3 * fixture.duration_us);
  fixture.duration_us = 0;
  for (guint k = 8; k < 250; k++)
    assert_done (insert (k, 10, &error), error);
  assert_cells (249, &timestamp);
  g_assert_cmpint (timestamp * 1000 - fixture.applied_us, <=, first_us + 2000);
  fixture_close ();
}

/* The tuple was hidden or replaced, the daemon cannot tell which: it is in no schema. */
static void
test_hidden (void)
{
  g_autoptr (GError) error = NULL;
  gint64 timestamp = 0;

  fixture_open ();
  fixture.duration_us = 20 * 1000;
  fixture.is_hidden = TRUE;
  g_assert_false (insert (1, 10, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
  assert_cells (0, &timestamp);
  fixture_close ();
}

/* The tuple is there, but that cannot be read: the outcome is unknown, and not a failure. */
static void
test_lost (void)
{
  g_autoptr (GError) error = NULL;

  fixture_open ();
  fixture.duration_us = 20 * 1000;
  fixture.is_lost = TRUE;
  g_assert_false (insert (1, 10, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
  g_assert_nonnull (strstr (error->message, "no gateway answers"));
  fixture_close ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/write/early/insertion", test_early);
  g_test_add_func ("/write/early/replacement", test_replacement);
  g_test_add_func ("/write/early/late", test_late);
  g_test_add_func ("/write/early/hidden", test_hidden);
  g_test_add_func ("/write/early/lost", test_lost);
  return g_test_run ();
}
