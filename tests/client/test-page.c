/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-page.c: pages from the wire to vectors: any bytes give an error or a consistent page.
 *
 *   test-page -m perf   also prints the cost of a cell
 */
#include "config.h"

#include <string.h>

#include "client/kvsql-error.h"
#include "client/page.h"
#include "idl/wire/thrift-setup.h"
#include "kvsql_rpc_kvsql_types.h"

static KvsqlProtocol *
memory_protocol (gboolean compact)
{
  g_autoptr (KvsqlTransport) transport
      = kvsql_transport_new_memory (FALSE, KVSQL_TRANSPORT_MAX_MESSAGE);

  return kvsql_protocol_new (transport, compact);
}

static KvsqlRpcColumn *
column_new (guint n_rows, gboolean has_nulls)
{
  KvsqlRpcColumn *column = g_object_new (KVSQL_RPC_TYPE_COLUMN, NULL);

  if (has_nulls)
    {
      column->nulls = g_byte_array_new ();
      g_byte_array_set_size (column->nulls, (n_rows + 7) / 8);
      memset (column->nulls->data, 0x11, column->nulls->len);
      column->__isset_nulls = TRUE;
    }
  return column;
}

static KvsqlRpcPage *
page_new (guint n_rows)
{
  KvsqlRpcPage *page = g_object_new (KVSQL_RPC_TYPE_PAGE, NULL);
  KvsqlRpcColumn *integers = column_new (n_rows, TRUE);
  KvsqlRpcColumn *reals = column_new (n_rows, FALSE);
  KvsqlRpcColumn *texts = column_new (n_rows, FALSE);
  KvsqlRpcColumn *booleans = column_new (n_rows, TRUE);

  page->nrows = (gint32)n_rows;
  for (guint i = 0; i < n_rows; i++)
    {
      gint64 integer = (gint64)i * 1000;
      gdouble real = i / 3.0;
      gboolean boolean = i % 2;

      g_array_append_val (integers->i, integer);
      g_array_append_val (reals->d, real);
      g_array_append_val (booleans->b, boolean);
      g_ptr_array_add (texts->s, g_strdup_printf ("text %u \xc3\xa9", i));
    }
  integers->__isset_i = reals->__isset_d = texts->__isset_s = booleans->__isset_b = TRUE;
  g_ptr_array_add (page->columns, integers);
  g_ptr_array_add (page->columns, reals);
  g_ptr_array_add (page->columns, texts);
  g_ptr_array_add (page->columns, booleans);
  page->cursor = g_byte_array_append (g_byte_array_new (), (const guint8 *)"cursor", 6);
  page->__isset_cursor = TRUE;
  g_ptr_array_add (page->warnings, g_strdup ("careful"));
  page->__isset_warnings = TRUE;
  return page;
}

/* A message whose body is the page, as bytes. */
static GBytes *
encode (guint n_rows, gboolean compact)
{
  g_autoptr (GObject) owner = G_OBJECT (memory_protocol (compact));
  KvsqlProtocol *protocol = KVSQL_PROTOCOL (owner);
  g_autoptr (GObject) page = G_OBJECT (page_new (n_rows));
  ThriftProtocol *thrift = THRIFT_PROTOCOL (protocol);
  KvsqlTransport *transport = kvsql_protocol_get_transport (protocol);
  KvsqlSlice bytes;

  g_assert_cmpint (thrift_protocol_write_message_begin (thrift, "query", T_REPLY, 1, NULL), >=, 0);
  g_assert_cmpint (thrift_struct_write (THRIFT_STRUCT (page), thrift, NULL), >=, 0);
  g_assert_cmpint (thrift_protocol_write_message_end (thrift, NULL), >=, 0);
  g_assert_true (thrift_transport_flush (THRIFT_TRANSPORT (transport), NULL));
  bytes = kvsql_transport_get_memory (transport);
  return g_bytes_new (bytes.data, bytes.size);
}

static gboolean
decode (gconstpointer data, gsize size, gboolean compact, KvsqlPage *page, GError **error)
{
  g_autoptr (GObject) owner = G_OBJECT (memory_protocol (compact));
  KvsqlProtocol *protocol = KVSQL_PROTOCOL (owner);
  g_autofree gchar *name = NULL;
  ThriftMessageType type;
  gint32 sequence;

  kvsql_transport_set_memory (kvsql_protocol_get_transport (protocol), kvsql_slice (data, size));
  return thrift_protocol_read_message_begin (THRIFT_PROTOCOL (protocol), &name, &type, &sequence,
                                             error)
             >= 0
         && _kvsql_page_read (protocol, page, error);
}

/* Reads everything that a reader of the page could read. */
static guint64
sum_of_page (const KvsqlPage *page)
{
  guint64 sum = 0;

  for (guint i = 0; i < page->columns->len; i++)
    {
      const KvsqlCells *cells = &g_array_index (page->columns, KvsqlCells, i);

      g_assert_cmpuint (cells->n_rows, ==, (guint)page->n_rows);
      for (guint32 row = 0; row < cells->n_rows; row++)
        {
          sum += _kvsql_cells_is_null (cells, row);
          if (cells->kind == KVSQL_CELLS_INT64)
            sum += (guint64)cells->integers[row];
          else if (cells->kind == KVSQL_CELLS_DOUBLE)
            sum += cells->reals[row] > 1;
          else if (cells->kind == KVSQL_CELLS_BOOLEAN)
            sum += cells->booleans[row];
          else if (cells->kind != KVSQL_CELLS_NONE)
            sum += strlen (cells->bytes + cells->offsets[row]);
        }
    }
  return sum;
}

