/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * old-tuples.c: see the header.
 */
#include "config.h"

#include "core/write/old-tuples.h"

#include "core/write/each-write.h"

gboolean
kvsql_entry_needs_old_tuples (const KvsqlCatalogEntry *entry)
{
  for (guint i = 0; i < entry->n_schemas; i++)
    if (!entry->schemas[i]->is_located_by_key)
      return TRUE;
  return kvsql_entry_shares_cells (entry);
}

/* Locks of other daemons are not visible here. So a replacement of a tuple is a compare-and-set:
 * otherwise cells of a tuple that another daemon has just moved could remain. A new tuple is a
 * compare-and-set, too, if there are few of them: a plain put could arrive after a write of another
 * daemon that also found no tuple, with an older timestamp, and would be lost although it was
 * acknowledged. */
gboolean
kvsql_entry_needs_compare_and_set (const KvsqlCatalogEntry *entry, const KvsqlStorage *storage)
{
  return kvsql_entry_shares_cells (entry)
         || (kvsql_entry_needs_old_tuples (entry) && kvsql_storage_has_others (storage));
}
