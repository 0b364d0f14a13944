/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-handler.c: requests from bytes to the service's arguments, and answers from the service
 * to bytes.
 */
#include "config.h"

#include "tests/daemon/rpc/handler-fixture.h"

/* ---- pages */

static void
expect_nulls (const KvsqlRpcColumn *column, gboolean has_nulls, guint n_rows)
{
  g_assert_cmpint (column->__isset_nulls, ==, has_nulls);
  if (!has_nulls)
    return;
  g_assert_cmpuint (column->nulls->len, ==, (n_rows + 7) / 8);
  for (guint row = 0; row < n_rows; row++)
    g_assert_cmpint (column->nulls->data[row / 8] >> (row % 8) & 1, ==,
                     handler_fixture_is_null (row));
}

static void
expect_value (const KvsqlRpcColumn *column, KvsqlType type, guint row, gboolean is_null)
{
  g_autofree gchar *text = is_null ? g_strdup ("") : g_strdup_printf ("r%u", row);

  switch (kvsql_type_get_class (type))
    {
    case KVSQL_CLASS_BOOLEAN:
      g_assert_cmpint (g_array_index (column->b, gboolean, row), ==, is_null ? 0 : row & 1);
      break;
    case KVSQL_CLASS_INTEGER:
      g_assert_cmpint (g_array_index (column->i, gint64, row), ==,
                       is_null ? 0 : -(gint64)row * 1000);
      break;
    case KVSQL_CLASS_REAL:
      g_assert_cmpfloat (g_array_index (column->d, gdouble, row), ==, is_null ? 0 : row / 4.0);
      break;
    default:
      if (type == KVSQL_TYPE_BYTES)
        g_assert_cmpmem (((GByteArray *)column->x->pdata[row])->data,
                         ((GByteArray *)column->x->pdata[row])->len, text, strlen (text));
      else
        g_assert_cmpstr (column->s->pdata[row], ==, text);
    }
}

static void
expect_page (const KvsqlRpcPage *page, guint n_rows)
{
  g_assert_cmpint (page->nrows, ==, n_rows);
  g_assert_cmpuint (page->columns->len, ==, handler_fixture_get_n_columns ());
  g_assert_cmpuint (page->info->len, ==, page->columns->len);
  for (guint i = 1; i < page->columns->len; i++)
    {
      const KvsqlRpcColumn *column = page->columns->pdata[i];
      const KvsqlRpcColumnInfo *info = page->info->pdata[i];
      gboolean has_nulls = i % 2 == 0;
      KvsqlType type = handler_fixture_get_type (i);

      g_assert_cmpint (info->type, ==,
                       kvsql_type_is_map (type)    ? KVSQL_RPC_SQL_TYPE_MAP
                       : kvsql_type_is_list (type) ? KVSQL_RPC_SQL_TYPE_LIST
                                                   : (gint)type);
      g_assert_cmpint (info->nullable, ==, has_nulls);
      g_assert_cmpint (column->__isset_b + column->__isset_i + column->__isset_d + column->__isset_s
                           + column->__isset_x,
                       ==, 1);
      expect_nulls (column, has_nulls && n_rows > 1, n_rows);
      for (guint row = 0; row < n_rows; row++)
        expect_value (column, type, row, has_nulls && handler_fixture_is_null (row));
    }
}

static void
test_page (HandlerFixture *self, gconstpointer data)
{
  g_autoptr (GObject) holder = (GObject *)handler_fixture_query (self, "rows");
  KvsqlRpcPage *page = ((KvsqlRpcSqlQueryResult *)holder)->success;
  const KvsqlRpcColumn *bare = page->columns->pdata[0];
  const KvsqlRpcColumnInfo *info = page->info->pdata[1];

  expect_page (page, HANDLER_FIXTURE_ROWS);
  g_assert_cmpmem (page->cursor->data, page->cursor->len, "\0next", 5);
  g_assert_false (page->__isset_affected || page->__isset_warnings || page->__isset_done);
  g_assert_cmpstr (info->name, ==, "c1");
  g_assert_cmpstr (info->relation, ==, "r");
  g_assert_cmpuint (bare->nulls->len, ==, (HANDLER_FIXTURE_ROWS + 7) / 8);
  g_assert_cmpuint (bare->nulls->data[0], ==, 0xff);
  g_assert_false (bare->__isset_b || bare->__isset_i || bare->__isset_d || bare->__isset_s
                  || bare->__isset_x);
}

