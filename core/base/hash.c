/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hash.c: the seed, and functions for GHashTable.
 */
#include "config.h"

#include "core/base/hash.h"

guint64 kvsql_hash_seed = KVSQL_HASH_FIXED_SEED;

void
kvsql_hash_randomize (void)
{
  kvsql_hash_seed = (guint64)g_random_int () << 32 | g_random_int ();
}

guint
kvsql_slice_hash_func (gconstpointer slice)
{
  return (guint)kvsql_slice_hash (*(const KvsqlSlice *)slice);
}

gboolean
kvsql_slice_equal_func (gconstpointer a, gconstpointer b)
{
  return kvsql_slice_equal (*(const KvsqlSlice *)a, *(const KvsqlSlice *)b);
}
