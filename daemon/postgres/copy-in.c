/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * copy-in.c: see copy-in.h.
 */
#include "config.h"

#include "daemon/postgres/copy-in.h"

#include "core/base/text.h"
#include "daemon/postgres/copy-columns.h"
#include "daemon/postgres/copy-out.h"
#include "daemon/postgres/copy/lines.h"
#include "daemon/postgres/copy/tuples.h"
#include "daemon/postgres/type.h"

#define BATCH_ROWS 1000
#define BATCH_BYTES (1024 * 1024)
#define MAX_ROW_BYTES (16 * 1024 * 1024)
#define BAD_FORMAT "22P04"
#define SHOWN_BYTES 100 /* of a line or value in a context */

/* A column of the data. */
typedef struct
{
  guint32 oid;
  KvsqlType type; /* of its values; NULL: text, whose place determines the type */
  gboolean is_forced_not_null, is_forced_null;
} Column;

struct _KvsqldPgCopyIn
{
  KvsqldPgSession *session;
  KvsqldPgStatement *statement; /* a reference */
  const KvsqlCopy *copy;        /* of the statement */
  KvsqlArena *arena;            /* of the next members */
  const gchar *relation;
  const gchar **names;
  KvsqlResultColumn *described;
  Column *columns;
  KvsqldPgField *fields;
  guint n;
  gint64 deadline_us; /* of statement_timeout; 0: none */

  KvsqldPgLines lines;
  KvsqldPgTuples tuples;
  KvsqlBuffer part; /* a row that has come in part */
  gsize held_bytes; /* of it, as counted in the session */

  KvsqlArena *values; /* of the batch */
  KvsqlBatch *batch;
  guint64 numbers[BATCH_ROWS]; /* of the lines of the batch */
  guint64 n_written;

  /* where an error happens */
  guint64 number;      /* of the line; 0: that of the reader */
  KvsqlSlice line;     /* its text, if it was read */
  const gchar *column; /* nullable */
  const KvsqldPgField *field;

  gchar *text; /* nullable: of a simple query */
  gsize text_size, offset;
};

/* ---- construction */

static KvsqlType
get_vector_type (const Column *column)
{
  return column->type == KVSQL_TYPE_NULL ? KVSQL_TYPE_STRING : column->type;
}

static gboolean
describe (KvsqldPgCopyIn *self, GError **error)
{
  const KvsqldRequest request = kvsqld_pg_session_get_request (self->session);
  const KvsqlCopy *copy = self->copy;

  if (request.is_read_only)
    return kvsql_error_set (error, KVSQL_ERROR_READ_ONLY, KVSQL_SPAN_NONE,
                            "cannot execute COPY FROM in a read-only transaction");
  self->relation = kvsqld_pg_copy_get_relation (copy);
  self->names = kvsqld_pg_copy_get_attributes (copy, self->arena);
  return kvsqld_service_describe_rows (self->session->service, &request, self->relation,
                                       self->names, copy->n_attributes, self->arena,
                                       &self->described, &self->n, error);
}

static gboolean
make_columns (KvsqldPgCopyIn *self, GError **error)
{
  g_autofree gboolean *not_null = g_new (gboolean, self->n + 1);
  g_autofree gboolean *null = g_new (gboolean, self->n + 1);
  g_autofree KvsqlType *types = g_new (KvsqlType, self->n + 1);

  if (!kvsqld_pg_copy_find_columns (self->copy, &self->copy->force_not_null, "FORCE_NOT_NULL",
                                    self->described, self->n, not_null, error)
      || !kvsqld_pg_copy_find_columns (self->copy, &self->copy->force_null, "FORCE_NULL",
                                       self->described, self->n, null, error))
    return FALSE;
  self->names = kvsql_arena_array (self->arena, const gchar *, self->n);
  self->columns = kvsql_arena_array (self->arena, Column, self->n);
  self->fields = kvsql_arena_array (self->arena, KvsqldPgField, self->n);
  for (guint i = 0; i < self->n; i++)
    {
      Column *column = &self->columns[i];

      self->names[i] = self->described[i].name;
      column->oid = kvsqld_pg_type_of_column (&self->described[i])->oid;
      column->type = kvsqld_pg_type_to_engine (column->oid);
      column->is_forced_not_null = not_null[i];
      column->is_forced_null = null[i];
      types[i] = get_vector_type (column);
    }
  self->batch = kvsql_batch_new (types, self->n, BATCH_ROWS);
  return TRUE;
}

