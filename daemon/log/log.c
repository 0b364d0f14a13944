/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * log.c: levels, targets, and the two shapes of a log line.
 */
#include "config.h"

#include "daemon/log/log.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/log/redact.h"

#define MAX_FIELDS 16

static const struct
{
  const gchar *name;
  GLogLevelFlags level;
  const gchar *priority; /* syslog's */
} log_levels[] = {
  { "error", G_LOG_LEVEL_CRITICAL, "3" }, { "warning", G_LOG_LEVEL_WARNING, "4" },
  { "notice", G_LOG_LEVEL_MESSAGE, "5" }, { "info", G_LOG_LEVEL_INFO, "6" },
  { "debug", G_LOG_LEVEL_DEBUG, "7" },
};

static const gchar *const log_targets[] = { "auto", "journal", "stderr" };

static gint shown_level = G_LOG_LEVEL_INFO; /* atomic */
static gboolean to_journal;

gboolean
kvsqld_log_parse_level (const gchar *text, GLogLevelFlags *out_level, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (log_levels); i++)
    if (strcmp (text, log_levels[i].name) == 0)
      {
        *out_level = log_levels[i].level;
        return TRUE;
      }
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "unknown log level \"%s\"", text);
  return kvsql_error_hint (error, "Use error, warning, notice, info or debug.");
}

gboolean
kvsqld_log_parse_target (const gchar *text, KvsqldLogTarget *out_target, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (log_targets); i++)
    if (strcmp (text, log_targets[i]) == 0)
      {
        *out_target = (KvsqldLogTarget)i;
        return TRUE;
      }
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "unknown log target \"%s\"", text);
  return kvsql_error_hint (error, "Use auto, journal or stderr.");
}

static guint
level_index (GLogLevelFlags level)
{
  for (guint i = 0; i < G_N_ELEMENTS (log_levels); i++)
    if ((level & log_levels[i].level) != 0)
      return i;
  return 0; /* G_LOG_LEVEL_ERROR and anything else severe */
}

void
kvsqld_log_set_level (GLogLevelFlags level)
{
  g_atomic_int_set (&shown_level, (gint)level);
}

/* Smaller flags are more important. */
gboolean
kvsqld_log_is_enabled (GLogLevelFlags level)
{
  return (gint)(level & G_LOG_LEVEL_MASK) <= g_atomic_int_get (&shown_level);
}

/* ---- one line of text */

static const gchar *
field_value (const GLogField *fields, gsize n_fields, const gchar *key)
{
  for (gsize i = 0; i < n_fields; i++)
    if (fields[i].length < 0 && strcmp (fields[i].key, key) == 0)
      return fields[i].value;
  return NULL;
}

/* Control characters could forge lines or control the terminal. */
static void
append_printable (GString *line, const gchar *text)
{
  for (const guchar *byte = (const guchar *)text; *byte != '\0'; byte++)
    if (*byte < 0x20 || *byte == 0x7f)
      g_string_append_printf (line, "\\x%02x", *byte);
    else
      g_string_append_c (line, (gchar)*byte);
}

gchar *
kvsqld_log_format_line (GLogLevelFlags level, const GLogField *fields, gsize n_fields,
                        gint64 real_time_us)
{
  static const struct
  {
    const gchar *key;
    const gchar *shown;
  } extras[] = {
    { "KVSQL_REQUEST_ID", "request" },       { "KVSQL_PEER", "peer" },
    { "KVSQL_STATEMENT_HASH", "statement" }, { "KVSQL_STORE", "store" },
    { "KVSQL_DURATION_US", "duration_us" },  { "KVSQL_ERROR_CODE", "code" },
    { "KVSQL_ERROR_DETAIL", "detail" },      { "KVSQL_ERROR_HINT", "hint" },
  };
  g_autoptr (GDateTime) seconds = g_date_time_new_from_unix_utc (real_time_us / G_USEC_PER_SEC);
  g_autofree gchar *time = g_date_time_format (seconds, "%Y-%m-%dT%H:%M:%S");
  const gchar *message = field_value (fields, n_fields, "MESSAGE");
  const gchar *domain = field_value (fields, n_fields, "GLIB_DOMAIN");
  GString *line = g_string_new (NULL);

  g_string_append_printf (line, "%s.%03dZ %-7s ", time,
                          (gint)(real_time_us % G_USEC_PER_SEC / 1000),
                          log_levels[level_index (level)].name);
  if (domain != NULL && strcmp (domain, G_LOG_DOMAIN) != 0)
    g_string_append_printf (line, "%s: ", domain);
  append_printable (line, message != NULL ? message : "(no message)");
  for (guint i = 0; i < G_N_ELEMENTS (extras); i++)
    {
      const gchar *value = field_value (fields, n_fields, extras[i].key);

      if (value == NULL)
        continue;
      g_string_append_printf (line, " %s=\"", extras[i].shown);
      append_printable (line, value);
      g_string_append_c (line, '"');
    }
  return g_string_free (line, FALSE);
}

