/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * store-tables.c: see store-tables.h.
 */
#include "config.h"

#include "core/scan/store-tables.h"

#include "core/expr/like.h"

gboolean
kvsql_find_store_tables (KvsqlStore *store, const gchar *pattern, const KvsqlCall *call,
                         KvsqlArena *arena, KvsqlSlice **out, guint *out_n, GError **error)
{
  KvsqlSlice text = kvsql_slice_from_text (pattern != NULL ? pattern : "%");
  const KvsqlLike *like = kvsql_like_compile (text, '\\', TRUE, arena, error);
  g_autoptr (GPtrArray) names = NULL;

  *out_n = 0;
  if (like == NULL)
    return FALSE;
  names
      = kvsql_store_list_tables (store, kvsql_slice (like->bytes, like->prefix_size), call, error);
  if (names == NULL)
    return FALSE;
  *out = kvsql_arena_array (arena, KvsqlSlice, names->len);
  for (guint i = 0; i < names->len; i++)
    {
      gsize size;
      const guint8 *data = g_bytes_get_data (names->pdata[i], &size);

      if (kvsql_like_matches (like, kvsql_slice (data, size)))
        (*out)[(*out_n)++] = kvsql_slice_dup (arena, kvsql_slice (data, size));
    }
  return TRUE;
}

gboolean
kvsql_check_store_table (const KvsqlCatalogEntry *entry, KvsqlStore *store, const KvsqlCall *call,
                         GError **error)
{
  KvsqlSlice table = entry->schemas[0]->table;
  g_autofree gchar *readable = NULL;

  if (!entry->is_store_table || !kvsql_store_lacks_table (store, table, call))
    return TRUE;
  readable = kvsql_readable (table);
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE,
                   "the store has no table \"%s\"", readable);
  return kvsql_error_hint (error, "SHOW TABLES lists the tables of the store.");
}
