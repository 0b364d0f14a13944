/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * workload-stats.c: STATS, and sizes that the file does not give.
 *
 *   STATS users { ROWS 200000, rating DISTINCT 251 BYTES 8, region DISTINCT 50 };
 */
#include "config.h"

#include "core/advisor/workload-private.h"
#include "core/plan/row-width.h"

gdouble
kvsql_workload_get_bytes (const KvsqlWorkloadRelation *self, guint attribute)
{
  KvsqlType type = self->relation->attributes[attribute].type;

  if (self->attributes[attribute].bytes > 0)
    return self->attributes[attribute].bytes;
  return kvsql_estimate_usual_bytes (type);
}

gdouble
kvsql_workload_get_distinct (const KvsqlWorkloadRelation *self, guint attribute)
{
  gdouble given = self->attributes[attribute].distinct;

  if (given <= 0 && self->relation->attributes[attribute].type == KVSQL_TYPE_BOOLEAN)
    given = 2;
  return given > 0 ? given : MAX (self->rows, 1);
}

static gboolean
read_attribute (KvsqlWorkloadReader *self, KvsqlWorkloadRelation *relation, GError **error)
{
  KvsqlWorkloadAttribute *attribute;
  gboolean has_distinct, has_bytes, has_any = FALSE;
  KvsqlName name;
  guint index;

  if (!kvsql_workload_expect_name (self, &name, error)
      || !kvsql_relation_find (relation->relation, &name, &index, error))
    return FALSE;
  attribute = &relation->attributes[index];
  for (;; has_any = TRUE)
    {
      if (!kvsql_workload_accept_word (self, "DISTINCT", &has_distinct, error)
          || (has_distinct
              && !kvsql_workload_expect_number (self, "the number of values", &attribute->distinct,
                                                error))
          || !kvsql_workload_accept_word (self, "BYTES", &has_bytes, error)
          || (has_bytes
              && !kvsql_workload_expect_number (self, "the number of bytes", &attribute->bytes,
                                                error)))
        return FALSE;
      if (!has_distinct && !has_bytes)
        return has_any || kvsql_workload_fail (self, "DISTINCT or BYTES", error);
    }
}

static gboolean
read_item (KvsqlWorkloadReader *self, KvsqlWorkloadRelation *relation, GError **error)
{
  KvsqlWorkloadReader ahead = *self;

  /* an attribute may have the name rows */
  if (kvsql_workload_is_word (self, "ROWS") && kvsql_workload_advance (&ahead, NULL)
      && ahead.token.kind != KVSQL_TOKEN_WORD)
    return kvsql_workload_expect_word (self, "ROWS", error)
           && kvsql_workload_expect_number (self, "the number of rows", &relation->rows, error);
  return read_attribute (self, relation, error);
}

gboolean
kvsql_workload_read_stats (KvsqlWorkloadReader *self, GError **error)
{
  gboolean has_more = TRUE;
  KvsqlName name;
  guint relation;

  if (!kvsql_workload_expect_name (self, &name, error))
    return FALSE;
  relation = kvsql_workload_find_relation (self->workload, &name, error);
  if (relation == G_MAXUINT || !kvsql_workload_expect_symbol (self, '{', error))
    return FALSE;
  while (has_more)
    if (!read_item (self, &self->workload->relations[relation], error)
        || !kvsql_workload_accept_symbol (self, ',', &has_more, error))
      return FALSE;
  return kvsql_workload_expect_symbol (self, '}', error);
}
