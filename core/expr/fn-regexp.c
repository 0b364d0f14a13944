/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-regexp.c: PostgreSQL's functions of regular expressions, with the expressions of RLIKE.
 */
#include "config.h"

#include "core/base/collection.h"
#include "core/base/interrupt.h"
#include "core/expr/function.h"
#include "core/expr/regex.h"

#define MAX_GROUPS 100

/* A search in a text, from left to right. */
typedef struct
{
  KvsqlSlice pattern; /* with the flags */
  KvsqlSlice text;
  gboolean is_global, is_bytes;
  gsize next; /* where the next search begins; beyond the end: nowhere */
  KvsqlRegexSpan spans[MAX_GROUPS];
  guint n_spans; /* of the last match: 0: there was none; spans[0] is the whole match */
} Search;

static gsize
after_character (KvsqlSlice text, gsize at)
{
  at++;
  while (at < text.size && (text.data[at] & 0xc0) == 0x80)
    at++;
  return at;
}

/* ---- flags */

static const gchar *
option_of (gchar flag)
{
  switch (flag)
    {
    case 'i':
      return "i";
    case 'c':
      return "-i";
    case 'x':
      return "x";
    case 'n':
    case 'm':
      return "m-s";
    case 'p':
      return "-s";
    case 'w':
      return "m";
    case 's':
    case 't':
      return "";
    default:
      return NULL;
    }
}

/* The flags become options at the beginning of the expression; g is for the function. */
static gboolean
begin (const KvsqlFunctionCall *call, KvsqlSlice text, KvsqlSlice pattern, KvsqlSlice flags,
       gboolean takes_global, Search *out, GError **error)
{
  g_autoptr (GString) prefix = g_string_new (NULL);

  *out = (Search){ .text = text, .pattern = pattern };
  for (gsize i = 0; i < flags.size; i++)
    {
      gchar flag = (gchar)flags.data[i];
      const gchar *option = option_of (flag);
      if (flag == 'g' && takes_global)
        out->is_global = TRUE;
      else if (option == NULL)
        return kvsql_function_fail_as (error, "22023",
                                       "invalid regular expression option: \"%.*s\"",
                                       (gint)(after_character (flags, i) - i), flags.data + i);
      else if (*option != '\0')
        g_string_append_printf (prefix, "(?%s)", option);
    }
  if (prefix->len > 0)
    {
      g_string_append_len (prefix, (const gchar *)pattern.data, pattern.size);
      out->pattern = kvsql_slice_dup (call->arena, kvsql_slice (prefix->str, prefix->len));
    }
  out->is_bytes = kvsql_regex_can_be_bytes (out->pattern, text);
  return TRUE;
}

/* Finds the next match: self->n_spans is 0 if there is none. */
static gboolean
find (Search *self, GError **error)
{
  self->n_spans = 0;
  if (self->next > self->text.size || !kvsql_interrupt_poll (error))
    return self->next > self->text.size;
  if (!kvsql_regex_find (self->pattern, self->text, self->is_bytes, self->next, self->spans,
                         MAX_GROUPS, &self->n_spans, error))
    return FALSE;
  if (self->n_spans == 0)
    self->next = self->text.size + 1;
  else if (self->spans[0].end > self->spans[0].start)
    self->next = self->spans[0].end;
  else
    self->next = after_character (self->text, self->spans[0].end);
  return TRUE;
}

static KvsqlSlice
part (const Search *self, guint group)
{
  return kvsql_slice (self->text.data + self->spans[group].start,
                      self->spans[group].end - self->spans[group].start);
}

static gboolean
has_group (const Search *self, guint group)
{
  return group < self->n_spans && self->spans[group].start != G_MAXSIZE;
}

/* Begins at character @start, from 1. */
static gboolean
skip_to (Search *self, gint64 start, GError **error)
{
  if (start < 1)
    return kvsql_function_fail_as (
        error, "22023", "invalid value for parameter \"start\": %" G_GINT64_FORMAT, start);
  for (gint64 i = 1; i < start && self->next <= self->text.size; i++)
    self->next
        = self->next == self->text.size ? self->next + 1 : after_character (self->text, self->next);
  return TRUE;
}

/* ---- replacing */

