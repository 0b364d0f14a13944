/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * column-types.h: how the values of columns are encoded, and their types.
 */
#pragma once

#include "core/infer/search.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_INFER_AS_BYTES, /* as HBase's Bytes.toBytes () */
  KVSQL_INFER_AS_TEXT,  /* numbers in decimal */
  KVSQL_INFER_N_ENCODINGS,
} KvsqlInferEncoding;

/* Whether 8 bytes are a DOUBLE that people use: neither tiny nor huge. */
gboolean kvsql_infer_is_double (KvsqlSlice value);

/* The narrowest type of the values in that encoding. STRING or BYTES: they are no more than that.
 * Values of no bytes do not count. */
KvsqlType kvsql_infer_column_type (KvsqlInferEncoding encoding, const KvsqlSlice *values, guint n);

G_END_DECLS
