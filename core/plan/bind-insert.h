/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-insert.h: the tuples of an INSERT, from its VALUES or from columns.
 */
#pragma once

#include "core/plan/bind.h"
#include "core/plan/row-rules.h"

G_BEGIN_DECLS

/* The attribute of each value of a row, in @arena. Without names: all attributes. */
guint *kvsql_bind_insert_targets (const KvsqlRelation *relation, const KvsqlName *names,
                                  guint n_names, KvsqlArena *arena, guint *out_n, GError **error);

/* A tuple of defaults, in which the targets are still to be set, and those that each tuple needs a
 * value of its own for. Fails if another attribute needs a value and has no default. */
KvsqlValue *kvsql_bind_insert_defaults (const KvsqlRowRules *rules, const guint *targets,
                                        guint n_targets, KvsqlSpan span, KvsqlArena *arena,
                                        GError **error);

/* The tuples of INSERT … VALUES, converted to the types of the attributes, and checked; in the
 * binder's arena. binder->relation may be NULL. */
const KvsqlValue **kvsql_bind_insert_rows (const KvsqlBinder *binder, const KvsqlInsert *insert,
                                           const KvsqlRowRules *rules, GError **error);

/* The same of the rows of @data, which has a column for each target. Bytes are borrowed from
 * @data. An error of a row has its number (kvsql_error_get_row ()). */
const KvsqlValue **kvsql_bind_insert_columns (const KvsqlRowRules *rules, const guint *targets,
                                              const KvsqlBatch *data, KvsqlArena *arena,
                                              GError **error);

G_END_DECLS
