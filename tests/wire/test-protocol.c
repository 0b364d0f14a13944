/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-protocol.c: both encodings, with and without frames: what is written can be read, and
 * nothing else.
 */
#include "config.h"

#include <math.h>

#include "tests/size.h"
#include "tests/wire/wire-fixture.h"

#include "kvsql_rpc_kvsql_types.h"
#include "kvsql_rpc_sql.h"

static const gint64 integers[]
    = { 0,   1,    -1,         63,         64,         -64,        -65,        127,       128,
        300, -300, G_MAXINT16, G_MININT16, G_MAXINT32, G_MININT32, G_MAXINT64, G_MININT64 };
static const gdouble reals[] = { 0.0, -0.0, 1.5, -1e300, 5e-324, G_MAXDOUBLE, INFINITY, -INFINITY };
static const guint8 booleans[] = { 1, 0, 0, 1, 1 };

/* ---- values */

static void
write_values (ThriftProtocol *protocol)
{
  thrift_protocol_write_struct_begin (protocol, "values", NULL);
  thrift_protocol_write_field_begin (protocol, "bool", T_BOOL, 1, NULL);
  thrift_protocol_write_bool (protocol, TRUE, NULL);
  thrift_protocol_write_field_begin (protocol, "byte", T_BYTE, 2, NULL);
  thrift_protocol_write_byte (protocol, -128, NULL);
  thrift_protocol_write_field_begin (protocol, "i16", T_I16, 30, NULL); /* a delta above 15 */
  thrift_protocol_write_i16 (protocol, G_MININT16, NULL);
  thrift_protocol_write_field_begin (protocol, "i32", T_I32, 4, NULL); /* a delta below 0 */
  thrift_protocol_write_i32 (protocol, G_MININT32, NULL);
  thrift_protocol_write_field_begin (protocol, "i64", T_I64, 5, NULL);
  thrift_protocol_write_i64 (protocol, G_MININT64, NULL);
  thrift_protocol_write_field_begin (protocol, "double", T_DOUBLE, 6, NULL);
  thrift_protocol_write_double (protocol, -0.1, NULL);
  thrift_protocol_write_field_begin (protocol, "string", T_STRING, 7, NULL);
  thrift_protocol_write_string (protocol, "grün", NULL);
  thrift_protocol_write_field_begin (protocol, "binary", T_STRING, 8, NULL);
  thrift_protocol_write_binary (protocol, (gpointer) "a\0b", 3, NULL);
  thrift_protocol_write_field_begin (protocol, "bool", T_BOOL, 9, NULL);
  thrift_protocol_write_bool (protocol, FALSE, NULL);
  thrift_protocol_write_field_stop (protocol, NULL);
  thrift_protocol_write_struct_end (protocol, NULL);
}

static void
expect_field (ThriftProtocol *protocol, ThriftType expected_type, gint16 expected_id)
{
  gchar *name = NULL;
  ThriftType type;
  gint16 id;

  g_assert_cmpint (thrift_protocol_read_field_begin (protocol, &name, &type, &id, NULL), >=, 0);
  g_assert_cmpint (type, ==, expected_type);
  g_assert_cmpint (id, ==, expected_id);
}

static void
expect_small_values (ThriftProtocol *protocol)
{
  gboolean boolean;
  gint8 byte;
  gint16 i16;
  gint32 i32;

  expect_field (protocol, T_BOOL, 1);
  thrift_protocol_read_bool (protocol, &boolean, NULL);
  g_assert_true (boolean);
  expect_field (protocol, T_BYTE, 2);
  thrift_protocol_read_byte (protocol, &byte, NULL);
  g_assert_cmpint (byte, ==, -128);
  expect_field (protocol, T_I16, 30);
  thrift_protocol_read_i16 (protocol, &i16, NULL);
  g_assert_cmpint (i16, ==, G_MININT16);
  expect_field (protocol, T_I32, 4);
  thrift_protocol_read_i32 (protocol, &i32, NULL);
  g_assert_cmpint (i32, ==, G_MININT32);
}

static void
expect_large_values (ThriftProtocol *protocol)
{
  g_autofree gchar *text = NULL;
  g_autofree gpointer bytes = NULL;
  gboolean boolean = TRUE;
  gint64 i64;
  gdouble real;
  guint32 size;

  expect_field (protocol, T_I64, 5);
  thrift_protocol_read_i64 (protocol, &i64, NULL);
  g_assert_cmpint (i64, ==, G_MININT64);
  expect_field (protocol, T_DOUBLE, 6);
  thrift_protocol_read_double (protocol, &real, NULL);
  g_assert_cmpfloat (real, ==, -0.1);
  expect_field (protocol, T_STRING, 7);
  thrift_protocol_read_string (protocol, &text, NULL);
  g_assert_cmpstr (text, ==, "grün");
  expect_field (protocol, T_STRING, 8);
  thrift_protocol_read_binary (protocol, &bytes, &size, NULL);
  g_assert_cmpmem (bytes, size, "a\0b", 3);
  expect_field (protocol, T_BOOL, 9);
  thrift_protocol_read_bool (protocol, &boolean, NULL);
  g_assert_false (boolean);
  expect_field (protocol, T_STOP, 0);
}