static void
test_page_without_rows (HandlerFixture *self, gconstpointer data)
{
  g_autoptr (GObject) empty = (GObject *)handler_fixture_query (self, "empty");
  g_autoptr (GObject) none = (GObject *)handler_fixture_query (self, "none");
  KvsqlRpcPage *page = ((KvsqlRpcSqlQueryResult *)none)->success;

  expect_page (((KvsqlRpcSqlQueryResult *)empty)->success, 0);
  g_assert_cmpint (page->nrows, ==, 0);
  g_assert_cmpuint (page->columns->len, ==, 0);
  g_assert_cmpint (page->affected, ==, 7);
  g_assert_cmpfloat (page->done, ==, 0.25);
  g_assert_cmpstr (page->warnings->pdata[0], ==, "careful");
  g_assert_false (page->__isset_cursor || page->__isset_info);
}

static void
test_fetch (HandlerFixture *self, gconstpointer data)
{
  g_autoptr (GByteArray) cursor
      = g_byte_array_append (g_byte_array_new (), (const guint8 *)"\0next", 5);
  g_autoptr (GObject) good = handler_fixture_call (
      self, "fetch", g_object_new (KVSQL_RPC_TYPE_SQL_FETCH_ARGS, "cursor", cursor, NULL),
      KVSQL_RPC_TYPE_SQL_FETCH_RESULT);
  g_autoptr (GObject) bad
      = handler_fixture_call (self, "fetch", g_object_new (KVSQL_RPC_TYPE_SQL_FETCH_ARGS, NULL),
                              KVSQL_RPC_TYPE_SQL_FETCH_RESULT);
  g_autoptr (GObject) closed = handler_fixture_call (
      self, "closeCursor",
      g_object_new (KVSQL_RPC_TYPE_SQL_CLOSE_CURSOR_ARGS, "cursor", cursor, NULL),
      KVSQL_RPC_TYPE_SQL_CLOSE_CURSOR_RESULT);

  expect_page (((KvsqlRpcSqlFetchResult *)good)->success, 1);
  g_assert_cmpint (((KvsqlRpcSqlFetchResult *)bad)->err->code, ==, KVSQL_ERROR_BAD_CURSOR);
  g_assert_false (((KvsqlRpcSqlCloseCursorResult *)closed)->__isset_err);
}

static void
test_partition (HandlerFixture *self, gconstpointer data)
{
  g_autoptr (GObject) options = g_object_new (KVSQL_RPC_TYPE_QUERY_OPTIONS, "progress", TRUE, NULL);
  g_autoptr (GObject) good
      = handler_fixture_call (self, "partition",
                              g_object_new (KVSQL_RPC_TYPE_SQL_PARTITION_ARGS, "sql", "some",
                                            "parts", 3, "options", options, NULL),
                              KVSQL_RPC_TYPE_SQL_PARTITION_RESULT);
  g_autoptr (GObject) bad = handler_fixture_call (
      self, "partition",
      g_object_new (KVSQL_RPC_TYPE_SQL_PARTITION_ARGS, "sql", "some", "parts", 0, NULL),
      KVSQL_RPC_TYPE_SQL_PARTITION_RESULT);
  const GPtrArray *cursors = ((KvsqlRpcSqlPartitionResult *)good)->success;
  const GByteArray *last = cursors->pdata[2];

  g_assert_cmpstr (handler_fixture_get_said (), ==, "some progress");
  g_assert_cmpuint (cursors->len, ==, 3);
  g_assert_cmpmem (last->data, last->len, "\0pa", 3);
  g_assert_cmpint (((KvsqlRpcSqlPartitionResult *)bad)->err->code, ==, KVSQL_ERROR_PROTOCOL);
}

/* ---- failures */

static void
test_failure (HandlerFixture *self, gconstpointer data)
{
  g_autoptr (GObject) holder = (GObject *)handler_fixture_query (self, "bad");
  const KvsqlRpcSqlError *failure = ((KvsqlRpcSqlQueryResult *)holder)->err;

  g_assert_cmpint (failure->code, ==, KVSQL_ERROR_SYNTAX);
  g_assert_cmpstr (failure->message, ==, "no \357\277\275 good");
  g_assert_cmpstr (failure->sqlstate, ==, "42601");
  g_assert_cmpint (failure->position, ==, 3);
  g_assert_cmpint (failure->length, ==, 4);
  g_assert_cmpstr (failure->detail, ==, "The detail.");
  g_assert_cmpstr (failure->hint, ==, "The hint.");
  g_assert_false (failure->retryable);
}