gboolean
kvsqld_pg_copy_in_begin (KvsqldPgSession *session, KvsqldPgStatement *statement, GError **error)
{
  KvsqldPgCopyIn *self = g_new0 (KvsqldPgCopyIn, 1);
  gint64 timeout_ms = kvsqld_pg_settings_get_timeout_ms (session->settings);

  self->session = session;
  self->statement = kvsqld_pg_statement_ref (statement);
  self->copy = statement->copy;
  self->arena = kvsql_arena_new ();
  self->values = kvsql_arena_new ();
  self->deadline_us = timeout_ms > 0 ? g_get_monotonic_time () + timeout_ms * 1000 : 0;
  if (!describe (self, error) || !make_columns (self, error))
    {
      kvsqld_pg_copy_in_free (self);
      return FALSE;
    }
  kvsqld_pg_lines_init (&self->lines, self->copy);
  self->tuples.n_fields = self->n;
  session->copy_in = self;
  kvsqld_pg_copy_put_formats (&session->output, KVSQLD_PG_COPY_IN, self->copy, self->n);
  return TRUE;
}

static void
count_held (KvsqldPgCopyIn *self, gsize bytes)
{
  kvsqld_service_hold (self->session->service, self->session->holding,
                       (gssize)bytes - (gssize)self->held_bytes);
  self->held_bytes = bytes;
}

void
kvsqld_pg_copy_in_free (KvsqldPgCopyIn *self)
{
  if (self == NULL)
    return;
  count_held (self, 0);
  kvsql_buffer_clear (&self->part);
  kvsql_batch_free (self->batch);
  kvsql_arena_free (self->values);
  kvsql_arena_free (self->arena);
  kvsqld_pg_statement_unref (self->statement);
  g_free (self->text);
  g_free (self);
}

/* ---- errors */

static gboolean
is_binary (const KvsqldPgCopyIn *self)
{
  return self->copy->format == KVSQL_COPY_BINARY;
}

/* At most SHOWN_BYTES of it, of whole characters. */
static gchar *
shorten (KvsqlSlice text)
{
  gsize size = MIN (text.size, SHOWN_BYTES);

  if (size == text.size)
    return g_strndup ((const gchar *)text.data, size);
  while (size > 0 && (text.data[size] & 0xc0) == 0x80)
    size--;
  return g_strdup_printf ("%.*s...", (gint)size, (const gchar *)text.data);
}

static void
set_context (const KvsqldPgCopyIn *self, GError **error)
{
  guint64 reader = is_binary (self) ? self->tuples.number : self->lines.number;
  guint64 number = self->number > 0 ? self->number : reader;
  g_autofree gchar *start
      = g_strdup_printf ("COPY %s, line %" G_GUINT64_FORMAT, self->relation, number);
  g_autofree gchar *shown = NULL, *context = NULL;

  if (self->column != NULL && is_binary (self))
    context = g_strdup_printf ("%s, column %s", start, self->column);
  else if (self->column != NULL && (self->field == NULL || self->field->is_null))
    context = g_strdup_printf ("%s, column %s: null input", start, self->column);
  else if (self->column != NULL)
    {
      shown = shorten (self->field->bytes);
      context = g_strdup_printf ("%s, column %s: \"%s\"", start, self->column, shown);
    }
  else if (self->line.data != NULL)
    {
      shown = shorten (self->line);
      context = g_strdup_printf ("%s: \"%s\"", start, shown);
    }
  if (number > 0) /* 0: in the header of the binary format */
    kvsql_error_context (error, context != NULL ? context : start);
}

