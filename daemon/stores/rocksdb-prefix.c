/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rocksdb-prefix.c: the filters of files know rows, not cells.
 *
 * A row is asked for by the prefix that its cells share; that a file has none of
 * them is then known without a look at it, be it for a whole row or for one cell. Filters of
 * cells would be as many times larger as a row has cells, and of no use for whole rows.
 */
#include "config.h"

#include "daemon/stores/rocksdb-store.h"

/* Kept in every file: with another name, its filters are not used. */
static const char *
get_name (void *state)
{
  return "kvsql.row.1";
}

static void
forget (void *state)
{
}

/* 0: no row of a table. */
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
  return (char *)key; /* it is only read */
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
