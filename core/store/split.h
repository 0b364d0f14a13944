/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * split.h: cutting a range of rows into parts of about the same size; for those who write a store.
 *
 * Rows are looked up, not read: the heaviest part is cut in the middle between its first and its
 * last row until there are enough parts, which are then put together again as evenly as their
 * weights allow. What a part weighs the store may know; else it is how far apart its ends are
 * (key-space.h), and fewer parts than are wanted may come of it, as each has to be looked up.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

/* How rows are looked up. */
typedef struct
{
  gpointer data;
  /* The first row of @range, or the last. Its bytes live in @arena. */
  gboolean (*find) (gpointer data, const KvsqlRowRange *range, gboolean is_last, KvsqlArena *arena,
                    KvsqlSlice *out_row, gboolean *out_found, GError **error);
  /* nullable: about how many bytes the rows from @first to @last, both included, have */
  gdouble (*weigh) (gpointer data, KvsqlSlice first, KvsqlSlice last);
} KvsqlSplitter;

/* What split_points() of store.h asks for. */
gboolean kvsql_split_by_seeking (const KvsqlSplitter *splitter, const KvsqlRowRange *range,
                                 guint n_wanted, KvsqlArena *arena, KvsqlSlice **out_keys,
                                 guint *out_n_keys, GError **error);
/* The same for any store that scans backwards: by short scans. */
gboolean kvsql_split_by_scanning (KvsqlStore *store, KvsqlSlice table, const KvsqlRowRange *range,
                                  guint n_wanted, const KvsqlCall *call, KvsqlArena *arena,
                                  KvsqlSlice **out_keys, guint *out_n_keys, GError **error);

/* The first row of @range, or the last, by a scan of one row. */
gboolean kvsql_find_row (KvsqlStore *store, KvsqlSlice table, const KvsqlRowRange *range,
                         gboolean is_last, const KvsqlCall *call, KvsqlArena *arena,
                         KvsqlSlice *out_row, gboolean *out_found, GError **error);

G_END_DECLS
