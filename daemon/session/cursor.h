/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cursor.h: a SELECT between two pages: its run, and all that the run refers to.
 *
 * Threads: a cursor belongs to one thread at a time.
 */
#pragma once

#include "core/plan/select-plan.h"
#include "daemon/session/cursor-token.h"
#include "daemon/session/plan-cache.h"
#include "daemon/session/statement-statistics.h"
#include "daemon/session/statements.h"
#include "daemon/session/undecodable-cells.h"

G_BEGIN_DECLS

typedef struct
{
  guint8 id[KVSQLD_CURSOR_ID_BYTES];
  guint32 page;          /* the next page of the run */
  KvsqlArena *arena;     /* of statement, parameters and plan */
  KvsqldPlan *kept;      /* nullable: owns statement and plan if @arena does not */
  KvsqldParsed *parsed;  /* nullable: owns the statement if @arena does not */
  KvsqldShape *shape;    /* nullable: of the statement */
  KvsqlAccount *account; /* of the run's memory */
  guint64 n_rows;        /* in earlier pages */
  guint64 n_bytes;
  KvsqlCatalog *catalog;
  KvsqlSlice sql;
  const KvsqlValue *parameters;
  guint n_parameters;
  gint64 now;        /* of the statement */
  const gchar *role; /* that reads it, for the service; in @arena */
  gint64 session;    /* that got the last page; 0: no session */
  gsize bytes;       /* of memory, when it was put into the cache */
  const KvsqlSelectPlan *plan;
  KvsqlSelectRun *run;
  KvsqldUndecodableCells *undecodable; /* nullable: in pages so far, for a note on the last page */
  gint64 used_us;
} KvsqldCursor;

void kvsqld_cursor_free (KvsqldCursor *self); /* accepts NULL */

/* The token of the next page. (transfer full) */
GBytes *kvsqld_cursor_seal (const KvsqldCursor *self, GBytes *key);
/* Counts @page, which the run has given. FALSE with KVSQL_ERROR_LIMIT if the result is now larger
 * than a limit; 0: no limit. */
gboolean kvsqld_cursor_count_page (KvsqldCursor *self, const KvsqlResultPage *page,
                                   guint64 max_rows, guint64 max_bytes,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the run is valid for the definitions of @catalog. FALSE with KVSQL_ERROR_BAD_CURSOR if
 * not. */
gboolean kvsqld_cursor_check_definitions (const KvsqldCursor *self, const KvsqlCatalog *catalog,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldCursor, kvsqld_cursor_free)

G_END_DECLS
