/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * portal.c: see portal.h.
 */
#include "config.h"

#include "daemon/postgres/portal.h"

#include "core/sql/ast-copy.h"
#include "daemon/postgres/column-names.h"
#include "daemon/postgres/copy-in.h"
#include "daemon/postgres/prepare-command.h"
#include "daemon/postgres/session-command.h"
#include "daemon/postgres/type.h"

#define NULL_SIZE ((guint32)-1)
#define MAX_PORTALS 1000

KvsqldPgPortal *
kvsqld_pg_portal_new (KvsqldPgStatement *statement)
{
  KvsqldPgPortal *self = g_new0 (KvsqldPgPortal, 1);

  self->ref_count = 1;
  self->session = statement->session;
  self->statement = kvsqld_pg_statement_ref (statement);
  self->arena = kvsql_arena_new ();
  self->affected = -1;
  return self;
}

/* The service keeps what a cursor has read ahead until the cursor is closed, or idle for long. */
static void
close_cursor (KvsqldPgPortal *self)
{
  g_autoptr (GError) unheard = NULL;
  gsize size;
  gconstpointer data;

  if (self->page == NULL || self->page->cursor == NULL)
    return;
  data = g_bytes_get_data (self->page->cursor, &size);
  if (!kvsqld_service_close_cursor (self->session->service, kvsql_slice (data, size), &unheard))
    g_info ("cursor of a portal: %s", unheard->message);
}

static void
count_held (KvsqldPgPortal *self, gsize bytes)
{
  kvsqld_service_hold (self->session->service, self->session->holding,
                       (gssize)bytes - (gssize)self->held_bytes);
  self->held_bytes = bytes;
}

/* Keeps the page's cursor and warnings. */
static void
drop_rows (KvsqldPgPortal *self)
{
  count_held (self, 0);
  g_clear_pointer (&self->page->rows, kvsql_batch_free);
  g_clear_pointer (&self->page->arena, kvsql_arena_free);
  self->row = 0;
}

static void
drop_page (KvsqldPgPortal *self)
{
  if (self->page != NULL)
    drop_rows (self);
  g_clear_pointer (&self->page, kvsql_result_page_free);
}

/* Rows that are sent later are memory of the session; others are none. */
static void
keep_rows (KvsqldPgPortal *self)
{
  KvsqldPgPortal *holder = self->cursor != NULL ? self->cursor : self;
  const KvsqlResultPage *page = holder->page;

  if (page == NULL || page->rows == NULL)
    return;
  if (holder->row == page->rows->n_rows)
    drop_rows (holder);
  else
    count_held (holder, page->rows->block_size
                            + (page->arena != NULL ? kvsql_arena_get_size (page->arena) : 0));
}

KvsqldPgPortal *
kvsqld_pg_portal_ref (KvsqldPgPortal *self)
{
  self->ref_count++;
  return self;
}

void
kvsqld_pg_portal_unref (KvsqldPgPortal *self)
{
  if (self == NULL || --self->ref_count > 0)
    return;
  close_cursor (self);
  drop_page (self);
  kvsqld_pg_portal_unref (self->cursor);
  kvsqld_pg_statement_unref (self->statement);
  kvsql_arena_free (self->arena);
  g_free (self);
}

/* ---- by name */

KvsqldPgPortal *
kvsqld_pg_portal_find (KvsqldPgSession *session, const gchar *name, const gchar *what,
                       GError **error)
{
  KvsqldPgPortal *found = g_hash_table_lookup (session->portals, name);

  if (found == NULL)
    found = g_hash_table_lookup (session->held, name);
  if (found != NULL)
    return kvsqld_pg_portal_ref (found);
  kvsql_error_set (error, KVSQL_ERROR_BAD_CURSOR, KVSQL_SPAN_NONE, "%s \"%s\" does not exist", what,
                   name);
  return NULL;
}

gboolean
kvsqld_pg_portal_check_name (KvsqldPgSession *session, const gchar *name, const gchar *what,
                             GError **error)
{
  if (name[0] == '\0')
    g_hash_table_remove (session->portals, name);
  else if (g_hash_table_contains (session->portals, name)
           || g_hash_table_contains (session->held, name))
    {
      kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, KVSQL_SPAN_NONE,
                       "%s \"%s\" already exists", what, name);
      return kvsql_error_sqlstate (error, "42P03");
    }
  if (g_hash_table_size (session->portals) + g_hash_table_size (session->held) >= MAX_PORTALS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "the session has %d portals already", MAX_PORTALS);
  return name[0] == '\0' || kvsqld_pg_session_check_memory (session, error);
}

