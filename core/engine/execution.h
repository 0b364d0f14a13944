/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * execution.h: what the execution of one statement needs.
 */
#pragma once

#include "core/catalog/rights.h"
#include "core/exec/select.h"
#include "core/plan/bind.h"
#include "core/write/storage.h"

G_BEGIN_DECLS

/* Lives on the stack; borrows everything. Threads: one at a time. */
typedef struct
{
  KvsqlStorage *storage;
  KvsqlCatalog *catalog;      /* a snapshot */
  KvsqlBinder binder;         /* parameters, statistics, time and arena of the statement */
  KvsqlAuthority authority;   /* whose rights count (core/engine/rights.h) */
  gboolean checks_attributes; /* its right to read is not one on whole relations */
  KvsqlSelectLimits limits;
  gboolean is_verified;                       /* each SELECT is WITH VERIFIED */
  const KvsqlStoreCapabilities *capabilities; /* nullable: those of the store, with the costs that
                                                 CALIBRATE has measured */
  const KvsqlCall *call;
  gpointer data;
  /* A scan of @schema has skipped @n undecodable cells. */
  void (*skipped) (const KvsqlSchema *schema, guint64 n, const gchar *const *samples,
                   guint n_samples, gpointer data);
  /* The history of definitions, the oldest record first: of one name, or (NULL) of all.
   * (element-type KvsqlDefinitionRecord) (transfer full) */
  GPtrArray *(*list_history) (const gchar *name, gpointer data, GError **error);
  /* Copies the present definitions into a new folder; NULL: only reads their epoch. */
  gboolean (*copy_definitions) (const gchar *folder, gint64 *out_epoch, gpointer data,
                                GError **error);
  /* The state and progress of a schema that is not filled. (transfer full) */
  gchar *(*describe_filling) (const KvsqlSchema *schema, gpointer data);
} KvsqlExecution;

/* The store, and what it can do. */
KvsqlStore *kvsql_execution_get_store (const KvsqlExecution *self);
const KvsqlStoreCapabilities *kvsql_execution_get_capabilities (const KvsqlExecution *self);

GPtrArray *kvsql_execution_list_history (const KvsqlExecution *self, const gchar *name,
                                         GError **error);

/* "readable", the role of a schema that is only read or written, or describe_filling().
 * (transfer full) */
gchar *kvsql_execution_describe_state (const KvsqlExecution *self, const KvsqlSchema *schema);

/* Whether its authority may read these attributes. */
gboolean kvsql_execution_check_uses (const KvsqlExecution *self, const KvsqlUses *uses,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Plans a SELECT, whose attributes it may read. */
KvsqlSelectPlan *kvsql_execution_plan_select (const KvsqlExecution *self, const KvsqlSelect *select,
                                              GError **error);

/* Calls skipped() for each schema that @run has read, with the cells since the first relation's
 * count was @before. */
void kvsql_execution_note_skipped (const KvsqlExecution *self, const KvsqlSelectPlan *plan,
                                   KvsqlSelectRun *run, guint64 before);

G_END_DECLS
