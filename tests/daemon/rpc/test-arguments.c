/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-arguments.c: rows to insert, from well-formed bytes and from damaged ones.
 *
 * Runs over memory, where a sanitizer finds every read past the end, and over a stream without
 * frames, where the buffer moves while it is read.
 */
#include "config.h"

#include "daemon/rpc/arguments.h"
#include "tests/harness/assert.h"
#include "tests/wire/wire-fixture.h"

#define N_COLUMNS 6
#define MEMORY_FACTOR 128 /* a column may take a single byte */

static const KvsqldRpcArgument kinds[KVSQLD_RPC_MAX_ARGUMENTS]
    = { KVSQLD_RPC_RELATION, KVSQLD_RPC_NAMES, KVSQLD_RPC_N_ROWS, KVSQLD_RPC_ROWS,
        KVSQLD_RPC_OPTIONS };

/* ---- writing */

static void
begin_field (ThriftProtocol *writer, ThriftType type, gint16 id)
{
  g_assert_cmpint (thrift_protocol_write_field_begin (writer, "", type, id, NULL), >=, 0);
}

static void
end_struct (ThriftProtocol *writer)
{
  thrift_protocol_write_field_stop (writer, NULL);
  thrift_protocol_write_struct_end (writer, NULL);
}

static void
write_text (ThriftProtocol *writer, gint16 id, const gchar *text)
{
  begin_field (writer, T_STRING, id);
  thrift_protocol_write_string (writer, text, NULL);
}

static ThriftProtocol *
begin_message (const KvsqlWireFormat *format)
{
  ThriftProtocol *writer = wire_open (format);

  wire_begin_call (writer, "insertRows");
  thrift_protocol_write_struct_begin (writer, "", NULL);
  return writer;
}

static GBytes *
end_message (ThriftProtocol *writer)
{
  guint8 *bytes;
  gsize size;

  end_struct (writer);
  bytes = wire_flush (writer, &size);
  g_object_unref (writer);
  return g_bytes_new_take (bytes, size);
}

static void
write_names (ThriftProtocol *writer, guint n)
{
  static const KvsqlSlice names[]
      = { { (const guint8 *)"a", 1 }, { (const guint8 *)"b", 1 }, { (const guint8 *)"c", 1 },
          { (const guint8 *)"d", 1 }, { (const guint8 *)"e", 1 }, { (const guint8 *)"f", 1 } };

  begin_field (writer, T_LIST, 2);
  ignore_result (kvsql_protocol_write_slice_list (KVSQL_PROTOCOL (writer), names, n, NULL));
}

static void
begin_columns (ThriftProtocol *writer, guint n)
{
  begin_field (writer, T_LIST, 4);
  thrift_protocol_write_list_begin (writer, T_STRUCT, (gint32)n, NULL);
}

/* ---- rows of most tests */

static gboolean
is_null (guint column, guint row)
{
  return column == 5 || (column + row) % 5 == 0;
}

static gchar *
text_of (guint row)
{
  return g_strdup_printf ("\303\244 row %u", row);
}

static gint64
integer_of (guint row)
{
  return (gint64)row * row * (row % 2 == 0 ? 1 : -1);
}

static void
write_bitmap (ThriftProtocol *writer, guint column, guint n_rows)
{
  g_autofree guint8 *bitmap = g_malloc0 ((n_rows + 7) / 8);

  for (guint row = 0; row < n_rows; row++)
    if (is_null (column, row))
      bitmap[row / 8] |= 1 << (row % 8);
  begin_field (writer, T_STRING, 1);
  ignore_result (kvsql_protocol_write_bytes (KVSQL_PROTOCOL (writer),
                                             kvsql_slice (bitmap, (n_rows + 7) / 8), NULL));
}

static void
write_slices (ThriftProtocol *writer, guint n_rows)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autofree KvsqlSlice *slices = g_new (KvsqlSlice, n_rows);

  for (guint row = 0; row < n_rows; row++)
    {
      g_ptr_array_add (texts, text_of (row));
      slices[row] = kvsql_slice_from_text (texts->pdata[row]);
    }
  ignore_result (kvsql_protocol_write_slice_list (KVSQL_PROTOCOL (writer), slices, n_rows, NULL));
}

