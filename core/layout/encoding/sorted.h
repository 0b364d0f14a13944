/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sorted.h: forms of a fixed size whose bytes sort as the values do, and byte ranges in them.
 */
#pragma once

#include "core/layout/ranges/byte-ranges.h"

G_BEGIN_DECLS

typedef struct _KvsqlSortedForm KvsqlSortedForm;
struct _KvsqlSortedForm
{
  KvsqlType type; /* BOOLEAN, a whole number, a time or a real */
  gsize size;
  gint64 min, max; /* whole numbers and times: the least and the greatest value with a form */
  /* @value is of the type and has a form. */
  void (*append) (const KvsqlSortedForm *self, const KvsqlValue *value, KvsqlBuffer *out);
  guint n_tail_bits; /* extra data for append(): el-unsigned.c */
  guint64 tail;
};

/* The byte ranges of @constraint; NULL has no form. */
void kvsql_sorted_constrain (const KvsqlSortedForm *self, const KvsqlConstraint *constraint,
                             const KvsqlConstrainer *constrainer, KvsqlByteRanges *out);

/* Inverts the sign bit of a big-endian number; if @all_bits, also all other bits. Then two's
 * complement sorts as numbers do. Reals sort as numbers do if @all_bits is set for negative
 * numbers. */
void kvsql_sorted_turn_sign (guint8 *bytes, gsize size, gboolean all_bits);
/* Appends the IEEE 754 bytes of a FLOAT or a DOUBLE in sortable form. */
void kvsql_sorted_append_real (KvsqlType type, const KvsqlValue *value, KvsqlBuffer *out);
/* The reverse. @bytes has the size of the type. FALSE for a NaN that the encoder would not
 * write. */
gboolean kvsql_sorted_read_real (KvsqlType type, const guint8 *bytes, KvsqlArena *arena,
                                 KvsqlValue *out);

G_END_DECLS
