/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * capabilities.h: the abilities of a store, as data for the planner.
 */
#pragma once

#include "core/store/costs.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_STORE_REVERSE_SCAN = 1 << 0,
  KVSQL_STORE_ATOMIC_BATCH = 1 << 1, /* one apply() is atomic, over any rows and tables */
  KVSQL_STORE_IMPLICIT_TABLES
  = 1 << 2, /* a put creates its table and family; a scan of a missing table is empty */
  KVSQL_STORE_ONE_VERSION = 1 << 3, /* a put removes the version that it replaces. In a store that
                                     * keeps older versions, a scan with a maximal timestamp would
                                     * return them as if they were current */
  KVSQL_STORE_DRY = 1 << 4,         /* writes succeed without any effect */
} KvsqlStoreFlags;

/* The optional parts of a scan that a store supports. They are optimizations only. */
typedef enum
{
  KVSQL_FILTER_VALUES = 1 << 0,    /* omits rows that the filter of a scan does not admit */
  KVSQL_FILTER_KEYS_ONLY = 1 << 1, /* returns no values for a scan with keys_only */
} KvsqlFilterFlags;

typedef struct
{
  guint flags;             /* KvsqlStoreFlags */
  guint filters;           /* KvsqlFilterFlags */
  gsize max_row_bytes;     /* longest row key */
  gsize max_value_bytes;   /* longest value */
  KvsqlStoreCosts costs;   /* usual ones; those that were measured are in the catalog */
  gint64 newest_timestamp; /* no cell was newer when the store was opened; 0: unknown. Timestamps of
                            * new writes begin here, so that they stay visible if the clock was set
                            * back */
} KvsqlStoreCapabilities;

G_END_DECLS
