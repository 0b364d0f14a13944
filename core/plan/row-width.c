/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-width.c: see the header.
 *
 * The size of a number depends on its element, and is small. So numbers have a usual size, and only
 * texts, bytes and their like are measured by ANALYZE.
 */
#include "config.h"

#include "core/plan/row-width.h"

#include "core/layout/element.h"

/* The family, constants of the qualifier, separators. */
#define OTHER_BYTES 8

gdouble
kvsql_estimate_usual_bytes (KvsqlType type)
{
  if (type == KVSQL_TYPE_BOOLEAN)
    return 1;
  if (type == KVSQL_TYPE_UUID)
    return 16;
  if (kvsql_type_is_json (type))
    return 100;
  return kvsql_type_get_class (type) == KVSQL_CLASS_SLICE ? 10 : 8;
}

static gdouble
get_bytes (const KvsqlSchema *schema, const KvsqlStatistics *statistics,
           const KvsqlAttributeSet *attributes)
{
  gdouble bytes = 0;

  for (gint a = -1; (a = kvsql_attribute_set_next (attributes, a)) >= 0;)
    bytes += statistics != NULL && statistics->attributes[a].bytes > 0
                 ? statistics->attributes[a].bytes
                 : kvsql_estimate_usual_bytes (schema->relation->attributes[a].type);
  return bytes;
}

gdouble
kvsql_estimate_row_bytes (const KvsqlSchema *schema, const KvsqlStatistics *statistics,
                          const gboolean *is_read)
{
  static const KvsqlField fields[] = { KVSQL_FIELD_ROW, KVSQL_FIELD_QUALIFIER, KVSQL_FIELD_VALUE };
  gdouble bytes = 0;

  for (guint c = 0; c < schema->n_cells; c++)
    {
      if (is_read != NULL && !is_read[c])
        continue;
      bytes += OTHER_BYTES;
      for (guint f = 0; f < G_N_ELEMENTS (fields); f++)
        {
          KvsqlAttributeSet attributes = { 0 };

          kvsql_sequence_collect_attributes (schema->cells[c].fields[fields[f]], &attributes);
          bytes += get_bytes (schema, statistics, &attributes);
        }
    }
  return bytes;
}
