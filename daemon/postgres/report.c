/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * report.c: see report.h.
 */
#include "config.h"

#include "daemon/postgres/report.h"

#define NOTE "note: "
#define WARNING_STATE "01000"
#define NOTICE_STATE "00000"

static void
put_field (KvsqldPgOutput *out, gchar field, const gchar *text)
{
  if (text == NULL)
    return;
  kvsql_buffer_append_byte (&out->buffer, (guint8)field);
  kvsqld_pg_put_text (&out->buffer, text);
}

static void
begin (KvsqldPgOutput *out, gchar type, const gchar *severity, const gchar *sqlstate,
       const gchar *message)
{
  kvsqld_pg_output_begin (out, type);
  put_field (out, 'S', severity);
  put_field (out, 'V', severity); /* the same, never translated */
  put_field (out, 'C', sqlstate);
  put_field (out, 'M', message);
}

static void
end (KvsqldPgOutput *out)
{
  kvsql_buffer_append_byte (&out->buffer, '\0');
  kvsqld_pg_output_end (out);
}

/* In characters, from 1. */
static void
put_position (KvsqldPgOutput *out, KvsqlSpan span, const KvsqldPgSource *source)
{
  gchar number[24];
  gsize offset;

  if (span.offset < 0 || source == NULL || source->text.data == NULL)
    return;
  offset = MIN (source->offset + (gsize)span.offset, source->text.size);
  g_snprintf (number, sizeof number, "%ld",
              1 + g_utf8_strlen ((const gchar *)source->text.data, (gssize)offset));
  put_field (out, 'P', number);
}

void
kvsqld_pg_report_error (KvsqldPgOutput *out, const gchar *severity, const GError *error,
                        const KvsqldPgSource *source)
{
  begin (out, KVSQLD_PG_ERROR, severity, kvsql_error_get_sqlstate (error), error->message);
  put_field (out, 'D', kvsql_error_get_detail (error));
  put_field (out, 'H', kvsql_error_get_hint (error));
  put_position (out, kvsql_error_get_span (error), source);
  put_field (out, 'W', kvsql_error_get_context (error));
  end (out);
}

void
kvsqld_pg_report_notice (KvsqldPgOutput *out, const gchar *severity, const gchar *sqlstate,
                         const gchar *message, const gchar *hint)
{
  if (out->hides_warnings || (out->hides_notices && g_str_equal (severity, "NOTICE")))
    return;
  begin (out, KVSQLD_PG_NOTICE, severity, sqlstate, message);
  put_field (out, 'H', hint);
  end (out);
}

void
kvsqld_pg_report_warnings (KvsqldPgOutput *out, const GPtrArray *warnings)
{
  for (guint i = 0; warnings != NULL && i < warnings->len; i++)
    {
      const gchar *text = warnings->pdata[i];

      if (g_str_has_prefix (text, NOTE))
        kvsqld_pg_report_notice (out, "NOTICE", NOTICE_STATE, text + strlen (NOTE), NULL);
      else
        kvsqld_pg_report_notice (out, "WARNING", WARNING_STATE, text, NULL);
    }
}