static void
test_values (gconstpointer data)
{
  g_autoptr (GObject) writer = (GObject *)wire_open (data);
  g_autoptr (GObject) reader = NULL;
  g_autofree guint8 *bytes = NULL;
  gchar *name = NULL;
  gsize size;

  wire_begin_call (THRIFT_PROTOCOL (writer), "values");
  write_values (THRIFT_PROTOCOL (writer));
  bytes = wire_flush (THRIFT_PROTOCOL (writer), &size);
  reader = (GObject *)wire_open_bytes (data, bytes, size);
  wire_expect_call (THRIFT_PROTOCOL (reader), "values");
  g_assert_cmpint (thrift_protocol_read_struct_begin (THRIFT_PROTOCOL (reader), &name, NULL), >=,
                   0);
  expect_small_values (THRIFT_PROTOCOL (reader));
  expect_large_values (THRIFT_PROTOCOL (reader));
  g_assert_cmpint (thrift_protocol_read_struct_end (THRIFT_PROTOCOL (reader), NULL), >=, 0);
  g_assert_cmpint (thrift_protocol_read_message_end (THRIFT_PROTOCOL (reader), NULL), >=, 0);
}

/* ---- containers, through generated code */

static GPtrArray *
new_binaries (void)
{
  GPtrArray *self = g_ptr_array_new_with_free_func ((GDestroyNotify)g_byte_array_unref);

  g_ptr_array_add (self, g_byte_array_append (g_byte_array_new (), (const guint8 *)"\0x\377", 3));
  g_ptr_array_add (self, g_byte_array_new ());
  return self;
}

static KvsqlRpcColumn *
new_column (void)
{
  g_autoptr (GPtrArray) binaries = new_binaries ();
  KvsqlRpcColumn *self = g_object_new (KVSQL_RPC_TYPE_COLUMN, NULL);

  self->nulls = g_byte_array_append (g_byte_array_new (), (const guint8 *)"\005", 1);
  g_array_append_vals (self->i, integers, G_N_ELEMENTS (integers));
  g_array_append_vals (self->d, reals, G_N_ELEMENTS (reals));
  for (guint i = 0; i < G_N_ELEMENTS (booleans); i++)
    {
      gboolean boolean = booleans[i];
      g_array_append_val (self->b, boolean);
    }
  for (guint i = 0; i < 20; i++)
    g_ptr_array_add (self->s, g_strdup_printf ("text %u", i));
  self->__isset_nulls = self->__isset_i = self->__isset_d = self->__isset_b = self->__isset_s
      = TRUE;
  g_object_set (self, "x", binaries, NULL);
  return self;
}

static void
write_insert (ThriftProtocol *protocol)
{
  g_autoptr (GObject) arguments
      = g_object_new (KVSQL_RPC_TYPE_SQL_INSERT_ROWS_ARGS, "relation", "r", "nrows", 20, NULL);
  KvsqlRpcSqlInsertRowsArgs *insert = (KvsqlRpcSqlInsertRowsArgs *)arguments;
  GError *error = NULL;

  g_ptr_array_add (insert->columns, g_strdup ("c"));
  g_ptr_array_add (insert->data, new_column ());
  insert->__isset_columns = insert->__isset_data = TRUE;
  g_clear_object (&insert->options);
  insert->options = g_object_new (KVSQL_RPC_TYPE_QUERY_OPTIONS, "maxRows", 10, "readOnly", TRUE,
                                  "requestId", "id", NULL);
  insert->__isset_options = TRUE;
  wire_begin_call (protocol, "insertRows");
  g_assert_cmpint (thrift_struct_write (THRIFT_STRUCT (arguments), protocol, &error), >=, 0);
  g_assert_no_error (error);
}

static void
expect_column (KvsqlRpcColumn *column)
{
  GByteArray *binary = g_ptr_array_index (column->x, 0);

  g_assert_cmpmem (column->nulls->data, column->nulls->len, "\005", 1);
  g_assert_cmpmem (column->i->data, column->i->len * 8, integers, sizeof integers);
  g_assert_cmpmem (column->d->data, column->d->len * 8, reals, sizeof reals);
  g_assert_cmpuint (column->b->len, ==, G_N_ELEMENTS (booleans));
  for (guint i = 0; i < column->b->len; i++)
    g_assert_cmpint (g_array_index (column->b, gboolean, i), ==, booleans[i]);
  g_assert_cmpuint (column->s->len, ==, 20);
  g_assert_cmpstr (g_ptr_array_index (column->s, 19), ==, "text 19");
  g_assert_cmpuint (column->x->len, ==, 2);
  g_assert_cmpmem (binary->data, binary->len, "\0x\377", 3);
}

