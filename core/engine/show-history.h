/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * show-history.h: SHOW HISTORY.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"

G_BEGIN_DECLS

/* The start of a page: the records of a version, without the first n_emitted of them. Records are
 * only added at the end, and old ones are dropped, so this stays valid when definitions change. */
typedef struct
{
  gint64 version;
  gint64 n_emitted;
} KvsqlHistoryPlace;

/**
 * kvsql_execute_show_history:
 * @name: without a text: of all names
 * @place: (inout): the start of this page, zeros for the first one; then the start of the next page
 * @out_has_more: (out): there is a next page
 *
 * A page has at least one record, however long it is, if there is one.
 */
KvsqlResultPage *kvsql_execute_show_history (const KvsqlExecution *execution, const KvsqlName *name,
                                             KvsqlPageBounds bounds, KvsqlHistoryPlace *place,
                                             gboolean *out_has_more, GError **error);

G_END_DECLS
