/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-blocks.c: decodes many rows at a time, with some undecodable rows among them.
 *
 * Whatever is wrong, and in whichever row: the other rows are read normally, and the wrong one is
 * counted.
 */
#include "config.h"

#include "core/plan/make-access-path.h"
#include "core/scan/table-scan.h"
#include "core/store/memory.h"

#define N_ROWS 3000

typedef struct
{
  const gchar *name;
  guint every; /* one row of this many is wrong; 0: none */
  guint first;
} Case;

/* All ways in which row @i can be wrong. */
static void
spoil (guint i, KvsqlBuffer *row, KvsqlBuffer *value)
{
  switch (i % 7)
    {
    case 0:
      row->size--; /* the id is short */
      break;
    case 1:
      row->data[3] = 0xff; /* not UTF-8 */
      break;
    case 2:
      row->data[6] = '+'; /* the delimiter after the customer */
      break;
    case 3:
      memset (row->data + 7, 0x7f, 4); /* not a day */
      break;
    case 4:
      value->size = 3;
      break;
    case 5:
      value->data[value->size - 1] = 0; /* NUL in the note */
      break;
    default:
      value->size = 0;
      break;
    }
}

static gboolean
is_spoilt (const Case *data, guint i)
{
  return data->every > 0 && i % data->every == data->first;
}

static void
put_row (KvsqlStore *store, const Case *data, guint i)
{
  KvsqlBuffer row = { 0 }, value = { 0 };
  gchar text[32];
  gdouble price = i * 0.5;
  guint64 bits;
  KvsqlMutation put = { .kind = KVSQL_MUTATION_PUT,
                        .table = KVSQL_SLICE_LITERAL ("e"),
                        .family = KVSQL_SLICE_LITERAL ("f"),
                        .qualifier = KVSQL_SLICE_LITERAL ("e"),
                        .timestamp = 1000 + i };
  g_autoptr (GError) error = NULL;

  g_snprintf (text, sizeof text, "c%05u-", i / 100);
  kvsql_buffer_append (&row, text, strlen (text));
  kvsql_put_be32 (kvsql_buffer_extend (&row, 4), i % 100);
  kvsql_put_be64 (kvsql_buffer_extend (&row, 8), i);
  memcpy (&bits, &price, sizeof bits);
  kvsql_put_be64 (kvsql_buffer_extend (&value, 8), bits);
  kvsql_put_be32 (kvsql_buffer_extend (&value, 4), i);
  g_snprintf (text, sizeof text, "%.*snote %u", (gint)(i % 12), "long, longer", i);
  kvsql_buffer_append (&value, text, strlen (text));
  if (is_spoilt (data, i))
    spoil (i / data->every, &row, &value);
  put.row = kvsql_buffer_slice (&row);
  put.value = kvsql_buffer_slice (&value);
  g_assert_true (kvsql_store_apply (store, &put, 1, NULL, &error));
  g_assert_no_error (error);
  kvsql_buffer_clear (&row);
  kvsql_buffer_clear (&value);
}

static void
check_tuple (KvsqlTableScan *scan, const KvsqlBatch *batch, guint row, guint i)
{
  g_autofree gchar *cust = g_strdup_printf ("c%05u", i / 100);
  g_autofree gchar *note = g_strdup_printf ("%.*snote %u", (gint)(i % 12), "long, longer", i);
  KvsqlSlice shown_cust = batch->columns[0].slices[row], shown_note = batch->columns[5].slices[row];

  g_assert_cmpmem (shown_cust.data, shown_cust.size, cust, strlen (cust));
  g_assert_cmpint (batch->columns[1].integers[row], ==, i % 100);
  g_assert_cmpint (batch->columns[2].integers[row], ==, i);
  g_assert_cmpfloat (batch->columns[3].reals[row], ==, i * 0.5);
  g_assert_cmpint (batch->columns[4].integers[row], ==, i);
  g_assert_cmpmem (shown_note.data, shown_note.size, note, strlen (note));
  g_assert_cmpint (kvsql_table_scan_get_newest (scan, row), ==, 1000 + i);
}

static void
check_scan (KvsqlTableScan *scan, const Case *data)
{
  g_autoptr (GArray) expected = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GError) error = NULL;
  KvsqlAssemblerCounts counts;
  KvsqlBatch *batch;
  guint n = 0;

  for (guint i = 0; i < N_ROWS; i++)
    if (!is_spoilt (data, i))
      g_array_append_val (expected, i);
  do
    {
      g_assert_true (kvsql_table_scan_next (scan, NULL, &batch, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (n + batch->n_rows, <=, expected->len);
      for (guint row = 0; row < batch->n_rows; row++)
        check_tuple (scan, batch, row, g_array_index (expected, guint, n++));
    }
  while (batch->n_rows > 0);
  g_assert_cmpuint (n, ==, expected->len);
  kvsql_table_scan_get_counts (scan, &counts);
  g_assert_cmpuint (counts.cells, ==, N_ROWS);
  g_assert_cmpuint (counts.undecodable, ==, N_ROWS - expected->len);
}

static void
test_blocks (gconstpointer user_data)
{
  const Case *data = user_data;
  KvsqlStore *store = kvsql_memory_store_new ();
  KvsqlCatalog *catalog = kvsql_catalog_new (1);
  KvsqlConstraint none[KVSQL_MAX_ATTRIBUTES] = { 0 };
  KvsqlDisjunct disjunct = { .constraints = none };
  KvsqlDnf everything = { .disjuncts = &disjunct, .n_disjuncts = 1 };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlCatalogEntry *entry;
  KvsqlAccessPath path;
  KvsqlTableScan *scan;

  kvsql_catalog_add_definition (catalog, NULL,
                                "DEFINE RELATION e { cust STRING KEY, day DATE KEY, id BIGINT KEY, "
                                "price DOUBLE, qty INT, note STRING }");
  kvsql_catalog_add_definition (
      catalog, NULL,
      "DEFINE PRIMARY SCHEMA e_s FOR e { TABLE 'e', ROW suffix('-'){cust}:day:id, FAMILY 'f', "
      "QUALIFIER 'e', VALUE price:qty:note }");
  g_assert_cmpuint (catalog->load_errors->len, ==, 0);
  entry = catalog->entries->pdata[0];
  for (guint i = 0; i < N_ROWS; i++)
    put_row (store, data, i);
  kvsql_access_path_make (entry->schemas[0], &everything, &entry->relation->all,
                          &store->capabilities, arena, &path);
  scan = kvsql_table_scan_new (store, &path, &entry->relation->all, NULL, 0, 1 << 20);
  check_scan (scan, data);
  kvsql_table_scan_free (scan);
  kvsql_catalog_unref (catalog);
  kvsql_store_close (store);
}

int
main (int argc, char **argv)
{
  static const Case cases[] = {
    { "/exec/blocks/all-are-tuples", 0, 0 },     { "/exec/blocks/one-is-none", N_ROWS, 1999 },
    { "/exec/blocks/first-is-none", N_ROWS, 0 }, { "/exec/blocks/last-is-none", N_ROWS, 2999 },
    { "/exec/blocks/some-are-none", 97, 5 },     { "/exec/blocks/many-are-none", 3, 1 },
    { "/exec/blocks/none-is-a-tuple", 1, 0 },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].name, &cases[i], test_blocks);
  return g_test_run ();
}
