/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * apply.c: see the header.
 */
#include "config.h"

#include "core/write/apply.h"

gboolean
kvsql_mutation_list_ensure_tables (const KvsqlMutationList *list, KvsqlStorage *storage,
                                   const KvsqlCall *call, GError **error)
{
  const KvsqlMutation *mutations = (const KvsqlMutation *)(gpointer)list->mutations->data;
  const KvsqlMutation *known = NULL;

  for (guint i = 0; i < list->mutations->len; i++)
    {
      if (known != NULL && kvsql_slice_equal (known->table, mutations[i].table)
          && kvsql_slice_equal (known->family, mutations[i].family))
        continue;
      known = &mutations[i];
      if (!kvsql_storage_ensure_table (storage, known->tag, known->table, known->family, call,
                                       error))
        return FALSE;
    }
  return TRUE;
}

gboolean
kvsql_mutation_list_check (const KvsqlMutationList *list, guint first, const KvsqlStorage *storage,
                           GError **error)
{
  const KvsqlMutation *mutations = (const KvsqlMutation *)(gpointer)list->mutations->data;

  return kvsql_store_check (kvsql_storage_get_store (storage), mutations + first,
                            list->mutations->len - first, error);
}

gboolean
kvsql_mutation_list_apply (KvsqlMutationList *list, KvsqlStorage *storage, const KvsqlCall *call,
                           GError **error)
{
  KvsqlStore *store = kvsql_storage_get_store (storage);
  const KvsqlMutation *mutations = (const KvsqlMutation *)(gpointer)list->mutations->data;
  g_autoptr (GError) failure = NULL;

  if (!kvsql_mutation_list_ensure_tables (list, storage, call, error))
    return FALSE;
  if (list->mutations->len == 0
      || kvsql_store_apply (store, mutations, list->mutations->len, call, &failure))
    return TRUE;
  if ((store->capabilities.flags & KVSQL_STORE_IMPLICIT_TABLES) != 0
      || !g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_STORE))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  /* A table that was known to exist may have been dropped. Timestamps are fixed, so writing some
   * rows twice has no effect. */
  kvsql_storage_forget_tables (storage);
  return kvsql_mutation_list_ensure_tables (list, storage, call, error)
         && kvsql_store_apply (store, mutations, list->mutations->len, call, error);
}
