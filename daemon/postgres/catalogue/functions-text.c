/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * functions-text.c: functions of texts and patterns.
 */
#include "config.h"

#include "daemon/postgres/catalogue/functions-private.h"

#include <string.h>

#include "core/base/interrupt.h"
#include "core/sql/lexer.h"
#include "daemon/postgres/catalogue/quoted-words.h"

#define MAX_SUBJECT 10000

/* ---- names */

gchar *
kvsqld_pg_quote_ident (const gchar *name)
{
  gboolean is_plain = g_ascii_islower (name[0]) || name[0] == '_';
  GString *out;

  for (const gchar *at = name; is_plain && *at != '\0'; at++)
    is_plain = g_ascii_islower (*at) || g_ascii_isdigit (*at) || *at == '_';
  if (is_plain && !kvsqld_pg_word_is_quoted (name)
      && !kvsql_keyword_is_reserved (kvsql_keyword_find (name, strlen (name))))
    return g_strdup (name);
  out = g_string_new ("\"");
  for (const gchar *at = name; *at != '\0'; at++)
    {
      if (*at == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, *at);
    }
  g_string_append_c (out, '"');
  return g_string_free (out, FALSE);
}

FUNCTION (quote_ident)
{
  g_autofree gchar *quoted = kvsqld_pg_quote_ident (string_of (&arguments[0], arena));

  return give_string (quoted, arena, out);
}

/* ---- patterns */

static GRegex *
compile (const KvsqlValue *pattern, gboolean ignores_case, KvsqlArena *arena, GError **error)
{
  const gchar *text = string_of (pattern, arena);
  g_autoptr (GError) inner = NULL;
  GRegex *regex;

  if (strlen (text) > MAX_PATTERN)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "a regular expression in the catalogue has at most %d bytes", MAX_PATTERN);
      return NULL;
    }
  regex = g_regex_new (text, ignores_case ? G_REGEX_CASELESS : 0, 0, &inner);
  if (regex == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "invalid regular expression: %s",
                       inner->message);
      kvsql_error_sqlstate (error, "2201B");
    }
  return regex;
}

static gboolean
match (const KvsqlValue *value, const KvsqlValue *pattern, gboolean ignores_case, KvsqlArena *arena,
       gboolean *out, GError **error)
{
  g_autoptr (GRegex) regex = compile (pattern, ignores_case, arena, error);
  const gchar *subject = string_of (value, arena);

  if (regex == NULL)
    return FALSE;
  if (strlen (subject) > MAX_SUBJECT)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "a text to be matched has at most %d bytes", MAX_SUBJECT);
  *out = g_utf8_validate (subject, -1, NULL) && g_regex_match (regex, subject, 0, NULL);
  return kvsql_interrupt_check (error); /* a match may take long */
}

FUNCTION (regex)
{
  gboolean matches;

  return match (&arguments[0], &arguments[1], integer_of (&arguments[2]) != 0, arena, &matches,
                error)
         && give_integer (matches, out);
}

FUNCTION (regexp_replace)
{
  const gchar *flags = string_of (&arguments[3], arena);
  g_autoptr (GRegex) regex = compile (&arguments[1], strchr (flags, 'i') != NULL, arena, error);
  const gchar *subject = string_of (&arguments[0], arena);
  g_autofree gchar *replaced = NULL;
  g_autoptr (GMatchInfo) found = NULL;

  if (regex == NULL)
    return FALSE;
  if (strlen (subject) > MAX_SUBJECT || !g_utf8_validate (subject, -1, NULL))
    return give_string (subject, arena, out);
  if (strchr (flags, 'g') != NULL)
    replaced = g_regex_replace (regex, subject, -1, 0, string_of (&arguments[2], arena), 0, NULL);
  else if (g_regex_match (regex, subject, 0, &found))
    {
      gint start, end;
      g_autofree gchar *with
          = g_match_info_expand_references (found, string_of (&arguments[2], arena), NULL);

      g_match_info_fetch_pos (found, 0, &start, &end);
      replaced
          = g_strdup_printf ("%.*s%s%s", start, subject, with != NULL ? with : "", subject + end);
    }
  return give_string (replaced != NULL ? replaced : subject, arena, out);
}