static void
append_replacement (const Search *self, KvsqlSlice with, GString *out)
{
  for (gsize i = 0; i < with.size; i++)
    {
      gchar c = (gchar)with.data[i], next = i + 1 < with.size ? (gchar)with.data[i + 1] : '\0';
      guint group = next == '&' ? 0 : (guint)(next - '0');

      if (c != '\\' || i + 1 == with.size)
        {
          g_string_append_c (out, c);
          continue;
        }
      i++;
      if (next == '&' || (next >= '1' && next <= '9'))
        {
          if (has_group (self, group))
            g_string_append_len (out, (const gchar *)part (self, group).data,
                                 part (self, group).size);
          continue;
        }
      if (next != '\\')
        g_string_append_c (out, '\\');
      g_string_append_c (out, next);
    }
}

static gboolean
replace (const KvsqlFunctionCall *call, Search *self, KvsqlSlice with, KvsqlValue *out,
         GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gsize done = 0;

  do
    {
      if (!find (self, error))
        return FALSE;
      if (self->n_spans == 0)
        break;
      g_string_append_len (text, (const gchar *)self->text.data + done,
                           self->spans[0].start - done);
      append_replacement (self, with, text);
      done = self->spans[0].end;
      if (text->len > KVSQL_FUNCTION_MAX_BYTES)
        return kvsql_function_fail_too_long (error);
    }
  while (self->is_global);
  if (done < self->text.size)
    g_string_append_len (text, (const gchar *)self->text.data + done, self->text.size - done);
  return kvsql_function_set_text (call, kvsql_slice (text->str, text->len), out, error);
}

static gboolean
regexp_replace (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  Search search;

  return begin (call, arguments[0].bytes, arguments[1].bytes, KVSQL_SLICE_EMPTY, TRUE, &search,
                error)
         && replace (call, &search, arguments[2].bytes, out, error);
}

static gboolean
regexp_replace_with (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                     GError **error)
{
  Search search;

  return begin (call, arguments[0].bytes, arguments[1].bytes, arguments[3].bytes, TRUE, &search,
                error)
         && replace (call, &search, arguments[2].bytes, out, error);
}

/* From character @start on: match number @n, or all of them if it is 0. */
static gboolean
replace_nth (const KvsqlFunctionCall *call, const KvsqlValue *arguments, gint64 n, KvsqlSlice flags,
             KvsqlValue *out, GError **error)
{
  Search search;

  if (n < 0)
    return kvsql_function_fail_as (error, "22023",
                                   "invalid value for parameter \"n\": %" G_GINT64_FORMAT, n);
  if (!begin (call, arguments[0].bytes, arguments[1].bytes, flags, FALSE, &search, error)
      || !skip_to (&search, arguments[3].integer, error))
    return FALSE;
  search.is_global = n == 0;
  for (gint64 i = 1; i < n; i++)
    {
      if (!find (&search, error))
        return FALSE;
      if (search.n_spans == 0)
        {
          *out = arguments[0];
          return TRUE;
        }
    }
  return replace (call, &search, arguments[2].bytes, out, error);
}

static gboolean
regexp_replace_from (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                     GError **error)
{
  return replace_nth (call, arguments, 1, KVSQL_SLICE_EMPTY, out, error);
}

static gboolean
regexp_replace_nth (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                    GError **error)
{
  return replace_nth (call, arguments, arguments[4].integer, KVSQL_SLICE_EMPTY, out, error);
}

static gboolean
regexp_replace_nth_with (const KvsqlFunctionCall *call, const KvsqlValue *arguments,
                         KvsqlValue *out, GError **error)
{
  return replace_nth (call, arguments, arguments[4].integer, arguments[5].bytes, out, error);
}

/* ---- matching */

static gboolean
like (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlSlice flags, KvsqlValue *out,
      GError **error)
{
  Search search;

  if (!begin (call, arguments[0].bytes, arguments[1].bytes, flags, FALSE, &search, error)
      || !find (&search, error))
    return FALSE;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = search.n_spans > 0 };
  return TRUE;
}

static gboolean
regexp_like (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  return like (call, arguments, KVSQL_SLICE_EMPTY, out, error);
}

static gboolean
regexp_like_with (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                  GError **error)
{
  return like (call, arguments, arguments[2].bytes, out, error);
}

