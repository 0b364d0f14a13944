/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-allocations.c: reading more rows needs no more memory allocations.
 *
 * This program replaces malloc() and related functions to count calls. Sanitizers replace them,
 * too: then nothing is counted.
 */
#include "config.h"

#include <unistd.h>

#include "core/write/storage.h"
#include "core/write/insert.h"
#include "core/exec/select.h"
#include "core/plan/select-planner.h"
#include "core/scan/table-scan.h"
#include "core/sql/parser.h"
#include "core/store/memory.h"

#define FEW_ROWS 5000
#define MANY_ROWS 30000
#define PAGE_ROWS 2500

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define HAS_COUNTER FALSE
static guint64 n_allocations;
#else
#define HAS_COUNTER TRUE
static _Thread_local guint64 n_allocations;

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);
extern void *__libc_realloc (void *memory, size_t size);

void *
malloc (size_t size)
{
  n_allocations++;
  return __libc_malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  n_allocations++;
  return __libc_calloc (n, size);
}

void *
realloc (void *memory, size_t size)
{
  n_allocations++;
  return __libc_realloc (memory, size);
}
#endif

typedef struct
{
  KvsqlStore *store;
  KvsqlStorage *storage;
  KvsqlCatalog *catalog;
} Fixture;

static void
insert (Fixture *self, guint first, guint n)
{
  const KvsqlCatalogEntry *entry = self->catalog->entries->pdata[0];
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlValue **tuples = kvsql_arena_array (arena, const KvsqlValue *, n);
  g_autoptr (GError) error = NULL;
  guint64 written;

  for (guint i = 0; i < n; i++)
    {
      KvsqlValue *tuple = kvsql_arena_array (arena, KvsqlValue, 4);
      gchar *name = kvsql_arena_printf (arena, "customer %u", (first + i) / 100);

      tuple[0] = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text (name) };
      tuple[1] = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = first + i };
      tuple[2] = (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE, .real = (first + i) * 0.5 };
      tuple[3] = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text (name) };
      tuples[i] = tuple;
    }
  g_assert_true (kvsql_insert_run (self->storage, entry, tuples, n, NULL, &written, &error));
  g_assert_no_error (error);
}

static void
fixture_open (Fixture *self, const gchar *schema)
{
  self->store = kvsql_memory_store_new ();
  self->storage = kvsql_storage_new (self->store);
  self->catalog = kvsql_catalog_new (1);
  kvsql_catalog_add_definition (
      self->catalog, NULL,
      "DEFINE RELATION e { cust STRING KEY, id BIGINT KEY, price DOUBLE, note STRING }");
  kvsql_catalog_add_definition (self->catalog, NULL, schema);
  g_assert_cmpuint (self->catalog->load_errors->len, ==, 0);
  insert (self, 0, FEW_ROWS);
}

static void
fixture_close (Fixture *self)
{
  kvsql_catalog_unref (self->catalog);
  kvsql_storage_free (self->storage);
  kvsql_store_close (self->store);
}

static const KvsqlSelectPlan *
make_plan (Fixture *self, const gchar *sql, KvsqlArena *arena)
{
  g_autoptr (GError) error = NULL;
  const KvsqlAstStatement *statement
      = kvsql_parser_parse (kvsql_slice_from_text (sql), arena, &error);
  KvsqlBinder binder = { .arena = arena };
  const KvsqlSelectPlan *plan;

  g_assert_no_error (error);
  plan = kvsql_select_plan_make (self->catalog, &statement->select, &binder,
                                 &self->store->capabilities, &error);
  g_assert_no_error (error);
  return plan;
}

/* Allocations of a scan alone, from its first to its last batch. */
static guint64
count_scan (Fixture *self, const KvsqlSelectPlan *plan, guint64 *out_rows)
{
  guint64 before = n_allocations;
  g_autoptr (KvsqlTableScan) scan
      = kvsql_table_scan_new (self->store, plan->best, &plan->needed, NULL, 0, 1 << 20);
  g_autoptr (GError) error = NULL;
  KvsqlBatch *batch;

  *out_rows = 0;
  do
    {
      g_assert_true (kvsql_table_scan_next (scan, NULL, &batch, &error));
      *out_rows += batch->n_rows;
    }
  while (batch->n_rows > 0);
  return n_allocations - before;
}

/* Allocations of a SELECT from its first to its last page. */
static guint64
count_select (Fixture *self, const KvsqlSelectPlan *plan, guint64 *out_rows)
{
  guint64 before = n_allocations;
  KvsqlSelectLimits limits = { .sort_bytes = 1 << 20, .sort_disk_bytes = 64 << 20 };
  g_autoptr (KvsqlSelectRun) run = kvsql_select_run_new (plan, self->store, &limits, NULL);
  g_autoptr (GError) error = NULL;
  gboolean has_more;

  *out_rows = 0;
  do
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (KvsqlBatch) page = NULL;
      g_assert_true (
          kvsql_select_run_page (run, PAGE_ROWS, 1 << 20, NULL, arena, &page, &has_more, &error));
      *out_rows += page->n_rows;
    }
  while (has_more);
  return n_allocations - before;
}

