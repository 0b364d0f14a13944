/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * prefix.c: Bloom filters contain the rows of a file, not its cells.
 *
 * The filter is asked for the prefix that the cells of a row share. So a file without the row is
 * skipped without a read, for a whole row and for one cell. Filters of cells would be larger by the
 * number of cells of a row, and useless for whole rows.
 */
#include "config.h"

#include "daemon/stores/rocksdb/store.h"

/* Stored in every file. If the name changes, the filters of existing files are not used. */
static const char *
get_name (void *state)
{
  return "kvsql.row.1";
}

static void
forget (void *state)
{
}

/* 0: not a row of a table. */
static gsize
find_row_end (const char *key, size_t size)
{
  if (size < KVSQLD_ROCKSDB_TABLE_BYTES || kvsql_get_be32 ((const guint8 *)key) == 0)
    return 0;
  return kvsqld_rocksdb_key_find_row (kvsql_slice (key, size));
}

static char *
transform (void *state, const char *key, size_t size, size_t *out_size)
{
  *out_size = find_row_end (key, size);
  return (char *)key; /* RocksDB only reads it */
}

static unsigned char
is_in_domain (void *state, const char *key, size_t size)
{
  return find_row_end (key, size) > 0;
}

static unsigned char
is_in_range (void *state, const char *prefix, size_t size)
{
  return find_row_end (prefix, size) == size;
}

rocksdb_slicetransform_t *
kvsqld_rocksdb_prefix_new (void)
{
  return rocksdb_slicetransform_create (NULL, forget, transform, is_in_domain, is_in_range,
                                        get_name);
}