/* The last column has no list. */
static void
write_column (ThriftProtocol *writer, guint column, guint n_rows)
{
  KvsqlProtocol *protocol = KVSQL_PROTOCOL (writer);
  g_autofree guint8 *booleans = g_new (guint8, n_rows);
  g_autofree gint64 *integers = g_new (gint64, n_rows);
  g_autofree gdouble *reals = g_new (gdouble, n_rows);

  for (guint row = 0; row < n_rows; row++)
    {
      booleans[row] = row % 2;
      integers[row] = integer_of (row);
      reals[row] = row / 4.0;
    }
  thrift_protocol_write_struct_begin (writer, "", NULL);
  write_bitmap (writer, column, n_rows);
  if (column < 5)
    begin_field (writer, T_LIST, (gint16)(column + 2));
  if (column == 0)
    ignore_result (kvsql_protocol_write_bool_list (protocol, booleans, n_rows, NULL));
  else if (column == 1)
    ignore_result (kvsql_protocol_write_int64_list (protocol, integers, n_rows, NULL));
  else if (column == 2)
    ignore_result (kvsql_protocol_write_double_list (protocol, reals, n_rows, NULL));
  else if (column < 5)
    write_slices (writer, n_rows);
  end_struct (writer);
}

/* Unknown fields are between the others, and the number of rows comes last. */
static GBytes *
make_message (const KvsqlWireFormat *format, guint n_rows)
{
  ThriftProtocol *writer = begin_message (format);

  write_text (writer, 1, "rel");
  write_text (writer, 9, "what?");
  write_names (writer, N_COLUMNS);
  begin_columns (writer, N_COLUMNS);
  for (guint i = 0; i < N_COLUMNS; i++)
    write_column (writer, i, n_rows);
  begin_field (writer, T_STRUCT, 5);
  thrift_protocol_write_struct_begin (writer, "", NULL);
  write_text (writer, 5, "me");
  end_struct (writer);
  begin_field (writer, T_I32, 3);
  thrift_protocol_write_i32 (writer, (gint32)n_rows, NULL);
  return end_message (writer);
}

/* ---- reading */

typedef struct
{
  KvsqlArena *arena;
  KvsqldRpcArguments arguments;
  GError *refusal; /* the rule that is broken */
  GError *error;   /* the message is malformed */
} Result;