static void
test_generated (gconstpointer data)
{
  g_autoptr (GObject) writer = (GObject *)wire_open (data);
  g_autoptr (GObject) reader = NULL;
  g_autoptr (GObject) arguments = g_object_new (KVSQL_RPC_TYPE_SQL_INSERT_ROWS_ARGS, NULL);
  KvsqlRpcSqlInsertRowsArgs *insert = (KvsqlRpcSqlInsertRowsArgs *)arguments;
  g_autofree guint8 *bytes = NULL;
  GError *error = NULL;
  gsize size;

  write_insert (THRIFT_PROTOCOL (writer));
  bytes = wire_flush (THRIFT_PROTOCOL (writer), &size);
  reader = (GObject *)wire_open_bytes (data, bytes, size);
  wire_expect_call (THRIFT_PROTOCOL (reader), "insertRows");
  g_assert_cmpint (thrift_struct_read (THRIFT_STRUCT (arguments), THRIFT_PROTOCOL (reader), &error),
                   >=, 0);
  g_assert_no_error (error);
  g_assert_cmpint (thrift_protocol_read_message_end (THRIFT_PROTOCOL (reader), &error), >=, 0);
  g_assert_cmpstr (insert->relation, ==, "r");
  g_assert_cmpint (insert->nrows, ==, 20);
  g_assert_true (insert->options->readOnly);
  g_assert_cmpstr (insert->options->requestId, ==, "id");
  expect_column (g_ptr_array_index (insert->data, 0));
}

/* ---- columns in bulk */

static const KvsqlSlice slices[] = {
  { (const guint8 *)"one", 3 },
  { NULL, 0 },
  { (const guint8 *)"\0\377", 2 },
};

static void
write_columns (KvsqlProtocol *protocol)
{
  g_assert_true (
      kvsql_protocol_write_bool_list (protocol, booleans, G_N_ELEMENTS (booleans), NULL));
  g_assert_true (
      kvsql_protocol_write_int64_list (protocol, integers, G_N_ELEMENTS (integers), NULL));
  g_assert_true (kvsql_protocol_write_double_list (protocol, reals, G_N_ELEMENTS (reals), NULL));
  g_assert_true (kvsql_protocol_write_slice_list (protocol, slices, G_N_ELEMENTS (slices), NULL));
  g_assert_true (kvsql_protocol_write_bytes (protocol, kvsql_slice ("\0end", 4), NULL));
  g_assert_true (kvsql_protocol_write_int64_list (protocol, NULL, 0, NULL));
}

static guint32
expect_list (KvsqlProtocol *protocol, ThriftType element)
{
  GError *error = NULL;
  guint32 n = 99;

  g_assert_true (kvsql_protocol_read_list_size (protocol, element, &n, &error));
  g_assert_no_error (error);
  return n;
}

static void
expect_columns (KvsqlProtocol *protocol)
{
  guint8 read_booleans[G_N_ELEMENTS (booleans)];
  gint64 read_integers[G_N_ELEMENTS (integers)];
  gdouble read_reals[G_N_ELEMENTS (reals)];
  KvsqlSlice read_slices[G_N_ELEMENTS (slices)], end;

  g_assert_cmpuint (expect_list (protocol, T_BOOL), ==, G_N_ELEMENTS (booleans));
  g_assert_true (
      kvsql_protocol_read_bool_list (protocol, read_booleans, G_N_ELEMENTS (booleans), NULL));
  g_assert_cmpmem (read_booleans, sizeof read_booleans, booleans, sizeof booleans);
  g_assert_cmpuint (expect_list (protocol, T_I64), ==, G_N_ELEMENTS (integers));
  g_assert_true (
      kvsql_protocol_read_int64_list (protocol, read_integers, G_N_ELEMENTS (integers), NULL));
  g_assert_cmpmem (read_integers, sizeof read_integers, integers, sizeof integers);
  g_assert_cmpuint (expect_list (protocol, T_DOUBLE), ==, G_N_ELEMENTS (reals));
  g_assert_true (
      kvsql_protocol_read_double_list (protocol, read_reals, G_N_ELEMENTS (reals), NULL));
  g_assert_cmpmem (read_reals, sizeof read_reals, reals, sizeof reals);
  g_assert_cmpuint (expect_list (protocol, T_STRING), ==, G_N_ELEMENTS (slices));
  g_assert_true (
      kvsql_protocol_read_slice_list (protocol, read_slices, G_N_ELEMENTS (slices), NULL));
  for (guint i = 0; i < G_N_ELEMENTS (slices); i++)
    g_assert_true (kvsql_slice_equal (read_slices[i], slices[i]));
  g_assert_true (kvsql_protocol_read_bytes (protocol, &end, NULL));
  g_assert_cmpmem (end.data, end.size, "\0end", 4);
  g_assert_cmpuint (expect_list (protocol, T_I64), ==, 0);
  g_assert_true (kvsql_protocol_read_int64_list (protocol, NULL, 0, NULL));
}

