/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * web-pieces.c: texts that have a form of their own, and are not to be taken apart: URLs, paths,
 * names of hosts and their reverse, mail addresses, IP addresses, UUIDs, sentences.
 */
#include "config.h"

#include "core/infer/pieces.h"
#include "core/infer/text-value.h"

/* The size of such a text at the beginning of @rest; 0: it has none. */
typedef gsize (*SizeFunc) (KvsqlSlice rest);

static gsize
run_size (KvsqlSlice rest, const gchar *others)
{
  gsize size = 0;

  while (size < rest.size && rest.data[size] != 0
         && (g_ascii_isalnum ((gchar)rest.data[size]) || strchr (others, rest.data[size]) != NULL))
    size++;
  return size;
}

/* ---- names of hosts */

/* A label that ends the names of hosts: two letters, or one of the common longer ones. */
static gboolean
is_top_level (const guint8 *label, gsize size)
{
  static const gchar *const names[]
      = { "com",    "org",  "net",   "edu",  "gov",   "mil",      "int",  "info", "biz",
          "app",    "dev",  "xyz",   "name", "pro",   "jobs",     "mobi", "shop", "site",
          "online", "blog", "cloud", "arpa", "local", "internal", NULL };

  if (size == 2)
    return g_ascii_isalpha ((gchar)label[0]) && g_ascii_isalpha ((gchar)label[1]);
  for (guint i = 0; names[i] != NULL; i++)
    if (strlen (names[i]) == size
        && g_ascii_strncasecmp (names[i], (const gchar *)label, size) == 0)
      return TRUE;
  return FALSE;
}

static gsize
host_size (KvsqlSlice rest, gboolean *begins_with_top, gboolean *ends_with_top)
{
  gsize size = run_size (rest, ".-");
  const guint8 *first = size > 0 ? memchr (rest.data, '.', size) : NULL;
  gsize last = size;

  if (first == NULL || first == rest.data || rest.data[size - 1] == '.')
    return 0;
  while (rest.data[last - 1] != '.')
    last--;
  *begins_with_top = is_top_level (rest.data, (gsize)(first - rest.data));
  *ends_with_top = is_top_level (rest.data + last, size - last);
  return size;
}

static gsize
reversed_host_size (KvsqlSlice rest)
{
  gboolean begins, ends;
  gsize size = host_size (rest, &begins, &ends);

  return size > 0 && begins ? size : 0;
}

static gsize
plain_host_size (KvsqlSlice rest)
{
  gboolean begins, ends;
  gsize size = host_size (rest, &begins, &ends);

  return size > 0 && ends && !g_ascii_isdigit ((gchar)rest.data[size - 1]) ? size : 0;
}

/* ---- other texts */

static gsize
mail_size (KvsqlSlice rest)
{
  gsize name = run_size (rest, "._%+-"), host;
  gboolean begins, ends;

  if (name == 0 || name >= rest.size || rest.data[name] != '@')
    return 0;
  host = host_size (kvsql_slice (rest.data + name + 1, rest.size - name - 1), &begins, &ends);
  return host > 0 ? name + 1 + host : 0;
}

static gsize
address_size (KvsqlSlice rest)
{
  gsize size = 0;

  for (guint part = 0; part < 4; part++)
    {
      guint value = 0, n_digits = 0;

      if (part > 0 && (size >= rest.size || rest.data[size++] != '.'))
        return 0;
      for (; size < rest.size && g_ascii_isdigit ((gchar)rest.data[size]); size++, n_digits++)
        value = MIN (value * 10 + (guint)g_ascii_digit_value ((gchar)rest.data[size]), 1000);
      if (n_digits == 0 || value > 255)
        return 0;
    }
  return size < rest.size && rest.data[size] == '.' ? 0 : size;
}

static gsize
scheme_size (KvsqlSlice rest)
{
  gsize size = run_size (rest, "+");

  return size >= 2 && rest.size > size + 3 && memcmp (rest.data + size, "://", 3) == 0 ? size + 3
                                                                                       : 0;
}

/* URLs hold nearly all characters. */
static gsize
url_size (KvsqlSlice rest)
{
  return scheme_size (rest) > 0 ? run_size (rest, "-._~:/?[]@!$&'()*+,;=%#") : 0;
}

