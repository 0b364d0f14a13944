/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * suggest.c: edit distance (letters inserted, removed, replaced, or swapped with the next one) by
 * dynamic programming over three rows.
 */
#include "config.h"

#include "client/ctl/suggest.h"

#include <string.h>

#define LONGEST 63

static guint
edit_distance (const gchar *a, const gchar *b)
{
  guint rows[3][LONGEST + 1];
  guint n_a = (guint)strlen (a), n_b = (guint)strlen (b);

  if (n_a > LONGEST || n_b > LONGEST)
    return G_MAXUINT;
  for (guint j = 0; j <= n_b; j++)
    rows[0][j] = j;
  for (guint i = 1; i <= n_a; i++)
    {
      guint *row = rows[i % 3];
      const guint *before = rows[(i + 2) % 3], *older = rows[(i + 1) % 3];

      row[0] = i;
      for (guint j = 1; j <= n_b; j++)
        {
          row[j] = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
          row[j] = MIN (row[j], MIN (before[j], row[j - 1]) + 1);
          if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            row[j] = MIN (row[j], older[j - 2] + 1);
        }
    }
  return rows[n_a % 3][n_b];
}

const gchar *
kvsqlctl_suggest (const gchar *word, const GPtrArray *candidates)
{
  guint limit = MAX (1, (guint)strlen (word) / 3) + 1;
  const gchar *best = NULL;

  for (guint i = 0; i < candidates->len; i++)
    {
      guint distance = edit_distance (word, candidates->pdata[i]);

      if (distance >= limit)
        continue;
      best = candidates->pdata[i];
      limit = distance;
    }
  return best;
}

gchar *
kvsqlctl_suggest_text (const gchar *word, const GPtrArray *candidates)
{
  const gchar *near = kvsqlctl_suggest (word, candidates);

  return near != NULL ? g_strdup_printf ("; did you mean \"%s\"?", near) : g_strdup ("");
}