static void
test_round_trip (gconstpointer data)
{
  gboolean compact = GPOINTER_TO_INT (data);
  g_autoptr (GBytes) bytes = encode (20, compact);
  g_auto (KvsqlPage) page = KVSQL_PAGE_INIT;
  g_autoptr (GError) error = NULL;
  const KvsqlCells *texts;

  g_assert_true (
      decode (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), compact, &page, &error));
  g_assert_no_error (error);
  g_assert_cmpint (page.n_rows, ==, 20);
  g_assert_cmpuint (page.columns->len, ==, 4);
  texts = &g_array_index (page.columns, KvsqlCells, 2);
  g_assert_cmpstr (texts->bytes + texts->offsets[19], ==, "text 19 \xc3\xa9");
  g_assert_cmpuint (texts->offsets[20] - texts->offsets[19], ==, strlen ("text 19 \xc3\xa9") + 1);
  g_assert_true (_kvsql_cells_is_null (&g_array_index (page.columns, KvsqlCells, 0), 4));
  g_assert_false (_kvsql_cells_is_null (&g_array_index (page.columns, KvsqlCells, 1), 4));
  g_assert_cmpuint (g_bytes_get_size (page.cursor), ==, 6);
  g_assert_cmpuint (page.warnings->len, ==, 1);
}

static void
test_cut (gconstpointer data)
{
  gboolean compact = GPOINTER_TO_INT (data);
  g_autoptr (GBytes) bytes = encode (9, compact);
  gsize size = g_bytes_get_size (bytes);

  for (gsize length = 0; length < size; length++)
    {
      /* A copy of exactly that size, so that a sanitizer finds a read past its end. */
      g_autofree guint8 *part = g_memdup2 (g_bytes_get_data (bytes, NULL), length);
      g_auto (KvsqlPage) page = KVSQL_PAGE_INIT;
      g_autoptr (GError) error = NULL;

      g_assert_false (decode (part, length, compact, &page, &error));
      g_assert_nonnull (error);
    }
}

static void
test_mutated (gconstpointer data)
{
  gboolean compact = GPOINTER_TO_INT (data);
  g_autoptr (GBytes) bytes = encode (9, compact);
  gsize size = g_bytes_get_size (bytes);
  guint n_pages = 0, n_errors = 0;
  guint64 sum = 0;

  for (guint i = 0; i < 20000; i++)
    {
      g_autofree guint8 *mutated = g_memdup2 (g_bytes_get_data (bytes, NULL), size);
      g_auto (KvsqlPage) page = KVSQL_PAGE_INIT;
      g_autoptr (GError) error = NULL;

      for (gint n = g_test_rand_int_range (1, 4); n > 0; n--)
        mutated[g_test_rand_int_range (0, (gint32)size)] = (guint8)g_test_rand_int ();
      if (decode (mutated, size, compact, &page, &error))
        {
          sum += sum_of_page (&page);
          n_pages++;
        }
      else
        {
          g_assert_nonnull (error);
          n_errors++;
        }
    }
  g_test_message ("%u pages, %u errors, %" G_GUINT64_FORMAT, n_pages, n_errors, sum);
  g_assert_cmpuint (n_pages, >, 0);
  g_assert_cmpuint (n_errors, >, 0);
}

static void
test_speed (gconstpointer data)
{
  gboolean compact = GPOINTER_TO_INT (data);
  g_autoptr (GBytes) bytes = encode (5000, compact);
  guint repeats = 200;
  gdouble cost;

  g_test_timer_start ();
  for (guint i = 0; i < repeats; i++)
    {
      g_auto (KvsqlPage) page = KVSQL_PAGE_INIT;

      g_assert_true (
          decode (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), compact, &page, NULL));
    }
  cost = g_test_timer_elapsed () * 1e9 / repeats / 20000;
  g_test_minimized_result (cost, "%.1f ns per cell", cost);
}

int
main (int argc, char **argv)
{
  static const gchar *const formats[] = { "binary", "compact" };

  g_test_init (&argc, &argv, NULL);
  kvsql_thrift_setup ();
  for (guint i = 0; i < 2; i++)
    {
      static const struct
      {
        const gchar *name;
        GTestDataFunc function;
        gboolean is_slow;
      } tests[] = { { "round-trip", test_round_trip, FALSE },
                    { "cut-anywhere", test_cut, FALSE },
                    { "mutated", test_mutated, FALSE },
                    { "speed", test_speed, TRUE } };

      for (guint j = 0; j < G_N_ELEMENTS (tests); j++)
        {
          g_autofree gchar *path
              = g_strdup_printf ("/client/page/%s/%s", formats[i], tests[j].name);

          if (!tests[j].is_slow || g_test_perf ())
            g_test_add_data_func (path, GINT_TO_POINTER (i), tests[j].function);
        }
    }
  return g_test_run ();
}
