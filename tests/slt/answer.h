/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * answer.h: answers as sqllogictest writes them, and whether they are the expected ones.
 */
#pragma once

#include "daemon/service.h"
#include "tests/slt/script.h"

G_BEGIN_DECLS

typedef struct
{
  GPtrArray *values; /* (element-type utf8) row after row */
  guint n_columns;
} SltAnswer;

void slt_answer_init (SltAnswer *self, guint n_columns);
void slt_answer_clear (SltAnswer *self);

/* Adds the rows of @page, each value by its letter in @types: I a whole number, fractions cut off;
 * R "%.3f"; T text, "(empty)", what is no printable ASCII as "@". FALSE: another number of columns.
 */
gboolean slt_answer_add (SltAnswer *self, const KvsqldPage *page, const gchar *types);

/* Sorts as the record asks and compares with what it expects. */
gboolean slt_answer_matches (SltAnswer *self, const SltRecord *record);

/* After matches(): what came, for people. */
void slt_answer_append (const SltAnswer *self, GString *out);

/* The MD5 of the values, each followed by a newline. (transfer full) */
gchar *slt_answer_hash (const SltAnswer *self);

G_END_DECLS