/* Without recursion: % is tried again one byte further. */
static gboolean
is_like (const gchar *text, const gchar *pattern)
{
  const gchar *retry_pattern = NULL, *retry_text = NULL;

  while (*text != '\0')
    {
      const gchar *literal = *pattern == '\\' && pattern[1] != '\0' ? pattern + 1 : pattern;

      if (*pattern == '%')
        {
          retry_pattern = ++pattern;
          retry_text = text;
        }
      else if (*pattern == '_')
        {
          pattern++;
          text = g_utf8_next_char (text);
        }
      else if (*literal == *text && *pattern != '\0')
        {
          pattern = literal + 1;
          text++;
        }
      else if (retry_pattern != NULL)
        {
          pattern = retry_pattern;
          text = ++retry_text;
        }
      else
        return FALSE;
    }
  while (*pattern == '%')
    pattern++;
  return *pattern == '\0';
}

FUNCTION (like)
{
  const gchar *text = string_of (&arguments[0], arena), *pattern = string_of (&arguments[1], arena);

  if (strlen (text) > MAX_SUBJECT || strlen (pattern) > MAX_SUBJECT
      || !g_utf8_validate (text, -1, NULL))
    return give_integer (FALSE, out);
  if (integer_of (&arguments[2]) != 0)
    {
      g_autofree gchar *lower = g_utf8_strdown (text, -1);
      g_autofree gchar *lower_pattern = g_utf8_strdown (pattern, -1);

      return give_integer (is_like (lower, lower_pattern), out);
    }
  return give_integer (is_like (text, pattern), out);
}

/* A pattern with another escape character than a backslash. */
FUNCTION (escape)
{
  const gchar *pattern = string_of (&arguments[0], arena);
  const gchar *character = string_of (&arguments[1], arena);
  g_autoptr (GString) escaped = g_string_new (NULL);

  for (; *pattern != '\0'; pattern++)
    if (*pattern == *character && pattern[1] != '\0')
      g_string_append_printf (escaped, "\\%c", *++pattern);
    else if (*pattern == '\\')
      g_string_append (escaped, "\\\\");
    else
      g_string_append_c (escaped, *pattern);
  return give_string (escaped->str, arena, out);
}

FUNCTION (starts)
{
  return give_integer (
      g_str_has_prefix (string_of (&arguments[0], arena), string_of (&arguments[1], arena)), out);
}

/* ---- other texts */

FUNCTION (upper)
{
  g_autofree gchar *changed = g_utf8_strup (string_of (&arguments[0], arena), -1);

  return give_string (changed, arena, out);
}

FUNCTION (lower)
{
  g_autofree gchar *changed = g_utf8_strdown (string_of (&arguments[0], arena), -1);

  return give_string (changed, arena, out);
}

/* By a pattern: its first group, or all. */
static gboolean
give_part (const KvsqlValue *arguments, KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  g_autoptr (GRegex) regex = compile (&arguments[1], FALSE, arena, error);
  g_autoptr (GMatchInfo) found = NULL;
  const gchar *subject = string_of (&arguments[0], arena);

  if (regex == NULL)
    return FALSE;
  if (strlen (subject) > MAX_SUBJECT || !g_utf8_validate (subject, -1, NULL)
      || !g_regex_match (regex, subject, 0, &found))
    return TRUE;
  g_autofree gchar *part = g_match_info_fetch (found, g_regex_get_capture_count (regex) > 0);
  return give_string (part != NULL ? part : "", arena, out);
}

