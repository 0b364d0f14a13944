/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * buckets.h: a time whose bucket, such as its hour, is in the row and whose offset in the bucket is
 * in the qualifier.
 */
#pragma once

#include "core/infer/cells.h"

G_BEGIN_DECLS

/* By so much is the description of a row shorter. */
#define KVSQL_INFER_BUCKET_BITS 20

/* Makes the two one attribute. FALSE: they are not a bucket and its offset; nothing is changed. */
gboolean kvsql_infer_join_bucket (KvsqlInferLayout *row, KvsqlInferCells *cells, KvsqlArena *arena);

G_END_DECLS
