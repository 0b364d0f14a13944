/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * handler-fixture.c: a mock of the service, and calls to it in bytes.
 */
#include "config.h"

#include "tests/daemon/rpc/handler-fixture.h"

#include "core/sql/ast.h"
#include "daemon/session/statements.h"

/* ---- the service */

struct _KvsqldService
{
  gchar *said; /* arguments of the last call */
};

static KvsqldService service;

gboolean
handler_fixture_is_null (guint row)
{
  return row % 3 == 1;
}

static void
fill_vector (KvsqlVector *vector, KvsqlArena *arena, guint row)
{
  switch (kvsql_type_get_class (vector->type))
    {
    case KVSQL_CLASS_BOOLEAN:
      vector->booleans[row] = row & 1;
      break;
    case KVSQL_CLASS_INTEGER:
      vector->integers[row] = -(gint64)row * 1000;
      break;
    case KVSQL_CLASS_REAL:
      vector->reals[row] = row / 4.0;
      break;
    case KVSQL_CLASS_SLICE:
      vector->slices[row] = kvsql_slice_from_text (kvsql_arena_printf (arena, "r%u", row));
      break;
    default:
      break;
    }
}

guint
handler_fixture_get_n_columns (void)
{
  guint n = 0;

  for (guint type = KVSQL_TYPE_STRING; type < KVSQL_N_TYPES; type++)
    n += 2 * (kvsql_type_is_known (type) != FALSE);
  return n + 1;
}

KvsqlType
handler_fixture_get_type (guint column)
{
  guint type = KVSQL_TYPE_NULL;

  for (guint n = (column + 1) / 2; n > 0; n -= kvsql_type_is_known (type) != FALSE)
    type++;
  return (KvsqlType)type;
}

/* Columns of every type, one without NULLs and one with, and one of the type of a bare NULL. */
static KvsqlResultPage *
make_page (guint n_rows)
{
  KvsqlResultPage *page = kvsql_result_page_new_empty (-1);
  KvsqlType types[2 * KVSQL_N_TYPES];

  page->n_columns = handler_fixture_get_n_columns ();
  page->arena = kvsql_arena_new ();
  page->columns = kvsql_arena_array (page->arena, KvsqlResultColumn, page->n_columns);
  for (guint i = 0; i < page->n_columns; i++)
    {
      types[i] = handler_fixture_get_type (i);
      page->columns[i] = (KvsqlResultColumn){ .name = kvsql_arena_printf (page->arena, "c%u", i),
                                              .type = types[i],
                                              .is_nullable = i % 2 == 0 };
    }
  page->columns[1].relation = "r";
  page->rows = kvsql_batch_new (types, page->n_columns, MAX (n_rows, 1));
  page->rows->n_rows = n_rows;
  for (guint i = 1; i < page->n_columns; i++)
    for (guint row = 0; row < n_rows; row++)
      {
        fill_vector (&page->rows->columns[i], page->arena, row);
        if (i % 2 == 0 && handler_fixture_is_null (row))
          kvsql_vector_set_null (&page->rows->columns[i], row);
      }
  return page;
}

static void
note (KvsqldService *self, const gchar *what, const KvsqldRequest *request,
      const KvsqlValue *parameters, guint n)
{
  GString *text = g_string_new (what);

  if (request->request_id != NULL)
    g_string_append_printf (text, " id=%s", request->request_id);
  if (request->wants_progress)
    g_string_append (text, " progress");
  if (request->is_verified)
    g_string_append (text, " verified");
  if (request->is_read_only)
    g_string_append_printf (text,
                            " read-only rows=%u bytes=%" G_GSIZE_FORMAT " ms=%" G_GINT64_FORMAT,
                            request->max_rows, request->max_bytes, request->timeout_ms);
  for (guint i = 0; i < n; i++)
    {
      g_string_append_c (text, ' ');
      kvsql_value_append_literal (&parameters[i], text);
    }
  g_free (self->said);
  self->said = g_string_free (text, FALSE);
}