static void
test_foreign_failure (HandlerFixture *self, gconstpointer data)
{
  g_autoptr (GObject) holder = (GObject *)handler_fixture_query (self, "foreign");
  const KvsqlRpcSqlError *failure = ((KvsqlRpcSqlQueryResult *)holder)->err;

  g_assert_cmpint (failure->code, ==, KVSQL_ERROR_INTERNAL);
  g_assert_false (failure->__isset_position || failure->__isset_hint);
}

static void
expect_refused (KvsqlRpcSqlError *failure, const gchar *message)
{
  g_assert_nonnull (failure);
  g_assert_cmpint (failure->code, ==, KVSQL_ERROR_PROTOCOL);
  g_assert_cmpstr (failure->message, ==, message);
  g_assert_null (handler_fixture_get_said ());
}

/* ---- arguments */

static void
test_parameters (HandlerFixture *self, gconstpointer data)
{
  g_autoptr (GByteArray) bytes
      = g_byte_array_append (g_byte_array_new (), (const guint8 *)"\0\xff", 2);
  g_autoptr (GObject) options
      = g_object_new (KVSQL_RPC_TYPE_QUERY_OPTIONS, "maxRows", 10, "maxBytes", 20, "timeoutMs", 30,
                      "readOnly", TRUE, "requestId", "me", "verifiedReads", TRUE, NULL);
  KvsqlRpcSqlQueryArgs *arguments
      = g_object_new (KVSQL_RPC_TYPE_SQL_QUERY_ARGS, "sql", "empty", "options", options, NULL);
  g_autoptr (GObject) result = NULL;

  g_ptr_array_add (arguments->params, g_object_new (KVSQL_RPC_TYPE_VALUE, NULL));
  g_ptr_array_add (arguments->params, g_object_new (KVSQL_RPC_TYPE_VALUE, "b", TRUE, NULL));
  g_ptr_array_add (arguments->params, g_object_new (KVSQL_RPC_TYPE_VALUE, "i", G_MININT64, NULL));
  g_ptr_array_add (arguments->params, g_object_new (KVSQL_RPC_TYPE_VALUE, "d", 1.5, NULL));
  g_ptr_array_add (arguments->params, g_object_new (KVSQL_RPC_TYPE_VALUE, "s", "it's", NULL));
  g_ptr_array_add (arguments->params, g_object_new (KVSQL_RPC_TYPE_VALUE, "x", bytes, NULL));
  g_ptr_array_add (arguments->params, g_object_new (KVSQL_RPC_TYPE_VALUE, "isNull", TRUE, NULL));
  result = handler_fixture_call (self, "query", arguments, KVSQL_RPC_TYPE_SQL_QUERY_RESULT);
  g_assert_false (((KvsqlRpcSqlQueryResult *)result)->__isset_err);
  g_assert_cmpstr (
      handler_fixture_get_said (), ==,
      "empty id=me verified read-only rows=10 bytes=20 ms=30 NULL true -9223372036854775808 "
      "1.5e0 'it''s' x'00ff' NULL");
}

static void
expect_query_refused (HandlerFixture *self, const gchar *sql, GObject *parameter, GObject *options,
                      const gchar *message)
{
  KvsqlRpcSqlQueryArgs *arguments = g_object_new (KVSQL_RPC_TYPE_SQL_QUERY_ARGS, NULL);
  g_autoptr (GObject) result = NULL;

  if (sql != NULL)
    g_object_set (arguments, "sql", sql, NULL);
  if (parameter != NULL)
    g_ptr_array_add (arguments->params, parameter);
  if (options != NULL)
    g_object_set (arguments, "options", options, NULL);
  g_clear_object (&options);
  result = handler_fixture_call (self, "query", arguments, KVSQL_RPC_TYPE_SQL_QUERY_RESULT);
  expect_refused (((KvsqlRpcSqlQueryResult *)result)->err, message);
}

