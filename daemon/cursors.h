/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cursors.h: SELECTs between two pages, kept warm for the fetch that will probably come.
 *
 * A cache and no more: what is not here (any longer) is begun again from the token.
 *
 * Threads: locked. A cursor that was taken belongs to the taker.
 */
#pragma once

#include "core/plan/select-plan.h"
#include "daemon/cursor-token.h"
#include "daemon/plan-cache.h"
#include "daemon/statements.h"

G_BEGIN_DECLS

/* Everything that a SELECT under way stands on. */
typedef struct
{
  guint8 id[KVSQLD_CURSOR_ID_BYTES];
  guint32 page;          /* that the run is about to give */
  KvsqlArena *arena;     /* of statement, parameters and plan */
  KvsqldPlan *kept;      /* nullable: owns statement and plan if @arena does not */
  KvsqldParsed *parsed;  /* nullable: owns the statement if @arena does not */
  KvsqlAccount *account; /* of the run's memory */
  guint64 n_rows;        /* given so far */
  guint64 n_bytes;
  KvsqlCatalog *catalog;
  KvsqlSlice sql;
  const KvsqlValue *parameters;
  guint n_parameters;
  gint64 now; /* of the statement */
  const KvsqlSelectPlan *plan;
  KvsqlSelectRun *run;
  gint64 used_us;
} KvsqldCursor;

void kvsqld_cursor_free (KvsqldCursor *self); /* accepts NULL */

typedef struct _KvsqldCursors KvsqldCursors;

KvsqldCursors *kvsqld_cursors_new (void);
void kvsqld_cursors_free (KvsqldCursors *self); /* accepts NULL */
/* (transfer full) @cursor; the longest unused one goes if there are more than @max. */
void kvsqld_cursors_put (KvsqldCursors *self, KvsqldCursor *cursor, guint max);
/* (transfer full) (nullable): the cursor of that id, if it is about to give that page (0: any). */
KvsqldCursor *kvsqld_cursors_take (KvsqldCursors *self, const guint8 *id, guint32 page);
/* Frees those that nobody used for @idle_us. */
void kvsqld_cursors_sweep (KvsqldCursors *self, gint64 idle_us);
guint kvsqld_cursors_get_size (KvsqldCursors *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldCursor, kvsqld_cursor_free)

G_END_DECLS
