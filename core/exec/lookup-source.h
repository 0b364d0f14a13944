/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lookup-source.h: the tuples of the inner relation of a lookup join.
 *
 * For each set of keys it gives the tuples that may be partners, once. They are read by key, in one
 * request for each table where the schema allows it.
 */
#pragma once

#include "core/exec/row-source.h"
#include "core/plan/select-plan.h"

G_BEGIN_DECLS

typedef struct
{
  const KvsqlSelectPlan *plan; /* of kvsql_lookup_plan_new() */
  const guint *attributes;     /* (array): that the keys are values of */
  guint n_attributes;
  const KvsqlStoreCapabilities *capabilities;
  /* makes the operators of a plan */
  KvsqlRowSource *(*open) (const KvsqlSelectPlan *plan, gpointer data);
  gpointer data;
  GDestroyNotify free_data;
} KvsqlLookupSetup;

/* What @setup points to must outlive the source, which owns its data. */
KvsqlRowSource *kvsql_lookup_source_new (const KvsqlLookupSetup *setup);

/**
 * kvsql_lookup_source_set_keys:
 * @keys: (array): the vector of each attribute
 * @rows: (array length=n): whose values are looked up; those with a NULL have no partner
 *
 * Begins again, with these keys. FALSE with an error if the thread is interrupted.
 * Their bytes have to live until the rows were given.
 */
gboolean kvsql_lookup_source_set_keys (KvsqlRowSource *self, const KvsqlVector *const *keys,
                                       const guint32 *rows, guint n,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
