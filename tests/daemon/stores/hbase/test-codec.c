/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-codec.c: Thrift messages to and from HBase, over memory: all four transports, every
 * truncation, every damaged byte, and false lengths.
 */
#include "config.h"

#include "daemon/stores/hbase/t2-requests.h"

#define S(text) KVSQL_SLICE_LITERAL (text)

static const KvsqldT2Transport transports[] = {
  { FALSE, FALSE },
  { TRUE, FALSE },
  { FALSE, TRUE },
  { TRUE, TRUE },
};

/* ---- bytes that arrive in pieces */

typedef struct
{
  KvsqlSlice left;
  gsize piece; /* at most this many bytes at a time */
} Wire;

static gboolean
fill_from_wire (gpointer source, KvsqlBuffer *buffer, gsize size, GError **error)
{
  Wire *wire = source;

  while (buffer->size < size)
    {
      gsize n = MIN (wire->piece, wire->left.size);

      if (n == 0)
        return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE, "cut off");
      kvsql_buffer_append (buffer, wire->left.data, n);
      wire->left.data += n;
      wire->left.size -= n;
    }
  return TRUE;
}

static gboolean
read_reply (KvsqldT2Reply *reply, KvsqldT2Transport transport, const KvsqldT2Method *method,
            KvsqlSlice bytes, gsize piece, GError **error)
{
  Wire wire = { bytes, piece };

  return kvsqld_t2_reply_read (reply, transport, method, 7, fill_from_wire, &wire, error);
}

/* ---- replies as a server writes them */

static void
write_cell (KvsqldT2Writer *writer, KvsqlSlice qualifier, KvsqlSlice value, gint64 timestamp)
{
  kvsqld_t2_writer_struct_begin (writer);
  kvsqld_t2_writer_binary_field (writer, 1, S ("f"));
  kvsqld_t2_writer_binary_field (writer, 2, qualifier);
  kvsqld_t2_writer_binary_field (writer, 3, value);
  kvsqld_t2_writer_i64_field (writer, 4, timestamp);
  kvsqld_t2_writer_struct_end (writer);
}

static void
write_row (KvsqldT2Writer *writer, KvsqlSlice key, guint n_cells)
{
  kvsqld_t2_writer_struct_begin (writer);
  if (n_cells > 0)
    kvsqld_t2_writer_binary_field (writer, 1, key);
  kvsqld_t2_writer_list_field (writer, 2, KVSQLD_T2_STRUCT, n_cells);
  for (guint i = 0; i < n_cells; i++)
    {
      const guint8 value[] = { 0, (guint8)i };

      write_cell (writer, kvsql_slice (value + 1, i % 2), kvsql_slice (value, 2),
                  G_GINT64_CONSTANT (1700000000000) + i);
    }
  kvsqld_t2_writer_bool_field (writer, 3, FALSE);
  kvsqld_t2_writer_bool_field (writer, 4, TRUE);
  kvsqld_t2_writer_struct_end (writer);
}

static void
begin_reply (KvsqldT2Writer *writer, KvsqldT2Transport transport, const KvsqldT2Method *method)
{
  kvsqld_t2_writer_init (writer, transport);
  kvsqld_t2_writer_begin (writer, KVSQLD_T2_REPLY, method->name, 7);
}

/* 20 rows with 0, 1, 2, 0 … cells: a list too long for the compact protocol's short form. */
static void
write_rows (KvsqldT2Writer *writer, KvsqldT2Transport transport)
{
  begin_reply (writer, transport, &kvsqld_t2_get_scanner_rows);
  kvsqld_t2_writer_list_field (writer, 0, KVSQLD_T2_STRUCT, 20);
  for (guint i = 0; i < 20; i++)
    {
      const guint8 key[] = { 'r', (guint8)i, 0xff };

      write_row (writer, kvsql_slice (key, 3), i % 3);
    }
  kvsqld_t2_writer_end (writer);
}