/* ---- binding */

/* None (text), one for all, or one for each. */
static gboolean
read_formats (KvsqldPgPortal *self, KvsqldPgMessage *message, KvsqldPgFormats *out, GError **error)
{
  guint n = kvsqld_pg_get_int16 (message);
  guint16 *formats;

  if (n > (gsize)(message->end - message->at) / 2)
    return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE, "invalid message format");
  formats = kvsql_arena_array (self->arena, guint16, n);
  for (guint i = 0; i < n; i++)
    formats[i] = kvsqld_pg_get_int16 (message);
  *out = (KvsqldPgFormats){ formats, n };
  return TRUE;
}

static gboolean
read_value (const KvsqldPgStatement *statement, guint32 oid, gboolean is_binary, KvsqlSlice bytes,
            KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  const KvsqldPgStatement *query = statement->inner != NULL ? statement->inner : statement;

  if (query->catalogue != NULL)
    return kvsqld_pg_catalogue_read_parameter (oid, is_binary, bytes, arena, out, error);
  return kvsqld_pg_type_read (oid, is_binary, bytes, arena, out, error);
}

void
kvsqld_pg_portal_clear_parameters (KvsqldPgPortal *self)
{
  guint n = self->statement->n_parameters;

  self->parameters = kvsql_arena_array (self->arena, KvsqlValue, n);
  for (guint i = 0; i < n; i++)
    self->parameters[i] = KVSQL_VALUE_NULL;
}

gboolean
kvsqld_pg_portal_set_parameter (KvsqldPgPortal *self, guint i, gboolean is_binary, KvsqlSlice bytes,
                                GError **error)
{
  if (read_value (self->statement, self->statement->parameter_oids[i], is_binary, bytes,
                  self->arena, &self->parameters[i], error))
    return TRUE;
  kvsql_error_detail (error, "It is the value of parameter $%u.", i + 1);
  return FALSE;
}

static gboolean
read_parameter (KvsqldPgPortal *self, KvsqldPgMessage *message, guint i, KvsqldPgFormats formats,
                GError **error)
{
  guint32 size = kvsqld_pg_get_int32 (message);
  guint16 format = formats.n_formats == 0 ? 0 : formats.formats[formats.n_formats == 1 ? 0 : i];
  KvsqlSlice bytes;

  if (size == NULL_SIZE)
    return TRUE;
  bytes = kvsqld_pg_get_bytes (message, size);
  if (message->is_bad)
    return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE, "invalid message format");
  return kvsqld_pg_portal_set_parameter (self, i, format == 1, bytes, error);
}

gboolean
kvsqld_pg_portal_bind (KvsqldPgPortal *self, KvsqldPgMessage *message, GError **error)
{
  guint n_needed = self->statement->n_parameters, n;
  KvsqldPgFormats formats;

  if (!read_formats (self, message, &formats, error))
    return FALSE;
  n = kvsqld_pg_get_int16 (message);
  if (formats.n_formats > 1 && formats.n_formats != n)
    return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                            "bind message has %u parameter formats but %u parameters",
                            formats.n_formats, n);
  if (n != n_needed)
    return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                            "bind message supplies %u parameters, but the prepared statement "
                            "requires %u",
                            n, n_needed);
  if (!kvsqld_pg_formats_check (formats, n, error))
    return FALSE;
  kvsqld_pg_portal_clear_parameters (self);
  for (guint i = 0; i < n; i++)
    if (!read_parameter (self, message, i, formats, error))
      return FALSE;
  return read_formats (self, message, &self->formats, error)
         && kvsqld_pg_message_check (message, error);
}

/* ---- cursors */

/* DECLARE: a portal of its own, with the values of this one's parameters. */
static gboolean
declare (KvsqldPgPortal *self, GError **error)
{
  KvsqldPgSession *session = self->session;
  const KvsqldPgCommand *command = &self->statement->command;
  KvsqldPgPortal *cursor;

  if (!command->is_lasting && session->block.state == KVSQLD_PG_IDLE)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "DECLARE CURSOR can only be used in transaction blocks");
      return kvsql_error_sqlstate (error, "25P01");
    }
  if (!kvsqld_pg_portal_check_name (session, command->name, "cursor", error))
    return FALSE;
  cursor = kvsqld_pg_portal_new (self->statement->inner);
  cursor->parameters = kvsql_arena_array (cursor->arena, KvsqlValue, self->statement->n_parameters);
  for (guint i = 0; self->parameters != NULL && i < self->statement->n_parameters; i++)
    cursor->parameters[i] = kvsql_value_dup (&self->parameters[i], cursor->arena);
  g_hash_table_insert (command->is_lasting ? session->held : session->portals,
                       kvsql_arena_strdup (cursor->arena, command->name), cursor);
  return TRUE;
}