static void
test_bulk (gconstpointer data)
{
  g_autoptr (GObject) writer = (GObject *)wire_open (data);
  g_autoptr (GObject) reader = NULL;
  g_autofree guint8 *bytes = NULL;
  gsize size;

  wire_begin_call (THRIFT_PROTOCOL (writer), "columns");
  write_columns (KVSQL_PROTOCOL (writer));
  bytes = wire_flush (THRIFT_PROTOCOL (writer), &size);
  reader = (GObject *)wire_open_bytes (data, bytes, size);
  wire_expect_call (THRIFT_PROTOCOL (reader), "columns");
  expect_columns (KVSQL_PROTOCOL (reader));
  g_assert_cmpint (thrift_protocol_read_message_end (THRIFT_PROTOCOL (reader), NULL), >=, 0);
}

static void
test_bulk_wrong_element (gconstpointer data)
{
  g_autoptr (GObject) writer = (GObject *)wire_open (data);
  g_autoptr (GObject) reader = NULL;
  g_autofree guint8 *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;
  guint32 n;

  wire_begin_call (THRIFT_PROTOCOL (writer), "columns");
  g_assert_true (kvsql_protocol_write_double_list (KVSQL_PROTOCOL (writer), reals,
                                                   G_N_ELEMENTS (reals), NULL));
  bytes = wire_flush (THRIFT_PROTOCOL (writer), &size);
  reader = (GObject *)wire_open_bytes (data, bytes, size);
  wire_expect_call (THRIFT_PROTOCOL (reader), "columns");
  g_assert_false (kvsql_protocol_read_list_size (KVSQL_PROTOCOL (reader), T_I64, &n, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_PROTOCOL);
  g_assert_cmpuint (n, ==, 0);
}

/* Bulk writers and generated code write the same bytes. */
static void
test_bulk_same_bytes (gconstpointer data)
{
  g_autoptr (GObject) bulk = (GObject *)wire_open (data);
  g_autoptr (GObject) single = (GObject *)wire_open (data);
  g_autofree guint8 *bulk_bytes = NULL, *single_bytes = NULL;
  gsize bulk_size, single_size;

  wire_begin_call (THRIFT_PROTOCOL (bulk), "columns");
  wire_begin_call (THRIFT_PROTOCOL (single), "columns");
  write_columns (KVSQL_PROTOCOL (bulk));
  thrift_protocol_write_list_begin (THRIFT_PROTOCOL (single), T_BOOL, G_N_ELEMENTS (booleans),
                                    NULL);
  for (guint i = 0; i < G_N_ELEMENTS (booleans); i++)
    thrift_protocol_write_bool (THRIFT_PROTOCOL (single), booleans[i], NULL);
  thrift_protocol_write_list_begin (THRIFT_PROTOCOL (single), T_I64, G_N_ELEMENTS (integers), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (integers); i++)
    thrift_protocol_write_i64 (THRIFT_PROTOCOL (single), integers[i], NULL);
  thrift_protocol_write_list_begin (THRIFT_PROTOCOL (single), T_DOUBLE, G_N_ELEMENTS (reals), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (reals); i++)
    thrift_protocol_write_double (THRIFT_PROTOCOL (single), reals[i], NULL);
  thrift_protocol_write_list_begin (THRIFT_PROTOCOL (single), T_STRING, G_N_ELEMENTS (slices),
                                    NULL);
  for (guint i = 0; i < G_N_ELEMENTS (slices); i++)
    thrift_protocol_write_binary (THRIFT_PROTOCOL (single), (gpointer)slices[i].data,
                                  slices[i].size, NULL);
  thrift_protocol_write_binary (THRIFT_PROTOCOL (single), (gpointer) "\0end", 4, NULL);
  thrift_protocol_write_list_begin (THRIFT_PROTOCOL (single), T_I64, 0, NULL);
  bulk_bytes = wire_flush (THRIFT_PROTOCOL (bulk), &bulk_size);
  single_bytes = wire_flush (THRIFT_PROTOCOL (single), &single_size);
  g_assert_cmpmem (bulk_bytes, bulk_size, single_bytes, single_size);
}

/* ---- truncated messages */

/* Reads a message without knowing its structure. */
static gboolean
read_any (const KvsqlWireFormat *format, gconstpointer bytes, gsize size, gboolean deferred,
          GError **error)
{
  g_autoptr (GObject) reader = (GObject *)wire_open_bytes (format, bytes, size);
  g_autofree gchar *name = NULL;
  ThriftMessageType type;
  gint32 sequence_id;

  kvsql_protocol_set_deferred (KVSQL_PROTOCOL (reader), deferred);
  return thrift_protocol_read_message_begin (THRIFT_PROTOCOL (reader), &name, &type, &sequence_id,
                                             error)
             >= 0
         && thrift_protocol_skip (THRIFT_PROTOCOL (reader), T_STRUCT, error) >= 0
         && thrift_protocol_read_message_end (THRIFT_PROTOCOL (reader), error) >= 0;
}

/* Reads a message as the daemon does; TRUE: all of it is valid. */
static gboolean
read_insert (const KvsqlWireFormat *format, const guint8 *bytes, gsize size, GError **error)
{
  g_autoptr (GObject) reader = (GObject *)wire_open_bytes (format, bytes, size);
  g_autoptr (GObject) arguments = g_object_new (KVSQL_RPC_TYPE_SQL_INSERT_ROWS_ARGS, NULL);
  g_autofree gchar *name = NULL;
  ThriftMessageType type;
  gint32 sequence_id;

  kvsql_protocol_set_deferred (KVSQL_PROTOCOL (reader), TRUE);
  return thrift_protocol_read_message_begin (THRIFT_PROTOCOL (reader), &name, &type, &sequence_id,
                                             error)
             >= 0
         && thrift_struct_read (THRIFT_STRUCT (arguments), THRIFT_PROTOCOL (reader), error) >= 0
         && thrift_protocol_read_message_end (THRIFT_PROTOCOL (reader), error) >= 0;
}

static void
test_truncated (gconstpointer data)
{
  g_autoptr (GObject) writer = (GObject *)wire_open (data);
  g_autofree guint8 *bytes = NULL;
  gsize size;

  write_insert (THRIFT_PROTOCOL (writer));
  bytes = wire_flush (THRIFT_PROTOCOL (writer), &size);
  for (gsize length = 0; length < size; length++)
    for (guint deferred = 0; deferred < 2; deferred++)
      {
        g_autofree guint8 *cut = g_memdup2 (bytes, length);
        g_autoptr (GError) error = NULL;

        g_assert_false (deferred ? read_insert (data, cut, length, &error)
                                 : read_any (data, cut, length, FALSE, &error));
        g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_PROTOCOL);
      }
  g_assert_true (read_insert (data, bytes, size, NULL));
}