static void
assert_rows (const KvsqldT2Reply *reply)
{
  g_assert_cmpint (reply->status, ==, KVSQLD_T2_OK);
  g_assert_cmpuint (reply->rows.n_rows, ==, 20);
  for (guint i = 0; i < 20; i++)
    {
      const guint8 key[] = { 'r', (guint8)i, 0xff };
      const KvsqlRow *row = &reply->rows.rows[i];

      g_assert_cmpuint (row->n_cells, ==, i % 3);
      if (row->n_cells > 0)
        g_assert_cmpmem (row->key.data, row->key.size, key, 3);
      for (guint c = 0; c < row->n_cells; c++)
        {
          const KvsqlCell *cell = &reply->rows.cells[row->first_cell + c];

          g_assert_cmpmem (cell->family.data, cell->family.size, "f", 1);
          g_assert_cmpuint (cell->qualifier.size, ==, c % 2);
          g_assert_cmpuint (cell->value.size, ==, 2);
          g_assert_cmpuint (cell->value.data[1], ==, c);
          g_assert_cmpint (cell->timestamp, ==, G_GINT64_CONSTANT (1700000000000) + c);
        }
    }
}

static void
test_rows (void)
{
  g_auto (KvsqldT2Reply) reply = { 0 };

  /* One reply object is reused: no data of the reply before may be left. */
  for (guint i = 0; i < G_N_ELEMENTS (transports); i++)
    for (gsize piece = 1; piece < 1000; piece = piece * 7 + 1)
      {
        g_auto (KvsqldT2Writer) writer = { 0 };
        g_autoptr (GError) error = NULL;

        write_rows (&writer, transports[i]);
        g_assert_true (read_reply (&reply, transports[i], &kvsqld_t2_get_scanner_rows,
                                   kvsql_buffer_slice (&writer.bytes), piece, &error));
        g_assert_no_error (error);
        assert_rows (&reply);
      }
}

static void
test_truncations (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (transports); i++)
    {
      g_auto (KvsqldT2Writer) writer = { 0 };
      g_auto (KvsqldT2Reply) reply = { 0 };

      write_rows (&writer, transports[i]);
      for (gsize size = 0; size < writer.bytes.size; size++)
        {
          g_autofree guint8 *copy = g_memdup2 (writer.bytes.data, size);
          g_autoptr (GError) error = NULL;

          g_assert_false (read_reply (&reply, transports[i], &kvsqld_t2_get_scanner_rows,
                                      kvsql_slice (copy, size), G_MAXSIZE, &error));
          g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
          g_assert_cmpuint (reply.rows.n_rows, ==, 0);
        }
    }
}

/* Any damaged byte: no crash, and all rows point into the message. */
static void
test_damage (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (transports); i++)
    {
      g_auto (KvsqldT2Writer) writer = { 0 };
      g_auto (KvsqldT2Reply) reply = { 0 };

      write_rows (&writer, transports[i]);
      for (gsize at = 0; at < writer.bytes.size; at++)
        for (guint bit = 0; bit < 8; bit++)
          {
            g_autoptr (GError) error = NULL;

            writer.bytes.data[at] ^= (guint8)(1u << bit);
            if (!read_reply (&reply, transports[i], &kvsqld_t2_get_scanner_rows,
                             kvsql_buffer_slice (&writer.bytes), G_MAXSIZE, &error))
              g_assert_nonnull (error);
            for (guint c = 0; c < reply.rows.n_cells; c++)
              {
                KvsqlSlice value = reply.rows.cells[c].value;

                g_assert_true (
                    value.size == 0
                    || (value.data >= reply.bytes.data
                        && value.data + value.size <= reply.bytes.data + reply.bytes.size));
              }
            writer.bytes.data[at] ^= (guint8)(1u << bit);
          }
    }
}

static void
assert_damaged (KvsqldT2Transport transport, const KvsqldT2Method *method, KvsqlSlice bytes,
                const gchar *what)
{
  g_auto (KvsqldT2Reply) reply = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_false (read_reply (&reply, transport, method, bytes, G_MAXSIZE, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_PROTOCOL);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, what));
}

#define HEADER "\x80\x01\x00\x02\x00\x00\x00\x0egetScannerRows\x00\x00\x00\x07"