static KvsqlResultPage *
run_cursor (KvsqldPgPortal *self, GError **error)
{
  const KvsqldPgCommand *command = &self->statement->command;

  if (command->kind == KVSQLD_PG_DECLARE)
    return declare (self, error) ? kvsql_result_page_new_empty (-1) : NULL;
  self->cursor = kvsqld_pg_portal_find (self->session, command->name, "cursor", error);
  if (self->cursor == NULL)
    return NULL;
  if (self->cursor->has_failed)
    {
      kvsql_error_set (error, KVSQL_ERROR_CONFLICT, KVSQL_SPAN_NONE,
                       "cursor \"%s\" has failed before", command->name);
      kvsql_error_sqlstate (error, "55000");
      return NULL;
    }
  self->cursor->has_failed
      = !self->cursor->is_started && !kvsqld_pg_portal_start (self->cursor, command->limit, error);
  return self->cursor->has_failed ? NULL : kvsql_result_page_new_empty (-1);
}

/* ---- the result */

static KvsqlResultPage *
run (KvsqldPgPortal *self, guint max_rows, GError **error)
{
  const KvsqldPgStatement *statement = self->statement;
  KvsqldRequest request = kvsqld_pg_session_get_request (self->session);

  if (statement->command.kind == KVSQLD_PG_DECLARE || statement->command.kind == KVSQLD_PG_FETCH)
    return run_cursor (self, error);
  if (statement->command.kind == KVSQLD_PG_PREPARE)
    return kvsqld_pg_prepare_command (statement, error) ? kvsql_result_page_new_empty (-1) : NULL;
  if (statement->command.kind == KVSQLD_PG_COPY) /* it begins when it is executed */
    return kvsql_result_page_new_empty (-1);
  if (statement->command.kind != KVSQLD_PG_ENGINE && statement->catalogue == NULL)
    return kvsqld_pg_session_run (self->session, &statement->command, &self->tag, error);
  if (!kvsqld_pg_session_check_memory (self->session, error))
    return NULL;
  if (statement->catalogue != NULL)
    return kvsqld_pg_catalogue_query_run (statement->catalogue, self->session, statement->sql,
                                          self->parameters, error);
  request.max_rows = max_rows;
  if (statement->prepared == NULL)
    return kvsqld_service_query (self->session->service, &request, statement->sql, NULL, 0, error);
  return kvsqld_service_execute (self->session->service, &request, statement->prepared->id,
                                 self->parameters, statement->prepared->n_parameters, error);
}

/* The columns of a page, which does not live as long as the portal. */
static const KvsqlResultColumn *
copy_columns (KvsqldPgPortal *self, const KvsqlResultColumn *columns, guint n_columns)
{
  KvsqlResultColumn *copies = kvsql_arena_array (self->arena, KvsqlResultColumn, n_columns);

  for (guint i = 0; i < n_columns; i++)
    {
      KvsqlSlice name = kvsql_slice_from_text (columns[i].name);

      copies[i] = columns[i];
      copies[i].relation = NULL;
      name.size++; /* its NUL byte */
      copies[i].name = (const gchar *)kvsql_slice_dup (self->arena, name).data;
    }
  return kvsqld_pg_name_columns (self->statement->sql, copies, n_columns, self->arena);
}

/* The columns of the prepared statement are those that the client was told, if it was told any. */
static void
set_columns (KvsqldPgPortal *self, const KvsqlResultColumn *columns, guint n_columns,
             const KvsqldPgType *const *sent)
{
  self->columns = columns;
  self->sent = sent;
  self->n_columns = n_columns;
}

static void
note_changes (KvsqldPgPortal *self)
{
  const KvsqldPgCommand *command = &self->statement->command;
  KvsqldPgChanges *changes = &self->session->block.changes;

  if (self->affected > 0)
    changes->n_tuples += self->affected;
  if (command->is_definition)
    changes->n_definitions++;
}

