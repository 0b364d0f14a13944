/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * regex.c: GRegex with a limit on its steps, and a small cache for each thread.
 */
#include "config.h"

#include "core/expr/regex.h"

/* The limit of backtracking steps for one text: about 20 ms. */
#define LIMITS "(*LIMIT_MATCH=1000000)(*LIMIT_RECURSION=10000)"

#define CACHED 8

/* Bytes of a text that is not worth a second form of its pattern. */
#define SHORT_TEXT 1024

typedef struct
{
  GRegex *regex; /* nullable */
  gchar *pattern;
  gsize size;
  gboolean is_bytes;
  guint64 last_use;
} Entry;

typedef struct
{
  Entry entries[CACHED];
  guint64 uses;
} Cache;

static void
entry_clear (Entry *self)
{
  g_clear_pointer (&self->regex, g_regex_unref);
  g_clear_pointer (&self->pattern, g_free);
}

static void
cache_free (gpointer data)
{
  Cache *self = data;

  for (guint i = 0; i < CACHED; i++)
    entry_clear (&self->entries[i]);
  g_free (self);
}

static GPrivate cache_key = G_PRIVATE_INIT (cache_free);

static Cache *
get_cache (void)
{
  Cache *self = g_private_get (&cache_key);

  if (self == NULL)
    {
      self = g_new0 (Cache, 1);
      g_private_set (&cache_key, self);
    }
  return self;
}

/* GLib's message contains the whole pattern, with our limits. Its end is the reason. */
static gboolean
fail (const GError *cause, GError **error)
{
  const gchar *place = g_strrstr (cause->message, " at char ");
  const gchar *reason = place != NULL ? strstr (place, ": ") : NULL;

  return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                          "invalid regular expression: %s",
                          reason != NULL ? reason + 2 : cause->message)
         || kvsql_error_sqlstate (error, "2201B");
}

static GRegex *
compile (KvsqlSlice pattern, gboolean is_bytes, GError **error)
{
  g_autoptr (GString) text = g_string_new (LIMITS);
  g_autoptr (GError) cause = NULL;
  GRegex *regex;

  if (pattern.size > KVSQL_REGEX_MAX_SIZE)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "regular expression is longer than %d bytes", KVSQL_REGEX_MAX_SIZE);
      return NULL;
    }
  if (pattern.size > 0 && memchr (pattern.data, '\0', pattern.size) != NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                       "invalid regular expression: it contains a NUL byte");
      kvsql_error_sqlstate (error, "2201B");
      kvsql_error_hint (error, "Write \\x00.");
      return NULL;
    }
  /* verbs at the beginning could change the limits or the encoding */
  if (kvsql_slice_has_prefix (pattern, KVSQL_SLICE_LITERAL ("(*")))
    {
      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                       "invalid regular expression: it begins with (*");
      kvsql_error_sqlstate (error, "2201B");
      return NULL;
    }
  g_string_append_len (text, (const gchar *)pattern.data, pattern.size);
  regex = g_regex_new (text->str, is_bytes ? G_REGEX_RAW | G_REGEX_DOTALL : G_REGEX_DOTALL, 0,
                       &cause);
  if (regex == NULL)
    fail (cause, error);
  return regex;
}

static GRegex *
lookup (KvsqlSlice pattern, gboolean is_bytes, GError **error)
{
  Cache *cache = get_cache ();
  Entry *oldest = &cache->entries[0];
  GRegex *regex;

  for (guint i = 0; i < CACHED; i++)
    {
      Entry *entry = &cache->entries[i];
      if (entry->regex != NULL && entry->is_bytes == is_bytes && entry->size == pattern.size
          && (pattern.size == 0 || memcmp (entry->pattern, pattern.data, pattern.size) == 0))
        {
          entry->last_use = ++cache->uses;
          return entry->regex;
        }
      if (entry->last_use < oldest->last_use)
        oldest = entry;
    }
  regex = compile (pattern, is_bytes, error);
  if (regex == NULL)
    return NULL;
  entry_clear (oldest);
  *oldest = (Entry){ .regex = regex,
                     .pattern = g_strndup ((const gchar *)pattern.data, pattern.size),
                     .size = pattern.size,
                     .is_bytes = is_bytes,
                     .last_use = ++cache->uses };
  return regex;
}

static gboolean
fail_encoding (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                          "RLIKE needs a text that is UTF-8");
}

