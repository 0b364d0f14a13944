/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * narrow.h: the scan of a relation, narrowed to values that a join keeps of its other side.
 *
 * A hash join that gives no row of its probe side without a partner reads its build side first. The
 * values of a key, if they are few, or else the smallest and the largest one, become a predicate of
 * the probe side's relation, which gives fewer ranges of its rows. Several joins may narrow one
 * relation, each before the first row is read.
 */
#pragma once

#include "core/exec/row-source.h"
#include "core/plan/select-plan.h"

G_BEGIN_DECLS

typedef struct _KvsqlNarrow KvsqlNarrow;

typedef struct
{
  const KvsqlSelectPlan *plan; /* of the relation */
  const KvsqlStoreCapabilities *capabilities;
  /* makes the operators of a plan; NULL: the scan is there already */
  KvsqlRowSource *(*open) (const KvsqlSelectPlan *plan, gpointer data);
  gpointer data;
  GDestroyNotify free_data;
} KvsqlNarrowSetup;

/* What @setup points to must outlive it. It owns its data. */
KvsqlNarrow *kvsql_narrow_new (const KvsqlNarrowSetup *setup);
void kvsql_narrow_free (KvsqlNarrow *self); /* accepts NULL */

/* The rows of the relation. They are opened when they are first asked for. Without `open`:
 * @table, a table source, is narrowed. @self must outlive the source. */
KvsqlRowSource *kvsql_narrow_open (KvsqlNarrow *self);
void kvsql_narrow_watch (KvsqlNarrow *self, KvsqlRowSource *table);

/* Narrows the scan to the values of @column, which are those of @attribute. FALSE with an error if
 * the thread is interrupted. */
gboolean kvsql_narrow_add (KvsqlNarrow *self, guint attribute, const KvsqlVector *column,
                           guint n_rows, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlNarrow, kvsql_narrow_free)

G_END_DECLS