/* Absolute, of a file or a page. */
static gsize
path_size (KvsqlSlice rest)
{
  return rest.size > 0 && rest.data[0] == '/' ? run_size (rest, "-._~:/?@!$&'()*+,;=% ") : 0;
}

static gsize
uuid_size (KvsqlSlice rest)
{
  for (gsize i = 0; i < 36; i++)
    if (i >= rest.size
        || (i == 8 || i == 13 || i == 18 || i == 23 ? rest.data[i] != '-'
                                                    : !g_ascii_isxdigit ((gchar)rest.data[i])))
      return 0;
  return 36;
}

/* ---- */

/* xx:xx:xx:xx:xx:xx, also with dashes */
static gsize
mac_size (KvsqlSlice rest)
{
  for (gsize i = 0; i < 17; i++)
    if (i >= rest.size
        || (i % 3 == 2
                ? (rest.data[i] != ':' && rest.data[i] != '-') || rest.data[i] != rest.data[2]
                : !g_ascii_isxdigit ((gchar)rest.data[i])))
      return 0;
  return 17;
}

/* A number with a point, and not 1.2.3 */
static gsize
decimal_size (KvsqlSlice rest)
{
  gsize size = rest.size > 0 && rest.data[0] == '-', whole, all;

  for (whole = size; whole < rest.size && g_ascii_isdigit ((gchar)rest.data[whole]); whole++)
    ;
  if (whole == size || whole >= rest.size || rest.data[whole] != '.')
    return 0;
  for (all = whole + 1; all < rest.size && g_ascii_isdigit ((gchar)rest.data[all]); all++)
    ;
  return all == whole + 1 || (all < rest.size && rest.data[all] == '.') ? 0 : all;
}

static const struct
{
  SizeFunc size_of;
  const gchar *before, *after; /* around the name */
  const gchar *stem;
  gsize fixed; /* the size of all; 0: they vary */
} kinds[] = {
  { uuid_size, "", "", "id", 36 },
  { mac_size, "", "", "mac", 17 },
  { decimal_size, NULL, NULL, "x", 0 },
  { url_size, "", "", "url", 0 },
  { mail_size, "", "", "email", 0 },
  { address_size, "", "", "ip", 0 },
  { reversed_host_size, "reversed('.'){", "}", "host", 0 },
  { plain_host_size, "", "", "host", 0 },
  { path_size, "", "", "path", 0 },
};

/* What follows the values: -1: nothing, in all strings; -2: it differs. */
static gint
byte_after (const KvsqlInferSearch *self, const KvsqlSlice *rests, const gsize *sizes)
{
  gint first = sizes[0] < rests[0].size ? rests[0].data[sizes[0]] : -1;

  for (guint i = 1; i < self->n; i++)
    if ((sizes[i] < rests[i].size ? rests[i].data[sizes[i]] : -1) != first)
      return -2;
  return first;
}

static void
offer_kind (KvsqlInferSearch *self, const KvsqlSlice *rests, guint kind, const gsize *sizes)
{
  KvsqlInferPiece piece = { .kind = KVSQL_INFER_ATTRIBUTE,
                            .before = "",
                            .inner_before = kinds[kind].before,
                            .inner_after = kinds[kind].after,
                            .after = "",
                            .type = KVSQL_TYPE_STRING,
                            .stem = kinds[kind].stem };
  KvsqlSlice *values = kvsql_arena_array (self->arena, KvsqlSlice, self->n);
  KvsqlSlice *after = kvsql_arena_array (self->arena, KvsqlSlice, self->n);
  gint next = byte_after (self, rests, sizes);
  gsize skipped = next >= 0 && kinds[kind].fixed == 0;

  if (kinds[kind].fixed > 0)
    {
      piece.before = kvsql_arena_printf (self->arena, "fixed(%u){", (guint)kinds[kind].fixed);
      piece.after = "}";
    }
  else if (next == -2)
    return;
  else if (next >= 0)
    {
      guint8 byte = (guint8)next;

      piece.before = kvsql_arena_printf (self->arena, "suffix(%s){",
                                         kvsql_infer_literal (self->arena, kvsql_slice (&byte, 1)));
      piece.after = "}";
    }
  for (guint i = 0; i < self->n; i++)
    {
      values[i] = kvsql_slice (rests[i].data, sizes[i]);
      after[i]
          = kvsql_slice (rests[i].data + sizes[i] + skipped, rests[i].size - sizes[i] - skipped);
    }
  /* a number, if its text is what such a number has */
  if (kinds[kind].before == NULL)
    kvsql_infer_text_value (self, values, &piece);
  kvsql_infer_offer (self, &piece, after, 0.5 * kvsql_infer_bits_of_texts (self, values));
  self->is_certain = TRUE;
}