/* Completes an error: where it happened, and what stays. */
static gboolean
fail (const KvsqldPgCopyIn *self, GError **error)
{
  set_context (self, error);
  if (self->n_written > 0)
    kvsql_error_detail (error, "%" G_GUINT64_FORMAT " tuple%s had been written before.",
                        self->n_written, self->n_written == 1 ? "" : "s");
  else if (error != NULL && *error != NULL && kvsql_error_get_row (*error) > 0)
    kvsql_error_detail (error, "No tuple was written."); /* instead of its number in the batch */
  return FALSE;
}

/* ---- batches */

static gboolean
write_batch (KvsqldPgCopyIn *self, GError **error)
{
  KvsqldRequest request = kvsqld_pg_session_get_request (self->session);
  gint64 n_written = 0;
  gboolean ok;
  guint row;

  if (self->batch->n_rows == 0)
    return TRUE;
  request.n_written = self->n_written;
  ok = kvsqld_service_insert_rows (self->session->service, &request, self->relation, self->names,
                                   self->batch, &n_written, error);
  self->n_written += (guint64)n_written;
  self->session->block.changes.n_tuples += n_written;
  if (!ok)
    {
      row = error != NULL && *error != NULL ? kvsql_error_get_row (*error) : 0;
      self->number = self->numbers[(row > 0 && row <= self->batch->n_rows ? row : 1) - 1];
      self->line = KVSQL_SLICE_EMPTY;
      return FALSE;
    }
  kvsql_batch_reset (self->batch);
  kvsql_arena_reset (self->values);
  return TRUE;
}

/* ---- rows */

/* The options that make NULL a text, or a quoted text NULL. */
static void
apply_forces (const KvsqldPgCopyIn *self, guint n)
{
  KvsqlSlice null = kvsql_slice_from_text (self->copy->null);

  for (guint i = 0; i < n; i++)
    {
      KvsqldPgField *field = &self->fields[i];

      if (field->is_null && self->columns[i].is_forced_not_null)
        *field = (KvsqldPgField){ null, FALSE };
      else if (!field->is_null && self->columns[i].is_forced_null && field->bytes.size == null.size
               && (null.size == 0 || memcmp (field->bytes.data, null.data, null.size) == 0))
        field->is_null = TRUE;
    }
}

static gboolean
fail_missing (KvsqldPgCopyIn *self, guint column, GError **error)
{
  self->column = NULL;
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "missing data for column \"%s\"",
                   self->names[column]);
  return kvsql_error_sqlstate (error, BAD_FORMAT);
}

/* Adds the first @n fields as a row of the batch, which is written when it is full. A value that
 * cannot be read is an error before one that is missing, as in PostgreSQL. */
static gboolean
add_row (KvsqldPgCopyIn *self, guint64 number, guint n, GError **error)
{
  guint row = self->batch->n_rows;

  for (guint i = 0; i < self->n; i++)
    {
      KvsqlValue value = KVSQL_VALUE_NULL;

      if (i == n)
        return fail_missing (self, i, error);
      self->column = self->names[i];
      self->field = &self->fields[i];
      if (!self->fields[i].is_null
          && !kvsqld_pg_type_read (self->columns[i].oid, is_binary (self), self->fields[i].bytes,
                                   self->values, &value, error))
        return FALSE;
      kvsql_vector_set (&self->batch->columns[i], row, &value);
    }
  self->column = NULL;
  self->numbers[row] = number;
  self->batch->n_rows++;
  return (self->batch->n_rows < BATCH_ROWS && kvsql_arena_get_size (self->values) < BATCH_BYTES)
         || write_batch (self, error);
}

/* ---- text and CSV */

static gboolean
is_field (const KvsqldPgField *field, const gchar *text)
{
  return field->bytes.size == strlen (text)
         && memcmp (field->bytes.data, text, field->bytes.size) == 0;
}