/* The groups, or the whole match if there are none. */
static gboolean
match (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlSlice flags,
       KvsqlValue *out, GError **error)
{
  KvsqlValue values[MAX_GROUPS];
  Search search;
  guint first;

  if (!begin (call, arguments[0].bytes, arguments[1].bytes, flags, FALSE, &search, error)
      || !find (&search, error))
    return FALSE;
  if (search.n_spans == 0)
    return TRUE;
  first = search.n_spans > 1 ? 1 : 0;
  for (guint i = first; i < search.n_spans; i++)
    values[i - first] = has_group (&search, i)
                            ? (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = part (&search, i) }
                            : KVSQL_VALUE_NULL;
  *out = (KvsqlValue){ .type = call->type,
                       .bytes = kvsql_list_join (values, search.n_spans - first, call->arena) };
  return TRUE;
}

static gboolean
regexp_match (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  return match (call, arguments, KVSQL_SLICE_EMPTY, out, error);
}

static gboolean
regexp_match_with (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                   GError **error)
{
  return match (call, arguments, arguments[2].bytes, out, error);
}

/* ---- counting and finding */

/* Moves to match number @n from character @start on: search->n_spans is 0 if there is none. */
static gboolean
find_nth (const KvsqlFunctionCall *call, const KvsqlValue *arguments, gint64 start, gint64 n,
          KvsqlSlice flags, Search *out, GError **error)
{
  if (n < 1)
    return kvsql_function_fail_as (error, "22023",
                                   "invalid value for parameter \"n\": %" G_GINT64_FORMAT, n);
  if (!begin (call, arguments[0].bytes, arguments[1].bytes, flags, FALSE, out, error)
      || !skip_to (out, start, error))
    return FALSE;
  do
    if (!find (out, error))
      return FALSE;
  while (--n > 0 && out->n_spans > 0);
  return TRUE;
}

static gboolean
count (const KvsqlFunctionCall *call, const KvsqlValue *arguments, gint64 start, KvsqlSlice flags,
       KvsqlValue *out, GError **error)
{
  Search search;
  gint64 n = 0;

  if (!find_nth (call, arguments, start, 1, flags, &search, error))
    return FALSE;
  for (; search.n_spans > 0; n++)
    if (!find (&search, error))
      return FALSE;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_INT, .integer = n };
  return TRUE;
}

static gboolean
regexp_count (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  return count (call, arguments, 1, KVSQL_SLICE_EMPTY, out, error);
}

static gboolean
regexp_count_from (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                   GError **error)
{
  return count (call, arguments, arguments[2].integer, KVSQL_SLICE_EMPTY, out, error);
}

static gboolean
regexp_count_with (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                   GError **error)
{
  return count (call, arguments, arguments[2].integer, arguments[3].bytes, out, error);
}

static gboolean
substr (const KvsqlFunctionCall *call, const KvsqlValue *arguments, gint64 start, gint64 n,
        KvsqlSlice flags, KvsqlValue *out, GError **error)
{
  Search search;

  if (!find_nth (call, arguments, start, n, flags, &search, error))
    return FALSE;
  return search.n_spans == 0 || kvsql_function_set_text (call, part (&search, 0), out, error);
}

static gboolean
regexp_substr (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  return substr (call, arguments, 1, 1, KVSQL_SLICE_EMPTY, out, error);
}

static gboolean
regexp_substr_from (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                    GError **error)
{
  return substr (call, arguments, arguments[2].integer, 1, KVSQL_SLICE_EMPTY, out, error);
}

static gboolean
regexp_substr_nth (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                   GError **error)
{
  return substr (call, arguments, arguments[2].integer, arguments[3].integer, KVSQL_SLICE_EMPTY,
                 out, error);
}

static gboolean
regexp_substr_with (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                    GError **error)
{
  return substr (call, arguments, arguments[2].integer, arguments[3].integer, arguments[4].bytes,
                 out, error);
}

/* The first group, or the whole match if the expression has none. */
static gboolean
substring_match (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                 GError **error)
{
  Search search;
  guint group;

  if (!find_nth (call, arguments, 1, 1, KVSQL_SLICE_EMPTY, &search, error))
    return FALSE;
  group = search.n_spans > 1 ? 1 : 0;
  return search.n_spans == 0 || !has_group (&search, group)
         || kvsql_function_set_text (call, part (&search, group), out, error);
}

