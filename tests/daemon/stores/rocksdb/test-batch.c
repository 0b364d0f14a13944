/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-batch.c: the bytes of write batches equal those of RocksDB's own functions.
 */
#include "config.h"

#include "daemon/stores/rocksdb/store.h"

/* The same records in both. */
typedef struct
{
  KvsqldRocksdbBatch ours;
  rocksdb_writebatch_t *theirs;
} Pair;

static void
pair_init (Pair *self)
{
  *self = (Pair){ .theirs = rocksdb_writebatch_create () };
}

static void
pair_clear (Pair *self)
{
  rocksdb_writebatch_destroy (self->theirs);
  kvsqld_rocksdb_batch_clear (&self->ours);
}

static void
put (Pair *self, KvsqlSlice key, gint64 timestamp, KvsqlSlice value)
{
  g_autofree guint8 *entry = g_malloc (KVSQLD_ROCKSDB_TIMESTAMP_BYTES + value.size);

  kvsql_put_be64 (entry, (guint64)timestamp);
  kvsql_copy_bytes (entry + KVSQLD_ROCKSDB_TIMESTAMP_BYTES, value.data, value.size);
  rocksdb_writebatch_put (self->theirs, (const char *)key.data, key.size, (const char *)entry,
                          KVSQLD_ROCKSDB_TIMESTAMP_BYTES + value.size);
  kvsqld_rocksdb_batch_put (&self->ours, key, timestamp, value);
}

static void delete (Pair *self, KvsqlSlice key)
{
  rocksdb_writebatch_delete (self->theirs, (const char *)key.data, key.size);
  kvsqld_rocksdb_batch_delete (&self->ours, key);
}

static void
delete_range (Pair *self, KvsqlSlice first, KvsqlSlice end)
{
  rocksdb_writebatch_delete_range (self->theirs, (const char *)first.data, first.size,
                                   (const char *)end.data, end.size);
  kvsqld_rocksdb_batch_delete_range (&self->ours, first, end);
}

static void
assert_same (Pair *self)
{
  KvsqlSlice ours = kvsqld_rocksdb_batch_finish (&self->ours);
  size_t size;
  const char *theirs = rocksdb_writebatch_data (self->theirs, &size);
  g_autoptr (rocksdb_writebatch_t) back = NULL;

  g_assert_cmpmem (ours.data, ours.size, theirs, size);
  back = rocksdb_writebatch_create_from ((const char *)ours.data, ours.size);
  g_assert_cmpint (rocksdb_writebatch_count (back), ==, (gint)self->ours.n_records);
}

/* Sizes around those that need one more byte. */
static void
test_sizes (void)
{
  static const gsize sizes[]
      = { 0, 1, 3, 4, 119, 120, 127, 128, 129, 16375, 16376, 16383, 16384, 2097151, 2097152 };
  g_autofree guint8 *bytes = g_malloc (2097152);
  Pair pair;

  for (gsize i = 0; i < 2097152; i++)
    bytes[i] = (guint8)(i * 7 + i / 256);
  pair_init (&pair);
  assert_same (&pair);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      KvsqlSlice sized = kvsql_slice (bytes, sizes[i]), few = kvsql_slice (bytes, 5);

      put (&pair, sized, 1 + i, few);
      put (&pair, few, G_MAXINT64 - i, sized);
      delete (&pair, sized);
      delete_range (&pair, sized, few);
      delete_range (&pair, few, sized);
      assert_same (&pair);
    }
  pair_clear (&pair);
}

/* With no reserved room, enough, and too little. */
static void
test_reserve (void)
{
  for (guint n = 0; n < 40; n++)
    {
      Pair pair;

      pair_init (&pair);
      if (n % 4 > 0)
        kvsqld_rocksdb_batch_reserve (&pair.ours, n / (n % 4), 3 * n);
      for (guint i = 0; i < n; i++)
        {
          guint8 key[8];

          kvsql_put_be64 (key, i);
          if (i % 5 == 4)
            delete (&pair, kvsql_slice (key, sizeof key));
          else
            put (&pair, kvsql_slice (key, sizeof key), 1000 + i, kvsql_slice (key, i % 9));
        }
      g_assert_cmpuint (pair.ours.n_records, ==, n);
      assert_same (&pair);
      pair_clear (&pair);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rocksdb/batch/sizes", test_sizes);
  g_test_add_func ("/rocksdb/batch/reserve", test_reserve);
  return g_test_run ();
}