static void
test_lying_lengths (void)
{
  const KvsqldT2Method *method = &kvsqld_t2_get_scanner_rows;

  /* A frame of 4 GiB. */
  assert_damaged (transports[1], method, S ("\xff\xff\xff\xff\x80\x01"), "frame");
  /* 2,147,483,647 rows. */
  assert_damaged (transports[0], method, S (HEADER "\x0f\x00\x00\x0c\x7f\xff\xff\xff"), "length");
  /* A name of -1 bytes. */
  assert_damaged (transports[0], method, S ("\x80\x01\x00\x02\xff\xff\xff\xff"), "length");
  /* A row key longer than its frame. */
  assert_damaged (
      transports[1], method,
      S ("\x00\x00\x00\x28" HEADER "\x0f\x00\x00\x0c\x00\x00\x00\x01\x0b\x00\x01\x00\x00\x01\x00"),
      "length");
  /* A varint without an end. */
  assert_damaged (transports[2], method, S ("\x82\x41\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
                  "number");
}

static void
test_wrong_messages (void)
{
  const KvsqldT2Method *method = &kvsqld_t2_get_scanner_rows;

  assert_damaged (transports[0], method, S ("HTTP/1.1 400 Bad Request\r\n\r\n"),
                  "no message of the binary protocol");
  assert_damaged (transports[2], method, S (HEADER "\x00"), "no message of the compact protocol");
  assert_damaged (transports[0], method,
                  S ("\x80\x01\x00\x02\x00\x00\x00\x03get\x00\x00\x00\x07\x00"), "another request");
  assert_damaged (transports[0], method,
                  S ("\x80\x01\x00\x02\x00\x00\x00\x0egetScannerRows\x00\x00\x00\x08\x00"),
                  "another request");
  assert_damaged (transports[0], method,
                  S ("\x80\x01\x00\x01\x00\x00\x00\x0egetScannerRows\x00\x00\x00\x07\x00"),
                  "no reply");
  assert_damaged (transports[0], method, S (HEADER "\x00"), "no result");
  assert_damaged (transports[0], method,
                  S (HEADER "\x0f\x00\x00\x0b\x00\x00\x00\x01\x00\x00\x00\x00"), "wrong type");
  assert_damaged (transports[0], method, S (HEADER "\x0f\x00\x00\x0c\x00\x00\x00\x00\x00+"),
                  "more bytes");
}

static void
test_deep_structs (void)
{
  KvsqlBuffer bytes = { 0 };

  kvsql_buffer_append (&bytes, HEADER, sizeof HEADER - 1);
  for (guint i = 0; i < 100000; i++)
    kvsql_buffer_append (&bytes, "\x0c\x00\x63", 3);
  assert_damaged (transports[0], &kvsqld_t2_get_scanner_rows, kvsql_buffer_slice (&bytes),
                  "too many structs");
  kvsql_buffer_clear (&bytes);
}

/* Unknown fields, of every type, are skipped. */
static void
test_unknown_fields (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (transports); i++)
    {
      g_auto (KvsqldT2Writer) writer = { 0 };
      g_auto (KvsqldT2Reply) reply = { 0 };
      g_autoptr (GError) error = NULL;

      begin_reply (&writer, transports[i], &kvsqld_t2_open_scanner);
      kvsqld_t2_writer_bool_field (&writer, 30, TRUE);
      kvsqld_t2_writer_list_field (&writer, 31, KVSQLD_T2_LIST, 2);
      kvsqld_t2_writer_list_begin (&writer, KVSQLD_T2_I64, 1);
      kvsqld_t2_writer_i64 (&writer, G_MININT64);
      kvsqld_t2_writer_list_begin (&writer, KVSQLD_T2_I32, 0);
      kvsqld_t2_writer_struct_field (&writer, 32);
      kvsqld_t2_writer_binary_field (&writer, 1, S ("x"));
      kvsqld_t2_writer_struct_end (&writer);
      kvsqld_t2_writer_field (&writer, KVSQLD_T2_MAP, 33);
      if (transports[i].is_compact)
        kvsql_buffer_append (&writer.bytes, "\x01\x88\x01k\x01v", 6);
      else
        kvsql_buffer_append (&writer.bytes, "\x0b\x0b\0\0\0\x01\0\0\0\x01k\0\0\0\x01v", 16);
      kvsqld_t2_writer_i32_field (&writer, 0, -5);
      kvsqld_t2_writer_end (&writer);

      g_assert_true (read_reply (&reply, transports[i], &kvsqld_t2_open_scanner,
                                 kvsql_buffer_slice (&writer.bytes), 3, &error));
      g_assert_no_error (error);
      g_assert_cmpint (reply.number, ==, -5);
    }
}