typedef guint64 (*Count) (Fixture *self, const KvsqlSelectPlan *plan, guint64 *out_rows);

/* The cost of @more_rows, in thousandths of an allocation for each row. */
static void
check_growth (Fixture *self, const gchar *sql, Count count, guint most)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlSelectPlan *plan = make_plan (self, sql, arena);
  guint64 few_rows, many_rows, few, many;

  few = count (self, plan, &few_rows);
  insert (self, FEW_ROWS, MANY_ROWS - FEW_ROWS);
  many = count (self, plan, &many_rows);
  g_test_message ("%s: %" G_GUINT64_FORMAT " allocations for %" G_GUINT64_FORMAT
                  " rows, %" G_GUINT64_FORMAT " for %" G_GUINT64_FORMAT,
                  sql, few, few_rows, many, many_rows);
  g_assert_true (many_rows > few_rows || few_rows == 1); /* of all rows, or of one group */
  g_assert_cmpuint (few, >, 0);
  g_assert_cmpuint ((many - few) * 1000, <=, most * (guint64)(MANY_ROWS - FEW_ROWS));
}

#define PACKED                                                                                     \
  "DEFINE PRIMARY SCHEMA s FOR e { TABLE 't', ROW suffix('-'){cust}:id, FAMILY 'f', QUALIFIER "    \
  "'e', VALUE price:note }"
#define CELLS                                                                                      \
  "DEFINE PRIMARY SCHEMA s FOR e { TABLE 't', ROW suffix('-'){cust}:id, FAMILY 'f', QUALIFIER "    \
  "attr_name['cust','id'], VALUE attr_value['cust','id'] }"

#define TURNED                                                                                     \
  "DEFINE PRIMARY SCHEMA s FOR e { TABLE 't', ROW hex{ordered{cust}}:text{id}, FAMILY 'f', VALUE " \
  "desc{ordered{note}}:'a constant that is longer than what is turned around at once by itself':"  \
  "ordered{price} }"

typedef struct
{
  const gchar *schema;
  const gchar *sql;
  Count count;
  guint most; /* thousandths of an allocation for each row: some for each batch and each page */
} Case;

static void
test_growth (gconstpointer data)
{
  const Case *test = data;
  Fixture fixture;

  if (!HAS_COUNTER)
    {
      g_test_skip ("a sanitizer has malloc()");
      return;
    }
  fixture_open (&fixture, test->schema);
  check_growth (&fixture, test->sql, test->count, test->most);
  fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  static const Case scan_packed = { PACKED, "SELECT * FROM e", count_scan, 1 };
  static const Case scan_cells = { CELLS, "SELECT * FROM e", count_scan, 1 };
  static const Case scan_turned = { TURNED, "SELECT * FROM e", count_scan, 1 };
  static const Case select_packed = { PACKED, "SELECT * FROM e", count_select, 10 };
  static const Case select_cells = { CELLS, "SELECT * FROM e", count_select, 10 };
  static const Case filter
      = { PACKED, "SELECT id FROM e WHERE price > 100 AND note LIKE '%9%'", count_select, 10 };

  static const Case aggregate
      = { PACKED, "SELECT count(*), sum(id), min(price), avg(price), max(id + 1) FROM e",
          count_select, 10 };
  static const Case aggregate_cells
      = { CELLS, "SELECT count(*), sum(price), max(id) FROM e WHERE price > 10", count_select, 10 };
  static const Case groups
      = { PACKED, "SELECT cust, count(*), sum(price) FROM e GROUP BY cust", count_select, 10 };
  static const Case expressions
      = { PACKED, "SELECT id * 2 + 1, price / 2 FROM e WHERE id % 3 = 1", count_select, 10 };
  static const Case sort = { PACKED, "SELECT * FROM e ORDER BY price DESC", count_select, 10 };
  static const Case distinct = { PACKED, "SELECT DISTINCT id / 3 FROM e", count_select, 10 };

  /* GLib's slices would hide allocations. */
  if (g_getenv ("G_SLICE") == NULL)
    {
      g_setenv ("G_SLICE", "always-malloc", TRUE);
      execv ("/proc/self/exe", argv);
    }
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/exec/allocations/scan-packed", &scan_packed, test_growth);
  g_test_add_data_func ("/exec/allocations/scan-cells", &scan_cells, test_growth);
  g_test_add_data_func ("/exec/allocations/scan-turned", &scan_turned, test_growth);
  g_test_add_data_func ("/exec/allocations/select-packed", &select_packed, test_growth);
  g_test_add_data_func ("/exec/allocations/select-cells", &select_cells, test_growth);
  g_test_add_data_func ("/exec/allocations/filter", &filter, test_growth);
  g_test_add_data_func ("/exec/allocations/aggregate", &aggregate, test_growth);
  g_test_add_data_func ("/exec/allocations/aggregate-cells", &aggregate_cells, test_growth);
  g_test_add_data_func ("/exec/allocations/groups", &groups, test_growth);
  g_test_add_data_func ("/exec/allocations/expressions", &expressions, test_growth);
  g_test_add_data_func ("/exec/allocations/sort", &sort, test_growth);
  g_test_add_data_func ("/exec/allocations/distinct", &distinct, test_growth);
  return g_test_run ();
}