static void
result_clear (Result *self)
{
  kvsql_arena_free (self->arena);
  g_clear_error (&self->refusal);
  g_clear_error (&self->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Result, result_clear)

static gboolean
read_message (KvsqlProtocol *protocol, Result *out)
{
  g_autofree gchar *name = NULL;
  ThriftMessageType type;
  gint32 sequence_id;

  *out = (Result){ .arena = kvsql_arena_new () };
  kvsql_protocol_set_deferred (protocol, TRUE);
  return thrift_protocol_read_message_begin (THRIFT_PROTOCOL (protocol), &name, &type, &sequence_id,
                                             &out->error)
             >= 0
         && kvsqld_rpc_arguments_read (protocol, kinds, out->arena, &out->arguments, &out->refusal,
                                       &out->error);
}

static gboolean
read_memory (const KvsqlWireFormat *format, gconstpointer bytes, gsize size, Result *out)
{
  g_autofree guint8 *exact = g_memdup2 (bytes, size);
  g_autoptr (GObject) protocol = (GObject *)wire_open_bytes (format, exact, size);

  return read_message (KVSQL_PROTOCOL (protocol), out);
}

static gboolean
read_stream (const KvsqlWireFormat *format, GBytes *bytes, Result *out)
{
  g_autoptr (GInputStream) input = g_memory_input_stream_new_from_bytes (bytes);
  g_autoptr (GOutputStream) output = g_memory_output_stream_new_resizable ();
  g_autoptr (GIOStream) stream = g_simple_io_stream_new (input, output);
  g_autoptr (KvsqlTransport) transport
      = kvsql_transport_new (stream, format->framed, KVSQL_TRANSPORT_MAX_MESSAGE);
  g_autoptr (KvsqlProtocol) protocol = kvsql_protocol_new (transport, format->compact);

  return read_message (protocol, out);
}

static void
expect_broken (const KvsqlWireFormat *format, GBytes *bytes, const gchar *message)
{
  g_auto (Result) result;

  g_assert_false (
      read_memory (format, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &result));
  g_assert_cmpstr (result.error->message, ==, message);
  g_bytes_unref (bytes);
}

static void
expect_refused (const KvsqlWireFormat *format, GBytes *bytes, const gchar *message)
{
  g_auto (Result) result;

  g_assert_true (
      read_memory (format, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &result));
  g_assert_cmpstr (result.refusal->message, ==, message);
  g_bytes_unref (bytes);
}

/* ---- well-formed messages */

static void
expect_value (const KvsqlVector *vector, guint column, guint row)
{
  g_autofree gchar *text = text_of (row);

  g_assert_cmpint (kvsql_vector_is_null (vector, row), ==, is_null (column, row));
  if (column == 0)
    g_assert_cmpint (vector->booleans[row], ==, row % 2);
  else if (column == 1)
    g_assert_cmpint (vector->integers[row], ==, integer_of (row));
  else if (column == 2)
    g_assert_cmpfloat (vector->reals[row], ==, row / 4.0);
  else if (column < 5)
    g_assert_true (kvsql_slice_equal (vector->slices[row], kvsql_slice_from_text (text)));
}

static void
expect_rows (const Result *result, guint n_rows)
{
  static const KvsqlType types[N_COLUMNS]
      = { KVSQL_TYPE_BOOLEAN, KVSQL_TYPE_BIGINT, KVSQL_TYPE_DOUBLE,
          KVSQL_TYPE_STRING,  KVSQL_TYPE_BYTES,  KVSQL_TYPE_NULL };
  const KvsqldRpcArguments *arguments = &result->arguments;

  g_assert_no_error (result->error);
  g_assert_no_error (result->refusal);
  g_assert_cmpstr (arguments->relation, ==, "rel");
  g_assert_cmpstr (arguments->request.request_id, ==, "me");
  g_assert_cmpuint (g_strv_length ((gchar **)arguments->attributes), ==, N_COLUMNS);
  g_assert_cmpstr (arguments->attributes[5], ==, "f");
  g_assert_cmpuint (arguments->rows.n_rows, ==, n_rows);
  g_assert_cmpuint (arguments->rows.n_columns, ==, N_COLUMNS);
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      g_assert_cmpint (arguments->rows.columns[i].type, ==, types[i]);
      for (guint row = 0; row < n_rows; row++)
        expect_value (&arguments->rows.columns[i], i, row);
    }
}

static void
test_rows (gconstpointer data)
{
  static const guint sizes[] = { 0, 1, 8, 9, 5000 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GBytes) bytes = make_message (data, sizes[i]);
      g_auto (Result) here = { 0 };
      g_auto (Result) there = { 0 };

      read_memory (data, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &here);
      expect_rows (&here, sizes[i]);
      read_stream (data, bytes, &there);
      expect_rows (&there, sizes[i]);
    }
}

/* ---- texts */

static GBytes *
make_texts (const KvsqlWireFormat *format, KvsqlSlice first, KvsqlSlice second)
{
  ThriftProtocol *writer = begin_message (format);
  KvsqlSlice slices[] = { first, second };

  write_text (writer, 1, "rel");
  write_names (writer, 1);
  begin_field (writer, T_I32, 3);
  thrift_protocol_write_i32 (writer, 2, NULL);
  begin_columns (writer, 1);
  thrift_protocol_write_struct_begin (writer, "", NULL);
  begin_field (writer, T_LIST, 5);
  ignore_result (kvsql_protocol_write_slice_list (KVSQL_PROTOCOL (writer), slices, 2, NULL));
  end_struct (writer);
  return end_message (writer);
}

