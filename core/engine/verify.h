/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * verify.h: VERIFY SCHEMA and REPAIR SCHEMA.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"

G_BEGIN_DECLS

#define KVSQL_N_VERIFY_COUNTERS 8

/* The pass and its position between two pages. The caller keeps it for the next page. */
typedef struct
{
  guint64 counters[KVSQL_N_VERIFY_COUNTERS];
  KvsqlScanPosition position; /* its bytes live in an execution's arena, or the caller's */
} KvsqlVerifyState;

gboolean kvsql_verify_begin (const KvsqlExecution *execution, const KvsqlMaintain *statement,
                             KvsqlVerifyState *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_execute_verify:
 * @state: (inout)
 * @out_has_more: (out): there is a next page, which needs the state
 *
 * About a second of work, at most half of the time that is left.
 */
KvsqlResultPage *kvsql_execute_verify (const KvsqlExecution *execution,
                                       const KvsqlAstStatement *statement, KvsqlVerifyState *state,
                                       gboolean *out_has_more, GError **error);

G_END_DECLS
