/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * answer.h: results in the format of sqllogictest, and their comparison with expected ones.
 */
#pragma once

#include "daemon/service/service.h"
#include "tests/slt/script.h"

G_BEGIN_DECLS

typedef struct
{
  GPtrArray *values; /* (element-type utf8) row after row */
  guint n_columns;
} SltAnswer;

void slt_answer_init (SltAnswer *self, guint n_columns);
void slt_answer_clear (SltAnswer *self);

/* Adds the rows of @page. The letters of @types are the formats of columns: I a whole number,
 * truncated; R "%.3f"; T text, "(empty)", with "@" for each byte that is not printable ASCII.
 * FALSE: another number of columns. */
gboolean slt_answer_add (SltAnswer *self, const KvsqlResultPage *page, const gchar *types);

/* Sorts as the record says, and compares with its expected values. */
gboolean slt_answer_matches (SltAnswer *self, const SltRecord *record);

/* After slt_answer_matches(): appends the values for a message. */
void slt_answer_append (const SltAnswer *self, GString *out);

/* The MD5 of the values, each followed by a newline. (transfer full) */
gchar *slt_answer_hash (const SltAnswer *self);

G_END_DECLS