static void
test_texts (gconstpointer data)
{
  static const gchar refusal[] = "column 1 holds a string that is not UTF-8";
  g_autofree gchar *ascii = g_strnfill (300, 'x');
  g_autofree gchar *bad = g_strconcat (ascii, "\200", NULL);
  g_autofree gchar *good = g_strconcat (ascii, "\303\244", NULL);
  g_autoptr (GBytes) bytes
      = make_texts (data, kvsql_slice_from_text (ascii), kvsql_slice_from_text (good));
  g_auto (Result) result;

  g_assert_true (
      read_memory (data, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &result));
  g_assert_no_error (result.refusal);
  g_assert_cmpmem (result.arguments.rows.columns[0].slices[1].data,
                   result.arguments.rows.columns[0].slices[1].size, good, strlen (good));

  expect_refused (
      data, make_texts (data, kvsql_slice_from_text (ascii), kvsql_slice_from_text (bad)), refusal);
  /* one character, split between two values */
  expect_refused (
      data, make_texts (data, KVSQL_SLICE_LITERAL ("\303"), KVSQL_SLICE_LITERAL ("\244")), refusal);
  expect_refused (data, make_texts (data, KVSQL_SLICE_LITERAL ("x"), KVSQL_SLICE_LITERAL ("a\0b")),
                  "column 1 holds a string with U+0000, which is in no text");
}

/* ---- false lengths */

/* Reads everything, so that a sanitizer finds wild pointers. */
static void
look_at (const Result *result)
{
  const KvsqlBatch *rows = &result->arguments.rows;
  GString *text = g_string_new (result->arguments.relation);

  for (guint i = 0; i < rows->n_columns; i++)
    {
      g_string_append (text, result->arguments.attributes[i]);
      for (guint row = 0; row < rows->n_rows; row++)
        {
          KvsqlValue value = kvsql_vector_is_null (&rows->columns[i], row)
                                 ? KVSQL_VALUE_NULL
                                 : kvsql_vector_get (&rows->columns[i], row);

          kvsql_value_append_literal (&value, text);
        }
    }
  g_assert_cmpuint (text->len, >, 0);
  g_string_free (text, TRUE);
}

static void
expect_no_harm (const KvsqlWireFormat *format, const guint8 *bytes, gsize size)
{
  g_auto (Result) result;

  if (read_memory (format, bytes, size, &result))
    {
      g_assert_no_error (result.error);
      if (result.refusal == NULL)
        look_at (&result);
    }
  else
    g_assert_error (result.error, KVSQL_ERROR, KVSQL_ERROR_PROTOCOL);
  g_assert_cmpuint (kvsql_arena_get_size (result.arena), <=, MEMORY_FACTOR * size);
}

/* Replaces every byte by any other. */
static void
test_changed (gconstpointer data)
{
  static const guint8 values[] = { 0, 1, 8, 12, 15, 0x19, 0x7f, 0x80, 0xff };
  const KvsqlWireFormat *format = data;
  g_autoptr (GBytes) bytes = make_message (format, 5);
  gsize size;
  const guint8 *good = g_bytes_get_data (bytes, &size);
  g_autofree guint8 *changed = g_memdup2 (good, size);

  for (gsize i = format->framed ? 4 : 0; i < size; i++)
    {
      for (guint j = 0; j < G_N_ELEMENTS (values); j++)
        {
          changed[i] = values[j];
          expect_no_harm (format, changed, size);
        }
      changed[i] = good[i];
    }
}

static void
test_cut (gconstpointer data)
{
  const KvsqlWireFormat *format = data;
  g_autoptr (GBytes) bytes = make_message (format, 5);
  gsize size;
  const guint8 *good = g_bytes_get_data (bytes, &size);
  g_autofree guint8 *cut = g_memdup2 (good, size);

  for (gsize n = 4; n < size; n++)
    {
      g_auto (Result) result;

      if (format->framed)
        kvsql_put_be32 (cut, (guint32)(n - 4));
      g_assert_false (read_memory (format, cut, n, &result));
      g_assert_error (result.error, KVSQL_ERROR, KVSQL_ERROR_PROTOCOL);
      g_assert_cmpuint (kvsql_arena_get_size (result.arena), <=, MEMORY_FACTOR * n);
    }
}

