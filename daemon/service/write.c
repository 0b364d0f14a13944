/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write.c: INSERT, UPDATE and DELETE, and insert by columns.
 */
#include "config.h"

#include "core/engine/insert.h"
#include "core/engine/write.h"
#include "daemon/service/service-private.h"

KvsqlResultPage *
kvsqld_run_write (KvsqldContext *context, GError **error)
{
  const KvsqlExecution execution = kvsqld_context_get_execution (context);

  return kvsql_execute_write_page (&execution, context->statement, error);
}

gboolean
kvsqld_service_insert_rows (KvsqldService *self, const KvsqldRequest *request,
                            const gchar *relation, const gchar *const *attributes,
                            const KvsqlBatch *data, gint64 *out_affected, GError **error)
{
  g_autofree gchar *text = g_strconcat ("INSERT INTO ", relation, NULL);
  KvsqldContext context;
  gboolean ok = FALSE;

  kvsqld_context_begin (&context, self, request, kvsql_slice_from_text (text));
  context.kind = KVSQLD_REQUEST_INSERT;
  if (context.request->is_read_only)
    kvsql_error_set (error, KVSQL_ERROR_READ_ONLY, KVSQL_SPAN_NONE,
                     "the request is read-only, and insertRows writes");
  else if (kvsqld_context_admit (&context, error))
    {
      KvsqlExecution execution = kvsqld_context_get_execution (&context);
      ok = kvsql_execute_insert_columns (&execution, relation, attributes, data, error);
    }
  if (ok)
    {
      *out_affected = data->n_rows;
      kvsql_count_add (&self->metrics.n_tuples_changed, data->n_rows);
    }
  kvsqld_context_end (&context, ok, error);
  return ok;
}
