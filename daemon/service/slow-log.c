/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * slow-log.c: logs slow statements.
 */
#include "config.h"

#include "daemon/log/log.h"
#include "daemon/service/service-private.h"
#include "daemon/session/statement-shape.h"

static void
write_line (const KvsqldContext *context, gint64 duration_us, const gchar *note,
            const GError *error)
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

  kvsqld_log (G_LOG_LEVEL_WARNING, &fields,
              "slow statement %s: %" G_GINT64_FORMAT " ms, %" G_GINT64_FORMAT
              " rows read in %" G_GINT64_FORMAT " calls of the store, %s, %s: %s%s",
              hash, duration_us / 1000, kvsql_count_get (&context->usage.n_rows),
              kvsql_count_get (&context->usage.n_calls),
              error == NULL ? "ok" : kvsql_error_code_sqlstate ((KvsqlErrorCode)error->code),
              who != NULL ? who : "no session", shape, note);
}

void
kvsqld_context_log_if_slow (KvsqldContext *self, gint64 now_us, const GError *error)
{
  gint64 duration_us = now_us - self->began_us;
  g_autofree gchar *note = NULL;

  if (self->limits.slow_statement_ms == 0 || self->text.size == 0
      || duration_us < self->limits.slow_statement_ms * 1000)
    return;
  kvsql_count_add (&self->service->metrics.n_slow, 1);
  /* many slow statements would hide all other lines */
  if (kvsqld_log_rate_admit (&self->service->slow_lines, now_us, &note))
    write_line (self, duration_us, note, error);
}