FUNCTION (substring)
{
  const gchar *text = string_of (&arguments[0], arena);
  gint64 first = place_of (&arguments[1]), size, end;

  if (kvsql_value_is_null (&arguments[0]) || kvsql_value_is_null (&arguments[1]))
    return TRUE;
  if (arguments[1].type == KVSQL_TYPE_STRING)
    return give_part (arguments, arena, out, error);
  size = g_utf8_strlen (text, -1);
  end = size + 1;
  if (!kvsql_value_is_null (&arguments[2]))
    end = CLAMP (first + place_of (&arguments[2]), 1, end);
  first = MAX (first, 1);
  if (first >= end)
    return give_string ("", arena, out);
  text = g_utf8_offset_to_pointer (text, first - 1);
  return give_text (
      kvsql_slice (text, (gsize)(g_utf8_offset_to_pointer (text, end - first) - text)), out);
}

FUNCTION (concat)
{
  g_autoptr (GString) joined = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append (joined, string_of (&arguments[i], arena));
  return give_string (joined->str, arena, out);
}

FUNCTION (concat_ws)
{
  g_autoptr (GString) joined = g_string_new (NULL);
  gboolean is_first = TRUE;

  if (n == 0 || kvsql_value_is_null (&arguments[0]))
    return TRUE;
  for (guint i = 1; i < n; i++)
    if (!kvsql_value_is_null (&arguments[i]))
      {
        if (!is_first)
          g_string_append (joined, string_of (&arguments[0], arena));
        g_string_append (joined, string_of (&arguments[i], arena));
        is_first = FALSE;
      }
  return give_string (joined->str, arena, out);
}

/* %s, %I, %L and %% */
FUNCTION (format)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint next = 1;

  if (n == 0 || kvsql_value_is_null (&arguments[0]))
    return TRUE;
  for (const gchar *at = string_of (&arguments[0], arena); *at != '\0'; at++)
    {
      const gchar *value;

      if (*at != '%' || at[1] == '\0')
        {
          g_string_append_c (text, *at);
          continue;
        }
      at++;
      if (*at == '%')
        {
          g_string_append_c (text, '%');
          continue;
        }
      if (strchr ("sIL", *at) == NULL || next >= n)
        {
          kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                           next >= n ? "too few arguments for format()"
                                     : "unrecognized format() type specifier");
          return kvsql_error_sqlstate (error, "22023");
        }
      value = string_of (&arguments[next++], arena);
      if (*at == 's')
        g_string_append (text, value);
      else if (*at == 'I')
        {
          g_autofree gchar *quoted = kvsqld_pg_quote_ident (value);

          g_string_append (text, quoted);
        }
      else
        {
          g_auto (GStrv) parts = g_strsplit (value, "'", -1);
          g_autofree gchar *doubled = g_strjoinv ("''", parts);

          g_string_append_printf (text, "'%s'", doubled);
        }
    }
  return give_string (text->str, arena, out);
}

static gboolean
choose (const KvsqlValue *arguments, guint n, gint sign, KvsqlArena *arena, KvsqlValue *out)
{
  for (guint i = 0; i < n; i++)
    if (!kvsql_value_is_null (&arguments[i])
        && (kvsql_value_is_null (out) || sign * compare (&arguments[i], out, arena) > 0))
      *out = arguments[i];
  return TRUE;
}

FUNCTION (greatest) { return choose (arguments, n, 1, arena, out); }

FUNCTION (least) { return choose (arguments, n, -1, arena, out); }

/* ---- all of them */

const KvsqldPgFunctionEntry _kvsqld_pg_functions_of_texts[] = {
  { "kvsql_concat", -1, FALSE, concat },
  { "kvsql_concat_ws", -1, FALSE, concat_ws },
  { "kvsql_escape", 2, TRUE, escape },
  { "kvsql_format", -1, FALSE, format },
  { "kvsql_greatest", -1, FALSE, greatest },
  { "kvsql_least", -1, FALSE, least },
  { "kvsql_like", 3, TRUE, like },
  { "kvsql_lower", 1, TRUE, lower },
  { "kvsql_regex", 3, TRUE, regex },
  { "kvsql_regexp_replace", 4, TRUE, regexp_replace },
  { "kvsql_starts", 3, TRUE, starts },
  { "kvsql_substring", 3, FALSE, substring },
  { "kvsql_upper", 1, TRUE, upper },
  { "kvsql_quote_ident", 1, TRUE, quote_ident },
  { NULL, 0, FALSE, NULL },
};
