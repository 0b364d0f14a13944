/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * dry.c: shows the key-values of the first rows of a file.
 *
 * They are sent as INSERTs with parameters, which kvsqld explains and does not run.
 */
#include "config.h"

#include "client/ctl/import/dry.h"

#include <string.h>

#include "client/ctl/calls.h"
#include "client/ctl/execute.h"
#include "client/ctl/import/reject.h"
#include "client/ctl/report.h"

#define SHOWN_ROWS 5

/* Reads the first rows into a batch, and reports the invalid ones. */
static KvsqlctlBatch *
read_rows (const KvsqlctlTarget *target, KvsqlctlReader *reader, GError **error)
{
  g_autoptr (KvsqlctlBatch) batch = kvsqlctl_batch_new (target);
  g_autofree KvsqlctlField *fields = g_new0 (KvsqlctlField, target->columns->len);
  gboolean is_ndjson = reader->file_format.format == KVSQLCTL_FORMAT_NDJSON;

  while (batch->rows->len < SHOWN_ROWS)
    {
      const KvsqlctlRecord *record = &reader->record;
      KvsqlctlProblem problem = { 0 };

      switch (kvsqlctl_reader_next (reader, error))
        {
        case KVSQLCTL_READ_RECORD:
          if (kvsqlctl_target_arrange (target, record, reader->bytes, is_ndjson, fields, &problem))
            kvsqlctl_batch_add (batch, reader, fields, NULL);
          else
            kvsqlctl_batch_add (batch, reader, NULL, &problem);
          break;
        case KVSQLCTL_READ_BAD:
          problem = (KvsqlctlProblem){ g_strdup (record->problem), g_strdup (record->hint),
                                       record->place };
          kvsqlctl_batch_add (batch, reader, NULL, &problem);
          break;
        case KVSQLCTL_READ_END:
          return g_steal_pointer (&batch);
        case KVSQLCTL_READ_ERROR:
          return NULL;
        default:
          break;
        }
    }
  return g_steal_pointer (&batch);
}

static gboolean
add_param (KvsqlParams *params, const KvsqlctlAttribute *attribute, const KvsqlctlField *field,
           const gchar *bytes, KvsqlctlProblem *problem)
{
  g_autofree gchar *text = g_strndup (bytes, field->size);
  g_autoptr (GByteArray) hex = NULL;
  g_autoptr (GError) error = NULL;

  if (field->kind == KVSQLCTL_FIELD_NULL)
    {
      kvsql_params_add_null (params, NULL);
      return TRUE;
    }
  if (!kvsqlctl_check_kind (attribute, field->kind, problem))
    {
      problem->place = field->place;
      return FALSE;
    }
  if (attribute->type == KVSQL_COLUMN_TYPE_BYTES)
    hex = kvsqlctl_read_hex (bytes, field->size);
  if (hex != NULL)
    kvsql_params_add_bytes (params, NULL, hex->data, hex->len);
  else
    kvsql_params_add_text (params, NULL, attribute->type, text, &error);
  if (error == NULL)
    return TRUE;
  *problem = (KvsqlctlProblem){
    g_strdup_printf ("attribute \"%s\": %s", attribute->name, error->message), NULL, field->place
  };
  return FALSE;
}

/* Appends "(?, DEFAULT, ?)" and its parameters. */
static void
append_row (GString *sql, KvsqlParams *params, KvsqlctlBatch *batch, guint index)
{
  const KvsqlctlTarget *target = batch->target;
  KvsqlctlRow *row = &g_array_index (batch->rows, KvsqlctlRow, index);

  for (guint i = 0; i < target->columns->len && row->problem.message == NULL; i++)
    {
      const KvsqlctlField *field
          = &g_array_index (batch->fields, KvsqlctlField, index * target->columns->len + i);
      GString *bytes = field->is_unescaped ? batch->unescaped : batch->bytes;

      if (field->kind == KVSQLCTL_FIELD_MISSING
          || add_param (params, kvsqlctl_target_get_attribute (target, i), field,
                        bytes->str + field->start, &row->problem))
        g_string_append_printf (sql, "%s%s", i > 0 ? ", " : "(",
                                field->kind == KVSQLCTL_FIELD_MISSING ? "DEFAULT" : "?");
    }
  g_string_append_c (sql, ')');
}