/* ---- messages with false lengths */

#define BINARY_CALL "\x80\x01\0\x01\0\0\0\x01m\0\0\0\x07"
#define COMPACT_CALL "\x82\x21\x07\x01m"
#define BYTES(literal) literal, sizeof (literal) - 1

typedef struct
{
  const gchar *name;
  gboolean compact;
  const gchar *bytes;
  gsize size;
  const gchar *message; /* a part of the error's message, or NULL if the message is valid */
} Message;

static const Message messages[] = {
  { "fine", FALSE, BYTES (BINARY_CALL "\0"), NULL },
  { "no-version", FALSE, BYTES ("\0\0\0\x01m\x01\0\0\0\x07\0"), "strict binary header" },
  { "bad-version", FALSE, BYTES ("\x80\x7f\0\x01\0\0\0\x01m\0\0\0\x07\0"), "strict binary header" },
  { "junk-in-version", FALSE, BYTES ("\x80\x01\x01\x01\0\0\0\x01m\0\0\0\x07\0"),
    "strict binary header" },
  { "unknown-message-type", FALSE, BYTES ("\x80\x01\0\x09\0\0\0\x01m\0\0\0\x07\0"),
    "unknown type 9" },
  { "method-name-2g", FALSE, BYTES ("\x80\x01\0\x01\x7f\xff\xff\xffm\0\0\0\x07\0"), "method name" },
  { "method-name-negative", FALSE, BYTES ("\x80\x01\0\x01\xff\xff\xff\xffm\0\0\0\x07\0"),
    "negative" },
  { "method-name-empty", FALSE, BYTES ("\x80\x01\0\x01\0\0\0\0\0\0\0\x07\0"), "method name" },
  { "method-name-not-utf8", FALSE, BYTES ("\x80\x01\0\x01\0\0\0\x01\xff\0\0\0\x07\0"), "UTF-8" },
  { "unknown-field-type", FALSE, BYTES (BINARY_CALL "\x05\0\x01\0\0"), "unknown type 5" },
  { "field-twice", FALSE, BYTES (BINARY_CALL "\x02\0\x01\0\x02\0\x01\0\0"), "field 1 is repeated" },
  { "string-2g", FALSE,
    BYTES (BINARY_CALL "\x0b\0\x01\x7f\xff\xff\xff"
                       "abc\0"),
    "message ends" },
  { "string-negative", FALSE, BYTES (BINARY_CALL "\x0b\0\x01\xff\xff\xff\xff\0"), "negative" },
  { "string-one-too-long", FALSE,
    BYTES (BINARY_CALL "\x0b\0\x01\0\0\0\x05"
                       "abc\0"),
    "truncated" },
  { "boolean-7", FALSE, BYTES (BINARY_CALL "\x02\0\x01\x07\0"), "boolean is 7" },
  { "list-negative", FALSE, BYTES (BINARY_CALL "\x0f\0\x01\x08\xff\xff\xff\xff\0"),
    "impossible size" },
  { "list-2g", FALSE, BYTES (BINARY_CALL "\x0f\0\x01\x08\x7f\xff\xff\xff\0"), "does not fit" },
  { "list-overflows-int", FALSE, BYTES (BINARY_CALL "\x0f\0\x01\x08\x40\0\0\x01\0"),
    "does not fit" },
  { "list-of-stop", FALSE, BYTES (BINARY_CALL "\x0f\0\x01\0\x7f\xff\xff\xff\0"), "unknown type 0" },
  { "empty-list-of-stop", FALSE, BYTES (BINARY_CALL "\x0f\0\x01\0\0\0\0\0\0"), NULL },
  { "list-of-structs-2g", FALSE, BYTES (BINARY_CALL "\x0f\0\x01\x0c\x7f\xff\xff\xff\0"),
    "does not fit" },
  { "set-2g", FALSE, BYTES (BINARY_CALL "\x0e\0\x01\x08\x7f\xff\xff\xff\0"), "does not fit" },
  { "map-2g", FALSE, BYTES (BINARY_CALL "\x0d\0\x01\x0b\x0b\x7f\xff\xff\xff\0"), "does not fit" },
  { "map-negative", FALSE, BYTES (BINARY_CALL "\x0d\0\x01\x0b\x0b\x80\0\0\0\0"),
    "impossible size" },
  { "map-of-stop", FALSE, BYTES (BINARY_CALL "\x0d\0\x01\x0b\0\0\0\0\x01\0"), "unknown type" },
  { "map", FALSE, BYTES (BINARY_CALL "\x0d\0\x01\x03\x02\0\0\0\x01\x09\x01\0"), NULL },
  { "fine", TRUE, BYTES (COMPACT_CALL "\0"), NULL },
  { "bad-version", TRUE, BYTES ("\x82\x22\x07\x01m\0"), "compact header" },
  { "unknown-message-type", TRUE, BYTES ("\x82\xe1\x07\x01m\0"), "unknown type 7" },
  { "method-name-2g", TRUE, BYTES ("\x82\x21\x07\xff\xff\xff\xff\x07m\0"), "method name" },
  { "sequence-id-64-bits", TRUE, BYTES ("\x82\x21\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01m\0"),
    "sequence id" },
  { "unknown-field-type", TRUE, BYTES (COMPACT_CALL "\x1f\0\0"), "unknown type 15" },
  { "field-twice", TRUE, BYTES (COMPACT_CALL "\x11\x02\x02\0"), "field 1 is repeated" },
  { "field-id-overflows", TRUE, BYTES (COMPACT_CALL "\x01\xfe\xff\x03\x21\0"), "field id" },
  { "string-2g", TRUE,
    BYTES (COMPACT_CALL "\x18\xff\xff\xff\xff\x07"
                        "abc\0"),
    "message ends" },
  { "string-negative", TRUE,
    BYTES (COMPACT_CALL "\x18\xff\xff\xff\xff\x0f"
                        "abc\0"),
    "out of range" },
  { "varint-endless", TRUE,
    BYTES (COMPACT_CALL "\x16\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\0"), "64 bits" },
  { "varint-65-bits", TRUE, BYTES (COMPACT_CALL "\x16\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\0"),
    "64 bits" },
  { "i32-too-large", TRUE, BYTES (COMPACT_CALL "\x15\x80\x80\x80\x80\x10\0"), "out of the range" },
  { "i16-too-large", TRUE, BYTES (COMPACT_CALL "\x14\x80\x80\x04\0"), "out of the range" },
  { "list-2g", TRUE, BYTES (COMPACT_CALL "\x19\xf5\xff\xff\xff\xff\x07\0"), "does not fit" },
  { "list-negative", TRUE, BYTES (COMPACT_CALL "\x19\xf5\xff\xff\xff\xff\x0f\0"), "out of range" },
  { "list-of-stop", TRUE, BYTES (COMPACT_CALL "\x19\x10\0"), "unknown type" },
  { "list-of-booleans-7", TRUE, BYTES (COMPACT_CALL "\x19\x11\x07\0"), "boolean is 7" },
  { "map-2g", TRUE, BYTES (COMPACT_CALL "\x1b\xff\xff\xff\xff\x07\x88\0"), "does not fit" },
  { "map-of-stop", TRUE, BYTES (COMPACT_CALL "\x1b\x01\x80\0"), "unknown type" },
  { "empty-map", TRUE, BYTES (COMPACT_CALL "\x1b\0\0"), NULL },
};

