/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fuzz-regexp.c: compares regular expressions with GRegex.
 *
 * The input is an expression, a zero byte, and bytes to match. GRegex has to accept every
 * expression that our parser accepts, and both must agree for every prefix of the bytes on whether
 * it matches.
 */
#include "config.h"

#include <stdlib.h>

#include "core/layout/automata/dfa.h"

#define MAX_EXPRESSION 64
#define MAX_SUBJECT 32

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static gboolean
is_ascii (KvsqlSlice bytes)
{
  for (gsize i = 0; i < bytes.size; i++)
    if (bytes.data[i] >= 0x80)
      return FALSE;
  return TRUE;
}

static gboolean
has_named_set (KvsqlSlice expression)
{
  for (gsize i = 0; i + 1 < expression.size; i++)
    if (expression.data[i] == '\\' && strchr ("dwsDWS", expression.data[i + 1]) != NULL)
      return TRUE;
  return FALSE;
}

/* Outside of ASCII, GRegex differs: in expressions a character is a sequence of bytes, so that a
 * quantifier applies to the last byte only, and \w, \s, \d are those of Latin-1. */
static gboolean
is_common (KvsqlSlice expression, KvsqlSlice subject)
{
  return is_ascii (expression) && (is_ascii (subject) || !has_named_set (expression));
}

static GRegex *
compile_oracle (KvsqlSlice expression)
{
  g_autofree gchar *text
      = g_strdup_printf ("\\A(?:%.*s)\\z", (int)expression.size, expression.data);
  g_autoptr (GError) error = NULL;
  GRegex *regex
      = g_regex_new (text, G_REGEX_RAW | G_REGEX_DOTALL | G_REGEX_DOLLAR_ENDONLY, 0, &error);

  g_assert_no_error (error);
  return regex;
}

static void
compare (const KvsqlDfa *dfa, const GRegex *oracle, KvsqlSlice expression, KvsqlSlice subject)
{
  gsize next = G_MAXSIZE;
  KvsqlDfaScan scan;

  kvsql_dfa_scan_start (&scan, dfa, subject);
  if (!kvsql_dfa_scan_next (&scan, &next))
    next = G_MAXSIZE;
  for (gsize length = 0; length <= subject.size; length++)
    {
      const gchar *text = subject.size > 0 ? (const gchar *)subject.data : "";
      KvsqlSlice beginning = kvsql_slice (text, length);
      g_autoptr (GError) error = NULL;
      gboolean expected = g_regex_match_full (oracle, text, length, 0, 0, NULL, &error);
      gboolean found = next == length;

      if (error != NULL) /* its limit of backtracking, which ours does not need */
        return;
      if (found != expected || kvsql_dfa_matches (dfa, beginning) != expected)
        {
          g_printerr ("\"%.*s\" on %" G_GSIZE_FORMAT " bytes: GRegex says %d, the scan %d\n",
                      (int)expression.size, expression.data, length, expected, found);
          abort ();
        }
      if (expected)
        {
          g_assert_true (kvsql_dfa_may_begin (dfa, beginning));
          g_assert_cmpuint (length, >=, kvsql_dfa_get_min_length (dfa));
          g_assert_cmpuint (length, <=, kvsql_dfa_get_max_length (dfa));
          g_assert_true (kvsql_slice_has_prefix (beginning, kvsql_dfa_get_constant_prefix (dfa)));
        }
      if (found && !kvsql_dfa_scan_next (&scan, &next))
        next = G_MAXSIZE;
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const guint8 *zero = size > 0 ? memchr (data, '\0', size) : NULL;
  gsize length = zero != NULL ? (gsize)(zero - data) : size;
  KvsqlSlice expression = kvsql_slice (data, length);
  KvsqlSlice subject = zero != NULL ? kvsql_slice (zero + 1, size - length - 1) : KVSQL_SLICE_EMPTY;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GRegex) oracle = NULL;
  KvsqlDfa *dfa = kvsql_dfa_new_regexp (arena, expression, &error);

  if (dfa == NULL)
    {
      g_assert_nonnull (error);
      return 0;
    }
  if (expression.size > MAX_EXPRESSION || subject.size > MAX_SUBJECT
      || !is_common (expression, subject))
    return 0;
  oracle = compile_oracle (expression);
  compare (dfa, oracle, expression, subject);
  return 0;
}
