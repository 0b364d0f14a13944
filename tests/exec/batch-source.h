/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * batch-source.h: a row source for tests, which gives rows that were made before.
 */
#pragma once

#include "core/exec/row-source.h"

G_BEGIN_DECLS

/* @rows must outlive it; they come in batches of @batch_rows. */
KvsqlRowSource *batch_source_new (const KvsqlBatch *rows, guint batch_rows);

/* All rows of a row source as one batch, whose bytes are in @arena. Frees the row source. */
KvsqlBatch *batch_of_source (KvsqlRowSource *source, KvsqlArena *arena, GError **error);

G_END_DECLS
