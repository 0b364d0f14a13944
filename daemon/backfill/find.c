/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * find.c: the schema of a job in the definitions.
 */
#include "config.h"

#include "daemon/backfill/backfill-private.h"

const KvsqlSchema *
kvsqld_backfill_find (const KvsqlCatalog *catalog, const gchar *schema,
                      const KvsqlCatalogEntry **out_entry, GError **error)
{
  for (guint i = 0; i < catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = catalog->entries->pdata[i];
      for (guint j = 0; j < entry->n_schemas; j++)
        {
          g_autofree gchar *name
              = kvsql_name_fold (entry->schemas[j]->name, entry->schemas[j]->is_quoted);
          if (strcmp (name, schema) != 0)
            continue;
          *out_entry = entry;
          return entry->schemas[j];
        }
    }
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE,
                   "schema \"%s\" does not exist any more", schema);
  kvsql_error_hint (error, "It was dropped while it was being filled.");
  return NULL;
}
