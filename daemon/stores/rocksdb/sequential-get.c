/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sequential-get.c: see sequential-get.h.
 */
#include "config.h"

#include "daemon/stores/rocksdb/sequential-get.h"

/* The number of unwanted keys to step over before giving up: a constant, plus some for each found
 * key. */
#define MIN_PASSED 4
#define PASSED_PER_FOUND 2
/* The greatest number of tombstones in one step. After a row there may be many tombstones, over
 * which a point lookup would not step. */
#define MAX_SKIPPED 64

void
kvsqld_rocksdb_sequential_get_init (KvsqldRocksdbSequentialGet *self, KvsqlSlice last)
{
  *self = (KvsqldRocksdbSequentialGet){ .options = rocksdb_readoptions_create () };
  kvsql_buffer_append_slice (&self->bound, last);
  kvsql_buffer_append_byte (&self->bound, 0);
  rocksdb_readoptions_set_total_order_seek (self->options, 1);
  rocksdb_readoptions_set_iterate_upper_bound (self->options, (const char *)self->bound.data,
                                               self->bound.size);
  rocksdb_readoptions_set_max_skippable_internal_keys (self->options, MAX_SKIPPED);
}

void
kvsqld_rocksdb_sequential_get_clear (KvsqldRocksdbSequentialGet *self)
{
  g_clear_pointer (&self->iterator, rocksdb_iter_destroy);
  g_clear_pointer (&self->options, rocksdb_readoptions_destroy);
  kvsql_buffer_clear (&self->bound);
}

/* The iterator has reached its end, or has given up at too many tombstones. */
static KvsqldRocksdbFinding
find_nothing (const KvsqldRocksdbSequentialGet *self)
{
  char *cause = NULL;

  rocksdb_iter_get_error (self->iterator, &cause);
  if (cause == NULL)
    return KVSQLD_ROCKSDB_ABSENT;
  rocksdb_free (cause);
  return KVSQLD_ROCKSDB_LOST;
}

KvsqldRocksdbFinding
kvsqld_rocksdb_sequential_get_find (KvsqldRocksdbSequentialGet *self, KvsqldRocksdbStore *store,
                                    KvsqlSlice key, KvsqlSlice *out_value)
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
      if (self->n_passed > MIN_PASSED + PASSED_PER_FOUND * self->n_found)
        return KVSQLD_ROCKSDB_LOST;
      self->is_at_found = FALSE;
      rocksdb_iter_next (self->iterator);
    }
  return find_nothing (self);
}