gboolean
kvsqld_pg_portal_start (KvsqldPgPortal *self, guint max_rows, GError **error)
{
  const KvsqldPgColumns known = kvsqld_pg_statement_get_columns (self->statement);
  KvsqlResultPage *page = NULL;

  self->is_started = TRUE;
  if (kvsqld_pg_session_check (self->session, &self->statement->command, error))
    page = run (self, max_rows, error);
  if (page == NULL)
    {
      self->is_done = TRUE;
      return FALSE;
    }
  self->page = page;
  self->affected = page->affected;
  note_changes (self);
  if (self->cursor != NULL)
    set_columns (self, self->cursor->columns, self->cursor->n_columns, self->cursor->sent);
  else if (known.n_columns > 0)
    set_columns (self, known.columns, known.n_columns, known.sent);
  else if (page->columns != NULL && !self->statement->command.is_silent)
    set_columns (self, copy_columns (self, page->columns, page->n_columns), page->n_columns, NULL);
  keep_rows (self);
  return TRUE;
}

gboolean
kvsqld_pg_portal_describe (KvsqldPgPortal *self, GError **error)
{
  const KvsqldPgStatement *statement = self->statement;
  const KvsqldPgColumns known = kvsqld_pg_statement_get_columns (statement);

  if (!self->is_started && known.n_columns > 0)
    set_columns (self, known.columns, known.n_columns, known.sent);
  else if (!self->is_started && kvsqld_pg_command_gives_table (&statement->command)
           && !kvsqld_pg_portal_start (self, 0, error))
    return FALSE;
  if (self->n_columns == 0)
    {
      kvsqld_pg_output_put_empty (&self->session->output, KVSQLD_PG_NO_DATA);
      return TRUE;
    }
  if (!kvsqld_pg_formats_check (self->formats, self->n_columns, error))
    return FALSE;
  kvsqld_pg_put_row_description (&self->session->output, self->columns, self->n_columns, self->sent,
                                 self->formats, statement->command.is_explain);
  return TRUE;
}

/* The next page, after one whose rows were sent. FALSE: none, or an error. */
static gboolean
fetch (KvsqldPgPortal *self, guint max_rows, GError **error)
{
  KvsqldRequest request = kvsqld_pg_session_get_request (self->session);
  g_autoptr (GBytes) cursor = NULL;
  KvsqlResultPage *page;
  gconstpointer data;
  gsize size;

  if (self->page == NULL || self->page->cursor == NULL || self->session->output.error != NULL)
    return FALSE;
  if (!kvsqld_pg_session_check (self->session, &self->statement->command, error))
    return FALSE;
  cursor = g_bytes_ref (self->page->cursor);
  data = g_bytes_get_data (cursor, &size);
  request.max_rows = max_rows;
  page = kvsqld_service_fetch (self->session->service, &request, kvsql_slice (data, size), error);
  drop_page (self);
  self->page = page;
  return page != NULL;
}

static void
put_complete (KvsqldPgPortal *self, guint64 n_rows)
{
  const KvsqldPgCommand *command = &self->statement->command;
  KvsqldPgOutput *out = &self->session->output;
  const gchar *tag = self->tag != NULL ? self->tag : command->tag;
  gchar number[32] = "";

  if (command->count == KVSQLD_PG_COUNT_ROWS)
    g_snprintf (number, sizeof number, " %" G_GUINT64_FORMAT, n_rows);
  else if (command->count == KVSQLD_PG_COUNT_TUPLES)
    g_snprintf (number, sizeof number, " %" G_GINT64_FORMAT, MAX (self->affected, 0));
  kvsqld_pg_output_begin (out, KVSQLD_PG_COMMAND_COMPLETE);
  kvsql_buffer_append (&out->buffer, tag, strlen (tag));
  kvsql_buffer_append (&out->buffer, number, strlen (number) + 1);
  kvsqld_pg_output_end (out);
}

/* Writes at most *limit rows of the page, and subtracts them from it. */
static gboolean
put_rows_of_page (KvsqldPgPortal *self, KvsqldPgFormats formats, guint64 *limit, GError **error)
{
  const KvsqlBatch *rows = self->page->rows;
  guint n = rows != NULL ? (guint)MIN (rows->n_rows - self->row, *limit) : 0;

  if (n > 0 && self->copy.copy != NULL
      && !kvsqld_pg_copy_out_rows (&self->session->output, &self->copy, rows, self->row, n,
                                   self->columns, self->sent, error))
    return FALSE;
  if (n > 0 && self->copy.copy == NULL
      && !kvsqld_pg_put_rows (&self->session->output, rows, self->row, n, self->columns, self->sent,
                              formats, error))
    return FALSE;
  self->row += n;
  *limit -= n;
  return TRUE;
}

