/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * log.h: the daemon's structured log.
 *
 * If standard error is the journal, a line goes to the journal with its fields, else to standard
 * error as one readable line. Events that an operator may wait for carry a message id, which
 * data/kvsqld.catalog explains. The log never holds values of rows or secrets: a statement is
 * identified by a hash, and shown without its values.
 *
 * Library code returns errors and never logs them. The code that handles an error logs it once.
 *
 * Threads: kvsqld_log_init() once, before the first thread; all other functions may be called by
 * any thread.
 */
#pragma once

#include <glib.h>

#include "core/base/error.h"

G_BEGIN_DECLS

#define KVSQLD_MESSAGE_STARTED "5f3a0c0e6d0b4d6f9a0c6f2d1f6b7a01"
#define KVSQLD_MESSAGE_STOPPING "5f3a0c0e6d0b4d6f9a0c6f2d1f6b7a02"
#define KVSQLD_MESSAGE_RELOADED "5f3a0c0e6d0b4d6f9a0c6f2d1f6b7a03"
#define KVSQLD_MESSAGE_RELOAD_FAILED "5f3a0c0e6d0b4d6f9a0c6f2d1f6b7a04"
#define KVSQLD_MESSAGE_START_FAILED "5f3a0c0e6d0b4d6f9a0c6f2d1f6b7a05"
#define KVSQLD_MESSAGE_DEGRADED "5f3a0c0e6d0b4d6f9a0c6f2d1f6b7a06"
#define KVSQLD_MESSAGE_RECOVERED "5f3a0c0e6d0b4d6f9a0c6f2d1f6b7a07"
#define KVSQLD_MESSAGE_DEFINITIONS "5f3a0c0e6d0b4d6f9a0c6f2d1f6b7a08"
#define KVSQLD_MESSAGE_REQUEST_FAILED "5f3a0c0e6d0b4d6f9a0c6f2d1f6b7a09"
#define KVSQLD_MESSAGE_SLOW_STATEMENT "5f3a0c0e6d0b4d6f9a0c6f2d1f6b7a0a"

typedef enum
{
  KVSQLD_LOG_TARGET_AUTO, /* the journal if standard error is the journal */
  KVSQLD_LOG_TARGET_JOURNAL,
  KVSQLD_LOG_TARGET_STDERR,
} KvsqldLogTarget;

/* The subject of a line. Everything is optional; duration_us <= 0 means unknown. */
typedef struct
{
  const gchar *message_id;
  const gchar *request_id;
  const gchar *statement_hash;
  const gchar *store;
  const gchar *peer;
  gint64 duration_us;
} KvsqldLogFields;

/* KVSQL_ERROR_INVALID for an unknown word. @out_level is the least important level that is shown.
 */
gboolean kvsqld_log_parse_level (const gchar *text, GLogLevelFlags *out_level,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_log_parse_target (const gchar *text, KvsqldLogTarget *out_target,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Replaces GLib's log handler. */
void kvsqld_log_init (KvsqldLogTarget target, GLogLevelFlags level);
void kvsqld_log_set_level (GLogLevelFlags level);
/* Whether a line of this level would be written, so that callers can avoid making it. */
gboolean kvsqld_log_is_enabled (GLogLevelFlags level);

/**
 * kvsqld_log:
 * @level: %G_LOG_LEVEL_CRITICAL for an error, WARNING, MESSAGE for a notice, INFO, DEBUG
 * @fields: (nullable): the subject of the line
 */
void kvsqld_log (GLogLevelFlags level, const KvsqldLogFields *fields, const gchar *format, ...)
    G_GNUC_PRINTF (3, 4);

/* The message of @error after @what, its code, detail and hint as fields. */
void kvsqld_log_error (GLogLevelFlags level, const KvsqldLogFields *fields, const gchar *what,
                       const GError *error);

/* 16 hexadecimal digits that identify a statement's text. (transfer full) */
gchar *kvsqld_log_statement_hash (const gchar *text, gsize length);

/* A line as it is written to standard error, without the newline. (transfer full) */
gchar *kvsqld_log_format_line (GLogLevelFlags level, const GLogField *fields, gsize n_fields,
                               gint64 real_time_us);

G_END_DECLS