static GLogWriterOutput
write_line (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer user_data)
{
  g_autofree gchar *line = NULL;

  if (!kvsqld_log_is_enabled (level) && field_value (fields, n_fields, "KVSQL_AUDIT") == NULL)
    return G_LOG_WRITER_HANDLED;
  if (to_journal && g_log_writer_journald (level, fields, n_fields, NULL) == G_LOG_WRITER_HANDLED)
    return G_LOG_WRITER_HANDLED;

  line = kvsqld_log_format_line (level, fields, n_fields, g_get_real_time ());
  fprintf (stderr, "%s\n", line);
  return G_LOG_WRITER_HANDLED;
}

void
kvsqld_log_init (KvsqldLogTarget target, GLogLevelFlags level)
{
  to_journal = target == KVSQLD_LOG_TARGET_JOURNAL
               || (target == KVSQLD_LOG_TARGET_AUTO && g_log_writer_is_journald (STDERR_FILENO));
  kvsqld_log_set_level (level);
  g_log_set_writer_func (write_line, NULL, NULL);
}

/* ---- making lines */

typedef struct
{
  GLogField fields[MAX_FIELDS];
  gsize n_fields;
  gchar duration[24];
  gchar code[12];
} Line;

static void
add (Line *self, const gchar *key, const gchar *value)
{
  if (value == NULL)
    return;
  g_return_if_fail (self->n_fields < MAX_FIELDS);
  self->fields[self->n_fields++] = (GLogField){ .key = key, .value = value, .length = -1 };
}

static void
line_init (Line *self, GLogLevelFlags level, const KvsqldLogFields *fields, const gchar *message)
{
  self->n_fields = 0;
  add (self, "MESSAGE", message);
  add (self, "PRIORITY", log_levels[level_index (level)].priority);
  add (self, "GLIB_DOMAIN", G_LOG_DOMAIN);
  add (self, "SYSLOG_IDENTIFIER", "kvsqld");
  if (fields == NULL)
    return;

  add (self, "MESSAGE_ID", fields->message_id);
  add (self, "KVSQL_REQUEST_ID", fields->request_id);
  add (self, "KVSQL_STATEMENT_HASH", fields->statement_hash);
  add (self, "KVSQL_STORE", fields->store);
  add (self, "KVSQL_PEER", fields->peer);
  if (fields->duration_us <= 0)
    return;
  g_snprintf (self->duration, sizeof self->duration, "%" G_GINT64_FORMAT, fields->duration_us);
  add (self, "KVSQL_DURATION_US", self->duration);
}

void
kvsqld_log (GLogLevelFlags level, const KvsqldLogFields *fields, const gchar *format, ...)
{
  g_autofree gchar *message = NULL;
  va_list args;
  Line line;

  if (!kvsqld_log_is_enabled (level))
    return;
  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  line_init (&line, level, fields, message);
  g_log_structured_array (level, line.fields, line.n_fields);
}

void
kvsqld_log_error (GLogLevelFlags level, const KvsqldLogFields *fields, const gchar *what,
                  const GError *error)
{
  g_autofree gchar *plain = NULL;
  g_autofree gchar *message = NULL;
  Line line;

  if (!kvsqld_log_is_enabled (level))
    return;
  plain = g_strdup_printf ("%s: %s", what, error->message);
  message = kvsqld_redact_urls (plain);
  line_init (&line, level, fields, message);
  if (error->domain == KVSQL_ERROR)
    {
      g_snprintf (line.code, sizeof line.code, "%d", error->code);
      add (&line, "KVSQL_ERROR_CODE", line.code);
    }
  add (&line, "KVSQL_ERROR_DETAIL", kvsql_error_get_detail (error));
  add (&line, "KVSQL_ERROR_HINT", kvsql_error_get_hint (error));
  g_log_structured_array (level, line.fields, line.n_fields);
}

gchar *
kvsqld_log_statement_hash (const gchar *text, gsize length)
{
  gchar *hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)text, length);

  hash[16] = '\0';
  return hash;
}