static gboolean
put_rows (KvsqldPgPortal *self, KvsqldPgFormats formats, guint max_rows, guint64 *out_n,
          GError **error)
{
  const guint64 most = max_rows > 0 ? max_rows : G_MAXUINT64;
  guint64 left = most;
  g_autoptr (GError) failure = NULL;

  while (self->page != NULL)
    {
      if (!put_rows_of_page (self, formats, &left, error))
        return FALSE;
      if (left == 0)
        break;
      kvsqld_pg_report_warnings (&self->session->output, self->page->warnings);
      if (!fetch (self, (guint)MIN (left, max_rows), &failure))
        {
          close_cursor (self);
          drop_page (self);
          break;
        }
    }
  *out_n = most - left;
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

/* FETCH gives the next rows of its cursor, all at once. */
static gboolean
execute_fetch (KvsqldPgPortal *self, GError **error)
{
  guint64 n = 0;

  drop_page (self);
  if (!put_rows (self->cursor, self->formats, self->statement->command.limit, &n, error))
    {
      self->cursor->has_failed = TRUE;
      return FALSE;
    }
  put_complete (self, n);
  return TRUE;
}

/* The rows of the query, as they are read. */
static gboolean
copy_out (KvsqldPgPortal *self, GError **error)
{
  static const guint16 binary = 1;
  const KvsqlCopy *copy = self->statement->copy;
  KvsqldPgOutput *out = &self->session->output;
  g_autoptr (KvsqldPgPortal) query = kvsqld_pg_portal_new (self->statement->inner);
  guint64 n = 0;

  query->copy.copy = copy;
  if (copy->format == KVSQL_COPY_BINARY)
    query->formats = (KvsqldPgFormats){ &binary, 1 };
  if (!kvsqld_pg_portal_start (query, 0, error)
      || !kvsqld_pg_copy_out_begin (out, copy, query->columns, query->n_columns, error)
      || !put_rows (query, query->formats, 0, &n, error))
    return FALSE;
  kvsqld_pg_copy_out_end (out, &query->copy);
  put_complete (self, n);
  return TRUE;
}

/* COPY FROM goes on with the messages that follow. */
static gboolean
execute_copy (KvsqldPgPortal *self, GError **error)
{
  drop_page (self);
  return self->statement->copy->is_from
             ? kvsqld_pg_copy_in_begin (self->session, self->statement, error)
             : copy_out (self, error);
}

static gboolean
execute (KvsqldPgPortal *self, guint max_rows, GError **error)
{
  guint64 n = 0;

  if (self->n_columns == 0)
    {
      if (self->page != NULL)
        kvsqld_pg_report_warnings (&self->session->output, self->page->warnings);
      drop_page (self);
    }
  else if (!put_rows (self, self->formats, max_rows, &n, error))
    return FALSE;
  if (max_rows > 0 && n == max_rows)
    {
      kvsqld_pg_output_put_empty (&self->session->output, KVSQLD_PG_PORTAL_SUSPENDED);
      return TRUE;
    }
  self->is_done = TRUE;
  put_complete (self, n);
  return TRUE;
}

gboolean
kvsqld_pg_portal_execute (KvsqldPgPortal *self, guint max_rows, GError **error)
{
  const KvsqldPgCommand *command = &self->statement->command;
  gboolean ok;

  if (self->is_done
      && (command->count != KVSQLD_PG_COUNT_ROWS || command->kind == KVSQLD_PG_FETCH
          || command->kind == KVSQLD_PG_COPY))
    {
      kvsql_error_set (error, KVSQL_ERROR_CONFLICT, KVSQL_SPAN_NONE, "portal cannot be run again");
      return kvsql_error_sqlstate (error, "55000");
    }
  if (!kvsqld_pg_session_check (self->session, command, error)
      || (!self->is_started && !kvsqld_pg_portal_start (self, max_rows, error)))
    return FALSE;
  ok = kvsqld_pg_formats_check (self->formats, self->n_columns, error)
       && (command->kind == KVSQLD_PG_COPY ? execute_copy (self, error)
           : self->cursor != NULL          ? execute_fetch (self, error)
                                           : execute (self, max_rows, error));
  keep_rows (self);
  self->is_done = self->is_done || !ok || self->cursor != NULL || command->kind == KVSQLD_PG_COPY;
  return ok;
}