/* ---- the rest of strings, which is one value */

static void
offer_rest (KvsqlInferSearch *self, const KvsqlSlice *rests, const gchar *stem)
{
  const KvsqlInferPiece piece = { .kind = KVSQL_INFER_ATTRIBUTE,
                                  .before = "",
                                  .inner_before = "",
                                  .inner_after = "",
                                  .after = "",
                                  .type = KVSQL_TYPE_STRING,
                                  .stem = stem };

  kvsql_infer_offer (self, &piece, kvsql_infer_take_all (self),
                     0.5 * kvsql_infer_bits_of_texts (self, rests));
  self->is_certain = TRUE;
}

/* The path of a page, after the reverse of its host. */
static gboolean
are_after_host (const KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  const KvsqlInferPiece *last = self->now.n > 0 ? &self->now.pieces[self->now.n - 1] : NULL;

  if (last == NULL || g_strcmp0 (last->before, "suffix('/'){") != 0
      || g_strcmp0 (last->inner_before, "reversed('.'){") != 0)
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    if (run_size (rests[i], "-._~:/?@!$&'()*+,;=% ") < rests[i].size)
      return FALSE;
  return TRUE;
}

/* Whether most have blanks, not always as many, and none has a sign that separates values. */
static gboolean
are_sentences (const KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  guint n_with_blanks = 0, n_words = 0, n_first = 0;
  gboolean differ = self->n == 1;

  for (guint i = 0; i < self->n; i++)
    {
      guint n_blanks = 0;

      for (gsize b = 0; b < rests[i].size; b++)
        {
          guint8 byte = rests[i].data[b];

          if ((byte < 0x20 && byte != '\n' && byte != '\r') || byte == 0x7f || byte == '|'
              || byte == '#')
            return FALSE;
          n_blanks += byte == ' ' || byte == '\n';
          n_words += g_ascii_isalpha ((gchar)byte) || byte >= 0x80;
        }
      if (rests[i].size > 0 && g_ascii_isdigit ((gchar)rests[i].data[0]))
        n_first++;
      if (!g_utf8_validate ((const gchar *)rests[i].data, (gssize)rests[i].size, NULL))
        return FALSE;
      n_with_blanks += n_blanks > 0;
      differ |= i > 0 && rests[i].size != rests[0].size;
    }
  return differ && n_with_blanks * 2 > self->n && n_first * 2 < self->n && n_words > 4 * self->n;
}

/* Nothing but a hash is before it. */
static gboolean
is_at_start (const KvsqlInferSearch *self)
{
  for (guint i = 0; i < self->now.n; i++)
    if (self->now.pieces[i].kind == KVSQL_INFER_CONSTANT
        || self->now.pieces[i].kind == KVSQL_INFER_ATTRIBUTE)
      return FALSE;
  return TRUE;
}

void
kvsql_infer_web_texts (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  g_autofree gsize *sizes = g_new (gsize, self->n);

  if (are_after_host (self, rests))
    offer_rest (self, rests, "path");
  else if (are_sentences (self, rests))
    offer_rest (self, rests, "s");
  for (guint kind = 0; kind < G_N_ELEMENTS (kinds) && !self->is_certain; kind++)
    {
      guint n = 0;

      /* later, a slash is rather a separator */
      if (kinds[kind].size_of == path_size && !is_at_start (self))
        continue;
      while (n < self->n && (sizes[n] = kinds[kind].size_of (rests[n])) > 0)
        n++;
      if (n == self->n)
        offer_kind (self, rests, kind, sizes);
    }
}