static void
test_bad_query (HandlerFixture *self, gconstpointer data)
{
  g_autofree gchar *long_id = g_strnfill (201, 'x');

  expect_query_refused (self, "\xff", NULL, NULL, "argument \"sql\" is not UTF-8");
  expect_query_refused (self, "s", g_object_new (KVSQL_RPC_TYPE_VALUE, "b", TRUE, "s", "t", NULL),
                        NULL, "parameter 1 has 2 members set");
  expect_query_refused (self, "s",
                        g_object_new (KVSQL_RPC_TYPE_VALUE, "isNull", FALSE, "i", (gint64)1, NULL),
                        NULL, "parameter 1 has 2 members set");
  expect_query_refused (self, "s", g_object_new (KVSQL_RPC_TYPE_VALUE, "s", "\xc0\x80", NULL), NULL,
                        "parameter 1 is not UTF-8");
  expect_query_refused (self, "s", NULL,
                        g_object_new (KVSQL_RPC_TYPE_QUERY_OPTIONS, "maxRows", -1, NULL),
                        "a negative bound in the options");
  expect_query_refused (self, "s", NULL,
                        g_object_new (KVSQL_RPC_TYPE_QUERY_OPTIONS, "requestId", long_id, NULL),
                        "requestId is longer than 200 bytes");
  expect_query_refused (self, "s", NULL,
                        g_object_new (KVSQL_RPC_TYPE_QUERY_OPTIONS, "requestId", "\xff", NULL),
                        "argument \"requestId\" is not UTF-8");
}

static void
begin_field (ThriftProtocol *writer, ThriftType type, gint16 id)
{
  g_assert_cmpint (thrift_protocol_write_field_begin (writer, "", type, id, NULL), >=, 0);
}

/* A call with one text parameter, "a" NUL "b", which generated code cannot represent. */
static guint8 *
make_call_with_nul (HandlerFixture *self, const gchar *method, gsize *out_size)
{
  g_autoptr (GObject) object = (GObject *)wire_open (self->format);
  ThriftProtocol *writer = THRIFT_PROTOCOL (object);
  gboolean is_execute = g_str_equal (method, "execute");

  wire_begin_call (writer, method);
  thrift_protocol_write_struct_begin (writer, "", NULL);
  begin_field (writer, is_execute ? T_I64 : T_STRING, 1);
  if (is_execute)
    thrift_protocol_write_i64 (writer, 1, NULL);
  else
    thrift_protocol_write_string (writer, "some", NULL);
  begin_field (writer, T_LIST, 2);
  thrift_protocol_write_list_begin (writer, T_STRUCT, 1, NULL);
  thrift_protocol_write_struct_begin (writer, "", NULL);
  begin_field (writer, T_STRING, 4);
  thrift_protocol_write_binary (writer, (gpointer) "a\0b", 3, NULL);
  for (guint i = 0; i < 2; i++)
    {
      thrift_protocol_write_field_stop (writer, NULL);
      thrift_protocol_write_struct_end (writer, NULL);
    }
  return wire_flush (writer, out_size);
}

static gpointer
dispatch_bytes (HandlerFixture *self, const gchar *method, const guint8 *request, gsize size,
                GType type)
{
  g_autofree guint8 *reply = handler_fixture_dispatch (self, method, request, size, &size);
  g_autoptr (GObject) reader = (GObject *)wire_open_bytes (self->format, reply, size);
  gpointer result = g_object_new (type, NULL);
  g_autofree gchar *name = NULL;
  ThriftMessageType message_type;
  gint32 sequence_id;

  thrift_protocol_read_message_begin (THRIFT_PROTOCOL (reader), &name, &message_type, &sequence_id,
                                      NULL);
  g_assert_cmpint (message_type, ==, T_REPLY);
  g_assert_cmpint (thrift_struct_read (THRIFT_STRUCT (result), THRIFT_PROTOCOL (reader), NULL), >=,
                   0);
  return result;
}