static gboolean
fail_steps (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                          "regular expression takes too many steps")
         || kvsql_error_hint (error, "Avoid nested repetitions, as in (a+)+.");
}

gboolean
kvsql_regex_matches (KvsqlSlice pattern, KvsqlSlice text, gboolean is_bytes, gboolean *out_matches,
                     GError **error)
{
  GRegex *regex = lookup (pattern, is_bytes, error);
  const gchar *subject = text.size > 0 ? (const gchar *)text.data : "";
  g_autoptr (GError) cause = NULL;

  if (regex == NULL)
    return FALSE;
  if (!is_bytes && !g_utf8_validate_len (subject, text.size, NULL))
    return fail_encoding (error);
  *out_matches = g_regex_match_full (regex, subject, text.size, 0, 0, NULL, &cause);
  return cause == NULL || fail_steps (error);
}

static gboolean
is_ascii (KvsqlSlice text)
{
  guint8 bits = 0;

  for (gsize i = 0; i < text.size; i++)
    bits |= text.data[i];
  return bits < 0x80;
}

/* The library checks the whole rest of the text for UTF-8 at each search, which for many matches is
 * the square of its size. ASCII as bytes gives the same matches without the check. */
gboolean
kvsql_regex_can_be_bytes (KvsqlSlice pattern, KvsqlSlice text)
{
  return text.size > SHORT_TEXT && is_ascii (pattern) && is_ascii (text)
         && lookup (pattern, TRUE, NULL) != NULL;
}

gboolean
kvsql_regex_find (KvsqlSlice pattern, KvsqlSlice text, gboolean is_bytes, gsize from,
                  KvsqlRegexSpan *out_spans, guint max_spans, guint *out_n, GError **error)
{
  GRegex *regex = lookup (pattern, is_bytes, error);
  const gchar *subject = text.size > 0 ? (const gchar *)text.data : "";
  g_autoptr (GMatchInfo) match = NULL;
  g_autoptr (GError) cause = NULL;
  gboolean matches;

  *out_n = 0;
  if (regex == NULL)
    return FALSE;
  if (from == 0 && !is_bytes && !g_utf8_validate_len (subject, text.size, NULL))
    return fail_encoding (error);
  matches = g_regex_match_full (regex, subject, text.size, (gint)from, 0, &match, &cause);
  if (cause != NULL)
    return fail_steps (error);
  if (!matches)
    return TRUE;
  *out_n = MIN ((guint)g_regex_get_capture_count (regex) + 1, max_spans);
  for (guint i = 0; i < *out_n; i++)
    {
      gint start = -1, end = -1;
      gboolean has = g_match_info_fetch_pos (match, (gint)i, &start, &end) && start >= 0;
      out_spans[i] = has ? (KvsqlRegexSpan){ (gsize)start, (gsize)end }
                         : (KvsqlRegexSpan){ G_MAXSIZE, G_MAXSIZE };
    }
  return TRUE;
}

KvsqlSlice
kvsql_regex_prefix (KvsqlSlice pattern, KvsqlArena *arena, gboolean *out_is_all)
{
  guint8 *prefix = kvsql_arena_alloc (arena, pattern.size + 1);
  gsize size = 0, i = 1, last = 0;

  *out_is_all = FALSE;
  if (pattern.size == 0 || pattern.data[0] != '^' || memchr (pattern.data, '|', pattern.size))
    return KVSQL_SLICE_EMPTY;
  while (i < pattern.size)
    {
      guint8 c = pattern.data[i];
      gboolean is_escaped = c == '\\' && i + 1 < pattern.size;
      if (is_escaped)
        c = pattern.data[i + 1];
      /* an escaped letter or digit has another meaning, and so has a sign that is not escaped */
      if (is_escaped ? g_ascii_isalnum (c) || c >= 0x80 : strchr (".^$*+?()[]{}\\", c) != NULL)
        break;
      last = size;
      prefix[size++] = c;
      i += 1 + is_escaped;
      while (i < pattern.size && (pattern.data[i] & 0xc0) == 0x80) /* the rest of a character */
        prefix[size++] = pattern.data[i++];
    }
  *out_is_all = i == pattern.size;
  if (i < pattern.size && strchr ("*?{", pattern.data[i]) != NULL)
    size = last; /* the last character may be missing */
  return kvsql_slice (prefix, size);
}