static gboolean
check_header (const KvsqldPgCopyIn *self, guint n, GError **error)
{
  if (n != self->n)
    {
      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                       "wrong number of fields in header line: got %u, expected %u", n, self->n);
      return kvsql_error_sqlstate (error, BAD_FORMAT);
    }
  for (guint i = 0; i < self->n; i++)
    {
      g_autofree gchar *got = NULL;

      if (!self->fields[i].is_null && is_field (&self->fields[i], self->names[i]))
        continue;
      got = self->fields[i].is_null
                ? g_strdup_printf ("null value (\"%s\")", self->copy->null)
                : g_strdup_printf ("\"%.*s\"", (gint)MIN (self->fields[i].bytes.size, SHOWN_BYTES),
                                   (const gchar *)self->fields[i].bytes.data);
      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                       "column name mismatch in header line field %u: got %s, expected \"%s\"",
                       i + 1, got, self->names[i]);
      return kvsql_error_sqlstate (error, BAD_FORMAT);
    }
  return TRUE;
}

static gboolean
check_encoding (KvsqldPgCopyIn *self, KvsqlSlice line, GError **error)
{
  if (kvsql_text_is_valid (line))
    return TRUE;
  self->line = KVSQL_SLICE_EMPTY;
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "invalid byte sequence for encoding \"UTF8\"");
  return kvsql_error_sqlstate (error, "22021");
}

static gboolean
take_line (KvsqldPgCopyIn *self, guint64 number, KvsqlSlice line, GError **error)
{
  gboolean is_header = number == 1 && self->copy->header != KVSQL_COPY_NO_HEADER;
  guint n;

  self->line = line.data != NULL ? line : kvsql_slice_from_text ("");
  if (!check_encoding (self, line, error))
    return FALSE;
  if (is_header && self->copy->header != KVSQL_COPY_HEADER_MATCH)
    return TRUE;
  if (!kvsqld_pg_fields_split (self->copy, line, self->values, self->fields, self->n, &n, error))
    return FALSE;
  if (is_header)
    return check_header (self, n, error);
  if (n > self->n)
    {
      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                       "extra data after last expected column");
      return kvsql_error_sqlstate (error, BAD_FORMAT);
    }
  apply_forces (self, n);
  return add_row (self, number, n, error);
}

/* ---- the data */

static gboolean
take_tuple (KvsqldPgCopyIn *self, KvsqlSlice bytes, gboolean is_last, gsize *out_used,
            GError **error)
{
  switch (kvsqld_pg_tuples_next (&self->tuples, bytes, is_last, out_used, self->fields, error))
    {
    case KVSQLD_PG_TUPLE_WHOLE:
      return add_row (self, self->tuples.number, self->n, error);
    case KVSQLD_PG_TUPLE_BAD:
      if (self->tuples.field > 0)
        self->column = self->names[self->tuples.field - 1];
      return FALSE;
    default:
      return FALSE;
    }
}

/* Takes a row of @bytes. *out_used: its bytes. FALSE without an error: there is no whole one */
static gboolean
take_row (KvsqldPgCopyIn *self, KvsqlSlice bytes, gboolean is_last, gsize *out_used, GError **error)
{
  KvsqlSlice line;

  self->number = 0;
  self->column = NULL;
  self->line = KVSQL_SLICE_EMPTY;
  if (is_binary (self))
    return take_tuple (self, bytes, is_last, out_used, error);
  return kvsqld_pg_lines_next (&self->lines, bytes, is_last, out_used, &line, error)
             == KVSQLD_PG_LINE_WHOLE
         && take_line (self, self->lines.number, line, error);
}

/* Takes all whole rows of @bytes. Returns how many bytes they have. */
static gsize
take_rows (KvsqldPgCopyIn *self, KvsqlSlice bytes, gboolean is_last, GError **error)
{
  gsize at = 0, used;
  gboolean more = TRUE;

  while (more)
    {
      more = take_row (self, kvsql_slice (bytes.data + at, bytes.size - at), is_last, &used, error);
      at += used;
    }
  return at;
}

/* Keeps the bytes after @used of those that were looked at, which are the part itself, or @bytes.
 */
