/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pieces.c: see pieces.h.
 */
#include "config.h"

#include "core/infer/pieces.h"

#include "core/base/hash.h"

/* The most telling first: a good layout that is found early ends the search of others early. */
static const KvsqlInferFunc finders[] = {
  kvsql_infer_documents,       kvsql_infer_salts,
  kvsql_infer_hashes,          kvsql_infer_ordered,
  kvsql_infer_web_texts,       kvsql_infer_times,
  kvsql_infer_uuids,           kvsql_infer_numbers,
  kvsql_infer_open_texts,      kvsql_infer_fixed_bytes,
  kvsql_infer_open_bytes,      kvsql_infer_fixed_texts,
  kvsql_infer_constants,       kvsql_infer_padded_texts,
  kvsql_infer_separated_texts, NULL,
};

static guint
search (const KvsqlSlice *strings, guint n, KvsqlArena *arena, KvsqlInferLayout *out)
{
  guint n_found = kvsql_infer_search (finders, strings, n, arena, out);

  for (guint i = 0; i < n_found; i++)
    out[i].bits /= n;
  return n_found;
}

/* ---- strange strings, such as a row that describes the table */

/* So many of a hundred may be strange. */
#define MAX_STRANGE 20
/* With fewer strings, none can be called strange. */
#define MIN_STRINGS 10

/* What strings of one kind have in common: of texts, their punctuation. */
static guint64
kind_of (KvsqlSlice string)
{
  guint64 hash = 0;
  gboolean is_word = FALSE;

  for (gsize i = 0; i < string.size; i++)
    {
      guint8 byte = string.data[i];

      if ((byte < 0x20 && byte != '\t') || byte >= 0x7f)
        return 0;
      if (!g_ascii_isalnum ((gchar)byte))
        hash = hash * 131 + byte;
      else if (!is_word)
        hash = hash * 131 + 'w';
      is_word = g_ascii_isalnum ((gchar)byte);
    }
  return hash | 1;
}

/* The most frequent kind, if it is nearly all strings, and not all of them. */
static guint
choose_usual (const KvsqlSlice *strings, guint n, KvsqlArena *arena, KvsqlSlice **out)
{
  g_autofree guint64 *kinds = g_new (guint64, n);
  guint most = 0, best = 0, n_usual = 0;

  for (guint i = 0; i < n; i++)
    kinds[i] = kind_of (strings[i]);
  for (guint i = 0; i < n && most * 2 <= n; i++)
    {
      guint count = 0;

      for (guint j = 0; j < n; j++)
        count += kinds[j] == kinds[i];
      if (count > most)
        {
          most = count;
          best = i;
        }
    }
  if (n < MIN_STRINGS || most == n || (n - most) * 100 > n * MAX_STRANGE)
    return 0;
  *out = kvsql_arena_array (arena, KvsqlSlice, most);
  for (guint i = 0; i < n; i++)
    if (kinds[i] == kinds[best])
      (*out)[n_usual++] = strings[i];
  return n_usual;
}

/* Puts the layouts of both into one list, by their bits. */
static guint
merge (KvsqlInferLayout *layouts, guint n, const KvsqlInferLayout *others, guint n_others)
{
  for (guint i = 0; i < n_others; i++)
    {
      guint at = n;

      while (at > 0 && layouts[at - 1].bits > others[i].bits)
        at--;
      if (at == KVSQL_INFER_MAX_LAYOUTS)
        continue;
      n = MIN (n + 1, KVSQL_INFER_MAX_LAYOUTS);
      memmove (&layouts[at + 1], &layouts[at], (n - 1 - at) * sizeof *layouts);
      layouts[at] = others[i];
    }
  return n;
}

guint
kvsql_infer_layouts (const KvsqlSlice *strings, guint n, KvsqlArena *arena, KvsqlInferLayout *out)
{
  KvsqlInferLayout of_usual[KVSQL_INFER_MAX_LAYOUTS];
  KvsqlSlice *usual = NULL;
  guint n_found = search (strings, n, arena, out);
  guint n_usual = choose_usual (strings, n, arena, &usual);
  gdouble strange_bits = 0;
  guint n_more;

  if (n_usual == 0)
    return n_found;
  for (guint i = 0; i < n; i++)
    strange_bits += 16 * (gdouble)strings[i].size * (n - n_usual) / n;
  n_more = search (usual, n_usual, arena, of_usual);
  for (guint i = 0; i < n_more; i++)
    of_usual[i].bits = (of_usual[i].bits * n_usual + strange_bits) / n;
  return merge (out, n_found, of_usual, n_more);
}
