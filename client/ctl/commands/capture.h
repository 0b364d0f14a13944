/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * capture.h: asks a daemon for what a workload file has.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *text;     /* of a workload file */
  guint n_advised; /* statements; others are comments */
  gdouble seconds; /* in which they were counted, if that was wanted */
} KvsqlctlCapture;

/**
 * kvsqlctl_capture:
 * @name: of the workload
 * @with_schemas: the definitions of the schemas that exist, too; FALSE if one is not filled yet
 * @seconds: how long to wait for statements; 0: those since the last RESET STATEMENT STATISTICS
 *
 * Reads the relations once, for STATS, and lets the daemon ANALYZE them. A relation that cannot be
 * read has no STATS.
 */
gboolean kvsqlctl_capture (Kvsqlctl *ctl, const gchar *name, gdouble seconds, gboolean with_schemas,
                           KvsqlctlCapture *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The definitions, statistics and schemas of the relations that a workload file names. */
gchar *kvsqlctl_capture_relations (Kvsqlctl *ctl, const gchar *workload, GError **error);
void kvsqlctl_capture_clear (KvsqlctlCapture *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlctlCapture, kvsqlctl_capture_clear)

G_END_DECLS
