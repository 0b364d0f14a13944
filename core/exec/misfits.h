/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * misfits.h: cells that a scan met and that fit no cell of its schema.
 *
 * They are no error: tables are shared, and others write what they like. A cell of another schema
 * is passed over in silence; one that fits none is counted, and a few are kept for people
 * to look at. Only a schema WITH (unparsable = fail) makes the statement fail.
 */
#pragma once

#include "core/catalog/schema.h"

G_BEGIN_DECLS

#define KVSQL_MAX_SAMPLES 3

typedef struct _KvsqlMisfits KvsqlMisfits;

/* @schema: must outlive it, and so must its neighbours. */
KvsqlMisfits *kvsql_misfits_new (const KvsqlSchema *schema);
void kvsql_misfits_free (KvsqlMisfits *self); /* accepts NULL */

/* FALSE if the statement is to fail. */
gboolean kvsql_misfits_add (KvsqlMisfits *self, KvsqlSlice table, KvsqlSlice row,
                            const KvsqlCell *cell, GError **error);

guint64 kvsql_misfits_get_count (const KvsqlMisfits *self);
/* The first of them, each as: table "…", row "…", column "…": why. */
const gchar *const *kvsql_misfits_get_samples (const KvsqlMisfits *self, guint *out_n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlMisfits, kvsql_misfits_free)

G_END_DECLS