KvsqlResultPage *
kvsqld_service_query (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sql,
                      const KvsqlValue *parameters, guint n_parameters, GError **error)
{
  KvsqlResultPage *page;

  note (self, (const gchar *)sql.data, request, parameters, n_parameters);
  if (kvsql_slice_equal (sql, KVSQL_SLICE_LITERAL ("bad")))
    {
      kvsql_error_set (error, KVSQL_ERROR_SYNTAX, (KvsqlSpan){ 3, 4 }, "no \xff good");
      kvsql_error_detail (error, "The detail.");
      kvsql_error_hint (error, "The hint.");
      return NULL;
    }
  if (kvsql_slice_equal (sql, KVSQL_SLICE_LITERAL ("foreign")))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "from below");
      return NULL;
    }
  if (kvsql_slice_equal (sql, KVSQL_SLICE_LITERAL ("none")))
    {
      page = g_new0 (KvsqlResultPage, 1);
      page->affected = 7;
      page->done = 0.25;
      page->warnings = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (page->warnings, g_strdup ("careful"));
      return page;
    }
  page = make_page (kvsql_slice_equal (sql, KVSQL_SLICE_LITERAL ("empty")) ? 0
                                                                           : HANDLER_FIXTURE_ROWS);
  page->cursor = g_bytes_new_static ("\0next", 5);
  return page;
}

KvsqldPrepared *
kvsqld_service_prepare (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sql,
                        GError **error)
{
  static const gchar *const names[] = { NULL, "name" };
  static const KvsqlResultColumn column = { .name = "c", .type = KVSQL_TYPE_INT };
  static const KvsqlAstStatement statement = { .n_parameters = 2, .parameter_names = names };
  g_autoptr (KvsqldParsed) parsed
      = kvsqld_parsed_new (kvsql_arena_new (), sql, &statement, &column, 1, FALSE);
  KvsqldPrepared *prepared = kvsqld_prepared_new (42, parsed);

  prepared->parameter_types[0] = KVSQL_TYPE_DATE;
  return prepared;
}

KvsqlResultPage *
kvsqld_service_execute (KvsqldService *self, const KvsqldRequest *request, gint64 statement_id,
                        const KvsqlValue *parameters, guint n_parameters, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_BAD_STATEMENT_ID, KVSQL_SPAN_NONE,
                   "no statement %" G_GINT64_FORMAT, statement_id);
  return NULL;
}

gboolean
kvsqld_service_close_statement (KvsqldService *self, const KvsqldRequest *request,
                                gint64 statement_id, GError **error)
{
  return statement_id == 42
         || kvsql_error_set (error, KVSQL_ERROR_BAD_STATEMENT_ID, KVSQL_SPAN_NONE, "no");
}

KvsqlResultPage *
kvsqld_service_fetch (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice cursor,
                      GError **error)
{
  if (kvsql_slice_equal (cursor, kvsql_slice ("\0next", 5)))
    return make_page (1);
  kvsql_error_set (error, KVSQL_ERROR_BAD_CURSOR, KVSQL_SPAN_NONE, "no");
  return NULL;
}

gboolean
kvsqld_service_close_cursor (KvsqldService *self, KvsqlSlice cursor, GError **error)
{
  return cursor.size > 0 || kvsql_error_set (error, KVSQL_ERROR_BAD_CURSOR, KVSQL_SPAN_NONE, "no");
}

gboolean
kvsqld_service_insert_rows (KvsqldService *self, const KvsqldRequest *request,
                            const gchar *relation, const gchar *const *attributes,
                            const KvsqlBatch *data, gint64 *out_affected, GError **error)
{
  GString *text = g_string_new (relation);

  for (guint i = 0; i < data->n_columns; i++)
    for (guint row = 0; row < data->n_rows; row++)
      {
        const KvsqlVector *vector = &data->columns[i];
        KvsqlValue value = kvsql_vector_is_null (vector, row) ? KVSQL_VALUE_NULL
                                                              : kvsql_vector_get (vector, row);

        g_string_append_printf (text, " %s=", attributes[i]);
        kvsql_value_append_literal (&value, text);
      }
  g_assert_null (attributes[data->n_columns]);
  g_free (self->said);
  self->said = g_string_free (text, FALSE);
  *out_affected = data->n_rows;
  return TRUE;
}

GPtrArray *
kvsqld_service_partition (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sql,
                          const KvsqlValue *parameters, guint n_parameters, guint n_wanted,
                          GError **error)
{
  GPtrArray *cursors = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);

  note (self, (const gchar *)sql.data, request, parameters, n_parameters);
  for (guint i = 0; i < n_wanted; i++)
    g_ptr_array_add (cursors, g_bytes_new ("\0part", i + 1));
  return cursors;
}

