/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * report.h: the state of jobs, as BACKFILL, SHOW and DESCRIBE return it.
 */
#pragma once

#include "core/engine/result-page.h"
#include "daemon/backfill/backfill.h"

G_BEGIN_DECLS

/* A page of BACKFILL: a row about the job of that schema, and once (@has_noted, inout) a note if
 * the job continues an earlier one. */
KvsqlResultPage *kvsqld_backfill_report_job (const gchar *schema, const KvsqldBackfillState *state,
                                             gboolean *has_noted);
/* The page of BACKFILL for a schema that is filled. */
KvsqlResultPage *kvsqld_backfill_report_nothing_to_do (const gchar *schema);

/* The state of a schema that is not filled. (transfer full) */
gchar *kvsqld_backfills_describe_state (KvsqldBackfills *self, const KvsqlSchema *schema);
/* Its job here, or what a daemon has stored of another job. (transfer full) (nullable): NULL:
 * nothing is known, or it is filled */
gchar *kvsqld_backfills_describe_job (KvsqldBackfills *self, const KvsqlCatalog *catalog,
                                      const KvsqlSchema *schema);

G_END_DECLS
