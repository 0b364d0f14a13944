/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * batch.c: see batch.h.
 */
#include "config.h"

#include "client/ctl/import/batch.h"

#include <stdio.h>
#include <string.h>

static void
row_clear (gpointer data)
{
  kvsqlctl_problem_clear (&((KvsqlctlRow *)data)->problem);
}

KvsqlctlBatch *
kvsqlctl_batch_new (const KvsqlctlTarget *target)
{
  KvsqlctlBatch *self = g_new0 (KvsqlctlBatch, 1);

  self->target = target;
  self->bytes = g_string_new (NULL);
  self->unescaped = g_string_new (NULL);
  self->fields = g_array_new (FALSE, TRUE, sizeof (KvsqlctlField));
  self->rows = g_array_new (FALSE, TRUE, sizeof (KvsqlctlRow));
  self->keys = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_set_clear_func (self->rows, row_clear);
  return self;
}

void
kvsqlctl_batch_free (KvsqlctlBatch *self)
{
  if (self == NULL)
    return;
  g_string_free (self->bytes, TRUE);
  g_string_free (self->unescaped, TRUE);
  g_array_unref (self->fields);
  g_array_unref (self->rows);
  g_array_unref (self->keys);
  g_free (self);
}

static KvsqlctlRow *
row_at (const KvsqlctlBatch *self, guint index)
{
  return &g_array_index (self->rows, KvsqlctlRow, index);
}

const gchar *
kvsqlctl_batch_get_bytes (const KvsqlctlBatch *self, const KvsqlctlRow *row)
{
  return self->bytes->str + row->start;
}

static const KvsqlctlField *
field_at (const KvsqlctlBatch *self, guint row, guint column)
{
  return &g_array_index (self->fields, KvsqlctlField, row * self->target->columns->len + column);
}

/* The row that determines the columns of the batch. */
static const KvsqlctlField *
pattern_of (const KvsqlctlBatch *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    if (row_at (self, i)->problem.message == NULL)
      return field_at (self, i, 0);
  return NULL;
}

/* ---- filling */

gboolean
kvsqlctl_batch_fits (const KvsqlctlBatch *self, const KvsqlctlField *fields)
{
  const KvsqlctlField *pattern = pattern_of (self);

  for (guint i = 0; pattern != NULL && i < self->target->columns->len; i++)
    if ((fields[i].kind == KVSQLCTL_FIELD_MISSING) != (pattern[i].kind == KVSQLCTL_FIELD_MISSING))
      return FALSE;
  return TRUE;
}

void
kvsqlctl_batch_add (KvsqlctlBatch *self, const KvsqlctlReader *reader, const KvsqlctlField *fields,
                    KvsqlctlProblem *problem)
{
  const KvsqlctlRecord *record = &reader->record;
  guint n_columns = self->target->columns->len, first = self->fields->len;
  KvsqlctlRow row = { .start = self->bytes->len, .size = record->size, .line = reader->line };

  if (problem != NULL)
    row.problem = *problem;
  g_array_set_size (self->fields, first + n_columns);
  for (guint i = 0; fields != NULL && i < n_columns; i++)
    {
      KvsqlctlField field = fields[i];

      field.start += field.is_unescaped ? self->unescaped->len : self->bytes->len;
      g_array_index (self->fields, KvsqlctlField, first + i) = field;
    }
  g_string_append_len (self->bytes, reader->bytes, (gssize)record->size);
  g_string_append_len (self->unescaped, record->unescaped->str, (gssize)record->unescaped->len);
  g_array_append_val (self->rows, row);
  self->end_offset = reader->offset + record->size;
  self->end_line = reader->line + reader->n_lines;
}

/* ---- sending */

typedef struct
{
  KvsqlctlBatch *batch;
  KvsqlConnection *connection;
  const KvsqlctlRetryPolicy *retry_policy;
} Sending;

static KvsqlBulk *
new_bulk (Sending *self)
{
  const KvsqlctlTarget *target = self->batch->target;
  const KvsqlctlField *pattern = pattern_of (self->batch);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < target->columns->len; i++)
    if (pattern == NULL || pattern[i].kind != KVSQLCTL_FIELD_MISSING)
      g_ptr_array_add (names, target->names[i]);
  g_ptr_array_add (names, NULL);
  return kvsql_bulk_new (self->connection, target->relation, (const gchar *const *)names->pdata);
}

static gboolean
append_row (KvsqlctlBatch *self, KvsqlBulk *bulk, guint index)
{
  KvsqlctlRow *row = row_at (self, index);
  guint column = 0;

  for (guint i = 0; i < self->target->columns->len; i++)
    {
      const KvsqlctlField *field = field_at (self, index, i);
      const gchar *text = (field->is_unescaped ? self->unescaped : self->bytes)->str + field->start;

      if (field->kind == KVSQLCTL_FIELD_MISSING)
        continue;
      if (!kvsqlctl_append_field (bulk, column++, kvsqlctl_target_get_attribute (self->target, i),
                                  field->kind, text, field->size, &row->problem))
        {
          row->problem.place = field->place;
          return FALSE;
        }
    }
  return TRUE;
}

