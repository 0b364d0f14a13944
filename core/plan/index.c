/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * index.c: access paths with an index lookup, and the cost of the gets.
 */
#include "config.h"

#include "core/plan/index.h"

#include "core/plan/make-access-path.h"
#include "core/plan/row-width.h"

void
kvsql_access_path_make_index (const KvsqlSchema *schema, const KvsqlSchema *primary,
                              const KvsqlDnf *dnf, const KvsqlPredicate *predicate,
                              const KvsqlAttributeSet *needed,
                              const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena,
                              KvsqlAccessPath *out)
{
  KvsqlAttributeSet address = primary->cell_key_attributes;
  KvsqlDnf whole = *dnf;

  /* The attributes of an index entry must determine the cell keys in the primary. Keys of a map are
   * not needed: they are in QUALIFIER, and the lookup reads whole rows. */
  kvsql_attribute_set_remove_all (&address, &primary->map_attributes);
  if (schema == primary || !kvsql_schema_is_readable (primary)
      || !kvsql_attribute_set_contains (&schema->holds, &address))
    return;
  /* an entry is compared with its tuple, so its map has to be complete */
  whole.map_keys = NULL;
  kvsql_access_path_make (schema, &whole, &schema->holds, capabilities, arena, out);
  out->lookup_schema = primary;
  for (guint a = 0; a < schema->relation->n_attributes; a++)
    if (kvsql_attribute_set_has (needed, a) && !kvsql_attribute_set_has (&schema->holds, a))
      kvsql_attribute_set_add (&out->looked_up, a);
  if (!out->is_exact)
    out->index_predicate = kvsql_predicate_weaken (predicate, &schema->holds, arena);
  if (capabilities->costs.byte > 0)
    out->looked_up_bytes = kvsql_estimate_row_bytes (primary, dnf->statistics, NULL);
  kvsql_access_path_estimate (out, out->rows, capabilities);
}
