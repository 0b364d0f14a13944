/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sample.h: rows from several places of a table, as the first ones may be of one kind only.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlRows rows;    /* in @arena */
  gboolean is_whole; /* these are all rows of the table */
  KvsqlArena *arena;
} KvsqlInferSample;

/**
 * kvsql_infer_sample_read:
 * @max_rows: at least one
 *
 * Reads at most @max_rows rows, and at most 16 MiB and one row, from the beginnings of up to eight
 * parts of the table.
 */
gboolean kvsql_infer_sample_read (KvsqlInferSample *self, KvsqlStore *store, KvsqlSlice table,
                                  guint max_rows, const KvsqlCall *call,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsql_infer_sample_clear (KvsqlInferSample *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlInferSample, kvsql_infer_sample_clear)

G_END_DECLS
