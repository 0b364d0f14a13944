/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * capture.h: makes a workload of what a daemon has counted.
 *
 * The caller asks the daemon: for shapes of statements, then for the relations that they name. A
 * captured workload is accepted by kvsql_advise(): what the advisor cannot take becomes a comment
 * with the reason.
 *
 * Threads: a capture belongs to one thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KvsqlCapture KvsqlCapture;

KvsqlCapture *kvsql_capture_new (void);
void kvsql_capture_free (KvsqlCapture *self); /* accepts NULL */

/* A row of SHOW STATEMENT STATISTICS. */
typedef struct
{
  const gchar *text;
  gboolean is_whole;
  gdouble n_calls;
  gdouble n_rows; /* given or changed, in all */
} KvsqlCapturedStatement;

/* Statements of one text are added up. */
void kvsql_capture_add (KvsqlCapture *self, const KvsqlCapturedStatement *statement);

/* The relations that the statements name, as SQL spells the names, in the order of the statements.
 * (array zero-terminated=1) (transfer none) */
const gchar *const *kvsql_capture_list_relations (KvsqlCapture *self);

/* What is known of an attribute; 0: nothing */
typedef struct
{
  const gchar *name;
  gdouble distinct;
  gdouble bytes;
} KvsqlCapturedAttribute;

/**
 * kvsql_capture_set_relation:
 * @name: from kvsql_capture_list_relations()
 * @definition: (nullable): its DEFINE RELATION; %NULL: @reason says why there is none
 * @rows: 0: not known
 * @schemas: (nullable) (array zero-terminated=1): DEFINE SCHEMA of those that exist
 */
void kvsql_capture_set_relation (KvsqlCapture *self, const gchar *name, const gchar *definition,
                                 const gchar *reason, gdouble rows,
                                 const KvsqlCapturedAttribute *attributes, guint n_attributes,
                                 const gchar *const *schemas);

/* The costs of the store, of SHOW STATUS. */
void kvsql_capture_set_costs (KvsqlCapture *self, const gchar *costs);

/**
 * kvsql_capture_print:
 * @name: of the workload
 * @seconds: the time in which the calls were counted, for RATE; 0: WEIGHT
 * @out_n_advised: (optional): statements that are not comments
 *
 * Returns: (transfer full): the text of a workload file
 */
gchar *kvsql_capture_print (KvsqlCapture *self, const gchar *name, gdouble seconds,
                            guint *out_n_advised);

/* For statements that are in a file already: the definitions of the relations, in one line each.
 * (transfer full) */
gchar *kvsql_capture_print_relations (const KvsqlCapture *self);
/* Whether a word of a workload file is the name of the relation. */
gboolean kvsql_capture_is_named (const gchar *workload, const gchar *relation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlCapture, kvsql_capture_free)

G_END_DECLS