/* With a frame a length that is too large is detected earlier, with another text, so only the
 * failure is compared. */
static void
check_message (const Message *message, gboolean framed, gboolean deferred)
{
  const KvsqlWireFormat format = { .framed = framed, .compact = message->compact };
  gsize size = message->size + (framed ? 4 : 0);
  g_autofree guint8 *bytes = g_malloc (size);
  g_autoptr (GError) error = NULL;

  memcpy (bytes + size - message->size, message->bytes, message->size);
  if (framed)
    kvsql_put_be32 (bytes, (guint32)message->size);
  g_assert_cmpint (read_any (&format, bytes, size, deferred, &error), ==, message->message == NULL);
  if (message->message == NULL)
    return;
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_PROTOCOL);
  g_test_message ("%s: %s", message->name, error->message);
  if (!framed)
    g_assert_nonnull (strstr (error->message, message->message));
}

static void
test_message (gconstpointer data)
{
  for (guint i = 0; i < 4; i++)
    check_message (data, i & 1, i >> 1);
}

static void
test_depth (gconstpointer data)
{
  const KvsqlWireFormat *format = data;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;

  if (format->compact)
    g_byte_array_append (bytes, (const guint8 *)BYTES (COMPACT_CALL));
  else
    g_byte_array_append (bytes, (const guint8 *)BYTES (BINARY_CALL));
  for (guint i = 0; i < 100000; i++)
    if (format->compact)
      g_byte_array_append (bytes, (const guint8 *)BYTES ("\x1c"));
    else
      g_byte_array_append (bytes, (const guint8 *)BYTES ("\x0c\0\x01"));
  if (format->framed)
    {
      guint8 header[4];

      kvsql_put_be32 (header, bytes->len);
      g_byte_array_prepend (bytes, header, 4);
    }
  g_assert_false (read_any (data, bytes->data, bytes->len, TRUE, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_PROTOCOL);
  g_assert_nonnull (strstr (error->message, "deeper"));
}

/* A million empty structs take a megabyte on the wire and half a gigabyte in memory. */
static void
test_element_budget (void)
{
  const KvsqlWireFormat format = { .framed = FALSE };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;

  g_byte_array_append (bytes, (const guint8 *)BYTES (BINARY_CALL "\x0f\0\x01\x0c\0\x10\0\0"));
  g_byte_array_set_size (bytes, bytes->len + 0x100000);
  memset (bytes->data + bytes->len - 0x100000, 0, 0x100000);
  g_assert_false (read_any (&format, bytes->data, bytes->len, TRUE, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_PROTOCOL);
  g_assert_nonnull (strstr (error->message, "too many elements"));
}

static void
test_frame (void)
{
  static const struct
  {
    const gchar *bytes;
    gsize size;
    KvsqlErrorCode code;
  } cases[] = {
    { BYTES ("\0\0\0\0"), KVSQL_ERROR_PROTOCOL },
    { BYTES ("\xff\xff\xff\xff\x80\x01"), KVSQL_ERROR_LIMIT },
    { BYTES ("\x01\0\0\x01\x80\x01"), KVSQL_ERROR_LIMIT },
    { BYTES ("\0\0\0\x20\x80\x01"), KVSQL_ERROR_PROTOCOL },
    { BYTES ("\0\0\0\x10" BINARY_CALL "\0xx"), KVSQL_ERROR_PROTOCOL }, /* bytes after the message */
  };
  const KvsqlWireFormat format = { .framed = TRUE };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (read_any (&format, cases[i].bytes, cases[i].size, TRUE, &error));
      g_assert_error (error, KVSQL_ERROR, (gint)cases[i].code);
    }
}

/* A NUL byte in a string that is read as text is an error; in an unknown field it is not. */
static void
test_nul (gconstpointer data)
{
  g_autoptr (GObject) writer = (GObject *)wire_open (data);
  g_autoptr (GObject) reader = NULL;
  g_autofree guint8 *bytes = NULL;
  g_autofree gchar *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;

  wire_begin_call (THRIFT_PROTOCOL (writer), "text");
  g_assert_true (
      kvsql_protocol_write_bytes (KVSQL_PROTOCOL (writer), kvsql_slice ("a\0c", 3), NULL));
  bytes = wire_flush (THRIFT_PROTOCOL (writer), &size);
  reader = (GObject *)wire_open_bytes (data, bytes, size);
  wire_expect_call (THRIFT_PROTOCOL (reader), "text");
  g_assert_cmpint (thrift_protocol_read_string (THRIFT_PROTOCOL (reader), &text, &error), <, 0);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_PROTOCOL);
  g_assert_null (text);
}

