/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cursors.h: a cache of SELECTs between two pages, for the next fetch.
 *
 * It is only a cache: a cursor that is not in it is resumed from its token.
 *
 * Threads: locked. A cursor that was taken belongs to the taker.
 */
#pragma once

#include "core/plan/select-plan.h"
#include "daemon/session/cursor-token.h"
#include "daemon/session/undecodable-cells.h"
#include "daemon/session/plan-cache.h"
#include "daemon/session/statements.h"

G_BEGIN_DECLS

/* All that a running SELECT refers to. */
typedef struct
{
  guint8 id[KVSQLD_CURSOR_ID_BYTES];
  guint32 page;          /* the next page of the run */
  KvsqlArena *arena;     /* of statement, parameters and plan */
  KvsqldPlan *kept;      /* nullable: owns statement and plan if @arena does not */
  KvsqldParsed *parsed;  /* nullable: owns the statement if @arena does not */
  KvsqlAccount *account; /* of the run's memory */
  guint64 n_rows;        /* in earlier pages */
  guint64 n_bytes;
  KvsqlCatalog *catalog;
  KvsqlSlice sql;
  const KvsqlValue *parameters;
  guint n_parameters;
  gint64 now;     /* of the statement */
  gint64 session; /* that got the last page; 0: no session */
  gsize bytes;    /* of memory, when it was put into the cache */
  const KvsqlSelectPlan *plan;
  KvsqlSelectRun *run;
  KvsqldUndecodableCells *undecodable; /* nullable: in pages so far, for a note on the last page */
  gint64 used_us;
} KvsqldCursor;

void kvsqld_cursor_free (KvsqldCursor *self); /* accepts NULL */

typedef struct _KvsqldCursors KvsqldCursors;

KvsqldCursors *kvsqld_cursors_new (void);
void kvsqld_cursors_free (KvsqldCursors *self); /* accepts NULL */
/* Limits of the cache. */
typedef struct
{
  guint max;
  gsize max_bytes;
  gsize max_bytes_of_session;
} KvsqldCursorBounds;

/* (transfer full) @cursor. If the cache is over its limits, the least recently used cursors are
 * freed, those of the same session first. The session's newest one stays, unless it alone is over
 * the limit. */
void kvsqld_cursors_put (KvsqldCursors *self, KvsqldCursor *cursor,
                         const KvsqldCursorBounds *bounds);
/* (transfer full) (nullable): the cursor of that id, if its next page is @page (0: any). */
KvsqldCursor *kvsqld_cursors_take (KvsqldCursors *self, const guint8 *id, guint32 page);
/* Frees cursors that were not used for @idle_us. */
void kvsqld_cursors_sweep (KvsqldCursors *self, gint64 idle_us);
/* @out_bytes: (optional): their memory */
guint kvsqld_cursors_get_size (KvsqldCursors *self, gsize *out_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldCursor, kvsqld_cursor_free)

G_END_DECLS
