/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * error.c: the extended error domain, and suggestions for misspelt names.
 */
#include "config.h"

#include "core/base/error.h"

#include <string.h>

typedef struct
{
  KvsqlSpan span;
  gchar sqlstate[6]; /* empty: that of the code */
  gchar *detail;
  gchar *hint;
  gchar *context;
  guint row; /* 0: none */
} KvsqlErrorPrivate;

static void
kvsql_error_private_init (KvsqlErrorPrivate *self)
{
  self->span = KVSQL_SPAN_NONE;
}

static void
kvsql_error_private_copy (const KvsqlErrorPrivate *source, KvsqlErrorPrivate *self)
{
  self->span = source->span;
  memcpy (self->sqlstate, source->sqlstate, sizeof self->sqlstate);
  self->detail = g_strdup (source->detail);
  self->hint = g_strdup (source->hint);
  self->context = g_strdup (source->context);
  self->row = source->row;
}

static void
kvsql_error_private_clear (KvsqlErrorPrivate *self)
{
  g_free (self->detail);
  g_free (self->hint);
  g_free (self->context);
}

G_DEFINE_EXTENDED_ERROR (KvsqlError, kvsql_error)

static KvsqlErrorPrivate *
extras (GError **error)
{
  return error != NULL && *error != NULL && (*error)->domain == KVSQL_ERROR
             ? kvsql_error_get_private (*error)
             : NULL;
}

/* A part of a text may end within a character. Clients refuse what is not UTF-8. */
static gchar *print_text (const gchar *format, va_list args) G_GNUC_PRINTF (1, 0);

static gchar *
print_text (const gchar *format, va_list args)
{
  g_autofree gchar *text = g_strdup_vprintf (format, args);

  return g_utf8_validate (text, -1, NULL) ? g_steal_pointer (&text) : g_utf8_make_valid (text, -1);
}

/* The macros of the header are for callers. */
#undef kvsql_error_set
#undef kvsql_error_detail
#undef kvsql_error_hint
#undef kvsql_error_sqlstate
#undef kvsql_fail_division_by_zero
#undef kvsql_error_at
#undef kvsql_error_move
#undef kvsql_error_row
#undef kvsql_error_context

gboolean
kvsql_error_set (GError **error, KvsqlErrorCode code, KvsqlSpan span, const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  va_list args;

  if (error == NULL)
    return FALSE;
  /* The first error is the cause. The message of the second one may contain values of tuples, so
   * it is not logged. */
  g_return_val_if_fail (*error == NULL, FALSE);

  va_start (args, format);
  text = print_text (format, args);
  va_end (args);
  *error = g_error_new_literal (KVSQL_ERROR, code, text);
  kvsql_error_get_private (*error)->span = span;
  return FALSE;
}

gboolean
kvsql_error_detail (GError **error, const gchar *format, ...)
{
  KvsqlErrorPrivate *self = extras (error);
  va_list args;

  if (self == NULL)
    return FALSE;
  g_free (self->detail);
  va_start (args, format);
  self->detail = print_text (format, args);
  va_end (args);
  return FALSE;
}

gboolean
kvsql_error_hint (GError **error, const gchar *format, ...)
{
  KvsqlErrorPrivate *self = extras (error);
  va_list args;

  if (self == NULL)
    return FALSE;
  g_free (self->hint);
  va_start (args, format);
  self->hint = print_text (format, args);
  va_end (args);
  return FALSE;
}

gboolean
kvsql_error_sqlstate (GError **error, const gchar *sqlstate)
{
  KvsqlErrorPrivate *self = extras (error);

  if (self != NULL)
    g_strlcpy (self->sqlstate, sqlstate, sizeof self->sqlstate);
  return FALSE;
}

gboolean
kvsql_fail_division_by_zero (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "division by zero")
         || kvsql_error_sqlstate (error, "22012");
}

gboolean
kvsql_error_at (GError **error, KvsqlSpan span)
{
  KvsqlErrorPrivate *self = extras (error);

  if (self != NULL && self->span.offset < 0)
    self->span = span;
  return FALSE;
}

gboolean
kvsql_error_move (GError **error, KvsqlSpan span)
{
  KvsqlErrorPrivate *self = extras (error);

  if (self != NULL)
    self->span = span;
  return FALSE;
}

gboolean
kvsql_error_row (GError **error, guint row)
{
  KvsqlErrorPrivate *self = extras (error);

  if (self != NULL)
    self->row = row;
  return FALSE;
}

gboolean
kvsql_error_context (GError **error, const gchar *context)
{
  KvsqlErrorPrivate *self = extras (error);

  if (self != NULL)
    {
      g_free (self->context);
      self->context = g_utf8_validate (context, -1, NULL) ? g_strdup (context)
                                                          : g_utf8_make_valid (context, -1);
    }
  return FALSE;
}

KvsqlSpan
kvsql_error_get_span (const GError *error)
{
  return error->domain == KVSQL_ERROR ? kvsql_error_get_private (error)->span : KVSQL_SPAN_NONE;
}

const gchar *
kvsql_error_get_detail (const GError *error)
{
  return error->domain == KVSQL_ERROR ? kvsql_error_get_private (error)->detail : NULL;
}

const gchar *
kvsql_error_get_hint (const GError *error)
{
  return error->domain == KVSQL_ERROR ? kvsql_error_get_private (error)->hint : NULL;
}