static void
write_exception (KvsqldT2Writer *writer, gint field, const gchar *message)
{
  kvsqld_t2_writer_struct_field (writer, field);
  kvsqld_t2_writer_binary_field (writer, 1, kvsql_slice_from_text (message));
  kvsqld_t2_writer_bool_field (writer, 2, TRUE);
  kvsqld_t2_writer_struct_end (writer);
}

static void
test_exceptions (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (transports); i++)
    for (gint field = 1; field <= 2; field++)
      {
        g_auto (KvsqldT2Writer) writer = { 0 };
        g_auto (KvsqldT2Reply) reply = { 0 };

        begin_reply (&writer, transports[i], &kvsqld_t2_get_scanner_rows);
        write_exception (&writer, field, "Invalid scanner Id");
        kvsqld_t2_writer_end (&writer);
        g_assert_true (read_reply (&reply, transports[i], &kvsqld_t2_get_scanner_rows,
                                   kvsql_buffer_slice (&writer.bytes), G_MAXSIZE, NULL));
        g_assert_cmpint (reply.status, ==,
                         field == 1 ? KVSQLD_T2_IO_ERROR : KVSQLD_T2_ILLEGAL_ARGUMENT);
        g_assert_true (kvsql_slice_equal (reply.message, S ("Invalid scanner Id")));
      }
}

static void
test_application_exception (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (transports); i++)
    {
      g_auto (KvsqldT2Writer) writer = { 0 };
      g_auto (KvsqldT2Reply) reply = { 0 };

      kvsqld_t2_writer_init (&writer, transports[i]);
      kvsqld_t2_writer_begin (&writer, KVSQLD_T2_EXCEPTION, "putMultiple", 7);
      kvsqld_t2_writer_binary_field (&writer, 1, S ("Internal error"));
      kvsqld_t2_writer_i32_field (&writer, 2, 6);
      kvsqld_t2_writer_end (&writer);
      g_assert_true (read_reply (&reply, transports[i], &kvsqld_t2_put_multiple,
                                 kvsql_buffer_slice (&writer.bytes), 5, NULL));
      g_assert_cmpint (reply.status, ==, KVSQLD_T2_APPLICATION_ERROR);
      g_assert_true (kvsql_slice_equal (reply.message, S ("Internal error")));
    }
}

static void
test_table_names (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (transports); i++)
    {
      g_auto (KvsqldT2Writer) writer = { 0 };
      g_auto (KvsqldT2Reply) reply = { 0 };

      begin_reply (&writer, transports[i], &kvsqld_t2_get_table_names);
      kvsqld_t2_writer_list_field (&writer, 0, KVSQLD_T2_STRUCT, 2);
      for (guint n = 0; n < 2; n++)
        {
          kvsqld_t2_writer_struct_begin (&writer);
          kvsqld_t2_writer_binary_field (&writer, 1, n == 0 ? S ("default") : S ("ns"));
          kvsqld_t2_writer_binary_field (&writer, 2, S ("t"));
          kvsqld_t2_writer_struct_end (&writer);
        }
      kvsqld_t2_writer_end (&writer);
      g_assert_true (read_reply (&reply, transports[i], &kvsqld_t2_get_table_names,
                                 kvsql_buffer_slice (&writer.bytes), G_MAXSIZE, NULL));
      g_assert_cmpuint (reply.n_names, ==, 2);
      g_assert_cmpuint (reply.names[0].namespace_name.size, ==, 0);
      g_assert_true (kvsql_slice_equal (reply.names[1].namespace_name, S ("ns")));
      g_assert_true (kvsql_slice_equal (reply.names[1].name, S ("t")));
    }
}