/* It is an error of the statement: the message was read, and the connection stays open. */
static void
test_nul_in_parameter (HandlerFixture *self, gconstpointer data)
{
  const struct
  {
    const gchar *method;
    GType result;
  } cases[] = {
    { "query", KVSQL_RPC_TYPE_SQL_QUERY_RESULT },
    { "execute", KVSQL_RPC_TYPE_SQL_EXECUTE_RESULT },
    { "partition", KVSQL_RPC_TYPE_SQL_PARTITION_RESULT },
    { "explain", KVSQL_RPC_TYPE_SQL_EXPLAIN_RESULT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gsize size;
      g_autofree guint8 *request = make_call_with_nul (self, cases[i].method, &size);
      g_autoptr (GObject) result
          = dispatch_bytes (self, cases[i].method, request, size, cases[i].result);
      g_autoptr (GObject) failure = NULL;

      g_object_get (result, "err", &failure, NULL);
      expect_refused ((KvsqlRpcSqlError *)failure, "parameter 1 holds U+0000, which is in no text");
    }
}

/* A call whose text in field @id, or in an element or member of that field, is "a" NUL "b". */
static guint8 *
make_call_with_nul_text (HandlerFixture *self, const gchar *method, gint16 id, ThriftType type,
                         gsize *out_size)
{
  g_autoptr (GObject) object = (GObject *)wire_open (self->format);
  ThriftProtocol *writer = THRIFT_PROTOCOL (object);

  wire_begin_call (writer, method);
  thrift_protocol_write_struct_begin (writer, "", NULL);
  if (id > 1)
    {
      begin_field (writer, T_STRING, 1);
      thrift_protocol_write_string (writer, "some", NULL);
    }
  begin_field (writer, type, id);
  if (type == T_LIST)
    thrift_protocol_write_list_begin (writer, T_STRING, 1, NULL);
  if (type == T_STRUCT)
    {
      thrift_protocol_write_struct_begin (writer, "", NULL);
      begin_field (writer, T_STRING, 5); /* QueryOptions.requestId */
    }
  thrift_protocol_write_binary (writer, (gpointer) "a\0b", 3, NULL);
  for (guint i = 0; i < 1 + (type == T_STRUCT); i++)
    {
      thrift_protocol_write_field_stop (writer, NULL);
      thrift_protocol_write_struct_end (writer, NULL);
    }
  return wire_flush (writer, out_size);
}

/* Also an error of the statement, with the position of the byte. */
static void
test_nul_in_text (HandlerFixture *self, gconstpointer data)
{
  const struct
  {
    const gchar *method;
    gint16 id;
    ThriftType type;
    GType result;
    gint code;
    const gchar *message;
  } cases[] = {
    { "query", 1, T_STRING, KVSQL_RPC_TYPE_SQL_QUERY_RESULT, KVSQL_ERROR_SYNTAX, NULL },
    { "prepare", 1, T_STRING, KVSQL_RPC_TYPE_SQL_PREPARE_RESULT, KVSQL_ERROR_SYNTAX, NULL },
    { "explain", 1, T_STRING, KVSQL_RPC_TYPE_SQL_EXPLAIN_RESULT, KVSQL_ERROR_SYNTAX, NULL },
    { "partition", 1, T_STRING, KVSQL_RPC_TYPE_SQL_PARTITION_RESULT, KVSQL_ERROR_SYNTAX, NULL },
    { "query", 3, T_STRUCT, KVSQL_RPC_TYPE_SQL_QUERY_RESULT, KVSQL_ERROR_PROTOCOL,
      "argument \"requestId\" holds U+0000, which is in no text" },
    { "insertRows", 1, T_STRING, KVSQL_RPC_TYPE_SQL_INSERT_ROWS_RESULT, KVSQL_ERROR_PROTOCOL,
      "argument \"relation\" holds U+0000, which is in no text" },
    { "insertRows", 2, T_LIST, KVSQL_RPC_TYPE_SQL_INSERT_ROWS_RESULT, KVSQL_ERROR_PROTOCOL,
      "argument \"columns\" holds U+0000, which is in no text" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gsize size;
      g_autofree guint8 *request
          = make_call_with_nul_text (self, cases[i].method, cases[i].id, cases[i].type, &size);
      g_autoptr (GObject) result
          = dispatch_bytes (self, cases[i].method, request, size, cases[i].result);
      g_autoptr (GObject) failure = NULL;
      const KvsqlRpcSqlError *said;

      g_object_get (result, "err", &failure, NULL);
      g_assert_nonnull (failure);
      said = KVSQL_RPC_SQL_ERROR (failure);
      g_assert_cmpint (said->code, ==, cases[i].code);
      g_assert_cmpstr (said->message, ==,
                       cases[i].message != NULL
                           ? cases[i].message
                           : "the statement holds U+0000, which is in no text");
      g_assert_cmpint (said->__isset_position, ==, cases[i].code == KVSQL_ERROR_SYNTAX);
      if (cases[i].code == KVSQL_ERROR_SYNTAX)
        {
          g_assert_cmpint (said->position, ==, 1);
          g_assert_cmpint (said->length, ==, 1);
          g_assert_cmpstr (said->hint, ==,
                           "Write bytes as x'00ff', or as a parameter of type BYTES.");
        }
      g_assert_null (handler_fixture_get_said ());
    }
}

/* hello ignores a name that is not text. */
static void
test_nul_in_client_name (HandlerFixture *self, gconstpointer data)
{
  gsize size;
  g_autofree guint8 *request = make_call_with_nul_text (self, "hello", 2, T_STRING, &size);
  g_autoptr (GObject) result
      = dispatch_bytes (self, "hello", request, size, KVSQL_RPC_TYPE_SQL_HELLO_RESULT);

  g_assert_false (((KvsqlRpcSqlHelloResult *)result)->__isset_err);
  g_assert_cmpstr (((KvsqlRpcSqlHelloResult *)result)->success->store, ==, "memory:");
}

/* A message without arguments, as another client may send it. */
static void
test_missing_arguments (HandlerFixture *self, gconstpointer data)
{
  static const gchar *const methods[]
      = { "hello", "query",       "prepare",    "execute", "closeStatement",
          "fetch", "closeCursor", "insertRows", "explain", "partition" };

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      g_autoptr (GObject) writer = (GObject *)wire_open (self->format);
      g_autofree guint8 *request = NULL, *reply = NULL;
      gsize size;

      wire_begin_call (THRIFT_PROTOCOL (writer), methods[i]);
      thrift_protocol_write_field_stop (THRIFT_PROTOCOL (writer), NULL);
      request = wire_flush (THRIFT_PROTOCOL (writer), &size);
      reply = handler_fixture_dispatch (self, methods[i], request, size, &size);
      g_assert_cmpuint (size, >, 0);
    }
}

/* ---- rows to insert */

static KvsqlRpcColumn *
integers (guint n, const gchar *nulls)
{
  KvsqlRpcColumn *column = g_object_new (KVSQL_RPC_TYPE_COLUMN, NULL);

  for (gint64 i = 0; i < n; i++)
    g_array_append_val (column->i, i);
  column->__isset_i = TRUE;
  if (nulls != NULL)
    {
      column->nulls
          = g_byte_array_append (g_byte_array_new (), (const guint8 *)nulls, strlen (nulls));
      column->__isset_nulls = TRUE;
    }
  return column;
}

/* Takes @first and @second. */
static KvsqlRpcSqlInsertRowsResult *
insert (HandlerFixture *self, gint32 n_rows, KvsqlRpcColumn *first, KvsqlRpcColumn *second)
{
  KvsqlRpcSqlInsertRowsArgs *arguments = g_object_new (KVSQL_RPC_TYPE_SQL_INSERT_ROWS_ARGS,
                                                       "relation", "rel", "nrows", n_rows, NULL);

  handler_fixture_forget_said ();
  g_ptr_array_add (arguments->columns, g_strdup ("a"));
  g_ptr_array_add (arguments->columns, g_strdup ("b"));
  g_ptr_array_add (arguments->data, first);
  if (second != NULL)
    g_ptr_array_add (arguments->data, second);
  return handler_fixture_call (self, "insertRows", arguments,
                               KVSQL_RPC_TYPE_SQL_INSERT_ROWS_RESULT);
}

static void
expect_inserted (HandlerFixture *self, KvsqlRpcColumn *first, KvsqlRpcColumn *second,
                 const gchar *said)
{
  g_autoptr (GObject) holder = (GObject *)insert (self, 2, first, second);
  KvsqlRpcSqlInsertRowsResult *result = (KvsqlRpcSqlInsertRowsResult *)holder;

  g_assert_false (result->__isset_err);
  g_assert_cmpint (result->success, ==, 2);
  g_assert_cmpstr (handler_fixture_get_said (), ==, said);
}

static void
expect_insert_refused (HandlerFixture *self, gint32 n_rows, KvsqlRpcColumn *first,
                       KvsqlRpcColumn *second, const gchar *message)
{
  g_autoptr (GObject) holder = (GObject *)insert (self, n_rows, first, second);

  expect_refused (((KvsqlRpcSqlInsertRowsResult *)holder)->err, message);
}

static KvsqlRpcColumn *
texts (const gchar *first, const gchar *second)
{
  KvsqlRpcColumn *column = g_object_new (KVSQL_RPC_TYPE_COLUMN, NULL);

  g_ptr_array_add (column->s, g_strdup (first));
  g_ptr_array_add (column->s, g_strdup (second));
  column->__isset_s = TRUE;
  return column;
}

static KvsqlRpcColumn *
only_nulls (const gchar *nulls)
{
  KvsqlRpcColumn *column = integers (0, nulls);

  column->__isset_i = FALSE;
  return column;
}

static KvsqlRpcColumn *
booleans_and_reals (gboolean both)
{
  KvsqlRpcColumn *column = g_object_new (KVSQL_RPC_TYPE_COLUMN, NULL);
  gboolean booleans[] = { FALSE, TRUE };
  gdouble reals[] = { 0.5, -1 };

  g_array_append_vals (column->b, booleans, 2);
  g_array_append_vals (column->d, reals, 2);
  column->__isset_b = TRUE;
  column->__isset_d = both;
  return column;
}

static void
test_insert (HandlerFixture *self, gconstpointer data)
{
  KvsqlRpcColumn *binaries = g_object_new (KVSQL_RPC_TYPE_COLUMN, NULL);
  KvsqlRpcColumn *reals = booleans_and_reals (TRUE);

  reals->__isset_b = FALSE;
  g_ptr_array_add (binaries->x,
                   g_byte_array_append (g_byte_array_new (), (const guint8 *)"\xff", 1));
  g_ptr_array_add (binaries->x, g_byte_array_new ());
  binaries->__isset_x = TRUE;
  expect_inserted (self, integers (2, NULL), texts ("x", "y"), "rel a=0 a=1 b='x' b='y'");
  expect_inserted (self, integers (2, "\001"), only_nulls ("\003"), "rel a=NULL a=1 b=NULL b=NULL");
  expect_inserted (self, booleans_and_reals (FALSE), binaries, "rel a=false a=true b=x'ff' b=x''");
  expect_inserted (self, reals, texts ("", ""), "rel a=0.5e0 a=-1e0 b='' b=''");
}

static void
test_bad_insert (HandlerFixture *self, gconstpointer data)
{
  expect_insert_refused (self, -1, integers (1, NULL), integers (1, NULL), "nrows is negative");
  expect_insert_refused (self, 1, integers (1, NULL), integers (2, NULL),
                         "column 2 has 2 values for 1 rows");
  expect_insert_refused (self, G_MAXINT32, integers (1, NULL), integers (1, NULL),
                         "column 1 has 1 values for 2147483647 rows");
  expect_insert_refused (self, 1, integers (1, NULL), NULL, "there are 2 names for 1 columns");
  expect_insert_refused (self, 1, integers (1, "\001\001"), integers (1, NULL),
                         "column 1 has 2 bytes of nulls for 1 rows");
  expect_insert_refused (self, 2, booleans_and_reals (TRUE), integers (2, NULL),
                         "column 1 has 2 lists set");
  expect_insert_refused (self, 2, only_nulls ("\001"), integers (2, NULL),
                         "column 1 has no values");
  expect_insert_refused (self, 2, only_nulls (NULL), integers (2, NULL), "column 1 has no values");
  expect_insert_refused (self, 2, texts ("x", "\xff"), integers (2, NULL),
                         "column 1 holds a string that is not UTF-8");
}

/* The columns are invalid, too: the first fault is reported. */
static void
expect_names_refused (HandlerFixture *self, const gchar *relation, const gchar *name,
                      const gchar *message)
{
  KvsqlRpcSqlInsertRowsArgs *arguments
      = g_object_new (KVSQL_RPC_TYPE_SQL_INSERT_ROWS_ARGS, "relation", relation, "nrows", 1, NULL);
  g_autoptr (GObject) options = g_object_new (KVSQL_RPC_TYPE_QUERY_OPTIONS, "maxRows", -1, NULL);
  g_autoptr (GObject) result = NULL;

  if (name != NULL)
    g_ptr_array_add (arguments->columns, g_strdup (name));
  else
    g_object_set (arguments, "options", options, NULL);
  result
      = handler_fixture_call (self, "insertRows", arguments, KVSQL_RPC_TYPE_SQL_INSERT_ROWS_RESULT);
  expect_refused (((KvsqlRpcSqlInsertRowsResult *)result)->err, message);
}

static void
test_bad_insert_names (HandlerFixture *self, gconstpointer data)
{
  expect_names_refused (self, "\xff", NULL, "argument \"relation\" is not UTF-8");
  expect_names_refused (self, "rel", NULL, "a negative bound in the options");
  expect_names_refused (self, "rel", "\xff", "argument \"columns\" is not UTF-8");
  expect_names_refused (self, "rel", "a", "no columns");
}

/* ---- the small methods */

static void
test_small_methods (HandlerFixture *self, gconstpointer data)
{
  g_autoptr (GObject) hello = handler_fixture_call (
      self, "hello", g_object_new (KVSQL_RPC_TYPE_SQL_HELLO_ARGS, "apiVersion", 1, NULL),
      KVSQL_RPC_TYPE_SQL_HELLO_RESULT);
  g_autoptr (GObject) prepared = handler_fixture_call (
      self, "prepare", g_object_new (KVSQL_RPC_TYPE_SQL_PREPARE_ARGS, "sql", "s", NULL),
      KVSQL_RPC_TYPE_SQL_PREPARE_RESULT);
  g_autoptr (GObject) executed = handler_fixture_call (
      self, "execute",
      g_object_new (KVSQL_RPC_TYPE_SQL_EXECUTE_ARGS, "statementId", G_GINT64_CONSTANT (9), NULL),
      KVSQL_RPC_TYPE_SQL_EXECUTE_RESULT);
  g_autoptr (GObject) closed
      = handler_fixture_call (self, "closeStatement",
                              g_object_new (KVSQL_RPC_TYPE_SQL_CLOSE_STATEMENT_ARGS, "statementId",
                                            G_GINT64_CONSTANT (42), NULL),
                              KVSQL_RPC_TYPE_SQL_CLOSE_STATEMENT_RESULT);
  g_autoptr (GObject) read_only
      = g_object_new (KVSQL_RPC_TYPE_QUERY_OPTIONS, "readOnly", TRUE, NULL);
  g_autoptr (GObject) explained
      = handler_fixture_call (self, "explain",
                              g_object_new (KVSQL_RPC_TYPE_SQL_EXPLAIN_ARGS, "sql", "s", "analyze",
                                            TRUE, "options", read_only, NULL),
                              KVSQL_RPC_TYPE_SQL_EXPLAIN_RESULT);
  KvsqlRpcStatement *statement = ((KvsqlRpcSqlPrepareResult *)prepared)->success;
  KvsqlRpcParameter *second = statement->parameters->pdata[1];

  g_assert_cmpstr (((KvsqlRpcSqlHelloResult *)hello)->success->version, ==, KVSQL_VERSION);
  g_assert_cmpstr (((KvsqlRpcSqlHelloResult *)hello)->success->message, ==, "away");
  g_assert_cmpint (statement->id, ==, 42);
  g_assert_cmpstr (second->name, ==, "name");
  g_assert_cmpuint (statement->columns->len, ==, 1);
  g_assert_cmpint (((KvsqlRpcSqlExecuteResult *)executed)->err->code, ==,
                   KVSQL_ERROR_BAD_STATEMENT_ID);
  g_assert_false (((KvsqlRpcSqlCloseStatementResult *)closed)->__isset_err);
  g_assert_cmpstr (((KvsqlRpcSqlExplainResult *)explained)->success->text, ==,
                   "analyzed, read-only");
}

static void
add_for_formats (const gchar *path, void (*function) (HandlerFixture *self, gconstpointer data))
{
  for (guint i = 0; i < G_N_ELEMENTS (wire_formats); i++)
    {
      g_autofree gchar *name = g_strdup_printf ("/daemon/handler/%s/%s",
                                                kvsql_wire_format_get_name (wire_formats[i]), path);

      g_strdelimit (name, " ", '-');
      g_test_add (name, HandlerFixture, &wire_formats[i], handler_fixture_set_up, function,
                  handler_fixture_tear_down);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kvsql_thrift_setup ();
  add_for_formats ("page", test_page);
  add_for_formats ("page/without-rows", test_page_without_rows);
  add_for_formats ("fetch", test_fetch);
  add_for_formats ("partition", test_partition);
  add_for_formats ("failure", test_failure);
  add_for_formats ("failure/foreign", test_foreign_failure);
  add_for_formats ("parameters", test_parameters);
  add_for_formats ("bad-query", test_bad_query);
  add_for_formats ("nul-in-parameter", test_nul_in_parameter);
  add_for_formats ("nul-in-text", test_nul_in_text);
  add_for_formats ("nul-in-client-name", test_nul_in_client_name);
  add_for_formats ("missing-arguments", test_missing_arguments);
  add_for_formats ("insert", test_insert);
  add_for_formats ("bad-insert", test_bad_insert);
  add_for_formats ("bad-insert/names", test_bad_insert_names);
  add_for_formats ("small-methods", test_small_methods);
  return g_test_run ();
}