static gboolean
check_group (gint64 group, GError **error)
{
  return group >= 0
         || kvsql_function_fail_as (
             error, "22023", "invalid value for parameter \"subexpr\": %" G_GINT64_FORMAT, group);
}

static gboolean
regexp_substr_group (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                     GError **error)
{
  gint64 group = arguments[5].integer;
  Search search;

  if (!check_group (group, error)
      || !find_nth (call, arguments, arguments[2].integer, arguments[3].integer, arguments[4].bytes,
                    &search, error))
    return FALSE;
  return group >= search.n_spans || !has_group (&search, (guint)group)
         || kvsql_function_set_text (call, part (&search, (guint)group), out, error);
}

/* The number of the first character of a group, or of the character after it; 0: no match. */
static gboolean
instr_group (const KvsqlFunctionCall *call, const KvsqlValue *arguments, gint64 start, gint64 n,
             gint64 end_option, KvsqlSlice flags, gint64 group, KvsqlValue *out, GError **error)
{
  Search search;
  gint64 position = 0;
  gsize place;

  if (end_option != 0 && end_option != 1)
    return kvsql_function_fail_as (
        error, "22023", "invalid value for parameter \"endoption\": %" G_GINT64_FORMAT, end_option);
  if (!check_group (group, error) || !find_nth (call, arguments, start, n, flags, &search, error))
    return FALSE;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_INT, .integer = 0 };
  if (group >= search.n_spans || !has_group (&search, (guint)group))
    return TRUE;
  place = end_option == 0 ? search.spans[group].start : search.spans[group].end;
  for (gsize at = 0; at <= place && kvsql_interrupt_tick (); position++)
    at = after_character (search.text, at);
  out->integer = position;
  return TRUE;
}

static gboolean
instr (const KvsqlFunctionCall *call, const KvsqlValue *arguments, gint64 start, gint64 n,
       KvsqlValue *out, GError **error)
{
  return instr_group (call, arguments, start, n, 0, KVSQL_SLICE_EMPTY, 0, out, error);
}

static gboolean
regexp_instr_end (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                  GError **error)
{
  return instr_group (call, arguments, arguments[2].integer, arguments[3].integer,
                      arguments[4].integer, KVSQL_SLICE_EMPTY, 0, out, error);
}

static gboolean
regexp_instr_with (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                   GError **error)
{
  return instr_group (call, arguments, arguments[2].integer, arguments[3].integer,
                      arguments[4].integer, arguments[5].bytes, 0, out, error);
}

static gboolean
regexp_instr_group (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                    GError **error)
{
  return instr_group (call, arguments, arguments[2].integer, arguments[3].integer,
                      arguments[4].integer, arguments[5].bytes, arguments[6].integer, out, error);
}

static gboolean
regexp_instr (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  return instr (call, arguments, 1, 1, out, error);
}

static gboolean
regexp_instr_nth (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                  GError **error)
{
  return instr (call, arguments, arguments[2].integer, arguments[3].integer, out, error);
}

/* ---- splitting */

/* The parts between matches. An empty match at the start, at the end, or directly after another
 * match, separates nothing. */
static gboolean
split (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlSlice flags,
       KvsqlValue *out, GError **error)
{
  KvsqlValue *values = NULL, value = { .type = KVSQL_TYPE_STRING };
  Search search;
  gsize done = 0;
  guint n = 0;

  if (!begin (call, arguments[0].bytes, arguments[1].bytes, flags, FALSE, &search, error))
    return FALSE;
  for (;;)
    {
      if (!find (&search, error))
        return FALSE;
      if (search.n_spans == 0)
        break;
      if (search.spans[0].end == search.spans[0].start
          && (search.spans[0].start == done || search.spans[0].start == search.text.size))
        continue;
      if (n == KVSQL_COLLECTION_MAX_ELEMENTS - 1)
        return kvsql_function_fail (error, "a list has at most %d elements",
                                    KVSQL_COLLECTION_MAX_ELEMENTS);
      value.bytes = kvsql_slice (search.text.data + done, search.spans[0].start - done);
      *KVSQL_ARENA_ADD (call->arena, values, n) = value;
      done = search.spans[0].end;
    }
  value.bytes = kvsql_slice (search.text.data + done, search.text.size - done);
  *KVSQL_ARENA_ADD (call->arena, values, n) = value;
  *out = (KvsqlValue){ .type = call->type, .bytes = kvsql_list_join (values, n, call->arena) };
  return out->bytes.size <= KVSQL_FUNCTION_MAX_BYTES || kvsql_function_fail_too_long (error);
}