/* A peer that announces elements and sends none causes no allocation for them. */
static void
test_announced (gconstpointer data)
{
  static const ThriftType elements[] = { T_BOOL, T_I64, T_DOUBLE, T_STRING, T_STRING };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    {
      ThriftProtocol *writer = begin_message (data);
      g_autoptr (GBytes) bytes = NULL;
      g_auto (Result) result;

      begin_columns (writer, 1);
      thrift_protocol_write_struct_begin (writer, "", NULL);
      begin_field (writer, T_LIST, (gint16)(i + 2));
      thrift_protocol_write_list_begin (writer, elements[i], 1000000, NULL);
      bytes = end_message (writer);
      g_assert_false (read_stream (data, bytes, &result));
      g_assert_nonnull (result.error);
      g_assert_cmpuint (kvsql_arena_get_size (result.arena), <, 10000);
    }
}

/* @element: type of the list that is field @id of the one column. */
static ThriftProtocol *
begin_strange (const KvsqlWireFormat *format, gint16 id, ThriftType element)
{
  ThriftProtocol *writer = begin_message (format);

  write_text (writer, 1, "rel");
  write_names (writer, 1);
  begin_field (writer, T_I32, 3);
  thrift_protocol_write_i32 (writer, 1, NULL);
  begin_columns (writer, 1);
  thrift_protocol_write_struct_begin (writer, "", NULL);
  begin_field (writer, T_LIST, id);
  thrift_protocol_write_list_begin (writer, element, 1, NULL);
  return writer;
}

static void
test_strange (gconstpointer data)
{
  ThriftProtocol *writer = begin_strange (data, 3, T_I32);

  thrift_protocol_write_i32 (writer, 1, NULL);
  end_struct (writer);
  expect_broken (data, end_message (writer),
                 "list holds elements of type 8 where type 10 is declared");

  writer = begin_strange (data, 7, T_I64);
  thrift_protocol_write_i64 (writer, 1, NULL);
  write_text (writer, 2, "no list");
  end_struct (writer);
  expect_refused (data, end_message (writer), "column 1 has no values");

  writer = begin_strange (data, 8, T_LIST);
  for (guint i = 0; i < KVSQL_PROTOCOL_MAX_DEPTH; i++)
    thrift_protocol_write_list_begin (writer, T_LIST, 1, NULL);
  end_struct (writer);
  expect_broken (data, end_message (writer), "message is nested deeper than 64 levels");

  expect_refused (data, end_message (begin_message (data)), "argument \"relation\" is missing");

  writer = begin_message (data);
  begin_field (writer, T_LIST, 4);
  thrift_protocol_write_list_begin (writer, T_STRING, 1, NULL);
  thrift_protocol_write_string (writer, "", NULL);
  expect_broken (data, end_message (writer),
                 "list holds elements of type 11 where type 12 is declared");
}

static void
add_for_formats (const gchar *path, GTestDataFunc function)
{
  for (guint i = 0; i < G_N_ELEMENTS (wire_formats); i++)
    {
      g_autofree gchar *name = g_strdup_printf ("/daemon/arguments/%s/%s",
                                                kvsql_wire_format_get_name (wire_formats[i]), path);

      g_strdelimit (name, " ", '-');
      g_test_add_data_func (name, &wire_formats[i], function);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kvsql_thrift_setup ();
  add_for_formats ("rows", test_rows);
  add_for_formats ("texts", test_texts);
  add_for_formats ("changed", test_changed);
  add_for_formats ("cut", test_cut);
  add_for_formats ("announced", test_announced);
  add_for_formats ("strange", test_strange);
  return g_test_run ();
}