/* Fills @bulk with the rows that are not rejected, and @out_rows with their numbers. */
static void
fill (Sending *self, guint from, guint to, KvsqlBulk *bulk, GArray *out_rows)
{
  gboolean is_clean;

  /* A row that is rejected halfway leaves columns of different lengths: start again without it. */
  do
    {
      is_clean = TRUE;
      kvsql_bulk_clear (bulk);
      g_array_set_size (out_rows, 0);
      for (guint i = from; i < to; i++)
        {
          if (row_at (self->batch, i)->problem.message != NULL)
            continue;
          if (append_row (self->batch, bulk, i))
            g_array_append_val (out_rows, i);
          else
            is_clean = FALSE;
        }
    }
  while (!is_clean);
}

/* Repeats the request until its outcome is known, or the retry policy ends. */
static gboolean
insert (Sending *self, KvsqlBulk *bulk, GError **error)
{
  KvsqlctlBackoff backoff = { 0 };

  for (;;)
    {
      g_autoptr (GError) cause = NULL;

      if (kvsql_bulk_insert (bulk, self->retry_policy->cancellable, &cause) >= 0)
        return TRUE;
      if (!kvsqlctl_error_is_transient (cause)
          || !kvsqlctl_retry_policy_wait (self->retry_policy, &backoff))
        {
          g_propagate_error (error, g_steal_pointer (&cause));
          return FALSE;
        }
    }
}

/* kvsqld's detail contains the number of the rejected row in the request, from 1; 0: it does
 * not. */
static guint
rejected_row (const GError *error)
{
  const gchar *detail = kvsql_client_error_get_detail (error);
  const gchar *at = detail != NULL ? strstr (detail, "This is row ") : NULL;
  guint row = 0;

  return at != NULL && sscanf (at, "This is row %u of", &row) == 1 ? row : 0;
}

static gboolean
is_about_rows (const GError *error)
{
  return rejected_row (error) > 0
         || g_error_matches (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_VALUE)
         || g_error_matches (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_TYPE)
         || g_error_matches (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_LIMIT);
}

/* The field of the attribute that the message names. */
static gsize
place_of (const KvsqlctlBatch *self, guint row, const gchar *message)
{
  for (guint i = 0; i < self->target->columns->len; i++)
    {
      g_autofree gchar *quoted = g_strdup_printf ("\"%s\"", self->target->names[i]);

      if (strstr (message, quoted) != NULL)
        return field_at (self, row, i)->place;
    }
  return 0;
}

void
kvsqlctl_batch_reject (KvsqlctlBatch *self, guint row, const GError *error)
{
  row_at (self, row)->problem = (KvsqlctlProblem){ g_strdup (error->message),
                                                   g_strdup (kvsql_client_error_get_hint (error)),
                                                   place_of (self, row, error->message) };
}

static gboolean send_rows (Sending *self, guint from, guint to, GError **error);

/* Sends the other rows without the rejected one. If that is unknown, sends each half separately. */
static gboolean
send_others (Sending *self, const GArray *rows, guint first, guint to, const GError *cause,
             GError **error)
{
  guint n = rows->len - first, row = rejected_row (cause), at;

  if (row > n || (row == 0 && n == 1))
    row = n;
  at = g_array_index (rows, guint, first + (row > 0 ? row - 1 : n / 2));
  if (row > 0)
    kvsqlctl_batch_reject (self->batch, at, cause);
  return send_rows (self, g_array_index (rows, guint, first), at, error)
         && send_rows (self, at, to, error);
}

static gboolean
send_rows (Sending *self, guint from, guint to, GError **error)
{
  g_autoptr (KvsqlBulk) bulk = NULL;
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GError) cause = NULL;
  guint first;

  if (from >= to)
    return TRUE;
  bulk = new_bulk (self);
  fill (self, from, to, bulk, rows);
  if (rows->len == 0)
    return TRUE;
  if (insert (self, bulk, &cause))
    {
      self->batch->n_written += rows->len;
      return TRUE;
    }
  first = rows->len - (guint)kvsql_bulk_get_n_rows (bulk);
  self->batch->n_written += first;
  if (!kvsqlctl_error_is_transient (cause) && is_about_rows (cause))
    return send_others (self, rows, first, to, cause, error);
  g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

gboolean
kvsqlctl_batch_send (KvsqlctlBatch *self, KvsqlConnection *connection,
                     const KvsqlctlRetryPolicy *retry_policy, GError **error)
{
  Sending sending = { self, connection, retry_policy };

  return send_rows (&sending, 0, self->rows->len, error);
}
