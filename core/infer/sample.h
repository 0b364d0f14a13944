/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sample.h: rows from several places of a table, as the first ones may be of one kind only.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlRows rows;                   /* in @arena */
  gboolean is_whole;                /* these are all rows of the table */
  guint n_first, n_between, n_last; /* rows from the start, from places between, from the end */
  guint n_places;                   /* between */
  gsize n_bytes;                    /* of keys and cells that the store has given */
  KvsqlArena *arena;
} KvsqlInferSample;

/**
 * kvsql_infer_sample_read:
 * @max_rows: at least one
 *
 * Reads at most @max_rows rows, and 16 MiB, and up to one request's rows of some 256 KiB more in
 * each place: one half of both from the start of the table, one quarter from its end, and the rest
 * from up to six places between, as far as the store can read backwards and knows how the rows lie.
 * Two calls read the same rows if the table is the same.
 */
gboolean kvsql_infer_sample_read (KvsqlInferSample *self, KvsqlStore *store, KvsqlSlice table,
                                  guint max_rows, const KvsqlCall *call,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsql_infer_sample_clear (KvsqlInferSample *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlInferSample, kvsql_infer_sample_clear)

G_END_DECLS