gboolean
kvsqld_service_explain (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sql,
                        const KvsqlValue *parameters, guint n_parameters, gboolean is_analyze,
                        gchar **out_text, gchar **out_json, GError **error)
{
  *out_text = g_strdup_printf ("%s%s", is_analyze ? "analyzed" : "plan",
                               request->is_read_only ? ", read-only" : "");
  *out_json = g_strdup ("{}");
  return TRUE;
}

void
kvsqld_service_get_status (KvsqldService *self, KvsqldStatus *out)
{
  *out = (KvsqldStatus){
    .store_url = "memory:", .registry_url = "file:", .epoch = 5, .last_error = g_strdup ("away")
  };
}

/* No test of this fixture logs in. */
KvsqldLogins *
kvsqld_service_get_logins (KvsqldService *self)
{
  return NULL;
}

/* ---- a call, from bytes to bytes */

void
handler_fixture_forget_said (void)
{
  g_clear_pointer (&service.said, g_free);
}

const gchar *
handler_fixture_get_said (void)
{
  return service.said;
}

void
handler_fixture_set_up (HandlerFixture *self, gconstpointer data)
{
  self->processor = THRIFT_DISPATCH_PROCESSOR (kvsqld_rpc_processor_new (&service));
  self->format = data;
}

void
handler_fixture_tear_down (HandlerFixture *self, gconstpointer data)
{
  g_object_unref (self->processor);
  handler_fixture_forget_said ();
}

guint8 *
handler_fixture_dispatch (HandlerFixture *self, const gchar *method, const guint8 *request,
                          gsize request_size, gsize *out_size)
{
  g_autoptr (GObject) protocol = (GObject *)wire_open_bytes (self->format, request, request_size);
  GError *error = NULL;
  gchar *name;
  ThriftMessageType type;
  gint32 sequence_id;
  KvsqlSlice reply;

  kvsql_protocol_set_deferred (KVSQL_PROTOCOL (protocol), TRUE);
  g_assert_cmpint (thrift_protocol_read_message_begin (THRIFT_PROTOCOL (protocol), &name, &type,
                                                       &sequence_id, &error),
                   >=, 0);
  g_assert_true (THRIFT_DISPATCH_PROCESSOR_GET_CLASS (self->processor)
                     ->dispatch_call (self->processor, THRIFT_PROTOCOL (protocol),
                                      THRIFT_PROTOCOL (protocol), name, sequence_id, &error));
  g_assert_no_error (error);
  reply = kvsql_transport_get_memory (kvsql_protocol_get_transport (KVSQL_PROTOCOL (protocol)));
  *out_size = reply.size;
  return g_memdup2 (reply.data, reply.size);
}

gpointer
handler_fixture_call (HandlerFixture *self, const gchar *method, gpointer arguments, GType result)
{
  g_autoptr (GObject) writer = (GObject *)wire_open (self->format);
  g_autoptr (GObject) reader = NULL;
  g_autofree guint8 *request = NULL, *reply = NULL;
  g_autofree gchar *name = NULL;
  gpointer answer = g_object_new (result, NULL);
  GError *error = NULL;
  ThriftMessageType type;
  gint32 sequence_id;
  gsize size;

  wire_begin_call (THRIFT_PROTOCOL (writer), method);
  g_assert_cmpint (thrift_struct_write (arguments, THRIFT_PROTOCOL (writer), NULL), >=, 0);
  g_object_unref (arguments);
  request = wire_flush (THRIFT_PROTOCOL (writer), &size);
  reply = handler_fixture_dispatch (self, method, request, size, &size);
  reader = (GObject *)wire_open_bytes (self->format, reply, size);
  g_assert_cmpint (thrift_protocol_read_message_begin (THRIFT_PROTOCOL (reader), &name, &type,
                                                       &sequence_id, &error),
                   >=, 0);
  g_assert_cmpint (type, ==, T_REPLY);
  g_assert_cmpint (sequence_id, ==, 7);
  g_assert_cmpint (thrift_struct_read (answer, THRIFT_PROTOCOL (reader), &error), >=, 0);
  g_assert_no_error (error);
  g_assert_cmpint (thrift_protocol_read_message_end (THRIFT_PROTOCOL (reader), &error), >=, 0);
  return answer;
}

KvsqlRpcSqlQueryResult *
handler_fixture_query (HandlerFixture *self, const gchar *sql)
{
  return handler_fixture_call (self, "query",
                               g_object_new (KVSQL_RPC_TYPE_SQL_QUERY_ARGS, "sql", sql, NULL),
                               KVSQL_RPC_TYPE_SQL_QUERY_RESULT);
}
