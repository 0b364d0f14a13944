/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * answer.h: the answer to a statement, and whether two answers are the same.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"
#include "core/advisor/trial.h"

G_BEGIN_DECLS

/* Rows as text. Of a long answer only a number that depends on all rows is kept. */
typedef struct
{
  guint64 n_rows;
  guint64 sum;          /* of the hashes of all rows: their order does not matter */
  guint64 order;        /* a hash of the ordered columns, in their order */
  GPtrArray *rows;      /* of gchar **, NULL is NULL */
  gboolean is_complete; /* all rows are in @rows */
  KvsqlColumnType *types;
  guint n_columns;
  gint64 affected;
  GError *failure; /* nullable: the statement has failed */
} KvsqlctlAnswer;

KvsqlctlAnswer *kvsqlctl_answer_new (void);
void kvsqlctl_answer_free (KvsqlctlAnswer *self); /* accepts NULL */

/**
 * kvsqlctl_answer_read:
 * @order: (array length=n_order): columns whose order counts
 * @most: how many rows are kept
 * @out_seconds: (inout) (optional): the time in which pages came is added
 *
 * Reads a result to its end.
 */
gboolean kvsqlctl_answer_read (KvsqlctlAnswer *self, KvsqlResult *result, const guint *order,
                               guint n_order, guint64 most, gdouble *out_seconds,
                               GCancellable *cancellable, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* NULL: they are the same; else what differs. @statement: (nullable): all rows count without it */
gchar *kvsqlctl_answer_compare (KvsqlctlAnswer *a, KvsqlctlAnswer *b,
                                const KvsqlTrialStatement *statement);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlctlAnswer, kvsqlctl_answer_free)

G_END_DECLS
