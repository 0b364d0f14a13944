/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * block.h: a transaction block, as far as there is one.
 *
 * Each statement takes effect at once, in a block too. The block counts what its statements have
 * written, so that ROLLBACK can say what stays.
 *
 * Threads: that of the connection.
 */
#pragma once

#include <glib.h>

#include "core/base/error.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLD_PG_IDLE = 'I',
  KVSQLD_PG_OPEN = 'T',
  KVSQLD_PG_FAILED = 'E',
} KvsqldPgState;

/* What statements have changed. */
typedef struct
{
  gint64 n_tuples;
  gint64 n_definitions;
} KvsqldPgChanges;

/* Initialize with kvsqld_pg_block_init(). */
typedef struct
{
  KvsqldPgState state;
  KvsqldPgChanges changes; /* of the block; outside of blocks, of the message that is answered */
  GArray *savepoints;
} KvsqldPgBlock;

void kvsqld_pg_block_init (KvsqldPgBlock *self);
void kvsqld_pg_block_clear (KvsqldPgBlock *self);

void kvsqld_pg_block_begin (KvsqldPgBlock *self);
void kvsqld_pg_block_end (KvsqldPgBlock *self);
/* A statement has failed. */
void kvsqld_pg_block_fail (KvsqldPgBlock *self);

/* At most 1,000 savepoints, with names of 1,000 bytes. */
gboolean kvsqld_pg_block_add_savepoint (KvsqldPgBlock *self, const gchar *name,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Removes the savepoints after @name. @keeps: not @name itself. @out_changes: (optional): since
 * then. Fails with 3B001 if there is no such savepoint. */
gboolean kvsqld_pg_block_go_back (KvsqldPgBlock *self, const gchar *name, gboolean keeps,
                                  KvsqldPgChanges *out_changes,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A text for a warning; NULL if nothing was changed. (transfer full) */
gchar *kvsqld_pg_changes_describe (const KvsqldPgChanges *self);

G_END_DECLS
