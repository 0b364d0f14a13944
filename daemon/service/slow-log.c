/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * slow-log.c: see the header.
 */
#include "config.h"

#include "daemon/service/slow-log.h"

#include "daemon/log/log.h"
#include "daemon/service/service-private.h"
#include "daemon/session/statement-shape.h"

gboolean
kvsqld_slow_log_admit (KvsqldSlowLog *self, gint64 now_us, guint *out_left_out)
{
  if (self->window_us == 0 || now_us - self->window_us >= KVSQLD_SLOW_WINDOW_US)
    {
      self->window_us = now_us;
      self->n_lines = 0;
    }
  if (self->n_lines >= KVSQLD_SLOW_LINES)
    {
      self->n_left_out++;
      return FALSE;
    }
  self->n_lines++;
  *out_left_out = self->n_left_out;
  self->n_left_out = 0;
  return TRUE;
}

static void
write_line (const KvsqldContext *context, gint64 duration_us, guint n_left_out, const GError *error)
{
  g_autofree gchar *shape = kvsqld_statement_shape (context->text);
  g_autofree gchar *hash = kvsqld_log_statement_hash (shape, strlen (shape));
  g_autofree gchar *who = context->request->session == NULL
                              ? NULL
                              : kvsqld_session_describe (context->request->session);
  KvsqldLogFields fields = { .message_id = KVSQLD_MESSAGE_SLOW_STATEMENT,
                             .request_id = context->request->request_id,
                             .statement_hash = hash,
                             .store = context->service->store_url,
                             .peer = who,
                             .duration_us = duration_us };

  if (n_left_out > 0)
    kvsqld_log (G_LOG_LEVEL_WARNING, NULL, "%u slow statements were not logged", n_left_out);
  kvsqld_log (G_LOG_LEVEL_WARNING, &fields,
              "slow statement %s: %" G_GINT64_FORMAT " ms, %" G_GINT64_FORMAT
              " rows read in %" G_GINT64_FORMAT " calls of the store, %s, %s: %s",
              hash, duration_us / 1000, kvsql_count_get (&context->usage.n_rows),
              kvsql_count_get (&context->usage.n_calls),
              error == NULL ? "ok" : kvsql_error_code_sqlstate ((KvsqlErrorCode)error->code),
              who != NULL ? who : "no session", shape);
}

void
kvsqld_context_log_if_slow (KvsqldContext *self, const GError *error)
{
  gint64 now_us = g_get_monotonic_time (), duration_us = now_us - self->began_us;
  KvsqldService *service = self->service;
  gboolean is_admitted;
  guint n_left_out = 0;

  if (self->limits.slow_statement_ms == 0 || self->text.size == 0
      || duration_us < self->limits.slow_statement_ms * 1000)
    return;
  kvsql_count_add (&service->metrics.n_slow, 1);
  g_mutex_lock (&service->mutex);
  is_admitted = kvsqld_slow_log_admit (&service->slow, now_us, &n_left_out);
  g_mutex_unlock (&service->mutex);
  if (is_admitted)
    write_line (self, duration_us, n_left_out, error);
}
