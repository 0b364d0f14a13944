/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * names.c: names of tables with and without their namespace.
 */
#include "config.h"

#include "daemon/stores/hbase/store.h"

KvsqlSlice
kvsqld_hbase_full_name (KvsqldHbaseStore *self, KvsqlSlice table, gchar **owned)
{
  gsize prefix;

  *owned = NULL;
  if (self->namespace_name == NULL)
    return table;
  prefix = strlen (self->namespace_name) + 1;
  *owned = g_malloc (prefix + table.size);
  memcpy (*owned, self->namespace_name, prefix - 1);
  (*owned)[prefix - 1] = ':';
  if (table.size > 0)
    memcpy (*owned + prefix, table.data, table.size);
  return kvsql_slice (*owned, prefix + table.size);
}

KvsqldT2Name
kvsqld_hbase_split_name (KvsqlSlice full_name)
{
  const guint8 *colon = full_name.size > 0 ? memchr (full_name.data, ':', full_name.size) : NULL;
  gsize prefix;

  if (colon == NULL)
    return (KvsqldT2Name){ KVSQL_SLICE_EMPTY, full_name };
  prefix = (gsize)(colon - full_name.data);
  return (KvsqldT2Name){ kvsql_slice (full_name.data, prefix),
                         kvsql_slice (colon + 1, full_name.size - prefix - 1) };
}