static gchar *
begin_statement (const KvsqlctlTarget *target)
{
  g_autofree gchar *relation = kvsqlctl_quote_name (target->relation);
  GString *sql = g_string_new (KVSQLCTL_CALLS_PREFIX "INSERT INTO ");

  g_string_append (sql, relation);
  for (guint i = 0; i < target->columns->len; i++)
    {
      g_autofree gchar *name = kvsqlctl_quote_name (target->names[i]);

      g_string_append_printf (sql, "%s%s", i > 0 ? ", " : " (", name);
    }
  g_string_append (sql, ") VALUES ");
  return g_string_free (sql, FALSE);
}

/* One statement for each row, so that a rejected row does not hide the others. */
static gboolean
explain_row (Kvsqlctl *ctl, KvsqlctlBatch *batch, guint index, GPtrArray *calls, GError **error)
{
  g_autofree gchar *begin = begin_statement (batch->target);
  g_autoptr (GString) sql = g_string_new (begin);
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  g_autoptr (KvsqlResult) result = NULL;
  KvsqlctlRow *row = &g_array_index (batch->rows, KvsqlctlRow, index);

  if (row->problem.message == NULL)
    append_row (sql, params, batch, index);
  if (row->problem.message != NULL)
    return TRUE;
  result = kvsql_connection_query (ctl->connection, sql->str, params, NULL, error);
  return result != NULL && kvsqlctl_calls_add (calls, result, error);
}

/* EXPLAIN shows less than what an INSERT may have. So such a row is not rejected. */
static void
warn_of_limit (Kvsqlctl *ctl, const KvsqlctlReader *reader, const KvsqlctlRow *row,
               const GError *cause)
{
  g_autofree gchar *text = g_strdup_printf ("%s:%" G_GUINT64_FORMAT ": this row is not shown: %s",
                                            reader->name, row->line, cause->message);

  kvsqlctl_report_warnings (ctl, (const gchar *[]){ text, NULL });
}

KvsqlctlStatus
kvsqlctl_import_dry (Kvsqlctl *ctl, const KvsqlctlTarget *target, KvsqlctlReader *reader)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlctlBatch) batch = read_rows (target, reader, &error);
  g_autoptr (GPtrArray) calls = kvsqlctl_calls_new ();
  KvsqlctlRejects rejects = { ctl, reader->name, NULL, -1, 0, NULL };
  KvsqlctlStatus status = KVSQLCTL_DONE;

  if (batch == NULL)
    return kvsqlctl_report (ctl, error, NULL);
  for (guint i = 0; i < batch->rows->len; i++)
    {
      KvsqlctlRow *row = &g_array_index (batch->rows, KvsqlctlRow, i);
      g_autoptr (GError) cause = NULL;

      if (!explain_row (ctl, batch, i, calls, &cause))
        {
          if (kvsqlctl_status_of (cause) == KVSQLCTL_UNREACHABLE)
            return kvsqlctl_report (ctl, cause, NULL);
          if (g_error_matches (cause, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_LIMIT))
            warn_of_limit (ctl, reader, row, cause);
          else
            kvsqlctl_batch_reject (batch, i, cause);
        }
      if (row->problem.message == NULL)
        continue;
      status = KVSQLCTL_FAILED;
      if (!kvsqlctl_rejects_add (&rejects, row, kvsqlctl_batch_get_bytes (batch, row), NULL))
        g_assert_not_reached (); /* there is no file to write to */
    }
  if (calls->len > 0)
    kvsqlctl_calls_show (calls, ctl);
  return status;
}