static gboolean
keep_rest (KvsqldPgCopyIn *self, KvsqlSlice bytes, gsize used, GError **error)
{
  gsize left = bytes.size - used;

  if (left > MAX_ROW_BYTES)
    {
      self->line = KVSQL_SLICE_EMPTY;
      return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                              "a row of COPY has at most %d bytes", MAX_ROW_BYTES);
    }
  if (self->part.size > 0) /* then @bytes are those of the part */
    {
      memmove (self->part.data, self->part.data + used, left);
      self->part.size = left;
    }
  else if (left > 0)
    kvsql_buffer_append (&self->part, bytes.data + used, left);
  if (left == 0)
    kvsql_buffer_clear (&self->part);
  count_held (self, self->part.capacity);
  return left == 0 || kvsqld_pg_session_check_memory (self->session, error);
}

static gboolean
take_data (KvsqldPgCopyIn *self, KvsqlSlice bytes, gboolean is_last, GError **error)
{
  g_autoptr (GError) failure = NULL;
  gsize used;

  if (self->part.size > 0)
    {
      kvsql_buffer_append_slice (&self->part, bytes);
      bytes = kvsql_buffer_slice (&self->part);
    }
  used = take_rows (self, bytes, is_last, &failure);
  if (failure == NULL)
    return keep_rest (self, bytes, used, error);
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

static gboolean
finish (KvsqldPgCopyIn *self, GError **error)
{
  KvsqldPgOutput *out = &self->session->output;
  gchar tag[40];

  if (!take_data (self, KVSQL_SLICE_EMPTY, TRUE, error) || !write_batch (self, error))
    return FALSE;
  g_snprintf (tag, sizeof tag, "COPY %" G_GUINT64_FORMAT, self->n_written);
  kvsqld_pg_output_begin (out, KVSQLD_PG_COMMAND_COMPLETE);
  kvsql_buffer_append (&out->buffer, tag, strlen (tag) + 1);
  kvsqld_pg_output_end (out);
  return TRUE;
}

/* ---- messages */

static gboolean
fail_as_wished (KvsqldPgCopyIn *self, KvsqldPgMessage *message, GError **error)
{
  const gchar *reason = kvsqld_pg_get_text (message);
  guint64 *number = is_binary (self) ? &self->tuples.number : &self->lines.number;

  self->number = *number + !(is_binary (self) ? self->tuples.is_inside : self->lines.is_inside);
  return kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE,
                          "COPY from stdin failed: %s", reason);
}

static gboolean
check (const KvsqldPgCopyIn *self, GError **error)
{
  if (self->deadline_us > 0 && g_get_monotonic_time () > self->deadline_us)
    return kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE,
                            "canceling statement due to statement timeout");
  return kvsqld_pg_session_check (self->session, &self->statement->command, error);
}

gboolean
kvsqld_pg_copy_in_message (KvsqldPgCopyIn *self, KvsqldPgMessage *message, gboolean *out_is_done,
                           GError **error)
{
  gboolean ok;

  *out_is_done = message->type == KVSQLD_PG_COPY_DONE;
  self->number = 0;
  self->column = NULL;
  self->line = KVSQL_SLICE_EMPTY;
  ok = check (self, error);
  if (ok && message->type == 'f')
    ok = fail_as_wished (self, message, error);
  else if (ok && *out_is_done)
    ok = finish (self, error);
  else if (ok)
    ok = take_data (self, kvsql_slice (message->at, (gsize)(message->end - message->at)), FALSE,
                    error);
  return ok || fail (self, error);
}

/* ---- the rest of a simple query */

void
kvsqld_pg_copy_in_keep_text (KvsqldPgCopyIn *self, KvsqlSlice text, gsize offset)
{
  self->text = g_strndup ((const gchar *)text.data, text.size);
  self->text_size = text.size;
  self->offset = offset;
}

gboolean
kvsqld_pg_copy_in_take_text (KvsqldPgCopyIn *self, gchar **out_text, gsize *out_size,
                             gsize *out_offset)
{
  *out_size = self->text_size;
  *out_offset = self->offset;
  *out_text = g_steal_pointer (&self->text);
  return *out_text != NULL;
}