/* A region contains more than its first key and its location. */
static void
test_regions (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (transports); i++)
    {
      g_auto (KvsqldT2Writer) writer = { 0 };
      g_auto (KvsqldT2Reply) reply = { 0 };

      begin_reply (&writer, transports[i], &kvsqld_t2_get_regions);
      kvsqld_t2_writer_list_field (&writer, 0, KVSQLD_T2_STRUCT, 2);
      for (guint n = 0; n < 2; n++)
        {
          kvsqld_t2_writer_struct_begin (&writer);
          kvsqld_t2_writer_struct_field (&writer, 1);
          kvsqld_t2_writer_binary_field (&writer, 1, S ("host"));
          kvsqld_t2_writer_struct_end (&writer);
          kvsqld_t2_writer_struct_field (&writer, 2);
          kvsqld_t2_writer_binary_field (&writer, 2, S ("ns:t"));
          kvsqld_t2_writer_binary_field (&writer, 3, n == 0 ? S ("") : S ("k\0"));
          kvsqld_t2_writer_binary_field (&writer, 4, n == 0 ? S ("k\0") : S (""));
          kvsqld_t2_writer_struct_end (&writer);
          kvsqld_t2_writer_struct_end (&writer);
        }
      kvsqld_t2_writer_end (&writer);
      g_assert_true (read_reply (&reply, transports[i], &kvsqld_t2_get_regions,
                                 kvsql_buffer_slice (&writer.bytes), G_MAXSIZE, NULL));
      g_assert_cmpuint (reply.n_names, ==, 2);
      g_assert_cmpuint (reply.names[0].name.size, ==, 0);
      g_assert_true (kvsql_slice_equal (reply.names[1].name, S ("k\0")));
    }
}

/* ---- requests, byte for byte */

static void
assert_request (const KvsqldT2Writer *writer, gsize sequence_offset, gsize sequence_size,
                const gchar *expected)
{
  g_autofree gchar *hex = NULL;
  g_autofree guint8 *copy = g_memdup2 (writer->bytes.data, writer->bytes.size);

  /* The number of a request is unique: it is masked before the comparison. */
  memset (copy + sequence_offset, 0, sequence_size);
  hex = kvsql_hex (kvsql_slice (copy, writer->bytes.size));
  g_assert_cmpstr (hex, ==, expected);
}

static void
write_small_get (KvsqldT2Writer *writer, KvsqldT2Transport transport)
{
  const KvsqlSlice key = S ("k");
  const KvsqlColumn column = { .family = S ("f"), .qualifier = S ("") };

  kvsqld_t2_writer_init (writer, transport);
  kvsqld_t2_write_get_multiple (writer, S ("t"), &key, 1, &column, 1, NULL, KVSQL_SLICE_EMPTY);
  if (transport.is_compact)
    g_assert_cmpuint (writer->sequence, <, 128);
}

/* A single row: TGet is the argument, not a list of it. */
static void
test_single_get_bytes (void)
{
  const KvsqlSlice key = S ("k");
  const KvsqlColumn column = { .family = S ("f"), .qualifier = S ("") };
  g_auto (KvsqldT2Writer) binary = { 0 };

  kvsqld_t2_writer_init (&binary, transports[1]);
  kvsqld_t2_write_get (&binary, S ("t"), key, &column, 1, NULL, KVSQL_SLICE_EMPTY);
  assert_request (&binary, 4 + 4 + 4 + 3, 4,
                  "0000003c"
                  "80010001"
                  "00000003"
                  "676574"
                  "00000000"
                  "0b0001"
                  "00000001"
                  "74"
                  "0c0002"
                  "0b0001"
                  "00000001"
                  "6b"
                  "0f0002"
                  "0c"
                  "00000001"
                  "0b0001"
                  "00000001"
                  "66"
                  "0b0002"
                  "00000000"
                  "00"
                  "00"
                  "00");
}