const gchar *
kvsql_error_get_context (const GError *error)
{
  return error->domain == KVSQL_ERROR ? kvsql_error_get_private (error)->context : NULL;
}

guint
kvsql_error_get_row (const GError *error)
{
  return error->domain == KVSQL_ERROR ? kvsql_error_get_private (error)->row : 0;
}

static const struct
{
  const gchar *sqlstate;
  gboolean is_retryable;
} code_facts[] = {
  [KVSQL_ERROR_INTERNAL] = { "XX000", FALSE },
  [KVSQL_ERROR_SYNTAX] = { "42601", FALSE },
  [KVSQL_ERROR_INVALID] = { "42000", FALSE },
  [KVSQL_ERROR_UNKNOWN_NAME] = { "42704", FALSE },
  [KVSQL_ERROR_ALREADY_EXISTS] = { "42710", FALSE },
  [KVSQL_ERROR_TYPE] = { "42804", FALSE },
  [KVSQL_ERROR_VALUE] = { "22000", FALSE },
  [KVSQL_ERROR_DEFINITION] = { "42P17", FALSE },
  [KVSQL_ERROR_CONFLICT] = { "40001", TRUE },
  [KVSQL_ERROR_STORE] = { "58000", FALSE },
  [KVSQL_ERROR_UNAVAILABLE] = { "08006", TRUE },
  [KVSQL_ERROR_DEADLINE] = { "57014", FALSE },
  [KVSQL_ERROR_UNKNOWN_OUTCOME] = { "40003", FALSE },
  [KVSQL_ERROR_LIMIT] = { "54000", FALSE },
  [KVSQL_ERROR_BAD_CURSOR] = { "34000", FALSE },
  [KVSQL_ERROR_BAD_STATEMENT_ID] = { "26000", FALSE },
  [KVSQL_ERROR_UNSUPPORTED] = { "0A000", FALSE },
  [KVSQL_ERROR_READ_ONLY] = { "25006", FALSE },
  [KVSQL_ERROR_PROTOCOL] = { "08P01", FALSE },
  [KVSQL_ERROR_DUPLICATE_KEY] = { "23505", FALSE },
  [KVSQL_ERROR_NOT_ALLOWED] = { "42501", FALSE },
  [KVSQL_ERROR_AUTHENTICATION] = { "28000", FALSE },
};

const gchar *
kvsql_error_code_sqlstate (KvsqlErrorCode code)
{
  if (code < KVSQL_ERROR_INTERNAL || code > KVSQL_ERROR_AUTHENTICATION)
    return "XX000";
  return code_facts[code].sqlstate;
}

const gchar *
kvsql_error_get_sqlstate (const GError *error)
{
  const KvsqlErrorPrivate *self
      = error->domain == KVSQL_ERROR ? kvsql_error_get_private (error) : NULL;

  if (self != NULL && self->sqlstate[0] != '\0')
    return self->sqlstate;
  return kvsql_error_code_sqlstate (self != NULL ? (KvsqlErrorCode)error->code
                                                 : KVSQL_ERROR_INTERNAL);
}

gboolean
kvsql_error_code_is_retryable (KvsqlErrorCode code)
{
  return code >= KVSQL_ERROR_INTERNAL && code <= KVSQL_ERROR_PROTOCOL
         && code_facts[code].is_retryable;
}

#define MAX_SUGGESTED 64 /* characters of a word */

static gboolean
same_letter (gchar a, gchar b)
{
  return g_ascii_tolower (a) == g_ascii_tolower (b);
}

/* The number of letters to insert, delete, change, or swap with their neighbour (optimal string
 * alignment, Boytsov 2011), without regard to case. G_MAXUINT for words that are too long. */
static guint
edit_distance (const gchar *a, const gchar *b)
{
  gsize n = strlen (a), m = strlen (b);
  guint rows[3][MAX_SUGGESTED + 1] = { 0 }; /* row i is rows[i % 3] */

  if (n > MAX_SUGGESTED || m > MAX_SUGGESTED)
    return G_MAXUINT;
  for (gsize j = 0; j <= m; j++)
    rows[0][j] = j;
  for (gsize i = 1; i <= n; i++)
    {
      const guint *before = rows[(i + 1) % 3], *previous = rows[(i - 1) % 3];
      guint *current = rows[i % 3];

      current[0] = i;
      for (gsize j = 1; j <= m; j++)
        {
          guint change = same_letter (a[i - 1], b[j - 1]) ? 0 : 1;

          current[j] = MIN (MIN (previous[j], current[j - 1]) + 1, previous[j - 1] + change);
          if (i > 1 && j > 1 && same_letter (a[i - 1], b[j - 2])
              && same_letter (a[i - 2], b[j - 1]))
            current[j] = MIN (current[j], before[j - 2] + 1);
        }
    }
  return rows[n % 3][m];
}

const gchar *
kvsql_suggest (const gchar *word, const gchar *const *candidates, guint n)
{
  const gchar *best = NULL;
  guint best_distance = MAX (1, strlen (word) / 3) + 1;

  for (guint i = 0; i < n; i++)
    {
      guint distance = edit_distance (word, candidates[i]);
      gsize longer = MAX (strlen (word), strlen (candidates[i]));

      if (distance < best_distance && 2 * distance <= longer)
        {
          best = candidates[i];
          best_distance = distance;
        }
    }
  return best;
}
