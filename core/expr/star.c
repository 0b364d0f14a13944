/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * star.c: see the header.
 */
#include "config.h"

#include "core/expr/star.h"

#include "core/expr/bind-private.h"
#include "core/schema/relation.h"

static void
add (KvsqlStarColumn *out, guint *n, guint attribute, const gchar *name,
     const KvsqlBinderRelation *relation)
{
  out[(*n)++] = (KvsqlStarColumn){ attribute, name, relation };
}

static void
add_relation (const KvsqlRelation *relation, const KvsqlBinderRelation *qualifier,
              KvsqlStarColumn *out, guint *n)
{
  guint first = qualifier != NULL ? qualifier->first : 0;

  for (guint a = 0; a < relation->n_attributes; a++)
    if (!relation->attributes[a].is_hidden)
      add (out, n, first + a, relation->attributes[a].name, qualifier);
}

static void
add_all (const KvsqlBinder *binder, KvsqlStarColumn *out, guint *n)
{
  for (guint i = 0; i < binder->n_columns; i++)
    {
      const KvsqlBinderColumn *column = &binder->columns[i];

      add (out, n, column->attribute, column->name,
           column->relation == KVSQL_MERGED_COLUMN ? NULL : &binder->relations[column->relation]);
    }
}

gboolean
kvsql_star_expand (const KvsqlBinder *binder, const KvsqlName *of, KvsqlStarColumn **out,
                   guint *out_n, GError **error)
{
  const KvsqlBinderRelation *one = NULL;

  *out = kvsql_arena_array (binder->arena, KvsqlStarColumn,
                            binder->relation->n_attributes + binder->n_columns + 1);
  *out_n = 0;
  if (of->text != NULL && !kvsql_binder_find_relation (binder, of, &one, error))
    return FALSE;
  if (one != NULL)
    add_relation (one->relation, one, *out, out_n);
  else if (binder->n_relations == 0)
    add_relation (binder->relation, NULL, *out, out_n);
  else
    add_all (binder, *out, out_n);
  return TRUE;
}