static gboolean
regexp_split (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  return split (call, arguments, KVSQL_SLICE_EMPTY, out, error);
}

static gboolean
regexp_split_with (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                   GError **error)
{
  return split (call, arguments, arguments[2].bytes, out, error);
}

#define S KVSQL_TYPE_STRING
#define N KVSQL_TYPE_INT

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_3 ("regexp_replace", STRING, STRING, STRING, STRING, regexp_replace),
  KVSQL_FUNCTION_4 ("regexp_replace", STRING, STRING, STRING, STRING, STRING, regexp_replace_with),
  KVSQL_FUNCTION_4 ("regexp_replace", STRING, STRING, STRING, INT, STRING, regexp_replace_from),
  { "regexp_replace", 5, { S, S, S, N, N }, S, regexp_replace_nth, NULL, FALSE, FALSE, FALSE },
  { "regexp_replace",
    6,
    { S, S, S, N, N, S },
    S,
    regexp_replace_nth_with,
    NULL,
    FALSE,
    FALSE,
    FALSE },
  KVSQL_FUNCTION_2 ("substring", STRING, STRING, STRING, substring_match),
  KVSQL_FUNCTION_2 ("regexp_like", STRING, STRING, BOOLEAN, regexp_like),
  KVSQL_FUNCTION_3 ("regexp_like", STRING, STRING, STRING, BOOLEAN, regexp_like_with),
  KVSQL_FUNCTION_2 ("regexp_match", STRING, STRING, LIST, regexp_match),
  KVSQL_FUNCTION_3 ("regexp_match", STRING, STRING, STRING, LIST, regexp_match_with),
  KVSQL_FUNCTION_2 ("regexp_count", STRING, STRING, INT, regexp_count),
  KVSQL_FUNCTION_3 ("regexp_count", STRING, STRING, INT, INT, regexp_count_from),
  KVSQL_FUNCTION_4 ("regexp_count", STRING, STRING, INT, STRING, INT, regexp_count_with),
  KVSQL_FUNCTION_2 ("regexp_substr", STRING, STRING, STRING, regexp_substr),
  KVSQL_FUNCTION_3 ("regexp_substr", STRING, STRING, INT, STRING, regexp_substr_from),
  KVSQL_FUNCTION_4 ("regexp_substr", STRING, STRING, INT, INT, STRING, regexp_substr_nth),
  { "regexp_substr", 5, { S, S, N, N, S }, S, regexp_substr_with, NULL, FALSE, FALSE, FALSE },
  { "regexp_substr", 6, { S, S, N, N, S, N }, S, regexp_substr_group, NULL, FALSE, FALSE, FALSE },
  KVSQL_FUNCTION_2 ("regexp_instr", STRING, STRING, INT, regexp_instr),
  KVSQL_FUNCTION_4 ("regexp_instr", STRING, STRING, INT, INT, INT, regexp_instr_nth),
  { "regexp_instr", 5, { S, S, N, N, N }, N, regexp_instr_end, NULL, FALSE, FALSE, FALSE },
  { "regexp_instr", 6, { S, S, N, N, N, S }, N, regexp_instr_with, NULL, FALSE, FALSE, FALSE },
  { "regexp_instr", 7, { S, S, N, N, N, S, N }, N, regexp_instr_group, NULL, FALSE, FALSE, FALSE },
  KVSQL_FUNCTION_2 ("regexp_split_to_array", STRING, STRING, LIST, regexp_split),
  KVSQL_FUNCTION_3 ("regexp_split_to_array", STRING, STRING, STRING, LIST, regexp_split_with),
};

const KvsqlFunctionFamily kvsql_functions_regexp = { functions, G_N_ELEMENTS (functions) };
