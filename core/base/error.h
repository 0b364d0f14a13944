/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * error.h: the one error domain of the engine.
 *
 * An error has the form of PostgreSQL's: a primary message in lower case without a full stop, and
 * optionally a position in the statement, a detail and a hint (whole sentences). g_error_copy() and
 * g_prefix_error() keep these extras. Callers branch on codes, which equal ErrorCode in
 * kvsql.thrift.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KVSQL_ERROR (kvsql_error_quark ())

typedef enum
{
  KVSQL_ERROR_INTERNAL = 1,
  KVSQL_ERROR_SYNTAX = 2,
  KVSQL_ERROR_INVALID = 3,
  KVSQL_ERROR_UNKNOWN_NAME = 4,
  KVSQL_ERROR_ALREADY_EXISTS = 5,
  KVSQL_ERROR_TYPE = 6,
  KVSQL_ERROR_VALUE = 7,
  KVSQL_ERROR_DEFINITION = 8,
  KVSQL_ERROR_CONFLICT = 9,
  KVSQL_ERROR_STORE = 10,
  KVSQL_ERROR_UNAVAILABLE = 11,
  KVSQL_ERROR_DEADLINE = 12,
  KVSQL_ERROR_UNKNOWN_OUTCOME = 13,
  KVSQL_ERROR_LIMIT = 14,
  KVSQL_ERROR_BAD_CURSOR = 15,
  KVSQL_ERROR_BAD_STATEMENT_ID = 16,
  KVSQL_ERROR_UNSUPPORTED = 17,
  KVSQL_ERROR_READ_ONLY = 18,
  KVSQL_ERROR_PROTOCOL = 19,
  KVSQL_ERROR_DUPLICATE_KEY = 20,
  KVSQL_ERROR_NOT_ALLOWED = 21,
  KVSQL_ERROR_AUTHENTICATION = 22,
} KvsqlErrorCode;

/* A position in the statement's text: byte offset from 0, and length. */
typedef struct
{
  gint32 offset; /* -1: no position */
  gint32 length;
} KvsqlSpan;

#define KVSQL_SPAN_NONE ((KvsqlSpan){ -1, 0 })

GQuark kvsql_error_quark (void);

/**
 * kvsql_error_set:
 * @error: (out) (optional): the location of the error; if %NULL, nothing is set
 * @span: the position in the statement, or %KVSQL_SPAN_NONE
 *
 * Sets an error of the domain %KVSQL_ERROR. *@error must be %NULL; otherwise it stays as it is, and
 * a critical warning is logged, as by g_set_error(). Returns: %FALSE, so that a function can
 * `return` it.
 */
gboolean kvsql_error_set (GError **error, KvsqlErrorCode code, KvsqlSpan span, const gchar *format,
                          ...) G_GNUC_PRINTF (4, 5);

/* Add a detail or a hint to an error. They do nothing if @error or *@error is NULL or of another
 * domain. They return FALSE, so that they can be the end of an expression: kvsql_error_set (…) ||
 * kvsql_error_hint (…). */
gboolean kvsql_error_detail (GError **error, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
gboolean kvsql_error_hint (GError **error, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
/* Gives the error a SQLSTATE of its own instead of that of its code. Five characters. */
gboolean kvsql_error_sqlstate (GError **error, const gchar *sqlstate);
/* Sets "division by zero", SQLSTATE 22012, without a position. */
gboolean kvsql_fail_division_by_zero (GError **error);
/* Sets the position of the error if it has none. */
gboolean kvsql_error_at (GError **error, KvsqlSpan span);
/* Sets the position of an error that has the position in another text. */
gboolean kvsql_error_move (GError **error, KvsqlSpan span);

/* Says which of the given rows the error is about, from 1. */
gboolean kvsql_error_row (GError **error, guint row);
/* Says where it happened, if that is not in the text of a statement: "COPY r, line 3". */
gboolean kvsql_error_context (GError **error, const gchar *context);

/* The macros show the result to the compiler of each caller, and to static analyzers. These would
 * otherwise assume that a function that returns it may succeed without setting its outputs. */
static inline gboolean
kvsql_error_failed (G_GNUC_UNUSED gboolean result)
{
  return FALSE;
}

#define kvsql_error_set(...) kvsql_error_failed (kvsql_error_set (__VA_ARGS__))
#define kvsql_error_detail(...) kvsql_error_failed (kvsql_error_detail (__VA_ARGS__))
#define kvsql_error_hint(...) kvsql_error_failed (kvsql_error_hint (__VA_ARGS__))
#define kvsql_error_sqlstate(...) kvsql_error_failed (kvsql_error_sqlstate (__VA_ARGS__))
#define kvsql_fail_division_by_zero(error) kvsql_error_failed (kvsql_fail_division_by_zero (error))
#define kvsql_error_move(error, span) kvsql_error_failed (kvsql_error_move (error, span))
#define kvsql_error_at(error, span) kvsql_error_failed (kvsql_error_at (error, span))

#define kvsql_error_row(error, row) kvsql_error_failed (kvsql_error_row (error, row))
#define kvsql_error_context(error, text) kvsql_error_failed (kvsql_error_context (error, text))

KvsqlSpan kvsql_error_get_span (const GError *error);
const gchar *kvsql_error_get_detail (const GError *error);  /* nullable */
const gchar *kvsql_error_get_hint (const GError *error);    /* nullable */
const gchar *kvsql_error_get_context (const GError *error); /* nullable */
guint kvsql_error_get_row (const GError *error);            /* 0: none */

/* The error's own SQLSTATE, or that of its code. */
const gchar *kvsql_error_get_sqlstate (const GError *error);

/* The SQLSTATE of a code, and whether the request can be retried safely and may then succeed. */
const gchar *kvsql_error_code_sqlstate (KvsqlErrorCode code);
gboolean kvsql_error_code_is_retryable (KvsqlErrorCode code);

/**
 * kvsql_suggest:
 * @word: the user's spelling
 * @candidates: (array length=n): the existing names
 *
 * Returns: (nullable): the candidate with the smallest edit distance to @word, if it is close.
 */
const gchar *kvsql_suggest (const gchar *word, const gchar *const *candidates, guint n);

G_END_DECLS
