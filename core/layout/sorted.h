/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sorted.h: forms of one size whose bytes sort as the values do, and ranges of values in them.
 */
#pragma once

#include "core/layout/element.h"

G_BEGIN_DECLS

typedef struct _KvsqlSortedForm KvsqlSortedForm;
struct _KvsqlSortedForm
{
  KvsqlType type; /* BOOLEAN, a whole number, a time or a real */
  gsize size;
  gint64 min, max; /* whole numbers and times: those that have a form */
  /* @value is of the type, and has a form. */
  void (*append) (const KvsqlSortedForm *self, const KvsqlValue *value, KvsqlBuffer *out);
  guint n_tail_bits; /* what append() needs to know besides: el-unsigned.c */
  guint64 tail;
};

/* Ranges of @constraint; NULL has no form. */
void kvsql_sorted_constrain (const KvsqlSortedForm *self, const KvsqlConstraint *constraint,
                             const KvsqlConstrainer *constrainer, KvsqlPieces *out);

/* Inverts the sign bit of a big-endian number, and, if @all_bits, all others too: so that the bytes
 * of two's complement sort as numbers, and those of reals if all_bits is said of the negative ones.
 */
void kvsql_sorted_turn_sign (guint8 *bytes, gsize size, gboolean all_bits);
/* The @size bytes that IEEE 754 has for a FLOAT or a DOUBLE, turned so. */
void kvsql_sorted_append_real (KvsqlType type, const KvsqlValue *value, KvsqlBuffer *out);
/* And back; @bytes have the size of the type. FALSE for a NaN that would not have been written. */
gboolean kvsql_sorted_read_real (KvsqlType type, const guint8 *bytes, KvsqlArena *arena,
                                 KvsqlValue *out);

G_END_DECLS
