/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * split.h: divides a range of rows into parts of about the same size, for implementations of a
 * store.
 *
 * Only the first and last rows of ranges are looked up; the rows between them are not read. The
 * heaviest part is cut in the middle between its first and its last row, until there are more parts
 * than wanted. Neighbouring parts are then joined so that the weights of the results are as equal
 * as possible. The store may know the weight of a part. Otherwise it is the distance of its ends
 * (key-space.h), and there may be fewer parts than wanted, as each cut costs lookups.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

/* The store's side of a split. */
typedef struct
{
  gpointer data;
  /* Finds the first row of @range, or the last. Its bytes live in @arena. */
  gboolean (*find) (gpointer data, const KvsqlRowRange *range, gboolean is_last, KvsqlArena *arena,
                    KvsqlSlice *out_row, gboolean *out_found, GError **error);
  /* nullable: the approximate size in bytes of the rows from @first to @last, both included */
  gdouble (*weigh) (gpointer data, KvsqlSlice first, KvsqlSlice last);
} KvsqlSplitter;

/* Implements split_points() of store.h. */
gboolean kvsql_split_by_seeking (const KvsqlSplitter *splitter, const KvsqlRowRange *range,
                                 guint n_wanted, KvsqlArena *arena, KvsqlSlice **out_keys,
                                 guint *out_n_keys, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same by short scans, for any store with KVSQL_STORE_REVERSE_SCAN; finds no keys in others. */
gboolean kvsql_split_by_scanning (KvsqlStore *store, KvsqlSlice table, const KvsqlRowRange *range,
                                  guint n_wanted, const KvsqlCall *call, KvsqlArena *arena,
                                  KvsqlSlice **out_keys, guint *out_n_keys,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Finds the first row of @range, or the last, by a scan of one row. */
gboolean kvsql_find_row (KvsqlStore *store, KvsqlSlice table, const KvsqlRowRange *range,
                         gboolean is_last, const KvsqlCall *call, KvsqlArena *arena,
                         KvsqlSlice *out_row, gboolean *out_found,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
