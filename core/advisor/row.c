/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row.c: what a row key does for a statement.
 */
#include "config.h"

#include "core/advisor/design.h"

guint
kvsql_row_count_equal (const guint *row, guint n_row, const KvsqlShape *shape)
{
  guint n = 0;

  while (n < n_row && kvsql_attribute_set_has (&shape->equal, row[n]))
    n++;
  return n;
}

gboolean
kvsql_row_gives_order (const guint *row, guint n_row, guint n_equal, const KvsqlShape *shape)
{
  guint at = n_equal;

  if (shape->n_order == 0)
    return FALSE;
  for (guint i = 0; i < shape->n_order; i++)
    {
      /* equal in all tuples; lists have several values */
      if (shape->fan_out == 1 && kvsql_attribute_set_has (&shape->equal, shape->order[i]))
        continue;
      if (at >= n_row || row[at] != shape->order[i] || shape->fan_out > 1
          || shape->is_descending[i] != shape->is_descending[0])
        return FALSE;
      at++;
    }
  return TRUE;
}