static void
test_failure_sticks (void)
{
  const KvsqlWireFormat format = { .framed = FALSE };
  g_autoptr (GObject) reader
      = (GObject *)wire_open_bytes (&format, BYTES ("\x80\x7f\0\x01" BINARY_CALL "\0"));
  g_autoptr (GError) error = NULL;
  g_autofree gchar *name = NULL;
  ThriftMessageType type;
  gint32 sequence_id;

  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpint (thrift_protocol_read_message_begin (THRIFT_PROTOCOL (reader), &name, &type,
                                                           &sequence_id, &error),
                       <, 0);
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_PROTOCOL);
      g_clear_error (&error);
    }
}

static void
test_write_limit (gconstpointer data)
{
  const KvsqlWireFormat *format = data;
  g_autoptr (KvsqlTransport) transport = kvsql_transport_new_memory (format->framed, 10000);
  g_autoptr (KvsqlProtocol) protocol = kvsql_protocol_new (transport, format->compact);
  g_autofree gchar *text = g_strnfill (9000, 'x');
  KvsqlSlice big = kvsql_slice (text, 9000);
  g_autoptr (GError) error = NULL;

  wire_begin_call (THRIFT_PROTOCOL (protocol), "big");
  g_assert_true (kvsql_protocol_write_bytes (protocol, big, &error));
  g_assert_false (kvsql_protocol_write_bytes (protocol, big, &error)
                  && thrift_transport_flush (THRIFT_TRANSPORT (transport), &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_cmpuint (kvsql_transport_get_memory (transport).size, ==, 0);

  /* After the error a smaller message can be written. */
  g_clear_error (&error);
  wire_begin_call (THRIFT_PROTOCOL (protocol), "small");
  g_assert_true (thrift_transport_flush (THRIFT_TRANSPORT (transport), &error));
  g_assert_no_error (error);
}

/* ---- noise, the same in every run */

static void
mutate (GRand *random, guint8 *bytes, gsize *size)
{
  for (gint n = g_rand_int_range (random, 1, 5); n > 0; n--)
    {
      gsize at = (gsize)g_rand_int_range (random, 0, (gint32)*size);

      switch (g_rand_int_range (random, 0, 5))
        {
        case 0:
          bytes[at] = (guint8)g_rand_int (random);
          break;
        case 1:
          bytes[at] ^= (guint8)(1 << g_rand_int_range (random, 0, 8));
          break;
        case 2:
          bytes[at] = g_rand_boolean (random) ? 0xff : 0x7f;
          break;
        case 3:
          *size = at + 1;
          break;
        default:
          if (at + 4 <= *size)
            kvsql_put_be32 (bytes + at, g_rand_int (random));
        }
    }
}

static void
test_noise (gconstpointer data)
{
  g_autoptr (GObject) writer = (GObject *)wire_open (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (20240229);
  g_autofree guint8 *bytes = NULL;
  const guint n_rounds = test_size (5000, 1000);
  guint n_refused = 0;
  gsize size;

  write_insert (THRIFT_PROTOCOL (writer));
  bytes = wire_flush (THRIFT_PROTOCOL (writer), &size);
  for (guint i = 0; i < n_rounds; i++)
    {
      g_autofree guint8 *noise = g_memdup2 (bytes, size);
      g_autofree guint8 *exact = NULL;
      g_autoptr (GError) error = NULL;
      gsize noise_size = size;

      mutate (random, noise, &noise_size);
      exact = g_memdup2 (noise, noise_size);
      if (!(i & 1 ? read_insert (data, exact, noise_size, &error)
                  : read_any (data, exact, noise_size, FALSE, &error)))
        {
          g_assert_nonnull (error);
          n_refused++;
        }
    }
  g_assert_cmpuint (n_refused, >, n_rounds / 2);
}

static void
add_for_formats (const gchar *path, GTestDataFunc function)
{
  for (guint i = 0; i < G_N_ELEMENTS (wire_formats); i++)
    {
      g_autofree gchar *name
          = g_strdup_printf ("/wire/%s/%s", kvsql_wire_format_get_name (wire_formats[i]), path);

      g_strdelimit (name, " ", '-');
      g_test_add_data_func (name, &wire_formats[i], function);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kvsql_thrift_setup ();
  add_for_formats ("roundtrip/values", test_values);
  add_for_formats ("roundtrip/generated", test_generated);
  add_for_formats ("roundtrip/columns", test_bulk);
  add_for_formats ("columns/same-bytes-as-generated-code", test_bulk_same_bytes);
  add_for_formats ("columns/wrong-element-type", test_bulk_wrong_element);
  add_for_formats ("truncated-at-every-byte", test_truncated);
  add_for_formats ("nested-too-deep", test_depth);
  add_for_formats ("nul-in-text", test_nul);
  add_for_formats ("write-limit", test_write_limit);
  add_for_formats ("noise", test_noise);
  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    {
      g_autofree gchar *name = g_strdup_printf (
          "/wire/hostile/%s/%s", messages[i].compact ? "compact" : "binary", messages[i].name);

      g_test_add_data_func (name, &messages[i], test_message);
    }
  g_test_add_func ("/wire/hostile/element-budget", test_element_budget);
  g_test_add_func ("/wire/hostile/frames", test_frame);
  g_test_add_func ("/wire/failure-sticks", test_failure_sticks);
  return g_test_run ();
}