static void
test_request_bytes (void)
{
  g_auto (KvsqldT2Writer) binary = { 0 };
  g_auto (KvsqldT2Writer) compact = { 0 };

  write_small_get (&binary, transports[1]);
  assert_request (&binary, 4 + 4 + 4 + 11, 4,
                  "00000049"
                  "80010001"
                  "0000000b"
                  "6765744d756c7469706c65"
                  "00000000"
                  "0b0001"
                  "00000001"
                  "74"
                  "0f0002"
                  "0c"
                  "00000001"
                  "0b0001"
                  "00000001"
                  "6b"
                  "0f0002"
                  "0c"
                  "00000001"
                  "0b0001"
                  "00000001"
                  "66"
                  "0b0002"
                  "00000000"
                  "00"
                  "00"
                  "00");
  write_small_get (&compact, transports[2]);
  assert_request (&compact, 2, 1,
                  "8221"
                  "00"
                  "0b"
                  "6765744d756c7469706c65"
                  "18"
                  "01"
                  "74"
                  "19"
                  "1c"
                  "18"
                  "01"
                  "6b"
                  "19"
                  "1c"
                  "18"
                  "01"
                  "66"
                  "18"
                  "00"
                  "00"
                  "00"
                  "00");
}

/* A put's first timestamp is the row's; only cells with another one have their own. */
#define PUT_IN_COMPACT                                                                             \
  "180172193c1801661801611801310018016618016218013200180166180163180133160c"                       \
  "00160a00"

static void
test_put_bytes (void)
{
  const KvsqlCellMutation puts[] = {
    { KVSQL_MUTATION_PUT, S ("f"), S ("a"), S ("1"), 5 },
    { KVSQL_MUTATION_PUT, S ("f"), S ("b"), S ("2"), 5 },
    { KVSQL_MUTATION_PUT, S ("f"), S ("c"), S ("3"), 6 },
  };
  const KvsqlRowMutation row = { S ("t"), S ("r"), puts, 3 };
  const KvsqlRowMutation *const rows[] = { &row };
  g_auto (KvsqldT2Writer) many = { 0 }, one = { 0 };

  kvsqld_t2_writer_init (&many, transports[2]);
  kvsqld_t2_write_put_multiple (&many, S ("t"), rows, 1);
  g_assert_cmpuint (many.sequence, <, 128);
  assert_request (&many, 2, 1,
                  "8221000b" /* putMultiple */ "7075744d756c7469706c65"
                  "180174"
                  "191c" PUT_IN_COMPACT "00");
  kvsqld_t2_writer_init (&one, transports[2]);
  kvsqld_t2_write_put (&one, S ("t"), &row);
  assert_request (&one, 2, 1,
                  "822100"
                  "03" /* put */ "707574"
                  "180174"
                  "1c" PUT_IN_COMPACT "00");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hbase/codec/rows", test_rows);
  g_test_add_func ("/hbase/codec/truncations", test_truncations);
  g_test_add_func ("/hbase/codec/damage", test_damage);
  g_test_add_func ("/hbase/codec/false-lengths", test_lying_lengths);
  g_test_add_func ("/hbase/codec/wrong-messages", test_wrong_messages);
  g_test_add_func ("/hbase/codec/deep-structs", test_deep_structs);
  g_test_add_func ("/hbase/codec/unknown-fields", test_unknown_fields);
  g_test_add_func ("/hbase/codec/exceptions", test_exceptions);
  g_test_add_func ("/hbase/codec/application-exception", test_application_exception);
  g_test_add_func ("/hbase/codec/table-names", test_table_names);
  g_test_add_func ("/hbase/codec/regions", test_regions);
  g_test_add_func ("/hbase/codec/request-bytes", test_request_bytes);
  g_test_add_func ("/hbase/codec/request-bytes-of-single-get", test_single_get_bytes);
  g_test_add_func ("/hbase/codec/put-bytes", test_put_bytes);
  return g_test_run ();
}
