/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rocksdb-walk.c: from one wanted key to the next, as long as that is cheaper than to search.
 */
#include "config.h"

#include "daemon/stores/rocksdb-walk.h"

/* Keys that nobody wants: so many for nothing, and so many for each that was found. */
#define PASSED_AT_FIRST 4
#define PASSED_FOR_EACH 2
/* Deletions in one step. Behind a row may lie a stretch of them that no search would step over. */
#define MOST_SKIPPED 64

void
kvsqld_rocksdb_walk_init (KvsqldRocksdbWalk *self, KvsqlSlice last)
{
  *self = (KvsqldRocksdbWalk){ .options = rocksdb_readoptions_create () };
  kvsql_buffer_append_slice (&self->bound, last);
  kvsql_buffer_append_byte (&self->bound, 0);
  rocksdb_readoptions_set_total_order_seek (self->options, 1);
  rocksdb_readoptions_set_iterate_upper_bound (self->options, (const char *)self->bound.data,
                                               self->bound.size);
  rocksdb_readoptions_set_max_skippable_internal_keys (self->options, MOST_SKIPPED);
}

void
kvsqld_rocksdb_walk_clear (KvsqldRocksdbWalk *self)
{
  g_clear_pointer (&self->iterator, rocksdb_iter_destroy);
  g_clear_pointer (&self->options, rocksdb_readoptions_destroy);
  kvsql_buffer_clear (&self->bound);
}

/* At the end of the walk: it may have ended because it could not go on. */
static KvsqldRocksdbFinding
find_nothing (const KvsqldRocksdbWalk *self)
{
  char *cause = NULL;

  rocksdb_iter_get_error (self->iterator, &cause);
  if (cause == NULL)
    return KVSQLD_ROCKSDB_ABSENT;
  rocksdb_free (cause);
  return KVSQLD_ROCKSDB_LOST;
}

KvsqldRocksdbFinding
kvsqld_rocksdb_walk_to (KvsqldRocksdbWalk *self, KvsqldRocksdbStore *store, KvsqlSlice key,
                        KvsqlSlice *out_value)
{
  if (self->iterator == NULL)
    {
      self->iterator = rocksdb_create_iterator (store->db, self->options);
      kvsqld_rocksdb_iterator_seek (self->iterator, key);
    }
  while (rocksdb_iter_valid (self->iterator))
    {
      gint order = kvsql_slice_compare (kvsqld_rocksdb_iterator_key (self->iterator), key);

      if (order > 0)
        return KVSQLD_ROCKSDB_ABSENT;
      if (order == 0)
        {
          self->n_found++;
          self->is_at_found = TRUE;
          *out_value = kvsqld_rocksdb_iterator_value (self->iterator);
          return KVSQLD_ROCKSDB_FOUND;
        }
      self->n_passed += !self->is_at_found;
      if (self->n_passed > PASSED_AT_FIRST + PASSED_FOR_EACH * self->n_found)
        return KVSQLD_ROCKSDB_LOST;
      self->is_at_found = FALSE;
      rocksdb_iter_next (self->iterator);
    }
  return find_nothing (self);
}
